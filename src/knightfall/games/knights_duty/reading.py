"""What the lines of a message ask for.

`1: MOVE NE`, `2 sword @ Red, Blue only`, `R3 - shield`; lines in any order, or without numbers in the order
of the rounds; several on one line with ` / `, ` ; ` or ` · ` between them. Tokens and directions may be cut
short (`swo`, `north-east`); a direction alone is a move. Who is meant by a clan's colour is found here, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias

from knightfall.engine.game import Refusal
from knightfall.games.knights_duty.board import STAY, STEPS
from knightfall.games.knights_duty.check import Fault, Wanted
from knightfall.games.knights_duty.plan import Extra, Token
from knightfall.games.knights_duty.state import State
from knightfall.names import Ambiguous, Unknown, match_name
from knightfall.sentence import SlotId

Aliases: TypeAlias = Mapping[str, SlotId]

_BETWEEN = re.compile(r"\s+[/|·•]\s+|\s*;\s+|\s*;$")
_NUMBER = re.compile(r"(?:(?:round|slot|action|r)\s*)?(\d{1,2})\s*(?:[:.)=\-–—]\s*|\s+)(.*)", re.I | re.S)
_WORD = re.compile(r"([^\W\d_]+(?:-[^\W\d_]+)?)[\s:,@→>-]*(.*)", re.S)
_LEAD = re.compile(r"^(?:[*•·!]+|##)\s*")
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
    split = (piece for line in lines for piece in _BETWEEN.split(line) if piece)
    pieces = [piece.strip() for piece in split if piece.strip()]
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
    return number, _argued(state, wanted, argument, aliases) if wanted and argument else wanted


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
    argument = rest[word.end(1) :].strip(" \t:,-")
    if token is Token.MOVE and (direction := _direction(argument)) is not None:
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
    if one.token == Token.MOVE:
        one, argument = _extras(state, one, argument)
        aim = argument.strip("()").removeprefix("to ").strip()
        return replace(one, direction=_direction(aim) or aim.upper() or None)
    if one.token in (Token.SWORD, Token.SPEAR, Token.BOW):
        return read_targets(state, one, argument, aliases)
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
    written = _AT.sub("", argument).strip()
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
