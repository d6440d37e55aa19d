"""What may be asked: the parameters of a question, declared once for every face.

A request of a service is a frozen dataclass whose fields say what they are (`asked`). The command line makes
options of them, the page the fields of a form, /api/v1 the parameters of an address.
"""

from __future__ import annotations

import types
from collections.abc import Collection, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from knightfall.errors import InputError

R = TypeVar("R")
_ASKED = "asked"


@dataclass(frozen=True, slots=True)
class TextFile:
    """A text that the face has read from a file: `name` is what complaints call it."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a question: an argument where it is positional, else an option.

    `type` is str, int, float, bool, Path, an enumeration of texts, or TextFile (the face reads the file).
    `default` None: it may be left out.
    """

    name: str
    help: str
    type: type = str
    default: object = None
    metavar: str = ""
    positional: bool = False
    required: bool = False
    several: bool = False
    """Any number of words, given as one sequence."""
    least: int | None = None
    """The smallest number that can be asked for."""
    most: int | None = None
    """The largest one."""
    flag: str = ""
    """The option's own name where it is not that of the parameter."""

    @property
    def option(self) -> str:
        """Its option at a terminal."""
        return f"--{self.flag or self.name.replace('_', '-')}"

    def read(self, said: object) -> object:
        """The value that was typed into a form or an address, or at a terminal.

        Raises InputError for what is no such value.
        """
        if self.several:
            words = [said] if isinstance(said, str) else said
            return tuple(words) if isinstance(words, Sequence) else said
        if not isinstance(said, str) or self.type in (str, TextFile):
            return said
        if self.type is bool:
            return said.casefold() in ("1", "true", "yes", "on")
        try:
            value = self.type(said.strip())
        except ValueError:
            expected = "a number"
            if issubclass(self.type, Enum):
                expected = " or ".join(str(one.value) for one in self.type)
            raise InputError(f"{self.words}: expected {expected}, found “{said}”.") from None
        self.refuse_outside(value)
        return value

    def refuse_outside(self, value: object) -> None:
        """Raise InputError for a number beyond its bounds; “nan” is beyond any."""
        if not isinstance(value, int | float):
            return
        if self.least is not None and not value >= self.least:
            raise InputError(f"{self.words}: expected {self.least} or more, found {value}.")
        if self.most is not None and not value <= self.most:
            raise InputError(f"{self.words}: expected {self.most} or less, found {value}.")

    def value_in(self, given: Mapping[str, object]) -> object:
        """The value that was given under its name; None where it was left out (None and "" are not given).

        Raises InputError where it is needed, and for what cannot be read.
        """
        said = given.get(self.name)
        if said not in (None, ""):
            return self.read(said)
        if self.required:
            raise InputError(f"{self.words}: this is needed. {self.help}")
        return None

    @property
    def words(self) -> str:
        """What a person calls it."""
        return (self.flag or self.name).replace("-", " ").replace("_", " ")


class Request:
    """A request whose numbers lie within their bounds, whoever makes it. Raises InputError where one does
    not."""

    __slots__ = ()

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for one in _bounded(kind):
            one.refuse_outside(getattr(self, one.name))


@cache
def _bounded(request: Any) -> tuple[Parameter, ...]:
    """The fields of a request itself that have bounds."""
    own = {one.name for one in fields(request)}
    bounded = (one for one in parameters_of(request) if one.least is not None or one.most is not None)
    return tuple(one for one in bounded if one.name in own)


def asked(help: str, default: Any = MISSING, **more: Any) -> Any:
    """A field of a request that the faces ask for; `more` is what Parameter says of it beside its type.

    Without a default it must be given.
    """
    return field(default=default, metadata={_ASKED: (help, more)})


@cache
def parameters_of(request: Any) -> tuple[Parameter, ...]:
    """The declared fields of a request in their order; those of a request within it stand in its place."""
    hints = get_type_hints(request)
    found: list[Parameter] = []
    for one in fields(request):
        if is_dataclass(hints[one.name]):
            found += parameters_of(hints[one.name])
        elif _ASKED in one.metadata:
            help, more = one.metadata[_ASKED]
            required = one.default is MISSING
            several, kind = _kind_of(hints[one.name])
            default = None if required or several else one.default
            found.append(Parameter(one.name, help, kind, default, required=required, several=several, **more))
    return tuple(found)


def request_of(request: type[R], given: Mapping[str, object], without: Collection[str] = ()) -> R:
    """The request with what was given for its parameters, by their names; None and "" are not given.

    Raises InputError for a value that cannot be read, and for one that must be given and is not.
    """
    declared: Any = request
    known = {one.name: one for one in parameters_of(declared) if one.name not in without}
    hints = get_type_hints(request)
    values: dict[str, Any] = {}
    for one in fields(request):  # type: ignore[arg-type]  # a request is a dataclass
        if is_dataclass(hints[one.name]):
            values[one.name] = request_of(hints[one.name], given, without)
        elif one.name in known and (value := known[one.name].value_in(given)) is not None:
            values[one.name] = value
    return request(**values)


def _kind_of(hint: Any) -> tuple[bool, type]:
    """Whether a field takes several values, and the type of one."""
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(one for one in get_args(hint) if one is not types.NoneType)
    if get_origin(hint) is tuple:
        return True, get_args(hint)[0]
    return False, hint
