"""Which forums can be read, and how well? The table of platforms for people."""

from __future__ import annotations

from tabulate import tabulate

from knightfall.forums import outside_forums
from knightfall.forums.platforms import Platform, all_platforms

HEADS = ("platform", "software", "read as", "edits", "deleted", "times", "checked on")
LEGEND = """\
edits       yes: an edited post is told as edited, with its time where pages do
deleted     marked: a deleted or hidden post keeps its place; no trace: guests
            cannot see that there was one
times       exact: told for machines; approx.: read from words in the board's
            zone (see sites.toml); either: by the version, or for older posts
checked on  real pages; own pages: written for tests in the software's markup;
            docs only: from documentation. Where one fails, send it to us"""


def platforms_table() -> str:
    """All platforms and what the columns mean; fits 80 columns."""
    rows = [HEADS, *map(_row, all_platforms())]
    return f"{tabulate(rows, tablefmt='plain', disable_numparse=True)}\n\n{LEGEND}"


def platforms_values() -> dict[str, object]:
    """{platforms: [{platform, software, …}]} with the table's columns as keys."""
    keys = [head.replace(" ", "_") for head in HEADS]
    return {"platforms": [dict(zip(keys, _row(one), strict=True)) for one in all_platforms()]}


def unusable_forums() -> tuple[str, ...]:
    """A sentence for each forum of another package that cannot be loaded."""
    return outside_forums().faults()


def _row(platform: Platform) -> tuple[str, ...]:
    return (
        platform.name,
        platform.software,
        platform.read_as,
        "yes" if platform.edits else "no",
        platform.deleted.value,
        platform.times.value,
        platform.checked.value,
    )
