"""The dialect of MafiaScum: phpBB with boxes, spoilers, votes, countdowns and links to posts.

Posts are linked by id where it is known: the number form counts hidden posts too and quietly leads to post 0.
"""

from __future__ import annotations

from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.phpbb import FORMS

MAFIASCUM = BBCode(
    name="mafiascum",
    forms={
        **FORMS,
        "area": "[area]{body}[/area]",
        "area_titled": "[area={title}]{body}[/area]",
        "spoiler": "[spoiler]{body}[/spoiler]",
        "spoiler_titled": "[spoiler={title}]{body}[/spoiler]",
        "vote": "[vote]{body}[/vote]",
        "unvote": "[unvote]{body}[/unvote]",
        "post_id": "[post=#{id}]{body}[/post]",
        "post_number": "[post={number}]{body}[/post]",
        "countdown": "[countdown]{stamp}[/countdown] ({body})",
    },
    max_length=60_000,
)
