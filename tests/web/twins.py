"""Two games that everybody sees the same, while what nobody may see differs: cards, orders, PMs and whose
they are. A page that shows one otherwise than the other gives something away."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from begun import begin
from fetch.loopback import StillClock
from knightfall.games import loaded
from knightfall.sentence import SlotId
from knightfall.services.machine import session_of
from knightfall.services.now import now_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.session import Session
from knightfall.services.window import turns

NAMES = (
    *("Ada", "Boro", "Cinder", "Dusk", "Elm", "Fen", "Gale", "Hollis", "Iris"),
    *("Juniper", "Kestrel", "Lumen", "Moth", "Nettle", "Onyx", "Pike", "Quill", "Rook"),
)
CARDS = (
    *({"role": role} for role in ("Mafia Goon", "Mafia Roleblocker", "Town Cop", "Town Tracker")),
    {"role": "Vanilla Townie", "fill": True},
)
QUIET = ("cop", "gunsmith", "track", "watch", "role cop", "rolecop", "investigate")
"""Words with which orders begin whose night kills nobody."""


def still(folder: Path) -> Session:
    """The session of a folder at an instant at which time stands still."""
    return replace(session_of(folder), clock=StillClock(), author="Wren")


def dealt(kind: str, folder: Path, seed: bytes, options: dict[str, object] | None = None) -> None:
    """A game of that kind, dealt by that seed to as many as it takes."""
    fits = loaded(kind).spec.players
    players = NAMES[: max(fits[0], min(fits[-1], 9))]
    request = NewGameRequest(
        kind, players, folder, seed * 32, b"t" * 32, "Salt Harbour", "UTC", options or {}
    )
    begin(request, still(folder))


def say(folder: Path, who: object, text: str) -> None:
    turns.submit(str(who), text, None, still(folder))


def close(folder: Path, kind: str) -> None:
    turns.close(kind, None, still(folder), why_early="all have played")


def orders(folder: Path) -> list[tuple[SlotId, str]]:
    """An order for each who looks at somebody at night."""
    table = now_of(still(folder)).running
    found = []
    for slot in table.game.playing(table.state):
        lines = table.game.legal(table.state, slot)
        looks = [one for one in lines if one.casefold().startswith(QUIET)]
        if looks:
            found.append((slot, looks[-1]))
    return found


def of_mafia(kind: str, options: dict[str, object]) -> Callable[[Path, int], None]:
    """A night with results for some or for none, and a second one in which orders are on file."""

    def make(folder: Path, twin: int) -> None:
        dealt(kind, folder, b"st"[twin : twin + 1], options)
        if kind == "empowered":
            choose_roles(folder, twin)
        say(folder, "moderator", "no elimination")
        close(folder, "day")
        for slot, line in orders(folder)[: None if twin else 0]:
            say(folder, slot, line)
        close(folder, "night")
        say(folder, "moderator", "no elimination")
        close(folder, "day")
        if twin:
            awaited = turns.look("night", still(folder)).window.slots
            say(folder, awaited[0], "no action")
            say(folder, awaited[-1], "dance with the quiet one")

    return make


def choose_roles(folder: Path, twin: int) -> None:
    """The mafiosi of Empowered choose; one of them was not understood at first."""
    table = now_of(still(folder)).running
    [window] = table.windows
    for place, slot in enumerate(window.slots):
        lines = list(table.game.legal(table.state, slot))
        if twin and not place:
            say(folder, slot, "the best one, please")
        say(folder, slot, lines[(place + twin) % len(lines)])
    close(folder, window.kind)


def of_court(folder: Path, twin: int) -> None:
    """A tie that the King decides, whoever that is; in one of them they have sent a list. Another one did
    not vote, and pays for it."""
    dealt("kings_court", folder, b"ac"[twin : twin + 1])
    table = now_of(still(folder)).running
    king = next(slot for slot, role in table.game.roles(table.state).items() if role == "King")
    tied = ("Hollis", "Iris")
    assert king not in tied
    for place, name in enumerate(NAMES[:11]):
        other = tied[place % 2] if name not in tied else tied[1 - tied.index(name)]
        if name != ("Kestrel", "Ada")[twin]:
            say(folder, name, f"VOTE: {other}")
    close(folder, "vote")
    if twin:
        say(folder, king, "TIEBREAK: Iris > Hollis")


def of_duty(folder: Path, twin: int) -> None:
    """Plans of a turn, of all or of one."""
    dealt("knights_duty", folder, b"s")
    for number, name in enumerate(NAMES[:6]):
        start = ("A3", "A5", "C1", "C7", "G1", "G7")[number]
        say(folder, name, f"START {start}\nWEAPON BOW")
    close(folder, "setup")
    for name in NAMES[: 4 if twin else 1]:
        say(folder, name, "BOW @ Boro / PASS" if name != "Boro" else "SHIELD / PASS")


def of_fight(folder: Path, twin: int) -> None:
    """A bout with a bid on file, or with none."""
    dealt("knight_fight", folder, b"s", {"anomalies": "BH"})
    say(folder, "Ada", "SIDE: X")
    table = now_of(still(folder)).running
    lines = [one for slot in ("Ada", "Boro") for one in table.game.legal(table.state, SlotId(slot))]
    bid = next(line for line in lines if line.casefold().startswith("bid"))
    say(folder, "Boro" if twin else "Ada", bid)


TWINS: dict[str, Callable[[Path, int], None]] = {
    "knight_errant": of_mafia("knight_errant", {"setup": "A1-RD"}),
    "custom_mafia": of_mafia("custom_mafia", {"setup": {"slots": list(CARDS)}}),
    "empowered": of_mafia("empowered", {}),
    "kings_court": of_court,
    "knights_duty": of_duty,
    "knight_fight": of_fight,
}


def masked(text: str) -> str:
    """A page without what differs between any two games: seals and heads, and how long the journal is."""
    text = re.sub(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{16}-[0-9a-f]{12}\b", "#", text)
    return re.sub(r'name="known" value="\d+"', 'name="known"', text)


def public_texts(folder: Path) -> list[str]:
    """What everybody was told, in order."""
    files: Iterable[Path] = sorted((folder / "public").glob("*.txt"))
    return [masked(file.read_text(encoding="utf-8")) for file in files]
