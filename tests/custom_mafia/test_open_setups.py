"""Open setups by name: parsed, dealt by their odds, named to every face, played to their end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from typing import Any

import pytest

import knightfall as kf
from command_line import run
from knightfall.engine.rng import ManualRng, SeededRng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.open_setups import OpenSetup, open_setup, open_setups
from knightfall.games.custom_mafia.options import Setup
from knightfall.games.custom_mafia.setup import deal, parse_setup
from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.mafia.roles import Alignment
from knightfall.sentence import SlotId
from knightfall.services.deal import DealTerms, commit, verify
from knightfall.services.review import with_roles
from knightfall.simulation.deals import deals_of
from long_runs import first
from setup_styles import composition_of, plain_form

DEALS = 400
SETUPS = {one.name: one for one in open_setups()}
NAMES = [SlotId(f"P{number:02}") for number in range(60)]


def chances(setup: Setup, players: int) -> Mapping[tuple[str, ...], float]:
    """Every multiset of cards that may be dealt, with its chance; picks are without repeats."""
    found: Counter[tuple[str, ...]] = Counter()
    fixed: list[str] = []
    pools: list[tuple[int, tuple[str, ...]]] = []
    for line in setup.lines:
        count = players - setup.least if line.count is None else line.count
        names = tuple(role.name for role in line.roles)
        if len(names) == 1:
            fixed += names * count
        else:
            assert line.pick
            pools.append((count, names))
    groups = [(tuple(role.name for role in group.roles), group.weight) for group in setup.groups] or [((), 1)]
    tickets = sum(weight for _, weight in groups)
    for roles, weight in groups:
        dealt: list[tuple[tuple[str, ...], float]] = [((), weight / tickets)]
        for count, names in pools:
            each = 1 / comb(len(names), count)
            dealt = [
                ((*b, *drawn), share * each) for b, share in dealt for drawn in combinations(names, count)
            ]
        for drawn, share in dealt:
            found[tuple(sorted((*fixed, *roles, *drawn)))] += share  # type: ignore[assignment]
    return found


def test_no_name_means_two_setups() -> None:
    written = [name.casefold() for one in open_setups() for name in (one.name, *one.aliases)]
    assert [name for name, times in Counter(written).items() if times > 1] == []


@pytest.mark.parametrize("name", first(2, sorted(SETUPS, key=lambda one: one == "C9++")))
def test_an_open_setup_is_dealt_as_often_as_its_odds_say(name: str) -> None:
    one = SETUPS[name]
    expected = chances(one.setup, one.players)
    assert sum(expected.values()) == pytest.approx(1)
    dealt: Counter[tuple[str, ...]] = Counter()
    for number in range(DEALS):
        state = deal(
            NAMES[: one.players], {"setup": one.table}, SeededRng(b"%s %d" % (name.encode(), number))
        )
        dealt[tuple(sorted(role.name for role in state.cards.values()))] += 1
    assert set(dealt) <= set(expected)
    # What is dealt less than five times on average is counted together: chi-square is for larger numbers.
    often = {cards: share for cards, share in expected.items() if share * DEALS >= 5}
    cells = [(dealt[cards], share * DEALS) for cards, share in often.items()]
    if len(often) < len(expected):
        rest = DEALS - sum(share for _, share in cells)
        cells.append((DEALS - sum(times for times, _ in cells), rest))
    free = len(cells) - 1
    chi_square = sum((times - share) ** 2 / share for times, share in cells)
    # Above this a true deal comes once in ten thousand times (Wilson and Hilferty).
    limit = free * (1 - 2 / (9 * free) + 3.72 * sqrt(2 / (9 * free))) ** 3 if free else 0
    assert chi_square <= limit


@pytest.mark.few(12)
@pytest.mark.parametrize("name", SETUPS)
def test_an_open_setup_has_cards_for_its_players_and_is_played_to_its_end(name: str) -> None:
    one = SETUPS[name]
    assert (one.setup.least, one.setup.filled) == (one.players, False)
    assert one.source
    assert kf.parse_setup(f"Setup: {name}").table() == one.table
    if one.setup.has_rivals:
        with pytest.raises(InputError, match="one mafia"):
            kf.balance(name, games=40, workers=1)
        return
    balance = kf.balance(name, games=40, workers=1)
    assert (balance.players, balance.games) == (one.players, 40)
    assert sum(share.share for share in balance.sides.values()) == pytest.approx(1)


@pytest.mark.parametrize("name", [name for name, one in SETUPS.items() if one.setup.letters is None])
def test_an_open_setup_is_read_back_from_how_its_lines_are_written(name: str) -> None:
    meant = composition_of(SETUPS[name].table)
    lines = [
        f"{count} {roles[0]}" if len(roles) == 1 else f"{count} of {{{', '.join(roles)}}} without repeats"
        for count, roles, _ in meant.parts
    ]
    if meant.rows:
        ways = "row or column" if meant.columns else "row"
        rows = " / ".join(", ".join(row) for row in meant.rows)
        lines.append(f"one {ways} of: {{{rows}}}")
    found, wanted = plain_form(composition_of(read_setup("\n".join(lines)).table())), plain_form(meant)
    # Where no Vanilla Townie is counted, the others may be some: nobody says that there are none.
    counted = "Vanilla Townie" in str(wanted)
    assert (found if counted else (found[0], [], *found[2:])) == wanted


def test_no_name_is_given_twice() -> None:
    written = [name for one in open_setups() for name in (one.name, *one.aliases)]
    for name in written:
        found = open_setup(name)
        assert isinstance(found, OpenSetup)
        assert name in (found.name, *found.aliases)


WEIGHTED: dict[str, Any] = {
    "name": "Tides",
    "slots": [{"role": "Mafia Goon"}, {"role": "Vanilla Townie", "fill": True}],
    "row": [
        {"roles": ["Town Cop"], "weight": 6},
        {"roles": ["Town Doctor"], "weight": 2},
        {"roles": ["Mafia Goon"]},
    ],
}


def test_rows_are_dealt_by_their_weights() -> None:
    setup = parse_setup(WEIGHTED)
    assert dict(setup.odds) == {"row 1": "6 in 9", "row 2": "2 in 9", "row 3": "1 in 9"}
    dealt = Counter(
        deal(NAMES[:7], {"setup": WEIGHTED}, SeededRng(b"tide %d" % number)).code for number in range(900)
    )
    for row, share in (("row 1", 600), ("row 2", 200), ("row 3", 100)):
        assert abs(dealt[f"Tides, {row}"] - share) < 5 * sqrt(share)


def test_weights_have_no_common_divisor_and_equal_ones_are_none() -> None:
    same = {**WEIGHTED, "row": [{"roles": ["Town Cop"], "weight": 4}, {"roles": ["Mafia Goon"], "weight": 4}]}
    assert (parse_setup(same).odds, list(parse_setup(same).tickets)) == ({}, ["row 1", "row 2"])
    twice = {
        **WEIGHTED,
        "row": [{"roles": ["Town Cop"], "weight": 4}, {"roles": ["Mafia Goon"], "weight": 2}],
    }
    assert dict(parse_setup(twice).odds) == {"row 1": "2 in 3", "row 2": "1 in 3"}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"row": [{"roles": ["Town Cop"], "weight": 0}]}, "weight: found 0, expected a whole number from 1"),
        ({"row": [{"roles": ["Town Cop"], "weight": True}]}, "weight: found True"),
        (
            {"row": [{"roles": ["Town Cop"], "weight": 10**15}, {"roles": ["Town Cop"], "weight": 3}]},
            "found weights of 1000000000000003 in all",
        ),
        (
            {
                "columns": True,
                "row": [
                    {"roles": ["Town Cop", "Mafia Goon"], "weight": 2},
                    {"roles": ["Town Cop", "Mafia Goon"]},
                ],
            },
            "found beside weights",
        ),
        ({"columns": True, "row": [{"roles": ["Town Cop", "Mafia Goon"]}]}, "found 1 rows of 2 cards"),
    ],
)
def test_weights_that_cannot_be_dealt_are_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_setup({**WEIGHTED, **change})


def test_tickets_are_named_and_found_as_if_they_were_written_out() -> None:
    tickets = parse_setup(WEIGHTED).tickets
    written = [
        *(f"row 1, ticket {number}" for number in range(1, 7)),
        "row 2, ticket 1",
        "row 2, ticket 2",
        "row 3",
    ]
    assert (len(tickets), list(tickets), tickets[2:4], tickets[-1]) == (
        9,
        written,
        tuple(written[2:4]),
        "row 3",
    )
    assert [tickets.index(name) for name in written] == list(range(9))
    assert tickets.group("row 2, ticket 2").roles[0].name == "Town Doctor"
    for other in (
        "row 1",
        "row 1, ticket 7",
        "row 1, ticket 0",
        "row 3, ticket 1",
        "row 4",
        "ticket 1",
        "",
        3,
    ):
        assert other not in tickets
        with pytest.raises(ValueError, match="is no ticket"):
            tickets.index(other)
    with pytest.raises(IndexError):
        tickets[9]


def test_rows_are_drawn_as_they_were_when_every_ticket_was_written_out() -> None:
    """A journal of before holds the seed alone: the same key of the same many options is drawn."""
    tickets = parse_setup(WEIGHTED).tickets
    for number in range(60):
        seed = b"tide %d" % number
        drawn = SeededRng(seed).choice("cm.row", tuple(tickets))
        source = SeededRng(seed)
        group = drawn.partition(",")[0]
        assert deal(NAMES[:7], {"setup": WEIGHTED}, source).code == f"Tides, {group}"
        [row] = [one for one in source.log if one.key.label == "cm.row"]
        assert (row.value, tuple(row.options)) == (drawn, tuple(tickets))


def test_a_deal_with_more_tickets_than_could_be_written_out_is_drawn_and_proved() -> None:
    rare = {
        **WEIGHTED,
        "row": [{"roles": ["Town Cop"], "weight": 10**15 - 1}, {"roles": ["Mafia Goon"]}],
    }
    terms = DealTerms("custom_mafia", {"setup": rare}, tuple(NAMES[:7]))
    proof = commit(terms, b"sixteen bytes or more", b"another sixteen bytes")
    assert verify(proof) == ()
    assert "Town Cop" in proof.cards.values()
    assert [deal.chance for deal in deals_of(parse_setup(rare), 7).deals] == [1 - 1e-15, 1e-15]
    # The moderator's own dice may name any ticket.
    held = ManualRng(SeededRng(b"reef"))
    held.hold("cm.row", "row 1, ticket 123456789012345")
    assert deal(NAMES[:7], {"setup": rare}, held).code == "Tides, row 1"


LETTERS: dict[str, Any] = {
    "name": "Harbour Letters",
    "slots": [{"role": "Vanilla Townie", "fill": True}],
    "letters": {
        "draws": 2,
        "letter": [
            {
                "name": "T",
                "weight": 3,
                "cards": [["Mafia Goon", "Mafia Rolecop"], ["Mafia Goon", "Mafia Goon"], ["Mafia Goon"]],
            },
            {"name": "C", "cards": [[], ["Town Cop"]]},
            {"name": "D", "cards": [[], ["Town Doctor"], ["Town Doctor", "Town Doctor"]]},
        ],
    },
}


def test_letters_say_how_the_rows_come_about() -> None:
    setup = parse_setup(LETTERS)
    # Of 25 ways that two letters of five can come, one has two Cs, for which nothing is listed.
    assert {group.name: group.weight for group in setup.groups} == {
        "DD": 1,
        "CD": 2,
        "TD": 6,
        "TC": 6,
        "TT": 9,
    }
    cards = {group.name: Counter(role.name for role in group.roles) for group in setup.groups}
    assert cards["CD"] == Counter(["Mafia Goon", "Mafia Rolecop", "Town Cop", "Town Doctor"])
    assert cards["TT"] == Counter({"Mafia Goon": 1, "Vanilla Townie": 3})
    assert setup.odds["TC"] == "6 in 24"
    dealt = Counter(
        deal(NAMES[:7], {"setup": LETTERS}, SeededRng(b"quay %d" % number)).code for number in range(960)
    )
    for name, share in (("TT", 360), ("TC", 240), ("CD", 80), ("DD", 40)):
        assert abs(dealt[f"Harbour Letters, {name}"] - share) < 5 * sqrt(share)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"draws": 0}, "letters.draws: found 0, expected a whole number from 1 to 12"),
        ({"letter": []}, "letters: found 0 ways to come out, expected 1 to 1000"),
        ({"letter": [{"name": "tt", "cards": [[]]}]}, "name: found 'tt', expected one capital letter"),
        (
            {"letter": [{"name": "T", "cards": [[]]}, {"name": "T", "cards": [[]]}]},
            "a letter that no other has",
        ),
        ({"letter": [{"name": "T", "cards": [[], [], [], []]}]}, "up to 2 of it"),
        ({"letter": [{"name": "T", "cards": ["Town Cop"]}]}, "expected a list of roles, empty where"),
        ({"letter": [{"name": "T", "cards": [["Town Copp"]]}]}, r"cards\[1\]\[1\]: Role “Town Copp”"),
        ({"sides": 2}, "letters: unknown key “sides”"),
        (
            {"draws": 12, "letter": [{"name": one, "cards": [[]] * 13} for one in "ABCDEF"]},
            "found 6188 ways to come out",
        ),
        (
            {"draws": 12, "letter": [{"name": one, "cards": [[]] * 13} for one in "ABCDEFGHIJKL"]},
            "found 1352078 ways to come out",
        ),
        (
            {
                "draws": 12,
                "letter": [
                    {"name": "A", "weight": 999, "cards": [["Mafia Goon"]] * 13},
                    {"name": "B", "cards": [[]] * 13},
                ],
            },
            "letters: found weights of 1000000000000000000000000000000000000 in all",
        ),
    ],
)
def test_letters_that_cannot_be_dealt_are_refused(change: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        parse_setup({**LETTERS, "letters": {**LETTERS["letters"], **change}})


def test_letters_and_rows_are_not_both_drawn() -> None:
    with pytest.raises(InputError, match="letters: found beside"):
        parse_setup({**LETTERS, "row": [{"roles": ["Town Cop"]}]})
    with pytest.raises(InputError, match="columns: found true"):
        parse_setup({**LETTERS, "columns": True})


def test_posts_and_the_list_say_the_letters_and_not_every_way_they_can_come(tmp_path: Path) -> None:
    names = [f"P{number:02}" for number in range(13)]
    kf.Game.create("custom_mafia", names, tmp_path / "pier", options={"setup": "C9++"})
    [opening] = (tmp_path / "pier" / "public").glob("*opening.txt")
    text = opening.read_text(encoding="utf-8")
    assert "7 letters, each drawn at random: T (10 in 20), C (3 in 20), D (2 in 20)" in text
    assert "MMM: Town Mason, Town Mason, Town Innocent Child" in text
    assert len(text) < 6000
    assert "Town Mason, Town Mason" in " ".join(run("setups", "custom-mafia", "C9++").stdout.split())
    assert "752" in run("setups", "custom-mafia", "--players", "13").stdout


def test_half_of_all_games_of_c9_have_a_serial_killer() -> None:
    setup = SETUPS["C9++"].setup
    killer = sum(
        group.weight
        for group in setup.groups
        if any(role.alignment is Alignment.SERIAL_KILLER for role in group.roles)
    )
    assert killer / len(setup.tickets) == pytest.approx(0.5, abs=1e-4)


def test_a_role_of_a_letter_is_taken_away_as_one_of_a_row_is() -> None:
    changed = with_roles(LETTERS, lambda said: "Town Watcher" if said == "Town Cop" else said)
    names = {role.name for row in parse_setup(changed).rows for role in row}
    assert "Town Watcher" in names
    assert "Town Cop" not in names


def test_the_opening_post_says_the_odds(tmp_path: Path) -> None:
    game = kf.Game.create(
        "custom_mafia",
        ["Ada", "Boro", "Cinder", "Elm", "Fen"],
        tmp_path / "tides",
        options={"setup": WEIGHTED},
    )
    [opening] = (tmp_path / "tides" / "public").glob("*opening.txt")
    text = opening.read_text(encoding="utf-8")
    assert "drawn at random, with these odds: Town Cop (6 in 9); Town Doctor (2 in 9)" in text
    assert game.folder == tmp_path / "tides"


def test_the_simulator_deals_by_the_weights() -> None:
    roles = {one.role: one.dealt for one in kf.balance(WEIGHTED, players=7, games=20_000, workers=1).roles}
    assert roles["Town Cop"] == pytest.approx(6 / 9, abs=0.02)
    assert roles["Town Doctor"] == pytest.approx(2 / 9, abs=0.02)


def test_a_game_is_begun_by_the_name_of_its_setup_and_its_deal_is_proved(tmp_path: Path) -> None:
    players = ["Ada", "Boro", "Cinder", "Elm", "Fen", "Iris", "Moth", "Rook", "Vetch"]
    done = run("new", "custom-mafia", *players, "--setup", "matrix 6", "--out", str(tmp_path / "quay"))
    assert "9 players" in done.stdout
    [opening] = (tmp_path / "quay" / "public").glob("*opening.txt")
    assert "Matrix6" in opening.read_text(encoding="utf-8")
    deal_file = str(tmp_path / "quay" / "private" / "deal.json")
    assert run("fair", "verify", deal_file).exit_code == 0
    # Programs name it in the same way; a name that is none is refused with what is expected.
    kf.Game.create("custom_mafia", players, tmp_path / "second", options={"setup": "Cop 9er"})
    with pytest.raises(InputError, match="setup"):
        kf.Game.create("custom_mafia", players, tmp_path / "third", options={"setup": "Cop 8er"})


def test_the_list_tells_players_source_and_year() -> None:
    told = run("setups", "custom-mafia").stdout
    assert "Matrix6" in told
    assert max(map(len, told.splitlines())) <= 80
    one = run("setups", "custom-mafia", "friends & enemies").stdout
    assert "3 Town Mason" in one
    assert "(2007)" in one
    assert "9er" in run("setups", "custom-mafia", "--players", "9").stdout
    assert "did you mean “Matrix6”" in str(run("setups", "custom-mafia", "Matrix7").exception)


def test_a_weighted_deal_is_proved_however_many_tickets_it_has() -> None:
    many = {
        **WEIGHTED,
        "row": [{"roles": ["Town Cop"], "weight": 700}, {"roles": ["Mafia Goon"], "weight": 11}],
    }
    for setup in (WEIGHTED, many):
        terms = DealTerms("custom_mafia", {"setup": setup}, tuple(NAMES[:7]))
        proof = commit(terms, b"sixteen bytes or more", b"another sixteen bytes")
        assert verify(proof) == ()
        source = SeededRng(proof.seed)
        deal(NAMES[:7], {"setup": setup}, source)
        [row] = [drawn for drawn in source.log if drawn.key.label == "cm.row"]
        again = SeededRng(proof.seed).choice("cm.row", row.options)
        assert (again, row.options.index(again)) == (row.value, row.options.index(row.value))
