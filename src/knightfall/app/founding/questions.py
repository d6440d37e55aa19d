"""What has a moderator to be asked about a new game, and what does he answer?

A blank answer takes what is offered. An answer that cannot stand is told why and asked for again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from knightfall.app.founding.choices import chosen_values
from knightfall.app.founding.game_names import game_named
from knightfall.app.founding.new import Beginning, folder_of, said_threads
from knightfall.core.game import Option
from knightfall.errors import InputError
from knightfall.markup.dialects import dialect, dialect_names
from knightfall.setups.houses import VOTES, house_of

T = TypeVar("T")
Ask: TypeAlias = Callable[[str, str], str]
"""A question and what is offered → what was answered."""
Tell: TypeAlias = Callable[[str], None]


def answered(asked: Beginning, kind: str, named: bool, ask: Ask, tell: Tell) -> Beginning:
    """The beginning with the moderator's answers; `kind` is the game's id, `named` whether its folder was
    said already."""
    title = ask("Title of the game", asked.title or "Untitled game")
    site = _until(ask, tell, f"How your site is written: {_dialects()}", asked.site or "plain", _site)
    zone = _until(ask, tell, "Time zone of your deadlines, such as Europe/Lisbon", asked.timezone, _zone)
    moderators = _names(ask("Your account on the site, and your co-moderators'", ""))
    threads = _until(ask, tell, "Threads as ROLE=URL, with roles game, signup …", "", _threads)
    players = _names(ask("Players, with commas; nobody yet: they sign up", ""))
    told = replace(asked, title=title, site=site, timezone=zone, moderators=moderators)
    options = {} if kind == VOTES else _options(kind, ask, tell)
    folder = asked.folder if named else folder_of(title)
    return replace(told, threads=threads, players=players, options=options, folder=folder)


def _options(kind: str, ask: Ask, tell: Tell) -> dict[str, object]:
    """What is worth asking; only what differs from the default is written down."""
    spec = game_named(kind).spec
    asked = [option for option in spec.options if option.name in house_of(kind, {}).asked]
    said = {
        one.name: _until(ask, tell, _question(one), one.default, _choice(spec.name, one)) for one in asked
    }
    return {one.name: said[one.name] for one in asked if said[one.name] != one.default}


def _question(option: Option) -> str:
    few = len(option.values) <= 4 and not option.pattern
    return f"{option.question} ({', '.join(option.values)})" if few else option.question


def _choice(game: str, option: Option) -> Callable[[str], str]:
    return lambda said: chosen_values(game, (option,), {option.name: said})[option.name]


def _until(ask: Ask, tell: Tell, question: str, offered: str, taken: Callable[[str], T]) -> T:
    """Asks until the answer can stand."""
    while True:
        try:
            return taken(ask(question, offered).strip())
        except InputError as fault:
            tell(str(fault))


def _dialects() -> str:
    return ", ".join(dialect_names())


def _site(said: str) -> str:
    return dialect(said).name


def _zone(said: str) -> str:
    try:
        return ZoneInfo(said).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"“{said}” is no time zone; expected an IANA name such as Europe/Lisbon.") from None


def _threads(said: str) -> tuple[tuple[str, str], ...]:
    return said_threads(_names(said.replace(" ", ",")))


def _names(said: str) -> tuple[str, ...]:
    return tuple(name for one in said.split(",") if (name := one.strip()))
