"""Who signed up in a thread, with the moderator's decisions, as lists, as a post and in the game file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from knightfall.config.decided import SIGNUP
from knightfall.config.game_file import parse_setup
from knightfall.config.setup import Setup
from knightfall.engine.journal import Fixed, Journal, standing
from knightfall.engine.json_text import as_object
from knightfall.errors import DecisionNeeded, IncompleteRead, InputError
from knightfall.forums import html_style_of
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect as dialect_known
from knightfall.models import Post, Roster, Thread
from knightfall.services.count_request import CountRequest, source_asked
from knightfall.services.evidence import incomplete
from knightfall.services.game_state import setup_of
from knightfall.services.guard import released
from knightfall.services.reading import RICH, Kept, Link, Source, dialect_of, gather
from knightfall.services.session import Copy, Say, Session, entered, journal_of
from knightfall.storage.drafts import write_draft, write_public
from knightfall.votes.signups import DECISIONS, Signup, SignupLine, Signups, signup_lines, signups
from knightfall.writeups.facts import post_facts
from knightfall.writeups.journal import entry_line
from knightfall.writeups.render import render


@dataclass(frozen=True, slots=True)
class SignupsRead:
    """The lists of a thread; `posts` by number, `edited` those whose text is not the first one, `decided`
    those on which the moderator ruled; `told` is what was assumed."""

    lists: Signups
    thread: Thread
    setup: Setup
    posts: Mapping[int, Post]
    edited: frozenset[int]
    decided: frozenset[int]
    told: tuple[str, ...]

    @property
    def title(self) -> str:
        return self.setup.title or self.thread.title

    @property
    def groups(self) -> tuple[tuple[str, tuple[Signup, ...]], ...]:
        """The lists by name; out last."""
        lists = self.lists
        parts = (lists.players, lists.backups, lists.spectators, lists.out)
        return tuple(zip(("Players", "Backups", "Spectators", "Out"), parts, strict=True))


def read_signups(wanted: CountRequest, session: Session) -> SignupsRead:
    """The sign-ups of the thread that is named, else of the sign-up thread of the game file. Raises
    IncompleteRead where posts are missing, and what reading raises."""
    setup = setup_of(session) if session.game else Setup("no game file")
    place = next((thread.url for thread in setup.threads if thread.role == "signup"), None)
    source = _whole(source_asked(wanted, replace(setup, url=place)))
    thread = gather(source, session)
    if not thread.complete or not thread.posts:
        raise IncompleteRead(incomplete(thread))
    found = _read(thread, setup, decisions(journal_of(session)))
    return replace(found, edited=found.edited | _changed(source, found, session))


def _whole(source: Source) -> Source:
    """From a forum every page is read again: an early post may say something else by now."""
    return Link(source.url, again=True) if isinstance(source, Link) else source


def _read(thread: Thread, setup: Setup, decided: Mapping[int, str]) -> SignupsRead:
    moderators = setup.moderators or (thread.posts[0].author,)
    told = () if setup.moderators else (f"Moderator: {moderators[0]}, who wrote the opening post.",)
    folded = frozenset(name.casefold() for name in moderators)
    said = signup_lines(thread.posts, html_style_of(thread.platform), folded, decided)
    posts = {post.number: post for post in thread.posts}
    marked = (post for post in thread.posts if post.edit_note is not None or post.edited is not None)
    return SignupsRead(
        lists=signups(said),
        thread=thread,
        setup=setup,
        posts=posts,
        edited=frozenset(post.number for post in marked),
        decided=frozenset(decided) & frozenset(posts),
        told=told,
    )


def _changed(source: Source, found: SignupsRead, session: Session) -> frozenset[int]:
    """Listed posts of which more than one version was seen; files have no history."""
    if found.thread.url is None or not isinstance(source, Link | Kept):
        return frozenset()
    numbers = {one.post for _, people in found.groups for one in people}
    numbers |= {one.post for one in found.lists.unclear}
    store = session.store(found.thread.url)
    try:
        seen = {n: {version.sha256 for version in store.versions(found.thread.url, n)} for n in numbers}
    finally:
        store.close()
    return frozenset(number for number, texts in seen.items() if len(texts) > 1)


def decisions(journal: Journal) -> dict[int, str]:
    """What the moderator made of posts of the sign-up thread; the latest decision on a post counts."""
    fixed = (record.entry for record in standing(journal) if isinstance(record.entry, Fixed))
    return {int(one.post): one.reads.removeprefix(SIGNUP) for one in fixed if one.reads.startswith(SIGNUP)}


FILE = "signups.txt"
GAME_FILE = "game.toml"


def write_signups(found: SignupsRead, post: str, folder: Path) -> Iterator[str]:
    """Writes the names into the game file where it lists no players, else says what differs; and the post
    into `public/`. Raises InputError and SetupError where the file or the names cannot be used."""
    file = folder / GAME_FILE
    text = _text(file)
    roster = parse_setup(text, str(file)).roster
    if roster is not None:
        yield from _differences(found.lists.names, roster)
    elif found.lists.players:
        yield _written(found.lists.names, file, text)
    write_public(folder, FILE, post)
    yield f"The list to post is in public/{FILE}."


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{file}: cannot be read ({fault.strerror}). The names go there.") from None


def _written(names: tuple[str, ...], file: Path, text: str) -> str:
    """Behind what the moderator wrote, which stays as it is; checked before it replaces the file."""
    tables = "".join(f"\n[[player]]\nname = {_quoted(name)}\n" for name in names)
    longer = text.rstrip("\n") + "\n" + tables
    parse_setup(longer, str(file))
    write_draft(file.parent, ".", file.name, longer)
    return f"{len(names)} player{'s' * (len(names) != 1)} written into {GAME_FILE}."


def _quoted(name: str) -> str:
    """A TOML basic string is a JSON string, but for one character."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def _differences(names: tuple[str, ...], roster: Roster) -> Iterator[str]:
    signed = {name.casefold() for name in names}
    missing = [name for name in names if roster.slot_of(name) is None]
    extra = [s.name for s in roster.slots if not any(name.casefold() in signed for name in s.names)]
    yield f"{GAME_FILE} lists players already: it stays as it is."
    yield f"Signed up and not in it: {', '.join(missing) or 'nobody'}."
    yield f"In it and not signed up: {', '.join(extra) or 'nobody'}."


TEMPLATE = "any/signups"
LONG = 60


def read_line(found: SignupsRead) -> str:
    """“31 posts read. 13 in, 2 backups, 4 spectators, 1 out (Pike, #17).”"""
    lists = found.lists
    out = ", ".join(f"{one.name}, #{one.post}" for one in lists.out)
    counts = (
        f"{len(lists.players)} in",
        f"{len(lists.backups)} backup{'s' * (len(lists.backups) != 1)}",
        f"{len(lists.spectators)} spectator{'s' * (len(lists.spectators) != 1)}",
        f"{len(lists.out)} out{f' ({out})' if out else ''}",
    )
    return f"{len(found.posts)} posts read. {', '.join(counts)}; {len(lists.unclear)} unclear."


def as_text(found: SignupsRead) -> str:
    """The lists with the posts that they rest on, then what is unclear, with links."""
    return "\n".join(_lines(found))


def _lines(found: SignupsRead) -> Iterator[str]:
    for title, people in found.groups:
        if people:
            yield f"{title} ({len(people)})"
            yield from (
                f"{place:3}. {one.name} {_notes(one, found)}" for place, one in enumerate(people, start=1)
            )
    if found.lists.unclear:
        yield f"Unclear, not counted ({len(found.lists.unclear)})"
        for said in found.lists.unclear:
            yield from _unclear(said, found)


def _unclear(said: SignupLine, found: SignupsRead) -> Iterator[str]:
    yield f"  #{said.post} {said.author}: “{_short(said.text)}”{' (edited)' * (said.post in found.edited)}"
    if url := found.posts[said.post].url:
        yield f"      {url}"


def _notes(one: Signup, found: SignupsRead) -> str:
    """“#4 (edited; again #9; confirmed #12)”."""
    notes = ["edited"] * (one.post in found.edited) + ["decided by you"] * (one.post in found.decided)
    notes += [f"again {', '.join(f'#{post}' for post in one.again)}"] if one.again else []
    notes += [f"confirmed #{one.confirmed}"] if one.confirmed is not None else []
    return f"#{one.post}" + (f" ({'; '.join(notes)})" if notes else "")


def _short(text: str) -> str:
    return text if len(text) <= LONG else f"{text[: LONG - 1]}…"


def as_json(found: SignupsRead) -> str:
    """The same for programs, schema 1."""
    values = {
        "title": found.title,
        **{title.lower(): [_values(one, found) for one in people] for title, people in found.groups},
        "unclear": [
            {"post": one.post, "url": found.posts[one.post].url, "author": one.author, "text": one.text}
            for one in found.lists.unclear
        ],
        "assumed": list(found.told),
    }
    return as_object(values)


def _values(one: Signup, found: SignupsRead) -> dict[str, Any]:
    return {
        "name": one.name,
        "post": one.post,
        "url": found.posts[one.post].url,
        "again": list(one.again),
        "confirmed": one.confirmed,
        "edited": one.post in found.edited,
        "decided": one.post in found.decided,
    }


def as_post(found: SignupsRead, speech: str) -> str:
    """The player list for everybody, with links to the posts; nobody is told who left."""
    groups = [
        {
            "title": title,
            "people": [{"name": one.name, "post": post_facts(one.post, found.posts)} for one in people],
        }
        for title, people in found.groups[:3]
        if people or title == "Players"
    ]
    return render(TEMPLATE, {"title": found.title, "groups": groups}, speech)


@dataclass(frozen=True, slots=True)
class After:
    """What is to be done with the lists: written into the game's folder, copied; `allow` is the reason why
    the post may tell what looks like a secret."""

    write: bool = False
    copy: Copy | None = None
    allow: str = ""


def decide(post: str, word: str, why: str, session: Session) -> str:
    """Writes what a post means. Raises InputError for no post number, an unknown word, or no reason."""
    number = post.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{post} is no number of a post. Give it as the forum counts, for example 22.")
    if word not in DECISIONS:
        raise InputError(f"Found “{word}”, expected one of {', '.join(DECISIONS)}.")
    if not why.strip():
        raise InputError('A decision needs its reason: --why "…".')
    nowhere = "A decision is kept with a game: --game FOLDER, or run it in the game's folder."
    record = entered(Fixed(number, SIGNUP + word, why.strip()), session, nowhere)
    undo = f'knightfall undo {record.number} --why "…"'
    return f"{record.number}: {entry_line(record.entry)}. Take it back: {undo}"


def run(wanted: CountRequest, after: After, session: Session, out: Say, err: Say) -> None:
    """Prints the lists, or the post where a dialect is named, and does what is to be done with them. Raises
    DecisionNeeded after it while something is unclear: then nothing is written."""
    if wanted.dialect:
        dialect_known(wanted.dialect)  # an unknown one is told before anything is read
    found = read_signups(wanted, session)
    for sentence in (read_line(found), *found.told):
        err(sentence)
    speech = dialect_of(wanted.dialect, found.setup, site_of(found.thread.url or ""), found.thread.platform)
    public = bool(wanted.dialect or after.write or after.copy)
    post = released(as_post(found, speech), session, after.allow) if public else ""
    out(as_json(found) if wanted.as_json else post if wanted.dialect else as_text(found))
    if after.copy is not None:
        after.copy.copy(post, speech == RICH)
        err("The list is copied.")
    _settled(found)
    if after.write and session.game is not None:
        for sentence in write_signups(found, post, session.folder):
            err(sentence)


def _settled(found: SignupsRead) -> None:
    unclear = tuple(dict.fromkeys(one.post for one in found.lists.unclear))
    if unclear:
        listed = ", ".join(f"#{number}" for number in unclear)
        raise DecisionNeeded(
            f"{len(unclear)} unclear and not counted: {listed}.\nAsk, or decide: knightfall signup decide "
            f'{unclear[0]} {"|".join(DECISIONS)} --why "…"'
        )
