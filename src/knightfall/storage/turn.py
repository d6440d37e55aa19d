"""One writer of a game at a time: a lock on a file beside its database.

It is held from the first look at the journal to the last text that is written, so that nobody writes in
between. The system takes it from a program that ends, however it ends. Who only reads never asks for it.
"""

from __future__ import annotations

import errno
import json
import os
import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from types import TracebackType

from knightfall.errors import InputError
from knightfall.storage.drafts import sweep

PATIENCE = 5.0
"""Seconds for which a writer waits for one and the same writer before it."""
QUEUE = 6
"""So many times as long it waits where one writer follows the other."""
STEP = 0.01, 0.03
"""Seconds between two tries, at random, so that several who wait come in turn."""
ENDING = "-turn"
"""Behind the name of the database."""
TAKEN = frozenset({errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK})
"""What the systems say of a lock that somebody else has."""

if sys.platform == "win32":
    import msvcrt

    _FAR = 1 << 30
    """The byte that is locked. Nobody can read a locked one, and who holds the turn stands at the start."""

    def _lock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

    def _unlock(handle: int) -> None:
        os.lseek(handle, _FAR, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


@dataclass(slots=True)
class Turn:
    """The turn of one writer: `with turn:` waits for it. Raises InputError where one other program keeps it
    for `patience` seconds. It can be taken again by who has it.

    `database` is that of the game. `author` and `doing`, such as the command that runs, are told to those who
    wait in vain, and `where` it is written.
    """

    database: Path
    author: str
    doing: str = "knightfall"
    patience: float = field(default_factory=lambda: PATIENCE)
    where: str = "in this game"
    _thread: RLock = field(default_factory=RLock, repr=False)
    _depth: int = 0
    _handle: int | None = None

    def __enter__(self) -> Turn:
        if not self._thread.acquire(timeout=self.patience):
            raise self._refusal()
        try:
            if not self._depth:
                self._handle = self._taken()
                # Whoever writes next clears up after those who were killed, even if no text comes of it.
                sweep(self.database.parent)
            self._depth += 1
        except BaseException:
            self._thread.release()
            raise
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if not self._depth and self._handle is not None:
            handle, self._handle = self._handle, None
            with suppress(OSError):
                _unlock(handle)
            os.close(handle)
        self._thread.release()

    @property
    def file(self) -> Path:
        """The file that is locked. It stays: a lock on a file that was removed keeps nobody out."""
        return self.database.with_name(f"{self.database.name}{ENDING}")

    def _taken(self) -> int | None:
        """The handle of the locked file. None where there can be no lock: there is no folder yet, it is
        read-only, or its file system knows none; then the journal refuses who was overtaken."""
        try:
            handle = os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError:
            return None
        try:
            if not self._waited(handle):
                os.close(handle)
                return None
        except BaseException:
            os.close(handle)
            raise

        # Who holds it, for those who wait.
        said = {"author": self.author, "doing": self.doing, "process": os.getpid(), "since": time.time()}
        with suppress(OSError):
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, f"{json.dumps(said)}\n".encode())
        return handle

    def _waited(self, handle: int) -> bool:
        """Lock the file as soon as nobody else does; False where the file system knows no locks."""
        before, began = b"", time.monotonic()
        last = began + QUEUE * self.patience
        until = began + self.patience
        while True:
            try:
                _lock(handle)
            except OSError as error:
                if error.errno not in TAKEN:
                    return False
            else:
                return True
            now = time.monotonic()
            if (holder := self._holder()) != before:  # the turn went on to somebody else
                before, until = holder, min(last, now + self.patience)
            if now >= until:
                raise self._refusal()
            time.sleep(random.uniform(*STEP))

    def _holder(self) -> bytes:
        """What the file says of who holds it."""
        try:
            return self.file.read_bytes()
        except OSError:
            return b""

    def _refusal(self) -> InputError:
        who, since, which = "Another program", "", "the other program"
        with suppress(ValueError, KeyError, TypeError):
            held = json.loads(self._holder())
            who = f"{held['author']} ({held['doing']}, process {int(held['process'])})"
            since = f" for {max(0.0, time.time() - float(held['since'])):.0f} s"
            which = f"process {int(held['process'])}"
        return InputError(
            f"{who} has been writing {self.where}{since}. Nothing was written. Try again when that is done; "
            f"if it hangs, end {which} first."
        )
