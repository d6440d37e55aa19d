"""Where along a day does a post stand: by its number, or by its time?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo

TICKS = 9
"""At most so many marks along the day."""
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)
_HOURS = (1, 3, 6, 12, 24, 48, 96, 168)


@dataclass(frozen=True, slots=True)
class Scale:
    """`places` are posts and their places, both rising; `ticks` are (place, words) within low to high."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str
    places: tuple[tuple[int, float], ...] = ()

    def share(self, post: int) -> float:
        """How far along the day a post stands, 0 to 1; one between two known posts with the earlier."""
        place: float
        if not self.places:
            place = post
        else:
            index = bisect_right(self.places, post, key=lambda known: known[0])
            place = self.places[max(index - 1, 0)][1]

        return self.share_of(place)

    def share_of(self, place: float) -> float:
        """The same for a place."""
        return min(max((place - self.low) / (self.high - self.low), 0.0), 1.0)


def by_post(start: int, end: int) -> Scale:
    """A scale of post numbers."""
    end = max(end, start + 1)
    step = next((s for s in _STEPS if (end - start) / s < TICKS), -(-(end - start) // TICKS))
    inner = range(-(-start // step) * step, end + 1, step)
    return Scale(start, end, tuple((n, f"#{n}") for n in _ends(start, end, step, inner)), "post")


def _ends(start: int, end: int, step: int, inner: range) -> Iterator[int]:
    """The first and the last post, and round numbers that stand clear of both."""
    yield start
    yield from (n for n in inner if n - start > step / 2 and end - n > step / 2)
    yield end


def by_time(times: Mapping[int, datetime], zone: tzinfo) -> Scale:
    """A scale of the times of posts (aware instants), with clock times of `zone`. `times` is not empty."""
    posts = sorted(times)
    low, high = min(times.values()), max(times.values())
    high = max(high, low + timedelta(hours=1))
    places, latest = list[tuple[int, float]](), low
    for post in posts:
        latest = max(latest, times[post])  # the order of the thread is the order of the votes
        places.append((post, latest.timestamp()))
    ticks = tuple((at.timestamp(), at.strftime("%d %b %H:%M")) for at in _hours(low, high, zone))
    return Scale(low.timestamp(), high.timestamp(), ticks, f"time, {low.astimezone(zone):%Z}", tuple(places))


def _hours(low: datetime, high: datetime, zone: tzinfo) -> Iterator[datetime]:
    """Round hours of the local clock between two instants."""
    hours = next((h for h in _HOURS if (high - low) / timedelta(hours=h) < TICKS - 2), _HOURS[-1])
    first = low.astimezone(zone).replace(hour=0, minute=0, second=0, microsecond=0)
    at = first
    while at <= high:
        if at >= low:
            yield at
        at += timedelta(hours=hours)
