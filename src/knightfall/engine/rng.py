"""Keyed draws: a pure function of seed, path and label, or the moderator's own cards and dice."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from knightfall.errors import StateDamaged

T = TypeVar("T")

_SPAN = 1 << 256  # what one SHA-256 can name
_SHOWN = 40  # options that a message lists
_MIN_SALT = 16  # bytes: a shorter salt could be found by trying the few possible deals


class Key(NamedTuple):
    """Which draw: no two draws of a game have one key."""

    path: tuple[str, ...]
    label: str
    repeat: int


class DrawKind(StrEnum):
    """How a draw takes from its options: one, several that may repeat, several different."""

    CHOICE = "choice"
    CHOICES = "choices"
    SAMPLE = "sample"


class Drawn(NamedTuple):
    """One line of the log of chance; `value` is one option, or several where the way takes several."""

    key: Key
    value: object
    options: Sequence[object] = ()
    way: DrawKind = DrawKind.CHOICE


class Rng(Protocol):
    """A source of chance. `repeat` counts draws of one label at one path."""

    def at(self, *path: object) -> Rng:
        """The source further down: `draw.at("night", 3)`."""
        ...

    def apart(self, *path: object) -> Rng:
        """The source further down with a seed of its own, which can be published by itself."""
        ...

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        """One of the options, each equally likely."""
        ...

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        """`count` independent choices: an option can come more than once."""
        ...

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        """`count` different options in random order; all of them: a shuffle."""
        ...


class Chance(Rng, Protocol):
    """The chance of a whole game."""

    def at(self, *path: object) -> Chance: ...

    def apart(self, *path: object) -> Chance: ...

    def mixed(self, value: str) -> Chance:
        """The source once a beacon's value, in hex, has come, as journals of earlier versions hold it."""
        ...


def mixed_seed(seed: bytes, value: str) -> bytes:
    """The next link of the chain of seeds: SHA-256 of three lines, with seed and value in hex."""
    return hashlib.sha256(f"knightfall mix 2\n{seed.hex()}\n{value}".encode()).digest()


@dataclass(frozen=True, slots=True)
class SeededRng:
    """Keyed draws by HMAC-SHA256, reduced without bias. Drawing one key twice raises StateDamaged.

    `parts`: the seeds of parts that do not follow from `seed`, by their paths.
    """

    seed: bytes
    path: tuple[str, ...] = ()
    log: list[Drawn] = field(default_factory=list, compare=False, repr=False)
    _seen: set[Key] = field(default_factory=set, compare=False, repr=False)
    parts: Mapping[tuple[str, ...], bytes] = field(default_factory=dict, compare=False, repr=False)

    def at(self, *path: object) -> SeededRng:
        return replace(self, path=self.path + tuple(map(str, path)))

    def apart(self, *path: object) -> SeededRng:
        """Its seed is the one of that part, else a digest of ours and the path: it tells nothing of ours, nor
        of another one."""
        below = self.path + tuple(map(str, path))
        own = self.parts.get(below)
        seed = own or hmac.digest(self.seed, json.dumps(["apart", *below]).encode(), "sha256")
        return replace(self, seed=seed, path=below)

    def mixed(self, value: str) -> SeededRng:
        """Each part is mixed with the value by itself, so that it can still be published by itself."""
        parts = {path: mixed_seed(seed, value) for path, seed in self.parts.items()}
        return replace(self, seed=mixed_seed(self.seed, value), parts=parts)

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        key = self._claim(label, repeat)
        return self._record(key, options[self._below(key, 0, len(options))], options, DrawKind.CHOICE)

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        key = self._claim(label, repeat)
        drawn = tuple(options[self._below(key, i, len(options))] for i in range(count))
        return self._record(key, drawn, options, DrawKind.CHOICES)

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        key, left = self._claim(label, repeat), list(options)
        drawn = tuple(left.pop(self._below(key, i, len(left))) for i in range(count))
        return self._record(key, drawn, options, DrawKind.SAMPLE)

    def _claim(self, label: str, repeat: int) -> Key:
        key = Key(self.path, label, repeat)
        if key in self._seen:
            place = "/".join(self.path) or "the start"
            raise StateDamaged(f"{label} was drawn twice at {place}: count the repeats.")
        self._seen.add(key)
        return key

    def _record(self, key: Key, value: T, options: Sequence[object], way: DrawKind) -> T:
        self.log.append(Drawn(key, value, options, way))
        return value

    def _below(self, key: Key, index: int, bound: int) -> int:
        """An integer from 0 to bound - 1: values from the incomplete last stretch are thrown again."""
        attempt = 0
        while (value := self._throw(key, index, attempt)) >= _SPAN - _SPAN % bound:
            attempt += 1
        return value % bound

    def _throw(self, key: Key, index: int, attempt: int) -> int:
        message = json.dumps([*key.path, key.label, key.repeat, index, attempt]).encode()
        return int.from_bytes(hmac.digest(self.seed, message, "sha256"), "big")


@dataclass(frozen=True, slots=True)
class ScriptedRng:
    """Scripted values first, in order and by label; what nobody scripts comes from `fallback`.

    A label that the script still holds, or one whose head (the part before `:`) is in `listed`, must be the
    next in the script: anything else raises StateDamaged.
    """

    script: list[tuple[str, object]]
    fallback: Chance
    listed: frozenset[str] = frozenset()

    @property
    def unused(self) -> tuple[str, ...]:
        """Labels of scripted values that nobody asked for."""
        return tuple(label for label, _ in self.script)

    def at(self, *path: object) -> ScriptedRng:
        return ScriptedRng(self.script, self.fallback.at(*path), self.listed)

    def apart(self, *path: object) -> ScriptedRng:
        return ScriptedRng(self.script, self.fallback.apart(*path), self.listed)

    def mixed(self, value: str) -> ScriptedRng:
        return ScriptedRng(self.script, self.fallback.mixed(value), self.listed)

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        if not self._fixed(label):
            return self.fallback.choice(label, options, repeat)
        return _option(label, self._next(label), options)

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        if not self._fixed(label):
            return self.fallback.choices(label, options, count, repeat)
        return _options(label, self._next(label), options, count)

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        if not self._fixed(label):
            return self.fallback.sample(label, options, count, repeat)
        picked = _options(label, self._next(label), options, count)
        if any(picked.count(value) > options.count(value) for value in picked):
            raise StateDamaged(f"The scripted value of {label} names one option twice: {picked!r}.")
        return picked

    def _fixed(self, label: str) -> bool:
        return label.partition(":")[0] in self.listed or any(label == known for known, _ in self.script)

    def _next(self, label: str) -> object:
        if not self.script:
            raise StateDamaged(f"{label} is drawn, but no scripted value is left.")
        if self.script[0][0] != label:
            raise StateDamaged(f"{label} is drawn, but the next scripted value is for {self.script[0][0]}.")
        return self.script.pop(0)[1]


def foreseen(draw: Rng) -> Rng:
    """A source that draws what this one would draw next, and leaves it as it is."""
    return deepcopy(draw)


def commitment(seed: bytes, salt: bytes) -> str:
    """What the opening post publishes: SHA-256 over salt and seed; both are shown at the end."""
    if len(salt) < _MIN_SALT:
        raise ValueError(f"the salt has {len(salt)} bytes; fewer than {_MIN_SALT} can be guessed")
    return hashlib.sha256(salt + seed).hexdigest()


def _option(label: str, value: object, options: Sequence[T]) -> T:
    if value in options:
        return options[options.index(value)]
    shown = ", ".join(map(repr, options[:_SHOWN])) + (", …" if len(options) > _SHOWN else "")
    raise StateDamaged(f"The scripted value of {label} is {value!r}, not one of [{shown}].")


def _options(label: str, value: object, options: Sequence[T], count: int) -> tuple[T, ...]:
    values = list(value) if isinstance(value, list | tuple | str) else [value]
    if len(values) != count:
        raise StateDamaged(f"The scripted value of {label} has {len(values)} parts, {count} are drawn.")
    return tuple(_option(label, part, options) for part in values)


@dataclass(frozen=True, slots=True)
class ManualRng:
    """`held`: values by label, the first first; taken out as they are drawn, and then in `used`. Raises
    StateDamaged for a value that is none of the options."""

    fallback: Chance
    held: dict[str, list[object]] = field(default_factory=dict)
    used: list[tuple[str, object]] = field(default_factory=list)

    def at(self, *path: object) -> ManualRng:
        return ManualRng(self.fallback.at(*path), self.held, self.used)

    def apart(self, *path: object) -> ManualRng:
        return ManualRng(self.fallback.apart(*path), self.held, self.used)

    def mixed(self, value: str) -> ManualRng:
        return ManualRng(self.fallback.mixed(value), self.held, self.used)

    def choice(self, label: str, options: Sequence[T], repeat: int = 0) -> T:
        return self._source(label).choice(label, options, repeat)

    def choices(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        return self._source(label).choices(label, options, count, repeat)

    def sample(self, label: str, options: Sequence[T], count: int, repeat: int = 0) -> tuple[T, ...]:
        return self._source(label).sample(label, options, count, repeat)

    def hold(self, label: str, value: object) -> None:
        """For the next draw of this label that no held value waits for yet."""
        self.held.setdefault(label, []).append(value)

    def _source(self, label: str) -> Chance:
        waiting = self.held.get(label)
        if not waiting:
            return self.fallback
        self.used.append((label, waiting[0]))
        return ScriptedRng([(label, waiting.pop(0))], self.fallback)
