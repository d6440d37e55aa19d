"""The dialect of MyBB 1.8. Its limit counts bytes."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import ATTRIBUTE, STOCK, BBCode

MYBB = BBCode(
    name="mybb",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "heading": "[size=x-large][b]{body}[/b][/size]",
        "quote_by": "[quote='{author}']{body}[/quote]",
        "quote_post": "[quote='{author}' pid='{post}']{body}[/quote]",
    },
    sizes=(
        (60, "xx-small"),
        (75, "x-small"),
        (85, "small"),
        (100, "medium"),
        (120, "large"),
        (150, "x-large"),
    ),
    attribute={**ATTRIBUTE, "'": "’", '"': "”"},
    max_length=65_535,
    unit="bytes",
)
