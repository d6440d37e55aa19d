"""The dialect of a stock phpBB 3.2 or later: no spoiler, table or strike, unless the board made its own."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import STOCK, BBCode

FORMS = {
    **STOCK,
    "area": "[area]{body}[/area]",
    "area_titled": "[area={title}]{body}[/area]",
    "spoiler": "[spoiler]{body}[/spoiler]",
    # A board has either `[spoiler]` or `[spoiler=…]`, and mostly the first one.
    "spoiler_titled": "[b]{title}[/b] [spoiler]{body}[/spoiler]",
    "strike": "[s]{body}[/s]",
    "table": "[table]{body}[/table]",
    "row": "[tr]{body}[/tr]",
    "cell": "[td]{body}[/td]",
    "head_cell": "[td][b]{body}[/b][/td]",
    "countdown": "[countdown]{stamp}[/countdown] ({body})",
    "vote": "[vote]{body}[/vote]",
    "unvote": "[unvote]{body}[/unvote]",
    "heading": "[b][size=150]{body}[/size][/b]",
    "heading_small": "[b][size=120]{body}[/size][/b]",
    "quote_post": '[quote="{author}" post_id={post}]{body}[/quote]',
}

PHPBB = BBCode(name="phpbb", forms=FORMS, tags=(), max_length=60_000)
