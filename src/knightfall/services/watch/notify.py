"""The ways in which a watch tells the moderator: terminal, desktop, webhook, mail."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from knightfall.engine.notices import Notice
from knightfall.errors import InputError, SecretGuard
from knightfall.extras import missing_extra
from knightfall.sentence import Way, sentence
from knightfall.services.guard import hidden_in, passed
from knightfall.services.session import Session

if TYPE_CHECKING:
    from apprise import Apprise


DESKTOP, WEBHOOK, MAIL = "desktop", "webhook", "mail"
KEYS = {WEBHOOK: "KNIGHTFALL_WEBHOOK", MAIL: "KNIGHTFALL_MAIL"}
"""The way → the variable with its address."""
EXAMPLES = {WEBHOOK: "https://…, or discord://…, slack://…, ntfy://…", MAIL: "mailtos://NAME:PASSWORD@SERVER"}
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


_NOTIFY = Way("field", name="notify")


def harmless(text: str) -> str:
    """The text, which calls nobody: “@everyone”, “@here” and “<!channel>” are split by a letter that nobody
    sees."""
    return _PING.sub(lambda found: found[0] + _JOINER, text)


def channels_of(asked: Iterable[str], environment: Mapping[str, str]) -> tuple[Channel, ...]:
    """The channels that were named: “desktop,webhook”, “mail”, or by addresses of their own.

    Raises InputError for one that cannot be used, with what it needs.
    """
    words = (word.strip() for one in asked for word in _BETWEEN.split(one) if word.strip())
    return tuple(_channel(word, environment) for word in dict.fromkeys(words))


def _channel(word: str, environment: Mapping[str, str]) -> Channel:
    if word == DESKTOP:
        return _desktop()
    if word in KEYS:
        address = environment.get(KEYS[word], "").strip()
        if not address:
            raise InputError(
                sentence(
                    "{notify} {word} needs an address. The address holds a key, so put it in the "
                    "environment: {key}={example}",
                    notify=_NOTIFY,
                    word=word,
                    key=KEYS[word],
                    example=EXAMPLES[word],
                )
            )
        return _service(word, address)
    if "://" in word:
        return _service(word.partition("://")[0], word)
    raise InputError(
        sentence(
            "{notify} {word}: expected desktop, webhook, mail or an address such as ntfy://TOPIC.",
            notify=_NOTIFY,
            word=word,
        )
    )


def _service(name: str, address: str) -> Service:
    """The service at an address. Raises InputError, without the address, which is a secret."""
    found = _apprise()
    # An address of a page that no service knows takes JSON.
    readings = [address]
    for plain, posts in (("https://", "jsons://"), ("http://", "json://")):
        if address.startswith(plain):
            readings.append(posts + address.removeprefix(plain))
    if not any(found.add(one) for one in readings):
        raise InputError(
            sentence(
                "{notify} {name}: this address belongs to no known service. Known are those of Apprise, "
                "such as ntfy://TOPIC.",
                notify=_NOTIFY,
                name=name,
            )
        )
    return Service(name, found)


def _apprise() -> Apprise:
    """A sender without a log: its words can hold an address, and that it failed is told by us."""
    import logging

    try:
        from apprise import Apprise
    except ModuleNotFoundError:
        raise missing_extra("notify") from None
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
            sentence(
                "{notify} desktop cannot show notifications on this desktop. Install notify-send (Debian: "
                "libnotify-bin), or leave out {notify} desktop: the terminal shows everything.",
                notify=_NOTIFY,
            )
        )
    return Bubble(command)


WITHHELD = "There is news that only your own screen may show. Look at the terminal."
KEPT = 20
"""So many messages wait for a way that is down; older ones are on the terminal anyway."""


@dataclass(slots=True)
class Notifier:
    """The channels of a watch. `late` is what a channel has not taken yet, by its place; `down` are those
    that take nothing now."""

    channels: tuple[Channel, ...] = ()
    late: dict[int, list[tuple[str, str]]] = field(default_factory=dict)
    down: set[int] = field(default_factory=set)

    def send(
        self, notices: Sequence[Notice], title: str, zone: ZoneInfo, session: Session
    ) -> tuple[str, ...]:
        """Send all of them in one message on each channel; return the names of those that went down.

        What would give a secret of the game away to a server on the way is withheld.
        """
        if not self.channels:
            return ()
        lines = []
        for notice in notices:
            try:
                passed(notice.outside, hidden_in(session))
                said = notice.outside
            except SecretGuard:
                said = WITHHELD
            lines.append(f"[{notice.at.astimezone(zone):%H:%M}] {said}")
        message = harmless(title), harmless("\n".join(lines))
        for place in range(len(self.channels)):
            self.late.setdefault(place, []).append(message)
        return self.again()

    def again(self) -> tuple[str, ...]:
        """Send what did not arrive, in its order; return the names of channels that went down meanwhile."""
        fallen = []
        for place, channel in enumerate(self.channels):
            waiting = self.late.get(place, [])
            failed = False
            while waiting and not failed:
                failed = not _arrives(channel, *waiting[0])
                if not failed:
                    waiting.pop(0)
            if failed and place not in self.down:
                fallen.append(channel.name)
            (self.down.add if failed else self.down.discard)(place)
            del waiting[:-KEPT]
        return tuple(fallen)


def _arrives(channel: Channel, title: str, text: str) -> bool:
    """Whether a channel took it. It may fail as it likes: the watch goes on."""
    try:
        return channel.send(title, text)
    except Exception:  # noqa: BLE001  # a service of somebody else's, of which we know nothing
        return False
