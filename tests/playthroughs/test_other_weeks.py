"""Shorter weeks: each of the other games from its sign-ups to the proof of its deal, at the command line."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from knightfall.engine.entries import Closed, Submitted
from knightfall.engine.journal import Journal
from knightfall.engine.playout import START, play
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId
from knightfall.services.games import game_named
from playthroughs.moderator import Moderator, moderating

SEED, SALT = "5a" * 32, "c3" * 32
SIGNUPS, GAME, ROOM = 71, 72, 80
KEY = "a-key-of-tin"
NAMES = ["Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Gale", "Hollis", "Iris", "Juniper", "Kestrel"]
MILL = """schema = 1
name = "Copper Mill"
[[slots]]
role = "Mafia Goon"
[[slots]]
role = "Town Cop"
[[slots]]
role = "Town Doctor"
[[slots]]
role = "Vanilla Townie"
fill = true
"""


@pytest.fixture
def mod(tmp_path: Path) -> Iterator[Moderator]:
    """A moderator on the last day of the year, with nothing to do yet."""
    with moderating(tmp_path, START - timedelta(days=1)) as found:
        yield found


def begins(mod: Moderator, game: str, players: int, *dealing: str) -> None:
    """Sign-ups, the deal, the role PMs, the first posts."""
    signups = mod.board.open(SIGNUPS, "Tin Fair – sign-ups", "Wren", "Who plays?")
    thread = mod.board.open(GAME, "Tin Fair", "Wren", "Soon.")
    for name in NAMES[:players]:
        mod.board.post(SIGNUPS, name, "/in")
    mod.types(
        f"new {game} --site phpbb --moderator Wren --thread signup={signups} --thread game={thread} --title",
        "Tin Fair",
    )
    mod.folder = mod.desk / "tin-fair"
    mod.types("signup read --write")
    mod.types(f"deal --seed {SEED} --salt {SALT}", *dealing)
    if any("role_pm" in file.name for file in (mod.folder / "private").iterdir()):
        mod.types("pm roles --copy-next")
        mod.types("pm mark confirmed", *NAMES[:players])
    mod.types("post opening --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []


def ends(mod: Moderator, *, whole: bool = True) -> None:
    """The endgame post, and what everybody can check; `whole`: the one seed of all chance is told."""
    told = mod.types("post endgame --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    assert (SEED in told.out) == whole
    mod.proves_the_deal(GAME)
    assert mod.given_away() == []
    assert "All hashes are valid." in mod.types("verify").out
    mod.types("post archive")


def day(mod: Moderator, number: int, hours: int = 48) -> datetime:
    """Opens a day that ends in so many hours, with its post; returns its deadline."""
    until = (mod.clock.now() + timedelta(hours=hours)).replace(minute=0, second=0)
    mod.types(f"phase open day {number} --ends", f"{until:%Y-%m-%d %H:%M}")
    mod.types("post day-start --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    return until


def vote(mod: Moderator, name: str, voters: list[str]) -> None:
    for voter in voters:
        mod.board.post(GAME, voter, f"[b]Vote: {name}[/b]")


def closes(mod: Moderator, name: str) -> str:
    """Closes the day, and posts its end."""
    mod.types("phase close", answers=f"{name}\nas the rules let me\n")
    ended = mod.types("post end-of-day --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []
    return ended.out


@pytest.mark.long
def test_a_setup_of_ones_own(mod: Moderator) -> None:
    """A day without a majority, a doctor's night, a modkill that lowers the threshold, a hammer."""
    (mod.desk / "mill.toml").write_text(MILL, encoding="utf-8")
    begins(mod, "custom-mafia", 7, "--setup", "../mill.toml")
    [goon], [cop], [doctor] = map(mod.holders, ("Mafia Goon", "Town Cop", "Town Doctor"))
    plain = mod.holders("Vanilla Townie")
    until = day(mod, 1)
    vote(mod, plain[0], [goon, cop, doctor])
    mod.turns_to(until)
    assert "Nobody is eliminated" in closes(mod, "No Elimination")
    mod.types(f"submit {goon} kill {plain[0]}")
    mod.types(f"submit {doctor} heal {plain[0]}")
    mod.types(f"submit {cop} cop {goon}")
    assert "Nobody is missing" in mod.types("missing").out
    mod.types("commit night --yes")
    assert "→ " in mod.types("pm results --copy-next").out
    dawn = mod.types("post dawn --copy --posted")
    assert "7 players are alive" in dawn.out
    mod.posts(GAME, mod.pasted[-1])
    day(mod, 2)
    vote(mod, goon, [cop, plain[0], plain[1]])
    here = len(mod.board.topics[GAME].posts) + 1
    assert f"{goon} (3)" in mod.types("vc").out
    gone = mod.types(f"modkill {plain[3]} --at {here} --why", "quoted a PM")
    assert "quoted" not in gone.out
    mod.posts(GAME, gone.out)
    vote(mod, goon, [plain[2]])
    assert "HAMMER" in mod.types("vc").out
    assert "Mafia Goon" in closes(mod, goon)
    ends(mod)


@pytest.mark.long
def test_empowered_mafia(mod: Moderator) -> None:
    """The mafiosi choose, a plurality falls short, plans are made, one of them is voted out."""
    begins(mod, "empowered", 7)
    mafia = mod.holders("Mafioso")
    town = [name for name in mod.cards() if name not in mafia]
    early = mod.types("commit choosing --yes", status=3)
    assert "no role chosen yet by" in early.err
    mod.types(f"submit {mafia[0]} role Ninja")
    mod.types(f"submit {mafia[1]} role Strongman")
    mod.types("commit choosing --yes")
    until = day(mod, 1)
    vote(mod, town[0], mafia)
    vote(mod, "No Elimination", town[:2])
    mod.turns_to(until)
    assert "obody is eliminated." in closes(mod, "No Elimination")
    mod.types(f"submit {mafia[0]} murder {town[0]}")
    mod.types("commit night --yes")
    mod.types("post dawn --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    until = day(mod, 2)
    vote(mod, mafia[0], town[1:4])
    vote(mod, town[1], mafia)
    mod.turns_to(until)
    assert mafia[0] in closes(mod, mafia[0])
    ends(mod)


def played(game: str, players: int, seed: int) -> Journal:
    """A game as players might play it on these cards."""
    slots = tuple(map(SlotId, NAMES[:players]))
    chance = SeededRng(b"players of %d" % seed)
    rules = game_named(game)
    found = play(rules, slots, rules.spec.begun_with, chance, SeededRng(bytes.fromhex(SEED)))
    assert found.ended
    return found.journal[1:]


def types_out(mod: Moderator, journal: Journal, submits: Callable[[Submitted], None]) -> None:
    """Every message comes in as it was sent, every window is closed when it was."""
    for record in journal:
        if record.at > mod.clock.now():
            mod.turns_to(record.at)
        if isinstance(record.entry, Submitted):
            submits(record.entry)
        elif isinstance(record.entry, Closed):
            mod.types(f"commit {record.entry.window} --yes --why", "all have played")
    assert mod.given_away() == []


def typed(mod: Moderator) -> Callable[[Submitted], None]:
    return lambda entry: void(mod.types(f"submit {entry.slot or 'moderator'}", entry.text))


def void(_: object) -> None:
    """What was printed does not matter here."""


@pytest.mark.long
def test_kings_court(mod: Moderator) -> None:
    """The ballots of the first round come by a form, the others are typed."""
    begins(mod, "kings-court", 11)
    journal = played("kings_court", 11, 25)
    first = next(n for n, record in enumerate(journal) if isinstance(record.entry, Closed))
    ballots = [(r.entry.slot, r.entry.text) for r in journal[:first] if isinstance(r.entry, Submitted)]
    with (mod.desk / "form.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("Player", "Ballot"), *ballots])
    assert "Boro" in mod.types("submit --dry-run --from-form ../form.csv --text-column Ballot").err
    mod.types("submit --from-form ../form.csv --text-column Ballot")
    types_out(mod, journal[first:], typed(mod))
    ends(mod, whole=False)


@pytest.mark.long
def test_knights_duty(mod: Moderator) -> None:
    """Two knights, each with a thread that nobody else can read."""
    begins(mod, "knights-duty", 2)
    rooms = {name: ROOM + number for number, name in enumerate(NAMES[:2])}
    threads = ""
    for name, topic in rooms.items():
        url = mod.board.open(topic, f"Plans of {name}", "Wren", "Your plans, please.", KEY)
        threads += f'\n[[thread]]\nrole = "private"\nurl = "{url}"\nmembers = ["{name}"]\n'
    mod.writes("game.toml", mod.file("game.toml") + threads)
    ticket = mod.board.ticket(mod.desk / "cookies.txt", KEY)

    def in_private(entry: Submitted) -> None:
        mod.board.post(rooms[str(entry.slot)], str(entry.slot), entry.text, at=mod.clock.now())
        if entry.slot == NAMES[1]:
            mod.types(f"submit --threads --cookies {ticket}")

    types_out(mod, played("knights_duty", 2, 0), in_private)
    ends(mod)


@pytest.mark.long
def test_knight_fight(mod: Moderator) -> None:
    """Moves in the thread, typed in by the moderator."""
    begins(mod, "knight-fight", 2)
    types_out(mod, played("knight_fight", 2, 41), typed(mod))
    ends(mod)
