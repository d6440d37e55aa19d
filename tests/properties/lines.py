"""Are the lines that a game tells part by part those that it takes?

`walked` goes through the tree by chance, what is chosen but seldom included; `can_be_built` looks for a walk
that makes a given line. Both ask the game anew at each part and hold its answer against the tree itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from knightfall.engine.game import Game
from knightfall.engine.lines import Asked, Choices, Part, PartKind, line_of
from knightfall.sentence import SlotId

STOP = 0.4
"""How often a walk stops where the line is whole."""


def asked_for(game: Game[Any], state: Any, slot: SlotId | None) -> Asked:
    """What can follow some parts of a line of this slot."""
    return partial(game.continuations, state, slot)


def everything(here: Choices) -> list[Part]:
    """All parts, those that are seldom chosen last."""
    return [part for level in here.levels for part in level.parts]


def filled(part: Part, chance: random.Random) -> str:
    """The text of a part, with something filled in."""
    if part.kind is PartKind.NUMBER:
        return f"{part.text}{chance.choice((part.least, part.most, chance.randint(part.least, part.most)))}"
    return f"{part.text}a short break" if part.kind is PartKind.TEXT else part.text


def walked(ask: Asked, chance: random.Random) -> str | None:
    """A whole line; None where there is none."""
    texts: tuple[str, ...] = ()
    here = ask(())
    while True:
        parts = everything(here)
        assert len({part.text for part in parts}) == len(parts), f"after {texts}: the same part twice"
        if here.whole and (not parts or chance.random() < STOP):
            return line_of(texts)
        if not parts:
            assert not texts, f"after {texts} nothing can follow, and it is no line"
            return None
        texts = (*texts, filled(chance.choice(parts), chance))
        found = here.follow(texts[-1], partial(ask, texts))
        assert found is not None
        here = ask(texts)
        assert (here.whole, everything(here)) == (found[1].whole, everything(found[1])), texts


def can_be_built(ask: Asked, line: str) -> bool:
    """Whether a walk makes this line."""

    def on(rest: str, here: Choices, texts: tuple[str, ...]) -> bool:
        if not rest:
            return here.whole
        for part in everything(here):
            for text in _fitting(part, rest):
                if on(rest[len(text) :], ask((*texts, text)), (*texts, text)):
                    return True
        return False

    return on(line, ask(()), ())


def _fitting(part: Part, rest: str) -> Iterator[str]:
    """The texts of a part with which the rest of a line begins."""
    if not rest.startswith(part.text):
        return
    ends = range(len(part.text), len(rest) + 1) if part.filled_in else (len(part.text),)
    yield from (rest[:end] for end in ends if part.takes(rest[:end]))
