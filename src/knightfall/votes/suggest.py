"""Which nicknames does a thread teach, so surely that the moderator may be offered them as aliases?

A claim says that somebody used a name for a slot (see `heard`). A name becomes a proposal where all claims
agree, more than one slip of the pen stands behind it, and it could be nobody else's name. Nothing is applied
here: an alias is the moderator's decision. A wrong proposal is worse than none.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

from knightfall.core.roster import Roster, Slot
from knightfall.votes.heard import Because, Claim, DayRead, claims
from knightfall.votes.letters import squash, words
from knightfall.votes.names import NO_ELIMINATION_WORDS
from knightfall.votes.tiers import NO_ELIMINATION, TIERS, Entry

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
    by = {because: [claim for claim in said if claim.because is because] for because in Because}
    counted = [*by[Because.HEADING], *by[Because.VOTER], *by[Because.SHOWN]]
    voters = {claim.author for claim in (*by[Because.SHOWN], *by[Because.FITS], *by[Because.OPEN])}
    told = {claim.count for claim in counted} | {claim.post for claim in by[Because.DECIDED]}
    if len(told) > 1:
        return Strength.STRONG
    if told and (len(voters) > 1 or len(by[Because.SHOWN]) < len(counted) or by[Because.DECIDED]):
        return Strength.FAIR
    return Strength.FAIR if len({claim.author for claim in by[Because.FITS]}) > 1 else None


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
    sure = [fits for rule, fits, _, firm in TIERS if firm and rule != NO_ELIMINATION]
    return any(fits(alias, entry) for fits in sure for entry in entries)
