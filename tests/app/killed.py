"""A verb that is killed at some moment, with SIGKILL: nothing that was confirmed may be lost.

The journal opens and verifies, begins with all that stood there before, and has grown if the verb had said
anything; the files beside it are whole; the same verb run again ends with a word to the moderator.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from app.diaries import COURT as NAMES
from app.diaries import court, journal, run

RUN = (sys.executable, "-c", "from knightfall.cli import main; main()")
COURT, VOTES = "court", "votes"
OURS = "fault of ours"

VERBS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (COURT, ("submit", "Boro", "VOTE: Ada")),
    (COURT, ("commit", "vote")),
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
    (VOTES, ("phase", "open", "day", "2", "--post", "5", "--ends", "2027-01-05T20:00:00+00:00")),
    (VOTES, ("phase", "lock", "day", "1", "--post", "4")),
    (VOTES, ("new", "kings-court", "--players", "names.txt", "--out", "fresh")),
)
"""Of which folder, and the words: every verb that writes and asks no forum."""

SAID = (("Wren", "Day 1 begins."), ("Ada", "<b>Vote: Fen</b>"), ("Boro", "Vote: Ada"), ("Fen", "hello"))
PLAYERS = ("Ada", "Boro", "Fen", "Kestrel")
SILENT = frozenset({"export", "post", "new", "vc"})
"""Verbs that say something without a new entry, or before it."""


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


def templates(home: Path) -> Mapping[str, Path]:
    """A folder of each sort, to be copied for each kill."""
    first, votes = court(home / COURT), home / VOTES
    run("export", str(home / "early.jsonl"), "--game", str(first))
    ahead = home / "ahead"
    ahead.mkdir()
    run("import", str(home / "early.jsonl"), "--game", str(ahead))
    run("rule", "Who begins?", "Ada", "--why", "alphabet", "--game", str(ahead))
    run("export", str(first / "later.jsonl"), "--game", str(ahead))
    votes.mkdir(mode=0o700)
    _thread(votes)
    run("fix", "2", "--count", "--why", "clear", "--game", str(votes))
    return MappingProxyType({COURT: first, VOTES: votes})


def _thread(folder: Path) -> None:
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in PLAYERS)
    day = "[[day]]\nnumber = 1\nstart_post = 1\n"
    (folder / "game.toml").write_text(
        f'schema = 1\n[game]\ntimezone = "UTC"\nmoderators = ["Wren"]\n{players}{day}'
    )
    posts = [
        json.dumps({"number": n, "id": str(n), "user": user, "content": said})
        for n, (user, said) in enumerate(SAID, start=1)
    ]
    (folder / "posts.jsonl").write_text("\n".join(posts))
    (folder / "names.txt").write_text("\n".join(NAMES))


def killed(words: tuple[str, ...], template: Path, after: float, place: Path) -> Kill:
    """The verb, killed so many seconds after its start in a copy of the folder. Fails on a loss."""
    shutil.copytree(template, place)
    before = journal(place)
    process = subprocess.Popen(
        [*RUN, *words], cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    time.sleep(after)
    process.kill()
    said = process.communicate(timeout=60)[0].decode()
    kill = Kill(words, after, process.returncode == 0, len(journal(place)) - len(before))
    _whole(place, before, kill, said)
    return kill


def _whole(place: Path, before: tuple[object, ...], kill: Kill, said: str) -> None:
    after = journal(place)
    assert after[: len(before)] == before, f"{kill}: an entry was lost or changed"
    if kill.words[0] not in SILENT and said.strip():
        assert kill.entries > 0, f"{kill}: it said “{said}”, and nothing was written"
    for file in (*place.glob("public/*"), *place.glob("private/*"), *place.glob("*.jsonl")):
        if not file.name.startswith(".") and file.name != "posts.jsonl":
            assert file.read_bytes().endswith(b"\n"), f"{kill}: {file.name} is torn"
    assert run("verify", "--game", str(place)).exit_code == 0, kill


def again(words: tuple[str, ...], place: Path, fresh: bool = False) -> str:
    """The verb once more: it works (it must, in a `fresh` folder), or tells in a sentence why it
    does not any more. Returns what it said."""
    ended = subprocess.run(
        [*RUN, *words], cwd=place, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode in ((0,) if fresh else (0, 2, 3)), (words, ended)
    assert OURS not in ended.stderr, ended.stderr
    return ended.stdout + ended.stderr
