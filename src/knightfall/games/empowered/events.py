"""What Empowered Mafia tells, one dataclass for each kind of post."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from knightfall.engine.game import Facts


@dataclass(frozen=True, slots=True)
class RoleNumbers:
    """How many there are of each kind with so many players; `copies` of each role are on the shuffled list,
    which holds `cards` in all."""

    players: int
    mafia: int
    empowerers: int
    others: int
    copies: int
    cards: int


@dataclass(frozen=True, slots=True)
class SetupPost(Facts):
    """“This setup”: the rules of the game under the chosen options, for everybody. Nothing of the deal.

    `rules` has the value of every option by name; `numbers` is None as long as nobody knows how many will
    play. `fewest` and `most` say how many can. `listed` are the roles of the shuffled list. `quiet_limit` is
    how many days and nights without a death end the game; `voting` are sentences about the day.
    """

    kind: ClassVar[str] = "setup"

    fewest: int
    most: int
    numbers: RoleNumbers | None
    rules: Mapping[str, str]
    listed: tuple[str, ...]
    day_hours: int
    night_hours: int
    quiet_limit: int
    voting: tuple[str, ...]
