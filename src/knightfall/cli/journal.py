"""`knightfall fix`, `alias`, `undo`, `log`, `rule`, `verify`, `export`, `import`: the journal of a game."""

from pathlib import Path
from typing import Annotated

import typer

from knightfall.cli.folder import game_needed
from knightfall.cli.options import AsJson, Game, GameHere, Then
from knightfall.cli.screen import echo

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
    from knightfall.cli.context import real_session
    from knightfall.cli.format_game import decision_line
    from knightfall.services import decisions

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
    from knightfall.cli.context import real_session
    from knightfall.cli.format_game import decision_line
    from knightfall.services import decisions

    folder = game_needed(game)
    echo(decision_line(decisions.alias(slot, name, why, real_session(folder, allow_private=False))))


def undo(
    number: Annotated[
        int | None, typer.Argument(help="The entry, by its number in the log; else the last one.")
    ] = None,
    why: WHY = "",
    game: GameHere = None,
) -> None:
    """Take a decision back; an undo can be undone as well. Example: knightfall undo 41 --why "wrong post" """
    from knightfall.cli.context import real_session
    from knightfall.cli.format_game import decision_line
    from knightfall.services import decisions

    folder = game_needed(game)
    echo(decision_line(decisions.undo(number, why, real_session(folder, allow_private=False))))


def log(
    as_json: AsJson = False,
    game: GameHere = None,
    at: Then = None,
) -> None:
    """List all that was decided and put into the game. Example: knightfall log --at 40

    Oldest first; what was taken back is marked.
    """
    from knightfall.cli.context import real_session
    from knightfall.cli.format_game import log_text
    from knightfall.engine.json_text import as_object
    from knightfall.services import decisions
    from knightfall.services.game_state import as_of

    folder = game_needed(game)
    session = as_of(at, real_session(folder, allow_private=False))
    found = decisions.log(session)
    echo(as_object(found.to_dict()) if as_json else log_text(found))


def rule(
    question: Annotated[str, typer.Argument(help="What had to be decided.")],
    answer: Annotated[str, typer.Argument(help="What you decided.")],
    why: Annotated[str, typer.Option(help="The reason; it is kept with the ruling.")] = "",
    game: Game = None,
) -> None:
    """Keep a ruling. Example: knightfall rule "May the dead post?" "In the dead thread" --why "as ever" """
    from knightfall.cli.context import real_session
    from knightfall.cli.format_game import decision_line
    from knightfall.services import decisions

    folder = game_needed(game)
    session = real_session(folder, allow_private=False)
    echo(decision_line(decisions.rule(question, answer, why, session)))


def verify(game: Game = None) -> None:
    """Check that the game is what was written. Example: knightfall verify

    Hashes, deal and posted texts: every text that was noted as posted is made again from the entries and
    posts of its moment, and compared byte for byte; a count by a template that is not in the folder, by its
    votes. Exit status 1: something differs; 7: something is not as it was written.
    """
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.cli.format_posts import fault_lines, verified_lines
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
    from knightfall.cli.context import real_session
    from knightfall.cli.format_posts import export_line, left_out_line
    from knightfall.services.transfer import export_journal

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
    from knightfall.cli.context import progress_bar, real_session
    from knightfall.cli.format_posts import import_line
    from knightfall.services.transfer import import_journal

    folder = game_needed(game)
    with progress_bar(real_session(folder, allow_private=False), "Checking entries") as session:
        echo(import_line(import_journal(file, drop_torn_line, session)))


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
