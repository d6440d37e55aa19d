"""What does a moderator do with a sign-up thread: look at the lists, decide what is unclear, write them down?

What is unclear is listed with its link and waits for the moderator, who decides post by post with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass

from knightfall.app.count.vc import Wanted
from knightfall.app.diary.journal import entered
from knightfall.app.guarding.outgoing import released
from knightfall.app.people.signup_files import write_signups
from knightfall.app.people.signup_list import SignupsRead, read_signups
from knightfall.app.people.signup_report import as_json, as_post, as_text, read_line
from knightfall.app.ports import Copy, Ports, Progress, Say, game_folder
from knightfall.app.speech import RICH, dialect_of
from knightfall.core.entries import Fixed
from knightfall.errors import DecisionNeeded, InputError
from knightfall.forums.sites import site_of
from knightfall.markup.dialects import dialect as dialect_known
from knightfall.setups.decided import SIGNUP
from knightfall.votes.signups import DECISIONS
from knightfall.writeups.journal import entry_line


@dataclass(frozen=True, slots=True)
class After:
    """What is to be done with the lists: written into the game's folder, copied; `allow` is the reason why
    the post may tell what looks like a secret."""

    write: bool = False
    copy: Copy | None = None
    allow: str = ""


def decide(post: str, word: str, why: str, ports: Ports) -> str:
    """Writes what a post means. Raises InputError for no post number, an unknown word, or no reason."""
    number = post.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit()):
        raise InputError(f"{post} is no number of a post. Give it as the forum counts, for example 22.")
    if word not in DECISIONS:
        raise InputError(f"Found “{word}”, expected one of {', '.join(DECISIONS)}.")
    if not why.strip():
        raise InputError('A decision needs its reason: --why "…".')
    nowhere = "A decision is kept with a game: --game FOLDER, or run it in the game's folder."
    record = entered(Fixed(number, SIGNUP + word, why.strip()), ports, nowhere)
    undo = f'knightfall undo {record.number} --why "…"'
    return f"{record.number}: {entry_line(record.entry)}. Take it back: {undo}"


def run(
    wanted: Wanted, after: After, ports: Ports, out: Say, err: Say, progress: Progress | None = None
) -> None:
    """Prints the lists, or the post where a dialect is named, and does what is to be done with them. Raises
    DecisionNeeded after it while something is unclear: then nothing is written."""
    if wanted.dialect:
        dialect_known(wanted.dialect)  # an unknown one is told before anything is read
    found = read_signups(wanted, ports, progress)
    for sentence in (read_line(found), *found.told):
        err(sentence)
    speech = dialect_of(wanted.dialect, found.setup, site_of(found.thread.url or ""), found.thread.platform)
    public = bool(wanted.dialect or after.write or after.copy)
    post = released(as_post(found, speech), wanted.game, ports, after.allow) if public else ""
    out(as_json(found) if wanted.as_json else post if wanted.dialect else as_text(found))
    if after.copy is not None:
        after.copy.copy(post, speech == RICH)
        err("The list is copied.")
    _settled(found)
    if after.write and wanted.game is not None:
        for sentence in write_signups(found, post, game_folder(wanted.game)):
            err(sentence)


def _settled(found: SignupsRead) -> None:
    unclear = tuple(dict.fromkeys(one.post for one in found.lists.unclear))
    if unclear:
        listed = ", ".join(f"#{number}" for number in unclear)
        raise DecisionNeeded(
            f"{len(unclear)} unclear and not counted: {listed}.\nAsk, or decide: knightfall signup decide "
            f'{unclear[0]} {"|".join(DECISIONS)} --why "…"'
        )
