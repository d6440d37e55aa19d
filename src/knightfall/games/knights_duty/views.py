"""What each may know of Knight's Duty, and what its posts and PMs say.

Public are positions, weapons, Hearts and tokens once revealed, and what happened in a round; plans and wishes
are their owner's alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import lru_cache
from string import ascii_uppercase

from knightfall.engine.game import Announced, Chosen, Noted, NotTaken, Refusal, Told
from knightfall.engine.spans import time_in_utc
from knightfall.games.knights_duty.board import STAY, STEPS, Board, Grid, draw_board
from knightfall.games.knights_duty.events import (
    AttackRow,
    CardCount,
    ChosenOption,
    DrawRow,
    DutyRules,
    Ending,
    KnightRow,
    ModeratorOptions,
    ModeratorTurn,
    MoveRow,
    NearRow,
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
    SwapRow,
    TableView,
    TakenUp,
    TokenLimit,
    TokenRow,
    TraceRow,
    TurnPm,
    TurnPost,
    WeaponRow,
)
from knightfall.games.knights_duty.options import OPTIONS
from knightfall.games.knights_duty.rules import asked, scores_of, shares, shown
from knightfall.games.knights_duty.state import (
    LIMITS,
    PASS,
    PRINTED,
    REACH,
    ROUNDS,
    WEAPONS,
    WOUNDED_ROUNDS,
    Attack,
    Choice,
    Defence,
    Entry,
    Knight,
    Move,
    Phase,
    Pile,
    Round,
    State,
    Token,
    Wound,
    chance,
    choose_board,
    deadline,
    make_pile,
    numbered,
    write_entry,
)
from knightfall.sentence import Sentence, SlotId, sentence


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


def opening(state: State) -> Announced:
    """The rules, and how to join."""
    return Announced(Opening(tuple(state.knights), rules_told(state.rules, state.board), deadline(state)))


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
        rivals="sharing" if shares(rules) else rules["kd_08"],
        hours=None if rules["kd_31"] == "none" else int(rules["kd_31"]),
        last_turn=None if rules["max_turns"] == "none" else int(rules["max_turns"]),
        weapons=tuple(_weapon_row(weapon, rules) for weapon in WEAPONS),
        limits=token_limits(rules),
        options=rules.public(OPTIONS),
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
            swap_attacks=_swap_attacks(state),
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
            received=time_in_utc(at),
            turn=state.turn,
            setup=state.phase is Phase.SETUP,
            refused=tuple(NotTaken(line, why.text.rstrip(".")) for line, why in refused),
            orders=own_orders(state, slot),
            deadline=deadline(state),
            taken_up=tuple(_taken_up(state, slot)),
        ),
    )


def _swap_attacks(state: State) -> bool:
    return state.rules["swap_then_attack"] == "true"


def _taken_up(state: State, slot: SlotId) -> Iterator[TakenUp]:
    """KD-11, KD-12: the rounds of a plan in which a weapon is only taken up, should nobody disarm them."""
    held = state.knights[slot].weapon
    for number, entry in enumerate(state.plans.get(slot, ()), start=1):
        if entry.token in REACH and entry.token != held:
            if not _swap_attacks(state):
                yield TakenUp(number, str(entry.token), str(held) if held else None)
            held = entry.token


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


_SHOWN_TOGETHER = 3  # letters that fit beside each other on the text board


def knight_rows(state: State) -> tuple[KnightRow, ...]:
    """Everyone in seat order: where, with what, and whether the Heart is up."""
    letters = initials(tuple(state.knights))
    return tuple(
        KnightRow(
            name=slot,
            clan=knight.clan,
            letter=_letter(knight, letters),
            pos=None if knight.left else knight.pos or None,
            hill=not knight.left and knight.pos in state.board.hills,
            weapon=str(knight.weapon) if knight.weapon else None,
            heart="up" if knight.heart else "down",
            left=knight.left,
            turn=knight.fell[0],
            round=knight.fell[1],
        )
        for slot, knight in state.knights.items()
    )


@lru_cache(maxsize=64)
def initials(slots: tuple[SlotId, ...]) -> Mapping[SlotId, str]:
    """A capital for each knight on the text board: the first letter of its name that nobody before it has,
    or else any other."""
    found: dict[SlotId, str] = {}
    for slot in slots:
        own = [one for one in slot.upper() if one in ascii_uppercase]
        found[slot] = next(one for one in (*own, *ascii_uppercase) if one not in found.values())
    return found


def _letter(knight: Knight, letters: Mapping[SlotId, str]) -> str:
    """Its initial; small with the Heart down."""
    return letters[knight.slot] if knight.heart else letters[knight.slot].lower()


def board_lines(state: State) -> tuple[str, ...]:
    """The board with the knights on it; before the first turn with the starts."""
    standing = dict.fromkeys(state.board.starts, "P") if state.turn == 0 else {}
    letters = initials(tuple(state.knights))
    for knight in state.living.values():
        if knight.pos:
            standing[knight.pos] = standing.get(knight.pos, "") + _letter(knight, letters)
    crowded = {space: text for space, text in standing.items() if len(text) > _SHOWN_TOGETHER}
    standing |= {space: f"{text[:1]}+{len(text) - 1}" for space, text in crowded.items()}
    return tuple(draw_board(state.board, standing))


def round_row(state: State, played: Round) -> RoundRow:
    """One block of the turn post."""
    return RoundRow(
        number=played.number,
        revealed=tuple(TokenRow(slot, said) for slot, said in revealed(played).items()),
        moves=tuple(
            MoveRow(
                name=move.slot,
                start=move.start,
                end=move.end,
                wanted=move.wanted,
                fate=fate_of(move),
                hill=move.end in state.board.hills,
                inspired=state.rules["inspiration"] in ("hill", "action"),
            )
            for move in played.moves
        ),
        swaps=tuple(
            SwapRow(one.slot, str(one.before) if one.before else None, str(one.after)) for one in played.swaps
        ),
        attacks=tuple(map(_attack_row, played.attacks)),
        fell=played.fell,
    )


def card_counts(pile: Pile) -> tuple[CardCount, ...]:
    """The cards that are in the pile, Hits first."""
    return tuple(CardCount(card, count) for card, count in pile.counts().items() if count)


def _attack_row(attack: Attack) -> AttackRow:
    return AttackRow(
        attacker=attack.attacker,
        weapon=str(attack.weapon),
        target=attack.target,
        pile=card_counts(attack.pile) if attack.pile else (),
        card=str(attack.card) if attack.card else None,
        inspired=attack.inspired,
        guard=str(attack.guard) if attack.guard else None,
        disarmed=attack.disarmed,
        wound=str(attack.wound) if attack.wound else None,
        lot=attack.lot,
        shuffle=tuple(map(str, attack.shuffle)),
        pick=attack.pick,
    )


def revealed(played: Round) -> dict[SlotId, str]:
    """The tokens of a round; a direction only once the move step has shown it."""
    moved = {move.slot: move.direction for move in played.moves}
    # A token without wishes; with the direction it went in, and what it was laid with.
    return {
        slot: write_entry(Entry(entry.token, moved[slot], extras=entry.extras))
        if slot in moved
        else entry.token.upper()
        for slot, entry in played.revealed.items()
    }


def fate_of(move: Move) -> str:
    """moved | stays (KD-07) | off (KD-10) | thrown (KD-08, KD-09)."""
    if move.end != move.start:
        return "moved"
    if move.direction == STAY:
        return "stays"
    return "off" if move.wanted is None else "thrown"


_LABEL = re.compile(r"kd\.(?P<what>\w+):R(?P<round>\d+)(?::(?P<who>.+?)(?:->(?P<whom>.+))?)?", re.DOTALL)


def draw_in_words(label: str) -> Sentence:
    """What a draw decides, for players: “Ada's card against Bob in round 1”."""
    found = _LABEL.fullmatch(label)
    if found is None:
        return sentence("a draw")
    what, number, who, whom = found.group("what", "round", "who", "whom")
    said = {"card": "{who}'s card against {whom}", "target": "{who}'s target", "order": "order of attacks"}
    template = said.get(what, "a draw of {who}") + " in round {number}"
    return sentence(template, who=SlotId(who or ""), whom=SlotId(whom or ""), number=number)


def draws_of(rounds: Sequence[Round]) -> tuple[DrawRow, ...]:
    """Every draw of a turn in words."""
    drawn: list[DrawRow] = []
    for played in rounds:
        for attack in played.attacks:
            where = f"R{played.number}:{attack.attacker}"
            if attack.lot and attack.target:
                drawn.append(DrawRow(draw_in_words(f"kd.target:{where}"), attack.target))
            if attack.card and not attack.shuffle:
                label = f"kd.card:{where}->{attack.target}"
                drawn.append(DrawRow(draw_in_words(label), str(attack.card)))
    return tuple(drawn)


_FATES: Mapping[str, tuple[str, str]] = {
    "moved": ("goes to {to}", "KD-07"),
    "stays": ("stays where it is", "KD-07"),
    "off": ("would step off the board and stays", "KD-10"),
    "thrown": ("cannot have {wanted} and stays", "KD-08"),
}


def trace_rows(state: State) -> tuple[TraceRow, ...]:
    """Each step of the turn with its ruling."""
    return tuple(
        TraceRow(played.number, who, what, ruling)
        for played in state.rounds
        for who, what, ruling in _rows(played)
    )


def _rows(played: Round) -> Iterator[tuple[SlotId, str, str]]:
    for slot, entry in played.revealed.items():
        if entry == PASS:
            yield slot, "passes", "KD-04"
    for move in played.moves:
        what, ruling = _FATES[fate_of(move)]
        yield (move.slot, *(what.format(to=move.end, wanted=move.wanted), ruling))
    for swap in played.swaps:
        yield swap.slot, f"takes up the {swap.after}", "KD-11"
    for attack in played.attacks:
        yield from _attacked(attack)
    for slot in played.fell:
        yield slot, "leaves the board", "KD-23"


def _attacked(attack: Attack) -> Iterator[tuple[SlotId, str, str]]:
    if attack.target is None or attack.pile is None:
        yield attack.attacker, f"has nobody to attack with the {attack.weapon}", "KD-13"
        return
    if attack.lot:
        by_lot = sentence("attacks {target} by lot: equally near", target=attack.target)
        yield attack.attacker, by_lot, "KD-15"
    pile = ", ".join(f"{count} {card}" for card, count in attack.pile.counts().items() if count)
    # The rulings that made the pile.
    rulings = ["KD-16", *["KD-17"] * attack.inspired]
    if attack.guard:
        rulings.append("KD-18" if attack.guard == "shield" else "KD-19")
    drawn = sentence(
        "draws {card} of {pile} against {target}", card=attack.card, pile=pile, target=attack.target
    )
    yield attack.attacker, drawn, ", ".join(rulings)
    if attack.disarmed:
        yield attack.attacker, "is disarmed", "KD-20"
    if attack.wound:
        hurt = "critically wounded" if attack.wound is Wound.FELLED else "maimed"
        yield attack.target, f"is {hurt}", "KD-21"
