"""What is wrong with the folder of a game: rights, files, database, journal, chance, clock, threads?

Each line says what was found; where something is wrong, also what to do about it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

from knightfall.app.diary.checks import proof_of
from knightfall.app.diary.journal import journal_of
from knightfall.app.founding.deal import PRIVATE
from knightfall.app.ports import Ports, game_database, game_folder
from knightfall.core.entries import Started
from knightfall.core.journal import Journal, standing
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.services.doctor import Report, examine, fetched
from knightfall.setups.game_file import read_setup
from knightfall.setups.setup import Setup
from knightfall.storage.audit import audit, last_page
from knightfall.storage.database import Database

OPEN_TO_OTHERS = 0o077
SKEW = 60
"""So many seconds a clock may differ: pages take their time."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `status` is the exit status of what is wrong with it, 0 for nothing."""

    name: str
    said: str
    status: int = 0


def health(game: Path, ports: Ports, online: bool) -> Report:
    """Looks at all of a game's folder; at its threads only `online`. Raises InputError without one."""
    folder = game_folder(game)
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder. Name the one of a game: --game FOLDER.")
    findings = tuple(_findings(folder, game, ports, online))
    lines = tuple((one.name, one.said) for one in findings)
    return Report(lines, max(one.status for one in findings))


def _findings(folder: Path, game: Path, ports: Ports, online: bool) -> Iterator[Finding]:
    yield from _rights(folder)
    file, setup = _file(folder, game)
    yield file
    yield from _kept(folder, game, ports)
    yield from _threads(setup, ports, online)


def _rights(folder: Path) -> Iterator[Finding]:
    """The folder, and what is secret in it."""
    places = (folder, folder / "private", folder / PRIVATE)
    known = [place for place in places if place.exists()]
    open_ = [place for place in known if place.stat().st_mode & OPEN_TO_OTHERS]
    if known[0] in open_:
        yield Finding("Folder", f'Others on this machine can look into it: chmod 700 "{folder}"', 1)
    elif open_:
        names = " ".join(f'"{place}"' for place in open_)
        yield Finding("Folder", f"It is closed; what is in it should be, too: chmod go= {names}", 1)
    else:
        yield Finding("Folder", f"{folder}: yours alone")


def _file(folder: Path, game: Path) -> tuple[Finding, Setup | None]:
    file = game if game.suffix == ".toml" else folder / "game.toml"
    try:
        setup = read_setup(file)
    except KnightfallError as error:
        return Finding("game.toml", str(error), error.exit_status), None
    players = len(setup.roster.slots) if setup.roster else 0
    return Finding("game.toml", f"read: {setup.kind}, {players} players, {len(setup.threads)} threads"), setup


def _kept(folder: Path, game: Path, ports: Ports) -> Iterator[Finding]:
    """The database and what is in it."""
    path = game_database(game)
    if not path.exists():
        yield Finding("Database", "none yet: it is made with the first entry or page")
        return
    try:
        database = Database.open(path)
    except KnightfallError as error:
        yield Finding("Database", str(error), error.exit_status)
        return
    try:
        yield from _within(database, folder, ports)
    finally:
        database.close()


def _within(database: Database, folder: Path, ports: Ports) -> Iterator[Finding]:
    found = audit(database)
    if found.faults:
        repair = "Put your last backup or export in its place; knightfall verify tells all of it."
        yield Finding("Database", f"{found.faults[0]} {repair}", StateDamaged.exit_status)
        return
    size = database.path.stat().st_size
    yield Finding("Database", f"whole: {found.pages} pages, {found.posts} versions of posts, {size:,} bytes")
    journal = journal_of(ports)
    yield Finding("Journal", f"{found.entries} entries, and the chain of their hashes holds")
    if any(isinstance(record.entry, Started) for record in standing(journal)):
        yield _seed(folder)
    yield _clock(database, journal, ports.clock.now())


def _seed(folder: Path) -> Finding:
    try:
        proof_of(folder)
    except StateDamaged as damage:
        return Finding("Seed", str(damage), damage.exit_status)
    return Finding("Seed", f"{PRIVATE} can be read; knightfall verify compares it with its commitment")


def _clock(database: Database, journal: Journal, now: datetime) -> Finding:
    """This machine's clock against the last entry, and against the forum's when its last page came."""
    ahead = [record for record in journal if record.at > now]
    if ahead:
        said = f"Entry {ahead[-1].number} is of {ahead[-1].at:%Y-%m-%d %H:%M:%S %Z}, which is still to come"
        return Finding(
            "Clock", f"{said}: was the clock set back? It says {now:%H:%M:%S %Z} now; set it right.", 1
        )
    page = last_page(database)
    told = _served(page.headers) if page else None
    if page is None or told is None:
        return Finding("Clock", "not compared: no page in the evidence tells the time of its forum")
    return _skew((page.fetched_at - told).total_seconds(), page.url)


def _skew(seconds: float, url: str) -> Finding:
    if abs(seconds) <= SKEW:
        return Finding("Clock", f"agrees with the forum's ({seconds:+.0f} s at the last page that was read)")
    way = "ahead of" if seconds > 0 else "behind"
    return Finding(
        "Clock",
        f"Your clock was {round(abs(seconds) / 60) or 1} min {way} the forum's at {url}. Set it right: "
        "deadlines go by it where a post tells no time.",
        1,
    )


def _served(headers: str) -> datetime | None:
    """The Date that came with a page."""
    try:
        served = parsedate_to_datetime(json.loads(headers)["date"])
    except (KeyError, ValueError, TypeError):
        return None
    return served if served.tzinfo else served.replace(tzinfo=UTC)


def _threads(setup: Setup | None, ports: Ports, online: bool) -> Iterator[Finding]:
    threads = setup.threads if setup else ()
    if not threads:
        yield Finding("Threads", 'none in game.toml; [[thread]] role = "game", url = "…" names one')
    elif not online:
        yield Finding("Threads", f"{len(threads)} in game.toml, not asked for; --online asks the forum")
    else:
        yield from (_thread(thread.url, thread.role, ports) for thread in threads)


def _thread(url: str, role: str, ports: Ports) -> Finding:
    """Whether a thread can be read from here."""
    try:
        report = examine(fetched(url, ports.fetch), ports.clock.now())
    except KnightfallError as error:
        return Finding(f"Thread ({role})", f"{url}: {error}", error.exit_status)
    said = dict(report.lines)
    return Finding(f"Thread ({role})", said.get("Problem") or said.get("Thread", url), report.exit_status)
