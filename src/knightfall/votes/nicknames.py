"""Nicknames that a thread teaches: the evidence for each, and which are worth proposing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import regex

from knightfall.models import Roster, Slot
from knightfall.names import (
    NO_ELIMINATION_WORDS,
    SURE_TIERS,
    Ambiguous,
    Entry,
    Matched,
    Names,
    TargetMatch,
    Unknown,
    names_of,
    squash,
    words,
)
from knightfall.votes.ballots import Action, Ballot, PostBallots, Region
from knightfall.votes.posted_votecounts import PostedVotecount, PostedWagon
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Fix, Tally, tally

WEAK = frozenset({"inside", "word_starts", "edit_distance", "repeats", "abbreviated", "shuffled"})
"""Ways to match a name that an alias makes sure. Where more than a name was typed there is none to learn."""

_NICKNAME = regex.compile(r"[^\W_][\w'’.&-]*(?:\s[\w'’.&-]+){0,2}")
_EDGES = " \t\"'“”‘’*_~.,;:!?()[]{}<>|/\\-–—=@"


@dataclass(frozen=True, slots=True)
class DayRead:
    """A day as it was read: what its count stands on, and the moderator's own counts in it, oldest first."""

    day: Day
    until: int
    roster: Roster
    rule: Rule
    casts: tuple[PostBallots, ...]
    moderators: frozenset[str] = frozenset()
    posted: tuple[PostedVotecount, ...] = ()
    fixes: Mapping[int, Fix] = field(default_factory=dict)
    nobody_words: frozenset[str] = NO_ELIMINATION_WORDS
    _names: dict[tuple[str, ...], Names] = field(default_factory=dict, init=False, repr=False, compare=False)
    """By the names of the dead: most posts of a day share one."""

    def with_counts(self, posted: tuple[PostedVotecount, ...]) -> DayRead:
        """The day with what the moderator's votecounts in it say."""
        return replace(self, posted=posted)

    def names_at(self, post: int) -> Names:
        """The names that could be meant in that post."""
        gone = tuple(slot for slot in self.roster.slots if not slot.alive_at(post))
        dead = tuple(slot.name for slot in gone)
        if dead not in self._names:
            alive = self.roster.alive_at(post)
            self._names[dead] = names_of(alive, gone, self.moderators, self.nobody_words)
        return self._names[dead]


class ClaimBasis(Enum):
    """What a claim rests on."""

    HEADING = "heading"
    VOTER = "voter"
    SHOWN = "shown"
    DECIDED = "decided"
    FITS = "fits"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Claim:
    """`author` writes `text` in post `post`; it must mean `slot` (None: nobody can tell from this use alone).
    `count` is the moderator's votecount that shows it."""

    text: str
    slot: Slot | None
    because: ClaimBasis
    post: int
    author: str
    url: str | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class _Use:
    """A ballot, whom it means by its letters, and the post of the voter's next one."""

    cast: PostBallots
    ballot: Ballot
    voter: Slot
    meaning: TargetMatch
    next: int


def claims(day: DayRead) -> Iterator[Claim]:
    """All that the day claims, in no order."""
    # Each living voter's ballots in order.
    found: dict[str, list[_Use]] = {}
    for cast in day.casts:
        voter = day.roster.slot_of(cast.author)
        if voter is None or not day.day.start <= cast.number <= day.until or not voter.alive_at(cast.number):
            continue
        for ballot in cast.ballots:
            if ballot.region is Region.LIVE:
                meaning = day.names_at(cast.number).match(ballot.text, voter)
                found.setdefault(voter.name, []).append(_Use(cast, ballot, voter, meaning, day.until + 1))
    voters = {name: tuple(_chained(uses)) for name, uses in found.items()}

    for uses in voters.values():
        for place, use in enumerate(uses):
            yield from _by_voter(day, use, uses[:place])
    for posted in day.posted:
        moment = tally(
            day.casts,
            day.roster,
            day.rule,
            day.day,
            posted.post - 1,
            day.moderators,
            day.fixes,
            day.nobody_words,
        )

        # Voter → his last vote before a post, squashed, where nobody can tell whom it means.
        last = {name: [u for u in uses if u.cast.number < posted.post][-1:] for name, uses in voters.items()}
        unread = {
            name: squash(use.ballot.text)
            for name, uses in last.items()
            for use in uses
            if isinstance(use.meaning, Unknown | Ambiguous) and use.ballot.action is Action.VOTE
        }

        for row in posted.rows:
            name = None if row.idle else nickname(row.label)
            slot = _headed(day, posted, row, moment, unread) if name else None
            if name and slot:
                yield _by_count(posted, name, slot, ClaimBasis.HEADING)
        yield from _left_over(day, posted, moment)


def nickname(text: str) -> str | None:
    """The text as a name, where it is a name at most: up to three words of letters and digits."""
    bare = text.strip(_EDGES)
    short = _NICKNAME.fullmatch(bare) and len(bare) <= 24 and not squash(bare).isdigit()
    return bare if short and len(squash(bare)) > 1 else None


def _chained(uses: list[_Use]) -> Iterator[_Use]:
    for use, after in zip(uses, [*uses[1:], None], strict=True):
        following = use.next if after is None else after.cast.number
        yield _Use(use.cast, use.ballot, use.voter, use.meaning, following)


def _by_voter(day: DayRead, use: _Use, earlier: tuple[_Use, ...]) -> Iterator[Claim]:
    name = nickname(use.ballot.text)
    if use.ballot.action is not Action.VOTE or name is None:
        return
    slot = use.meaning.slot if isinstance(use.meaning, Matched) and use.meaning.rule in WEAK else None
    if slot is None and not isinstance(use.meaning, Unknown | Ambiguous):
        return
    fix = day.fixes.get(use.cast.number)
    if fix is not None:
        # The moderator's word on a post that holds this one vote.
        target = day.roster.slot_of(fix.to) if fix.to else None
        if target is not None and sum(ballot.action is Action.VOTE for ballot in use.cast.ballots) == 1:
            yield _claim(use, name, target, ClaimBasis.DECIDED)
        return

    # Where the last count of the moderator before the voter's next ballot lists the vote; nowhere, where it
    # may be an earlier vote of his that the moderator still shows.
    counts = [posted for posted in day.posted if use.cast.number < posted.post < use.next]
    row = counts[-1].row_of(use.voter) if counts else None
    posted, shown = None, None
    if row is not None and row.target is not None:
        before = {one.meaning.slot.name for one in earlier if isinstance(one.meaning, Matched)}
        if row.target.name not in before:
            posted, shown = counts[-1], row.target
    because = ClaimBasis.SHOWN if shown else ClaimBasis.FITS if slot else ClaimBasis.OPEN
    yield _claim(use, name, shown or slot, because, posted.post if posted and shown else None)


def _claim(use: _Use, name: str, slot: Slot | None, because: ClaimBasis, count: int | None = None) -> Claim:
    return Claim(name, slot, because, use.cast.number, use.cast.author, use.cast.url, count)


def _by_count(posted: PostedVotecount, name: str, slot: Slot, because: ClaimBasis) -> Claim:
    return Claim(name, slot, because, posted.post, posted.author, posted.url, posted.post)


def _headed(
    day: DayRead, posted: PostedVotecount, row: PostedWagon, moment: Tally, unread: Mapping[str, str]
) -> Slot | None:
    """The one slot whose standing votes are exactly those that the row lists."""
    listed = {voter.name for voter in row.voters}
    if row.strangers or any(unread[name] != squash(row.label) for name in listed & unread.keys()):
        return None
    sure = listed - unread.keys()
    wagons = [
        wagon for wagon in moment.wagons if {vote.voter.name for vote in wagon.votes} - unread.keys() == sure
    ]
    slot = wagons[0].target if sure and len(wagons) == 1 else None
    if slot is None or any(_same(other.target, slot) for other in posted.rows if other is not row):
        return None
    meant = day.names_at(posted.post).match(row.label)
    if isinstance(meant, Matched):
        return slot if _same(meant.slot, slot) and meant.rule not in ("exact", "alias") else None
    return slot if isinstance(meant, Unknown) and len(sure) > 1 else None


def _left_over(day: DayRead, posted: PostedVotecount, moment: Tally) -> Iterator[Claim]:
    """A voter by an unknown name, where one slot alone of the living is not listed and votes just there."""
    strange = [(row, name) for row in posted.rows for name in row.strangers]
    listed = {voter.name for row in posted.rows for voter in row.voters}
    missing = [slot for slot in day.roster.alive_at(posted.post) if slot.name not in listed]
    if len(strange) != 1 or len(missing) != 1:
        return
    row, written = strange[0]
    name = nickname(written)
    if name and _votes_there(missing[0], row, moment):
        yield _by_count(posted, name, missing[0], ClaimBasis.VOTER)


def _votes_there(slot: Slot, row: PostedWagon, moment: Tally) -> bool:
    if row.idle:
        return any(_same(slot, one) for one in moment.not_voting)
    wagons: Iterable[Slot | None] = (
        wagon.target for wagon in moment.wagons if any(_same(vote.voter, slot) for vote in wagon.votes)
    )
    return row.target is not None and any(_same(target, row.target) for target in wagons)


def _same(one: Slot | None, other: Slot | None) -> bool:
    return one is not None and other is not None and one.name == other.name


NO_NAMES = frozenset(
    words(
        "me myself you yourself him himself her herself them it this that he she they i we us my self one "
        "none nobody noone everyone everybody anyone anybody someone somebody all any other others random "
        "scum scums wolf wolves mafia maf town townie villager player players guy dude slot replacement "
        "mod moderator host gm votes vote unvote voting hammer lynch elim eliminate execute kill "
        "omgus rvs day night same above below ditto who whoever tbd na"
    )
)
"""Words that stand where a name could, for somebody else each time."""


class Strength(Enum):
    """STRONG: two votecounts or decisions of the moderator bear it. FAIR: one of them, or several voters
    without him."""

    STRONG = "strong"
    FAIR = "fair"


@dataclass(frozen=True, slots=True)
class Proposal:
    """`alias` for `slot`, and every use of it in post order."""

    slot: Slot
    alias: str
    strength: Strength
    uses: tuple[Claim, ...]

    @property
    def people(self) -> int:
        """How many people use it, the moderator among them."""
        return len({use.author for use in self.uses})


def suggestions(days: Sequence[DayRead]) -> tuple[Proposal, ...]:
    """What the days teach about the slots of the last of them: strong ones first, then by their use."""
    heard: dict[str, list[Claim]] = defaultdict(list)
    for claim in (claim for day in days for claim in claims(day)):
        heard[squash(claim.text)].append(claim)
    found = (_proposal(key, said, days[-1]) for key, said in heard.items())
    proposals = (proposal for proposal in found if proposal is not None)
    return tuple(sorted(proposals, key=lambda p: (p.strength is not Strength.STRONG, -len(p.uses), p.alias)))


def _proposal(key: str, said: list[Claim], day: DayRead) -> Proposal | None:
    # The one slot that all claims which name anybody name.
    named = {claim.slot.name for claim in said if claim.slot is not None}
    slot = day.roster.slot_of(named.pop()) if len(named) == 1 else None
    strength = None if slot is None else _strength(said)
    if slot is None or strength is None or _is_no_name(key, day):
        return None
    alias = Counter(claim.text for claim in said).most_common(1)[0][0]
    if fits_another(alias, slot, day.roster) or _holds_a_name(alias, slot):
        return None
    return Proposal(slot, alias, strength, tuple(sorted(dict.fromkeys(said), key=lambda claim: claim.post)))


def _strength(said: Iterable[Claim]) -> Strength | None:
    """How well the claims bear a proposal; None where they do not."""
    by = {because: [claim for claim in said if claim.because is because] for because in ClaimBasis}
    counted = [*by[ClaimBasis.HEADING], *by[ClaimBasis.VOTER], *by[ClaimBasis.SHOWN]]
    voters = {claim.author for claim in (*by[ClaimBasis.SHOWN], *by[ClaimBasis.FITS], *by[ClaimBasis.OPEN])}
    told = {claim.count for claim in counted} | {claim.post for claim in by[ClaimBasis.DECIDED]}
    if len(told) > 1:
        return Strength.STRONG
    if told and (len(voters) > 1 or len(by[ClaimBasis.SHOWN]) < len(counted) or by[ClaimBasis.DECIDED]):
        return Strength.FAIR
    return Strength.FAIR if len({claim.author for claim in by[ClaimBasis.FITS]}) > 1 else None


def _is_no_name(key: str, day: DayRead) -> bool:
    known = {squash(name) for slot in day.roster.slots for name in (*slot.names, *slot.aliases)}
    moderators = {squash(name) for name in day.moderators}
    return key in known | moderators | NO_NAMES | NO_ELIMINATION_WORDS | day.nobody_words


def _holds_a_name(alias: str, slot: Slot) -> bool:
    """More was written than a name: “for Kestrel”, “Kestrel lynched”, “Kestrel's replacement”."""
    said = f" {' '.join(words(alias))} "
    return "replac" in said or any(f" {' '.join(words(name))} " in said for name in slot.names)


def fits_another(alias: str, slot: Slot, roster: Roster) -> bool:
    """Whether a surer way to match a name than a guess finds somebody else by it, alive or dead."""
    others = (other for other in roster.slots if other.name != slot.name)
    entries = [Entry(name, other) for other in others for name in (*other.names, *other.aliases)]
    return any(tier.fits(alias, entry) for tier in SURE_TIERS for entry in entries)
