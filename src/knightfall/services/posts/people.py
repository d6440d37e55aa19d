"""The posts of what became of a slot: somebody else holds it, it left the game, or it is back; each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from knightfall.config.decided import lives
from knightfall.engine.entries import Entry, Published, Removed, Replaced, Revived, Submitted
from knightfall.engine.game import Announced, announced
from knightfall.engine.journal import Record, adopted_until
from knightfall.errors import InputError
from knightfall.services.now import Now
from knightfall.services.posts.facts import PostContent, Section, post_of
from knightfall.services.running import replaced_names
from knightfall.votes.post_marks import bind
from knightfall.votes.rule import Death

REPLACEMENT, REMOVAL, REVIVAL = "replacement", "removal", "revival"
NOTE = "note"
"""The post that lists all that happened to people and clocks: it tells these, too."""
_REMOVED = frozenset({"modkill", "removed"})
_SHOWN = frozenset({"revealed"})
"""Posts in which a game tells who somebody is who lives on: they go out with those of deaths by day."""
_BACK = frozenset({"revive", "revived"})
"""Posts in which a game itself tells that somebody left or came back: ours would say it twice."""
_NOTHING: Mapping[str, str] = {
    REPLACEMENT: "Nobody was replaced",
    REMOVAL: "Nobody was removed",
    REVIVAL: "Nobody was brought back",
}
SlotEntry: TypeAlias = Replaced | Removed | Revived


def untold(kind: str, context: Now) -> tuple[Record, ...]:
    """The entries of which a post of that kind has to tell, and none was posted since."""
    posts = (number for number, entry in context.entries(Published) if entry.kind in (kind, NOTE))
    last = max(posts, default=adopted_until(context.standing))
    return tuple(one for one in context.standing if one.number > last and _tells(one, context) == kind)


def _tells(record: Record, context: Now) -> str:
    """The kind of post that tells of an entry; "" for none, and for one that an undo left without ground."""
    match record.entry:
        case Removed() | Revived() if _is_refused(record, context):
            return ""
        case Replaced() | Removed() | Revived():
            return post_of_change(record.entry)
        case Submitted():
            kinds = {event.kind for event in _led_to(record, context)}
            return REMOVAL if kinds & (_REMOVED | _SHOWN) else REVIVAL if kinds & _BACK else ""
    return ""


def post_of_change(entry: Entry) -> str:
    """The kind of post that tells of a change of a slot; "" for another entry."""
    match entry:
        case Replaced():
            return REPLACEMENT
        case Removed():
            return REMOVAL
        case Revived():
            return REVIVAL
    return ""


def happened(record: Record, context: Now) -> str:
    """What a message of a player or the moderator made happen before everybody: “Ada is dead”."""
    told = []
    for event in _led_to(record, context):
        name = context.holder(getattr(event.facts, "name", ""))
        if name and event.kind in _REMOVED:
            told.append(f"{name} is dead")
        elif name and event.kind in _SHOWN:
            told.append(f"{name} has stepped forward")
    return ", ".join(told) or f"what entry {record.number} changed"


def _is_refused(record: Record, context: Now) -> bool:
    taken = context.table.replay.taken if context.table else ()
    return any(one.refused for one in taken if one.number == record.number)


def _led_to(record: Record, context: Now) -> tuple[Announced, ...]:
    """What the game announced by an entry."""
    taken = context.table.replay.taken if context.table else ()
    return announced(event for one in taken if one.number == record.number for event in one.events)


def _post(kind: str, context: Now) -> PostContent:
    """All of that kind that was not told yet. Raises InputError where there is nothing."""
    records = untold(kind, context)
    if not records:
        raise InputError(f"{_NOTHING[kind]} since this was last posted.")
    sections: list[Section] = []
    for place, record in enumerate(records, start=1):
        sections += _sections(record, context, last=place == len(records))
    return PostContent(tuple(sections))


def _sections(record: Record, context: Now, last: bool) -> Iterator[Section]:
    """What is told of an entry: in our words where the game has none of its own, then in the game's."""
    events = _led_to(record, context)
    if isinstance(record.entry, SlotEntry) and not told_by_the_game(one.kind for one in events):
        # How many votes it takes by now is said once.
        yield announcement(record.entry, record.number, context, counts=last)
    game = context.game.spec.id if context.game else ""
    yield from (Section(f"{game}/{one.kind}", context.renamed(one.facts)) for one in events)


replacement = partial(_post, REPLACEMENT)
removal = partial(_post, REMOVAL)
revival = partial(_post, REVIVAL)


def announcement(entry: SlotEntry, number: int, context: Now, counts: bool = True) -> Section:
    """The post of entry `number` in our own words, for a game that has none. With `counts` it says how many
    votes it takes from then on."""
    if isinstance(entry, Replaced):
        old, new = replaced_names(context.standing)[number]
        return Section("any/replacement", {"old": old, "new": new, "voted": context.votes_by_day})
    name, what = context.holder(entry.slot), called(entry)
    if not context.votes_by_day:
        return Section("any/left", {"name": name, "what": what})
    return Section(f"any/{what}", {"name": name, "votes": votes_from(entry, context) if counts else None})


def called(entry: SlotEntry) -> str:
    """What the post of an entry in our own words is called: `replacement`, `removal`, `death`, `revival`."""
    match entry:
        case Replaced():
            return REPLACEMENT
        case Revived():
            return REVIVAL
    return REMOVAL if entry.how == "modkill" else "death"


def told_by_the_game(kinds: Iterable[str]) -> bool:
    """Whether a game that announced posts of these kinds told by itself that somebody left or came back."""
    return not (_REMOVED | _BACK).isdisjoint(kinds)


def votes_from(entry: Removed | Revived, context: Now) -> dict[str, object] | None:
    """{alive, needed, eliminate_word} as of the post of an entry, `needed` None where the most votes decide;
    None where nobody knows who lives."""
    setup = context.setup
    if any(change.bound for change in setup.changes) and (thread := context.thread):
        setup = bind(setup, thread.posts)[0]
    if setup.roster is None:
        return None
    post = post_of(entry.post)
    alive = sum(lives(slot, post, setup) for slot in setup.roster.slots)
    return {
        "alive": alive,
        "needed": None if setup.rule.death is Death.PLURALITY else setup.rule.majority(alive),
        "eliminate_word": setup.terms.eliminate,
    }
