"""`knightfall new`, `deal` and `verify-deal`: a folder for a game, its deal, and the check of a deal."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, TypeVar

import typer

from knightfall.cli.folder import FILE, game_needed
from knightfall.cli.options import AllowLeak
from knightfall.cli.screen import echo
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
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="An option: see knightfall rulings GAME.")
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

    from knightfall.cli.context import real_session
    from knightfall.cli.format_new import new_game_text
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
    place = out or (folder_for(source) if source else folder_of(title))
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

    from knightfall.cli.context import real_session
    from knightfall.cli.format_new import begun_game_text
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
    echo(begun_game_text(deal_game(request, real_session(place, allow_private=False))))


def verify_deal(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The published deal, TOML or JSON.")],
    published: Annotated[
        str | None, typer.Option(metavar="HEX", help="The commitment of the opening post.")
    ] = None,
) -> None:
    """Deal again from the published seed. Example: knightfall verify-deal deal.json --published 9f2c…

    Are these the cards, and is this the commitment? Exit status 1 if not.
    """
    from knightfall.cli.format_new import deal_check_text
    from knightfall.services.deal import check_deal

    check = check_deal(file, published)
    echo(deal_check_text(check))
    raise typer.Exit(1 if check.wrong else 0)


# ── what is said on the command line ─────────────────────────────────────────────────────────────


def read_players(file: Path) -> "tuple[SlotId, ...]":
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


def asked_for(request: "NewGameRequest", *, named: bool) -> "NewGameRequest":
    """The request with the moderator's answers; `named`: its folder was said already."""
    from knightfall.config.new_file import VOTES
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
            question = f"{option.question} ({', '.join(option.values)})" if few else option.question
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


def _choice_of(option: "Option", game: str) -> Callable[[str], str]:
    from knightfall.services.game_choice import chosen_values

    return lambda said: chosen_values(game, (option,), {option.name: said})[option.name]


def _names(said: str) -> tuple[str, ...]:
    return tuple(name for one in said.split(",") if (name := one.strip()))
