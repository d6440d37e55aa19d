"""What the server says on the terminal: nobody waits for it, and it is never without end."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from logging.handlers import QueueHandler, QueueListener
from queue import Full, Queue

WAITING = 200
"""So many lines wait for a terminal that takes none; the rest is lost."""
A_MINUTE = 20
"""So many lines are said in a minute; then how many more there were."""
LOGGERS = ("knightfall.web", "uvicorn.error")


class NeverWaiting(QueueHandler):
    """Hands on what is said, and drops it where nobody takes it."""

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            self.queue.put_nowait(record)
        except Full:
            return


class SoMany(logging.Filter):
    """Lets `A_MINUTE` lines through in a minute, and says in the first of the next one how many it kept
    back. `elapsed`: seconds of a clock that never jumps."""

    def __init__(self, elapsed: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._elapsed = elapsed
        self._began, self._said, self._kept_back = elapsed(), 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        now = self._elapsed()
        if now - self._began >= 60:
            if self._kept_back:
                record.msg = f"{record.getMessage()} ({self._kept_back} more lines were not shown.)"
                record.args = ()
            self._began, self._said, self._kept_back = now, 0, 0
        if self._said >= A_MINUTE:
            self._kept_back += 1
            return False
        self._said += 1
        return True


def say_without_waiting() -> QueueListener:
    """Say what the server logs on standard error from now on; the listener ends it."""
    lines: Queue[logging.LogRecord] = Queue(WAITING)
    handler = NeverWaiting(lines)
    handler.addFilter(SoMany())
    for name in LOGGERS:
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(logging.WARNING)
        logger.propagate = False
    listener = QueueListener(lines, logging.StreamHandler())
    listener.start()
    return listener
