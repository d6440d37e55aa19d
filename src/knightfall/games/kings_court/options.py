"""Which questions may a moderator of King's Court answer otherwise, and what did this one choose?

The balances of the season come in with the options: `garnets`, one number for all or a mapping of names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knightfall.core.game import Option, SlotId
from knightfall.core.options import Chosen, choose, defaults
from knightfall.errors import InputError

GARNETS = "garnets"
_HOURS = r"[1-9]|[1-6]\d|7[0-2]"

OPTIONS: tuple[Option, ...] = (
    Option("kc_02", ("24",), "KC-02", "Hours a vote is open, 1 to 72", _HOURS),
    Option("public_ballots", ("reject", "accept"), "KC-04", "A vote posted in public"),
    Option("missing_votes", ("count", "names"), "KC-06", "What the posts say of missing votes"),
    Option("garnet_floor", ("0", "none"), "KC-06", "A fine for who has no garnets: where balances stop"),
    Option("zero_votes", ("king_decides", "revote", "no_election"), "KC-09", "Nobody voted"),
    Option("kc_10", ("random", "longest_listed", "revote"), "KC-10", "The King is silent on a tie"),
    Option("tie_publish", ("fixed", "at_once"), "KC-11", "When the result of a tie is shown"),
    Option("check_delivery", ("next_deadline", "immediate"), "KC-14", "When a pair check is answered"),
    Option(
        "annoyed_scope", ("no", "looks", "peeks", "lists"), "KC-16", "The annoyed lie outside pair checks"
    ),
    Option("king_in_pair", ("different", "random", "no_result", "refuse"), "KC-17", "The King in a pair"),
    Option("hint_lists", ("per_player", "shared", "king_excluded"), "KC-19", "Whose the three names are"),
    Option("kc_26", ("at_once", "at_deadline"), "KC-26", "When purchases are answered"),
    Option("king_cover", ("sticky", "per_peeker", "per_peek"), "KC-27", "Cover role of a peeked King"),
    Option("kc_30", ("random", "lost"), "KC-30", "The King does not give his tokens"),
    Option("opal_solo_win", ("false", "true"), "KC-31", "An Opal for the King's solo win"),
    Option("tol_holders_can_be_ec", ("false", "true"), "KC-33", "Who got a token from the King as EC"),
    Option("ec_majority", ("team", "ballots", "plurality"), "KC-34", "A majority of the winners"),
    Option("kc_35", ("seeded", "external"), "KC-35", "The deadlock coin"),
    Option("kc_38", ("counter_only", "season_effect"), "KC-38", "What an MoE does"),
    Option("kc_39", ("stays_electable", "role_revealed"), "KC-39", "A player removed by the moderator"),
)
DEFAULTS = defaults(OPTIONS)


def parse_options(given: Mapping[str, object]) -> Chosen:
    """Read the options of a game file, balances left aside. Raises InputError with the choices."""
    said = {name: value for name, value in given.items() if name != GARNETS}
    return choose("King's Court", OPTIONS, said) if said else DEFAULTS


def parse_garnets(given: Mapping[str, object], slots: Sequence[SlotId]) -> dict[SlotId, int]:
    """KC-01: balances come from the season, 0 where it says nothing. Raises InputError for what is none."""
    value = given.get(GARNETS, 0)
    said = value if isinstance(value, Mapping) else dict.fromkeys(slots, value)
    if strangers := sorted(str(name) for name in said if name not in slots):
        raise InputError(f"garnets: nobody here is called {', '.join(strangers)}.")
    return {slot: _balance(slot, said.get(slot, 0)) for slot in slots}


def _balance(slot: SlotId, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"garnets of {slot} = {value!r}: expected a whole number, 0 or more.")
    return value
