"""How does an event of a game become a post, a PM or the moderator's sheet?

The template has the event's kind for a name. Each function takes events of one audience: what writes in
public is never handed a secret.
"""

from __future__ import annotations

from knightfall.core.game import Announced, Noted, Told
from knightfall.writeups.render import render


def public_post(game: str, event: Announced, dialect: str = "plain") -> str:
    """A post for everyone."""
    return render(f"{game}/{event.kind}", event.facts, dialect)


def private_message(game: str, event: Told, dialect: str = "plain") -> str:
    """A PM to the slots of the event."""
    return render(f"{game}/{event.kind}", event.facts, dialect)


def moderator_sheet(game: str, event: Noted, dialect: str = "plain") -> str:
    """What only the moderator reads."""
    return render(f"{game}/{event.kind}", event.facts, dialect)
