"""The match of a game with a board, to step through: each position that it came to, and what led there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, cast

from knightfall.audience import Audience
from knightfall.engine.game import Announced, Event, Game, Message, Noted, Step
from knightfall.engine.journal import standing
from knightfall.engine.replay import replay
from knightfall.engine.rng import Rng
from knightfall.games import steps_of
from knightfall.markup.nodes import Nodes
from knightfall.pictures.match_steps import MatchStep
from knightfall.pictures.svg import svg_series
from knightfall.sentence import SlotId
from knightfall.services.now import Now
from knightfall.services.running import RunningGame, holders, noted_now, renamed, shown
from knightfall.writeups.archive.book import MatchPart, ShownStep
from knightfall.writeups.render import render_nodes


class _Watched:
    """A game that keeps what each of its transitions led to."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.way: list[Step[Any]] = []

    def begin(self, slots: Sequence[SlotId], options: Any, at: Any, draw: Rng) -> Step[Any]:
        return self._kept(self._game.begin(slots, options, at, draw))

    def submit(self, state: Any, message: Message, draw: Rng) -> Step[Any]:
        return self._kept(self._game.submit(state, message, draw))

    def close(self, state: Any, kind: str, at: Any, draw: Rng) -> Step[Any]:
        return self._kept(self._game.close(state, kind, at, draw))

    def _kept(self, step: Step[Any]) -> Step[Any]:
        self.way.append(step)
        return step

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)


def way_of(table: RunningGame) -> tuple[Step[Any], ...]:
    """Every transition of a game, in order: several windows can run out before one entry, so the states
    behind the entries are not all that there were."""
    watched = _Watched(table.game)
    replay(standing(table.journal), cast(Game[Any], watched), table.source)
    return tuple(watched.way)


def match_of(context: Now, reader: Audience) -> tuple[MatchPart, ...]:
    """The match as such a reader may have it; () for a game without a board that can be stepped through."""
    table = context.table
    make = steps_of(table.game.spec.id) if table else None
    if table is None or make is None:
        return ()
    held = holders(table.journal)
    steps = make(way_of(table), {slot: shown(slot, held) for slot in held})
    seen = [one for one in steps if not one.secret or reader.sees(Audience.MODERATOR)]
    parts = groupby(seen, key=lambda one: one.part)
    return tuple(_part(title, tuple(several), context, reader) for title, several in parts)


def _part(title: str, steps: tuple[MatchStep, ...], context: Now, reader: Audience) -> MatchPart:
    drawn = svg_series([one.scene for one in steps])
    names = _addresses([one.title for one in steps])
    return MatchPart(
        title,
        drawn.shared,
        tuple(
            ShownStep(name, one.title, tuple(_told(one.events, context, reader)), picture, one.board)
            for name, one, picture in zip(names, steps, drawn.each, strict=True)
        ),
    )


def _addresses(titles: Sequence[str]) -> Iterator[str]:
    """“move-12” for “Move 12”: what a link to a step ends with."""
    taken = dict[str, int]()
    for title in titles:
        name = "-".join(re.findall(r"[a-z0-9]+", title.casefold()))
        taken[name] = taken.get(name, 0) + 1
        yield name if taken[name] == 1 else f"{name}-again-{taken[name]}"


def _told(events: Sequence[Event], context: Now, reader: Audience) -> Iterator[Nodes]:
    """What each of these events says to such a reader, as the game's own template says it."""
    assert context.table is not None
    held = holders(context.standing)
    for event in events:
        if isinstance(event, Announced):
            facts = renamed(event, held).facts
        elif isinstance(event, Noted) and reader.sees(Audience.MODERATOR):
            facts = noted_now(event, held).facts
        else:
            continue
        yield render_nodes(f"{context.table.game.spec.id}/{event.kind}", facts)
