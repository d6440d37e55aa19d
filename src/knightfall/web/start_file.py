"""The file that opens the page in a browser: its address stands in no command line that others can read."""

from __future__ import annotations

import os
import webbrowser
from pathlib import Path
from string import Template
from threading import Thread

from knightfall.storage.drafts import is_running

NAME = "knightfall-start-"
PAGE = Template("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Knightfall</title>
<noscript><meta http-equiv="refresh" content="0; url=$address"></noscript></head>
<body><p>Opening <a href="$address">your games</a> …</p>
<p id="plain" hidden>This browser does not find the name that the page has in this run. Open it
<a href="$plain">without that name</a>: other programs that serve pages on this machine may then get in,
and the session ends soon after its tab is closed.</p>
<script>
fetch("$here", { mode: "no-cors" }).then(
  () => location.replace("$address"),
  () => { document.getElementById("plain").hidden = false; });
</script></body></html>
""")


def write_start(place: Path, address: str, plain: str, here: str) -> Path:
    """Write the file, readable by its owner alone, into a folder of the moderator's.

    `plain` is the address under 127.0.0.1, `here` one that answers where the name is found.
    """
    place.mkdir(parents=True, exist_ok=True)
    for left in place.glob(f"{NAME}*.html"):  # of runs that were killed: what they open is no more
        process = left.stem.removeprefix(NAME)
        if process.isdigit() and not is_running(int(process)):
            left.unlink(missing_ok=True)
    path = place / f"{NAME}{os.getpid()}.html"
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(PAGE.substitute(address=address, plain=plain, here=here))
    return path


def open_in_browser(file: Path) -> None:
    """Open the file; a browser that stays in the foreground keeps nobody waiting."""
    Thread(target=webbrowser.open, args=(file.as_uri(),), daemon=True).start()
