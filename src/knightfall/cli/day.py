"""`knightfall phase`, `flip`, `ics`, `watch` and the wait of `vc --wait`: a day from opening to flip."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.clipboard import print_post
from knightfall.cli.format_due import tell_next
from knightfall.cli.options import Without, verb
from knightfall.cli.terminal import (
    AllowLeak,
    CopyIt,
    Game,
    Place,
    Why,
    aside,
    echo,
    nowhere,
    progress_bar,
    session_of_game,
)
from knightfall.parameters import asked
from knightfall.services.requests import (
    ClosingRequest,
    FlipRequest,
    PhaseRequest,
    PostOptions,
    PostRequest,
)

if TYPE_CHECKING:
    from datetime import datetime

    from knightfall.engine.journal import Record
    from knightfall.services.count.votecount import Counted
    from knightfall.services.day.phases import PhaseChange
    from knightfall.services.requests import CountRequest
    from knightfall.services.session import Session, Step

phase = typer.Typer(
    help="Open, extend, pause, lock or close a phase.\n\nNo day closes until you confirm the result.",
    no_args_is_help=True,
)
STOPPED = "Stopped. Run knightfall watch again to continue from here."


@phase.command("open")
@verb
def open_(
    request: Annotated[PhaseRequest, Without("by", "shorten")],
    options: PostOptions,
    copy: CopyIt = False,
    game: Game = None,
) -> None:
    """Open a day or night. Example: knightfall phase open day 1 --ends "2026-11-25 20:00"

    Times are in the game's time zone unless you name another one: 20:00, tomorrow 8pm, Sun 20:00, 20:00 UTC,
    24.11. 20:00 or 48h from now. The full date is printed back. If a time could mean two things, you are
    asked which one you mean.

    Without --post, a day starts at your post that announces it, or else at the first post after --at.
    """
    from knightfall.services.day.phases import open_phase

    session = session_of_game(game)
    show_change(open_phase(request, options, session), copy)
    tell_next(session)


@phase.command("extend")
@verb
def extend(
    request: Annotated[PhaseRequest, Without("begins", "post")],
    options: PostOptions,
    why: Why = "",
    copy: CopyIt = False,
    game: Game = None,
) -> None:
    """Change the deadline of an open phase.

    Example: knightfall phase extend day 1 --by 24h

    Works for any open phase of any game; use the kind or title that knightfall missing shows, as in
    knightfall phase extend vote --by 24h. Counts as of an earlier post still use the old deadline.
    """
    from knightfall.services.day import phases

    show_change(phases.extend(request, options, session_of_game(game), why), copy)


@phase.command("stop")
@verb
def stop(
    request: Annotated[PhaseRequest, Without("begins", "ends", "by", "post", "past", "shorten", "far")],
    options: PostOptions,
    why: Why = "",
    copy: CopyIt = False,
    game: Game = None,
) -> None:
    """Pause a phase until you extend its deadline.

    Example: knightfall phase stop day --why "down"
    """
    from knightfall.services.day import phases

    show_change(phases.stop(request, why, options, session_of_game(game)), copy)


@phase.command("lock")
def lock(
    kind: Annotated[str, typer.Argument(metavar="[day|night]")] = "day",
    number: Annotated[int | None, typer.Argument(min=1, help="Which one (default: current).")] = None,
    post: Annotated[
        str | None, typer.Option(metavar="POST", help="The last post that counts (default: last read).")
    ] = None,
    game: Game = None,
) -> None:
    """Record that you locked the thread. Example: knightfall phase lock --post 655

    Later posts don't count.
    """
    from knightfall.cli.format_day import lock_line
    from knightfall.cli.format_play import show_receipt
    from knightfall.services.day import phases

    locked = phases.lock(PhaseRequest(kind, number, post=post), session_of_game(game))
    if locked.receipt is not None:
        show_receipt(locked.receipt, echo, aside)
    aside(lock_line(locked))


def show_change(change: "PhaseChange", copying: bool) -> None:
    """Print what was done to a phase, what a begun game answers, and the post that tells everybody."""
    from knightfall.cli.format_day import phase_lines, phase_remarks
    from knightfall.cli.format_play import show_receipt

    for line in phase_remarks(change):
        aside(line)
    if change.receipt is not None:
        show_receipt(change.receipt, echo, aside)
    for line in phase_lines(change):
        aside(line)
    print_post(change.post, copying)


@dataclass(frozen=True, slots=True)
class AfterClosing:
    """What is done behind a closing: the deadline of what opens then (“”: none is said), and its post."""

    next_ends: str = asked("The deadline of the next phase.", "", metavar="TIME")
    copying: bool = asked("Also copy the post to the clipboard.", False, flag="copy")
    posted: bool = asked("Record that you posted it, to compare later ones with it.", False)
    options: PostOptions = field(default_factory=PostOptions)

    @property
    def writes(self) -> bool:
        """Whether the post of the closing is written, too."""
        return self.copying or self.posted

    def check(self, session: "Session") -> "datetime | None":
        """The deadline of what opens then. Raise what is wrong with it before anything is closed."""
        from knightfall.services.day.phases import check_ends

        return check_ends(self.next_ends, session) if self.next_ends else None

    def follow(self, kind: str, title: str, opened: "Record | None", session: "Session") -> None:
        """Tell of the deadline of what opened by the entry `opened`, and write the post of the window of that
        kind and title that was closed."""
        from knightfall.cli.format_day import phase_lines
        from knightfall.services.day.phases import left_out, next_phase

        if opened is not None:
            following = next_phase(opened, self.options, session)
            if not self.writes and not following.told:
                echo(following.change.post.text)
            for line in phase_lines(following.change):
                aside(line)
        elif self.next_ends:
            aside(left_out(session))
        if self.writes:
            self._write(kind, title, session)
        tell_next(session)

    def _write(self, kind: str, title: str, session: "Session") -> None:
        """Write the post of the window that was closed."""
        from knightfall.cli.game import show_draft
        from knightfall.engine.journal import start_of
        from knightfall.errors import InputError
        from knightfall.services.posts.write import write_post
        from knightfall.services.running import post_of_closing
        from knightfall.services.session import journal_of

        started = start_of(journal_of(session))
        post = post_of_closing(kind, started.game if started else None)
        try:
            options = self.options
            request = PostRequest(post, options.dialect, allow=options.allow, stored=True)
            draft = write_post(request, session)
            for remark in draft.remarks:
                aside(remark)
            show_draft(draft, self.copying, self.posted, session)
        except InputError as fault:
            # What was closed is closed: the post alone is left to be done.
            aside(fault.message)
            aside(f"Closed all the same: {title}. To write its post later: knightfall post {post}")


@phase.command("close")
@verb
def close(request: ClosingRequest, after: AfterClosing, place: Place) -> None:
    """Close a day by typing who is eliminated.

    Reads every page until two reads agree, then shows how the day ends and which votes to check yourself. You
    confirm by typing the name, and it is recorded. Only then does knightfall flip show the role. The count is
    made a second time, from the votecount that you posted last: where others lead by that one, nothing is
    closed. If only your browser can read the thread: lock it, save its pages, run knightfall read --from-html
    on them, then close with --stored. knightfall commit day does the same.

    Example: knightfall phase close --next-ends "2026-11-27 20:00" --copy --posted

    --copy or --posted also writes the end-of-day post. Exit status 3: a vote that matters is undecided, the
    day is still running, or no name was typed; nothing is closed then. Without a terminal, the name is read
    from standard input.
    """
    close_voted(request, after, place.of_game())


def close_voted(
    request: ClosingRequest, after: AfterClosing, session: "Session", *, yes: bool = False
) -> None:
    """Close a day by its votes. `yes`: where the rules leave no choice the name need not be typed."""
    from knightfall.cli.format_day import (
        closed_line,
        closing_lines,
        confirmation,
        mistyped_line,
        reason_question,
    )
    from knightfall.cli.format_play import show_receipt
    from knightfall.cli.terminal import typed
    from knightfall.services.day import close as close_day

    after.check(session)
    session = _followed(session)
    with progress_bar(session) as reading:
        found = close_day.look(request, reading)
    # With the post of the closing, that alone is for standard output; the count is part of it.
    (aside if after.writes else echo)(found.text)
    for line in closing_lines(found):
        aside(line)
    # Where an open question decides the day there is nothing to confirm yet: closing says so.
    confirmed = next(iter(found.choices)) if yes and len(found.choices) == 1 else None
    if confirmed is None and not found.deciding:
        confirmed = typed(confirmation(found))
    # A slip of the fingers is asked about again: the thread need not be read anew for that.
    while confirmed and confirmed.strip() and found.choice_meant(confirmed) is None:
        aside(mistyped_line(confirmed, found))
        again = typed(confirmation(found))
        if again is None:
            break
        confirmed = again
    if found.is_chosen and confirmed and confirmed.strip() and not found.reason:
        found = found.because(typed(reason_question(found)) or "")
    closed = close_day.close(found, confirmed, session, after.check(session))
    aside(closed_line(closed))
    if closed.receipt is not None:
        show_receipt(closed.receipt, nowhere if after.writes else echo, aside)
    after.follow("day", f"Day {found.day}", closed.opened, session)


@verb
def flip(request: FlipRequest, game: Game = None) -> None:
    """Print the post that shows who was eliminated and their role. Example: knightfall flip

    Works only after knightfall phase close. Exit status 3: the day is not closed, or was closed with a
    different name; nothing is shown then.
    """
    from knightfall.cli.format_day import role_remarks
    from knightfall.services.day import close as close_day

    found = close_day.flip(request, session_of_game(game))
    echo(found.text)
    for line in role_remarks(found):
        aside(line)


def ics(game: Game = None, allow_leak: AllowLeak = "") -> None:
    """Write phases and deadlines to public/calendar.ics. Example: knightfall ics

    Import the file, or let players subscribe to it. Run this again after each phase extend.
    """
    from knightfall.services.day.phases import write_calendar

    written = write_calendar(session_of_game(game), allow_leak)
    echo(f"Saved: {written.file}, {written.events} events.")


@verb
def watch(
    notify: Annotated[
        list[str] | None,
        typer.Option(metavar="WAY,WAY…", help="desktop, webhook, mail or an address, besides the terminal."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(metavar="deadline", help="Stop when the day's final count is ready.")
    ] = None,
    every: Annotated[
        str, typer.Option(metavar="SPAN", help="The longest time between checks, such as 5m or 1h.")
    ] = "5m",
    quiet: Annotated[
        str,
        typer.Option(
            metavar="HOURS", help="Hours without alerts, such as 23:00-07:00, except for hammer and deadline."
        ),
    ] = "",
    once: Annotated[
        bool, typer.Option("--once", help="Check once and exit, for your own scheduler.")
    ] = False,
    *,
    place: Place,
) -> None:
    """Watch the game's threads and tell you what needs attention.

    Example: knightfall watch --notify desktop,webhook --until deadline --quiet 23:00-07:00

    You are told about a hammer, a player one vote from elimination, a question to you in bold or with @mod,
    an edited vote, messages still missing an hour before the deadline, and a deadline that has passed.

    At the deadline, every page is read until two reads agree. The final count and a draft of the next post
    are then saved in public/. At most one page is requested every 30 seconds. Addresses contain keys, so they
    are read from the environment: KNIGHTFALL_WEBHOOK=https://… KNIGHTFALL_MAIL=mailtos://NAME:PASSWORD@SERVER
    """
    import os

    from knightfall.cli.format_day import event_line
    from knightfall.errors import InputError
    from knightfall.services.watch.events import Noticed
    from knightfall.services.watch.follow import WatchRequest, parse_every, parse_quiet
    from knightfall.services.watch.follow import watch as events_of
    from knightfall.services.watch.notify import channels_of

    hours = parse_quiet(quiet) if quiet else None
    longest = parse_every(every)
    if until not in (None, "deadline"):
        raise InputError(f"--until {until}: expected deadline. Leave it out to watch until Ctrl-C.")
    channels = channels_of(notify or (), os.environ)
    request = WatchRequest(longest, until is not None, once, hours, channels)
    try:
        for event in events_of(request, _followed(place.of_game())):
            echo(event_line(event, request), err=not isinstance(event, Noticed))
    except KeyboardInterrupt:
        aside(STOPPED)


def count_at_deadline(request: "CountRequest", session: "Session") -> "Counted":
    """The final count of a day, once its deadline has passed; its post lies in the game's folder then."""
    from knightfall.cli.format_day import awaited_line
    from knightfall.cli.terminal import countdown
    from knightfall.services.count.votecount import Counted
    from knightfall.services.day import close as close_day

    session = _followed(session)
    with countdown() as left:
        awaited = close_day.awaited_day(request, session)
        aside(awaited_line(awaited))
        close_day.wait(awaited, session, left)
    with progress_bar(session) as reading:
        written = close_day.count_at_deadline(awaited, request, reading)
    aside(f"Saved: {written.file}. Next: knightfall phase close, then knightfall flip")
    final = written.final
    return Counted(final.count, final.source, final.thread, final.setup, final.site)


def _followed(session: "Session") -> "Session":
    """The session whose long services tell their steps on standard error."""
    from knightfall.services.session import step_words

    def report(step: "Step") -> None:
        aside(step_words(step))

    return replace(session, report=report)
