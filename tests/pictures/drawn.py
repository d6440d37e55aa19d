"""All three scenes and texts of an invented day."""

from dataclasses import replace
from zoneinfo import ZoneInfo

from knightfall.models import Departure, DepartureKind, Slot
from knightfall.pictures.activity import Activity, activity_scene, by_day, by_hours
from knightfall.pictures.scene import Scene
from knightfall.pictures.vote_chains import Chains, chains_of, votes_scene
from knightfall.pictures.wagons import Wagons, by_post, wagons_of, wagons_scene
from pictures.days import Invented

ZONE = ZoneInfo("America/New_York")


def wagons(day: Invented) -> Wagons:
    return wagons_of(day.tally, day.day, day.rule, day.slots, "No Elimination")


def chains(day: Invented) -> Chains:
    return chains_of(day.tally, day.day, day.slots, "No Elimination")


def with_dead(day: Invented) -> tuple[Slot, ...]:
    """Two players of it died on the way."""
    third = len(day.posts) // 3
    left = {2: third, 4: 2 * third}
    return tuple(
        replace(slot, left=Departure(DepartureKind.KILLED, left[n])) if n in left else slot
        for n, slot in enumerate(day.slots)
    )


def days(day: Invented) -> Activity:
    third = len(day.posts) // 3
    return by_day(day.posts, with_dead(day), {1: 1, 2: third, 3: 2 * third}, len(day.posts))


def hours(day: Invented) -> Activity:
    return by_hours(day.posts, with_dead(day), 1, ZONE)


def scenes(day: Invented) -> dict[str, Scene]:
    """By name: wagons, votes, activity by day and by hours."""
    sizes = wagons(day)
    return {
        "wagons": wagons_scene(sizes, by_post(sizes.start, sizes.end)),
        "votes": votes_scene(chains(day)),
        "activity": activity_scene(days(day)),
        "hours": activity_scene(hours(day)),
    }
