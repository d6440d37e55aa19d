"""The lines that a slot can send, part by part.

A game tells what a line can go on with, and whether it is whole by now; a line is a walk through that tree,
and its text is that of its parts, one behind the other. Nothing holds all lines: whoever needs some of them
walks so far. The page's board and lists, the help beside a refusal and random play are such walks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache, partial
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from knightfall.engine.rng import Rng
from knightfall.sentence import Sentence, SlotId


class PartKind(StrEnum):
    """What a part is: a word of the game, one of its pieces, a player, a space of the board, or what the
    sender fills in: a whole number, or words of their own."""

    WORD = "word"
    TOKEN = "token"
    SLOT = "slot"
    SPACE = "space"
    NUMBER = "number"
    TEXT = "text"


_FILLED_IN = (PartKind.NUMBER, PartKind.TEXT)
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")
_SIGNS = " ,>/:"
"""What may stand between two parts."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a line can go on with.

    `text` is what it adds to the line, with the blank or the sign before it: that of a slot ends with its
    name, and what is filled in (a number from `least` to `most`, free words) stands behind it. `label` says
    it in plain words where the text is not enough; `space` is the board's space that it is clicked on;
    `weight` how often random play takes it beside the others.
    """

    text: str
    kind: PartKind = PartKind.WORD
    label: str = ""
    space: str = ""
    slot: SlotId | None = None
    least: int = 0
    most: int = 0
    weight: int = 1

    @property
    def filled_in(self) -> bool:
        """Whether its sender says something behind its text."""
        return self.kind in _FILLED_IN

    def takes(self, text: str) -> bool:
        """Whether this text is the part, with what is filled in."""
        if not self.filled_in:
            return text == self.text
        said = text[len(self.text) :]
        if not text.startswith(self.text):
            return False
        if self.kind is PartKind.TEXT:
            return said == " ".join(said.split()) != ""
        return _NUMBER.fullmatch(said) is not None and self.least <= int(said) <= self.most

    def shown(self, called: Mapping[SlotId, str]) -> str:
        """What a button for it says, with everybody as they are called now."""
        if self.label or self.slot is None:
            return self.label or self.text.strip(_SIGNS)
        before = self.text.removesuffix(self.slot).lstrip(_SIGNS)
        return f"{before}{called.get(self.slot, self.slot)}"


def a_word(text: str, label: str = "", weight: int = 1) -> Part:
    """A word of the game."""
    return Part(text, label=label, weight=weight)


@lru_cache(maxsize=4096)  # the same names stand in every game's lines again and again
def a_slot(slot: SlotId, before: str = " ", space: str = "") -> Part:
    """A player's name, with what stands before it."""
    return Part(f"{before}{slot}", PartKind.SLOT, slot=slot, space=space)


class Pick(NamedTuple):
    """A part that was taken, and what it adds to the line: its text, with what was filled in."""

    part: Part
    text: str


@dataclass(frozen=True, slots=True)
class Choices:
    """What a line can go on with, and whether `submit` takes it as it is by now (`whole`).

    `seldom` tells what is taken, too, though the game waits for nothing of the kind: giving up, doing nothing
    on purpose, a square where nothing can be. People can choose it; random play and lists leave it out.

    `after` tells what follows one of the parts; a game that leaves it out is asked again, with the parts so
    far.
    """

    parts: tuple[Part, ...] = ()
    whole: bool = False
    after: Callable[[Pick], Choices] | None = field(default=None, compare=False, repr=False)
    seldom: Callable[[], Choices] | None = field(default=None, compare=False, repr=False)

    @property
    def levels(self) -> Iterator[Choices]:
        """The choices themselves, then what is chosen but seldom."""
        here: Choices | None = self
        while here is not None:
            yield here
            here = here.seldom() if here.seldom else None

    def follow(self, text: str, ask: Callable[[], Choices]) -> tuple[Pick, Choices] | None:
        """The part of that text and what follows it, which `ask` says where `after` is left out; or None."""
        for here in self.levels:
            for part in here.parts:
                if part.takes(text):
                    pick = Pick(part, text)
                    return pick, here.after(pick) if here.after else ask()
        return None


END = Choices(whole=True)
"""The line is whole, and nothing can follow."""
NOTHING = Choices()
"""There is no such line."""
Asked: TypeAlias = Callable[[tuple[str, ...]], Choices]
"""A game asked for one slot: what can follow these parts."""


# ── Trees put together. ─────────────────────────────────────────────────────────────────────────────────────


def then(parts: Iterable[Part], after: Callable[[Pick], Choices]) -> Choices:
    """Each of these parts, and what follows it."""
    return Choices(tuple(parts), after=after)


def _ends(_pick: Pick) -> Choices:
    return END


def last(parts: Iterable[Part]) -> Choices:
    """Each of these parts ends the line."""
    return Choices(tuple(parts), after=_ends)


def optional(more: Choices) -> Choices:
    """The line is whole, and may go on with these."""
    return Choices(more.parts, True, more.after, more.seldom)


def either(*several: Choices) -> Choices:
    """What any of these offers; each tells what follows its own parts."""
    offered = [one for one in several if one.parts]
    hidden = [one.seldom for one in several if one.seldom]
    if len(offered) == 1 and not hidden:
        return offered[0]

    def after(pick: Pick) -> Choices:
        one = next(one for one in offered if any(part is pick.part for part in one.parts))
        return one.after(pick) if one.after else END

    seldom = (lambda: either(*(one() for one in hidden))) if hidden else None
    return Choices(tuple(part for one in offered for part in one.parts), after=after, seldom=seldom)


def beside(usual: Choices, seldom: Callable[[], Choices]) -> Choices:
    """The same, with what is chosen but seldom."""
    before = usual.seldom
    both = (lambda: either(before(), seldom())) if before else seldom
    return Choices(usual.parts, usual.whole, usual.after, both)


# ── Walks. ──────────────────────────────────────────────────────────────────────────────────────────────────


def line_of(texts: Iterable[str]) -> str:
    """The line that these parts make."""
    return "".join(texts)


def written(picks: Iterable[Pick]) -> Sentence:
    """The line of a walk, in which names are values."""
    parts: list[str] = []
    for part, text in picks:
        parts += [text] if part.slot is None else [text.removesuffix(part.slot), part.slot]
    return Sentence(parts)


def followed(ask: Asked, texts: Sequence[str]) -> tuple[tuple[Pick, ...], Choices] | None:
    """The walk along these texts, and what can follow it; None where it leads nowhere."""
    picks: tuple[Pick, ...] = ()
    here = ask(())
    for number, text in enumerate(texts, start=1):
        found = here.follow(text, partial(ask, tuple(texts[:number])))
        if found is None:
            return None
        pick, here = found
        picks = (*picks, pick)
    return picks, here


def descend(here: Choices, texts: Sequence[str]) -> Choices:
    """What can follow these texts in a tree that tells what follows each part; nothing where they lead
    nowhere."""
    for text in texts:
        found = here.follow(text, Choices)
        if found is None:
            return NOTHING
        _, here = found
    return here


def _beyond(ask: Asked, here: Choices, picks: tuple[Pick, ...]) -> Choices:
    return here.after(picks[-1]) if here.after else ask(tuple(pick.text for pick in picks))


def breadth_first(ask: Asked, most: int) -> Iterator[tuple[Pick, ...]]:
    """Whole lines, the shortest first, at most so many; of numbers the least, the most and one between."""
    root = ask(())
    waiting = deque[tuple[Choices, tuple[Pick, ...]]]([(root, ())])
    while waiting and most > 0:
        before, picks = waiting.popleft()
        here = _beyond(ask, before, picks) if picks else root
        if here.whole and picks:
            most -= 1
            yield picks
        for part in here.parts:
            for text in _samples(part):
                waiting.append((here, (*picks, Pick(part, text))))


def shortest(ask: Asked, most: int) -> tuple[tuple[tuple[Pick, ...], ...], bool]:
    """The lines of as few parts as there can be listed without going beyond so many, and whether these are
    all. A line in which something is filled in is never listed."""
    found: list[tuple[Pick, ...]] = []
    root = ask(())
    level: list[tuple[Choices, tuple[Pick, ...]]] = [(root, ())]
    all_ = True
    while level:
        whole, beyond = list[tuple[Pick, ...]](), list[tuple[Choices, tuple[Pick, ...]]]()
        for before, picks in level:
            # What follows is asked for as late as can be: where there are too many, never.
            here = _beyond(ask, before, picks) if picks else root
            whole += [picks] * (here.whole and bool(picks))
            if len(found) + len(whole) > most:
                return _in_order(root, found), False
            for part in here.parts:
                if part.filled_in:
                    all_ = False
                else:
                    beyond.append((here, (*picks, Pick(part, part.text))))
        found += whole
        level = beyond
    return _in_order(root, found), all_


def _in_order(root: Choices, walks: Iterable[tuple[Pick, ...]]) -> tuple[tuple[Pick, ...], ...]:
    """The walks by the part with which they begin."""
    places = {part.text: place for place, part in enumerate(root.parts)}
    return tuple(sorted(walks, key=lambda walk: places[walk[0].text]))


def _samples(part: Part) -> tuple[str, ...]:
    if part.kind is not PartKind.NUMBER:
        return (part.text,)
    numbers = sorted({part.least, (part.least + part.most) // 2, part.most})
    return tuple(f"{part.text}{number}" for number in numbers)


_SPAN = 1 << 62
"""Of so many numbers one is drawn; the choices of a walk are its digits."""
_SPARE = 20
"""A digit is taken while so many bits are left beside it, so that none is favoured; else a number is drawn.
"""


def random_walk(ask: Asked, chance: Rng, label: str, *, silent: bool) -> str | None:
    """A line made by chance, each part taken by its weight; None where there is none, and with `silent` as
    often as one part of weight 1 with which a line begins."""
    texts: tuple[str, ...] = ()
    here, number, left, draws = ask(()), 0, 0, 0
    while True:
        sums = tuple(accumulate(part.weight for part in here.parts))
        parts = sums[-1] if sums else 0
        # Stopping here is one choice more: the line is whole, or nothing is said at all.
        total = parts + (here.whole if texts else silent)
        if total > 1:
            if left < total << _SPARE:
                number, left, draws = chance.choice(label, range(_SPAN), draws), _SPAN, draws + 1
            number, place = divmod(number, total)
            left //= total
        else:
            place = 0
        if place >= parts:
            return line_of(texts) if texts else None
        part = here.parts[bisect_right(sums, place)]
        text = part.text
        if part.kind is PartKind.NUMBER:
            number, more = divmod(number, part.most - part.least + 1)
            left //= part.most - part.least + 1
            text = f"{text}{part.least + more}"
        texts = (*texts, text)
        here = here.after(Pick(part, text)) if here.after else ask(texts)


# ── Lines in general, and trees made of lines. ──────────────────────────────────────────────────────────────


def forms(ask: Asked, most: int) -> tuple[str, ...]:
    """The lines in general: NAME for whoever could be named, NUMBER for any number, `NAME > NAME …` for a
    list of any length; () where there are more than `most`."""
    found: dict[str, None] = {}

    def go_on(said: str, form: str, picks: tuple[Pick, ...], here: Choices) -> None:
        groups: dict[str, tuple[Pick, ...]] = {}
        for part in here.parts:
            if _form(part) not in groups:
                groups[_form(part)] = (*picks, Pick(part, _samples(part)[0]))
        if form in groups:  # one name more in the same way: a list of any length
            del groups[form]
            said = f"{said} …"
        beyond = {again: (walk, _beyond(ask, here, walk)) for again, walk in groups.items()}
        listed = any(
            walk[-1].part.slot and again in map(_form, there.parts) for again, (walk, there) in beyond.items()
        )
        if here.whole and picks and not listed:  # with two names it says how the list goes on
            found[said] = None
        for again, (walk, there) in beyond.items():
            if len(found) > most:
                return
            go_on(said + again, again if walk[-1].part.slot else "", walk, there)

    go_on("", "", (), ask(()))
    return tuple(found) if len(found) <= most else ()


def completions(ask: Asked, typed: str) -> tuple[str, ...]:
    """What is typed, with one part more that it can go on with: that which was begun, or the next one. Case
    does not matter, and of what is filled in nothing is known."""
    found: dict[str, None] = {}

    def go_on(done: int, texts: tuple[str, ...], here: Choices) -> None:
        left = typed[done:].casefold()
        for part in (part for level in here.levels for part in level.parts):
            text = part.text.casefold()
            if text.startswith(left) and text != left:
                found[typed + part.text[len(left) :]] = None
            elif left.startswith(text):
                end = len(text)
                while part.filled_in and left[end : end + 1].isdigit():
                    end += 1
                further = (*texts, part.text + left[len(text) : end])
                if (taken := here.follow(further[-1], partial(ask, further))) is not None:
                    go_on(done + end, further, taken[1])

    go_on(0, (), ask(()))
    return tuple(found)


def _form(part: Part) -> str:
    if part.slot is not None:
        return f"{part.text.removesuffix(part.slot)}NAME"
    return f"{part.text}NUMBER" if part.kind is PartKind.NUMBER else part.text


Walk: TypeAlias = tuple[Part, ...]
"""The parts of a whole line."""


def tree_of(walks: Iterable[Walk], seldom: Iterable[Walk] = ()) -> Choices:
    """The tree in which each of these is a whole line. A part that several begin with weighs as much as they
    do together."""
    usual, rare = ({_texts(walk): walk for walk in some} for some in (walks, seldom))
    others = tuple(walk for texts, walk in rare.items() if texts not in usual)
    return _branch(tuple(usual.values()), others, 0)


def _texts(walk: Walk) -> tuple[str, ...]:
    return tuple(part.text for part in walk)


def _branch(walks: Sequence[Walk], rare: Sequence[Walk], depth: int) -> Choices:
    """What follows the first so many parts, which all these walks have in common."""
    usual, seldom = _begun(walks, depth), _begun(rare, depth)
    parts, below = list[Part](), dict[str, tuple[list[Walk], list[Walk], int]]()
    for text, several in usual.items():
        others = seldom.pop(text, [])
        # Words of which only one can follow are one part: “no elimination”.
        end = depth + 1
        while several[0][end - 1].kind is PartKind.WORD and _same_word([*several, *others], end):
            end += 1
        part = replace(several[0][depth], text=line_of(_texts(several[0][depth:end])), weight=len(several))
        parts.append(part)
        below[part.text] = several, others, end
    left = tuple(walk for several in seldom.values() for walk in several)
    return Choices(
        tuple(parts),
        any(len(walk) == depth for walk in (*walks, *rare)),
        lambda pick: _branch(*below[pick.part.text]),
        (lambda: _branch(left, (), depth)) if left else None,
    )


def _begun(walks: Iterable[Walk], depth: int) -> dict[str, list[Walk]]:
    """The walks that go on, by the text of their next part."""
    found: dict[str, list[Walk]] = {}
    for walk in walks:
        if len(walk) > depth:
            found.setdefault(walk[depth].text, []).append(walk)
    return found


def _same_word(walks: Sequence[Walk], place: int) -> bool:
    """Whether all of these go on with the same word."""
    words = {walk[place] if len(walk) > place else None for walk in walks}
    return len(words) == 1 and all(word and word.kind is PartKind.WORD for word in words)


_WORD = re.compile(r"\s*\S+")


def parts_of_line(line: str) -> Walk:
    """The parts of a line that has its names as values: `kill Ada by Boro` is `kill`, ` Ada` and ` by Boro`.
    A line without a name is cut at its blanks."""
    found: list[Part] = []
    said = ""
    for piece in line.parts if isinstance(line, Sentence) else (line,):
        if isinstance(piece, SlotId):
            if not found and said.strip():
                found.append(a_word(said.rstrip()))
                said = said[len(said.rstrip()) :]
            found.append(a_slot(piece, said))
            said = ""
        else:
            said += str(piece)
    return (*found, *map(a_word, _WORD.findall(said)))
