"""What a game is: its windows, messages, events and their audiences, and how it moves."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from difflib import get_close_matches
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from knightfall.audience import SECRET
from knightfall.engine.commands import Order
from knightfall.engine.lines import (
    Choices,
    breadth_first,
    descend,
    parts_of_line,
    random_walk,
    tree_of,
    written,
)
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.sentence import SlotId

S = TypeVar("S")

MOST_LINES = 500
"""So many lines of a slot are listed, where there are more."""


class Facts:
    """What an event tells: the base of a frozen dataclass for each kind of event.

    `kind` names the write-up that it becomes (`writeups/templates/<game>/<kind>.j2`), which reads the fields
    by their names: names, numbers, texts and dates, and tuples, mappings and dataclasses of them.
    `answers`: it answers a message at once, and says what stands only until the next one.
    """

    __slots__ = ()
    kind: ClassVar[str] = ""
    answers: ClassVar[bool] = False

    @property
    def period(self) -> tuple[str, int] | None:
        """The night or turn that it tells of, such as ("night", 2); None where it is of neither."""
        for word in ("night", "turn"):
            number = getattr(self, word, None)
            if isinstance(number, int):
                return word, number
        return None

    @property
    def tells_refusals(self) -> bool:
        """Whether its text says which lines of a message were not taken, and why: those of `refused`."""
        return bool(getattr(self, "refused", ()))


def values_of(row: Any) -> dict[str, Any]:
    """The fields of a dataclass by name; rows in them stay what they are."""
    return {each.name: getattr(row, each.name) for each in fields(row)}


@dataclass(frozen=True, slots=True)
class Option:
    """One question the moderator may answer otherwise. `values[0]` is the default.

    `pattern` is a regular expression of further values, where these are numbers, times or squares; `form`
    says in words how these are written. `private`: it is never published, not at the end either. `words`
    says each of the values as people say it, in their order; () where they are words already. `together`:
    values of which any may hold at once, each with its name, written with a plus between them.
    """

    name: str
    values: tuple[str, ...]
    ruling: str
    question: str
    pattern: str = ""
    form: str = ""
    private: bool = False
    words: tuple[str, ...] = ()
    together: tuple[tuple[str, str], ...] = ()

    @property
    def default(self) -> str:
        return self.values[0]

    def takes(self, text: str) -> bool:
        """Whether it has that value, in any case."""
        folded = text.lower()
        is_one = folded in map(str.lower, self.values)
        return is_one or bool(self.pattern and re.fullmatch(self.pattern, folded))

    @property
    def said(self) -> tuple[tuple[str, str], ...]:
        """Each value with its words."""
        return tuple(
            zip(self.values, self.words or (one.replace("_", " ") for one in self.values), strict=True)
        )


def option(
    ruling: str,
    question: str,
    *values: str,
    name: str = "",
    pattern: str = "",
    form: str = "",
    words: tuple[str, ...] = (),
    together: tuple[tuple[str, str], ...] = (),
) -> Option:
    """An option on one ruling, after which it is called (`ke_r2`) unless it has a `name` of its own."""
    called = name or ruling.lower().replace("-", "_")
    return Option(called, values, ruling, question, pattern, form, words=words, together=together)


TIES = "ties"
BY_NAME: Mapping[str, str] = {TIES: "by_name"}
"""How games that began before there was a draw decide who of several it is where nothing tells them apart."""


def ties(ruling: str, what: str) -> Option:
    """The option for that."""
    return Option(
        TIES, ("drawn", "by_name"), ruling, f"{what}; in games begun before 0.2 by name or seat, not by lot"
    )


@dataclass(frozen=True, slots=True)
class Spec:
    """What a game declares about itself; `players` are the numbers of slots it can be played with, `rulings`
    what decides what, number → one line; `asked` the options that who sets up a game is asked for by name.

    `begun_with` are values of options that a new game has where its file says nothing, beside the defaults:
    journals of games begun earlier do not name them, and are replayed by the defaults.

    `earlier` are values that held before a ruling changed: games begun under an older edition of the rulings
    have them where they name no other (`options_of` in the journal).

    `templates` is the folder of its post templates, `<kind>.j2` each, for a game of another package; None:
    they are ours, under `writeups/templates/<id>`.

    `seats` is what each player is, by their place in the list, where that decides; () where it does not.
    """

    id: str
    name: str
    players: range
    options: tuple[Option, ...] = ()
    rulings: Mapping[str, str] = field(default_factory=dict, hash=False)
    asked: tuple[str, ...] = ()
    begun_with: Mapping[str, str] = field(default_factory=dict, hash=False)
    earlier: Mapping[str, str] = field(default_factory=dict, hash=False)
    templates: Path | None = None
    seats: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Window:
    """What is open now, for whom, secretly or openly, from when until when; None: as the moderator says.

    `fixed`: its rules want it closed at its time, not before, as soon as all have answered. `choice`: each of
    its slots has until its time to choose, and who has not chosen is decided for. `by_itself`: it ends with
    something else, and nobody can close it.
    """

    kind: str
    title: str
    slots: tuple[SlotId, ...]
    secret: bool
    opens: datetime | None = None
    closes: datetime | None = None
    fixed: bool = False
    by_itself: bool = False
    choice: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """All of one post or PM, applied whole. `aliases` are names of slots beside their own, in any case.
    `hammered`: by then the votes had ended the day that is open, with this slot ("": with nobody)."""

    slot: SlotId | None
    text: str
    at: datetime
    aliases: Mapping[str, SlotId] = field(default_factory=dict)
    post: str | None = None
    hammered: SlotId | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a line was not taken: a short code and one sentence; names in it are values where it is a
    `Sentence`."""

    code: str
    text: str


Refused: TypeAlias = tuple[tuple[str, Refusal], ...]
"""The lines that were not taken, each with its reason."""


@dataclass(frozen=True, slots=True)
class NotTaken:
    """A line that was refused, and why, as a receipt says it."""

    line: str
    why: str


class _Telling:
    """What every event has, whoever may read it."""

    __slots__ = ()
    facts: Facts

    @property
    def kind(self) -> str:
        """The post, PM or sheet that it becomes."""
        return self.facts.kind


@dataclass(frozen=True, slots=True)
class Announced(_Telling):
    """Everyone may read it."""

    facts: Facts


@dataclass(frozen=True, slots=True)
class Told(_Telling):
    """Only these slots may read it."""

    slots: tuple[SlotId, ...]
    facts: Facts


@dataclass(frozen=True, slots=True)
class Noted(_Telling):
    """Only the moderator may read it."""

    facts: Facts


Event: TypeAlias = Announced | Told | Noted
"""Its type is its audience: what takes only `Announced` cannot see a secret."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How it ended. `winner` is the game's word for the side (None: nobody), `slots` who wins with it, or
    along with whoever does; `drawn` whom a draw is between, where it is not between all."""

    winner: str | None
    slots: tuple[SlotId, ...]
    drawn: tuple[SlotId, ...] = ()


@dataclass(frozen=True, slots=True)
class DeadPlayer:
    """Who plays no more, as everybody may know: the role that was shown ("" where none was), how and when it
    came, in words."""

    slot: SlotId
    role: str
    how: str
    when: str

    @property
    def note(self) -> str:
        """“Town Cop, eliminated, day 1”."""
        return ", ".join(word for word in (self.role, self.how, self.when) if word)


@dataclass(frozen=True, slots=True)
class Room:
    """A private topic that the rules give to some players: `kind` names it within the game, such as “mafia”;
    `slots` are who may be in it now."""

    kind: str
    title: str
    slots: tuple[SlotId, ...]


@dataclass(frozen=True, slots=True)
class PlayerList:
    """A list of players for a post: its title, and each slot with a note ("" for none)."""

    title: str
    people: tuple[tuple[SlotId, str], ...]


@dataclass(frozen=True, slots=True)
class View:
    """What one slot (None: the public) may know."""

    slot: SlotId | None
    facts: Facts


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """What a transition did: the new state, what is to be told, and the lines that were not taken."""

    state: S
    events: tuple[Event, ...] = ()
    refused: Refused = ()

    def then(self, follow: Callable[[S], Step[S]]) -> Step[S]:
        """This transition and one that follows it, as one."""
        after = follow(self.state)
        return Step(after.state, (*self.events, *after.events), (*self.refused, *after.refused))


def refuse_all(state: S, lines: Iterable[str], why: Refusal) -> Step[S]:
    """The state as it is: none of the lines was taken."""
    return Step(state, (), tuple((line, why) for line in lines))


def refuse(state: S, line: str, code: str, text: str) -> Step[S]:
    """Nothing changes, and the line comes back."""
    return refuse_all(state, (line,), Refusal(code, text))


def line_by_line(state: S, lines: Iterable[str], take: Callable[[S, str], Step[S]]) -> Step[S]:
    """What the lines change one after the other; a refused one changes nothing."""
    step = Step(state)
    for line in lines:
        after = take(step.state, line)
        step = Step(after.state, (*step.events, *after.events), (*step.refused, *after.refused))
    return step


@dataclass(frozen=True, slots=True)
class Awaited:
    """A slot that an open window awaits. `standing` is what of theirs stands there, a line each in the game's
    notation; () where nothing does."""

    slot: SlotId
    standing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Silence:
    """What happens to a slot that sends nothing until a window closes, and the ruling that says so.

    The same for every slot of the window, so that no reminder tells what somebody can do.
    """

    text: str
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """What a match gives a player for the season: garnets (less than 0: fines), tokens of life, marks of
    elimination, Opals; `balance` in garnets after it, None where that is not told."""

    name: SlotId
    garnets: int
    tokens: int
    marks: int
    opals: int
    balance: int | None = field(default=None, metadata=SECRET)


@dataclass(frozen=True, slots=True)
class SeasonBook(Facts):
    """What a match gives to the book of a season, by player. `floor`: no fine takes a balance below 0."""

    kind: ClassVar[str] = "season"

    rows: tuple[SeasonRow, ...]
    floor: bool


@dataclass(frozen=True, slots=True)
class DayRule:
    """How a game's days are decided by votes: `death` and `tie` as in the rules of a game file.

    `draws`: the game itself draws a tie that chance decides, from the moderator's line `tie NAME, NAME`.
    `unanimous`: a day may end before its deadline once all the living vote for the same.
    `fixed`: keys of the rules of a game file that the game's own rules decide, so that nobody is asked.
    """

    death: str
    tie: str = "no_elimination"
    draws: bool = False
    unanimous: bool = False
    fixed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game that was begun elsewhere stands, as it was told: in a phase of this kind (`day`, `night`)
    and number.

    `roles` are the cards of all slots by name, of the dead, too; `left` has how and when each of the dead
    left, in words ("killed", "night 2"), in their order. `uses` is what is left of limited abilities, where
    that is not what the cards say; `groups` are further secrets, such as who loves whom.
    """

    kind: str
    number: int
    roles: Mapping[SlotId, str]
    left: Mapping[SlotId, tuple[str, str]] = field(default_factory=dict)
    uses: Mapping[SlotId, Mapping[str, int]] = field(default_factory=dict)
    groups: Mapping[str, tuple[tuple[SlotId, ...], ...]] = field(default_factory=dict)


class GameHooks(Generic[S]):
    """What only some games have, and what holds for all the others.

    Bases of games of one kind, such as `MafiaGame` and `RoundGame`, fill in most of what their games share.
    """

    spec: Spec
    """What it is called, who can play it, what can be chosen."""
    alive_word: str = ""
    """How the record of a game says that somebody still played at its end; "" where nobody can leave."""

    def moved(
        self,
        state: S,
        kind: str,
        until: datetime | None,
        at: datetime,
    ) -> S:
        """The state when the moderator gives the open window of this kind another deadline at an instant, or
        stops its clock (`until` None). A game that answers with a window that closes then keeps the deadline
        itself, in its texts and its clocks; else the journal does."""
        return state

    def declines(self, line: str) -> bool:
        """Whether a line that was taken says that its sender does nothing on purpose."""
        return False

    def everyday_words(self) -> Mapping[str, tuple[str, ...]]:
        """Words of the game, in lower case, with those that people say for them: “heal” is “save”, too. No
        line is taken by them; the moderator is offered what it may mean."""
        return {}

    def cautions(self, state: S, window: Window) -> tuple[str, ...]:
        """What the moderator should look at before a window is closed, beside who is silent: sentences."""
        return ()

    def silence(self, kind: str) -> Silence | None:
        """What happens to who sends nothing until a window of this kind closes."""
        return None

    def under(self, state: S, options: Mapping[str, object]) -> S | None:
        """The state as it stands, under other options; None where the game has to be played again by them."""
        return None

    def dead(self, state: S) -> tuple[DeadPlayer, ...]:
        """Who plays no more, in the order in which they left."""
        return ()

    def roles(self, state: S) -> Mapping[SlotId, str]:
        """The role of every slot, whoever may know it; nothing in a game without roles."""
        return {}

    def instead_of_elimination(self, state: S) -> str:
        """The moderator's line by which the day ends, should the votes eliminate somebody; "" where the votes
        decide."""
        return ""

    def vote_marks(self, state: S) -> Mapping[SlotId, tuple[int, int]]:
        """Of each slot whose vote is not like the others its weight, and how many votes more or fewer than
        the others it takes to eliminate it."""
        return {}

    def rooms(self, state: S) -> tuple[Room, ...]:
        """The private topics that the rules give to some players, with who may be in each now."""
        return ()

    def setup_code(self, state: S) -> str:
        """What names the setup that was dealt, told once the game is over."""
        return ""

    def setup_post(
        self,
        slots: Sequence[SlotId],
        options: Mapping[str, object],
    ) -> Facts | None:
        """“This setup”: what everybody may know of the rules in force, before anything is dealt."""
        return None

    def is_live(self, options: Mapping[str, object]) -> bool:
        """Whether the players have to be online for the whole game, since its clock is one of minutes."""
        return False

    def board(
        self,
        state: S,
        slot: SlotId | None,
        names: Mapping[SlotId, str],
    ) -> str:
        """The board in letters of one width, as that slot sees it, with each slot called as in `names`; ""
        where there is none to show."""
        return ""

    def opening_now(self, state: S, opening: Facts) -> Facts:
        """The first post of the game as it reads while the game goes on: no deadline in it that is past."""
        return opening

    def retold(self, event: Announced) -> Announced:
        """An announcement as the post that ends the game repeats it, when nobody is asked for anything."""
        return event

    def season_book(self, state: S, *, balances: bool) -> SeasonBook | None:
        """What the match gives to the book of the season by now, with `balances` also what only the moderator
        and each player for themselves know; None for a game that no season counts."""
        return None

    def drawn_by_hand(self, state: S, draws: Sequence[tuple[str, object]]) -> tuple[Event, ...]:
        """What everybody is told of the draws, labels and values, that the moderator made by hand in the step
        that led to `state`; nothing of those of which no word may be public."""
        return ()

    def adopt(
        self, slots: Sequence[SlotId], options: Mapping[str, object], position: Position, at: datetime
    ) -> Step[S]:
        """Go on with a game that was begun elsewhere. Raises InputError where the position cannot be one of
        this game, or the game cannot be taken in while it runs."""
        raise InputError(f"{self.spec.name} cannot be taken in while it runs.")

    @property
    def adopts(self) -> bool:
        """Whether a game that was begun elsewhere can go on here."""
        return type(self).adopt is not GameHooks.adopt

    def seals(self, options: Mapping[str, object]) -> tuple[tuple[str, ...], ...]:
        """Paths of the parts that have a seed of their own (`Rng.apart`) and can be published one by one;
        (): all chance hangs on one seed."""
        return ()

    def deal_plan(self, slots: Sequence[SlotId], options: Mapping[str, object]) -> Mapping[str, Any]:
        """Out of which draws its cards come, as `engine.fair.dealt_by` reads it. Raises InputError as `setup`
        does."""
        return {"path": [], "order": [], "deck": []}

    def published(self, state: S) -> tuple[tuple[str, ...], ...]:
        """Which parts are published at the end, by their paths; ((),): the one seed of all chance."""
        return ((),)

    def forbidden_words(self, state: S) -> tuple[str, ...]:
        """Words in a row that no public text may hold now, nor after the end: what its cards do not say."""
        return ()

    def day_rule(self, options: Mapping[str, object]) -> DayRule | None:
        """How its days are decided by votes; None: it has no days that a thread votes on."""
        return None


class Game(GameHooks[S], ABC):
    """What the shell, the journal and the playouts know of a game.

    An instance holds no position: every method takes a state and answers, and nothing is drawn but by `draw`.
    """

    @abstractmethod
    def setup(self, slots: Sequence[SlotId], options: Mapping[str, object], draw: Rng) -> Step[S]:
        """Deal. Raises InputError where slots or options cannot be played."""

    def begin(
        self,
        slots: Sequence[SlotId],
        options: Mapping[str, object],
        at: datetime,
        draw: Rng,
    ) -> Step[S]:
        """Deal at an instant, from which the first deadline counts where the game has one."""
        return self.setup(slots, options, draw)

    @abstractmethod
    def windows(self, state: S) -> tuple[Window, ...]:
        """What is open now; nothing once the game is over."""

    def is_open(self, state: S, kind: str) -> bool:
        """Whether a window of this kind is open now."""
        return any(window.kind == kind for window in self.windows(state))

    @abstractmethod
    def submit(self, state: S, message: Message, draw: Rng) -> Step[S]:
        """Apply a message; a refused line changes nothing that stood before."""

    def decide(self, state: S, orders: Sequence[Order], at: datetime, draw: Rng) -> Step[S]:
        """Do what the moderator decided with a verb of their own: take somebody out or back, end a day. By
        default as if they had said it in a message."""
        called: dict[str, SlotId] = {
            slot: slot for order in orders for slot in order.slots if slot is not None
        }
        text = "\n".join(order.line for order in orders)
        return self.submit(state, Message(None, text, at, called), draw)

    @abstractmethod
    def close(self, state: S, kind: str, at: datetime, draw: Rng) -> Step[S]:
        """Close the open window of this kind."""

    @abstractmethod
    def view(self, state: S, slot: SlotId | None) -> View:
        """What that slot may know."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """None while the game goes on."""

    # ── The lines that can be sent. A game tells `continuations`, or where they are few `legal` alone. ──────

    def continuations(self, state: S, slot: SlotId | None, parts: tuple[str, ...] = ()) -> Choices:
        """What a line of the slot (None: the moderator) that begins with these parts can go on with, and
        whether `submit` would take it as it is: every line that is whole is taken, and in the game's notation
        every line that is taken can be reached.

        By default the lines of `legal`, cut at the names in them.
        """
        if type(self).legal is Game.legal:
            raise NotImplementedError(f"{self.spec.name} tells neither its `continuations` nor its `legal`")
        lines = islice(self.legal(state, slot), MOST_LINES)
        return descend(tree_of(map(parts_of_line, lines)), parts)

    def legal(self, state: S, slot: SlotId | None) -> Iterable[str]:
        """Lines that `submit` would take now, in the game's notation; of many the shortest.

        By default the first walks through `continuations`, without what is chosen but seldom.
        """
        walks = breadth_first(partial(self.continuations, state, slot), MOST_LINES)
        return (written(picks) for picks in walks)

    def random_line(self, state: S, slot: SlotId | None, chance: Rng, *, silent: bool = False) -> str | None:
        """A line drawn by chance; None where there is none, and with `silent` now and then."""
        return random_walk(partial(self.continuations, state, slot), chance, f"line:{slot}", silent=silent)

    def awaits(self, state: S, window: Window) -> tuple[Awaited, ...]:
        """Whom an open window awaits: every slot that can change what its closing leads to by sending.

        By default every slot of the window that has a legal line, with nothing standing.
        """
        return tuple(Awaited(slot) for slot in window.slots if any(self.legal(state, slot)))

    def listens(self, state: S, slot: SlotId) -> bool:
        """Whether a message of the slot can be taken now; one that comes while this is False is late."""
        return any(self.legal(state, slot))

    # ── What posts and checks ask about the players. ────────────────────────────────────────────────────────

    def playing(self, state: S) -> tuple[SlotId, ...]:
        """Who still plays, in slot order; by default whoever has an open window."""
        return tuple(dict.fromkeys(slot for window in self.windows(state) for slot in window.slots))

    def player_lists(self, state: S) -> tuple[PlayerList, ...]:
        """The players as the first post and the record list them."""
        playing = tuple((slot, "") for slot in self.playing(state))
        dead = tuple((one.slot, one.note) for one in self.dead(state))
        return (PlayerList("Alive" if dead else "Players", playing), PlayerList("Dead", dead))

    def hidden_roles(self, state: S) -> Mapping[SlotId, str]:
        """The roles that not everybody may know now: those of who still plays."""
        playing = frozenset(self.playing(state))
        return {slot: role for slot, role in self.roles(state).items() if slot in playing}

    def shown_roles(self, state: S) -> tuple[str, ...]:
        """Roles that everybody has seen: all, in a game that turns no cards up, for its rules name them."""
        return tuple(dict.fromkeys(self.hidden_roles(state).values()))


def announced(events: Iterable[Event]) -> tuple[Announced, ...]:
    """What the public may read."""
    return tuple(event for event in events if isinstance(event, Announced))


def told(events: Iterable[Event]) -> tuple[Told, ...]:
    """What goes out by PM."""
    return tuple(event for event in events if isinstance(event, Told))


def noted(events: Iterable[Event]) -> tuple[Noted, ...]:
    """What only the moderator reads."""
    return tuple(event for event in events if isinstance(event, Noted))


@dataclass(frozen=True, slots=True)
class Chosen:
    """The value of every option by name. `house` names those that differ from the default: quick to ask."""

    values: Mapping[str, str]
    house: frozenset[str] = frozenset()

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def public(self, options: Sequence[Option]) -> Mapping[str, str]:
        """What everybody may know of them: the values of all options but the private ones."""
        return {option.name: self.values[option.name] for option in options if not option.private}


def check_distinct(slots: Sequence[SlotId]) -> None:
    """Raises InputError where two names differ by nothing but capitals."""
    folded = [slot.casefold() for slot in slots]
    if twice := sorted({slot for slot in slots if folded.count(slot.casefold()) > 1}):
        raise InputError(f"These names belong to two players: {', '.join(twice)}.")


def defaults(options: Sequence[Option]) -> Chosen:
    """What holds where the moderator says nothing."""
    return Chosen({option.name: option.default for option in options})


def choose(game: str, options: Sequence[Option], given: Mapping[str, object]) -> Chosen:
    """What the moderator chose, defaults elsewhere; `game` is its name in messages.

    Raises InputError for an unknown option, with the nearest, and for a value that it does not have.
    """
    by_name = {option.name: option for option in options}
    values = dict(defaults(options).values)
    for name, value in given.items():
        option = by_name.get(name)
        if option is None:
            raise InputError(f"{game} has no option “{name}”{nearest(name, by_name)}")
        text = _said(option, _written(value).lower())
        if text not in option.values and not (option.pattern and re.fullmatch(option.pattern, text)):
            further = f", or {option.form}" if option.form else ""
            raise InputError(
                f"{name} = {value!r}: expected one of {', '.join(option.values)}{further} ({option.ruling})."
            )

        values[name] = text
    return Chosen(values, frozenset(name for name in values if values[name] != by_name[name].default))


def _written(value: object) -> str:
    """A value of TOML as one text: a list as `a,h`, a table as `{ada=4,boro=5}` in the order of its keys."""
    match value:
        case Mapping():
            return "{" + ",".join(sorted(f"{key}={_written(one)}" for key, one in value.items())) + "}"
        case list() | tuple():
            return ",".join(map(_written, value))
    return str(value)


def _said(option: Option, text: str) -> str:
    """A TOML `true` says yes where the choice is between yes and no."""
    same = {"true": "yes", "false": "no"}.get(text, text)
    return same if same in option.values else text


def nearest(name: str, known: Iterable[str]) -> str:
    """How a complaint about an unknown name ends: with the one that may be meant."""
    near = get_close_matches(name, known, n=1)
    return f"; did you mean “{near[0]}”?" if near else "."
