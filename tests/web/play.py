"""A game of Knight-Errant from the sign-ups to the archive, once by commands and once on the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol
from urllib.parse import quote
from zoneinfo import ZoneInfo

from playthroughs.moderator import Moderator
from web.hands import Hand

LISBON = ZoneInfo("Europe/Lisbon")
SEED, SALT = "6b" * 32, "d4" * 32
SIGNUPS, GAME = 90001, 90010
NAMES = (
    *("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Gale", "Hollis", "Iris"),
    *("Juniper", "Kestrel", "Lumen", "Moth", "Nettle", "Onyx", "Pike", "Quill", "Sable"),
)
BEGINS = datetime(2026, 11, 9, 20, tzinfo=LISBON).astimezone(UTC)
CLEAR = "bold is not needed where it is clear"


class Play(Protocol):
    """What a moderator does, by whatever face."""

    def host(self, threads: Mapping[str, str]) -> None: ...
    def read_signups(self) -> None: ...
    def decide_signup(self, post: int, word: str, why: str) -> None: ...
    def take_signups(self) -> None: ...
    def deal(self) -> None: ...
    def post(self, kind: str) -> None: ...
    def send_pms(self, family: str) -> None: ...
    def confirm_pms(self, family: str, names: list[str]) -> None: ...
    def open(self, kind: str, number: int, ends: str) -> None: ...
    def count(self) -> None: ...
    def posted_count(self) -> None: ...
    def count_as_written(self, post: int, why: str) -> None: ...
    def replace(self, old: str, new: str, at: int, why: str) -> None: ...
    def close_day(self, name: str) -> None: ...
    def message(self, who: str, text: str) -> None: ...
    def nothing_from_the_rest(self) -> None: ...
    def close_night(self) -> None: ...
    def check(self) -> None: ...
    def archive(self) -> None: ...


@dataclass
class ByCommand:
    """Types commands."""

    mod: Moderator

    def host(self, threads: Mapping[str, str]) -> None:
        said = [word for role, url in threads.items() for word in ("--thread", f"{role}={url}")]
        self.mod.types(
            "new knight_errant", "Salt Harbour", "--site", "mafiascum", "--tz", "Europe/Lisbon",
            "--moderator", "Wren", *said,
        )  # fmt: skip
        self.mod.folder = self.mod.desk / "salt-harbour"

    def read_signups(self) -> None:
        self.mod.types("signup read", status=3)

    def decide_signup(self, post: int, word: str, why: str) -> None:
        self.mod.types(f"signup decide {post} {word} --why", why)

    def take_signups(self) -> None:
        self.mod.types("signup read --stored --write")

    def deal(self) -> None:
        self.mod.types(f"deal --setup A1-RD --seed {SEED} --salt {SALT}")

    def post(self, kind: str) -> None:
        self.mod.types(f"post {kind} --copy --posted --stored")
        self.mod.posts(GAME, self.mod.pasted[-1])

    def send_pms(self, family: str) -> None:
        while "→ " in self.mod.types(f"pm {family}s --copy-next --sent").out:
            pass

    def confirm_pms(self, family: str, names: list[str]) -> None:
        self.mod.types(f"pm mark confirmed --batch {family}-1", *names)

    def open(self, kind: str, number: int, ends: str) -> None:
        self.mod.types(f"phase open {kind} {number} --ends", ends)

    def count(self) -> None:
        self.mod.types("read")

    def posted_count(self) -> None:
        self.mod.types("vc --copy --posted --stored")
        self.mod.posts(GAME, self.mod.pasted[-1])

    def count_as_written(self, post: int, why: str) -> None:
        self.mod.types(f"fix {post} --count --why", why)

    def replace(self, old: str, new: str, at: int, why: str) -> None:
        self.mod.types(f"replace {old} {new} --at {at} --why", why)

    def close_day(self, name: str) -> None:
        self.mod.types("phase close", answers=f"{name}\n")

    def message(self, who: str, text: str) -> None:
        self.mod.types(f"submit {who} {text}")

    def nothing_from_the_rest(self) -> None:
        missing = json.loads(self.mod.types("missing --json").out)
        for who in missing["open"][0]["missing"]:
            self.mod.types(f"submit {who} no action --for-slot")

    def close_night(self) -> None:
        self.mod.types("commit night --yes")

    def check(self) -> None:
        self.mod.types("verify")

    def archive(self) -> None:
        self.mod.types("archive --public")


@dataclass
class ByPage:
    """Uses the page. `mod` is the forum into which posts are pasted, and no command."""

    mod: Moderator
    hand: Hand
    root: str = "/games/salt-harbour"

    def host(self, threads: Mapping[str, str]) -> None:
        hand = self.hand
        hand.go("/")
        hand.press("Host a game")
        hand.press("Knight-Errant")
        hand.press("Read it", {"Address of the thread": threads["signup"]})
        # Title, moderator and what the thread is for were read from it.
        assert hand.value("Title of the game") == "Salt Harbour"
        assert hand.value("Your username") == "Wren"
        assert hand.value("Sign-up thread") == threads["signup"]
        about = {
            "What kind of site": "mafiascum",
            "Time zone": "Europe/Lisbon",
            "Game thread": threads["game"],
        }
        hand.press("Go on", about)
        hand.press("Go on")
        hand.press("They still have to sign up")
        assert not (self.mod.desk / "salt-harbour").exists()
        hand.press("Create it")
        self.mod.folder = self.mod.desk / "salt-harbour"

    def read_signups(self) -> None:
        self.hand.go(f"{self.root}/signups")
        self.hand.press("Read the sign-up thread")
        assert "What do these mean?" in self.hand.text

    def decide_signup(self, post: int, word: str, why: str) -> None:
        self.hand.press({"in": "In", "out": "Out"}[word], {"Reason": why}, within=f"#{post}")

    def take_signups(self) -> None:
        self.hand.press("Take them into the game")
        assert "now lists 18 players" in self.hand.text

    def deal(self) -> None:
        self.hand.go(self.root)
        self.hand.press("Deal the roles")
        self.hand.press("Deal and begin", {"Setup": "A1-RD", "Seed (empty": SEED, "Salt (empty": SALT})

    def post(self, kind: str) -> None:
        self.hand.go(f"{self.root}/posts/{kind}")
        text = self.hand.value("The text")
        self.hand.copied()
        self.mod.posts(GAME, text)

    def send_pms(self, family: str) -> None:
        self.hand.go(f"{self.root}/pms/{family}")
        self.hand.copy_and_send()

    def confirm_pms(self, family: str, names: list[str]) -> None:
        self.hand.go(f"{self.root}/pms/{family}")
        self.hand.press("Ticked are confirmed", dict.fromkeys(names, True))

    def open(self, kind: str, number: int, ends: str) -> None:
        self.hand.go(f"{self.root}/phases")
        title = f"{kind.capitalize()} {number}"
        self.hand.press(f"Set the deadline of {title}", {f"Deadline of {title}": ends})

    def count(self) -> None:
        self.hand.go(f"{self.root}/votes")
        self.hand.press("Read the thread" if "has not been read" in self.hand.text else "Read what is new")

    def posted_count(self) -> None:
        text = self.hand.value("The text")
        self.hand.copied()
        self.mod.posts(GAME, text)

    def count_as_written(self, post: int, why: str) -> None:
        self.hand.press("Count as written", {"Reason": why}, within=f"#{post} ")

    def replace(self, old: str, new: str, at: int, why: str) -> None:
        self.hand.go(f"{self.root}/players/slot?who={quote(old, safe='')}")
        fields = {"Who takes over": new, "From this post on": str(at), "Reason": why}
        self.hand.press(f"Replace {old}", fields)

    def close_day(self, name: str) -> None:
        self.hand.go(f"{self.root}/close")
        self.hand.press("Read and count")
        self.hand.press("Close the day", {"Lock the thread": name}, within="")

    def message(self, who: str, text: str) -> None:
        self.hand.go(f"{self.root}/night")
        self.hand.press("Record it", {"From": who, "The whole post or PM": text})
        assert "is recorded" in self.hand.text

    def nothing_from_the_rest(self) -> None:
        self.hand.go(f"{self.root}/night")
        self.hand.press("All the others do nothing")

    def close_night(self) -> None:
        self.hand.go(f"{self.root}/night")
        self.hand.press("Close Night", {"I have seen this": True})

    def check(self) -> None:
        self.hand.go(f"{self.root}/end")
        self.hand.press("Check everything")
        assert "Nothing was changed, and every posted text comes out the same" in self.hand.text

    def archive(self) -> None:
        self.hand.press("For everybody")
        assert "The archive is written" in self.hand.text


def whole_game(mod: Moderator, play: Play) -> None:
    """From “Host a game” to the archive."""
    signups = mod.board.open(SIGNUPS, "Salt Harbour – sign-ups", "Wren", "Sign up here: /in, /out.")
    game = mod.board.open(GAME, "Salt Harbour", "Wren", "The ferry leaves in a week.")
    play.host({"signup": signups, "game": game})
    for name in NAMES[:-1]:
        mod.board.post(SIGNUPS, name, "/in")
    unclear = mod.board.post(SIGNUPS, NAMES[-1], "maybe in?")
    play.read_signups()
    play.decide_signup(unclear, "in", "asked by PM")
    play.take_signups()
    play.deal()
    play.send_pms("role")
    play.confirm_pms("role", [*NAMES])
    play.post("rules")
    play.post("opening")

    goons = mod.holders("Mafia Goon")
    [armoured], [watcher] = mod.holders("Mafia Bulletproof"), mod.holders("Mafia Even-Night Watcher")
    [killer], [gunsmith] = mod.holders("Serial Killer"), mod.holders("Town Gunsmith")
    plain = mod.holders("Vanilla Townie")

    play.open("day", 1, "2026-11-18 20:00")
    play.post("day-start")
    mod.board.post(GAME, plain[0], f"[vote]{plain[1]}[/vote] for luck")
    missed = mod.board.post(GAME, plain[1], f"vote {goons[0]}")
    mod.board.post(GAME, gunsmith, f"[vote]{goons[0]}[/vote]")
    play.count()
    play.count_as_written(missed, CLEAR)
    play.posted_count()
    here = mod.board.post(GAME, "Wren", f"Rook replaces {gunsmith}.")
    play.count()
    play.replace(gunsmith, "Rook", here, "a new job")
    for name in [*plain[2:], killer, "Rook", watcher][:10]:
        mod.board.post(GAME, name, f"[vote]{goons[0]}[/vote]")
    play.close_day(goons[0])
    play.post("end-of-day")

    play.open("night", 1, "2026-11-21 20:00")
    play.message("Rook", f"gunsmith {killer}")
    play.message(killer, f"kill {goons[1]}")
    play.message(goons[1], f"kill {plain[0]}")
    play.nothing_from_the_rest()
    play.close_night()
    play.send_pms("result")
    play.post("dawn")

    vote_out(mod, play, 2, armoured, [*plain[1:], killer, watcher, "Rook"])
    play.open("night", 2, "2026-11-29 20:00")
    play.message(killer, f"strong kill {watcher}")
    play.nothing_from_the_rest()
    play.close_night()
    play.post("dawn")

    vote_out(mod, play, 3, killer, [*plain[1:], "Rook"])
    play.post("endgame")
    play.check()
    play.archive()


def vote_out(mod: Moderator, play: Play, day: int, name: str, voters: list[str]) -> None:
    """Enough vote for one, and the day is closed."""
    play.open("day", day, f"2026-11-{21 + 4 * (day - 1):02} 20:00" if day < 3 else "2026-12-03 20:00")
    play.post("day-start")
    for voter in voters:
        mod.board.post(GAME, voter, f"[vote]{name}[/vote]")
    play.close_day(name)
    play.post("end-of-day")


def texts_of(folder: Path) -> dict[str, str]:
    """Every post and PM of a game's folder."""
    return {
        f"{half}/{file.name}": file.read_text(encoding="utf-8")
        for half in ("public", "private")
        for file in sorted((folder / half).glob("*.txt"))
    }
