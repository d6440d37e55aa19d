"""Of which parts does a post consist? Each is a template of ours with its facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import is_block
from knightfall.markup.nodes import Break, Nodes
from knightfall.writeups.render import render_nodes

Facts = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Section:
    """What stands between two blank lines of a post: a template such as `any/note`, and its facts."""

    template: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class Made:
    """A post before it is written in a dialect; `remarks` tell the moderator what could not stand in it.
    `upto` is the last post of the thread that it counts, where it counts any; `name` is what the journal
    calls it, where that is more than its kind."""

    sections: tuple[Section | Nodes, ...]
    remarks: tuple[str, ...] = ()
    upto: int | None = None
    name: str = ""


def post_nodes(made: Made, flavour: str = "") -> Nodes:
    """The whole post; `flavour`, in our BBCode, is a tree of its own before it: what it leaves open reaches
    nothing else."""
    parts = (parse_bbcode(flavour.strip()), *map(_nodes, made.sections))
    return _apart([part for part in parts if part])


def _nodes(section: Section | Nodes) -> Nodes:
    return render_nodes(section.template, section.facts) if isinstance(section, Section) else section


def _apart(parts: Sequence[Nodes]) -> Nodes:
    """The parts with a blank line between them."""
    first, *rest = parts
    gaps = (_gap(before) for before in parts)
    return (*first, *chain.from_iterable((*gap, *part) for gap, part in zip(gaps, rest, strict=False)))


def _gap(before: Nodes) -> Nodes:
    """A block ends its line by itself."""
    return (Break(),) if is_block(before[-1]) else (Break(), Break())
