"""What can be sent in Knight's Duty: the lines of players and of the moderator, read, checked and applied.

Before the first turn these are wishes, then plans (KD-25), and in a staged round answers. The last valid plan
of a slot stands; a refused one changes nothing. The moderator takes a player out or back, and sets a last
turn. A plan that is offered is one line, its rounds with ` / ` between them; what an option lets a player add
stands where it does something: `YIELD` behind a move, `FIRST`, `LAST` and `PICK` behind an attack (KD-08,
KD-14, KD-16, KD-22).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TypeAlias

from knightfall.engine.commands import MODKILL, REVIVE, Aliases, Order, parse_command, readings
from knightfall.engine.game import Announced, Event, Refusal, Refused, Step, refuse, refuse_all
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
from knightfall.games.knights_duty import views
from knightfall.games.knights_duty.board import STAY, STEPS
from knightfall.games.knights_duty.events import Limit, Modkill, Revive
from knightfall.games.knights_duty.rules import (
    TOO_MANY,
    Entries,
    Fault,
    Wanted,
    asked,
    check_plan,
    settled,
    shares,
)
from knightfall.games.knights_duty.state import (
    LIMITS,
    REACH,
    ROUNDS,
    WEAPONS,
    WOUNDED_ROUNDS,
    Choice,
    Entry,
    Extra,
    Knight,
    Phase,
    State,
    Token,
    entry_at,
)
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId, sentence

_BETWEEN = re.compile(r"\s+[/|·•]\s+|\s*;\s+|\s*;$")
_NUMBER = re.compile(r"(?:(?:round|slot|action|r)\s*)?(\d{1,2})\s*(?:[:.)=\-–—]\s*|\s+)(.*)", re.I | re.S)
_WORD = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)?)[\s:,@→>-]*(.*)", re.S)
_LEAD = re.compile(r"^(?:[*•·!]+|##)\s*")
_AROUND = " \t:,-"
"""What may stand around the rest of a line."""
_AT = re.compile(r"^(?:@|at\b|on\b|->|→|vs\.?\s)\s*", re.I)
_ONLY = re.compile(r"[\s,(\[]*\bonly[)\]]?\s*$", re.I)
_EXTRA = re.compile(rf"[\s,(]*\b({'|'.join(Extra)})\)?\s*$", re.I)
_PICK = re.compile(r"[\s,(]*\bpick\s*#?(\d)\)?\s*$", re.I)
_ORDER_WITHIN = re.compile(rf"\b\d{{1,2}}\s*[:.)=]\s*(?:{'|'.join(Token)})\b", re.I)
_SHORTEST = 3

_TOKENS: Mapping[str, Token] = {
    **{str(token): token for token in Token},
    **dict.fromkeys(("none", "nothing", "empty", "wait"), Token.PASS),
    **dict.fromkeys(("walk", "step", "go"), Token.MOVE),
    **dict.fromkeys(("inspire", "inspired"), Token.INSPIRATION),
}
_NORTH_SOUTH, _EAST_WEST = ("north", "south"), ("east", "west")
_COMPASS: Mapping[str, str] = {
    "stay": STAY,
    **{word: word[0].upper() for word in (*_NORTH_SOUTH, *_EAST_WEST)},
    **{word.lower(): word for steps in STEPS.values() for word in steps},
    **{
        f"{a}{gap}{b}": (a[0] + b[0]).upper()
        for a in _NORTH_SOUTH
        for b in _EAST_WEST
        for gap in ("", "-", " ")
    },
}


@dataclass(frozen=True, slots=True)
class Read:
    """A message: the entries of its plan (None: it has none), what else was refused, or the plan's fault."""

    plan: tuple[Wanted, ...] | None
    chatter: tuple[tuple[str, Refusal], ...] = ()
    fault: Fault | None = None


def read_message(state: State, lines: Iterable[str], aliases: Aliases) -> Read:
    """What the lines of one message come to, before any rule is asked."""
    lenient = state.rules["kd_04"] == "line_by_line"  # then what cannot be read is a pass, and told
    pieces = [piece for line in lines for piece in _pieces(state, line, aliases)]
    found = [(piece, *read_entry(state, piece, aliases)) for piece in pieces]
    numbers = [number for _, number, _ in found if number is not None]
    if numbers:
        # Each entry at its number; a line without one says nothing of the plan.
        laid: dict[int, Wanted] = {}
        chatter = []
        for piece, number, wanted in found:
            if number is None:
                # An order that cannot be placed is no talk: its sender thinks that it counts.
                order = wanted is not None or _ORDER_WITHIN.search(piece)
                why = "say for which round, for instance" if wanted else "write each line like this:"
                code = "BAD_ROUND" if order else "UNKNOWN_COMMAND"
                chatter.append((piece, Refusal(code, f"{why} 2: SWORD @ NAME")))
            elif isinstance(wanted, Refusal) or number in laid or number < 1:
                bad_round = Refusal("BAD_ROUND", "each round has one line, from 1 on")
                why_not = wanted if isinstance(wanted, Refusal) else bad_round
                if not lenient:
                    return Read(None, fault=Fault(piece, why_not))
                chatter.append((piece, why_not))
            else:
                laid[number] = wanted or Wanted(_said(piece), line=piece)
        if not laid:
            return Read(None, tuple(chatter))
        highest = max(laid)
        return Read(tuple(laid.get(n, Wanted(Token.PASS)) for n in range(1, highest + 1)), tuple(chatter))
    # Without numbers the lines are the rounds; with a line among them that is none, nothing is guessed.
    known = [wanted for _, _, wanted in found if wanted is not None]
    if not known:
        no_plan = Refusal("UNKNOWN_COMMAND", "write each line like this: 2: SWORD @ NAME")
        return Read(None, tuple((piece, no_plan) for piece, _, _ in found))
    unread = [(piece, wanted) for piece, _, wanted in found if isinstance(wanted, Refusal)]
    if unread and not lenient:
        return Read(None, fault=Fault(*unread[0]))
    if len(unread) == len(found):
        return Read(None, tuple(unread))
    return Read(
        tuple(
            Wanted(Token.PASS) if isinstance(wanted, Refusal) else _as_wanted(piece, wanted)
            for piece, _, wanted in found
        ),
        tuple(unread),
    )


def _pieces(state: State, line: str, aliases: Aliases) -> Iterator[str]:
    """The entries of a line; what parts them parts no name."""
    known = {**aliases, **{str(slot): slot for slot in state.knights}}
    reading = next(readings(line, (), {name: slot for name, slot in known.items() if _BETWEEN.search(name)}))
    split = (reading.plain(piece).strip() for piece in _BETWEEN.split(reading.text))
    return (piece for piece in split if piece)


_Found: TypeAlias = tuple[str, int | None, Wanted | Refusal | None]


def _as_wanted(piece: str, wanted: Wanted | Refusal | None) -> Wanted:
    """A piece whose word is no token is asked for all the same, and refused as such."""
    return wanted if isinstance(wanted, Wanted) else Wanted(_said(piece), line=piece)


def _said(piece: str) -> str:
    """The word that should have been a token, as written."""
    numbered = _NUMBER.fullmatch(_LEAD.sub("", piece))
    rest = numbered[2] if numbered else piece
    return rest.split()[0].lower() if rest.split() else "nothing"


def read_entry(state: State, piece: str, aliases: Aliases) -> tuple[int | None, Wanted | Refusal | None]:
    """The round it names, and the entry; None where its first word is no token."""
    number, wanted, argument = _worded(piece)
    argued = wanted and argument.strip(_AROUND)
    return number, _argued(state, wanted, argument, aliases) if wanted and argued else wanted


@lru_cache(maxsize=4096)  # plans repeat each other: `1: MOVE NE` means the same in every game
def _worded(piece: str) -> tuple[int | None, Wanted | None, str]:
    """The round, the token with its direction, and what follows: all that needs no state to be read."""
    bare = _LEAD.sub("", piece)
    numbered = _NUMBER.fullmatch(bare)
    number, rest = (int(numbered[1]), numbered[2]) if numbered else (None, bare)
    if (direction := _direction(rest)) is not None:
        return number, Wanted(Token.MOVE, direction, line=piece), ""
    word = _WORD.fullmatch(rest)
    token = _token(word[1]) if word else None
    if token is None or word is None:
        return number, None, ""
    argument = rest[word.end(1) :]
    if token is Token.MOVE and (direction := _direction(argument.strip(_AROUND))) is not None:
        return number, Wanted(token, direction, line=piece), ""
    return number, Wanted(token, line=piece), argument


def _token(word: str) -> Token | None:
    """A token by its word, or by a beginning of three letters that only one has."""
    folded = word.casefold().removesuffix("s") if word.casefold() != "pass" else "pass"
    hits = {token for name, token in _TOKENS.items() if name == folded}
    if not hits and len(folded) >= _SHORTEST:
        hits = {token for name, token in _TOKENS.items() if name.startswith(folded)}
    return hits.pop() if len(hits) == 1 else None


def _direction(written: str) -> str | None:
    return _COMPASS.get(" ".join(written.casefold().replace(".", "").split()))


def _argued(state: State, one: Wanted, argument: str, aliases: Aliases) -> Wanted | Refusal:
    """The rest of a line, by its token."""
    if one.token in REACH:
        return read_targets(state, one, argument, aliases)
    argument = argument.strip(_AROUND)
    if one.token == Token.MOVE:
        one, argument = _extras(state, one, argument)
        aim = argument.strip("()").removeprefix("to ").strip()
        return replace(one, direction=_direction(aim) or aim.upper() or None)
    one, argument = _extras(state, one, argument)
    return Refusal("BAD_ARGS", f"nothing follows {one.token.upper()}") if argument else one


def _extras(state: State, one: Wanted, argument: str) -> tuple[Wanted, str]:
    """Words at the end that an option allows."""
    while True:
        if (found := _EXTRA.search(argument)) and _allowed(state, Extra(found[1].lower())):
            one = replace(one, extras=one.extras | {Extra(found[1].lower())})
        elif (found := _PICK.search(argument)) and state.rules["cards"] == "picked":
            one = replace(one, pick=int(found[1]))
        else:
            return one, argument.strip()
        argument = argument[: found.start()]


def _allowed(state: State, extra: Extra) -> bool:
    """KD-08, KD-14, KD-22: what each word is for."""
    rules = state.rules
    if extra is Extra.YIELD:
        return rules["kd_08"] == "agreement"
    if extra is Extra.INSPIRED:
        return rules["inspiration"] in ("token", "token_shield")
    return rules["kd_14"] == "attackers_choose"


def read_targets(state: State, one: Wanted, argument: str, aliases: Aliases) -> Wanted | Refusal:
    """KD-15: the wish list, best first, and whether nobody else will do."""
    wanted: Wanted | Refusal = one
    for reading in readings(argument, tuple(state.knights), aliases):
        wanted = _wishes(state, one, reading.text, reading.names)
        if _names_knights(state, wanted):
            break
    return wanted


def _names_knights(state: State, wanted: Wanted | Refusal) -> bool:
    return isinstance(wanted, Wanted) and all(name in state.knights for name in wanted.targets)


def _wishes(state: State, one: Wanted, argument: str, aliases: Aliases) -> Wanted | Refusal:
    written = _AT.sub("", argument.strip(_AROUND)).strip()
    names = _names(state, written, aliases)
    while isinstance(names, Unknown):  # words at the end can be part of a name, so names are asked first
        shorter, rest = _extras(state, one, written)
        if rest == written and (only := _ONLY.search(written)):
            shorter, rest = replace(one, only=True), written[: only.start()].strip()
        if rest == written:
            return replace(one, targets=(names.written,))
        one, written = shorter, rest
        names = _names(state, written, aliases)
    if isinstance(names, Ambiguous):
        return Refusal("AMBIGUOUS_NAME", names.words)
    return replace(one, targets=names)


def _names(state: State, written: str, aliases: Aliases) -> tuple[str, ...] | Ambiguous | Unknown:
    """Whom a list names: one name that holds a comma, or several between commas."""
    if not written:
        return ()
    known = {**{knight.clan: slot for slot, knight in state.knights.items() if knight.clan}, **aliases}
    whole = match_name(written, tuple(state.knights), known)
    if isinstance(whole, str):
        return (whole,)
    found: list[str] = []
    for piece in re.split(r"\s*,\s*|\s+then\s+|\s*>\s*", written):
        match = match_name(piece, tuple(state.knights), known)
        if not isinstance(match, str):
            return match
        found.append(match)
    return tuple(dict.fromkeys(found))


NOT_A_PLAYER = Refusal("NOT_A_PLAYER", "only a knight still in the game can act")
_STILL = "Your earlier plan still stands."
_SHUFFLE = re.compile(r"shuffle[\s:=]+([1-5](?:[\s,]*[1-5]){4})", re.I)
_START = re.compile(r"(?:start|space|spot|clan|colour|color)s?[\s:=@]+(.+)", re.I)
_WEAPON = re.compile(r"(?:weapon|equipment)?[\s:=@]*(sword|spear|bow)", re.I)


def lay(state: State, slot: SlotId, wanted: Entries) -> tuple[State, Refused]:
    """Put a plan on file, as a program would: the whole plan, or why not; by option what of it is legal."""
    knight = state.knights.get(slot)
    if knight is None or knight.left:
        return state, (("", NOT_A_PLAYER),)
    plan = check_plan(state, knight, wanted)
    if not isinstance(plan, Fault):
        return replace(state, plans={**state.plans, slot: plan}), ()
    if state.rules["kd_04"] == "refused_whole":
        return state, (_refusal(state, slot, plan),)

    # Line by line: each fault takes its own line out, which is a pass then; the last one where there are too
    # many, or where a line stands there twice.
    left, refused = list(wanted), list[tuple[str, Refusal]]()
    while isinstance(plan, Fault):
        if plan.refusal.code == TOO_MANY:
            left.pop()
        else:
            lines = [one.line or one.token.upper() for one in left]
            left[len(lines) - 1 - lines[::-1].index(plan.line)] = Wanted(Token.PASS)
        refused.append((plan.line, plan.refusal))
        plan = check_plan(state, knight, left)
    if all(one.token == Token.PASS for one in left):
        return state, tuple(refused)  # nothing of it can be played: what stood before stands
    return replace(state, plans={**state.plans, slot: plan}), tuple(refused)


def take_plan(state: State, slot: SlotId, lines: tuple[str, ...], aliases: Aliases) -> tuple[State, Refused]:
    """The message of a living knight during a turn."""
    if state.rules["cards"] == "picked":
        # `SHUFFLE 3 1 4 2 5`: how this knight lays out the piles of attacks on it, where attackers pick.
        found = [said for line in dict.fromkeys(lines) if (said := _SHUFFLE.fullmatch(line))]
        for said in found:
            order = tuple(int(digit) for digit in re.findall(r"\d", said[1]))
            if len(set(order)) == len(order):
                state = replace(state, shuffles={**state.shuffles, slot: order})
                lines = tuple(line for line in lines if line != said.string)
    read = read_message(state, lines, aliases)
    if read.fault:
        return state, (_refusal(state, slot, read.fault),)
    if read.plan is None:
        return state, read.chatter
    state, refused = lay(state, slot, read.plan)
    return state, read.chatter + refused


def _refusal(state: State, slot: SlotId, fault: Fault) -> tuple[str, Refusal]:
    """The line with the code and one sentence; another where an earlier plan still stands."""
    said = fault.refusal
    return fault.line, replace(said, text=f"{said.text}. {_STILL}") if slot in state.plans else said


def take_choice(state: State, slot: SlotId, line: str) -> Step[State]:
    """A line of a player before the first turn: `START C7, A3` or `CLAN red`, and `WEAPON bow`."""
    choice = _chosen(state, state.choices.get(slot, Choice()), line)
    if isinstance(choice, Refusal):
        return refuse_all(state, (line,), choice)
    return Step(replace(state, choices={**state.choices, slot: choice}))


def _chosen(state: State, choice: Choice, line: str) -> Choice | Refusal:
    if weapon := _WEAPON.fullmatch(line.strip()):
        if state.rules["kd_27"] != "chosen":
            return Refusal("NO_CHOICE", "in this game nobody chooses a start weapon")
        return replace(choice, weapon=next(one for one in WEAPONS if one == weapon[1].lower()))
    said = _START.fullmatch(line.strip())
    if said is None:
        weapon_too = ", or WEAPON bow" if state.rules["kd_27"] == "chosen" else ""
        return Refusal("UNKNOWN_COMMAND", f"say for example START {state.board.starts[0]}{weapon_too}")
    # A start space by its name or its colour.
    board = state.board
    named = {board.clan(space): space for space in board.starts} | {space: space for space in board.starts}
    words = re.split(r"[\s,>]+", said[1].strip())
    spaces = [named.get(word.upper()) or named.get(word.casefold()) for word in words]
    if not all(spaces):
        starts = ", ".join(f"{space} ({state.board.clan(space)})" for space in state.board.starts)
        return Refusal("UNKNOWN_START", f"the starts are {starts}")
    return replace(choice, starts=tuple(space for space in dict.fromkeys(spaces) if space))


MODKILLED = "modkilled"
_LAST_TURN = re.compile(r"(?:last turn|max[ _]turns)[\s:=]+(\d{1,3}|none)", re.I)
_REMOVALS = {MODKILL: MODKILL, REVIVE: REVIVE}
_WORDS_OF_MODERATOR = "say modkill NAME, revive NAME or last turn NUMBER"


def moderate(state: State, line: str, aliases: Aliases) -> Step[State]:
    """`modkill NAME`, `revive NAME`, `last turn 60`, `last turn none`."""
    if limit := _LAST_TURN.fullmatch(line.strip()):
        # KD-32: a last turn, not earlier than the one being played.
        turn = None if limit[1].lower() == "none" else int(limit[1])
        if turn is not None and turn < max(state.turn, 1):
            return refuse(state, line, "TOO_LATE", f"turn {state.turn} is already being played")
        return Step(replace(state, limit=turn), (Announced(Limit(turn)),))
    command = parse_command(line, _REMOVALS)
    if command is None or not command.rest.strip():
        return refuse(state, line, "UNKNOWN_COMMAND", _WORDS_OF_MODERATOR)
    match = command.whom(tuple(state.knights), aliases)
    if isinstance(match, Ambiguous):
        return refuse(state, line, "AMBIGUOUS_NAME", match.words)
    if isinstance(match, Unknown):
        return refuse(state, line, "UNKNOWN_TARGET", f"nobody here is called “{match.written}”")
    return decide(state, Order(command.verb, (match,)))


def decide(state: State, order: Order) -> Step[State]:
    """Who is taken out, or comes back."""
    match, line = order.slot, order.line
    if match is None or match not in state.knights or order.verb not in _REMOVALS:
        return refuse(state, line, "UNKNOWN_COMMAND", _WORDS_OF_MODERATOR)
    knight = state.knights[match]
    if order.verb == MODKILL:
        if knight.left:
            already = sentence("{slot} is out of the game already", slot=match)
            return refuse(state, line, "UNKNOWN_TARGET", already)
        gone = replace(knight, left=MODKILLED, fell=(state.turn, len(state.rounds)))
        left = {name: plan for name, plan in state.plans.items() if name != match}
        after = settled(
            replace(state, knights={**state.knights, match: gone}, plans=left, out=(*state.out, match))
        )
        told: tuple[Event, ...] = (Announced(Modkill(match, state.turn)),)
        return Step(after, (*told, views.ending(after)) if after.phase is Phase.OVER else told)
    # Back where they stood and as they were, if the space is free.
    if knight.left != MODKILLED:
        not_out = sentence("{slot} was not taken out by the moderator", slot=match)
        return refuse(state, line, "UNKNOWN_TARGET", not_out)
    held = {other.pos for other in state.living.values() if other.pos}
    if knight.pos in held and not shares(state.rules):
        return refuse(state, line, "OCCUPIED", f"another knight stands on {knight.pos} now")
    back = replace(knight, left="", fell=(0, 0))
    out = tuple(name for name in state.out if name != match)
    after = replace(state, knights={**state.knights, match: back}, out=out)
    return Step(after, (Announced(Revive(match, knight.pos or None)),))


def take_order(state: State, slot: SlotId, line: str, aliases: Aliases) -> Step[State]:
    """The answer of a mover (`NE`, `MOVE STAY`) or of an attacker (`@ Bob, Cyd`, `SWORD @ Bob ONLY`)."""
    if slot not in asked(state):
        nothing = "you are asked nothing now: the tokens of this turn lie"
        return refuse(state, line, "WRONG_PHASE", nothing)
    read = _order(state, slot, line, aliases)
    if isinstance(read, Refusal):
        return refuse_all(state, (line,), read)
    plan = list(state.plans[slot])
    plan[len(state.rounds) - 1] = read
    return Step(replace(state, plans={**state.plans, slot: tuple(plan)}))


def _order(state: State, slot: SlotId, line: str, aliases: Aliases) -> Entry | Refusal:
    number = len(state.rounds)
    token = entry_at(state.plans.get(slot, ()), number).token
    round_, wanted = read_entry(state, line, aliases)
    if wanted is None and round_ in (None, number):
        asked_for = Wanted(token, line=line)
        wanted = read_targets(state, asked_for, line, aliases)
        if "@" in line and not _names_knights(state, wanted):
            wanted = read_targets(state, asked_for, line.partition("@")[2], aliases)
    if isinstance(wanted, Refusal):
        return wanted
    if wanted is None or wanted.token != token or round_ not in (None, number):
        return Refusal("WRONG_TOKEN", f"your token of round {number} is {token.upper()}")
    plan = check_plan(state, state.knights[slot], (wanted,))
    return plan.refusal if isinstance(plan, Fault) else plan[0]


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
        tokens = (Token.PASS,) if tired else _OFFERED if rules["inspiration"] == "action" else _USUAL
        left = [one for one in tokens if laid.count(one) < LIMITS.get(one, ROUNDS)]
        moves = NOTHING
        if Token.MOVE in left and rules["mode"] != "staged":
            left.remove(Token.MOVE)
            moves = self.moves(laid, here, f"{before}{Token.MOVE.upper()} ")
        parts = [_token_part(before, one) for one in left]
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
        only = then([_ONLY_PART] if named else (), lambda _: self._extras(laid, here, added))
        return optional(either(wishes, only, self._extras(laid, here, added)))

    def _extras(self, laid: tuple[Token, ...], here: str, words: Sequence[str]) -> Choices:
        """These words in their order, any of them or none, then the next round."""
        more = self.next_round(laid, here)
        if not words:
            return optional(more)
        parts = [_PICKED if word == _PICK_WORD else a_word(word) for word in words]

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
        found[token] = (*words, _PICK_WORD) if token in REACH and cards == "picked" else words
    return found


_PICK_WORD = " PICK "
_PICKED = Part(_PICK_WORD, PartKind.NUMBER, "pick card", least=1, most=_MOST_CARDS)
_ONLY_PART = a_word(" ONLY", "nobody else")
_USUAL = (*WEAPONS, Token.SHIELD, Token.PARRY, Token.MOVE, Token.PASS)
_OFFERED = (*_USUAL, Token.INSPIRATION)


@cache
def _token_part(before: str, token: Token) -> Part:
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
