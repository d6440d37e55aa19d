"""What is asked of a game's thread: its votes, its players, who posts, and what was read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from knightfall.api.folder import GameFolder, of_thread
from knightfall.api.votes import Count
from knightfall.engine.journal import Record
from knightfall.services import boards, evidence, journal
from knightfall.services import threads as reading
from knightfall.services.count import activity, nickname_book, plots, roster
from knightfall.services.count import explain as explain_count
from knightfall.services.count.activity import ActivityReport
from knightfall.services.count.explain import Explanation, NearMisses
from knightfall.services.count.nickname_book import NicknameBook
from knightfall.services.count.plots import Plot
from knightfall.services.count.roster import NicknameSuggestions, SlotList
from knightfall.services.count.votecount import counted, with_footnotes
from knightfall.services.evidence import History
from knightfall.services.game import signups
from knightfall.services.game.signups import PlayersTyped, SignupsRead, SignupsWritten
from knightfall.services.requests import CountRequest, NicknameRequest, PlotRequest
from knightfall.services.threads import ThreadRead


class GameVotes(GameFolder):
    """The thread of a game.

    `as_of` is the number of the last post that counts, an instant with a zone, or a time as you would type it
    (None: the latest post); `day` the number of a day (None: the one of that post); `stored` uses what was
    read before and asks no forum. Each raises what counting raises: IncompleteRead, EvidenceError and
    SiteRefused for a thread that cannot be read, InputError for a post or day that there is not.
    """

    __slots__ = ()

    def count(
        self,
        *,
        as_of: int | str | datetime | None = None,
        day: int | None = None,
        stored: bool = False,
        again: bool = False,
        footnotes: bool = False,
    ) -> Count:
        """Count the votes, with all that you decided; `again` reads every page of the thread anew before,
        `footnotes` lists your decisions on posts, with reasons, below the post.

        `Count.to_text` shows what players may see. To have the post checked for secrets, kept in public/ and
        compared with the next: `post("votecount")`.
        """
        done = counted(of_thread(as_of, day, stored, again), self._session())
        count = with_footnotes(done).count if footnotes else done.count
        return Count(done.thread, count, done.setup)

    def near_misses(
        self, *, as_of: int | str | datetime | None = None, day: int | None = None, stored: bool = False
    ) -> NearMisses:
        """What looks like a vote and was not counted, in the order of the thread, each with its reason."""
        return explain_count.near_misses(of_thread(as_of, day, stored), self._session())

    def explain(
        self,
        what: str | int,
        *,
        as_of: int | str | datetime | None = None,
        day: int | None = None,
        stored: bool = False,
    ) -> Explanation:
        """Why the count stands so: the votes on a player, or all that was read in a post (84 or "#84").

        Hidden weights are in it. Raises InputError where nobody votes for that player too. What players were
        told by a game that is played here: `history`.
        """
        return explain_count.explain(str(what), of_thread(as_of, day, stored), self._session())

    def fix(
        self,
        post: int,
        *,
        why: str,
        to: str | None = None,
        no_elimination: bool = False,
        ignore: bool = False,
        unvote: bool = False,
        count: bool = False,
    ) -> Record:
        """Decide how a post counts, and return the entry of the journal.

        Say exactly one: `to` a player, `no_elimination`, `ignore` (no vote in it), `unvote`, or `count` (its
        votes as they are written, in any form). The latest decision on a post holds. Raises InputError for no
        or several of them, for the name of nobody, and without a reason.
        """
        decision = journal.Decision(to, no_elimination, ignore, unvote, count)
        return nickname_book.fix(str(post), decision, why, self._session())

    def alias(self, slot: str, name: str, *, why: str) -> Record:
        """Teach another name of a player. Raises InputError where it is a name of somebody else."""
        return nickname_book.alias(slot, name, why, self._session())

    def roster(self, *, as_of: int | str | datetime | None = None, stored: bool = False) -> SlotList:
        """Every slot: who holds it, earlier holders, nicknames, how it left, its last post."""
        return roster.roster(of_thread(as_of, None, stored), self._session())

    def nicknames(
        self, *, as_of: int | str | datetime | None = None, stored: bool = False
    ) -> NicknameSuggestions:
        """Nicknames that the thread teaches, each with its evidence; `alias` takes one up."""
        return roster.suggest(of_thread(as_of, None, stored), self._session())

    def nickname_book(
        self, *, site: str | None = None, forget: str | None = None, account: str | None = None
    ) -> NicknameBook:
        """Your book of nicknames: what your answers taught on a `site` (None: that of the game), less a name
        to `forget`, for one `account` or for all that it means.

        Raises InputError where that name is not in it, StateDamaged where the book cannot be read.
        """
        return nickname_book.nickname_book(NicknameRequest(site, forget, account), self._session())

    def activity(self, *, as_of: int | str | datetime | None = None, stored: bool = False) -> ActivityReport:
        """Who posts how much, who is silent since when, and who is due a prod.

        Raises TimeError where the rule for prods speaks of days and the game file names no zone.
        """
        return activity.activity(of_thread(as_of, None, stored), self._session())

    def prods_post(
        self,
        dialect: str,
        *,
        as_of: int | str | datetime | None = None,
        stored: bool = False,
        allow_leak: str = "",
    ) -> str:
        """The public list of who is due a prod, by name alone. Raises InputError where no rule says when one
        is due, SecretGuard where it gives something away and `allow_leak` has no reason."""
        session = self._session()
        found = activity.activity(of_thread(as_of, None, stored), session)
        return activity.prods_post(found, dialect, session, allow_leak)

    def plot(
        self,
        kind: Literal["wagons", "activity", "votes"],
        *,
        out: str | Path | None = None,
        as_text: bool = False,
        by_time: bool = False,
        as_of: int | str | datetime | None = None,
        day: int | None = None,
        stored: bool = False,
    ) -> Plot:
        """Draw wagons, posts or votes: an SVG or PNG by the ending of `out` (None: in public/), or as text.

        `by_time` draws wagons by time, not by post. Raises InputError for another ending, and for a PNG where
        matplotlib is not installed.
        """
        request = PlotRequest(kind, of_thread(as_of, day, stored), by_time)
        if as_text:
            return plots.plot_text(request, self._session())
        return plots.plot_file(request, Path(out) if out else None, self._session())

    def board(self, *, viewer: str | None = None, out: str | Path | None = None) -> tuple[Path, ...]:
        """Draw the board of the game as players see it, or as one `viewer` does, and return the files.

        Raises InputError where the game has no board, or hides it from everybody; SecretGuard where a
        player's own board would get among the public files.
        """
        return boards.plot_board(Path(out) if out else None, self._session(), viewer)

    def board_text(self, *, viewer: str | None = None) -> str:
        """The board in letters of one width. Raises as `board`."""
        return boards.board_text(self._session(), viewer)

    def read(self, *, again: bool = False, pages: str | Path | Iterable[str | Path] = ()) -> ThreadRead:
        """Read the game's thread behind the last page that is known, or `again` from the beginning.

        `pages` are files saved in a browser, which are kept with the game: where the forum lets no program
        in, all else is asked with `stored=True` then.
        """
        files = [pages] if isinstance(pages, str | Path) else pages
        session = self._session()
        source = reading.source_here(tuple(map(str, files)), bool(pages), False, again, session)
        return reading.read(source, session)

    def evidence(self, post: int, *, url: str | None = None) -> History:
        """Every version of a post that was read, of the thread at `url` (None: the game's)."""
        return evidence.history_of(self._session(), str(post), url)

    def signups(
        self, *, url: str | None = None, dialect: str | None = None, stored: bool = False
    ) -> SignupsRead:
        """Who signed up, in order, by the thread at `url` (None: the sign-up thread of the game file).

        `SignupsRead.unclear` are posts that need a decision.
        """
        request = CountRequest((url,) if url else (), stored=stored)
        return signups.read_signups(request, dialect, self._session())

    def write_signups(
        self,
        *,
        url: str | None = None,
        dialect: str | None = None,
        stored: bool = False,
        allow_leak: str = "",
    ) -> SignupsWritten:
        """Bring the players of the game file up to the sign-ups, and write the list into public/.

        Raises DecisionNeeded while a post is unclear: nothing is written then.
        """
        session = self._session()
        found = signups.read_signups(CountRequest((url,) if url else (), stored=stored), dialect, session)
        signups.require_clear(found)
        return signups.write_signups(found, session, allow_leak)

    def type_players(self, names: Sequence[str]) -> PlayersTyped:
        """Let the game file list these players and no others. Raises InputError once the roles are dealt."""
        return signups.write_players(names, self._session())

    def decide_signup(
        self, post: int, word: Literal["in", "out", "sub", "spec", "ignore"], *, why: str
    ) -> Record:
        """Decide what a sign-up post means. Raises InputError without a reason."""
        return signups.decide(str(post), word, why, self._session())
