"""The dialect of a stock phpBB 3.2 or later."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import STOCK, BBCode

FORMS = {
    **STOCK,
    "heading": "[b][size=150]{body}[/size][/b]",
    "quote_post": '[quote="{author}" post_id={post}]{body}[/quote]',
}

PHPBB = BBCode(name="phpbb", forms=FORMS, max_length=60_000)
