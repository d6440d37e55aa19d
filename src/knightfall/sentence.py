"""Sentences in which names and ways are values.

A text that we write ourselves is never searched for a name or a command: whoever writes it says which part
is one. A `SlotId` is a name, a `Way` is something that can be done next, and a `Sentence` is a text that
still knows its parts. Each face shows a name by who holds the slot now, and a way as it does that itself: the
command line as a command, the page as a link, Python as a method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import TypeAlias


class SlotId(str):
    """A slot of a game: the name its first holder signed up with. Replacements and aliases lead to it.

    A class of its own, so that whoever has a value of any kind can tell a name from a word.
    """

    __slots__ = ()


class Way:
    """Something that can be done next, whoever shows it: `to` says what, `values` with what.

    `Way("undo", entry=3)`. Its text is plain English that holds in every face: `PHRASES` has a phrase for
    each.
    """

    __slots__ = ("to", "values")

    def __init__(self, to: str, /, **values: object) -> None:
        self.to = to
        self.values: Mapping[str, object] = values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Way) and (self.to, self.values) == (other.to, other.values)

    def __hash__(self) -> int:
        return hash((self.to, tuple(sorted((key, str(value)) for key, value in self.values.items()))))

    def __repr__(self) -> str:
        values = "".join(f", {key}={value!r}" for key, value in self.values.items())
        return f"Way({self.to!r}{values})"

    def __str__(self) -> str:
        return filled(PHRASES.get(self.to, self.to.replace("_", " ")), self.values)


class _Lenient(Formatter):
    def get_value(self, key: int | str, args: object, kwargs: Mapping[str, object]) -> object:  # noqa: ARG002 - as Formatter asks
        return kwargs.get(str(key), "")


def filled(phrase: str, values: Mapping[str, object]) -> str:
    """A phrase with its fields filled in; a value that was not said is left out."""
    return " ".join(_Lenient().vformat(phrase, (), values).split())


PHRASES: Mapping[str, str] = {
    "archive": "write the archive",
    "close": "close {title}",
    "close_day": "close the day",
    "decide": "decide {title}",
    "count_votes": "count the votes",
    "deal": "deal the roles",
    "decide_votes": "decide the unclear votes",
    "field": "“{name}”",
    "lock": "lock the thread",
    "log": "look at the log",
    "mark_sent": "mark the PMs as sent",
    "name_thread": "name the {role} thread",
    "post": "write the {kind} post",
    "prod": "prod who is silent",
    "read_signups": "read the sign-ups",
    "remind": "remind who has not sent anything",
    "say_elimination": "say who is eliminated",
    "send_batch": "send the PMs of {batch}",
    "send_pms": "send the {kind} PMs",
    "set_deadline": "set the deadline of {title}",
    "undo": "undo entry {entry}",
    "verify": "check every post and hash",
    "write_texts": "write the texts that are missing",
}
"""What each way is called where no face says it in its own words: a verb and what it is done to.

`field` is no way by itself but something to say beside what is being done: `name` is that of the question's
own field, `value` what to put there, where that is known.
"""

Part: TypeAlias = "str | SlotId | Way"


class Sentence(str):
    """A text that knows which of its parts are names and which are ways.

    It is a `str` for everybody who only prints it: names as the slots are called, ways by their phrases.
    """

    parts: tuple[Part, ...]

    def __new__(cls, parts: Iterable[Part]) -> Sentence:
        kept = tuple(parts)
        made = super().__new__(cls, "".join(map(str, kept)))
        made.parts = kept
        return made

    def __reduce__(self) -> tuple[type[Sentence], tuple[tuple[Part, ...]]]:
        return Sentence, (self.parts,)

    @property
    def ways(self) -> tuple[Way, ...]:
        """The ways in it, in their order."""
        return tuple(part for part in self.parts if isinstance(part, Way))

    def spelled(self, way: Callable[[Way], str] = str, name: Callable[[SlotId], str] = str) -> str:
        """The text with every way and every name as a face says it."""
        return "".join(
            way(part) if isinstance(part, Way) else name(part) if isinstance(part, SlotId) else part
            for part in self.parts
        )


def sentence(template: str, **values: object) -> Sentence:
    """A sentence from a template as of `str.format`: names, ways and sentences stay values, all else is text.

    `sentence("{slot} was told already: {undo}.", slot=slot, undo=Way("undo", entry=3))`. Raises KeyError for
    a field that has no value.
    """
    parts: list[Part] = []
    for text, field, form, _ in Formatter().parse(template):
        parts.append(text)
        if field is not None:
            value = values[field]
            parts += parts_of(value) if not form else [format(value, form)]
    return Sentence(part for part in parts if part != "" or not isinstance(part, str))


def joined(separator: str, texts: Iterable[object]) -> Sentence:
    """`separator.join` that keeps names and ways values."""
    parts: list[Part] = []
    for place, one in enumerate(texts):
        parts += [separator] if place and separator else []
        parts += parts_of(one)
    return Sentence(parts)


def parts_of(value: object) -> tuple[Part, ...]:
    """The parts of a value: of a sentence its own, a name or way itself, of anything else its text."""
    match value:
        case Sentence():
            return value.parts
        case SlotId() | Way():
            return (value,)
    return (str(value),)
