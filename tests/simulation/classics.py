"""Ten kinds of setups that are played again and again, as setup files."""

from __future__ import annotations

from collections.abc import Mapping


def _file(name: str, *lines: str, rows: tuple[str, ...] = (), head: str = "") -> str:
    """A setup file: each line is the inside of a `[[slots]]` table, each row the roles of a `[[row]]`."""
    slots = "".join(f"[[slots]]\n{line}\n" for line in lines)
    drawn = "".join(f"[[row]]\nroles = {row}\n" for row in rows)
    return f'schema = 1\nname = "{name}"\n{head}{slots}{drawn}'


CLASSICS: Mapping[str, str] = {
    "nine vanilla": _file("Nine", 'role = "Mafia Goon"\ncount = 2', 'role = "Vanilla Townie"\ncount = 7'),
    "mountainous": _file("Mountain", 'role = "Mafia Goon"\ncount = 3', 'role = "Vanilla Townie"\ncount = 10'),
    "seven with a cop or a doctor": _file(
        "Seven",
        'role = "Mafia Goon"\ncount = 2',
        'one_of = ["Town Cop", "Vanilla Townie"]',
        'one_of = ["Town Doctor", "Vanilla Townie"]',
        'role = "Vanilla Townie"\ncount = 3',
    ),
    "newbie, four rows": _file(
        "Newbie",
        'role = "Mafia Goon"',
        'role = "Vanilla Townie"\ncount = 5',
        rows=(
            '["Mafia Roleblocker", "Town Cop", "Town Doctor"]',
            '["Mafia Goon", "Town Cop", "Vanilla Townie"]',
            '["Mafia Goon", "Town Doctor", "Vanilla Townie"]',
            '["Mafia Goon", "Town Tracker", "Town Doctor"]',
        ),
    ),
    "basic twelve": _file(
        "Twelve",
        'role = "Mafia Goon"\ncount = 2',
        'role = "Mafia Roleblocker"',
        'role = "Town Cop"',
        'role = "Town Doctor"',
        'role = "Vanilla Townie"\ncount = 7',
    ),
    "masons among thirteen": _file(
        "Lodge",
        'role = "Mafia Goon"\ncount = 3',
        'role = "Town Mason"\ncount = 3',
        'role = "Vanilla Townie"\ncount = 7',
    ),
    "a jailkeeper among nine": _file(
        "Jail",
        'role = "Mafia Goon"',
        'role = "Mafia Roleblocker"',
        'role = "Town Jailkeeper"',
        'role = "Vanilla Townie"\ncount = 6',
    ),
    "a mini of thirteen": _file(
        "Mini",
        'role = "Mafia Goon"\ncount = 2',
        'role = "Mafia Rolecop"',
        'role = "Town Tracker"',
        'role = "Town Jailkeeper"',
        'role = "Town 1-Shot Vigilante"',
        'role = "Vanilla Townie"\ncount = 7',
        head="reveal_setup = false\n",
    ),
    "two of four": _file(
        "Draw",
        'role = "Mafia Goon"\ncount = 2',
        'one_of = ["Mafia Roleblocker", "Mafia Godfather", "Mafia Goon"]',
        'pick = 2\nfrom = ["Town Cop", "Town Doctor", "Town Vigilante", "Town Tracker"]',
        'role = "Vanilla Townie"\ncount = 8',
    ),
    "a large one with a killer": _file(
        "Large",
        'role = "Mafia Godfather"',
        'role = "Mafia Roleblocker"',
        'role = "Mafia Goon"\ncount = 2',
        'role = "Serial Killer"',
        'role = "Town Cop"',
        'role = "Town Doctor"',
        'role = "Town Vigilante"',
        'role = "Town Mason"\ncount = 2',
        'role = "Vanilla Townie"\ncount = 9',
        head="reveal_setup = false\n",
    ),
}
