"""The roles and modifiers that a Normal game may have, as data.

Source: the wiki of MafiaScum, “Regular Normal”, as it was after the update of October 2023
(https://wiki.mafiascum.net/index.php?title=Regular_Normal). Names are compared without blanks and hyphens.
"""

from __future__ import annotations

SOURCE = "MafiaScum's list for Regular Normal games (October 2023)"

_ACTIVE = (
    "Alien",
    "Babysitter",
    "Bodyguard",
    "Commuter",
    "Cop",
    "Detective",
    "Doctor",
    "Fruit Vendor",
    "Gunsmith",
    "Hider",
    "Jack-of-all-Trades",
    "Jailkeeper",
    "Messenger",
    "Motion Detector",
    "Neapolitan",
    "Neighborizer",
    "PT Cop",
    "Reporter",
    "Role Cop",
    "Role Watcher",
    "Roleblocker",
    "Rolestopper",
    "Shield",
    "Tracker",
    "Traffic Analyst",
    "Vanilla Cop",
    "Watcher",
)
_PASSIVE = ("Ascetic", "Bulletproof", "Macho", "Neighbor", "Universal Backup")
_TOWN_ACTIVE = ("Friendly Neighbor", "Vigilante")
_TOWN_PASSIVE = ("Innocent Child", "Mason")
_MAFIA_ACTIVE = ("Juggernaut",)
_MAFIA_PASSIVE = ("Ninja",)
_BARE = ("Vanilla Townie", "Goon")
_MODIFIERS = (
    "Activated",
    "Disloyal",
    "Even-Night",
    "Indecisive",
    "Lazy",
    "Loyal",
    "Night-X",
    "Non-Consecutive",
    "Novice",
    "Odd-Night",
    "Personal",
    "Weak",
    "X-Shot",
)


def folded(name: str) -> str:
    """A name as it is compared."""
    return "".join(letter for letter in name.casefold() if letter.isalnum())


def _set(*names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(folded(name) for group in names for name in group)


PASSIVE = _set(_PASSIVE, _TOWN_PASSIVE, _MAFIA_PASSIVE)
"""A card may have one of them beside its active role."""
FOR_TOWN = _set(_ACTIVE, _PASSIVE, _TOWN_ACTIVE, _TOWN_PASSIVE, _BARE)
FOR_MAFIA = _set(_ACTIVE, _PASSIVE, _MAFIA_ACTIVE, _MAFIA_PASSIVE, _BARE)
MODIFIERS = _set(_MODIFIERS)
NAMES = FOR_TOWN | FOR_MAFIA
"""Every role of the list, for whichever side."""
