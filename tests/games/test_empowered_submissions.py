"""Night plans by message: what stands, what is refused, what replaces what."""

from __future__ import annotations

import pytest

from facts_seen import seen
from knightfall.engine.game import noted, told
from knightfall.games.empowered import EMPOWERED, ROLES, Phase, State, parse_options
from knightfall.games.empowered.state import losing
from knightfall.sentence import SlotId
from tin_valley import CAST, NAMES, at, close, codes, say, sent, stands


@pytest.mark.parametrize(
    ("slot", "text", "standing"),
    [
        ("Ada", "empower Quill", "Ada empower Quill"),
        ("Ada", "[b]EMPOWER: @quill[/b]", "Ada empower Quill"),
        ("Ada", "Action: empower qui", "Ada empower Quill"),
        ("Ada", "##empower zed", "Ada empower Quill"),
        ("Iris", "amplify Ada and Boro", "Iris amplify Ada Boro"),
        ("Iris", "**Amplify Ada, Boro**", "Iris amplify Ada Boro"),
        ("Iris", "amplify Ada & Boro.", "Iris amplify Ada Boro"),
        ("Iris", "amplify Ada, and Boro", "Iris amplify Ada Boro"),
        ("Iris", "amplify ADA AND zed", "Iris amplify Ada Quill"),
        ("Kestrel", "protect Quill", "Kestrel protect Quill"),
        ("Kestrel", "heal Quill", "Kestrel protect Quill"),
        ("Moth", "jail Quill", "Moth incarcerate Quill"),
        ("Moth", "incarcerate Quill", "Moth incarcerate Quill"),
        ("Onyx", "cop Quill", "Onyx investigate Quill"),
        ("Onyx", "check Quill", "Onyx investigate Quill"),
        ("Onyx", "investigate Quill", "Onyx investigate Quill"),
        ("Rook", "track Quill", "Rook track Quill"),
        ("Sable", "watch Quill", "Sable stakeout Quill"),
        ("Sable", "stakeout Quill", "Sable stakeout Quill"),
        ("Umber", "shoot Quill", "Umber vig Quill"),
        ("Umber", "vig Quill", "Umber vig Quill"),
        ("Umber", "murder Quill", "Umber vig Quill"),
        ("Elm", "Murder Quill", "Elm murder Quill"),
        ("Elm", "murder Quill by Fen", "Fen murder Quill"),
        ("Elm", "MURDER Quill BY fen", "Fen murder Quill"),
        ("Elm", "murder Quill by Elm", "Elm murder Quill"),
        ("Fen", "jail Quill", "Fen incarcerate Quill"),
        ("Gale", "incarcerate Quill", "Gale incarcerate Quill"),
        ("Gale", "incarcerate Quill, Invisible", "Gale incarcerate Quill invisible"),
        ("Gale", "murder Quill obliterate", "Gale murder Quill obliterate"),
        ("Gale", "murder Quill obliterate invisible", "Gale murder Quill invisible obliterate"),
        ("Gale", "murder Quill by Gale obliterate", "Gale murder Quill obliterate"),
        ("Hollis", "kill Quill", "Hollis murder Quill"),
    ],
)
def test_a_line_is_read(slot: str, text: str, standing: str) -> None:
    step = say(at(), slot, text)
    assert stands(step.state) == [standing]
    assert codes(step) == []


EARLIER = {
    "Rook": "track Ada",
    "Iris": "amplify Ada and Boro",
    "Elm": "murder Ada",
    "Gale": "murder Ada invisible",
}


@pytest.mark.parametrize(
    ("slot", "text", "code"),
    [
        ("Rook", "good morning", "UNKNOWN_COMMAND"),
        ("Rook", "heal Quill", "NOT_YOUR_ABILITY"),
        ("Rook", "murder Quill", "NOT_YOUR_ABILITY"),
        ("Elm", "incarcerate Quill", "NOT_YOUR_ABILITY"),
        ("Willow", "detonate Quill", "UNKNOWN_COMMAND"),
        ("Rook", "track Quill invisible", "NOT_YOUR_EXTRA"),
        ("Elm", "murder Quill obliterate", "NOT_YOUR_EXTRA"),
        ("Gale", "incarcerate Quill obliterate", "NOT_YOUR_EXTRA"),
        ("Elm", "murder Quill by Gale obliterate", "NOT_YOUR_EXTRA"),
        ("Rook", "track", "BAD_ARGS"),
        ("Rook", "track Ada and Boro", "BAD_ARGS"),
        ("Iris", "amplify Ada", "BAD_ARGS"),
        ("Iris", "amplify Ada, Boro, Elm", "BAD_ARGS"),
        ("Rook", "track Wren", "UNKNOWN_TARGET"),
        ("Rook", "track Ju", "UNKNOWN_TARGET"),
        ("Iris", "amplify Ada and Wren", "UNKNOWN_TARGET"),
        ("Gale", "murder invisible", "BAD_ARGS"),
        ("Rook", "track Rook", "SELF_TARGET"),
        ("Elm", "murder Fen by Fen", "SELF_TARGET"),
        ("Iris", "amplify Ada and ada", "SAME_TARGET"),
        ("Rook", "track Elm\ntrack Quill", "SLOT_TAKEN"),
        ("Elm", "murder Boro\nmurder Quill by Fen", "SLOT_TAKEN"),
        ("Gale", "incarcerate Boro\nmurder Quill obliterate", "SLOT_TAKEN"),
        ("Elm", "murder Quill by Rook", "NOT_YOUR_FACTION"),
        ("Elm", "murder Quill by Wren", "UNKNOWN_TARGET"),
    ],
)
def test_a_line_is_refused_with_a_code_and_the_earlier_one_stands(slot: str, text: str, code: str) -> None:
    state = sent(at(), *([(slot, EARLIER[slot])] if slot in EARLIER else []))
    step = say(state, slot, text)
    assert code in codes(step)
    assert len(codes(step)) == len(text.splitlines())
    assert step.state == state
    assert all(refusal.text and "\n" not in refusal.text for _, refusal in step.refused)


def test_used_up_adaptability_is_refused_and_the_rest_of_the_ninja_is_not() -> None:
    state = losing(at(), [SlotId("Gale")])
    assert codes(say(state, "Gale", "incarcerate Quill")) == ["USED_UP"]
    assert codes(say(state, "Gale", "murder Quill obliterate")) == ["USED_UP"]
    assert stands(say(state, "Gale", "murder Quill invisible").state) == ["Gale murder Quill invisible"]


def test_an_invalid_plan_is_refused_whole() -> None:
    state = sent(at(), ("Fen", "incarcerate Ada\nmurder Boro"))
    step = say(state, "Fen", "incarcerate Quill\nmurder Wren\nmurdr Ada")
    assert step.refused[0][0] == "incarcerate Quill"
    assert codes(step) == ["PLAN_REFUSED", "UNKNOWN_TARGET", "UNKNOWN_COMMAND"]
    assert stands(step.state) == ["Fen incarcerate Ada", "Fen murder Boro"]


def test_the_latest_plan_replaces_the_whole_earlier_one() -> None:
    state = sent(at(), ("Fen", "incarcerate Ada\nmurder Boro"), ("Fen", "incarcerate Quill"))
    assert stands(state) == ["Fen incarcerate Quill"]


def test_two_names_are_listed() -> None:
    cards = {SlotId(name): ROLES["Tracker"] for name in ("Juniper", "June", "Boro")}
    state = State("", parse_options({}), cards, Phase.NIGHT, 1)
    ((line, refusal),) = say(state, "Boro", "track Jun").refused
    assert (line, refusal.code) == ("track Jun", "AMBIGUOUS_NAME")
    assert "Juniper or June" in refusal.text


@pytest.mark.parametrize(
    ("names", "line", "targets"),
    [
        ("Salt and Pepper|Ada|Boro", "amplify Salt and Pepper and Ada", ("Salt and Pepper", "Ada")),
        ("Salt and Pepper|Ada|Boro", "amplify Ada, Salt and Pepper", ("Ada", "Salt and Pepper")),
        ("Invisible|Ada|Boro", "amplify Invisible & Ada", ("Invisible", "Ada")),
        ("Mr. X|Ada|Boro", "amplify Mr. X,Ada", ("Mr. X", "Ada")),
    ],
)
def test_names_may_hold_what_stands_between_names(names: str, line: str, targets: tuple[str, ...]) -> None:
    cards = {SlotId(name): ROLES["Amplifier"] for name in names.split("|")}
    state = State("", parse_options({}), cards, Phase.NIGHT, 1)
    assert [action.targets for action in say(state, "Boro", line).state.actions] == [targets]


def test_a_player_called_by_nothing_but_an_extra_can_be_hit_by_a_ninja() -> None:
    cards = {SlotId(name): ROLES["Ninja"] for name in ("Invisible", "Ada By Night", "Boro")}
    state = State("", parse_options({}), cards, Phase.NIGHT, 1)
    assert stands(say(state, "Boro", "murder invisible").state) == ["Boro murder Invisible"]
    assert stands(say(state, "Boro", "murder invisible invisible").state) == [
        "Boro murder Invisible invisible"
    ]
    assert stands(say(state, "Boro", "murder Ada By Night").state) == ["Boro murder Ada By Night"]
    assert stands(say(state, "Boro", "murder Boro by ada by night").state) == ["Ada By Night murder Boro"]


def test_a_plan_may_be_sent_by_day_and_stands_at_night() -> None:
    state = sent(at(Phase.DAY), ("Rook", "track Elm"), ("Ada", "empower Rook"))
    night = close(say(state, None, "eliminate Quill").state, "day").state
    assert stands(night) == ["Rook track Elm", "Ada empower Rook"]


def test_a_plan_that_a_death_undoes_falls_and_its_owner_is_told() -> None:
    state = sent(
        at(Phase.DAY), ("Rook", "track Elm"), ("Iris", "amplify Rook and Elm"), ("Elm", "murder Ada")
    )
    step = close(say(state, None, "eliminate Elm").state, "day")
    assert stands(step.state) == []
    receipts = {pm.slots[0]: seen(pm.facts)["standing"] for pm in told(step.events) if pm.kind == "receipt"}
    assert receipts == {name: [] for name in ("Rook", "Iris", "Fen", "Gale", "Hollis")}


def test_the_faction_has_one_murder_and_the_latest_stands() -> None:
    step = say(sent(at(), ("Elm", "murder Ada")), "Fen", "murder Boro")
    assert stands(step.state) == ["Fen murder Boro"]
    assert [seen(note.facts)["ruling"] for note in noted(step.events)] == ["EM-R23"]
    assert noted(say(step.state, "Fen", "murder Quill").events) == ()


def test_the_carriers_own_line_names_the_target() -> None:
    state = sent(at(), ("Elm", "murder Ada by Fen"))
    assert stands(sent(state, ("Fen", "murder Boro"))) == ["Fen murder Boro"]
    own = sent(at(), ("Fen", "murder Boro"))
    assert codes(say(own, "Elm", "murder Ada by Fen")) == ["CARRIER_DECIDES"]
    assert stands(sent(own, ("Elm", "murder Ada by Gale"))) == ["Gale murder Ada"]


def test_a_partner_made_to_carry_keeps_his_own_plan_and_is_told() -> None:
    state = sent(at(), ("Fen", "incarcerate Quill"))
    step = say(state, "Elm", "murder Ada by Fen")
    assert stands(step.state) == ["Fen incarcerate Quill", "Fen murder Ada"]
    assert [(pm.slots, seen(pm.facts)["standing"]) for pm in told(step.events)] == [
        (("Elm",), ["murder Ada by Fen"]),
        (("Fen",), ["incarcerate Quill", "murder Ada"]),
    ]
    later = sent(step.state, ("Fen", "incarcerate Rook"))
    assert stands(later) == ["Fen murder Ada", "Fen incarcerate Rook"]


def test_the_first_murder_stands_by_option() -> None:
    state = sent(at(em_r23="first"), ("Elm", "murder Ada"))
    step = say(state, "Fen", "murder Boro")
    assert codes(step) == ["SLOT_TAKEN"]
    assert "murder Ada by Elm" in step.refused[0][1].text
    assert stands(sent(state, ("Elm", "murder Quill"))) == ["Elm murder Quill"]


def test_by_option_who_carries_the_murder_does_nothing_else() -> None:
    step = say(at(em_r2="one_action"), "Fen", "incarcerate Ada\nmurder Boro")
    assert codes(step) == ["PLAN_REFUSED", "SLOT_TAKEN"]


def test_plans_can_be_taken_back() -> None:
    state = sent(at(), ("Fen", "incarcerate Ada"), ("Elm", "murder Boro"), ("Rook", "track Ada"))
    assert stands(sent(state, ("Fen", "no action"))) == ["Elm murder Boro", "Rook track Ada"]
    assert stands(sent(state, ("Hollis", "no murder"))) == ["Fen incarcerate Ada", "Rook track Ada"]
    assert stands(sent(state, ("Rook", "no murder"))) == stands(state)


def test_quoted_lines_are_nobodys() -> None:
    state = say(at(), "Rook", "[quote=Ada]track Ada[/quote]\n[s]track Fen[/s]\ntrack Elm").state
    assert stands(state) == ["Rook track Elm"]


def test_who_is_dead_or_unknown_is_refused() -> None:
    gone = say(at(), None, "modkill Rook").state
    assert codes(say(gone, "Rook", "track Ada")) == ["NOT_A_PLAYER"]
    assert codes(say(gone, "Wren", "track Ada")) == ["NOT_A_PLAYER"]
    assert codes(say(gone, "Quill", "track Rook")) == ["UNKNOWN_TARGET"]


def test_the_night_ends_when_everybody_is_ready() -> None:
    state = at(Phase.NIGHT, "Elm", "Fen", "Ada", "Boro", "Rook")
    state = sent(state, ("Elm", "murder Rook\nready"), ("Fen", "ready"), ("Ada", "ready"), ("Boro", "ready"))
    step = say(state, "Rook", "ready")
    assert (step.state.phase, list(step.state.left)) == ("over", ["Rook"])
    changed = sent(state, ("Boro", "empower Fen"))  # who changes his plan has to agree again
    assert say(changed, "Rook", "ready").state.phase == "night"
    assert say(sent(state, ("Boro", "not ready")), "Rook", "ready").state.phase == "night"
    assert codes(say(at(em_r27="never"), "Rook", "ready")) == ["WRONG_PHASE"]
    assert codes(say(at(Phase.DAY), "Rook", "ready")) == ["WRONG_PHASE"]


def test_a_receipt_is_the_same_whatever_will_come_of_it() -> None:
    """With and without power, jailed or not, aimed at a bomber or at nobody's enemy."""
    worlds = (
        at(),
        sent(at(), ("Ada", "empower Rook")),
        sent(at(), ("Fen", "incarcerate Rook"), ("Boro", "empower Elm")),
    )
    assert len({str(say(state, "Rook", "track Elm").events) for state in worlds}) == 1


def test_nobody_learns_from_a_refusal_who_is_of_which_faction() -> None:
    answers = {
        str([(r.code, r.text) for _, r in say(at(), "Rook", f"murder Ada by {name}").refused])
        for name in NAMES
        if name not in ("Rook", "Ada")
    }
    assert len(answers) == 1


@pytest.mark.few(16)
@pytest.mark.parametrize("phase", [Phase.DAY, Phase.NIGHT])
@pytest.mark.parametrize("slot", NAMES)
def test_what_is_offered_is_taken_and_reads_back(slot: SlotId, phase: Phase) -> None:
    state = at(phase)
    for line in EMPOWERED.legal(state, slot):
        step = say(state, slot, line)
        assert codes(step) == []
        assert seen(EMPOWERED.view(step.state, slot).facts)["standing"] == [line]


def test_every_role_is_refused_what_it_does_not_have() -> None:
    words = {"empower", "amplify", "protect", "incarcerate", "investigate"}
    words |= {"track", "watch", "shoot", "murder"}
    for slot in CAST:
        offered = {line.split()[0] for line in EMPOWERED.legal(at(), slot)}
        if "shoot" in offered:
            offered.add("murder")  # a Vigilante's card calls it so
        for word in words - offered:
            target = "Quill" if slot != "Quill" else "Rook"
            assert codes(say(at(), slot, f"{word} {target}")) == ["NOT_YOUR_ABILITY"], (slot, word)
