"""The chain of a journal: no record can be cut out, moved, doubled or changed without being found."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.tampering import KINDS, Tampering, played, tamperings
from knightfall.engine.entries import Submitted
from knightfall.engine.journal import append, verify
from knightfall.errors import StateDamaged


@pytest.mark.parametrize("kind", KINDS)
def test_a_journal_as_it_was_written_is_whole(kind: str) -> None:
    whole = played(kind)
    verify(whole)
    for size in (0, 1, len(whole) // 2):
        verify(whole[:size])
        if size:
            verify(whole[size:], whole[size - 1])


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", KINDS)
def test_whatever_is_done_to_a_record_is_found_as_long_as_one_behind_it_is_as_it_was(kind: str) -> None:
    @settings(max_examples=200)  # hundreds of pairs of records, and each takes a millisecond
    @given(tamperings(kind))
    def refused(tampering: Tampering) -> None:
        with pytest.raises(StateDamaged, match=r"Record \d+ of the journal was changed or damaged"):
            verify(tampering.done())
        with pytest.raises(StateDamaged):
            verify(tampering.with_own_hashes())

    refused()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_later_must_follow_what_was_read_before(kind: str) -> None:
    whole = played(kind)

    @given(st.integers(1, len(whole) - 2))
    def refused(place: int) -> None:
        verify(whole[place:], whole[place - 1])
        for other in (None, *whole[: place - 1], *whole[place:]):
            with pytest.raises(StateDamaged):
                verify(whole[place:], other)

    refused()


def test_the_end_of_a_journal_computed_anew_is_what_the_chain_alone_cannot_tell() -> None:
    """It is what the docstring of `verify` says; the database and the posts tell it."""
    whole = played("kings_court")
    forged = whole[:9]
    for record in whole[9:]:
        entry = Submitted(None, "forged") if record.number == 10 else record.entry
        forged = append(forged, entry, record.at, record.author)
    verify(forged)
    verify(whole[:9])
    # One record that is as it was gives it away.
    with pytest.raises(StateDamaged, match=f"Record {len(whole)} "):
        verify((*forged[:-1], whole[-1]))
