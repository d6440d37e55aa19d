"""The manual as data: its pages, their sections, which of them answers a word, and which an error.

The pages are Markdown files of this package; `index.md` lists them, each with a sentence. A section is a head
of a page with the text below it. It is named by `page#anchor`; the anchor is what forges make of the head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from knightfall import errors
from knightfall.errors import InputError, KnightfallError

MANUAL: Traversable = files("knightfall") / "manual"
IMAGES = "images"
"""The folder beside the pages in which their pictures lie."""
INDEX = "index"
READ_LAST = frozenset({"reference", "commands", "how-it-is-built", "adding", "python"})
"""Pages that name nearly everything, or are for programmers. A section of theirs goes before another only
where it has two words more that were searched for."""

PAGE_OF_ERROR: Mapping[type[KnightfallError], str] = {
    errors.KnightfallError: "symptoms.md",
    errors.InputError: "symptoms.md",
    errors.SaidAlready: "symptoms.md#two-of-us-typed-at-once",
    errors.FieldError: "symptoms.md",
    errors.SetupError: "reference.md#the-game-file",
    errors.TimeError: "symptoms.md#the-time-zone-was-wrong",
    errors.UnknownServer: "symptoms.md#it-is-no-thread-or-no-forum-that-it-knows",
    errors.BrokenPlugin: "adding.md#a-package-of-your-own",
    errors.DecisionNeeded: "running-a-game.md#you-decide",
    errors.Overtaken: "symptoms.md#two-of-us-typed-at-once",
    errors.EvidenceError: "symptoms.md#it-says-that-posts-are-missing",
    errors.IncompleteRead: "symptoms.md#it-says-that-posts-are-missing",
    errors.AnotherView: "symptoms.md#the-board-shows-posts-in-another-order",
    errors.PastTheEnd: "symptoms.md#the-board-says-403",
    errors.LayoutChanged: "symptoms.md#the-forums-layout-changed",
    errors.NotAForum: "symptoms.md#it-is-no-thread-or-no-forum-that-it-knows",
    errors.SecretGuard: "symptoms.md#it-says-a-text-would-give-a-secret-away",
    errors.SiteRefused: "symptoms.md#the-board-asks-whether-i-am-human",
    errors.LoginRequired: "symptoms.md#the-board-wants-me-to-log-in",
    errors.AccessDenied: "symptoms.md#the-board-says-403",
    errors.TopicMissing: "symptoms.md#the-board-says-403",
    errors.RateLimited: "symptoms.md#the-board-says-too-many-requests",
    errors.ServerFault: "symptoms.md#the-board-says-too-many-requests",
    errors.StateDamaged: "symptoms.md#my-laptop-died-or-the-folder-is-damaged",
}
"""Each class of error → where the manual says what to do, as a link between its pages."""
_OF_ANY_COMMAND = (errors.KnightfallError, errors.InputError, errors.DecisionNeeded)


@dataclass(frozen=True, slots=True)
class Topic:
    """A page as the index has it: the name of its file without “.md”, its title, and the sentence that begins
    with that."""

    name: str
    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Section:
    """A head of a page and the text below it, up to the next head: both as Markdown. `level` is 1 for the
    head of the page itself."""

    page: str
    title: str
    heading: str
    anchor: str
    level: int
    text: str

    @property
    def name(self) -> str:
        """What it is asked for by: “forums#manners”, of the top of a page “forums”."""
        return self.page if self.level == 1 else f"{self.page}#{self.anchor}"

    @property
    def label(self) -> str:
        """“Forums: Manners”, of the top of a page “Forums”."""
        return self.title if self.level == 1 else f"{self.title}: {plain(self.heading)}"

    @property
    def markdown(self) -> str:
        """The section with its head."""
        return f"{'#' * self.level} {self.heading}\n\n{self.text}\n"


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its whole text as Markdown, and the same in sections, of which the first is its top."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """A section that has words which were searched for, and the line of it that has the most of them."""

    section: Section
    line: str


_FENCE = re.compile(r"\s*(```|~~~)")
_HEADING = re.compile(r"(#{1,6}) +(.+?)(?: +#+)?")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_TOPIC = re.compile(r"^\* \[([^\]]+)\]\(([\w-]+)\.md\)((?:.|\n(?!\* ))*)", re.MULTILINE)


def plain(markdown: str) -> str:
    """A line or more of Markdown as text: what a link says, without the marks of emphasis and code."""
    return re.sub(r"[*`\\]", "", _LINK.sub(r"\1", markdown))


def anchor_of(heading: str) -> str:
    """The anchor of a head: “Two moderators, and a backup” → “two-moderators-and-a-backup”."""
    return re.sub(r"[^\w -]", "", _LINK.sub(r"\1", heading).casefold()).replace(" ", "-")


@cache
def topics() -> tuple[Topic, ...]:
    """The pages in the order of the index."""
    index = (MANUAL / f"{INDEX}.md").read_text(encoding="utf-8")
    found = []
    for title, name, rest in _TOPIC.findall(index):
        found.append(Topic(name, plain(title), " ".join(plain(f"{title}{rest}").split())))
    return tuple(found)


@cache
def page(name: str) -> Page:
    """A page by its name, or by that of its file. Raises InputError where there is none."""
    name = name.removesuffix(".md")
    if name not in (INDEX, *(one.name for one in topics())):
        raise InputError(
            f"The manual has no page “{name}”. Its pages: {', '.join(t.name for t in topics())}."
        )
    text = (MANUAL / f"{name}.md").read_text(encoding="utf-8")
    sections = tuple(_sections(name, text))
    return Page(name, sections[0].title, text, sections)


def _sections(name: str, text: str) -> Iterator[Section]:
    """The sections of a page; a `#` within a block of code is no head."""
    title, heading, level, lines, fenced = "", "", 0, list[str](), False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        head = None if fenced else _HEADING.fullmatch(line)
        if head is None:
            lines.append(line)
            continue
        if level:
            yield Section(name, title, heading, anchor_of(heading), level, "\n".join(lines).strip())
        heading, level, lines = head[2], len(head[1]), []
        title = title or plain(heading)
    yield Section(name, title, heading, anchor_of(heading), level, "\n".join(lines).strip())


def section(name: str) -> Section:
    """A section by “page#anchor” or “page.md#anchor”, of a page alone its top.

    Raises InputError where there is none.
    """
    of_page, _, anchor = name.partition("#")
    found = page(of_page)
    if not anchor:
        return found.sections[0]
    for one in found.sections:
        if one.anchor == anchor:
            return one
    raise InputError(f"The page {found.name} of the manual has no section “{anchor}”.")


def section_of_error(error: KnightfallError | type[KnightfallError], verbs: Sequence[str] = ()) -> Section:
    """The section in which a moderator reads what to do about an error; that of the class above where another
    package made its own.

    What can be wrong with any command is read where that is explained: `verbs` are the words that may name
    it, the best first.
    """
    kind = error if isinstance(error, type) else type(error)
    known = next(one for one in kind.__mro__ if one in PAGE_OF_ERROR)
    if known in _OF_ANY_COMMAND:
        explained = (one for verb in verbs for one in sections_naming(verb) if one.page not in READ_LAST)
        if (found := next(explained, None)) is not None:
            return found
    return section(PAGE_OF_ERROR[known])


def all_sections() -> Iterator[Section]:
    """Every section of every page in the order of the index."""
    for topic in topics():
        yield from page(topic.name).sections


def sections_naming(verb: str) -> tuple[Section, ...]:
    """The sections that name a verb of the command line, such as “phase close”: those that show it typed come
    first, pages read last at the end."""
    words = r"\s+".join(map(re.escape, verb.split()))
    named = re.compile(rf"\bknightfall\s+{words}(?![\w-])|`{words}(?![\w-])")
    found = [one for one in all_sections() if named.search(f"{one.heading}\n{one.text}")]
    typed = re.compile(rf"\bknightfall\s+{words}(?![\w-])")
    return tuple(sorted(found, key=lambda one: (one.page in READ_LAST, typed.search(one.text) is None)))


# -- search ---------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_COMMON = frozenset(
    _WORD.findall(
        "a about am an and are as at be been but by can could did do does for from had has have how i if in "
        "is it its me my of on or so that the their them then there they this to was we were what when where "
        "whether which who whom why will with would you your"
    )
)
"""Words that tell nothing about what is looked for, as those of one or two letters do."""
_ENDINGS = ("'s", "’s", "ments", "ment", "ings", "ing", "ed", "es", "s", "e")
_TITLE, _HEAD, _TEXT = 9, 4, 1
"""What a word weighs in the title of a page, in a head of it and in its text."""
_WHOLE = 4
"""A word of so many letters also finds longer ones that begin with it: “login” finds “logins”, “mod” does not
find “modern”."""


def _stem(word: str) -> str:
    """A word without the endings of plurals and verbs: votes, vote, voting and voted are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] in "bdgmnprt" else word


def _stems(text: str) -> frozenset[str]:
    return frozenset(_stem(word) for word in _WORD.findall(text.casefold()))


@cache
def _words_of(one: Section) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The stems of its page's title, of its head and of its text."""
    return _stems(one.title), _stems(plain(one.heading)), _stems(plain(one.text))


def _has(stems: frozenset[str], wanted: str) -> bool:
    return wanted in stems or (len(wanted) >= _WHOLE and any(one.startswith(wanted) for one in stems))


def search(words: str) -> tuple[Found, ...]:
    """The sections that have any of the words, the best first; () where none has.

    Those that have more of the words come first. Then a word in a title weighs more than one in a head, and
    that more than one in the text.
    """
    typed = list(dict.fromkeys(_WORD.findall(words.casefold())))
    telling = [word for word in typed if word not in _COMMON and len(word) > 2]
    wanted = [_stem(word) for word in telling or typed]
    ranked: list[tuple[tuple[int, bool, int], Section]] = []
    for one in all_sections():
        title, head, text = _words_of(one)
        weights = []
        for word in wanted:
            at_top = one.level == 1 and _has(title, word)
            in_head = one.level > 1 and _has(head, word)
            in_text = _has(text, word) or _has(title, word)
            weights.append(_TITLE if at_top else _HEAD if in_head else _TEXT if in_text else 0)
        # The title alone does not make a section of its page one that has the word.
        if any(weights) and any(_has(head | text, word) for word in wanted):
            count = sum(1 for weight in weights if weight)
            late = one.page in READ_LAST
            ranked.append(((late - count, late, -sum(weights)), one))
    ranked.sort(key=lambda pair: pair[0])
    return tuple(Found(one, _line_with(one, wanted)) for _, one in ranked)


@cache
def _lines_of(one: Section) -> tuple[tuple[str, frozenset[str]], ...]:
    """Its sentences, items and rows as text, each with its stems."""
    text = "\n".join(line for line in one.text.splitlines() if not _FENCE.match(line))
    parts = re.split(r"\n(?=[*|]|\n)|(?<=[.!?])\s+(?=[A-Z])", text)
    lines = [" ".join(plain(part).strip("| ").split()) for part in parts]
    lines = [line.replace(" | ", ": ") for line in lines if re.search(r"\w", line)]
    return tuple((line, _stems(line)) for line in lines)


def _line_with(one: Section, wanted: list[str]) -> str:
    """The sentence, item or row that has the most of the words; where the head alone has them, the first."""
    lines = _lines_of(one)
    return max(lines, key=lambda line: sum(_has(line[1], word) for word in wanted), default=("",))[0]


def topic_meant(words: str) -> Page | Section | tuple[str, ...]:
    """What somebody means by these words.

    A page by its name or title, a section by “page#anchor” or its head, else the best section that a search
    finds; where nothing has the words, names of pages that are spelled nearly so (() for none).
    """
    asked = " ".join(words.split()).casefold()
    for topic in topics():
        if asked in (topic.name, f"{topic.name}.md", topic.title.casefold()):
            return page(topic.name)
    for one in all_sections():
        if asked in (one.name, f"{one.page}.md#{one.anchor}", plain(one.heading).casefold()):
            return one
    if found := search(asked):
        return found[0].section
    from rapidfuzz import process  # as a name is misspelled seldom, nothing else waits for it

    near = process.extract(asked, [one.name for one in topics()], limit=3, score_cutoff=65)
    return tuple(name for name, _, _ in near)
