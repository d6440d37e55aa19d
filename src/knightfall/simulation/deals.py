"""Every deal that a setup can make, each with its chance; where there are very many, a sample of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement, product
from math import comb, factorial, prod

from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.abilities import Trait
from knightfall.games.custom_mafia.options import Line, Setup
from knightfall.mafia.roles import Role

MOST = 5_000
"""Combinations that are written out; of more so many deals are drawn as `SAMPLE`."""
SAMPLE = 2_000


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that one line or row gives, sorted by name; the first `lovers` of them love each other."""

    roles: tuple[Role, ...]
    lovers: int = 0


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal: its chance, and the groups of cards. `row`: the row or column of a matrix that was drawn."""

    chance: float
    groups: tuple[Group, ...]
    row: str = ""

    @property
    def roles(self) -> tuple[Role, ...]:
        """All cards."""
        return tuple(role for group in self.groups for role in group.roles)

    @property
    def cards(self) -> Counter[str]:
        """Role → how many."""
        return Counter(role.name for role in self.roles)

    @property
    def lone_lover(self) -> bool:
        """Whether a lover loves nobody."""
        for group in self.groups:
            loving = group.lovers or sum(Trait.LOVER in role.traits for role in group.roles)
            if loving == 1:
                return True
        return False

    def table(self, name: str, night_first: bool, options: Mapping[str, object]) -> dict[str, object]:
        """A setup that makes this deal and no other."""
        slots = [
            {
                "pick": len(group.roles),
                "from": [role.name for role in group.roles],
                **({"lovers": group.lovers} if group.lovers else {}),
            }
            for group in self.groups
        ]
        starts = "night" if night_first else "day"
        return {"name": name, "starts": starts, "options": dict(options), "slots": slots}


@dataclass(frozen=True, slots=True)
class Deals:
    """The deals, likeliest first; `complete`: all there are."""

    deals: tuple[Deal, ...]
    complete: bool


def deals_of(setup: Setup, players: int) -> Deals:
    """The deals of a setup for so many players; two that give the same cards are one."""
    lines = [(line, players - setup.least if line.count is None else line.count) for line in setup.lines]
    sizes = [_ways(line, count) for line, count in lines]
    complete = prod(sizes) * max(1, len(setup.groups)) <= MOST
    found = _every(setup, lines) if complete else _some(setup, lines)
    merged: dict[tuple[tuple[str, ...], ...], Deal] = {}
    for deal in found:
        key = tuple(sorted(tuple(role.name for role in group.roles) for group in deal.groups))
        before = merged.get(key)
        chance = deal.chance + (before.chance if before else 0.0)
        row = deal.row if before is None or not before.row else f"{before.row}, {deal.row}"
        merged[key] = Deal(chance, deal.groups, row)
    ordered = sorted(merged.values(), key=lambda deal: (-round(deal.chance, 9), str(sorted(deal.cards))))
    return Deals(tuple(ordered), complete)


def _ways(line: Line, count: int) -> int:
    """In how many ways the cards of a line can come out."""
    kinds = len(line.roles)
    return comb(kinds, count) if line.pick else comb(kinds + count - 1, count)


def _every(setup: Setup, lines: list[tuple[Line, int]]) -> Iterator[Deal]:
    each = [list(_line(line, count)) for line, count in lines]
    tickets = len(setup.tickets)
    rows = [(group.name, group.roles, group.weight / tickets) for group in setup.groups] or [("", (), 1.0)]
    for drawn in product(*each):
        for name, row, share in rows:
            chance = prod(chance for chance, _ in drawn) * share
            groups = [group for _, group in drawn if group.roles]
            yield Deal(chance, (*groups, *([Group(_sorted(row))] if row else [])), name)


def _line(line: Line, count: int) -> Iterator[tuple[float, Group]]:
    """What a line gives, with chances."""
    places = range(len(line.roles))
    if line.pick:
        for chosen in combinations(places, count):
            roles = _sorted(line.roles[place] for place in chosen)
            yield 1 / comb(len(line.roles), count), Group(roles, line.lovers)
        return
    for drawn in combinations_with_replacement(places, count):
        orders = factorial(count) // prod(factorial(number) for number in Counter(drawn).values())
        roles = _sorted(line.roles[place] for place in drawn)
        yield orders / len(line.roles) ** count, Group(roles, line.lovers)


def _some(setup: Setup, lines: list[tuple[Line, int]]) -> Iterator[Deal]:
    draw = SeededRng(b"review")
    tickets = setup.tickets
    for number in range(SAMPLE):
        groups = []
        for place, (line, count) in enumerate(lines):
            label, names = f"{number}:{place}", [str(at) for at in range(len(line.roles))]
            drawn = draw.sample(label, names, count) if line.pick else draw.choices(label, names, count)
            groups.append(Group(_sorted(line.roles[int(at)] for at in drawn), line.lovers))
        name = ""
        if tickets:
            row = tickets.group(draw.choice(f"{number}:row", tickets))
            name = row.name
            groups.append(Group(_sorted(row.roles)))
        yield Deal(1 / SAMPLE, tuple(group for group in groups if group.roles), name)


def _sorted(roles: Iterable[Role]) -> tuple[Role, ...]:
    return tuple(sorted(roles, key=lambda role: role.name))
