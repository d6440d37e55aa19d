"""What follows when the King joins the court: another attempt, or a winner, tokens, EC and DMO."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from knightfall.engine.game import Announced, Step, Told
from knightfall.engine.rng import Rng
from knightfall.games.kings_court import posts
from knightfall.games.kings_court.deal import Role, deal
from knightfall.games.kings_court.events import (
    CandidateAsked,
    CandidateNamed,
    OpponentAsked,
    OpponentNamed,
    SheetRow,
    TokensAsked,
    TokensGiven,
)
from knightfall.games.kings_court.garnets import EARLY_FINE, fine, winnings
from knightfall.games.kings_court.options import source
from knightfall.games.kings_court.sheets import deal_sheet, scores_sheet, sheet
from knightfall.games.kings_court.state import (
    DEATHMATCH,
    DUKES,
    KING,
    NOBLES,
    End,
    Move,
    Phase,
    Score,
    State,
    credited,
    deadline,
    then,
)
from knightfall.sentence import SlotId


def crown(state: State, at: datetime, draw: Rng) -> Move:
    """The King has joined: too early, or the match is decided."""
    early = len(state.court) - 1 < posts.ENOUGH
    if early:
        # KC-22: one MoE, two garnets; KC-23: dealt again, and after the fourth the Deathmatch.
        king, court = state.king, state.court
        prizes = replace(state.prizes, moe=credited(state.prizes.moe, king, 1))
        marked = state._replace(prizes=prizes, past_kings=(*state.past_kings, king))
        step = fine(marked, (king,), EARLY_FINE, "early_king", "KC-22")
        step = Step(step.state, (posts.early_end(state, king, court), *step.events))
        if state.attempt < posts.ATTEMPTS:
            return then(step, lambda s: deal_again(s._replace(attempt=s.attempt + 1), at, draw))
        # KC-23: no EC, no DMO, no tokens; gifts are allowed again (KC-37).
        over = step.state._replace(phase=Phase.DONE, end=End(DEATHMATCH), check_right=None)
        because = sheet(over, SheetRow("four_kings", "KC-23"))
        return Step(over, (*step.events, posts.deathmatch(over), because), step.refused)
    # KC-24 to KC-29: who won, and what it pays.
    end = verdict(state)
    won = pay(state._replace(end=end, phase=Phase.TOL, opened=at, check_right=None), end)
    ruling = "KC-25" if end.kind == KING else "KC-24"
    because = sheet(won, SheetRow(end.kind, ruling, slots=end.winners))
    if end.kind == KING:
        lost = won.rules["kc_30"] == "lost"
        asked = Told((won.king,), TokensAsked(won.king, deadline(won), lost, posts.KING_TOKENS))
        return Step(won, (posts.ending(won, end), asked, because))
    found = seek_candidate(won, at)
    told = posts.ending(found.state, found.state.end or end)
    return Step(found.state, (told, because, *found.events))


def deal_again(state: State, at: datetime, draw: Rng) -> Move:
    """KC-23: everything but balances, counters and who was King begins anew."""
    number = state.deals + 1
    fresh = State(
        state.slots,
        state.rules,
        deal(state.slots, state.rules, draw, number, state.past_kings),
        state.garnets,
        attempt=state.attempt,
        deals=number,
        known=state.known,
        polls=state.polls,
        past_kings=state.past_kings,
        prizes=state.prizes,
        removed=state.removed,
        opened=at,
        past_deals=(*state.past_deals, state.deal),
    )
    return Step(fresh, (posts.dealt_again(fresh), *posts.role_pms(fresh), deal_sheet(fresh)))


def verdict(state: State) -> End:
    """KC-24: the team with more members in the court; KC-25: the King where they are as many."""
    roles = [state.deal.roles[slot] for slot in state.court]
    dukes, nobles = roles.count(Role.DUKE), roles.count(Role.NOBLE)
    kind, team = (KING, Role.KING) if dukes == nobles else (DUKES, Role.DUKE)
    if nobles > dukes:
        kind, team = NOBLES, Role.NOBLE
    return End(kind, dukes, nobles, state.deal.team(team), scores(state))


def scores(state: State) -> Mapping[SlotId, Score]:
    """KC-32: +5 for the first elected down to +1 for the fifth, 0 from the sixth on."""
    bonus = dict(zip(state.court, posts.BONUSES, strict=False))
    others = (slot for slot in state.slots if slot != state.king)
    return {slot: Score(state.totals.get(slot, 0), bonus.get(slot, 0)) for slot in others}


def pay(state: State, end: End) -> State:
    """KC-28, KC-29, KC-31: tokens and garnets for every winner, in the court or not; the Opal."""
    solo = end.kind == KING
    tokens, share = posts.KING_TOKENS if solo else posts.TEAM_TOKENS, winnings(end)
    tol, garnets, opals = state.prizes.tol, state.garnets, state.prizes.opals
    for slot in end.winners:
        tol, garnets = credited(tol, slot, tokens), credited(garnets, slot, share)
    # KC-31: the only winner outside the court; the King's solo win by the season's rule alone.
    opal: tuple[SlotId, ...]
    if end.kind == KING:
        opal = end.winners if state.rules["opal_solo_win"] == "true" else ()
    else:
        outside = tuple(slot for slot in end.winners if slot not in state.court)
        opal = outside if len(outside) == 1 else ()
    for slot in opal:
        opals = credited(opals, slot, 1)
    return state._replace(garnets=garnets, prizes=replace(state.prizes, tol=tol, opals=opals))


def hand_out(state: State, gifted: Sequence[SlotId], at: datetime, ruling: str) -> Move:
    """KC-30: the King keeps one token; with nobody in `gifted` two are lost by option."""
    end, tol = _end(state), credited(state.prizes.tol, state.king, 1 - posts.KING_TOKENS)
    for slot in gifted:
        tol = credited(tol, slot, 1)
    order = tuple(slot for slot in state.slots if slot in gifted)
    given = state._replace(
        prizes=replace(state.prizes, tol=tol), end=replace(end, gifted=order), phase=Phase.EC
    )
    found = seek_candidate(given, at)
    told = TokensGiven(state.king, order, _end(found.state).tied, deadline(found.state))
    because = sheet(state, SheetRow("tokens", ruling, slots=order))
    return Step(found.state, (Announced(told), because, *found.events))


def close_tokens(state: State, at: datetime, draw: Rng) -> Move:
    """KC-30: the King was silent."""
    if state.rules["kc_30"] == "lost":
        return hand_out(state, (), at, "KC-30")
    here = source(state.rules, draw, "play", "end")
    duke = here.choice("kc.tol.duke", state.deal.team(Role.DUKE))
    return hand_out(state, (duke, here.choice("kc.tol.noble", state.deal.team(Role.NOBLE))), at, "KC-30")


def pool(state: State) -> tuple[SlotId, ...]:
    """KC-32: Dukes and Nobles who did not win; KC-33: not who got a token from the King."""
    end = _end(state)
    spared = end.gifted if state.rules["tol_holders_can_be_ec"] == "false" else ()
    return tuple(slot for slot in end.scores if slot not in end.winners and slot not in spared)


def lowest(state: State) -> tuple[SlotId, ...]:
    """Who of the pool has the lowest score."""
    end, names = _end(state), pool(state)
    least = min(end.scores[slot].total for slot in names)
    return tuple(slot for slot in names if end.scores[slot].total == least)


def seek_candidate(state: State, at: datetime) -> Move:
    """KC-32: a single lowest score is EC at once; KC-34: else the winners vote."""
    names, end = lowest(state), _end(state)
    if len(names) == 1:
        scored = Step(state, (scores_sheet(state, end),))
        return then(scored, lambda s: _name(s, names[0], at, "KC-32", "score"))
    after = state._replace(end=replace(end, tied=names), phase=Phase.EC, opened=at)
    terms, until = posts.terms_of(state.rules), deadline(after)
    asked = (Told((slot,), CandidateAsked(slot, names, end.winners, terms, until)) for slot in end.winners)
    because = sheet(after, SheetRow("tied", "KC-34", slots=names))
    return Step(after, (*asked, scores_sheet(after, end), because))


def close_candidates(state: State, at: datetime, draw: Rng) -> Move:
    """KC-34: the winners' majority; KC-35: fewest garnets of all tied, then the coin."""
    votes = (SheetRow("ec_ballot", "KC-34", slot, target) for slot, target in _end(state).ballots.items())
    return then(Step(state, (sheet(state, *votes),)), lambda s: _choose(s, at, draw))


def _choose(state: State, at: datetime, draw: Rng) -> Move:
    end, chosen = _end(state), majority(state)
    if chosen:
        return _name(state, chosen, at, "KC-34", "vote")
    least = min(state.garnets[slot] for slot in end.tied)
    poorest = tuple(slot for slot in end.tied if state.garnets[slot] == least)
    if len(poorest) == 1:
        return _name(state, poorest[0], at, "KC-35", "garnets")
    if state.rules["kc_35"] == "external":
        waiting = state._replace(end=replace(end, coin=poorest), phase=Phase.COIN, opened=at)
        return Step(waiting, (sheet(state, SheetRow("coin_waits", "KC-35", slots=poorest)),))
    here = source(state.rules, draw, "play", "end")
    return _name(state, here.choice("kc.deadlock_coin", poorest), at, "KC-35", "coin")


def majority(state: State) -> SlotId | None:
    """KC-34: more than half of the team, of the ballots or the most; a winning King decides alone."""
    end = _end(state)
    counts = Counter(end.ballots.values()).most_common()
    if not counts:
        return None
    (first, votes), *rest = counts
    match state.rules["ec_majority"]:
        case "ballots":
            return first if 2 * votes > len(end.ballots) else None
        case "plurality":
            return first if not rest or rest[0][1] < votes else None
        case _:
            return first if 2 * votes > len(end.winners) else None


def throw_coin(state: State, slot: SlotId, at: datetime) -> Move:
    """KC-35 by option: the coin was thrown outside, the moderator says for whom."""
    return _name(state, slot, at, "KC-35", "coin")


def _name(state: State, slot: SlotId, at: datetime, ruling: str, how: str) -> Move:
    """The EC is known and picks the DMO (KC-36)."""
    end = replace(_end(state), ec=slot, coin=())
    after = state._replace(end=end, phase=Phase.DMO, opened=at)
    open_to, until = opponents(after), deadline(after)
    named = Announced(CandidateNamed(slot, end.tied, open_to, until))
    asked = Told((slot,), OpponentAsked(slot, open_to, until))
    because = sheet(after, SheetRow("candidate", ruling, slot, how=how))
    return Step(after, (named, asked, because))


def opponents(state: State) -> tuple[SlotId, ...]:
    """KC-36: not the EC, no holder of a token; the losing King is a legal pick."""
    end = _end(state)
    return tuple(slot for slot in state.slots if slot != end.ec and not state.prizes.tol.get(slot))


def oppose(state: State, slot: SlotId, ruling: str) -> Move:
    """KC-36: the DMO is named, and the match is over."""
    end = _end(state)
    if end.ec is None:
        raise ValueError("there is no elimination candidate")
    after = state._replace(end=replace(end, dmo=slot), phase=Phase.DONE)
    because = sheet(after, SheetRow("opponent", ruling, slot))
    return Step(after, (Announced(OpponentNamed(end.ec, slot)), because))


def _end(state: State) -> End:
    if state.end is None:
        raise ValueError("the King has not joined the court")
    return state.end
