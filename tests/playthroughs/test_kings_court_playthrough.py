"""One whole match, from the names to the Deathmatch, as everybody sees it.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/games, then read the match.
"""

from __future__ import annotations

import os
from pathlib import Path

from games.court_told import tell

GOLDEN = Path(__file__).parents[2] / "fixtures/playthroughs/kings_court.txt"
SEED = 1356


def test_a_match_reads_as_in_the_golden_file() -> None:
    text = tell(SEED)
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")
