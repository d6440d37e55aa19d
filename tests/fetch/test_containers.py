"""Files that hold pages: what comes out of them, and what hostile ones come to."""

from __future__ import annotations

import gzip
import io
import json
import time
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fetch.threads import page, thread
from forums.page_forms import har, mhtml
from knightfall.errors import IncompleteRead, InputError, KnightfallError, LayoutChanged
from knightfall.fetch import containers
from knightfall.fetch.containers import contents
from knightfall.fetch.saved import pasted_page, read_html

NOW = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
URL = "https://forum.example/viewtopic.php?t=5"


def packed(*members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members:
            archive.writestr(zipfile.ZipInfo(name), body, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def test_a_page_is_a_file_with_one_page() -> None:
    (found,) = contents("a.html", b"<html></html>")
    assert (found.name, found.body, found.address) == ("a.html", b"<html></html>", None)


def test_an_mhtml_file_gives_the_page_first_with_its_address() -> None:
    found = list(contents("a.mhtml", mhtml("<html><body>Zoë</body></html>", URL)))
    assert [one.address for one in found] == [URL, None]
    assert "Zoë" in found[0].body.decode()


def test_a_har_file_gives_its_pages_in_order_with_their_times() -> None:
    found = list(contents("a.har", har("<html>a</html>", URL)))
    assert [one.address for one in found] == [URL, "https://board.example/ping"]
    assert found[0].at == datetime(2026, 11, 21, 12, 0, 1, tzinfo=UTC)


def test_a_zip_gives_its_pages_and_not_what_lies_beside_them() -> None:
    body = packed(
        ("t/page 10.html", b"<p>10</p>"),
        ("t/page 9.html", b"<p>9</p>"),
        ("t/page 9_files/frame.html", b"<p>ad</p>"),
        ("../../etc/page 11.html", b"<p>11</p>"),
        ("t/logo.png", b"\x89PNG"),
        ("t/more.html.gz", gzip.compress(b"<p>12</p>", mtime=0)),
    )
    assert {one.body for one in contents("a.zip", body)} == {
        b"<p>9</p>",
        b"<p>10</p>",
        b"<p>11</p>",
        b"<p>12</p>",
    }
    names = [one.name for one in contents("a.zip", body) if "page" in one.name]
    assert [name.partition(" in ")[0] for name in names] == ["page 11.html", "page 9.html", "page 10.html"]


def test_a_thread_comes_out_of_one_zip(tmp_path: Path) -> None:
    pages = [(f"p{place}.html", page(thread(8), 3 * place)) for place in range(3)]
    (tmp_path / "thread.zip").write_bytes(packed(*pages))
    assert len(read_html([tmp_path / "thread.zip"], NOW).posts) == 8


NESTED = packed(("a.zip", packed(("b.zip", packed(("c.zip", packed(("d.html", b"<p>d</p>"))))))))


@pytest.mark.parametrize(
    ("body", "error", "says"),
    [
        (packed(("readme.txt", b"Hi")), InputError, "holds no saved pages"),
        (packed(("word/document.xml", b"<w/>")), InputError, "is a document"),
        (packed(("a.html", b"<p>a</p>"))[:-40], IncompleteRead, "is damaged"),
        (NESTED, InputError, "holds files in files"),
        (gzip.compress(b"<p>a</p>" * 99, mtime=0)[:-9], IncompleteRead, "ended early"),
        (b"%PDF-1.7", InputError, "is a PDF"),
        (mhtml("<html></html>", URL)[:-60], IncompleteRead, "ended early"),
        (b"MIME-Version: 1.0\nContent-Type: text/plain\n\nHi", InputError, "without a page in it"),
        (har("x", URL)[:-9], IncompleteRead, "HAR file"),
        (json.dumps({"log": {"entries": []}}).encode(), InputError, "holds no page"),
    ],
)
def test_what_holds_no_page_says_so(body: bytes, error: type[KnightfallError], says: str) -> None:
    with pytest.raises(error, match=says):
        list(contents("file", body))


def test_a_file_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MOST_BYTES", 100_000)
    monkeypatch.setattr(containers, "MOST_PAGES", 20)
    for body in (gzip.compress(b"a" * 200_000, mtime=0), packed(("a.html", b"a" * 200_000))):
        with pytest.raises(InputError, match="unpacks to more than"):
            list(contents("bomb", body))
    with pytest.raises(InputError, match="more than 20 pages"):
        list(contents("many", packed(*((f"{place}.html", b"<p>") for place in range(30)))))


@pytest.mark.few(1)
@pytest.mark.parametrize("value", ['="{}"', "=>{}", ""])
def test_a_tag_with_hundreds_of_thousands_of_attributes_is_refused_at_once(value: str) -> None:
    crowd = " ".join(f"a{place}{value.format('>')}" for place in range(300_000))
    began = time.monotonic()
    with pytest.raises((LayoutChanged, KnightfallError)):
        pasted_page(f"<html><body><div {crowd}></div></body></html>", NOW)
    assert time.monotonic() - began < 10
