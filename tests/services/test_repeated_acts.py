"""An act that is repeated, its command cut off or its button pressed twice, is one entry; two acts are
two."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from knightfall.engine.entries import (
    Away,
    Closed,
    Delivered,
    Drawn,
    Entry,
    Prodded,
    Published,
    Ruled,
    Submitted,
    Undone,
    Worded,
)
from knightfall.engine.journal import Journal, append
from knightfall.engine.repeats import repeated
from knightfall.errors import SaidAlready
from knightfall.sentence import SlotId
from knightfall.services.day.phases import extend
from knightfall.services.game.players import note_absence, write_note
from knightfall.services.journal import rule
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.requests import PhaseRequest, PostRequest
from knightfall.services.session import Session, journal_of
from knightfall.services.window.turns import submit
from playthroughs.moderator import moderating
from services.test_hand_over import session_at
from services.test_people_posts import AS_IS, begun
from web import play
from web.test_private_thread import night_of

AT = datetime(2026, 11, 18, 20, tzinfo=UTC)
ADA, BORO = SlotId("Ada"), SlotId("Boro")


def journal(*entries: Entry, at: datetime = AT) -> Journal:
    found: Journal = ()
    for place, entry in enumerate(entries):
        found = append(found, entry, at + timedelta(hours=place), "Wren")
    return found


def note(text: str, number: int = 1, upto: str = "7") -> Published:
    return Published("mod_note", number, "0" * 64, text, upto)


AWAY = Away(ADA, "2026-12-02", "2026-12-04")
NOW = timedelta(hours=10)


@pytest.mark.parametrize(
    ("before", "entry"),
    [
        ((AWAY,), AWAY),
        ((AWAY, Away(BORO, "2026-12-02", "2026-12-04")), AWAY),
        ((note("Hello."),), note("Hello.", 2)),
        (
            (Published("votecount-1", 1, "0", "Votecount 1.1", "7"),),
            Published("votecount-1", 2, "1", "1.2", "7"),
        ),
        ((Delivered("role-1", ADA, "sent", "ab"),), Delivered("role-1", ADA, "sent", "ab")),
        ((Worded(ADA, "rope"),), Worded(ADA, "rope")),
        ((Ruled("Q?", "No.", "so"), Closed("night")), Ruled("Q?", "No.", "so")),
        ((Submitted(ADA, "kill Boro", when=AT),), Submitted(ADA, "kill Boro", when=AT + NOW)),
        ((Submitted(ADA, "kill Boro", when=AT - NOW),), Submitted(ADA, "kill Boro", when=AT - NOW)),
    ],
)
def test_what_was_said_last_is_one_entry(before: tuple[Entry, ...], entry: Entry) -> None:
    found = repeated(entry, AT + NOW, journal(*before))
    assert found is not None
    assert found.entry in before


@pytest.mark.parametrize(
    ("before", "entry"),
    [
        ((), AWAY),
        ((AWAY, Away(ADA, "2026-12-02", "2026-12-05")), AWAY),
        ((AWAY, Undone(1, "no")), AWAY),
        ((AWAY, Closed("day")), AWAY),
        ((note("Hello."), note("Bye.", 2)), note("Hello.", 3)),
        ((note("Hello."),), note("Hello.", 2, "9")),
        ((note("Hello."), Ruled("Q?", "No.", "so")), note("Hello.", 2)),
        (
            (Submitted(ADA, "kill Boro", when=AT), Submitted(ADA, "kill Fen", when=AT)),
            Submitted(ADA, "kill Boro"),
        ),
        ((Submitted(ADA, "kill Boro", when=AT), Closed("night")), Submitted(ADA, "kill Boro", when=AT + NOW)),
        ((Submitted(ADA, "kill Boro", when=AT - NOW),), Submitted(ADA, "kill Boro", when=AT + NOW)),
        ((Submitted(ADA, "gift", "#1", when=AT),), Submitted(ADA, "gift", "#2", when=AT + NOW)),
        ((Submitted(ADA, "kill Boro", when=AT),), Submitted(BORO, "kill Boro", when=AT + NOW)),
        ((Drawn("d6", "4"),), Drawn("d6", "4")),
        ((Prodded(ADA),), Prodded(ADA)),
    ],
)
def test_what_may_be_meant_once_more_is_another_entry(before: tuple[Entry, ...], entry: Entry) -> None:
    assert repeated(entry, AT + NOW, journal(*before)) is None


def twice(act: Callable[[Session], object], session: Callable[[], Session]) -> None:
    """Do it, and once more as the same command does: it is told, and nothing is written."""
    act(session())
    before = journal_of(session())
    with pytest.raises(SaidAlready, match=r"(?i)entry \d+"):
        act(session())
    assert journal_of(session()) == before


def test_a_command_that_is_repeated_writes_one_entry(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        night_of(mod)
        [goon, *_], plain = mod.holders("Mafia Goon"), mod.holders("Vanilla Townie")

        def session() -> Session:
            mod.turns_to(mod.clock.now() + timedelta(seconds=20))
            return session_at(mod, mod.folder)

        twice(lambda now: note_absence(plain[0], "2026-12-02..2026-12-04", AS_IS, now), session)
        twice(lambda now: submit(goon, f"kill {plain[0]}", None, now), session)
        twice(lambda now: write_note("Be kind.", AS_IS, now), session)
        extend(PhaseRequest("night", ends="2026-12-20 20:00"), AS_IS, session())
        twice(lambda now: extend(PhaseRequest("night", by="24h"), AS_IS, now), session)
        twice(
            lambda now: mark_posted(write_post(PostRequest("rules", "plain", stored=True), now), now), session
        )
        twice(lambda now: rule("May one talk?", "No.", "so", now), session)
        # The same order at a time that is said is another message.
        at = mod.clock.now() - timedelta(minutes=5)
        submit(goon, f"kill {plain[0]}", None, session(), at=at)


def test_the_last_of_two_orders_stands_as_before(tmp_path: Path) -> None:
    session = begun("empowered", tmp_path / "harbour")
    before = len(journal_of(session))
    for text in ("no elimination", "eliminate Ada", "no elimination"):
        submit("moderator", text, "plain", session)
    assert len(journal_of(session)) == before + 3
