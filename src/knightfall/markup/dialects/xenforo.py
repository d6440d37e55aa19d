"""The dialect of XenForo 2."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import ATTRIBUTE, STOCK, BBCode

XENFORO = BBCode(
    name="xenforo",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "heading": "[size=6][b]{body}[/b][/size]",
        "heading_small": "[size=5][b]{body}[/b][/size]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": '[spoiler="{title}"]{body}[/spoiler]',
        "quote_post": '[quote="{author}, post: {post}"]{body}[/quote]',
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[th]{body}[/th]",
    },
    tags=("spoiler", "table", "strike"),
    sizes=((60, "1"), (70, "2"), (80, "3"), (100, "4"), (120, "5"), (150, "6"), (175, "7")),
    attribute={**ATTRIBUTE, ",": " "},  # a comma begins the next attribute of a quote
    max_length=10_000,
)
