"""The archive for everybody tells what everybody may know, in its pages, their names and their number."""

from __future__ import annotations

from pathlib import Path

import pytest

from knightfall.audience import Audience
from knightfall.markup.nodes import Text
from knightfall.services.keep.archive import write_archive
from knightfall.writeups.archive.book import Chapter, Part
from long_runs import first
from web.twins import TWINS, masked, still


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", first(3, sorted(TWINS, reverse=True)))
def test_two_games_that_everybody_sees_the_same_have_the_same_archive_for_everybody(
    kind: str, tmp_path: Path
) -> None:
    archives = []
    for number in (0, 1):
        folder = tmp_path / str(number) / "harbour"
        TWINS[kind](folder, number)
        made = write_archive(still(folder), public=True)
        pages = {file.name: masked(file.read_text(encoding="utf-8")) for file in made.folder.iterdir()}
        archives.append(pages)
        own = write_archive(still(folder))
        private = {file.name: masked(file.read_text(encoding="utf-8")) for file in own.folder.iterdir()}
        assert private.keys() >= pages.keys()
        assert private != pages
        # No page for everybody names one that is not there.
        for name in private.keys() - pages.keys():
            assert not [page for page, text in pages.items() if name in text], name
    assert archives[0] == archives[1]


SAID, SECRET, LATER = (Text("Ada died."),), (Text("Boro is the King."),), (Text("Told at the end."),)


def test_a_chapter_of_which_nothing_is_for_a_reader_is_no_page() -> None:
    sheets = Chapter("sheets", "Sheets", (Part("", SECRET, Audience.MODERATOR),))
    assert sheets.seen_by(Audience.EVERYBODY) is None
    assert sheets.seen_by(Audience.MODERATOR) == sheets


def test_a_part_that_is_not_for_a_reader_is_left_out_or_says_what_they_may_know() -> None:
    mixed = Chapter(
        "deal",
        "The deal",
        (
            Part("", SAID),
            Part("", SECRET, Audience.MODERATOR),
            Part("", SECRET, Audience.MODERATOR, LATER),
        ),
    )
    seen = mixed.seen_by(Audience.EVERYBODY)
    assert seen is not None
    assert [part.nodes for part in seen.parts] == [SAID, LATER]
    assert mixed.seen_by(Audience.MODERATOR) == mixed
