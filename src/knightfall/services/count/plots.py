"""Pictures of a day's votes and activity; `boards` draws where a game stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.models import Post, Slot
from knightfall.pictures.activity import Activity, activity_scene, activity_text, by_day, by_hours
from knightfall.pictures.scene import Scene
from knightfall.pictures.vote_chains import chains_of, votes_scene, votes_text
from knightfall.pictures.wagons import Scale, by_post, by_time, wagons_of, wagons_scene, wagons_text
from knightfall.sentence import Way, sentence
from knightfall.services.boards import ENDINGS, write_scene
from knightfall.services.count.day_answers import config_of
from knightfall.services.count.votecount import Counted, counted
from knightfall.services.requests import PlotRequest
from knightfall.services.session import Session
from knightfall.services.threads import habits_of
from knightfall.storage.drafts import PUBLIC
from knightfall.votes.config import Ask
from knightfall.votes.count import Basis, standing_on
from knightfall.votes.tally import Day, Doubt


@dataclass(frozen=True, slots=True, repr=False)
class Plot(JsonAnswer):
    """A picture that was made: as `text`, at most 80 columns wide, or as the file at `path`. `questions` are
    votes that wait for the moderator; the picture has the voters' earlier ones. `lost` has a sentence for
    each decision that has lost its post."""

    text: str
    path: Path | None
    questions: tuple[Doubt, ...]
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Drawing:
    """A picture both ways; each is made when it is asked for."""

    scene: Callable[[], Scene]
    text: Callable[[], str]


def plot_text(request: PlotRequest, session: Session) -> Plot:
    """The picture as text. Raises InputError for an unknown kind, and what a count raises."""
    draw = _drawer(request.kind)
    done = counted(request.count, session)
    return Plot(draw(done, request, session).text(), None, _open_votes(request, done), done.count.lost)


def plot_file(request: PlotRequest, out: Path | None, session: Session) -> Plot:
    """Write the picture, SVG or PNG by the ending of `out`; without it an SVG in the game's public folder, or
    here where there is no game. Raises as `plot_text` does, and InputError for another ending."""
    draw = _drawer(request.kind)
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(
            sentence(
                "{field} {out}: a picture ends in {endings}.",
                field=Way("field", name="out"),
                out=out,
                endings=" or ".join(ENDINGS),
            )
        )
    done = counted(request.count, session)
    if out is None:
        out = Path(f"{request.kind}-day{done.count.day.number}.svg")
        out = session.folder / PUBLIC / out if session.game else out
    write_scene(draw(done, request, session).scene(), out)
    return Plot("", out, _open_votes(request, done), done.count.lost)


def _drawer(kind: str) -> Callable[[Counted, PlotRequest, Session], _Drawing]:
    if kind not in KINDS:
        raise InputError(f"There is no picture called “{kind}”. Expected one of {', '.join(KINDS)}.")
    return KINDS[kind]


def _open_votes(request: PlotRequest, done: Counted) -> tuple[Doubt, ...]:
    """No vote is in a picture of who posts."""
    return () if request.kind == "activity" else done.count.questions


def _wagons(done: Counted, request: PlotRequest, session: Session) -> _Drawing:
    count = done.count
    day = wagons_of(count.tally, count.day, count.rule, _slots(done, session), count.terms.no_elimination)
    return _Drawing(lambda: wagons_scene(day, _scale(done, request)), lambda: wagons_text(day))


def _votes(done: Counted, _request: PlotRequest, session: Session) -> _Drawing:
    count = done.count
    day = chains_of(count.tally, count.day, _slots(done, session), count.terms.no_elimination)
    return _Drawing(lambda: votes_scene(day), lambda: votes_text(day))


def _activity(done: Counted, request: PlotRequest, session: Session) -> _Drawing:
    found = _activity_of(done, request, session)
    return _Drawing(lambda: activity_scene(found), lambda: activity_text(found))


KINDS = {"wagons": _wagons, "activity": _activity, "votes": _votes}


def _scale(done: Counted, request: PlotRequest) -> Scale:
    day, end = done.count.day, done.count.tally.at
    if not request.timed:
        return by_post(day.start, end)
    posts = _posts(done, day.start)
    untimed = [f"#{post.number}" for post in posts if post.time is None]
    if untimed:
        raise InputError(
            sentence(
                "These posts have no time: {posts}. Leave out {time}.",
                posts=", ".join(untimed[:12]),
                time=Way("field", name="time"),
            )
        )
    times = {post.number: post.time for post in posts if post.time is not None}
    return by_time(times, done.count.zone or UTC)


def _posts(done: Counted, start: int) -> tuple[Post, ...]:
    """The posts from `start` as far as the count goes."""
    return tuple(post for post in done.thread.posts if start <= post.number <= done.count.tally.at)


def _activity_of(done: Counted, request: PlotRequest, session: Session) -> Activity:
    """By day; by hours where one day is asked for or there is only one, and its posts tell their times."""
    count, (days, basis) = done.count, _standing_on(done, session)
    slots = basis.roster.slots
    starts = {day.number: day.start for day in (days[-1:] if request.count.day else days)}
    posts = _posts(done, min(starts.values()))
    names = {name for slot in slots for name in slot.names}
    timed = all(post.time is not None for post in posts)
    if len(starts) == 1 and timed and any(post.author in names for post in posts):
        return by_hours(posts, slots, count.day.number, count.zone or UTC)
    return by_day(posts, slots, starts, count.tally.at)


def _slots(done: Counted, session: Session) -> tuple[Slot, ...]:
    """Every player, the dead too, as the count knows them."""
    return _standing_on(done, session)[1].roster.slots


def _standing_on(done: Counted, session: Session) -> tuple[tuple[Day, ...], Basis]:
    ask = Ask(done.count.day.number, at_post=done.count.tally.at)
    config = config_of(done.setup, done.thread, session)
    return standing_on(done.thread, habits_of(done.thread, done.site), config, ask)
