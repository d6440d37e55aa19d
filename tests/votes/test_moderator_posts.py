"""Days and players as the moderator's own posts tell them, without a game file."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Thread, roster_of
from knightfall.names import names_of
from knightfall.reading.clauses import clauses
from knightfall.reading.statements import Dead, statements
from knightfall.votes.config import Ask, CountConfig, DayAnswer
from knightfall.votes.count import Habits, votecount
from knightfall.votes.moderator_posts import Told, told_by
from knightfall.votes.votecount import Votecount

PLAYERS = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale")
HABITS = Habits(html_style_of("phpbb"))
NAMES = names_of(roster_of(PLAYERS).slots)
OPENING = "Welcome to the mill. Rules follow."
FIRST_COUNT = (
    "Votecount 1.1<br>Boro (2): Ada, Cinder<br>Ada (1): Boro<br>Not voting (4): Dusk, Elm, Fen, Gale<br>"
    "With 7 alive, it takes 4 to eliminate."
)
SECOND_COUNT = (
    "Votecount 2.1<br>Ada (1): Cinder<br>Not voting (4): Ada, Dusk, Elm, Fen<br>"
    "With 5 alive, it takes 3 to eliminate."
)
DAY_ONE = (
    ("Ada", "Boro"),
    ("Cinder", "Boro"),
    ("Boro", "Ada"),
    ("Wren", FIRST_COUNT),
    ("Dusk", "Boro"),
    ("Elm", "Boro"),
)

NO_FILE = CountConfig()


def thread(*said: tuple[str, str], opening: str = OPENING) -> Thread:
    """A thread of Wren's: whoever else speaks votes for the name that they say."""
    posts = [("Wren", opening), *said]
    bodies = ((who, text if who == "Wren" else f"<b>Vote: {text}</b>") for who, text in posts)
    made = (Post(PostId(str(n)), n, who, body) for n, (who, body) in enumerate(bodies, 1))
    return Thread("phpbb", "The mill", tuple(made))


def counted(*said: tuple[str, str], config: CountConfig = NO_FILE, day: int | None = None) -> Votecount:
    return votecount(thread(*said), HABITS, config, Ask(day=day), datetime(2026, 3, 2, tzinfo=UTC))


def told(body: str) -> Told:
    return told_by(Post(PostId("9"), 9, "Wren", body), HABITS.html_style, NAMES)


def wagons(count: Votecount) -> dict[str, int]:
    return {wagon.target.name if wagon.target else "": wagon.count for wagon in count.tally.wagons}


def test_the_first_count_of_the_moderator_names_the_living_and_the_threshold() -> None:
    count = counted(*DAY_ONE)
    assert (count.tally.alive, count.tally.needed) == (7, 4)
    assert count.tally.hammer is not None and count.tally.hammer.post == 7
    assert "Players: the 7 whom the moderator lists in post #5." in count.assumed


@pytest.mark.parametrize(
    ("closing", "morning", "start"),
    [
        ("Boro was eliminated. He was a Townie.", "Day 2 begins. Gale was killed.", 9),
        ("It is now Night 1.", "Fen has been killed.<br>With 5 alive, it takes 3 to eliminate.", 9),
        ("Boro, Townie, lynched Day 1.", "It is now Day Two.", 9),
    ],
)
def test_a_new_day_is_found_by_what_the_moderator_says(closing: str, morning: str, start: int) -> None:
    count = counted(*DAY_ONE, ("Wren", closing), ("Wren", morning), ("Cinder", "Ada"), ("Wren", SECOND_COUNT))
    assert (count.day.number, count.day.start) == (2, start)
    assert (count.tally.alive, count.tally.needed, wagons(count)) == (5, 3, {"Ada": 1})


def test_a_new_day_that_nobody_opens_is_found_by_its_votecount() -> None:
    count = counted(
        *DAY_ONE, ("Wren", "Boro was eliminated."), ("Cinder", "Ada"), ("Wren", SECOND_COUNT), ("Elm", "Ada")
    )
    assert (count.day.number, wagons(count)) == (2, {"Ada": 2})


def test_without_a_post_that_ends_the_day_a_later_votecount_leaves_a_doubt() -> None:
    count = counted(*DAY_ONE, ("Cinder", "Ada"), ("Wren", SECOND_COUNT))
    assert (count.day.number, count.tally.needed, count.tally.hammer) == (2, None, None)
    assert any("no post opens that day" in line for line in count.assumed)


def test_a_hammer_that_several_players_vote_on_after_is_not_claimed() -> None:
    count = counted(*DAY_ONE, ("Fen", "Ada"), ("Gale", "Ada"), ("Cinder", "Ada"))
    assert (count.tally.needed, count.tally.hammer) == (None, None)
    assert any("ended day 1, but 3 players voted after it" in line for line in count.assumed)
    late = counted(*DAY_ONE, ("Fen", "Ada"))
    assert late.tally.hammer is not None


def test_numbers_that_differ_withhold_the_threshold() -> None:
    wrong = FIRST_COUNT.replace("With 7 alive, it takes 4", "With 9 alive, it takes 5")
    count = counted(*DAY_ONE[:3], ("Wren", wrong), ("Dusk", "Boro"))
    assert (count.tally.needed, wagons(count)) == (None, {"Boro": 3, "Ada": 1})
    assert any("9 are alive" in line for line in count.assumed)
    assert any("say which post opened day 1 and who was alive then" in line for line in count.assumed)


def test_an_answer_settles_the_day_and_the_living() -> None:
    wrong = FIRST_COUNT.replace("With 7 alive, it takes 4", "With 9 alive, it takes 5")
    answer = CountConfig(answers=(DayAnswer(1, 2, PLAYERS),))
    count = counted(*DAY_ONE[:3], ("Wren", wrong), ("Dusk", "Boro"), ("Elm", "Boro"), config=answer)
    assert (count.tally.alive, count.tally.needed) == (7, 4)
    assert count.tally.hammer is not None
    assert "Players: the 7 whom you named as alive; Fen, Gale did not post yet." in count.assumed


def test_who_died_since_the_last_count_is_told_by_the_moderator_and_held_against_the_number() -> None:
    ended = ("Wren", "Boro was eliminated. He was a Townie.")
    count = counted(
        *DAY_ONE,
        ended,
        ("Wren", "Day 2 begins.<br>Gale was killed.<br>With 5 alive, it takes 3 to eliminate."),
        ("Cinder", "Ada"),
    )
    assert (count.tally.alive, count.tally.needed) == (5, 3)
    silent = counted(*DAY_ONE, ended, ("Wren", "Day 2 begins. Somebody is dead."), ("Cinder", "Ada"))
    assert silent.tally.needed is None


def test_a_replacement_holds_the_seat_of_whom_they_replace() -> None:
    later = FIRST_COUNT.replace("Cinder", "Hollis").replace("1.1", "1.2").replace("Ada (1)", "Ada (1)")
    count = counted(
        *DAY_ONE[:4],
        ("Wren", "Hollis replaces Cinder."),
        ("Hollis", "Ada"),
        ("Wren", later),
        ("Dusk", "Boro"),
    )
    assert count.tally.alive == 7
    votes = {
        vote.voter.name: wagon.target.name
        for wagon in count.tally.wagons
        for vote in wagon.votes
        if wagon.target
    }
    assert votes["Hollis"] == "Ada"


def test_somebody_who_posts_counts_of_others_moderates() -> None:
    posts = thread(*DAY_ONE).posts
    made = tuple(
        Post(post.id, post.number, "Tansy" if post.number == 5 else post.author, post.body) for post in posts
    )
    count = votecount(
        Thread("phpbb", "The mill", made), HABITS, CountConfig(), Ask(), datetime(2026, 3, 2, tzinfo=UTC)
    )
    assert "Moderator: Wren, who wrote the opening post, and Tansy, who posted votecounts or news of the game." in count.assumed
    assert (count.tally.alive, count.tally.needed) == (7, 4)


@pytest.mark.parametrize(
    ("said", "closes"),
    [
        ("Ada has been eliminated.", True),
        ("That's a lynch!", True),
        ("ADA LYNCHED", True),
        ("Night 1 begins now.", True),
        ("With 7 alive it takes 4 to lynch", False),
        ("Night falls in 3 days.", False),
        ("Ada is at E-1.", False),
    ],
)
def test_what_ends_a_day_is_told_from_what_only_speaks_of_it(said: str, closes: bool) -> None:
    assert told(said).closes is closes


@pytest.mark.parametrize(
    ("said", "pair"),
    [
        ("Hollis replaces Ada.", ("Hollis", "Ada")),
        ("Ada was replaced by Hollis.", ("Hollis", "Ada")),
        ("Hollis is subbing in for Ada.", ("Hollis", "Ada")),
        ("I am looking for somebody to replace Ada.", None),
    ],
)
def test_replacements_are_read_from_their_sentence(said: str, pair: tuple[str, str] | None) -> None:
    found = {(one.new, one.old) for one in told(said).replaced}
    assert (pair in found) if pair else not (found & {("Hollis", "Ada")})


def test_a_death_is_of_whoever_is_named_before_it() -> None:
    assert told("Ada, Townie, was killed on Night 1.").dead() == {"Ada"}
    assert told("Ada, Townie, was killed. Boro lives.").dead() == {"Ada"}
    assert told("Ada (3): Boro, Cinder, Dusk LYNCHED").dead() == {"Ada"}
    assert told("Adalbert was killed.").dead() == frozenset()


def test_a_game_file_that_lists_players_and_days_is_believed() -> None:
    config = CountConfig("game.toml", roster=roster_of((*PLAYERS, "Hollis", "Iris")))
    assert counted(*DAY_ONE, config=config).tally.needed == 5


@pytest.mark.parametrize(
    "closing",
    [
        "Votecount 2.2<br>Ada (3): Cinder, Elm, Fen<br>Not voting (2): Ada, Dusk<br>Ada has been eliminated.",
        "Ada has been eliminated. She was a Townie.",
    ],
)
def test_whom_the_end_of_a_day_tells_dead_lived_on_it(closing: str) -> None:
    count = counted(
        *DAY_ONE,
        ("Wren", "Boro was eliminated."),
        ("Wren", "Day 2 begins.<br>Gale was killed.<br>With 5 alive, it takes 3 to eliminate."),
        ("Cinder", "Ada"),
        ("Elm", "Ada"),
        ("Fen", "Ada"),
        ("Wren", closing),
        day=2,
    )
    assert (count.tally.alive, count.tally.needed) == (5, 3)
    assert count.tally.hammer is not None and count.tally.hammer.target is not None
    assert count.tally.hammer.target.name == "Ada"


def test_the_full_wagon_of_the_last_count_and_nicknames_tell_deaths_where_the_numbers_agree() -> None:
    final = "Votecount 1.2<br>Boro (4): Ada, Cinder, Dusk, Elm<br>Not voting (3): Boro, Fen, Gale"
    morning = "Day 2 begins.<br>Gal has been shot.<br>With {} alive, it takes 3 to eliminate."
    ended = (*DAY_ONE, ("Wren", final), ("Wren", "Boro is gone. It is now Night 1."))
    count = counted(*ended, ("Wren", morning.format(5)), ("Cinder", "Ada"))
    assert (count.tally.alive, count.tally.needed) == (5, 3)
    other = counted(*ended, ("Wren", morning.format(4)), ("Cinder", "Ada"))
    assert any("4 are alive; by the deaths that were told it would be 5" in one for one in other.assumed)
    assert any("Whichever of these is right, it takes 3 votes" in one for one in other.assumed)


@pytest.mark.parametrize(
    ("line", "dead"),
    [
        ("Kest has been shot.", ("Kestrel",)),
        ("Kestrel and Lum are dead.", ("Kestrel", "Lumen")),
        ("kest the miller was killed", ("Kestrel",)),
        ("The miller was killed.", ()),
        ("Kest thinks that Lumen was killed.", ()),
        ("Kest and somebody else were shot.", ()),
        ("Kest is here.", ()),
        ("Kestrel thinks Lumen was killed.", ()),
        ("Kestrel killed Lumen.", ("Lumen",)),
        ("Kest is about to be eliminated.", ()),
        ("Lumen was not killed.", ()),
        ("Kest died in the night.", ("Kestrel",)),
        ("Kest the 2-shot Vigilante has been shot.", ("Kestrel",)),
    ],
)
def test_nicknames_tell_deaths_where_they_begin_the_line(line: str, dead: tuple[str, ...]) -> None:
    names = names_of(roster_of(("Kestrel", "Lumen", "Ada")).slots)
    found = (one for one in statements([clauses(line, names)]) if isinstance(one, Dead))
    assert {name for one in found for name in one.who} == set(dead)


@pytest.mark.parametrize(
    ("said", "fewer"),
    [
        ("50% of the living may vote for a no lynch to end the day.", True),
        ("A no elimination takes one vote fewer.", True),
        ("It takes half of the players, rounded up, to cause a no lynch.", True),
        ("A no lynch takes more than half of the votes, too.", False),
        ("No lynch needs 50% + 1 of the votes.", False),
        ("If half of you have not voted by then, there is no lynch.", False),
        ("It takes half plus one of the votes to lynch or to no lynch.", False),
        ("There is no lynch today, half of you were away.", False),
    ],
)
def test_half_of_the_votes_end_a_day_for_nobody_only_where_it_is_said(said: str, fewer: bool) -> None:
    assert told(said).fewer_for_nobody is fewer


def test_what_the_rules_say_of_no_elimination_holds_on_every_day() -> None:
    rules = ("Wren", "A no elimination needs half of the votes.")
    count = counted(
        rules,
        *DAY_ONE,
        ("Wren", "Boro was eliminated."),
        ("Wren", "Day 2 begins. Nobody died.<br>With 6 alive, it takes 4 to eliminate."),
        ("Ada", "no elimination"),
        ("Cinder", "no elimination"),
        ("Dusk", "no elimination"),
    )
    assert count.tally.hammer is not None and count.tally.hammer.target is None


def test_a_votecount_that_omits_many_voters_is_no_list_of_the_living() -> None:
    part = "VC 1.1<br>Boro (1): Ada<br>Not voting: Fen, Gale"
    listed = "Players<br>1. Ada<br>2. Boro<br>3. Cinder<br>4. Dusk<br>5. Elm<br>6. Fen<br>7. Gale"
    said = (*DAY_ONE[:3], ("Elm", "Fen"), ("Wren", part), ("Fen", "Boro"))
    posts = thread(*said, opening=listed)
    count = votecount(posts, HABITS, NO_FILE, Ask(), datetime(2026, 3, 2, tzinfo=UTC))
    assert count.tally.alive == 7
    assert count.tally.hammer is None


@pytest.mark.parametrize(
    "after",
    [
        "Votecount 1.2<br>Boro (3): Ada, Cinder, Dusk<br>Ada (1): Boro<br>Not voting (3): Elm, Fen, Gale",
        "Votecount 1.2<br>Ada (4): Boro, Elm, Fen, Gale<br>Boro (3): Ada, Cinder, Dusk<br>Not voting: nobody",
        "Ada has been eliminated. She was a Townie.",
    ],
)
def test_a_hammer_that_the_moderator_speaks_against_is_not_claimed(after: str) -> None:
    count = counted(*DAY_ONE, ("Wren", after), day=1)
    assert (count.tally.needed, count.tally.hammer) == (None, None)


@pytest.mark.parametrize(
    "after",
    [
        "Votecount 1.2<br>Boro (4): Ada, Cinder, Dusk, Elm<br>Ada (1): Boro<br>Not voting (2): Fen, Gale",
        "Boro has been eliminated. Ada was the first to vote for him.",
        "Ada and the others watched how Boro was eliminated.",
        "Dead: Hollis, eliminated on day 0.",
    ],
)
def test_a_hammer_that_the_moderator_confirms_stands(after: str) -> None:
    count = counted(*DAY_ONE, ("Wren", after), day=1)
    assert count.tally.hammer is not None


IDLE_ELM = (
    "Votecount 1.1<br>Boro (1): Ada<br>Ada (1): Boro<br>Not voting (5): Cinder, Fen, Gale, Elmstone, Quiet"
)
VOTING_ELM = (
    "Votecount 1.2<br>Boro (2): Ada, Elmstone<br>Ada (1): Boro<br>Not voting (4): Cinder, Fen, Gale, Quiet"
)


def test_an_account_is_who_stands_in_the_counts_where_it_votes() -> None:
    before = (("Ada", "Boro"), ("Boro", "Ada"), ("Wren", IDLE_ELM))
    after = (("Wren", VOTING_ELM), ("Cinder", "Boro"), ("Fen", "Ada"), ("Gale", "Ada"))
    count = counted(*before, ("Tansy", "Boro"), *after)
    assert any("Tansy votes but is not listed, and Elmstone" in line for line in count.assumed)
    assert wagons(count)["Boro"] == 3
    two = counted(*before, ("Tansy", "Boro"), ("Hazel", "Boro"), *after)
    assert not any("taken for one player" in line for line in two.assumed)
    elsewhere = counted(*before, ("Tansy", "Ada"), *after)
    assert not any("taken for one player" in line for line in elsewhere.assumed)


@pytest.mark.parametrize(
    ("said", "dead"),
    [
        ("I have removed Boro from the game. Role: Vanilla Townie.", {"Boro"}),
        ("I have removed Boro (was Fen) from the game.", {"Boro"}),
        ("Boro is no longer in the game as of this post.", {"Boro"}),
        ("I have not removed Boro from the game.", set()),
        ("Boro, Ada and Fen were tied, so nobody is eliminated.", set()),
    ],
)
def test_who_is_out_of_the_game_is_told_dead(said: str, dead: set[str]) -> None:
    assert told(said).dead() == dead


@pytest.mark.parametrize(
    "line",
    [
        "Boro, Ada and Fen were tied, so nobody is eliminated.",
        "Boro and Ada tied. Ties go against the town: Fen is eliminated.",
    ],
)
def test_a_tie_is_the_death_of_nobody_who_is_named_in_it(line: str) -> None:
    assert "Boro" not in told(line).dead()


@pytest.mark.parametrize(
    "rule",
    [
        "Whoever has the most votes at the deadline is eliminated.",
        "A player with votes from more than half of the living players is eliminated at once.",
        "If nobody has so many, nobody is eliminated.",
        "The player with the most votes at the deadline is eliminated.",
    ],
)
def test_a_rule_of_the_vote_ends_no_day(rule: str) -> None:
    assert not told(rule).closes


def test_a_roll_names_who_holds_the_seats_now() -> None:
    assert told("3 alive: Ada, Boro (was Elm), Fen.").roll == ("Ada", "Boro", "Fen")
