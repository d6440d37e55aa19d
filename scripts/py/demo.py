"""The demo: a bundled forum on loopback, counted over real HTTP, and a night resolved."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from demo_forum import address, forum

ROOT = Path(__file__).parents[2]
NIGHT = ROOT / "fixtures" / "demo" / "night.toml"


def run(home: str, *arguments: str) -> int:
    """One command, shown as a moderator would type it."""
    print(f"\n$ knightfall {' '.join(arguments)}\n", flush=True)
    command = [sys.executable, "-c", "from knightfall.cli import main; main()", *arguments]
    return subprocess.run(
        command, env={**os.environ, "KNIGHTFALL_HOME": home, "KNIGHTFALL_DELAY": "0"}, check=False
    ).returncode


def main() -> int:
    server = forum()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="knightfall-demo-") as home:
        counted = run(home, "vc", address(server), "--as", "mafiascum", "--allow-private-host")
        resolved = run(home, "resolve", str(NIGHT.relative_to(ROOT)), "--as", "mafiascum")
    server.shutdown()
    return (counted if counted != 3 else 0) or resolved


if __name__ == "__main__":
    raise SystemExit(main())
