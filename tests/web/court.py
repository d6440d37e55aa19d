"""A game of King's Court from “Host a game” to the archive, once by commands and once on the page."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Protocol
from zoneinfo import ZoneInfo

from knightfall.engine.entries import Closed, Submitted
from knightfall.engine.journal import Journal
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId
from knightfall.services.games import game_named
from playthroughs.moderator import Moderator
from recorded import recorded
from web.hands import Hand

SEED, SALT = "6b" * 32, "d4" * 32
GAME = 90020
ROOT = "/games/tin-court"
WHY = "all have played"
NAMES = (
    *("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen"),
    *("Gale", "Hollis", "Iris", "Juniper", "Kestrel"),
)
BEGINS = datetime(2026, 11, 9, 20, tzinfo=ZoneInfo("Europe/Lisbon")).astimezone(UTC)


@cache
def played() -> Journal:
    """A short game as players might play it on these cards."""
    rules, chance = game_named("kings_court"), SeededRng(b"players of 16")
    slots = tuple(map(SlotId, NAMES))
    draw = SeededRng(bytes.fromhex(SEED))
    found = recorded("tin-court", rules, slots, rules.spec.begun_with, chance, draw)
    assert found.ended
    return found.journal[1:]


def ballots(file: Path, messages: list[Submitted]) -> Path:
    """Messages as a form's answers."""
    with file.open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([("Player", "Ballot"), *((one.slot, one.text) for one in messages)])
    return file


class Court(Protocol):
    """What the moderator of a court does, by whatever face."""

    def host(self, thread: str) -> None: ...
    def post(self, kind: str) -> None: ...
    def send_pms(self) -> None: ...
    def read_form(self, file: Path) -> None: ...
    def message(self, who: str, text: str) -> None: ...
    def close(self, window: str, title: str) -> None: ...
    def end(self) -> None: ...


@dataclass
class CourtByCommand:
    """Types commands."""

    mod: Moderator

    def host(self, thread: str) -> None:
        self.mod.types(
            "new kings_court", "Tin Court", "--site", "phpbb", "--tz", "Europe/Lisbon",
            "--moderator", "Wren", "--thread", f"game={thread}",
        )  # fmt: skip
        self.mod.folder = self.mod.desk / "tin-court"
        names = self.mod.desk / "names.txt"
        names.write_text("\n".join(NAMES), encoding="utf-8")
        self.mod.types(f"deal --players {names} --seed {SEED} --salt {SALT}")

    def post(self, kind: str) -> None:
        self.mod.types(f"post {kind} --copy --posted --stored")
        self.mod.posts(GAME, self.mod.pasted[-1])

    def send_pms(self) -> None:
        while "→ " in self.mod.types("pm roles --copy-next --sent").out:
            pass

    def read_form(self, file: Path) -> None:
        self.mod.types(f"submit --from-form {file} --text-column Ballot")

    def message(self, who: str, text: str) -> None:
        self.mod.types(f"submit {who}", text)

    def close(self, window: str, title: str) -> None:  # noqa: ARG002  # the page goes by the title
        self.mod.types(f"commit {window} --yes --why", WHY)

    def end(self) -> None:
        self.mod.types("verify")
        self.mod.types("archive --public")


@dataclass
class CourtByPage:
    """Uses the page, the court's own above all."""

    mod: Moderator
    hand: Hand

    def host(self, thread: str) -> None:
        hand = self.hand
        hand.go("/")
        hand.press("Host a game")
        hand.press("King's Court")
        hand.press("There is no thread yet")
        about = {
            "Title of the game": "Tin Court",
            "Time zone": "Europe/Lisbon",
            "Your username": "Wren",
            "What kind of site": "phpbb",
            "Game thread": thread,
        }
        hand.press("Go on", about)
        hand.press("Go on")
        hand.press("Show what would be made", {"Players, one on a line": "\n".join(NAMES)})
        hand.press("Create it and deal to 11 players")
        self.mod.folder = self.mod.desk / "tin-court"

    def post(self, kind: str) -> None:
        self.hand.go(f"{ROOT}/posts/{kind}")
        text = self.hand.value("The text")
        self.hand.copied()
        self.mod.posts(GAME, text)

    def send_pms(self) -> None:
        self.hand.go(f"{ROOT}/pms/role")
        self.hand.copy_and_send()

    def read_form(self, file: Path) -> None:
        self.hand.go(f"{ROOT}/messages")
        self.hand.press("Read the table", {"answers to a form": file, "with the action": "Ballot"})
        self.hand.press("Record 10 messages")

    def message(self, who: str, text: str) -> None:
        self.hand.go(f"{ROOT}/board")
        if who == "moderator":
            who = "You, the moderator"
        # What the court's page offers is chosen; a list of several is written.
        field = "Choose" if text in self.hand.choices(f"Choose for {who}") else "rite it"
        self.hand.press(f"Play for {who}", {f"{field} for {who}": text})
        assert "is recorded." in self.hand.text

    def close(self, window: str, title: str) -> None:
        self.hand.go(f"{ROOT}/night")
        fields: dict[str, str | bool] = {}
        if "Why earlier?" in self.hand.text:
            fields["Why earlier?"] = WHY
        if "I have seen this" in self.hand.text:
            fields["I have seen this"] = True
        self.hand.press(f"Close {title}", fields)
        assert window
        assert f"{title} is closed" in self.hand.text

    def end(self) -> None:
        self.hand.go(f"{ROOT}/end")
        self.hand.press("Check everything")
        assert "Nothing was changed, and every posted text comes out the same" in self.hand.text
        self.hand.press("For everybody")
        assert "The archive is written" in self.hand.text


def whole_court(mod: Moderator, court: Court) -> None:
    """From “Host a game” to the archive; the ballots of the first round come by a form."""
    first_round(mod, court)
    played_on(court, played()[1 + last_of_first_round() :], 1)
    court.post("endgame")
    court.end()


def short_court(mod: Moderator, court: Court) -> None:
    """The same to its first tie and a few votes more; then everything is checked, and there is an archive."""
    first_round(mod, court)
    behind = 1 + last_of_first_round()
    played_on(court, played()[behind : behind + 3], 1)
    court.end()


def last_of_first_round() -> int:
    """The place of the entry that closes the tie of the first round."""
    return next(
        place
        for place, record in enumerate(played())
        if isinstance(record.entry, Closed) and record.entry.window == "tie"
    )


def first_round(mod: Moderator, court: Court) -> None:
    """A court is hosted and opened; its first ballots come by a form."""
    court.host(mod.board.open(GAME, "Tin Court", "Wren", "The court gathers."))
    court.send_pms()
    court.post("opening")
    journal = played()
    first = next(place for place, record in enumerate(journal) if isinstance(record.entry, Closed))
    said = [record.entry for record in journal[:first] if isinstance(record.entry, Submitted)]
    court.read_form(ballots(mod.desk / "form.csv", said))
    played_on(court, journal[first : 1 + last_of_first_round()], 0)


def played_on(court: Court, journal: Journal, round_number: int) -> None:
    """What was played, after so many rounds whose votes are closed."""
    titles = {"tol": "Tokens of Life", "ec": "Elimination candidate"}
    for record in journal:
        if isinstance(record.entry, Submitted):
            court.message(str(record.entry.slot or "moderator"), record.entry.text)
        elif isinstance(record.entry, Closed):
            kind = record.entry.window
            round_number += kind == "vote"
            tie = f"Tie of round {round_number}"
            court.close(kind, titles.get(kind) or (tie if kind == "tie" else f"Round {round_number}"))
