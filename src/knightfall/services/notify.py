"""The ways in which a watch tells the moderator: terminal, desktop, webhook, mail."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from knightfall.engine.notices import Notice
from knightfall.errors import InputError, SecretGuard
from knightfall.services.guard import passed
from knightfall.services.session import Say, Session

if TYPE_CHECKING:
    from apprise import Apprise


DESKTOP, WEBHOOK, MAIL = "desktop", "webhook", "mail"
KEYS = {WEBHOOK: "KNIGHTFALL_WEBHOOK", MAIL: "KNIGHTFALL_MAIL"}
"""The way → the variable with its address."""
EXAMPLES = {WEBHOOK: "https://…, or discord://…, slack://…, ntfy://…", MAIL: "mailtos://NAME:PASSWORD@SERVER"}
INSTALL = 'pip install "knightfall[notify]"'
_DESKTOPS = {"linux": ("dbus://", "gnome://"), "darwin": ("macosx://",), "win32": ("windows://",)}
_BETWEEN = re.compile(r",(?=desktop\b|webhook\b|mail\b|[a-z][a-z0-9+.-]*://)")
_PING = re.compile(r"@(?=\S)|<(?=[!@#&])")
_JOINER = "\u200b"


class Channel(Protocol):
    """A way; `send` is whether it arrived at the first server on it."""

    @property
    def name(self) -> str: ...

    def send(self, title: str, text: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Service:
    """A webhook, a mailbox, or whatever else Apprise knows."""

    name: str
    service: Apprise

    def send(self, title: str, text: str) -> bool:
        """Whether the service took it."""
        from apprise import NotifyFormat

        return bool(self.service.notify(body=text, title=title, body_format=NotifyFormat.TEXT))


@dataclass(frozen=True, slots=True)
class Bubble:
    """The desktop by its own command, where Python has no way to it."""

    command: str
    name: str = DESKTOP

    def send(self, title: str, text: str) -> bool:
        """Whether the desktop took it."""
        words = (self.command, "--app-name=Knightfall", "--", title, text)
        return subprocess.run(words, check=False, capture_output=True, timeout=10).returncode == 0


def harmless(text: str) -> str:
    """The text, which calls nobody: “@everyone”, “@here” and “<!channel>” are split by a letter that nobody
    sees."""
    return _PING.sub(lambda found: found[0] + _JOINER, text)


def channels_of(asked: Iterable[str], environment: Mapping[str, str]) -> tuple[Channel, ...]:
    """The ways that were named, “desktop,webhook”, “mail”, or by addresses of their own. Raises InputError
    for one that cannot be used, with what it needs."""
    words = (word.strip() for one in asked for word in _BETWEEN.split(one) if word.strip())
    return tuple(_channel(word, environment) for word in dict.fromkeys(words))


def _channel(word: str, environment: Mapping[str, str]) -> Channel:
    if word == DESKTOP:
        return _desktop()
    if word in KEYS:
        return _service(word, _address(word, environment))
    if "://" in word:
        return _service(word.partition("://")[0], word)
    raise InputError(f"--notify {word}: expected desktop, webhook, mail or an address such as ntfy://TOPIC.")


def _address(way: str, environment: Mapping[str, str]) -> str:
    found = environment.get(KEYS[way], "")
    if not found.strip():
        raise InputError(
            f"--notify {way} needs an address. It holds a key, so give it in the environment: "
            f"{KEYS[way]}={EXAMPLES[way]}"
        )
    return found.strip()


def _service(name: str, address: str) -> Service:
    """Raises InputError without the address, which is a secret."""
    found = _apprise()
    if not any(found.add(one) for one in _readings(address)):
        raise InputError(f"--notify {name}: no service knows that address. See knightfall watch --help.")
    return Service(name, found)


def _readings(address: str) -> Iterator[str]:
    """As it stands; an address of a page that no service knows takes JSON."""
    yield address
    for plain, posts in (("https://", "jsons://"), ("http://", "json://")):
        if address.startswith(plain):
            yield posts + address.removeprefix(plain)


def _apprise() -> Apprise:
    """What sends. It keeps no log: its words can hold an address, and it failing is told by us."""
    import logging

    try:
        from apprise import Apprise
    except ModuleNotFoundError:
        raise InputError(f"--notify needs one package more: {INSTALL}") from None
    logging.getLogger("apprise").setLevel(logging.CRITICAL + 1)
    return Apprise()


def _desktop() -> Channel:
    command = shutil.which("notify-send")
    try:
        for address in _DESKTOPS.get(sys.platform, ()):
            found = _apprise()
            if found.add(address):
                return Service(DESKTOP, found)
    except InputError:  # without Apprise a desktop with a command of its own is still told
        if command is None:
            raise
    if command is None:
        raise InputError(
            "--notify desktop finds no way to this desktop. Install notify-send (Debian: libnotify-bin), or "
            "leave it out: the terminal tells everything."
        )
    return Bubble(command)


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

    def send(self, notices: Sequence[Notice], title: str, zone: ZoneInfo, session: Session) -> None:
        """All of them in one message on each channel."""
        if self.channels:
            lines = (f"{_time(one, zone)} {_outside(one, session)}" for one in notices)
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


def _outside(notice: Notice, session: Session) -> str:
    """The words for a server on the way, where they give nothing away."""
    from knightfall.services.guard import hidden_in

    try:
        passed(notice.outside, hidden_in(session))
    except SecretGuard:
        return WITHHELD
    return notice.outside


def _time(notice: Notice, zone: ZoneInfo) -> str:
    return f"[{notice.at.astimezone(zone):%H:%M}]"
