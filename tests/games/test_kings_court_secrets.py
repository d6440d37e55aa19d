"""Does anything secret show where it does not belong, in a view, a post or a moment? Random matches.

The method: change everything that a reader may not know, and see that what he is shown stays the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import settings

from knightfall.engine.entries import Submitted
from knightfall.engine.game import Announced, Event, announced, told
from knightfall.engine.playout import Playout, play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT, Deal, Phase, Role, State
from knightfall.games.kings_court.state import Known, Waiting
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post
from salt_court import ADA, BORO, COURT, DUKES, NOON, Table, seated

MATCHES = range(settings().max_examples)
"""As many as a property has examples: HYPOTHESIS_PROFILE=search plays 300."""
EVERY = 9
"""So many steps apart the states are looked at, from another one in each match."""
BEFORE_THE_END = {"round", "reminder", "early_end", "new_attempt", "public_ballot", "removed", "revived"}


@cache
def played(seed: int) -> Playout[State]:
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    return play(KINGS_COURT, COURT, {"garnets": 12}, chance, draw, 2_000)


def others_changed(state: State, reader: SlotId | None) -> State:
    """Another truth that the reader cannot tell from this one, with other secrets of everybody else."""
    king_stays = reader == state.king or state.end is not None
    return state._replace(
        deal=state.deal if state.end else dealt_otherwise(state.deal, reader, king_stays),
        garnets={slot: count if slot == reader else count + 7 for slot, count in state.garnets.items()},
        ballots={slot: target for slot, target in state.ballots.items() if slot == reader},
        tiebreak=state.tiebreak if king_stays else COURT[:2],
        learned=state.learned if king_stays else COURT[2:4],
        check_pair=state.check_pair if reader == state.check_right else COURT[4:6],
        covers=(),
        waiting=(*(w for w in state.waiting if w.slot == reader), Waiting(SlotId("?"), None)),
        known={
            slot: known if slot == reader else (*known, Known(9, "peek", (reader or ADA,), "Duke"))
            for slot, known in {**dict.fromkeys(COURT, ()), **state.known}.items()
        },
    )


def dealt_otherwise(deal: Deal, reader: SlotId | None, king_stays: bool) -> Deal:
    """The others have each other's roles; others are annoyed; the lists are others."""
    hidden = [slot for slot in COURT if slot != reader and not (king_stays and slot == deal.king)]
    roles = dict(zip(hidden, reversed([deal.roles[slot] for slot in hidden]), strict=True))
    swapped = {slot: roles.get(slot, deal.roles[slot]) for slot in COURT}
    king = next(slot for slot, role in swapped.items() if role is Role.KING)
    lists = {slot: names[::-1] for slot, names in deal.hints.items()}
    return Deal(swapped, king, frozenset(COURT) - deal.annoyed, lists)


def looked_at(seed: int) -> Iterator[State]:
    states = played(seed).states
    return iter(states[seed % EVERY :: EVERY])


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", MATCHES)
def test_no_view_holds_what_its_reader_may_not_know(seed: int) -> None:
    for state in looked_at(seed):
        for reader in (None, *COURT):
            other = others_changed(state, reader)
            hidden = other if not (state.pending and reader == state.king) else state
            assert KINGS_COURT.view(hidden, reader) == KINGS_COURT.view(state, reader)
            assert KINGS_COURT.windows(other) == KINGS_COURT.windows(state)


def shown(seed: int) -> Iterator[tuple[State, State, object, tuple[Event, ...]]]:
    """Each step: before, after, the entry, and what was told."""
    playout = played(seed)
    run = replay(playout.journal, KINGS_COURT, lambda: SeededRng(b"draw %d" % seed))
    assert len(run.taken) == len(playout.states)
    steps = zip(pairwise(playout.states), playout.journal[1:], run.taken[1:], strict=True)
    yield from ((before, after, record.entry, taken.events) for (before, after), record, taken in steps)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", MATCHES)
def test_a_message_is_answered_to_its_sender_alone(seed: int) -> None:
    """The other side of a gift is told; tokens, DMO and the coin are public decisions."""
    for before, after, entry, events in shown(seed):
        if not isinstance(entry, Submitted) or entry.slot is None or before.end is not None:
            continue
        assert announced(events) == ()
        readers = {slot for pm in told(events) for slot in pm.slots}
        assert readers <= {entry.slot} | ({SlotId(entry.text.split()[-1])} if "GIVE" in entry.text else set())
        for reader in {None, *COURT} - readers:
            assert KINGS_COURT.view(after, reader) == KINGS_COURT.view(before, reader)


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", MATCHES)
def test_no_post_before_the_end_names_a_role_or_a_voter(seed: int) -> None:
    for before, after, _, events in shown(seed):
        posts = [event for event in announced(events) if event.kind in BEFORE_THE_END]
        for post in posts:
            assert not re.search(r"\b(Duke|Noble|annoyed)", public_post("kings_court", post))
        if before.phase is Phase.VOTE and posts and after.opened:
            assert without_voters(before, after.opened) == posts


def without_voters(state: State, at: datetime) -> list[Announced]:
    """The posts of the same count with other voters, other purchases, checks and lists behind it."""
    moved = dict(zip(state.ballots, reversed(list(state.ballots.values())), strict=True))
    other = state._replace(ballots=moved, check_pair=(), known={}, covers=(), tiebreak=COURT[:1])
    closed = KINGS_COURT.close(other, "vote", at, SeededRng(b"other"))
    return [event for event in announced(closed.events) if event.kind in BEFORE_THE_END]


@pytest.mark.parametrize("tied", [(ADA, COURT[1]), COURT[1:3], COURT[:3]])
@pytest.mark.parametrize("listed", [(), (COURT[1],)])
def test_a_tie_looks_the_same_whoever_is_tied_and_whatever_is_on_file(
    tied: tuple[SlotId, ...], listed: tuple[SlotId, ...]
) -> None:
    """KC-11: no post, one window of one length for everybody, until it has run out."""
    table = Table(seated(tiebreak=listed))
    for voter, target in zip(COURT[4:], tied * 4, strict=False):
        if COURT.index(voter) - 4 < 2 * len(tied):
            table.say(voter, f"VOTE: {target}")
    table.events.clear()
    table.close("vote")
    assert announced(table.events) == ()
    (window, _) = KINGS_COURT.windows(table.state)
    assert (window.kind, window.slots, window.title) == ("tie", COURT, "Tie of round 1")
    assert {slot for event in told(table.events) if event.kind != "fine" for slot in event.slots} == {ADA}
    assert table.now > NOON


def test_roles_of_an_earlier_attempt_stay_forbidden_words_after_the_end() -> None:
    """KC-23: only the King of each early end was told, and what the last attempt shows."""
    table = Table(seated(BORO))
    assert KINGS_COURT.forbidden_words(table.state) == ()
    table.elect(ADA)
    first = {slot: "Duke" if slot in DUKES else "Noble" for slot in COURT if slot != ADA}
    words = KINGS_COURT.forbidden_words(table.state)
    assert {f"{slot} {role}" for slot, role in first.items()} <= set(words)
    assert f"{BORO} was a Duke" in words
    assert not any(word.startswith("Ada ") for word in words)
    for _ in range(4):
        table.elect(next(slot for slot in table.state.outside if slot != table.state.king))
    table.elect(table.state.king)
    assert table.state.end is not None
    now = table.state.deal.roles
    left = {word for word in KINGS_COURT.forbidden_words(table.state) if len(word.split()) == 2}
    assert left == {f"{slot} {role}" for slot, role in first.items() if now[slot] != role}
