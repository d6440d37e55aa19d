"""What a player of Knight Fight can put together: any bid with any placement, manure and traps anywhere."""

from __future__ import annotations

from itertools import product

import pytest

from knightfall.games.knight_fight import KNIGHT_FIGHT
from knightfall.games.knight_fight.board import each, name_of, names, spread
from knightfall.sentence import SlotId
from properties.lines import asked_for, can_be_built
from salt_bout import ADA, BORO, Play


def built(play: Play, slot: SlotId | None, line: str) -> bool:
    return can_be_built(asked_for(KNIGHT_FIGHT, play.state, slot), line)


def usual(play: Play, slot: SlotId, *parts: str) -> list[str]:
    """What random play and lists take at that place."""
    return [part.text for part in KNIGHT_FIGHT.continuations(play.state, slot, parts).parts]


def squares(play: Play) -> list[str]:
    return names(play.bout.rules.board.ground)


def test_any_bid_of_ones_chips_goes_with_any_placement() -> None:
    play = Play("B")
    placements = names(spread(play.bout.knights[0]))
    assert all(built(play, ADA, f"BID {chips}: {to}") for chips, to in product(range(21), placements))
    assert not built(play, ADA, f"BID 21: {placements[0]}")
    assert not built(play, ADA, "BID 3: A1")
    assert not built(play, ADA, placements[0])


def test_manure_goes_on_any_free_square_while_there_is_some() -> None:
    play = Play("A")
    free = [one for one in squares(play) if one not in ("F6", "G6", "E4")]
    assert all(built(play, ADA, f"E4 MANURE {square}") for square in free)
    assert not any(built(play, ADA, f"E4 MANURE {square}") for square in ("F6", "G6", "E4", "M1"))
    assert not built(Play(""), ADA, "E4 MANURE A1")


def test_any_square_can_be_trapped_and_where_the_rival_can_jump_is_usual() -> None:
    play = Play("H")
    assert all(built(play, BORO, f"TRAP: {square}") for square in squares(play))
    jumps = {f"TRAP: {name_of(square)}" for square in each(spread(play.bout.knights[0]))}
    assert {*usual(play, BORO)} == {"NO TRAP", *jumps}
    assert not built(play, ADA, "NO TRAP")


def test_with_sickness_a_knight_is_named_first_and_else_it_may_be() -> None:
    assert usual(Play("S"), ADA) == ["F6>"]
    assert "E4" in usual(Play("S"), ADA, "F6>")
    assert not built(Play("S"), ADA, "E4")
    assert "F6>" not in usual(Play(""), ADA)
    assert built(Play(""), ADA, "F6>E4")


def test_in_snapshot_any_square_can_be_named_and_what_seems_legal_is_usual() -> None:
    play = Play("N")
    assert all(built(play, ADA, square) for square in squares(play))
    assert {*usual(play, ADA)} == {*names(spread(play.bout.knights[0]))}
    assert built(Play("NS"), ADA, "A1>L11")


@pytest.mark.parametrize("letters", ["", "B", "N", "S"])
def test_who_is_not_to_move_can_only_resign_and_random_play_never_does(letters: str) -> None:
    play = Play(letters)
    other = ADA if letters == "B" else BORO
    assert built(play, other, "RESIGN")
    assert "RESIGN" not in usual(play, ADA) + usual(play, BORO)
    assert bool(usual(play, other)) is (letters == "B")


def test_the_rival_moves_for_who_is_out_of_time_but_not_onto_their_own_trap() -> None:
    play = Play("H")
    play.say(BORO, "TRAP: E4")
    play.close("turn")
    assert not built(play, ADA, "E5")
    assert not built(play, BORO, "FOR X: E4")
    assert built(play, BORO, "FOR X: D5")


def test_the_moderator_can_stop_the_clock_and_end_the_match() -> None:
    play = Play()
    assert all(built(play, None, line) for line in ("STOP CLOCK: the forum is down", "FORFEIT Boro"))
    assert list(KNIGHT_FIGHT.legal(play.state, None)) == []
    play.say(None, "STOP CLOCK: the forum is down")
    assert built(play, None, "START CLOCK")
    assert not built(play, ADA, "E4")
    assert built(play, ADA, "RESIGN")
