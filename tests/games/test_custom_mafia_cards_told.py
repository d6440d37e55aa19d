"""What a card is told is so: by the cards in the game, and by the state."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from custom_table import NOON, TOWN, at_night, first_pm, morning, pms, say
from knightfall.engine.game import Announced, Step, announced
from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.abilities import AIMS, REPORTS
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.open_setups import open_setup
from knightfall.games.custom_mafia.options import parse_options
from knightfall.games.custom_mafia.rules import CycleQuestion, resolve
from knightfall.games.custom_mafia.state import State, night_position
from knightfall.mafia.night import NO_RESULT, Action, Reason
from knightfall.mafia.state import Phase
from knightfall.sentence import SlotId
from knightfall.writeups.events import public_post

GOON = {"Boro": "Mafia Goon", "Cleo": "Mafia Goon"}
CLAUSES = {
    Reason.ACTOR_ROLEBLOCKED: "that you were blocked",
    Reason.ACTOR_JAILED: "that you were blocked",
    Reason.ABDUCTED: "that somebody kept others from your target",
    Reason.TARGET_COMMUTING: "that your target was away",
    Reason.ASCETIC: "that your target is Ascetic",
    Reason.ROLESTOPPED: "that somebody kept others from your target",
    Reason.LOYAL: "that your target is of another side",
    Reason.DISLOYAL: "that your target is of your own side",
    Reason.LAZY: "that at most one living player was not town",
    Reason.SIMPLE: "that your target is neither a Vanilla Townie nor a Goon",
    Reason.COMPLEX: "that your target is a Vanilla Townie or a Goon",
}
_FOUND = open_setup("Matrix6")
assert _FOUND is not None
MATRIX6 = _FOUND.table
KINDS = (
    "Town Roleblocker",
    "Town Jailkeeper",
    "Town Commuter",
    "Town Rolestopper",
    "Mafia Alien",
    "Ascetic Townie",
    "Town Bus Driver",
    "Vanilla Townie",
    "Town Tracker",
)
COPS = (
    "Town Cop",
    "Town Loyal Cop",
    "Town Disloyal Cop",
    "Town Lazy Cop",
    "Town Simple Cop",
    "Town Complex Cop",
)


def with_rules(state: State, **options: str) -> State:
    return replace(state, rules=replace(state.rules, chosen=parse_options(options)))


def setup_post(state: State, **options: str) -> str:
    table: dict[str, object] = {"slots": [{"role": card.name} for card in state.cards.values()]}
    if options:
        table["options"] = options
    return public_post("custom_mafia", Announced(CUSTOM_MAFIA.setup_post(state.slots, {"setup": table})))


def test_the_no_result_of_a_loyal_cop_is_not_told_to_mean_a_block_where_nobody_blocks() -> None:
    state = at_night({"Ada": "Town Loyal Cop", **GOON, **TOWN})
    assert "No Result means that your target is of another side. " in first_pm(state, "Ada")
    assert "an investigation by which somebody loyal looked at another side gives No Result" in setup_post(
        state
    )
    plain = at_night({"Ada": "Town Cop", **GOON, **TOWN})
    assert "You always get an answer." in first_pm(plain, "Ada")
    assert "No Result" not in setup_post(plain)


def test_of_a_secret_setup_every_cause_that_others_bring_is_told() -> None:
    state = at_night({"Ada": "Town Cop", **GOON, **TOWN})
    hidden = replace(state.rules.setup, shown=False)
    text = first_pm(replace(state, rules=replace(state.rules, setup=hidden)), "Ada")
    for why in ("you were blocked", "your target was away", "your target is Ascetic", "kept others from"):
        assert why in text
    assert "another side" not in text


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", range(4))
def test_in_random_nights_every_no_result_was_told_to_be_possible(seed: int) -> None:
    chance, seen = random.Random(seed), set[str]()
    for _ in range(150):
        names = [f"P{n}" for n in range(7)]
        cast = dict(zip(names, [chance.choice(COPS), "Mafia Goon", *chance.choices(KINDS, k=5)], strict=True))
        state = at_night(cast)
        sent = [
            Action(
                slot,
                str(ability),
                tuple(chance.sample([one for one in state.cards if one != slot], AIMS[ability])),
            )
            for slot, card in state.cards.items()
            for ability in card.abilities
        ]
        night = resolve(night_position(state), sent)
        if isinstance(night, CycleQuestion):
            continue
        fates = {note.action: note.reason for note in night.night.trace}
        for result in night.night.results:
            if result.answer != NO_RESULT or result.action.ability not in REPORTS:
                continue
            reason = fates[result.went or result.action]
            if reason not in (Reason.KNOT, Reason.IDLE_KNOT):
                seen.add(reason)
                assert CLAUSES[Reason(reason)] in first_pm(state, result.action.actor), (cast, result)
    assert len(seen) >= 5


def inherited_pm(cast: dict[str, str], of: str, shots: dict[str, int]) -> str:
    """What the heir is told once `of` was voted out, with these uses left."""
    state = replace(at_night(cast), phase=Phase.DAY, shots={SlotId(of): shots})
    decided = say(state, None, f"eliminate {of}").state
    closed = CUSTOM_MAFIA.close(decided, "day", NOON, SeededRng(b"quarry"))
    return pms(closed, "Ada")


def test_an_heir_is_told_the_uses_that_are_left() -> None:
    cast = {"Ada": "Town Universal Backup", "Dusk": "Town 1-Shot Doctor", **GOON, **TOWN}
    assert "(no use is left)" in inherited_pm(cast, "Dusk", {"heal": 0})
    assert "(once in the game)" in inherited_pm({**cast, "Dusk": "Town 2-Shot Doctor"}, "Dusk", {"heal": 1})


def test_an_heir_of_a_vest_that_is_gone_is_told_so_and_its_first_owner_is_not() -> None:
    cast = {"Ada": "Town Universal Backup", "Dusk": "Town 1-Shot Bulletproof", **GOON, **TOWN}
    assert "It is used up" in inherited_pm(cast, "Dusk", {"bulletproof": 0})
    own = replace(at_night(cast), shots={SlotId("Dusk"): {"bulletproof": 0}})
    assert "The first kill that would reach you at night is stopped" in first_pm(own, "Dusk")


def test_a_compulsive_is_not_told_that_silence_does_nothing() -> None:
    state = at_night({"Ada": "Town Compulsive Vigilante", **GOON, **TOWN})
    text = first_pm(state, "Ada")
    assert "it is drawn whom you do it to" in text
    assert "you do nothing that night" not in text and "To cancel it" not in text
    assert "you do nothing, unless your card is compulsive." in setup_post(state)
    assert "you do nothing that night" in first_pm(at_night({"Ada": "Town Vigilante", **GOON}), "Ada")


def test_a_strong_kill_is_not_told_to_be_stopped_by_nothing() -> None:
    text = first_pm(at_night({"Ada": "Mafia 1-Shot Strongman", "Boro": "Town Commuter", **TOWN}), "Ada")
    assert "Nothing stops" not in text and "No roleblock, jail, protection or Bulletproof stops it" in text


def test_bulletproof_is_told_to_hold_by_day_where_somebody_shoots_by_day() -> None:
    cast = {"Ada": "Town Bulletproof", **GOON, **TOWN}
    assert "No kill can hurt you at night" in first_pm(at_night(cast), "Ada")
    shot = at_night({**cast, "Dusk": "Town Day Vigilante"})
    assert "No kill can hurt you, except" in first_pm(shot, "Ada")
    assert "Survives every kill." in setup_post(shot)


def test_where_nights_are_skipped_nobody_is_asked_for_no_action_at_night() -> None:
    state = with_rules(at_night({"Ada": "Town Doctor", **GOON, **TOWN}), nights="skipped")
    for name in ("Ada", "Gale", "Boro"):
        assert "each night" not in first_pm(state, name)


def test_a_goon_is_told_that_the_last_mafioso_loses_where_that_is_so() -> None:
    state = with_rules(at_night({**GOON, **TOWN}), town_wins="one")
    assert "The town wins when one mafioso is left." in first_pm(state, "Boro")
    assert "one mafioso is left" not in first_pm(at_night({**GOON, **TOWN}), "Boro")


def test_uses_left_are_told_by_the_word_of_the_card() -> None:
    state = at_night({"Ada": "Town 2-Shot Vigilante", **GOON, **TOWN})
    text = pms(morning(state, Ada="shoot Gale"), "Ada")
    assert "Uses of shoot left: 1" in text


def test_the_options_of_a_normal_game_are_told() -> None:
    state = with_rules(
        at_night({"Ada": "Town Hider", "Dusk": "Town Gunsmith", **GOON}), hider="lives", guns="normal"
    )
    assert "If that player is killed, you die, too." in first_pm(state, "Ada")
    assert "except Traitors and Doctors" in first_pm(state, "Dusk")
    told = setup_post(state, hider="lives", guns="normal")
    assert "other than Traitors and Doctors" in told and "whichever side that is" in told


def test_matrix6_says_that_the_roleblocker_comes_first() -> None:
    slots = tuple(map(SlotId, ("Ada", "Boro", "Cleo", "Dusk", "Elm", "Fen", "Gale", "Hux", "Iris")))
    text = public_post("custom_mafia", Announced(CUSTOM_MAFIA.setup_post(slots, {"setup": MATRIX6})))
    assert "A Roleblocker comes before a Jailkeeper." in text


def test_an_ending_speaks_of_a_serial_killer_only_where_there_was_one() -> None:
    def end(cast: dict[str, str]) -> str:
        state = replace(at_night(cast), phase=Phase.DAY)
        decided = say(state, None, "eliminate Boro").state
        return posts(CUSTOM_MAFIA.close(decided, "day", NOON, SeededRng(b"quarry")))

    assert "No mafioso is alive" in end({"Boro": "Mafia Goon", **TOWN})
    assert "No mafioso and no Serial Killer is alive" in end({"Boro": "Serial Killer", **TOWN})


def posts(step: Step[State]) -> str:
    return "\n".join(public_post("custom_mafia", one) for one in announced(step.events))
