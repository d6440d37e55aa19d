"""What services tell as commands the page tells as its own pages and fields."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from knightfall.web.page_words import page_words

from fetch.loopback import serving
from fetch.threads import Forum
from knightfall.cli.verbs import VERBS
from knightfall.services.new_game import NewGameRequest, begin
from knightfall.services.this_machine import session_of
from web.hands import form_hand
from web.served import served
from web.test_pages import begun

SOURCE = Path(__file__).parents[2] / "src/knightfall"
FACES = {"cli", "api", "web"}
COMMAND = re.compile(rf"\bknightfall (?:{'|'.join(VERBS)})\b|(?<![\w-])--[a-z]")


def texts_with_a_command() -> Iterator[str]:
    """Every sentence in the source that names a command, with 7 where something is filled in."""
    for file in sorted(SOURCE.rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if file.relative_to(SOURCE).parts[0] in FACES or not re.search(r"knightfall [a-z]|--[a-z]", source):
            continue
        tree = ast.parse(source)
        parts = {
            id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr):
                text = "".join(
                    str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values
                )
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
                text = node.value
            else:
                continue
            if COMMAND.search(text):
                yield text


def test_no_sentence_of_a_service_leaves_a_command_on_the_page() -> None:
    texts = list(texts_with_a_command())
    assert len(texts) > 150
    left = {text: page_words(text).text for text in texts}
    assert [(text, said) for text, said in left.items() if COMMAND.search(said)] == []
    assert [text for text, said in left.items() if not re.search(r"\w", said)] == []


@pytest.mark.parametrize(
    ("told", "here", "said", "ways"),
    [
        (
            "There is no entry 9 to undo. The journal has 7: see knightfall log.",
            "log",
            "There is no entry 9 to undo. The journal has 7: see “Log”.",
            ["log"],
        ),
        (
            'Day 1 is still running: no hammer. To end it early: knightfall phase close --early "WHY"',
            "close",
            "Day 1 is still running: no hammer. To end it early: “Close the day” with “Why it ends before "
            "its deadline”",
            ["close"],
        ),
        (
            'Correct the vote: knightfall fix POST --to NAME --why "…". Where the votecount is '
            'wrong: knightfall phase close --despite "WHY"',
            "close",
            "Correct the vote: “Votecount”. Where the votecount is wrong: “Close the day” with “What is "
            "wrong with it”",
            ["votes", "close"],
        ),
        (
            'It was closed. To let the message count: knightfall undo 12 --why "…", then submit it again.',
            "night",
            "It was closed. To let the message count: “Undo entry 12”, then submit it again.",
            ["log/12/undo"],
        ),
        (
            "--at Sun 8pm is in the future. A message has been sent before now.",
            "night",
            "“Sent” Sun 8pm is in the future. A message has been sent before now.",
            [],
        ),
        (
            "The thread has not been read yet. Say --at POST, or read the thread: knightfall vc",
            "players",
            "The thread has not been read yet. Fill in “From this post on”, or read the thread: “Votecount”",
            ["votes"],
        ),
        (
            'Give a reason for the modkill: --why "…". It is kept in the journal and never posted.',
            "players",
            "Give a reason for the modkill: “Reason”. It is kept in the journal and never posted.",
            [],
        ),
        (
            "It is 90 days ahead. Is the year right? If it is, add --far.",
            "phases",
            "It is 90 days ahead. Is the year right? If it is, tick “It is more than 60 days ahead, and that "
            "is right”.",
            [],
        ),
        (
            "The thread shows a login form. Give your login (--cookies FILE) or use saved pages (--from-html "
            "FILE...).",
            "votes",
            "The thread shows a login form. Give your login or use saved pages.",
            [],
        ),
        (
            "It is missing. Restore it from a backup, or import your last export: knightfall import FILE. "
            "Nothing was written.",
            "",
            "It is missing. Restore it from a backup, or import your last export. Nothing was written.",
            [],
        ),
        ("Nobody is called “the quiet one”.", "night", "Nobody is called “the quiet one”.", []),
    ],
)  # fmt: skip
def test_a_command_becomes_the_page_and_a_flag_the_field(
    told: str, here: str, said: str, ways: list[str]
) -> None:
    found = page_words(told, here)
    assert found.text == said
    assert [to for to, _ in found.ways] == ways


WRONG: tuple[tuple[str, dict[str, str]], ...] = (
    ("deal", {"setup": "no-such-setup"}),
    ("deal", {"own_setup": "nonsense = ["}),
    ("phases/open", {"kind": "day", "number": "1", "ends": "2020-01-01 20:00"}),
    ("phases/open", {"kind": "day", "number": "1", "ends": "2090-01-01 20:00"}),
    ("phases/open", {"kind": "day", "number": "1", "ends": "someday"}),
    ("phases/open", {"kind": "dinner", "number": "1", "ends": "48h"}),
    ("phases/extend", {"kind": "day", "number": "1"}),
    ("phases/extend", {"kind": "day", "number": "1", "by": "long"}),
    ("phases/extend", {"kind": "night", "number": "4", "by": "24h"}),
    ("phases/stop", {"kind": "day", "number": "1"}),
    ("phases/lock", {"kind": "day", "number": "1"}),
    ("close/look", {"pause": "2", "stored": "1"}),
    ("close/look", {"pause": "nothing"}),
    ("votes/fix", {"post": "9", "as": "to", "to": "Ada"}),
    ("votes/fix", {"post": "9"}),
    ("votes/fix", {"post": "9", "as": "learn"}),
    ("night/say", {"who": "Nobody", "text": "kill Ada"}),
    ("night/say", {"who": "Ada", "text": "no action", "at": "2090-01-01 20:00"}),
    ("night/say", {"who": "moderator", "text": "dance"}),
    ("night/close", {"kind": "night"}),
    ("night/close", {"kind": "day"}),
    ("messages/threads", {}),
    ("draws", {"label": "kd.card:R1:Ada->Boro", "values": "Hit"}),
    ("log/99/undo", {"why": "a slip"}),
    ("log/1/undo", {"why": ""}),
    ("rule", {}),
    ("players/slot/replace?who=Ada", {}),
    ("players/slot/replace?who=Ada", {"new": "Rook", "at": "no number"}),
    ("players/slot/modkill?who=Ada", {}),
    ("players/slot/revive?who=Ada", {"why": "a slip"}),
    ("players/slot/kill?who=Nobody", {"why": "a slip"}),
    ("players/slot/vla?who=Ada", {"days": "soon"}),
    ("prods", {}),
    ("note", {}),
    ("signups/decide", {"post": "9", "word": "in"}),
    ("signups/read", {}),
    ("posts/endgame/posted", {}),
    ("posts/dawn/posted", {}),
    ("posts/archive/posted", {}),
    ("pms/result/mark", {"batch": "result-1", "state": "sent", "to": "Ada"}),
    ("pms/role/mark", {"batch": "role-1", "state": "burned", "to": "Ada"}),
    ("file", {"text": "nonsense = ["}),
)
LOOKS = (
    *("", "votes", "votes?at=soon", "close", "night", "night?edit=nonsense", "pms/role", "pms/result"),
    *("players", "nicknames", "signups", "board", "board/play?player=Ada", "draws", "messages", "end"),
    *("log/99/undo", "posts/endgame", "posts/dawn", "posts/results", "posts/end-of-day", "posts/note"),
    *("posts/archive", "posts/votecount", "posts/setup", "posts/nonsense", "posts/day-start"),
    *("players/slot?who=Nobody", "pms/nonsense"),
)  # fmt: skip


def test_whatever_goes_wrong_on_a_page_is_told_without_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    with serving(Forum([(101, "Wren", "Day 1"), (102, "Ada", "<b>Vote: the quiet one</b>")])) as server:
        thread = f"{server.root}viewtopic.php?t=5"
        begun("knight_errant", tmp_path / "dealt")
        for name, people in (("counted", ("Ada", "Boro", "Elm")), ("empty", ())):
            request = NewGameRequest(
                "votes", people, tmp_path / name, b"", b"", "Salt Harbour", site="phpbb",
                moderators=("Wren",), threads=(("game", thread),),
            )  # fmt: skip
            begin(request, session_of(tmp_path / name))
        hand = form_hand(served(tmp_path))
        hand.go("/games/counted/votes")
        hand.press("Read the thread")
        token = hand.tree.xpath("//input[@name='form_token']")[0].get("value")
        told, refused = [], 0
        for game in ("dealt", "counted", "empty"):
            for path in LOOKS:
                hand.go(f"/games/{game}/{path}".rstrip("/"))
                told += [(game, path, found[0]) for found in COMMAND.finditer(hand.text)]
            for path, form in WRONG:
                answer = hand.client.post(
                    f"/games/{game}/{path}",
                    data={"form_token": token, **form},
                    headers={"Origin": "http://127.0.0.1:8765"},
                )
                refused += answer.status_code >= 400
                words = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", answer.text, flags=re.DOTALL)
                told += [(game, path, found[0]) for found in COMMAND.finditer(words)]
        assert told == []
        assert refused > 80
