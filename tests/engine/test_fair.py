"""What is shown of a deal that nobody could choose, and that every lie about one is told or left open."""

from __future__ import annotations

import random
import subprocess
import sys
from math import sqrt

import pytest

from fair_deals import (
    BEACONS,
    HARMLESS,
    LIES,
    NAMES,
    QUICKNET,
    ROUND,
    SIGNATURE,
    VALUE,
    VILLAGE,
    any_deal,
    fair_deal,
    told,
    village,
)
from knightfall.engine.fair import (
    CardTree,
    Shown,
    card_salt,
    commitment,
    dealt_by,
    judge,
    posted,
    seed_of,
    verdict,
)
from knightfall.engine.rng import SeededRng
from knightfall.engine.signatures import signature_holds
from knightfall.sentence import SlotId
from knightfall.services.beacon import is_signed
from knightfall.services.games import game_named
from long_runs import LONG_JOB, spread

SECRET = bytes(range(32))
TRIES = 2000 if LONG_JOB else 500


@pytest.mark.wider
def test_a_deal_of_any_game_is_fair_where_all_is_at_hand() -> None:
    for number in spread(6, range(60)):
        made = any_deal(random.Random(number))
        assert told(made.findings(is_signed)).startswith("Fair."), told(made.findings(is_signed))


@pytest.mark.parametrize("name", HARMLESS)
def test_what_changes_nothing_leaves_a_deal_fair(name: str) -> None:
    made = village(random.Random(5))
    HARMLESS[name](made)
    assert verdict(made.findings(is_signed)) == "Fair"


@pytest.mark.parametrize("name", LIES)
def test_every_lie_is_contradicted_or_not_shown(name: str) -> None:
    key, shown, act = LIES[name]
    made = village(random.Random(5))
    act(made)
    findings = {one.key: one for one in made.findings(is_signed)}
    assert findings[key].shown is shown, told(made.findings(is_signed))
    assert findings[key].why
    assert verdict(tuple(findings.values())) != "Fair"


def test_there_are_as_many_lies_as_were_asked_for() -> None:
    assert len(LIES) >= 26 + 20


def test_without_a_signature_a_reader_has_to_ask_a_mirror() -> None:
    made = village(random.Random(5))
    open_ = {one.key: one for one in made.findings()}["value"]
    assert open_.shown is Shown.NOT_SHOWN
    assert open_.why == (f"it was not verified, compare it with {' and '.join(QUICKNET.links(ROUND))}",)
    made.mirror = VALUE
    assert verdict(made.findings()) == "Fair"


def test_during_the_game_a_flip_is_shown_and_the_rest_is_open() -> None:
    made = village(random.Random(5))
    made.has_proof = False
    states = {one.key: one.shown for one in made.findings(is_signed)}
    assert states["flips"] is states["before"] is states["value"] is Shown.SHOWN
    assert states["cards"] is states["secret"] is Shown.NOT_SHOWN
    assert verdict(made.findings(is_signed)) == "Not shown"


def test_nothing_is_shown_of_nothing() -> None:
    findings = judge(posted("Hello, all.\nValue of friendship: high"), BEACONS)
    assert {one.shown for one in findings} == {Shown.NOT_SHOWN}


# ── the signature of the round ───────────────────────────────────────────────────────────────────


def test_the_signature_of_a_round_is_checked_by_the_beacons_key() -> None:
    assert signature_holds(QUICKNET.key, ROUND, SIGNATURE) is True
    assert signature_holds(QUICKNET.key, ROUND + 1, SIGNATURE) is False
    assert signature_holds("", ROUND, SIGNATURE) is None


@pytest.mark.few(2)
@pytest.mark.parametrize("wrong", ["", "ab" * 48, "00" * 48, "c0" + "00" * 47, SIGNATURE[:-2]])
def test_what_is_no_signature_holds_for_no_round(wrong: str) -> None:
    assert signature_holds(QUICKNET.key, ROUND, wrong) is False


@pytest.mark.long
def test_whoever_checks_a_signature_stays_safe_from_input_that_is_nested_without_end() -> None:
    """The library raises Python's limit of recursion: behind it, a hostile text would end the process."""
    asked = (
        "import json, sys; from knightfall.engine.signatures import signature_holds as holds\n"
        f"before = sys.getrecursionlimit(); holds({QUICKNET.key!r}, {ROUND}, {SIGNATURE!r})\n"
        "assert sys.getrecursionlimit() == before; json.loads('[' * 100_000)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("RecursionError")


# ── the cards come out of the draws ──────────────────────────────────────────────────────────────


GOONS, TOWN = {"count": 2, "role": "Mafia Goon"}, {"count": 5, "role": "Vanilla Townie"}
POWERS = ["Town Cop", "Town Doctor", "Town Tracker"]
SETUPS = {
    "the rest": {"slots": [GOONS, {"role": "Vanilla Townie"}], "fill": True},
    "weighted rows": {
        "slots": [GOONS, TOWN],
        "row": [{"weight": 3, "roles": POWERS[:2]}, {"weight": 1, "roles": POWERS[1:]}],
    },
    "a pick": {"slots": [GOONS, TOWN, {"count": 2, "pick": POWERS}]},
    "one of several": VILLAGE,
}


@pytest.mark.parametrize(
    ("game", "number", "options"),
    [
        ("knight_errant", 18, {}),
        ("knight_errant", 18, {"setup": "A1-RD"}),
        ("empowered", 7, {}),
        ("empowered", 11, {}),
        ("kings_court", 11, {"seeds": "each_attempt"}),
        ("kings_court", 11, {}),
        ("custom_mafia", 8, {}),
    ],
)
def test_the_plan_of_a_game_deals_what_its_rules_deal(
    game: str, number: int, options: dict[str, object]
) -> None:
    kind, slots = game_named(game), tuple(map(SlotId, NAMES[:number]))
    for tried in range(40):
        seed = SeededRng(bytes([tried])).at("try").seed + bytes([tried])
        parts = dict.fromkeys(kind.seals(options), seed)
        state = kind.setup(slots, options, SeededRng(seed, parts=parts)).state
        dealt = dealt_by(kind.deal_plan(slots, options), seed, slots)
        assert {slot: card.role for slot, card in dealt.items()} == dict(kind.roles(state))
        assert all(card.drawn is not None for card in dealt.values())


# ── whoever tries to choose ──────────────────────────────────────────────────────────────────────

MARKED = ("Ada", "Boro")


def dealt(seed: bytes) -> dict[str, str]:
    """The cards of a village of nine by a seed."""
    game = game_named("custom_mafia")
    state = game.setup(tuple(map(SlotId, NAMES[:9])), {"setup": VILLAGE}, SeededRng(seed)).state
    return {str(slot): str(role) for slot, role in game.roles(state).items()}


def both_goons(cards: dict[str, str]) -> bool:
    return all(cards[slot] == "Mafia Goon" for slot in MARKED)


@pytest.mark.wider
def test_who_may_try_seeds_soon_has_the_deal_they_want() -> None:
    tries = (SeededRng(bytes([n, n >> 8])).at("try").seed for n in range(TRIES))
    assert next(n for n, seed in enumerate(tries, start=1) if both_goons(dealt(seed))) < 300


@pytest.mark.wider
def test_after_the_commitment_no_other_secret_fits() -> None:
    chance, made = random.Random(12), fair_deal("custom_mafia", 9, random.Random(11), {"setup": VILLAGE})
    assert not any(commitment(chance.randbytes(32)) == made.proof["commitment"] for _ in range(TRIES))


@pytest.mark.wider
def test_a_secret_that_is_chosen_before_the_round_is_no_better_than_chance() -> None:
    """Whoever chooses the secret does not know the round: over many rounds the two are goons as often as
    chance has it."""
    chance, terms = random.Random(14), '{"game":"custom_mafia"}'
    hits = sum(both_goons(dealt(seed_of(SECRET, chance.randbytes(32).hex(), terms))) for _ in range(TRIES))
    expected = TRIES * 2 / 9 * 1 / 8
    assert abs(hits - expected) < 5 * sqrt(expected)


def test_the_line_of_a_card_opens_that_card_alone() -> None:
    tree = CardTree.of(SECRET, {"Ada": "Town Cop", "Boro": "Mafia Goon"})
    assert card_salt(SECRET, "Boro") not in tree.line("Ada")
    assert tree.line("Ada").startswith("Card check: Ada | Town Cop | ")
