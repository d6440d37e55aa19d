"""The questions that a moderator of Knight-Errant may answer otherwise, and the rules they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from knightfall.engine.game import Option, choose, defaults
from knightfall.games.knight_errant.abilities import Ability
from knightfall.games.knight_errant.roles import ARMED, ON_EVEN_NIGHTS, ROLES, SERIAL_KILLER
from knightfall.mafia.roles import Role, wording

SETUP = "setup"
DRAWN = "drawn"


def _option(number: int, question: str, *values: str, name: str = "") -> Option:
    return Option(name or f"ke_r{number}", values, f"KE-R{number}", question)


OPTIONS: tuple[Option, ...] = (
    _option(2, "Jails on jailers and roleblocks on roleblockers", "simultaneous", "chain"),
    _option(5, "A roleblock out of a jail", "fails", "works"),
    _option(
        6, "A commute also stops one's own other actions", "false", "true", name="commute_stops_own_actions"
    ),
    _option(7, "A jailer's own actions on their prisoner", "exempt", "cancelled"),
    _option(11, "Heal and vest on one player: which is used first", "heal_first", "vest_first"),
    _option(13, "The Serial Killer's vest", "passive", "activated"),
    _option(16, "Checks, tracks and watches of a player who dies that night", "happen", "lost"),
    _option(17, "Actions of the last living mafioso", "one_each", "last_may_do_both"),
    _option(18, "Mafia kills on teammates", "allowed", "forbidden"),
    _option(19, "Extras the Serial Killer may use in one night", "one_extra", "two_actions", "unlimited"),
    _option(22, "Nights of the Serial Killer's watch", "any_night", "even_nights"),
    _option(24, "A shot whose action was blocked", "spent", "refunded"),
    _option(25, "The Town Cop's investigations", "once", "unlimited"),
    _option(28, "Failed action on a commuter or prisoner", "no_visit", "visit"),
    _option(31, "The watcher in their own list", "excluded", "listed"),
    _option(34, "The gunsmith's list", "mechanics", "godfather_true", "serial_killer_false"),
    _option(35, "What the Serial Killer's immunity covers", "night", "one_check"),
    _option(36, "The Town Cop on themselves", "others_only", "allowed"),
    _option(37, "The mafia wins at", "parity", "majority"),
    _option(38, "The Serial Killer wins", "last_alive", "one_on_one", "one_on_one_on_one"),
    _option(39, "A position nobody can win", "warn", "draw", "ignore"),
    _option(43, "What a mafioso learns of their partners", "names_and_roles", "names"),
)
WORDING = wording("KE-R41")
_CHOICES = (*OPTIONS, WORDING)
_DEFAULTS = defaults(_CHOICES).values


@dataclass(frozen=True, slots=True)
class Rules:
    """The chosen values by name, what resolving asks of them, and the cards as they then are."""

    chosen: Mapping[str, str] = field(default_factory=lambda: dict(_DEFAULTS))
    roles: Mapping[str, Role] = field(default_factory=lambda: ROLES)
    house: frozenset[str] = frozenset()
    """Names of the options that differ from the default: empty in most games, and quick to ask."""

    def __getitem__(self, name: str) -> str:
        return self.chosen[name]


DEFAULT_RULES = Rules()


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a game file, `setup` left aside. Raises InputError with the choices."""
    said = {name: value for name, value in given.items() if name != SETUP}
    chosen = choose("Knight-Errant", _CHOICES, said)
    return Rules(chosen.values, _cards(chosen.values), chosen.house) if chosen.house else DEFAULT_RULES


def _cards(chosen: Mapping[str, str]) -> Mapping[str, Role]:
    """The cards that an option rewrites: Cop (KE-R25), Serial Killer (KE-R13, R22, R34)."""
    cards = dict(ROLES)
    if chosen["ke_r25"] == "unlimited":
        cards["Town Cop"] = replace(ROLES["Town Cop"], abilities={Ability.COP: None})
    killer = SERIAL_KILLER
    if chosen["ke_r13"] == "activated":
        killer = replace(killer, abilities={**killer.abilities, Ability.BULLETPROOF: 0})
    if chosen["ke_r22"] == "even_nights":
        killer = replace(killer, modifiers=ON_EVEN_NIGHTS)
    if chosen["ke_r34"] == "serial_killer_false":
        killer = replace(killer, traits=killer.traits - {ARMED})
    return cards | {killer.name: killer}
