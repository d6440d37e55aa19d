"""The game decides how its day ends: count, posts and closing say the same, and what the game does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from knightfall.engine.entries import Closed, Ruled
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.roles import Alignment
from knightfall.models import Post, PostId, Thread
from knightfall.sentence import SlotId
from knightfall.services.count.roster import roster
from knightfall.services.day.close import choice_question, close, flip, look
from knightfall.services.day.end import changes, choices_of, early_question
from knightfall.services.day.phases import lock, open_phase
from knightfall.services.game.players import kill
from knightfall.services.game.undo import undo
from knightfall.services.journal import Decision, fix
from knightfall.services.now import now_of
from knightfall.services.requests import ClosingRequest, CountRequest, FlipRequest, PhaseRequest, PostOptions
from knightfall.services.window.turns import close as close_window
from knightfall.services.window.turns import submit
from knightfall.votes.rule import AtDeadline, Death, Rule, Tie, rule_sentences, sentences_not_in
from knightfall.writeups.journal import entry_line
from knightfall.writeups.render import render
from long_runs import first
from services.voting_day import PLAYERS, VotingDay, voting_day

NAMES = PLAYERS["empowered"]
MAJORITY_WORDS = ("E-1", "E-2", "HAMMER", "it takes", "hammer", "/5", "majority")


def of_side(day: VotingDay, side: Alignment) -> list[SlotId]:
    return [slot for slot, card in day.table.state.cards.items() if card.alignment is side]


def closed(day: VotingDay, typed: str, why: str = "") -> str:
    """Closes the day, and says the outcome in the journal."""
    record = close(day.look().because(why), typed, day.session).record
    assert isinstance(record.entry, Closed)
    return "\n".join(record.entry.lines)


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
    rule = now_of(day.session).setup.rule
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
    assert (1, mate) in now_of(day.session).setup.fallen


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


@pytest.mark.parametrize("seed", first(1, range(30)))
@pytest.mark.parametrize("kind", PLAYERS)
def test_on_a_random_day_count_post_and_closing_agree_with_the_game(
    tmp_path: Path, kind: str, seed: int
) -> None:
    """Whatever is voted, ties and silence included."""
    day, names, chance = voting_day(tmp_path, kind), PLAYERS[kind], Random(f"{kind} {seed}")
    start = day.ledger.journal
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
    tied = "\n".join(record.entry.lines).startswith("tie ")
    assert (" tied. " in post) == tied
    assert kind == "empowered" or not tied
    assert tied or list(record.entry.eliminated) == fallen
    assert [name for _, name in now_of(day.session).setup.fallen] == fallen
    assert all(f"({wagon.count})" in found.text for wagon in found.count.tally.wagons)


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
    assert "once every living player, the one voted for included, votes for the same player" in text


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


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", ["knight_errant", "custom_mafia", "empowered"])
@pytest.mark.parametrize("rules", ['tie = "all"', "eliminations = 2"])
def test_all_who_fall_by_one_vote_are_dead_and_told(tmp_path: Path, kind: str, rules: str) -> None:
    day = voting_day(tmp_path, kind, rules=f'death = "plurality"\n{rules}')
    first, second, *others = PLAYERS[kind]
    day.vote(first, *others[:2], *(others[4:5] if "eliminations" in rules else ()))
    day.vote(second, *others[2:4])
    before = set(day.table.state.living)
    record = close(day.look("it is enough"), f"{first}, {second}", day.session).record
    assert before - set(day.table.state.living) >= {first, second}
    told = day.post("end-of-day").text
    cards = day.table.state.cards
    assert all(f"{name} is eliminated. Role: {cards[SlotId(name)].name}." in told for name in (first, second))
    assert f"{len(day.table.state.living)} players are alive" in told
    assert str(entry_line(record.entry)).endswith(f"closed: eliminate {first}, {second}")


# ── What the post of a day says of its end. ───────────────────────────────────────────────────────────────


def head_of(day: VotingDay) -> str:
    """The post that closes the day, as far as the final count."""
    return day.post("end-of-day").text.partition("Final votecount")[0].rstrip("= [")


def ends(day: VotingDay, until: str) -> None:
    open_phase(PhaseRequest("day", 1, ends=until), PostOptions(), day.session)


def test_a_hammer_is_told_with_its_post(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    day.vote("Boro", "Ada", "Cinder", "Elm", "Fen")
    closed(day, "Boro")
    assert head_of(day).startswith("Day 1 voting is over.\nFen cast the deciding vote in post 5.\n")
    assert "I " not in head_of(day)


@pytest.mark.parametrize("deadline", ["", "2026-11-23 22:00"])
def test_a_day_that_the_moderator_ends_early_tells_of_no_deadline(tmp_path: Path, deadline: str) -> None:
    """Whether one was set or not, nobody waited for it."""
    day = voting_day(tmp_path, "custom_mafia")
    if deadline:
        ends(day, deadline)
    day.vote("Boro", "Ada", "Cinder")
    found = day.look(early="hammered in #3 before Cinder edited")
    close(found, "Boro", day.session)
    head = head_of(day)
    assert "I ended the day early.\nNobody had enough votes, so I decided." in head
    assert "deadline" not in head
    assert "hammered" not in day.post("end-of-day").text  # the reason is the moderator's own


def test_the_reason_of_an_early_end_is_told_where_the_moderator_wants_it(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    day.vote("Boro", "Ada", "Cinder")
    found = look(ClosingRequest(None, "hammered before an edit", stored=True, tell=True), day.session)
    close(found, "Boro", day.session)
    assert (
        "I ended the day early: hammered before an edit\nNobody had enough votes, so I decided."
        in head_of(day)
    )
    rulings = [r.entry for r in day.ledger.journal if isinstance(r.entry, Ruled)]
    assert rulings == [Ruled(early_question(1), "yes", "hammered before an edit", told=True)]


def test_a_reason_without_an_early_end_is_not_told(tmp_path: Path) -> None:
    """It was given in case, and the hammer fell all the same."""
    day = voting_day(tmp_path, "custom_mafia")
    day.vote("Boro", "Ada", "Cinder", "Elm", "Fen")
    found = look(ClosingRequest(None, "we are tired", stored=True, tell=True), day.session)
    close(found, "Boro", day.session)
    assert "early" not in head_of(day)


def test_nobody_had_enough_votes_at_the_deadline(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    ends(day, "2026-11-23 22:00")
    day.vote("Boro", "Ada", "Cinder")
    day.wait(72)
    with pytest.raises(DecisionNeeded, match="The rules leave day 1 to you, so say why you choose Boro"):
        closed(day, "Boro")
    closed(day, "Boro", "most of the town asked for it")
    assert "Nobody had enough votes at the deadline, so I decided." in head_of(day)
    assert "early" not in head_of(day)
    [ruled] = [one.entry for one in day.ledger.journal if isinstance(one.entry, Ruled)]
    assert ruled == Ruled(choice_question(1), "Boro", "most of the town asked for it")


def test_where_nobody_has_a_vote_there_is_nothing_to_choose(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    ends(day, "2026-11-23 22:00")
    day.wait(72)
    closed(day, "no elimination")
    assert "Nobody had enough votes at the deadline.\n" in head_of(day) + "\n"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("at_deadline", "choices", "told", "counts"),
    [
        (
            "ask",
            ["No Elimination", "Boro"],
            "If nobody has enough votes at the deadline, I decide: either nobody is eliminated, or",
            "With 7 alive, it takes 4 to eliminate.\n",
        ),
        (
            "nobody",
            ["No Elimination"],
            "If nobody has enough votes at the deadline, nobody is eliminated.",
            "it takes 4 to eliminate. If nobody has so many at the deadline, nobody is eliminated.",
        ),
        (
            "most",
            ["Boro"],
            "The player with the most votes at the deadline is eliminated.",
            "it takes 4 to eliminate. If nobody gets there, whoever has the most votes at the deadline is",
        ),
    ],
)
def test_what_happens_without_a_majority_is_told_counted_and_closed_alike(
    tmp_path: Path, at_deadline: str, choices: list[str], told: str, counts: str
) -> None:
    rules = f'death = "majority"\nat_deadline = "{at_deadline}"'
    day = voting_day(tmp_path, "custom_mafia", rules=rules)
    ends(day, "2026-11-23 22:00")
    day.vote("Boro", "Ada", "Cinder")
    assert counts in day.votecount()
    assert all(told in day.post(kind).text for kind in ("setup", "rules"))
    assert "I decide" not in day.post("rules").text or at_deadline == "ask"
    day.wait(72)
    assert list(day.look().choices) == choices
    assert day.look().is_chosen == (at_deadline == "ask")
    closed(day, choices[-1], "a reason" if at_deadline == "ask" else "")
    says = {"ask": ", so I decided.", "nobody": ".", "most": ""}[at_deadline]
    if at_deadline == "most":
        assert "Boro had the most votes at the deadline." in head_of(day)
    else:
        assert f"Nobody had enough votes at the deadline{says}\n" in head_of(day) + "\n"


def test_most_votes_without_a_majority_is_the_rule_both() -> None:
    for more in (Rule(), Rule(minimum_votes=3), Rule(tie=Tie.ALL), Rule(majority_from_day=2)):
        most = replace(more, at_deadline=AtDeadline.MOST)
        both = replace(more, death=Death.BOTH)
        assert rule_sentences(most) == rule_sentences(both)
        assert [most.needed_at_deadline(9, 4, day) for day in (1, 2)] == [more.minimum_votes] * 2


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("rules", "votes", "typed", "says"),
    [
        ("", {"Boro": 2, "Ada": 1}, "Boro", "Boro had the most votes at the deadline."),
        ("", {"No Elimination": 2, "Ada": 1}, "no", "No Elimination had the most votes at the deadline."),
        ("", {}, "no", "Nobody had enough votes at the deadline."),
        ("\nminimum_votes = 3", {"Boro": 2}, "no", "Nobody had enough votes at the deadline."),
        (
            "",
            {"Boro": 2, "Ada": 2},
            "no",
            "Boro and Ada were tied at the deadline, so nobody is eliminated.",
        ),
        (
            '\ntie = "ask"',
            {"Boro": 2, "Ada": 2},
            "Ada",
            "Boro and Ada were tied at the deadline, so I decided.",
        ),
        (
            '\ntie = "first_to_reach"',
            {"Boro": 2, "Ada": 2},
            "Boro",
            "Boro and Ada were tied at the deadline. Boro reached that many votes first.",
        ),
        (
            '\ntie = "longest_held"',
            {"Boro": 2, "Ada": 2},
            "Boro",
            "Boro and Ada were tied at the deadline. Boro has had that many votes the longest.",
        ),
        (
            '\ntie = "all"',
            {"Boro": 2, "Ada": 2},
            "Boro, Ada",
            "Boro and Ada were tied at the deadline, so all of them are eliminated.",
        ),
    ],
)
def test_the_post_says_what_the_deadline_did(
    tmp_path: Path, rules: str, votes: dict[str, int], typed: str, says: str
) -> None:
    day = voting_day(tmp_path, "custom_mafia", rules=f'death = "plurality"{rules}')
    ends(day, "2026-11-23 22:00")
    voters = iter(PLAYERS["custom_mafia"])
    for target, count in votes.items():
        day.vote(target, *(next(voters) for _ in range(count)))
    day.wait(72)
    found = day.look()
    assert found.choice_meant(typed) is not None
    close(found.because("as I see it"), typed, day.session)
    assert f"Day 1 voting is over.\n{says}\n" in head_of(day) + "\n"


def test_a_tie_that_the_rules_leave_to_chance_is_drawn_by_the_seed(tmp_path: Path) -> None:
    """The rules tell players so, and nobody is asked whom."""
    day = voting_day(tmp_path, "custom_mafia", rules='death = "plurality"\ntie = "random"')
    assert "one of the tied is drawn at random" in day.post("rules").text
    ends(day, "2026-11-23 22:00")
    day.vote("Boro", "Ada", "Cinder")
    day.vote("Ada", "Boro", "Elm")
    day.wait(72)
    found = day.look()
    [drawn] = found.choices
    assert day.look().choices == found.choices
    source = SeededRng(day.table.seed).at("day", 1)
    assert drawn == source.choice("vote.tie", (SlotId("Ada"), SlotId("Boro")))
    closed(day, drawn)
    assert "Boro and Ada were tied at the deadline, and one of them was drawn." in head_of(day)
    [ruled] = [r.entry for r in day.ledger.journal if isinstance(r.entry, Ruled)]
    assert (ruled.question, ruled.answer) == ("Who falls in the tie of day 1: Ada or Boro?", drawn)


def test_ties_against_the_town_are_decided_by_the_cards(tmp_path: Path) -> None:
    """By the file's rule: a town player falls before a mafioso, one with a power before one without."""
    day = voting_day(tmp_path, "custom_mafia", rules='death = "plurality"\ntie = "anti_town"')
    cards = {card.name: slot for slot, card in day.table.state.cards.items()}
    goon, cop, plain = cards["Mafia Goon"], cards["Town Cop"], cards["Vanilla Townie"]
    ends(day, "2026-11-23 22:00")
    start, said = day.ledger.journal, list(day.said)
    for tied, falls in (((goon, cop, plain), cop), ((goon, plain), plain)):
        day.ledger.journal, day.said[:] = start, said
        voters = iter(PLAYERS["custom_mafia"])
        for target in tied:
            day.vote(target, next(voters), next(voters))
        day.wait(72)
        assert list(day.look().choices) == [falls]
    day.ledger.journal, day.said[:] = start, said
    day.vote(goon, *PLAYERS["custom_mafia"][:2])
    day.vote("No Elimination", *PLAYERS["custom_mafia"][2:4])
    assert list(day.look().choices) == ["No Elimination"]


def test_where_all_agree_the_day_ends_early_and_says_so(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    day.vote(NAMES[0], *NAMES)
    closed(day, NAMES[0])
    head = head_of(day)
    assert f"All living players voted for {NAMES[0]}, so the day ended early." in head
    assert "I ended" not in head


def test_a_day_of_the_game_with_its_own_deadline_says_what_that_did(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    day.vote(NAMES[0], *NAMES[1:4])
    day.wait(73)
    closed(day, NAMES[0])
    assert f"{NAMES[0]} had the most votes at the deadline." in head_of(day)


def test_an_early_end_of_the_game_with_its_own_deadline_says_that_it_was_one(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "empowered")
    day.vote(NAMES[0], *NAMES[1:4])
    close(day.look(early="the host is away"), NAMES[0], day.session)
    assert f"I ended the day early.\n{NAMES[0]} had the most votes." in head_of(day)


def test_a_locked_thread_is_no_deadline(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    ends(day, "2026-11-23 22:00")
    day.vote("Boro", "Ada", "Cinder")
    lock(PhaseRequest("day", 1, post=str(len(day.said))), day.session)
    closed(day, "Boro", "as I see it")
    head = head_of(day)
    assert "Nobody had enough votes when the thread was locked, so I decided." in head
    assert "deadline" not in head


def test_nobody_voted_to_eliminate_whom_the_moderator_chose() -> None:
    """Of a game that is run by hand, too."""
    post = render(
        "any/flip",
        {
            "day": 1,
            "fallen": [{"name": "Boro", "role": None}],
            "eliminate_word": "lynch",
            "nobody": "No Lynch",
        },
        "plain",
    )
    assert post == "Day 1 is over. Boro is voted out."


# ── What players read of a deadline and a tie is what the closing does (M8). ──────────────────────────────


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("rules", "votes", "choices", "told"),
    [
        (
            'death = "majority"',
            {"Boro": 2, "Ada": 2, "Elm": 1},
            {"No Elimination", "Boro", "Ada"},
            ("either nobody is eliminated, or the player with the most votes", "any of the tied players"),
        ),
        (
            'death = "majority"',
            {"No Elimination": 2, "Ada": 1},
            {"No Elimination"},
            ("If No Elimination has more votes than any player at the deadline, nobody is eliminated.",),
        ),
        (
            'death = "majority"',
            {"No Elimination": 4},
            {"No Elimination"},
            ("No Elimination with as many votes ends the day at once, too.",),
        ),
        (
            'death = "majority"\nneeded = { at_deadline = "half_rounded_up" }',
            {"Boro": 1},
            {"No Elimination"},
            ("half of the votes that it takes before (rounded up) are enough", "nobody is eliminated"),
        ),
        (
            'death = "majority"\nneeded = { at_deadline = "half_rounded_up" }',
            {"Boro": 2},
            {"Boro"},
            ("half of the votes that it takes before (rounded up) are enough",),
        ),
        (
            'death = "plurality"\ntie = "ask"',
            {"Boro": 1, "Ada": 1},
            {"No Elimination", "Boro", "Ada"},
            ("I decide",),
        ),
        ('death = "plurality"', {"Boro": 1, "Ada": 1}, {"No Elimination"}, ("tie, nobody is eliminated",)),
        ('death = "both"\ntie = "all"', {"Boro": 1, "Ada": 1}, {"Boro, Ada"}, ("all tied players are",)),
    ],
)
def test_the_closing_offers_what_the_rules_say(
    tmp_path: Path, rules: str, votes: dict[str, int], choices: set[str], told: tuple[str, ...]
) -> None:
    day = voting_day(tmp_path, "custom_mafia", rules=rules)
    ends(day, "2026-11-23 22:00")
    for kind in ("rules", "setup"):
        text = day.post(kind).text
        assert all(piece in text for piece in told), (kind, text)
    voters = iter(PLAYERS["custom_mafia"])
    for target, count in votes.items():
        day.vote(target, *(next(voters) for _ in range(count)))
    day.wait(72)
    assert set(day.look().choices) == choices


def test_the_setup_and_the_rules_say_the_same_of_votes(tmp_path: Path) -> None:
    for kind in PLAYERS:
        day = voting_day(tmp_path / kind, kind)
        setup, rules = day.post("setup").text, day.post("rules").text
        for sentence in rule_sentences(now_of(day.session).setup.rule):
            assert sentence in setup
            assert sentence in rules


def test_rules_that_were_posted_in_earlier_words_are_no_rule_changes() -> None:
    earlier = (
        "You can vote No Elimination: write “Vote: No Elimination” in bold. A player with votes from more "
        "than half of the living players is eliminated at once. Later votes do not count. If nobody has "
        "enough votes at the deadline, I decide: either nobody is eliminated, or the player with the most "
        "votes. If there is a tie for the most votes, I may choose any of the tied players."
    )
    untold = sentences_not_in(earlier, Rule())
    assert [text.split()[0] for text in untold] == ["To", "Votes", "Do"]
    assert len(sentences_not_in("", Rule())) == len(rule_sentences(Rule()))
    changed = sentences_not_in("\n".join(rule_sentences(Rule())), Rule(death=Death.PLURALITY, tie=Tie.ALL))
    assert changed == (
        "The player with the most votes at the deadline is eliminated.",
        "If there is a tie, all tied players are eliminated.",
    )


def test_a_day_that_was_taken_back_is_closed_again_whatever_the_thread_is_at(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    day.vote("Boro", *PLAYERS["custom_mafia"][2:6])
    found = day.look()
    first = close(found, "Boro", day.session)
    for slot in day.table.windows[0].slots:
        submit(slot, "no action", "plain", day.session)
    close_window("night", "plain", day.session)
    day.said.append(("Wren", "[b]Day 2 begins.[/b]"))
    day.vote("Cinder", PLAYERS["custom_mafia"][3])
    undo(first.record.number, "a vote was misread", day.session)
    again = day.look()
    assert (again.day, again.again) == (1, first.record)


@pytest.mark.parametrize(("approximate", "told"), [(True, ["#2 by Fen was changed"]), (False, [])])
def test_a_post_matters_to_the_end_of_a_day_unless_it_surely_came_too_late(
    approximate: bool, told: list[str]
) -> None:
    until = datetime(2026, 11, 21, 20, tzinfo=UTC)
    before, after = (
        Thread("phpbb", "A day", (Post(PostId("2"), 2, "Fen", body, time=until, approximate=approximate),))
        for body in ("Vote: Ada", "Vote: Boro")
    )
    assert list(changes(before, after, until)) == told


def test_a_tie_of_a_player_and_no_elimination_that_chance_decides_may_end_with_nobody(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia", 'death = "plurality"\ntie = "random"')
    ada, boro, cinder, *_ = PLAYERS["custom_mafia"]
    day.vote(ada, boro)
    day.vote("No Elimination", cinder)
    count = day.look(early="it is enough").count
    assert choices_of(count) == {ada: (ada,), count.terms.no_elimination: ()}
