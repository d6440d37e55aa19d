"""The dialect of Discourse: Markdown with a few tags in brackets."""

from __future__ import annotations

from knightfall.markup.dialects.markdown_family import COMMON, Markdown

DISCOURSE = Markdown(
    name="discourse",
    forms={
        **COMMON,
        "underline": "[u]{body}[/u]",
        "quote": "[quote]\n{body}\n[/quote]",
        "quote_by": '[quote="{author}"]\n{body}\n[/quote]',
        "spoiler": "[spoiler]\n{body}\n[/spoiler]",
        "spoiler_titled": '[details="{title}"]\n{body}\n[/details]',
        "mention": "@{name}",
        "countdown": '[date={date} time={time} timezone="{zone}" countdown=true] ({body})',
    },
    tags=("spoiler", "table", "strike", "countdown"),
    max_length=32_000,
)
