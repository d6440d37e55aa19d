"""`knightfall ics`: the game's phases and deadlines for a calendar program."""

from knightfall.cli.desk import GameHere
from knightfall.cli.folder import game_needed
from knightfall.cli.options import AllowLeak
from knightfall.cli.screen import echo


def ics(game: GameHere = None, allow_leak: AllowLeak = "") -> None:
    """Write the phases and deadlines to public/calendar.ics. Example: knightfall ics

    Import it, or let players subscribe to it; write it again after each phase extend.
    """
    from knightfall.cli.context import real_session
    from knightfall.services.calendar_file import write_calendar

    folder = game_needed(game)
    file, events = write_calendar(real_session(folder, allow_private=False), allow_leak)
    echo(f"Written: {file}, {events} events.")
