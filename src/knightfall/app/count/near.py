"""Which posts look like votes and do not count? All of them, each with its reason and link; nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knightfall.app.count.beside import REASONS, vote_excerpt
from knightfall.app.count.vc import Counted, Wanted, counted
from knightfall.app.ports import Ports, Progress
from knightfall.votes.tally import Why

WIDTH = 50


def near(wanted: Wanted, ports: Ports, progress: Progress | None = None) -> Counted:
    """The count whose near misses are asked for. Raises what a count raises."""
    return counted(wanted, ports, progress)


def as_text(found: Counted) -> str:
    """One paragraph a post: number, voter, reason, what was written, link."""
    tally = found.count.tally
    lines = [*_questions(found), *_missed(found)]
    head = f"Day {found.count.day.number}, to post {tally.at}: "
    if not lines:
        return f"{head}everything that looks like a vote counts."
    return "\n".join([f"{head}{len(lines)} that may need your eye.", *lines])


def near_values(found: Counted) -> dict[str, Any]:
    """{day, at: post, near: [{post, voter, text, url, reason}]}, in the order of the thread."""
    tally = found.count.tally
    asked = [
        {"post": d.post, "voter": d.voter, "text": d.text, "url": d.url, "reason": "question"}
        for d in tally.questions
    ]
    missed = [
        {"post": m.post, "voter": m.voter, "text": m.text, "url": m.url, "reason": m.why.value}
        for m in tally.not_counted
        if m.why is not Why.MODERATOR_POST
    ]
    near = sorted([*asked, *missed], key=lambda entry: int(str(entry["post"])))
    return {"day": found.count.day.number, "at": tally.at, "near": near}


def _questions(found: Counted) -> Iterator[str]:
    for doubt in found.count.tally.questions:
        fits = " or ".join(doubt.candidates) or "nobody"
        text = vote_excerpt(doubt.text, WIDTH)
        yield _paragraph(doubt.post, doubt.voter, f"a question: near {fits}", text, doubt.url)


def _missed(found: Counted) -> Iterator[str]:
    for missed in found.count.tally.not_counted:
        if missed.why is not Why.MODERATOR_POST:
            text = vote_excerpt(missed.text, WIDTH)
            yield _paragraph(missed.post, missed.voter, REASONS[missed.why], text, missed.url)


def _paragraph(post: int, voter: str, reason: str, text: str, url: str | None) -> str:
    return f"#{post} {voter}: {reason}: “{text}”" + (f"\n   {url}" if url else "")
