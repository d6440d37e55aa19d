"""How the scorer reads an annotator's record. Every name and post here is invented."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PLAYERS = ("Ada", "Boro", "Cinder", "Elm", "Fen")


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT / "scripts" / "py")])


def bold(text: str) -> str:
    return f'<span style="font-weight: bold">{text}</span>'


SAID = (
    ("Wren", "Day 1"),
    ("Ada", bold("vote: Fen")),
    ("Boro", bold("vote: Fen")),
    ("Cinder", bold("vote: the lamp")),
    ("Wren", "noted"),
    ("Elm", bold("vote: Fen")),
    ("Wren", "Fen is gone"),
)


def scored(
    folder: Path, events: dict[str, Any], due: Any = ("Fen",), last: str = SAID[-1][1], **more: Any
) -> Any:
    """The score of a day of these posts, numbered from 0 on, with such rulings and such a last post."""
    from accuracy import score

    game = folder / "70001"
    game.mkdir()
    posts = [
        {"number": str(n), "id": str(n), "user": who, "content": body}
        for n, (who, body) in enumerate((*SAID[:-1], ("Wren", last)))
    ]
    with gzip.open(game / "posts.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write("\n".join(map(json.dumps, posts)))
    slots = [{"names": [name], "role": "", "fate": ""} for name in PLAYERS]
    notes = more.pop("notes", "")
    (game / "meta.json").write_text(
        json.dumps({"moderators": ["Wren"], "slots": slots, "annotator_notes": notes}), encoding="utf-8"
    )
    phase = {
        "day": 1,
        "start": 0,
        "end": 6,
        "slots": [[name] for name in PLAYERS],
        "mods": ["Wren"],
        "doublevoters": [],
        "events": events,
        "less_one_for_no_lynch": False,
        "can_predict_lynch": True,
        "correct": list(due) if isinstance(due, tuple) else due,
    }
    (game / "phases.jsonl").write_text(json.dumps(phase | more), encoding="utf-8")
    return score(game)


def verdict(result: Any) -> tuple[int, int, int]:
    return result.right, result.wrong, result.undecided


RIGHT, WRONG, UNDECIDED = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def test_without_rulings_the_votes_count_as_they_stand(tmp_path: Path) -> None:
    assert verdict(scored(tmp_path, {})) == RIGHT


@pytest.mark.parametrize(
    "said", ["Ada did not vote", "Ada didn't vote Fen", "Ada didn’t vote", "Ada tried to vote Fen"]
)
def test_who_did_not_vote_did_not(said: str, tmp_path: Path) -> None:
    assert verdict(scored(tmp_path, {"1": [said]})) == UNDECIDED


def test_a_ruling_by_a_moderators_post_is_on_the_voter_whom_it_names(tmp_path: Path) -> None:
    assert verdict(scored(tmp_path, {"4": ["Cinder voted Fen"], "5": ["Elm did not vote"]})) == RIGHT


def test_several_rulings_by_one_post_of_the_moderator_all_count(tmp_path: Path) -> None:
    both = {"4": ["Ada voted UNVOTE", "Cinder voted Fen"], "5": ["Elm did not vote"]}
    assert verdict(scored(tmp_path, both)) == UNDECIDED


def test_with_a_reset_the_votes_before_it_are_gone(tmp_path: Path) -> None:
    assert verdict(scored(tmp_path, {"4": ["votecount reset"]})) == UNDECIDED


@pytest.mark.parametrize("key", ["post 1", "#1", "1"])
def test_a_post_may_be_written_in_words(key: str, tmp_path: Path) -> None:
    assert verdict(scored(tmp_path, {key: ["Ada did not vote"]})) == UNDECIDED


def test_a_note_in_place_of_a_number_does_no_harm(tmp_path: Path) -> None:
    note = {"see the notes": ["Ada did not vote", "Boro did not vote in post 2"], "end": "long twilight"}
    assert verdict(scored(tmp_path, note)) == UNDECIDED


def test_a_note_in_place_of_a_days_end_reads_to_the_last_post(tmp_path: Path) -> None:
    assert verdict(scored(tmp_path, {}, end="no majority", start="?")) == RIGHT


@pytest.mark.parametrize(
    ("notes", "due"),
    [
        ("Ada is a doublevoter who can put votes on different people", ()),
        ("", ()),
        ("Ada's vote counts twice", ("Fen",)),
    ],
)
def test_a_double_voter_weighs_two_only_where_the_record_says_so(
    notes: str, due: tuple[str, ...], tmp_path: Path
) -> None:
    events = {"5": ["Elm did not vote"]}
    assert verdict(scored(tmp_path, events, due, notes=notes, doublevoters=[["Ada"]])) == RIGHT


def test_of_a_missed_day_it_says_whether_an_answer_would_mend_it(tmp_path: Path) -> None:
    result = scored(tmp_path, {"5": ["Elm did not vote"]})
    assert (result.missed, result.mended, result.offered) == (1, 1, 0)
    assert result.asked == [1]


def test_a_hammer_that_the_moderator_denies_is_asked_about_and_not_claimed(tmp_path: Path) -> None:
    result = scored(tmp_path, {}, due=(), last="No lynch was reached. It is now Night 1.")
    assert verdict(result) == RIGHT
    assert result.asked == [2]
