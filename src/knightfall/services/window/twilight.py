"""A message that came after the hammer, while its day was still to be closed."""

from __future__ import annotations

from dataclasses import replace

from knightfall.config.calendar import day_of
from knightfall.engine.commands import lines_of
from knightfall.engine.entries import Submitted
from knightfall.engine.journal import window_name
from knightfall.errors import KnightfallError
from knightfall.sentence import SlotId
from knightfall.services.count.votecount import counted
from knightfall.services.requests import CountRequest
from knightfall.services.running import RunningGame, is_voted_on, names_of
from knightfall.services.session import Session


def in_twilight(table: RunningGame, entry: Submitted, session: Session) -> Submitted:
    """The message with whom the day was hammered by the time it was sent, as the thread was read last. What
    changes how the day ends (a pardon) belongs to that day; the rest to what comes next. Unchanged where the
    game takes nothing of it by day."""
    day = next(filter(is_voted_on, table.windows), None)
    if day is None or entry.slot is None or entry.when is None or not _is_taken(table, entry, session):
        return entry
    hammered = _hammered(table, day_of(window_name(day)), entry, session)
    if hammered is None:
        return entry
    late = replace(entry, hammered=hammered)
    after = table.after(late, session.clock.now(), session.author)
    says, said = (one.game.instead_of_elimination(one.state) for one in (after, table))
    return replace(late, belongs=window_name(day)) if says and not said else late


def _is_taken(table: RunningGame, entry: Submitted, session: Session) -> bool:
    """Whether the game takes a line of it where it stands."""
    after = table.after(entry, session.clock.now(), session.author)
    return len(after.last_refused) < len(lines_of(entry.text))


def _hammered(table: RunningGame, day: int | None, entry: Submitted, session: Session) -> SlotId | None:
    """With whom the votes had ended the day before a message was sent; None where they had not."""
    try:
        count = counted(CountRequest(stored=True), session).count
    except KnightfallError:
        return None  # nothing was read, or what was read cannot be counted
    hammer = count.tally.hammer
    if hammer is None or count.day.number != day or entry.when is None:
        return None
    post = count.posts.get(hammer.post)
    if post is None or post.time is None or entry.when <= post.time:
        return None
    slots, aliases = names_of(table)
    target = hammer.target
    return (
        SlotId("")
        if target is None
        else next(
            (slot for slot in slots if slot in target.names),
            next((aliases[name] for name in target.names if name in aliases), None),
        )
    )
