"""A game of Empowered Mafia: choosing, days, ties, nights, secrets, endings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from facts_seen import seen
from knightfall.engine.entries import Closed, Entry, Removed, Started, Submitted
from knightfall.engine.game import Announced, Outcome, Step, announced, noted, told
from knightfall.engine.journal import Journal, append
from knightfall.engine.replay import replay
from knightfall.engine.rng import ScriptedRng, SeededRng
from knightfall.games.empowered import EMPOWERED, RULINGS, Phase, State
from knightfall.mafia.state import Decision, Departure
from knightfall.sentence import SlotId
from tin_valley import NAMES, NOON, at, close, codes, say, sent

SIX = NAMES[:6]


def ending(state: State) -> Outcome:
    outcome = EMPOWERED.outcome(state)
    assert outcome is not None
    return outcome


def dealt() -> tuple[State, SlotId, SlotId]:
    """Six players before day 1, and the two mafiosi among them."""
    state = EMPOWERED.setup(SIX, {}, SeededRng(b"salt")).state
    first, second = (slot for slot, role in state.cards.items() if role.name == "Mafioso")
    return state, first, second


def test_the_game_opens_with_the_mafia_choosing() -> None:
    state, first, second = dealt()
    (window,) = EMPOWERED.windows(state)
    assert (window.kind, window.slots, window.secret, window.closes) == (
        "choosing",
        (first, second),
        True,
        None,
    )
    assert codes(close(state, "day")) == ["WRONG_PHASE"]
    assert codes(say(state, None, "eliminate Ada")) == ["WRONG_PHASE"]


def test_everyone_gets_one_pm_at_the_deal() -> None:
    pms = told(EMPOWERED.setup(NAMES, {}, SeededRng(b"salt")).events)
    assert sorted(slot for pm in pms for slot in pm.slots) == sorted(NAMES)
    assert Counter(pm.kind for pm in pms) == {"role_pm": 20, "choosing": 4}


def test_a_mafioso_chooses_and_his_latest_word_stands() -> None:
    state, first, second = dealt()
    step = say(state, first, "[b]Role: serial bomber[/b]")
    assert seen(told(step.events)[0].facts) == {"name": first, "role": "Serial Bomber"}
    assert say(step.state, first, "role NINJA.").state.cards[first].name == "Ninja"
    twice = sent(state, (first, "role Ninja"), (second, "role Ninja"))
    assert [twice.cards[slot].name for slot in (first, second)] == ["Ninja", "Ninja"]


@pytest.mark.parametrize(
    ("text", "code"),
    [("role Doctor", "UNKNOWN_ROLE"), ("role", "UNKNOWN_ROLE"), ("murder Ada", "UNKNOWN_COMMAND")],
)
def test_what_is_no_role_of_the_mafia_is_refused_and_the_earlier_stands(text: str, code: str) -> None:
    state, first, _ = dealt()
    chosen = sent(state, (first, "role Ninja"))
    step = say(chosen, first, text)
    assert codes(step) == [code]
    assert step.state == chosen


def test_only_mafiosi_choose_and_only_before_day_1() -> None:
    state, first, second = dealt()
    townie = next(slot for slot in SIX if slot not in (first, second))
    assert codes(say(state, townie, "role Ninja")) == ["NOT_YOUR_CHOICE"]
    assert codes(say(state, townie, "empower Ada")) == ["NOT_YOUR_CHOICE"]
    assert codes(say(at(), "Elm", "role Ninja")) == ["UNKNOWN_COMMAND"]
    assert codes(say(at(), None, "role Ninja of Elm")) == ["WRONG_PHASE"]


def test_who_has_not_chosen_is_a_question_and_never_a_default() -> None:
    state, first, second = dealt()
    step = close(sent(state, (first, "role Ninja")), "choosing")
    assert codes(step) == ["UNDECIDED"]
    assert [seen(note.facts)["missing"] for note in noted(step.events)] == [[second]]
    assert step.state.phase is Phase.CHOOSING
    whole = say(step.state, None, f"role kidnapper of {second.lower()}")
    assert whole.state.cards[second].name == "Kidnapper"
    townie = next(slot for slot in SIX if slot not in (first, second))
    assert codes(say(state, None, f"role Ninja of {townie}")) == ["WRONG_TARGET"]
    assert codes(say(state, None, "role Doctor of Ada")) == ["UNKNOWN_ROLE"]
    assert codes(say(state, None, "role Ninja of Wren")) == ["UNKNOWN_TARGET"]


def test_the_mafia_alone_is_told_how_many_of_each_role_there_are() -> None:
    state, first, second = dealt()
    step = close(sent(state, (first, "role Ninja"), (second, "role Strongman")), "choosing")
    assert (step.state.phase, step.state.number) == (Phase.DAY, 1)
    pms = [pm for pm in told(step.events) if pm.kind == "awareness"]
    assert [pm.slots for pm in pms] == [(first,), (second,)]
    facts = seen(pms[0].facts)
    counts = {row["role"]: row["count"] for row in facts["counts"]}
    assert (counts["Ninja"], counts["Strongman"], counts["Empowerer"], len(counts)) == (1, 1, 2, 13)
    assert sum(counts.values()) == 6
    assert [pm.slots for pm in told(step.events) if pm.kind == "role_pm"] == [(first,), (second,)]
    informed = {slot for slot in SIX if seen(EMPOWERED.view(step.state, slot).facts)["counts"]}
    assert informed == {first, second}


def test_nothing_of_the_choices_is_public() -> None:
    state, first, second = dealt()
    before = EMPOWERED.view(state, None)
    chosen = sent(state, (first, "role Ninja"), (second, "role Strongman"))
    assert EMPOWERED.view(chosen, None) == before
    assert announced(say(state, first, "role Ninja").events) == ()
    assert "Ninja" not in str(announced(close(chosen, "choosing").events))


def test_a_day_waits_for_the_moderators_decision() -> None:
    day = at(Phase.DAY)
    assert codes(close(day, "day")) == ["UNDECIDED"]
    step = close(say(day, None, "[b]eliminate rook[/b]").state, "day")
    assert seen(announced(step.events)[0].facts)["role"] == "Tracker"
    assert (step.state.phase, step.state.number, list(step.state.left)) == ("night", 1, ["Rook"])
    quiet = close(say(day, None, "no elimination").state, "day")
    assert (quiet.state.phase, quiet.state.left) == ("night", {})


def test_phases_have_their_deadlines() -> None:
    day = replace(at(Phase.DAY), since=NOON)
    (window,) = EMPOWERED.windows(day)
    assert (window.opens, window.closes) == (NOON, NOON + timedelta(hours=72))
    night = close(say(day, None, "no elimination").state, "day", when=NOON + timedelta(hours=72)).state
    (window,) = EMPOWERED.windows(night)
    assert window.closes == NOON + timedelta(hours=96)
    assert window.secret and "Willow" not in window.slots


def test_an_eliminated_bomber_takes_nobody_along() -> None:
    for name in ("Willow", "Hollis"):
        state = sent(at(Phase.DAY), ("Ada", f"empower {name}"), ("Umber", f"shoot {name}"))
        step = close(say(state, None, f"eliminate {name}").state, "day")
        assert list(step.state.left) == [name]


# Ties: EM-R26.


def drawn(names: str, seed: bytes = b"", **options: object) -> Step[State]:
    return close(say(at(Phase.DAY, number=1, **options), None, f"tie {names}").state, "day", seed)


def test_a_tied_no_elimination_wins() -> None:
    assert drawn("Ada, no elimination, Fen").state.left == {}
    assert drawn("no lynch and Ada").state.left == {}


@pytest.mark.parametrize("seed", range(12))
def test_the_town_goes_before_the_mafia(seed: int) -> None:
    assert set(drawn("Elm, Fen, Rook, Gale", bytes([seed])).state.left) == {"Rook"}
    assert set(drawn("Elm, Rook, Ada", bytes([seed])).state.left) <= {"Rook", "Ada"}


def test_inside_a_class_everyone_is_drawn_equally_often() -> None:
    falls = Counter(
        slot for seed in range(300) for slot in drawn("Rook, Ada & Quill", b"%d" % seed).state.left
    )
    assert set(falls) == {"Rook", "Ada", "Quill"} and min(falls.values()) > 70
    mafia = Counter(slot for seed in range(60) for slot in drawn("Elm, Fen", b"%d" % seed).state.left)
    assert min(mafia[SlotId("Elm")], mafia[SlotId("Fen")]) > 15


def test_how_a_tie_is_written_changes_nothing() -> None:
    assert drawn("Rook, Ada", b"x").state == drawn("ada and rook", b"x").state


def test_a_tie_is_drawn_by_key_and_put_down_for_the_moderator_alone() -> None:
    step = drawn("Rook, Fen, Ada", b"x")
    (note,) = (note for note in noted(step.events) if note.kind == "moderator_tie")
    assert (seen(note.facts)["tied"], seen(note.facts)["pool"]) == (["Ada", "Fen", "Rook"], ["Ada", "Rook"])
    (post,) = announced(step.events)
    assert seen(post.facts)["tied"] == ["Ada", "Fen", "Rook"]
    assert "pool" not in seen(post.facts)
    dice = ScriptedRng([("em.tie", "Rook")], SeededRng(b""))
    day = say(at(Phase.DAY), None, "tie Rook, Fen, Ada").state
    assert set(EMPOWERED.close(day, "day", NOON, dice).state.left) == {"Rook"}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("tie Ada", "BAD_ARGS"),
        ("tie Ada, ada", "BAD_ARGS"),
        ("tie Ada, Wren", "UNKNOWN_TARGET"),
        ("tie Ada, Boro", "WRONG_TARGET"),
    ],
)
def test_a_tie_names_two_living_players(line: str, code: str) -> None:
    state = say(at(Phase.DAY), None, "modkill Boro").state
    assert codes(say(state, None, line)) == [code]
    assert codes(say(at(), None, "tie Ada, Rook")) == ["WRONG_PHASE"]


def test_a_tie_falls_with_one_of_the_tied_and_can_be_taken_back() -> None:
    tied = say(at(Phase.DAY), None, "tie Ada, Rook").state
    assert say(tied, None, "modkill Rook").state.decision is None
    assert say(tied, None, "modkill Elm").state.decision == tied.decision
    assert say(tied, None, "eliminate Fen").state.decision == Decision((SlotId("Fen"),))
    again = say(tied, None, "no elimination\ntie Rook, Quill").state  # entered twice, drawn once
    assert set(close(again, "day").state.left) <= {"Rook", "Quill"}


# Nights.


def test_the_dawn_tells_deaths_and_their_kind_and_nothing_else() -> None:
    state = sent(
        at(),
        ("Ada", "empower Kestrel"),
        ("Kestrel", "protect Quill"),
        ("Elm", "murder Rook"),
        ("Boro", "empower Umber"),
        ("Umber", "shoot Quill"),
        ("Fen", "incarcerate Sable"),
    )
    (dawn,) = announced(close(state, "night").events)
    assert seen(dawn.facts)["deaths"] == [{"name": "Rook", "role": "Tracker", "cause": "shooting"}]
    assert not any(name in str(dawn.facts) for name in ("Quill", "Kestrel", "Umber", "Sable", "Fen", "Elm"))


def test_only_powered_investigators_are_told_and_only_their_own() -> None:
    state = sent(
        at(),
        ("Ada", "empower Onyx"),
        ("Boro", "empower Quill"),
        ("Onyx", "check Elm"),
        ("Pike", "check Elm"),
        ("Quill", "track Umber"),
        ("Fen", "incarcerate Quill"),
    )
    pms = told(close(state, "night").events)
    assert [(pm.slots, pm.kind) for pm in pms] == [(("Onyx",), "result_pm")]


def test_a_ninja_is_told_when_adaptability_is_gone_and_only_then() -> None:
    used = close(sent(at(), ("Gale", "incarcerate Rook")), "night")
    assert [(pm.slots, pm.kind) for pm in told(used.events)] == [(("Gale",), "adaptability_lost")]
    assert seen(EMPOWERED.view(used.state, SlotId("Gale")).facts)["adaptability"] is False
    again = close(say(used.state, None, "no elimination").state, "day").state
    assert codes(say(again, "Gale", "incarcerate Rook")) == ["USED_UP"]
    assert told(close(again, "night").events) == ()
    free = close(sent(at(), ("Ada", "empower Gale"), ("Gale", "incarcerate Rook")), "night")
    assert told(free.events) == ()
    assert seen(EMPOWERED.view(free.state, SlotId("Gale")).facts)["adaptability"] is True


def test_results_stay_in_the_view_of_who_got_them() -> None:
    state = close(sent(at(), ("Ada", "empower Onyx"), ("Onyx", "check Elm")), "night").state
    assert seen(EMPOWERED.view(state, SlotId("Onyx")).facts)["learned"] == [
        {"night": 1, "ability": "investigate", "target": "Elm", "answer": "Mafia"}
    ]


def test_the_faction_sees_its_murder_and_nobody_else_does() -> None:
    state = sent(at(), ("Elm", "murder Ada"))
    assert seen(EMPOWERED.view(state, SlotId("Gale")).facts)["standing"] == ["murder Ada by Elm"]
    assert "murder" not in str(EMPOWERED.view(state, SlotId("Ada"))) + str(EMPOWERED.view(state, None))


def test_the_sheet_explains_every_line_by_a_ruling_in_words() -> None:
    state = sent(
        at(), ("Elm", "murder Ada"), ("Onyx", "check Elm"), ("Ada", "empower Moth"), ("Moth", "jail Ada")
    )
    (sheet,) = (note for note in noted(close(state, "night").events) if note.kind == "moderator_night")
    facts = seen(sheet.facts)
    rows = {row["action"]: (row["fate"], row["because"], row["ruling"]) for row in facts["trace"]}
    assert rows == {
        "murder Ada": ("done", "nothing stops it", "EM-R9"),
        "investigate Elm": ("idle", "its actor had no power", "EM-R5"),
        "empower Moth": ("done", "gives power", "EM-R3"),
        "incarcerate Ada": ("failed", "it would undo its own power", "EM-R33"),
    }
    words = {row["ruling"]: row["text"] for row in facts["rulings"]}
    assert words == {name: RULINGS[name] for name in ("EM-R3", "EM-R5", "EM-R9", "EM-R33")}


# Endings.


def test_wins_are_checked_after_all_deaths_and_the_mafia_first() -> None:
    state = sent(at(Phase.NIGHT, "Elm", "Ada", "Boro"), ("Elm", "murder Ada"))
    step = close(state, "night")
    assert ending(step.state).winner == "mafia"
    assert seen(announced(step.events)[-1].facts)["reason"] == "parity"
    assert EMPOWERED.windows(step.state) == ()
    assert codes(say(step.state, "Elm", "murder Boro")) == ["WRONG_PHASE"]


def test_the_town_wins_when_one_mafioso_is_left() -> None:
    day = at(Phase.DAY, "Elm", "Fen", "Ada", "Boro", "Rook")
    step = close(say(day, None, "eliminate Fen").state, "day")
    assert EMPOWERED.outcome(step.state) is not None
    assert seen(announced(step.events)[-1].facts)["winners"] == ["Ada", "Boro", "Rook"]


def test_nobody_left_is_a_win_of_the_mafia_and_worth_a_look() -> None:
    state = sent(at(Phase.NIGHT, "Elm", "Umber"), ("Elm", "murder Umber"))
    gone = Departure("modkilled", "night 1")
    step = close(replace(state, left={SlotId("Elm"): gone, SlotId("Umber"): gone}), "night")
    assert ending(step.state).winner == "mafia"
    assert [seen(note.facts)["ruling"] for note in noted(step.events) if note.kind == "caution"] == ["EM-R24"]


def test_three_days_and_nights_without_a_death_and_everybody_loses() -> None:
    state, posts = at(Phase.DAY), list[Announced]()
    for _ in range(3):
        assert EMPOWERED.outcome(state) is None
        night = close(say(state, None, "no elimination").state, "day").state
        assert EMPOWERED.outcome(night) is None
        step = close(night, "night")
        state, posts = step.state, [*posts, *announced(step.events)]
    assert ending(state).winner is None
    assert seen(posts[-1].facts)["reason"] == "quiet"
    assert ending(state).slots == ()


def test_a_death_starts_the_count_anew() -> None:
    state = at(Phase.DAY)
    for number in range(5):
        line = "eliminate Rook" if number == 1 else "no elimination"
        night = close(say(state, None, line).state, "day").state
        assert EMPOWERED.outcome(night) is None or number == 4
        state = close(night, "night").state if number < 4 else night
    assert ending(state).winner is None
    assert (state.number, state.quiet) == (5, 6)


def test_the_moderator_can_modkill_revive_and_draw() -> None:
    gone = say(at(), None, "modkill Boro")
    assert gone.state.left == {"Boro": Departure("modkilled", "night 1")}
    assert say(gone.state, None, "revive Boro").state.left == {}
    over = say(gone.state, None, "draw")
    assert seen(announced(over.events)[0].facts)["reason"] == "declared"
    assert codes(say(at(), None, "hello")) == ["UNKNOWN_COMMAND"]
    assert codes(say(at(), None, "modkill Wren")) == ["UNKNOWN_TARGET"]


def test_a_modkill_before_day_1_can_end_the_game_and_is_dated() -> None:
    state, first, _ = dealt()
    step = say(state, None, f"modkill {first}")
    assert step.state.left[first].when == "before day 1"
    assert ending(step.state).winner == "town"


# By the journal.


def journal(*entries: tuple[int, Entry]) -> Journal:
    """Entries at so many hours after noon."""
    found: Journal = ()
    for hour, entry in entries:
        found = append(found, entry, NOON + timedelta(hours=hour), "Wren")
    return found


def test_nights_close_by_themselves_and_days_wait() -> None:
    names = tuple(f"Player {n}" for n in range(12))
    slots = tuple(map(SlotId, names))
    state = EMPOWERED.setup(slots, {}, SeededRng(b"j")).state
    mafia = [slot for slot in slots if state.cards[slot].name == "Mafioso"]
    town = [slot for slot in slots if slot not in mafia]
    entries = journal(
        (0, Started("empowered", slots)),
        (1, Submitted(mafia[0], "role Ninja")),
        (1, Submitted(mafia[1], "role Strongman")),
        (2, Closed("choosing")),
        (80, Submitted(None, "no elimination")),
        (81, Closed("day", f"eliminate {town[0]}")),
        (82, Submitted(mafia[1], f"murder {town[1]}")),
        (110, Removed(town[2])),
    )
    result = replay(entries, EMPOWERED, lambda: SeededRng(b"j"))
    assert list(result.state.left) == town[:3]
    assert (result.state.phase, result.state.number) == ("day", 2)
    assert result.state.since == NOON + timedelta(hours=105)
    assert [t.number for t in result.taken if t.refused] == [5]  # day 1 was undecided at its deadline
