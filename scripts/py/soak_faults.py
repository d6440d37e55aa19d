"""Does a game survive that any verb is killed at any moment? Each is run whole first, then killed many times.

Prints one line a kill; ends with a failure at the first that lost something.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from cli.killed_verbs import SORTS, VERBS, again, forum, killed, template

TIMES = 200
OFTEN = 5
"""After one kill in so many the verb is run once more."""
LONGER = 1.1
"""A kill may come so much later than a verb usually takes."""


def main() -> None:
    """TIMES and SEED may be given; the same seed kills the same verbs at the same moments."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with forum() as url, tempfile.TemporaryDirectory() as home:
        made = {sort: template(sort, Path(home), url) for sort in SORTS}
        takes = {verb: whole(verb[1], made[verb[0]], Path(home) / "whole") for verb in VERBS}
        for count in range(1, times + 1):
            sort, words = verb = VERBS[(count - 1) % len(VERBS)]
            place = Path(home) / str(count)
            kill = killed(words, made[sort], chance.uniform(0, takes[verb] * LONGER), place)
            if count % OFTEN == 0:
                again(words, place)
            shutil.rmtree(place)
            print(f"{count:>4}  {kill}", flush=True)
    print(f"{times} kills: the journal verified each time, no confirmed entry was lost, the verb ran again.")


def whole(words: tuple[str, ...], template: Path, place: Path) -> float:
    """How many seconds a verb takes that nobody kills. Fails where it does not do its work."""
    shutil.copytree(template, place)
    began = time.monotonic()
    said = again(words, place, fresh=True)
    took = time.monotonic() - began
    shutil.rmtree(place)
    first = said.splitlines()[0] if said else ""
    print(f"      {' '.join(words[:3]):<40} takes {took:.2f} s: {first[:48]}", flush=True)
    return took


if __name__ == "__main__":
    main()
