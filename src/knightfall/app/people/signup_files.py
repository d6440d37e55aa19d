"""How do those who signed up get into the game file, which is the moderator's own text, and into a post?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from knightfall.app.people.signup_list import SignupsRead
from knightfall.core.roster import Roster
from knightfall.errors import InputError
from knightfall.setups.game_file import parse_setup
from knightfall.storage.drafts import write_draft, write_public

FILE = "signups.txt"
GAME_FILE = "game.toml"


def write_signups(found: SignupsRead, post: str, folder: Path) -> Iterator[str]:
    """Writes the names into the game file where it lists no players, else says what differs; and the post
    into `public/`. Raises InputError and SetupError where the file or the names cannot be used."""
    file = folder / GAME_FILE
    text = _text(file)
    roster = parse_setup(text, str(file)).roster
    if roster is not None:
        yield from _differences(found.lists.names, roster)
    elif found.lists.players:
        yield _written(found.lists.names, file, text)
    write_public(folder, FILE, post)
    yield f"The list to post is in public/{FILE}."


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{file}: cannot be read ({fault.strerror}). The names go there.") from None


def _written(names: tuple[str, ...], file: Path, text: str) -> str:
    """Behind what the moderator wrote, which stays as it is; checked before it replaces the file."""
    tables = "".join(f"\n[[player]]\nname = {_quoted(name)}\n" for name in names)
    longer = text.rstrip("\n") + "\n" + tables
    parse_setup(longer, str(file))
    write_draft(file.parent, ".", file.name, longer)
    return f"{len(names)} player{'s' * (len(names) != 1)} written into {GAME_FILE}."


def _quoted(name: str) -> str:
    """A TOML basic string is a JSON string, but for one character."""
    return json.dumps(name, ensure_ascii=False).replace("\x7f", "\\u007f")


def _differences(names: tuple[str, ...], roster: Roster) -> Iterator[str]:
    signed = {name.casefold() for name in names}
    missing = [name for name in names if roster.slot_of(name) is None]
    extra = [s.name for s in roster.slots if not any(name.casefold() in signed for name in s.names)]
    yield f"{GAME_FILE} lists players already: it stays as it is."
    yield f"Signed up and not in it: {', '.join(missing) or 'nobody'}."
    yield f"In it and not signed up: {', '.join(extra) or 'nobody'}."
