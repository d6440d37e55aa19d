"""Votes in words: how a name was matched, why one does not count, excerpts."""

from __future__ import annotations

from knightfall.votes.tally import Vote, Why

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

RULES = {
    "exact": "the name as listed",
    "alias": "an alias of yours",
    "look_alike": "letters that look alike",
    "prefix": "beginning or word of the name",
    "initials": "initials",
    "name_at_start": "begins with the name",
    "inside": "part of the name",
    "word_starts": "beginnings of its words",
    "edit_distance": "few letters wrong",
    "repeats": "letters drawn out",
    "abbreviated": "letters in order",
    "shuffled": "letters shuffled",
    "affix": "a word glued to the name",
    "name_contained": "the name among other words",
    "first_words": "its first word",
    "shared_word": "a word that it alone has",
    "no_elimination": "words for nobody",
    "moderator": "your decision",
}
"""The rules of `votes.tiers`, in words that fit a table."""


def short(text: str, width: int) -> str:
    """A text cut to so many letters."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


def vote_excerpt(text: str, width: int) -> str:
    """A line of a post, cut to the part that looks like its vote."""
    if len(text) <= width:
        return text
    start = max(0, min(text.lower().rfind("vot") - 2, len(text) - width + 1))
    return short(f"…{text[start:]}" if start else text, width)


def matched_by(vote: Vote) -> str:
    """How the name was matched, in words; with the score where letters were wrong."""
    words = RULES.get(vote.rule, vote.rule)
    return words if vote.score >= 1 else f"{words} ({vote.score:.2f})"
