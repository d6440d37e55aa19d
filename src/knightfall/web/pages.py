"""What every page shares: templates, the game it is of, what was done last, and errors in words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from secrets import token_hex
from threading import RLock
from typing import Annotated, Any, TypeVar
from urllib.parse import quote, unquote, urlsplit
from zoneinfo import ZoneInfo

from fastapi import Depends, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, RedirectResponse, Response

from knightfall.config.setup import VOTES, Setup
from knightfall.engine.journal import Journal, start_of
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
from knightfall.sentence import Sentence, Way, ways_of
from knightfall.services.awaited import time_left
from knightfall.services.boards import has_board
from knightfall.services.game_choice import game_named
from knightfall.services.game_state import RunningGame, setup_of, table_of
from knightfall.services.session import GAME_FILE, Session, journal_of
from knightfall.services.what_if import has_nights
from knightfall.web.access import Access
from knightfall.web.games import GameFolders, Stamp, database_files, stamp_of
from knightfall.web.jobs import Job, Jobs
from knightfall.web.live import Live
from knightfall.web.thread_watch import ThreadWatches, WatchedThreads
from knightfall.web.uploads import by_own_names
from knightfall.web.ways import Link, in_page_words, label, link, links_of
from knightfall.writeups.facts import from_now, full_time, local_time, short_time
from knightfall.writeups.journal import post_words

T = TypeVar("T")
ANSWERS = 12
"""So many answers about whole threads are remembered."""
FRESH = 20.0
"""Seconds after which an answer is asked for again although nothing was written: time goes by, too."""
KEPT = 200
"""So many notices of what was done are remembered."""
PATIENCE = 1.0
"""Seconds that a page waits for long work before it shows how far it has come."""
HIDDEN = "hidden by private eyes"

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


@dataclass(frozen=True, slots=True)
class Notice:
    """What was done: a sentence, more of them, the entry by which it is taken back (0: it is not), and the
    texts that it led to, as address and label."""

    said: str
    more: tuple[str, ...] = ()
    entry: int = 0
    texts: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class Web:
    """All that the pages of a run share. `random` gives so many random bytes; `private_eyes`: None leaves
    each page its own way to hide secrets."""

    access: Access
    games: GameFolders
    random: Callable[[int], bytes]
    clock: Clock
    own: Path
    """The folder of what is remembered on this machine about no single game."""

    jobs: Jobs = field(default_factory=Jobs)
    live: Live = field(default_factory=Live)
    private_eyes: bool | None = None
    notices: OrderedDict[str, Notice] = field(default_factory=OrderedDict)
    kept: OrderedDict[str, Any] = field(default_factory=OrderedDict)
    """What a page shows before it is confirmed: a game that may be begun, a day that may be closed."""

    answers: OrderedDict[Hashable, tuple[Hashable, Any]] = field(default_factory=OrderedDict)
    """The latest answers of services that read a whole thread, each with the version of the game it is of."""

    asking: dict[str, RLock] = field(default_factory=dict)
    """Held while such an answer of a game is computed, by the game's name."""

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
def templates() -> Environment:
    """The templates of the pages, in which every value is escaped."""
    found = Environment(
        loader=PackageLoader("knightfall.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {"spoken": spoken, "path": _path, "plural": plural, "post_words": post_words}
    found.globals |= {"from_now": from_now, "full_time": full_time, "time_left": time_left}
    return found


def plural(number: int, one: str, many: str = "") -> str:
    """“1 vote”, “2 votes”."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


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

    hides = False
    """Whether private eyes are on here unless the moderator says otherwise."""

    def __init__(self, request: Request, web: Annotated[Web, Depends(web_of)]) -> None:
        self.request = request
        self.web = web

    @property
    def eyes(self) -> bool:
        """Whether secrets are hidden on this page."""
        chosen = self.web.private_eyes
        return self.hides if chosen is None else chosen

    def facts(self) -> dict[str, Any]:
        """What every template reads."""
        done = self.request.query_params.get("done", "")
        return {
            "page": self,
            "eyes": self.eyes,
            "eyes_chosen": self.web.private_eyes,
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
        text = templates().get_template(f"{template}.html").render({**self.facts(), **facts})
        return HTMLResponse(text, status)

    def go(self, to: str) -> Response:
        """On to another page."""
        return RedirectResponse(to, 303)

    def done(
        self, to: str, said: str, *more: str, entry: int = 0, texts: Sequence[tuple[str, str]] = ()
    ) -> Response:
        """Go on to a page that tells what was done."""
        name = self.web.notice(Notice(said, tuple(one for one in more if one), entry, tuple(texts)))
        path, _, mark = to.partition("#")
        return RedirectResponse(
            f"{path}{'&' if '?' in path else '?'}done={name}{f'#{mark}' if mark else ''}", 303
        )

    def failed(self, error: KnightfallError, back: str = "", ways: tuple[Link, ...] = ()) -> HTMLResponse:
        """An error as a page, with the ways out that its message names, and `ways` besides; `back`: where it
        came from."""
        status, heading = next((number, head) for kind, number, head in STATUS if isinstance(error, kind))
        return self.show(
            "error",
            status,
            heading=heading,
            message=self.told(error),
            ways=tuple(dict.fromkeys((*links_of(ways_of(error.message), self.root), *ways))),
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
    def back(self) -> str:
        """The page from which this one was asked for, if it is ours; else the start page."""
        came = urlsplit(self.request.headers.get("referer", ""))
        ours = came.netloc == self.request.headers.get("host") and not came.path.startswith("//")
        asked = f"{came.path}?{came.query}" if came.query else came.path
        return asked if ours and came.path else "/"

    def follow(
        self, title: str, back: str, session: Session, work: Callable[[Session, Job], str]
    ) -> Response:
        """Do long work: on to where it leads if that is soon, else to the page of its progress."""
        job = self.web.jobs.start(title, back, session, work, PATIENCE)
        if job.ended.is_set() and job.error is None:
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
        return setup_of(self.session)

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
        return table_of(self.session) if self.begun else None

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

    def secret(self, text: object) -> str | Markup:
        """A text that private eyes do not see: while they are on, it is not in the page at all."""
        if self.eyes:
            return Markup('<span class="hidden-secret">') + HIDDEN + Markup("</span>")
        return text if isinstance(text, Markup) else spoken(text)

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
        return {**super().facts(), "game": self, "root": self.root, "known": known, "secret": self.secret}

    def failed(self, error: KnightfallError, back: str = "", ways: tuple[Link, ...] = ()) -> HTMLResponse:
        try:
            _ = self.links
            return super().failed(error, back, ways)
        except KnightfallError as deeper:
            # The game itself cannot be read: a page without it, from which its file can be mended.
            return Page(self.request, self.web).failed(
                deeper, "/", (Link("The game file", f"{self.root}/file"),)
            )

    @cached_property
    def written(self) -> tuple[Path, ...]:
        """The files of the game's database, and its game file."""
        return (*database_files(self.session), self.session.folder / GAME_FILE)

    @property
    def version(self) -> Stamp:
        """What changes whenever something is written into the game's database or its file, whoever writes
        it."""
        return stamp_of(self.written)

    def asked(self, question: Hashable, ask: Callable[[Session], T]) -> T:
        """What a service answers that reads the whole thread; the same as before while nothing was written
        since, for some seconds."""
        key = (self.name, question)
        # Many tabs ask the same at once: one of them computes it.
        with self.web.asking.setdefault(self.name, RLock()):
            state = (self.version, self.session.clock.now().timestamp() // FRESH)
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

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Held while a change is made: what is sent twice at once is done one after the other, and so is what
        a command writes. Raises InputError where another program has been writing for too long."""
        with self.web.games.lock(self.name), self.session.turn:
            yield

    def done(
        self, to: str, said: str, *more: str, entry: int = 0, texts: Sequence[tuple[str, str]] = ()
    ) -> Response:
        return super().done(to, said, *more, *self.meanwhile, entry=entry, texts=texts)

    def text_link(self, file: str) -> str:
        """The address of a text of the game's folder, such as “public/rules.txt”."""
        return f"{self.root}/texts/{quote(file)}"


def page_at(path: str, request: Request, web: Web) -> Page:
    """The page of what lies at an address: of its game, where there is one."""
    parts = path.split("?")[0].split("/")
    if len(parts) > 2 and parts[1] == "games" and unquote(parts[2]) in web.games.names():
        return GamePage(unquote(parts[2]), request, web, None)
    return Page(request, web)


ThePage = Annotated[Page, Depends(Page)]
TheGame = Annotated[GamePage, Depends(GamePage)]


class HiddenGamePage(GamePage):
    """A page of a game on which private eyes are on unless the moderator opens them."""

    hides = True


TheHiddenGame = Annotated[HiddenGamePage, Depends(HiddenGamePage)]


def file_of(folder: Path, half: str, name: str) -> Path | None:
    """A text of the game's folder by its half and name; None for what is not there, or lies elsewhere."""
    place = folder / half
    file = place / name
    if half not in ("public", "private") or "/" in name or "\\" in name or name.startswith("."):
        return None
    return file if file.is_file() and file.resolve().is_relative_to(place.resolve()) else None
