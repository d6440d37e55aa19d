"""Do all posts stand on their pages, oldest first? Only then do their places and their numbers agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from knightfall.errors import IncompleteRead
from knightfall.forums.soup import Tag, attribute, maybe
from knightfall.posts import Post


def oldest_first(posts: Sequence[Post]) -> tuple[Post, ...]:
    """The posts, if their numbers rise. Raises IncompleteRead: the viewer's board shows newest first."""
    if any(later.number <= earlier.number for earlier, later in pairwise(posts)):
        raise IncompleteRead(
            "The page does not show the posts oldest first (the board's display options are set otherwise). "
            "Set them to oldest post first, or log out, and try again."
        )
    return tuple(posts)


def refuse_filtered(tree: Tag, usual: Mapping[str, str]) -> None:
    """Raises IncompleteRead where a choice on the page, by name, is another than usual: the viewer may have
    set the board to newest first, or to the last days only."""
    for name, value in usual.items():
        chosen = attribute(maybe(tree, f'select[name="{name}"] option[selected]'), "value")
        if chosen is not None and chosen != value:
            raise IncompleteRead(
                "The page does not show all posts in order of time (the board's display options are set "
                f"otherwise: {name}={chosen}). Set them to all posts, post time, ascending, and try again."
            )
