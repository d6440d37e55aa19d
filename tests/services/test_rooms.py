"""The ledger of rooms: who should be in each private topic now, who is noted as being in it, what is due."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

import knightfall as kf
from begun import begin
from command_line import run
from knightfall.cli.format_due import next_line
from knightfall.config.game_file import parse_setup
from knightfall.engine.entries import Roomed
from knightfall.errors import InputError, SaidAlready, SetupError
from knightfall.sentence import Way
from knightfall.services.game.due import Due, DueUrgency, due
from knightfall.services.game.players import modkill, replace_player, revive
from knightfall.services.game.rooms import NoSuchRoom, RoomRow, mark_rooms, rooms
from knightfall.services.game.status import status
from knightfall.services.game.undo import undo
from knightfall.services.keep.hand_over import HandOverRequest, hand_over
from knightfall.services.keep.passport import passport
from knightfall.services.keep.take_over import take_over
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest, PostOptions, RoomsRequest
from knightfall.services.session import Session, journal_of
from salt_harbour import NAMES

AS_IS = PostOptions()
URL = "https://forum.example/viewtopic.php?t="
PLAYERS = NAMES[:9]
MADE_OF = {
    "slots": [
        {"role": "Mafia Goon", "count": 2},
        {"role": "Town Mason", "count": 2},
        {"role": "Town Lover", "count": 2, "lovers": 2},
        {"role": "Vanilla Townie", "fill": True},
    ]
}


def fair(folder: Path, setup: Mapping[str, object] | None = None) -> Session:
    """A game of Custom Mafia with two goons, two masons, two lovers and three others, as it was dealt."""
    options = {"setup": setup or MADE_OF}
    begin(
        NewGameRequest("custom_mafia", PLAYERS, folder, b"s" * 32, b"t" * 32, "Fair", options=options),
        session_of(folder),
    )
    return session_of(folder)


def with_threads(session: Session, *threads: str) -> Session:
    """The same with these threads in its file: a role, its members, and more keys."""
    text = "".join(
        f'[[thread]]\nurl = "{URL}{number}"\n{keys}\n' for number, keys in enumerate(threads, start=91)
    )
    session.file.write_text(session.file.read_text("utf-8") + text, "utf-8")
    return session_of(session.place)


def private(members: Sequence[str], more: str = "", role: str = "private") -> str:
    return f'role = "{role}"\nmembers = {json.dumps(list(members))}\n{more}'


def holders(session: Session, role: str) -> list[str]:
    table = now_of(session).running
    return [str(slot) for slot, card in table.game.roles(table.state).items() if card == role]


def row(session: Session, room: str) -> RoomRow:
    return next(one for one in rooms(session).rows if one.room == room)


def rooms_due(session: Session) -> dict[str, Due]:
    return {str(one.way.values["room"]): one for one in due(session) if one.way.to == "rooms"}


def mark(session: Session, room: str = "", *names: str) -> None:
    mark_rooms(RoomsRequest(room, names), session)


# ── the rooms of the rules ───────────────────────────────────────────────────────────────────────


def test_a_deal_makes_a_room_for_the_mafia_and_for_the_masons_and_none_for_lovers(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    goons, masons = holders(session, "Mafia Goon"), holders(session, "Town Mason")
    found = {one.room: (one.title, one.should, one.inside, one.url) for one in rooms(session).rows}
    assert found == {
        "mafia": ("Mafia room", tuple(goons), (), ""),
        "masons": ("Mason room", tuple(masons), (), ""),
    }


@pytest.mark.parametrize("kind", ["knight_errant", "empowered"])
def test_other_mafia_games_have_a_room_for_the_mafia(tmp_path: Path, kind: str) -> None:
    players = {"knight_errant": 18, "empowered": 9}[kind]
    request = NewGameRequest(kind, NAMES[:players], tmp_path / "fair", b"s" * 32, b"t" * 32, "Fair")
    begin(request, session_of(tmp_path / "fair"))
    session = session_of(tmp_path / "fair")
    cards = now_of(session).running.state.cards
    assert set(row(session, "mafia").should) == {slot for slot in cards if cards[slot].alignment == "mafia"}


def test_who_is_alone_with_a_card_has_no_room(tmp_path: Path) -> None:
    alone = {
        "slots": [{"role": "Mafia Goon"}, {"role": "Town Mason"}, {"role": "Vanilla Townie", "fill": True}]
    }
    assert rooms(fair(tmp_path / "fair", alone)).rows == ()


def test_a_game_without_a_mafia_has_no_rooms(tmp_path: Path) -> None:
    request = NewGameRequest("kings_court", NAMES[:11], tmp_path / "fair", b"s" * 32, b"t" * 32, "Fair")
    begin(request, session_of(tmp_path / "fair"))
    session = session_of(tmp_path / "fair")
    assert rooms(session).rows == ()
    with pytest.raises(SaidAlready, match="Nothing is due"):
        mark(session)


def test_who_keeps_no_rooms_is_told_last_and_only_where_what_is_due_is_listed(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    goons = ", ".join(holders(session, "Mafia Goon"))
    told = rooms_due(session)
    assert told["mafia"].what == f"Make the mafia room: {goons}"
    assert {one.urgency for one in told.values()} == {DueUrgency.LATER}
    assert all(one.secret for one in told.values())
    assert next_line(tuple(told.values())) == ""
    assert [one.way.to for one in status(session).next][-2:] == ["rooms", "rooms"]


def test_a_room_that_was_made_is_kept_from_then_on(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    mark(session, "mafia")
    assert journal_of(session)[-1].entry == Roomed("mafia", holders(session, "Mafia Goon")[-1], True)
    told = rooms_due(session)
    assert set(told) == {"masons"}
    assert told["masons"].urgency is DueUrgency.SOON
    mark(session)
    assert rooms_due(session) == {}


def test_a_death_a_return_and_a_replacement_are_due_until_they_are_ticked_off(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    first, second = holders(session, "Mafia Goon")
    mark(session)

    replace_player(first, "Newt", "1", "", AS_IS, session)
    assert rooms_due(session)["mafia"].what == f"Mafia room: add Newt; remove {first}"
    mark(session, "mafia", "newt")
    assert rooms_due(session)["mafia"].what == f"Mafia room: remove {first}"
    mark(session, "Mafia room")
    assert rooms_due(session) == {}
    assert set(row(session, "mafia").inside) == {"Newt", second}

    modkill("Newt", "1", "left", AS_IS, session)
    assert rooms_due(session)["mafia"].what == "Mafia room: remove Newt"
    revive("Newt", "2", "a slip", AS_IS, session)
    assert rooms_due(session) == {}
    modkill("Newt", "3", "left", AS_IS, session)
    mark(session, "mafia", "Newt")
    revive("Newt", "4", "a slip", AS_IS, session)
    assert rooms_due(session)["mafia"].what == "Mafia room: add Newt"

    undo(journal_of(session)[-1].number, "not after all", session)
    assert rooms_due(session) == {}


def test_a_player_who_comes_back_for_another_one_who_left_is_let_in_once(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    first, _ = holders(session, "Mafia Goon")
    mark(session)
    replace_player(first, "Newt", "1", "", AS_IS, session)
    replace_player("Newt", first, "1", "", AS_IS, session)
    assert rooms_due(session) == {}


def test_a_room_whose_players_are_all_dead_is_emptied(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    one, other = holders(session, "Town Mason")
    mark(session)
    modkill(one, "1", "left", AS_IS, session)
    modkill(other, "1", "left", AS_IS, session)
    assert rooms_due(session)["masons"].what == f"Mason room: remove {one}, {other}"
    mark(session)
    assert row(session, "masons").inside == ()


def test_once_the_game_is_over_nothing_is_due_in_a_room(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    mark(session, "mafia")
    for goon in holders(session, "Mafia Goon"):
        modkill(goon, "1", "left", AS_IS, session)
    assert now_of(session).running.windows == ()
    assert rooms_due(session) == {}
    assert {one.due for one in rooms(session).rows} == {""}
    with pytest.raises(SaidAlready):
        mark(session)


# ── what is so already, and what is not there ────────────────────────────────────────────────────


def test_what_is_noted_already_is_not_noted_twice(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    first, _ = holders(session, "Mafia Goon")
    outside = holders(session, "Vanilla Townie")[0]
    mark(session, "mafia")
    before = journal_of(session)
    for names, said in (
        ((first,), f"{first} is noted as being in already: Mafia room."),
        ((outside,), f"{outside} is not in, and need not be: Mafia room."),
        ((), "Mafia room: nothing is due: whoever belongs there is in it, and nobody else."),
    ):
        with pytest.raises(SaidAlready) as refused:
            mark(session, "mafia", *names)
        assert str(refused.value) == said
    assert journal_of(session) == before


def test_a_name_or_a_room_of_none_changes_nothing(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    first, second = holders(session, "Mafia Goon")
    with pytest.raises(
        NoSuchRoom, match=r"There is no room “lovers”\. The rooms of this game: “mafia”, “masons”"
    ):
        mark(session, "lovers")
    with pytest.raises(NoSuchRoom, match="Nobody is called “Wren”"):
        mark(session, "mafia", first, "Wren")
    assert row(session, "mafia").add == (first, second)


def test_names_alone_tick_off_what_is_due_about_them(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    goon, mason = holders(session, "Mafia Goon")[0], holders(session, "Town Mason")[0]
    mark(session, "", goon, mason)
    assert row(session, "mafia").inside == (goon,)
    assert row(session, "masons").inside == (mason,)
    other = holders(session, "Mafia Goon")[1]
    with pytest.raises(SaidAlready, match=f"Nothing is due about {goon} in any room"):
        mark(session, "", other, goon)
    assert row(session, "mafia").inside == (goon,)


# ── the threads of the game file ─────────────────────────────────────────────────────────────────


def test_a_private_thread_of_just_these_players_is_their_room_and_they_are_in_it(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    goons = holders(session, "Mafia Goon")
    session = with_threads(session, private([*goons[::-1], "Wren"]))
    found = row(session, "mafia")
    assert (found.kind, found.url) == ("mafia", f"{URL}91")
    assert found.inside == (*goons[::-1], "Wren")
    assert set(found.should) == {*goons, "Wren"}
    assert set(rooms_due(session)) == {"masons"}
    # The dead were in it at the start, so that it is still the same room.
    modkill(goons[0], "1", "left", AS_IS, session)
    assert rooms_due(session)["mafia"].what == f"Mafia room: remove {goons[0]}"


def test_the_file_may_say_which_room_a_thread_is(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    goons, plain = holders(session, "Mafia Goon"), holders(session, "Vanilla Townie")
    session = with_threads(
        session, private([], 'room = "Mafia"'), private(plain[:2], 'room = "neighbours"'), private(plain[1:])
    )
    assert rooms_due(session)["mafia"].what == f"Mafia room: add {', '.join(goons)}"
    assert row(session, "neighbours").title == "Neighbours room"
    listed = ", ".join(plain[1:])
    assert (row(session, listed).kind, row(session, listed).due) == ("players", "")
    modkill(plain[1], "1", "left", AS_IS, session)
    assert rooms_due(session)["neighbours"].what == f"Neighbours room: remove {plain[1]}"
    assert rooms_due(session)[listed].what == f"Room of {listed}: remove {plain[1]}"


def test_two_threads_of_one_room_are_two_rows(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    goons = holders(session, "Mafia Goon")
    session = with_threads(session, private(goons), private(goons))
    mark(session, "masons")
    modkill(goons[0], "1", "left", AS_IS, session)
    assert set(rooms_due(session)) == {"mafia", "mafia 2"}
    mark(session, "mafia 2")
    assert set(rooms_due(session)) == {"mafia"}


def test_the_room_of_one_player_goes_to_whoever_holds_the_slot_and_stays_theirs(tmp_path: Path) -> None:
    session = with_threads(fair(tmp_path / "fair"), private(["ada"]), private(["Boro", "Wren"]))
    assert (row(session, "Ada").kind, row(session, "Ada").inside) == ("player", ("Ada",))
    replace_player("Ada", "Newt", "1", "", AS_IS, session)
    assert rooms_due(session)["Ada"].what == "Room of Newt: add Newt; remove Ada"
    mark(session, "Ada")
    modkill("Newt", "1", "left", AS_IS, session)
    modkill("Boro", "1", "left", AS_IS, session)
    assert not {"Ada", "Boro"} & set(rooms_due(session))


def test_the_dead_come_into_their_room_and_spectators_stay(tmp_path: Path) -> None:
    session = with_threads(fair(tmp_path / "fair"), private(["Gull", "Boro"], role="dead"))
    assert rooms_due(session)["dead"].what == "Room of the dead: remove Boro"
    mark(session, "dead")
    replace_player("Ada", "Newt", "1", "", AS_IS, session)
    modkill("Newt", "1", "left", AS_IS, session)
    assert rooms_due(session)["dead"].what == "Room of the dead: add Newt"
    mark(session, "dead")
    revive("Newt", "1", "a slip", AS_IS, session)
    assert rooms_due(session)["dead"].what == "Room of the dead: remove Newt"
    assert row(session, "dead").should == ("Gull",)


def test_threads_without_a_dealt_game_have_rooms_too(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(
        'schema = 1\n[[player]]\nname = "Ada"\n[[player]]\nname = "Boro"\naliases = ["Bo"]\n'
        '[[player]]\nname = "Cinder"\n'
        f'[[thread]]\nrole = "private"\nurl = "{URL}1"\nmembers = ["Ada", "bo"]\nroom = "mafia"\n',
        "utf-8",
    )
    session = session_of(tmp_path)
    assert row(session, "mafia").inside == ("Ada", "Boro")
    modkill("Boro", "1", "left", AS_IS, session)
    assert rooms_due(session)["mafia"].what == "Mafia room: remove Boro"


def test_only_a_private_thread_has_a_room() -> None:
    with pytest.raises(SetupError, match="thread 1: room: found one for “game”, expected a private thread"):
        parse_setup(f'schema = 1\n[[thread]]\nurl = "{URL}1"\nroom = "mafia"\n')
    text = f'schema = 1\n[[thread]]\nrole = "private"\nurl = "{URL}1"\nroom = "mafia"\n'
    assert parse_setup(text).threads[0].room == "mafia"


# ── every face, the hand-over, and what leaves the house ─────────────────────────────────────────


def test_the_verb_lists_rooms_and_ticks_them_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    session = fair(tmp_path / "fair")
    first, second = holders(session, "Mafia Goon")
    monkeypatch.chdir(tmp_path / "fair")
    listed = run("rooms").stdout
    assert "Mafia room" in listed
    assert "When it is done: knightfall rooms done mafia" in listed
    done = run("rooms", "done", "mafia", first)
    assert done.stdout == f"{first} is in: Mafia room.\n"
    assert second in run("rooms", "done", "mafia").stdout
    told = json.loads(run("rooms", "--json").stdout)
    assert [one["add"] for one in told["rooms"]] == [[], holders(session, "Town Mason")]
    assert json.loads(run("rooms", "done", "--json").stdout)["moves"][0]["inside"] is True
    assert isinstance(run("rooms", "mafia").exception, InputError)
    assert f"room “mafia”: {first} let in" in run("log").stdout
    assert isinstance(run("rooms", "done").exception, SaidAlready)
    modkill(first, "1", "left", AS_IS, session_of(session.place))
    assert f"  Mafia room: remove {first}.\n    knightfall rooms done mafia\n" in run("status").stdout


def test_a_program_asks_and_marks_rooms(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    game = kf.Game(session.place)
    marked = game.mark_rooms("mafia")
    assert [one.name for one in marked.moves] == holders(session, "Mafia Goon")
    assert [one.due for one in game.rooms().rows if one.room == "mafia"] == [""]


def test_whoever_takes_a_game_over_is_told_what_is_due_in_its_rooms(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    first, _ = holders(session, "Mafia Goon")
    mark(session)
    modkill(first, "1", "left", AS_IS, session)
    handed = hand_over(HandOverRequest(), session)
    taken = take_over(handed.posts, tmp_path / "taken", session_of)
    there = rooms_due(session_of(taken.folder))
    what = f"Mafia room: remove {first}"
    assert there["mafia"].what == what
    assert there["mafia"].way == Way("rooms", room="mafia", title="Mafia room", what=what)
    assert next_line([there["mafia"]]) == f"Next: {what}: knightfall rooms done mafia"


def test_nothing_of_a_room_is_in_a_public_passport_or_export(tmp_path: Path) -> None:
    session = fair(tmp_path / "fair")
    session = with_threads(session, private(holders(session, "Vanilla Townie")[:2], 'room = "lamp lighters"'))
    mark(session)
    while now_of(session).running.windows:
        modkill(holders_of_the_living(session)[0], "1", "left", AS_IS, session)
    told = passport(session, public=True).text
    done = run("export", "--public", str(tmp_path / "out.jsonl"), "--game", str(session.place))
    assert done.exit_code == 0, done.exception
    for text in (told, (tmp_path / "out.jsonl").read_text("utf-8")):
        assert "roomed" not in text
        assert "lamp lighters" not in text


def holders_of_the_living(session: Session) -> list[str]:
    """The goons who live, then the others."""
    table = now_of(session).running
    cards = table.game.roles(table.state)
    return [
        str(slot)
        for slot in sorted(table.game.playing(table.state), key=lambda one: "Goon" not in cards[one])
    ]
