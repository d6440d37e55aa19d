"""How many of the votecounts that moderators posted by hand are read as the official record tells them?"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accuracy import NOBODY, Game, load

from knightfall.forums import html_style_of
from knightfall.markup.html import parse_html
from knightfall.models import Holder, Slot
from knightfall.names import Names, squash
from knightfall.votes.posted_votecounts import PostedVotecount, names_of_posters, posted_votecount

WHOLE, PART, NONE = "whole", "in part", "not at all"
FACTS = ("day", "alive", "needed")
IDLE = "not voting"


@dataclass
class Score:
    """What one game adds: votecounts by how they were read, facts by how they were told, cases to study."""

    topic: int
    read: Counter[str] = field(default_factory=Counter)
    facts: Counter[tuple[str, str]] = field(default_factory=Counter)
    others: int = 0
    """Posts of the moderator that were read as a votecount and are none in the record."""
    posts: int = 0
    seconds: float = 0.0
    cases: list[tuple[int, str]] = field(default_factory=list)


def score(folder: Path, posters: bool) -> Score:
    """Reads every official votecount of a game, with its player list or from the thread's posters alone."""
    game = load(folder)
    result = Score(game.topic)
    html_style = html_style_of("phpbb")
    moderators = {name.casefold() for name in game.meta["moderators"]}
    bodies = {
        int(post["number"]): parse_html(post["content"], html_style)
        for post in game.posts
        if post["user"].casefold() in moderators
    }
    everybody = names_of_posters(game.authors, game.meta["moderators"])
    official = {count["post_no"]: count for count in game.votecounts}
    for number, count in official.items():
        names = everybody if posters else _names(game, count)
        found = posted_votecount(number, count["mod"], bodies.get(number, ()), names)
        _judge(result, game, count, found)

    # Every post of the moderator, timed, by the posters: what is read beside the official ones.
    begun = time.process_time()
    read = [number for number, nodes in bodies.items() if posted_votecount(number, "", nodes, everybody)]
    result.seconds, result.posts = time.process_time() - begun, len(bodies)
    result.others = sum(number not in official for number in read)
    result.cases += [(0, f"{game.topic} #{n}: read and not in the record") for n in read if n not in official]
    return result


def _names(game: Game, count: Mapping[str, Any]) -> Names:
    """The names of the moment: the living of the record, everybody else as gone."""
    slots = {name: tuple(slot["names"]) for slot in game.meta["slots"] for name in slot["names"]}
    shared = Counter(slots[name] for name in count["alive"] if name in slots)
    living = [
        slots[name] if name in slots and shared[slots[name]] == 1 else (name,) for name in count["alive"]
    ]
    named = {name for names in living for name in names}
    gone = [tuple(slot["names"]) for slot in game.meta["slots"] if not named & set(slot["names"])]
    return Names(map(_slot, living), map(_slot, gone), game.meta["moderators"])


def _slot(names: tuple[str, ...]) -> Slot:
    return Slot(tuple(Holder(name) for name in reversed(names)))


def _judge(result: Score, game: Game, count: Mapping[str, Any], found: PostedVotecount | None) -> None:
    same = {squash(n): squash(slot["names"][0]) for slot in game.meta["slots"] for n in slot["names"]}
    same |= {squash(name): squash(name) for name in count["alive"] if squash(name) not in same}
    for listed, account in count["renamed_authors_guess"].items():
        same.setdefault(squash(account), same.get(squash(listed), squash(listed)))

    def key(name: str) -> str:
        return same.get(squash(name), squash(name))

    due = {key(v): key(to) for to, voters in count["votes"].items() for v in voters}
    due |= {key(voter): IDLE for voter in count["not_voting"]}
    where = f"{game.topic} #{count['post_no']} day {count['day']}"
    if found is None:
        result.read[NONE] += 1
        result.cases.append((100, f"{where}: {NONE}\n{count['raw']}"))
        return
    read: dict[str, str] = {}
    for row in found.rows:
        target = row.target.name if row.target else row.label
        to = IDLE if row.idle else squash(NOBODY) if row.nobody else key(target)
        read |= {key(one): to for one in (*(v.name for v in row.voters), *row.strangers)}
    wrong = sorted(one for one in due.keys() | read.keys() if due.get(one) != read.get(one))
    result.read[PART if wrong else WHOLE] += 1
    if wrong:
        told = "\n".join(f"  {one}: read {read.get(one)}, record {due.get(one)}" for one in wrong)
        result.cases.append((len(wrong), f"{where}: {PART}\n{told}\n{count['raw']}"))

    known = {"day": count["day_from_title"] or count["day"]}
    known |= {"alive": count["alive_printed"], "needed": count["threshold_printed"]}
    for fact in FACTS:
        told_fact, known_fact = getattr(found, fact), known[fact]
        verdict = "right" if told_fact == known_fact else "wrong"
        if told_fact is None or known_fact is None:
            verdict = "untold" if told_fact is None else "not in the record"
        result.facts[fact, verdict] += 1
        if verdict == "wrong":
            result.cases.append(
                (50, f"{where}: {fact} read {told_fact}, record {known_fact}\n{count['raw']}")
            )
        if verdict == "untold" and known_fact is not None:
            result.cases.append((1, f"{where}: {fact} untold, record {known_fact}\n{count['raw']}"))
    result.facts["whole", str(found.whole)] += 1


def summary(results: list[Score]) -> str:
    """The closing lines."""
    read = sum((one.read for one in results), Counter[str]())
    facts = sum((one.facts for one in results), Counter[tuple[str, str]]())
    total = sum(read.values())
    seconds, posts = sum(one.seconds for one in results), sum(one.posts for one in results)
    told = [
        f"{fact}: " + ", ".join(f"{n} {said}" for (about, said), n in sorted(facts.items()) if about == fact)
        for fact in (*FACTS, "whole")
    ]
    return "\n".join(
        (
            f"votecounts: {read[WHOLE]}/{total} whole ({read[WHOLE] / max(total, 1):.1%}), "
            f"{read[PART]} in part, {read[NONE]} not at all; "
            f"{sum(one.others for one in results)} others read",
            *told,
            f"moderators' posts: {posts} in {seconds:.2f} s",
        )
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="scripts/posted-counts", description=__doc__)
    parser.add_argument("folder", type=Path, help="a corpus folder: one folder a game")
    parser.add_argument("--posters", action="store_true", help="know no player list, only who posts")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="print the N cases to study")
    parser.add_argument("--halves", action="store_true", help="print even and odd topics apart as well")
    chosen = parser.parse_args()
    folders = sorted(
        (path.parent for path in chosen.folder.glob("*/votecounts.jsonl")), key=lambda p: int(p.name)
    )
    if not folders:
        print(f"{chosen.folder} holds no games (expected folders with votecounts.jsonl)", file=sys.stderr)
        return 2
    results = [score(folder, chosen.posters) for folder in folders]
    cases = sorted((case for one in results for case in one.cases), key=lambda case: -case[0])
    for _, text in cases[: chosen.worst]:
        print(text)
    for parity, name in ((0, "even"), (1, "odd")) if chosen.halves else ():
        print(f"— {name} topics —\n{summary([one for one in results if one.topic % 2 == parity])}")
    print(summary(results))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
