"""What each may know of Knight's Duty, and what its posts and PMs say.

Public are positions, weapons, Hearts and tokens once revealed; plans and wishes are their owner's alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta

from knightfall.engine.game import Announced, Chosen, Noted, Refusal, Told, View
from knightfall.games.knights_duty.board import STAY, STEPS, Board, Grid, draw_board
from knightfall.games.knights_duty.endings import scores_of
from knightfall.games.knights_duty.events import (
    ChosenOption,
    DutyRules,
    Ending,
    ModeratorOptions,
    ModeratorTurn,
    NearRow,
    NotTaken,
    Opening,
    OwnOrders,
    OwnSide,
    PlanRow,
    Question,
    Receipt,
    RoundRow,
    ScoreRow,
    SetupPost,
    Stage,
    Start,
    StartRow,
    TableView,
    TokenLimit,
    TurnPm,
    TurnPost,
    WeaponRow,
)
from knightfall.games.knights_duty.options import OPTIONS
from knightfall.games.knights_duty.piles import PRINTED, Defence, chance, make_pile
from knightfall.games.knights_duty.plan import (
    LIMITS,
    REACH,
    ROUNDS,
    WEAPONS,
    WOUNDED_ROUNDS,
    Token,
    numbered,
)
from knightfall.games.knights_duty.rounds import shares
from knightfall.games.knights_duty.staging import asked, shown
from knightfall.games.knights_duty.state import Choice, Knight, Phase, State, choose_board
from knightfall.games.knights_duty.telling import (
    board_lines,
    card_counts,
    draws_of,
    knight_rows,
    round_row,
    trace_rows,
)
from knightfall.sentence import SlotId


def view(state: State, slot: SlotId | None) -> View:
    """What that slot (None: the public) may know."""
    return View(slot, seen_by(state, slot))


def seen_by(state: State, slot: SlotId | None) -> TableView:
    """What everyone sees, and for a player their own side of it."""
    own = None if slot is None or slot not in state.knights else slot
    return TableView(
        phase=str(state.phase),
        turn=state.turn,
        knights=knight_rows(state),
        board=board_lines(state),
        rounds=_round_rows(state),
        limit=state.limit,
        winner=state.ending.winner if state.ending else None,
        drawn=state.ending.drawn if state.ending else (),
        own=OwnSide(own_orders(state, own), standing(state, own)) if own else None,
    )


def _round_rows(state: State, since: int = 1) -> tuple[RoundRow, ...]:
    return tuple(round_row(state, played) for played in state.rounds if played.number >= since)


def own_orders(state: State, slot: SlotId) -> OwnOrders:
    """What the slot itself sent: wishes, plan, shuffle."""
    choice = state.choices.get(slot)
    return OwnOrders(
        plan=numbered(state.plans.get(slot, ())),
        starts=choice.starts if choice else (),
        weapon=str(choice.weapon) if choice and choice.weapon else None,
        shuffle=state.shuffles.get(slot, ()),
    )


def standing(state: State, slot: SlotId) -> tuple[str, ...]:
    """What of the slot's is on file and can still change, as lines that could be sent again."""
    plan, choice = numbered(state.plans.get(slot, ())), state.choices.get(slot)
    match state.phase:
        case Phase.SETUP:
            return _wishes(choice) if choice else ()
        case Phase.TURN:
            shuffle = state.shuffles.get(slot, ())
            return (*plan, f"SHUFFLE {' '.join(map(str, shuffle))}") if shuffle else plan
        case Phase.MOVES | Phase.ATTACKS:
            return plan[len(state.rounds) - 1 : len(state.rounds)] if slot in asked(state) else ()
        case Phase.OVER:
            return ()


def _wishes(choice: Choice) -> tuple[str, ...]:
    starts = (f"START {', '.join(choice.starts)}",) if choice.starts else ()
    return (*starts, f"WEAPON {choice.weapon.upper()}") if choice.weapon else starts


def phase_of(state: State) -> tuple[object, ...]:
    """What tells what is open from all else that is ever open in the game."""
    return (state.phase, state.turn, len(state.rounds), state.opened)


def deadline(state: State) -> datetime | None:
    """KD-31: when what is open ends; None: as the moderator says, or its clock stands still."""
    if state.moved is not None and state.moved[0] == phase_of(state):
        return state.moved[1]
    hours = state.rules["kd_31"]
    if state.opened is None or hours == "none":
        return None
    return state.opened + timedelta(hours=int(hours))


def opening(state: State) -> Announced:
    """The rules, and how to join."""
    return Announced(Opening(tuple(state.knights), rules_told(state.rules, state.board)))


def setup_post(slots: Sequence[SlotId], rules: Chosen) -> SetupPost:
    """The rules as they are chosen; who plays, where anybody has signed up. Raises InputError for an own
    board that cannot be played."""
    return SetupPost(tuple(slots), rules_told(rules, choose_board(rules)))


def rules_told(rules: Chosen, board: Board) -> DutyRules:
    """The board and the rules in force as the posts tell them."""
    return DutyRules(
        hexes=board.grid is Grid.HEX,
        spaces=len(board.spaces),
        board=tuple(draw_board(board, dict.fromkeys(board.starts, "P"))),
        starts=tuple(StartRow(space, board.clan(space)) for space in board.starts),
        hill=min(board.hills),
        directions=tuple(STEPS[board.grid]),
        line_by_line=rules["kd_04"] == "line_by_line",
        any_two_rounds=rules["kd_06"] == "any_two",
        third_is_lost=rules["maimed_midturn_loses_third"] == "true",
        rivals="sharing" if shares(rules) else rules["kd_08"],
        trading=rules["swap_places"] == "true",
        swap_attacks=rules["swap_then_attack"] == "true",
        order=rules["kd_14"],
        nearest=rules["kd_15"] == "nearest",
        cards_picked=rules["cards"] == "picked",
        shield_always=rules["kd_18"] == "adds_a_shield",
        parry_card=rules["parry_pile"] == "shield_card",
        bows_disarmed=rules["kd_20"] == "all",
        inspiration=rules["inspiration"],
        first_weapon=rules["kd_27"],
        fixed=rules["fixed_weapon"],
        staged=rules["mode"] == "staged",
        hours=None if rules["kd_31"] == "none" else int(rules["kd_31"]),
        last_turn=None if rules["max_turns"] == "none" else int(rules["max_turns"]),
        weapons=tuple(_weapon_row(weapon, rules) for weapon in WEAPONS),
        limits=token_limits(rules),
    )


def token_limits(rules: Chosen) -> tuple[TokenLimit, ...]:
    """KD-03: how many tokens of a kind a plan may have; inspiration is one by option (KD-22)."""
    return tuple(
        TokenLimit(str(token), count)
        for token, count in LIMITS.items()
        if token != Token.INSPIRATION or rules["inspiration"] == "action"
    )


def _weapon_row(weapon: Token, rules: Chosen) -> WeaponRow:
    def per_cent(inspired: bool, defence: Defence) -> str:
        return f"{float(chance(make_pile(weapon, inspired, defence, rules))):.0%}"

    shield = Defence(Token.SHIELD)
    markers = rules["inspiration"] in ("token", "token_shield")
    return WeaponRow(
        weapon=str(weapon),
        reach=REACH[weapon],
        cards=card_counts(PRINTED[weapon]),
        plain=per_cent(False, Defence()),
        shielded=per_cent(False, shield),
        inspired=per_cent(True, Defence()),
        inspired_shielded=per_cent(True, shield),
        against_marker=per_cent(False, Defence(inspired=True)) if markers else "",
    )


def house(state: State) -> Noted:
    """What this moderator plays otherwise than the defaults."""
    chosen = (
        ChosenOption(option.name, state.rules[option.name], option.ruling)
        for option in OPTIONS
        if option.name in state.rules.house
    )
    return Noted(ModeratorOptions(tuple(chosen)))


def placed(state: State) -> Announced:
    """Everyone on their start space."""
    return Announced(Start(state.turn, knight_rows(state), board_lines(state), deadline(state)))


def turn_post(state: State, after: State) -> Announced:
    """KD-30: three blocks, the board, Hearts and weapons, the draws; `after`: what is open next."""
    goes_on = after.phase is not Phase.OVER
    return Announced(
        TurnPost(
            turn=state.turn,
            knights=knight_rows(state),
            board=board_lines(state),
            rounds=_round_rows(state),
            draws=draws_of(state.rounds),
            next=after.turn if goes_on else None,
            deadline=deadline(after) if goes_on else None,
        )
    )


def stage_post(state: State, since: int) -> Announced:
    """KD-29: what happened since round `since`, and who is asked now."""
    return Announced(
        Stage(
            turn=state.turn,
            knights=knight_rows(state),
            board=board_lines(state),
            rounds=_round_rows(state, since),
            draws=draws_of([played for played in state.rounds if played.number >= since]),
            question=str(state.phase),
            asked=asked(state),
            deadline=deadline(state),
        )
    )


def questions(state: State) -> tuple[Told, ...]:
    """A PM to each who is asked in a staged round."""
    tokens, living, until = shown(state), state.living, deadline(state)
    return tuple(
        Told(
            (slot,),
            Question(
                name=slot,
                turn=state.turn,
                round=len(state.rounds),
                question=str(state.phase),
                token=tokens[slot],
                way=_way_on(state.board, state.knights[slot].pos),
                near=(near := _near(state, slot, living)),
                hits=any(tokens[slot].split()[0].casefold() in one.reach for one in near),
                nearest=state.rules["kd_15"] == "nearest",
                yields=state.rules["kd_08"] == "agreement",
                deadline=until,
            ),
        )
        for slot in asked(state)
    )


def turn_pms(state: State) -> tuple[Told, ...]:
    """A PM to every living player: where they are, what they may lay, who is near."""
    living, until = state.living, deadline(state)
    return tuple(_turn_pm(state, knight, living, until) for knight in living.values())


def _turn_pm(state: State, knight: Knight, living: Mapping[SlotId, Knight], until: datetime | None) -> Told:
    slot = knight.slot
    return Told(
        (slot,),
        TurnPm(
            name=slot,
            turn=state.turn,
            pos=knight.pos,
            way=_way_on(state.board, knight.pos),
            hill=knight.pos in state.board.hills,
            clan=knight.clan,
            weapon=str(knight.weapon) if knight.weapon else None,
            heart="up" if knight.heart else "down",
            actions=ROUNDS if knight.heart else WOUNDED_ROUNDS,
            any_two_rounds=not knight.heart and state.rules["kd_06"] == "any_two",
            near=_near(state, slot, living),
            limits=token_limits(state.rules),
            staged=state.rules["mode"] == "staged",
            deadline=until,
        ),
    )


def _way_on(board: Board, pos: str) -> str:
    """A direction that leads to another space, for an example that is worth a token (KD-10)."""
    leads = board.steps[pos]
    return next((way for way in ("NE", *STEPS[board.grid]) if way in leads), STAY)


def _near(state: State, slot: SlotId, living: Mapping[SlotId, Knight]) -> tuple[NearRow, ...]:
    """The others by distance, with what reaches them from here."""
    distances = state.board.distances[state.knights[slot].pos]
    others = [(distances[one.pos], name) for name, one in living.items() if name != slot]
    return tuple(
        NearRow(name, far, tuple(str(weapon) for weapon, most in REACH.items() if 1 <= far <= most))
        for far, name in sorted(others, key=lambda pair: pair[0])
    )


def receipt(state: State, slot: SlotId, at: datetime, refused: Sequence[tuple[str, Refusal]] = ()) -> Told:
    """What was not taken and why; then what is on file, whole: the same whether it has changed or not."""
    return Told(
        (slot,),
        Receipt(
            name=slot,
            received=f"{at.astimezone(UTC):%H:%M} UTC",
            turn=state.turn,
            setup=state.phase is Phase.SETUP,
            refused=tuple(NotTaken(line, why.text.rstrip(".")) for line, why in refused),
            orders=own_orders(state, slot),
            deadline=deadline(state),
        ),
    )


def sheet(before: State, state: State) -> Noted:
    """The turn in full: every plan as sent, who sent none, and each step with its ruling."""
    plans = tuple(PlanRow(slot, numbered(state.plans.get(slot, ()))) for slot in before.living)
    return Noted(ModeratorTurn(state.turn, plans, trace_rows(state)))


def ending(state: State) -> Announced:
    """Who won, the story of the game, and a table of hits, misses and disarms."""
    end = state.ending
    return Announced(
        Ending(
            winner=end.winner if end else None,
            drawn=end.drawn if end else (),
            why=end.why if end else "",
            turns=state.turn,
            knights=knight_rows(state),
            story=state.story,
            scores=tuple(ScoreRow(slot, **asdict(score)) for slot, score in scores_of(state).items()),
            board=board_lines(state),
        )
    )
