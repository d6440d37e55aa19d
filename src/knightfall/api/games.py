"""Games that are played in a folder: made, opened, sent messages to, and closed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from secrets import token_bytes

from knightfall.api.folder import typed
from knightfall.api.game_days import GameDays
from knightfall.api.game_journal import GameJournal
from knightfall.api.game_people import GamePeople
from knightfall.api.game_votes import GameVotes
from knightfall.api.threads import refuse_disorder
from knightfall.engine.journal import Record
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.what_if import WhatIf, Why
from knightfall.models import Thread
from knightfall.services import what_if
from knightfall.services.day import phases
from knightfall.services.game.adopt import TakeInRequest, adopt_game
from knightfall.services.game.adoption import Adoption
from knightfall.services.game.due import Due, due
from knightfall.services.game.new import begin, begin_from
from knightfall.services.game.status import GameStatus, status
from knightfall.services.keep.take_over import TakenOver, reads_whole, take_over
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import MailRequest, NewGameRequest, PostOptions
from knightfall.services.running import begun
from knightfall.services.session import journal_of
from knightfall.services.what_if import Preview
from knightfall.services.window import receipts, turns
from knightfall.services.window import waiting as awaited
from knightfall.services.window.inbox import Intake, take_in
from knightfall.services.window.message_table import LineChoices, line_choices
from knightfall.services.window.turns import ClosingLook, DrawsAhead, HandDraw, Submissions
from knightfall.services.window.waiting import PendingWindow


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """A line that was not taken: a short code, one sentence, and in a night whose it was."""

    line: str
    code: str
    sentence: str
    slot: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Closing(JsonAnswer):
    """What goes out when something is closed: posts for everybody, in order; recipient → PM; and sheets for
    the moderator alone. The same texts lie in the folder's `public/` and `private/`, and in `public/` the
    pictures of the board that belong to the posts."""

    posts: tuple[str, ...]
    pms: Mapping[str, str]
    sheets: tuple[str, ...] = ()
    pictures: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Receipt(JsonAnswer):
    """What became of a message: lines that were not taken, and what it led to at once (`Closing`)."""

    refused: tuple[RefusedLine, ...]
    led_to: Closing

    @property
    def accepted(self) -> bool:
        """Whether every line was taken."""
        return not self.refused


@dataclass(frozen=True, slots=True, repr=False)
class Game(GameVotes, GameDays, GamePeople, GameJournal):
    """A game of a folder. Everything is written there at once; two programs may have it open.

    Each method is a verb of the command line: it asks the same service, prints nothing and returns its
    answer, a frozen value with `to_dict()`. Whatever goes wrong is a `KnightfallError`.
    """

    @classmethod
    def create(
        cls,
        game: str,
        players: Iterable[str],
        folder: str | Path,
        *,
        options: Mapping[str, object] | None = None,
        title: str = "",
        timezone: str = "UTC",
        site: str = "",
        moderators: Sequence[str] = (),
        threads: Sequence[tuple[str, str]] = (),
        at_deadline: str = "ask",
        seed: bytes | None = None,
        salt: bytes | None = None,
        dialect: str = "",
        allow_leak: str = "",
        fair: bool = False,
    ) -> Game:
        """Deal a game into a new folder, with its first posts and PMs.

        `game` is an id such as "kings_court", or "votes" where you only count; without `players` it is dealt
        later, by `deal`. `folder` must hold no game yet. `options` are name → value, as the rulings of the
        game tell them; `timezone` such as "America/New_York"; `site` the dialect of posts, `dialect` that of
        the first ones where it is another; `threads` pairs of role (game, vote, signup, private, dead) and
        address; `at_deadline` what happens where a majority decides and nobody has it then: “ask” (you
        choose), “nobody” or “most”. `seed` and `salt` are 16 bytes or more each: the deal is drawn from them
        (None: from secret chance). `fair`: it is not dealt yet, so that nobody can choose the deal: go on
        with `commit_deal`, `enter_round` and `deal`.

        Raises InputError where the folder holds a game already, or the game cannot be played with these names
        and options; SetupError where a value cannot stand in a game.toml; SecretGuard where a first post
        gives something away and `allow_leak` has no reason.
        """
        request = NewGameRequest(
            game,
            tuple(players),
            Path(folder),
            seed or token_bytes(32),
            salt or token_bytes(32),
            title,
            timezone,
            dict(options or {}),
            dialect,
            site,
            tuple(moderators),
            tuple(threads),
            allow_leak,
            at_deadline=at_deadline,
            fair=fair,
        )
        begin(request, session_of(request.folder))
        return cls.open(folder)

    @classmethod
    def adopt(
        cls,
        running: Adoption,
        folder: str | Path,
        *,
        until: datetime | None = None,
        timezone: str = "UTC",
        options: Mapping[str, object] | None = None,
        despite_doubts: bool = False,
        seed: bytes | None = None,
        salt: bytes | None = None,
    ) -> Game:
        """Make a game in an empty folder of one that was begun elsewhere, as `running_game` read it: it goes
        on where it stands. Its roles are as they were told, and nothing proves them.

        `until` is the deadline of what is open (None: as a post tells it); `options` are those of its game;
        from `seed` and `salt` all chance is drawn from now on.

        Raises InputError where the folder holds something, a role is missing or no card of the game, or the
        game could not stand so; DecisionNeeded where something is in doubt, unless `despite_doubts`.
        """
        request = TakeInRequest(
            Path(folder),
            seed or token_bytes(32),
            salt or token_bytes(32),
            until or running.until,
            timezone,
            dict(options or {}),
            despite=despite_doubts,
        )
        adopt_game(running, request, session_of(None), session_of)
        return cls.open(folder)

    @staticmethod
    def take_over(texts: Sequence[str], folder: str | Path, *, stored: bool = False) -> TakenOver:
        """Go on with a game that another moderator handed over, in an empty folder or in the game's own.

        `texts` are its parts, or the saved pages of the topic in which they stand. In a folder of the same
        game what is new comes in; where both wrote, what bears on nothing of ours does, and the rest is named
        in `forks`. Then the game's thread is read, unless it is `stored`. Open the game with `Game.open`.

        Raises InputError where the texts hold no whole hand-over, or the folder holds something else,
        StateDamaged for one that was changed.
        """
        done = take_over(texts, Path(folder), session_of)
        read = "" if stored else reads_whole(session_of(done.folder))
        return replace(done, notes=(*done.notes, *((read,) if read else ())))

    @classmethod
    def create_from(
        cls,
        file: str | Path,
        folder: str | Path,
        *,
        seed: bytes | None = None,
        salt: bytes | None = None,
        dialect: str = "",
        allow_leak: str = "",
    ) -> Game:
        """Make a game in a new folder by a game.toml that is copied as it stands; deal if it lists players.

        Raises as `create`.
        """
        request = NewGameRequest(
            "",
            (),
            Path(folder),
            seed or token_bytes(32),
            salt or token_bytes(32),
            dialect=dialect,
            allow=allow_leak,
        )
        begin_from(Path(file), request, session_of(request.folder))
        return cls.open(folder)

    @classmethod
    def open(
        cls,
        folder: str | Path,
        *,
        cookies: str | Path | None = None,
        allow_private_host: bool = False,
        user_agent: str = "",
        thread: Thread | None = None,
    ) -> Game:
        """The game of a folder; `cookies`, `allow_private_host`, `user_agent` and `thread` are as in
        `GameFolder`. A bot of a chat opens it again with each post more.

        Raises InputError where there is none, StateDamaged where seed or journal are not as they were
        written.
        """
        if thread is not None:
            refuse_disorder(thread)
        lent = Path(cookies) if cookies else None
        game = cls(Path(folder), lent, allow_private_host, user_agent, thread)
        session = game._session()
        if session.file.exists() and not begun(journal_of(session)):
            _ = now_of(session).setup  # to be dealt, or votes alone
        else:
            _ = now_of(session).running
        return game

    # ── How it stands. ────────────────────────────────────────────────────────────────────────────────────

    def status(self) -> GameStatus:
        """What is open and until when, who lives, what needs a decision, what was posted, and what is due."""
        return status(self._session())

    def due(self) -> tuple[Due, ...]:
        """What is due, the most urgent first: `what` in a sentence, `why`, `since` and `until` when, and how
        urgent. () where nothing is."""
        return due(self._session())

    def missing(self, *, at: int | str | datetime | None = None) -> tuple[PendingWindow, ...]:
        """Each open window: who has sent nothing since it opened (`absent`), until when they can (`until`: an
        aware instant, or None), and what happens to who never does. () once the game is over. `at` asks as of
        an entry of the journal or a time."""
        return awaited.pending(now_of(self._session(at)).running)

    def remind(self) -> tuple[Path, ...]:
        """Save a reminder for everybody whose message is awaited in private/, and return the files."""
        return awaited.reminders(self._session())

    # ── Messages. ─────────────────────────────────────────────────────────────────────────────────────────

    def submit(
        self,
        who: str,
        text: str,
        *,
        at: datetime | str | None = None,
        late: bool = False,
        for_slot: bool = False,
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> Receipt:
        """Take in a message of a player, or of the "moderator": one entry of the journal, applied whole.

        `at` is when it was sent, an instant or as you would type it (None: now): it belongs to what was open
        then. With `late` it is put there although that is closed, and all that came after it is played
        again; with `for_slot` a message of somebody who has left counts for their slot. What is not
        understood or not allowed is in `Receipt.refused`, and leaves what stood before. Raises InputError for
        a name that is nobody's and for an empty message, DecisionNeeded where the time was up by then or one
        of these two is needed, SecretGuard where a post it leads to gives something away and `allow_leak` has
        no reason: then nothing is kept.
        """
        session = self._session()
        sent = None if at is None else turns.instant_of(typed(at), session)
        return _receipt(turns.submit(who, text, dialect, session, allow_leak, sent, late, for_slot))

    def leave_out(self, who: str, text: str, why: str, *, at: datetime | str | None = None) -> Record:
        """Keep why a message that `submit` asks about does not count: one of somebody who has left, or one
        that is read late. It is not asked about again while that entry stands.

        Raises InputError without a reason, and for a message that counts without a question.
        """
        session = self._session()
        sent = None if at is None else turns.instant_of(typed(at), session)
        return turns.leave_out(who, text, why, session, sent)

    def preview_message(self, who: str, text: str) -> Receipt:
        """What a message would lead to, in plain text; nothing is written. Raises InputError as `submit`."""
        return _receipt(turns.preview(who, text, self._session()))

    def choices(self, who: str) -> LineChoices:
        """What a player, or the "moderator", can send now: each of its `lines` is taken as it is; `forms` are
        the lines in general, where there are more than can be listed. () where nothing is awaited of them.
        Raises InputError for a name that is nobody's."""
        return line_choices(who, self._session())

    def take_in(
        self,
        *,
        threads: bool = False,
        from_pms: str | Path | None = None,
        from_form: str | Path | None = None,
        from_pages: Sequence[str | Path] = (),
        name_column: str = "",
        text_columns: Sequence[str] = (),
        dates: str | None = None,
        again: bool = False,
        stored: bool = False,
        dry_run: bool = False,
        late: bool = False,
        leave_out: str = "",
        dialect: str = "",
        allow_leak: str = "",
    ) -> Intake:
        """Record all new messages of the private `threads`, of exported PMs, of pages of PMs, or of the
        answers to a form.

        `from_pms` is a CSV file of vBulletin, `from_pages` are pages as they were saved in a browser;
        `from_form` is a CSV file whose columns are guessed unless they are named by `name_column` and
        `text_columns`; `dates` is "dmy" or "mdy" where a date could be either. `again`
        reads every page of the threads anew, `stored` none; `dry_run` records nothing, `late` also what was
        in time and is read late, as in `submit`. `leave_out` is why what is from somebody who has left does
        not count, and is not asked about again. No message is recorded twice; what is unclear is in
        `Intake.questions`. Raises InputError where the source cannot be read.
        """
        request = MailRequest(
            threads,
            Path(from_pms) if from_pms else None,
            Path(from_form) if from_form else None,
            tuple(map(Path, from_pages)),
            name_column,
            tuple(text_columns),
            dates,
            dry=dry_run,
            again=again,
            stored=stored,
            late=late,
            leave_out=leave_out,
            dialect=dialect or None,
            allow=allow_leak,
        )
        return take_in(request, self._session())

    def submissions(self, *, at: int | str | datetime | None = None) -> Submissions:
        """The messages since something was last closed. Secret."""
        return turns.submissions(self._session(at))

    def draws(self) -> DrawsAhead:
        """What the next closing draws, and by which labels. Secret until then."""
        return turns.draws_ahead(self._session())

    def draw(self, label: str, values: Sequence[str]) -> HandDraw:
        """Enter a card or die of your own for the next closing; several values for a shuffle.

        Raises InputError for a label that is not drawn, and for a value that is not in the pile.
        """
        return turns.draw(label, values, self._session())

    # ── What closing leads to. ────────────────────────────────────────────────────────────────────────────

    def preview(
        self,
        window: str | None = None,
        number: int | None = None,
        *,
        dialect: str = "plain",
        flavour: str = "",
        allow_leak: str | None = None,
    ) -> Preview:
        """What closing would lead to now: causes, posts and PMs; nothing is written.

        `window` is its kind where several things are open; `number` asks about one that was closed. `flavour`
        are your own words before the dawn of a night: SecretGuard is raised where they give something away
        and `allow_leak` has no reason. Raises InputError where nothing is open.
        """
        session = self._session()
        words = what_if.check_flavour(session, flavour, allow_leak, number).text if flavour else ""
        return what_if.preview(session, window, number, dialect, words)

    def why(self, name: str, window: str | None = None, number: int | None = None) -> Why:
        """What a closing means for one player: why they live or die, what they are told, each step with the
        ruling it rests on. Raises InputError for a name that is nobody's."""
        return what_if.why(self._session(), name, window, number)

    def whatif(self, *changes: str, window: str | None = None, number: int | None = None) -> WhatIf:
        """What would be different: "remove Ada:heal", "add Ada: track Boro", "set OPTION = VALUE".

        A line that the game does not take is in `refused`. Raises InputError for a change that is none.
        """
        return what_if.what_if(self._session(), changes, window, number)

    def look_at_close(self, window: str | None = None) -> ClosingLook:
        """Who sent nothing, whose message was refused, and how much time is left; nothing is closed."""
        return turns.look(window, self._session())

    def close(
        self,
        window: str | None = None,
        *,
        why_early: str = "",
        next_ends: datetime | str = "",
        dialect: str | None = None,
        allow_leak: str = "",
    ) -> Closing:
        """Close what is open: by its kind ("night", "round") where several things are.

        `next_ends` is the deadline of what opens then, `why_early` the reason to close before its time what
        closes at its time alone. A day that is voted on in a thread is closed by `close_day`.

        Raises DecisionNeeded where the game cannot close it yet, InputError where nothing is open or it is
        not clear what is meant, SecretGuard as `submit` does: then nothing is written.
        """
        session = self._session()
        ends = phases.check_ends(typed(next_ends), session) if next_ends else None
        done = turns.close(window, dialect, session, allow_leak, why_early, ends)
        if done.opened is not None:
            phases.next_phase(done.opened, PostOptions(dialect, allow_leak), session)
        return _closing(done.receipt)


def texts_by(texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Recipient → text; several texts of one recipient with a blank line between them."""
    found: dict[str, list[str]] = {}
    for whose, text in texts:
        found.setdefault(whose, []).append(text)
    return {whose: "\n\n".join(parts) for whose, parts in found.items()}


def _receipt(led: receipts.Receipt) -> Receipt:
    return Receipt(tuple(RefusedLine(line, why.code, why.text) for line, why in led.refused), _closing(led))


def _closing(led: receipts.Receipt) -> Closing:
    everything = led.texts
    return Closing(
        tuple(text.text for text in everything if text.is_public),
        texts_by((text.whose, text.text) for text in everything if text.is_pm),
        tuple(text.text for text in everything if not (text.is_public or text.is_pm)),
        led.pictures,
    )
