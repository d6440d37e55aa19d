"""How does a note of the moderator go out to everybody, and stay in the journal?"""

from __future__ import annotations

from knightfall.app.count.published import note_posted
from knightfall.app.diary.journal import journal_of
from knightfall.app.people.entering import Desk, guarded, publish
from knightfall.app.people.moments import last_post
from knightfall.errors import InputError
from knightfall.writeups.render import render

KIND = "mod-note"


def noted(text: str, desk: Desk) -> None:
    """Writes a note for everybody. Raises InputError for an empty one, SecretGuard for one that gives
    something away."""
    setup = desk.setup
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        raise InputError('The note is empty: knightfall mod-note "Lumen is away until Friday."')
    speech = desk.speech(setup)
    post = guarded(render("any/mod_note", {"lines": lines}, speech), desk)
    entry = note_posted(KIND, post, last_post(setup, desk.ports) or 0, journal_of(desk.ports), desk.ports)
    publish(f"{KIND}-{entry.number}", post, desk, speech)
