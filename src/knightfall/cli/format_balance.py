"""What the verb balance prints."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill
from typing import TYPE_CHECKING

from tabulate import tabulate

from knightfall.services.balance import SIDE_NAMES
from knightfall.writeups.tables import WIDTH

if TYPE_CHECKING:
    from knightfall.services.balance import Balance, Comparison
    from knightfall.simulation.intervals import Share

_MOST_ROLES = 20


def format_balance(found: Balance) -> str:
    """The tables of one setup."""
    parts = [_heading(found), _sides(found)]
    if found.simulated:
        days = f"A game lasts {found.length:.1f} days on average, and {found.survivors:.1f} players live."
        parts += [days, _days(found), _roles(found)]
    else:
        parts.append(f"A game has {found.length:.0f} entries in its journal on average.")
    parts += list(_remarks(found))
    return "\n\n".join(parts)


def format_comparison(both: Comparison) -> str:
    """Two setups side by side."""
    rows = []
    for name, apart in both.differences.items():
        one, other = both.first.sides.get(name), both.second.sides.get(name)
        rows.append((SIDE_NAMES.get(name, name), percent(one), percent(other), _difference(apart)))
    heads = ("wins", both.first.title, both.second.title, "difference")
    table = tabulate(rows, heads, tablefmt="simple", disable_numparse=True)
    first, second = _heading(both.first), _heading(both.second)
    how: tuple[str, ...] = ()
    if both.paired:
        text = "Both were played with the same random numbers; the differences are between paired games."
        how = (fill(text, WIDTH),)
    return "\n\n".join((first, second, table, *how, *_remarks(both.first)))


def percent(share: Share | None) -> str:
    """“29.8 % (29.5–30.1)”."""
    if share is None:
        return "0 %"
    return f"{share.share:.1%} ({100 * share.low:.1f}–{100 * share.high:.1f})".replace("%", " %", 1)


def _difference(apart: Share) -> str:
    return f"{100 * apart.share:+.1f} points ({100 * apart.low:+.1f} to {100 * apart.high:+.1f})"


def _heading(found: Balance) -> str:
    return f"{found.title}, {found.players} players: {found.games:,} games, policy {found.policy}"


def _sides(found: Balance) -> str:
    rows = [(SIDE_NAMES.get(name, name), percent(share)) for name, share in found.sides.items()]
    beside = " along" if found.simulated else ""
    rows += [(f"{SIDE_NAMES.get(name, name)}{beside}", percent(share)) for name, share in found.along.items()]
    return tabulate(rows, ("wins", "share (95 % interval)"), tablefmt="simple", disable_numparse=True)


def _days(found: Balance) -> str:
    rows = [
        (
            one.when,
            f"{one.share:.1%}",
            ", ".join(f"{SIDE_NAMES.get(n, n)} {s:.1%}" for n, s in one.won.items()),
        )
        for one in found.by_day
        if one.share >= 0.0005
    ]
    return tabulate(rows, ("over on", "games", "won by"), tablefmt="simple", disable_numparse=True)


def _roles(found: Balance) -> str:
    rows = [
        (one.role, f"{one.dealt:.2f}", f"{one.alive.share:.1%}", f"{one.wins.share:.1%}")
        for one in found.roles[:_MOST_ROLES]
    ]
    return tabulate(rows, ("role", "a game", "lives", "wins"), tablefmt="simple", disable_numparse=True)


def _remarks(found: Balance) -> Iterator[str]:
    if not found.simulated:
        text = "Played at random by the full rules of the game, which is slower than a simulation."
        yield fill(text, WIDTH)
    if found.traced:
        text = (
            f"{found.traced:,} of {found.nights:,} nights were resolved by the full rules, which is slower: "
            "actions turned each other or stood in a ring, one of several bodyguards stepped in, or the "
            "simulation does not know an ability."
        )
        yield fill(text, WIDTH)
    if "nobody" in found.sides:
        yield fill("“nobody” are draws, and games that did not end.", WIDTH)
