"""The HTTP client: one page at a time, with manners, retries, conditional requests and limits."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import timedelta
from email.utils import parsedate_to_datetime
from http.cookiejar import Cookie
from importlib.metadata import version
from threading import Lock
from urllib.parse import urljoin, urlsplit

import requests
from protego import Protego
from requests.cookies import RequestsCookieJar, get_cookie_header
from urllib3.exceptions import HTTPError, ReadTimeoutError

from knightfall.errors import AccessDenied, IncompleteRead, InputError, RateLimited, ServerFault, SiteRefused
from knightfall.fetch.clock import Clock, Fetch
from knightfall.fetch.cookies import Loan
from knightfall.fetch.saved import decoded
from knightfall.fetch.ssrf import PORTS, Sockets, checked_url, guarded_session
from knightfall.forums.accounts import keys_good_once, reader_of
from knightfall.forums.base import Request, Response
from knightfall.forums.no_thread import closed, refuse_challenge
from knightfall.sentence import Way, sentence

PACKING = "gzip"
"""The only packing that is asked for."""
PART = 65536
_PLAIN = ("", "identity")
_GZIP = ("gzip", "x-gzip")
_GZIP_HEADER = 31


def received(url: str, reply: requests.Response, most: int) -> bytes:
    """The unpacked body. Raises IncompleteRead where it has more than `most` bytes, ServerFault where it
    cannot be unpacked, and what urllib3 raises where it does not arrive."""
    parts: list[bytes] = []
    size = 0
    packing = reply.headers.get("Content-Encoding", "").strip().lower()
    packed: Iterator[bytes] = reply.raw.stream(PART, decode_content=False)
    if packing in _PLAIN:
        unpacked = packed
    elif packing in _GZIP:
        unpacked = _gunzipped(url, packed, most)
    else:
        raise ServerFault(
            f"{url} comes packed as “{packing[:40]}”, which was not asked for, so it was not read."
        )

    for part in unpacked:
        parts.append(part)
        size += len(part)
        if size > most:
            raise IncompleteRead(f"{url} is larger than {most // 1_000_000} MB, so it was not read.")
    return b"".join(parts)


def _gunzipped(url: str, packed: Iterator[bytes], most: int) -> Iterator[bytes]:
    """Unpack what arrives, never more than one byte above `most` at once: little may hold terabytes."""
    unpacker = zlib.decompressobj(_GZIP_HEADER)
    some = False
    for part in packed:
        some = some or bool(part)
        try:
            yield unpacker.decompress(part, most + 1)
        except zlib.error as error:
            raise ServerFault(f"{url} is damaged ({error}).") from None
    if some and not unpacker.eof:
        raise ServerFault(f"{url} ended before it could be unpacked to its end.")


DAY = 86_400
MONTH = 30 * DAY
NAME = "knightfall"
"""How a robots.txt may call us."""
READ = 500_000


@dataclass(frozen=True, slots=True)
class Robots:
    """The wishes of each server, asked for once a run; `get` fetches a page."""

    get: Callable[[Request], Response]
    _wishes: dict[str, Protego] = field(default_factory=dict)

    def refuse(self, url: str) -> None:
        """Raises AccessDenied where programs are asked not to read that page."""
        server = _server(url)
        if server not in self._wishes:
            # A server that refuses to show its robots.txt, or has none, wishes nothing.
            wishes = ""
            with suppress(AccessDenied):
                page = self.get(Request(f"{server}/robots.txt"))
                wishes = page.text[:READ] if page.status < 300 else ""
            self._wishes[server] = Protego.parse(wishes)

        if not self._wishes[server].can_fetch(url, NAME):
            raise AccessDenied(
                sentence(
                    "{server} asks programs (robots.txt) not to read {url}, so I read only the page whose "
                    "address you gave. Save the other pages in your browser and use those: {saved}",
                    server=urlsplit(url).netloc,
                    url=url,
                    saved=Way("use_saved"),
                )
            )

    def delay(self, url: str) -> float:
        """Seconds between two pages that the server asks for, as far as it was asked."""
        wishes = self._wishes.get(_server(url))
        asked = wishes.crawl_delay(NAME) if wishes else None
        return float(asked or 0)


def _place(url: str) -> tuple[str, int]:
    """Host and port of an address; a host is the same with “www.” before it."""
    try:
        split = urlsplit(url)
        return (split.hostname or "").removeprefix("www."), split.port or PORTS.get(split.scheme, 0)
    except ValueError:  # such as “http://[::1”, which is refused before it is asked for
        return "", 0


def _server(url: str) -> str:
    split = urlsplit(url)
    return f"{split.scheme}://{split.netloc}"


AGENT = f"knightfall/{version('knightfall')} (reads one forum thread for the moderator of a game; no crawler)"
REDIRECTS = frozenset({301, 302, 303, 307, 308})
KEPT_HEADERS = ("content-type", "date", "retry-after", "last-modified", "etag", "cf-mitigated", "server")


@dataclass(frozen=True, slots=True)
class Manners:
    """Limits and pauses in seconds."""

    delay: float = 2.0
    tries: int = 3
    backoff: float = 2.0
    longest_wait: float = 120.0
    connect: float = 10.0
    read: float = 30.0
    whole: float = 120.0
    size: int = 20_000_000
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class _Answer:
    url: str
    status: int
    body: bytes
    headers: Mapping[str, str]
    private: bool = False


def no_login(_url: str) -> Loan:
    """Where no login is lent."""
    return Loan()


def to_nobody(_url: str, _cookies: tuple[Cookie, ...]) -> None:
    """Where no cookies are kept that come back."""


@dataclass(slots=True)
class _Lent:
    """What a server has of the moderator's login in this run: `jar` goes with each request, of which `own`
    are the moderator's cookies; `keys` stay here as long as the session beside them serves."""

    jar: RequestsCookieJar
    loan: Loan
    own: tuple[Cookie, ...] = ()
    keys: tuple[Cookie, ...] = ()

    @property
    def came(self) -> tuple[Cookie, ...]:
        """The cookies that the server gave."""
        mine = set(map(id, self.own))
        return tuple(cookie for cookie in self.jar if id(cookie) not in mine)

    def lend(self, *cookies: Cookie) -> None:
        """Let these go with each request."""
        self.own = tuple(map(copy, cookies))
        for cookie in self.own:
            self.jar.set_cookie(cookie)

    def goes_to(self, url: str) -> bool:
        """Whether cookies of the moderator go with a request."""
        jar = RequestsCookieJar()
        for cookie in self.own:
            jar.set_cookie(cookie)
        bare = requests.Request("GET", url).prepare()
        return bool(get_cookie_header(jar, bare))  # type: ignore[no-untyped-call]


@dataclass(slots=True)
class Client:
    """One session for all forums that a run reads. `jitter` is given a pause and returns one.

    The cookies of a `loan` go to the servers that were named only: to no other port and to no other host,
    whatever a page links or redirects to. The User-Agent of their browser goes with them, since boards bind a
    session to it. A key that is good once is used where the session beside it serves no more.
    """

    clock: Clock
    jitter: Callable[[float], float]
    allow_private: bool = False
    manners: Manners = Manners()
    notice: Callable[[str], None] | None = None
    """Is told in one sentence why there is a wait."""
    loan: Callable[[str], Loan] = no_login
    """The login that the moderator lends to the server of an address."""
    came_back: Callable[[str, tuple[Cookie, ...]], None] = to_nobody
    """Is told the cookies that take the place of those that were lent."""
    _session: requests.Session = field(init=False)
    _sockets: Sockets = field(init=False, default_factory=Sockets)
    _robots: Robots = field(init=False)
    _last: dict[str, float] = field(init=False, default_factory=dict)
    _told: set[str] = field(init=False, default_factory=set)
    _lent: dict[str, _Lent] = field(init=False, default_factory=dict)
    _named: set[tuple[str, int]] = field(init=False, default_factory=set)
    _turn: Lock = field(init=False, default_factory=Lock)

    def __post_init__(self) -> None:
        self._session = guarded_session(self.allow_private, self._sockets)
        self._session.headers.update(
            {"User-Agent": AGENT, "Accept": "text/html, application/json;q=0.9", "Accept-Encoding": PACKING}
        )
        self._robots = Robots(self._page)

    def get(self, request: Request) -> Response:
        """The page behind all redirects, whatever its status below 500; 429 and faults only after retries."""
        if not self._named or _place(request.url)[1] in PORTS.values():
            self._name(request.url)
        return self._page(request)

    def _name(self, url: str) -> None:
        """Count a server among those that the moderator meant: theirs are the cookies that are lent."""
        host, port = _place(url)
        self._named.add((host, port))
        if port == PORTS["http"]:  # which most servers send on to the other
            self._named.add((host, PORTS["https"]))

    def _page(self, request: Request) -> Response:
        with self._turn:
            page = self._answered(request)
            if page.private and not self._stays_in(page):
                page = self._answered(request)
                self._stays_in(page)
        return page

    def _answered(self, request: Request) -> Response:
        answer = self._patiently(request)
        text = decoded(answer.body, answer.headers.get("content-type", ""))
        refuse_challenge(answer.url, answer.status, answer.headers, text)
        foreign = self._lent_to(answer.url).loan.elsewhere and not answer.private
        return Response(answer.url, answer.status, text, answer.headers, answer.private, foreign)

    def _stays_in(self, page: Response) -> bool:
        """Keep the cookies that came back where they are still a login. False where the session serves no
        more, and the key beside it is used now: the page is to be asked for again."""
        lent = self._lent_to(page.url)
        came = lent.came
        if not (came or lent.keys):
            return True
        if reader_of(page).logged_in is not False:
            if came:
                # What is of a whole domain goes with what is of this host: it would go with it for ever.
                names = {cookie.name for cookie in came}
                rest, lent.keys = (
                    tuple(cookie for cookie in cookies if cookie.name not in names)
                    for cookies in (lent.own, lent.keys)
                )
                lent.jar = RequestsCookieJar()
                lent.lend(*rest, *came)
                self.came_back(page.url, (*rest, *lent.keys, *came))
            return True
        # Without the browser's own agent each read would use up a key, and log the browser out.
        if not (lent.keys and lent.loan.agent):
            return True
        if self.notice:
            self.notice(
                f"{urlsplit(page.url).hostname} does not take the session of your browser any more, so I log "
                "in by its “remember me”. Your browser may have to log in anew."
            )
        lent.jar, lent.keys = RequestsCookieJar(), ()
        lent.lend(*lent.loan.cookies)
        return False

    def follow(self, request: Request) -> Response:
        """Get a page that nobody named: only where the site's robots.txt lets programs. The first
        server that is asked may be private; no page leads to another one."""
        if self.allow_private and self._last and urlsplit(request.url).netloc not in self._last:
            try:
                checked_url(request.url, allow_private=False)
            except InputError as error:
                said = sentence("A page leads on to {url}. {fault}", url=request.url, fault=error)
                raise AccessDenied(said) from None
        if not self._named:
            self._name(request.url)
        self._robots.refuse(request.url)
        return self._page(request)

    def _patiently(self, request: Request) -> _Answer:
        """Ask until there is an answer that is a page, as often and as patiently as the manners allow."""
        fault: SiteRefused = ServerFault(f"{request.url} was not asked for: no tries are allowed.")
        for attempt in range(1, self.manners.tries + 1):
            try:
                answer = self._behind_redirects(request)
            except ServerFault as error:
                fault, pause = error, self._pause(attempt)
            else:
                if answer.status != 429 and answer.status < 500:
                    return answer
                refuse_challenge(answer.url, answer.status, answer.headers, decoded(answer.body))

                # Why a 429 or 5xx is no page, and how long to wait before the next try.
                host = urlsplit(answer.url).hostname
                asked = self._asked_wait(answer.headers.get("retry-after", ""))
                if asked is not None and asked > self.manners.longest_wait:
                    until = self.clock.now() + timedelta(seconds=min(asked, MONTH))
                    at = f"{until:%H:%M} UTC" if asked < DAY else f"{until:%Y-%m-%d}, {until:%H:%M} UTC"
                    raise RateLimited(
                        sentence(
                            "{host} answers {status}: it wants no more pages before {at}. Go on "
                            "then, or save "
                            "the pages in your browser and use those: {saved}",
                            host=host,
                            status=answer.status,
                            at=at,
                            saved=Way("use_saved"),
                        )
                    )
                pause = self._pause(attempt) if asked is None else asked
                if answer.status == 429:
                    wait = "" if asked is None else f", asked to wait {asked:.0f} s"
                    fault = RateLimited(f"{host}: 429, too many requests{wait}.")
                else:
                    said = closed(decoded(answer.body)) if answer.status == 503 else ""
                    why = f"{host} answers {answer.status} for {answer.url}, which is a fault of the server."
                    if said:
                        why = f'{host} answers {answer.status}: the board is closed. It says: "{said}".'
                    fault = ServerFault(why)

            if attempt < self.manners.tries:
                why = f"{fault} Waiting {pause:.0f} s ({attempt} of {self.manners.tries - 1})."
                if self.notice:
                    self.notice(why)
                self.clock.sleep(pause)
        raise fault

    def _pause(self, attempt: int) -> float:
        return self.jitter(self.manners.backoff * 2 ** (attempt - 1))

    def _asked_wait(self, header: str) -> float | None:
        """Seconds that Retry-After asks for: a number or a date."""
        said = header.strip()
        if said.isascii() and said.isdigit():
            return float(said)
        try:
            until = parsedate_to_datetime(said)
            return max(0.0, (until - self.clock.now()).total_seconds()) if until.tzinfo else None
        except (ValueError, TypeError, IndexError, OverflowError):  # a header may hold anything
            return None

    def _behind_redirects(self, request: Request) -> _Answer:
        """Follow redirects; every address on the way is checked before it is asked."""
        url = request.url
        for _ in range(self.manners.redirects + 1):
            # The moderator's word allows the private server that they named, not where it redirects to.
            if urlsplit(url).netloc == urlsplit(request.url).netloc:
                checked_url(url, self.allow_private)
            else:
                try:
                    checked_url(url, allow_private=False)
                except InputError as error:
                    said = sentence("{url} redirects to {to}. {fault}", url=request.url, to=url, fault=error)
                    raise AccessDenied(said) from None

            answer = self._ask(url, request.headers)
            target = answer.headers.get("location")
            if answer.status not in REDIRECTS or not target:
                return answer
            try:
                url = urljoin(url, target)
                _ = urlsplit(url).port
            except ValueError as error:
                raise SiteRefused(f"{url} redirects to what is no web address ({error}).") from None
        raise SiteRefused(
            f"{request.url} redirects more than {self.manners.redirects} times; the last is {url}."
        )

    def _ask(self, url: str, headers: Mapping[str, str]) -> _Answer:
        """Ask for one address, after the pause that its server is due, within limits of time and size."""
        server = urlsplit(url).netloc
        if server in self._last:
            asked = self._robots.delay(url)
            if asked > self.manners.longest_wait:
                raise RateLimited(
                    sentence(
                        "{server} asks programs (robots.txt) to wait {wait:.0f} s between two pages, which "
                        "is too long. Save its pages in your browser and use those: {saved}",
                        server=server,
                        wait=asked,
                        saved=Way("use_saved"),
                    )
                )
            if asked > self.manners.delay and server not in self._told and self.notice:
                self._told.add(server)
                self.notice(f"{server} asks programs to wait {asked:.0f} s between two pages: I do.")
            pause = max(self.manners.delay, asked)
            due = self._last[server] + pause - self.clock.elapsed()
            if due > 0:
                self.clock.sleep(due)

        late = f"{url} did not arrive within {self.manners.whole:g} s."
        try:
            with self._sockets.cut_after(self.manners.whole, late):
                limits = (self.manners.connect, self.manners.read)
                lent = self._lent_to(url)
                self._session.cookies, logged_in = lent.jar, lent.goes_to(url)
                agent = {"User-Agent": lent.loan.agent} if logged_in and lent.loan.agent else {}
                with self._session.get(
                    url, headers={**headers, **agent}, timeout=limits, stream=True, allow_redirects=False
                ) as reply:
                    kept = {name.lower(): value for name, value in reply.headers.items()}
                    wanted = {name: kept[name] for name in (*KEPT_HEADERS, "location") if name in kept}
                    body = received(url, reply, self.manners.size)
                    return _Answer(url, reply.status_code, body, wanted, logged_in)
        except (requests.RequestException, HTTPError) as error:
            host = urlsplit(url).hostname
            if isinstance(error, requests.exceptions.SSLError):
                fault = (
                    f"{host} has no valid certificate ({error.args[0] if error.args else error}), "
                    "so it was not read."
                )
            elif isinstance(error, (requests.Timeout, ReadTimeoutError)):
                fault = f"{host} did not answer in time for {url}."
            elif isinstance(error, requests.ConnectionError) and "refused" in str(error).lower():
                fault = f"{host} refuses connections: nothing answers there."
            else:
                fault = f"{host} cut the connection before {url} was complete."

            raise ServerFault(fault) from error
        finally:
            self._last[urlsplit(url).netloc] = self.clock.elapsed()

    def lends_to(self, url: str) -> bool:
        """Whether a server may have the moderator's cookies; cookies know neither ports nor, where they are
        of a whole domain, hosts."""
        return _place(url) in self._named

    def _lent_to(self, url: str) -> _Lent:
        """The cookies of a server: what it gave itself, and what the moderator lends, to the end of the run
        what they lent to it first. Cookies do not know ports, and another port may be another program."""
        server = urlsplit(url).netloc
        if server not in self._lent:
            loan = self.loan(url)
            lent = _Lent(RequestsCookieJar(), loan)
            if self.lends_to(url):
                once = keys_good_once([cookie.name for cookie in loan.cookies])
                lent.keys = tuple(cookie for cookie in loan.cookies if cookie.name in once)
                lent.lend(*(cookie for cookie in loan.cookies if cookie.name not in once))
            self._lent[server] = lent
        return self._lent[server]


QUESTIONS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}
"""What a page was known by, and the header that asks whether it still is."""
UNCHANGED = 304


@dataclass(frozen=True, slots=True)
class Conditional:
    """A Fetch that asks before it gets; `kept` finds the copy of a URL, with the headers it came with."""

    fetch: Fetch
    kept: Callable[[str], Response | None]

    def get(self, request: Request) -> Response:
        """The page, or its kept copy where the server says that it is unchanged."""
        return self._unless_unchanged(request, self.fetch.get)

    def follow(self, request: Request) -> Response:
        """A page that nobody named, or its kept copy where the server says that it is unchanged."""
        return self._unless_unchanged(request, self.fetch.follow)

    def _unless_unchanged(self, request: Request, ask: Callable[[Request], Response]) -> Response:
        kept = self.kept(request.url)
        if kept is None:
            return ask(request)
        questions = {asks: kept.headers[name] for name, asks in QUESTIONS.items() if name in kept.headers}
        found = ask(replace(request, headers={**request.headers, **questions}))
        return kept if found.status == UNCHANGED else found
