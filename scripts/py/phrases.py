"""Every distinct sentence that the tool can write, so that one person can read them all in one sitting.

What players read stands in the templates and in the rules' texts of each game; what moderators read in the
templates of sheets, in the help of the verbs, in messages and errors. A value that is filled in reads as …,
a choice of words as all of them. Nothing is run: a sentence that no test reaches is here, too.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from jinja2 import Environment, nodes

ROOT = Path(__file__).parents[2] / "src" / "knightfall"
TEMPLATES = ROOT / "writeups" / "templates"
FILLED = "…"

_TAG = re.compile(r"\[/?[a-z*]+(?:=[^\]]*)?\]")
_FIELD = re.compile(r"\{\w+(?::[^{}]*)?\}")
_END = re.compile(r"(?<=[.!?:”])\s+(?=[A-ZÄ“…(])|\n+")


def main() -> None:
    """Print the sentences of the players, of the moderators, or of both, each under the file that has it."""
    wanted = sys.argv[1:] or ["players", "moderators"]
    said: set[str] = set()
    number = 0
    for audience in wanted:
        for file, texts in sorted(_texts(audience).items()):
            new = dict.fromkeys(line for text in texts for line in sentences(text) if line not in said)
            said.update(new)
            if new:
                print(f"\n{audience}: {file}")
            for line in new:
                number += 1
                print(f"{number:5}  {line}")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text that hold at least two words."""
    bare = _TAG.sub("", text)
    for sentence in _END.split(bare):
        line = " ".join(sentence.split()).strip("-•* ")
        if len(re.findall(r"[^\W\d_]{2,}", line)) > 1:
            yield line


def _texts(audience: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for file in TEMPLATES.rglob("*.j2"):
        private = file.stem.startswith("moderator") or "moderator" in file.parts
        if private == (audience == "moderators"):
            found[str(file.relative_to(ROOT))] = list(_of_template(file.read_text(encoding="utf-8")))
    if audience == "moderators":
        for file in ROOT.rglob("*.py"):
            found[str(file.relative_to(ROOT))] = list(_of_module(file))
    return found


def _of_template(source: str) -> Iterator[str]:
    """The text of a template, a run of it at a time with what is filled in as …, and the words it chooses."""
    tree = Environment(autoescape=False).parse(source)
    for output in tree.find_all(nodes.Output):
        parts = (node.data if isinstance(node, nodes.TemplateData) else FILLED for node in output.nodes)
        yield "".join(parts)
    words = (text.value for text in tree.find_all(nodes.Const) if isinstance(text.value, str))
    yield from (word for word in words if not word.endswith(".j2"))


def _of_module(file: Path) -> Iterator[str]:
    """Strings that read as prose; of docstrings those of verbs alone, which are their help."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    is_verb = file.parent.name == "cli" and not file.stem.startswith("format")
    silent: set[int] = set()  # documentation, and the pieces of an f-string, which is told whole
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            silent.update(id(part) for part in ast.walk(node) if part is not node)
    for node in ast.walk(tree):
        if is_verb and isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            yield ast.get_docstring(node) or ""
        if id(node) in silent:
            continue
        if isinstance(node, ast.JoinedStr):
            parts = (str(part.value) if isinstance(part, ast.Constant) else FILLED for part in node.values)
            yield "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
            yield _FIELD.sub(FILLED, node.value)  # a template of `sentence` has fields, too


if __name__ == "__main__":
    main()
