"""Decide a night: what stands of the lines, what they come to, and the words a moderator has for actions.

`decide` does it for any of the games that have nights. What-if and the flipped options decide a night again
that differs in one place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, TypeAlias

from knightfall.engine.game import Game, Message, Noted, Option, Refusal, SlotId, noted
from knightfall.engine.rng import HandRng, Rng, SeededRng
from knightfall.errors import DecisionNeeded
from knightfall.games import empowered, knight_errant
from knightfall.games.custom_mafia import options as custom_options
from knightfall.games.custom_mafia.explain import WORDS as CUSTOM_WORDS
from knightfall.games.custom_mafia.explain import words_of as custom_words
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.night import Knot
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import resolve as resolve_custom
from knightfall.games.custom_mafia.setup import SETUP as CUSTOM_SETUP
from knightfall.games.custom_mafia.state import Terms
from knightfall.games.custom_mafia.state import dusk_of as custom_dusk
from knightfall.games.empowered.explain import WORDS as EMPOWERED_WORDS
from knightfall.games.empowered.state import dusk_of as empowered_dusk
from knightfall.games.empowered.state import plans
from knightfall.games.knight_errant.moderation import WORDS as KNIGHT_ERRANT_WORDS
from knightfall.games.knight_errant.state import dusk_of as knight_errant_dusk
from knightfall.mafia.explain import Words, answer_text, said, word
from knightfall.mafia.night import Action, Answer, Night
from knightfall.mafia.roles import Role
from knightfall.mafia.state import Phase, State
from knightfall.services.night_file import CUSTOM_ID, EMPOWERED_ID, KNIGHT_ERRANT_ID, NightFile

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)  # a night file has no clock, and the games ask for none
POWERED, INCARCERATED, LOST = "powered", "incarcerated", "without Adaptability"

Refused: TypeAlias = tuple[SlotId, str, Refusal]
"""Who sent it, the line as written, why it was not taken."""
# Any: each game has rules of its own, and only its own entry in the table below looks into them.
Position: TypeAlias = State[Any]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A night decided, and the words to tell it in.

    `marks` are the states of players that only this game knows, `unlimited` whose abilities have no shots,
    `went` how actions went that others turned.
    """

    night: Night
    words: Words
    refused: tuple[Refused, ...] = ()
    marks: Mapping[str, frozenset[SlotId]] = field(default_factory=dict)
    unlimited: frozenset[tuple[SlotId, str]] = frozenset()
    went: Mapping[Action, Action] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Play:
    """What this module asks of a game: `ruled` is a position under other options."""

    game: Game[Any]
    words: Words
    options: tuple[Option, ...]
    rules: Callable[[Mapping[str, object]], Any]
    card: Callable[[Any, str], Role]
    judge: Callable[[Position, Sequence[Action], Rng], Verdict]
    ruled: Callable[[Position, Mapping[str, object]], Position]


@dataclass(frozen=True, slots=True)
class Sent:
    """The night still open, the lines it did not take, and what the game asks the moderator to look at."""

    state: Position
    refused: tuple[Refused, ...] = ()
    cautions: tuple[Noted, ...] = ()


def decide(night: NightFile) -> Verdict:
    """What the lines of the file come to, with the lines that were refused."""
    sent = send_all(night)
    return replace(judge(night, plans(sent.state)), refused=sent.refused)


def standing(night: NightFile) -> tuple[Action, ...]:
    """The actions that stand when the night closes, in order of arrival."""
    return plans(send_all(night).state)


def judge(night: NightFile, actions: Sequence[Action]) -> Verdict:
    """What these actions, in order of arrival, come to at the dusk of the file."""
    return _PLAYS[night.kind].judge(_opened(night), actions, chance(night))


def send_all(night: NightFile) -> Sent:
    """Every line submitted to the game, a message a slot."""
    sent = Sent(_opened(night), night.refused)
    for slot, lines in night.lines.items():
        sent = _send(night, sent, slot, lines)
    return replace(sent, state=_in_order(night, sent.state))


def _in_order(night: NightFile, state: Position) -> Position:
    """What was sent in a folder stands in the order in which it came; anything else comes after it."""
    if night.position is None:
        return state
    places = {action: place for place, action in enumerate(night.position.actions)}
    late = len(places)
    standing = sorted(state.standing.items(), key=lambda pair: places.get(pair[1], late))
    return replace(state, standing=dict(standing))


def _send(night: NightFile, sent: Sent, slot: SlotId, lines: Sequence[str]) -> Sent:
    text = "\n".join(line for line in lines if line.strip().lower() != "ready")  # it ends when we close it
    step = game_of(night).submit(sent.state, Message(slot, text, NOON), chance(night))
    refused = ((slot, line, why) for line, why in step.refused)
    cautions = (sheet for sheet in noted(step.events) if sheet.kind == "caution")
    return Sent(step.state, (*sent.refused, *refused), (*sent.cautions, *cautions))


def game_of(night: NightFile) -> Game[Any]:
    """The game that the file is of."""
    return _PLAYS[night.kind].game


def words_of(night: NightFile) -> Words:
    """The words that its game has for what was done."""
    return _PLAYS[night.kind].words


def options_of(kind: str) -> tuple[Option, ...]:
    """The questions that a moderator of this game may answer otherwise."""
    return _PLAYS[kind].options


def chance(night: NightFile) -> Rng:
    """The chance of the game; a night file has no seed: what is drawn is drawn the same each time."""
    draw = HandRng(SeededRng(night.seed))
    for label, value in night.drawn:
        draw.hold(label, value)
    return draw


def _opened(night: NightFile) -> Position:
    """The night as it opens; a file does not tell of earlier deaths, so none is counted as overdue."""
    play = _PLAYS[night.kind]
    if night.position is not None:
        return replace(play.ruled(night.position, night.options), standing={}, since=None)
    rules = play.rules(night.options)
    cards = {slot: play.card(rules, role) for slot, role in night.roles.items()}
    shots = {**night.shots, **{slot: {"adaptability": 0} for slot in night.lost}}
    terms = replace(Terms(), chosen=rules, lovers=night.lovers) if night.kind == CUSTOM_ID else rules
    state: Position = State(night.code, terms, cards, Phase.NIGHT, night.number, shots)
    questions = replace(state.questions, tonight=night.rulings)
    return replace(state, last_death=state.clock, questions=questions)


def _judge_knight_errant(state: Position, actions: Sequence[Action], _: Rng) -> Verdict:
    dusk = knight_errant_dusk(state)
    always = {
        (slot, str(a)) for slot, card in dusk.roles.items() for a, n in card.abilities.items() if n is None
    }
    return Verdict(knight_errant.resolve(dusk, actions), KNIGHT_ERRANT_WORDS, unlimited=frozenset(always))


def _judge_empowered(state: Position, actions: Sequence[Action], draw: Rng) -> Verdict:
    arrival = {action: place for place, action in enumerate(actions)}
    found = empowered.resolve(replace(empowered_dusk(state, draw), arrival=arrival), actions)
    marks = {POWERED: found.powered, INCARCERATED: found.incarcerated, LOST: found.lost}
    return Verdict(found.night, EMPOWERED_WORDS, marks=marks)


def _judge_custom(state: Position, actions: Sequence[Action], _: Rng) -> Verdict:
    """Raises DecisionNeeded where actions change each other in a ring (CM-R2)."""
    found = resolve_custom(custom_dusk(state), actions)
    if isinstance(found, Knot):
        ring = ", ".join(said(CUSTOM_WORDS, action) for action in found.actions)
        raise DecisionNeeded(
            f"Actions change each other in a ring: {ring}. Only you can say what goes first (CM-R2): "
            "knightfall resolve shows what would come of each order."
        )
    went = {turn.sent: turn.went for turn in found.turned}
    return Verdict(found.night, custom_words(found), went=went)


def _ruled_knight_errant(state: Position, options: Mapping[str, object]) -> Position:
    """An option may rewrite a card."""
    rules = knight_errant.parse_options(options)
    cards = {slot: rules.roles[card.name] for slot, card in state.cards.items()}
    return replace(state, rules=rules, cards=cards)


def _ruled_empowered(state: Position, options: Mapping[str, object]) -> Position:
    return replace(state, rules=empowered.parse_options(options))


def _ruled_custom(state: Position, options: Mapping[str, object]) -> Position:
    """What the setup itself chooses holds where nothing else is said."""
    chosen = {name: value for name, value in options.items() if name != CUSTOM_SETUP}
    rules = custom_options.parse_options({**state.rules.setup.given, **chosen})
    return replace(state, rules=replace(state.rules, chosen=rules))


_PLAYS: Mapping[str, _Play] = {
    KNIGHT_ERRANT_ID: _Play(
        knight_errant.KNIGHT_ERRANT,
        KNIGHT_ERRANT_WORDS,
        knight_errant.OPTIONS,
        knight_errant.parse_options,
        lambda rules, name: rules.roles[name],
        _judge_knight_errant,
        _ruled_knight_errant,
    ),
    EMPOWERED_ID: _Play(
        empowered.EMPOWERED,
        EMPOWERED_WORDS,
        empowered.OPTIONS,
        empowered.parse_options,
        lambda _, name: empowered.ROLES[name],
        _judge_empowered,
        _ruled_empowered,
    ),
    CUSTOM_ID: _Play(
        CUSTOM_MAFIA,
        CUSTOM_WORDS,
        custom_options.OPTIONS,
        custom_options.parse_options,
        lambda _, name: parse_role(name),
        _judge_custom,
        _ruled_custom,
    ),
}


_MEANS: Mapping[str, frozenset[str]] = {
    "kill": frozenset({"mafia_kill", "murder"}),
    "check": frozenset({"cop", "gunsmith", "investigate"}),
    "investigate": frozenset({"cop", "gunsmith"}),
    "block": frozenset({"roleblock"}),
    "jail": frozenset({"incarcerate"}),
    "heal": frozenset({"protect"}),
    "watch": frozenset({"stakeout"}),
    "shoot": frozenset({"vig"}),
}
_DEEDS: Mapping[str, str] = {
    "mafia_kill": "kill of",
    "cop": "check of",
    "gunsmith": "gun check of",
    "empower": "empowering of",
    "amplify": "amplifying of",
    "protect": "protection of",
    "incarcerate": "incarceration of",
    "investigate": "investigation of",
    "stakeout": "watch of",
    "vig": "shot at",
    "murder": "murder of",
    "detonate": "explosion on",
    "guard": "guarding of",
    "redirect": "redirection of",
    "rolecop": "role check of",
    "bomb": "blast at",
    "love": "love for",
}


def means(words: Words, written: str, action: Action) -> bool:
    """Whether a moderator may call the action so: by its ability in either game's words, or by its line."""
    said = written.casefold()
    names = (action.ability, word(action.ability), words.notation(action).casefold())
    return said in names or action.ability in _MEANS.get(said, ())


def deed(action: Action) -> str:
    """As a thing to talk about: `Fen's roleblock of Gale`, `Kestrel's commute`."""
    noun = _DEEDS.get(action.ability, f"{word(action.ability)} of")
    aim = f"{noun} {' and '.join(action.targets)}" if action.targets else word(action.ability)
    return f"{action.actor}'s {aim}"


def told(answer: Answer | None) -> str:
    """What an investigator reads: names with commas, a word, or that there is no message."""
    return "nothing" if answer is None else answer_text(answer)


def not_taken(slot: SlotId, line: str, why: Refusal) -> str:
    """A line that the game refused, with code and sentence."""
    return f"{slot}: not taken: “{line}”: {why.code}: {why.text}"
