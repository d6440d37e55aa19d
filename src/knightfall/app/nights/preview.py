"""What will come of the night that is open, if it is closed as it stands? Nothing is written."""

from __future__ import annotations

from collections.abc import Iterator

from knightfall.app.nights.night_file import NightFile
from knightfall.app.nights.resolve import closing_of, headed, report_of, sheet_lines
from knightfall.app.nights.sensitivity import sensitivity, sensitivity_lines
from knightfall.core.game import noted, told
from knightfall.services.awaited import default_of
from knightfall.writeups.events import moderator_sheet, private_message

KNOT = "knot"
NOT_WRITTEN = "Nothing was written; an open night is closed by knightfall commit."


def preview(night: NightFile) -> str:
    """The moderator's sheet, who dies, how many PMs go out and how long they are, and who sent nothing."""
    head = f"Night {night.number} of {night.title}, as it stands: for the moderator only"
    end = ("", NOT_WRITTEN) if night.position is not None else ()
    return "\n".join((headed(head, "\n".join(_lines(night))), *end))


def ruling_asked(night: NightFile) -> str:
    """The question that closing the night puts to the moderator; "" where there is none."""
    asked = (event for event in noted(night.ending) if event.kind == KNOT)
    return next((moderator_sheet(night.kind, event) for event in asked), "")


def _lines(night: NightFile) -> Iterator[str]:
    if question := ruling_asked(night):
        yield from ("Ruling needed: closing the night will ask you this.", question)
        return
    report = report_of(night)
    yield from (sheet_lines(report), "")
    yield f"Deaths: {', '.join(death['name'] for death in report['moderator']['deaths']) or 'nobody'}."
    if silent := report["moderator"]["silent"]:
        yield f"Sent nothing that stands ({default_of(night.kind, 'night')}): {', '.join(silent)}."
    yield _pms(night)
    hangs = sensitivity_lines(sensitivity(night))
    yield from ("Depends on a ruling:", *hangs) if hangs else ("No ruling matters tonight.",)


def _pms(night: NightFile) -> str:
    """How uniform they are: who sees only their size should learn nothing."""
    events = night.ending or closing_of(night)
    sizes = sorted(len(private_message(night.kind, event)) for event in told(events) for _ in event.slots)
    if not sizes:
        return "PMs to send: none."
    return f"PMs to send: {len(sizes)}, of one shape, {sizes[0]} to {sizes[-1]} characters long."
