"""Hand-overs of strangers and damaged ones: each is refused in a sentence, before anything is written."""

from __future__ import annotations

import json
import lzma
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from growth import LINEAR, growth
from knightfall.engine.entries import Aliased, Closed, Delivered, Published, Ruled, Undone
from knightfall.engine.journal import Journal, append
from knightfall.errors import InputError, StateDamaged
from knightfall.sentence import SlotId
from knightfall.services.keep.capsule import capsules_in, packed, parts_of, unpacked
from knightfall.services.keep.hand_over import HandOverRequest, hand_over
from knightfall.services.keep.take_over import _merged, take_over
from knightfall.services.session import Session
from playthroughs.moderator import moderating
from services.test_hand_over import a_game
from services.test_repeated_acts import AT
from web import play

HEAD = "KNIGHTFALL 1/2 ENTRY 1 SINCE 0 0123456789abcdef0123456789abcdef\n"
PAGE = {"thread": "t", "url": "https://forum.example/1", "at": "2026-11-18T20:00:00+00:00", "text": "<p>"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a hand-over of a game holds."""
    with moderating(tmp_path_factory.mktemp("whole"), play.BEGINS) as mod:
        [text] = hand_over(HandOverRequest(), a_game(mod)).posts
    return unpacked(capsules_in([text]).whole[0].packed)


def never(_: Path) -> Session:
    raise AssertionError("something was written")


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "change",
    [
        lambda value: value.update(pages=[{}]),
        lambda value: value.update(pages=[5]),
        lambda value: value.update(pages=[PAGE | {"at": "x"}]),
        lambda value: value.update(pages=[PAGE | {"at": "0001-01-01T00:00:00+00:00"}]),
        lambda value: value.update(pages=[PAGE | {"text": 7}]),
        lambda value: value.update(pages="x"),
        lambda value: value.update(seen={"u": "[[1,2,3]]"}),
        lambda value: value.update(seen={"u": json.dumps({"posts": [["1", 1e40, "x"]], "counted": [1, 2]})}),
        lambda value: value.update(seen={"u": json.dumps({"posts": [], "counted": [2**70, 2]})}),
        lambda value: value.update(seen={"u": "nonsense"}),
        lambda value: value.update(marks=[1]),
        lambda value: value.update(files={"game.toml": 7}),
        lambda value: value.update(files={}),
        lambda value: value.update(files={"private/setup.json": "\ud800", "game.toml": "x"}),
        lambda value: value.update(since=-1),
        lambda value: value.update(since="0"),
        lambda value: value.update(at="2026-11-18T20:00:00"),
        lambda value: value.update(journal=["{}"]),
        lambda value: value.update(journal=value["journal"][:-1]),
        lambda value: value.pop("seen"),
    ],
)
def test_what_is_wrong_in_a_hand_over_is_said_before_anything_is_written(
    whole: dict[str, Any], tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    value = dict(whole)
    change(value)
    parts = parts_of(packed(value), len(whole["journal"]), 0, 60_000)
    with pytest.raises(StateDamaged, match=r"hand-over"):
        take_over(parts, tmp_path / "heir", never)
    assert not (tmp_path / "heir").exists()


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "bomb", [b"[" + b"[]," * 20_000_000 + b"1]", b'["' + b'","' * 3_000_000 + b'"]', b'"\\' * 9]
)
def test_what_would_take_much_more_memory_than_it_has_letters_is_refused(bomb: bytes) -> None:
    with pytest.raises(InputError, match=r"more than any game is|cannot be unpacked"):
        unpacked(lzma.compress(bomb, preset=0))


def test_a_hand_over_that_was_sealed_by_an_older_knightfall_says_what_to_do() -> None:
    with pytest.raises(InputError, match=r"sealed with a passphrase by Knightfall 0\.2"):
        unpacked(b"KFS1" + bytes(64))


@pytest.mark.parametrize(
    "line", [HEAD, f"{HEAD}AAAA\n", "END KNIGHTFALL 1/2\n", f"{HEAD}END KNIGHTFALL 1/1\n"]
)
def test_heads_without_ends_are_read_in_one_pass(line: str) -> None:
    assert capsules_in([line * 6_000]).whole == ()
    assert growth(lambda size: capsules_in([line * size]), 200) < LINEAR


def test_many_capsules_of_which_none_is_whole_are_read_in_one_pass() -> None:
    def many(size: int) -> str:
        digests = (sha256(str(number).encode()).hexdigest()[:32] for number in range(size))
        lines = (
            f"KNIGHTFALL 1/9999 ENTRY {n} SINCE 0 {one}\nAA\nEND KNIGHTFALL 1/9999\n"
            for n, one in enumerate(digests)
        )
        return "".join(lines)

    found = capsules_in([many(3_000)])
    assert found.torn is not None
    assert (found.torn.entry, len(found.missing)) == (2_999, 9_998)
    assert growth(lambda size: capsules_in([many(size)]), 100) < LINEAR


@pytest.mark.long
def test_more_hand_overs_than_anybody_pastes_are_refused(whole: dict[str, Any], tmp_path: Path) -> None:
    entry = len(whole["journal"])
    texts = [parts_of(packed(whole | {"by": f"W{n}"}), entry, 0, 60_000)[0] for n in range(41)]
    with pytest.raises(InputError, match="more than 40 hand-overs"):
        take_over(texts, tmp_path / "heir", never)


# What rests on what is left out, is left out.

ADA = SlotId("Ada")
RULED = Ruled("Q?", "No.", "so")


def merged(common: int, ours: Journal, theirs: Journal) -> list[tuple[int, bool]]:
    return [(one.record.number, one.merged) for one in _merged(ours[common:], theirs[common:])]


def grown(journal: Journal, author: str, *entries: Any) -> Journal:
    for entry in entries:
        journal = append(journal, entry, AT, author)
    return journal


def test_what_went_out_because_of_a_closing_that_is_left_out_is_left_out_with_it() -> None:
    both = grown((), "Wren", RULED)
    ours = grown(both, "Wren", Closed("night"))
    post = Published("dawn", 1, "0" * 64, "Dawn.", "")
    theirs = grown(
        both, "Iris", Closed("night"), Delivered("result-1", ADA, "sent", "ab"), post, Ruled("R?", "a", "b")
    )
    theirs = grown(theirs[:1], "Iris", Closed("night", "eliminate Ada"), *(one.entry for one in theirs[2:]))
    assert merged(1, ours, theirs) == [(2, False), (3, False), (4, False), (5, True)]


def test_an_order_that_rests_on_a_closing_that_is_left_out_is_left_out_with_it() -> None:
    both = grown((), "Wren", RULED)
    ours = grown(both, "Wren", Aliased(ADA, "Adi", "so"))
    theirs = grown(both, "Iris", Closed("night"), Aliased(ADA, "Ad", "so"), RULED)
    assert merged(1, ours, theirs) == [(2, False), (3, False), (4, True)]


def test_an_undo_undoes_what_it_undid_there_and_never_an_entry_of_ours() -> None:
    both = grown((), "Wren", RULED)
    ours = grown(both, "Wren", Aliased(ADA, "Adi", "so"))
    theirs = grown(both, "Iris", Ruled("R?", "a", "b"), Undone(2, "a slip"))
    first, second = _merged(ours[1:], theirs[1:])
    assert (first.merged, second.merged) == (True, True)
    assert second.record.entry == Undone(3, "a slip")
    blocked = grown(both, "Iris", Closed("night"), Undone(2, "a slip"))
    assert merged(1, ours, blocked) == [(2, False), (3, False)]
