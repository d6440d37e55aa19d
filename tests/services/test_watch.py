"""`knightfall watch` on a forum of this machine: told at once, told once, and the count lies ready."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread as Worker
from typing import Any

import pytest

from command_line import CliRunner, at_terminal
from fetch.loopback import StillClock
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.cli.day import STOPPED
from knightfall.cli.format_day import event_line
from knightfall.engine.entries import Closed, Extended, Locked
from knightfall.errors import InputError, ServerFault, TopicMissing
from knightfall.services.requests import PAUSE
from knightfall.services.session import entered
from knightfall.services.watch.events import Noticed
from knightfall.services.watch.follow import NEAR, PAGE_EVERY, SWEEP, WatchRequest, parse_quiet, watch
from knightfall.services.watch.notify import WITHHELD, channels_of
from services.end_of_day import AHEAD, Evening, Game, board, game, vote

EVERY = 300.0
LATER = "2026-11-22T12:00:00Z"
"""A day after the still clock's noon."""
LEFT = 300.0
"""Seconds from the still clock's start to AHEAD."""
TWO = (("Ada", vote("Fen")), ("Boro", vote("Fen")))
"""Fen stands one vote before the hammer."""


@dataclass
class Sleeper(StillClock):
    """A clock at which the moderator presses Ctrl-C after so many seconds."""

    until: float = 1e9

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if self.elapsed() >= self.until:
            raise KeyboardInterrupt


@dataclass
class Tin:
    """A channel that keeps what it gets, unless it is down."""

    name: str = "webhook"
    got: list[str] = field(default_factory=list)
    down: bool = False

    def send(self, title: str, text: str) -> bool:
        if not self.down:
            self.got.append(f"{title}\n{text}")
        return not self.down


def says(body: str, author: str = "Cinder", identity: int = 104) -> Callable[[Forum], object]:
    return lambda forum: forum.posts.append((identity, author, body))


def edits(identity: int, body: str) -> Callable[[Forum], object]:
    def change(forum: Forum) -> None:
        forum.posts[:] = [(key, who, body if key == identity else old) for key, who, old in forum.posts]

    return change


def drops(identity: int) -> Callable[[Forum], object]:
    def drop(forum: Forum) -> None:
        forum.posts[:] = [post for post in forum.posts if post[0] != identity]

    return drop


FOR_EVER = 2e5
"""Ctrl-C after so many seconds where nothing else ends a watch: more than two days."""


def evening_of(*said: tuple[str, str], until: float = FOR_EVER, at: float = 0.0, **more: Any) -> Evening:
    """`at`: seconds that have passed when it begins."""
    return Evening(Forum(board(*said)), clock=Sleeper([at], until=until), **more)


def watched(played: Game, *channels: Tin, **words: Any) -> None:
    """Until it ends, or Ctrl-C."""
    request = replace(WatchRequest(EVERY, channels=channels), **words)
    try:
        for event in watch(request, played.followed):
            said = played.out if isinstance(event, Noticed) else played.err
            said.append(event_line(event, request))
    except KeyboardInterrupt:
        played.err.append(STOPPED)


def final(folder: Path) -> str:
    return (folder / "public" / "votecount-1.F.txt").read_text(encoding="utf-8")


def kinds(played: Game, word: str) -> list[str]:
    return [said for line in played.out if word in (said := at_terminal(line))]


def test_a_hammer_is_told_within_one_poll_and_once(tmp_path: Path) -> None:
    evening, tin = evening_of(*TWO, until=200), Tin()
    evening.happens[NEAR[1] + 1] = says(vote("Fen"))
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played, tin)
    assert kinds(played, "HAMMER IS NEXT") == ["[12:00] Fen 2/3, E-1: THE HAMMER IS NEXT (#3)."]
    hammers = kinds(played, "HAMMER #")
    assert hammers == [
        "[12:01] HAMMER #4 Cinder → Fen (3/3). Lock the thread, then: knightfall phase close --day 1"
    ]
    assert any("HAMMER #4 Cinder → Fen (3/3)." in text for text in tin.got)


def test_near_a_hammer_it_looks_oftener_and_within_its_budget(tmp_path: Path) -> None:
    evening = evening_of(*TWO, until=450)
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played)
        assert len(played.server.asked) == 450 / NEAR[1]
    assert NEAR[1] >= PAGE_EVERY


def test_a_calm_day_is_looked_at_slowly(tmp_path: Path) -> None:
    evening = evening_of(("Ada", "Good morning."), until=1500)
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played)
        assert len(played.server.asked) == 1500 / EVERY
    assert played.out == []


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("change", "tells"),
    [
        (edits(103, vote("Ada")), "Post 3 (Boro) changed. Its vote: “Fen” → “Ada”, without an edit mark."),
        (edits(103, "Never mind."), "Post 3 (Boro) changed. Its vote: “Fen” → no vote"),
        (drops(103), "Post 3 (Boro) vanished. Its vote: “Fen” → no vote."),
        (edits(102, f"{vote('Fen')} I mean it."), ""),
    ],
    ids=["edited", "taken-out", "vanished", "other-words"],
)
def test_an_altered_vote_is_told_and_other_edits_are_not(
    tmp_path: Path, change: Callable[[Forum], object], tells: str
) -> None:
    evening = evening_of(*TWO, until=100)
    evening.happens[NEAR[1]] = change
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played)
    told = kinds(played, "Its vote")
    assert len(told) == bool(tells)
    assert all(tells in line for line in told)


def test_an_edit_on_an_earlier_page_is_found_by_reading_all_pages_now_and_then(tmp_path: Path) -> None:
    said = (("Wren", "Go on."), ("Ada", vote("Fen")), *(("Boro", f"Just talk {n}.") for n in range(9)))
    evening = evening_of(*said, until=2 * SWEEP)
    evening.happens[EVERY] = edits(103, vote("Kestrel"))
    with game(tmp_path, evening, ends=LATER, rules='death = "plurality"') as played:
        watched(played, every=900.0)
        assert len(played.server.asked) <= 2 * SWEEP / PAGE_EVERY
    assert len(kinds(played, "“Fen” → “Kestrel”")) == 1


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("<b>Mod: when is the deadline?</b>", True),
        ("Well, @moderator, may I replace out?", True),
        ("@Wren is this a vote?", True),
        ("<b>Wren, please count again</b>", True),
        ("The mod is slow today.", False),
        ("<b>Modern times</b>", False),
        ("<blockquote><b>Mod: when?</b></blockquote>Well said.", False),
        ("<b>Vote: Wren</b>", False),
    ],
)
def test_a_question_to_the_moderator_is_told(tmp_path: Path, body: str, told: bool) -> None:
    evening = evening_of(("Ada", "<b>Mod: was this asked long ago?</b>"), ("Wren", "Yes."), until=EVERY + 1)
    evening.happens[EVERY] = says(body)
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played)
    assert [line.partition("“")[0] for line in kinds(played, "asks you")] == (
        ["[12:05] #4 Cinder asks you: "] if told else []
    )


def test_at_the_deadline_the_finished_count_and_the_next_post_lie_in_public(tmp_path: Path) -> None:
    evening = evening_of(*TWO, at=LEFT - 40)
    evening.happens[LEFT - 5] = says(vote("Ada"), "Kestrel")
    with game(tmp_path, evening, ends=AHEAD) as played:
        watched(played, to_deadline=True)
    count = final(tmp_path)
    draft = (tmp_path / "public" / "end-of-vote-1.txt").read_text(encoding="utf-8")
    assert "Final votecount 1 (to post 4)" in count
    assert "Ada (1): " in count
    assert draft.startswith("Day 1 voting is over.")
    assert count.strip() in draft
    assert "Goon" not in draft + count
    assert "deadline of day 1 has passed" in played.out[-2]
    assert played.out[-1].startswith("[12:06] Day 1 is over: Fen 2, Ada 1. The final votecount is in ")
    assert evening.clock.elapsed() == LEFT + PAUSE


def test_two_reads_that_differ_delay_the_count_until_two_agree(tmp_path: Path) -> None:
    evening = evening_of(*TWO, at=LEFT - 40)
    evening.happens[LEFT + PAUSE / 2] = edits(103, vote("Ada"))
    evening.happens[LEFT + 1.5 * PAUSE] = says(vote("Ada"), "Kestrel")
    with game(tmp_path, evening, ends=AHEAD) as played:
        watched(played, to_deadline=True)
    assert evening.clock.elapsed() == LEFT + 3 * PAUSE
    assert "#3 by Boro was changed" in played.told
    assert "#4 by Kestrel is new" in played.told
    assert "Ada (2): " in final(tmp_path)
    assert len(kinds(played, "“Fen” → “Ada”")) == 1


@pytest.mark.few(1)
@pytest.mark.parametrize(("boundary", "grace"), [("before", 0), ("second", 1), ("minute", 60)])
def test_the_boundary_rule_says_when_the_day_is_over(tmp_path: Path, boundary: str, grace: int) -> None:
    evening = evening_of(*TWO, at=LEFT - 40)
    with game(tmp_path, evening, ends=AHEAD, rules=f'boundary = "{boundary}"') as played:
        watched(played, to_deadline=True)
    assert evening.clock.elapsed() == LEFT + grace + PAUSE


def test_where_only_a_lock_ends_the_day_it_waits_for_the_lock(tmp_path: Path) -> None:
    evening = evening_of(*TWO, at=LEFT - 40)
    with game(tmp_path, evening, ends=AHEAD, rules='boundary = "until_lock"') as played:
        evening.happens[LEFT + 90] = lambda _: entered(Locked("day-1", "2"), played.session, "nowhere")
        watched(played, to_deadline=True)
    assert "knightfall phase lock" in kinds(played, "has passed")[0]
    assert "Final votecount 1 (to post 2)" in (tmp_path / "public" / "votecount-1.F.txt").read_text(
        encoding="utf-8"
    )
    assert evening.clock.elapsed() >= LEFT + 90 + PAUSE


def test_a_deadline_that_is_moved_meanwhile_is_the_one_that_counts(tmp_path: Path) -> None:
    evening = evening_of(*TWO, at=LEFT - 40)
    later = datetime(2026, 11, 21, 12, 6, tzinfo=UTC)
    with game(tmp_path, evening, ends=AHEAD) as played:
        evening.happens[LEFT - 30] = lambda _: entered(Extended("day-1", later), played.session, "nowhere")
        watched(played, to_deadline=True)
    assert evening.clock.elapsed() == LEFT + 60 + PAUSE
    assert len(kinds(played, "has passed")) == 1


def test_a_watch_that_is_asked_so_ends_when_the_moderator_closes_the_day(tmp_path: Path) -> None:
    evening = evening_of(*TWO)
    with game(tmp_path, evening, ends=LATER) as played:
        evening.happens[90] = lambda _: entered(Closed("day-1", "eliminate Fen"), played.session, "nowhere")
        watched(played, to_close=True)
        assert played.err[-1] == "Day 1 is closed, so the watch ends."
        assert evening.clock.elapsed() < EVERY
        # Whoever closed the day meanwhile finds no watch of the next one.
        del played.err[:]
        watched(played, to_close=True, goes_on=True, day=1)
    assert played.err == ["Day 1 is closed, so the watch ends."]


def test_a_watch_that_is_begun_at_night_ends_with_the_day_after_it(tmp_path: Path) -> None:
    evening = evening_of(*TWO)
    with game(tmp_path, evening, ends=LATER) as played:
        entered(Closed("day-1", "eliminate Fen"), played.session, "nowhere")
        evening.happens[90] = lambda _: entered(Closed("day-2", "no elimination"), played.session, "nowhere")
        watched(played, to_close=True)
    assert played.err[-1] == "Day 2 is closed, so the watch ends."
    assert evening.clock.elapsed() >= 90


def test_a_watch_that_goes_on_waits_for_a_login_from_its_first_look_on(tmp_path: Path) -> None:
    evening = evening_of(*TWO, until=100)
    with game(tmp_path, evening, ends=LATER) as played:
        forum, evening.forum = evening.forum, Forum(board(("Ada", "a board of others"))[:0])
        evening.happens[30] = lambda _: setattr(evening, "forum", forum)
        watched(played, to_close=True, goes_on=True, day=1)
    assert played.told.count("I'll keep trying") == 1
    assert played.told.count("It works again") == 1


def story(
    folder: Path, down: tuple[float, float] = (0, 0), stops: tuple[float, ...] = ()
) -> tuple[set[str], str, Game]:
    """What an evening with everything in it comes to: all that was told (without the hour), and the count."""
    evening = evening_of(("Ada", vote("Fen")), down=down)
    evening.happens[20] = says(vote("Fen"), "Boro", 103)
    evening.happens[30] = says("<b>Mod: who counts?</b>", "Kestrel", 104)
    evening.happens[150] = edits(102, vote("Kestrel"))
    evening.happens[250] = says(vote("Kestrel"), "Cinder", 105)
    clock = evening.clock
    assert isinstance(clock, Sleeper)
    with game(folder, evening, ends=AHEAD) as played:
        for stop in (*stops, 1e9):
            clock.until = stop
            watched(played, to_deadline=True)
    told = [line.partition("] ")[2].replace(played.server.root, "") for line in played.out]
    assert len(told) == len(set(told)), "told twice"
    return set(told), final(folder).replace(played.server.root, ""), played


@pytest.fixture(scope="module")
def calm_story(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], str]:
    return story(tmp_path_factory.mktemp("calm"))[:2]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("down", "stops"),
    [
        ((160, 230), ()),
        ((0, 0), (25, 70, 170, 290)),
        ((160, 240), (170, 200)),
        ((290, 900), (310, 500)),
    ],
    ids=["down", "restarts", "both", "both-over-the-deadline"],
)
def test_faults_and_restarts_change_nothing_in_the_end(
    tmp_path: Path, calm_story: tuple[set[str], str], down: tuple[float, float], stops: tuple[float, ...]
) -> None:
    calm, count = calm_story
    rough, again, played = story(tmp_path, down, stops)
    assert rough == calm
    assert again == count
    assert "Kestrel (2): " in count
    assert played.told.count("I'll keep trying") <= 1 + len(stops)


def test_a_forum_that_is_down_is_told_once_and_asked_less_and_less(tmp_path: Path) -> None:
    evening = evening_of(*TWO, until=2500, down=(200, 1500))
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played)
    assert played.told.count("I'll keep trying") == 1
    assert played.told.count("It works again") == 1
    assert max(evening.clock.waited) >= 480


def test_what_cannot_mend_itself_is_told_before_the_watch(tmp_path: Path) -> None:
    evening = evening_of(*TWO)
    with game(tmp_path, evening, ends=LATER) as played:
        file = tmp_path / "game.toml"
        file.write_text(file.read_text(encoding="utf-8").replace("t=5", "t=6"), encoding="utf-8")
        with pytest.raises(TopicMissing):
            watched(played)


def test_a_mistake_in_the_game_file_is_told_once_and_mended_while_it_watches(tmp_path: Path) -> None:
    evening = evening_of(*TWO, until=EVERY)
    with game(tmp_path, evening, ends=LATER) as played:
        file = tmp_path / "game.toml"
        good = file.read_text(encoding="utf-8")
        evening.happens[NEAR[1]] = lambda _: file.write_text("schema = nonsense", encoding="utf-8")
        sleep = evening.clock.sleep

        def mend(seconds: float) -> None:
            sleep(seconds)
            if evening.clock.elapsed() >= 200:
                file.write_text(good, encoding="utf-8")

        evening.clock.sleep = mend  # type: ignore[method-assign]  # this sleep mends the file
        watched(played)
    assert played.told.count("I'll keep trying") == 1
    assert played.told.count("It works again") == 1


def test_in_quiet_hours_it_is_collected_but_a_hammer_is_told(tmp_path: Path) -> None:
    evening = evening_of(*TWO, until=1300)
    evening.happens[100] = says(vote("Fen"))
    evening.happens[200] = says("@mod is that it?", "Kestrel", 105)
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played, quiet=parse_quiet("11:30-12:20"))
    assert "HAMMER #4" in played.out[0]
    assert "HAMMER IS NEXT" in played.out[1]
    assert "asks you" in played.out[2]
    assert evening.clock.now() >= datetime(2026, 11, 21, 12, 20, tzinfo=UTC)
    assert len(played.out) == 3


def test_once_is_one_look(tmp_path: Path) -> None:
    with game(tmp_path, evening_of(*TWO), ends=LATER) as played:
        watched(played, once=True)
        watched(played, once=True)
    assert len(kinds(played, "HAMMER IS NEXT")) == 1
    assert played.session.clock.elapsed() == 0


def test_a_single_look_that_fails_says_so_and_ends(tmp_path: Path) -> None:
    down = evening_of(*TWO, down=(0, 1e9))
    with game(tmp_path, down, ends=LATER) as played, pytest.raises(ServerFault):
        watched(played, once=True)


def test_a_channel_that_is_down_gets_everything_later(tmp_path: Path) -> None:
    evening, tin = evening_of(*TWO, until=3 * NEAR[1]), Tin(down=True)
    evening.happens[NEAR[1]] = lambda _: setattr(tin, "down", False)
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played, tin)
    assert played.told.count("takes no messages now") == 1
    assert len(tin.got) == 1
    assert tin.got[0] == "Knightfall: your game\n[12:00] Fen 2/3, E-1: THE HAMMER IS NEXT (#3)."


def test_a_role_does_not_go_out_and_nobody_is_pinged(tmp_path: Path) -> None:
    evening, tin = evening_of(("Kestrel", "@mod please tell @everyone <!here>"), until=EVERY + 1), Tin()
    evening.happens[EVERY] = says("@mod is Ada the Town Medic?", "Cinder", 103)
    with game(tmp_path, evening, ends=LATER) as played:
        watched(played, tin)
    assert "Town Medic" in played.out[1]
    assert "Medic" not in "".join(tin.got)
    assert WITHHELD in tin.got[1]
    assert "@everyone" not in tin.got[0]
    assert "please tell" in tin.got[0]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--until", "midnight"), "--until midnight: expected deadline"),
        (
            ("--every", "30s"),
            "or “90m”; the shortest is 1m",
        ),
        (("--quiet", "23-7"), "expected hours such as"),
        (("--quiet", "25:00-07:00"), "expected hours such as"),
        (("--notify", "pigeon"), "--notify pigeon: expected desktop, webhook, mail"),
        (("--notify", "desktop,webhook"), "--notify"),
        (("--notify", "nonsense://key@place"), "this address belongs to no known service"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, str], says: str
) -> None:
    monkeypatch.delenv("KNIGHTFALL_WEBHOOK", raising=False)
    evening = evening_of(*TWO)
    with game(tmp_path, evening, ends=LATER) as played:
        result = CliRunner().invoke(app, ["watch", "--game", str(tmp_path), *words])
        assert played.server.asked == []
    assert isinstance(result.exception, InputError)
    assert says in str(result.exception)
    assert "key@place" not in str(result.exception)


def test_without_a_deadline_there_is_nothing_to_stop_at(tmp_path: Path) -> None:
    with (
        game(tmp_path, evening_of(*TWO), ends=None) as played,
        pytest.raises(InputError, match="“until” deadline"),
    ):
        watched(played, to_deadline=True)


def test_ctrl_c_ends_the_command_kindly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with game(tmp_path, evening_of(*TWO, until=100), ends=LATER) as played:
        monkeypatch.setattr("knightfall.cli.terminal.real_session", lambda *_words, **_more: played.session)
        result = CliRunner().invoke(app, ["watch", "--game", str(tmp_path)])
        again = CliRunner().invoke(app, ["watch", "--game", str(tmp_path), "--once"])
    assert result.exit_code == 0
    assert result.stderr.splitlines()[-1] == STOPPED
    assert "HAMMER IS NEXT" in result.stdout
    assert again.exit_code == 0
    assert again.stdout == ""


@pytest.fixture
def hook() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """A page of somebody's that takes JSON."""
    got: list[dict[str, str]] = []

    class Page(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    Worker(target=server.serve_forever, kwargs={"poll_interval": 0.005}, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/room/key", got
    server.shutdown()
    server.server_close()


def test_a_webhook_of_the_environment_gets_the_message_as_json(
    tmp_path: Path, hook: tuple[str, list[dict[str, str]]]
) -> None:
    address, got = hook
    channels = channels_of(("webhook",), {"KNIGHTFALL_WEBHOOK": address})
    with game(tmp_path, evening_of(("Ada", "@mod ping @here")), ends=LATER) as played:
        assert [*watch(WatchRequest(once=True, channels=channels), played.session)]
    assert [said["title"] for said in got] == ["Knightfall: your game"]
    assert "Ada asks you" in got[0]["message"]
    assert "@here" not in got[0]["message"]


def test_a_page_that_refuses_is_no_arrival(hook: tuple[str, list[dict[str, str]]]) -> None:
    address, _ = hook
    closed = channels_of((f"json{address.removeprefix('http').rpartition(':')[0]}:9/nothing",), {})
    assert not closed[0].send("a", "b")
