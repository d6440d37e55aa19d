"""A value is the frozen dataclass of the standard library, however it was built."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from knightfall.values import dataclass

T = TypeVar("T")
Decorator = Callable[..., Any]


def made_by(decorator: Decorator) -> tuple[type[Any], ...]:
    """Classes of every kind that values may be."""

    @decorator(frozen=True, slots=True)
    class Empty:
        """Nothing."""

    @decorator(frozen=True, slots=True)
    class Plain:
        """Two fields, one of them with a default, beside what is no field."""

        LIMIT: ClassVar[int] = 3
        a: int
        b: str = "b"

        @property
        def double(self) -> int:
            """Twice the first."""
            return self.a * 2

    @decorator(frozen=True, slots=True)
    class Unlike:
        """Fields that are made anew, compared or shown otherwise, or set afterwards."""

        a: int
        many: list[int] = field(default_factory=list)
        quiet: int = field(default=7, repr=False)
        aside: int = field(default=8, compare=False)
        unhashed: int = field(default=9, hash=False)
        fixed: str = field(default="f", init=False)
        later: int = field(init=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "later", self.a + 1)

    @decorator(frozen=True, slots=True)
    class Of(Generic[T]):
        """A value of something."""

        a: T

    @decorator(frozen=True, slots=True)
    class Base:
        """What another stands on."""

        a: int

    @decorator(frozen=True, slots=True)
    class Above(Base):
        """Another that stands on it."""

        b: int = 2

    @decorator(frozen=True, slots=True)
    class Same:
        """Its own equality."""

        a: int

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Same)

        def __hash__(self) -> int:
            return 1

    return Empty, Plain, Unlike, Of, Base, Above, Same


OURS, THEIRS = made_by(dataclass), made_by(dataclasses.dataclass)
PAIRS = list(zip(OURS, THEIRS, strict=True))
GIVEN: dict[str, list[tuple[Any, ...]]] = {
    "Empty": [()],
    "Plain": [(1,), (1, "c"), (2,)],
    "Unlike": [(1,), (1, [2]), (1, [], 6), (1, [], 7, 5), (1, [], 7, 8, 4)],
    "Of": [(1,), ("x",), (float("nan"),)],
    "Base": [(1,), (2,)],
    "Above": [(1,), (1, 3)],
    "Same": [(1,), (2,)],
}


def hashed(value: object) -> int | str:
    try:
        return hash(value)
    except TypeError as fault:
        return str(fault)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=lambda one: one.__name__)
def test_values_compare_hash_show_and_replace_like_those_of_the_standard_library(
    ours: type[Any], theirs: type[Any]
) -> None:
    given = GIVEN[ours.__name__]
    mine, other = ([kind(*one) for one in given] for kind in (ours, theirs))
    assert list(map(repr, mine)) == list(map(repr, other))
    assert [[a == b for a in mine] for b in mine] == [[a == b for a in other] for b in other]
    assert [hashed(one) for one in mine] == [hashed(one) for one in other]
    assert [dataclasses.asdict(one) for one in mine] == [dataclasses.asdict(one) for one in other]
    for one in mine:
        assert one != object()
        assert dataclasses.replace(one) == one or one != one  # or not a number
        assert repr(copy.copy(one)) == repr(copy.deepcopy(one)) == repr(one)


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=lambda one: one.__name__)
def test_their_classes_tell_the_same_of_themselves(ours: type[Any], theirs: type[Any]) -> None:
    for name in ("__match_args__", "__slots__", "__doc__", "__module__", "__qualname__"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert str(inspect.signature(ours)) == str(inspect.signature(theirs))
    assert repr(ours.__dataclass_params__) == repr(theirs.__dataclass_params__)
    described = [
        [(one.name, one.type, one.init, one.compare) for one in dataclasses.fields(kind)]
        for kind in (ours, theirs)
    ]
    assert described[0] == described[1]


@pytest.mark.parametrize("kind", OURS, ids=lambda one: one.__name__)
def test_a_value_is_frozen_and_has_no_room_for_more(kind: type[Any]) -> None:
    value = kind(*GIVEN[kind.__name__][0])
    for name in ("a", "more"):
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(value, name, 1)
        with pytest.raises((FrozenInstanceError, TypeError)):
            delattr(value, name)
    assert not hasattr(value, "__dict__")


@pytest.mark.parametrize(("given", "named"), [((), {}), ((1, 2, 3), {}), ((1,), {"a": 1}), ((1,), {"c": 1})])
def test_arguments_that_do_not_fit_are_refused_in_the_same_words(
    given: tuple[Any, ...], named: dict[str, Any]
) -> None:
    said = []
    for kind in PAIRS[1]:
        with pytest.raises(TypeError) as fault:
            kind(*given, **named)
        said.append(str(fault.value).replace("made_by.<locals>.", "").replace("Plain.", ""))
    assert said[0] == said[1]


@dataclass(frozen=True, slots=True)
class Sent:
    """A value that another process gets."""

    a: int
    b: tuple[int, ...] = ()


def test_a_value_goes_to_another_process_and_back() -> None:
    assert pickle.loads(pickle.dumps(Sent(1, (2,)))) == Sent(1, (2,))


def test_what_asks_for_more_is_left_to_the_standard_library() -> None:
    @dataclass(slots=True)
    class Open:
        a: int

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named:
        a: int

    @dataclass
    class Bare:
        a: int = 0

    value, bare = Open(1), Bare()
    value.a = bare.more = 2  # type: ignore[attr-defined]
    assert value == Open(2)
    assert Named(a=1) != Named(a=2)
