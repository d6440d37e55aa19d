"""Knight's Duty on the core protocol: what is open, and what a message or a closing window changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import ClassVar

from knightfall.engine.commands import Order
from knightfall.engine.game import (
    Announced,
    DeadPlayer,
    Event,
    Facts,
    Message,
    Noted,
    Outcome,
    PlayerList,
    Refused,
    Silence,
    Spec,
    Step,
    Window,
)
from knightfall.engine.lines import Choices
from knightfall.engine.rng import Rng
from knightfall.engine.round_game import RoundGame
from knightfall.games.knights_duty import rules, views
from knightfall.games.knights_duty.events import ByHand, Ending, HandDraw, ModeratorLimit, Opening
from knightfall.games.knights_duty.options import BEGUN_WITH, FIRST_DEADLINE, OPTIONS, RULINGS, parse_options
from knightfall.games.knights_duty.orders import (
    NOT_A_PLAYER,
    decide,
    line_tree,
    moderate,
    take_choice,
    take_order,
    take_plan,
)
from knightfall.games.knights_duty.rules import LIMIT_OFFERED, at_limit, outcome, play_turn, settled, told
from knightfall.games.knights_duty.state import (
    PLAYERS,
    Entry,
    Phase,
    State,
    check_slots,
    choose_board,
    deadline,
    entry_at,
    phase_of,
    placed,
    seated,
    write_entry,
)
from knightfall.games.knights_duty.views import board_lines, draw_in_words, knight_rows
from knightfall.sentence import SlotId


class KnightsDuty(RoundGame[State]):
    """Two to six knights on a board; the last one standing wins."""

    spec = Spec("knights_duty", "Knight's Duty", PLAYERS, OPTIONS, RULINGS, ("board", "kd_31"), BEGUN_WITH)
    not_a_player = NOT_A_PLAYER
    silences: ClassVar[Mapping[str, Silence]] = {
        Phase.SETUP: Silence("a sword, on the first free start", "KD-27, KD-28"),
        Phase.TURN: Silence("three passes", "KD-25"),
    }

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """Seat the players; they choose where they start (KD-28). Raises InputError for another number of
        them, a bad option, or an own board that cannot be played."""
        rules = parse_options(options)
        board = choose_board(rules)
        check_slots(slots, board)
        state = seated(slots, board, rules)
        return Step(state, (views.opening(state), views.house(state)))

    def begin(
        self, slots: Sequence[SlotId], options: Mapping[str, object], at: datetime, draw: Rng
    ) -> Step[State]:
        """KD-31: the starts are chosen from the first post on, which tells until when."""
        step = self.setup(slots, options, draw)
        if step.state.rules[FIRST_DEADLINE] == "unset":
            return step
        state = replace(step.state, opened=at)
        return Step(state, (views.opening(state), *step.events[1:]))

    def opening_now(self, state: State, opening: Facts) -> Facts:
        """The deadline of the starts as it is now, and none once they are chosen."""
        if not isinstance(opening, Opening):
            return opening
        return replace(opening, deadline=deadline(state) if state.phase is Phase.SETUP else None)

    def windows(self, state: State) -> tuple[Window, ...]:
        """The choices at setup; then a turn; in a staged game also the questions of a round."""
        if state.phase is Phase.OVER:
            return ()
        open_ = rules.asked(state) if state.phase in _STAGES else tuple(state.living)
        title = "Choice of starts" if state.phase is Phase.SETUP else f"Turn {state.turn}"
        if state.phase in _STAGES:
            title += f", round {len(state.rounds)}: {state.phase}"
        ends = deadline(state)
        is_choice = state.phase is Phase.SETUP
        return (Window(str(state.phase), title, open_, True, state.opened, ends, choice=is_choice),)

    def take(self, state: State, lines: tuple[str, ...], message: Message, draw: Rng) -> Step[State]:
        """A plan is a whole message, which replaces what was sent before, or changes nothing (KD-25)."""
        if message.slot is None or state.phase is not Phase.TURN:
            return super().take(state, lines, message, draw)
        after, refused = take_plan(state, message.slot, lines, message.aliases)
        return Step(after, (), refused)

    def take_line(self, state: State, line: str, message: Message, draw: Rng) -> Step[State]:
        """One line of the moderator, of the choices at setup, or of the answers in a stage."""
        if message.slot is None:
            return moderate(state, line, message.aliases)
        if state.phase is Phase.SETUP:
            return take_choice(state, message.slot, line)
        return take_order(state, message.slot, line, message.aliases)

    def obey(self, state: State, order: Order, at: datetime, draw: Rng) -> Step[State]:
        """Who is taken out, or comes back."""
        return decide(state, order)

    def receipt(self, state: State, slot: SlotId, message: Message, refused: Refused) -> tuple[Event, ...]:
        """What was not taken and why, and what is on file."""
        return (views.receipt(state, slot, message.at, refused),)

    def reveal(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:
        """The choices are settled, the turn is played, or the next stage is."""
        if state.phase is Phase.SETUP:
            # KD-27, KD-28: everyone stands with a weapon, the first turn is open.
            begun = replace(placed(state), phase=Phase.TURN, turn=1, opened=at)
            after = settled(begun)
            if after.phase is Phase.OVER:
                return Step(after, (views.placed(begun), views.ending(after)))
            return Step(after, (views.placed(after), *views.turn_pms(after)))
        here = draw.at("turn", state.turn)
        if state.rules["mode"] == "staged":
            # KD-29: on to the next question of the turn, or to its end.
            since = len(state.rounds) if state.phase in _STAGES else 1
            start = replace(state, rounds=()) if state.phase is Phase.TURN else state
            after = rules.next_question(start, here)
            if after.phase is Phase.TURN:
                return _turn_over(state, after, at)
            after = replace(after, opened=at)
            return Step(after, (views.stage_post(after, since), *views.questions(after)))
        return _turn_over(state, play_turn(state, here), at)

    def moved(self, state: State, kind: str, until: datetime | None, at: datetime) -> State:
        """KD-31: posts, PMs and receipts tell the deadline that holds."""
        return replace(state, moved=(phase_of(state), until)) if kind == state.phase else state

    def lines(self, state: State, slot: SlotId | None) -> Choices:
        """A start and a weapon, a plan, an answer in a stage; nothing is the moderator's to decide."""
        return line_tree(state, slot)

    def standing(self, state: State, kind: str, slot: SlotId) -> tuple[str, ...]:
        """Of a slot's wishes or plan what is asked: in a staged round where to or whom."""
        if state.phase not in _STAGES:
            return tuple(line for line in views.standing(state, slot) if not line.startswith("SHUFFLE"))
        entry = entry_at(state.plans.get(slot, ()), len(state.rounds))
        written = write_entry(entry)
        return (written,) if written != write_entry(Entry(entry.token)) else ()

    def retold(self, event: Announced) -> Announced:
        """The end of the game with its last board."""
        facts = event.facts
        return Announced(replace(facts, over=True)) if isinstance(facts, Ending) else event

    def drawn_by_hand(self, state: State, draws: Sequence[tuple[str, object]]) -> tuple[Event, ...]:
        """Cards and lots are public (KD-30), so it is public, too, who drew them; all of a turn in one post.
        Behind a turn the next one is open by now."""
        rows = tuple(HandDraw(draw_in_words(label), _drawn(state, value)) for label, value in draws)
        return (Announced(ByHand(state.turn - (state.phase is Phase.TURN), rows)),)

    def seen_by(self, state: State, slot: SlotId | None) -> Facts:
        """The board and the knights, and for a player their own side of it."""
        return views.seen_by(state, slot)

    def setup_post(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Facts | None:
        """The board, the weapons and the rules in force. Raises InputError for a bad option or board."""
        return views.setup_post(slots, parse_options(options))

    alive_word = "standing"

    def playing(self, state: State) -> tuple[SlotId, ...]:
        """Whose knight stands."""
        return tuple(state.living)

    def dead(self, state: State) -> tuple[DeadPlayer, ...]:
        """Whose knight fell or was taken out, in seat order."""
        return tuple(
            DeadPlayer(slot, "", knight.left, f"turn {knight.fell[0]}")
            for slot, knight in state.knights.items()
            if knight.left
        )

    def player_lists(self, state: State) -> tuple[PlayerList, ...]:
        """Who stands, and who fell: in which turn and, where a knight was felled, in which round."""
        fallen = []
        for slot, knight in state.knights.items():
            turn, round_ = knight.fell
            within = f", round {round_}" if knight.left == "felled" else ""
            if knight.left:
                fallen.append((slot, f"{knight.left}, turn {turn}{within}"))
        standing = tuple((slot, "") for slot in self.playing(state))
        return (PlayerList("Standing", standing), PlayerList("Fallen", tuple(fallen)))

    def board(self, state: State, slot: SlotId | None, names: Mapping[SlotId, str]) -> str:
        """The board in letters, and who each letter is, with what they hold and whether their Heart is up."""
        lines = [*board_lines(state)]
        for one in knight_rows(state):
            if one.pos is not None:
                who = f"{one.letter}  {names.get(one.name, one.name)} ({one.clan}) {one.pos}"
                lines.append(f"{who}, {one.weapon or 'empty hands'}, Heart {one.heart}")
        return "\n".join(lines)

    def outcome(self, state: State) -> Outcome | None:
        """Who won; None while the game goes on."""
        return outcome(state)


KNIGHTS_DUTY = KnightsDuty()


def _drawn(state: State, value: object) -> tuple[str, ...]:
    """A lot among knights, or cards."""
    drawn = value if isinstance(value, list | tuple) else (value,)
    return tuple(SlotId(one) if one in state.knights else str(one) for one in drawn)


_STAGES = (Phase.MOVES, Phase.ATTACKS)


def _turn_over(before: State, played: State, at: datetime) -> Step[State]:
    """The turn's post and sheet; then the end of the game (KD-26, KD-32) or the next turn (KD-03)."""
    after = at_limit(settled(told(played)))
    over = after.phase is Phase.OVER
    after = after if over else replace(after, turn=after.turn + 1, plans={}, shuffles={}, opened=at)
    events = (views.turn_post(played, after), views.sheet(before, played))
    if over:
        return Step(after, (*events, views.ending(after)))
    # KD-32: a long game has no end by itself.
    reminder: tuple[Event, ...]
    if after.limit is None and after.turn == LIMIT_OFFERED:
        reminder = (Noted(ModeratorLimit(after.turn)),)
    else:
        reminder = ()
    return Step(after, (*events, *reminder, *views.turn_pms(after)))
