"""Games whose moderator vanishes without a hand-over: another one takes them in from the thread and a list of
roles, and plays them to their end."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from knightfall.engine.playout import START
from playthroughs.moderator import Moderator, Said, moderating
from playthroughs.test_other_weeks import GAME, MILL, begins, closes, day, vote


@pytest.fixture
def mod(tmp_path: Path) -> Iterator[Moderator]:
    """A moderator on the last day of the year, with nothing to do yet."""
    with moderating(tmp_path, START - timedelta(days=1)) as found:
        yield found


def listed_roles(cards: Mapping[str, str]) -> str:
    """The roles as a moderator lists them in their topic."""
    sides: dict[str, list[str]] = {}
    for name, card in cards.items():
        sides.setdefault("Mafia" if card.startswith("Mafia") else "Town", []).append(f"{name} – {card}")
    return "\n".join(f"[b]{side}[/b]\n" + "\n".join(lines) for side, lines in sides.items())


def vanishes(mod: Moderator, *words: str, status: int = 0) -> tuple[Mapping[str, str], Said]:
    """The folder is gone; what is left is the thread, and a list of roles in the moderators' topic."""
    cards = dict(mod.cards())
    url = mod.board.url(GAME)
    shutil.rmtree(mod.folder)
    (mod.desk / "roles.txt").write_text(listed_roles(cards), encoding="utf-8")
    mod.folder = mod.desk
    found = mod.types(
        f"adopt {url} --roles roles.txt --moderator Wren --site phpbb --allow-private-host",
        *words,
        status=status,
    )
    if (mod.desk / "heir").exists():
        mod.folder = mod.desk / "heir"
    return cards, found


def at_night(mod: Moderator) -> list[str]:
    """A custom game behind its first day, with nobody eliminated: its goon, cop, doctor and townies."""
    (mod.desk / "mill.toml").write_text(MILL, encoding="utf-8")
    begins(mod, "custom-mafia", 7, "--setup", "../mill.toml")
    [goon], [cop], [doctor] = map(mod.holders, ("Mafia Goon", "Town Cop", "Town Doctor"))
    plain = mod.holders("Vanilla Townie")
    until = day(mod, 1)
    vote(mod, plain[0], [goon, cop, doctor])
    vote(mod, goon, plain[:2])
    mod.turns_to(until - timedelta(hours=1))
    vote(mod, plain[3], [plain[0]])
    mod.turns_to(until)
    closes(mod, "No Elimination")
    return [goon, cop, doctor, *plain]


@pytest.mark.long
def test_a_night_goes_on(mod: Moderator) -> None:
    goon, cop, doctor, *plain = at_night(mod)
    _, found = vanishes(mod, "--out", "heir")
    assert "Night 1, 7 of 7 players live" in found.out
    assert "Not sure" not in found.out
    log = mod.types("log").out
    assert "(adopted)" in log
    assert "7 roles were told, none dealt" in " ".join(log.split())
    mod.types(f"submit {goon} kill {plain[0]}")
    mod.types(f"submit {doctor} heal {plain[1]}")
    mod.types(f"submit {cop} cop {goon}")
    mod.types("commit night --yes")
    mod.types("pm results --copy-next")
    assert "Guilty" in mod.pasted[-1]
    dawn = mod.types("post dawn --copy --posted")
    assert f"{plain[0]}" in dawn.out
    assert "6 players are alive" in dawn.out
    mod.posts(GAME, mod.pasted[-1])
    day(mod, 2)
    vote(mod, goon, [cop, *plain[1:]])
    assert "HAMMER" in mod.types("vc").out
    assert "Mafia Goon" in closes(mod, goon)
    told = mod.types("post endgame --copy --posted").out
    assert "were told when it was taken over" in told
    assert "opening post" not in told.partition("taken over")[2].partition("Commitment")[0]
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []
    verified = mod.types("verify").out
    assert "All hashes are valid." in verified
    assert "missing" not in verified
    mod.types("archive --public")
    mod.types("passport --out ../passport.json")


@pytest.mark.long
def test_a_day_goes_on_with_its_dead_and_its_newcomers(mod: Moderator) -> None:
    goon, cop, doctor, *plain = at_night(mod)
    mod.types(f"submit {goon} kill {doctor}")
    mod.types("commit night --yes")
    mod.types("post dawn --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    day(mod, 2)
    vote(mod, goon, [cop])
    swapped = mod.types(f"replace {plain[0]} Hollis --at {len(mod.board.topics[GAME].posts) + 1}")
    mod.posts(GAME, swapped.out)
    vote(mod, goon, ["Hollis"])
    _, found = vanishes(mod, "--out", "heir", "--until", "2d")
    assert "Day 2, 6 of 7 players live" in found.out
    assert "killed, night 1" in found.out
    status = mod.types("status").out
    assert f"{doctor} (killed, night 1)" in " ".join(status.split())
    assert "Hollis" in status
    assert f"{goon} (2)" in mod.types("vc").out
    vote(mod, goon, [plain[1], plain[2]])
    assert "HAMMER" in mod.types("vc").out
    assert "Mafia Goon" in closes(mod, goon)
    assert "All hashes are valid." in mod.types("verify").out


def test_what_is_not_sure_is_asked(mod: Moderator) -> None:
    at_night(mod)
    cards, _ = vanishes(mod)
    (mod.desk / "roles.txt").write_text("\n".join(f"{n}: {c}" for n, c in [*cards.items()][1:]))
    url = mod.board.url(GAME)
    asked = mod.types(
        f"adopt {url} --roles roles.txt --game custom-mafia --out heir --allow-private-host", status=3
    )
    assert "The role list does not name" in asked.out
    assert not (mod.desk / "heir").exists()
