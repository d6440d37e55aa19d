"""Why an action of a night of a custom game ended as it did."""

from __future__ import annotations

from knightfall.mafia.trace import Trace


class CustomTrace(Trace):
    """The common roles explain themselves."""

    visit_ruling = "CM-R29"
    stopped_ruling = "CM-R30"
