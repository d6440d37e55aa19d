"""What the thread of a running game tells: seats and holders, deaths and roles, days and nights, doubts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.models import DepartureKind, Holder, Thread
from knightfall.services.threads import habits_of
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.game_told import GameTold, SeatTold, game_told
from knightfall.votes.role_told import role_told
from knightfall.votes.seats import Seat, names_of_seats

NAMES = ["Ada", "Boro", "Cinder", "Dill", "Elm", "Fen", "Gale"]
MOD = "Wren"
NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
OPENING = "Welcome to Salt Harbour.\nPlayers:\n[list]" + "".join(f"[*]{n}" for n in NAMES) + "[/list]"


def day_one(*also: tuple[str, str]) -> list[tuple[str, str]]:
    said = [(MOD, OPENING), (MOD, "Day 1 begins. 7 alive, 4 votes to eliminate.")]
    said += [(name, f"Hello, I am {name}.") for name in NAMES]
    said += [(name, "[b]Vote: Boro[/b]") for name in ("Ada", "Cinder")]
    return [*said, *also]


HAMMERED = [
    *day_one(),
    ("Dill", "[b]Vote: Boro[/b]"),
    ("Elm", "[b]Vote: Boro[/b]"),
    (MOD, "Boro, Mafia Goon, was eliminated. It is now Night 1. Night 1 ends on Friday at 20:00."),
]
MORNING = (
    MOD,
    "Day 2 begins.\nElm was killed in the night. They were a Town Doctor.\n"
    "5 alive: Ada, Cinder, Dill, Fen, Gale.",
)


def told(said: list[tuple[str, str]], at: int | None = None) -> GameTold:
    thread = Thread.from_posts(said, "Salt Harbour")
    return game_told(thread, habits_of(thread), CountConfig(), Ask(at_post=at), NOW)


def seat(found: GameTold, name: str) -> SeatTold:
    return next(one for one in found.seats if name in one.names)


def test_a_first_day_has_all_seats_and_no_doubts() -> None:
    found = told(day_one())
    assert [one.name for one in found.seats] == NAMES
    assert (found.number, found.night, found.doubts) == (1, False, ())
    assert found.moderators == (MOD,)
    assert not any(one.doubts for one in found.seats)


def test_a_night_is_told_with_whom_the_day_eliminated() -> None:
    found = told(HAMMERED)
    assert (found.number, found.night) == (1, True)
    boro = seat(found, "Boro")
    assert boro.left is not None
    assert (boro.left.how, boro.left.day, boro.left.night) == (DepartureKind.ELIMINATED, 1, False)
    assert (boro.role, boro.role_post) == ("Mafia Goon", len(HAMMERED))
    assert found.days[0].eliminated == ("Boro",)
    assert found.deadline is not None
    assert found.deadline.words == "Night 1 ends on Friday at 20:00."


def test_a_morning_tells_the_dead_of_the_night() -> None:
    found = told([*HAMMERED, MORNING])
    assert (found.number, found.night, found.doubts) == (2, False, ())
    elm = seat(found, "Elm")
    assert elm.left is not None
    assert (elm.left.how, elm.left.day, elm.left.night) == (DepartureKind.KILLED, 1, True)
    assert elm.role == "Town Doctor"
    assert [one.name for one in found.living] == ["Ada", "Cinder", "Dill", "Fen", "Gale"]


ALIVE_NOW = "[list]" + "".join(f"[*]{name}" for name in NAMES if name not in ("Boro", "Elm")) + "[/list]"


@pytest.mark.parametrize(
    "heading", ["5 players are alive:", "Alive:", "With 5 alive, it takes 3 to eliminate."]
)
def test_who_is_listed_alive_when_a_day_begins_or_in_its_midst_is_told_dead_by_a_later_post(
    heading: str,
) -> None:
    listed = f"{heading}\n{ALIVE_NOW}"
    found = told(
        [
            *HAMMERED,
            (MOD, f"Day 2 begins.\nElm, Town Doctor, was killed in the night.\n{listed}"),
            *((name, "Hm.") for name in NAMES if name not in ("Boro", "Elm")),
            (MOD, f"Still day 2.\n{listed}"),
            *((name, "[b]Vote: Cinder[/b]") for name in ("Ada", "Dill", "Gale")),
            (MOD, "Cinder, Vanilla Townie, was eliminated. It is now Night 2."),
            (MOD, "Day 3 begins.\nFen, Vanilla Townie, was killed in the night.\n3 alive: Ada, Dill, Gale."),
        ]
    )
    posts = {one.name: one.left.post for one in found.seats if one.left is not None}
    first = len(HAMMERED)
    assert posts == {"Boro": first, "Elm": first + 1, "Cinder": first + 11, "Fen": first + 12}


def test_who_came_in_has_the_seat_from_the_post_that_says_so() -> None:
    found = told([*day_one((MOD, "Hollis replaces Fen.")), ("Hollis", "[b]Vote: Boro[/b]")])
    fen = seat(found, "Fen")
    assert [(one.name, one.from_post) for one in fen.holders] == [("Fen", 0), ("Hollis", 12)]
    assert len(found.seats) == 7
    assert found.doubts == ()


def test_who_came_in_without_a_word_is_put_in_doubt() -> None:
    quiet = (MOD, MORNING[1].replace("Gale", "Hollis"))
    found = told([*HAMMERED, quiet, ("Hollis", "Hello."), ("Hollis", "[b]Vote: Ada[/b]")])
    gale = seat(found, "Gale")
    assert gale.names == ("Gale", "Hollis")
    assert "no post tells why" in gale.doubts[0]


def test_whose_death_no_post_tells_is_put_in_doubt() -> None:
    silent = (MOD, "Day 2 begins.\n4 alive: Ada, Cinder, Dill, Gale.")
    found = told([*HAMMERED, silent])
    doubts = " ".join((*found.doubts, *(each for one in found.seats for each in one.doubts)))
    assert "Fen" in doubts
    assert "Elm" in doubts


def test_a_stranger_who_posts_is_asked_about() -> None:
    found = told(day_one(("Zed", "Hi."), ("Zed", "I read along.")))
    assert any("Zed (#13)" in one for one in found.doubts)


def test_as_of_a_post_nothing_later_is_known() -> None:
    found = told([*HAMMERED, MORNING], at=11)
    assert (found.number, found.night) == (1, False)
    assert len(found.living) == 7


@pytest.mark.parametrize(
    ("lines", "role"),
    [
        (["Ada, Town Doctor, was eliminated."], "Town Doctor"),
        (["Ada was a Mafia Goon!"], "Mafia Goon"),
        (["Ada (Vanilla Townie) was killed Night 1."], "Vanilla Townie"),
        (["Ada has been lynched.", "They were a Town 1-Shot Vigilante."], "Town 1-Shot Vigilante"),
        (["Ada is dead.", "Welcome, Ada!", "You are a Town Cop."], "Town Cop"),
        (["Ada was found dead.", "Role: Town Doctor."], "Town Doctor"),
        (["Ada is eliminated. Alignment: town.", "Role: Mafia Role Cop"], "Mafia Role Cop"),
        (["Ada, Role Cop, was shot."], "Role Cop"),
        (["Ada was killed, and the town weeps."], ""),
        (["Boro, Town Doctor, mourns Ada."], ""),
        (["Ada and Boro were shot.", "Boro, Mafia Goon"], ""),
    ],
)
def test_a_role_is_read_behind_the_name(lines: list[str], role: str) -> None:
    names = names_of_seats([Seat(Holder("Ada")), Seat(Holder("Boro"))])
    assert role_told("Ada", lines, names) == role
