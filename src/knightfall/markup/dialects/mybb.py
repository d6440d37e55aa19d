"""The dialect of MyBB 1.8: no spoiler and no table of its own. Its limit counts bytes."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import ATTRIBUTE, STOCK, BBCode

MYBB = BBCode(
    name="mybb",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[td][b]{body}[/b][/td]",
        "heading": "[size=x-large][b]{body}[/b][/size]",
        "heading_small": "[size=large][b]{body}[/b][/size]",
        "quote_by": "[quote='{author}']{body}[/quote]",
        "quote_post": "[quote='{author}' pid='{post}']{body}[/quote]",
    },
    tags=("strike",),
    sizes=(
        (60, "xx-small"),
        (75, "x-small"),
        (85, "small"),
        (100, "medium"),
        (120, "large"),
        (150, "x-large"),
    ),
    attribute={**ATTRIBUTE, "'": "’", '"': "”"},
    trims_code=True,
    max_length=65_535,
    unit="bytes",
)
