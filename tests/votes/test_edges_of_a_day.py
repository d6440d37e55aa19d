"""Which posts are the first and the last of a day, and which of two wagons of one size goes first."""

from __future__ import annotations

from knightfall.votes.tally import Day
from votes.build import count, wagons

PLAYERS = "Ada Boro Cinder Dusk Elm Fen Gale"


def test_the_posts_with_which_a_day_begins_and_ends_are_of_it() -> None:
    lines = "2 Boro: vote Ada\n3 Cinder: vote Ada\n4 Dusk: vote Boro\n5 Elm: vote Boro\n6 Fen: vote Boro"
    assert wagons(count(lines, PLAYERS, day=Day(1, 3, 5))) == {"Boro": "Dusk Elm", "Ada": "Cinder"}


def test_of_two_wagons_of_one_size_the_one_that_has_been_so_big_for_longer_is_first() -> None:
    lines = "2 Boro: vote Ada\n3 Cinder: vote Dusk\n4 Fen: vote Dusk\n6 Elm: vote Ada"
    assert [*wagons(count(lines, PLAYERS))] == ["Dusk", "Ada"]
