"""How is a name shown in a picture or a table, whatever letters it is made of?

A name is data: it must not break a line, hide behind letters nobody sees, or turn the rest of a label around.
"""

from __future__ import annotations

from unicodedata import bidirectional, category

from wcwidth import wcswidth

LONGEST = 24
"""Cells of a terminal; a longer name is cut."""
_LEFT_TO_RIGHT = "\u200e"
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def shown(name: str, longest: int = LONGEST) -> str:
    """The name in one line of at most `longest` cells; letters that cannot be seen are told by number."""
    text = "".join(map(_seen, name)).strip() or "(blank)"
    if cells(text) <= longest:
        seen = text
    else:
        while text and cells(text) >= longest:
            text = text[:-1]
        seen = f"{text}…"

    turned = any(bidirectional(letter) in ("R", "AL") for letter in seen)
    return seen + _LEFT_TO_RIGHT if turned else seen


def cells(text: str) -> int:
    """How many columns of a terminal a text takes; letters of some scripts take two."""
    return max(wcswidth(text), 0)


def _seen(letter: str) -> str:
    if letter.isspace():
        return " "
    noncharacter = ord(letter) & 0xFFFE == 0xFFFE
    return f"‹{ord(letter):04X}›" if noncharacter or category(letter) in _UNSEEN else letter
