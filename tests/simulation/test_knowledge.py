"""What a card tells its holder is known to the policies: masons know each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from knightfall.games.custom_mafia.game import CUSTOM_MAFIA
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.state import known_to
from knightfall.games.knight_errant.game import KNIGHT_ERRANT
from knightfall.games.knight_errant.state import partners
from knightfall.mafia.night_file import NightFile
from knightfall.mafia.roles import Alignment, Knowledge, Role
from knightfall.sentence import SlotId
from knightfall.simulation.cards import Card, Table, table_of
from knightfall.simulation.families import CustomFamily, KnightErrantFamily, custom_deck, family_of
from knightfall.simulation.intervals import Share, difference, paired_difference, wilson
from knightfall.simulation.policies import FollowTheClaims, Suspicion, parse_policy
from knightfall.simulation.run import Question, play_chunk, play_pairs
from knightfall.simulation.simulator import play

GAMES = 4_000
MASON, TOWNIE, GOON = "Town Mason", "Vanilla Townie", "Mafia Goon"


def nine(masons: int, policy: str, *more: str) -> Question:
    """Two Goons among nine players."""
    slots: list[dict[str, Any]] = [{"role": GOON, "count": 2}, *({"role": role} for role in more)]
    slots += [{"role": MASON, "count": masons}] if masons else []
    slots += [{"role": TOWNIE, "fill": True}]
    return Question("custom_mafia", {"setup": {"schema": 1, "name": "Quarry", "slots": slots}}, 9, policy)


def town(question: Question) -> Share:
    return wilson(play_chunk(question, 5, 0, GAMES).won["town"], GAMES)


@pytest.mark.parametrize("policy", ["suspicion", "follow-the-claims"])
def test_seven_masons_and_two_goons_are_won_by_the_town(policy: str) -> None:
    assert town(nine(7, policy)).low > 0.95


@pytest.mark.parametrize(("policy", "least"), [("suspicion", 0.01), ("follow-the-claims", 0.08)])
def test_two_masons_among_nine_help_the_town(policy: str, least: float) -> None:
    counts = play_pairs(nine(2, policy), nine(0, policy), 5, 0, GAMES)
    assert paired_difference(*counts.alone("town"), GAMES).low > least


def test_at_random_and_alone_a_mason_is_a_townie() -> None:
    assert town(nine(2, "random")) == town(nine(0, "random"))
    assert town(nine(1, "follow-the-claims")) == town(nine(0, "follow-the-claims"))


@pytest.mark.long
def test_the_masons_of_knight_errant_know_each_other() -> None:
    """With the same deck that tells them nothing the town wins less often."""
    [(_, policy)] = parse_policy("follow-the-claims")
    family, deaf = KnightErrantFamily({}), KnightErrantFamily({})
    deaf.deck = replace(deaf.deck, vouches=np.zeros_like(deaf.deck.vouches))
    knowing, blind = (
        wilson(play(one, policy, GAMES, np.random.default_rng(3)).won["town"], GAMES)
        for one in (family, deaf)
    )
    assert difference(knowing, blind).low > 0.01


def table(*roles: str) -> tuple[CustomFamily, Table]:
    """One game of these cards, each in its seat."""
    slots = [{"role": role} for role in roles]
    family = family_of("custom_mafia", {"setup": {"schema": 1, "name": "Quarry", "slots": slots}}, len(roles))
    assert isinstance(family, CustomFamily)
    return family, family.deal(1, np.random.default_rng(1))


class Fixed(FollowTheClaims):
    """Everybody suspects the later seat more."""

    def doubts(self, table: Table, chance: np.random.Generator) -> Any:
        found = super().doubts(table, chance)
        rising = np.arange(table.alive.shape[1], dtype=np.float32)
        return found._replace(doubt=np.broadcast_to(rising, found.doubt.shape).copy())


def test_who_is_about_to_be_voted_out_claims_the_partners_and_the_day_chooses_again() -> None:
    family, dealt = table(GOON, GOON, TOWNIE, TOWNIE, TOWNIE, MASON, MASON, MASON)
    dealt.alive[0, 5] = False
    chance, policy = np.random.default_rng(1), Fixed()
    policy.begin(family, dealt, chance)
    assert policy.vote(family, dealt, chance).tolist() == [4]
    assert np.flatnonzero(dealt.memory["cleared"][0]).tolist() == [6, 7]
    assert np.flatnonzero(dealt.memory["claimed"][0]).tolist() == [6, 7]
    # What is known stays known, and the mafia hunts them.
    assert policy.vote(family, dealt, chance).tolist() == [4]
    kill = np.array([0])
    wished = policy.wish(family, dealt, kill, kill, kill)
    assert wished is not None
    assert np.flatnonzero(wished[0] == 2).tolist() == [6, 7]


def test_nobody_claims_who_is_not_about_to_be_voted_out() -> None:
    family, dealt = table(MASON, MASON, TOWNIE, TOWNIE, TOWNIE, GOON)
    chance, policy = np.random.default_rng(1), Fixed()
    policy.begin(family, dealt, chance)
    assert policy.vote(family, dealt, chance).tolist() == [5]
    assert not dealt.memory["claimed"].any()


def test_a_mason_neither_votes_for_nor_checks_nor_shoots_a_partner() -> None:
    family, dealt = table("Town Mason Cop", "Town Mason Vigilante", MASON, TOWNIE, GOON)
    chance, policy = np.random.default_rng(1), FollowTheClaims()
    policy.begin(family, dealt, chance)
    deck = dealt.deck
    game, actor = np.zeros(2, np.intp), np.array([0, 1])
    what = np.array([np.flatnonzero(deck.has[dealt.card[0, seat]])[0] for seat in actor])
    wished = policy.wish(family, dealt, game, actor, what)
    assert wished is not None
    assert (wished < 0).tolist() == [[False, True, True, False, False], [True, False, True, False, False]]
    # Only the votes of masons are counted: all of them fall on who is none.
    dealt.alive[0] = [True, True, True, False, True]
    for _ in range(20):
        assert Suspicion.vote(policy, family, dealt, chance).tolist() == [4]


def test_whom_partners_vouch_for_no_check_accuses() -> None:
    """A Cop who finds a Miller among the masons is believed no more."""
    family, dealt = table("Town Cop", "Town Mason Miller", MASON, TOWNIE, TOWNIE, GOON, GOON)
    chance, policy = np.random.default_rng(1), FollowTheClaims()
    policy.begin(family, dealt, chance)
    dealt.memory["found"][0, 0, 1] = 1
    assert policy.vote(family, dealt, chance).tolist() != [1]
    assert np.flatnonzero(dealt.memory["cleared"][0]).tolist() == [1, 2]
    policy.flipped(family, dealt, np.array([3]))
    assert np.flatnonzero(dealt.memory["liar"][0]).tolist() == [0]


def test_what_the_cards_vouch_for_is_what_role_pms_tell() -> None:
    """The same question is asked by the games for the PMs and by the deck."""
    written = (MASON, "Town Mason Doctor", "Town Cop", TOWNIE, GOON, "Mafia Ninja")
    roles = [parse_role(role) for role in written]
    deck = custom_deck([Card(role) for role in roles], frozenset())
    expected = [[one < 2 and other < 2 for other in range(6)] for one in range(6)]
    assert deck.vouches.tolist() == expected
    slots = [SlotId(name) for name in ("Ada", "Boro", "Cleo", "Dill", "Elm", "Fen")]
    file = NightFile(CUSTOM_MAFIA, "told", 1, {s: r.name for s, r in zip(slots, roles, strict=True)}, {}, {})
    state = CUSTOM_MAFIA.open_night(file)
    for seat, slot in enumerate(slots):
        others = [slots[number] for number in range(6) if number != seat and expected[seat][number]]
        assert list(known_to(state, slot).get("mason", ())) == others
    cards = {slots[0]: MASON, slots[1]: MASON, slots[2]: "Town Cop"}
    night = KNIGHT_ERRANT.open_night(NightFile(KNIGHT_ERRANT, "told", 1, cards, {}, {}))
    assert [partners(night, slot) for slot in slots[:3]] == [(slots[1],), (slots[0],), ()]


def test_a_bond_of_another_side_or_of_names_alone_vouches_for_nobody() -> None:
    bound = {"lodge": Knowledge.PARTNERS}
    member, spy = Role("Member", Alignment.TOWN, bonds=bound), Role("Spy", Alignment.MAFIA, bonds=bound)
    other = Role("Guild", Alignment.TOWN, bonds={"guild": Knowledge.PARTNERS})
    assert member.vouches(member)
    assert not member.vouches(spy)
    assert not spy.vouches(member)
    assert not member.vouches(other)
    deck = custom_deck([Card(member), Card(other), Card(spy)], frozenset())
    dealt = table_of(deck, np.array([[0, 0, 1, 1, 2]]))
    policy = Suspicion()
    policy.begin(KnightErrantFamily({}), dealt, np.random.default_rng(1))
    pairs = np.argwhere(dealt.memory["partners"][0]).tolist()
    assert pairs == [[0, 1], [1, 0], [2, 3], [3, 2]]


@pytest.mark.parametrize("policy", [Suspicion(), FollowTheClaims()])
def test_of_whom_everybody_is_told_nobody_votes_for(policy: Suspicion) -> None:
    cards = [Card(parse_role("Innocent Child")), Card(parse_role(TOWNIE)), Card(parse_role(GOON))]
    family, _ = table(TOWNIE, TOWNIE, TOWNIE, GOON)
    dealt = table_of(custom_deck(cards, frozenset()), np.array([[0, 0, 1, 2]] * 50))
    chance = np.random.default_rng(1)
    policy.begin(family, dealt, chance)
    for _ in range(5):
        assert (policy.vote(family, dealt, chance) >= 2).all()


# ── Claims under pressure. ────────────────────────────────────────────────────────────────────────────────


def lined(*slots: dict[str, Any], players: int) -> tuple[CustomFamily, Table]:
    family = family_of(
        "custom_mafia", {"setup": {"schema": 1, "name": "Quarry", "slots": list(slots)}}, players
    )
    assert isinstance(family, CustomFamily)
    return family, family.deal(1, np.random.default_rng(1))


def test_who_is_about_to_be_voted_out_claims_an_ability_and_is_believed_where_every_deal_has_it() -> None:
    family, dealt = table(GOON, GOON, *[TOWNIE] * 5, "Town Doctor")
    chance, policy = np.random.default_rng(1), Fixed(bluff=1)
    policy.begin(family, dealt, chance)
    for _ in range(3):
        assert policy.vote(family, dealt, chance).tolist() == [6]
    assert np.flatnonzero(dealt.memory["claimed"][0]).tolist() == [7]
    assert not dealt.memory["unproven"].any()


def test_a_claim_of_what_a_deal_need_not_have_saves_for_one_day_alone() -> None:
    family, dealt = lined(
        {"role": GOON, "count": 2},
        {"role": TOWNIE, "count": 5},
        {"one_of": ["Town Doctor", "Town Tracker"]},
        players=8,
    )
    chance, policy = np.random.default_rng(1), Fixed(bluff=0)
    policy.begin(family, dealt, chance)
    assert policy.vote(family, dealt, chance).tolist() == [6]
    assert np.flatnonzero(dealt.memory["unproven"][0]).tolist() == [7]
    assert policy.vote(family, dealt, chance).tolist() == [7]


def test_a_bluff_stands_where_nobody_can_have_the_card_and_is_a_toss_where_somebody_has() -> None:
    slots = (
        {"role": TOWNIE, "count": 5},
        {"one_of": ["Town Doctor", "Town Tracker"]},
        {"role": GOON, "count": 2},
    )
    family, dealt = lined(*slots, players=8)
    chance = np.random.default_rng(1)
    seen = set()
    for _ in range(40):
        policy = Fixed(bluff=1)
        policy.begin(family, dealt, chance)
        [out] = policy.vote(family, dealt, chance).tolist()
        liars = np.flatnonzero(dealt.memory["liar"][0]).tolist()
        cleared = np.flatnonzero(dealt.memory["cleared"][0]).tolist()
        seen.add((out, tuple(liars), tuple(cleared)))
        # Who has the card is cleared when the Goon flips, and proves them a liar by flipping.
        assert cleared == [] or (cleared == [5] and out in (6, 7))
        assert liars == [] or (liars in ([6], [7]) and out == 5)
    assert {bool(liars) for _, liars, _ in seen} == {bool(cleared) for _, _, cleared in seen} == {True, False}
    assert {out for out, _, _ in seen} >= {5, 6, 7}


def test_at_the_last_mislynch_everybody_with_an_ability_has_claimed() -> None:
    family, dealt = table("Town Doctor", "Town Tracker", TOWNIE, TOWNIE, GOON, GOON)
    chance, policy = np.random.default_rng(1), Fixed()
    policy.begin(family, dealt, chance)
    assert policy.vote(family, dealt, chance).tolist() == [5]
    assert np.flatnonzero(dealt.memory["claimed"][0]).tolist() == [0, 1]


def test_how_many_of_a_card_a_deal_can_have() -> None:
    family, _ = lined(
        {"role": GOON},
        {"pick": 2, "from": ["Town Cop", "Town Doctor", "Town Cop"]},
        {"one_of": ["Town Doctor", "Town Tracker"], "count": 2},
        {"role": TOWNIE, "fill": True},
        players=9,
    )
    names = {role.name: place for place, role in enumerate(family.roles)}
    found = {name: (int(family.least[place]), int(family.most[place])) for name, place in names.items()}
    assert found == {
        GOON: (1, 1),
        "Town Cop": (1, 2),
        "Town Doctor": (0, 3),
        "Town Tracker": (0, 2),
        TOWNIE: (4, 4),
    }
    secret = {
        "schema": 1,
        "name": "Quarry",
        "reveal_setup": False,
        "slots": [{"role": GOON}, {"role": TOWNIE, "fill": True}],
    }
    family = CustomFamily({"setup": secret}, 9)
    assert family.least.tolist() == [0, 0]
    assert family.most.tolist() == [2, 9]
    for game in (KnightErrantFamily({}), family_of("empowered", {}, 13)):
        cards = game.deal(500, np.random.default_rng(2)).card
        for row in cards:
            dealt = np.bincount(row, minlength=len(game.most))
            assert (dealt <= game.most).all()
            assert (dealt >= game.least).all()


def test_a_doctor_who_can_claim_is_worth_more_than_a_townie() -> None:
    counts = play_pairs(
        nine(0, "follow-the-claims", "Town Doctor"), nine(0, "follow-the-claims"), 5, 0, GAMES
    )
    assert paired_difference(*counts.alone("town"), GAMES).low > 0
