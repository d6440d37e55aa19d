"""The rulings of King's Court, and the questions that its moderator may answer otherwise.

The balances of the season are an option, too: `garnets`, one number for all or a mapping of names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from knightfall.engine.game import Chosen, Option, choose, defaults
from knightfall.engine.rng import Rng
from knightfall.errors import InputError
from knightfall.sentence import SlotId

GARNETS, FIRST_DEADLINE, SEEDS = "garnets", "first_deadline", "seeds"
_BALANCE = r"\d{1,6}|\{.*\}"
_HOURS = r"[1-9]|[1-6]\d|7[0-2]"


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of the rules: sizes of the teams, prices and fines in garnets, what a match pays, the hours
    that no option changes.

    `enough`: with fewer others in the court a King is early (KC-21); `attempts` deals there are at most
    (KC-23). `looks` has the King (KC-03). `hints`: after which members a name goes out (KC-18). A winner gets
    `team_tokens` and `team_garnets` (KC-28), a winning King `king_tokens` and, for each `king_garnet_for`
    others in the court, a garnet (KC-29). `bonuses` are what the first ones to join score (KC-32).
    """

    players: int = 11
    dukes: int = 5
    nobles: int = 5
    attempts: int = 4
    enough: int = 3
    looks: int = 2
    hints: tuple[int, ...] = (2, 4, 6)
    peek: int = 8
    annoyed: int = 3
    vote_fine: int = 1
    early_fine: int = 2
    team_tokens: int = 1
    team_garnets: int = 2
    king_tokens: int = 3
    king_garnet_for: int = 2
    bonuses: tuple[int, ...] = (5, 4, 3, 2, 1)
    tie_hours: int = 12
    end_hours: int = 24


FIGURES = Figures()


OPTIONS: tuple[Option, ...] = (
    Option(
        GARNETS,
        ("0",),
        "KC-01",
        "How many garnets each player brings from the season",
        _BALANCE,
        "a whole number for everybody, or in game.toml a table: garnets = { Ada = 5, Boro = 3 }",
        private=True,
    ),
    Option("kc_02", ("24",), "KC-02", "How many hours a round is open, 1 to 72", _HOURS, words=("24 hours",)),
    Option(
        FIRST_DEADLINE,
        ("unset", "from_start"),
        "KC-02",
        "The deadline of round 1; matches begun before 0.2 had none, new ones have it",
    ),
    Option("public_ballots", ("reject", "accept"), "KC-04", "A vote posted in the thread"),
    Option("missing_votes", ("count", "names"), "KC-06", "What the result says about missing votes"),
    Option("garnet_floor", ("0", "none"), "KC-06", "How low a balance can drop"),
    Option("zero_votes", ("king_decides", "revote", "no_election"), "KC-09", "Nobody voted"),
    Option("kc_10", ("random", "longest_listed", "revote"), "KC-10", "The King sends no list for a tie"),
    Option("tie_publish", ("fixed", "at_once"), "KC-11", "When the result of a tie is posted"),
    Option("check_delivery", ("next_deadline", "immediate"), "KC-14", "When a pair check is answered"),
    Option(
        "annoyed_scope",
        ("no", "looks", "peeks", "lists"),
        "KC-16",
        "Where else the annoyed count as the other team",
    ),
    Option(
        SEEDS,
        ("one", "each_attempt"),
        "KC-23",
        "The seeds of a match; those begun before 0.2 had one, new ones have one for each attempt",
    ),
    Option("king_in_pair", ("different", "random", "no_result", "refuse"), "KC-17", "The King in a pair"),
    Option("hint_lists", ("per_player", "shared", "king_excluded"), "KC-19", "Who gets which three names"),
    Option("kc_26", ("at_once", "at_deadline"), "KC-26", "When purchases are answered"),
    Option(
        "king_cover", ("sticky", "per_peeker", "per_peek"), "KC-27", "The role that a King shows to a peek"
    ),
    Option("kc_30", ("random", "lost"), "KC-30", "A winning King gives no tokens"),
    Option("opal_solo_win", ("false", "true"), "KC-31", "An Opal for a winning King"),
    Option(
        "tol_holders_can_be_ec",
        ("false", "true"),
        "KC-33",
        "Whether a token from the King keeps a player from being EC",
    ),
    Option(
        "ec_majority", ("team", "ballots", "plurality"), "KC-34", "What decides the winners' vote for the EC"
    ),
    Option("kc_35", ("seeded", "external"), "KC-35", "The deadlock coin"),
    Option("kc_38", ("counter_only", "season_effect"), "KC-38", "What a Mark of Elimination (MoE) does"),
    Option("kc_39", ("stays_electable", "role_revealed"), "KC-39", "A player removed by the moderator"),
)
DEFAULTS = defaults(OPTIONS)
BEGUN_WITH: Mapping[str, str] = {FIRST_DEADLINE: "from_start", SEEDS: "each_attempt"}
"""What a match that begins now has, where its file does not say otherwise."""


def source(rules: Chosen, draw: Rng, *path: object) -> Rng:
    """Chance of a part of the match: with a seed of its own, or by the one seed of an older match."""
    return draw.apart(*path) if rules[SEEDS] == "each_attempt" else draw.at(*path)


def parse_options(given: Mapping[str, object]) -> Chosen:
    """Read the options of a game file. Raises InputError with the choices."""
    return choose("King's Court", OPTIONS, given) if given else DEFAULTS


def parse_garnets(given: Mapping[str, object], slots: Sequence[SlotId]) -> dict[SlotId, int]:
    """KC-01: balances come from the season, 0 where it says nothing. Raises InputError for what is none."""
    value = given.get(GARNETS, 0)
    if isinstance(value, str) and value.isdecimal():  # as a command line and some game files write it
        value = int(value)
    said = value if isinstance(value, Mapping) else dict.fromkeys(slots, value)
    if strangers := sorted(str(name) for name in said if name not in slots):
        raise InputError(f"garnets: nobody here is called {', '.join(strangers)}.")
    return {slot: _balance(slot, said.get(slot, 0)) for slot in slots}


def _balance(slot: SlotId, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(f"garnets of {slot} = {value!r}: expected a whole number, 0 or more.")
    return value


RULINGS: Mapping[str, str] = {
    "KC-01": "Roles, the annoyed Duke and Noble, then the lists are drawn; each is told their role only.",
    "KC-02": "A vote is open 24 hours, a tie 12, each end phase 24; tokens and DMO are final at once.",
    "KC-03": "The King may look at two roles in all until the first member is elected.",
    "KC-04": "Players outside the court vote by PM for other players outside the court.",
    "KC-05": "A new vote replaces the old one, UNVOTE takes it back, a refused one changes nothing.",
    "KC-06": "A player without a vote at the deadline loses 1 garnet; balances stop at 0.",
    "KC-07": "Most votes joins; counts above zero, the name and King or not are posted, never the voters.",
    "KC-08": "The King breaks ties in secret, never for the King; tied with one other, the other joins.",
    "KC-09": "If nobody voted, all are tied on 0 and the King picks.",
    "KC-10": "Without a list from the King, one of the tied is drawn, but never the King.",
    "KC-11": "On a tie nothing is posted until the tie window has run its full length, even if settled.",
    "KC-12": "At a deadline: pair answer, fines, count, election or tie, post, names, next round.",
    "KC-13": "A new member who is not the King may check two others, and change it until it is answered.",
    "KC-14": "A pair check is answered at the next vote deadline; one not sent by then is lost.",
    "KC-15": "Same if the claimed roles are equal: an annoyed Duke counts as Noble, and the reverse.",
    "KC-16": "The lie about the annoyed touches pair checks only.",
    "KC-17": "The King in a pair: always different.",
    "KC-18": "After the 2nd, 4th and 6th member everyone is sent the next name of their list.",
    "KC-19": "Each list: a Noble and a Duke other than its reader, a third out of everybody else.",
    "KC-20": "When only the King is left outside, the King joins at once.",
    "KC-21": "A King elected with fewer than 3 others in the court is early.",
    "KC-22": "An early King gets 1 MoE and loses 2 garnets.",
    "KC-23": "After an early King all is dealt again with another King; the fourth ends in the Deathmatch.",
    "KC-24": "The team with more members in the court wins; every role is shown, ballots and checks are not.",
    "KC-25": "As many Dukes as Nobles in the court: the King wins.",
    "KC-26": "A peek costs 8 garnets, asking whether you are annoyed 3; both are answered at once.",
    "KC-27": "A peek at the King shows a random Duke or Noble, drawn once per attempt.",
    "KC-28": "Each member of the winning team gets 1 Token of Life and 2 garnets.",
    "KC-29": "A winning King gets 3 tokens and a garnet for every two others in the court.",
    "KC-30": "A winning King gives one token to a Duke and one to a Noble; without a word, at random.",
    "KC-31": "The only winner outside the court gets an Opal.",
    "KC-32": "Lowest of votes in the final attempt plus 5, 4, 3, 2, 1 for the first five elected is EC.",
    "KC-33": "A player who got a token from the King cannot be EC.",
    "KC-34": "Of several lowest the winners choose: the King alone, or more than half of the team.",
    "KC-35": "No choice: fewest garnets of all tied, then the deadlock coin.",
    "KC-36": "The EC picks an opponent without a token; the losing King can be picked.",
    "KC-37": "Garnets may be given, told to both sides only; not from the King joining until the DMO.",
    "KC-38": "An MoE is only counted.",
    "KC-39": "A replacement inherits everything; a removed player can still be elected and is fined.",
    "KC-40": "What was bought before a deadline is answered even if the King is elected at it.",
}
