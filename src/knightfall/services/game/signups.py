"""Who signed up in a thread, with the moderator's decisions, as lists, as a post and in the game file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knightfall.config.calendar import bound_by
from knightfall.config.files import read_file_text
from knightfall.config.game_file import parse_setup
from knightfall.config.new_file import with_players
from knightfall.config.setup import VOTES, Setup
from knightfall.engine.entries import SIGNUP, Fixed
from knightfall.engine.journal import Journal, Record, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import DecisionNeeded, IncompleteRead, InputError
from knightfall.forums import html_style_of
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect as dialect_named
from knightfall.models import Post, PostMark, Roster, Thread
from knightfall.sentence import Way, sentence
from knightfall.services.count.request import source_asked
from knightfall.services.deal import number_complaint
from knightfall.services.games import same_game
from knightfall.services.guard import released
from knightfall.services.journal import REASON
from knightfall.services.journal import decide as write_decision
from knightfall.services.now import now_of
from knightfall.services.requests import CountRequest
from knightfall.services.running import begun
from knightfall.services.session import GAME_FILE, Session, in_turn, journal_of, read_text
from knightfall.services.threads import Kept, Link, Source, dialect_of, gather, incomplete, kept_thread
from knightfall.storage.drafts import PUBLIC, write_draft, write_public
from knightfall.votes.post_marks import Became, PostIndex, Strayed
from knightfall.votes.signups import (
    DECISIONS,
    NoWord,
    Signup,
    SignupLine,
    Signups,
    Unclear,
    live_text,
    signup_lines,
    signups,
)
from knightfall.writeups.facts import post_facts
from knightfall.writeups.render import render

FILE = "signups.txt"
"""The post of the player list in `public/`."""


@dataclass(frozen=True, slots=True, repr=False)
class PostRead(JsonAnswer):
    """How a post was read: its words (in, out, sub, spec, confirm), or unclear, nothing, ignored, moderator
    or deleted; `text` is what its author says in it."""

    post: int
    author: str
    reading: str
    text: str


@dataclass(frozen=True, slots=True, repr=False)
class SignupsRead(JsonAnswer):
    """The lists of a sign-up thread.

    `posts` are those of the thread by number, `edited` those whose text is not the first one, `decided` those
    on which the moderator ruled; `read` tells of every post how it was read; `told` is what was assumed;
    `complaint` is why the game cannot be dealt to these players ("": it can); `dialect` is that of the post
    of the list.
    """

    lists: Signups
    thread: Thread
    setup: Setup
    dialect: str
    posts: Mapping[int, Post]
    edited: frozenset[int]
    decided: frozenset[int]
    read: tuple[PostRead, ...]
    told: tuple[str, ...]
    complaint: str = ""

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
        """{title, players, backups, spectators, out: [person], unclear: [post],
        read: [{post, author, reading, text}], complaint, assumed}."""
        groups = {title.lower(): [self._person(one) for one in people] for title, people in self.groups}
        return {
            "title": self.title,
            **groups,
            "unclear": [
                {"post": one.post, "url": self.posts[one.post].url, "author": one.author, "text": one.text}
                for one in self.lists.unclear
            ],
            "read": [
                {"post": one.post, "author": one.author, "reading": one.reading, "text": one.text}
                for one in self.read
            ],
            "complaint": self.complaint or None,
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


@dataclass(frozen=True, slots=True, repr=False)
class SignupsWritten(JsonAnswer):
    """What was written into the game's folder: who came into the game file and who left it, and the post.

    `by_hand` are in the file by the moderator's own hand and did not sign up: they stay. Once the game was
    dealt (`dealt`) the file stays as it is: `added` signed up and are not in it, `by_hand` are in it alone.
    """

    players: int = 0
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    by_hand: tuple[str, ...] = ()
    dealt: bool = False
    file: str = GAME_FILE
    post: str = f"{PUBLIC}/{FILE}"


def read_signups(request: CountRequest, dialect: str | None, session: Session) -> SignupsRead:
    """The sign-ups of the thread that is named, else of the sign-up thread of the game file.

    `dialect` is that of the post (None: the site's). Raises InputError for an unknown one before anything is
    read, IncompleteRead where posts are missing, and what reading raises.
    """
    if dialect:
        dialect_named(dialect)
    setup = now_of(session).setup if session.game else Setup()
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
    rulings = decisions(journal_of(session), thread)
    decided, changed, told = rulings.words, rulings.changed, (*told, *rulings.told)
    folded = frozenset(name.casefold() for name in moderators)
    style = html_style_of(thread.platform)
    lines = signup_lines(thread.posts, style, folded, decided)
    # What a post says that was edited since it was decided on is for the moderator again.
    asked = (
        SignupLine(post.number, post.author, Unclear.UNCLEAR, live_text(post, style)) for post in changed
    )
    again = {post.number for post in changed}
    kept = (line for line in lines if line.post not in again)
    lines = tuple(sorted((*kept, *asked), key=lambda line: line.post))
    lists = signups(lines)

    # How each post was read, so that no sign-up is overlooked.
    waiting = {one.post for one in lists.unclear}
    words: dict[int, dict[str, None]] = {}
    for line in lines:
        words.setdefault(line.post, {})[line.reading.value] = None
    read = []
    for one in thread.posts:
        if one.hidden:
            reading = "deleted"
        elif one.author.casefold() in folded and one.number not in decided:
            reading = "moderator"
        elif one.number in waiting:
            reading = Unclear.UNCLEAR.value
        else:
            reading = ", ".join(words.get(one.number, {NoWord.NOTHING.value: None}))
        read.append(PostRead(one.number, one.author, reading, "" if one.hidden else live_text(one, style)))

    # Whether the game can be played by them, and by those whom the moderator wrote into the file.
    complaint = ""
    dealt = begun(journal_of(session))
    if session.game and session.file.exists() and not dealt and not same_game(setup.kind, VOTES):
        longer = _followed(read_text(session.file), lists.names, str(session.file), signed=True)[0]
        roster = parse_setup(longer, str(session.file)).roster
        players = tuple(slot.holders[0].name for slot in roster.slots) if roster else ()
        complaint = number_complaint(setup, players, session.folder)

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
        read=tuple(read),
        told=told,
        complaint=complaint,
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


@dataclass(frozen=True, slots=True)
class SignupDecisions:
    """What the moderator made of posts of the sign-up thread: `words` by their present numbers. `changed` are
    the posts that say something else since then; `told` has a sentence on each of those decisions, and on
    each whose post is gone."""

    words: Mapping[int, str]
    changed: tuple[Post, ...] = ()
    told: tuple[str, ...] = ()


def decisions(journal: Journal, thread: Thread) -> SignupDecisions:
    """The decisions on posts of the sign-up thread; the latest on a post counts."""
    index = PostIndex(thread.posts)
    found: dict[int, str] = {}
    changed: dict[int, Strayed] = {}
    lost: list[str] = []
    for record in standing(journal):
        entry = record.entry
        if not isinstance(entry, Fixed) or not entry.reads.startswith(SIGNUP):
            continue
        number, word, bound = int(entry.post), entry.reads.removeprefix(SIGNUP), bound_by(record)
        place = index.find(bound.mark) if bound else None
        number = place.number if place else number
        found.pop(number, None)
        changed.pop(number, None)
        if place is None and all(post.number != number for post in thread.posts):
            lost.append(f"Entry {record.number} decides on post {number}, which the thread does not have.")
        elif bound is None or place is None or place.became is Became.SAME:
            found[number] = word
        elif place.post is None:
            lost.append(Strayed(bound, place, word, asks=True, on_votes=True).sentence)
        else:
            changed[number] = Strayed(bound, place, word, asks=True, on_votes=True)
    told = (*lost, *(one.sentence for one in changed.values()))
    posts = (one.place.post for one in changed.values())
    return SignupDecisions(found, tuple(post for post in posts if post and not post.hidden), told)


@in_turn
def decide(post: str, word: str, why: str, session: Session) -> Record:
    """Write down what a post means. Raises InputError for no post number, an unknown word, or no reason."""
    number = post.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{post} is not a post number. Use the number that the forum shows, for example 22.")
    if word not in DECISIONS:
        raise InputError(f"Found “{word}”, expected one of {', '.join(DECISIONS)}.")
    if not why.strip():
        raise InputError(sentence("Give a reason for the decision: {why}", why=REASON))
    entry = Fixed(number, SIGNUP + word, why.strip(), _mark(int(number), session))
    return write_decision(entry, session)


def _mark(number: int, session: Session) -> PostMark | None:
    """The mark of a post of the game's sign-up thread as it was last read; None where it never was."""
    if session.game is None or not session.file.exists():
        return None
    url = next((thread.url for thread in now_of(session).setup.threads if thread.role == "signup"), None)
    thread = kept_thread(replace(now_of(session).setup, url=url), session)
    found = next((post for post in thread.posts if post.number == number), None) if thread else None
    if thread is not None and thread.posts and found is None:
        raise InputError(
            sentence(
                "There is no post {number} among the sign-ups that were read (posts {first} to {last}). For "
                "a newer one, read them again: {read}",
                number=number,
                first=thread.posts[0].number,
                last=thread.posts[-1].number,
                read=Way("see_signups"),
            )
        )
    return None if found is None else PostMark.of(found)


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
            sentence(
                "{number} unclear and not counted: {listed}.\nAsk them, or decide: {decide}",
                number=len(found.unclear),
                listed=listed,
                decide=Way("decide_signup", post=found.unclear[0], words="|".join(DECISIONS)),
            )
        )


@in_turn
def write_signups(found: SignupsRead, session: Session, allow: str = "") -> SignupsWritten:
    """Bring the players of the game file up to the sign-ups, and write the post into `public/`.

    Who signed up is added behind the others, who signed off is taken out, until the game is dealt. What the
    moderator wrote stays: players of their own, and tables to which they added something. Raises
    DecisionNeeded while a post is unclear, InputError and SetupError where the file or the names cannot be
    used, SecretGuard as `signup_post`: then nothing is written.
    """
    require_clear(found)
    post = signup_post(found, session, allow)
    file = session.folder / GAME_FILE
    try:
        text = read_file_text(file)
    except OSError as fault:
        raise InputError(
            f"{file}: cannot be read ({fault.strerror}). The names are written to that file."
        ) from None
    longer, added, extra = _followed(text, found.lists.names, str(file), signed=True)
    dealt = begun(journal_of(session))
    left = parse_setup(text if dealt else longer, str(file)).roster or Roster(())
    removed = tuple(name for name in extra if left.slot_of(name) is None)
    if (added or removed) and not dealt:
        write_draft(file.parent, ".", file.name, longer)
    write_public(session.folder, FILE, post)
    kept = tuple(name for name in extra if name not in removed)
    return SignupsWritten(len(left.slots), added, removed, kept, dealt)


@dataclass(frozen=True, slots=True, repr=False)
class PlayersTyped(JsonAnswer):
    """A list of players that was typed: `players` are listed now, so many `added` and `removed`."""

    players: tuple[str, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]


@in_turn
def write_players(names: Sequence[str], session: Session) -> PlayersTyped:
    """Let the game file list these players and no others, until the game is dealt; whoever is listed with
    more than a name keeps that.

    Raises InputError where the roles were dealt, or somebody who is listed with more than a name would go;
    SetupError where the file or a name cannot be used: then nothing is written.
    """
    if begun(journal_of(session)):
        said = "The roles have been dealt, so the list stays as it is. To change who plays: {change}"
        raise InputError(sentence(said, change=Way("change_players")))
    file = session.folder / GAME_FILE
    text = read_text(file)
    longer, added, extra = _followed(text, tuple(names), str(file))
    left = parse_setup(longer, str(file)).roster or Roster(())
    if kept := [name for name in extra if left.slot_of(name) is not None]:
        raise InputError(
            f"{', '.join(kept)}: the game file says more of them than a name. Take them out there, or list "
            "them here."
        )
    if added or extra:
        write_draft(file.parent, ".", file.name, longer)
    return PlayersTyped(tuple(slot.name for slot in left.slots), added, extra)


def _followed(
    text: str, names: tuple[str, ...], source: str, *, signed: bool = False
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """A game file's text as a list wants it, who is new in it, and whom it lists who is not on the list.

    Raises SetupError where the file or a name cannot be used.
    """
    roster, wanted = parse_setup(text, source).roster or Roster(()), {name.casefold() for name in names}
    added = tuple(name for name in names if roster.slot_of(name) is None)
    others = (slot for slot in roster.slots if not wanted & {name.casefold() for name in slot.names})
    extra = tuple(slot.name for slot in others)
    return with_players(text, added, frozenset(extra), signed=signed), added, extra
