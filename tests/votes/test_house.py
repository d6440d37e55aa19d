"""The rules of a house as its moderator states them, what is said of them, and what an answer changes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from knightfall.errors import InputError
from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Thread
from knightfall.names import Names as NoNames
from knightfall.votes.ballots import Form, platform_forms
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.house import check_answers, house_of, sayings
from knightfall.votes.known import How
from knightfall.votes.rule import AtDeadline, Death, NoElim, Rule, Tie
from knightfall.votes.tally import UncountedReason
from knightfall.votes.votecount import Votecount

NAMES = ("Ada", "Boro", "Cato", "Dora", "Ewan", "Finn", "Gwen")
LIST = "Players:<br>" + "<br>".join(NAMES)
NOBODY = NoNames(())
PHPBB = Rule(forms=platform_forms("phpbb"))


def rule_of(*posts: str, answers: tuple[str, ...] = ()) -> Rule:
    """The rule by what posts say, each a line."""
    told = [(number, tuple(sayings([post], NOBODY))) for number, post in enumerate(posts, 1)]
    return house_of(told, PHPBB, answers).rule


def counted(
    rules: str, *said: tuple[str, str], house: tuple[str, ...] = (), platform: str = "phpbb"
) -> Votecount:
    """The count of a thread of Host's without a file, in which everybody posts once before, in the posts 2 to
    8; a text that begins with “!” is a post as it stands."""
    posts = [Post(PostId("1"), 1, "Host", f"{LIST}<br><br>{rules}")]
    posts += [Post(PostId(str(n)), n, who, "I am here.") for n, who in enumerate(NAMES, 2)]
    for number, (who, text) in enumerate(said, 9):
        as_it_stands = who == "Host" or text.startswith("!")
        body = text.removeprefix("!") if as_it_stands else f"<b>Vote: {text}</b>"
        posts.append(Post(PostId(str(number)), number, who, body))
    thread, habits = Thread(platform, "The weir", tuple(posts)), Habits(html_style_of(platform))
    return votecount(thread, habits, CountConfig(house=house), Ask(), datetime(2026, 5, 4, tzinfo=UTC))


def wagons(count: Votecount) -> dict[str, str]:
    return {
        wagon.target.name if wagon.target else "-": " ".join(vote.voter.name for vote in wagon.votes)
        for wagon in count.tally.wagons
    }


# ---- What eliminates


@pytest.mark.parametrize(
    ("said", "death"),
    [
        ("A majority lynches a player.", Death.MAJORITY),
        ("As soon as more than half of the players vote for somebody, they are executed.", Death.MAJORITY),
        ("With 13 alive, it takes 7 to lynch.", Death.MAJORITY),
        ("When somebody is hammered the day ends at once.", Death.MAJORITY),
        ("If no majority is reached by the deadline, nobody is eliminated.", Death.MAJORITY),
        ("This game uses plurality.", Death.PLURALITY),
        ("At the deadline whoever has the most votes is eliminated.", Death.PLURALITY),
        ("There is no hammer. The biggest wagon at the deadline hangs.", Death.PLURALITY),
        ("Wer am Ende des Tages die meisten Stimmen hat, wird gehängt.", Death.PLURALITY),
        ("A majority lynches. Without one, the player with the most votes at the deadline dies.", Death.BOTH),
        ("Currently Ada is set to be eliminated.", Death.PLURALITY),
        ("The town wins with a majority, and we vote on the best player.", Death.MAJORITY),
        ("Who do you think has the most votes at the deadline?", Death.MAJORITY),
        ("If more than one player is tied for the most votes, nobody is lynched.", Death.MAJORITY),
    ],
)
def test_what_eliminates_is_read_from_the_rules(said: str, death: Death) -> None:
    lines = [said]
    told = [(1, tuple(sayings(lines, NOBODY)))]
    assert house_of(told, PHPBB).rule.death is death


def test_the_last_statement_holds_but_a_number_takes_no_missing_hammer_back() -> None:
    assert rule_of("A majority lynches.", "This game uses plurality, I was wrong.").death is Death.PLURALITY
    assert rule_of("This game uses plurality.", "A majority lynches after all.").death is Death.MAJORITY
    assert rule_of("There is no hammer.", "With 7 alive, it takes 4 to lynch.").death is Death.PLURALITY
    most = "The most votes at the deadline lynch."
    assert rule_of(most, "With 7 alive, it takes 4 to lynch.").death is Death.BOTH


def test_an_answer_comes_before_every_statement() -> None:
    assert rule_of("A majority lynches.", answers=("plurality",)).death is Death.PLURALITY
    assert check_answers([" plurality ", "here", "own_line", "no bang"]) == (
        "plurality",
        "here",
        "own_line",
        "no bang",
    )
    with pytest.raises(InputError, match="majority, plurality, both, here"):
        check_answers(["by lot"])


def test_other_rules_are_read() -> None:
    rule = rule_of(
        "If there is a tie, the first to reach that many votes is lynched. You cannot vote for yourself.",
        "If no majority is reached at the deadline, nobody is lynched. There are two lynches each day.",
        "You may not vote no lynch.",
    )
    assert (rule.tie, rule.self_vote, rule.eliminations) == (Tie.FIRST_TO_REACH, False, 2)
    assert (rule.at_deadline, rule.no_elimination) == (AtDeadline.NOBODY, NoElim.NO)


def test_plurality_has_no_hammer_and_says_where_it_was_read() -> None:
    rules = "Plurality: at the deadline whoever has the most votes is eliminated. There is no hammer."
    four = [(who, "Gwen") for who in ("Ada", "Boro", "Cato", "Dora")]
    moved = [(who, "Ewan") for who in ("Ada", "Boro", "Gwen")]
    count = counted(rules, *four, *moved)
    assert wagons(count) == {"Ewan": "Ada Boro Gwen", "Gwen": "Cato Dora"}
    assert count.tally.hammer is None
    assert not [one for one in count.not_counted if one.why is UncountedReason.AFTER_HAMMER]
    assert any("as post #1 says" in one and "no hammer" in one for one in count.assumed)
    assert (count.known.rule.how, count.known.rule.post) == (How.READ, 1)


# ---- Where and how votes are written


def test_votes_that_are_made_elsewhere_are_not_counted() -> None:
    rules = '<a href="https://board.example/t/9">Votes are made in the voting thread</a>, not here.'
    four = [(who, "Gwen") for who in ("Ada", "Boro", "Cato", "Dora")]
    count = counted(rules, *four)
    assert (wagons(count), count.tally.hammer) == ({}, None)
    assert {one.why for one in count.not_counted} == {UncountedReason.ELSEWHERE}
    assert any("https://board.example/t/9" in one for one in count.assumed)
    assert wagons(counted(rules, *four, house=("here",))) == {"Gwen": "Ada Boro Cato Dora"}


def test_a_line_of_its_own_needs_no_bold_where_the_rules_say_so() -> None:
    rules = "Put your vote on a line of its own: Vote: Name. No bold needed."
    plain = [(who, "!Vote: Gwen") for who in ("Ada", "Boro")]
    talk = ("Cato", "!I think <b>vote: Dora</b> is silly")
    count = counted(rules, *plain, talk)
    assert wagons(count) == {"Gwen": "Ada Boro"}
    bold = counted("Votes go in bold, on a line of their own.", ("Ada", "!Vote: Gwen"), ("Boro", "Gwen"))
    assert wagons(bold) == {"Gwen": "Boro"}


@pytest.mark.parametrize(
    "mark",
    [
        '<span style="color: red">{}</span>',
        '<font color="#FF0000">{}</font>',
        '<span style="color:#c00">{}</span>',
    ],
)
def test_red_votes_count_where_the_rules_say_so(mark: str) -> None:
    rules = "Votes are made in red text."
    red = ("Ada", "!" + mark.format("Vote Gwen"))
    blue = ("Boro", '!<span style="color: blue">Vote Gwen</span>')
    count = counted(rules, red, blue, ("Cato", "Gwen"))
    assert wagons(count) == {"Gwen": "Ada"}
    assert Form.BOLD not in count.rule.forms.accepted


def test_a_word_of_another_language_is_a_vote_where_the_rules_say_so() -> None:
    rules = "Gestimmt wird so: Stimme: Name."
    count = counted(
        rules, ("Ada", "!<b>Stimme: Gwen</b>"), ("Boro", "!Stimme: Gwen"), ("Boro", "!Stimme zurück")
    )
    assert wagons(count) == {"Gwen": "Ada"}
    in_bold = counted(
        "Stimmen gibt man fett ab: Stimme: Name.", ("Ada", "!<b>Stimme: Gwen</b>"), ("Boro", "!Stimme: Gwen")
    )
    assert wagons(in_bold) == {"Gwen": "Ada"}


@pytest.mark.parametrize(
    ("line", "form"), [("Vote: Gwen", "own_line"), ("<b>Stimme: Gwen</b>", "word:Stimme")]
)
def test_a_form_that_many_write_is_one_question(line: str, form: str) -> None:
    many = [(who, f"!{line}") for who in ("Ada", "Boro", "Cato")]
    count = counted("Have fun.", *many)
    assert wagons(count) == {}
    assert count.known.form.how is How.OPEN
    assert "3 players write" in count.known.asks[0]
    assert wagons(counted("Have fun.", *many, house=(form,))) == {"Gwen": "Ada Boro Cato"}
    assert counted("Have fun.", *many, house=(f"no {form}",)).known.asks == ()


def test_talk_with_a_colon_is_no_form() -> None:
    reads = [(who, "!<b>Town: Gwen</b>") for who in ("Ada", "Boro", "Cato")]
    assert counted("Have fun.", *reads).known.asks == ()
    voting = [(who, "Gwen") for who in ("Dora", "Ewan", "Finn", "Gwen")]
    plain = [(who, "!Vote: Dora") for who in ("Ada", "Boro", "Cato")]
    assert counted("Have fun.", *voting, *plain).known.asks == ()


# ---- People


@pytest.mark.parametrize(
    "said",
    [
        "Hilde replaces Cato. Welcome!",
        "Hilde is replacing Cato.",
        "Hilde has replaced Cato, effective immediately.",
        "Cato has been replaced by Hilde.",
        "Hilde takes over for Cato as of now.",
    ],
)
def test_a_newcomer_holds_the_seat_from_the_moderators_word_on(said: str) -> None:
    count = counted(
        "A majority lynches.", ("Cato", "Dora"), ("Host", said), ("Cato", "Ewan"), ("Hilde", "Finn")
    )
    assert wagons(count) == {"Finn": "Hilde"}
    assert [(one.post, one.why) for one in count.not_counted if one.voter == "Cato"] == [
        (11, UncountedReason.REPLACED)
    ]
    assert count.tally.alive == 7


@pytest.mark.parametrize(
    "said",
    [
        "Effective immediately, Gwen the Vanilla Town has been modkilled.",
        "I am sorry to say that Gwen, Town Doctor, has been modkilled.",
        "Gwen (Mafia Goon) was removed from the game.",
    ],
)
def test_who_is_modkilled_in_words_is_dead_from_then_on(said: str) -> None:
    count = counted("A majority lynches.", ("Gwen", "Ada"), ("Host", f"{said} 6 alive."), ("Boro", "Gwen"))
    assert (count.tally.alive, wagons(count)) == (6, {})


def test_a_death_at_dawn_and_our_own_hammer_tell_who_lives_on_the_next_day() -> None:
    day = [(who, "Gwen") for who in ("Ada", "Boro", "Cato", "Dora")]
    dawn = ("Host", "Day 2 begins. Finn, Town Doctor, was found dead this morning.")
    count = counted("A majority lynches.", *day, ("Host", "It is now Night 1."), dawn, ("Ada", "Boro"))
    assert (count.day.number, count.tally.alive, count.tally.needed) == (2, 5, 3)
    assert {slot.name for slot in count.tally.not_voting} == {"Boro", "Cato", "Dora", "Ewan"}


def test_somebody_silent_whose_name_begins_with_anothers_is_listed() -> None:
    posts = [(who, "!hello") for who in ("Fern", "Bram", "Cato", "Dora")]
    names = "Players:<br>Fern<br>Fern Marie<br>Bram<br>Cato<br>Dora"
    bodies = [Post(PostId("1"), 1, "Host", names)]
    bodies += [Post(PostId(str(n)), n, who, text[1:]) for n, (who, text) in enumerate(posts, 2)]
    bodies += [Post(PostId("9"), 9, "Bram", "<b>Vote: Fern Marie</b>")]
    habits = Habits(html_style_of("phpbb"))
    thread = Thread("phpbb", "Ferns", tuple(bodies))
    count = votecount(thread, habits, CountConfig(), Ask(), datetime(2026, 5, 4, tzinfo=UTC))
    assert wagons(count) == {"Fern Marie": "Bram"}
    assert count.tally.alive == 5


# ---- What the moderator's own count shows of a vote in doubt


def test_a_vote_in_doubt_is_taken_as_the_moderators_count_has_it() -> None:
    votes = [("Ada", "Gwen"), ("Boro", "the tall one"), ("Cato", "Finn")]
    tally = "Votecount 1.1<br>Gwen (2): Ada, Boro<br>Finn (1): Cato<br>Not voting (4): Dora, Ewan, Finn, Gwen"
    count = counted("A majority lynches.", *votes, ("Host", tally))
    assert wagons(count) == {"Gwen": "Ada Boro", "Finn": "Cato"}
    assert count.questions == ()
    assert any("#10 Boro: Gwen, as #12 shows it" in one for one in count.assumed)
    full = tally.replace("Gwen (2): Ada, Boro", "Gwen (4): Ada, Boro, Dora, Ewan").replace(
        "Not voting (4): Dora, Ewan, ", "Not voting (2): "
    )
    unsettled = counted("A majority lynches.", *votes, ("Host", full))
    assert [doubt.post for doubt in unsettled.questions if doubt.name] == [10]
