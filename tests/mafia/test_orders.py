"""Names in orders, plans that stand or fall whole, and what a refusal may tell."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from growth import LINEAR, growth
from knightfall.engine.game import Message, Refusal
from knightfall.engine.rng import SeededRng
from knightfall.games.knight_errant import KNIGHT_ERRANT, Phase, State, parse_options
from knightfall.mafia.night import Action
from knightfall.mafia.orders import Reading, parse_carried, parse_targets, whole
from knightfall.sentence import SlotId
from salt_harbour import CAST
from tin_valley import NOON, at


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Ada", ("Ada",)),
        ("ada,boro ,  elm", ("Ada", "Boro", "Elm")),
        ("Ada and Boro & Elm + Fen", ("Ada", "Boro", "Elm", "Fen")),
        ("Ada, Boro, and Elm", ("Ada", "Boro", "Elm")),
    ],
)
def test_names_are_read_in_a_row(written: str, names: tuple[str, ...]) -> None:
    assert parse_targets(at(), written, {}) == names


@pytest.mark.parametrize("written", ["", "Ada,", "Ada and", "Ada Boro", "Ada, Wren"])
def test_a_name_that_is_nobodys_is_refused(written: str) -> None:
    assert isinstance(parse_targets(at(), written, {}), Refusal)


@pytest.mark.parametrize(
    "line",
    [
        lambda size: "Ada," * size,
        lambda size: "Ada by " * size + "Elm",
        lambda size: " " * size + "x",
        lambda size: "a and " * size,
    ],
    ids=["commas", "deliverers", "blanks", "ands"],
)
def test_a_line_takes_as_long_to_read_as_it_is(line: Callable[[int], str]) -> None:
    def read(size: int) -> None:
        assert isinstance(parse_targets(at(), line(size), {}), tuple | Refusal)
        assert not isinstance(parse_carried(at(), SlotId("Elm"), line(size), {}), tuple)

    assert growth(read, 1_000) < LINEAR


def test_a_plan_falls_with_one_of_its_lines() -> None:
    good = Reading("a", Action(SlotId("Ada"), "empower", (SlotId("Boro"),)))
    bad = Reading("b", Refusal("BAD_ARGS", "no"))
    assert whole((good, good)) == (good, good)
    refused = whole((good, bad))
    codes = [reading.wanted.code for reading in refused if isinstance(reading.wanted, Refusal)]
    assert codes == ["PLAN_REFUSED", "BAD_ARGS"]
    assert len(refused) == len(codes)


def test_a_townsman_cannot_find_the_mafia_by_naming_carriers() -> None:
    """In Knight-Errant, too, the refusal is the same whoever is named."""
    rules = parse_options({})
    cards = {SlotId(name): rules.roles[role] for name, role in CAST.items()}
    state = State("", rules, cards, Phase.NIGHT, 2)
    answers = {
        tuple(refusal.code for _, refusal in KNIGHT_ERRANT.submit(state, message, SeededRng(b"")).refused)
        for name in CAST
        if name not in ("Ada", "Quill")
        for message in [Message(SlotId("Ada"), f"mafia kill Quill by {name}", NOON)]
    }
    assert len(answers) == 1
