"""What the moderator can say in King's Court, and what it does.

`reminder` (how many votes are missing) · `public NAME: VOTE: Name` (a vote posted in public, KC-04) ·
`garnets NAME 5`, `garnets NAME +2` (KC-01: balances come from the season) ·
`modkill NAME`, `revive NAME` (KC-39) · `dmo NAME` for a silent EC (KC-36) · `coin NAME` (KC-35, where the
coin is thrown outside).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime

from knightfall.engine.commands import parse_command
from knightfall.engine.game import Announced, Refusal, Step, Told
from knightfall.engine.rng import Rng
from knightfall.games.kings_court import posts
from knightfall.games.kings_court.aftermath import deal_again, opponents, oppose, throw_coin
from knightfall.games.kings_court.events import BalanceChanged, PublicBallot, Removed, Revived, SheetRow
from knightfall.games.kings_court.legality import Code
from knightfall.games.kings_court.notation import Aliases
from knightfall.games.kings_court.sheets import sheet
from knightfall.games.kings_court.state import OPEN, Move, Phase, State, then
from knightfall.games.kings_court.submissions import refusal, take
from knightfall.names import match_name
from knightfall.sentence import SlotId, sentence

DMO, COIN = "dmo", "coin"
_WORDS: Mapping[str, str] = {
    word: word for word in ("reminder", "public", "garnets", "modkill", "revive", DMO, COIN)
}
_BALANCE = re.compile(r"(?P<name>.+?)[\s:=]+(?P<sign>[+−-]?)\s*(?P<amount>\d{1,6})")


def moderate(state: State, line: str, aliases: Aliases, at: datetime, draw: Rng) -> Move:
    """Apply one line of the moderator."""
    command = parse_command(line, _WORDS)
    if command is None:
        return refuse(
            state,
            line,
            Code.UNKNOWN_COMMAND,
            "I do not understand it; for example: reminder, garnets NAME +2, modkill NAME",
        )
    if command.verb == "reminder":
        if state.phase is not Phase.VOTE:
            return refuse(state, line, Code.WRONG_PHASE, "no vote is open")
        return Step(state, (posts.reminder(state),))
    if command.verb == "public":
        # KC-04: not counted and a neutral reply, or by option counted like any other.
        written, _, vote = command.argument.partition(":")
        voter = match_name(written, state.slots, aliases)
        if not isinstance(voter, str):
            return refuse(state, line, Code.UNKNOWN_TARGET, "write it like this: public NAME: VOTE: Name")
        if state.rules["public_ballots"] == "accept":
            return take(state, SlotId(voter), vote.strip(), aliases, at, draw)
        reply = Announced(PublicBallot(SlotId(voter)))
        return Step(state, (reply,), ((line, refusal(state, SlotId(voter), Code.PUBLIC_BALLOT)),))
    if command.verb == "garnets":
        return _balance(state, line, command.argument, aliases)
    name = match_name(command.argument, state.slots, aliases)
    if not isinstance(name, str):
        return refuse(
            state, line, Code.UNKNOWN_TARGET, "nobody has that name, or more than one player could be meant"
        )
    return _NAMED[command.verb](state, line, SlotId(name), at, draw)


def _balance(state: State, line: str, argument: str, aliases: Aliases) -> Move:
    """KC-01: what somebody brings from the season, or more or less of it; its owner alone is told."""
    found = _BALANCE.fullmatch(argument.strip())
    if found is None:
        return refuse(state, line, Code.BAD_ARGS, "write garnets NAME 5, or garnets NAME +2")
    name = match_name(found["name"], state.slots, aliases)
    if not isinstance(name, str):
        return refuse(
            state, line, Code.UNKNOWN_TARGET, "nobody has that name, or more than one player could be meant"
        )
    slot, amount = SlotId(name), int(found["amount"])
    before = state.garnets[slot]
    after = {"": amount, "+": before + amount}.get(found["sign"], before - amount)
    if after < 0 and state.rules["garnet_floor"] != "none":  # KC-06
        low = sentence("{slot} has {before}, and a balance never drops below 0", slot=slot, before=before)
        return refuse(state, line, Code.BAD_AMOUNT, low)
    told = Told((slot,), BalanceChanged(slot, before, after))
    because = sheet(state, SheetRow("balance", "KC-01", slot, amount=after))
    return Step(state._replace(garnets={**state.garnets, slot: after}), (told, because))


def refuse(state: State, line: str, code: Code, text: str) -> Move:
    """The state as it is."""
    return Step(state, (), ((line, Refusal(code, text)),))


def _modkill(state: State, line: str, slot: SlotId, at: datetime, draw: Rng) -> Move:
    """KC-39: the role stays in the game, fined and electable; by option shown, and all is dealt again."""
    if slot in state.removed or state.phase is Phase.DONE:
        return refuse(
            state,
            line,
            Code.WRONG_PHASE,
            sentence("{slot} is not in the match any more, or the match is over", slot=slot),
        )
    gone = state._replace(removed=state.removed | {slot})
    again = state.rules["kc_39"] == "role_revealed" and state.phase in OPEN
    told = Announced(Removed(slot, state.deal.roles[slot] if again else None, again))
    step = Step(gone, (told, sheet(state, SheetRow("removed", "KC-39", slot))))
    return then(step, lambda s: deal_again(s, at, draw)) if again else step


def _revive(state: State, line: str, slot: SlotId, _at: datetime, _draw: Rng) -> Move:
    if slot not in state.removed:
        return refuse(state, line, Code.WRONG_PHASE, sentence("{slot} was not removed", slot=slot))
    return Step(state._replace(removed=state.removed - {slot}), (Announced(Revived(slot)),))


def _dmo(state: State, line: str, slot: SlotId, _at: datetime, _draw: Rng) -> Move:
    """KC-36 says nothing of a silent EC: the moderator decides."""
    if state.phase is not Phase.DMO or slot not in opponents(state):
        return refuse(
            state, line, Code.WRONG_PHASE, "no opponent is to be picked now, or this player cannot be picked"
        )
    return oppose(state, slot, "KC-36")


def _coin(state: State, line: str, slot: SlotId, at: datetime, _draw: Rng) -> Move:
    if state.end is None or slot not in state.end.coin:
        return refuse(state, line, Code.WRONG_PHASE, "no coin is to be thrown now, or not for this player")
    return throw_coin(state, slot, at)


_NAMED: Mapping[str, Callable[[State, str, SlotId, datetime, Rng], Move]] = {
    "modkill": _modkill,
    "revive": _revive,
    DMO: _dmo,
    COIN: _coin,
}
