"""A line put together part by part: by clicks on the board, words beside it, and what is filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby

from knightfall.engine.lines import Asked, PartKind, completions, followed, written
from knightfall.errors import InputError
from knightfall.games import clickable_of
from knightfall.pictures.clickable import Clickable
from knightfall.pictures.scene import Point
from knightfall.pictures.svg import is_plain, svg_text
from knightfall.sentence import SlotId
from knightfall.services.boards import has_board
from knightfall.services.now import now_of
from knightfall.services.running import (
    Holders,
    RunningGame,
    holders,
    line_now,
    moderators_word,
    shown,
    slot_meant,
)
from knightfall.services.session import Session
from knightfall.services.window.waiting import pending


@dataclass(frozen=True, slots=True)
class Button:
    """A part that is chosen by a click: what it adds to the line, and what the button says. `seldom`: the
    game waits for nothing of the kind."""

    text: str
    words: str
    seldom: bool


@dataclass(frozen=True, slots=True)
class Blank:
    """A part in which something is filled in behind `text`: a number from `least` to `most`, or words."""

    text: str
    words: str
    number: bool
    least: int
    most: int
    seldom: bool


@dataclass(frozen=True, slots=True)
class ClickSpace:
    """A space of the board that can be clicked now: its corners on the picture, and the parts it stands
    for."""

    name: str
    corners: tuple[Point, ...]
    buttons: tuple[Button, ...]


@dataclass(frozen=True, slots=True)
class BoardClicks:
    """A line of a player (`slot` "moderator": of the moderator) after the parts of `picked`, as it reads now
    in `said`; `whole`: the game would take it as it is.

    `picture` is the board as SVG, of so many points `width` and `height`, b"" where there is none to click;
    `spaces` can be clicked on it, `words` beside it, and `blanks` are filled in.
    """

    slot: str
    name: str
    picked: tuple[str, ...]
    said: str
    whole: bool
    picture: bytes
    width: float
    height: float
    spaces: tuple[ClickSpace, ...]
    words: tuple[Button, ...]
    blanks: tuple[Blank, ...]


def can_click(table: RunningGame) -> bool:
    """Whether the game has a board that can be clicked."""
    return has_board(table) and clickable_of(table.game.spec.id) is not None


def board_clicks(name: str, picked: Sequence[str], session: Session) -> BoardClicks:
    """What a player's line can go on with after these parts. Secret: it is what they may see.

    Raises InputError where nobody is meant, or the parts lead to no line.
    """
    table = now_of(session).running
    slot, held = slot_meant(table, name), holders(table.journal)
    ask = partial(table.game.continuations, table.state, slot)
    walk = followed(ask, picked)
    if walk is None:
        raise InputError(_nowhere(ask, picked))
    picks, here = walk

    # What can come next: on the board, beside it, or to be filled in.
    board = _board(table, slot, held)
    spaces = board.spaces if board else {}
    on_board: list[tuple[str, Button]] = []
    words: list[Button] = []
    blanks: list[Blank] = []
    parts = ((part, number > 0) for number, level in enumerate(here.levels) for part in level.parts)
    for part, seldom in parts:
        label = part.shown(held)
        if part.filled_in:
            number = part.kind is PartKind.NUMBER
            blanks.append(Blank(part.text, label, number, part.least, part.most, seldom))
        elif part.space in spaces:
            on_board.append((part.space, Button(part.text, label, seldom)))
        else:
            words.append(Button(part.text, label, seldom))
    on_board.sort(key=lambda one: one[0])
    return BoardClicks(
        slot or moderators_word(table),
        "you, the moderator" if slot is None else shown(slot, held),
        tuple(picked),
        line_now(written(picks), held),
        here.whole,
        svg_text(board.scene).encode() if board else b"",
        board.scene.width if board else 0,
        board.scene.height if board else 0,
        tuple(
            ClickSpace(space, spaces[space], tuple(button for _, button in several))
            for space, several in groupby(on_board, key=lambda one: one[0])
        ),
        tuple(words),
        tuple(blanks),
    )


def line_completions(name: str, typed: str, session: Session) -> tuple[str, ...]:
    """What is typed of a line, with one part more that it can go on with. Secret as `board_clicks` is. Raises
    InputError where nobody is meant."""
    table = now_of(session).running
    return completions(partial(table.game.continuations, table.state, slot_meant(table, name)), typed)


@dataclass(frozen=True, slots=True)
class AwaitedSender:
    """Somebody from whom a message is due: by what `name` they are meant, and how they are shown."""

    name: str
    shown: str


def awaited_senders(session: Session) -> tuple[AwaitedSender, ...]:
    """Everybody from whom an open window awaits a message that is not there. Secret, as who may act is."""
    table = now_of(session).running
    held = holders(table.journal)
    due = dict.fromkeys(slot.slot for one in pending(table) for slot in one.slots if not slot.answered)
    return tuple(AwaitedSender(held.get(slot, slot), shown(slot, held)) for slot in due)


def senders(session: Session) -> tuple[str, ...]:
    """Whose message can be recorded: the players, as they are called now, and the moderator."""
    table = now_of(session).running
    held = holders(table.journal)
    return (*(held.get(slot, slot) for slot in table.game.playing(table.state)), moderators_word(table))


def _board(table: RunningGame, slot: SlotId | None, held: Holders) -> Clickable | None:
    """The board as that slot may see it; None where there is none to click."""
    make = clickable_of(table.game.spec.id) if has_board(table) else None
    if make is None or slot is None:
        return None
    try:
        board = make(table.state, slot, {one: shown(one, held) for one in held})
    except InputError:  # nothing is played now, or it is hidden
        return None
    return board if is_plain(board.scene) else None


def _nowhere(ask: Asked, picked: Sequence[str]) -> str:
    """Why these parts make no line: what was filled in does not fit, or the game has gone on."""
    for number, text in enumerate(picked):
        walk = followed(ask, picked[: number + 1])
        if walk is not None:
            continue
        before = followed(ask, picked[:number])
        for level in before[1].levels if before else ():
            for part in level.parts:
                if part.filled_in and text.startswith(part.text):
                    wanted = f"a whole number from {part.least} to {part.most}"
                    expected = wanted if part.kind is PartKind.NUMBER else "some words"
                    found = text[len(part.text) :] or "nothing"
                    return f"{part.shown({})}: found “{found}”, expected {expected}."
        return f"“{text.strip()}” cannot be sent any more. Begin the line again."
    return "This line cannot be sent any more. Begin it again."
