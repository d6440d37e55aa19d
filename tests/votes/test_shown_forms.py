"""Forms of a vote that only the moderator's own words show: each row is a house."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from knightfall.forums import html_style_of
from knightfall.models import Post, PostId, Thread
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.votecount import Votecount

PLAYERS = ("Hedda", "Ivo", "Juno", "Kaspar", "Lotte", "Milan", "Nadia")
VOTES = {"Hedda": "Ivo", "Juno": "Ivo", "Ivo": "Milan", "Kaspar": "Milan"}
BEGAN = datetime(2026, 3, 2, 9, tzinfo=UTC)

SHOWN = [
    (
        "phpbb",
        "If somebody has to go, write <strong>Banish: Player</strong>.",
        "<strong>Banish: {n}</strong>",
    ),
    ("phpbb", "The words are <strong>Name to the lake</strong>.", "<strong>{n} to the lake</strong>"),
    ("mybb", "Votes have the form “Name must swim”, alone on a line.", "{n} must swim"),
    (
        "smf",
        "An example of a vote: <strong>Hedda feeds the geese</strong>.",
        "<strong>{n} feeds the geese</strong>",
    ),
    ("phpbb", "Put your suspect into square brackets, twice: [[Name]]. That is a vote.", "Hm. [[{n}]] it is"),
    ("xenforo", "Vote as %Name% anywhere in a post.", "well, %{n}%, I think"),
    ("xenforo", "Only votes in green count.", '<span style="color: green">Vote: {n}</span>'),
    ("vbulletin", "Paint the name of whoever you vote for purple.", '<font color="purple">{n}</font>'),
    ("phpbb", "Votes go in large letters.", '<span style="font-size: 150%; line-height: normal">{n}</span>'),
    (
        "mybb",
        "Write your vote in a big font.",
        '<span style="font-size: x-large;" class="mycode_size">Vote: {n}</span>',
    ),
    ("smf", "Vote with a bullet point that holds the name alone.", '<ul class="bbc_list"><li>{n}</li></ul>'),
    ("xenforo", "A vote is a list item.", "<ul><li>vote {n}</li></ul>"),
    (
        "phpbb",
        "Vote with the number of a player, a hash before it: <strong>#4</strong>.",
        "<strong>#{i}</strong>",
    ),
    ("mybb", "Vote with the number of the player in square brackets, as in [5].", "[{i}]"),
    ("phpbb", "On vote en gras : <strong>Nom au bûcher</strong>.", "<strong>{n} au bûcher</strong>"),
    (
        "smf",
        "Para votar, en negrita: <strong>A la hoguera NOMBRE</strong>.",
        "<strong>A la hoguera {n}</strong>",
    ),
    ("phpbb", "† Name † is a vote.", "† {n} †"),
    ("discourse", "Put your vote in code: <code>sink name</code>", "<code>sink {n}</code>"),
]
UNSHOWN = [
    ("phpbb", "Votes are in bold.", "<strong>{n} is at home</strong>"),
    (
        "phpbb",
        "Welcome! <strong>Orders by midnight</strong>. Vote in bold.",
        "<strong>{n} by midnight</strong>",
    ),
    ("xenforo", "Vote in bold. Green is mine alone.", "%{n}%"),
]


def counted(
    platform: str,
    rules: str,
    form: str,
    last: tuple[str, str] | None = None,
    opens: str = "<b>Day 1</b> begins.",
) -> Votecount:
    """The count of a thread whose opening post has these rules, whose post `opens` the first day, and whose
    players vote in that form; `last` is one more post."""
    listed = "<br>".join(f"{place}. {name}" for place, name in enumerate(PLAYERS, start=1))
    bodies = [
        ("Warden", f"{rules} A majority hangs somebody at once.<br><br>Players:<br>{listed}"),
        *((name, "Good morning.") for name in PLAYERS),
        ("Warden", opens),
        *((who, form.format(n=whom, i=PLAYERS.index(whom) + 1)) for who, whom in VOTES.items()),
        *((last,) if last else ()),
    ]
    posts = tuple(
        Post(PostId(str(70 + number)), number, author, body, time=BEGAN + timedelta(minutes=7 * number))
        for number, (author, body) in enumerate(bodies, start=1)
    )
    thread = Thread(platform, "Geese", posts)
    habits = Habits(html_style_of(platform))
    return votecount(thread, habits, CountConfig(), Ask(), BEGAN + timedelta(hours=9))


@pytest.mark.parametrize(("platform", "rules", "form"), SHOWN)
def test_a_form_that_the_moderator_shows_counts_and_is_told(platform: str, rules: str, form: str) -> None:
    count = counted(platform, rules, form)
    found = {vote.voter.name: w.target.name for w in count.tally.wagons if w.target for vote in w.votes}
    assert found == VOTES
    assert any("Votes are written as post #1 says" in str(one) for one in count.assumed)


@pytest.mark.parametrize(
    ("rules", "form", "undone"),
    [
        ("Commands: /vote Name casts, /retract takes it off.", "/vote {n}", "/retract"),
        (
            "Vote: Name in bold. If you regret it: I stay my hand.",
            "<b>Vote: {n}</b>",
            "<b>I stay my hand</b>",
        ),
        ("On vote ainsi : Au lac Nom. Pour annuler : Je retire.", "<b>Au lac {n}</b>", "<b>Je retire</b>"),
    ],
)
def test_words_that_the_rules_give_take_a_vote_back(rules: str, form: str, undone: str) -> None:
    count = counted("phpbb", rules, form, ("Juno", undone))
    found = {vote.voter.name: w.target.name for w in count.tally.wagons if w.target for vote in w.votes}
    assert found == {who: whom for who, whom in VOTES.items() if who != "Juno"}


def test_whom_the_post_that_opens_the_first_day_names_in_words_nobody_understands_is_asked_about() -> None:
    rules, form, opens = "We open with a night.", "<b>Vote: {n}</b>", "Nadia has no more songs. Day 1 dawns."
    asked = "Does Nadia live?"
    assert any(str(one).startswith(asked) for one in counted("phpbb", rules, form, opens=opens).assumed)
    heard = counted("phpbb", rules, form, ("Nadia", "Here I am."), opens)
    assert not any(str(one).startswith(asked) for one in heard.assumed)


@pytest.mark.parametrize(("platform", "rules", "form"), UNSHOWN)
def test_a_form_that_nobody_shows_is_no_vote(platform: str, rules: str, form: str) -> None:
    assert not [w for w in counted(platform, rules, form).tally.wagons if w.target]
