"""A verb that is killed at some moment, with SIGKILL: nothing that was confirmed may be lost.

The journal opens and verifies, begins with all that stood there before, and has grown if the verb had said
anything; what was read begins the thread; the files beside it are whole; the same verb run again ends with a
word to the moderator.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import MappingProxyType
from unittest.mock import patch

from begun import begin
from fetch.loopback import StillClock, serving
from fetch.threads import Forum
from knightfall.config.game_file import read_setup
from knightfall.engine.entries import Closed, Prodded
from knightfall.engine.journal import Journal, standing
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.window.turns import close, submit
from knightfall.storage.store import Store
from services.journal_folder import COURT as NAMES
from services.journal_folder import court, journal, run

RUN = (sys.executable, "-c", "from knightfall.cli import main; main()")
COURT, VOTES, SIGNUPS, FORUM, KEPT, LATE, REOPENED = (
    *("court", "votes", "signups", "forum", "kept"),
    *("late", "reopened"),
)
OURS = "fault of ours"
OWN_FORUM = "--allow-private-host"
AT_ONCE = MappingProxyType({"KNIGHTFALL_DELAY": "0"})
"""A loopback forum is not spared."""

VERBS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (COURT, ("submit", "Boro", "VOTE: Ada")),
    (COURT, ("commit", "vote", "--yes")),
    (COURT, ("rule", "Do ties kill?", "nobody", "--why", "rules post")),
    (COURT, ("undo", "2", "--why", "sent too early")),
    (COURT, ("pm", "mark", "sent", "Ada", "Boro")),
    (COURT, ("mod-note", "Quotes do not count.")),
    (COURT, ("replace", "Elm", "Pike", "--at", "12")),
    (COURT, ("import", "later.jsonl")),
    (COURT, ("export", "out.jsonl")),
    (COURT, ("post", "rules", "--posted")),
    (VOTES, ("fix", "3", "--ignore", "--why", "a joke")),
    (VOTES, ("alias", "Fen", "fenny", "--why", "all say so")),
    (VOTES, ("vc", "--from-jsonl", "posts.jsonl", "--posted", "--game", ".")),
    (VOTES, ("replace", "Boro", "Rook", "--at", "4")),
    (VOTES, ("modkill", "Boro", "--at", "4", "--why", "quoted")),
    (VOTES, ("kill", "Boro", "--at", "4", "--why", "shot")),
    (VOTES, ("vla", "Fen", "2027-01-02..2027-01-04")),
    (VOTES, ("phase", "open", "day", "2", "--post", "5", "--ends", "2099-01-05T20:00:00+00:00", "--far")),
    (VOTES, ("phase", "lock", "day", "1", "--post", "4")),
    (VOTES, ("new", "kings-court", "--players", "names.txt", "--out", "fresh")),
    (SIGNUPS, ("signup", "read", "posts.jsonl", "--from-jsonl", "--write")),
    (SIGNUPS, ("signup", "decide", "1", "ignore", "--why", "the moderator")),
    (FORUM, ("read", OWN_FORUM)),
    (FORUM, ("phase", "close", "--pause", "2", OWN_FORUM)),
    (KEPT, ("phase", "close", "--stored")),
    (KEPT, ("read", "--again", OWN_FORUM)),
    (KEPT, ("prod", "Ada", "Kestrel")),
    (LATE, ("submit", "Hollis", "VOTE: Iris", "--at", "150 min ago", "--late")),
    (LATE, ("undo", "5", "--why", "a vote was missing", "--yes")),
    (REOPENED, ("commit", "vote", "--yes")),
)
"""Of which folder, and the words: every verb that writes. To a question the answer is `TYPED`."""

SAID = (("Wren", "Day 1 begins."), ("Ada", "<b>Vote: Fen</b>"), ("Boro", "Vote: Ada"), ("Fen", "hello"))
SIGNED = (("Wren", "Who plays?"), ("Ada", "/in"), ("Boro", "/in"), ("Fen", "/in"))
PLAYED = (("Wren", "Day 1 begins."), *((who, "<b>Vote: Fen</b>") for who in ("Ada", "Boro", "Kestrel")))
POSTS = [(100 + n, who, said) for n, (who, said) in enumerate((*PLAYED, *(("Fen", "Oh."),) * 9), start=1)]
"""On the forum: five pages with a hammer on the second."""
PLAYERS = ("Ada", "Boro", "Fen", "Kestrel")
TYPED = "Fen\n"
PATIENCE = 300
"""Seconds for a verb: many kills are tried behind all other work of a machine."""
SILENT = frozenset(
    {("export",), ("post",), ("new",), ("vc",), ("read",), ("prod",), ("phase", "close"), ("signup", "read")}
)
"""Verbs that say something without a new entry, or before it."""
LOOKS = frozenset({"commit"})
"""Verbs that say on standard error what to look at, before they write."""


@dataclass(frozen=True, slots=True)
class Kill:
    """What a kill left: after how many seconds, whether the verb was done, how many entries it wrote."""

    words: tuple[str, ...]
    after: float
    done: bool
    entries: int

    def __str__(self) -> str:
        ended = "was done" if self.done else "was killed"
        return f"{' '.join(self.words[:3]):<40} {ended} after {self.after:.2f} s, {self.entries} entries"


@contextmanager
def forum() -> Iterator[str]:
    """Where the thread of the games lies while they are played."""
    with serving(Forum(POSTS)) as server, patch.dict(os.environ, AT_ONCE):
        yield f"{server.root}viewtopic.php?t=5"


def template(sort: str, home: Path, url: str) -> Path:
    """A folder of that sort, to be copied for each kill; `url` is its thread, where it has one."""
    place = home / sort
    if not place.exists():
        SORTS[sort](place, url)
    return place


def _court(place: Path, _url: str) -> None:
    """With an export of the same game that is ahead of it."""
    court(place)
    run("export", str(place.parent / "early.jsonl"), "--game", str(place))
    ahead = place.parent / "ahead"
    ahead.mkdir()
    run("import", str(place.parent / "early.jsonl"), "--game", str(ahead))
    run("rule", "Who begins?", "Ada", "--why", "alphabet", "--game", str(ahead))
    run("export", str(place / "later.jsonl"), "--game", str(ahead))


def _votes(place: Path, _url: str) -> None:
    _folder(place, PLAYERS, "[[day]]\nnumber = 1\nstart_post = 1\n", SAID)
    (place / "names.txt").write_text("\n".join(NAMES))
    run("fix", "2", "--count", "--why", "clear", "--game", str(place))


def _signups(place: Path, _url: str) -> None:
    _folder(place, (), "", SIGNED)


def _forum(place: Path, url: str) -> None:
    _folder(place, PLAYERS, f'[[day]]\nnumber = 1\nstart_post = 1\n[[thread]]\nurl = "{url}"\n', ())


def _kept(place: Path, url: str) -> None:
    """The same, which was read."""
    _forum(place, url)
    assert run("read", OWN_FORUM, "--game", str(place)).exit_code == 0


def _late(place: Path, _url: str) -> None:
    """A court of which two rounds are closed, two hours ago and one."""
    clock = StillClock(began=datetime.now(UTC) - timedelta(hours=3))
    session = replace(session_of(place), clock=clock)
    begin(NewGameRequest("kings-court", NAMES, place, b"s" * 32, b"t" * 32, "Salt Court"), session)
    for target in ("Boro", "Cinder"):
        for voter in ("Ada", "Elm", "Fen"):
            submit(voter, f"VOTE: {target}", None, session)
        clock.sleep(3600)
        close("vote", None, session)


def _reopened(place: Path, url: str) -> None:
    """The same, the first round opened again under the second."""
    _late(place, url)
    assert run("undo", "5", "--why", "a vote was missing", "--yes", "--game", str(place)).exit_code == 0


SORTS: Mapping[str, Callable[[Path, str], None]] = MappingProxyType(
    {
        COURT: _court,
        VOTES: _votes,
        SIGNUPS: _signups,
        FORUM: _forum,
        KEPT: _kept,
        LATE: _late,
        REOPENED: _reopened,
    }
)


def _folder(place: Path, players: tuple[str, ...], more: str, said: tuple[tuple[str, str], ...]) -> None:
    """A game of votes, with posts as a file."""
    place.mkdir(mode=0o700, parents=True)
    named = "".join(f'[[player]]\nname = "{name}"\n' for name in players)
    head = 'schema = 1\n[game]\ntimezone = "UTC"\nmoderators = ["Wren"]\n'
    (place / "game.toml").write_text(f"{head}{named}{more}")
    posts = [
        json.dumps({"number": n, "id": str(n), "user": user, "content": text})
        for n, (user, text) in enumerate(said, start=1)
    ]
    (place / "posts.jsonl").write_text("\n".join(posts))


def killed(words: tuple[str, ...], template: Path, after: float, place: Path) -> Kill:
    """The verb, killed so many seconds after its start in a copy of the folder. Fails on a loss."""
    shutil.copytree(template, place)
    before = journal(place)
    process = subprocess.Popen(
        [*RUN, *words], cwd=place, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdin.write(TYPED.encode())
    process.stdin.close()
    time.sleep(after)
    process.kill()
    answer, beside = process.stdout.read().decode(), process.stderr.read().decode()
    said = answer if words[0] in LOOKS else answer + beside
    process.wait(PATIENCE)
    kill = Kill(words, after, process.returncode == 0, len(journal(place)) - len(before))
    _whole(place, before, kill, said)
    return kill


def _whole(place: Path, before: Journal, kill: Kill, said: str) -> None:
    after = journal(place)
    assert after[: len(before)] == before, f"{kill}: an entry was lost or changed"
    if said.strip() and not {kill.words[:1], kill.words[:2]} & SILENT:
        assert kill.entries > 0, f"{kill}: it said “{said}”, and nothing was written"
    for file in (
        *place.glob("public/*"),
        *place.glob("private/*"),
        *place.glob("*.jsonl"),
        place / "game.toml",
    ):
        if file.is_file() and not file.name.startswith(".") and file.name != "posts.jsonl":
            assert file.read_bytes().endswith(b"\n"), f"{kill}: {file.name} is torn"
    read_setup(place)
    _kept_what_was_said(place, kill, sum(isinstance(one.entry, Closed) for one in standing(before)))
    assert run("verify", "--game", str(place)).exit_code == 0, kill


def _closings(place: Path) -> int:
    return sum(isinstance(record.entry, Closed) for record in standing(journal(place)))


def _kept_what_was_said(place: Path, kill: Kill, closed: int = 0) -> None:
    """The thread is there as far as it was read; one thing is closed beside the `closed` before the verb ran;
    who was prodded has his letter."""
    read, entries = posts_kept(place), [record.entry for record in standing(journal(place))]
    assert read == POSTS[: len(read)], f"{kill}: {len(read)} posts are kept, and not the first ones"
    assert _closings(place) <= closed + 1, kill
    for entry in entries:
        assert not isinstance(entry, Prodded) or list(place.glob(f"private/*{entry.slot}.txt")), kill
    if kill.done:
        assert kill.words[0] != "read" or len(read) == len(POSTS), kill
        assert kill.words[0] != "phase" or kill.entries == 1, kill


def posts_kept(place: Path) -> list[tuple[int, str, str]]:
    """What a folder's evidence has of the forum's thread, in the forum's own words."""
    url = read_setup(place).url if (place / "game.toml").exists() else None
    if url is None:
        return []
    store = Store.open(place / "game.db")
    try:
        thread = store.thread(url)
    finally:
        store.close()
    return [(int(post.id), post.author, post.body) for post in thread.posts] if thread else []


def again(words: tuple[str, ...], place: Path, fresh: bool = False) -> str:
    """The verb once more: it works (it must, in a `fresh` folder), or tells in a sentence why it
    does not any more. Returns what it said."""
    closed = _closings(place)  # a round of a match that the killed verb closed is followed by the next one
    ended = subprocess.run(
        [*RUN, *words], cwd=place, input=TYPED, capture_output=True, text=True, timeout=PATIENCE
    )
    assert ended.returncode in ((0,) if fresh else (0, 2, 3)), (words, ended)
    assert OURS not in ended.stderr, ended.stderr
    _kept_what_was_said(place, Kill(words, 0, ended.returncode == 0 and fresh, 1), closed)
    drafts = [file.name for file in place.rglob(".*") if file.is_file()]
    assert not drafts, f"{words}: drafts are left over: {drafts}"
    if words[0] == "read":
        assert len(posts_kept(place)) == len(POSTS), words
    if words[:2] == ("phase", "close"):
        assert any(isinstance(record.entry, Closed) for record in journal(place)), words
    return ended.stdout + ended.stderr
