"""Events of a game written as posts, PMs and the moderator's sheets.

The template has the event's kind for a name. Each function takes events of one audience: what writes in
public is never handed a secret.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from knightfall.engine.game import Announced, Noted, Told
from knightfall.engine.spans import format_span
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import as_given, with_children
from knightfall.markup.nodes import Break, Countdown, Node, Nodes
from knightfall.writeups.render import in_dialect, render_nodes

FLAVOURED: Final = frozenset({"opening", "dawn", "elimination"})
"""Posts that may begin with words of the moderator's own."""


@dataclass(frozen=True, slots=True)
class Clock:
    """By what clock a text tells its deadlines: the game's zone, and when the text is written (None: nobody
    says, and no time left is told)."""

    zone: ZoneInfo
    now: datetime | None = None


def timed(nodes: Nodes, clock: Clock | None) -> Nodes:
    """The text with every deadline in it on the clock, and how long it is till then; without a clock in UTC.

    The one place where a text learns of zones: games and templates name an instant and no more.
    """
    return nodes if clock is None else tuple(_timed(node, clock) for node in nodes)


def _timed(node: Node, clock: Clock) -> Node:
    if not isinstance(node, Countdown):
        return with_children(node, lambda inside: timed(inside, clock))
    left = node.left
    if clock.now is not None and node.instant > clock.now:
        left = format_span(node.instant - clock.now)
    return replace(node, zone=node.zone or clock.zone.key, left=left)


def public_post(
    game: str, event: Announced, dialect: str = "plain", flavour: str = "", clock: Clock | None = None
) -> str:
    """A post for everyone. `flavour`, in our BBCode, comes before what a flavoured post says; it is a tree of
    its own, so nothing that it leaves open reaches the post."""
    nodes = render_nodes(f"{game}/{event.kind}", event.facts)
    text = flavour.strip() if event.kind in FLAVOURED else ""
    if text:
        nodes = (*as_given(parse_bbcode(text)), Break(), Break(), *nodes)
    return in_dialect(timed(nodes, clock), dialect)


def private_message(game: str, event: Told, dialect: str = "plain", clock: Clock | None = None) -> str:
    """A PM to the slots of the event."""
    nodes = timed(render_nodes(f"{game}/{event.kind}", event.facts), clock)
    return in_dialect(nodes, dialect)


def moderator_sheet(game: str, event: Noted, dialect: str = "plain") -> str:
    """What only the moderator reads."""
    return in_dialect(render_nodes(f"{game}/{event.kind}", event.facts), dialect)
