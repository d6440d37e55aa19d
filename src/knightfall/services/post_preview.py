"""A post of the moderator as a forum will about show it."""

from __future__ import annotations

from html import escape

from knightfall.forums import html_style_of
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects import PLACES, base_name
from knightfall.markup.html import parse_html
from knightfall.services.reading import is_rich
from knightfall.writeups.archive.html import Censor, Places, body_html, inert

_BBCODE = "bbcode_family"
RICH = "invision4"
"""The platform whose editor takes formatted text."""


def preview_html(text: str, dialect: str) -> str:
    """The text of a post in a dialect as HTML of a few tags, all escaped: nothing in it loads, runs or leads
    elsewhere. What is neither BBCode nor formatted text stays as it is written."""
    if is_rich(dialect):
        nodes = parse_html(text, html_style_of(RICH))
    elif PLACES.get(base_name(dialect)) == _BBCODE:
        nodes = parse_bbcode(text)
    else:
        return f"<pre>{escape(text)}</pre>"
    return body_html(inert(nodes, Places(), Censor()))
