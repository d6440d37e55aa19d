"""Cards that bear on the vote, and what is done by day, in a hosted game: counts, closings, posts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

import pytest

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.audience import View
from knightfall.engine.entries import Closed
from knightfall.mafia.state import Phase
from knightfall.models import Thread
from knightfall.sentence import SlotId
from knightfall.services.count.votecount import answer_of, counted
from knightfall.services.day.close import close
from knightfall.services.game.due import due
from knightfall.services.now import now_of
from knightfall.services.requests import CountRequest, NewGameRequest
from knightfall.services.window.turns import submit
from salt_harbour import NAMES
from services.voting_day import URL, VotingDay

SEVEN = NAMES[:7]


@dataclass
class TimedDay(VotingDay):
    """A day whose posts have the time at which they were said."""

    times: list[datetime] = field(default_factory=list)

    @property
    def thread(self) -> Thread:
        while len(self.times) < len(self.said):
            self.times.append(self.clock.now())
        plain = Thread.from_posts(self.said, "A day")
        posts = tuple(replace(post, time=at) for post, at in zip(plain.posts, self.times, strict=True))
        return replace(plain, posts=posts, url=URL)


def hosted(folder: Path, *cards: str) -> VotingDay:
    """A game of seven at day 1: these cards, two goons, the rest vanilla."""
    slots = [*({"role": card} for card in cards), {"role": "Mafia Goon", "count": 2}]
    setup = {"slots": [*slots, {"role": "Vanilla Townie", "fill": True}]}
    day = TimedDay(folder / "day", StillClock(), MemoryLedger())
    begin(
        NewGameRequest(
            "custom_mafia",
            SEVEN,
            day.folder,
            b"a seed for the day",
            b"salt" * 8,
            "Voting day",
            options={"setup": setup},
            site="plain",
            moderators=("Wren",),
            threads=(("game", URL),),
        ),
        day.session,
    )
    return day


def holder(day: VotingDay, role: str) -> SlotId:
    return next(SlotId(str(slot)) for slot, card in day.table.state.cards.items() if card.name == role)


def wagon(day: VotingDay, target: str) -> tuple[int, int]:
    """The votes on a player as the moderator's count has them, and what it takes."""
    request = CountRequest(stored=True, view=View.MOD)
    found = answer_of(counted(request, day.session), request, day.session).to_dict()
    row = next(one for one in found["wagons"] if one["target"] == target)
    return row["count"], row["needed"]


def others(*taken: str) -> list[str]:
    return [name for name in SEVEN if name not in taken]


@pytest.mark.parametrize(("role", "votes"), [("Town Doublevoter", 3), ("Town Voteless", 1)])
def test_a_vote_weighs_as_the_card_says(tmp_path: Path, role: str, votes: int) -> None:
    day = hosted(tmp_path, role)
    voter = holder(day, role)
    target, second, *_ = others(voter)
    day.vote(target, voter, second)
    assert wagon(day, target) == (votes, 4)


@pytest.mark.parametrize(("role", "needed"), [("Town Loved", 5), ("Town Hated", 3)])
def test_it_takes_more_or_fewer_votes_as_the_card_says(tmp_path: Path, role: str, needed: int) -> None:
    day = hosted(tmp_path, role)
    target = holder(day, role)
    day.vote(target, others(target)[0])
    assert wagon(day, target) == (1, needed)


def test_the_public_votecount_shows_no_weight(tmp_path: Path) -> None:
    day = hosted(tmp_path, "Town Doublevoter")
    voter = holder(day, "Town Doublevoter")
    target = others(voter)[0]
    day.vote(target, voter)
    assert f"{target} (1)" in day.votecount()


def test_three_votes_of_four_eliminate_where_one_counts_twice(tmp_path: Path) -> None:
    day = hosted(tmp_path, "Town Doublevoter")
    voter = holder(day, "Town Doublevoter")
    target, one, two, *_ = others(voter)
    day.vote(target, voter, one, two)
    assert next(iter(day.look().choices.values())) == (target,)


def test_a_mayor_counts_twice_from_the_step_forward_on_and_the_post_says_so(tmp_path: Path) -> None:
    day = hosted(tmp_path, "Town Mayor")
    mayor = holder(day, "Town Mayor")
    target = others(mayor)[0]
    day.vote(target, mayor)
    assert wagon(day, target)[0] == 1
    receipt = submit(mayor, "reveal", "plain", day.session)
    assert any(f"{mayor} steps forward" in text for text in receipt.public)
    assert any("From now on each vote that they post counts twice" in text for text in receipt.public)
    day.wait(1)
    assert wagon(day, target)[0] == 1
    day.vote(target, mayor)
    assert wagon(day, target)[0] == 2


def test_who_is_shot_by_day_is_dead_in_the_count_from_then_on(tmp_path: Path) -> None:
    day = hosted(tmp_path, "Town Day Vigilante")
    shooter = holder(day, "Town Day Vigilante")
    target = next(slot for slot, card in day.table.state.cards.items() if card.name == "Vanilla Townie")
    first, *voters = others(shooter, target)
    day.vote(first, target, voters[0])
    assert wagon(day, first) == (2, 4)
    day.wait(1)
    receipt = submit(shooter, f"shoot {target}", "plain", day.session)
    assert any(target in text and shooter not in text for text in receipt.public)
    dues = [one.what for one in due(day.session)]
    assert f"Announce it: {target} is dead" in dues
    assert f"{target} was killed" in day.post("removal").text
    # What the dead vote from then on does not count, nor who votes for them; it takes fewer.
    day.wait(1)
    day.vote(first, *voters[1:3], target)
    text = day.votecount()
    assert "With 6 alive, it takes 4" in text
    assert wagon(day, first) == (3, 4)
    assert target not in text.split("Not voting")[1].splitlines()[0]
    assert f"{target} has died as of #4." in text


def test_a_pardon_ends_a_day_without_an_elimination(tmp_path: Path) -> None:
    day = hosted(tmp_path, "Town Governor")
    governor = holder(day, "Town Governor")
    target, *voters = others(governor)
    day.vote(target, *voters[:4])
    assert list(day.look().choices) == [target]
    submit(governor, "pardon", "plain", day.session)
    closing = day.look()
    assert closing.choices == {"pardon": ()}
    closed = close(closing, "pardon", day.session)
    assert isinstance(closed.record.entry, Closed)
    assert closed.record.entry.eliminated == ()
    assert day.table.state.phase is Phase.NIGHT
    assert target in day.table.game.playing(day.table.state)
    assert not now_of(day.session).setup.fallen


def test_the_vengeful_is_told_of_when_voted_out_and_takes_somebody_along(tmp_path: Path) -> None:
    day = hosted(tmp_path, "Town Vengeful")
    vengeful = holder(day, "Town Vengeful")
    goon, *voters = sorted(others(vengeful), key=lambda one: "Goon" not in day.table.state.cards[one].name)
    day.vote(vengeful, goon, *voters[:3])
    closed = close(day.look(), vengeful, day.session)
    assert isinstance(closed.record.entry, Closed)
    assert closed.record.entry.eliminated == (vengeful,)
    assert "Town Vengeful" in day.post("end-of-day").text
    day.wait(1)
    receipt = submit(vengeful, f"avenge {goon}", "plain", day.session)
    assert any(f"{goon} was killed. Role: Mafia Goon." in text for text in receipt.public)
    assert [one.slot for one in day.table.game.dead(day.table.state)] == [vengeful, goon]
