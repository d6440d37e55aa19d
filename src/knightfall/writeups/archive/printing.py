"""How does a page of an archive get its HTML: which template, and what stands around every page?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from knightfall.writeups.facts import local_time
from knightfall.writeups.render import TEMPLATES

if TYPE_CHECKING:
    from jinja2 import Environment

_HOME = TEMPLATES / "archive"


@dataclass(frozen=True, slots=True)
class Page:
    """A file of the archive."""

    name: str
    text: str


def printed(name: str, template: str, facts: Mapping[str, object]) -> Page:
    """A page; every string among the facts is escaped but what the template says is HTML of ours."""
    return Page(name, _environment().get_template(f"{template}.html").render({**facts, "file": name}))


def as_it_is(name: str) -> Page:
    """A file that is the same in every archive."""
    return Page(name, (_HOME / name).read_text(encoding="utf-8"))


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(_HOME),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["local"] = local_time
    return made
