"""The dialect of Simple Machines Forum 2.1.

Cells have no room between them, so each ends in two blanks, of which the site makes a hard one. Sizes below
1em have one digit, others two. A zero-width space is shown as “�”: what must not be read stands in [nobbc].
"""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import ATTRIBUTE, STOCK, BBCode

SMF = BBCode(
    name="smf",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "heading": "[size=1.5em][b]{body}[/b][/size]",
        "heading_small": "[size=1.25em][b]{body}[/b][/size]",
        "quote_by": "[quote author={author}]{body}[/quote]",
        "list": "[list]{body}[/list]",
        "ordered": "[list type=decimal]{body}[/list]",
        "item": "[li]{body}[/li]",
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}  [/td]",
        "head_cell": "[td][b]{body}[/b]  [/td]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "countdown": "[time]{unix}[/time] ({body})",
    },
    tags=("table", "strike", "countdown"),
    sizes=((50, "0.5em"), (75, "0.8em"), (100, "1em"), (125, "1.25em"), (150, "1.5em"), (200, "2em")),
    attribute={**ATTRIBUTE, "=": "-"},  # "Ada link=…" would name a post of our player's choice
    raw_tag="nobbc",
    max_length=20_000,
)
