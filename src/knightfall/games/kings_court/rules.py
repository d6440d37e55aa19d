"""The rules of King's Court: what is answered and paid, who is elected, and what follows when the King joins.

The annoyed lie touches pair checks only, unless `annoyed_scope` says where else (KC-16).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from knightfall.engine.game import Announced, SeasonBook, SeasonRow, Step, Told
from knightfall.engine.rng import Rng
from knightfall.games.kings_court import views
from knightfall.games.kings_court.events import (
    AnnoyedAnswer,
    CandidateAsked,
    CandidateNamed,
    FineCause,
    Fined,
    Gift,
    HintSent,
    LookAnswer,
    OpponentAsked,
    OpponentNamed,
    PairAnswer,
    PeekAnswer,
    SeenRole,
    SheetRow,
    TieAsked,
    TokensAsked,
    TokensGiven,
)
from knightfall.games.kings_court.options import FIGURES, OPTIONS, source
from knightfall.games.kings_court.state import (
    DEATHMATCH,
    DUKES,
    KING,
    NOBLES,
    End,
    Known,
    Move,
    Phase,
    Poll,
    Role,
    Score,
    State,
    Waiting,
    credited,
    deadline,
    deal,
)
from knightfall.games.kings_court.views import ballots_sheet, deal_sheet, scores_sheet, sheet
from knightfall.sentence import SlotId


def note(state: State, slot: SlotId, kind: str, names: Sequence[SlotId], answer: str = "") -> State:
    """The answer is kept for its reader."""
    return noted(state, {slot: Known(state.attempt, kind, tuple(names), answer)})


def noted(state: State, news: Mapping[SlotId, Known]) -> State:
    """One answer each for several readers."""
    fresh = {slot: (*state.known.get(slot, ()), known) for slot, known in news.items()}
    return state._replace(known={**state.known, **fresh})


def shown_role(state: State, slot: SlotId, scope: str) -> Role:
    """KC-16: the true role, or by option what the annoyed judge claims."""
    deal = state.deal
    return deal.claimed(slot) if state.rules["annoyed_scope"] == scope else deal.roles[slot]


def look(state: State, targets: Sequence[SlotId]) -> Move:
    """KC-03: the King looks, and is answered at once."""
    king = state.king
    seen = tuple(SeenRole(slot, shown_role(state, slot, "looks")) for slot in targets)
    after = state._replace(learned=(*state.learned, *targets))
    for one in seen:
        after = note(after, king, "learn", (one.name,), one.role)
    rows = (SheetRow("look", "KC-03", king, one.name, answer=one.role) for one in seen)
    told = Told((king,), LookAnswer(king, seen, FIGURES.looks - len(after.learned)))
    return Step(after, (told, sheet(after, *rows)))


def pair_answer(state: State, pair: Sequence[SlotId], draw: Rng) -> tuple[str, str]:
    """`same`, `different` or by option `no result`, and the ruling behind it."""
    if state.king in pair:
        return _king_in_pair(state, draw), "KC-17"
    first, second = (state.deal.claimed(slot) for slot in pair)
    return ("same" if first is second else "different"), "KC-15"  # KC-15: both annoyed, two lies cancel


def _king_in_pair(state: State, draw: Rng) -> str:
    """KC-17: a team of one; by option a draw, or no answer."""
    match state.rules["king_in_pair"]:
        case "random":
            here = source(state.rules, draw, "play").at("deal", state.deals, "round", state.round)
            return here.choice("kc.king_in_pair", ("same", "different"))
        case "no_result":
            return "no result"
        case _:
            return "different"


def deliver_check(state: State, draw: Rng) -> Move:
    """KC-14: the pair check is answered; one that was not sent lapses."""
    asker, pair = state.check_right, state.check_pair
    if asker is None:
        return Step(state)
    after = state._replace(check_right=None, check_pair=())
    if not pair:
        return Step(after, (sheet(state, SheetRow("lapsed", "KC-14", asker)),))
    (first, second), (answer, ruling) = pair, pair_answer(state, pair, draw)
    because = SheetRow("check", ruling, asker, first, second, answer=answer)
    told = Told((asker,), PairAnswer(asker, first, second, answer))
    return Step(note(after, asker, "check", pair, answer), (told, sheet(state, because)))


def send_hints(state: State) -> Move:
    """KC-18: after the 2nd, 4th and 6th member everyone who has a list gets its next name."""
    if len(state.court) not in FIGURES.hints:
        return Step(state)
    place = FIGURES.hints.index(len(state.court))
    given = {slot: names[place] for slot, names in state.deal.hints.items() if place < len(names)}
    news = {slot: Known(state.attempt, "hint", (name,)) for slot, name in given.items()}
    told = (Told((slot,), HintSent(slot, name, place + 1)) for slot, name in given.items())
    return Step(noted(state, news), tuple(told))


def winnings(end: End) -> int:
    """The garnets of each winner."""
    return views.king_share(end) if end.kind == KING else FIGURES.team_garnets


def season_book(state: State, *, balances: bool) -> SeasonBook:
    """What the match gives to the book of the season: payouts, fines, tokens and marks, which everybody is
    told; with `balances` also what each has by now, which is its owner's alone (KC-01), and of a fine what
    could be paid of it."""
    end = state.end if state.end and state.end.kind != DEATHMATCH else None
    rows = (
        SeasonRow(
            slot,
            garnets=(winnings(end) if end and slot in end.winners else 0)
            - (_early_paid(state, slot) if balances else FIGURES.early_fine * state.past_kings.count(slot)),
            tokens=state.prizes.tol.get(slot, 0),
            marks=state.prizes.moe.get(slot, 0),
            opals=state.prizes.opals.get(slot, 0),
            balance=state.garnets[slot] if balances else None,
        )
        for slot in state.slots
    )
    return SeasonBook(tuple(rows), floor=state.rules["garnet_floor"] == "0")


def _early_paid(state: State, slot: SlotId) -> int:
    return sum(paid for king, paid in state.early_paid if king == slot)


def fine(state: State, slots: Sequence[SlotId], amount: int, cause: FineCause, ruling: str) -> Move:
    """Take a fine of each; its payer alone is told."""
    left = {slot: _after_fine(state, slot, amount) for slot in slots}
    if not left:
        return Step(state)
    paid = {slot: state.garnets[slot] - balance for slot, balance in left.items()}
    told = (Told((slot,), Fined(slot, amount, cause, left[slot], paid[slot])) for slot in slots)
    rows = (
        SheetRow("fine", ruling, slot, amount=paid[slot], cause=cause, balance=left[slot]) for slot in slots
    )
    after = state._replace(garnets={**state.garnets, **left})
    return Step(after, (*told, sheet(state, *rows)))


def _after_fine(state: State, slot: SlotId, amount: int) -> int:
    """KC-06: a balance stops at 0, unless `garnet_floor` lets it fall."""
    balance = state.garnets[slot]
    if state.rules["garnet_floor"] == "none":
        return balance - amount
    return max(balance - amount, min(0, balance))


def buy(state: State, slot: SlotId, target: SlotId | None, draw: Rng) -> Move:
    """KC-26: a peek, or without a target the question whether one is annoyed; paid for when sent."""
    price = FIGURES.annoyed if target is None else FIGURES.peek
    paid = state._replace(garnets=credited(state.garnets, slot, -price))
    wanted = Waiting(slot, target)
    if state.rules["kc_26"] == "at_deadline":
        return Step(paid._replace(waiting=(*paid.waiting, wanted)))
    return _answer(paid, wanted, draw)


def answer_waiting(state: State, draw: Rng) -> Move:
    """KC-40: what was bought before the deadline is answered, even if the King is elected at it."""
    step: Move = Step(state._replace(waiting=()) if state.waiting else state)
    for wanted in state.waiting:
        step = step.then(partial(_answer, wanted=wanted, draw=draw))
    return step


def _answer(state: State, wanted: Waiting, draw: Rng) -> Move:
    slot, target = wanted.slot, wanted.target
    if target is None:
        # KC-26: am I one of the two? The King never is.
        said = slot in state.deal.annoyed
        answer = Told((slot,), AnnoyedAnswer(slot, said, FIGURES.annoyed, state.garnets[slot]))
        because = SheetRow("annoyed", "KC-26", slot, yes=said)
        after = note(state, slot, "annoyed", (), "yes" if said else "no")
        return Step(after, (answer, sheet(state, because)))
    after, role = _peeked_role(state, slot, target, draw)
    ruling = "KC-27" if target == state.king else "KC-26"
    because = SheetRow("peek", ruling, slot, target, answer=role)
    told = Told((slot,), PeekAnswer(slot, target, role, FIGURES.peek, state.garnets[slot]))
    return Step(note(after, slot, "peek", (target,), role), (told, sheet(state, because)))


def _peeked_role(state: State, slot: SlotId, target: SlotId, draw: Rng) -> tuple[State, Role]:
    """KC-27: the King shows a cover, one for the attempt, the peeker or the peek."""
    if target != state.king:
        return state, shown_role(state, target, "peeks")
    kept = state.rules["king_cover"]
    for peeker, cover in state.covers:
        if kept == "sticky" or (kept == "per_peeker" and peeker == slot):
            return state, Role(cover)
    here = source(state.rules, draw, "play").at("deal", state.deals)
    cover = Role(here.choice("kc.peek_king", (Role.DUKE, Role.NOBLE), len(state.covers)))
    return state._replace(covers=(*state.covers, (slot, cover))), cover


def give(state: State, giver: SlotId, receiver: SlotId, amount: int) -> Move:
    """KC-37: a gift; both sides are told, nobody else."""
    balances = credited(credited(state.garnets, giver, -amount), receiver, amount)
    after = state._replace(garnets=balances)
    because = sheet(state, SheetRow("gift", "KC-37", giver, receiver, amount=amount))
    told = (Told((slot,), Gift(slot, balances[slot], giver, receiver, amount)) for slot in (giver, receiver))
    return Step(after, (*told, because))


def crown(state: State, at: datetime, draw: Rng) -> Move:
    """The King has joined: too early, or the match is decided."""
    early = len(state.court) - 1 < FIGURES.enough
    if early:
        # KC-22: one MoE, two garnets; KC-23: dealt again, and after the fourth the Deathmatch.
        king, court = state.king, state.court
        prizes = replace(state.prizes, moe=credited(state.prizes.moe, king, 1))
        marked = state._replace(prizes=prizes, past_kings=(*state.past_kings, king))
        step = fine(marked, (king,), FIGURES.early_fine, "early_king", "KC-22")
        paid = marked.garnets[king] - step.state.garnets[king]
        step = replace(step, state=step.state._replace(early_paid=(*marked.early_paid, (king, paid))))
        step = Step(step.state, (views.early_end(state, king, court), *step.events))
        if state.attempt < FIGURES.attempts:
            return step.then(lambda s: deal_again(s._replace(attempt=s.attempt + 1), at, draw))
        # KC-23: no EC, no DMO, no tokens; gifts are allowed again (KC-37).
        over = step.state._replace(phase=Phase.DONE, end=End(DEATHMATCH), check_right=None)
        because = sheet(over, SheetRow("four_kings", "KC-23"))
        return Step(over, (*step.events, views.deathmatch(over), because), step.refused)
    # KC-24 to KC-29: who won, and what it pays.
    end = verdict(state)
    won = pay(state._replace(end=end, phase=Phase.TOL, opened=at, check_right=None), end)
    ruling = "KC-25" if end.kind == KING else "KC-24"
    because = sheet(won, SheetRow(end.kind, ruling, slots=end.winners))
    if end.kind == KING:
        lost = won.rules["kc_30"] == "lost"
        asked = Told((won.king,), TokensAsked(won.king, deadline(won), lost, FIGURES.king_tokens))
        return Step(won, (views.ending(won, end), asked, because))
    found = seek_candidate(won, at)
    told = views.ending(found.state, found.state.end or end)
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
        early_paid=state.early_paid,
        prizes=state.prizes,
        removed=state.removed,
        opened=at,
        past_deals=(*state.past_deals, state.deal),
    )
    return Step(fresh, (views.dealt_again(fresh), *views.role_pms(fresh), deal_sheet(fresh)))


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
    bonus = dict(zip(state.court, FIGURES.bonuses, strict=False))
    others = (slot for slot in state.slots if slot != state.king)
    return {slot: Score(state.totals.get(slot, 0), bonus.get(slot, 0)) for slot in others}


def pay(state: State, end: End) -> State:
    """KC-28, KC-29, KC-31: tokens and garnets for every winner, in the court or not; the Opal."""
    solo = end.kind == KING
    tokens, share = FIGURES.king_tokens if solo else FIGURES.team_tokens, winnings(end)
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


def hand_out(
    state: State, gifted: Sequence[SlotId], at: datetime, ruling: str, *, drawn: bool = False
) -> Move:
    """KC-30: the King keeps one token; with nobody in `gifted` two are lost by option. `drawn`: the King was
    silent, and chance decided."""
    end, tol = _end(state), credited(state.prizes.tol, state.king, 1 - FIGURES.king_tokens)
    for slot in gifted:
        tol = credited(tol, slot, 1)
    order = tuple(slot for slot in state.slots if slot in gifted)
    given = state._replace(
        prizes=replace(state.prizes, tol=tol), end=replace(end, gifted=order), phase=Phase.EC
    )
    found = seek_candidate(given, at)
    told = TokensGiven(state.king, order, _end(found.state).tied, deadline(found.state), drawn)
    because = sheet(state, SheetRow("tokens", ruling, slots=order, how="drawn" if drawn else None))
    return Step(found.state, (Announced(told), because, *found.events))


def close_tokens(state: State, at: datetime, draw: Rng) -> Move:
    """KC-30: the King was silent."""
    if state.rules["kc_30"] == "lost":
        return hand_out(state, (), at, "KC-30")
    here = source(state.rules, draw, "play", "end")
    duke = here.choice("kc.tol.duke", state.deal.team(Role.DUKE))
    noble = here.choice("kc.tol.noble", state.deal.team(Role.NOBLE))
    return hand_out(state, (duke, noble), at, "KC-30", drawn=True)


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
        return scored.then(lambda s: _name(s, names[0], at, "KC-32", "score"))
    after = state._replace(end=replace(end, tied=names), phase=Phase.EC, opened=at)
    public, until = state.rules.public(OPTIONS), deadline(after)
    asked = (Told((slot,), CandidateAsked(slot, names, end.winners, public, until)) for slot in end.winners)
    because = sheet(after, SheetRow("tied", "KC-34", slots=names))
    return Step(after, (*asked, scores_sheet(after, end), because))


def close_candidates(state: State, at: datetime, draw: Rng) -> Move:
    """KC-34: the winners' majority; KC-35: fewest garnets of all tied, then the coin."""
    how = "king" if len(_end(state).winners) == 1 else None
    votes = (
        SheetRow("ec_ballot", "KC-34", slot, target, how=how) for slot, target in _end(state).ballots.items()
    )
    return Step(state, (sheet(state, *votes),)).then(lambda s: _choose(s, at, draw))


def _choose(state: State, at: datetime, draw: Rng) -> Move:
    end, chosen = _end(state), majority(state)
    if chosen:
        return _name(state, chosen, at, "KC-34", "king" if len(end.winners) == 1 else "vote")
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
    named = Announced(CandidateNamed(slot, end.tied, open_to, until, _told_how(how), end.winners))
    asked = Told((slot,), OpponentAsked(slot, open_to, until))
    because = sheet(after, SheetRow("candidate", ruling, slot, how=how))
    return Step(after, (named, asked, because))


def _told_how(how: str) -> str:
    """What everybody is told of how the EC was found: not that garnets were compared (KC-01)."""
    return "vote" if how == "king" else how if how in ("score", "vote") else "rules"


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


def close_vote(state: State, at: datetime, draw: Rng) -> Move:
    """KC-12: answers, fines, the count, then election or tie."""
    step = Step(state, (ballots_sheet(state),))
    step = step.then(lambda s: answer_waiting(s, draw))
    step = step.then(lambda s: deliver_check(s, draw))
    step = step.then(_fine_silent)
    return step.then(lambda s: _decide(_count(s), at, draw))


def _missed(state: State) -> tuple[SlotId, ...]:
    """KC-06: who outside has no valid vote; without a legal candidate nobody is at fault."""
    if len(state.outside) < 2:
        return ()
    return tuple(slot for slot in state.outside if slot not in state.ballots)


def _fine_silent(state: State) -> Move:
    return fine(state, _missed(state), FIGURES.vote_fine, "vote", "KC-06")


def _count(state: State) -> State:
    """Votes received add up in the attempt (KC-32); the counted vote is pending until it is settled."""
    found = Counter(state.ballots.values())
    order = sorted(found, key=lambda slot: (-found[slot], state.slots.index(slot)))
    counts = {slot: found[slot] for slot in order}
    totals = {slot: state.totals.get(slot, 0) + counts.get(slot, 0) for slot in state.slots}
    poll = Poll(state.deals, state.attempt, state.round, counts, _missed(state))
    return state._replace(totals=totals, pending=poll)


def leaders(counts: Mapping[SlotId, int], outside: tuple[SlotId, ...]) -> tuple[SlotId, ...]:
    """KC-07: most votes; KC-09: where nobody voted all are tied on 0."""
    most = max(counts.values(), default=0)
    return tuple(slot for slot in outside if counts.get(slot, 0) == most)


def _decide(state: State, at: datetime, draw: Rng) -> Move:
    poll = _pending(state)
    if not poll.counts and len(state.outside) > 1 and state.rules["zero_votes"] != "king_decides":
        # KC-09 by option: voted again, or a round without an election.
        skipped = state.rules["zero_votes"] == "no_election"
        return _vote_again(state, at, "KC-09", state.round + skipped)
    first = leaders(poll.counts, state.outside)
    if len(first) == 1:
        return elect(state, first[0], at, draw, "KC-07")
    return _tie(state._replace(pending=replace(poll, tied=first)), at, draw)


def _vote_again(state: State, at: datetime, ruling: str, round_: int) -> Move:
    """The result is posted, and the vote opens anew; a tie-break list holds for its round (KC-08)."""
    poll = _pending(state)
    lists = state.tiebreak if round_ == state.round else ()
    after = state._replace(
        polls=(*state.polls, poll),
        pending=None,
        ballots={},
        phase=Phase.VOTE,
        round=round_,
        tiebreak=lists,
        opened=at,
    )
    return Step(after, (views.result(after, poll), sheet(after, SheetRow("revote", ruling))))


def _tie(state: State, at: datetime, draw: Rng) -> Move:
    """KC-11: nothing is published before the tie window has run its full length, settled or not."""
    choice = settled(state)
    if choice and state.rules["tie_publish"] == "at_once":
        return elect(state, choice, at, draw, "KC-08")
    after = state._replace(phase=Phase.TIE, opened=at)
    tied, free = _pending(state).tied, candidates(state)
    asked = TieAsked(
        state.king,
        tied,
        free,
        choice if choice and len(free) > 1 else None,
        deadline(after),
        waits=state.rules["tie_publish"] == "fixed",
        silent=state.rules["kc_10"],
    )
    because = sheet(after, SheetRow("tie", "KC-08", slots=tied, answer=choice))
    return Step(after, (Told((state.king,), asked), because))


def candidates(state: State) -> tuple[SlotId, ...]:
    """KC-08: the tied, but never the King."""
    return tuple(slot for slot in _pending(state).tied if slot != state.king)


def settled(state: State) -> SlotId | None:
    """KC-08: the only one left, or the first listed name that is tied; None: the King has not decided."""
    free = candidates(state)
    if len(free) == 1:
        return free[0]
    return next((slot for slot in state.tiebreak if slot in free), None)


def close_tie(state: State, at: datetime, draw: Rng) -> Move:
    """The tie window has run out."""
    return answer_waiting(state, draw).then(lambda s: _untie(s, at, draw))


def _untie(state: State, at: datetime, draw: Rng) -> Move:
    """KC-08: as the King decided; KC-10: without a word."""
    choice = settled(state)
    if choice:
        return elect(state, choice, at, draw, "KC-08")
    if state.rules["kc_10"] == "revote":
        return _vote_again(state, at, "KC-10", state.round)
    # KC-10: at random; by option who has had all the votes of this count for the longest time, and if nobody
    # voted (KC-09) the first in the list of players.
    unasked: SlotId
    free = candidates(state)
    if state.rules["kc_10"] == "random":
        here = source(state.rules, draw, "play").at("vote", len(state.polls) + 1)
        unasked = here.choice("kc.tiebreak", free)
    else:
        last = {target: place for place, target in enumerate(state.ballots.values())}
        unasked = min(free, key=lambda slot: last.get(slot, -1))
    return elect(state, unasked, at, draw, "KC-10")


def elect(state: State, slot: SlotId, at: datetime, draw: Rng, ruling: str) -> Move:
    """KC-07: the one joins the court; the King ends the attempt."""
    is_king = slot == state.king
    poll = replace(_pending(state), elected=(slot,), king=slot if is_king else None)
    seated = state._replace(
        court=(*state.court, slot),
        polls=(*state.polls, poll),
        pending=None,
        ballots={},
        tiebreak=(),
        phase=Phase.VOTE,
        opened=at,
    )
    because = sheet(state, SheetRow("elected", ruling, slot, yes=is_king))
    if is_king:
        return Step(seated, (views.result(seated, poll), because)).then(lambda s: crown(s, at, draw))
    welcome = seated._replace(check_right=slot, check_pair=(), round=state.round + 1)
    step = Step(welcome, (views.result(welcome, poll), because)).then(send_hints)
    return step.then(lambda s: _last_outside(s, at, draw))


def _last_outside(state: State, at: datetime, draw: Rng) -> Move:
    """KC-20: the King, left outside alone, joins at once, without a vote."""
    if state.outside != (state.king,):
        return Step(state)
    last = replace(state.polls[-1], elected=(*state.polls[-1].elected, state.king), king=state.king)
    after = state._replace(
        court=(*state.court, state.king), polls=(*state.polls[:-1], last), check_right=None
    )
    because = sheet(state, SheetRow("alone", "KC-20"))
    return Step(after, (views.alone(after), because)).then(lambda s: crown(s, at, draw))


def _pending(state: State) -> Poll:
    if state.pending is None:
        raise ValueError("no counted vote is waiting")
    return state.pending
