"""When is the next look due? Slowly while nothing is near, faster near a hammer and the deadline.

Never faster in the mean than a page in `PAGE_EVERY` seconds: what was not used is saved for reading a whole
thread again, which finds edits on its earlier pages.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knightfall.app.closing.wait import FIRST_PAUSE, LONGEST_PAUSE

PAGE_EVERY = 30.0
"""Seconds a page: the budget."""
FASTEST = 30.0
"""Seconds between two looks, however near the end is."""
NEAR = {1: 45.0, 2: 90.0}
"""Votes that miss to a hammer → seconds between two looks; it leaves pages to save for a whole read."""
SHARE = 20.0
"""So many looks in the time that is left."""
SAVED = 240.0
"""So many pages can be saved: those of two hours."""
SWEEP = 1800.0
"""Seconds between two reads of the whole thread, at least."""
HASTE = 3600.0
"""In the last hour no whole read delays the next look: the final one is near."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How many pages may be asked for, as of an instant of the clock that never jumps."""

    at: float
    pages: float = 0.0

    def spent(self, pages: int, now: float) -> Budget:
        """What is left after a look at so many pages."""
        return replace(self.by(now), pages=self.by(now).pages - pages)

    def by(self, now: float) -> Budget:
        """With what was saved since."""
        return Budget(now, min(self.pages + (now - self.at) / PAGE_EVERY, SAVED))

    @property
    def wait(self) -> float:
        """Seconds until one page may be asked for."""
        return max(0.0, (1 - self.pages) * PAGE_EVERY)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the day stands: seconds to its deadline (None: it has none), votes that miss to a hammer (None:
    no wagon), and how many looks in a row failed."""

    left: float | None = None
    missing: int | None = None
    failures: int = 0


def pause(every: float, standing: Standing, budget: Budget) -> float:
    """Seconds until the next look. `every` is the longest pause while all is well."""
    if standing.failures:
        wished = min(FIRST_PAUSE * 2.0 ** (standing.failures - 1), LONGEST_PAUSE)
    else:
        wished = max(FASTEST, min(every, _near(standing.missing, every), _late(standing.left, every)))
    return max(wished, budget.wait)


def sweeps(budget: Budget, pages: int, since: float, standing: Standing) -> bool:
    """Whether this look reads the whole thread again: it is due, paid for, and the end is not near."""
    late = standing.left is not None and 0 < standing.left < HASTE
    return since >= SWEEP and budget.pages >= pages and not late


def _near(missing: int | None, every: float) -> float:
    near = NEAR.get(missing) if missing is not None else None
    return every if near is None else near


def _late(left: float | None, every: float) -> float:
    return every if left is None or left <= 0 else left / SHARE
