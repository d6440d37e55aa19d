"""Tokens with which bots may read `/api/v1`: created and revoked by the moderator, kept as digests."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

from knightfall.errors import InputError
from knightfall.storage.drafts import write_draft

FILE = "api-tokens.json"


@dataclass(frozen=True, slots=True)
class ApiToken:
    """A token by what it is for and since when it is valid; of the token itself only its digest."""

    name: str
    since: str
    digest: str


class ApiTokens:
    """The tokens that hold, in a file of `folder` that its owner alone may read."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def all(self) -> tuple[ApiToken, ...]:
        """Every token, oldest first. A file that cannot be read holds none: nobody is let in by it."""
        try:
            found = json.loads((self._folder / FILE).read_text(encoding="utf-8"))
            return tuple(ApiToken(str(one["name"]), str(one["since"]), str(one["digest"])) for one in found)
        except (OSError, ValueError, KeyError, TypeError):
            return ()

    def create(self, name: str, now: datetime, random: Callable[[int], bytes]) -> str:
        """Make a token and return it; it is shown this once. Raises InputError without a name."""
        if not name.strip():
            raise InputError("Say what the token is for, for example the name of the bot.")
        token = random(24).hex()
        made = ApiToken(name.strip(), f"{now:%Y-%m-%d %H:%M} UTC", sha256(token.encode()).hexdigest())
        self._write((*self.all(), made))
        return token

    def revoke(self, digest: str) -> None:
        """Let a token hold no more; one that is unknown is no harm."""
        self._write(tuple(one for one in self.all() if one.digest != digest))

    def knows(self, token: str) -> bool:
        """Whether the token holds."""
        digest = sha256(token.encode()).hexdigest()
        return any(compare_digest(one.digest, digest) for one in self.all())

    def _write(self, tokens: tuple[ApiToken, ...]) -> None:
        rows = [{"name": one.name, "since": one.since, "digest": one.digest} for one in tokens]
        write_draft(self._folder, ".", FILE, json.dumps(rows, ensure_ascii=False, indent=1))
