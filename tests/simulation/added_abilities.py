"""Two abilities, a trait, a passive and a modifier as an author would add them, in a copy of the package.

What is inserted stands in the places that CONTRIBUTING.md names; nothing of it is said to a simulation. The
copy is asked in a process of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"

ROWS = """\
    AbilityRow(
        id="overhear",
        lines=("overhear",),
        role="Eavesdropper",
        title="Overhear",
        pm="You learn what was done to that player: abilities, or “nobody”.",
        deed="overhearing of",
        does="Learns what was done to a player.",
        stopped_by=_HELD,
        effects=frozenset({Effect.WATCHES}),
        asks="what was done to a player",
    ),
    AbilityRow(
        id="snipe",
        lines=("snipe",),
        role="Sniper",
        title="Snipe",
        pm="You kill that player.",
        deed="sniping of",
        does="Kills a player.",
        stopped_by=_COVERED,
        effects=_KILLS,
    ),
"""
IN_THE_GAME = """\
    replace(
        TABLE["overhear"],
        ruling="CM-R45",
        rulings=(30, 45),
        rule="An eavesdropper learns which abilities reached their target.",
    ),
    replace(TABLE["snipe"], ruling="CM-R29", rulings=(13, 29, 31)),
"""
AT_NIGHT = """\
            elif ability == "overhear":
                done = {sent.ability for sent in paper.admitted if (sent.actor, target) in visits}
                answer = ", ".join(sorted(done - {"overhear"})) or "nobody"
"""
TRAIT = """\
    QUIET = "quiet"
"""
WORD = """\
    Entry("Quiet", Kind.TRAIT, "Says little.", (35,), Trait.QUIET, stopped_by=NOTHING),
"""
PASSIVE = """\
    THICK = "thick"
"""
PASSIVE_WORD = """\
    Entry("Thick", Kind.PASSIVE, "Has a thick skin.", (35,), Passive.THICK),
"""
MODIFIER = """\
    SHY = "shy"
"""
MODIFIER_WORD = """\
    _modifier("Shy", Modifier.SHY, "Works as it always does.", 35),
"""
INSERTED = (
    ("mafia/ability_table.py", "    # What nobody submits: the blow", ROWS),
    ("games/custom_mafia/abilities.py", ')\n"""Every ability; those that a role', IN_THE_GAME),
    ("games/custom_mafia/rules.py", "            else:\n                # CM-R23", AT_NIGHT),
    ("games/custom_mafia/abilities.py", '    ARMED = "armed"\n', TRAIT),
    ("games/custom_mafia/catalog.py", ")\n\nOWN_SIDES", WORD),
    ("games/custom_mafia/abilities.py", '    BULLETPROOF = "bulletproof"\n', PASSIVE),
    ("games/custom_mafia/catalog.py", ")\n\nTRAITS", PASSIVE_WORD),
    ("mafia/roles.py", '    WEAK = "weak"\n', MODIFIER),
    ("games/custom_mafia/catalog.py", '    _modifier("Lazy"', MODIFIER_WORD),
)
"""File, what stands there, and what is put before it."""


def copied(folder: Path) -> Path:
    """A copy of the package with everything that is added."""
    package = folder / "knightfall"
    shutil.copytree(ROOT / "src" / "knightfall", package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, before, text in INSERTED:
        file = package / name
        whole = file.read_text(encoding="utf-8")
        assert whole.count(before) == 1, (name, before)
        file.write_text(whole.replace(before, text + before), encoding="utf-8")
    return folder


def asked(folder: Path, program: str) -> Any:
    """What a program prints that imports the copy, read as JSON."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(TESTS)))}
    done = subprocess.run(
        (sys.executable, "-c", program),
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
