"""The verbs that look something up: rulings, setups, roles, odds, games, records, forums, doctor, conform."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AsJson, Game
from knightfall.cli.screen import echo, say
from knightfall.engine.json_text import as_object

if TYPE_CHECKING:
    from knightfall.games.knight_fight.bout import Bout

_Record = Annotated[Path, typer.Argument(metavar="RECORD", help="A record, or the beginning of one.")]
_Turn = Annotated[int | None, typer.Option(min=0, help="The position after this turn; else the last.")]
_PICTURES = (".svg", ".png")


def rulings(
    game: Annotated[str, typer.Argument(metavar="GAME", help="For instance knight-errant, empowered.")],
    folder: Annotated[
        Path | None, typer.Option("--game", help="A game folder or its game.toml: what was chosen there.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the rulings of a game, with what they leave to you.

    Example: knightfall rulings knight-errant --game salt-harbour

    Of each its number and its options, with their values and what holds.
    """
    from knightfall.cli.format_lookups import format_rulings
    from knightfall.services import lookups

    found = lookups.rulings(game, folder)
    echo(as_object(found.to_dict()) if as_json else format_rulings(found))


def roles(
    name: Annotated[
        list[str] | None,
        typer.Argument(metavar="NAME", help="A role in words; without it all roles and modifiers."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the roles for Custom Mafia, or say what one does. Example: knightfall roles 2-shot weak doctor"""
    from knightfall.cli.format_lookups import format_role, format_role_catalog
    from knightfall.services.roles import role_catalog, role_details

    if name:
        details = role_details(" ".join(name))
        echo(as_object(details.to_dict()) if as_json else format_role(details))
    else:
        catalog = role_catalog()
        echo(as_object(catalog.to_dict()) if as_json else format_role_catalog(catalog))


def setups(
    game: Annotated[str, typer.Argument(metavar="GAME", help="knight-errant, empowered or knights-duty.")],
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="A code of Knight-Errant: its walk; a board of Knight's Duty, or your board's file.",
        ),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Empowered Mafia: for so many players.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the setups of a game. Example: knightfall setups knight-errant A1-RD

    The 48 setups of Knight-Errant, the numbers of Empowered Mafia, or the boards of Knight's Duty.
    """
    from knightfall.cli.format_lookups import format_setups, format_walk
    from knightfall.services import lookups

    found = lookups.setups(game, code, players)
    if as_json:
        echo(as_object(found.to_dict()))
    elif code and isinstance(found, lookups.CodeSetups):
        echo(format_walk(found.codes[0]))
    else:
        echo(format_setups(found))


def odds(
    weapon: Annotated[
        str | None, typer.Argument(metavar="[WEAPON]", help="sword, spear or bow; a table of all without it.")
    ] = None,
    shield: Annotated[bool, typer.Option("--shield", help="The target shields.")] = False,
    parry: Annotated[bool, typer.Option("--parry", help="The target parries.")] = False,
    hill: Annotated[bool, typer.Option("--hill", help="The attacker is inspired.")] = False,
    edition: Annotated[str, typer.Option(help="Rules of current, r00, r02 or r03.")] = "current",
    as_json: AsJson = False,
) -> None:
    """Count the chance of a hit in Knight's Duty. Example: knightfall odds SWORD --shield --hill

    Also of being disarmed; by counting the cards of the pile.
    """
    from knightfall.cli.format_lookups import format_attack, format_odds
    from knightfall.services import lookups

    found = lookups.odds(weapon, shield, parry, hill, edition)
    if as_json:
        echo(as_object(found.to_dict()))
    else:
        echo(format_odds(found) if weapon is None else format_attack(found.rows[0]))


def games(as_json: AsJson = False) -> None:
    """List the games on board. Example: knightfall games

    With players and how many options each has.
    """
    from knightfall.cli.format_lookups import format_games
    from knightfall.services import lookups

    found = lookups.games()
    echo(as_object(found.to_dict()) if as_json else format_games(found))
    for fault in found.faults:
        say(fault, err=True)


def replay(
    record: _Record,
    turn: _Turn = None,
    every: Annotated[bool, typer.Option("--all", help="The board after each turn.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="A picture of the board, too.")
    ] = None,
) -> None:
    """Play a record of Knight Fight again by the rules. Example: knightfall replay bout.txt --turn 12

    The board, what each has, who won.
    """
    from knightfall.cli.format_lookups import format_replay
    from knightfall.services import lookups as records

    found = records.replay(record, turn)
    if out is not None:
        _save_board(found.positions[-1], out)
    echo(format_replay(found, every))


def _save_board(bout: Bout, out: Path) -> None:
    """Draw a position as SVG or PNG, by the ending of the file."""
    from knightfall.errors import InputError
    from knightfall.pictures.board import board_scene
    from knightfall.pictures.svg import svg_text
    from knightfall.services.boards import picture

    if out.suffix.lower() not in _PICTURES:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(_PICTURES)}.")
    scene = board_scene(picture(bout))
    if out.suffix.lower() == ".png":
        from knightfall.services.plots import png_of  # matplotlib takes a second to load

        drawn = png_of(scene)
    else:
        drawn = svg_text(scene).encode()
    try:
        out.write_bytes(drawn)
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}.") from error


def moves(record: _Record, turn: _Turn = None) -> None:
    """List the legal moves of a position of Knight Fight. Example: knightfall moves bout.txt

    It tells whether one of them wins.
    """
    from knightfall.cli.format_lookups import format_moves
    from knightfall.services.lookups import legal_moves

    echo(format_moves(legal_moves(record, turn)))


def conform(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Case files, one JSON object a line.")
    ],
) -> None:
    """Run conformance cases and say which fail.

    Example: knightfall conform fixtures/conformance/*.jsonl

    One line for each that fails, then the sum; exit status 1 when any failed.
    """
    from knightfall.cli.context import bar_of
    from knightfall.services.conform import conform as run

    with bar_of("Running cases") as progress:
        report = run(files, progress)
    echo("\n".join(report.lines()))
    raise typer.Exit(1 if report.failed else 0)


def forums(as_json: AsJson = False) -> None:
    """List the forum software that can be read. Example: knightfall forums

    With what its pages tell.
    """
    from knightfall.cli.format_lookups import format_forums
    from knightfall.services.lookups import forum_platforms

    found = forum_platforms()
    echo(as_object(found.to_dict()) if as_json else format_forums(found))
    for fault in found.faults:
        say(fault, err=True)


def doctor(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[URL|FILE]", help="A page's address, or a saved page; else the game."),
    ] = None,
    from_html: Annotated[bool, typer.Option("--from-html", help="It is a page saved in a browser.")] = False,
    allow_private_host: Annotated[
        bool, typer.Option("--allow-private-host", help="Ask a forum of your own network, too.")
    ] = False,
    online: Annotated[
        bool, typer.Option("--online", help="Without a page: ask the forum for the game's threads, too.")
    ] = False,
    game: Game = None,
    as_json: AsJson = False,
) -> None:
    """Say what is wrong with a page, or with a game.

    Example: knightfall doctor --game salt-harbour --online

    Of a page: what it is, what was found on it, what is missing.

    Without a page: what is wrong with the game's folder, its database, journal and seed, or with the clock,
    and what to do about it. Exit status 0 where all is well, else that of what is worst.
    """
    from knightfall.cli.context import real_session
    from knightfall.cli.format_lookups import format_examination
    from knightfall.services.doctor import examine, fetched, health, saved

    if what:
        session = real_session(None, allow_private_host)
        is_file = from_html or ("://" not in what and Path(what).exists())
        page = saved(Path(what)) if is_file else fetched(what, session.fetch)
        report = examine(page, session.clock.now())
    else:
        folder = game_needed(game)
        report = health(real_session(folder, allow_private_host), online)
    echo(as_object(report.to_dict()) if as_json else format_examination(report))
    raise typer.Exit(report.exit_status)
