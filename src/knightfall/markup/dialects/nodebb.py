"""The dialect of NodeBB."""

from __future__ import annotations

from knightfall.markup.dialects.markdown_family import COMMON, Markdown

NODEBB = Markdown(name="nodebb", forms={**COMMON, "mention": "@{name}"}, max_length=32_767)
