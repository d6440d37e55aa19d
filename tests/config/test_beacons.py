"""Public beacons: those that come with Knightfall, one's own, and what a file may not say."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from knightfall.config.beacons import beacon_named, known_beacons, parse_beacons
from knightfall.errors import InputError, SetupError
from knightfall.services.beacon import read_round
from knightfall.services.machine import session_of

OWN = """
[harbour]
genesis = 1700000000
period = 30
mirrors = ["https://one.example/{round}", "https://two.example/{round}"]
"""


def test_the_packaged_beacon_has_two_servers_or_more() -> None:
    known = beacon_named("quicknet")
    assert known.period == 3
    assert len({mirror.split("/")[2] for mirror in known.mirrors}) == len(known.mirrors) >= 2
    with pytest.raises(InputError, match="Known: quicknet"):
        beacon_named("quickset")


def test_the_key_of_the_packaged_beacon_is_the_one_of_its_chain() -> None:
    """The name of a chain is the digest of what it is: its mirrors have it in their addresses."""
    known, seed = beacon_named("quicknet"), "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"
    said = known.period.to_bytes(4, "big") + known.genesis.to_bytes(8, "big")
    chain = sha256(said + bytes.fromhex(known.key + seed) + known.name.encode()).hexdigest()
    assert all(f"/{chain}/" in mirror for mirror in known.mirrors)


def test_ones_own_beacons_stand_beside_the_packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_CONFIG", str(tmp_path))
    (tmp_path / "beacons.toml").write_text(OWN, encoding="utf-8")
    assert set(known_beacons()) == {"quicknet", "harbour"}
    assert beacon_named("harbour").at(3).timestamp() == 1700000060


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("https://two", "http://two", "https address"),
        ("https://two.example/{round}", "https://two.example/latest", "{round}"),
        ("https://two", "https://one", "2 servers or more"),
        ("period = 30", "period = 0", "a number of seconds"),
        ("period = 30", 'period = "fast"', "a number of seconds"),
        ("period = 30", "", "expected a table with genesis, period, mirrors"),
        ("[harbour]", "[harbour", "not valid TOML"),
        ("period = 30", 'period = 30\nkey = "ab"', "192 hex digits"),
    ],
)
def test_a_file_that_is_wrong_is_told(old: str, new: str, told: str) -> None:
    assert old in OWN
    with pytest.raises(SetupError) as fault:
        parse_beacons(OWN.replace(old, new))
    assert told in str(fault.value)


def test_no_address_of_this_network_is_asked() -> None:
    inside = OWN.replace("one.example", "127.0.0.1").replace("two.example", "10.0.0.1")
    session = session_of(None, allow_private=True)
    assert session.beacon is not None
    with pytest.raises(InputError) as fault:
        read_round(parse_beacons(inside)["harbour"], 3, session.beacon)
    assert "Fewer than 2 mirrors" in str(fault.value)
    assert str(fault.value).count("private") >= 2
