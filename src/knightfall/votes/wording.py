"""How does a voting rule read in a rules post? Made from the rule itself, so that text and count agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from knightfall.votes.ballots import Form
from knightfall.votes.election import AtDeadline, Boundary, Death, DoubleVoter, Edited, NoElim, Rule, Tie

FORMS: Mapping[Form, str] = MappingProxyType(
    {
        Form.TAG: "the site's vote tag",
        Form.RAW_TAG: "[vote]name[/vote]",
        Form.BOLD_COLON: "bold “Vote: name”",
        Form.BOLD: "bold “vote name”",
        Form.HASHES: "“##vote name”",
        Form.BANG: "“!vote name”",
        Form.HEADING: "a heading “vote name”",
        Form.OWN_LINE: "a line of its own “vote: name”",
    }
)
TIES: Mapping[Tie, str] = MappingProxyType(
    {
        Tie.NO_ELIMINATION: "On a tie nobody is eliminated.",
        Tie.RANDOM: "A tie is decided by chance, by the game's seed.",
        Tie.FIRST_TO_REACH: "On a tie it is who first had that many votes.",
        Tie.LONGEST_HELD: "On a tie it is who has had that many votes longest without a break.",
        Tie.ANTI_TOWN: "A tie is settled to hurt the town most; a tied vote for nobody wins.",
        Tie.ALL: "On a tie all who are tied are eliminated.",
        Tie.ASK: "On a tie the moderator decides.",
    }
)
BOUNDARIES: Mapping[Boundary, str] = MappingProxyType(
    {
        Boundary.BEFORE: "A vote counts before the deadline: for 20:00 the last second is 19:59:59.",
        Boundary.SECOND: "A vote counts up to the deadline's own second: for 20:00 until 20:00:00.",
        Boundary.MINUTE: "A vote counts in the deadline's minute too: for 20:00 until 20:00:59.",
        Boundary.UNTIL_LOCK: "A vote counts until the moderator locks the thread.",
    }
)
EDITS: Mapping[Edited, str] = MappingProxyType(
    {
        Edited.FLAG: "Do not edit posts that hold votes; the moderator looks at each one.",
        Edited.VOID: "A vote in an edited post does not count.",
        Edited.ACCEPT: "A vote in an edited post counts as it reads.",
    }
)


def rule_sentences(rule: Rule, nobody: str = "No Elimination") -> tuple[str, ...]:
    """The rule in sentences; `nobody` is the house's name of no elimination."""
    limits: list[str] = []
    if rule.votes_per_player > 1:
        limits.append(f"Everybody has {rule.votes_per_player} votes.")
    if rule.double_voter is DoubleVoter.X2:
        limits.append("Who has two votes spends both on one player by writing “x2”.")
    if not rule.self_vote:
        limits.append("Nobody votes for himself.")
    if rule.unvote_first:
        limits.append("Unvote before you vote anew.")
    if rule.max_changes is not None:
        limits.append(f"A standing vote may be changed {rule.max_changes} times a day.")
    if rule.locked_at:
        limits.append(f"On day {', '.join(map(str, sorted(rule.locked_at)))} a vote once given stays.")

    death: list[str] = []
    if rule.death is not Death.PLURALITY:
        since = f" from day {rule.majority_from_day} on" if rule.majority_from_day > 1 else ""
        death.append(f"Who has the votes needed is eliminated at once{since}; later votes are void.")
    if rule.at_deadline is AtDeadline.HALF_ROUNDED_UP:
        death.append("At the deadline half of that number, rounded up, is enough.")
    elif rule.at_deadline is AtDeadline.OF_VOTES_CAST:
        death.append("At the deadline more than half of the votes that stand is enough.")
    elif rule.death is not Death.MAJORITY:
        death.append("At the deadline the player with most votes is eliminated.")
    if rule.minimum_votes > 1:
        death.append(f"Nobody falls with fewer than {rule.minimum_votes} votes.")
    if rule.needed_at_deadline(2, 0, 1) is not None or rule.at_deadline is not AtDeadline.NOBODY:
        death.append(TIES[rule.tie])

    return (
        forms_sentence(rule),
        *death,
        *_nobody(rule, nobody),
        BOUNDARIES[rule.boundary],
        *limits,
        EDITS[rule.edited],
    )


def needed_table(rule: Rule, most: int) -> tuple[tuple[int, int, int | None], ...]:
    """(alive, votes needed, votes needed for nobody or None), from `most` alive down to 2."""
    votable = rule.no_elimination is not NoElim.NO
    return tuple(
        (alive, rule.majority(alive), rule.needed(alive, None) if votable else None)
        for alive in range(most, 1, -1)
    )


def forms_sentence(rule: Rule) -> str:
    """How a vote is written in this house."""
    accepted = [words for form, words in FORMS.items() if form in rule.forms.accepted]
    house = ["the house's own pattern"] if rule.forms.house else []
    return f"A vote is {' or '.join([*accepted, *house])}; quotes and spoilers never count."


def _nobody(rule: Rule, nobody: str) -> Iterator[str]:
    if rule.no_elimination is NoElim.NO:
        yield f"“{nobody}” cannot be voted."
    elif rule.no_elimination is NoElim.ONE_FEWER:
        yield f"“{nobody}” can be voted; half of the living is enough."
    else:
        yield f"“{nobody}” can be voted like a player."
