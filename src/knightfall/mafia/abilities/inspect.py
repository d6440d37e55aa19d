"""Inspect: what does a check say about its target's card?"""

from __future__ import annotations


def answer(marked: bool, hidden: bool, words: tuple[str, str]) -> str:
    """`words`: what is said of the marked, and of everybody else; who is hidden counts as everybody else."""
    return words[0] if marked and not hidden else words[1]
