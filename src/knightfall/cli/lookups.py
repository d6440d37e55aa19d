"""The verbs that look something up: rulings, setups, roles, odds, games, records, forums, doctor, conform."""

from __future__ import annotations

from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knightfall.cli.terminal import AsJson, Game, echo, game_needed, say
from knightfall.cli.ways import as_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from knightfall.engine.lookup import Answer, Lookup
    from knightfall.engine.lookup import Parameter as GameParameter


def rulings(
    game: Annotated[str, typer.Argument(metavar="GAME", help="Such as knight-errant or empowered.")],
    folder: Annotated[
        Path | None, typer.Option("--game", help="Show what this game uses (folder or game.toml).")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List a game's rulings and the options you can set.

    Example: knightfall rulings knight-errant --game salt-harbour

    Every ruling has a number. Its options are listed below it, each with its current value and the other
    values you can choose.
    """
    from knightfall.cli.format_game import format_rulings
    from knightfall.services.game import lookups

    found = lookups.rulings(game, folder)
    echo(as_object(found.to_dict()) if as_json else format_rulings(found))


def setups(
    game: Annotated[str, typer.Argument(metavar="GAME", help="knight-errant, empowered or knights-duty.")],
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="A setup's code, or a board's name or file."),
    ] = None,
    players: Annotated[int | None, typer.Option(help="Only setups for this many players.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the setups of a game. Example: knightfall setups knight-errant A1-RD

    Depending on the game, these are setup codes, player counts or boards. Give a code to see that setup.
    """
    from knightfall.services.games import ask

    found = ask(game, "setups", {"code": code, "players": players})
    echo(as_object(found.to_dict()) if as_json else found.text())


def verb_of(name: str, game: str) -> Callable[..., None]:
    """The function of a verb that one game alone answers, with the parameters that the game declares."""
    from knightfall.games import lookups_of

    lookup = lookups_of(game)[name]

    def verb(**given: object) -> None:
        from knightfall.cli.terminal import real_session
        from knightfall.services.game import lookups
        from knightfall.services.games import ask

        as_json, out = given.pop("as_json"), given.pop("out", None)
        if lookup.live is not None:
            # The folder or the file of a game that is being played stands for its record.
            for one, value in given.items():
                place = Path(str(value))
                if isinstance(value, str) and (place.is_dir() or place.name == "game.toml"):
                    given[one] = lookups.live_text(game, name, real_session(place, allow_private=False))
        found = ask(game, name, given)
        if isinstance(out, Path):
            _save_picture(found, out)
        echo(as_object(found.to_dict()) if as_json else found.text())

    about, rest = lookup.help.partition("\n\n")[::2]
    verb.__doc__ = f"{about} Example: knightfall {name} {_example(lookup)}\n\n{rest}"
    parameters = [*map(_parameter, lookup.parameters)]
    if lookup.draws:
        kind = Annotated[
            Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="Also save a picture of the board.")
        ]
        parameters.append(Parameter("out", Parameter.KEYWORD_ONLY, default=None, annotation=kind))
    parameters.append(Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=AsJson))
    verb.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what typer reads
    verb.__annotations__ = {one.name: one.annotation for one in parameters}
    return verb


def _example(lookup: Lookup) -> str:
    """The words of a lookup's example behind its verb."""
    words = []
    for parameter in lookup.parameters:
        said, flag = lookup.example.get(parameter.name), f"--{parameter.flag or parameter.name}"
        if said is not None:
            words.append(str(said) if parameter.positional else flag if said is True else f"{flag} {said}")
    return " ".join(words)


def _parameter(wanted: GameParameter) -> Parameter:
    """A parameter of a game's lookup as typer has it."""
    from knightfall.engine.lookup import TextFile

    kind: Any = str if wanted.type is TextFile else wanted.type
    kind = list[kind] if wanted.several else kind
    metavar = wanted.metavar or None
    about: Any
    if wanted.positional:
        about = typer.Argument(metavar=metavar, help=wanted.help)
    elif wanted.flag or kind is bool:  # a flag alone, without its opposite
        about = typer.Option(f"--{wanted.flag or wanted.name}", help=wanted.help)
    else:
        about = typer.Option(metavar=metavar, help=wanted.help, min=wanted.least)
    optional = kind if wanted.required or wanted.default is not None else kind | None
    default = Parameter.empty if wanted.required else wanted.default
    return Parameter(
        wanted.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[optional, about]
    )


def games(as_json: AsJson = False) -> None:
    """List the games you can run. Example: knightfall games

    Shows the number of players and of options for each.
    """
    from knightfall.cli.format_game import format_games
    from knightfall.services.game import lookups

    found = lookups.games()
    echo(as_object(found.to_dict()) if as_json else format_games(found))
    for fault in found.faults:
        say(fault, err=True)


def _save_picture(answer: Answer, out: Path) -> None:
    """Draw an answer as SVG or PNG, by the ending of the file."""
    from knightfall.errors import InputError
    from knightfall.services.boards import ENDINGS, write_scene

    if out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: the file name must end in {' or '.join(ENDINGS)}.")
    write_scene(answer.scene(), out)  # type: ignore[attr-defined]  # who declares that it draws has it


def conform(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Case files, one JSON object per line.")
    ],
) -> None:
    """Run conformance cases and report failures.

    Example: knightfall conform fixtures/conformance/*.jsonl

    Prints a line for each failure, then the totals. Exit status 1: a case failed.
    """
    from knightfall.cli.terminal import bar_of
    from knightfall.services.conform import conform as run

    with bar_of("Running cases") as progress:
        report = run(files, progress)
    echo("\n".join(report.lines()))
    raise typer.Exit(1 if report.failed else 0)


def forums(as_json: AsJson = False) -> None:
    """List the forum software that Knightfall can read. Example: knightfall forums

    Also shows what their pages say about edits, deleted posts and times.
    """
    from knightfall.cli.format_game import format_forums
    from knightfall.services.game.lookups import forum_platforms

    found = forum_platforms()
    echo(as_object(found.to_dict()) if as_json else format_forums(found))
    for fault in found.faults:
        say(fault, err=True)


def doctor(
    what: Annotated[
        str | None,
        typer.Argument(metavar="[URL|FILE]", help="A page's address or a saved page (default: the game)."),
    ] = None,
    from_html: Annotated[
        bool, typer.Option("--from-html", help="The file is a page saved in your browser.")
    ] = False,
    allow_private_host: Annotated[
        bool, typer.Option("--allow-private-host", help="Allow forums on your own network.")
    ] = False,
    online: Annotated[bool, typer.Option("--online", help="With a game: also contact the forum.")] = False,
    game: Game = None,
    as_json: AsJson = False,
) -> None:
    """Find problems with a page or with a game.

    Example: knightfall doctor --game salt-harbour --online

    For a page: what it is, what was found on it and what is missing.

    For a game: problems with its folder, database, journal or seed, or with the clock, and how to fix them.
    The exit status is 0 if all is well, or that of the worst problem.
    """
    from knightfall.cli.format_game import format_examination
    from knightfall.cli.terminal import real_session
    from knightfall.services.keep.doctor import examine, fetched, health, saved

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
