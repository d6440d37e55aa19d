"""Why a page cannot be read, and what is wrong with the folder of a game."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import sha256
from pathlib import Path

from knightfall.config.contradictions import contradictions
from knightfall.config.game_file import read_setup
from knightfall.config.setup import Setup, ThreadSetup
from knightfall.engine.journal import Journal
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.fetch.clock import Fetch
from knightfall.fetch.saved import saved_bytes, saved_response
from knightfall.forums import forum_of, located, platform_named
from knightfall.forums.base import Request, Response, require_address
from knightfall.forums.html import Tag, attribute, every, maybe, parse_leniently, words
from knightfall.forums.pages import read_chunk
from knightfall.forums.payload import is_json, is_xml
from knightfall.forums.platforms import PLATFORMS, Platform
from knightfall.models import Thread
from knightfall.sentence import Way, sentence
from knightfall.services.count.request import thread_asked
from knightfall.services.keep.verify import proof_of
from knightfall.services.requests import CountRequest
from knightfall.services.running import begun
from knightfall.services.session import DEAL_FILE, Session, game_database, journal_of, refuse_lost
from knightfall.storage.audit import audit, last_page
from knightfall.storage.database import Database

SEND = (
    "Send us these lines. If the page is public, its address is enough. If not, send a copy of "
    "the page with the texts and names replaced. Never send passwords or cookies."
)


@dataclass(frozen=True, slots=True)
class SuspectPage:
    """A page as it came; `sha256` is of `hashed`: the file on the disk, or the text that was fetched."""

    name: str
    response: Response
    sha256: str
    hashed: str


@dataclass(frozen=True, slots=True, repr=False)
class Finding(JsonAnswer):
    """One thing that was looked at; `status` is the exit status of what is wrong with it, 0 for nothing."""

    name: str
    said: str
    status: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Diagnosis(JsonAnswer):
    """All that was looked at, in order."""

    findings: tuple[Finding, ...]

    @property
    def exit_status(self) -> int:
        """That of what is worst (0: nothing is wrong)."""
        return max(one.status for one in self.findings)

    @property
    def lines(self) -> tuple[tuple[str, str], ...]:
        """The findings as pairs of name and text."""
        return tuple((one.name, one.said) for one in self.findings)

    def to_dict(self) -> dict[str, object]:
        """{exit_status, found: [{what, says}]}."""
        found = [{"what": one.name, "says": one.said} for one in self.findings]
        return {"exit_status": self.exit_status, "found": found}


def saved(path: Path) -> SuspectPage:
    """A saved page. Raises InputError."""
    return SuspectPage(str(path), saved_response(path), sha256(saved_bytes(path)).hexdigest(), "the file")


def fetched(url: str, fetch: Fetch) -> SuspectPage:
    """A page of the web. Raises InputError, and SiteRefused where not even a refusal arrives as a page."""
    require_address(url)
    response = fetch.get(Request(url))
    return SuspectPage(url, response, sha256(response.text.encode()).hexdigest(), "the text")


def examine(page: SuspectPage, now: datetime) -> Diagnosis:
    """Read the page as a count would, and report how far that went."""
    response = page.response
    # Only HTML has marks to look for; the answers of an API say themselves what they lack.
    is_html = not (is_json(response.text) or is_xml(response.text))
    tree = parse_leniently(response.text if is_html else "")
    title = maybe(tree, "title")
    beginning = " ".join(response.text[:200].split())[:32]
    forum = forum_of(response)
    platform = platform_named(forum.name) if forum else None
    findings = [
        Finding("Page", page.name),
        Finding("Address", response.url or "not shown on the page"),
        Finding("Status", str(response.status)),
        Finding("Title", (words(title) if title else "") or "none"),
        Finding("Size", f"{len(response.text.encode()):,} bytes, begins “{beginning}”"),
        Finding("sha256", f"{page.sha256} (of {page.hashed})"),
        Finding(
            "Platform",
            f"{platform.name} ({platform.software})" if platform else _resemblance(tree, response),
        ),
    ]
    try:
        _, chunk = read_chunk(response, page.name, now)
    except KnightfallError as error:
        # How often each thing that a page with posts has was found, by the selector it is looked for with.
        for row in [platform] if platform else _similar_platforms(tree):
            if row.landmarks is not None:
                findings += (
                    Finding("Boxes", f"{_found_by(tree, row.landmarks.boxes)} ({row.name})"),
                    Finding("Authors", f"{_found_by(tree, row.landmarks.authors)} ({row.name})"),
                    Finding("Texts", f"{_found_by(tree, row.landmarks.texts)} ({row.name})"),
                )
        findings += (
            Finding("Password", _found_by(tree, 'input[type="password"]')),
            Finding(
                "Problem",
                sentence("{kind}: {fault}", kind=type(error).__name__, fault=error),
                error.exit_status,
            ),
            Finding("To do", SEND),
        )
        return Diagnosis(tuple(findings))
    posts = chunk.posts
    total = f" of {chunk.posts_total}" if chunk.posts_total is not None else ""
    exact = sum(post.time is not None and not post.approximate for post in posts)
    timed = sum(post.time is not None for post in posts)
    verdict = "this page can be read"
    if chunk.missing:
        verdict = "read, but it cannot be counted: " + " ".join(chunk.missing)
    findings += (
        Finding("Thread", f"{chunk.title}, page {chunk.page} of {chunk.pages}"),
        Finding("Posts", f"{len(posts)}{total}, by {len({post.author for post in posts})} authors"),
        Finding("Times", f"{timed} read, {exact} of them exact"),
        Finding("Edited", str(sum(post.edit_note is not None for post in posts))),
        Finding("Hidden", str(sum(post.hidden for post in posts))),
        Finding("Next page", chunk.following.url if chunk.following else "none"),
        Finding("Verdict", verdict),
    )
    return Diagnosis(tuple(findings))


def _resemblance(tree: Tag, response: Response) -> str:
    """What a page that no platform recognises looks like."""
    maker = attribute(maybe(tree, 'meta[name="generator"]'), "content")
    site = located(response.url)
    hints = [
        *([f"its software says “{maker}”"] if maker else []),
        *(f"its marks are like {row.name}'s" for row in _similar_platforms(tree)),
        *([f"its address is like {site[0].name}'s"] if site else []),
    ]
    return "not recognised" + (
        f"; {', '.join(hints)}" if hints else "; it does not look like any forum that I know"
    )


def _similar_platforms(tree: Tag) -> list[Platform]:
    """Platforms of which boxes and texts are there."""
    marked = [(row, row.landmarks) for row in PLATFORMS if row.landmarks]
    return [row for row, marks in marked if every(tree, marks.boxes) and every(tree, marks.texts)]


def _found_by(tree: Tag, selector: str) -> str:
    count = len(every(tree, selector))
    return f"{count or 'none'} by {selector}"


OPEN_TO_OTHERS = 0o077
HAS_MODES = os.name == "posix"
"""Whether the mode of a file tells who can open it; on Windows every file seems open to all."""
SKEW = 60
"""So many seconds a clock may differ: pages take their time."""


def health(session: Session, online: bool) -> Diagnosis:
    """Look at all of a game's folder; at its threads only `online`. Raises InputError without one."""
    folder, file = session.folder, session.file
    if not folder.is_dir():
        raise InputError(
            sentence(
                "{folder} is not a folder. Name the folder of a game: {game}",
                folder=folder,
                game=Way("field", name="game", value="FOLDER"),
            )
        )
    findings = [_rights(folder)]

    # The game file, and the database with what is in it.
    threads: tuple[ThreadSetup, ...] = ()
    try:
        setup = read_setup(file)
    except KnightfallError as error:
        findings.append(Finding("game.toml", error.message, error.exit_status))
    else:
        threads, players = setup.threads, len(setup.roster.slots) if setup.roster else 0
        said = f"read: {setup.kind}, {players} players, {len(threads)} threads"
        findings.append(Finding("game.toml", said))
        kept = _kept_thread(setup, session)
        findings += (Finding("Contradiction", told, 1) for told in contradictions(setup, kept))
    path = game_database(session.place)
    if not path.exists():
        try:
            refuse_lost(session.place)
        except StateDamaged as lost:
            findings.append(Finding("Database", lost.message, lost.exit_status))
        else:
            findings.append(Finding("Database", "none yet: it is created with the first entry or page"))
    else:
        try:
            database = Database.open(path)
        except KnightfallError as error:
            findings.append(Finding("Database", error.message, error.exit_status))
        else:
            try:
                findings += _database(database, session)
            finally:
                database.close()

    # Whether the threads can be read from here.
    if not threads:
        said = 'none in game.toml; [[thread]] role = "game", url = "…" names one'
        findings.append(Finding("Threads", said))
    elif not online:
        said = sentence(
            "{number} in game.toml, not checked. To check the forum: {online}",
            number=len(threads),
            online=Way("field", name="online"),
        )
        findings.append(Finding("Threads", said))
    for thread in threads if online else ():
        name = f"Thread ({thread.role})"
        try:
            found = examine(fetched(thread.url, session.fetch), session.clock.now())
        except KnightfallError as error:
            said = sentence("{url}: {fault}", url=thread.url, fault=error)
            findings.append(Finding(name, said, error.exit_status))
        else:
            lines = dict(found.lines)
            said = lines.get("Problem") or lines.get("Thread", thread.url)
            findings.append(Finding(name, said, found.exit_status))
    return Diagnosis(tuple(findings))


def _kept_thread(setup: Setup, session: Session) -> Thread | None:
    """The game's thread as it was last read; None where none of it is kept."""
    if setup.url is None or not game_database(session.place).exists():
        return None
    try:
        return thread_asked(CountRequest(stored=True), session)[2]
    except KnightfallError:
        return None  # what is wrong with the evidence is found by itself


def _rights(folder: Path) -> Finding:
    """The folder, and what is secret in it."""
    if not HAS_MODES:
        return Finding("Folder", f"{folder}: on this system its rights are those of the folder it is in")
    places = (folder, folder / "private", folder / DEAL_FILE)
    known = [place for place in places if place.exists()]
    open_ = [place for place in known if place.stat().st_mode & OPEN_TO_OTHERS]
    if folder in open_:
        return Finding("Folder", f'Others on this machine can open it. Close it: chmod 700 "{folder}"', 1)
    if open_:
        names = " ".join(f'"{place}"' for place in open_)
        return Finding(
            "Folder",
            f"The folder itself is closed, but some files in it are not. Close them: chmod go= {names}",
            1,
        )
    return Finding("Folder", f"{folder}: only you can open it")


def _database(database: Database, session: Session) -> Iterator[Finding]:
    """What is in a database: pages and posts, the journal, the seed of a begun game, the clock."""
    found = audit(database)
    if found.faults:
        said = sentence(
            "{fault} Put your last backup or export in its place. For all faults: {verify}",
            fault=found.faults[0],
            verify=Way("verify"),
        )
        yield Finding("Database", said, StateDamaged.exit_status)
        return
    size = database.path.stat().st_size
    yield Finding("Database", f"whole: {found.pages} pages, {found.posts} versions of posts, {size:,} bytes")
    try:
        journal = journal_of(session)
    except StateDamaged as lost:
        yield Finding("Journal", lost.message, lost.exit_status)
        return
    yield Finding("Journal", f"{found.entries} entries, and the chain of their hashes holds")
    if begun(journal):
        try:
            proof_of(session.folder)
        except StateDamaged as damage:
            yield Finding("Seed", damage.message, damage.exit_status)
        else:
            said = sentence(
                "{file} can be read. To compare it with its commitment: {verify}",
                file=DEAL_FILE,
                verify=Way("verify"),
            )
            yield Finding("Seed", said)
    yield _clock(database, journal, session.clock.now())


def _clock(database: Database, journal: Journal, now: datetime) -> Finding:
    """This machine's clock against the last entry, and against the forum's when its last page came."""
    ahead = [record for record in journal if record.at > now]
    if ahead:
        said = (
            f"Entry {ahead[-1].number} is dated {ahead[-1].at:%Y-%m-%d %H:%M:%S %Z}, which is in the future"
        )
        return Finding(
            "Clock", f"{said}: was the clock set back? It says {now:%H:%M:%S %Z} now. Set it right.", 1
        )
    page = last_page(database)
    told = _served(page.headers) if page else None
    if page is None or told is None:
        return Finding("Clock", "not compared: no page in the evidence shows the time of its forum")
    seconds = (page.fetched_at - told).total_seconds()
    if abs(seconds) <= SKEW:
        return Finding("Clock", f"agrees with the forum's ({seconds:+.0f} s at the last page that was read)")
    way = "ahead of" if seconds > 0 else "behind"
    return Finding(
        "Clock",
        f"Your clock was {round(abs(seconds) / 60) or 1} min {way} the forum's at {page.url}. Set "
        "it right: deadlines depend on it where a post shows no time.",
        1,
    )


def _served(headers: str) -> datetime | None:
    """The Date that came with a page."""
    try:
        served = parsedate_to_datetime(json.loads(headers)["date"])
    except (KeyError, ValueError, TypeError):
        return None
    return served if served.tzinfo else served.replace(tzinfo=UTC)
