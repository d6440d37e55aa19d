"""Compositions, and styles in which moderators write them: what the reader of setups is tried on."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knightfall.games.custom_mafia.open_setups import open_setups
from knightfall.games.custom_mafia.setup import parse_setup

Part = tuple[int | None, tuple[str, ...], bool]
"""How many (None: all the others), of which roles, and whether none is drawn twice."""


@dataclass(frozen=True)
class Composition:
    """What a setup is: its parts, the rows of a matrix, and whether columns are dealt, too."""

    name: str
    parts: tuple[Part, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    columns: bool = False


def composition_of(table: Mapping[str, Any], name: str = "") -> Composition:
    """The composition of a setup's table."""
    setup = parse_setup(table)
    parts = tuple((line.count, tuple(role.name for role in line.roles), line.pick) for line in setup.lines)
    rows = tuple(tuple(role.name for role in row) for row in setup.rows)
    return Composition(name or setup.name, parts, rows, setup.columns)


def plain_form(composition: Composition) -> tuple[object, ...]:
    """What two compositions have in common that are the same, however their lines are parted."""
    single: Counter[str] = Counter()
    rest: set[tuple[str, ...]] = set()
    drawn: list[tuple[object, ...]] = []
    for count, roles, pick in composition.parts:
        if count is None:
            rest.add(roles)
        elif len(roles) == 1:
            single[roles[0]] += count
        else:
            drawn.append((count, tuple(sorted(roles)), pick and count > 1))
    return (
        sorted(single.items()),
        sorted(rest),
        sorted(map(repr, drawn)),
        composition.rows,
        composition.columns,
    )


# ── compositions ─────────────────────────────────────────────────────────────────────────────────

_TOWN = (
    "Town Cop",
    "Town Doctor",
    "Town Vigilante",
    "Town Roleblocker",
    "Town Jailkeeper",
    "Town Tracker",
    "Town Watcher",
    "Town Gunsmith",
    "Town Rolecop",
    "Town Neapolitan",
    "Town Commuter",
    "Town Bus Driver",
    "Town Bodyguard",
    "Town Miller",
    "Town Bomb",
    "Town 1-Shot Vigilante",
    "Town 2-Shot Doctor",
    "Town Odd-Night Cop",
    "Town Weak Doctor",
    "Town 1-Shot Bulletproof",
    "Town Redirector",
)
_MAFIA = (
    "Mafia Roleblocker",
    "Mafia Godfather",
    "Mafia Rolecop",
    "Mafia Ninja",
    "Mafia Strongman",
    "Mafia Tracker",
    "Mafia 1-Shot Doctor",
)
_OTHERS = ("Serial Killer", "Jester", "Survivor")


def compositions() -> tuple[Composition, ...]:
    """Sixty: the open setups that are no list of rows, Matrix6 among them, and others by a fixed seed."""
    found = [
        composition_of(one.table, one.name)
        for one in open_setups()
        if not one.setup.rows or one.setup.columns
    ]
    chance = random.Random(2026)
    while len(found) < 60:
        parts: list[Part] = [(chance.randint(1, 3), ("Mafia Goon",), False)]
        parts += [(1, (role,), False) for role in chance.sample(_MAFIA, chance.randint(0, 2))]
        town = chance.sample(_TOWN, chance.randint(1, 5))
        parts += [(1 if chance.random() < 0.8 else 2, (role,), False) for role in town]
        if chance.random() < 0.2:
            parts.append((chance.randint(2, 4), ("Town Mason",), False))
        if chance.random() < 0.3:
            parts.append((1, (chance.choice(_OTHERS),), False))
        left = [role for role in _TOWN if role not in town]
        if chance.random() < 0.3:
            parts.append((1, tuple(chance.sample(left, 2)), False))
        elif chance.random() < 0.3:
            parts.append((2, tuple(chance.sample(left, 4)), True))
        parts.append((None if chance.random() < 0.3 else chance.randint(3, 9), ("Vanilla Townie",), False))
        found.append(Composition(f"Drawn {len(found)}", tuple(parts)))
    return tuple(found)


# ── words ────────────────────────────────────────────────────────────────────────────────────────

_SHORT = {
    "Mafia Goon": "Goon",
    "Vanilla Townie": "VT",
    "Town Roleblocker": "RB",
    "Mafia Roleblocker": "Mafia RB",
    "Town Jailkeeper": "JK",
    "Town Vigilante": "Vig",
    "Town 1-Shot Vigilante": "1-shot vig",
    "Serial Killer": "SK",
    "Mafia Godfather": "GF",
    "Town Doctor": "Doc",
    "Town Bodyguard": "BG",
    "Town 2-Shot Doctor": "2-shot doc",
    "Town Weak Doctor": "Weak Doc",
    "Town 1-Shot Bulletproof": "1-shot BP",
}


def plural(role: str) -> str:
    """Several of a role."""
    if role.endswith("man"):
        return f"{role.removesuffix('man')}men"
    return f"{role}s" if not role.endswith("Bulletproof") else f"{role} Townies"


def named(count: int | None, role: str) -> str:
    return role if count == 1 else plural(role)


def bare_role(role: str) -> str:
    """A role without its side, as below a heading."""
    return role.removeprefix("Town ").removeprefix("Mafia ")


def drawn(part: Part, words: Callable[[str], str] = str) -> str:
    """A part of several roles."""
    count, roles, pick = part
    listed = [words(role) for role in roles]
    if count == 1:
        return " or ".join(listed)
    how = "without" if pick else "with"
    return f"{count} of {{{', '.join(listed)}}} {how} repeats"


def side_of(part: Part) -> str:
    roles = part[1]
    if all(role.startswith("Mafia") for role in roles):
        return "Mafia"
    return "Third Party" if roles[0] in _OTHERS else "Town"


def matrix_sentence(composition: Composition) -> str:
    return (
        "One row or one column of the table is chosen at random."
        if composition.columns
        else "One row is chosen at random."
    )


def pipe_matrix(composition: Composition) -> list[str]:
    width = len(composition.rows[0]) if composition.rows else 0
    heads = " | ".join("ABCDEF"[:width])
    body = [f"| {n} | {' | '.join(row)} |" for n, row in enumerate(composition.rows, start=1)]
    return (
        [f"| | {heads} |", f"|---|{'---|' * width}", *body, "", matrix_sentence(composition)] if width else []
    )


# ── styles ───────────────────────────────────────────────────────────────────────────────────────


def _lines(
    composition: Composition, say: Callable[[int | None, str], str], words: Callable[[str], str] = str
) -> Iterator[str]:
    for part in composition.parts:
        count, roles, _ = part
        yield say(count, roles[0]) if len(roles) == 1 else drawn(part, words)


def _counted(count: int | None, role: str) -> str:
    return f"the rest: {plural(role)}" if count is None else f"{count} {named(count, role)}"


def wiki_list(one: Composition) -> str:
    """A page of a wiki: links, a list, a table of the matrix, mechanics below."""

    def linked(count: int | None, role: str) -> str:
        link = f"[[{bare_role(role)}|{named(count, role)}]]"
        return f"Everyone else: [[{role}]]" if count is None else f"{count} {link}"

    width = len(one.rows[0]) if one.rows else 0
    matrix = ['{|class="wikitable"', f"! !!{'!!'.join('ABCDEF'[:width])}"]
    for n, row in enumerate(one.rows, start=1):
        matrix += ["|-", f"!{n}", f"|{'||'.join(f'[[{bare_role(role)}|{role}]]' for role in row)}"]
    table = [*matrix, "|}", matrix_sentence(one)] if one.rows else []
    cards = [f"* {line}" for line in _lines(one, linked)]
    below = ["==Mechanics==", "*'''Daystart'''", "*Doctors prevent one kill.", "[[Category:Open Setups]]"]
    return "\n".join([f"'''{one.name}''' is an [[Open]] setup.", "==Setup==", *table, *cards, *below])


def bbcode_list(one: Composition) -> str:
    """A list in a spoiler, in colours."""

    def coloured(count: int | None, role: str) -> str:
        colour = "red" if role.startswith("Mafia") else "green"
        said = _counted(count, role)
        return f"[*][color={colour}]{said}[/color]"

    entries = [line if line.startswith("[*]") else f"[*]{line}" for line in _lines(one, coloured)]
    return "\n".join(
        [
            "[size=150][b]Sign-ups are open![/b][/size]",
            "Please post /in if you want to play.",
            "",
            '[spoiler="Setup"]',
            *_bbcode_matrix(one),
            "[list]",
            *entries,
            "[/list][/spoiler]",
        ]
    )


def _bbcode_matrix(one: Composition) -> list[str]:
    if not one.rows:
        return []
    rows = ["".join(f"[td]{role}[/td]" for role in row) for row in one.rows]
    return ["[table]", *(f"[tr]{row}[/tr]" for row in rows), "[/table]", matrix_sentence(one)]


def comma_line(one: Composition) -> str:
    """All in one line."""
    said = ", ".join(_lines(one, _counted))
    return "\n".join([*pipe_matrix(one), said])


def by_side(one: Composition) -> str:
    """A sign-up post with headings by side, its rules and its players."""
    lines = ["[b]Salt Harbour Open[/b]", "Hosted by Wren. Days last 72 hours, nights 24 hours.", ""]
    lines += pipe_matrix(one)
    for side in ("Town", "Mafia", "Third Party"):
        parts = [part for part in one.parts if side_of(part) == side and part[0] is not None]
        if not parts:
            continue
        fixed = sum(count or 0 for count, _, _ in parts)
        whole = all(part[0] is not None for part in one.parts)
        lines += ["", f"[b]{side}{f' ({fixed})' if whole else ''}:[/b]"]
        for part in parts:
            count, roles, _ = part
            lines.append(f"{count}x {bare_role(roles[0])}" if len(roles) == 1 else drawn(part, bare_role))
    lines += [f"Everyone else: {part[1][0]}" for part in one.parts if part[0] is None]
    return "\n".join(
        [
            *lines,
            "",
            "[b]Rules[/b]",
            "1. Do not quote your PMs.",
            "2. A majority ends the day.",
            "",
            "[b]Players[/b]",
            "1. Ada",
            "2. Boro",
            "3. Cinder",
        ]
    )


def counts_behind(one: Composition) -> str:
    """Bullets, and the number in brackets behind."""

    def behind(count: int | None, role: str) -> str:
        return f"{plural(role)} (rest)" if count is None else f"{role} ({count})"

    return "\n".join([*pipe_matrix(one), "Roles:", *(f"- {line}" for line in _lines(one, behind))])


def roman(one: Composition) -> str:
    """Roman numerals, and “x2” behind."""
    numerals = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv")

    def times(count: int | None, role: str) -> str:
        return f"everybody else is a {role}" if count is None else f"{role} x{count}"

    lines = zip(numerals, _lines(one, times), strict=False)
    return "\n".join([*pipe_matrix(one), *(f"{numeral}. {line}" for numeral, line in lines)])


def markdown(one: Composition) -> str:
    """Headings and bold of markdown, the number with a cross."""

    def crossed(count: int | None, role: str) -> str:
        return f"rest **{role}**" if count is None else f"**{count}×** {role}"

    return "\n".join(
        [
            "# Tin Valley Mafia",
            "",
            "Welcome! We start when everybody has confirmed.",
            "",
            "## Setup",
            *pipe_matrix(one),
            *(f"- {line}" for line in _lines(one, crossed)),
            "",
            "## Schedule",
            "- Day 1 starts on Monday, 6 pm",
            "",
            "## Signed up",
            "1. @Ada",
            "2. @Boro",
        ]
    )


def abbreviated(one: Composition) -> str:
    """Short words, as in a chat."""

    def short(role: str) -> str:
        return _SHORT.get(role, role if role.startswith("Mafia") else bare_role(role))

    def said(count: int | None, role: str) -> str:
        word = short(role)
        return (
            f"rest {word}"
            if count is None
            else f"{count} {word}{'s' if count > 1 and role in _SHORT else ''}"
        )

    return "\n".join([*pipe_matrix(one), *_lines(one, said, short)])


def upper(one: Composition) -> str:
    """Capitals."""
    lines = [line.upper() for line in _lines(one, _counted)]
    return "\n".join([*pipe_matrix(one), *lines])


def role_table(one: Composition) -> str:
    """A table of markdown with role and number."""
    whole = all(count is not None for count, _, _ in one.parts) and not one.rows
    single = [part for part in one.parts if len(part[1]) == 1 and part[0] is not None]
    others = [part for part in one.parts if part not in single]
    body = [f"| {part[1][0]} | {part[0]} |" for part in single]
    total = sum(part[0] or 0 for part in single)
    lines = [
        "| Role | Number |",
        "|:--|--:|",
        *body,
        *([f"| Total | {total} |"] if whole and not others else []),
    ]
    more = [f"everyone else: {part[1][0]}" if part[0] is None else drawn(part) for part in others]
    return "\n".join([*pipe_matrix(one), "", *lines, "", *more])


def tabbed(one: Composition) -> str:
    """A table out of a spreadsheet: side, number, role."""
    single = [part for part in one.parts if len(part[1]) == 1 and part[0] is not None]
    others = [part for part in one.parts if part not in single]
    body = [f"{side_of(part)}\t{part[0]}\t{bare_role(part[1][0])}" for part in single]
    more = [f"everyone else: {part[1][0]}" if part[0] is None else drawn(part) for part in others]
    return "\n".join([*pipe_matrix(one), "", "Side\tCount\tRole", *body, "", *more])


def sentence(one: Composition) -> str:
    """A sentence in a post of some others."""
    single = [part for part in one.parts if len(part[1]) == 1 and part[0] is not None]
    others = [part for part in one.parts if part not in single]
    said = [_counted(count, roles[0]) for count, roles, _ in single]
    more = [f"Everyone else is a {part[1][0]}." if part[0] is None else drawn(part) for part in others]
    listed = f"{', '.join(said[:-1])} and {said[-1]}" if len(said) > 1 else said[0]
    return "\n".join(
        [
            "Hello everybody, I would like to run a game here.",
            *pipe_matrix(one),
            f"There will be {listed}.",
            *more,
            "Please tell me if you want to play.",
        ]
    )


def html_list(one: Composition) -> str:
    """What is pasted from a page as its source."""
    entries = "".join(f"<li>{line}</li>" for line in _lines(one, _counted))
    return "\n".join(["<h3>Setup</h3>", *pipe_matrix(one), f"<ul>{entries}</ul>"])


STYLES: Sequence[Callable[[Composition], str]] = (
    wiki_list,
    bbcode_list,
    comma_line,
    by_side,
    counts_behind,
    roman,
    markdown,
    abbreviated,
    upper,
    role_table,
    tabbed,
    sentence,
    html_list,
)
