"""Orders and choices in somebody's own words, in every game: one click away, never dropped without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from begun import begin
from knightfall.mafia.game import MafiaGame
from knightfall.sentence import SlotId
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.window import turns
from knightfall.services.window.ear import likely_meant
from knightfall.services.window.message_table import message_table
from web.hands import FormHand, form_hand
from web.served import served
from web.test_pages import begun

NAMES = (
    *("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris"),
    *("Juno", "Kestrel", "Lumen", "Moss", "Nim", "Odo", "Pike", "Quill", "Rook"),
)


def started(game: str, players: int, folder: Path) -> None:
    begin(NewGameRequest(game, NAMES[:players], folder, b"s" * 32, b"t" * 32, "Lane"), session_of(folder))


def holder_of(folder: Path, role: str) -> str:
    table = now_of(session_of(folder)).running
    return next(str(slot) for slot, card in table.game.roles(table.state).items() if card == role)


def standing_of(folder: Path, name: str) -> tuple[str, ...]:
    windows = message_table(session_of(folder)).windows
    return next((row.standing for one in windows for row in one.rows if row.name == name), ())


def said(folder: Path, who: str, text: str) -> FormHand:
    """The message, tried on the page and not taken in yet."""
    hand = form_hand(served(folder.parent))
    hand.go(f"/games/{folder.name}/night")
    hand.press("What would it do?", {"From": who, "The whole post or PM": text})
    return hand


@pytest.fixture
def errant(tmp_path: Path) -> Path:
    started("knight_errant", 18, tmp_path / "lane")
    turns.submit("moderator", "no elimination", None, session_of(tmp_path / "lane"))
    turns.close("day", None, session_of(tmp_path / "lane"))
    return tmp_path / "lane"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("role", "text", "offer", "stands"),
    [
        ("Town Cop", "I'd like to investigate Fen tonight please", "cop Fen", ("cop Fen",)),
        ("Town Cop", "cop Kestrle", "cop Kestrel", ("cop Kestrel",)),
        ("Mafia Goon", "We kill Juno", "kill Juno", ("kill Juno",)),
        ("Serial Killer", "watch Fen, strong kill Ada", "watch Fen, then strong kill Ada", None),
    ],
)
def test_orders_of_a_night_are_one_click(
    errant: Path, role: str, text: str, offer: str, stands: tuple[str, ...] | None
) -> None:
    who = holder_of(errant, role)
    hand = said(errant, who, text)
    hand.press(f"They meant: {offer}")
    assert standing_of(errant, who) == (stands or ("watch Fen", "strong kill Ada"))


def test_a_choice_of_a_role_is_its_name(tmp_path: Path) -> None:
    started("empowered", 9, tmp_path / "lane")
    who = holder_of(tmp_path / "lane", "Mafioso")
    hand = said(tmp_path / "lane", who, "I want to be Ninja!")
    hand.press("They meant: role Ninja")
    table = now_of(session_of(tmp_path / "lane")).running
    assert table.game.roles(table.state)[SlotId(who)] == "Ninja"


def test_two_names_where_the_card_takes_one_are_two_offers(tmp_path: Path) -> None:
    folder = tmp_path / "lane"
    started("empowered", 9, folder)
    table = now_of(session_of(folder)).running
    roles = ("Ninja", "Strongman", "Kidnapper")
    mafia = [slot for slot, card in table.game.roles(table.state).items() if card == "Mafioso"]
    for slot, role in zip(mafia, roles, strict=False):
        turns.submit(str(slot), f"role {role}", None, session_of(folder))
    turns.close(None, None, session_of(folder))
    who = holder_of(folder, "Empowerer")
    one, two = [name for name in NAMES[:9] if name != who][:2]
    hand = said(folder, who, f"empower {one} and {two}")
    assert f"They meant: empower {one}" in hand.text
    hand.press(f"They meant: empower {two}")
    table = now_of(session_of(folder)).running
    assert isinstance(table.game, MafiaGame)
    assert [action.targets for action in table.game.standing_orders(table.state)] == [(two,)]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("game", "who", "text", "offer"),
    [
        ("kings_court", "Ada", "I vote for Boro", "VOTE: Boro"),
        ("knight_fight", "Ada", "I play O", "SIDE: O"),
    ],
)
def test_choices_of_other_games_are_one_click(
    tmp_path: Path, game: str, who: str, text: str, offer: str
) -> None:
    begun(game, tmp_path / "lane")
    hand = said(tmp_path / "lane", who, text)
    hand.press(f"They meant: {offer}")
    assert f"The message of {who} is recorded." in hand.text
    assert "refused" not in hand.text


def test_a_refused_message_says_so_and_why_where_it_was_taken_in(tmp_path: Path) -> None:
    begun("kings_court", tmp_path / "lane")
    hand = form_hand(served(tmp_path))
    hand.go("/games/lane/night")
    hand.press("Record it", {"From": "Ada", "The whole post or PM": "VOTE: the loud one"})
    assert "is recorded, but refused. Refused: “VOTE: the loud one”" in hand.text
    hand.press("Private eyes: off")
    hand.press("Record it", {"From": "Ada", "The whole post or PM": "VOTE: the quiet one"})
    assert "the quiet one" not in hand.body
    assert "Secret(" not in hand.body


def test_what_says_no_is_offered_nothing(errant: Path) -> None:
    hand = said(errant, holder_of(errant, "Town Cop"), "I will not investigate Fen")
    assert "Refused" in hand.text
    assert "They meant" not in hand.text


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "game", ["knights_duty", "knight_fight", "kings_court", "knight_errant", "empowered"]
)
def test_every_line_of_a_game_is_heard_in_a_sentence(tmp_path: Path, game: str) -> None:
    """What `continuations` offers is what the ear hears: in small letters, with polite words around it."""
    folder = tmp_path / "lane"
    if game == "knight_errant":
        started(game, 18, folder)
        turns.submit("moderator", "no elimination", None, session_of(folder))
        turns.close("day", None, session_of(folder))
    elif game == "empowered":
        started(game, 9, folder)
    else:
        begun(game, folder)
    table = now_of(session_of(folder)).running
    heard = 0
    for slot in table.game.playing(table.state):
        lines = list(map(str, table.game.legal(table.state, slot)))
        for line in lines[:: max(1, len(lines) // 8)]:
            assert line in likely_meant(f"I'd like {line.lower()} please", slot, table), line
            heard += 1
    assert heard
