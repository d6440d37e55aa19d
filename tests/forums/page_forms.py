"""A page as people hand it over: copied from a browser, or saved in any of a browser's forms.

Each form is made of a page as its board serves it; what a browser leaves out or rewrites is left out or
rewritten here as well.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable
from email.message import EmailMessage
from html import escape
from pathlib import PurePosixPath
from urllib.parse import urljoin

from lxml import etree, html

LINKS = ("href", "src", "action", "cite", "data-href")
UNDRAWN = re.compile(r"\bdisplay\s*:\s*none", re.IGNORECASE)
UNSEEN = ("script", "style", "noscript", "template", "link", "meta", "base")


def _tree(page: str) -> html.HtmlElement:
    return html.document_fromstring(page.encode(), parser=html.HTMLParser(encoding="utf-8", huge_tree=True))


def _absolute(tree: html.HtmlElement, url: str) -> None:
    """Links as a browser copies them: whole addresses, beside the page's base."""
    bases = [tag.get("href") for tag in tree.iter("base") if tag.get("href")]
    base = urljoin(url, bases[0]) if bases else url
    for tag in tree.iter(etree.Element):
        for name in LINKS:
            if name in tag.attrib and not tag.attrib[name].startswith(("#", "javascript:", "data:")):
                try:
                    tag.attrib[name] = urljoin(base, tag.attrib[name])
                except ValueError:
                    continue


def _without(tree: html.HtmlElement, names: tuple[str, ...]) -> None:
    for tag in [tag for tag in tree.iter(*names) if tag.getparent() is not None]:
        tag.drop_tree()
    for tag in tree.iter(etree.Element):
        for name in [name for name in tag.attrib if name.startswith("on")]:
            del tag.attrib[name]


def _written(tree: html.HtmlElement) -> str:
    return str(html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"))


def copied(page: str, url: str) -> str:
    """What lies on the clipboard after Ctrl-A and Ctrl-C: what is inside the body, without scripts, comments
    and hidden things, links as whole addresses."""
    tree = _tree(page)
    _absolute(tree, url)
    _without(tree, UNSEEN)
    for note in list(tree.iter(etree.Comment, etree.ProcessingInstruction)):
        parent = note.getparent()
        if parent is not None:
            note.drop_tree() if hasattr(note, "drop_tree") else parent.remove(note)
    unseen = [tag for tag in tree.iter("input") if tag.get("type") == "hidden"]
    unseen += [tag for tag in tree.iter(etree.Element) if UNDRAWN.search(tag.get("style") or "")]
    for hidden in unseen:
        if hidden.getparent() is not None:
            hidden.drop_tree()
    body = tree.find("body")
    assert body is not None
    inside = escape(body.text or "") + "".join(html.tostring(child, encoding="unicode") for child in body)
    return f"<html>\r\n<body>\r\n<!--StartFragment-->{inside}<!--EndFragment-->\r\n</body>\r\n</html>"


def complete(page: str, url: str) -> str:
    """“Web page, complete”: whole addresses, and files beside the page."""
    tree = _tree(page)
    _absolute(tree, url)
    for tag in tree.iter("img", "script", "link"):
        name = "href" if tag.tag == "link" else "src"
        if tag.tag == "link" and tag.get("rel") != "stylesheet":
            continue
        if tag.get(name):
            tag.set(name, f"./thread_files/{PurePosixPath(re.split(r'[?#]', tag.get(name))[0]).name}")
    mark = f"<!-- saved from url=({len(url):04}){url} -->\n" if url else ""
    return _written(tree).replace("<html", f"{mark}<html", 1)


def single_file(page: str, url: str) -> str:
    """A page as the SingleFile extension keeps it: no scripts, whole addresses, its own note at the top, and
    what HTML lets one leave out left out: quotes around values, end tags, the end of the page.

    `fixtures/single_file` has pages that the extension's own code wrote; this is written in its manner.
    """
    tree = _tree(page)
    _absolute(tree, url)
    _without(tree, ("script", "noscript", "template", "base"))
    note = (
        f"<!--\n Page saved with SingleFile \n url: {url} \n saved date: Sat Nov 21 2026 12:00:00 GMT \n-->"
    )
    return f"<!DOCTYPE html> {'' if not url else note}{_briefly(tree)}"


VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
LEFT_OPEN = frozenset(("li", "dt", "dd", "p", "td", "th", "tr", "tbody", "thead", "tfoot", "option"))
"""What HTML closes by itself before its like and at the end of what is around it."""


def _briefly(tag: html.HtmlElement) -> str:
    said = f"<{tag.tag}"
    for name, value in tag.attrib.items():
        said += f" {name}={_value(value)}"
    said += ">" + (tag.text or "" if tag.tag == "style" else escape(tag.text or "", quote=False))
    for child in tag:
        if isinstance(child.tag, str):
            said += _briefly(child)
        said += escape(child.tail or "", quote=False)
    following = tag.getnext()
    open_ = tag.tag in LEFT_OPEN and not tag.tail and (following is None or following.tag == tag.tag)
    return said if open_ or tag.tag in VOID or tag.tag in ("html", "body") else f"{said}</{tag.tag}>"


def _value(value: str) -> str:
    """Without quotes where it may be, else in those that it does not hold; it escapes “&”, and double quotes
    where it holds both kinds."""
    said = value.replace("&", "&amp;")
    if said and not re.search(r"[\s\"'=<>`]", said):
        return said
    if '"' in said and "'" not in said:
        return f"'{said}'"
    return '"' + said.replace('"', "&quot;") + '"'


def mhtml(page: str, url: str) -> bytes:
    """“Web page, single file”: a mail of the page without its scripts, a frame and a style sheet."""
    tree = _tree(page)
    _absolute(tree, url)
    _without(tree, ("script", "base"))
    mail = EmailMessage()
    mail["From"] = "<Saved by Blink>"
    if url:
        mail["Snapshot-Content-Location"] = url
    mail["Subject"] = "A thread"
    mail["MIME-Version"] = "1.0"
    mail.make_related()
    for text, kind, where in (
        (_written(tree), "html", url),
        ("<html><body>Buy a boat.</body></html>", "html", "cid:frame@mhtml.blink"),
        ("body {}", "css", "https://style.example/a.css"),
    ):
        part = EmailMessage()
        part.set_content(text, subtype=kind, charset="utf-8", cte="quoted-printable")
        if where:
            part["Content-Location"] = where
        mail.attach(part)
    return mail.as_bytes()


def har(page: str, url: str) -> bytes:
    """What the network panel exports: a redirect, the page, its style sheet, an answer to a script."""
    answers = (
        ("https://board.example/", "text/html", 302, ""),
        (url, "text/html; charset=utf-8", 200, page),
        ("https://board.example/style.css", "text/css", 200, "body {}"),
        ("https://board.example/ping", "application/json", 200, '{"ok": true}'),
    )
    entries = [
        {
            "startedDateTime": f"2026-11-21T12:00:0{place}.000Z",
            "request": {"method": "GET", "url": address},
            "response": {"status": status, "content": {"mimeType": kind, "text": text}},
        }
        for place, (address, kind, status, text) in enumerate(answers)
    ]
    return json.dumps({"log": {"version": "1.2", "entries": entries}}).encode()


def zipped(page: str, url: str) -> bytes:
    """A folder that was packed: the page, and the files beside it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("thread/page 1.html", complete(page, url))
        archive.writestr("thread/thread_files/frame.html", "<html><body>Buy a boat.</body></html>")
        archive.writestr("thread/thread_files/style.css", "body {}")
    return packed.getvalue()


FORMS: dict[str, tuple[str, Callable[[str, str], str | bytes]]] = {
    "complete": (".html", complete),
    "single file": (".html", single_file),
    "MHTML": (".mhtml", mhtml),
    "HAR": (".har", har),
    "ZIP": (".zip", zipped),
}
"""The forms that are files: how their names end, and how they are made."""
