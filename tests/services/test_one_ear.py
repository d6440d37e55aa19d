"""Messages in somebody's own words: what is refused is offered as what it may mean, and no order is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from begun import begin
from knightfall.engine.likely_lines import likely_lines, lost_lines
from knightfall.services.game.new import deal_game
from knightfall.services.machine import session_of
from knightfall.services.requests import DealRequest, NewGameRequest
from knightfall.services.window import turns
from knightfall.services.window.message_table import MessageRow, message_table
from web.hands import FormHand, form_hand
from web.served import served

VERBS = ("investigate", "protect", "kill")
WHO = ("Sable", "Tamsin", "Odo")


def takes(line: str) -> bool:
    """A game whose lines are a verb and a name."""
    verb, _, name = line.partition(" ")
    return verb.lower() in VERBS and name in WHO


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I'd like to investigate Sable tonight please", ("investigate Sable",)),
        ("I'll protect Tamsin", ("protect Tamsin",)),
        ("We kill Tam", ("kill Tamsin",)),
        ("Investigate sabel!", ("Investigate Sable",)),
        ("my choice: kill Odo, thank you very much", ("kill Odo",)),
        ("I won't kill Odo", ()),
        ("not Sable, investigate Odo instead", ()),
        ("kill", ()),
        ("Good night everybody", ()),
        ("", ()),
    ],
)
def test_what_was_likely_meant(said: str, meant: tuple[str, ...]) -> None:
    assert likely_lines(said, WHO, takes) == meant


def test_two_names_that_are_as_near_are_both_offered_and_many_are_not() -> None:
    two = ("Karina", "Karine")
    assert set(likely_lines("kill Karin", two, lambda line: line[5:] in two)) == {
        "kill Karina",
        "kill Karine",
    }
    many = [f"Karin{letter}" for letter in "abcd"]
    assert likely_lines("kill Karin", many, lambda line: line[5:] in many) == ()


def test_nothing_stalls_the_search() -> None:
    asked: list[str] = []

    def never(line: str) -> bool:
        asked.append(line)
        return False

    likely_lines("kill Odo " * 5_000, WHO, never)
    likely_lines("kill Odo " * 8, WHO * 30, never)
    assert len(asked) < 500


def test_the_line_that_does_not_stand_is_the_one_that_is_least_like_those_that_do() -> None:
    assert lost_lines(("kill Tamsin", "roleblock Odo"), ("roleblock Odo",)) == ("kill Tamsin",)
    assert lost_lines(("kill Tamsin",), ()) == ("kill Tamsin",)
    assert lost_lines(("roleblock od",), ("roleblock Odo",)) == ()


NAMES = ("Sable", "Tamsin", "Odo", "Fen", "Gale", "Hollis", "Iris")
ROLES = ("Mafia Goon", "Mafia Roleblocker", "Town Cop")


@pytest.fixture
def night(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A game at its first night; who holds each role."""
    folder = tmp_path / "lane"
    begin(NewGameRequest("custom_mafia", (), folder, b"", b"", "Salt Lane", site="phpbb"), session_of(folder))
    (tmp_path / "setup.toml").write_text(
        'schema = 1\nname = "Seven"\n'
        + "".join(f'[[slots]]\nrole = "{role}"\n' for role in ROLES)
        + '[[slots]]\nrole = "Vanilla Townie"\nfill = true\n',
        encoding="utf-8",
    )
    deal = DealRequest(b"s" * 32, b"t" * 32, players=NAMES, setup=str(tmp_path / "setup.toml"))
    deal_game(deal, session_of(folder))
    turns.submit("moderator", "no elimination", None, session_of(folder))
    turns.close("day", None, session_of(folder))
    cards = json.loads((folder / "private" / "deal.json").read_text(encoding="utf-8"))["cards"]
    return folder, {card: name for name, card in cards.items()}


def row_of(folder: Path, name: str) -> MessageRow:
    [window] = message_table(session_of(folder)).windows
    return next(row for row in window.rows if row.name == name)


def test_an_order_that_another_line_of_its_message_took_the_place_of_is_told(
    night: tuple[Path, dict[str, str]],
) -> None:
    folder, holds = night
    blocker = holds["Mafia Roleblocker"]
    others = [name for name in NAMES if name not in (blocker, holds["Mafia Goon"])]
    turns.submit(blocker, f"kill {others[0]}\nroleblock {others[1]}", None, session_of(folder))
    row = row_of(folder, blocker)
    assert len(row.standing) + len(row.lost) == 2
    assert row.settled is (not row.lost)
    assert row.lost == (f"kill {others[0]}",)


def test_orders_that_stand_are_settled(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    goon, cop = holds["Mafia Goon"], holds["Town Cop"]
    target = next(name for name in NAMES if name not in (goon, cop, holds["Mafia Roleblocker"]))
    turns.submit(goon, f"kill {target[:3]}", None, session_of(folder))
    turns.submit(cop, "no action", None, session_of(folder))
    for name in (goon, cop):
        row = row_of(folder, name)
        assert row.settled, row
        assert row.lost == ()


def test_a_refused_line_is_set_right_by_one_click(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    cop = holds["Town Cop"]
    target = next(name for name in NAMES if name != cop)
    turns.submit(cop, f"I'd like to investigate {target} tonight please", None, session_of(folder))
    hand: FormHand = form_hand(served(folder.parent))
    hand.go("/games/lane/night")
    assert "✗ refused" in hand.text
    hand.press(f"They meant: investigate {target}")
    assert row_of(folder, cop).standing == (f"cop {target}",)
    assert row_of(folder, cop).settled
