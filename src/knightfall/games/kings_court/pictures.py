"""The court as a picture: who got how many votes in which round, and who sat down when."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from knightfall.engine.game import Announced, Event, Step
from knightfall.games.kings_court.events import (
    BallotsSheet,
    EarlyEnd,
    Ending,
    FourEarlyKings,
    KingAlone,
    RoundResult,
)
from knightfall.games.kings_court.state import Seats, State, called, court_text, seats_of
from knightfall.pictures.match_steps import MatchStep
from knightfall.pictures.scene import (
    FAINT,
    HAIR,
    HEAD,
    INK,
    MARGIN,
    TEXT,
    Align,
    Box,
    Label,
    Line,
    Scene,
    centred,
    heading,
    room_for,
)
from knightfall.sentence import SlotId

_ROW, _COLUMN, _PLACE = 18.0, 38.0, 26.0
_LEAST_WIDTH = 350.0
_JOINS, _KING, _SEATED = "#9cc3e6", "#f2c94c", "#ececec"


def court_scene(seats: Seats) -> Scene:
    """A row for each player, a column for each round; coloured where somebody joins, grey from then on."""
    left = MARGIN + _PLACE + max((room_for(seat.called) for seat in seats.rows), default=0.0) + 10
    top = HEAD + _ROW
    width = max(_LEAST_WIDTH, left + _COLUMN * len(seats.rounds) + MARGIN)
    height = top + _ROW * len(seats.rows) + MARGIN
    subtitle = "votes received in each round; blue: joins the court, yellow: the King"
    head: list[Label] = [
        Label(MARGIN, top - 5, "seat", TEXT - 1, FAINT),
    ]
    for column, number in enumerate(seats.rounds):
        head.append(Label(_middle(left, column), top - 5, f"R{number}", align=Align.MIDDLE))
    labels = (*heading(f"The court, attempt {seats.attempt}", subtitle), *head)
    boxes: list[Box] = []
    for row, seat in enumerate(seats.rows):
        for column, cell in enumerate(seat.cells):
            joins = _KING if seat.king else _JOINS
            colour = joins if cell.joins else _SEATED if cell.seated else ""
            if colour:
                corner = (left + column * _COLUMN + 1, top + row * _ROW + 1)
                boxes.append(Box(*corner, _COLUMN - 2, _ROW - 2, colour))

    # Under the head, and between the court and who is outside.
    lines: list[Line] = []
    right = max(left + _COLUMN * len(seats.rounds), width - MARGIN)
    lines.append(Line(((MARGIN, top), (right, top)), INK, 0.8))
    court = sum(seat.place is not None for seat in seats.rows)
    if 0 < court < len(seats.rows):
        y = top + court * _ROW
        lines.append(Line(((MARGIN, y), (right, y)), HAIR, 0.8))

    cell_labels: list[Label] = []
    for row, seat in enumerate(seats.rows):
        y = centred(top + (row + 0.5) * _ROW)
        cell_labels.append(Label(MARGIN + 8, y, str(seat.place or "–"), colour=FAINT, align=Align.MIDDLE))
        cell_labels.append(Label(MARGIN + _PLACE, y, seat.called, bold=seat.place is not None))
        for column, cell in enumerate(seat.cells):
            if not cell.seated:
                cell_labels.append(
                    Label(_middle(left, column), y, str(cell.votes), align=Align.MIDDLE, bold=cell.joins)
                )

    return Scene(
        f"The court, attempt {seats.attempt}",
        width,
        height,
        tuple(boxes),
        tuple(lines),
        (*labels, *cell_labels),
    )


def _middle(left: float, column: int) -> float:
    return left + (column + 0.5) * _COLUMN


def scene(state: State, _slot: SlotId | None, names: Mapping[SlotId, str]) -> Scene:
    """The court, which everybody may see, with everybody as they are called now."""
    return court_scene(called(seats_of(state), names))


def match_steps(way: Sequence[Step[State]], names: Mapping[SlotId, str]) -> Iterator[MatchStep]:
    """Every round that was posted, by attempts; for the moderator with who voted for whom."""
    attempts = way[-1].state.attempt
    sheets: list[Event] = []
    seen = dict[str, int]()
    for step in way:
        sheets += [event for event in step.events if isinstance(event.facts, BallotsSheet)]
        told: list[Event] = []
        title, attempt = "", 0
        for event in step.events:
            match event.facts:
                case RoundResult() as result:
                    # Nobody is asked for anything any more.
                    result = replace(result, next_round=False, deadline=None)
                    title, attempt = f"Round {result.poll.round}", result.poll.attempt
                    told.append(Announced(result))
                case KingAlone():
                    attempt = attempt or step.state.attempt
                    title = title or f"Round {step.state.round}"
                    told.append(event)
                case EarlyEnd() | FourEarlyKings():
                    told.append(event)
                case Ending() as ending:
                    told.append(Announced(replace(ending, over=True)))
        if not title:
            continue
        part = f"Attempt {attempt}" if attempts > 1 else ""
        # KC-09, KC-10: by option a round is voted on again.
        times = seen[f"{part} {title}"] = seen.get(f"{part} {title}", 0) + 1
        seats = called(seats_of(step.state), names)
        title = title if times == 1 else f"{title}, vote {times}"
        yield MatchStep(part, title, (*told, *sheets), court_scene(seats), court_text(seats))
        sheets = []
