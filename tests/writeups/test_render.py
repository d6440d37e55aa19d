"""Do facts and templates become the post that a moderator expects, whatever the names are?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

import pytest
from hypothesis import given

from filled import filled
from knightfall.errors import InputError
from knightfall.markup.nodes import Area
from knightfall.writeups.render import render, render_nodes, template_names
from markup.dialect_samples import texts, thorough

GOLDEN = Path(__file__).parents[2] / "fixtures" / "golden" / "writeups"


def _voter(name: str, number: int) -> Mapping[str, object]:
    post = 1_270_000 + number
    url = f"https://forum.example/viewtopic.php?p={post}#p{post}"
    return {"name": name, "weight": 1, "until": None, "number": number, "post_id": str(post), "url": url}


def _wagon(name: str, closeness: str, *voters: tuple[str, int], needed: int = 7) -> Mapping[str, object]:
    return {
        "name": name,
        "count": len(voters),
        "needed": needed,
        "own_needed": False,
        "bonus": 0,
        "closeness": closeness,
        "hammered": len(voters) >= needed,
        "voters": [_voter(*voter) for voter in voters],
    }


def _facts(**changes: object) -> dict[str, object]:
    return {
        "title": "Votecount 1.3",
        "subtitle": "to post 84",
        "wagons": [
            _wagon("Fen", "E-3", ("Ada", 31), ("Elm", 41), ("[b]ob", 45), ("Mr_T", 52)),
            _wagon("Kestrel", "E-3", ("Cinder", 47), ("x[/area]", 56), ("Boro", 67), ("日本太郎", 73)),
            _wagon("__Ada__", "", ("Fen", 61)),
            _wagon("No Elimination", "", ("Moth", 80)),
        ],
        "not_voting": ["Dusk_77", "Kestrel", "@everyone"],
        "lists_not_voting": True,
        "alive": 13,
        "needed": 7,
        "least": None,
        "or_nobody": False,
        "tie": "no_elimination",
        "nobody": "No Elimination",
        "eliminate_word": "eliminate",
        "deadline": {
            "countdown": {"instant": datetime(2026, 11, 26, 1, tzinfo=UTC), "zone": "America/New_York"},
            "local": "Wed 25 Nov 2026, 20:00 EST",
            "utc": "Thu 26 Nov 01:00 UTC",
        },
        "day": 1,
        "changes": [],
        "prods": [],
        "questions": 0,
        "notes": ["Lumen is away until Friday."],
        **changes,
    }


@pytest.mark.parametrize("dialect", ["phpbb", "mafiascum", "discourse", "plain"])
def test_the_votecount_reads_as_in_the_golden_file(dialect: str) -> None:
    expected = (GOLDEN / f"votecount.{dialect}.txt").read_text(encoding="utf-8")
    assert render("any/votecount", _facts(), dialect) + "\n" == expected


def test_a_bare_votecount_has_no_empty_parts() -> None:
    facts = _facts(subtitle="", wagons=[], not_voting=[], deadline=None, notes=[])
    assert render("any/votecount", facts).split("\n") == [
        "Votecount 1.3",
        "No votes.",
        "",
        "Not voting (0)",
        "",
        "With 13 alive, it takes 7 to eliminate.",
    ]


def test_a_hammer_and_open_questions_are_said() -> None:
    wagons = [_wagon("Fen", "", ("Ada", 31), ("Elm", 41), needed=2)]
    written = render("any/votecount", _facts(wagons=wagons, questions=2, deadline=None), "mafiascum")
    assert "[b]Fen (2)[/b]: Ada" in written
    assert "41[/post])[/size] – [b]HAMMER[/b]\n" in written
    assert "2 votes are still unclear, so this count may change." in written


def test_a_deadline_without_a_countdown_is_the_time_in_words() -> None:
    deadline = {"countdown": None, "local": "Wed 20:00 EST", "utc": "Thu 01:00 UTC"}
    assert "Day 1 ends: Wed 20:00 EST = Thu 01:00 UTC." in render("any/votecount", _facts(deadline=deadline))
    deadline = {"countdown": None, "local": "Thu 01:00 UTC", "utc": "Thu 01:00 UTC"}
    assert "Day 1 ends: Thu 01:00 UTC.\n" in render("any/votecount", _facts(deadline=deadline))


@thorough
@given(name=texts)
def test_a_name_is_never_markup(name: str) -> None:
    source = "[b]{{ name }}[/b][i]{{ [name, '[u]x[/u]']|join(name) }}[/i]\n[quote=\"{{ name }}\"]x[/quote]"
    written = filled(source, {"name": name}, "mafiascum")
    assert re.findall(r"\[/?[a-z*]+", written) == ["[b", "[/b", "[i", "[u", "[/u", "[/i", "[quote", "[/quote"]


@pytest.mark.parametrize(
    "name", ["[b]ob", "x[/b]", "[/area]", 'x" post_id=9', "a;url=https://evil.example", "x\n[*]y"]
)
def test_a_name_stays_a_name_through_filters_and_macros(name: str) -> None:
    source = (
        "{% macro strong(x) %}[b]{{ x }}[/b]{% endmacro %}"
        "{% set kept %}[i]{{ name }}[/i]{% endset %}"
        "{{ strong(name) }}{{ kept }}{{ name|upper|lower|replace('q', 'r') }}"
    )
    written = filled(source, {"name": name}, "mafiascum")
    assert written.replace("\u200b", "") == f"[b]{name}[/b][i]{name}[/i]{name.lower()}"
    assert written.count("[b]") == written.count("[/b]") == 1


class Colour(Enum):
    RED = "[b]red"


@dataclass(frozen=True, slots=True)
class Fact:
    name: str
    colour: Colour


def test_facts_may_be_dataclasses_enums_and_sets() -> None:
    facts = {"fact": Fact("Ada", Colour.RED), "names": frozenset({"Elm", "Boro"}), "path": Path("a")}
    source = "{{ fact.name }} {{ fact.colour }} {{ names|join(' ') }} {{ path }}"
    assert filled(source, facts) == "Ada [b]red Boro Elm a"


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("a\nb {{ nobody }}", "line 2: 'nobody' is undefined"),
        ("a\n{{ ''.__class__ }}", "line 2: access to attribute '__class__' of 'str' object is unsafe"),
        ("{{ name.__init__.__globals__ }}", "unsafe"),
        ("{{ names.append(1) }}", "line 1: .*unsafe|not safely callable"),
        ("a\n\n{% if %}", "line 3: Expected an expression"),
        ("{{ name.missing }}", "line 1: .*no attribute 'missing'"),
        ("\n{{ 1 / 0 }}", "line 2: division by zero"),
        ("{{ name + 1 }}", "line 1"),
        ("{{ nothing }}", r"line 1: it prints nothing \(None\)"),
        ("{{ names }}", "line 1: it prints a whole list"),
        ("{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}", "writes more than"),
        ("{% for n in names recursive %}{{ loop(names) }}{% endfor %}", "recursion"),
        ("{% block b %}{{ self.b() }}{% endblock %}", "recursion"),
        ("{{ '' ~ nothing }}", r"line 1: it prints nothing \(None\)"),
        ("{{ [nothing]|join }}", r"line 1: it prints nothing \(None\)"),
        ("{{ '%s'|format(names) }}", "line 1: it prints a whole list"),
        ("{{ name|center(9) }}", "No filter named 'center'"),
        ("{{ names|random }}", "No filter named 'random'"),
        ("{{ lipsum() }}", "'lipsum' is undefined"),
        ("{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}", "recursion|too many nested"),
        ("x" * 200_001, "longer than 200000"),
        ("{% include 'any/nothing.j2' %}", "any/nothing.j2"),
        ("{% include '../../../../pyproject.toml' %}", "pyproject"),
    ],
)
def test_a_bad_template_is_named_with_line_and_cause(source: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as caught:
        filled(source, {"name": "Ada", "names": ["Elm"], "nothing": None}, name="mine.j2")
    assert str(caught.value).startswith("Template mine.j2")


def test_ordinary_work_is_done() -> None:
    names = [f"Player {number}" for number in range(500)]
    source = "{% for a in names %}{% for b in names[:10] %}{{ a ~ '/' ~ b }} {% endfor %}{% endfor %}"
    assert filled(source, {"names": names}).count("/") == 5_000


def test_an_unknown_template_or_dialect_names_the_nearest() -> None:
    with pytest.raises(InputError, match="Nearest: any/votecount"):
        render("any/votecuont", {})
    with pytest.raises(InputError, match="Nearest: mafiascum"):
        render("any/votecount", _facts(), "mafia-scum")


def test_every_template_compiles() -> None:
    assert "any/votecount" in template_names()
    for name in template_names():
        try:
            render_nodes(name, {})
        except InputError as error:
            assert "undefined" in str(error) or "no attribute" in str(error)


def test_a_template_of_its_own_has_markup_and_lines() -> None:
    facts = {"names": ["Ada", "Elm"]}
    source = "[b]Alive[/b]\n{% for name in names %}\n{{ name }}\n{% endfor %}\n"
    assert filled(source, facts, "phpbb") == "[b]Alive[/b]\nAda\nElm"


def test_nodes_can_be_had_without_a_dialect() -> None:
    (area,) = render_nodes("any/votecount", _facts())
    assert isinstance(area, Area)
    assert area.title == "Votecount 1.3 (to post 84)"
