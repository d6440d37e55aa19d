"""How well does the counter read real games? Scores it over a corpus folder and says where it errs."""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from knightfall.errors import InputError
from knightfall.forums import html_style_of
from knightfall.models import Departure, DepartureKind, Holder, Post, Roster, Slot, Thread
from knightfall.names import Matched, NoElimination, names_of, slips, squash
from knightfall.votes.ballots import PostBallots
from knightfall.votes.config import Ask
from knightfall.votes.count import Habits, votecount
from knightfall.votes.player_list import renamed_accounts
from knightfall.votes.rule import DoubleVoter, NoElim, Rule
from knightfall.votes.tally import Day, Fix, Moderation, Tally, tally
from knightfall.votes.vote_parser import ballots_by_post

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


def load(folder: Path) -> Game:
    with gzip.open(folder / "posts.jsonl.gz", "rt", encoding="utf-8") as lines:
        posts = [json.loads(line) for line in lines]
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    authors = frozenset(post["user"] for post in posts)
    counts = _lines(folder / "votecounts.jsonl")
    return Game(int(folder.name), posts, meta, _lines(folder / "phases.jsonl"), counts, authors)


def _lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def score(folder: Path) -> Score:
    """Counts one game: every phase and every official votecount of it."""
    game = load(folder)
    result = Score(game.topic, posts=len(game.posts))
    begun = time.process_time()
    moderators = frozenset(name.casefold() for name in game.meta["moderators"])
    decided = frozenset(post for phase in game.phases for post in _fixes(phase))
    ballots = list(ballots_by_post(_posts(game), html_style_of("phpbb"), Rule().forms, moderators, decided))
    ends = [
        (phase, _phase_tally(game, phase, ballots)) for phase in game.phases if phase["can_predict_lynch"]
    ]
    counts = [(official, _official_tally(game, official, ballots)) for official in game.votecounts]
    result.seconds = time.process_time() - begun
    for phase, counted in ends:
        _judge_phase(result, phase, counted)
    for official, counted in counts:
        _judge_count(result, official, counted)
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
            counted = votecount(thread, habits, None, Ask(at_post=read[-1].number), datetime.now(UTC))
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
        holders = tuple(h for h in slot.holders if h.name.casefold() not in seen)
        seen.update(h.name.casefold() for h in holders)
        if holders:
            yield replace(slot, holders=holders)


def _slot(names: tuple[str, ...], left: int | None, weight: int = 1) -> Slot:
    departure = None if left is None else Departure(DepartureKind.KILLED, left)
    return Slot(tuple(Holder(name) for name in reversed(names)), weight=weight, left=departure)


def _killed(phase: Mapping[str, Any], start: int, end: int) -> Iterator[tuple[str, int]]:
    for post, rulings in phase["events"].items():
        for ruling in rulings:
            if ruling.endswith(" killed") and start < int(post) <= end:
                yield ruling.removesuffix(" killed"), int(post)


def _fixes(phase: Mapping[str, Any]) -> dict[int, Fix]:
    """The moderator's own rulings, as the decisions they are."""
    return {
        int(post): fix
        for post, rulings in phase["events"].items()
        for r in rulings
        if (fix := _fix(int(post), r))
    }


def _fix(post: int, ruling: str) -> Fix | None:
    if " did not vote" in ruling or " tried to vote" in ruling:
        return Fix(post, ignore=True)
    said = re.search(r" voted (.+)$", ruling)
    if said is None:
        return None
    name = said.group(1)
    return Fix(post, unvote=True) if name == "UNVOTE" else Fix(post, to="" if name == NOBODY else name)


def _count(
    game: Game, phase: Mapping[str, Any], living: Any, day: Day, ballots: list[PostBallots], until: int
) -> Tally:
    roster = _roster(game, living, day.start, until, phase)
    moderators = frozenset(phase["mods"])
    authors = game.authors
    for inferred in renamed_accounts(roster, authors, ballots, moderators):
        roster = inferred.applied(roster)
    fewer = NoElim.ONE_FEWER if phase["less_one_for_no_lynch"] else NoElim.VOTABLE
    rule = Rule(no_elimination=fewer, double_voter=DoubleVoter.X2)
    return tally(ballots, roster, rule, day, until, Moderation(moderators, _fixes(phase) or {}))


def _phase_tally(game: Game, phase: Mapping[str, Any], ballots: list[PostBallots]) -> Tally:
    day = Day(phase["day"], phase["start"] + 1, phase["end"])
    return _count(game, phase, phase["slots"], day, ballots, phase["end"])


def _official_tally(game: Game, official: Mapping[str, Any], ballots: list[PostBallots]) -> Tally:
    phase = next((p for p in game.phases if p["day"] == official["day"]), game.phases[-1])
    slots = {name: slot["names"] for slot in game.meta["slots"] for name in slot["names"]}
    shared = Counter(id(slots[name]) for name in official["alive"] if name in slots)
    living = [slots[n] if n in slots and shared[id(slots[n])] == 1 else [n] for n in official["alive"]]
    day = Day(official["day"], official["day_start_after_post"] + 1)
    return _count(game, phase, living, day, ballots, official["post_no"] - 1)


def _judge_phase(result: Score, phase: Mapping[str, Any], counted: Tally, assumed: str = "") -> None:
    hammer = counted.hammer
    named = None if hammer is None else (set(hammer.target.names) if hammer.target else {NOBODY})
    due = {NOBODY} if phase["correct"] == NOBODY else set(phase["correct"])
    if (named is None and not due) or (named is not None and _same_names(named, due)):
        result.right += 1
        return
    verdict = "undecided" if named is None else "WRONG"
    result.wrong += named is not None
    result.undecided += named is None
    where = f" at #{hammer.post}" if hammer else ""
    text = (
        f"{result.topic} day {phase['day']}: {verdict}, due {sorted(due) or 'nobody'}, named {named}{where}"
    )
    result.cases.append(
        (100 if named else 50, f"{text}\n{assumed}{_wagon_lines(counted)}{_doubt_lines(counted)}")
    )


def _same_names(named: set[str], due: set[str]) -> bool:
    """Whether one name is in both, as written or a slip apart: records misspell long names as players do."""
    pairs = ((squash(one), squash(other)) for one in named for other in due)
    return any(one == other or (len(one) > LONG and slips(one, other) == 1) for one, other in pairs)


LONG = 7
"""A name of more letters is still the same with a slip in it."""


def _judge_count(result: Score, official: Mapping[str, Any], counted: Tally) -> None:
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


def scores(folders: list[Path], jobs: int, without_file: bool = False) -> list[Score]:
    """Every game's score, in the order of the folders; a progress bar on stderr."""
    console = Console(stderr=True)
    scored = score_without_file if without_file else score
    if jobs == 1:
        return [scored(folder) for folder in track(folders, "Counting", console=console)]
    with ProcessPoolExecutor(jobs) as pool:
        return list(track(pool.map(scored, folders), "Counting", len(folders), console=console))


def summary(results: list[Score]) -> str:
    """The three closing lines."""
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
    chosen = parser.parse_args()
    folders = sorted((p.parent for p in chosen.folder.glob("*/phases.jsonl")), key=lambda p: int(p.name))
    if not folders:
        print(f"{chosen.folder} holds no games (expected folders with phases.jsonl)", file=sys.stderr)
        return 2
    results = scores(folders, max(chosen.jobs, 1), chosen.no_file)
    cases = sorted((case for r in results for case in r.cases), key=lambda case: -case[0])
    for _, text in cases[: chosen.worst]:
        print(text)
    for parity, name in ((0, "even"), (1, "odd")) if chosen.halves else ():
        print(f"— {name} topics —\n{summary([r for r in results if r.topic % 2 == parity])}")
    print(summary(results))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
