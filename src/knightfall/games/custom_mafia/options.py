"""The rulings of a custom game, what its moderator may answer otherwise, and what a setup is.

A setup says which cards are in the game, and what of them is drawn; `setup` reads and deals it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import comb, gcd
from typing import overload

from knightfall.engine.game import BY_NAME, Chosen, Option, choose, defaults, option, ties
from knightfall.games.custom_mafia.abilities import ABILITIES, BY_OPTION, BY_THEMSELVES
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.mafia.ability_row import AbilityRow
from knightfall.mafia.night import Reason
from knightfall.mafia.roles import TEAMS, Alignment, Role, wording

OPTIONS: tuple[Option, ...] = (
    option("CM-R2", "Actions that change each other in a ring", "ask", "list", name="knots"),
    option(
        "CM-R2",
        "A ring by which nobody is told anything else, whatever goes first; in games begun before 0.2 asked",
        "settled",
        "asked",
        name="idle_knots",
    ),
    option(
        "CM-R2",
        "Roleblockers and Jailkeepers who stop each other are",
        "a_ring",
        "roleblock_first",
        name="block_and_jail",
    ),
    option("CM-R10", "Kills that one doctor stops", "one", "all", name="doctor_saves"),
    option("CM-R11", "A Bodyguard who stops a kill", "dies", "lives", name="bodyguard"),
    option("CM-R15", "The kill that a Bomb strikes back with", "kill", "certain", name="bomb"),
    option("CM-R20", "A shot whose action was blocked", "spent", "refunded", name="blocked_shot"),
    option("CM-R23", "A cop's answer for a Serial Killer", "guilty", "innocent", name="cop_sees_killer"),
    option("CM-R70", "A cop's answer for a werewolf", "guilty", "innocent", name="cop_sees_werewolves"),
    option("CM-R24", "On whose card a Gunsmith finds a gun", "ours", "normal", name="guns"),
    option(
        "CM-R32",
        "The carrier of the mafia's kill may also use their own ability",
        "no",
        "yes",
        name="carrier",
    ),
    option("CM-R33", "An action on oneself", "no", "yes", name="self_target"),
    option(
        "CM-R36",
        "The town wins, nobody else being a threat, when so many mafiosi live",
        "none",
        "one",
        name="town_wins",
    ),
    option("CM-R37", "The mafia wins at", "parity", "majority", "last_side", name="mafia_wins"),
    option("CM-R38", "A Serial Killer wins", "last_alive", "one_on_one", name="killer_wins"),
    option("CM-R39", "When a Jester is eliminated, the game", "goes_on", "ends", name="jester"),
    option("CM-R50", "A Hider behind an enemy", "dies", "lives", name="hider"),
    option("CM-R78", "Nights are", "played", "skipped", name="nights"),
    ties("CM-R45", "Which guard takes a kill, which kill on a Bomb is stopped"),
    option("CM-R35", "Lovers know each other", "yes", "no", name="lovers_know"),
)
EARLIER: Mapping[str, str] = {**BY_NAME, "idle_knots": "asked"}
"""What held before a ruling changed."""
WORDING = wording("CM-R35")
HOUSES: Mapping[str, Mapping[str, str]] = {
    "ours": {},
    "normal": {"hider": "lives", "guns": "normal", "block_and_jail": "roleblock_first"},
    "werewolf": {"bodyguard": "lives", "carrier": "yes"},
}
"""What a community means by its words, as options: Normal games of MafiaScum, and the werewolf table."""
HOUSE = option("CM-R79", "Whose meanings of roles hold where nothing else is chosen", *HOUSES, name="house")
CHOICES = (*OPTIONS, WORDING, HOUSE)

Rules = Chosen
DEFAULT_RULES: Rules = defaults(CHOICES)


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a setup, on top of those that its house has. Raises InputError with the choices."""
    chosen = choose("Custom Mafia", CHOICES, given)
    meant = HOUSES[chosen[HOUSE.name]]
    return choose("Custom Mafia", CHOICES, {**meant, **given}) if meant else chosen


_RULINGS: Mapping[str, str] = {
    "CM-R1": "What changes another action is resolved before it, beginning with what nothing can change.",
    "CM-R2": "Actions that change or undo each other in a ring are a question where their order counts; "
    "where nobody is told anything else by any order, nor if none happens, none does and nobody is asked.",
    "CM-R5": "No action stops itself; a roleblock turned on its own actor stops their other actions.",
    "CM-R9": "An action turned on its own actor happens to them.",
    "CM-R12": "Bulletproof stops every kill, or as many as the card says.",
    "CM-R13": "Heals are used first, then jail and bulletproof, then a limited vest, then the bodyguard.",
    "CM-R14": "No roleblock, jail or shield stops a Strongman's kill; it can be redirected or driven.",
    "CM-R15": "A Bomb killed at night kills each of their killers; that kill can be stopped.",
    "CM-R16": "When a lover dies, by day or night, the others die too; nothing saves them.",
    "CM-R17": "A weak player who reaches somebody of another side dies of it; that is no kill.",
    "CM-R18": "Loyal works on one's own side only, disloyal on other sides only; elsewhere it fails.",
    "CM-R19": "Lazy fails where at most one living player was not of the town when night fell.",
    "CM-R20": "A shot is spent when its action is sent, blocked or not.",
    "CM-R21": "Night 1 is odd.",
    "CM-R22": "Non-consecutive: not in the night after one in which it was used.",
    "CM-R28": "A Ninja's kill is seen by nobody who looks.",
    "CM-R29": "What failed is no visit; a kill that was survived is one.",
    "CM-R30": "A stopped report says “No Result”; a turned one names the player it was sent to.",
    "CM-R31": "What a player killed tonight set out to do still happens, and their results are sent.",
    "CM-R32": "One action for each player, one kill for the mafia; its carrier does nothing else.",
    "CM-R33": "Nobody targets themselves, and nobody the dead.",
    "CM-R34": "Two targets are two different players.",
    "CM-R35": "Mafiosi and masons know their partners, lovers each other; everybody knows their own card.",
    "CM-R36": "The town wins when no mafioso and no Serial Killer lives, and a town player does; by option "
    "also when one mafioso is left.",
    "CM-R37": "The mafia wins when no killer and no other mafia lives and it is at least half of the living.",
    "CM-R38": "A Serial Killer wins as the last one alive, survivors left aside.",
    "CM-R39": "A Jester wins by being voted out, and the game goes on.",
    "CM-R40": "A Survivor who is alive at the end wins, too, and counts for no side.",
    "CM-R41": "With nobody left nobody wins.",
    "CM-R42": "Wins are checked after all deaths of the moment.",
    "CM-R43": "A ruling on a knot is kept, and offered when a knot of the same shape comes again.",
    "CM-R46": "Neighbors know who they are and talk in private; none is told another's side.",
    "CM-R47": "Everybody is told at the start who is an Innocent Child, and that they are of the town.",
    "CM-R48": "While an Encryptor lives, the mafia may talk by day, too.",
    "CM-R49": "A Traitor counts as mafia and wins with it; nobody of the mafia knows them, nor they the "
    "mafia, and they never carry its kill.",
    "CM-R63": "Nothing that others do protects a macho from a kill, a rolestop neither; what they do "
    "themselves does.",
    "CM-R64": "What others aim at an Ascetic fails, kills apart, even where it names another player, too.",
    "CM-R65": "A backup's ability works once somebody of their own side who had it is dead.",
    "CM-R66": "Where a compulsive player sends nothing, whom they do it to is drawn among all they may name.",
    "CM-R67": "A Jack-of-all-Trades has one use each of Doctor, Vigilante, Roleblocker and Cop, or of what "
    "is written.",
    "CM-R69": "A second mafia, and werewolves, are sides of their own, each with partners, a room and a "
    "kill; what is said of the mafia holds for each of them, and they do not know each other.",
    "CM-R75": "A doublevoter's vote counts twice and that of a voteless player not at all, and nobody is "
    "told; the votes needed are as many as without them.",
    "CM-R76": "It takes one vote more to eliminate a loved player, and one fewer for a hated one.",
    "CM-R77": "A treestump who died may go on posting, and their vote does not count.",
    "CM-R78": "Where nights are skipped, a day follows the day, and nobody does anything in between; who was "
    "voted out and may kill somebody does so before the next day begins.",
    "CM-R79": "A house has its own meaning of some words: Normal games of Hider, Gunsmith, and Roleblocker "
    "before Jailkeeper; the werewolf table of Bodyguard, and a pack whose killer may act besides. What is "
    "chosen for itself holds before it.",
    # After the MafiaScum wiki: Night Specific, Roaming, Activated. The list of Complex Normal names Novice,
    # Indecisive and Complex only; what they mean here, and Simple, is the usual reading.
    "CM-R80": "What works on a night by its number works then only; of several such numbers on each.",
    "CM-R81": "What a novice has does not work on night 1.",
    "CM-R82": "The indecisive name for an ability nobody whom they named for it the night before.",
    "CM-R83": "The roaming name nobody twice for an ability, whatever came of it and wherever it went.",
    "CM-R84": "Simple works on a Vanilla Townie or a Goon only, complex on everybody else only.",
    "CM-R85": "An activated Bulletproof, Ninja or Strongman is one in a night in which they use it; a "
    "roleblock or a jail stops a vest, and a use is spent whether or not it stopped anything.",
    # After the MafiaScum wiki: Backup, Universal Backup (the Normal version).
    "CM-R86": "A backup of what works by itself is it once somebody of their own side who was it is dead; "
    "they are told, and so is whoever knows them by it.",
    "CM-R87": "A Universal Backup becomes the first of their side who dies and was not vanilla, with the "
    "uses left; of several at once the first in the list of players.",
    # After what the MafiaScum wiki says of a Personal Alien.
    "CM-R88": "What a personal roleblocker, rolestopper or alien does has no effect on the mafia's kill.",
    # After the MafiaScum wiki: Enabler.
    "CM-R94": "When an Enabler dies, nobody can do any more what they enabled; an Enabler does not do it.",
    # After the MafiaScum wiki: Paranoid Gun Owner, Cop (sanities).
    "CM-R96": "Whoever comes to a gun owner at night is shot, whoever they are and whatever they do; what "
    "failed comes to nobody. The shot is a kill that can be stopped, and no visit.",
    "CM-R99": "A Lycan is a werewolf to every Seer, and guilty to every cop.",
    "CM-R101": "A Minion counts as of its side and wins with it, knows its members and is not known to them; "
    "to a Seer it is no werewolf.",
    "CM-R102": "An insane cop gets every answer turned round, a naive one finds everybody innocent and a "
    "paranoid one everybody guilty; none of them is told.",
    "CM-R103": "What works by itself on some nights only is on the others as if it were not on the card.",
    "CM-R104": "An Ascetic with a number of shots is one on so many of the nights on which something fails "
    "by that.",
    # After the MafiaScum wiki: Informed.
    "CM-R105": "Somebody informed is told something about the game at the start; no night knows of it.",
    "CM-R45": "Which of several guards take a kill, which of several kills on a Bomb are stopped, is drawn.",
}

RULINGS: Mapping[str, str] = dict(
    sorted(
        {**_RULINGS, **{row.ruling: row.rule for row in ABILITIES if row.rule}}.items(),
        key=lambda ruling: int(ruling[0].removeprefix("CM-R")),
    )
)
"""Every ruling: those of more than one ability, and of each ability its own."""


def row_under(row: AbilityRow, rules: Rules) -> AbilityRow:
    """An ability as these options have it told."""
    chosen = (other for (name, value), other in BY_OPTION.items() if rules[name] == value)
    return next((other for other in chosen if other.id == row.id), row)


def ruling_under(ruling: str, rules: Rules) -> str:
    """What a ruling says under these options."""
    chosen = (other for (name, value), other in BY_OPTION.items() if rules[name] == value)
    return next((other.rule for other in chosen if other.ruling == ruling), RULINGS[ruling])


_ROWS = (*ABILITIES, *BY_THEMSELVES)
_OWN: Mapping[str, str] = {row.id: row.ruling for row in _ROWS}
"""Of each ability its own ruling."""


def _each(ruling: str) -> Mapping[str, str]:
    return dict.fromkeys(_OWN, ruling)


RULING_OF_REASON: Mapping[str, Mapping[str, str]] = {
    Reason.AWAY: _each("CM-R3"),
    Reason.TARGET_COMMUTING: _each("CM-R3"),
    Reason.ACTOR_JAILED: _each("CM-R6"),
    Reason.ACTOR_ROLEBLOCKED: _each("CM-R4"),
    Reason.HOLDS: _OWN,
    Reason.TURNED: _OWN,
    Reason.KNOT: _each("CM-R43"),
    Reason.IDLE_KNOT: _each("CM-R2"),
    Reason.LANDED: _each("CM-R29"),
    Reason.UNSTOPPABLE: _each("CM-R14"),
    Reason.HEALED: _each("CM-R10"),
    Reason.IN_JAIL: _each("CM-R6"),
    Reason.BULLETPROOF: _each("CM-R12"),
    Reason.VEST: _each("CM-R12"),
    Reason.GUARDED: _each("CM-R11"),
    Reason.TOOK_THE_KILL: _each("CM-R11"),
    Reason.STRUCK_BACK: _each("CM-R15"),
    Reason.AT_THE_DOOR: _each("CM-R96"),
    Reason.LINKED: _OWN,
    Reason.LOVE: _each("CM-R16"),
    Reason.WEAKNESS: _each("CM-R17"),
    Reason.LOYAL: _each("CM-R18"),
    Reason.DISLOYAL: _each("CM-R18"),
    Reason.LAZY: _each("CM-R19"),
    Reason.SAVED: _OWN,
    Reason.UNUSED: _OWN,
    Reason.ANSWERED: _OWN,
    Reason.TOLD: _OWN,
    Reason.TYPED: _OWN,
    Reason.ASCETIC: _each("CM-R64"),
    Reason.ROLESTOPPED: _each("CM-R89"),
    Reason.ABDUCTED: _each("CM-R90"),
    Reason.SHIELDED: _each("CM-R92"),
    Reason.SHIELDS: _each("CM-R92"),
    Reason.SIMPLE: _each("CM-R84"),
    Reason.COMPLEX: _each("CM-R84"),
    Reason.HIDDEN: _each("CM-R50"),
    Reason.FOUND_OUT: _each("CM-R50"),
    Reason.ALONE: _each("CM-R51"),
}
"""The ruling behind what became of an action, by reason and ability."""


# ── Setup values. ─────────────────────────────────────────────────────────────────────────────────────────

SETUP = "setup"
VANILLA = "vanilla"
PLAYERS = range(3, 61)
_TICKET = ", ticket "
_A_TABLE = r"(?s)\{.*\}"  # a setup file as one value, over any number of lines
SETUP_TABLE = Option(
    SETUP, (VANILLA,), "CM", "The setup: a table of your own, or nobody has a power", _A_TABLE
)


@dataclass(frozen=True, slots=True)
class Line:
    """`count` cards: of one role, or each drawn from several; with `pick` every entry is taken once at most.

    `count` None: as many as players remain. `lovers`: how many of its cards love each other.
    """

    roles: tuple[Role, ...]
    count: int | None = 1
    pick: bool = False
    lovers: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Cards that are dealt together, a row or a column, with how likely it is beside the other groups: so
    many times as one of weight 1."""

    name: str
    roles: tuple[Role, ...]
    weight: int = 1


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter that is drawn so many times as often as one of weight 1. `cards`: what it gives where it came
    never, once, twice and so on."""

    name: str
    weight: int
    cards: tuple[tuple[Role, ...], ...]


@dataclass(frozen=True, slots=True)
class Letters:
    """So many `draws` of letters, as C9++ has them, and what fills up the cards where they give fewer than
    they can."""

    draws: int
    letters: tuple[Letter, ...]
    fill: Role

    @property
    def groups(self) -> tuple[Group, ...]:
        """What can be drawn, named by its letters in their order and weighed by how often it comes; all
        with the same number of cards. What has a letter more often than it gives cards for is drawn again."""
        found = list(self._counted(self.draws, self.letters))
        most = max((len(roles) for _, roles, _ in found), default=0)
        return tuple(
            Group(name, (*roles, *(self.fill,) * (most - len(roles))), weight)
            for name, roles, weight in found
        )

    @property
    def ways(self) -> int:
        """In how many ways the draws can come out, without making any of them."""
        counted = [1, *[0] * self.draws]
        for letter in self.letters:
            more = [0] * (self.draws + 1)
            for before, ways in enumerate(counted):
                for times in range(min(len(letter.cards), self.draws + 1 - before)):
                    more[before + times] += ways
            counted = more
        return counted[-1]

    @property
    def told(self) -> tuple[str, ...]:
        """What is drawn, then what each letter gives, a sentence each."""
        tickets = sum(letter.weight for letter in self.letters)
        odds = ", ".join(f"{letter.name} ({letter.weight} in {tickets})" for letter in self.letters)
        again = any(len(letter.cards) <= self.draws for letter in self.letters)
        rest = f"{self.fill.name} for every card that is left over"
        first = f"{self.draws} letters, each drawn at random: {odds}; {rest}"
        more = "; where more of a letter come than are listed, all are drawn again" if again else ""
        return (f"{first}{more}", *(_given(letter) for letter in self.letters))

    def _counted(
        self, draws: int, letters: tuple[Letter, ...]
    ) -> Iterator[tuple[str, tuple[Role, ...], int]]:
        """Name, cards and weight of what so many draws of these letters can give."""
        if not letters:
            if not draws:
                yield "", (), 1
            return
        first, rest = letters[0], letters[1:]
        for times, cards in enumerate(first.cards[: draws + 1]):
            share = comb(draws, times) * first.weight**times
            for name, roles, weight in self._counted(draws - times, rest):
                yield first.name * times + name, (*cards, *roles), share * weight


def _given(letter: Letter) -> str:
    given = (
        f"{letter.name * times or f'no {letter.name}'}: {', '.join(role.name for role in roles)}"
        for times, roles in enumerate(letter.cards)
        if roles
    )
    return "; ".join(given)


class Tickets(Sequence[str]):
    """What one group is drawn of: so many names for each as its weight says, each as likely as every other.

    None of them is written out: a group is found by the place of its ticket, however many there are.
    """

    __slots__ = ("_ends", "_places", "groups")

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = tuple(groups)
        self._ends = tuple(accumulate(group.weight for group in groups))
        self._places = {group.name: place for place, group in enumerate(groups)}

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[str, ...]: ...

    def __getitem__(self, place: int | slice) -> str | tuple[str, ...]:
        if isinstance(place, slice):
            return tuple(self[one] for one in range(len(self))[place])
        at = range(len(self))[place]
        group = self.groups[bisect_right(self._ends, at)]
        if group.weight == 1:
            return group.name
        return f"{group.name}{_TICKET}{at - self._first(group) + 1}"

    def group(self, ticket: str) -> Group:
        """The group that a ticket stands for. Raises ValueError for what is no ticket of these."""
        name, _, said = ticket.partition(_TICKET)
        group = self.groups[self._places[name]] if name in self._places else None
        if group is None or (group.weight == 1) != (not said):
            raise ValueError(f"{ticket!r} is no ticket")
        if said and not (said.isascii() and said.isdigit() and 1 <= int(said) <= group.weight):
            raise ValueError(f"{ticket!r} is no ticket")
        return group

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        group = self.group(value) if isinstance(value, str) else None
        if group is None:
            raise ValueError(f"{value!r} is no ticket")
        place = self._first(group) + int(str(value).partition(_TICKET)[2] or 1) - 1
        if place not in range(len(self))[start:stop]:
            raise ValueError(f"{value!r} is not among them")
        return place

    def __contains__(self, value: object) -> bool:
        try:
            self.index(value)
        except ValueError:
            return False
        return True

    def _first(self, group: Group) -> int:
        return self._ends[self._places[group.name]] - group.weight


@dataclass(frozen=True, slots=True)
class Setup:
    """What can be dealt. Of `rows`, and with `columns` of the columns too, one is drawn; `weights` are those
    of the rows, none where all are as likely. `given` are the options that it sets; `shown`: the opening post
    tells the players what is in the game. `cards`: what cards of the moderator's own say, by name. `letters`:
    by what the rows come about; None where they are written out."""

    name: str
    lines: tuple[Line, ...]
    rows: tuple[tuple[Role, ...], ...] = ()
    columns: bool = False
    night_first: bool = False
    shown: bool = True
    given: Mapping[str, object] = field(default_factory=dict)
    cards: Mapping[str, str] = field(default_factory=dict)
    weights: tuple[int, ...] = ()
    letters: Letters | None = None

    @property
    def least(self) -> int:
        """Players that it needs."""
        return sum(line.count or 0 for line in self.lines) + (len(self.rows[0]) if self.rows else 0)

    @property
    def teams(self) -> tuple[Alignment, ...]:
        """The sides like the mafia that may be in the game (CM-R69)."""
        tables = (*(line.roles for line in self.lines), *self.rows)
        sides = {role.alignment for table in tables for role in table}
        return tuple(side for side in TEAMS if side in sides)

    @property
    def has_rivals(self) -> bool:
        """Whether two of these sides may be in one game."""
        always = {role.alignment for line in self.lines for role in line.roles} & TEAMS.keys()
        rows = [{role.alignment for role in group.roles} & TEAMS.keys() for group in self.groups]
        return any(len(always | row) > 1 for row in rows or [set[Alignment]()])

    @property
    def filled(self) -> bool:
        """Whether there may be more players."""
        return any(line.count is None for line in self.lines)

    @property
    def groups(self) -> tuple[Group, ...]:
        """What one is drawn of: `row 1`, `column 2`, by letters `TTTTCCD`; nothing where there are no rows.
        Weights have no common divisor."""
        weights = self.weights or (1,) * len(self.rows)
        common = gcd(*weights)
        if self.letters is not None:
            names = [group.name for group in self.letters.groups]
        else:
            names = [f"row {number}" for number in range(1, len(self.rows) + 1)]
        rows = (
            Group(name, row, weight // common)
            for name, row, weight in zip(names, self.rows, weights, strict=True)
        )
        turned = zip(*self.rows, strict=True) if self.columns else ()
        columns = (Group(f"column {number}", column) for number, column in enumerate(turned, start=1))
        return (*rows, *columns)

    @property
    def odds(self) -> Mapping[str, str]:
        """How likely each group is, by its name: “1 in 6”; nothing where all are as likely."""
        groups = self.groups
        if len({group.weight for group in groups}) < 2:
            return {}
        tickets = sum(group.weight for group in groups)
        return {group.name: f"{group.weight} in {tickets}" for group in groups}

    @property
    def tickets(self) -> Tickets:
        """The groups as they are drawn; no tickets where there are no rows."""
        return Tickets(self.groups)


def vanilla(players: int) -> Setup:
    """The setup where none is given: a quarter of the players are mafiosi, nobody has a power."""
    goons, townie = (
        Line((parse_role("Mafia Goon"),), max(1, round(players / 4))),
        parse_role("Vanilla Townie"),
    )
    return Setup("Vanilla", (goons, Line((townie,), None)))
