"""Who plays and which day it is, as the thread itself tells."""

from datetime import UTC, datetime

import pytest

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import PLAIN
from knightfall.models import Thread
from knightfall.names import Names
from knightfall.reading.clauses import clauses_of
from knightfall.reading.statements import statements
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.lines import lines_of
from knightfall.votes.moderator_posts import Told
from knightfall.votes.player_list import Listed, listed_players
from knightfall.votes.votecount import Votecount

POSTERS = frozenset({"Ada", "Boro", "Cinder", "[b]ob", "Anne Marie", "Fen"})


def listed(html: str) -> tuple[Listed, ...]:
    return listed_players(parse_html(html, PLAIN), POSTERS)


def names(html: str) -> list[str]:
    return [entry.name for entry in listed(html)]


def test_a_numbered_list_is_read_with_its_struck_names_as_dead() -> None:
    found = listed("Welcome.<br>1. Ada<br>2. <s>Boro</s> (killed Night 1)<br>3) Cinder<br>4. [b]ob")
    assert [(entry.name, entry.dead, entry.day) for entry in found] == [
        ("Ada", False, None),
        ("Boro", True, 1),
        ("Cinder", False, None),
        ("[b]ob", False, None),
    ]


def test_a_bulleted_list_and_mentions_are_read() -> None:
    html = '<ul><li>Ada</li><li><a class="mention">@Boro</a></li><li>Anne Marie – V/LA</li></ul>'
    assert names(html) == ["Ada", "Boro", "Anne Marie"]


def test_one_name_a_line_is_read_under_a_heading_that_speaks_of_players() -> None:
    assert names("<b>Players</b><br>Ada<br>Boro<br>Nobody Yet<br><br>") == ["Ada", "Boro", "Nobody Yet"]


def test_living_and_dead_in_two_lists_are_one_roster() -> None:
    html = "Living:<br>1. Ada<br>2. Cinder<br>Dead:<br>Boro, Town Cop, lynched Day 1"
    assert [(entry.name, entry.dead) for entry in listed(html)] == [
        ("Ada", False),
        ("Cinder", False),
        ("Boro", True),
    ]


@pytest.mark.parametrize("elm", ["*Elm*", "**Elm**", "Elm*", "<i>Elm</i>"])
@pytest.mark.parametrize("form", ["{}", "1. {}"])
def test_a_name_that_is_stressed_is_an_entry_like_the_others(elm: str, form: str) -> None:
    html = "Players:<br>" + "<br>".join(form.format(name) for name in ("Ada", "Boro", elm, "Fen"))
    assert names(html) == ["Ada", "Boro", "Elm", "Fen"]


@pytest.mark.parametrize(
    "line",
    ["1. Ada (replaced Pike)", "1. Ada replaces Pike", "1. Pike replaced by Ada", "1. <s>Pike</s> Ada"],
)
def test_a_replacement_keeps_the_old_name(line: str) -> None:
    found = listed(f"{line}<br>2. Boro<br>3. Cinder")
    assert (found[0].name, found[0].replaced) == ("Ada", ("Pike",))


def test_a_role_behind_the_name_is_no_part_of_it() -> None:
    found = listed("1. Pike the vanilla townie shot n3<br>2. Boro<br>3. Cinder<br>4. Ada")
    assert (found[0].name, found[0].dead, found[0].day) == ("Pike", True, 3)


def test_a_numbered_list_of_rules_is_no_player_list() -> None:
    assert listed("1. Be kind.<br>2. Vote in bold.<br>3. Do not edit.<br>4. Ask the moderator.") == ()


def test_the_dead_of_a_later_day_live_on_an_earlier_one() -> None:
    dated, undated = Listed("Ada", dead=True, day=2), Listed("Cinder", dead=True)
    assert [dated.dead_on(2, latest=False), undated.dead_on(2, latest=False)] == [False, False]
    assert [dated.dead_on(3, latest=True), undated.dead_on(3, latest=True)] == [True, True]


@pytest.mark.parametrize(
    ("html", "day"),
    [
        ("<b>Day 2</b>", 2),
        ("It is now Day 3.", 3),
        ("<h2>Day 4 has begun</h2>go", 4),
        ("Day 1 Votecount", None),
        ("Since Day 2 we know that", None),
        ("On day 2 I voted", None),
    ],
)
def test_a_day_is_opened_by_a_line_of_its_own(html: str, day: int | None) -> None:
    lines = [line.text for line in lines_of(parse_html(html, PLAIN))]
    assert Told(9, statements(clauses_of(lines, Names(())))).opens(0) == day


def day_three(begins: str) -> Votecount:
    """The count of a thread of a moderator's own posts: the opening lists all, day 3 begins with fewer."""
    names = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale")
    opening = "Players\n" + "\n".join(f"{number}. {name}" for number, name in enumerate(names, start=1))
    votes = [(name, "[b]Vote: Elm[/b]") for name in ("Ada", "Boro")]
    chatter = [(name, "hm") for name in names]
    thread = Thread.from_posts([("Wren", opening), *chatter, ("Wren", begins), *votes])
    return votecount(thread, Habits(PLAIN), CountConfig(), Ask(), datetime.now(UTC))


@pytest.mark.parametrize("said", ["\n\n4 alive, of whom one is a goon.", " 4 alive, 3 votes to eliminate."])
def test_no_threshold_is_told_that_the_posts_of_the_thread_contradict(said: str) -> None:
    found = day_three(f"[b]Day 3 begins.[/b]{said}")
    assert (found.tally.needed, [wagon.size for wagon in found.tally.wagons]) == (None, ["2"])
    assert any(
        "#9 says that 4 are alive; by the deaths that were told it would be 7" in line
        for line in found.assumed
    )


def test_who_is_alive_is_read_where_the_post_that_opens_the_day_lists_them() -> None:
    found = day_three("[b]Day 3 begins.[/b]\n\n4 alive: Ada, Boro, Elm, Fen.")
    assert (found.tally.needed, [wagon.size for wagon in found.tally.wagons]) == (3, ["2/3"])
    assert [slot.name for slot in found.tally.not_voting] == ["Elm", "Fen"]
    assert "Players: the 4 whom the moderator lists in post #9." in found.assumed
    strange = day_three("[b]Day 3 begins.[/b]\n\n4 alive: Ada, Boro, Elm, Zork.")
    assert strange.tally.needed is None


def test_a_spoiler_under_a_player_list_is_no_player() -> None:
    html = "Players:<br>1. Ada<br>2. Boro<br>3. Cinder<br>4. Spoiler: roles<br>5. Spoilers"
    assert names(html) == ["Ada", "Boro", "Cinder"]


MANY = ("Ada", "Boro", "Elm", "Gale", "Hollis", "Iris")


@pytest.mark.parametrize(
    ("head", "read"),
    [
        ("6 players are alive.", MANY),
        ("<b>Alive (6)</b>", MANY),
        # A sentence on the living is no heading of the dead, whatever else it says.
        ("6 players are alive. Whoever has the most votes is eliminated.", MANY),
        ("Our favourite colours:", ()),
    ],
)
def test_a_list_of_as_many_as_play_is_theirs_though_few_have_posted(head: str, read: tuple[str, ...]) -> None:
    body = f"{head}<ul>{''.join(f'<li>{name}</li>' for name in MANY)}</ul>"
    found = listed_players(parse_html(body, PLAIN), frozenset({"Ada", "Boro"}))
    assert tuple(entry.name for entry in found if not entry.dead) == read


# ---- A list that was edited since, or is written in the words of a story


@pytest.mark.parametrize(
    ("line", "name", "day"),
    [
        ("Ada, the Lamplighter and Town Cop, was fed to the eels Night 2", "Ada", 2),
        ("I Am Fern, Town Watchman, killed Night 1", "I Am Fern", 1),
        (":dead: 4. Ada*: Town Cop", "Ada", None),
        ("Not_Mafia_Ada (Town Cop), eliminated Day 3", "Not_Mafia_Ada", 3),
    ],
)
def test_whoever_is_shown_with_a_role_and_a_day_is_dead_in_whatever_words(
    line: str, name: str, day: int | None
) -> None:
    found = listed(f"Players:<br>Boro<br>Cinder<br>Fen<br>{line}")
    assert [(one.name, one.dead, one.day) for one in found if one.dead] == [(name, True, day)]


@pytest.mark.parametrize(
    "line",
    [
        "* marks a prod",
        "D2 Start (count 2.0), count 2.1",
        "Day 1 | Day 2 | <s>Boro</s> -&gt; Zed | End",
        "Nobody.",
    ],
)
def test_what_stands_around_a_list_is_no_player(line: str) -> None:
    assert names(f"Players:<br>1. Ada<br>2. Boro<br>3. Cinder<br>{line}") == ["Ada", "Boro", "Cinder"]


def test_a_capital_article_belongs_to_the_name() -> None:
    assert names("Players:<br>1. Ada<br>2. Boro<br>3. Cinder<br>4. Zed The Third") == [
        "Ada",
        "Boro",
        "Cinder",
        "Zed The Third",
    ]


def test_who_stands_behind_a_newcomer_had_the_seat_before() -> None:
    found = listed("Players:<br>1. Ada<br>2. Zed Boro<br>3. Cinder<br>4. <s>Fen</s> <s>Anne Marie</s> Wick")
    assert [(one.name, one.replaced) for one in found] == [
        ("Ada", ()),
        ("Zed", ("Boro",)),
        ("Cinder", ()),
        ("Wick", ("Anne Marie", "Fen")),
    ]


def test_whom_others_replace_in_a_row_of_events_held_the_seat_of_these() -> None:
    found = listed("Players:<br>1. Ada<br>2. Boro<br>3. Zed<br>D1 Start, C1, Zed replaces Cinder, C2, D1 End")
    assert [(one.name, one.replaced) for one in found] == [("Ada", ()), ("Boro", ()), ("Zed", ("Cinder",))]


def test_what_the_site_appends_to_the_list_is_no_player() -> None:
    html = "Players:<br>Ada<br>Boro<br>Cinder<br>Fen<div class='signature'>Six Lanterns</div>"
    assert names(html) == ["Ada", "Boro", "Cinder", "Fen"]


def test_of_several_days_of_an_entry_the_one_behind_the_death_is_theirs() -> None:
    lines = ["Ada (replaced Zed Day 1), Town Cop, lynched Day 3", "Boro, killed Night 2", "Cinder", "Dorn"]
    entries = listed_players(parse_html("<br>".join(lines), PLAIN), {"Ada", "Boro", "Cinder", "Dorn"})
    assert {one.name: one.day for one in entries} == {"Ada": 3, "Boro": 2, "Cinder": None, "Dorn": None}
