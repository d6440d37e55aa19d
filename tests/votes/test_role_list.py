"""Lists of roles in any wording: who is named, which words stand beside them, what names nobody."""

from __future__ import annotations

import pytest

from knightfall.models import Holder, Slot
from knightfall.names import Names
from knightfall.votes.role_list import RoleLine, read_role_list

NAMES = Names([Slot((Holder(name),)) for name in ("Ada", "Boro", "Cinder Ash", "Dill", "Elm", "Fen")])


def roles_of(text: str) -> dict[str, tuple[str, str]]:
    """Who has which role, under which heading."""
    return {slot: (one.role, one.heading) for one in read_role_list(text, NAMES).lines for slot in one.slots}


@pytest.mark.parametrize(
    ("line", "role"),
    [
        ("Ada - Town Cop", "Town Cop"),
        ("Ada – Town Cop", "Town Cop"),
        ("1. [b]Ada[/b]: Town Cop", "Town Cop"),
        ("* Ada (Town Cop)", "Town Cop"),
        ("Ada is the Town Cop", "Town Cop"),
        ("Ada, Town 2-Shot Cop, killed night 2", "Town 2-Shot Cop"),
        ("**Ada** = vt", "vt"),
        ("ada -> goon", "goon"),
        ("| Ada | Town Cop |", "Town Cop"),
        ("Ada\tTown Cop", "Town Cop"),
        ("Town Cop: Ada", "Town Cop"),
        ("[[User:Ada|Ada]] – Town Cop", "Town Cop"),
    ],
)
def test_a_role_stands_beside_a_name_in_many_ways(line: str, role: str) -> None:
    assert roles_of(line) == {"Ada": (role, "")}


def test_one_role_can_be_of_several_and_several_of_one_line() -> None:
    assert roles_of("Goons: Ada, Boro")["Boro"] == ("Goons", "")
    assert roles_of("Ada and Boro are Masons") == {"Ada": ("Masons", ""), "Boro": ("Masons", "")}
    found = roles_of("Ada (Cop), Boro (Doctor), Fen (Goon)")
    assert [found[name][0] for name in ("Ada", "Boro", "Fen")] == ["Cop", "Doctor", "Goon"]


def test_a_heading_holds_for_the_lines_below_it() -> None:
    found = roles_of("Mafia (2):\nAda (Goon)\nBoro\n\nTown\nVanilla Townie: Dill, Elm\nCinder Ash – Cop")
    assert found["Ada"] == ("Goon", "Mafia")
    assert found["Boro"] == ("", "Mafia")
    assert found["Dill"] == found["Elm"] == ("Vanilla Townie", "Town")
    assert found["Cinder Ash"] == ("Cop", "Town")


def test_who_is_nobody_we_know_is_told_with_the_line() -> None:
    read = read_role_list("Ada – Cop\nZed – Vanilla Townie\nBoro – Goon", NAMES)
    assert read.unread == ((2, "Zed – Vanilla Townie"),)
    assert [one.heading for one in read.lines] == ["", ""]


TABLES = {
    "commas": 'player,role,fate,replaced\nAda,Town Cop,"killed, night 1",Zed\nBoro,Mafia Goon,alive,\n',
    "semicolons": "Name;Role;Status;Replaced\nAda;Town Cop;killed, night 1;Zed\nBoro;Mafia Goon;alive;\n",
    "wiki": (
        '{| class="wikitable"\n! Player !! Role !! Fate !! Replaced\n|-\n'
        "| [[User:Ada|Ada]] || '''Town Cop''' || killed, night 1 || Zed\n"
        "|-\n| Boro\n| Mafia Goon\n| alive\n| \n|}"
    ),
    "bbcode": (
        "[table][tr][th]Player[/th][th]Role[/th][th]Fate[/th][th]Replaced[/th][/tr]"
        "[tr][td]Ada[/td][td][b]Town Cop[/b][/td][td]killed, night 1[/td][td]Zed[/td][/tr]"
        "[tr][td]Boro[/td][td]Mafia Goon[/td][td]alive[/td][td][/td][/tr][/table]"
    ),
}


@pytest.mark.parametrize("text", TABLES.values(), ids=TABLES)
def test_a_table_with_a_head_is_read_by_its_columns(text: str) -> None:
    first, second = read_role_list(text, NAMES).lines
    assert (first.slots, first.role, first.fate, first.earlier) == (
        ("Ada",),
        "Town Cop",
        "killed, night 1",
        ("Zed",),
    )
    assert (second.slots, second.role, second.fate) == (("Boro",), "Mafia Goon", "alive")


def test_nothing_is_read_of_nothing_and_long_texts_are_cut() -> None:
    assert read_role_list("", NAMES).lines == ()
    assert read_role_list("\n \n", NAMES).unread == ()
    long = read_role_list("Ada – Cop\n" * 5_000, NAMES)
    assert len(long.lines) == 2_000
    assert long.lines[0] == RoleLine(1, ("Ada",), "Cop")
