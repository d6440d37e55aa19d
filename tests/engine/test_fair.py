"""A deal that nobody can choose: its bytes by hand, every lie by name, and the grinder that tries seeds."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
from datetime import UTC, datetime, timedelta
from math import sqrt

import pytest

from fair_deals import BEACONS, LIES, NAMES, QUICKNET, VILLAGE, any_deal, worded
from knightfall.engine.fair import (
    CardTree,
    canonical,
    card_salt,
    commitment,
    leaf,
    lies,
    one_word,
    part_secret,
    path_of,
    posted,
    root,
    root_by,
    seed_of,
)
from knightfall.engine.rng import SeededRng
from knightfall.errors import InputError
from knightfall.sentence import SlotId
from knightfall.services.games import game_named

SECRET = bytes(range(32))


def sha(*parts: bytes | str) -> str:
    """By hand: SHA-256 of the parts one after the other."""
    return hashlib.sha256(b"".join(p.encode() if isinstance(p, str) else p for p in parts)).hexdigest()


# ── the bytes ────────────────────────────────────────────────────────────────────────────────────


def test_the_commitment_is_the_digest_of_the_secret() -> None:
    assert commitment(SECRET) == sha(SECRET)
    assert commitment(SECRET) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"


def test_parts_have_secrets_of_their_own_and_the_commitment_binds_each() -> None:
    one = hmac.new(SECRET, b'["part","deal","1"]', "sha256").digest()
    end = hmac.new(SECRET, b'["part","play","end"]', "sha256").digest()
    assert part_secret(SECRET, ("deal", "1")) == one
    by_hand = sha(f'["{sha(one)}","{sha(end)}"]')
    assert commitment(SECRET, (("deal", "1"), ("play", "end"))) == by_hand


def test_the_seed_is_the_digest_of_five_lines() -> None:
    words, terms = [["Ada", "röd båt"], ["Boro", "“of” clubs"]], '{"game":"empowered"}'
    lines = f'knightfall deal 2\n{SECRET.hex()}\nc0ffee\n[["Ada","röd båt"],["Boro","“of” clubs"]]\n{terms}'
    assert seed_of(SECRET, "c0ffee", words, terms).hex() == sha(lines)


def test_a_card_is_a_leaf_with_a_salt_of_the_secret() -> None:
    salt = hmac.new(SECRET, '["card","Ödön"]'.encode(), "sha256").digest()[:16].hex()
    assert card_salt(SECRET, "Ödön") == salt
    assert leaf("Ödön", "Town Cop", salt) == sha(f'["Ödön","Town Cop","{salt}"]')


def test_the_root_of_five_cards_and_the_path_of_each() -> None:
    a, b, c, d, e = leaves = [sha(str(n)) for n in range(5)]

    def pair(left: str, right: str) -> str:
        return sha(bytes.fromhex(left), bytes.fromhex(right))

    ab, cd = pair(a, b), pair(c, d)
    abcd = pair(ab, cd)
    assert root(leaves) == pair(abcd, e)
    assert path_of(leaves, 2) == f">{d} <{ab} >{e}"
    assert path_of(leaves, 4) == f"<{abcd}"  # carried up as it is
    assert all(root_by(card, path_of(leaves, at)) == root(leaves) for at, card in enumerate(leaves))
    assert root([]) == ""
    assert root([a]) == a
    assert path_of([a], 0) == ""


def test_a_path_that_is_none_leads_nowhere() -> None:
    assert root_by(sha("a"), "=" + sha("b")) == ""
    assert root_by(sha("a"), ">b") == ""


def test_rounds_and_times() -> None:
    assert QUICKNET.at(1) == datetime(2023, 8, 23, 15, 9, 27, tzinfo=UTC)
    assert QUICKNET.at(1001) - QUICKNET.at(1) == timedelta(seconds=3000)
    for late in (0, 1, 2):
        moment = QUICKNET.at(500) - timedelta(seconds=late)
        assert QUICKNET.first_after(moment) == 500
    assert QUICKNET.first_after(QUICKNET.at(500) + timedelta(microseconds=1)) == 501
    assert QUICKNET.first_after(datetime(2020, 1, 1, tzinfo=UTC)) == 1


def test_a_word_is_one_short_line() -> None:
    assert one_word("  a red boat ") == "a red boat"
    for wrong in ("", "  ", "x" * 81, "two\nlines"):
        with pytest.raises(InputError):
            one_word(wrong)


def test_a_draw_is_told_so_that_hmac_alone_makes_it_again() -> None:
    made = worded(random.Random(3))
    seed = seed_of(made.secret, made.value, made.proof["words"], made.proof["terms"])
    path, label, repeat, way, pile, drawn = next(one for one in made.proof["draws"] if one[1] == "cm.cards")
    assert (label, way) == ("cm.cards", "sample")
    left, again = list(pile), []
    for index in range(len(drawn)):
        message = json.dumps([*path, label, repeat, index, 0]).encode()
        again.append(left.pop(int.from_bytes(hmac.new(seed, message, "sha256").digest(), "big") % len(left)))
    assert again == drawn


# ── honest games ─────────────────────────────────────────────────────────────────────────────────


def test_a_thousand_honest_games_hold_no_lie() -> None:
    for number in range(1000):
        made = any_deal(random.Random(number))
        assert made.found == (), number
        assert lies(None, posted(made.posts), BEACONS) == ()


def test_posts_are_read_from_among_other_words() -> None:
    made = worded(random.Random(1))
    wrapped = "\n".join(
        f"  [b]{line}[/b] " if not line.startswith("Terms") else line for line in made.text.split("\n")
    )
    read = posted("Good evening!\n[code]\n" + wrapped + "\n[/code]\nHave fun: Cards are dealt.")
    assert read.commitments == posted(made.text).commitments
    assert read.lines == posted(made.text).lines
    assert read.roots == (made.tree.root,) if made.tree else ()
    assert lies(json.loads(read.proofs[0]), read, BEACONS) == ()


def test_a_replaced_commitment_that_is_told_everywhere_is_no_lie() -> None:
    made = worded(random.Random(2))
    LIES["commitment replaced, told in the post alone"][1](made)
    made.proof["replaces"] = [made.commitments[0].commitment]
    assert not made.found


def test_a_draw_by_hand_leaves_a_gap_that_is_no_lie() -> None:
    made = worded(random.Random(2))
    LIES["draw thrown away"][1](made)
    made.proof["by_hand"] = [[made.proof["draws"][0][1], "heads"]]
    assert not made.found


# ── lies ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", LIES)
def test_every_lie_is_told_by_its_name(name: str) -> None:
    code, act = LIES[name]
    made = worded(random.Random(5))
    assert not made.found
    act(made)
    found = {lie.code: lie.text for lie in made.found}
    assert code in found
    assert found[code].endswith(".")


def test_there_are_more_than_thirty_lies() -> None:
    assert len({code for code, _ in LIES.values()}) >= 30


@pytest.mark.parametrize("seed", range(20))
def test_a_flip_during_the_game_needs_the_opening_post_alone(seed: int) -> None:
    made = any_deal(random.Random(seed))
    assert made.tree is not None
    first = f"Cards: {made.tree.root}\n"
    for slot in made.tree.cards:
        line = made.tree.line(slot)
        assert lies(None, posted(first + line)) == ()
        changed = line.replace(f"| {made.tree.cards[slot]} |", "| Jester |")
        assert [lie.code for lie in lies(None, posted(first + changed))] == ["card_line"]


def test_parts_that_stay_secret_prove_their_draws_and_no_other() -> None:
    made = any_deal(random.Random(next(n for n in range(99) if "parts" in any_deal(random.Random(n)).proof)))
    assert not made.found
    swapped = next(part for part in made.proof["parts"] if "secret" in part)
    swapped["secret"] = "00" * 32
    assert {"secret_swapped", "draw_changed"} <= {lie.code for lie in made.found}
    swapped.pop("secret")
    assert "draw_unproved" in {lie.code for lie in made.found}
    made.proof["parts"].append({**swapped, "secret": "11" * 32})
    assert "parts_overlap" in {lie.code for lie in made.found}
    made.proof["parts"].pop()
    swapped["digest"] = "00" * 32
    assert "parts_changed" in {lie.code for lie in made.found}


# ── the grinder ──────────────────────────────────────────────────────────────────────────────────

MARKED = ("Ada", "Boro")
TRIES = 10_000


def dealt(seed: bytes) -> dict[str, str]:
    """The cards of nine players by a seed."""
    game = game_named("custom_mafia")
    state = game.setup(tuple(map(SlotId, NAMES[:9])), {"setup": VILLAGE}, SeededRng(seed)).state
    return {str(slot): str(role) for slot, role in game.roles(state).items()}


def both_goons(cards: dict[str, str]) -> bool:
    return all(cards[slot] == "Mafia Goon" for slot in MARKED)


def test_who_may_try_seeds_soon_has_the_deal_they_want() -> None:
    tries = (SeededRng(bytes([n, n >> 8])).at("try").seed for n in range(TRIES))
    assert next(n for n, seed in enumerate(tries, start=1) if both_goons(dealt(seed))) < 300


def test_after_the_commitment_no_other_secret_fits() -> None:
    """The grinder knows the round and tries secrets until the deal pleases: each try shows."""
    made = worded(random.Random(11))
    chance, tried = random.Random(12), 0
    for _ in range(TRIES):
        other = chance.randbytes(32)
        tried += commitment(other) == made.proof["commitment"]
    assert tried == 0

    for _ in range(10):
        cards: dict[str, str] = {}
        while not cards or not both_goons(cards):
            other = chance.randbytes(32)
            cards = dealt(seed_of(other, made.value, made.proof["words"], made.proof["terms"]))
        made.proof |= {"secret": other.hex(), "cards": cards}
        assert "secret_swapped" in {lie.code for lie in made.found}
        made.proof["commitment"] = commitment(other)
        assert "commitment_changed" in {lie.code for lie in made.found}


def test_with_the_secret_committed_nothing_is_left_to_vary() -> None:
    """Of all that the seed is made from, everything stands in a post before the chance is known."""
    made = worded(random.Random(13))
    held, varied = json.loads(canonical(made.proof)), 0
    for name, (_, act) in LIES.items():
        other = worded(random.Random(13))
        act(other)
        try:
            again = seed_of(
                bytes.fromhex(other.proof["secret"]),
                other.proof["value"],
                other.proof["words"],
                other.proof["terms"],
            )
        except ValueError:
            continue
        if again != seed_of(made.secret, held["value"], held["words"], held["terms"]):
            varied += 1
            assert other.found != (), name
    assert varied >= 15


def test_a_secret_that_is_chosen_before_the_round_is_no_better_than_chance() -> None:
    """Whoever chooses the secret does not know the round: over many rounds the two are goons as often as
    chance has it."""
    chance, words, terms = random.Random(14), [["Ada", "heron"]], '{"game":"custom_mafia"}'
    hits = sum(
        both_goons(dealt(seed_of(SECRET, chance.randbytes(32).hex(), words, terms))) for _ in range(TRIES)
    )
    expected = TRIES * 2 / 9 * 1 / 8
    assert abs(hits - expected) < 5 * sqrt(expected)


def test_the_line_of_a_card_opens_that_card_alone() -> None:
    tree = CardTree.of(SECRET, {"Ada": "Town Cop", "Boro": "Mafia Goon"})
    assert card_salt(SECRET, "Boro") not in tree.line("Ada")
    assert tree.line("Ada").startswith("Card check: Ada | Town Cop | ")
