"""Names and texts of other people go through every post, table, sheet and picture as nothing but letters."""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from filled import filled
from knightfall.cli import app
from knightfall.engine.game import Announced, Event, Game, Told
from knightfall.engine.playout import play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.engine.safe_text import cell, safe
from knightfall.errors import KnightfallError
from knightfall.games import GAMES
from knightfall.markup.dialects import DIALECTS, Dialect
from knightfall.markup.dialects.tree import clean
from knightfall.pictures.scene import Label, Scene
from knightfall.pictures.svg import svg_text
from knightfall.writeups.render import render_nodes
from long_runs import first
from markup.dialect_samples import thorough
from markup.marks import marks
from salt_harbour import NAMES

CORPUS = (
    "[b]",
    "x[/area]",
    "[/quote][/list]",
    "@everyone",
    "@here [url=javascript:alert(1)]x[/url]",
    "{{ 1237*3 }}{% raw %}",
    "<script>alert(1)</script>",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\u05d0\u05d1 \u202eabc\u2066",
    "z\u200be\u200dr\ufeffo",
    "two\nlines",
    "\x1b[31mred\x1b[0m\x07\x9b2J",
    "\x1b]0;title\x07bell",
    "__init__ **x** `y` | z ~~q~~ # 1. > &amp;",
    "long" * 2500,
    "@all hands",
    "(@Channel) @mods,@staff",
    "u/Ada,/u/Boro (U/-x_) *u/Elm* //u/Fen",
)
PINGS = re.compile(r"@(?:everyone|here)|(?<![^\W_])@(?![\s\u200b]|\Z)", re.IGNORECASE)
USERS = re.compile(r"(?<![^\W_])(?<![^\W_]/)/?u/(?![\s\u200b]|\Z)", re.IGNORECASE)
"""Whom Reddit calls."""
TRICKS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069]")
ODD = "[]/@=+-*_|<>&;'\"{}%#`~\\\n\r\t\x1b\x07\x9b\u202e\u2069\u200b\ufeffaZ1\u05d0"
anything = st.sampled_from(CORPUS) | st.text(ODD, max_size=30) | st.text(max_size=40)
PLAYERS = {"knight_errant": 18, "empowered": 12, "kings_court": 11, "custom_mafia": 9}


@cache
def events(name: str) -> tuple[Event, ...]:
    """One event of each kind that a game of this seed brings."""
    game: Game[Any] = next(game for game in GAMES if game.spec.id == name)
    names = NAMES[: PLAYERS.get(name, min(game.spec.players))]
    playout = play(game, names, {}, SeededRng(b"chance 3"), SeededRng(b"draw 3"))
    found = replay(playout.journal, game, lambda: SeededRng(b"draw 3")).events
    return tuple({event.kind: event for event in found}.values())


def renamed(facts: Any, names: Mapping[str, str]) -> Any:
    """The facts with other names in them."""
    if isinstance(facts, str):
        return names.get(facts, facts)
    if is_dataclass(facts) and not isinstance(facts, type):
        return replace(
            facts, **{each.name: renamed(getattr(facts, each.name), names) for each in fields(facts)}
        )
    if isinstance(facts, tuple):
        return tuple(renamed(one, names) for one in facts)
    if isinstance(facts, Mapping):
        return {renamed(key, names): renamed(value, names) for key, value in facts.items()}
    return [renamed(one, names) for one in facts] if isinstance(facts, list) else facts


def hostile(shift: int) -> dict[str, str]:
    """A name of the corpus for everybody, no two alike."""
    size = len(CORPUS)
    return {name: CORPUS[(place + shift) % size] for place, name in enumerate(NAMES)}


def tame(name: str) -> str:
    """As many letters on as many lines, none of them odd."""
    return re.sub(r"[^\n]", "s", clean(name))


@pytest.mark.few(2)
@pytest.mark.parametrize("shift", first(1, (0, 7)))
@pytest.mark.parametrize("game", [game.spec.id for game in GAMES])
def test_a_post_has_exactly_our_own_marks_in_every_dialect(game: str, shift: int) -> None:
    wild = hostile(shift)
    calm = {name: tame(odd) for name, odd in wild.items()}
    for event in events(game):
        template = f"{game}/{event.kind}"
        odd, plain = (render_nodes(template, renamed(event.facts, names)) for names in (wild, calm))
        for one in DIALECTS:
            written = one.write(odd)
            assert marks(one, written) == marks(one, one.write(plain)), (template, one.name)
            assert harmless(one, written), (template, one.name)


def harmless(one: Dialect, written: str) -> bool:
    """Nobody is pinged, nothing was computed, no control character is left."""
    seen = written if one.name == "ips" else written.replace("\\", "").replace(HUSHED["smf"], "")
    called = PINGS.search(seen) or (one.name == "reddit" and USERS.search(seen))
    return not called and not TRICKS.search(written) and "3711" not in written


CALLED: Mapping[str, str] = {"reddit": "u/{}", "bgg": "[user={}][/user]"}
"""Where a site calls somebody otherwise than by @."""
HUSHED: Mapping[str, str] = {"smf": "[nobbc]@[/nobbc]"}
"""Where an @ that calls nobody has no zero-width space behind it."""


@pytest.mark.parametrize("one", DIALECTS, ids=lambda one: one.name)
def test_only_whom_the_moderators_own_words_name_is_called(one: Dialect) -> None:
    words = "@Ada and @{{ name }}, not @all, @{{ many }}: {{ said }}"
    facts = {"name": "Boro", "many": "here", "said": "@Cinder @mods ada@example.org @ 5"}
    ada, boro = (CALLED.get(one.name, "@{}").format(name) for name in ("Ada", "Boro"))
    at = HUSHED.get(one.name, "@\u200b")
    quiet = f"not {at}all, {at}here: {at}Cinder {at}mods ada@example.org @ 5"
    assert f"{ada} and {boro}, {quiet}" in filled(words, facts, one.name)


REDDIT = {
    "u/Ada": "u/\u200bAda",
    "/u/Ada": "/u/\u200bAda",
    "(U/Mr_T)": "\\(U/\u200bMr\\_T\\)",
    "_u/Ada_": "\\_u/\u200bAda\\_",
    "//u/Ada": "//u/\u200bAda",
    "u/u/Ada": "u/\u200bu/\u200bAda",
    "menu/Ada": "menu/Ada",
    "u/ Ada u/": "u/ Ada u/",
    "https://www.reddit.com/u/Ada": "https://www.reddit.com/u/Ada",
    "Ubuntu 1u/2u": "Ubuntu 1u/2u",
    "u/\u200bAda": "u/\u200bAda",
}


@pytest.mark.parametrize(("said", "written"), REDDIT.items())
def test_on_reddit_a_name_with_its_sign_before_it_calls_nobody(said: str, written: str) -> None:
    for words in ("{{ said }}", "[b]{{ said }}[/b]", "[quote={{ said }}]x[/quote]"):
        assert written in filled(words, {"said": said}, "reddit")
    if "\u200b" not in said:
        assert "\u200b" not in filled("{{ said }}", {"said": said}, "phpbb")


def test_on_reddit_the_moderators_own_words_and_a_name_make_no_call_together() -> None:
    assert "u/\u200bAda" in filled("u/{{ name }}", {"name": "Ada"}, "reddit")
    assert "u/Ada" in filled("@Ada", {}, "reddit")
    link = "[url=https://www.reddit.com/u/Ada]her page[/url]"
    assert "(https://www.reddit.com/u/Ada)" in filled(link, {}, "reddit")


def test_every_kind_of_post_and_pm_is_among_them() -> None:
    kinds = {type(event) for game in GAMES for event in events(game.spec.id)}
    assert {Announced, Told} <= kinds
    assert sum(len(events(game.spec.id)) for game in GAMES) > 25


# ── tables, logs, errors ─────────────────────────────────────────────────────────────────────────


@thorough
@given(text=anything)
def test_nothing_on_a_screen_moves_its_cursor_or_turns_a_line(text: str) -> None:
    assert not TRICKS.search(safe(text))
    assert safe(safe(text)) == safe(text)


@thorough
@given(texts=st.lists(anything, min_size=1, max_size=4), indent=st.sampled_from([None, 1]))
def test_json_on_a_screen_loses_nothing(texts: list[str], indent: int | None) -> None:
    printed = safe(json.dumps({"names": texts}, ensure_ascii=False, indent=indent))
    assert not TRICKS.search(printed)
    assert json.loads(printed) == {"names": texts}


def test_ordinary_text_is_left_as_it_is() -> None:
    for text in ("Dusk_77\tvotes\nFen – E-2 “x”", "\u05d0\u05d1\u200e", "[b]bold[/b]", "日本 é 🦀"):
        assert safe(text) == text


@thorough
@given(texts=st.lists(anything, min_size=1, max_size=5))
def test_a_cell_of_a_sheet_is_never_a_formula_and_never_two(texts: list[str]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow([cell(text) for text in texts])
    [row] = csv.reader(io.StringIO(out.getvalue()))
    assert len(row) == len(texts)
    assert len(out.getvalue().splitlines()) == 1
    assert not any(one.strip(" \u200b\ufeff").startswith(("=", "+", "-", "@", "\t", "\r")) for one in row)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A game whose players have such names and post such texts."""
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    names = [name for name in CORPUS if "\n" not in name and len(name) < 100]
    players = "".join(f"[[player]]\nname = {json.dumps(name)}\n" for name in names)
    (tmp_path / "game.toml").write_text(f'schema = 1\n[game]\nmoderators = ["Wren"]\n{players}', "utf-8")
    said = [
        ("Wren", "Day 1 begins."),
        *((name, f"<b>VOTE: {names[0]}</b> {CORPUS[n]}") for n, name in enumerate(names)),
    ]
    with gzip.open(tmp_path / "posts.jsonl.gz", "wt", encoding="utf-8") as file:
        for number, (author, body) in enumerate(said, start=1):
            post = {"number": number, "id": str(100 + number), "user": author, "content": body}
            file.write(json.dumps({**post, "user_id": author, "time": "Fri Nov 20, 2026 8:00 pm"}) + "\n")
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def run(*words: str) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exception is None or isinstance(result.exception, KnightfallError | SystemExit), words
    return result


THREAD = ("--from-jsonl", "posts.jsonl.gz", "--game", ".")


@pytest.mark.few(8)
@pytest.mark.parametrize(
    "words",
    [
        *(("vc", *THREAD, "--as", one.name) for one in DIALECTS),
        *(("vc", *THREAD, "--theme", theme) for theme in ("area", "compact", "table", "ticks", "history")),
        ("vc", *THREAD, "--json"),
        ("near", *THREAD),
        ("explain", "@everyone", *THREAD),
        ("activity", *THREAD),
        ("roster", *THREAD),
        ("roster", "suggest", *THREAD),
        ("plot", "wagons", *THREAD, "--text"),
        ("plot", "votes", *THREAD, "--text"),
        ("explain", "\x1b[2Jnobody\x07", *THREAD),
        ("post", "nothing\x1b[2J\u202e", "--game", "."),
        ("vc", "no\x1b]0;x\x07file", "--game", "."),
    ],
    ids=lambda words: re.sub(r"\W+", "-", " ".join(words)),
)
@pytest.mark.usefixtures("folder")
def test_no_verb_prints_what_plays_tricks_on_a_terminal(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert not TRICKS.search(result.output)
    assert result.output or result.exception


@pytest.mark.usefixtures("folder")
def test_decisions_and_their_reasons_are_told_without_tricks() -> None:
    for number, odd in enumerate(CORPUS[4:16:2]):
        run("fix", str(number + 2), "--ignore", "--why", f"because {odd}", "--game", ".")
        run("alias", "+1", f"nick {odd}", "--why", odd, "--game", ".")
    log = run("log", "--game", ".").output
    assert "because <script>alert(1)</script>" in " ".join(log.split())
    assert not TRICKS.search(log)
    assert max(map(len, log.splitlines())) <= 80
    assert json.loads(run("log", "--json", "--game", ".").output)["entries"]


# ── pictures ─────────────────────────────────────────────────────────────────────────────────────


@thorough
@given(text=anything)
def test_a_label_of_a_picture_is_text_and_nothing_else(text: str) -> None:
    label = Label(1.0, 1.0, text)
    page = ElementTree.fromstring(svg_text(Scene(text, 10.0, 10.0, labels=(label,))))
    assert [part.tag.rpartition("}")[2] for part in page] == ["title", "rect", "text"]


@pytest.mark.parametrize("kind", ["wagons", "votes"])
def test_a_picture_of_a_day_holds_no_script_and_is_whole(folder: Path, kind: str) -> None:
    assert run("plot", kind, *THREAD, "--out", "day.svg").output
    page = ElementTree.parse(folder / "day.svg").getroot()
    assert "script" not in {part.tag.rpartition("}")[2] for part in page.iter()}
    assert not any(name.startswith("on") for part in page.iter() for name in part.attrib)
