"""`knightfall post KIND`: the whole post library, each kind in every dialect, and each game's own.

To accept a change: run this module with KNIGHTFALL_GOLDEN=write and read the diff as the players would.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from command_line import at_terminal
from knightfall.cli import app
from knightfall.engine.entries import Closed, Entry, Published, Removed, Revived, Ruled
from knightfall.engine.game import Game
from knightfall.errors import InputError, SecretGuard
from knightfall.games import GAMES
from knightfall.markup.dialects import DIALECTS
from knightfall.sentence import SlotId
from knightfall.services.deal import parse_proof, verify
from knightfall.services.guard import released
from knightfall.services.now import Now
from knightfall.services.posts.facts import PostContent, post_nodes
from knightfall.services.posts.write import KINDS, content_of
from knightfall.writeups.render import written
from markup.board_tags import faults
from services.game_stages import (
    BEGAN,
    STAGES,
    Minutes,
    Pages,
    folder_of,
    lantern,
    lantern_thread,
    random_game,
    scene,
    session_of_test,
)

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/posts"
STAGE = {
    "signup": "sign-ups",
    "rules": "day 1",
    "end-of-day": "night 1",
    "endgame": "over",
    "archive": "over",
}
"""When each kind is written; the others on day 2."""
BEFORE: dict[str, tuple[Entry, ...]] = {
    "removal": (Removed(SlotId("Gale"), why="quoted a PM"),),
    "revival": (Removed(SlotId("Gale"), why="quoted a PM"), Revived(SlotId("Gale"), why="it was another")),
}
"""What has to happen for a kind, beside all that does until its stage."""
LAST = ("end-of-day", "results", "endgame", "archive")
"""Kinds that are worth a look once a game is over."""
VOTES = """schema = 1
[game]
title = "Paper Boats"
moderators = ["Wren"]
timezone = "Europe/London"
[rules]
death = "plurality"
boundary = "until_lock"
[[day]]
number = 1
start_post = 1
[[day]]
number = 2
start_post = 40
ends = 2026-11-25T20:00:00
[[player]]
name = "Ada"
[[player]]
name = "Boro"
role = "Town Cop"
left = { how = "killed", post = 40 }
[[player]]
name = "Cinder"
role = "Mafia Goon"
[[player]]
name = "Elm"
role = "Town Doctor"
"""


def agrees(name: str, text: str) -> None:
    """Whether a text is what its golden file says."""
    file = GOLDEN / name
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{text}\n", encoding="utf-8")
    assert f"{text}\n" == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_reads_as_in_its_golden_file_in_every_dialect(kind: str, tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "tin", STAGE.get(kind, "day 2"))
    for entry in BEFORE.get(kind, ()):
        pages.append(entry, pages.journal[-1].at, "Wren")
    found = content_of(kind, scene(folder, pages))
    for dialect in DIALECTS:
        agrees(f"{kind}-{dialect.name}.txt", in_dialect(found, dialect.name))


@pytest.mark.parametrize("stage", STAGES)
def test_no_post_of_the_library_gives_a_secret_away(stage: str, tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "tin", stage)
    spoken = dict(told(scene(folder, pages)))
    assert {"rules", "error"} <= set(spoken)
    for text in spoken.values():
        assert released(text, session_of_test(folder, pages)) == text


@pytest.mark.few(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_every_game_has_its_own_posts_or_says_why_not(game: Game[Any], tmp_path: Path) -> None:
    texts: list[str] = []
    for whole, name in ((False, "in the middle"), (True, "at the end")):
        folder, pages = random_game(tmp_path / name, game, whole)
        found = told(scene(folder, pages), refusals=True)
        texts += [f"=== {kind}, {name} ===\n{text}" for kind, text in found if not whole or kind in LAST]
    agrees(f"game-{game.spec.id}.txt", "\n\n".join(texts))


def test_a_folder_of_votes_alone_has_the_posts_that_make_sense(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "boats", VOTES)
    texts = [f"=== {kind} ===\n{text}" for kind, text in told(scene(folder, Pages()), refusals=True)]
    agrees("game-votes.txt", "\n\n".join(texts))


def told(stand: Now, refusals: bool = False) -> Iterator[tuple[str, str]]:
    """Every kind that can be written there, in plain text; the others with why they cannot."""
    for kind in KINDS:
        try:
            yield kind, in_dialect(content_of(kind, stand), "plain")
        except InputError as refusal:
            if refusals:
                yield kind, f"({at_terminal(refusal)})"


def in_dialect(content: PostContent, dialect: str) -> str:
    return "\n\n".join(written(post_nodes(content), dialect))


def out(
    folder: Path,
    pages: Pages,
    kind: str,
    dialect: str = "plain",
    diff: bool = False,
    posted: bool = False,
    **asked: object,
) -> tuple[str, str]:
    """What `knightfall post` prints, and what it says beside it; raises what it refuses."""
    names = {"form": "format", "allow": "allow-leak"}
    words = [f"--{names.get(name, name)}={value}" for name, value in asked.items()]
    words += [*(["--diff"] if diff else []), *(["--posted"] if posted else [])]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("knightfall.cli.terminal.real_session", lambda *_: session_of_test(folder, pages))
        place = ["--game", str(folder), "--as", dialect, "--stored"]
        result = CliRunner().invoke(app, ["post", kind, *place, *words])
    if result.exception:
        raise result.exception
    return result.stdout.removesuffix("\n"), result.stderr.removesuffix("\n")


@pytest.fixture
def tin(tmp_path: Path) -> tuple[Path, Pages]:
    return lantern(tmp_path / "tin", "day 2")


def test_a_post_is_printed_and_kept_in_public(tin: tuple[Path, Pages]) -> None:
    folder, pages = tin
    text, beside = out(folder, pages, "day-start")
    assert (folder / "public" / "day-start.txt").read_text() == f"{text}\n"
    assert "Saved in public/day-start.txt." in beside
    assert "No post of this kind is marked as posted yet" in out(folder, pages, "day-start", diff=True)[1]


def test_an_unknown_kind_is_refused_with_all_kinds(tin: tuple[Path, Pages]) -> None:
    with pytest.raises(InputError, match=r"There is no post called “song”\. Expected one of signup, setup"):
        out(*tin, "song")


def test_what_was_posted_is_noted_and_the_next_one_compared_with_it(tin: tuple[Path, Pages]) -> None:
    folder, pages = tin
    text, beside = out(folder, pages, "rules", posted=True)
    assert "rules is marked as posted, number 1." in beside
    assert isinstance(entry := pages.journal[-1].entry, Published)
    assert (entry.kind, entry.text) == ("rules", text)
    assert "No changes since the last one (number 1, posted " in out(folder, pages, "rules")[1]
    house = (folder / "game.toml").read_text().replace('boundary = "before"', 'boundary = "minute"')
    (folder / "game.toml").write_text(house)
    changed, beside = out(folder, pages, "rules", diff=True)
    assert "): 1 line added, 1 line removed." in beside
    assert changed.splitlines() == [
        "  - If you want nobody to be eliminated, vote No Elimination: write “Vote: No Elimination” in bold.",
        "- - Votes must be posted before the deadline. A vote posted at the exact second of the deadline is "
        "too late.",
        "+ - Votes must be posted by the deadline. A vote posted in the same minute as the deadline still "
        "counts.",
        "  - You can change your vote until then; your latest vote counts. To take your vote back, write "
        "“Unvote” in bold.",
    ]


def test_a_day_tells_which_rules_changed_since_they_were_posted(tin: tuple[Path, Pages]) -> None:
    folder, pages = tin
    out(folder, pages, "rules", posted=True)
    assert "Rule changes" not in out(folder, pages, "day-start")[0]
    house = (folder / "game.toml").read_text().replace("[rules]\n", '[rules]\nedited = "void"\n')
    (folder / "game.toml").write_text(house)
    text = out(folder, pages, "day-start")[0]
    assert "Rule changes:\n- A vote in an edited post does not count.\n" in text


def test_a_note_tells_only_what_the_last_posted_one_did_not(tin: tuple[Path, Pages]) -> None:
    folder, pages = tin
    assert "Rook replaces Elm" in out(folder, pages, "note", posted=True)[0]
    with pytest.raises(InputError, match="since the last note"):
        out(folder, pages, "note")


def test_a_note_never_says_why(tin: tuple[Path, Pages]) -> None:
    assert "a new job" not in out(*tin, "note")[0]


def test_a_long_post_is_split_and_parts_of_a_longer_one_are_taken_away(tin: tuple[Path, Pages]) -> None:
    folder, pages = tin
    _, beside = out(folder, pages, "rules", limit=500)
    assert "Saved in public/rules-1.txt, public/rules-2.txt, public/rules-3.txt" in beside
    assert all(len(file.read_text()) <= 501 for file in (folder / "public").glob("rules-*.txt"))
    out(folder, pages, "rules")
    assert [file.name for file in (folder / "public").glob("rules*")] == ["rules.txt"]


def test_flavour_stands_before_the_post_and_reaches_nothing_of_it(
    tin: tuple[Path, Pages], tmp_path: Path
) -> None:
    words = tmp_path / "dawn.txt"
    words.write_text("[i]Fog lay over the [b]harbour.[/i]\n")
    text, _ = out(*tin, "dawn", flavour=words, dialect="phpbb")
    assert text.startswith("[i]Fog lay over the ")
    assert "\n\n[b]Night 1 is over.[/b]\n[b]Boro[/b] was found dead" in text


def test_flavour_that_gives_a_role_away_is_refused_with_its_line(
    tin: tuple[Path, Pages], tmp_path: Path
) -> None:
    folder, pages = tin
    words = tmp_path / "dawn.txt"
    words.write_text("Fog lay over the harbour.\nGale, the cop, slept badly.\n")
    with pytest.raises(SecretGuard, match=r"dawn\.txt: .*\nline 2: “Cop” gives away that Gale"):
        out(folder, pages, "dawn", flavour=words)
    assert not (folder / "public" / "dawn.txt").exists()
    text, _ = out(folder, pages, "dawn", flavour=words, allow="Gale claimed it")
    assert "Gale, the cop" in text
    assert [r.entry.why for r in pages.journal if isinstance(r.entry, Ruled)][-1] == "Gale claimed it"


def test_what_the_guard_let_pass_is_no_ruling_of_the_endgame(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "tin", "day 2")
    words = tmp_path / "dawn.txt"
    words.write_text("Gale, the cop, slept badly.\n")
    out(folder, pages, "dawn", flavour=words, allow="Gale claimed it")
    _, whole = lantern(tmp_path / "again", "over")
    pages.append(whole.journal[-1].entry, whole.journal[-1].at, "Wren")
    text = out(folder, pages, "endgame")[0]
    assert "Does a replacement take over the vote? Yes." in text
    assert "May this go out" not in text


def test_the_endgame_tells_how_many_days_are_counted(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    stand = scene(*lantern(tmp_path / "tin", "over"))
    stand = replace(stand, session=replace(stand.session, progress=lambda *step: steps.append(step)))
    content_of("endgame", stand)
    assert steps == [(1, 2), (2, 2)]


def sections(game: str) -> dict[str, str]:
    """The golden posts of a game, by the head of each."""
    text = (GOLDEN / f"game-{game}.txt").read_text(encoding="utf-8")
    parts = text.split("=== ")[1:]
    return {head: body.strip() for head, _, body in (part.partition(" ===\n") for part in parts)}


@pytest.mark.parametrize("game", ["knight_errant", "empowered"])
def test_dawn_and_the_day_that_begins_say_the_same_of_the_dead(game: str) -> None:
    posts = sections(game)
    found = [
        [line for line in posts[f"{kind}, in the middle"].splitlines() if " Role: " in line]
        for kind in ("dawn", "day-start")
    ]
    assert found[0]
    assert found[0] == found[1]


@pytest.mark.parametrize("game", ["knight_errant", "empowered", "custom_mafia", "knights_duty"])
def test_the_last_line_of_an_endgame_post_is_the_file_that_verify_deal_reads(game: str) -> None:
    last = sections(game)["endgame, at the end"].splitlines()[-1]
    assert json.loads(last)["commitment"]
    assert verify(parse_proof("the endgame post", last)) == ()


def test_the_endgame_proves_the_deal(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "tin", "over")
    line = next(
        line for line in out(folder, pages, "endgame")[0].splitlines() if line.startswith('{"schema"')
    )
    opening = out(*lantern(tmp_path / "early", "day 1"), "opening")[0]
    proof = parse_proof("the post", line)
    assert verify(proof) == ()
    assert proof.commitment in opening


@pytest.mark.parametrize(
    ("kind", "stage", "said"),
    [
        ("day-start", "night 1", r"No day is running \(night 1 is open\)"),
        ("day-start", "over", "The game is over. Its last post: write the endgame post"),
        ("end-of-day", "day 1", "No day has been closed yet"),
        ("dawn", "night 1", "No night has ended yet"),
        ("results", "night 1", "No night has ended yet"),
        ("endgame", "day 2", r"The game is not over \(Day 2\)"),
        ("archive", "day 2", "its roles cannot be published yet"),
        ("signup", "day 1", "sign-ups are closed. Its first post: write the opening post"),
        ("opening", "sign-ups", None),
    ],
)
def test_what_cannot_be_said_yet_is_refused_with_what_to_do(
    kind: str, stage: str, said: str | None, tmp_path: Path
) -> None:
    folder, pages = lantern(tmp_path / "tin", stage)
    if said is None:
        assert out(folder, pages, kind)[0].startswith("Tin Lantern\nModerators: Wren, Finch.")
        return
    with pytest.raises(InputError, match=said):
        out(folder, pages, kind)
    assert not list((folder / "public").iterdir())


def test_the_record_is_given_to_programs_with_harmless_cells(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "tin", "over")
    toml = (folder / "game.toml").read_text().replace('"Tin Lantern"', '"=1+1"')
    (folder / "game.toml").write_text(toml)
    text, beside = out(folder, pages, "archive", form="csv")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["player"] for row in rows][4] == "Rook (was Elm)"
    assert {row["title"] for row in rows} == {"'=1+1"}
    assert rows[0]["result"] == "lost"
    assert "Saved in public/archive.csv." in beside
    record = json.loads(out(folder, pages, "archive", form="json")[0])
    assert (record["schema"], record["winner"], len(record["players"])) == (1, "Town", 7)


def test_a_game_that_was_written_down_when_it_was_over_has_its_own_dates(tmp_path: Path) -> None:
    past = """schema = 1
[game]
title = "Paper Boats"
timezone = "Europe/London"
[[thread]]
url = "https://forum.example/viewtopic.php?t=71"
[[day]]
number = 1
start_post = 1
end_post = 9
[[day]]
number = 2
start_post = 10
ends = 2026-11-20T20:00:00
"""
    pages = Pages(kept=lantern_thread())
    folder = folder_of(tmp_path / "boats", past)
    session = replace(session_of_test(folder, pages), clock=Minutes(BEGAN + timedelta(days=900)))
    pages.append(Ruled("Who won?", "The town.", "post 14"), session.clock.now(), "Wren")
    record = json.loads(out(folder, pages, "archive", form="json")[0])
    assert (record["began"], record["ended"]) == ("2026-11-18", "2026-11-20")


def test_another_format_and_another_kind_are_refused(tmp_path: Path) -> None:
    folder, pages = lantern(tmp_path / "tin", "over")
    with pytest.raises(InputError, match="“format” xml: expected csv or json"):
        out(folder, pages, "archive", form="xml")
    with pytest.raises(InputError, match="“format” only works with the archive post, not with endgame"):
        out(folder, pages, "endgame", form="csv")


def test_a_game_of_votes_ends_its_day_with_the_flip(tmp_path: Path) -> None:
    folder, pages = folder_of(tmp_path / "boats", VOTES), Pages()
    _, journal = lantern(tmp_path / "clock", "day 1")
    pages.append(Closed("day-2", "eliminate Cinder"), journal.journal[-1].at, "Wren")
    text, beside = out(folder, pages, "end-of-day")
    assert "Cinder is eliminated.\nCinder was: Mafia Goon." in text
    assert "It has no final votecount: no posts of the game's thread have been read" in beside
    assert "Cinder: Mafia Goon, eliminated, day 2" in out(folder, pages, "opening")[0]
    with pytest.raises(InputError, match=r"Day 2 is closed\. Before the post of the next day"):
        out(folder, pages, "day-start")


@pytest.mark.parametrize(
    "name", ["[b]x[/b]", "x[/area]", "@everyone", "{{ 7*7 }}", "<script>", "=1+1", "\u202ex\u200b"]
)
def test_names_are_data_in_every_post(name: str, tmp_path: Path) -> None:
    file = VOTES.replace('name = "Ada"', f"name = {json.dumps(name)}").replace(
        "Paper Boats", json.dumps(name)[1:-1]
    )
    stand = scene(folder_of(tmp_path / "boats", file), Pages())
    for kind in ("signup", "opening", "day-start"):
        found = content_of(kind, stand)
        for dialect in ("mafiascum", "discourse", "ips", "plain"):
            text = in_dialect(found, dialect)
            assert "49" not in text
            assert "\u202e" not in text
            assert "@everyone" not in text
            assert dialect != "ips" or "<script>" not in text
            assert dialect != "mafiascum" or faults("mafiascum", text) == []
