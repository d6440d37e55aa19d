"""Hand-worked cases of every rule variant: fixtures/tallies.

A case gives the [rules] of a game file, players as names or [[player]] tables, posts as
`NUMBER[*][@TIME] NAME: text; text` in bold (* marks an edited post), and what must come out. `marks` are
[name, post, weight, votes more against them]: from that post on.
"""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from knightfall.config.game_file import parse_setup
from knightfall.config.setup import Setup
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.models import VoteMark
from knightfall.votes.ballots import PostBallots
from knightfall.votes.tally import Tally, TownClass, day_outcome, tally
from votes.build import ballots

FILE = Path(__file__).parents[2] / "fixtures" / "tallies" / "rules.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
LAST = 1000


def toml(value: Any) -> str:
    """A JSON value as TOML writes it in a line."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(value, ensure_ascii=False)


def table(head: str, values: dict[str, Any]) -> str:
    return f"[{head}]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in values.items())


def setup(case: dict[str, Any]) -> Setup:
    players = [{"name": player} if isinstance(player, str) else player for player in case["players"]]
    day = table("[day]", {"number": case.get("day", 1), "start_post": 1})
    ends = f"ends = {case['ends']}\n" if "ends" in case else ""
    text = 'schema = 1\n[game]\ntimezone = "America/New_York"\n' + table("rules", case.get("rules", {}))
    return parse_setup(text + "".join(table("[player]", player) for player in players) + day + ends)


def post(line: str, given: Setup) -> PostBallots:
    head, _, said = line.partition(" ")
    number, _, moment = head.partition("@")
    [made] = ballots(f"{number.rstrip('*')} {said}", given.rule)
    time = datetime.fromisoformat(moment) if moment else None
    return replace(made, time=time, edited=number.endswith("*"))


def counted(case: dict[str, Any], given: Setup) -> Tally:
    assert given.roster is not None
    made = [post(line, given) for line in case["posts"]]
    roster = given.roster
    for name, *mark in case.get("marks", ()):
        roster = roster.with_mark(name, VoteMark(*mark))
    return tally(made, roster, given.rule, given.days[0].counted_from(1), LAST)


def told(case: dict[str, Any]) -> dict[str, Any]:
    given = setup(case)
    tally_ = counted(case, given)
    draws = case.get("draws")
    draw = ScriptedRng([("vote.tie", name) for name in draws], SeededRng(b"unused")) if draws else None
    classes = {name: TownClass[value] for name, value in case.get("classes", {}).items()}
    number = case.get("day", 1)
    outcome = day_outcome(tally_, given.rule, number, case.get("over", False), draw, classes or None)
    wagons = {wagon.target.name if wagon.target else "": wagon for wagon in tally_.wagons}
    return {
        "wagons": {name: [vote.voter.name for vote in wagon.votes] for name, wagon in wagons.items()},
        "counts": {name: wagon.count for name, wagon in wagons.items()},
        "needed": tally_.needed,
        "hammer": tally_.hammer.post if tally_.hammer else None,
        "not_voting": [slot.name for slot in tally_.not_voting],
        "not_counted": [[missed.post, missed.why.value] for missed in tally_.not_counted],
        "outcome": None if outcome is None else [[slot.name for slot in outcome.eliminated], outcome.how],
    }


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_rule_gives_what_was_worked_out_by_hand(case: dict[str, Any]) -> None:
    found = told(case)
    assert {key: found[key] for key in case["expected"]} == case["expected"]


def test_there_is_a_case_for_every_value_of_every_rule() -> None:
    assert len(CASES) >= 60
    given = json.dumps([case.get("rules", {}) for case in CASES])
    words = (
        "plurality both majority_from_day half_rounded_up of_votes_cast minimum_votes one_fewer random "
        "first_to_reach longest_held anti_town all ask before second minute until_lock unvote_first "
        "self_vote votes_per_player two_targets x2 max_changes locked_at edited"
    )
    assert [word for word in words.split() if word not in given] == []
