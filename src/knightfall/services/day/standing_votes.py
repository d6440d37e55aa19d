"""A day that is voted on in a thread, as its votes stand there: whom it would eliminate if it closed now.

The thread is taken as it was read last; nothing is asked of the forum and nothing is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from knightfall.config.calendar import day_of
from knightfall.engine.entries import Closed
from knightfall.engine.game import Refusal, Window
from knightfall.engine.journal import window_name
from knightfall.engine.what_if import Add, Remove
from knightfall.errors import DecisionNeeded, EvidenceError, InputError
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.ips import AS_READ
from knightfall.models import Post, PostId, Thread
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.count.remembered_votes import votes_remembered
from knightfall.services.day.close import DayEnd, closing_of, end_of
from knightfall.services.day.end import FinalCount, count_of, questions_decide, url_of
from knightfall.services.now import now_of
from knightfall.services.running import RunningGame, holders
from knightfall.services.session import Session
from knightfall.services.threads import Given, Kept, NeverRead, Source, gather, habits_of
from knightfall.votes.tally import Fix, Vote
from knightfall.votes.votecount import Votecount
from knightfall.writeups.vote_words import REASONS

_TRIED = "what-if-"
"""How the ids of posts begin that nobody wrote."""


@dataclass(frozen=True, slots=True)
class VotedDay:
    """A day by the votes of its thread. `final` is the count (None: nothing of the day was read, and `unread`
    says why), `end` how the day would end by it; `deciding`: the votes that wait for the moderator's decision
    can change that. `refused` are votes that were tried and do not count."""

    number: int
    final: FinalCount | None = None
    end: DayEnd | None = None
    deciding: bool = False
    unread: str = ""
    refused: tuple[tuple[str, str, Refusal], ...] = ()

    @property
    def count(self) -> Votecount | None:
        """The count; None where nothing of the day was read."""
        return self.final.count if self.final else None

    @property
    def eliminated(self) -> tuple[str, ...] | None:
        """Who would be eliminated; None where that is not settled."""
        choices = tuple(self.end.choices.values()) if self.end else ()
        return choices[0] if len(choices) == 1 else None

    @property
    def closing(self) -> Closed | None:
        """The entry that would close it; None where it is not settled who is eliminated."""
        if self.final is None or self.end is None or self.eliminated is None:
            return None
        return closing_of(self.final, self.end, self.eliminated)

    @property
    def choices(self) -> tuple[str, ...]:
        """How it can end, in a word each; several where the moderator decides."""
        return tuple(self.end.choices) if self.end else ()

    @property
    def questions(self) -> int:
        """How many votes wait for a decision."""
        return len(self.count.questions) if self.count else 0

    @property
    def wagons(self) -> tuple[tuple[str, str], ...]:
        """Each name that has votes, and how many (“3/5”), the most first."""
        if self.count is None:
            return ()
        nobody = self.count.terms.no_elimination
        return tuple((one.target.name if one.target else nobody, one.size) for one in self.count.tally.wagons)

    @property
    def hammered(self) -> bool:
        """Whether a vote has ended the day."""
        return self.count is not None and self.count.tally.hammer is not None

    def votes_of(self, name: str) -> tuple[Vote, ...]:
        """The votes of a player that stand."""
        wagons = self.count.tally.wagons if self.count else ()
        return tuple(vote for wagon in wagons for vote in wagon.votes if name in vote.voter.names)

    def to_dict(self) -> dict[str, object]:
        """{day, at: the last post counted, wagons: [{name, votes}], hammer, eliminated: [names] or null,
        choices, questions, deciding, unread}."""
        return {
            "day": self.number,
            "at": self.count.tally.at if self.count else None,
            "wagons": [{"name": name, "votes": size} for name, size in self.wagons],
            "hammer": self.hammered,
            "eliminated": None if self.eliminated is None else list(self.eliminated),
            "choices": list(self.choices),
            "questions": self.questions,
            "deciding": self.deciding,
            "unread": self.unread,
        }


def voted_day(
    table: RunningGame, window: Window, session: Session, edits: Sequence[Add | Remove] = ()
) -> VotedDay:
    """The open day by the votes that were read, as if these edits had been posted too, or not: a vote added
    is one more post, a vote removed counts as taken back where it stands.

    Raises InputError for a name of nobody, and where somebody's vote is removed who has none.
    """
    number = day_of(window_name(window)) or 1
    setup, now = now_of(session).setup, session.clock.now()
    source: Source = Kept(url_of(setup)) if session.thread is None else Given(session.thread)
    try:
        thread = gather(source, session)
        with votes_remembered(thread, habits_of(thread), setup, session):
            count = count_of(setup, thread, number, now)
    except NeverRead:
        way = Way("count_votes")
        return VotedDay(number, unread=sentence("It was not read yet: {way} first.", way=way))
    except (InputError, EvidenceError) as fault:
        return VotedDay(number, unread=str(fault))
    known, refused = FinalCount(count, thread, source, setup, now), list[tuple[str, str, Refusal]]()
    for edit in edits:
        if isinstance(edit, Remove):
            known = _without(known, edit)
            continue
        tried = _with_vote(known, edit)
        why = _not_counted(tried, edit)
        if why is None:
            known = tried
        else:
            refused.append((edit.name, edit.line, why))
    try:
        end = end_of(known.count, table, session)
    except DecisionNeeded as asked:
        return VotedDay(number, known, None, questions_decide(known), str(asked), tuple(refused))
    return VotedDay(number, known, end, questions_decide(known), "", tuple(refused))


def _with_vote(final: FinalCount, edit: Add) -> FinalCount:
    """The count with one more post, the last of the thread."""
    last = final.thread.posts[-1]
    post = Post(
        PostId(f"{_TRIED}{last.number + 1}"),
        last.number + 1,
        edit.name,
        AS_READ.write(parse_bbcode(f"[b]{edit.line}[/b]")),
        time=None if last.time is None else final.as_of,
    )
    return _counted_anew(final, replace(final.thread, posts=(*final.thread.posts, post)))


def _not_counted(final: FinalCount, edit: Add) -> Refusal | None:
    """Why the last post of a thread, which was tried, is no vote that counts; None where it is one."""
    tally, number = final.count.tally, final.thread.posts[-1].number
    missed = next((one for one in tally.not_counted if one.post == number), None)
    if missed is not None:
        return Refusal(missed.why.name, f"it does not count: {REASONS[missed.why]}")
    if any(doubt.post == number for doubt in tally.questions):
        return Refusal("UNCLEAR", "it is not clear whom it is for")
    if any(move.post == number for move in tally.history):
        return None
    stands = any(vote.post == number for wagon in tally.wagons for vote in wagon.votes)
    again = any(edit.name in vote.voter.names for wagon in tally.wagons for vote in wagon.votes)
    return None if stands or again else Refusal("NO_VOTE", "no vote is read in it")


def _without(final: FinalCount, edit: Remove) -> FinalCount:
    """The count in which the player's vote was taken back where it stands."""
    votes = [
        vote
        for wagon in final.count.tally.wagons
        for vote in wagon.votes
        if edit.name in vote.voter.names and _is_called(vote, edit.line)
    ]
    if not votes:
        raise InputError(f"“{edit.name}” has no such vote that stands, so there is none to remove.")
    fixes = tuple(Fix(vote.post, unvote=True) for vote in votes)
    setup = replace(final.setup, fixes=(*final.setup.fixes, *fixes))
    return _counted_anew(replace(final, setup=setup), final.thread)


def _is_called(vote: Vote, written: str) -> bool:
    """Whether a vote is meant by these words: by nothing, by its target, or by its text."""
    said = written.casefold()
    target = vote.target.name.casefold() if vote.target else ""
    return not said or said == target or said in vote.text.casefold()


def _counted_anew(final: FinalCount, thread: Thread) -> FinalCount:
    count = count_of(final.setup, thread, final.count.day.number, final.as_of)
    return replace(final, thread=thread, count=count)


def voter_name(table: RunningGame, slot: SlotId) -> str:
    """By what name a slot posts now."""
    return holders(table.journal).get(slot, str(slot))
