"""The door of the Python API: what a caller gives is checked by the types that are declared, and errors name
what to do next as Python does it."""

from __future__ import annotations

import inspect
import operator
import types
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from functools import cache, wraps
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from knightfall.errors import InputError, KnightfallError
from knightfall.sentence import PHRASES, Sentence, Way, filled, is_placeholder

P = ParamSpec("P")
T = TypeVar("T")


def door(function: Callable[P, T]) -> Callable[P, T]:
    """The function with a door: it raises InputError for a value that is not of the type that is declared,
    and its errors name ways as methods and keywords."""
    signature = inspect.signature(function)

    @wraps(function)
    def checked(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            given = signature.bind(*args, **kwargs)
        except TypeError:
            return function(*args, **kwargs)  # Python itself says what is missing, or not known
        try:
            for name, value in given.arguments.items():
                given.arguments[name] = _checked_argument(function, signature, name, value)
            return function(*given.args, **given.kwargs)
        except KnightfallError as error:
            if error.args and isinstance(error.args[0], Sentence):
                spelled = error.args[0].spelled(lambda way: as_python(way, signature.parameters))
                error.args = (spelled, *error.args[1:])
            raise

    return checked


class Doors:
    """A class whose public methods have a door each."""

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        for name, member in list(vars(cls).items()):
            function = getattr(member, "__func__", member)
            # A dataclass with slots is made twice: its methods have their doors by then.
            if name.startswith("_") or not inspect.isfunction(function) or hasattr(function, "__wrapped__"):
                continue
            made = door(function)
            setattr(cls, name, made if function is member else type(member)(made))


# ── Types. ────────────────────────────────────────────────────────────────────────────────────────────────


class _Misfit(Exception):
    """A value that is not of its type: where in it, what was expected there and what was found."""

    def __init__(self, expected: str, found: object, inside: str = "") -> None:
        super().__init__(expected, found, inside)
        self.expected, self.found, self.inside = expected, found, inside


@cache
def _hints_of(function: Callable[..., object]) -> Mapping[str, Any]:
    return get_type_hints(function)


def _checked_argument(
    function: Callable[..., Any], signature: inspect.Signature, name: str, value: Any
) -> Any:
    """The value of one argument, made fit for its declared type. Raises InputError where it cannot be."""
    parameter, hint = signature.parameters[name], _hints_of(function).get(name, Any)
    try:
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            return tuple(_inside(f"[{place}]", hint, one) for place, one in enumerate(value))
        return _fitted(hint, value)
    except _Misfit as wrong:
        called = f"{function.__name__}({name}{wrong.inside}={_shown(wrong.found)})"
        hint_more = ""
        if isinstance(wrong.found, str) and wrong.expected.startswith("a list of "):
            hint_more = f" For one alone write [{_shown(wrong.found)}]."
        raise InputError(
            f"{called}: expected {wrong.expected}, found {_kind(wrong.found)}.{hint_more}"
        ) from None


def _fitted(hint: Any, value: Any) -> Any:
    """The value where it is of that type: a whole number of any library as an int, all else as it is.

    Raises _Misfit.
    """
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any or hint is object:
        return value
    if origin in (Union, types.UnionType):
        return _fitted_one_of(hint, inner, value)
    if origin is Literal:
        if value not in inner or type(value) is bool:
            raise _Misfit(" or ".join(map(repr, inner)), value)
        return value
    if origin is not None and issubclass(origin, Mapping):
        return _fitted_mapping(hint, inner, value)
    if origin is not None and issubclass(origin, Iterable):
        return _fitted_several(hint, origin, inner, value)
    if hint is int and not isinstance(value, bool) and hasattr(value, "__index__"):
        return operator.index(value)
    if hint is float and isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if hint not in (int, float) and isinstance(value, hint):
        return value
    raise _Misfit(said(hint), value)


def _fitted_one_of(hint: Any, inner: tuple[Any, ...], value: Any) -> Any:
    deepest: _Misfit | None = None
    for one in inner:
        try:
            return _fitted(one, value)
        except _Misfit as wrong:
            deepest = wrong if wrong.inside else deepest
    raise deepest or _Misfit(said(hint), value)


def _fitted_mapping(hint: Any, inner: tuple[Any, ...], value: Any) -> Any:
    if not isinstance(value, Mapping):
        raise _Misfit(said(hint), value)
    fitted = {}
    for key, one in value.items():
        fitted[_inside(".keys()", inner[0], key)] = _inside(f"[{key!r}]", inner[1], one)
    return fitted


def _fitted_several(hint: Any, origin: Any, inner: tuple[Any, ...], value: Any) -> Any:
    """Texts are no list of their letters, and a mapping is none of its keys. What can be walked but once is
    not looked into."""
    walked = Iterable if origin is Iterable else Collection
    if isinstance(value, str | bytes | bytearray | Mapping) or not isinstance(value, walked):
        raise _Misfit(said(hint), value)
    if not isinstance(value, Collection):
        return value
    if origin is tuple and inner[-1] is not Ellipsis:
        if len(value) != len(inner):
            raise _Misfit(said(hint), value)
        pairs = zip(inner, value, strict=True)
        return tuple(_inside(f"[{place}]", one, part) for place, (one, part) in enumerate(pairs))
    return tuple(_inside(f"[{place}]", inner[0], part) for place, part in enumerate(value))


def _inside(where: str, hint: Any, value: Any) -> Any:
    try:
        return _fitted(hint, value)
    except _Misfit as wrong:
        raise _Misfit(wrong.expected, wrong.found, where + wrong.inside) from None


_WORDS: Mapping[Any, str] = {
    str: "a str",
    int: "an int",
    float: "a number",
    bool: "True or False",
    bytes: "bytes",
    datetime: "a datetime",
    date: "a date",
    Path: "a path",
    types.NoneType: "None",
}


def said(hint: Any) -> str:
    """A type in words: “an int, a datetime or None”."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        parts = list(dict.fromkeys(said(one) for one in inner))
        return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"
    if origin is Literal:
        return " or ".join(map(repr, inner))
    if origin is not None and issubclass(origin, Mapping):
        return "a dict"
    if origin is tuple and inner[-1] is not Ellipsis:
        return f"a tuple of {len(inner)}"
    if origin is not None:
        return f"a list of {said(inner[0]).removeprefix('a ').removeprefix('an ')}"
    return _WORDS.get(hint, f"a {getattr(hint, '__name__', hint)}")


def _kind(value: object) -> str:
    return "None" if value is None else type(value).__name__


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}…"


# ── Ways. ─────────────────────────────────────────────────────────────────────────────────────────────────

METHODS: Mapping[str, str] = {
    "add_alias": "game.alias({slot|NAME}, {alias}, why={why|…})",
    "archive": "game.archive(public=True)",
    "close": "game.close({kind})",
    "close_day": "game.close_day(NAME[, day={day}])",
    "close_day_despite": "game.close_day(NAME, despite={why|…})",
    "close_day_early": "game.close_day(NAME, early={why|…})",
    "commit_deal": "game.commit_deal()",
    "count_saved": "kf.count(kf.read_html(…))",
    "count_votes": "game.count()",
    "deal": "game.deal()",
    "decide": 'game.submit("moderator", "…")',
    "decide_signup": "game.decide_signup({post}, {words}, why={why|…})",
    "decide_vote": "game.fix({post|POST}, to=NAME, why={why|…})",
    "decide_votes": "game.fix(POST, to=NAME, why=…)",
    "draft_post": "game.post({kind})",
    "draw_board": "game.board(viewer={slot|NAME})",
    "enter_round": "game.enter_round()",
    "extend": "game.extend_phase({kind}[, {number}][, by={by}][, ends={ends}])",
    "flip": "game.flip([day={day}])",
    "hand_over": "game.hand_over([since={since}])",
    "import_journal": "game.import_journal(FILE)",
    "in_game": "kf.Game.open(FOLDER)",
    "list_nicknames": "game.nickname_book()",
    "list_players": "game.roster()",
    "list_pms": "game.pms({kind})",
    "list_roles": 'game.lookup("roles")',
    "lock": "game.lock_phase()",
    "log": "game.log()",
    "mark_sent": 'game.mark_pms("sent", [NAME, …][, batch={batch}])',
    "name_thread": "game.name_thread({role}, URL)",
    "new_game": "kf.Game.create(GAME, PLAYERS, FOLDER)",
    "open_phase": "game.open_phase({kind}, {number}[, at={at}][, ends={ends}][, first_post={post}])",
    "own_network": "allow_private_host=True",
    "post": "game.post({kind}, posted=True)",
    "prod": "game.prod([[{slot}]])",
    "read": "game.read()",
    "read_saved": "game.read(pages=[FILE, …])",
    "read_signups": "game.write_signups()",
    "remind": "game.remind()",
    "replace": "game.replace({slot|OLD}, NEW)",
    "resolve": "game.preview()",
    "rooms": "game.rooms()",
    "rule": "game.rule(QUESTION, ANSWER, why={why|…})",
    "say_alive": "kf.count(thread, day={day}, opened=POST, alive=[NAME, …])",
    "say_dead": 'kf.count(thread, day={day}, alive=[["-{slot!w}"]])',
    "say_elimination": 'game.submit("moderator", "eliminate NAME")',
    "say_house": "kf.count(thread, house=[[{word}]])",
    "say_lives": 'kf.count(thread, day={day}, alive=[["+{slot!w}"]])',
    "see_open": "game.missing()",
    "see_post": "game.evidence({post})",
    "see_signups": "game.signups()",
    "send_batch": "game.next_pm({kind}, batch={batch})",
    "send_pms": "game.next_pm({kind})",
    "set_deadline": "game.extend_phase({kind|KIND}, ends={ends|…})",
    "show_pm": "game.pms_for({slot|NAME})",
    "submit": "game.submit({slot|NAME}, {text|TEXT})",
    "take_pms": "game.take_in(from_pms={file|FILE})",
    "type_players": "game.type_players([NAME, …])",
    "undo": "game.undo([{entry}, ]why={why|…})",
    "use_lines": "kf.read_jsonl(FILE)",
    "use_saved": "kf.read_html(FILES)",
    "verify": "game.verify()",
    "write_note": "game.write_note({text|TEXT})",
    "write_texts": "game.write_missing()",
}
"""Each way as Python goes it; what is missing here is said by its phrase (`PHRASES`)."""

KEYWORDS: Mapping[str, tuple[str, ...]] = {
    "at": ("as_of",),
    "at_entry": ("at", "as_of"),
    "format": ("form",),
    "from_page": ("from_pages",),
    "game": ("config", "game"),
    "post": ("first_post", "last_post", "from_post"),
    "sent": ("at",),
    "setup": ("setup", "options"),
    "text_column": ("text_columns",),
    "why": ("why_early",),
}
"""Field of a question → what its keyword may be called in Python, where that is another name."""


def as_python(way: Way, parameters: Collection[str] = ()) -> str:
    """A way as Python goes it: a method, or a keyword of the call that has these `parameters`."""
    if way.to == "field":
        name = str(way.values["name"])
        known = [one for one in (name, *KEYWORDS.get(name, ())) if one in parameters]
        return f"{(*known, *KEYWORDS.get(name, ()), name)[0]}={_literal(way.values.get('value') or '…')}"
    if way.to in METHODS:
        return filled(METHODS[way.to], way.values, _literal)
    return filled(PHRASES.get(way.to, way.to), way.values)


def _literal(value: object) -> str:
    """A value as Python writes it; one that only stands for what is put there as it is."""
    text = str(value)
    return text if is_placeholder(text) or text.isdigit() else repr(text)
