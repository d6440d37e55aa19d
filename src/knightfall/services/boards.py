"""The board of a game as pictures: where it stands, and what belongs to the post of an entry."""

from __future__ import annotations

from errno import ENOENT
from os import strerror
from pathlib import Path

from knightfall.engine.game import Announced, SeasonBook
from knightfall.errors import InputError, SecretGuard
from knightfall.extras import missing_extra
from knightfall.games import drawer_of, game_ids
from knightfall.pictures.scene import Scene
from knightfall.pictures.svg import is_plain, svg_text
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.now import now_of
from knightfall.services.publish import PRIVATE_FOLDER, safe_name
from knightfall.services.running import RunningGame, before, holders, shown, slot_meant, with_holders
from knightfall.services.session import Session
from knightfall.storage.drafts import PUBLIC, write_draft

ENDINGS = (".svg", ".png")


def write_scene(scene: Scene, path: Path) -> None:
    """SVG or PNG by the ending. Raises InputError where the file cannot be written. No folder is made but a
    half of a game's."""
    page = png_of(scene) if path.suffix.lower() == ".png" else svg_of(scene)
    if path.parent.name not in (PUBLIC, PRIVATE_FOLDER) and not path.parent.is_dir():
        raise InputError(f"{path} cannot be written: {strerror(ENOENT)}.")
    write_draft(path.parent, ".", path.name, page)


def png_of(scene: Scene) -> bytes:
    """The scene as PNG. Raises InputError where matplotlib is not installed."""
    try:
        from knightfall.pictures.drawing import png  # matplotlib takes a second to load
    except ModuleNotFoundError:
        raise missing_extra("pictures", "write an SVG") from None
    return png(scene)


def svg_of(scene: Scene) -> bytes:
    """The scene as SVG. Only hatched boxes need matplotlib; InputError where it is not installed then."""
    if is_plain(scene):
        return svg_text(scene).encode()
    try:
        from knightfall.pictures.drawing import svg
    except ModuleNotFoundError:
        raise missing_extra(
            "pictures", sentence("have the board as text: {text}", text=Way("field", name="text"))
        ) from None
    return svg(scene)


def season_book(session: Session) -> SeasonBook | None:
    """What the match gives to the book of a season by now, with every balance; None for a game that no season
    counts."""
    table = now_of(session).running
    book = table.game.season_book(table.state, balances=True)
    return None if book is None else with_holders(book, holders(table.journal))


def has_board(table: RunningGame) -> bool:
    """Whether the game has a board that can be drawn."""
    return drawer_of(table.game.spec.id) is not None


def plot_board(out: Path | None, session: Session, viewer: str | None = None) -> tuple[Path, ...]:
    """Draw the board as SVG or PNG by the ending of `out`, and return where; without it into the game's
    public folder, or into its private one where it is the board of one `viewer`. A game that has several
    pictures of it, one for each round, gets as many files with a number at the end of their names.

    Raises InputError where the game has no board, hides it, or nobody is called so; SecretGuard where a
    player's own board would get among the public files.
    """
    if out is not None and out.suffix.lower() not in ENDINGS:
        raise InputError(
            sentence(
                "{field} {out}: a picture ends in {endings}.",
                field=Way("field", name="out"),
                out=out,
                endings=" or ".join(ENDINGS),
            )
        )
    table = now_of(session).running
    slot = None if viewer is None else slot_meant(table, viewer)
    scenes, path = _scenes(table, slot), out or _place(table, slot)
    _guarded(path, table, slot)
    return _written(scenes, path)


def draw_for_post(after: RunningGame) -> tuple[Path, ...]:
    """Draw the board that belongs to the posts of the last entry into the game's public folder, and return
    where, named as by `plot_board`.

    () where it led to no post, where it left the board as it was, and where there is no board that everybody
    may see. Raises InputError where a file cannot be written.
    """
    name = after.game.spec.id
    if drawer_of(name) is None or not any(isinstance(event, Announced) for event in after.last_events):
        return ()
    try:
        scenes = _scenes(after, None)
    except InputError:  # hidden, or not set up yet
        return ()
    try:
        same = scenes == _scenes(before(after, after.journal[-1].number), None)
    except InputError:  # there was none to see before
        same = False
    if same:
        return ()
    return _written(scenes, _place(after, None))


def pictures_of(folder: Path, number: int) -> tuple[Path, ...]:
    """The pictures that were drawn when entry `number` was the last one, those for everybody first."""
    name = f"board-{number:03}"
    halves = (folder / half for half in (PUBLIC, PRIVATE_FOLDER))
    return tuple(
        file for half in halves for file in sorted((*half.glob(f"{name}.*"), *half.glob(f"{name}-*")))
    )


def _written(scenes: tuple[Scene, ...], path: Path) -> tuple[Path, ...]:
    """Write a picture there, or several with a number at the end of their names."""
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
    table = now_of(session).running
    slot = None if viewer is None else slot_meant(table, viewer)
    _scenes(table, slot)  # it knows what may be shown to whom
    board = table.game.board(table.state, slot, _names(table))
    if board:
        return board
    raise InputError(
        sentence(
            "{game} has no text board. For a picture, leave out {text}.",
            game=table.game.spec.name,
            text=Way("field", name="text"),
        )
    )


def _place(table: RunningGame, slot: SlotId | None) -> Path:
    """“public/board-014.svg”, “private/board-014-Ada.svg”: by the number of the last entry, as its posts are;
    entries that were undone can be left out of the journal of `table`."""
    number = f"board-{table.journal[-1].number:03}"
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
