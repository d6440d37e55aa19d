"""What counts know beside a thread: the game file, else what was answered about its days; earlier nicknames.

An answer about a thread without a game file is kept with it, so that each is asked for once, by every verb
that counts.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from knightfall.errors import InputError, KnightfallError
from knightfall.models import Thread
from knightfall.sentence import Way, sentence
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session, journal_of
from knightfall.services.threads import parse_post_number
from knightfall.votes.config import CountConfig, DayAnswer

if TYPE_CHECKING:
    from knightfall.config.setup import Setup
    from knightfall.votes.nickname_book import Teaching


def config_of(setup: Setup | None, thread: Thread, session: Session) -> CountConfig:
    """What the counts of a thread know: the game file, else what was answered about the thread; and what
    answers in other games on its site taught."""
    known = setup or CountConfig(answers=answers_of(thread, session))
    return replace(known, nicknames=earlier_nicknames(thread.url, session))


def site_named(address: str) -> str:
    """The site of an address, or of a host's name, as the book has it: “forum.example”; "" for none."""
    named = address.strip()
    try:
        host = urlsplit(named if "//" in named else f"//{named}").hostname
    except ValueError:
        host = None
    return (host or "").removeprefix("www.")


def earlier_nicknames(url: str | None, session: Session) -> tuple[Teaching, ...]:
    """What answers in other games on the site of a thread taught; nothing for saved pages, and as of a moment
    of before. A book that cannot be read is told of once."""
    site = site_named(url or "")
    if not site or session.nicknames is None or session.past:
        return ()
    book = session.nicknames()
    try:
        known = [one for one in book.teachings() if one.site == site]
    except KnightfallError as error:
        if not book.told:
            book.told = True
            session.seen.tell(error.message)
        return ()
    own = {record.at for record in journal_of(session)} if known else set()
    return tuple(one for one in known if one.at not in own)


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
