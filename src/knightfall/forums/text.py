"""Text without markup: a print view, a chat log or a digest of mails that was copied as text.

Posts are told by their heads, of which there are seven shapes. A text that begins in two of them can be read
in two ways: then the moderator says which, in a first line “read as: chat”; of dates such as 12/03/2026 that
nothing tells of, in a line “dates: day first”. Text does not tell what was bold,
a quote or a spoiler: what stands behind the head of a quote counts as quoted up to the next empty line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from html import escape

from knightfall.errors import AnotherView
from knightfall.forums.base import (
    Chunk,
    Draft,
    Request,
    Response,
    Site,
    ThreadRef,
    clock_of,
    posts_of,
)
from knightfall.forums.dates import order_told, written_time
from knightfall.forums.payload import is_json, is_xml
from knightfall.forums.styles import STYLES

FEWEST = 2
"""So many heads of a shape make a text one of posts."""
DAY = timedelta(days=1)
NUMBERS = re.compile(r"\d{1,2}[/-]\d{1,2}[/-]\d{2,4}")
TOP = 12
"""Among so many lines that are not empty the first head stands."""
LONGEST_NAME = 40
_NAME = rf"(?P<name>[^\s:<>\[\]|][^:<>\[\]|\n]{{0,{LONGEST_NAME - 1}}}?)"
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]\.?m\.?)?"
_DAY = (
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}-[a-z]{3}-\d{2,4}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|(?:today|yesterday)|"
    r"(?:\w{3,9},? )?(?:\d{1,2}\.? \w{3,9}|\w{3,9} \d{1,2})(?:st|nd|rd|th)?,?(?: \d{4})?)"
)
_WHEN = rf"(?P<when>{_DAY}(?:,? (?:at )?|T| [-–»] ){_CLOCK}|{_DAY})"


@dataclass(frozen=True, slots=True)
class Shape:
    """How the heads of posts look: lines that follow each other, or the beginning of the line that holds the
    post itself (`within`)."""

    name: str
    lines: tuple[re.Pattern[str], ...]
    within: bool = False


def _lines(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


SHAPES: tuple[Shape, ...] = (
    Shape("print", _lines(r"Title: (?P<title>.+)", rf"Post by:? {_NAME} on (?P<when>.+)")),
    Shape("posted", _lines(r"Posted:? (?P<when>.*\d.*)", rf"by {_NAME}")),
    Shape("mail", _lines(r"From: (?P<from>.+)", r"(?:Date|Sent): (?P<when>.+)")),
    Shape("dated", _lines(rf"{_NAME} [-–—|] {_WHEN}")),
    Shape(
        "chat",
        _lines(rf"\[?(?P<when>(?:{_DAY},? )?{_CLOCK})\]?(?: [-–])? {_NAME}: (?P<said>.*)"),
        within=True,
    ),
    Shape(
        "irc",
        _lines(rf"\[?(?P<when>(?:{_DAY},? )?{_CLOCK})\]? <[@+~%&]?(?P<name>[^\s<>]+)> (?P<said>.*)"),
        within=True,
    ),
    Shape("log", _lines(rf"\[{_WHEN}\] {_NAME}(?: \(pinned\))?")),
)
"""Their names are what a first line “read as: …” says."""
TWO_LINES = frozenset(shape.name for shape in SHAPES if len(shape.lines) > 1)
ANSWER = re.compile(
    r"\s*(?:read as: (?P<shape>\w+)|dates: (?P<first>day|month) first)[^\S\n]*(?:\n|\Z)", re.IGNORECASE
)
"""What the moderator says in a first line, or two."""
ORDERS = {"day": "dmy", "month": "mdy"}
MARKUP = re.compile(r"<(?:!doctype|html|body|div|p|br|table|span|a)\b[^<>]*>", re.IGNORECASE)
"""What a page has and a text has not; `<Ada>` is a name."""
MAIL_HEAD = re.compile(r"(?:From|Date|Sent|Subject|To|Cc|Reply-To|Message(?:-ID)?): ?.*", re.IGNORECASE)
ADDRESS = re.compile(r"^\"?(?P<name>[^\"<>]*?)\"?\s*<[^<>]*>$|^(?P<mail>\S+) \((?P<spoken>[^()]+)\)$")
PRINTABLE = re.compile(r"(.+) - Printable Version")
RULE = re.compile(r"[-=_*~]{3,}")
QUOTE_HEAD = re.compile(
    r"(?:Quote from:? .+|Quote:|.{1,60} (?:wrote|said|schrieb|a écrit) ?:)", re.IGNORECASE
)
FOOT = re.compile(
    r"(?:Navigation|SMF [\d.]+.*|All times are .*|\[0\] Message Index|Go to full version|Powered by .*"
    r"|Page \d+ of \d+|Exported [\d.,]+ message\(s\))",
    re.IGNORECASE,
)
"""Where the page ends, behind its last post."""


@dataclass(frozen=True, slots=True)
class Head:
    """A head on a line: what it tells, how many lines it takes, and what the post begins with."""

    line: int
    takes: int
    name: str
    when: str
    title: str = ""
    said: str | None = None


class Text:
    """The adapter; it has no state."""

    name = "text"
    html_style = STYLES["text"]

    def recognises(self, page: Response) -> bool:
        """Text with the heads of posts at its top."""
        return _is_text(page.text) and bool(ANSWER.match(page.text) or _readings(_split(page.text)))

    def locate(self, url: str) -> ThreadRef | None:
        """No address is that of a text."""
        return None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The address of the text itself."""
        return Request(ref.root)

    def read(self, page: Response, site: Site, now: datetime) -> Chunk:
        """Raises AnotherView where a text or its dates can be read in two ways, or it has no heads of the
        shape that is named."""
        said, told, where = page.text, dict[str, str](), page.url or "The text"
        while (answer := ANSWER.match(said)) is not None:
            told |= {key: value.lower() for key, value in answer.groupdict().items() if value}
            said = said[answer.end() :]
        lines = _split(said)
        found = _readings(lines)
        if "shape" in told:
            every = _readings(lines, top=False)
            found = {name: heads for name, heads in every.items() if name == told["shape"]}
        if len(found) != 1:
            raise AnotherView(_question(found, where))
        [(shape, heads)] = found.items()
        drafts = list(_drafts(lines, heads, shape))
        order = ORDERS[told["first"]] if "first" in told else _order(drafts, now, where)
        clock = replace(clock_of(site, now), order=order)
        posts = posts_of(enumerate(drafts, 1), lambda _post, _number: None, clock)
        title = next((head.title for head in heads if head.title), "") or _first_words(lines[: heads[0].line])
        return Chunk(title.removeprefix("Re: ").strip(), posts, 1, 1, len(posts))


def _is_text(text: str) -> bool:
    return not (is_json(text) or is_xml(text) or MARKUP.search(text))


def _split(text: str) -> list[str]:
    """The lines; where MyBB writes the title of the thread before each author, without it."""
    flat = text.lstrip("\ufeff").replace("\u200e", "").replace("\u00a0", " ")
    lines = [line.strip() for line in flat.splitlines()]
    title = next((found[1] for line in lines[:TOP] if (found := PRINTABLE.fullmatch(line))), "")
    before = re.compile(rf"(?:RE: )?{re.escape(title)} - (?=\S.* - )")
    return [before.sub("", line) if before.match(line) else line for line in lines] if title else lines


def _readings(lines: Sequence[str], top: bool = True) -> dict[str, tuple[Head, ...]]:
    """The shapes in which a text has posts, with their heads; with `top` only those in which it begins."""
    counts = enumerate(_counted(lines) if top else ())
    limit = next((n for n, count in counts if count > TOP), len(lines))
    found = {}
    for shape in SHAPES:
        if not any(_head(shape, lines, n) for n in range(limit)):
            continue
        heads = tuple(head for n in range(len(lines)) if (head := _head(shape, lines, n)))
        if len(heads) >= FEWEST:
            found[shape.name] = heads
    # What a post quotes of a chat is no reading of a text whose heads are two lines that nobody writes.
    first = min(found, key=lambda name: found[name][0].line, default="")
    return {first: found[first]} if top and first in TWO_LINES else found


def _counted(lines: Sequence[str]) -> Iterator[int]:
    count = 0
    for line in lines:
        count += bool(line)
        yield count


def _head(shape: Shape, lines: Sequence[str], n: int) -> Head | None:
    """The head of that shape that begins on a line."""
    told: dict[str, str] = {}
    at = n
    for pattern in shape.lines:
        if shape.name == "mail" and told:  # other heads of a mail may stand between
            while at < len(lines) and MAIL_HEAD.fullmatch(lines[at]) and not pattern.fullmatch(lines[at]):
                at += 1
        while told and at < len(lines) and not lines[at]:
            at += 1
        found = pattern.fullmatch(lines[at]) if at < len(lines) else None
        if found is None:
            return None
        told.update({key: value for key, value in found.groupdict().items() if value})
        at += 1
    if shape.name == "mail":
        while at < len(lines) and MAIL_HEAD.fullmatch(lines[at]):
            if lines[at].lower().startswith("subject:"):
                told["title"] = lines[at].partition(":")[2].strip()
            at += 1
        sender = ADDRESS.match(told["from"])
        told["name"] = (sender and (sender["name"] or sender["spoken"])) or told["from"]
    said = found.groupdict().get("said") if shape.within and found else None
    start = n
    if shape.name == "posted":  # the line above is the title of the post
        above = next((m for m in range(n - 1, -1, -1) if lines[m]), n)
        start, told["title"] = above, lines[above] if above < n else ""
    return Head(start, at - start, told["name"].strip(), told["when"], told.get("title", ""), said)


def _drafts(lines: Sequence[str], heads: Sequence[Head], shape: str) -> Iterator[Draft]:
    ends = [*(head.line for head in heads[1:]), len(lines)]
    for head, end in zip(heads, ends, strict=True):
        said = [*([head.said] if head.said is not None else []), *lines[head.line + head.takes : end]]
        yield Draft(
            id="", author=head.name, body=_body(_own(said, shape, head is heads[-1])), written=head.when
        )


def _order(drafts: Sequence[Draft], now: datetime, where: str) -> str:
    """The order of day and month. Raises AnotherView where neither the dates tell it, nor that posts follow
    each other."""
    written = [draft.written for draft in drafts if draft.written]
    told = {order_told(written, order) for order in ORDERS.values()}
    if len(told) == 1:
        return told.pop()
    times = {
        order: [time for one in written if (time := written_time(one, now, UTC, order)) is not None]
        for order in told
    }
    rising = [order for order, read in times.items() if read == sorted(read) and read[-1:] <= [now + DAY]]
    if len(rising) == 1 or times["dmy"] == times["mdy"]:
        return (rising or ["mdy"])[0]
    date = next((found[0] for one in written if (found := NUMBERS.search(one))), written[0])
    raise AnotherView(
        f"{where} has dates such as {date}, and nothing tells whether the day or the month stands first. Put "
        "one of these lines above it: “dates: day first”, “dates: month first”."
    )


def _own(said: Sequence[str], shape: str, is_last: bool) -> list[str]:
    """The lines of a post without what the page or the digest writes between posts."""
    kept = list(said)
    foot = next((n for n, line in enumerate(kept) if is_last and FOOT.fullmatch(line)), None)
    kept = kept if foot is None else kept[:foot]
    if shape == "mail":
        signature = next((n for n, line in enumerate(kept) if line in ("--", "-- ")), None)
        kept = kept[:signature] if signature is not None else kept
    while kept and (not kept[-1] or RULE.fullmatch(kept[-1])):
        kept.pop()
    while kept and not kept[0]:
        kept.pop(0)
    return kept


def _body(lines: Iterable[str]) -> str:
    """The lines as HTML; those that begin with “>”, and those behind the head of a quote, as quotes."""
    written: list[str] = []
    quoted: list[str] = []
    headed = False

    def flush() -> None:
        if quoted:
            written.append(f"<blockquote>{'<br/>'.join(map(escape, quoted))}</blockquote>")
            quoted.clear()

    for line in lines:
        if QUOTE_HEAD.fullmatch(line):
            flush()
            headed = True
        elif line.startswith(">"):
            quoted.append(line.lstrip("> "))
            headed = False
        elif headed and line:
            quoted.append(line)
        else:
            headed = headed and not (quoted or line)
            flush()
            written.append(f"{escape(line)}<br/>")
    flush()
    return "".join(written).removesuffix("<br/>")


def _first_words(lines: Sequence[str]) -> str:
    return next((line for line in lines if line and not RULE.fullmatch(line)), "")


def _question(found: dict[str, tuple[Head, ...]], where: str) -> str:
    """What is asked where a text can be read in several ways, or not as it was said."""
    if not found:
        names = ", ".join(shape.name for shape in SHAPES)
        return f"{where} has no posts in the shape that its first line names. It may name: {names}."
    ways = "; ".join(
        f"“read as: {name}” for {len(heads)} posts, the first by {heads[0].name}"
        for name, heads in found.items()
    )
    return f"{where} can be read in {len(found)} ways. Put one of these lines above it: {ways}."


TEXT = Text()
