"""Is a hostile server survived? A thread is read from one on this machine that attacks in each of many ways.

Prints one line an attack. Ends with a failure where one led to a fault of ours, to no end, or to a thread
that is called complete and is not. Names may be given, to run those attacks alone.
"""

from __future__ import annotations

import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from fetch.loopback import Reply, StillClock, serving, zipped
from fetch.threads import Forum, login, message, page, thread
from knightfall.errors import KnightfallError
from knightfall.fetch.client import Client, Manners
from knightfall.forums import pages
from knightfall.services.session import Session
from knightfall.services.threads import Link, gather, habits_of
from knightfall.storage.store import Store
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import votecount

POSTS = thread(8)
SECOND = "start=3"
LIMIT = 30
"""Seconds after which an attack is taken for one that never ends."""
MANNERS = Manners(delay=0, connect=2, read=1, whole=3, size=4_000_000)
FEW_PAGES = 300
"""So many pages a thread may have here: an endless one need not be read for an hour."""

Answer = Callable[[Reply, str], Reply]


class EndlessError(BaseException):
    """The time is over; no handler of the product catches it."""


@dataclass(frozen=True)
class Attack:
    """`answer` makes the answer of the honest one and the path; it holds for the second page, with `first`
    for every page."""

    name: str
    answer: Answer
    first: bool = False
    robots: Reply | None = None


def always(reply: Reply) -> Answer:
    return lambda _honest, _path: reply


def text(change: Callable[[str], str]) -> Answer:
    return lambda honest, _path: Reply(change(honest.body.decode()).encode())


def within(extra: str) -> Answer:
    """Something more in the second post of the page."""
    return text(lambda page: page.replace("Post number 5.", f"Post number 5.{extra}"))


def swapped(old: str, new: str) -> Answer:
    return text(lambda page: page.replace(old, new))


def latin(words: str) -> str:
    """A header as bytes that a server may send."""
    return words.encode().decode("latin-1")


STATUSES = (204, 206, 301, 304, 400, 401, 403, 404, 405, 410, 418, 429, 451, 500, 502, 503, 504, 999)
WAITS = (
    "²",
    "-5",
    "9" * 400,
    "1e9",
    "soon",
    "",
    "Fri, 31 Dec 9999 23:59:59 -1200",
    "Mon, 01 Jan 0001 00:00:00 +1400",
)
PLACES = (
    *(
        "http://[::1",
        "//[",
        "http://a\u2100b/",
        "http://a:99999999/",
        "http://:x/",
        "javascript:alert(1)",
        "/again",
    ),
    *(
        "file:///etc/passwd",
        "http://169.254.169.254/",
        "http://localhost:1/",
        "http://127.0.0.1:9/",
        "http://0/",
    ),
    *(
        "http://user:word@127.0.0.1/",
        "\0",
        "a" * 60_000,
        "http://xn--\ud83d/".encode("utf-8", "replace").decode(),
    ),
)
CHARSETS = (
    "undefined",
    "idna",
    "punycode",
    "unicode_escape",
    "utf-7",
    "utf-16",
    "utf-32",
    "zlib",
    "hex",
    "x" * 500,
)
PACKINGS = ("gzip", "br", "deflate", "zstd", "gzip, gzip", "x" * 500)
TOTALS = ("999999999999", "9" * 5_000, "0", "-8", "1e9", "8000")
TIMES = ("99999-01-01T00:00:00+00:00", "0000-00-00", "2026-11-18T20:00:00+99:99", "", "now", "9" * 5_000)
LINKS = (
    *(
        "http://[::1",
        "https://other.example/viewtopic.php?t=5&amp;start=6",
        "javascript:x",
        "//127.0.0.1:9/a?start=6",
    ),
    *(
        "./viewtopic.php?t=5&amp;start=3",
        f"./viewtopic.php?t=5&amp;start={'9' * 5_000}",
        "./viewtopic.php?t=6&amp;start=6",
    ),
)
IN_A_POST = (
    *(
        "<b>" * 3_000,
        "<div>" * 3_000,
        "<blockquote>" * 3_000,
        "</div>" * 300,
        "<!--",
        "<script>",
        "<textarea>",
    ),
    *(
        '<span class="bbvote">a</span>' * 5_000,
        f"<b>{'vote Ada ' * 10_000}</b>",
        "[vote]" * 10_000,
        "x" * 1_000_000,
    ),
    *(
        "<b " + " ".join(f"a{n}=1" for n in range(20_000)) + ">",
        "\0" * 1_000,
        "\u202e" * 1_000,
        "&#x110000;&#0;",
    ),
    *(
        '<div id="p108" class="post"><div class="content">no</div></div>',
        "<table>" * 3_000,
        "<svg><style>" * 3_000,
    ),
)


def attacks() -> Iterator[Attack]:
    """Every way in which the server attacks."""
    for status in STATUSES:
        yield Attack(f"status {status}", always(Reply(b"<html>no</html>", status)))
    for wait in WAITS:
        yield Attack(f"wait {wait[:20]!r}", always(Reply(b"", 429, {"Retry-After": latin(wait)})))
    for place in PLACES:
        sent = Reply(b"", 302, {"Location": latin(place.replace("\0", "%00"))})
        yield Attack(f"redirect {place[:30]!r}", always(sent))
    for name in CHARSETS:
        kind = {"Content-Type": f"text/html; charset={name}"}
        yield Attack(f"charset {name[:20]}", same_with(kind))
    for packing in PACKINGS:
        yield Attack(f"packed {packing[:20]}", same_with({"Content-Encoding": packing}))
    yield Attack("gzip bomb", always(zipped(b"<p>" + b" " * 60_000_000)))
    yield Attack("gzip bomb in a redirect", always(bomb_in_a_redirect()))
    yield Attack(
        "gzip cut", lambda honest, _path: Reply(zipped(honest.body).body[:200], headers=zipped(b"").headers)
    )
    for total in TOTALS:
        yield Attack(f"total {total[:20]}", swapped("8 posts", f"{total} posts"), first=True)
    for at in TIMES:
        yield Attack(f"time {at[:30]!r}", swapped("2026-11-18T20:00:00+00:00", at), first=True)
    for link in LINKS:
        yield Attack(f"link {link[:40]!r}", swapped("./viewtopic.php?t=5&amp;start=6", link))
    for number, inside in enumerate(IN_A_POST, start=1):
        yield Attack(f"post {number} {inside[:20]!r}", within(inside))

    whole = Forum(POSTS)
    yield Attack("page 1 again", always(whole.page(0)))
    yield Attack("page 3 for 2", always(whole.page(6)))
    yield Attack("another topic", swapped("t=5", "t=77"))
    yield Attack("a login", always(Reply(login())))
    yield Attack("a message", always(Reply(message("The requested topic does not exist."))))
    yield Attack("no posts", always(Reply(page([], 0))))
    yield Attack("a post twice", lambda _honest, _path: Reply(page([*POSTS[:5], POSTS[4], *POSTS[6:]], 3)))
    yield Attack(
        "a post of page 1 again", lambda _honest, _path: Reply(page([*POSTS[:4], POSTS[0], *POSTS[5:]], 3))
    )
    yield Attack(
        "one post less", lambda honest, path: Reply(page(POSTS[1:], 3)) if SECOND in path else honest
    )
    yield Attack("no footer", text(lambda page: page.replace("</html>", "")))
    yield Attack("half a page", lambda honest, _path: Reply(honest.body[: len(honest.body) // 2]))
    yield Attack("cut", lambda honest, _path: Reply(honest.body, cut=700))
    for name, body in (
        ("empty", b""),
        ("blank", b" \n"),
        ("zeros", b"\0" * 5_000),
        ("noise", bytes(range(256)) * 99),
    ):
        yield Attack(name, always(Reply(body)))
    yield Attack("json", always(Reply(b'{"post_stream": {"posts": []}}')))
    yield Attack("deep json", always(Reply(b'{"a":' + b"[" * 200_000)))
    yield Attack(
        "xml bomb", always(Reply(b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "b">]><thread>&b;</thread>'))
    )
    yield Attack("deep page", text(lambda page: page.replace("</body>", "<div>" * 100_000 + "</body>")))
    yield Attack("recognition", always(Reply(b"<html>" + b'<meta name="' * 80_000 + b"</html>")))
    yield Attack(
        "ten thousand posts",
        lambda _honest, _path: Reply(page(thread(10_000), 3).replace(b"10000 posts", b"8 posts")),
    )
    yield Attack("silence", always(Reply(silent=True)))
    yield Attack("a drip", always(Reply(b"<p>", endless=True)))
    yield Attack("a flood", always(Reply(b"<p>" * 100_000, endless=True)))
    yield Attack(
        "cookies", lambda honest, _path: Reply(honest.body, headers={"Set-Cookie": "a=" + "b" * 50_000})
    )
    yield Attack("a human check", always(Reply(b"", 403, {"cf-mitigated": "challenge"})))
    yield Attack("endless thread", endless, first=True)
    for wish in (
        b"Crawl-delay: 999999",
        b"Crawl-delay: inf",
        b"Crawl-delay: \xb2",
        b"Disallow: /",
        b"\0" * 100_000,
    ):
        robots = Reply(b"User-agent: *\n" + wish)
        yield Attack(f"robots {wish[:20]!r}", lambda honest, _path: honest, robots=robots)
    yield Attack("robots 500", lambda honest, _path: honest, robots=Reply(b"", 500))
    yield Attack("robots bomb", lambda honest, _path: honest, robots=zipped(b"a" * 60_000_000))


def same_with(headers: dict[str, str]) -> Answer:
    """The honest page under other headers."""
    return lambda honest, _path: Reply(honest.body, headers=headers)


def bomb_in_a_redirect() -> Reply:
    bomb = zipped(b" " * 60_000_000)
    return Reply(bomb.body, 302, {**bomb.headers, "Location": "/again"})


def endless(_honest: Reply, path: str) -> Reply:
    """A thread that has one page more behind each."""
    start = int(path.rpartition("start=")[2]) if "start=" in path else 0
    return Reply(page(thread(start + 6), start))


@dataclass
class Result:
    """What came of an attack, in words; `bad` where it must not be so."""

    said: str
    bad: bool = False


def tried(attack: Attack, folder: Path) -> Result:
    """Read the thread through an attack, and count it where it is called complete."""
    clock, forum = StillClock(), Forum(list(POSTS))
    asking = Client(clock, lambda pause: pause, True, MANNERS)
    session = Session(clock, asking, lambda _thread: Store.open(folder / "a.db"))

    def answer(path: str) -> Reply:
        honest = forum(path)
        return attack.answer(honest, path) if attack.first or SECOND in path else honest

    with serving(answer, attack.robots) as server:
        link = Link(server.root + "viewtopic.php?t=5")
        signal.alarm(LIMIT)
        try:
            found = gather(link, session)
            if not found.complete:
                return Result(f"withheld: {' '.join(found.missing)[:90]}")
            votecount(found, habits_of(found), CountConfig(), Ask(), clock.now())
        except KnightfallError as error:
            return Result(
                f"refused ({error.exit_status}): {str(error).splitlines()[0][:90]}",
                error.exit_status in (1, 7),
            )
        except EndlessError:
            return Result(f"NO END in {LIMIT} s", bad=True)
        except Exception as error:  # noqa: BLE001 - what the command line calls a fault of ours
            return Result(f"FAULT OF OURS: {error!r}"[:120], bad=True)
        finally:
            signal.alarm(0)
    ids = {post.id for post in found.posts}
    lost = [str(identity) for identity, *_ in POSTS if str(identity) not in ids]
    return Result(f"COMPLETE WITHOUT {lost}" if lost else "read whole", bool(lost))


def out_of_time(*_: object) -> None:
    raise EndlessError


def main() -> None:
    """Names of attacks may be given; all of them without."""
    pages.MOST_PAGES = FEW_PAGES
    signal.signal(signal.SIGALRM, out_of_time)
    chosen = [one for one in attacks() if not sys.argv[1:] or one.name in sys.argv[1:]]
    bad = list[str]()
    outcomes = Counter[str]()
    for attack in chosen:
        with tempfile.TemporaryDirectory() as home:
            begun = monotonic()
            result = tried(attack, Path(home))
        outcomes[result.said.partition(":")[0].partition(" [")[0]] += 1
        print(f"{monotonic() - begun:5.1f} s  {attack.name:44} {result.said}", flush=True)
        if result.bad:
            bad.append(attack.name)
    print(f"{len(chosen)} attacks: " + ", ".join(f"{many} {what}" for what, many in outcomes.most_common()))
    if bad:
        sys.exit(f"Not survived: {', '.join(bad)}")


if __name__ == "__main__":
    main()
