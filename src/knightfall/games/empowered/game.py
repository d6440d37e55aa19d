"""Empowered Mafia as a mafia game: the hooks that its bases in `mafia` ask for, and the choice of roles.

A night plan is one message with every choice, sent by night or by day for the night to come. A plan with an
invalid line is refused whole, and what stood before stands; a valid one replaces its sender's choices. The
Murder is the whole faction's: the latest valid one stands, and only its carrier's own line names the target
where the carrier has sent one (EM-R23).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations
from typing import Any

from knightfall.engine.commands import NO_ELIMINATION, TIE, Aliases, Command, Order, lines_of, parse_command
from knightfall.engine.game import (
    Announced,
    Awaited,
    DayRule,
    Message,
    Noted,
    Refusal,
    Silence,
    Spec,
    Step,
    Told,
    Window,
    check_distinct,
    refuse,
    values_of,
)
from knightfall.engine.lines import Choices, either
from knightfall.engine.rng import Rng
from knightfall.games.empowered import views
from knightfall.games.empowered.abilities import (
    ADAPTABLE,
    EMPOWERER,
    INVISIBLE,
    MAFIA_ROLES,
    ROLES,
    TARGETS,
    TOWN_ROLES,
    UNCHOSEN,
    Ability,
    Extra,
)
from knightfall.games.empowered.options import (
    EARLIER,
    OPTIONS,
    PLAYERS,
    RULINGS,
    WORDING,
    Rules,
    numbers,
    parse_options,
)
from knightfall.games.empowered.orders import (
    INCARCERATED,
    LOST,
    NO_MURDER,
    NOT_READY,
    POWERED,
    ROLE,
    VERBS,
    WORDS,
    EmpoweredTrace,
    choice_lines,
    choice_lines_for,
    obey_choice,
    obey_tie,
    obey_tied,
    split_extras,
    take_choice,
    tie_lines,
    tie_tree,
)
from knightfall.games.empowered.rules import cause_of, ending, judge, resolve, tie_pool
from knightfall.games.empowered.state import (
    FACTION_MURDER,
    READY,
    EmpoweredPosition,
    State,
    all_ready,
    deadline,
    has_lost,
    losing,
    mafiosi,
    night_position,
    plans,
    unchosen,
)
from knightfall.games.empowered.views import (
    AdaptabilityLost,
    AliveNow,
    EmpoweredOpening,
    EmpoweredOwn,
    FirstDay,
    PoweredNight,
    RolesMissing,
    RulingText,
    SetupPost,
    TieDrawn,
)
from knightfall.mafia import orders
from knightfall.mafia.events import CautionNote, EarlyClosing, Ending, Partner
from knightfall.mafia.explain import night_sheet
from knightfall.mafia.game import NightEnd, Verdict
from knightfall.mafia.night import Action
from knightfall.mafia.night_file import DecidedNight, NightFile, NightFileGame, Wrong
from knightfall.mafia.night_position import FaultCode, NightPosition, claim_slots
from knightfall.mafia.orders import NO_ACTION, Reading, Wanted
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.state import Decision, Phase, SlotKey
from knightfall.mafia.views import dealt
from knightfall.mafia.voting import voting_sentences
from knightfall.sentence import SlotId, joined, sentence

_NOT_NOW = Refusal(
    "WRONG_PHASE", "`ready` counts at night only, and only if nights can end early in this game"
)

_FIXED_RULES = frozenset(
    {
        *("death", "tie", "majority_from_day", "needed", "minimum_votes"),
        *("eliminations", "no_elimination", "votes_per_player", "at_deadline"),
    }
)
"""EM-R26 to EM-R28: one vote each, most votes at the deadline eliminate one player, or nobody."""


class Empowered(NightFileGame[Rules]):
    """Mafiosi choose their roles, then days of 72 hours and nights of 24 with plans taken at any time."""

    spec = Spec(
        "empowered", "Empowered Mafia", PLAYERS, (*OPTIONS, WORDING), RULINGS, ("phases",), earlier=EARLIER
    )
    position = EmpoweredPosition
    words = WORDS
    verbs = VERBS
    commands = frozenset({NO_ACTION, NO_MURDER, READY, NOT_READY})
    faction_kill = Ability.MURDER
    kill_ruling = "EM-R23"
    kills = frozenset({Ability.MURDER})
    moderator_words = (TIE, ROLE)
    file_keys = ("adaptability_lost",)
    file_marks = ("adaptability_lost",)
    trace = EmpoweredTrace
    night_options = OPTIONS
    parse_rules = staticmethod(parse_options)
    role_names = tuple(ROLES)

    # ── The deal, and the choice of roles. ──────────────────────────────────────────────────────────────────

    def deal(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> State:
        """Deal all roles but those of the mafia. Raises InputError for names, numbers or options."""
        rules = parse_options(options)
        check_distinct(slots)
        count = numbers(len(slots))
        mafia = draw.sample("em.mafia", slots, count.mafia)
        rest = [slot for slot in slots if slot not in mafia]
        empowerers = draw.sample("em.empowerers", rest, count.empowerers)
        others = [slot for slot in rest if slot not in empowerers]
        # The shuffled list is dealt from its start, in slot order.
        names = [role.name for role in TOWN_ROLES for _ in range(count.copies)]
        dealt = dict(zip(others, draw.sample("em.roles", names, len(names)), strict=False))
        cards = {
            slot: UNCHOSEN if slot in mafia else EMPOWERER if slot in empowerers else ROLES[dealt[slot]]
            for slot in slots
        }
        return State(f"{count.players} players", rules, cards, Phase.CHOOSING, 1)

    def deal_plan(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Mapping[str, Any]:
        """The mafiosi, the Empowerers, and the roles of all others from the shuffled list."""
        count = numbers(len(slots))
        names = [role.name for role in TOWN_ROLES for _ in range(count.copies)]
        known = [UNCHOSEN.name] * count.mafia + [EMPOWERER.name] * count.empowerers
        others = {"draw": "em.roles", "way": "sample", "count": len(names), "of": names}
        order = [["em.mafia", count.mafia], ["em.empowerers", count.empowerers]]
        return {"path": ["deal"], "order": order, "deck": [*known, others]}

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State]:
        """As in every mafia game. EM-R24: with five and with six players the mafia is close to winning."""
        step = super().setup(slots, options, draw)
        if not numbers(len(slots)).crowded:
            return step
        look = Noted(CautionNote("a third of the players or more are mafiosi", "EM-R24"))
        dealt, *told = step.events
        return replace(step, events=(dealt, look, *told))

    def setup_post(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> SetupPost:
        """“This setup”, for everybody; how many of each kind there are only where enough have signed up."""
        return views.setup_post(len(slots), parse_options(options), voting_sentences(self.day_rule(options)))

    def opening(self, state: State) -> EmpoweredOpening:
        """How many there are of each kind."""
        return views.opening(state)

    def first_pm(self, state: State, slot: SlotId) -> Told:
        """A mafioso's question, or the role PM."""
        return views.first_pm(state, slot)

    def windows(self, state: State) -> tuple[Window, ...]:
        """First the mafiosi choose their roles (EM-R29); every day and night has its deadline (EM-R31)."""
        if state.phase is Phase.CHOOSING:
            return (Window("choosing", "The mafiosi choose their roles", mafiosi(state), secret=True),)
        return tuple(replace(window, closes=deadline(state)) for window in super().windows(state))

    def awaits(self, state: State, window: Window) -> tuple[Awaited, ...]:
        """Before day 1 the mafiosi, of whom those have answered that have a role."""
        if state.phase is not Phase.CHOOSING:
            return super().awaits(state, window)
        lacking = unchosen(state)
        return tuple(
            Awaited(slot, () if slot in lacking else (f"role {state.cards[slot].name}",))
            for slot in window.slots
        )

    def silence(self, kind: str) -> Silence | None:
        """EM-R29: a mafioso's role is asked for until it is chosen."""
        if kind == "choosing":
            return Silence("nothing is chosen for them: the moderator asks again", "EM-R29")
        return super().silence(kind)

    def day_rule(self, options: Mapping[str, object]) -> DayRule:
        """EM-R26, EM-R28: most votes at the deadline; a tie is drawn among those that hurt the town most, or
        among all. EM-R27: it may end early when everybody agrees."""
        said = {name: str(value).lower() for name, value in options.items()}
        tie_rule = "random" if said.get("em_r26") == "uniform" else "anti_town"
        unanimous = said.get("em_r27") != "never"
        return DayRule("plurality", tie_rule, draws=True, unanimous=unanimous, fixed=_FIXED_RULES)

    def listens(self, state: State, slot: SlotId) -> bool:
        """Roles before day 1, then plans, by day too."""
        return slot in state.living and state.phase is not Phase.OVER

    def player_lines(self, state: State, slot: SlotId) -> Iterable[str]:
        """Every plan of one line that the slot can send now; before day 1 a mafioso's choices."""
        if state.phase is Phase.CHOOSING:
            return choice_lines(state, slot)
        ready = state.phase is Phase.NIGHT and state.rules["em_r27"] == "unanimous"
        return (*super().player_lines(state, slot), *((READY,) if ready else ()))

    def legal(self, state: State, slot: SlotId | None) -> Iterable[str]:
        """As in every mafia game, and by day some ties for the moderator."""
        ties = tie_lines(state) if slot is None and state.phase is Phase.DAY else ()
        return (*super().legal(state, slot), *ties)

    def moderator_tree(self, state: State) -> Choices:
        """As in every mafia game, and by day any tie."""
        tree = super().moderator_tree(state)
        return either(tree, tie_tree(state)) if state.phase is Phase.DAY else tree

    def seldom_words(self, state: State) -> Iterator[str]:
        """As in every mafia game; before day 1 another role for a mafioso."""
        yield from super().seldom_words(state)
        if state.phase is Phase.CHOOSING:
            yield from choice_lines_for(mafiosi(state))

    def command_words(self, state: State, slot: SlotId) -> Iterator[str]:
        """Before day 1 none; `not ready` where `ready` counts (EM-R27)."""
        if state.phase is Phase.CHOOSING:
            return
        yield NO_ACTION
        if Ability.MURDER in state.cards[slot].abilities:
            yield NO_MURDER
        if state.phase is Phase.NIGHT and state.rules["em_r27"] == "unanimous":
            yield NOT_READY

    def seldom_actions(self, state: State, slot: SlotId) -> Iterator[Action]:
        """None before day 1."""
        return iter(()) if state.phase is Phase.CHOOSING else super().seldom_actions(state, slot)

    # ── A plan. ─────────────────────────────────────────────────────────────────────────────────────────────

    def night_position(self, state: State, draw: Rng | None = None) -> EmpoweredPosition:
        """The living, who has lost Adaptability, and a lot where Bombs attack one killer of several."""
        return night_position(state, draw)

    def standing_orders(self, state: State) -> tuple[Action, ...]:
        """The plans; `ready` is no action."""
        return plans(state)

    def hear(self, state: State, slot: SlotId, message: Message, draw: Rng) -> Step[State]:
        """A mafioso's choice before day 1; then a plan, which replaces its sender's last one."""
        lines = lines_of(message.text, message.aliases)
        if state.phase is Phase.CHOOSING:
            return take_choice(state, slot, lines)
        taken = self.take(state, slot, lines, message.aliases)
        after, refused = taken.state, taken.refused
        before, now = self.standing_kill(state, slot), self.standing_kill(after, slot)
        events = list(self.answers(state, slot, taken))
        # EM-R23: the latest stands; whether two came at once only the moderator can see.
        if before is not None and now is not None and before.actor != now.actor:
            text = sentence(
                "the Murder went from {one} to {other}: if both came at once, ask the mafia",
                one=before.actor,
                other=now.actor,
            )
            events.append(Noted(CautionNote(text, "EM-R23")))
        return Step(after, tuple(events), refused)

    def submit(self, state: State, message: Message, draw: Rng) -> Step[State]:
        """As in every mafia game; the night ends once the last one has agreed (EM-R27)."""
        step = super().submit(state, message, draw)
        if (
            message.slot not in state.living
            or step.state.phase is not Phase.NIGHT
            or not all_ready(step.state)
        ):
            return step
        morning = self.end_night(step.state, message.at, draw)
        return Step(morning.state, (*step.events, *morning.events), step.refused)

    def read_line(self, state: State, slot: SlotId, line: str, aliases: Aliases) -> Wanted | Refusal:
        """`ready` is an order that is no action, and only where a night may end early (EM-R27)."""
        command = parse_command(line, VERBS)
        if command is None or command.verb not in (READY, NOT_READY):
            return super().read_line(state, slot, line, aliases)
        if state.phase is not Phase.NIGHT or state.rules["em_r27"] != "unanimous":
            return _NOT_NOW
        return Action(slot, READY) if command.verb == READY else command

    def read_action(self, state: State, slot: SlotId, command: Command, aliases: Aliases) -> Action | Refusal:
        """The action, legal or not; extras are looked for only where the line has no name without them."""
        # A Vigilante's card calls the shot a Murder, too.
        own = state.cards[slot].abilities
        vigilante = command.verb == Ability.MURDER and Ability.VIG in own
        ability = Ability.VIG if vigilante else command.verb
        if ability not in own:
            return self.refusal(FaultCode.NOT_YOUR_ABILITY)
        plain = self.aim(state, slot, ability, command.argument, aliases)
        rest, extras = split_extras(command.argument)
        if not extras or isinstance(plain, Action):
            return plain
        action = self.aim(state, slot, ability, rest, aliases)
        return action if isinstance(action, Refusal) else action._replace(options=extras)

    def aim(
        self, state: State, slot: SlotId, ability: str, argument: str, aliases: Aliases
    ) -> Action | Refusal:
        """Every ability needs a name."""
        if not argument:
            return self.refusal(FaultCode.BAD_ARGS)
        return super().aim(state, slot, ability, argument, aliases)

    def parse_aim(
        self,
        state: State,
        ability: str,
        argument: str,
        aliases: Aliases,
    ) -> tuple[SlotId, ...] | Refusal:
        """All the names of the line."""
        return orders.parse_targets(state, argument, aliases)

    def objection(
        self, position: NightPosition, state: State, sender: SlotId, action: Action
    ) -> Refusal | None:
        """EM-R23: the carrier's own line names the target; by option the first Murder stands."""
        if action.actor != sender and action.options:
            text = "only the carrier can add that, in their own PM"
            return Refusal(FaultCode.NOT_YOUR_EXTRA, text)
        if refused := super().objection(position, state, sender, action):
            return refused
        standing = state.standing.get(FACTION_MURDER)
        if action.ability != Ability.MURDER or standing is None or standing.actor == sender:
            return None
        if state.rules["em_r23"] == "first":
            taken = f"tonight's Murder has already been sent: {WORDS.notation(standing, sender)}"
            return Refusal(FaultCode.SLOT_TAKEN, taken)
        if action.actor == standing.actor and _own_murder(standing.actor) in state.standing:
            return Refusal("CARRIER_DECIDES", f"{standing.actor} carries the Murder and has named a target")
        return None

    def plan(
        self, state: State, slot: SlotId, readings: tuple[Reading, ...]
    ) -> tuple[State, tuple[Reading, ...]]:
        """A plan is taken whole or not at all, and replaces the sender's earlier one."""
        # EM-R2, EM-R13, EM-R23: what one message asks for twice is refused the second time.
        holders: dict[SlotKey, Action] = {}
        judged = []
        for reading in readings:
            action = reading.wanted
            if isinstance(action, Action):
                holder = claim_slots(holders, self._slots(state, action), action)
                if holder is not None:
                    reading = replace(reading, wanted=self.refusal(FaultCode.SLOT_TAKEN))
            judged.append(reading)
        kept = orders.whole(tuple(judged))
        if not any(isinstance(r.wanted, Action) and r.wanted.ability != READY for r in kept):
            return state, kept
        # The earlier plan falls; not a Murder that a partner gave the sender to carry.
        given = state.standing.get(FACTION_MURDER)
        theirs = given if _own_murder(slot) not in state.standing else None
        own = [action for action in state.actions if action.actor == slot and action != theirs]
        return orders.without(state, own), kept

    def _slots(self, state: State, action: Action) -> tuple[SlotKey, ...]:
        if action.ability == READY:
            return ((action.actor, READY),)
        return night_position(state).slots(action, {})

    def apply(self, state: State, slot: SlotId, wanted: Wanted) -> State:
        """Enter an action; or take back the Murder, `ready`, or everything of one's own."""
        if isinstance(wanted, Action):
            sent = (_own_murder(slot),) if wanted.ability == Ability.MURDER and wanted.actor == slot else ()
            if wanted.ability == Ability.MURDER:
                sent = (*sent, orders.sent_by(slot))
            return orders.enter(state, wanted, (*self._slots(state, wanted), *sent))
        if wanted.verb == NO_MURDER:
            faction = state.cards[slot].alignment is Alignment.MAFIA
            murders = [a for a in state.actions if faction and a.ability == Ability.MURDER]
            return orders.without(state, murders)
        own = (a for a in state.actions if a.actor == slot)
        return orders.without(state, [a for a in own if wanted.verb == NO_ACTION or a.ability == READY])

    def candidates(self, state: State, slot: SlotId) -> Iterator[Action]:
        """Every action with every extra; the Murder also as carried by each partner."""
        card = state.cards[slot]
        for ability in map(str, card.abilities):
            invisible = ((), (str(Extra.INVISIBLE),)) if INVISIBLE in card.traits else ((),)
            pierces = ADAPTABLE in card.traits and ability == Ability.MURDER
            obliterate = ((), (str(Extra.OBLITERATE),)) if pierces else ((),)
            for targets in combinations(state.living, TARGETS[ability]):
                for first in invisible:
                    for second in obliterate:
                        yield Action(slot, ability, targets, (*first, *second))
                if ability == Ability.MURDER:
                    yield from (Action(mate, ability, targets) for mate in mafiosi(state) if mate != slot)

    # ── The moderator, and the end of a phase. ──────────────────────────────────────────────────────────────

    def obey(self, state: State, command: Command, aliases: Aliases, draw: Rng) -> Step[State]:
        """`tie Ada, Boro` leaves the day to a draw; `role Ninja of Boro` chooses for a mafioso."""
        if command.verb == TIE:
            return obey_tie(state, command, aliases)
        return obey_choice(state, command, aliases)

    def moderator_lines(self, state: State) -> tuple[str, ...]:
        """The decisions of a day; before day 1 the choices that are missing."""
        if state.phase is Phase.CHOOSING:
            return choice_lines(state, None)
        return super().moderator_lines(state)

    def moderate(self, state: State, lines: Iterable[str], aliases: Aliases, draw: Rng) -> Step[State]:
        """As in every mafia game; plans of and on the dead fall."""
        return self._drop_plans(state, super().moderate(state, lines, aliases, draw))

    def decide(self, state: State, wanted: Sequence[Order], at: datetime, draw: Rng) -> Step[State]:
        """As in every mafia game; plans of and on the dead fall."""
        return self._drop_plans(state, super().decide(state, wanted, at, draw))

    def obeyed(self, state: State, order: Order, line: str, fallen: list[SlotId]) -> Step[State]:
        """As in every mafia game, and a tie that is drawn."""
        if order.verb == TIE:
            return obey_tied(state, order.slots, line)
        return super().obeyed(state, order, line, fallen)

    def _drop_plans(self, before: State, step: Step[State]) -> Step[State]:
        """Plans of the dead have fallen; so do those aimed at them, and who knew of one is told."""
        state = step.state
        dead = state.left.keys()
        after = orders.without(state, [a for a in plans(state) if not dead.isdisjoint(a.targets)])
        if after.phase is Phase.OVER:
            return Step(after, step.events, step.refused)
        fallen = [action for action in plans(before) if action not in plans(after)]
        own = {action.actor for action in fallen}
        murder = any(action.ability == Ability.MURDER for action in fallen)
        receipts = (
            self.receipt(after, slot, fallen)
            for slot, card in after.living.items()
            if slot in own or (murder and card.alignment is Alignment.MAFIA)
        )
        return Step(after, (*step.events, *receipts), step.refused)

    def moved(self, state: State, kind: str, until: datetime | None, at: datetime) -> State:
        """EM-R31: a phase is closed early or in time by the deadline that holds."""
        return replace(state, moved=(state.when, until)) if kind == state.phase else state

    def close(self, state: State, kind: str, at: datetime, draw: Rng) -> Step[State]:
        """As in every mafia game; a phase that ends early is refused or pointed out (EM-R27)."""
        ends = deadline(state)
        early = ends is not None and at < ends
        if self.is_open(state, kind):
            if early and state.rules["em_r27"] == "never":
                return refuse(
                    state, f"close {kind}", "TOO_EARLY", "in this game no day and no night ends early"
                )
            if state.phase is Phase.CHOOSING:
                return self._first_day(state, at)
        step = super().close(state, kind, at, draw)
        if step.refused or not early or (state.phase is Phase.NIGHT and all_ready(state)):
            return step
        # EM-R27: a day's votes stand in the thread, so the game can but ask; a night's plans it knows.
        if state.phase is Phase.DAY:
            unless = "this is fine only if every living player had voted, and all for the same"
        else:
            unless = "not every living player had sent `ready`"
        look = EarlyClosing(f"{state.when} was closed before its deadline: {unless}", "EM-R27")
        return replace(step, events=(*step.events, Noted(look)))

    def _first_day(self, state: State, at: datetime) -> Step[State]:
        """Day 1 begins once every mafioso has a role: then they are told who is what, and how many (EM-R30).
        Who has not chosen is a question, never a default (EM-R29)."""
        if missing := unchosen(state):
            asked = Noted(RolesMissing(missing, tuple(role.name for role in MAFIA_ROLES)))
            text = sentence(
                "no role chosen yet by {names}: ask them, or say `{role} NAME of PLAYER`",
                names=joined(", ", missing),
                role=ROLE,
            )
            return Step(state, (asked,), (("close choosing", Refusal("UNDECIDED", text)),))
        day = replace(state, phase=Phase.DAY, since=at)
        family = mafiosi(day)
        pms = (views.role_pm(day, slot) for slot in family)
        aware = (Told((slot,), views.awareness(day, slot)) for slot in family)
        return Step(day, (Announced(FirstDay(views.now(day))), *pms, *aware, dealt(day)))

    def end_day(self, state: State, at: datetime, draw: Rng) -> Step[State]:
        """A tie is drawn (EM-R26). Undecided a day stays open, or ends without an elimination (EM-R28)."""
        if state.decision is None and state.rules["em_r28"] == "no_elimination":
            state = replace(state, decision=Decision())
        decided, record = state, tuple[Noted, ...]()
        if state.decision is not None and (tied := state.decision.tied):
            pool = tie_pool(state, tied)
            names = [slot or NO_ELIMINATION for slot in pool]
            drawn = draw.at("day", state.number).choice("em.tie", names) if len(names) > 1 else names[0]
            fallen = pool[names.index(drawn)]
            decided = replace(state, decision=Decision((fallen,) if fallen else (), tied))
            told = TieDrawn(state.number, tuple(slot or NO_ELIMINATION for slot in tied), tuple(names), drawn)
            record = (Noted(told),)
        step = super().end_day(decided, at, draw)
        if step.refused:
            return step
        return self._drop_plans(state, Step(replace(step.state, since=at), (*step.events, *record)))

    def resolve_night(self, state: State, at: datetime, draw: Rng) -> NightEnd[Rules]:
        """The sheet has every ruling that decided something in words; who lost Adaptability is told."""
        found = resolve(night_position(state, draw), plans(state), draw)
        dead = {death.slot for death in found.night.deaths}
        lost = tuple(slot for slot in sorted(found.lost) if not has_lost(state, slot))
        used = {note.ruling for note in found.night.trace}
        told = night_sheet(WORDS, state.number, found.night, self.silent(state))
        sheet = PoweredNight(
            **values_of(told),
            powered=tuple(sorted(found.powered)),
            incarcerated=tuple(sorted(found.incarcerated)),
            lost=tuple(sorted(lost)),
            rulings=tuple(RulingText(name, text) for name, text in RULINGS.items() if name in used),
        )
        notices = (
            Told((slot,), AdaptabilityLost(slot, state.number))  # EM-R12
            for slot in lost
            if slot not in dead
        )
        return NightEnd(
            found.night,
            replace(losing(state, lost), since=at),
            sheet,
            {death.slot: cause_of(death) for death in found.night.deaths},
            tuple(notices),
        )

    # ── A night written down, decided by itself. ────────────────────────────────────────────────────────────

    def card(self, rules: Rules, name: str) -> Role:
        """One of the eighteen."""
        return ROLES[name]

    def check_file(self, night: NightFile, wrong: Wrong) -> NightFile:
        """Only a Ninja can have lost Adaptability (EM-R12)."""
        lost = night.marked["adaptability_lost"]
        for slot in sorted(lost):
            if night.roles[slot] != "Ninja":
                raise wrong("adaptability_lost", slot, "a Ninja")
        return replace(night, shots={slot: {"adaptability": 0} for slot in lost})

    def file_marks_of(self, state: State) -> Mapping[str, frozenset[SlotId]]:
        """Who has lost Adaptability."""
        return {"adaptability_lost": frozenset(slot for slot in state.living if has_lost(state, slot))}

    def decide_night(self, state: State, actions: Sequence[Action], draw: Rng) -> DecidedNight:
        """Who had power, who was in jail and who lost Adaptability are states of their own."""
        arrival = {action: place for place, action in enumerate(actions)}
        found = resolve(replace(night_position(state, draw), arrival=arrival), actions, draw)
        marks = {POWERED: found.powered, INCARCERATED: found.incarcerated, LOST: found.lost}
        return DecidedNight(found.night, WORDS, marks=marks)

    def judge(self, state: State) -> Verdict:
        """EM-R24, EM-R25."""
        return judge(state)

    # ── What each may know. ─────────────────────────────────────────────────────────────────────────────────

    def votes_needed(self, state: State) -> None:
        """None: the most votes at the deadline eliminate."""

    def now(self, state: State) -> AliveNow:
        """How many live, and how long the phase lasts."""
        return views.now(state)

    def partners(self, state: State, slot: SlotId) -> tuple[Partner, ...]:
        """The other mafiosi."""
        return views.partners(state, slot)

    def own_facts(self, state: State, slot: SlotId) -> EmpoweredOwn:
        """With what a Ninja has left and the mafia knows of the deal."""
        return views.own_facts(state, slot, super().own_facts(state, slot))

    def ending(self, state: State) -> Ending:
        """Who won and why, and every role."""
        return ending(state)


EMPOWERED = Empowered()


def _own_murder(slot: SlotId) -> SlotKey:
    """Filled where the carrier has sent the Murder in a line of their own."""
    return slot, "murder"
