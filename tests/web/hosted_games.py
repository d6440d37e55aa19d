"""Whole games that a person hosts on the page, with the mistakes of people in them; the scripts know what is
true, and hold every post that the page gave to copy against it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from knightfall.engine.entries import Closed, Submitted
from knightfall.engine.playout import Playout, play
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId
from knightfall.services.games import game_named
from knightfall.services.machine import session_of
from knightfall.services.session import journal_of
from playthroughs.moderator import NAME, Moderator, moderating
from web.hands import Fields
from web.person import Desk, Person, sitting_at
from web.same_game import same_forum
from web.served import in_turn

LISBON = ZoneInfo("Europe/Lisbon")
BEGINS = datetime(2026, 11, 9, 20, tzinfo=LISBON).astimezone(UTC)
SEED, SALT = "6b" * 32, "d4" * 32
ARMOURED = f"{5:064x}"
"""A seed that draws a setup of Knight-Errant with a Mafia Bulletproof, a Watcher, a Cop and a Tracker."""
SIGNUPS, GAME = 90001, 90010
NAMES = (
    *("Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Gale", "Hollis", "Iris"),
    *("Juniper", "Kestrel", "Lumen", "Moth", "Nettle", "Onyx", "Pike", "Quill", "Sable"),
)
_TIME = re.compile(r"\b[A-Z][a-z]{2} \d{1,2} [A-Z][a-z]{2} \d{4}, \d\d:\d\d\b")
_TAG = re.compile(r"\[[^\]]*\]")


@dataclass
class Hosted:
    """A game on its way: the person at the desk, the forum into which they paste, and the truth.

    `holds` is who holds which role by the name of now, `living` who is alive; `until` the deadlines that were
    set, as posts write them (`sets_deadlines`: the rules of the game set none); `said` every post that was
    copied, by the name under which the page noted it.
    """

    desk: Desk
    mod: Moderator
    holds: dict[str, str] = field(default_factory=dict)
    living: list[str] = field(default_factory=list)
    until: set[str] = field(default_factory=set)
    said: dict[str, str] = field(default_factory=dict)
    entered: list[str] = field(default_factory=list)
    sets_deadlines: bool = True

    @property
    def person(self) -> Person:
        return self.desk.person

    def holders(self, role: str) -> list[str]:
        """Who holds a role now."""
        return [name for name, held in self.holds.items() if held == role]

    def knows_the_cards(self, folder: str) -> None:
        """The game was dealt: the moderator knows who holds what."""
        self.mod.folder = self.desk.folder / folder
        self.holds = dict(self.mod.cards())
        self.living = list(self.holds)

    def writes(self, author: str, text: str) -> int:
        """Somebody posts in the game thread; returns the number of the post."""
        return self.mod.board.post(GAME, author, text)

    def votes(self, *names: str, target: str) -> None:
        """So many vote for one, in the clear form of the site."""
        for name in names:
            self.writes(name, f"<b>Vote: {target}</b>" if "<" in target else f"[b]Vote: {target}[/b]")

    def posts(self, heading: str) -> str:
        """Copy the post that the page shows, mark it as posted, and paste it into the thread."""
        person = self.person
        assert heading in person.main, f"{person.path}: not the post “{heading}”\n{person.main}"
        person.copies()
        return self.pastes()

    def pastes(self) -> str:
        """Paste what was copied into the thread."""
        text = self.person.pasted()
        noted = re.search(r"(?:“([^”]+)”|(Votecount \S+)) is marked as posted", self.person.main)
        assert noted, self.person.main
        name = noted.group(1) or noted.group(2)
        self.said[name] = text
        self.mod.posts(GAME, text)
        for time in _TIME.findall(text) if self.sets_deadlines else ():
            assert time in self.until, f"{name}: {time} is no deadline of {sorted(self.until)}\n{text}"
        return text

    def tells_role_pms(self) -> None:
        """Copy each role PM, one after the other."""
        if "/pms/" not in self.person.path:
            self.person.press("Send the role PMs")
        seen = self.sends_pms()
        assert seen.keys() == self.holds.keys(), (seen.keys(), self.holds, self.person.main)
        for name, role in self.holds.items():
            # A mafioso who has still to choose a role is told their side.
            assert (role if role != "Mafioso" else "with the [b]mafia[/b]") in seen[name], seen[name]
            assert name in seen[name]

    def sets_deadline(self, title: str, said: str, until: str) -> None:
        """Set the deadline of something that is open."""
        self.person.press(f"Set the deadline of {title}", {f"Deadline of {title}": said})
        self.until.add(until)

    def waits_until(self, moment: str) -> None:
        """Time goes by, until that on the game's clock."""
        self.mod.turns_to(datetime.fromisoformat(moment).replace(tzinfo=LISBON))

    def replaces(self, old: str, new: str, here: int) -> None:
        """Give a slot to somebody else, and tell everybody."""
        person = self.person
        person.press("Players")
        person.press(old)
        person.press(f"Replace {old}", {"Who takes over": new, "From this post on": str(here)})
        self.holds[new] = self.holds.pop(old)
        self.living[self.living.index(old)] = new
        text = self.posts("Replacement")
        assert f"{new} replaces {old}" in _TAG.sub("", text), text
        self.tells_no_other_role(text)

    def sends_role_pm(self, name: str) -> None:
        """Copy the one PM that is at hand, and send it."""
        person = self.person
        person.copies()
        assert name in person.pasted()
        assert self.holds[name] in person.pasted()

    def closes_the_day(
        self, number: int, eliminated: str, ends: str, until: str, why: Fields | None = None
    ) -> str:
        """Close a day that is over, and tell how it ended."""
        person = self.person
        if person.sees(f"Day {number} is hammered"):
            person.press("Close the day", within=f"Day {number} is hammered")
        deadline = {"Deadline of what comes next": ends} if ends else {}
        fields = {"Lock the thread": eliminated.lower(), **deadline, **(why or {})}
        person.press("Close the day", fields)
        if until:
            self.until.add(until)
        self.dies(eliminated)
        text = self.posts("End of the day")
        self.end_of_day(text, eliminated)
        return text

    def takes_in(self, who: str, text: str, sent: str = "") -> None:
        """Paste a PM as it was sent."""
        fields = {"From": who, "The whole post or PM": text, **({"Sent": sent} if sent else {})}
        self.person.press("Record it", fields)
        if self.person.sees(f"The message of {who} is recorded"):
            self.entered.append(text)

    def row(self, name: str) -> str:
        """What stands in the row of somebody who may act."""
        page = self.person.page
        rows = page.locator(".acts tr").filter(
            has=page.locator("th").filter(has_text=re.compile(rf"^{re.escape(name)}( |$)"))
        )
        assert rows.count() == 1, f"{rows.count()} rows of {name}"
        return " ".join(str(rows.inner_text()).split())

    def sets(self, name: str, line: str) -> None:
        """Choose a line of the list in their row."""
        offered = self.person.page.get_by_label(f"Set for {name}").locator("option").all_inner_texts()
        assert line in offered, (line, offered, self.row(name))
        self.person.press(f"Set for {name}", {f"Set for {name}": line})

    def is_understood(self, name: str, line: str) -> None:
        """Their row is settled with that line, and nothing else of it."""
        row = self.row(name)
        assert f"Understood: {line}" in row, row
        assert "settled" in row, row

    def tells_results(self, told: dict[str, str]) -> None:
        """Copy each result and send it; only who asked is told, and of whom."""
        seen = self.sends_pms()
        assert seen.keys() == told.keys(), (seen, told)
        for name, words in told.items():
            assert words in seen[name], seen[name]

    def sends_pms(self) -> dict[str, str]:
        """Copy each PM of the batch that is due and send it; returns what went to whom."""
        person, seen = self.person, dict[str, str]()
        batch = person.path.partition("?")[0]
        while person.path.partition("?")[0] == batch and person.page.locator("#pm-head").count():
            to, text = str(person.page.inner_text("#pm-head")).removeprefix("To "), person.value("Text")
            person.copies()
            seen[to] = person.pasted()
            assert text == seen[to]
        return seen

    def dies(self, *names: str) -> None:
        """They are dead by now."""
        for name in names:
            self.living.remove(name)

    def end_of_day(self, text: str, eliminated: str) -> None:
        """The post that closes a day names who was eliminated and their role, and no other role."""
        assert eliminated in text, text
        assert self.holds[eliminated] in text, text
        self.tells_no_other_role(text, eliminated)

    def dawn(self, text: str, *dead: str) -> None:
        """The post of a morning names exactly who died, each with their role."""
        for name in dead:
            assert f"{name}" in text, (name, text)
            assert self.holds[name] in text, (name, text)
        for name in self.living:
            assert not re.search(rf"\b{re.escape(name)}\b[^.\n]*(?:found dead|was killed|died)", text), text
        self.tells_no_other_role(text, *dead)

    def tells_no_other_role(self, text: str, *names: str) -> None:
        """No role is in a post but those of these players, and what the list of the living may say."""
        told = {self.holds[name] for name in names}
        for role in {*self.holds.values()} - told:
            assert role not in text or any(role in other for other in told), (role, text)

    def counts(self, text: str, wagons: dict[str, Sequence[str]]) -> None:
        """A votecount says who has whose votes, and who has none."""
        plain = _TAG.sub("", text)
        for target, voters in wagons.items():
            line = next((one for one in plain.splitlines() if one.startswith(target)), "")
            assert f"({len(voters)}" in line, (target, voters, plain)
            for voter in voters:
                assert voter in line, (voter, line)
        quiet = [
            name for name in self.living if name not in {v for voters in wagons.values() for v in voters}
        ]
        line = next((one for one in plain.splitlines() if "ot voting" in one), "")
        assert f"({len(quiet)})" in line or not quiet, (quiet, plain)
        for name in quiet:
            assert name in line, (name, line)

    def plays(self, who: str, text: str) -> None:
        """Enter a line on the board, by its list where that offers it."""
        person, name = self.person, who or "You, the moderator"
        if "\n" in text:
            if not person.path.startswith(f"/games/{self.mod.folder.name}/night"):
                person.press("Messages")
            person.press("Record it", {"From": who or "you, the moderator", "The whole post or PM": text})
        else:
            if not person.path.startswith(f"/games/{self.mod.folder.name}/board"):
                person.press("Board")
            field = "Choose" if text in person.choices(f"Choose for {name}") else "rite it"
            person.press(f"Play for {name}", {f"{field} for {name}": text})
        if person.sees(f"The message of {who or 'moderator'} is recorded."):
            self.entered.append(text)

    def closes(self, kind: str) -> None:
        """Close what is open of that kind, whatever it is called, and paste what it led to."""
        person, page = self.person, self.person.page
        if not person.path.startswith(f"/games/{self.mod.folder.name}/night"):
            person.press("Messages")
        form = page.locator("form").filter(has=page.locator(f"input[name=kind][value='{kind}']"))
        button = form.locator("button[id^=resolve]")
        assert button.count() == 1, f"{button.count()} of {kind}\n{person.main}"
        title, fields = " ".join(str(button.text_content()).split()), dict[str, str | bool]()
        if form.get_by_label("Why earlier?").count():
            fields["Why earlier?"] = "all have played"
        if form.get_by_label("I have seen this").count():
            fields["I have seen this"] = True
        person.press(title, fields or None)
        assert person.sees(f"{title.removeprefix('Close ')} is closed"), person.main
        self.pastes_what_is_due()

    def pastes_what_is_due(self) -> None:
        """Paste each post and send each PM to which the page leads."""
        person = self.person
        while "/posts/" in person.path or "/pms/" in person.path:
            if "/posts/" in person.path:
                if "/posts/endgame" in person.path:
                    return
                self.posts("")
            else:
                self.sends_pms()

    def nothing_is_lost(self) -> None:
        """Each message that the page said it recorded is in the log, and what was closed, too."""
        records = [record.entry for record in journal_of(session_of(self.mod.folder))]
        messages = Counter(str(one.text) for one in records if isinstance(one, Submitted))
        for text in self.entered:
            assert messages[text] > 0, (text, sorted(messages))
        closed = Counter(one.window for one in records if isinstance(one, Closed))
        assert closed

    def ends(self, winner: str) -> None:
        """The endgame post, every check, and the archive."""
        text = self.posts("Endgame")
        assert winner in text, text
        for name, role in self.holds.items():
            assert name in text
            assert role in text
        self.checks_everything()

    def ends_on_a_board(self) -> None:
        """The endgame post tells the players; every check, and the archive."""
        if "/posts/endgame" not in self.person.path:
            self.person.press("Today")
            self.person.press("Post the endgame post")
        self.posts("Endgame")
        self.checks_everything()

    def checks_everything(self) -> None:
        """Every check, and the archive; Today says then that nothing is left."""
        person = self.person
        if not person.path.endswith("/end"):
            person.press("End")
        person.press("Check everything")
        assert person.sees("Nothing was changed, and every posted text comes out the same."), person.main
        person.press("For everybody")
        assert person.sees("The archive is written")
        self.nothing_is_lost()


@contextmanager
def hosting(folder: Path, begins: datetime, seed: str) -> Iterator[Hosted]:
    """Somebody is about to host a game, which is dealt by that seed, over a forum on this machine."""
    with same_forum(), moderating(folder, begins) as mod, sitting_at(folder, in_turn(seed, SALT)) as desk:
        yield Hosted(desk, mod)


def knight_errant(game: Hosted) -> None:
    """Knight-Errant with eighteen players: four days and three nights."""
    person, mod = game.person, game.mod
    address = mod.board.open(GAME, "Salt Harbour", NAME, "The ferry leaves in a week.")

    # ── hosting ─────────────────────────────────────────────────────────────────────────────────
    person.press("Host a game")
    person.press("Knight-Errant")
    person.press("Read it", {"Address of the thread": address})
    with person.mistake("a time zone that there is not"):
        person.press("Go on", {"Time zone": "Lisbon"})
        assert person.sees("There is no time zone “Lisbon”")
        assert person.value("Title of the game") == "Salt Harbour"
    person.press("Go on", {"Time zone": "Europe/Lisbon"})
    person.press("Go on")
    with person.mistake("17 of 18 players"):
        person.press("Show what would be made", {"Players": "\n".join(NAMES[:17])})
        assert "17" in person.main
        assert "Sable" not in person.value("Players")
    person.press("Show what would be made", {"Players": "\n".join(NAMES)})
    person.press("Create it and deal to 18 players", twice=True)
    game.knows_the_cards("salt-harbour")
    assert person.sees("Created salt-harbour, for 18 players.")
    evil = [*game.holders("Mafia Goon"), *game.holders("Mafia Bulletproof")]
    assert len(evil) == 3, game.holds
    first, second, armoured = evil
    [watcher], [killer] = game.holders("Mafia Even-Night Watcher"), game.holders("Serial Killer")
    [tracker], [cop] = game.holders("Town Tracker"), game.holders("Town Cop")
    plain = game.holders("Vanilla Townie")

    # ── what comes first: a deadline, the PMs, three posts ──────────────────────────────────────
    if person.can_press("Set the deadline of day 1"):
        person.press("Set the deadline of day 1")
    with person.mistake("a wrong time"):
        person.press("Set the deadline of Day 1", {"Deadline of Day 1": "Blursday 25:00"})
        assert "Blursday 25:00" in person.main
    game.sets_deadline("Day 1", "Thu 8pm", "Thu 12 Nov 2026, 20:00")
    game.tells_role_pms()
    assert "18 players are alive" not in game.posts("This setup")
    game.posts("Rules")
    opening = game.posts("Opening")
    assert "18 players are alive. It takes 10 votes to eliminate." in opening
    assert "Thu 12 Nov 2026, 20:00" in opening

    # ── day 1: fuzzy, edited, deleted votes, one of a stranger ──────────────────────────────────
    game.votes(*plain[:3], target=first)
    fuzzy = game.writes(plain[3], f"[b]Vote: {first}n[/b]")
    gone = game.writes(plain[4], f"[b]Vote: {plain[0]}[/b]")
    edited = game.writes(plain[5], f"[b]Vote: {plain[0]}[/b]")
    unbold = game.writes(tracker, f"vote {first}")
    game.writes("Rook", f"[b]Vote: {plain[0]}[/b]")
    person.press("Read the thread")
    with person.mistake("a vote that was not bold"):
        person.press("Count as written", within=f"#{unbold} {tracker}")
    with person.mistake("a slip in a decision on a fuzzy vote"):
        person.press("Decide", within=f"{first}n")
        person.page.locator("#decide").wait_for()
        person.press("Count for them", {"For": plain[1]}, within="Nickname to learn")
        assert person.sees(f"Post {fuzzy} is decided.")
        person.press("Undo")
        person.press("Undo entry")
    game.mod.board.edit(GAME, edited, f"[b]Vote: {first}[/b]")
    game.mod.board.delete(GAME, gone)
    with person.mistake("an edited and a deleted vote"):
        person.press("Votecount")
        person.press("Read all pages again")
        assert f"({plain[4]}) vanished" in person.main
        assert person.sees("Since you last looked")
        person.press("I have seen this")
    game.counts(game.posts("Votecount 1.1"), {first: [*plain[:4], plain[5], tracker]})
    with person.mistake("closing too early"):
        person.press("Close the day")
        person.press("Read and count")
        assert "still running" in person.main, person.main
        person.press("Votecount")
    game.votes(*plain[6:9], cop, target=first)
    person.press("Read what is new")
    assert person.sees(f"Day 1 is hammered: {first}")
    person.press("Close the day", within="is hammered")
    with person.mistake("a mistyped name"):
        person.press("Close the day", {"Lock the thread": "Fem"})
        assert person.sees("Fem"), person.main
    game.closes_the_day(1, first, "Sat 8pm", "Sat 14 Nov 2026, 20:00")

    # ── night 1: natural words, a near name, two lines of which one is refused ──────────────────
    game.takes_in(killer, f"I'd like to kill {second} tonight please")
    with person.mistake("natural words"):
        if f"They meant: kill {second}" in person.choices(f"Set for {killer}"):
            person.press(f"Set for {killer}")
    game.is_understood(killer, f"kill {second}")
    game.takes_in(second, f"kill {plain[0]}\nroleblock {plain[1]}")
    with person.mistake("two lines, of which one is refused"):
        assert "in part" in game.row(second) or "refused" in game.row(second), game.row(second)
        game.sets(second, f"Leave it at: kill {plain[0]}")
    game.is_understood(second, f"kill {plain[0]}")
    game.takes_in(cop, f"cop {killer[:-1]}")
    with person.mistake("a near name"):
        if f"They meant: cop {killer}" in person.choices(f"Set for {cop}"):
            person.press(f"Set for {cop}")
    game.is_understood(cop, f"cop {killer}")
    person.press("All the others do nothing")
    game.waits_until("2026-11-14 20:01")
    person.page.reload()
    assert person.sees(f"Deaths: {plain[0]}, {second}") or person.sees(f"Deaths: {second}, {plain[0]}")
    game.until.add("Wed 18 Nov 2026, 20:00")
    person.press("Close Night 1", {"Deadline of what comes next": "Wed 8pm"})
    game.dies(second, plain[0])
    game.dawn(game.posts("Dawn"), second, plain[0])
    game.tells_results({cop: killer})

    # ── day 2: a late PM of night 1, a replacement, a hammer that is edited, a modkill ──────────
    with person.mistake("a PM of the night that is read by day"):
        person.press("Night")
        fields = {"From": tracker, "The whole post or PM": f"track {plain[0]}", "Sent": "2026-11-14 19:30"}
        person.press("Record it", fields)
        assert person.sees("Does it count?")
        assert not person.can_press("Posted already, and no longer valid then"), "the dawn reads the same"
        person.press("Leave it out", {"Reason": "it came after the morning"})
        assert person.sees("It is left out.")
        game.until.add("Sat 14 Nov 2026, 19:30")  # the ruling stands in the last post
    with person.mistake("somebody leaves, and somebody comes"):
        here = game.writes(NAME, f"Rook replaces {plain[1]}.")
        person.press("Votecount")
        person.press("Read what is new")
        game.replaces(plain[1], "Rook", here)
        plain[1] = "Rook"
        game.sends_role_pm("Rook")
    with person.mistake("a player has to be removed"):
        removed = plain.pop(2)
        person.press("Players")
        person.press(removed)
        person.press(f"Take {removed} out of the game", {"Reason": "two warnings"})
        game.dies(removed)
        assert game.holds[removed] in game.posts("Removal")
        person.press("Votecount")
    voters = [*plain[1:7], killer, cop]
    game.votes(*voters[:-1], target=armoured)
    hammer = game.writes(voters[-1], f"[b]Vote: {armoured}[/b] edit: no, wait. [b]Unvote[/b]")
    game.mod.board.edit(GAME, hammer, f"[b]Vote: {armoured}[/b] edit: no, wait. [b]Unvote[/b]")
    person.press("Read")
    with person.mistake("a hammer that was edited before it was read"):
        assert person.sees(f"Edited posts with votes, counted as they read now: #{hammer}"), person.main
        person.press("Decide this post", {"Post number": str(hammer)})
        person.press("Count for them", {"For": armoured, "Reason": "it was quoted in time"})
        assert person.sees(f"Post {hammer} is decided.")
    game.counts(game.posts("Votecount 2.1"), {armoured: voters})
    game.closes_the_day(2, armoured, "Sat 8pm", "Sat 21 Nov 2026, 20:00")

    # ── night 2: a second tab, somebody leaves who has sent something, an undo ──────────────────
    victim, other = plain[4], plain[5]
    game.takes_in(killer, f"kill {victim}")
    with person.mistake("a tab that was left open"):
        tab = game.desk.second_tab()
    game.takes_in(watcher, f"Kill {other}.")
    with person.mistake("a tab that was left open"):
        tab.press(f"Set for {tracker}", {f"Set for {tracker}": "They do nothing"})
        assert "Meanwhile: " in tab.main
        assert f"{watcher} sends: Kill {other}." in tab.main
        tab.page.close()
        person.page.reload()
    with person.mistake("a message of somebody who was replaced"):
        game.takes_in(tracker, f"track {killer}")
        assert "settled" in game.row(tracker)
        here = game.writes(NAME, f"Sparrow replaces {tracker}.")
        game.replaces(tracker, "Sparrow", here)
        game.sends_role_pm("Sparrow")
        person.press("Night")
        assert f"{tracker} sent this, who holds the slot no more" in game.row("Sparrow")
        game.sets("Sparrow", f"Leave it at: track {killer}")
        game.is_understood("Sparrow", f"track {killer}")
    game.waits_until("2026-11-21 20:01")
    person.page.reload()
    person.press("Close Night 2", {"Deadline of what comes next": "Wed 8pm"})
    with person.mistake("closed, and taken back"):
        person.press("Undo")
        person.press("Undo entry")
        person.press("Night")
        person.press("Close Night 2", {"Deadline of what comes next": "Wed 8pm"})
    game.until.add("Wed 25 Nov 2026, 20:00")
    game.dies(victim, other)
    game.dawn(game.posts("Dawn"), victim, other)
    with person.mistake("the browser's Back"):
        person.goes_back()
        assert person.sees("Changed since the last one (0 lines)")
        person.press("PMs")
    game.tells_results({"Sparrow": killer})

    # ── day 3, after Knightfall was started again ───────────────────────────────────────────────
    with person.mistake("the machine was restarted"):
        game.desk.starts_again()
        person.press("Salt Harbour")
        person.press("Count the votes")
    voters = [plain[1], plain[3], plain[6], killer, cop, "Sparrow"]
    game.votes(*voters, target=watcher)
    person.press("Read what is new")
    game.closes_the_day(3, watcher, "Sat 8pm", "Sat 28 Nov 2026, 20:00")

    # ── night 3 and day 4 ───────────────────────────────────────────────────────────────────────
    game.takes_in(killer, f"kill {cop}")
    person.press("All the others do nothing")
    game.waits_until("2026-11-28 20:01")
    person.page.reload()
    person.press("Close Night 3", {"Deadline of what comes next": "Wed 8pm"})
    game.until.add("Wed 02 Dec 2026, 20:00")
    game.dies(cop)
    game.dawn(game.posts("Dawn"), cop)
    voters = [one for one in game.living if one != killer][: len(game.living) // 2 + 1]
    game.votes(*voters, target=killer)
    person.press("Read what is new")
    game.closes_the_day(4, killer, "", "")
    game.ends("Town")


SETUP = """2 Goons
1 Roleblocker (mafia)
Copp
1-shot Vig
rest VT"""
"""As moderators write it, with a slip."""


def custom_mafia(game: Hosted) -> None:
    """A setup of one's own with eleven players from a sign-up thread: three days and two nights."""
    person, mod = game.person, game.mod
    signups = mod.board.open(SIGNUPS, "Tin Valley – sign-ups", NAME, "Sign up here: in or out.")

    # ── hosting: the setup as in the post, no game thread yet ───────────────────────────────────
    person.press("Host a game")
    person.press("Custom Mafia")
    person.press("Read it", {"Address of the thread": signups})
    person.press("Go on", {"Title of the game": "Tin Valley", "Time zone": "Europe/Lisbon"})
    with person.mistake("a role that there is not"):
        person.press("Go on", {"Its roles": SETUP})
        assert person.sees("Copp"), person.main
        person.press("Town Cop")
        assert person.sees("2 Goons 2 Mafia Goon")
    person.press("Go on")
    person.press("They still have to sign up")
    person.press("Create it", twice=True)

    # ── sign-ups: one who is not clear, one who thinks better of it ─────────────────────────────
    for name in NAMES[:9]:
        mod.board.post(SIGNUPS, name, "/in")
    mod.board.post(SIGNUPS, "Sable", "in!")
    unclear = mod.board.post(SIGNUPS, NAMES[9], "maybe in?")
    mod.board.post(SIGNUPS, NAMES[10], "I'd love to play")
    mod.board.post(SIGNUPS, "Sable", "/out")
    person.press("Read the sign-ups")
    person.press("Read the sign-up thread")
    with person.mistake("sign-ups that are not clear"):
        while person.can_press("In"):
            person.press("In")
    assert unclear
    person.press("Take them into the game")
    assert person.sees("now lists 11 players"), person.main
    person.press("Deal")
    person.press("Deal and begin the game", twice=True)
    game.knows_the_cards("tin-valley")

    # ── a game thread that was left empty at first ──────────────────────────────────────────────
    if not person.path.endswith("/phases"):
        person.press("Set the deadline of day 1")
    game.sets_deadline("Day 1", "Thu 8pm", "Thu 12 Nov 2026, 20:00")
    address = mod.board.open(GAME, "Tin Valley", NAME, "The lamps go out in a week.")
    if not person.path.endswith("/thread/game"):
        person.press("Name the game thread")
    person.press("Name it", {"Address of the thread": address})
    game.tells_role_pms()
    game.posts("This setup")
    game.posts("Rules")
    opening = game.posts("Opening")
    assert "11 players are alive. It takes 6 votes to eliminate." in opening

    goons, plain = game.holders("Mafia Goon"), game.holders("Vanilla Townie")
    [blocker], [cop] = game.holders("Mafia Roleblocker"), game.holders("Town Cop")
    [shooter] = game.holders("Town 1-Shot Vigilante")

    # ── day 1 is closed early, with a reason for the players ────────────────────────────────────
    game.votes(*plain[:3], cop, target=goons[0])
    gone = game.writes(plain[3], f"[b]Vote: {plain[0][:1]}[/b]")
    person.press("Read the thread")
    game.mod.board.delete(GAME, gone)
    with person.mistake("a vote that is gone"):
        person.press("Read all pages again")
        assert person.sees("vanished"), person.main
        person.press("I have seen this")
    game.counts(game.posts("Votecount 1.1"), {goons[0]: [*plain[:3], cop]})
    with person.mistake("closing too early"):
        person.press("Close the day")
        person.press("Read and count")
        assert person.sees("still running")
    fields: Fields = {"Why it ends before its deadline": "all have said their word", "Tell the players": True}
    person.press("Read and count", fields)
    text = game.closes_the_day(1, goons[0], "Sat 8pm", "Sat 14 Nov 2026, 20:00")
    assert "all have said their word" in text
    assert "at the deadline" not in text, text

    # ── night 1: a dropped order, a row that is set by its list ─────────────────────────────────
    game.takes_in(blocker, f"kill {cop}\nroleblock {shooter}")
    with person.mistake("an order that was dropped"):
        assert "in part" in game.row(blocker) or "refused" in game.row(blocker), game.row(blocker)
        game.sets(blocker, f"Leave it at: roleblock {shooter}")
    game.takes_in(goons[1], f"We kill {plain[1]}")
    with person.mistake("natural words"):
        person.press(f"Set for {goons[1]}")
    game.is_understood(goons[1], f"mafia kill {plain[1]}")
    game.sets(cop, f"cop {goons[1]}")
    game.is_understood(cop, f"cop {goons[1]}")
    person.press("All the others do nothing")
    game.waits_until("2026-11-14 20:01")
    person.page.reload()
    person.press("Close Night 1", {"Deadline of what comes next": "Wed 8pm"})
    game.until.add("Wed 18 Nov 2026, 20:00")
    game.dies(plain[1])
    game.dawn(game.posts("Dawn"), plain[1])
    game.tells_results({cop: goons[1]})

    # ── day 2: nobody has enough votes at the deadline ──────────────────────────────────────────
    game.votes(plain[0], plain[2], target=goons[1])
    game.votes(goons[1], target=plain[0])
    person.press("Read what is new")
    living = [plain[0], plain[2]]
    game.counts(game.posts("Votecount 2.1"), {goons[1]: living, plain[0]: [goons[1]]})
    game.waits_until("2026-11-18 20:01")
    with person.mistake("a vote that came too late"):
        game.writes(cop, f"[b]Vote: {plain[0]}[/b]")
    person.press("Today")
    assert person.sees("Day 2 is over: close the day")
    person.press("Close the day", within="To do")
    person.press("Read and count")
    with person.mistake("no reason for a choice that the rules leave open"):
        fields = {"Lock the thread": goons[1], "Deadline of what comes next": "Sat 8pm"}
        person.press("Close the day", fields)
        print(person.main[:1500])
        assert person.sees("Why do you choose so?")
    why = {"Why do you choose so?": "most votes, as announced"}
    text = game.closes_the_day(2, goons[1], "Sat 8pm", "Sat 21 Nov 2026, 20:00", why)
    assert "most votes, as announced" not in text
    print(text)

    # ── night 2 and day 3 ───────────────────────────────────────────────────────────────────────
    game.takes_in(blocker, f"kill {plain[2]}")
    person.press("All the others do nothing")
    game.waits_until("2026-11-21 20:01")
    person.page.reload()
    person.press("Close Night 2", {"Deadline of what comes next": "Wed 8pm"})
    game.until.add("Wed 25 Nov 2026, 20:00")
    game.dies(plain[2])
    game.dawn(game.posts("Dawn"), plain[2])
    game.votes(plain[0], plain[3], cop, shooter, target=blocker)
    person.press("Read what is new")
    game.closes_the_day(3, blocker, "", "")
    game.ends("Town")


# ── Empowered Mafia ──────────────────────────────────────────────────────────────────────────────


def empowered(game: Hosted) -> None:
    """Empowered Mafia with nine players: the mafia chooses its roles, two days and a night."""
    person, mod = game.person, game.mod
    address = mod.board.open(GAME, "Paper Lanterns", NAME, "The lanterns are lit on Thursday.")
    person.press("Host a game")
    person.press("Empowered")
    person.press("Read it", {"Address of the thread": address})
    person.press("Go on", {"Time zone": "Europe/Lisbon"})
    if person.path.endswith("/setup"):
        person.press("Go on")
    with person.mistake("the same name twice"):
        person.press("Show what would be made", {"Players": "\n".join([*NAMES[:8], NAMES[0]])})
        assert person.sees("lines 1 and 9 name the same player")
    person.press("Show what would be made", {"Players": "\n".join(NAMES[:9])})
    person.press("Create it and deal to 9 players", twice=True)
    game.knows_the_cards("paper-lanterns")
    game.tells_role_pms()
    mafia = game.holders("Mafioso")
    town = [name for name in game.living if name not in mafia]
    game.posts("This setup")
    game.posts("Rules")
    game.posts("Opening")

    # ── the mafia chooses, in natural words ─────────────────────────────────────────────────────
    game.takes_in(mafia[0], "I want to be Ninja!")
    with person.mistake("natural words"):
        person.press(f"Set for {mafia[0]}")
    game.is_understood(mafia[0], "role Ninja")
    game.takes_in(mafia[1], "role Strongman")
    person.press("Close The mafiosi", {"Deadline of what comes next": "Thu 8pm"})
    game.until.add("Thu 12 Nov 2026, 20:00")
    game.holds[mafia[0]], game.holds[mafia[1]] = "Ninja", "Strongman"
    assert "Whoever has the most votes at the deadline is eliminated." in game.posts("Start of the day")
    roles = game.sends_pms()
    assert {name: role for name, role in game.holds.items() if role in roles.get(name, "")} == {
        mafia[0]: "Ninja",
        mafia[1]: "Strongman",
    }
    results = game.sends_pms()
    assert results.keys() == set(mafia)

    # ── day 1: the most votes at the deadline; a hammer that is none ────────────────────────────
    voters = [*town[1:4], *mafia]
    game.votes(*voters, target=town[-1])
    game.votes(town[4], town[-1], target=mafia[0])
    person.press("Read the thread")
    assert not person.sees("is hammered")
    text = game.posts("Votecount 1.1")
    game.counts(text, {town[-1]: voters, mafia[0]: [town[4], town[-1]]})
    assert "HAMMER" not in text
    assert "E-" not in text, text
    game.waits_until("2026-11-12 20:01")
    person.press("Today")
    person.press("Close the day", within="To do")
    person.press("Read and count")
    game.closes_the_day(1, town[-1], "Sat 8pm", "Sat 14 Nov 2026, 20:00")
    print(person.path, person.main[:1500])

    # ── night 1 ─────────────────────────────────────────────────────────────────────────────────
    game.takes_in(mafia[1], f"murder {town[0]}")
    game.is_understood(mafia[1], f"murder {town[0]}")
    game.waits_until("2026-11-14 20:01")
    person.page.reload()
    seen: Fields = {"I have seen this": True, "Deadline of what comes next": "Mon 8pm"}
    person.press("Close Night 1", seen)
    game.until.add("Mon 16 Nov 2026, 20:00")
    game.dies(town[0])
    game.dawn(game.posts("Dawn"), town[0])
    print(person.path, person.main[:1500])

    # ── day 2 ends early, because all agree ─────────────────────────────────────────────────────
    game.votes(*town[1:-1], target=mafia[0])
    person.press("Votecount")
    person.press("Read what is new")
    print(person.path, person.main[:2500])
    person.press("Close the day")
    person.press("Read and count", {"Why it ends before its deadline": "everybody but one agrees"})
    text = game.closes_the_day(2, mafia[0], "", "")
    assert "I ended the day early." in text
    assert "Nobody had enough votes" not in text
    game.ends("Town")


# ── games on a board ─────────────────────────────────────────────────────────────────────────────


def played(kind: str, names: Sequence[str], options: Mapping[str, object], seed: int) -> Playout[Any]:
    """A game as players might play it, with the draws of the page."""
    rules = game_named(kind)
    chance = SeededRng(b"players of %d" % seed)
    given = {**rules.spec.begun_with, **options}
    found = play(rules, tuple(map(SlotId, names)), given, chance, SeededRng(bytes.fromhex(SEED)), 4_000)
    assert found.ended
    return found


def on_a_board(game: Hosted, title: str, playout: Playout[Any], clocks: bool = False) -> None:
    """All that was played is said and closed on the page, with a line that is refused, a line that is taken
    back, and a restart in between."""
    person, folder = game.person, title.lower().replace(" ", "-")
    game.mod.folder, game.sets_deadlines = game.desk.folder / folder, False
    journal, slips, said = playout.journal[1:], 0, 0
    for record in journal:
        if clocks and record.at > game.mod.clock.now():
            game.mod.turns_to(record.at)
        entry = record.entry
        if isinstance(entry, Submitted):
            who = str(entry.slot or "")
            if slips == 0 and who:
                slips += 1
                with person.mistake("a line that nobody can play"):
                    game.plays(who, "dance with the quiet one")
                    assert person.sees("refused"), person.main
            game.plays(who, str(entry.text))
            said += 1
            if said == 2:
                with person.mistake("a line that was typed for the wrong player"):
                    person.press("Undo")
                    person.press("Undo entry")
                    game.plays(who, str(entry.text))
            if said == 4:
                with person.mistake("the machine was restarted"):
                    game.desk.starts_again()
                    person.press(title)
        elif isinstance(entry, Closed):
            game.closes(entry.window)


def kings_court(game: Hosted) -> None:
    """King's Court with eleven players."""
    person, mod = game.person, game.mod
    address = mod.board.open(GAME, "Tin Court", NAME, "The court gathers.")
    person.press("Host a game")
    person.press("King's Court")
    person.press("Read it", {"Address of the thread": address})
    person.press("Go on", {"Time zone": "Europe/Lisbon"})
    if person.path.endswith("/setup"):
        person.press("Go on")
    person.press("Show what would be made", {"Players": "\n".join(NAMES[:11])})
    person.press("Create it and deal to 11 players", twice=True)
    game.mod.folder, game.sets_deadlines = game.desk.folder / "tin-court", False
    game.pastes_what_is_due()
    print(person.path, person.main[:800])
    on_a_board(game, "Tin Court", played("kings_court", NAMES[:11], {}, 24))
    game.ends_on_a_board()


def knight_fight(game: Hosted, with_anomalies: bool = False) -> None:
    """Knight Fight between two players."""
    person, mod = game.person, game.mod
    address = mod.board.open(GAME, "Tin Bout", NAME, "Two knights meet.")
    person.press("Host a game")
    person.press("Knight Fight")
    person.press("Read it", {"Address of the thread": address})
    person.press("Go on", {"Time zone": "Europe/Lisbon"})
    if with_anomalies:
        person.press("Go on", {"Airdrop": True, "Bidding": True})
    else:
        person.press("Go on")
    with person.mistake("a seat that nobody has"):
        person.press("Show what would be made", {"Deathmatch Opponent": "Ada"})
        assert person.sees("Who is the Elimination Candidate?"), person.main
    person.press("Show what would be made", {"Elimination Candidate": "Boro"})
    person.press("Create it", twice=True)
    game.mod.folder, game.sets_deadlines = game.desk.folder / "tin-bout", False
    print(person.path, person.main[:1500])
    game.pastes_what_is_due()
    options = {"anomalies": "A+B"} if with_anomalies else {}
    on_a_board(game, "Tin Bout", played("knight_fight", NAMES[:2], options, 18), clocks=True)
    game.ends_on_a_board()


def knight_fight_with_anomalies(game: Hosted) -> None:
    """The same with two anomalies in force."""
    knight_fight(game, with_anomalies=True)


def knights_duty(game: Hosted) -> None:
    """Knight's Duty with three players."""
    person, mod = game.person, game.mod
    address = mod.board.open(GAME, "Tin Duty", NAME, "Three knights ride out.")
    person.press("Host a game")
    person.press("Knight's Duty")
    person.press("Read it", {"Address of the thread": address})
    person.press("Go on", {"Time zone": "Europe/Lisbon"})
    if person.path.endswith("/setup"):
        person.press("Go on")
    person.press("Show what would be made", {"Players": "\n".join(NAMES[:3])})
    person.press("Create it", twice=True)
    game.mod.folder, game.sets_deadlines = game.desk.folder / "tin-duty", False
    print(person.path, person.main[:800])
    game.pastes_what_is_due()
    on_a_board(game, "Tin Duty", played("knights_duty", NAMES[:3], {}, 3))
    game.ends_on_a_board()
