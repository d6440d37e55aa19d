"""Format the answers of lookups, records and the doctor as text of at most 80 columns."""

from __future__ import annotations

from textwrap import fill, wrap

from tabulate import tabulate

from knightfall.services.doctor import Diagnosis
from knightfall.services.lookups import ForumPlatforms, GameList, GameRulings

_WIDTH = 80
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


def format_examination(found: Diagnosis) -> str:
    """What was found on a page or in a game's folder, as a table."""
    return tabulate(found.lines, tablefmt="plain", maxcolwidths=[None, _VALUE_WIDTH], disable_numparse=True)
