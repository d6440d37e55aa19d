"""Who signed up in a thread, with the moderator's decisions, as lists, as a post and in the game file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from knightfall.config.decided import SIGNUP
from knightfall.config.game_file import parse_setup
from knightfall.config.setup import Setup
from knightfall.engine.journal import Fixed, Journal, Record, standing
from knightfall.errors import DecisionNeeded, IncompleteRead, InputError
from knightfall.forums import html_style_of
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect as dialect_named
from knightfall.models import Post, Thread
from knightfall.services.count_request import CountRequest, source_asked
from knightfall.services.game_state import setup_of
from knightfall.services.guard import released
from knightfall.services.reading import Kept, Link, Source, dialect_of, gather, incomplete
from knightfall.services.session import GAME_FILE, Session, entered, journal_of
from knightfall.storage.drafts import PUBLIC, write_draft, write_public
from knightfall.votes.signups import DECISIONS, Signup, Signups, signup_lines, signups
from knightfall.writeups.facts import post_facts
from knightfall.writeups.render import render

FILE = "signups.txt"
"""The post of the player list in `public/`."""


@dataclass(frozen=True, slots=True)
class SignupsRead:
    """The lists of a sign-up thread.

    `posts` are those of the thread by number, `edited` those whose text is not the first one, `decided` those
    on which the moderator ruled; `told` is what was assumed; `dialect` is that of the post of the list.
    """

    lists: Signups
    thread: Thread
    setup: Setup
    dialect: str
    posts: Mapping[int, Post]
    edited: frozenset[int]
    decided: frozenset[int]
    told: tuple[str, ...]

    @property
    def title(self) -> str:
        """What the game is called, else its sign-up thread."""
        return self.setup.title or self.thread.title

    @property
    def groups(self) -> tuple[tuple[str, tuple[Signup, ...]], ...]:
        """The lists by name; out last."""
        lists = self.lists
        parts = (lists.players, lists.backups, lists.spectators, lists.out)
        return tuple(zip(("Players", "Backups", "Spectators", "Out"), parts, strict=True))

    @property
    def unclear(self) -> tuple[int, ...]:
        """The posts of which the moderator must say what they mean: until then nothing is written."""
        return tuple(dict.fromkeys(one.post for one in self.lists.unclear))

    def to_dict(self) -> dict[str, Any]:
        """{title, players, backups, spectators, out: [person], unclear: [post], assumed}."""
        groups = {title.lower(): [self._person(one) for one in people] for title, people in self.groups}
        return {
            "title": self.title,
            **groups,
            "unclear": [
                {"post": one.post, "url": self.posts[one.post].url, "author": one.author, "text": one.text}
                for one in self.lists.unclear
            ],
            "assumed": list(self.told),
        }

    def _person(self, one: Signup) -> dict[str, Any]:
        return {
            "name": one.name,
            "post": one.post,
            "url": self.posts[one.post].url,
            "again": list(one.again),
            "confirmed": one.confirmed,
            "edited": one.post in self.edited,
            "decided": one.post in self.decided,
        }


@dataclass(frozen=True, slots=True)
class SignupsWritten:
    """What was written into the game's folder: `names` into the game file, and the post.

    Where the file lists players already (`listed`), it stays as it is: `missing` signed up and are not in it,
    `extra` are in it and did not sign up.
    """

    names: tuple[str, ...] = ()
    listed: bool = False
    missing: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()
    file: str = GAME_FILE
    post: str = f"{PUBLIC}/{FILE}"


def read_signups(request: CountRequest, dialect: str | None, session: Session) -> SignupsRead:
    """The sign-ups of the thread that is named, else of the sign-up thread of the game file.

    `dialect` is that of the post (None: the site's). Raises InputError for an unknown one before anything is
    read, IncompleteRead where posts are missing, and what reading raises.
    """
    if dialect:
        dialect_named(dialect)
    setup = setup_of(session) if session.game else Setup("no game file")
    url = next((thread.url for thread in setup.threads if thread.role == "signup"), None)
    source = source_asked(request, replace(setup, url=url))
    if isinstance(source, Link):
        source = Link(source.url, again=True)  # every page anew: an early post may say something else by now
    thread = gather(source, session)
    if not thread.complete or not thread.posts:
        raise IncompleteRead(incomplete(thread))

    # What each post says, but for the moderators' own: where nobody names them, who opened the thread is one.
    moderators = setup.moderators or (thread.posts[0].author,)
    told = () if setup.moderators else (f"Moderator: {moderators[0]}, who wrote the opening post.",)
    decided = decisions(journal_of(session))
    folded = frozenset(name.casefold() for name in moderators)
    lists = signups(signup_lines(thread.posts, html_style_of(thread.platform), folded, decided))

    posts = {post.number: post for post in thread.posts}
    edited = {post.number for post in thread.posts if post.edit_note is not None or post.edited is not None}
    found = SignupsRead(
        lists=lists,
        thread=thread,
        setup=setup,
        dialect=dialect_of(dialect, setup, site_of(thread.url or ""), thread.platform),
        posts=posts,
        edited=frozenset(edited),
        decided=frozenset(decided) & frozenset(posts),
        told=told,
    )
    return replace(found, edited=found.edited | _changed(source, found, session))


def _changed(source: Source, found: SignupsRead, session: Session) -> frozenset[int]:
    """Listed posts of which more than one version was seen; files have no history."""
    if found.thread.url is None or not isinstance(source, Link | Kept):
        return frozenset()
    numbers = {one.post for _, people in found.groups for one in people} | set(found.unclear)
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


def decide(post: str, word: str, why: str, session: Session) -> Record:
    """Write down what a post means. Raises InputError for no post number, an unknown word, or no reason."""
    number = post.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{post} is no number of a post. Give it as the forum counts, for example 22.")
    if word not in DECISIONS:
        raise InputError(f"Found “{word}”, expected one of {', '.join(DECISIONS)}.")
    if not why.strip():
        raise InputError('A decision needs its reason: --why "…".')
    nowhere = "A decision is kept with a game: --game FOLDER, or run it in the game's folder."
    return entered(Fixed(number, SIGNUP + word, why.strip()), session, nowhere)


def signup_post(found: SignupsRead, session: Session, allow: str = "") -> str:
    """The player list for everybody, with links to the posts; nobody is told who left.

    Raises SecretGuard where it gives something away and `allow` has no reason.
    """
    groups = [
        {
            "title": title,
            "people": [{"name": one.name, "post": post_facts(one.post, found.posts)} for one in people],
        }
        for title, people in found.groups
        if title != "Out" and (people or title == "Players")
    ]
    text = render("any/signups", {"title": found.title, "groups": groups}, found.dialect)
    return released(text, session, allow)


def require_clear(found: SignupsRead) -> None:
    """Raises DecisionNeeded while the moderator has not said what each post means."""
    if found.unclear:
        listed = ", ".join(f"#{number}" for number in found.unclear)
        raise DecisionNeeded(
            f"{len(found.unclear)} unclear and not counted: {listed}.\nAsk, or decide: knightfall signup "
            f'decide {found.unclear[0]} {"|".join(DECISIONS)} --why "…"'
        )


def write_signups(found: SignupsRead, session: Session, allow: str = "") -> SignupsWritten:
    """Write the names into the game file where it lists no players, and the post into `public/`.

    Raises DecisionNeeded while a post is unclear, InputError and SetupError where the file or the names
    cannot be used, SecretGuard as `signup_post`: then nothing is written.
    """
    require_clear(found)
    post = signup_post(found, session, allow)
    file = session.folder / GAME_FILE
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{file}: cannot be read ({fault.strerror}). The names go there.") from None
    roster, names = parse_setup(text, str(file)).roster, found.lists.names
    written = SignupsWritten(names)
    if roster is not None:
        signed = {name.casefold() for name in names}
        missing = tuple(name for name in names if roster.slot_of(name) is None)
        extra = [s.name for s in roster.slots if not any(name.casefold() in signed for name in s.names)]
        written = SignupsWritten((), True, missing, tuple(extra))
    elif names:
        # Behind what the moderator wrote, which stays as it is; checked before it replaces the file. A basic
        # string of TOML is a string of JSON, but for one character.
        quoted = (json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f") for name in names)
        tables = "".join(f"\n[[player]]\nname = {name}\n" for name in quoted)
        longer = text.rstrip("\n") + "\n" + tables
        parse_setup(longer, str(file))
        write_draft(file.parent, ".", file.name, longer)
    write_public(session.folder, FILE, post)
    return written
