"""What the tests of the paste in a real browser share, whichever browser it is."""

from __future__ import annotations

from fetch.boards import Board, Prosilver
from services.test_pasted import written

COPIED = "Control+A", "Control+C"
PASTED = "Control+V"
HOSTILE = (
    "<script>window.stolen = 1</script><img src=x onerror='window.stolen = 1'>"
    '<a href="javascript:stolen=1">here</a>'
)


def hostile_page() -> tuple[str, str]:
    """Address and source of a page of a thread with scripts in a post of it."""
    board: Board = Prosilver(written(4))
    board.root = "https://forum.example/"
    url = board.page_url(1)
    html = board.rendered(1).replace("Day 1", f"Day 1 {HOSTILE}")
    return url, html.replace("<head>", f"<!-- saved from url=({len(url):04}){url} -->\n<head>", 1)
