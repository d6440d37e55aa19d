"""Which role a moderator's lines show of somebody: “Ada, Town Cop, was hanged”, “Boro was a Mafia Goon”."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knightfall.names import Names
from knightfall.reading.clauses import Clause, clauses
from knightfall.reading.lexicon import LETTERS

_ROLE = LETTERS["role"]
# Words of a role beside those that name it: “Town 1-Shot Even-Night Backup Cop”.
_MODIFIER = frozenset({_ROLE, *(LETTERS[tag] for tag in ("numbers", "ranks", "night", "day", "not", "of"))})
# What may stand between a name and their role: “, ”, “ was a ”, “ has been lynched. They were a ”.
_BETWEEN = frozenset(
    {
        *",:()-/|»",
        *(
            LETTERS[tag]
            for tag in (
                "be",
                "was",
                "article",
                "adverb",
                "they",
                "dead",
                "out",
                "flips",
                "and",
                "you",
                "players",
                "numbers",
                "night",
                "day",
            )
        ),
    }
)
# Words that lead to a role and are none: “Role: Town Doctor”.
_LEADS = frozenset({"role", "alignment"})
_BARE = frozenset({"town", "mafia", "scum", "townie", "wolf", "lobo", "neutral"})


def role_told(slot: str, lines: Iterable[str], names: Names) -> str:
    """The role that lines of one post show of a slot, in the words of the first that does: of one that tells
    more than the side, where there is such a line; "" where none does."""
    found = list(_roles(slot, lines, names))
    return next((role for role in found if not is_vanilla(role)), found[0] if found else "")


def is_vanilla(role: str) -> bool:
    """Whether a role is told as a side alone."""
    return role.lower() in _BARE


MOST_BELOW = 8
"""So many lines below a name tell of who bears it."""


def _roles(slot: str, lines: Iterable[str], names: Names) -> Iterator[str]:
    """Every role that stands behind the name of a slot, or below it as far as nobody else is named."""
    below = 0
    for line in lines:
        for clause in clauses(line, names):
            places = [place for place, one in enumerate(clause.tokens) if one.slot is not None]
            for place in places:
                if clause.tokens[place].slot.name == slot:  # type: ignore[union-attr]
                    yield from _role_behind(clause, place + 1)
            if not places and 0 < below <= MOST_BELOW:
                yield from _role_behind(clause, 0)
            if places:
                below = clause.tokens[places[-1]].slot.name == slot  # type: ignore[union-attr]
        below += bool(below and line.strip())


def _role_behind(clause: Clause, place: int) -> Iterator[str]:
    """The role that stands at a place or behind words that lead to it."""
    tags = clause.tags
    while place < len(tags) and (
        _leads(clause, place) or (tags[place] in _BETWEEN and not _begins_role(tags, place))
    ):
        place += 1
    end = place
    while end < len(tags) and (
        tags[end] in _MODIFIER or (tags[end] == "w" and _ROLE in tags[end + 1 : end + 3])
    ):
        end += 1
    while end > place and tags[end - 1] != _ROLE:
        end -= 1
    if _ROLE in tags[place:end]:
        role = clause.written(place, end).strip(" -/([")
        dead = any(LETTERS[tag] in tags[:place] for tag in ("dead", "out"))
        # A side alone behind a sentence is no card: “Ada was killed, and the town weeps.”
        if not (is_vanilla(role) and dead):
            yield role


def _leads(clause: Clause, place: int) -> bool:
    """Whether a word leads to a role, with what stands between behind it; “Role Cop” is one itself."""
    leads = clause.written(place, place + 1).casefold() in _LEADS
    return leads and clause.tags[place + 1 : place + 2] in _BETWEEN


def _begins_role(tags: str, place: int) -> bool:
    """Whether a number or a night begins a role: “2-Shot Cop”, “Odd-Night Cop”."""
    return tags[place] in _MODIFIER and _ROLE in tags[place + 1 : place + 3]
