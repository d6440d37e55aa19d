"""The verbs of nights and rounds: what is sent, who is missing, what closing leads to, and why."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.cli.day import AfterClosing
from knightfall.cli.options import verb
from knightfall.cli.terminal import (
    AsJson,
    Game,
    Place,
    Then,
    Why,
    aside,
    confirm,
    echo,
    game_needed,
    is_verbose,
    moment_in_full,
    nowhere,
    progress_bar,
    session_of_game,
)
from knightfall.cli.ways import as_object
from knightfall.sentence import joined
from knightfall.services.requests import ClosingRequest, MailRequest
from knightfall.services.session import read_text

if TYPE_CHECKING:
    from knightfall.mafia.night_file import NightFile
    from knightfall.services.session import Say, Session
    from knightfall.services.window.inbox import Intake


def _senders(ctx: typer.Context, incomplete: str) -> list[str]:
    """The names that a shell can complete; a shell is told of no error."""
    from knightfall.errors import KnightfallError
    from knightfall.services.machine import session_of
    from knightfall.services.window.board_clicks import senders

    try:
        names = senders(session_of(game_needed(ctx.params.get("game"))))
    except KnightfallError:
        return []
    return [name for name in names if name.startswith(incomplete)]


def _next_words(ctx: typer.Context, incomplete: str) -> list[str]:
    """The next words of a line that a shell can complete: those that the game takes there."""
    from knightfall.errors import KnightfallError
    from knightfall.services.machine import session_of
    from knightfall.services.window.board_clicks import line_completions

    before = "".join(f"{word} " for word in ctx.params.get("text") or ())
    try:
        session = session_of(game_needed(ctx.params.get("game")))
        lines = line_completions(ctx.params.get("who") or "", before + incomplete, session)
    except KnightfallError:
        return []
    return list(dict.fromkeys(line[len(before) :].split(" ")[0] for line in lines))


@verb
def submit(
    who: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Who sent the message; “moderator” for yourself.",
            autocompletion=_senders,
        ),
    ] = None,
    text: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="TEXT", help="The message; “-” reads standard input.", autocompletion=_next_words
        ),
    ] = None,
    source: Annotated[
        Path | None,
        typer.Option("--from", metavar="FILE", help="A file with the message, such as a pasted PM."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also list messages that are skipped.")
    ] = False,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="When it was sent (default: now), such as yesterday 8pm or 3h ago."
        ),
    ] = None,
    *,
    mail: MailRequest,
    place: Place,
) -> None:
    """Record a player's message, or all new ones. Example: knightfall submit Kit "VOTE: Ada"

    All lines of a message make one entry. The receipt and any refused lines go to standard error, public
    posts to standard output and public/, and PMs to private/.

    --threads reads every [[thread]] with role = "private" in game.toml and records its members' posts since a
    phase was last closed. --from-pms, --from-page and --from-form read a saved file. No message is recorded
    twice. You are told about messages that came too late or were edited since. Example: knightfall submit
    --threads --dry-run

    Exit status 3: a line was refused (the reason is shown), or a sender is unknown or could be two players.
    All other messages are recorded.
    """
    from knightfall.errors import InputError
    from knightfall.services.window.inbox import take_in

    sources = [bool(who), mail.threads, mail.pms is not None, mail.form is not None, bool(mail.pages)]
    if sum(sources) != 1 or (source and not who):
        raise InputError(
            "Use one of these: NAME TEXT, --threads, --from-pms FILE, --from-page FILE or --from-form FILE."
        )
    session = place.of_game()
    if who:
        said = read_text(source) if source else " ".join(text or ())
        _submit_one(who, sys.stdin.read() if said.strip() == "-" else said, at, mail, session)
        return
    with progress_bar(session, "Reading messages") as reading:
        show_intake(take_in(mail, reading), verbose or is_verbose(), echo, aside)


def status(game: Game = None, as_json: AsJson = False) -> None:
    """Show where the game stands and what to do next. Example: knightfall status

    Shows what is open and until when, who is alive and dead, who still has to send something, which votes
    need your decision, what was posted, which posts are no longer valid, and what is due, the most urgent
    first, each with its command.
    """
    from knightfall.cli.format_play import status_text
    from knightfall.cli.ways import as_object, command
    from knightfall.services.game import status as standing

    found = standing.status(session_of_game(game))
    echo(as_object(found.to_dict(command)) if as_json else status_text(found))


def missing(
    draft: Annotated[
        bool, typer.Option("--draft", help="Save a reminder for each of them in private/.")
    ] = False,
    game: Game = None,
    at: Then = None,
    as_json: AsJson = False,
) -> None:
    """Show what is open and who hasn't sent anything. Example: knightfall missing --draft

    Also shows the deadline, and what happens if nothing is sent.
    """
    from knightfall.cli.format_play import missing_text
    from knightfall.cli.ways import as_object
    from knightfall.services.window import waiting as awaited

    session = session_of_game(game)
    found = awaited.missing(session, moment_in_full(at, session))
    echo(as_object(found.to_dict()) if as_json else missing_text(found))
    for path in awaited.reminders(session) if draft else ():
        aside(f"Draft saved: {path}")


def _submit_one(who: str, said: str, at: str | None, mail: MailRequest, session: Session) -> None:
    """Take the message of one player, sent at the time that was typed (None: now)."""
    from knightfall.cli.format_play import preview_lines, show_receipt
    from knightfall.services.window import turns
    from knightfall.services.window.pasted_pm import without_head
    from knightfall.services.window.waiting import refused_orders

    if mail.dry:
        for line in (*preview_lines(turns.preview(who, said, session)), "Nothing was written."):
            aside(line)
        return
    moment = None
    if at:
        from knightfall.services.now import zone_of
        from knightfall.writeups.facts import as_of_line

        moment = turns.instant_of(at, session)
        aside(as_of_line(moment, session.clock.now(), zone_of(session)))
    if mail.leave_out:
        number = turns.leave_out(who, said, mail.leave_out, session, moment).number
        aside(f'It is left out (entry {number}). Undo that with: knightfall undo {number} --why "…"')
        return
    receipt = turns.submit(who, said, mail.dialect, session, mail.allow, moment, mail.late, mail.for_slot)
    show_receipt(receipt, echo, aside)
    if not receipt.texts and not receipt.refused:
        aside(f'Recorded as entry {receipt.entry}. Undo it with: knightfall undo {receipt.entry} --why "…"')
    if refused_orders(without_head(said).text, receipt.refused):
        raise typer.Exit(3)


def show_intake(intake: Intake, verbose: bool, out: Say, err: Say) -> None:
    """Tells each message and what the game answers. Raises DecisionNeeded where senders are in question, else
    the first trouble of a thread that could not be read; what was taken then is taken all the same."""
    from knightfall.cli.format_play import intake_summary, preview_lines, show_receipt
    from knightfall.errors import DecisionNeeded
    from knightfall.services.window.inbox import MailStatus, case_words, is_skipped

    for note in (*intake.notes, *(intake.passed if verbose else ())):
        err(note)
    for case in intake.cases:
        if case.status is not MailStatus.QUESTION and (verbose or not is_skipped(case)):
            err(case_words(case, intake.dry))
        if case.receipt is not None and intake.dry:
            for line in preview_lines(case.receipt):
                err(line)
        elif case.receipt is not None:
            show_receipt(case.receipt, out, err)
    if intake.stopped is not None:
        raise intake.stopped
    err(intake_summary(intake))
    rest = "The other messages were recorded." if intake.taken else "Nothing was recorded."
    troubles = tuple(one.message for one in intake.troubles)
    if intake.questions:
        head = f"{rest} These need your decision:"
        raise DecisionNeeded(joined("\n", (head, *intake.questions, *troubles)))
    if intake.troubles:
        raise type(intake.troubles[0])(joined("\n", (*troubles, rest)))


@verb
def commit(
    window: Annotated[
        str | None, typer.Argument(metavar="WINDOW", help="What to close, if several things are open.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Close it without asking.")] = False,
    why: Why = "",
    *,
    stored: Annotated[
        bool, typer.Option("--stored", help="Use the pages already read, without contacting the forum.")
    ] = False,
    after: AfterClosing,
    place: Place,
) -> None:
    """Close the current phase and write its posts.

    Closes a night, a round or a turn. A day with votes is closed in the same way as with knightfall phase
    close. If a player sent nothing, a line was refused or there is time left, you are told so and asked
    first. --copy or --posted also writes the post for the thread: dawn, end-of-day or results.

    Example: knightfall commit night --next-ends "2026-11-27 20:00" --copy --posted

    Exit status 3: it can't be closed yet, or there was nobody to ask; nothing is written then.
    """
    from knightfall.cli.day import close_voted
    from knightfall.cli.format_play import show_receipt
    from knightfall.services.window.turns import close, ends_by_votes, look, refuse_early

    session, options = place.of_game(), after.options
    with ExitStack() as turn:
        turn.enter_context(session.turn)
        seen = look(window, session)
        if ends_by_votes(seen.window, session):
            turn.close()  # the thread is read and the name is typed while others may write
            close_voted(
                ClosingRequest(None, why, allow=options.allow, stored=stored), after, session, yes=yes
            )
            return
        after.check(session)
        refuse_early(seen, why)
        for doubt in seen.doubts:
            aside(doubt)
        if seen.doubts and not yes:
            turn.close()  # nobody waits for an answer
            confirm(f"Close {seen.window.title} anyway?", "closed")
        closed = close(seen.window.kind, options.dialect, session, options.allow, why, after.check(session))
        receipt = closed.receipt
    show_receipt(receipt, nowhere if after.writes else echo, aside)
    if not receipt.texts:
        undo = f'knightfall undo {receipt.entry} --why "…"'
        aside(f"{seen.window.title} is closed (entry {receipt.entry}). Undo it with: {undo}")
    if any(text.is_pm and text.kind != "receipt" for text in receipt.texts):
        aside("To send the PMs: knightfall pm results --copy-all")
    after.follow(seen.window.kind, seen.window.title, closed.opened, session)


def draw(
    label: Annotated[
        str,
        typer.Argument(metavar="[LABEL]", help="Which draw. Leave it out to list what is still to be drawn."),
    ] = "",
    values: Annotated[
        list[str] | None, typer.Argument(metavar="[VALUE]…", help="The result; several values for a shuffle.")
    ] = None,
    game: Game = None,
) -> None:
    """Enter a card draw or die roll of your own. Example: knightfall draw "R2:Ada->Bob" Hit

    It is used when the phase is closed. Anything you don't enter is drawn from the seed. Keep the list secret
    until then, because it shows who attacks whom.
    """
    from knightfall.services.window import turns

    session = session_of_game(game)
    if not label:
        echo(turns.draws_ahead(session).said)
        return
    drawn = turns.draw(label, values or (), session)
    number = drawn.record.number
    echo(f'{number}: {drawn.said}. Undo it with: knightfall undo {number} --why "…"')
    echo(drawn.left.said)


Number: TypeAlias = Annotated[
    int | None,
    typer.Option("--night", min=1, help="Which night of your game, or which round (default: what is open)."),
]


def file_meant(file: Path | None, number: int | None, game: Path | None) -> NightFile | None:
    """The night of the file; None where the game of a folder is meant. Raises InputError where both are."""
    from knightfall.errors import InputError
    from knightfall.services.night_file import read_night

    if file is not None and (number is not None or game is not None):
        raise InputError("Give a night file or a night of a game, not both.")
    return None if file is None else read_night(file)


def resolve(
    night: Annotated[
        Path | None,
        typer.Argument(
            metavar="[NIGHT.toml]", help="A file of roles, shots and actions (default: your game's)."
        ),
    ] = None,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of the posts and PMs.")
    ] = "plain",
    as_json: AsJson = False,
    flavour: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Your own text to put before the dawn post, in BBCode."),
    ] = None,
    allow_leak: Annotated[
        str | None,
        typer.Option(metavar="REASON", help="Print flavour that gives a secret away, for this reason."),
    ] = None,
    preview: Annotated[
        bool,
        typer.Option(
            "--preview", help="Only show causes, deaths, the number of PMs, and what depends on a ruling."
        ),
    ] = False,
    number: Number = None,
    game: Game = None,
) -> None:
    """Resolve a night: causes for you, the dawn post and the PMs.

    In a game's folder, this shows what closing would lead to now: a night, a day, a round or a turn, whatever
    is open. With --night it shows that night. Nothing is written.

    Example: knightfall resolve --preview

    Flavour that names a living player's role, ability or target is refused (exit status 5).
    """
    from knightfall.cli.format_night import format_night, format_preview
    from knightfall.errors import DecisionNeeded, InputError
    from knightfall.services import night_file as resolve_night
    from knightfall.services import what_if
    from knightfall.services.session import read_text

    file = file_meant(night, number, game)
    session = None if file else session_of_game(game)
    words = ""
    if flavour:
        text = read_text(flavour)
        if session is None:
            assert file is not None
            checked = resolve_night.check_flavour(file, text, allow_leak)
        elif what_if.trial_of(session, None, number).night is None:
            raise InputError(
                "--flavour works only for mafia nights. In this game, use knightfall post --flavour."
            )
        else:
            checked = what_if.check_flavour(session, text, allow_leak, number)
        if checked.leaks:
            head = f"Printed anyway, because “{allow_leak}”:"
            echo("\n".join((head, *checked.leaks)), err=True)
        words = checked.text
    if session is None:
        assert file is not None
        found = resolve_night.resolve(file, dialect, words)
    else:
        found = what_if.preview(session, None, number, dialect, words)
    if found.stays_open:
        raise DecisionNeeded(found.question)
    if as_json and found.question and found.number is not None:
        raise DecisionNeeded(f"The night needs your ruling.\n{found.question}")
    if as_json:
        echo(as_object(found.to_dict()))
    else:
        echo(format_preview(found) if preview else format_night(found))


def why(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A player who was alive then.")],
    night: Annotated[
        Path | None, typer.Argument(metavar="[NIGHT.toml]", help="A night file, as for resolve.")
    ] = None,
    number: Number = None,
    game: Game = None,
) -> None:
    """Explain why a player lived or died, and what they were told.

    Also explains why their actions failed, and names the ruling behind each step. In a game's folder, this is
    about what is open now, be it a day or a round, or about the night given with --night.

    Example: knightfall why Ada --night 1
    """
    from knightfall.cli.format_night import format_explanation
    from knightfall.mafia import explain_night
    from knightfall.services import what_if

    file = file_meant(night, number, game)
    if file is not None:
        echo(format_explanation(explain_night.why(name, file)))
    else:
        echo(format_explanation(what_if.why(session_of_game(game), name, None, number)))


def whatif(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[NIGHT.toml] EDIT...",
            help="“add Ada: track Boro”, “remove Juniper:protect”, “set em_r3 = snapshot”.",
        ),
    ],
    number: Number = None,
    game: Game = None,
) -> None:
    """Resolve a night again with something changed.

    You can add a message or a vote, take one back, and change rulings. Only the differences are shown. In a
    game's folder, this uses what is open now, be it a day or a round, or the night given with --night.
    Nothing is written.

    Example: knightfall whatif "remove Ada:heal" "set ke_r28 = visit"
    """
    from knightfall.cli.format_night import format_changes, refused_sentences
    from knightfall.errors import DecisionNeeded, InputError
    from knightfall.mafia import explain_night
    from knightfall.services import what_if

    path, edits = (Path(words[0]), words[1:]) if words[0].endswith(".toml") else (None, words)
    if not edits:
        raise InputError("Say what to change, for example “remove Ada:heal”.")
    file = file_meant(path, number, game)
    if file is not None:
        echo(format_changes(explain_night.whatif(file, edits)))
        return
    found = what_if.what_if(session_of_game(game), edits, None, number)
    if found.refused and not found.changes:
        raise InputError("\n".join(refused_sentences(found.refused)))
    if found.question:
        raise DecisionNeeded(found.question)
    echo(format_changes(found))
