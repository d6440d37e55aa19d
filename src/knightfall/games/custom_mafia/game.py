"""A custom game as a mafia game: the hooks that its bases in `mafia` ask for, and the ruling on cycles.

One action a player and one kill for the mafia, each the latest valid line (CM-R32). The kill's carrier is who
sends it, or who is named: `kill Ada by Boro`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import combinations, permutations
from typing import Any

from knightfall.engine.commands import Aliases, Command, Order
from knightfall.engine.game import (
    Announced,
    Event,
    Message,
    Noted,
    Position,
    Refusal,
    Spec,
    Step,
    Told,
    Window,
    refuse,
    refuse_all,
)
from knightfall.engine.rng import Rng, foreseen
from knightfall.errors import DecisionNeeded
from knightfall.games.custom_mafia import views
from knightfall.games.custom_mafia.abilities import (
    AIMS,
    BY_DAY,
    BY_ID,
    CHECKS,
    KILLS,
    MAFIAS_KILLS,
    Ability,
    Passive,
    Trait,
)
from knightfall.games.custom_mafia.by_day import (
    AT_ONCE,
    acts_by_day,
    after_the_day,
    is_done,
    new_acts,
    pardoned,
    pardons,
    stopped,
    told_forward,
    used_up,
    vote_marks,
)
from knightfall.games.custom_mafia.options import (
    CHOICES,
    EARLIER,
    OPTIONS,
    PLAYERS,
    RULINGS,
    SETUP,
    SETUP_TABLE,
    Rules,
    parse_options,
)
from knightfall.games.custom_mafia.orders import (
    A_KILL,
    BETWEEN,
    CHECK,
    CLOSE,
    RESULT,
    RULE,
    VERBS,
    WORDS,
    CustomTrace,
    ring_question,
    ruling_lines,
    unanswered,
    untold,
    with_result,
    with_ruling,
    words_of,
)
from knightfall.games.custom_mafia.roles import believed, parse_role
from knightfall.games.custom_mafia.rules import (
    MESSAGE_BEGINS,
    CycleQuestion,
    ending,
    is_stuck,
    judge,
    resolve,
)
from knightfall.games.custom_mafia.setup import deal, deck_of, setup_of
from knightfall.games.custom_mafia.state import (
    CustomPosition,
    State,
    Terms,
    avengers,
    inherit,
    named_so_far,
    night_position,
    told_lovers,
    used,
)
from knightfall.games.custom_mafia.views import CustomOpening, Revealed, SetupPost
from knightfall.mafia import orders
from knightfall.mafia.abilities import bereaved
from knightfall.mafia.events import CautionNote, Ending, OwnFacts, Partner, Receipt
from knightfall.mafia.explain import night_sheet, said
from knightfall.mafia.game import DRAW, NightEnd, Verdict
from knightfall.mafia.night import Action
from knightfall.mafia.night_file import DecidedNight, NightFile, NightFileGame, Wrong
from knightfall.mafia.night_position import FaultCode, NightPosition
from knightfall.mafia.roles import Modifier, Role
from knightfall.mafia.state import Phase, spend
from knightfall.mafia.voting import voting_sentences
from knightfall.sentence import Sentence, SlotId, Way, joined, sentence

_LONGEST_USE = 300
"""Letters in which a player says how they use a card of the moderator's own, or of a message."""
_TWO_KILLS = {str(Ability.MAFIA_KILL), str(Ability.KILL)}
"""Of a card with both the word `kill` alone does not say which is meant."""


_NOT_BY_DAY = Refusal("UNKNOWN_COMMAND", "this is nothing that you can do by day")
_NOBODY = frozenset({"nobody", "no one", "noone", "none"})


class CustomMafia(NightFileGame[Terms]):
    """Common roles by a table of the moderator's own."""

    spec = Spec("custom_mafia", "Custom Mafia", PLAYERS, (SETUP_TABLE, *CHOICES), RULINGS, earlier=EARLIER)
    position = CustomPosition
    words = WORDS
    verbs = VERBS
    faction_kill = Ability.MAFIA_KILL
    also_faction_kills = MAFIAS_KILLS
    kill_ruling = "CM-R32"
    kills = KILLS
    moderator_words = (RULE, RESULT, Ability.PARDON)
    file_keys = ("shots", "lovers", "rulings")
    file_groups = ("lovers",)
    file_uses = (*AIMS, *map(str, Passive), str(Trait.ASCETIC))
    trace = CustomTrace
    night_options = OPTIONS
    parse_rules = staticmethod(parse_options)
    role_names = ("Town Cop", "Mafia Goon")

    def deal(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> State:
        """Deal what the setup says. Raises InputError for slots, options or a setup that cannot be played."""
        return deal(slots, options, draw)

    def deal_plan(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Mapping[str, Any]:
        """The cards of the tables, in the order in which the players are drawn."""
        return {"path": ["deal"], "order": [["cm.cards", len(slots)]], "deck": deck_of(options, len(slots))}

    def setup_post(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> SetupPost:
        """“This setup”, for everybody: what may be in the game unless that is secret, and every rule."""
        setup = setup_of(options, len(slots))
        rules = self.parse_rules({**setup.given, **{n: v for n, v in options.items() if n != SETUP}})
        return views.setup_post(len(slots), setup, rules, voting_sentences(self.day_rule(options)))

    def opening(self, state: State) -> CustomOpening:
        """The table, the house rules, and the setup unless it is secret."""
        return CustomOpening(
            phase=str(state.phase),
            number=state.number,
            alive=tuple(state.living),
            needed=self.votes_needed(state),
            setup=views.shown_setup(state.rules.setup),
            house=views.house_rules(state),
            cleared=tuple(slot for slot, card in state.cards.items() if card.is_public),
        )

    def first_pm(self, state: State, slot: SlotId) -> Told:
        """The role PM."""
        return views.role_pm(state, slot)

    def windows(self, state: State) -> tuple[Window, ...]:
        """A night that waits for the moderator's ruling on a cycle is open to nobody else; another is open to
        who was voted out, too, as long as they may kill somebody (CM-R72)."""
        if state.phase is not Phase.NIGHT:
            return super().windows(state)
        if state.questions.open:
            return (Window("ruling", f"Night {state.number}: your ruling", (), secret=True),)
        actors = tuple(slot for slot, role in state.living.items() if not BY_DAY.issuperset(role.abilities))
        return tuple(replace(window, slots=(*actors, *avengers(state))) for window in super().windows(state))

    # ── By day, and out of the grave. ───────────────────────────────────────────────────────────────────────

    def listens(self, state: State, slot: SlotId) -> bool:
        """By day to who can do something then, at night to who was voted out and may kill somebody."""
        if super().listens(state, slot):
            return True
        waits = state.phase in (Phase.DAY, Phase.NIGHT) and not state.questions.open
        return waits and (state.phase is Phase.DAY or slot in state.left) and acts_by_day(state, slot)

    def playing(self, state: State) -> tuple[SlotId, ...]:
        """The living, and who was voted out and may kill somebody."""
        return (*super().playing(state), *avengers(state))

    def read_line(self, state: State, slot: SlotId, line: str, aliases: Aliases) -> orders.Wanted | Refusal:
        """As at night; by day a word that is none is no night action, and no pardon is taken back once the
        votes have ended the day."""
        read = super().read_line(state, slot, line, aliases)
        if isinstance(read, Command) and self._pardon_stays(state, slot):
            return orders.DAY_OVER
        return _NOT_BY_DAY if read is orders.UNKNOWN and state.phase is Phase.DAY else read

    def objection(
        self, position: NightPosition, state: State, sender: SlotId, action: Action
    ) -> Refusal | None:
        """What has happened today cannot be replaced, nobody steps forward twice, and what happens at once
        is too late after the hammer."""
        if position.fault(action) is None and action.ability in BY_DAY:
            if state.hammered is not None and action.ability in AT_ONCE:
                return orders.DAY_OVER
            if is_done(state, sender):
                return self.refusal(FaultCode.SLOT_TAKEN)
            if action.ability == Ability.REVEAL and sender in state.forward:
                return self.refusal(FaultCode.NO_SHOTS)
        return super().objection(position, state, sender, action)

    def command_words(self, state: State, slot: SlotId) -> Iterator[str]:
        """None where a pardon cannot be taken back any more."""
        return iter(()) if self._pardon_stays(state, slot) else super().command_words(state, slot)

    def _pardon_stays(self, state: State, slot: SlotId) -> bool:
        return state.hammered is not None and any(one.actor == slot for one in pardons(state))

    def standing_orders(self, state: State) -> tuple[Action, ...]:
        """What stands for the night, or for the day."""
        by_day = state.phase is Phase.DAY
        return tuple(
            action
            for action in state.actions
            if (action.ability in BY_DAY and action.ability != Ability.AVENGE) is by_day
            and action.ability not in AT_ONCE
        )

    def hear(self, state: State, slot: SlotId, message: Message, draw: Rng) -> Step[State]:
        """What is sent by day happens at once, but for a pardon."""
        step = super().hear(state, slot, message, draw)
        acts = tuple(new_acts(state, step.state))
        if not acts:
            phase = "Day" if state.phase is Phase.DAY else "Night"
            told = (
                replace(event, facts=replace(event.facts, phase=phase))
                if isinstance(event, Told) and isinstance(event.facts, Receipt)
                else event
                for event in step.events
            )
            return replace(step, events=tuple(told))
        after, events = step.state, tuple[Event, ...]()
        for act in acts:
            done = self._done(after, act)
            after, events = done.state, (*events, *done.events)
        return self._skip_the_night(Step(after, events, step.refused))

    def _done(self, state: State, act: Action) -> Step[State]:
        """What a shot, a vengeance or a step forward comes to."""
        state = used_up(state, act)
        if act.ability == Ability.REVEAL:
            return Step(state, (Announced(Revealed(act.actor, state.cards[act.actor].name)),))
        if not act.targets:
            return self.check_wins(state)
        (target,) = act.targets
        if (saved := stopped(state, target)) is not None:
            text = sentence("{line} is stopped by Bulletproof; nobody is told", line=said(WORDS, act))
            return self.check_wins(saved, (Noted(CautionNote(text, BY_ID[act.ability].ruling)),))
        died = self._take_out(state, target, "killed")
        fell = tuple(
            Noted(
                CautionNote(
                    sentence(
                        "{slot} has died, so “{line}” falls with them", slot=target, line=said(WORDS, order)
                    ),
                    BY_ID[act.ability].ruling,
                )
            )
            for order in self.standing_orders(state)
            if order.actor == target
        )
        return replace(died, events=(*died.events, *fell))

    def end_day(self, state: State, at: datetime, draw: Rng) -> Step[State]:
        """CM-R73: where a pardon stands, the moderator says that it holds before the day can end."""
        if state.decision is not None and state.decision.slots and (standing := pardons(state)):
            text = sentence(
                "{slot} has sent a pardon: say `{say}`, and end the day again",
                slot=standing[0].actor,
                say=Ability.PARDON,
            )
            return refuse(state, "close day", "PARDONED", text)
        return self._skip_the_night(super().end_day(after_the_day(state), at, draw))

    def _skip_the_night(self, step: Step[State]) -> Step[State]:
        """CM-R78: where nights are skipped it is day again, once nobody who was voted out may kill."""
        state = step.state
        skipped = state.rules["nights"] == "skipped" and state.phase is Phase.NIGHT
        if not skipped or avengers(state):
            return step
        number = state.number + (not state.night_first)
        return replace(step, state=replace(state, phase=Phase.DAY, number=number, standing={}))

    def shown_roles(self, state: State) -> tuple[str, ...]:
        """A mayor who has stepped forward is known, too."""
        mayors = (card.name for slot, card in state.cards.items() if slot in state.forward)
        return tuple(dict.fromkeys((*super().shown_roles(state), *mayors)))

    def hidden_roles(self, state: State) -> Mapping[SlotId, str]:
        """A mayor who has stepped forward is known, and so is who was voted out and may kill somebody."""
        known = (*state.forward, *state.left)
        return {slot: role for slot, role in super().hidden_roles(state).items() if slot not in known}

    def instead_of_elimination(self, state: State) -> str:
        """CM-R73: the pardon that stands."""
        return str(Ability.PARDON) if pardons(state) else ""

    def vote_marks(self, state: State) -> Mapping[SlotId, tuple[int, int]]:
        """CM-R74 to CM-R76."""
        return vote_marks(state)

    # ── A line of the night. ────────────────────────────────────────────────────────────────────────────────

    def night_position(self, state: State, draw: Rng | None = None) -> CustomPosition:
        """The living, their cards and uses, lovers, and what was ruled tonight."""
        return night_position(state)

    def told_line(self, state: State, action: Action, reader: SlotId) -> Sentence:
        """The faction's kill is called as the reader's card calls it, unless that has two kills."""
        line = WORDS.notation(action, reader)
        two = state.cards[reader].abilities.keys() >= _TWO_KILLS
        if two or action.ability != self.faction_kill:
            return line
        return Sentence(("kill", *line.parts[1:]))

    def word_on_card(self, ability: str) -> str:
        """A kill is called as its line is written."""
        row = self.words.abilities[ability]
        return row.written if ability in KILLS else row.word

    def ability_meant(self, state: State, slot: SlotId, verb: str) -> str | Refusal:
        """`kill` is the faction's for a mafioso; `check` is whichever check the card has for tonight."""
        own = state.cards[slot].abilities
        if state.phase is Phase.DAY and Ability.DAY_KILL in own and verb in (A_KILL, Ability.KILL):
            return Ability.DAY_KILL
        if verb == CHECK:
            checks = [ability for ability in (*CHECKS, str(Ability.DETECTIVE)) if ability in own]
            tonight = {action.ability for action in self.possible(state, slot)} if checks else set()
            usable = [ability for ability in checks if ability in tonight]
            return orders.one_check(checks, usable, self.refusal(FaultCode.NOT_YOUR_ABILITY))
        if verb == Ability.FOLLOW and verb not in own:
            return Ability.TRACK  # a Tracker's word, too
        if verb != A_KILL:
            return verb
        if own.keys() >= _TWO_KILLS:
            return Refusal("AMBIGUOUS_ABILITY", "your role has two kills; write mafia kill or shoot")
        return Ability.MAFIA_KILL if Ability.MAFIA_KILL in own else Ability.KILL

    def parse_aim(
        self, state: State, ability: str, argument: str, aliases: Aliases
    ) -> tuple[SlotId, ...] | Refusal:
        """One name; or two, with the word that belongs between them, or as any names in a row."""
        if AIMS[ability] < 2:
            return super().parse_aim(state, ability, argument, aliases)
        pair = orders.parse_pair(state, BETWEEN[ability], argument, aliases)
        if isinstance(pair, tuple):
            return pair
        named = orders.parse_targets(state, argument, aliases)
        return (pair or named) if isinstance(named, Refusal) else named

    def aim(
        self, state: State, slot: SlotId, ability: str, argument: str, aliases: Aliases
    ) -> Action | Refusal:
        """With a card of the moderator's own a player may write what they like (CM-R68), and a messenger
        what somebody is told (CM-R93); who was voted out may spare everybody."""
        if ability == Ability.AVENGE and argument.casefold() in _NOBODY:
            return Action(slot, ability)
        if ability == Ability.MESSAGE and ":" in argument:
            return self._message(state, slot, argument, aliases)
        found = super().aim(state, slot, ability, argument, aliases)
        if ability != Ability.OWN or not argument or isinstance(found, Action):
            return found
        if len(argument) > _LONGEST_USE:
            return Refusal("TOO_LONG", f"write it in at most {_LONGEST_USE} letters")
        return Action(slot, ability, (), (argument,))

    def _message(self, state: State, slot: SlotId, argument: str, aliases: Aliases) -> Action | Refusal:
        """`NAME: what it says`."""
        name, _, written = argument.partition(":")
        found = super().aim(state, slot, Ability.MESSAGE, name.strip(), aliases)
        text = " ".join(written.split())
        if isinstance(found, Refusal) or not text:
            return found
        if len(text) > _LONGEST_USE:
            return Refusal("TOO_LONG", f"write it in at most {_LONGEST_USE} letters")
        return found._replace(options=(f"{MESSAGE_BEGINS}{text}",))

    def candidates(self, state: State, slot: SlotId) -> Iterator[Action]:
        """Every ability on everybody; a bus drives its two either way round."""
        for ability in state.cards[slot].abilities:
            ways = combinations if ability == Ability.DRIVE else permutations
            for targets in ways(state.living, AIMS[ability]):
                yield Action(slot, ability, targets)

    # ── The moderator, and the end of a night. ──────────────────────────────────────────────────────────────

    def moderator_lines(self, state: State) -> tuple[str, ...]:
        """The decisions of a day, a draw when nobody dies any more; at night the rulings on a cycle."""
        if state.phase is Phase.NIGHT:
            return ruling_lines(state)
        draw = (DRAW,) if state.phase is Phase.DAY and is_stuck(state) else ()
        return (*super().moderator_lines(state), *draw)

    def obey(self, state: State, command: Command, aliases: Aliases, draw: Rng) -> Step[State]:
        """The moderator tells what came of a card of their own; or rules, and the night goes on: to its
        morning, or to another cycle."""
        if command.verb == RESULT:
            return with_result(state, command, aliases)
        if command.verb == Ability.PARDON:
            return self.obeyed(state, Order(command.verb), command.line, [])
        ruled = with_ruling(state, command)
        if isinstance(ruled, Refusal):
            return refuse_all(state, (command.line,), ruled)
        end = self._resolve(ruled, draw)
        return end if isinstance(end, Step) else self.begin_day(ruled, end)

    def obeyed(self, state: State, order: Order, line: str, fallen: list[SlotId]) -> Step[State]:
        """As in every mafia game, and the pardon that was sent."""
        if order.verb != Ability.PARDON:
            return super().obeyed(state, order, line, fallen)
        if (after := pardoned(state)) is None:
            return refuse(state, line, "WRONG_PHASE", "no pardon has been sent today")
        return Step(after)

    def resolve_night(self, state: State, at: datetime, draw: Rng) -> NightEnd[Terms] | Step[State]:
        """The clock has no part in it."""
        return self._resolve(state, draw)

    def _resolve(self, state: State, draw: Rng) -> NightEnd[Terms] | Step[State]:
        """The morning; a cycle is put to the moderator, once, and the night waits for the ruling (CM-R2)."""
        # What the compulsive do is seen beforehand, and drawn once the night is decided.
        sent = self.standing_orders(state)
        compelled = self._compelled(state, foreseen(draw))
        position = night_position(state)
        decided = resolve(position, (*sent, *compelled), draw)
        if isinstance(decided, CycleQuestion):
            if state.questions.open == decided.key:
                return refuse_all(state, (CLOSE,), unanswered(decided))
            asked = replace(state, questions=replace(state.questions, open=decided.key))
            return Step(asked, (Noted(ring_question(asked, decided)),))
        compelled = self._compelled(state, draw)
        sent, rejected = (*sent, *compelled), {note.action for note in decided.night.rejected}
        after = replace(
            state,
            shots=spend(state, decided.night.spent),
            used_last=used(sent, rejected),
            aimed=named_so_far(state.aimed, sent, state.number, rejected),
            questions=replace(state.questions, open="", tonight={}),
            rules=replace(state.rules, lovers=(*state.rules.lovers, *decided.linked)),
        )
        rings = decided.settled
        sheet = night_sheet(words_of(decided), state.number, decided.night, self.silent(state), rings)
        drawn = tuple(
            CautionNote(sentence("{line}, as it was drawn", line=said(WORDS, action)), "CM-R66")
            for action in compelled
        )
        spared = tuple(
            CautionNote(sentence("{slot} took nobody along", slot=slot), "CM-R72") for slot in avengers(state)
        )
        sheet = replace(sheet, cautions=(*sheet.cautions, *drawn, *untold(decided.night), *spared))
        return NightEnd(decided.night, after, sheet)

    def _compelled(self, state: State, draw: Rng) -> tuple[Action, ...]:
        """CM-R66: what is drawn for the compulsive who have sent nothing that stands."""
        found = []
        for slot, role in state.living.items():
            bound = [one for one in role.abilities if role.asks(one, Modifier.COMPULSIVE)]
            if bound and all(action.actor != slot for action in self.standing_orders(state)):
                possible = tuple(action for action in self.possible(state, slot) if action.ability in bound)
                if possible:
                    found.append(draw.at("night", state.number).choice(f"cm.compulsive:{slot}", possible))
        return tuple(found)

    # ── A night written down, decided by itself. ────────────────────────────────────────────────────────────

    def card(self, rules: Rules, name: str) -> Role:
        """Any role that can be put together."""
        return parse_role(name)

    def check_file(self, night: NightFile, wrong: Wrong) -> NightFile:
        """Whom its lovers love."""
        cards = {slot: parse_role(role) for slot, role in night.roles.items()}
        groups = {**night.groups, "lovers": told_lovers(cards, night.groups.get("lovers", ()))}
        return replace(night, groups=groups)

    def open_night(self, night: NightFile) -> State:
        """The lovers of the file, who are no part of a card."""
        rules = parse_options(night.options)
        cards = {slot: parse_role(role) for slot, role in night.roles.items()}
        lovers = told_lovers(cards, night.groups.get("lovers", ()))
        terms = replace(Terms(), chosen=rules, lovers=lovers)
        forward = told_forward(cards, night.shots)
        return State(night.code, terms, cards, Phase.NIGHT, night.number, night.shots, forward=forward)

    def position_told(self, options: Mapping[str, object], position: Position) -> State:
        """By the setup that was told, whose table names the cards and what it chooses itself."""
        setup = setup_of(options, len(position.roles))
        rules = parse_options({**setup.given, **{n: v for n, v in options.items() if n != SETUP}})
        cards = {slot: parse_role(role) for slot, role in position.roles.items()}
        lovers = told_lovers(cards, position.groups.get("lovers", ()), position.left)
        terms = Terms(rules, setup, lovers)
        return State(
            setup.name,
            terms,
            cards,
            Phase.NIGHT,
            position.number,
            position.uses,
            night_first=setup.night_first,
            forward=told_forward(cards, position.uses),
        )

    def under(self, state: State, options: Mapping[str, object]) -> State:
        """What the setup itself chooses holds where nothing else is said."""
        chosen = {name: value for name, value in options.items() if name != SETUP}
        rules = parse_options({**state.rules.setup.given, **chosen})
        return replace(state, rules=replace(state.rules, chosen=rules))

    def decide_night(self, state: State, actions: Sequence[Action], draw: Rng) -> DecidedNight:
        """Raises DecisionNeeded where actions change each other in a ring (CM-R2)."""
        found = resolve(night_position(state), actions, draw)
        if isinstance(found, CycleQuestion):
            ring = joined(", ", (said(WORDS, action) for action in found.actions))
            raise DecisionNeeded(
                sentence(
                    "Actions change each other in a ring: {ring}. Only you can say what goes first (CM-R2). "
                    "To see what would come of each order: {resolve}",
                    ring=ring,
                    resolve=Way("resolve"),
                )
            )
        return DecidedNight(found.night, words_of(found))

    def judge(self, state: State) -> Verdict:
        """CM-R36 to CM-R42."""
        return judge(state)

    def check_wins(self, state: State, events: tuple[Event, ...] = ()) -> Step[State]:
        """Who inherits something of the dead is told, and whoever knows them (CM-R86, CM-R87); then the
        wins."""
        after = inherit(state)
        step = super().check_wins(after, events)
        if after is state or step.state.winner is not None:
            return step
        return Step(step.state, (*step.events, *views.inherited(state, after)), step.refused)

    def follow(self, state: State, slot: SlotId) -> tuple[SlotId, ...]:
        """CM-R16: who loved the dead, by day as by night."""
        return tuple(lover for lover, _ in bereaved(state.rules.lovers, (slot,), state.living))

    # ── What each may know. ─────────────────────────────────────────────────────────────────────────────────

    def own_facts(self, state: State, slot: SlotId) -> OwnFacts:
        """The card as its holder is told it (CM-R102)."""
        return replace(super().own_facts(state, slot), role=believed(state.cards[slot]).name)

    def partners(self, state: State, slot: SlotId) -> tuple[Partner, ...]:
        """Who is known (CM-R35)."""
        return views.partners(state, slot)

    def ending(self, state: State) -> Ending:
        """Who won and why, who wins along, and every card."""
        return ending(state)


CUSTOM_MAFIA = CustomMafia()
