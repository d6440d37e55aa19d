"""What stands in the posts of a day and of the night before it: its start, its count, its end, the dawn?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from knightfall.app.count.look import Look, count_nodes
from knightfall.app.count.published import due, votecount_kind
from knightfall.app.count.vc import Wanted, counted
from knightfall.app.library.finals import Ending, ending_of
from knightfall.app.library.people import dead, living, shown
from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import Made, Section
from knightfall.app.library.stations import post_of
from knightfall.app.library.times import end_of, until_facts
from knightfall.core.entries import Locked
from knightfall.core.roster import How
from knightfall.errors import InputError
from knightfall.setups.closed import closed_days, window_of
from knightfall.votes.election import Boundary, Death
from knightfall.votes.letters import squash
from knightfall.votes.votecount import View, seen_by
from knightfall.votes.wording import BOUNDARIES, rule_sentences
from knightfall.writeups.wagons import post_facts


def day_start(scene: Scene) -> Made:
    """The post that opens a day, which is where its count starts."""
    number = _running(scene)
    facts = {
        **_morning(scene, number),
        **_standing(scene, number),
        "day": number,
        "changed": list(_changed(scene)),
        "last_end": _last_end(scene, number),
    }
    return Made((Section("any/day-start", facts),))


def votecount(scene: Scene) -> Made:
    """The count of the day, as the players may see it."""
    _refuse_without_votes(scene, "votecount")
    if scene.setup.url is None:
        raise InputError("The game file names no thread to count: add a [[thread]] with its url to it.")
    found = counted(Wanted(game=scene.folder, stored=scene.stored), scene.ports, scene.progress)
    count = seen_by(View.PUBLIC, found.count)
    questions = len(count.tally.questions)
    remarks = (f"{questions} vote(s) need your decision: knightfall vc tells which.",) if questions else ()
    name = votecount_kind(count.day.number)
    return Made((count_nodes(count, Look(), scene.setup),), remarks, count.tally.at, name)


def end_of_day(scene: Scene) -> Made:
    """The post that closes a day: the end of the vote, the final count, who fell and as what, the night."""
    _refuse_without_votes(scene, "end-of-day")
    number, flip = _fallen(scene)
    ending, remarks = ending_of(scene, number)
    facts = {
        "day": number,
        "locked": _locked(scene, number),
        "hammer": _hammer(ending),
        "void": [post_facts(post, ending.count.posts) for post in ending.void] if ending else [],
    }
    count = (count_nodes(ending.count, Look(), scene.setup),) if ending else ()
    over = scene.table is not None and not scene.table.windows
    night = {"day": number, "until": _night_until(scene, number), "over": over}
    return Made((Section("any/end-of-day", facts), *count, flip, Section("any/night", night)), remarks)


def dawn(scene: Scene) -> Made:
    """The post of the morning: who died, by what everybody may know, and what comes now."""
    if scene.table is None and scene.game is None:
        number = _running(scene)
        return Made((Section("any/dawn", {**_morning(scene, number), **_standing(scene, number)}),))
    event = scene.last("dawn")
    if event is None or scene.game is None:
        raise InputError(_no_dawn(scene))
    after = _day_after(scene)
    rest = () if after is None else (Section("any/day-ends", {"day": after, **_standing(scene, after)}),)
    return Made((Section(f"{scene.game.spec.id}/dawn", scene.told(event)), *rest))


def _no_dawn(scene: Scene) -> str:
    if not scene.has("dawn"):
        return f"{_name(scene)} has no nights, so there is no dawn."
    return "No night has ended yet, so there is no dawn to tell of: knightfall commit night, then this again."


def _name(scene: Scene) -> str:
    return scene.game.spec.name if scene.game else "This game"


def _refuse_without_votes(scene: Scene, kind: str) -> None:
    if not scene.votes_by_day:
        raise InputError(
            f"{_name(scene)} has no days with votes in the thread, so no {kind}. What was closed last: "
            "knightfall post results."
        )


def _running(scene: Scene) -> int:
    """The day that runs. Raises InputError where none does."""
    _refuse_without_votes(scene, "day-start")
    if scene.table is not None:
        return _running_there(scene.facts)
    if scene.game is not None:
        raise InputError("The game has not begun: knightfall new deals it, then there is a first day.")
    closed = {number for number, _ in closed_days(scene.journal)}
    number = max((day.number for day in scene.setup.days), default=max(closed, default=0) + 1)
    if number in closed:
        raise InputError(
            f"Day {number} is closed. Give the next one a [[day]] with number = {number + 1} in game.toml, "
            "then its post can be written."
        )
    return number


def _running_there(facts: Mapping[str, Any]) -> int:
    """The day that runs in a begun game."""
    if facts["phase"] == "over":
        raise InputError("The game is over: knightfall post endgame.")
    if facts["phase"] != "day":
        raise InputError(
            f"No day runs now ({facts['phase']} {facts['number']} is open). Close that first: "
            "knightfall commit."
        )
    return int(facts["number"])


def _day_after(scene: Scene) -> int | None:
    """The day that runs now; None where the game is over or it is night again."""
    return int(scene.facts["number"]) if scene.facts.get("phase") == "day" else None


def _morning(scene: Scene, number: int) -> dict[str, object]:
    """Who died since the day before, with the roles that were shown."""
    return {"night": number - 1, "deaths": list(_died(scene, number)), "first": number == 1}


def _died(scene: Scene, number: int) -> Iterator[dict[str, str]]:
    """Of a begun game by its latest dawn, of others by the posts at which players left."""
    event = scene.last("dawn", "elimination")
    if scene.table is not None:
        rows: Any = event.facts.get("deaths", ()) if event and event.kind == "dawn" else ()
        yield from ({"name": shown(scene, row["name"]), "role": row["role"]} for row in rows)
        return
    before = scene.setup.day(number - 1)
    since = before.start if before and before.start is not None else 0
    for one in dead(scene):
        slot = scene.setup.roster.slot_of(one.slot) if scene.setup.roster else None
        if slot and slot.left and slot.left.how is How.KILLED and slot.left.post >= since:
            yield {"name": one.slot, "role": one.role}


def _standing(scene: Scene, number: int) -> dict[str, object]:
    """How many live, how many votes it takes, until when."""
    names = living(scene)
    return {
        "alive": len(names),
        "names": [shown(scene, name) for name in names],
        "needed": _needed(scene, len(names)),
        "eliminate_word": scene.setup.terms.eliminate,
        "until": until_facts(end_of(scene, "day", number), scene.zone),
        "boundary": BOUNDARIES[scene.setup.rule.boundary],
        "locks": scene.setup.rule.boundary is Boundary.UNTIL_LOCK,
    }


def _needed(scene: Scene, alive: int) -> int | None:
    """Votes that eliminate at once; None where most votes decide at the deadline."""
    if scene.table is not None:
        needed = scene.facts.get("needed")
        return None if needed is None else int(needed)
    rule = scene.setup.rule
    return None if rule.death is Death.PLURALITY else rule.majority(alive)


def _changed(scene: Scene) -> Iterator[str]:
    """Sentences on voting that the rules post does not say as it was last posted."""
    last = due(scene.journal, "rules").last
    if last is not None:
        posted = squash(last.text)
        sentences = rule_sentences(scene.setup.rule, scene.setup.terms.no_elimination)
        yield from (sentence for sentence in sentences if squash(sentence) not in posted)


def _last_end(scene: Scene, number: int) -> dict[str, Any] | None:
    """The post after which the day before was locked."""
    post = _locked_post(scene, number - 1)
    return None if post is None else post_facts(post, scene.posts)


def _locked(scene: Scene, number: int) -> dict[str, Any] | None:
    post = _locked_post(scene, number)
    return None if post is None else post_facts(post, scene.posts)


def _locked_post(scene: Scene, number: int) -> int | None:
    posts = [post_of(entry.post) for _, entry in scene.entries(Locked) if entry.window == window_of(number)]
    return posts[-1] if posts else None


def _fallen(scene: Scene) -> tuple[int, Section]:
    """The day that was closed last, and the words on who fell. Raises InputError where none was."""
    if scene.table is not None and scene.game is not None:
        event = scene.last("elimination")
        if event is None:
            raise InputError(_NOT_CLOSED)
        return int(str(event.facts["day"])), Section(f"{scene.game.spec.id}/elimination", scene.told(event))
    closed = [number for number, _ in closed_days(scene.journal)]
    if not closed:
        raise InputError(_NOT_CLOSED)
    return closed[-1], Section("any/flip", _flip(scene, closed[-1]))


_NOT_CLOSED = (
    "No day was closed yet, so nothing is told of anybody's role. Count, check and confirm first: knightfall "
    "phase close."
)


def _flip(scene: Scene, number: int) -> dict[str, object]:
    """The facts of `any/flip` for a game that is run by hand."""
    fell = [name for day, name in scene.setup.fallen if day == number]
    roles = {one.slot: one.role for one in dead(scene)}
    return {
        "day": number,
        "fallen": [{"name": name, "role": roles.get(name) or None} for name in fell],
        "eliminate_word": scene.setup.terms.eliminate,
        "nobody": scene.setup.terms.no_elimination,
    }


def _hammer(ending: Ending | None) -> dict[str, Any] | None:
    """{by, post} of the vote that was enough."""
    hammer = ending.count.tally.hammer if ending else None
    if ending is None or hammer is None:
        return None
    by = hammer.voter.name if hammer.voter else None
    return {"by": by, "post": post_facts(hammer.post, ending.count.posts)}


def _night_until(scene: Scene, number: int) -> dict[str, object] | None:
    return until_facts(end_of(scene, "night", number), scene.zone)
