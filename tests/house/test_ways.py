"""What comes next is a way wherever it is said: each face spells every way in its own words."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from string import Formatter
from typing import Any, TypeGuard

from command_line import GROUP
from house.source import SOURCE, nodes, trees
from knightfall import web
from knightfall.cli.verbs import GAME_VERBS, VERBS
from knightfall.cli.ways import CLAUSES, COMMANDS, command, flag_of, in_commands
from knightfall.sentence import PHRASES, Sentence, Way, sentence
from knightfall.services.posts.write import KINDS as POSTS
from knightfall.web.ways import ELSEWHERE, FIELDS, PLACES, in_page_words, label, link

FACES = {"cli", "web"}
WHAT_A_WAY_IS = {SOURCE / "sentence.py", SOURCE / "storage/texts.py"}
COMMAND = re.compile(rf"\bknightfall (?:{'|'.join((*VERBS, *GAME_VERBS))})\b|(?<![\w-])--[a-z]")
OF_ANOTHER_PROGRAM = {"--app-name=Knightfall", "knightfall deal 2", "knightfall deal 3"}
"""What a service hands to the command of a desktop; the words that are hashed before a fair deal's secret."""
NO_FIELD = {
    *("at_entry", "despite", "drop_torn_line", "every", "format", "game", "notify", "online", "out"),
    *("plot", "public", "quiet", "same_text", "template", "text", "time", "until"),
    *("wait", "within"),
}  # fmt: skip
"""Fields of questions that the page does not ask, or asks without a word."""
PLAUSIBLE: Mapping[str, object] = {
    "alias": "the quiet one",
    "batch": "role-1",
    "at": "2026-11-18 20:00",
    "by": "24h",
    "day": 2,
    "ends": "2026-11-25 20:00",
    "entry": 7,
    "file": "private/pms.csv",
    "game": "salt harbour",
    "kind": "day",
    "name": "2-shot doctor",
    "number": 2,
    "post": 12,
    "role": "game",
    "room": "mafia",
    "slot": "Ann Bell",
    "stored": True,
    "text": "kill Ada",
    "title": "day 2",
    "url": "https://forum.example/t/5",
    "why": "a slip",
    "word": "plurality",
    "words": "in",
}
KINDS = {
    "send_batch": "role",
    "mark_sent": "role",
    "draft_post": "rules",
    "post": "rules",
    "list_pms": "role",
    "send_pms": "result",
}
"""Ways whose kind is no phase: an example each."""


def sources() -> Iterator[tuple[Path, ast.Module]]:
    """Every module but those of the faces."""
    for file, tree in trees().items():
        if file.relative_to(SOURCE).parts[0] not in FACES and file not in WHAT_A_WAY_IS:
            yield file, tree


def texts(tree: ast.Module) -> Iterator[str]:
    """Every text of a module, docstrings among them, with 7 where something is filled in."""
    inner = {id(part) for node in nodes(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inner:
            yield node.value


def called(node: ast.AST, name: str) -> TypeGuard[ast.Call]:
    """Whether it calls that function."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name


@dataclass(frozen=True)
class Used:
    """A way as a module uses it: what it is, the values that it gives, and where."""

    to: str
    values: Mapping[str, ast.expr]
    where: str

    def way(self) -> Way:
        """The same with something plausible for what is only known when it runs."""
        given = {
            name: value.value if isinstance(value, ast.Constant) else PLAUSIBLE.get(name, "NAME")
            for name, value in self.values.items()
        }
        if self.to in KINDS and not isinstance(self.values.get("kind"), ast.Constant) and "kind" in given:
            given["kind"] = KINDS[self.to]
        return Way(self.to, **given)


def used() -> Iterator[Used]:
    """Every way of the source."""
    for file, tree in sources():
        for node in nodes(tree):
            if called(node, "Way"):
                where = f"{file.name}:{node.lineno}"
                for choice in _choices(node.args[0]):
                    yield Used(choice, {one.arg: one.value for one in node.keywords if one.arg}, where)


def _choices(node: ast.expr) -> tuple[str, ...]:
    """What is named, one or two: “a if … else b”."""
    if isinstance(node, ast.IfExp):
        return *_choices(node.body), *_choices(node.orelse)
    assert isinstance(node, ast.Constant), ast.unparse(node)
    return (str(node.value),)


def field_names() -> set[str]:
    """The names of all fields that are named, those of a loop or a tuple as well."""
    names = set[str]()
    for file, tree in sources():
        for node in nodes(tree):
            if (
                called(node, "Way")
                and isinstance(node.args[0], ast.Constant)
                and node.args[0].value == "field"
            ):
                [name] = [one.value for one in node.keywords if one.arg == "name"]
                if isinstance(name, ast.Constant):
                    names.add(str(name.value))
                else:
                    names |= set(_looped(tree, node, file))
    return names


def _looped(tree: ast.Module, call: ast.Call, file: Path) -> Iterator[str]:
    """“Way("field", name=name) for name in ("opened", "alive")”."""
    for node in nodes(tree):
        if isinstance(node, ast.GeneratorExp | ast.DictComp) and call in ast.walk(node):
            words = node.generators[0].iter
            assert isinstance(words, ast.Tuple), f"{file.name}: {ast.unparse(node)}"
            yield from (str(one.value) for one in words.elts if isinstance(one, ast.Constant))


def needed(template: str) -> set[str]:
    """The values without which a template says too little."""
    bare = re.sub(r"\[[^\[\]]*\{[^\[\]]*\]", "", template)
    return {name for _, name, _, _ in Formatter().parse(bare) if name and "|" not in name}


def test_no_text_but_those_of_the_faces_holds_a_command_or_a_flag() -> None:
    found = [
        (file.name, text)
        for file, tree in sources()
        for text in texts(tree)
        if COMMAND.search(text) and text not in OF_ANOTHER_PROGRAM
    ]
    files = (SOURCE / "config").rglob("*.toml")
    found += [
        (file.name, file.read_text("utf-8")) for file in files if COMMAND.search(file.read_text("utf-8"))
    ]
    assert found == []


def test_no_text_but_those_of_the_faces_quotes_the_name_of_a_page() -> None:
    quoted = {f"“{name}”" for name, _ in PLACES.values() if "{" not in name}
    found = [
        (file.name, text) for file, tree in sources() for text in texts(tree) for one in quoted if one in text
    ]
    assert found == []


def test_every_way_that_is_used_has_a_phrase_a_command_and_a_place_and_all_that_they_say() -> None:
    ways = [one for one in used() if one.to != "field"]
    assert len(ways) > 90
    for one in ways:
        assert one.to in PHRASES, one
        assert (one.to in COMMANDS) != (one.to in CLAUSES), one
        assert (one.to in PLACES) != (one.to in ELSEWHERE), one
        said = (PHRASES[one.to], COMMANDS.get(one.to, ""), CLAUSES.get(one.to, ""), *PLACES.get(one.to, ()))
        missing = set[str]().union(*map(needed, said)) - one.values.keys()
        assert missing == set(), f"{one.where}: {one.to} does not say {missing}"
        kind = one.values.get("kind")
        if one.to in ("draft_post", "post") and isinstance(kind, ast.Constant):
            assert kind.value in POSTS, one


def test_every_field_that_is_named_is_a_flag_and_has_a_label_on_the_page_or_is_none_of_it() -> None:
    flags = {flag for _, one in verbs(GROUP) for option in one.params for flag in option.opts}
    names = field_names()
    assert len(names) > 40
    assert {name for name in names if flag_of(name) not in flags} == set()
    assert names - FIELDS.keys() == NO_FIELD
    templates = "\n".join(file.read_text("utf-8") for file in (SOURCE / "web/templates").glob("*.html"))
    assert [name for name in FIELDS.values() if name not in templates] == []


def verbs(group: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command by its whole name."""
    for word, found in group.commands.items():
        if hasattr(found, "commands"):
            yield from verbs(found, f"{name}{word} ")
        else:
            yield f"{name}{word}", found


def parsed(line: str) -> None:
    """Read a command line with the real parser. Fails where a verb, a flag or an argument is not known."""
    words, at = shlex.split(line), GROUP
    assert words.pop(0) == "knightfall"
    while hasattr(at, "commands"):
        assert words[0] in at.commands, line
        at = at.commands[words.pop(0)]
    at.make_context(str(at.name), words)


TYPED = {"…": "WORDS", "POST": "12", "GAME": "votes", "FILE...": "FILE", "N": "2"}
"""What stands for something in a command → what may be typed there."""


def test_every_way_is_a_command_that_the_terminal_takes() -> None:
    for to in COMMANDS:
        whole = {**PLAUSIBLE, "kind": KINDS.get(to, "day")}
        fewest = {name: whole[name] for name in needed(COMMANDS[to]) | needed(PHRASES[to])}
        for values in (whole, fewest):
            line = command(Way(to, **values))
            words = (TYPED.get(word, word) for word in shlex.split(line))
            parsed(shlex.join(words) if to != "decide_votes" else "knightfall fix 12")


def test_every_clause_of_the_terminal_names_verbs_and_flags_that_there_are() -> None:
    flags = {flag for _, one in verbs(GROUP) for option in one.params for flag in option.opts}
    for text in CLAUSES.values():
        assert {*re.findall(r"(?<![\w-])--[a-z][a-z-]*", text)} <= flags
        assert {*re.findall(r"\bknightfall ([a-z]+)", text)} <= VERBS.keys()


def test_every_way_leads_to_a_page_that_there_is() -> None:
    modules = (import_module(f"knightfall.web.{one.name}") for one in iter_modules(web.__path__))
    pages = [route for one in modules if hasattr(one, "router") for route in one.router.routes]
    for to in PLACES:
        whole = {**PLAUSIBLE, "kind": KINDS.get(to, "day")}
        fewest = {name: whole[name] for name in needed("".join(PLACES[to]))}
        for values in (whole, fewest):
            found = link(Way(to, **values), "/games/salt%20harbour")
            if not PLACES[to][1]:
                assert found is None, to
                continue
            assert found is not None and found.label, to
            path = found.to.partition("#")[0].partition("?")[0]
            scope = {"type": "http", "path": path, "method": "GET", "root_path": ""}
            assert any(one.matches(scope)[0].value == 2 for one in pages), path


def sentences() -> Iterator[tuple[str, Sentence]]:
    """Every sentence of the source that holds a way, with something plausible in its fields."""
    for file, tree in sources():
        names = {
            target.id: node.value
            for node in nodes(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in nodes(tree):
            if not (
                isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sentence"
            ):
                continue
            if not isinstance(node.args[0], ast.Constant):
                continue
            template = re.sub(r":[^{}]*\}", "}", str(node.args[0].value))
            given = {one.arg: _way(one.value, names, file) for one in node.keywords if one.arg}
            fields = {name for _, name, _, _ in Formatter().parse(template) if name}
            filled = {name: given.get(name) or "Seven" for name in fields}
            made = sentence(template, **filled)
            if made.ways:
                yield f"{file.name}:{node.lineno}", made


def _way(node: ast.expr, names: Mapping[str, ast.expr], file: Path) -> Way | None:
    if isinstance(node, ast.Name) and node.id in names:
        return _way(names[node.id], {}, file)
    if called(node, "Way"):
        if not isinstance(node.args[0], ast.Constant):
            return None
        values = {one.arg: one.value for one in node.keywords if one.arg}
        return Used(str(node.args[0].value), values, file.name).way()
    return None


def test_every_sentence_says_what_comes_next_on_both_faces() -> None:
    found = list(sentences())
    assert len(found) > 120
    for where, said in found:
        typed, shown = in_commands(said), in_page_words(said)
        assert not COMMAND.search(said), where
        assert not COMMAND.search(shown), where
        assert COMMAND.search(typed) or "game.toml" in typed, f"{where}: {typed}"
        for way in said.ways:
            assert label(way) in shown and re.search(r"\w", label(way)), where
            assert command(way) in typed, where
            assert "{" not in f"{way}{label(way)}{command(way)}", where
