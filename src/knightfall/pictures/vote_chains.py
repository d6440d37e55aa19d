"""Who voted for whom and when, as a picture and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from tabulate import tabulate

from knightfall.models import Slot
from knightfall.pictures.scene import (
    COLUMNS,
    FAINT,
    HEAD,
    INK,
    MARGIN,
    SHORT,
    TEXT,
    Box,
    Label,
    Scene,
    cells,
    heading,
    room_for,
    shown,
    shown_alive,
)
from knightfall.votes.tally import Day, Move, Tally, Vote


class Kind(Enum):
    """What a link tells: a vote, one beside another that stands, one taken back, one that a death ended."""

    VOTE = ""
    BESIDE = "+ "
    BACK = "–"
    FELL = "†"


@dataclass(frozen=True, slots=True)
class Link:
    """One thing that a voter did. `target` is None where all votes went; `hammer` marks the last vote."""

    kind: Kind
    target: str | None
    post: int
    hammer: bool = False


@dataclass(frozen=True, slots=True)
class Chain:
    """What one voter did, oldest first; nothing where they never voted."""

    voter: str
    alive: bool
    links: tuple[Link, ...]


@dataclass(frozen=True, slots=True)
class Chains:
    """Everybody's votes of a day from post `start` to post `end`, in the order of the roster."""

    day: int
    start: int
    end: int
    chains: tuple[Chain, ...]


def chains_of(tally: Tally, day: Day, slots: Iterable[Slot], nobody: str) -> Chains:
    """The chains of a count: of all who lived when the day began. `nobody` names no elimination."""
    living = (slot for slot in slots if slot.alive_at(day.start))
    chains = tuple(
        Chain(slot.name, slot.alive_at(tally.at), _links(slot.name, tally, nobody)) for slot in living
    )
    return Chains(day.number, day.start, tally.at, chains)


def _links(voter: str, tally: Tally, nobody: str) -> tuple[Link, ...]:
    moves = [move for move in tally.history if move.vote.voter.name == voter]
    standing: list[Vote] = []
    links = []
    for index, move in enumerate(moves):
        if move.joined:
            vote, hammer = move.vote, tally.hammer
            last = hammer and (hammer.voter, hammer.target, hammer.post) == (
                vote.voter,
                vote.target,
                vote.post,
            )
            kind = Kind.BESIDE if standing else Kind.VOTE
            links.append(Link(kind, _name(move, nobody), move.post, bool(last)))
            standing.append(move.vote)
            continue
        standing.remove(move.vote)
        # A vote that is moved leaves one wagon and joins another in one post: that is one link.
        later = moves[index + 1 :]
        makes_room = any(other.joined and other.post == move.post for other in later)
        if not makes_room:
            fell = any(slot and not slot.alive_at(move.post) for slot in (move.vote.voter, move.vote.target))
            kind = Kind.FELL if fell else Kind.BACK
            links.append(Link(kind, _name(move, nobody) if standing else None, move.post))
    return tuple(links)


def _name(move: Move, nobody: str) -> str:
    return move.vote.target.name if move.vote.target else nobody


_ARROW = " → "
_ROW, _PAD, _CHAIN_CELLS = 15.0, 6.0, 84
_GROUND = "#f3f3f3"


def votes_text(day: Chains) -> str:
    """The table for a post or a terminal, at most 80 columns wide."""
    names = [shown_alive(chain.voter, chain.alive) for chain in day.chains]
    room = COLUMNS - 2 - max(map(cells, names), default=0)
    rows = [(name, "\n".join(_lines(chain, room))) for name, chain in zip(names, day.chains, strict=True)]
    table = tabulate(rows, tablefmt="plain", disable_numparse=True)
    return "\n".join(filter(None, (f"{_title(day)}: {_subtitle(day)}", table, _legend(day))))


def votes_scene(day: Chains) -> Scene:
    """The table as a picture: a row a voter, which grows where the chain needs more lines."""
    names = [shown_alive(chain.voter, chain.alive) for chain in day.chains]
    x = MARGIN + max((room_for(name, TEXT * 1.2) for name in names), default=0) + 2 * _PAD
    boxes, labels, y = list[Box](), list[Label](), HEAD
    for row, (name, chain) in enumerate(zip(names, day.chains, strict=True)):
        lines = _lines(chain, _CHAIN_CELLS)
        height = _ROW * len(lines) + _PAD
        if row % 2 == 0:
            boxes.append(Box(MARGIN, y, _width(x) - 2 * MARGIN, height, _GROUND))
        labels += _row_labels(name, lines, x, y, chain)
        y += height
    legend = Label(MARGIN, y + _ROW + 4, _legend(day), TEXT - 1, FAINT)
    subtitled = heading(_title(day), _subtitle(day))
    return Scene(
        _title(day), _width(x), y + _ROW + 4 + MARGIN, tuple(boxes), (), (*subtitled, *labels, legend)
    )


def _width(x: float) -> float:
    return x + _CHAIN_CELLS * TEXT * 0.6 + MARGIN


def _row_labels(name: str, lines: Sequence[str], x: float, y: float, chain: Chain) -> Iterator[Label]:
    yield Label(MARGIN + _PAD, y + _ROW - 2, name, bold=chain.alive, colour=INK if chain.alive else FAINT)
    colour = INK if chain.links else FAINT
    for line, words in enumerate(lines):
        yield Label(x, y + _ROW * (line + 1) - 2, words, colour=colour)


def _title(day: Chains) -> str:
    return f"Votes of day {day.day}"


def _subtitle(day: Chains) -> str:
    return f"who voted for whom, posts #{day.start} to #{day.end}"


def _legend(day: Chains) -> str:
    """What the signs mean that stand in the table."""
    kinds = {link.kind for chain in day.chains for link in chain.links}
    dead = Kind.FELL in kinds or not all(chain.alive for chain in day.chains)
    told = (
        "– taken back" if Kind.BACK in kinds else "",
        "† dead, or ended by a death" if dead else "",
        "+ beside the vote before" if Kind.BESIDE in kinds else "",
    )
    return "; ".join(filter(None, told))


def _lines(chain: Chain, room: int) -> list[str]:
    """The links in lines of at most `room` cells, an arrow before each but the first."""
    lines = [""]
    for link in chain.links:
        # “Kestrel #31”, “– #40”, “+ Fen #12”, with “(hammer)” behind the last vote of a day.
        taken = link.kind in (Kind.BACK, Kind.FELL) and link.target
        parts = (
            f"{link.kind.value} " if taken else link.kind.value,
            shown(link.target, SHORT) if link.target else "",
            f" #{link.post}",
            " (hammer)" if link.hammer else "",
        )
        words = "".join(parts)

        if lines[-1] and cells(lines[-1] + _ARROW + words) > room:
            lines.append(f"{_ARROW.lstrip()}{words}")
        else:
            lines[-1] += _ARROW * bool(lines[-1]) + words
    return lines if chain.links else ["no vote"]
