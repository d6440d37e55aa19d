"""In random nights: what `why` says of an answer agrees with the answer."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given, settings
from hypothesis import strategies as st

from knightfall.cli.format_night import format_explanation
from knightfall.errors import DecisionNeeded
from knightfall.games.custom_mafia.abilities import CHECKS
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.roles import parse_role, rolecop_name
from knightfall.mafia.ability_row import CardSeen
from knightfall.mafia.decide import decide, pending_night
from knightfall.mafia.explain_night import why, why_steps
from knightfall.mafia.night import NO_RESULT
from knightfall.mafia.night_file import NightFile
from knightfall.services.night_file import parse_night
from long_runs import LONG_JOB

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
