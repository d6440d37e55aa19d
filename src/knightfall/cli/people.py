"""`knightfall replace`, `modkill`, `kill`, `revive`, `prod`, `vla`, `mod-note`, `signup …`, `pm …` and
`rooms`."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.cli.clipboard import print_post
from knightfall.cli.format_due import tell_next
from knightfall.cli.options import Without, verb
from knightfall.cli.terminal import (
    AsJson,
    CopyIt,
    Game,
    Place,
    Why,
    aside,
    echo,
    game_here,
    game_needed,
    progress_bar,
    session_of_game,
)
from knightfall.parameters import asked
from knightfall.sentence import joined
from knightfall.services.requests import ANSWERS, OF_THE_COUNT, CountRequest, PostOptions

if TYPE_CHECKING:
    from knightfall.services.game.players import SlotChange
    from knightfall.services.pms import PmBatch, PmToSend
    from knightfall.services.session import Session
    from knightfall.services.window.receipts import Receipt

Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="The player, by name or nickname.")]
FromPost: TypeAlias = Annotated[
    str | None,
    typer.Option("--at", metavar="POST", help="From this post on (default: after the last post read)."),
]
BatchOf: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--batch", metavar="KIND", help="Which PMs, such as role-1 or result-2 (default: the latest)."
    ),
]
PmDialect: TypeAlias = Annotated[
    str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the PM (default: your site's).")
]

signup = typer.Typer(help="Read a sign-up thread and decide what unclear posts mean.", no_args_is_help=True)
pm = typer.Typer(help="Send PMs one at a time, in random order, and track them.", no_args_is_help=True)


# ── slots ────────────────────────────────────────────────────────────────────────────────────────


@verb
def replace(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The player who leaves.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The account that takes over.")],
    at: FromPost = None,
    why: Why = "",
    *,
    options: PostOptions,
    copy: CopyIt = False,
    game: Game = None,
) -> None:
    """Replace a player. Example: knightfall replace Lumen Rook --at 412

    The slot keeps its vote and role. Counts as of earlier posts don't change. The post never gives the
    reason.
    """
    from knightfall.services.game.players import replace_player

    session = session_of_game(game)
    _show_change(replace_player(old, new, at, why, options, session), session, copy)


def _slot_verb(service: str, about: str) -> Callable[..., None]:
    """A verb that changes what became of a slot, by the service of that name; `about` is its help."""

    @verb
    def change(
        name: Name,
        at: FromPost = None,
        why: Why = "",
        *,
        options: PostOptions,
        copy: CopyIt = False,
        game: Game = None,
    ) -> None:
        from knightfall.services.game import players

        session = session_of_game(game)
        _show_change(getattr(players, service)(name, at, why, options, session), session, copy)

    change.__doc__ = about
    return change


modkill = _slot_verb(
    "modkill",
    """Modkill a player (remove them from the game). Example: knightfall modkill Elm --why "quoted a PM"

    Votes by and for the player stop counting at that post, and fewer votes are needed from then on. The post
    does not give the reason.
    """,
)
kill = _slot_verb(
    "kill",
    """Record a player's death during the day. Example: knightfall kill Fen --at 131 --why "shot by day"

    Exit status 3: the rules of the game have no such death.
    """,
)
revive = _slot_verb(
    "revive",
    'Bring a player back to life. Example: knightfall revive Fen --at 150 --why "the shot was a mistake"',
)


@verb
def prod(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME...", help="Who to prod (default: everyone who is due a prod)."),
    ] = None,
    draft: Annotated[bool, typer.Option("--draft", help="Only save the PMs in private/.")] = False,
    *,
    options: PostOptions,
    copy: CopyIt = False,
    game: Game = None,
) -> None:
    """Prod players who have gone quiet. Example: knightfall prod Elm Lumen --draft

    Saves a PM for each of them in private/. The public post says how many were prodded, but not who. Uses the
    thread as last read.
    """
    from knightfall.cli.format_game import prod_drafts_line, prods_line
    from knightfall.services.game import players

    prods = players.prod(tuple(names or ()), draft, options, session_of_game(game))
    aside(prod_drafts_line(prods))
    for _, receipt in prods.entries:
        _show_receipt(receipt)
    aside(prods_line(prods))
    print_post(prods.post, copy)


@verb
def vla(
    name: Name,
    days: Annotated[str, typer.Argument(metavar="FROM..TO", help="First and last day, or a single day.")],
    *,
    options: PostOptions,
    copy: CopyIt = False,
    game: Game = None,
) -> None:
    """Record an absence. Example: knightfall vla Elm 2026-11-28..2026-12-01, or Elm "Fri to Mon\""""
    from knightfall.cli.format_game import absence_line
    from knightfall.services.game.players import note_absence

    absence = note_absence(name, days, options, session_of_game(game))
    _show_receipt(absence.receipt)
    aside(absence_line(absence))
    print_post(absence.post, copy)


@verb
def mod_note(
    text: Annotated[list[str], typer.Argument(metavar="TEXT", help="The note; “-” reads standard input.")],
    *,
    options: PostOptions,
    copy: CopyIt = False,
    game: Game = None,
) -> None:
    """Write a note to all players and keep it. Example: knightfall mod-note "Spoilers do not count." """
    from knightfall.services.game.players import write_note

    said = " ".join(text)
    said = sys.stdin.read() if said.strip() == "-" else said
    print_post(write_note(said, options, session_of_game(game)).post, copy)


def _show_change(change: "SlotChange", session: "Session", copy: bool) -> None:
    from knightfall.cli.format_game import owed_lines, slot_change_line
    from knightfall.sentence import Way
    from knightfall.services.posts.people import post_of_change

    _show_receipt(change.receipt)
    aside(slot_change_line(change))
    for line in owed_lines(change):
        aside(line)
    print_post(change.post, copy)
    tell_next(session, Way("post", kind=post_of_change(change.record.entry)))


def _show_receipt(receipt: "Receipt | None") -> None:
    """What the begun game answers: its posts, and aside who else is told what."""
    from knightfall.cli.format_play import show_receipt

    if receipt is not None:
        show_receipt(receipt, echo, aside)


# ── sign-ups ─────────────────────────────────────────────────────────────────────────────────────


@signup.command("read")
@verb
def read(
    request: Annotated[
        CountRequest,
        Without("day", "at", "view", "footnotes", "theme", "template", "limit", *ANSWERS, "again"),
    ],
    place: Place,
    as_json: AsJson = False,
    write: Annotated[
        bool, typer.Option("--write", help="Update game.toml (until the deal) and save the list in public/.")
    ] = False,
    copying: CopyIt = False,
) -> None:
    """List who signed up, in order. Example: knightfall signup read https://forum.example/viewtopic.php?t=90001

    Understands /in, /out, /sub, /spec, "in!", "join", "confirm" and similar words. The last clear one from a
    player counts. Anything else from someone who hasn't signed up is unclear. Exit status 3: something is
    unclear; it is listed, and nothing is written.
    """
    from knightfall.cli.clipboard import copy
    from knightfall.cli.format_game import signups_line, signups_text, signups_written_lines
    from knightfall.cli.ways import as_object
    from knightfall.services.game.signups import read_signups, require_clear, signup_post, write_signups
    from knightfall.services.threads import is_rich

    # A sign-up thread that is named is read with the game of this folder.
    folder = game_needed(place.game) if write else game_here(place.game)
    here = place.of(folder)
    dialect, allow = request.dialect, request.allow
    with progress_bar(here) as session:
        found = read_signups(request, dialect, session)
        for sentence in (signups_line(found), *found.told, *([found.complaint] if found.complaint else ())):
            aside(sentence)
        post = signup_post(found, session, allow) if dialect or write or copying else ""
        echo(as_object(found.to_dict()) if as_json else post if dialect else signups_text(found))
        if copying:
            copy(post, is_rich(found.dialect))
            aside("The list was copied.")
        require_clear(found)
        if write:
            for sentence in signups_written_lines(write_signups(found, session, allow)):
                aside(sentence)


@signup.command("players")
def type_players(
    names: Annotated[list[str], typer.Argument(metavar="NAME…", help="Everybody who plays.")],
    game: Game = None,
) -> None:
    """Say who plays, until the deal. Example: knightfall signup players Ada Boro Cinder

    The game file lists these players then, and no others.
    """
    from knightfall.cli.format_game import players_typed_lines
    from knightfall.services.game.signups import write_players

    for line in players_typed_lines(write_players(names, session_of_game(game))):
        echo(line)


@signup.command("decide")
def decide(
    post: Annotated[str, typer.Argument(help="The post's number on the forum.")],
    word: Annotated[str, typer.Argument(metavar="in|out|sub|spec|ignore", help="What the author means.")],
    why: Why = "",
    game: Game = None,
) -> None:
    """Decide what a sign-up post means. Example: knightfall signup decide 22 in --why "asked them by PM" """
    from knightfall.cli.format_game import signup_decision_line
    from knightfall.services.game import signups

    echo(signup_decision_line(signups.decide(post, word, why, session_of_game(game))))


# ── PMs ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Copying:
    """Which PM goes onto the clipboard: the next one, `every` one (the next as soon as one was sent), or
    `whose`; else the ledger is told."""

    next_one: bool = asked("Copy the next PM that was not copied yet.", False, flag="copy-next")
    every: bool = asked("Copy one PM after another; answer y when you have sent it.", False, flag="copy-all")
    whose: str | None = asked("Copy this player's PM.", None, flag="copy", metavar="NAME")
    sent: bool = asked("Note what is copied as sent, as Copy on the page does.", False)
    dialect: str | None = asked(
        "Dialect of the PM (default: your site's).", None, flag="as", metavar="DIALECT"
    )
    same_text: str = asked("Copy a text that also went to somebody else, for this reason.", "", metavar="WHY")


@pm.command("roles")
@verb
def roles(copying: Copying, batch: BatchOf = None, game: Game = None) -> None:
    """Show the role PMs, or copy them one at a time. Example: knightfall pm roles --copy-next

    Without an option, it shows which PMs were copied, sent and confirmed. It prints recipient and subject,
    but never the text. The order of the PMs is drawn from the game's secret seed, so it gives nothing away.
    Exit status 3: this exact text already went to somebody else.
    """
    _pms("role", batch, copying, game)


@pm.command("results")
@verb
def results(copying: Copying, batch: BatchOf = None, game: Game = None) -> None:
    """Show or copy the results of a night, turn or round. Example: knightfall pm results --copy-next"""
    _pms("result", batch, copying, game)


@pm.command("prods")
@verb
def prods(
    copying: Annotated[Copying, Without("same_text")],
    request: Annotated[CountRequest, Without("day", *OF_THE_COUNT)],
    place: Place,
) -> None:
    """Show or copy PMs to players who are due a prod. Example: knightfall pm prods --copy-next

    Saves a draft for each of them in private/. Once it is marked as sent, it counts as a prod.
    """
    from knightfall.services.count.activity import prod_batch, write_drafts

    session = place.of_game()
    with progress_bar(session) as reading:
        batch = prod_batch(request, reading)
    write_drafts(batch, session.folder)
    _show_pms("prod", batch, (), copying, session)


@pm.command("mark")
def mark(
    state: Annotated[str, typer.Argument(metavar="sent|confirmed", help="What happened to the PMs.")],
    names: Annotated[
        list[str],
        typer.Argument(metavar="NAME...", help="The players; all names must match, or none is marked."),
    ],
    batch: BatchOf = None,
    game: Game = None,
) -> None:
    """Record that PMs were sent or confirmed. Example: knightfall pm mark confirmed Ada Boro Cinder

    Without --batch, this is each player's newest PM (the one that pm show prints) or the one copied since.
    """
    from knightfall.cli.format_game import marked_line
    from knightfall.services import pms

    echo(marked_line(pms.mark(state, tuple(names), batch, session_of_game(game))))


@pm.command("show")
def show(
    name: Annotated[str, typer.Argument(help="The player.")],
    batch: BatchOf = None,
    dialect: PmDialect = None,
    game: Game = None,
) -> None:
    """Print a player's PM, for your eyes only. Example: knightfall pm show Ada

    Includes the recipient and the subject.
    """
    from knightfall.cli.format_game import pms_text
    from knightfall.services.pms import pms_for

    echo(pms_text(pms_for(name, batch, dialect, session_of_game(game))))


# ── rooms ────────────────────────────────────────────────────────────────────────────────────────


DONE = "done"
"""The word behind `rooms` with which something is ticked off."""


def rooms(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="done ROOM NAME...",
            help="done: it is done on the forum, in all rooms, in one room, or for these players.",
        ),
    ] = None,
    game: Game = None,
    as_json: AsJson = False,
) -> None:
    """List who should be in each private topic, or note who is. Example: knightfall rooms done mafia Rook

    A room is a private topic: that of the mafia, of masons, a player's own, that of the dead, and every
    thread with the role private or dead in game.toml. Nothing is done on the forum: add and remove people
    there, then note it here.
    """
    from knightfall.cli.format_game import rooms_marked_lines, rooms_text
    from knightfall.cli.ways import as_object
    from knightfall.errors import InputError
    from knightfall.services.game import rooms as ledger
    from knightfall.services.requests import RoomsRequest

    session = session_of_game(game)
    said = words or []
    if not said:
        found = ledger.rooms(session)
        echo(as_object(found.to_dict()) if as_json else rooms_text(found))
        return
    if said[0] != DONE:
        raise InputError(f"“{said[0]}”: expected done, or no word at all.")
    marked = ledger.mark_rooms(RoomsRequest(said[1] if said[1:] else "", tuple(said[2:])), session)
    if as_json:
        echo(as_object(marked.to_dict()))
        return
    for line in rooms_marked_lines(marked):
        echo(line)
    tell_next(session)


def _pms(family: str, kind: str | None, copying: Copying, game: Path | None) -> None:
    """A batch of the game's roles or results: the one of that kind, else the latest."""
    from knightfall.services.pms import chosen, known_batches

    session = session_of_game(game)
    found = known_batches(family, session)
    _show_pms(family, chosen(found, kind), found, copying, session)


def _show_pms(
    family: str, batch: "PmBatch", others: "tuple[PmBatch, ...]", copying: Copying, session: "Session"
) -> None:
    """The ledger of a batch, or one PM of it on the clipboard."""
    from knightfall.cli.format_game import pm_ledger_lines, pm_ledger_remarks
    from knightfall.errors import InputError
    from knightfall.services.pms import ledger, next_pm

    if copying.sent and (copying.every or not (copying.next_one or copying.whose)):
        raise InputError("--sent goes with --copy-next or --copy NAME.")
    if not (copying.next_one or copying.every or copying.whose):
        found = ledger(batch, others, session)
        for line in pm_ledger_lines(found):
            echo(line)
        for remark in pm_ledger_remarks(found):
            aside(remark)
        return
    sending = next_pm(batch, copying.whose, copying.dialect, copying.same_text, session)
    if sending is None:
        aside(f"All PMs that are due have been copied ({batch.words}). See knightfall pm {family}s.")
        return
    while sending is not None:
        sent = copy_pm(sending, session, ask=copying.every, sent=copying.sent)
        if not (copying.every and sent):
            return
        sending = next_pm(batch, None, copying.dialect, copying.same_text, session)
    aside(f"That was the last PM ({batch.words}).")


def copy_pm(sending: "PmToSend", session: "Session", *, ask: bool = False, sent: bool = False) -> bool:
    """Copy a PM, note it, and ask whether it was sent, on a terminal or where `ask` says so; `sent`: it is
    noted as sent at once. Whether it was.

    Raises InputError where there is no clipboard: nothing is noted then.
    """
    from knightfall.cli.clipboard import copy
    from knightfall.cli.format_game import length_warning
    from knightfall.errors import InputError
    from knightfall.services.pms import PROD, note_copied, note_sent
    from knightfall.services.publish import PRIVATE_FOLDER, safe_name

    batch, name = sending.batch, f'"{sending.pm.holder}"'
    try:
        copy(sending.text, sending.rich)
    except InputError as error:
        # A reminder lies in private/, where it was drafted.
        kind = sending.pm.kind
        where = f"with knightfall pm show {name} --batch {kind}"
        if kind.startswith(PROD):
            where = f"in {PRIVATE_FOLDER}/{kind}-{safe_name(sending.pm.slot)}.txt"
        by_hand = f"Or open it {where}. Once you have sent it: knightfall pm mark sent {name} --batch {kind}"
        raise InputError(joined("\n", (error, by_hand))) from None
    done = (note_sent if sent else note_copied)(sending, session)
    echo(f"PM {done}/{len(batch.pms)} (random order) → {sending.pm.holder}. Copied.")
    echo(f"Subject: {batch.subject}")
    for sentence in length_warning(batch) if sending.first else ():
        aside(sentence)
    if not sent and (says_sent() if ask else was_sent()):
        note_sent(sending, session)
        sent = True
    aside("Marked as sent." if sent else f"Once you have sent it: knightfall pm mark sent {name}")
    return sent


def was_sent() -> bool:
    """Ask on a terminal whether a PM was sent; elsewhere there is nobody to ask."""
    return sys.stdin.isatty() and says_sent()


def says_sent() -> bool:
    """Ask whether a PM was sent; the answer may be piped in."""
    from knightfall.cli.terminal import typed

    return (typed("Sent it? [y/N] ") or "").strip().casefold() in ("y", "yes")
