"""Every row of every mafia game is whole: what it says stands in PM, notation, why, what-if and rulings."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from knightfall.games import GAMES
from knightfall.games.custom_mafia.abilities import CHECKS
from knightfall.games.custom_mafia.catalog import BASES, CATALOG, FACTION_KILL, OWN
from knightfall.games.custom_mafia.lookups import role_details
from knightfall.mafia.ability_row import REPORTING, AbilityRow, Compact, Effect
from knightfall.mafia.ability_table import TABLE, Ability
from knightfall.mafia.decide import decide, standing
from knightfall.mafia.explain import deed
from knightfall.mafia.explain_night import whatif, why
from knightfall.mafia.night import Action
from knightfall.mafia.night_file import NightFile, NightFileGame
from knightfall.mafia.state import ELIMINATED, Departure, Phase
from knightfall.sentence import SlotId
from knightfall.simulation.cards import ROWS
from knightfall.writeups.events import private_message

ADA, BORO, CLEO = map(SlotId, ("Ada", "Boro", "Cleo"))
NAMES_ROLES = {"rolecop"}
"""Its answers are names of roles, so the row has no list of them."""
NO_LIST = {*NAMES_ROLES, "follow", "voyeur", "role_watch"}
"""Their answers are kinds of action, or names of roles."""
MAFIA_GAMES: tuple[NightFileGame[Any], ...] = tuple(game for game in GAMES if isinstance(game, NightFileGame))
LIMITED: dict[str, str] = {
    base.limited.id: f"Mafia 3-Shot Activated {base.name}" for base in BASES if base.limited
} | {"own": "Town 3-Shot “Lamplighter”"}
"""The cards of a custom game that name an ability only where it does not always work."""
OPTIONS: dict[str, tuple[dict[str, str], ...]] = {"knight_errant": ({}, {"ke_r13": "activated"})}
"""Under which options a card can have an ability that it has not by default."""


@dataclass(frozen=True)
class Row:
    """A row with its game."""

    game: NightFileGame[Any]
    row: AbilityRow

    def night(self, line: str = "") -> NightFile:
        """Night 2 (1 of what works then only), with Ada holding a card that has the ability, and the line."""
        for options in OPTIONS.get(self.game.spec.id, ({},)):
            word = (
                self.row.role or LIMITED.get(self.row.id, "") if self.game.spec.id == "custom_mafia" else ""
            )
            for name in (word, *self.game.role_names):
                if name and self.row.id in self.game.card(self.game.parse_rules(options), name).abilities:
                    other = "Vanilla Townie" if self.game.spec.id != "empowered" else "Empowerer"
                    roles = {ADA: name, BORO: other, CLEO: other}
                    lines = {ADA: (line,)} if line else {}
                    uses = {ADA: {self.row.id: 3}}
                    number = 1 if self.row.id == Ability.LINK else 2
                    return NightFile(self.game, "row", number, roles, options, lines, shots=uses)
        raise AssertionError(f"no card of {self.game.spec.name} has {self.row.id}")

    def line(self, word: str) -> str:
        """The line with names in it."""
        return self.row.line(word).replace("NAME", "Boro", 1).replace("NAME", "Cleo", 1)

    @property
    def action(self) -> Action:
        return Action(ADA, self.row.id, (BORO, CLEO)[: self.row.targets])


def rows(submitted: bool) -> list[Any]:
    """All rows of all games, of what players submit or of what happens by itself."""
    return [
        pytest.param(Row(game, row), id=f"{game.spec.id}: {row.id}")
        for game in MAFIA_GAMES
        for row in game.words.abilities.values()
        if bool(row.lines) == submitted
    ]


@pytest.mark.parametrize("one", [*rows(True), *rows(False)])
def test_a_row_has_a_deed_a_word_and_a_ruling_that_exists(one: Row) -> None:
    assert one.row.deed, "deed"
    assert one.row.word, "lines or called"
    assert one.row.ruling in one.game.spec.rulings, "ruling"
    assert 0 <= one.row.targets <= 2, "targets"
    assert one.row.targets < 2 or one.row.between, "between"


@pytest.mark.parametrize("one", [*rows(True), *rows(False)])
def test_a_game_overrides_words_and_rulings_and_no_treatment_by_simulations(one: Row) -> None:
    """An ability is numbered once, whatever the game: what a simulation reads of it is the same in all."""
    if one.row.id == "ready":  # an order that is no ability
        return
    shared = ROWS[one.row.id]
    for part in ("targets", "faction", "effects", "compact", "trusted"):
        assert getattr(one.row, part) == getattr(shared, part), part
    assert one.row.faction == (one.row.id == one.game.faction_kill), "faction"


@pytest.mark.parametrize("one", rows(True))
def test_a_row_says_which_of_its_answers_accuse_and_one_counted_as_a_check_finds_them(one: Row) -> None:
    assert not one.row.answers or one.row.guilt.keys() <= one.row.answers.keys(), "guilt"
    assert all(-1 <= weight <= 1 for weight in one.row.guilt.values()), "guilt"
    assert one.row.compact is not Compact.CHECK or one.row.find is not None, "find"
    assert (one.row.compact is Compact.FACTION_KILL) == one.row.faction, "compact"


def test_every_row_of_the_table_is_in_a_game() -> None:
    had = {row_id for game in MAFIA_GAMES for row_id in game.words.abilities}
    assert {*Ability} <= TABLE.keys() <= had


@pytest.mark.parametrize("one", rows(True))
def test_a_row_that_brings_an_answer_says_what_it_asks_and_what_answers_mean(one: Row) -> None:
    assert bool(one.row.asks) == one.row.reports, "asks"
    needed = (
        bool(one.row.effects & (REPORTING - {Effect.FOLLOWS, Effect.WATCHES})) and one.row.id not in NO_LIST
    )
    assert bool(one.row.answers) == needed, "answers"


BY_NIGHT = [one for one in rows(True) if not one.values[0].row.by_day]
BY_DAY = [one for one in rows(True) if one.values[0].row.by_day]


@pytest.mark.parametrize("one", BY_NIGHT)
def test_every_word_of_a_row_is_read_and_its_line_is_what_a_receipt_quotes(one: Row) -> None:
    for word in one.row.lines:
        assert standing(one.night(one.line(word))) == (one.action,), f"lines: {word}"
    assert one.game.words.notation(one.action) == one.line(one.row.written), "lines"


@pytest.mark.parametrize("one", BY_DAY)
def test_every_word_of_what_is_done_by_day_is_read_then(one: Row) -> None:
    file = one.night()
    state = replace(one.game.open_night(file), shots=file.shots)
    day = replace(state, phase=Phase.DAY)
    voted_out = replace(state, left={ADA: Departure(ELIMINATED, "day 2")})
    state = voted_out if one.row.id == Ability.AVENGE else day
    for word in one.row.lines:
        assert one.game.read_line(state, ADA, one.line(word), {}) == one.action, f"lines: {word}"
    assert one.game.words.notation(one.action) == one.line(one.row.written), "lines"


@pytest.mark.parametrize("one", rows(True))
def test_the_role_pm_has_the_sentence_of_a_row(one: Row) -> None:
    file = one.night()
    state = replace(one.game.open_night(file), shots=file.shots)
    pm = private_message(one.game.spec.id, one.game.first_pm(state, ADA))
    assert one.row.pm, "pm"
    for part in re.split(r"\{\w+\}", one.row.pm):  # the gaps are filled by options and card
        assert part in pm, "pm"


@pytest.mark.parametrize("one", BY_NIGHT)
def test_why_and_whatif_call_an_ability_as_its_row_does(one: Row) -> None:
    file = one.night(one.line(one.row.written))
    told = [step.text for step in why("Ada", file).steps]
    assert any(text.startswith(deed(one.game.words, one.action)) for text in told), "deed"
    for word in (*one.row.lines, *one.row.called, one.row.id):
        assert whatif(file, [f"remove Ada: {word}"]), f"called: {word}"


@pytest.mark.parametrize("one", rows(True))
def test_an_answer_is_one_of_those_that_the_row_knows_and_cites_its_ruling(one: Row) -> None:
    if one.game.spec.id == "empowered" or not one.row.reports:
        return
    night = decide(one.night(one.line(one.row.written))).night
    assert [note.ruling for note in night.trace] == [one.row.ruling], "ruling"
    assert not one.row.answers or night.results[0].answer in one.row.answers, "answers"


@pytest.mark.parametrize(
    "row", [one.values[0].row for one in rows(True) if one.values[0].game.spec.id == "custom_mafia"]
)
def test_the_catalog_of_the_custom_game_has_every_row(row: AbilityRow) -> None:
    entry = next(entry for entry in (FACTION_KILL, OWN, *CATALOG) if row in (entry.row, entry.limited))
    assert entry.does == row.does or entry.limited is row
    assert row.does.endswith("."), "does"
    assert row.rulings, "rulings"
    assert row.stopped_by, "stopped_by"
    if row.role:
        page = role_details(row.role).to_dict()
        assert row.line(row.word) in str(page), "lines"
    assert (row.find is not None) == (Effect.CHECKS in row.effects) == (row.id in CHECKS), "find"
    assert (row.act is None) == (row.rank is None), "rank"
