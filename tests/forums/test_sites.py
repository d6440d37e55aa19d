"""The table of sites."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.errors import SetupError
from knightfall.forums.sites import known_sites, parse_sites, site_of


def test_a_site_is_found_by_its_host_or_the_domain_above() -> None:
    sites = parse_sites('["games.example"]\nplatform = "phpbb"\nfirst_number = 0\nforms = ["tag"]')
    assert site_of("https://forum.games.example/viewtopic.php?t=1", sites).first_number == 0
    assert site_of("https://games.example.org/", sites).platform is None
    assert site_of("https://forum.mafiascum.net/viewtopic.php?t=1").dialect == "mafiascum"


def test_an_unknown_key_of_a_site_is_a_complaint() -> None:
    with pytest.raises(SetupError, match="unknown key colour"):
        parse_sites('["a.example"]\ncolour = "red"')


def test_the_tags_of_a_site_are_some_of_those_that_boards_have() -> None:
    sites = parse_sites('["a.example"]\ntags = ["spoiler", "table"]')
    assert sites["a.example"].tags == ("spoiler", "table")
    with pytest.raises(
        SetupError, match=r"tags: found \['spoilers'\], expected some of area, spoiler, table"
    ):
        parse_sites('["a.example"]\ntags = ["spoilers"]')
    with pytest.raises(SetupError, match=r"tags: found 'table', expected a list of words"):
        parse_sites('["a.example"]\ntags = "table"')


def test_what_the_user_says_of_a_known_site_is_added_to_what_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = b'["forum.mafiascum.net"]\ntags = ["spoiler"]\n["mine.example"]\nplatform = "smf"\n'
    monkeypatch.setattr("knightfall.forums.sites.user_sites", lambda: (Path("sites.toml"), own))
    known = known_sites.__wrapped__()
    scum = known["forum.mafiascum.net"]
    assert (scum.tags, scum.dialect, scum.posts_per_page) == (("spoiler",), "mafiascum", 25)
    assert known["mine.example"].platform == "smf"
