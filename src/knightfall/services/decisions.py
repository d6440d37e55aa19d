"""Decisions of the moderator: fix a vote, teach an alias, undo an entry, keep a ruling; and the log of all.

Each decision is one entry of the journal with its reason. Nothing is ever taken out: an undo is an entry.
"""

from __future__ import annotations

from dataclasses import dataclass

from knightfall.config.decided import NOBODY, TO
from knightfall.engine.game import SlotId
from knightfall.engine.journal import Aliased, Entry, Fixed, Record, Ruled, Undone, encode, undone_numbers
from knightfall.errors import InputError
from knightfall.names import bears, slot_named
from knightfall.services.game_state import setup_of
from knightfall.services.session import Session, entered, journal_of


@dataclass(frozen=True, slots=True)
class Decision:
    """How one post counts; exactly one field is set."""

    to: str | None = None
    no_elimination: bool = False
    ignore: bool = False
    unvote: bool = False
    count: bool = False


@dataclass(frozen=True, slots=True)
class LoggedEntry:
    """An entry of the journal; `undone` says whether it was taken back later."""

    record: Record
    undone: bool


@dataclass(frozen=True, slots=True)
class Log:
    """All entries of a journal, oldest first."""

    entries: tuple[LoggedEntry, ...]

    def to_dict(self) -> dict[str, object]:
        """{entries: [{number, at, author, entry, fields, undone, digest}]}."""
        return {
            "entries": [
                {
                    "number": one.record.number,
                    "at": one.record.at.isoformat(),
                    "author": one.record.author,
                    **encode(one.record.entry),
                    "undone": one.undone,
                    "digest": one.record.digest,
                }
                for one in self.entries
            ]
        }


def fix(post: str, decision: Decision, why: str, session: Session) -> Record:
    """Write how a post counts and return the entry.

    Raises InputError for a number of no post, for no or several decisions, and for the name of nobody.
    """
    number = post.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{post} is no number of a post. Give it as the forum counts, for example 67.")
    roster = setup_of(session).roster
    # The journal's notation: a word, or TO and the slot's name.
    chosen = [word for word in ("ignore", "unvote", "count") if getattr(decision, word)]
    chosen += [NOBODY] * decision.no_elimination
    if decision.to is not None:
        chosen.append(TO + slot_named(decision.to, roster))
    if len(chosen) != 1:
        raise InputError(
            f"Found {len(chosen)} decisions, expected exactly one of --to NAME, --no-elimination, --ignore, "
            "--count, --unvote."
        )
    return _written(Fixed(number, chosen[0], _reason(why)), session)


def alias(name: str, other: str, why: str, session: Session) -> Record:
    """Teach another name of a slot. Raises InputError where it is a name of somebody else."""
    roster = setup_of(session).roster
    slot = slot_named(name, roster)
    taken = next((one.name for one in roster.slots if bears(one, other)), None) if roster else None
    if taken is not None:
        raise InputError(f"“{other}” is already a name of {taken}: an alias has to mean one slot only.")
    return _written(Aliased(SlotId(slot), other.strip(), _reason(why)), session)


def undo(number: int | None, why: str, session: Session) -> Record:
    """Take an entry back, the last one that stands where no number is given, and return the undo.

    Raises InputError where there is no such entry, or it was taken back already.
    """
    journal = journal_of(session)
    gone = undone_numbers(journal)
    standing = [record for record in journal if record.number not in gone]
    wanted = standing[-1:] if number is None else [one for one in standing if one.number == number]
    if not wanted:
        known = f"The journal has entries 1 to {len(journal)}" if journal else "The journal is empty"
        taken = " and this one was taken back already" if number in gone else ""
        raise InputError(f"There is no entry {number or ''} to undo. {known}{taken}: see knightfall log.")
    return _written(Undone(wanted[0].number, _reason(why)), session)


def rule(question: str, answer: str, why: str, session: Session) -> Record:
    """Keep how the moderator decided a question of the rules. Raises InputError where one is empty."""
    for name, text in (("question", question), ("answer", answer)):
        if not text.strip():
            raise InputError(f'A ruling needs its {name}: knightfall rule "QUESTION" "ANSWER" --why "…".')
    return _written(Ruled(question.strip(), answer.strip(), _reason(why)), session)


def log(session: Session) -> Log:
    """All that was decided and put into the game, by whom and when."""
    journal = journal_of(session)
    gone = undone_numbers(journal)
    return Log(tuple(LoggedEntry(record, record.number in gone) for record in journal))


def _written(entry: Entry, session: Session) -> Record:
    return entered(
        entry, session, "A decision is kept with a game: --game FOLDER, or run it in the game's folder."
    )


def _reason(why: str) -> str:
    if not why.strip():
        raise InputError('A decision needs its reason: --why "…". Players may ask for it.')
    return why.strip()
