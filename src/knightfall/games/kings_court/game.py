"""King's Court on the core protocol: what is open, and what a message or a closing window changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from knightfall.engine.commands import lines_of
from knightfall.engine.game import (
    Announced,
    Awaited,
    Event,
    Facts,
    Game,
    Message,
    Outcome,
    PlayerList,
    Silence,
    Spec,
    Step,
    View,
    Window,
)
from knightfall.engine.lines import Choices, descend
from knightfall.engine.rng import Rng
from knightfall.games.kings_court import posts, views
from knightfall.games.kings_court.aftermath import close_candidates, close_tokens
from knightfall.games.kings_court.deal import PLAYERS, check_slots, deal
from knightfall.games.kings_court.elections import candidates, close_tie, close_vote
from knightfall.games.kings_court.events import (
    CandidateNamed,
    DrawnByHand,
    Ending,
    Opening,
    SetupPost,
    TokensGiven,
)
from knightfall.games.kings_court.legality import Code
from knightfall.games.kings_court.lines import line_tree
from knightfall.games.kings_court.moderation import moderate, refuse
from knightfall.games.kings_court.notation import Verb, plain
from knightfall.games.kings_court.options import (
    BEGUN_WITH,
    FIRST_DEADLINE,
    OPTIONS,
    RULINGS,
    SEEDS,
    parse_garnets,
    parse_options,
)
from knightfall.games.kings_court.seats import called, court_text, seats_of
from knightfall.games.kings_court.sheets import deal_sheet, one_sheet
from knightfall.games.kings_court.state import (
    DEATHMATCH,
    FROZEN,
    OPEN,
    Move,
    Phase,
    State,
    deadline,
    phase_of,
    then,
)
from knightfall.games.kings_court.submissions import final_lines, receipt, refusal, take
from knightfall.sentence import SlotId

SHOP = "shop"
MOST_DEALS = 15
"""KC-23, KC-39: four attempts, and a new deal for each of eleven players who are removed."""
_END = ("play", "end")
_DEALT = ("kc.king", "kc.dukes", "kc.annoyed", "kc.hint")
_AT_THE_END = ("kc.tol", "kc.deadlock_coin")
_SILENCE: Mapping[str, Silence] = {
    Phase.VOTE: Silence("no vote in this round, and a fine of 1 garnet", "KC-06"),
    Phase.TIE: Silence("no say in which of the tied players joins", "KC-10"),
    Phase.TOL: Silence("no say in what becomes of the two tokens", "KC-30"),
    Phase.EC: Silence("no say in who the elimination candidate is", "KC-34"),
    SHOP: Silence("nothing is bought"),
}
_TITLES: Mapping[Phase, str] = {
    Phase.TOL: "Tokens of Life",
    Phase.EC: "Elimination candidate",
    Phase.COIN: "Deadlock coin",
    Phase.DMO: "Deathmatch opponent",
}
_CLOSES: Mapping[Phase, Callable[[State, datetime, Rng], Move]] = {
    Phase.VOTE: close_vote,
    Phase.TIE: close_tie,
    Phase.TOL: close_tokens,
    Phase.EC: close_candidates,
}


class KingsCourt(Game[State]):
    """A match from the deal to the death-match."""

    spec = Spec(
        "kings_court",
        "King's Court",
        range(PLAYERS, PLAYERS + 1),
        OPTIONS,
        RULINGS,
        ("kc_02",),
        BEGUN_WITH,
    )

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """KC-01: deal. Raises InputError for another number of names or a bad option."""
        check_slots(slots)
        rules, garnets = parse_options(options), parse_garnets(options, slots)
        state = State(tuple(slots), rules, deal(slots, rules, draw, 1), garnets)
        return Step(state, (posts.opening(state), *posts.role_pms(state), deal_sheet(state)))

    def begin(
        self, slots: Sequence[SlotId], options: Mapping[str, object], at: datetime, draw: Rng
    ) -> Step[State]:
        """KC-02: round 1 is open from the start on, and its deadline stands in the first post."""
        step = self.setup(slots, options, draw)
        if step.state.rules[FIRST_DEADLINE] == "unset":
            return step
        state = step.state._replace(opened=at)
        return Step(state, (posts.opening(state), *step.events[1:]))

    def setup_post(
        self,
        slots: Sequence[SlotId],
        options: Mapping[str, object],
    ) -> Facts | None:
        """The rules of the match in full, with the options chosen; balances are private (KC-01)."""
        return SetupPost(posts.terms_of(parse_options(options)))

    def windows(self, state: State) -> tuple[Window, ...]:
        """What the phase waits for, and beside it the purchases and gifts that need no deadline.

        A tie is everybody's window: who else could send a list must not be told from it (KC-11).
        """
        if state.phase is Phase.DONE:
            return ()
        tie = "Tie of round" if state.phase is Phase.TIE else "Round"
        main = Window(
            str(state.phase),
            _TITLES.get(state.phase, f"{tie} {state.round}"),
            _awaited(state),
            True,
            state.opened,
            deadline(state),
            fixed=state.phase is Phase.TIE,
        )
        return (main,) if state.phase in FROZEN else (main, Window(SHOP, "Garnets", _present(state), True))

    def submit(self, state: State, message: Message, draw: Rng) -> Step[State]:
        """Lines in order; a refused one changes nothing. Gifts are possible after the end (KC-37)."""
        slot, said = message.slot, lines_of(message.text)
        step: Move = Step(state)
        for line in said:
            step = then(step, partial(_line, message=message, line=line, draw=draw))
        step = one_sheet(step)
        if slot is None or slot not in _present(state):
            return step
        refused = {line for line, _ in step.refused}
        final = final_lines((line for line in said if line not in refused), state, message.aliases)
        return Step(step.state, (*step.events, receipt(step.state, slot, message.at, final)), step.refused)

    def close(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:
        """The time of the phase is up. A DMO or a coin that is not named waits for the moderator."""
        if kind == SHOP and state.phase in OPEN:
            return refuse(
                state, f"close {kind}", Code.WRONG_PHASE, "the shop closes by itself, when the King joins"
            )
        if kind != state.phase or state.phase is Phase.DONE:
            return refuse(state, f"close {kind}", Code.WRONG_PHASE, f"no {kind} is open now")
        if state.phase not in _CLOSES:
            return refuse(state, f"close {kind}", Code.UNDECIDED, "say who it is, for example: dmo NAME")
        return one_sheet(_CLOSES[state.phase](state, at, draw))

    def moved(self, state: State, kind: str, until: datetime | None, at: datetime) -> State:
        """KC-02: posts, PMs and receipts tell the deadline that holds."""
        return state._replace(moved=(phase_of(state), until)) if kind == state.phase else state

    def continuations(self, state: State, slot: SlotId | None, parts: tuple[str, ...] = ()) -> Choices:
        """Votes, lists, looks, purchases and gifts; of the moderator what they must decide."""
        return descend(line_tree(state, slot), parts)

    def awaits(self, state: State, window: Window) -> tuple[Awaited, ...]:
        """Ballots of who is outside the court; in a tie the King alone, where they have a choice, though
        everybody has the window (KC-11). Nobody has to buy or give anything."""
        if window.kind == SHOP:
            return ()
        slots = window.slots
        if state.phase is Phase.TIE:  # KC-08: tied with one other the King has nothing to decide
            slots = (state.king,) if len(candidates(state)) > 1 else ()
        present = _present(state)
        return tuple(Awaited(slot, _answer(state, slot)) for slot in slots if slot in present)

    def listens(self, state: State, slot: SlotId) -> bool:
        """Whoever was not removed, to the end and after it (KC-37, KC-39)."""
        return slot in _present(state)

    def silence(self, kind: str) -> Silence | None:
        """KC-06, KC-10, KC-30 and KC-34; the same by every option."""
        return _SILENCE.get(kind)

    def seals(self, options: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
        """KC-23: a seed for each deal that there can be, and one for what is drawn in public at the end. Ties
        and covers have another one, which is never published."""
        if parse_options(options)[SEEDS] == "one":
            return ()
        return (*(("deal", str(number)) for number in range(1, MOST_DEALS + 1)), _END)

    def published(self, state: State) -> tuple[tuple[str, ...], ...]:
        """KC-23: the last attempt alone; nothing of a match that began with one seed for all."""
        return (("deal", str(state.deals)), _END) if state.rules[SEEDS] == "each_attempt" else ()

    def opening_now(self, state: State, opening: Facts) -> Facts:
        """The deadline of round 1 as it is now, and none once that round is over."""
        if not isinstance(opening, Opening):
            return opening
        first = state.phase is Phase.VOTE and not state.polls and state.deals == 1
        return replace(opening, deadline=deadline(state) if first else None)

    def retold(self, event: Announced) -> Announced:
        """Nobody is asked for tokens, a candidate or an opponent once the match is over."""
        facts = event.facts
        if isinstance(facts, Ending | TokensGiven | CandidateNamed):
            return Announced(replace(facts, over=True))
        return event

    def drawn_by_hand(self, state: State, label: str, value: object) -> Event | None:
        """KC-24: nobody learns of a tie, a cover or a check that it was drawn; of a deal everybody does."""
        if label.startswith(_DEALT):
            return Announced(DrawnByHand("deal", state.attempt))
        return Announced(DrawnByHand("end", state.attempt)) if label.startswith(_AT_THE_END) else None

    def forbidden_words(self, state: State) -> tuple[str, ...]:
        """KC-23: old roles of others stay secret, after the end, too."""
        shown = state.end is not None and state.end.kind != DEATHMATCH  # KC-24: these are told
        told = state.deal.roles if shown else {}
        old = {
            (slot, str(role))
            for past in state.past_deals
            for slot, role in past.roles.items()
            if slot != past.king and told.get(slot) is not role
        }
        return tuple(
            f"{slot} {between}{role}" for slot, role in sorted(old) for between in ("", "was ", "was a ")
        )

    def view(self, state: State, slot: SlotId | None) -> View:
        """What that slot, or the public, may know."""
        return views.view(state, slot)

    def board(self, state: State, slot: SlotId | None, names: Mapping[SlotId, str]) -> str:
        """The court, which everybody may see, with everybody as they are called now."""
        return court_text(called(seats_of(state), names))

    def playing(self, state: State) -> tuple[SlotId, ...]:
        """Who is in the court or outside."""
        return tuple(slot for slot in state.slots if slot not in state.removed)

    def player_lists(self, state: State) -> tuple[PlayerList, ...]:
        """Who is outside, in the court in order of election, and out of the game."""
        removed = tuple(slot for slot in state.slots if slot in state.removed)
        rows = {"Outside the court": state.outside, "In the court": state.court, "Removed": removed}
        return tuple(PlayerList(title, tuple((slot, "") for slot in slots)) for title, slots in rows.items())

    def roles(self, state: State) -> Mapping[SlotId, str]:
        """The roles of the latest deal."""
        return {slot: str(role) for slot, role in state.deal.roles.items()}

    def hidden_roles(self, state: State) -> Mapping[SlotId, str]:
        """Everybody's, until the end tells them all (KC-24)."""
        playing = frozenset((*state.court, *state.outside))
        return {slot: role for slot, role in self.roles(state).items() if slot in playing and not state.end}

    def outcome(self, state: State) -> Outcome | None:
        """Who won, once the opponents of the Deathmatch are known; four early Kings: nobody."""
        if state.phase is not Phase.DONE or state.end is None:
            return None
        return Outcome(None if state.end.kind == DEATHMATCH else state.end.kind, state.end.winners)


KINGS_COURT = KingsCourt()


def _present(state: State) -> tuple[SlotId, ...]:
    """KC-39: who was removed sends nothing any more."""
    return tuple(slot for slot in state.slots if slot not in state.removed) if state.removed else state.slots


def _answer(state: State, slot: SlotId) -> tuple[str, ...]:
    """What of a slot's stands that the closing of the phase asks for: its vote, or its list for the tie."""
    match state.phase:
        case Phase.VOTE if slot in state.ballots:
            return (plain(Verb.VOTE, state.ballots[slot]),)
        # KC-08: a list that names none of the tied counts as no list.
        case Phase.TIE if slot == state.king and set(state.tiebreak) & set(candidates(state)):
            return (plain(Verb.TIEBREAK, *state.tiebreak),)
        case Phase.EC if state.end and slot in state.end.ballots:
            return (plain(Verb.EC, state.end.ballots[slot]),)
    return ()


def _line(state: State, message: Message, line: str, draw: Rng) -> Move:
    slot = message.slot
    # What a line opens begins no earlier than what it closes, whatever time the message was given.
    at = max(message.at, state.opened or message.at)
    if slot is None:
        return moderate(state, line, message.aliases, at, draw)
    if slot not in _present(state):
        return Step(state, (), ((line, refusal(state, slot, Code.NOT_A_PLAYER)),))
    return take(state, slot, line, message.aliases, at, draw)


def _awaited(state: State) -> tuple[SlotId, ...]:
    """Whom the phase waits for."""
    present, end = _present(state), state.end
    match state.phase:
        case Phase.VOTE:
            return tuple(slot for slot in state.outside if slot in present)
        case Phase.TOL:
            return (state.king,)
        case Phase.EC:
            return end.winners if end else ()
        case Phase.DMO:
            return (end.ec,) if end and end.ec else ()
        case Phase.COIN:
            return ()
        case _:
            return present
