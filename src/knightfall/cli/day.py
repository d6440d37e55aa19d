"""`knightfall phase`, `flip`, `ics`, `watch` and the wait of `vc --wait`: a day from opening to flip."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.terminal import (
    AllowLeak,
    Cookies,
    CopyIt,
    Day,
    Dialect,
    GameHere,
    NextEnds,
    Posted,
    PrivateHost,
    Stored,
    echo,
    game_needed,
    show_receipt,
)

if TYPE_CHECKING:
    from knightfall.services.close_day import ClosingRequest
    from knightfall.services.count_request import CountRequest
    from knightfall.services.phases import PhaseChange
    from knightfall.services.session import Session, Step
    from knightfall.services.votecount import Counted

phase = typer.Typer(
    help="Open, extend, lock and end a day.\n\nThe end is counted twice alike, checked, confirmed by you.",
    no_args_is_help=True,
)
KIND = Annotated[str, typer.Argument(metavar="day|night")]
NUMBER = Annotated[int, typer.Argument(min=1)]
WINDOW = Annotated[str, typer.Argument(metavar="day|night|WINDOW", help="What is open, by kind or title.")]
WINDOW_NUMBER = Annotated[int | None, typer.Argument(min=1, help="Of a day or night; else what runs.")]
FAR = Annotated[bool, typer.Option("--far", help="More than 60 days ahead is meant.")]
ENDS = Annotated[
    str,
    typer.Option(
        "--ends", metavar="TIME", help="The deadline: 2026-11-25 20:00, Sun 8pm, 24.11. 20:00, 48h."
    ),
]
PAST = Annotated[bool, typer.Option("--past", help="The deadline is over: this is written down afterwards.")]
STOPPED = "Stopped. What was noticed and told is kept: knightfall watch goes on from here."


@phase.command("open")
def open_(
    kind: KIND,
    number: NUMBER,
    at: Annotated[str, typer.Option("--at", metavar="TIME", help="When it begins, as for --ends.")] = "",
    ends: ENDS = "",
    post: Annotated[str | None, typer.Option(metavar="POST", help="Its first post that counts.")] = None,
    past: PAST = False,
    far: FAR = False,
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Open a phase. Example: knightfall phase open day 1 --at "2026-11-18 20:00" --ends "2026-11-25 20:00"

    Times are in the game's zone, or with one of their own: 20:00, tomorrow 8pm, Sun 20:00, 24.11. 20:00, 48h
    from now, 20:00 UTC. They are told back in full; what can be two is asked, not guessed.

    Without --post a day starts with the post that opens it by its words, else with the first one after --at.
    """
    from knightfall.cli.terminal import real_session
    from knightfall.services.phases import PhaseRequest, open_phase
    from knightfall.services.turns import PostOptions

    session = real_session(game_needed(game), allow_private=False)
    request = PhaseRequest(kind, number, at, ends, post=post, past=past, far=far)
    show_change(open_phase(request, PostOptions(dialect, allow_leak), session), copy)


@phase.command("extend")
def extend(
    kind: WINDOW,
    number: WINDOW_NUMBER = None,
    ends: ENDS = "",
    by: Annotated[
        str, typer.Option(metavar="SPAN", help="48h, 90 min: so much time; 2 days: at the same time of day.")
    ] = "",
    shorten: Annotated[bool, typer.Option("--shorten", help="An earlier deadline is meant.")] = False,
    past: PAST = False,
    far: FAR = False,
    why: Annotated[str, typer.Option(metavar="REASON", help="For the journal.")] = "",
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Give what is open another deadline, before or after the old one.

    Example: knightfall phase extend day 1 --by 24h

    Any window of any game, by its kind or title as knightfall missing shows it: phase extend vote --by 24h. A
    count as of a post before that keeps the deadline that stood then.
    """
    from knightfall.cli.terminal import real_session
    from knightfall.services import phases
    from knightfall.services.turns import PostOptions

    session = real_session(game_needed(game), allow_private=False)
    request = phases.PhaseRequest(kind, number, ends=ends, by=by, past=past, shorten=shorten, far=far)
    show_change(phases.extend(request, PostOptions(dialect, allow_leak), session, why), copy)


@phase.command("stop")
def stop(
    kind: WINDOW,
    number: WINDOW_NUMBER = None,
    why: Annotated[str, typer.Option(metavar="REASON", help="For the journal.")] = "",
    dialect: Dialect = None,
    copy: CopyIt = False,
    allow_leak: AllowLeak = "",
    game: GameHere = None,
) -> None:
    """Stop the clock of what is open until it is extended.

    Example: knightfall phase stop day --why "down"
    """
    from knightfall.cli.terminal import real_session
    from knightfall.services import phases
    from knightfall.services.turns import PostOptions

    session = real_session(game_needed(game), allow_private=False)
    request = phases.PhaseRequest(kind, number)
    show_change(phases.stop(request, why, PostOptions(dialect, allow_leak), session), copy)


@phase.command("lock")
def lock(
    kind: Annotated[str, typer.Argument(metavar="[day|night]")] = "day",
    number: Annotated[int | None, typer.Argument(min=1, help="Else the one that runs.")] = None,
    post: Annotated[
        str | None, typer.Option(metavar="POST", help="The last post that counts; else the last one read.")
    ] = None,
    game: GameHere = None,
) -> None:
    """Note that you locked the thread: no later post counts. Example: knightfall phase lock --post 655"""
    from knightfall.cli.format_play import lock_line
    from knightfall.cli.terminal import real_session
    from knightfall.services import phases

    session = real_session(game_needed(game), allow_private=False)
    locked = phases.lock(phases.PhaseRequest(kind, number, post=post), session)
    if locked.receipt is not None:
        show_receipt(locked.receipt, echo, _aside)
    _aside(lock_line(locked))


def show_change(change: "PhaseChange", copying: bool) -> None:
    """Print what was done to a phase, what a begun game answers, and the post that tells everybody."""
    from knightfall.cli.format_play import phase_lines, phase_remarks
    from knightfall.cli.terminal import Clipboard

    for line in phase_remarks(change):
        _aside(line)
    if change.receipt is not None:
        show_receipt(change.receipt, echo, _aside)
    for line in phase_lines(change):
        _aside(line)
    echo(change.post.text)
    if copying:
        Clipboard().copy(change.post.text, change.post.rich)
        _aside("Copied.")
    _aside(f"Kept: {change.post.file}.")


@phase.command("close")
def close(
    game: GameHere = None,
    day: Day = None,
    early: Annotated[str, typer.Option(metavar="WHY", help="End the day before its time, and why.")] = "",
    pause: Annotated[
        float, typer.Option(min=2, max=3600, help="Seconds between two reads of the thread.")
    ] = 60,
    stored: Stored = False,
    next_ends: NextEnds = "",
    copy: CopyIt = False,
    posted: Posted = False,
    dialect: Dialect = None,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
    cookies: Cookies = None,
) -> None:
    """Close a day: you type who is eliminated. knightfall commit day does the same.

    It reads every page until two reads agree, shows how the day ends and what to check by eye, asks for the
    name, and writes it down. Only then knightfall flip shows a role. Where only your browser may read the
    thread: lock it, knightfall read --from-html its pages, then close --stored.

    Example: knightfall phase close --next-ends "2026-11-27 20:00" --copy --posted

    With --copy or --posted it writes the post of the end of the day, too. Exit status 3: a vote that matters
    is open, the day still runs, or the name was not typed; nothing is closed then. Without a terminal the
    name is read from standard input.
    """
    from knightfall.cli.terminal import real_session
    from knightfall.services.close_day import ClosingRequest

    session = real_session(game_needed(game), allow_private_host, cookies)
    after = AfterClosing(next_ends, copy, posted, dialect, allow_leak)
    close_voted(ClosingRequest(day, early, pause, allow_leak, stored), after, session)


@dataclass(frozen=True, slots=True)
class AfterClosing:
    """What is done behind a closing: the deadline of what opens then (“”: none is said), and its post."""

    next_ends: str
    copying: bool
    posted: bool
    dialect: str | None
    allow_leak: str

    @property
    def writes(self) -> bool:
        """Whether the post of the closing is written, too."""
        return self.copying or self.posted

    def check(self, session: "Session") -> None:
        """Raise what is wrong with the deadline before anything is closed."""
        from knightfall.services.phases import check_ends

        if self.next_ends:
            check_ends(self.next_ends, session)

    def follow(self, window: str, session: "Session") -> None:
        """Open what comes next, and write the post of the window that was closed, by its kind."""
        from knightfall.cli.format_play import phase_lines
        from knightfall.cli.game import show_draft
        from knightfall.errors import InputError
        from knightfall.services.game_state import begun, post_of_closing, table_of
        from knightfall.services.phases import open_next
        from knightfall.services.posts import PostRequest, write_post
        from knightfall.services.session import journal_of
        from knightfall.services.turns import PostOptions

        if self.next_ends:
            change = open_next(self.next_ends, PostOptions(self.dialect, self.allow_leak), session)
            for line in phase_lines(change) if change else ("The game is over: nothing opens then.",):
                _aside(line)
        if not self.writes:
            return
        game = table_of(session).game.spec.id if begun(journal_of(session)) else None
        kind = post_of_closing(window, game)
        try:
            draft = write_post(
                PostRequest(kind, self.dialect, allow_leak=self.allow_leak, stored=True), session
            )
            for remark in draft.remarks:
                _aside(remark)
            show_draft(draft, self.copying, self.posted, session)
        except InputError as fault:
            # What was closed is closed: the post alone is left to be done.
            _aside(f"{fault}\n{window.capitalize()} is closed all the same. Its post: knightfall post {kind}")


def close_voted(
    request: "ClosingRequest", after: AfterClosing, session: "Session", *, yes: bool = False
) -> None:
    """Close a day by its votes. `yes`: where the rules leave no choice the name need not be typed."""
    from knightfall.cli.format_play import closed_line, closing_lines, confirmation, mistyped_line
    from knightfall.cli.terminal import progress_bar, typed
    from knightfall.services import close_day

    after.check(session)
    session = _followed(session)
    with progress_bar(session) as reading:
        found = close_day.look(request, reading)
    # With the post of the closing, that alone is for standard output; the count is part of it.
    (_aside if after.writes else echo)(found.text)
    for line in closing_lines(found):
        _aside(line)
    # Where an open question decides the day there is nothing to confirm yet: closing says so.
    confirmed = next(iter(found.choices)) if yes and len(found.choices) == 1 else None
    if confirmed is None and not found.deciding:
        confirmed = typed(confirmation(found))
    # A slip of the fingers is asked about again: the thread need not be read anew for that.
    while confirmed and confirmed.strip() and found.choice_meant(confirmed) is None:
        _aside(mistyped_line(confirmed, found))
        again = typed(confirmation(found))
        if again is None:
            break
        confirmed = again
    closed = close_day.close(found, confirmed, session)
    _aside(closed_line(closed))
    if closed.receipt is not None:
        show_receipt(closed.receipt, _nowhere if after.writes else echo, _aside)
    after.follow("day", session)


def _nowhere(_sentence: str) -> None:
    """Where a text is part of another that is printed."""


def flip(
    name: Annotated[
        str | None, typer.Argument(help="Who was eliminated; it must be who the day was closed with.")
    ] = None,
    game: GameHere = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, e.g. mafiascum.")
    ] = None,
    day: Annotated[int | None, typer.Option(min=1, help="Which day; the latest closed one else.")] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Print the post that tells who was eliminated and the role. Example: knightfall flip

    Only after knightfall phase close. Exit status 3: the day is not closed, or was closed
    with somebody else; nothing is shown then.
    """
    from knightfall.cli.format_play import role_remarks
    from knightfall.cli.terminal import real_session
    from knightfall.services import close_day

    session = real_session(game_needed(game), allow_private=False)
    found = close_day.flip(close_day.FlipRequest(name, day, dialect, allow_leak), session)
    echo(found.text)
    for line in role_remarks(found):
        _aside(line)


def ics(game: GameHere = None, allow_leak: AllowLeak = "") -> None:
    """Write the phases and deadlines to public/calendar.ics. Example: knightfall ics

    Import it, or let players subscribe to it; write it again after each phase extend.
    """
    from knightfall.cli.terminal import real_session
    from knightfall.services.phases import write_calendar

    written = write_calendar(real_session(game_needed(game), allow_private=False), allow_leak)
    echo(f"Written: {written.file}, {written.events} events.")


def watch(
    notify: Annotated[
        list[str] | None,
        typer.Option(metavar="WAY,WAY…", help="desktop, webhook, mail or an address; the terminal always."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="deadline", help="Stop when the day's final count is ready.")
    ] = None,
    every: Annotated[
        str, typer.Option(metavar="SPAN", help="The longest pause between two looks: 5m, 1h.")
    ] = "5m",
    quiet: Annotated[
        str,
        typer.Option(
            metavar="HOURS", help="23:00-07:00, 11pm-7am: tell afterwards, but for hammer and deadline."
        ),
    ] = "",
    once: Annotated[bool, typer.Option("--once", help="One look, for a timer of your own.")] = False,
    game: GameHere = None,
    allow_private_host: PrivateHost = False,
    cookies: Cookies = None,
) -> None:
    """Follow the game's threads and tell at once what needs you.

    Example: knightfall watch --notify desktop,webhook --until deadline --quiet 23:00-07:00

    A hammer, a wagon one vote before it, a question to you in bold or with @mod, an altered vote, messages
    missing an hour before their time, a deadline that passed.

    At the deadline every page is read until two reads agree; the final count and the draft of the next post
    then lie in public/. A look asks for one page in 30 seconds at most. Addresses hold keys, so they come
    from the environment: KNIGHTFALL_WEBHOOK=https://… KNIGHTFALL_MAIL=mailtos://NAME:PASSWORD@SERVER
    """
    import os

    from knightfall.cli.format_play import event_line
    from knightfall.cli.terminal import real_session
    from knightfall.errors import InputError
    from knightfall.services.notify import channels_of
    from knightfall.services.watch import WatchRequest, parse_every, parse_quiet
    from knightfall.services.watch import watch as events_of
    from knightfall.services.watch_events import Noticed

    folder = game_needed(game)
    hours = parse_quiet(quiet) if quiet else None
    longest = parse_every(every)
    if until not in (None, "deadline"):
        raise InputError(f"--until {until}: expected deadline. Without it the watch goes on until Ctrl-C.")
    channels = channels_of(notify or (), os.environ)
    request = WatchRequest(longest, until is not None, once, hours, channels)
    try:
        for event in events_of(request, _followed(real_session(folder, allow_private_host, cookies))):
            echo(event_line(event, request), err=not isinstance(event, Noticed))
    except KeyboardInterrupt:
        _aside(STOPPED)


def count_at_deadline(request: "CountRequest", session: "Session") -> "Counted":
    """The final count of a day, once its deadline has passed; its post lies in the game's folder then."""
    from knightfall.cli.format_play import awaited_line
    from knightfall.cli.terminal import countdown, progress_bar
    from knightfall.services import close_day
    from knightfall.services.votecount import Counted

    session = _followed(session)
    with countdown() as left:
        awaited = close_day.awaited_day(request, session)
        _aside(awaited_line(awaited))
        close_day.wait(awaited, session, left)
    with progress_bar(session) as reading:
        written = close_day.count_at_deadline(awaited, request, reading)
    _aside(f"Written: {written.file}. The flip waits for: knightfall phase close")
    final = written.final
    return Counted(final.count, final.source, final.thread, final.setup, final.site)


def _followed(session: "Session") -> "Session":
    """The session whose long services tell their steps on standard error."""
    from knightfall.cli.format_play import step_line

    def report(step: "Step") -> None:
        _aside(step_line(step))

    return replace(session, report=report)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
