"""Votecounts as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from knightfall.api.door import door
from knightfall.api.folder import typed
from knightfall.api.threads import refuse_disorder
from knightfall.audience import View
from knightfall.config.setup import Setup
from knightfall.forums.sites import site_of
from knightfall.models import Thread
from knightfall.services.count.day_answers import answers_of_day, config_of, with_answers
from knightfall.services.count.explain import Explanation, explanation_of
from knightfall.services.count.request import check_format, post_parts
from knightfall.services.count.series import Standings, series_of
from knightfall.services.count.votecount import count_of
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import CountRequest, PostFormat
from knightfall.services.session import Session
from knightfall.services.threads import dialect_of, habits_of
from knightfall.votes.config import Answers, Ask
from knightfall.votes.house import check_answers
from knightfall.votes.known import HouseQuestion, Knowledge
from knightfall.votes.tally import Doubt, Hammer, Uncounted, Wagon
from knightfall.votes.votecount import Votecount, seen_by
from knightfall.writeups.facts import votecount_json


@dataclass(frozen=True, slots=True, repr=False)
class Count:
    """A votecount as of one post. The moderator sees weights and shifted thresholds in `wagons`; `to_text`
    shows what players may see, and so does `to_dict` unless it is asked otherwise."""

    thread: Thread
    votecount: Votecount
    setup: Setup | None

    def __repr__(self) -> str:
        return f"Count({self.votecount.in_brief})"

    @property
    def day(self) -> int:
        """The number of the day."""
        return self.votecount.day.number

    @property
    def as_of(self) -> int:
        """The number of the last post that was counted."""
        return self.votecount.tally.at

    @property
    def alive(self) -> int:
        """How many live."""
        return self.votecount.tally.alive

    @property
    def needed(self) -> int | None:
        """How many votes eliminate an ordinary player at once; None on a day that no majority ends."""
        return self.votecount.tally.needed

    @property
    def wagons(self) -> tuple[Wagon, ...]:
        """The wagons with their votes, the biggest first; the `target` None is no elimination."""
        return self.votecount.tally.wagons

    @property
    def hammer(self) -> Hammer | None:
        """The vote that reached majority; None where none did."""
        return self.votecount.tally.hammer

    @property
    def not_voting(self) -> tuple[str, ...]:
        """The names of the living without a vote; some may be dead where `known.living` is open."""
        return tuple(slot.name for slot in self.votecount.tally.not_voting)

    @property
    def questions(self) -> tuple[Doubt, ...]:
        """Votes that only the moderator can read; until then they change nothing."""
        return self.votecount.questions

    @property
    def house(self) -> tuple[HouseQuestion, ...]:
        """What can be answered about the house, with the words that `count` takes as `house`; nothing with a
        game file."""
        return self.votecount.house

    @property
    def lost(self) -> tuple[str, ...]:
        """A sentence for each decision of the moderator that has lost its post; `to_dict` has them, too."""
        return self.votecount.lost

    @property
    def uncounted(self) -> tuple[Uncounted, ...]:
        """What looks like a vote and does not count, each with its reason."""
        return self.votecount.not_counted

    @property
    def assumed(self) -> tuple[str, ...]:
        """What neither the game file nor a post says, a sentence each."""
        return self.votecount.assumed

    @property
    def known(self) -> Knowledge:
        """How day, living, threshold and rule are known: by the game file or an answer, read in a post, or
        open, with the readings that are possible."""
        return self.votecount.known

    @door
    def to_text(
        self,
        dialect: str | None = None,
        *,
        theme: str | None = None,
        template: str | Path | None = None,
        limit: int | None = None,
    ) -> str:
        """The post of the count, its parts with a blank line between them where it needs several.

        `dialect` is how the site writes ("mafiascum", "xenforo", "plain"; None: as the thread's own forum
        does), `theme` area, compact, table, ticks or history, `template` a file of your own, `limit` the
        longest post in the dialect's unit. Raises InputError for one of them that cannot be.
        """
        site = site_of(self.thread.url or "")
        speech = dialect_of(dialect, self.setup, site, self.thread.platform)
        seen = seen_by(View.PUBLIC, self.votecount)
        form = PostFormat(theme, Path(template) if template else None, limit)
        check_format(form)
        return "\n\n".join(post_parts(seen, speech, form, self.setup, site))

    @door
    def explain(self, what: str | int) -> Explanation:
        """Why the count stands so: the `votes` on a player, each with post, time, the `rule` by which the
        name was matched, and score; or of a post (84 or "#84") the `votes` that count, what of it is
        `not_counted`, and `questions`.

        Raises InputError where nobody votes for that player, and for a post that was not counted.
        """
        return explanation_of(str(what), self.votecount)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each vote that counts, for a table: day, as_of, target (None: no elimination), voter,
        post, time, url, text."""
        return [
            {
                "day": self.day,
                "as_of": self.as_of,
                "target": wagon.target.name if wagon.target else None,
                "voter": vote.voter.name,
                "post": vote.post,
                "time": vote.time,
                "url": vote.url,
                "text": vote.text,
            }
            for wagon in self.wagons
            for vote in wagon.votes
        ]

    @door
    def to_dict(self, view: Literal["public", "mod"] = "public") -> dict[str, Any]:
        """The count as plain values: what programs are given behind its schema. `view` is "public"
        or "mod" (with hidden weights). Raises InputError for another one."""
        return votecount_json(seen_by(View(view), self.votecount))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A thread that is to be counted: with its game file, and the session that knows what was answered."""

    thread: Thread
    setup: Setup | None
    session: Session


def _asked(thread: Thread, config: str | Path | None, answers: Answers) -> _Asked:
    refuse_disorder(thread)
    file = Path(config) if config else None
    session = session_of(file)
    setup = now_of(session).setup if file else None
    return _Asked(thread, setup, with_answers(answers, setup, thread, session))


@door
def count(
    thread: Thread,
    *,
    as_of: int | datetime | None = None,
    day: int | None = None,
    config: str | Path | None = None,
    moderators: Sequence[str] = (),
    opened: int | None = None,
    alive: Sequence[str] = (),
    needed: int | None = None,
    replaced: Mapping[str, str] | None = None,
    house: Sequence[str] = (),
) -> Count:
    """Count the votes of a thread.

    `as_of` is the number of the last post that counts, or an instant with a zone; None is the latest post.
    `day` is the number of the day; None is the one in which that post stands. `config` is a game.toml, with
    what was decided since in the journal beside it; without one players, days and forms of votes are taken
    from the thread, and `Count.assumed` says so. What it does not tell is answered by `moderators`, whose
    posts are no votes; `opened`, the post that opened that `day`; `alive`, who was alive then (or "+Ada",
    "-Ada", where only that is to change); `needed`, how many votes eliminate on it; `replaced`, the account
    that came in → whose slot it took with its first post; and `house`: "majority", "plurality" or "both",
    "here", "deadline" (votes that may be late are; "no deadline": none is by a stated one), "nobody:sleep",
    or forms of a vote such as "own_line" or "word:Stimme" ("no own_line" takes one back); `Count.house` asks.

    Raises IncompleteRead where posts are missing, InputError where there is nobody to count or no such post
    or day, SetupError for a wrong game.toml, TimeError for an instant without a zone.
    """
    if isinstance(as_of, datetime):
        typed(as_of)  # refuses one without a zone
    request = CountRequest(day=day)
    ask = Ask(request.day, at_time=as_of) if isinstance(as_of, datetime) else Ask(request.day, at_post=as_of)
    answers = Answers(
        house=check_answers(house), moderators=tuple(moderators), replaced=tuple((replaced or {}).items())
    )
    of_day = answers_of_day(day, opened, alive or None, needed)
    asked = _asked(thread, config, of_day.then(answers))
    found = count_of(thread, site_of(thread.url or ""), asked.setup, ask, asked.session)
    return Count(thread, found, asked.setup)


@door
def series(
    thread: Thread,
    *,
    config: str | Path | None = None,
    moderators: Sequence[str] = (),
    replaced: Mapping[str, str] | None = None,
    house: Sequence[str] = (),
) -> tuple[Standings, ...]:
    """How the votes stood after each post of a thread, all its days in one pass: for curves and tables.

    All of them are by what the whole thread tells: a `count` as of a post knows only what was told by then.
    `config`, `moderators`, `replaced` and `house` are as for `count`. Raises as `count`.
    """
    answers = Answers(
        house=check_answers(house), moderators=tuple(moderators), replaced=tuple((replaced or {}).items())
    )
    asked = _asked(thread, config, answers)
    known = config_of(asked.setup, thread, asked.session)
    return series_of(thread, habits_of(thread, site_of(thread.url or "")), known)
