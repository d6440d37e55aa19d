"""What hosts write for what a role's name has words for: numbers, limits, several roles in one card; and
words that are spelt otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from knightfall.games.custom_mafia.roles import PHRASES, SHOT_NUMBERS, SHOT_WORDS
from knightfall.votes.numbers import NUMBER_WORDS

_SPELT_NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS, start=1)}
_TWICE = re.compile(rf"\b(?P<word>{'|'.join(NUMBER_WORDS)})\s+[(\[](?P<digits>\d{{1,2}})[)\]]", re.IGNORECASE)
"""“seven (7)”."""
_OFTEN = rf"(?P<number>\d{{1,2}}|{'|'.join(SHOT_NUMBERS)})"
_USES = re.compile(
    rf"(?:(?:w/|with|has|limited(?:\s+to)?|max(?:imum)?|up\s+to|only)\s*)*{_OFTEN}[\s-]*"
    rf"(?:{'|'.join(SHOT_WORDS)}|bullets?|charges?|li(?:fe|ves)|doses?|vests?)(?:\s+(?:only|max|left|each))*",
    re.IGNORECASE,
)
"""“with 2 shots”, “max 2 uses”, “3 bullets”, “1 shot only”."""
_LIMITED = re.compile(rf"\blimited\s+[(\[]?{_OFTEN}[)\]]?\s+(?=\S)", re.IGNORECASE)
"""“Limited (2) Doctor”."""
_NIGHTS = re.compile(
    r"(?:on\s+)?(?:n(?:ights?)?[\s-]*)(?P<numbers>[1-9a-z]+(?:(?:\s*(?:,|/|&|\+|and)\s*)+(?:n(?:ight)?[\s-]*)?[1-9a-z]+)*)"
    r"(?:\s+only)?",
    re.IGNORECASE,
)
"""“nights 2 and 4”, “N1 and N3 only”."""
_PARTED = re.compile(r"\s*(?:,|/|&|\+|\band\b)\s*", re.IGNORECASE)
_NIGHT = re.compile(r"^n(?:ight)?[\s-]*(?=\d)", re.IGNORECASE)
_PARITY = re.compile(
    r"(?:on\s+)?(?P<parity>odd|even)[\s-]*(?:numbered\s+)?nights?(?:\s+only)?", re.IGNORECASE
)
_ONE_CARD = re.compile(
    r"\s*[(\[](?:in\s+|on\s+)?(?:the\s+same|same|one|a\s+single)\s+(?:player|card|person|slot)[)\]]\s*$"
    r"|\s+(?:hybrid|in\s+one(?:\s+(?:card|player|person))?)\s*$|^combined\s+"
    r"|\s+(?:who|that|which)\s+(?:is|are)\s+also\s+(?:an?\s+|the\s+)?",
    re.IGNORECASE,
)
"""Words by which several roles are one card."""
_JOINTS = re.compile(r"\s*[+&,/]\s*|\s+and\s+|(?<=\w)\s*[–-]\s*(?=\w)", re.IGNORECASE)
_TRADE = re.compile(
    rf"{_OFTEN}\s*[x×]?\s+(?P<role>\S.*)|(?P<before>\S.*?)\s*[x×]\s*(?P<times>\d)", re.IGNORECASE
)
_DONE: Mapping[str, str] = {
    "roleblock": "roleblocker",
    "watch": "watcher",
    "track": "tracker",
    "follow": "follower",
}
"""What a trade does, for who does it."""


def in_plain_numbers(said: str) -> str:
    """A card with “seven (7)” as 7, and “Limited (2) Doctor” as a 2-Shot Doctor."""

    def once(match: re.Match[str]) -> str:
        same = _SPELT_NUMBERS[match["word"].casefold()] == int(match["digits"])
        return match["digits"] if same else match[0]

    return _LIMITED.sub(lambda match: f"{_times(match)}-Shot ", _TWICE.sub(once, said))


def in_one_card(said: str) -> str:
    """A card whose roles are joined, where words say that they are one card: “Cop + Doctor (one card)”."""
    short = _ONE_CARD.sub(" ", said).strip()
    return said if short == said else _JOINTS.sub(" ", short)


def as_limit(said: str) -> str:
    """What limits a role as the words of its name: “max 2 uses” is 2-Shot; as it is where it is none."""
    said = said.strip(" .()[]")
    if (uses := _USES.fullmatch(said)) is not None:
        return f"{_times(uses)}-Shot"
    if (parity := _PARITY.fullmatch(said)) is not None:
        return f"{parity['parity']}-Night"
    if (nights := _NIGHTS.fullmatch(said)) is not None:
        parts = _PARTED.split(nights["numbers"])
        return " ".join(f"night {_NIGHT.sub('', part)}" for part in parts if part)
    return re.sub(r"\s+only$", "", said, flags=re.IGNORECASE)


def as_trade(said: str) -> str:
    """One trade of a Jack-of-all-Trades: “1x Cop”, “one Roleblock” and “Tracker x2” have so many shots."""
    said = said.strip()
    match = _TRADE.fullmatch(said)
    role = match["role"] or match["before"] if match else said
    if role.split(" ", 1)[0].casefold() in SHOT_WORDS:
        return said
    role = _DONE.get(role.casefold(), role)
    return f"{match['times'] or _times(match)}-Shot {role}" if match else role


def _times(match: re.Match[str]) -> int:
    said = match["number"].casefold()
    return SHOT_NUMBERS.get(said) or int(said)


def spelt(word: str, known: frozenset[str]) -> str:
    """The one known word that sounds as this one, which only vowels behind the first, doubled letters, or s
    for z keep apart; "" where there is none, or more than one."""
    if len(word) < SHORT:
        return ""
    found = _by_sound(known).get(_sound(word.casefold()), ())
    return found[0] if len({PHRASES.get((one,)) or one for one in found}) == 1 else ""


SHORT = 6
"""Shorter words sound like too many others."""
_VOWELS = "aeiouy"
_DOUBLED = re.compile(r"(.)\1+")


@lru_cache(maxsize=1)
def _by_sound(known: Iterable[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for word in sorted(known):
        if len(word) >= SHORT:
            found[_sound(word)] = (*found.get(_sound(word), ()), word)
    return found


def _sound(word: str) -> str:
    """The word to its first vowels as it is, then its consonants, each once."""
    word = word.replace("z", "s")
    begin = re.match(rf"[^{_VOWELS}]*[{_VOWELS}]*", word)
    head = begin[0] if begin else ""
    consonants = re.sub(f"[{_VOWELS}]", "", word[len(head) :])
    return f"{head}|{_DOUBLED.sub(lambda match: match[1], consonants)}"
