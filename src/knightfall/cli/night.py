"""The verbs about a night, of a file or of the game of a folder: resolve, why, whatif."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AsJson
from knightfall.cli.screen import echo
from knightfall.engine.json_text import as_object

if TYPE_CHECKING:
    from knightfall.mafia.game import NightFile

Number: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--night", min=1, help="A night of your game; the open one, else the last, where not given."
    ),
]
Game: TypeAlias = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]


def night_meant(file: Path | None, number: int | None, game: Path | None) -> NightFile:
    """The night of the file; without one that of the game. Raises InputError where both are named, or
    neither is there."""
    from knightfall.cli.context import real_session
    from knightfall.errors import InputError
    from knightfall.services.night_file import read_night
    from knightfall.services.resolve_night import night_here

    if file is not None and (number is not None or game is not None):
        raise InputError("Either a night file, or a night of a game: not both.")
    if file is not None:
        return read_night(file)
    folder = game_needed(game)
    return night_here(number, real_session(folder, allow_private=False))


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

    In a game's folder it is the night that is open, as it stands, or --night N; nothing is written.
    Example: knightfall resolve --preview

    Flavour that names a living player's role, ability or target is refused (exit 5).
    """
    from knightfall.cli.format_night import format_night, format_preview
    from knightfall.errors import DecisionNeeded
    from knightfall.services import resolve_night
    from knightfall.services.session import read_text

    known = night_meant(night, number, game)
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
    """Say why a player lived or died, and what he was told.

    Why his actions failed, too; each step with its ruling. In a game's folder of the night that is open, as
    it stands, or of --night N.
    Example: knightfall why Ada --night 1
    """
    from knightfall.cli.format_night import format_explanation
    from knightfall.mafia import explain_night

    echo(format_explanation(explain_night.why(name, night_meant(night, number, game))))


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
    from knightfall.cli.format_night import format_changes
    from knightfall.errors import InputError
    from knightfall.mafia import explain_night as compare_nights

    file, edits = (Path(words[0]), words[1:]) if words[0].endswith(".toml") else (None, words)
    if not edits:
        raise InputError("What is to be different? Say for instance “remove Ada:heal”.")
    echo(format_changes(compare_nights.whatif(night_meant(file, number, game), edits)))
