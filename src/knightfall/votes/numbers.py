"""Small numbers as moderators write them: in digits, in words, and as the number of a day."""

from __future__ import annotations

from types import MappingProxyType

NUMBER_WORDS = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    *("nineteen", "twenty"),
)
_ORDINALS = (
    *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth"),
)
_GERMAN = (
    *("eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"),
    *("elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn"),
)
_SPANISH = ("uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez")
"""No further: “once” is an English word."""
VALUES = MappingProxyType(
    {
        word: number
        for words in (NUMBER_WORDS, _GERMAN, _SPANISH)
        for number, word in enumerate(words, start=1)
    }
)
_RANKS = MappingProxyType({word: number for number, word in enumerate(_ORDINALS, start=1)})

DAY_WORDS = "|".join(NUMBER_WORDS[:12])
"""Numbers of days, as a part of a pattern."""
HOW_MANY = rf"(?:\d{{1,2}}|{'|'.join(NUMBER_WORDS)})"
"""A number of people or votes in English, as a part of a pattern."""
ANY_NUMBER = rf"(?:\d{{1,2}}|{'|'.join(sorted(VALUES, key=len, reverse=True))})"
"""The same in every language that is read; it takes longer."""


def parse_number(written: str) -> int:
    """A number in digits, in one of the words of `VALUES`, or a rank, in any case."""
    said = written.lower()
    if said.isdigit():
        return int(said)
    if said[:1].isdigit():
        return int(said.rstrip("stndrh"))
    return VALUES[said] if said in VALUES else _RANKS[said]
