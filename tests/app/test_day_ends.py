"""The game decides how its day ends: count, posts and closing say the same, and what the game does."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from app.voting_day import PLAYERS, VotingDay, voting_day
from knightfall.config.calendar import eliminated
from knightfall.engine.journal import Closed, Ruled
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.roles import Alignment
from knightfall.sentence import SlotId
from knightfall.services.close_day import FlipRequest, close, flip
from knightfall.services.count_request import CountRequest
from knightfall.services.game_state import setup_of
from knightfall.services.journal import Decision, fix
from knightfall.services.phases import PhaseRequest, lock, open_phase
from knightfall.services.players import kill
from knightfall.services.roster import roster
from knightfall.services.turns import PostOptions
from knightfall.services.turns import close as close_window

NAMES = PLAYERS["empowered"]
MAJORITY_WORDS = ("E-1", "E-2", "HAMMER", "it takes", "hammer", "/5", "majority")


def of_side(day: VotingDay, side: Alignment) -> list[SlotId]:
    return [slot for slot, card in day.table.state.cards.items() if card.alignment is side]


def closed(day: VotingDay, typed: str) -> str:
    """Closes the day, and says the outcome in the journal."""
    record = close(day.look(), typed, day.session).record
    assert isinstance(record.entry, Closed)
    return record.entry.outcome or ""


def test_a_plurality_game_prints_no_word_of_a_majority(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    day.vote(NAMES[0], *NAMES[1:5])
    count = day.votecount()
    day.wait(73)
    final, rules, start = day.look().text, day.post("rules").text, day.post("day-start").text
    for text in (count, final, rules, start):
        assert not [word for word in MAJORITY_WORDS if word in text], text
    assert f"{NAMES[0]} (4): " in count
    assert (
        "9 alive. Whoever has the most votes at the deadline is eliminated. Ties go against the town."
        in count
    )
    assert "Whoever has the most votes at the deadline is eliminated. Ties go against the town." in start


def test_a_file_without_rules_has_those_of_its_game(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered", rules="self_vote = false")
    rule = setup_of(day.session).rule
    assert (rule.death.value, rule.tie.value, rule.unanimous) == ("plurality", "anti_town", True)


def test_a_rule_of_the_file_is_obeyed(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered", rules='death = "majority"')
    day.vote(NAMES[0], *NAMES[1:5])
    assert " (4): " in day.votecount()
    assert "– E-1" in day.votecount()
    assert "it takes 5 to eliminate" in day.votecount()


def test_everybody_agrees_and_the_day_may_end(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    day.vote(NAMES[0], *NAMES[:-1])
    with pytest.raises(DecisionNeeded, match="the most votes at the deadline decide"):
        day.look()
    assert "agrees" not in day.votecount()
    day.vote(NAMES[0], NAMES[-1])
    assert f"Everybody agrees on {NAMES[0]}, so the day can end now." in day.votecount()
    assert closed(day, NAMES[0]) == f"eliminate {NAMES[0]}"
    [ruled] = [r.entry for r in day.ledger.journal if isinstance(r.entry, Ruled)]
    assert ruled.why == "all the living vote for the same"


def test_where_no_phase_ends_early_agreement_ends_nothing(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered", em_r27="never")
    day.vote(NAMES[0], *NAMES)
    assert "agrees" not in day.votecount()
    with pytest.raises(DecisionNeeded, match="still running"):
        day.look()


def test_the_game_draws_a_tie_against_the_town(tmp_path: Path) -> None:
    """EM-R26: a tie of a mafioso and a townie takes the townie; nobody is asked whom."""
    day = voting_day(tmp_path, "empowered")
    [goon, *_], [mate, *town] = of_side(day, Alignment.MAFIA), of_side(day, Alignment.TOWN)
    day.vote(goon, *town[:2])
    day.vote(mate, *town[2:4])
    day.wait(73)
    found = day.look()
    assert found.choices == {mate: (mate,)}
    assert closed(day, mate) == f"tie {goon}, {mate}"
    assert mate not in day.table.state.living
    post = day.post("end-of-day").text
    assert f"{goon} and {mate} tied." in post.replace(f"{mate} and {goon}", f"{goon} and {mate}")
    assert "against the town" in post
    assert mate in flip(FlipRequest(mate), day.session).text
    assert (1, mate) in setup_of(day.session).fallen


def test_a_tie_with_nobody_eliminates_nobody_and_says_that_it_was_one(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    day.vote(NAMES[0], *NAMES[1:3])
    day.vote("No Elimination", *NAMES[3:5])
    day.wait(73)
    assert day.look().choices == {"No Elimination": ()}
    assert closed(day, "no elimination") == f"tie {NAMES[0]}, no elimination"
    assert f"{NAMES[0]} and No Elimination tied." in day.post("end-of-day").text


def test_by_option_everybody_tied_has_the_same_chance(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered", em_r26="uniform")
    day.vote(NAMES[0], *NAMES[1:3])
    day.vote("No Elimination", *NAMES[3:5])
    day.wait(73)
    [choice] = day.look().choices
    closed(day, choice)
    assert "One of them is drawn by lot: " in day.post("end-of-day").text


def test_the_phase_has_the_deadline_of_the_game(tmp_path: Path) -> None:
    """EM-R31: 72 hours, whether or not anybody opened the day."""
    day = voting_day(tmp_path, "empowered")
    assert "Day 1 ends: Tue 24 Nov 2026, 12:00 UTC" in day.votecount()


@pytest.mark.parametrize("kind", PLAYERS)
def test_on_random_days_count_post_and_closing_agree_with_the_game(tmp_path: Path, kind: str) -> None:
    """Whatever is voted, ties and silence included."""
    begun = voting_day(tmp_path, kind)
    start, names, told = begun.ledger.journal, PLAYERS[kind], set[str]()
    for seed in range(100):
        chance, day = Random(f"{kind} {seed}"), begun
        day.ledger.journal, day.clock.waited[:] = start, []
        del day.said[1:]
        targets = chance.sample([*names, "No Elimination"], chance.choice([1, 2, 2, 3, 5]))
        for voter in chance.sample(names, chance.randint(0, len(names))):
            day.vote(chance.choice(targets), voter)
        found = day.look(early="it is enough")
        choice = chance.choice([*found.choices])
        done = close(found, choice, day.session)
        fallen = list(day.table.state.left)
        assert list(done.eliminated) == list(found.choices[choice]) == fallen
        assert len(found.choices) == 1 or kind != "empowered"
        post = day.post("end-of-day").text
        assert fallen[0] in post if fallen else "obody is eliminated" in post
        [record] = [r for r in day.ledger.journal if isinstance(r.entry, Closed) and r.number > len(start)]
        assert isinstance(record.entry, Closed)
        tied = (record.entry.outcome or "").startswith("tie ")
        assert (" tied. " in post) == tied
        assert tied or list(eliminated(record.entry)) == fallen
        assert [name for _, name in setup_of(day.session).fallen] == fallen
        assert all(f"({wagon.count})" in found.text for wagon in found.count.tally.wagons)
        told |= {record.entry.outcome.split()[0] if record.entry.outcome else "", "tied" if tied else "clear"}
    assert ("tied" in told) == (kind == "empowered")


def test_post_numbers_are_those_of_the_thread(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    day.vote("Ada", "Boro")
    attempts: tuple[Callable[[], object], ...] = (
        lambda: fix("3", Decision(ignore=True), "a slip", day.session),
        lambda: fix("999", Decision(count=True), "a slip", day.session),
        lambda: lock(PhaseRequest("day", 1, post="5000"), day.session),
        lambda: open_phase(PhaseRequest("day", 1, post="5000"), PostOptions(), day.session),
        lambda: kill("Elm", "5000", "", PostOptions(), day.session),
    )
    for attempt in attempts:
        with pytest.raises(InputError, match="went from 1 to 2 when it was last read"):
            attempt()
    assert fix("2", Decision(ignore=True), "a joke", day.session).entry


def test_the_roster_knows_who_fell_at_once(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    town = of_side(day, Alignment.TOWN)
    day.vote(town[0], *town[1:5])
    closed(day, town[0])
    listed = roster(CountRequest(stored=True), day.session)
    assert [(one.player, one.left.how.value) for one in listed.slots if one.left] == [(town[0], "eliminated")]
    close_window("night", "plain", day.session)
    assert sum(one.left is None for one in roster(CountRequest(stored=True), day.session).slots) == 6


@pytest.mark.parametrize(
    ("boundary", "said"), [("before", "21:59:59"), ("second", "22:00:00"), ("minute", "22:00:59")]
)
def test_the_day_start_tells_the_last_second_of_its_own_deadline(
    tmp_path: Path, boundary: str, said: str
) -> None:
    day = voting_day(tmp_path, "custom_mafia", rules=f'boundary = "{boundary}"')
    open_phase(PhaseRequest("day", 1, ends="2026-11-23 22:00"), PostOptions(), day.session)
    text = day.post("day-start").text
    assert f"Votes must be posted by {said} " in text
    assert "20:00" not in text
    assert "20:00" not in day.post("rules").text


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        (
            'death = "majority"',
            "If nobody has enough votes at the deadline, I decide: either nobody is eliminated, or the "
            "player with the most votes. If there is a tie for the most votes, I may choose any of the tied "
            "players.",
        ),
        ('death = "majority"\nmajority_from_day = 2', "On day 1, the player with the most votes"),
        ('death = "majority"\nmajority_from_day = 2', "From day 2 on, if nobody has enough votes"),
        ('death = "plurality"\ntie = "all"', "If there is a tie, all tied players are eliminated."),
    ],
)
def test_the_rules_say_what_happens_at_the_deadline(tmp_path: Path, rules: str, says: str) -> None:
    text = voting_day(tmp_path, "custom_mafia", rules=rules).post("rules").text
    assert says in text
    assert ("I decide: either" in text) == ("majority" in rules)


def test_agreement_is_told_in_the_rules(tmp_path: Path) -> None:
    text = voting_day(tmp_path, "empowered").post("rules").text
    assert "once all living players vote for the same player" in text


def test_the_typed_name_fits_one_player_alone(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    day.vote("Hollis", *NAMES[:4])
    day.wait(73)
    found = day.look()
    assert [found.choice_meant(typed) for typed in ("hollis", "HOL", " Hollis ")] == ["Hollis"] * 3
    assert [found.choice_meant(typed) for typed in ("ho", "Ada", "xx", "No Elimination")] == [None] * 4


def test_a_day_without_a_thread_says_how_it_is_closed(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    file = day.folder / "game.toml"
    file.write_text(file.read_text("utf-8").replace('role = "game"', 'role = "signup"'), "utf-8")
    with pytest.raises(InputError, match="say who is eliminated, then close the day"):
        day.look()


@pytest.mark.parametrize("kind", ["knight_errant", "custom_mafia"])
def test_a_house_where_most_votes_decide_reads_so_in_every_post_of_the_game(
    tmp_path: Path, kind: str
) -> None:
    day = voting_day(tmp_path, kind, rules='death = "plurality"')
    [first, second, third, *others] = PLAYERS[kind]
    day.vote(first, *others[:3])
    texts = [day.votecount(), day.post("rules").text, day.post("opening").text, day.post("day-start").text]
    gone = kill(second, None, "shot by day", PostOptions("plain"), day.session)
    assert gone.receipt is not None
    texts += gone.receipt.public
    close(day.look(early="it is enough"), first, day.session)
    texts.append(day.post("end-of-day").text)
    texts += close_window("night", "plain", day.session).receipt.public
    texts += [day.post("dawn").text, day.post("day-start").text]
    for text in texts:
        wrong = [
            word for word in (*MAJORITY_WORDS[:-2], "majority", "eliminates", "votes elim") if word in text
        ]
        assert not wrong, text
    assert "Whoever has the most votes at the deadline is eliminated." in texts[-2]
    assert third in day.table.state.living
