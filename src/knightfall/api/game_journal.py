"""What is asked of the journal of a game, its posts, its rules and its folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from secrets import token_bytes
from typing import Any

from knightfall.api.folder import GameFolder, of_thread, typed
from knightfall.config.game_file import read_setup
from knightfall.engine.journal import Record
from knightfall.engine.lookup import Answer
from knightfall.errors import InputError
from knightfall.games import lookups_of
from knightfall.services import fair_deal, hand_marks, journal
from knightfall.services.fair_deal import DealVerdict
from knightfall.services.game import commitment, lookups, undo
from knightfall.services.game import new as new_game
from knightfall.services.game.commitment import Commitment, RoundEntered
from knightfall.services.game.file import name_thread
from knightfall.services.game.lookups import GameRulings
from knightfall.services.game.new import BegunGame
from knightfall.services.game.undo import Undoing, UndoLook
from knightfall.services.games import ask
from knightfall.services.journal import JournalExport, JournalImport, Log
from knightfall.services.keep import doctor, verify
from knightfall.services.keep.archive import Archive, write_archive
from knightfall.services.keep.doctor import Diagnosis
from knightfall.services.keep.hand_over import HandOver, HandOverRequest, hand_over, write_hand_over
from knightfall.services.keep.passport import Passport, passport, write_passport
from knightfall.services.keep.support import for_support
from knightfall.services.keep.verify import Verification
from knightfall.services.posts import owed as texts
from knightfall.services.posts import write as posts
from knightfall.services.posts.write import PostDraft
from knightfall.services.questions import QUESTIONS, About, Reported
from knightfall.services.requests import CommitRequest, DealRequest, PostRequest
from knightfall.services.window import turns
from knightfall.services.window.turns import History


class GameJournal(GameFolder):
    """The journal of a game, what goes out of it, and what can be looked up.

    `allow_leak` is a reason to let a text pass that gives something away: without one SecretGuard is raised
    and nothing is written.
    """

    __slots__ = ()

    # ── The journal. ──────────────────────────────────────────────────────────────────────────────────────

    def log(self, *, at: int | str | datetime | None = None) -> Log:
        """Every entry, the oldest first, as of an entry or a time."""
        return journal.log(self._session(at))

    def history(self, what: str | int, *, at: int | None = None) -> History:
        """Every line of posts, PMs and sheets that names somebody or a number, up to entry `at`.

        Each with the entry behind it. Raises InputError where it stands nowhere.
        """
        return turns.history(str(what), None if at is None else typed(at), self._session())

    def rule(self, question: str, answer: str, *, why: str, tell_why: bool = False) -> Record:
        """Record a ruling of yours; `tell_why`: its reason is published with it when the game is over. Raises
        InputError where question, answer or reason is empty."""
        return journal.rule(question, answer, why, self._session(), tell_why)

    def look_at_undo(self, number: int | None = None) -> UndoLook:
        """What taking an entry back would take back with it; nothing is undone."""
        return undo.look_at_undo(number, self._session())

    def undo(self, number: int | None = None, *, why: str, allow_leak: str = "") -> Undoing:
        """Take an entry back (None: the last one that stands); an undo can be undone, too.

        Its texts move to private/void/, and texts that change are written again. Raises InputError where
        there is no such entry, or it was taken back already.
        """
        return undo.undo(number, why, self._session(), allow_leak)

    def verify(self, *, against: Sequence[str | Path] = ()) -> Verification:
        """Whether anything was changed or damaged: hashes, the deal, and every posted text made again.

        The last lines of posts are compared as they were read, and as they stand in the files `against`, such
        as a saved page. Raises SetupError for one that cannot be read.
        """
        return verify.verify_game(self._session(), tuple(map(Path, against)))

    def write_missing(self, *, allow_leak: str = "") -> tuple[Path, ...]:
        """Write the texts again that entries owe and that are not in the folder; return their files."""
        return texts.write_missing(self._session(), allow_leak)

    def hand_over(
        self,
        *,
        since: int = 0,
        limit: int | None = None,
        out: str | Path | None = None,
    ) -> HandOver:
        """The game as text for the moderators' own topic, from which another one goes on: `posts`, each of at
        most `limit` letters; with `since` only what came after that entry. Secret. `out` is a file into
        which it is written as well.

        Raises InputError for an entry that there is not.
        """
        session = self._session()
        done = hand_over(HandOverRequest(since, limit), session)
        if out is not None:
            write_hand_over(done, Path(out))
        hand_marks.note_handed_over(done.entry, done.digest, session)
        return done

    def passport(
        self, *, public: bool = False, out: str | Path | None = None, allow_leak: str = ""
    ) -> Passport:
        """The game as JSON for other programs, as `knightfall/passport.schema.json` has it; `public` only
        what players may know. `out` is a file into which it is written as well.

        Raises InputError where nothing was played or read yet, SecretGuard as other texts do.
        """
        found = passport(self._session(), public, allow_leak)
        if out is not None:
            write_passport(found, Path(out))
        return found

    def export(self, file: str | Path, *, public: bool = False) -> JournalExport:
        """Write the journal as JSON Lines into a new file; `public` only what players may know.

        Raises InputError where the file is there already, or there is nothing to export.
        """
        return journal.export_journal(Path(file), self._session(), public)

    def import_journal(self, file: str | Path, *, drop_torn_line: bool = False) -> JournalImport:
        """Take in what an export has and the journal here has not; all of it, or nothing.

        Raises StateDamaged for a record that is not as it was exported, DecisionNeeded where the two journals
        part, InputError for a last line that is cut off unless `drop_torn_line` says so.
        """
        return journal.import_journal(Path(file), drop_torn_line, self._session())

    # ── Posts and the folder. ─────────────────────────────────────────────────────────────────────────────

    def post(
        self,
        kind: str,
        *,
        dialect: str | None = None,
        flavour: str | Path | None = None,
        limit: int | None = None,
        form: str | None = None,
        stored: bool = False,
        posted: bool = False,
        allow_leak: str = "",
    ) -> PostDraft:
        """Write a post for the thread into public/: "votecount", "dawn", "rules", "endgame" …

        `flavour` is a file of your own words to put first, `limit` the longest part in the unit of the
        dialect, `form` "csv" or "json" for "archive". `posted` records that you posted it: later ones are
        compared with it. Raises InputError for a kind that there is not, or that cannot be said yet.
        """
        session = self._session()
        request = _post_request(kind, dialect, flavour, limit, form, stored, allow_leak)
        if not posted:
            return posts.write_post(request, session)
        with session.turn:
            draft = posts.write_post(request, session)
            posts.mark_posted(draft, session)
        return draft

    def preview_post(
        self,
        kind: str,
        *,
        dialect: str | None = None,
        flavour: str | Path | None = None,
        limit: int | None = None,
        form: str | None = None,
        stored: bool = False,
        allow_leak: str = "",
    ) -> PostDraft:
        """The same post, kept nowhere; `last` is the one of its kind that was posted last."""
        request = _post_request(kind, dialect, flavour, limit, form, stored, allow_leak)
        return posts.draft_post(request, self._session())

    def archive(
        self, *, public: bool = False, out: str | Path | None = None, allow_leak: str = ""
    ) -> Archive:
        """Save the whole game as web pages in a folder; `public` without secrets until it is over.

        It uses what was read. Raises InputError where there is nothing to keep, or `out` holds other things.
        """
        return write_archive(self._session(), public, Path(out) if out else None, allow_leak)

    def name_thread(self, role: str, url: str) -> str:
        """Name a thread of the game in game.toml, and return its address; `role` is game, vote, signup,
        private or dead. Raises InputError for what is no address, or a thread that is named already."""
        return name_thread(role, url, self._session())

    def deal(
        self,
        players: tuple[str, ...] = (),
        *,
        setup: str | Mapping[str, Any] = "",
        seed: bytes | None = None,
        salt: bytes | None = None,
        dialect: str = "",
        allow_leak: str = "",
    ) -> BegunGame:
        """Deal to the players of the game file, or to those named, and begin the game.

        `setup` is a code, or a table of your own; `seed` and `salt` are 16 bytes or more each (None: drawn in
        secret). Raises InputError where the game has begun, or cannot be played so.
        """
        chance, grain = seed or token_bytes(32), salt or token_bytes(32)
        request = DealRequest(chance, grain, players=players, setup=setup, dialect=dialect, allow=allow_leak)
        return new_game.deal_game(request, self._session())

    def commit_deal(
        self,
        *,
        round: int = 0,
        beacon: str = "quicknet",
        setup: str | Mapping[str, Any] = "",
        dialect: str = "",
        secret: bytes | None = None,
    ) -> Commitment:
        """Commit to a deal that nobody can choose: `deal` then deals by it.

        `round` of the beacon, 0: one in 15 minutes; `secret`: 32 bytes (None: drawn). Raises InputError where
        the game was dealt, cannot be played so, or the round is less than ten minutes ahead.
        """
        drawn = secret or token_bytes(32)
        return commitment.commit_deal(CommitRequest(drawn, round, beacon, setup, dialect), self._session())

    def enter_round(self, value: str = "fetch") -> RoundEntered:
        """Enter the round that was named: what a mirror answers, its signature or value in hex, or “fetch” to
        read it at two mirrors. Raises InputError before the round, for what is not its signature, and where
        mirrors do not agree."""
        return commitment.enter_round(value, self._session())

    def open_card(self, name: str = "") -> str:
        """The line that opens a player's card, as it was dealt; without a name those of the opening post.

        Raises InputError where the game was not dealt by a commitment, or nobody is called so.
        """
        return fair_deal.opened(name, self._session())

    def check_deal(self) -> DealVerdict:
        """What the posts of the game's threads show of a deal that nobody could choose, as they were read
        last. Raises InputError where none was read."""
        return fair_deal.verdict_of(fair_deal.check_game(self._session()).findings)

    def health(self, *, online: bool = False, support: bool = False) -> Diagnosis:
        """What is wrong with the folder, the database, the journal, the seed or the clock, and what to do;
        `online` asks the forum, too. `support`: what support would ask of the install and of the game,
        without secrets, names of players and addresses."""
        session = self._session()
        return for_support(session, os.environ) if support else doctor.health(session, online)

    # ── The rules. ────────────────────────────────────────────────────────────────────────────────────────

    def rulings(self) -> GameRulings:
        """The rulings of the game, and its options as they were chosen. Raises InputError where votes alone
        are counted here."""
        return lookups.rulings(self._kind, self.folder)

    def ask(
        self,
        question: str,
        given: Mapping[str, object] | None = None,
        *,
        as_of: int | str | datetime | None = None,
        day: int | None = None,
        stored: bool = False,
    ) -> Reported:
        """The answer to a declared question: "near", "log", "submissions" and the others.

        `given` are its own parameters by name; `as_of`, `day` and `stored` say which count or moment is
        meant, where it is about one. The answer has `to_dict()` and `report()`. Raises InputError for a
        question that there is not, and for a parameter that it does not have.
        """
        declared = QUESTIONS.get(question)
        if declared is None:
            raise InputError(f"There is no question “{question}”. There are: {', '.join(QUESTIONS)}.")
        match declared.about:
            case About.THREAD:
                return declared.answer(of_thread(as_of, day, stored), self._session(), given=given)
            case About.MOMENT:
                return declared.answer(self._session(as_of), given=given)
            case About.GAME:
                return declared.answer(self._session(), given=given)
        return declared.answer(given=given)

    def lookup(self, question: str, given: Mapping[str, object] | None = None) -> Answer:
        """What the game answers from its rules: "setups", "roles", "odds", "moves", "replay".

        `given` are the parameters by name; a record that is asked for and not given is that of this game. The
        answer has `to_dict()` and `text()`. Raises InputError where the game has no such question.
        """
        asked = dict(given or {})
        lookup = lookups_of(self._kind).get(question)
        if lookup is not None and lookup.live is not None:
            record = next(one.name for one in lookup.parameters if one.positional)
            if record not in asked:
                asked[record] = lookups.live_text(self._kind, question, self._session())
        return ask(self._kind, question, asked)

    @property
    def _kind(self) -> str:
        return read_setup(self.folder).kind


def _post_request(
    kind: str,
    dialect: str | None,
    flavour: str | Path | None,
    limit: int | None,
    form: str | None,
    stored: bool,
    allow_leak: str,
) -> PostRequest:
    words = Path(flavour) if flavour else None
    return PostRequest(kind, dialect, words, limit, form, allow_leak, stored)
