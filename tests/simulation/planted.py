"""Setups with a fault each, and classic ones: what a reviewer should find in them, and what not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

G, VT = "Mafia Goon", "Vanilla Townie"


def setup(*roles: str | Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """A setup of these lines: “3 × ROLE”, or a table."""
    slots: list[Mapping[str, Any]] = []
    for role in roles:
        if not isinstance(role, str):
            slots.append(role)
            continue
        number, _, name = role.rpartition(" × ")
        slots.append({"role": name, "count": int(number or 1)})
    return {"schema": 1, "name": "Quarry", "slots": slots, **more}


def thirteen(*roles: str, **more: Any) -> dict[str, Any]:
    """Thirteen players: these, Goons until there are three mafiosi, and Vanilla Townies."""
    mafia = sum("Mafia" in role for role in roles)
    goons = [f"{3 - mafia} × {G}"] if mafia < 3 else []
    rest = 13 - len(roles) - max(0, 3 - mafia)
    return setup(*roles, *goons, f"{rest} × {VT}", **more)


PLANTED: Mapping[str, tuple[dict[str, Any], str, str]] = {
    # What is planted → the setup, the key of the remark, and a word of it.
    "one neighbor alone": (thirteen("Town Neighbor", "Town Cop"), "alone", "Neighbor alone"),
    "a mafia analyst where nobody talks": (
        thirteen("Mafia Traffic Analyst", "Town Cop"),
        "idle",
        "finds the same",
    ),
    "a card that is not modelled": (
        thirteen("Town “Lamplighter”", "Town Cop"),
        "not_modelled",
        "Lamplighter",
    ),
    "over before it begins": (setup(f"2 × {G}", f"2 × {VT}"), "over", "before it begins"),
    "one mason alone": (thirteen("Town Mason"), "alone", "Mason alone"),
    "one mason of a draw": (
        setup(f"3 × {G}", f"8 × {VT}", {"one_of": ["Town Mason", "Town Cop"], "count": 2}),
        "alone",
        "Mason",
    ),
    "one lover of a draw": (
        setup(f"3 × {G}", f"8 × {VT}", {"pick": 2, "from": ["Town Lover", VT, "Town Cop"]}),
        "alone",
        "Lover",
    ),
    "a miller without a cop": (thirteen("Town Miller", "Town Doctor"), "idle", "Miller"),
    "a miller beside a gunsmith": (thirteen("Town Miller", "Town Gunsmith"), "idle", "Miller"),
    "a godfather without a check": (thirteen("Mafia Godfather", "Town Doctor"), "idle", "Godfather"),
    "a godfather beside a gunsmith": (thirteen("Mafia Godfather", "Town Gunsmith"), "idle", "Godfather"),
    "a cop with godfathers alone": (
        setup("2 × Mafia Godfather", "Town Cop", f"7 × {VT}"),
        "idle",
        "finds the same",
    ),
    "a gunsmith with no gun": (thirteen("Mafia Gunsmith", "Town Doctor"), "idle", "Gunsmith"),
    "a rolecop among vanillas": (thirteen("Town Rolecop"), "idle", "Rolecop"),
    "a mafia rolecop among vanillas": (thirteen("Mafia Rolecop"), "idle", "Rolecop"),
    "a mafia neapolitan among vanillas": (thirteen("Mafia Neapolitan"), "idle", "Neapolitan"),
    "a roleblocker with nothing to block": (thirteen("Mafia Roleblocker"), "idle", "nothing to stop"),
    "a redirector with nothing to turn": (thirteen("Mafia Redirector"), "idle", "nothing to stop"),
    "a mafia doctor without a kill": (thirteen("Mafia Doctor", "Town Cop"), "idle", "protects from nothing"),
    "a mafia bodyguard without a kill": (thirteen("Mafia Bodyguard", "Town Cop"), "idle", "protects"),
    "a bulletproof mafioso without a kill": (thirteen("Mafia Bulletproof", "Town Cop"), "idle", "survives"),
    "a mafia bomb without a kill": (thirteen("Mafia Bomb", "Town Cop"), "idle", "strikes back"),
    "a mafia tracker with nobody who moves": (thirteen("Mafia Tracker"), "idle", "never sees"),
    "a mafia watcher with nobody who moves": (
        thirteen("Mafia Watcher", "Town Bulletproof"),
        "idle",
        "never sees",
    ),
    "a tracker with ninjas alone": (
        setup("2 × Mafia Ninja", "Town Tracker", f"7 × {VT}"),
        "idle",
        "never sees",
    ),
    "a ninja without eyes": (thirteen("Mafia Ninja", "Town Cop"), "idle", "hides from nobody"),
    "a strongman without protection": (
        thirteen("Mafia Strongman", "Town Cop"),
        "idle",
        "goes through nothing",
    ),
    "a doctor against strongmen alone": (
        setup("2 × Mafia Strongman", "Town Doctor", f"7 × {VT}"),
        "idle",
        "every kill goes through",
    ),
    "a commuting mafioso with nobody who acts": (thirteen("Mafia Commuter"), "idle", "avoids nothing"),
    "a loyal mafioso alone": (
        setup("Mafia Loyal Roleblocker", "Town Cop", f"4 × {VT}"),
        "idle",
        "loyal without a partner",
    ),
    "a loyal vigilante": (thirteen("Town Loyal Vigilante"), "contradiction", "Loyal Vigilante"),
    "a loyal roleblocker": (thirteen("Mafia Loyal Roleblocker", "Town Cop"), "contradiction", "harms"),
    "a disloyal doctor": (thirteen("Town Disloyal Doctor"), "contradiction", "helps"),
    "a weak disloyal cop": (thirteen("Town Weak Disloyal Cop"), "contradiction", "dies of every use"),
    "a weak loyal doctor": (thirteen("Town Weak Loyal Doctor"), "contradiction", "Weak says nothing"),
    "one shot, non-consecutive": (
        thirteen("Town 1-Shot Non-Consecutive Cop"),
        "contradiction",
        "Non-Consecutive says nothing",
    ),
    "masons of whom one is a miller": (
        thirteen("Town Mason Miller", "Town Mason", "Town Cop"),
        "contradiction",
        "vouch",
    ),
    "no power at all": (thirteen(), "no_town_power", "no power"),
    "much power against none": (
        thirteen("Town Cop", "Town Doctor", "Town Tracker", "Town Vigilante"),
        "no_scum_power",
        "none of the mafia",
    ),
    "too few": (setup("Mafia Goon", "Town Cop", f"7 × {VT}"), "few_scum", "few"),
    "too many": (setup(f"4 × {G}", "Town Cop", f"5 × {VT}"), "many_scum", "many"),
    "three vigilantes": (
        thirteen("Town Vigilante", "Town Vigilante", "Town Vigilante"),
        "many_vigilantes",
        "Several",
    ),
    "follow the cop": (thirteen("Town Cop", "Town Doctor"), "follow_the_cop", "Follow"),
    "no wrong elimination allowed": (setup(f"2 × {G}", "Town Cop", f"3 × {VT}"), "no_mislynch", "no wrong"),
    "over in the first night": (
        setup(f"2 × {G}", "Town Cop", f"2 × {VT}", starts="night"),
        "before_vote",
        "before anybody",
    ),
    "a mass claim leaves the mafia": (
        setup(f"3 × {G}", "7 × Town Mason", f"3 × {VT}"),
        "mass_claim",
        "claim falsely",
    ),
    "an open setup of powers": (
        setup(f"2 × {G}", "Town Cop", "Town Doctor", "Town Tracker", "Town Watcher", f"3 × {VT}"),
        "mass_claim",
        "claim falsely",
    ),
}
"""Faults that two volunteers would find by hand."""

OFF_THE_LIST: Mapping[str, tuple[dict[str, Any], str]] = {
    "a bomb": (thirteen("Town Bomb", "Town Cop"), "Bomb"),
    "a mafia vigilante": (thirteen("Mafia Vigilante", "Town Doctor"), "Vigilante"),
    "a town ninja": (thirteen("Town Ninja Vigilante", "Town Watcher"), "Ninja"),
    "lovers": (setup(f"2 × {G}", "2 × Town Lover", f"6 × {VT}"), "Lover"),
    "a bus driver": (thirteen("Town Bus Driver", "Town Cop"), "Bus Driver"),
    "a serial killer": (thirteen("Serial Killer", "Town Cop", "Town Doctor"), "Serial Killer"),
    "a hybrid": (thirteen("Town Cop Doctor"), "hybrid"),
    "one mafioso": (setup("Mafia Goon", "Town Cop", f"4 × {VT}"), "two at least"),
}
"""What is played, but not in a Normal game."""
