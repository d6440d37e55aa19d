"""One game on boards of many platforms: the same count live, stored and from saved pages, to the last field.

The thread has three pages. Flint is replaced by Gale, and both names are voted for; Ashgrove's name begins
with all of Ash's; Ash's vote on the first page was edited; the last post of all is the hammer, an hour after
the one before it, with a deadline between the two or half an hour behind. Each board shows times in a zone of
its own and in its own words, and a signature with a vote under each post.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from command_line import run
from fetch.boards import (
    BOARDS,
    Board,
    Invision3,
    Invision4,
    Json,
    PhpBB2,
    ProBoards,
    Prosilver,
    Smf20,
    Smf21,
    VBulletin5,
    Written,
    XenForo1,
)
from fetch.loopback import serving
from knightfall.errors import InputError
from knightfall.fetch.client import Client
from knightfall.fetch.saved import read_html
from knightfall.forums import sites
from knightfall.forums.base import Request, Response
from long_runs import first

HOUR = timedelta(hours=1)
SUMMER = datetime(2024, 7, 8, 21, 0, tzinfo=UTC)
"""Long ago: boards show whole dates."""
TONIGHT = datetime.now(UTC).replace(second=0, microsecond=0) - 21 * HOUR - timedelta(minutes=40)
"""The last post was made 40 minutes ago: boards show "Yesterday", "Today", "40 minutes ago"."""
BEGINNINGS = {"tonight": TONIGHT, "summer": SUMMER}
BEFORE, BEHIND = timedelta(minutes=-30), timedelta(minutes=30)
"""When the deadline is, from the last post."""
THREAD: tuple[tuple[str, float, str], ...] = (
    (
        "Wren",
        0,
        "Sorrel Lane is closed at both ends.\n\nPlayers:\n1. Ash\n2. Ashgrove\n3. Bramble\n4. Cobb\n5. "
        "Dorrit\n6. Ember"
        "\n7. Flint\n\nDay 1 begins. With 7 alive it takes 4 to eliminate.",
    ),
    ("Ash", 0.5, "[vote]Ashgrove[/vote]"),
    ("Flint", 2, "[vote]Bramble[/vote]"),
    ("Cobb", 3, "[vote]Flint[/vote]"),
    ("Bramble", 5, "[quote=Cobb][vote]Flint[/vote][/quote]Not yet.\n[vote]Ash[/vote]"),
    ("Wren", 8, "Gale replaces Flint."),
    ("Ashgrove", 9, "[vote]Ash[/vote]"),
    ("Gale", 10, "Hello. [vote]Ash[/vote]"),
    ("Dorrit", 13, "[vote]Gale[/vote]"),
    (
        "Wren",
        14,
        "Votecount 1.1\nAsh (3): Bramble, Ashgrove, Gale\nGale (2): Cobb, Dorrit\nAshgrove (1): Ash\nNot "
        "voting (1): Ember"
        "\n\nWith 7 alive it takes 4 to eliminate.",
    ),
    ("Gale", 15, "[unvote]"),
    ("Ember", 20, "[vote]Flint[/vote]"),
    ("Ashgrove", 21, "[vote]Gale[/vote]"),
)
EDITED, GALE, LAST = 1, 7, 12
"""Places in the thread: the edited vote, the newcomer's first post, the hammer."""
VOTED = {"Ash": 1, "Cobb": 3, "Bramble": 4, "Dorrit": 8, "Ember": 11}
HAMMERED = {"Gale": ("Cobb", "Dorrit", "Ember", "Ashgrove"), "Ashgrove": ("Ash",), "Ash": ("Bramble",)}
LATE = {"Gale": ("Cobb", "Dorrit", "Ember"), "Ash": ("Bramble", "Ashgrove"), "Ashgrove": ("Ash",)}


def written(began: datetime) -> list[Written]:
    """The posts of the thread."""
    posts = [
        Written(103 + 3 * place, author, text, began + hours * HOUR)
        for place, (author, hours, text) in enumerate(THREAD)
    ]
    posts[EDITED] = replace(posts[EDITED], edited=began + 1.75 * HOUR)
    return posts


@dataclass
class Place:
    """A board that answers, and the folder in which we stand."""

    board: Board
    folder: Path

    def number(self, place: int) -> int:
        """The number that the board gives to a post by its place in the thread."""
        return place + self.board.first

    def run(self, *words: str) -> str:
        """What a command prints, without an error."""
        result = run(*words)
        assert result.exit_code == 0, f"{words}: {result.output}\n{result.exception!r}"
        return result.stdout

    def live(self, *words: str) -> str:
        return self.run("vc", self.board.url, "--allow-private-host", *words)

    def count(self, *words: str) -> dict[str, Any]:
        """The count as JSON, without the sentence on forms, in which platforms differ."""
        found: dict[str, Any] = json.loads(self.run("vc", *words, "--json"))
        assert found["assumed"].pop().startswith("To vote, use ")
        return found

    def counts(self, *words: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """Read for the first time, read once more, every page again, and as it is stored."""
        yield "live", self.count(*words, "--allow-private-host")
        yield "once more", self.count(*words, "--allow-private-host")
        yield "again", self.count(*words, "--allow-private-host", "--again")
        yield "stored", self.count(*words, "--stored")

    def write_game(self, ends: datetime) -> None:
        """A game file with a deadline, beside which we stand."""
        names = ("Ash", "Ashgrove", "Bramble", "Cobb", "Dorrit", "Ember", "Gale")
        players = "".join(f'[[player]]\nname = "{name}"\n' for name in names)
        (self.folder / "game.toml").write_text(
            f'schema = 1\n[game]\ntitle = "Sorrel Lane"\nsite = "plain"\ntimezone = "America/New_York"\n'
            f'moderators = ["Wren"]\n[[thread]]\nurl = "{self.board.url}"\n{players}'
            f'replaces = [{{ name = "Flint", from_post = {self.number(GALE)} }}]\n'
            f"[[day]]\nnumber = 1\nstart_post = {self.number(0)}\nends = {ends:%Y-%m-%dT%H:%M:%S}Z\n",
            encoding="utf-8",
        )

    def voter(self, name: str, target: str, late: bool) -> dict[str, Any]:
        """A vote as the count tells it; `url` is left to what was read."""
        place = VOTED.get(name, 6 if late else LAST)
        said = "Flint" if name in ("Cobb", "Ember") else target
        return {
            "slot": name,
            "post": self.number(place),
            "time": f"{self.board.posts[place].at:%Y-%m-%dT%H:%M:%SZ}",
            "text": f"{'VOTE' if self.board.name == 'mafiascum' else 'Vote'}: {said}",
            "rule": "exact",
        }

    def expected(self, title: str, assumed: list[str], late: bool = False) -> dict[str, Any]:
        """The whole count but for the addresses of votes."""
        last, text = self.number(LAST), self.voter("Ashgrove", "Gale", late=False)["text"]
        missed = {"post": last, "voter": "Ashgrove", "text": text, "reason": "late"}
        return {
            "schema": 1,
            "title": title,
            "day": 1,
            "at": {"post": last, "time": f"{self.board.posts[LAST].at:%Y-%m-%dT%H:%M:%SZ}"},
            "complete": True,
            "assumed": assumed,
            "alive": 7,
            "needed": 4,
            "wagons": [
                {
                    "target": target,
                    "kind": "player",
                    "count": len(voters),
                    "needed": 4,
                    "to_hammer": 4 - len(voters),
                    "voters": [self.voter(name, target, late) for name in voters],
                }
                for target, voters in (LATE if late else HAMMERED).items()
            ],
            "not_voting": ["Gale"],
            "hammer": None if late else {"target": "Gale", "voter": "Ashgrove", "post": last, "unless": []},
            "outcome": {"eliminated": None, "how": "undecided"}
            if late
            else {"eliminated": "Gale", "how": "hammer"},
            "questions": [],
            "not_counted": [missed] if late else [],
            "known": self.known(filed=not assumed or assumed == [self.edited()]),
            "repeated": 1,
        }

    def known(self, filed: bool) -> dict[str, Any]:
        """How the count knows its parts: by the game file, else by the votecount in the thread."""
        began, listed = self.number(0), None if filed else self.number(9)
        parts: dict[str, tuple[object, int | None]] = {
            "day": (began, began),
            "living": (7, listed),
            "needed": (4, listed),
            "rule": ("majority", None if filed else began),
        }
        return {
            part: {
                "how": "known" if filed else "read",
                "readings": [{"value": value, "post": post, "names": []}],
                "why": [],
            }
            for part, (value, post) in parts.items()
        }

    def edited(self) -> str:
        """What a count says of the edited vote."""
        return f"Edited posts with votes, counted as they read now: #{self.number(EDITED)}."

    def assumed(self) -> list[str]:
        """What a count without a game file takes from the thread."""
        return [
            "Moderator: Wren, who wrote the opening post.",
            f"Players: the 7 whom the moderator lists in post #{self.number(9)}.",
            f"Day 1 starts at post #{self.number(0)}.",
            f"A majority eliminates at once, as post #{self.number(0)} says: “With 7 alive it takes 4 to "
            "eliminate” If it is otherwise: knightfall vc URL --house plurality",
            self.edited(),
        ]

    def text(self, late: bool) -> str:
        """The post of the game's count in plain words, up to what it says of the deadline."""
        n = self.number
        wagons = [
            f"Gale (4): Cobb ({n(3)}), Dorrit ({n(8)}), Ember ({n(11)}), Ashgrove ({n(12)}) – HAMMER",
            f"Ashgrove (1): Ash ({n(1)})",
            f"Ash (1): Bramble ({n(4)})",
        ]
        if late:
            wagons = [
                f"Gale (3): Cobb ({n(3)}), Dorrit ({n(8)}), Ember ({n(11)}) – E-1",
                f"Ash (2): Bramble ({n(4)}), Ashgrove ({n(6)}) – E-2",
                f"Ashgrove (1): Ash ({n(1)}) – E-3",
            ]
        head, rows = f"Votecount 1.1 (to post {n(LAST)})", "\n".join(wagons)
        return f"{head}\n{rows}\n\nNot voting (1): Gale\n\nWith 7 alive, it takes 4 to eliminate.\n"


def without_links(count: dict[str, Any], root: str) -> dict[str, Any]:
    """The count without the addresses of posts, each of which leads to the board (`root`), or is missing
    (`root` is "")."""
    votes = [vote for wagon in count["wagons"] for vote in wagon["voters"]]
    for one in (*votes, *count["not_counted"], *filter(None, [count["hammer"]])):
        link = one.pop("url")
        assert link.startswith(root) if root else link is None
    return count


FEW = (Prosilver, XenForo1, ProBoards)
few_boards = pytest.mark.parametrize(
    "lane",
    first(len(FEW), sorted(BOARDS, key=lambda kind: kind not in FEW)),
    ids=lambda kind: kind.name,
    indirect=True,
)
"""What hangs on the store more than on the board: some boards, in the long job all."""


@pytest.fixture(params=BOARDS, ids=lambda kind: kind.name)
def lane(
    request: pytest.FixtureRequest, began: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Place]:
    """Each board. Where its saved pages tell no zone, the moderator's sites.toml does."""
    kind: type[Board] = request.param
    with place(kind, began, tmp_path, monkeypatch, kind.stated) as found:
        yield found


@pytest.fixture(params=first(1, BEGINNINGS.values()), ids=list(BEGINNINGS))
def began(request: pytest.FixtureRequest) -> datetime:
    """When the thread was opened."""
    beginning: datetime = request.param
    return beginning


@contextmanager
def place(
    kind: type[Board], began: datetime, folder: Path, patch: pytest.MonkeyPatch, zone: str = ""
) -> Iterator[Place]:
    """A board that is served, with its zone in the moderator's sites.toml, if it is told."""
    patch.setenv("KNIGHTFALL_HOME", str(folder / "home"))
    patch.setenv("KNIGHTFALL_CONFIG", str(folder / "config"))
    patch.setenv("KNIGHTFALL_DELAY", "0")
    for name in ("config", "lane"):
        (folder / name).mkdir()
    if zone:
        (folder / "config" / "sites.toml").write_text(
            f'["127.0.0.1"]\ntimezone = "{zone}"\n', encoding="utf-8"
        )
    patch.chdir(folder / "lane")
    sites.known_sites.cache_clear()
    board = kind(written(began))
    try:
        with serving(board) as server:
            board.root = server.root
            yield Place(board, folder / "lane")
    finally:
        sites.known_sites.cache_clear()


@pytest.mark.few(2)
def test_without_a_game_file_every_way_to_read_gives_the_same_count(lane: Place) -> None:
    expected = lane.expected("Sorrel Lane [Day 1]", lane.assumed())
    found = dict(lane.counts(lane.board.url))
    for way, count in found.items():
        assert count == found["live"], way
    assert without_links(found["live"], lane.board.root) == expected
    if lane.board.saved:
        saved = lane.count("--from-html", *lane.board.save(lane.folder / "saved"))
        root = "" if isinstance(lane.board, Json) else lane.board.root
        assert without_links(saved, root) == expected


@pytest.mark.few(1)
@few_boards
@pytest.mark.parametrize("began", [TONIGHT], ids=["tonight"])
def test_a_thread_that_grows_between_two_reads_is_counted_as_one_that_was_read_at_once(lane: Place) -> None:
    whole, lane.board.posts = lane.board.posts, lane.board.posts[:8]
    before = lane.count(lane.board.url, "--allow-private-host")
    assert (before["at"]["post"], before["hammer"]) == (lane.number(GALE), None)
    for so_far in (whole[:10], whole[:LAST], whole):  # to the end of a page, behind it, the hammer
        lane.board.posts = list(so_far)
        count = lane.count(lane.board.url, "--allow-private-host")
    assert count == lane.count(lane.board.url, "--stored")
    assert without_links(count, lane.board.root) == lane.expected("Sorrel Lane [Day 1]", lane.assumed())


@pytest.mark.few(2)
@pytest.mark.parametrize("behind", first(1, (BEFORE, BEHIND)), ids=["late", "in-time"])
def test_with_a_game_file_the_deadline_falls_between_the_same_two_posts(
    lane: Place, behind: timedelta
) -> None:
    late = behind < timedelta(0)
    ends = lane.board.posts[LAST].at + behind
    lane.write_game(ends)
    expected = lane.expected("Sorrel Lane", [lane.edited()], late)
    found = dict(lane.counts("--game", "."))
    for way, count in found.items():
        assert count == found["live"], way
    assert without_links(found["live"], lane.board.root) == expected
    live = lane.run("vc", "--game", ".", "--allow-private-host")
    assert live.partition("Day 1 ends")[0] == lane.text(late)
    assert lane.run("vc", "--game", ".", "--stored") == live

    # Pages saved in a browser: counted by themselves, then kept with the game in place of what was read.
    if not lane.board.saved:
        return
    files = lane.board.save(lane.folder / "saved")
    root = "" if isinstance(lane.board, Json) else lane.board.root
    assert without_links(lane.count("--game", ".", "--from-html", *files), root) == expected
    (lane.folder / "game.db").unlink()
    if isinstance(lane.board, Json):  # what a browser saves of an API does not say where it is from
        told = run("read", "--from-html", *files).exception
        assert isinstance(told, InputError) and "does not say which address it was saved from" in str(told)
        return
    lane.run("read", "--from-html", *files)
    assert without_links(lane.count("--game", ".", "--stored"), lane.board.root) == expected
    assert lane.run("vc", "--game", ".", "--stored") == live


@few_boards
def test_the_time_of_an_edit_is_told_in_utc_whatever_the_boards_clock(lane: Place) -> None:
    at = lane.board.posts[EDITED].edited
    assert at is not None
    told = f"Newest edits: #{lane.number(EDITED)} Ash, {at:%Y-%m-%d %H:%M} UTC.\n"
    assert lane.run("read", lane.board.url, "--allow-private-host").endswith(told)
    if lane.board.saved:
        assert lane.run("read", "--from-html", *lane.board.save(lane.folder / "saved")).endswith(told)


@pytest.mark.few(1)
@few_boards
@pytest.mark.parametrize("began", [TONIGHT], ids=["tonight"])
def test_a_vote_on_the_first_page_that_is_edited_after_it_was_read_is_found_again(lane: Place) -> None:
    newest = lane.board.posts[EDITED]
    lane.board.posts[EDITED] = replace(newest, text="[vote]Cobb[/vote]", edited=None)
    before = lane.count(lane.board.url, "--allow-private-host")
    assert [wagon["target"] for wagon in before["wagons"]] == ["Gale", "Cobb", "Ash"]
    assert not any("Edited" in sentence for sentence in before["assumed"])
    lane.board.posts[EDITED] = newest
    result = run("vc", lane.board.url, "--allow-private-host", "--again")
    said = "VOTE" if lane.board.name == "mafiascum" else "Vote"
    assert f"  -{said}: Cobb\n  +{said}: Ashgrove\n" in result.stderr
    assert lane.edited() in result.stderr
    stored = lane.count(lane.board.url, "--stored")
    assert without_links(stored, lane.board.root) == lane.expected("Sorrel Lane [Day 1]", lane.assumed())


@pytest.mark.parametrize("per_page", [4, 5, 6, 12])
def test_saved_pages_of_a_board_that_numbers_no_posts_follow_on_from_each_other(
    per_page: int, tmp_path: Path
) -> None:
    for kind in (ProBoards, Invision4, PhpBB2):
        board = kind(written(SUMMER), per_page)
        board.root = "https://lane.example/"
        files = [Path(file) for file in board.save(tmp_path / kind.name)]
        found = read_html([*files[::-1], *files], TONIGHT)
        assert (found.missing, [post.number for post in found.posts]) == ((), list(range(1, 14))), kind


def test_saved_pages_longer_than_usual_follow_on_from_each_other(tmp_path: Path) -> None:
    said = [Written(100 + number, "Ember", "Hm.", SUMMER + number * HOUR) for number in range(1, 104)]
    board = ProBoards(said, per_page=50)
    found = read_html(list(map(Path, board.save(tmp_path))), TONIGHT)
    assert (found.missing, [post.number for post in found.posts]) == ((), list(range(1, 104)))


@pytest.mark.few(1)
@few_boards
@pytest.mark.parametrize("began", [SUMMER], ids=["summer"])
def test_a_count_of_kept_pages_never_asks_the_forum(lane: Place) -> None:
    lane.live()
    lane.write_game(lane.board.posts[LAST].at + BEHIND)
    lane.run("read", "--game", ".", "--allow-private-host")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Client, "get", refuse)
        patch.setattr(Client, "follow", refuse)
        lane.run("vc", lane.board.url, "--stored")
        lane.run("vc", "--game", ".", "--stored")
        lane.run("near", "--stored")
        lane.run("evidence", str(lane.number(EDITED)))
        lane.run("evidence", str(lane.number(EDITED)), lane.board.url)
        lane.run("fix", str(lane.number(4)), "--ignore", "--why", "asked by PM")


def refuse(_client: Client, request: Request) -> Response:
    """No page may be asked for."""
    raise AssertionError(request.url)


def test_where_nobody_knows_the_zone_no_edit_is_told_in_utc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place(Smf20, SUMMER, tmp_path, monkeypatch) as lane:
        told = lane.run("read", lane.board.url, "--allow-private-host")
    assert "Newest edits: #1 Ash, 2024-07-09 00:45 in an unknown time zone.\n" in told


@pytest.mark.parametrize("kind", [Prosilver, VBulletin5], ids=lambda kind: kind.name)
def test_a_theme_without_the_boards_zone_at_its_foot_tells_it_by_the_times_of_posts(
    kind: type[Board], began: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, foot = kind.page, re.compile(r"All times are .*?</(?:li|div)>")
    monkeypatch.setattr(kind, "page", lambda *asked: foot.sub("</div>", page(*asked)))
    with place(kind, began, tmp_path, monkeypatch) as lane:
        at = lane.board.posts[EDITED].edited
        assert f"#2 Ash, {at:%Y-%m-%d %H:%M} UTC." in lane.run("read", lane.board.url, "--allow-private-host")


def test_an_edit_whose_time_cannot_be_read_is_told_of_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Smf20, "words", lambda self, at: f"{self.local(at):%d.%m.%Y, %H:%M:%S}")
    monkeypatch.setattr(Smf20, "edit_words", lambda _self, _at: "neulich")
    with place(Smf20, SUMMER, tmp_path, monkeypatch) as lane:
        assert lane.edited() in lane.count(lane.board.url, "--allow-private-host")["assumed"]


def test_a_rewritten_address_of_ip_board_leads_to_the_board_that_its_page_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, page_url, asked = "games/9-sorrel-lane.html", Invision3.page_url, Invision3.asked
    monkeypatch.setattr(
        Invision3, "page_url", lambda self, n: f"{self.root}{path}" if n == 1 else page_url(self, n)
    )
    monkeypatch.setattr(Invision3, "asked", lambda self, to: 1 if to == f"/{path}" else asked(self, to))
    with place(Invision3, SUMMER, tmp_path, monkeypatch) as lane:
        count = lane.count(lane.board.url, "--allow-private-host")
        assert lane.count("--from-html", *lane.board.save(lane.folder / "saved")) == count
        assert without_links(count, lane.board.root) == lane.expected("Sorrel Lane [Day 1]", lane.assumed())


@pytest.mark.parametrize("kind", [Smf21, XenForo1], ids=lambda kind: kind.name)
@pytest.mark.parametrize("began", [SUMMER, SUMMER - timedelta(days=180)], ids=["summer", "winter"])
def test_the_zone_of_sites_toml_knows_the_clock_change_that_a_boards_clock_does_not_show(
    kind: type[Board], began: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kind, "zone", ZoneInfo("Europe/Berlin"))
    with place(kind, began, tmp_path, monkeypatch, "Europe/Berlin") as lane:
        count = lane.count(lane.board.url, "--allow-private-host")
        assert without_links(count, lane.board.root) == lane.expected("Sorrel Lane [Day 1]", lane.assumed())


def test_a_boards_clock_goes_before_a_zone_of_sites_toml_that_shows_another_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with place(Smf21, SUMMER, tmp_path, monkeypatch, "Europe/Berlin") as lane:
        count = lane.count(lane.board.url, "--allow-private-host")
        assert without_links(count, lane.board.root) == lane.expected("Sorrel Lane [Day 1]", lane.assumed())
