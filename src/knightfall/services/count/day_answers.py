"""What counts know beside a thread: the game file, else what was answered about it; earlier nicknames.

An answer about a thread without a game file is kept with it, so that each is asked for once, by every verb
that counts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from knightfall.errors import InputError, KnightfallError
from knightfall.models import Thread
from knightfall.parameters import Parameter
from knightfall.sentence import Way, joined, sentence
from knightfall.services.requests import CountRequest
from knightfall.services.session import Session, journal_of
from knightfall.services.threads import parse_post_number
from knightfall.votes.config import Answers as Answers  # the page keeps them
from knightfall.votes.config import CountConfig, DayAnswer
from knightfall.votes.house import check_answers

if TYPE_CHECKING:
    from knightfall.config.setup import Setup
    from knightfall.votes.nickname_book import Teaching


OF_THE_HOUSE = 0
"""The day under which answers about the house are kept: there is none of that number."""


def config_of(setup: Setup | None, thread: Thread, session: Session) -> CountConfig:
    """What the counts of a thread know: the game file, else what was answered about the thread; and what
    answers in other games on its site taught."""
    known: CountConfig | None = setup
    if known is None:
        answers = answers_of(thread, session)
        known = CountConfig(
            moderators=answers.moderators,
            answers=answers.days,
            house=answers.house,
            replaced=answers.replaced,
        )
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


_NEEDED = Parameter("needed", "How many votes eliminate.", int, least=1)
# “@Ada”, “+@Ada”
_AT = re.compile(r"^([+-]?)@")


def answers_of(thread: Thread, session: Session) -> Answers:
    """What was answered about a thread: kept with it, and in this session."""
    here = session.answers
    if thread.url is None or session.game is not None:
        return here
    with closing(session.store(thread.url)) as store:
        kept = {day: json.loads(words) for day, words in sorted(store.answers(thread.url).items())}
    house = kept.pop(OF_THE_HOUSE, {"house": ()})["house"]
    days = (DayAnswer(day, said["opened"], tuple(said["alive"])) for day, said in kept.items())
    return Answers(tuple(days), tuple(house)).then(here)


def earlier_house(thread: Thread, session: Session) -> tuple[str, ...]:
    """What was answered last about the house of another thread on the site of this one, where nothing was
    about this one; nothing for saved pages."""
    if thread.url is None or session.game is not None or answers_of(thread, session).house:
        return ()
    site = _site_address(thread.url)
    with closing(session.store(site)) as store:
        kept = store.answers(site).get(OF_THE_HOUSE)
    return () if kept is None else tuple(json.loads(kept)["house"])


def _site_address(url: str) -> str:
    """Under which the answers about the houses of a site are kept."""
    return f"https://{site_named(url)}/"


def answers_in(request: CountRequest) -> Answers:
    """What a request answers. Raises InputError for a word that is none, and where no day is named."""
    opened = parse_post_number(request.opened) if request.opened else None
    parts = (request.alive or "").split(",") if request.alive is not None else ()
    alive = None if request.alive is None else tuple(part.strip() for part in parts)
    return answers_of_day(request.day, opened, alive).then(Answers(house=check_answers(request.house)))


def answers_of_day(
    day: int | None, opened: int | None, alive: Iterable[str] | None, needed: int | None = None
) -> Answers:
    """What is answered about a day: the post that opened it, who was alive then, how many votes eliminate.
    Raises InputError where something is and no day is named."""
    said = {"opened": opened, "alive": alive, "needed": needed}
    fields = [Way("field", name=name) for name, value in said.items() if value is not None]
    if not fields:
        return Answers()
    if day is None:
        raise InputError(
            sentence(
                "Say which day {fields} {verb} about: {day}",
                fields=joined(" and ", fields),
                verb="are" if len(fields) > 1 else "is",
                day=Way("field", name="day", value="N"),
            )
        )
    _NEEDED.refuse_outside(needed)
    names = (_AT.sub(r"\1", name) for name in alive or ())
    return Answers((DayAnswer(day, opened, tuple(name for name in names if name.strip("+-")), needed),))


def answers_with(request: CountRequest, session: Session) -> Answers:
    """What is answered in a session, and in a request. Raises as `answers_in`."""
    return session.answers.then(answers_in(request))


def with_answers(answers: Answers, setup: Setup | None, thread: Thread, session: Session) -> Session:
    """The session in which a thread is counted by these answers, too; nothing of them is kept.

    Raises InputError where a game file is to say it, and for a post that is not in the thread.
    """
    if setup is not None and answers != Answers():
        days = answers.days
        said = {
            "moderators": bool(answers.moderators),
            "opened": any(one.opened is not None for one in days),
            "alive": any(one.alive for one in days),
            "needed": any(one.needed for one in days),
            "replaced": bool(answers.replaced),
            "house": bool(answers.house),
        }
        fields = [Way("field", name=name) for name, given in said.items() if given]
        raise InputError(
            sentence(
                "{fields} {verb} for threads without a game file. Here write it into {source}.",
                fields=joined(" and ", fields),
                verb="are" if len(fields) > 1 else "is",
                source=setup.source,
            )
        )
    for one in answers.days:
        numbers = [post.number for post in thread.posts]
        if one.opened is not None and numbers and one.opened not in numbers:
            raise InputError(
                sentence(
                    "{opened}: post {post} is not in this thread, which goes from {first} to {last}.",
                    opened=Way("field", name="opened"),
                    post=one.opened,
                    first=numbers[0],
                    last=numbers[-1],
                )
            )
    return replace(session, answers=session.answers.then(answers))


def answering(request: CountRequest, setup: Setup | None, thread: Thread, session: Session) -> Session:
    """The session in which a thread is counted by what the request answers, too; where the thread has an
    address that is kept with it. Raises InputError as `with_answers`."""
    given = answers_in(request)
    here = with_answers(given, setup, thread, session)
    if thread.url is None or given == Answers():
        return here
    known, now = answers_of(thread, session).then(given), session.clock.now()
    about = {one.day for one in given.days}
    with closing(session.store(thread.url)) as store:
        for one in (one for one in known.days if one.day in about):
            words = json.dumps({"opened": one.opened, "alive": one.alive})
            store.keep_answer(thread.url, one.day, words, now)
        if given.house:
            store.keep_answer(thread.url, OF_THE_HOUSE, json.dumps({"house": known.house}), now)
    if given.house:
        site = _site_address(thread.url)
        with closing(session.store(site)) as store:
            store.keep_answer(site, OF_THE_HOUSE, json.dumps({"house": known.house}), now)
    return session


NOT_KEPT = "What you answered holds for this count alone: posts from a file have no address to keep it with."
"""Said where an answer is not kept."""
