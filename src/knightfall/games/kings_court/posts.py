"""What the posts of King's Court say: facts for everyone, never a voter, a check or a look."""

from __future__ import annotations

from knightfall.engine.game import Announced, Chosen, Told
from knightfall.games.kings_court.checks import HINT_AFTER, LOOKS
from knightfall.games.kings_court.deal import PLAYERS, TEAMS, Role
from knightfall.games.kings_court.events import (
    Count,
    EarlyEnd,
    Ending,
    Figures,
    FourEarlyKings,
    KingAlone,
    NewAttempt,
    Opening,
    PollRow,
    Reminder,
    RolePm,
    RoleRow,
    RoundResult,
    ScoreRow,
    Terms,
)
from knightfall.games.kings_court.garnets import (
    ANNOYED_PRICE,
    EARLY_FINE,
    KING_GARNET_FOR,
    PEEK_PRICE,
    TEAM_GARNETS,
    VOTE_FINE,
    king_share,
)
from knightfall.games.kings_court.options import FIRST_DEADLINE, SEEDS
from knightfall.games.kings_court.seats import seats_of
from knightfall.games.kings_court.state import END_HOURS, TIE_HOURS, End, Poll, State, deadline
from knightfall.sentence import SlotId

ATTEMPTS = 4
"""KC-23: so many deals; after an early King of the last one nobody wins."""
ENOUGH = 3
"""KC-21: with fewer others in the court the King is early."""
BONUSES = (5, 4, 3, 2, 1)
"""KC-32: what the first ones to join the court score for it."""
KING_TOKENS, TEAM_TOKENS = 3, 1
"""KC-28, KC-29."""
FIGURES = Figures(
    players=PLAYERS,
    dukes=TEAMS[Role.DUKE],
    nobles=TEAMS[Role.NOBLE],
    attempts=ATTEMPTS,
    enough=ENOUGH,
    looks=LOOKS,
    hints=HINT_AFTER,
    peek=PEEK_PRICE,
    annoyed=ANNOYED_PRICE,
    vote_fine=VOTE_FINE,
    early_fine=EARLY_FINE,
    team_tokens=TEAM_TOKENS,
    team_garnets=TEAM_GARNETS,
    king_tokens=KING_TOKENS,
    king_garnet_for=KING_GARNET_FOR,
    bonuses=BONUSES,
)
"""The numbers that the match is played by, as the texts tell them."""


def terms_of(rules: Chosen) -> Terms:
    """What was chosen, as the texts tell it; balances are private (KC-01)."""
    return Terms(
        vote_hours=int(rules["kc_02"]),
        tie_hours=TIE_HOURS,
        end_hours=END_HOURS,
        from_start=rules[FIRST_DEADLINE] == "from_start",
        public_ballots=rules["public_ballots"],
        missing_votes=rules["missing_votes"],
        can_owe=rules["garnet_floor"] == "none",
        zero_votes=rules["zero_votes"],
        silent_king=rules["kc_10"],
        tie_waits=rules["tie_publish"] == "fixed",
        check_at_deadline=rules["check_delivery"] == "next_deadline",
        lie=rules["annoyed_scope"],
        king_in_pair=rules["king_in_pair"],
        lists=rules["hint_lists"],
        bought_at_once=rules["kc_26"] == "at_once",
        cover=rules["king_cover"],
        tokens_lost=rules["kc_30"] == "lost",
        opal_for_king=rules["opal_solo_win"] == "true",
        gifted_safe=rules["tol_holders_can_be_ec"] == "false",
        majority=rules["ec_majority"],
        coin_outside=rules["kc_35"] == "external",
        moe_counts=rules["kc_38"] == "season_effect",
        removal_deals_again=rules["kc_39"] == "role_revealed",
        sealed=rules[SEEDS] == "each_attempt",
        figures=FIGURES,
    )


def opening(state: State) -> Announced:
    """The rules in brief, and the players."""
    return Announced(Opening(state.slots, terms_of(state.rules), deadline(state)))


def role_pms(state: State) -> tuple[Told, ...]:
    """KC-01: the role, and the balance, which is its owner's alone; not who is annoyed."""
    terms = terms_of(state.rules)
    return tuple(
        Told((slot,), RolePm(slot, role, state.attempt, state.garnets[slot], terms))
        for slot, role in state.deal.roles.items()
    )


def reminder(state: State) -> Announced:
    """How many votes are missing; who, only by option."""
    missing = tuple(slot for slot in state.outside if slot not in state.ballots)
    names = missing if state.rules["missing_votes"] == "names" else ()
    until, voters = deadline(state), len(state.outside)
    return Announced(Reminder(state.round, len(missing), names, state.court, voters, until))


def poll_row(state: State, poll: Poll) -> PollRow:
    """KC-07: every count above zero, who joined, the King or not; a tie, never how it was settled."""
    return PollRow(
        poll.attempt,
        poll.round,
        tuple(Count(slot, votes) for slot, votes in poll.counts.items()),
        poll.tied,
        elected=poll.elected[0] if poll.elected else None,
        king=bool(poll.elected) and poll.king == poll.elected[0],
        missed=len(poll.missed),
        missed_names=poll.missed if state.rules["missing_votes"] == "names" else (),
        fine=VOTE_FINE,
    )


def result(state: State, poll: Poll) -> Announced:
    """A round's post, with the court as it now is."""
    court = len(state.court)
    next_round = poll.king is None and len(state.outside) > 1
    facts = RoundResult(
        poll_row(state, poll),
        state.court,
        hint=HINT_AFTER.index(court) + 1 if next_round and poll.elected and court in HINT_AFTER else 0,
        next_round=next_round,
        repeated=not poll.elected and state.round == poll.round,
        check_at_deadline=state.rules["check_delivery"] == "next_deadline",
        deadline=deadline(state) if next_round else None,
    )
    return Announced(facts)


def alone(state: State) -> Announced:
    """KC-20: the last one outside joins without a vote, and is the King."""
    return Announced(KingAlone(state.king, state.court))


def early_end(state: State, king: SlotId, court: tuple[SlotId, ...]) -> Announced:
    """KC-22, KC-23: who was King, which attempt it was, what it costs; no old role of anybody else."""
    facts = EarlyEnd(
        king,
        state.attempt,
        ATTEMPTS,
        others=len(court) - 1,
        fine=EARLY_FINE,
        again=state.attempt < ATTEMPTS,
        moe_counts=state.rules["kc_38"] == "season_effect",
    )
    return Announced(facts)


def dealt_again(state: State) -> Announced:
    """A new attempt opens."""
    return Announced(NewAttempt(state.attempt, ATTEMPTS, state.past_kings, deadline(state)))


def role_rows(state: State) -> tuple[RoleRow, ...]:
    """KC-24: every role, who was annoyed, and who sits where."""
    places = {slot: place for place, slot in enumerate(state.court, start=1)}
    return tuple(
        RoleRow(slot, state.deal.roles[slot], slot in state.deal.annoyed, places.get(slot))
        for slot in state.slots
    )


def score_rows(state: State, end: End) -> tuple[ScoreRow, ...]:
    """KC-32: fewest first; winners are marked."""
    rows = (
        ScoreRow(slot, state.deal.roles[slot], score.votes, score.bonus, score.total, slot in end.winners)
        for slot, score in end.scores.items()
    )
    return tuple(sorted(rows, key=lambda row: row.total))


def opals(state: State, end: End) -> tuple[SlotId, ...]:
    """KC-31: which winners got one."""
    return tuple(slot for slot in end.winners if state.prizes.opals.get(slot))


def ending(state: State, end: End) -> Announced:
    """KC-24: the King has joined, not too early: roles, court, payouts, scores. Ballots, checks, peeks, looks
    and tie choices stay secret."""
    facts = Ending(
        end.kind,
        state.king,
        end.dukes,
        end.nobles,
        end.winners,
        state.court,
        role_rows(state),
        score_rows(state, end),
        opals(state, end),
        figures=FIGURES,
        king_share=king_share(end),
        tied=end.tied,
        ec=end.ec,
        deadline=deadline(state),
        seats=seats_of(state),
    )
    return Announced(facts)


def deathmatch(state: State) -> Announced:
    """KC-23: four early Kings."""
    return Announced(FourEarlyKings(state.past_kings))
