"""The lines that a player of Knight's Duty or the moderator can send now, part by part.

A plan is one line, its rounds with ` / ` between them. What an option lets a player add stands where it does
something: `YIELD` behind a move, `FIRST`, `LAST` and `PICK` behind an attack (KD-08, KD-14, KD-16, KD-22).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from knightfall.engine.lines import (
    NOTHING,
    Choices,
    Part,
    PartKind,
    Pick,
    a_slot,
    a_word,
    beside,
    either,
    last,
    optional,
    then,
)
from knightfall.games.knights_duty.board import STAY, STEPS
from knightfall.games.knights_duty.plan import (
    LIMITS,
    REACH,
    ROUNDS,
    WEAPONS,
    WOUNDED_ROUNDS,
    Extra,
    Token,
    entry_at,
)
from knightfall.games.knights_duty.rounds import shares
from knightfall.games.knights_duty.staging import asked
from knightfall.games.knights_duty.state import Knight, Phase, State
from knightfall.games.knights_duty.submissions import MODKILLED
from knightfall.sentence import SlotId

BETWEEN = " / "
_MOST_CARDS = 9
"""A card is picked by one digit."""
_PILE = 5
"""So many places a pile is laid out in."""
_MOST_TURNS = 999


def line_tree(state: State, slot: SlotId | None) -> Choices:
    """Everything that this slot (None: the moderator) can send."""
    if state.phase is Phase.OVER:
        return NOTHING
    if slot is None:
        return beside(NOTHING, lambda: _moderator(state))
    knight = state.living.get(slot)
    if knight is None:
        return NOTHING
    match state.phase:
        case Phase.SETUP:
            starts = _starts("START ", state.board.starts)
            return either(starts, _WEAPONS) if state.rules["kd_27"] == "chosen" else starts
        case Phase.TURN:
            plan = _plan(state, knight, _rounds(state, knight)).next_round((), knight.pos)
            return either(plan, _shuffle()) if state.rules["cards"] == "picked" else plan
        case _:
            return _answer(state, knight) if slot in asked(state) else NOTHING


_WEAPONS = last(a_word(f"WEAPON {weapon.upper()}") for weapon in WEAPONS)


def _starts(before: str, left: Sequence[str]) -> Choices:
    """KD-28: start spaces, best first."""

    def further(pick: Pick) -> Choices:
        return optional(_starts(", ", [space for space in left if space != pick.part.space]))

    return then((Part(f"{before}{one}", PartKind.SPACE, f"start on {one}", one) for one in left), further)


def _shuffle(left: Sequence[int] = range(1, _PILE + 1)) -> Choices:
    """How a knight lays out the piles of attacks on it, where attackers pick."""
    if len(left) == _PILE:
        return then([a_word("SHUFFLE")], lambda _: _places(left))
    return _places(left)


def _places(left: Sequence[int]) -> Choices:
    def further(pick: Pick) -> Choices:
        rest = [place for place in left if f" {place}" != pick.text]
        return _places(rest) if rest else optional(NOTHING)

    return then((a_word(f" {place}") for place in left), further)


def _rounds(state: State, knight: Knight) -> int:
    """KD-04, KD-06: how many entries a plan can have."""
    return ROUNDS if knight.heart or state.rules["kd_06"] == "any_two" else WOUNDED_ROUNDS


def _answer(state: State, knight: Knight) -> Choices:
    """KD-29: the token of the round lies, and its player says where to, or whom."""
    plan, token = _plan(state, knight, 1), entry_at(state.plans.get(knight.slot, ()), len(state.rounds)).token
    if token is Token.MOVE:
        return plan.moves((), knight.pos, f"{token.upper()} ")
    return then([a_word(token.upper())], lambda _: plan.entry((token,), knight.pos))


@dataclass(frozen=True, slots=True)
class _Plan:
    """A plan being laid: of which knight, in how many rounds, whom it can name, and what may be added."""

    state: State
    knight: Knight
    rounds: int
    others: Mapping[SlotId, str]
    added: Mapping[Token, tuple[str, ...]]

    def next_round(self, laid: tuple[Token, ...], here: str) -> Choices:
        """KD-03: the tokens that are left for the next round, of a knight that stands there if its moves go
        through; nothing after the last round."""
        if len(laid) == self.rounds:
            return NOTHING
        rules, before = self.state.rules, BETWEEN if laid else ""
        # KD-06, the variant: two of three rounds, whichever.
        passed = laid.count(Token.PASS)
        tired = not self.knight.heart and self.rounds == ROUNDS and len(laid) - passed == WOUNDED_ROUNDS
        tokens = (Token.PASS,) if tired else _TOKENS if rules["inspiration"] == "action" else _USUAL
        left = [one for one in tokens if laid.count(one) < LIMITS.get(one, ROUNDS)]
        moves = NOTHING
        if Token.MOVE in left and rules["mode"] != "staged":
            left.remove(Token.MOVE)
            moves = self.moves(laid, here, f"{before}{Token.MOVE.upper()} ")
        parts = [_token(before, one) for one in left]
        return either(
            moves, then(parts, lambda pick: self.entry((*laid, left[parts.index(pick.part)]), here))
        )

    def moves(self, laid: tuple[Token, ...], here: str, before: str) -> Choices:
        """KD-07: a move in each direction of the board; KD-10: one off it spends the token."""
        leads, ways = self.state.board.steps[here], (*STEPS[self.state.board.grid], STAY)

        def moved(pick: Pick) -> Choices:
            return self.entry((*laid, Token.MOVE), pick.part.space or here, aimed=True)

        return then([_move(before, way, leads.get(way, "")) for way in ways], moved)

    def entry(self, laid: tuple[Token, ...], here: str, *, aimed: bool = False) -> Choices:
        """What can stand behind the latest token, or the next round. `aimed`: a move says where to."""
        if laid[-1] in REACH:
            return self._wishes(laid, here, self.others)
        extras = self._extras(laid, here, self.added[laid[-1]])
        if laid[-1] is Token.MOVE and not aimed:
            return optional(either(self.moves(laid[:-1], here, " "), extras))
        return extras

    def _wishes(self, laid: tuple[Token, ...], here: str, left: Mapping[SlotId, str]) -> Choices:
        """KD-15: whom to attack of those left, best first, and nobody else."""
        named = len(left) < len(self.others)
        before = ", " if named else " @ "
        added = self.added[laid[-1]]

        def wished(pick: Pick) -> Choices:
            return self._wishes(
                laid, here, {slot: pos for slot, pos in left.items() if slot != pick.part.slot}
            )

        wishes = then([a_slot(slot, before, pos) for slot, pos in left.items()], wished)
        only = then([_ONLY] if named else (), lambda _: self._extras(laid, here, added))
        return optional(either(wishes, only, self._extras(laid, here, added)))

    def _extras(self, laid: tuple[Token, ...], here: str, words: Sequence[str]) -> Choices:
        """These words in their order, any of them or none, then the next round."""
        more = self.next_round(laid, here)
        if not words:
            return optional(more)
        parts = [_PICKED if word == _PICK else a_word(word) for word in words]

        def added(pick: Pick) -> Choices:
            return self._extras(laid, here, words[parts.index(pick.part) + 1 :])

        return optional(either(then(parts, added), more))


def _plan(state: State, knight: Knight, rounds: int) -> _Plan:
    others = {slot: one.pos for slot, one in state.living.items() if one is not knight}
    rules = state.rules
    told = _added(rules["kd_08"], rules["kd_14"], rules["inspiration"], rules["cards"])
    return _Plan(state, knight, rounds, others, told)


@cache
def _added(rivals: str, order: str, inspiration: str, cards: str) -> Mapping[Token, tuple[str, ...]]:
    """What the options let players add to each token, in the order in which it is written."""
    found: dict[Token, tuple[str, ...]] = {}
    for token in Token:
        ordered = token in REACH and order == "attackers_choose"
        allowed = {
            Extra.FIRST: ordered,
            Extra.INSPIRED: inspiration in ("token", "token_shield"),
            Extra.LAST: ordered,
            Extra.YIELD: token is Token.MOVE and rivals == "agreement",
        }
        words = tuple(f" {extra.upper()}" for extra in sorted(allowed) if allowed[extra])
        found[token] = (*words, _PICK) if token in REACH and cards == "picked" else words
    return found


_PICK = " PICK "
_PICKED = Part(_PICK, PartKind.NUMBER, "pick card", least=1, most=_MOST_CARDS)
_ONLY = a_word(" ONLY", "nobody else")
_USUAL = (*WEAPONS, Token.SHIELD, Token.PARRY, Token.MOVE, Token.PASS)
_TOKENS = (*_USUAL, Token.INSPIRATION)


@cache
def _token(before: str, token: Token) -> Part:
    return Part(f"{before}{token.upper()}", PartKind.TOKEN)


@cache
def _move(before: str, way: str, space: str) -> Part:
    said = f"{before}{way}"
    off = way != STAY and not space
    return Part(said, PartKind.TOKEN, f"{said.strip(' /')}, off the board" if off else "", space)


def _moderator(state: State) -> Choices:
    """Who is taken out or back, and the last turn (KD-32)."""
    held = {one.pos for one in state.living.values() if one.pos}
    back = [
        slot
        for slot, knight in state.knights.items()
        if knight.left == MODKILLED and (knight.pos not in held or shares(state.rules))
    ]
    limit = Part("last turn ", PartKind.NUMBER, "last turn", least=max(state.turn, 1), most=_MOST_TURNS)
    limits = last([limit, a_word("last turn none", "no last turn")])
    return either(_named("modkill", state.living), _named("revive", back), limits)


def _named(word: str, slots: Collection[SlotId]) -> Choices:
    return then([a_word(word)] if slots else (), lambda _: last(map(a_slot, slots)))
