"""Games that are played in a folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import TypedDict, Unpack

from knightfall.services.game.due import Due, due
from knightfall.services.game.new import NewGameRequest, begin
from knightfall.services.machine import session_of
from knightfall.services.running import MODERATOR, RunningGame, table_of
from knightfall.services.window import turns
from knightfall.services.window.waiting import PendingWindow, pending
from knightfall.storage.drafts import PUBLIC


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was not taken: a short code, one sentence, and in a night whose it was."""

    line: str
    code: str
    sentence: str
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Closing:
    """What goes out when something is closed: posts for everybody, in order; recipient → PM; and sheets for
    the moderator alone. The same texts lie in the folder's `public/` and `private/`, and in `public/` the
    pictures of the board that belong to the posts."""

    posts: tuple[str, ...]
    pms: Mapping[str, str]
    sheets: tuple[str, ...] = ()
    pictures: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a message: lines that were not taken, and what it led to at once (`Closing`)."""

    refused: tuple[RefusedLine, ...]
    led_to: Closing

    @property
    def accepted(self) -> bool:
        """Whether every line was taken."""
        return not self.refused


class GameDetails(TypedDict, total=False):
    """What may be said of a new game."""

    options: Mapping[str, object]
    """Name → value: the rulings of the game tell them."""
    title: str
    timezone: str
    """Such as "America/New_York"; else UTC."""
    site: str
    """The dialect of posts."""
    moderators: tuple[str, ...]
    threads: tuple[tuple[str, str], ...]
    """Pairs of role (game, vote, signup, private, dead) and address."""
    seed: bytes
    """What the deal is drawn from, 16 bytes or more; with `salt` drawn in secret where it is left out."""
    salt: bytes


@dataclass(frozen=True, slots=True)
class Game:
    """A game of a folder. Everything is written there at once; two programs may have it open."""

    folder: Path

    @classmethod
    def create(
        cls, game: str, players: Iterable[str], folder: str | Path, **more: Unpack[GameDetails]
    ) -> Game:
        """Deal a game into a new folder, with its first posts and PMs.

        `game` is an id such as "kings_court"; `folder` must hold no game yet; `more` is said in
        `GameDetails`.

        Raises InputError where the folder holds a game already, or the game cannot be played with these names
        and options; SetupError where a value cannot stand in a game.toml.
        """
        said: GameDetails = {"seed": token_bytes(32), "salt": token_bytes(32), **more}
        request = NewGameRequest(game, tuple(players), Path(folder), **said)
        begin(request, session_of(request.folder))
        return cls.open(folder)

    @classmethod
    def open(cls, folder: str | Path) -> Game:
        """The game of a folder. Raises InputError where none was begun there, StateDamaged where seed or
        journal are not as they were written."""
        game = cls(Path(folder))
        game._table()
        return game

    def submit(self, who: str, text: str, *, dialect: str | None = None, allow_leak: str = "") -> Receipt:
        """Take in a message of a player, or of the "moderator": one entry of the journal, applied whole.

        What is not understood or not allowed is in `Receipt.refused`, and leaves what stood before. Raises
        InputError for a name that is nobody's and for an empty message, SecretGuard where a post it leads to
        gives something away and `allow_leak` has no reason: then nothing is kept.
        """
        led = turns.submit(who, text, dialect, session_of(self.folder), allow_leak)
        refused = tuple(RefusedLine(line, why.code, why.text) for line, why in led.refused)
        return Receipt(refused, _closing(led))

    def missing(self) -> tuple[PendingWindow, ...]:
        """Each open window: who has sent nothing since it opened (`absent`), until when they can (`until`: an
        aware instant, or None), and what happens to who never does. () once the game is over."""
        return pending(self._table())

    def due(self) -> tuple[Due, ...]:
        """What is due, the most urgent first: `what` in a sentence, `why`, `since` and `until` when, and how
        urgent. () where nothing is."""
        return due(session_of(self.folder))

    def close(
        self, window: str | None = None, *, dialect: str | None = None, allow_leak: str = ""
    ) -> Closing:
        """Close what is open: by its kind ("night", "round") where several things are.

        Raises DecisionNeeded where the game cannot close it yet, InputError where nothing is open or it is
        not clear what is meant, SecretGuard as `submit` does: then nothing is written.
        """
        led = turns.close(window, dialect, session_of(self.folder), allow_leak)
        return _closing(led.receipt)

    def _table(self) -> RunningGame:
        return table_of(session_of(self.folder))


def texts_by(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Recipient → text; several texts of one recipient with a blank line between them."""
    found: dict[str, list[str]] = {}
    for whose, text in texts:
        found.setdefault(whose, []).append(text)
    return {whose: "\n\n".join(parts) for whose, parts in found.items()}


def _closing(led: turns.Receipt) -> Closing:
    everything = led.texts
    return Closing(
        tuple(text.text for text in everything if text.whose == PUBLIC),
        texts_by((text.whose, text.text) for text in everything if text.whose not in (PUBLIC, MODERATOR)),
        tuple(text.text for text in everything if text.whose == MODERATOR),
        led.pictures,
    )
