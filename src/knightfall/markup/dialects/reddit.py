"""The dialect of Reddit. A line end needs its own mark; lines are hidden one by one; `u/` calls."""

from __future__ import annotations

from knightfall.markup.dialects.markdown_family import COMMON, Markdown
from knightfall.markup.dialects.tree import hush_users

REDDIT = Markdown(
    name="reddit",
    forms={
        **{key: form for key, form in COMMON.items() if key != "image"},
        "mention": "u/{name}",
    },
    line_end="  \n",
    spoiler_line=">!{body}!<",
    max_length=10_000,
    quiet=hush_users,
)
