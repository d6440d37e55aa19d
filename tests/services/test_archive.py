"""The archive of a game: what stands in it, what never does, and that nothing in it runs or loads."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

import pytest
from lxml import html as lxml_html
from typer.testing import CliRunner

from fetch.threads import Forum
from knightfall.cli import app
from knightfall.engine.entries import Ruled, Submitted
from knightfall.engine.game import Game
from knightfall.errors import InputError, SecretGuard
from knightfall.games import GAMES
from knightfall.markup.nodes import Bold, Nodes, Quote, Text
from knightfall.models import Thread
from knightfall.sentence import SlotId
from knightfall.services.keep.archive import write_archive
from knightfall.services.threads import Link, gather
from knightfall.storage.links import START
from knightfall.writeups.archive.html import Censor, Places, body_html, inert
from services.end_of_day import ROLES, Evening, board, game, vote
from services.game_stages import (
    BEGAN,
    NAMES,
    SALT,
    SEED,
    URL,
    Pages,
    folder_of,
    lantern,
    lantern_thread,
    post,
    random_game,
    session_of_test,
)

ROOM = "https://forum.example/viewtopic.php?t=72"
TOKEN = "0123456789abcdef0123456789abcdef"
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
BODIES = (
    '<script>alert("body")</script>said',
    '<img src="https://spy.example/pixel.gif" alt="" onerror="alert(1)">',
    '<a href="javascript:alert(1)" onclick="alert(2)">press</a>',
    '<a href="https://elsewhere.example/a?b=1">elsewhere</a>',
    '<svg onload="alert(1)"><circle r="1"/></svg><math><mi>x</mi></math>',
    '<iframe src="https://spy.example/"></iframe><object data="x"></object><style>*{display:none}</style>',
    '&lt;script&gt;alert("escaped")&lt;/script&gt; &amp;lt;b&amp;gt;',
    '<span style="background:url(https://spy.example/b)">styled</span><form action="/spy"><input></form>',
    f'<a href="./viewtopic.php?t=72&amp;p=5">in</a> and {ROOM}&amp;p=9#p9 and {ROOM[8:]}',
    f'<a href="{URL}&amp;sid={TOKEN}">session</a> https://forum.example/x?sid={TOKEN}',
    "We met in the Hidden Parlour yesterday.",
    '<blockquote><cite>Boro wrote:</cite>so</blockquote><a href="viewtopic.php?p=9002#p9002">back there</a>',
    "Ünïcödé words &amp; emoji 🦊 \u2028 end",
)


def hostile_thread() -> Thread:
    """The lantern's thread, and then everything that somebody could try."""
    said = lantern_thread(12).posts
    more = [
        post(20 + n, HOSTILE if n % 2 else "Ada", body, BEGAN + timedelta(hours=40))
        for n, body in enumerate(BODIES)
    ]
    gone = replace(post(50, "Boro", "what the moderator deleted", BEGAN), hidden=True)
    odd = replace(post(51, "Boro", "here", BEGAN), url="javascript:alert(1)", edit_note=HOSTILE)
    return Thread("phpbb", HOSTILE, (*said, *more, gone, odd), url=URL)


KEPT = TemporaryDirectory(prefix="archive-")
"""The folders of archives that several tests look at."""


@dataclass
class Shelf:
    """A store that knows a private thread, too."""

    pages: Pages

    def links(self) -> tuple[str, ...]:
        return (START,)

    def last_link(self) -> str:
        return START

    def restate(self, *_: object) -> None:
        """Its posts have their times."""

    def thread(self, url: str) -> Thread | None:
        return PARLOUR if url.endswith("t=72") else self.pages.thread(url)

    def platform(self, url: str) -> str | None:
        found = self.thread(url)
        return found.platform if found else None

    def title(self, url: str) -> str | None:
        return self.pages.title(url)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.pages, name)

    def close(self) -> None:
        """Nothing is open."""


PARLOUR = Thread("phpbb", "Hidden parlour", (post(1, "Ada", "We whisper of quinces.", BEGAN),), url=ROOM)
SUBMITTED = Submitted(SlotId("Fen"), "track Gale")
RULED = Ruled("Does the zinc bell wake Ada?", "No.", "tin rule")


def written(stage: str, public: bool, thread: Thread | None = None) -> Path:
    """The archive of the game of seven at a stage, with a secret of each kind in its folder."""
    folder, pages = lantern(Path(mkdtemp(dir=KEPT.name)) / "game", stage)
    pages.kept = thread or pages.kept
    (folder / "private" / "004-01-role_pm-Ada.txt").write_text("Ada, the copper kettle whistles at midnight.")
    for entry in (SUBMITTED, RULED) if stage != "over" else ():
        pages.append(entry, pages.journal[-1].at, "Wren")
    reads_only: Any = Shelf(pages)
    session = replace(session_of_test(folder, pages), store=lambda _: reads_only)
    write_archive(session, public)
    return folder / ("public" if public else "private") / "archive"


@cache
def hostile(public: bool = True) -> Path:
    return written("day 2", public, hostile_thread())


@cache
def finished() -> Path:
    return written("over", public=True)


def everything(place: Path) -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in sorted(place.iterdir()))


def own_lines(place: Path) -> Iterator[str]:
    """What the pages say that are ours, line by line."""
    for file in sorted(place.glob("*.html")):
        if not file.name.startswith(("thread", "player")):
            yield from re.sub(r"<[^>]*>", " ", file.read_text(encoding="utf-8")).splitlines()


MARKERS = {
    "a private post": "quinces",
    "a PM": "copper kettle",
    "a submission": "track Gale",
    "a ruling": "zinc bell",
    "why somebody left": "a new job",
    "the seed": SEED.hex(),
    "the salt": SALT.hex(),
    "a private thread": "t=72",
    "its title": "hidden parlour",
    "a key of a login": TOKEN,
    "a deleted post": "what the moderator deleted",
    "a raw page": "onerror=",
    "an action of the night": "mafia kill Boro",
    "what was learned at night": "Guilty",
}


@pytest.mark.parametrize("marker", MARKERS.values(), ids=MARKERS.keys())
def test_before_the_end_a_search_of_the_public_files_finds_no_secret(marker: str) -> None:
    held = [file.name for file in hostile().iterdir() if marker.lower() in _bare(file).lower()]
    assert held == []


def _bare(file: Path) -> str:
    """As written; `onerror=` may stand as a player's words, never within a tag."""
    text = file.read_text(encoding="utf-8")
    tags = " ".join(re.findall(r"<[^>]*>", text))
    return text.replace("onerror=", "") + tags


def test_before_the_end_no_line_of_ours_tells_the_role_of_somebody_alive() -> None:
    roles = ("Mafia Goon", "Town Cop", "Town Tracker", "Vanilla Townie")
    living = ("Ada", "Dusk_77", "Elm", "Rook", "Fen", "Gale")
    told = [
        line
        for line in own_lines(hostile())
        if any(r in line for r in roles) and any(n in line for n in living)
    ]
    assert told == []
    assert any("Boro" in line and "Town Doctor" in line for line in own_lines(hostile()))
    assert "published when the game is over" in (hostile() / "nights.html").read_text(encoding="utf-8")


def test_after_the_end_roles_nights_rulings_and_the_deal_are_told_but_no_private_thread() -> None:
    place = finished()
    assert re.search(r"<td>Ada</td><td>Mafia Goon</td>", _page(place, "people.html"))
    assert re.search(
        r'<th scope="row">Gale</th><td>cop Ada</td>.*<td>Guilty</td>', _page(place, "nights.html")
    )
    assert "Does a replacement take over the vote?" in _page(place, "rulings.html")
    assert SEED.hex() in _page(place, "deal.html")
    whole = everything(place).lower()
    assert [
        word for word in ("t=72", "hidden parlour", "copper kettle", "sheets.html") if word in whole
    ] == []


def _page(place: Path, name: str) -> str:
    return (place / name).read_text(encoding="utf-8")


def test_the_moderators_own_archive_is_closed_to_others_and_says_so_on_each_page() -> None:
    place = hostile(public=False)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert [file.name for file in place.glob("*.html") if "PRIVATE: " not in _page(place, file.name)] == []
    assert "cop Ada" in _page(place, "nights.html")
    assert "We whisper of quinces." in _page(place, "room-1-1.html")
    assert TOKEN not in everything(place)
    assert "PRIVATE: " not in everything(finished())


def test_the_moderators_own_archive_never_gets_among_the_public_files(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "game", "day 2")
    with pytest.raises(SecretGuard, match="To leave them out: “public”"):
        write_archive(session_of_test(folder, pages), out=folder / "public" / "all")
    assert list((folder / "public").iterdir()) == []


BARE = (
    "head body title header main li h1 h2 dl dt dd strong em u s br blockquote details summary "
    "table thead tbody tr td code"
)
DRAWN = "fill stroke stroke-width"
WITH = (
    *(
        "html lang",
        "meta charset http-equiv content name",
        "link rel href",
        "script src",
        "ul class",
        "ol id",
    ),
    *("nav aria-label class", "a href rel aria-current", "p class id role", "article class id", "section id"),
    *("time datetime", "div class tabindex", "th scope", "pre class tabindex", "form id hidden", "label for"),
    *("input id type autocomplete", "select id", "option value"),
    *("svg role xmlns width height viewbox font-family", f"rect x y width height {DRAWN}"),
    *(f"polyline points {DRAWN} stroke-linecap stroke-dasharray", f"circle cx cy r {DRAWN}"),
    *(f"polygon points {DRAWN}", f"text x y font-size text-anchor font-weight {DRAWN}"),
)
TAGS = {row.split()[0]: set(row.split()[1:]) for row in (*BARE.split(), *WITH)}
"""All that may stand on a page."""


@pytest.mark.parametrize("public", [True, False], ids=["public", "private"])
def test_whatever_names_and_posts_hold_the_pages_have_our_tags_and_attributes_alone(public: bool) -> None:
    odd: set[tuple[str, str] | str] = set()
    for file in hostile(public).glob("*.html"):
        for element in _tree(file).iter():
            assert isinstance(element.tag, str), "a comment or an instruction"
            known = TAGS.get(element.tag, set())
            odd |= {(element.tag, name) for name in set(element.attrib) - known}
            odd |= {element.tag} - set(TAGS)
    assert odd == set()


def test_nothing_is_loaded_but_three_files_of_the_folder_and_no_link_leads_out_but_to_posts() -> None:
    loaded, outside = set(), set()
    for file in hostile().glob("*.html"):
        tree = _tree(file)
        loaded |= {*tree.xpath("//@src"), *tree.xpath("//link/@href")}
        outside |= {url for url in tree.xpath("//a/@href") if "//" in url or ":" in url}
        assert "default-src 'none'" in tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")[0]
    assert loaded == {"archive.css", "posts.js", "search.js"}
    permalinks = {
        one.url for one in hostile_thread().posts if one.url and not one.url.startswith("javascript")
    }
    assert outside == permalinks


def test_every_link_within_the_archive_leads_somewhere() -> None:
    ids = {file.name: set(_tree(file).xpath("//@id")) for file in hostile().glob("*.html")}
    links = [(file.name, url) for file in hostile().glob("*.html") for url in _tree(file).xpath("//a/@href")]
    inner = [(here, url) for here, url in links if ":" not in url]
    lost = []
    for here, url in inner:
        name, _, anchor = url.removeprefix("./").partition("#")
        page = name or here
        if page not in ids or (anchor and anchor not in ids[page]):
            lost.append((here, url))
    assert len(inner) > 200
    assert lost == []


def _tree(file: Path) -> lxml_html.HtmlElement:
    return lxml_html.document_fromstring(file.read_text(encoding="utf-8"))


def _posts() -> dict[str, str]:
    """What stands in each post of the hostile thread, as a reader sees it."""
    tree = _tree(hostile() / "thread-1.html")
    return {
        one.get("id"): " ".join(one.find_class("body")[0].text_content().split())
        for one in tree.iter("article")
    }


def test_a_post_keeps_its_words_and_loses_what_would_load_or_lead_away() -> None:
    posts = _posts()
    assert posts["p20"] == "said"
    assert posts["p21"] == "[picture: https://spy.example/pixel.gif]"
    assert posts["p22"] == "press"
    assert posts["p23"] == "elsewhere (https://elsewhere.example/a?b=1)"
    assert posts["p26"] == '<script>alert("escaped")</script> &lt;b&gt;'
    assert posts["p28"] == "[private thread] and [private thread] and [private thread]"
    assert posts["p30"] == "We met in the [private thread] yesterday."
    assert posts["p50"] == "Deleted or hidden on the forum."
    linked = _tree(hostile() / "thread-1.html").xpath("//article[@id='p31']//div[@class='body']//a/@href")
    assert linked == ["./thread-1.html#p2"]


def test_the_search_knows_the_words_of_every_post_and_where_it_stands() -> None:
    script = _page(hostile(), "posts.js")
    assert not set(script) & set("<>&\u2028")
    known = json.loads(script.removeprefix("window.ARCHIVE=").removesuffix(";\n"))
    rows = {
        number: (known["pages"][page], known["authors"][author], words)
        for number, page, author, words in known["posts"]
    }
    assert len(rows) == len(hostile_thread().posts)
    assert rows[23] == ("thread-1.html", HOSTILE, "elsewhere (https://elsewhere.example/a?b=1)")
    assert {
        f"p{number}": words for number, (_, _, words) in rows.items() if number not in (50, 51)
    }.items() <= _posts().items()
    assert rows[50][2] == ""


def test_a_day_has_its_count_with_links_to_the_votes_and_its_wagons_as_picture_and_text() -> None:
    day = _tree(finished() / "day-1.html")
    said = " ".join(day.text_content().split())
    assert "Cinder (4): Ada (3), Boro (4), Elm (5), Gale (6) – HAMMER" in said
    assert day.xpath("//div[@class='box']//a/@href")[0] == "./thread-1.html#p3"
    picture = day.xpath("//svg")[0]
    assert "hammer #6 on Cinder by Gale" in picture.text_content()
    assert len(picture.xpath(".//polygon")) >= 2, "the star of the hammer, the squares of the other wagon"
    assert picture.xpath(".//polyline[@stroke-dasharray]")
    assert "Cinder" in day.xpath("//pre")[0].text_content()


def test_posts_by_player_link_to_their_place_in_the_thread() -> None:
    table = _tree(finished() / "players.html")
    file = table.xpath("//a[text()='Gale']/@href")[0]
    own = _tree(finished() / file)
    assert own.xpath("//article//h2/a/@href") == ["./thread-1.html#p6", "./thread-1.html#p13"]


def long_thread(posts: int) -> Thread:
    said = lantern_thread().posts
    more = [
        post(13 + n, NAMES[n % 7], f"word{n} and more", BEGAN + timedelta(hours=27)) for n in range(1, posts)
    ]
    return Thread("phpbb", "Tin Lantern", (*said, *more), url=URL)


def test_a_long_thread_is_paged_and_its_links_know_the_page() -> None:
    place = written("over", public=True, thread=long_thread(230))
    assert [len(list(place.glob(f"{kind}-*.html"))) for kind in ("thread", "player-1")] == [3, 1]
    assert 'id="p150"' in _page(place, "thread-2.html")
    assert 'href="thread-3.html" rel="next"' in _page(place, "thread-2.html")
    assert "./thread-2.html#p150" in "".join(_page(place, file.name) for file in place.glob("player-*"))


def test_a_new_archive_takes_the_place_of_the_one_before_and_of_nothing_else(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "game", "day 2")
    session, out = session_of_test(folder, pages), tmp_path / "out"
    write_archive(session, out=out)
    assert (out / "sheets.html").exists()
    write_archive(session, public=True, out=out)
    assert not (out / "sheets.html").exists()
    assert stat.S_IMODE(out.stat().st_mode) == 0o755
    (out / "thesis.odt").write_text("mine")
    with pytest.raises(InputError, match=r"thesis\.odt"):
        write_archive(session, public=True, out=out)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["game", "out"]


def test_a_title_that_tells_a_role_is_stopped_unless_the_moderator_says_why(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "game", "day 2")
    file = folder / "game.toml"
    file.write_text(file.read_text("utf-8").replace("Tin Lantern", "Ada is the Mafia Goon"), "utf-8")
    with pytest.raises(SecretGuard, match=r"(?s)gives away .*Mafia Goon"):
        write_archive(session_of_test(folder, pages), public=True)
    assert list((folder / "public").iterdir()) == []
    write_archive(session_of_test(folder, pages), public=True, allow_leak="it was said aloud")
    assert isinstance(pages.journal[-1].entry, Ruled)
    assert pages.journal[-1].entry.why == "it was said aloud"


VOTES = """schema = 1
[game]
title = "Quince Yard"
moderators = ["Wren"]
[[thread]]
role = "game"
url = "https://forum.example/viewtopic.php?t=71"
"""


def test_of_a_game_that_is_run_by_hand_roles_in_the_file_stay_there(tmp_path: Path) -> None:
    people = "".join(f'[[player]]\nname = "{name}"\nrole = "Zinc Oracle {name}"\n' for name in NAMES)
    folder = folder_of(tmp_path / "game", VOTES + people)
    pages = Pages(kept=lantern_thread())
    for public in (True, False):
        write_archive(session_of_test(folder, pages), public)
    assert "Zinc" not in everything(folder / "public" / "archive")
    assert "Zinc Oracle Ada" in _page(folder / "private" / "archive", "people.html")


@pytest.mark.few(1)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_every_game_has_an_archive_at_any_moment(game: Game[object], tmp_path: Path) -> None:
    for whole in (True, False):
        folder, pages = random_game(tmp_path / str(whole), game, whole)
        write_archive(session_of_test(folder, pages), public=True)
        assert "Announced" in _page(folder / "public" / "archive", "index.html")


def test_quotes_within_quotes_without_end_are_told_in_words() -> None:
    nodes: Nodes = (Text("the core"),)
    for depth in range(200):
        nodes = (Quote(nodes) if depth % 2 else Bold(nodes),)
    assert "the core" in body_html(inert(nodes, Places(), Censor()))


def test_without_a_game_or_a_thread_there_is_nothing_to_keep(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "game", "sign-ups")
    with pytest.raises(InputError, match="To read it: read the thread"):
        write_archive(session_of_test(folder, pages), public=True)


def test_the_verb_writes_the_folder_and_says_where(tmp_path: Path) -> None:
    names = tmp_path / "names.txt"
    names.write_text("\n".join(("Ada", "Boro", "Cinder")), encoding="utf-8")
    run, folder = CliRunner().invoke, str(tmp_path / "duty")
    assert run(app, ["new", "knights-duty", "--players", str(names), "--out", folder]).exit_code == 0
    done = run(app, ["archive", "--game", folder, "--public"])
    assert done.exit_code == 0, done.output
    assert "index.html" in done.output
    assert "there are none here" in _page(tmp_path / "duty" / "public" / "archive", "index.html")


def test_raw_pages_and_roles_of_a_games_database_stay_out_of_what_everybody_gets(tmp_path: Path) -> None:
    said = board(("Ada", vote("Fen")), ("Boro", vote("Fen")), ("Fen", "Who, me?"))
    with game(tmp_path, Evening(Forum(said))) as played:
        thread = gather(Link(f"{played.server.root}viewtopic.php?t=5"), played.session)
    assert len(thread.posts) == 4
    done = CliRunner().invoke(app, ["archive", "--game", str(tmp_path), "--public"])
    assert done.exit_code == 0, done.output
    place = tmp_path / "public" / "archive"
    assert [role for role in ROLES.values() if role in everything(place)] == []
    assert b"topic-title" in Forum(said)("viewtopic.php?t=5").body
    assert "topic-title" not in everything(place)
    assert "Fen (2)" in _page(place, "day-1.html")
    assert "Who, me?" in _page(place, "thread-1.html")
    own = CliRunner().invoke(app, ["archive", "--game", str(tmp_path)])
    assert own.exit_code == 0, own.output
    assert "Fen: Mafia Goon" in _page(tmp_path / "private" / "archive", "people.html")
