"""The dialect of BoardGameGeek. It has neither lists nor tables; a spoiler has no title."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import STOCK, BBCode

_KEPT = ("block", "bold", "italic", "underline", "colour", "size", "link")

BGG = BBCode(
    name="bgg",
    forms={
        **{key: STOCK[key] for key in _KEPT},
        "strike": "[-]{body}[/-]",
        "heading": "[size=15][b]{body}[/b][/size]",
        "heading_small": "[size=12][b]{body}[/b][/size]",
        "spoiler": "[o]{body}[/o]",
        "spoiler_titled": "[b]{title}[/b] [o]{body}[/o]",
        "quote": "[q]{body}[/q]",
        "quote_by": '[q="{author}"]{body}[/q]',
        "code": "[c]{text}[/c]",
        "mention": "[user={name}][/user]",
    },
    tags=("spoiler", "strike"),
    sizes=((75, "8"), (90, "9"), (100, "10"), (120, "12"), (150, "15"), (180, "18"), (240, "24")),
    code_is_raw=False,
)
