"""The posts of a game, from the sign-ups to the record: each kind made, compared and kept."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from difflib import SequenceMatcher
from itertools import dropwhile
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

from knightfall.config.calendar import closed_days, window_of
from knightfall.config.setup import ThreadSetup
from knightfall.engine.game import Announced, Option, announced
from knightfall.engine.journal import (
    Away,
    Extended,
    Journal,
    Locked,
    Opened,
    Prodded,
    Published,
    Record,
    Removed,
    Replaced,
    Revived,
    Ruled,
    Stopped,
    standing,
)
from knightfall.engine.json_text import as_object
from knightfall.engine.prods import ProdRule
from knightfall.engine.safe_text import cell
from knightfall.errors import InputError, KnightfallError, SecretGuard
from knightfall.forums.sites import site_of
from knightfall.mafia.endgame_history import Proof, completed
from knightfall.markup.dialects import dialect
from knightfall.models import DepartureKind
from knightfall.names import squash
from knightfall.services.count_request import CountRequest, PostFormat, count_nodes, told_in_parts
from knightfall.services.deal import endgame_facts, parse_proof
from knightfall.services.game_state import DEAL_FILE
from knightfall.services.guard import released
from knightfall.services.post_facts import (
    Ending,
    Made,
    PostContext,
    Section,
    dead,
    end_of,
    ending_of,
    groups,
    holder,
    living,
    phase_name,
    post_nodes,
    post_of,
    scene_of,
    shown,
    slots,
    stations,
    until_facts,
)
from knightfall.services.publish import due, note_posted, votecount_kind
from knightfall.services.reading import RICH, speech_of
from knightfall.services.session import Copy, Say, Session, game_folder, journal_of
from knightfall.services.votecount import counted
from knightfall.storage.drafts import PUBLIC, write_public
from knightfall.votes.rule import BOUNDARIES, AtDeadline, Boundary, Death, needed_table, rule_sentences
from knightfall.votes.votecount import View, seen_by
from knightfall.writeups.facts import local_time, post_facts
from knightfall.writeups.render import written

ENDINGS = frozenset({"ending", "match_end", "deathmatch"})
"""Posts with which a game ends; what is announced behind one belongs to the end, too."""
PASSED = "May this go out to everybody?"
"""How the journal begins what the secret guard let pass for a reason: no ruling of the game."""


def endgame(scene: PostContext) -> Made:
    """Everything, now that nothing is a secret any more. Private threads are not opened here: ask first."""
    told, proof = _closing_events(scene), proof_of(scene)
    spec = scene.game.spec.id if scene.game else ""
    last = [Section(f"{spec}/{event.kind}", scene.told(event)) for event in _with_nights(scene, told, proof)]
    inside = any("nights" in event.facts for event in told)
    moderators = list(scene.setup.moderators)
    facts = {"title": scene.title, "moderators": moderators, "rooms": scene.votes_by_day}
    return Made(
        (
            Section("any/endgame", facts),
            *last,
            *_votes(scene),
            *rulings_of(scene),
            *(() if inside or proof is None else (Section("any/proof", {"proof": proof}),)),
            Section("any/thanks", facts),
        )
    )


def over(scene: PostContext) -> bool:
    """Whether a begun game has come to its end."""
    return scene.table is not None and scene.table.game.outcome(scene.table.state) is not None


def _closing_events(scene: PostContext) -> tuple[Announced, ...]:
    """The ending and all that was announced after it. Raises InputError while the game goes on."""
    if scene.table is None:
        raise InputError(
            "No game was begun here, so its end is not known either: this post is for games that knightfall "
            "plays (knightfall new). Who played, and who died as what, is in knightfall post archive."
        )
    if not over(scene):
        open_ = ", ".join(window.title for window in scene.table.windows)
        raise InputError(f"The game goes on ({open_}); its end cannot be told yet: knightfall missing.")
    return tuple(dropwhile(lambda event: event.kind not in ENDINGS, scene.public))


def _with_nights(
    scene: PostContext, told: tuple[Announced, ...], proof: Proof | None
) -> tuple[Announced, ...]:
    """A mafia game's ending with every night and the proof; other endings as they were."""
    whole = announced(completed(scene.table.replay.events, proof)) if scene.table else ()
    return whole[len(whole) - len(told) :]


def proof_of(scene: PostContext) -> Proof | None:
    """What lets everybody deal again; None where the folder has no deal."""
    file = game_folder(scene.folder) / DEAL_FILE
    try:
        return endgame_facts(parse_proof(str(file), file.read_text(encoding="utf-8")))
    except (OSError, KnightfallError):
        return None


def rulings_of(scene: PostContext) -> tuple[Section, ...]:
    """What the moderator decided, but for what he let pass the guard."""
    rows = [
        {"question": entry.question, "answer": entry.answer, "why": entry.why}
        for _, entry in scene.entries(Ruled)
        if not entry.question.startswith(PASSED)
    ]
    return (Section("any/decided", {"rulings": rows}),) if rows else ()


def _votes(scene: PostContext) -> tuple[Section, ...]:
    """For whom everybody voted at the end of each day, as far as the thread was read."""
    days = list(_days(scene)) if scene.votes_by_day and scene.kept() else []
    if not days:
        return ()
    rows = [
        {"name": shown(scene, slot), "votes": [votes.get(holder(scene, slot), "") for _, votes in days]}
        for slot in slots(scene)
    ]
    return (Section("any/every-vote", {"days": [day for day, _ in days], "rows": rows}),)


def _days(scene: PostContext) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each day that can still be counted: voter → whom."""
    days = [int(str(event.facts["day"])) for event in scene.public if event.kind == "elimination"]
    for place, day in enumerate(days, start=1):
        ending, _ = ending_of(scene, day)
        if scene.session.progress:
            scene.session.progress(place, len(days))
        if ending is not None:
            yield day, _votes_at(ending, scene.setup.terms.no_elimination)


def _votes_at(ending: Ending, nobody: str) -> Mapping[str, str]:
    return {
        vote.voter.name: wagon.target.name if wagon.target else nobody
        for wagon in ending.count.tally.wagons
        for vote in wagon.votes
    }


@dataclass(frozen=True, slots=True)
class Player:
    """A line of the record: the slot with its holder, the role, how it ended, and whether it won ("" where
    nobody says)."""

    name: str
    role: str
    end: str
    result: str


@dataclass(frozen=True, slots=True)
class Archive:
    """A game as an archive keeps it; "" where something is not known."""

    title: str
    game: str
    setup: str
    moderators: tuple[str, ...]
    thread: str
    began: str
    ended: str
    winner: str
    players: tuple[Player, ...]


def archive_post(scene: PostContext) -> Made:
    """The record as a post."""
    return Made((Section("any/archive", asdict(record_of(scene))),))


def archive_file(scene: PostContext, form: str) -> str:
    """The record as `csv` (a line a player) or `json`. Raises InputError for another form."""
    if form == "json":
        return as_object(asdict(record_of(scene)))
    if form == "csv":
        return _csv(record_of(scene))
    raise InputError(f"--format {form}: expected csv or json; without it the record is a post.")


def record_of(scene: PostContext) -> Archive:
    """The record. Raises InputError while a begun game goes on: its roles are secret."""
    if scene.table is not None and not over(scene):
        raise InputError(
            "The game goes on, so its roles are no record yet: knightfall post endgame, then this."
        )
    if scene.table is None and scene.game is not None:
        raise InputError("The game has not begun: there is nothing to keep yet.")
    return Archive(
        scene.title,
        scene.game.spec.name if scene.game else "",
        str(_ending(scene).get("code", "")),
        scene.setup.moderators,
        scene.setup.url or "",
        _date(scene, 0),
        _date(scene, -1) if over(scene) else "",
        _winner(scene),
        tuple(_player(scene, slot) for slot in slots(scene)),
    )


def _ending(scene: PostContext) -> Mapping[str, Any]:
    event: Announced | None = scene.last("ending")
    return event.facts if event else {}


def _date(scene: PostContext, place: int) -> str:
    """The day of the first or last entry, by the moderator's clocks."""
    if not scene.journal:
        return ""
    return f"{scene.journal[place].at.astimezone(scene.zone):%Y-%m-%d}"


def _winner(scene: PostContext) -> str:
    outcome = scene.table.game.outcome(scene.table.state) if scene.table else None
    if outcome is None:
        return ""
    if outcome.winner is None or outcome.winner in outcome.slots:
        return outcome.winner or "nobody"
    side = outcome.winner.replace("_", " ")
    side = side if side.isupper() else side.title()
    return f"{shown(scene, outcome.slots[0])} ({side})" if len(outcome.slots) == 1 else side


def _player(scene: PostContext, slot: str) -> Player:
    rows: Mapping[str, Mapping[str, Any]] = {row["name"]: row for row in _ending(scene).get("roles", ())}
    row = rows.get(slot, {})
    gone = next((one for one in dead(scene) if one.slot == slot), None)
    role = str(row.get("role", gone.role if gone else ""))
    return Player(shown(scene, slot), role, _end(scene, slot), _result(scene, slot))


def _end(scene: PostContext, slot: str) -> str:
    """How and when the slot left; “alive” where it did not, "" where the game knows no deaths."""
    for one in dead(scene):
        if one.slot == slot:
            return f"{one.how}, {one.when}"
    if "knights" in scene.facts:
        knight = next(one for one in scene.facts["knights"] if one["name"] == slot)
        return f"{knight['left']}, turn {knight['turn']}" if knight["left"] else "standing"
    return "alive" if scene.votes_by_day else ""


def _result(scene: PostContext, slot: str) -> str:
    outcome = scene.table.game.outcome(scene.table.state) if scene.table else None
    if outcome is None:
        return ""
    return "won" if slot in outcome.slots else "drawn" if outcome.winner is None else "lost"


def _csv(record: Archive) -> str:
    """A table for a spreadsheet: no cell of it is taken for a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("title", "game", "setup", "began", "ended", "winner", "player", "role", "end", "result"))
    game = (record.title, record.game, record.setup, record.began, record.ended, record.winner)
    for one in record.players:
        cells = (*game, one.name, one.role, one.end, one.result)
        writer.writerow([cell(text) for text in cells])
    return out.getvalue()


MOST = 13
"""So many living players the table begins with where the game file lists none."""
PLACES = {"signup": "Sign-ups", "game": "Game", "vote": "Votes"}
"""Threads that everybody may read, as a link calls them."""
WIDEST = 4
"""A choice among more values than this is a setup, not a rule of the house: it may be a secret."""


def sign_ups(scene: PostContext) -> Made:
    """The first post of a sign-up thread, whole, as it reads now."""
    if scene.table is not None:
        raise InputError("The game has begun, so nobody signs up any more: knightfall post opening.")
    facts = {
        **_head(scene),
        "game": scene.game.spec.name if scene.game else None,
        "fewest": scene.game.spec.players[0] if scene.game else None,
        "most": scene.game.spec.players[-1] if scene.game else None,
        "zone": scene.setup.zone.key if scene.setup.zone else None,
        "places": _places(scene, "game"),
        "players": [shown(scene, slot) for slot in slots(scene)],
        "prods": list(_prods(scene.setup.prods)),
    }
    return Made((Section("any/signup", facts),))


def rules(scene: PostContext) -> Made:
    """How votes count, from the rule object itself; what the house chose of the game's own rules; conduct."""
    sections = (_voting(scene),) if scene.votes_by_day else ()
    house, prods = list(_house(scene)), list(_prods(scene.setup.prods))
    facts = {"house": house, "prods": prods, "mafia": scene.votes_by_day}
    return Made((*sections, Section("any/conduct", facts)))


def opening(scene: PostContext) -> Made:
    """The first post of the game's thread: it is edited in every phase, so it is written whole."""
    facts = {**_head(scene), "places": _places(scene, "signup", "vote"), "commitment": _commitment(scene)}
    began = scene.last("opening")
    table = Section("any/players", {"groups": groups(scene), "stations": stations(scene)})
    own = Section(f"{scene.game.spec.id}/opening", began.facts) if began and scene.game else None
    if own is None:
        return Made((Section("any/opening", facts), table))
    if len(scene.public) == 1:
        return Made((Section("any/opening", facts), own))
    return Made((Section("any/opening", facts), table, Section("any/began", {}), own))


def _head(scene: PostContext) -> dict[str, object]:
    return {"title": scene.title, "moderators": list(scene.setup.moderators)}


def _places(scene: PostContext, *roles: str) -> list[dict[str, str]]:
    """Links to the public threads of these roles; the address of a private one never comes here."""
    threads = (one for one in scene.setup.threads if not one.secret and one.role in roles)
    return [_place(one) for one in threads]


def _place(thread: ThreadSetup) -> dict[str, str]:
    return {"name": PLACES[thread.role], "url": thread.url}


def _voting(scene: PostContext) -> Section:
    setup = scene.setup
    most = len(slots(scene)) or MOST
    most_votes = setup.rule.death is Death.PLURALITY and setup.rule.at_deadline is AtDeadline.NOBODY
    rows = () if most_votes else needed_table(setup.rule, most)
    facts = {
        "sentences": list(rule_sentences(setup.rule, setup.terms.no_elimination)),
        "rows": [{"alive": a, "needed": n, "nobody": "–" if z is None else z} for a, n, z in rows],
        "eliminate_word": setup.terms.eliminate,
        "nobody": setup.terms.no_elimination,
    }
    return Section("any/rules", facts)


def _house(scene: PostContext) -> Iterator[Mapping[str, str]]:
    """What the house plays otherwise than the game does by itself."""
    for option in scene.game.spec.options if scene.game else ():
        said = str(scene.setup.options.get(option.name, option.default)).lower()
        if _is_rule(option) and said != option.default:
            yield {"question": option.question, "value": said.replace("_", " ")}


def _is_rule(option: Option) -> bool:
    return not option.pattern and len(option.values) <= WIDEST


def _prods(rule: ProdRule) -> Iterator[str]:
    """How silence is dealt with, in sentences."""
    if rule.after is None:
        return
    hours = rule.after.total_seconds() / 3600
    skipped = "; weekends do not count" if rule.skip_weekends else ""
    yield f"Whoever is silent for {hours:g} hours is asked to post{skipped}."
    if rule.grace is not None:
        yield f"Whoever stays silent for {rule.grace.total_seconds() / 3600:g} hours more is asked again."
    if rule.most is not None:
        times = "time" if rule.most == 1 else "times"
        yield f"Whoever was asked {rule.most} {times} and stays silent is replaced or removed."


def _commitment(scene: PostContext) -> str | None:
    """The number that binds the deal; None where the game was not dealt here."""
    if scene.table is None:
        return None
    try:
        said = json.loads((game_folder(scene.folder) / DEAL_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found = said.get("commitment") if isinstance(said, dict) else None
    return found if isinstance(found, str) else None


AROUND = 1
"""So many lines that stay are shown on each side of a change."""


def summary(text: str, last: Record | None, zone: ZoneInfo) -> str:
    """One sentence: against which post, and how many lines are new and gone."""
    said = _posted(last)
    if last is None or said is None:
        return "Nothing of this kind was noted as posted yet (--posted notes it)."
    gone, new = _sizes(said.text, text)
    which = f"number {said.number}, noted {local_time(last.at, zone)}"
    if not gone and not new:
        return f"Nothing changes against the last one ({which})."
    return f"Against the last one ({which}): {_lines(new)} new, {_lines(gone)} gone."


def difference(text: str, last: Record | None) -> str:
    """The lines that go (-) and come (+), those beside them as they stay; "" where nothing changes."""
    said = _posted(last)
    before = said.text.splitlines() if said else []
    return "\n".join(_shown(before, text.splitlines()))


def _posted(last: Record | None) -> Published | None:
    return last.entry if last is not None and isinstance(last.entry, Published) else None


def _lines(number: int) -> str:
    return f"{number} line{'' if number == 1 else 's'}"


def _sizes(before: str, after: str) -> tuple[int, int]:
    """How many lines go, and how many come."""
    marks = [line[0] for line in _shown(before.splitlines(), after.splitlines()) if line]
    return marks.count("-"), marks.count("+")


def _shown(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    for number, group in enumerate(_matcher(before, after).get_grouped_opcodes(AROUND)):
        if number:
            yield "…"
        for tag, old, old_end, new, new_end in group:
            if tag == "equal":
                yield from (f"  {line}" for line in before[old:old_end])
                continue
            yield from (f"- {line}" for line in before[old:old_end])
            yield from (f"+ {line}" for line in after[new:new_end])


def _matcher(before: Sequence[str], after: Sequence[str]) -> SequenceMatcher[str]:
    return SequenceMatcher(None, before, after, autojunk=False)


def day_start(scene: PostContext) -> Made:
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


def votecount(scene: PostContext) -> Made:
    """The count of the day, as the players may see it."""
    _refuse_without_votes(scene, "votecount")
    if scene.setup.url is None:
        raise InputError("The game file names no thread to count: add a [[thread]] with its url to it.")
    found = counted(CountRequest(stored=scene.stored), scene.session)
    count = seen_by(View.PUBLIC, found.count)
    questions = len(count.tally.questions)
    remarks = (f"{questions} vote(s) need your decision: knightfall vc tells which.",) if questions else ()
    name = votecount_kind(count.day.number)
    return Made((count_nodes(count, PostFormat(), scene.setup),), remarks, count.tally.at, name)


def end_of_day(scene: PostContext) -> Made:
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
    count = (count_nodes(ending.count, PostFormat(), scene.setup),) if ending else ()
    over = scene.table is not None and not scene.table.windows
    night = {"day": number, "until": _night_until(scene, number), "over": over}
    return Made((Section("any/end-of-day", facts), *count, flip, Section("any/night", night)), remarks)


def dawn(scene: PostContext) -> Made:
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


def _no_dawn(scene: PostContext) -> str:
    if not scene.has("dawn"):
        return f"{_name(scene)} has no nights, so there is no dawn."
    return "No night has ended yet, so there is no dawn to tell of: knightfall commit night, then this again."


def _name(scene: PostContext) -> str:
    return scene.game.spec.name if scene.game else "This game"


def _refuse_without_votes(scene: PostContext, kind: str) -> None:
    if not scene.votes_by_day:
        raise InputError(
            f"{_name(scene)} has no days with votes in the thread, so no {kind}. What was closed last: "
            "knightfall post results."
        )


def _running(scene: PostContext) -> int:
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


def _day_after(scene: PostContext) -> int | None:
    """The day that runs now; None where the game is over or it is night again."""
    return int(scene.facts["number"]) if scene.facts.get("phase") == "day" else None


def _morning(scene: PostContext, number: int) -> dict[str, object]:
    """Who died since the day before, with the roles that were shown."""
    return {"night": number - 1, "deaths": list(_died(scene, number)), "first": number == 1}


def _died(scene: PostContext, number: int) -> Iterator[dict[str, str]]:
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
        if slot and slot.left and slot.left.how is DepartureKind.KILLED and slot.left.post >= since:
            yield {"name": one.slot, "role": one.role}


def _standing(scene: PostContext, number: int) -> dict[str, object]:
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


def _needed(scene: PostContext, alive: int) -> int | None:
    """Votes that eliminate at once; None where most votes decide at the deadline."""
    if scene.table is not None:
        needed = scene.facts.get("needed")
        return None if needed is None else int(needed)
    rule = scene.setup.rule
    return None if rule.death is Death.PLURALITY else rule.majority(alive)


def _changed(scene: PostContext) -> Iterator[str]:
    """Sentences on voting that the rules post does not say as it was last posted."""
    last = due(scene.journal, "rules").last
    if last is not None:
        posted = squash(last.text)
        sentences = rule_sentences(scene.setup.rule, scene.setup.terms.no_elimination)
        yield from (sentence for sentence in sentences if squash(sentence) not in posted)


def _last_end(scene: PostContext, number: int) -> dict[str, Any] | None:
    """The post after which the day before was locked."""
    post = _locked_post(scene, number - 1)
    return None if post is None else post_facts(post, scene.posts)


def _locked(scene: PostContext, number: int) -> dict[str, Any] | None:
    post = _locked_post(scene, number)
    return None if post is None else post_facts(post, scene.posts)


def _locked_post(scene: PostContext, number: int) -> int | None:
    posts = [post_of(entry.post) for _, entry in scene.entries(Locked) if entry.window == window_of(number)]
    return posts[-1] if posts else None


def _fallen(scene: PostContext) -> tuple[int, Section]:
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


def _flip(scene: PostContext, number: int) -> dict[str, object]:
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


def _night_until(scene: PostContext, number: int) -> dict[str, object] | None:
    return until_facts(end_of(scene, "night", number), scene.zone)


KIND = "note"
_PEOPLE = (Replaced, Removed, Revived)
_Told: TypeAlias = Replaced | Removed | Revived | Away | Extended | Stopped
_LEFT: Mapping[str, str] = MappingProxyType({"modkill": "is no longer in the game", "kill": "has died"})
"""Never why: that is between the player and the moderator."""


def note(scene: PostContext) -> Made:
    """All that has happened to people and clocks since the last note was posted."""
    since = max((number for number, entry in scene.entries(Published) if entry.kind == KIND), default=0)
    items = list(_items(scene, since))
    prods = sum(number > since for number, _ in scene.entries(Prodded))
    if not items and not prods:
        raise InputError(
            "Nobody was replaced, removed, prodded or announced away since the last note, and no deadline "
            "was moved. Your own words go into a post of any kind with --flavour FILE."
        )
    return Made((Section("any/note", {"items": items, "prods": prods}),))


def error(scene: PostContext) -> Made:
    """The least that can be said of a mistake."""
    return Made((Section("any/error", {"moderators": list(scene.setup.moderators)}),))


def _items(scene: PostContext, since: int) -> Iterator[Mapping[str, object]]:
    """One item an entry, in order."""
    for record in scene.journal:
        entry = record.entry
        if record.number > since and isinstance(
            entry, Replaced | Removed | Revived | Away | Extended | Stopped
        ):
            yield _item(scene, record.number, entry)


def _item(scene: PostContext, number: int, entry: _Told) -> Mapping[str, object]:
    match entry:
        case Replaced(slot=slot, name=name):
            said: dict[str, object] = {
                "what": "replaced",
                "name": name,
                "old": _held_before(scene, slot, number),
            }
        case Removed(slot=slot, how=how):
            said = {"what": "removed", "name": holder(scene, slot), "how": _LEFT.get(how, _LEFT["modkill"])}
            said["role"] = next((one.role for one in dead(scene) if one.slot == slot), "")
        case Revived(slot=slot):
            said = {"what": "revived", "name": holder(scene, slot)}
        case Away(slot=slot, first=first, last=last):
            said = {"what": "away", "name": holder(scene, slot), "first": _day(first), "last": _day(last)}
        case Extended(window=window, until=until):
            said = {"what": "extended", "phase": phase_name(window), "until": until_facts(until, scene.zone)}
            said["old"] = until_facts(_end_before(scene, window, number), scene.zone)
        case Stopped(window=window):
            said = {"what": "stopped", "phase": phase_name(window)}
    post = post_of(entry.post) if isinstance(entry, _PEOPLE) else None
    return {**said, "post": None if post is None else post_facts(post, scene.posts)}


def _held_before(scene: PostContext, slot: str, number: int) -> str:
    """Who held the slot before that entry."""
    said = [entry.name for n, entry in scene.entries(Replaced) if n < number and entry.slot == slot]
    return said[-1] if said else slot


def _end_before(scene: PostContext, window: str, number: int) -> datetime | None:
    """Until when the window was open before that entry."""
    said = [
        record.entry.until
        for record in scene.journal
        if record.number < number
        and isinstance(record.entry, Opened | Extended)
        and record.entry.window == window
        and record.entry.until
    ]
    if said:
        return said[-1]
    kind, _, day = window.partition("-")
    given = scene.setup.day(int(day)) if kind == "day" and day.isdecimal() else None
    return given.deadline if given else None


def _day(iso: str) -> str:
    """“28 Nov 2026”."""
    moment = date.fromisoformat(iso)
    return f"{moment.day} {moment:%b %Y}"


def results(scene: PostContext) -> Made:
    """The posts of the latest closing; of a night only that every PM is out, the same after each."""
    if scene.has("dawn"):
        return _results_are_out(scene)
    if scene.game is None or scene.table is None:
        raise InputError("No game was begun here, so there are no results: knightfall new begins one.")
    events = _latest(scene)
    if not events:
        raise InputError("Nothing was closed yet, so there are no results: knightfall commit.")
    return Made(tuple(Section(f"{scene.game.spec.id}/{event.kind}", scene.told(event)) for event in events))


def _results_are_out(scene: PostContext) -> Made:
    event = scene.last("dawn")
    if event is None:
        raise InputError("No night has ended yet, so there are no results: knightfall commit night.")
    return Made((Section("any/results", {"night": event.facts["night"]}),))


def _latest(scene: PostContext) -> tuple[Announced, ...]:
    """What was announced last, without the first post of the game."""
    taken = scene.table.replay.taken[1:] if scene.table else ()
    found = (announced(one.events) for one in reversed(taken))
    return next((events for events in found if events), ())


KINDS: Mapping[str, Callable[[PostContext], Made]] = MappingProxyType(
    {
        "signup": sign_ups,
        "rules": rules,
        "opening": opening,
        "day-start": day_start,
        "votecount": votecount,
        "note": note,
        "end-of-day": end_of_day,
        "dawn": dawn,
        "results": results,
        "error": error,
        "endgame": endgame,
        "archive": archive_post,
    }
)
"""In the order in which a game needs them."""


def checked(kind: str) -> str:
    """The kind. Raises InputError with those there are."""
    wanted = kind.strip().lower().replace("_", "-")
    if wanted not in KINDS:
        raise InputError(f"“{kind}” is no kind of post; expected one of {', '.join(KINDS)}.")
    return wanted


def made(kind: str, scene: PostContext) -> Made:
    """The post of that kind. Raises InputError where the game cannot say it yet, or never says it."""
    return KINDS[checked(kind)](scene)


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for on the command line. `form`: the record as csv or json; `allow`: why a secret may
    go out; `diff`: only what changes; `posted`: it went out; `stored`: a count of what was read before."""

    kind: str
    game: Path
    dialect: str | None = None
    flavour: Path | None = None
    limit: int | None = None
    form: str | None = None
    allow: str = ""
    diff: bool = False
    posted: bool = False
    stored: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """A post that may go out, in the parts that its site allows; `name` is what the journal calls it."""

    name: str
    parts: tuple[str, ...]
    speech: str
    upto: int
    remarks: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it."""
        return "\n\n".join(self.parts)


def post(asked: Asked, session: Session, out: Say, err: Say, copy: Copy | None = None) -> None:
    """Prints a post and keeps it in `public/`; or what changes in it, with `diff`.

    Raises InputError for a kind that there is not, and for what it cannot say yet; SecretGuard where the text
    gives something away: then nothing is printed, kept or copied.
    """
    asked = replace(asked, kind=checked(asked.kind))
    if asked.dialect:
        dialect(asked.dialect)  # an unknown one is told before anything is read
    scene = scene_of(session, asked.stored)
    draft = drafted(asked, scene)
    released(draft.text, session, asked.allow)
    for remark in draft.remarks:
        err(remark)
    last = _last_posted(journal_of(session), draft.name)
    if asked.diff or last is not None:
        err(summary(draft.text, last, scene.zone))
    if asked.diff:
        out(difference(draft.text, last) or "Nothing changes.")
        return
    told_in_parts(draft.parts, draft.speech, out, err)
    files = keep(draft, asked, game_folder(asked.game))
    err(f"Kept in {', '.join(f'{PUBLIC}/{file.name}' for file in files)}.")
    _sent(draft, asked, session, err, copy)


def drafted(asked: Asked, scene: PostContext) -> Draft:
    """The post as it would go out; it is not yet read for secrets, but for the flavour, which is."""
    if asked.form is not None:
        return _record(asked, scene)
    found, flavour = made(asked.kind, scene), _flavour(asked, scene)
    site = None if asked.dialect else site_of(scene.setup.url or "")
    limit = asked.limit or (site.max_length if site else None)
    return in_dialect(asked.kind, found, speech_of(asked.dialect, scene.setup, scene.session), flavour, limit)


def in_dialect(kind: str, found: Made, speech: str, flavour: str = "", limit: int | None = None) -> Draft:
    """A post of a kind in a dialect, in as many parts as are needed."""
    parts = written(post_nodes(found, flavour), speech, limit)
    return Draft(found.name or kind, parts, speech, found.upto or 0, found.remarks)


def keep(draft: Draft, asked: Asked, folder: Path) -> tuple[Path, ...]:
    """Writes the parts into `public/`: `rules.txt`, or `endgame-1.txt` and so on; parts of an earlier and
    longer one are taken away."""
    ending = asked.form or "txt"
    one = len(draft.parts) == 1
    names = [
        f"{asked.kind}.{ending}" if one else f"{asked.kind}-{n}.{ending}"
        for n in range(1, len(draft.parts) + 1)
    ]
    files = tuple(write_public(folder, name, part) for name, part in zip(names, draft.parts, strict=True))
    _take_away(folder / PUBLIC, re.compile(rf"{asked.kind}(-\d+)?\.{ending}"), names)
    return files


def _take_away(place: Path, ours: re.Pattern[str], names: list[str]) -> None:
    for file in place.iterdir():
        if ours.fullmatch(file.name) and file.name not in names:
            file.unlink(missing_ok=True)


def _record(asked: Asked, scene: PostContext) -> Draft:
    if asked.kind != "archive":
        raise InputError(f"--format is for the record of a game: knightfall post archive, not {asked.kind}.")
    text = archive_file(scene, asked.form or "")
    return Draft(f"archive-{asked.form}", (text.rstrip("\n"),), "plain", 0, ())


def _flavour(asked: Asked, scene: PostContext) -> str:
    """The moderator's own words, which are read for secrets by themselves, so that the line is theirs. With a
    reason to let something pass the whole post is read once, and the reason noted once."""
    if asked.flavour is None:
        return ""
    text = _text_of(asked.flavour)
    if not asked.allow.strip():
        try:
            released(text, scene.session)
        except SecretGuard as leak:
            raise SecretGuard(f"{asked.flavour}: {leak}") from None
    return text


def _text_of(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{file} cannot be read: {fault.strerror}.") from None
    except UnicodeDecodeError:
        raise InputError(f"{file} is not UTF-8 text. Save it as UTF-8 and try again.") from None


def _last_posted(journal: Journal, name: str) -> Record | None:
    """The last post of that name that is noted as posted."""
    posted = [r for r in standing(journal) if isinstance(r.entry, Published) and r.entry.kind == name]
    return posted[-1] if posted else None


def _sent(
    draft: Draft, asked: Asked, session: Session, err: Callable[[str], None], copy: Copy | None
) -> None:
    """On the clipboard and into the journal, as far as that is asked for."""
    if copy is not None:
        _copied(draft, err, copy)
    if asked.posted:
        noted = note_posted(draft.name, draft.text, draft.upto, journal_of(session), session)
        err(f"{draft.name} is noted as posted, number {noted.number}.")


def _copied(draft: Draft, err: Callable[[str], None], copy: Copy) -> None:
    """One part after the other, as long as the moderator asks for the next."""
    for number, part in enumerate(draft.parts, start=1):
        copy.copy(part, draft.speech == RICH)
        err("Copied." if len(draft.parts) == 1 else f"Copied: part {number} of {len(draft.parts)}.")
        if number < len(draft.parts) and not copy.pasted():
            return
