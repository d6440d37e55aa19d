"""King's Court on the core protocol: what is open, and what a message or a closing window changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar

from knightfall.engine.commands import Order, lines_of
from knightfall.engine.game import (
    Announced,
    Awaited,
    Event,
    Facts,
    Message,
    Outcome,
    PlayerList,
    Refusal,
    Refused,
    SeasonBook,
    Silence,
    Spec,
    Step,
    Window,
    refuse,
)
from knightfall.engine.lines import Choices
from knightfall.engine.rng import Rng
from knightfall.engine.round_game import RoundGame
from knightfall.games.kings_court import views
from knightfall.games.kings_court.events import (
    CandidateNamed,
    DrawnByHand,
    Ending,
    Opening,
    SetupPost,
    TokensGiven,
)
from knightfall.games.kings_court.options import (
    BEGUN_WITH,
    FIGURES,
    FIRST_DEADLINE,
    OPTIONS,
    RULINGS,
    SEEDS,
    parse_garnets,
    parse_options,
)
from knightfall.games.kings_court.orders import (
    Code,
    awaited,
    decide,
    final_lines,
    line_tree,
    moderate,
    receipt,
    refusal,
    take,
)
from knightfall.games.kings_court.rules import (
    candidates,
    close_candidates,
    close_tie,
    close_tokens,
    close_vote,
    season_book,
)
from knightfall.games.kings_court.state import (
    DEATHMATCH,
    FROZEN,
    Move,
    Phase,
    Role,
    State,
    Verb,
    called,
    check_slots,
    court_text,
    deadline,
    deal,
    phase_of,
    plain,
    seats_of,
)
from knightfall.games.kings_court.views import deal_sheet, one_sheet
from knightfall.sentence import SlotId

SHOP = "shop"
MOST_DEALS = 15
"""KC-23, KC-39: four attempts, and a new deal for each of eleven players who are removed."""
_END = ("play", "end")
_DEALT = ("kc.king", "kc.dukes", "kc.annoyed", "kc.hint")
_AT_THE_END = ("kc.tol", "kc.deadlock_coin")
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


class KingsCourt(RoundGame[State]):
    """A match from the deal to the death-match."""

    spec = Spec(
        "kings_court",
        "King's Court",
        range(FIGURES.players, FIGURES.players + 1),
        OPTIONS,
        RULINGS,
        ("kc_02",),
        BEGUN_WITH,
    )
    silences: ClassVar[Mapping[str, Silence]] = {
        Phase.VOTE: Silence("no vote in this round, and a fine of 1 garnet", "KC-06"),
        Phase.TIE: Silence("no say in which of the tied players joins", "KC-10"),
        Phase.TOL: Silence("no say in what becomes of the two tokens", "KC-30"),
        Phase.EC: Silence("no say in who the elimination candidate is", "KC-34"),
        SHOP: Silence("nothing is bought"),
    }

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """KC-01: deal. Raises InputError for another number of names or a bad option."""
        check_slots(slots)
        rules, garnets = parse_options(options), parse_garnets(options, slots)
        state = State(tuple(slots), rules, deal(slots, rules, draw, 1), garnets)
        return Step(state, (views.opening(state), *views.role_pms(state), deal_sheet(state)))

    def begin(
        self, slots: Sequence[SlotId], options: Mapping[str, object], at: datetime, draw: Rng
    ) -> Step[State]:
        """KC-02: round 1 is open from the start on, and its deadline stands in the first post."""
        step = self.setup(slots, options, draw)
        if step.state.rules[FIRST_DEADLINE] == "unset":
            return step
        state = step.state._replace(opened=at)
        return Step(state, (views.opening(state), *step.events[1:]))

    def setup_post(
        self,
        slots: Sequence[SlotId],
        options: Mapping[str, object],
    ) -> Facts | None:
        """The rules of the match in full, with the options chosen; balances are private (KC-01)."""
        return SetupPost(parse_options(options).public(OPTIONS), FIGURES)

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
            awaited(state),
            True,
            state.opened,
            deadline(state),
            fixed=state.phase is Phase.TIE,
            choice=state.phase in (Phase.TOL, Phase.EC, Phase.DMO),
        )
        return (
            (main,)
            if state.phase in FROZEN
            else (
                main,
                Window(SHOP, "Garnets", state.present, True, by_itself=True),
            )
        )

    def take(self, state: State, lines: tuple[str, ...], message: Message, draw: Rng) -> Move:
        """Line by line, and all of it on one sheet. Gifts are possible after the end (KC-37)."""
        return one_sheet(super().take(state, lines, message, draw))

    def take_line(self, state: State, line: str, message: Message, draw: Rng) -> Move:
        """One line of a player or of the moderator."""
        slot = message.slot
        # What a line opens begins no earlier than what it closes, whatever time the message was given.
        at = max(message.at, state.opened or message.at)
        if slot is None:
            return moderate(state, line, message.aliases, at, draw)
        return take(state, slot, line, message.aliases, at, draw)

    def obey(self, state: State, order: Order, at: datetime, draw: Rng) -> Move:
        """Removals and revivals."""
        return one_sheet(decide(state, order, max(at, state.opened or at), draw))

    def receipt(self, state: State, slot: SlotId, message: Message, refused: Refused) -> tuple[Event, ...]:
        """What is final, what is on file, until when it may change."""
        not_taken = {line for line, _ in refused}
        taken = (line for line in lines_of(message.text, message.aliases) if line not in not_taken)
        return (receipt(state, slot, message.at, final_lines(taken, state, message.aliases)),)

    def reveal(self, state: State, kind: str, at: datetime, draw: Rng) -> Move:
        """The time of the phase is up. A DMO or a coin that is not named waits for the moderator."""
        if kind == SHOP:
            return refuse(
                state, f"close {kind}", Code.WRONG_PHASE, "the shop closes by itself, when the King joins"
            )
        if state.phase not in _CLOSES:
            verb = "coin" if state.phase is Phase.COIN else "dmo"
            return refuse(state, f"close {kind}", Code.UNDECIDED, f"say who it is: `{verb} NAME`")
        return one_sheet(_CLOSES[state.phase](state, at, draw))

    def moved(self, state: State, kind: str, until: datetime | None, at: datetime) -> State:
        """KC-02: posts, PMs and receipts tell the deadline that holds."""
        return state._replace(moved=(phase_of(state), until)) if kind == state.phase else state

    def lines(self, state: State, slot: SlotId | None) -> Choices:
        """Votes, lists, looks, purchases and gifts; of the moderator what they must decide."""
        return line_tree(state, slot)

    def awaits(self, state: State, window: Window) -> tuple[Awaited, ...]:
        """Ballots of who is outside the court; in a tie the King alone, where they have a choice, though
        everybody has the window (KC-11). Nobody has to buy or give anything."""
        if window.kind == SHOP:
            return ()
        slots = window.slots
        if state.phase is Phase.TIE:  # KC-08: tied with one other the King has nothing to decide
            slots = (state.king,) if len(candidates(state)) > 1 else ()
        playing = tuple(slot for slot in slots if slot in state.present)
        return super().awaits(state, replace(window, slots=playing))

    def standing(self, state: State, kind: str, slot: SlotId) -> tuple[str, ...]:
        """What the closing of the phase asks for: a vote, a list for the tie, a choice of the EC."""
        match state.phase:
            case Phase.VOTE if slot in state.ballots:
                return (plain(Verb.VOTE, state.ballots[slot]),)
            # KC-08: a list that names none of the tied counts as no list.
            case Phase.TIE if slot == state.king and set(state.tiebreak) & set(candidates(state)):
                return (plain(Verb.TIEBREAK, *state.tiebreak),)
            case Phase.EC if state.end and slot in state.end.ballots:
                return (plain(Verb.EC, state.end.ballots[slot]),)
        return ()

    def unheard(self, state: State, slot: SlotId | None) -> Refusal | None:
        """KC-39: who was removed sends nothing any more; all others can to the end and after it (KC-37)."""
        return None if slot is None or slot in state.present else refusal(state, slot, Code.NOT_A_PLAYER)

    def seals(self, options: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
        """KC-23: a seed for each deal that there can be, and one for what is drawn in public at the end. Ties
        and covers have another one, which is never published."""
        if parse_options(options)[SEEDS] == "one":
            return ()
        return (*(("deal", str(number)) for number in range(1, MOST_DEALS + 1)), _END)

    def deal_plan(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Mapping[str, Any]:
        """The first attempt: the King, the Dukes, and who is left."""
        dukes, nobles = FIGURES.dukes, FIGURES.players - FIGURES.dukes - 1
        deck = [str(Role.KING), *[str(Role.DUKE)] * dukes, *[str(Role.NOBLE)] * nobles]
        return {"path": ["deal", "1"], "order": [["kc.king", 1], ["kc.dukes", dukes]], "deck": deck}

    def published(self, state: State) -> tuple[tuple[str, ...], ...]:
        """KC-23: the last attempt alone, unless a fourth early King ended it: all other roles stay secret
        then; nothing of a match that began with one seed for all."""
        if state.rules[SEEDS] != "each_attempt":
            return ()
        told = state.end is None or state.end.kind != DEATHMATCH
        return (("deal", str(state.deals)), _END) if told else (_END,)

    def opening_now(self, state: State, opening: Facts) -> Facts:
        """The deadline of round 1 as it is now, and none once that round is over."""
        if not isinstance(opening, Opening):
            return opening
        first = state.phase is Phase.VOTE and not state.polls and state.deals == 1
        return replace(opening, deadline=deadline(state) if first else None)

    def season_book(self, state: State, *, balances: bool) -> SeasonBook:
        """Garnets, Tokens of Life, Marks of Elimination and Opals of the match."""
        return season_book(state, balances=balances)

    def retold(self, event: Announced) -> Announced:
        """Nobody is asked for tokens, a candidate or an opponent once the match is over."""
        facts = event.facts
        if isinstance(facts, Ending | TokensGiven | CandidateNamed):
            return Announced(replace(facts, over=True))
        return event

    def drawn_by_hand(self, state: State, draws: Sequence[tuple[str, object]]) -> tuple[Event, ...]:
        """KC-24: nobody learns of a tie, a cover or a check that it was drawn; of a deal everybody does."""
        dealt = any(label.startswith(_DEALT) for label, _ in draws)
        ended = any(label.startswith(_AT_THE_END) for label, _ in draws)
        deal = (Announced(DrawnByHand("deal", state.attempt)),) if dealt else ()
        return (*deal, *((Announced(DrawnByHand("end", state.attempt)),) if ended else ()))

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

    def seen_by(self, state: State, slot: SlotId | None) -> Facts:
        """The court, and for a player what is their own."""
        return views.court_view(state, slot)

    def board(self, state: State, slot: SlotId | None, names: Mapping[SlotId, str]) -> str:
        """The court, which everybody may see, with everybody as they are called now."""
        return court_text(called(seats_of(state), names))

    def playing(self, state: State) -> tuple[SlotId, ...]:
        """Who is in the court or outside."""
        return state.present

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
