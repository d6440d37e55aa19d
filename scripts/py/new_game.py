"""A new game, tiny but whole: its rules, its write-ups, its lines in the registry and in pyproject.toml.

Usage: scripts/new-game NAME. NAME is the game's id (lower-case letters, digits, underscores). What is made
can be played at once; it comes from `first_game/` beside this script. Nothing that exists is overwritten.
"""

from __future__ import annotations

import re
import sys
from keyword import iskeyword
from pathlib import Path
from string import Template

ROOT = Path(__file__).parents[2]
SAMPLE = Path(__file__).parent / "first_game"
GAMES = ROOT / "src" / "knightfall" / "games"
TEMPLATES = ROOT / "src" / "knightfall" / "writeups" / "templates"
REGISTRY = GAMES / "__init__.py"
PROJECT = ROOT / "pyproject.toml"
Told = dict[str, str]
NAME = re.compile(r"(?=.{3,20}$)[a-z]{2}[a-z0-9]*(_[a-z0-9]+)*")


def main(words: list[str]) -> int:
    if len(words) != 1:
        return refuse("usage: scripts/new-game NAME")
    (name,) = words
    if not NAME.fullmatch(name):
        return refuse(
            f"“{name}” is no id of a game: 3 to 20 lower-case letters, digits and underscores, such as "
            "salt_harbour; two letters first."
        )
    told = told_of(name)
    for folder in (GAMES / name, TEMPLATES / name):
        if folder.exists():
            return refuse(f"{folder.relative_to(ROOT)} is there already. Take another name.")
    if taken := clash(told):
        return refuse(f"“{name}” would be called {taken}, and that means something else. Take another name.")
    filled("rules", GAMES / name, ".txt", told)
    filled("posts", TEMPLATES / name, "", told)
    REGISTRY.write_text(registered(REGISTRY.read_text(encoding="utf-8"), told), encoding="utf-8")
    PROJECT.write_text(entered(PROJECT.read_text(encoding="utf-8"), told), encoding="utf-8")
    print(next_steps(told))
    return 0


def refuse(sentence: str) -> int:
    print(f"new-game: {sentence}", file=sys.stderr)
    return 2


def told_of(name: str) -> Told:
    """What the files are filled with: for `salt_harbour` Salt Harbour, SaltHarbour, SALT_HARBOUR, SH, sh."""
    parts = name.split("_")
    family = "".join(part[0] for part in parts) if len(parts) > 1 else name[:2]
    title = " ".join(part.capitalize() for part in parts)
    told = {"name": name, "title": title, "kind": title.replace(" ", ""), "constant": name.upper()}
    return told | {"family": family.upper(), "prefix": family}


def clash(told: Told) -> str | None:
    """A name that the new files or the registry use for something else already."""
    files = (*sorted((SAMPLE / "rules").iterdir()), REGISTRY)
    words = {word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    names = (told["name"], told["kind"], told["constant"])
    return next((n for n in names if iskeyword(n) or (n in words and n != told["name"])), None)


def filled(part: str, into: Path, ending: str, told: Told) -> None:
    """The files of one part of the sample, without the ending that keeps them from being read as code."""
    into.mkdir()
    for file in sorted((SAMPLE / part).iterdir()):
        text = Template(file.read_text(encoding="utf-8")).substitute(told)
        (into / file.name.removesuffix(ending)).write_text(text, encoding="utf-8")


def registered(text: str, told: Told) -> str:
    """The game's line at the end of PLACES."""
    end = text.index("\n}\n", text.index("PLACES: Mapping")) + 1
    return f'{text[:end]}    "{told["name"]}": "{told["constant"]}",\n{text[end:]}'


def entered(text: str, told: Told) -> str:
    """The game's line at the end of its entry points, which are the same as PLACES."""
    start = text.index('[project.entry-points."knightfall.games"]')
    end = text.index("\n\n", start) + 1
    name = told["name"]
    return f'{text[:end]}{name} = "knightfall.games.{name}.game:{told["constant"]}"\n{text[end:]}'


def next_steps(told: Told) -> str:
    name = told["name"]
    return f"""\
Written: src/knightfall/games/{name}/, src/knightfall/writeups/templates/{name}/, a line in PLACES and in
pyproject.toml. It plays:
  1. play it:  knightfall new {name} Ada Boro Cinder --out table/
               cd table; knightfall submit Ada "NUMBER 7"; knightfall missing; knightfall commit
  2. make it yours: rulings.py says the rules, state.py what is remembered, notation.py what is sent,
     rounds.py what a round does, views.py who may know what; {name}/*.j2 the posts and PMs
  3. scripts/test tests/properties/test_every_game.py -k {name}
  4. once it is worth playing: conformance cases, a row in src/knightfall/manual/games.md"""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
