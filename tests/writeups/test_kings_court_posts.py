"""Every write-up of King's Court as its readers see it, compared whole.

After a change that is meant: KNIGHTFALL_GOLDEN=write scripts/test tests/writeups, then read the posts.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

from knightfall.engine.game import Announced, Event, Noted, Told
from knightfall.engine.rng import SeededRng
from knightfall.games.kings_court import KINGS_COURT
from knightfall.games.kings_court.events import PublicBallot
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import template_names
from salt_court import ADA, BORO, CINDER, COURT, DUSK, FEN, HOLLIS, IRIS, JUNIPER, NOON, Table, seated

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/writeups/kings_court"
SHARED = {f"kings_court/{name}" for name in ("court", "sentences", "by_hand", "setup")}
"""Templates that others are made of, the mark of a draw by hand (tests/services/test_published_proof.py), and
the rules in full (test_kings_court_setup.py)."""


def team_match() -> list[Event]:
    """A match that the Dukes win: looks, purchases, a gift, a tie, a check, names, a tie for the lowest."""
    table = Table(seated(garnets=dict.fromkeys(COURT, 20)))
    table.say(ADA, "LEARN: Boro, Hollis")
    table.say(BORO, "PEEK: Ada\nANNOYED?")
    table.say(CINDER, "GIVE: 1 to Dusk\nGIVE: 3 to Boro")
    table.say(HOLLIS, "ANNOYED?")
    table.say(None, "reminder")
    table.say(None, "garnets Fen +1")
    table.say(None, "public Elm: VOTE: Boro")
    table.say(None, "modkill Lumen")
    table.say(None, "revive Lumen")
    table.vote(Boro="Ada Cinder Dusk Elm", Hollis="Boro Fen Iris", Iris="Juniper Kestrel Lumen")
    table.say(BORO, "CHECK: Cinder, Hollis")
    table.say(BORO, "nonsense")
    table.say(ADA, "TIEBREAK: Cinder > Iris")
    table.vote(Cinder="Dusk Elm Fen Ada", Iris="Hollis Juniper Kestrel Lumen", Hollis="Cinder Iris")
    table.close("tie")
    table.elect(IRIS)
    table.say(IRIS, "CHECK: Ada, Boro")
    table.elect(ADA)
    table.say(BORO, "EC: Juniper")
    table.close("ec")
    assert table.state.end is not None
    table.say(table.state.end.ec, "DMO: Ada")
    return table.events


def king_match(court: Iterable[SlotId]) -> list[Event]:
    """A match that the King wins, from the last vote on."""
    table = Table(seated(*court, totals={HOLLIS: 5, JUNIPER: 3, DUSK: 3}))
    table.elect(ADA)
    table.say(ADA, "TOL: Boro, Hollis")
    table.say(ADA, "EC: Elm")
    return table.events


def early_matches() -> list[Event]:
    """Early Kings in the first and the fourth attempt; one in a tie; one who is alone."""
    first = Table(seated(BORO))
    first.elect(ADA)
    fourth = Table(seated(BORO, CINDER, attempt=4, past_kings=(FEN, DUSK, IRIS)))
    fourth.elect(ADA)
    tied = Table(seated())
    tied.vote(Ada="Boro", Boro="Ada", Cinder="")
    open_tie = Table(seated())
    open_tie.vote(Ada="Boro", Boro="Ada", Cinder="Dusk")
    silent = Table(seated(zero_votes="revote"))
    silent.close("vote")
    alone = Table(seated(*(slot for slot in COURT if slot not in (ADA, JUNIPER)), check_right=BORO))
    alone.vote(Ada="Juniper", Juniper="Ada")
    alone.close("tie")
    return [e for t in (first, fourth, tied, open_tie, silent, alone) for e in t.events]


def house_rules() -> list[Event]:
    """What options make different."""
    removed = Table(seated(kc_39="role_revealed"))
    removed.say(None, "modkill Fen")
    lost = Table(seated(BORO, CINDER, HOLLIS, IRIS, kc_30="lost"))
    lost.elect(ADA)
    lost.close("tol")
    coin = Table(lost.state._replace(rules=seated(kc_35="external").rules))
    coin.close("ec")
    refused = Table(seated(BORO, check_right=BORO, king_in_pair="no_result", check_delivery="immediate"))
    refused.say(BORO, "CHECK: Ada, Cinder")
    opening = KINGS_COURT.setup(
        COURT, {"tie_publish": "at_once", "garnet_floor": "none", "kc_02": 1}, SeededRng(b"o")
    ).events[:1]
    return [*opening, *(event for t in (removed, lost, coin, refused) for event in t.events)]


def all_events() -> list[Event]:
    dealt = KINGS_COURT.setup(COURT, {}, SeededRng(b"golden")).events
    king = king_match((BORO, CINDER, HOLLIS, IRIS))
    return [*dealt, *team_match(), *king, *early_matches(), *house_rules()]


def written(event: Event, dialect: str = "plain") -> str:
    if isinstance(event, Announced):
        return public_post("kings_court", event, dialect)
    if isinstance(event, Told):
        return private_message("kings_court", event, dialect)
    return moderator_sheet("kings_court", event, dialect)


def audience(event: Event) -> str:
    if isinstance(event, Announced):
        return "posts"
    return "moderator" if isinstance(event, Noted) else "pms"


def told_to(events: Iterable[Event], reader: str) -> str:
    posts = [f"=== {e.kind} ===\n{written(e)}\n" for e in events if audience(e) == reader]
    return "\n".join(dict.fromkeys(posts))


def assert_golden(name: str, text: str) -> None:
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        (GOLDEN / name).write_text(text, encoding="utf-8")
    assert text == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("reader", ["posts", "pms", "moderator"])
def test_the_write_ups_read_as_in_the_golden_files(reader: str) -> None:
    assert_golden(f"{reader}.txt", told_to(all_events(), reader))


def test_the_final_tables_read_well_in_bbcode() -> None:
    ending = next(e for e in team_match() if e.kind == "ending")
    assert_golden("ending.bbcode.txt", written(ending, "xenforo"))


def test_every_kind_of_event_has_a_template_and_every_template_an_event() -> None:
    own = {name for name in template_names() if name.startswith("kings_court/")} - SHARED
    assert {f"kings_court/{event.kind}" for event in all_events()} == own


@pytest.mark.parametrize("dialect", ["phpbb", "discourse"])
def test_every_write_up_has_a_form_in_other_dialects(dialect: str) -> None:
    assert all(written(event, dialect) for event in all_events())


def test_a_name_is_never_markup() -> None:
    event = Announced(PublicBallot(SlotId("[b]x")))
    assert "[b]x, votes" in written(event).replace("\u200b", "")


def test_the_receipt_says_what_is_on_file_and_until_when() -> None:
    table = Table(seated(BORO))
    table.say(FEN, "VOTE: Elm")
    (receipt,) = (event for event in table.events if event.kind == "receipt")
    assert written(receipt) == (
        "Received 12:00 UTC. On file for round 2: VOTE: Elm. Deadline: Wed 04 Mar 2026, 12:00 UTC. "
        "Reply to change."
    )
    assert table.now == NOON
