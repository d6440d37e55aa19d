"""A game as JSON for other programs: who played, what was voted, what came of it; for everybody or for its
moderator. The schema is `knightfall/passport.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from knightfall.config.calendar import closed_days
from knightfall.engine.entries import Closed, Replaced, Ruled
from knightfall.engine.journal import Record, adopted_until
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, KnightfallError, SecretGuard
from knightfall.mafia.endgame_history import nights
from knightfall.sentence import SlotId
from knightfall.services.count.votecount import count_votes
from knightfall.services.guard import GameSecrets, hidden_in, passed
from knightfall.services.journal import line_of, public_lines
from knightfall.services.now import Now, now_of
from knightfall.services.posts.framing import proof_of, winner_named
from knightfall.services.requests import CountRequest
from knightfall.services.session import DEAL_FILE, Session, journal_of
from knightfall.storage.drafts import write_draft
from knightfall.writeups.facts import votecount_json

SCHEMA = "knightfall-passport-1"
SCHEMA_FILE = "passport.schema.json"


@dataclass(frozen=True, slots=True, repr=False)
class Passport(JsonAnswer):
    """A game for other programs; a `public` one holds nothing that players may not know."""

    values: Mapping[str, Any]
    public: bool

    def to_dict(self) -> dict[str, Any]:
        """As the schema has it."""
        return dict(self.values)

    @property
    def text(self) -> str:
        """The JSON as it is written into a file."""
        return json.dumps(self.values, ensure_ascii=False, indent=1)


def schema() -> dict[str, Any]:
    """The JSON schema of a passport."""
    found: dict[str, Any] = json.loads((files("knightfall") / SCHEMA_FILE).read_text(encoding="utf-8"))
    return found


def passport(session: Session, public: bool = False, allow_leak: str = "") -> Passport:
    """The passport of a game as it stands, from what was read of its thread.

    Raises InputError where nothing was played or counted yet, SecretGuard where a public one would give
    something away and `allow_leak` has no reason.
    """
    context, journal = now_of(session), journal_of(session)
    if not journal and context.thread is None:
        raise InputError("Nothing was played or read yet, so there is nothing to write down.")
    told = {
        "schema": SCHEMA,
        "title": context.title,
        "game": context.setup.kind,
        "moderators": list(context.setup.moderators),
        "thread": context.setup.url or "",
        "zone": context.zone.key,
        "at": session.clock.now().isoformat(),
        "state": "over" if context.is_over else "running",
        "winner": winner_named(context),
        "adopted": adopted_until(journal) > 0,
        "players": list(_players(context, public)),
        "days": list(_days(context, session)),
        "proof": _proof(context, public),
    }
    if public:
        hidden = hidden_in(session)
        passed(json.dumps(told, ensure_ascii=False, indent=1), hidden, allow_leak)  # line by line
        # Their numbers would tell how many messages came in between, so they wait for the end.
        lines = public_lines(journal) if context.is_over else ()
        entries = [json.loads(one.line) for one in lines if _is_clean(one.words, hidden)]
        return Passport(told | {"public": True, "journal": entries}, public=True)
    rulings = [
        {"question": ruled.question, "answer": ruled.answer, "why": ruled.why}
        for _, ruled in context.entries(Ruled)
    ]
    private = {"public": False, "rulings": rulings, "nights": list(_nights(context))}
    entries = [json.loads(line_of(record)) for record in journal]
    return Passport(told | private | {"journal": entries}, public=False)


def _is_clean(words: str, hidden: GameSecrets) -> bool:
    """Whether an entry gives nothing away that is secret now."""
    try:
        passed(words, hidden)
    except SecretGuard:
        return False
    return True


def write_passport(made: Passport, file: Path) -> None:
    """Write a passport into a file that its owner alone may read. Raises InputError where that cannot be."""
    write_draft(file.parent, ".", file.name, made.text)


def _players(context: Now, public: bool) -> Iterator[dict[str, Any]]:
    """Each slot: its holders in order, whether it lives, how it ended, its role where that may be told."""
    living, dead = frozenset(context.living), {str(one.slot): one for one in context.dead}
    table = context.table
    hides = public and not context.is_over  # how many entries there are tells how many messages came
    known = table.game.roles(table.state) if table is not None and (context.is_over or not public) else {}
    for slot in context.slots:
        swaps = [(number, entry.name) for number, entry in context.entries(Replaced) if entry.slot == slot]
        later = [{"name": name} if hides else {"name": name, "entry": number} for number, name in swaps]
        fallen = dead.get(slot)
        role = known.get(SlotId(slot), "") or (fallen.role if fallen is not None else "")
        yield {
            "slot": str(slot),
            "holders": [{"name": str(slot)}, *later],
            "alive": slot in living,
            "end": {"how": fallen.how, "when": fallen.when} if fallen is not None else None,
            "role": str(role),
        }


def _days(context: Now, session: Session) -> Iterator[dict[str, Any]]:
    """Each day that was closed, and the one that goes on, with its count as everybody may see it."""
    thread = context.thread
    closed = dict(closed_days(context.standing))
    numbers = sorted({*closed, *({context.number} if context.phase == "day" and context.number else ())})
    for number in numbers:
        count, why = None, ""
        try:
            seen = count_votes(CountRequest(day=number, stored=True), session).seen if thread else None
            count = votecount_json(seen) if seen is not None else None
        except KnightfallError as error:
            why = str(error)
        posts = _post_ids(count, thread.posts if thread else ())
        yield {
            "day": number,
            "closed": number in closed,
            "eliminated": list(_eliminated(closed[number])) if number in closed else None,
            "votecount": count,
            "posts": posts,
            "why": why,
        }


def _eliminated(record: Record) -> tuple[str, ...]:
    return record.entry.eliminated if isinstance(record.entry, Closed) else ()


def _post_ids(count: Mapping[str, Any] | None, posts: Any) -> dict[str, str]:
    """The ids on the forum of the posts that a count names, by their numbers."""
    if count is None:
        return {}
    wanted = {voter["post"] for wagon in count["wagons"] for voter in wagon["voters"]}
    return {str(post.number): str(post.id) for post in posts if post.number in wanted}


def _nights(context: Now) -> Iterator[dict[str, Any]]:
    """What everybody did in each night; only for the moderator."""
    for night in nights(context.table.replay.events) if context.table is not None else ():
        rows = [
            {
                "actor": str(row.actor),
                "action": row.action,
                "fate": str(row.fate),
                "told": str(row.answer),
                "ruling": row.ruling,
            }
            for row in night.rows
        ]
        yield {"night": night.night, "acts": rows, "dead": [str(name) for name in night.dead]}


def _proof(context: Now, public: bool) -> dict[str, Any]:
    """The commitment of the deal; with what opens it, as far as that may be told."""
    proof = proof_of(context)
    if proof is None:
        return {}
    found: dict[str, Any] = {"commitment": proof.commitment}
    if not public:
        found["deal"] = json.loads((context.session.folder / DEAL_FILE).read_text(encoding="utf-8"))
    elif context.is_over and proof.file:
        found["deal"] = json.loads(proof.file)
    return found
