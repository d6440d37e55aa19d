"""What lies ready in `public/` when a day's vote is over: the final count, and the draft of the next post?

Nothing of a role is in the draft: who fell is shown only after `knightfall phase close`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from knightfall.app.closing.final import every_page, final_count, final_text, keep_final
from knightfall.app.closing.steady import PAUSE
from knightfall.app.count.look import Look, count_nodes
from knightfall.app.count.vc import Counted
from knightfall.app.guarding.outgoing import released
from knightfall.app.library.going_out import in_dialect
from knightfall.app.library.sections import Made, Section
from knightfall.app.ports import Ports, game_folder
from knightfall.app.speech import speech_of
from knightfall.errors import SecretGuard
from knightfall.posts import Thread
from knightfall.setups.setup import Setup
from knightfall.storage.drafts import write_public
from knightfall.votes.config import DaySetup
from knightfall.votes.tally import Why
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.wagons import post_facts

SHOWN = 3
"""So many wagons are told."""


@dataclass(frozen=True, slots=True)
class Ended:
    """The thread that held still, its count as the moderator may see it, and what to tell of it: `outside`
    without what is for him alone."""

    thread: Thread
    count: Votecount
    words: str
    outside: str


def ended(setup: Setup, day: DaySetup, folder: Path, ports: Ports, say: Callable[[str], None]) -> Ended:
    """Reads until the thread holds still and leaves both texts in `public/`. Raises EvidenceError where it
    does not, and what reading raises; a text that the secret guard stops is told, not written."""
    final = final_count(setup, day.number, PAUSE, ports, say, every_page(setup, ports)).done
    told = " ".join((*_kept(final, setup, folder, ports), _next(final.count)))
    head = f"Day {day.number} is over: {_top(seen_by(View.PUBLIC, final.count))}."
    return Ended(final.thread, final.count, f"{head} {told}", head)


def _kept(done: Counted, setup: Setup, folder: Path, ports: Ports) -> Iterator[str]:
    """Both texts into the folder, each with a sentence on where it is."""
    place = game_folder(folder)
    try:
        file = keep_final(done, released(final_text(done), folder, ports), folder)
        yield f"The final count is in {file.relative_to(place)},"
        text = released(_draft(done, setup, ports), folder, ports)
        draft = write_public(place, f"end-of-vote-{done.count.day.number}.txt", text)
        yield f"the draft of the next post in {draft.relative_to(place)}."
    except SecretGuard as leak:
        yield f"Not written: {leak}"


def _draft(done: Counted, setup: Setup, ports: Ports) -> str:
    """The post that ends the vote: what decided, what came too late, the final count."""
    count, tally = seen_by(View.PUBLIC, done.count), done.count.tally
    late = dict.fromkeys(miss.post for miss in tally.not_counted if miss.why is Why.AFTER_HAMMER)
    facts = {
        "day": count.day.number,
        "locked": post_facts(count.day.end, count.posts) if count.day.end is not None else None,
        "hammer": _hammer(count),
        "void": [post_facts(post, count.posts) for post in late],
    }
    found = Made((Section("any/end-of-day", facts), count_nodes(count, Look(), setup)))
    return in_dialect("end-of-day", found, speech_of(None, setup, ports), limit=done.site.max_length).text


def _hammer(count: Votecount) -> dict[str, object] | None:
    hammer = count.tally.hammer
    if hammer is None:
        return None
    by = hammer.voter.name if hammer.voter else None
    return {"by": by, "post": post_facts(hammer.post, count.posts)}


def _top(count: Votecount) -> str:
    """“Fen 3, Kestrel 1”."""
    largest = count.tally.wagons[:SHOWN]
    named = (
        f"{one.target.name if one.target else count.terms.no_elimination} {one.count}" for one in largest
    )
    return ", ".join(named) or "nobody has a vote"


def _next(count: Votecount) -> str:
    """What the moderator does now."""
    open_ = len(count.tally.questions)
    first = f"{open_} vote{'s' * (open_ > 1)} need your decision: knightfall vc --stored. " if open_ else ""
    return f"{first}Then: knightfall phase close"
