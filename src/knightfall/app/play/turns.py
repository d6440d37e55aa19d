"""What does the moderator do at the table: take in a message, close what is open?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

from knightfall.app.people.holders import Holders, holders, shown
from knightfall.app.play.guarded_entry import guarded
from knightfall.app.play.table import Table, refusal_lines, since_closing, table_of
from knightfall.app.play.texts import PRIVATE, Text, kept, texts_of
from knightfall.app.ports import Ports, Say
from knightfall.core.commands import Ambiguous, Unknown, match_name
from knightfall.core.entries import Aliased, Closed, Replaced, Started, Submitted
from knightfall.core.game import SlotId, Window
from knightfall.core.journal import standing
from knightfall.errors import DecisionNeeded, InputError
from knightfall.storage.drafts import PUBLIC

MODERATOR = "moderator"
LONG = 44


def submit(
    who: str, text: str, dialect: str, folder: Path, ports: Ports, out: Say, err: Say, allow: str = ""
) -> None:
    """Takes in a message of a player, or of the moderator: one entry, whole. Prints the receipt; what was not
    taken is told with its code. Raises InputError for a name that is nobody's, and for an empty message;
    SecretGuard where a post of it gives something away and `allow` has no reason: then nothing is kept."""
    if not text.strip():
        raise InputError("The message is empty: nothing was taken in.")
    table = table_of(folder, ports)
    after = guarded(table, Submitted(slot_meant(table, who), text), dialect, ports, allow)
    tell(after, dialect, out, err)


def close(
    kind: str | None, dialect: str, folder: Path, ports: Ports, out: Say, err: Say, allow: str = ""
) -> None:
    """Closes what is open, by its kind where several things are. Raises DecisionNeeded where the game cannot
    close it yet, SecretGuard as `submit` does: then nothing is written."""
    table = table_of(folder, ports)
    window = _window(table, kind)
    _refuse_votes(window, table)
    entry = Closed(window.kind)
    refused = table.after(entry, ports.clock.now(), ports.author).last_refused
    if refused:
        raise DecisionNeeded("\n".join(("Nothing was closed.", *refusal_lines(refused))))
    tell(guarded(table, entry, dialect, ports, allow), dialect, out, err)


def _refuse_votes(window: Window, table: Table) -> None:
    """A day that is voted on in a thread ends by its votes: counted twice, confirmed, with the evidence."""
    from knightfall.setups.game_file import read_setup

    voted = window.kind == "day" and not window.secret and not window.slots
    file = table.folder / "game.toml"
    if voted and file.exists() and read_setup(file).url:
        raise DecisionNeeded(
            f"{window.title} is closed by its votes, which are in the thread: knightfall phase close counts "
            "them, asks you, and closes the day in the game, too."
        )


def submissions(folder: Path, ports: Ports) -> str:
    """All messages since something was last closed: entry, instant, sender, first words."""
    table = table_of(folder, ports)
    held = holders(table.journal)
    rows = [
        (record.number, f"{record.at:%d %b %H:%M}", _sender(record.entry, held), _short(record.entry.text))
        for record in since_closing(table)
        if isinstance(record.entry, Submitted)
    ]
    heads = ("entry", "time", "from", "message")
    return tabulate(rows, heads, disable_numparse=True) if rows else "Nothing since the last closing."


def _sender(entry: Submitted, held: Holders) -> str:
    return shown(entry.slot, held) if entry.slot else MODERATOR


def submissions_values(folder: Path, ports: Ports) -> dict[str, object]:
    """{submissions: [{entry, at, from, message}]} since something was last closed; the message whole."""
    return {
        "submissions": [
            {
                "entry": record.number,
                "at": record.at,
                "from": record.entry.slot or MODERATOR,
                "message": record.entry.text,
            }
            for record in since_closing(table_of(folder, ports))
            if isinstance(record.entry, Submitted)
        ]
    }


def slot_meant(table: Table, who: str) -> SlotId | None:
    """The slot of that name, alias or replacement; None for the moderator."""
    if who.casefold() == MODERATOR:
        return None
    slots, aliases = names_of(table)
    found = match_name(who, slots, aliases)
    if isinstance(found, Ambiguous):
        raise InputError(f"“{who}” can be {' or '.join(found.slots)}: write the name in full.")
    if isinstance(found, Unknown):
        raise InputError(f"“{who}” plays nobody here. There are {', '.join(slots)}, and {MODERATOR}.")
    return found


def names_of(table: Table) -> tuple[tuple[SlotId, ...], dict[str, SlotId]]:
    """All slots, and the other names that the journal knows for them."""
    aliases: dict[str, SlotId] = {}
    slots: tuple[SlotId, ...] = ()
    for record in standing(table.journal):
        match record.entry:
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                aliases[name] = slot
            case Started(slots=begun):
                slots = begun
    return slots, aliases


def _window(table: Table, kind: str | None) -> Window:
    """The open window that is meant. Raises InputError where it is not clear which."""
    known = {window.kind: window for window in table.windows}
    if not known:
        raise InputError("Nothing is open: the game is over.")
    if kind is None and len(known) == 1:
        return next(iter(known.values()))
    if kind not in known:
        asked = f"“{kind}” is not open" if kind else "Several things are open"
        raise InputError(f"{asked}. Open now: {', '.join(known)}.")
    return known[kind]


def tell(after: Table, dialect: str, out: Say, err: Say) -> None:
    """What the entry led to: public posts to paste, the rest in files; what was refused."""
    texts = tuple(texts_of(after.game.spec.id, after.last_events, dialect, holders(after.journal)))
    kept(after.folder, after.journal[-1].number, texts)
    for text in texts:
        if text.whose == PUBLIC:
            out(text.text)
    for line in (*_beside(texts, after.journal[-1].number), *refusal_lines(after.last_refused)):
        err(line)


def _beside(texts: tuple[Text, ...], number: int) -> Iterator[str]:
    """Who gets something in private; receipts in full, they are short."""
    for text in texts:
        if text.kind == "receipt":
            yield f"To {text.whose}: {text.text}"
    others = [text.whose for text in texts if text.whose != PUBLIC and text.kind != "receipt"]
    if others:
        yield f"In {PRIVATE}/{number:03}-…: {', '.join(dict.fromkeys(others))}."


def _short(text: str) -> str:
    line = " / ".join(text.split("\n"))
    return line if len(line) <= LONG else f"{line[: LONG - 1]}…"
