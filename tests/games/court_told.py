"""One match of King's Court told window by window: what was sent, what was posted, what each then sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace

from knightfall.engine.entries import Closed, Submitted
from knightfall.engine.game import Announced, Event, Told
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT, State
from knightfall.games.kings_court.views import CourtView, OwnSide, court_view
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from recorded import recorded
from salt_court import COURT

OPTIONS: Mapping[str, object] = {"garnets": 12}


def tell(seed: int) -> str:
    """The whole match, from the names to the opponents of the Deathmatch."""

    def draws() -> SeededRng:
        return SeededRng(b"draw %d" % seed)

    chance = SeededRng(b"chance %d" % seed)
    playout = recorded(f"court-{seed}", KINGS_COURT, COURT, OPTIONS, chance, draws())
    taken = replay(playout.journal, KINGS_COURT, draws).taken
    lines = [f"Signed up: {', '.join(COURT)}", *_events(taken[0].events), *_window(playout.states[0])]
    for state, record, step in zip(playout.states[1:], playout.journal[1:], taken[1:], strict=True):
        lines += [*_entry(record.entry), *_events(step.events)]
        if isinstance(record.entry, Closed) or not _same(state, playout.states[record.number - 2]):
            lines += _window(state)
    return "\n".join(lines) + "\n"


def _same(after: State, before: State) -> bool:
    return [w.title for w in KINGS_COURT.windows(after)] == [w.title for w in KINGS_COURT.windows(before)]


def _entry(entry: object) -> Iterator[str]:
    if isinstance(entry, Submitted):
        yield f"\n> {entry.slot or 'the moderator'}: {entry.text}"
    if isinstance(entry, Closed):
        yield f"\n> the deadline: {entry.window}"


def _events(events: tuple[Event, ...]) -> Iterator[str]:
    for event in events:
        if isinstance(event, Announced):
            yield f"\n[post] {_indented(public_post('kings_court', event))}"
        elif isinstance(event, Told):
            yield f"[PM to {', '.join(event.slots)}] {_indented(private_message('kings_court', event))}"
        else:
            yield f"[moderator] {_indented(moderator_sheet('kings_court', event))}"


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")


def _window(state: State) -> Iterator[str]:
    """What is open now, and each view: the public's, and what every player sees besides."""
    titles = ", ".join(window.title for window in KINGS_COURT.windows(state)) or "nothing: the match is over"
    table = court_view(state, None)
    yield f"\n{'=' * 100}\nOpen: {titles}\n\nEverybody sees: {_said(_brief(table))}"
    for slot in COURT:
        seen = court_view(state, slot)
        assert seen.own is not None and replace(seen, own=None) == table
        yield f"{slot} sees: {_said(_own(seen.own))}"
    yield "-" * 100


def _brief(table: CourtView) -> dict[str, object]:
    """The public view; of the rounds only the latest, of the ending not the tables that were just posted."""
    seen = asdict(table)
    ending = {key: value for key, value in (seen["ending"] or {}).items() if key not in ("roles", "scores")}
    return {**seen, "polls": [f"{len(table.polls)} in all", *seen["polls"][-1:]], "ending": ending}


def _own(own: OwnSide) -> dict[str, object]:
    """What a player sees besides, with a line for each thing that they learned."""
    seen = asdict(own)
    del seen["learned"]
    known = (f"{k.attempt}: {' '.join([k.kind, *k.names, k.answer]).strip()}" for k in own.learned)
    return {**seen, "learned": list(known)}


def _said(value: object) -> str:
    if isinstance(value, Mapping):
        return " · ".join(
            f"{key} {_said(part)}" for key, part in value.items() if part not in (None, [], {}, ())
        )
    if isinstance(value, list | tuple):
        return f"[{'; '.join(map(_said, value))}]"
    return str(value)
