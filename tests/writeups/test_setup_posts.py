"""“This setup”: the post that tells a whole mafia setup, and what every option changes in it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.options import OPTIONS as CUSTOM_OPTIONS
from knightfall.games.empowered import EMPOWERED
from knightfall.games.empowered import OPTIONS as EMPOWERED_OPTIONS
from knightfall.games.knight_errant import CODES, KNIGHT_ERRANT
from knightfall.games.knight_errant import OPTIONS as KNIGHT_ERRANT_OPTIONS
from knightfall.markup.dialects import dialect_names
from knightfall.sentence import SlotId
from knightfall.writeups.render import render

GOLDEN = Path(__file__).parents[2] / "fixtures/golden/writeups/setups"
SLOTS = tuple(SlotId(f"P{number}") for number in range(18))
EVERYTHING = {
    "name": "Everything",
    "slots": [
        {"role": "Mafia Strongman"},
        {"role": "Mafia Godfather Ninja Redirector"},
        {"role": "Town Lover", "count": 2},
        {"role": "Serial Killer"},
        {"pick": 2, "from": ["Jester", "Survivor", "Town 2-Shot Commuter"]},
        {"role": "Town Bomb Bulletproof"},
        {"one_of": ["Town Cop Miller", "Town Gunsmith", "Town Rolecop", "Town Neapolitan"], "count": 2},
        {"role": "Town Mason", "count": 2},
        {"role": "Town Odd-Night Bus Driver"},
        {"role": "Vanilla Townie", "fill": True},
    ],
    "row": [
        {"roles": ["Town Doctor", "Town Weak Jailkeeper"]},
        {"roles": ["Town Bodyguard", "Town Watcher"]},
        {"roles": ["Town Roleblocker", "Town 1-Shot Vigilante"]},
    ],
}
GAMES: Mapping[str, Any] = {
    "knight_errant": KNIGHT_ERRANT,
    "empowered": EMPOWERED,
    "custom_mafia": CUSTOM_MAFIA,
}
OPTIONS = {
    "knight_errant": KNIGHT_ERRANT_OPTIONS,
    "empowered": EMPOWERED_OPTIONS,
    "custom_mafia": CUSTOM_OPTIONS,
}
ALWAYS: Mapping[str, Mapping[str, object]] = {
    "knight_errant": {},
    "empowered": {},
    "custom_mafia": {"setup": EVERYTHING},
}

SAID: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "knight_errant": {
        "ke_r2": ("jail each other, both jails hold", "stop each other in a ring, all of them hold"),
        "ke_r5": ("A jailed roleblocker blocks nobody", "A jailed roleblocker still blocks"),
        "commute_stops_own_actions": ("who commutes can still act", "who commutes does nothing else"),
        "ke_r7": ("can still act on that player", "cannot act on that player"),
        "ke_r11": ("protection is used first", "the bulletproof is used first"),
        "ke_r13": ("works by itself for them", "a vest that they wear on a night of their choice"),
        "ke_r16": ("killed at night still gets the result", "killed at night gets No Result"),
        "ke_r17": ("This holds for the last mafioso, too", "Only the last living mafioso may do both"),
        "ke_r18": ("may kill one of its own", "cannot kill one of its own"),
        "ke_r19": ("one of their limited abilities", "have two actions", "any of their limited abilities"),
        "ke_r22": ("watch on any night", "watch on even nights only"),
        "ke_r24": ("use is spent even if", "use is not spent if"),
        "ke_r25": ("Town Cop: once in the game", "Town Cop: each night"),
        "ke_r28": ("failed is not a visit; a kill", "was in jail. A kill"),
        "ke_r31": ("Watchers do not see themselves", "Watchers see themselves"),
        "ke_r34": (
            "the Serial Killer or a mafioso, provided",
            "even one with investigation immunity",
            "the Serial Killer included",
        ),
        "ke_r35": ("covers all checks of one night", "covers one check"),
        "ties": ("it is drawn which of them it covers", "a Cop's before a Gunsmith's"),
        "ke_r36": ("Nobody can target themselves. ", "except the Town Cop"),
        "ke_r37": ("and at least half of the living are", "and more than half of the living are"),
        "ke_r38": (
            "by being the last player alive",
            "at most one other player is alive.",
            "only one town player",
        ),
        "ke_r39": ("may declare a draw", "the game is a draw.\n- The game", "left, the game goes on"),
        "ke_r43": ("partners are and which roles they have", "but not which roles they have"),
    },
    "empowered": {
        "em_r1": ("Ninja work without power", "Mafia roles need power"),
        "em_r2": ("on the same night", "cannot use their own ability that night"),
        "em_r3": ("and pass it on. Two", "passes nothing on"),
        "em_r4": ("You cannot target yourself", "You may target yourself"),
        "em_r5": ("but it counts as targeting", "does not count as targeting"),
        "em_r10": ("lands even if the Strongman", "cancelled if the Strongman"),
        "em_r12": ("or failed does not count", "or failed counts, too"),
        "em_r14": ("actions still set off", "actions do not set off"),
        "em_r15": ("It stops every kill", "It stops one kill"),
        "ties": ("it is drawn which", "that is the Murder"),
        "em_r17": ("kills all of them", "one of them, drawn at random"),
        "em_r20": ("still gets the result", "gets no result"),
        "em_r21": ("incarcerated, gets no message", "incarcerated, is told No Result"),
        "em_r22": ("Watchers do not see themselves", "Watchers see themselves"),
        "em_r23": ("the latest valid one counts", "the first one counts"),
        "em_r24": ("left alive, the mafia wins", "left alive, nobody wins"),
        "em_r25": ("is left, the town wins", "the town needs two"),
        "em_r26": ("Ties go against the town", "one of the tied is drawn at random."),
        "em_r27": ("once every living player has PMed me “ready”", "No day and no night ends before"),
        "em_r28": ("deadline, I decide", "voted at the deadline, nobody is eliminated"),
        "phases": ("A day lasts 72 hours", "A day lasts 48 hours"),
        "em_r33": ("no difference to its own power holds", "even if other power is left"),
        "ring": ("each other, both fail", "each other, both hold", "sent first holds"),
    },
    "custom_mafia": {
        "knots": ("come first, I decide", "a Bus Driver comes before"),
        "idle_knots": ("I need not: none of these", "I decide that order even if it makes no"),
        "block_and_jail": ("- If actions form a loop", "A Roleblocker comes before a Jailkeeper"),
        "guns": ("Killers, Vigilantes, Cops", "other than Traitors and Doctors"),
        "bodyguard": ("A Bodyguard dies in the place", "A Bodyguard stops one kill as a Doctor"),
        "hider": ("and not of their own side", "whichever side that is"),
        "ties": ("it is drawn who of them takes a kill", "in alphabetical order takes a kill"),
        "doctor_saves": ("protection stops one kill", "protection stops all kills"),
        "bomb": ("stopped like any other", "Nothing stops that kill"),
        "blocked_shot": ("use is spent even if", "use is not spent if"),
        "cop_sees_killer": ("except a Godfather. A Serial Killer is Guilty", "A Serial Killer is Innocent"),
        "cop_sees_werewolves": ("Werewolves are Guilty to a Cop", "Werewolves are Innocent to a Cop"),
        "town_wins": ("wins when no mafioso", "wins when at most one mafioso"),
        "nights": ("How a night is resolved", "There are no nights"),
        "carrier": ("cannot use their own ability", "may also use their own ability"),
        "self_target": ("You cannot target yourself", "You may target yourself"),
        "mafia_wins": ("and at least half", "and more than half", "nor a town player is alive"),
        "killer_wins": ("by being the last player alive", "when at most one other player is alive"),
        "jester": ("voted out, and the game goes on", "voted out, and the game ends at once"),
        "lovers_know": ("Lovers know each other", "Lovers do not know"),
    },
}
"""Of every option what the post says at each of its values, in their order; a piece of the sentence."""
TURNED = {"cop_sees_killer": ("A Serial Killer is Guilty", "A Serial Killer is Innocent")}

BESIDE: Mapping[str, Mapping[str, object]] = {
    "knight_errant: ties": {"ke_r35": "one_check"},
    "empowered: ties": {"em_r15": "one_kill"},
    "custom_mafia: cop_sees_werewolves": {
        "setup": {**EVERYTHING, "slots": [*EVERYTHING["slots"], {"role": "Werewolf Goon"}]}
    },
    "custom_mafia: hider": {"setup": {**EVERYTHING, "slots": [*EVERYTHING["slots"], {"role": "Town Hider"}]}},
}
"""Another option without which one says nothing: there would be no ties."""


def post(game: str, dialect: str = "plain", slots: Sequence[SlotId] = SLOTS, **options: object) -> str:
    return render(f"{game}/setup", GAMES[game].setup_post(slots, {**ALWAYS[game], **options}), dialect)


def options_of(games: Sequence[str]) -> list[Any]:
    return [
        pytest.param(game, option, id=f"{game}: {option.name}") for game in games for option in OPTIONS[game]
    ]


@pytest.mark.few(20)
@pytest.mark.parametrize(("game", "option"), options_of(tuple(GAMES)))
def test_an_option_changes_the_sentence_that_states_it(game: str, option: Any) -> None:
    said = TURNED.get(option.name, SAID[game][option.name])
    beside = BESIDE.get(f"{game}: {option.name}", {})
    texts = {value: post(game, "plain", SLOTS, **beside, **{option.name: value}) for value in option.values}
    if beside:
        assert not any(piece in post(game) for piece in said)
    assert len(said) == len(option.values)
    for value, piece in zip(option.values, said, strict=True):
        assert [other for other, text in texts.items() if piece in text] == [value], piece


@pytest.mark.parametrize("game", GAMES)
def test_every_option_is_looked_at_here(game: str) -> None:
    assert set(SAID[game]) == {option.name for option in OPTIONS[game]}


@pytest.mark.parametrize("game", GAMES)
def test_the_post_reads_as_in_the_golden_file(game: str) -> None:
    text, golden = post(game) + "\n", GOLDEN / f"{game}.txt"
    if os.environ.get("KNIGHTFALL_GOLDEN") == "write":
        golden.parent.mkdir(exist_ok=True)
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.few(14)
@pytest.mark.parametrize("dialect", dialect_names())
@pytest.mark.parametrize("game", GAMES)
def test_the_post_has_a_form_in_every_dialect_and_no_code_of_a_ruling(game: str, dialect: str) -> None:
    text = post(game, dialect)
    assert re.search(r"\b(?:KE|EM|CM)-R\d", text) is None
    assert re.search(r"\b(?:him|his|he|himself)\b", text) is None
    assert "Days and votes" in text
    assert "Who wins" in text


@pytest.mark.parametrize("code", ["drawn", *list(CODES)[::7]])
def test_which_setup_was_drawn_is_not_in_the_post(code: str) -> None:
    assert post("knight_errant", setup=code) == post("knight_errant")


def test_the_numbers_of_empowered_mafia_follow_the_players() -> None:
    assert "- 3 mafiosi" in post("empowered")
    assert "The other 12 players get roles from a shuffled list of 16" in post("empowered")
    assert "The other 1 player gets a role" in post("empowered", slots=SLOTS[:5])
    unknown = post("empowered", slots=())
    assert "- One fifth of the players" in unknown
    assert "With 0 players" not in unknown


def test_a_secret_setup_tells_every_rule_and_no_role() -> None:
    secret = post("custom_mafia", setup={**EVERYTHING, "reveal_setup": False})
    assert "Which roles are in the game is secret." in secret
    assert "Everything" not in secret.replace("Everything that", "")
    small = {
        "reveal_setup": False,
        "slots": [{"role": "Mafia Goon"}, {"role": "Vanilla Townie", "fill": True}],
    }
    assert post("custom_mafia", setup=small) == secret


def test_a_post_speaks_only_of_what_the_setup_shows() -> None:
    plain = {"slots": [{"role": "Mafia Goon"}, {"role": "Vanilla Townie", "fill": True}]}
    text = post("custom_mafia", setup=plain)
    assert not re.search("Cop|Jester|Serial Killer wins|Lover|roleblock|limited use", text)


def test_what_a_setup_itself_chooses_is_told() -> None:
    assert "and the game ends at once" in post(
        "custom_mafia", setup={**EVERYTHING, "wins": {"jester": "ends"}}
    )
