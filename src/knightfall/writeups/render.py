"""Posts from templates: facts and a template become a post in a site's dialect.

facts → plain data with every string guarded → Jinja in a sandbox → BBCode of our own → nodes → dialect.
Because the strings are guarded before the template sees them, a name stays data wherever it goes: through
filters, joins and macros. What the template itself says is markup, also in its own string literals.

Facts may be strings, numbers, dates, None, enums (their values), mappings, sequences and dataclasses (seen as
mappings of their fields); anything else is seen as its `str`.
"""

from __future__ import annotations

import re
import traceback
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import fields, is_dataclass
from datetime import date, time, timedelta
from difflib import get_close_matches
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from knightfall.errors import InputError
from knightfall.games import templates_of
from knightfall.markup import dialects
from knightfall.markup.bbcode import guard, guard_given, guard_name, guard_title, parse_bbcode
from knightfall.markup.nodes import Break, Node, Nodes
from knightfall.sentence import Given, Sentence, SlotId, Title
from knightfall.writeups.compiled import compiled_folder
from knightfall.writeups.split import split

if TYPE_CHECKING:
    from jinja2 import Template

    from knightfall.engine.game import Facts
    from knightfall.writeups.sandbox import Sandbox

Data: TypeAlias = "Facts | Mapping[str, object]"
"""What a template is filled with."""

LONGEST = 200_000
"""Characters of a moderator's own template, and of what any template writes."""
REMEMBERED = 256
"""So many texts are remembered as they were read and written: a game asks for the same ones often."""
TEMPLATES = Path(__file__).parent / "templates"
_read = lru_cache(maxsize=REMEMBERED)(parse_bbcode)


class Written(str):
    """A text in a dialect that still knows its nodes: which of its words are names, and which are given."""

    nodes: Nodes

    def __new__(cls, text: str, nodes: Nodes) -> Written:
        made = super().__new__(cls, text)
        made.nodes = nodes
        return made

    def __reduce__(self) -> tuple[type[Written], tuple[str, Nodes]]:
        return Written, (str(self), self.nodes)


def together(texts: Iterable[str], between: str = "\n") -> str:
    """The texts in a row; as `Written` where all of them are."""
    parts = tuple(texts)
    text = between.join(parts)
    nodes: list[Node] = []
    for part in parts:
        if not isinstance(part, Written):
            return text
        nodes += (*part.nodes, Break())
    return Written(text, tuple(nodes))


COMPILED = "template-%s.cache"
"""The names of compiled templates. They hold which filters there are: another set wants other names."""
_NAME = re.compile(r"\w+/[\w-]+")
_OWN = "<template>"  # what Jinja calls a template that has no file
_KEPT = (int, float, date, time, timedelta, type(None))
# Signs that turn the direction of the text around them.
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_FAULTS = (ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError)


def render(template: str, facts: Data, dialect: str = "plain") -> str:
    """The post of a template of ours, e.g. `any/votecount`.

    Raises InputError for an unknown template or dialect, and for a fault in the template with name and line.
    """
    return str(in_dialect(render_nodes(template, facts), dialect))


@lru_cache(maxsize=REMEMBERED)
def in_dialect(nodes: Nodes, dialect: str) -> Written:
    """A post of ours in a dialect, all of whose names are names by now."""
    return Written(dialects.dialect(dialect).write(nodes), nodes)


def render_nodes(template: str, facts: Data) -> Nodes:
    """The post of a template of ours as nodes. Raises as `render`."""
    from jinja2 import TemplateError

    if not has_template(template):
        near = get_close_matches(template, template_names(), n=1, cutoff=0.0)
        raise InputError(f"There is no template {template!r}. Nearest: {', '.join(near)}.")
    try:
        compiled = _sandbox().get_template(f"{template}.j2")
    except TemplateError as error:
        raise _fault(template, error) from error
    return _read(_filled(template, compiled, plain(facts)))


def own_text(source: str, data: dict[str, object], name: str) -> str:
    """What a moderator's own template writes of plain data, before its markup is read.

    Nothing here bounds its time and memory: see `services.count.template_process`.
    """
    from jinja2 import TemplateError

    try:
        if len(source) > LONGEST:
            raise ValueError(f"it is longer than {LONGEST} characters")
        compiled = _sandbox().from_string(source)
    except (TemplateError, SyntaxError, *_FAULTS) as error:
        raise _fault(name, error) from error
    return _filled(name, compiled, data)


def written(nodes: Nodes, dialect: str, limit: int | None = None) -> tuple[Written, ...]:
    """A post in parts as long as the site allows: `limit` in the dialect's unit, or the dialect's own. Raises
    InputError as `split` does."""
    speech = dialects.dialect(dialect)
    return tuple(in_dialect(part, dialect) for part in split(nodes, speech, limit))


@cache
def template_names() -> tuple[str, ...]:
    """All templates of ours, by name."""
    paths = sorted(TEMPLATES.glob("*/*.j2"))
    return tuple(path.relative_to(TEMPLATES).with_suffix("").as_posix() for path in paths)


def has_template(name: str) -> bool:
    """Whether there is such a template, of ours or of a game that another package adds."""
    if _NAME.fullmatch(name) is None:
        return False
    return (TEMPLATES / f"{name}.j2").is_file() or _outside_file(f"{name}.j2") is not None


def _outside_file(file: str) -> Path | None:
    """The file of a template `<game>/<kind>.j2` that the package of a game brings along."""
    game, _, rest = file.partition("/")
    if (TEMPLATES / game).is_dir() or _NAME.fullmatch(file.removesuffix(".j2")) is None:
        return None
    folder = templates_of(game)
    found = folder / rest if folder else None
    return found if found and found.is_file() else None


@cache
def _sandbox() -> Sandbox:
    from jinja2 import ChoiceLoader, FileSystemBytecodeCache, FileSystemLoader, FunctionLoader

    from knightfall.writeups.sandbox import Sandbox

    def outside(file: str) -> tuple[str, str, Callable[[], bool]] | None:
        found = _outside_file(file)
        return (found.read_text(encoding="utf-8"), str(found), lambda: True) if found else None

    loader = ChoiceLoader([FileSystemLoader(TEMPLATES), FunctionLoader(outside)])
    sandbox, folder = Sandbox(loader), compiled_folder()
    if folder is not None:
        sandbox.bytecode_cache = FileSystemBytecodeCache(str(folder), COMPILED)
    return sandbox


def _filled(name: str, template: Template, data: dict[str, object]) -> str:
    from jinja2 import TemplateError

    pieces: list[str] = []
    length = 0
    try:
        for piece in template.generate(data):
            pieces.append(piece)
            length += len(piece)
            if length > LONGEST:
                raise ValueError(f"it writes more than {LONGEST} characters")
        return "".join(pieces).strip("\n")
    except (TemplateError, *_FAULTS) as error:
        raise _fault(name, error) from error


def plain(facts: Data) -> dict[str, object]:
    """Facts as plain data, every string in it guarded."""
    data = _as_data(facts)
    assert isinstance(data, dict)  # of a mapping, or of the fields of a dataclass
    return data


def _as_data(value: object) -> object:
    """The value as plain data, every string in it guarded."""
    if type(value) is str:  # as most are
        return guard(_steady(value))
    if isinstance(value, SlotId):
        return guard_name(_steady(value))
    if isinstance(value, Title):
        return guard_title(_steady(value))
    if isinstance(value, Given):
        return guard_given(_steady(value))
    if isinstance(value, Sentence):
        return "".join(str(_as_data(part)) for part in value.parts)
    if isinstance(value, str):
        return guard(_steady(value))
    if isinstance(value, Enum):
        return _as_data(value.value)
    if isinstance(value, _KEPT):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: _as_data(getattr(value, name)) for name in _field_names(type(value))}
    if isinstance(value, Mapping):
        return {_as_data(key): _as_data(each) for key, each in value.items()}
    if isinstance(value, Iterable):
        return [_as_data(each) for each in (sorted(value, key=str) if isinstance(value, Set) else value)]
    return guard(_steady(str(value)))


@cache
def _field_names(row: type) -> tuple[str, ...]:
    return tuple(each.name for each in fields(row))


def _steady(text: str) -> str:
    """The text such that the line around it keeps its direction: without controls that turn it, and with a
    mark of left to right after letters that run from right to left."""
    if text.isascii():
        return text
    plain = _TURNING.sub("", text)
    leftward = any(unicodedata.bidirectional(char) in ("R", "AL") for char in plain)
    return f"{plain}\u200e" if leftward else plain


def _fault(name: str, error: Exception) -> InputError:
    cause = str(error).rstrip(".") or type(error).__name__
    if isinstance(error, MemoryError):
        cause = "it needs too much memory"

    # The line of the template where it happened, as Jinja notes it on the error or in the traceback; of a
    # template that extends one of ours, its own line.
    line: int | None
    lineno = getattr(error, "lineno", None)
    if lineno is not None and not isinstance(error, SyntaxError):
        line = int(lineno)
    else:
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame.lineno for frame in frames if frame.filename.endswith(".j2")]
        lines = [frame.lineno for frame in frames if frame.filename == _OWN] or ours
        line = lines[-1] if lines else None

    where = f", line {line}" if line else ""
    return InputError(f"Template {name}{where}: {cause}.")
