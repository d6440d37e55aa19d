"""Counts of fresh pages: what is claimed of old ones, and threads that shift while they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from fetch.loopback import Reply, Server, serving
from fetch.threads import Forum, thread
from knightfall.cli import app
from knightfall.errors import EvidenceError, KnightfallError, SiteRefused
from knightfall.fetch.clock import SystemClock
from knightfall.services import threads as reading
from knightfall.services.session import Session

NAMES = ("Ada", "Boro", "Elm", "Rook", "Fen")
PLAYERS = "Players:<br>" + "<br>".join(f"{number}. {name}" for number, name in enumerate(NAMES, 1))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    yield tmp_path


def run(verb: str, server: Server, *words: str) -> Result:
    url = f"{server.root}viewtopic.php?t=5"
    return CliRunner().invoke(app, [verb, url, "--allow-private-host", *words])


def vote(name: str) -> str:
    return f"<strong>Vote: {name}</strong>"


def two_days_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "now", lambda _clock: datetime.now(UTC) + timedelta(days=2, minutes=1))


def hammered() -> Forum:
    """Three pages; the votes of the hammer stand on the first and the second."""
    said = [
        ("Wren", PLAYERS),
        ("Ada", vote("Boro")),
        ("Elm", vote("Boro")),
        ("Fen", "hm"),
        ("Rook", vote("Boro")),
    ]
    said += [("Fen", "hm"), ("Ada", "Well."), ("Boro", vote("Ada"))]
    return Forum([(100 + 2 * n, author, body) for n, (author, body) in enumerate(said)])


def test_a_hammer_is_claimed_of_fresh_pages_only(monkeypatch: pytest.MonkeyPatch) -> None:
    forum = hammered()
    with serving(forum) as server:
        first = run("vc", server)
        forum.posts[1] = (102, "Ada", "Never mind.")
        two_days_later(monkeypatch)
        server.asked.clear()
        second = run("vc", server)
    assert [path.partition("start=")[2] for path in server.asked] == ["6", "", "3"]
    assert "Post 2 (Ada) changed after it was counted" in second.stderr
    assert "Never mind." in second.stderr
    assert ("Boro (3" in first.stdout, "Boro (2" in second.stdout) == (True, True)


def test_one_vote_short_of_a_hammer_is_claimed_of_fresh_pages_only(monkeypatch: pytest.MonkeyPatch) -> None:
    forum = hammered()
    forum.posts[4] = (108, "Rook", "hm")
    with serving(forum) as server:
        run("vc", server)
        two_days_later(monkeypatch)
        server.asked.clear()
        run("vc", server)
    assert [path.partition("start=")[2] for path in server.asked] == ["6", ""]


def test_where_nothing_is_decided_old_pages_are_told_and_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    forum = hammered()
    forum.posts[2], forum.posts[4] = (104, "Elm", "hm"), (108, "Rook", "hm")
    with serving(forum) as server:
        assert "ago" not in run("vc", server).stderr
        two_days_later(monkeypatch)
        server.asked.clear()
        told = run("vc", server).stderr
        assert [path.partition("start=")[2] for path in server.asked] == ["6"]
        assert "Pages 1–2 were read 2 days ago." in told
        assert "Pages 1–3 were read" not in told
        assert "ago" not in run("vc", server, "--again").stderr


def test_again_finds_an_edit_on_an_early_page() -> None:
    forum = hammered()
    forum.posts[2], forum.posts[4] = (104, "Elm", "hm"), (108, "Rook", "hm")
    with serving(forum) as server:
        run("vc", server)
        forum.posts[1] = (102, "Ada", vote("Rook"))
        assert "Rook" in run("vc", server, "--again").stdout
        error = run("vc", server, "--again", "--stored").exception
    assert isinstance(error, KnightfallError)
    assert "not both" in str(error)


def shifting(forum: Forum, path: str, times: int = 1) -> Callable[[str], Reply]:
    """A forum where, just before a page is answered, a post of the first page is deleted and one is added."""
    left = [times]

    def answer(asked: str) -> Reply:
        if path in asked and left[0]:
            left[0] -= 1
            del forum.posts[1]
            forum.posts.append((900 + left[0], "Ada", "One more."))
        return forum(asked)

    return answer


def read_ids(server: Server) -> list[str]:
    found = reading.gather(reading.Kept(f"{server.root}viewtopic.php?t=5"), _session())
    return [post.id for post in found.posts]


def _session() -> Session:
    from knightfall.cli.terminal import real_session

    return real_session(None, allow_private=True)


def test_a_read_of_several_pages_looks_again_at_what_shifted_meanwhile() -> None:
    forum = Forum(thread(9))
    with serving(shifting(forum, "start=3")) as server:
        result = run("read", server)
        assert result.exit_code == 0
        assert read_ids(server) == [str(post[0]) for post in forum.posts]


def test_a_known_thread_that_shifts_while_it_is_read_loses_no_post() -> None:
    forum = Forum(thread(9))
    answers: list[Callable[[str], Reply]] = [forum, shifting(forum, "start=3")]
    with serving(lambda path: answers[0](path)) as server:
        run("read", server)
        answers.pop(0)
        result = run("read", server, "--again")
        assert result.exit_code == 0
        assert read_ids(server) == [str(post[0]) for post in forum.posts]
        assert "Post number 4." not in result.stdout + result.stderr  # it moved and is not gone


def test_a_thread_that_goes_on_shifting_is_never_called_complete() -> None:
    forum = Forum(thread(30))
    with serving(shifting(forum, "start=3", times=20)) as server:
        result = run("read", server)
    assert isinstance(result.exception, KnightfallError)
    assert "changed while it was being read" in str(result.exception)
    assert result.exception.exit_status == 4


def test_nor_is_it_complete_as_it_is_kept() -> None:
    forum = Forum(thread(30))
    with serving(shifting(forum, "start=3", times=20)) as server:
        run("read", server)
        assert isinstance(run("vc", server, "--stored").exception, KnightfallError)


def asked_of(server: Server) -> list[int]:
    return [int(path.partition("start=")[2] or 0) // 3 + 1 for path in server.asked]


def test_a_long_thread_that_holds_still_is_read_once() -> None:
    """The last page is looked at beforehand, the first one afterwards: two pages more than there are."""
    with serving(Forum(thread(36))) as server:
        run("read", server)
        assert asked_of(server) == [1, 12, *range(2, 13), 1]


def test_posts_that_come_meanwhile_move_nothing_and_cost_nothing() -> None:
    forum = Forum(thread(35))

    def answer(path: str) -> Reply:
        if path.endswith("start=15"):
            forum.posts += [(900 + n, "Ada", "One more.") for n in range(3)]
        return forum(path)

    with serving(answer) as server:
        run("read", server)
        assert asked_of(server) == [1, 12, *range(2, 14), 1]
        assert read_ids(server) == [str(post[0]) for post in forum.posts]


def deleted(at: int, more: bool = False) -> Callable[[Forum], None]:
    def change(forum: Forum) -> None:
        del forum.posts[at]
        forum.posts += [(900 + len(forum.posts), "Ada", "One more.")] * more

    return change


def approved(forum: Forum) -> None:
    forum.posts.insert(4, (109, "Boro", "It waited to be approved."))


def split(forum: Forum) -> None:
    del forum.posts[4:11]


def swapped(forum: Forum) -> None:
    """A post goes and another one comes back."""
    del forum.posts[2]
    forum.posts.insert(13, (990, "Boro", "I am back."))


MODES: dict[str, Callable[[Forum], None]] = {
    "deleted on the first page": deleted(1),
    "deleted on the first page, and one more": deleted(1, more=True),
    "deleted in the middle, and one more": deleted(10, more=True),
    "deleted on the last page": deleted(-1),
    "approved": approved,
    "split off": split,
    "one goes and one comes back": swapped,
}


@pytest.mark.few(5)
@pytest.mark.parametrize("moment", range(1, 10))
@pytest.mark.parametrize("mode", MODES)
def test_a_thread_that_shifts_before_any_of_its_pages_loses_no_post(mode: str, moment: int) -> None:
    """Just before a page is asked for, a moderator of the board changes the thread of eight pages."""
    forum, asked = Forum(thread(23)), [0]

    def answer(path: str) -> Reply:
        asked[0] += 1
        if asked[0] == moment + 1:
            MODES[mode](forum)
        return forum(path)

    with serving(answer) as server:
        result = run("read", server)
        if result.exit_code:
            assert isinstance(result.exception, SiteRefused | EvidenceError)
        else:
            read = read_ids(server)
            there = [str(post[0]) for post in forum.posts]
            assert [one for one in read if one in there] == [one for one in there if one in read]
            if moment < 9:
                assert set(there) <= set(read)


def test_a_board_that_shows_its_reader_the_newest_first_is_asked_for_the_usual_view() -> None:
    """phpBB keeps the order of posts, and how many days it shows, with each reader."""
    forum = Forum(thread(17))

    def answer(path: str) -> Reply:
        if "sd=a" in path:
            assert "st=0" in path
            return forum(path)
        turned = Forum(forum.posts[::-1])(path)
        choice = b'<select name="sd"><option value="a"><option value="d" selected></select>'
        return Reply(turned.body.replace(b"</body>", choice + b"</body>"))

    with serving(answer) as server:
        assert run("read", server).exit_code == 0
        assert read_ids(server) == [str(post[0]) for post in forum.posts]
        # One page was asked for twice, and the next read asks in the same way.
        assert len(server.asked) == 6 + 2 + 1
        server.asked.clear()
        forum.posts += [(990, "Elm", "Later.")]
        assert run("read", server).exit_code == 0
        assert read_ids(server) == [str(post[0]) for post in forum.posts]
        assert len(server.asked) == 1


CODE = '<div class="codebox"><p>Code: <a href="#">{}</a></p><pre><code>Look.</code></pre></div>'


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (CODE.format("Select all"), CODE.format("Alles auswählen"), False),
        ('<a href="./a.php?sid=1">Here</a>', '<a href="./a.php">Here</a>', False),
        ("vote: Boro", "<strong>vote: Boro</strong>", True),
        ("<strong>vote: Boro</strong>", "<strong><s>vote: Boro</s></strong>", True),
        ("vote: Boro", "vote: Bora", True),
    ],
)
def test_a_change_is_told_where_words_or_what_may_be_a_vote_are_others(
    before: str, after: str, told: bool
) -> None:
    forum = Forum([(100, "Wren", PLAYERS), (102, "Ada", before), (104, "Elm", "hm")])
    with serving(forum) as server:
        run("read", server)
        forum.posts[1] = (102, "Ada", after)
        result = run("read", server, "--again")
        assert ("Post 2 (Ada) changed" in result.stdout + result.stderr) is told
