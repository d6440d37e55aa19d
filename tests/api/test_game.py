"""A game that is run from a program: every answer is a value with plain values, and a line in a shell."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

import knightfall as kf

ROOT = Path(__file__).parents[2]
KETTLE = ROOT / "fixtures/demo/kettle"
THREAD = "https://forum.example/viewtopic.php?t=4711"
PLAYERS = ("Alder", "Bryony", "Clover", "Dill", "Elder", "Fennel")
COURT = ("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Hollis", "Iris", "Juniper", "Kestrel", "Lumen")
AHEAD = datetime.now(UTC) + timedelta(days=2)


@pytest.fixture
def kettle(tmp_path: Path) -> kf.Game:
    """A mafia game whose first day was read from saved pages and whose one unclear vote is decided."""
    setup = {"slots": [{"role": "Mafia Goon"}, {"role": "Vanilla Townie", "fill": True}]}
    game = kf.Game.create(
        "custom_mafia",
        PLAYERS,
        tmp_path / "kettle",
        options={"setup": setup},
        title="Kettle Lane",
        moderators=["Wren"],
        threads=[("game", THREAD)],
        site="phpbb",
        seed=b"kettle lane, a seed of it",
        salt=b"kettle lane, a salt of it",
    )
    game.open_phase("day", 1, ends=AHEAD)
    game.read(pages=KETTLE / "day-1.html")
    return game


@pytest.fixture
def court(tmp_path: Path) -> kf.Game:
    return kf.Game.create("kings_court", COURT, tmp_path / "court")


def check(answers: Iterable[Any]) -> None:
    """Each is JSON as it stands, and its line is short."""
    for answer in answers:
        assert json.loads(json.dumps(answer.to_dict())) is not None
        assert repr(answer).startswith(type(answer).__name__) and len(repr(answer)) <= 120, answer


def test_the_votes_of_a_game_are_answered(kettle: kf.Game) -> None:
    count = kettle.count(stored=True)
    assert (count.as_of, [wagon.size for wagon in count.wagons]) == (11, ["3/4", "1/4", "1/4"])
    assert kettle.count(as_of=6, stored=True).as_of == 6
    near, wagon = kettle.near_misses(stored=True), kettle.explain("Clover", stored=True)
    assert [vote.post for vote in wagon.votes] == [3, 8, 9]
    post = kettle.explain(7, stored=True)
    assert [one["text"] for one in post.to_dict()["not_counted"]] == ["vote clover"]
    fixed = kettle.fix(7, to="Clover", why="they said so")
    assert kettle.count(stored=True).wagons[0].size == "4/4"
    named = kettle.alias("Dill", "Dilly", why="post 9")
    roster = kettle.roster(stored=True)
    assert roster.slots[3].aliases == ("Dilly",)
    plot = kettle.plot("wagons", as_text=True, stored=True)
    assert "Clover" in plot.text and plot.path is None
    drawn = kettle.plot("votes", stored=True, out=kettle.folder / "votes.svg")
    assert drawn.path == kettle.folder / "votes.svg"
    activity, read = kettle.activity(stored=True), kettle.evidence(3)
    check([wagon, near, post, fixed, named, roster, plot, drawn, activity, read])
    check([kettle.nicknames(stored=True)])
    with pytest.raises(kf.errors.InputError, match="one"):
        kettle.fix(7, to="Clover", ignore=True, why="two at once")


def test_a_day_is_closed_by_its_votes_and_taken_back(kettle: kf.Game) -> None:
    kettle.fix(7, to="Clover", why="they said so")
    look = kettle.look_at_day(stored=True)
    assert "Clover" in look.choices and not look.deciding
    with pytest.raises(kf.errors.DecisionNeeded):
        kettle.close_day("Elder", stored=True)
    closed = kettle.close_day("Clover", stored=True, next_ends=AHEAD)
    assert closed.eliminated == ("Clover",)
    flip = kettle.flip("Clover")
    assert "Clover" in flip.text
    [night] = kettle.missing()
    assert night.until is not None and abs(night.until - AHEAD) < timedelta(seconds=1)
    draft = kettle.post("end-of-day", stored=True, posted=True)
    assert kettle.preview_post("end-of-day", stored=True).last is not None
    look_back = kettle.look_at_undo(closed.record.number)
    undone = kettle.undo(closed.record.number, why="too early")
    assert undone.void and "Clover" in kettle.status().alive
    check([look, closed, flip, night, draft, look_back, undone, kettle.status(), *kettle.due()])


def test_a_night_is_looked_at_and_closed(kettle: kf.Game) -> None:
    kettle.fix(7, to="Clover", why="they said so")
    kettle.close_day("Clover", stored=True)
    if kettle.status().is_over:
        pytest.fail("The seed of the fixture makes Clover the goon.")
    goon = next(name for name in PLAYERS if "Goon" in kettle.pms_for(name, batch="role-1")[0].text)
    target = next(name for name in PLAYERS if name not in (goon, "Clover"))
    seen = kettle.preview_message(goon, f"kill {target}")
    receipt = kettle.submit(goon, f"kill {target}", at=datetime.now(UTC))
    assert seen.accepted and receipt.accepted
    sent = kettle.submissions()
    assert [one.message for one in sent.entries] == [f"kill {target}"]
    preview, why = kettle.preview(), kettle.why(target)
    assert any(target in text for text in preview.public)
    assert any("died" in step.text or "dies" in step.text for step in why.steps)
    otherwise = kettle.whatif(f"remove {goon}")
    assert otherwise.changes
    look, draws = kettle.look_at_close(), kettle.draws()
    closing = kettle.close("night", next_ends=AHEAD)
    assert target in closing.posts[0] and target not in kettle.status().alive
    check([seen, receipt, sent, preview, why, otherwise, look, draws, closing])


def test_people_come_go_and_are_told(kettle: kf.Game) -> None:
    replaced = kettle.replace("Dill", "Rook", from_post=12)
    removed = kettle.modkill("Fennel", why="quoted a PM", from_post=12)
    killed = kettle.kill("Elder", from_post=12)
    back = kettle.revive("Elder", from_post=13)
    away = kettle.note_absence("Bryony", date(2026, 11, 28), date(2026, 12, 1))
    assert (away.first, away.last) == (date(2026, 11, 28), date(2026, 12, 1))
    note, prods = kettle.write_note("Spoilers do not count."), kettle.prod(["Bryony"])
    ledger, pm = kettle.pms("role"), kettle.next_pm("role")
    assert pm is not None and "Rook" in [row.name for row in ledger.rows]
    marked = kettle.mark_pms("sent", [pm.pm.holder])
    following = kettle.next_pm("role")
    assert following is not None and following.pm.holder != pm.pm.holder
    assert pm.text not in json.dumps(ledger.to_dict())
    assert pm.to_dict()["text"] == kettle.pms_for(pm.pm.holder, batch="role-1")[0].text
    check([replaced, removed, killed, back, away, note, prods, ledger, pm, marked])


def test_the_journal_is_read_checked_and_carried(kettle: kf.Game, tmp_path: Path) -> None:
    ruled = kettle.rule("May the dead post?", "In the dead thread.", why="as ever")
    log, then = kettle.log(), kettle.log(at=1)
    assert len(then.entries) == 1 < len(log.entries)
    history = kettle.history("Bryony")
    export = kettle.export(tmp_path / "journal.jsonl")
    taken = kettle.import_journal(tmp_path / "journal.jsonl")
    assert (export.written, taken.fresh) == (len(log.entries), 0)
    verified = kettle.verify()
    assert verified.exit_status == 0
    (kettle.folder / "public" / next(iter(kettle.folder.glob("public/*opening*.txt"))).name).unlink()
    [again] = kettle.write_missing()
    assert again.exists()
    archive = kettle.archive(public=True)
    assert (archive.folder / "index.html").exists()
    assert kettle.name_thread("signup", "https://forum.example/viewtopic.php?t=90001").endswith("90001")
    longer = kettle.extend_phase("day", by="24h", why="a holiday")
    locked = kettle.lock_phase(last_post=11)
    calendar, health, rulings = kettle.calendar(), kettle.health(), kettle.rulings()
    assert longer.deadline is not None and longer.deadline > AHEAD
    role = kettle.lookup("roles", {"name": ["Goon"]})
    assert "Mafia" in role.text()
    check([ruled, log, history, export, taken, verified, archive, longer, locked, calendar, health, rulings])
    check([role])


def test_a_stopped_clock_goes_on_by_an_extension(kettle: kf.Game) -> None:
    stopped = kettle.stop_phase("day", why="the forum is down")
    assert kettle.missing()[0].stopped
    kettle.extend_phase("day", ends=AHEAD + timedelta(days=1))
    assert not kettle.missing()[0].stopped
    check([stopped])
    with pytest.raises(kf.errors.TimeError, match="zone"):
        kettle.extend_phase("day", ends=datetime(2030, 1, 1))  # noqa: DTZ001  # that it has no zone is the point


def test_a_board_game_is_asked_the_same(court: kf.Game) -> None:
    court.submit("Ada", "VOTE: Boro")
    preview = court.preview("vote")
    assert preview.window and not court.status().is_over
    files, board = court.board(), court.board_text()
    assert files and all(file.exists() for file in files) and board
    assert len(court.remind()) > 0
    check([preview, court.why("Ada", "vote"), court.submissions(), court.rulings()])


def test_a_watch_yields_what_it_sees(kettle: kf.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "2")
    first = next(kettle.watch(once=True))
    assert repr(first).startswith("Watching(day=1")
    check([first])


def test_votes_alone_are_a_game_too(tmp_path: Path) -> None:
    """A game file without a deal is opened, counted, and dealt later."""
    votes = kf.Game.create("votes", PLAYERS, tmp_path / "votes", threads=[("game", THREAD)])
    votes.read(pages=[KETTLE / "day-1.html"])
    assert votes.count(stored=True).wagons[0].size == "3/4"
    late = kf.Game.create("kings_court", (), tmp_path / "late")
    begun = late.deal(COURT)
    assert len(begun.slots) == len(COURT) and late.missing()
    check([begun])
    again = kf.Game.create_from(late.folder / "game.toml", tmp_path / "copy")
    assert again.status().game == late.status().game


def test_a_game_is_told_by_its_folder(court: kf.Game) -> None:
    assert repr(court) == f"Game({str(court.folder)!r})"
