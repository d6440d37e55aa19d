"""Values: frozen dataclasses that are loaded and made quickly.

The standard library compiles six functions for each class when its module is loaded. A count loads 150
classes of values, which took longer than to count ten thousand posts. Here a class marked as
`@dataclass(frozen=True, slots=True)` compiles one text with three functions and sets its fields through the
slots, so that a value is made in two thirds of the time. All that a class asks for beyond that is left to the
standard library.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from inspect import get_annotations
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> Any:
        """The decorator of the standard library; frozen values with slots are built here."""
        if cls is None:
            return lambda cls: dataclass(cls, **options)
        if options != {"frozen": True, "slots": True} or not _is_simple(cls):
            return dataclasses.dataclass(cls, **options)
        return _value(cls)


_GENERATED = frozenset(
    {
        "__init__",
        "__repr__",
        "__eq__",
        "__hash__",
        "__setattr__",
        "__delattr__",
        "__getstate__",
        "__setstate__",
    }
)


def _is_simple(cls: type) -> bool:
    """Whether a class has no fields but its own, and none of the methods that it is to get."""
    noted = get_annotations(cls).values()
    return (
        _GENERATED.isdisjoint(cls.__dict__)
        and not any(dataclasses.is_dataclass(base) for base in cls.__mro__[1:])
        and not any("InitVar" in str(kind) or "KW_ONLY" in str(kind) for kind in noted)
        and not any(isinstance(own, dataclasses.Field) and own.kw_only is True for own in vars(cls).values())
    )


def _value(cls: type) -> type:
    # The standard library finds the fields and makes the slots; it compiles nothing for that.
    made: Any = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=True)
    fields = dataclasses.fields(made)
    params = made.__dataclass_params__
    params.init = params.repr = params.eq = params.frozen = True
    namespace: dict[str, Any] = {f"_set_{field.name}": getattr(made, field.name).__set__ for field in fields}
    namespace |= {"_FACTORY": _FACTORY, "__name__": cls.__module__}
    exec(_source(fields, namespace, hasattr(made, "__post_init__")), namespace)
    kinds = {field.name: field.type for field in fields if field.init}
    namespace["__init__"].__annotations__ = {**kinds, "return": None}
    set_refused, delete_refused = _frozen(made, frozenset(field.name for field in fields))
    methods: dict[str, Callable[..., Any]] = {
        **{name: namespace[name] for name in ("__init__", "__eq__", "__hash__")},
        "__repr__": _shown(tuple(field.name for field in fields if field.repr)),
        "__setattr__": set_refused,
        "__delattr__": delete_refused,
        "__getstate__": _state,
        "__setstate__": _with_state,
    }
    for name, method in methods.items():
        setattr(made, name, method)
    result: type = made
    return result


class _Factory:
    """Stands for a default that is made anew for each value."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _Factory()


def _source(fields: Sequence[dataclasses.Field[Any]], namespace: dict[str, Any], then: bool) -> str:
    """The text of `__init__`, `__eq__` and `__hash__`; the defaults go into the namespace."""
    taken, body = ["self"], list[str]()
    for field in fields:
        name, missing = field.name, dataclasses.MISSING
        default = f"_default_{name}"
        if field.default_factory is not missing:
            namespace[default] = field.default_factory
            value = f"{default}() if {name} is _FACTORY else {name}" if field.init else f"{default}()"
            taken += [f"{name}=_FACTORY"] if field.init else []
        elif field.default is not missing:
            namespace[default] = field.default
            value = name if field.init else default
            taken += [f"{name}={default}"] if field.init else []
        elif field.init:
            value = name
            taken.append(name)
        else:
            continue
        body.append(f" _set_{name}(self, {value})")
    body += [" self.__post_init__()"] if then else []
    compared = [field.name for field in fields if field.compare]
    hashed = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    own, others = _parts("self", compared), _parts("other", compared)
    return "\n".join(
        (
            f"def __init__({', '.join(taken)}):",
            *(body or [" pass"]),
            "def __eq__(self, other):",
            " if other.__class__ is self.__class__:",
            f"  return {own} == {others}",
            " return NotImplemented",
            "def __hash__(self):",
            f" return hash({_parts('self', hashed)})",
        )
    )


def _parts(of: str, names: Sequence[str]) -> str:
    """The text of a tuple of these attributes."""
    return f"({''.join(f'{of}.{name}, ' for name in names)})"


def _shown(names: Sequence[str]) -> Callable[[Any], str]:
    @recursive_repr()
    def shown(self: Any) -> str:
        said = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({said})"

    return shown


def _frozen(cls: type, names: frozenset[str]) -> tuple[Callable[..., None], Callable[..., None]]:
    def set_refused(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def delete_refused(self: Any, name: str) -> None:
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        object.__delattr__(self, name)

    return set_refused, delete_refused


def _state(self: Any) -> list[Any]:
    """What is pickled and copied: the fields in order."""
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _with_state(self: Any, state: Sequence[Any]) -> None:
    """Set the fields of a value that was pickled or copied."""
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
