"""The verbs of nights and rounds: what is sent, who is missing, what closing leads to, and why."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.cli.terminal import (
    AllowLeak,
    AsJson,
    GameHere,
    PrivateHost,
    Then,
    echo,
    game_needed,
    is_verbose,
)
from knightfall.engine.json_text import as_object

if TYPE_CHECKING:
    from knightfall.mafia.game import NightFile
    from knightfall.services.closing_preview import TrialClosing
    from knightfall.services.inbox import Intake
    from knightfall.services.session import Say
    from knightfall.services.turns import Receipt


DIALECT = Annotated[
    str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the posts; else the site's.")
]


def submit(
    who: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Whose message it is; “moderator” for your own.")
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Argument(metavar="TEXT", help="The message; “-” reads it from standard input."),
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="The message as a file: a pasted PM.")
    ] = None,
    threads: Annotated[
        bool, typer.Option("--threads", help="Read the private threads of the game and take what is new.")
    ] = False,
    pms: Annotated[
        Path | None, typer.Option("--from-pms", metavar="FILE", help="PMs that vBulletin saved as CSV.")
    ] = None,
    form: Annotated[
        Path | None, typer.Option("--from-form", metavar="FILE", help="Answers of a form, saved as CSV.")
    ] = None,
    name_column: Annotated[
        str, typer.Option(metavar="HEAD", help="The form's column with the player; else guessed, and said.")
    ] = "",
    text_column: Annotated[
        list[str] | None,
        typer.Option(metavar="HEAD", help="Its column with the action; several are put together."),
    ] = None,
    dates: Annotated[
        str | None, typer.Option(metavar="dmy|mdy", help="How its dates are written, where both would do.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be taken.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Read every page of the threads again, to find edits.")
    ] = False,
    stored: Annotated[bool, typer.Option("--stored", help="Threads as they were last read.")] = False,
    verbose: Annotated[bool, typer.Option("-v", "--verbose", help="List what is passed over, too.")] = False,
    dialect: DIALECT = None,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
    allow_private_host: PrivateHost = False,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="When it was sent, if before now: 20:00, yesterday 8pm, 3h ago."),
    ] = None,
    game: GameHere = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Take in a message, or all that wait somewhere. Example: knightfall submit Kit "VOTE: Ada"

    All lines of a message are one entry; the receipt and what was refused go to standard error, public posts
    to standard output and public/, PMs to private/.

    --threads reads every [[thread]] with role = "private" of game.toml and takes the posts of its members
    since the last closing; --from-pms and --from-form take a saved file. What was taken once is not taken
    again; what comes too late or was edited since is told. Example: knightfall submit --threads --dry-run

    Exit status 3: a line was refused, which tells why; or a sender is nobody, or can be two: the other
    messages were taken.
    """
    from knightfall.cli.terminal import progress_bar, real_session
    from knightfall.errors import InputError
    from knightfall.services.inbox import Source, take_in
    from knightfall.services.inbox_sources import FormOptions, ThreadOptions

    sources = [bool(who), threads, pms is not None, form is not None]
    if sum(sources) != 1 or (source and not who):
        raise InputError("One source at a time: NAME TEXT, --threads, --from-pms FILE or --from-form FILE.")
    folder = game_needed(game)
    if who:
        _one(who, text or [], source, (dialect, dry_run, allow_leak, at), folder)
        return
    waiting = Source(
        ThreadOptions(again, stored) if threads else None,
        pms,
        form,
        FormOptions(name_column, tuple(text_column or ()), dates),
        dry_run,
        dialect or "",
        allow_leak,
    )
    with progress_bar(real_session(folder, allow_private_host, cookies), "Reading messages") as session:
        intake = take_in(waiting, session)
        show_intake(intake, verbose or is_verbose(), echo, _aside)


def status(game: GameHere = None, as_json: AsJson = False) -> None:
    """Say how the game stands, and what comes next. Example: knightfall status

    What is open until when, who is alive and dead, whose message is awaited, which questions wait for you,
    what went out and what of it is void, and the next command.
    """
    from knightfall.cli.format_play import status_text
    from knightfall.cli.terminal import real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services import status as standing

    found = standing.status(real_session(game_needed(game), allow_private=False))
    echo(as_object(found.to_dict()) if as_json else status_text(found))


def missing(
    draft: Annotated[
        bool, typer.Option("--draft", help="Write a reminder for each of them into private/.")
    ] = False,
    game: GameHere = None,
    at: Then = None,
    as_json: AsJson = False,
) -> None:
    """Say what is open and whose message is awaited. Example: knightfall missing --draft

    It tells until when, and what happens if the message never comes.
    """
    from knightfall.cli.format_play import missing_text
    from knightfall.cli.terminal import at_in_full, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services import awaited
    from knightfall.services.game_state import as_of

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    found = awaited.missing(as_of(at_in_full(at, session), session))
    echo(as_object(found.to_dict()) if as_json else missing_text(found))
    for path in awaited.reminders(session) if draft else ():
        _aside(f"Draft: {path}")


def _one(
    who: str,
    text: list[str],
    source: Path | None,
    how: tuple[str | None, bool, str, str | None],
    folder: Path,
) -> None:
    """`how`: --as, --dry-run, --allow-leak and --at."""
    from knightfall.cli.format_play import preview_lines
    from knightfall.cli.terminal import real_session
    from knightfall.services import turns
    from knightfall.services.awaited import refused_orders
    from knightfall.services.session import read_text

    said = read_text(source) if source else " ".join(text)
    said = sys.stdin.read() if said.strip() == "-" else said
    session = real_session(folder, allow_private=False)
    dialect, dry, allow_leak, at = how
    if dry:
        for line in (*preview_lines(turns.preview(who, said, session)), "Nothing was written."):
            _aside(line)
        return
    moment = None
    if at:
        from knightfall.services.game_state import zone_of
        from knightfall.writeups.facts import as_of_line

        moment = turns.instant_of(at, session)
        _aside(as_of_line(moment, session.clock.now(), zone_of(session)))
    receipt = turns.submit(who, said, dialect, session, allow_leak, moment)
    show(receipt, echo, _aside)
    if refused_orders(said, receipt.refused):
        raise typer.Exit(3)


def show_intake(intake: Intake, verbose: bool, out: Say, err: Say) -> None:
    """Tells each message and what the game answers. Raises DecisionNeeded where senders are in question, else
    the first trouble of a thread that could not be read; what was taken then is taken all the same."""
    from knightfall.cli.format_play import case_line, intake_summary, is_told, preview_lines
    from knightfall.errors import DecisionNeeded

    for note in (*intake.notes, *(intake.passed if verbose else ())):
        err(note)
    for case in intake.cases:
        if is_told(case, verbose):
            err(case_line(case, intake.dry))
        if case.receipt is not None and intake.dry:
            for line in preview_lines(case.receipt):
                err(line)
        elif case.receipt is not None:
            show(case.receipt, out, err)
    if intake.stopped is not None:
        raise intake.stopped
    err(intake_summary(intake))
    rest = "The others were taken." if intake.taken else "Nothing was taken."
    troubles = tuple(map(str, intake.troubles))
    if intake.questions:
        raise DecisionNeeded("\n".join((f"{rest} These wait for you:", *intake.questions, *troubles)))
    if intake.troubles:
        raise type(intake.troubles[0])("\n".join((*troubles, rest)))


def commit(
    window: Annotated[
        str | None, typer.Argument(metavar="WINDOW", help="What is closed, where several things are open.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Close it without being asked.")] = False,
    why: Annotated[
        str, typer.Option(metavar="WHY", help="Why a window that has its time is closed before it; kept.")
    ] = "",
    dialect: DIALECT = None,
    game: GameHere = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Close what is open and write its posts. Example: knightfall commit night

    A night, a round, a turn. Where somebody sent nothing, a line was refused, or there is time left, it says
    so and asks. Exit status 3: it cannot be closed yet, or nobody could be asked; nothing is written then.
    """
    from knightfall.cli.terminal import real_session, typed
    from knightfall.errors import DecisionNeeded
    from knightfall.services.turns import close, look

    session = real_session(game_needed(game), allow_private=False)
    seen = look(window, session)
    if seen.doubts and not yes:
        for doubt in seen.doubts:
            _aside(doubt)
        answer = typed(f"Close {seen.window.title} all the same? Type yes: ")
        if answer is None or answer.strip().casefold() not in ("yes", "y"):
            asked = "There was nobody to ask" if answer is None else f"You typed “{answer.strip()}”"
            raise DecisionNeeded(f"{asked}; nothing was closed. To close it as it stands: --yes.")
    show(close(seen.window.kind, dialect, session, allow_leak, why).receipt, echo, _aside)


def submissions(game: GameHere = None, at: Then = None, as_json: AsJson = False) -> None:
    """List the messages since something was last closed.

    Secret: for the moderator's eyes. Example: knightfall submissions
    """
    from knightfall.cli.format_play import submissions_text
    from knightfall.cli.terminal import at_in_full, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services import turns
    from knightfall.services.game_state import as_of

    folder = game_needed(game)
    now = real_session(folder, allow_private=False)
    session = as_of(at_in_full(at, now), now)
    found = turns.submissions(session)
    echo(as_object(found.to_dict()) if as_json else submissions_text(found))


def draw(
    label: Annotated[
        str, typer.Argument(metavar="[LABEL]", help="Which draw; without it what is still to be drawn.")
    ] = "",
    values: Annotated[
        list[str] | None, typer.Argument(metavar="[VALUE]…", help="What you drew; several for a shuffle.")
    ] = None,
    game: GameHere = None,
) -> None:
    """Type in a card or die of your own. Example: knightfall draw "R2:Ada->Bob" Hit

    It holds for the next closing; what you do not type in is drawn by the seed. Secret until it is closed:
    the list shows who attacks whom.
    """
    from knightfall.cli.format_play import decision_line
    from knightfall.cli.terminal import real_session
    from knightfall.services import turns

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    if not label:
        echo(turns.draws_ahead(session))
        return
    drawn = turns.draw(label, values or (), session)
    echo(f"{decision_line(drawn.record)}\n{drawn.left}")


def show(receipt: Receipt, out: Say, err: Say) -> None:
    """Tell what an entry led to: public posts go to `out`, everything else to `err`."""
    from knightfall.cli.format_play import receipt_lines

    for post in receipt.public:
        out(post)
    for line in receipt_lines(receipt):
        err(line)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)


Number: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--night", min=1, help="A night of your game; the open one, else the last, where not given."
    ),
]
Game: TypeAlias = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]


def night_meant(file: Path | None, number: int | None, game: Path | None) -> NightFile | TrialClosing:
    """The night of the file; without one that of the game, and of a game that is no mafia what is open in it.
    Raises InputError where both are named, or neither is there."""
    from knightfall.cli.terminal import real_session
    from knightfall.errors import InputError
    from knightfall.services.closing_preview import trial_of
    from knightfall.services.resolve_night import has_nights, night_here, read_night

    if file is not None and (number is not None or game is not None):
        raise InputError("Either a night file, or a night of a game: not both.")
    if file is not None:
        return read_night(file)
    session = real_session(game_needed(game), allow_private=False)
    return night_here(number, session) if has_nights(session) else trial_of(session, number)


def resolve(
    night: Annotated[
        Path | None,
        typer.Argument(metavar="[NIGHT.toml]", help="The night: roles, shots, actions; else your game's."),
    ] = None,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of posts and PMs.")
    ] = "plain",
    as_json: AsJson = False,
    flavour: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own words before the dawn post, in BBCode.")
    ] = None,
    allow_leak: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Print flavour that gives a secret away all the same."),
    ] = None,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only causes, deaths, how many PMs, and what hangs on a ruling.")
    ] = False,
    number: Number = None,
    game: Game = None,
) -> None:
    """Decide a night: causes for you, the dawn post, the PMs.

    In a game's folder it is the night that is open, as it stands, or --night N; nothing is written. In a game
    without nights it is what is open: a round, a turn.
    Example: knightfall resolve --preview

    Flavour that names a living player's role, ability or target is refused (exit 5).
    """
    from knightfall.cli.format_play import format_closing, format_night, format_preview
    from knightfall.errors import DecisionNeeded, InputError
    from knightfall.services import closing_preview, resolve_night
    from knightfall.services.closing_preview import TrialClosing
    from knightfall.services.session import read_text

    known = night_meant(night, number, game)
    if isinstance(known, TrialClosing):
        if flavour:
            raise InputError("Flavour stands before the dawn of a mafia night; here it goes with the post.")
        led = closing_preview.preview(known, dialect)
        echo(as_object(led.to_dict()) if as_json else format_closing(led))
        return
    question = resolve_night.ruling_asked(known)
    if question and as_json:
        raise DecisionNeeded(f"The night waits for your ruling.\n{question}")
    if preview or question:
        echo(format_preview(resolve_night.preview(known)))
        return
    words = ""
    if flavour:
        checked = resolve_night.check_flavour(known, read_text(flavour), allow_leak)
        if checked.leaks:
            head = f"Printed all the same, because “{allow_leak}”:"
            echo("\n".join((head, *checked.leaks)), err=True)
        words = checked.text
    found = resolve_night.resolve(known, dialect, words)
    echo(as_object(found.to_dict()) if as_json else format_night(found))


def why(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A living player of the night.")],
    night: Annotated[
        Path | None, typer.Argument(metavar="[NIGHT.toml]", help="The night, as for resolve.")
    ] = None,
    number: Number = None,
    game: Game = None,
) -> None:
    """Say why a player lived or died, and what they were told.

    Why his actions failed, too; each step with its ruling. In a game's folder of the night that is open, as
    it stands, or of --night N.
    Example: knightfall why Ada --night 1
    """
    from knightfall.cli.format_play import format_explanation, format_player_closing
    from knightfall.mafia import explain_night
    from knightfall.services import closing_preview
    from knightfall.services.closing_preview import TrialClosing

    known = night_meant(night, number, game)
    if isinstance(known, TrialClosing):
        echo(format_player_closing(closing_preview.why(name, known)))
    else:
        echo(format_explanation(explain_night.why(name, known)))


def whatif(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[NIGHT.toml] EDIT...",
            help="“remove Juniper:protect”, “add Ada: track Boro”, “set em_r3 = snapshot”.",
        ),
    ],
    number: Number = None,
    game: Game = None,
) -> None:
    """Decide a night again with something done otherwise.

    Added, removed or ruled otherwise; only what changes is shown. In a game's folder it is the night that is
    open, or --night N; nothing is written.
    Example: knightfall whatif "remove Ada:heal" "set ke_r28 = visit"
    """
    from knightfall.cli.format_play import format_changes, format_text_changes
    from knightfall.errors import InputError
    from knightfall.mafia import explain_night
    from knightfall.services import closing_preview
    from knightfall.services.closing_preview import TrialClosing

    file, edits = (Path(words[0]), words[1:]) if words[0].endswith(".toml") else (None, words)
    if not edits:
        raise InputError("What is to be different? Say for instance “remove Ada:heal”.")
    known = night_meant(file, number, game)
    if isinstance(known, TrialClosing):
        echo(format_text_changes(closing_preview.compare(known, edits)))
    else:
        echo(format_changes(explain_night.whatif(known, edits)))
