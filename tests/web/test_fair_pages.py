"""A deal that nobody can choose, made on the page."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fetch.loopback import StillClock
from knightfall.config.beacons import beacon_named
from knightfall.engine.entries import Extended
from knightfall.engine.fair import PHASES, posted
from knightfall.services.fair_deal import fair_proof
from knightfall.services.machine import session_of
from knightfall.services.session import entered
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


def test_commit_note_a_word_enter_the_round_and_deal(tmp_path: Path) -> None:
    clock = StillClock(began=NOON)
    hand, folder = waiting(tmp_path, "custom_mafia", NAMES[:6], clock)
    chosen = {
        "What decides": "that round, and a word of each player",
        "Its roles": "2 Goons\nTown Cop\nrest VT",
    }
    hand.press("Commit to the deal", chosen)
    assert "Post this commitment now." in hand.text
    (post,) = posted(hand.value("The post of the commitment")).commitments
    assert json.loads(post.terms)["slots"] == list(NAMES[:6])
    assert "Seed, in hex" not in hand.text
    hand.press("Note the word", {"Player": NAMES[1], "Their word": "a red boat"})
    assert f"{NAMES[1]}: “a red boat”" in hand.text
    hand.press("Deal and begin")
    assert "nobody can deal before" in hand.refusal
    clock.sleep(3600)
    hand.go("/games/tin-valley/deal")
    hand.press("Enter the round", {"Value of the round": VALUE})
    hand.go("/games/tin-valley/deal")
    assert f"Its value is {VALUE}." in hand.text
    hand.press("Deal and begin")
    proof = fair_proof(folder)
    assert proof is not None
    assert (proof.fair["value"], proof.fair["words"]) == (VALUE, [[NAMES[1], "a red boat"]])
    assert sorted(proof.cards.values()).count("Mafia Goon") == 2


def test_seats_are_committed_to_as_well(tmp_path: Path) -> None:
    hand, folder = waiting(tmp_path, "knight_fight", ("Ada", "Zephyr"), StillClock(began=NOON))
    seats = {"Deathmatch Opponent": "Zephyr", "Elimination Candidate": "Ada"}
    hand.press("Commit to the deal", {**seats, "What decides": "the players' words alone"})
    hand.press("Note the word", {"Player": "Ada", "Their word": "otter"})
    hand.press("Deal and begin")
    proof = fair_proof(folder)
    assert proof is not None
    assert proof.terms.slots == ("Zephyr", "Ada")
    assert proof.tree is None  # a game without cards


def test_a_round_at_each_deadline_is_named_entered_and_posted(tmp_path: Path) -> None:
    clock = StillClock(began=NOON)
    hand, folder = waiting(tmp_path, "custom_mafia", NAMES[:6], clock)
    hand.press("Commit to the deal", {"Its roles": "2 Goons\nTown Cop\nrest VT", "What is drawn at": True})
    assert posted(hand.value("The post of the commitment")).commitments[0].chance.endswith(PHASES)
    clock.sleep(3600)
    hand.go("/games/tin-valley/deal")
    hand.press("Enter the round", {"Value of the round": VALUE})
    hand.go("/games/tin-valley/deal")
    hand.press("Deal and begin")
    hand.go("/games/tin-valley/deal")
    assert "No round is waited for now." in hand.text
    ends = clock.now() + timedelta(hours=1)
    entered(Extended("day-1", ends), session_of(folder), at=clock.now())
    hand.go("/games/tin-valley/deal")
    assert "What is drawn at the end of Day 1 waits for round" in hand.text
    clock.sleep(3700)
    hand.go("/games/tin-valley/deal")
    hand.press("Enter the round", {"Value of the round": VALUE})
    assert "Post it, then close." in hand.text
    (told,) = posted(hand.value("The post of the last round")).rounds
    assert told == (beacon_named("quicknet").beacon.first_after(ends), VALUE)
