"""Tables of Knight's Duty for tests: knights where a test wants them, cards as it wants them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from knightfall.engine.game import Message, Step
from knightfall.engine.rng import Rng, ScriptedRng, SeededRng
from knightfall.games.knights_duty import (
    KNIGHTS_DUTY,
    Knight,
    Phase,
    State,
    Token,
    choose_board,
    parse_options,
)
from knightfall.sentence import SlotId

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)
CLANS = ("purple", "red", "yellow", "aqua", "blue", "green")
LISTED = frozenset(("kd.card", "kd.target", "kd.order"))


def knight(pos: str, weapon: str | None = "sword", heart: bool = True) -> Knight:
    """A knight who has no name yet."""
    return Knight(SlotId(""), "", pos, Token(weapon) if weapon else None, heart)


def table(knights: Mapping[str, str | Knight], **options: object) -> State:
    """A turn open, the knights in seat order; a space alone is a knight with a sword and its Heart up."""
    rules = parse_options(options)
    seated = {}
    for clan, (name, where) in zip(CLANS, knights.items(), strict=False):
        one = knight(where) if isinstance(where, str) else where
        slot = SlotId(name)
        seated[slot] = Knight(slot, clan, one.pos, one.weapon, one.heart, fresh=one.fresh)
    limit = None if rules["max_turns"] == "none" else int(rules["max_turns"])
    return State(rules, choose_board(rules), seated, Phase.TURN, 1, limit, NOON)


def send(state: State, slot: str, text: str) -> Step[State]:
    """What a PM of that slot does."""
    return KNIGHTS_DUTY.submit(state, Message(SlotId(slot), text, NOON), SeededRng(b""))


def laid(state: State, plans: Mapping[str, str]) -> State:
    """The state with these plans on file; none may be refused."""
    for slot, text in plans.items():
        step = send(state, slot, text)
        assert step.refused == (), step.refused
        state = step.state
    return state


def close(state: State, draw: Rng | None = None) -> Step[State]:
    """Whatever is open is closed."""
    return KNIGHTS_DUTY.close(state, str(state.phase), NOON, draw or SeededRng(b"table"))


def play(state: State, plans: Mapping[str, str], *cards: tuple[str, str], draw: Rng | None = None) -> State:
    """The turn played by these plans with these cards, all of them and no others."""
    scripted = ScriptedRng([*cards], SeededRng(b"table"), LISTED)
    after = close(laid(state, plans), draw or scripted).state
    assert scripted.unused == ()
    return after


def attacks(state: State) -> dict[str, str]:
    """The attacks of the latest turn in short: `R1:Ada` → `Bob:Hit`."""
    return {
        f"R{played.number}:{one.attacker}": f"{one.target}:{one.card}" + ":disarmed" * one.disarmed
        if one.target
        else "forfeit"
        for played in state.rounds
        for one in played.attacks
    }


def six() -> State:
    """Six knights in the middle of the board, two of them maimed."""
    return table(
        {
            "Ada": knight("E3"),
            "Boro": knight("E6", "spear"),
            "Cinder": knight("C4", "bow"),
            "Dusk_77": knight("G4", "sword", heart=False),
            "Elm": knight("F6", "spear", heart=False),
            "Fen": knight("B2", None),
        }
    )


SIX_PLANS = {
    "Ada": "1: MOVE E\n2: SWORD @ Boro\n3: SWORD @ Boro, Elm",
    "Boro": "1: MOVE W\n2: PARRY\n3: SPEAR @ Ada",
    "Cinder": "1: BOW @ Fen\n2: BOW @ Dusk_77 ONLY\n3: MOVE SW",
    "Dusk_77": "1: MOVE NE\n2: SWORD @ Elm",
    "Elm": "1: SPEAR @ Cinder\n2: SPEAR",
    "Fen": "1: SHIELD\n2: MOVE SE\n3: MOVE SE",
}
SIX_CARDS = (
    ("kd.card:R1:Cinder->Fen", "Shield"),
    ("kd.card:R1:Elm->Cinder", "Hit"),
    ("kd.card:R2:Ada->Boro", "Miss"),
    ("kd.card:R2:Cinder->Dusk_77", "Miss"),
    ("kd.card:R2:Dusk_77->Elm", "Hit"),
    ("kd.card:R2:Elm->Dusk_77", "Miss"),
    ("kd.card:R3:Boro->Ada", "Hit"),
)


def six_played() -> Step[State]:
    """A turn of six in which nearly everything happens."""
    scripted = ScriptedRng([*SIX_CARDS], SeededRng(b"table"), LISTED)
    return close(laid(six(), SIX_PLANS), scripted)
