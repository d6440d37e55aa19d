"""Does a read survive being killed at any moment? It is, and then finished by another read, many times.

Prints one line a kill; ends with a failure at the first that lost something.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

from fetch.killing import LATEST, PAGES, killed_read
from fetch.loopback import serving
from fetch.threads import PER_PAGE, Forum, thread

TIMES = 200


def main() -> None:
    """TIMES and SEED may be given; the same seed kills at the same requests."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else TIMES
    moments = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    with serving(Forum(thread(PAGES * PER_PAGE))) as server, tempfile.TemporaryDirectory() as home:
        for count in range(1, times + 1):
            requests, pause = moments.randint(0, PAGES), moments.uniform(0, LATEST)
            kill = killed_read(server, requests, pause, Path(home) / str(count))
            print(f"{count:>4}  {kill}", flush=True)
    print(f"{times} kills: the store opened each time, and the next read completed it.")


if __name__ == "__main__":
    main()
