"""Options of a verb, made from what is declared: parameters of a question, fields of a request."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial, wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import typer

from knightfall.parameters import Parameter, TextFile, parameters_of, request_of


class Without:
    """Which fields of a request a verb does not ask for: `Annotated[CountRequest, Without("day")]`."""

    def __init__(self, *names: str) -> None:
        self.names = frozenset(names)


def verb(function: Callable[..., None]) -> Callable[..., None]:
    """The function as typer reads it: a parameter that is a request becomes the options of its fields.

    A `partial[Request]` is a request of which the verb knows the rest. An option that two requests have is
    one option, and both get it. Arguments come in the order of the signature.
    """
    hints = get_type_hints(function, include_extras=True)
    requests: dict[str, Callable[[Mapping[str, object]], object]] = {}
    shown: dict[str, inspect.Parameter] = {}
    own: list[str] = []
    for name, said in inspect.signature(function).parameters.items():
        kind, *notes = get_args(hints[name]) if get_origin(hints[name]) is Annotated else (hints[name],)
        in_part = get_origin(kind) is partial
        request: Any = get_args(kind)[0] if in_part else kind
        if not hasattr(request, "__dataclass_fields__"):
            own.append(name)
            shown[name] = said.replace(annotation=hints[name], kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        without = {field for note in notes if isinstance(note, Without) for field in note.names}
        asked_for = [one for one in parameters_of(request) if one.name not in without]
        for parameter in asked_for:
            optional = replace(parameter, required=False) if in_part else parameter
            shown.setdefault(parameter.name, parameter_of(optional))
        requests[name] = (
            partial(_part_of, request, asked_for)
            if in_part
            else partial(request_of, request, without=frozenset(without))
        )
    if not requests:
        return function

    @wraps(function)
    def run(**given: Any) -> None:
        function(
            **{name: given[name] for name in own}, **{name: make(given) for name, make in requests.items()}
        )

    return with_parameters(run, list(shown.values()))


def with_parameters(
    function: Callable[..., None], parameters: list[inspect.Parameter]
) -> Callable[..., None]:
    """The function with a signature that typer reads."""
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {one.name: one.annotation for one in parameters}
    return function


def _part_of(request: Any, known: Sequence[Parameter], given: Mapping[str, object]) -> partial[Any]:
    """The request with what was given; its other fields are still to be said."""
    values = {
        one.name: one.read(given[one.name])
        for one in known
        if given[one.name] not in (None, "", (), one.default)
    }
    return partial(request, **values)


def _dialects() -> Iterable[str]:
    from knightfall.markup.dialects import NAMES

    return NAMES


def _themes() -> Iterable[str]:
    from knightfall.services.count.request import themes

    return themes()


def _games() -> Iterable[str]:
    from knightfall.games import game_ids

    return (*(one.replace("_", "-") for one in game_ids()), "votes")


VALUES: Mapping[str, Callable[[], Iterable[str]]] = {"DIALECT": _dialects, "THEME": _themes, "GAME": _games}
"""What a value is called in the help → the values that a shell can complete."""


def _completion(metavar: str | None) -> Callable[[str], list[str]] | None:
    values = VALUES.get(metavar or "")
    if values is None:
        return None

    def begins(incomplete: str) -> list[str]:
        return [value for value in values() if value.startswith(incomplete)]

    return begins


def parameter_of(wanted: Parameter) -> inspect.Parameter:
    """A declared parameter as typer has it."""
    kind: Any = wanted.type
    default: Any = wanted.default
    if kind is TextFile or issubclass(kind, Enum):  # read by the parameter itself
        kind, default = str, default.value if isinstance(default, Enum) else default
    kind = list[kind] if wanted.several else kind
    metavar = wanted.metavar or None
    begins = _completion(metavar)
    limits: dict[str, Any] = {"min": wanted.least, "max": wanted.most}
    about: Any
    if wanted.positional:
        about = typer.Argument(metavar=metavar, help=wanted.help, autocompletion=begins, **limits)
    elif kind is bool:  # a switch, without its opposite
        about = typer.Option(wanted.option, help=wanted.help)
    else:
        about = typer.Option(
            wanted.option, metavar=metavar, help=wanted.help, autocompletion=begins, **limits
        )
    optional = kind if wanted.required or default is not None else kind | None
    return inspect.Parameter(
        wanted.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=inspect.Parameter.empty if wanted.required else default,
        annotation=Annotated[optional, about],
    )
