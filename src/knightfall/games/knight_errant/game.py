"""Knight-Errant as a mafia game: the hooks that its bases in `mafia` ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from knightfall.engine.game import DayRule, Position, Refusal, Spec, Told, check_distinct
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.games.knight_errant import views
from knightfall.games.knight_errant.abilities import ABILITIES, CHECKS, KILLS, ROLES, SERIAL_KILLER, Ability
from knightfall.games.knight_errant.options import (
    DRAWN,
    EARLIER,
    OPTIONS,
    PLAYERS,
    RULINGS,
    SETUP,
    SETUP_CODE,
    WORDING,
    Rules,
    choose_code,
    deck_of,
    parse_code,
    parse_options,
)
from knightfall.games.knight_errant.orders import CHECK, VERBS, WORDS, KnightErrantTrace
from knightfall.games.knight_errant.rules import ending, judge, resolve
from knightfall.games.knight_errant.state import (
    KnightErrantPosition,
    State,
    night_position,
)
from knightfall.games.knight_errant.views import SetupPost
from knightfall.mafia import orders
from knightfall.mafia.events import Ending, Opening, Partner
from knightfall.mafia.explain import night_sheet
from knightfall.mafia.game import NightEnd, Verdict
from knightfall.mafia.night import Action
from knightfall.mafia.night_file import DecidedNight, NightFile, NightFileGame, Wrong
from knightfall.mafia.night_position import FaultCode
from knightfall.mafia.orders import Reading
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.state import Phase, spend
from knightfall.mafia.voting import voting_sentences
from knightfall.sentence import SlotId

_FIXED_RULES = frozenset({"death", "majority_from_day"})


class KnightErrant(NightFileGame[Rules]):
    """Eighteen cards by one of 48 codes; the latest valid line of a slot stands (KE-R17, KE-R19)."""

    spec = Spec(
        "knight_errant",
        "Knight-Errant",
        range(PLAYERS, PLAYERS + 1),
        (SETUP_CODE, *OPTIONS, WORDING),
        RULINGS,
        ("setup",),
        earlier=EARLIER,
    )
    position = KnightErrantPosition
    words = WORDS
    verbs = VERBS
    faction_kill = Ability.MAFIA_KILL
    kill_ruling = "KE-R17"
    kills = KILLS

    file_keys = ("setup", "shots")
    file_uses = tuple(str(row.id) for row in ABILITIES)
    trace = KnightErrantTrace
    night_options = OPTIONS
    parse_rules = staticmethod(parse_options)
    role_names = tuple(ROLES)

    def deal(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> State:
        """Deal by a drawn or named code. Raises InputError for another number of players or a bad option."""
        if len(slots) != PLAYERS:
            raise InputError(f"Knight-Errant is for {PLAYERS} players; the list has {len(slots)}.")
        check_distinct(slots)
        rules, setup = parse_options(options), choose_code(options, draw)
        order = draw.sample("ke.cards", slots, len(slots))
        names = dict(zip(order, setup.roles, strict=True))
        cards = {slot: rules.roles[names[slot]] for slot in slots}
        killer = next(slot for slot in slots if names[slot] == SERIAL_KILLER.name)
        # KE-R23: the game opens with Day 1.
        return State(setup.code, rules, cards, Phase.DAY, 1, {killer: setup.shots})

    def deal_plan(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Mapping[str, Any]:
        """The roles of the code, in the order in which the players are drawn."""
        return {"path": ["deal"], "order": [["ke.cards", len(slots)]], "deck": deck_of(options)}

    def day_rule(self, options: Mapping[str, object]) -> DayRule:
        """Who has a majority is eliminated, from day 1 on (KE-R23)."""
        return DayRule("majority", fixed=_FIXED_RULES)

    def setup_post(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> SetupPost:
        """“This setup”, for everybody: the same whoever plays, and whichever code is drawn."""
        return views.setup_post(parse_options(options), voting_sentences(self.day_rule(options)))

    def opening(self, state: State) -> Opening:
        """The table; which code was dealt is a secret."""
        return Opening(str(state.phase), state.number, tuple(state.living), self.votes_needed(state))

    def first_pm(self, state: State, slot: SlotId) -> Told:
        """The role PM."""
        return views.role_pm(state, slot)

    def night_position(self, state: State, draw: Rng | None = None) -> KnightErrantPosition:
        """The living, their cards, the uses left and the rules."""
        return night_position(state)

    def ability_meant(self, state: State, slot: SlotId, verb: str) -> str | Refusal:
        """`kill` is the faction's for a mafioso; `check` is whichever check the card has uses of."""
        card = state.cards[slot]
        if verb == Ability.KILL and card.alignment is Alignment.MAFIA:
            return Ability.MAFIA_KILL
        if verb != CHECK:
            return verb
        own, position = sorted(CHECKS.keys() & card.abilities.keys()), night_position(state)
        usable = [ability for ability in own if position.uses_left(slot, ability) != 0]
        return orders.one_check(own, usable, self.refusal(FaultCode.NOT_YOUR_ABILITY))

    def plan(
        self,
        state: State,
        slot: SlotId,
        readings: tuple[Reading, ...],
    ) -> tuple[State, tuple[Reading, ...]]:
        """KE-R19: in one message the strong kill stands and the kill is refused."""
        asked = [reading.wanted.ability for reading in readings if isinstance(reading.wanted, Action)]
        if Ability.STRONG_KILL not in asked:
            return state, readings
        taken = self.refusal(FaultCode.SLOT_TAKEN)
        judged = (
            replace(reading, wanted=taken)
            if isinstance(reading.wanted, Action) and reading.wanted.ability == Ability.KILL
            else reading
            for reading in readings
        )
        return state, tuple(judged)

    def resolve_night(self, state: State, at: datetime, draw: Rng) -> NightEnd[Rules]:
        """Nothing is asked; the uses are spent."""
        night = resolve(night_position(state), state.actions, draw)
        sheet = night_sheet(WORDS, state.number, night, self.silent(state))
        return NightEnd(night, replace(state, shots=spend(state, night.spent)), sheet)

    def card(self, rules: Rules, name: str) -> Role:
        """An option may rewrite a card."""
        return rules.roles[name]

    def check_file(self, night: NightFile, wrong: Wrong) -> NightFile:
        """The cards can be what is left of the setup code, which gives the Serial Killer its uses."""
        if not night.code:
            return night
        try:
            setup = parse_code(night.code)
        except InputError as error:
            raise InputError(f"setup: {error}") from error
        if odd := Counter(night.roles.values()) - Counter(setup.roles):
            more = ", ".join(f"{count} {role}" for role, count in odd.items())
            raise wrong("roles", f"{more} too many", f"the cards of {setup.code}")
        killers = [slot for slot, role in night.roles.items() if role == "Serial Killer"]
        return replace(night, code=setup.code, shots=dict.fromkeys(killers, setup.shots))

    def position_told(self, options: Mapping[str, object], position: Position) -> State:
        """By the setup code, where that was told: it gives the Serial Killer its uses."""
        state = super().position_told({n: v for n, v in options.items() if n != SETUP}, position)
        named = str(options.get(SETUP, DRAWN))
        if named == DRAWN:
            return state
        setup = parse_code(named)
        killers = (slot for slot, card in state.cards.items() if card.name == SERIAL_KILLER.name)
        shots = {slot: {**setup.shots, **position.uses.get(slot, {})} for slot in killers}
        return replace(state, code=setup.code, shots={**state.shots, **shots})

    def under(self, state: State, options: Mapping[str, object]) -> State:
        """An option may rewrite a card."""
        rules = parse_options(options)
        cards = {slot: rules.roles[card.name] for slot, card in state.cards.items()}
        return replace(state, rules=rules, cards=cards)

    def decide_night(self, state: State, actions: Sequence[Action], draw: Rng) -> DecidedNight:
        """What a card can do every night has no uses to spend."""
        position = night_position(state)
        always = frozenset(
            (slot, str(ability))
            for slot, card in position.roles.items()
            for ability, uses in card.abilities.items()
            if uses is None
        )
        return DecidedNight(resolve(position, actions, draw), WORDS, unlimited=always)

    def judge(self, state: State) -> Verdict:
        """KE-R37 to KE-R42."""
        return judge(state)

    def partners(self, state: State, slot: SlotId) -> tuple[Partner, ...]:
        """Partners as the options let them be known (KE-R41, KE-R43)."""
        return views.partners(state, slot)

    def ending(self, state: State) -> Ending:
        """Who won and why, who is left, and every card."""
        return ending(state)


KNIGHT_ERRANT = KnightErrant()
