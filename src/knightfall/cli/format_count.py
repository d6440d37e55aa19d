"""Texts of what the services of a count answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from shlex import quote
from typing import TYPE_CHECKING

from tabulate import tabulate

from knightfall.markup.dialects import dialect, measure
from knightfall.services.evidence import change_lines
from knightfall.writeups.facts import changes_facts
from knightfall.writeups.split import unit
from knightfall.writeups.vote_words import REASONS, short, vote_excerpt

if TYPE_CHECKING:
    from knightfall.models import Thread
    from knightfall.services.votecount import VotecountAnswer
    from knightfall.votes.tally import Doubt

SHOWN = 12
"""So many lines of one kind are shown; the rest is counted."""


def before_count(answer: VotecountAnswer) -> Iterator[str]:
    """What is told before the post: what was read, what changed there, what was assumed, what moved."""
    done = answer.counted
    yield _read_line(done.thread)
    yield from change_lines(answer.news, done.thread.platform)
    yield from done.count.assumed
    moves = [
        f"{change['voter']} {change['before'] or '–'} → {change['now'] or '–'} (#{change['post']['number']})"
        for change in changes_facts(done.count)
    ]
    if moves:
        yield f"Changes since the last posted count: {', '.join(moves)}."


def _read_line(thread: Thread) -> str:
    first, last = thread.posts[0].number, thread.posts[-1].number
    if not thread.complete:
        return f"Read posts {first}–{last}; nothing is missing up to {thread.whole_to}, which is enough here."
    return f"Read posts {first}–{last}, {thread.pages} page{'s' * (thread.pages > 1)}, complete."


def part_headings(parts: Sequence[str], writer: str) -> tuple[str, ...]:
    """What is told before each part of a post in that dialect; nothing where there is only one."""
    if len(parts) == 1:
        return ("",)
    speech = dialect(writer)
    return tuple(
        f"— part {number} of {len(parts)}, {measure(part, speech)} {unit(speech)} —"
        for number, part in enumerate(parts, 1)
    )


def after_count(answer: VotecountAnswer) -> Iterator[str]:
    """What is told after the post: what looks like a vote and was not counted."""
    missed = answer.uncounted
    if missed:
        rows = [
            (f"#{m.post}", short(m.voter, 20), REASONS[m.why], vote_excerpt(m.text, 30))
            for m in missed[:SHOWN]
        ]
        yield f"\nNot counted ({len(missed)}):\n{tabulate(rows, tablefmt='plain', disable_numparse=True)}"
        if len(missed) > SHOWN:
            yield f"… and {len(missed) - SHOWN} more: --json lists them all."
    if answer.repeated:
        yield f"\nQuotes of votes that were read where they stand: {answer.repeated}."


def questions_text(questions: Sequence[Doubt]) -> str:
    """The votes that need a decision, and what to type for the first of them."""
    lines = [f"{len(questions)} vote(s) need your decision; until then each voter's earlier vote stands."]
    for doubt in questions[:SHOWN]:
        fits = " or ".join(doubt.candidates) or "nobody"
        lines.append(f"  #{doubt.post} {doubt.voter} writes “{vote_excerpt(doubt.text, 40)}”: near {fits}.")
    if len(questions) > SHOWN:
        lines.append(f"  … and {len(questions) - SHOWN} more: --json lists them all.")
    first = questions[0]
    name = first.candidates[0] if first.candidates else "NAME"
    lines.append(f'Decide:  knightfall fix {first.post} --to {quote(name)} --why "…"   (or --ignore)')
    lines.append(f'or in game.toml:  [[fix]]  post = {first.post}, to = "{name}", why = "…"')
    return "\n".join(lines)
