"""What do we know of a host beyond its platform?"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from urllib.parse import urlsplit

from knightfall.errors import SetupError
from knightfall.forums.adapter import Site

UNKNOWN = Site()
KEYS = frozenset(field.name for field in fields(Site))


def site_of(url: str, sites: Mapping[str, Site] | None = None) -> Site:
    """The site of a URL: by its host or the nearest domain above it; a site without traits where unknown."""
    known = packaged_sites() if sites is None else sites
    labels = (urlsplit(url).hostname or "").split(".")
    hosts = (".".join(labels[start:]) for start in range(len(labels)))
    return next((known[host] for host in hosts if host in known), UNKNOWN)


def parse_sites(text: str) -> Mapping[str, Site]:
    """Host -> Site from the text of a sites.toml. Raises SetupError on an unknown key."""
    return MappingProxyType({host: _site(host, table) for host, table in tomllib.loads(text).items()})


@cache
def packaged_sites() -> Mapping[str, Site]:
    """The sites that come with Knightfall."""
    return parse_sites(files("knightfall.forums").joinpath("sites.toml").read_text(encoding="utf-8"))


def _site(host: str, table: Mapping[str, object]) -> Site:
    unknown = sorted(set(table) - KEYS)
    if unknown:
        raise SetupError(
            f'sites.toml, ["{host}"]: unknown key {unknown[0]}; known are {", ".join(sorted(KEYS))}.'
        )
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}
    return Site(**values)  # type: ignore[arg-type]  # the keys are checked above, the file is ours
