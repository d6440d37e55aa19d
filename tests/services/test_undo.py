"""`knightfall undo` in a game: what rested on the entry reads as the game has it then, every text of it."""

from __future__ import annotations

from pathlib import Path

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.engine.entries import Started, Undone
from knightfall.engine.heads import without_line
from knightfall.games.empowered.state import mafiosi
from knightfall.services.game.undo import Undoing, undo
from knightfall.services.requests import NewGameRequest
from knightfall.services.window.turns import close, submit
from salt_harbour import NAMES
from services.voting_day import VotingDay

PLAYERS = {"empowered": 9, "kings_court": 11}


def begun(folder: Path, kind: str) -> VotingDay:
    """A game as it was dealt."""
    found = VotingDay(folder / "game", StillClock(), MemoryLedger())
    names = NAMES[: PLAYERS[kind]]
    begin(NewGameRequest(kind, names, found.folder, b"seed" * 8, b"salt" * 8, "Undone"), found.session)
    return found


def sent(game: VotingDay, who: str, text: str) -> int:
    """The entry of a message."""
    return submit(who, text, "plain", game.session).entry


def chosen(game: VotingDay) -> dict[str, int]:
    """A game of Empowered Mafia whose mafiosi choose and whose day 1 begins: the entry of each choice."""
    entries = {slot: sent(game, slot, "role Strongman") for slot in mafiosi(game.table.state)}
    close("choosing", "plain", game.session)
    return {str(slot): entry for slot, entry in entries.items()}


def texts(game: VotingDay, entry: int) -> dict[str, str]:
    """The texts of an entry, by the part of the file's name behind its number."""
    files = game.folder.glob(f"p*/{entry:03}-*.txt")
    return {file.stem[4:]: without_line(file.read_text(encoding="utf-8")) for file in files}


def undo_of(game: VotingDay, entry: int) -> int:
    """The entry that took one back."""
    records = game.ledger.journal
    return next(one.number for one in records if isinstance(one.entry, Undone) and one.entry.entry == entry)


def names(done: Undoing) -> list[str]:
    """The files that were written anew."""
    return sorted(file.name for file in done.anew)


def test_a_closing_that_has_lost_its_ground_says_what_is_missing(tmp_path: Path) -> None:
    game = begun(tmp_path, "empowered")
    choices = chosen(game)
    closed = len(game.ledger.journal)
    slot, choice = next(iter(choices.items()))
    done = undo(choice, "a slip", game.session)
    [(name, told)] = texts(game, closed).items()
    assert f"No role chosen: {slot}." in told
    assert names(done) == [f"{closed:03}-{name}.txt"]
    assert [one.number for one in done.look.follows] == [closed]


def test_an_order_of_the_night_is_answered_by_what_is_asked_now(tmp_path: Path) -> None:
    game = begun(tmp_path, "empowered")
    slot = next(iter(chosen(game)))
    closed = len(game.ledger.journal)
    submit("moderator", "no elimination", "plain", game.session)
    close("day", "plain", game.session)
    target = next(name for name in game.table.state.living if name not in mafiosi(game.table.state))
    order = sent(game, slot, f"murder {target}")
    written = texts(game, order)
    undo(closed, "too early", game.session)
    # The day was closed after it: what was sent for the night waits until the choice is closed again.
    assert texts(game, order) == written
    assert [one.number for one in game.table.replay.waiting] == [closed + 1, closed + 2, order]
    assert game.table.windows[0].kind == "choosing"
    close("choosing", "plain", game.session)
    assert not game.table.replay.waiting
    assert game.table.windows[0].kind == "night"


def test_a_message_that_is_half_without_ground_keeps_the_texts_of_the_other_half(tmp_path: Path) -> None:
    game = begun(tmp_path, "kings_court")
    first, second = (sent(game, "moderator", f"garnets Elm +{more}") for more in (10, 11))
    bought = sent(game, "Elm", "ANNOYED?\nPEEK: Fen")
    before = texts(game, bought)
    undo(second, "once is enough", game.session)
    after = texts(game, bought)
    assert before and after and before != after
    undo(first, "not at all", game.session)
    assert not [name for name in texts(game, bought) if "receipt" not in name]


def test_an_entry_that_comes_back_brings_the_texts_that_it_leads_to_now(tmp_path: Path) -> None:
    game = begun(tmp_path, "empowered")
    choices = chosen(game)
    closed = len(game.ledger.journal)
    first_day = texts(game, closed)
    slip = undo(next(iter(choices.values())), "a slip", game.session).record.number
    missing = texts(game, closed)
    # The texts of the first closing and those of now lie in the same place by then.
    early = undo(closed, "too early", game.session).record.number
    assert not texts(game, closed)
    again = undo(early, "it was not", game.session).record.number
    assert texts(game, closed) == missing
    undo(again, "it was", game.session)
    undo(slip, "no slip", game.session)
    undo(len(game.ledger.journal) - 1, "nor too early", game.session)
    assert texts(game, closed) == first_day


def all_texts(game: VotingDay) -> dict[str, str]:
    return {file.name: file.read_text(encoding="utf-8") for file in game.folder.glob("p*/[0-9]*.txt")}


def test_an_undo_of_an_undo_can_be_taken_back_as_well(tmp_path: Path) -> None:
    game = begun(tmp_path, "empowered")
    chosen(game)
    before = all_texts(game)
    undo(None, "too early", game.session)
    without = all_texts(game)
    assert without.items() < before.items()
    for now in (before, without, before):
        done = undo(None, "once more", game.session)
        assert (all_texts(game), done.anew) == (now, ())


def test_a_game_that_begins_after_all_has_all_its_texts(tmp_path: Path) -> None:
    game = begun(tmp_path, "empowered")
    chosen(game)
    started = next(one.number for one in game.ledger.journal if isinstance(one.entry, Started))
    before = all_texts(game)
    undo(started, "wrong players", game.session)
    for now in ({}, before, {}):
        assert all_texts(game) == now
        undo(None, "once more", game.session)
    assert all_texts(game) == before


def test_what_comes_back_without_its_ground_has_no_texts(tmp_path: Path) -> None:
    game = begun(tmp_path, "empowered")
    chosen(game)
    chosen_with = len(game.ledger.journal)
    submit("moderator", f"eliminate {NAMES[3]}", "plain", game.session)
    close("day", "plain", game.session)
    day = len(game.ledger.journal)
    assert texts(game, day)
    undo(chosen_with, "too early", game.session)
    undo(undo(day, "too early as well", game.session).record.number, "it was not", game.session)
    assert not texts(game, day)
    # The day is over again as soon as its ground is there.
    undo(undo_of(game, chosen_with), "nor that", game.session)
    assert texts(game, day)
