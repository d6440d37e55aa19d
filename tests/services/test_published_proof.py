"""What a board game publishes at its end, and that everybody can check each draw of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from facts_seen import seen
from knightfall.cli import app
from knightfall.engine.entries import Closed, Drawn, Entry, Started, Submitted
from knightfall.engine.game import Announced, announced
from knightfall.engine.journal import Journal, append
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId
from knightfall.services.deal import (
    DealProof,
    DealTerms,
    check_deal,
    commit,
    parse_proof,
    proof_json,
    published_proof,
    verify,
)
from knightfall.services.games import game_named
from knightfall.services.running import RunningGame
from knightfall.writeups.events import public_post
from salt_court import COURT, NOON

SEED, SALT = bytes(range(32)), b"sixteen bytes of salt"


def begun(game: str, slots: tuple[SlotId, ...], **options: object) -> tuple[DealProof, RunningGame]:
    """A game that was dealt and began at noon."""
    terms = DealTerms(game, options, slots)
    proof = commit(terms, SEED, SALT)
    journal = append((), Started(game, slots, options), NOON, "Moderator")
    return proof, _table(game, journal)


def _table(game: str, journal: Journal) -> RunningGame:
    rules = game_named(game)
    return RunningGame(rules, Path(), SEED, journal, replay(journal, rules, lambda: SeededRng(SEED)))


def after(table: RunningGame, *entries: Entry) -> RunningGame:
    journal, at = table.journal, table.journal[-1].at
    for entry in entries:
        at += timedelta(minutes=1)
        journal = append(journal, entry, at, "Moderator")
    return _table(table.game.spec.id, journal)


def vote(table: RunningGame, votes: Mapping[str, Iterable[SlotId]]) -> RunningGame:
    sent = [Submitted(voter, f"VOTE: {name}") for name, voters in votes.items() for voter in voters]
    return after(table, *sent, Closed("vote"))


def elect(table: RunningGame, target: SlotId) -> RunningGame:
    """Everyone outside votes for the one, who votes for another."""
    outside = table.state.outside
    other = next(slot for slot in outside if slot != target)
    return vote(table, {target: [s for s in outside if s != target], other: [target]})


def court_after_an_early_king() -> tuple[DealProof, RunningGame]:
    """Attempt 1 ends with the King at once; in attempt 2 a tie is drawn, then the King joins as the fifth."""
    begun_with = game_named("kings_court").spec.begun_with
    proof, table = begun("kings_court", COURT, garnets=5, **begun_with)
    table = elect(table, table.state.king)
    free = [slot for slot in table.state.slots if slot != table.state.king]
    half = table.state.slots
    table = vote(
        table,
        {
            free[0]: [s for s in half[:6] if s != free[0]][:4],
            free[1]: [s for s in half[6:] if s != free[1]][:4],
        },
    )
    table = after(table, Closed("tie"))
    while table.state.end is None:
        court, king = len(table.state.court), table.state.king
        table = elect(table, king if court > 3 else next(s for s in table.state.outside if s != king))
    while table.game.outcome(table.state) is None:
        phase = str(table.state.phase)
        line = next(iter(table.game.legal(table.state, None)), None)
        table = after(table, Submitted(None, line) if line else Closed(phase))
    return proof, table


def test_the_proof_of_a_court_tells_the_last_attempt_and_nothing_else() -> None:
    proof, table = court_after_an_early_king()
    published = published_proof(proof, table)
    assert published is not None
    text = proof_json(published)
    assert verify(parse_proof("proof.json", text), proof.commitment) == ()
    assert SEED.hex() not in text
    assert "garnets" not in text
    opened = [seal.path for seal in published.seals if seal.seed]
    assert opened == [("deal", "2"), ("play", "end")]
    assert {draw.label for draw in published.draws} >= {"kc.king", "kc.dukes"}
    assert not any("tiebreak" in draw.label for draw in published.draws)
    # From what is published attempt 1 cannot be dealt.
    first = SeededRng(SEED).apart("deal", 1).seed
    assert first not in [seal.seed for seal in published.seals]
    assert first.hex() not in text


def test_an_old_court_publishes_no_seed() -> None:
    """It has one seed for all: ties and roles of earlier attempts would be told by it."""
    proof, table = begun("kings_court", COURT)
    assert published_proof(proof, table) is None


def test_round_one_of_a_court_has_a_deadline() -> None:
    _, table = begun("kings_court", COURT, first_deadline="from_start")
    (main, _) = table.windows
    assert main.closes == NOON + timedelta(hours=24)
    assert seen(announced(table.replay.events)[0].facts)["deadline"] == main.closes
    _, old = begun("kings_court", COURT)
    assert old.windows[0].closes is None


def duel(*entries: Entry) -> tuple[DealProof, RunningGame]:
    names = (SlotId("Ada"), SlotId("Bob"))
    proof, table = begun("knights_duty", names, board="own", map="square\n(P) (*) (P)\n")
    return proof, after(table, Closed("setup"), *entries)


def test_each_draw_of_a_duel_can_be_checked_and_a_changed_one_is_found() -> None:
    said = Submitted(SlotId("Ada"), "SWORD @ Bob / SWORD @ Bob")
    proof, table = duel(said, Closed("turn"))
    published = published_proof(proof, table)
    assert published is not None
    assert [draw.label for draw in published.draws] == ["kd.card:R1:Ada->Bob", "kd.card:R2:Ada->Bob"]
    read = parse_proof("proof.json", proof_json(published))
    assert verify(read, proof.commitment) == ()
    first = read.draws[0]
    other = "Miss" if first.drawn == ("Hit",) else "Hit"
    (wrong,) = verify(replace(read, draws=(replace(first, drawn=(other,)), *read.draws[1:])))
    assert "kd.card:R1:Ada->Bob" in wrong


def test_a_card_drawn_by_hand_is_marked_in_the_post_and_in_the_proof(tmp_path: Path) -> None:
    said = Submitted(SlotId("Ada"), "SWORD @ Bob / SWORD @ Bob")
    proof, table = duel(said, Drawn("kd.card:R1:Ada->Bob", "Miss"), Closed("turn"))
    (marked,) = [event for event in announced(table.replay.events) if event.kind == "by_hand"]
    drawn = {"words": "Ada's card against Bob in round 1", "drawn": ["Miss"]}
    assert seen(marked.facts) == {"turn": 1, "draws": [drawn]}
    published = published_proof(proof, table)
    assert published is not None
    assert published.by_hand == (("kd.card:R1:Ada->Bob", "Miss"),)
    assert [draw.label for draw in published.draws] == ["kd.card:R2:Ada->Bob"]
    file = tmp_path / "proof.json"
    file.write_text(proof_json(published))
    assert check_deal(file, proof.commitment).wrong == ()
    shown = CliRunner().invoke(app, ["fair", "verify", str(file)])
    assert "The one draw matches the seed." in shown.stdout
    assert "Entered by hand" in shown.stdout


def test_the_colours_of_a_board_can_be_checked() -> None:
    proof, table = begun("knight_fight", (SlotId("Ada"), SlotId("Bob")), anomalies="C")
    table = after(table, Submitted(SlotId("Ada"), "SIDE: X"))
    published = published_proof(proof, table)
    assert published is not None
    assert published.draws
    text = proof_json(published, None)
    assert len(text) < 4000
    assert verify(parse_proof("proof.json", text)) == ()
    assert json.loads(text)["draws"][0][4] == 3**12


def test_all_cards_of_a_turn_that_were_drawn_by_hand_stand_in_one_post_with_their_turn() -> None:
    said = Submitted(SlotId("Ada"), "SWORD @ Bob / SWORD @ Bob")
    hands = (Drawn(f"kd.card:R{number}:Ada->Bob", "Miss") for number in (1, 2))
    _, table = duel(said, *hands, Closed("turn"))
    (post,) = [event for event in announced(table.replay.events) if event.kind == "by_hand"]
    text = public_post("knights_duty", post, "plain")
    assert text.startswith("Drawn by hand in turn 1: Ada's card against Bob in round 1: Miss; Ada's card")
    assert text.endswith("in round 2: Miss. I drew them myself; the secret seed did not.")


@pytest.mark.parametrize(
    ("game", "label", "told"),
    [
        ("kings_court", "kc.king", "a part of the deal of attempt 1"),
        ("kings_court", "kc.deadlock_coin", "this was drawn by my own hand"),
        ("kings_court", "kc.tiebreak", ""),
        ("kings_court", "kc.peek_king", ""),
        ("knight_fight", "kf.colors", "Drawn by hand: the colours of the board. I drew them myself"),
        ("knight_fight", "kf.rng_move", "Drawn by hand: this move (E4). I drew it myself"),
    ],
)
def test_what_everybody_reads_of_a_draw_by_hand(game: str, label: str, told: str) -> None:
    """Nobody may learn that a tie or a cover was drawn at all (KC-24)."""
    _, table = begun(game, COURT if game == "kings_court" else COURT[:2])
    events = table.game.drawn_by_hand(table.state, ((label, "E4"),))
    assert len(events) == bool(told)
    for event in events:
        assert isinstance(event, Announced) and told in public_post(game, event, "plain")


def test_after_four_early_kings_no_deal_is_told() -> None:
    """The post says that all other roles stay secret, so the proof tells none of them."""
    begun_with = game_named("kings_court").spec.begun_with
    proof, table = begun("kings_court", COURT, **begun_with)
    for _ in range(4):
        table = elect(table, table.state.king)
    assert table.state.end is not None
    published = published_proof(proof, table)
    assert published is not None
    assert [seal.path for seal in published.seals if seal.seed] == [("play", "end")]
    assert not [draw for draw in published.draws if draw.label.startswith(("kc.king", "kc.dukes", "kc.hint"))]
    assert verify(parse_proof("proof.json", proof_json(published)), proof.commitment) == ()
