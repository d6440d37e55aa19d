"""The verbs of a game's beginning, its posts and its journal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from knightfall.cli.terminal import (
    FILE,
    AllowLeak,
    AsJson,
    Game,
    GameHere,
    PrivateHost,
    Then,
    echo,
    game_needed,
)
from knightfall.errors import InputError

if TYPE_CHECKING:
    from knightfall.engine.game import Option, SlotId
    from knightfall.services.new_game import NewGameRequest


T = TypeVar("T")
OPTION = "--players-from"
PlayersFrom: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--players",
        OPTION,
        metavar="FILE",
        help="The names: one a line, a CSV, what signup wrote; - is piped.",
    ),
]
THREAD_ROLES = ("game", "vote", "signup", "private", "dead")
"""As in [[thread]]."""


def new(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="For instance kings-court: see knightfall games; or votes.")
    ] = "",
    players: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME...", help="The players, or give --players. One word, and no --out: the title."
        ),
    ] = None,
    file: PlayersFrom = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where the game is kept; else named by its title.")
    ] = None,
    title: Annotated[str, typer.Option(help="What the game is called.")] = "",
    timezone: Annotated[
        str, typer.Option("--tz", metavar="ZONE", help="For instance America/New_York.")
    ] = "",
    site: Annotated[str, typer.Option(metavar="DIALECT", help="How your site is written.")] = "",
    moderator: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Your account, and each co-moderator's.")
    ] = None,
    thread: Annotated[
        list[str] | None,
        typer.Option(metavar="ROLE=URL", help="A thread: game, vote, signup, private or dead."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Such as anomalies=A+H: see knightfall rulings GAME."),
    ] = None,
    setup: Annotated[
        str, typer.Option(metavar="CODE|FILE", help="A setup, or one of your own: a TOML file.")
    ] = "",
    source: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A game.toml that says all of this.")
    ] = None,
    showing: Annotated[
        bool, typer.Option("--example", help="Print a game.toml with every key and its meaning.")
    ] = False,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of the first posts; else your site's.")
    ] = "",
    allow_leak: AllowLeak = "",
) -> None:
    """Begin a game. Example: knightfall new kings-court --players names.txt --out harbour/

    With players the game is dealt: posts in public/, PMs in private/. Without any the folder waits:
    knightfall signup read URL --write, then knightfall deal. On a terminal, with GAME alone, you are asked.
    """
    from secrets import token_bytes

    from knightfall.cli.format_game import assumed_setup_lines, new_game_text
    from knightfall.cli.terminal import real_session
    from knightfall.services.new_game import (
        NewGameRequest,
        begin,
        begin_from,
        example_of,
        folder_for,
        folder_of,
    )

    if showing:
        echo(example_of(game or "votes"), nl=False)
        return

    # Nobody plays alone: one word that the folder is named by is a title.
    names = tuple(players or ())
    if len(names) == 1 and out is None and not title:
        title, names = names[0], ()
    if file is not None:
        if names:
            raise InputError(
                f"{', '.join(names)} and {OPTION} {file}: the players stand on the command line or in a "
                "list, not in both. Nothing was made. A title is said with --title."
            )
        names = read_players(file)

    chosen = parse_options([*(option or ()), *([f"setup={setup}"] if setup else ())])
    threads, moderators = parse_threads(thread or ()), tuple(moderator or ())
    place = out or (folder_for(source) if source else folder_of(title, game))
    said = bool(names or title or timezone or chosen or site or threads or moderators)
    request = NewGameRequest(
        game, names, place, token_bytes(32), token_bytes(32), title, timezone or "UTC", chosen, dialect, site,
        moderators, threads, allow_leak,
    )  # fmt: skip
    if source is not None:
        if said:
            raise InputError(
                "--from FILE says all of a game: leave the other options out, or write them there."
            )
        made = begin_from(source, request, real_session(place, allow_private=False))
    else:
        if not said and on_terminal():
            request = asked_for(request, named=out is not None)
        made = begin(request, real_session(request.folder, allow_private=False))
    echo(new_game_text(made))
    assumed = made.begun.assumed if made.begun else made.assumed
    for line in assumed_setup_lines(assumed, begun=made.begun is not None):
        _aside(line)


def deal(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="For instance knight-errant; in a folder its own.")
    ] = "",
    players: PlayersFrom = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Deal there, without a game file; else the game here.")
    ] = None,
    setup: Annotated[
        str | None, typer.Option(metavar="CODE|FILE", help="A setup, or one of your own; drawn otherwise.")
    ] = None,
    seed: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes; drawn otherwise.")
    ] = None,
    salt: Annotated[
        str | None, typer.Option(metavar="HEX", help="At least 16 bytes; drawn otherwise.")
    ] = None,
    dialect: Annotated[
        str, typer.Option("--as", metavar="DIALECT", help="Dialect of the first posts; else your site's.")
    ] = "",
    folder: Annotated[
        Path | None, typer.Option("--game", help="A game folder or its game.toml; else the one you are in.")
    ] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Deal by a secret seed. Example: knightfall deal --setup A1-RD

    In a game's folder: to the players of game.toml; the game begins, with its first posts in public/ and its
    PMs in private/. Elsewhere: knightfall deal GAME --players FILE --out DIR deals alone and prints the
    commitment, for the opening post. Keep private/ secret.
    """
    from secrets import token_bytes

    from knightfall.cli.format_game import assumed_setup_lines, begun_game_text
    from knightfall.cli.terminal import real_session
    from knightfall.services.deal import deal as deal_alone
    from knightfall.services.deal import parse_hex
    from knightfall.services.new_game import DealRequest, deal_game

    chance = parse_hex("--seed", seed) if seed else token_bytes(32)
    grain = parse_hex("--salt", salt) if salt else token_bytes(32)
    here = folder or (out if out is not None and (out / FILE).exists() else None)
    if out is not None and here is None:
        if not game or players is None:
            raise InputError(
                "--out DIR deals without a game file: knightfall deal GAME --players FILE --out DIR."
            )
        echo(deal_alone(game, read_players(players), setup, chance, grain, out).commitment)
        return
    place = game_needed(here)
    names = read_players(players) if players else ()
    request = DealRequest(chance, grain, game, names, setup or "", dialect, allow_leak)
    begun = deal_game(request, real_session(place, allow_private=False))
    echo(begun_game_text(begun))
    for line in assumed_setup_lines(begun.assumed, begun=True):
        _aside(line)


def verify_deal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The published deal, TOML or JSON.")],
    published: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment of the opening post.")
    ] = None,
) -> None:
    """Deal again from the published seed. Example: knightfall verify-deal deal.json --published 9f2c…

    Are these the cards, and is this the commitment? Exit status 1 if not.
    """
    from knightfall.cli.format_game import deal_check_text
    from knightfall.services.deal import check_deal

    check = check_deal(file, published)
    echo(deal_check_text(check))
    raise typer.Exit(1 if check.wrong else 0)


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
                f"--thread {thread}: expected ROLE=URL with one of {', '.join(THREAD_ROLES)}, such as "
                "game=https://forum.example/viewtopic.php?t=90010."
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
    from knightfall.config.setup import VOTES
    from knightfall.markup.dialects import dialect, dialect_names
    from knightfall.services.game_choice import game_named
    from knightfall.services.new_game import folder_of, kind_of

    kind = kind_of(request.game)
    title = _ask("Title of the game", request.title or "Untitled game")
    site = _until_taken(
        f"How your site is written: {', '.join(dialect_names())}",
        request.site or "plain",
        lambda said: dialect(said).name,
    )
    zone = _until_taken("Time zone of your deadlines, such as Europe/Lisbon", request.timezone, _zone)
    moderators = _names(_ask("Your account on the site, and your co-moderators'", ""))
    threads = _until_taken(
        "Threads as ROLE=URL, with roles game, signup …",
        "",
        lambda said: parse_threads(_names(said.replace(" ", ","))),
    )
    players = _names(_ask("Players, with commas; nobody yet: they sign up", ""))

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
            echo(str(fault), err=True)


def _zone(said: str) -> str:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    try:
        return ZoneInfo(said).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"“{said}” is no time zone; expected an IANA name such as Europe/Lisbon.") from None


def _choice_of(option: Option, game: str) -> Callable[[str], str]:
    from knightfall.services.game_choice import chosen_values

    return lambda said: chosen_values(game, (option,), {option.name: said})[option.name]


def _names(said: str) -> tuple[str, ...]:
    return tuple(name for one in said.split(",") if (name := one.strip()))


def post(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="signup, setup, rules, opening, day-start, votecount, note, end-of-day, dawn, results, "
            "error, endgame or archive.",
        ),
    ],
    game: Game = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, e.g. mafiascum.")
    ] = None,
    flavour: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your own words before it, read for secrets first.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So long may a post be; a longer one is split.")
    ] = None,
    form: Annotated[
        str | None, typer.Option("--format", metavar="csv|json", help="The archive record for programs.")
    ] = None,
    diff: Annotated[
        bool, typer.Option("--diff", help="Show only what changes against the last posted one.")
    ] = False,
    copying: Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")] = False,
    posted: Annotated[
        bool, typer.Option("--posted", help="Note in the game that this was posted; later ones compare.")
    ] = False,
    allow_leak: Annotated[
        str, typer.Option("--allow-leak", metavar="WHY", help="Let a secret pass for this reason.")
    ] = "",
    stored: Annotated[
        bool, typer.Option("--stored", help="Count what was read before, without asking the forum.")
    ] = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """Write a post for the thread and keep it in public/.

    It is ready to paste. Before it is shown every text is read for secrets; exit status 5: it would give one
    away.

    Example: knightfall post dawn --flavour dawn.txt --as mafiascum --copy --posted
    """
    from knightfall.cli.format_count import part_headings
    from knightfall.cli.format_game import comparison_line, difference_text, kept_line
    from knightfall.cli.terminal import Clipboard, progress_bar, real_session
    from knightfall.services.posts import PostRequest, draft_post, mark_posted, write_post

    folder = game_needed(game)
    request = PostRequest(kind, dialect, flavour, limit, form, allow_leak, stored)
    with progress_bar(real_session(folder, allow_private_host), "Reading and counting") as session:
        draft = draft_post(request, session) if diff else write_post(request, session)
        for remark in draft.remarks:
            _aside(remark)
        if diff or draft.last is not None:
            _aside(comparison_line(draft))
        if diff:
            echo(difference_text(draft))
            return

        # The parts with a blank line between them, and where they are kept.
        count = len(draft.parts)
        for number, (heading, part) in enumerate(
            zip(part_headings(draft.parts, draft.dialect), draft.parts, strict=True), 1
        ):
            if heading:
                _aside(heading)
            echo(part if number == count else f"{part}\n")
        _aside(kept_line(draft))

        # One part after the other on the clipboard, as long as the moderator asks for the next.
        clipboard = Clipboard()
        for number, part in enumerate(draft.parts if copying else (), 1):
            clipboard.copy(part, draft.rich)
            _aside("Copied." if count == 1 else f"Copied: part {number} of {count}.")
            if number < count and not clipboard.pasted():
                break
        if posted:
            noted = mark_posted(draft, session)
            _aside(f"{draft.name} is noted as posted, number {noted.number}.")


def archive(
    game: GameHere = None,
    public: Annotated[
        bool, typer.Option("--public", help="For everybody: no secret until the game is over.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Where to; else archive/ in public/ or private/.")
    ] = None,
    allow_leak: AllowLeak = "",
) -> None:
    """Write the game as pages to keep. Example: knightfall archive --public

    Posts, also by player, votes and wagons of each day, nights, people, rulings, the deal, a search. It opens
    by double click and loads nothing from anywhere. Made from what was read: run knightfall read first.
    """
    from knightfall.cli.format_game import archive_lines
    from knightfall.cli.terminal import progress_bar, real_session
    from knightfall.services.archive import write_archive

    folder = game_needed(game)
    with progress_bar(real_session(folder, allow_private=False), "Writing pages") as session:
        for line in archive_lines(write_archive(session, public, out, allow_leak)):
            echo(line)


def _aside(sentence: str) -> None:
    echo(sentence, err=True)


WHY = Annotated[str, typer.Option(help="The reason; it is kept with the decision.")]


def fix(
    post: Annotated[str, typer.Argument(help="The number of the post, as the forum counts.")],
    to: Annotated[str | None, typer.Option(metavar="NAME", help="It is a vote for NAME.")] = None,
    no_elimination: Annotated[
        bool, typer.Option("--no-elimination", help="It is a vote for no elimination.")
    ] = False,
    ignore: Annotated[bool, typer.Option("--ignore", help="No vote of it counts.")] = False,
    count: Annotated[bool, typer.Option("--count", help="It counts as it stands, in whatever form.")] = False,
    unvote: Annotated[bool, typer.Option("--unvote", help="It takes the voter's vote back.")] = False,
    why: WHY = "",
    game: GameHere = None,
) -> None:
    """Decide how one post counts. Example: knightfall fix 70 --to Kestrel --why "bold without colon is fine"

    Exactly one of --to, --no-elimination, --ignore, --count and --unvote; the latest decision on a post
    counts.
    """
    from knightfall.cli.format_play import decision_line
    from knightfall.cli.terminal import real_session
    from knightfall.services import journal as decisions

    folder = game_needed(game)
    chosen = decisions.Decision(to, no_elimination, ignore, unvote, count)
    record = decisions.fix(post, chosen, why, real_session(folder, allow_private=False))
    echo(decision_line(record))


def alias(
    slot: Annotated[str, typer.Argument(help="The player, by name.")],
    name: Annotated[str, typer.Argument(help="How players call him, too.")],
    why: WHY = "",
    game: GameHere = None,
) -> None:
    """Teach another name of a player. Example: knightfall alias Kestrel Kes --why "post 12 calls him so" """
    from knightfall.cli.format_play import decision_line
    from knightfall.cli.terminal import real_session
    from knightfall.services import journal as decisions

    folder = game_needed(game)
    echo(decision_line(decisions.alias(slot, name, why, real_session(folder, allow_private=False))))


def undo(
    number: Annotated[
        int | None, typer.Argument(help="The entry, by its number in the log; else the last one.")
    ] = None,
    why: WHY = "",
    yes: Annotated[bool, typer.Option("--yes", help="Take it back without being asked.")] = False,
    game: GameHere = None,
) -> None:
    """Take a decision back; an undo can be undone as well. Example: knightfall undo 41 --why "wrong post"

    Where that is more than one line it says what else goes, and asks; the texts that the entry led to move
    into private/void/. Exit status 3: there was nobody to ask; nothing is taken back then.
    """
    from knightfall.cli.format_play import decision_line, undo_lines
    from knightfall.cli.terminal import real_session, typed
    from knightfall.errors import DecisionNeeded
    from knightfall.services import journal as decisions

    session = real_session(game_needed(game), allow_private=False)
    seen = decisions.look_at_undo(number, session)
    if seen.asks and not yes:
        for line in undo_lines(seen):
            _aside(line)
        answer = typed(f"Take entry {seen.record.number} back? Type yes: ")
        if answer is None or answer.strip().casefold() not in ("yes", "y"):
            asked = "There was nobody to ask" if answer is None else f"You typed “{answer.strip()}”"
            raise DecisionNeeded(f"{asked}; nothing was taken back. To take it back all the same: --yes.")
    done = decisions.undo(seen.record.number, why, session)
    echo(decision_line(done.record))
    if done.void:
        _aside(f"Void now, in private/void/: {', '.join(file.name for file in done.void)}.")


def log(
    as_json: AsJson = False,
    game: GameHere = None,
    at: Then = None,
) -> None:
    """List all that was decided and put into the game. Example: knightfall log --at 40

    Oldest first; what was taken back is marked.
    """
    from knightfall.cli.format_play import log_text
    from knightfall.cli.terminal import at_in_full, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services import journal as decisions
    from knightfall.services.game_state import as_of

    folder = game_needed(game)
    now = real_session(folder, allow_private=False)
    session = as_of(at_in_full(at, now), now)
    found = decisions.log(session)
    echo(as_object(found.to_dict()) if as_json else log_text(found))


def rule(
    question: Annotated[str, typer.Argument(help="What had to be decided.")],
    answer: Annotated[str, typer.Argument(help="What you decided.")],
    why: Annotated[str, typer.Option(help="The reason; it is kept with the ruling.")] = "",
    game: Game = None,
) -> None:
    """Keep a ruling. Example: knightfall rule "May the dead post?" "In the dead thread" --why "as ever" """
    from knightfall.cli.format_play import decision_line
    from knightfall.cli.terminal import real_session
    from knightfall.services import journal as decisions

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    echo(decision_line(decisions.rule(question, answer, why, session)))


def verify(game: Game = None) -> None:
    """Check that the game is what was written. Example: knightfall verify

    Hashes, deal and posted texts: every text that was noted as posted is made again from the entries and
    posts of its moment, and compared byte for byte; a count by a template that is not in the folder, by its
    votes. Exit status 1: something differs; 7: something is not as it was written.
    """
    from knightfall.cli.format_game import fault_lines, verified_lines
    from knightfall.cli.terminal import progress_bar, real_session
    from knightfall.services.verify import verify_game

    folder = game_needed(game)
    with progress_bar(real_session(folder, allow_private=False), "Making posts again") as session:
        found = verify_game(session)
    for line in verified_lines(found):
        echo(line)
    for line in fault_lines(found):
        echo(line, err=True)
    raise typer.Exit(found.exit_status)


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file; only you may read it.")],
    public: Annotated[
        bool, typer.Option("--public", help="Only what everybody may know; it cannot be imported.")
    ] = False,
    game: Game = None,
) -> None:
    """Write the journal as JSON Lines. Example: knightfall export a.jsonl

    An entry with its hash a line.
    """
    from knightfall.cli.format_game import export_line, left_out_line
    from knightfall.cli.terminal import real_session
    from knightfall.services.journal import export_journal

    folder = game_needed(game)
    done = export_journal(file, real_session(folder, allow_private=False), public)
    for entry in done.left_out:
        _aside(left_out_line(entry))
    echo(export_line(done))


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What knightfall export wrote.")],
    drop_torn_line: Annotated[
        bool, typer.Option("--drop-torn-line", help="Leave out a last line that is cut off.")
    ] = False,
    game: Game = None,
) -> None:
    """Bring in a journal, or what it has more than this one. Example: knightfall import backup.jsonl

    Into an empty folder, or behind what is there. Nothing is imported unless every hash holds and both
    journals are one up to where the shorter ends.
    """
    from knightfall.cli.format_game import import_line
    from knightfall.cli.terminal import progress_bar, real_session
    from knightfall.services.journal import import_journal

    folder = game_needed(game)
    with progress_bar(real_session(folder, allow_private=False), "Checking entries") as session:
        echo(import_line(import_journal(file, drop_torn_line, session)))
