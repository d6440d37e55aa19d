"""A new game, tiny but whole: its rules, its write-ups, its lines in the registry and in pyproject.toml.

Usage: scripts/new-game NAME [--package DIR]. With --package the game is a package of its own in that folder,
and nothing here is changed. NAME is the game's id (lower-case letters, digits, underscores). What is made
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
    if len(words) not in (1, 3) or words[1:2] not in ([], ["--package"]):
        return refuse("usage: scripts/new-game NAME [--package DIR]")
    name = words[0]
    if not NAME.fullmatch(name):
        return refuse(
            f"“{name}” is no id of a game: 3 to 20 lower-case letters, digits and underscores, such as "
            "salt_harbour; two letters first."
        )
    told = told_of(name)
    if len(words) == 3:
        return packaged(Path(words[2]), told)
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


PACKAGE = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "$dashed"
version = "0.1.0"
description = "$title, a game for Knightfall"
requires-python = ">=3.11"
dependencies = ["knightfall"]

[project.entry-points."knightfall.games"]
$name = "$name.game:$constant"
"""


def packaged(folder: Path, told: Told) -> int:
    """The game as a package of its own: its module with its posts, and a pyproject.toml that registers it."""
    if folder.exists():
        return refuse(f"{folder} is there already. Name a new folder.")
    module = folder / told["name"]
    folder.mkdir(parents=True)
    filled("rules", module, ".txt", told)
    filled("posts", module / "posts", "", told)
    for file in module.glob("*.py"):
        text = file.read_text(encoding="utf-8").replace(f"knightfall.games.{told['name']}", told["name"])
        file.write_text(text, encoding="utf-8")
    game = module / "game.py"
    text = game.read_text(encoding="utf-8")
    spec = f'Spec("{told["name"]}", "{told["title"]}", PLAYERS, OPTIONS, RULINGS'
    text = text.replace(spec, f"{spec}, templates=Path(__file__).parent / 'posts'")
    text = text.replace(
        "from datetime import datetime\n", "from datetime import datetime\nfrom pathlib import Path\n"
    )
    game.write_text(text, encoding="utf-8")
    project = Template(PACKAGE).substitute(told, dashed=told["name"].replace("_", "-"))
    (folder / "pyproject.toml").write_text(project, encoding="utf-8")
    print(f"""\
Written: {folder}, a package that adds the game {told["name"]}. It plays:
  1. install it:  python -m pip install --editable {folder}
  2. play it:  knightfall new {told["name"]} Ada Boro Cinder --out table
               cd table; knightfall submit Ada "NUMBER 7"; knightfall missing; knightfall commit
  3. make it yours: rules.py says what is remembered and what a round does, game.py what can be sent,
     views.py who may know what; posts/*.j2 the posts and PMs; what can be looked up is its `lookups`
  4. play it many times:  knightfall balance {told["name"]}""")
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
  2. make it yours: rules.py says what is remembered and what a round does, game.py what can be sent,
     views.py who may know what; {name}/*.j2 the posts and PMs
  3. scripts/test tests/properties/test_every_game.py -k {name}
  4. once it is worth playing: conformance cases, a row in src/knightfall/manual/games.md"""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
