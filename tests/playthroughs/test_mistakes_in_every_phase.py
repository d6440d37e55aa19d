"""Mistakes of a moderator in every phase of a game, each by the commands that are typed."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest

from begun import begin, copy_of
from fetch.loopback import StillClock
from knightfall.services.requests import NewGameRequest
from playthroughs.test_late_mistakes import (
    URL,
    clock,
    court,
    day_closed,
    errant,
    posted,
    role_of,
    run,
    said,
    status,
)
from services.first_night import session_of_test

__all__ = ["clock", "court", "errant"]

NINE = ("Ada", "Boro", "Cy", "Dell", "Eli", "Fitz", "Gus", "Hal", "Ida")


@pytest.fixture
def mine(tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """An Empowered Mafia of nine whose mafiosi are Ninjas, with day 1 open for 24 hours."""
    folder = tmp_path / "mine"

    def make(place: Path) -> None:
        request = NewGameRequest(
            "empowered",
            NINE,
            place,
            b"a seed of the mine",
            b"salt" * 8,
            moderators=("Wren",),
            threads=(("game", URL),),
        )
        begin(request, session_of_test(place, clock))
        with chdir(place):
            for file in Path("private").glob("*-choosing-*"):
                assert run("submit", file.stem.rsplit("-", 1)[1], "role Ninja").exit_code == 0
            run("phase", "open", "day", "1", "--ends", "24h")

    copy_of("a mine whose day 1 is open", make, folder)
    monkeypatch.chdir(folder)
    return clock


def test_who_comes_back_at_the_same_post_holds_the_slot(errant: StillClock) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    for old, new in (("Rook", "Tansy"), ("Tansy", "Rook"), ("Rook", "Vole"), ("Vole", "Tansy")):
        assert run("replace", old, new).exit_code == 0
    posted(errant, ("Tansy", "<strong>vote: Ada</strong>"), ("Rook", "<strong>vote: Boro</strong>"))
    count = run("vc", "--stored", "--as", "plain")
    assert "Ada (1): Tansy (3)" in count.stdout, said(count)
    assert "#4  Rook  the voter was replaced" in said(count)
    assert "Tansy replaces Rook as of #3." in count.stdout
    assert "Vole" not in count.stdout


@pytest.mark.usefixtures("errant")
def test_a_night_calls_who_was_replaced_by_their_new_name() -> None:
    """In the preview, in its reasons, and in the sheet that is kept; flavour gives neither name away."""
    run("phase", "open", "day", "1", "--ends", "48h")
    day_closed(1)
    killer, other = role_of("Mafia Goon"), role_of("Mason")
    assert run("replace", killer, "Tansy").exit_code == 0
    assert run("replace", other, "Vole").exit_code == 0
    run("submit", "Tansy", f"kill {other}")
    for shown in (run("resolve", "--preview"), run("resolve"), run("whatif", "remove Tansy:kill")):
        assert shown.exit_code == 0, said(shown)
        assert "Vole" in shown.stdout
        assert killer not in shown.stdout.replace(f"(was {killer})", "")
        assert other not in shown.stdout.replace(f"(was {other})", "")
    assert "Tansy's kill of Vole landed" in (told := run("why", "Vole").stdout), told
    words = Path("words.txt")
    words.write_text("A goon such as Tansy is awake.", encoding="utf-8")
    assert status(run("resolve", "--flavour", str(words))) == 5
    assert run("commit", "night", "--yes").exit_code == 0
    sheet = next(Path("private").glob("*moderator_night*")).read_text(encoding="utf-8")
    assert "Tansy" in sheet
    assert killer not in sheet


def night_of_two_goons() -> tuple[str, str]:
    """Night 1 is open; two mafiosi."""
    run("phase", "open", "day", "1", "--ends", "48h")
    day_closed(1)
    sheet = next(Path("private").glob("*moderator_deal*")).read_text(encoding="utf-8")
    first, second, *_ = (line.split()[0] for line in sheet.splitlines() if " Mafia " in line)
    return first, second


@pytest.mark.usefixtures("errant")
def test_a_refused_message_is_not_told_as_got() -> None:
    goon, partner = night_of_two_goons()
    townie = role_of("Vanilla Townie")
    run("submit", partner, f"kill {townie}")
    refused = said(run("submit", goon, f"kil {townie}"))
    assert "Got it" not in refused
    assert f"For Night 1 I still have: kill {townie} by {partner}." in refused
    assert f"Got it for Night 1: kill {townie}" in said(run("submit", goon, f"kill {townie}"))


@pytest.mark.usefixtures("errant")
def test_whose_kill_a_partner_took_over_did_not_send_nothing() -> None:
    goon, partner = night_of_two_goons()
    townie = role_of("Vanilla Townie")
    run("submit", goon, f"kill {townie}")
    run("submit", partner, f"kill {townie}")
    assert f"{goon} did nothing." in run("why", goon).stdout
    assert f"{townie} sent nothing." in run("why", townie).stdout
    assert "received" not in said(run("commit", "night"))


@pytest.mark.usefixtures("errant")
def test_a_pasted_pm_is_read_without_its_head_and_never_as_somebody_elses(tmp_path: Path) -> None:
    goon, partner = night_of_two_goons()
    townie = role_of("Vanilla Townie")
    pm = tmp_path / "pm.txt"
    head = f"[b]From:[/b] {goon}\nSent: Sat Nov 21, 2026 12:00 pm\nTo: Wren\nSubject: Re: your role\n\n"
    pm.write_text(f"{head}Hello\nkill {townie}\n", encoding="utf-8")
    refused = run("submit", partner, "--from", str(pm))
    assert status(refused) == 3
    assert f"this PM is from {goon}, not from {partner}, so nothing was recorded" in said(refused)
    assert run("submissions").stdout.count("kill") == 0
    taken = run("submit", goon, "--from", str(pm))
    assert taken.exit_code == 0
    assert "Subject" not in said(taken)
    pm.write_text(f"{head}kil {townie}\n", encoding="utf-8")
    assert status(run("submit", goon, "--from", str(pm))) == 3


@pytest.mark.usefixtures("errant")
def test_a_name_of_nobody_lists_who_plays_now() -> None:
    run("replace", "Rook", "Tansy")
    told = said(run("submit", "Rok", "no action"))
    assert "Tansy" in told
    assert "Rook" not in told


def test_a_night_extended_too_late_says_that_refused_messages_come_again(errant: StillClock) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    day_closed(1)
    run("phase", "open", "night", "1", "--ends", "24h")
    errant.sleep(24 * 3600 + 60)
    assert "so nothing was recorded" in said(run("submit", role_of("Mafia Goon"), "no action"))
    told = said(run("phase", "extend", "night", "1", "--by", "3h", "--why", "the site was down"))
    assert "submit those again that were refused as late" in told


def test_a_day_is_not_locked_after_a_post_that_was_made_before_the_day_before_was_closed(
    errant: StillClock,
) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    day_closed(1)
    posted(errant, ("Wren", "<strong>Day 1 is over.</strong>"))
    errant.sleep(3600)
    assert run("commit", "night", "--yes").exit_code == 0
    assert run("phase", "open", "day", "2", "--ends", "48h").exit_code == 0
    refused = run("phase", "lock")
    assert status(refused) == 3
    assert "No post of Day 2 has been read yet: post 3 was made before" in said(refused)


def test_a_count_says_how_many_posts_stand_behind_the_lock(errant: StillClock) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    assert run("phase", "lock").exit_code == 0
    vote = "<strong>vote: Ada</strong>"
    posted(errant, ("Boro", vote), ("Wren", "<strong>The count</strong>"), ("Elm", vote))
    told = said(run("vc", "--stored"))
    assert "Day 1 was locked after post #2: 2 later posts do not count." in told


@pytest.mark.usefixtures("errant")
def test_the_log_calls_players_as_they_were_called_then() -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    for old, new in (("Rook", "Tansy"), ("Tansy", "Vole")):
        run("replace", old, new)
    run("kill", "Vole")
    told = run("log").stdout
    assert "Tansy replaces Rook" in told
    assert "Vole replaces Tansy" in told
    assert "Vole (was Rook): kill" in told
    assert "Vole (was Rook): kill" in run("explain", "Vole").stdout


@pytest.mark.usefixtures("errant")
def test_what_is_still_planned_names_players_as_they_are_called_now() -> None:
    goon, _ = night_of_two_goons()
    run("replace", "Rook", "Tansy")
    run("submit", goon, "kill Tansy")
    run("submit", goon, "kil Ada")
    told = said(run("commit", "night"))
    assert "still planned: kill Tansy" in told


def test_a_sign_up_post_of_before_the_players_came_is_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "late"
    folder.mkdir()
    title = '[game]\nkind = "kings_court"\ntitle = "Late"\nsite = "phpbb"\nmoderators = ["Wren"]\n'
    (folder / "game.toml").write_text(f"schema = 1\n{title}", encoding="utf-8")
    monkeypatch.chdir(folder)
    assert run("post", "signup", "--posted").exit_code == 0
    with Path("game.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[player]]\nname = "Ada"\n')
    verified = run("verify")
    assert verified.exit_code == 0, said(verified)
    assert "signup 1 cannot be written again here: the list of players" in said(verified)


def test_the_archive_says_who_came_for_whom_and_how_players_of_a_night_are_called(errant: StillClock) -> None:
    goon, _ = night_of_two_goons()
    for old, new in ((goon, "Tansy"), ("Tansy", goon), (goon, "Vole")):
        run("replace", old, new)
    run("submit", "Vole", "kill Boro")
    run("commit", "night", "--yes")
    posted(errant, ("Wren", "<strong>Day 2 begins.</strong>"))
    saved = run("archive")
    assert saved.exit_code == 0, said(saved)
    people, nights = (
        (Path("private/archive") / f"{name}.html").read_text(encoding="utf-8")
        for name in ("people", "nights")
    )
    assert f"{goon} for Tansy" in people
    assert f"Vole for {goon}" in people
    assert f"{goon} for {goon}" not in people
    assert f"Vole (was {goon})" in nights


def test_a_day_is_early_or_in_time_by_the_deadline_that_the_moderator_gave(mine: StillClock) -> None:
    opened = run("commit", "choosing", "--yes")
    assert "Day 1 begins" in opened.stdout, said(opened)
    assert "72 hours" not in opened.stdout
    posted(mine, ("Wren", "<strong>Day 1 begins.</strong>"), ("Ada", "<strong>vote: Boro</strong>"))
    mine.sleep(25 * 3600)
    closed = run("phase", "close", "--stored", typed="Boro\n")
    assert closed.exit_code == 0, said(closed)
    assert "before its deadline" not in said(closed)
    assert not list(Path("private").glob("*caution*"))


def test_a_day_that_ends_in_a_tie_lists_what_looks_like_a_vote(mine: StillClock) -> None:
    assert run("commit", "choosing", "--yes").exit_code == 0
    posted(
        mine,
        ("Wren", "<strong>Day 1 begins.</strong>"),
        ("Ada", "<strong>vote: Boro</strong>"),
        ("Boro", "<strong>vote: Ada</strong>"),
        ("Cy", "vote ada"),
    )
    mine.sleep(25 * 3600)
    asked = said(run("phase", "close", "--stored", typed="\n"))
    assert "Tied: " in asked
    assert "Look like votes, but were not counted (1):" in asked
    assert "Cy “vote ada”: not bold." in asked
    assert "To count one: knightfall fix " in asked


def test_who_left_at_the_post_at_which_they_came_has_no_vote(errant: StillClock) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    run("replace", "Rook", "Tansy")
    run("replace", "Tansy", "Rook")
    posted(errant, ("Tansy", "<strong>vote: Ada</strong>"), ("Rook", "<strong>vote: Boro</strong>"))
    told = said(run("vc", "--stored", "--as", "plain"))
    assert "Boro (1): Rook (4)" in told
    assert "#3  Tansy  the voter was replaced" in told


def test_who_gave_a_partner_the_kill_to_carry_has_something_on_file(mine: StillClock) -> None:
    run("commit", "choosing", "--yes")
    posted(mine, ("Wren", "<strong>Day 1 begins.</strong>"))
    mine.sleep(25 * 3600)
    assert run("phase", "close", "--stored", typed="No Elimination\n").exit_code == 0
    sheet = next(Path("private").glob("002*moderator_deal*"), None) or max(
        Path("private").glob("*moderator_deal*")
    )
    lines = sheet.read_text(encoding="utf-8").splitlines()
    giver, carrier = (line.split()[0] for line in lines if "Ninja" in line)
    victim = next(name for name in NINE if name not in (giver, carrier))
    assert run("submit", giver, f"murder {victim} by {carrier}").exit_code == 0
    absent = run("missing").stdout.split("Missing: ")[1].split(".")[0].split(", ")
    assert giver not in absent
    assert carrier not in absent


def test_no_day_of_a_game_that_is_over_is_closed(mine: StillClock) -> None:
    run("commit", "choosing", "--yes")
    posted(mine, ("Wren", "<strong>Day 1 begins.</strong>"))
    sheet = max(Path("private").glob("*moderator_deal*")).read_text(encoding="utf-8")
    ninja = next(line.split()[0] for line in sheet.splitlines() if "Ninja" in line)
    assert run("modkill", ninja, "--why", "left").exit_code == 0
    mine.sleep(25 * 3600)
    told = said(run("phase", "close", "--stored"))
    assert "Day 1 cannot be closed: the game is over. Its last post: knightfall post endgame" in told


@pytest.mark.usefixtures("clock")
def test_a_receipt_calls_the_kill_as_the_card_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "quay"
    names = ("Ada", "Boro", "Cinder", "Elm", "Fen", "Iris", "Moth", "Rook", "Vetch")
    setup = str(Path(__file__).parents[2] / "fixtures" / "setups" / "vanilla.toml")
    assert run("new", "custom-mafia", *names, "--setup", setup, "--out", str(folder)).exit_code == 0
    monkeypatch.chdir(folder)
    run("submit", "moderator", "no elimination")
    run("commit", "day", "--yes")
    goon = role_of("Mafia Goon")
    card = next(Path("private").glob(f"*role_pm-{goon}*")).read_text(encoding="utf-8")
    assert "kill NAME" in card
    victim = next(name for name in names if name not in card)
    told = said(run("submit", goon, f"kill {victim}"))
    assert f"Got it for Night 1: kill {victim}." in told
