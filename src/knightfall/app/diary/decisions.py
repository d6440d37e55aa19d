"""What does the moderator decide, and how does it get into the journal: votes fixed, names taught, undone?

Each decision is one entry with its reason. Nothing is ever taken out: an undo is an entry, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knightfall.app.count.names import bears, slot_named
from knightfall.app.diary.journal import entered, journal_of
from knightfall.app.ports import Ports
from knightfall.app.setup_now import setup_of
from knightfall.core.entries import Aliased, Entry, Fixed, Ruled, Undone
from knightfall.core.game import SlotId
from knightfall.core.journal import Journal, Record, undone_numbers
from knightfall.core.roster import Roster
from knightfall.errors import InputError
from knightfall.setups.decided import NOBODY, TO
from knightfall.writeups.journal import entry_line


@dataclass(frozen=True, slots=True)
class Decision:
    """How one post counts; exactly one of the first five is said."""

    to: str | None = None
    no_elimination: bool = False
    ignore: bool = False
    unvote: bool = False
    count: bool = False


def fix(post: str, decision: Decision, why: str, game: Path, ports: Ports) -> str:
    """Writes how a post counts. Raises InputError for no post number, no or two decisions, or a name that is
    nobody's; returns the sentence for the moderator."""
    number = post.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{post} is no number of a post. Give it as the forum counts, for example 67.")
    roster = setup_of(game, ports).roster
    return _written(Fixed(number, _reads(decision, roster), _reason(why)), ports)


def alias(name: str, other: str, why: str, game: Path, ports: Ports) -> str:
    """Teaches another name of a slot. Raises InputError where it would be somebody else's name."""
    roster = setup_of(game, ports).roster
    slot = slot_named(name, roster)
    if roster is not None and (taken := _bearer(other, roster)) is not None:
        raise InputError(f"“{other}” is already a name of {taken}: an alias has to mean one slot only.")
    return _written(Aliased(SlotId(slot), other.strip(), _reason(why)), ports)


def undo(number: int | None, why: str, ports: Ports) -> str:
    """Takes an entry back, the last one that stands where no number is given. Raises InputError."""
    journal = journal_of(ports)
    entry = _undoable(journal, number)
    return _written(Undone(entry.number, _reason(why)), ports)


def rule(question: str, answer: str, why: str, ports: Ports) -> str:
    """Writes how the moderator decided a question of the rules. Raises InputError where one is empty."""
    for name, said in (("question", question), ("answer", answer)):
        if not said.strip():
            raise InputError(f'A ruling needs its {name}: knightfall rule "QUESTION" "ANSWER" --why "…".')
    return _written(Ruled(question.strip(), answer.strip(), _reason(why)), ports)


def _written(entry: Entry, ports: Ports) -> str:
    nowhere = "A decision is kept with a game: --game FOLDER, or run it in the game's folder."
    return _said(entered(entry, ports, nowhere))


def _said(record: Record) -> str:
    return (
        f"{record.number}: {entry_line(record.entry)}. Take it back with: knightfall undo {record.number} "
        '--why "…"'
    )


def _reads(decision: Decision, roster: Roster | None) -> str:
    """The decision in the journal's notation."""
    chosen = [word for word in ("ignore", "unvote", "count") if getattr(decision, word)]
    chosen += [NOBODY] * decision.no_elimination
    if decision.to is not None:
        chosen.append(TO + slot_named(decision.to, roster))
    if len(chosen) != 1:
        raise InputError(
            f"Found {len(chosen)} decisions, expected exactly one of --to NAME, --no-elimination, --ignore, "
            "--count, --unvote."
        )
    return chosen[0]


def _reason(why: str) -> str:
    if not why.strip():
        raise InputError('A decision needs its reason: --why "…". Players may ask for it.')
    return why.strip()


def _bearer(name: str, roster: Roster) -> str | None:
    """Whose name or alias it is already."""
    found = next((slot for slot in roster.slots if bears(slot, name)), None)
    return found.name if found else None


def _undoable(journal: Journal, number: int | None) -> Record:
    """The entry of that number, if it stands."""
    gone = undone_numbers(journal)
    stands = [record for record in journal if record.number not in gone]
    if number is None and stands:
        return stands[-1]
    found = next((record for record in stands if record.number == number), None)
    if found is None:
        known = f"The journal has entries 1 to {len(journal)}" if journal else "The journal is empty"
        taken = " and this one was taken back already" if number in gone else ""
        raise InputError(f"There is no entry {number or ''} to undo. {known}{taken}: see knightfall log.")
    return found
