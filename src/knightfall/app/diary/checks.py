"""Is the game still what was written and what went out: journal, evidence, deal, every posted text?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from knightfall.app.diary.journal import journal_of
from knightfall.app.founding.deal import PRIVATE, PUBLIC, parse_proof
from knightfall.app.founding.deal_proof import DealProof
from knightfall.app.founding.deal_proof import verify as wrong_in
from knightfall.app.play.table import table_of
from knightfall.app.ports import Ports, Progress, game_database, game_folder
from knightfall.core.entries import Published, Started
from knightfall.core.journal import Journal, standing
from knightfall.errors import KnightfallError, StateDamaged
from knightfall.storage.audit import Audit, audit
from knightfall.storage.database import Database
from knightfall.writeups.journal import entry_line

OTHER_LOOK = (
    "looks otherwise than any post that can be made here, and only so much was compared: every wagon of the "
    "count stands in it, voter by voter. Read the rest by eye, or put the template that it was written by "
    "into the game's folder: then it is compared byte for byte."
)


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at (`lines`), what is `damaged` in storage, and what does not agree (`differences`)."""

    lines: tuple[str, ...]
    damaged: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """7 for damage, 1 for what differs, else 0."""
        return StateDamaged.exit_status if self.damaged else int(bool(self.differences))


def verified(game: Path, ports: Ports, progress: Progress | None = None) -> Verified:
    """Reads all that the game has written. Raises InputError where its folder has no game."""
    try:
        found = _audited(game)
        if found.faults:
            return Verified((_looked_at(found),), found.faults)
        return _followed(found, game, ports, progress)
    except StateDamaged as damage:
        return Verified((), (str(damage),))


def _audited(game: Path) -> Audit:
    database = Database.open(game_database(game))
    try:
        return audit(database)
    finally:
        database.close()


def _looked_at(found: Audit) -> str:
    older = (
        f" {found.unsealed} of them by an older Knightfall: only their texts were compared."
        if found.unsealed
        else ""
    )
    return (
        f"Journal: {found.entries} entries. Evidence: {found.pages} pages, {found.posts} versions of posts."
        f"{older}"
    )


def _followed(found: Audit, game: Path, ports: Ports, progress: Progress | None) -> Verified:
    """What follows from a journal and evidence that are as they were written."""
    journal, lines = journal_of(ports), [_looked_at(found), "Every hash holds."]
    differences: list[str] = []
    if any(isinstance(record.entry, Started) for record in standing(journal)):
        differences += _deal(game_folder(game), journal)
        led, questions = _replayed(game, ports)
        lines.append(led)
        differences += questions
    told, changed = _posted(journal, game, ports, progress)
    return Verified((*lines, *told), (), (*differences, *changed))


def _deal(folder: Path, journal: Journal) -> Iterator[str]:
    """The deal against its commitment, and against the start of the game. Raises StateDamaged where it
    cannot be read."""
    proof = proof_of(folder)
    for wrong in wrong_in(proof, _committed(folder)):
        yield f"The deal: {wrong}."
    started = next(r.entry for r in standing(journal) if isinstance(r.entry, Started))
    if (proof.terms.game, proof.terms.slots) != (started.game, started.slots):
        yield f"The deal: {PRIVATE} is of another game than the one that the journal starts."
    if dict(proof.terms.options) != dict(started.options):
        yield f"The deal: {PRIVATE} has other options than the start of the game in the journal."


def proof_of(folder: Path) -> DealProof:
    """The deal of a folder. Raises StateDamaged where it is not as it was written."""
    try:
        return parse_proof(PRIVATE, (folder / PRIVATE).read_text(encoding="utf-8"))
    except (OSError, ValueError, KnightfallError) as error:
        raise StateDamaged(
            f"{folder / PRIVATE} is not as it was written ({error}): the game's chance is in it. Restore it "
            "from a backup."
        ) from None


def _committed(folder: Path) -> str | None:
    """The commitment that was made public; None where its file is gone."""
    try:
        lines = (folder / PUBLIC).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return lines[1].strip() if len(lines) > 1 else ""


def _replayed(game: Path, ports: Ports) -> tuple[str, tuple[str, ...]]:
    table = table_of(game, ports)
    events = len(table.replay.events)
    entries = {record.number: record.entry for record in table.journal}
    questions = tuple(
        f"Entry {taken.number} ({entry_line(entries[taken.number])}) rests on something that was taken back: "
        f"{'; '.join(why.text for _, why in taken.refused)}"
        for taken in table.replay.questions
    )
    return f"Replay: {table.game.spec.name}, {len(table.journal)} entries lead to {events} events.", questions


def _posted(
    journal: Journal, game: Path, ports: Ports, progress: Progress | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is told of the texts that went out, and which of them differ."""
    records = [record for record in standing(journal) if isinstance(record.entry, Published)]
    if not records:
        return ("Nothing was noted as posted yet.",), ()
    from knightfall.app.diary.recount import compared

    same, skipped, differ = 0, list[str](), list[str]()
    for place, record in enumerate(records, start=1):
        found = compared(record, journal, game, ports)
        same += found.same
        if found.why:
            skipped.append(f"{_name(record.number, record.entry)} cannot be made again here: {found.why}")
        elif found.looks and _hash_holds(record.entry):
            skipped.append(f"{_name(record.number, record.entry)} {OTHER_LOOK}")
        elif not found.same or not _hash_holds(record.entry):
            differ.append("\n".join((f"{_name(record.number, record.entry)} differs:", *found.difference)))
        if progress:
            progress(place, len(records))
    told = f"Posted: {len(records)} texts, {same} of them come out the same byte for byte."
    return (told, *skipped), tuple(differ)


def _hash_holds(entry: object) -> bool:
    return isinstance(entry, Published) and sha256(entry.text.encode()).hexdigest() == entry.sha256


def _name(number: int, entry: object) -> str:
    assert isinstance(entry, Published)
    return f"Entry {number}, {entry.kind} {entry.number}"
