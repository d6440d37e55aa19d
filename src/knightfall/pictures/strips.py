"""How do the wagons of a day look in a post: one line of digits a wagon, left to right as the day went?"""

from __future__ import annotations

from collections.abc import Iterator

from knightfall.pictures.facts import Wagon, Wagons
from knightfall.pictures.names import cells, shown
from knightfall.pictures.wagons import hammer_words, wagons_subtitle, wagons_title

COLUMNS = 80
_DIGITS = ".123456789abcdefghijklmnopqrstuvwxyz"
_LONGEST = 20


def wagons_text(day: Wagons) -> str:
    """The wagons in letters of one width, at most 80 columns: each digit is the size at the end of a stretch
    of posts, all stretches equally long."""
    names = [shown(wagon.target, _LONGEST) for wagon in day.wagons]
    margin = max(map(cells, names), default=0) + 2
    marks = _marks(day, COLUMNS - margin - 4)
    lines = [f"{wagons_title(day)}: {wagons_subtitle(day)}"]
    if day.wagons:
        lines.append(" " * margin + _ruler(marks))
    for name, wagon in zip(names, day.wagons, strict=True):
        strip = "".join(_digit(wagon.size_at(post)) for post in marks)
        lines.append(f"{name}{' ' * (margin - cells(name))}{strip}  {wagon.final}")
    return "\n".join([*lines, *_notes(day)])


def _marks(day: Wagons, room: int) -> list[int]:
    """The last post of each stretch."""
    posts = day.end - day.start + 1
    stretches = min(posts, room)
    return [day.start + posts * (n + 1) // stretches - 1 for n in range(stretches)]


def _ruler(marks: list[int]) -> str:
    """Post numbers over the stretches that end with them: at both ends, and between where there is room."""
    ruler = [" "] * len(marks)
    last = f"#{marks[-1]}"
    for place in range(0, len(marks) - len(last), 15):
        words = f"#{marks[place]}"
        if place + len(words) < len(marks) - len(last):
            ruler[place : place + len(words)] = words
    ruler[max(len(marks) - len(last), 0) :] = last
    return "".join(ruler)


def _digit(size: int) -> str:
    return _DIGITS[min(size, len(_DIGITS) - 1)]


def _notes(day: Wagons) -> Iterator[str]:
    if any(_large(wagon) for wagon in day.wagons):
        yield "a stands for 10, b for 11, and so on"
    if len(day.threshold) > 1:
        yield "needed: " + ", ".join(f"{needed} from #{post}" for post, needed in day.threshold)
    if day.hammer:
        yield hammer_words(day)


def _large(wagon: Wagon) -> bool:
    return wagon.most > 9
