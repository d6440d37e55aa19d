"""The rule of an election: what eliminates whom, what a deadline does, and its words for players.

`Rule` holds the moderator's choices and what follows from them; `rule_sentences` tells them to players, and
`rule_told` reads that back.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, tzinfo
from enum import Enum
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from knightfall.markup.dialects.moments import zone_name
from knightfall.models import Slot
from knightfall.names import squash
from knightfall.reading.share import MORE_THAN_HALF, Share
from knightfall.votes.ballots import FORM_OF, WHERE, Form, Forms, parse_forms


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

    `share` is the part of the living that eliminates, `fixed_needed` takes the place of that, on single days
    `fixed_on`: (day, votes);
    `minimum_votes` is what a leader needs at the deadline whatever else holds; `eliminations` is how many a
    day may have; `max_changes` limits how often a voter may move a standing vote in a day; on the days
    `locked_at` a vote once given stays. `needed_at_end` is what is needed at the deadline, `at_deadline`
    what happens where nobody has that. `unanimous`: a day that no majority ends may end before its deadline
    once all the living vote for the same; the game says so, no key of the file. `threshold` False: a
    majority decides, and nobody can tell how many votes that is, so there is no hammer; a count without a
    game file says so, no key of the file.
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
    fixed_on: tuple[tuple[int, int], ...] = ()
    share: Share = MORE_THAN_HALF
    eliminations: int = 1
    forms: Forms = field(default=DEFAULT_FORMS)
    unanimous: bool = False
    threshold: bool = True

    def on_day(self, day: int) -> Rule:
        """The rule of one day."""
        fixed = dict(self.fixed_on).get(day)
        return self if fixed is None else replace(self, fixed_needed=fixed)

    def majority(self, alive: int) -> int:
        """Votes that eliminate an ordinary player with so many alive."""
        return self.fixed_needed or self.share.votes(alive)

    def needed(self, alive: int, target: Slot | None, post: int = 0) -> int:
        """Votes that eliminate `target` (None: no elimination) with so many alive, as of that post."""
        if target is not None:
            return self.majority(alive) + target.mark_at(post).needed_delta
        fewer = self.no_elimination is NoElim.ONE_FEWER
        if self.share == Share() and not self.fixed_needed:
            return (alive + 1) // 2 if fewer else self.majority(alive)
        return self.majority(alive) - fewer

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

    def capacity(self, voter: Slot, post: int) -> int:
        """How many votes of theirs may stand at once, as of that post."""
        both = self.double_voter is not DoubleVoter.WEIGHT
        return self.votes_per_player * (max(voter.mark_at(post).weight, 1) if both else 1)

    def weight(self, voter: Slot, spends_all: bool, post: int) -> int:
        """What one vote of theirs in that post counts; `spends_all` where they wrote “x2”."""
        whole = voter.mark_at(post).weight
        if self.double_voter is DoubleVoter.WEIGHT:
            return whole
        return whole if spends_all and self.double_voter is DoubleVoter.X2 else min(whole, 1)

    def in_time(self, posted: datetime | None, deadline: datetime | None) -> bool:
        """Whether a post of that instant still counts; one without a time is in time."""
        if posted is None or deadline is None or self.boundary is Boundary.UNTIL_LOCK:
            return True
        return posted < self.closes(deadline)

    def closes(self, deadline: datetime) -> datetime:
        """The first instant that is too late; the deadline itself where only a lock ends the day."""
        grace = {Boundary.SECOND: timedelta(seconds=1), Boundary.MINUTE: timedelta(minutes=1)}
        return deadline + grace.get(self.boundary, timedelta(0))


_USUAL_WORD = {
    mark: form for mark, form in FORM_OF.items() if form not in (Form.BOLD, Form.RED, Form.OWN_LINE)
}
FORMS: Mapping[Form, str] = MappingProxyType(
    {
        Form.TAG: "the site's vote tag, if it has one",
        Form.RAW_TAG: "[vote]name[/vote]",
        Form.BOLD_COLON: "“Vote: name” in bold",
        Form.BOLD: "“vote name” in bold",
        Form.HASHES: "“##vote name”",
        Form.BANG: "“!vote name”",
        Form.OWN_LINE: "“vote: name” on a line of its own",
        Form.RED: "“vote: name” in red",
        **{form: f"“vote name” {WHERE[mark]}" for mark, form in _USUAL_WORD.items()},
        Form.SPOKEN: "a sentence that says for whom you vote",
    }
)
TIES: Mapping[Tie, str] = MappingProxyType(
    {
        Tie.NO_ELIMINATION: "If there is a tie, nobody is eliminated.",
        Tie.RANDOM: "If there is a tie, one of the tied is drawn at random.",
        Tie.FIRST_TO_REACH: "If there is a tie, the player who reached that many votes first is eliminated.",
        Tie.LONGEST_HELD: "If there is a tie, the player who has had that many votes the longest without a "
        "break is eliminated.",
        Tie.ANTI_TOWN: "Ties go against the town. If {nobody} is tied for the most votes, nobody is "
        "eliminated. If not, one of the tied town players is drawn by lot, those with a power role before "
        "those without; if no town player is tied, one of the others.",
        Tie.ALL: "If there is a tie, all tied players are eliminated.",
        Tie.ASK: "If there is a tie, I decide.",
    }
)
"""What becomes of a tie; {nobody} is the house's name of no elimination."""
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
        Form.OWN_LINE: "“vote: {}” on a line of its own",
        Form.RED: "“vote: {}” in red",
        **{form: f"“vote {{}}” {WHERE[mark]}" for mark, form in _USUAL_WORD.items()},
        Form.SPOKEN: "“I vote {}”",
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

# ---- The sentences of a rule, told and read back

_Wordings: TypeAlias = tuple[str, ...]
"""A sentence as it is told now, then pieces of posts that told the same in earlier words."""
_GAPS: Mapping[str, str] = MappingProxyType(
    {
        "nobody": r"(?P<nobody>[^.\n]{1,60}?)",
        "written": r"(?:: write [^\n]{1,80}?)?",
        "ways": r"(?P<ways>[^\n]{1,500}?)",
        "who": r"(?:From day (?P<since>[1-9]\d?) on, a|A) player",
        "if_nobody": r"(?:From day (?P<since>[1-9]\d?) on, if|If) nobody",
        "first_days": r"On days? 1(?: to \d{1,3})?",
        "goal": (
            r"(?:(?P<number>[1-9]\d?) votes|votes from (?:more than|at least|all) ?(?P<part>[\w/]*)"
            r"[^\n]{0,40}?living players(?: (?:and|but) \d+ (?:more|of them))?)"
        ),
        "ends": r"(?:, and the day ends)?",
        "number": r"(?P<number>[1-9]\d?)",
        "times": r"(?:(?P<none>cannot change your vote)|can change your vote"
        r" (?:once|(?P<number>\d{1,3}) times) a day)",
        "days": r"(?P<days>\d{1,3}(?:, \d{1,3})*)",
    }
)
"""What may stand in the gaps of a sentence."""


class _Clause:
    """A sentence of the rule as it is told now, and pieces of posts that told the same in earlier words; the
    gaps, `{…}`, differ from rule to rule."""

    def __init__(self, *wordings: str) -> None:
        self.wordings = wordings

    def told(self, **gaps: object) -> _Wordings:
        """The sentence with its gaps filled."""
        return tuple(words.format(**gaps) for words in self.wordings)

    def found(self, text: str) -> re.Match[str] | None:
        """Where a text says it; its groups are what stands in the gaps."""
        return next((found for one in self._patterns if (found := one.search(text))), None)

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        return tuple(map(_pattern, self.wordings))


def _pattern(words: str) -> re.Pattern[str]:
    """A sentence with gaps as a pattern; boards have their own blanks and quotation marks."""
    pieces = re.split(r"\{(\w+)\}", words)
    spelled = (_GAPS[one] if place % 2 else re.escape(one) for place, one in enumerate(pieces))
    loose = "".join(spelled).replace("\\ ", " ").replace(" ", r"\s+")
    return re.compile(re.sub("[“”]", '["“”]', loose.replace("'", "['’]")))


_FORMS_SAID = _Clause("To vote, use {ways}. Votes in quotes or spoilers do not count.")
_VOTABLE = _Clause(
    "If you want nobody to be eliminated, vote {nobody}{written}.", "You can vote {nobody}{written}."
)
_NOT_VOTABLE = _Clause("You cannot vote {nobody}.")
_AT_ONCE = _Clause(
    "{who} with {goal} is eliminated at once{ends}. Later votes do not count.",
    "{who} with {goal} is eliminated at once. Later votes do not count.",
)
_HALF_FOR_NOBODY = _Clause(
    "{nobody} ends the day at once, too, with votes from half of the living players.",
    "Votes from half of the living players are enough.",
)
_AS_MANY_FOR_NOBODY = _Clause(
    "{nobody} with as many votes ends the day at once, too.", "You can vote {nobody}{written}."
)
_NOBODY_BELOW = " If nobody has so many, nobody is eliminated."
_FEWER: Mapping[NeededAtDeadline, _Clause] = MappingProxyType(
    {
        NeededAtDeadline.HALF_ROUNDED_UP: _Clause(
            "At the deadline, half of the votes that it takes before (rounded up) are enough.",
            "At the deadline, half of that number (rounded up) is enough.",
        ),
        NeededAtDeadline.OF_VOTES_CAST: _Clause(
            "At the deadline, more than half of the votes cast is enough."
        ),
    }
)
_MOST_FALLS = _Clause("The player with the most votes at the deadline is eliminated.")
_MOST_FALLS_FIRST = _Clause("{first_days}, the player with the most votes at the deadline is eliminated.")
_SEVERAL = _Clause(
    "A day can have {number} eliminations. After one by majority the day goes on: votes for and by that "
    "player are gone, all others stand, and fewer living players need fewer votes."
)
_LEAST = _Clause("Nobody is eliminated with fewer than {number} votes.")
_TIED: Mapping[Tie, _Clause] = MappingProxyType(
    {tie: _Clause(words) for tie, words in TIES.items()}
    | {Tie.RANDOM: _Clause(TIES[Tie.RANDOM], "A tie is broken at random, by the game's seed.")}
)
_DECIDES = (
    "I decide: either nobody is eliminated, or the player with the most votes. If there is a tie for the "
    "most votes, I may choose any of the tied players."
)
_UNREACHED: Mapping[AtDeadline, _Clause] = MappingProxyType(
    {
        AtDeadline.NOBODY: _Clause("{if_nobody} has enough votes at the deadline, nobody is eliminated."),
        AtDeadline.ASK: _Clause(
            f"{{if_nobody}} has enough votes at the deadline, {_DECIDES} I write down why.",
            f"{{if_nobody}} has enough votes at the deadline, {_DECIDES}",
        ),
    }
)
_UNREACHED_OF_SEVERAL: Mapping[AtDeadline, _Clause] = MappingProxyType(
    {
        how: _Clause(
            one.wordings[0].replace("has enough votes at", "has been eliminated by"), one.wordings[-1]
        )
        for how, one in _UNREACHED.items()
    }
)
_MORE_FOR_NOBODY = _Clause(
    "If {nobody} has more votes than any player at the deadline, nobody is eliminated.",
    "You can vote {nobody}{written}.",
)
_UNANIMOUS = _Clause(
    "The day can end before its deadline once every living player, the one voted for included, votes for the "
    "same player, or everybody for {nobody}.",
    "The day can end early once all living players vote for the same player, or all for {nobody}.",
)
_VOTES_EACH = _Clause("Each player has {number} votes.")
_TWICE = _Clause("A player with two votes can put both on one player by writing “x2”.")
_NOT_YOURSELF = _Clause("You cannot vote for yourself.")
_UNVOTE_FIRST = _Clause("You must unvote before you vote for someone else.")
_CHANGES = _Clause("You {times}.")
_LOCKED = _Clause("On day {days}, you cannot change your vote.")


def _change_sentence(rule: Rule) -> str:
    """That a vote can be changed and taken back, where no limit of the house speaks of that."""
    if rule.max_changes is not None or rule.votes_per_player > 1 or rule.unvote_first:
        latest = ""
    else:
        latest = "You can change your vote until then; your latest vote counts. "
    back = next((words for form, words in _UNVOTE.items() if form in rule.forms.accepted), "")
    return f"{latest}To take your vote back, write {back}." if back else latest.strip()


def _limits(rule: Rule) -> list[_Wordings]:
    """What a voter may not do, and what somebody with several votes may."""
    limits: list[_Wordings] = []
    if rule.votes_per_player > 1:
        limits.append(_VOTES_EACH.told(number=rule.votes_per_player))
    if rule.double_voter is DoubleVoter.X2:
        limits.append(_TWICE.told())
    if not rule.self_vote:
        limits.append(_NOT_YOURSELF.told())
    if rule.unvote_first:
        limits.append(_UNVOTE_FIRST.told())
    if rule.max_changes is not None:
        times = {0: "cannot change your vote", 1: "can change your vote once a day"}
        often = times.get(rule.max_changes, f"can change your vote {rule.max_changes} times a day")
        limits.append(_CHANGES.told(times=often))
    if rule.locked_at:
        limits.append(_LOCKED.told(days=", ".join(map(str, sorted(rule.locked_at)))))
    return limits


def _deadline_sentences(rule: Rule, nobody: str, since: str) -> list[_Wordings]:
    """What the deadline of a day does; `since` begins what holds from a later day on."""
    told: list[_Wordings] = []
    unreached, fewer = rule.unreached(rule.majority_from_day), rule.needed_at_end
    lower = fewer is not NeededAtDeadline.MAJORITY and unreached is not AtDeadline.MOST
    if lower:
        enough, *before = _FEWER[fewer].told()
        told.append((enough + (_NOBODY_BELOW if unreached is AtDeadline.NOBODY else ""), *before, enough))
    elif rule.death is not Death.MAJORITY or unreached is AtDeadline.MOST:
        told.append(_MOST_FALLS.told())
    elif rule.majority_from_day > 1:
        before_it = rule.majority_from_day - 1
        days = "On day 1" if before_it == 1 else f"On days 1 to {before_it}"
        told.append(_MOST_FALLS_FIRST.told(first_days=days))
    if rule.eliminations > 1:
        told.append(_SEVERAL.told(number=rule.eliminations))
    if rule.minimum_votes > 1:
        told.append(_LEAST.told(number=rule.minimum_votes))
    if lower or rule.needed_at_deadline(2, 0, 1) is not None:
        told.append(_TIED[rule.tie].told(nobody=nobody))
    missed = lower or rule.needed_at_deadline(2, 0, rule.majority_from_day) is None
    if missed and (unreached is AtDeadline.ASK or not lower):
        clauses = _UNREACHED_OF_SEVERAL if rule.eliminations > 1 else _UNREACHED
        told.append(clauses[unreached].told(if_nobody=f"{since}if nobody" if since else "If nobody"))
    alone = missed and not lower and unreached is AtDeadline.NOBODY and not since
    if rule.no_elimination is not NoElim.NO and not alone:
        told.append(_MORE_FOR_NOBODY.told(nobody=nobody, written=_as_written(rule, nobody)))
    return told


def _told(rule: Rule, nobody: str) -> list[_Wordings]:
    """The rule sentence by sentence."""
    for_nobody: dict[str, object] = {"nobody": nobody, "written": _as_written(rule, nobody)}
    told: list[_Wordings] = [(forms_sentence(rule),)]
    told.append((_NOT_VOTABLE if rule.no_elimination is NoElim.NO else _VOTABLE).told(**for_nobody))
    told.append((BOUNDARIES[rule.boundary],))
    if change := _change_sentence(rule):
        told.append((change, _VOTABLE.told(**for_nobody)[-1], *_NOT_VOTABLE.told(nobody=nobody)))

    # What eliminates at once.
    since = f"From day {rule.majority_from_day} on, " if rule.majority_from_day > 1 else ""
    if rule.death is not Death.PLURALITY:
        goal = f"{rule.fixed_needed} votes" if rule.fixed_needed else _goal(rule.share)
        ends = "" if rule.eliminations > 1 else ", and the day ends"
        told.append(_AT_ONCE.told(who=f"{since}a player" if since else "A player", goal=goal, ends=ends))
        if rule.no_elimination is NoElim.ONE_FEWER:
            told.append(_HALF_FOR_NOBODY.told(**for_nobody))
        elif rule.no_elimination is NoElim.VOTABLE:
            told.append(_AS_MANY_FOR_NOBODY.told(**for_nobody))

    told += _deadline_sentences(rule, nobody, since)
    if rule.unanimous:
        told.append(_UNANIMOUS.told(nobody=nobody))
    return [*told, *_limits(rule), (EDITS[rule.edited],)]


def _goal(share: Share) -> str:
    """How many of the living it takes, in words."""
    part = "half" if share.part == Fraction(1, 2) else f"{share.part.numerator}/{share.part.denominator}"
    many = f"votes from {'more than' if share.above else 'at least'} {part} of the living players"
    if share.part == 1 and not share.above:
        many = "votes from all living players"
    if not share.plus:
        return many
    if share.plus > 0:
        return f"{many} and {share.plus} more"
    return f"{many} but {-share.plus} of them"


def rule_sentences(rule: Rule, nobody: str = "No Elimination") -> tuple[str, ...]:
    """The rule in sentences, as the day is closed by it; `nobody` is the house's name of no elimination."""
    return tuple(now for now, *_ in _told(rule, nobody))


def how_to_vote(rule: Rule, nobody: str = "No Elimination") -> str:
    """The sentence of the rule that tells how a vote is written."""
    return next(one for one in rule_sentences(rule, nobody) if one.startswith("To vote, "))


def sentences_not_in(post: str, rule: Rule, nobody: str = "No Elimination") -> tuple[str, ...]:
    """The sentences of the rule that a post does not tell, neither in today's words nor in earlier ones."""
    text = squash(post)
    return tuple(
        now
        for now, *before in _told(rule, nobody)
        if not any(squash(wording) in text for wording in (now, *before))
    )


@dataclass(frozen=True, slots=True)
class RuleTold:
    """A rule as its own sentences tell it, and what they call no elimination. `own_form`: votes have a form
    of the game's own as well, of which they do not tell more."""

    rule: Rule
    nobody: str
    own_form: bool = False


def rule_told(lines: Iterable[str]) -> RuleTold | None:
    """The rule that lines of a post tell in the words of `rule_sentences`, today's or earlier ones; None
    where they do not tell a whole one. What no sentence tells is as a game file has it by default."""
    text = "\n".join(lines)
    forms = _FORMS_SAID.found(text) if "To vote, use" in text else None
    edited = next((edited for edited, words in EDITS.items() if _pattern(words).search(text)), None)
    votable = _VOTABLE.found(text)
    named = votable or _NOT_VOTABLE.found(text)
    if forms is None or edited is None or named is None:
        return None
    told: dict[str, Any] = {"edited": edited}
    told["forms"], own_form = _forms_told(forms["ways"])

    # What eliminates at once, and what the deadline does.
    at_once, most = _AT_ONCE.found(text), _MOST_FALLS.found(text)
    fewer = next((how for how, clause in _FEWER.items() if clause.found(text)), None)
    told["death"] = Death.PLURALITY if at_once is None else Death.MAJORITY if most is None else Death.BOTH
    if at_once is not None:
        told["majority_from_day"] = int(at_once["since"] or 1)
        told["fixed_needed"] = int(at_once["number"]) if at_once["number"] else None
    if fewer is not None:
        told["needed_at_end"] = fewer
    unreached = [
        how for table in (_UNREACHED, _UNREACHED_OF_SEVERAL) for how in table if table[how].found(text)
    ]
    if unreached or (fewer is not None and _pattern(_NOBODY_BELOW).search(text)):
        told["at_deadline"] = unreached[0] if unreached else AtDeadline.NOBODY
    tie = next((tie for tie, clause in _TIED.items() if clause.found(text)), None)
    if tie is not None:
        told["tie"] = tie

    # Who may be voted for and how often, until when.
    if votable is None:
        told["no_elimination"] = NoElim.NO
    elif _HALF_FOR_NOBODY.found(text):
        told["no_elimination"] = NoElim.ONE_FEWER
    for name, clause in (
        ("eliminations", _SEVERAL),
        ("minimum_votes", _LEAST),
        ("votes_per_player", _VOTES_EACH),
    ):
        if found := clause.found(text):
            told[name] = int(found["number"])
    told["unanimous"] = _UNANIMOUS.found(text) is not None
    told["self_vote"] = _NOT_YOURSELF.found(text) is None
    told["unvote_first"] = _UNVOTE_FIRST.found(text) is not None
    if _TWICE.found(text):
        told["double_voter"] = DoubleVoter.X2
    if changes := _CHANGES.found(text):
        told["max_changes"] = 0 if changes["none"] else int(changes["number"] or 1)
    if locked := _LOCKED.found(text):
        told["locked_at"] = frozenset(map(int, locked["days"].split(", ")))
    boundary = next((one for one, words in BOUNDARIES.items() if _pattern(words).search(text)), None)
    if boundary is not None:
        told["boundary"] = boundary
    return RuleTold(Rule(**told), named["nobody"], own_form)


def _forms_told(ways: str) -> tuple[Forms, bool]:
    """The forms that “To vote, use …” lists, and whether the game has its own beside them."""
    accepted = {form for form, words in FORMS.items() if _pattern(words).search(ways)}
    words = _OWN_WORD.findall(ways)
    own = parse_forms(f"word:{word}" for word in words)
    return Forms(frozenset(accepted), (), own.words), _OWN_FORM in ways


# “Stimme: name”, not “vote: name” in red.
_OWN_WORD = re.compile(r"[“\"]([^\W\d_](?:[^\W\d_]| ){0,30}): name[”\"](?! in | on a line)")
_OWN_FORM = "this game's own form"


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
    own += [frame.told for frame in rule.forms.frames if not frame.undoes]
    house = [_OWN_FORM] if rule.forms.house else []
    *most, last = (*accepted, *own, *house)
    ways = f"{', '.join(most)} or {last}" if most else last
    return _FORMS_SAID.told(ways=ways)[0]
