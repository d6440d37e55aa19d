"""A whole archive of threads, counted: one row a thread, however many processes read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from knightfall.errors import InputError, KnightfallError
from knightfall.extras import missing_extra
from knightfall.forums.sites import site_of
from knightfall.services.count.votecount import count_of
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.session import GAME_FILE
from knightfall.services.threads import LINES, PostLines, SavedPages, gather
from knightfall.simulation.workers import spread
from knightfall.votes.config import Ask

_PAGES = (".html", ".htm")
_POSTS = "posts.jsonl"
"""Where a folder has a file of this name, its other lists of lines are no posts."""


@dataclass(frozen=True, slots=True)
class Row:
    """The last day of a thread: the wagons as name → votes, the hammered player, questions that are open.
    `error` says why a thread was not counted; the rest is then empty."""

    thread: str
    title: str = ""
    posts: int = 0
    day: int = 0
    alive: int = 0
    needed: int | None = None
    wagons: tuple[tuple[str, int], ...] = ()
    hammer: int | None = None
    questions: int = 0
    error: str = ""

    def to_dict(self) -> dict[str, object]:
        """{thread, title, posts, day, alive, needed, wagons: {name: votes}, hammer, questions, error}."""
        return {**asdict(self), "wagons": dict(self.wagons)}


def recount(folder: Path, workers: int = 0, scheduler: str = "") -> Iterator[Row]:
    """A row for each thread below the folder, in the order of their names.

    A thread is a file of posts (JSON Lines, `.gz` or not) or a folder of saved pages; a `game.toml` beside it
    is used. The workers of a scheduler have to see the same folder. Raises InputError where there is none.
    """
    threads = threads_in(folder)
    if not threads:
        raise InputError(f"{folder}: no threads here; expected files of posts (.jsonl) or saved pages.")
    tasks = [(str(folder), str(path.relative_to(folder))) for path in threads]
    return spread(row_of, tasks, workers, scheduler)


def threads_in(folder: Path) -> list[Path]:
    """Every file of posts and every folder of pages. Raises InputError where there is no such folder."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder.")
    found: list[Path] = []
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    for parent, own in groupby(sorted(files, key=lambda path: path.parent), key=lambda path: path.parent):
        names = list(own)
        lines = [path for path in names if path.name.endswith(LINES)]
        found += [path for path in lines if path.name.startswith(_POSTS)] or lines
        if not lines and any(path.suffix.lower() in _PAGES for path in names):
            found.append(parent)
    return sorted(found)


PARQUET = ".parquet"


def check_out(path: Path) -> None:
    """Raises InputError for a Parquet file where pyarrow is not installed: before anything is counted."""
    if path.suffix.lower() == PARQUET:
        _arrow()


def write_parquet(rows: Sequence[Row], path: Path) -> None:
    """A table with the fields of `Row` as columns; `wagons` is a map from name to votes.

    Raises InputError where pyarrow is not installed, or the file cannot be written.
    """
    arrow, parquet = _arrow()
    schema = arrow.schema(
        [
            ("thread", arrow.string()),
            ("title", arrow.string()),
            ("posts", arrow.int64()),
            ("day", arrow.int64()),
            ("alive", arrow.int64()),
            ("needed", arrow.int64()),
            ("wagons", arrow.map_(arrow.string(), arrow.int64())),
            ("hammer", arrow.int64()),
            ("questions", arrow.int64()),
            ("error", arrow.string()),
        ]
    )
    table = arrow.Table.from_pylist([asdict(row) for row in rows], schema=schema)
    try:
        parquet.write_table(table, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}.") from None


def _arrow() -> tuple[Any, Any]:
    """pyarrow and its Parquet."""
    try:
        import pyarrow  # an extra that few install
        import pyarrow.parquet
    except ImportError:
        raise missing_extra("parquet") from None
    return pyarrow, pyarrow.parquet


def row_of(folder: str, thread: str) -> Row:
    """The row of one thread."""
    path = Path(folder) / thread
    home = path if path.is_dir() else path.parent
    game = home if (home / GAME_FILE).exists() else None
    try:
        session = session_of(game)
        source = SavedPages((path,)) if path.is_dir() else PostLines(path)
        read = gather(source, session)
        setup = now_of(session).setup if game else None
        count = count_of(read, site_of(read.url or ""), setup, Ask(), session)
    except KnightfallError as fault:
        return Row(thread, error=f"{type(fault).__name__}: {fault}")
    tally = count.tally
    nobody = count.terms.no_elimination
    return Row(
        thread,
        read.title or "",
        len(read.posts),
        count.day.number,
        tally.alive,
        tally.needed,
        tuple((str(wagon.target.name) if wagon.target else nobody, wagon.count) for wagon in tally.wagons),
        tally.hammer.post if tally.hammer else None,
        len(count.questions),
    )
