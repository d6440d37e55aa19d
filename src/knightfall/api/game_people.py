"""What is done about the people of a game: replacements, deaths, prods, absences, notes, PMs and rooms."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import Literal

from knightfall.api.folder import GameFolder, of_thread
from knightfall.services import pms
from knightfall.services.count import activity
from knightfall.services.game import players, rooms
from knightfall.services.game.players import Absence, Note, Prods, SlotChange
from knightfall.services.game.rooms import RoomsLedger, RoomsMarked
from knightfall.services.pms import Marked, PmBatch, PmLedger, PmToSend
from knightfall.services.requests import PostOptions, RoomsRequest


class GamePeople(GameFolder):
    """The people of a game.

    Who is named is named as anywhere, by a nickname too. `from_post` is the first post from which on a change
    holds (None: behind the last one read); `why` is kept in the journal and never posted; `dialect` is that
    of the post (None: your site's). Each raises InputError for the name of nobody, and SecretGuard where a
    text gives something away and `allow_leak` has no reason: then nothing is written.
    """

    __slots__ = ()

    def replace(
        self,
        old: str,
        new: str,
        *,
        from_post: int | None = None,
        why: str = "",
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> SlotChange:
        """Give a slot to another account; it keeps its vote and its role. Raises InputError where they play
        already, or the slot is dead."""
        options = PostOptions(dialect, allow_leak)
        return players.replace_player(old, new, _post(from_post), why, options, self._session())

    def modkill(
        self,
        name: str,
        *,
        why: str,
        from_post: int | None = None,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> SlotChange:
        """Take a player out of the game; the post does not give the reason."""
        options = PostOptions(dialect, allow_leak)
        return players.modkill(name, _post(from_post), why, options, self._session())

    def kill(
        self,
        name: str,
        *,
        why: str = "",
        from_post: int | None = None,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> SlotChange:
        """Note that somebody died during a day. Raises DecisionNeeded where the game knows no such death."""
        options = PostOptions(dialect, allow_leak)
        return players.kill(name, _post(from_post), why, options, self._session())

    def revive(
        self,
        name: str,
        *,
        why: str = "",
        from_post: int | None = None,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> SlotChange:
        """Bring a player back to life. Raises InputError for one that lives."""
        options = PostOptions(dialect, allow_leak)
        return players.revive(name, _post(from_post), why, options, self._session())

    def prod(
        self,
        names: Sequence[str] = (),
        *,
        draft: bool = False,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> Prods:
        """Prod who is named, else everybody who is due by the rule, by the thread as it was last read.

        A PM for each lies in private/; the post says how many, not who. `draft` saves the PMs alone. Raises
        InputError where nobody is due.
        """
        return players.prod(tuple(names), draft, PostOptions(dialect, allow_leak), self._session())

    def note_absence(
        self,
        name: str,
        first: date | str,
        last: date | str | None = None,
        *,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> Absence:
        """Note that somebody is away from its first day to its last (None: that day alone).

        Days are dates, or as you would type them (“Fri”). Raises InputError for days that are none, TimeError
        where the game file names no zone to have days in.
        """
        days = _day(first) if last is None else f"{_day(first)}..{_day(last)}"
        return players.note_absence(name, days, PostOptions(dialect, allow_leak), self._session())

    def write_note(self, text: str, *, dialect: str | None = None, allow_leak: str = "") -> Note:
        """Write a note to all players, and keep it."""
        return players.write_note(text, PostOptions(dialect, allow_leak), self._session())

    def pms(self, family: Literal["role", "result"], *, batch: str | None = None) -> PmLedger:
        """How far the PMs of a batch have come: copied, sent, confirmed; no text is in it.

        `batch` is its name, such as "result-2" (None: the latest). Raises InputError where there are none.
        """
        session = self._session()
        found = pms.known_batches(family, session)
        return pms.ledger(pms.chosen(found, batch), found, session)

    def pms_for(
        self, name: str, *, batch: str | None = None, dialect: str | None = None
    ) -> tuple[PmToSend, ...]:
        """The PMs of one player with their texts, of the batch that is named, else the latest with any."""
        return pms.pms_for(name, batch, dialect, self._session())

    def next_pm(
        self,
        family: Literal["role", "result"],
        *,
        batch: str | None = None,
        name: str | None = None,
        dialect: str | None = None,
        same_text: str = "",
    ) -> PmToSend | None:
        """The PM of a batch to send next, in an order that gives nothing away, or that of one player.

        None where all were sent. Once it went out: `mark_pms("sent", [pm.pm.holder])`. Raises DecisionNeeded
        where the very same text went to somebody else and `same_text` gives no reason for it.
        """
        session = self._session()
        found = pms.chosen(pms.known_batches(family, session), batch)
        return pms.next_pm(found, name, dialect, same_text, session)

    def mark_pms(
        self, state: Literal["sent", "confirmed"], names: Sequence[str], *, batch: str | None = None
    ) -> Marked:
        """Record that PMs were sent or confirmed: for all who are named, or for nobody.

        Without `batch` it is each player's newest PM, or the one that was copied since.
        """
        return pms.mark(state, tuple(names), batch, self._session())

    def rooms(self) -> RoomsLedger:
        """The private topics, with who should be in each now and who is noted as being in it."""
        return rooms.rooms(self._session())

    def mark_rooms(self, room: str = "", names: Sequence[str] = ()) -> RoomsMarked:
        """Note that all that is due in a room ("": in every room) was done, or of who is named alone.

        Raises InputError for no such room or name, SaidAlready where it is noted so already.
        """
        return rooms.mark_rooms(RoomsRequest(room, tuple(names)), self._session())

    def prod_pms(self, *, as_of: int | str | datetime | None = None, stored: bool = False) -> PmBatch:
        """The PMs to players who are due a prod, each a draft in private/ too; once one is marked as sent, it
        counts as a prod. Raises InputError where the game has no rule for prods, and what counting raises."""
        session = self._session()
        batch = activity.prod_batch(of_thread(as_of, None, stored), session)
        activity.write_drafts(batch, session.folder)
        return batch


def _post(number: int | None) -> str | None:
    return None if number is None else str(number)


def _day(day: date | str) -> str:
    return day.isoformat() if isinstance(day, date) else day
