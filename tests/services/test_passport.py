"""The passport of a game: it keeps to its schema, tells no secret, and another program can work with it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from knightfall.errors import InputError
from knightfall.services.count.votecount import count_votes
from knightfall.services.keep.passport import passport, schema
from knightfall.services.machine import session_of
from knightfall.services.requests import CountRequest
from playthroughs.moderator import Moderator, moderating
from playthroughs.test_other_weeks import GAME, MILL, begins, closes, day, ends, vote
from services.test_hand_over import a_game, session_at
from web import play

ANOTHER_PROGRAM = """
import json, sys

game = json.load(open(sys.argv[1], encoding="utf-8"))
assert game["schema"] == "knightfall-passport-1"
for day in game["days"]:
    count = day["votecount"]
    if count is None:
        continue
    print(f"Day {day['day']}, to post {count['at']['post']}")
    for wagon in count["wagons"]:
        who = wagon["target"] or "No elimination"
        size = wagon["count"] if wagon["needed"] is None else f"{wagon['count']}/{wagon['needed']}"
        ids = day["posts"]
        voters = [f"{one['slot']} #{one['post']} ({ids[str(one['post'])]})" for one in wagon["voters"]]
        print(f"{who} {size}: {', '.join(voters)}")
    if count["not_voting"]:
        print("Not voting:", ", ".join(count["not_voting"]))
    print("Eliminated:", ", ".join(day["eliminated"] or ()) or "nobody")
"""


def played(mod: Moderator) -> tuple[str, list[str]]:
    """A game of one's own whose first day was closed by a vote: who fell, and who holds a role."""
    (mod.desk / "mill.toml").write_text(MILL, encoding="utf-8")
    begins(mod, "custom-mafia", 7, "--setup", "../mill.toml")
    plain, [goon] = mod.holders("Vanilla Townie"), mod.holders("Mafia Goon")
    until = day(mod, 1)
    vote(mod, plain[0], [goon, plain[1], plain[2], plain[3]])
    mod.turns_to(until)
    closes(mod, plain[0])
    return plain[0], [goon, *mod.holders("Town Cop"), *mod.holders("Town Doctor")]


def valid(values: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(values))
    jsonschema.validate(found, schema())
    return found


def test_another_program_draws_the_same_votecount_from_it(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        fallen, _ = played(mod)
        mod.types("passport --public --out ../game.json")
        (tmp_path / "draws.py").write_text(ANOTHER_PROGRAM, encoding="utf-8")
        drawn = subprocess.run(
            [sys.executable, "-I", str(tmp_path / "draws.py"), str(tmp_path / "game.json")],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        session = session_of(mod.folder)
        tally = count_votes(CountRequest(day=1, stored=True), session).seen.tally
        posts = mod.board.topics[GAME].posts
        for wagon in tally.wagons:
            votes = ", ".join(
                f"{vote.voter.name} #{vote.post} ({posts[vote.post - 1].id})" for vote in wagon.votes
            )
            assert f"{wagon.target.name if wagon.target else ''} {wagon.size}: {votes}" in drawn
        assert f"Not voting: {', '.join(slot.name for slot in tally.not_voting)}" in drawn
        assert f"Eliminated: {fallen}" in drawn


def test_a_public_one_tells_no_secret_and_a_private_one_all(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        fallen, powers = played(mod)
        session = session_of(mod.folder)
        told, kept = valid(passport(session, public=True).to_dict()), valid(passport(session).to_dict())
        roles = {one["slot"]: one["role"] for one in told["players"]}
        assert roles[fallen] == "Vanilla Townie"
        assert {roles[name] for name in powers} == {""}
        assert {one["slot"]: one["role"] for one in kept["players"]} == dict(mod.cards())
        assert "deal" not in told["proof"]
        assert kept["proof"]["deal"]["seed"]
        assert told["proof"]["commitment"] == kept["proof"]["commitment"]
        for secret in ("nights", "rulings"):
            assert secret not in told
            assert secret in kept
        assert [(one["day"], one["eliminated"]) for one in told["days"]] == [(1, [fallen])]
        assert {one["slot"] for one in told["players"] if one["alive"]} == set(mod.cards()) - {fallen}
        assert len(told["journal"]) < len(kept["journal"])


def test_nights_and_rulings_are_the_moderators(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session = a_game(mod)
        kept = valid(passport(session).to_dict())
        [goon, *_] = mod.holders("Mafia Goon")
        [night] = kept["nights"]
        assert (night["night"], goon in {one["actor"] for one in night["acts"]}) == (1, True)
        assert [one["question"] for one in kept["rulings"]] == ["May one talk at night?"]
        told = valid(passport(session, public=True).to_dict())
        assert {one["slot"] for one in told["players"] if not one["alive"]} == set(night["dead"])


@pytest.mark.long
def test_a_game_that_is_over_tells_roles_and_proof(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        played(mod)
        [goon] = mod.holders("Mafia Goon")
        mod.types("commit night --yes")
        mod.types("post dawn --copy --posted")
        mod.posts(GAME, mod.pasted[-1])
        until = day(mod, 2)
        living = [name for name in mod.cards() if name != goon][1:5]
        vote(mod, goon, living)
        mod.turns_to(until)
        closes(mod, goon)
        ends(mod)
        told = valid(passport(session_of(mod.folder), public=True).to_dict())
        assert (told["state"], told["winner"]) == ("over", "Town")
        assert {one["slot"]: one["role"] for one in told["players"]} == dict(mod.cards())
        assert told["proof"]["deal"]["commitment"] == told["proof"]["commitment"]


def test_where_nothing_was_played_there_is_nothing_to_write(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        mod.types("new votes --site phpbb --moderator Wren --title", "Tin Fair")
        with pytest.raises(InputError, match="nothing to write down"):
            passport(session_at(mod, mod.desk / "tin-fair"))
        mod.turns_to(mod.clock.now() + timedelta(minutes=1))
