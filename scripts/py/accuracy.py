"""How well does the counter read real games? Scores it over a corpus folder and says where it errs."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from knightfall.errors import InputError
from knightfall.forums import html_style_of
from knightfall.models import Departure, DepartureKind, Holder, Post, Roster, Slot, Thread
from knightfall.names import Matched, NoElimination, names_of, slips, squash
from knightfall.votes import hammer_check
from knightfall.votes.ballots import Action, Ballot, Form, PostBallots
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.nicknames import DayRead
from knightfall.votes.player_list import renamed_accounts
from knightfall.votes.questions import grouped, informed
from knightfall.votes.rule import DoubleVoter, NoElim, Rule
from knightfall.votes.second_count import shown_votes
from knightfall.votes.tally import Day, Doubt, Fix, Moderation, Tally, tally
from knightfall.votes.vote_parser import PostReader

NOBODY = "NO LYNCH"


@dataclass
class Score:
    """What one game adds to the totals; `cases` are (how bad, text) to study."""

    topic: int
    posts: int = 0
    seconds: float = 0.0
    right: int = 0
    wrong: int = 0
    undecided: int = 0
    refused: int = 0
    exact: int = 0
    near: int = 0
    counts: int = 0
    asked: list[int] = field(default_factory=list)
    """Questions of each day."""
    missed: int = 0
    mended: int = 0
    offered: int = 0
    votes: int = 0
    votes_asked: int = 0
    votes_offered: int = 0
    unread: int = 0
    unread_asked: int = 0
    unread_offered: int = 0
    cases: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Game:
    """A corpus game as parsed JSON."""

    topic: int
    posts: list[dict[str, Any]]
    meta: dict[str, Any]
    phases: list[dict[str, Any]]
    votecounts: list[dict[str, Any]]
    authors: frozenset[str]
    writers: dict[int, str] = field(default_factory=dict)
    """Post number → who wrote it."""


def load(folder: Path) -> Game:
    with gzip.open(folder / "posts.jsonl.gz", "rt", encoding="utf-8") as lines:
        posts = [json.loads(line) for line in lines]
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    authors = frozenset(post["user"] for post in posts)
    counts = _lines(folder / "votecounts.jsonl")
    writers = {int(post["number"]): post["user"] for post in posts}
    phases = _numbered(_lines(folder / "phases.jsonl"), max(writers, default=0))
    return Game(int(folder.name), posts, meta, phases, counts, authors, writers)


def _numbered(phases: list[dict[str, Any]], last: int) -> list[dict[str, Any]]:
    """The phases with a number each where they start and end: where a note stands in its place, they meet
    their neighbours."""
    starts = [_post_number(phase["start"]) for phase in phases]
    ends = [_post_number(phase["end"]) for phase in phases]
    made = []
    for place, phase in enumerate(phases):
        before = ends[place - 1] if place else 0
        start = starts[place] if starts[place] is not None else before or 0
        after = starts[place + 1] if place + 1 < len(phases) else None
        end = ends[place] if ends[place] is not None else after or last
        made.append({**phase, "start": start, "end": end})
    return made


def _post_number(written: object) -> int | None:
    """The number of a post as an annotator wrote it: 484, "484", "post 484"; None for a note without one."""
    found = re.fullmatch(r"\D{0,12}(\d+)\D{0,2}", str(written))
    return int(found.group(1)) if found else None


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def score(folder: Path, unread: bool = False) -> Score:
    """Counts one game: every phase and every official votecount of it; with `unread`, also each day with one
    vote of its hammer left out."""
    game = load(folder)
    result = Score(game.topic, posts=len(game.posts))
    begun = time.process_time()
    moderators = frozenset(name.casefold() for name in game.meta["moderators"])
    decided = frozenset(post for phase in game.phases for post in _fixes(game, phase))
    posts = tuple(_posts(game))
    ballots = list(
        PostReader(html_style_of("phpbb"), Rule().forms, moderators, decided).ballots_by_post(posts)
    )
    days = [(phase, _phase_read(game, phase, ballots)) for phase in game.phases if phase["can_predict_lynch"]]
    ends = [(phase, read, *_day_count(read, posts)) for phase, read in days]
    officials = [(official, _official_read(game, official, ballots)) for official in game.votecounts]
    counts = [(official, read, _tally(read)) for official, read in officials]
    result.seconds = time.process_time() - begun
    asker = Asker(posts, tuple(read for _, read in days))
    ends = [(phase, *asker.settled(read, counted), denied) for phase, read, counted, denied in ends]
    counts = [(official, *asker.settled(read, counted)) for official, read, counted in counts]
    for phase, read, counted, denied in ends:
        missed = not _judge_phase(result, phase, counted)
        _judge_questions(result, asker, read, counted, phase if missed else None, denied)
        if unread:
            _judge_unread(result, asker, read, counted)
    for official, read, counted in counts:
        wrong = _judge_count(result, official, counted)
        _judge_votes_asked(result, asker, read, counted, wrong)
    return result


def score_without_file(folder: Path) -> Score:
    """Counts the days of a game from its posts alone, each as of the post that ended it: no player list, no
    days, no moderators and no rulings are given. A count that is refused is counted apart."""
    game = load(folder)
    result = Score(game.topic, posts=len(game.posts))
    posts = tuple(_posts(game))
    begun = time.process_time()
    for phase in (phase for phase in game.phases if phase["can_predict_lynch"]):
        read = tuple(post for post in posts if post.number <= phase["end"])
        thread = Thread("jsonl", "", read)
        habits = Habits(html_style_of("phpbb"))
        try:
            ask = Ask(at_post=read[-1].number)
            counted = votecount(thread, habits, CountConfig(), ask, datetime.now(UTC))
        except InputError as refusal:
            result.refused += 1
            result.cases.append((70, f"{game.topic} day {phase['day']}: refused, {refusal}"))
            continue
        _judge_phase(result, phase, counted.tally, "".join(f"  {line}\n" for line in counted.assumed))
    result.seconds = time.process_time() - begun
    return result


def _posts(game: Game) -> Iterator[Post]:
    for post in game.posts:
        yield Post(post["id"], int(post["number"]), post["user"], post["content"])


def _roster(
    game: Game, living: Iterable[Iterable[str]], start: int, end: int, phase: Mapping[str, Any]
) -> Roster:
    """The living slots of a day, and everybody else as gone before it."""
    alive = [tuple(names) for names in living]
    named = {name for names in alive for name in names}
    gone = [tuple(slot["names"]) for slot in game.meta["slots"] if not named & set(slot["names"])]
    killed = dict(_killed(phase, start, end))
    double = {name for names in phase["doublevoters"] for name in names}
    slots = [
        _slot(names, next((killed[n] for n in names if n in killed), None), 2 if double & set(names) else 1)
        for names in alive
    ]
    slots += [_slot(names, start) for names in gone]
    return Roster(tuple(_unique(slots)))


def _unique(slots: Iterable[Slot]) -> Iterator[Slot]:
    """A name that the corpus gives to two slots stays with the first."""
    seen: set[str] = set()
    for slot in slots:
        names = {holder.name.casefold() for holder in slot.holders}
        holders = slot.holders
        if not seen.isdisjoint(names):
            holders = tuple(h for h in slot.holders if h.name.casefold() not in seen)
        seen |= names
        if holders:
            yield slot if holders is slot.holders else replace(slot, holders=holders)


def _slot(names: tuple[str, ...], left: int | None, weight: int = 1) -> Slot:
    departure = None if left is None else Departure(DepartureKind.KILLED, left)
    return Slot(tuple(Holder(name) for name in reversed(names)), weight=weight, left=departure)


@dataclass(frozen=True)
class Ruling:
    """What the moderator decided, in the annotator's words, and the post that it stands by."""

    post: int
    said: str


def _rulings(phase: Mapping[str, Any]) -> Iterator[Ruling]:
    """The rulings of a phase; one by a note counts where it names its post itself, and is left out else."""
    for key, rulings in phase["events"].items():
        for said in [rulings] if isinstance(rulings, str) else rulings:
            named = re.search(r"\bpost #?(\d+)\b", said)
            post = _post_number(key)
            if post is None and named:
                post = int(named.group(1))
            if post is not None:
                yield Ruling(post, re.sub(r"\s+(?:in|on|at) post #?\d+\b.*$", "", said))


def _killed(phase: Mapping[str, Any], start: int, end: int) -> Iterator[tuple[str, int]]:
    for ruling in _rulings(phase):
        if ruling.said.endswith(" killed") and start < ruling.post <= end:
            yield ruling.said.removesuffix(" killed"), ruling.post


def _resets(phase: Mapping[str, Any]) -> tuple[int, ...]:
    """The posts from which on all votes start anew, in order."""
    said = re.compile(
        r"\bvote ?counts?\b.*\breset\b|\bvotes?\b.*\breset\b|\breset\b.*\bvotes?\b", re.IGNORECASE
    )
    return tuple(sorted(ruling.post for ruling in _rulings(phase) if said.search(ruling.said)))


_VOTED = re.compile(
    r"^(?P<voter>.+?) (?P<did>did not vote|didn['’]t vote|tried to vote|voted)\b ?(?P<name>.*)$"
)


def _fixes(game: Game, phase: Mapping[str, Any]) -> dict[int, Fix]:
    """The moderator's rulings on the posts of voters, as the decisions they are."""
    found = ((ruling, _VOTED.match(ruling.said)) for ruling in _rulings(phase))
    return {
        ruling.post: _fix(ruling.post, said)
        for ruling, said in found
        if said and not _elsewhere(game, ruling.post, said["voter"])
    }


def _fix(post: int, said: re.Match[str]) -> Fix:
    if said["did"] != "voted":
        return Fix(post, ignore=True)
    name = said["name"]
    return Fix(post, unvote=True) if name == "UNVOTE" else Fix(post, to="" if name == NOBODY else name)


def _elsewhere(game: Game, post: int, voter: str) -> bool:
    """Whether a ruling on a voter stands by somebody else's post: a moderator's."""
    writer = game.writers.get(post, voter)
    moderates = writer.casefold() in {name.casefold() for name in game.meta["moderators"]}
    return moderates and writer.casefold() != voter.casefold()


def _told(game: Game, phase: Mapping[str, Any]) -> list[PostBallots]:
    """What a moderator said in a post of their own of the votes of others, as ballots of those."""
    told = []
    for ruling in _rulings(phase):
        said = _VOTED.match(ruling.said)
        if said and _elsewhere(game, ruling.post, said["voter"]):
            undone = said["did"] != "voted" or said["name"] == "UNVOTE"
            action = Action.UNVOTE if undone else Action.VOTE
            name = "" if undone else "no lynch" if said["name"] == NOBODY else said["name"]
            ballot = Ballot(action, name, Form.TAG, ruling.said)
            told.append(PostBallots(ruling.post, said["voter"], (ballot,)))
    return told


_HEAVY = re.compile(
    r"\b(?:counts?|worth|weighs?)\b.{0,12}\b(?:twice|double|two|2)\b|\bweight (?:of )?(?:two|2)\b",
    re.IGNORECASE,
)


def _double_voter(game: Game, phase: Mapping[str, Any]) -> DoubleVoter:
    """What two votes are in this game: a weight only where the record says that a vote counts double."""
    record = [str(game.meta.get("annotator_notes", "")), *(ruling.said for ruling in _rulings(phase))]
    return DoubleVoter.WEIGHT if any(map(_HEAVY.search, record)) else DoubleVoter.X2


def _read(
    game: Game, phase: Mapping[str, Any], living: Any, day: Day, ballots: list[PostBallots], until: int
) -> DayRead:
    """A day with all that its count stands on."""
    day = replace(day, resets=_resets(phase))
    roster = _roster(game, living, day.start, until, phase)
    moderators = frozenset(phase["mods"])
    authors = game.authors
    for inferred in renamed_accounts(roster, authors, ballots, moderators):
        roster = inferred.applied(roster)
    fewer = NoElim.ONE_FEWER if phase["less_one_for_no_lynch"] else NoElim.VOTABLE
    rule = Rule(no_elimination=fewer, double_voter=_double_voter(game, phase))
    if told := _told(game, phase):
        ballots = sorted((*ballots, *told), key=lambda post: post.number)
    folded = frozenset(name.casefold() for name in moderators)
    return DayRead(day, until, roster, rule, tuple(ballots), Moderation(folded, _fixes(game, phase)))


def _tally(read: DayRead, fixes: Mapping[int, Fix] | None = None) -> Tally:
    """The count of a day, with further decisions."""
    moderation = replace(read.moderation, fixes={**read.moderation.fixes, **(fixes or {})})
    return tally(read.ballots, read.roster, read.rule, read.day, read.until, moderation)


def _day_count(read: DayRead, posts: Sequence[Post]) -> tuple[Tally, Doubt | None]:
    """The count of a whole day, and the doubt on a hammer that the moderator's words deny: it does not count,
    as in `knightfall vc`."""
    counted, moderation = _tally(read), read.moderation
    within = (post for post in posts if post.number <= read.until)
    denied = hammer_check.denied(
        counted, read.day.number, within, moderation.moderators, html_style_of("phpbb")
    )
    if denied is None or denied.post in moderation.fixes:
        return counted, None
    return _tally(read, {denied.post: Fix(denied.post, ignore=True)}), denied


def _phase_read(game: Game, phase: Mapping[str, Any], ballots: list[PostBallots]) -> DayRead:
    day = Day(phase["day"], phase["start"] + 1, phase["end"])
    return _read(game, phase, phase["slots"], day, ballots, phase["end"])


def _official_read(game: Game, official: Mapping[str, Any], ballots: list[PostBallots]) -> DayRead:
    phase = next((p for p in game.phases if p["day"] == official["day"]), game.phases[-1])
    slots = {name: slot["names"] for slot in game.meta["slots"] for name in slot["names"]}
    shared = Counter(id(slots[name]) for name in official["alive"] if name in slots)
    living = [slots[n] if n in slots and shared[id(slots[n])] == 1 else [n] for n in official["alive"]]
    day = Day(official["day"], official["day_start_after_post"] + 1)
    return _read(game, phase, living, day, ballots, official["post_no"] - 1)


def _named(counted: Tally) -> set[str] | None:
    """Whom the hammer of a count names, by all names; None without one."""
    hammer = counted.hammer
    return None if hammer is None else (set(hammer.target.names) if hammer.target else {NOBODY})


def _due(phase: Mapping[str, Any]) -> set[str]:
    """Who was eliminated, by all names; empty where nobody was."""
    return {NOBODY} if phase["correct"] == NOBODY else set(phase["correct"])


def _is_right(named: set[str] | None, due: set[str]) -> bool:
    return not due if named is None else _same_names(named, due)


def _judge_phase(result: Score, phase: Mapping[str, Any], counted: Tally, assumed: str = "") -> bool:
    """Whether the day ended as it did."""
    hammer, named, due = counted.hammer, _named(counted), _due(phase)
    if _is_right(named, due):
        result.right += 1
        return True
    verdict = "undecided" if named is None else "WRONG"
    result.wrong += named is not None
    result.undecided += named is None
    where = f" at #{hammer.post}" if hammer else ""
    text = (
        f"{result.topic} day {phase['day']}: {verdict}, due {sorted(due) or 'nobody'}, named {named}{where}"
    )
    known = f"{assumed}{_wagon_lines(counted)}{_doubt_lines(counted)}"
    result.cases.append((100 if named else 50, f"{text}\n{known}"))
    return False


def _same_names(named: set[str], due: set[str]) -> bool:
    """Whether one name is in both, as written or a slip apart: records misspell long names as players do."""
    pairs = ((squash(one), squash(other)) for one in named for other in due)
    return any(one == other or (len(one) > LONG and slips(one, other) == 1) for one, other in pairs)


LONG = 7
"""A name of more letters is still the same with a slip in it."""


def _judge_count(result: Score, official: Mapping[str, Any], counted: Tally) -> dict[str, str | None]:
    """The voters whose votes differ, each with their vote by the moderator's count."""
    ours = {v.voter.name: (v.target.name if v.target else NOBODY) for w in counted.wagons for v in w.votes}
    theirs = _official_votes(official, counted)
    voters = {slot.name for slot in counted.not_voting} | ours.keys()
    wrong = [name for name in sorted(voters) if ours.get(name) != theirs.get(name)]
    result.counts += 1
    result.exact += not wrong
    result.near += len(wrong) <= 1
    if wrong:
        lines = [
            f"  {name}: ours {ours.get(name)}, official {theirs.get(name)}{_known(counted, name)}"
            for name in wrong
        ]
        head = f"{result.topic} #{official['post_no']} day {official['day']}: {len(wrong)} votes differ"
        result.cases.append((len(wrong), "\n".join([head, *lines])))
    return {name: theirs.get(name) for name in wrong}


@dataclass(frozen=True)
class Asker:
    """What questions are made of: the posts of a game, and its days as they were read."""

    posts: tuple[Post, ...]
    days: tuple[DayRead, ...]

    def settled(self, read: DayRead, counted: Tally) -> tuple[DayRead, Tally]:
        """The day and its count with the votes in doubt that the moderator's own votecounts show."""
        shown = tuple(shown_votes(self.questions(read, counted), self._with_counts(read), counted))
        if not shown:
            return read, counted
        fixes = {**read.moderation.fixes, **{fix.post: fix for fix in shown}}
        read = replace(read, moderation=replace(read.moderation, fixes=fixes))
        return read, _day_count(read, self.posts)[0]

    def _with_counts(self, read: DayRead) -> DayRead:
        posts = tuple(post for post in self.posts if post.number <= read.until)
        return read.with_counts_in(posts, html_style_of("phpbb"))

    def questions(self, read: DayRead, counted: Tally) -> tuple[Doubt, ...]:
        """The doubts of a count, as `knightfall vc` asks them."""
        style = html_style_of("phpbb")
        posts = tuple(post for post in self.posts if post.number <= read.until)
        earlier = [day for day in self.days if day.until < read.day.start] if counted.questions else []
        return informed(counted, [*earlier, self._with_counts(read)], posts, style)


def _judge_questions(
    result: Score,
    asker: Asker,
    read: DayRead,
    counted: Tally,
    missed: Mapping[str, Any] | None,
    denied: Doubt | None,
) -> None:
    """Count the questions of a day; and of a missed day, whether an answer would mend it, and whether who was
    due is among the candidates there."""
    doubts = (*asker.questions(read, counted), *([denied] if denied else []))
    groups = grouped(doubts)
    result.asked.append(len(groups))
    if missed is None:
        return
    due = _due(missed)
    slot = next((found for name in due if (found := read.roster.slot_of(name)) is not None), None)
    # One answer settles all doubts of a question; what it teaches is read again.
    answers = [
        (group, {d.post: Fix(d.post, to=slot.name if slot else "") for d in group.doubts})
        for group in groups
        if due
    ]
    answers += [(group, {d.post: Fix(d.post, ignore=True) for d in group.doubts}) for group in groups]
    answers += [(group, {d.post: Fix(d.post, unvote=True) for d in group.doubts}) for group in groups]
    mending = [(group, fixes) for group, fixes in answers if _is_right(_named(_tally(read, fixes)), due)]
    named = [
        group
        for group, fixes in mending
        if not due - {NOBODY} or due & set(group.candidates) or any(fix.to is None for fix in fixes.values())
    ]
    result.missed += 1
    result.mended += bool(mending)
    result.offered += bool(named)
    said = "; ".join(f"#{d.post} {d.voter} “{d.text}” {list(d.candidates)}" for d in doubts) or "nothing"
    result.cases.append((60, f"{result.topic} day {read.day.number}: asked {said}"))


def _judge_unread(result: Score, asker: Asker, read: DayRead, counted: Tally) -> None:
    """Leave the post of a vote in the middle of the hammer's wagon unread: where the hammer is gone then,
    whether that post is asked about, with the right player. Such a post holds a plain vote, so this tells
    how well questions find a miss, not how hard the misses of real counts are."""
    wagons = (w for w in counted.wagons if counted.hammer and w.target and w.target == counted.hammer.target)
    wagon = next(wagons, None)
    if wagon is None or wagon.target is None:
        return
    vote = wagon.votes[len(wagon.votes) // 2]
    without = replace(read, ballots=tuple(post for post in read.ballots if post.number != vote.post))
    left = _tally(without)
    if left.hammer is not None or vote.post in read.moderation.fixes:
        return
    doubts = [doubt for doubt in asker.questions(without, left) if doubt.post == vote.post]
    result.unread += 1
    result.unread_asked += bool(doubts)
    result.unread_offered += any(set(doubt.candidates) & set(wagon.target.names) for doubt in doubts)


def _judge_votes_asked(
    result: Score, asker: Asker, read: DayRead, counted: Tally, wrong: Mapping[str, str | None]
) -> None:
    """Of the votes that differ from the moderator's count, how many are asked about, and with their target
    among the candidates."""
    doubts = asker.questions(read, counted) if wrong else ()
    for name, target in wrong.items():
        slot = read.roster.slot_of(name)
        mine = [doubt for doubt in doubts if slot is not None and doubt.voter in slot.names]
        result.votes += 1
        result.votes_asked += bool(mine)
        result.votes_offered += any(target is None or target in doubt.candidates for doubt in mine)


def _official_votes(official: Mapping[str, Any], counted: Tally) -> dict[str, str]:
    slots = (*counted.not_voting, *(v.voter for w in counted.wagons for v in w.votes))
    names = names_of(tuple(sorted(slots, key=lambda slot: slot.name)))
    found = {}
    for target, voters in official["votes"].items():
        meant = names.match(target)
        to = (
            meant.slot.name
            if isinstance(meant, Matched)
            else NOBODY
            if isinstance(meant, NoElimination)
            else target
        )
        for voter in voters:
            who = names.match(voter)
            found[who.slot.name if isinstance(who, Matched) else voter] = to
    return found


def _known(counted: Tally, name: str) -> str:
    """What our own count knew of a voter: his vote's text, his doubts, what was not counted of him."""
    votes = [v for w in counted.wagons for v in w.votes if v.voter.name == name]
    slots = (*counted.not_voting, *(v.voter for w in counted.wagons for v in w.votes))
    held = {n for slot in slots if slot.name == name for n in slot.names}
    said = [f"#{v.post} “{v.text}” by {v.rule}" for v in votes]
    said += [f"doubtful #{d.post} “{d.text}”" for d in counted.questions if d.voter in held]
    said += [f"unmatched #{u.post} “{u.text}” {u.why.value}" for u in counted.not_counted if u.voter in held]
    return f"\n      {'; '.join(said)}" if said else "\n      plain: nothing read"


def _wagon_lines(counted: Tally) -> str:
    lines = []
    for wagon in counted.wagons:
        votes = ", ".join(f"{v.voter.name} #{v.post}" for v in wagon.votes)
        lines.append(
            f"  {wagon.target.name if wagon.target else NOBODY} {wagon.count}/{wagon.needed}: {votes}\n"
        )
    return "".join(lines)


def _doubt_lines(counted: Tally) -> str:
    said = [f"  doubtful #{d.post} {d.voter}: “{d.text}” {list(d.candidates)}\n" for d in counted.questions]
    said += [
        f"  not counted #{u.post} {u.voter}: “{u.text}” {u.why.value}\n"
        for u in counted.not_counted
        if u.why.value != "after_hammer"
    ]
    return "".join(said)


def scores(folders: list[Path], jobs: int, unread: bool = False, without_file: bool = False) -> list[Score]:
    """Every game's score, in the order of the folders; a progress bar on stderr."""
    console = Console(stderr=True)
    scored = score_without_file if without_file else partial(score, unread=unread)
    if jobs == 1:
        return [scored(folder) for folder in track(folders, "Counting", console=console)]
    with ProcessPoolExecutor(jobs) as pool:
        return list(track(pool.map(scored, folders), "Counting", len(folders), console=console))


def summary(results: list[Score]) -> str:
    """The closing lines."""
    right, wrong, undecided, refused = (
        sum(getattr(r, key) for r in results) for key in ("right", "wrong", "undecided", "refused")
    )
    exact, near, counts, posts = (
        sum(getattr(r, key) for r in results) for key in ("exact", "near", "counts", "posts")
    )
    seconds = sum(r.seconds for r in results)
    return (
        f"eliminations: {right}/{right + wrong + undecided + refused} right, {wrong} wrong, "
        f"{undecided} undecided{f', {refused} refused' if refused else ''}\n"
        + (f"votecounts: {exact}/{counts} exact, {near} within one\n" if counts else "")
        + f"posts: {posts} in {seconds:.2f} s ({posts / max(seconds, 1e-9):.0f} posts/s)"
        + (f"\n{question_lines(results)}" if counts else "")
    )


def question_lines(results: list[Score]) -> str:
    """How many questions a day has, and what their answers would mend."""
    asked = sorted(number for result in results for number in result.asked) or [0]
    missed, mended, offered, votes, votes_asked, votes_offered = (
        sum(getattr(result, key) for result in results)
        for key in ("missed", "mended", "offered", "votes", "votes_asked", "votes_offered")
    )
    return (
        f"questions: {sum(asked)} on {sum(map(bool, asked))} of {len(asked)} days, p90 "
        f"{asked[(len(asked) * 9 - 1) // 10]}, most {asked[-1]} a day\n"
        f"missed days: an answer mends {mended}/{missed}, the right player is offered in {offered}/{missed}\n"
        f"votes that differ: {votes_asked}/{votes} are asked about, the right player is offered in "
        f"{votes_offered}/{votes}{unread_line(results)}"
    )


def unread_line(results: list[Score]) -> str:
    """What `--unread` measured; nothing where it was not asked for."""
    unread, asked, offered = (
        sum(getattr(result, key) for result in results)
        for key in ("unread", "unread_asked", "unread_offered")
    )
    if not unread:
        return ""
    return (
        f"\nvotes left unread: {asked}/{unread} are asked about, the right player is offered in "
        f"{offered}/{unread}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/accuracy", description=__doc__)
    parser.add_argument("folder", type=Path, help="a corpus folder: one folder a game")
    parser.add_argument("--jobs", type=int, default=2, help="games counted at once")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="print the N cases to study")
    parser.add_argument("--halves", action="store_true", help="print even and odd topics apart as well")
    parser.add_argument(
        "--no-file", action="store_true", help="give the counter nothing but the posts, as a newcomer does"
    )
    parser.add_argument("--unread", action="store_true", help="leave votes unread; are they asked about?")
    chosen = parser.parse_args()
    folders = sorted((p.parent for p in chosen.folder.glob("*/phases.jsonl")), key=lambda p: int(p.name))
    if not folders:
        print(f"{chosen.folder} holds no games (expected folders with phases.jsonl)", file=sys.stderr)
        return 2
    results = scores(folders, max(chosen.jobs, 1), chosen.unread, chosen.no_file)
    cases = sorted((case for r in results for case in r.cases), key=lambda case: -case[0])
    for _, text in cases[: chosen.worst]:
        print(text)
    for parity, name in ((0, "even"), (1, "odd")) if chosen.halves else ():
        print(f"— {name} topics —\n{summary([r for r in results if r.topic % 2 == parity])}")
    print(summary(results))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
