"""What a line in somebody's own words was likely meant as.

Nothing is taken by it: the moderator is offered what it may be, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rapidfuzz.fuzz import ratio

MOST = 3
"""More offers than this are no help."""
LONGEST = 16
"""A line of more words is a story."""
_TAIL = 4
"""So many words may stand behind an order: “tonight, please”."""
_NEAR = 75.0
"""Two words of four letters and more are near from this likeness on, in per cent."""
_BEHIND = 10.0
"""A name that is less like by so much is not offered beside another."""
_SHORT, _START = 4, 3
"""Shorter words are not compared; so many letters of a name's beginning stand for it."""
_BEGUN = 90.0
_NOT = frozenset("not never don't don’t won't won’t dont wont no nobody instead".split())  # noqa: SIM905
_EDGE = '.,;:!?()"“”'


def likely_lines(said: str, names: Sequence[str], takes: Callable[[str], bool]) -> tuple[str, ...]:
    """Lines that the game takes and that stand in what was said, names nearly as they were spelled.

    The words around them are left out. None where it says no to something, or could be many.

    `names` are those of players; `takes` asks whether a line would be taken.
    """
    words = [word.strip(_EDGE) for word in said.split()]
    if not words or len(words) > LONGEST or _NOT.intersection(word.casefold() for word in words):
        return ()
    found: list[str] = []
    for spelled in _spellings(words, names):
        # As written, then without more and more of the words before it and behind it.
        cut = (
            " ".join(spelled[begin:end])
            for begin in range(len(spelled))
            for end in range(len(spelled), max(begin, len(spelled) - _TAIL - 1), -1)
        )
        if (line := next(filter(takes, cut), None)) is not None and line not in found:
            found.append(line)
    return tuple(found) if len(found) <= MOST else ()


def _spellings(words: Sequence[str], names: Sequence[str]) -> Iterator[list[str]]:
    """The words with names in the place of those that are near to one; the last of these may be several."""
    near = {place: _near(word, names) for place, word in enumerate(words)}
    if not any(near.values()):
        yield list(words)
        return
    place = max(place for place, found in near.items() if found)
    fixed = [near[at][0] if near[at] and at != place else word for at, word in enumerate(words)]
    for name in near[place] if len(near[place]) <= MOST else ():
        yield [*fixed[:place], name, *fixed[place + 1 :]]


def _near(word: str, names: Sequence[str]) -> list[str]:
    """The names that a word is near to, the nearest first."""
    likeness = {name: _like(name.casefold(), word.casefold()) for name in names}
    best = max(likeness.values(), default=0.0)
    found = [name for name in names if likeness[name] and likeness[name] > best - _BEHIND]
    return sorted(found, key=lambda name: -likeness[name])


def _like(name: str, word: str) -> float:
    """The likeness of a word to a name in per cent; 0 where they are not near."""
    if name == word:
        return 100.0
    if len(word) >= _START and name.startswith(word):
        return _BEGUN
    likeness = ratio(name, word) if min(len(name), len(word)) >= _SHORT else 0.0
    return likeness if likeness >= _NEAR else 0.0


def lost_lines(said: Sequence[str], standing: Sequence[str]) -> tuple[str, ...]:
    """Of lines that were understood those that do not stand: as many as there are fewer that stand, the
    least like them."""
    missing = len(said) - len(standing)
    if missing <= 0:
        return ()

    def likeness(place: int) -> float:
        own = said[place].casefold()
        return max((ratio(own, one.casefold()) for one in standing), default=0.0)

    unlike = sorted(range(len(said)), key=likeness)
    return tuple(said[place] for place in sorted(unlike[:missing]))
