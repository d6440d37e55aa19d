"""Whom a question offers, and which questions are one. Every name and post here is invented."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Departure, DepartureKind, Holder, Post, PostId, Roster, Slot, roster_of
from knightfall.names import Names, Unknown
from knightfall.votes.ballots import platform_forms
from knightfall.votes.nicknames import DayRead
from knightfall.votes.questions import Question, _Voters, grouped, informed, unreplaced
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Doubt, Fix, Moderation, tally
from knightfall.votes.vote_parser import PostReader
from votes.build import count

CAST = roster_of(["Ada", "Boro", "Cinder", "Dusk_77", "Elm", "Fen", "Kestrel", "Moth"])
STYLE = html_style_of("phpbb")
WREN = frozenset({"wren"})


def bold(text: str) -> str:
    return f"<b>{text}</b>"


def quoting(name: str, text: str) -> str:
    return f"<blockquote><div><cite>{name} wrote:</cite>hm</div></blockquote>{text}"


def asked(
    *said: tuple[str, str], roster: Roster = CAST, days: int = 0, fixes: dict[int, Fix] | None = None
) -> tuple[Doubt, ...]:
    """The questions of a day of these posts, from 1 on; the first `days` posts are the day before."""
    posts = tuple(Post(PostId(str(n)), n, who, body) for n, (who, body) in enumerate(said, start=1))
    read = tuple(PostReader(STYLE, platform_forms("phpbb"), WREN).ballots_by_post(posts))
    moderation = Moderation(WREN, fixes or {})
    spans = ([(1, days)] if days else []) + [(days + 1, len(posts))]
    made = [
        DayRead(Day(n, first, last), last, roster, Rule(), read, moderation).with_counts_in(posts, STYLE)
        for n, (first, last) in enumerate(spans, start=1)
    ]
    last = made[-1]
    counted = tally(last.ballots, roster, last.rule, last.day, last.until, moderation)
    return informed(counted, made, posts, STYLE)


def offered(doubts: tuple[Doubt, ...]) -> dict[int, tuple[str, ...]]:
    return {doubt.post: doubt.candidates for doubt in doubts}


COUNT = "Moth (1): Ada<br>Elm (1): Boro<br>Not voting (5): Cinder, Dusk_77, Elm, Fen, Kestrel"
QUOTED = "<blockquote><div><cite>Fen wrote:</cite>vote Moth</div></blockquote>no"


def test_the_moderators_next_count_tells_whom_a_vote_means() -> None:
    found = asked(("Ada", bold("Vote: lampman")), ("Boro", bold("Vote: Elm")), ("Wren", COUNT))
    assert [(doubt.candidates, doubt.count) for doubt in found] == [(("Moth",), 3)]


def test_a_count_that_shows_the_voters_earlier_vote_tells_nothing() -> None:
    found = asked(
        ("Ada", bold("Vote: Moth")),
        ("Ada", bold("Vote: lampman")),
        ("Boro", bold("Vote: Elm")),
        ("Wren", COUNT),
    )
    assert [(doubt.candidates, doubt.count) for doubt in found] == [((), None)]


def test_a_count_after_the_voters_next_ballot_tells_nothing() -> None:
    found = asked(
        ("Ada", bold("Vote: lampman")),
        ("Boro", bold("Vote: Elm")),
        ("Ada", bold("Vote: Moth")),
        ("Wren", COUNT),
    )
    assert offered(found) == {1: ()}


def test_who_was_called_so_the_day_before_is_offered() -> None:
    found = asked(
        ("Ada", bold("Vote: lampman")),
        ("Boro", bold("Vote: Elm")),
        ("Wren", COUNT),
        ("Cinder", bold("Vote: lampman")),
        days=3,
    )
    assert offered(found) == {4: ("Moth",)}


def test_whom_the_moderator_took_a_name_for_is_offered() -> None:
    found = asked(
        ("Ada", bold("Vote: lampman")), ("Boro", bold("Vote: lampman")), fixes={1: Fix(1, to="Moth")}
    )
    assert offered(found) == {2: ("Moth",)}


def test_who_is_answered_by_a_name_is_offered() -> None:
    found = asked(
        ("Boro", quoting("Moth", "Lampman, why?")),
        ("Cinder", quoting("Moth", "no, lampman")),
        ("Elm", quoting("Fen", "as I said")),
        ("Ada", bold("Vote: lampman")),
    )
    assert offered(found) == {4: ("Moth",)}


@pytest.mark.parametrize(
    "said",
    [
        [("Boro", quoting("Moth", "Lampman, why?"))],
        [("Boro", quoting("Moth", "Lampman?")), ("Cinder", quoting("Fen", "lampman!"))],
        [("Boro", quoting("Ada", "Lampman?")), ("Cinder", quoting("Ada", "lampman!"))],
    ],
    ids=["once", "two people", "the voter"],
)
def test_below_the_floor_nobody_is_offered(said: list[tuple[str, str]]) -> None:
    found = asked(*said, ("Ada", bold("Vote: lampman")))
    assert [doubt.candidates for doubt in found] == [()]


@pytest.mark.parametrize(
    ("written", "near"),
    [("Harennet", "Grimharrenet"), ("kettkett", "Kettwicks"), ("nartif", "Xfidran")],
)
def test_a_part_of_a_name_that_is_nearly_written_is_near(written: str, near: str) -> None:
    meant = Names(roster_of([near, "Ada", "Fen"]).slots).match(written)
    assert isinstance(meant, Unknown)
    assert meant.nearest == (near,)


@pytest.mark.parametrize("written", ["hat", "Saltmaid", "deadline extension", "abandon ship"])
def test_what_is_like_no_name_is_near_to_nobody(written: str) -> None:
    meant = Names(CAST.slots).match(written)
    assert not isinstance(meant, Unknown) or meant.nearest == ()


# ---- Votes that only the moderator counted


def test_a_vote_that_only_the_moderator_counted_is_asked_about() -> None:
    found = asked(("Boro", bold("Vote: Elm")), ("Ada", "ok then, vote Moth"), ("Wren", COUNT))
    assert [(doubt.post, doubt.candidates, doubt.count) for doubt in found] == [(2, ("Moth",), 3)]


def test_a_vote_whose_name_was_guessed_for_another_is_asked_about() -> None:
    roster = Roster((*CAST.slots, Slot((Holder("Mothenee"),))))
    found = asked(
        ("Ada", bold("Vote: kestrle")),
        ("Boro", bold("Vote: Elm")),
        ("Wren", COUNT.replace("Kestrel", "Kestrel, Mothenee").replace("(5)", "(6)")),
        roster=roster,
    )
    assert [(doubt.post, doubt.candidates, doubt.count) for doubt in found] == [(1, ("Moth", "Kestrel"), 3)]


@pytest.mark.parametrize(
    "said",
    [
        # The moderator lags: the voter wrote nothing for that player.
        [("Ada", bold("Vote: Fen")), ("Boro", bold("Vote: Elm")), ("Wren", COUNT)],
        # The voter has moved since.
        [("Boro", bold("Vote: Elm")), ("Ada", "vote Moth"), ("Wren", COUNT), ("Ada", bold("Vote: Fen"))],
        # It was before a vote that was read.
        [("Ada", "vote Moth"), ("Ada", bold("Vote: Fen")), ("Boro", bold("Vote: Elm")), ("Wren", COUNT)],
        # Somebody else's words.
        [
            ("Boro", bold("Vote: Elm")),
            ("Ada", QUOTED),
            ("Wren", COUNT),
        ],
        # Both agree.
        [("Ada", bold("Vote: Moth")), ("Boro", bold("Vote: Elm")), ("Wren", COUNT)],
    ],
    ids=["lag", "moved", "before", "quoted", "agree"],
)
def test_else_the_moderators_count_asks_nothing(said: list[tuple[str, str]]) -> None:
    found = asked(*said)
    assert not any(doubt.post == 2 and "Moth" in doubt.text for doubt in found) and not found


def test_what_was_decided_is_not_asked_again() -> None:
    said = (("Boro", bold("Vote: Elm")), ("Ada", "vote Moth"), ("Wren", COUNT))
    assert not asked(*said, fixes={2: Fix(2, ignore=True)})


def test_a_voter_of_whom_the_moderators_count_asks_nothing_may_have_the_vote_that_a_day_lacks() -> None:
    # Ada's vote is that of the count, and Cinder wrote theirs in a form that does not count here.
    said = [
        ("Ada", bold("Vote: Moth")),
        *((name, bold("Vote: Elm")) for name in ("Boro", "Dusk_77", "Fen", "Kestrel")),
        ("Cinder", "##vote Elm"),
        (
            "Wren",
            "Moth (2): Ada, Cinder<br>Elm (4): Boro, Dusk_77, Fen, Kestrel<br>Not voting: Elm, Moth",
        ),
    ]
    assert [(doubt.post, doubt.candidates, doubt.count) for doubt in asked(*said)] == [(6, ("Elm",), None)]


@pytest.mark.parametrize("seed", range(6))
def test_the_votes_that_stand_at_a_post_are_those_of_the_tally_as_of_it(seed: int) -> None:
    dice = random.Random(seed)
    names = [slot.name for slot in CAST.slots]
    gone = Departure(dice.choice((DepartureKind.KILLED, DepartureKind.ELIMINATED)), 30)
    roster = Roster((CAST.slots[0].leaving(gone), replace(CAST.slots[1], weight=2), *CAST.slots[2:]))
    words = [bold(f"Vote: {name}") for name in (*names, "lampman", "no lynch")] + [bold("unvote")]
    posts = [
        Post(PostId(str(number)), number, dice.choice(names), dice.choice(words)) for number in range(1, 50)
    ]
    read = tuple(PostReader(STYLE, platform_forms("phpbb"), WREN).ballots_by_post(posts))
    day = DayRead(Day(1, 1, None, resets=(20,)), 49, roster, Rule(fixed_needed=4), read, Moderation(WREN))
    voters = _Voters(day, posts)
    for number in range(50):
        standing = {
            (vote.voter.name, vote.post, vote.text)
            for slot in roster.slots
            for vote in voters.standing(slot, number)
        }
        wagons = day.tally_at(number).wagons
        assert standing == {(v.voter.name, v.post, v.text) for wagon in wagons for v in wagon.votes}


# ---- What one answer settles


def doubt(post: int, voter: str, name: str, *candidates: str, why: str = "") -> Doubt:
    return Doubt(post, voter, f"Vote: {name}", candidates, why=why, name=name)


def test_doubts_on_one_name_are_one_question() -> None:
    questions = grouped([doubt(3, "Ada", "Lampman"), doubt(4, "Elm", "hat"), doubt(9, "Fen", "lamp man")])
    assert [[one.post for one in question.doubts] for question in questions] == [[3, 9], [4]]


def test_a_post_that_changed_is_a_question_of_its_own() -> None:
    questions = grouped([doubt(3, "Ada", "lampman"), doubt(9, "Fen", "lampman", why="was edited")])
    assert len(questions) == 2
    assert questions[1].name == ""


def test_doubts_that_are_not_about_a_name_stay_apart() -> None:
    plain = [Doubt(3, "Ada", "[b]unvote[/b]", ()), Doubt(4, "Ada", "[b]unvote[/b]", ())]
    assert len(grouped(plain)) == 2


@pytest.mark.parametrize(
    ("name", "alias"),
    [("lampman", "lampman"), ("“The Lamp”", "The Lamp"), ("scum", None), ("him", None), ("", None)],
)
def test_only_a_name_can_be_taught(name: str, alias: str | None) -> None:
    assert Question((doubt(3, "Ada", name),), name).alias == alias


# ── Which of them may change a count. ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("lines", "rule", "open_ones"),
    [
        ("1 Ada: vote the odd one", Rule(), [1]),
        ("1 Ada: vote the odd one\n2 Boro: vote Elm", Rule(), [1]),
        ("1 Ada: vote the odd one\n2 Ada: vote Elm", Rule(), []),
        ("1 Ada: vote Elm\n2 Ada: vote the odd one", Rule(), [2]),
        ("1 Ada: vote the odd one\n2 Ada: vote Elm\n3 Ada: unvote", Rule(), []),
        # It may have been the hammer before its voter moved on.
        ("1 Boro: vote Elm\n2 Fen: vote Elm\n3 Ada: vote the odd one\n4 Ada: vote Boro", Rule(), [3]),
        ("1 Boro: vote Elm\n3 Ada: vote the odd one\n4 Ada: vote Boro", Rule(), []),
        # A later vote does not replace it where changes are counted.
        ("1 Ada: vote the odd one\n2 Ada: vote Elm", Rule(max_changes=1), [1]),
    ],
)
def test_a_vote_that_was_cast_anew_since_changes_nothing_any_more(
    lines: str, rule: Rule, open_ones: list[int]
) -> None:
    counted = count(lines, "Ada Boro Dusk Elm Fen", rule)
    assert [doubt.post for doubt in unreplaced(counted.questions, counted, rule)] == open_ones
