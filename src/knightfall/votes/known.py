"""How each part of a count is known: the file or the moderator's answer says it, a post does, or it is open.

A part that is open has the readings that are possible, that which is counted by first; a hammer and a
threshold are claimed only where all of them agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import Enum

from knightfall.sentence import Sentence, Way, sentence


class How(Enum):
    """How something is known."""

    KNOWN = "known"  # by the game file, or by the moderator's own decision or answer
    READ = "read"  # in a post
    OPEN = "open"  # not surely, or nowhere


@dataclass(frozen=True, slots=True)
class Reading:
    """What a part of a count is by one reading, and the post that it was read in (None: in no single post).
    `names` are the living by it who are not alive by every reading."""

    value: int | str
    post: int | None = None
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """How a part of a count is known. `readings` are those that are possible, the one that is counted by
    first: one alone where it is known or read, and where it is open and nobody can tell what else is
    possible; none where there is no such part, as on a day without a threshold.

    `said` is the sentence that tells it, "" where the file does; `doubts` are why it is open, a sentence
    each.
    """

    how: How
    readings: tuple[Reading, ...] = ()
    said: str = ""
    doubts: tuple[str, ...] = ()

    @property
    def post(self) -> int | None:
        """The post that it is counted by."""
        return self.readings[0].post if self.readings else None

    @property
    def value(self) -> int | str | None:
        """What it is counted as."""
        return self.readings[0].value if self.readings else None


UNSAID = Known(How.KNOWN)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """How the parts of a count are known: the post with which the day began, how many live, how many votes
    decide, what eliminates (“majority”, “plurality” or “both”), and in which form votes are written, where
    many write one that is not known to count, and what a tie does."""

    day: Known = UNSAID
    living: Known = UNSAID
    needed: Known = UNSAID
    rule: Known = UNSAID
    form: Known = UNSAID
    tie: Known = UNSAID

    @property
    def asks(self) -> tuple[str, ...]:
        """What the moderator has to say: whether players live of whom nobody can tell it, where that decides,
        and whether a form is a vote."""
        named = any(reading.names for reading in self.living.readings)
        living = (*self.living.doubts, self.needed.said) if named and self.needed.how is How.OPEN else ()
        return tuple(one for one in (*self.form.doubts, *living) if one)


# ---- What is asked of it


@dataclass(frozen=True, slots=True)
class HouseQuestion:
    """Something of a house that one answer settles: what is `asked`, the `answers` that are possible, that
    which holds (`chosen`: "" none), whether the thread leaves it `open`, and whether it is of words that no
    rule shows (`unheard`)."""

    asked: Sentence | str
    answers: tuple[str, ...]
    chosen: str = ""
    open: bool = True
    unheard: bool = False


def whether_they_live(known: Knowledge, day: int) -> Iterator[Sentence]:
    """A question for each player of whom the readings of a day differ, with both answers."""
    for name in sorted({name for reading in known.living.readings for name in reading.names}):
        yield sentence(
            "Does {slot} live? {lives}, or {dead}",
            slot=name,
            lives=Way("say_lives", day=day, slot=name),
            dead=Way("say_dead", day=day, slot=name),
        )


def threshold_question(day: int) -> Sentence:
    """What settles who lives and when the day began."""
    return sentence(
        "So no number of votes needed is shown, and no hammer. Which post opened day {day}, and who was "
        "alive then? Answer once: {answer}",
        day=day,
        answer=Way("say_alive", day=day),
    )


def lives_sentence(named: Mapping[str, bool], unknown: Set[str]) -> str:
    """What the moderator answered of some players; `unknown` are names of nobody."""
    living = [name for name, lives in named.items() if lives]
    dead = [name for name, lives in named.items() if not lives and name not in unknown]
    said = [
        f"that {' and '.join(names)} {several if len(names) > 1 else one}"
        for names, one, several in ((living, "lives", "live"), (dead, "does not", "do not"))
        if names
    ]
    told = [f"You said {', and '.join(said)}."] if said else []
    return " ".join((*told, *(f"{name} is nobody who was alive." for name in sorted(unknown))))


def unopened_sentence(day: int, filed: bool) -> Sentence:
    """That nobody knows with which post a day begins, and how to say it."""
    if not filed:
        return sentence(
            "No post of the moderator opens day {number}. If one does, {say}",
            number=day,
            say=Way("say_alive", day=day),
        )
    return sentence(
        "No post of the moderator opens day {number}. Say where it starts: add a [[day]] with number and "
        "start_post to game.toml, or {open}",
        number=day,
        open=Way("open_phase", kind="day", number=day, post="POST"),
    )


def moderators_sentence(moderators: Sequence[str]) -> str:
    if not moderators:
        return "Moderator: none; who wrote the first post plays."
    first, *others = moderators
    counters = f", and {', '.join(others)}, who posted votecounts or news of the game" if others else ""
    return f"Moderator: {first}, who wrote the opening post{counters}."
