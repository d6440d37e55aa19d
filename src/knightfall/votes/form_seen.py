"""A form of vote that many players write and the house is not known to accept: one question for all of it.

Plain “Vote: Ada” lines where only bold counts, or “Stimme: Ada” where nobody said that this is a vote.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post, Roster
from knightfall.names import Names
from knightfall.votes.ballots import Form, Region
from knightfall.votes.tally import Uncounted, UncountedReason
from knightfall.votes.vote_parser import lines_of

FEWEST = 3
"""So many players write a form of a house."""


@dataclass(frozen=True, slots=True)
class FormSeen:
    """A form as a game file names it, how many players wrote it, and one of their lines with its post."""

    form: str
    people: int
    example: str
    post: int


@dataclass(frozen=True, slots=True)
class _Use:
    """A line in a form, by a player."""

    voter: str
    line: str
    post: int


def form_seen(
    posts: Iterable[Post],
    misses: Iterable[Uncounted],
    roster: Roster,
    names: Names,
    voting: Set[str],
    html_style: HtmlStyle,
) -> FormSeen | None:
    """The form that most of the players wrote, where more wrote it than have a vote that was read (`voting`:
    their slots); None where there is none. `posts` are those of players on the day, `misses` what looked like
    a vote in them."""
    uses: dict[str, list[_Use]] = defaultdict(list)
    for miss in misses:
        if miss.why is UncountedReason.NOT_BOLD and (line := _PLAIN.match(miss.text)) is not None:
            slot = roster.slot_of(miss.voter)
            if slot is not None and names.whole(line["name"].strip(_EDGES)) is not None:
                uses[Form.OWN_LINE.value].append(_Use(slot.name, miss.text, miss.post))
    for use, word in _with_words(posts, roster, names, html_style):
        uses[f"word:{word}"].append(use)
    people = {form: {use.voter for use in each} for form, each in uses.items()}
    most = max(people, key=lambda form: len(people[form]), default="")
    if not most or len(people[most]) < max(FEWEST, len(voting) + 1):
        return None
    first = uses[most][0]
    return FormSeen(most, len(people[most]), first.line, first.post)


_EDGES = " .!,*_"
_PLAIN = re.compile(r"^\s*/?vote\s*:?\s*(?P<name>\S.*)$", re.IGNORECASE)
# “<b>Stimme: Ada”, and what may be one: a word and a colon behind a mark or at the beginning of a line.
_MARKED = re.compile(r"(?:>|^|\n)\s*[^\W\d_]{3,15}\s*:\s*[^\s<:]")
_SAID = re.compile(r"^\W*(?P<word>[^\W\d_]{3,15})\s*:\s*(?P<name>[^:]{2,40})$")
_OTHER_WORDS = frozenset(
    {
        "vote", "unvote", "votes", "edit", "edited", "pedit", "ebwop", "fos", "hos", "igmeou", "town",
        "scum", "wolf", "wolves", "mafia", "lean", "leans", "null", "neutral", "villager", "villa",
        "suspect", "suspects", "read", "reads", "top", "bottom", "pool", "mod", "host", "quote", "claim",
        "target", "tell", "note", "notes", "summary", "question", "answer", "reply", "tldr", "spoiler",
        "player", "players", "alive", "dead", "role", "day", "night", "deadline", "link", "source",
    }
)  # fmt: skip


def _with_words(
    posts: Iterable[Post], roster: Roster, names: Names, html_style: HtmlStyle
) -> Iterator[tuple[_Use, str]]:
    """The live lines that are one word, a colon and a whole name."""
    for post in posts:
        if ":" not in post.body or not _MARKED.search(post.body):
            continue
        slot = roster.slot_of(post.author)
        for line in lines_of(parse_html(post.body, html_style)) if slot is not None else ():
            bold = [line.text[start:stop] for start, stop in line.bold]
            for text in dict.fromkeys((*bold, line.text)) if line.region is Region.LIVE else ():
                said = _SAID.match(text.strip(_EDGES))
                word = said["word"].lower() if said else ""
                if said and slot and word not in _OTHER_WORDS and names.whole(said["name"].strip(_EDGES)):
                    yield _Use(slot.name, text.strip(), post.number), word.capitalize()
                    break
