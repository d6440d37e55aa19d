"""`knightfall pm …`: role PMs, results and reminders, one at a time in random order, with a ledger."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import At, FromHtml, FromJsonl, PrivateHost, Source, Stored
from knightfall.cli.screen import echo

if TYPE_CHECKING:
    from knightfall.services.pms import PmBatch, PmToSend
    from knightfall.services.session import Copy, Say, Session

Game: TypeAlias = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]
CopyNext: TypeAlias = Annotated[
    bool, typer.Option("--copy-next", help="Put the next PM that was not copied on the clipboard.")
]
CopyOf: TypeAlias = Annotated[
    str | None, typer.Option("--copy", metavar="NAME", help="Put the PM of this player on the clipboard.")
]
BatchOf: TypeAlias = Annotated[
    str | None, typer.Option("--batch", metavar="KIND", help="Which: role-1, result-2 …; else the latest.")
]
Dialect: TypeAlias = Annotated[
    str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the PM; else that of your site.")
]
SameText: TypeAlias = Annotated[
    str, typer.Option(metavar="WHY", help="Copy a text that went to somebody else, too, and why.")
]

pm = typer.Typer(help="Send PMs one at a time, in random order, and keep a ledger.", no_args_is_help=True)


@pm.command("roles")
def roles(
    copy_next: CopyNext = False,
    copy: CopyOf = None,
    batch: BatchOf = None,
    dialect: Dialect = None,
    same_text: SameText = "",
    game: Game = None,
) -> None:
    """The role PMs: without an option the ledger. Example: knightfall pm roles --copy-next

    Prints recipient and subject, never the text. The order is drawn from the game's secret seed, so that
    nobody learns anything from who got his PM when. Exit status 3: this very text went to somebody else.
    """
    _family("role", (copy_next, copy, batch, dialect, same_text), game)


@pm.command("results")
def results(
    copy_next: CopyNext = False,
    copy: CopyOf = None,
    batch: BatchOf = None,
    dialect: Dialect = None,
    same_text: SameText = "",
    game: Game = None,
) -> None:
    """The private results of the last night, turn or round. Example: knightfall pm results --copy-next"""
    _family("result", (copy_next, copy, batch, dialect, same_text), game)


@pm.command("prods")
def prods(
    source: Source = None,
    copy_next: CopyNext = False,
    copy: CopyOf = None,
    at: At = None,
    dialect: Dialect = None,
    game: Game = None,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """Reminders to who is due a prod by the game's rule. Example: knightfall pm prods --copy-next

    A draft for each lies in private/. One that was sent counts as a prod from then on.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.services.activity import prod_batch, write_drafts
    from knightfall.services.count_request import CountRequest
    from knightfall.services.session import game_folder

    folder = game_needed(game)
    session = real_session(folder, allow_private_host)
    wanted = CountRequest(tuple(source or ()), from_html, from_jsonl, at=at, stored=stored)
    with progress_bar(session) as reading:
        found = prod_batch(wanted, reading)
    write_drafts(found, game_folder(folder))
    _told(found, (), "prod", (copy_next, copy, None, dialect, ""), session)


@pm.command("mark")
def mark(
    state: Annotated[str, typer.Argument(metavar="sent|confirmed", help="How far the PM has come.")],
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Whose PM: all names, or nobody.")],
    batch: BatchOf = None,
    game: Game = None,
) -> None:
    """Note that PMs were sent or confirmed. Example: knightfall pm mark confirmed Ada Boro Cinder"""
    from knightfall.cli.context import real_session
    from knightfall.cli.format_game import marked_line
    from knightfall.services import pms

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    echo(marked_line(pms.mark(state, tuple(names), batch, session)))


@pm.command("show")
def show(
    name: Annotated[str, typer.Argument(help="Whose PM.")],
    batch: BatchOf = None,
    dialect: Dialect = None,
    game: Game = None,
) -> None:
    """Print a player's PM: for your eyes only. Example: knightfall pm show Ada

    With recipient and subject.
    """
    from knightfall.cli.context import real_session
    from knightfall.cli.format_game import pms_text
    from knightfall.services.pms import pms_for

    folder = game_needed(game)
    echo(pms_text(pms_for(name, batch, dialect, real_session(folder, allow_private=False))))


_Options: TypeAlias = tuple[bool, str | None, str | None, str | None, str]
"""--copy-next, --copy, --batch, --as and --same-text."""


def _family(family: str, options: _Options, game: Path | None) -> None:
    from knightfall.cli.context import real_session
    from knightfall.services.pms import chosen, known_batches

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    found = known_batches(family, session)
    _told(chosen(found, options[2]), found, family, options, session)


def _told(
    batch: "PmBatch",
    others: tuple["PmBatch", ...],
    family: str,
    options: _Options,
    session: "Session",
) -> None:
    """The ledger, or one PM on the clipboard."""
    from knightfall.cli.clipboard import Clipboard
    from knightfall.cli.format_game import pm_ledger_lines, pm_ledger_remarks
    from knightfall.services.pms import ledger, next_pm

    copy_next, whose, _, dialect, same_text = options
    if not (copy_next or whose):
        found = ledger(batch, others, session)
        for line in pm_ledger_lines(found):
            echo(line)
        for remark in pm_ledger_remarks(found):
            _aside(remark)
        return
    sending = next_pm(batch, whose, dialect, same_text, session)
    if sending is None:
        _aside(f"Every PM of {batch.kind} that is due has been copied. See knightfall pm {family}s.")
        return
    copy_one(sending, session, Clipboard(), _sent(), echo, _aside)


def copy_one(
    sending: "PmToSend",
    session: "Session",
    copy: "Copy",
    sent: Callable[[str], bool | None],
    out: "Say",
    err: "Say",
) -> None:
    """Copies a PM, notes it, and asks whether it was sent. Raises InputError where there is no clipboard:
    nothing is noted then."""
    from knightfall.cli.format_game import length_warning
    from knightfall.errors import InputError
    from knightfall.services.pms import note_copied, note_sent

    batch, name = sending.batch, f'"{sending.pm.holder}"'
    try:
        copy.copy(sending.text, sending.rich)
    except InputError as error:
        by_hand = (
            f"Or read it with knightfall pm show {name}, and when it is sent: knightfall pm mark sent {name}"
        )
        raise InputError(f"{error}\n{by_hand}") from None
    done = note_copied(sending, session)
    out(f"PM {done}/{len(batch.pms)} (random order) → {sending.pm.holder}. Copied.")
    out(f"Subject: {batch.subject}")
    if sent("Sent it? [y/N] "):
        note_sent(sending, session)
        err("Noted as sent.")
    else:
        err(f"When it is sent: knightfall pm mark sent {name}")
    for sentence in length_warning(batch) if sending.first else ():
        err(sentence)


def _sent() -> Callable[[str], bool | None]:
    """Asks on a terminal; elsewhere there is nobody to ask."""
    import sys

    from knightfall.cli.context import typed

    if not sys.stdin.isatty():
        return lambda _: None
    return lambda question: (typed(question) or "").strip().casefold() in ("y", "yes")


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
