"""Pictures of a day: wagons, posts and votes, as SVG, PNG or text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from knightfall.errors import DecisionNeeded, InputError
from knightfall.models import Post, Slot
from knightfall.pictures.activity import Activity, activity_scene, activity_text, by_day, by_hours
from knightfall.pictures.scene import Scene
from knightfall.pictures.svg import is_plain, svg_text
from knightfall.pictures.vote_chains import chains_of, votes_scene, votes_text
from knightfall.pictures.wagons import Scale, by_post, by_time, wagons_of, wagons_scene, wagons_text
from knightfall.services.count_request import CountRequest
from knightfall.services.reading import habits_of
from knightfall.services.session import Say, Session
from knightfall.services.votecount import Counted, counted
from knightfall.votes.config import Ask
from knightfall.votes.count import Basis, standing_on
from knightfall.votes.tally import Day

PUBLIC = "public"
"""The folder of a game whose files players may see: weights that the rule hides are in no picture."""
ENDINGS = (".svg", ".png")
INSTALL = 'pip install "knightfall[pictures]"'


@dataclass(frozen=True, slots=True)
class Plot:
    """What was asked for: one of KINDS, of which count; `timed`: along the time of day, not the posts."""

    kind: str
    wanted: CountRequest
    timed: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture both ways; each is made when it is asked for."""

    scene: Callable[[], Scene]
    text: Callable[[], str]


def plot_text(plot: Plot, session: Session, say: Say) -> None:
    """Says the text version, at most 80 columns wide.

    Raises InputError and what a count raises; DecisionNeeded, afterwards, where votes wait for the moderator.
    """
    draw = _drawer(plot)
    done = counted(plot.wanted, session)
    say(draw(done, plot).text())
    _ask(plot, done)


def plot_file(plot: Plot, out: Path | None, session: Session, say: Say) -> None:
    """Writes the picture, SVG or PNG by the ending of `out`, and says where. Without `out`: an SVG in the
    game's public folder, or here where there is no game. Raises as `plot_text` does."""
    draw = _drawer(plot)
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: a picture ends in {' or '.join(ENDINGS)}.")
    done = counted(plot.wanted, session)
    path = out or _place(plot, done, session)
    write_scene(draw(done, plot).scene(), path)
    say(str(path))
    _ask(plot, done)


def _drawer(plot: Plot) -> Callable[[Counted, Plot], Drawn]:
    if plot.kind not in KINDS:
        raise InputError(f"“{plot.kind}” is no kind of picture; expected one of {', '.join(KINDS)}.")
    return KINDS[plot.kind]


def _place(plot: Plot, done: Counted, session: Session) -> Path:
    """“wagons-day1.svg”, where players' files of the game are."""
    name = f"{plot.kind}-day{done.count.day.number}.svg"
    return session.folder / PUBLIC / name if session.game else Path(name)


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


def _ask(plot: Plot, done: Counted) -> None:
    waiting = done.count.tally.questions
    if waiting and plot.kind != "activity":
        posts = ", ".join(f"#{doubt.post}" for doubt in waiting)
        raise DecisionNeeded(
            f"{len(waiting)} vote(s) need your decision ({posts}); the picture has the voter's earlier one.\n"
            "List them:  knightfall near"
        )


def _wagons(done: Counted, plot: Plot) -> Drawn:
    count = done.count
    day = wagons_of(count.tally, count.day, count.rule, _slots(done), count.terms.no_elimination)
    return Drawn(lambda: wagons_scene(day, _scale(done, plot)), lambda: wagons_text(day))


def _votes(done: Counted, _plot: Plot) -> Drawn:
    count = done.count
    day = chains_of(count.tally, count.day, _slots(done), count.terms.no_elimination)
    return Drawn(lambda: votes_scene(day), lambda: votes_text(day))


def _activity(done: Counted, plot: Plot) -> Drawn:
    found = _activity_of(done, plot)
    return Drawn(lambda: activity_scene(found), lambda: activity_text(found))


KINDS = {"wagons": _wagons, "activity": _activity, "votes": _votes}


def _scale(done: Counted, plot: Plot) -> Scale:
    day, end = done.count.day, done.count.tally.at
    if not plot.timed:
        return by_post(day.start, end)
    posts = _posts(done, day.start)
    untimed = [f"#{post.number}" for post in posts if post.time is None]
    if untimed:
        raise InputError(f"These posts tell no time: {', '.join(untimed[:12])}. Leave --time out.")
    times = {post.number: post.time for post in posts if post.time is not None}
    return by_time(times, done.count.zone or UTC)


def _posts(done: Counted, start: int) -> tuple[Post, ...]:
    """The posts from `start` as far as the count goes."""
    return tuple(post for post in done.thread.posts if start <= post.number <= done.count.tally.at)


def _activity_of(done: Counted, plot: Plot) -> Activity:
    """By day; by hours where one day is asked for or there is only one, and its posts tell their times."""
    count, (days, basis) = done.count, _standing_on(done)
    slots = basis.roster.slots
    starts = {day.number: day.start for day in (days[-1:] if plot.wanted.day else days)}
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
