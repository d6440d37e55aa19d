"""The line with the head of the log under the posts of a begun game."""

from __future__ import annotations

from contextlib import closing

from knightfall.engine.heads import head_of
from knightfall.services.now import now_of, seed_of
from knightfall.services.session import GAME_FILE, Session
from knightfall.writeups.log_line import with_line


def log_line(session: Session) -> str:
    """What ends a post that is drafted now, such as “Log 6: 7ece8c41aabbccdd-0bd4a9127c1e”; "" where no game
    was begun, and where its file says `log_line = false`."""
    if session.game is None or session.ledger is None:
        return ""
    now = now_of(session)
    # A folder without a game file, as a program may make one, posts nothing that anybody reads.
    if not now.begun or not (session.folder / GAME_FILE).exists() or not now.file.log_line:
        return ""
    with closing(session.store("")) as store:
        evidence = store.last_link()
    return head_of(now.journal, evidence, seed_of(session.folder)).line


def lined(text: str, dialect: str, session: Session) -> str:
    """A post for everybody that is ready in a dialect, with that line under it."""
    return with_line(text, log_line(session), dialect)
