"""What does the demo read? A tiny forum on this machine that serves the three pages of Salt Harbour.

Prints its address on one line and serves until it is stopped: python scripts/py/demo_forum.py [PORT]
"""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

PAGES = Path(__file__).resolve().parents[2] / "fixtures" / "demo"
TOPIC = "90010"
PER_PAGE = 25


def page_of(query: dict[str, list[str]]) -> Path | None:
    """The file that a forum would answer with; beyond the end the last page again, as phpBB does."""
    files = sorted(PAGES.glob("thread-p*.html"))
    if "p" in query:
        mark = f'id="p{query["p"][0]}"'
        return next((file for file in files if mark in file.read_text(encoding="utf-8")), None)
    start = query.get("start", ["0"])[0]
    if query.get("t") != [TOPIC] or not start.isdigit():
        return None
    return files[min(int(start) // PER_PAGE, len(files) - 1)]


class Forum(BaseHTTPRequestHandler):
    """Answers /viewtopic.php?t=90010&start=0, 25, 50 and ?p=ID."""

    def do_GET(self) -> None:
        split = urlsplit(self.path)
        file = page_of(parse_qs(split.query)) if split.path == "/viewtopic.php" else None
        body = file.read_bytes() if file else b"<html><body>There is no such topic.</body></html>"
        self.send_response(200 if file else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Silent: the demo's own output is what counts."""


def forum(port: int = 0) -> ThreadingHTTPServer:
    """The forum on loopback, not yet serving; port 0 takes a free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), Forum)


def address(server: ThreadingHTTPServer) -> str:
    """The URL of the demo thread."""
    return f"http://127.0.0.1:{server.server_port}/viewtopic.php?t={TOPIC}"


def main() -> None:
    """Serves until stopped."""
    server = forum(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    print(address(server), flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
