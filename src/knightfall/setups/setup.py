"""What is known of a game before its thread is read, as typed values?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knightfall.core.silence import Absence, Prod, ProdRule
from knightfall.votes.config import CountConfig


@dataclass(frozen=True, slots=True)
class Setup(CountConfig):
    """A game file as values: what its counts need, and the rest."""

    kind: str = "votes"
    options: Mapping[str, object] = field(default_factory=dict)
    """The game's own options as written; the game checks them."""
    site: str | None = None
    theme: str | None = None
    template: str | None = None
    """How the votecount looks: a theme of ours, or the name of a template in the game's folder."""
    url: str | None = None
    threads: tuple[ThreadSetup, ...] = ()
    """Every thread of the game; `url` is the one whose posts are counted: that for votes, else the game's."""
    roles: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Slot → role, of those whose role the file tells. Secret until the slot is flipped."""
    prods: ProdRule = field(default_factory=ProdRule)
    v_la: tuple[tuple[str, tuple[Absence, ...]], ...] = ()
    """(slot, its announced absences), in days of `zone`."""
    prodded: tuple[Prod, ...] = ()
    """The prods that were sent."""

    @property
    def votes_apart(self) -> bool:
        """Whether votes are counted in a thread of their own, in which nobody talks."""
        return any(thread.role == "vote" for thread in self.threads)


@dataclass(frozen=True, slots=True)
class ThreadSetup:
    """A thread of the game: `role` is game, vote, signup, private or dead, `members` who may read a room."""

    role: str
    url: str
    members: tuple[str, ...] = ()

    @property
    def secret(self) -> bool:
        """Whether not everybody may read it."""
        return self.role in ("private", "dead")
