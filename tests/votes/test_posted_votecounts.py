"""Are the votecounts that a moderator posts read back? Every name and post here is invented."""

from __future__ import annotations

import re
import time

import pytest
from markdown_it import MarkdownIt

from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects import DIALECTS, Dialect
from knightfall.markup.dialects.bbcode_family import BBCode
from knightfall.markup.dialects.markdown_family import Markdown
from knightfall.markup.html import parse_html
from knightfall.markup.html_style import PLAIN
from knightfall.markup.nodes import Break, Nodes, Text
from knightfall.models import Roster, roster_of
from knightfall.names import Names, squash
from knightfall.services.count.request import post_parts, themes
from knightfall.services.requests import PostFormat
from knightfall.votes.posted_votecounts import (
    PostedVotecount,
    names_of_posters,
    posted_votecount,
    said_of_alive,
)
from writeups.golden_day import BONUS, DOUBLE, NASTY, ROOK, golden_day

CAST = roster_of(["Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Kestrel", "Moth"])
EVERY = [(one, theme) for one in DIALECTS for theme in themes()]
IDS = [f"{one.name}-{theme}" for one, theme in EVERY]


def read(text: str, names: Names | None = None) -> PostedVotecount | None:
    """The count of Wren's post; its lines are parted by | or are HTML."""
    nodes = parse_html(text.replace("|", "<br>"), PLAIN)
    return posted_votecount(9, "Wren", nodes, names or Names(CAST.slots))


def wagons(posted: PostedVotecount | None) -> dict[str, list[str]]:
    """Target → voters, those who do not vote under “idle”; rows without voters left out."""
    assert posted is not None
    found = {}
    for row in posted.rows:
        to = "idle" if row.idle else "nobody" if row.nobody else row.target.name if row.target else row.label
        assert to not in found
        if row.voters or row.strangers:
            found[to] = sorted([*(voter.name for voter in row.voters), *row.strangers])
    return found


IDLE = "Not voting (2): Cinder, Moth"
DAY = {"Kestrel": ["Ada", "Boro", "Elm"], "Fen": ["Kestrel"], "idle": ["Cinder", "Moth"]}


@pytest.mark.parametrize(
    "text",
    [
        f"Kestrel (3): Ada, Boro, Elm|Fen (1): Kestrel|{IDLE}",
        "[L~2] Kestrel - [Ada, Boro, Elm]|[L~4] Fen - [Kestrel]|Not voting - [Cinder, Moth]",
        "Kestrel [L-2] - Ada, Boro, Elm|Fen [L-4] - Kestrel|Not Voting [2] - Cinder, Moth",
        "3 - Kestrel (Ada, Boro, Elm)|1 - Fen (Kestrel)|2 - Not voting (Cinder, Moth)",
        "Kestrel: 3 (Ada, Boro, Elm)|Fen: 1 (Kestrel)|Not Voting: 2 (Cinder, Moth)",
        "Kestrel: Ada, Boro, Elm (3)|Fen: Kestrel (1)|Not voting: Cinder, Moth (2)",
        "Kestrel (3)Ada , Boro , Elm ,|Fen (1)Kestrel ,|Not Voting (2)Cinder , Moth ,",
        "(3) Kestrel — Ada, Boro, Elm (L-2)|(1) Fen — Kestrel (L-4)|(0) Moth —|(2) Not Voting — Cinder, Moth",
        "Kestrel - [3] Ada, Boro, Elm|Fen - [1] Kestrel|Moth -|Ada -|Not voting - [2] Cinder, Moth",
        "Kestrel (3/5) ~ Ada (12), Boro (14), Elm (#20)|Fen (1/5) ~ Kestrel (9)|Not voting ~ Cinder, Moth",
        "Kestrel (3)|Ada|Boro|Elm|Fen (1)|Kestrel|Not voting (2)|Cinder|Moth",
        "Kestrel:|Ada|Boro|Elm||Fen:|Kestrel||Not voting:|Cinder|Moth",
        "Kestrel (3): Ada; Boro; Elm LYNCH!|Fen (1): Kestrel|*Not Voting - 2 (Cinder; Moth)",
        "Kestrel (3): Ada, Boro &amp; Elm|Fen (1): Kestrel|2 players not voting (Cinder, Moth)",
        "Kestrel (3): Ada Boro Elm|Fen (1): Kestrel|Not voting (2): Cinder Moth",
        "Kestrel (3): Ada, <s>Fen,</s> Boro, Elm|Fen (1): Kestrel|Not voting: Cinder, Moth",
        "Kestrel (LYNCH) - Ada, Boro, Elm|Fen (L-3) - Kestrel|No Lynch (0) -|Not voting: Cinder, Moth",
        "Kestrl (3): Ada, Borro, Elm|Fen (1): Kestrel|Not voting (2): Cinder, Moth",
        f"Kestrel (3): Ada, Boro, Elm|Fen (1): Kestrel|{IDLE}|Dead (2): Ada, Boro|V/LA: Moth until Friday",
        f"Kestrel (3): Ada, Boro, Elm|Fen (1): Kestrel|{IDLE}|With 6 alive it takes (4) to lynch.",
        f"<blockquote>Kestrel (3): Ada, Boro, Elm<br>Fen (1): Kestrel<br>{IDLE}</blockquote>",
        f"<details>Kestrel (3): Ada, Boro, Elm<br>Fen (1): Kestrel<br>{IDLE}</details>",
        "<table><tr><td>Player</td><td>Votes</td><td>Voters</td></tr><tr><td>Kestrel</td><td>3</td>"
        "<td>Ada, Boro, Elm</td></tr><tr><td>Fen</td><td>1</td><td>Kestrel</td></tr></table>" + IDLE,
        '<a href="/u/1">Kestrel</a> (3): <a href="/p/4">Ada</a> <a href="/p/4">4</a>, <a href="/p/5">Boro</a>'
        f", Elm|Fen (1): Kestrel|{IDLE}",
    ],
)
def test_a_count_is_read_whole_in_the_shape_of_any_house(text: str) -> None:
    assert wagons(read(text)) == DAY


@pytest.mark.parametrize(
    "text",
    [
        "1. Be kind to Ada.|2. Boro wrote rule 2.|3. Fen, Elm and Moth are the jury.",
        "Ada was eliminated: Town|Boro (2) is away until Friday, 4 o'clock",
        "Prods (2): Ada, Boro|V/LA (1): Fen",
        "Dead (2): Ada, Boro|Alive (3): Fen, Elm, Moth",
        "Kestrel (2): Ada, Boro|Fen (2): Ada, Boro|Not voting (1): Elm",
        "Not voting is no crime: Ada, Boro",
        "<blockquote><cite>Ada wrote:</cite>Kestrel (2): Ada, Boro<br>Fen (1): Elm</blockquote>I disagree.",
    ],
)
def test_what_only_looks_like_a_count_is_none(text: str) -> None:
    assert read(text) is None


def test_those_who_do_not_vote_are_a_count_where_everybody_is_one_of_them() -> None:
    posted = read("Votecount 2.0|Not voting: Ada, Boro, Cinder|With 3 alive it takes 2 to eliminate.")
    assert wagons(posted) == {"idle": ["Ada", "Boro", "Cinder"]}
    assert posted is not None and posted.whole


def test_votes_for_no_elimination_are_nobodys_wagon() -> None:
    posted = read("No Lynch (2): Ada, Boro|Fen (1): Elm")
    assert wagons(posted) == {"nobody": ["Ada", "Boro"], "Fen": ["Elm"]}


def test_of_two_counts_in_a_post_the_first_is_read() -> None:
    first, second = "Kestrel (2): Ada, Boro|Not voting (1): Elm", "Fen (2): Ada, Elm|Not voting (1): Boro"
    assert wagons(read(f"{first}|Before that:|{second}")) == {"Kestrel": ["Ada", "Boro"], "idle": ["Elm"]}


def test_whoever_is_listed_twice_in_a_long_count_votes_for_nobody_that_we_know() -> None:
    posted = read("Kestrel (3): Ada, Boro, Elm|Fen (2): Kestrel, Moth|Not voting (2): Cinder, Ada")
    assert posted is not None
    assert all(voter.name != "Ada" for row in posted.rows for voter in row.voters)
    assert [row.strangers for row in posted.rows] == [("Ada",), (), ("Ada",)]


def test_a_count_without_a_player_list_leaves_silent_players_as_strangers() -> None:
    posters = ["Ada", "Boro", "Cinder", "Elm", "Fen", "Gale", "Kestrel", "Wren"]
    names = names_of_posters(posters, ["wren"])
    posted = read(
        "Kestrel (3): Ada, Boro, Elm|Ghost (1): Quiet|Fen (1): Kestrel|Not voting (2): Cinder, Moth", names
    )
    assert wagons(posted) == {**DAY, "Ghost": ["Quiet"]}
    assert posted is not None and posted.rows[1].target is None
    assert posted.rows[1].strangers == ("Quiet",)
    assert posted.people == 7


@pytest.mark.parametrize(
    ("alive", "idle", "whole"),
    [
        ("With 6 alive it takes 4.", IDLE, True),
        ("With 8 alive it takes 5.", IDLE, False),
        ("", IDLE, True),
        ("", "Elm (1): Moth", False),
        ("With 5 alive it takes 3.", "Elm (1): Moth", True),
    ],
)
def test_a_count_is_whole_where_it_lists_everybody(alive: str, idle: str, whole: bool) -> None:
    posted = read(f"Kestrel (3): Ada, Boro, Elm|Fen (1): Kestrel|{idle}|{alive}")
    assert posted is not None and posted.whole is whole


@pytest.mark.parametrize(
    ("title", "day", "number"),
    [
        ("Vote Count 2.1", 2, 1),
        ("Votecount 1.03", 1, 3),
        ("VC#2.07", 2, 7),
        ("Vote Count 5.F", 5, None),
        ("Salt Harbour: Votecount #4.12:", 4, 12),
        ("Day 2 Votecount #3", 2, 3),
        ("Day 1 Vote Count (#14)", 1, 14),
        ("vote count d3 #4", 3, 4),
        ("VC 2.4", 2, 4),
        ("Vote Count 3,2", 3, 2),
        ("Votecount 3", None, 3),
        ("Votecount 4 (to post 84)", 4, None),
        ("Day Two Vote Count", 2, None),
        ("It is now Day 3.", 3, None),
        ("Day 2 ends in three days.", 2, None),
        ("Ada died in the night of Day 2", None, None),
        ("In the last votecount 2 people were missing", None, None),
        ("2.1 litres of tea", None, None),
    ],
)
def test_the_title_tells_the_day_and_the_number(title: str, day: int | None, number: int | None) -> None:
    posted = read(f"{title}|Kestrel (2): Ada, Boro|Fen (1): Elm|Not voting (1): Moth")
    assert posted is not None
    assert (posted.day, posted.number) == (day, number)


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("With 12 alive it takes 7 to lynch", (12, 7)),
        ("With 12 alive, it takes 7 to eliminate.", (12, 7)),
        ("With 9 players alive, 5 votes are needed for majority.", (9, 5)),
        ("With 13 players, it is 7 to lynch.", (13, 7)),
        ("With 10 players left it’s 6 to lynch.", (10, 6)),
        ("With 11 alive, it's 6 to execute!", (11, 6)),
        ("With twelve alive, it takes seven to lynch.", (12, 7)),
        ("With 4 alive, it takes 3 to lynch and 2 to no lynch.", (4, 3)),
        ("With 5 alive, 3 votes are required for a lynch.", (5, 3)),
        ("With 13 players alive, majority is 7 today.", (13, 7)),
        ("With 10 players living, a lynch requires 6/10 votes.", (10, 6)),
        ("9 players are still alive.", (9, None)),
        ("16 alive. The most votes at the deadline decide.", (16, None)),
        ("It takes 7 votes to hammer.", (None, 7)),
        ("7 to lynch", (None, 7)),
        ("with 12 posts to go it takes 7 minutes", (None, None)),
        ("With 12 days left it takes 7 weeks.", (None, None)),
        ("It takes 2 to tango.", (None, None)),
        ("With 12 players not voting, I am sad.", (None, None)),
        ("2 to no lynch", (None, None)),
        ("With 3 alive it takes 7 to lynch", (3, None)),  # that cannot be
        ("Ada was alive at 5 o'clock", (None, None)),
        ("", (None, None)),
    ],
)
def test_a_moderators_post_tells_how_many_live_and_how_many_decide(
    sentence: str, told: tuple[int | None, int | None]
) -> None:
    assert said_of_alive(["Day 2 begins.", sentence]) == told


def test_where_no_sentence_tells_it_the_distances_say_how_many_decide() -> None:
    posted = read("Kestrel [L-2] - Ada, Boro, Elm|Fen [L-4] - Kestrel|Not Voting - Cinder, Moth")
    assert posted is not None and posted.needed == 5
    odd = read("Kestrel [L-2] - Ada, Boro, Elm|Fen [L-3] - Kestrel|Not Voting - Cinder, Moth")
    assert odd is not None and odd.needed is None


def reread(one: Dialect, text: str) -> Nodes:
    """A post of a dialect as it is read again, as the site shows it."""
    if isinstance(one, BBCode):
        # Marks of one site alone: they change how a word looks, and one of them strikes it out.
        known = text.replace("[-]", "[s]").replace("[/-]", "[/s]")
        return parse_bbcode(re.sub(r"\[/?(?:size|font|nobbc|tbody)\b[^\]]*\]", "", known))
    if isinstance(one, Markdown):
        reader = MarkdownIt("commonmark", {"breaks": True, "html": False}).enable(["table", "strikethrough"])
        return parse_html(reader.render(text), PLAIN)
    if one.name == "plain":
        return tuple(node for line in text.split("\n") for node in (Text(line), Break()))
    return parse_html(text, PLAIN)


@pytest.mark.few(26)
@pytest.mark.parametrize(("one", "theme"), EVERY, ids=IDS)
def test_a_count_of_our_own_is_read_back_whole_in_every_theme_and_dialect(one: Dialect, theme: str) -> None:
    count = golden_day()
    roster = Roster((ROOK, DOUBLE, BONUS, *roster_of(NASTY).slots))
    text = "\n\n".join(post_parts(count, one.name, PostFormat(theme), None, None))
    posted = posted_votecount(85, "Wren", reread(one, text), Names(roster.slots))
    assert posted is not None
    due = {
        squash(wagon.target.name) if wagon.target else "nobody": {squash(v.voter.name) for v in wagon.votes}
        for wagon in count.tally.wagons
    }
    due["idle"] = {squash(slot.name) for slot in count.tally.not_voting}
    told = {
        to if to in ("idle", "nobody") else squash(to): {squash(name) for name in voters}
        for to, voters in wagons(posted).items()
    }
    assert told == due
    assert (posted.day, posted.number, posted.alive, posted.needed) == (1, 3, 16, 6)


@pytest.mark.parametrize(
    "line",
    [
        "Ada " * 20_000,
        "(" * 50_000,
        "1 " * 20_000,
        "- " * 20_000,
        "L-" * 20_000,
        ":" * 50_000,
        "Ada, " * 10_000,
    ],
)
def test_no_line_makes_the_reader_run_away(line: str) -> None:
    begun = time.process_time()
    read(f"Votecount 1.1<br>{line}<br>Kestrel (1): {line}<br>Not voting: {line}")
    said_of_alive([line])
    assert time.process_time() - begun < 1
