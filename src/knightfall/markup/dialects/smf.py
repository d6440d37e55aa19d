"""The dialect of Simple Machines Forum 2.1."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import ATTRIBUTE, STOCK, BBCode

SMF = BBCode(
    name="smf",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "heading": "[size=1.5em][b]{body}[/b][/size]",
        "quote_by": "[quote author={author}]{body}[/quote]",
        "list": "[list]{body}[/list]",
        "ordered": "[list type=decimal]{body}[/list]",
        "item": "[li]{body}[/li]",
        "table": "[table]{body}[/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[td][b]{body}[/b][/td]",
        "countdown": "[time]{unix}[/time] ({body})",
    },
    sizes=((50, "0.5em"), (75, "0.75em"), (100, "1em"), (125, "1.25em"), (150, "1.5em"), (200, "2em")),
    attribute={**ATTRIBUTE, "=": "-"},  # "Ada link=…" would name a post of our player's choice
    max_length=20_000,
)
