"""How a day is decided, in sentences for the post that explains a setup.

They say what the game itself says (`Game.day_rule`). A game file may vote otherwise: whoever writes the post
puts the sentences of its own rule in their place.
"""

from __future__ import annotations

from collections.abc import Mapping

from knightfall.engine.game import DayRule
from knightfall.votes.rule import TIES, Tie

_TIES: Mapping[str, str] = {
    "no_elimination": "If there is a tie for the most votes, nobody is eliminated.",
    "random": "If there is a tie for the most votes, one of the tied is drawn at random.",
    "anti_town": TIES[Tie.ANTI_TOWN].format("No Elimination"),
}


def voting_sentences(rule: DayRule) -> tuple[str, ...]:
    """How to vote, what eliminates, what happens at the deadline and in a tie."""
    sentences = [
        "To vote, write “Vote: Name” in bold in the thread. You can change your vote at any time; your "
        "latest vote counts. To take it back, write “Unvote” in bold.",
        "If you want nobody to be eliminated, write “Vote: No Elimination” in bold.",
        "Only votes posted before the deadline of the day count.",
    ]
    if rule.death == "majority":
        sentences += [
            "A player who has the votes of more than half of the living is eliminated at once, and the day "
            "ends. No Elimination with as many votes ends the day at once, too.",
            "If nobody has a majority at the deadline, I decide: either nobody is eliminated, or the player "
            "with the most votes. If there is a tie for the most votes, I may choose any of the tied "
            "players, or nobody if No Elimination is one of them.",
        ]
    else:
        sentences += [
            "The player with the most votes at the deadline is eliminated. No majority is needed.",
            _TIES[rule.tie],
        ]
    if rule.unanimous:
        sentences.append(
            "The day ends before its deadline only if every living player, the one voted for included, "
            "votes for the same player, or everybody for No Elimination."
        )
    return tuple(sentences)
