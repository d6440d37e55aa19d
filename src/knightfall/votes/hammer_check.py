"""What speaks against a hammer that was counted: the moderator's own words, votecounts, rulings and flips.

`denied` holds with a player list and without: where the moderator writes afterwards that nobody was
eliminated, the last vote waits for their decision. `outlived` and `opposed` tell why no hammer is claimed
where nobody listed the players, since then the count itself may rest on a post that was misread.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post, Roster
from knightfall.names import squash, words
from knightfall.votes.moderator_posts import DayTold, Told, denies
from knightfall.votes.posted_votecounts import PostedWagon
from knightfall.votes.tally import Doubt, Hammer, Tally, Vote
from knightfall.votes.thread_read import ThreadRead


def denied(
    counted: Tally, day: int, posts: Iterable[Post], moderators: Set[str], html_style: HtmlStyle
) -> Doubt | None:
    """The doubt on a hammer after which a moderator says that the day has eliminated nobody: it came too
    late, or a vote in its wagon does not count. `posts` are those of the thread, as far as the count goes;
    None where the hammer stands."""
    hammer = counted.hammer
    if hammer is None or hammer.target is None or hammer.voter is None:
        return None
    for post in posts:
        told = post.number > hammer.post and not post.hidden and post.author.casefold() in moderators
        if told and denies(post, html_style, day, hammer.target):
            votes = (vote for wagon in counted.wagons for vote in wagon.votes if vote.post == hammer.post)
            said, names = next((vote.text for vote in votes), ""), (hammer.target.name,)
            why = f"was the hammer on {hammer.target.name}, but by #{post.number} nobody was eliminated"
            return Doubt(hammer.post, hammer.voter.holder_at(hammer.post), said, names, hammer.url, why)
    return None


VOTE_ON = 3
"""So many players who vote after a hammer were not late; behind the moderator's word that the day is over one
fewer: in an endgame no more are left."""


def outlived(counted: Tally, thread: ThreadRead, day: int, roster: Roster) -> Iterator[str]:
    """The sentence where several players vote on after a hammer: then another day has begun, or the wrong
    players are counted."""
    hammer, told = counted.hammer, thread.day(day)
    if hammer is None:
        return
    ended = max(hammer.post, told.ended or 0) if told else hammer.post
    living = roster.alive_at(counted.at)
    for after, enough in ((hammer.post, VOTE_ON), (ended, VOTE_ON - (ended > hammer.post))):
        later = thread.voted(after + 1, counted.at)
        voting = [slot for slot in living if later & set(slot.names)]
        if len(voting) >= enough:
            yield (
                f"By this count post #{hammer.post} ended day {day}, but {len(voting)} players voted "
                "after it."
            )
            return


# ---- What the moderator's posts of the day tell


@dataclass(frozen=True, slots=True)
class _FullWagon:
    """The wagon of a hammer: the names of its target, squashed (none: no elimination), how many votes it
    takes, and the votes in it."""

    hammer: Hammer
    names: frozenset[str]
    needed: int
    votes: tuple[Vote, ...]

    @property
    def target(self) -> str:
        """Who is eliminated by it."""
        return self.hammer.target.name if self.hammer.target else "nobody"

    def is_row(self, row: PostedWagon) -> bool:
        """Whether a row of a votecount is this wagon."""
        if not self.names:
            return row.nobody
        return squash(row.target.name if row.target else row.label) in self.names


def opposed(counted: Tally, day: DayTold | None, roster: Roster, until: int) -> Iterator[str]:
    """The sentences where the moderator's posts of the day, as far as post `until`, speak against a hammer: a
    ruling on one of its votes, or a votecount before it that lists one elsewhere; behind it a votecount
    without that full wagon, or the elimination of somebody else."""
    hammer = counted.hammer
    if hammer is None or day is None:
        return
    wagons = [wagon for wagon in counted.wagons if wagon.target == hammer.target]
    names = frozenset(map(squash, hammer.target.names)) if hammer.target else frozenset[str]()
    needed = next((wagon.needed for wagon in wagons if wagon.needed), 1)
    full = _FullWagon(hammer, names, needed, tuple(vote for wagon in wagons for vote in wagon.votes))
    told = [one for one in day.told if day.start <= one.post <= until]
    yield from _shown_otherwise(full, told, day.number)
    yield from _ruled_out(full, told)
    yield from _listed_elsewhere(full, told)
    yield from _somebody_else(full, told, day, roster)


def _shown_otherwise(full: _FullWagon, told: Iterable[Told], day: int) -> Iterator[str]:
    """The last votecount behind the hammer shows another full wagon, or this one not full; not where the same
    post tells the death of whom the hammer fell on: then its count has a slip."""
    after = [one for one in told if one.post > full.hammer.post and one.has_votes]
    if not after or after[-1].count is None:
        return
    if full.hammer.target and not after[-1].dead().isdisjoint(full.hammer.target.names):
        return
    last, rows = after[-1], [row for row in after[-1].count.rows if not row.idle]
    ours = [row for row in rows if full.is_row(row)]
    others = [row for row in rows if row.size >= full.needed and row.target and row not in ours]
    short = [row for row in ours if row.size < full.needed and last.lists_all and not last.closes]
    if (others and not any(row.size >= full.needed for row in ours)) or short:
        yield (
            f"By this count post #{full.hammer.post} ended day {day}, but the votecount in post "
            f"#{last.post} shows it otherwise."
        )


_ALL_VOTES = re.compile(r"\b(?:all|every|everybody['’]s|everyone['’]s|the|vote\s?count)\b", re.IGNORECASE)


def _ruled_out(full: _FullWagon, told: Iterable[Told]) -> Iterator[str]:
    """A moderator writes that votes do not count, and speaks of one of these."""
    for one in told:
        for sentence in one.rulings:
            if any(_rules_on(sentence, vote) for vote in full.votes if vote.post < one.post):
                yield f"By post #{one.post} a vote of a full wagon may not count: “{sentence}”"


def _rules_on(sentence: str, vote: Vote) -> bool:
    """Whether a sentence by which votes do not count names the voter or the post, or resets all votes."""
    said = f" {' '.join(words(sentence))} "
    named = any(f" {' '.join(words(name))} " in said for name in vote.voter.names)
    numbered = str(vote.post) in re.findall(r"\d+", sentence)
    return named or numbered or ("reset" in said and bool(_ALL_VOTES.search(sentence)))


def _listed_elsewhere(full: _FullWagon, told: Iterable[Told]) -> Iterator[str]:
    """The last whole votecount before the hammer has a vote of this wagon that is older elsewhere."""
    before = [one for one in told if one.post < full.hammer.post and one.has_votes and one.lists_all]
    if not before or before[-1].count is None:
        return
    last, count = before[-1].post, before[-1].count
    for vote in (vote for vote in full.votes if vote.post < last):
        row = count.row_listing(vote.voter.names)
        theirs = row.target.name if row is not None and row.target else ""
        if row is not None and (row.idle or theirs) and squash(theirs) not in full.names:
            yield (
                f"Post #{vote.post} of {vote.voter.name} is read as a vote of that full wagon, but "
                f"the votecount in post #{last} lists it elsewhere."
            )


def _somebody_else(full: _FullWagon, told: Iterable[Told], day: DayTold, roster: Roster) -> Iterator[str]:
    """A post behind the hammer tells of the elimination of others alone."""
    living = {squash(name): slot.name for slot in roster.alive_at(day.start) for name in slot.names}
    for one in (one for one in told if one.post > full.hammer.post):
        gone = {squash(name) for name in one.eliminated(day.number)} & living.keys()
        if gone and full.names.isdisjoint(gone):
            said = ", ".join(sorted({living[name] for name in gone}))
            yield (
                f"By this count post #{full.hammer.post} eliminated {full.target}, but post #{one.post} "
                f"tells of {said}."
            )
