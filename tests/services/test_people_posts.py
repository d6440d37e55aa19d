"""What became of a slot has a post of its own in every game, in the game's own words, until it was posted."""

from __future__ import annotations

from pathlib import Path

import pytest

from begun import begin
from fetch.threads import Forum
from knightfall.engine.entries import Removed
from knightfall.engine.heads import without_line
from knightfall.errors import InputError
from knightfall.games import game_ids
from knightfall.games import loaded as game_loaded
from knightfall.sentence import SlotId
from knightfall.services.count.votecount import counted
from knightfall.services.game.players import kill, modkill, replace_player, revive
from knightfall.services.keep.verify import PostVerdict, verify_game
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.posts.people import announcement, untold
from knightfall.services.posts.write import KINDS, mark_posted, write_post
from knightfall.services.requests import CountRequest, NewGameRequest, PostOptions, PostRequest
from knightfall.services.session import Session
from knightfall.services.window.turns import submit
from salt_harbour import NAMES
from services.end_of_day import AHEAD, Evening, board, game

AS_IS = PostOptions()
OWN_WORDS = {
    "knight_errant": "I have removed Boro from the game. Role: ",
    "empowered": "I have removed Boro from the game. Role: ",
    "custom_mafia": "I have removed Boro from the game. Role: ",
    "kings_court": "I have removed Boro from the match.",
    "knights_duty": "I have removed Boro from the game. The knight leaves the board at once.",
    "knight_fight": "I have removed Boro from the match.",
}


def begun(kind: str, folder: Path) -> Session:
    """A game of that kind as it was dealt."""
    fits = game_loaded(kind).spec.players
    names = NAMES[: max(fits[0], min(fits[-1], 9))]
    options = {"setup": "vanilla"} if kind == "custom_mafia" else {}
    begin(
        NewGameRequest(kind, names, folder, b"s" * 32, b"t" * 32, "Harbour", options=options),
        session_of(folder),
    )
    return session_of(folder)


def posted(kind: str, session: Session) -> str:
    """The post of a kind as plain text, which went out, without its last line."""
    draft = write_post(PostRequest(kind, "plain", stored=True), session)
    mark_posted(draft, session)
    return without_line(draft.text)


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", game_ids())
def test_a_modkill_has_a_post_in_the_words_of_its_game_once(tmp_path: Path, kind: str) -> None:
    assert set(game_ids()) == set(OWN_WORDS)
    session = begun(kind, tmp_path / "harbour")
    change = modkill("Boro", None, "left", AS_IS, session)
    [record] = untold("removal", now_of(session))
    assert record == change.record
    texts = "".join(file.read_text("utf-8") for file in (tmp_path / "harbour/public").glob("*.txt"))
    told = posted("removal", session)
    assert told.startswith(OWN_WORDS[kind])
    assert "no longer count" not in told + texts
    assert untold("removal", now_of(session)) == ()
    with pytest.raises(InputError, match="Nobody was removed"):
        posted("removal", session)
    assert [post.verdict for post in verify_game(session).posts] == [PostVerdict.SAME]


def test_what_the_moderator_says_as_a_message_has_its_post_too(tmp_path: Path) -> None:
    session = begun("kings_court", tmp_path / "harbour")
    submit("moderator", "modkill Boro", "plain", session)
    submit("moderator", "revive Boro", "plain", session)
    assert posted("removal", session) == (
        "I have removed Boro from the match.\n"
        "The role stays in the game and secret. Boro can still be elected."
    )
    assert posted("revival", session) == "Boro is back in the match."


def test_several_who_changed_since_are_one_post(tmp_path: Path) -> None:
    session = begun("kings_court", tmp_path / "harbour")
    replace_player("Ada", "Zed", None, "", AS_IS, session)
    replace_player("Boro", "Yew", None, "", AS_IS, session)
    assert posted("replacement", session) == (
        "Zed replaces Ada as of this post and takes over everything Ada had in this game.\n\n"
        "Yew replaces Boro as of this post and takes over everything Boro had in this game."
    )
    replace_player("Zed", "Ada", None, "", AS_IS, session)
    assert posted("replacement", session).startswith("Ada replaces Zed as of this post")


def test_a_note_that_was_posted_told_it(tmp_path: Path) -> None:
    session = begun("knights_duty", tmp_path / "harbour")
    modkill("Boro", None, "left", AS_IS, session)
    posted("note", session)
    assert untold("removal", now_of(session)) == ()


def test_what_was_taken_back_is_not_told(tmp_path: Path) -> None:
    from knightfall.services.game.undo import undo

    session = begun("knights_duty", tmp_path / "harbour")
    change = modkill("Boro", None, "left", AS_IS, session)
    undo(change.record.number, "the wrong one", session)
    assert untold("removal", now_of(session)) == ()


def test_where_days_are_voted_on_the_post_says_what_it_takes_now(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(("Ada", "hm"), ("Boro", "hm")))), ends=AHEAD) as played:
        counted(CountRequest(), played.session)
        kill("Ada", None, "shot", AS_IS, played.session)
        modkill("Boro", None, "left", AS_IS, played.session)
        assert posted("removal", played.session) == (
            "Ada is dead as of this post. Votes by Ada and votes for Ada no longer count.\n\n"
            "Boro is no longer in the game as of this post. Votes by Boro and votes for Boro no longer "
            "count.\nWith 3 alive, it now takes 2 votes to eliminate."
        )
        revive("Ada", None, "a slip", AS_IS, played.session)
        assert "With 4 alive, it now takes 3 votes" in posted("revival", played.session)


def test_a_game_without_days_of_votes_that_says_nothing_itself_gets_neutral_words(tmp_path: Path) -> None:
    """As a game of another package may."""
    session = begun("knight_fight", tmp_path / "harbour")
    context = now_of(session)
    section = announcement(Removed(SlotId("Boro")), 9, context)
    assert section.template == "any/left"
    assert "vote" not in str(section.facts)


def test_the_posts_of_people_are_kinds_of_posts() -> None:
    assert {"replacement", "removal", "revival"} <= set(KINDS)
