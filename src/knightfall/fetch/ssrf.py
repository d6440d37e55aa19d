"""Which addresses may be asked at all: no private host by accident, none behind a redirect."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Event, Timer
from typing import Any
from urllib.parse import SplitResult, urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

from knightfall.errors import AccessDenied, InputError, ServerFault, UnknownServer
from knightfall.sentence import Way, sentence

PORTS = {"http": 80, "https": 443}
NAT64 = ip_network("64:ff9b::/96")
NOT_PUBLIC = (
    *map(ip_network, ("192.0.0.0/24", "192.88.99.0/24")),
    *map(ip_network, ("64:ff9b:1::/48", "100::/63", "3fff::/20", "5f00::/16", "fec0::/10")),
)
"""What no web server of the open internet has, though Python before 3.13 says that some of it is global."""
OWN_FORUM = sentence("If that is your own forum: {allow}.", allow=Way("own_network"))


def checked_url(url: str, allow_private: bool) -> SplitResult:
    """The parts of a URL that may be asked for. Raises InputError or UnknownServer, saying what is wrong."""
    try:
        split = urlsplit(url.strip())
        port = split.port
    except ValueError as error:
        raise InputError(f"{url} is not a web address ({error}).") from None
    if split.scheme not in PORTS or not split.hostname:
        raise InputError(f"{url} is not a web address. It has to begin with https:// and a server name.")
    if split.username is not None:
        raise InputError(f"The address of {split.hostname} contains a user name. Leave it out.")
    if port not in (None, PORTS[split.scheme]) and not allow_private:
        raise InputError(
            sentence(
                "{url} asks for port {port}; only the usual ports are read. {own}",
                url=url,
                port=port,
                own=OWN_FORUM,
            )
        )
    try:
        found = socket.getaddrinfo(split.hostname, port or PORTS[split.scheme], type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise UnknownServer(
            f'There is no server "{split.hostname}". Check the spelling of the address, and your connection.'
        ) from None
    private = [str(entry[4][0]) for entry in found if not is_public(str(entry[4][0]))]
    if private and not allow_private:
        raise InputError(
            sentence(
                "{host} is {address}, a private or local address: not read. {own}",
                host=split.hostname,
                address=private[0],
                own=OWN_FORUM,
            )
        )

    return split


def refuse_private_peer(address: str, host: str) -> None:
    """The address that a connection really reached must be public too: a name may change.

    Raises AccessDenied.
    """
    if not is_public(address):
        raise AccessDenied(
            sentence(
                "{host} leads to {address}, a private or local address: not read. {own}",
                host=host,
                address=address,
                own=OWN_FORUM,
            )
        )


def is_public(address: str) -> bool:
    """True for an address on the open internet, however it is wrapped."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        # An IPv4 address may come inside one of IPv6, and it is the inner one that is reached.
        ip = IPv4Address(int(ip) & 0xFFFFFFFF) if ip in NAT64 else ip.ipv4_mapped or ip.sixtofour or ip
    special = ip.is_multicast or ip.is_reserved or any(ip in one for one in NOT_PUBLIC)
    return ip.is_global and not special


@dataclass(frozen=True, slots=True)
class Sockets:
    """The open connections of a session."""

    _open: list[socket.socket] = field(default_factory=list)

    def opened(self, sock: socket.socket) -> None:
        """A connection that may have to be cut."""
        self._open[:] = [*(known for known in self._open if known.fileno() >= 0), sock]

    @contextmanager
    def cut_after(self, seconds: float, late: str) -> Iterator[None]:
        """What happens inside ends in time. Raises ServerFault with the sentence `late` where it did not."""
        cut = Event()

        def shut_down() -> None:
            cut.set()
            for sock in self._open:
                with suppress(OSError):
                    sock.shutdown(socket.SHUT_RDWR)

        timer = Timer(seconds, shut_down)
        timer.daemon = True
        timer.start()
        try:
            yield
        except Exception as error:
            if cut.is_set():
                raise ServerFault(late) from error
            raise
        finally:
            timer.cancel()
        if cut.is_set():
            raise ServerFault(late)


def guarded_session(allow_private: bool, sockets: Sockets | None = None) -> requests.Session:
    """A session without proxies, netrc or retries of its own; it connects to public addresses only."""
    pools = _pools(allow_private, (sockets or Sockets()).opened)

    class Guarded(HTTPAdapter):
        def init_poolmanager(self, *args: Any, **keywords: Any) -> None:
            super().init_poolmanager(*args, **keywords)
            self.poolmanager.pool_classes_by_scheme = pools

    class Straight(requests.Session):
        def resolve_redirects(self, *_args: Any, **_keywords: Any) -> Iterator[Any]:
            """Nowhere: requests would read the whole body, and take the address apart, before we look."""
            return iter(())

    session = Straight()
    session.trust_env = False
    for scheme in ("http://", "https://"):
        session.mount(scheme, Guarded())
    return session


def _pools(allow_private: bool, opened: Callable[[socket.socket], None]) -> dict[str, type[Any]]:
    """The kinds of connection pools that check and tell each socket."""

    class Plain(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            sock = super()._new_conn()
            return sock if allow_private else _checked(sock, self.host)

        def connect(self) -> None:
            super().connect()
            opened(self.sock)

    class Secure(Plain, HTTPSConnection):
        pass

    class PlainPool(HTTPConnectionPool):
        ConnectionCls = Plain

    class SecurePool(HTTPSConnectionPool):
        ConnectionCls = Secure

    return {"http": PlainPool, "https": SecurePool}


def _checked(sock: socket.socket, host: str) -> socket.socket:
    try:
        refuse_private_peer(str(sock.getpeername()[0]), host)
    except BaseException:
        sock.close()
        raise
    return sock
