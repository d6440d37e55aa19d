"""How well do the policies of `knightfall balance` fit games that people have played?

Usage: scripts/calibrate FOLDER [GAMES]      4,000 games of each setup

FOLDER/*/meta.json: `slots`, each with a `role` and a `fate`.

A line a policy: the town's share and the mean length that it gives the setups of those games, beside the
real ones, and its Brier score (0: sure and right; it has to beat that of the same share for every setup).
Games with a third side are left out, and so are those of which nobody can tell from the fates who won.
The first table holds the games all of whose roles the simulator knows; the second all others too, in which
an unknown role is a Mafia Goon or a Vanilla Townie.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tabulate import tabulate

from knightfall.errors import InputError
from knightfall.simulation.intervals import wilson
from knightfall.simulation.run import Question, check, play_chunk

GAMES = 4_000
POLICIES = (
    "random",
    "suspicion",
    "follow-the-claims",
    "follow-the-claims:fake=0.5",
    "follow-the-claims:noise=2",
    "follow-the-claims:noise=1.5",
    "follow-the-claims:noise=2,bus=1",
)
GOON, TOWNIE = "Mafia Goon", "Vanilla Townie"
_EVIL = re.compile(r"\b(?:mafia|werewolf|wolf)\b", re.IGNORECASE)
_THIRD = re.compile(r"serial killer|third party|3rd party|survivor|\bcult", re.IGNORECASE)
_WHEN = re.compile(r"(?:day|night) (\d+)", re.IGNORECASE)


@dataclass(frozen=True)
class Played:
    """A game that was played: its roles as written, whether the town won, and on which day it ended."""

    roles: tuple[str, ...]
    town_won: bool
    days: int

    @property
    def known(self) -> bool:
        """Whether every role can be simulated."""
        return all(can_play(role) for role in self.roles)


def played(meta: Path) -> Played | None:
    """The game of a `meta.json`; None with a third side, or where the fates do not say who won."""
    slots = json.loads(meta.read_text(encoding="utf-8"))["slots"]
    roles = tuple(str(slot["role"]) for slot in slots)
    fates = [str(slot["fate"]).lower() for slot in slots]
    evil = [fate for role, fate in zip(roles, fates, strict=True) if _EVIL.search(role)]
    if not evil or any(_THIRD.search(role) for role in roles) or any("endgame" in fate for fate in evil):
        return None
    days = max((int(number) for fate in fates for number in _WHEN.findall(fate)), default=0)
    return Played(roles, not any("surviv" in fate for fate in evil), days)


KNOWN: dict[str, bool] = {}


def can_play(role: str) -> bool:
    """Whether the simulator knows the role."""
    if role not in KNOWN:
        try:
            check(question((role, GOON, GOON, *[TOWNIE] * 9), POLICIES[0]))
        except InputError:
            KNOWN[role] = False
        else:
            KNOWN[role] = True
    return KNOWN[role]


def question(roles: Sequence[str], policy: str) -> Question:
    """Those roles, as one setup."""
    slots = [{"role": role, "count": number} for role, number in Counter(roles).items()]
    # Nobody was told the setup.
    setup = {"schema": 1, "name": "Played", "reveal_setup": False, "slots": slots}
    return Question("custom_mafia", {"setup": setup}, len(roles), policy)


def simulated(game: Played, policy: str, games: int) -> tuple[float, float]:
    """The town's share and the mean day of the end in games of such a setup."""
    plain = [role if can_play(role) else GOON if _EVIL.search(role) else TOWNIE for role in game.roles]
    counts = play_chunk(question(plain, policy), 1, 0, games)
    days = sum(int(when.split()[1]) * wins.total() for when, wins in counts.ends.items())
    return counts.won["town"] / games, days / games


def table(title: str, found: Sequence[Played], games: int) -> Iterable[str]:
    """The table of some games, line by line."""
    won = [game.town_won for game in found]
    real, low, high = wilson(sum(won), len(won))
    days = sum(game.days for game in found) / len(found)
    won_by_town = f"the town won {real:.1%} ({low:.1%} to {high:.1%})"
    yield f"{title}: {len(found)} games, {won_by_town}, end on day {days:.1f}"
    rows = []
    for policy in POLICIES:
        shares, ends = zip(*(simulated(game, policy, games) for game in found), strict=True)
        brier = sum((guess - one) ** 2 for guess, one in zip(shares, won, strict=True)) / len(found)
        rows.append(
            (policy, f"{sum(shares) / len(found):.1%}", f"{sum(ends) / len(found):.1f}", f"{brier:.3f}")
        )
    rows.append(("the same share for every setup", f"{real:.1%}", "", f"{real * (1 - real):.3f}"))
    yield tabulate(rows, headers=("policy", "town wins", "day", "Brier"), disable_numparse=True)


def main(words: list[str]) -> None:
    if not words:
        sys.exit(__doc__)
    games = int(words[1]) if len(words) > 1 else GAMES
    found = [game for meta in sorted(Path(words[0]).glob("*/meta.json")) if (game := played(meta))]
    known = [game for game in found if game.known]
    for title, some in (("Every role known", known), ("All", found)):
        if some:
            print(*table(title, some, games), "", sep="\n")
    if not found:
        sys.exit(f"{words[0]} holds no game with a winner that can be told.")


if __name__ == "__main__":
    main(sys.argv[1:])
