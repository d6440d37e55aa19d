"""What support would ask about an install and a game, without secrets, names of players and addresses."""

from __future__ import annotations

import json
import locale
import platform
import re
import shutil
import sqlite3
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from knightfall.config.game_file import read_setup
from knightfall.errors import KnightfallError
from knightfall.extras import EXTRAS, extras_here, installer
from knightfall.plugins import config_folder, user_sites
from knightfall.services.keep.doctor import Diagnosis, Finding, health
from knightfall.services.session import Session, user_folder
from knightfall.storage.logins import Logins

WITHHELD = "something is wrong with it; to see what, look at the game without asking for what support needs"
_ADDRESS = re.compile(r"\bhttps?://[^\s)\"”]+")
_NAME = re.compile(r"[\w.-]+")


def for_support(session: Session, environment: Mapping[str, str]) -> Diagnosis:
    """What there is to know about this install, and about the game of the session where it has one."""
    findings = [*_install(environment, session.clock.now())]
    if session.game is not None:
        findings += _game(session)
    home = str(Path.home())
    return Diagnosis(tuple(Finding(one.name, _without(home, one.said), one.status) for one in findings))


def _without(home: str, said: str) -> str:
    """The text without the name of the user's folder and without addresses."""
    short = re.sub(rf"{re.escape(home)}(?![\w.-])", "~", said) if len(home) > 1 else said
    return _ADDRESS.sub("(an address)", short)


def _install(environment: Mapping[str, str], now: datetime) -> Iterator[Finding]:
    yield Finding("Knightfall", _how_installed())
    build = f"{platform.python_implementation()}, {sys.maxsize.bit_length() + 1} bits"
    yield Finding("Python", f"{platform.python_version()} ({build}), {sys.executable}")
    yield Finding("System", platform.platform())
    yield Finding("Packages", ", ".join(_packages()) or "not known: Knightfall is not installed as a package")
    present = extras_here()
    absent = [name for name in EXTRAS if name not in present]
    yield Finding("Extras", f"here: {_listed(present)}; not here: {_listed(absent)}")
    yield Finding("SQLite", sqlite3.sqlite_version)

    # How texts and times come out.
    console = getattr(sys.stdout, "encoding", None) or "none"
    files = locale.getpreferredencoding(False)
    language = next(
        (environment[name] for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), ""
    )
    yield Finding("Text", f"console {console}, files {files}, language {language or 'not set'}")
    local = now.astimezone()
    yield Finding("Time zone", f"{local.tzname()}, {local:%z}; it is {local:%Y-%m-%d %H:%M}")

    # Where things are, and how much room is left there.
    own = user_folder(environment)
    yield Finding("Your folder", f"{own}, {_room(own)}")
    yield Finding("Settings", str(config_folder()))
    names = sorted(name for name in environment if name.startswith("KNIGHTFALL_"))
    yield Finding("Variables", f"{_listed(names)} (their values are left out)" if names else "none is set")

    # Sites by their names; of a login nothing but that it is there.
    yield Finding("Own sites", _own_sites())
    logins = Logins(own).all()
    yield Finding("Logins", _listed(login.server for login in logins))


def _how_installed() -> str:
    """The version, by which program it was installed, and whether it runs from the folder of its source."""
    try:
        found = distribution("knightfall")
        source = json.loads(found.read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return "not installed as a package"
    editable = source.get("dir_info", {}).get("editable", False)
    where = ", from the folder of its source" if editable else ""
    return f"{found.version}, installed by {installer(Path(sys.prefix))}{where}"


def _packages() -> Iterator[str]:
    """Each package that every install needs, with its version."""
    try:
        wanted = distribution("knightfall").requires or []
    except PackageNotFoundError:
        return
    for line in sorted(wanted):
        found = _NAME.match(line)
        if found is None or "extra ==" in line:
            continue
        try:
            yield f"{found[0]} {version(found[0])}"
        except PackageNotFoundError:
            yield f"{found[0]} is missing"


def _own_sites() -> str:
    try:
        found = user_sites()
        hosts = tomllib.loads(found[1].decode("utf-8")) if found else {}
    except (OSError, ValueError) as fault:
        return f"sites.toml cannot be read ({type(fault).__name__})"
    return _listed(hosts)


def _room(folder: Path) -> str:
    there = next((place for place in (folder, *folder.parents) if place.exists()), None)
    try:
        free = shutil.disk_usage(there).free if there else None
    except OSError:
        free = None
    return "free space not known" if free is None else f"{free / 1e9:,.1f} GB free"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _game(session: Session) -> Iterator[Finding]:
    """What is found in the folder of the game, without the names of its players and what its file says."""
    try:
        setup = read_setup(session.file)
        slots = setup.roster.slots if setup.roster else ()
        names = sorted((str(slot) for slot in slots), key=len, reverse=True)
    except KnightfallError:
        names = []
    contradictions = 0
    for one in health(session, online=False).findings:
        if one.name == "Contradiction":
            contradictions += 1
        elif one.name == "game.toml" and one.status:
            yield Finding(one.name, WITHHELD, one.status)  # its text may quote roles
        else:
            said = one.said
            for name in names if one.status else ():
                said = said.replace(name, "(a player)")
            yield Finding(one.name, said, one.status)
    if contradictions:
        yield Finding("Contradictions", f"{contradictions} between the game and what the thread says", 1)
