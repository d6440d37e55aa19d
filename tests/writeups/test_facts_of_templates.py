"""Every event has a template, and a template reads nothing that its event has not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from importlib.util import find_spec
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from jinja2 import Environment, nodes
from jinja2.meta import find_undeclared_variables

from knightfall.engine.game import Facts
from knightfall.games import PLACES, loaded
from knightfall.mafia.game import MafiaGame
from knightfall.writeups.render import TEMPLATES

PARSER = Environment(extensions=["jinja2.ext.do"], autoescape=False)
PIECES = {"mafia", "any"}
"""Folders of templates that others include."""


def places_of(game: str) -> list[str]:
    """Where the classes of a game's events stand, with the rows in them."""
    return [f"knightfall.games.{game}.{module}" for module in ("events", "views")]


def event_classes(game: str) -> tuple[type[Facts], ...]:
    """The classes of events that the game tells: of its own, and of mafia games where it is one; one of its
    own takes the place of the shared one of its kind."""
    places = ["knightfall.mafia.events"] if isinstance(loaded(game), MafiaGame) else []
    places += places_of(game)
    found: dict[str, type[Facts]] = {}
    for place in places:
        module = import_module(place) if find_spec(place) else None
        for one in vars(module).values() if module else ():
            if isinstance(one, type) and issubclass(one, Facts) and one.kind and one.__module__ == place:
                found[one.kind] = one
    return tuple(found.values())


EVENTS = [(game, one) for game in PLACES for one in event_classes(game)]


def told_only_elsewhere(game: str, one: type[Facts]) -> bool:
    """A kind that only some mafia games have, such as the question about a ring."""
    shared = one.__module__ == "knightfall.mafia.events"
    return shared and not (TEMPLATES / game / f"{one.kind}.j2").exists() and one.kind == "knot"


@pytest.mark.few(29)
@pytest.mark.parametrize(("game", "event"), EVENTS, ids=lambda one: getattr(one, "__name__", one))
def test_the_template_of_an_event_reads_its_fields_alone(game: str, event: type[Facts]) -> None:
    if told_only_elsewhere(game, event):
        return
    name = f"{game}/{event.kind}"
    assert (TEMPLATES / f"{name}.j2").is_file(), f"{event.__name__} has no template {name}.j2"
    known = get_type_hints(event)
    unknown = set(names_read(name)) - {field.name for field in fields(event)}  # type: ignore[arg-type]
    assert not unknown, f"{name} reads {sorted(unknown)}, which {event.__name__} has not"
    wrong = [fault for tree in trees(name) for fault in Reading(dict(known), rows_of(game)).faults(tree)]
    assert not wrong, f"{name} reads {wrong}"


@pytest.mark.few(2)
@pytest.mark.parametrize("game", PLACES)
def test_every_template_of_a_game_is_of_an_event(game: str) -> None:
    kinds = {one.kind for one in event_classes(game)}
    texts = (path.read_text(encoding="utf-8") for path in TEMPLATES.glob("*/*.j2"))
    pieces = {name.partition("/")[2] for text in texts for name in parts_of(text)}
    written = {path.stem for path in (TEMPLATES / game).glob("*.j2")}
    assert written - kinds - pieces == set()


def source(name: str) -> str:
    return (TEMPLATES / f"{name}.j2").read_text(encoding="utf-8")


def parts_of(text: str) -> Iterator[str]:
    """The templates that one takes in whole, or takes macros from."""
    taken = (nodes.Include, nodes.FromImport, nodes.Import, nodes.Extends)
    yield from (name for node in PARSER.parse(text).find_all(taken) for name in template_of(node))


def template_of(node: nodes.Node) -> Iterator[str]:
    """The template that a node takes in; nothing where it is an expression."""
    template = getattr(node, "template", None)
    if isinstance(template, nodes.Const):
        yield str(template.value).removesuffix(".j2")


def trees(name: str) -> Iterator[nodes.Template]:
    """The template, and those that it includes as they stand."""
    tree = PARSER.parse(source(name))
    yield tree
    for node in tree.find_all((nodes.Include, nodes.Extends)):
        for part in template_of(node):
            yield from trees(part)


def names_read(name: str) -> Iterator[str]:
    for tree in trees(name):
        yield from find_undeclared_variables(tree)


@dataclass
class Reading:
    """What the names of a template are, as far as it can be told; a name of no type is looked at no further.
    `rows` are a game's own rows, which stand where it names the shared ones that they extend."""

    known: dict[str, Any]
    rows: tuple[type, ...] = ()

    def faults(self, node: nodes.Node) -> Iterator[str]:
        """Fields that are read of a row that has not got them."""
        if isinstance(node, nodes.Macro | nodes.CallBlock):
            return
        if isinstance(node, nodes.For):
            yield from self.faults(node.iter)
            inner = Reading(dict(self.known), self.rows)
            if isinstance(node.target, nodes.Name):
                inner.known[node.target.name] = element_of(self.type_of(node.iter))
            for child in (*node.body, *node.else_):
                yield from inner.faults(child)
            return
        if isinstance(node, nodes.Assign) and isinstance(node.target, nodes.Name):
            yield from self.faults(node.node)
            self.known[node.target.name] = self.type_of(node.node)
            return
        if isinstance(node, nodes.Getattr):
            row = self.row_type(self.type_of(node.node))
            if row is not None and node.attr not in get_type_hints(row):
                yield f"{row.__name__}.{node.attr}"
        for child in node.iter_child_nodes():
            yield from self.faults(child)

    def type_of(self, node: nodes.Node) -> Any:
        """The type of an expression; None where it cannot be told."""
        if isinstance(node, nodes.Name):
            return self.known.get(node.name)
        if isinstance(node, nodes.Getattr | nodes.Getitem):
            outer = self.type_of(node.node)
            row = self.row_type(outer)
            if isinstance(node, nodes.Getattr):
                return get_type_hints(row).get(node.attr) if row else None
            return element_of(outer)
        return None

    def row_type(self, kind: Any) -> type | None:
        """The dataclass that a value of this type is; None for anything else, and for several."""
        rows = [one for one in alternatives(kind) if isinstance(one, type) and is_dataclass(one)]
        if len(rows) != 1:
            return None
        return next((own for own in self.rows if issubclass(own, rows[0])), rows[0])


def rows_of(game: str) -> tuple[type, ...]:
    """The rows that a game adds fields to."""
    own: list[type] = []
    for place in places_of(game):
        module = import_module(place) if find_spec(place) else None
        own += [one for one in vars(module).values() if isinstance(one, type)] if module else []
    return tuple(one for one in own if one.__module__ in places_of(game) and not issubclass(one, Facts))


def element_of(kind: Any) -> Any:
    """What a tuple or list of this type holds, or a mapping gives."""
    for one in alternatives(kind):
        arguments, origin = get_args(one), get_origin(one)
        if origin in (tuple, list) and arguments:
            return arguments[0]
        if isinstance(origin, type) and issubclass(origin, Mapping) and len(arguments) == 2:
            return None
    return None


def alternatives(kind: Any) -> tuple[Any, ...]:
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{% for row in roles %}{{ row.name }}{{ row.card }}{% endfor %}", ["Card.card"]),
        ("{{ roles[0].side }}", ["Card.side"]),
        ("{% set one = roles[0] %}{{ one.role }}{{ one.end }}", ["Card.end"]),
        ("{% for row in roles %}{{ row.role }}{{ loop.index }}{% endfor %}{{ code }}", []),
    ],
)
def test_a_field_that_a_row_has_not_is_found(text: str, said: list[str]) -> None:
    from knightfall.mafia.events import Deal

    assert list(Reading(get_type_hints(Deal)).faults(PARSER.parse(text))) == said
