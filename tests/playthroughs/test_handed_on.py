"""Games that change hands while they are played: handed over, deleted, taken over in an empty folder."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

import pytest

from knightfall.cli.terminal import real_session
from knightfall.engine.entries import Closed, Published
from knightfall.engine.heads import without_line
from knightfall.engine.journal import Record
from knightfall.engine.playout import START
from knightfall.services.keep.hand_over import HandOverRequest, hand_over
from knightfall.services.session import GAME_FILE, journal_of
from playthroughs import test_knight_errant_week as week
from playthroughs import test_other_weeks as weeks
from playthroughs.moderator import Moderator, Said, moderating
from web.same_game import same_forum

STEPS = (
    week.a_folder_is_made,
    week.players_sign_up,
    week.cards_are_dealt,
    week.role_pms_are_sent,
    week.day_one_opens,
    week.votes_are_read,
    week.somebody_is_replaced,
    week.day_one_ends_by_a_hammer,
    week.night_one_is_decided,
    week.day_two_ends_by_a_vote_too_late,
    week.night_two_is_decided,
    week.day_three_and_its_night,
    week.the_last_day,
    week.everything_is_told_and_proved,
)


@dataclass
class HandedOn(Moderator):
    """A moderator who vanishes after these commands, each time for another one to go on."""

    cuts: frozenset[int] = frozenset()
    typed: int = field(default=0, init=False)
    handed: int = field(default=0, init=False)

    def types(self, line: str, *words: str, answers: str | None = None, status: int = 0) -> Said:
        said = super().types(line, *words, answers=answers, status=status)
        self.typed += 1
        if self.typed in self.cuts and (self.folder / GAME_FILE).exists():
            self.hands_on()
        return said

    def hands_on(self) -> None:
        """Hand the game over, delete its folder, and take it over in its place."""
        session = real_session(self.folder, allow_private=False)
        before = journal_of(session)
        if not before:
            return
        done = hand_over(HandOverRequest(), session)
        shutil.rmtree(self.folder)
        self.folder.mkdir()
        (self.desk / "hand-over.txt").write_text("\n".join(done.posts), encoding="utf-8")
        super().types("take-over ../hand-over.txt --allow-private-host")
        assert journal_of(real_session(self.folder, allow_private=False)) == before
        self.handed += 1


def played(mod: Moderator, *steps: Callable[[Moderator], object]) -> tuple[list[Record], dict[str, str]]:
    """The journal and the posts in public/ after the whole week, each without the head of the log: it is
    over the pages that its own moderator has read as well, and `verify` compares it in each game."""
    for step in steps:
        step(mod)
    journal = journal_of(real_session(mod.folder, allow_private=False))
    files = (mod.folder / "public").glob("[0-9]*.txt")
    return [headless(one) for one in journal], {
        file.name: without_line(file.read_text(encoding="utf-8")).rstrip() for file in files
    }


def headless(record: Record) -> Record:
    """What an entry tells, without the head of the log in its text and the hashes over posts with one."""
    entry = record.entry
    if isinstance(entry, Published):
        entry = replace(entry, text=without_line(entry.text), sha256="")
    elif isinstance(entry, Closed):
        mark = replace(entry.mark, sha256="") if entry.mark else None
        entry = replace(entry, evidence=(entry.evidence or "").partition(" ")[2], mark=mark)
    return replace(record, entry=entry, before="", digest="")


@pytest.mark.long
def test_a_week_is_the_same_whoever_goes_on_with_it(tmp_path: Path) -> None:
    with same_forum():
        (tmp_path / "uncut").mkdir()
        with moderating(tmp_path / "uncut", week.new_york(9)) as mod:
            journal, posts = played(mod, *STEPS)
        for seed in range(4):
            (tmp_path / str(seed)).mkdir()
            with moderating(tmp_path / str(seed), week.new_york(9)) as found:
                cuts = frozenset(random.Random(seed).sample(range(12, 110), 10))
                handed = HandedOn(found.board, found.clock, found.desk, found.pasted, cuts=cuts)
                again, theirs = played(handed, *STEPS)
                assert handed.handed >= 5
            assert theirs.keys() == posts.keys()
            assert theirs == posts
            assert again == journal


@pytest.mark.long
@pytest.mark.parametrize(
    "game",
    [
        weeks.test_a_setup_of_ones_own,
        weeks.test_empowered_mafia,
        weeks.test_kings_court,
        weeks.test_knights_duty,
        weeks.test_knight_fight,
    ],
    ids=lambda game: game.__name__.removeprefix("test_"),
)
def test_every_other_week_is_the_same_whoever_goes_on_with_it(
    game: Callable[[Moderator], None], tmp_path: Path
) -> None:
    def handing(name: str, cuts: frozenset[int]) -> tuple[HandedOn, tuple[list[Record], dict[str, str]]]:
        (tmp_path / name).mkdir()
        with moderating(tmp_path / name, START - timedelta(days=1)) as mod:
            handed = HandedOn(mod.board, mod.clock, mod.desk, mod.pasted, cuts=cuts)
            return handed, played(handed, game)

    with same_forum():
        whole, expected = handing("uncut", frozenset())
        cuts = frozenset(random.Random(37).sample(range(6, whole.typed), min(10, whole.typed - 6)))
        handed, found = handing("cut", cuts)
    assert handed.handed >= min(5, len(cuts) // 2)
    assert found[0] == expected[0]
    assert found[1].keys() == expected[1].keys()
    assert found[1] == expected[1]
