"""A post of the moderator: made by its kind, read for secrets, kept in `public/`, noted as posted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from zoneinfo import ZoneInfo

from knightfall.config.files import read_file_text
from knightfall.engine.entries import Closed, Published
from knightfall.engine.journal import standing, start_of
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, SecretGuard
from knightfall.forums.sites import site_of
from knightfall.markup.board_look import look, misread_names, read_as_board, tall_boxes
from knightfall.markup.boards import Made, board_of
from knightfall.markup.dialects import dialect
from knightfall.markup.dialects.tree import children
from knightfall.markup.nodes import Name, Nodes
from knightfall.models import PostMark, Roster
from knightfall.sentence import Way, sentence
from knightfall.services.guard import released
from knightfall.services.heads import log_line
from knightfall.services.now import Now, now_of
from knightfall.services.posts.daily import dawn, day_start, end_of_day, error, note, results, votecount
from knightfall.services.posts.facts import PostContent, post_nodes
from knightfall.services.posts.framing import (
    archive_file,
    archive_post,
    endgame,
    opening,
    rules,
    sign_ups,
    this_setup,
)
from knightfall.services.posts.people import (
    NOTE,
    REMOVAL,
    REPLACEMENT,
    REVIVAL,
    removal,
    replacement,
    revival,
)
from knightfall.services.publish import note_posted
from knightfall.services.requests import PostRequest
from knightfall.services.running import post_of_closing
from knightfall.services.session import Session, in_turn, journal_of
from knightfall.services.threads import is_rich, kept_thread, speech_of
from knightfall.storage.drafts import PUBLIC, write_public
from knightfall.writeups.render import Written, together, written

ARCHIVE = "archive"
KINDS: Mapping[str, Callable[[Now], PostContent]] = MappingProxyType(
    {
        "signup": sign_ups,
        "setup": this_setup,
        "rules": rules,
        "opening": opening,
        "day-start": day_start,
        "votecount": votecount,
        REPLACEMENT: replacement,
        REMOVAL: removal,
        REVIVAL: revival,
        NOTE: note,
        "end-of-day": end_of_day,
        "dawn": dawn,
        "results": results,
        "error": error,
        "endgame": endgame,
        ARCHIVE: archive_post,
    }
)
"""Each kind of post → what makes it, in the order in which a game needs them."""


@dataclass(frozen=True, slots=True, repr=False)
class LastPost(JsonAnswer):
    """The post of a name that was last noted as posted, and when."""

    number: int
    text: str
    at: datetime


@dataclass(frozen=True, slots=True, repr=False)
class PostDraft(JsonAnswer):
    """A post that may go out, in the parts that its site allows.

    `name` is what the journal calls it; `upto` the last post of the thread that it counts, else 0. `remarks`
    tell what could not stand in it or waits for a decision; `last` is what it is compared with, if anything;
    `zone` are the moderator's clocks. `files` hold the parts; none where they are kept nowhere.
    """

    kind: str
    name: str
    parts: tuple[str, ...]
    dialect: str
    upto: int
    remarks: tuple[str, ...]
    last: LastPost | None
    zone: ZoneInfo
    files: tuple[Path, ...] = ()

    @property
    def text(self) -> str:
        """All of it."""
        return "\n\n".join(self.parts)

    @property
    def rich(self) -> bool:
        """Whether the site's editor takes formatted text, not markup."""
        return is_rich(self.dialect)


def known_kind(kind: str) -> str:
    """The kind as `KINDS` has it. Raises InputError with those there are."""
    wanted = kind.strip().lower().replace("_", "-")
    if wanted not in KINDS:
        raise InputError(f"There is no post called “{kind}”. Expected one of {', '.join(KINDS)}.")
    return wanted


def content_of(kind: str, context: Now, stored: bool = True) -> PostContent:
    """The post of that kind; a count in it is of what was read before, or else as the forum shows the thread
    now. Raises InputError where the game cannot say it yet, or never says it."""
    make = KINDS[known_kind(kind)]
    return votecount(context, stored) if make is votecount else make(context)


def write_post(request: PostRequest, session: Session) -> PostDraft:
    """Make a post, read it for secrets, and keep it in `public/`. Raises as `draft_post` does."""
    draft = draft_post(request, session)
    # `rules.txt`, or `endgame-1.txt` and so on; parts of an earlier and longer one are taken away.
    ending, several = request.form or "txt", len(draft.parts) > 1
    names = [
        f"{draft.kind}-{number}.{ending}" if several else f"{draft.kind}.{ending}"
        for number in range(1, len(draft.parts) + 1)
    ]
    files = tuple(
        write_public(session.folder, name, part) for name, part in zip(names, draft.parts, strict=True)
    )
    ours = re.compile(rf"{draft.kind}(-\d+)?\.{ending}")
    for file in (session.folder / PUBLIC).iterdir():
        if ours.fullmatch(file.name) and file.name not in names:
            file.unlink(missing_ok=True)
    return replace(draft, files=files)


def draft_post(request: PostRequest, session: Session) -> PostDraft:
    """Make a post and read it for secrets; it is kept nowhere.

    Raises InputError for a kind that there is not, and where the game cannot say it yet, or never says it;
    SecretGuard where the text gives something away and `allow` has no reason.
    """
    kind = known_kind(request.kind)
    if request.dialect:
        dialect(request.dialect)  # an unknown one is told before anything is read
    context = now_of(session)
    name, upto, remarks = kind, 0, tuple[str, ...]()
    if request.form is not None:
        if kind != ARCHIVE:
            raise InputError(
                sentence(
                    "{format} only works with the archive post, not with {kind}.",
                    format=Way("field", name="format"),
                    kind=kind,
                )
            )
        name, speech = f"{ARCHIVE}-{request.form}", "plain"
        parts: tuple[str, ...] = (archive_file(context, request.form).rstrip("\n"),)
    else:
        content, flavour = content_of(kind, context, request.stored), _flavour(request, session)
        speech = speech_of(request.dialect, context.setup, session)
        # Who names a dialect need not post on the game's site.
        site = None if request.dialect else site_of(context.setup.url or "")
        limit = request.limit or (site.max_length if site else None)
        line = log_line(session) if context.table is not None else ""
        parts = written(post_nodes(content, flavour, context.zone, line), speech, limit)
        name, upto, remarks = content.name or kind, content.upto or 0, content.remarks
    released(together(parts, "\n\n"), session, request.allow)
    last = None
    journal = journal_of(session)
    started = start_of(journal)
    for record in standing(journal):
        if isinstance(record.entry, Published) and record.entry.kind == name:
            last = LastPost(record.entry.number, record.entry.text, record.at)
        elif isinstance(record.entry, Closed):
            # The post of another day or night says something else in every line.
            told_by = post_of_closing(record.entry.window, started.game if started else None)
            last = None if told_by == kind else last
    return PostDraft(kind, name, parts, speech, upto, remarks, last, context.zone)


def _flavour(request: PostRequest, session: Session) -> str:
    """The moderator's own words, which are read for secrets by themselves, so that the line is theirs. With a
    reason to let something pass the whole post is read once, and the reason noted once."""
    if request.flavour is None:
        return ""
    try:
        text = read_file_text(request.flavour)
    except OSError as fault:
        raise InputError(f"{request.flavour} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{request.flavour} is not UTF-8 text. Save it as UTF-8 and try again.") from None
    if not request.allow.strip():
        try:
            released(text, session)
        except SecretGuard as leak:
            raise SecretGuard(sentence("{file}: {leak}", file=request.flavour, leak=leak)) from None
    return text


@in_turn
def mark_posted(draft: PostDraft, session: Session) -> Published:
    """Note in the journal that a post went out; later ones of its name are compared with it."""
    thread = kept_thread(now_of(session).setup, session) if draft.upto else None
    last = next((post for post in thread.posts if post.number == draft.upto), None) if thread else None
    upto = PostMark.of(last) if last else draft.upto
    return note_posted(draft.name, draft.text, upto, journal_of(session), session)


@dataclass(frozen=True, slots=True)
class Preview:
    """A post as it will look on its board: HTML of a few tags, all escaped, in which nothing loads, runs or
    leads elsewhere. `board` is what the board's software is called, "" for plain text; `warnings` tell what
    readers there would see otherwise than it is meant."""

    html: str
    board: str
    warnings: tuple[str, ...]


def preview(text: str, dialect: str, roster: Roster | None = None) -> Preview:
    """The text of a post in a dialect as it will look, with what its board would make of names: those that it
    knows as names, and those of a roster."""
    board = board_of(dialect)
    nodes = read_as_board(text, dialect)
    if nodes is None:
        return Preview(look(text, dialect), "", ())
    names = [*_names_in(text.nodes)] if isinstance(text, Written) else []
    if roster:
        names += [name for slot in roster.slots for name in (*slot.names, *slot.aliases)]
    warnings = [
        sentence(_MISREAD[one.made], board=board.title, name=one.name)
        for one in misread_names(nodes, board, names)
    ]
    warnings += [
        sentence(_SCROLLS, board=board.title, seen=box.seen, lines=box.lines)
        for box in dict.fromkeys(tall_boxes(nodes, board))  # boxes of one height are told once
    ]
    return Preview(look(text, dialect), board.title, tuple(warnings))


_MISREAD: Mapping[Made, str] = {
    Made.SMILEY: "{board} makes a smiley of the name {name} here. Switch smilies off when you post this.",
    Made.LINK: "{board} makes a link of the name {name} here.",
    Made.CALL: "{board} calls a user by the name {name} here.",
}

_SCROLLS = (
    "A box of code on {board} shows about {seen} lines. One here has {lines}, so readers scroll inside it."
)


def _names_in(nodes: Nodes) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Name):
            yield node.text
        yield from _names_in(children(node))
