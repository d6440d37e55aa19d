"""King's Court: what posts, PMs and sheets say of tokens, fines, votes and deadlines is what happened."""

from __future__ import annotations

from knightfall.engine.game import Announced, Told
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.games.kings_court import Phase
from knightfall.games.kings_court.rules import season_book
from knightfall.games.kings_court.state import court_text, seats_of
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from salt_court import (
    ADA,
    BORO,
    CINDER,
    COURT,
    DUSK,
    ELM,
    FEN,
    HOLLIS,
    IRIS,
    JUNIPER,
    KESTREL,
    LUMEN,
    Table,
    seated,
)

FOUR_AND_FOUR = (BORO, CINDER, HOLLIS, IRIS)


def crowned(*court: object, draws: tuple[tuple[str, object], ...] = (), **changes: object) -> Table:
    table = Table(seated(*court, **changes), ScriptedRng(list(draws), SeededRng(b"")))  # type: ignore[arg-type]
    table.elect(ADA)
    return table


def texts(table: Table, kind: str) -> str:
    """All that was written of this kind, for whomever."""
    found = []
    for event in table.events:
        if event.kind == kind:
            write = {Announced: public_post, Told: private_message}.get(type(event), moderator_sheet)
            found.append(write("kings_court", event, "plain"))  # type: ignore[operator]
    return "\n".join(found)


def test_tokens_of_a_silent_king_are_told_as_drawn() -> None:
    draws = (("kc.tol.duke", "Fen"), ("kc.tol.noble", "Lumen"))
    silent = crowned(*FOUR_AND_FOUR, draws=draws)
    silent.close("tol")
    assert "Ada gave no tokens, so I drew who gets one each: Fen and Lumen." in texts(silent, "tokens")
    assert "who was silent, drawn: Fen, Lumen" in texts(silent, "moderator_sheet")
    spoken = crowned(*FOUR_AND_FOUR)
    spoken.say(ADA, "TOL: Hollis, Boro")
    assert "Ada gives one Token of Life to Boro and one to Hollis." in texts(spoken, "tokens")


def test_a_fine_is_told_as_it_was_paid() -> None:
    broke = crowned(BORO, garnets={**dict.fromkeys(COURT, 5), ADA: 1})
    assert "are fined 2 garnets.\nYou had only 1, so you pay 1. You have 0 now." in texts(broke, "fine")
    assert "Ada pays 1 (early King), has 0" in texts(broke, "moderator_sheet")
    own = {row.name: row.garnets for row in season_book(broke.state, balances=True).rows}
    posted = {row.name: row.garnets for row in season_book(broke.state, balances=False).rows}
    # What everybody is told is the fine: what could be paid of it would tell a balance (KC-01).
    assert (own[ADA], posted[ADA]) == (-1, -2)


def test_the_table_marks_who_was_voted_in_and_not_the_king_who_joins_alone() -> None:
    nine = (BORO, CINDER, DUSK, ELM, FEN, HOLLIS, IRIS, JUNIPER, KESTREL)
    table = Table(seated(*nine))
    table.say(ADA, f"VOTE: {LUMEN}")
    table.close("vote")
    assert table.state.polls[-1].elected == (LUMEN, ADA)
    assert court_text(seats_of(table.state)).splitlines()[3].split() == ["2", "Ada", "(King)", "0"]


def test_a_king_who_decides_alone_is_no_majority_of_winners() -> None:
    table = crowned(*FOUR_AND_FOUR)
    table.say(ADA, "TOL: Hollis, Boro")
    assert table.state.phase is Phase.EC
    assert table.state.end is not None
    chosen = table.state.end.tied[0]
    table.say(ADA, f"EC: {chosen}")
    table.close("ec")
    sheets = texts(table, "moderator_sheet")
    assert f"Ada chooses {chosen} as EC" in sheets
    assert "(the King's choice)" in sheets


def test_a_refused_list_names_the_tied_and_does_not_call_a_useless_one_standing() -> None:
    table = Table(seated(BORO))
    table.say(ADA, "TIEBREAK: Boro > Cinder")
    table.vote(Dusk="Ada Elm", Fen="Cinder Hollis")
    assert table.state.phase is Phase.TIE
    table.say(ADA, "TIEBREAK: Boro")
    why = table.refused[-1][1].text
    assert why.startswith("name a player who is tied: Dusk or Fen. ")
    assert why.endswith("names none of them, so it counts as no list")


def test_a_receipt_tells_no_deadline_of_somebody_else() -> None:
    table = crowned(BORO, CINDER, HOLLIS)
    assert table.state.phase is Phase.EC
    table.say(IRIS, "GIVE: 1 to Boro")
    receipt = texts(table, "receipt").splitlines()[-1]
    assert "Deadline" not in receipt and "nothing on file" not in receipt
