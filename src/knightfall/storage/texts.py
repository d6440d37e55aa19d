"""Texts as a database keeps them: a sentence with its names and ways, what holds none as it is."""

from __future__ import annotations

import json

from knightfall.sentence import Sentence, SlotId, Way

_KEPT = "\x1e"
"""What a stored text begins with whose parts are kept, too: no text for people holds it."""


def stored(text: str) -> str:
    """A text as a database keeps it: what holds no name and no way as it is."""
    if not isinstance(text, Sentence) or all(type(part) is str for part in text.parts):
        return str(text)
    parts = (
        {"way": part.to, "values": dict(part.values)}
        if isinstance(part, Way)
        else {"slot": str(part)}
        if isinstance(part, SlotId)
        else part
        for part in text.parts
    )
    return _KEPT + json.dumps([*parts], ensure_ascii=False)


def restored(kept: str) -> str:
    """The text that was `stored`."""
    if not kept.startswith(_KEPT):
        return kept
    return Sentence(
        part
        if isinstance(part, str)
        else SlotId(part["slot"])
        if "slot" in part
        else Way(part["way"], **part["values"])
        for part in json.loads(kept.removeprefix(_KEPT))
    )
