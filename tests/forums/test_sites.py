"""The table of sites."""

from __future__ import annotations

import pytest

from knightfall.errors import SetupError
from knightfall.forums.sites import parse_sites, site_of


def test_a_site_is_found_by_its_host_or_the_domain_above() -> None:
    sites = parse_sites('["games.example"]\nplatform = "phpbb"\nfirst_number = 0\nforms = ["tag"]')
    assert site_of("https://forum.games.example/viewtopic.php?t=1", sites).first_number == 0
    assert site_of("https://games.example.org/", sites).platform is None
    assert site_of("https://forum.mafiascum.net/viewtopic.php?t=1").dialect == "mafiascum"


def test_an_unknown_key_of_a_site_is_a_complaint() -> None:
    with pytest.raises(SetupError, match="unknown key colour"):
        parse_sites('["a.example"]\ncolour = "red"')
