"""The past stays: a weight, a Loved or Hated, and a role inherited count from their own instant on."""

from __future__ import annotations

from pathlib import Path

from knightfall.votes.tally import Vote
from services.timed_day import TimedDay, timed_day

MAYOR = ("Mafia Goon", "Mafia Goon", "Town Mayor")


def others(day: TimedDay, *roles: str) -> list[str]:
    """Everybody of none of these roles."""
    return [slot for slot, card in day.table.state.cards.items() if card.name not in roles]


def told(day: TimedDay, number: int) -> object:
    """What the count of a day says: its hammer, and each wagon with its votes."""
    tally = day.count(number).tally
    wagons = [
        (one.target and one.target.name, one.needed, [*map(weighed, one.votes)]) for one in tally.wagons
    ]
    return tally.hammer and tally.hammer.post, tally.alive, wagons


def weighed(vote: Vote) -> tuple[int, str, int]:
    return vote.post, vote.voter.name, vote.weight


def test_a_mayors_step_forward_weighs_no_vote_that_was_posted_before(tmp_path: Path) -> None:
    day = timed_day(tmp_path, *MAYOR)
    (mayor,), (goon, _) = day.who("Town Mayor"), day.who("Mafia Goon")
    first, second, third, *_ = [name for name in others(day, "Town Mayor") if name != goon]
    day.votes(mayor, goon)
    day.votes(first, goon)
    day.votes(second, goon)
    day.says(second, "<strong>Unvote</strong>")
    day.sends(mayor, "reveal")
    assert day.wagons() == {goon: 2} and day.count().tally.hammer is None
    day.votes(second, goon)
    assert day.count().tally.hammer is None
    day.votes(mayor, third)
    assert day.wagons() == {goon: 2, third: 2}
    assert {one.post: one.weight for wagon in day.count().tally.wagons for one in wagon.votes}[7] == 2


def test_a_vote_that_is_posted_again_weighs_as_it_does_by_then(tmp_path: Path) -> None:
    day = timed_day(tmp_path, *MAYOR)
    (mayor,), (goon, _) = day.who("Town Mayor"), day.who("Mafia Goon")
    day.votes(mayor, goon)
    day.sends(mayor, "reveal")
    day.votes(mayor, goon)
    assert day.wagons() == {goon: 2}


def test_a_step_forward_takes_no_hammer_from_whom_it_fell_on(tmp_path: Path) -> None:
    day = timed_day(tmp_path, *MAYOR)
    (mayor,), (goon, other) = day.who("Town Mayor"), day.who("Mafia Goon")
    town = others(day, "Mafia Goon", "Town Mayor")
    day.votes(mayor, goon)
    for name in town[:2]:
        day.votes(name, goon)
    day.says(town[1], "<strong>Unvote</strong>")
    for name in town:
        day.votes(name, other)
    hammer = day.count().tally.hammer
    assert hammer is not None and hammer.target is not None and hammer.target.name == other
    day.sends(mayor, "reveal")
    assert day.count().tally.hammer == hammer


def test_a_finished_day_is_counted_alike_after_every_later_entry(tmp_path: Path) -> None:
    day = timed_day(tmp_path, *MAYOR)
    (mayor,), (goon, _) = day.who("Town Mayor"), day.who("Mafia Goon")
    town = others(day, "Mafia Goon", "Town Mayor")
    day.votes(mayor, goon)
    for name in town[:2]:
        day.votes(name, goon)
    for name in town[1:]:
        day.votes(name, town[0])
    day.ends(town[0])
    finished = told(day, 1)
    day.dawns()
    day.says("Wren", "<strong>Day 2 begins.</strong>")
    day.sends(mayor, "reveal")
    day.says("Wren", "They stepped forward.")
    assert told(day, 1) == finished
    day.votes(mayor, goon)
    assert day.wagons(day=2) == {goon: 2}


def test_what_an_heir_inherits_counts_from_then_on(tmp_path: Path) -> None:
    day = timed_day(tmp_path, "Mafia Goon", "Mafia Goon", "Town Universal Backup", "Town Doublevoter")
    (heir,), (double,) = day.who("Town Universal Backup"), day.who("Town Doublevoter")
    town = day.who("Vanilla Townie")
    day.votes(heir, town[0])
    day.votes(double, town[0])
    assert day.wagons() == {town[0]: 3}
    for name in (*town, heir):
        day.votes(name, double)
    finished = told(day, 1)
    day.ends(double)
    day.dawns()
    day.says("Wren", "<strong>Day 2 begins.</strong>")
    assert told(day, 1) == finished
    day.votes(heir, town[0])
    assert day.wagons(day=2) == {town[0]: 2}


def test_who_becomes_a_mayor_that_had_stepped_forward_counts_once_until_they_do(tmp_path: Path) -> None:
    day = timed_day(tmp_path, "Mafia Goon", "Mafia Goon", "Town Universal Backup", "Town Mayor")
    (heir,), (mayor,) = day.who("Town Universal Backup"), day.who("Town Mayor")
    town = day.who("Vanilla Townie")
    day.sends(mayor, "reveal")
    for name in (*town, heir):
        day.votes(name, mayor)
    day.ends(mayor)
    day.dawns()
    day.says("Wren", "<strong>Day 2 begins.</strong>")
    day.votes(heir, town[0])
    assert day.wagons(day=2) == {town[0]: 1}
    assert "steps forward" in "\n".join(text.text for text in day.sends(heir, "reveal").texts)
    day.votes(heir, town[0])
    assert day.wagons(day=2) == {town[0]: 2}


def test_a_death_by_day_counts_at_its_instant_though_nobody_posts(tmp_path: Path) -> None:
    day = timed_day(tmp_path, "Mafia Goon", "Mafia Goon", "Town Day Vigilante")
    (vigilante,), (goon, _) = day.who("Town Day Vigilante"), day.who("Mafia Goon")
    shot, *town = day.who("Vanilla Townie")
    for name in town[:2]:
        day.votes(name, goon)
    day.votes(shot, goon)
    assert day.count().tally.needed == 4
    day.sends(vigilante, f"shoot {shot}")
    tally = day.count().tally
    assert (tally.alive, tally.needed, tally.at) == (6, 4, 4)
    assert shot not in [one.name for one in tally.not_voting] and day.wagons() == {goon: 2}
    assert day.count(at="4").tally.alive == 7
    day.sends("moderator", f"kill {town[2]}")
    tally = day.count().tally
    assert (tally.alive, tally.needed) == (5, 3) and tally.hammer is None
    day.votes(vigilante, goon)
    hammer = day.count().tally.hammer
    assert hammer is not None and hammer.post == 5


def test_a_modkill_in_the_moderators_own_words_is_told_as_one(tmp_path: Path) -> None:
    day = timed_day(tmp_path, "Mafia Goon", "Mafia Goon")
    first, second, *_ = day.who("Vanilla Townie")
    day.sends("moderator", f"modkill {first}")
    day.sends("moderator", f"kill {second}")
    day.says("Wren", "Two of you are gone.")
    notes = day.count().remarks.notes
    assert f"{first} is no longer in the game as of #2." in notes
    assert f"{second} has died as of #2." in notes
