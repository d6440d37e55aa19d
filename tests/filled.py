"""A template of somebody's own, filled in here, where it is known to end."""

from __future__ import annotations

from knightfall.markup import dialects
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import as_typed
from knightfall.writeups.render import Data, own_text, plain


def filled(source: str, facts: Data, dialect: str = "plain", name: str = "your template") -> str:
    """The post that the template writes of the facts."""
    return dialects.dialect(dialect).write(as_typed(parse_bbcode(own_text(source, plain(facts), name))))
