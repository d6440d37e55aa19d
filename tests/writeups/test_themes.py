"""Does every theme say the same day well in every dialect, whatever the names are?"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from knightfall.audience import View
from knightfall.errors import InputError
from knightfall.forums.base import Site
from knightfall.markup.dialects import DIALECTS, Dialect
from knightfall.markup.dialects.tree import clean
from knightfall.services.count.request import count_nodes, post_parts, template_of, themes
from knightfall.services.requests import PostFormat
from knightfall.votes.remarks import Remarks
from knightfall.votes.rule import Death, NeededAtDeadline, Rule, Tie
from knightfall.votes.tally import Hammer
from knightfall.votes.votecount import Terms, Votecount, seen_by
from knightfall.writeups.facts import votecount_facts
from knightfall.writeups.render import written
from markup.dialect_samples import texts
from markup.marks import marks
from writeups.golden_day import DOUBLE, NASTY, OPEN, golden_day, long_day

GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden" / "votecount"
EVERY = [(one, theme) for one in DIALECTS for theme in themes()]
IDS = [f"{one.name}-{theme}" for one, theme in EVERY]


def posts(count: Votecount, speech: str = "plain", theme: str = "area") -> tuple[str, ...]:
    return post_parts(count, speech, PostFormat(theme), None, None)


def post(count: Votecount, speech: str = "plain", theme: str = "area") -> str:
    (whole,) = posts(count, speech, theme)
    return whole


def test_the_themes_are_found_by_the_names_of_their_templates() -> None:
    assert themes() == ("area", "compact", "history", "table", "ticks", "tilde")
    assert template_of("ticks") == "any/votecount-ticks"
    with pytest.raises(InputError, match=r"no theme 'tick'. Nearest: ticks. Known: area, compact"):
        template_of("tick")


@pytest.mark.few(28)
@pytest.mark.parametrize(("one", "theme"), EVERY, ids=IDS)
def test_the_day_with_everything_reads_as_in_the_golden_file(one: Dialect, theme: str) -> None:
    expected = (GOLDEN / f"{one.name}-{theme}.txt").read_text(encoding="utf-8")
    parts = posts(golden_day(), one.name, theme)
    assert "\n\n".join(parts) + "\n" == expected
    # A chat takes so little that most themes are more than one post of it.
    assert len(parts) == 1 or one.name == "discord"


def test_a_post_over_the_limit_is_posted_in_parts_as_in_the_golden_file() -> None:
    parts = posts(long_day(), "xenforo", "area")
    expected = (GOLDEN / "xenforo-area-in-parts.txt").read_text(encoding="utf-8")
    assert "\n\n".join(parts) + "\n" == expected
    assert len(parts) == 2


def test_a_site_may_set_its_own_limit_and_the_command_line_another() -> None:
    site = Site(max_length=500)
    parts = post_parts(golden_day(), "plain", PostFormat(), None, site)
    assert all(len(part) <= 500 for part in parts)
    assert len(parts) == 2
    assert len(post_parts(golden_day(), "plain", PostFormat(limit=2000), None, site)) == 1


@pytest.mark.parametrize("theme", themes())
def test_the_words_of_the_house_stand_in_every_theme(theme: str) -> None:
    words = Terms("lynch", "L", no_elimination="No Lynch")
    said = post(replace(golden_day(), terms=words), theme=theme)
    assert "L-2" in said
    assert "to lynch." in said
    assert "No Lynch" in said
    assert "limination" not in said
    assert "E-" not in said


@pytest.mark.parametrize(("begins", "marks_seen"), [(0, []), (2, ["E-2"]), (3, ["E-2", "E-3"])])
@pytest.mark.parametrize("theme", themes())
def test_closeness_is_told_from_the_distance_of_the_house_on(
    theme: str, begins: int, marks_seen: list[str]
) -> None:
    said = post(replace(golden_day(), terms=Terms(closeness_from=begins)), theme=theme)
    assert [mark for mark in ("E-2", "E-3", "E-5") if mark in said] == marks_seen


def test_a_wagon_is_the_name_the_number_and_the_voters() -> None:
    lines = post(golden_day()).split("\n")
    assert "{{ 7*7 }} (3): Dusk_77 ×2 (26), Mr_T (33) – E-3" in lines
    assert "No Elimination (1): 日本太郎 (41)" in lines


def test_a_wagon_says_what_it_takes_where_that_is_not_what_others_take() -> None:
    assert "Fen (5/7 incl. +1): " in post(golden_day())


def test_the_tilde_is_a_theme_of_its_own() -> None:
    assert "{{ 7*7 }} (3/6) E-3 ~ Dusk_77 ×2 (26), Mr_T (33)\n" in post(golden_day(), theme="tilde")


@pytest.mark.parametrize("theme", themes())
def test_after_a_hammer_only_its_own_wagon_says_so(theme: str) -> None:
    day = golden_day()
    first = day.tally.wagons[0]
    hammer = Hammer(first.target, None, 60)
    said = post(replace(day, tally=replace(day.tally, hammer=hammer)), theme=theme)
    assert said.count("HAMMER") == 1
    assert "E-" not in said


def test_a_count_is_numbered_within_its_day() -> None:
    assert post(golden_day()).startswith("Votecount 1.3 (to post 84)\n")
    assert post(replace(golden_day(), number=12)).startswith("Votecount 1.12 (")
    assert post(replace(golden_day(), number=None)).startswith("Votecount 1 (")
    assert post(replace(golden_day(), final=True)).startswith("Final votecount 1 (")


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        (Rule(), "With 16 alive, it takes 6 to eliminate."),
        (
            Rule(death=Death.BOTH, tie=Tie.RANDOM),
            "With 16 alive, it takes 6 to eliminate. If nobody gets there, whoever has the most votes at"
            " the deadline is eliminated. A tie is broken at random.",
        ),
        (
            Rule(needed_at_end=NeededAtDeadline.HALF_ROUNDED_UP, fixed_needed=6),
            "With 16 alive, it takes 6 to eliminate. If nobody gets there, whoever has the most votes at"
            " the deadline is eliminated, but it takes at least 3 to eliminate. A tie means No Elimination.",
        ),
        (
            Rule(death=Death.PLURALITY, tie=Tie.ALL),
            "16 alive. Whoever has the most votes at the deadline is eliminated. In a tie, all tied players"
            " go.",
        ),
        (
            Rule(death=Death.PLURALITY, tie=Tie.ANTI_TOWN, minimum_votes=2),
            "16 alive. Whoever has the most votes at the deadline is eliminated, but it takes at least 2 to"
            " eliminate. Ties go against the town.",
        ),
    ],
)
def test_what_decides_the_day_is_said_by_the_rule_of_the_game(rule: Rule, sentence: str) -> None:
    day = golden_day()
    wagons = day.tally.wagons
    if rule.death is Death.PLURALITY:
        wagons = tuple(replace(wagon, needed=None) for wagon in wagons)
    needed = None if rule.death is Death.PLURALITY else 6
    said = post(replace(day, rule=rule, tally=replace(day.tally, wagons=wagons, needed=needed)))
    assert f"\n{sentence}\n" in said


def test_a_day_that_is_over_says_no_more_what_the_deadline_would_do() -> None:
    both = replace(golden_day(), rule=Rule(death=Death.BOTH), final=True)
    assert "With 16 alive, it takes 6 to eliminate.\n" in post(both)


@pytest.mark.parametrize("theme", themes())
def test_hidden_weights_and_thresholds_are_in_no_public_post(theme: str) -> None:
    hidden = replace(golden_day(), rule=replace(OPEN, show_weights=False))
    said = post(seen_by(View.PUBLIC, hidden), theme=theme)
    assert "×2" not in said
    assert "incl." not in said
    assert "/7" not in said
    assert "×2" in post(seen_by(View.MOD, hidden), theme=theme)


def test_votes_that_left_are_told_with_where_they_stood() -> None:
    facts = votecount_facts(golden_day())
    (left,) = facts["wagons"][0]["left"]
    assert (left["name"], left["number"], left["until"]["number"]) == ("a|b", 31, 38)
    emptied = [(one["name"], [vote["name"] for vote in one["left"]]) for one in facts["emptied"]]
    assert emptied == [("<script>", ["@everyone"]), ("a|b", [DOUBLE.name])]


@pytest.mark.parametrize("theme", themes())
def test_a_day_without_votes_says_so(theme: str) -> None:
    count = golden_day()
    silent = replace(count.tally, wagons=(), history=())
    said = post(replace(count, tally=silent, remarks=Remarks()), theme=theme)
    assert "No votes." in said
    assert "\n\n\n" not in said


def test_a_name_does_not_turn_the_line_around_it() -> None:
    said = post(golden_day())
    assert "\u202e" not in said
    assert "עמית\u200e (1)" in said


@pytest.mark.few(2)
@pytest.mark.parametrize("theme", themes())
@given(
    wild=st.lists(texts, min_size=3, max_size=3),
    speeches=st.lists(st.sampled_from(DIALECTS), min_size=3, max_size=3, unique_by=lambda one: one.name),
)
def test_names_make_no_marks_of_their_own(theme: str, wild: list[str], speeches: list[Dialect]) -> None:
    harmless = [f"{tame_name(name)}{letter}" for name, letter in zip(wild, "pqr", strict=True)]
    assume(all(map(visible, wild)) and playable(wild) and playable(harmless))
    odd, calm = (count_nodes(day_of(names), PostFormat(theme), None) for names in (wild, harmless))
    for one in speeches:
        # Whole: where a long post is cut depends on how long its names are written.
        (strange,), (usual,) = (written(nodes, one.name, 100_000) for nodes in (odd, calm))
        assert marks(one, strange) == marks(one, usual), one.name


def visible(name: str) -> bool:
    """Whether a name is one: a line of which something is seen."""
    return "\n" not in clean(name) and any(char.isprintable() and not char.isspace() for char in name)


def tame_name(name: str) -> str:
    return "".join(char if char.isspace() else "x" for char in name)


def playable(names: list[str]) -> bool:
    """Whether these names can be those of three players: no two are one."""
    try:
        day_of(names)
    except InputError:
        return False
    return True


def day_of(names: list[str]) -> Votecount:
    return golden_day((*names, *NASTY[3:]))
