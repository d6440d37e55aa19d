"""What stands in the pictures and their texts, before anybody draws them."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest

from knightfall.models import Departure, DepartureKind, Post, PostId, Roster, roster_of
from knightfall.pictures.activity import activity_text, by_hours
from knightfall.pictures.scene import Align, Label, Scene, cells, room_for
from knightfall.pictures.vote_chains import chains_of, votes_text
from knightfall.pictures.wagons import (
    by_post,
    by_time,
    lanes_of,
    spread,
    stays_of,
    style_of,
    wagons_of,
    wagons_scene,
    wagons_text,
)
from knightfall.votes.rule import Death, NoElim, Rule
from knightfall.votes.tally import Day
from pictures.days import BEGIN, SIZES, invented
from pictures.drawn import ZONE, chains, days, hours, scenes, wagons
from votes.build import count

DAY = Day(1, 1)
THREAD = """
2 Ada: Vote: Fen
4 Boro: Vote: Fen
7 Elm: Vote: Ada
9 Ada: Unvote
12 Ada: Vote: Boro
15 Fen: Vote: Boro
20 Elm: Vote: Boro
"""
FIVE = "Ada Boro Elm Fen Kestrel"


def dying(names: str, who: str, post: int) -> Roster:
    slots = roster_of(names.split()).slots
    return Roster(
        tuple(
            replace(s, left=Departure(DepartureKind.MODKILLED, post)) if s.name == who else s for s in slots
        )
    )


def test_a_line_has_each_size_of_its_wagon() -> None:
    tally = count(THREAD, FIVE, day=DAY, until=25)
    found = wagons_of(tally, DAY, Rule(), roster_of(FIVE.split()).slots, "No Elimination")
    assert {wagon.target: wagon.steps for wagon in found.wagons} == {
        "Boro": ((12, 1), (15, 2), (20, 3)),
        "Fen": ((2, 1), (4, 2), (9, 1)),
        "Ada": ((7, 1), (20, 0)),
    }
    assert found.hammer is not None
    assert (found.hammer.target, found.hammer.voter, found.hammer.post) == ("Boro", "Elm", 20)
    assert found.threshold == ((1, 3),)


def test_the_last_sizes_are_those_of_the_count() -> None:
    for size in SIZES:
        day = invented(size)
        standing = {wagon.target: wagon.final for wagon in wagons(day).wagons if wagon.final}
        assert standing == {
            wagon.target.name if wagon.target else "No Elimination": wagon.count for wagon in day.tally.wagons
        }


def test_the_threshold_falls_where_somebody_dies() -> None:
    roster = dying("Ada Boro Elm Fen", "Fen", 10)
    tally = count("2 Ada: Vote: Fen", roster, day=DAY, until=15)
    found = wagons_of(tally, DAY, Rule(), roster.slots, "No Elimination")
    assert found.threshold == ((1, 3), (10, 2))
    assert found.wagons[0].steps == ((2, 1), (10, 0))
    assert "needed: 3 from #1, 2 from #10" in wagons_text(found)


def test_the_threshold_stays_where_the_days_own_vote_eliminated() -> None:
    roster = roster_of(["Ada", "Boro", "Elm", "Fen"])
    roster = roster.with_departure("Fen", Departure(DepartureKind.ELIMINATED, 10))
    tally = count("2 Ada: Vote: Fen\n12 Boro: Vote: Ada", roster, day=DAY, until=15)
    found = wagons_of(tally, DAY, Rule(), roster.slots, "No Elimination")
    assert found.threshold == ((1, 3),)
    assert {wagon.target: wagon.steps for wagon in found.wagons} == {"Fen": ((2, 1),)}


def test_a_day_of_plurality_has_no_threshold() -> None:
    rule = Rule(death=Death.PLURALITY)
    tally = count(THREAD, FIVE, rule, 25, DAY)
    found = wagons_of(tally, DAY, rule, roster_of(FIVE.split()).slots, "No Elimination")
    assert found.threshold == ()
    assert "the most votes decide" in wagons_text(found)


def test_where_nobody_can_tell_how_many_votes_decide_the_picture_says_so() -> None:
    rule = Rule(threshold=False)
    tally = count(THREAD, FIVE, rule, 25, DAY)
    found = wagons_of(tally, DAY, rule, roster_of(FIVE.split()).slots, "No Elimination")
    assert (found.threshold, found.hammer) == ((), None)
    assert "votes needed: not known" in wagons_text(found)


@pytest.mark.parametrize(("shows", "sizes"), [(False, ((2, 1),)), (True, ((2, 3),))])
def test_hidden_weights_are_in_no_picture(shows: bool, sizes: tuple[tuple[int, int], ...]) -> None:
    slots = tuple(replace(s, weight=3) if s.name == "Ada" else s for s in roster_of(FIVE.split()).slots)
    rule = Rule(show_weights=shows)
    tally = count("2 Ada: Vote: Fen", Roster(slots), rule, 9, DAY)
    assert wagons_of(tally, DAY, rule, slots, "nobody").wagons[0].steps == sizes


def test_a_wagon_that_takes_other_votes_says_how_many() -> None:
    rule = Rule(no_elimination=NoElim.ONE_FEWER)
    tally = count("2 Ada: Vote: No Elimination", "Ada Boro Elm Fen", rule, 9, DAY)
    found = wagons_of(tally, DAY, rule, roster_of(["Ada", "Boro", "Elm", "Fen"]).slots, "No Elimination")
    texts = [label.text for label in wagons_scene(found, by_post(1, 9)).labels]
    assert "No Elimination 1 of 2" in texts
    assert "3 needed" in texts


def test_every_line_differs_in_dash_and_marker_not_only_in_colour() -> None:
    styles = [style_of(rank) for rank in range(55)]
    assert len({(style.dash, style.marker) for style in styles}) == 55


@pytest.mark.parametrize("size", SIZES)
def test_the_lines_of_a_picture_can_be_told_apart_in_greyscale(size: int) -> None:
    scene = scenes(invented(size))["wagons"]
    found = {(line.dash, line.marker) for line in scene.lines if line.marker and line.marker.symbol != "*"}
    assert len(found) == len(wagons(invented(size)).wagons)


@pytest.mark.parametrize("size", SIZES)
def test_no_two_wagons_of_one_size_lie_on_each_other(size: int) -> None:
    day = wagons(invented(size))
    lanes = lanes_of(day.wagons, day.end)
    taken: dict[tuple[int, int, int], str] = {}
    for wagon, lane in zip(day.wagons, lanes, strict=True):
        for stay, since, until in stays_of(wagon, day.end):
            for post in range(since, until + 1):
                assert taken.setdefault((lane, stay, post), wagon.target) == wagon.target


def test_labels_are_spread_no_further_than_they_must() -> None:
    assert spread([10.0, 50.0, 11.0], 5.0, 100.0) == (10.0, 50.0, 15.0)
    assert spread([98.0, 99.0, 100.0], 5.0, 100.0) == (90.0, 95.0, 100.0)


def frame(label: Label) -> tuple[float, float, float, float]:
    wide = room_for(label.text, label.size) * 0.9
    left = {Align.START: label.x, Align.MIDDLE: label.x - wide / 2, Align.END: label.x - wide}[label.align]
    return left, label.y - label.size * 0.75, left + wide, label.y + label.size * 0.15


def overlapping(scene: Scene) -> list[tuple[str, str]]:
    frames = [(label.text, frame(label)) for label in scene.labels if label.text]
    return [
        (one, other)
        for n, (one, a) in enumerate(frames)
        for other, b in frames[n + 1 :]
        if a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
    ]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("kind", ["wagons", "votes", "activity", "hours"])
def test_no_label_overlaps_another_or_leaves_the_page(kind: str, size: int) -> None:
    scene = scenes(invented(size))[kind]
    assert overlapping(scene) == []
    frames = [frame(label) for label in scene.labels]
    assert min(left for left, _, _, _ in frames) >= 0
    assert max(right for _, _, right, _ in frames) <= scene.width
    assert max(bottom for _, _, _, bottom in frames) <= scene.height


@pytest.mark.parametrize("size", SIZES)
def test_every_text_fits_a_terminal(size: int) -> None:
    day = invented(size)
    for text in (
        wagons_text(wagons(day)),
        votes_text(chains(day)),
        *map(activity_text, (days(day), hours(day))),
    ):
        assert max(map(cells, text.splitlines())) <= 80


def test_the_wagons_as_text() -> None:
    tally = count(THREAD, FIVE, day=DAY, until=25)
    found = wagons_of(tally, DAY, Rule(), roster_of(FIVE.split()).slots, "No Elimination")
    assert wagons_text(found).splitlines() == [
        "Wagons of day 1: posts #1 to #25, 5 alive, 3 votes needed",
        "      #1             #16    #25",
        "Boro  ...........11122222333333  3",
        "Fen   .112222211111111111111111  1",
        "Ada   ......1111111111111......  0",
        "hammer #20 on Boro by Elm",
    ]


def test_the_votes_as_text() -> None:
    tally = count(THREAD, FIVE, day=DAY, until=25)
    found = chains_of(tally, DAY, roster_of(FIVE.split()).slots, "No Elimination")
    assert votes_text(found).splitlines() == [
        "Votes of day 1: who voted for whom, posts #1 to #25",
        "Ada      Fen #2 → – #9 → Boro #12",
        "Boro     Fen #4",
        "Elm      Ada #7 → Boro #20 (hammer)",
        "Fen      Boro #15",
        "Kestrel  no vote",
        "– taken back",
    ]


def test_a_vote_that_a_death_ended_is_marked() -> None:
    roster = dying(FIVE, "Fen", 10)
    tally = count("2 Ada: Vote: Fen\n4 Fen: Vote: Ada", roster, day=DAY, until=15)
    lines = votes_text(chains_of(tally, DAY, roster.slots, "No Elimination")).splitlines()
    assert "Ada      Fen #2 → † #10" in lines
    assert "Fen †    Ada #4 → † #10" in lines


def test_votes_beside_each_other_are_marked() -> None:
    rule = Rule(votes_per_player=2)
    tally = count("2 Ada: Vote: Fen\n4 Ada: Vote: Elm\n6 Ada: Unvote: Fen", FIVE, rule, 9, DAY)
    lines = votes_text(chains_of(tally, DAY, roster_of(FIVE.split()).slots, "nobody")).splitlines()
    assert "Ada      Fen #2 → + Elm #4 → – Fen #6" in lines


def test_posts_are_counted_by_the_clock_on_the_wall() -> None:
    slots = roster_of(["Ada"]).slots
    posts = [
        Post(PostId(str(n)), n, "Ada", "", time=BEGIN + timedelta(hours=h))
        for n, h in enumerate((0, 1, 4, 20))
    ]
    found = by_hours(posts, slots, 1, ZoneInfo("America/New_York"))
    assert [(one.head, one.name) for one in found.bins] == [
        ("20 Nov", "12"),
        ("", "18"),
        ("21 Nov", "00"),
        ("", "06"),
    ]
    assert found.rows[0].posts == (2, 1, 0, 1)


def test_a_long_day_gets_longer_bins() -> None:
    slots = roster_of(["Ada"]).slots
    posts = [Post(PostId(str(n)), n, "Ada", "", time=BEGIN + timedelta(days=n)) for n in range(21)]
    found = by_hours(posts, slots, 1, ZONE)
    assert found.unit == "24 hours, EST"
    assert len(found.bins) == 21
    assert max(map(cells, activity_text(found).splitlines())) <= 80


def test_the_dead_stand_below_and_their_empty_bins_are_no_silence() -> None:
    found = days(invented(5))
    assert [row.alive for row in found.rows] == [True, True, True, False, False]
    assert "†" in activity_text(found)


@pytest.mark.parametrize("end", [2, 9, 58, 999, 5000])
def test_the_ticks_of_posts_are_few_and_apart(end: int) -> None:
    scale = by_post(1, end)
    places = [scale.share_of(place) * 520 for place, _ in scale.ticks]
    assert (scale.ticks[0][1], scale.ticks[-1][1]) == ("#1", f"#{end}")
    assert all(b - a > 25 for a, b in pairwise(places))


def test_along_the_time_a_vote_stands_at_its_hour() -> None:
    times = {n: BEGIN + timedelta(hours=n) for n in range(1, 11)}
    scale = by_time(times, ZONE)
    assert scale.share(1) == 0.0
    assert scale.share(10) == 1.0
    assert abs(scale.share(4) - 3 / 9) < 1e-9
