"""Times in texts that stay: each instant once, by the game's clock and by UTC; never how long it is till
then."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from knightfall.config.setup import Setup
from knightfall.markup.dialects.moments import in_words, zone_name
from knightfall.markup.nodes import Countdown
from knightfall.services.day.phases import deadline_post
from knightfall.votes.rule import Boundary, Rule, boundary_sentence
from knightfall.writeups.facts import full_time, local_time, short_time

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "src/knightfall/writeups/templates").rglob("*.j2"))
GOLDEN = sorted(
    file
    for folder in ("dialects", "posts", "rules", "votecount", "writeups")
    for file in (ROOT / "fixtures/golden" / folder).rglob("*")
    if file.is_file()
)
FROZEN = re.compile(
    r"\bin \d+ (?:d|h|min)\b|\b\d+ (?:d|h) \d+ (?:h|min)\b|\b\d+ (?:d|h|min) (?:left|ago|from now)\b"
)
"""“(in 1 d 23 h)”, “in 2 d”, “3 h left”: true when it is written, and false an hour later."""
CLOCK = r"[0-2]\d:[0-5]\d(?::[0-5]\d)?"
ZONES = re.compile(rf"{CLOCK} (?:([A-Z]{{2,5}})\b|UTC[+-]\d)")
MOMENT = re.compile(rf"(?P<day>\w{{3}} \d\d \w{{3}} \d{{4}}), (?P<clock>{CLOCK}) (?P<zone>[A-Z]{{2,5}})")


def test_there_are_texts_to_read() -> None:
    assert len(TEMPLATES) > 100
    assert len(GOLDEN) > 100


@pytest.mark.few(65)
@pytest.mark.parametrize("file", GOLDEN, ids=lambda one: str(one.relative_to(ROOT / "fixtures/golden")))
def test_no_post_freezes_a_distance_or_tells_an_instant_in_two_zones_beside_utc(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not FROZEN.findall(text)
    # Besides UTC there is the game's one zone; where it shows the time of UTC it is called so.
    zones = {found[1] for found in ZONES.finditer(text)} - {"UTC", None}
    assert len(zones) <= 1, zones
    for found in MOMENT.finditer(text):
        behind = text[found.end() : found.end() + 30]
        if found["zone"] == "UTC":
            assert not behind.lstrip("\\").startswith(" = "), found[0]


@pytest.mark.few(63)
@pytest.mark.parametrize("file", TEMPLATES, ids=lambda one: str(one.relative_to(ROOT / "src")))
def test_no_template_writes_a_distance_or_a_zone_of_its_own(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert not FROZEN.findall(text)
    assert not re.search(r"\bleft\(|time_left|from_now|%Z|\b(?:WET|GMT|EST|CET)\b", text)


LISBON, NEW_YORK, SAO_PAULO = map(ZoneInfo, ("Europe/Lisbon", "America/New_York", "America/Sao_Paulo"))
WINTER, SUMMER = datetime(2026, 11, 25, 20, tzinfo=UTC), datetime(2026, 7, 25, 20, tzinfo=UTC)


def test_clocks_that_show_utc_are_called_so_and_others_by_the_name_that_readers_know() -> None:
    assert zone_name(WINTER.astimezone(LISBON)) == "UTC"
    assert zone_name(SUMMER.astimezone(LISBON)) == "WEST"
    assert zone_name(WINTER.astimezone(NEW_YORK)) == "EST"
    assert zone_name(WINTER.astimezone(SAO_PAULO)) == "UTC-3"
    assert zone_name(WINTER.astimezone(ZoneInfo("Asia/Kathmandu"))) == "UTC+5:45"


def test_every_way_to_tell_an_instant_tells_it_alike() -> None:
    assert full_time(WINTER, LISBON) == "Wed 25 Nov 2026, 20:00 UTC"
    assert in_words(Countdown(WINTER, LISBON.key)) == full_time(WINTER, LISBON)
    assert local_time(WINTER, LISBON) == "Wed 25 Nov 2026, 20:00 UTC"
    assert short_time(WINTER.astimezone(LISBON)) == "25 Nov 20:00 UTC"
    assert full_time(WINTER, SAO_PAULO) == "Wed 25 Nov 2026, 17:00 UTC-3 = Wed 25 Nov 20:00 UTC"


@pytest.mark.parametrize("boundary", Boundary)
def test_a_deadline_post_has_one_name_for_the_clocks_of_utc(boundary: Boundary) -> None:
    setup = Setup("x", zone=LISBON, rule=Rule(boundary=boundary))
    post = deadline_post("Day 1", WINTER, WINTER - timedelta(days=1), setup, "plain")
    told = f"{post} {boundary_sentence(setup.rule, WINTER, LISBON)}"
    assert "Wed 25 Nov 2026, 20:00 UTC" in told
    assert "WET" not in told
    assert not FROZEN.findall(told)
