"""A `vote` case put to the count.

One post against a roster: the voter already stands with a vote of his own, so that a vote, an unvote and a
post without effect leave three different tallies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from knightfall.engine.cases import Case, CaseResult, Verdict
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot
from knightfall.votes.ballots import Forms, PostBallots, parse_forms
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Moderation, tally
from knightfall.votes.vote_parser import read_body

HOUSES: Mapping[str, Forms] = MappingProxyType(
    {
        "mafiascum/phpBB": parse_forms(("tag", "bold")),
        "phpBB3.0": parse_forms(("tag", "bold")),
        "XenForo2": parse_forms(("tag", "empty_tag", "raw_tag", "bold")),
        "vBulletin": parse_forms(("tag", "empty_tag", "raw_tag", "bold")),
        "SMF": parse_forms(("tag", "empty_tag", "raw_tag", "bold")),
        "TeamLiquid": parse_forms(("hashes",)),
        "IP.Board": parse_forms(("hashes",)),
        "Discourse": parse_forms(("tag", "empty_tag", "raw_tag")),
        "MafiaUniverse": parse_forms(("tag", "empty_tag", "raw_tag")),
        "NodeBB": parse_forms(("bang",)),
        "Mediavida": parse_forms(("heading",)),
        "plain": parse_forms(("own_line",)),
    }
)
"""The houses that FORMAT.md names, with the forms that it gives them."""

_VOTER, _EARLIER = "\ue200", "\ue201"
"""Names that nobody can type: the voter where a case names none, and whom they voted for before."""


def check(case: Case) -> CaseResult:
    """Right where what came out is expected or accepted; wrong where anything else was counted."""
    # What the post did: {kind, target}.
    house = str(case.get("platform"))
    if house not in HOUSES:
        raise ValueError(f"platform {house!r} is not supported; known: {', '.join(HOUSES)}")
    forms = HOUSES[house]
    author = str(case.get("author") or _VOTER)
    before = read_body(f"<b>##vote {_EARLIER}</b>", HtmlStyle(), parse_forms(("hashes",)))
    ballots = read_body(str(case["post_html"]), HtmlStyle(), forms)
    posts = [PostBallots(0, author, before), PostBallots(1, author, ballots)]
    moderators = frozenset(str(name) for name in _list(case.get("moderators")))
    dead = {str(name) for name in _list(case.get("dead"))}
    slots = [
        _slot(player["name"], player.get("aliases", ()), player["name"] in dead)
        for player in _list(case["players"])
    ]
    present = {slot.name for slot in slots}
    slots += [_slot(name, (), True) for name in sorted(dead - present)]
    roster = Roster((*slots, *(_slot(name, (), False) for name in (_VOTER, _EARLIER))))

    counted = tally(posts, roster, Rule(forms=forms), Day(), 1, Moderation(moderators))

    author = str(case.get("author") or _VOTER)
    vote = next((v for wagon in counted.wagons for v in wagon.votes if author in v.voter.names), None)
    if vote is None and not counted.not_counted and not counted.questions:
        got = {"kind": "unvote", "target": None}
    elif vote is not None and vote.post == 1:
        if vote.target is None:
            got = {"kind": "nolynch", "target": None}
        else:
            got = {"kind": "vote", "target": vote.target.name}
    else:
        got = {"kind": "ambiguous" if counted.questions else "none", "target": None}

    fine = [case["expected"], *_list(case.get("accept"))]
    right = any(((got["kind"], got["target"]) == (wanted["kind"], wanted.get("target"))) for wanted in fine)
    verdict: Verdict
    if right:
        verdict = "right"
    elif got["kind"] in ("vote", "unvote", "nolynch"):
        verdict = "wrong"
    else:
        verdict = "missed"
    return CaseResult(right, case["expected"], got, verdict=verdict)


def _slot(name: str, aliases: Iterable[str], dead: bool) -> Slot:
    left = Departure(DepartureKind.KILLED, 0) if dead else None
    return Slot((Holder(name),), tuple(aliases), left=left)


def _list(value: Any) -> list[Any]:
    return list(value or ())
