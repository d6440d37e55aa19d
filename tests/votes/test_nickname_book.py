"""What a book of earlier answers offers, and what an answer teaches it. Names and posts are invented."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Departure, DepartureKind, Holder, Post, PostId, Roster, roster_of
from knightfall.votes.ballots import platform_forms
from knightfall.votes.nickname_book import Teaching
from knightfall.votes.nicknames import DayRead, decided_name, is_written
from knightfall.votes.questions import Question, grouped, informed
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Fix, Moderation, Tally, tally
from knightfall.votes.vote_parser import PostReader
from knightfall.writeups.facts import doubt_json
from knightfall.writeups.vote_words import could_be

CAST = roster_of(["Ada", "Boro", "Cinder", "Fen", "Kestrel", "Moth"])
STYLE = html_style_of("phpbb")
WREN = frozenset({"wren"})
AUTUMN, WINTER = datetime(2026, 10, 2, tzinfo=UTC), datetime(2026, 12, 5, tzinfo=UTC)


def taught(nickname: str, account: str, game: str = "Tin Valley", at: datetime = AUTUMN) -> Teaching:
    return Teaching("forum.example", nickname, account, game, at)


def day_of(*said: tuple[str, str], roster: Roster = CAST, fixes: dict[int, Fix] | None = None) -> DayRead:
    """A day of these posts, from 1 on."""
    read = PostReader(STYLE, platform_forms("phpbb"), WREN).ballots_by_post(posts_of(*said))
    moderation = Moderation(WREN, fixes or {})
    day = DayRead(Day(1, 1, len(said)), len(said), roster, Rule(), tuple(read), moderation)
    return day.with_counts_in(posts_of(*said), STYLE)


def posts_of(*said: tuple[str, str]) -> tuple[Post, ...]:
    return tuple(Post(PostId(str(n)), n, who, body) for n, (who, body) in enumerate(said, start=1))


def counted(day: DayRead) -> Tally:
    return tally(day.ballots, day.roster, day.rule, day.day, day.until, day.moderation)


def asked(*said: tuple[str, str], book: tuple[Teaching, ...], roster: Roster = CAST) -> tuple[Question, ...]:
    """The questions of a day of these posts, with that book."""
    day = day_of(*said, roster=roster)
    return grouped(informed(counted(day), (day,), posts_of(*said), STYLE, book))


def vote(name: str) -> str:
    return f"<b>Vote: {name}</b>"


def test_a_question_offers_first_whom_an_earlier_game_called_so_and_says_where() -> None:
    (question,) = asked(("Ada", vote("lampman")), book=(taught("Lampman", "Moth"),))
    assert question.candidates == ("Moth",)
    assert could_be(question) == "could be Moth (as in Tin Valley)"


def test_nothing_of_the_book_is_counted() -> None:
    day = day_of(("Ada", vote("lampman")))
    assert [one.target for one in counted(day).wagons] == []
    (question,) = asked(("Ada", vote("lampman")), book=(taught("lampman", "Moth"),))
    assert question.doubts[0].name == "lampman"


def test_a_game_without_a_title_is_told_by_its_date() -> None:
    (question,) = asked(("Ada", vote("lampman")), book=(taught("lampman", "moth", game=""),))
    assert could_be(question) == "could be Moth (as on 2026-10-02)"


def test_a_name_of_two_players_offers_both_the_latest_first() -> None:
    book = (taught("lampman", "Moth"), taught("lampman", "Fen", "Salt Lane", WINTER))
    (question,) = asked(("Ada", vote("lampman")), book=book)
    assert could_be(question) == "could be Fen (as in Salt Lane) or Moth (as in Tin Valley)"


def test_of_several_games_the_latest_is_named() -> None:
    book = (taught("lampman", "Moth", "Salt Lane", WINTER), taught("lampman", "Moth"))
    (question,) = asked(("Ada", vote("lampman")), book=book)
    assert could_be(question) == "could be Moth (as in Salt Lane)"


def test_the_moderators_own_votecount_goes_before_the_book() -> None:
    count = "Moth (1): Ada<br>Cinder (1): Boro<br>Not voting (4): Cinder, Fen, Kestrel, Moth"
    said = (("Ada", vote("lampman")), ("Boro", vote("Cinder")), ("Wren", count))
    (question,) = asked(*said, book=(taught("lampman", "Fen"),))
    assert could_be(question) == "could be Moth or Fen (as in Tin Valley) (#3 counts it so)"


@pytest.mark.parametrize(
    ("account", "voter"),
    [("Gale", "Ada"), ("Moth", "Moth"), ("Kestrel", "Ada")],
    ids=["who plays no more", "the voter", "the dead"],
)
def test_only_the_living_of_this_game_are_offered_and_not_to_themselves(account: str, voter: str) -> None:
    roster = CAST.with_departure("Kestrel", Departure(DepartureKind.KILLED, 1))
    (question,) = asked((voter, vote("lampman")), book=(taught("lampman", account),), roster=roster)
    assert (question.candidates, dict(question.earlier)) == ((), {})


def test_a_player_is_known_by_an_account_that_gave_the_slot_away() -> None:
    roster = CAST.with_holder("Moth", Holder("Gale", 1))
    (question,) = asked(("Ada", vote("lampman")), book=(taught("lampman", "Moth"),), roster=roster)
    assert question.candidates == ("Gale",)


def test_what_names_somebody_without_doubt_asks_nothing_whatever_the_book_says() -> None:
    assert asked(("Ada", vote("Fen")), book=(taught("Fen", "Moth"),)) == ()


def test_a_program_is_told_where_a_candidate_was_called_so() -> None:
    (question,) = asked(("Ada", vote("lampman")), book=(taught("lampman", "Moth"),))
    told = doubt_json(question.doubts[0])
    assert told["earlier"] == [{"name": "Moth", "game": "Tin Valley", "date": "2026-10-02"}]


@pytest.mark.parametrize(
    ("written", "to", "learned"),
    [
        ("lampman", "Moth", "lampman"),
        ("the lamp man!", "Moth", "the lamp man"),
        ("kestel", "Kestrel", "kestel"),
        ("him", "Moth", None),
        ("nobody", "Moth", None),
        ("Kestrel lynched today", "Kestrel", None),
        ("whoever wrote the long post above", "Moth", None),
        ("Fen", "Moth", None),
    ],
)
def test_a_decision_teaches_what_was_typed_if_that_is_a_nickname(
    written: str, to: str, learned: str | None
) -> None:
    found = decided_name(day_of(("Ada", vote(written)), fixes={1: Fix(1, to=to)}), 1)
    assert (found and (found[0], found[1].name)) == (learned and (learned, to))


def test_a_post_with_two_votes_and_one_that_was_ignored_teach_nothing() -> None:
    two = day_of(("Ada", f"{vote('lampman')}<br>{vote('sparky')}"), fixes={1: Fix(1, to="Moth")})
    gone = day_of(("Ada", vote("lampman")), fixes={1: Fix(1, ignore=True)})
    assert (decided_name(two, 1), decided_name(gone, 1)) == (None, None)


@pytest.mark.parametrize(
    ("body", "there"),
    [("I fear the <b>Lampman</b>.", True), ("I fear lampmen.", False), ("lamp man", False)],
)
def test_a_name_is_written_where_it_stands_word_for_word(body: str, there: bool) -> None:
    assert is_written("lampman", posts_of(("Ada", body)), STYLE) is there
