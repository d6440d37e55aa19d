"""Sentences as strings of tags: what `statements` and `house_rules` look for shapes in.

A name of the game is one token whatever signs it has; all else is a word with its letter of the lexicon, a
number with its value, or a sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from knightfall.models import Slot
from knightfall.names import NAME_AT_START, Matched, Names, fold
from knightfall.reading.lexicon import ENGLISH, LETTERS, parted, spoken, tag_of

NAME, SHORT, NUMBER, WORD, ARROW = "N", "n", LETTERS["numbers"], "w", "»"
LONGEST = 6_000
"""Letters of a line that are read: no sentence of a game is longer."""
MOST_PIECES = 10
"""Words and signs of a name at most."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word, name, number or sign: its letter, as it is written, where, and whom or how many it means."""

    letter: str
    text: str
    start: int
    end: int
    slot: Slot | None = None
    value: int = 0


@dataclass(frozen=True, slots=True)
class Clause:
    """A sentence: its tokens, and their letters as one string. `ends` is the sign that ends it."""

    text: str
    tokens: tuple[Token, ...]
    tags: str
    ends: str = ""

    @property
    def asked(self) -> bool:
        """Whether it is a question."""
        return self.ends == "?"

    @property
    def subject(self) -> tuple[str, ...]:
        """Who is named at its beginning: the sentence is of them."""
        first = next((one for one in self.tokens[:2] if one.letter not in (WORD, *"(-*·")), None)
        return (first.slot.name,) if first is not None and first.slot is not None else ()

    def named(self, start: int, end: int) -> tuple[Slot, ...]:
        """Who is named between two tokens."""
        return tuple(one.slot for one in self.tokens[start:end] if one.slot is not None)

    def people(self, start: int = 0, end: int | None = None) -> tuple[str, ...]:
        """The names of who is named between two tokens, each once."""
        return tuple(dict.fromkeys(one.slot.name for one in self.tokens[start:end] if one.slot is not None))

    def part(self, start: int, end: int) -> str:
        """The letters up to token `end` from behind the last comma before token `start`."""
        return self.tags[self.tags.rfind(",", 0, start) + 1 : end]

    def written(self, start: int, end: int) -> str:
        """The text of some tokens as it stands."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end] if start < end else ""


# Words (with an apostrophe or a full stop inside), numbers, signs; blanks part them.
_PIECE = re.compile(
    r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+(?:['’.][^\W\d_]+)*['’]?|[-=]{1,2}>|[→➔➜⇒]|\.{2,}|…|--+|\s[-–—](?=\s)|[–—]|_+|\S"
)
_ENDS = frozenset(".!?;…")
_ROMAN = {
    word: place
    for place, word in enumerate(["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"], start=1)
}
_SIGNS = {"–": "-", "—": "-", "--": "-", "→": ARROW, "➔": ARROW, "➜": ARROW, "⇒": ARROW, "->": ARROW,
          "=>": ARROW, "-->": ARROW, "==>": ARROW,
          "[": "(", "]": ")", "{": "(", "}": ")", "•": "·"}  # fmt: skip
_KEPT = frozenset(",:()-/|%»+=·@")
_DROPPED = frozenset("\"“”„«»‘’'`*~_")


def clauses(line: str, names: Names, rules: bool = False) -> tuple[Clause, ...]:
    """The sentences of a line; for `rules` of a house with the words of these."""
    return tuple(_clauses(line[:LONGEST], names, rules))


def clauses_of(lines: Iterable[str], names: Names, rules: bool = False) -> tuple[tuple[Clause, ...], ...]:
    """The sentences of each line."""
    return tuple(clauses(line, names, rules) for line in lines)


def _clauses(line: str, names: Names, rules: bool) -> Iterator[Clause]:
    pieces = [found for found in _PIECE.finditer(line) if found[0].strip()]
    begun = 0
    found: list[Token | re.Match[str]] = []
    place = 0
    while place < len(pieces):
        named = _name_at(line, pieces, place, names)
        if named is not None:
            token, place = named
            found.append(token)
            continue
        piece = pieces[place]
        place += 1
        sign = piece[0].strip()
        following = line[piece.end() : piece.end() + 1]
        if sign[0] in _ENDS and (
            not following or following.isspace() or following in "\"'”’)*" or sign == ";"
        ):
            yield _tagged(line, found, names, sign[-1], rules)
            found, begun = [], place
            continue
        found.append(piece)
    if found or begun < len(pieces):
        yield _tagged(line, found, names, "", rules)


def named_in(text: str, names: Names) -> Iterator[tuple[int, Slot]]:
    """Who is named in a text by a whole name, in order, each with where it ends."""
    pieces = [found for found in _PIECE.finditer(text) if found[0].strip()]
    place = 0
    while place < len(pieces):
        named = _name_at(text, pieces, place, names)
        place += 1
        if named is not None:
            token, place = named
            if token.slot is not None:
                yield token.end, token.slot


def _name_at(
    line: str, pieces: Sequence[re.Match[str]], place: int, names: Names
) -> tuple[Token, int] | None:
    """The longest whole name that begins at a piece, and the place behind it; a name that is also a word must
    be written as it is."""
    first = pieces[place]
    start = first.start() + len(first[0]) - len(first[0].lstrip())
    if line[start : start + 1] == "@" and place + 1 < len(pieces):
        return _name_at(line, pieces, place + 1, names)
    if not names.may_begin(first[0].strip(" '’")):
        return None
    for last in range(min(place + MOST_PIECES, len(pieces)) - 1, place - 1, -1):
        for end in dict.fromkeys((pieces[last].end(), _without_genitive(pieces[last]))):
            written = line[start:end]
            slot = names.whole(written)
            if (
                slot is not None
                and _is_meant(written, slot, pieces, place, last)
                and _ends_alike(written, slot)
            ):
                token = Token(NAME, written, start, end, slot)
                return token, last + 1
    return None


def _ends_alike(written: str, slot: Slot) -> bool:
    """Whether a text ends with a letter, or with the sign that a name of the slot ends with."""
    return written[-1:].isalnum() or any(name.endswith(written[-1:]) for name in (*slot.names, *slot.aliases))


def _without_genitive(piece: re.Match[str]) -> int:
    """The end of a word without “'s” or a bare apostrophe."""
    for ending in ("'s", "’s", "'", "’"):
        if piece[0].endswith(ending):
            return piece.end() - len(ending)
    return piece.end()


def _is_meant(written: str, slot: Slot, pieces: Sequence[re.Match[str]], first: int, last: int) -> bool:
    """Whether a text is a name and not a word that looks like one: such a name is written as it is, no role
    of somebody (“the Vanilla Town”), and no day with its number."""
    words = parted(written)
    if not words or not written[:1].isalnum() or len(words) > 1:
        return True
    known = tag_of(words, 0, ENGLISH)
    if known is None and len(words[0]) > 1:
        return True
    if written not in slot.names and written not in slot.aliases:
        return False
    before = _letter(pieces[first - 1][0]) if first else ""
    behind = [_letter(one[0]) for one in pieces[last + 1 : last + 3]]
    if known is not None and known[0] == LETTERS["role"]:
        follows = pieces[last + 1][0] if last + 1 < len(pieces) and pieces[last][0][-1:].isalnum() else ""
        beside = before in (LETTERS["role"], LETTERS["article"]) or behind[:1] == [LETTERS["role"]]
        return not beside and not (first and follows[:1].isupper())
    numbered = {LETTERS["numbers"], LETTERS["ranks"]}
    of_days = known is not None and known[0] in (LETTERS["day"], LETTERS["night"])
    return not of_days or numbered.isdisjoint(behind)


def _letter(word: str) -> str:
    """The letter of one word by itself; that of a number for digits, "" for a word that is not known."""
    words = parted(word.strip(" .,:;!?()[]"))
    if len(words) != 1:
        return ""
    if words[0].isdigit():
        return LETTERS["numbers"]
    known = tag_of(words, 0, ENGLISH)
    return known[0] if known is not None else ""


def _tagged(
    line: str, pieces: Sequence[Token | re.Match[str]], names: Names, ends: str, rules: bool
) -> Clause:
    """A sentence of its pieces, in the language that knows most of them."""
    words: list[str] = []
    spans: list[Token | tuple[int, int]] = []
    for piece in pieces:
        if isinstance(piece, Token):
            words.append("")
            spans.append(piece)
            continue
        text = piece[0].strip()
        start = piece.start() + piece[0].index(text)
        if text in _DROPPED or (text == "-" and _within_word(line, start)):
            continue
        if text.lower() not in _CONTRACTED:
            text = text.removesuffix("'s").removesuffix("’s") or text
        for said in parted(text) or [text]:
            words.append(said)
            spans.append((start, start + len(text)))
    code = spoken([word for word in words if word])
    return _clause(line, _Typed(words, spans, code, rules), names, ends)


_CONTRACTED = frozenset(
    f"{word}{sign}s" for word in ("it", "that", "let", "he", "she", "there", "here", "what") for sign in "'’"
)


def _within_word(line: str, place: int) -> bool:
    """Whether the sign at a place joins two words: “night-killed”."""
    return line[place - 1 : place].isalnum() and line[place + 1 : place + 2].isalnum()


class _Typed(NamedTuple):
    """The folded words of a sentence, where each stands, and the language and vocabulary they are read by."""

    words: Sequence[str]
    spans: Sequence[Token | tuple[int, int]]
    code: str
    rules: bool


def _clause(line: str, typed: _Typed, names: Names, ends: str) -> Clause:
    words, spans = typed.words, typed.spans
    tokens: list[Token] = []
    place = 0
    while place < len(words):
        span, word = spans[place], words[place]
        if isinstance(span, Token):
            tokens.append(span)
            place += 1
            continue
        start, end = span
        size = 1
        if word.isdigit():
            token = Token(NUMBER, word, start, end, value=int(word[:6]))
        elif word[0].isdigit() and not word[-1].isdigit():
            token = Token(LETTERS["ranks"], word, start, end, value=int(re.sub(r"\D.*", "", word)[:6]))
        elif not any(char.isalnum() for char in word):
            sign = _SIGNS.get(word, word)
            token = Token(sign if sign in _KEPT else WORD, word, start, end)
        elif word == "shot" and tokens and tokens[-1].letter == NUMBER:
            token = Token(LETTERS["role"], line[start:end], start, end)  # “2-shot Vigilante”
        elif (found := tag_of(words, place, typed.code, typed.rules)) is not None:
            letter, value, size = found
            last = spans[place + size - 1]
            end = last[1] if isinstance(last, tuple) else end
            token = Token(letter, line[start:end], start, end, value=value)
        elif word in _ROMAN and tokens and tokens[-1].letter in (LETTERS["day"], LETTERS["night"]):
            token = Token(NUMBER, word, start, end, value=_ROMAN[word])
        else:
            short = _short_name(line[start:end], names)
            token = Token(SHORT if short else WORD, line[start:end], start, end, short)
        tokens.append(token)
        place += size
    first = tokens[0].start if tokens else 0
    text = line[first : tokens[-1].end] if tokens else ""
    moved = tuple(
        Token(one.letter, one.text, one.start - first, one.end - first, one.slot, one.value) for one in tokens
    )
    return Clause(text, moved, "".join(one.letter for one in tokens), ends)


def _short_name(written: str, names: Names) -> Slot | None:
    """Whom a word that is no word of the lexicon surely names, by a short form of a name."""
    if len(fold(written)) < 3:
        return None
    meant = names.surely(written)
    return meant.slot if isinstance(meant, Matched) and meant.rule != NAME_AT_START else None
