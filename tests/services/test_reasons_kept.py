"""A reason that stays in the log is in no text for everybody; one that is told, is told."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

import pytest

from knightfall.engine.entries import Aliased, Entry, Fixed, Removed, Revived, Ruled, Stopped, Undone
from knightfall.errors import KnightfallError
from knightfall.sentence import SlotId
from knightfall.services.day.close import choice_question
from knightfall.services.day.end import early_question
from knightfall.services.keep.archive import write_archive
from knightfall.services.keep.passport import passport
from knightfall.services.posts.facts import post_nodes
from knightfall.services.posts.framing import rulings_of
from knightfall.services.posts.write import KINDS, content_of
from services.game_stages import STAGES, Pages, lantern, scene, session_of_test
from services.test_archive import Shelf, everything

REASON = "a marzipan reason"
GALE, FEN = SlotId("Gale"), SlotId("Fen")
ENTRIES: tuple[Entry, ...] = (
    Ruled("May the dead post?", "No.", REASON),
    Ruled(early_question(1), "yes", REASON),
    Ruled(choice_question(1), "Cinder", REASON),
    Ruled("Does the message of Gale count?", "no", REASON, "sha256:00"),
    Ruled("Was Night 1 closed before its time?", "yes", REASON),
    Ruled("Has Day 1 another deadline?", "yes", REASON),
    Fixed("3", "ignore", REASON),
    Aliased(GALE, "Galey", REASON),
    Removed(GALE, "modkill", "2", REASON),
    Revived(GALE, "2", REASON),
    Stopped("day-1", REASON),
)
"""Every kind of entry for which a moderator types a reason, and every ruling that is written for one."""


def with_reasons(folder: Path, stage: str) -> tuple[Path, Pages]:
    """The game of seven with a reason at every entry that can have one, in the midst of it."""
    folder, pages = lantern(folder, stage)
    journal, pages.journal = pages.journal, ()
    for record in journal:
        entry: Any = record.entry
        has = any(part.name == "why" for part in fields(entry))
        pages.append(replace(entry, why=REASON) if has else entry, record.at, "Wren")
        if record.number == 2:
            for one in ENTRIES:
                pages.append(one, record.at, "Wren")
            pages.append(Undone(len(pages.journal), REASON), record.at, "Wren")
    return folder, pages


def test_every_kind_of_entry_with_a_reason_is_tried() -> None:
    having = {kind for kind in get_args(Entry) if any(part.name == "why" for part in fields(kind))}
    tried = {type(entry) for entry in ENTRIES} | {Undone}
    assert {kind.__name__ for kind in having - tried} == {"Replaced"}  # the game itself has one


@pytest.mark.few(2)
@pytest.mark.parametrize("stage", STAGES[1:])
def test_a_reason_that_is_kept_in_the_log_is_in_no_text_for_everybody(stage: str, tmp_path: Path) -> None:
    folder, pages = with_reasons(tmp_path / "game", stage)
    written = list[str]()
    for kind in KINDS:
        try:
            context = scene(folder, pages)
            written.append(repr(post_nodes(content_of(kind, context))))
        except KnightfallError:
            continue  # a post that is not due yet
    assert len(written) > 3
    reads_only: Any = Shelf(pages)
    session = replace(session_of_test(folder, pages), store=lambda _: reads_only)
    write_archive(session, public=True, allow_leak="the dead lives")
    written.append(everything(folder / "public" / "archive"))
    written.append(passport(session, public=True, allow_leak="the dead lives").text)
    assert [text for text in written if REASON in text] == []
    assert REASON in passport(session).text


def test_a_ruling_whose_reason_is_told_is_published_with_it(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "game", "over")
    for told in (True, False):
        pages.append(Ruled(f"Told {told}?", "Yes.", REASON, told=told), pages.journal[-1].at, "Wren")
    pages.append(
        Ruled(early_question(1), "yes, and the players are told why", REASON), pages.journal[-1].at, "Wren"
    )
    [section] = rulings_of(scene(folder, pages))
    facts: Any = section.facts
    told_rows = [(row["question"], row["why"]) for row in facts["rulings"]]
    assert ("Told True?", REASON) in told_rows
    assert ("Told False?", "") in told_rows
