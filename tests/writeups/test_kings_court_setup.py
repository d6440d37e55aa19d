"""“This setup” and the role PMs of King's Court: a sentence for each option, of the value chosen."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from knightfall.engine.game import Announced, Event, Told
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT, OPTIONS, Role
from knightfall.games.kings_court.options import FIGURES
from knightfall.markup import dialects
from knightfall.sentence import SlotId
from knightfall.writeups.events import private_message, public_post
from knightfall.writeups.render import render
from salt_court import COURT

NOBODY: tuple[Role, ...] = ()
KING, TEAMS, ALL = (Role.KING,), (Role.DUKE, Role.NOBLE), tuple(Role)

SAID: Mapping[str, tuple[tuple[Role, ...], Mapping[str, str]]] = {
    "kc_02": (ALL, {"24": "round is open for 24 hours.", "1": "round is open for 1 hour."}),
    "first_deadline": (
        NOBODY,
        {
            "unset": "I announce the deadline of round 1.",
            "from_start": "Round 1 opens with the first post of the game",
        },
    ),
    "public_ballots": (
        ALL,
        {
            "reject": "A vote posted in the thread does not count.",
            "accept": "A vote posted in the thread counts as well",
        },
    ),
    "missing_votes": (
        NOBODY,
        {"count": "but not whose.", "names": "The result names everyone who did not vote."},
    ),
    "garnet_floor": (
        ALL,
        {"0": "Your balance never drops below 0.", "none": "Your balance can drop below 0."},
    ),
    "zero_votes": (
        NOBODY,
        {
            "king_decides": "the King picks one of them.",
            "revote": "If nobody votes at all, nobody joins and the same round is voted on again.",
            "no_election": "If nobody votes at all, nobody joins and the next round begins.",
        },
    ),
    "kc_10": (
        KING,
        {
            "random": "Without a list, I draw one of the tied players at random",
            "longest_listed": "Without a list, the tied player whose last vote came in earliest joins",
            "revote": "Without a list, nobody joins and the same round is voted on again.",
        },
    ),
    "tie_publish": (
        KING,
        {
            "fixed": "After every tie I post the result exactly 12 hours later",
            "at_once": "After a tie I post the result as soon as the tie is settled, at the latest 12 hours",
        },
    ),
    "check_delivery": (
        TEAMS,
        {
            "next_deadline": "I answer by PM when the next vote closes",
            "immediate": "I answer by PM at once, so you cannot change the pair.",
        },
    ),
    "annoyed_scope": (
        NOBODY,
        {
            "no": "Looks, peeks and the three names go by the true teams",
            "looks": "The King's looks are wrong about the annoyed players",
            "peeks": "Peeks are wrong about the annoyed players",
            "lists": "The three names are wrong about the annoyed players",
        },
    ),
    "seeds": (
        NOBODY,
        {"one": "All random draws come from one secret seed.", "each_attempt": "a secret seed of its own."},
    ),
    "king_in_pair": (
        TEAMS,
        {
            "different": "the answer is always “different”.",
            "random": "the answer is random.",
            "no_result": "the answer is “no result”.",
            "refuse": "A pair with the King cannot be checked",
        },
    ),
    "hint_lists": (
        NOBODY,
        {
            "per_player": "You are never one of your own names. The extra player can be the King.",
            "shared": "Everyone gets the same three names",
            "king_excluded": "the King is never among them.",
        },
    ),
    "kc_26": (
        ALL,
        {
            "at_once": "and the answer comes at once.",
            "at_deadline": "and the answer comes when the next vote closes",
        },
    ),
    "king_cover": (
        TEAMS,
        {
            "sticky": "I draw this once per attempt, so everyone who peeks at the King sees the same team.",
            "per_peeker": "I draw this once for each player who peeks.",
            "per_peek": "I draw this anew for every peek.",
        },
    ),
    "kc_30": (
        NOBODY,
        {
            "random": "I draw the Duke and the Noble at random.",
            "lost": "If the King sends nothing, those two tokens are lost.",
        },
    ),
    "opal_solo_win": (
        NOBODY,
        {"false": "A winning King gets no Opal.", "true": "A winning King gets an Opal, too."},
    ),
    "tol_holders_can_be_ec": (
        NOBODY,
        {
            "false": "except the two who got a token from the King.",
            "true": "even the two who got a token from the King.",
        },
    ),
    "ec_majority": (
        NOBODY,
        {
            "team": "It takes the votes of more than half of the winning team.",
            "ballots": "It takes more than half of the votes that were sent.",
            "plurality": "The most votes decide.",
        },
    ),
    "kc_35": (
        NOBODY,
        {"seeded": "I draw one of them at random.", "external": "the players play deadlock coin"},
    ),
    "kc_38": (
        KING,
        {
            "counter_only": "A Mark of Elimination (MoE) is only counted.",
            "season_effect": "What a Mark of Elimination (MoE) does is in the rules of the season.",
        },
    ),
    "kc_39": (
        NOBODY,
        {
            "stays_electable": "their role stays secret and in the game.",
            "role_revealed": "I post their role and deal everything again.",
        },
    ),
}
"""Option → whose role PM says it, too, and the words of each value."""

OWN_WORDS: Mapping[tuple[str, str], tuple[Role, str]] = {
    ("annoyed_scope", "looks"): (Role.KING, "Your looks are wrong about the annoyed players"),
    ("annoyed_scope", "peeks"): (Role.NOBLE, "The annoyed Duke shows as Noble, the annoyed Noble as Duke."),
    ("kc_30", "lost"): (Role.KING, "If you send nothing, those two tokens are lost."),
    ("kc_30", "random"): (Role.KING, "If you send nothing, I draw the two."),
    ("opal_solo_win", "true"): (Role.KING, "You also get an Opal."),
}
"""What a role PM says in words of its own."""


def setup_text(dialect: str = "plain", **options: object) -> str:
    facts = KINGS_COURT.setup_post((), options)
    assert facts is not None
    return render("kings_court/setup", facts, dialect)


def dealt(**options: object) -> tuple[Event, ...]:
    return KINGS_COURT.setup(COURT, options, SeededRng(b"setup")).events


def role_pm(role: Role, **options: object) -> str:
    """The PM of the first player with that role."""
    pms = [event for event in dealt(**options) if isinstance(event, Told) and event.kind == "role_pm"]
    texts = (private_message("kings_court", pm) for pm in pms)
    return next(text for text in texts if f"you are the {role}." in text or f"you are a {role}." in text)


def test_every_public_option_has_its_sentences() -> None:
    assert set(SAID) == {option.name for option in OPTIONS if not option.private}
    for option in OPTIONS:
        if not option.private and not option.pattern:
            assert set(SAID[option.name][1]) == set(option.values)


@pytest.mark.few(9)
@pytest.mark.parametrize("option", SAID)
def test_another_value_is_another_sentence_in_the_post_and_in_the_role_pms(option: str) -> None:
    roles, sentences = SAID[option]
    for value, words in sentences.items():
        others = [other for other in sentences.values() if other != words]
        for text in (setup_text(**{option: value}), *(role_pm(role, **{option: value}) for role in roles)):
            assert words in text
            assert not any(other in text for other in others)


@pytest.mark.parametrize(("option", "value"), OWN_WORDS)
def test_what_bears_on_a_role_stands_in_its_pm(option: str, value: str) -> None:
    role, words = OWN_WORDS[option, value]
    other = next(choice for choice in SAID[option][1] if choice != value)
    assert words in role_pm(role, **{option: value})
    assert words not in role_pm(role, **{option: other})


def test_balances_are_told_to_their_owner_alone() -> None:
    assert setup_text(garnets=7) == setup_text()
    assert "You have 7 garnets. Nobody else is told." in role_pm(Role.DUKE, garnets=7)
    (opening,) = (e for e in dealt(garnets=7777) if isinstance(e, Announced))
    assert "7777" not in public_post("kings_court", opening)


def test_the_numbers_of_the_rules_stand_in_the_post() -> None:
    """Where one of them changes, its sentence must."""
    words = ("no", "one", "two", "three", "four")
    text = setup_text()
    bonus = ", ".join(map(str, FIGURES.bonuses[:-1])) + f" and {FIGURES.bonuses[-1]}"
    for sentence in (
        f"{FIGURES.peek} garnets and shows you the role",
        f"{FIGURES.annoyed} garnets and tells you whether",
        f"you lose {FIGURES.vote_fine} garnet.",
        f"gets 1 MoE and loses {FIGURES.early_fine} garnets",
        f"if fewer than {words[FIGURES.enough]} players joined before",
        f"there are at most {words[FIGURES.attempts]}.",
        f"see the roles of {words[FIGURES.looks]} players",
        f"gets {FIGURES.team_tokens} Token of Life and {FIGURES.team_garnets} garnets",
        f"gets {FIGURES.king_tokens} Tokens of Life",
        f"plus {bonus} for the first five players elected",
    ):
        assert sentence in text
    assert FIGURES.hints == (2, 4, 6) and "when the second, fourth and sixth member have joined" in text


@pytest.mark.parametrize(
    "question", ["VOTE: Name", "deadline", "Ties", "If you send nothing", "The match ends"]
)
def test_the_questions_of_a_newcomer_are_answered(question: str) -> None:
    assert question in setup_text()


@pytest.mark.parametrize("dialect", dialects.NAMES)
def test_the_post_has_a_form_in_every_dialect(dialect: str) -> None:
    text = setup_text(dialect)
    assert "KC-" not in text and "kc." not in text
    assert "VOTE: Name" in text


def test_no_player_is_named() -> None:
    names = tuple(SlotId(name) for name in COURT)
    assert KINGS_COURT.setup_post(names, {}) == KINGS_COURT.setup_post((), {})
