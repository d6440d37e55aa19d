"""The book of nicknames: what a moderator's answers taught, in a file of their own folder, beside no game."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from knightfall.errors import InputError, StateDamaged
from knightfall.storage.drafts import own_folder, write_draft
from knightfall.storage.turn import Turn
from knightfall.votes.nickname_book import Teaching

FILE = "nicknames.json"
SCHEMA = 1
MOST = 10_000
"""So many teachings are kept, the latest ones."""

Teachings = tuple[Teaching, ...]


@dataclass(slots=True)
class NicknameFile:
    """The book in `folder`, which its owner alone may read. `author` and `doing` are told to those who wait
    for this program to end its writing. `told`: whether somebody was told that the book cannot be read."""

    folder: Path
    author: str
    doing: str = "knightfall"
    told: bool = field(default=False, init=False)

    @property
    def file(self) -> Path:
        """Where the book lies, whether it is there or not."""
        return self.folder / FILE

    def teachings(self) -> Teachings:
        """All that was taught, oldest first; nothing where there is no book yet. Raises StateDamaged for a
        file that cannot be read."""
        try:
            found = json.loads(self.file.read_text(encoding="utf-8"))
            if found["schema"] != SCHEMA:
                raise ValueError(f"its schema is {found['schema']!r}, expected {SCHEMA}")
            return tuple(map(_teaching_of, found["nicknames"]))
        except (FileNotFoundError, NotADirectoryError):
            return ()
        except OSError as error:
            raise self._damaged(error.strerror or str(error)) from None
        except ValueError as error:
            raise self._damaged(" ".join(str(error).split())) from None
        except (KeyError, TypeError, RecursionError):
            raise self._damaged("something in it is missing or in the wrong place") from None

    def change(self, change: Callable[[Teachings], Teachings]) -> None:
        """Write what `change` makes of the book; no other program writes meanwhile.

        Raises StateDamaged for a book that cannot be read, which stays as it is, and InputError where it
        cannot be written or another program keeps it for too long.
        """
        try:
            own_folder(self.folder)
        except OSError as error:
            raise InputError(f"{self.folder} cannot be made: {error.strerror}.") from None
        with Turn(self.file, self.author, self.doing, where="in your book of nicknames"):
            before = self.teachings()
            after = change(before)[-MOST:]
            if after != before:
                rows = [_row_of(one) for one in after]
                write_draft(
                    self.folder, ".", FILE, json.dumps({"schema": SCHEMA, "nicknames": rows}, indent=1)
                )

    def _damaged(self, why: str) -> StateDamaged:
        return StateDamaged(
            f"Your book of nicknames, {self.file}, cannot be read ({why}). Repair it, or move it away to "
            "begin a new one. Until then none is offered and none is learned."
        )


def _row_of(taught: Teaching) -> dict[str, str]:
    return {
        "site": taught.site,
        "nickname": taught.nickname,
        "account": taught.account,
        "game": taught.game,
        "at": taught.at.isoformat(),
    }


def _teaching_of(row: Any) -> Teaching:
    """Back from its row. Raises ValueError, KeyError or TypeError for what is none."""
    site, nickname, account, game = (row[name] for name in ("site", "nickname", "account", "game"))
    if not all(isinstance(text, str) for text in (site, nickname, account, game)):
        raise ValueError("site, nickname, account and game have to be texts")
    at = datetime.fromisoformat(row["at"])
    if at.tzinfo is None:
        raise ValueError(f"{row['at']} has no time zone")
    return Teaching(site, nickname, account, game, at)
