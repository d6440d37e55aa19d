"""The journal: a chain that replays, and asks where an undo left something without ground."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from knightfall.engine.commands import Order
from knightfall.engine.entries import (
    EDITION,
    Aliased,
    Closed,
    Drawn,
    Entry,
    Extended,
    Fixed,
    Locked,
    Opened,
    Published,
    Removed,
    Replaced,
    Revived,
    Started,
    Submitted,
    Undone,
    decode,
    encode,
    options_of,
)
from knightfall.engine.game import Game, Message, Step, Window
from knightfall.engine.journal import Journal, append, standing, undone_numbers, verify
from knightfall.engine.playout import play
from knightfall.engine.replay import Replay, due, go_on, replay
from knightfall.engine.rng import Rng, SeededRng
from knightfall.errors import StateDamaged
from knightfall.games import GAMES
from knightfall.games.knight_errant import KNIGHT_ERRANT, State
from knightfall.games.knights_duty import KNIGHTS_DUTY
from knightfall.models import PostId, PostMark
from knightfall.sentence import SlotId
from salt_harbour import NAMES

DAWN = datetime(2026, 3, 1, 8, tzinfo=UTC)
START = Started("knight_errant", NAMES, {"setup": "D4-UL"}, "seed 1")


def chain(*entries: Entry) -> Journal:
    journal: Journal = ()
    for hour, entry in enumerate(entries):
        journal = append(journal, entry, DAWN + timedelta(hours=hour), "Wren")
    return journal


def run(journal: Journal) -> Replay[State]:
    return replay(journal, KNIGHT_ERRANT, lambda: SeededRng(b"salt harbour"))


def holder(role: str) -> SlotId:
    cards = run(chain(START)).state.cards
    return next(slot for slot, card in cards.items() if card.name == role)


def test_a_changed_record_is_found() -> None:
    journal = chain(START, Closed("day", "no elimination"))
    verify(journal)
    forged = (journal[0], replace(journal[1], entry=Closed("day", "eliminate Ada")))
    with pytest.raises(StateDamaged, match="Record 2"):
        verify(forged)


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        ("eliminate Ada", (Order("eliminate", (NAMES[0],)),)),
        ("eliminate Ada\neliminate Boro", tuple(Order("eliminate", (one,)) for one in NAMES[:2])),
        ("no elimination", (Order("no elimination"),)),
    ],
)
def test_a_day_that_an_older_journal_closed_by_a_line_ends_as_one_closed_by_values(
    line: str, orders: tuple[Order, ...]
) -> None:
    older, newer = Closed("day", line), Closed("day", orders=orders)
    assert run(chain(START, older)).state == run(chain(START, newer)).state
    assert older.eliminated == newer.eliminated
    assert decode(encode(newer)) == newer
    assert decode(encode(older)) == older


def test_a_tie_with_nobody_among_the_tied_is_kept() -> None:
    closing = Closed("day-1", orders=(Order("tie", (SlotId("Ada, Jr."), None)),))
    assert decode(encode(closing)) == closing


@pytest.mark.parametrize("entry", [Removed(SlotId("=Ada")), Removed(SlotId("-Mist-"), "kill")])
def test_who_was_taken_out_is_nobody_else(entry: Removed) -> None:
    names = (SlotId("Ada"), SlotId("=Ada"), SlotId("-Mist-"), *NAMES[3:])
    found = run(chain(replace(START, slots=names), entry))
    assert not any(taken.refused for taken in found.taken)
    assert set(found.state.left) == {entry.slot}


def test_a_closed_day_carries_its_outcome() -> None:
    state = run(chain(START, Closed("day", "eliminate Ada"))).state
    assert state.phase == "night"
    assert list(state.left) == ["Ada"]


def test_an_alias_works_from_its_entry_on() -> None:
    tracker = holder("Town Tracker")
    target = next(name for name in NAMES if name != tracker)
    journal = chain(
        START,
        Closed("day", "no elimination"),
        Submitted(tracker, "track zz"),
        Aliased(target, "ZZ"),
        Submitted(tracker, "track zz"),
    )
    taken = run(journal).taken
    assert [len(step.refused) for step in taken[-2:]] == [1, 0]


def test_an_entry_without_its_ground_becomes_a_question() -> None:
    tracker = holder("Town Tracker")
    target = next(name for name in NAMES if name != tracker)
    journal = chain(
        START,
        Closed("day", "no elimination"),
        Submitted(tracker, f"track {target}"),
        Undone(2, "the deadline was a day later"),
    )
    replayed = run(journal)
    assert replayed.state.phase == "day"
    assert [question.number for question in replayed.questions] == [3]
    # It stays one when the game goes on; what is refused at once is none.
    longer = append(journal, Submitted(tracker, f"track {target}"), journal[-1].at, "Wren")
    going_on = go_on(replayed, longer, KNIGHT_ERRANT, lambda: SeededRng(b"salt harbour"))
    assert going_on.taken[-1].refused
    assert [question.number for question in going_on.questions] == [3]
    assert going_on == run(longer)


def test_what_was_refused_when_it_was_written_is_no_question_after_an_undo() -> None:
    tracker = holder("Town Tracker")
    target = next(name for name in NAMES if name != tracker)
    order, night = Submitted(tracker, f"track {target}"), Closed("day", "no elimination")
    found = run(chain(START, order, night, order, Undone(3, "the deadline was a day later")))
    assert [taken.number for taken in found.taken if taken.refused] == [2, 4]
    assert [question.number for question in found.questions] == [4]


def test_an_undo_can_be_undone() -> None:
    journal = chain(START, Removed(NAMES[0]), Undone(2, "mistake"), Undone(3, "no mistake"))
    assert undone_numbers(journal) == {3}
    assert list(run(journal).state.left) == [NAMES[0]]


def test_a_journal_needs_a_start_and_zones() -> None:
    with pytest.raises(StateDamaged, match="start"):
        run(chain(Closed("day", "no elimination")))
    with pytest.raises(ValueError, match="zone"):
        append((), START, datetime(2026, 3, 1, 8), "Wren")  # noqa: DTZ001 - the missing zone is the point


@pytest.mark.parametrize(
    "entry",
    [
        START,
        Submitted(None, "no elimination", "77"),
        Extended("day", DAWN),
        Published("dawn", 2, "ab", "text"),
    ],
)
def test_entries_survive_json(entry: Entry) -> None:
    assert decode(encode(entry)) == entry


MARK = PostMark(9, PostId("p9"), "Wren", "ab")


@pytest.mark.parametrize(
    ("entry", "later", "written"),
    [
        (Started("duel", ()), {"timeouts": "ask", "edition": 1}, "game slots options seed"),
        (
            Submitted(None, "hello"),
            {"sent": DAWN, "hammered": NAMES[0], "belongs": "day-1"},
            "slot text post",
        ),
        (Closed("day"), {"ended": DAWN, "mark": MARK}, "window outcome evidence"),
        (Opened("day-2"), {"mark": MARK, "ahead": True}, "window post until begins"),
        (Locked("day-2", "9"), {"mark": MARK}, "window post"),
        (Replaced(NAMES[0], "Zed"), {"mark": MARK}, "slot name post why"),
        (Removed(NAMES[0]), {"mark": MARK}, "slot how post why"),
        (Revived(NAMES[0]), {"mark": MARK}, "slot post why"),
        (Fixed("7", "ignore", "a joke"), {"mark": MARK}, "post reads why"),
        (Published("dawn", 2, "ab", "text"), {"mark": MARK}, "kind number sha256 text upto"),
    ],
)
def test_an_entry_is_written_as_before_it_had_its_later_fields_and_those_where_they_say_something(
    entry: Entry, later: dict[str, Any], written: str
) -> None:
    """Journals of games that are being played keep their digests."""
    assert list(encode(entry)["fields"]) == written.split()
    said = replace(entry, **later)
    assert set(encode(said)["fields"]) == {*written.split(), *later}
    assert decode(encode(said)) == said


@pytest.mark.parametrize(
    "value", [{"entry": "guess"}, {"entry": "closed", "fields": {"windows": "day"}}, {"entry": "closed"}]
)
def test_a_damaged_entry_is_named(value: dict[str, object]) -> None:
    with pytest.raises(StateDamaged, match="journal"):
        decode(value)


def test_a_game_begun_before_a_ruling_changed_is_played_as_it_was_then() -> None:
    spec = KNIGHT_ERRANT.spec
    [(name, then), *_] = spec.earlier.items()
    old, new = START, replace(START, edition=EDITION)
    assert options_of(old, spec) == {**spec.earlier, **START.options}
    assert options_of(new, spec) == START.options
    # What was said when it began goes before either.
    said = {name: f"not {then}"}
    assert options_of(replace(old, options=said), spec)[name] == said[name]


def test_the_window_that_ran_out_first_is_due_and_an_exact_instant_is_in_time() -> None:
    early = Window("vote", "Vote", (), secret=True, closes=DAWN)
    late = Window("trap", "Trap", (), secret=True, closes=DAWN + timedelta(hours=1))
    assert due((late, early), {}, DAWN + timedelta(hours=2)) == early
    assert due((late, early), {"vote": None}, DAWN + timedelta(hours=2)) == late
    assert due((late, early), {}, DAWN) is None


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_going_on_record_by_record_leads_where_the_whole_journal_does(game: Game[Any]) -> None:
    slots = NAMES[: game.spec.players[0]]
    journal = play(game, slots, {}, SeededRng(b"chance"), SeededRng(b"draw"), 6).journal
    led = replay(journal[:1], game, lambda: SeededRng(b"draw"))
    for number in range(2, len(journal) + 1):
        led = go_on(led, journal[:number], game, lambda: SeededRng(b"draw"))
    assert led == replay(journal, game, lambda: SeededRng(b"draw"))


@pytest.mark.few(2)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_going_on_leads_to_the_same_where_something_was_taken_back(game: Game[Any]) -> None:
    slots = NAMES[: game.spec.players[0]]
    journal = play(game, slots, {}, SeededRng(b"chance"), SeededRng(b"draw"), 6).journal[:24]
    led = replay(journal[:1], game, lambda: SeededRng(b"draw"))
    whole: Journal = ()
    for record in journal:
        whole = append(whole, record.entry, record.at, record.author)
        if record.number in (3, len(journal) - 2) and record.number > 1:
            whole = append(whole, Undone(len(whole), "meant otherwise"), record.at, record.author)
    for number in range(2, len(whole) + 1):
        led = go_on(led, whole[:number], game, lambda: SeededRng(b"draw"))
        assert led == replay(whole[:number], game, lambda: SeededRng(b"draw"))


def fought_over(game: Game[Any]) -> Journal:
    """A journal in which an entry, then a later one, then the first undo was taken back."""
    slots = NAMES[: game.spec.players[0]]
    whole: Journal = ()
    for record in play(game, slots, {}, SeededRng(b"chance"), SeededRng(b"draw"), 6).journal[:24]:
        whole = append(whole, record.entry, record.at, record.author)
        if record.number in (4, 9, 12):
            undone = {4: 3, 9: len(whole) - 1, 12: 5}[record.number]
            whole = append(whole, Undone(undone, "meant otherwise"), record.at, record.author)
    return whole


@pytest.mark.few(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.spec.id)
def test_a_replay_leads_to_the_same_whatever_is_known_before(game: Game[Any]) -> None:
    def draws() -> SeededRng:
        return SeededRng(b"draw")

    whole = fought_over(game)
    known = replay(whole, game, draws)
    longer = append(whole, Undone(2, "meant otherwise"), whole[-1].at, "Wren")
    without = tuple(record for record in standing(whole) if record.number < 8)
    # The same number and digest, as in “what if they had sent something else”.
    other = [
        replace(record, entry=Submitted(None, "something else")) if record.number == 7 else record
        for record in whole
    ]
    for journal in (whole, whole[:10], whole[:3], longer, without, tuple(other)):
        again, fresh = replay(journal, game, draws, known), replay(journal, game, draws)
        assert again == fresh
        assert (again.pending, len(again.path)) == (fresh.pending, len(standing(journal)))


def test_what_two_journals_begin_with_is_played_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[0]
    whole = fought_over(game)
    known = replay(whole, game, lambda: SeededRng(b"draw"))
    played: list[Message] = []

    def submit(self: Game[Any], state: Any, message: Message, draw: Rng) -> Step[Any]:
        played.append(message)
        return really(self, state, message, draw)

    really = type(game).submit
    monkeypatch.setattr(type(game), "submit", submit)
    stands = tuple(record for record in standing(whole) if record.number < 14)
    replay(stands, game, lambda: SeededRng(b"draw"), known)
    assert not played
    at = whole[-1].at
    replay(append(stands, Submitted(None, "hello"), at, "Wren"), game, lambda: SeededRng(b"draw"), known)
    assert [message.text for message in played] == ["hello"]


PLANS = (Submitted(NAMES[0], "BOW @ Boro / PASS"), Submitted(NAMES[1], "SHIELD / PASS"))


def duel(*entries: Entry) -> Replay[Any]:
    """Two knights of Knight's Duty, one of whom has a bow, and what comes then."""
    armed = (Submitted(NAMES[0], "START A3\nWEAPON BOW"), Closed("setup"))
    journal = chain(Started("knights_duty", NAMES[:2]), *armed, *entries)
    return replay(journal, KNIGHTS_DUTY, lambda: SeededRng(b"table"))


def by_hand(found: Replay[Any]) -> list[tuple[int, tuple[tuple[str, object], ...]]]:
    return [(one.number, one.by_hand) for one in found.taken if one.by_hand]


CARD = Drawn("kd.card:R1:Ada->Boro", "Shield")


def test_a_card_drawn_by_hand_waits_for_the_closing_that_is_taken() -> None:
    used = ((CARD.label, CARD.value),)
    assert by_hand(duel(*PLANS, CARD, Closed("turn"))) == [(7, used)]
    # A closing that is refused draws nothing: the card is still for the one that follows.
    found = duel(*PLANS, CARD, Closed("no such window"), Closed("turn"))
    assert [len(one.refused) for one in found.taken[-2:]] == [1, 0]
    assert by_hand(found) == [(8, used)]


def test_a_card_drawn_by_hand_waits_for_no_later_closing() -> None:
    found = duel(CARD, Closed("turn"), *PLANS, Closed("turn"))
    assert by_hand(found) == []
    assert not found.pending.held


AHEAD = Opened("day-2", until=DAWN + timedelta(days=2), ahead=True)


def test_a_deadline_said_ahead_is_taken_back_with_the_entry_that_it_is_for() -> None:
    told = (START, AHEAD, Closed("day", "no elimination"))
    assert undone_numbers(chain(*told, Undone(3, "too early"))) == {2, 3}
    assert undone_numbers(chain(*told, Undone(2, "another one"))) == {2}
    assert undone_numbers(chain(*told, Undone(1, "another game"))) == {1}
    # The undo taken back, both stand again.
    assert undone_numbers(chain(*told, Undone(3, "too early"), Undone(4, "no"))) == {4}


def test_a_deadline_that_was_said_afterwards_stands_by_itself() -> None:
    told = (START, Opened("day-2", until=DAWN + timedelta(days=2)), Closed("day", "no elimination"))
    assert undone_numbers(chain(*told, Undone(3, "too early"))) == {3}


@pytest.mark.parametrize(
    ("ended", "order"), [(True, [1, 3, 2]), (False, [1, 2, 3])], ids=["deadline", "said"]
)
def test_what_was_sent_at_the_very_end_is_in_time_of_a_deadline_alone(ended: bool, order: list[int]) -> None:
    end = DAWN + timedelta(hours=1)
    journal = chain(START, Closed("night", ended=end if ended else None))
    late = Submitted(NAMES[0], "no action", when=end)
    journal = append(journal, late, end + timedelta(hours=1), "Wren")
    assert [record.number for record in standing(journal)] == order
