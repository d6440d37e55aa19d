"""Install the built wheel in every way that people do, and use it there. Exit status 1: one way failed."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
LONG = 600
"""Seconds that an install may take; a check takes a few."""


class Failed(Exception):
    """A step that failed: its first line is for the table, the rest for whoever mends it."""


def environment(more: Mapping[str, str]) -> dict[str, str]:
    """The variables of a program: `more` is set, and what this environment has for itself is not there."""
    kept = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return {**kept, **more}


def run(*words: str | Path, more: Mapping[str, str] = {}, cwd: Path | None = None, status: int = 0) -> str:
    """What a program says on both of its streams. Raises Failed where it ends with another status."""
    given = [str(word) for word in words]
    try:
        done = subprocess.run(
            given, cwd=cwd, env=environment(more), encoding="utf-8", timeout=LONG, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as fault:
        raise Failed(str(fault)) from None
    if done.returncode != status:
        raise Failed(f"{Path(words[0]).name} {words[1]} ended with {done.returncode}\n{done.stdout}")
    return done.stdout


def expect(text: str, found: str) -> None:
    """Raises Failed where the text is not in what was found."""
    if text not in found:
        raise Failed(f"“{text}” did not come\n{found}")


# ── the Pythons ──────────────────────────────────────────────────────────────────────────────────


def python_of(version: str, tools: Path, away: Path) -> Path | None:
    """The Python of this version: of the PATH, else one that uv can install; None where it cannot be had."""
    for folder in os.get_exec_path():
        found = shutil.which(f"python{version}", path=folder)
        try:
            if found:
                return Path(run(found, "-c", "import sys; print(sys.executable)").strip())
        except Failed:  # a stub of a Python that is not there
            continue
    try:
        run(tools / "uv", "python", "install", version, "--install-dir", away / "pythons", "--no-bin")
        found = run(
            tools / "uv", "python", "find", version, more={"UV_PYTHON_INSTALL_DIR": str(away / "pythons")}
        )
        return Path(found.strip())
    except Failed:
        return None


# ── the ways to install: each returns the Python and the command of the new environment ──────────


def by_uv(tools: Path, python: Path, wheel: Path, away: Path, *more: str) -> tuple[Path, Path]:
    """`uv tool install`, as its own page says."""
    places = {"UV_TOOL_DIR": str(away / "tools"), "UV_TOOL_BIN_DIR": str(away / "bin")}
    run(tools / "uv", "tool", "install", "--python", python, *more, wheel, more=places)
    return away / "tools/knightfall/bin/python", away / "bin/knightfall"


def by_uv_with_the_lowest(tools: Path, python: Path, wheel: Path, away: Path) -> tuple[Path, Path]:
    """With the lowest versions that pyproject.toml allows and of which there is a wheel for this Python."""
    return by_uv(tools, python, wheel, away, "--resolution", "lowest-direct", "--no-build")


def by_pipx(tools: Path, python: Path, wheel: Path, away: Path) -> tuple[Path, Path]:
    """`pipx install`, as its own page says."""
    places = {
        "PIPX_HOME": str(away / "pipx"),
        "PIPX_BIN_DIR": str(away / "bin"),
        "PIPX_MAN_DIR": str(away / "man"),
    }
    run(tools / "pipx", "install", "--python", python, wheel, more=places)
    return away / "pipx/venvs/knightfall/bin/python", away / "bin/knightfall"


def by_pip(_: Path, python: Path, wheel: Path, away: Path) -> tuple[Path, Path]:
    """`pip install` into a new environment."""
    run(python, "-m", "venv", away / "env")
    run(away / "env/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    return away / "env/bin/python", away / "env/bin/knightfall"


WAYS: Mapping[str, tuple[Callable[[Path, Path, Path, Path], tuple[Path, Path]], str, str]] = {
    "uv": (by_uv, ".whl", "uv tool install"),
    "uv, lowest": (by_uv_with_the_lowest, ".whl", "uv tool install"),
    "pipx": (by_pipx, ".whl", "pipx inject"),
    "pip": (by_pip, ".whl", "pip install"),
    "pip, sdist": (by_pip, ".tar.gz", "pip install"),
}
"""The way → how it installs, what, and how the command begins by which it adds an extra."""


# ── what is done with it ─────────────────────────────────────────────────────────────────────────


def use(python: Path, knightfall: Path, adds: str, here: Path) -> None:
    """Count, run cases, begin a game, write a post, look for the manual, miss an extra, serve the page."""
    here.mkdir()
    shutil.copytree(ROOT / "fixtures/demo", here / "demo")
    home = {"KNIGHTFALL_HOME": str(here / "home")}
    pages = sorted(str(page) for page in here.glob("demo/thread-p*.html"))
    expect("Not voting", run(knightfall, "vc", "--from-html", *pages, cwd=here, more=home))
    run(knightfall, "conform", ROOT / "fixtures/conformance/knight_errant.jsonl", cwd=here, more=home)
    run(knightfall, "new", "knights-duty", "Ada", "Boro", "--out", "duty", cwd=here, more=home)
    expect("[", run(knightfall, "post", "opening", "--game", "duty", "--as", "phpbb", cwd=here, more=home))
    manual = '(importlib.resources.files("knightfall") / "manual/index.md").read_text("utf-8")'
    expect("# ", run(python, "-c", f"import importlib.resources; print({manual})", cwd=here))
    run(knightfall, "balance", "custom-mafia", "--games", "10", cwd=here, more=home)
    lacking = run(
        knightfall, "plot", "wagons", "--from-html", *pages, "--out", "a.png", cwd=here, status=2, more=home
    )
    expect(f"matplotlib, which is not installed: {adds}", " ".join(lacking.split()))
    serve(knightfall, here, home)


def serve(knightfall: Path, here: Path, home: Mapping[str, str]) -> None:
    """Start the page, open it as a browser does, ask for it once, and end it by Ctrl-C."""
    words = [str(knightfall), "web", "--no-browser", str(here / "games")]
    page = subprocess.Popen(words, stderr=subprocess.PIPE, encoding="utf-8", env=environment(home))
    assert page.stderr is not None
    lines = list[str]()
    try:
        for line in page.stderr:
            lines.append(line)
            if found := re.search(r"http://([^:\s]+):(\d+)(\S+)", line):
                break
        else:
            raise Failed(f"the page did not start\n{''.join(lines)}")
        name, port, path = found.groups()

        def ask(path: str, **headers: str) -> tuple[str, str]:
            asked = urllib.request.Request(
                f"http://127.0.0.1:{port}{path}", headers={"Host": f"{name}:{port}", **headers}
            )
            with urllib.request.urlopen(asked, timeout=30) as answer:
                return answer.read().decode(), answer.headers.get("Set-Cookie", "").partition(";")[0]

        cookie = ask(path)[1]
        expect("Host a game", ask("/", Cookie=cookie)[0])
        expect("htmx", ask("/static/htmx.js", Cookie=cookie)[0])
    except OSError as fault:
        raise Failed(f"the page did not answer: {fault}") from None
    finally:
        page.send_signal(signal.SIGINT)
        page.wait(30)


def main(versions: list[str]) -> int:
    """Try every way with every Python; `versions` are `PYTHONS` where none is named."""
    rows, failures, lacking = list[tuple[str, str, str]](), 0, list[str]()
    with tempfile.TemporaryDirectory(prefix="knightfall-wheel-") as folder:
        away = Path(folder)
        run(sys.executable, "-m", "venv", away / "installers")
        tools = away / "installers/bin"
        run(tools / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "uv", "pipx")
        run(tools / "uv", "build", "--quiet", "--out-dir", away / "dist", ROOT)
        for version in versions or PYTHONS:
            python = python_of(version, tools, away)
            if python is None:
                lacking.append(version)
                continue
            for name, (install, ending, adds) in WAYS.items():
                place = away / f"{version}-{name.replace(', ', '-')}"
                place.mkdir()
                built = next((away / "dist").glob(f"knightfall*{ending}"))
                try:
                    installed = install(tools, python, built, place)
                    use(*installed, adds, place / "use")
                except Failed as fault:
                    failures += 1
                    print(f"Python {version}, {name}: {fault}", file=sys.stderr, flush=True)
                    rows.append((version, name, str(fault).splitlines()[0]))
                else:
                    rows.append((version, name, "works"))
                shutil.rmtree(place)
    for row in (("Python", "installed by", "result"), *rows):
        print(f"{row[0]:8}{row[1]:14}{row[2]}")
    for version in lacking:
        print(f"{version:8}not tried: it is not on the PATH, and uv could not install it")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
