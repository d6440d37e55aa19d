"""The second look at every text for everybody: each kind of secret, planted in each of them, is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from begun import new_game
from command_line import at_terminal
from growth import LINEAR, growth
from knightfall.cli.terminal import real_session
from knightfall.config.setup import Setup
from knightfall.engine.entries import Closed, Ruled, Started, Submitted
from knightfall.engine.game import Announced, Game
from knightfall.engine.journal import append
from knightfall.engine.playout import Playout, play
from knightfall.engine.replay import Replay, replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import SecretGuard
from knightfall.games import GAMES
from knightfall.mafia.events import CautionNote
from knightfall.mafia.roles import Role
from knightfall.sentence import SlotId
from knightfall.services.guard import GameSecrets, hidden_at, of_table, passed, released
from knightfall.services.now import now_of
from knightfall.services.publish import guarded, note_posted, texts_of
from knightfall.services.running import RunningGame
from knightfall.services.session import Session, game_database, journal_of
from knightfall.storage.database import insert
from knightfall.storage.store import Store
from knightfall.writeups.events import public_post
from long_runs import LONG_JOB
from salt_harbour import NAMES

ROOM = "https://forum.example/viewtopic.php?f=7&t=90077"
GRAVE = "https://forum.example/viewtopic.php?f=7&t=90078"
THREADS_OF_IT = (
    '[[thread]]\nurl = "https://forum.example/viewtopic.php?t=90010"\n'
    f'[[thread]]\nrole = "private"\nurl = "{ROOM}"\nmembers = ["Ada"]\n'
    f'[[thread]]\nrole = "dead"\nurl = "{GRAVE}"\n'
)
DAWN = datetime(2026, 3, 1, 8, tzinfo=UTC)
QUIET = "The tide went out.\nNothing else is known of this night."


@dataclass(frozen=True, slots=True)
class Harbour:
    """A game of Knight-Errant in a folder, night 1 to come or day 1, with a private room that was read."""

    folder: Path
    session: Session

    @property
    def table(self) -> RunningGame:
        return now_of(self.session).running

    def holder(self, role: str) -> str:
        cards: Mapping[SlotId, Role] = self.table.state.cards
        return next(slot for slot, card in cards.items() if card.name == role)

    def refused(self, text: str, allow: str = "") -> str:
        with pytest.raises(SecretGuard) as caught:
            released(text, self.session, allow)
        return at_terminal(caught.value)

    def rulings(self) -> list[Ruled]:
        return [r.entry for r in journal_of(self.session) if isinstance(r.entry, Ruled)]


@pytest.fixture
def harbour(tmp_path: Path) -> Harbour:
    folder = new_game(tmp_path / "harbour", "knight-errant", *NAMES, "--option", "setup=A1-RD")
    file = folder / "game.toml"
    file.write_text(file.read_text("utf-8") + THREADS_OF_IT, "utf-8")
    store = Store.open(game_database(folder))
    room = {"url": ROOM, "platform": "phpbb", "title": "The lamp room", "pages": 1}
    with store.database.writing() as connection:
        insert(connection, "threads", room)
    store.close()
    return Harbour(folder, real_session(folder, allow_private=False))


def some_role(harbour: Harbour) -> tuple[str, str]:
    """Somebody with a role of his own, and it."""
    return next((slot, c.name) for slot, c in harbour.table.state.cards.items() if "Vanilla" not in c.name)


def test_a_harmless_text_goes_out_as_it_is(harbour: Harbour) -> None:
    assert released(QUIET, harbour.session) == QUIET
    assert harbour.rulings() == []


def test_where_there_is_no_game_there_is_nothing_to_betray(harbour: Harbour) -> None:
    assert released(f"{ROOM} doctor", replace(harbour.session, game=None)) == f"{ROOM} doctor"


def test_a_role_of_the_living_is_refused_with_line_secret_and_way_out(harbour: Harbour) -> None:
    slot, role = some_role(harbour)
    told = harbour.refused(f"All quiet.\nA {role} walked by.")
    assert "line 2:" in told
    assert f"that {slot}, who is alive, is the {role}" in told
    assert "--allow-leak REASON" in told
    assert SecretGuard.exit_status == 5


def test_with_a_written_reason_it_goes_out_and_the_reason_is_kept_once(harbour: Harbour) -> None:
    _, role = some_role(harbour)
    text = f"The {role} has claimed."
    for _ in range(2):
        assert released(text, harbour.session, "it was claimed in #12") == text
    [ruling] = harbour.rulings()
    assert ruling.why == "it was claimed in #12"
    assert role.split()[-1] in ruling.question
    assert "line 1" in harbour.refused(text, "   ")


def test_a_role_that_the_dead_have_shown_is_a_secret_beside_its_living_holder(harbour: Harbour) -> None:
    cards = harbour.table.state.cards
    role = next(card.name for card in cards.values() if "Vanilla" in card.name)
    dead, holder = [slot for slot, card in cards.items() if card.name == role][:2]
    other = next(slot for slot, card in cards.items() if card.name != role)
    guarded(harbour.table, Submitted(None, f"modkill {dead}"), "plain", harbour.session)
    assert released(f"{dead} was a {role}.", harbour.session)
    assert released(f"{other} asked who else is a {role}.", harbour.session)
    # That somebody else stands in the line, too, tells no less: in this game roles are dealt once.
    told = harbour.refused(f"{other} says that {holder} is a {role}.")
    assert f"that {holder}, who is alive, is the {role}" in told


def test_a_text_that_lists_every_role_in_play_tells_nobodys_own(harbour: Harbour) -> None:
    cards = {card.name for card in harbour.table.state.cards.values()}
    listed = "In play: " + ", ".join(sorted(cards)) + "."
    assert released(listed, harbour.session) == listed
    slot, role = some_role(harbour)
    assert slot in harbour.refused(f"{listed}\n{slot} is the {role}")


@pytest.mark.few(3)
@pytest.mark.parametrize(
    "link",
    [
        ROOM,
        "see [url=https://forum.example/viewtopic.php?t=90077&start=25]here[/url]",
        "http://www.forum.example/viewtopic.php?f=7&t=90077&sid=0123456789abcdef0123456789abcdef#p5",
        "forum.example/viewtopic.php?f=7&t=90077",
        f"the dead talk in {GRAVE}.",
    ],
    ids=["whole", "page", "session", "no-scheme", "dead"],
)
def test_a_private_thread_is_never_linked_not_even_after_the_end(harbour: Harbour, link: str) -> None:
    assert "private thread" in harbour.refused(link) or "your login key" in harbour.refused(link)
    over = ended(harbour)
    assert "private thread" in over.refused(link) or "your login key" in over.refused(link)


def test_a_thread_whose_address_only_begins_like_a_private_one_may_be_linked(harbour: Harbour) -> None:
    assert released(f"{ROOM}1", harbour.session) == f"{ROOM}1"


def ended(harbour: Harbour) -> Harbour:
    """The mafia gives up: all but the town are removed."""
    for slot, card in harbour.table.state.cards.items():
        alive = slot in harbour.table.state.living
        if alive and card.alignment != "town" and harbour.table.game.outcome(harbour.table.state) is None:
            guarded(harbour.table, Submitted(None, f"modkill {slot}"), "plain", harbour.session)
    assert harbour.table.game.outcome(harbour.table.state) is not None
    return harbour


def test_after_the_end_roles_and_nights_are_free(harbour: Harbour) -> None:
    slot, role = some_role(harbour)
    assert released(f"{slot} was the {role}.", ended(harbour).session)


@pytest.mark.parametrize(("name", "kept"), [("kings_court", True), ("knight_errant", False)])
def test_the_seed_of_a_game_that_is_over_is_a_secret_where_it_is_not_published(
    name: str, kept: bool, tmp_path: Path
) -> None:
    """KC-23: by the seed of all chance the roles of earlier attempts would be told."""
    game = next(game for game in GAMES if game.spec.id == name)
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "deal.json").write_text('{"seed": "c0ffee51", "salt": "5a175a17"}', "utf-8")
    playout = played(name)
    over = RunningGame(game, tmp_path, b"", playout.journal, Replay(playout.states[-1], ()))
    assert game.outcome(over.state) is not None
    hidden = hidden_at(over, real_session(None, allow_private=False))
    assert passed("The salt was 5a175a17.", hidden) == ()
    if kept:
        with pytest.raises(SecretGuard, match="the seed of the deal"):
            passed("The seed was c0ffee51.", hidden, "it is over")
    else:
        assert passed("The seed was c0ffee51.", hidden) == ()


def test_the_name_of_a_private_topic_is_a_secret(harbour: Harbour) -> None:
    assert "the name of a private thread" in harbour.refused("They met in The Lamp Room again.")


TOPICS = (
    "mafia topic: {0}, {1}",
    "The Mafia’s night chat is for {0} and {1}.",
    "[b]Ma[/b]fia room - [i]{0}[/i] / {1}",
    "{1} and {0} have a topic of the mafia.",
    "In the mafia QT:\n1. {0}\n2. {1}\n",
)


@pytest.mark.few(2)
@pytest.mark.parametrize("line", TOPICS)
def test_who_is_in_a_private_topic_is_a_secret_until_the_end(harbour: Harbour, line: str) -> None:
    cards: Mapping[SlotId, Role] = harbour.table.state.cards
    mafiosi = [slot for slot, card in cards.items() if card.alignment == "mafia"]
    assert "gives away who is in the mafia room" in harbour.refused(line.format(*mafiosi))
    # A dead one was in it, too.
    guarded(harbour.table, Submitted(None, f"modkill {mafiosi[0]}"), "plain", harbour.session)
    assert "gives away who is in the mafia room" in harbour.refused(line.format(*mafiosi))
    assert released(line.format(*mafiosi), ended(harbour).session)


def test_the_masons_have_a_topic_that_is_as_secret(harbour: Harbour) -> None:
    cards: Mapping[SlotId, Role] = harbour.table.state.cards
    masons = [slot for slot, card in cards.items() if "Mason" in card.name]
    for word in ("Masons", "Mason"):
        told = harbour.refused(f"{word} topic: {' and '.join(masons)}")
        assert "who is in the masons room" in told


def test_what_names_no_topic_or_not_who_is_in_it_tells_nothing_of_a_room(harbour: Harbour) -> None:
    cards: Mapping[SlotId, Role] = harbour.table.state.cards
    first, second, *_ = [slot for slot, card in cards.items() if card.alignment == "mafia"]
    guarded(harbour.table, Submitted(None, f"modkill {first}"), "plain", harbour.session)
    for line in (
        f"{first} is dead. They were of the mafia. {second} was voted by nobody.",
        f"{second} has posted in the wrong topic, and so has {first}. The mafia is not amused.",
        f"The mafia topic is locked at day. {second} asked.",
        f"The mafia topic is locked at day.\n{first} is dead.\n{second}",
        f"The mafia topic is locked at day.\n\n{first}\n{second}",
        f"Everybody asks for the mafia topic: {', '.join(cards)}.",
        f"The vote: {second} (1): {first}.",
    ):
        assert released(line, harbour.session) == line


def test_a_room_that_the_file_names_is_as_secret(harbour: Harbour) -> None:
    file = harbour.folder / "game.toml"
    cards: Mapping[SlotId, Role] = harbour.table.state.cards
    one, other, *_ = [slot for slot, card in cards.items() if card.alignment == "town"]
    thread = f'[[thread]]\nrole = "private"\nurl = "{ROOM}9"\nmembers = ["{one}", "{other}"]\n'
    file.write_text(f'{file.read_text("utf-8")}{thread}room = "Neighbours"\n', "utf-8")
    assert "who is in the neighbours room" in harbour.refused(f"Neighbours chat: {one}, {other}")
    assert released(f"{one} and {other} are no neighbours.", harbour.session)


@pytest.mark.parametrize("key", ["seed", "salt"])
def test_what_opens_the_deal_passes_with_no_reason_at_all(harbour: Harbour, key: str) -> None:
    deal = json.loads((harbour.folder / "private" / "deal.json").read_text("utf-8"))
    assert f"the {key} of the deal" in harbour.refused(f"oops {deal[key]}", "I insist")
    assert harbour.rulings() == []


def test_a_session_in_a_link_passes_with_no_reason_at_all(harbour: Harbour) -> None:
    link = "https://forum.example/viewtopic.php?t=90010&sid=0123456789abcdef0123456789abcdef"
    assert "your login key" in harbour.refused(link, "I insist")


def test_six_words_of_a_pm_are_refused_and_of_a_submission(harbour: Harbour) -> None:
    (harbour.folder / "private" / "note.txt").write_text(
        "The gull saw who carried the lantern last night.\n", "utf-8"
    )
    assert "words of a PM" in harbour.refused("As it says: saw who carried the [i]lantern[/i] last night.")
    guarded(
        harbour.table,
        Submitted(SlotId("Ada"), "please hold my boat until morning comes"),
        "plain",
        harbour.session,
    )
    assert "words of a PM" in harbour.refused("Hold my boat until morning comes!")


def test_in_a_game_without_roles_what_was_sent_is_a_secret_until_the_next_closing(tmp_path: Path) -> None:
    """A closing shows what was sent for it, whichever closing it is."""
    game = next(game for game in GAMES if game.spec.id == "knights_duty")
    said = "the lamp on my pier stays dark"
    session = real_session(None, allow_private=False)
    journal = append((), Started(game.spec.id, NAMES[:2]), DAWN, "Wren")
    refused = []
    for entry in (Closed("setup"), Submitted(NAMES[0], said), Closed("turn"), Closed("turn")):
        journal = append(journal, entry, DAWN, "Wren")
        led = replay(journal, game, lambda: SeededRng(b"draw"))
        hidden = hidden_at(RunningGame(game, tmp_path, b"", journal, led), session)
        refused.append(bool([pm for pm in hidden.pms if said in pm]))
        if refused[-1]:
            with pytest.raises(SecretGuard, match="words of a PM"):
                passed(f"Somebody wrote: {said}.", hidden)
    assert refused == [False, True, False, False]


def test_what_is_public_already_may_be_said_again_and_so_may_a_list_of_players(harbour: Harbour) -> None:
    words = "The gull saw who carried the lantern last night."
    for half in ("private", "public"):
        (harbour.folder / half / "note.txt").write_text(f"{words}\n{', '.join(NAMES)}\n", "utf-8")
    assert released(words, harbour.session)
    (harbour.folder / "public" / "note.txt").unlink()
    assert released(f"Not voting: {', '.join(NAMES)}", harbour.session)


def test_what_somebody_does_at_night_is_a_secret_beside_his_name_and_his_targets(harbour: Harbour) -> None:
    if harbour.table.state.phase == "day":
        guarded(harbour.table, Submitted(None, "no elimination"), "plain", harbour.session)
        guarded(harbour.table, Closed("day"), "plain", harbour.session)
    actor, line = next(
        (slot, line)
        for slot in harbour.table.state.living
        for line in harbour.table.game.legal(harbour.table.state, slot)
        if line.split()[0] in ("heal", "track", "jail", "roleblock", "watch") and len(line.split()) == 2
    )
    guarded(harbour.table, Submitted(actor, line), "plain", harbour.session)
    verb, target = line.split()
    assert f"what {actor}, who is alive, does" in harbour.refused(f"They say {target} was {verb}ed.")
    assert f"what {actor}, who is alive, does" in harbour.refused(f"{actor} likes to {verb}.")
    assert released(f"One may {verb} at night.", harbour.session)


def test_roles_of_the_game_file_count_where_the_game_is_run_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "game.toml"
    players = (
        '[[player]]\nname = "Rook"\nrole = "Town Doctor"\nreplaces = [{ name = "Lumen", from_post = 9 }]\n'
    )
    dead = '[[player]]\nname = "Ada"\nrole = "Town Cop"\nleft = { how = "killed", post = 12 }\n'
    file.write_text(f"schema = 1\n{players}{dead}", "utf-8")
    by_hand = Harbour(tmp_path, real_session(tmp_path, allow_private=False))
    for said in ("the doctor", "a doc", "Town Doctor!"):
        assert "Rook, who is alive, is the Town Doctor" in by_hand.refused(said)
    assert released("Ada was the Town Cop.", replace(by_hand.session, game=file))


def test_a_post_that_would_give_something_away_keeps_its_entry_out_of_the_journal(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    slot, role = some_role(harbour)
    loud = Announced(CautionNote(f"{slot} is the {role}", "KE-R1"))
    monkeypatch.setattr(RunningGame, "last_events", property(lambda _: (loud,)))
    before = len(harbour.table.journal)
    with pytest.raises(SecretGuard, match=f"that {slot}"):
        guarded(harbour.table, Submitted(None, "note"), "plain", harbour.session)
    assert len(harbour.table.journal) == before
    guarded(harbour.table, Submitted(None, "note"), "plain", harbour.session, "told on purpose")
    assert len(harbour.table.journal) == before + 2


# ── every public text of every game ──────────────────────────────────────────────────────────────


def test_a_name_with_the_one_before_it_is_no_row_of_words() -> None:
    pm = "You are one of the two, so Zed (was Boro) joins the court. There is nothing to send."
    hidden = GameSecrets(pms=(pm,), names=("Ada", "Boro", "Zed"))
    assert passed("Zed (was Boro) joins the court and is not the King.", hidden) == ()
    with pytest.raises(SecretGuard):
        passed("Ada: you are one of the two, so it is Boro.", hidden)


def test_the_renderer_of_posts_takes_public_events_only() -> None:
    assert get_type_hints(public_post)["event"] is Announced


PLAYERS = {"knight_errant": 18, "empowered": 12, "kings_court": 11, "custom_mafia": 9}
ROLES = [game for game in GAMES if game.spec.id in PLAYERS]


@cache
def played(name: str) -> Playout[Any]:
    game = next(game for game in GAMES if game.spec.id == name)
    names = NAMES[: PLAYERS.get(name, min(game.spec.players))]
    return play(game, names, {}, SeededRng(b"chance 5"), SeededRng(b"draw 5"))


def moments(game: Game[Any], folder: Path) -> Iterator[tuple[RunningGame, str]]:
    """Public texts of a game with the table as it stands when each goes out; its PMs are in the folder.

    Every sixth of them, in the long job all.
    """
    playout, public = played(game.spec.id), 0
    (folder / "private").mkdir()
    taken = replay(playout.journal, game, lambda: SeededRng(b"draw 5")).taken
    for number, state in enumerate(playout.states, start=1):
        here = tuple(one for one in taken if one.number <= number)
        table = RunningGame(game, folder, b"", playout.journal[:number], Replay(state, here))
        texts = tuple(texts_of(table, table.last_events, "phpbb"))
        for text in texts:
            if text.whose == "public":
                public += 1
                if LONG_JOB or public % 6 == 1:
                    yield table, text.text
        for place, text in enumerate(text for text in texts if text.whose != "public"):
            (folder / "private" / f"{number:03}-{place:02}.txt").write_text(text.text, "utf-8")


@pytest.mark.few(1)
@pytest.mark.wider
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_no_post_of_a_whole_game_is_stopped_by_mistake(game: Game[Any], tmp_path: Path) -> None:
    session = real_session(None, allow_private=False)
    for table, text in moments(game, tmp_path):
        assert passed(text, hidden_at(table, session)) == ()


@pytest.mark.few(1)
@pytest.mark.wider
@pytest.mark.parametrize("game", ROLES, ids=lambda game: game.spec.id)
def test_a_secret_planted_in_any_post_of_a_game_is_found(game: Game[Any], tmp_path: Path) -> None:
    session = real_session(None, allow_private=False)
    (tmp_path / "game.toml").write_text(f"schema = 1\n{THREADS_OF_IT}", "utf-8")
    planted = 0
    for table, text in moments(game, tmp_path):
        if game.outcome(table.state) is not None or not (hidden := hidden_at(table, session)).cards:
            continue
        card = hidden.cards[planted % len(hidden.cards)]
        pm = " ".join(next((pm for pm in hidden.pms if len(pm.split()) > 20), "").split()[4:16])
        for secret in (f"{card.slot} = [b]{card.role}[/b]", ROOM, *([pm] if pm else ())):
            lines = text.splitlines()
            lines.insert(planted % (len(lines) + 1), secret)
            with pytest.raises(SecretGuard):
                passed("\n".join(lines), hidden)
        planted += 1
    assert planted


def test_nothing_of_the_thread_is_read_so_a_long_one_costs_nothing(
    harbour: Harbour, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Store, "thread", lambda *_: pytest.fail("posts were read"))
    assert released(QUIET, harbour.session) == QUIET


def test_the_look_takes_as_long_as_the_text_is(harbour: Harbour) -> None:
    hidden = hidden_at(harbour.table, harbour.session)

    def looked(times: int) -> None:
        text = "\n".join(f"{name} has posted {n} times." for n in range(times) for name in NAMES)
        assert passed(text, hidden) == ()

    assert growth(looked, 5) < LINEAR


def test_what_was_posted_is_no_secret_any_more_though_a_pm_says_it_too(harbour: Harbour) -> None:
    said = "The lamp on the northern pier stays dark until Friday."
    (harbour.folder / "private" / "note-Ada.txt").write_text(f"Ada, {said}", encoding="utf-8")
    assert "words of a PM" in harbour.refused(said)
    # The journal alone knows that it went out: there is no file of it in public/.
    note_posted("mod-note", said, 0, journal_of(harbour.session), harbour.session)
    assert not [file for file in (harbour.folder / "public").iterdir() if said in file.read_text("utf-8")]
    assert released(said, harbour.session) == said


def test_what_lies_ready_in_public_is_no_secret_any_more(harbour: Harbour) -> None:
    said = "The lamp on the northern pier stays dark until Friday."
    (harbour.folder / "private" / "note-Ada.txt").write_text(f"Ada, {said}", encoding="utf-8")
    (harbour.folder / "public" / "note.txt").write_text(said, encoding="utf-8")
    assert released(said, harbour.session) == said


def test_a_card_that_was_dealt_again_is_held_against_all_who_may_have_had_it_before(tmp_path: Path) -> None:
    """KC-23: after an early King; before that a card is held against nobody else's name."""
    game = next(game for game in GAMES if game.spec.id == "kings_court")
    playout = play(game, NAMES[:11], {}, SeededRng(b"chance 10"), SeededRng(b"draw 5"))
    again = next(number for number, state in enumerate(playout.states, start=1) if state.deals == 2)
    taken = replay(playout.journal, game, lambda: SeededRng(b"draw 5")).taken
    for upto, others in ((again - 1, 0), (again, 10)):
        led = Replay(playout.states[upto - 1], tuple(one for one in taken if one.number <= upto))
        table = RunningGame(game, tmp_path, b"", playout.journal[:upto], led)
        assert {len(card.others) for card in of_table(table, Setup("game.toml")).cards} == {others}
