"""Role PMs of the mafia games: what every option changes in them, in both wordings."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from knightfall.engine.game import Option, told
from knightfall.engine.rng import SeededRng
from knightfall.games.custom_mafia.abilities import ABILITIES
from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import OPTIONS as CUSTOM_OPTIONS
from knightfall.games.empowered import EMPOWERED
from knightfall.games.empowered import OPTIONS as EMPOWERED_OPTIONS
from knightfall.games.empowered import parse_options as empowered_rules
from knightfall.games.empowered.views import role_pm as empowered_pm
from knightfall.games.knight_errant import KNIGHT_ERRANT, Phase, State, parse_options
from knightfall.games.knight_errant import OPTIONS as KNIGHT_ERRANT_OPTIONS
from knightfall.games.knight_errant.views import role_pm as knight_errant_pm
from knightfall.mafia.night import Action
from knightfall.markup.dialects import dialect_names
from knightfall.sentence import SlotId
from knightfall.writeups.events import private_message
from tin_valley import at

EXTRAS = {
    "strong_kill": 1,
    "commute": 1,
    "jail": 1,
    "gunsmith": 1,
    "watch": 1,
    "bulletproof": 1,
    "immunity": 1,
}
SETUP = {
    "name": "Small Hours",
    "slots": [
        {"role": role}
        for role in (
            "Mafia Goon",
            "Mafia Roleblocker",
            "Serial Killer",
            "Town Cop",
            "Town Doctor",
            "Town Bomb",
            "Town 1-Shot Vigilante",
            "Town 2-Shot Commuter",
            "Jester",
            "Survivor",
        )
    ]
    + [{"role": "Town Lover", "count": 2}, {"role": "Vanilla Townie", "fill": True}],
}


@cache
def knight_errant(dialect: str = "plain", **options: object) -> dict[str, str]:
    """The role PM of every role; the Serial Killer has one use of everything that can be said of it."""
    rules = parse_options(options)
    names = (*rules.roles, "Mafia Goon", "Town Mason")
    cards = {SlotId(f"P{number}"): rules.roles[name] for number, name in enumerate(names)}
    killer = next(slot for slot, card in cards.items() if card.name == "Serial Killer")
    state = State("", rules, cards, Phase.DAY, 1, {killer: EXTRAS})
    return {
        card.name: private_message("knight_errant", knight_errant_pm(state, slot), dialect)
        for slot, card in cards.items()
    }


@cache
def empowered(dialect: str = "plain", **options: object) -> dict[str, str]:
    state = replace(at(), rules=empowered_rules(options))
    return {
        card.name: private_message("empowered", empowered_pm(state, slot), dialect)
        for slot, card in state.cards.items()
    }


@cache
def custom_mafia(dialect: str = "plain", **options: object) -> dict[str, str]:
    slots = tuple(SlotId(f"P{number}") for number in range(13))
    step = CUSTOM_MAFIA.setup(slots, {"setup": SETUP, **options}, SeededRng(b"one"))
    return {
        step.state.cards[pm.slots[0]].name: private_message("custom_mafia", pm, dialect)
        for pm in told(step.events)
        if pm.kind == "role_pm"
    }


PMS: Mapping[str, Callable[..., dict[str, str]]] = {
    "knight_errant": knight_errant,
    "empowered": empowered,
    "custom_mafia": custom_mafia,
}
OPTIONS = {
    "knight_errant": KNIGHT_ERRANT_OPTIONS,
    "empowered": EMPOWERED_OPTIONS,
    "custom_mafia": CUSTOM_OPTIONS,
}
SPECS = {"knight_errant": KNIGHT_ERRANT.spec, "empowered": EMPOWERED.spec, "custom_mafia": CUSTOM_MAFIA.spec}

ALL = "all"
KILLER = ("Serial Killer",)
KE_MAFIA = (
    "Mafia Goon",
    "Mafia Godfather",
    "Mafia Bulletproof",
    "Mafia Roleblocker",
    "Mafia Even-Night Watcher",
)
EM_MAFIA = ("Strongman", "Kidnapper", "Ninja", "Serial Bomber")
EM_TOWN = tuple(role for role in empowered() if role not in EM_MAFIA)
EM_ASK = ("Cop", "Tracker", "Watcher")
CM_MAFIA = ("Mafia Goon", "Mafia Roleblocker")
CM_TOWN = (
    "Town Cop",
    "Town Doctor",
    "Town Bomb",
    "Town 1-Shot Vigilante",
    "Town 2-Shot Commuter",
    "Town Lover",
    "Vanilla Townie",
)

SAID: Mapping[str, Mapping[str, tuple[tuple[tuple[str, ...], Any], ...]]] = {
    "knight_errant": {
        "ke_r2": (
            (("jail each other, both jails hold", "stop each other in a ring, all of them hold"), ALL),
        ),
        "ke_r5": ((("A jailed roleblocker blocks nobody", "A jailed roleblocker still blocks"), ALL),),
        "commute_stops_own_actions": (
            (("You can still act on the night", "nothing else that you do"), KILLER),
        ),
        "ke_r7": ((("You can act on the player whom", "You cannot act on the player whom"), KILLER),),
        "ke_r11": ((("their protection is used first", "before a Doctor's protection of you"), KILLER),),
        "ke_r13": ((("Bulletproof (1 use)", "No regular kill can hurt you that night"), KILLER),),
        "ke_r16": ((("killed at night still gets the result", "killed at night gets No Result"), ALL),),
        "ke_r17": ((("does nothing else that night.", "unless they are the last living mafioso"), KE_MAFIA),),
        "ke_r18": ((("You may target a partner", "You cannot target a partner"), KE_MAFIA),),
        "ke_r19": (
            (("You may use one of", "You have two actions each night", "You may use any of"), KILLER),
        ),
        "ke_r22": ((("", "on even nights"), KILLER),),
        "ke_r24": ((("use is spent even if", "use is not spent if"), ALL),),
        "ke_r25": ((("nce in the game", "ach night"), ("Town Cop",)),),
        "ke_r28": ((("that failed is not a visit; a kill", "was in jail. A kill"), ALL),),
        "ke_r31": ((("Watchers do not see themselves", "Watchers see themselves"), ALL),),
        "ke_r34": (
            (
                ("Killer or a mafioso, provided", "even one with", "the Serial Killer included"),
                ("Town Gunsmith", *KILLER),
            ),
            (
                ("learns Town, a Gunsmith False", "but a Gunsmith True", "learns Town, a Gunsmith False"),
                ("Mafia Godfather", *KILLER),
            ),
        ),
        "ke_r35": ((("covers all checks of one night", "covers one check"), KILLER),),
        "ke_r36": ((("Nobody can target themselves. ", "except the Town Cop"), ALL),),
        "ke_r37": ((("at least half of the living are", "more than half of the living are"), KE_MAFIA),),
        "ke_r38": ((("the last player alive.", "other player is alive.", "only one town player"), KILLER),),
        "ke_r39": (),
        "ties": (),
        "ke_r43": (((" (Mafia ", ""), KE_MAFIA),),
    },
    "empowered": {
        "em_r1": ((("Ninja work without power", "Mafia roles need power"), ALL),),
        "em_r2": ((("may also use their own ability", "cannot use their own ability"), EM_MAFIA),),
        "em_r3": ((("from another Amplifier works", "you cannot pass on"), ("Amplifier",)),),
        "em_r4": ((("You cannot target yourself", "You may target yourself"), ALL),),
        "em_r5": ((("but it counts as targeting", "does not count as"), (*EM_TOWN, "Serial Bomber")),),
        "em_r10": ((("lands even if you are", "cancelled if you are"), ("Strongman",)),),
        "em_r12": ((("or failed does not count", "or failed counts, too"), ("Ninja",)),),
        "em_r14": ((("actions still set off", "actions do not set off"), ("Ninja", "Serial Bomber")),),
        "em_r15": ((("you stop every kill", "you stop one kill"), ("Doctor",)),),
        "em_r17": ((("you kill everyone who did", "one of those who did, drawn"), ("Bomb",)),),
        "em_r20": ((("you still get your result", "you get no result"), EM_ASK),),
        "em_r21": ((("you get no message", "you are told No Result"), EM_ASK),),
        "em_r22": ((("You do not see yourself", "You see yourself"), ("Watcher",)),),
        "em_r23": ((("the latest valid one counts", "the first one counts"), EM_MAFIA),),
        "em_r24": ((("you win, too", "nobody wins"), EM_MAFIA),),
        "em_r25": ((("One town player is enough once", "At least two town players"), EM_TOWN),),
        "em_r26": (),
        "em_r33": (),
        "ties": (),
        "em_r27": (
            (("once every living player has PMed me “ready”", "No day and no night ends before"), ALL),
        ),
        "em_r28": (),
        "phases": (),
        "ring": (
            (
                ("each other, both fail", "each other, both hold", "sent first holds"),
                ("Jailkeeper", "Kidnapper", "Ninja"),
            ),
        ),
    },
    "custom_mafia": {
        "idle_knots": (),
        "block_and_jail": (),
        "guns": (),
        "bodyguard": (),
        "hider": (),
        "ties": (),
        "knots": (),
        "doctor_saves": ((("You stop one kill", "You stop all kills"), ("Town Doctor",)),),
        "bomb": ((("stopped like any other", "Nothing stops that kill"), ("Town Bomb",)),),
        "blocked_shot": ((("use is spent even if", "use is not spent if"), ("Town 1-Shot Vigilante",)),),
        "cop_sees_killer": (
            (("Serial Killers and Millers are Guilty", "Serial Killers and a Godfather are"), ("Town Cop",)),
            (("You are Guilty to a Cop", "You are Innocent to a Cop"), KILLER),
        ),
        "cop_sees_werewolves": (),
        "town_wins": (
            (("when no mafioso", "when at most one mafioso"), CM_TOWN),
            (("", "The town wins when one mafioso is left"), CM_MAFIA),
        ),
        "nights": ((("Night rules", ""), ALL),),
        "carrier": ((("does nothing else that night", "may also use their own"), CM_MAFIA),),
        "self_target": (
            (
                ("You cannot target yourself", "You may target yourself"),
                (*CM_MAFIA, *KILLER, "Town Cop", "Town Doctor", "Town 1-Shot Vigilante"),
            ),
        ),
        "mafia_wins": ((("at least half", "more than half", "nor a town player is"), CM_MAFIA),),
        "killer_wins": ((("you are the last player alive", "at most one other player is alive"), KILLER),),
        "jester": ((("The game goes on without you", "The game ends at once"), ("Jester",)),),
        "lovers_know": ((("You know each other", "You are not told who they are"), ("Town Lover",)),),
    },
}
"""Of every option what role PMs say at each of its values, in their order, and which roles are told; a piece
of the sentence, "" where one value adds nothing. Options without a row bear on no role."""


def options_of(games: Mapping[str, tuple[Option, ...]]) -> list[Any]:
    return [pytest.param(game, one, id=f"{game}: {one.name}") for game in games for one in games[game]]


@pytest.mark.few(8)
@pytest.mark.parametrize("wording", ["ours", "classic"])
@pytest.mark.parametrize(("game", "option"), options_of(OPTIONS))
def test_an_option_changes_the_pms_of_the_roles_that_it_bears_on(
    game: str, option: Option, wording: str
) -> None:
    # What is not said is as it usually is.
    given = {value: {} if value == option.default else {option.name: value} for value in option.values}
    texts = {value: PMS[game](wording=wording, **said) for value, said in given.items()}
    bears_on = set[str]()
    for pieces, roles in SAID[game][option.name]:
        assert len(pieces) == len(option.values)
        for role in texts[option.default] if roles == ALL else roles:
            bears_on.add(role)
            for piece in filter(None, pieces):
                said = [value for value in option.values if piece in texts[value][role]]
                meant = [value for value, one in zip(option.values, pieces, strict=True) if one == piece]
                assert said == meant, (role, piece)
    changed = {
        role
        for role, text in texts[option.default].items()
        if any(other[role] != text for other in texts.values())
    }
    assert changed == bears_on


@pytest.mark.parametrize("game", PMS)
def test_every_option_is_looked_at_here(game: str) -> None:
    assert set(SAID[game]) == {option.name for option in OPTIONS[game]}


@pytest.mark.parametrize("game", PMS)
def test_the_wording_is_an_option_of_the_game(game: str) -> None:
    assert "wording" in {option.name for option in SPECS[game].options}
    ours, classic = PMS[game](wording="ours"), PMS[game](wording="classic")
    assert all(classic[role].startswith("Welcome to ") for role in classic)
    assert all("your role is" in ours[role].splitlines()[0] for role in ours)
    assert all(ours[role] != classic[role] for role in ours)


@pytest.mark.few(8)
@pytest.mark.parametrize("dialect", dialect_names())
@pytest.mark.parametrize("wording", ["ours", "classic"])
@pytest.mark.parametrize("game", PMS)
def test_no_role_pm_has_a_code_or_guesses_who_reads_it(game: str, wording: str, dialect: str) -> None:
    for role, text in PMS[game](dialect, wording=wording).items():
        assert re.search(r"\b(?:KE|EM|CM)-R\d", text) is None, role
        assert re.search(r"\b(?:him|his|he|himself)\b", text) is None, role
        assert "\n\n\n" not in text, role
        assert re.search(r"  |\.\.| \.|None|Undefined", text) is None, role


CARDS: Mapping[str, tuple[str, ...]] = {
    "Vanilla Townie": ("no abilities other than your vote",),
    "Town Mason": ("know each other to be town", "talk with each other at night|At night you may talk"),
    "Town Bulletproof": ("cannot be killed at night by regular kills",),
    "Town Tracker": ("track NAME", "each night", "nobody", "No Result"),
    "Town Cop": ("once in the game", "Town or Anti-Town", "No Result"),
    "Town Gunsmith": ("each night", "True", "False", "No Result", "do not have investigation immunity"),
    "Town Jailkeeper": (
        "each night",
        "Whatever others aim at that player fails",
        "so does whatever that player",
    ),
    "Town 3-Shot Commuter": ("3 times in the game", "Whatever others aim at you fails"),
    "Town Doctor": ("each night", "from one kill"),
    "Town Roleblocker": ("each night", "What that player does later in the order of the night fails"),
    "Mafia Goon": ("each night", "private thread of the mafia", "One kill a night|one kill a night"),
    "Mafia Godfather": (
        "private thread of the mafia",
        "one kill a night",
        "A Cop who checks you learns Town",
    ),
    "Mafia Roleblocker": ("private thread of the mafia", "one kill a night", "roleblock NAME", "each night"),
    "Mafia Bulletproof": ("private thread of the mafia", "one kill a night", "by regular kills"),
    "Mafia Even-Night Watcher": ("one kill a night", "on even nights", "who visited that player", "nobody"),
    "Serial Killer": (
        "each night",
        "in conjunction with your kill|with or without your kill",
        "strong kill NAME",
        "instead of using your normal kill",
        "Nothing stops a strong kill",
        "You will not be told when one is used",
        "how many are left",
    ),
}
"""What a card of Knight-Errant has to say, whatever the wording; one of several with “|” between them."""


@pytest.mark.parametrize("wording", ["ours", "classic"])
@pytest.mark.parametrize(("role", "pieces"), CARDS.items())
def test_a_card_of_knight_errant_says_all_that_it_can_do(
    role: str, pieces: tuple[str, ...], wording: str
) -> None:
    text = knight_errant(wording=wording)[role]
    for piece in (*pieces, "You win when", "Nobody can target themselves"):
        assert any(one.casefold() in text.casefold() for one in piece.split("|")), piece


def test_the_headings_of_the_classic_wording_are_those_of_the_source() -> None:
    pm = knight_errant(wording="classic")["Mafia Goon"]
    places = [pm.index(f"{heading}:\n") for heading in ("Abilities", "Partners", "Win condition")]
    assert places == sorted(places)
    assert "- Factional Communication:" in pm
    assert "- Factional Kill:" in pm
    pm = empowered(wording="classic")["Ninja"]
    titles = ("Factional Abilities:", "Murder:", "Meeting:", "Awareness:", "You win when", "Adaptability:")
    assert [pm.index(title) for title in titles] == sorted(pm.index(title) for title in titles)


@pytest.mark.parametrize("killer", [True, False])
@pytest.mark.parametrize("secret", [True, False])
def test_a_role_pm_speaks_of_a_serial_killer_where_the_setup_does(killer: bool, secret: bool) -> None:
    roles = ["Mafia Goon", "Town Cop", *(["Serial Killer"] if killer else [])]
    setup = {
        "name": "Dry Dock",
        "reveal_setup": not secret,
        "slots": [{"role": role} for role in roles] + [{"role": "Vanilla Townie", "fill": True}],
    }
    slots = tuple(SlotId(f"P{number}") for number in range(7))
    step = CUSTOM_MAFIA.setup(slots, {"setup": setup}, SeededRng(b"dock"))
    pms = [private_message("custom_mafia", pm, "plain") for pm in told(step.events) if pm.kind == "role_pm"]
    others = [pm for pm in pms if "you are the last player" not in pm]
    assert len(others) == 7 - killer
    for pm in others:
        assert ("Serial Killer" in pm) is (killer or secret), pm


@pytest.mark.parametrize(
    ("card", "line"),
    [
        ("Mafia Goon", "mafia kill NAME"),
        ("Serial Killer", "shoot NAME"),
        ("Town 1-Shot Vigilante", "shoot NAME"),
    ],
)
def test_a_kill_has_the_word_in_the_role_pm_that_its_receipt_has(card: str, line: str) -> None:
    assert line in custom_mafia()[card]
    row = next(one for one in ABILITIES if one.line(one.written) == line)
    assert CUSTOM_MAFIA.words.notation(Action(SlotId("P1"), row.id, (SlotId("NAME"),))) == line
