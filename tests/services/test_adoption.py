"""A running game taken in: what is asked, what is written, what is proved, for every game that can be."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

import knightfall as kf
from knightfall.engine.entries import Adopted, Replaced, Started, decode, encode
from knightfall.engine.journal import adopted_until
from knightfall.errors import DecisionNeeded, InputError
from knightfall.models import Thread
from knightfall.sentence import SlotId
from knightfall.services.deal import check_deal
from knightfall.services.game.adoption import parse_table, table_text
from knightfall.services.keep.verify import verify_game
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.pms import told_elsewhere
from knightfall.services.session import journal_of
from salt_harbour import NAMES as EIGHTEEN
from votes.test_game_told import HAMMERED, MORNING, NAMES

ROLES: Mapping[str, str] = {
    "Ada": "Town Cop", "Boro": "Mafia Goon", "Cinder": "Vanilla Townie", "Dill": "Mafia Roleblocker",
    "Elm": "Town Doctor", "Fen": "Vanilla Townie", "Gale": "Vanilla Townie",
}  # fmt: skip


def thread(*more: tuple[str, str]) -> Thread:
    return Thread.from_posts([*HAMMERED, *more], "[Sign-ups] Salt Harbour")


def listed(roles: Mapping[str, str] = ROLES) -> str:
    return "\n".join(f"{name} – {role}" for name, role in roles.items())


def test_a_thread_alone_is_a_game_of_votes_that_counts_on(tmp_path: Path) -> None:
    found = kf.running_game(thread(MORNING))
    assert (found.kind, found.window) == ("votes", "day-2")
    game = kf.Game.adopt(found, tmp_path / "game")
    status = game.status()
    assert [one.name for one in status.dead] == ["Boro", "Elm"]
    more = thread(MORNING, ("Ada", "[b]Vote: Dill[/b]"), ("Cinder", "[b]Vote: Dill[/b]"))
    count = kf.count(more, config=tmp_path / "game" / "game.toml")
    assert (count.alive, count.needed) == (5, 3)
    assert len(count.wagons[0].votes) == 2
    assert game.due()[0].way.to == "name_thread"
    checked = verify_game(session_of(tmp_path / "game"))
    assert (checked.damaged, checked.texts, checked.missing) == ((), (), ())


def test_every_entry_of_before_says_that_it_was_adopted(tmp_path: Path) -> None:
    kf.Game.adopt(kf.running_game(thread(MORNING), roles=listed()), tmp_path / "game")
    session = session_of(tmp_path / "game")
    journal = journal_of(session)
    bound = adopted_until(journal)
    assert bound == len(journal)
    lines = [str(one.said) for one in kf.Game.open(tmp_path / "game").log().entries]
    assert all("(adopted)" in line for line in lines[:-1])
    assert "7 roles were told, none dealt" in lines[-1]
    table = now_of(session).running
    assert told_elsewhere(journal) == frozenset(map(SlotId, NAMES))
    assert {slot: gone.when for slot, gone in table.state.left.items()} == {"Boro": "day 1", "Elm": "night 1"}


def test_an_entry_is_the_same_behind_json() -> None:
    ada, boro = SlotId("Ada"), SlotId("Boro")
    entry = Adopted(
        "night-2", {ada: "Town Cop"}, {ada: {"cop": 1}}, {"lovers": ((ada, boro),)}, {ada: "post #3"}
    )
    assert decode(json.loads(json.dumps(encode(entry)))) == entry
    began = Started("custom_mafia", (ada, boro), adopted=True)
    assert decode(json.loads(json.dumps(encode(began)))) == began
    assert "adopted" not in encode(Started("custom_mafia", (ada,)))["fields"]


def test_the_table_is_the_same_behind_a_spreadsheet() -> None:
    swapped = f"Hollis replaces Fen.\n{MORNING[1].replace('Fen', 'Hollis')}"
    found = kf.running_game(thread((MORNING[0], swapped)), roles=listed())
    text = table_text(found)
    assert [(one.holders, one.left) for one in parse_table(text)] == [
        (one.holders, one.left) for one in found.seats
    ]
    again = kf.running_game(thread(MORNING), table=text)
    assert [one.card for one in again.seats] == [one.card for one in found.seats]
    assert again.open_questions == 0


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("Ada,,asleep,Town Cop", "line 2 of the table: fate: found “asleep”, expected alive"),
        ('Ada,,"eliminated, night 1",Town Cop', "by night nobody is eliminated"),
        ("Ada,Boro > #x,alive,Town Cop", "line 2 of the table: earlier: found “Boro > #x”"),
        (",,alive,Town Cop", "line 2 of the table: no player is named"),
        ("Ada,,alive,Town Cop\nada,,alive,", "has two seats"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(line: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        parse_table(f"player,earlier,fate,role\n{line}\n")
    with pytest.raises(InputError, match="no column “player”"):
        parse_table("who,what\nAda,alive\n")


def test_what_is_not_sure_has_to_be_said_to_be_so(tmp_path: Path) -> None:
    roles = {name: role for name, role in ROLES.items() if name != "Dill"}
    found = kf.running_game(thread(MORNING), roles=listed(roles), game="custom_mafia")
    assert [one.name for one in found.seats if one.doubts] == ["Dill"]
    with pytest.raises(DecisionNeeded, match="1 line of the table is not sure yet"):
        kf.Game.adopt(found, tmp_path / "game")
    with pytest.raises(InputError, match="No card is known for Dill"):
        kf.Game.adopt(found, tmp_path / "game", despite_doubts=True)
    assert not (tmp_path / "game").exists()


@pytest.mark.parametrize(
    "line", ["all others VT", "rest VT", "Everybody else: Vanilla Townie", "Vanilla Townie: everyone else"]
)
def test_a_line_for_everybody_else_tells_the_roles_that_no_other_line_tells(line: str) -> None:
    named = {name: role for name, role in ROLES.items() if role != "Vanilla Townie"}
    found = kf.running_game(thread(MORNING), roles=f"{listed(named)}\n{line}", game="custom_mafia")
    assert {one.name: one.card for one in found.seats} == {
        one.name: one.card for one in kf.running_game(thread(MORNING), roles=listed()).seats
    }
    assert found.open_questions == 0
    assert found.unread == ()


def test_one_card_in_two_spellings_is_no_doubt() -> None:
    found = kf.running_game(thread(MORNING), roles=listed({**ROLES, "Elm": "Town Doc"}))
    assert [one.doubts for one in found.seats if one.name == "Elm"] == [()]


def test_a_list_that_says_otherwise_than_the_thread_is_a_doubt() -> None:
    roles = {**ROLES, "Elm": "Town Cop", "Ada": "Town Cop, killed night 1"}
    found = kf.running_game(thread(MORNING), roles=listed(roles))
    said = {one.name: " ".join(map(str, one.doubts)) for one in found.seats if one.doubts}
    assert said.keys() == {"Ada", "Elm"}
    assert "by the thread Ada lives" in said["Ada"]
    assert "shows “Town Doctor”, and the role list has “Town Cop”" in said["Elm"]


@pytest.mark.parametrize("phase", ["night 2", "day 3 #40", "Night 1"])
def test_where_it_stands_can_be_corrected(phase: str, tmp_path: Path) -> None:
    found = kf.running_game(thread(MORNING), roles=listed(), phase=phase)
    game = kf.Game.adopt(found, tmp_path / "game")
    assert game.missing()[0].window.title == found.phase
    with pytest.raises(InputError, match="is no phase"):
        kf.running_game(thread(MORNING), phase="noon")
    with pytest.raises(InputError, match="Name the post that opened day 4"):
        kf.running_game(thread(MORNING), phase="day 4")


def test_a_game_that_is_over_is_not_taken_in(tmp_path: Path) -> None:
    roles = {**ROLES, "Dill": "Vanilla Townie"}
    with pytest.raises(InputError, match="the game is over"):
        kf.Game.adopt(kf.running_game(thread(MORNING), roles=listed(roles)), tmp_path / "game")
    assert not (tmp_path / "game").exists()
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "note.txt").write_text("mine")
    with pytest.raises(InputError, match="holds other files"):
        kf.Game.adopt(kf.running_game(thread(MORNING), roles=listed()), tmp_path / "game")


def test_a_newcomer_is_owed_the_role_and_nobody_else_is(tmp_path: Path) -> None:
    game = kf.Game.adopt(kf.running_game(thread(MORNING), roles=listed()), tmp_path / "game")
    assert not any(one.way.to == "send_pms" for one in game.due())
    game.replace("Fen", "Hollis", from_post=20)
    assert any(one.way.to == "send_pms" for one in game.due())
    shown = game.pms("role")
    assert [one.name for one in shown.rows if one.name == "Hollis"] == ["Hollis"]


def test_the_proof_tells_that_the_roles_were_told(tmp_path: Path) -> None:
    game = kf.Game.adopt(kf.running_game(thread(MORNING), roles=listed()), tmp_path / "game")
    checked = check_deal(tmp_path / "game" / "private" / "deal.json")
    assert checked.wrong == ()
    assert checked.proof is not None
    assert checked.proof.terms.adopted
    assert checked.proof.cards == {}
    note = (tmp_path / "game" / "public" / "commitment.txt").read_text()
    assert note.startswith("The roles of this game were told by another moderator.")
    value = json.loads((tmp_path / "game" / "private" / "deal.json").read_text())
    del value["adopted"]
    (tmp_path / "forged.json").write_text(json.dumps(value))
    assert check_deal(tmp_path / "forged.json").wrong
    assert game.passport().to_dict()["adopted"] is True


MADE_OF = {"slots": [{"role": "Mafia Goon"}, {"role": "Town Cop"}, {"role": "Vanilla Townie", "fill": True}]}


def on_night_one(kind: str, folder: Path, seed: bytes) -> kf.Game:
    """A game that was begun here, behind a day without an elimination."""
    players = EIGHTEEN if kind == "knight_errant" else EIGHTEEN[:7]
    options = {"setup": MADE_OF} if kind == "custom_mafia" else {}
    game = kf.Game.create(kind, players, folder, options=options, seed=seed, salt=b"\2" * 32)
    if kind == "empowered":
        mafiosi = [slot for slot, card in cards_of(game).items() if card == "Mafioso"]
        for slot, role in zip(mafiosi, ("Ninja", "Strongman", "Kidnapper"), strict=False):
            game.submit(slot, f"role {role}")
        game.close("choosing")
    game.submit("moderator", "no elimination")
    game.close("day")
    return game


def cards_of(game: kf.Game) -> dict[str, str]:
    return {slot: card.name for slot, card in now_of(session_of(game.folder)).running.state.cards.items()}


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["knight_errant", "empowered", "custom_mafia"])
def test_every_mafia_game_goes_on_as_it_would_have(kind: str, tmp_path: Path) -> None:
    """A game is played to its first night here, and taken in as it stands then: the same state."""
    seed = b"\1" * 32
    first = on_night_one(kind, tmp_path / "first", seed)
    state, cards = now_of(session_of(first.folder)).running.state, cards_of(first)
    said = [("Wren", "Players:\n[list]" + "".join(f"[*]{name}" for name in cards) + "[/list]")]
    said += [("Wren", f"Day 1 begins. {len(cards)} alive."), *((name, "Hello.") for name in cards)]
    said += [(name, f"[b]Vote: {next(iter(cards))}[/b]") for name in [*cards][1:3]]
    said.append(("Wren", "No lynch has been reached. Nobody was eliminated. It is now Night 1."))
    roles = "\n".join(f"{slot}: {card}" for slot, card in cards.items())
    found = kf.running_game(Thread.from_posts(said, "A game"), roles=roles, game=kind)
    assert (found.window, found.doubts) == ("night-1", ())
    heir = kf.Game.adopt(found, tmp_path / "heir", seed=seed)
    again = now_of(session_of(heir.folder)).running.state
    assert again.cards == state.cards
    assert (again.phase, again.number, again.left) == (state.phase, state.number, state.left)
    verb = "murder" if kind == "empowered" else "kill"
    killer = next(slot for slot, card in state.cards.items() if str(card.alignment) == "mafia")
    line = f"{verb} {next(slot for slot in state.cards if slot != killer)}"
    assert first.submit(killer, line).refused == heir.submit(killer, line).refused == ()
    assert len(heir.close("night").posts) == len(first.close("night").posts)
    assert (
        now_of(session_of(heir.folder)).running.state.left
        == now_of(session_of(first.folder)).running.state.left
    )


def test_a_match_cannot_be_taken_in(tmp_path: Path) -> None:
    found = kf.running_game(thread(MORNING), roles=listed(), game="kings_court")
    with pytest.raises(InputError, match="cannot be taken in while it runs"):
        kf.Game.adopt(found, tmp_path / "game", despite_doubts=True)


def test_replacements_keep_their_posts(tmp_path: Path) -> None:
    morning = (MORNING[0], MORNING[1].replace("Fen", "Hollis"))
    swapped = thread(("Wren", "Hollis replaces Fen."), ("Hollis", "Hello."), morning)
    kf.Game.adopt(kf.running_game(swapped), tmp_path / "game", despite_doubts=True)
    entries = [record.entry for record in journal_of(session_of(tmp_path / "game"))]
    [came] = [entry for entry in entries if isinstance(entry, Replaced)]
    assert (came.slot, came.name, came.post) == ("Fen", "Hollis", "15")
