"""`knightfall submit --threads`, `--from-pms`, `--from-form`, and `missing`: each message is taken once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner, Result

from begun import begin
from command_line import at_terminal
from fetch.loopback import StillClock
from knightfall.cli import app
from knightfall.cli.format_play import missing_text
from knightfall.cli.night import show_intake
from knightfall.config.instants import parse_column
from knightfall.engine.entries import Extended, Prodded, Replaced, Stopped, Undone
from knightfall.errors import DecisionNeeded, EvidenceError, InputError, SiteRefused
from knightfall.mafia.roles import Alignment, Role
from knightfall.sentence import SlotId
from knightfall.services.now import now_of
from knightfall.services.requests import MailRequest, NewGameRequest
from knightfall.services.session import entered, journal_of
from knightfall.services.window.inbox import Case, take_in
from knightfall.services.window.sources import words_of_bbcode
from knightfall.services.window.turns import close, submit
from knightfall.services.window.waiting import missing, reminders
from salt_harbour import NAMES
from services.first_night import Quay, quay, session_of_test

NOW = datetime(2026, 11, 21, 18, tzinfo=UTC)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Quay]:
    """The first night, an hour old."""
    with quay(tmp_path) as found:
        found.wait(60)
        yield found


def town(here: Quay, place: int = 0) -> SlotId:
    cards: Mapping[SlotId, Role] = here.table.state.cards
    living = [slot for slot, card in cards.items() if card.alignment is Alignment.TOWN]
    return living[place]


def became(cases: tuple[Case, ...]) -> list[str]:
    return [case.status.value for case in cases]


def undo(here: Quay, number: int) -> None:
    entered(Undone(number, "for a test"), here.session, "")


def write(here: Quay, name: str, *lines: str) -> Path:
    file = here.folder.parent / name
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def test_the_posts_of_a_private_thread_are_taken_once_in_their_own_words(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    here.post(101, goon, f"kill {victim}<br>with love", 10)
    here.post(102, goon, "<blockquote><div><cite>Ada wrote:</cite>no action</div></blockquote>sure", 20)
    assert became(here.read()) == ["taken", "talk"]
    assert here.sent() == [(goon, f"kill {victim}\nwith love")]
    assert f"To {goon}: Got it for Night 1: kill {victim}." in here.told
    assert "Refused: “with love”: " in here.told
    assert "sure" not in here.told
    assert list((here.folder / "private").glob("*-receipt-*.txt"))
    assert became(here.read(verbose=True)) == ["known", "talk"]
    assert "“sure”: no command, skipped." in here.told
    assert len(here.sent()) == 1


def test_a_message_counts_from_when_it_was_posted(here: Quay) -> None:
    here.post(101, here.holder("Mafia Goon"), f"kill {town(here)}", 10)
    here.read()
    assert journal_of(here.session)[-1].at == datetime(2026, 11, 21, 12, 10, tzinfo=UTC)


def test_a_dry_run_shows_the_receipt_and_writes_nothing(here: Quay) -> None:
    goon, before = here.holder("Mafia Goon"), len(journal_of(here.session))
    here.post(101, goon, f"kill {town(here)}", 10)
    assert became(here.read(dry=True)) == ["taken"]
    assert "would be recorded" in here.told
    assert f"To {goon}: Got it for Night 1" in here.told
    assert here.err[-1] == "1 recorded. Nothing was written."
    assert len(journal_of(here.session)) == before
    assert not list((here.folder / "private").glob("*-receipt-*.txt"))


def test_an_edited_post_is_told_and_an_undone_one_left_alone_until_it_changes(here: Quay) -> None:
    goon, (one, two) = here.holder("Mafia Goon"), (town(here), town(here, 1))
    here.post(101, goon, f"kill {one}", 10)
    here.read()
    here.evening.forum.posts[1] = (101, goon, f"kill {two}")
    assert became(here.read()) == ["edited"]
    assert "edited since it was recorded as entry 4, which still applies" in here.told
    assert here.sent() == [(goon, f"kill {one}")]
    undo(here, 4)
    assert became(here.read()) == ["taken"]
    assert here.sent() == [(goon, f"kill {two}")]
    undo(here, journal_of(here.session)[-1].number)
    assert became(here.read(verbose=True)) == ["undone"]
    assert "was undone" in here.told


def test_what_comes_after_the_closing_or_was_not_read_before_it_is_told_not_taken(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    here.post(101, goon, f"kill {victim}", 50)
    here.close("night")
    here.wait(60)
    here.post(102, goon, f"kill {victim}", 90)
    here.post(103, goon, "good night all", 95)
    cases = here.read()
    assert became(cases) == ["unread", "late", "talk"]
    assert "came after Night 1 was closed, so it was not recorded." in here.told
    assert "was in time for Night 1, but it was read after entry 4 closed that" in here.told
    assert "come out otherwise" in here.told and victim in here.told
    assert "read again with --late" in here.told
    assert here.sent() == []
    assert became(here.take(MailRequest(threads=True, late=True)))[0] == "taken"
    assert [slot for slot, _ in here.sent()] == [goon]
    assert victim not in here.table.state.living
    assert became(here.read())[0] == "known"


def test_what_was_in_time_for_a_day_four_closings_ago_is_no_order_for_the_night_behind_it(here: Quay) -> None:
    here.close("night")
    here.wait(30)
    here.post(101, here.holder("Mafia Goon"), f"kill {town(here)}", 75)  # on day 2
    here.wait(30)
    for window in ("day", "night", "day", "night"):
        if window == "day":
            here.say("moderator", "no elimination")
        here.close(window)
        here.wait(30)
    assert became(here.read()) == ["talk"]
    assert here.sent() == []


def test_a_vote_in_a_private_thread_is_no_action_and_no_vote(here: Quay) -> None:
    here.post(101, here.holder("Mafia Goon"), f"<b>VOTE: {town(here)}</b>", 10)
    assert became(here.read()) == ["talk"]
    assert here.sent() == []


def test_only_members_speak_by_any_name_of_theirs_and_strangers_are_a_question(here: Quay) -> None:
    goon, outsider = here.holder("Mafia Goon"), NAMES[-1]
    entered(Replaced(goon, "Sorrel"), here.session, "")
    here.post(101, "Sorrel", f"kill {town(here)}", 10)
    here.post(102, outsider, "no action", 11)
    here.post(103, "Zed", "no action", 12)
    with pytest.raises(DecisionNeeded, match="The other messages were recorded") as told:
        here.read(verbose=True)
    assert "no player is called “Zed”" in str(told.value)
    assert 'knightfall alias NAME Zed --why "…"' in at_terminal(told.value)
    assert f"{outsider} is not a member of this thread, so this post was skipped." in here.told
    assert [slot for slot, _ in here.sent()] == [goon]


def test_a_name_that_only_begins_like_an_account_is_another_account(here: Quay) -> None:
    goon = here.holder("Mafia Goon")
    here.post(101, goon[:3], f"kill {town(here)}", 10)
    with pytest.raises(DecisionNeeded, match="Nothing was recorded"):
        here.read()
    assert here.sent() == []


def test_a_thread_that_cannot_be_read_stops_no_other(tmp_path: Path) -> None:
    broken = '[[thread]]\nrole = "private"\nurl = "ROOTviewtopic.php?t=6"\nmembers = ["Ada"]\n'
    with quay(tmp_path, broken) as here:
        file = here.folder / "game.toml"
        file.write_text(file.read_text().replace("ROOT", here.server.root))
        here.wait(60)
        here.post(101, here.holder("Mafia Goon"), f"kill {town(here)}", 10)
        with pytest.raises((SiteRefused, EvidenceError), match="The other messages were recorded"):
            here.read()
        assert len(here.sent()) == 1


def test_without_a_private_thread_or_its_members_it_says_what_to_write(here: Quay) -> None:
    file = here.folder / "game.toml"
    text = file.read_text()
    file.write_text("\n".join(line for line in text.splitlines() if not line.startswith("members")))
    with pytest.raises(InputError, match=r"To name them: write members"):
        here.read()
    file.write_text(text.replace('role = "private"', 'role = "dead"'))
    with pytest.raises(InputError, match="no private thread"):
        here.read()


PMS = (
    "Date,Title,From,To,Message",
    '"2026-11-21 07:10","Night 1",{goon},Wren,"[QUOTE=Wren;12]kill Ada[/QUOTE]',
    "kill {victim}",
    '[SPOILER]no action[/SPOILER]"',
    '"2026-11-21 07:20","Re: Night 1",Wren,{goon},"kill Boro"',
)


def test_pms_saved_as_csv_are_taken_with_quotes_left_out(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    lines = [line.format(goon=goon, victim=victim) for line in PMS]
    file = write(here, "pms.csv", *lines)
    assert became(here.take(MailRequest(pms=file))) == ["taken"]
    assert here.sent() == [(goon, f"kill {victim}")]
    assert journal_of(here.session)[-1].at == datetime(2026, 11, 21, 12, 10, tzinfo=UTC)
    more = write(here, "again.csv", *lines, f'"2026-11-21 07:40","x",{goon},Wren,"no action"')
    assert became(here.take(MailRequest(pms=more), verbose=True)) == ["known", "taken"]
    assert "1 of a moderator's own" in here.told


def test_a_pm_of_nobody_is_a_question_with_its_line(here: Quay) -> None:
    file = write(here, "pms.csv", PMS[0], '"2026-11-21 07:10",Hi,Zed,Wren,"no action"')
    with pytest.raises(
        DecisionNeeded, match=r"Nothing was recorded.*\n.*pms.csv:2 “Hi”: no player is called “Zed”"
    ):
        here.take(MailRequest(pms=file))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<privatemessages/>", "Save it as CSV"),
        ("a,b\n1,2", "columns Date, Title, From, To, Message. This file has “a”, “b”"),
        ("", "is empty"),
        ('Date,Title,From,To,Message\n"x', "not valid CSV"),
    ],
)
def test_another_file_is_refused_with_what_was_expected(here: Quay, text: str, says: str) -> None:
    file = here.folder.parent / "odd.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=says):
        here.take(MailRequest(pms=file))


def form(here: Quay, *rows: str, heads: str = "Timestamp,Your name,Order") -> Path:
    return write(here, "answers.csv", heads, *rows)


def test_the_columns_of_a_form_are_guessed_and_said(here: Quay) -> None:
    goon, (one, two) = here.holder("Mafia Goon"), (town(here), town(here, 1))
    file = form(
        here,
        f"2026/11/21 7:20:00 AM EST,{goon.lower()},kill {two}",
        f"2026/11/21 7:10:00 AM EST,{goon},kill {one}",
    )
    assert became(here.take(MailRequest(form=file))) == ["taken", "taken"]
    assert here.err[0] == "answers.csv: time “Timestamp”, name “Your name”, action “Order”."
    assert [text for _, text in here.sent()] == [f"kill {one}", f"kill {two}"]
    assert became(here.take(MailRequest(form=file))) == ["known", "known"]


def test_named_columns_are_put_together_and_unclear_ones_asked_for(here: Quay) -> None:
    goon, victim = here.holder("Mafia Goon"), town(here)
    file = form(here, f"{goon},kill,{victim}", heads="Player,First,Second")
    with pytest.raises(InputError, match=r"which column has the action\? Say “text column”"):
        here.take(MailRequest(form=file))
    assert became(here.take(MailRequest(form=file, text_column=("First", "Second")))) == ["taken"]
    assert here.sent() == [(goon, f"kill {victim}")]
    with pytest.raises(InputError, match=r"there is no column “Third”\. There are “Player”"):
        here.take(MailRequest(form=file, text_column=("Third",)))


def test_a_row_of_nobody_is_a_question_and_the_others_are_taken(here: Quay) -> None:
    goon = here.holder("Mafia Goon")
    file = form(here, f"2026-11-21 07:10,{goon},kill {town(here)}", "2026-11-21 07:11,Zed,no action")
    waiting = r"The other messages were recorded.*\n.*answers.csv:3: no player is called “Zed”"
    with pytest.raises(DecisionNeeded, match=waiting):
        here.take(MailRequest(form=file))
    assert len(here.sent()) == 1


@pytest.mark.parametrize(
    ("written", "order", "expected"),
    [
        ("2026-11-21 07:10", None, "2026-11-21T12:10:00+00:00"),
        ("21.11.2026 07:10", None, "2026-11-21T12:10:00+00:00"),
        ("11/21/2026 7:10:05 AM", None, "2026-11-21T12:10:05+00:00"),
        ("3/4/2026 12:30 AM", "dmy", "2026-04-03T04:30:00+00:00"),
        ("3/4/2026 12:30 AM", "mdy", "2026-03-04T05:30:00+00:00"),
        ("2026-11-21T07:10:00Z", None, "2026-11-21T07:10:00+00:00"),
        ("2026/11/21 7:10:00 AM GMT+2", None, "2026-11-21T05:10:00+00:00"),
        ("2026-11-21 07:10 -0330", None, "2026-11-21T10:40:00+00:00"),
        ("2026-11-01 01:30", None, "2026-11-01T05:30:00+00:00"),
    ],
)
def test_times_are_read_as_forms_and_boards_write_them(
    written: str, order: str | None, expected: str
) -> None:
    [found] = parse_column((written,), ZoneInfo("America/New_York"), order, NOW).instants
    assert found is not None
    assert found.isoformat() == expected


def test_day_and_month_are_told_apart_by_all_rows_together_or_asked_for() -> None:
    zone = ZoneInfo("UTC")
    both = parse_column(("3/4/2026 10:00", "21/4/2026 10:00"), zone, None, NOW).instants
    assert [one.month for one in both if one] == [4, 4]
    with pytest.raises(InputError, match="“3/4/2026 10:00”: is the day or the month first"):
        parse_column(("3/4/2026 10:00", "5/5/2026 10:00"), zone, None, NOW)
    assert "1 times cannot be read" in parse_column(("noon",), zone, None, NOW).notes[0]


def test_words_are_the_authors_own() -> None:
    said = (
        '[quote="Ada"]heal Boro[/quote]\n[b]heal[/b] Fen [s]Ada[/s]\n'
        "[spoiler=x]kill Ada[/spoiler][vote]Ada[/vote]"
    )
    assert words_of_bbcode(said).split() == ["heal", "Fen", "VOTE:", "Ada"]


def test_who_is_missing_is_told_with_the_time_left_and_the_default(here: Quay) -> None:
    assert "If nothing is sent: no action." in missing_text(missing(here.session))
    entered(Extended("night", datetime(2026, 11, 21, 15, 30, tzinfo=UTC)), here.session, "")
    told = missing_text(missing(here.session))
    assert "Night 1 (night, until 21 Nov 10:30 EST = 21 Nov 15:30 UTC, 2 h left). Missing:" in told
    entered(Stopped("night", "the forum is down"), here.session, "")
    assert "paused" in missing_text(missing(here.session))


def test_reminders_say_the_same_to_everybody_and_lie_in_private(here: Quay) -> None:
    drafts = reminders(here.session)
    names = [slot for window in here.table.windows for slot in window.slots]
    assert [path.name for path in drafts] == [f"reminder-night_1-{name}.txt" for name in names]
    texts = {path.read_text().replace(name, "NAME", 1) for path, name in zip(drafts, names, strict=True)}
    assert len(texts) == 1
    assert "I have nothing on file from you yet for Night 1 of Quay" in texts.pop()
    assert {path.parent.name for path in drafts} == {"private"}


def run(here: Quay, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--game", str(here.folder)])


def test_one_source_at_a_time_and_a_dry_run_of_one_message(here: Quay) -> None:
    assert "Use one of these: NAME TEXT, --threads" in str(run(here, "submit").exception)
    assert "Use one of these: NAME TEXT, --threads" in str(
        run(here, "submit", "Ada", "x", "--threads").exception
    )
    goon = here.holder("Mafia Goon")
    shown = run(here, "submit", goon, f"kill {town(here)}", "--dry-run")
    assert f"To {goon}: Got it for Night 1: kill" in shown.stderr
    assert "Nothing was written." in shown.stderr
    assert here.sent() == []


def test_threads_and_drafts_from_the_command_line(here: Quay) -> None:
    here.post(101, here.holder("Mafia Goon"), f"kill {town(here)}", 10)
    read = run(here, "submit", "--threads", "--allow-private-host", "-v")
    assert read.exit_code == 0, read.output
    assert "1 recorded" in read.stderr
    assert "Draft saved: " in run(here, "missing", "--draft").stderr


def test_what_came_before_a_night_opened_as_of_its_time_is_told_not_taken_for_it(tmp_path: Path) -> None:
    clock = StillClock()
    session, options = session_of_test(tmp_path / "lane", clock), {"em_r28": "no_elimination"}
    game = NewGameRequest("empowered", NAMES[:7], tmp_path / "lane", b"a seed for the lane", b"salt" * 8)
    begin(replace(game, options=options), session)
    for slot in now_of(session).running.windows[0].slots:
        submit(slot, "role Strongman", "plain", session)
    close("choosing", "plain", session)
    clock.sleep(73 * 3600)  # the day was over after 72 hours
    entered(Prodded(NAMES[0]), session, "")
    assert [window.kind for window in now_of(session).running.windows] == ["day"]
    close("day", "plain", session)
    table = now_of(session).running
    assert [window.kind for window in table.windows] == ["night"]
    file = tmp_path / "answers.csv"
    rows = f"2026-11-24 11:00,{NAMES[0]},ready\n2026-11-24 12:30,{NAMES[1]},ready\n"
    file.write_text(f"Time,Name,Action\n{rows}")
    told: list[str] = []
    intake = take_in(MailRequest(form=file), session)
    show_intake(intake, False, told.append, told.append)
    assert became(intake.cases) == ["unread", "taken"]
    assert "was in time for Day 1, but it was read after entry" in "".join(told)


def test_an_order_of_the_dead_is_not_called_a_message_without_a_command(tmp_path: Path) -> None:
    run, game = CliRunner(), ("--game", str(tmp_path / "game"))
    run.invoke(app, ["new", "knight-errant", *NAMES[:18], "--out", str(tmp_path / "game")])
    run.invoke(app, ["submit", "moderator", f"eliminate {NAMES[0]}", *game])
    assert run.invoke(app, ["commit", "day", "--yes", *game]).exit_code == 0
    form = tmp_path / "night.csv"
    form.write_text(f"Name,Action\n{NAMES[0]},kill {NAMES[1]}\n{NAMES[2]},good luck all\n", encoding="utf-8")
    said = run.invoke(app, ["submit", "--from-form", str(form), "-v", *game]).output
    assert "they are out of the game, skipped" in said
    assert "1 without a command, 1 from somebody who is out of the game" in said


def test_what_was_posted_four_closings_ago_is_no_message_of_now(here: Quay) -> None:
    goon = here.holder("Mafia Goon")
    here.post(101, goon, f"kill {town(here)}", 5)
    here.wait(60)
    for closed in range(4):
        if here.table.windows[0].kind == "day":
            here.say("moderator", "no elimination")
        here.close(here.table.windows[0].kind)
        here.wait(60)
        assert became(here.read(dry=True)) == (["unread"] if closed < 3 else ["talk"])
