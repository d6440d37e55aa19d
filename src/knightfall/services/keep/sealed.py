"""A hand-over that only who knows a passphrase can read.

The key is stretched from the passphrase by scrypt; AES-GCM of the package cryptography seals and proves what
is in it. Without a passphrase none of this is needed.
"""

from __future__ import annotations

from hashlib import scrypt
from typing import TYPE_CHECKING

from knightfall.errors import InputError
from knightfall.extras import missing_extra
from knightfall.sentence import Way, sentence

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_MARK = b"KFS1"
_SALT, _NONCE = 16, 12
"""Bytes of each."""
_COST, _BLOCK, _LANES, _MEMORY = 2**15, 8, 1, 64 * 2**20


def is_sealed(data: bytes) -> bool:
    """Whether bytes were sealed with a passphrase."""
    return data.startswith(_MARK)


def sealed(data: bytes, passphrase: str, chance: bytes) -> bytes:
    """The bytes, sealed; `chance` are random ones, 28 at least. Raises InputError where a package is
    missing."""
    salt, nonce = chance[:_SALT], chance[_SALT : _SALT + _NONCE]
    if len(nonce) < _NONCE:
        raise ValueError("too few random bytes")
    return _MARK + salt + nonce + _cipher(passphrase, salt).encrypt(nonce, data, _MARK)


def opened(data: bytes, passphrase: str) -> bytes:
    """What was sealed. Raises InputError for a wrong passphrase, or none, and where a package is missing."""
    if not passphrase:
        raise InputError(
            sentence(
                "This hand-over is sealed. Say its passphrase: {passphrase}",
                passphrase=Way("field", name="passphrase"),
            )
        )
    from cryptography.exceptions import InvalidTag

    body = data[len(_MARK) :]
    salt, nonce, rest = body[:_SALT], body[_SALT : _SALT + _NONCE], body[_SALT + _NONCE :]
    try:
        return _cipher(passphrase, salt).decrypt(nonce, rest, _MARK)
    except (InvalidTag, ValueError):
        raise InputError("The passphrase does not open this hand-over.") from None


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ModuleNotFoundError:
        raise missing_extra("passphrase") from None
    key = scrypt(passphrase.encode("utf-8"), salt=salt, n=_COST, r=_BLOCK, p=_LANES, maxmem=_MEMORY, dklen=32)
    return AESGCM(key)
