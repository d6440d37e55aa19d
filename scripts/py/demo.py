"""The demo: a bundled forum on loopback, counted over real HTTP, a night resolved, a sample game on the page.

`--pictures` writes the pictures of the page that the README shows.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from demo_forum import address, forum

from knightfall.web.games import SAMPLES

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "fixtures" / "demo"
NIGHT = DEMO / "night.toml"
PICTURES = DEMO / "page"
COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris", "Juniper", "Kestrel")
SEED, SALT = "00800080008000800080008000800080", "c0ffee00c0ffee00c0ffee00c0ffee00"
THREAD = "https://forum.example/viewtopic.php?t=4711"
KETTLE: tuple[tuple[str, ...], ...] = (
    ("deal", "--seed", SEED, "--salt", SALT),
    ("phase", "open", "day", "1", "--ends", "2024-04-07 20:00", "--past"),
    ("read", "--from-html", str(DEMO / "kettle" / "day-1.html")),
)
"""The first game of the manual up to its first votecount."""
NIGHTFALL: tuple[tuple[str, ...], ...] = (
    ("fix", "7", "--to", "Clover", "--why", "asked her by PM"),
    ("phase", "close", "--stored"),
    ("submit", "Dill", "kill Fennel"),
    ("submit", "Alder", "cop the quiet one"),
)
"""The same up to a night in which one is refused and one is missing."""


def run(home: str, *arguments: str) -> int:
    """One command, shown as a moderator would type it."""
    print(f"\n$ knightfall {' '.join(arguments)}\n", flush=True)
    return subprocess.run(command(*arguments), env=environment(home), check=False).returncode


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-c", "from knightfall.cli import main; main()", *arguments]


def environment(home: str) -> dict[str, str]:
    return {**os.environ, "KNIGHTFALL_HOME": home, "KNIGHTFALL_DELAY": "0"}


def quietly(folder: Path, *arguments: str, typed: str = "") -> None:
    """One command in a folder, told only where it fails."""
    done = subprocess.run(
        command(*arguments), cwd=folder, env=environment(str(folder)), input=typed, text=True,
        capture_output=True, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 3):
        raise SystemExit(f"knightfall {' '.join(arguments)} failed:\n{done.stderr}")


def sample_games(desk: Path, steps: tuple[tuple[str, ...], ...] = KETTLE, others: bool = True) -> None:
    """A small game of mafia, and with `others` a court, and a bout after some moves."""
    shutil.copyfile(DEMO / "kettle" / "setup.toml", desk / "setup.toml")
    names = ["Alder", "Bryony", "Clover", "Dill", "Elder", "Fennel"]
    (desk / "names.txt").write_text("\n".join(names), encoding="utf-8")
    quietly(
        desk, "new", "custom-mafia", "Kettle Lane", "--setup", "setup.toml", "--site", "phpbb",
        "--moderator", "Wren", "--thread", f"game={THREAD}",
    )  # fmt: skip
    for words in steps:
        more = ("--players", str(desk / "names.txt")) if words[0] == "deal" else ()
        quietly(desk / "kettle-lane", *words, *more, typed="Clover\n")
    if not others:
        return
    quietly(desk, "new", "kings-court", *COURT, "--title", "Tin Court", "--out", "tin-court")
    quietly(desk, "new", "knight-fight", "Ada", "Boro", "--title", "Tin Bout", "--out", "tin-bout")
    for number, line in enumerate(("SIDE: X", "E4", "D5", "G4")):
        for name in ("Ada", "Boro") if number else ("Ada",):
            quietly(desk / "tin-bout", "submit", name, line)


def show_page() -> None:
    """Serve sample games on the page until Ctrl-C, where somebody looks on."""
    with tempfile.TemporaryDirectory(prefix="knightfall-demo-") as desk:
        sample_games(Path(desk))
        (Path(desk) / SAMPLES).touch()
        print("\nA sample game on the page, for your browser:\n", flush=True)
        server = subprocess.Popen(
            command("web", desk, "--no-browser"), env=environment(desk), stderr=subprocess.PIPE, text=True
        )
        assert server.stderr is not None
        try:
            for line in server.stderr:
                print(line, end="", flush=True)
                if line.startswith("The page:") and not sys.stdout.isatty():
                    print("(Nobody looks on, so it ends here. In a terminal it stays open.)")
                    break
        except KeyboardInterrupt:
            pass
        finally:
            server.terminate()
            server.wait(10)


def take_pictures() -> int:
    """Four pictures of the page for the README, small ones."""
    from PIL import Image
    from playwright.sync_api import sync_playwright

    browser_path = next(
        (found for name in ("chromium", "google-chrome") if (found := shutil.which(name))), None
    )
    if browser_path is None:
        print("No browser was found. On Debian: apt-get install chromium", file=sys.stderr)
        return 2
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="knightfall-demo-") as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        for number, (steps, shots) in enumerate(
            (
                (KETTLE[:1], (("today", "/games/kettle-lane"),)),
                (KETTLE, (("votecount", "/games/kettle-lane/votes"),)),
                (
                    (*KETTLE, *NIGHTFALL),
                    (
                        ("night", "/games/kettle-lane/night"),
                        ("board", "/games/tin-bout/board/play?player=Boro"),
                    ),
                ),
            )
        ):
            desk = Path(place) / str(number)
            desk.mkdir()
            sample_games(desk, steps, others=len(shots) > 1)
            server = subprocess.Popen(
                command("web", str(desk), "--no-browser"),
                env=environment(str(desk)), stderr=subprocess.PIPE, text=True,
            )  # fmt: skip
            assert server.stderr is not None
            try:
                told = next(line for line in server.stderr if line.startswith("The page:"))
                opening = re.findall(r"http\S+", told)[0]
                page = browser.new_context(viewport={"width": 900, "height": 640}).new_page()
                page.goto(opening)
                page.wait_for_url(lambda url: "/open/" not in url)
                home = page.url.rstrip("/")
                for name, path in shots:
                    page.goto(home + path)
                    file = PICTURES / f"{name}.png"
                    page.screenshot(path=str(file))
                    with Image.open(file) as taken:
                        taken.convert("RGB").quantize(48).save(file, optimize=True)
                    print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1024:.0f} KiB")
            finally:
                server.terminate()
                server.wait(10)
        browser.close()
    return 0


def main() -> int:
    if "--pictures" in sys.argv[1:]:
        return take_pictures()
    server = forum()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(prefix="knightfall-demo-") as home:
        counted = run(home, "vc", address(server), "--as", "mafiascum", "--allow-private-host")
        resolved = run(home, "resolve", str(NIGHT.relative_to(ROOT)), "--as", "mafiascum")
    server.shutdown()
    show_page()
    return (counted if counted != 3 else 0) or resolved


if __name__ == "__main__":
    raise SystemExit(main())
