"""Format the answers of lookups, records and the doctor as text of at most 80 columns."""

from __future__ import annotations

from fractions import Fraction
from textwrap import fill, wrap

from tabulate import tabulate

from knightfall.games.knight_errant.table import TABLE, SetupCode
from knightfall.games.knight_fight.drawn import everything, text_board
from knightfall.games.knight_fight.record import turn_lines
from knightfall.games.knights_duty import draw_board
from knightfall.services.boards import ending, standing_lines
from knightfall.services.doctor import Diagnosis
from knightfall.services.lookups import (
    AttackOdds,
    BoardSetups,
    CodeSetups,
    ForumPlatforms,
    GameList,
    GameRulings,
    LegalMoves,
    NumberSetups,
    OddsTable,
    Replay,
)
from knightfall.services.roles import ModifierDetails, RoleCatalog, RoleDetails

_WIDTH = 80
_HEAD = 14
"""Columns of the head of a line about a role."""
_RULING_INDENT = " " * 8
_LISTED = 12  # more values of an option than this are counted, not listed
_VALUE_WIDTH = 68
FORUMS_LEGEND = """\
edits       yes: an edited post is told as edited, with its time where pages do
deleted     marked: a deleted or hidden post keeps its place; no trace: guests
            cannot see that there was one
times       exact: told for machines; approx.: read from words in the board's
            zone (see sites.toml); either: by the version, or for older posts
checked on  real pages; own pages: written for tests in the software's markup;
            docs only: from documentation. Where one fails, send it to us"""


def format_role_catalog(catalog: RoleCatalog) -> str:
    """A table of the roles, then one of the modifiers."""
    own = [
        (entry.name, entry.does, entry.written or "") for entry in catalog.entries if not entry.is_modifier
    ]
    modifiers = [(entry.name, entry.does) for entry in catalog.entries if entry.is_modifier]
    return "\n\n".join(
        (
            tabulate(own, ("Role", "What it does", "In a PM"), maxcolwidths=[14, 40, 22]),
            tabulate(modifiers, ("Modifier", "What it does to the power after it"), maxcolwidths=[15, 63]),
            "What is done is done each night, one action a player. Roles go together and may\n"
            "begin with a side: Mafia Ninja 2-Shot Doctor. Everything about one, in words:\n"
            "knightfall roles 2-shot weak doctor",
        )
    )


def format_role(details: RoleDetails | ModifierDetails) -> str:
    """Everything about one role or modifier, its rulings last."""
    lines: list[str] = []
    if isinstance(details, ModifierDetails):
        lines += [details.entry.name, details.entry.does]
        if details.entry.aliases:
            lines.append(_headed("also written", ", ".join(details.entry.aliases)))
        lines += [_headed("for instance", details.example), ""]
    else:
        lines += [details.name, _headed("side", details.side)]
        for power in details.powers:
            lines += ["", f"{power.name}: {power.does}"]
            lines += [_headed(name, does) for name, does in power.limits.items()]
            told = {"in a PM": power.written, "visits": power.visits, "stopped by": power.stopped_by}
            lines += [_headed(head, text) for head, text in told.items() if text]
        lines.append("")
        lines += [_headed(f"to a {asker}", answer) for asker, answer in details.looks.items()]
        lines.append("")
    for number, text in details.rulings.items():
        lines += wrap(f"{number:<7} {text}", _WIDTH, subsequent_indent=_RULING_INDENT)
    return "\n".join(lines)


def _headed(head: str, text: str) -> str:
    """A line with its head, wrapped."""
    return "\n".join(wrap(f"  {head:<{_HEAD}} {text}", _WIDTH, subsequent_indent=" " * (_HEAD + 3)))


def format_rulings(sheet: GameRulings) -> str:
    """Each ruling; below it its options: what holds, then what else could be chosen."""
    lines = [sheet.name]
    for entry in sheet.rulings:
        lines += wrap(f"{entry.ruling:<7} {entry.text}", _WIDTH, subsequent_indent=_RULING_INDENT)
        for option in entry.options:
            others = [one for one in option.values if one != option.chosen]
            listed = (", ".join(others) or "your own") if len(others) <= _LISTED else f"one of {len(others)}"
            mark = "default" if option.chosen == option.default else "chosen here"
            text = f"{option.name} = {option.chosen} ({mark}); else: {listed}"
            lines.append(
                fill(text, _WIDTH, initial_indent=_RULING_INDENT, subsequent_indent=_RULING_INDENT + "  ")
            )
    return "\n".join(lines)


def format_odds(table: OddsTable) -> str:
    """All attacks in a table: pile, chance of a hit and of being disarmed."""
    heads = ("Weapon", "Inspired", "Against", "Pile", "Hit", "Disarmed")
    rows = [
        (
            one.weapon,
            "yes" if one.inspired else "no",
            one.guard or "nothing",
            _cards(one),
            _percent(one.hit),
            _percent(one.disarmed),
        )
        for one in table.rows
    ]
    return tabulate(rows, heads, disable_numparse=True)


def format_attack(one: AttackOdds) -> str:
    """`sword, inspired, against a shield: 3 Hit 1 Miss 1 Shield, a hit 3/5 (60 %)`."""
    attack = str(one.weapon) + (", inspired" if one.inspired else "")
    attack += f", against a {one.guard}" if one.guard else ""
    lost = f", disarmed {_percent(one.disarmed)}" if one.disarmed else ""
    return f"{attack}: {_cards(one)}, a hit {_percent(one.hit)}{lost}"


def _cards(one: AttackOdds) -> str:
    return " ".join(f"{count} {card}" for card, count in one.pile.counts().items() if count)


def _percent(part: Fraction) -> str:
    return f"{part} ({round(float(part) * 100, 1):g} %)" if part else "0"


def format_setups(found: CodeSetups | NumberSetups | BoardSetups) -> str:
    """The codes or numbers as a table, or each board as text."""
    if isinstance(found, CodeSetups):
        rows = [
            (s.code, " ".join(s.cells), ", ".join(s.powers), _killer_abilities(s), str(s.probability))
            for s in found.codes
        ]
        heads = ("Code", "Cells", "Power roles", "Serial Killer", "Chance")
        table = tabulate(rows, heads, maxcolwidths=[5, 11, 30, 17, 6], disable_numparse=True)
        return f"{table}\nThe Serial Killer has one use of each unless said, and always one strong kill."
    if isinstance(found, NumberSetups):
        numbers = [
            (one.players, one.mafia, one.empowerers, one.others, one.copies, one.list_length, one.warning)
            for one in found.numbers
        ]
        return tabulate(numbers, ("Players", "Mafia", "Empowerers", "Others", "k", "List", "Note"))
    texts: list[str] = []
    for one in found.boards:
        board = one.board
        starts = ", ".join(f"{space} {board.clan(space)}" for space in board.starts)
        spaces, hill = len(board.spaces), min(board.hills)
        about = f"{one.name}: {board.grid}, {spaces} spaces, starts {starts}, the hill on {hill}"
        texts.append("\n".join([about, *draw_board(board, dict.fromkeys(board.starts, "P"))]))
    return "\n\n".join(texts)


def format_walk(setup: SetupCode) -> str:
    """The 4×4 table of Knight-Errant with the cells of a code numbered in the order of the walk."""

    def cell(column: int, row: int) -> str:
        """Its step in brackets, if it is crossed, and its role in two lines: four of them fit 80 columns."""
        name = f"{'ABCD'[column]}{row + 1}"
        step = f"[{setup.cells.index(name) + 1}]" if name in setup.cells else ""
        side, *rest = TABLE[row][column].split()
        return f"{step}\n{side}\n{' '.join(rest).replace('Even-Night ', 'Even-N. ')}"

    rows = [[cell(column, row) for column in range(4)] for row in range(4)]
    return "\n".join(
        [
            f"{setup.code}: {' → '.join(setup.cells)}, chance {setup.probability}",
            tabulate(rows, list("ABCD"), "grid", showindex=[1, 2, 3, 4], stralign="center"),
            *(f"{cell}  {power}" for cell, power in zip(setup.cells, setup.powers, strict=True)),
            f"Serial Killer: {_killer_abilities(setup)}, strong kill",
        ]
    )


def _killer_abilities(setup: SetupCode) -> str:
    """What the cells give the Serial Killer; `strong_kill` goes without saying."""
    shots = {str(ability): uses for ability, uses in setup.shots.items() if ability != "strong_kill"}
    return ", ".join(f"{uses}x {ability}" if uses > 1 else ability for ability, uses in shots.items())


def format_games(found: GameList) -> str:
    """A table: id, name, players, options, how far the rules are told."""
    rows = []
    for game in found.games:
        state = f"whole match, {game.rulings} rulings" if game.rulings else "whole match"
        rows.append((game.id, game.name, format_players(game.players), str(game.options), state))
    return tabulate(rows, ("game", "name", "players", "options", "state"), disable_numparse=True)


def format_players(numbers: tuple[int, ...]) -> str:
    """“18”, “5-60” or “2, 4”."""
    if len(numbers) == 1:
        return str(numbers[0])
    unbroken = numbers == tuple(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}-{numbers[-1]}" if unbroken else ", ".join(map(str, numbers))


def format_forums(found: ForumPlatforms) -> str:
    """All platforms in a table, and what its columns mean."""
    heads = ("platform", "software", "read as", "edits", "deleted", "times", "checked on")
    rows = [
        (
            one.name,
            one.software,
            one.read_as,
            "yes" if one.edits else "no",
            one.deleted.value,
            one.times.value,
            one.checked.value,
        )
        for one in found.platforms
    ]
    return f"{tabulate([heads, *rows], tablefmt='plain', disable_numparse=True)}\n\n{FORUMS_LEGEND}"


def format_replay(found: Replay, every: bool) -> str:
    """The last position, or each: its latest turn, the board, what each side has."""
    texts: list[str] = []
    for bout in found.positions if every else found.positions[-1:]:
        turn = turn_lines(bout.record)[-1:]
        texts.append("\n".join([*turn, text_board(everything(bout)), *standing_lines(bout)]))
    return "\n\n".join(texts)


def format_moves(found: LegalMoves) -> str:
    """The moves of each side, the colour closed to it and a win within one move."""
    if found.position.ended:
        return ending(found.position)
    lines: list[str] = []
    for one in found.sides:
        noun = "move" if len(one.moves) == 1 else "moves"
        lines.append(f"{one.side} has {len(one.moves)} legal {noun}: {' '.join(one.moves)}")
        if one.closed_colour:
            lines.append(f"{one.side} may not place on {one.closed_colour}.")
        lines += [f"{one.side} is one move from {win}." for win in one.threats]
    return "\n".join(lines)


def format_examination(found: Diagnosis) -> str:
    """What was found on a page or in a game's folder, as a table."""
    return tabulate(found.lines, tablefmt="plain", maxcolwidths=[None, _VALUE_WIDTH], disable_numparse=True)
