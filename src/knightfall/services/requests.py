"""What the faces ask for, each option declared once: its words, its default, what it may be.

The verbs of the command line and the page's forms are made from these fields; an option that is added here
is there for all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knightfall.audience import View
from knightfall.parameters import Parameter, Request, asked, parameters_of
from knightfall.votes.rule import AtDeadline

PAUSE = 60.0
"""Seconds between two reads of a thread whose day is to be closed."""


def _dialect() -> Any:
    return asked("Dialect of the post (default: your site's).", None, flag="as", metavar="DIALECT")


def _allow() -> Any:
    said = "Allow a text that the secret check stopped, for this reason."
    return asked(said, "", flag="allow-leak", metavar="WHY")


def _drawn() -> Any:
    """A secret that comes from outside."""
    return field(repr=False)


def _limit() -> Any:
    return asked("Maximum length of a post; longer ones are split.", None, metavar="N", least=1)


@dataclass(frozen=True, slots=True)
class PostFormat(Request):
    """How the post of a count is to look: a theme of ours or a template of one's own, and the longest post in
    the dialect's unit."""

    theme: str | None = asked("Layout: area, compact, table, ticks or history.", None, metavar="THEME")
    template: Path | None = asked("Use your own Jinja template.", None)
    limit: int | None = _limit()


@dataclass(frozen=True, slots=True)
class CountRequest(Request):
    """Which count is asked for, and how it is to be shown.

    `words` name the thread: an address, or files (`html`: pages saved in a browser, `jsonl`: posts as JSON
    Lines); none means the thread of the game. `at` is a post or a time as it was typed. `stored`: the forum
    is not asked; `again`: every page is read again. `allow` says why a public text may give away what the
    secret guard stops.
    """

    words: tuple[str, ...] = asked(
        "The thread's address, or saved files (default: the game's thread).",
        (),
        metavar="URL | FILE...",
        positional=True,
    )
    html: bool = asked("Use pages saved in your browser.", False, flag="from-html")
    jsonl: bool = asked("Use posts from a JSON Lines file, also .gz.", False, flag="from-jsonl")
    day: int | None = asked("Which day (default: the latest).", None, least=1)
    at: str | None = asked("As of this post or time.", None, metavar="POST|TIME")
    dialect: str | None = _dialect()
    stored: bool = asked("Use the pages already read, without contacting the forum.", False)
    view: View = asked("mod also shows hidden vote weights.", View.PUBLIC, metavar="public|mod")
    footnotes: bool = asked("List your decisions on posts, with reasons, below the count.", False)
    format: PostFormat = field(default_factory=PostFormat)
    allow: str = _allow()
    opened: str | None = asked(
        "No game file: the post that opened the day. Kept for this thread.", None, metavar="POST"
    )
    alive: str | None = asked(
        "No game file: who was alive then, with commas; or only +NAME, who lives, and -NAME, who does not. "
        "Kept as well.",
        None,
        metavar="NAMES",
    )
    house: tuple[str, ...] = asked(
        "No game file: a rule of the house: majority, plurality, both, here, deadline (a vote that may be "
        "too late is), nobody:WORD, or a form of vote such as own_line, red or word:Stimme; “no FORM” takes "
        "one back, “no deadline” lets late votes count. Kept as well.",
        (),
        metavar="WORD",
    )
    again: bool = asked("Read every page again first, to find edits and deletions.", False)


OF_THE_POST = ("dialect", "view", "footnotes", "theme", "template", "limit", "allow")
"""What a CountRequest says of the post of the count: other questions about votes have none."""
ANSWERS = ("opened", "alive", "house")
"""What a CountRequest answers about a thread without a game file."""
OF_THE_COUNT = (*OF_THE_POST, *ANSWERS, "again")
"""What only the count itself asks for."""


def of_the_thread() -> tuple[Parameter, ...]:
    """What every question about the votes of a thread is asked with."""
    return tuple(one for one in parameters_of(CountRequest) if one.name not in OF_THE_COUNT)


@dataclass(frozen=True, slots=True)
class NicknameRequest:
    """Which part of the book of nicknames is asked for: that of a `site` (None: of the game here, else all).
    `forget` is a nickname that is to go from it, for one `account` or for all that it means."""

    site: str | None = asked(
        "The site, such as forum.example (default: that of the game here, else all).",
        None,
        metavar="SITE",
        positional=True,
    )
    forget: str | None = asked("Take this nickname out of the book.", None, metavar="NICKNAME")
    account: str | None = asked("Forget it only as a name of this player.", None, flag="of", metavar="NAME")


@dataclass(frozen=True, slots=True)
class PlotRequest:
    """A picture that is asked for: one of KINDS, of which count; `timed`: along the time of day, not the
    posts."""

    kind: str = asked(
        "Wagon sizes, posts per player, who voted for whom, or the board of the game here.",
        metavar="wagons|activity|votes|board",
        positional=True,
    )
    count: CountRequest = field(default_factory=CountRequest)
    timed: bool = asked("Draw wagons by time, not by post.", False, flag="time")


@dataclass(frozen=True, slots=True)
class PostOptions:
    """How a post is written: its dialect (None: the site's), and why it may tell what looks like a secret."""

    dialect: str | None = _dialect()
    allow: str = _allow()


@dataclass(frozen=True, slots=True)
class RoomsRequest:
    """Who was let into private topics and taken out of them: all that is due in one `room` ("": in every
    one), or of the accounts in `names` alone."""

    room: str = ""
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PostRequest(Request):
    """Which post is asked for.

    `dialect` None: the site's; `flavour` is a file with the moderator's own words before it; `limit` is how
    long a part may be; `form`: the record as csv or json; `allow`: why a secret may go out; `stored`: a count
    is of what was read before.
    """

    kind: str = asked(
        "signup, setup, rules, opening, day-start, votecount, replacement, removal, revival, note, "
        "end-of-day, dawn, results, error, endgame or archive.",
        metavar="KIND",
        positional=True,
    )
    dialect: str | None = _dialect()
    flavour: Path | None = asked(
        "Your own text to put first; it is checked for secrets.", None, metavar="FILE"
    )
    limit: int | None = _limit()
    form: str | None = asked(
        "With archive: the record for programs.", None, flag="format", metavar="csv|json"
    )
    allow: str = _allow()
    stored: bool = asked("Count the pages already read, without contacting the forum.", False)


@dataclass(frozen=True, slots=True)
class PhaseRequest(Request):
    """A phase and what is asked for it, as it was typed; "" and None where nothing was said.

    `kind` is day, night, or the kind or title of a window that is open in the game; `past`: the deadline is
    over and is written down afterwards; `shorten`: an earlier deadline is meant; `far`: one so far ahead is.
    """

    kind: str = asked(
        "The phase: day, night, or the title of what is open.", metavar="day|night|WINDOW", positional=True
    )
    number: int | None = asked("Which one (default: the current one).", None, least=1, positional=True)
    begins: str = asked("When it starts, written as a deadline is.", "", flag="at", metavar="TIME")
    ends: str = asked(
        "The deadline, such as 2026-11-25 20:00, Sun 8pm, 24.11. 20:00 or 48h.", "", metavar="TIME"
    )
    by: str = asked("Add 48h or 90 min; 2 days keeps the time of day.", "", metavar="SPAN")
    post: str | None = asked("The first post that counts, or for a lock the last one.", None, metavar="POST")
    past: bool = asked("Allow a deadline that has already passed.", False)
    shorten: bool = asked("Allow an earlier deadline.", False)
    far: bool = asked("Allow a deadline more than 60 days ahead.", False)

    @property
    def window(self) -> str:
        """What a phase with this kind and number is called in the journal."""
        return f"{self.kind}-{self.number}"


@dataclass(frozen=True, slots=True)
class ClosingRequest(Request):
    """Which day is to be closed (None: the latest), and how.

    `early`: why it ends before its time, which players learn where the moderator lets them (`tell`);
    `despite`: why the moderator's own votecount, by which others lead, is wrong; `pause`: seconds between two
    reads; `allow`: why the final count may give away what the secret guard stops; `stored`: count what was
    read before, without asking the forum; `why`: the reason of the moderator's choice, where the rules leave
    it to them who is eliminated.
    """

    day: int | None = asked("Which day (default: the latest).", None, least=1)
    early: str = asked("Close before the deadline, for this reason.", "", metavar="WHY")
    pause: float = asked("Seconds between reads of the thread.", PAUSE, least=2, most=3600)
    allow: str = _allow()
    stored: bool = asked("Use the pages already read, without contacting the forum.", False)
    despite: str = asked(
        "Close although your posted votecount differs, and why. It is never posted.", "", metavar="WHY"
    )
    tell: bool = asked("Tell the players why it ends early, too.", False, flag="tell-why")
    why: str = asked(
        "Why you choose so, where the rules leave the day to you. It is never posted.", "", metavar="WHY"
    )


@dataclass(frozen=True, slots=True)
class FlipRequest(Request):
    """Whose flip is wanted: who the day (None: the latest) was closed with; `name` None is whoever it is.

    `dialect` is that of the post (None: the site's), `allow` why it may give a secret away.
    """

    name: str | None = asked("Who was eliminated, as a check.", None, positional=True)
    day: int | None = asked("Which day (default: the last one closed).", None, least=1)
    dialect: str | None = _dialect()
    allow: str = _allow()


@dataclass(frozen=True, slots=True)
class MailRequest:
    """Where messages come from, and how they are read: private threads, a file of `pms`, the answers of a
    `form`, or `pages` of PMs.

    `again`: every page of the threads is read again; `stored`: only what was read. `name_column`,
    `text_column` and `dates` say which column of a form is which, where they are not to be guessed.
    `dry`: nothing is written. `late`: what was in time is recorded although what it was for is closed.
    `for_slot`: a message of somebody who has left counts for their slot; `leave_out`: why it does not count,
    and is not asked about again. `allow`: why a post that a message
    leads to may give something away.
    """

    threads: bool = asked("Record what is new in the game's private threads.", False)
    pms: Path | None = asked("PMs that vBulletin exported as CSV.", None, flag="from-pms", metavar="FILE")
    form: Path | None = asked("Answers to a form, saved as CSV.", None, flag="from-form", metavar="FILE")
    pages: tuple[Path, ...] = asked(
        "PMs as pages that you saved in your browser; repeat for more.", (), flag="from-page", metavar="FILE"
    )
    name_column: str = asked(
        "The form's column for the player (default: guessed and shown).", "", metavar="HEAD"
    )
    text_column: tuple[str, ...] = asked(
        "The form's column for the action; repeat to combine columns.", (), metavar="HEAD"
    )
    dates: str | None = asked("How dates are written, if it could be either.", None, metavar="dmy|mdy")
    dry: bool = asked("Only show what would be recorded.", False, flag="dry-run")
    again: bool = asked("Read every page of the threads again, to find edits.", False)
    stored: bool = asked("Use the threads as last read.", False)
    late: bool = asked(
        "Put what was in time where it belongs, although that is closed; all after it is played again.",
        False,
    )
    for_slot: bool = asked("It is from somebody who has left, and meant for their slot.", False)
    leave_out: str = asked(
        "Leave out what is from somebody who has left; the reason is kept, and it is not asked about again.",
        "",
        metavar="WHY",
    )
    dialect: str | None = _dialect()
    allow: str = _allow()


@dataclass(frozen=True, slots=True)
class NewGameRequest:
    """What a new game is made of.

    `game` may be "votes"; without players nothing is dealt yet; `folder` is the one that is made; `threads`
    are pairs of role and address; `allow` is why the first posts may tell what looks like a secret; `rules`
    are the tables of a game file's rules and words that were chosen; `fair`: nothing is dealt either, and the
    game is ready to be committed to. Seed and salt come from outside.
    """

    game: str = asked("Such as kings-court, or votes.", metavar="GAME", positional=True)
    players: tuple[str, ...] = asked(
        "The players, by seat where seats differ (Knight Fight: Deathmatch Opponent, Elimination "
        "Candidate). A single word, where no folder is named, is the title.",
        metavar="NAME...",
        positional=True,
    )
    folder: Path = asked("The game's folder (default: named after the title).", flag="out", metavar="DIR")
    seed: bytes = _drawn()
    salt: bytes = _drawn()
    title: str = asked("The game's title.", "")
    timezone: str = asked("Time zone, such as America/New_York.", "UTC", flag="tz", metavar="ZONE")
    options: Mapping[str, object] = field(default_factory=dict)
    dialect: str = asked(
        "Dialect of the first posts (default: your site's).", "", flag="as", metavar="DIALECT"
    )
    site: str = asked("Your site's dialect, such as phpbb.", "", metavar="DIALECT")
    moderators: tuple[str, ...] = asked(
        "Your username; repeat for co-moderators.", (), flag="moderator", metavar="NAME"
    )
    threads: tuple[tuple[str, str], ...] = ()
    allow: str = _allow()
    rules: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    at_deadline: str = asked(
        "Where a majority decides and nobody has it at the deadline: ask (you choose), nobody or most.",
        AtDeadline.ASK.value,
        metavar="WHAT",
    )
    fair: bool = asked("Let nobody choose the deal: commit to it now, deal after a public round.", False)


@dataclass(frozen=True, slots=True)
class DealRequest:
    """What is dealt in a game's folder beside what its file says; "" and () leave it to the file. `setup` is
    a code, a file's name, or a table; `seated` are the players in the order of the game's seats, where what
    they are goes by that (`Spec.seats`).

    Seed and salt come from outside; `allow` is as in `NewGameRequest`.
    """

    seed: bytes = _drawn()
    salt: bytes = _drawn()
    game: str = asked("Such as knight-errant (default: the game here).", "", metavar="GAME", positional=True)
    players: tuple[str, ...] = ()
    setup: str | Mapping[str, Any] = asked(
        "A setup's code, the name of an open setup, or a TOML file (default: drawn).",
        "",
        metavar="CODE|NAME|FILE",
    )
    dialect: str = asked(
        "Dialect of the first posts (default: your site's).", "", flag="as", metavar="DIALECT"
    )
    allow: str = _allow()
    seated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CommitRequest(Request):
    """What a deal that nobody can choose is committed to beside the game file. `round` 0: one that comes in a
    quarter of an hour; `seated` as in `DealRequest`. The secret comes from outside."""

    secret: bytes = _drawn()
    round: int = asked("The round of the beacon (default: one in 15 minutes).", 0, metavar="N", least=0)
    beacon: str = asked("The public beacon whose round decides.", "quicknet", metavar="NAME")
    setup: str | Mapping[str, Any] = asked(
        "A setup's code, the name of an open setup, or a TOML file (default: the file's).",
        "",
        metavar="CODE|NAME|FILE",
    )
    dialect: str = asked("Dialect of the post (default: your site's).", "", flag="as", metavar="DIALECT")
    seated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewRequest(Request):
    """Which setup is reviewed: a file, or its table. `strict`: the list that its names are held against, ""
    for none. `games` 0: as many for each question as are quickly played; `policy` is how everybody plays
    where a role's worth is measured."""

    what: str | Mapping[str, Any] = asked("A setup file (.toml).", metavar="SETUP", positional=True)
    players: int = asked("How many play (default: as the setup has it).", 0, least=0)
    strict: str = asked("Hold the names against a list: normal.", "", metavar="LIST")
    games: int = asked("Games for each question (default: as many as are quick).", 0, least=0)
    policy: str = asked("How everybody plays where roles are weighed.", "follow-the-claims")
    seed: int = asked("The same seed gives the same review.", 1, least=0)
    workers: int = asked("Processes (default: one for each core).", 0, least=0)
    scheduler: str = asked("A Dask scheduler to run on instead.", "", metavar="tcp://HOST:PORT")


@dataclass(frozen=True, slots=True)
class BalanceRequest(Request):
    """What to play. `what` is a game, a setup file, or a setup's table; `players` 0: as the setup has it,
    or the fewest; `games` 0: as many as are quickly played. `insane`: roles whose checks find the opposite,
    as they are written in a setup; where two are compared, each is in one of them at least."""

    what: str | Mapping[str, Any] = asked(
        "A setup file (.toml), an open setup's name, or a game.", metavar="SETUP|GAME", positional=True
    )
    players: int = asked("How many play (default: as the setup has it).", 0, least=0)
    games: int = asked("How many games (default: as many as are quick).", 0, least=0)
    policy: str = asked("How everybody plays: random, suspicion, follow-the-claims, or a mixture.", "random")
    seed: int = asked("The same seed gives the same result.", 1, least=0)
    options: Mapping[str, Any] = field(default_factory=dict)
    insane: tuple[str, ...] = asked("Checks of this role find the opposite.", (), metavar="ROLE")
    within: float | None = None
    workers: int = asked("Processes (default: one for each core).", 0, least=0)
    resume: Path | None = asked("Keep the progress here, and go on from it.", None, metavar="FILE")
    scheduler: str = asked("A Dask scheduler to run on instead.", "", metavar="tcp://HOST:PORT")
