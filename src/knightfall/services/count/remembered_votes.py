"""What the posts of a thread held, known to the next program that counts them.

A running process remembers it by itself; this takes over what another one left in the thread's store, and
leaves there what was read anew. Where the store cannot be written every count reads every post.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import regex

from knightfall.errors import KnightfallError
from knightfall.markup.html import LIBRARY
from knightfall.storage.recounts import BlockRead
from knightfall.votes.count import reader_of
from knightfall.votes.remembered import BLOCK, Block, blocks_of, format_block, parse_block, reader_key

if TYPE_CHECKING:
    from knightfall.models import Thread
    from knightfall.services.session import Session
    from knightfall.votes.config import CountConfig
    from knightfall.votes.count import Habits
    from knightfall.votes.vote_parser import BodyReader

SOURCES = ("votes/**/*.py", "markup/**/*.py", "models.py", "names.py")
"""All of the code that a reader of posts may stand on: the packages whole, so that a file that is added to
them belongs to it."""


PACKAGE = Path(__file__).parents[2]


@contextmanager
def votes_remembered(thread: Thread, habits: Habits, config: CountConfig, session: Session) -> Iterator[None]:
    """Within it the counts of a thread read only what nobody has read before; what they read is kept."""
    url = thread.url
    version = reader_version() if url and len(thread.posts) > BLOCK else ""
    if not url or not version:
        yield
        return
    reader = reader_of(thread, habits, config)
    key = reader_key(reader, version)
    if not reader.size:
        _take_over(blocks_of(thread.posts), reader, url, key, session)
    before = reader.size
    yield
    # A running process that reads a few new posts has nothing to keep, and takes no time to find that out.
    if reader.size - before >= BLOCK and (blocks := blocks_of(thread.posts)):
        read = {block.number: BlockRead(block.digest, format_block(block, reader)) for block in blocks}
        with suppress(KnightfallError), closing(session.store(url)) as store:
            store.keep_votes(url, key, version, read)


def _take_over(blocks: tuple[Block, ...], reader: BodyReader, url: str, key: str, session: Session) -> None:
    with suppress(KnightfallError), closing(session.store(url)) as store:
        kept = store.kept_votes(url, key)
        for block in blocks:
            known = kept.get(block.number)
            if known is not None and known.bodies == block.digest:
                with suppress(ValueError):
                    parse_block(known.found, block, reader)


@cache
def reader_version() -> str:
    """SHA-256 of the code that reads posts and of what it stands on; "" where the code cannot be seen: then
    nobody knows whether it is the same."""
    files = sorted(file for pattern in SOURCES for file in PACKAGE.glob(pattern))
    found = sha256(f"{sys.version} {unicodedata.unidata_version} {LIBRARY} {regex.__version__}".encode())
    try:
        for file in files:
            content = file.read_bytes()
            found.update(f"{file.relative_to(PACKAGE).as_posix()} {len(content)} ".encode())
            found.update(content)
    except OSError:
        return ""
    return found.hexdigest() if files else ""
