"""Threads of ballots in a line each, for tests of the count."""

from knightfall.markup.html_style import PLAIN
from knightfall.models import Roster, roster_of
from knightfall.votes.ballots import PostBallots
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Fix, Moderation, Tally, tally
from knightfall.votes.vote_parser import read_body

USUAL = Rule()
WHOLE = Day()


def ballots(lines: str, rule: Rule = USUAL) -> list[PostBallots]:
    """Ballots of lines such as `12 Ada: Vote: Fen; unvote`; each part between semicolons is a bold line."""
    return [_post(line.strip(), rule) for line in lines.strip().splitlines()]


def _post(line: str, rule: Rule) -> PostBallots:
    head, _, said = line.partition(": ")
    number, _, author = head.partition(" ")
    body = "<br>".join(f"<b>{part.strip()}</b>" for part in said.split(";"))
    return PostBallots(int(number), author, read_body(body, PLAIN, rule.forms))


def count(
    lines: str,
    players: str | Roster,
    rule: Rule = USUAL,
    until: int = 10_000,
    day: Day = WHOLE,
    moderators: frozenset[str] = frozenset(),
    fixes: dict[int, Fix] | None = None,
) -> Tally:
    """The tally of lines (see `ballots`); `players` as names in one string, or a roster."""
    roster = roster_of(players.split()) if isinstance(players, str) else players
    return tally(ballots(lines, rule), roster, rule, day, until, Moderation(moderators, fixes or {}))


def wagons(tally_: Tally) -> dict[str, str]:
    """Target → voters in order, as one string; no elimination is `-`."""
    return {
        wagon.target.name if wagon.target else "-": " ".join(vote.voter.name for vote in wagon.votes)
        for wagon in tally_.wagons
    }
