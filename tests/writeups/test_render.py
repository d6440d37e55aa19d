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

from growth import soon
from knightfall.errors import InputError
from knightfall.markup.nodes import Area
from knightfall.writeups.render import render, render_nodes, render_text, template_names
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
        "alive": 13,
        "needed": 7,
        "least": None,
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
    written = render_text(source, {"name": name}, "mafiascum")
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
    written = render_text(source, {"name": name}, "mafiascum")
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
    assert render_text(source, facts) == "Ada [b]red Boro Elm a"


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
        (
            "{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}",
            "more than 300000 steps",
        ),
        (
            "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
            "steps",
        ),
        ("{% for n in names recursive %}{{ loop(names) }}{% endfor %}", "cannot be recursive"),
        ("{{ 'x' * 1000000000 }}", "too large"),
        ("{{ 9 ** 9 ** 9 }}", "too large"),
        ("{% include 'any/nothing.j2' %}", "any/nothing.j2"),
        ("{% include '../../../../pyproject.toml' %}", "pyproject"),
    ],
)
def test_a_bad_template_is_named_with_line_and_cause(source: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint) as caught:
        render_text(source, {"name": "Ada", "names": ["Elm"], "nothing": None}, name="mine.j2")
    assert str(caught.value).startswith("Template mine.j2, line ")


GROWING = "{% set ns = namespace(x='ab') %}{% for i in range(99) %}GROW{% endfor %}{{ ns.x|length }}"


DOUBLED = (
    "{% set a = namespace(x=(1,), y=(1,), z=(2,)) %}{% for i in range(40) %}"
    "{% set a.x = (a.x, a.x) %}{% set a.y = (a.y, a.y) %}{% set a.z = (a.z, a.z) %}{% endfor %}"
)
"""Three values that hold two to the power of forty others each."""
COMPARISONS = (
    "{% if a.x == a.y %}{% endif %}",
    "{% if a.x < a.y %}{% endif %}",
    "{% if a.x is eq(a.y) %}{% endif %}",
    "{% if a.x in [a.y] %}{% endif %}",
    "{% if 1 in a.x %}{% endif %}",
    "{{ [a.x].count(a.y) }}",
    "{{ [a.x].index(a.y) }}",
    "{{ ([a.x, a.y]|max)|length }}",
    "{{ ([a.x, a.y]|sort)|length }}",
    "{{ ([a.x, a.y]|unique|list)|length }}",
    "{{ ([a.x]|select('eq', a.y)|list)|length }}",
    "{{ ([{'k': a.x}]|selectattr('k', 'eq', a.y)|list)|length }}",
    "{{ ([a.x]|map('max')|list)|length }}",
    "{{ {a.x: 1}[a.y] }}",
    "{{ {a.x: 1}|length }}",
    "{{ {}.get(a.x) }}",
    "{{ dict([[a.x, 1]])|length }}",
    "{{ {'k': 1}[a.x] }}",
    "{{ ([{'k': a.x}, {'k': a.y}]|groupby('k')|list)|length }}",
    "{% set b = namespace(d={}) %}{{ b.d[a.x] }}",
)


@pytest.mark.parametrize(
    "source",
    [
        GROWING.replace("GROW", "{% set ns.x = ns.x ~ ns.x %}"),
        GROWING.replace("GROW", "{% set ns.x = ns.x + ns.x %}"),
        GROWING.replace("GROW", "{% set ns.x = [ns.x, ns.x]|join %}"),
        GROWING.replace("GROW", "{% set ns.x = ns.x|replace('a', ns.x) %}"),
        GROWING.replace("GROW", "{% set x %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = x %}"),
        GROWING.replace("'ab'", "[1]").replace("GROW", "{% set ns.x = ns.x + ns.x %}"),
        "{% set x = 'ab' %}" + "{% set x = x ~ x %}" * 60 + "{{ x|length }}",
        "{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}{{ " + "m(" * 40 + "name" + ")" * 40 + " }}",
        "{% set x = 'a' * 99999 %}{% for i in range(99999) %}{% set y = x ~ i %}{% endfor %}",
        "{% set x = 'a' * 99999 %}{% for i in range(99999) %}{% if 'ab' in x %}{% endif %}{% endfor %}",
        "{% for i in range(99999) %}{% set x = range(9999)|sort %}{% endfor %}",
        "{% for i in range(99999) %}{% include 'any/votes.j2' %}{% endfor %}",
        "{% block b %}{{ self.b() }}{% endblock %}",
        "{{ range(99999)|join('x' * 99999) }}",
        "{{ '%999999999d'|format(1) }}",
        "{{ '%999999999d' % 1 }}",
        "{{ '{:>999999999}'.format(1) }}",
        "{{ name.ljust(999999999) }}",
        "{{ name|center(999999999) }}",
        "{{ 1.5|round(999999999, 'ceil') }}",
        "{{ lipsum(n=99999) }}",
        *(f"{DOUBLED}{use}" for use in COMPARISONS),
        "{% if 0 %}{% endif %}" * 20_000,
        "{{ " + "(" * 20_000 + "1" + ")" * 20_000 + " }}",
    ],
)
def test_a_template_that_grows_or_lasts_is_stopped_soon(source: str) -> None:
    with soon(), pytest.raises(InputError, match=r"Template mine\.j2, line "):
        render_text(source, {"name": "Ada"}, name="mine.j2")


def test_ordinary_work_is_within_the_allowance() -> None:
    names = [f"Player {number}" for number in range(500)]
    source = "{% for a in names %}{% for b in names[:10] %}{{ a ~ '/' ~ b }} {% endfor %}{% endfor %}"
    assert render_text(source, {"names": names}).count("/") == 5_000


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
    assert render_text(source, facts, "phpbb") == "[b]Alive[/b]\nAda\nElm"


def test_nodes_can_be_had_without_a_dialect() -> None:
    (area,) = render_nodes("any/votecount", _facts())
    assert isinstance(area, Area)
    assert area.title == "Votecount 1.3 (to post 84)"
