"""The base of every game with days, nights, roles and a mafia.

`MafiaGame` is the engine's `Game` with everything in place that such games share: what is open when, how a
message is read line by line, how a day and a night end, what the moderator can say, who may know what. A game
inherits it, sets the data at its head and fills in the hooks: how it is dealt, what a line means, how a night
is resolved, who has won, what each may know.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from itertools import permutations
from typing import Generic

from knightfall.engine.commands import (
    ELIMINATE,
    MODKILL,
    NO_ELIMINATION,
    REVIVE,
    Aliases,
    Command,
    Order,
    lines_of,
    parse_command,
)
from knightfall.engine.game import (
    Announced,
    Awaited,
    DayRule,
    DeadPlayer,
    Event,
    Facts,
    Game,
    Message,
    Noted,
    Outcome,
    Refusal,
    Room,
    Silence,
    Step,
    Told,
    View,
    Window,
    line_by_line,
    refuse,
    refuse_all,
)
from knightfall.engine.lines import Choices, a_word, descend, parts_of_line, tree_of
from knightfall.engine.rng import Rng
from knightfall.mafia import orders, rooms, views
from knightfall.mafia.events import (
    Alive,
    Card,
    CautionNote,
    Dawn,
    Elimination,
    Ending,
    NightDeath,
    NightSheet,
    OwnFacts,
    Partner,
    Receipt,
    Removal,
    UsesLeft,
)
from knightfall.mafia.explain import Words, said
from knightfall.mafia.night import Action, Night
from knightfall.mafia.night_position import FaultCode, NightPosition
from knightfall.mafia.orders import Reading, Taken, Wanted
from knightfall.mafia.roles import TEAMS, Alignment
from knightfall.mafia.state import ELIMINATED, Decision, Phase, R, State, active_uses, depart, learn
from knightfall.mafia.wins import Winner, majority
from knightfall.sentence import Sentence, SlotId, joined, sentence

KILL = "kill"
"""A death in the middle of a phase, such as by a shot at day."""
DRAW = "draw"
_ALWAYS = (ELIMINATE, NO_ELIMINATION, MODKILL, KILL, REVIVE, DRAW)
_TAKEN: Mapping[str, str] = {MODKILL: "modkilled", KILL: "killed"}


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who has won now, and what the moderator should look at."""

    winner: Winner | None = None
    cautions: tuple[Noted, ...] = ()


@dataclass(frozen=True, slots=True)
class NightEnd(Generic[R]):
    """A night resolved, as `resolve_night` hands it over.

    `after` is the state with what the game itself keeps (uses left, abilities lost); deaths and results are
    entered by the base. `sheet` is what the moderator reads, `causes` what the public learns of a death
    beyond the name and the card, `notices` what else is told.
    """

    night: Night
    after: State[R]
    sheet: NightSheet
    causes: Mapping[SlotId, str] = field(default_factory=dict)
    notices: tuple[Event, ...] = ()


class MafiaGame(Game["State[R]"], Generic[R]):
    """A mafia game on the engine's protocol; `R` is what it calls its rules.

    An instance holds no position: every method takes a state and answers, and nothing is drawn but by `draw`.
    """

    position: type[NightPosition]
    """The game's own position before a night."""
    words: Words
    """How its actions, and what became of them, are written."""
    verbs: Mapping[str, str]
    """Every word that a player's line can begin with → an ability, or a command about actions."""
    commands: frozenset[str] = frozenset({orders.NO_ACTION, orders.NO_KILL})
    """The verbs that are no abilities."""
    faction_kill: str
    """The ability that is the whole faction's: one a night, whoever of them sends it."""
    also_faction_kills: frozenset[str] = frozenset()
    """What is the faction's kill, too, where a card of the faction does it."""
    kill_ruling: str
    """What says that there is one."""
    kills: frozenset[str]
    """The abilities that `no kill` takes back."""
    moderator_words: tuple[str, ...] = ()
    """What the moderator can say in this game alone; `obey` does it."""

    alive_word = "alive"

    # ── The hooks: what a game says for itself. ─────────────────────────────────────────────────────────────

    @abstractmethod
    def deal(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> State[R]:
        """The state at the start. Raises InputError where slots or options cannot be played."""

    @abstractmethod
    def opening(self, state: State[R]) -> Facts:
        """What the opening post tells everyone."""

    @abstractmethod
    def first_pm(self, state: State[R], slot: SlotId) -> Told:
        """What a slot is told once the roles are dealt."""

    @abstractmethod
    def night_position(self, state: State[R], draw: Rng | None = None) -> NightPosition:
        """The position that lines are judged by and the night is resolved from."""

    def ability_meant(self, state: State[R], slot: SlotId, verb: str) -> str | Refusal:
        """The ability that a verb means on the card of this slot."""
        return verb

    def parse_aim(
        self,
        state: State[R],
        ability: str,
        argument: str,
        aliases: Aliases,
    ) -> tuple[SlotId, ...] | Refusal:
        """Whom a line names as targets."""
        target = orders.parse_target(state, argument, aliases)
        return target if isinstance(target, Refusal) else (target,)

    def plan(
        self,
        state: State[R],
        slot: SlotId,
        readings: tuple[Reading, ...],
    ) -> tuple[State[R], tuple[Reading, ...]]:
        """Judge the lines of one message together; returns the state that they apply to, and the readings."""
        return state, readings

    def candidates(self, state: State[R], slot: SlotId) -> Iterator[Action]:
        """Every action that the slot could think of, legal or not."""
        for ability in state.cards[slot].abilities:
            for targets in permutations(state.living, self.words.abilities[ability].targets):
                yield Action(slot, ability, targets)

    def standing_orders(self, state: State[R]) -> tuple[Action, ...]:
        """The actions that stand, in order of arrival."""
        return state.actions

    def standing_kill(self, state: State[R], slot: SlotId) -> Action | None:
        """The kill of the faction that a slot is of, where one stands."""
        return next((a for a in self.standing_orders(state) if self.is_kill_of(state, slot, a)), None)

    def without_kill(self, state: State[R], could: Callable[[SlotId], bool]) -> tuple[str, ...]:
        """The factions, as a sentence calls them, of which somebody living could send a kill and none
        stands."""
        idle: dict[Alignment, None] = {}
        for slot, role in state.living.items():
            waits = role.in_team and role.alignment not in idle and could(slot)
            if waits and self.standing_kill(state, slot) is None:
                idle[role.alignment] = None
        return tuple(TEAMS[side] for side in idle)

    @property
    def faction_kills(self) -> frozenset[str]:
        """Every ability that is the faction's kill in its hands."""
        return self.also_faction_kills | {self.faction_kill}

    def is_faction_kill(self, state: State[R], action: Action) -> bool:
        """Whether an order is a faction's kill."""
        return orders.is_faction_kill(state, action, self.faction_kills)

    def is_kill_of(self, state: State[R], slot: SlotId, action: Action) -> bool:
        """Whether an order is the kill of the faction that a slot is of."""
        return orders.is_kill_of(state, slot, action, self.faction_kills)

    def told_line(self, state: State[R], action: Action, reader: SlotId) -> Sentence:
        """The action as a receipt says it to that reader."""
        return self.words.notation(action, reader)

    @abstractmethod
    def resolve_night(self, state: State[R], at: datetime, draw: Rng) -> NightEnd[R] | Step[State[R]]:
        """What the standing orders come to; a step instead where the moderator has to decide something."""

    @abstractmethod
    def judge(self, state: State[R]) -> Verdict:
        """Who has won, asked after all deaths of the moment."""

    def follow(self, state: State[R], slot: SlotId) -> tuple[SlotId, ...]:
        """Who dies along with a slot that has just died."""
        return ()

    def obey(self, state: State[R], command: Command, aliases: Aliases, draw: Rng) -> Step[State[R]]:
        """Do what one of `moderator_words` says."""
        raise NotImplementedError(f"{self.spec.name} has no word “{command.verb}” for its moderator")

    def votes_needed(self, state: State[R]) -> int | None:
        """How many votes eliminate; None where the most votes at the deadline do."""
        return majority(len(state.living))

    def now(self, state: State[R]) -> Alive:
        """What posts say beside a death: how many live, the votes needed, whether that ends the game."""
        alive = len(state.living)
        over = state.winner is not None or self.judge(state).winner is not None
        return Alive(alive, majority(alive), over)

    @abstractmethod
    def partners(self, state: State[R], slot: SlotId) -> tuple[Partner, ...]:
        """Whom a slot knows by its card."""

    def own_facts(self, state: State[R], slot: SlotId) -> OwnFacts:
        """What a slot may know beyond the table: its card, what stands, what it has learned."""
        return OwnFacts(
            role=state.cards[slot].name,
            partners=self.partners(state, slot),
            shots=active_uses(state, slot),
            standing=self.standing(state, slot),
            learned=views.results_known(state, slot),
        )

    def receipt(
        self,
        state: State[R],
        slot: SlotId,
        replaced: Iterable[Action] = (),
        sender: SlotId | None = None,
        heard: bool = True,
    ) -> Told:
        """What a slot is told of its orders after a message, whatever will come of them.

        `replaced` are the orders that fell by it, of which the slot is told its own and its faction's kill;
        `sender` is who wrote the message, `heard` whether a line of it was taken.
        """
        known = views.orders_known(state, slot, self.faction_kills, replaced)
        facts = Receipt(
            name=slot,
            night=state.number,
            standing=self.standing(state, slot),
            replaced=tuple(self.told_line(state, action, slot) for action in known),
            no_kill=self.standing_kill(state, slot) is None
            and any(self.is_faction_kill(state, a) for a in known),
            sender=sender,
            heard=heard,
        )
        return Told((slot,), facts)

    @abstractmethod
    def ending(self, state: State[R]) -> Ending:
        """Who won and why, who is left, and every card."""

    # ── The engine's protocol. ──────────────────────────────────────────────────────────────────────────────

    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[State[R]]:
        """Deal. Raises InputError where slots or options cannot be played."""
        state = self.deal(slots, options, draw.at("deal"))
        opening = Announced(self.opening(state))
        pms = (self.first_pm(state, slot) for slot in slots)
        return Step(state, (views.dealt(state), opening, *pms))

    def windows(self, state: State[R]) -> tuple[Window, ...]:
        """A day is open to the moderator's decision, a night to everyone who can act."""
        if state.phase is Phase.DAY:
            return (Window("day", f"Day {state.number}", (), False, state.since),)
        if state.phase is Phase.NIGHT:
            return (_night(state),)
        return ()

    def submit(self, state: State[R], message: Message, draw: Rng) -> Step[State[R]]:
        """The moderator is always listened to, the living while orders are taken."""
        return self.take_in(state, message, draw)

    def take_in(self, state: State[R], message: Message, draw: Rng) -> Step[State[R]]:
        """A message as `submit` takes it, but the night stays open whatever it says."""
        lines = lines_of(message.text, message.aliases)
        if state.phase is Phase.OVER:
            return refuse_all(state, lines, orders.GAME_OVER)
        if message.slot is None:
            return self.moderate(state, lines, message.aliases, draw)
        if not self.listens(state, message.slot):
            gone = message.slot not in state.living
            return refuse_all(state, lines, self.refusal(FaultCode.NOT_A_PLAYER) if gone else orders.BY_DAY)
        if state.phase is Phase.DAY and state.hammered != message.hammered:
            state = replace(state, hammered=message.hammered)
        if state.phase is Phase.DAY and message.slot == state.hammered:
            return refuse_all(state, lines, orders.DAY_OVER)
        return self.hear(state, message.slot, message, draw)

    def close(self, state: State[R], kind: str, at: datetime, draw: Rng) -> Step[State[R]]:
        """The day ends as decided; the night is resolved. Closing what is not open is refused."""
        if not self.is_open(state, kind):
            return refuse(state, f"close {kind}", "WRONG_PHASE", f"no {kind} is open")
        if state.phase is Phase.DAY:
            return self.end_day(state, at, draw)
        return self.end_night(state, at, draw)

    def legal(self, state: State[R], slot: SlotId | None) -> Iterable[str]:
        """Every line of one action; of the moderator's words those that decide the day or night."""
        if slot is None:
            return self.moderator_lines(state)
        return self.player_lines(state, slot) if self.listens(state, slot) else ()

    def continuations(self, state: State[R], slot: SlotId | None, parts: tuple[str, ...] = ()) -> Choices:
        """What `legal` lists, and beside it a kill that a partner carries, what takes orders back, and the
        moderator's words that wait for no phase."""
        if state.phase is Phase.OVER or (slot is not None and not self.listens(state, slot)):
            return Choices()
        return descend(self.moderator_tree(state) if slot is None else self.player_tree(state, slot), parts)

    def random_line(
        self, state: State[R], slot: SlotId | None, chance: Rng, *, silent: bool = False
    ) -> str | None:
        """Every line of `legal` as likely as another, and as silence."""
        lines = tuple(self.legal(state, slot))
        return chance.choice(f"line:{slot}", (*lines, None) if silent else lines) if lines else None

    def awaits(self, state: State[R], window: Window) -> tuple[Awaited, ...]:
        """At night everyone whose message could change what is done, with their own orders and the kill that
        they gave a partner to carry; once one carries it, nobody else is waited for to send it."""
        sent = self.standing_orders(state)
        found = []
        for slot in window.slots:
            kill = self.standing_kill(state, slot)
            given = kill is not None and orders.sender_of(state, kill) == slot
            own = tuple(
                self.words.notation(a, slot) for a in sent if a.actor == slot or (given and a is kill)
            )
            if own or any(
                kill is None or not self.is_faction_kill(state, a) for a in self.possible(state, slot)
            ):
                found.append(Awaited(slot, own))
        return tuple(found)

    def listens(self, state: State[R], slot: SlotId) -> bool:
        """The living at night, unless a question waits for the moderator."""
        return slot in state.living and state.phase is Phase.NIGHT and not state.questions.open

    def declines(self, line: str) -> bool:
        """`no action` and its like."""
        command = parse_command(line, self.verbs)
        return command is not None and command.verb in self.commands

    def everyday_words(self) -> Mapping[str, tuple[str, ...]]:
        """Each word of an ability with all the others that its row has for it."""
        found: dict[str, tuple[str, ...]] = {}
        for row in self.words.abilities.values():
            for word in (row.written, *row.called):
                found[word] = (*found.get(word, ()), *row.all_words)
        return found

    def cautions(self, state: State[R], window: Window) -> tuple[str, ...]:
        """That a mafia could kill, and no kill stands."""
        if window.kind != "night":
            return ()

        def able(slot: SlotId) -> bool:
            return any(action.ability == self.faction_kill for action in self.possible(state, slot))

        idle = self.without_kill(state, able)
        return tuple(f"{name[0].upper()}{name[1:]} has no kill planned." for name in idle)

    def silence(self, kind: str) -> Silence | None:
        """Who sends nothing at night does nothing."""
        return Silence("no action") if kind == "night" else None

    def day_rule(self, options: Mapping[str, object]) -> DayRule:
        """Who has a majority is eliminated."""
        return DayRule("majority")

    def view(self, state: State[R], slot: SlotId | None) -> View:
        """What that slot, or the public, may know; every card once the game is over."""
        facts = views.table_view(state, self.votes_needed(state))
        return View(slot, facts if slot is None else replace(facts, own=self.own_facts(state, slot)))

    def playing(self, state: State[R]) -> tuple[SlotId, ...]:
        """The living."""
        return tuple(state.living)

    def dead(self, state: State[R]) -> tuple[DeadPlayer, ...]:
        """Who has left the living, with their cards."""
        return views.dead(state)

    def roles(self, state: State[R]) -> Mapping[SlotId, str]:
        """Every card."""
        return {slot: role.name for slot, role in state.cards.items()}

    def rooms(self, state: State[R]) -> tuple[Room, ...]:
        """The mafia's and those of masons."""
        return rooms.rooms(state)

    def hidden_roles(self, state: State[R]) -> Mapping[SlotId, str]:
        """Those of the living, but for who is known to everybody (CM-R47)."""
        hidden = super().hidden_roles(state)
        return {slot: role for slot, role in hidden.items() if not state.cards[slot].is_public}

    def shown_roles(self, state: State[R]) -> tuple[str, ...]:
        """The cards of the dead, and of who is known to everybody."""
        return tuple(card.name for slot, card in state.cards.items() if slot in state.left or card.is_public)

    def setup_code(self, state: State[R]) -> str:
        """The setup as it was drawn, or as the moderator wrote it."""
        return state.code

    def outcome(self, state: State[R]) -> Outcome | None:
        """Who won; None while the game goes on. A draw has no winner."""
        if state.winner is None:
            return None
        return Outcome(None if state.winner is Winner.DRAW else str(state.winner), views.winners(state))

    # ── A player's message: read each line, judge them together, claim slots, refuse the rest. ──────────────

    def hear(self, state: State[R], slot: SlotId, message: Message, draw: Rng) -> Step[State[R]]:
        """A message of a living slot: what it asks for stands, and its sender is told what does."""
        taken = self.take(state, slot, lines_of(message.text, message.aliases), message.aliases)
        return Step(taken.state, self.answers(state, slot, taken), taken.refused)

    def answers(self, before: State[R], slot: SlotId, taken: Taken[R]) -> tuple[Event, ...]:
        """The receipts of a message, and a caution where the faction's kill fell by it.

        One goes to the sender, to a partner whom the message makes carry the kill, to everyone who lost an
        order by it, and to the sender of a kill that fell.
        """
        old, new = self.standing_kill(before, slot), self.standing_kill(taken.state, slot)
        readers: list[SlotId | None] = [slot]
        if new is not None and new != old:
            readers.append(new.actor)
        readers += [action.actor for action in taken.replaced]
        if old is not None and old != new:
            readers.append(orders.sender_of(before, old))
        events: list[Event] = [
            self.receipt(taken.state, reader, taken.replaced, slot, taken.heard)
            for reader in dict.fromkeys(readers)
            if reader is not None
        ]
        if old is not None and new is None:
            fell = said(self.words, old)
            text = sentence(
                "{mafia} has no kill planned any more: a PM from {slot} replaced “{fell}”",
                mafia=TEAMS[before.cards[slot].alignment],
                slot=slot,
                fell=fell,
            )
            events.append(Noted(CautionNote(text, self.kill_ruling)))
        return tuple(events)

    def take(self, state: State[R], slot: SlotId, lines: tuple[str, ...], aliases: Aliases) -> Taken[R]:
        """Apply the lines of one message in order; a refused line changes nothing that stood before."""
        stood = dict.fromkeys(self.standing_orders(state))
        # Each line by itself, all before the message changed anything.
        read = tuple(Reading(line, self.read_line(state, slot, line, aliases)) for line in lines)
        state, readings = self.plan(state, slot, read)
        refused = []
        for reading in readings:
            if isinstance(reading.wanted, Refusal):
                refused.append((reading.line, reading.wanted))
            else:
                state = self.apply(state, slot, reading.wanted)
                stood |= dict.fromkeys(self.standing_orders(state))
        now = self.standing_orders(state)
        fell = tuple(action for action in stood if action not in now)
        return Taken(state, tuple(refused), fell, len(refused) < len(readings))

    def read_line(self, state: State[R], slot: SlotId, line: str, aliases: Aliases) -> Wanted | Refusal:
        """What a line asks for, judged by itself: a legal action, a command, or the first refusal."""
        command = parse_command(line, self.verbs)
        if command is None:
            return orders.UNKNOWN
        if command.verb in self.commands:
            return command
        action = self._named_action(state, slot, command, aliases)
        if isinstance(action, Refusal):
            return action
        return self.objection(self.night_position(state), state, slot, action) or action

    def _named_action(
        self, state: State[R], slot: SlotId, command: Command, aliases: Aliases
    ) -> Action | Refusal:
        """The action of a line by the first reading in which it names somebody."""
        read: Action | Refusal = orders.UNKNOWN
        for reading in command.readings(state.slots, aliases):
            read = self.read_action(state, slot, replace(command, argument=reading.text), reading.names)
            if isinstance(read, Action):
                return read._replace(options=tuple(map(reading.plain, read.options)))
            if read.code not in orders.NOT_NAMED:
                break
        return read

    def read_action(
        self, state: State[R], slot: SlotId, command: Command, aliases: Aliases
    ) -> Action | Refusal:
        """The action of a line: its ability as the card has it, aimed; legal or not."""
        ability = self.ability_meant(state, slot, command.verb)
        if isinstance(ability, Refusal):
            return ability
        return self.aim(state, slot, ability, command.argument, aliases)

    def aim(
        self, state: State[R], slot: SlotId, ability: str, argument: str, aliases: Aliases
    ) -> Action | Refusal:
        """The action on whom the line names; the faction's kill also as `TARGET by CARRIER`."""
        if not argument or not self.words.abilities[ability].targets:
            return self.refusal(FaultCode.BAD_ARGS) if argument else Action(slot, ability)
        targets = self.parse_aim(state, ability, argument, aliases)
        if not isinstance(targets, Refusal):
            return Action(slot, ability, targets)
        if ability != self.faction_kill or ability not in state.cards[slot].abilities:
            return targets
        carried = orders.parse_carried(state, slot, argument, aliases)
        if carried is None or isinstance(carried, Refusal):
            return carried or targets
        return Action(carried[0], ability, (carried[1],))

    def objection(
        self,
        position: NightPosition,
        state: State[R],
        sender: SlotId,
        action: Action,
    ) -> Refusal | None:
        """What is wrong with an action that the sender asks for; None: nothing. Whoever was hammered is no
        target any more."""
        code = position.fault(action)
        if code is None and state.hammered is not None and state.hammered in action.targets:
            code = FaultCode.UNKNOWN_TARGET
        return None if code is None else self.refusal(code)

    def refusal(self, code: FaultCode) -> Refusal:
        """The code with the game's sentence for it."""
        return Refusal(code, self.position.FAULTS[code].sentence)

    def apply(self, state: State[R], slot: SlotId, wanted: Wanted) -> State[R]:
        """Enter an action, the latest on its slots; or take back what a command says."""
        if isinstance(wanted, Action):
            claimed = self.night_position(state).slots(wanted, state.standing)
            sent = (orders.sent_by(slot),) if self.is_faction_kill(state, wanted) else ()
            return orders.enter(state, wanted, (*claimed, *sent))
        kills = self.kills if wanted.verb == orders.NO_KILL else None
        return orders.take_back(state, slot, self.faction_kills, kills)

    def possible(self, state: State[R], slot: SlotId) -> Iterator[Action]:
        """Every action that the slot can ask for now."""
        position = self.night_position(state)
        for action in self.candidates(state, slot):
            if self.objection(position, state, slot, action) is None:
                yield action

    def player_lines(self, state: State[R], slot: SlotId) -> Iterable[str]:
        """Every line of one action that a living slot can send now."""
        return tuple(self.words.notation(action, slot) for action in self.possible(state, slot))

    def player_tree(self, state: State[R], slot: SlotId) -> Choices:
        """Every line that a living slot can send now."""
        usual = map(parts_of_line, self.player_lines(state, slot))
        orders_ = (parts_of_line(self.words.notation(one, slot)) for one in self.seldom_actions(state, slot))
        return tree_of(usual, (*orders_, *((a_word(word),) for word in self.command_words(state, slot))))

    def seldom_actions(self, state: State[R], slot: SlotId) -> Iterator[Action]:
        """What `possible` leaves out: the faction's kill carried by a partner, and two targets that it names
        in one order alone, in the other."""
        card, position = state.cards[slot], self.night_position(state)
        for action in self.possible(state, slot):
            turned = action._replace(targets=action.targets[::-1])
            if turned != action and self.objection(position, state, slot, turned) is None:
                yield turned
        if self.faction_kill in card.abilities:
            for mate, role in state.living.items():
                if mate != slot and card.is_partner(role):
                    for target in state.living:
                        kill = Action(mate, self.faction_kill, (target,))
                        if self.objection(position, state, slot, kill) is None:
                            yield kill

    def command_words(self, state: State[R], slot: SlotId) -> Iterator[str]:
        """The commands about actions that mean something for a slot."""
        yield orders.NO_ACTION
        if not self.kills.isdisjoint(state.cards[slot].abilities):
            yield orders.NO_KILL

    def standing(self, state: State[R], slot: SlotId) -> tuple[str, ...]:
        """What stands of a slot's own orders, and the faction's kill whoever carries it."""
        known = views.orders_known(state, slot, self.faction_kills, state.actions)
        return tuple(self.told_line(state, action, slot) for action in known)

    # ── The moderator: the day's decision, deaths and revivals out of turn, and the game's own words. ───────

    def moderator_lines(self, state: State[R]) -> tuple[str, ...]:
        """The decisions of a day."""
        if state.phase is not Phase.DAY:
            return ()
        return (NO_ELIMINATION, *(joined(" ", (ELIMINATE, name)) for name in state.living))

    def moderator_tree(self, state: State[R]) -> Choices:
        """Every line of the moderator."""
        usual, seldom = self.moderator_lines(state), self.seldom_words(state)
        return tree_of(map(parts_of_line, usual), map(parts_of_line, seldom))

    def seldom_words(self, state: State[R]) -> Iterator[str]:
        """What the moderator can say beside the decisions that are due."""
        for word in _TAKEN:
            yield from (joined(" ", (word, name)) for name in state.living)
        yield from (joined(" ", (REVIVE, name)) for name in state.left)
        yield DRAW

    def moderate(self, state: State[R], lines: Iterable[str], aliases: Aliases, draw: Rng) -> Step[State[R]]:
        """Apply the moderator's lines in order. All whom they eliminate fall together, in place of what was
        decided before."""
        fallen: list[SlotId] = []
        take = partial(self._moderate_line, aliases=aliases, draw=draw, fallen=fallen)
        return line_by_line(state, lines, take)

    def _moderate_line(
        self, state: State[R], line: str, aliases: Aliases, draw: Rng, fallen: list[SlotId]
    ) -> Step[State[R]]:
        """`eliminate` and `no elimination` decide the day, which ends when it is closed; the rest acts at
        once. `fallen` are who was eliminated by the lines before, and then by this one."""
        words = {word: word for word in (*_ALWAYS, *self.moderator_words)}
        command = parse_command(line, words)
        if command is None:
            return refuse(state, line, "UNKNOWN_COMMAND", f"the moderator can say: {', '.join(words)}")
        if command.verb in self.moderator_words:
            return self.obey(state, command, aliases, draw)
        if command.verb in (DRAW, NO_ELIMINATION):
            return self.obeyed(state, Order(command.verb), line, fallen)
        slot = orders.named_in(state, command, aliases)
        if isinstance(slot, Refusal):
            return refuse_all(state, (line,), slot)
        return self.obeyed(state, Order(command.verb, (slot,)), line, fallen)

    def decide(self, state: State[R], wanted: Sequence[Order], at: datetime, draw: Rng) -> Step[State[R]]:
        """As the moderator's lines, but whom they name is known."""
        if state.phase is Phase.OVER:
            return refuse_all(state, (order.line for order in wanted), orders.GAME_OVER)
        fallen: list[SlotId] = []
        step = Step(state)
        for order in wanted:
            step = step.then(partial(self.obeyed, order=order, line=order.line, fallen=fallen))
        return step

    def obeyed(self, state: State[R], order: Order, line: str, fallen: list[SlotId]) -> Step[State[R]]:
        """What one decision of the moderator changes; `line` is how they said it. `fallen` are who was
        eliminated by those before, and then by this one."""
        if order.verb == DRAW:
            return self.check_wins(replace(state, winner=Winner.DRAW))
        if order.verb in (ELIMINATE, NO_ELIMINATION) and state.phase is not Phase.DAY:
            return refuse(state, line, "WRONG_PHASE", "players can only be eliminated during the day")
        if order.verb == NO_ELIMINATION:
            fallen.clear()
            return Step(replace(state, decision=Decision()))
        # The decisions that name a player: a living one, or for `revive` a dead one.
        slot = order.slot
        if slot is None or slot not in state.slots:
            return refuse(state, line, "UNKNOWN_TARGET", "nobody here is called so")
        if (slot in state.left) != (order.verb == REVIVE):
            dead = "dead" if slot in state.left else "alive"
            return refuse(state, line, "WRONG_TARGET", sentence("{slot} is {dead}", slot=slot, dead=dead))
        if order.verb == ELIMINATE:
            fallen[:] = [*(name for name in fallen if name not in (slot, *state.left)), slot]
            return Step(replace(state, decision=Decision(tuple(fallen))))
        if order.verb in _TAKEN:
            return self._take_out(state, slot, _TAKEN[order.verb])
        return Step(replace(state, left={name: gone for name, gone in state.left.items() if name != slot}))

    def _take_out(self, state: State[R], slot: SlotId, how: str) -> Step[State[R]]:
        """The slot leaves at once; a decision about it falls."""
        decided = state.decision
        decision = None if decided and slot in (*decided.slots, *decided.tied) else decided
        gone, along = self._bury(state, slot, how)
        after = replace(gone, decision=decision)
        dead = Removal(slot, state.cards[slot].name, how, along, self.now(after))
        return self.check_wins(after, (Announced(dead),))

    def _bury(self, state: State[R], slot: SlotId, how: str) -> tuple[State[R], tuple[Card, ...]]:
        """The slot has left, and whoever dies along with it; returns the state and the cards of these."""
        return self._die_along(depart(state, (slot,), how, state.when), slot)

    def _die_along(self, state: State[R], slot: SlotId) -> tuple[State[R], tuple[Card, ...]]:
        """Whoever dies along with a slot that left; returns the state and the cards of these."""
        along = self.follow(state, slot)
        rows = tuple(Card(other, state.cards[other].name) for other in along)
        return depart(state, along, "died of love", state.when), rows

    # ── The end of a day and of a night. ────────────────────────────────────────────────────────────────────

    def end_day(self, state: State[R], at: datetime, draw: Rng) -> Step[State[R]]:
        """The day ends as the moderator decided; undecided it stays open."""
        if state.decision is None:
            undecided = f"say `{ELIMINATE} NAME` or `{NO_ELIMINATION}` first"
            return refuse(state, "close day", "UNDECIDED", undecided)
        slots, tied = state.decision.slots, tuple(name or NO_ELIMINATION for name in state.decision.tied)
        # All of them have left before anybody dies along with one: nobody dies of love who was voted out.
        after = depart(state, slots, ELIMINATED, state.when)
        along: tuple[Card, ...] = ()
        for slot in slots:
            after, with_them = self._die_along(after, slot)
            along += with_them
        night = replace(
            after, phase=Phase.NIGHT, number=state.number + state.night_first, decision=None, hammered=None
        )
        cards = tuple(Card(slot, state.cards[slot].name) for slot in slots)
        name, role = (cards[0].name, cards[0].role) if cards else (None, None)
        day = Elimination(state.number, name, role, cards[1:], tied, along, self.now(night))
        return self.check_wins(night, (Announced(day),))

    def end_night(self, state: State[R], at: datetime, draw: Rng) -> Step[State[R]]:
        """A new day begins, or the moderator is asked something first."""
        end = self.resolve_night(state, at, draw)
        return end if isinstance(end, Step) else self.begin_day(state, end)

    def begin_day(self, state: State[R], end: NightEnd[R]) -> Step[State[R]]:
        """The dead are dead, the results learned; then the wins, and a new day."""
        dead = tuple(death.slot for death in end.night.deaths)
        after = depart(learn(end.after, end.night.results, end.night.gifts), dead, "killed", state.when)
        number = state.number + (not state.night_first)
        morning = replace(after, phase=Phase.DAY, number=number, standing={})
        # The dawn tells deaths and nothing else: no save, no block, no visit.
        deaths = tuple(NightDeath(slot, state.cards[slot].name, end.causes.get(slot, "")) for slot in dead)
        dawn = Announced(Dawn(state.number, deaths, self.now(morning)))
        # The faction's kill is never lost without a word to the moderator.
        sheet = end.sheet
        idle = self.without_kill(state, lambda slot: self.faction_kill in state.cards[slot].abilities)
        no_kill = tuple(CautionNote(f"{name} has no kill planned", self.kill_ruling) for name in idle)
        sheet = replace(sheet, cautions=(*sheet.cautions, *no_kill))
        results = views.result_pms(morning, state.number, self._told_left(state, morning))
        return self.check_wins(morning, (dawn, *results, *end.notices, Noted(sheet)))

    def _told_left(self, night: State[R], morning: State[R]) -> dict[SlotId, tuple[UsesLeft, ...]]:
        """KE-R41: what is left of the limited abilities that the living used, stopped or not; never of what
        works by itself."""
        left: dict[SlotId, tuple[UsesLeft, ...]] = {}
        for action in self.standing_orders(night):
            actor, ability = action.actor, action.ability
            if actor not in morning.left and ability in active_uses(night, actor):
                uses = active_uses(morning, actor).get(ability, 0)
                left[actor] = (*left.get(actor, ()), UsesLeft(self.word_on_card(ability), uses))
        return left

    def word_on_card(self, ability: str) -> str:
        """What the role PM calls an ability."""
        return self.words.abilities[ability].word

    def silent(self, state: State[R]) -> list[SlotId]:
        """Who could act this night and does nothing, also where it waits for the moderator by now."""
        return [one.slot for one in self.awaits(state, _night(state)) if not one.standing]

    def check_wins(self, state: State[R], events: tuple[Event, ...] = ()) -> Step[State[R]]:
        """End the game where somebody has won now, and tell the moderator what is worth a look."""
        verdict = Verdict(state.winner) if state.winner else self.judge(state)
        told = (*events, *verdict.cautions)
        if verdict.winner is None:
            return Step(state, told)
        won = replace(state, winner=verdict.winner)
        over = replace(won, phase=Phase.OVER, standing={}, decision=None)
        return Step(over, (*told, Announced(self.ending(won))))


def _night(state: State[R]) -> Window:
    """Open to everyone who can act."""
    actors = tuple(slot for slot, role in state.living.items() if role.abilities)
    return Window("night", f"Night {state.number}", actors, True, state.since)
