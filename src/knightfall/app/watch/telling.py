"""How does a notice reach the moderator: on the terminal always, elsewhere what may leave this machine?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from knightfall.app.guarding.outgoing import passed
from knightfall.app.ports import Ports, Say
from knightfall.app.watch.channels import Channel, harmless
from knightfall.core.notices import Notice
from knightfall.errors import SecretGuard

WITHHELD = "There is something that only your own screen may show: look at the terminal."
KEPT = 20
"""So many messages wait for a way that is down; older ones are on the terminal anyway."""


@dataclass(slots=True)
class Voices:
    """Terminal and channels; `late` is what a channel has not taken yet, by its place;
    `down` are those of which that was told."""

    out: Say
    err: Say
    channels: tuple[Channel, ...] = ()
    late: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    down: set[int] = field(default_factory=set)

    def show(self, notice: Notice, zone: ZoneInfo) -> None:
        """On a line of the terminal, with its time."""
        self.out(f"{_time(notice, zone)} {notice.words}")

    def send(self, notices: Sequence[Notice], title: str, zone: ZoneInfo, folder: Path, ports: Ports) -> None:
        """All of them in one message on each channel."""
        if self.channels:
            lines = (f"{_time(one, zone)} {_outside(one, folder, ports)}" for one in notices)
            self._send(title, harmless("\n".join(lines)))

    def again(self) -> None:
        """What did not arrive, once more."""
        for place in range(len(self.channels)):
            self._try(place)

    def _send(self, title: str, text: str) -> None:
        for place in range(len(self.channels)):
            self.late.setdefault(place, []).append((harmless(title), text))
            self._try(place)

    def _try(self, place: int) -> None:
        """In order, as far as they are taken; that they are not is told once."""
        channel, failed = self.channels[place], False
        waiting = self.late.get(place, [])
        while waiting and not failed:
            failed = not _arrives(channel, *waiting[0])
            if not failed:
                waiting.pop(0)
        if failed and place not in self.down:
            self.err(f"The {channel.name} takes no messages now. The terminal has them; I go on trying.")
        (self.down.add if failed else self.down.discard)(place)
        del waiting[:-KEPT]


def _arrives(channel: Channel, title: str, text: str) -> bool:
    """A way may fail as it likes: the watch goes on."""
    try:
        return channel.send(title, text)
    except Exception:  # noqa: BLE001  # a service of somebody else's, of which we know nothing
        return False


def _outside(notice: Notice, folder: Path, ports: Ports) -> str:
    """The words for a server on the way, where they give nothing away."""
    from knightfall.app.guarding.hidden import hidden_in

    try:
        passed(notice.outside, hidden_in(folder, ports))
    except SecretGuard:
        return WITHHELD
    return notice.outside


def _time(notice: Notice, zone: ZoneInfo) -> str:
    return f"[{notice.at.astimezone(zone):%H:%M}]"
