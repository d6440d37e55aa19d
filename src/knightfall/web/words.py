"""What the page calls layouts, sites and the values of options: in a file they are one word each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from knightfall.markup.boards import BOARDS
from knightfall.storage.drafts import kind_words, title_of

LAYOUTS: Mapping[str, str] = {
    "area": "in a box",
    "compact": "short, without a box",
    "history": "with the votes that moved on",
    "table": "a table",
    "ticks": "a mark for each vote",
    "tilde": "sizes, then names behind a tilde",
}
"""Themes of a votecount."""

POSTS: Mapping[str, str] = {
    "signup": "Sign-up post",
    "setup": "This setup",
    "rules": "Rules",
    "opening": "Opening",
    "day-start": "Start of the day",
    "votecount": "Votecount",
    "replacement": "Replacement",
    "removal": "Removal or death by your word",
    "revival": "Back in the game",
    "note": "Note to a day's count",
    "end-of-day": "End of the day",
    "dawn": "Dawn",
    "results": "Results",
    "error": "Correction",
    "endgame": "Endgame",
    "archive": "Record of the game",
}
"""The kinds of the moderator's posts."""

ANSWERS: Mapping[str, str] = {
    "in": "In",
    "out": "Out",
    "sub": "Backup",
    "spec": "Spectator",
    "ignore": "Not about it",
    "nothing": "Not about signing up",
    "unclear": "Unclear",
}
"""What a post of the sign-ups may mean."""


def answer(word: str) -> str:
    """What a post of the sign-ups was taken for."""
    return ANSWERS.get(word, word.capitalize())


def which(posted: str) -> str:
    """Which of its kind a post that went out was: “number 1”, “1.3” of a votecount."""
    kind, _, number = posted.rpartition(" ")
    name, _, day = kind.partition("-")
    return f"{day}.{number}" if name == "votecount" else f"number {number}"


def post(kind: str) -> str:
    """What a kind of post is called; one of another package by its own name."""
    return POSTS.get(kind, text_kind(kind))


def posted(which: str) -> str:
    """What a post that went out is called: “Rules” for `rules 1`, “Votecount 1.3” for `votecount-1 3`."""
    kind, _, number = which.rpartition(" ")
    name, _, day = kind.partition("-")
    if name == "votecount":
        return f"{POSTS[name]} {day}.{number}"
    return post(kind) if number == "1" else f"{post(kind)} ({number})"


def titles(files: Iterable[Path]) -> str:
    """What texts of the game's folder are called, each once: “Dawn, Receipt for Ada”."""
    return ", ".join(dict.fromkeys(map(title_of, files)))


def text_kind(kind: str) -> str:
    """The name of a kind of text in words: “role pm” for `role_pm`, “V/LA” for `v_la`."""
    return kind_words(kind)


def site(dialect: str) -> str:
    """What a dialect is called; one of another package by its own name."""
    base, colon, tags = dialect.partition(":")
    name = BOARDS[base].title if base in BOARDS else base.replace("_", " ")
    return f"{name}{f' ({tags})' if colon else ''}"


def layout(theme: str) -> str:
    """What a theme is called; one of another package by its own name."""
    return LAYOUTS.get(theme, theme.replace("_", " "))


def choice(value: object) -> str:
    """A value of an option: “no_result” as “no result”, “72_24” as “72 and 24”."""
    text = str(value)
    return text.replace("_", " and " if re.fullmatch(r"\d+(_\d+)+", text) else " ")


def runs(numbers: Sequence[int]) -> str:
    """Rising numbers in words: “1–3 and 5”."""
    found = list[list[int]]()
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    said = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in found]
    return " and ".join(part for part in (", ".join(said[:-1]), said[-1] if said else "") if part)
