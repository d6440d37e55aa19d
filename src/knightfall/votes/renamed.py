"""Which account of the thread is a player of the list under another name?

Forums let people rename their accounts: the list keeps the old name, the posts show the new one (or the
list holds a slip of the pen). Exactly one listed name that never posts and exactly one unlisted author who
votes twice or more are taken for the same slot, and so is a single author whose name is nearly the same.
It is an inference: shown, and for the moderator to confirm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from dataclasses import dataclass, replace

from knightfall.core.roster import Holder, Roster, Slot
from knightfall.votes.ballots import Cast
from knightfall.votes.letters import slips, squash


@dataclass(frozen=True, slots=True)
class Renamed:
    """`author` is taken for the holder of `slot`."""

    slot: Slot
    author: str

    def applied(self, roster: Roster) -> Roster:
        """The roster with the account as one more (earlier) holder of the slot: the listed name stays."""
        held = (Holder(self.author), *self.slot.holders)
        return Roster(tuple(replace(s, holders=held) if s is self.slot else s for s in roster.slots))


def renamed_accounts(
    roster: Roster, authors: Set[str], casts: Iterable[Cast], moderators: frozenset[str]
) -> tuple[Renamed, ...]:
    """Every inference that can be made without a second candidate on either side."""
    votes = Counter(cast.author for cast in casts)
    strangers = [author for author in votes if roster.slot_of(author) is None and author not in moderators]
    silent = [slot for slot in roster.slots if not any(name in authors for name in slot.names)]
    regular = [author for author in strangers if votes[author] > 1]
    if len(silent) == len(regular) == 1:
        return (Renamed(silent[0], regular[0]),)
    unused = [(slot, name) for slot in roster.slots for name in slot.names if name not in authors]
    near = [(slot, author) for slot, name in unused for author in strangers if _alike(name, author)]
    return tuple(Renamed(*pair) for pair in near if _alone(pair, near))


def _alone(pair: tuple[Slot, str], pairs: list[tuple[Slot, str]]) -> bool:
    return sum(slot is pair[0] or author == pair[1] for slot, author in pairs) == 1


def _alike(name: str, author: str) -> bool:
    """At most a slip of the pen apart, or one the other with a number or a letter more."""
    one, other = squash(name), squash(author)
    allowed = 1 if min(len(one), len(other)) < 5 else 2
    return slips(one, other) <= allowed
