"""Our own forums, dialects and games are entry points like anybody's."""

from __future__ import annotations

import re
import tomllib
from configparser import ConfigParser
from importlib.metadata import EntryPoint

import pytest

from house.manual import ROOT, page
from knightfall.forums import FORUMS, ORDER
from knightfall.forums.sites import parse_sites
from knightfall.games import GAMES, PLACES
from knightfall.markup.dialects import DIALECTS, NAMES
from knightfall.simulation.policies import OURS
from plugins.outside_package import ENTRY_POINTS

WRITTEN: dict[str, dict[str, str]] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]["entry-points"]
TABLES: dict[str, tuple[tuple[str, ...], tuple[object, ...]]] = {
    "knightfall.forums": (ORDER, FORUMS),
    "knightfall.dialects": (NAMES, DIALECTS),
    "knightfall.games": (tuple(PLACES), GAMES),
    "knightfall.policies": (tuple(OURS), tuple(OURS.values())),
}


def test_the_groups_are_these_four() -> None:
    assert WRITTEN.keys() == TABLES.keys()


@pytest.mark.parametrize("group", TABLES)
def test_the_entry_points_are_the_table_in_the_code(group: str) -> None:
    names, things = TABLES[group]
    assert tuple(WRITTEN[group]) == names
    loaded = [EntryPoint(name, value, group).load() for name, value in WRITTEN[group].items()]
    assert all(one is other for one, other in zip(loaded, things, strict=True))


def shown(name: str) -> str:
    """The one TOML block of a page of the manual."""
    [block] = re.findall(r"```toml\n(.*?)```", page(name), re.DOTALL)
    return str(block)


def test_the_manual_shows_the_entry_points_that_the_tests_install() -> None:
    """What test_outside_package.py uses through the command line is what the manual tells to write."""
    used = ConfigParser(delimiters=("=",))
    used.read_string(ENTRY_POINTS)
    told = tomllib.loads(shown("adding"))["project"]["entry-points"]
    assert told == {group: dict(used[group]) for group in used.sections()}


def test_the_sites_that_the_manual_shows_are_understood() -> None:
    [site] = parse_sites(shown("forums")).values()
    assert (site.platform, site.forms) == ("phpbb", ("bold",))
