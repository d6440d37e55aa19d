"""What changes in a post against the last one of its kind that went out?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from zoneinfo import ZoneInfo

from knightfall.core.entries import Published
from knightfall.core.journal import Record
from knightfall.writeups.facts import local_time

AROUND = 1
"""So many lines that stay are shown on each side of a change."""


def summary(text: str, last: Record | None, zone: ZoneInfo) -> str:
    """One sentence: against which post, and how many lines are new and gone."""
    said = _posted(last)
    if last is None or said is None:
        return "Nothing of this kind was noted as posted yet (--posted notes it)."
    gone, new = _sizes(said.text, text)
    which = f"number {said.number}, noted {local_time(last.at, zone)}"
    if not gone and not new:
        return f"Nothing changes against the last one ({which})."
    return f"Against the last one ({which}): {_lines(new)} new, {_lines(gone)} gone."


def difference(text: str, last: Record | None) -> str:
    """The lines that go (-) and come (+), those beside them as they stay; "" where nothing changes."""
    said = _posted(last)
    before = said.text.splitlines() if said else []
    return "\n".join(_shown(before, text.splitlines()))


def _posted(last: Record | None) -> Published | None:
    return last.entry if last is not None and isinstance(last.entry, Published) else None


def _lines(number: int) -> str:
    return f"{number} line{'' if number == 1 else 's'}"


def _sizes(before: str, after: str) -> tuple[int, int]:
    """How many lines go, and how many come."""
    marks = [line[0] for line in _shown(before.splitlines(), after.splitlines()) if line]
    return marks.count("-"), marks.count("+")


def _shown(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    for number, group in enumerate(_matcher(before, after).get_grouped_opcodes(AROUND)):
        if number:
            yield "…"
        for tag, old, old_end, new, new_end in group:
            if tag == "equal":
                yield from (f"  {line}" for line in before[old:old_end])
                continue
            yield from (f"- {line}" for line in before[old:old_end])
            yield from (f"+ {line}" for line in after[new:new_end])


def _matcher(before: Sequence[str], after: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=False)
