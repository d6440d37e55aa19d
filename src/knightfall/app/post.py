"""Which posts can be written from what is known of a game, beside the votecount?"""

from __future__ import annotations

from pathlib import Path

from knightfall.errors import InputError
from knightfall.setups.game_file import read_setup
from knightfall.setups.setup import Setup
from knightfall.votes.wording import needed_table, rule_sentences
from knightfall.writeups.render import render

KINDS = ("rules",)
MOST = 13
"""So many living players the table begins with where the game file lists none."""


def post(kind: str, game: Path, dialect: str) -> str:
    """The text of a post. Raises InputError for an unknown kind, SetupError for a bad game file."""
    if kind not in KINDS:
        raise InputError(f"“{kind}” is no kind of post; expected one of {', '.join(KINDS)}.")
    return render("any/rules", _rules(read_setup(game)), dialect)


def _rules(setup: Setup) -> dict[str, object]:
    most = len(setup.roster.slots) if setup.roster else MOST
    rows = needed_table(setup.rule, most)
    return {
        "sentences": list(rule_sentences(setup.rule, setup.terms.no_elimination)),
        "rows": [{"alive": a, "needed": n, "nobody": "–" if z is None else z} for a, n, z in rows],
        "eliminate_word": setup.terms.eliminate,
        "nobody": setup.terms.no_elimination,
    }
