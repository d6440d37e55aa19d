"""The dialect of ProBoards v5."""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import STOCK, BBCode

PROBOARDS = BBCode(
    name="proboards",
    forms={
        **STOCK,
        "strike": "[s]{body}[/s]",
        "colour": '[font color="{colour}"]{body}[/font]',
        "size": '[font size="{size}"]{body}[/font]',
        "heading": '[font size="5"][b]{body}[/b][/font]',
        "heading_small": '[font size="4"][b]{body}[/b][/font]',
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[b]{title}[/b] [spoiler]{body}[/spoiler]",
        "quote_by": '[quote author="@{author}"]{body}[/quote]',
        "code": "[pre]{text}[/pre]",
        "list": "[ul]{body}[/ul]",
        "ordered": "[ol]{body}[/ol]",
        "item": "[li]{body}[/li]",
        "table": "[table][tbody]{body}[/tbody][/table]",
        "row": "[tr]{body}[/tr]",
        "cell": "[td]{body}[/td]",
        "head_cell": "[td][b]{body}[/b][/td]",
    },
    tags=("spoiler", "table", "strike"),
    sizes=((60, "1"), (80, "2"), (100, "3"), (120, "4"), (150, "5"), (180, "6"), (200, "7")),
    code_is_raw=False,
    max_length=60_000,
)
