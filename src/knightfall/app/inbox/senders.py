"""Whose message is it? Accounts and typed names, to slots; two who fit are never guessed between."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from shlex import quote

from knightfall.app.play.table import Table
from knightfall.app.play.turns import names_of
from knightfall.core.commands import Ambiguous, NameMatch, Unknown, match_name
from knightfall.core.game import SlotId
from knightfall.setups.setup import Setup


@dataclass(frozen=True, slots=True)
class Senders:
    """The slots of a game, all other names that lead to them, and who moderates (in lower case)."""

    slots: tuple[SlotId, ...]
    aliases: Mapping[str, SlotId] = field(default_factory=dict)
    moderators: frozenset[str] = frozenset()

    def account(self, name: str) -> NameMatch:
        """Who posts under this name: a beginning of somebody's name is another account."""
        found = match_name(name, self.slots, self.aliases)
        known = (*self.slots, *self.aliases)
        exact = any(name.strip().casefold() == one.casefold() for one in known)
        return found if exact or not isinstance(found, str) else Unknown(name)

    def typed(self, name: str) -> NameMatch:
        """Who is meant by a name that somebody typed."""
        return match_name(name, self.slots, self.aliases)

    def moderates(self, name: str) -> bool:
        """Whether the account is a moderator's."""
        return name.strip().casefold() in self.moderators


def senders_of(table: Table, setup: Setup) -> Senders:
    """By the journal, and by the aliases and holders of the game file."""
    slots, aliases = names_of(table)
    filed = dict(_filed(setup, slots, aliases))
    moderators = frozenset(name.casefold() for name in setup.moderators)
    return Senders(slots, {**filed, **aliases}, moderators)


def _filed(
    setup: Setup, slots: tuple[SlotId, ...], aliases: Mapping[str, SlotId]
) -> Iterator[tuple[str, SlotId]]:
    for one in setup.roster.slots if setup.roster else ():
        slot = next((SlotId(name) for name in one.names if name in slots), None)
        slot = slot or next((aliases[name] for name in one.names if name in aliases), None)
        if slot is not None:
            yield from ((name, slot) for name in (*one.names, *one.aliases) if name not in slots)
    for name, alias in setup.aliases:
        if name in slots:
            yield alias, SlotId(name)


def asked(match: Ambiguous | Unknown, where: str) -> str:
    """The question to the moderator: who is that, and what can he do?"""
    if isinstance(match, Ambiguous):
        return (
            f"{where}: “{match.written}” can be {' or '.join(match.slots)}. I don't guess: "
            f"knightfall submit NAME TEXT, or knightfall alias NAME {quote(match.written)} --why WHY, and "
            "again."
        )
    return (
        f"{where}: “{match.written}” plays nobody here. If it is a player: knightfall alias NAME "
        f"{quote(match.written)} --why WHY, and again; if a moderator: moderators in game.toml."
    )
