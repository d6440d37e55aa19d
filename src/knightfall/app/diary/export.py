"""How does the journal leave the folder: whole as a backup, or as everybody may read it?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from knightfall.app.diary.journal import journal_of
from knightfall.app.diary.lines import line_of, public_lines
from knightfall.app.guarding.hidden import hidden_in
from knightfall.app.guarding.outgoing import passed
from knightfall.app.ports import Ports, Say
from knightfall.core.journal import Journal
from knightfall.errors import InputError, SecretGuard
from knightfall.storage.drafts import write_draft


def export(file: Path, game: Path, ports: Ports, public: bool, say: Say) -> str:
    """Writes the journal as JSON Lines into a new file that only its owner may read; returns what was done.

    `public` leaves out what is secret, and each line that would give something of it away, which `say` hears.
    Raises InputError where there is nothing to export, or the file is there already.
    """
    journal = journal_of(ports)
    if not journal:
        raise InputError("The journal is empty: there is nothing to export.")
    if file.exists():
        raise InputError(f"{file} is there already. Take another name, or move it away first.")
    lines = tuple(_harmless(journal, game, ports, say)) if public else tuple(map(line_of, journal))
    write_draft(file.parent, ".", file.name, "\n".join(lines))
    return _done(file, len(lines), len(journal), public)


def _done(file: Path, written: int, all_: int, public: bool) -> str:
    if public:
        return (
            f"{written} of {all_} entries are in {file}; the others are secret. It is to be read, not to be "
            "imported: for a backup, leave --public out."
        )
    return (
        f"{written} entries are in {file}, secrets included: keep it to yourself. Its chance is "
        "not: that is in private/deal.json."
    )


def _harmless(journal: Journal, game: Path, ports: Ports, say: Say) -> Iterator[str]:
    """The public lines that pass the second look."""
    hidden = hidden_in(game, ports)
    for record, line, said in public_lines(journal):
        try:
            passed(said, hidden)
        except SecretGuard as leak:
            say(f"Entry {record.number} is left out: {_what(leak)}")
        else:
            yield line


def _what(leak: SecretGuard) -> str:
    """What the guard found, without its first and last sentence."""
    return " ".join(str(leak).splitlines()[1:-1])
