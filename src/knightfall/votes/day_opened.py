"""Which day a moderator's post opens, by its words: “Day 2” on a line of its own, “Day the Second dawns”."""

from __future__ import annotations

import re
from collections.abc import Sequence

from knightfall.votes.numbers import ANY_NUMBER, DAY_WORDS, RANK, parse_number

# “Day 2”, “Day #2”, “Day Two”, “Tag 2”, “Día 2”. Not “yesterday 2”, “Day 2nd”.
_DAY = re.compile(
    rf"\b(?:day\s*#?(?P<number>\d{{1,2}}|{DAY_WORDS})|(?:tag|día|jour)\s*#?(?P<other>{ANY_NUMBER}))\b",
    re.IGNORECASE,
)
# “Day the Second”, “the second day”, “Morning, the third”, “the third morning”.
_RANKED = re.compile(
    rf"\b(?:day|morning),?\s(?:the\s)?(?P<behind>{RANK})\b|\b(?P<before>{RANK})\s(?:day|morning)\b",
    re.IGNORECASE,
)
# Beside a day these say that it is here: “Day 2 begins”, “It is now Day 2”, “Welcome to Day 1”.
_BEGINS = re.compile(
    r"\b(?:begins?|begun|starts?|started|opens|is\s+(?:now\s+)?open|it\s+is\s+now|it\s+is\s+the|it['’]s\s+now|it['’]s\s+the"
    r"|welcome\s+to|morning|dawns?|dawned|beginnt|empieza|comienza|commence)\b",
    re.IGNORECASE,
)
# A day whose deadline is told is here as well, but in a votecount: “Day 2 ends on Friday”.
_DEADLINE = re.compile(r"\b(?:deadline|ends?|length|lasts?)\b", re.IGNORECASE)
_NOT_VOTING = re.compile(r"\bnot\s+voting\b", re.IGNORECASE)
# A day that is to come or is talked of: “Day 2 will begin”, “when Day 2 starts”, “Day 2 vote count”, “Day 2
# starts on Friday”, “Day 2 begins in 24 hours”, “day 2 of my holiday”.
_NOT_YET = re.compile(
    r"\b(?:will|shall|until|before|when|if|once)\b.{0,30}\b(?:begin|start|open|dawn)|\bcount\b|\bexten"
    rf"|\bday\s*#?(?:\d{{1,2}}|{DAY_WORDS})\s+of\b"
    r"|\b(?:begins?|starts?|opens?)\s+(?:tomorrow|tonight|soon|later|once|after|as\s+soon|next\s"
    r"|(?:on\s+|this\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:at|on)\s+(?:the\s+)?\d|in\s+(?:about\s+|~)?\d"
    r"|in\s+(?:an?|a\s+few|some)\s+(?:hour|minute|day)|\w+\s+\d{1,2}(?:st|nd|rd|th))",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"\bagain\b|\bstill\b|\breopen|\bsorry\b", re.IGNORECASE)
# A title behind which the post goes on: “Day 2. Mabel was stabbed”, “Day 2, andante.”, “DAY 3 - at dawn”.
_TITLE_ENDS = re.compile(r"\s*(?:[.!:,–—]|\s-|\(|$)")
_SIGN = re.compile(r"day|morning|tag|día|jour", re.IGNORECASE)
# A tag that the board left as text: “[h]Day 2[/h]”.
_RAW_TAG = re.compile(r"\[/?\w{1,10}\]")


def day_opened(said: Sequence[str]) -> int | None:
    """The day that the live lines of a moderator's post open: “Day 2” on a line of its own or as the title of
    the post, “Day 2 has begun”, “It is the second day”, or, in a post that is no votecount, the deadline of
    Day 2."""
    if not any(_SIGN.search(line) for line in said):
        return None
    lines = [_RAW_TAG.sub("", line) for line in said]
    votecount = any(_NOT_VOTING.search(line) for line in lines)
    first = next((place for place, line in enumerate(lines) if line.strip()), 0)
    for place, line in enumerate(lines):
        found = (_DAY.search(line) or _RANKED.search(line)) if _SIGN.search(line) else None
        if found is None or _NOT_YET.search(line):
            continue
        number = next(written for written in found.groups() if written)
        ranked = found.re is _RANKED
        alone = not line.replace(found.group(0), "").strip(" .:!–—-=~*[]")
        title = (
            place == first
            and not votecount
            and not line[: found.start()].strip(" *[=~-")
            and _TITLE_ENDS.match(line, found.end())
        )
        begins = _BEGINS.search(line) and not (ranked and _AGAIN.search(line))
        if alone or title or begins or (not ranked and _DEADLINE.search(line) and not votecount):
            return parse_number(number)
    return None
