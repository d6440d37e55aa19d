"""What is known of a host beyond its platform: from the packaged sites.toml and from the user's own."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from pkgutil import get_data
from types import MappingProxyType
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from knightfall.errors import SetupError
from knightfall.forums.exchange import Site
from knightfall.markup.dialects.shapes import TAGS
from knightfall.plugins import user_sites

UNKNOWN = Site()
KEYS = frozenset(field.name for field in fields(Site)) - {"stated_zone"}
NUMBERS = frozenset({"first_number", "posts_per_page", "max_length"})
LISTS = {"forms": '["bold"]', "tags": '["spoiler", "table"]'}
DATE_ORDERS = ("mdy", "dmy")


def site_of(url: str, sites: Mapping[str, Site] | None = None) -> Site:
    """The site of a URL: by its host or the nearest domain above it; a site without traits where unknown."""
    known = known_sites() if sites is None else sites
    labels = (urlsplit(url).hostname or "").split(".")
    hosts = (".".join(labels[start:]) for start in range(len(labels)))
    return next((known[host] for host in hosts if host in known), UNKNOWN)


def parse_sites(text: str, name: str = "sites.toml") -> Mapping[str, Site]:
    """Host -> Site from the text of a sites.toml. Raises SetupError that names the file and what is wrong."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{name} is not valid TOML: {error}.") from None
    return MappingProxyType({host: _site(host, table, name) for host, table in tables.items()})


@cache
def known_sites() -> Mapping[str, Site]:
    """The sites that come with Knightfall, and those of the user: what these say of a host goes before."""
    known, own = dict(packaged_sites()), _own_sites()
    for host, site in own.items():
        said = {key: getattr(site, key) for key in KEYS if getattr(site, key) != getattr(UNKNOWN, key)}
        known[host] = replace(known.get(host, UNKNOWN), **said)
    return known


@cache
def packaged_sites() -> Mapping[str, Site]:
    """The sites that come with Knightfall."""
    return parse_sites((get_data("knightfall.forums", "sites.toml") or b"").decode("utf-8"))


def _own_sites() -> Mapping[str, Site]:
    found = user_sites()
    if found is None:
        return {}
    file, content = found
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise SetupError(f"{file} is not UTF-8 text. Save it as UTF-8.") from None
    return parse_sites(text, str(file))


def _site(host: str, table: object, name: str) -> Site:
    if not isinstance(table, dict):
        raise SetupError(
            f'{name}: {host}: found {table!r}, expected a table of a host, such as ["forum.example"].'
        )
    unknown = sorted(set(table) - KEYS)
    if unknown:
        raise SetupError(
            f'{name}, ["{host}"]: unknown key {unknown[0]}; known are {", ".join(sorted(KEYS))}.'
        )
    for key, value in table.items():
        expected = _expected(key, value)
        if expected:
            raise SetupError(f'{name}, ["{host}"]: {key}: found {value!r}, expected {expected}.')
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Site(**values)  # type: ignore[arg-type]  # the keys and the kinds of their values are checked above


def _expected(key: str, value: object) -> str | None:
    """What a key should have, where it does not."""
    if key in NUMBERS:
        return None if type(value) is int and value >= 0 else "a whole number"
    if key in LISTS:
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            return f"a list of words, such as {LISTS[key]}"
        known = key != "tags" or set(value) <= set(TAGS)
        return None if known else f"some of {', '.join(TAGS)}"
    if not isinstance(value, str):
        return "a text in quotes"
    if key == "date_order" and value not in DATE_ORDERS:
        return " or ".join(DATE_ORDERS)
    if key == "timezone" and not _is_zone(value):
        return 'the name of a zone, such as "Europe/Berlin"'
    return None


def _is_zone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
