"""A moderator's own template is filled in by a process of its own, which its limits end."""

from __future__ import annotations

import subprocess
import time
from typing import Any

import pytest

from knightfall.errors import InputError
from knightfall.markup import dialects
from knightfall.services.count import template_process
from knightfall.services.count.template_process import own_nodes
from knightfall.writeups.render import render_text

SOURCE = "[b]{{ title }}[/b]\n{%- include 'any/nothing.j2' ignore missing %}{{ names|join(', ') }}"
FACTS = {"title": "Ada [b]red", "names": ["Elm", "Zoë"]}


def test_a_template_says_there_what_it_says_here() -> None:
    assert dialects.dialect("phpbb").write(own_nodes(SOURCE, FACTS)) == render_text(SOURCE, FACTS, "phpbb")


def test_a_fault_is_told_with_name_and_line() -> None:
    with pytest.raises(InputError, match=r"Template mine\.j2, line 2: 'nobody' is undefined"):
        own_nodes("A\n{{ nobody }}", FACTS, "mine.j2")


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
    assert "Ada" in render_text("{{ name }}", {"name": "Ada"})
