"""Public beacons of chance: from the packaged beacons.toml and from the user's own."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pkgutil import get_data
from typing import Any

from knightfall.engine.fair import Beacon
from knightfall.errors import InputError, SetupError
from knightfall.plugins import user_file

FILE = "beacons.toml"
_KEYS = ("genesis", "period", "mirrors", "key")
MIRRORS = 2
"""So many have to say the same."""


def known_beacons() -> Mapping[str, Beacon]:
    """Those that come with Knightfall and those of the user, by name. Raises SetupError for a file that is
    wrong."""
    packaged = parse_beacons((get_data("knightfall.config", FILE) or b"").decode("utf-8"))
    own = user_file(FILE)
    if own is None:
        return packaged
    file, content = own
    return {**packaged, **parse_beacons(content.decode("utf-8-sig", errors="replace"), str(file))}


def beacon_named(name: str) -> Beacon:
    """Raises InputError where no beacon has that name."""
    known = known_beacons()
    if name not in known:
        raise InputError(f"There is no beacon called “{name}”. Known: {', '.join(known)}.")
    return known[name]


def parse_beacons(text: str, name: str = FILE) -> Mapping[str, Beacon]:
    """Name → beacon from the text of a beacons.toml. Raises SetupError that names the file and the fault."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{name} is not valid TOML: {error}.") from None
    return {called: _beacon(called, table, name) for called, table in tables.items()}


def _beacon(called: str, table: Any, name: str) -> Beacon:
    if not isinstance(table, dict) or set(table) | {"key"} != set(_KEYS):
        raise SetupError(f"{name}: {called}: expected a table with {', '.join(_KEYS)}.")
    for key in ("genesis", "period"):
        value = table[key]
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise SetupError(f"{name}: {called}.{key}: found {value!r}, expected a number of seconds.")
    mirrors = table["mirrors"]
    if (
        not isinstance(mirrors, list)
        or len({str(one).split("/")[2:3][0] for one in mirrors if "//" in str(one)}) < MIRRORS
    ):
        raise SetupError(f"{name}: {called}.mirrors: expected addresses of {MIRRORS} servers or more.")
    for url in mirrors:
        if not isinstance(url, str) or not url.startswith("https://") or "{round}" not in url:
            raise SetupError(
                f"{name}: {called}.mirrors: found {url!r}, expected an https address with {{round}} in it."
            )
    key = table.get("key", "")
    if key and not (isinstance(key, str) and re.fullmatch("[0-9a-f]{192}", key)):
        raise SetupError(f"{name}: {called}.key: found {key!r}, expected a public key of 192 hex digits.")
    return Beacon(called, table["genesis"], table["period"], tuple(mirrors), key)
