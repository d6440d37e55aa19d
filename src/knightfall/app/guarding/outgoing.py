"""May this text go out to everybody? The second look at every post, whoever wrote it.

Posts are made by renderers that see public events only; here the finished text is read as a player would read
it, against what the game of the folder hides at this moment. Nothing of the thread is read, so it is quick.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.app.diary.journal import entered, journal_of
from knightfall.errors import SecretGuard

if TYPE_CHECKING:  # who counts without a game need not wait for any of it
    from knightfall.app.guarding.hidden import Hidden
    from knightfall.app.ports import Ports
    from knightfall.writeups.guard import Secret

_TAGS = re.compile(r"\[[^\[\]\n]{0,300}\]|<[^<>\n]{0,300}>|[*_~`\\]+")
HOW = 'Write it otherwise, or say why it is meant: --allow-leak "REASON".'
NOWHERE = "A reason is kept in the journal of a game: name one with --game FOLDER."


def released(text: str, folder: Path | None, ports: Ports, allow: str = "") -> str:
    """The text, which everybody may read. Raises SecretGuard where it gives something away, with the line and
    what it tells. With a written reason it passes, and the reason stands in the journal as a ruling; what
    opens the deal or an account passes with no reason at all. `folder` None: there is no game to betray."""
    if folder is None:
        return text
    from knightfall.app.guarding.hidden import hidden_in

    allowed(passed(text, hidden_in(folder, ports), allow), ports, allow)
    return text


def passed(text: str, hidden: Hidden, allow: str = "") -> tuple[str, ...]:
    """What the text gives away for a written reason, in sentences. Raises SecretGuard as `released` does."""
    if never := tuple(_never(text, hidden)):
        raise SecretGuard("\n".join((*_refused(never), "Take it out; no reason lets that pass.")))
    found = tuple(dict.fromkeys(_given_away(text, hidden)))
    if found and not allow.strip():
        raise SecretGuard("\n".join((*_refused(found), HOW)))
    return found


def allowed(found: Sequence[str], ports: Ports, why: str) -> None:
    """Writes down once why it goes out all the same; nothing where nothing was found."""
    if not found:
        return
    from knightfall.core.entries import Ruled
    from knightfall.core.journal import standing

    ruling = Ruled(f"May this go out to everybody? {' '.join(found)}", "yes", why.strip())
    if all(record.entry != ruling for record in standing(journal_of(ports))):
        entered(ruling, ports, NOWHERE)


def _refused(found: Sequence[str]) -> tuple[str, ...]:
    return ("The text tells what not everybody may know; nothing was printed.", *found)


def _never(text: str, hidden: Hidden) -> Iterator[str]:
    """Keys of the deal and of a login."""
    from knightfall.app.guarding.rooms import tokens_in

    for number, line in enumerate(text.splitlines(), start=1):
        for key in hidden.keys:
            if key.words.casefold() in line.casefold():
                yield f"line {number} holds {key.what}."
        for _ in tokens_in(line):
            yield f"line {number} holds a link with a key of your login."


def _given_away(text: str, hidden: Hidden) -> Iterator[str]:
    """In sentences: links first, then words, as written and without the markup."""
    from knightfall.app.guarding.rooms import rooms_named
    from knightfall.writeups.guard import leaks

    for number, line in enumerate(text.splitlines(), start=1):
        for said, _ in rooms_named(line, hidden.rooms):
            yield f"line {number}: “{said}” leads to a private thread."
    bare = _TAGS.sub("", text)
    yield from (
        f"{leak}." for read in dict.fromkeys((text, bare)) for leak in leaks(read, _words(read, hidden))
    )
    pms, public = map(_untagged, (hidden.pms, hidden.public))
    yield from (f"{leak}." for leak in leaks(bare, (), pms, public, hidden.names))


def _words(text: str, hidden: Hidden) -> tuple[Secret, ...]:
    from knightfall.writeups.guard import Secret, card_secrets

    titles = (Secret(room.title, "the name of a private thread") for room in hidden.rooms if room.title)
    return (*card_secrets(hidden.cards, hidden.shown, text if hidden.whole else ""), *hidden.secrets, *titles)


def _untagged(texts: Iterable[str]) -> Iterator[str]:
    return (_TAGS.sub("", text) for text in texts)
