"""How is a game set up, with all that was decided and all that came to pass since it began?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.app.diary.journal import journal_of

if TYPE_CHECKING:
    from knightfall.app.ports import Ports
    from knightfall.setups.setup import Setup


def setup_of(path: Path, ports: Ports) -> Setup:
    """The game file with the moderator's decisions since, and whom a begun game let die; what reads it takes
    a moment to load, so only who has one waits for it."""
    from knightfall.app.people.dead import with_the_dead
    from knightfall.setups.decided import decided
    from knightfall.setups.game_file import read_setup

    journal = journal_of(ports)
    return with_the_dead(decided(read_setup(path), journal), path, journal, ports)
