"""The dialect of MafiaScum: phpBB with boxes, spoilers, tables, votes, countdowns and links to posts.

Posts are linked by id where it is known: the number form counts hidden posts too and quietly leads to post 0.
"""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.phpbb import FORMS

MAFIASCUM = BBCode(
    name="mafiascum",
    forms={
        **FORMS,
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "row": "[row]{body}[/row]",
        "cell": "[cell]{body}[/cell]",
        "head_cell": "[header]{body}[/header]",
        "post_id": "[post=#{id}]{body}[/post]",
        "post_number": "[post={number}]{body}[/post]",
    },
    tags=("area", "spoiler", "table", "strike", "countdown", "post", "vote"),
    max_length=60_000,
)
