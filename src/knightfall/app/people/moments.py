"""From which post of the thread on does something hold, whether the moderator says it or not?"""

from __future__ import annotations

from knightfall.app.ports import Ports
from knightfall.app.speech import kept_thread
from knightfall.errors import InputError
from knightfall.setups.setup import Setup


def post_number(said: str) -> int:
    """“412” or “#412”. Raises InputError for what is no number of a post."""
    number = said.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{said} is no number of a post. Give it as the forum counts, for example 412.")
    return int(number)


def last_post(setup: Setup, ports: Ports) -> int | None:
    """The last post of the game's thread that was read; None where none was."""
    thread = kept_thread(setup, ports)
    return thread.posts[-1].number if thread and thread.posts else None


def from_post(said: str | None, setup: Setup, ports: Ports) -> int | None:
    """The post from which on something holds: as said, else the one after the last that was read; None where
    the game has no thread. Raises InputError where it has one that was never read."""
    if said is not None:
        return post_number(said)
    if setup.url is None:
        return None
    last = last_post(setup, ports)
    if last is None:
        raise InputError(
            "The thread was not read yet, so I do not know from which post on. Say it: --at POST, or read "
            "it: knightfall vc"
        )
    return last + 1
