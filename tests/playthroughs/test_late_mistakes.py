"""Mistakes of a moderator in the late phases of a game, each by the commands that are typed."""

from __future__ import annotations

from contextlib import chdir
from pathlib import Path

import pytest
from typer.testing import Result

from begun import begin, copy_of
from command_line import CliRunner
from fetch.loopback import StillClock
from fetch.threads import Said, Topic, topic_page
from knightfall.cli import app
from knightfall.fetch import clock as system_clock
from knightfall.services.requests import NewGameRequest
from salt_harbour import NAMES
from services.first_night import session_of_test

URL = "https://forum.example/viewtopic.php?t=5"
ELEVEN = ["Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen"]


def run(*words: str, typed: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def status(result: Result) -> int:
    return getattr(result.exception, "exit_status", result.exit_code)


def said(result: Result) -> str:
    """All that a command answered, the refusal included."""
    return f"{result.stdout}{result.stderr}{result.exception or ''}"


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> StillClock:
    still = StillClock()
    monkeypatch.setattr(system_clock, "SystemClock", lambda: still)
    return still


SEEN: dict[Path, list[Said]] = {}


def wrote(file: Path, clock: StillClock, *posts: tuple[str, str]) -> list[Said]:
    """All that was written in the thread of a page so far, with these posts."""
    seen = SEEN.setdefault(file, [])
    for who, text in posts:
        seen.append(Said(100 + 2 * len(seen), who, text, clock.now().isoformat()))
    return seen


def posted(clock: StillClock, *posts: tuple[str, str]) -> None:
    """The page of the game's thread was saved and read, with these posts behind those of before; bold is
    written as a page has it."""
    file = Path("thread.html").absolute()
    seen = wrote(file, clock, *posts)
    page = topic_page(Topic("Late", seen, per_page=200), 0)
    canonical = f'<link rel="canonical" href="{URL}">'.encode()
    file.write_bytes(page.replace(b"<head>", b"<head>" + canonical))
    read = run("read", "--from-html", str(file))
    assert read.exit_code == 0, said(read)


@pytest.fixture
def errant(tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """A Knight-Errant whose day 1 has run for an hour; the commands run in its folder."""
    folder, said_first = tmp_path / "errant", (("Wren", "<strong>Day 1 begins.</strong>"), ("Ada", "hello"))

    def make(place: Path) -> None:
        request = NewGameRequest(
            "knight_errant",
            NAMES,
            place,
            b"a seed of late mistakes",
            b"salt" * 8,
            moderators=("Wren",),
            threads=(("game", URL),),
        )
        begin(request, session_of_test(place, clock))
        with chdir(place):
            posted(clock, *said_first)

    copy_of("an errant whose thread was read", make, folder)
    wrote((folder / "thread.html").absolute(), clock, *said_first)
    monkeypatch.chdir(folder)
    return clock


@pytest.fixture
def court(tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch) -> StillClock:
    """A King's Court of eleven; the commands run in its folder."""
    folder = tmp_path / "court"
    begin(
        NewGameRequest("kings_court", tuple(ELEVEN), folder, b"a seed of the desk", b"salt" * 8),
        session_of_test(folder, clock),
    )
    monkeypatch.chdir(folder)
    return clock


def day_closed(number: int) -> None:
    closed = run(
        "phase", "close", "--day", str(number), "--stored", "--early", "all said", typed="No Elimination\n"
    )
    assert closed.exit_code == 0, said(closed)


def test_a_thread_is_not_locked_after_a_post_of_the_day_before(errant: StillClock) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    day_closed(1)
    assert run("commit", "night", "--yes").exit_code == 0
    assert run("phase", "open", "day", "2", "--ends", "48h").exit_code == 0
    refused = run("phase", "lock")
    assert status(refused) == 3
    assert "No post of Day 2 has been read yet: post 2 was counted for the day before." in said(refused)
    posted(errant, ("Wren", "<strong>Day 2 begins.</strong>"))
    locked = run("phase", "lock")
    assert locked.exit_code == 0, said(locked)


@pytest.mark.usefixtures("errant")
def test_a_closed_phase_names_the_entry_that_opens_it_again() -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    day_closed(1)
    assert run("commit", "night", "--yes").exit_code == 0
    run("mod-note", "All is well.")
    day, night = (
        record
        for record in run("log").stdout.splitlines()
        if "day 1 closed" in record or "night 1 closed" in record
    )
    for words in (
        ("lock", "day", "1"),
        ("extend", "day", "1", "--by", "24h"),
        ("open", "day", "1", "--ends", "48h"),
    ):
        told = said(run("phase", *words))
        assert "Day 1 is closed" in told
        assert f"knightfall undo {day.split()[0]} --why" in told
    told = said(run("phase", "extend", "night", "1", "--by", "24h"))
    assert "Night 1 is closed. To change its deadline, first:" in told
    assert f"knightfall undo {night.split()[0]} --why" in told


@pytest.mark.usefixtures("errant")
def test_a_replacement_undone_changes_whom_the_next_one_replaces() -> None:
    for old, new in (("Rook", "Tansy"), ("Tansy", "Vole"), ("Vole", "Rook")):
        assert run("replace", old, new).exit_code == 0
    middle, last = sorted(Path("public").glob("*-replacement.txt"))[1:]
    assert "[b]Rook[/b] replaces [b]Vole[/b]" in last.read_text(encoding="utf-8")
    undone = run("undo", str(int(middle.name[:3])), "--why", "never came")
    assert f"Written again: public/{last.name}" in said(undone)
    assert "[b]Rook[/b] replaces [b]Tansy[/b]" in last.read_text(encoding="utf-8")
    again = run("undo", "--why", "they did come")
    assert f"Written again: public/{last.name}" in said(again)
    assert "[b]Rook[/b] replaces [b]Vole[/b]" in last.read_text(encoding="utf-8")


@pytest.mark.usefixtures("court")
def test_a_receipt_calls_a_player_who_was_voted_for_as_they_are_called_now() -> None:
    run("replace", "Kestrel", "Zed")
    sent = said(run("submit", "Ada", "VOTE: Zed"))
    assert "On file for round 1: VOTE: Zed." in sent


def role_of(role: str) -> str:
    """Who has that role by the moderator's sheet."""
    sheet = next(Path("private").glob("*moderator_deal*")).read_text(encoding="utf-8")
    return next(line.split()[0] for line in sheet.splitlines() if role in line)


def match_over() -> str:
    """A court of four whose King is elected, whose EC and DMO are named; the answer to the last message."""
    king = role_of("King ")
    court = [name for name in ELEVEN if name != king]
    for elected in (court[0], court[1], court[2], king):
        for voter in [one for one in ELEVEN if one != elected]:
            run("submit", voter, f"VOTE: {elected}")
        run("commit", "vote", "--yes")
    while (open_now := run("status").stdout) and "Open: Deathmatch opponent" not in open_now:
        assert "Nothing is open" not in open_now
        kind = "ec" if "candidate" in open_now else "tol"
        run("commit", kind, "--yes", "--why", "all are asked")
    waiting = next(line for line in run("status").stdout.splitlines() if "Waiting for" in line)
    candidate = waiting.split(":")[1].strip(" .")
    for rival in ELEVEN:
        sent = run("submit", candidate, f"DMO: {rival}")
        if sent.exit_code == 0:
            return said(sent)
    raise AssertionError("nobody could be picked")


@pytest.mark.long
@pytest.mark.usefixtures("court")
def test_the_opponent_that_is_named_stands_and_nobody_is_asked_for_more() -> None:
    told = match_over()
    assert "It stands." in told
    assert "I have nothing from you" not in told


@pytest.mark.usefixtures("court")
def test_nobody_is_replaced_and_nothing_extended_once_the_game_is_over() -> None:
    match_over()
    refused = run("replace", "Ada", "Zed")
    assert status(refused) == 2
    assert "The game is over" in said(refused)
    assert "The game is over" in said(run("phase", "extend", "vote", "--by", "3h"))


@pytest.mark.usefixtures("court")
def test_a_message_of_who_was_replaced_says_for_whom_it_is_recorded() -> None:
    run("replace", "Kestrel", "Zed")
    sent = said(run("submit", "Kestrel", "VOTE: Ada"))
    assert "Kestrel has left the game, and Zed plays in their place, so nothing was recorded" in sent
    sent = said(run("submit", "Kestrel", "VOTE: Ada", "--for-slot"))
    assert "Kestrel was replaced by Zed, so this is recorded as Zed's message. To take it back: " in sent
    assert "knightfall undo " in sent
    run("replace", "Zed", "Kestrel")
    assert "was replaced by" not in said(run("submit", "Kestrel", "VOTE: Ada"))


def test_a_night_that_is_entered_later_takes_what_was_sent_before_it_ended(errant: StillClock) -> None:
    errant.sleep(10 * 24 * 3600)
    assert run("phase", "open", "day", "1", "--ends", "2026-11-23 20:00", "--past").exit_code == 0
    closed = run("phase", "close", "--stored", typed="No Elimination\n")
    assert closed.exit_code == 0, said(closed)
    assert run("phase", "open", "night", "1", "--ends", "2026-11-24 20:00", "--past").exit_code == 0
    who = role_of("Mafia Goon")
    late = run("submit", who, "no action")
    assert (
        "Night 1 ended at 24 Nov 20:00 UTC, 6 days 16 h before this message, so nothing was recorded"
        in said(late)
    )
    in_time = run("submit", who, "no action", "--at", "2026-11-24 19:00")
    assert in_time.exit_code == 0, said(in_time)
    too_early = run("submit", who, "no action", "--at", "2026-11-23 19:00")
    assert "sent at 23 Nov 19:00 UTC, in time for Day 1, which entry" in said(too_early)


def test_time_left_is_never_no_minutes(court: StillClock) -> None:
    court.sleep(24 * 3600 - 30)
    assert "less than a minute left" in said(run("missing"))
    court.sleep(40)
    assert "over for less than a minute" in said(run("missing"))


@pytest.mark.usefixtures("court")
def test_the_shop_is_not_closed_by_a_command() -> None:
    refused = said(run("commit", "shop", "--yes"))
    assert "no shop is open" not in refused
    assert "the shop closes by itself, when the King joins" in refused


def test_a_card_that_was_drawn_by_hand_is_not_drawn_a_second_time(
    tmp_path: Path, clock: StillClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "duty"
    request = NewGameRequest("knights_duty", ("Ada", "Boro"), folder, b"a seed of the desk", b"salt" * 8)
    begin(request, session_of_test(folder, clock))
    monkeypatch.chdir(folder)
    run("submit", "Ada", "START A3\nWEAPON bow")
    run("submit", "Boro", "START C7")
    run("commit", "--yes")
    run("submit", "Ada", "1: BOW @ Boro")
    first = run("draw", "R1:Ada->Boro", "Hit")
    assert first.exit_code == 0, said(first)
    entry = said(first).split(":")[0]
    second = run("draw", "R1:Ada->Boro", "Miss")
    assert status(second) == 2
    assert f"was drawn by hand already: Hit (entry {entry})" in said(second)
    assert f"knightfall undo {entry} --why" in said(second)


def test_the_words_of_a_decision_are_not_told_as_what_the_player_wrote(errant: StillClock) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    posted(errant, ("Boro", "vote cinder"))
    run("fix", "3", "--to", "Cinder", "--why", "asked them")
    asked = said(run("phase", "close", "--stored", "--early", "all said", typed="\n"))
    assert "#3 Boro on Cinder: your decision (asked them)." in asked


def test_a_decision_on_a_closed_day_says_that_the_day_stays_as_it_ended(errant: StillClock) -> None:
    run("phase", "open", "day", "1", "--ends", "48h")
    posted(errant, ("Boro", "vote cinder"))
    run("fix", "3", "--to", "Cinder", "--why", "asked them")
    assert "is closed" not in said(run("undo", "--yes", "--why", "not so"))
    run("fix", "3", "--to", "Cinder", "--why", "asked them")
    day_closed(1)
    closing = next(line for line in run("log").stdout.splitlines() if "day 1 closed" in line).split()[0]
    told = f"Day 1 is closed (entry {closing}) and stays as it ended."
    undone = said(run("undo", str(int(closing) - 2), "--yes", "--why", "wrong line"))
    assert told in undone
    assert f"knightfall undo {closing} --why" in undone
    assert told in said(run("fix", "3", "--ignore", "--why", "late"))
