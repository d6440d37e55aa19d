"""The helper for browsers, packed for a store; the same files always make the same bytes.

Usage: scripts/helper-zip [FILE] (default: knightfall-helper.zip). Prints the file and its SHA-256.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

from knightfall.web.helper_files import pack_helper


def main(words: list[str]) -> int:
    if len(words) > 1 or words[:1] == ["--help"]:
        print(__doc__)
        return 0 if words[:1] == ["--help"] else 2
    file = Path(words[0] if words else "knightfall-helper.zip")
    pack_helper(file)
    print(f"{file}  {sha256(file.read_bytes()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
