"""A moderator's own setup, read and dealt.

A plain mapping, as TOML reads it: `[[slots]]` tables, each a role, one of several or a pick of several, and
perhaps `[[row]]` tables of which one is drawn, by their weights where they have some, or `[letters]` that say
how the rows come about. Every complaint names the key, what was found and what was expected. In the deal what
is not fixed is drawn, then the names are shuffled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knightfall.engine.game import check_distinct, nearest
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import Trait
from knightfall.games.custom_mafia.catalog import TOWNIE
from knightfall.games.custom_mafia.options import (
    PLAYERS,
    SETUP,
    VANILLA,
    Letter,
    Letters,
    Line,
    Setup,
    parse_options,
    vanilla,
)
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import winner
from knightfall.games.custom_mafia.state import State, Terms
from knightfall.mafia.roles import THREATS, Role
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId, sentence

_KEYS = (
    "schema",
    "name",
    "starts",
    "reveal_setup",
    "options",
    "wins",
    "slots",
    "row",
    "columns",
    "cards",
    "letters",
)
_SLOT_KEYS = ("role", "one_of", "pick", "from", "count", "fill", "lovers")
_ROW_KEYS = ("roles", "weight")
_LETTERS_KEYS = ("draws", "fill", "letter")
_LETTER_KEYS = ("name", "weight", "cards")
_WINS: Mapping[str, str] = {
    "town": "town_wins",
    "mafia": "mafia_wins",
    "killer": "killer_wins",
    "jester": "jester",
}
_SCHEMA = 1
_LONGEST = 80  # letters of a name
_LONGEST_TEXT = 2000  # letters of what a card says
_SHOWN = 60  # letters of what was found
_MOST_ROWS = 1000
_MOST_TICKETS = 10**15  # of all rows, each with as many as its weight says: a length of any sequence
_MOST_DRAWS = 12
_MOST_LETTERS = 12
_MOST_WEIGHT = 1000  # of a letter


def setup_of(options: Mapping[str, object], players: int) -> Setup:
    """The setup among a game's options. Raises InputError as `parse_setup`, and for what is no setup."""
    given = options.get(SETUP, VANILLA)
    if isinstance(given, Mapping):
        return parse_setup(given)
    if isinstance(given, str) and given.strip().lower() == VANILLA:
        return vanilla(players)
    raise _wrong(SETUP, given, f"{VANILLA!r}, or a table such as a setup file holds")


def parse_setup(given: Mapping[str, object]) -> Setup:
    """Read a setup. Raises InputError with key, what was found and what was expected."""
    _known(SETUP, given, _KEYS)
    if (schema := given.get("schema", _SCHEMA)) != _SCHEMA or isinstance(schema, bool):
        raise _wrong(f"{SETUP}.schema", schema, str(_SCHEMA))
    weighted = tuple(_rows(given))
    letters = _letters(given)
    if letters is not None:
        if weighted:
            raise InputError(f"{SETUP}.letters: found beside [[row]], expected only one of them.")
        if not 1 <= letters.ways <= _MOST_ROWS:
            raise InputError(
                f"{SETUP}.letters: found {letters.ways} ways to come out, expected 1 to {_MOST_ROWS}."
            )
        weighted = tuple((group.roles, group.weight) for group in letters.groups)
    weights = tuple(weight for _, weight in weighted)
    lines = tuple(_line(f"{SETUP}.slots[{n}]", table) for n, table in _tables(given, "slots"))
    value = given.get("name", "Custom")
    text = value.strip() if isinstance(value, str) else ""
    if not text.isprintable() or not 1 <= len(text) <= _LONGEST:
        raise _wrong(f"{SETUP}.name", value, f"a name in one line of at most {_LONGEST} letters")
    setup = Setup(
        text,
        lines,
        tuple(row for row, _ in weighted),
        _flag(SETUP, given, "columns", default=False),
        _word(SETUP, given, "starts", ("day", "night")) == "night",
        _flag(SETUP, given, "reveal_setup", default=True),
        _options(given),
        _cards(given),
        weights if len(set(weights)) > 1 else (),
        letters,
    )
    # What no single table can be wrong about.
    if setup.columns and (letters is not None or not setup.rows):
        raise InputError(f"{SETUP}.columns: found true without any [[row]], expected rows to draw from.")
    if setup.columns and len(setup.rows) != len(setup.rows[0]):
        raise InputError(
            f"{SETUP}.columns: found {len(setup.rows)} rows of {len(setup.rows[0])} cards, "
            f"expected as many rows "
            "as a row has cards: a column is dealt in the place of a row."
        )
    if setup.columns and setup.weights:
        raise InputError(
            f"{SETUP}.columns: found beside weights, expected rows and columns that are all as likely."
        )
    if (tickets := sum(group.weight for group in setup.groups)) > _MOST_TICKETS:
        key = "letters" if letters is not None else "row"
        raise InputError(
            f"{SETUP}.{key}: found weights of {tickets} in all, expected at most {_MOST_TICKETS}."
        )
    if sum(line.count is None for line in setup.lines) > 1:
        raise InputError(f"{SETUP}.slots: found fill = true twice, expected one table for all who remain.")
    if setup.least > PLAYERS[-1] or (setup.least < PLAYERS[0] and not setup.filled):
        numbers = f"{PLAYERS[0]} to {PLAYERS[-1]}"
        raise InputError(f"{SETUP}.slots: found {setup.least} cards in all, expected {numbers}.")
    tables = (*(line.roles for line in setup.lines), *setup.rows)
    if not any(role.alignment in THREATS for roles in tables for role in roles):
        raise InputError(
            f"{SETUP}.slots: found neither mafia nor Serial Killer, expected one of them at least."
        )
    return setup


def _line(where: str, table: Mapping[str, object]) -> Line:
    """One `[[slots]]` table."""
    _known(where, table, _SLOT_KEYS)
    named = [key for key in ("role", "one_of", "from") if key in table]
    if len(named) != 1:
        found = " and ".join(named) or "none of them"
        raise InputError(f"{where}: found {found}, expected one of: role, one_of, or pick with from.")
    if ("pick" in table) != ("from" in table):
        raise InputError(
            f"{where}: pick and from belong together, as in pick = 2, from = [ROLE, ROLE, ROLE]."
        )
    line = _drawn(where, table, named[0])
    # Love needs two: all lovers of one table belong together.
    if line.lovers and not 2 <= line.lovers <= (line.count or 0):
        raise _wrong(
            f"{where}.lovers", line.lovers, f"a number from 2 to the {line.count} cards of the table"
        )
    if line.count == 1 and len(line.roles) == 1 and Trait.LOVER in line.roles[0].traits:
        raise InputError(
            f"{where}.role: found one {line.roles[0].name} alone, expected two lovers in one table: "
            "count = 2, or for different cards pick = 2 with from."
        )
    return line


def _drawn(where: str, table: Mapping[str, object], key: str) -> Line:
    fill = _flag(where, table, "fill", default=False)
    if "count" in table and (fill or key == "from"):
        raise InputError(
            f"{where}.count: found beside {'fill' if fill else 'pick'}, expected only one of them."
        )
    if fill and (key == "from" or "lovers" in table):
        beside = "pick" if key == "from" else "lovers"
        raise InputError(f"{where}.fill: found beside {beside}, expected it with role or one_of alone.")
    roles = (_role(f"{where}.role", table["role"]),) if key == "role" else _roles(where, table, key)
    if key == "from":
        return Line(roles, _number(where, table, "pick", len(roles)), True, _lovers(where, table))
    return Line(roles, None if fill else _number(where, table, "count"), False, _lovers(where, table))


def _lovers(where: str, table: Mapping[str, object]) -> int:
    return _number(where, table, "lovers") if "lovers" in table else 0


def _rows(given: Mapping[str, object]) -> Iterator[tuple[tuple[Role, ...], int]]:
    """Each row with its weight."""
    first = 0
    for number, table in _tables(given, "row", _MOST_ROWS):
        where = f"{SETUP}.row[{number}]"
        _known(where, table, _ROW_KEYS)
        row = _roles(where, table, "roles")
        first = first or len(row)
        if len(row) != first:
            raise InputError(f"{where}.roles: found {len(row)} cards, expected {first} as in the first row.")
        yield row, _number(where, table, "weight", _MOST_TICKETS)


def _letters(given: Mapping[str, object]) -> Letters | None:
    """`[letters]`: how many are drawn, and of each what it gives, by how often it comes."""
    if "letters" not in given:
        return None
    where, table = f"{SETUP}.letters", _table(given, "letters")
    _known(where, table, _LETTERS_KEYS)
    draws = _number(where, table, "draws", _MOST_DRAWS)
    letters: list[Letter] = []
    for number, one in _tables(table, "letter", _MOST_LETTERS, where):
        place = f"{where}.letter[{number}]"
        _known(place, one, _LETTER_KEYS)
        name = one.get("name")
        if not (isinstance(name, str) and len(name) == 1 and name.isalpha() and name.isupper()):
            raise _wrong(f"{place}.name", name, "one capital letter")
        if any(letter.name == name for letter in letters):
            raise _wrong(f"{place}.name", name, "a letter that no other has")
        lists = one.get("cards")
        if not isinstance(lists, list | tuple) or not 1 <= len(lists) <= draws + 1:
            raise _wrong(
                f"{place}.cards", lists, f"lists of roles: for none of it, for one, up to {draws} of it"
            )
        cards = tuple(
            _cards_of_letter(f"{place}.cards[{times}]", roles) for times, roles in enumerate(lists, start=1)
        )
        letters.append(Letter(name, _number(place, one, "weight", _MOST_WEIGHT), cards))
    return Letters(draws, tuple(letters), _role(f"{where}.fill", table.get("fill", TOWNIE.name)))


def _cards_of_letter(where: str, roles: object) -> tuple[Role, ...]:
    if not isinstance(roles, list | tuple) or len(roles) > PLAYERS[-1]:
        raise _wrong(where, roles, "a list of roles, empty where the letter gives none")
    return tuple(_role(f"{where}[{number}]", one) for number, one in enumerate(roles, start=1))


def _options(given: Mapping[str, object]) -> Mapping[str, object]:
    """`options`, and `wins`, which sets some of them by other names."""
    options, wins = dict(_table(given, "options")), _table(given, "wins")
    _known(f"{SETUP}.wins", wins, tuple(_WINS))
    for key, value in wins.items():
        name = _WINS[key]
        if name in options and str(options[name]).lower() != str(value).lower():
            raise _wrong(f"{SETUP}.wins.{key}", value, f"what {SETUP}.options.{name} says: {options[name]!r}")
        options[name] = value
    try:
        parse_options(options)
    except InputError as error:
        raise InputError(f"{SETUP}.options: {error}") from error
    return options


def _cards(given: Mapping[str, object]) -> Mapping[str, str]:
    """`[cards]`: what cards of the moderator's own say, by name."""
    found = {}
    for name, value in _table(given, "cards").items():
        text = value.strip() if isinstance(value, str) else ""
        if not 1 <= len(text) <= _LONGEST_TEXT:
            raise _wrong(
                f"{SETUP}.cards.{name}", value, f"what the card says, in at most {_LONGEST_TEXT} letters"
            )
        found[" ".join(str(name).split())] = text
    return found


def _role(where: str, value: object) -> Role:
    if not isinstance(value, str):
        raise _wrong(where, value, 'a role in words, such as "Town 2-Shot Cop"')
    try:
        return parse_role(value)
    except InputError as error:
        raise InputError(sentence("{where}: {fault}", where=where, fault=error)) from error


def _roles(where: str, table: Mapping[str, object], key: str) -> tuple[Role, ...]:
    value = table.get(key)
    if not isinstance(value, list | tuple) or not 1 <= len(value) <= PLAYERS[-1]:
        raise _wrong(f"{where}.{key}", value, f'a list of 1 to {PLAYERS[-1]} roles, such as ["Town Cop"]')
    return tuple(_role(f"{where}.{key}[{number}]", one) for number, one in enumerate(value, start=1))


def _tables(
    given: Mapping[str, object], key: str, most: int = PLAYERS[-1], where: str = SETUP
) -> Iterator[tuple[int, Mapping[str, object]]]:
    """The tables of a list, from 1."""
    value = given.get(key, [])
    if not isinstance(value, list | tuple) or not all(isinstance(one, Mapping) for one in value):
        raise _wrong(f"{where}.{key}", value, f"tables: [[{key}]]")
    if len(value) > most:
        raise InputError(f"{where}.{key}: found {len(value)} tables, expected at most {most}.")
    yield from enumerate(value, start=1)


def _table(given: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = given.get(key, {})
    if not isinstance(value, Mapping):
        raise _wrong(f"{SETUP}.{key}", value, f"a table: [{key}]")
    return value


def _word(where: str, given: Mapping[str, object], key: str, words: Sequence[str]) -> str:
    """One of the words; the first where nothing is said."""
    value = given.get(key, words[0])
    if not isinstance(value, str) or value not in words:
        raise _wrong(f"{where}.{key}", value, " or ".join(f'"{word}"' for word in words))
    return value


def _flag(where: str, given: Mapping[str, object], key: str, *, default: bool) -> bool:
    value = given.get(key, default)
    if not isinstance(value, bool):
        raise _wrong(f"{where}.{key}", value, "true or false")
    return value


def _number(where: str, given: Mapping[str, object], key: str, most: int = PLAYERS[-1]) -> int:
    value = given.get(key, 1)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
        raise _wrong(f"{where}.{key}", value, f"a whole number from 1 to {most}")
    return value


def _known(where: str, given: Mapping[str, object], keys: Sequence[str]) -> None:
    for key in given:
        if key not in keys:
            raise InputError(f"{where}: unknown key “{repr(str(key))[1:-1]}”{nearest(str(key), keys)}")


def _wrong(where: str, found: object, expected: str) -> InputError:
    shown = repr(found)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return InputError(f"{where}: found {shown}, expected {expected}.")


@dataclass(frozen=True, slots=True)
class _Card:
    """A card with the table it came from, where its holder loves others of that table."""

    role: Role
    loves: int | None = None


def deal(slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> State:
    """The position at the start. Raises InputError for slots, options or a setup that cannot be played."""
    check_distinct(slots)
    setup = setup_of(options, len(slots))
    players = len(slots)
    if players not in PLAYERS:
        raise InputError(
            f"Custom Mafia is for {PLAYERS[0]} to {PLAYERS[-1]} players; the list has {players}."
        )
    if players < setup.least or (players > setup.least and not setup.filled):
        more = " or more" if setup.filled else ""
        hint = (
            ""
            if setup.filled
            else "; a line “rest: Vanilla Townie” takes all who remain (in a file: fill = true)"
        )
        raise InputError(f"{setup.name} is for {setup.least}{more} players; the list has {players}{hint}.")
    chosen = parse_options({**setup.given, **{n: value for n, value in options.items() if n != SETUP}})
    named, cards = _drawn_cards(setup, len(slots), draw)
    if won := winner([card.role for card in cards], chosen):
        raise InputError(
            f"{setup.name}: the game would be over ({won.name.lower().replace('_', ' ')}) before it begins: "
            "change the cards, or when a side wins."
        )
    order = draw.sample("cm.cards", slots, len(slots))
    held = dict(zip(order, cards, strict=True))
    phase = Phase.NIGHT if setup.night_first else Phase.DAY
    # A lover alone in a table loves nobody.
    tables = sorted({card.loves for card in held.values() if card.loves is not None})
    groups = (frozenset(slot for slot, card in held.items() if card.loves == table) for table in tables)
    terms = Terms(chosen, setup, tuple(group for group in groups if len(group) > 1))
    roles = {slot: held[slot].role for slot in slots}
    return State(f"{setup.name}{named}", terms, roles, phase, 1, night_first=setup.night_first)


def _drawn_cards(setup: Setup, players: int, draw: Rng) -> tuple[str, list[_Card]]:
    """The cards in the order of the tables, and what the row or column drawn is called."""
    cards: list[_Card] = []
    for number, line in enumerate(setup.lines, start=1):
        label = f"cm.slots:{number}"
        count = players - setup.least if line.count is None else line.count
        names = [role.name for role in line.roles]
        if len(names) == 1:  # a table of one role draws nothing
            names = names * count
        elif line.pick:
            names = list(draw.sample(label, names, count))
        else:
            names = list(draw.choices(label, names, count))
        roles = {role.name: role for role in line.roles}
        cards += _loving([roles[name] for name in names], number, line.lovers)
    if not setup.rows:
        return "", cards
    tickets = setup.tickets
    group = tickets.group(draw.choice("cm.row", tickets))
    return f", {group.name}", [*cards, *_loving(group.roles, 0, 0)]


def deck_of(options: Mapping[str, object], players: int) -> list[Any]:
    """The cards in the order of the tables for the plan of a deal, drawn as `_drawn_cards` draws them."""
    setup, deck = setup_of(options, players), list[Any]()
    for number, line in enumerate(setup.lines, start=1):
        count = players - setup.least if line.count is None else line.count
        names = [role.name for role in line.roles]
        way = "sample" if line.pick else "choices"
        drawn = {"draw": f"cm.slots:{number}", "way": way, "count": count, "of": names}
        deck += names * count if len(names) == 1 else [drawn]
    if setup.rows:
        rows = [[group.weight, [role.name for role in group.roles]] for group in setup.groups]
        deck.append({"draw": "cm.row", "of": rows})
    return deck


def _loving(roles: Sequence[Role], number: int, lovers: int) -> Iterator[_Card]:
    """The first so many love each other, and whose card says so."""
    for place, role in enumerate(roles):
        yield _Card(role, number if place < lovers or Trait.LOVER in role.traits else None)
