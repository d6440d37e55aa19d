"""What is due: computed once from how the game stands, and shown alike by every face."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from begun import MemoryLedger, begin
from command_line import run
from fetch.loopback import StillClock
from knightfall.cli.format_due import next_line
from knightfall.cli.format_play import due_lines, status_text
from knightfall.cli.ways import command
from knightfall.engine.entries import Stopped
from knightfall.errors import InputError
from knightfall.games import game_ids
from knightfall.sentence import Way
from knightfall.services.day.close import close as close_day
from knightfall.services.day.phases import check_ends, extend, open_phase, stop
from knightfall.services.game.due import Due, DueUrgency, due
from knightfall.services.game.file import name_thread
from knightfall.services.game.players import kill, modkill, replace_player, revive
from knightfall.services.game.status import status
from knightfall.services.game.undo import undo
from knightfall.services.keep.archive import write_archive
from knightfall.services.keep.verify import verify_game
from knightfall.services.now import now_of
from knightfall.services.posts.owed import write_missing
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.requests import NewGameRequest, PhaseRequest, PostOptions, PostRequest
from knightfall.services.session import Session
from knightfall.services.window.turns import close, submit
from knightfall.web.ways import link
from services.test_people_posts import AS_IS, begun, posted
from services.voting_day import PLAYERS, VotingDay, voting_day

URL = "https://forum.example/viewtopic.php?t=90010"
ENDS = "2026-11-24 20:00"
MAFIA = ("knight_errant", "empowered", "custom_mafia")


def ways(session: Session) -> list[str]:
    """What is due, by where its way leads: “post dawn”, “set_deadline”."""
    return [" ".join((one.way.to, str(one.way.values.get("kind", "")))).strip() for one in due(session)]


def first(session: Session) -> Due:
    return due(session)[0]


def day_with_deadline(tmp_path: Path, kind: str = "custom_mafia") -> VotingDay:
    day = voting_day(tmp_path, kind)
    extend(PhaseRequest("day", 1, ends=ENDS), PostOptions(), day.session)
    return day


# ── a game without its thread (F5) ───────────────────────────────────────────────────────────────


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", game_ids())
def test_a_game_that_is_voted_on_in_a_thread_asks_for_deadline_and_thread_first(
    tmp_path: Path, kind: str
) -> None:
    session = begun(kind, tmp_path / "harbour")
    if kind not in MAFIA:
        assert "name_thread" not in ways(session)
        return
    # The post with which the thread begins tells the deadline.
    asked = [one.what for one in due(session)]
    before = asked[: asked.index("Name the game thread")]
    assert all(one.startswith("Set the deadline of ") for one in before)
    assert bool(before) == (kind != "empowered")  # it begins with a choice, which has none
    name_thread("game", URL, session)
    assert "name_thread" not in ways(session)
    assert "say_elimination" not in ways(session)
    text = (tmp_path / "harbour/game.toml").read_text("utf-8")
    assert text.endswith(f'[[thread]]\nrole = "game"\nurl = "{URL}"\n')
    with pytest.raises(InputError, match="names a game thread already"):
        name_thread("game", URL, session)


@pytest.mark.parametrize("said", ["", "forum.example", "https://a.example/ https://b.example/"])
def test_what_is_no_address_names_no_thread(tmp_path: Path, said: str) -> None:
    session = begun("custom_mafia", tmp_path / "harbour")
    with pytest.raises(InputError, match="is not the address of a thread"):
        name_thread("game", said, session)


@pytest.mark.parametrize("said", ["https://forum.example", " https://forum.example/ "])
def test_the_address_of_a_whole_site_is_no_thread(tmp_path: Path, said: str) -> None:
    session = begun("custom_mafia", tmp_path / "harbour")
    with pytest.raises(InputError, match="whole site"):
        name_thread("game", said, session)
    assert "name_thread" in ways(session)


def test_the_command_that_is_shown_names_the_thread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun("custom_mafia", tmp_path / "harbour")
    monkeypatch.chdir(tmp_path / "harbour")
    shown = run("status").stdout
    assert "knightfall file --thread game=URL" in shown
    done = run("file", "--thread", f"game={URL}")
    assert done.exit_code == 0, done.exception
    assert "Next: Set the deadline of Day 1: knightfall phase open day 1" in done.stderr
    assert "file --thread" not in run("status").stdout


def test_sign_ups_without_a_thread_ask_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", "custom-mafia", "Harbour").exit_code == 0
    monkeypatch.chdir(tmp_path / "harbour")
    assert "knightfall file --thread signup=URL" in run("status").stdout
    assert run("file", "--thread", f"signup={URL}").exit_code == 0
    assert "knightfall signup read --write" in run("status").stdout


# ── a hammer (F8) ────────────────────────────────────────────────────────────────────────────────


def hammered(tmp_path: Path) -> VotingDay:
    day = day_with_deadline(tmp_path)
    living = list(day.table.game.playing(day.table.state))
    day.vote(living[0], *living[1:5])
    return day


def test_a_hammer_in_the_stored_thread_is_due_first_and_no_time_is_left_beside_it(tmp_path: Path) -> None:
    day = hammered(tmp_path)
    found = first(day.session)
    assert found.what == "Day 1 is hammered (Ada, #5): close the day"
    assert (found.urgency, found.way) == (DueUrgency.NOW, Way("close_day", day=1))
    assert "count_votes" not in ways(day.session)
    said = status_text(status(day.session))
    assert "Open: Day 1 (day), hammered: Ada, #5." in said
    assert "left" not in said.partition("Alive")[0]
    assert status(day.session).to_dict()["hammer"] == {"day": 1, "who": "Ada", "post": 5}
    close_day(day.look(), "Ada", day.session)
    assert "close_day" not in ways(day.session)
    assert status(day.session).hammer is None


def test_a_day_of_votes_alone_is_due_when_it_was_hammered(tmp_path: Path) -> None:
    from fetch.threads import Forum
    from knightfall.services.count.votecount import counted
    from knightfall.services.requests import CountRequest
    from services.end_of_day import AHEAD, Evening, board, game, vote

    said = [(name, vote("Fen")) for name in ("Ada", "Boro", "Cinder")]
    with game(tmp_path, Evening(Forum(board(*said))), ends=AHEAD) as played:
        assert ways(played.session) == ["count_votes"]
        counted(CountRequest(), played.session)
        assert first(played.session).what == "Day 1 is hammered (Fen, #4): close the day"


def test_a_day_is_closed_when_its_deadline_has_passed_and_not_before(tmp_path: Path) -> None:
    day = day_with_deadline(tmp_path)
    assert "close_day" not in ways(day.session)
    day.wait(4 * 24)
    found = first(day.session)
    assert (found.what, found.urgency) == ("Day 1 is over: close the day", DueUrgency.NOW)
    assert found.since is not None


def test_where_only_a_lock_ends_the_day_the_lock_is_due(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia", 'boundary = "until_lock"')
    extend(PhaseRequest("day", 1, ends=ENDS), PostOptions(), day.session)
    day.wait(4 * 24)
    assert first(day.session).way == Way("lock", day=1)


def test_the_count_is_due_until_it_was_posted_and_again_with_more_votes(tmp_path: Path) -> None:
    day = day_with_deadline(tmp_path)
    assert "count_votes" in ways(day.session)
    mark_posted(day.post("votecount"), day.session)
    assert "count_votes" not in ways(day.session)
    day.vote("Ada", "Boro")
    assert "count_votes" in ways(day.session)


# ── deadlines (F9, F15) ──────────────────────────────────────────────────────────────────────────


def opens(session: Session) -> None:
    open_phase(PhaseRequest("day", 1, ends=ENDS), PostOptions(), session)


def extends(session: Session) -> None:
    extend(PhaseRequest("day", 1, ends=ENDS), PostOptions(), session)


def by_file(session: Session) -> None:
    file = session.folder / "game.toml"
    file.write_text(f"{file.read_text('utf-8')}\n[[day]]\nnumber = 1\nends = 2026-11-24T20:00:00\n", "utf-8")


@pytest.mark.parametrize("sets", [opens, extends, by_file])
def test_a_deadline_that_is_set_by_any_way_is_set(tmp_path: Path, sets: object) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    assert first(day.session).way == Way("set_deadline", title="day 1")
    sets(day.session)  # type: ignore[operator]
    assert "set_deadline" not in ways(day.session)
    if sets is not by_file:
        stop(PhaseRequest("day", 1), "the forum is down", PostOptions(), day.session)
        assert isinstance(day.ledger.journal[-1].entry, Stopped)
        assert "set_deadline" not in ways(day.session)


def test_a_deadline_that_the_game_sets_itself_is_set(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    assert day.table.windows[0].closes is not None
    assert "set_deadline" not in ways(day.session)


def test_a_night_without_a_deadline_asks_for_it_before_its_post(tmp_path: Path) -> None:
    day = hammered(tmp_path)
    close_day(day.look(), "Ada", day.session)
    assert ways(day.session)[:2] == ["set_deadline", "post end-of-day"]
    assert first(day.session).way == Way("set_deadline", title="night 1")
    open_phase(PhaseRequest("night", 1, ends="2026-11-26 20:00"), PostOptions(), day.session)
    assert first(day.session).way == Way("post", kind="end-of-day")
    posted("end-of-day", day.session)
    assert "post end-of-day" not in ways(day.session)


def test_a_closing_that_gives_the_night_its_deadline_leaves_nothing_to_ask(tmp_path: Path) -> None:
    day = hammered(tmp_path)
    close_day(day.look(), "Ada", day.session, check_ends("2026-11-26 20:00", day.session))
    assert "set_deadline" not in ways(day.session)


# ── posts (F9b, F14) ─────────────────────────────────────────────────────────────────────────────


def test_first_posts_that_were_never_posted_stay_due_whatever_was_opened(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    posts = ["post setup", "post rules", "post opening"]
    assert [one for one in ways(day.session) if one in posts] == posts
    opens(day.session)
    assert [one for one in ways(day.session) if one in posts] == posts
    posted("rules", day.session)
    assert [one for one in ways(day.session) if one in posts] == ["post setup", "post opening"]
    submit("moderator", "no elimination", "plain", day.session)
    close_day(day.look(early="enough"), "No Elimination", day.session)
    assert not {*ways(day.session)} & {*posts}


def test_the_roles_that_are_chosen_before_day_1_end_no_first_post(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    assert "post opening" in ways(day.session)
    assert "post day-start" in ways(day.session)


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", game_ids())
def test_what_became_of_a_slot_is_due_until_it_was_posted(tmp_path: Path, kind: str) -> None:
    session = begun(kind, tmp_path / "harbour")
    replace_player("Ada", "Zed", None, "", AS_IS, session)
    replaced = next(one for one in due(session) if one.way == Way("post", kind="replacement"))
    assert (replaced.what, replaced.urgency) == ("Announce it: Zed replaces Ada", DueUrgency.NOW)
    posted("replacement", session)
    assert "post replacement" not in ways(session)
    modkill("Boro", None, "left", AS_IS, session)
    removed = next(one for one in due(session) if one.way == Way("post", kind="removal"))
    assert removed.what == "Announce it: Boro is out of the game"
    posted("removal", session)
    assert "post removal" not in ways(session)


def test_a_death_and_a_return_are_due_and_gone_when_they_were_taken_back(tmp_path: Path) -> None:
    session = begun("knight_errant", tmp_path / "harbour")
    done = kill("Boro", None, "shot", AS_IS, session)
    assert "Announce it: Boro is dead" in [one.what for one in due(session)]
    revive("Boro", None, "a slip", AS_IS, session)
    assert {"post removal", "post revival"} <= {*ways(session)}
    undo(done.record.number + 1, "once more", session)
    undo(done.record.number, "the wrong one", session)
    assert not {"post removal", "post revival"} & {*ways(session)}


def test_the_command_line_offers_the_post_of_a_modkill_whatever_else_is_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("knight_errant", tmp_path / "thread-missing")
    told = run("modkill", "Boro", "--why", "left", "--game", str(tmp_path / "thread-missing"))
    assert "Next: Announce it: Boro is out of the game: knightfall post removal --posted" in told.stderr
    begun("knight_fight", tmp_path / "harbour")
    monkeypatch.chdir(tmp_path / "harbour")
    done = run("modkill", "Boro", "--why", "left")
    assert "I have removed Boro from the match." in done.stdout
    assert "Next: Announce it: Boro is out of the game: knightfall post removal --posted" in done.stderr
    assert "vote" not in done.stdout
    told = run("post", "removal", "--posted")
    assert told.stdout.startswith("I have removed Boro from the match.")
    assert "post removal" not in run("status").stdout


# ── texts that were cut off (A6) ─────────────────────────────────────────────────────────────────


def test_a_text_that_is_missing_is_due_first_and_one_verb_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begun("kings_court", tmp_path / "harbour")
    replace_player("Ada", "Zed", None, "", AS_IS, session)
    text = next((tmp_path / "harbour/public").glob("*-replacement.txt"))
    said = text.read_text("utf-8")
    text.unlink()
    assert first(session).what == "A text was not written: replacement of entry 2"
    monkeypatch.chdir(tmp_path / "harbour")
    assert "knightfall verify --write" in run("status").stdout
    assert "Texts that are missing: replacement of entry 2." in run("verify").output
    done = run("verify", "--write")
    assert "Written again: public/002-replacement.txt" in done.stdout
    assert text.read_text("utf-8") == said
    assert "verify --write" not in run("status").stdout
    assert "missing" not in run("verify").stdout


def test_texts_of_what_is_long_told_are_not_asked_for(tmp_path: Path) -> None:
    day = hammered(tmp_path)
    close_day(day.look(), "Ada", day.session)
    next((day.folder / "public").glob("001-*-opening.txt")).unlink()
    assert "write_texts" not in ways(day.session)
    assert [file.name for file in write_missing(day.session)] == ["001-02-opening.txt"]


# ── the end (F26) ────────────────────────────────────────────────────────────────────────────────


def finished(tmp_path: Path) -> Session:
    session = begun("custom_mafia", tmp_path / "harbour")
    deal = json.loads((tmp_path / "harbour/private/deal.json").read_text("utf-8"))["cards"]
    goons = [name for name, card in deal.items() if card.startswith("Mafia")]
    for goon in goons:
        modkill(goon, None, "left", AS_IS, session)
        if not due(session) or status(session).is_over:
            break
    return session


def test_after_the_endgame_a_check_and_an_archive_nothing_is_due(tmp_path: Path) -> None:
    session = finished(tmp_path)
    assert "The game is over. Winner: Town." in status_text(status(session))
    assert "post removal" in ways(session)
    posted("endgame", session)
    assert ways(session) == ["verify", "archive"]
    assert {one.urgency for one in due(session)} == {DueUrgency.LATER}
    assert verify_game(session).exit_status == 0
    assert ways(session) == ["archive"]
    write_archive(session, public=True)
    assert due(session) == ()
    assert status(session).is_over
    assert "Nothing is due." in status_text(status(session))


def test_what_is_entered_behind_the_check_is_checked_again(tmp_path: Path) -> None:
    session = finished(tmp_path)
    verify_game(session)
    write_archive(session, public=True)
    assert "verify" not in ways(session)
    posted("endgame", session)
    assert ways(session) == ["verify", "archive"]
    verify_game(session)
    (session.folder / "private/end-marks.json").write_text("nonsense", "utf-8")
    assert "verify" in ways(session)


def test_a_check_while_the_game_goes_on_is_no_check_of_its_end(tmp_path: Path) -> None:
    session = begun("knights_duty", tmp_path / "harbour")
    assert verify_game(session).exit_status == 0
    assert not (session.folder / "private/end-marks.json").exists()


# ── what comes of it in each face ────────────────────────────────────────────────────────────────


def test_the_json_of_status_has_the_commands_and_what_they_are_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun("custom_mafia", tmp_path / "harbour")
    monkeypatch.chdir(tmp_path / "harbour")
    found = json.loads(run("status", "--json").stdout)
    assert found["next"][1] == "knightfall file --thread game=URL"
    assert len(found["next"]) == len(found["due"])
    assert found["due"][1] == {
        "what": "Name the game thread",
        "why": "Without it no votes are counted, and no post links to it",
        "since": None,
        "until": None,
        "urgency": "now",
        "window": "",
        "secret": False,
        "way": {"to": "name_thread", "values": {"role": "game"}},
    }


def test_a_line_says_what_cannot_wait(tmp_path: Path) -> None:
    day = hammered(tmp_path)
    found = due(day.session)
    assert (
        next_line(found) == "Next: Day 1 is hammered (Ada, #5): close the day: knightfall phase close --day 1"
    )
    lines = ["  Day 1 is hammered (Ada, #5): close the day.", "    knightfall phase close --day 1"]
    assert [*due_lines(found)][:2] == lines
    assert next_line(()) == ""
    calm = replace(found[0], urgency=DueUrgency.NEXT)
    assert next_line((calm,)) == "Next: knightfall phase close --day 1"


def test_pms_that_were_copied_are_to_be_marked_as_sent(tmp_path: Path) -> None:
    from knightfall.services import pms

    session = begun("kings_court", tmp_path / "harbour")
    [batch] = pms.known_batches(pms.ROLE, session)
    while (sending := pms.next_pm(batch, None, None, "same", session)) is not None:
        assert "send_pms role" in ways(session)
        pms.note_copied(sending, session)
    assert "mark_sent role" in ways(session)
    pms.mark("sent", tuple(one.holder for one in batch.pms), None, session)
    assert not {"send_pms role", "mark_sent role"} & {*ways(session)}


def test_that_a_tie_waits_for_the_king_is_a_secret(tmp_path: Path) -> None:
    session = begun("kings_court", tmp_path / "harbour")
    close("vote", "plain", session)
    about = [one for one in due(session) if one.window.startswith("tie")]
    assert [one.way for one in about] == [Way("remind")]
    assert all(one.secret for one in about)


def test_that_everybody_is_awaited_who_could_be_is_no_secret(tmp_path: Path) -> None:
    session = begun("empowered", tmp_path / "harbour")
    assert now_of(session).running.windows[0].secret
    assert [one.secret for one in due(session) if one.way == Way("remind")] == [False]


def test_results_of_an_earlier_night_that_were_sent_to_some_are_still_to_be_sent(tmp_path: Path) -> None:
    from knightfall.services import pms

    day = VotingDay(tmp_path / "game", StillClock(), MemoryLedger())
    request = NewGameRequest("custom_mafia", PLAYERS["custom_mafia"], day.folder, b"seed" * 8, b"salt" * 8)
    slots = [{"role": "Mafia Goon"}, *[{"role": "Town Cop"}] * 2, {"role": "Vanilla Townie", "fill": True}]
    begin(replace(request, options={"setup": {"slots": slots}}), day.session)
    goon, *cops = [slot for slot, card in sorted(day.table.state.cards.items(), key=lambda one: one[1].name)][
        :3
    ]
    for night in (1, 2):
        submit("moderator", "no elimination", "plain", day.session)
        close("day", "plain", day.session)
        for cop in cops:
            submit(cop, f"cop {goon}", "plain", day.session)
        close("night", "plain", day.session)
        if night == 1:
            pms.mark("sent", (cops[0],), "result-1", day.session)
    told = [(one.way.to, one.what) for one in due(day.session) if one.way.values.get("kind") == "result"]
    assert told == [
        ("send_batch", "Send the results of night 1"),
        ("send_pms", "Send the results of night 2"),
    ]


def test_a_window_that_is_closed_at_its_time_alone_is_not_due_before(tmp_path: Path) -> None:
    session = begun("kings_court", tmp_path / "harbour")
    king = next(
        file.stem.rpartition("-")[2]
        for file in (tmp_path / "harbour/private").glob("001-*role_pm*.txt")
        if "the King" in file.read_text("utf-8")[:40]
    )
    close("vote", "plain", session)
    other = next(name for name in ("Ada", "Boro") if name != king)
    submit(king, f"TIEBREAK: {other}", "plain", session)
    assert [one.way.to for one in due(session) if one.window.startswith("tie")] == []


def test_every_way_that_is_due_has_a_button_and_a_command(tmp_path: Path) -> None:
    for kind in game_ids():
        for one in due(begun(kind, tmp_path / kind)):
            assert command(one.way).startswith("knightfall ")
            button = link(one.way, "/games/x")
            assert button is not None
            assert button.to.startswith("/games/x")


def test_what_no_longer_holds_is_due_until_a_correction_was_posted(tmp_path: Path) -> None:
    session = begun("kings_court", tmp_path / "harbour")
    done = close("vote", "plain", session)
    close("tie", "plain", session, why_early="agreed")
    write_post(PostRequest("results", "plain"), session)
    posted("results", session)
    undo(done.receipt.entry + 2, "too early", session)
    assert "post error" in ways(session)
    posted("error", session)
    assert "post error" not in ways(session)


# ── games without days ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["kings_court", "knights_duty"])
def test_the_first_posts_of_a_game_without_a_thread_are_due(tmp_path: Path, kind: str) -> None:
    session = begun(kind, tmp_path / "harbour")
    assert {"post setup", "post opening"} <= set(ways(session))
    mark_posted(write_post(PostRequest("opening", stored=True), session), session)
    assert "post opening" not in ways(session)


def test_what_a_message_had_the_game_announce_is_due_until_its_newest_post_went_out(tmp_path: Path) -> None:
    session = duel(tmp_path)
    assert "post results" not in ways(session)
    submit("Ada", "SIDE: X", None, session)
    found = first(session)
    assert (found.way, found.why) == (Way("post", kind="results"), "Nobody was told yet what was played")
    posted("results", session)
    assert "post results" not in ways(session)
    submit("Ada", "E8", None, session)
    submit("Boro", "H8", None, session)
    assert ways(session).count("post results") == 1
    posted("results", session)
    assert "post results" not in ways(session)


def test_the_first_choice_of_a_side_has_its_deadline_from_the_beginning(tmp_path: Path) -> None:
    session = duel(tmp_path)
    [window] = status(session).windows
    assert window.until == session.clock.now() + timedelta(hours=24)


def duel(tmp_path: Path) -> Session:
    """A match by post, with days for a move."""
    found = VotingDay(tmp_path / "duel", StillClock(), MemoryLedger())
    days: dict[str, object] = {"move_time": "24h", "reserve": "72h"}
    both = ("Ada", "Boro")
    request = NewGameRequest("knight_fight", both, found.folder, b"s" * 32, b"t" * 32, options=days)
    begin(request, found.session)
    return found.session
