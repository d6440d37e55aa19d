"""What does an archive tell of the votes, day by day?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from knightfall.app.closing.final import count_of
from knightfall.app.count.look import HISTORY, Look, count_nodes
from knightfall.app.count.vc import Counted, with_footnotes
from knightfall.app.library.finals import closing
from knightfall.app.library.scene import Scene
from knightfall.app.reading.habits import habits_of
from knightfall.app.reading.read import Kept
from knightfall.core.roster import Slot
from knightfall.errors import EvidenceError, InputError
from knightfall.forums.sites import site_of
from knightfall.pictures.facts import wagons_of
from knightfall.pictures.scales import by_post
from knightfall.pictures.strips import wagons_text
from knightfall.pictures.svg_text import svg_text
from knightfall.pictures.wagons import wagons_scene
from knightfall.posts import Thread
from knightfall.setups.closed import closed_day
from knightfall.votes.config import Ask
from knightfall.votes.count import standing_on, votecount
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.archive.book import Day


def days_of(scene: Scene, thread: Thread, view: View) -> tuple[tuple[Day, ...], str]:
    """Every day that can be counted, as that view may see it; or none, and why."""
    try:
        known, last = standing_on(thread, habits_of(thread), scene.setup, Ask())
    except (EvidenceError, InputError) as fault:
        return (), f"The votes are not told: {fault}"
    numbers = tuple(day.number for day in known)
    return tuple(_days(scene, thread, view, numbers, last.roster.slots)), ""


def _days(
    scene: Scene, thread: Thread, view: View, numbers: tuple[int, ...], slots: tuple[Slot, ...]
) -> Iterator[Day]:
    for number in numbers:
        try:
            count = _count(scene, thread, number, number < numbers[-1])
        except (EvidenceError, InputError) as fault:
            yield Day(number, remark=f"This day has no count: {fault}")
        else:
            yield _day(scene, thread, seen_by(view, count), slots)


def _count(scene: Scene, thread: Thread, number: int, past: bool) -> Votecount:
    """The final count of a day that is over, the present one of the day that runs."""
    if past or closed_day(scene.journal, number) or _fell(scene, number):
        return count_of(scene.setup, thread, number, closing(scene, number))
    return votecount(thread, habits_of(thread), scene.setup, Ask(number), scene.ports.clock.now())


def _fell(scene: Scene, day: int) -> bool:
    """Whether the game itself has told how the day ended."""
    return any(event.kind == "elimination" and event.facts.get("day") == day for event in scene.public)


def _day(scene: Scene, thread: Thread, count: Votecount, slots: tuple[Slot, ...]) -> Day:
    noted = _with_notes(scene, thread, count)
    wagons = wagons_of(count.tally, count.day, count.rule, slots, count.terms.no_elimination)
    return Day(
        count.day.number,
        count_nodes(noted, Look(HISTORY), scene.setup),
        svg_text(wagons_scene(wagons, by_post(count.day.start, count.tally.at))),
        wagons_text(wagons),
    )


def _with_notes(scene: Scene, thread: Thread, count: Votecount) -> Votecount:
    """With the moderator's decisions on its posts under it; nothing there is due any more."""
    source = Kept(thread.url or "")
    done = Counted(replace(count, due=(), changes=()), source, thread, scene.setup, site_of(thread.url or ""))
    return with_footnotes(done).count
