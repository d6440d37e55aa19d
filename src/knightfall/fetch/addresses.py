"""May this URL be fetched? Only public web servers, unless the moderator allows his own network.

A page or a redirect must not make us ask the router, a cloud's metadata service or a program on this machine.
"""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from urllib.parse import SplitResult, urlsplit

from knightfall.errors import AccessDenied, InputError, UnknownServer

PORTS = {"http": 80, "https": 443}
NAT64 = ip_network("64:ff9b::/96")
OWN_FORUM = "If that is your own forum, add --allow-private-host."


def checked_url(url: str, allow_private: bool) -> SplitResult:
    """The parts of a URL that may be asked for. Raises InputError or UnknownServer, saying what is wrong."""
    try:
        split = urlsplit(url.strip())
        port = split.port
    except ValueError as error:
        raise InputError(f"{url} is not a web address ({error}).") from None
    if split.scheme not in PORTS or not split.hostname:
        raise InputError(f"{url} is not a web address: it has to begin with https:// and a server.")
    if split.username is not None:
        raise InputError(f"The address of {split.hostname} holds a user name: leave it out.")
    if port not in (None, PORTS[split.scheme]) and not allow_private:
        raise InputError(f"{url} asks for port {port}; only the usual ports are read. {OWN_FORUM}")
    try:
        found = socket.getaddrinfo(split.hostname, port or PORTS[split.scheme], type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise UnknownServer(
            f'There is no server "{split.hostname}". Check the spelling of the address, and your connection.'
        ) from None
    private = [str(entry[4][0]) for entry in found if not is_public(str(entry[4][0]))]
    if private and not allow_private:
        raise InputError(
            f"{split.hostname} is {private[0]}, a private or local address: not read. {OWN_FORUM}"
        )

    return split


def refuse_private_peer(address: str, host: str) -> None:
    """The address that a connection really reached must be public too: a name may change.

    Raises AccessDenied.
    """
    if not is_public(address):
        raise AccessDenied(f"{host} leads to {address}, a private or local address: not read. {OWN_FORUM}")


def is_public(address: str) -> bool:
    """True for an address on the open internet, however it is wrapped."""
    ip = _unwrapped(ip_address(address.partition("%")[0]))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _unwrapped(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    if isinstance(ip, IPv4Address):
        return ip
    if ip in NAT64:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or ip
