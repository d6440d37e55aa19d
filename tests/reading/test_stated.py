"""What sentences of a moderator state of a game: who came in, who helps, that the time is up, who died."""

import pytest

from knightfall.reading.clauses import clauses
from knightfall.reading.statements import (
    Dead,
    Decided,
    Phase,
    Replaced,
    Revived,
    Spared,
    When,
    assistants,
    statements,
)
from knightfall.votes.posted_votecounts import names_of_posters

NAMES = names_of_posters(["Ada", "Bram", "Cleo", "Dov", "Gail"], ["Warden"])


def stated(*lines: str) -> tuple[object, ...]:
    return statements([clauses(line, NAMES) for line in lines])


@pytest.mark.parametrize(
    "said",
    [
        "Zed takes over Ada's seat.",
        "Zed will be playing in Ada's place from now on.",
        "Zed steps in for Ada.",
        "Ada's slot goes to Zed.",
        "Out: Ada. In: Zed.",
        "Ada out, Zed in.",
        "Welcome Zed, who inherits Ada's chair!",
        "Ada is busy; from now on Zed plays in her place.",
        "Ada had to go. Zed sits in their seat now.",
        "Zed übernimmt den Platz von Ada.",
        "Ada wird durch Zed ersetzt.",
        "Ada es reemplazada por Zed.",
        "Zed remplace Ada.",
        "Zed zastępuje Ada.",
        "Zed substitui Ada.",
        "Substitution: Ada out, Zed in.",
        "Sorry, Ada out again, Zed in.",
        "Ada has handed her role to Zed.",
        "Ada → Zed (replacement)",
        "Für Ada spielt ab sofort Zed.",
        "Zed spielt jetzt für Ada.",
    ],
)
def test_who_takes_whose_seat_is_heard(said: str) -> None:
    assert [one for one in stated(said) if isinstance(one, Replaced)] == [Replaced("Zed", "Ada")]


@pytest.mark.parametrize(
    "said",
    [
        "If Ada does not post, Zed takes Ada's seat.",
        "Please keep Ada's seat warm.",
        "We need a substitution for Ada.",
        "Ada → Gail",
        "If Ada stays away, Zed plays for Ada.",
    ],
)
def test_a_seat_that_is_only_spoken_of_is_nobodys_else(said: str) -> None:
    assert not any(isinstance(one, Replaced) for one in stated(said))


@pytest.mark.parametrize(
    "said",
    ["Gail helps me run this.", "My co-host for this game is Gail.", "Gail and I will host this together."],
)
def test_whoever_helps_the_moderator_is_heard(said: str) -> None:
    assert assistants([clauses(said, NAMES)]) == ("Gail",)
    assert assistants([clauses("Gail plays, and I moderate.", NAMES)]) == ()


@pytest.mark.parametrize(
    "said",
    [
        "Five against Ada, who dies as the Village Fool.",
        "Ada has been dragged to the gallows.",
        "The rope goes to Ada, Town Tracker.",
        "Rest in peace, Ada (Town Vigilante).",
        "Ada amanece muerta.",
    ],
)
def test_a_death_in_other_words_is_heard(said: str) -> None:
    assert {name for one in stated(said) if isinstance(one, Dead) for name in one.who} == {"Ada"}


@pytest.mark.parametrize("said", ["Nobody is dragged to the gallows today.", "Had Ada died, we would know."])
def test_a_death_that_did_not_happen_is_none(said: str) -> None:
    assert not any(isinstance(one, Dead) for one in stated(said))


@pytest.mark.parametrize(
    "said",
    [
        "Time's up, no majority, no lynch.",
        "You failed to agree, the gallows stay empty.",
        "No elimination today.",
    ],
)
def test_a_day_that_ends_with_nobody_out_is_heard(said: str) -> None:
    assert any(isinstance(one, Spared) for one in stated(said))


def test_a_night_is_a_title_where_a_few_words_follow_it() -> None:
    [night] = [one for one in stated("The day is over. Night 1, actions please.") if isinstance(one, When)]
    assert night.phase is Phase.TITLE


@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Bram and Cleo are gone; both were murdered.", ("Bram", "Cleo")),
        ("In der Nacht wurde Ada von den Wölfen gefressen.", ("Ada",)),
        ("Anoche mataron a Ada.", ("Ada",)),
        ("W nocy zginął gracz Ada.", ("Ada",)),
        ("In the graveyard: Ada, Bram", ("Ada", "Bram")),
    ],
)
def test_the_dead_are_heard_behind_the_verb_and_before_it(said: str, who: tuple[str, ...]) -> None:
    assert {name for one in stated(said) if isinstance(one, Dead) for name in one.who} == set(who)


@pytest.mark.parametrize("said", ["Time is up, pens down.", "Voting is closed.", "The polls are closed."])
def test_the_end_of_the_time_ends_the_day(said: str) -> None:
    assert any(isinstance(one, Decided) for one in stated(said))
    assert not any(isinstance(one, Decided) for one in stated(f"When {said[0].lower()}{said[1:]}"))


def test_who_dies_and_who_comes_back_is_told_by_who_suffers_it() -> None:
    [killed, *_] = [one for one in stated("A falling chandelier killed Bram.") if isinstance(one, Dead)]
    assert killed.who == ("Bram",)
    assert not any(isinstance(one, Dead) for one in stated("The doctor failed to kill Ada."))
    assert [one.who for one in stated("Dov rises from the dead.") if isinstance(one, Revived)] == [("Dov",)]


@pytest.mark.parametrize(
    "said",
    [
        "Day 2 begins May 3rd.",
        "Day 2 begins on Friday.",
        "It's now day 2 of my holiday.",
        "Day 2: Ada was lynched.",
    ],
)
def test_a_day_that_is_dated_remembered_or_somebodys_own_has_not_begun(said: str) -> None:
    days = [one for one in stated(said) if isinstance(one, When) and not one.night]
    assert [one.phase for one in days] == [Phase.COMES]


def test_a_majority_that_was_missed_spares_everybody() -> None:
    assert any(isinstance(one, Spared) for one in stated("The town has failed to reach a majority."))
    told = stated("Nobody was eliminated before Bram, and now Bram was.")
    assert not any(isinstance(one, Spared) for one in told)


def test_a_player_who_is_called_like_a_word_is_meant_where_no_word_is() -> None:
    names = names_of_posters(["Day", "Town", "Ada"], ["Warden"])
    title = statements([clauses("Day 2", names)])
    assert [one.number for one in title if isinstance(one, When)] == [2]
    told = statements([clauses("Day was killed. Ada the Vanilla Town was killed, too.", names)])
    assert [one.who for one in told if isinstance(one, Dead) and one.sure] == [("Day",), ("Ada",)]


@pytest.mark.parametrize(
    ("lines", "dead"),
    [
        (
            ["The following deaths came in the course of night 2:", "Ada, Town Baker", "Bram, Mafia Goon"],
            {"Ada", "Bram"},
        ),
        (["Dead during Night 1:", "1. Ada - Vanilla Townie"], {"Ada"}),
        (["Ada (Town Baker) was pickled Night 3."], {"Ada"}),
        (["Ada and Bram, the VTs, were offed N2."], {"Ada", "Bram"}),
        (["Ada was the next to be killed by them."], {"Ada"}),
    ],
)
def test_deaths_of_a_night_are_heard_below_a_heading_and_in_words_of_a_story(
    lines: list[str], dead: set[str]
) -> None:
    told = [one for one in stated(*lines) if isinstance(one, Dead) and one.sure]
    assert {name for one in told for name in one.who} == dead


@pytest.mark.parametrize(
    "lines",
    [
        ["You will be killed if you talk:", "Ada"],
        ["Who was killed?", "Ada"],
        ["Still to vote:", "Ada"],
        ["Ada, will Bram be pickled Night 3?"],
    ],
)
def test_names_below_other_lines_are_no_deaths(lines: list[str]) -> None:
    assert not any(isinstance(one, Dead) for one in stated(*lines))


def test_a_name_of_many_signs_is_one_name() -> None:
    assert Replaced("Z-16_of_Falcon", "Dov") in stated("Ada replaces Bram and Z-16_of_Falcon replaces Dov")


def test_whom_something_kills_is_dead_and_whom_it_may_kill_is_not() -> None:
    assert [
        one.who for one in stated("An arrow kills Ada, a Town Miller.") if isinstance(one, Dead) and one.sure
    ] == [("Ada",)]
    for said in ("Who kills Ada?", "If an arrow kills Ada, night falls.", "To kill Ada takes an arrow."):
        assert not any(isinstance(one, Dead) for one in stated(said))


@pytest.mark.parametrize("row", ["(0) (No Lynch) —", "No Lynch (1): Ada", "0 No Lynch"])
def test_a_wagon_of_nobody_is_no_news_that_nobody_was_eliminated(row: str) -> None:
    assert not any(isinstance(one, Spared) for one in stated(row))


def test_a_wagon_with_a_sign_of_the_dead_before_it_tells_of_nobody_on_it() -> None:
    told = [one for one in stated(":dead: Ada (3): Bram, Cleo, Dov LYNCH") if isinstance(one, Dead)]
    assert {"Bram", "Cleo", "Dov"}.isdisjoint(name for one in told for name in one.who)
