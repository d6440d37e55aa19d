"""Tokens with which bots may read `/api/v1`: created and revoked by the moderator, kept as digests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Any

from knightfall.errors import InputError
from knightfall.web.own_list import OwnList

FILE = "api-tokens.json"


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token by what it is for and since when it is valid; of the token itself only its digest. A
    `public` one reads what players may know alone."""

    name: str
    since: str
    digest: str
    public: bool = False


class ApiTokens:
    """The tokens that hold, in a file of `folder`."""

    def __init__(self, folder: Path) -> None:
        self._kept = OwnList(folder, FILE, _token, asdict)

    def all(self) -> tuple[ApiToken, ...]:
        """Every token, oldest first."""
        return self._kept.all()

    def create(self, name: str, now: datetime, random: Callable[[int], bytes], public: bool = False) -> str:
        """Make a token and return it; it is shown this once. Raises InputError without a name."""
        if not name.strip():
            raise InputError("Say what the token is for, for example the name of the bot.")
        token = random(24).hex()
        made = ApiToken(name.strip(), moment_words(now), sha256(token.encode()).hexdigest(), public)
        self._kept.change(lambda _: False, (made,))
        return token

    def revoke(self, digest: str) -> None:
        """Let a token hold no more; one that is unknown is no harm."""
        self._kept.change(lambda one: one.digest == digest)

    def of(self, token: str) -> ApiToken | None:
        """The token, where it holds."""
        digest = sha256(token.encode()).hexdigest()
        return next((one for one in self.all() if compare_digest(one.digest, digest)), None)


def _token(one: Any) -> ApiToken:
    return ApiToken(str(one["name"]), str(one["since"]), str(one["digest"]), one.get("public") is True)


def moment_words(now: datetime) -> str:
    """Since when a token is valid: “2026-11-26 20:00 UTC”."""
    return f"{now:%Y-%m-%d %H:%M} UTC"
