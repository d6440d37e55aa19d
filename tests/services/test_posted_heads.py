"""The head of the log under posts: `verify` finds what was cut, rolled back or replaced behind it."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from begun import begin
from fetch.loopback import client, serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.engine.entries import Started
from knightfall.engine.heads import head_of, heads_in, line_of, unknown, without_line
from knightfall.engine.journal import Journal, append
from knightfall.markup.dialects import dialect_names
from knightfall.services.count.votecount import count_votes, note_as_counted, note_as_posted, post_of
from knightfall.services.keep.verify import OLD, Verification, verify_game
from knightfall.services.posts.owed import write_missing
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.requests import CountRequest, NewGameRequest, PostRequest
from knightfall.services.session import Session, journal_of
from knightfall.storage.ledger import Ledger
from knightfall.storage.links import START, Links
from knightfall.storage.store import Store
from knightfall.writeups.log_line import with_line
from knightfall.writeups.render import render
from services.end_of_day import Evening, board, vote

NAMES = ("Ada", "Boro", "Cato", "Dusk", "Elm", "Fen", "Gale")
SAID = (("Ada", vote("Fen")), ("Boro", vote("Fen")), ("Cato", vote("Ada")))


@dataclass
class Table:
    """A begun game in `folder`, whose thread is on a forum."""

    folder: Path
    evening: Evening
    session: Session

    def counts(self, stored: bool = False) -> str:
        """A votecount is drafted and noted as posted."""
        request = CountRequest(stored=stored)
        answer = count_votes(request, self.session)
        post = post_of(answer, request, self.session)
        note_as_posted(post, answer, self.session)
        note_as_counted(answer, self.session)
        return post.text

    def posts(self, kind: str) -> str:
        draft = write_post(PostRequest(kind, stored=True), self.session)
        mark_posted(draft, self.session)
        return draft.text

    def says(self, author: str, text: str) -> None:
        """A new post in the thread."""
        posts = self.evening.forum.posts
        posts.append((posts[-1][0] + 1, author, text.replace("\n", "<br>")))

    def reads(self) -> None:
        count_votes(CountRequest(), self.session)

    def checked(self, folder: Path | None = None) -> Verification:
        return verify_game(_session(folder or self.folder, self.evening))


def _session(folder: Path, evening: Evening) -> Session:
    database = folder / "game.db"
    return Session(
        evening.clock,
        client(evening.clock, delay=0),
        lambda _: Store.open(database),
        lambda: Ledger.open(database),
        "Wren",
        game=folder,
    )


@contextmanager
def table(folder: Path, more: str = "") -> Iterator[Table]:
    evening = Evening(Forum(board(*SAID)))
    with serving(evening) as server:
        session = _session(folder, evening)
        options = {"setup": "vanilla"}
        threads = (("game", f"{server.root}viewtopic.php?t=5"),)
        request = NewGameRequest(
            "custom_mafia", NAMES, folder, b"s" * 32, b"t" * 32, "Harbour", options=options, threads=threads
        )
        begin(request, session)
        file = folder / "game.toml"
        text = file.read_text("utf-8").replace("[game]\n", f'[game]\nmoderators = ["Wren"]\n{more}', 1)
        file.write_text(f"{text}\n[[day]]\nnumber = 1\nstart_post = 1\n", "utf-8")
        yield Table(folder, evening, session)


def played(table: Table) -> None:
    """The opening goes out, players vote, two counts go out and stand in the thread, which was read then."""
    table.posts("opening")
    table.says("Wren", table.counts())
    table.says("Dusk", vote("Fen"))
    table.says("Wren", table.counts())
    table.reads()


def sql(folder: Path, *statements: str) -> None:
    with sqlite3.connect(folder / "game.db") as raw:
        raw.execute("PRAGMA foreign_keys = OFF")
        for statement in statements:
            raw.execute(statement)
    raw.close()


def unlined(folder: Path) -> None:
    """The posts that lie in the folder lose their last lines: they tell nothing any more."""
    for file in (folder / "public").glob("*.txt"):
        file.write_text(without_line(file.read_text("utf-8")), "utf-8")


def test_every_post_of_a_begun_game_ends_with_the_head_of_its_log(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        texts = [game.posts("opening"), game.counts(), game.posts("rules")]
        texts += [file.read_text("utf-8") for file in (game.folder / "public").glob("[0-9]*.txt")]
        assert len(texts) >= 4
        for text in texts:
            assert text.rstrip().endswith(line_of(text))
            assert len(heads_in(text)) == 1
        assert line_of(texts[0]).startswith("Log 0: ")
        assert line_of(texts[1]).startswith("Log 1: ")
        private = [file.read_text("utf-8") for file in (game.folder / "private").glob("*.txt")]
        assert private
        assert not any(map(heads_in, private))


def test_a_game_file_may_leave_the_line_out(tmp_path: Path) -> None:
    with table(tmp_path / "harbour", "log_line = false\n") as game:
        assert heads_in(game.posts("rules") + game.counts()) == ()
        assert game.checked().exit_status == 0


def test_an_honest_game_is_whole(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        played(game)
        found = game.checked()
        assert (found.heads, found.texts, found.missing, found.notes) == ((), (), (), ())
        assert found.exit_status == 0
        assert found.compared == 3


def test_a_player_s_post_with_such_a_line_proves_nothing(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        played(game)
        game.says("Dusk", f"Log 9: {'a' * 16}-{'b' * 12}")
        game.reads()
        assert game.checked().exit_status == 0


NO_HEAD = "DELETE FROM notices WHERE key = 'journal head'"
REWRITTEN = (
    "UPDATE notices SET words = (SELECT number || ' ' || digest FROM journal ORDER BY number DESC LIMIT 1) "
    "WHERE key = 'journal head'"
)
CUT = "DELETE FROM journal WHERE number > (SELECT MAX(number) - 2 FROM journal)"
EVIDENCE = tuple(f"DELETE FROM {name}" for name in ("posts", "pages", "reads", "threads", "changes"))
NO_NOTE = "DELETE FROM notices WHERE key = 'evidence head'"
ATTACKS: dict[str, tuple[tuple[str, ...], int, str]] = {
    "seals taken away with the note": (("UPDATE posts SET seal = NULL", NO_NOTE), 7, "have no seal"),
    "last post and the note": (
        ("DELETE FROM posts WHERE rowid = (SELECT MAX(rowid) FROM posts)", NO_NOTE),
        7,
        "of the evidence does not hold",
    ),
    "note on the last entry": ((NO_HEAD,), 7, "note on the last entry"),
    "last entry and its note": (
        ("DELETE FROM journal WHERE number = (SELECT MAX(number) FROM journal)", NO_HEAD),
        7,
        "note on the last entry",
    ),
    "last entries, note rewritten": (
        (CUT, REWRITTEN),
        1,
        "had been noted as posted by then, and the journal",
    ),
    "evidence emptied with all that is noted of it": (
        (*EVIDENCE, NO_NOTE, "DELETE FROM links"),
        1,
        "are not here as they were",
    ),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("attack", ATTACKS)
def test_what_was_done_to_the_folder_is_found(tmp_path: Path, attack: str) -> None:
    done, status, told = ATTACKS[attack]
    with table(tmp_path / "harbour") as game:
        played(game)
        sql(game.folder, *done)
        unlined(game.folder)
        found = game.checked()
    assert found.exit_status == status
    assert any(told in line for line in (*found.damaged, *found.heads)), (found.damaged, found.heads)


def test_a_folder_that_was_rolled_back_is_found_once_the_thread_is_read_again(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        game.posts("opening")
        game.reads()
        shutil.copytree(game.folder, tmp_path / "before")
        game.posts("rules")
        game.says("Wren", game.counts())
        # The whole folder as it was, each hash and note of it valid.
        old = _session(tmp_path / "before", game.evening)
        assert verify_game(old).exit_status == 0
        count_votes(CountRequest(), old)
        found = verify_game(old)
        assert found.exit_status == 1
        [fault] = found.heads
        assert fault.startswith("Post 5 has “Log 2: ")
        assert "2 posts had been noted as posted by then, and the journal has 1" in fault


def test_another_journal_in_the_place_of_this_one_is_found(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        played(game)
        whole = journal_of(game.session)
        forged = whole[:2]
        for record in whole[2:]:
            author = "Rook" if record.number == 3 else record.author
            forged = append(forged, record.entry, record.at, author)
        sql(game.folder, "DELETE FROM journal", NO_HEAD)
        ledger = Ledger.open(game.folder / "game.db")
        ledger.extend(forged, 0)
        ledger.close()
        found = game.checked()
        assert found.exit_status == 1
        [fault] = found.heads
        assert fault.startswith("Post 7 has “Log 2: ")
        assert "the journal never stood so" in fault


def test_a_letter_of_a_post_that_went_out_is_found_and_a_draft_is_the_moderator_s(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        write_post(PostRequest("setup", stored=True), game.session)
        played(game)
        opening, rules = (game.folder / "public" / name for name in ("opening.txt", "rules.txt"))
        write_post(PostRequest("rules", stored=True), game.session)
        rules.write_text(rules.read_text("utf-8").replace("a", "o", 1), "utf-8")
        assert game.checked().exit_status == 0
        opening.write_text(opening.read_text("utf-8").replace("a", "o", 1), "utf-8")
        found = game.checked()
        assert found.texts == ("public/opening.txt is not the text of entry 2, which went out",)
        assert found.exit_status == 1
        write_post(PostRequest("opening", stored=True), game.session)
        assert game.checked().exit_status == 0


def test_a_journal_that_was_emptied_is_found(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        played(game)
        sql(game.folder, "DELETE FROM journal", "DELETE FROM notices", "DELETE FROM links", *EVIDENCE)
        for file in (*game.folder.glob("public/*.txt"), *game.folder.glob("private/[0-9]*.txt")):
            file.unlink()
        emptied = game.checked()
        assert emptied.exit_status == 0, emptied.damaged
        # As soon as the thread is read again.
        count_votes(CountRequest(), _session(game.folder, game.evening))
        found = game.checked()
        assert found.exit_status == 1
        assert "2 posts had been noted as posted by then, and the journal has 0" in found.heads[1]


def test_who_counts_the_votes_of_somebody_else_s_game_is_told_nothing_of_its_log(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        played(game)
        lines = (game.folder / "game.toml").read_text("utf-8").splitlines()
        url = next(line for line in lines if line.startswith("url = "))
        other = tmp_path / "other"
        other.mkdir()
        text = f'schema = 1\n[game]\nmoderators = ["Wren"]\n[[thread]]\nrole = "game"\n{url}\n'
        players = "".join(f'[[player]]\nname = "{name}"\n' for name in NAMES)
        (other / "game.toml").write_text(f"{text}{players}[[day]]\nnumber = 1\nstart_post = 1\n", "utf-8")
        count_votes(CountRequest(), _session(other, game.evening))
        assert game.checked(other).exit_status == 0


@pytest.mark.parametrize("dialect", dialect_names())
def test_the_line_is_read_back_in_every_dialect(dialect: str) -> None:
    line = "Log 3: 00112233445566aa-00112233445b"
    post = render("any/mod_note", {"lines": ["Day 1."]}, dialect)
    text = with_line(post, line, dialect)
    assert (line_of(text), without_line(text)) == (line, post.rstrip())
    assert with_line(text, line, dialect) == text


def test_posts_that_are_kept_no_more_are_read_from_a_page_or_a_text(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        shutil.copytree(game.folder, tmp_path / "before")
        text = game.counts()
        (tmp_path / "page.html").write_text(f"<p>{text}</p>", "utf-8")
        run = ["verify", "--against", str(tmp_path / "page.html"), "--game"]
        assert CliRunner().invoke(app, [*run, str(game.folder)]).exit_code == 0
        found = CliRunner().invoke(app, [*run, str(tmp_path / "before")])
        assert found.exit_code == 1
        assert "page.html has “Log 0: " in found.stderr


def test_the_texts_of_the_folder_are_missed(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        played(game)
        for file in (game.folder / "public").iterdir():
            file.unlink()
        found = game.checked()
        assert found.exit_status == 1
        assert [one.kind for one in found.missing] == ["opening"]
        assert "public/commitment.txt is missing" in found.deal[0]
        write_missing(game.session)
        assert game.checked().exit_status == 0


def test_a_game_of_an_older_knightfall_is_whole_and_told_as_such(tmp_path: Path) -> None:
    with table(tmp_path / "harbour", "log_line = false\n") as game:
        played(game)
        journal: Journal = ()
        for record in journal_of(game.session):
            entry = record.entry
            entry = replace(entry, sealed=False) if isinstance(entry, Started) else entry
            journal = append(journal, entry, record.at, record.author)
        sql(game.folder, "DELETE FROM journal", NO_HEAD, NO_NOTE, "DELETE FROM links")
        for name in ("posts", "pages", "reads", "threads"):
            sql(game.folder, f"UPDATE {name} SET seal = NULL")
        unlined(game.folder)
        ledger = Ledger.open(game.folder / "game.db")
        ledger.extend(journal, 0)
        ledger.close()
        sql(game.folder, NO_HEAD)
        found = game.checked()
        assert found.exit_status == 0
        assert found.notes == (OLD,)
        # It goes on under a later version.
        game.counts()
        assert game.checked().exit_status == 0


# ── The line itself. ──────────────────────────────────────────────────────────────────────────────


def test_a_head_is_of_one_journal_and_one_evidence_and_of_one_seed(tmp_path: Path) -> None:
    with table(tmp_path / "harbour") as game:
        played(game)
        journal, links = journal_of(game.session), Links.open(game.folder / "game.db").all()
    digests = [link.digest for link in links]
    head = head_of(journal, digests[-1], b"seed")
    assert heads_in(f"A post.\n\n{head.line}") == (head,)
    assert list(unknown((head,), journal, digests, b"seed")) == []
    assert [what.value for _, what in unknown((head,), journal[:-1], digests, b"seed")] == ["journal"]
    assert [what.value for _, what in unknown((head,), journal, digests[:-1], b"seed")] == ["evidence"]
    assert [what.value for _, what in unknown((head,), journal, digests, b"other")] == ["journal"]
    assert head_of(journal, START, b"seed").journal == head.journal


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Day 1.\n\nLog 3: 00112233445566aa-00112233445b", "Log 3: 00112233445566aa-00112233445b"),
        ("Day 1.<br><br>Log 3: 00112233445566aa-00112233445b</p>\n", "Log 3: 00112233445566aa-00112233445b"),
        ("Log 3: 00112233445566aa-00112233445b\n\nDay 1.", ""),
        ("Log 3: 00112233", ""),
        ("", ""),
    ],
)
def test_the_line_is_the_last_of_a_text(text: str, line: str) -> None:
    assert line_of(text) == line
