"""Pictures: of a day's votes and activity, and of a board game where it stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from knightfall.engine.game import SlotId
from knightfall.errors import InputError, SecretGuard
from knightfall.games import drawer_of, game_ids
from knightfall.models import Post, Slot
from knightfall.pictures.activity import Activity, activity_scene, activity_text, by_day, by_hours
from knightfall.pictures.scene import Scene
from knightfall.pictures.svg import is_plain, svg_text
from knightfall.pictures.vote_chains import chains_of, votes_scene, votes_text
from knightfall.pictures.wagons import Scale, by_post, by_time, wagons_of, wagons_scene, wagons_text
from knightfall.services.count_request import CountRequest
from knightfall.services.game_state import RunningGame, holders, shown, slot_meant, table_of
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.reading import habits_of
from knightfall.services.session import Session
from knightfall.services.votecount import Counted, counted
from knightfall.votes.config import Ask
from knightfall.votes.count import Basis, standing_on
from knightfall.votes.tally import Day, Doubt

PUBLIC = "public"
"""The folder of a game whose files players may see: weights that the rule hides are in no picture."""
ENDINGS = (".svg", ".png")
INSTALL = 'pip install "knightfall[pictures]"'


@dataclass(frozen=True, slots=True)
class PlotRequest:
    """A picture that is asked for: one of KINDS, of which count; `timed`: along the time of day, not the
    posts."""

    kind: str
    count: CountRequest
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Plot:
    """A picture that was made: as `text`, at most 80 columns wide, or as the file at `path`. `questions` are
    votes that wait for the moderator; the picture has the voters' earlier ones."""

    text: str
    path: Path | None
    questions: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A picture both ways; each is made when it is asked for."""

    scene: Callable[[], Scene]
    text: Callable[[], str]


def plot_text(request: PlotRequest, session: Session) -> Plot:
    """The picture as text. Raises InputError for an unknown kind, and what a count raises."""
    draw = _drawer(request.kind)
    done = counted(request.count, session)
    return Plot(draw(done, request).text(), None, _open_votes(request, done))


def plot_file(request: PlotRequest, out: Path | None, session: Session) -> Plot:
    """Write the picture, SVG or PNG by the ending of `out`; without it an SVG in the game's public folder, or
    here where there is no game. Raises as `plot_text` does, and InputError for another ending."""
    draw = _drawer(request.kind)
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    done = counted(request.count, session)
    if out is None:
        out = Path(f"{request.kind}-day{done.count.day.number}.svg")
        out = session.folder / PUBLIC / out if session.game else out
    write_scene(draw(done, request).scene(), out)
    return Plot("", out, _open_votes(request, done))


def _drawer(kind: str) -> Callable[[Counted, PlotRequest], _Drawing]:
    if kind not in KINDS:
        raise InputError(f"There is no picture called “{kind}”. Expected one of {', '.join(KINDS)}.")
    return KINDS[kind]


def _open_votes(request: PlotRequest, done: Counted) -> tuple[Doubt, ...]:
    """No vote is in a picture of who posts."""
    return () if request.kind == "activity" else done.count.tally.questions


def write_scene(scene: Scene, path: Path) -> None:
    """SVG or PNG by the ending. Raises InputError where the file cannot be written."""
    page = png_of(scene) if path.suffix.lower() == ".png" else _svg_of(scene)
    try:
        if path.parent.name == PUBLIC:
            path.parent.mkdir(exist_ok=True)
        path.write_bytes(page)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from error


def png_of(scene: Scene) -> bytes:
    """The scene as PNG. Raises InputError where matplotlib is not installed."""
    try:
        from knightfall.pictures.drawing import png  # matplotlib takes a second to load
    except ModuleNotFoundError:
        raise InputError(f"A PNG needs matplotlib: {INSTALL}, or write an SVG.") from None
    return png(scene)


def _svg_of(scene: Scene) -> bytes:
    """The scene as SVG, without matplotlib where it is not installed: only hatched boxes need it.
    Raises InputError for those then."""
    try:
        from knightfall.pictures.drawing import svg
    except ModuleNotFoundError:
        if not is_plain(scene):
            raise InputError(f"This SVG needs matplotlib, too: {INSTALL}, or use --text.") from None
        return svg_text(scene).encode()
    return svg(scene)


def _wagons(done: Counted, request: PlotRequest) -> _Drawing:
    count = done.count
    day = wagons_of(count.tally, count.day, count.rule, _slots(done), count.terms.no_elimination)
    return _Drawing(lambda: wagons_scene(day, _scale(done, request)), lambda: wagons_text(day))


def _votes(done: Counted, _request: PlotRequest) -> _Drawing:
    count = done.count
    day = chains_of(count.tally, count.day, _slots(done), count.terms.no_elimination)
    return _Drawing(lambda: votes_scene(day), lambda: votes_text(day))


def _activity(done: Counted, request: PlotRequest) -> _Drawing:
    found = _activity_of(done, request)
    return _Drawing(lambda: activity_scene(found), lambda: activity_text(found))


KINDS = {"wagons": _wagons, "activity": _activity, "votes": _votes}


def _scale(done: Counted, request: PlotRequest) -> Scale:
    day, end = done.count.day, done.count.tally.at
    if not request.timed:
        return by_post(day.start, end)
    posts = _posts(done, day.start)
    untimed = [f"#{post.number}" for post in posts if post.time is None]
    if untimed:
        raise InputError(f"These posts have no time: {', '.join(untimed[:12])}. Leave out --time.")
    times = {post.number: post.time for post in posts if post.time is not None}
    return by_time(times, done.count.zone or UTC)


def _posts(done: Counted, start: int) -> tuple[Post, ...]:
    """The posts from `start` as far as the count goes."""
    return tuple(post for post in done.thread.posts if start <= post.number <= done.count.tally.at)


def _activity_of(done: Counted, request: PlotRequest) -> Activity:
    """By day; by hours where one day is asked for or there is only one, and its posts tell their times."""
    count, (days, basis) = done.count, _standing_on(done)
    slots = basis.roster.slots
    starts = {day.number: day.start for day in (days[-1:] if request.count.day else days)}
    posts = _posts(done, min(starts.values()))
    names = {name for slot in slots for name in slot.names}
    timed = all(post.time is not None for post in posts)
    if len(starts) == 1 and timed and any(post.author in names for post in posts):
        return by_hours(posts, slots, count.day.number, count.zone or UTC)
    return by_day(posts, slots, starts, count.tally.at)


def _slots(done: Counted) -> tuple[Slot, ...]:
    """Every player, the dead too, as the count knows them."""
    return _standing_on(done)[1].roster.slots


def _standing_on(done: Counted) -> tuple[tuple[Day, ...], Basis]:
    ask = Ask(done.count.day.number, at_post=done.count.tally.at)
    return standing_on(done.thread, habits_of(done.thread, done.site), done.setup, ask)


def plot_board(out: Path | None, session: Session, viewer: str | None = None) -> tuple[Path, ...]:
    """Draw the board as SVG or PNG by the ending of `out`, and return where; without it into the game's
    public folder, or into its private one where it is the board of one `viewer`. A game that has several
    pictures of it, one for each round, gets as many files with a number at the end of their names.

    Raises InputError where the game has no board, hides it, or nobody is called so; SecretGuard where a
    player's own board would get among the public files.
    """
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    table = table_of(session)
    slot = None if viewer is None else slot_meant(table, viewer)
    scenes, path = _scenes(table, slot), out or _place(table, slot)
    _guarded(path, table, slot)
    if len(scenes) == 1:
        write_scene(scenes[0], path)
        return (path,)
    paths = tuple(path.with_stem(f"{path.stem}-{number}") for number in range(1, len(scenes) + 1))
    for scene, each in zip(scenes, paths, strict=True):
        write_scene(scene, each)
    return paths


def board_text(session: Session, viewer: str | None = None) -> str:
    """The board in letters of one width, as everybody sees it, or as one `viewer` does. Raises InputError
    where the game has no such board, or hides it."""
    table = table_of(session)
    slot = None if viewer is None else slot_meant(table, viewer)
    _scenes(table, slot)  # it knows what may be shown to whom
    board = table.game.board(table.state, slot, _names(table))
    if board:
        return board
    raise InputError(f"{table.game.spec.name} has no text board. For a picture, leave out --text.")


def _place(table: RunningGame, slot: SlotId | None) -> Path:
    """“public/board-014.svg”, “private/board-014-Ada.svg”."""
    number = f"board-{len(table.journal):03}"
    if slot is None:
        return table.folder / PUBLIC / f"{number}.svg"
    return table.folder / PRIVATE_FOLDER / f"{number}-{safe_name(slot)}.svg"


def _guarded(path: Path, table: RunningGame, slot: SlotId | None) -> None:
    public = (table.folder / PUBLIC).resolve()
    if slot is not None and path.resolve().is_relative_to(public):
        raise SecretGuard(
            f"{path} is inside public/, but this board shows what only {slot} may see. Nothing was drawn."
        )


def _scenes(table: RunningGame, slot: SlotId | None) -> tuple[Scene, ...]:
    draw = drawer_of(table.game.spec.id)
    if draw is None:
        there = ", ".join(name for name in game_ids() if drawer_of(name))
        raise InputError(f"{table.game.spec.name} has no board to draw. Games with a board: {there}.")
    return draw(table.state, slot, _names(table))


def _names(table: RunningGame) -> dict[SlotId, str]:
    """What each slot is called now: “Ada”, “Cy (was Ada)”."""
    held = holders(table.journal)
    return {slot: shown(slot, held) for slot in held}
