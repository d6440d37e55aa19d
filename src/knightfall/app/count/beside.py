"""What does a moderator see beside a count: what was not counted, and what only he can decide?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from shlex import quote

from tabulate import tabulate

from knightfall.errors import DecisionNeeded
from knightfall.votes.letters import squash
from knightfall.votes.tally import Doubt, Uncounted, Why
from knightfall.votes.votecount import Votecount

SHOWN = 12
"""So many lines of one kind are shown; the rest is counted."""

REASONS = {
    Why.QUOTED: "quoted",
    Why.SPOILERED: "in a spoiler",
    Why.CODE: "in code",
    Why.STRUCK: "struck out",
    Why.SIGNATURE: "in a signature",
    Why.NOT_BOLD: "not bold",
    Why.DEAD_VOTER: "voter is dead",
    Why.DEAD_TARGET: "target is dead",
    Why.NOT_A_PLAYER: "not a player",
    Why.UNKNOWN_NAME: "names nobody",
    Why.AFTER_HAMMER: "after the hammer",
    Why.LATE: "after the deadline",
    Why.MODERATOR_POST: "moderator's post",
    Why.TALLY_POST: "in a pasted count",
    Why.EDITED: "edited post",
    Why.VOID: "void by the rules",
}


def tell_beside(err: Callable[[str], None], count: Votecount) -> None:
    """What was not counted and what only the moderator can decide."""
    missed = [m for m in count.tally.not_counted if m.why is not Why.MODERATOR_POST]
    news = [m for m in missed if not (m.why is Why.QUOTED and squash(m.text) in count.said)]
    if news:
        err(f"\nNot counted ({len(news)}):\n{_missed_table(news)}")
    if len(missed) > len(news):
        err(f"\nQuotes of votes that were read where they stand: {len(missed) - len(news)}.")
    questions = count.tally.questions
    if questions:
        raise DecisionNeeded("\n".join(_question_lines(questions)))


def _missed_table(missed: Sequence[Uncounted]) -> str:
    rows = [
        (
            f"#{m.post}",
            short(m.voter, 20),
            REASONS[m.why],
            vote_excerpt(m.text, 30),
        )
        for m in missed[:SHOWN]
    ]
    table = tabulate(rows, tablefmt="plain", disable_numparse=True)
    rest = len(missed) - SHOWN
    return table if rest <= 0 else f"{table}\n… and {rest} more: --json lists them all."


def short(text: str, width: int) -> str:
    """A text cut to so many letters."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def vote_excerpt(text: str, width: int) -> str:
    """A line of a post, cut to the part that looks like its vote."""
    if len(text) <= width:
        return text
    start = max(0, min(text.lower().rfind("vot") - 2, len(text) - width + 1))
    return short(f"…{text[start:]}" if start else text, width)


def _question_lines(questions: Sequence[Doubt]) -> Iterator[str]:
    yield f"{len(questions)} vote(s) need your decision; until then each voter's earlier vote stands."
    for doubt in questions[:SHOWN]:
        fits = " or ".join(doubt.candidates) or "nobody"
        yield f"  #{doubt.post} {doubt.voter} writes “{vote_excerpt(doubt.text, 40)}”: near {fits}."
    if len(questions) > SHOWN:
        yield f"  … and {len(questions) - SHOWN} more: --json lists them all."
    first = questions[0]
    name = first.candidates[0] if first.candidates else "NAME"
    yield f'Decide:  knightfall fix {first.post} --to {quote(name)} --why "…"   (or --ignore)'
    yield f'or in game.toml:  [[fix]]  post = {first.post}, to = "{name}", why = "…"'
