"""`post setup` of a game that is being played: the rules are no secret, and nothing else gets out."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import run
from knightfall.errors import SecretGuard
from knightfall.services.guard import hidden_in, passed
from knightfall.services.now import now_of
from knightfall.services.posts.write import write_post
from knightfall.services.requests import PostRequest
from knightfall.votes.rule import rule_sentences
from services.voting_day import PLAYERS, VotingDay, voting_day

FOG = """
schema = 1
name = "Fog"
reveal_setup = false
[[slots]]
role = "Mafia Goon"
[[slots]]
role = "Town Bodyguard"
[[slots]]
role = "Town Cop"
[[slots]]
role = "Vanilla Townie"
fill = true
"""


def setup_post(day: VotingDay, dialect: str) -> str:
    return write_post(PostRequest("setup", dialect=dialect, stored=True), day.session).text


@pytest.mark.few(6)
@pytest.mark.parametrize("dialect", ["plain", "mafiascum", "discourse"])
@pytest.mark.parametrize("kind", PLAYERS)
def test_the_setup_can_be_posted_when_all_have_their_role_pms(
    kind: str, dialect: str, tmp_path: Path
) -> None:
    assert "This setup" in setup_post(voting_day(tmp_path, kind), dialect)


@pytest.mark.parametrize("kind", PLAYERS)
def test_the_setup_says_how_votes_count_in_this_game(kind: str, tmp_path: Path) -> None:
    usual = voting_day(tmp_path / "own", kind)
    own = setup_post(usual, "plain")
    assert all(sentence in own for sentence in rule_sentences(now_of(usual.session).setup.rule))
    otherwise = voting_day(tmp_path / "other", kind, rules='death = "majority"\nself_vote = false\n')
    text = setup_post(otherwise, "plain")
    assert "You cannot vote for yourself." in text
    assert "You cannot vote for yourself." not in own
    assert all(sentence in text for sentence in rule_sentences(now_of(otherwise.session).setup.rule))


@pytest.mark.parametrize("kind", PLAYERS)
def test_what_a_role_pm_tells_its_reader_alone_stays_secret(kind: str, tmp_path: Path) -> None:
    day = voting_day(tmp_path, kind)
    hidden = hidden_in(day.session)
    file = next(iter(sorted((day.folder / "private").glob("*role_pm*"))))
    for line in file.read_text(encoding="utf-8").splitlines():
        if "your role is" in line:
            with pytest.raises(SecretGuard):
                passed(f"He wrote: {line}", hidden)
            break
    else:
        pytest.fail("no role PM says a role")


def test_a_secret_setup_is_posted_as_rules_and_its_roles_stay_secret(tmp_path: Path) -> None:
    (tmp_path / "fog.toml").write_text(FOG, encoding="utf-8")
    (tmp_path / "names").write_text("\n".join(PLAYERS["custom_mafia"]), encoding="utf-8")
    folder = str(tmp_path / "fog")
    made = run(
        "new", "custom-mafia", "--players", str(tmp_path / "names"), "--setup", str(tmp_path / "fog.toml"),
        "--out", folder,
    )  # fmt: skip
    assert made.exit_code == 0, made.output
    told = run("post", "setup", "--game", folder)
    assert told.exit_code == 0, str(told.exception)
    assert "Which roles are in the game is secret." in told.output
    flavour = tmp_path / "dawn.txt"
    flavour.write_text("The Bodyguard slept well.", encoding="utf-8")
    refused = run("post", "dawn", "--flavour", str(flavour), "--game", folder)
    assert refused.exit_code != 0
