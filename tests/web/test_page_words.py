"""No page shows a word of the code: an id, a key, the name of a window as the journal has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.engine.entries import Closed
from knightfall.engine.game import Game
from knightfall.engine.journal import Journal, append
from knightfall.engine.playout import play
from knightfall.engine.rng import SeededRng
from knightfall.games import GAMES
from knightfall.sentence import SlotId
from knightfall.services.games import lookups_on_board
from knightfall.services.machine import session_of
from knightfall.services.posts.owed import write_missing
from knightfall.services.questions import QUESTIONS, About
from knightfall.storage.ledger import Ledger
from long_runs import first
from salt_harbour import NAMES
from services.game_stages import PLAYERS, SEED, folder_of
from web.hands import FormHand, form_hand
from web.page_words import foreign_words, pages_from
from web.served import served

STAGES = ("begun", "after the first closing", "in the middle", "over")


def played(game: Game[Any]) -> Journal:
    """A random game to its end, entered by the moderator of this machine."""
    names = tuple(map(SlotId, NAMES[: PLAYERS.get(game.spec.id, 7)]))
    options = {"setup": "vanilla"} if game.spec.id == "custom_mafia" else {}
    own: Journal = ()
    author = session_of(None).author
    for record in play(game, names, options, SeededRng(b"chance"), SeededRng(SEED)).journal:
        own = append(own, record.entry, record.at, author)
    return own


def game_at(place: Path, game: Game[Any], journal: Journal, stage: str) -> None:
    closings = [one.number for one in journal if isinstance(one.entry, Closed)]
    upto = (1, closings[0], closings[len(closings) // 2], len(journal))[STAGES.index(stage)]
    head = f'schema = 1\n[game]\nkind = "{game.spec.id}"\ntitle = "Fair"\n'
    head += 'moderators = ["Wren"]\nsite = "phpbb"\n'
    names = NAMES[: PLAYERS.get(game.spec.id, 7)]
    options = {"setup": "vanilla"} if game.spec.id == "custom_mafia" else {}
    head += "".join(f'[game.options]\n{name} = "{value}"\n' for name, value in options.items())
    folder = folder_of(place / "fair", head, game.spec.id, names, SEED, options)
    ledger = Ledger.open(folder / "game.db")
    ledger.extend(journal[:upto], 0)
    ledger.close()
    write_missing(session_of(folder))


def words_of_code(hand: FormHand, start: str, within: str) -> Iterator[tuple[str, str]]:
    """Each such word on a page that links lead to, with the page; the game file is edited as it is, and the
    manual names commands and keys as they are typed."""
    for path in pages_from(hand, start, within):
        if not path.endswith("/file") and not path.startswith("/help/"):
            yield from ((path, word) for word in foreign_words(hand.tree, NAMES))


@pytest.mark.long
@pytest.mark.parametrize("stage", first(1, STAGES[1:] + STAGES[:1]))
@pytest.mark.parametrize(
    "game", first(1, sorted(GAMES, key=lambda one: one.spec.id)), ids=lambda one: one.spec.id
)
def test_no_page_of_a_game_shows_a_word_of_the_code(tmp_path: Path, game: Game[Any], stage: str) -> None:
    game_at(tmp_path, game, played(game), stage)
    hand = form_hand(served(tmp_path))
    found = [*words_of_code(hand, "/games/fair", "/games/")]
    hand.go("/games/fair")
    hand.press("Private eyes: off")
    for page in ("", "log", "night", "posts", "players", "log/1/undo"):
        hand.go(f"/games/fair/{page}".rstrip("/"))
        found += [(page, one) for one in foreign_words(hand.tree, NAMES)]
    assert found == []


def test_no_page_without_a_game_shows_a_word_of_the_code(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    found = list(words_of_code(hand, "/", "/"))
    asked = {f"/ask/{name}": one.example for name, one in QUESTIONS.items() if one.about is About.NOTHING}
    asked |= {
        f"/ask/{kind}/{name}": one.example
        for kind, lookups in lookups_on_board().items()
        for name, one in lookups.items()
    }
    for path, example in asked.items():
        hand.go(f"{path}?{urlencode({key: str(value) for key, value in example.items()})}")
        found += [(path, one) for one in foreign_words(hand.tree, NAMES)]
    assert found == []


def test_no_reason_why_a_vote_does_not_count_is_a_word_of_the_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path / "home"))
    said = (
        ("Wren", "<b>Day 1 begins.</b> Players:<br>Ada<br>Boro<br>Cinder<br>Elm"),
        ("Ada", "Vote: Boro"),
        ("Boro", "<code>Vote: Ada</code>"),
        ("Cinder", "<blockquote><div><cite>Ada wrote:</cite><b>Vote: Boro</b></div></blockquote>"),
        ("Elm", "<b>Vote: the quiet one</b>"),
        ("Fen", "<s><b>Vote: Ada</b></s>"),
        ("Ada", "<b>Vote: Boro</b>"),
    )
    forum = Forum([(100 + number, author, body) for number, (author, body) in enumerate(said)])
    with serving(forum) as server:
        hand = form_hand(served(tmp_path))
        hand.press("Go on", {"Address of the thread": f"{server.root}viewtopic.php?t=5"})
        assert "Not counted" in hand.text
        assert foreign_words(hand.tree) == []


def test_a_word_of_the_code_is_found_wherever_a_page_shows_one(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    for word in (
        "em_r21",
        "72_24",
        "dead_target",
        "EM-R29",
        "root: sends",
        "day-1",
        "phpbb",
        "setup = x",
        "kd.card:R1",
    ):
        hand.body = f"<html><body><p>It says {word} here.</p></body></html>"
        assert len(foreign_words(hand.tree)) == 1, word
    for word in ("a plain text", "phpBB", "at https://forum.example/a_b", "Day 1"):
        hand.body = f"<html><body><p>It says {word} here.</p></body></html>"
        assert foreign_words(hand.tree) == []
