"""The rule of an election: what eliminates whom, what a deadline does, and its words for players.

`Rule` holds the moderator's choices and what follows from them; `rule_sentences` tells them to players.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from knightfall.markup.dialects.moments import zone_name
from knightfall.models import Slot
from knightfall.names import squash
from knightfall.votes.ballots import Form, Forms


class Death(Enum):
    """What eliminates: a majority at once, the most votes at the deadline, or either."""

    MAJORITY = "majority"
    PLURALITY = "plurality"
    BOTH = "both"


class Tie(Enum):
    """What becomes of a tie at the deadline."""

    NO_ELIMINATION = "no_elimination"
    RANDOM = "random"
    FIRST_TO_REACH = "first_to_reach"
    LONGEST_HELD = "longest_held"
    ANTI_TOWN = "anti_town"  # EM-R26
    ALL = "all"
    ASK = "ask"


class AtDeadline(Enum):
    """What becomes of a day that a majority decides, where nobody has the votes needed at its deadline."""

    NOBODY = "nobody"
    MOST = "most"
    ASK = "ask"


class NeededAtDeadline(Enum):
    """With how many votes the leader falls at the deadline, where no majority was reached before."""

    MAJORITY = "nobody"  # no fewer than before; files call it so
    HALF_ROUNDED_UP = "half_rounded_up"  # half of the majority, rounded up
    OF_VOTES_CAST = "of_votes_cast"  # more than half of the votes that stand


class DoubleVoter(Enum):
    """What a weight of two means: every vote counts twice, two votes on two targets, or “x2” spends both."""

    WEIGHT = "weight"
    TWO_TARGETS = "two_targets"
    X2 = "x2"


class NoElim(Enum):
    """Whether no elimination can be voted, and for how many votes."""

    VOTABLE = "votable"
    ONE_FEWER = "one_fewer"
    NO = "no"


class Boundary(Enum):
    """Which is the last instant that counts, for a deadline of 20:00:00."""

    BEFORE = "before"  # 19:59:59
    SECOND = "second"  # 20:00:00
    MINUTE = "minute"  # 20:00:59
    UNTIL_LOCK = "until_lock"  # whatever stands before the moderator locks


class Edited(Enum):
    """What becomes of a vote in an edited post."""

    FLAG = "flag"
    VOID = "void"
    ACCEPT = "accept"


DEFAULT_FORMS = Forms(frozenset({Form.TAG, Form.BOLD_COLON, Form.BOLD}))


@dataclass(frozen=True, slots=True)
class Rule:
    """The voting rule of a game; every field has the default of a game file.

    `fixed_needed` takes the place of the majority; `minimum_votes` is what a leader needs at the deadline
    whatever else holds; `eliminations` is how many a day may have; `max_changes` limits how often a voter may
    move a standing vote in a day; on the days `locked_at` a vote once given stays. `needed_at_end` is what is
    needed at the deadline, `at_deadline` what happens where nobody has that. `unanimous`: a day that no
    majority ends may end before its deadline once all the living vote for the same; the game says so, no key
    of the file. `threshold` False: a majority decides, and nobody can tell how many votes that is, so there
    is no hammer; a count without a game file says so, no key of the file.
    """

    death: Death = Death.MAJORITY
    majority_from_day: int = 1
    needed_at_end: NeededAtDeadline = NeededAtDeadline.MAJORITY
    at_deadline: AtDeadline = AtDeadline.ASK
    minimum_votes: int = 1
    no_elimination: NoElim = NoElim.VOTABLE
    tie: Tie = Tie.NO_ELIMINATION
    boundary: Boundary = Boundary.BEFORE
    unvote_first: bool = False
    self_vote: bool = True
    votes_per_player: int = 1
    double_voter: DoubleVoter = DoubleVoter.WEIGHT
    max_changes: int | None = None
    locked_at: frozenset[int] = frozenset()
    edited: Edited = Edited.FLAG
    show_weights: bool = False
    fixed_needed: int | None = None
    eliminations: int = 1
    forms: Forms = field(default=DEFAULT_FORMS)
    unanimous: bool = False
    threshold: bool = True

    def majority(self, alive: int) -> int:
        """Votes that eliminate an ordinary player with so many alive."""
        return self.fixed_needed or alive // 2 + 1

    def needed(self, alive: int, target: Slot | None) -> int:
        """Votes that eliminate `target` (None: no elimination) with so many alive."""
        if target is not None:
            return self.majority(alive) + target.needed_delta
        return (alive + 1) // 2 if self.no_elimination is NoElim.ONE_FEWER else self.majority(alive)

    def by_majority(self, day: int) -> bool:
        """True on days that a majority decides."""
        return self.death is not Death.PLURALITY and day >= self.majority_from_day

    def hammers(self, day: int) -> bool:
        """True on days that end at once when a wagon is full."""
        return self.threshold and self.by_majority(day)

    def needed_at_deadline(self, alive: int, cast: int, day: int) -> int | None:
        """Votes with which the leader falls at the deadline of a day; None: nobody falls.

        `cast` counts the votes that stand. Days before `majority_from_day` are decided by plurality.
        """
        if self.unreached(day) is AtDeadline.MOST:
            return self.minimum_votes
        if self.needed_at_end is NeededAtDeadline.HALF_ROUNDED_UP:
            return max(self.minimum_votes, -(-self.majority(alive) // 2)) if self.threshold else None
        if self.needed_at_end is NeededAtDeadline.OF_VOTES_CAST:
            return max(self.minimum_votes, cast // 2 + 1)
        return None if self.by_majority_alone(day) else self.minimum_votes

    def by_majority_alone(self, day: int) -> bool:
        """True on days that a majority decides, and not the most votes at the deadline."""
        return self.death is Death.MAJORITY and self.by_majority(day)

    def majority_or_nobody(self, day: int) -> bool:
        """True on days at whose deadline nobody falls who has no majority."""
        alone = self.needed_at_end is NeededAtDeadline.MAJORITY and self.by_majority_alone(day)
        return alone and self.at_deadline is AtDeadline.NOBODY

    def unreached(self, day: int) -> AtDeadline:
        """What happens at the deadline of a day where nobody has the votes needed by then. Where the most
        votes decide, that is who has fewer than `minimum_votes`, and they never fall."""
        return self.at_deadline if self.by_majority_alone(day) else AtDeadline.NOBODY

    def capacity(self, voter: Slot) -> int:
        """How many votes of theirs may stand at once."""
        both = self.double_voter is not DoubleVoter.WEIGHT
        return self.votes_per_player * (max(voter.weight, 1) if both else 1)

    def weight(self, voter: Slot, spends_all: bool) -> int:
        """What one vote of theirs counts; `spends_all` where they wrote “x2”."""
        if self.double_voter is DoubleVoter.WEIGHT:
            return voter.weight
        return voter.weight if spends_all and self.double_voter is DoubleVoter.X2 else min(voter.weight, 1)

    def in_time(self, posted: datetime | None, deadline: datetime | None) -> bool:
        """Whether a post of that instant still counts; one without a time is in time."""
        if posted is None or deadline is None or self.boundary is Boundary.UNTIL_LOCK:
            return True
        return posted < self.closes(deadline)

    def closes(self, deadline: datetime) -> datetime:
        """The first instant that is too late; the deadline itself where only a lock ends the day."""
        grace = {Boundary.SECOND: timedelta(seconds=1), Boundary.MINUTE: timedelta(minutes=1)}
        return deadline + grace.get(self.boundary, timedelta(0))


FORMS: Mapping[Form, str] = MappingProxyType(
    {
        Form.TAG: "the site's vote tag, if it has one",
        Form.RAW_TAG: "[vote]name[/vote]",
        Form.BOLD_COLON: "“Vote: name” in bold",
        Form.BOLD: "“vote name” in bold",
        Form.HASHES: "“##vote name”",
        Form.BANG: "“!vote name”",
        Form.HEADING: "“vote name” as a heading",
        Form.OWN_LINE: "“vote: name” on a line of its own",
        Form.RED: "“vote: name” in red",
    }
)
TIES: Mapping[Tie, str] = MappingProxyType(
    {
        Tie.NO_ELIMINATION: "If there is a tie, nobody is eliminated.",
        Tie.RANDOM: "If there is a tie, one of the tied is drawn at random.",
        Tie.FIRST_TO_REACH: "If there is a tie, the player who reached that many votes first is eliminated.",
        Tie.LONGEST_HELD: "If there is a tie, the player who has had that many votes the longest without a "
        "break is eliminated.",
        Tie.ANTI_TOWN: "Ties go against the town. If {} is tied for the most votes, nobody is eliminated. "
        "If not, one of the tied town players is drawn by lot, those with a power role before those "
        "without; if no town player is tied, one of the others.",
        Tie.ALL: "If there is a tie, all tied players are eliminated.",
        Tie.ASK: "If there is a tie, I decide.",
    }
)
"""What becomes of a tie; {} is the house's name of no elimination."""
_TIES_BEFORE: Mapping[Tie, tuple[str, ...]] = MappingProxyType(
    {Tie.RANDOM: ("A tie is broken at random, by the game's seed.",)}
)
"""As older posts say it."""
BOUNDARIES: Mapping[Boundary, str] = MappingProxyType(
    {
        Boundary.BEFORE: "Votes must be posted before the deadline. A vote posted at the exact second of the "
        "deadline is too late.",
        Boundary.SECOND: "Votes must be posted by the deadline. A vote posted at the exact second of the "
        "deadline still counts.",
        Boundary.MINUTE: "Votes must be posted by the deadline. A vote posted in the same minute as the "
        "deadline still counts.",
        Boundary.UNTIL_LOCK: "Votes count until I lock the thread.",
    }
)


def boundary_sentence(rule: Rule, deadline: datetime | None, zone: tzinfo) -> str:
    """Until when votes count, to the second of that deadline by the clocks of `zone` (None: by none)."""
    if deadline is None or rule.boundary is Boundary.UNTIL_LOCK:
        return BOUNDARIES[rule.boundary]
    last = (rule.closes(deadline) - timedelta(seconds=1)).astimezone(zone)
    return f"Votes must be posted by {last:%H:%M:%S} {zone_name(last)}."


_FOR_NOBODY: Mapping[Form, str] = MappingProxyType(
    {
        Form.TAG: "",
        Form.RAW_TAG: "[vote]{}[/vote]",
        Form.BOLD_COLON: "“Vote: {}” in bold",
        Form.BOLD: "“vote {}” in bold",
        Form.HASHES: "“##vote {}”",
        Form.BANG: "“!vote {}”",
        Form.HEADING: "“vote {}” as a heading",
        Form.OWN_LINE: "“vote: {}” on a line of its own",
        Form.RED: "“vote: {}” in red",
    }
)
EDITS: Mapping[Edited, str] = MappingProxyType(
    {
        Edited.FLAG: "Do not edit posts that contain votes. I check each one that was edited.",
        Edited.VOID: "A vote in an edited post does not count.",
        Edited.ACCEPT: "A vote in an edited post counts as it reads after the edit.",
    }
)


_UNVOTE: Mapping[Form, str] = MappingProxyType(
    {
        Form.BOLD_COLON: "“Unvote” in bold",
        Form.BOLD: "“unvote” in bold",
        Form.HASHES: "“##unvote”",
        Form.BANG: "“!unvote”",
        Form.HEADING: "“unvote” as a heading",
        Form.OWN_LINE: "“unvote” on a line of its own",
        Form.RED: "“unvote” in red",
    }
)


def _change_sentence(rule: Rule) -> str:
    """That a vote can be changed and taken back, where no limit of the house speaks of that."""
    if rule.max_changes is not None or rule.votes_per_player > 1 or rule.unvote_first:
        latest = ""
    else:
        latest = "You can change your vote until then; your latest vote counts. "
    back = next((words for form, words in _UNVOTE.items() if form in rule.forms.accepted), "")
    return f"{latest}To take your vote back, write {back}." if back else latest.strip()


def _limit_sentences(rule: Rule) -> list[str]:
    """What a voter may not do, and what somebody with several votes may."""
    limits: list[str] = []
    if rule.votes_per_player > 1:
        limits.append(f"Each player has {rule.votes_per_player} votes.")
    if rule.double_voter is DoubleVoter.X2:
        limits.append("A player with two votes can put both on one player by writing “x2”.")
    if not rule.self_vote:
        limits.append("You cannot vote for yourself.")
    if rule.unvote_first:
        limits.append("You must unvote before you vote for someone else.")
    if rule.max_changes is not None:
        times = {0: "cannot change your vote", 1: "can change your vote once a day"}
        limits.append(
            f"You {times.get(rule.max_changes, f'can change your vote {rule.max_changes} times a day')}."
        )
    if rule.locked_at:
        limits.append(f"On day {', '.join(map(str, sorted(rule.locked_at)))}, you cannot change your vote.")
    return limits


_Wordings: TypeAlias = tuple[str, ...]
"""A sentence as it is told now, then pieces of posts that told the same in earlier words."""


def _deadline_sentences(rule: Rule, nobody: str, since: str) -> list[_Wordings]:
    """What the deadline of a day does; `since` begins what holds from a later day on."""
    told: list[_Wordings] = []
    unreached, fewer = rule.unreached(rule.majority_from_day), rule.needed_at_end
    lower = fewer is not NeededAtDeadline.MAJORITY and unreached is not AtDeadline.MOST
    if lower:
        none = " If nobody has so many, nobody is eliminated." if unreached is AtDeadline.NOBODY else ""
        if fewer is NeededAtDeadline.HALF_ROUNDED_UP:
            enough = "At the deadline, half of the votes that it takes before (rounded up) are enough."
            told.append((enough + none, "At the deadline, half of that number (rounded up) is enough."))
        else:
            enough = "At the deadline, more than half of the votes cast is enough."
            told.append((enough + none, enough))
    elif rule.death is not Death.MAJORITY or unreached is AtDeadline.MOST:
        told.append(("The player with the most votes at the deadline is eliminated.",))
    elif rule.majority_from_day > 1:
        before = rule.majority_from_day - 1
        days = "On day 1" if before == 1 else f"On days 1 to {before}"
        told.append((f"{days}, the player with the most votes at the deadline is eliminated.",))
    if rule.eliminations > 1:
        told.append(
            (
                f"A day can have {rule.eliminations} eliminations. After one by majority the day goes on: "
                "votes for and by that player are gone, all others stand, and fewer living players need "
                "fewer votes.",
            )
        )
    if rule.minimum_votes > 1:
        told.append((f"Nobody is eliminated with fewer than {rule.minimum_votes} votes.",))
    if lower or rule.needed_at_deadline(2, 0, 1) is not None:
        told.append((TIES[rule.tie].format(nobody), *_TIES_BEFORE.get(rule.tie, ())))
    missed = lower or rule.needed_at_deadline(2, 0, rule.majority_from_day) is None
    if missed and (unreached is AtDeadline.ASK or not lower):
        who = f"{since}if nobody" if since else "If nobody"
        decides, because = "nobody is eliminated.", ""
        if unreached is AtDeadline.ASK:
            decides = (
                "I decide: either nobody is eliminated, or the player with the most votes. If there is a tie "
                "for the most votes, I may choose any of the tied players."
            )
            because = " I write down why."
        known = f"{who} has enough votes at the deadline, {decides}"
        several = f"{who} has been eliminated by the deadline, {decides}"
        told.append(((several if rule.eliminations > 1 else known) + because, known))
    alone = missed and not lower and unreached is AtDeadline.NOBODY and not since
    if rule.no_elimination is not NoElim.NO and not alone:
        told.append(
            (
                f"If {nobody} has more votes than any player at the deadline, nobody is eliminated.",
                f"You can vote {nobody}{_as_written(rule, nobody)}.",
            )
        )
    return told


def _told(rule: Rule, nobody: str) -> list[_Wordings]:
    """The rule sentence by sentence."""
    told: list[_Wordings] = [(forms_sentence(rule),)]
    written = _as_written(rule, nobody)
    votable = f"You can vote {nobody}{written}."
    if rule.no_elimination is NoElim.NO:
        told.append((f"You cannot vote {nobody}.",))
    else:
        told.append((f"If you want nobody to be eliminated, vote {nobody}{written}.", votable))
    told.append((BOUNDARIES[rule.boundary],))
    if change := _change_sentence(rule):
        told.append((change, votable, f"You cannot vote {nobody}."))

    # What eliminates at once.
    since = f"From day {rule.majority_from_day} on, " if rule.majority_from_day > 1 else ""
    if rule.death is not Death.PLURALITY:
        who = f"{since}a player" if since else "A player"
        goal = (
            f"{rule.fixed_needed} votes"
            if rule.fixed_needed
            else "votes from more than half of the living players"
        )
        ends = "" if rule.eliminations > 1 else ", and the day ends"
        once = f"{who} with {goal} is eliminated at once"
        told.append((f"{once}{ends}. Later votes do not count.", f"{once}. Later votes do not count."))
        if rule.no_elimination is NoElim.ONE_FEWER:
            half = "votes from half of the living players"
            told.append(
                (f"{nobody} ends the day at once, too, with {half}.", "V" + half[1:] + " are enough.")
            )
        elif rule.no_elimination is NoElim.VOTABLE:
            told.append((f"{nobody} with as many votes ends the day at once, too.", votable))

    told += _deadline_sentences(rule, nobody, since)
    if rule.unanimous:
        told.append(
            (
                "The day can end before its deadline once every living player, the one voted for included, "
                f"votes for the same player, or everybody for {nobody}.",
                "The day can end early once all living players vote for the same player, or all for "
                f"{nobody}.",
            )
        )
    told += [(limit,) for limit in _limit_sentences(rule)]
    return [*told, (EDITS[rule.edited],)]


def rule_sentences(rule: Rule, nobody: str = "No Elimination") -> tuple[str, ...]:
    """The rule in sentences, as the day is closed by it; `nobody` is the house's name of no elimination."""
    return tuple(now for now, *_ in _told(rule, nobody))


def sentences_not_in(post: str, rule: Rule, nobody: str = "No Elimination") -> tuple[str, ...]:
    """The sentences of the rule that a post does not tell, neither in today's words nor in earlier ones."""
    text = squash(post)
    return tuple(
        now
        for now, *before in _told(rule, nobody)
        if not any(squash(wording) in text for wording in (now, *before))
    )


def needed_table(rule: Rule, most: int) -> tuple[tuple[int, int, int | None], ...]:
    """(alive, votes needed, votes needed for nobody or None), from `most` alive down to 2."""
    votable = rule.no_elimination is not NoElim.NO
    return tuple(
        (alive, rule.majority(alive), rule.needed(alive, None) if votable else None)
        for alive in range(most, 1, -1)
    )


def _as_written(rule: Rule, nobody: str) -> str:
    """How a vote for nobody is written, to stand behind “You can vote No Elimination”; "" where that hangs on
    the house's own form."""
    accepted = [_FOR_NOBODY[form].format(nobody) for form in FORMS if form in rule.forms.accepted]
    named = [form for form in accepted if form]
    return f": write {named[0]}" if named else ""


def forms_sentence(rule: Rule) -> str:
    """How a vote is written in this house."""
    accepted = [words for form, words in FORMS.items() if form in rule.forms.accepted]
    own = [f"“{word}: name”" for word in rule.forms.words]
    house = ["this game's own form"] if rule.forms.house else []
    *most, last = (*accepted, *own, *house)
    ways = f"{', '.join(most)} or {last}" if most else last
    return f"To vote, use {ways}. Votes in quotes or spoilers do not count."
