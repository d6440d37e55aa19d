"""In random nights: what `why` says of an answer agrees with the answer."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knightfall.cli.format_night import format_explanation
from knightfall.engine.game import Noted
from knightfall.errors import DecisionNeeded
from knightfall.games.custom_mafia.abilities import CHECKS
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.roles import parse_role, rolecop_name
from knightfall.mafia.ability_row import CardSeen
from knightfall.mafia.decide import decide, pending_night
from knightfall.mafia.decide import told as answer_told
from knightfall.mafia.endgame_history import nights as nights_of
from knightfall.mafia.explain import night_sheet
from knightfall.mafia.explain_night import why, why_steps
from knightfall.mafia.night import NO_RESULT
from knightfall.mafia.night_file import NightFile
from knightfall.services.night_file import parse_night
from knightfall.writeups.events import moderator_sheet
from long_runs import LONG_JOB
from mafia.night_files import nights as either_games

CARDS = (
    "Town Cop",
    "Town Rolecop",
    "Town Gunsmith",
    "Town Detective",
    "Town Bus Driver",
    "Town Roleblocker",
    "Mafia Redirector",
    "Mafia Framer",
    "Mafia Goon",
    "Mafia Godfather",
    "Town Miller",
    "Town Vigilante",
    "Vanilla Townie",
    "Serial Killer",
    "Town Commuter",
)
NAMES = ("Ada", "Boro", "Cleo", "Dusk", "Elm", "Fen", "Gale", "Hux")
RULES = parse_options({})


def toml(kind: str, cards: dict[str, str], lines: dict[str, str]) -> NightFile:
    roles = "\n".join(f'{name} = "{card}"' for name, card in cards.items())
    sent = "\n".join(f'{name} = "{line}"' for name, line in lines.items())
    return parse_night("n.toml", f'kind = "{kind}"\nnight = 2\n[roles]\n{roles}\n[actions]\n{sent}\n')


def told(name: str, night: NightFile) -> str:
    return " ".join(format_explanation(why(name, night)).split())


def test_a_frame_is_named_where_it_answered() -> None:
    night = toml(
        "custom_mafia",
        {"Ada": "Town Cop", "Cleo": "Mafia Goon", "Dusk": "Vanilla Townie", "Elm": "Mafia Framer"},
        {"Ada": "cop Dusk", "Elm": "frame Dusk"},
    )
    said = told("Ada", night)
    assert "“Guilty” for cop Dusk: Dusk is Vanilla Townie, and Elm framed Dusk (CM-R52)" in said
    assert "Elm's framing of Dusk worked" in said


def test_the_sheet_and_the_endgame_say_what_changed_an_answer() -> None:
    night = toml(
        "custom_mafia",
        {"Ada": "Town Cop", "Cleo": "Mafia Goon", "Dusk": "Vanilla Townie", "Elm": "Mafia Framer"},
        {"Ada": "cop Dusk", "Elm": "frame Dusk"},
    )
    found = decide(pending_night(night))
    sheet = night_sheet(found.words, 2, found.night, ())
    (told_so,) = sheet.results
    assert (told_so.answer, told_so.because) == ("Guilty", "framed (Elm: frame Dusk)")
    told_so_far = moderator_sheet(CUSTOM_MAFIA.spec.id, Noted(sheet))
    assert "Ada is told: cop Dusk: Guilty, framed (Elm: frame Dusk)" in told_so_far
    (history,) = nights_of([Noted(sheet)])
    (row,) = [row for row in history.rows if row.actor == "Ada"]
    assert (row.answer, row.behind) == (told_so.answer, told_so.because)


@pytest.mark.parametrize(
    ("card", "uses", "clause"),
    [
        ("Mafia Godfather", "", "that card hides from checks"),
        ("Serial Killer", "Dusk = { immunity = 1 }", "an immunity covered it"),
    ],
)
def test_a_card_that_hides_is_told_on_the_sheet(card: str, uses: str, clause: str) -> None:
    head = 'kind = "knight_errant"\nnight = 2\n[roles]\nCleo = "Mafia Goon"\nElm = "Vanilla Townie"\n'
    rest = f'Ada = "Town Cop"\nDusk = "{card}"\n[actions]\nAda = "cop Dusk"\n[shots]\n{uses}\n'
    night = parse_night("n.toml", head + rest)
    found = decide(pending_night(night))
    (row,) = night_sheet(found.words, 2, found.night, ()).results
    assert row.because == clause


def test_a_driven_check_names_whom_it_reached() -> None:
    night = toml(
        "custom_mafia",
        {"Ada": "Town Cop", "Cleo": "Mafia Goon", "Dusk": "Vanilla Townie", "Elm": "Town Bus Driver"},
        {"Ada": "cop Dusk", "Elm": "drive Dusk and Cleo"},
    )
    said = told("Ada", night)
    assert "told “Guilty”" in said and ": Cleo is Mafia Goon" in said and "Dusk is Vanilla" not in said


def test_a_driven_track_shows_the_steps_of_whom_it_reached() -> None:
    night = toml(
        "custom_mafia",
        {"Ada": "Town Tracker", "Cleo": "Mafia Goon", "Dusk": "Vanilla Townie", "Elm": "Town Bus Driver"},
        {"Ada": "track Dusk", "Elm": "drive Dusk and Cleo", "Cleo": "kill Ada"},
    )
    assert "Cleo's kill of Ada was seen" in told("Ada", night)


def test_a_detective_is_told_of_deeds_and_not_of_a_card() -> None:
    roles = {"Ada": "Town Detective", "Cleo": "Mafia Goon", "Dusk": "Town Vigilante", "Elm": "Vanilla Townie"}
    said = told("Ada", toml("custom_mafia", roles, {"Ada": "detective Dusk"}))
    assert "Dusk has sent no kill" in said and "Dusk is Town Vigilante" not in said


@st.composite
def nights(draw: st.DrawFn) -> NightFile:
    cards = dict(zip(NAMES, draw(st.lists(st.sampled_from(CARDS), min_size=6, max_size=8)), strict=False))
    cards |= {"Ada": "Town Cop", "Boro": draw(st.sampled_from(CARDS[:4])), "Cleo": "Mafia Framer"}
    lines = {}
    for name, card in cards.items():
        pairs = list(permutations([one for one in cards if one != name], 2))
        one, other = draw(st.sampled_from(pairs))
        ability = next(iter(parse_role(card).abilities), None)
        ability = draw(st.sampled_from(list(parse_role(card).abilities))) if ability else None
        if ability is None or ability == "commute":
            continue
        row = CUSTOM_MAFIA.words.abilities[ability]
        targets = (one, other)[: row.targets]
        lines[name] = f"{row.written} {row.aim(targets)}"
    return toml("custom_mafia", cards, {name: str(line) for name, line in lines.items()})


@settings(
    max_examples=150 if LONG_JOB else 40, deadline=None
)  # most nights have no answer that is asked about
@given(nights())
def test_what_is_said_of_an_answer_agrees_with_it(night: NightFile) -> None:
    try:
        found = decide(pending_night(night))
    except DecisionNeeded:
        return
    framed = {
        note.action.targets[0]
        for note in found.night.trace
        if note.action.ability == "frame" and note.fate.value == "stood"
    }
    for result in found.night.results:
        if result.answer == NO_RESULT or result.action.ability not in CHECKS:
            continue
        reached, ability = result.reached, result.action.ability
        role = parse_role(night.roles[reached])
        by_card = CHECKS[ability](CardSeen(role, RULES.house, rolecop_name))
        steps = [str(step.text) for step in why_steps(result.action.actor, night)]
        (said,) = [text for text in steps if f"was told “{result.answer}”" in text]
        if ability == "cop" and by_card != result.answer:
            assert reached in framed and f"framed {reached}" in said
        else:
            assert result.answer == by_card and f": {reached} is {role.name}" in said
            assert "framed" not in said


@given(either_games())
def test_what_is_said_of_an_answer_agrees_with_it_in_every_game(night: NightFile) -> None:
    """A check by the card that it reached or by what is told beside it, a sight by each step told."""
    asked = pending_night(night)
    found, words = decide(asked), asked.game.words
    for result in found.night.results:
        told_so = [str(step.text) for step in why_steps(result.action.actor, night)]
        find, card = words.abilities[result.action.ability].find, asked.state.cards[result.reached]
        head = f"was told “{answer_told(result.answer)}” for {words.notation(result.action)}"
        (said,) = [text for text in told_so if head in text]
        if result.answer is None:
            assert "brings no message" in said or "reads no answer" in said
        elif result.answer == NO_RESULT:
            assert "it did not get through" in said
        elif find is None:
            seen = [text for text in told_so if text.endswith("was seen")]
            names = result.answer if isinstance(result.answer, tuple) else ()
            assert all(any(name in text for text in seen) for name in names)
        else:
            assert f": {result.reached} is {card.name}" in said
            hides = any(word in said for word in ("innocent", "immunity"))
            assert hides or find(CardSeen(card, asked.state.rules.house)) == result.answer
