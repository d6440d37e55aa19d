"""Events of a game written as posts, PMs and the moderator's sheets.

The template has the event's kind for a name. Each function takes events of one audience: what writes in
public is never handed a secret.
"""

from __future__ import annotations

from typing import Final

from knightfall.engine.game import Announced, Noted, Told
from knightfall.markup import dialects
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.nodes import Break
from knightfall.writeups.render import render, render_nodes

FLAVOURED: Final = frozenset({"opening", "dawn", "elimination"})
"""Posts that may begin with words of the moderator's own."""


def public_post(game: str, event: Announced, dialect: str = "plain", flavour: str = "") -> str:
    """A post for everyone. `flavour`, in our BBCode, comes before what a flavoured post says; it is a tree of
    its own, so nothing that it leaves open reaches the post."""
    nodes = render_nodes(f"{game}/{event.kind}", event.facts)
    text = flavour.strip() if event.kind in FLAVOURED else ""
    if text:
        nodes = (*parse_bbcode(text), Break(), Break(), *nodes)
    return dialects.dialect(dialect).write(nodes)


def private_message(game: str, event: Told, dialect: str = "plain") -> str:
    """A PM to the slots of the event."""
    return render(f"{game}/{event.kind}", event.facts, dialect)


def moderator_sheet(game: str, event: Noted, dialect: str = "plain") -> str:
    """What only the moderator reads."""
    return render(f"{game}/{event.kind}", event.facts, dialect)
