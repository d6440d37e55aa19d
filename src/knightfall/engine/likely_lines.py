"""What a line in somebody's own words was likely meant as: a walk through the game's own grammar of lines.

Nothing is taken by it: the moderator is offered what it may be, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from knightfall.engine.lines import Asked, Choices, Part, PartKind, Pick
from knightfall.names import slips
from knightfall.sentence import SlotId

MOST = 3
"""More offers than this are no help."""
LONGEST = 24
"""A line of more words is a story."""
_FEW = 8
"""A line of which only the end is said (“Ninja!”) is looked for in so few words."""
_GAP = 5
"""So many words may stand between two parts of a line: “protect my good friend Tamsin”."""
_STEPS = 3000
"""So many parts are looked at: a board has more lines than anybody could mean."""
_LONGEST_NAME = 4
"""Words of a name."""
_NO = frozenset(
    {"not", "never", "no", "nobody", "none", "nothing", "neither", "nor", "without", "instead", "except"}
    | {"unless", "cannot", "cant", "dont", "wont", "wouldnt", "shouldnt", "isnt", "doesnt"}
)
_FILLER = frozenset(
    {"i", "id", "ill", "im", "we", "well", "my", "me", "a", "an", "the", "on", "to", "for", "at", "it"}
    | {"its", "is", "be", "please", "pls", "plz", "tonight", "thanks", "thank", "you", "want", "would"}
    | {"like", "choose", "pick", "choice", "role", "action", "target", "go", "with", "play", "think"}
    | {"and", "so", "just", "now", "hi", "hello", "hey", "mod", "yes", "ok", "okay"}
)
_BEHIND = frozenset({"in", "into", "to", "under", "on", "for", "from", "the", "a", "an", "my", "some"})
"""Words between somebody and what is done to them: “put Odo in the jail”."""
_LINKS = frozenset({"and", "with", "to", "onto"})
"""Words between two names that say nothing of their own."""
_LONG = 5
"""Letters from which on a misspelt word is known for what it is."""
_EDGE = ".,;:!?()/>\"“”‘’'*@"
_WORD = re.compile(r"[^\W_]+")
Near: TypeAlias = Callable[[str], tuple[tuple[SlotId, ...], bool]]
"""Asked for whom some words may mean: those, the likeliest first, and whether that is their very name."""


class _Named(NamedTuple):
    """Words in which somebody is named: from one place to before another."""

    begin: int
    end: int
    slot: SlotId
    sure: bool


@dataclass(frozen=True, slots=True)
class _Reading:
    """A whole line that stands in what was said: its parts, where each of them is said, how far they are from
    each other, whether all its names are said in full, and whether its first words were said, too."""

    picks: tuple[Pick, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    apart: int = 0
    sure: bool = True
    begun: bool = True

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts of its parts."""
        return tuple(pick.text for pick in self.picks)

    @property
    def begin(self) -> int:
        """Where its first words are."""
        return self.spans[0][0]

    @property
    def end(self) -> int:
        """Behind which word it is over."""
        return self.spans[-1][1] if self.spans else 0

    @property
    def size(self) -> int:
        """How many words it holds."""
        return sum(end - begin for begin, end in self.spans)

    def holds(self, other: _Reading) -> bool:
        """Whether it is made of all the words of another one, and of more."""
        return self.size > other.size and all(
            any(begin <= one and two <= end for begin, end in self.spans) for one, two in other.spans
        )

    def holds_words(self, place: int) -> bool:
        """Whether the word at a place is in it."""
        return any(begin <= place < end for begin, end in self.spans)


@dataclass(slots=True)
class Ear:
    """Reads a line in somebody's own words.

    `ask` is the game's grammar of the lines of its sender, `near` who may be named; `everyday` has for words
    of the game those that people say for them.
    """

    ask: Asked
    near: Near
    everyday: Mapping[str, Sequence[str]]
    _words: list[str] = field(default_factory=list, init=False)
    _named: list[_Named] = field(default_factory=list, init=False)
    _left: int = field(default=0, init=False)

    def likely(self, said: str) -> tuple[tuple[tuple[Pick, ...], ...], ...]:
        """What it may mean, the likeliest first: each one line, or several where it holds several orders.

        None where it says no to something, or could be many.
        """
        written = [word.strip(_EDGE) for word in said.split()]
        written = [word for word in written if word]
        self._words = [word.casefold().replace("’", "'") for word in written]
        bare = {word.replace("'", "") for word in self._words}
        if not written or len(written) > LONGEST or _NO & bare or any(w.endswith("n't") for w in self._words):
            return ()
        found = self._read(written)
        if not found and (turned := self._turned(written)):
            self._words = [word.casefold().replace("’", "'") for word in turned]
            found = self._read(turned)
        return found

    def _read(self, written: Sequence[str]) -> tuple[tuple[tuple[Pick, ...], ...], ...]:
        self._named, self._left = self._find_names(written), _STEPS
        found = self._orders(list(self._walks(self.ask(()), _Reading())))
        if not found and len(written) <= _FEW:
            found = self._orders(list(self._ends()))
        return found

    def _turned(self, written: Sequence[str]) -> list[str]:
        """The words with the action in front of whom it is done to, where it is said behind them: “put Odo in
        jail”. Nothing else of weight may stand between them. Empty where it is not said so."""
        named = [one for one in self._named if one.sure]
        if not named or len({one.slot for one in named}) > 1:
            return []
        after = max(one.end for one in named)
        behind = next(
            (place for place in range(after, len(written)) if self._words[place] not in _BEHIND), None
        )
        if behind is None or behind == after:
            return []
        own = {" ".join(_words_of(_without_slot(part))) for part in self.ask(()).parts}
        if not any(start == behind for phrase in own if phrase for start, _ in self._said(phrase, behind)):
            return []
        return [*written[behind:], *written[named[0].begin : after]]

    # ── Who is named. ───────────────────────────────────────────────────────────────────────────────────────

    def _find_names(self, written: Sequence[str]) -> list[_Named]:
        found: list[_Named] = []
        for begin in range(len(written)):
            for end in range(min(len(written), begin + _LONGEST_NAME), begin, -1):
                slots, sure = self.near(" ".join(written[begin:end]))
                found += [_Named(begin, end, slot, sure) for slot in slots]
        # What stands within the words of a longer name, or beside a name in full in the same words, is none.
        sure_places = [one for one in found if one.sure]
        return [
            one
            for one in found
            if not any(
                other.begin < one.end and one.begin < other.end and other != one
                and (not one.sure or other.end - other.begin > one.end - one.begin)
                for other in sure_places
            )
        ]  # fmt: skip

    # ── Where a part is said. ───────────────────────────────────────────────────────────────────────────────

    def _run(self, words: Sequence[str], begin: int) -> Iterator[tuple[int, int]]:
        """Where these words stand one behind the other, from a place on."""
        for start in range(begin, len(self._words) - len(words) + 1):
            if all(map(_is_word, self._words[start : start + len(words)], words)):
                yield start, start + len(words)

    def _places(self, part: Part, begin: int) -> Iterator[tuple[int, int, bool]]:
        """Where a part is said from a place on, and whether its name is said in full."""
        own = _words_of(_without_slot(part))
        if part.slot is not None:
            wanted = [word for word in own if word not in _LINKS]
            heads = [(begin, begin)]
            if wanted:
                heads = list(self._said(" ".join(wanted), begin))
            for start, after in heads:
                for one in self._named:
                    if one.slot == part.slot and after <= one.begin <= after + _GAP:
                        yield (start if wanted else one.begin), one.end, one.sure
            return
        if part.kind is PartKind.NUMBER:
            for place in range(begin, len(self._words)):
                if self._words[place].isdigit() and part.takes(part.text + self._words[place]):
                    yield place, place + 1, True
            return
        if part.kind is PartKind.TEXT or not own:
            return
        for start, end in self._said(" ".join(own), begin):
            yield start, end, True
        if part.label:
            for start, end in self._run(_words_of(part.label), begin):
                yield start, end, True

    def _said(self, phrase: str, begin: int) -> Iterator[tuple[int, int]]:
        """Where a word of the game stands, or one that people say for it."""
        for one in dict.fromkeys((phrase, *self.everyday.get(phrase, ()))):
            yield from self._run(_words_of(one), begin)

    # ── Lines. ──────────────────────────────────────────────────────────────────────────────────────────────

    def _walks(self, here: Choices, so_far: _Reading) -> Iterator[_Reading]:
        """Every whole line whose parts are said one behind the other."""
        if here.whole and so_far.picks:
            yield so_far
        for level in here.levels:
            for part in level.parts:
                self._left -= 1
                if self._left < 0:
                    return
                for begin, end, sure in self._places(part, so_far.end):
                    apart = begin - so_far.end if so_far.spans else 0
                    if apart > _GAP:
                        continue
                    text = part.text + (self._words[begin] if part.kind is PartKind.NUMBER else "")
                    pick = Pick(part, text)
                    further = _Reading(
                        (*so_far.picks, pick),
                        (*so_far.spans, (begin, end)),
                        so_far.apart + apart,
                        so_far.sure and sure,
                        so_far.begun,
                    )
                    yield from self._walks(self._beyond(level, further), further)

    def _beyond(self, here: Choices, reading: _Reading) -> Choices:
        return here.after(reading.picks[-1]) if here.after else self.ask(reading.texts)

    def _ends(self) -> Iterator[_Reading]:
        """Lines of which the first word is left unsaid: a role, a side, a piece by itself; a name by itself
        alone, where nothing else of weight is said."""
        root = self.ask(())
        for part in root.parts:
            if part.slot is not None or part.filled_in:
                continue
            own = _words_of(part.text)
            start = _Reading((Pick(part, part.text),), begun=False)
            after = self._beyond(root, start)
            if len(own) > 1:
                for begin, end in self._run(own[-1:], 0):
                    found = _Reading(start.picks, ((begin, end),), begun=False)
                    if after.whole:
                        yield found
            for one in self._walks(after, start):
                if one.spans and (not any(pick.part.slot for pick in one.picks) or self._is_bare):
                    yield one

    @property
    def _is_bare(self) -> bool:
        """Whether nothing but names, and words that say nothing, was said."""
        named = {place for one in self._named for place in range(one.begin, one.end)}
        bare = (word.replace("'", "") for place, word in enumerate(self._words) if place not in named)
        return all(word in _FILLER for word in bare)

    # ── Which of them. ──────────────────────────────────────────────────────────────────────────────────────

    def _orders(self, found: list[_Reading]) -> tuple[tuple[tuple[Pick, ...], ...], ...]:
        """The lines that are likely, several orders of one message together."""
        # Of what is made of the same words the longest line is meant.
        kept = [one for one in found if not any(other.holds(one) for other in found)]
        if any(one.sure for one in kept):
            kept = [one for one in kept if one.sure or not _beside_a_sure_one(one, kept)]
        # An order ends before the next one begins.
        begins = sorted({one.begin for one in kept})
        until = dict(zip(begins, [*begins, len(self._words)][1:], strict=True))
        groups: dict[int, dict[tuple[str, ...], _Reading]] = {}
        for one in sorted(kept, key=lambda one: (not one.sure, one.apart)):
            if one.end <= until[one.begin] or not one.begun:
                groups.setdefault(one.begin, {}).setdefault(one.texts, one)
        several = [list(group.values()) for _, group in sorted(groups.items())]
        offered = [one for group in several for one in group]
        if offered and self._is_lost_beside(offered):
            return ()
        if len(several) > 1 and all(len(group) == 1 for group in several):
            lines = dict.fromkeys(group[0].texts for group in several)
            if len(lines) > 1:
                return (tuple(group[0].picks for group in several),)
        each: dict[tuple[str, ...], tuple[Pick, ...]] = {}
        for one in offered:
            each.setdefault(one.texts, one.picks)
        return tuple((picks,) for picks in each.values()) if len(each) <= MOST else ()

    def _is_lost_beside(self, offered: Sequence[_Reading]) -> bool:
        """Whether something was said that none of these lines has: somebody is named behind the first words,
        or beside lines that name nobody; or beside such lines another one is begun."""
        names_nobody = not any(pick.part.slot for one in offered for pick in one.picks)
        begin = 0 if names_nobody else offered[0].begin
        if any(
            named.sure and named.begin >= begin and not any(one.holds_words(named.begin) for one in offered)
            for named in self._named
        ):
            return True
        begun = {own[0] for part in self.ask(()).parts if (own := _words_of(part.text))}
        return names_nobody and any(
            word in begun and not any(one.holds_words(place) for one in offered)
            for place, word in enumerate(self._words)
        )


def _beside_a_sure_one(one: _Reading, found: Sequence[_Reading]) -> bool:
    """Whether the same order is there with a name in full."""
    return any(other.sure and other.begin == one.begin for other in found)


def _without_slot(part: Part) -> str:
    """The text of a part without whom it names."""
    return part.text if part.slot is None else part.text.removesuffix(part.slot)


def _is_word(said: str, word: str) -> bool:
    """Whether a word was said, as it is or as “protecting”, with one slip of the pen where it is long."""
    if said == word or (min(len(said), len(word)) >= _LONG and slips(said, word) <= 1):
        return True
    return said.endswith("ing") and said in {f"{word}ing", f"{word[:-1]}ing", f"{word}{word[-1:]}ing"}


def _words_of(text: str) -> list[str]:
    return _WORD.findall(text.casefold().replace("_", " "))
