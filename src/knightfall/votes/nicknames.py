"""Nicknames that a thread teaches: the evidence for each, and which are worth proposing.

A day's ballots and the moderator's own votecounts make claims: whoever writes this text means that slot.
`claims` collects them for one day, `suggestions` weighs those of all days; the moderator decides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum

import regex

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post, Roster, Slot
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
from knightfall.votes.lines import lines_of
from knightfall.votes.posted_votecounts import PostedVotecount, posted_votecount
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Moderation, Tally, tally

# ---- What a day claims


@dataclass(frozen=True, slots=True)
class DayRead:
    """A day as it was read: what its count stands on, and the moderator's own counts in it, oldest first."""

    day: Day
    until: int
    roster: Roster
    rule: Rule
    ballots: tuple[PostBallots, ...]
    moderation: Moderation = field(default_factory=Moderation)
    posted: tuple[PostedVotecount, ...] = ()
    _names: dict[tuple[str, ...], Names] = field(default_factory=dict, init=False, repr=False, compare=False)
    """By the names of the dead: most posts of a day share one."""

    def with_counts(self, posted: tuple[PostedVotecount, ...]) -> DayRead:
        """The day with what the moderator's votecounts in it say."""
        return replace(self, posted=posted)

    def with_counts_in(self, posts: Iterable[Post], html_style: HtmlStyle) -> DayRead:
        """The day with the moderator's votecounts among the posts of the thread."""
        counts: list[PostedVotecount] = []
        for post in posts:
            moderates = not post.hidden and post.author.casefold() in self.moderation.moderators
            if moderates and self.day.start <= post.number <= self.until:
                names, nodes = self.names_at(post.number), parse_html(post.body, html_style)
                found = posted_votecount(post.number, post.author, nodes, names, post.url)
                if found is not None:
                    counts.append(found)
        return self.with_counts(tuple(counts))

    def tally_at(self, post: int) -> Tally:
        """The votes as of that post."""
        return tally(self.ballots, self.roster, self.rule, self.day, post, self.moderation)

    def names_at(self, post: int) -> Names:
        """The names that could be meant in that post."""
        gone = tuple(slot for slot in self.roster.slots if not slot.alive_at(post))
        dead = tuple(slot.name for slot in gone)
        if dead not in self._names:
            alive = self.roster.alive_at(post)
            moderators, nobody = self.moderation.moderators, self.moderation.nobody_words
            self._names[dead] = names_of(alive, gone, moderators, nobody)
        return self._names[dead]


class ClaimBasis(Enum):
    """What a claim rests on."""

    HEADING = "heading"  # a row of a votecount lists just the votes on the slot under this text
    VOTER = "voter"  # a votecount lists the slot's vote under this text
    SHOWN = "shown"  # the next votecount shows the ballot on the slot
    DECIDED = "decided"  # the moderator decided about the ballot
    FITS = "fits"  # the letters fit the slot, by a tier that is not sure
    OPEN = "open"  # no tier can tell


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

    post: PostBallots
    ballot: Ballot
    voter: Slot
    meant: TargetMatch
    next: int

    def claim(self, text: str, slot: Slot | None, because: ClaimBasis, count: int | None = None) -> Claim:
        return Claim(text, slot, because, self.post.number, self.post.author, self.post.url, count)


WEAK = frozenset({"inside", "word_starts", "edit_distance", "repeats", "abbreviated", "shuffled"})
"""Ways to match a name that an alias makes sure. Where more than a name was typed there is none to learn."""


def claims(day: DayRead) -> Iterator[Claim]:
    """All that the day claims, in no order."""
    yield from ballot_claims(day)
    uses = _uses(day)
    for posted in day.posted:
        moment = day.tally_at(posted.post - 1)
        yield from _claims_of_headings(day, posted, moment, uses)
        yield from _claims_of_voters(day, posted, moment)


def ballot_claims(day: DayRead) -> Iterator[Claim]:
    """What the ballots of the day claim."""
    for each in _uses(day).values():
        for place, use in enumerate(each):
            yield from _claims_of_ballot(day, use, each[:place])


def _uses(day: DayRead) -> dict[str, list[_Use]]:
    """Each living voter's ballots in order."""
    read: dict[str, list[tuple[PostBallots, Ballot, Slot, TargetMatch]]] = {}
    for post in day.ballots:
        voter = day.roster.slot_of(post.author)
        if voter is None or not day.day.start <= post.number <= day.until or not voter.alive_at(post.number):
            continue
        for ballot in post.ballots:
            if ballot.region is Region.LIVE:
                meant = day.names_at(post.number).match(ballot.text, voter)
                read.setdefault(voter.name, []).append((post, ballot, voter, meant))
    uses: dict[str, list[_Use]] = {}
    for name, mine in read.items():
        following = (*(post.number for post, *_ in mine[1:]), day.until + 1)
        uses[name] = [_Use(*one, following[place]) for place, one in enumerate(mine)]
    return uses


def _claims_of_ballot(day: DayRead, use: _Use, earlier: list[_Use]) -> Iterator[Claim]:
    """What a vote claims whose name is unknown or was matched by a weak tier."""
    name = nickname(use.ballot.text)
    if use.ballot.action is not Action.VOTE or name is None:
        return
    slot = use.meant.slot if isinstance(use.meant, Matched) and use.meant.rule in WEAK else None
    if slot is None and not isinstance(use.meant, Unknown | Ambiguous):
        return
    fix = day.moderation.fixes.get(use.post.number)
    if fix is not None:
        # The moderator's word on a post that holds this one vote.
        target = day.roster.slot_of(fix.to) if fix.to else None
        if target is not None and sum(ballot.action is Action.VOTE for ballot in use.post.ballots) == 1:
            yield use.claim(name, target, ClaimBasis.DECIDED)
        return

    # Where the last count of the moderator before the voter's next ballot lists the vote; nowhere, where it
    # may be an earlier vote of theirs that the moderator still shows.
    counts = [posted for posted in day.posted if use.post.number < posted.post < use.next]
    row = counts[-1].row_of(use.voter) if counts else None
    if row is not None and row.target is not None:
        before = {one.meant.slot.name for one in earlier if isinstance(one.meant, Matched)}
        if row.target.name not in before:
            yield use.claim(name, row.target, ClaimBasis.SHOWN, counts[-1].post)
            return
    yield use.claim(name, slot, ClaimBasis.FITS if slot else ClaimBasis.OPEN)


def _claims_of_headings(
    day: DayRead, posted: PostedVotecount, moment: Tally, uses: Mapping[str, Sequence[_Use]]
) -> Iterator[Claim]:
    """What the rows of a votecount claim by their headings: each means the one slot whose standing votes are
    exactly those that it lists."""
    # Voter → their last vote before the post, squashed, where nobody can tell whom it means.
    unread: dict[str, str] = {}
    for name, each in uses.items():
        last = next((use for use in reversed(each) if use.post.number < posted.post), None)
        if last and isinstance(last.meant, Unknown | Ambiguous) and last.ballot.action is Action.VOTE:
            unread[name] = squash(last.ballot.text)

    for row in posted.rows:
        text = None if row.idle else nickname(row.label)
        listed = {voter.name for voter in row.voters}
        if text is None or row.strangers:
            continue

        # Whoever's vote nobody can read may stand here only if they wrote this very heading.
        if any(unread[name] != squash(row.label) for name in listed & unread.keys()):
            continue
        sure = listed - unread.keys()
        wagons = [w for w in moment.wagons if {vote.voter.name for vote in w.votes} - unread.keys() == sure]
        slot = wagons[0].target if sure and len(wagons) == 1 else None
        if slot is None or any(_same(other.target, slot) for other in posted.rows if other is not row):
            continue

        # News only where the letters do not say so themselves; against them only with two voters or more.
        meant = day.names_at(posted.post).match(row.label)
        if isinstance(meant, Matched):
            news = _same(meant.slot, slot) and meant.rule not in ("exact", "alias")
        else:
            news = isinstance(meant, Unknown) and len(sure) > 1
        if news:
            yield Claim(text, slot, ClaimBasis.HEADING, posted.post, posted.author, posted.url, posted.post)


def _claims_of_voters(day: DayRead, posted: PostedVotecount, moment: Tally) -> Iterator[Claim]:
    """A voter by an unknown name, where one slot alone of the living is not listed and votes just there."""
    strange = [(row, name) for row in posted.rows for name in row.strangers]
    listed = {voter.name for row in posted.rows for voter in row.voters}
    missing = [slot for slot in day.roster.alive_at(posted.post) if slot.name not in listed]
    if len(strange) != 1 or len(missing) != 1:
        return
    (row, written), slot = strange[0], missing[0]
    name = nickname(written)
    if row.idle:
        votes_there = any(_same(slot, one) for one in moment.not_voting)
    else:
        voted = (wagon.target for wagon in moment.wagons if any(_same(v.voter, slot) for v in wagon.votes))
        votes_there = any(_same(target, row.target) for target in voted)
    if name and votes_there:
        yield Claim(name, slot, ClaimBasis.VOTER, posted.post, posted.author, posted.url, posted.post)


def _same(one: Slot | None, other: Slot | None) -> bool:
    return one is not None and other is not None and one.name == other.name


# A name of up to three words, each of letters, digits and the signs of names: “Dr. Fish”, “O'Neil”, “Cat6”.
_NICKNAME = regex.compile(r"[^\W_][\w'’.&-]*(?:\s[\w'’.&-]+){0,2}")
_EDGES = " \t\"'“”‘’*_~.,;:!?()[]{}<>|/\\-–—=@"


def nickname(text: str) -> str | None:
    """The text as a name, where it is a name at most: up to three words of letters and digits."""
    bare = text.strip(_EDGES)
    short = _NICKNAME.fullmatch(bare) and len(bare) <= 24 and not squash(bare).isdigit()
    return bare if short and len(squash(bare)) > 1 else None


# ---- What is worth proposing

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


def teachable(text: str) -> str | None:
    """The name that an answer could teach where this was written; None where it is no name, or anybody's."""
    name = nickname(text)
    return None if name is None or squash(name) in NO_NAMES | NO_ELIMINATION_WORDS else name


def decided_name(day: DayRead, post: int) -> tuple[str, Slot] | None:
    """The nickname that was typed in a post with one unclear vote, and whom it means by the moderator's
    decision; None where there is no such vote, no such decision, or nothing in it to learn."""
    for claim in ballot_claims(day):
        if claim.post == post and claim.slot is not None and claim.because is ClaimBasis.DECIDED:
            name = teachable(claim.text)
            return (name, claim.slot) if name and _is_its_own(name, claim.slot, day.roster) else None
    return None


def is_written(name: str, posts: Iterable[Post], html_style: HtmlStyle) -> bool:
    """Whether the name stands in a post that is to be seen, word for word."""
    written, first = f" {' '.join(words(name))} ", name.casefold().split()[0]
    return any(
        written in f" {' '.join(words(line.text))} "
        for post in posts
        if not post.hidden and first in post.body.casefold()
        for line in lines_of(parse_html(post.body, html_style), asides=True)
    )


class Strength(Enum):
    """STRONG: two votecounts or decisions of the moderator bear it. FAIR: one of them, or several voters
    without one."""

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
    by_text: dict[str, list[Claim]] = defaultdict(list)
    for day in days:
        for claim in claims(day):
            by_text[squash(claim.text)].append(claim)

    # Words that are names already, or nobody's.
    last = days[-1]
    known = {squash(name) for slot in last.roster.slots for name in (*slot.names, *slot.aliases)}
    known |= {squash(name) for name in last.moderation.moderators}
    known |= NO_NAMES | NO_ELIMINATION_WORDS | last.moderation.nobody_words

    proposals: list[Proposal] = []
    for key, made in by_text.items():
        # The one slot that all claims which name anybody name.
        named = {claim.slot.name for claim in made if claim.slot is not None}
        slot = last.roster.slot_of(named.pop()) if len(named) == 1 else None
        strength = _strength(made)
        if slot is None or strength is None or key in known:
            continue
        alias = Counter(claim.text for claim in made).most_common(1)[0][0]

        if _is_its_own(alias, slot, last.roster):
            uses = sorted(dict.fromkeys(made), key=lambda claim: claim.post)
            proposals.append(Proposal(slot, alias, strength, tuple(uses)))
    return tuple(sorted(proposals, key=lambda p: (p.strength is not Strength.STRONG, -len(p.uses), p.alias)))


def _strength(made: Iterable[Claim]) -> Strength | None:
    """How well the claims bear a proposal; None where they do not."""
    by = {basis: [claim for claim in made if claim.because is basis] for basis in ClaimBasis}
    counted = [*by[ClaimBasis.HEADING], *by[ClaimBasis.VOTER], *by[ClaimBasis.SHOWN]]
    voters = {claim.author for claim in (*by[ClaimBasis.SHOWN], *by[ClaimBasis.FITS], *by[ClaimBasis.OPEN])}
    told = {claim.count for claim in counted} | {claim.post for claim in by[ClaimBasis.DECIDED]}
    if len(told) > 1:
        return Strength.STRONG
    beyond_one_ballot = len(by[ClaimBasis.SHOWN]) < len(counted) or by[ClaimBasis.DECIDED]
    if told and (len(voters) > 1 or beyond_one_ballot):
        return Strength.FAIR
    return Strength.FAIR if len({claim.author for claim in by[ClaimBasis.FITS]}) > 1 else None


def _is_its_own(alias: str, slot: Slot, roster: Roster) -> bool:
    """Whether the text is a name beside those of the slot, and nobody else's: not “for Kestrel”, “Kestrel
    lynched” or “Kestrel's replacement”."""
    written = f" {' '.join(words(alias))} "
    more = "replac" in written or any(f" {' '.join(words(name))} " in written for name in slot.names)
    return not more and not fits_another(alias, slot, roster)


def fits_another(alias: str, slot: Slot, roster: Roster) -> bool:
    """Whether a surer way to match a name than a guess finds somebody else by it, alive or dead."""
    others = (other for other in roster.slots if other.name != slot.name)
    entries = [Entry(name, other) for other in others for name in (*other.names, *other.aliases)]
    return any(tier.fits(alias, entry) for tier in SURE_TIERS for entry in entries)
