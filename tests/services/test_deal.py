"""A deal by seed, committed to beforehand and checked afterwards."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
from typer.testing import CliRunner

from knightfall.cli import app
from knightfall.errors import InputError, SetupError
from knightfall.sentence import SlotId
from knightfall.services.deal import (
    DealProof,
    DealTerms,
    check_deal,
    commit,
    deal,
    parse_proof,
    proof_json,
    verify,
)
from salt_harbour import NAMES

SEED, SALT = bytes(range(32)), bytes(range(100, 132))
TERMS = DealTerms("knight_errant", {"setup": "A1-RD"}, NAMES)
PROOF = commit(TERMS, SEED, SALT)


def names_file(folder: Path) -> Path:
    path = folder / "names.txt"
    path.write_text("# Salt Harbour\n" + "\n".join(NAMES) + "\n\n", encoding="utf-8")
    return path


def test_a_deal_repeats_and_can_be_checked_by_hand() -> None:
    assert verify(PROOF) == () == verify(PROOF, PROOF.commitment)
    assert sorted(PROOF.cards) == sorted(NAMES)
    by_hand = SALT + b"\nseed:" + SEED.hex().encode() + b"\n" + TERMS.text.encode()
    assert sha256(by_hand).hexdigest() == PROOF.commitment


@pytest.mark.parametrize(
    "changed",
    [
        replace(PROOF, seed=SEED[::-1]),
        replace(PROOF, salt=SALT[::-1]),
        replace(PROOF, salt=SALT + SEED[:1], seed=SEED[1:]),
        replace(PROOF, terms=replace(TERMS, slots=NAMES[::-1])),
        replace(PROOF, terms=replace(TERMS, options={"setup": "A1-DR"})),
        replace(PROOF, cards={**PROOF.cards, SlotId("Ada"): "Town Hero"}),
        replace(PROOF, cards={name: card for name, card in PROOF.cards.items() if name != "Ada"}),
        replace(PROOF, cards={**PROOF.cards, SlotId("Wren"): "Town Mason"}),
        replace(PROOF, terms=replace(TERMS, slots=NAMES[1:])),
        replace(PROOF, salt=b"short"),
    ],
)
def test_whatever_is_changed_afterwards_is_found(changed: DealProof) -> None:
    assert verify(changed) != ()


def test_another_commitment_than_the_published_one_is_found() -> None:
    assert "the published one" in verify(PROOF, "00" * 32)[0]


def test_seed_and_salt_of_less_than_128_bits_are_refused() -> None:
    with pytest.raises(InputError, match="salt has 15 bytes"):
        commit(TERMS, SEED, SALT[:15])
    with pytest.raises(InputError, match="seed has 3 bytes"):
        commit(TERMS, b"abc", SALT)


def test_a_file_reads_back_as_json_and_as_toml() -> None:
    assert parse_proof("deal.json", proof_json(PROOF)) == PROOF
    told = json.loads(proof_json(PROOF))
    plain = (f"{key} = {json.dumps(value)}" for key, value in told.items() if not isinstance(value, dict))
    tables = (
        f"[{key}]\n" + "\n".join(f'{k} = "{v}"' for k, v in told[key].items()) for key in ("options", "cards")
    )
    assert parse_proof("deal.toml", "\n".join((*plain, *tables))) == PROOF


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "neither JSON nor TOML"),
        ("{}", "game: missing"),
        (proof_json(PROOF).replace(SEED.hex(), "xyz"), "seed: found 'xyz', expected bytes in hex"),
        (
            proof_json(PROOF).replace('"options": {', '"options": 3, "x": {'),
            "options: found 3, expected a dict",
        ),
    ],
)
def test_a_file_that_is_no_proof_is_explained(text: str, complaint: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_proof("deal.json", text)
    assert complaint in str(caught.value)


def test_the_deal_is_kept_in_private_and_only_the_commitment_is_public(tmp_path: Path) -> None:
    out = tmp_path / "game"
    published = deal("knight-errant", NAMES, None, SEED, SALT, out).commitment
    secret, public = out / "private/deal.json", (out / "public/commitment.txt").read_text(encoding="utf-8")
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(secret.parent.stat().st_mode) == 0o700
    assert published in public
    assert SEED.hex() not in public and SALT.hex() not in public
    assert check_deal(secret, published).wrong == ()
    with pytest.raises(InputError, match="there is already a deal here"):
        deal("knight-errant", NAMES, None, SALT, SEED, out)


def test_both_verbs_print_no_secret_and_end_as_they_should(tmp_path: Path) -> None:
    run, out = CliRunner(), tmp_path / "game"
    arguments = ["--players", str(names_file(tmp_path)), "--setup", "D4-UL", "--out", str(out)]
    dealt = run.invoke(app, ["deal", "knight-errant", *arguments])
    assert dealt.exit_code == 0 and len(dealt.output.strip()) == 64
    secret = out / "private/deal.json"
    right = run.invoke(app, ["fair", "verify", str(secret), "--published", dealt.output.strip()])
    assert right.exit_code == 0 and "All 18 cards match the seed" in right.output
    lie = tmp_path / "lie.json"
    lie.write_text(secret.read_text(encoding="utf-8").replace("Town Doctor", "Town Cop"), encoding="utf-8")
    wrong = run.invoke(app, ["fair", "verify", str(lie)])
    assert wrong.exit_code == 1 and "the card Town Doctor, the file says Town Cop" in wrong.output


def test_a_game_in_which_nothing_is_dealt_names_no_cards(tmp_path: Path) -> None:
    run, out = CliRunner(), tmp_path / "bout"
    assert run.invoke(app, ["new", "knight-fight", "Ada", "Boro", "--out", str(out)]).exit_code == 0
    note = (out / "public/commitment.txt").read_text(encoding="utf-8")
    assert ("random draws of this game" in note, "cards" in note) == (True, False)
    checked = run.invoke(app, ["fair", "verify", str(out / "private/deal.json")]).output
    assert ("Nothing was dealt" in checked, "cards" in checked) == (True, False)


def test_a_title_that_was_taken_for_a_player_is_seen_in_the_refusal(tmp_path: Path) -> None:
    words = ["new", "knight-fight", "Fen Duel", "Ada", "Boro", "--out", str(tmp_path / "bout")]
    assert "found 3 players: Fen Duel, Ada, Boro." in str(CliRunner().invoke(app, words).exception)
