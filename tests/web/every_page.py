"""Every page of the moderator's page, in games that have something on each of them."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from begun import begin
from fetch.loopback import Server
from fetch.threads import Forum
from knightfall.services.machine import session_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.window import turns
from web.hands import Hand
from web.hosting import up_to_preview
from web.test_pages import NAMES, begun

COPIED = "https://forum.example/viewtopic.php?t=5"
"""Where the page is from of which one alone is pasted."""
LONG = "The_Very_Long_Name_of_Somebody_Who_Likes_Long_Names"


@dataclass(frozen=True)
class Shown:
    """A page: its address ("": where the hand is), and what it is called among the screenshots."""

    name: str
    path: str


def crowded_thread() -> Forum:
    """Sixty posts of a day with votes, questions, near misses, and the moderator's own wrong votecount."""
    posts = [(100, "Wren", "<b>Day 1 begins.</b>")]
    for number in range(40):
        voter, target = NAMES[number % 17], NAMES[(number * 7 + 3) % 17]
        posts.append(
            (101 + number, voter, f"I think so. <b>Vote: {target if target != voter else 'Ada'}</b>")
        )
    return Forum(
        [
            *posts,
            (150, "Boro", "<b>Vote: the quiet one</b>"),
            (151, "Elm", "<b>Vote: somebody loud</b>"),
            (152, "Fen", "vote Ada"),
            (153, "Gale", "<b>Vote: Ada</b>, or not? unvote"),
            (154, "Stranger", "<b>Vote: Ada</b>"),
        ]
    )


def made(desk: Path, server: Server) -> None:
    """Games with something on every page, in the folder of games."""
    thread = f"{server.root}viewtopic.php?t=5"
    people = (*NAMES[:17], LONG)
    request = NewGameRequest(
        "knight_errant", people, desk / "harbour", b"s" * 32, b"t" * 32, "Salt Harbour", "Europe/Lisbon",
        {}, site="phpbb", moderators=("Wren",), threads=(("game", thread),),
    )  # fmt: skip
    begin(request, session_of(desk / "harbour", allow_private=True))
    crowd = NewGameRequest(
        "votes", people, desk / "tally", b"", b"", "Tin Valley", site="phpbb", moderators=("Wren",),
        threads=(("game", thread),),
    )  # fmt: skip
    begin(crowd, session_of(desk / "tally", allow_private=True))
    for kind, name in (("kings_court", "court"), ("knight_fight", "fight"), ("knights_duty", "duty")):
        begun(kind, desk / name)
    turns.submit("Ada", "VOTE: Boro", None, session_of(desk / "court"))
    turns.submit("Boro", "VOTE: nobody at all", None, session_of(desk / "court"))
    turns.submit("Ada", "SIDE: X", None, session_of(desk / "fight"))
    for number, name in enumerate(NAMES[:6]):
        start = ("A3", "A5", "C1", "C7", "G1", "G7")[number]
        turns.submit(name, f"START {start}\nWEAPON BOW", None, session_of(desk / "duty"))
    turns.close("setup", None, session_of(desk / "duty"))
    turns.submit("Ada", "BOW @ Boro / BOW @ Boro / PASS", None, session_of(desk / "duty"))
    # At night: one row settled, one refused.
    night = NewGameRequest(
        "knight_errant", people, desk / "night", b"s" * 32, b"t" * 32, "Night Ferry", "Europe/Lisbon"
    )
    begin(night, session_of(desk / "night"))
    turns.submit("moderator", "no elimination", None, session_of(desk / "night"))
    turns.close("day", None, session_of(desk / "night"))
    rows = turns.look("night", session_of(desk / "night")).window.slots
    turns.submit(str(rows[0]), "no action", None, session_of(desk / "night"))
    turns.submit(str(rows[1]), "dance with the quiet one", None, session_of(desk / "night"))
    empty = NewGameRequest(
        "knight_errant", (), desk / "empty", b"", b"", "Empty Quay", threads=(("signup", thread),)
    )
    begin(empty, session_of(desk / "empty", allow_private=True))
    with (desk / "form.csv").open("w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([("Player", "Action"), ("Cinder", "VOTE: Ada"), ("Nobody", "VOTE: Ada")])


def every_page(hand: Hand, desk: Path, address: str) -> Iterator[Shown]:
    """All pages, each as soon as the hand has made what it shows."""
    for path, name in (
        ("/", "start"), ("/host", "host"), ("/host/knight_errant", "host-thread"), ("/bots", "bots"),
        ("/host/custom_mafia/about", "host-about"), ("/host/knight_fight/setup", "host-options"),
        ("/host/custom_mafia/setup", "host-picker"), ("/host/custom_mafia/players", "host-players"),
        ("/balance", "balance"), ("/review", "review"),
        ("/roles", "roles"), ("/roles?name=2-shot+weak+doctor", "role"),
        ("/ask", "ask"), ("/ask/rulings?game=empowered", "rulings"), ("/ask/forums", "forums"),
        ("/help", "help"), ("/help?q=deadline", "help-found"), ("/help/forums", "help-page"),
        ("/help/reference", "help-reference"),
        ("/bring", "bring"), ("/settings", "settings"), ("/adopt", "adopt"),
        ("/own-network", "own-network"), ("/sessions", "sessions"), ("/logins", "logins"),
        ("/api/v1/", "api"),
        ("/nowhere", "nowhere"),
    ):  # fmt: skip
        yield Shown(name, path)

    # What has to be made first.
    hand.go("/balance")
    hand.press("Play", {"Games": "500"})
    yield Shown("balance-found", hand.path)
    hand.go("/review")
    hand.press(
        "Review",
        {
            "The setup": "2 Mafia Goon\nTown Gunsmith\nTown Miller\n5 Vanilla Townie",
            "Games": "200",
        },
    )
    yield Shown("review-found", hand.path)
    hand.go("/games/tally/votes")
    hand.press("Read the thread")
    hand.go("/")
    hand.press("Go on", {"Address of the thread": address})
    yield Shown("count", hand.path)
    hand.press("Take this game in")
    hand.press("Read the game", {"Who has which role": "Ada – Town Cop\nBoro – Town Copp"})
    yield Shown("adopt-table", hand.path)
    hand.go("/")
    copied = f"<!-- saved from url=({len(COPIED):04}){COPIED} -->\n{crowded_thread().page(0).body.decode()}"
    hand.press("Go on", {"Address of the thread": copied})
    yield Shown("pasted", hand.path)
    hand.go("/host/custom_mafia/about")
    hand.press("Go on", {"Title of the game": "Tin Valley"})
    hand.press("Read it back", {"Its roles": "2 Goons\nTown Copp\nMasons\nrest VT"})
    yield Shown("host-read-back", "")
    players = {"Players, one on a line": "\n".join(NAMES[:11])}
    up_to_preview(hand, "kings_court", {"Title of the game": "Tin Court"}, players=players)
    yield Shown("host-preview", "")
    hand.go("/")
    hand.press("Try it with nine players")
    hand.press("Let the players go on")
    hand.go("/games/rehearsal")
    yield Shown("rehearsal", hand.path)
    hand.go("/games/court/messages")
    hand.press("Read the table", {"answers to a form": desk / "form.csv"})
    yield Shown("messages-read", hand.path)
    hand.go("/games/tally/close")
    hand.press("Read and count", {"the forum is not asked": True, "before its deadline": "all agree"})
    yield Shown("close-confirm", hand.path)
    hand.go("/games/court/log")
    hand.press("Record it", {"Question": "May one whisper?", "Your answer": "No", "Reason": "house rule"})
    yield Shown("log-notice", hand.path)

    for game, pages in {
        "harbour": (
            "", "phases", "rules", "close", "night", "pms/role", "pms/result", "rooms", "players",
            "players/slot?who=Elm", "posts", "posts/opening", "posts/endgame", "log", "log/1/undo", "end",
            "hand-over",
            "deal", "board", "file", "ask",
        ),
        "tally": (
            "", "votes", "votes/posts?kind=unread", "votes/decide?post=3", "nicknames",
            f"players/slot?who={LONG}",
        ),
        "court": ("", "board", "messages", "texts/public/001-01-opening.txt"),
        "fight": ("board/play?player=Ada",),
        "duty": ("draws", "board/play?player=Ada&pick=MOVE+E"),
        "night": ("", "night"),
        "empty": ("", "signups", "deal"),
    }.items():  # fmt: skip
        for page in pages:
            yield Shown(f"{game}-{page or 'today'}", f"/games/{game}/{page}".rstrip("/"))
