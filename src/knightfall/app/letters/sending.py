"""How does one PM after the other get to the one player it is for, so that a crash in between loses nothing?

A PM is noted as copied once it is on the clipboard, and as sent when the moderator says so: what is noted in
between waits in the ledger until it is marked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knightfall.app.diary.journal import entered, journal_of
from knightfall.app.letters.ledger import ledger_lines, same_elsewhere, stand_of
from knightfall.app.letters.letters import RESULT, ROLE, ROLE_PM, Batch, Letter, batches, batches_for
from knightfall.app.letters.marks import NOWHERE, note, recipient
from knightfall.app.play.table import Table, table_of
from knightfall.app.ports import Copy, Ports, Say
from knightfall.app.speech import RICH, speech_of
from knightfall.core.entries import Ruled
from knightfall.core.journal import Journal
from knightfall.errors import DecisionNeeded, InputError
from knightfall.setups.game_file import read_setup

LENGTHS = 2.0
"""Role PMs of one batch whose lengths differ by more than this factor tell roles to who sees their sizes."""

Sent = Callable[[str], bool | None]
"""Asks the moderator whether it was sent; None: there is nobody to ask."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: a family of PMs, whose PM of it (else the next one);
    `same` is the reason why a text may go to a second player."""

    family: str
    whose: str | None = None
    dialect: str | None = None
    same: str = ""


def known_batches(family: str, folder: Path, ports: Ports) -> tuple[Batch, ...]:
    """The batches of the game's roles or results. Raises InputError where there are none yet."""
    table = table_of(folder, ports)
    found = batches(table, family, title_of(folder, table))
    if not found:
        raise InputError(_NONE[family].format(game=table.game.spec.name))
    return found


_NONE = {
    ROLE: "{game} tells no player a secret at its start: there are no role PMs to send.",
    RESULT: "No results are due in {game}: nothing that was closed told a player anything in private.",
}


def chosen(found: tuple[Batch, ...], kind: str | None) -> Batch:
    """The batch of that name, else the latest. Raises InputError that names those there are."""
    if kind is None:
        return found[-1]
    match = next((batch for batch in found if batch.kind == kind), None)
    if match is None:
        raise InputError(f"There is no batch “{kind}”; there are {', '.join(b.kind for b in found)}.")
    return match


def show_ledger(batch: Batch, others: tuple[Batch, ...], ports: Ports, out: Say, err: Say) -> None:
    """Prints how far each PM has come; beside it what the moderator should look at."""
    journal = journal_of(ports)
    for line in ledger_lines(batch, journal, ports.clock.now()):
        out(line)
    for sentence in (
        *length_warning(batch),
        *_left(batch, journal),
        *_left_elsewhere(batch, others, journal),
    ):
        err(sentence)


def copy_one(
    batch: Batch, asked: Asked, folder: Path, ports: Ports, copy: Copy, sent: Sent, out: Say, err: Say
) -> None:
    """Copies the next PM, or that of `asked.whose`, notes it, and asks whether it was sent.

    Raises DecisionNeeded where the very same text went to somebody else, InputError where there is no such
    PM, or no clipboard: nothing is noted then.
    """
    journal = journal_of(ports)
    letter = _wanted(batch, asked, folder, ports, journal)
    if letter is None:
        err(f"Every PM of {batch.kind} that is due has been copied. See knightfall pm {asked.family}s.")
        return
    _checked(letter, asked, journal, ports)
    speech = _speech(asked.dialect, folder, ports)
    _onto(copy, letter, speech)
    note(letter.kind, letter.slot, "copied", letter.sha256, ports)
    for line in _copied(batch, letter, journal_of(ports)):
        out(line)
    _asked_sent(letter, ports, sent, err)
    for sentence in length_warning(batch) if not any(_stands(batch, journal, "copied")) else ():
        err(sentence)


def _onto(copy: Copy, letter: Letter, speech: str) -> None:
    try:
        copy.copy(letter.text(speech), speech == RICH)
    except InputError as error:
        name = f'"{letter.holder}"'
        by_hand = (
            f"Or read it with knightfall pm show {name}, and when it is sent: knightfall pm mark sent {name}"
        )
        raise InputError(f"{error}\n{by_hand}") from None


def _speech(wanted: str | None, folder: Path, ports: Ports) -> str:
    """The dialect that is wanted, else that of the game's site."""
    return speech_of(wanted, read_setup(folder), ports)


def title_of(folder: Path, table: Table) -> str:
    """What the game is called in subjects."""
    return read_setup(folder).title or table.game.spec.name


def length_warning(batch: Batch) -> Iterator[str]:
    """A warning where role PMs are so unlike in length that their sizes tell roles."""
    lengths = [len(letter.plain) for letter in batch.letters if letter.event.kind == ROLE_PM]
    if lengths and max(lengths) > LENGTHS * min(lengths):
        yield (
            f"These role PMs have {min(lengths)} to {max(lengths)} characters, which differ by more than a "
            f"factor of {LENGTHS:g}: who sees their sizes can tell roles. Pad the short ones."
        )


def _stands(batch: Batch, journal: Journal, state: str) -> Iterator[bool]:
    return (stand_of(o.kind, o.slot, o.sha256, journal).reached(state) for o in batch.letters)


def _wanted(batch: Batch, asked: Asked, folder: Path, ports: Ports, journal: Journal) -> Letter | None:
    """The next PM that was not copied, or the first of the one who is named that was not, else his first."""
    waiting = [
        letter
        for letter, copied in zip(batch.letters, _stands(batch, journal, "copied"), strict=True)
        if not copied
    ]
    if asked.whose is None:
        return waiting[0] if waiting else None
    own = letters_of(batch, asked.whose, folder, ports)
    return next((letter for letter in own if letter in waiting), own[0])


def letters_of(batch: Batch, name: str, folder: Path, ports: Ports) -> tuple[Letter, ...]:
    """The PMs of the one that is named. Raises InputError where nobody is meant, or nothing is for him."""
    slot = recipient(name, folder, ports)
    own = tuple(letter for letter in batch.letters if letter.slot == slot)
    if not own:
        raise InputError(f"{batch.kind} holds no PM for {slot}.")
    return own


def _checked(letter: Letter, asked: Asked, journal: Journal, ports: Ports) -> None:
    """No text goes to a second player unless it is told to both, or the moderator says why."""
    twin = same_elsewhere(letter, journal)
    if twin is None:
        return
    record, entry = twin
    if not asked.same.strip():
        raise DecisionNeeded(
            f"Not copied: this very text was {entry.state} for {entry.slot} already ({entry.kind}, entry "
            f"{record.number}).\nLook at both: knightfall pm show {letter.holder}, knightfall pm show "
            f"{entry.slot}.\nIf entry {record.number} is wrong: knightfall undo {record.number} --why "
            '"…"; if both are right: --same-text "why".'
        )
    question = f"May the text of {entry.kind} for {entry.slot} go to {letter.slot}, too?"
    entered(Ruled(question, "yes", asked.same.strip()), ports, NOWHERE)


def _copied(batch: Batch, letter: Letter, journal: Journal) -> Iterator[str]:
    done = sum(_stands(batch, journal, "copied"))
    yield f"PM {done}/{len(batch.letters)} (random order) → {letter.holder}. Copied."
    yield f"Subject: {batch.subject}"


def _asked_sent(letter: Letter, ports: Ports, sent: Sent, err: Say) -> None:
    if sent("Sent it? [y/N] "):
        note(letter.kind, letter.slot, "sent", letter.sha256, ports)
        err("Noted as sent.")
        return
    err(f'When it is sent: knightfall pm mark sent "{letter.holder}"')


def _left(batch: Batch, journal: Journal) -> Iterator[str]:
    """Who waits for what; what to type next."""
    stands = [(one.holder, stand_of(one.kind, one.slot, one.sha256, journal)) for one in batch.letters]
    copied = sorted(name for name, stand in stands if stand.state == "copied")
    if copied:
        yield f"Copied and not marked as sent: {', '.join(copied)}. knightfall pm mark sent NAME…"
    if not all(stand.state for _, stand in stands):
        yield f"The next one: knightfall pm {batch.kind.partition('-')[0]}s --copy-next"


def _left_elsewhere(batch: Batch, others: tuple[Batch, ...], journal: Journal) -> Iterator[str]:
    """Earlier batches with PMs that nobody copied."""
    for other in others:
        open_ = sum(not done for done in _stands(other, journal, "copied"))
        if other.kind != batch.kind and open_:
            family = other.kind.partition("-")[0]
            yield f"{other.kind}: {open_} not copied. knightfall pm {family}s --batch {other.kind}"


def shown(name: str, kind: str | None, dialect: str | None, folder: Path, ports: Ports) -> str:
    """The PMs of one player, each under its recipient and subject: the latest batch that holds any for him,
    or the batch that is named. Raises InputError where there is none."""
    table = table_of(folder, ports)
    found = batches_for(recipient(name, folder, ports), table, title_of(folder, table))
    if not found:
        raise InputError(f"There is no role PM and no result for {name} yet.")
    batch = chosen(found, kind) if kind else found[0]
    speech = _speech(dialect or "plain", folder, ports)
    own = letters_of(batch, name, folder, ports)
    return "\n\n".join(
        f"{one.kind} → {one.holder}\nSubject: {batch.subject}\n\n{one.text(speech)}" for one in own
    )
