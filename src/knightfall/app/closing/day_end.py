"""What must a moderator see before he lets a day end: how it ends, by how much, and what to check by eye?

All of it is for him alone: weights are true here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from knightfall.app.closing.doubts import ending
from knightfall.app.count.beside import vote_excerpt
from knightfall.app.count.explain import RULES
from knightfall.core.roster import Slot
from knightfall.votes.standing import Vote, Wagon
from knightfall.votes.tally import Doubt, Hammer, Uncounted, Why
from knightfall.votes.votecount import Votecount

FEW = 5
"""With so many alive a wrong elimination can end the game."""
WIDTH = 40
"""Letters of a vote that are quoted."""
CERTAIN = frozenset({"exact", "alias", "no_elimination", "moderator"})
"""Rules by which a name leaves no doubt."""

Versions = Callable[[int], int]
"""In how many versions the post of that number was seen."""


def summary(count: Votecount) -> Iterator[str]:
    """How the day ends, the margin, and the votes that came too late."""
    hammer = count.tally.hammer
    yield _hammer_line(count, hammer) if hammer else "No hammer."
    yield _margin_line(count)
    yield from _missed("After the hammer, void", count, Why.AFTER_HAMMER)
    yield from _missed("After the deadline, not counted", count, Why.LATE)


def eye_check(count: Votecount, versions: Versions) -> Iterator[str]:
    """Where the end is narrow: why, and each vote that decides, what may be wrong with it first."""
    reasons = tuple(_narrow(count))
    votes = tuple(chain.from_iterable(wagon.votes for wagon in _deciding(count)))
    if not reasons or not votes:
        return
    posts = "this vote" if len(votes) == 1 else f"these {len(votes)} votes"
    yield f"{' '.join(reasons)} Please check {posts} by eye before you go on:"
    for vote in sorted(votes, key=lambda vote: _trust(vote, count, versions)):
        yield f"  {_vote_line(vote, count, versions)}"


def question_lines(doubts: Sequence[Doubt]) -> Iterator[str]:
    """Each open question with the decision that it waits for."""
    for doubt in doubts:
        fits = " or ".join(doubt.candidates) or "nobody"
        said = vote_excerpt(doubt.text, WIDTH)
        yield f"  #{doubt.post} {doubt.voter} writes “{said}”: near {fits}.{_at(doubt.url)}"
        yield f'    knightfall fix {doubt.post} --to NAME --why "…"   (or --ignore, --unvote …)'


def margin(wagons: Sequence[Wagon]) -> int:
    """Votes between the top two; all of the top one's where it is alone."""
    sizes = [wagon.count for wagon in wagons[:2]]
    return sizes[0] - sizes[1] if len(sizes) > 1 else sum(sizes)


def _hammer_line(count: Votecount, hammer: Hammer) -> str:
    by = f" by {hammer.voter.name}" if hammer.voter else ", where a death lowered what is needed"
    post = count.posts.get(hammer.post)
    when = f" at {post.time:%Y-%m-%d %H:%M:%S} UTC" if post and post.time else ""
    return f"Hammer: #{hammer.post}{by} on {_name(hammer.target, count)}{when}.{_at(hammer.url)}"


def _margin_line(count: Votecount) -> str:
    wagons = count.tally.wagons
    top = ", ".join(f"{_name(wagon.target, count)} {wagon.count}/{wagon.needed}" for wagon in wagons[:2])
    return f"Top: {top}; margin {_votes(margin(wagons))}." if wagons else "Nobody has a vote."


def _missed(what: str, count: Votecount, why: Why) -> Iterator[str]:
    found = [missed for missed in count.tally.not_counted if missed.why is why]
    if found:
        yield f"{what} ({len(found)}):"
        yield from (_missed_line(missed) for missed in found)


def _missed_line(missed: Uncounted) -> str:
    return f"  #{missed.post} {missed.voter} “{vote_excerpt(missed.text, WIDTH)}”{_at(missed.url)}"


def _narrow(count: Votecount) -> Iterator[str]:
    """Each reason to look twice, as a sentence."""
    tally = count.tally
    if tally.wagons and margin(tally.wagons) <= 1:
        yield f"The margin is {_votes(margin(tally.wagons))}."
    if tally.hammer and _exact(count, tally.hammer):
        yield "The hammer was exactly the votes needed."
    if tally.alive <= FEW:
        yield f"Only {tally.alive} are alive."
    if count.day.number in count.rule.locked_at:
        yield "Votes lock on this day: a wrong elimination can end the game."


def _exact(count: Votecount, hammer: Hammer) -> bool:
    return any(w.count == w.needed for w in count.tally.wagons if w.target == hammer.target)


def _deciding(count: Votecount) -> tuple[Wagon, ...]:
    """The wagon that decides, and without a hammer all that are within one vote of it."""
    wagons, hammer = count.tally.wagons, count.tally.hammer
    if hammer:
        return tuple(wagon for wagon in wagons if wagon.target == hammer.target)
    fallen = {slot.name for slot in ending(count).eliminated}
    near = (wagon for wagon in wagons if wagon.count >= wagons[0].count - 1)
    return tuple(sorted(near, key=lambda wagon: wagon.target is None or wagon.target.name not in fallen))


def _trust(vote: Vote, count: Votecount, versions: Versions) -> tuple[bool, bool, float, int]:
    """Edited posts first, then names that were not written exactly, the least sure first."""
    return not _edited(vote, count, versions), vote.rule in CERTAIN, vote.score, vote.post


def _edited(vote: Vote, count: Votecount, versions: Versions) -> bool:
    post = count.posts.get(vote.post)
    noted = post is not None and bool(post.edited or post.edit_note)
    return noted or versions(vote.post) > 1


def _vote_line(vote: Vote, count: Votecount, versions: Versions) -> str:
    marks = ["edited"] if _edited(vote, count, versions) else []
    marks += [RULES.get(vote.rule, vote.rule)]
    target = _name(vote.target, count)
    said = vote_excerpt(vote.text, WIDTH)
    return f"#{vote.post} {vote.voter.name} on {target}, “{said}”: {', '.join(marks)}.{_at(vote.url)}"


def _name(target: Slot | None, count: Votecount) -> str:
    return target.name if target else count.terms.no_elimination


def _votes(number: int) -> str:
    return f"{number} vote{'' if number == 1 else 's'}"


def _at(url: str | None) -> str:
    return f" {url}" if url else ""
