"""The chances of a setup as a picture and as text."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.errors import InputError
from knightfall.pictures.chances import Chances, DayEnds, SideChance, chances_scene, chances_text
from knightfall.pictures.svg import is_plain, svg_text
from knightfall.services.balance import balance_of, balance_svg, write_balance_plot
from knightfall.services.requests import BalanceRequest

KILN = Chances(
    "Kiln",
    "9 players, 1,000 games, policy random",
    (SideChance("Mafia", 0.625, 0.6, 0.65), SideChance("Serial Killer", 0.375, 0.35, 0.4)),
    (
        DayEnds("day 2", (("Mafia", 0.25), ("Serial Killer", 0.0))),
        DayEnds("night 3", (("Mafia", 0.375), ("Serial Killer", 0.373))),
        DayEnds("day 4", (("Serial Killer", 0.002),)),
    ),
)


def test_the_text_shows_shares_with_their_intervals_and_the_days_on_which_games_end() -> None:
    assert chances_text((KILN,)).splitlines() == [
        "Kiln",
        "9 players, 1,000 games, policy random",
        "",
        "Mafia          ██████████████████▊             62.5 % (60.0–65.0)",
        "Serial Killer  ███████████▎                    37.5 % (35.0–40.0)",
        "",
        "Games end on",
        "day 2          ██████████                      25.0 %",
        "night 3        ██████████████████████████████  74.8 %",
    ]


def test_the_picture_says_what_the_text_says_and_needs_no_matplotlib() -> None:
    scene = chances_scene((KILN, KILN))
    assert is_plain(scene)
    drawn = svg_text(scene)
    for said in ("Kiln", "Mafia", "62.5 % (60.0–65.0)", "Games end on", "night 3", "74.8 %"):
        assert drawn.count(f">{said}<") >= 2, said
    assert "day 4" not in drawn  # too rare
    for label in scene.labels:
        assert 0 < label.x < scene.width
        assert 0 < label.y < scene.height


def test_a_bar_is_as_long_as_its_share_and_lies_in_its_interval() -> None:
    scene = chances_scene((KILN,))
    mafia, killer = scene.boxes[:2]
    assert mafia.width / killer.width == pytest.approx(0.625 / 0.375)
    interval = scene.lines[0]
    assert interval.points[0][0] < mafia.x + mafia.width < interval.points[1][0]


def test_a_plot_is_written_by_its_ending(tmp_path: Path) -> None:
    found = balance_of(BalanceRequest("custom-mafia", games=200))
    write_balance_plot(found, tmp_path / "kiln.svg")
    assert (tmp_path / "kiln.svg").read_text(encoding="utf-8") == balance_svg(found)
    write_balance_plot(found, tmp_path / "kiln.png")
    assert (tmp_path / "kiln.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match=r"\.svg or \.png"):
        write_balance_plot(found, tmp_path / "kiln.gif")
