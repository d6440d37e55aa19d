"""The rulings of Empowered Mafia, what its moderator may answer otherwise, and the numbers of the deal.

A fifth of the players, at least two, are mafiosi, who will choose their roles; as many are Empowerers. The
others draw from a list with each of the eight roles equally often. (Source: Assigning Roles.)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from knightfall.engine.game import BY_NAME, Chosen, Option, choose, defaults, option, ties
from knightfall.errors import InputError
from knightfall.games.empowered.abilities import TOWN_ROLES
from knightfall.mafia.roles import wording

OPTIONS: tuple[Option, ...] = (
    option("EM-R1", "Powers of mafiosi need to be empowered", "never", "always"),
    option("EM-R2", "Murder and one's own ability in the same night", "both", "one_action"),
    option("EM-R3", "An Amplifier powered by an Amplifier", "closure", "snapshot"),
    option("EM-R4", "Choosing oneself as a target", "forbidden", "allowed"),
    option("EM-R5", "An unpowered choice counts as targeting", "counts", "does_not_count"),
    option("EM-R10", "An incarcerated Strongman's Murder", "lands", "cancelled"),
    option("EM-R12", "An unpowered use of Adaptability that was stopped", "kept", "consumed"),
    option("EM-R14", "A Ninja's invisible action on a Serial Bomber", "detonates", "unseen"),
    option("EM-R15", "What one Protection stops in a night", "all_kills", "one_kill"),
    ties("EM-R15", "Which of several kills on a Bomb one Protection stops"),
    option("EM-R17", "A Bomb killed by several players attacks", "all", "one_drawn"),
    option("EM-R20", "Results of an investigator who died that night", "delivered", "withheld"),
    option("EM-R21", "An investigator without power or in jail is told", "nothing", "no_result"),
    option("EM-R22", "The watcher in their own list", "excluded", "listed"),
    option("EM-R23", "A second Murder in one night", "latest", "first"),
    option("EM-R24", "Nobody left alive", "mafia", "draw"),
    option("EM-R25", "One town player left and no mafioso", "town", "nobody"),
    option("EM-R26", "A tied vote hurts the town", "anti_town", "uniform"),
    option("EM-R27", "A phase may end early", "unanimous", "never"),
    option("EM-R28", "A missing vote", "reported", "no_elimination"),
    option(
        "EM-R31",
        "Hours of a day and of a night",
        "72_24",
        "48_24",
        name="phases",
        words=("days of 72 hours, nights of 24", "days of 48 hours, nights of 24"),
    ),
    option("EM-R33", "Even rings of incarcerations", "all_fail", "all_hold", "first_sent", name="ring"),
    option(
        "EM-R33",
        "Who bears on a jailer's power; in games begun before 0.2 everybody on a way of it",
        "makes_a_difference",
        "on_a_way",
    ),
)

EARLIER: Mapping[str, str] = {**BY_NAME, "em_r33": "on_a_way"}
"""What held before a ruling changed."""

WORDING = wording("EM-R30")
_CHOICES = (*OPTIONS, WORDING)

Rules = Chosen
DEFAULT_RULES: Rules = defaults(_CHOICES)


def parse_options(given: Mapping[str, object]) -> Rules:
    """Read the options of a game file. Raises InputError with the choices."""
    return choose("Empowered Mafia", _CHOICES, given)


RULINGS: Mapping[str, str] = {
    "EM-R1": "Kidnapper, Strongman and Ninja work without power: what their cards say goes first.",
    "EM-R2": "A mafioso may carry the Murder and use their own ability on the same night.",
    "EM-R3": "An Amplifier passes power on through any number of Amplifiers; none powers themselves.",
    "EM-R4": "Nobody targets themselves, and an Amplifier names two different players.",
    "EM-R5": "A choice without power has no effect, and is a targeting all the same.",
    "EM-R6": "A prisoner's actions are cancelled: they target nobody and set off no explosion.",
    "EM-R7": "A prisoner cannot be killed; checking, watching or empowering them works.",
    "EM-R8": "Detonation works in jail too, against the jailer as well.",
    "EM-R9": "Nothing prevents an Obliteration, neither protection nor a jail around the victim.",
    "EM-R10": "A Strongman's Murder lands even from jail, and can be seen.",
    "EM-R11": "A Ninja in jail does not obliterate: Adaptability is an action of their own.",
    "EM-R12": "A Ninja without power who uses Adaptability has lost it, unless the use was stopped.",
    "EM-R13": "Adaptability serves once a night: an Obliteration or an Incarceration.",
    "EM-R14": "An invisible action is hidden from Trackers and Watchers, not from Detonation.",
    "EM-R15": "One Protection stops every kill of the night but an Obliteration.",
    "EM-R16": "A powered Serial Bomber kills everyone who targets them, friend or foe.",
    "EM-R17": "A powered Bomb attacks everyone who killed them.",
    "EM-R18": "A Bomb killed by an explosion attacks back as well.",
    "EM-R19": "All kills come at once at the end of the night, then those of the killed Bombs.",
    "EM-R20": "An investigator who died that night still gets their result.",
    "EM-R21": "Without power, or in jail, an investigator is told nothing; nobody is told of power.",
    "EM-R22": "A Watcher does not see themselves.",
    "EM-R23": "One Murder a night: the faction's latest valid line; its carrier's own line names the target.",
    "EM-R24": "The mafia wins when the town does not outnumber it; asked first, even if nobody is left.",
    "EM-R25": "The town wins when at most one mafioso is left and the mafia does not win.",
    "EM-R26": "A tied vote hurts the town most: no elimination, else a power role, else a mafioso, by lot.",
    "EM-R27": "A phase ends early only when every living player has chosen and all agree.",
    "EM-R28": "The town eliminates one player or nobody; missing votes are reported, never invented.",
    "EM-R29": "Each mafioso chooses their role before Day 1; if one does not, the moderator asks.",
    "EM-R30": "Once all have chosen, the mafia is told how many of each role there are.",
    "EM-R31": "Days of 72 hours, nights of 24; powers work at night only, so no eliminated Bomb explodes.",
    "EM-R32": "A powered Tracker or Watcher who sees nothing is told “nobody”.",
    "EM-R33": "An incarceration that undoes the power it needs, alone or in a ring with others, fails, and "
    "its owner targeted nobody with it; one that makes no difference to that power holds.",
}


PLAYERS = range(5, 61)


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many of each kind, which is no secret. `copies` of each of the eight roles are on the
    shuffled list, which holds `cards` in all."""

    players: int
    mafia: int
    empowerers: int
    others: int
    copies: int
    cards: int

    @property
    def crowded(self) -> bool:
        """A third of the players or more are mafiosi: so with five and with six."""
        return self.mafia * 3 >= self.players


def numbers(players: int) -> Numbers:
    """Raises InputError where nobody would be left for the other roles, or the table is too large."""
    if players not in PLAYERS:
        expected = f"{PLAYERS[0]} to {PLAYERS[-1]} players"
        raise InputError(f"Empowered Mafia is for {expected}; the list has {players}.")
    mafia = max(2, players // 5)
    others = players - 2 * mafia
    copies = max(2, others // len(TOWN_ROLES) + 1)
    return Numbers(players, mafia, mafia, others, copies, copies * len(TOWN_ROLES))
