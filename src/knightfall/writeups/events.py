"""Events of a game written as posts, PMs and the moderator's sheets.

The template has the event's kind for a name. Each function takes events of one audience: what writes in
public is never handed a secret.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from zoneinfo import ZoneInfo

from knightfall.engine.game import Announced, Noted, Told
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import as_given, with_children
from knightfall.markup.nodes import Break, Countdown, Node, Nodes
from knightfall.writeups.fair import check_nodes
from knightfall.writeups.render import in_dialect, render_nodes

FLAVOURED: Final = frozenset({"opening", "dawn", "elimination"})
"""Posts that may begin with words of the moderator's own."""


def in_zone(nodes: Nodes, zone: ZoneInfo | None) -> Nodes:
    """The text with every time in it by the clocks of the game's zone; without one by those of UTC.

    The one place where a text learns of zones: games and templates name an instant and no more. How long it
    is till then stands in no text: an hour later it is false.
    """
    if zone is None:
        return nodes

    def told(node: Node) -> Node:
        if isinstance(node, Countdown):
            return replace(node, zone=node.zone or zone.key)
        return with_children(node, lambda inside: in_zone(inside, zone))

    return tuple(map(told, nodes))


def public_post(
    game: str,
    event: Announced,
    dialect: str = "plain",
    flavour: str = "",
    zone: ZoneInfo | None = None,
    checks: Sequence[str] = (),
) -> str:
    """A post for everyone. `flavour`, in our BBCode, comes before what a flavoured post says; it is a tree of
    its own, so nothing that it leaves open reaches the post. `checks` open the cards that it shows."""
    nodes = render_nodes(f"{game}/{event.kind}", event.facts)
    text = flavour.strip() if event.kind in FLAVOURED else ""
    if text:
        nodes = (*as_given(parse_bbcode(text)), Break(), Break(), *nodes)
    return in_dialect((*in_zone(nodes, zone), *check_nodes(checks)), dialect)


def private_message(
    game: str, event: Told, dialect: str = "plain", zone: ZoneInfo | None = None, checks: Sequence[str] = ()
) -> str:
    """A PM to the slots of the event; `checks` open the card that it tells."""
    nodes = in_zone(render_nodes(f"{game}/{event.kind}", event.facts), zone)
    return in_dialect((*nodes, *check_nodes(checks, own=True)), dialect)


def moderator_sheet(game: str, event: Noted, dialect: str = "plain", zone: ZoneInfo | None = None) -> str:
    """What only the moderator reads."""
    return in_dialect(in_zone(render_nodes(f"{game}/{event.kind}", event.facts), zone), dialect)
