"""Setups of a moderator's own: what they say, what is drawn, and how a wrong one is refused."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from knightfall.engine.entries import Started, decode, encode
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import PLAYERS, Setup, vanilla
from knightfall.games.custom_mafia.setup import deal, parse_setup
from knightfall.sentence import SlotId
from salt_harbour import NAMES

GOON, REST = {"role": "Mafia Goon"}, {"role": "Vanilla Townie", "fill": True}
MATRIX = {
    "schema": 1,
    "name": "Tide Tables",
    "starts": "night",
    "options": {"doctor_saves": "all"},
    "wins": {"mafia": "majority"},
    "slots": [
        {"role": "Mafia Goon", "count": 2},
        {"one_of": ["Town Cop", "Town Gunsmith"]},
        {"pick": 2, "from": ["Town Tracker", "Town Watcher", "1-Shot Vigilante"]},
        REST,
    ],
    "row": [{"roles": ["Bodyguard", "Mafia Roleblocker"]}, {"roles": ["Town Doctor", "Mafia Goon"]}],
    "columns": True,
}


def cards(setup: object, players: int = 10, seed: bytes = b"one") -> Counter[str]:
    state = deal(NAMES[:players], {"setup": setup}, SeededRng(seed))
    return Counter(role.name for role in state.cards.values())


def test_a_setup_says_its_cards_its_beginning_and_its_options() -> None:
    setup = parse_setup(MATRIX)
    assert (setup.name, setup.night_first, setup.shown) == ("Tide Tables", True, True)
    assert setup.given == {"doctor_saves": "all", "mafia_wins": "majority"}
    assert [(len(line.roles), line.count, line.pick) for line in setup.lines] == [
        (1, 2, False),
        (2, 1, False),
        (3, 2, True),
        (1, None, False),
    ]
    assert (setup.least, setup.filled) == (7, True)
    assert list(setup.tickets) == ["row 1", "row 2", "column 1", "column 2"]
    assert [role.name for role in setup.tickets.group("column 2").roles] == [
        "Mafia Roleblocker",
        "Mafia Goon",
    ]


def test_what_is_not_fixed_is_drawn_and_every_draw_has_a_label() -> None:
    script: list[tuple[str, object]] = [
        ("cm.slots:2", ["Town Gunsmith"]),
        ("cm.slots:3", ["Town Watcher", "Town 1-Shot Vigilante"]),
        ("cm.row", "row 2"),
        ("cm.cards", list(NAMES[:9])),
    ]
    draw = ScriptedRng(script, SeededRng(b""))
    state = deal(NAMES[:9], {"setup": MATRIX}, draw)
    assert draw.unused == ()
    assert [role.name for role in state.cards.values()] == [
        "Mafia Goon",
        "Mafia Goon",
        "Town Gunsmith",
        "Town Watcher",
        "Town 1-Shot Vigilante",
        "Vanilla Townie",
        "Vanilla Townie",
        "Town Doctor",
        "Mafia Goon",
    ]
    assert (state.code, state.rules["doctor_saves"]) == ("Tide Tables, row 2", "all")
    assert (state.phase, state.number, state.clock) == ("night", 1, 1)


@pytest.mark.parametrize("seed", range(6))
def test_a_pick_takes_nothing_twice_and_the_rest_is_filled(seed: int) -> None:
    dealt = cards(MATRIX, 12, b"%d" % seed)
    assert sum(dealt.values()) == 12
    assert sum(dealt[name] for name in ("Town Cop", "Town Gunsmith")) == 1
    picked = [dealt[name] for name in ("Town Tracker", "Town Watcher", "Town 1-Shot Vigilante")]
    assert sorted(picked) == [0, 1, 1]
    assert dealt["Vanilla Townie"] == 5


def test_several_of_one_of_are_drawn_each_by_itself() -> None:
    setup = {"slots": [GOON, {"one_of": ["Town Cop", "Town Doctor"], "count": 5}]}
    drawn = [cards(setup, 6, b"%d" % seed)["Town Cop"] for seed in range(20)]
    assert len(set(drawn)) > 2


def test_the_options_of_the_game_go_before_those_of_the_setup() -> None:
    state = deal(NAMES[:10], {"setup": MATRIX, "doctor_saves": "one"}, SeededRng(b""))
    assert (state.rules["doctor_saves"], state.rules["mafia_wins"]) == ("one", "majority")


@pytest.mark.few(14)
@pytest.mark.parametrize("players", PLAYERS)
def test_without_a_setup_a_quarter_is_mafia_and_nobody_has_a_power(players: int) -> None:
    names = [SlotId(f"P{number}") for number in range(players)]
    state = deal(names, {}, SeededRng(b""))
    dealt = Counter(role.name for role in state.cards.values())
    assert dealt == {
        "Mafia Goon": max(1, round(players / 4)),
        "Vanilla Townie": players - max(1, round(players / 4)),
    }
    assert vanilla(players).name == state.code == "Vanilla"


@pytest.mark.parametrize(
    ("lines", "groups"),
    [
        ([{"role": "Town Lover", "count": 3}], [3]),
        ([{"pick": 2, "from": ["Mafia Lover", "Town Lover"]}], [2]),
        ([{"role": "Town Cop", "count": 3, "lovers": 2}], [2]),
        ([{"role": "Town Lover", "count": 2}, {"role": "Town Lover", "count": 2}], [2, 2]),
        ([{"one_of": ["Town Lover"], "count": 2}, {"role": "Town Cop"}], [2]),
        ([{"role": "Town Cop"}], []),
    ],
)
def test_the_lovers_of_one_table_love_each_other(lines: list[Any], groups: list[int]) -> None:
    state = deal(NAMES[:10], {"setup": {"slots": [GOON, *lines, REST]}}, SeededRng(b"love"))
    assert sorted(map(len, state.rules.lovers)) == groups


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"slot": []}, "setup: unknown key “slot”; did you mean “slots”?"),
        ({"schema": 2}, "setup.schema: found 2, expected 1."),
        ({"schema": True}, "setup.schema: found True, expected 1."),
        ({"name": "two\nlines"}, "setup.name: found 'two\\nlines', expected a name in one line"),
        ({"starts": "dusk"}, 'setup.starts: found \'dusk\', expected "day" or "night".'),
        ({"reveal_setup": "no"}, "setup.reveal_setup: found 'no', expected true or false."),
        ({"slots": "Goon"}, "setup.slots: found 'Goon', expected tables: [[slots]]."),
        ({"slots": [{}]}, "setup.slots[1]: found none of them, expected one of: role, one_of, or pick"),
        ({"slots": [GOON, {"role": "Town Kop"}]}, "setup.slots[2].role: "),
        ({"slots": [{"role": 3}]}, "setup.slots[1].role: found 3, expected a role in words"),
        ({"slots": [{"role": "Goon", "counts": 2}]}, "setup.slots[1]: unknown key “counts”; did you mean"),
        ({"slots": [{"role": "Goon", "count": 0}]}, "setup.slots[1].count: found 0, expected a whole number"),
        (
            {"slots": [{"role": "Goon", "count": "two"}]},
            "setup.slots[1].count: found 'two', expected a whole",
        ),
        ({"slots": [{"role": "Goon", "one_of": ["Cop"]}]}, "setup.slots[1]: found role and one_of, expected"),
        ({"slots": [{"one_of": []}]}, "setup.slots[1].one_of: found [], expected a list of 1 to 60 roles"),
        ({"slots": [{"from": ["Cop"]}]}, "setup.slots[1]: pick and from belong together"),
        ({"slots": [{"pick": 2, "from": ["Cop"]}]}, "setup.slots[1].pick: found 2, expected a whole number"),
        ({"slots": [{"pick": 1, "from": ["Cop"], "count": 1}]}, "setup.slots[1].count: found beside pick"),
        ({"slots": [GOON, REST, REST]}, "setup.slots: found fill = true twice"),
        ({"slots": [{"role": "Cop", "fill": True, "count": 2}]}, "setup.slots[1].count: found beside fill"),
        ({"slots": [{"role": "Cop", "fill": True, "lovers": 2}]}, "setup.slots[1].fill: found beside lovers"),
        ({"slots": [GOON]}, "setup.slots: found 1 cards in all, expected 3 to 60."),
        ({"slots": [{"role": "Goon", "count": 60}, GOON]}, "setup.slots: found 61 cards in all"),
        ({"slots": [{"role": "Town Cop", "count": 5}]}, "setup.slots: found neither mafia nor Serial Killer"),
        ({"slots": [{"role": "Town Lover"}]}, "setup.slots[1].role: found one Town Lover alone"),
        (
            {"slots": [{"role": "Cop", "lovers": 2}]},
            "setup.slots[1].lovers: found 2, expected a number from 2",
        ),
        ({"columns": True}, "setup.columns: found true without any [[row]]"),
        ({"row": [{"roles": ["Cop"]}, {"roles": ["Cop", "Cop"]}]}, "setup.row[2].roles: found 2 cards"),
        ({"wins": {"survivor": "last"}}, "setup.wins: unknown key “survivor”"),
        (
            {"options": {"doctors": "one"}},
            "setup.options: Custom Mafia has no option “doctors”; did you mean",
        ),
        ({"options": []}, "setup.options: found [], expected a table: [options]."),
        ({"wins": {"mafia": "sometimes"}}, "setup.options: mafia_wins = 'sometimes': expected one of"),
        (
            {"wins": {"mafia": "parity"}, "options": {"mafia_wins": "majority"}},
            "setup.wins.mafia: found 'parity', expected what setup.options.mafia_wins says: 'majority'.",
        ),
    ],
)
def test_a_wrong_setup_is_refused_by_key_with_what_was_expected(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_setup({"slots": [GOON, REST], **change})
    assert str(refused.value).startswith(words)


@pytest.mark.parametrize(
    ("options", "players", "words"),
    [
        ({"setup": "vanila"}, 5, "setup: found 'vanila', expected 'vanilla', or a table"),
        (
            {"setup": {"slots": [GOON, {"role": "Cop", "count": 3}]}},
            5,
            "Custom is for 4 players; the list has 5; a",
        ),
        ({"setup": MATRIX}, 6, "Tide Tables is for 7 or more players; the list has 6."),
        ({}, 2, "Custom Mafia is for 3 to 60 players; the list has 2."),
        (
            {"setup": {"slots": [{"role": "Goon", "count": 2}, REST]}},
            3,
            "Custom: the game would be over (mafia)",
        ),
        ({"self_target": "perhaps"}, 5, "self_target = 'perhaps': expected one of no, yes"),
    ],
)
def test_what_cannot_be_dealt_is_refused(options: dict[str, object], players: int, words: str) -> None:
    with pytest.raises(InputError) as refused:
        CUSTOM_MAFIA.setup(NAMES[:players], options, SeededRng(b""))
    assert str(refused.value).startswith(words)


def test_a_setup_comes_out_of_the_journal_as_it_went_in() -> None:
    started = Started("custom_mafia", NAMES[:9], {"setup": MATRIX})
    again = decode(json.loads(json.dumps(encode(started))))
    assert again == started
    assert isinstance(again, Started)
    first, second = (deal(NAMES[:9], e.options, SeededRng(b"x")) for e in (started, again))
    assert first == second


ROLES = st.sampled_from(
    ["Goon", "Town Cop", "Lover", "Serial Killer", "Jester", "Mafia Ninja", "Kop", "", "Town"]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 70) | st.floats() | st.text(max_size=5) | ROLES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def table(**likely: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """Some of the keys, most with what belongs there."""
    return st.fixed_dictionaries({}, optional={key: value | ANYTHING for key, value in likely.items()})


ROLE_LIST = st.lists(ROLES, min_size=1, max_size=4)
SLOTS = table(
    role=ROLES,
    one_of=ROLE_LIST,
    pick=st.integers(1, 3),
    count=st.integers(1, 9),
    fill=st.booleans(),
    lovers=st.integers(1, 4),
    **{"from": ROLE_LIST},
)
SETUPS = table(
    schema=st.just(1),
    name=st.text(max_size=9),
    starts=st.sampled_from(["day", "night"]),
    options=st.just({"knots": "list"}),
    wins=st.just({"mafia": "parity"}),
    slots=st.lists(
        st.just({"role": "Goon", "count": 2}) | st.just({"role": "Cop", "fill": True}) | SLOTS, max_size=4
    ),
    row=st.lists(table(roles=ROLE_LIST), max_size=3),
    columns=st.booleans(),
    reveal_setup=st.booleans(),
)


@given(st.dictionaries(st.text(max_size=6), ANYTHING, max_size=4) | SETUPS)
@example({"\n": None})
def test_any_mapping_is_a_setup_that_deals_or_is_refused_in_a_sentence(mapping: dict[str, Any]) -> None:
    try:
        setup = parse_setup(mapping)
        state = deal(
            [SlotId(f"P{n}") for n in range(max(3, setup.least))], {"setup": mapping}, SeededRng(b"")
        )
    except InputError as refused:
        where, _, why = str(refused).partition(": ")
        assert where.startswith("setup") or "the game would be over" in why
        assert "\n" not in why
    else:
        assert isinstance(setup, Setup)
        assert len(state.cards) == max(3, setup.least)
        assert all(len(group) > 1 for group in state.rules.lovers)
