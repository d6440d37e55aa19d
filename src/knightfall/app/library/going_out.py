"""How does a post get out: made, read for secrets, kept in `public/`, compared, copied, noted as posted?"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from knightfall.app.count.look import told_in_parts
from knightfall.app.count.published import note_posted
from knightfall.app.diary.journal import journal_of
from knightfall.app.guarding.outgoing import released
from knightfall.app.library.archive import archive_file
from knightfall.app.library.changed import difference, summary
from knightfall.app.library.kinds import checked, made
from knightfall.app.library.scene import Scene, scene_of
from knightfall.app.library.sections import Made, post_nodes
from knightfall.app.ports import Copy, Ports, Progress, Say, game_folder
from knightfall.app.speech import RICH, speech_of
from knightfall.core.entries import Published
from knightfall.core.journal import Journal, Record, standing
from knightfall.errors import InputError, SecretGuard
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect
from knightfall.storage.drafts import PUBLIC, write_public
from knightfall.writeups.render import written


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line. `form`: the record as csv or json; `allow`: why a secret may
    go out; `diff`: only what changes; `posted`: it went out; `stored`: a count of what was read before."""

    kind: str
    game: Path
    dialect: str | None = None
    flavour: Path | None = None
    limit: int | None = None
    form: str | None = None
    allow: str = ""
    diff: bool = False
    posted: bool = False
    stored: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A post that may go out, in the parts that its site allows; `name` is what the journal calls it."""

    name: str
    parts: tuple[str, ...]
    speech: str
    upto: int
    remarks: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "\n\n".join(self.parts)


def post(
    asked: Asked,
    ports: Ports,
    out: Say,
    err: Say,
    copy: Copy | None = None,
    progress: Progress | None = None,
) -> None:
    """Prints a post and keeps it in `public/`; or what changes in it, with `diff`.

    Raises InputError for a kind that there is not, and for what it cannot say yet; SecretGuard where the text
    gives something away: then nothing is printed, kept or copied.
    """
    asked = replace(asked, kind=checked(asked.kind))
    if asked.dialect:
        dialect(asked.dialect)  # an unknown one is told before anything is read
    scene = scene_of(asked.game, ports, asked.stored, progress)
    draft = drafted(asked, scene)
    released(draft.text, asked.game, ports, asked.allow)
    for remark in draft.remarks:
        err(remark)
    last = _last_posted(journal_of(ports), draft.name)
    if asked.diff or last is not None:
        err(summary(draft.text, last, scene.zone))
    if asked.diff:
        out(difference(draft.text, last) or "Nothing changes.")
        return
    told_in_parts(draft.parts, draft.speech, out, err)
    files = keep(draft, asked, game_folder(asked.game))
    err(f"Kept in {', '.join(f'{PUBLIC}/{file.name}' for file in files)}.")
    _sent(draft, asked, ports, err, copy)


def drafted(asked: Asked, scene: Scene) -> Draft:
    """The post as it would go out; it is not yet read for secrets, but for the flavour, which is."""
    if asked.form is not None:
        return _record(asked, scene)
    found, flavour = made(asked.kind, scene), _flavour(asked, scene)
    site = None if asked.dialect else site_of(scene.setup.url or "")
    limit = asked.limit or (site.max_length if site else None)
    return in_dialect(asked.kind, found, speech_of(asked.dialect, scene.setup, scene.ports), flavour, limit)


def in_dialect(kind: str, found: Made, speech: str, flavour: str = "", limit: int | None = None) -> Draft:
    """A post of a kind in a dialect, in as many parts as are needed."""
    parts = written(post_nodes(found, flavour), speech, limit)
    return Draft(found.name or kind, parts, speech, found.upto or 0, found.remarks)


def keep(draft: Draft, asked: Asked, folder: Path) -> tuple[Path, ...]:
    """Writes the parts into `public/`: `rules.txt`, or `endgame-1.txt` and so on; parts of an earlier and
    longer one are taken away."""
    ending = asked.form or "txt"
    one = len(draft.parts) == 1
    names = [
        f"{asked.kind}.{ending}" if one else f"{asked.kind}-{n}.{ending}"
        for n in range(1, len(draft.parts) + 1)
    ]
    files = tuple(write_public(folder, name, part) for name, part in zip(names, draft.parts, strict=True))
    _take_away(folder / PUBLIC, re.compile(rf"{asked.kind}(-\d+)?\.{ending}"), names)
    return files


def _take_away(place: Path, ours: re.Pattern[str], names: list[str]) -> None:
    for file in place.iterdir():
        if ours.fullmatch(file.name) and file.name not in names:
            file.unlink(missing_ok=True)


def _record(asked: Asked, scene: Scene) -> Draft:
    if asked.kind != "archive":
        raise InputError(f"--format is for the record of a game: knightfall post archive, not {asked.kind}.")
    text = archive_file(scene, asked.form or "")
    return Draft(f"archive-{asked.form}", (text.rstrip("\n"),), "plain", 0, ())


def _flavour(asked: Asked, scene: Scene) -> str:
    """The moderator's own words, which are read for secrets by themselves, so that the line is theirs. With a
    reason to let something pass the whole post is read once, and the reason noted once."""
    if asked.flavour is None:
        return ""
    text = _text_of(asked.flavour)
    if not asked.allow.strip():
        try:
            released(text, asked.game, scene.ports)
        except SecretGuard as leak:
            raise SecretGuard(f"{asked.flavour}: {leak}") from None
    return text


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{file} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text. Save it as UTF-8 and try again.") from None


def _last_posted(journal: Journal, name: str) -> Record | None:
    """The last post of that name that is noted as posted."""
    posted = [r for r in standing(journal) if isinstance(r.entry, Published) and r.entry.kind == name]
    return posted[-1] if posted else None


def _sent(draft: Draft, asked: Asked, ports: Ports, err: Callable[[str], None], copy: Copy | None) -> None:
    """On the clipboard and into the journal, as far as that is asked for."""
    if copy is not None:
        _copied(draft, err, copy)
    if asked.posted:
        noted = note_posted(draft.name, draft.text, draft.upto, journal_of(ports), ports)
        err(f"{draft.name} is noted as posted, number {noted.number}.")


def _copied(draft: Draft, err: Callable[[str], None], copy: Copy) -> None:
    """One part after the other, as long as the moderator asks for the next."""
    for number, part in enumerate(draft.parts, start=1):
        copy.copy(part, draft.speech == RICH)
        err("Copied." if len(draft.parts) == 1 else f"Copied: part {number} of {len(draft.parts)}.")
        if number < len(draft.parts) and not copy.pasted():
            return
