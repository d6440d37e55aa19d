"""What every page shares: templates, the game it is of, what was done last, and errors in words."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache, cached_property
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Annotated, Any, TypeAlias, TypeVar, cast
from urllib.parse import quote, unquote, urlsplit
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from jinja2 import PackageLoader, StrictUndefined, pass_environment
from markupsafe import Markup, escape
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, RedirectResponse, Response

from knightfall.audience import SECRET, Audience, Secret
from knightfall.config.setup import VOTES, Setup
from knightfall.engine.entries import Delivered, Published
from knightfall.engine.journal import Journal, entry_of, start_of
from knightfall.engine.safe_text import safe
from knightfall.errors import (
    DecisionNeeded,
    EvidenceError,
    InputError,
    KnightfallError,
    SecretGuard,
    SiteRefused,
    StateDamaged,
)
from knightfall.fetch.clock import Clock
from knightfall.parameters import parameters_of, request_of
from knightfall.sentence import Sentence, Way, ways_of
from knightfall.services.boards import has_board
from knightfall.services.game.due import Due, DueUrgency, due
from knightfall.services.game.status import GameStatus, status
from knightfall.services.games import game_named
from knightfall.services.manual import section_of_error
from knightfall.services.now import now_of
from knightfall.services.pms import PROD
from knightfall.services.publish import PRIVATE_FOLDER, file_names, votecount_kind
from knightfall.services.running import RunningGame
from knightfall.services.session import Session, Stamp, journal_of, stamp_of
from knightfall.services.what_if import has_nights
from knightfall.services.window.receipts import Receipt
from knightfall.services.window.waiting import time_left
from knightfall.storage.drafts import PUBLIC, TextFile, text_files, title_of
from knightfall.web import words
from knightfall.web.access import Access
from knightfall.web.games import GameFolders
from knightfall.web.jobs import Job, Jobs
from knightfall.web.live import Live
from knightfall.web.private_eyes import HIDDEN, WORDS, Eyes, Hidden, is_hidden, is_shown
from knightfall.web.thread_watch import ThreadWatches, WatchedThreads
from knightfall.web.uploads import by_own_names
from knightfall.web.ways import Link, in_page_words, label, link, links_of
from knightfall.writeups.facts import from_now, full_time, local_time, short_time
from knightfall.writeups.journal import sent_words
from knightfall.writeups.vote_words import house_rule

T = TypeVar("T")
R = TypeVar("R")
ANSWERS = 12
"""So many answers about whole threads are remembered."""
FRESH = 20.0
"""Seconds after which an answer is asked for again although nothing was written: time goes by, too."""
LASTING = timedelta(minutes=10)
"""How long a list of all games takes one to stand as it did while nothing is written."""
KEPT = 200
"""So many notices of what was done are remembered."""
PATIENCE = 1.0
"""Seconds that a page waits for long work before it shows how far it has come."""

STATUS: tuple[tuple[type[KnightfallError], int, str], ...] = (
    (InputError, 400, "That cannot be done"),
    (DecisionNeeded, 409, "You have to decide something first"),
    (EvidenceError, 422, "What was read cannot be counted"),
    (SecretGuard, 409, "That would give a secret away"),
    (SiteRefused, 502, "The forum did not give the page"),
    (StateDamaged, 500, "The game's data is damaged"),
    (KnightfallError, 500, "That did not work"),
)
"""Each kind of error → the status of its page, and its heading."""


def status_of(error: KnightfallError) -> tuple[int, str]:
    """The status of the page of an error, and its heading."""
    return next((number, heading) for kind, number, heading in STATUS if isinstance(error, kind))


def link_of_error(error: KnightfallError) -> Link:
    """The section of the manual that says what to do about an error."""
    found = section_of_error(error)
    return Link(found.label, f"/help/{found.name}")


Said: TypeAlias = str | Secret[str]
"""A sentence on what was done, or one that is not for everybody."""


@dataclass(frozen=True, slots=True)
class Step:
    """Something that is due as a page shows it: the label and address of its button, what it is in a
    sentence, and why."""

    label: str
    to: str
    what: str
    why: str
    due: Due

    @property
    def waits(self) -> bool:
        """Whether somebody waits for it."""
        return self.due.urgency is not DueUrgency.LATER

    @property
    def is_urgent(self) -> bool:
        """Whether the game stands still without it."""
        return self.due.urgency is DueUrgency.NOW


@dataclass(frozen=True, slots=True)
class Notice:
    """What was done: a sentence, more of them, the entry by which it is taken back (0: it is not), and the
    texts that it led to, as address and label; `secret_texts` are those for one reader, and `step` is what is
    due first by now."""

    said: Said
    more: tuple[Said, ...] = ()
    entry: int = 0
    texts: tuple[tuple[str, str], ...] = ()
    secret_texts: tuple[tuple[str, str], ...] = field(default=(), metadata=SECRET)
    step: Step | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stood at an instant: by which version of it, and what kind of game it is."""

    version: Hashable
    at: datetime
    status: GameStatus
    kind: str


@dataclass(frozen=True, slots=True, repr=False)
class AtHand:
    """A text that the moderator gave to the helper in their browser, part by part: `rich` where it is for an
    editor of formatted text, since when it lies ready, by the clock that never jumps, and for which sites
    (none: nobody knows)."""

    parts: tuple[str, ...]
    rich: bool
    since: float
    sites: frozenset[str] = frozenset()


@dataclass(slots=True)
class Web:
    """All that the pages of a run share. `random` gives so many random bytes; `private_eyes`: every page of
    every game leaves out what is not for everybody."""

    access: Access
    games: GameFolders
    random: Callable[[int], bytes]
    clock: Clock
    own: Path
    """The folder of what is remembered on this machine about no single game."""

    jobs: Jobs = field(default_factory=Jobs)
    live: Live = field(default_factory=Live)
    private_eyes: bool = False
    notices: OrderedDict[str, Notice] = field(default_factory=OrderedDict)
    kept: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    """What a page shows before it is confirmed: a game that may be begun, a day that may be closed."""

    standings: dict[str, Standing] = field(default_factory=dict)
    """How each game stood when that was last asked, by the game's name."""

    answers: OrderedDict[Hashable, tuple[Hashable, Any]] = field(default_factory=OrderedDict)
    """The latest answers of services that read a whole thread, each with the version of the game it is of."""

    asking: dict[str, RLock] = field(default_factory=dict)
    """Held while such an answer of a game is computed, by the game's name."""

    one_page: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a helper hands over a page."""

    at_hand: AtHand | None = None
    """The text that the moderator gave to the helper last."""

    watches: ThreadWatches = field(init=False)
    """The watches of threads."""

    def __post_init__(self) -> None:
        self.watches = ThreadWatches(self.games, self.jobs, WatchedThreads(self.own))

    def keep(self, value: object) -> str:
        """Remember what is looked at before it is confirmed; returns its name."""
        name = token_hex(8)
        self.kept[name] = value
        while len(self.kept) > KEPT:
            self.kept.popitem(last=False)
        return name

    def forget(self, name: str) -> None:
        """Keep nothing of a game that was deleted."""
        self.games.forget(name)
        self.standings.pop(name, None)
        self.answers.clear()

    def keep_once(self, value: object) -> str:
        """Remember it unless its like is remembered; returns its name."""
        return next((name for name, one in self.kept.items() if one == value), "") or self.keep(value)

    def notice(self, notice: Notice) -> str:
        """Remember what was done; returns its name."""
        name = token_hex(8)
        self.notices[name] = notice
        while len(self.notices) > KEPT:
            self.notices.popitem(last=False)
        return name


def web_of(request: Request) -> Web:
    """What the pages share."""
    found: Web = request.app.state.web
    return found


@cache
def templates(private: bool = False) -> Eyes:
    """The templates of the pages, in which every value is escaped; `private`: as private eyes see them."""
    found = Eyes(
        loader=PackageLoader("knightfall.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.private = private
    found.filters |= {
        "spoken": _spoken,
        "path": _path,
        "plural": plural,
        "posted": words.posted,
        "post_name": words.post,
    }
    found.filters |= {"names": names, "site": words.site, "layout": words.layout, "choice": words.choice}
    found.filters |= {"answer": words.answer, "game_kind": kind_name}
    found.filters |= {"house_rule": house_rule}
    found.filters |= {"text_kind": words.text_kind, "runs": words.runs}
    found.globals |= {"from_now": from_now, "full_time": full_time, "time_left": time_left}
    found.tests |= {"hidden": is_hidden, "shown": is_shown}
    return found


def plural(number: int, one: str, many: str = "") -> str:
    """“1 vote”, “2 votes”."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def names(found: Iterable[object]) -> str:
    """“Ada, Boro”; where it is hidden who they are, that it is."""
    return HIDDEN if is_hidden(found) else spoken(", ".join(map(str, found)))


@pass_environment
def _spoken(eyes: Eyes, text: object) -> str:
    """A text of others in a template, as those eyes see it."""
    seen = eyes.seen(text)
    return HIDDEN if is_hidden(seen) else spoken(seen)


def _path(value: object) -> str:
    """A name as part of an address."""
    return quote(str(value), safe="")


def kind_name(kind: str) -> str:
    """The name of a kind of game, such as “Knight-Errant” for knight_errant."""
    if kind == VOTES:
        return "Votecounts"
    try:
        return game_named(kind).spec.name
    except InputError:  # a game of another package that is not here any more
        return kind.replace("_", " ")


def spoken(text: object) -> str:
    """A text of others as it can be shown: without what plays tricks on a reader."""
    return safe(str(text))


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant on three clocks: the game's, UTC and that of this machine; each once."""

    at: datetime
    zone: ZoneInfo
    now: datetime

    @property
    def iso(self) -> str:
        return self.at.astimezone(UTC).isoformat()

    @property
    def clocks(self) -> tuple[str, ...]:
        """“Wed 25 Nov 20:00 EST”, “Thu 26 Nov 01:00 UTC”, and this machine's."""
        return tuple(
            dict.fromkeys(
                f"{there:%a} {short_time(there)}"
                for there in (self.at.astimezone(zone) for zone in (self.zone, UTC, None))
            )
        )

    @property
    def left(self) -> str:
        return time_left(self.at, self.now)


class Page:
    """The page that is being asked for, of no game."""

    def __init__(self, request: Request, web: Annotated[Web, Depends(web_of)]) -> None:
        self.request = request
        self.web = web

    @property
    def reader(self) -> Audience:
        """For whom pages are shown: the moderator alone, or whoever else looks at the screen."""
        return Audience.EVERYBODY if self.web.private_eyes else Audience.MODERATOR

    @property
    def has_helper(self) -> bool:
        """Whether a helper in a browser was paired, to which texts can be given."""
        return bool(self.web.access.helpers.all())

    def secretly(self, ask: Callable[[], T], instead: T | Hidden = HIDDEN) -> T:
        """What is for the moderator alone; while private eyes are on it is not even asked for."""
        found: Any = instead if self.web.private_eyes else ask()
        return cast("T", found)

    def for_the_moderator(self) -> None:
        """Raises InputError while private eyes are on: all of what is asked for is secret."""
        if self.web.private_eyes:
            raise InputError(f"What you asked for is {WORDS}. Switch them off to see it.")

    def facts(self) -> dict[str, Any]:
        """What every template reads."""
        done = self.request.query_params.get("done", "")
        return {
            "page": self,
            "eyes": self.web.private_eyes,
            "form_token": self.web.access.form_token,
            "notice": self.web.notices.get(done),
            "now": self.web.clock.now(),
            "here": self.request.url.path,
            "game": None,
            "known": None,
            "fragment": "hx-request" in self.request.headers,
        }

    def show(self, template: str, status: int = 200, **facts: object) -> HTMLResponse:
        """The page by its template."""
        eyes = templates(self.web.private_eyes)
        seen = {name: eyes.seen(value) for name, value in facts.items()}
        text = eyes.get_template(f"{template}.html").render({**self.facts(), **seen})
        return HTMLResponse(text, status)

    def go(self, to: str) -> Response:
        """On to another page."""
        return RedirectResponse(to, 303)

    def done(
        self,
        to: str,
        said: Said,
        *more: Said,
        entry: int = 0,
        texts: Sequence[tuple[str, str]] = (),
        secret_texts: Sequence[tuple[str, str]] = (),
    ) -> Response:
        """Go on to a page that tells what was done."""
        told = tuple(one for one in more if one)
        return self.told_at(to, Notice(said, told, entry, tuple(texts), tuple(secret_texts)))

    def told_at(self, to: str, notice: Notice) -> Response:
        """Go on to a page that shows a notice."""
        name = self.web.notice(notice)
        path, _, mark = to.partition("#")
        return RedirectResponse(
            f"{path}{'&' if '?' in path else '?'}done={name}{f'#{mark}' if mark else ''}", 303
        )

    def failed(
        self, error: KnightfallError, back: str = "", ways: tuple[Link, ...] = (), secret: bool = False
    ) -> HTMLResponse:
        """An error as a page, with the ways out that its message names, and `ways` besides; `back`: where it
        came from; `secret`: it came of what is not for everybody, as its own kind may say."""
        status, heading = status_of(error)
        return self.show(
            "error",
            status,
            heading=heading,
            message=Secret(self.told(error)) if secret or error.secret else self.told(error),
            ways=tuple(dict.fromkeys((*links_of(ways_of(error.message), self.root), *ways))),
            more=link_of_error(error),
            back=back or self.back,
        )

    @property
    def root(self) -> str:
        """The address of the game that the page is of; "" where it is of none."""
        return ""

    def told(self, message: object) -> str:
        """What a service or an error says, in the words of the page."""
        said = message.message if isinstance(message, KnightfallError) else message
        return spoken(by_own_names(in_page_words(said)))

    def linked(self, message: object) -> Markup:
        """The same with a link on each way that the page goes."""
        if isinstance(message, Hidden):
            return message
        said = message.message if isinstance(message, KnightfallError) else message
        if not isinstance(said, Sentence):
            return escape(self.told(said))
        found = (
            self._linked(part) if isinstance(part, Way) else escape(self.told(part)) for part in said.parts
        )
        return Markup().join(found)

    def _linked(self, way: Way) -> Markup:
        to = link(way, self.root)
        if to is None:
            return escape(spoken(label(way)))
        return Markup('<a href="{}">{}</a>').format(to.to, spoken(to.label))

    @property
    def came(self) -> str:
        """The page on which the form stood that was sent, as that form says; "" where none was."""
        form = getattr(self.request.state, "form", None)
        said = str(form.get("came", "")) if form is not None else ""
        ours = said.startswith("/") and not said.startswith(("//", "/\\")) and said.isprintable()
        return said if ours else ""

    @property
    def shown_at(self) -> str:
        """The page on which the forms of this answer stand: of a part that is fetched, that which has it."""
        url = self.request.url
        if whole := self.request.headers.get("hx-current-url"):
            parts = urlsplit(whole)
            path, query = self.web.access.within(parts.path) or "/", parts.query
        else:
            path, query = url.path, url.query
        return f"{path}?{query}" if query else path

    @property
    def back(self) -> str:
        """The page from which this one was asked for, where that is known; else the home of the game, and
        the start page."""
        home = self.root or "/"
        return self.came or ("/" if self.request.url.path == home else home)

    def follow(
        self,
        title: str,
        back: str,
        session: Session,
        work: Callable[[Session, Job], str],
        secret: bool = False,
    ) -> Response:
        """Do long work: on to where it leads if that is soon, else to the page of its progress. `secret`:
        what it reads is not for everybody."""
        form = getattr(self.request.state, "form", None)
        sent = (self.request.url.path, fields_of(form)) if form is not None else None
        job = self.web.jobs.start(title, back, session, work, PATIENCE, secret, sent)
        if job.ended.is_set() and job.error is None:
            job.seen = True
            return RedirectResponse(job.then, 303)
        return RedirectResponse(f"/jobs/{job.id}", 303)


async def known_entry(request: Request) -> int | None:
    """The last entry of the journal on the page from which a form was sent; None for no form."""
    if request.method in ("GET", "HEAD"):
        return None
    said = str((await request.form()).get("known", ""))
    return int(said) if said.isascii() and said.isdigit() else None


class GamePage(Page):
    """A page of a game: its session, what is told meanwhile, and what its templates read."""

    def __init__(
        self,
        name: str,
        request: Request,
        web: Annotated[Web, Depends(web_of)],
        known: Annotated[int | None, Depends(known_entry)] = None,
    ) -> None:
        super().__init__(request, web)
        self.name = name
        self.meanwhile: list[str] = []
        self.session = web.games.session(name, self.meanwhile.append, known)

    @property
    def root(self) -> str:
        """The address of the game."""
        return f"/games/{quote(self.name, safe='')}"

    @cached_property
    def setup(self) -> Setup:
        """The game file with what was decided since."""
        return now_of(self.session).setup

    @cached_property
    def journal(self) -> Journal:
        """All entries, read once."""
        return journal_of(self.session)

    @property
    def begun(self) -> bool:
        """Whether a game was dealt here."""
        return start_of(self.journal) is not None

    @cached_property
    def table(self) -> RunningGame | None:
        """The game that is played; None where none was begun."""
        return now_of(self.session).running if self.begun else None

    def running(self) -> RunningGame:
        """The game that is played. Raises InputError where none was begun."""
        if self.table is None:
            raise InputError("The game has not begun, so there is no board yet. Deal first.")
        return self.table

    @property
    def zone(self) -> ZoneInfo:
        """The game's zone."""
        return self.setup.zone or ZoneInfo("UTC")

    @property
    def title(self) -> str:
        """What the game is called."""
        return self.setup.title or self.name

    @property
    def kind_name(self) -> str:
        """What kind of game it is, such as “Knight-Errant”."""
        return kind_name(self.setup.kind)

    def moment(self, at: datetime) -> Moment:
        """An instant on the clocks that a moderator reads."""
        return Moment(at, self.zone, self.session.clock.now())

    def local(self, at: datetime) -> str:
        """An instant on the game's clock."""
        return local_time(at, self.zone)

    def sent(self, sent: datetime, entered: datetime) -> str:
        """When a message was sent, and when it was entered where these are apart."""
        return sent_words(sent, entered, self.local)

    def steps(self, found: Iterable[Due]) -> tuple[Step, ...]:
        """What is due, with its button each; under private eyes without what nobody may see."""
        shown = (one for one in found if not (one.secret and self.web.private_eyes))
        return tuple(
            Step(button.label, button.to, in_page_words(one.what), in_page_words(one.why), one)
            for one in shown
            if (button := link(one.way, self.root)) is not None
        )

    @cached_property
    def links(self) -> tuple[tuple[str, str], ...]:
        """The pages of the game, as address and label."""
        root = self.root
        found = [(root, "Today")]
        if self.setup.url:
            found.append((f"{root}/votes", "Votecount"))
        if any(thread.role == "signup" for thread in self.setup.threads) and not self.begun:
            found.append((f"{root}/signups", "Sign-ups"))
        if self.table is not None:
            if self.table.game.day_rule(self.setup.options) is not None:
                found.append((f"{root}/close", "Close the day"))
            is_mafia = any(one.kind == "night" for one in self.table.windows) or self.has_nights
            found.append((f"{root}/night", "Night" if is_mafia else "Messages"))
            found.append((f"{root}/pms", "PMs"))
            if has_board(self.table):
                found.append((f"{root}/board", "Board"))
        found.append((f"{root}/players", "Players"))
        if self.table is not None or any(thread.secret for thread in self.setup.threads):
            found.append((f"{root}/rooms", "Rooms"))
        if self.setup.kind != VOTES:
            found.append((f"{root}/posts", "Posts"))
        found += [(f"{root}/log", "Log"), (f"{root}/end", "End")]
        return tuple(found)

    @cached_property
    def has_nights(self) -> bool:
        """Whether the game is a mafia game."""
        return has_nights(self.session)

    def facts(self) -> dict[str, Any]:
        known = self.journal[-1].number if self.journal else 0
        return {**super().facts(), "game": self, "root": self.root, "known": known}

    def failed(
        self, error: KnightfallError, back: str = "", ways: tuple[Link, ...] = (), secret: bool = False
    ) -> HTMLResponse:
        try:
            _ = self.links
            return super().failed(error, back, ways, secret)
        except KnightfallError as deeper:
            # The game itself cannot be read: a page without it, from which its file can be mended.
            return Page(self.request, self.web).failed(
                deeper, "/", (Link("The game file", f"{self.root}/file"),)
            )

    @property
    def version(self) -> Stamp | None:
        """What changes whenever something is written into the game's database or its file, whoever writes
        it."""
        return self.session.written()

    def asked(self, question: Hashable, ask: Callable[[Session], T]) -> T:
        """What a service answers that reads the whole thread; the same as before while nothing was written
        since, for some seconds."""
        key = (self.name, question)
        # Many tabs ask the same at once: one of them computes it.
        with self._asking:
            state = (self._written_of_it, self.session.clock.now().timestamp() // FRESH)
            kept = self.web.answers.get(key)
            if kept is not None and kept[0] == state:
                found: T = kept[1]
                return found
            found = ask(self.session)
            self.web.answers[key] = state, found
            self.web.answers.move_to_end(key)
            while len(self.web.answers) > ANSWERS:
                self.web.answers.popitem(last=False)
            return found

    def known_standing(self, lasting: timedelta = LASTING) -> Standing | None:
        """How the game stood when it was last asked, at most so long ago, where nothing was written since and
        no deadline has passed; None where it has to be asked again."""
        kept, now = self.web.standings.get(self.name), self.session.clock.now()
        if kept is None or kept.version != self._written_of_it or now - kept.at >= lasting:
            return None
        deadlines = (one.until for one in kept.status.windows if one.until is not None)
        return None if any(kept.at < until <= now for until in deadlines) else kept

    @property
    def status(self) -> GameStatus:
        """How the game stands now."""
        return self.standing(timedelta(seconds=FRESH)).status

    def standing(self, lasting: timedelta = LASTING) -> Standing:
        """How the game stands, or stood at most so long ago."""
        # Many tabs ask the same at once: one of them computes it.
        with self._asking:
            kept = self.known_standing(lasting)
            if kept is None:
                now = self.session.clock.now()
                kept = Standing(self._written_of_it, now, status(self.session), self.kind_name)
                self.web.standings[self.name] = kept
            return kept

    @property
    def _asking(self) -> RLock:
        """Held while an answer of the game is computed."""
        return self.web.asking.setdefault(self.name, RLock())

    @property
    def _written_of_it(self) -> Hashable:
        """What changes whenever something of the game is written, its texts included: what is due goes by
        them, too."""
        return self.version, stamp_of(self.session.folder / half for half in ("public", "private"))

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Held while a change is made: what is sent twice at once is done one after the other, and so is what
        a command writes. Raises InputError where another program has been writing for too long."""
        with self.web.games.lock(self.name), self.session.turn:
            yield

    def done(
        self,
        to: str,
        said: Said,
        *more: Said,
        entry: int = 0,
        texts: Sequence[tuple[str, str]] = (),
        secret_texts: Sequence[tuple[str, str]] = (),
    ) -> Response:
        meanwhile = (Secret(self.told(line)) for line in self.meanwhile)
        return super().done(to, said, *more, *meanwhile, entry=entry, texts=texts, secret_texts=secret_texts)

    def moved_on(
        self,
        to: str,
        said: Said,
        *more: Said,
        entry: int = 0,
        texts: Sequence[tuple[str, str]] = (),
        secret_texts: Sequence[tuple[str, str]] = (),
    ) -> Response:
        """The same of what moves the game: the page tells what is due first by now, too."""
        try:
            first = self._first_due
        except KnightfallError:  # what was done is done
            first = None
        meanwhile = (Secret(self.told(line)) for line in self.meanwhile)
        lines = (*(one for one in more if one), *meanwhile)
        return self.told_at(to, Notice(said, lines, entry, tuple(texts), tuple(secret_texts), first))

    def back_to(self, to: str) -> str:
        """Where an act leads that can be done on Today: back there, to what waits next, where it was; else
        `to`."""
        return self.root if self.came.partition("?")[0] == self.root else to

    @property
    def onward(self) -> str:
        """The page of what is due first; the home of the game where nothing is."""
        try:
            first = self._first_due
        except KnightfallError:  # what was done is done
            first = None
        return first.to if first is not None else self.root

    @property
    def _first_due(self) -> Step | None:
        """What is due first, but what is only offered."""
        return next(iter(self.steps(one for one in due(self.session) if not one.offered)), None)

    def marked_text(self, number: int) -> str:
        """The page of the text of which an entry only notes that it went out, so that nothing hangs on it;
        "" for any other entry."""
        match entry_of(self.journal, number).entry:
            case Delivered(kind=kind) if not kind.startswith(f"{PROD}-"):
                return f"{self.root}/pms/{kind.partition('-')[0]}?batch={quote(kind)}"
            case Published(kind=kind):
                return f"{self.root}/{'votes' if kind.startswith('votecount-') else f'posts/{quote(kind)}'}"
        return ""

    def posted_count(self, day: int) -> bool:
        """Whether a votecount of a day was marked as posted, wherever it stands."""
        return any(one.startswith(f"{votecount_kind(day)} ") for one in self.status.posted)

    def files_of(self, receipt: Receipt) -> list[Path]:
        """Where the texts lie that an entry led to."""
        named = zip(file_names(receipt.entry, receipt.texts), receipt.texts, strict=True)
        return [self.session.folder / text.folder / file for file, text in named]

    def private_links(self, files: Iterable[Path]) -> list[tuple[str, str]]:
        """The texts for one reader among these, as links: each has a page on which it is copied."""
        there = (file for file in files if file.parent.name == PRIVATE_FOLDER and file.suffix == ".txt")
        return [(self.text_link(f"{PRIVATE_FOLDER}/{file.name}"), title_of(file)) for file in there]

    def text_link(self, file: str) -> str:
        """The address of a text of the game's folder, such as “public/rules.txt”: of one for everybody by
        what everybody may know of it."""
        half, _, name = file.partition("/")
        found = text_file(self.session.folder, half, name) if half == PUBLIC else None
        return f"{self.root}/texts/{half}/{quote(found.label if found else name)}"


def page_at(path: str, request: Request, web: Web) -> Page:
    """The page of what lies at an address: of its game, where there is one."""
    parts = path.split("?")[0].split("/")
    if len(parts) > 2 and parts[1] == "games" and unquote(parts[2]) in web.games.names():
        return GamePage(unquote(parts[2]), request, web, None)
    return Page(request, web)


ThePage = Annotated[Page, Depends(Page)]
TheGame = Annotated[GamePage, Depends(GamePage)]


def fields_of(form: FormData) -> list[tuple[str, str]]:
    """The fields of a form as they were sent, without its files."""
    return [(name, value) for name, value in form.multi_items() if isinstance(value, str)]


def asked_with(request: type[R], *names: str) -> Any:
    """What a route asks a service for: the request, with the fields of these names as the form or the address
    has them. InputError where one cannot be read."""

    declared: Any = request
    several = {one.name for one in parameters_of(declared) if one.several}

    async def read(page: Request) -> R:
        said = await page.form() if page.method == "POST" else page.query_params
        given: dict[str, object] = {}
        for name in names:
            values = [value.strip() for value in said.getlist(name) if isinstance(value, str)]
            if values:
                given[name] = [value for value in values if value] if name in several else values[-1]
        return request_of(request, given)

    return Depends(read)


def text_file(folder: Path, half: str, name: str) -> TextFile | None:
    """A text of the game's folder by the name of its file, or by its label."""
    found = text_files(folder, half)
    return next((one for one in found if one.name == name), None) or next(
        (one for one in found if one.label == name), None
    )


def file_of(folder: Path, half: str, name: str) -> Path | None:
    """A text of the game's folder by its half and name; None for what is not there, or lies elsewhere."""
    place = folder / half
    file = place / name
    if half not in ("public", "private") or not name.isprintable() or name.startswith("."):
        return None
    if "/" in name or "\\" in name:
        return None
    return file if file.is_file() and file.resolve().is_relative_to(place.resolve()) else None
