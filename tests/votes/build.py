"""Threads of ballots in a line each, for tests of the count."""

from knightfall.markup.html_style import PLAIN
from knightfall.models import Roster, roster_of
from knightfall.votes.ballots import Cast
from knightfall.votes.rule import Rule
from knightfall.votes.tally import Day, Fix, Tally, tally
from knightfall.votes.vote_parser import read_body

USUAL = Rule()
WHOLE = Day()


def casts(lines: str, rule: Rule = USUAL) -> list[Cast]:
    """Casts of lines such as `12 Ada: Vote: Fen; unvote`; each part behind a semicolon is a line in bold."""
    return [_cast(line.strip(), rule) for line in lines.strip().splitlines()]


def _cast(line: str, rule: Rule) -> Cast:
    head, _, said = line.partition(": ")
    number, _, author = head.partition(" ")
    body = "<br>".join(f"<b>{part.strip()}</b>" for part in said.split(";"))
    return Cast(int(number), author, read_body(body, PLAIN, rule.forms))


def count(
    lines: str,
    players: str | Roster,
    rule: Rule = USUAL,
    until: int = 10_000,
    day: Day = WHOLE,
    moderators: frozenset[str] = frozenset(),
    fixes: dict[int, Fix] | None = None,
) -> Tally:
    """The tally of lines (see `casts`); `players` as names in one string, or a roster."""
    roster = roster_of(players.split()) if isinstance(players, str) else players
    return tally(casts(lines, rule), roster, rule, day, until, moderators, fixes)


def wagons(tally_: Tally) -> dict[str, str]:
    """Target → voters in order, as one string; no elimination is `-`."""
    return {
        wagon.target.name if wagon.target else "-": " ".join(vote.voter.name for vote in wagon.votes)
        for wagon in tally_.wagons
    }
