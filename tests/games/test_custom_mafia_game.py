"""A custom game: days, nights, deaths, knots, secrets, endings."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from facts_seen import seen
from knightfall.engine.entries import EDITION, Closed, Entry, Started, Submitted
from knightfall.engine.game import Announced, Event, Message, Step, Told, announced, noted, told
from knightfall.engine.journal import append
from knightfall.engine.playout import play
from knightfall.engine.replay import replay
from knightfall.engine.rng import Key, ManualRng, SeededRng
from knightfall.games.custom_mafia.abilities import AIMS
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.rules import CustomNight, CycleQuestion, Decided, resolve, winner
from knightfall.games.custom_mafia.state import CustomPosition, State, Terms
from knightfall.mafia.night import Action
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import Departure, Phase, Questions
from knightfall.mafia.wins import Winner
from knightfall.sentence import SlotId
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.render import template_names
from salt_harbour import NAMES

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DRAW = SeededRng(b"")
CAST = {
    "Ada": "Town Doctor",
    "Boro": "Town Cop",
    "Cinder": "Town Bus Driver",
    "Dusk": "Town Bus Driver",
    "Elm": "Mafia Goon",
    "Fen": "Vanilla Townie",
    "Gale": "Vanilla Townie",
    "Hollis": "Jester",
    "Iris": "Survivor",
    "Juniper": "Town Tracker",
}
RING = (
    ("Cinder", "drive Fen and Gale"),
    ("Dusk", "drive Fen and Iris"),
    ("Elm", "kill Fen"),
    ("Boro", "cop Fen"),
)
"""Two buses with a stop in common: who dies depends on which goes first."""
MIXED = {"Cinder": "Town Roleblocker", "Dusk": "Town Redirector"}
MIXED_RING = (("Cinder", "block Dusk"), ("Dusk", "redirect Cinder to Boro"), ("Boro", "cop Elm"))


def at(
    phase: Phase = Phase.NIGHT,
    cast: Mapping[str, str] = CAST,
    number: int = 1,
    lovers: tuple[str, ...] = (),
    **options: object,
) -> State:
    cards = {SlotId(name): parse_role(role) for name, role in cast.items()}
    groups = (frozenset(map(SlotId, lovers)),) if lovers else ()
    return State("Salt", Terms(parse_options(options), lovers=groups), cards, phase, number)


def say(state: State, slot: str | None, text: str) -> Step[State]:
    return CUSTOM_MAFIA.submit(state, Message(None if slot is None else SlotId(slot), text, NOON), DRAW)


def close(state: State, kind: str) -> Step[State]:
    return CUSTOM_MAFIA.close(state, kind, NOON, DRAW)


def morning(state: State, *lines: tuple[str, str]) -> Step[State]:
    for slot, text in lines:
        step = say(state, slot, text)
        assert step.refused == ()
        state = step.state
    return close(state, "night")


def evening(state: State, line: str) -> Step[State]:
    return close(say(state, None, line).state, "day")


def windows(state: State) -> list[tuple[str, str]]:
    return [(window.kind, window.title) for window in CUSTOM_MAFIA.windows(state)]


def won(state: State) -> tuple[str | None, tuple[SlotId, ...]]:
    outcome = CUSTOM_MAFIA.outcome(state)
    assert outcome is not None
    return outcome.winner, outcome.slots


def codes(step: Step[State]) -> list[str]:
    return [refusal.code for _, refusal in step.refused]


def facts_of(step: Step[State], kind: str) -> Any:
    (facts,) = [event.facts for event in step.events if not isinstance(event, tuple) and event.kind == kind]
    return seen(facts)


def test_days_and_nights_alternate_from_either_end() -> None:
    day = CUSTOM_MAFIA.setup(NAMES, {}, SeededRng(b"")).state
    assert windows(day) == [("day", "Day 1")]
    assert close(day, "day").refused[0][1].code == "UNDECIDED"
    night = evening(day, "no elimination").state
    assert windows(night) == [("night", "Night 1")]
    assert windows(close(night, "night").state) == [("day", "Day 2")]

    setup = {"starts": "night", "slots": [{"role": "Goon"}, {"role": "Vanilla Townie", "fill": True}]}
    first = CUSTOM_MAFIA.setup(NAMES, {"setup": setup}, SeededRng(b"")).state
    assert windows(first) == [("night", "Night 1")]
    dawn = close(first, "night").state
    assert (windows(dawn), dawn.clock, dawn.quiet) == ([("day", "Day 1")], 2, 1)
    dusk = evening(dawn, "no elimination").state
    assert (windows(dusk), dusk.clock, dusk.quiet) == ([("night", "Night 2")], 3, 2)


def test_the_dawn_tells_deaths_and_nothing_else() -> None:
    step = morning(
        at(), ("Elm", "kill Fen"), ("Ada", "heal Gale"), ("Juniper", "track Elm"), ("Boro", "cop Elm")
    )
    (dawn,) = announced(step.events)
    assert seen(dawn.facts) == {
        "night": 1,
        "deaths": [{"name": "Fen", "role": "Vanilla Townie", "cause": ""}],
        "now": {"alive": 9, "needed": 5, "over": False},
    }
    results: dict[tuple[SlotId, ...], Any] = {pm.slots: seen(pm.facts)["results"] for pm in told(step.events)}
    answers = {slots: [r["answer"] for r in rows] for slots, rows in results.items()}
    assert answers == {("Juniper",): ["Fen"], ("Boro",): ["Guilty"]}


def test_lovers_die_together_by_day_and_by_night_and_by_the_moderators_hand() -> None:
    pair = ("Fen", "Gale", "Juniper")
    voted = evening(at(Phase.DAY, lovers=pair), "eliminate Fen")
    assert facts_of(voted, "elimination")["along"] == [
        {"name": "Gale", "role": "Vanilla Townie"},
        {"name": "Juniper", "role": "Town Tracker"},
    ]
    assert voted.state.left[SlotId("Gale")] == Departure("died of love", "day 1")
    gone = say(at(lovers=pair), None, "modkill Gale")
    assert list(gone.state.left) == ["Gale", "Fen", "Juniper"]
    assert len(facts_of(gone, "modkill")["along"]) == 2
    killed = morning(at(lovers=pair), ("Elm", "kill Juniper")).state
    assert list(killed.left) == ["Fen", "Gale", "Juniper"]


def test_a_jester_voted_out_wins_and_by_option_ends_the_game() -> None:
    goes_on = evening(at(Phase.DAY), "eliminate Hollis").state
    assert windows(goes_on) == [("night", "Night 1")]
    ended = evening(replace(goes_on, phase=Phase.DAY, number=2), "eliminate Elm").state
    assert won(ended) == (
        "town",
        ("Ada", "Boro", "Cinder", "Dusk", "Fen", "Gale", "Hollis", "Iris", "Juniper"),
    )
    ends = evening(at(Phase.DAY, jester="ends"), "eliminate Hollis")
    assert won(ends.state) == ("jester", ("Hollis", "Iris"))
    assert facts_of(ends, "ending")["winners"] == ["Hollis"]
    assert facts_of(ends, "ending")["along"] == [{"name": "Iris", "role": "Survivor"}]


def test_a_jester_killed_or_dead_of_love_wins_nothing() -> None:
    killed = morning(at(), ("Elm", "kill Hollis")).state
    assert "Hollis" not in won(evening(killed, "eliminate Elm").state)[1]
    loved = evening(at(Phase.DAY, lovers=("Hollis", "Elm"), jester="ends"), "eliminate Elm").state
    assert won(loved)[0] == "town"
    assert "Hollis" not in won(loved)[1]


TOWN, MAFIA, KILLER = "Vanilla Townie", "Mafia Goon", "Serial Killer"


@pytest.mark.parametrize(
    ("living", "options", "expected"),
    [
        ((), {}, Winner.DRAW),
        (("Survivor", "Jester"), {}, Winner.DRAW),
        ((TOWN, "Jester"), {}, Winner.TOWN),
        ((MAFIA, TOWN), {}, Winner.MAFIA),
        ((MAFIA, TOWN, "Jester"), {}, None),
        ((MAFIA, "Survivor"), {}, Winner.MAFIA),
        ((MAFIA, TOWN), {"mafia_wins": "majority"}, None),
        ((MAFIA, MAFIA, TOWN), {"mafia_wins": "majority"}, Winner.MAFIA),
        ((MAFIA, MAFIA, TOWN), {"mafia_wins": "last_side"}, None),
        ((MAFIA, "Survivor", "Jester"), {"mafia_wins": "last_side"}, Winner.MAFIA),
        ((MAFIA, MAFIA, KILLER), {}, None),
        ((KILLER, "Survivor"), {}, Winner.SERIAL_KILLER),
        ((KILLER, TOWN), {}, None),
        ((KILLER, KILLER), {}, None),
        ((KILLER, MAFIA), {"killer_wins": "one_on_one"}, Winner.SERIAL_KILLER),
        ((KILLER, TOWN, TOWN), {"killer_wins": "one_on_one"}, None),
    ],
)
def test_who_has_won(living: tuple[str, ...], options: dict[str, object], expected: Winner | None) -> None:
    assert winner(map(parse_role, living), parse_options(options)) is expected


def test_only_the_serial_killer_who_lives_wins() -> None:
    state = at(Phase.DAY, {"Ada": KILLER, "Boro": KILLER, "Cinder": TOWN})
    state = evening(state, "eliminate Cinder").state
    assert won(morning(state, ("Ada", "kill Boro")).state) == ("sk", ("Ada",))


def test_uses_and_nights_of_rest_are_kept() -> None:
    cast = CAST | {"Ada": "Town Non-Consecutive Doctor", "Boro": "Town 2-Shot Cop"}
    state = morning(at(cast=cast), ("Ada", "heal Fen"), ("Boro", "cop Elm")).state
    assert seen(CUSTOM_MAFIA.view(state, SlotId("Boro")).facts)["shots"] == {"cop": 1}
    second = evening(state, "no elimination").state
    assert codes(say(second, "Ada", "heal Fen")) == ["WRONG_NIGHT"]
    assert codes(say(second, "Boro", "cop Elm")) == []
    third = evening(morning(second, ("Boro", "cop Fen")).state, "no elimination").state
    assert codes(say(third, "Ada", "heal Fen")) == []
    assert codes(say(third, "Boro", "cop Elm")) == ["NO_SHOTS"]


def asked() -> Step[State]:
    return morning(at(), *RING)


def test_a_ring_is_a_question_and_the_night_waits() -> None:
    step = asked()
    assert announced(step.events) == ()
    assert told(step.events) == ()
    assert windows(step.state) == [("ruling", "Night 1: your ruling")]
    facts = facts_of(step, "knot")
    assert facts["actions"] == ["Cinder: drive Fen and Gale", "Dusk: drive Fen and Iris"]
    assert [(row["choice"], row["listed"]) for row in facts["choices"]] == [
        ("Cinder:drive", False),
        ("Dusk:drive", False),
        ("none", False),
    ]
    assert all(row["end"] == "night" for row in facts["choices"])
    assert facts["earlier"] is None
    waiting = close(step.state, "ruling")
    assert waiting.refused[0][1].text.startswith("say `rule NUMBER` first: 1 = Cinder:drive, 2 = Dusk:drive")
    assert codes(say(step.state, "Ada", "heal Fen")) == ["WRONG_PHASE"]
    assert tuple(CUSTOM_MAFIA.legal(step.state, SlotId("Ada"))) == ()
    assert tuple(CUSTOM_MAFIA.legal(step.state, None)) == ("rule 1", "rule 2", "rule 3")


def test_each_choice_leads_where_the_question_said() -> None:
    step = asked()
    for number, row in enumerate(facts_of(step, "knot")["choices"], start=1):
        ruled = say(step.state, None, f"rule {number}")
        assert [death["name"] for death in facts_of(ruled, "dawn")["deaths"]] == row["deaths"]
        assert windows(ruled.state) == [("day", "Day 2")]
        assert say(step.state, None, f"rule {row['choice']}").state == ruled.state
    dead = [row["deaths"] for row in facts_of(step, "knot")["choices"]]
    assert len(set(map(tuple, dead))) > 1


@pytest.mark.parametrize(
    "said", ["rule", "rule 0", "rule 4", "rule drive", "rule Ada", "rule ²", "rule " + "9" * 9999]
)
def test_a_ruling_that_names_no_single_choice_is_refused(said: str) -> None:
    state = asked().state
    step = say(state, None, said)
    assert codes(step) == ["BAD_ARGS"]
    assert step.state == state


@pytest.mark.parametrize(
    "said", ["rule Cinder", "rule cinder:drive", "rule drive Fen and Gale", "rule Cinder: drive"]
)
def test_a_ruling_may_name_the_action_in_any_way_that_is_clear(said: str) -> None:
    state = asked().state
    assert say(state, None, said).state == say(state, None, "rule 1").state


def test_a_ruling_belongs_to_a_question() -> None:
    assert codes(say(at(), None, "rule 1")) == ["WRONG_PHASE"]
    assert codes(say(asked().state, None, "rule by precedent")) == ["NO_PRECEDENT"]


def test_an_earlier_ruling_is_offered_again_where_it_fits() -> None:
    def again(cast: Mapping[str, str], first: str, *ring: tuple[str, str]) -> Step[State]:
        ruled = morning(at(cast={**CAST, **cast}), *ring)
        day = say(ruled.state, None, first).state
        return morning(evening(day, "no elimination").state, *ring)

    second = again(MIXED, "rule roleblock", *MIXED_RING)
    assert facts_of(second, "knot")["earlier"] == "roleblock"
    assert "rule by precedent" in CUSTOM_MAFIA.legal(second.state, None)
    by_precedent = say(second.state, None, "rule by precedent")
    assert by_precedent.state == say(second.state, None, "rule Cinder").state

    apart = (("Cinder", "drive Ada and Elm"), ("Dusk", "drive Ada and Hollis"), ("Boro", "cop Ada"))
    named = again({}, "rule Dusk", *apart)
    assert facts_of(named, "knot")["earlier"] == "Dusk:drive"
    assert facts_of(named, "knot")["precedent"] is None
    assert codes(say(named.state, None, "rule by precedent")) == ["NO_PRECEDENT"]
    none = again({}, "rule none", *apart)
    assert facts_of(none, "knot")["precedent"] == 3


def test_a_ring_by_which_nobody_is_told_anything_else_is_no_question() -> None:
    idle = (("Cinder", "drive Fen and Gale"), ("Dusk", "drive Fen and Iris"), ("Elm", "kill Ada"))
    step = morning(at(), *idle)
    assert windows(step.state) == [("day", "Day 2")]
    sheet = facts_of(step, "moderator_night")
    assert sheet["rings"] == [["Cinder: drive Fen and Gale", "Dusk: drive Fen and Iris"]]
    assert {row["actor"]: (row["fate"], row["ruling"]) for row in sheet["trace"]} == {
        "Cinder": ("failed", "CM-R2"),
        "Dusk": ("failed", "CM-R2"),
        "Elm": ("done", "CM-R29"),
    }
    (told_so,) = (event for event in noted(step.events) if event.kind == "moderator_night")
    assert (
        "No question: Cinder: drive Fen and Gale; Dusk: drive Fen and Iris. These actions form a loop, but "
        "everybody is told the same whichever comes first, so none of them happens (CM-R2)."
    ) in moderator_sheet("custom_mafia", told_so)
    assert windows(morning(at(idle_knots="asked"), *idle).state) == [("ruling", "Night 1: your ruling")]


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_said_of_a_settled_ring_tells_everybody_the_same(seed: int) -> None:
    """Random nights full of rings: what is settled is asked again, and each answer tells what was told."""
    chance = random.Random(seed)
    kinds = (
        "Roleblocker",
        "Jailkeeper",
        "Redirector",
        "Town Bus Driver",
        "Mafia Goon",
        "Vigilante",
        "Tracker",
    )
    settled = 0
    for _ in range(150):
        cards = {SlotId(f"P{n}"): parse_role(chance.choice(kinds)) for n in range(7)}
        sent = [
            Action(
                slot, str(ability), tuple(chance.sample([one for one in cards if one != slot], AIMS[ability]))
            )
            for slot, card in cards.items()
            for ability in card.abilities
        ]
        night = resolve(CustomPosition(cards), sent)
        if isinstance(night, CycleQuestion) or not night.settled:
            continue
        settled += 1
        asking = [CustomPosition(cards, rules=parse_options({"idle_knots": "asked"}))]
        while asking:
            asked_again = resolve(asked := asking.pop(), sent)
            if isinstance(asked_again, CycleQuestion):
                asking += [
                    replace(asked, ruled={**asked.ruled, asked_again.key: reading.choice})
                    for reading in asked_again.readings
                ]
            else:
                assert told_by(asked_again) == told_by(night)
    assert settled >= 3


def told_by(night: CustomNight) -> object:
    return {death.slot for death in night.night.deaths}, night.night.results, night.night.spent


GUARDS = {"Fen": "Town Bodyguard", "Gale": "Town Bodyguard", "Juniper": "Town Bodyguard"}


def test_who_of_two_guards_takes_a_kill_is_drawn_by_the_seed_and_not_by_name() -> None:
    state = at(cast=CAST | GUARDS)
    for slot, text in (("Juniper", "guard Ada"), ("Fen", "guard Ada"), ("Elm", "kill Ada")):
        state = say(state, slot, text).state
    dead = {
        seed: tuple(CUSTOM_MAFIA.close(state, "night", NOON, SeededRng(b"%d" % seed)).state.left)
        for seed in range(20)
    }
    assert set(dead.values()) == {("Fen",), ("Juniper",)}
    log = SeededRng(b"3")
    step = CUSTOM_MAFIA.close(state, "night", NOON, log)
    (drawn,) = log.log
    assert (drawn.key, drawn.options) == (Key(("night", "1"), "cm.guard:Ada", 0), ("Fen", "Juniper"))
    assert drawn.value == next(iter(step.state.left))
    assert facts_of(step, "moderator_night")["lots"] == [
        {
            "kind": "cm.guard",
            "slot": "Ada",
            "among": ["Fen", "Juniper"],
            "drawn": [drawn.value],
            "ruling": "CM-R45",
        }
    ]
    (sheet,) = (event for event in noted(step.events) if event.kind == "moderator_night")
    written = f"Drawn: Fen and Juniper guard Ada; drawn to take the kill: {drawn.value} (CM-R45)."
    assert written in moderator_sheet("custom_mafia", sheet)
    by_hand = ManualRng(SeededRng(b"3"))
    by_hand.hold("cm.guard:Ada", "Fen" if drawn.value == "Juniper" else "Juniper")
    other = CUSTOM_MAFIA.close(state, "night", NOON, by_hand).state.left
    assert set(other) | {drawn.value} == {"Fen", "Juniper"}


def test_what_a_question_shows_of_a_draw_is_what_will_be_drawn() -> None:
    """Each answer leads to its own guards; the draw ahead leaves that of the closing as it is."""
    cast = CAST | GUARDS | {"Cinder": "Town Redirector", "Dusk": "Town Roleblocker"}
    lines = (("Cinder", "redirect Dusk to Gale"), ("Dusk", "block Cinder"), ("Elm", "kill Ada"))
    guards = (("Fen", "guard Ada"), ("Gale", "guard Ada"), ("Juniper", "guard Ada"))
    seen_both = set()
    for seed in range(12):
        state = at(cast=cast)
        for slot, text in (*lines, *guards):
            state = say(state, slot, text).state
        step = CUSTOM_MAFIA.close(state, "night", NOON, SeededRng(b"%d" % seed))
        if windows(step.state) != [("ruling", "Night 1: your ruling")]:
            seen_both.add("settled")  # the lot falls on the same guard however the ring is read
            continue
        seen_both.add("asked")
        for number, row in enumerate(facts_of(step, "knot")["choices"], start=1):
            message = Message(None, f"rule {number}", NOON)
            ruled = CUSTOM_MAFIA.submit(step.state, message, SeededRng(b"%d" % seed))
            assert list(ruled.state.left) == row["deaths"]
    assert seen_both == {"settled", "asked"}


def test_a_draw_goes_by_seats_and_never_by_names() -> None:
    def seats_dead(*names: str) -> list[int]:
        """The seat of the guard who takes the kill, seed by seed."""
        guards = [SlotId(name) for name in names]
        cast = {
            SlotId("Vera"): "Vanilla Townie",
            **dict.fromkeys(guards, "Bodyguard"),
            SlotId("Boro"): "Goon",
        }
        position = CustomPosition({slot: parse_role(card) for slot, card in cast.items()})
        sent = [Action(guard, "guard", (SlotId("Vera"),)) for guard in guards]
        sent.append(Action(SlotId("Boro"), "mafia_kill", (SlotId("Vera"),)))
        nights = [
            resolve(position, chance, SeededRng(b"%d" % seed))
            for seed in range(20)
            for chance in (sent, sent[::-1])
        ]
        return [guards.index(told_by_dead(night)) for night in nights]

    assert set(seats_dead("Abe", "Zed")) == {0, 1}
    assert seats_dead("Abe", "Zed") == seats_dead("Zed", "Abe")


def told_by_dead(night: Decided) -> SlotId:
    assert isinstance(night, CustomNight)
    (death,) = night.night.deaths
    return death.slot


def first_night(seed: bytes, edition: int) -> tuple[bool, bool]:
    """A journal with two guards on one player, one kill, and two roleblockers on each other: whether the
    first guard by name dies, and whether the ring was asked."""
    counts = {"Town Bodyguard": 2, "Town Roleblocker": 2, "Mafia Goon": 1, "Vanilla Townie": 4}
    setup = {"schema": 1, "slots": [{"role": role, "count": count} for role, count in counts.items()]}
    journal = append((), Started("custom_mafia", NAMES[:9], {"setup": setup}, edition=edition), NOON, "Wren")
    holders: dict[str, list[SlotId]] = {}
    for slot, card in replay(journal, CUSTOM_MAFIA, lambda: SeededRng(seed)).state.cards.items():
        holders.setdefault(card.name, []).append(slot)
    (one, two), victim = holders["Town Roleblocker"], holders["Vanilla Townie"][0]
    entries: list[Entry] = [
        Closed("day", "no elimination"),
        *(Submitted(guard, f"guard {victim}") for guard in holders["Town Bodyguard"]),
        Submitted(one, f"block {two}"),
        Submitted(two, f"block {one}"),
        Submitted(holders["Mafia Goon"][0], f"kill {victim}"),
        Closed("night"),
        Submitted(None, "rule 1"),
    ]
    for entry in entries:
        journal = append(journal, entry, NOON, "Wren")
    result = replay(journal, CUSTOM_MAFIA, lambda: SeededRng(seed))
    (gone,) = result.state.left
    return gone == min(holders["Town Bodyguard"]), not result.taken[-1].refused


def test_a_game_of_an_older_edition_is_replayed_by_the_rules_it_began_with() -> None:
    """Without an edition: of two guards the first by name dies, and a ring that changes nothing is asked."""
    seeds = [b"%d" % seed for seed in range(8)]
    assert {first_night(seed, 0) for seed in seeds} == {(True, True)}
    assert {first_night(seed, EDITION) for seed in seeds} == {(True, False), (False, False)}


def test_a_ring_that_a_modkill_undoes_is_no_question_any_more() -> None:
    gone = say(asked().state, None, "modkill Dusk").state
    assert windows(gone) == [("ruling", "Night 1: your ruling")]
    assert tuple(CUSTOM_MAFIA.legal(gone, None)) == ()
    assert codes(say(gone, None, "rule 1")) == ["NO_QUESTION"]
    assert windows(close(gone, "ruling").state) == [("day", "Day 2")]


def test_by_option_the_list_of_priorities_answers() -> None:
    cast = CAST | MIXED
    question = facts_of(morning(at(cast=cast), *MIXED_RING), "knot")
    assert [row["choice"] for row in question["choices"] if row["listed"]] == ["Cinder:roleblock"]
    assert windows(morning(at(cast=cast, knots="list"), *MIXED_RING).state) == [("day", "Day 2")]


def test_the_answers_of_a_night_are_gone_with_it_and_the_precedent_stays() -> None:
    day = say(asked().state, None, "rule none").state
    assert day.questions == Questions(precedents={"drive+drive": "none"})


def test_the_sheet_tells_where_an_action_went_and_by_whom() -> None:
    step = morning(at(), ("Cinder", "drive Fen and Gale"), ("Boro", "cop Fen"), ("Elm", "kill Gale"))
    sheet = facts_of(step, "moderator_night")
    assert [row["action"] for row in sheet["trace"] if row["actor"] in ("Boro", "Elm")] == [
        "mafia kill Gale → Fen (driven by Cinder)",
        "cop Fen → Gale (driven by Cinder)",
    ]
    assert sheet["results"][0]["action"] == "cop Fen → Gale (driven by Cinder)"
    pms: list[Any] = [seen(pm.facts)["results"] for pm in told(step.events)]
    assert [(r["target"], r["answer"]) for r in pms[0]] == [("Fen", "Innocent")]


def test_after_five_quiet_days_and_nights_the_moderator_is_asked_and_may_draw() -> None:
    state = at(Phase.DAY)
    for _ in range(2):
        assert "draw" not in CUSTOM_MAFIA.legal(state, None)
        state = morning(evening(state, "no elimination").state).state
    fifth = evening(state, "no elimination")
    assert [seen(note.facts)["ruling"] for note in noted(fifth.events) if note.kind == "caution"] == [
        "CM-R42"
    ]
    day = morning(fifth.state).state
    assert "draw" in CUSTOM_MAFIA.legal(day, None)
    assert won(say(day, None, "draw").state) == (None, ("Iris",))


@pytest.mark.parametrize(
    ("others", "asked"),
    [
        (("Mafia A Goon", "Mafia B Goon"), True),
        (("Mafia Goon", "Serial Killer"), True),
        (("Mafia A Goon", "Mafia A Goon", "Mafia B Goon"), False),
        (("Mafia A Goon", "Mafia B Goon", "Vanilla Townie"), False),
    ],
)
def test_where_the_last_two_are_of_two_sides_that_kill_the_moderator_is_asked(
    others: tuple[str, ...], asked: bool
) -> None:
    names = ("Cinder", "Dusk", "Elm")[: len(others)]
    state = at(Phase.DAY, {"Ada": "Vanilla Townie", **dict(zip(names, others, strict=True))})
    step = evening(state, "eliminate Ada")
    assert [seen(note.facts)["ruling"] for note in noted(step.events) if note.kind == "caution"] == [
        "CM-R42"
    ] * asked
    by_day = replace(step.state, phase=Phase.DAY)
    assert ("draw" in CUSTOM_MAFIA.legal(by_day, None)) is asked


def test_who_knows_whom() -> None:
    cast = CAST | {"Fen": "Town Mason", "Gale": "Town Mason Cop", "Boro": "Mafia Ninja"}
    state = at(cast=cast, lovers=("Ada", "Elm"))
    known = {
        name: [(one.name, one.role, one.bond) for one in CUSTOM_MAFIA.partners(state, SlotId(name))]
        for name in cast
    }
    assert known["Fen"] == [("Gale", None, "mason")]
    assert known["Elm"] == [("Boro", "Mafia Ninja", "mafia"), ("Ada", None, "lover")]
    assert known["Ada"] == [("Elm", None, "lover")]
    assert known["Juniper"] == []
    shy = CUSTOM_MAFIA.view(at(lovers=("Ada", "Elm"), lovers_know="no"), SlotId("Ada"))
    assert seen(shy.facts)["partners"] == []


def test_a_secret_setup_is_not_in_the_opening() -> None:
    setup = {
        "name": "Fog",
        "slots": [{"role": "Goon"}, {"role": "Town Cop"}, {"role": "Survivor", "fill": True}],
    }
    shown, hidden = (
        public_post(
            "custom_mafia",
            announced(
                CUSTOM_MAFIA.setup(NAMES, {"setup": setup | {"reveal_setup": open_}}, SeededRng(b"")).events
            )[0],
        )
        for open_ in (True, False)
    )
    assert "Setup: Fog\n- Mafia Goon\n- Town Cop\n- Everyone else: Survivor" in shown
    assert not any(word in hidden for word in ("Goon", "Cop", "Survivor", "Fog"))
    assert "Which roles are in the game is secret." in hidden


EVERYTHING = {
    "name": "Every Light",
    "starts": "night",
    "slots": [
        {"role": "Mafia Strongman"},
        {"one_of": ["Mafia Ninja Roleblocker", "Mafia Godfather"]},
        {"pick": 1, "from": ["Town Loyal Bodyguard", "Town Disloyal Rolecop"]},
        {"role": "Town Weak Jailkeeper"},
        {"role": "Lazy Redirector"},
        {"role": "Town Bus Driver", "count": 2},
        {"role": "1-Shot Bulletproof Townie"},
        {"role": "Bulletproof Miller"},
        {"role": "Town Bomb Mason"},
        {"role": "Town Mason Watcher"},
        {"role": "Odd-Night Vigilante"},
        {"role": "Even-Night Non-Consecutive Doctor"},
        {"role": "Town Lover", "count": 2},
        {"role": "Jester"},
        {"role": "Survivor"},
        {"role": "Serial Killer", "fill": True},
    ],
    "row": [{"roles": ["Town Commuter"]}, {"roles": ["Town Gunsmith"]}],
}


def written(event: Event) -> str:
    if isinstance(event, Announced):
        return public_post("custom_mafia", event)
    if isinstance(event, Told):
        return private_message("custom_mafia", event)
    return moderator_sheet("custom_mafia", event)


def test_every_kind_of_event_has_a_template_and_every_template_an_event() -> None:
    events: list[Event] = list(
        CUSTOM_MAFIA.setup(NAMES, {"setup": EVERYTHING, "carrier": "yes"}, SeededRng(b"")).events
    )
    quiet = replace(at(Phase.DAY, number=4, lovers=("Ada", "Boro")), last_death=1)
    steps = [
        asked(),
        say(asked().state, None, "rule 1"),
        say(at(), "Ada", "heal Fen"),
        say(at(), "Ada", "no action"),
    ]
    steps += [
        evening(quiet, "no elimination"),
        evening(quiet, "eliminate Ada"),
        evening(quiet, "eliminate Elm"),
    ]
    steps += [say(quiet, None, "modkill Boro"), say(quiet, None, "draw")]
    mayor = replace(quiet, cards={**quiet.cards, SlotId("Ada"): parse_role("Town Mayor")})
    steps += [say(mayor, "Ada", "reveal")]
    heir, child = parse_role("Town Backup Innocent Child"), parse_role("Town Innocent Child")
    cards = {**quiet.cards, SlotId("Fen"): heir, SlotId("Boro"): child}
    steps.append(say(replace(quiet, cards=cards), None, "modkill Boro"))
    events += [event for step in steps for event in step.events]
    own = {name for name in template_names() if name.startswith("custom_mafia/")}
    kinds = {f"custom_mafia/{event.kind}" for event in events}
    assert kinds | {"custom_mafia/rules", "custom_mafia/setup"} == own  # of the post “this setup”
    assert all(written(event) for event in events)


@pytest.mark.parametrize("seed", range(3))
def test_a_game_with_everything_ends_and_is_never_refused(seed: int) -> None:
    chance, draw = SeededRng(b"chance %d" % seed), SeededRng(b"draw %d" % seed)
    playout = play(CUSTOM_MAFIA, NAMES, {"setup": EVERYTHING}, chance, draw)
    assert playout.ended
    assert playout.refused == ()
    side, slots = won(playout.state)
    cards = playout.state.cards
    along = (Alignment.JESTER, Alignment.SURVIVOR)
    assert {str(cards[slot].alignment) for slot in slots if cards[slot].alignment not in along} <= {side}
