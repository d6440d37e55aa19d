"""Which games are on board, for how many players, and with how many questions to choose about?"""

from __future__ import annotations

from tabulate import tabulate

from knightfall.app.founding.game_names import games_on_board
from knightfall.core.game import Spec
from knightfall.games import OUTSIDE


def games() -> str:
    """A table of at most 80 columns: id, name, players, options, how far its rules are told."""
    rows = [_row(game.spec) for game in games_on_board().values()]
    return tabulate(rows, ("game", "name", "players", "options", "state"), disable_numparse=True)


def games_values() -> dict[str, object]:
    """{games: [{id, name, players: numbers, options: how many, rulings: how many}]}."""
    return {"games": [_values(game.spec) for game in games_on_board().values()]}


def unusable_games() -> tuple[str, ...]:
    """A sentence for each game of another package that cannot be loaded."""
    return OUTSIDE.faults()


def _values(spec: Spec) -> dict[str, object]:
    return {
        "id": spec.id,
        "name": spec.name,
        "players": list(spec.players),
        "options": len(spec.options),
        "rulings": len(spec.rulings),
    }


def _row(spec: Spec) -> tuple[str, ...]:
    state = f"whole match, {len(spec.rulings)} rulings" if spec.rulings else "whole match"
    return spec.id, spec.name, players_of(spec), str(len(spec.options)), state


def players_of(spec: Spec) -> str:
    """“18”, “5-60” or “2, 4”."""
    numbers = list(spec.players)
    if len(numbers) == 1:
        return str(numbers[0])
    unbroken = numbers == list(range(numbers[0], numbers[-1] + 1))
    return f"{numbers[0]}-{numbers[-1]}" if unbroken else ", ".join(map(str, numbers))
