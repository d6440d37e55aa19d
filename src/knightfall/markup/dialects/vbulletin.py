"""The dialect of vBulletin 4 and 5: no strike and no spoiler, unless the board made its own."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import ATTRIBUTE, STOCK, BBCode

VBULLETIN = BBCode(
    name="vbulletin",
    forms={
        **STOCK,
        "heading": "[b][size=5]{body}[/size][/b]",
        "heading_small": "[b][size=4]{body}[/size][/b]",
        "quote_by": "[quote={author}]{body}[/quote]",
        "quote_post": "[quote={author};{post}]{body}[/quote]",
        "strike": "[s]{body}[/s]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[td][b]{body}[/b][/td]",
        "post_id": "[post={id}]{body}[/post]",
    },
    tags=("table", "post"),
    sizes=((60, "1"), (80, "2"), (100, "3"), (120, "4"), (150, "5"), (180, "6"), (200, "7")),
    attribute={**ATTRIBUTE, ";": ","},  # what follows a semicolon is the id of the quoted post
    max_length=10_000,
)
