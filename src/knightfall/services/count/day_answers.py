"""What the moderator answered about the days of a thread without a game file, and what counts know of it.

An answer is kept with the thread, so that each is asked for once, by every verb that counts.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from knightfall.errors import InputError
from knightfall.models import Thread
from knightfall.sentence import Way, sentence
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session
from knightfall.services.threads import parse_post_number
from knightfall.votes.config import CountConfig, DayAnswer

if TYPE_CHECKING:
    from knightfall.config.setup import Setup


def config_of(setup: Setup | None, thread: Thread, session: Session) -> CountConfig:
    """What the counts of a thread know: the game file, else what was answered about the thread."""
    return setup or CountConfig(answers=answers_of(thread, session))


def answers_of(thread: Thread, session: Session) -> tuple[DayAnswer, ...]:
    """What was answered about the days of a thread, in their order."""
    if thread.url is None or session.game is not None:
        return ()
    store = session.store(thread.url)
    try:
        kept = store.answers(thread.url)
    finally:
        store.close()
    told = ((day, json.loads(words)) for day, words in sorted(kept.items()))
    return tuple(DayAnswer(day, said["opened"], tuple(said["alive"])) for day, said in told)


def keep_answer(request: CountRequest, setup: Setup | None, thread: Thread, session: Session) -> None:
    """Keep what the request answers about a day of the thread. Raises InputError where a game file is to say
    it, or nothing can be kept."""
    if request.opened is None and request.alive is None:
        return
    fields = {name: Way("field", name=name) for name in ("opened", "alive")}
    if setup is not None:
        raise InputError(
            sentence(
                "{opened} and {alive} are for threads without a game file. Here write it into {source}.",
                source=setup.source,
                **fields,
            )
        )
    if thread.url is None:
        raise InputError(
            sentence("{opened} and {alive} are kept with a thread that was read from its address.", **fields)
        )
    if request.day is None:
        raise InputError(
            sentence(
                "Say which day {opened} and {alive} are about: {day}",
                day=Way("field", name="day", value="N"),
                **fields,
            )
        )
    alive = [name for part in (request.alive or "").split(",") if (name := part.strip().removeprefix("@"))]
    opened = parse_post_number(request.opened) if request.opened else None
    store = session.store(thread.url)
    try:
        store.keep_answer(
            thread.url, request.day, json.dumps({"opened": opened, "alive": alive}), session.clock.now()
        )
    finally:
        store.close()
