"""A moderator's own template is filled in by a process of its own, which its limits end."""

from __future__ import annotations

import subprocess
import time
from typing import Any

import pytest

from filled import filled
from knightfall.errors import InputError
from knightfall.markup import dialects
from knightfall.services.count import template_process
from knightfall.services.count.template_process import own_nodes
from knightfall.writeups.render import render
from long_runs import first as few

SOURCE = "[b]{{ title }}[/b]\n{%- include 'any/nothing.j2' ignore missing %}{{ names|join(', ') }}"
FACTS = {"title": "Ada [b]red", "names": ["Elm", "Zoë"]}


def test_a_template_says_there_what_it_says_here() -> None:
    assert dialects.dialect("phpbb").write(own_nodes(SOURCE, FACTS)) == filled(SOURCE, FACTS, "phpbb")


def test_a_fault_is_told_with_name_and_line() -> None:
    with pytest.raises(InputError, match=r"Template mine\.j2, line 2: 'nobody' is undefined"):
        own_nodes("A\n{{ nobody }}", FACTS, "mine.j2")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "endless",
    [
        "while True: pass",
        "import time; time.sleep(99)",
        "b'x' * 10**11",
        "import os; os.kill(os.getpid(), 11)",
    ],
)
def test_what_no_counting_stops_is_stopped_by_the_system(
    endless: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(template_process, "SECONDS", 1)
    limits = "import knightfall.services.count.template_process as t; t.SECONDS = 1; t.own_text = lambda *_: "
    monkeypatch.setattr(template_process, "_RUN", f"{limits}exec({endless!r}); t.main()")
    begun = time.monotonic()
    with pytest.raises(InputError, match=r"Template mine\.j2: it was stopped"):
        own_nodes("A", FACTS, "mine.j2")
    assert time.monotonic() - begun < 10


def test_a_template_of_ours_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_asked: Any, **_more: Any) -> None:
        raise AssertionError

    monkeypatch.setattr(subprocess, "run", never)
    with pytest.raises(InputError, match="undefined"):
        render("any/votecount", {})


GROWING = "{% set ns = namespace(x='ab') %}{% for i in range(99) %}GROW{% endfor %}{{ ns.x|length }}"
DOUBLED = (
    "{% set a = namespace(x=(1,), y=(1,), z=(2,)) %}{% for i in range(40) %}"
    "{% set a.x = (a.x, a.x) %}{% set a.y = (a.y, a.y) %}{% set a.z = (a.z, a.z) %}{% endfor %}"
)
"""Three values that hold two to the power of forty others each."""
COMPARISONS = (
    "{% if a.x == a.y %}{% endif %}",
    "{% if a.x < a.y %}{% endif %}",
    "{% if a.x in [a.y] %}{% endif %}",
    "{{ [a.x].count(a.y) }}",
    "{{ ([a.x, a.y]|sort)|length }}",
    "{{ ([a.x]|select('eq', a.y)|list)|length }}",
    "{{ {a.x: 1}[a.y] }}",
    "{{ ([{'k': a.x}, {'k': a.y}]|groupby('k')|list)|length }}",
)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "source",
    few(
        10,
        [
            # One of each kind: what grows, by whom it is written; what lasts; numbers; comparisons.
            GROWING.replace("GROW", "{% set ns.x = ns.x ~ ns.x %}"),
            GROWING.replace("GROW", "{% set x %}{{ ns.x }}{{ ns.x }}{% endset %}{% set ns.x = x %}"),
            "{% macro m(x) %}{{ x }}{{ x }}{% endmacro %}{{ " + "m(" * 40 + "name" + ")" * 40 + " }}",
            "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
            "{{ range(99999)|join('x' * 99999) }}",
            "{{ 9 ** (9 ** 9) }}",
            "{{ '%9999999999d'|format(1) }}",
            "{{ 1.5|round(999999999, 'ceil') }}",
            f"{DOUBLED}{COMPARISONS[0]}",
            f"{DOUBLED}{COMPARISONS[4]}",
            GROWING.replace("GROW", "{% set ns.x = ns.x + ns.x %}"),
            GROWING.replace("GROW", "{% set ns.x = ns.x|replace('a', ns.x) %}"),
            GROWING.replace("'ab'", "[1]").replace("GROW", "{% set ns.x = ns.x + ns.x %}"),
            "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(60) }}",
            "{% for i in range(99999) %}{% set x = range(99999)|sort %}{% endfor %}",
            "{{ 'x' * 10 ** 12 }}",
            "{{ '%9999999999d' % 1 }}",
            "{{ '{:>9999999999}'.format(1) }}",
            "{{ name.ljust(9999999999) }}",
            *(f"{DOUBLED}{use}" for place, use in enumerate(COMPARISONS) if place not in (0, 4)),
        ],
    ),
)
def test_a_template_that_grows_or_lasts_is_stopped(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(template_process, "SECONDS", 1)
    limits = "import knightfall.services.count.template_process as t; t.SECONDS = 1; t.main()"
    monkeypatch.setattr(template_process, "_RUN", limits)
    with pytest.raises(InputError, match=r"Template mine\.j2[:,] "):
        own_nodes(source, {"name": "Ada"}, "mine.j2")
