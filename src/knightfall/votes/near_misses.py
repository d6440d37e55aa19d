"""Near misses: what looks like a vote and is none, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace

from knightfall.models import Post, Roster
from knightfall.names import Absent, Matched, Unknown, names_of, squash
from knightfall.votes.ballots import Action, Ballot, Form, PostBallots, Region
from knightfall.votes.house import PlayerMark
from knightfall.votes.tally import Uncounted, UncountedReason
from knightfall.votes.vote_parser import NOTHING, PostReader, post_ballots


@dataclass(frozen=True, slots=True)
class VotesFound:
    """The ballots of some posts in their order, and what only looks like a vote in them."""

    ballots: list[PostBallots] = field(default_factory=list)
    misses: list[Uncounted] = field(default_factory=list)
    spoken: dict[Uncounted, str] = field(default_factory=dict)
    """Of the misses those that stand in a sentence, with whom it seems to name."""

    def elsewhere(self) -> VotesFound:
        """The same where votes are made in another thread: none of these counts."""
        misses = [
            Uncounted(post.number, post.author, ballot.line, UncountedReason.ELSEWHERE, post.url)
            for post in self.ballots
            for ballot in post.ballots
        ]
        return VotesFound([], sorted((*self.misses, *misses), key=lambda miss: miss.post), self.spoken)

    def concerning(self, roster: Roster, moderators: Set[str]) -> tuple[Uncounted, ...]:
        """The misses of players and moderators; what others write is no news, nor a sentence of a player that
        names nobody who plays."""
        names = names_of(roster.slots)

        def news(miss: Uncounted) -> bool:
            voter = roster.slot_of(miss.voter)
            named = self.spoken.get(miss)
            if named is None or voter is None:
                return voter is not None or miss.voter.casefold() in moderators
            return not isinstance(names.match(named, voter), Unknown | Absent)

        return tuple(miss for miss in self.misses if news(miss))

    def without_voteless(self, marks: Iterable[PlayerMark]) -> VotesFound:
        """The same without the votes of those who have none from a post on, by the moderator's words."""
        since = {mark.name.casefold(): mark.post for mark in marks if mark.weight == 0}
        if not since:
            return self
        gone = [one for one in self.ballots if one.number > since.get(one.author.casefold(), one.number)]
        misses = [
            Uncounted(post.number, post.author, ballot.line, UncountedReason.VOID, post.url)
            for post in gone
            for ballot in post.ballots
        ]
        kept = [one for one in self.ballots if one not in gone]
        return VotesFound(kept, sorted((*self.misses, *misses), key=lambda miss: miss.post), self.spoken)

    def naming(self, roster: Roster, nobody: frozenset[str]) -> VotesFound:
        """The same without those ballots in a frame of the house that is a name alone and name nobody surely:
        players mark other words, too."""
        if not any(one.prose and one.form is Form.HOUSE for post in self.ballots for one in post.ballots):
            return self
        names = names_of(roster.slots)

        def means(ballot: Ballot) -> bool:
            bare = ballot.prose and ballot.form is Form.HOUSE and ballot.action is Action.VOTE
            return not bare or squash(ballot.text) in nobody or isinstance(names.surely(ballot.text), Matched)

        kept = (replace(post, ballots=tuple(filter(means, post.ballots))) for post in self.ballots)
        return VotesFound([post for post in kept if post.ballots], self.misses, self.spoken)

    def add_misses(
        self, post: Post, ballots: Iterable[Ballot], reason: UncountedReason | None = None
    ) -> None:
        """Note what looks like a vote in a post; without a reason each ballot tells its own."""
        for ballot in ballots:
            if not ballot.text and ballot.action is Action.VOTE:
                continue
            if reason is not None:
                why = reason
            elif ballot.region is not Region.LIVE:
                why = UncountedReason(ballot.region.value)
            else:
                plain = ballot.form is Form.OWN_LINE and not ballot.prose
                why = UncountedReason.NOT_BOLD if plain else UncountedReason.NO_FORM
            miss = Uncounted(post.number, post.author, ballot.line, why, post.url)
            self.misses.append(miss)
            if ballot.prose and ballot.action is Action.VOTE:
                self.spoken[miss] = ballot.text

    def add_short(self, post: Post, said: Iterable[str]) -> None:
        """Note the “V: name” of a post."""
        self.misses.extend(
            Uncounted(post.number, post.author, one, UncountedReason.NO_FORM, post.url) for one in said
        )


def read_votes_and_misses(posts: Iterable[Post], reading: PostReader) -> VotesFound:
    """Read posts for votes and near misses at once."""
    found = VotesFound()
    reader, of_any_form = reading.body_readers
    for post in posts:
        if post.author.casefold() in reading.moderators:
            found.add_misses(post, reader.ballots(post.body), UncountedReason.MODERATOR_POST)
        elif post.hidden:
            found.add_misses(post, reader.ballots(post.body), UncountedReason.VOID)
        else:
            forced = post.number in reading.any_form
            in_body = (of_any_form if forced else reader).found(post.body)
            if in_body is NOTHING and post.number not in reading.decided:
                continue
            ballots, misses, short = in_body
            if forced:
                ballots = of_any_form.ballots_or_spoken(post.body)
            if ballots or post.number in reading.decided:
                found.ballots.append(post_ballots(post, ballots))
            found.add_misses(post, misses)
            found.add_short(post, short)
    return found


def read_votes(posts: Iterable[Post], reading: PostReader) -> VotesFound:
    """Read posts for votes alone, which takes less than half the time."""
    return VotesFound(list(reading.ballots_by_post(posts)))
