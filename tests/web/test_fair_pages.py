"""A deal that nobody can choose, made on the page."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path

from fetch.loopback import StillClock
from knightfall.engine.fair import posted
from knightfall.services.fair_deal import fair_proof
from salt_harbour import NAMES
from web.hands import FormHand, form_hand
from web.hosting import up_to_preview
from web.served import served

ABOUT = {"Title of the game": "Tin Valley"}
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
VALUE = hashlib.sha256(b"round").hexdigest()


def waiting(desk: Path, game: str, names: tuple[str, ...], clock: StillClock) -> tuple[FormHand, Path]:
    """A game whose players have signed up."""
    hand = form_hand(served(desk, clock=clock))
    up_to_preview(hand, game, ABOUT)
    hand.press("Create it")
    folder = desk / "tin-valley"
    tables = "".join(f'\n[[player]]\nname = "{name}"\n' for name in names)
    file = folder / "game.toml"
    file.write_text(file.read_text(encoding="utf-8") + tables, encoding="utf-8")
    hand.go("/games/tin-valley/deal")
    return hand, folder


def test_commit_enter_the_round_and_deal(tmp_path: Path) -> None:
    clock = StillClock(began=NOON)
    hand, folder = waiting(tmp_path, "custom_mafia", NAMES[:6], clock)
    hand.press("Commit to the deal", {"Its roles": "2 Goons\nTown Cop\nrest VT"})
    assert "Post this commitment now." in hand.text
    (post,) = posted(hand.value("The post of the commitment")).commitments
    assert json.loads(post.terms)["slots"] == list(NAMES[:6])
    assert "Seed (empty" not in hand.text
    hand.press("Deal and begin")
    assert "nobody can deal before" in hand.refusal
    clock.sleep(3600)
    hand.go("/games/tin-valley/deal")
    hand.press("Enter the round", {"What a mirror answers": VALUE})
    assert "was not verified" in hand.text
    hand.go("/games/tin-valley/deal")
    assert f"Its value is {VALUE}." in hand.text
    hand.press("Deal and begin")
    proof = fair_proof(folder)
    assert proof is not None
    assert proof.fair["value"] == VALUE
    assert sorted(proof.cards.values()).count("Mafia Goon") == 2


def test_seats_are_committed_to_as_well(tmp_path: Path) -> None:
    clock = StillClock(began=NOON)
    hand, folder = waiting(tmp_path, "knight_fight", ("Ada", "Zephyr"), clock)
    hand.press("Commit to the deal", {"Deathmatch Opponent": "Zephyr", "Elimination Candidate": "Ada"})
    clock.sleep(3600)
    hand.go("/games/tin-valley/deal")
    hand.press("Enter the round", {"What a mirror answers": VALUE})
    hand.go("/games/tin-valley/deal")
    hand.press("Deal and begin")
    proof = fair_proof(folder)
    assert proof is not None
    assert proof.terms.slots == ("Zephyr", "Ada")
    assert proof.tree is None  # a game without cards


def test_players_get_a_page_and_its_address(tmp_path: Path) -> None:
    hand, folder = waiting(tmp_path, "custom_mafia", NAMES[:6], StillClock(began=NOON))
    hand.press("Commit to the deal", {"Its roles": "2 Goons\nTown Cop\nrest VT"})
    assert "Save the page “Was the deal fair?”" in hand.text
    hand.press("Note the address", {"Its address": "https://quay.example.org/check.html"})
    assert 'check_page = "https://quay.example.org/check.html"' in (folder / "game.toml").read_text()


def test_who_hosts_with_names_in_hand_is_asked_too(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path, clock=StillClock(began=NOON)))
    setup, players = {"Its roles": "2 Goons\nTown Cop\nrest VT"}, {"Players": "\n".join(NAMES[:6])}
    up_to_preview(hand, "custom_mafia", ABOUT, setup, players)
    hand.press("Let nobody choose the deal")
    assert "Post this commitment now." in hand.text
    assert posted(hand.value("The post of the commitment")).commitments
    assert fair_proof(tmp_path / "tin-valley") is None
