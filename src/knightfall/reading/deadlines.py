"""Until when a day or night goes, as a moderator's post says it.

`untils` reads the lines of a post: “Day 1 ends Friday 20:00 EST”, “48 hours from now”, “extended by 24h”.
What is supposed, asked, or of something else than votes says nothing. `moved_by` tells until when it goes by
it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from knightfall.reading.lexicon import LETTERS
from knightfall.reading.moments import (
    Moment,
    Tagged,
    is_short_form,
    moment_in,
    span_in,
    speaks_of_today,
    stamp_in,
    tagged,
)

Zones = tuple[tzinfo, ...] | None
"""The zones that a time can be in; None: any."""


@dataclass(frozen=True, slots=True)
class Until:
    """What a sentence says of the end of a day, or of a night (`night` None: it names neither); of the one of
    number `day` where it names one.

    `earliest` to `latest` is when it may be (`latest` None: nobody tells; `earliest` None: no instant is
    said). `longer` is what it adds to what was said before, `moves` whether it speaks of another end than
    that, `spanned` whether it is counted from the post or by the clock of the board, `stands_still` whether
    there is no end until another one is told. `zones` are those that its words name.
    """

    words: str
    night: bool | None = None
    day: int | None = None
    earliest: datetime | None = None
    latest: datetime | None = None
    longer: timedelta | None = None
    moves: bool = False
    spanned: bool = False
    zones: Zones = None
    stands_still: bool = False


Known = tuple[datetime, datetime | None]
"""From when to when the end of a day may be."""
NEVER = datetime.max.replace(tzinfo=UTC)
"""The end of a day that has none for now."""


def moved_by(one: Until, before: Known) -> Known:
    """Until when a day goes by a later word, where an earlier one said `before`."""
    if one.stands_still:
        return NEVER, NEVER
    if one.earliest is not None:
        return one.earliest, one.latest
    if one.longer is not None:
        earliest, latest = before
        return earliest + one.longer, None if latest is None else latest + one.longer
    return before[0], None


_IF, _NOT, _WHEN = LETTERS["if"], LETTERS["not"], LETTERS["when"]
_DAY, _NIGHT, _VOTE = LETTERS["day"], LETTERS["night"], LETTERS["vote"]
_COUNTS = (LETTERS["numbers"], LETTERS["ranks"])
_DEADLINE, _ENDS, _ENDED = LETTERS["deadline"], LETTERS["ends"], LETTERS["ended"]
# A full stop before a capital ends a sentence, but behind a short form.
_SENTENCE = re.compile(r"(?<=[.!?;])\s+(?=[^\W\da-z_]|[¡¿(])")
_SHORT_FORM = re.compile(r"(?:\b[ap]\.m|\b(?P<word>[^\W\d_]{3,5})|\bapprox)\.$", re.IGNORECASE)
# “am 2. Tag”; not “it is Night 1. Night 1 ends”.
_COUNTED = re.compile(r"(?P<before>[^\W\d_]*)(?:^|\s)\d{1,2}\.$")
# “D1”, “Day 2”, “2. Tag”; “N1”.
_RANKED = re.compile(r"(?<![\d.])(\d{1,2})(?:\.|st|nd|rd|th|º)\s$")
_NUMBERED = re.compile(r"\s*#?(\d{1,2})(?![\d:/.]\d|\s?(?:hours?|h|days?)\b)")
_LETTERED = re.compile(r"\b(?P<kind>[DN])(?P<number>\d{1,2})\b")
_FEW = 3
"""Words behind a heading alone on its line."""
_LONGEST_BELOW = 100
"""Letters of a line that tells the time below its heading."""
_LONGEST = 2_000
"""Letters of a line that may tell a time."""


def untils(lines: Sequence[str], said: datetime, usual: Zones, clock: Zones = None) -> Iterator[Until]:
    """What the lines of a post tell of until when it goes, in their order. `said` is when the post was
    written, `usual` are the zones that a time can be in which names none (None: any), `clock`
    is that of the board, by which it shows the times of posts and of countdowns (None: nobody knows)."""
    for place, line in enumerate(lines):
        if len(line) > _LONGEST:
            continue
        sentences = [*_sentences(line)]
        for number, sentence in enumerate(sentences):
            following = lines[place + 1] if number + 1 == len(sentences) and place + 1 < len(lines) else ""
            found = _said(sentence, following, said, usual, clock)
            if found is not None:
                yield found


def _sentences(line: str) -> Iterator[str]:
    begin = 0
    for found in _SENTENCE.finditer(line):
        short = _SHORT_FORM.search(line[begin : found.start()])
        counted = _COUNTED.search(line[begin : found.start()])
        if counted and not any(one.tag in (_DAY, _NIGHT) for one in tagged(counted["before"])):
            continue
        if short and (not short["word"] or is_short_form(short["word"])):
            continue
        yield line[begin : found.start()]
        begin = found.end()
    yield line[begin:]


def _said(sentence: str, following: str, said: datetime, usual: Zones, clock: Zones) -> Until | None:
    """What a sentence says, or with it the line below."""
    read = tagged(sentence)
    trigger = _trigger(read, sentence)
    if trigger is None or sentence.rstrip().endswith("?"):
        return None
    before = [one.tag for one in read if one.start < trigger.start]
    weighed = _IF in before or _NOT in before or (_WHEN in before and trigger.tag != "until")
    if weighed or any(one.tag in ("something_else", LETTERS["night_acts"]) for one in read):
        return None
    night, day = _subject(read, sentence, trigger)
    moves = any(one.tag == "moves" for one in read)
    still = any(one.tag == "stands_still" for one in read)
    about, words = any(one.tag == "about" for one in read), sentence.strip()
    span = _span(sentence, read, moves)
    plain = sentence if span is None else _without(sentence, span)
    behind = plain[trigger.end :]
    stamp = stamp_in(behind)
    moment = moment_in(stamp or behind, said, clock if stamp else usual, about)
    if moment is None and span is None and not still and not moves and len(re.findall(r"\w+", behind)) < _FEW:
        moment = _begins(following, said, usual) if following else None
        words = f"{words} {following.strip()}" if moment else words
    if moment is None and span is None and trigger.tag != "until" and not moves and not still:
        moment = moment_in(plain[: trigger.start], said, usual, about)
    if still:
        return Until(words, night, day, moves=True, stands_still=True)
    if moment is not None:
        if moment.latest is None:
            moment = moment_in(plain, said, usual, about) or moment  # “today” may stand before the word
        ends = moment.earliest, moment.latest
        own = bool(stamp) and clock is not None
        return Until(words, night, day, *ends, moves=moves, spanned=own, zones=moment.zones)
    if span is not None and moves:
        return Until(words, night, day, longer=span[0], moves=True)
    if span is not None:
        return Until(words, night, day, said + span[0], said + span[0], spanned=True)
    return Until(words, night, day, moves=True) if moves else None


def _begins(line: str, said: datetime, usual: Zones) -> Moment | None:
    """The time with which a line begins."""
    found = moment_in(line, said, usual) if len(line) < _LONGEST_BELOW else None
    return found if found is not None and len(re.findall(r"\w+", line[: found.start])) < _FEW else None


def _span(sentence: str, read: Sequence[Tagged], moves: bool) -> tuple[timedelta, int, int] | None:
    """The span by which something is moved, else one that begins now; None for one that only tells how long
    something goes on."""
    found = span_in(sentence)
    if found is None or moves:
        return found
    _, start, end = found
    near = any(one.tag == "ahead" and 0 <= start - one.end < 2 for one in read)
    behind = any(one.tag == "from_now" and 0 <= one.start - end < 3 for one in read)
    return found if near or behind else None


def _without(sentence: str, span: tuple[timedelta, int, int]) -> str:
    """The sentence with blanks for a span."""
    _, start, end = span
    return sentence[:start] + " " * (end - start) + sentence[end:]


def _trigger(read: Sequence[Tagged], sentence: str) -> Tagged | None:
    """The word of the end of a day, where the sentence is of a day or of its votes."""
    tags = {one.tag for one in read}
    of_votes = (
        not tags.isdisjoint({_DAY, _VOTE, _NIGHT, "hearers", "ballot"})
        or _LETTERED.search(sentence) is not None
    )
    of_votes = of_votes or speaks_of_today(sentence)
    heard = not tags.isdisjoint({_VOTE, "hearers", "ballot"})
    for one in read:
        if one.tag == _DEADLINE:
            return one
        if one.tag == "until" and heard:
            return one
        if (
            one.tag in (_ENDS, _ENDED, "ends")
            and of_votes
            and not any(other.tag == "until" and other.start == one.start for other in read)
        ):
            return one
        if one.tag == "moves" and not tags.isdisjoint({_DAY, "hearers"}):
            return one
    hearers = next((one for one in read if one.tag == "hearers"), None)
    return hearers if hearers is not None and _VOTE in tags and span_in(sentence) is not None else None


def _subject(read: Sequence[Tagged], sentence: str, trigger: Tagged) -> tuple[bool | None, int | None]:
    """Whether a sentence is of a night (None: it names no day either), and of which number."""
    named = [(one.start, one.end, one.tag == _NIGHT, None) for one in read if one.tag in (_DAY, _NIGHT)]
    lettered = _LETTERED.finditer(sentence)
    both = [*named, *((one.start(), one.end(), one["kind"] == "N", int(one["number"])) for one in lettered)]
    if not both:
        return None, None
    # The nearest before the trigger, else the first one behind it.
    before = [one for one in both if one[0] <= trigger.start]
    start, end, night, number = max(before, key=lambda one: one[:2]) if before else min(both)
    if number is None:
        found = _NUMBERED.match(sentence, end) or _RANKED.search(sentence[:start])
        beside = (
            one for one in read if one.tag in _COUNTS and (one.start == end + 1 or one.end == start - 1)
        )
        number = int(found[1]) if found else next((one.value for one in beside), None)
    return night, number
