"""How do the wagons of a day look in a post: one line of digits a wagon, left to right as the day went?"""

from __future__ import annotations

from knightfall.pictures.facts import Wagons
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

    # The last post of each stretch.
    posts = day.end - day.start + 1
    stretches = min(posts, COLUMNS - margin - 4)
    marks = [day.start + posts * (n + 1) // stretches - 1 for n in range(stretches)]
    lines = [f"{wagons_title(day)}: {wagons_subtitle(day)}"]
    if day.wagons:
        lines.append(" " * margin + _ruler(marks))
    for name, wagon in zip(names, day.wagons, strict=True):
        strip = "".join(_DIGITS[min(wagon.size_at(post), len(_DIGITS) - 1)] for post in marks)
        lines.append(f"{name}{' ' * (margin - cells(name))}{strip}  {wagon.final}")
    notes: list[str] = []
    if any(wagon.most > 9 for wagon in day.wagons):
        notes.append("a stands for 10, b for 11, and so on")
    if len(day.threshold) > 1:
        notes.append("needed: " + ", ".join(f"{needed} from #{post}" for post, needed in day.threshold))
    if day.hammer:
        notes.append(hammer_words(day))

    return "\n".join([*lines, *notes])


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
