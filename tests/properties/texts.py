"""The texts of a random game: does every board read their markup, and is each written for people?

A text for players holds no code of a ruling, no label of a draw, no code of a refusal, no key of an option,
and nothing as Python shows it. Lines for the program to read again are left out: the proof of a deal, and the
options in the record of a bout.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from knightfall.engine.game import Announced, Game, Noted, Told
from knightfall.engine.playout import Playout
from knightfall.engine.replay import replay
from knightfall.engine.rng import Drawn, SeededRng
from knightfall.markup.dialects import dialect
from knightfall.markup.nodes import Nodes
from knightfall.sentence import SlotId
from knightfall.services.running import noted_now, renamed, told_to
from knightfall.writeups.render import render_nodes
from markup.board_tags import BOARDS, faults

BOARD_OF = {board: dialect(board) for board in BOARDS}
PLAIN = dialect("plain")

MACHINE = re.compile(
    r"""
    \b[A-Z]{2}-R?\d+\b                          # a ruling: KE-07, EM-R26
    | \b(?:ke|em|kc|kf|kd|cm)_r?\d+\b           # an option named after one
    | \b[A-Z]{2,}(?:_[A-Z]+)+\b                 # the code of a refusal: WRONG_PHASE
    | ['"=]:?\ ?(?:True|False)\b                # a value of Python; a gunsmith is told True or False
    | \bNone\b(?!\ [a-z])                      # “None of you” is English
    | \b[A-Z]\w*\((?:\w+=|['"])                 # a value as Python shows it: Slot(name=…), SlotId('…')
    | <[\w.]+(?:\ object\ at|:) | \bdatetime\.  # an object, an enumeration
    | \(\) | \[\] | \{\} | [\[({]['"]\w         # collections
    """,
    re.VERBOSE,
)
TO_BE_READ = ("{", "Options: ")
"""How lines begin that the program reads again."""


class Sent(NamedTuple):
    """A text that a game writes: the kind of its event, who reads it, and what it says."""

    kind: str
    public: bool
    players: bool
    nodes: Nodes


def texts(
    game: Game[Any], playout: Playout[Any], draws: SeededRng, held: Mapping[SlotId, str] | None = None
) -> Iterator[Sent]:
    """Every text of a game in order, a PM for each of its slots; `held` are other names of the slots."""
    for one in replay(playout.journal, game, lambda: draws).taken:
        for event in one.events:
            template = f"{game.spec.id}/{event.kind}"
            match event:
                case Announced():
                    yield Sent(
                        event.kind, True, True, render_nodes(template, renamed(event, held or {}).facts)
                    )
                case Told(slots=slots):
                    for slot in slots:
                        facts = told_to(event, slot, held or {}).facts
                        yield Sent(event.kind, False, True, render_nodes(template, facts))
                case Noted():
                    facts = noted_now(event, held or {}).facts
                    yield Sent(event.kind, False, False, render_nodes(template, facts))


def misread(sent: Iterable[Sent]) -> Iterator[str]:
    """What some board would show raw, drop or misread, in sentences."""
    for kind, nodes in {(one.kind, one.nodes): None for one in sent}:
        for board, speech in BOARD_OF.items():
            for fault in faults(board, speech.write(nodes)):
                yield f"{board}, {kind}: {fault}"


def machine_words(sent: Iterable[Sent], drawn: Sequence[Drawn] = ()) -> Iterator[str]:
    """What of the program's own stands in a text for players, with the line that it stands in."""
    labels = {one.key.label for one in drawn} | {"/".join(one.key.path) for one in drawn}
    odd = sorted((label for label in labels if re.search(r"\w[.:/_>-]\w", label)), key=len, reverse=True)
    tells = re.compile("|".join((MACHINE.pattern, *map(_spelled, odd))), re.VERBOSE)
    for kind, nodes in {(one.kind, one.nodes): None for one in sent if one.players}:
        for line in PLAIN.write(nodes).splitlines():
            if not line.startswith(TO_BE_READ) and (found := tells.search(line)):
                yield f"{kind}: {found[0]!r} in “{line}”"


def _spelled(label: str) -> str:
    """A label as a pattern of its own: not a part of a longer word."""
    spelled = re.sub(r"([\s#])", r"\\\1", re.escape(label).replace("\\ ", " "))
    return rf"(?<!\w){spelled}(?!\w)"
