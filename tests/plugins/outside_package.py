"""A package that is none of ours, written as an installer would: a forum, a dialect, a game, a policy.

The game is the one that scripts/new-game makes, moved into a package of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "plank_pack"
ENTRY_POINTS = """\
[knightfall.forums]
plank_board = plank_pack.board:PLANK_BOARD
[knightfall.dialects]
plank_talk = plank_pack.talk:PLANK_TALK
[knightfall.games]
plank_game = plank_pack.plank_game.game:PLANK_GAME
[knightfall.policies]
plank_votes = plank_pack.votes:PlankVotes
"""
BOARD = """\
from knightfall.forums.base import Chunk, Draft, Request, ThreadRef, checked, clock_of, number_in, posts_of
from knightfall.forums.html import attribute, every, inner, one, parse_page, words
from knightfall.forums.platforms import Platform
from knightfall.markup.html_style import HtmlStyle


class PlankBoard:
    name = "plank_board"
    html_style = HtmlStyle()
    platform = Platform("plank_board", "Plank Board 1", "HTML")

    def recognises(self, page):
        return 'class="plank"' in page.text

    def locate(self, url):
        topic = number_in(url, "plank")
        return ThreadRef(self.name, url.partition("?")[0], str(topic)) if topic else None

    def start(self, ref, since=1):
        return Request(f"{ref.root}?plank={ref.id}")

    def read(self, page, site, now):
        drafts = [draft_of(box) for box in every(parse_page(page.text), "div.plank")]
        counted = enumerate(checked(drafts, self.name, "stock"), 1)
        posts = posts_of(counted, lambda *_: None, clock_of(site, now))
        return Chunk(title="Planks", posts=posts, page=1, pages=1, thread=self.locate(page.url))


def draft_of(box):
    text = inner(one(box, "p"))
    return Draft(attribute(box, "id"), words(one(box, "b")), text, machine="2026-11-20T12:00:00Z")


PLANK_BOARD = PlankBoard()
"""
TALK = """\
from dataclasses import dataclass

from knightfall.markup.dialects import dialect


@dataclass(frozen=True)
class PlankTalk:
    name: str = "plank_talk"
    max_length: None = None
    unit: str = "chars"

    def write(self, nodes):
        return "".join(f"| {line}\\n" for line in dialect("plain").write(nodes).splitlines())


PLANK_TALK = PlankTalk()
"""
VOTES = """\
import numpy as np

from knightfall.simulation.cards import Side
from knightfall.simulation.policies import Policy


class PlankVotes(Policy):
    name = "plank_votes"

    def vote(self, family, table, chance):
        return np.where(table.alive & (table.side == Side.MAFIA), 1, 0).argmax(1)
"""
LOOKUP = """\
from dataclasses import dataclass as answer_class

from knightfall.engine.lookup import Lookup
from knightfall.parameters import Parameter


@answer_class(frozen=True)
class PlankLength:
    feet: int

    def to_dict(self):
        return {"feet": self.feet}

    def text(self):
        return f"A plank of {self.feet} feet bears {self.feet // 2} players."


PlankGame.lookups = {
    "planks": Lookup(
        "Say how many players a plank bears.\\n\\nBy its length.",
        PlankLength,
        (Parameter("feet", "How long it is.", int, required=True, positional=True, least=1),),
        {"feet": 8},
    )
}
"""
PAGE = """\
<!DOCTYPE html><html><head><title>Planks</title></head><body>
<div class="plank" id="1"><b>Wren</b><p>Day 1 begins. Ada, Boro, Cinder play.</p></div>
<div class="plank" id="2"><b>Ada</b><p><b>Vote: Boro</b></p></div>
<div class="plank" id="3"><b>Cinder</b><p><b>Vote: Boro</b></p></div>
<div class="plank" id="4"><b>Boro</b><p>Hello.</p></div>
</body></html>
"""


def install(folder: Path, entry_points: str = ENTRY_POINTS, name: str = "plank-pack") -> None:
    """Say in a folder of packages what a package adds."""
    told = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (told / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def write_package(folder: Path) -> None:
    """All its parts."""
    package = folder / PACKAGE
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("", encoding="utf-8")
    (package / "board.py").write_text(BOARD, encoding="utf-8")
    (package / "talk.py").write_text(TALK, encoding="utf-8")
    (package / "votes.py").write_text(VOTES, encoding="utf-8")
    made = folder / "made"
    script = [sys.executable, str(ROOT / "scripts/py/new_game.py"), "plank_game", "--package", str(made)]
    subprocess.run(script, check=True, capture_output=True)
    (made / "plank_game").rename(package / "plank_game")
    for file in (package / "plank_game").glob("*.py"):
        text = file.read_text(encoding="utf-8").replace("from plank_game", f"from {PACKAGE}.plank_game")
        file.write_text(text, encoding="utf-8")
    game = package / "plank_game" / "game.py"
    game.write_text(game.read_text(encoding="utf-8") + f"\n\n{LOOKUP}", encoding="utf-8")


COMMAND = (sys.executable, "-c", "from knightfall.cli import main; main()")
