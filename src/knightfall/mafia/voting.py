"""How a day is decided, for the post that explains a setup: by the rule that closes it.

A game says how its days are decided (`Game.day_rule`). A game file may vote otherwise: whoever writes the
post puts the sentences of its own rule in their place.
"""

from __future__ import annotations

from knightfall.engine.game import DayRule
from knightfall.votes.rule import Death, Rule, Tie, rule_sentences


def voting_rule(day: DayRule) -> Rule:
    """The rule of votes that a game has by itself."""
    return Rule(death=Death(day.death), tie=Tie(day.tie), unanimous=day.unanimous)


def voting_sentences(day: DayRule) -> tuple[str, ...]:
    """How to vote, what eliminates, what happens at the deadline and in a tie."""
    return rule_sentences(voting_rule(day))
