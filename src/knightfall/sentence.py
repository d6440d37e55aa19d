"""Sentences in which names and ways are values.

A text that we write ourselves is never searched for a name or a command: whoever writes it says which part
is one. A `SlotId` is a name, a `Way` is something that can be done next, and a `Sentence` is a text that
still knows its parts. Each face shows a name by who holds the slot now, and a way as it does that itself: the
command line as a command, the page as a link, Python as a method.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import TypeAlias


class SlotId(str):
    """A slot of a game: the name its first holder signed up with. Replacements and aliases lead to it.

    A class of its own, so that whoever has a value of any kind can tell a name from a word.
    """

    __slots__ = ()


class Given(str):
    """Words that somebody else wrote, such as a reason or a title: they may name anybody."""

    __slots__ = ()


class Title(Given):
    """What somebody calls their game or its votecount; it is shown letter by letter, as names are."""

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
        if self.to == "field":
            return f"“{str(self.values['name']).replace('_', ' ')}”{self.value_said}"
        return filled(PHRASES.get(self.to, self.to.replace("_", " ")), self.values)

    @property
    def value_said(self) -> str:
        """What to put into a field, behind a blank; "" where `value` only says what kind of thing it is."""
        value = str(self.values.get("value") or "")
        return f" {value}" if value and not is_placeholder(value) else ""


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for what is put there: “REASON”, “FILE...”, “NAME, NAME, …”."""
    return "…" in value or value.isupper()


class _Filler(Formatter):
    def __init__(self, shown: Callable[[object], str]) -> None:
        self.shown = shown

    def get_value(self, key: int | str, args: object, kwargs: Mapping[str, object]) -> object:  # noqa: ARG002 - as Formatter asks
        name, _, otherwise = str(key).partition("|")
        return kwargs.get(name) or otherwise

    def convert_field(self, value: object, conversion: str | None) -> object:
        # `{title!w}`: words as they are; `{stored!i}`: nothing, but what stands around it is said.
        if value == "" or conversion == "i":
            return ""
        return str(value) if conversion == "w" else self.shown(value)


_OPTIONAL = re.compile(r"\[([^\[\]]*\{[^\[\]]*)\]")  # without a field in them, brackets are brackets


def filled(phrase: str, values: Mapping[str, object], shown: Callable[[object], str] = str) -> str:
    """A phrase with its fields filled in, each as it is `shown`; a value that was not said is left out.

    What stands in brackets is left out where one of its values was not said: “commit[ {kind}]”; behind a bar
    stands what is said then: “{slot|NAME}”.
    """

    def kept(found: re.Match[str]) -> str:
        names = [field for _, field, _, _ in Formatter().parse(found[1]) if field]
        return found[1] if all(values.get(name) for name in names) else ""

    return " ".join(_Filler(shown).vformat(_OPTIONAL.sub(kept, phrase), (), values).split())


PHRASES: Mapping[str, str] = {
    "add_alias": "add the nickname “{alias}”[ of {slot}]",
    "archive": "write the archive",
    "change_players": "note who left, died, came back or was replaced",
    "close": "close {title}",
    "close_day": "close the day[ {day}]",
    "close_day_despite": "close the day as it was counted, with a reason",
    "close_day_early": "close the day before its end, with a reason",
    "commit_deal": "commit to the deal",
    "confirm_close": "confirm it with “{name}”",
    "cookies": "a file of your browser's cookies",
    "count_saved": "count the saved pages",
    "count_votes": "count the votes",
    "deal": "deal the roles",
    "decide_signup": "decide what post {post} means",
    "decide_vote": "decide how a vote counts[ in post {post}]",
    "decide_votes": "decide the unclear votes",
    "draft_post": "write the {kind} post",
    "draw_board": "draw the board of one player",
    "enter_round": "enter the value of the beacon's round",
    "extend": "change the deadline of {kind}[ {number}]",
    "field": "“{name}”",
    "file_line": "write {line!w} under {table!w} into the game file",
    "flip": "show the role of who was eliminated[ on day {day}]",
    "hand_over": "hand the game over",
    "import_journal": "import your last export",
    "in_game": "name the folder of the game",
    "list_nicknames": "look at your book of nicknames",
    "list_players": "list the players",
    "list_pms": "list the {kind} PMs",
    "list_forums": "see which forums can be read",
    "list_roles": "look up {name|all roles}",
    "lock": "note that you locked the thread",
    "log": "look at the log",
    "mark_sent": "mark the PMs as sent",
    "name_thread": "name the {role} thread",
    "new_game": "start a game",
    "open_phase": "open {kind} {number}",
    "own_network": "allow forums on your own network",
    "post": "write the {kind} post",
    "read": "read the thread",
    "read_saved": "read the saved pages",
    "read_signups": "read the sign-ups",
    "type_players": "type who plays",
    "remind": "remind who has not sent anything",
    "replace": "replace a player",
    "resolve": "see what would happen if it closed now",
    "rooms": "note who is in {title|the private topics}",
    "rule": "record a ruling",
    "say_alive": "say which post opened day {day} and who was alive then",
    "say_dead": "say that {slot} does not live on day {day}",
    "say_lives": "say that {slot} lives on day {day}",
    "say_house": "say that the house's rule is “{word}”",
    "say_elimination": "say who is eliminated",
    "see_open": "list what is open",
    "see_post": "see every version of post {post}",
    "see_signups": "read the sign-ups again",
    "send_pms": "send the {kind} PMs",
    "set_deadline": "set the deadline of {title}",
    "show_pm": "see the PM of {slot}",
    "submit": "enter a message[ of {slot}][: “{text}”]",
    "undo": "undo[ entry {entry}]",
    "use_lines": "a file of posts",
    "use_saved": "the saved pages",
    "verify": "check that nothing was changed",
    "write_note": "write a note[: “{text}”]",
    "decide": "decide {title}",
    "prod": "prod {slot|who is silent}",
    "rehearse": "begin a rehearsal",
    "take_pms": "take in the messages of a file",
    "send_batch": "send the PMs of {batch}",
    "write_texts": "write the texts that are missing",
}
"""What each way is called where no face says it in its own words: a verb and what it is done to.

`field` is no way by itself but something to say beside what is being done: `name` is that of the question's
own field, `value` what to put there, where that is known. The `kind` of PMs is their family: role, result or
prod. Optional are the values in brackets, and those with other words behind a bar.
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

    def with_names(self, names: Mapping[SlotId, SlotId]) -> Sentence:
        """The text with other names in the place of those that `names` has; the rest as it is."""
        return Sentence(names.get(part, part) if isinstance(part, SlotId) else part for part in self.parts)

    def spelled(self, way: Callable[[Way], str] = str, name: Callable[[SlotId], str] = str) -> str:
        """The text with every way and every name as a face says it."""
        return "".join(
            way(part) if isinstance(part, Way) else name(part) if isinstance(part, SlotId) else part
            for part in self.parts
        )


def sentence(template: str, /, **values: object) -> Sentence:
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


def first_line(said: object) -> Sentence:
    """What a text or an error says before its first line end."""
    kept: list[Part] = []
    for part in parts_of(said):
        if type(part) is str and "\n" in part:
            kept.append(part.partition("\n")[0])
            break
        kept.append(part)
    return Sentence(kept)


def ways_of(text: object) -> tuple[Way, ...]:
    """The ways in a text, in their order; a plain text has none."""
    return text.ways if isinstance(text, Sentence) else ()


def parts_of(value: object) -> tuple[Part, ...]:
    """The parts of a value: of a sentence, or an error that says one, its own; a name or way itself; of
    anything else its text."""
    match value:
        case Sentence():
            return value.parts
        case BaseException(args=(Sentence() as message,)):
            return message.parts
        case SlotId() | Way():
            return (value,)
    return (str(value),)
