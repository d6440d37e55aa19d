"""The verbs of a game's beginning, its posts and its journal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from knightfall.cli.format_due import tell_next
from knightfall.cli.options import verb
from knightfall.cli.terminal import (
    FILE,
    AllowLeak,
    CopyIt,
    Game,
    Place,
    Why,
    aside,
    confirm,
    echo,
    progress_bar,
    real_session,
    session_of_game,
)
from knightfall.errors import InputError
from knightfall.services.requests import CommitRequest, DealRequest, NewGameRequest, PostRequest

if TYPE_CHECKING:
    from knightfall.engine.game import Option
    from knightfall.sentence import SlotId
    from knightfall.services.posts.write import PostDraft
    from knightfall.services.session import Session


T = TypeVar("T")
OPTION = "--players-from"
PlayersFrom: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--players",
        OPTION,
        metavar="FILE",
        help="Players: one name per line, a CSV or signup's list; - for standard input.",
    ),
]
THREAD_ROLES = ("game", "vote", "signup", "private", "dead")
"""As in [[thread]]."""


@verb
def new(
    request: partial[NewGameRequest],
    *,
    file: PlayersFrom = None,
    thread: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=URL", help="A thread; ROLE is game, vote, signup, private or dead."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="An option, such as anomalies=A+H (see knightfall rulings GAME)."
        ),
    ] = None,
    setup: Annotated[
        str,
        typer.Option(
            metavar="CODE|NAME|FILE",
            help="A setup's code, the name of an open setup, or a TOML file of your own.",
        ),
    ] = "",
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A game.toml with all these settings.")
    ] = None,
    showing: Annotated[
        bool, typer.Option("--example", help="Print a sample game.toml that explains every key.")
    ] = False,
) -> None:
    """Start a game. Example: knightfall new kings-court --players names.txt --out harbour/

    With players, the roles are dealt at once: posts go to public/, PMs to private/. Without players, the next
    steps are knightfall signup read URL --write and knightfall deal. If you give only GAME, you are asked for
    the rest.
    """
    from secrets import token_bytes

    from knightfall.cli.format_game import assumed_setup_lines, new_game_text
    from knightfall.services.game.new import begin, begin_from, example_of, folder_for, folder_of, kind_of

    said = request.keywords
    game, title, out = said.get("game", ""), said.get("title", ""), said.get("folder")
    if showing:
        kind = kind_of(game or "votes")
        echo(example_of(kind), nl=False)
        if kind != "votes":
            echo(f"More on each option: knightfall rulings {kind}", err=True)
        return

    # Nobody plays alone: one word that the folder is named by is a title.
    names = said.get("players", ())
    if len(names) == 1 and out is None and not title:
        title, names = names[0], ()
    if file is not None:
        if names:
            raise InputError(
                f"{', '.join(names)} and {OPTION} {file}: name the players on the command line or in a file, "
                "not both. Nothing was created. To set the title, use --title."
            )
        names = read_players(file)

    chosen = parse_options([*(option or ()), *([f"setup={setup}"] if setup else ())])
    threads = parse_threads(thread or ())
    place = out or (folder_for(source) if source else folder_of(title, game))
    whole = request(
        game=game, players=names, folder=place, seed=token_bytes(32), salt=token_bytes(32), title=title,
        options=chosen, threads=threads,
    )  # fmt: skip
    typed = {"timezone", "site", "moderators", "at_deadline"} & said.keys()
    settings = bool(names or title or chosen or threads or typed)
    if source is not None:
        if settings:
            raise InputError(
                "--from FILE already has every setting. Leave the other options out, or add them to the file."
            )
        made = begin_from(source, whole, real_session(place, allow_private=False))
    else:
        if not settings and on_terminal():
            whole = asked_for(whole, named=out is not None)
        made = begin(whole, real_session(whole.folder, allow_private=False))
    if whole.fair and made.begun is None and made.kind != "votes":
        from knightfall.cli.fair import committed

        echo(f"Created {made.folder}. Nobody can choose its deal.")
        committed(CommitRequest(token_bytes(32), dialect=whole.dialect), session_of_game(made.folder))
        return
    echo(new_game_text(made, [role for role, _ in whole.threads]))
    assumed = made.begun.assumed if made.begun else made.assumed
    for line in assumed_setup_lines(assumed, begun=made.begun is not None):
        aside(line)


@verb
def deal(
    request: partial[DealRequest],
    players: PlayersFrom = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Deal into this folder, without a game file.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes (default: random).")
    ] = None,
    salt: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes (default: random).")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--game", help="A game folder or its game.toml (default: this folder).")
    ] = None,
) -> None:
    """Deal the roles from a secret seed. Example: knightfall deal --setup A1-RD

    In a game's folder, this deals to the players in game.toml and starts the game. The first posts go to
    public/ and the PMs to private/. Anywhere else, knightfall deal GAME --players FILE --out DIR only deals
    and prints the commitment for your opening post. Keep private/ secret.
    """
    from secrets import token_bytes

    from knightfall.cli.format_game import assumed_setup_lines, begun_game_text
    from knightfall.services.deal import deal as deal_alone
    from knightfall.services.deal import parse_hex
    from knightfall.services.fair_deal import promise_of
    from knightfall.services.game.new import deal_game
    from knightfall.services.session import journal_of

    chance = parse_hex("--seed", seed) if seed else token_bytes(32)
    grain = parse_hex("--salt", salt) if salt else token_bytes(32)
    here = folder or (out if out is not None and (out / FILE).exists() else None)
    if out is not None and here is None:
        game, setup = request.keywords.get("game"), request.keywords.get("setup")
        if not game or players is None:
            raise InputError("To deal without a game file: knightfall deal GAME --players FILE --out DIR.")
        echo(deal_alone(game, read_players(players), setup, chance, grain, out).commitment)
        return
    session = session_of_game(here)
    if (seed or salt) and promise_of(journal_of(session)) is not None:
        raise InputError(
            "This deal was committed to, and comes from that secret: leave out --seed and --salt."
        )
    names = read_players(players) if players else ()
    begun = deal_game(request(seed=chance, salt=grain, players=names), session)
    echo(begun_game_text(begun))
    for line in assumed_setup_lines(begun.assumed, begun=True):
        aside(line)
    tell_next(session_of_game(here))


# ── what is said on the command line ─────────────────────────────────────────────────────────────


def read_players(file: Path) -> tuple[SlotId, ...]:
    """The players of a list, or of what is piped in. Raises SetupError and InputError where it is no list."""
    from knightfall.config.player_list import parse_players
    from knightfall.services.session import read_text

    if file == Path("-"):
        return parse_players(sys.stdin.read(), "standard input")
    return parse_players(read_text(file), str(file))


def parse_options(said: Sequence[str]) -> dict[str, object]:
    """Parse `name=value` each; the value of `setup` may name a file. Raises InputError."""
    from knightfall.services.deal import setup_said

    found = dict[str, object]()
    for option in said:
        name, sign, value = option.partition("=")
        if not (name and sign):
            raise InputError(f"--option {option}: expected NAME=VALUE, such as setup=A1-RD.")
        found[name.strip()] = value.strip()
    if "setup" in found:
        found["setup"] = setup_said(str(found["setup"]))
    return found


def parse_threads(said: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Parse `role=address` each, or an address alone: the game's main thread. Raises InputError."""
    found = []
    for thread in said:
        role, _, url = ("game", "", thread) if _is_address(thread) else thread.partition("=")
        if role not in THREAD_ROLES or not _is_address(url):
            raise InputError(
                f"--thread {thread}: expected ROLE=URL, such as "
                "game=https://forum.example/viewtopic.php?t=90010. ROLE is one of "
                f"{', '.join(THREAD_ROLES)}."
            )
        found.append((role, url))
    return tuple(found)


def _is_address(said: str) -> bool:
    return said.startswith(("http://", "https://"))


# ── what is asked on a terminal ──────────────────────────────────────────────────────────────────


def on_terminal() -> bool:
    """Whether there is somebody to ask."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def asked_for(request: NewGameRequest, *, named: bool) -> NewGameRequest:
    """The request with the moderator's answers; `named`: its folder was said already."""
    from knightfall.config.new_file import day_rule
    from knightfall.config.setup import VOTES
    from knightfall.markup.dialects import dialect, dialect_names
    from knightfall.services.game.new import folder_of, kind_of
    from knightfall.services.games import game_named

    kind = kind_of(request.game)
    title = _ask("Title of the game", request.title or "Untitled game")
    site = _until_taken(
        f"Your site's dialect: {', '.join(dialect_names())}",
        request.site or "plain",
        lambda said: dialect(said).name,
    )
    zone = _until_taken("Time zone for deadlines, such as Europe/Lisbon", request.timezone, _zone)
    moderators = _names(_ask("Your username and your co-moderators', separated by commas", ""))
    threads = _until_taken(
        "Threads as ROLE=URL, where ROLE is game, signup …",
        "",
        lambda said: parse_threads(_names(said.replace(" ", ","))),
    )
    players = _names(_ask("Players, separated by commas (leave empty if they still have to sign up)", ""))

    # Where a majority decides, what happens without one.
    at_deadline, decided = request.at_deadline, day_rule(None if kind == VOTES else game_named(kind))
    if decided is not None and decided.death == "majority":
        at_deadline = _until_taken(
            "If nobody has a majority at the deadline: ask (you choose, and say why), nobody (is eliminated) "
            "or most (whoever has the most votes is eliminated)",
            at_deadline,
            _end_of_day,
        )

    # Options that are worth asking for; only what differs from the default is written down.
    options = dict[str, object]()
    if kind != VOTES:
        spec = game_named(kind).spec
        for option in (one for one in spec.options if one.name in spec.asked):
            few = len(option.values) <= 4 and not option.pattern
            ways = ", ".join(option.values) if few else option.form
            question = f"{option.question} ({ways})" if ways else option.question
            value = _until_taken(question, option.default, _choice_of(option, spec.name))
            if value != option.default:
                options[option.name] = value
    return replace(
        request,
        title=title,
        site=site,
        timezone=zone,
        moderators=moderators,
        threads=threads,
        players=players,
        options=options,
        at_deadline=at_deadline,
        folder=request.folder if named else folder_of(title),
    )


def _ask(question: str, offered: str) -> str:
    return str(typer.prompt(question, default=offered, show_default=bool(offered), err=True))


def _until_taken(question: str, offered: str, taken: Callable[[str], T]) -> T:
    """Ask until the answer can stand."""
    while True:
        try:
            return taken(_ask(question, offered).strip())
        except InputError as fault:
            echo(fault.message, err=True)


def _zone(said: str) -> str:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    from knightfall.config.instants import no_zone

    try:
        return ZoneInfo(said).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(no_zone(said)) from None


def _end_of_day(said: str) -> str:
    from knightfall.votes.rule import AtDeadline

    known = [one.value for one in AtDeadline]
    if said.casefold() not in known:
        raise InputError(f"“{said}” is none of {', '.join(known)}.")
    return said.casefold()


def _choice_of(option: Option, game: str) -> Callable[[str], str]:
    from knightfall.services.games import chosen_values

    return lambda said: chosen_values(game, (option,), {option.name: said})[option.name]


def _names(said: str) -> tuple[str, ...]:
    return tuple(name for one in said.split(",") if (name := one.strip()))


@verb
def post(
    request: PostRequest,
    place: Place,
    diff: Annotated[
        bool, typer.Option("--diff", help="Only show what changed since the last one posted.")
    ] = False,
    copying: CopyIt = False,
    posted: Annotated[
        bool, typer.Option("--posted", help="Record that you posted this, to compare later ones with it.")
    ] = False,
) -> None:
    """Write a post for the thread and save it in public/.

    The post is ready to paste. Every text is checked for secrets first. Exit status 5: the post would give a
    secret away.

    Example: knightfall post dawn --flavour dawn.txt --as mafiascum --copy --posted
    """
    from knightfall.cli.format_game import comparison_line, difference_text
    from knightfall.services.posts.write import draft_post, write_post

    reading = progress_bar(place.of_game(), "Reading and counting")
    # A votecount bears its number: nobody else gets that meanwhile, unless the network is awaited.
    alone = posted and request.stored and not (copying or diff)
    with reading as session, session.turn if alone else nullcontext():
        draft = draft_post(request, session) if diff else write_post(request, session)
        for remark in draft.remarks:
            aside(remark)
        if diff or draft.last is not None:
            aside(comparison_line(draft))
        if diff:
            echo(difference_text(draft))
            return

        show_draft(draft, copying, posted, session)
        if posted:
            tell_next(session)


def show_draft(draft: PostDraft, copying: bool, posted: bool, session: Session) -> None:
    """Print a post and where it is kept; put it on the clipboard, and note that it went out, where wanted."""
    from knightfall.cli.clipboard import copy_parts, print_parts
    from knightfall.cli.format_game import kept_line
    from knightfall.services.posts.write import mark_posted

    print_parts(draft.parts, draft.dialect)
    aside(kept_line(draft))
    if copying:
        copy_parts(draft.parts, draft.rich)
    if posted:
        noted = mark_posted(draft, session)
        aside(f"{draft.name} is marked as posted, number {noted.number}.")


def archive(
    game: Game = None,
    public: Annotated[
        bool, typer.Option("--public", help="Leave secrets out until the game is over.")
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where to (default: archive/ in public/ or private/)."),
    ] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Save the whole game as web pages. Example: knightfall archive --public

    Includes all posts (also by player), the votes and wagons of each day, nights, players, rulings, the deal
    and a search. It opens with a double click and loads nothing from the internet. It uses what has been
    read, so run knightfall read first.
    """
    from knightfall.cli.format_game import archive_lines
    from knightfall.services.keep.archive import write_archive

    with progress_bar(session_of_game(game), "Writing pages") as session:
        for line in archive_lines(write_archive(session, public, out, allow_leak)):
            echo(line)


def fix(
    post: Annotated[str, typer.Argument(help="The post's number on the forum.")],
    to: Annotated[str | None, typer.Option(metavar="NAME", help="Count it as a vote for NAME.")] = None,
    no_elimination: Annotated[
        bool, typer.Option("--no-elimination", help="Count it as a vote for no elimination.")
    ] = False,
    ignore: Annotated[bool, typer.Option("--ignore", help="Count no votes in it.")] = False,
    count: Annotated[bool, typer.Option("--count", help="Count its votes as written, in any form.")] = False,
    unvote: Annotated[bool, typer.Option("--unvote", help="Count it as an unvote.")] = False,
    why: Annotated[str, typer.Option(metavar="REASON", help="The reason; vc --footnotes shows it.")] = "",
    game: Game = None,
) -> None:
    """Decide how a post counts. Example: knightfall fix 70 --to Kestrel --why "bold without colon is fine"

    Use exactly one of --to, --no-elimination, --ignore, --count and --unvote. Your latest decision on a post
    applies.
    """
    from knightfall.cli.format_play import closed_day_lines, decision_line
    from knightfall.services import journal as decisions
    from knightfall.services.count import nickname_book
    from knightfall.services.count.explain import seen_fix
    from knightfall.writeups.vote_words import fix_effect_line

    session = session_of_game(game)
    chosen = decisions.Decision(to, no_elimination, ignore, unvote, count)
    record = nickname_book.fix(post, chosen, why, session)
    echo(decision_line(record))
    seen = seen_fix(record, session)
    closing = seen.closing if seen else decisions.day_closed_around(record.number, session)
    for line in closed_day_lines(closing):
        aside(line)
    if seen and closing is None:
        aside(fix_effect_line(seen.effect, seen.count))


def alias(
    slot: Annotated[str, typer.Argument(help="The player's name.")],
    name: Annotated[str, typer.Argument(help="The nickname that players use.")],
    why: Why = "",
    game: Game = None,
) -> None:
    """Add a nickname for a player. Example: knightfall alias Kestrel Kes --why "used in post 12" """
    from knightfall.cli.format_play import decision_line
    from knightfall.services.count import nickname_book

    echo(decision_line(nickname_book.alias(slot, name, why, session_of_game(game))))


def undo(
    number: Annotated[
        int | None, typer.Argument(help="The entry's number in the log (default: the last one).")
    ] = None,
    why: Why = "",
    yes: Annotated[bool, typer.Option("--yes", help="Undo it without asking.")] = False,
    game: Game = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Undo a decision; an undo can be undone too. Example: knightfall undo 41 --why "wrong post"

    If this affects more than one entry, you see what else changes and are asked first. Texts that the entry
    produced move to private/void/, and texts that change are written again. Exit status 3: there was nobody
    to ask; nothing is undone then.
    """
    from knightfall.cli.format_play import closed_day_lines, decision_line, undo_lines
    from knightfall.engine.entries import Fixed
    from knightfall.services.game.undo import look_at_undo
    from knightfall.services.game.undo import undo as taken_back
    from knightfall.services.journal import day_closed_around
    from knightfall.services.journal import log as entries_of

    session = session_of_game(game)
    with ExitStack() as turn:
        turn.enter_context(session.turn)
        seen = look_at_undo(number, session)
        if seen.asks and not yes:
            turn.close()  # nobody waits for an answer
        said = {one.record.number: one.said for one in entries_of(session).entries}
        first, *others = undo_lines(seen, said)
        for line in (first, *others) if seen.asks else (first,):
            aside(line)
        if seen.asks and not yes:
            confirm(f"Undo entry {seen.record.number}?", "undone")
        done = taken_back(seen.record.number, why, session, allow_leak)
    echo(decision_line(done.record))
    if isinstance(seen.record.entry, Fixed):
        for line in closed_day_lines(day_closed_around(seen.record.number, session)):
            aside(line)
    if done.void:
        aside(f"No longer valid, moved to private/void/: {', '.join(file.name for file in done.void)}.")
    if done.anew:
        aside(f"Written again: {', '.join(f'{file.parent.name}/{file.name}' for file in done.anew)}.")
    tell_next(session)


def rule(
    question: Annotated[str, typer.Argument(help="The question that came up.")],
    answer: Annotated[str, typer.Argument(help="Your ruling.")],
    why: Why = "",
    tell: Annotated[bool, typer.Option("--tell-why", help="Publish the reason, too.")] = False,
    game: Game = None,
) -> None:
    """Record a ruling. Example: knightfall rule "May the dead post?" "In the dead thread" --why "as ever"

    Question and answer are published when the game is over; the reason only with --tell-why.
    """
    from knightfall.cli.format_play import decision_line
    from knightfall.services import journal as decisions

    session = session_of_game(game)
    echo(decision_line(decisions.rule(question, answer, why, session, tell)))


def put_away(
    back: Annotated[bool, typer.Option("--back", help="Bring it back.")] = False,
    delete: Annotated[
        str, typer.Option("--delete", metavar="FOLDER", help="Delete it for ever: type its folder's name.")
    ] = "",
    game: Game = None,
) -> None:
    """Put a game away, bring it back, or delete it. Example: knightfall put-away --game harbour

    A game that is put away stays as it is; the page lists it apart. With --delete all that was written of it
    is gone: its log, its texts, its deal. Your own files in its folder stay.
    """
    from knightfall.services.game import shelf

    session = session_of_game(game)
    name = session.folder.resolve().name
    if delete and back:
        raise InputError("A game is brought back or deleted: give --back or --delete, not both.")
    if not delete:
        shelf.put_away(session, not back)
        echo(f"{name} is {'listed again' if back else 'put away'}.")
        return
    left = shelf.delete_game(delete, session)
    echo(f"{name} is deleted.")
    if left:
        aside(f"These files of its folder are not the game's, and stay: {', '.join(left)}.")


def file(
    thread: Annotated[
        str,
        typer.Option(
            "--thread", metavar="ROLE=URL", help="The thread; ROLE is game, vote, signup, private or dead."
        ),
    ],
    game: Game = None,
) -> None:
    """Name a thread of the game in game.toml.

    For a thread that was opened after the game was set up. Everything else in the file stays as you wrote it.

    Example: knightfall file --thread game=https://forum.example/viewtopic.php?t=90010
    """
    from knightfall.services.game.file import name_thread

    session = session_of_game(game)
    [(role, url)] = parse_threads([thread])
    echo(f"The {role} thread is {name_thread(role, url, session)}.")
    tell_next(session)


def verify(
    game: Game = None,
    writing: Annotated[
        bool, typer.Option("--write", help="Write the texts again that entries led to and that are missing.")
    ] = False,
    against: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Also compare the log lines in this saved page or text of the thread."
        ),
    ] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Check the game for tampering or damage. Example: knightfall verify

    Checks hashes, the deal and posted texts. Every text marked as posted is written again from the entries
    and posts of that time and compared byte for byte. If the template of a count is not in the folder, only
    its votes are compared. Exit status 1: something differs or is missing; 7: stored data was changed or
    damaged.

    The last line of each post (“Log 6: …”), as it was read from the forum, has to fit the journal and the
    pages here: one that does not shows that something was cut, rolled back or replaced.

    A text can be missing if Knightfall was ended while it wrote. --write writes it again.
    """
    from knightfall.cli.format_game import fault_lines, verified_lines
    from knightfall.services.keep.verify import verify_game
    from knightfall.services.posts.owed import write_missing

    for written in write_missing(session_of_game(game), allow_leak) if writing else ():
        echo(f"Written again: {written.parent.name}/{written.name}")
    with progress_bar(session_of_game(game), "Checking posts") as session:
        found = verify_game(session, against or ())
    for line in verified_lines(found):
        echo(line)
    for line in fault_lines(found):
        echo(line, err=True)
    raise typer.Exit(found.exit_status)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, readable only by you.")],
    public: Annotated[
        bool, typer.Option("--public", help="Only what players may know. It can't be imported.")
    ] = False,
    game: Game = None,
) -> None:
    """Export the journal as JSON Lines. Example: knightfall export a.jsonl

    Each line holds one entry and its hash.
    """
    from knightfall.cli.format_game import export_line, left_out_line
    from knightfall.services.journal import export_journal

    done = export_journal(file, session_of_game(game), public)
    for entry in done.left_out:
        aside(left_out_line(entry))
    echo(export_line(done))


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file from knightfall export.")],
    drop_torn_line: Annotated[
        bool, typer.Option("--drop-torn-line", help="Ignore a last line that is cut off.")
    ] = False,
    game: Game = None,
) -> None:
    """Import a backup, or merge in a newer journal. Example: knightfall import backup.jsonl

    Imports into an empty folder, or adds the entries that this journal lacks. Nothing is imported unless
    every hash is valid and both journals are the same up to the end of the shorter one.
    """
    from knightfall.cli.format_game import import_line
    from knightfall.services.journal import import_journal

    with progress_bar(session_of_game(game), "Checking entries") as session:
        echo(import_line(import_journal(file, drop_torn_line, session)))
