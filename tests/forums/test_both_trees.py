"""A page as lxml reads it and as BeautifulSoup does: what an adapter reads is the same."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from knightfall.errors import KnightfallError, LayoutChanged
from knightfall.forums import base, discourse, flarum, forum_of, nodebb
from knightfall.forums.base import Chunk, Response
from knightfall.forums.html import (
    Tag,
    cut_from_line,
    every,
    inner,
    maybe,
    one,
    own_words,
    parse_leniently,
    parse_page,
    taken_out,
    words,
    words_after,
    words_before,
)
from knightfall.forums.sites import site_of
from long_runs import first

ROOT = Path(__file__).parents[2]
FIXTURES, SHARED = ROOT / "fixtures", ROOT.parent / "shared" / "pages"
NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
OWN = sorted(FIXTURES.rglob("*.html"))
REAL = sorted(SHARED.glob("*/*.html"))
"""Pages of real boards, where the folder with them stands beside the project."""


def response(file: Path) -> Response:
    told = file.with_suffix(".expected.json")
    address = json.loads(told.read_text(encoding="utf-8")).get("url") if told.exists() else ""
    return Response(address or "", 200, file.read_text(encoding="utf-8", errors="replace"))


def read(page: Response) -> Chunk | tuple[str, str] | None:
    """What the page holds, or how it is refused."""
    forum = forum_of(page)
    if forum is None:
        return None
    try:
        return forum.read(page, site_of(page.url), NOW)
    except KnightfallError as error:
        return type(error).__name__, str(error)


@pytest.mark.few(14)
@pytest.mark.parametrize("file", [*OWN, *REAL], ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_both_trees_of_a_page_read_the_same(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = response(file)
    fast = read(page)
    for module in (base, discourse, flarum, nodebb):
        monkeypatch.setattr(module, "parse_page", parse_leniently)
    assert read(page) == fast


SAID = """<div id=a>one <b>two<!-- x --> three</b> four <i>five</i><script>six</script> seven
<pre>  eight
  nine </pre> <u>ten</u>
  <p>____</p> eleven <s>twelve</s></div>"""


def both(text: str) -> tuple[Tag, Tag]:
    return one(parse_page(text), "#a"), one(parse_leniently(text), "#a")


def test_texts_are_the_same() -> None:
    for box, place in ((box, name) for box in both(SAID) for name in ("i", "b", "u")):
        tag = one(box, place)
        assert words(box).startswith("one two three four five seven eight nine ten")
        assert own_words(box).startswith("one four seven")
        assert words_after(tag, box).endswith("____ eleven twelve")
        assert words_before(tag, box).startswith("one")
    fast, lenient = both(SAID)
    assert inner(fast) == inner(lenient)


@pytest.mark.parametrize("gone", ["b", "i", "script", "pre", "u", "p", "s"])
def test_what_is_taken_out_leaves_the_same_behind(gone: str) -> None:
    left = []
    for box in both(SAID):
        taken_out(every(box, gone))
        left.append((inner(box), words(box), [tag.tag for tag in every(box, "*")]))
    assert left[0] == left[1]
    assert maybe(one(parse_page(SAID), "#a"), gone) is not None


def test_what_is_cut_from_a_line_on_is_the_same() -> None:
    left = []
    for box in both(SAID):
        cut_from_line(box, "____")
        left.append((inner(box), [tag.tag for tag in every(box, "*")]))
    assert left[0] == left[1]
    assert "eleven" not in left[0][0]
    assert "twelve" not in left[0][0]


@pytest.mark.parametrize("text", ["", "  ", "<!-- c -->", "\0", "<", "</div>", "text"])
def test_a_page_of_next_to_nothing_has_a_tree(text: str) -> None:
    assert every(parse_page(text), ".post") == []


@pytest.mark.parametrize("deep", first(3, [100, 300, 3_000, 9_000]))
def test_what_stands_behind_a_deep_post_is_not_lost(deep: int) -> None:
    text = f"<p class=post>1</p>{'<b>' * deep}x{'</b>' * deep}<p class=post>2</p>"
    for parse in (parse_page, parse_leniently):
        assert [words(tag) for tag in every(parse(text), ".post")] == ["1", "2"]


@pytest.mark.parametrize("text", ["<div>" * 20_100, f"<p {' '.join(f'a{n}=1' for n in range(600))}>x"])
def test_both_trees_refuse_what_no_forum_writes(text: str) -> None:
    for parse in (parse_page, parse_leniently):
        with pytest.raises(LayoutChanged, match="as no forum's page is"):
            parse(text)
