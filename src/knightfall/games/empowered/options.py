"""Which questions may a moderator of Empowered Mafia answer otherwise, and what did this one choose?"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.core.game import Option
from knightfall.core.options import Chosen, choose, defaults


def _option(number: int, question: str, *values: str, name: str = "") -> Option:
    return Option(name or f"em_r{number}", values, f"EM-R{number}", question)


OPTIONS: tuple[Option, ...] = (
    _option(1, "Powers of mafiosi need to be empowered", "never", "always"),
    _option(2, "Murder and one's own ability in the same night", "both", "one_action"),
    _option(3, "An Amplifier powered by an Amplifier", "closure", "snapshot"),
    _option(4, "Choosing oneself as a target", "forbidden", "allowed"),
    _option(5, "An unpowered choice counts as targeting", "counts", "does_not_count"),
    _option(10, "An incarcerated Strongman's Murder", "lands", "cancelled"),
    _option(12, "An unpowered use of Adaptability that was stopped", "kept", "consumed"),
    _option(14, "A Ninja's invisible action on a Serial Bomber", "detonates", "unseen"),
    _option(15, "What one Protection stops in a night", "all_kills", "one_kill"),
    _option(17, "A Bomb killed by several players attacks", "all", "one_drawn"),
    _option(20, "Results of an investigator who died that night", "delivered", "withheld"),
    _option(21, "An investigator without power or in jail is told", "nothing", "no_result"),
    _option(22, "The watcher in his own list", "excluded", "listed"),
    _option(23, "A second Murder in one night", "latest", "first"),
    _option(24, "Nobody left alive", "mafia", "draw"),
    _option(25, "One townsman left and no mafioso", "town", "nobody"),
    _option(26, "A tied vote hurts the town", "anti_town", "uniform"),
    _option(27, "A phase may end early", "unanimous", "never"),
    _option(28, "A missing vote", "reported", "no_elimination"),
    _option(31, "Hours of a day and of a night", "72_24", "48_24", name="phases"),
    _option(33, "Even rings of incarcerations", "all_fail", "all_hold", "first_sent", name="ring"),
)

Rules = Chosen
DEFAULT_RULES: Rules = defaults(OPTIONS)


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a game file. Raises InputError with the choices."""
    return choose("Empowered Mafia", OPTIONS, given)
