"""Roles of a custom game in words: what is read, what is refused, and that a name in full reads back."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import ABILITIES, AIMS, Ability, Passive, Trait
from knightfall.games.custom_mafia.catalog import (
    ACTIONS,
    AIMED,
    BASES,
    BUNDLES,
    CATALOG,
    GOON,
    MODIFIERS,
    NIGHTS,
    TOWNIE,
    TRAITS,
    Entry,
    Kind,
)
from knightfall.games.custom_mafia.options import RULINGS
from knightfall.games.custom_mafia.roles import (
    OFTEN,
    PHRASES,
    PLAIN,
    Alone,
    Side,
    bases_of,
    parse_role,
    rolecop_name,
)
from knightfall.mafia.roles import SANITIES, TEAMS, Alignment, Modifier

NAMES = {
    "Town 2-Shot Cop": "Town 2-Shot Cop",
    "cop": "Town Cop",
    "MAFIA GOON": "Mafia Goon",
    "goon": "Mafia Goon",
    "Vanilla Mafia": "Mafia Goon",
    "vt": "Vanilla Townie",
    "Town Vanilla": "Vanilla Townie",
    "odd night loyal vig": "Town Odd-Night Loyal Vigilante",
    "Loyal-Odd-Night_Vigilante": "Town Odd-Night Loyal Vigilante",
    "2shot weak doc": "Town 2-Shot Weak Doctor",
    "one-shot commuter": "Town 1-Shot Commuter",
    "1-Shot Bulletproof Townie": "Town 1-Shot Bulletproof",
    "Roleblocker Mafia Ninja": "Mafia Ninja Roleblocker",
    "even rb goon": "Mafia Even-Night Roleblocker",
    "sk": "Serial Killer",
    "Serial Killer Ninja": "Ninja Serial Killer",
    "godfather sk": "Godfather Serial Killer",
    "non-consecutive serial killer": "Non-Consecutive Serial Killer",
    "jester": "Jester",
    "3-shot bp survivor": "3-Shot Bulletproof Survivor",
    "strongman": "Mafia Strongman",
    "town strongman vigilante": "Town Strongman Vigilante",
    "cop lover": "Town Lover Cop",
    "Mafia Lover": "Mafia Lover",
    "miller vigilante": "Town Miller Vigilante",
    "mason 1-shot doc": "Town Mason 1-Shot Doctor",
    "busdriver": "Town Bus Driver",
    "disloyal role cop bomb": "Town Bomb Disloyal Rolecop",
    "jk": "Town Jailkeeper",
}


@pytest.mark.parametrize(("written", "name"), NAMES.items())
def test_a_role_in_words_has_one_name_in_full(written: str, name: str) -> None:
    role = parse_role(written)
    assert role.name == name
    assert parse_role(name) == role


REFUSED = {
    "": "A role is missing",
    "town": "this is only a side",
    "Town Goon": "Town and Goon are two sides",
    "Mafia Townie": "Mafia and Vanilla Townie are two sides",
    "sk jester": "two sides",
    "Mafia Survivor": "two sides",
    "Town 2-Shot": "2-Shot has to be followed by the role that it limits",
    "cop weak": "Weak has to be followed by the role that it limits",
    "odd even cop": "Odd-Night and Even-Night contradict each other",
    "loyal disloyal cop": "contradict",
    "weak weak cop": "is written twice",
    "2-shot 3-shot cop": "is written twice",
    "cop cop": "Cop is written twice",
    "sk vigilante": "have the same kill",
    "weak commuter": "has no target",
    "odd-night mason": "put the modifier before a role that has one",
    "1-shot godfather": "put the modifier before a role that has one",
    "lazy miller": "put the modifier before a role that has one",
    "2-shot goon": "2-Shot limits an ability, but a Goon has none",
    "weak jester": "put the modifier before a role that has one",
    "x-shot cop": "say how many shots",
    "0-shot cop": "found 0, expected 1-Shot to 9-Shot",
    "12-shot cop": "found 12, expected",
    "2 cop": "found 2, expected 2-Shot for so many uses, or no number",
    "1x Bulletproof": "found 1, expected 1-Shot for so many uses, or no number",
    "mafia miller": "a Miller can be town or Jester or Survivor; this role is mafia",
    "mafia mason": "a Mason can be town",
    "town godfather": "a Godfather can be mafia or Serial Killer; this role is town",
    "town strongman": "needs a kill",
    "ninja jester": "needs a kill",
    "vanilla doctor": "a vanilla player has no ability",
    "doctor townie": "a vanilla player has no ability",
    "loyal serial killer": "has no partners",
    "Town Dokter": "there is no “Dokter”; the nearest is Doctor",
    "bus drver": "there is no “bus”; the nearest is Bus Driver",
    "mafia gon": "there is no “gon”; the nearest is Goon",
}


@pytest.mark.parametrize(("written", "why"), REFUSED.items())
def test_what_does_not_go_together_is_refused_in_words(written: str, why: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_role(written)
    assert why in str(refusal.value)
    assert not written or f"“{written}”" in str(refusal.value)


@pytest.mark.parametrize(
    "written",
    [
        *("Juggernaut", "Lightning Rod", "Arsonist", "Mini Normal", "Beloved Princess"),
        *("Janitor", "Virgin", "Strong-Willed Cop"),
    ],
)
def test_a_word_that_is_like_none_of_ours_gets_no_hint_that_misleads(written: str) -> None:
    with pytest.raises(InputError) as refusal:
        parse_role(written)
    assert "the nearest" not in str(refusal.value)


def test_a_number_without_end_is_refused_too() -> None:
    with pytest.raises(InputError, match="expected 1-Shot"):
        parse_role("9" * 5000 + "-shot cop")


def test_a_mafioso_has_the_faction_s_kill_and_his_own_ability() -> None:
    role = parse_role("Mafia Even-Night 2-Shot Watcher")
    assert role.alignment is Alignment.MAFIA
    assert role.abilities == {Ability.MAFIA_KILL: None, Ability.WATCH: 2}
    assert role.modifiers == {Ability.WATCH: {Modifier.EVEN_NIGHT}}


def test_a_modifier_binds_to_the_role_after_it() -> None:
    role = parse_role("2-shot cop weak doctor 1-shot bulletproof")
    assert role.abilities == {Ability.COP: 2, Ability.HEAL: None}
    assert role.modifiers == {Ability.HEAL: {Modifier.WEAK}}
    assert role.passives == {Passive.BULLETPROOF: 1}
    assert role.name == "Town 1-Shot Bulletproof 2-Shot Cop Weak Doctor"


ARMED = {"Goon", "Vigilante", "Day Vigilante", "Serial Killer", "Cop", "Gunsmith", "Jailkeeper", "Bodyguard"}


@pytest.mark.few(24)
@pytest.mark.parametrize("entry", [e for e in CATALOG if e.kind is not Kind.MODIFIER], ids=lambda e: e.name)
def test_guns_are_where_the_ruling_says(entry: Entry) -> None:
    role = parse_role(entry.name)
    assert (Trait.ARMED in role.traits) == (entry.name in ARMED or role.alignment in TEAMS)


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("Town Cop", "Cop"),
        ("Mafia 2-Shot Odd-Night Cop", "Cop"),
        ("Vanilla Townie", "Vanilla"),
        ("Mafia Goon", "Vanilla"),
        ("Serial Killer", "Vanilla"),
        ("Godfather Serial Killer", "Godfather"),
        ("Mafia Ninja Roleblocker", "Ninja Roleblocker"),
        ("Jester", "Jester"),
        ("Lover Bulletproof", "Lover Bulletproof"),
    ],
)
def test_a_rolecop_hears_the_role_without_side_and_limits(written: str, heard: str) -> None:
    assert rolecop_name(parse_role(written)) == heard


def test_every_entry_is_whole() -> None:
    names = [entry.name for entry in CATALOG]
    assert len(names) == len(set(names))
    for entry in CATALOG:
        assert entry.does.endswith(".")
        assert entry.rulings
        assert set(entry.numbers) <= RULINGS.keys()


def test_every_ability_passive_trait_and_modifier_has_a_word() -> None:
    given_ = {entry.gives for entry in (*CATALOG, *NIGHTS)} | {
        base.limited.id for base in BASES if base.limited
    }
    assert {*AIMS, *Passive, *Trait, *Modifier} - given_ == {Ability.MAFIA_KILL, Ability.OWN, Trait.ARMED}


def test_no_word_means_two_things() -> None:
    said = [" ".join(phrase) for phrase in PHRASES]
    alone = sum(isinstance(word, Alone | Side) for word in PHRASES.values())
    written = sum(1 + len(entry.aliases) for entry in (*CATALOG, *NIGHTS)) + len(("vanilla",))
    bare = sum(1 + len(entry.aliases) for entry in (TOWNIE, GOON))
    assert len(said) == written + len(BUNDLES) + alone + len(PLAIN) * bare + len(OFTEN)


def test_the_line_of_a_pm_names_as_many_as_the_ability_takes() -> None:
    lines = {row.id: row.line(row.word) for row in ABILITIES}
    assert {ability: line.count("NAME") for ability, line in lines.items()} == AIMS
    assert lines[Ability.DRIVE] == "drive NAME and NAME"
    assert lines[Ability.MAFIA_KILL] == "kill NAME"


@st.composite
def limited(draw: st.DrawFn, entry: Entry, loyal: str) -> str:
    """An action with any modifiers that may stand together; `loyal`: the word, where it may stand."""
    words = [draw(st.sampled_from(("", *(f"{n}-Shot" for n in range(1, 10)))))]
    name = draw(st.sampled_from((entry.name, *entry.aliases)))
    if entry.row is not None and entry.row.by_day:
        return f"{words[0]} {name}"
    words.append(draw(st.sampled_from(("", "Odd-Night", "even night"))))
    words.append(draw(st.sampled_from(("", "non consecutive"))))
    words.append(draw(st.sampled_from(("", "Lazy"))))
    if entry.name != "Commuter":
        words.append(draw(st.sampled_from(("", loyal, "DISLOYAL"))))
        words.append(draw(st.sampled_from(("", "weak"))))
    return " ".join([*draw(st.permutations(words)), name])


@st.composite
def written_roles(draw: st.DrawFn) -> str:
    """A role that may stand, on any side, in any order of its words and with any capitals."""
    side = draw(st.sampled_from(("Town", "Mafia", "", "sk")))
    owner = {"Town": ["vig"], "sk": ["Serial Killer"]}.get(side, [])
    anywhere = [one for one in ACTIONS if not one.sides]
    actions = draw(st.lists(st.sampled_from(anywhere), unique=True, max_size=3))
    loyal = "" if side == "sk" else "Loyal"
    words = [draw(limited(one, loyal)) for one in actions if not owner or one.name != "Vigilante"]
    fits = ["Lover", "Bomb", "Ninja", "strong man", "bp", "4-shot bullet proof"]
    traits = draw(st.lists(st.sampled_from(fits), unique_by=lambda word: word[-5:], max_size=3))
    traits = [one for one in traits if one != "bp" or "4-shot bullet proof" not in traits]
    start = [] if side == "sk" else [side]
    mafia = ["Godfather"] if side in ("", "Mafia") else []
    text = " ".join([*start, *draw(st.permutations([*traits, *words, *owner, *mafia]))])
    return draw(st.sampled_from((text, text.upper(), text.replace("-", " "), text.replace(" ", "-"))))


@given(written_roles())
def test_every_role_s_full_name_reads_back(written: str) -> None:
    role = parse_role(written.strip("- ") or "vt")
    assert parse_role(role.name) == role
    assert parse_role(role.name.lower().replace("-", " ")) == role
    assert all(base.name in role.name for base in bases_of(role))


WORDS = [" ".join(phrase) for phrase in PHRASES] + ["2-shot", "0-shot", "7", "nonsense", "-"]


@settings(max_examples=300)  # nine of ten are refused, and all take half a second
@given(st.lists(st.sampled_from(WORDS), max_size=5) | st.lists(st.text(max_size=6), max_size=4))
def test_any_words_are_a_role_that_reads_back_or_refused(words: list[str]) -> None:
    try:
        role = parse_role(" ".join(words))
    except InputError as refusal:
        assert str(refusal).startswith(("Role “", "A role is missing"))
    else:
        assert parse_role(role.name) == role


def test_limits_that_ask_whom_are_for_actions_with_a_target() -> None:
    for entry in MODIFIERS:
        if entry.gives in AIMED:
            with pytest.raises(InputError, match="has no target"):
                parse_role(f"{entry.name} Commuter")
        elif entry.gives == Modifier.ACTIVATED:
            with pytest.raises(InputError, match="leave out Activated"):
                parse_role(f"{entry.name} Commuter")
            assert parse_role("Activated Bulletproof").modifiers == {Ability.WEAR: {entry.gives}}
        elif entry.gives == Modifier.PERSONAL:
            with pytest.raises(InputError, match="Roleblocker, Rolestopper, Alien"):
                parse_role(f"{entry.name} Commuter")
            assert parse_role("Personal Alien").modifiers == {Ability.ABDUCT: {entry.gives}}
        elif entry.gives in SANITIES:
            with pytest.raises(InputError, match="said of a Cop only"):
                parse_role(f"{entry.name} Commuter")
            assert parse_role(f"{entry.name} Cop").modifiers == {Ability.COP: {entry.gives}}
        else:
            assert parse_role(f"{entry.name} Commuter").modifiers == {Ability.COMMUTE: {entry.gives}}
    assert {trait.name for trait in TRAITS if trait.needs_kill} == {"Ninja", "Strongman"}
