"""Mistakes that a moderator makes at the command line, and how each is mended: nothing wrong is printed on
the way, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from playthroughs.moderator import Moderator, moderating

GAME = 90010
NAMES = ["Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale"]
SEED, SALT = "5a" * 32, "c3" * 32
SETUP = """schema = 1
name = "Quay"
[[slots]]
role = "Mafia Goon"
[[slots]]
role = "Town Cop"
[[slots]]
role = "Vanilla Townie"
fill = true
"""


@pytest.fixture
def mod(tmp_path: Path) -> Iterator[Moderator]:
    """A game of seven whose players are listed; no role is dealt yet."""
    with moderating(tmp_path, datetime(2026, 11, 20, 12, tzinfo=UTC)) as found:
        url = found.board.open(GAME, "Quay", "Wren", "Sign-ups are closed.")
        (tmp_path / "setup.toml").write_text(SETUP, encoding="utf-8")
        found.types(
            "new custom-mafia Quay --setup setup.toml --site phpbb --tz UTC --moderator Wren",
            *("--thread", f"game={url}"),
        )
        found.folder = tmp_path / "quay"
        players = "".join(f'\n[[player]]\nname = "{name}"\n' for name in NAMES)
        found.writes("game.toml", found.file("game.toml") + players)
        yield found


def dealt(mod: Moderator) -> Moderator:
    mod.types(f"deal --seed {SEED} --salt {SALT}")
    return mod


def day_one(mod: Moderator, *votes: str) -> Moderator:
    """Day 1 runs until the 24th, and somebody has voted: “Ada Elm” is Ada's vote for Elm."""
    dealt(mod).types("phase open day 1 --ends", "2026-11-24 20:00")
    mod.board.post(GAME, "Wren", "Day 1 begins.")
    for vote in votes:
        voter, target = vote.split()
        mod.board.post(GAME, voter, f"[b]Vote: {target}[/b]")
    return mod


def test_a_day_that_was_opened_before_the_deal_has_its_deadline_in_the_game(mod: Moderator) -> None:
    mod.types("phase open day 1 --ends", "2026-11-24 20:00")
    mod.types("modkill Fen --at 1 --why", "was somebody else")
    mod.types("undo --why", "wrong name")
    dealt(mod)
    assert "Open: Day 1 (day), until 24 Nov 20:00" in mod.types("status").out


def test_a_night_that_was_opened_early_has_its_deadline_when_it_comes(mod: Moderator) -> None:
    day_one(mod, *(f"{name} Ada" for name in NAMES[1:5]))
    early = mod.types("phase open night 1 --ends", "2026-11-26 20:00")
    assert "deadline counts from when Night 1 opens there" in early.err
    mod.types("phase close", answers="Ada\n")
    assert "Open: Night 1 (night), until 26 Nov 20:00" in mod.types("status").out


def test_a_night_does_not_end_before_its_day(mod: Moderator) -> None:
    day_one(mod)
    refused = mod.types("phase open night 1 --ends", "2026-11-23 20:00", status=2)
    assert "Night 1 would end Mon 23 Nov 2026, 20:00 UTC, and Day 1, which comes before it" in refused.err
    assert not [*mod.folder.glob("public/*deadline-night-1.txt")]


def test_another_day_than_the_one_that_runs_is_not_extended(mod: Moderator) -> None:
    day_one(mod)
    refused = mod.types("phase extend day 2 --ends", "2026-11-28 20:00", status=3)
    assert "the game is in Day 1, and next comes night 1" in refused.err
    assert not [*mod.folder.glob("public/*deadline-day-2.txt")]


def test_a_post_that_was_decided_is_no_near_miss_any_more(mod: Moderator) -> None:
    day_one(mod)
    post = mod.board.post(GAME, "Fen", "vote gale")
    assert "not bold" in mod.types("near").out
    mod.types(f"fix {post} --to Gale --why", "asked by PM")
    count = mod.types("vc")
    assert "Gale (1)" in count.out
    assert "Not counted" not in count.out + count.err
    assert "everything that looks like a vote was counted" in mod.types("near").out


def test_the_reason_of_a_closing_goes_with_it_when_it_is_taken_back(mod: Moderator) -> None:
    day_one(mod, "Ada Elm", "Boro Elm")
    goon = mod.holders("Mafia Goon")[0]
    mod.types("phase close --early", "the host is away", answers="Elm\n")
    mod.types("undo --yes --why", "too early")
    mod.types("phase close", status=3)
    for name in NAMES[2:5]:
        mod.board.post(GAME, name, f"[b]Vote: {goon}[/b]")
    mod.board.post(GAME, "Ada", f"[b]Vote: {goon}[/b]")
    mod.types("phase close", answers=f"{goon}\n")
    end = mod.types("post endgame").out
    assert "The Town wins" in end
    assert "before its time" not in end


def test_the_votes_of_a_replaced_player_stay_in_the_last_table(mod: Moderator) -> None:
    day_one(mod)
    goon = mod.holders("Mafia Goon")[0]
    voters = [name for name in NAMES if name != goon][:4]
    for name in voters:
        mod.board.post(GAME, name, f"[b]Vote: {goon}[/b]")
    mod.clock.sleep(timedelta(hours=1).total_seconds())
    mod.types("read")
    mod.types(f"replace {voters[0]} Rook")
    mod.types("phase close", answers=f"{goon}\n")
    rows = [line.split() for line in mod.types("post endgame").out.splitlines()]
    assert ["Rook", "(was", f"{voters[0]})", goon] in rows


def night_over(mod: Moderator) -> None:
    """Day 1 ends without an elimination, and nobody dies in its night."""
    mod.types("phase close --early", "agreed", answers="No Elimination\n")
    mod.clock.sleep(3600)
    mod.types("commit night --yes")
    mod.clock.sleep(60)


def test_a_day_that_nobody_opened_is_counted_from_the_end_of_the_night(mod: Moderator) -> None:
    day_one(mod, "Ada Elm", "Boro Elm")
    night_over(mod)
    mod.board.post(GAME, "Wren", "Good morning.")
    mod.board.post(GAME, "Ada", "[b]Vote: Fen[/b]")
    count = mod.types("vc --as plain")
    assert "Votecount 2.1" in count.out
    assert "Fen (1): Ada" in count.out
    assert "Elm" not in count.out.partition("Not voting")[0]


def test_the_count_of_a_closed_day_says_that_it_is_final_and_which_day_is_open(mod: Moderator) -> None:
    day_one(mod, "Ada Elm", "Boro Zed")
    asked = mod.types("vc --as plain", status=3)
    assert "1 vote is still unclear" in asked.out
    night_over(mod)
    count = mod.types("vc --as plain")
    assert "Final votecount 1" in count.out
    assert "Day 1 ends" not in count.out
    assert "Day 2 is open, and no post of it was read yet: knightfall read" in count.err
    status = mod.types("status").out
    assert "#4" not in status
    assert "knightfall fix" not in status


def test_who_leaves_and_comes_back_at_once_replaced_nobody(mod: Moderator) -> None:
    day_one(mod, "Ada Elm")
    mod.types("read")
    mod.types("replace Elm Rook")
    mod.types("replace Rook Elm")
    mod.board.post(GAME, "Elm", "[b]Vote: Ada[/b]")
    assert "replaces" not in mod.types("vc --as plain").out
    mod.types("replace Elm Moth")
    mod.board.post(GAME, "Moth", "hello")
    assert "Moth replaces Elm as of" in mod.types("vc --as plain").out


def test_a_day_that_is_opened_late_keeps_the_votes_since_the_night(mod: Moderator) -> None:
    day_one(mod, "Ada Elm", "Boro Elm")
    night_over(mod)
    unread = mod.types("phase close", status=3)
    assert "Day 2 is open, and no post of it was read yet; day 1 is closed." in unread.err
    mod.board.post(GAME, "Ada", "[b]Vote: Fen[/b]")
    mod.clock.sleep(60)
    mod.types("phase open day 2 --ends 48h")
    assert "Fen (1): Ada" in mod.types("vc --as plain").out


def test_a_count_of_a_day_that_the_game_has_not_reached_says_so(mod: Moderator) -> None:
    day_one(mod, "Ada Elm")
    mod.board.post(GAME, "Wren", "Day 2 begins.")
    mod.board.post(GAME, "Ada", "[b]Vote: Fen[/b]")
    assert "In the game it is Day 1 still." in mod.types("vc --as plain").err


def test_a_day_that_is_not_the_games_is_not_closed_and_the_right_one_is_offered(mod: Moderator) -> None:
    day_one(mod, "Ada Elm")
    mod.board.post(GAME, "Wren", "Day 2 begins.")
    mod.board.post(GAME, "Ada", "[b]Vote: Fen[/b]")
    refused = mod.types("phase close --early", "all said so", status=3)
    assert "Close that first" in refused.err
    mod.types("phase close --day 1 --early", "all said so", answers="Elm\n")


def test_a_day_that_nobody_opened_is_in_the_last_table(mod: Moderator) -> None:
    day_one(mod, "Ada Elm", "Boro Elm")
    night_over(mod)
    mod.board.post(GAME, "Ada", "[b]Vote: Fen[/b]")
    mod.clock.sleep(60)
    mod.types("phase open day 2 --ends 48h")
    goon = mod.holders("Mafia Goon")[0]
    for name in NAMES[1:6]:
        mod.board.post(GAME, name, f"[b]Vote: {goon}[/b]")
    mod.types("phase close", answers=f"{goon}\n")
    rows = [line.split() for line in mod.types("post endgame").out.splitlines()]
    assert ["[code]Player", "Day", "1", "Day", "2"] in rows
    assert ["Ada", "Elm", "Fen"] in rows


def test_a_deadline_that_passed_before_its_day_opened_is_the_same_everywhere(mod: Moderator) -> None:
    day_one(mod, "Ada Elm", "Boro Elm")
    mod.types("phase open night 1 --ends", "2026-11-25 20:00")
    mod.turns_to(datetime(2026, 11, 26, 12, tzinfo=UTC))
    mod.types("phase close", answers="Elm\nmost of you wanted it\n")
    assert "Open: Night 1 (night), until 25 Nov 20:00" in mod.types("status").out
    assert "over for 16 h" in mod.types("status").out


def test_who_chooses_a_role_twice_gets_no_pm_of_the_first_choice(tmp_path: Path) -> None:
    with moderating(tmp_path, datetime(2026, 11, 20, 12, tzinfo=UTC)) as mod:
        mod.types("new empowered", *NAMES, "--title", "Harbour", "--out", "harbour")
        mod.folder = tmp_path / "harbour"
        mafia = mod.holders("Mafioso")
        for role in ("Strongman", "Ninja"):
            mod.types(f"submit {mafia[0]}", f"role {role}")
        mod.types(f"submit {mafia[1]}", "stronk", status=3)
        assert "result" not in mod.types("status").out
        assert "The mafiosi choose their roles cannot be closed yet." in (
            mod.types("resolve --preview", status=3).err
        )
        mod.types(f"submit {mafia[1]}", "role Ninja")
        mod.types("commit choosing")
        assert "results after choosing 1" in mod.types("status").out.replace("\n  ", " ")


def test_who_is_replaced_before_the_deal_is_in_the_opening_post_by_the_new_name(mod: Moderator) -> None:
    mod.types("replace Elm Rook --at 1")
    dealt(mod)
    opening = mod.types("post opening").out
    assert "Rook (was Elm)" in opening
    assert "[*]Elm\n" not in opening


def test_posts_from_a_file_of_lines_are_not_kept_and_that_is_said(mod: Moderator) -> None:
    mod.writes("posts.jsonl", '{"number": 1, "id": 1, "user": "Ada", "content": "hello"}\n')
    assert "Nothing of it is kept" in mod.types("read --from-jsonl posts.jsonl").err


def test_a_deal_that_was_deleted_is_told_without_advice_for_the_database(mod: Moderator) -> None:
    deal = dealt(mod).folder / "private/deal.json"
    kept = deal.read_bytes()
    deal.unlink()
    told = mod.types("verify", status=7)
    assert "Restore it from a backup" in told.out + told.err
    assert "game.db" not in told.out + told.err
    deal.write_bytes(kept)
    mod.types("verify")


def test_a_post_that_vanished_moves_the_numbers_and_that_is_said(mod: Moderator) -> None:
    day_one(mod, "Ada Elm", "Boro Elm", "Fen Gale")
    mod.types("vc --as plain")
    mod.board.delete(GAME, 3)
    told = mod.types("read --again").out
    assert "Post 3 (Ada) vanished" in told
    assert "Posts from #3 on have other numbers now than before." in told
