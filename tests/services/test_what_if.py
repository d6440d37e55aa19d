"""What closing would lead to is what it leads to: every game, every window, whoever holds the slots."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.engine.entries import Replaced, Submitted
from knightfall.engine.game import Window
from knightfall.engine.heads import without_line
from knightfall.engine.json_text import as_object
from knightfall.engine.rng import Rng, SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.games import GAMES
from knightfall.sentence import SlotId
from knightfall.services import what_if
from knightfall.services.day.close import close as close_day
from knightfall.services.day.close import look
from knightfall.services.publish import Text
from knightfall.services.requests import ClosingRequest, NewGameRequest
from knightfall.services.session import Session
from knightfall.services.window.turns import close, submit
from long_runs import first
from salt_harbour import NAMES
from services.voting_day import VotingDay, voting_day

ROUNDS = {"knight_fight": 24, "knights_duty": 8}
"""So many windows of a game are closed, where 14 are not enough to see all kinds of them."""
SEEDS = range(3)
REPLACED = ("Zephyr", "Quince", "Wolfram")
"""Who comes for somebody in the middle of a game; no word of any game."""
CARDS = [
    {"role": "Mafia Goon"},
    {"role": "Mafia Roleblocker"},
    {"role": "Town Roleblocker", "count": 2},
    {"role": "Town Bus Driver"},
    {"role": "Town Doctor"},
    {"role": "Town Tracker"},
    {"role": "Vanilla Townie", "fill": True},
]


class Played(VotingDay):
    """A game whose session stays the same, so that nothing is replayed twice."""

    @cached_property
    def session(self) -> Session:
        return super().session


def begun(folder: Path, kind: str, seed: int) -> Played:
    """A game without a thread, as it was dealt."""
    found = Played(folder / "game", StillClock(), MemoryLedger())
    sizes = next(game.spec.players for game in GAMES if game.spec.id == kind)
    names = NAMES[: min(max(sizes[0], 9), sizes[-1], len(NAMES))]
    options = {"setup": {"slots": CARDS}} if kind == "custom_mafia" else {}
    begin(
        NewGameRequest(
            kind, names, found.folder, b"a seed of this game %d" % seed, b"salt" * 8, "Trial", options=options
        ),
        found.session,
    )
    return found


def told(texts: Sequence[Text]) -> list[tuple[str, str, str]]:
    return [(one.whose, one.kind, without_line(one.text)) for one in texts]


def enter(game: VotingDay, entry: Any) -> None:
    game.ledger.append(entry, game.clock.now(), "Wren")


def everybody_speaks(game: VotingDay, chance: Rng) -> None:
    """Whoever has something to say says one of their lines, or nothing; the moderator decides."""
    speakers = dict.fromkeys(slot for window in game.table.windows for slot in window.slots)
    for slot in (*speakers, None):
        table = game.table
        lines = tuple(islice(table.game.legal(table.state, slot), 300))
        if not lines:
            continue
        line = chance.choice(f"line:{slot}", lines if slot is None else (*lines, None))
        if line is not None:
            enter(game, Submitted(slot, line))


def replaced(game: VotingDay, name: str, chance: Rng) -> None:
    """Somebody comes for one who still plays."""
    slot = chance.choice("leaves", game.table.game.playing(game.table.state))
    enter(game, Replaced(slot, name))


def same_as_closed(game: VotingDay, window: Window) -> bool:
    """Whether the window was closed; its preview was what that led to."""
    ahead = what_if.preview(game.session, window.kind)
    assert ahead.window == window.title
    try:
        closed = close(window.kind, "plain", game.session, why_early="a trial")
    except DecisionNeeded as refused:
        assert ahead.stays_open and ahead.texts == ()
        assert str(refused).splitlines()[1] in ahead.question
        return False
    assert told(ahead.texts) == told(closed.receipt.texts)
    assert not ahead.stays_open
    return True


@pytest.mark.few(1)
@pytest.mark.parametrize("seed", first(1, SEEDS))
@pytest.mark.parametrize("kind", [game.spec.id for game in GAMES])
def test_the_preview_of_a_window_is_what_its_closing_writes(tmp_path: Path, kind: str, seed: int) -> None:
    game, chance, kinds = begun(tmp_path, kind, seed), SeededRng(b"chance %d" % seed), set[str]()
    for number in range(ROUNDS.get(kind, 14)):
        if not game.table.windows:
            break
        drawn = chance.at("round", number)
        if number % 4 == 3 and number // 4 < len(REPLACED):
            replaced(game, REPLACED[number // 4], drawn)
        everybody_speaks(game, drawn)
        for window in game.table.windows:
            # In time, at the deadline to the second, or late.
            until, now = window.closes, game.clock.now()
            when = drawn.choice(f"when:{window.kind}", ("now", "at the deadline", "late"))
            if until is not None and until > now and when != "now":
                game.wait((until - now) / timedelta(hours=1) + (when == "late"))
            if same_as_closed(game, window):
                kinds.add(window.kind)
                break
        else:
            game.wait(30)
    assert len(kinds) > (kind in ("knight_errant", "custom_mafia", "empowered", "kings_court"))


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", [game.spec.id for game in GAMES])
def test_what_was_closed_is_told_as_it_was(tmp_path: Path, kind: str) -> None:
    """The n-th of its kind, after the game went on and somebody was replaced."""
    game, chance = begun(tmp_path, kind, 7), SeededRng(b"chance 7")
    closed: list[tuple[str, list[tuple[str, str, str]]]] = []
    for number in range(8):
        everybody_speaks(game, chance.at("round", number))
        for window in game.table.windows:
            try:
                receipt = close(window.kind, "plain", game.session, why_early="a trial").receipt
            except DecisionNeeded:
                continue
            closed.append((window.kind, told(receipt.texts)))
            break
    if game.table.windows:
        replaced(game, REPLACED[0], chance)
    assert len(closed) > 2
    for place, (kind_of, texts) in enumerate(closed):
        number = [one for one, _ in closed[: place + 1]].count(kind_of)
        assert told(what_if.preview(game.session, kind_of, number).texts) == texts


@pytest.mark.parametrize("kind", ["knight_errant", "custom_mafia", "empowered"])
def test_the_preview_of_a_voted_day_is_what_closing_it_writes(tmp_path: Path, kind: str) -> None:
    day = voting_day(tmp_path, kind)
    living = [str(slot) for slot in day.table.game.playing(day.table.state)]
    day.vote(living[0], *living[1:])
    ahead = what_if.preview(day.session)
    assert ahead.day is not None and ahead.day.eliminated == (living[0],)
    assert ahead.question == ""
    request = ClosingRequest(None, "enough", stored=True)
    closed = close_day(look(request, day.session), living[0], day.session)
    assert closed.receipt is not None
    assert told(ahead.texts) == told(closed.receipt.texts)


def test_a_voted_day_is_told_as_its_votes_stand(tmp_path: Path) -> None:
    day = voting_day(tmp_path, "custom_mafia")
    ada, boro, cyd, dee, *_ = (str(slot) for slot in day.table.game.playing(day.table.state))
    unread = what_if.preview(day.session)
    assert unread.day is not None and unread.day.wagons == ()
    day.vote(ada, boro, cyd)
    day.vote(boro, ada)
    stands = what_if.preview(day.session)
    assert stands.day is not None
    assert stands.day.wagons == ((ada, "2/4"), (boro, "1/4"))
    assert not stands.day.hammered
    why = what_if.why(day.session, boro)
    assert why.standing == (f"Vote: {ada} (#2)",)
    assert why.named[0] == f"{boro} has 1/4: {ada} (#4)"
    assert (
        stands.question
        == f"The votes do not settle who is eliminated, so you will be asked: No Elimination | {ada}."
    )
    assert stands.texts == ()
    others = what_if.what_if(day.session, [f"add {dee}: vote {boro}", f"remove {cyd}"])
    assert others.refused == () and others.texts == ()
    assert others.question.endswith(f"No Elimination | {boro}.")
    hammer = what_if.what_if(day.session, [f"add {dee}: vote {ada}", f"add {ada}: vote {ada}"])
    assert hammer.question == ""
    [post] = [text.after for text in hammer.texts if text.whose == "public"]
    assert ada in post
    decided = what_if.what_if(day.session, [f"add moderator: eliminate {cyd}"])
    [post] = [text.after for text in decided.texts if text.whose == "public"]
    assert cyd in post
    refused = what_if.what_if(day.session, [f"add {dee}: vote Nobody at all here"])
    assert [why_not.code for _, _, why_not in refused.refused] == ["UNCLEAR"]
    with pytest.raises(InputError, match="no such vote"):
        what_if.what_if(day.session, [f"remove {dee}"])


def test_what_stands_is_judged_as_it_stands_and_never_sent_again(tmp_path: Path) -> None:
    """An order on somebody who died since is no refused line: it stands, and comes to nothing."""
    game = begun(tmp_path, "custom_mafia", 1)
    roles = {card: slot for slot, card in game.table.game.roles(game.table.state).items()}
    doctor, townie = roles["Town Doctor"], roles["Vanilla Townie"]
    submit("moderator", "no elimination", "plain", game.session)
    close("day", "plain", game.session)
    submit(str(doctor), f"heal {townie}", "plain", game.session)
    submit("moderator", f"modkill {townie}", "plain", game.session)
    steps = [step.text for step in what_if.why(game.session, str(doctor)).steps]
    assert any(f"{doctor}'s heal of {townie} was rejected" in text for text in steps)
    assert not any("not taken" in text for text in steps)
    assert what_if.preview(game.session).refused == ()
    changed = what_if.what_if(game.session, [f"remove {doctor}: heal"])
    assert changed.refused == ()


def test_an_added_line_is_taken_as_the_game_takes_it_and_a_removed_one_leaves_the_rest(
    tmp_path: Path,
) -> None:
    game = begun(tmp_path, "custom_mafia", 1)
    roles = {card: slot for slot, card in game.table.game.roles(game.table.state).items()}
    goon, doctor, townie = roles["Mafia Goon"], roles["Town Doctor"], roles["Vanilla Townie"]
    submit("moderator", "no elimination", "plain", game.session)
    close("day", "plain", game.session)
    submit(str(goon), f"kill {townie}", "plain", game.session)
    submit(str(doctor), f"heal {townie}", "plain", game.session)
    before = game.table.journal
    removed = what_if.what_if(game.session, [f"remove {doctor}: heal"])
    assert removed.changes[0].text == f"{townie} dies"
    assert any(f"{townie} was found dead" in text.after for text in removed.texts)
    other = what_if.what_if(game.session, [f"add {doctor}: heal {goon}"])
    assert other.changes[0].text == f"{townie} dies"
    back = what_if.what_if(game.session, [f"remove {doctor}", f"add {doctor}: heal {townie}"])
    assert back.changes == () and back.texts == ()
    wrong = what_if.what_if(game.session, [f"add {doctor}: jail {townie}"])
    assert [why.code for _, _, why in wrong.refused] == ["NOT_YOUR_ABILITY"]
    assert game.table.journal == before


GRAMMAR = (
    "add {name}: {line}",
    "ADD {name} : {line}",
    "remove {name}",
    "remove {name}: {line}",
    "remove {name}:{line}",
)


@pytest.mark.few(5)
@pytest.mark.parametrize("kind", [game.spec.id for game in GAMES])
@pytest.mark.parametrize("form", GRAMMAR)
def test_every_form_of_a_change_is_taken_in_every_game(tmp_path: Path, kind: str, form: str) -> None:
    game = begun(tmp_path, kind, 2)
    if kind in ("knight_errant", "custom_mafia"):
        submit("moderator", "no elimination", "plain", game.session)
        close("day", "plain", game.session)
    window = game.table.windows[0]
    slot, line = next(
        (slot, line)
        for slot in window.slots
        for line in islice(game.table.game.legal(game.table.state, slot), 1)
    )
    if form.startswith("remove"):
        enter(game, Submitted(SlotId(slot), line))
    before = game.table.journal
    found = what_if.what_if(game.session, [form.format(name=slot, line=line)])
    assert found.refused == ()
    assert game.table.journal == before


@pytest.mark.parametrize("kind", [game.spec.id for game in GAMES])
def test_the_examples_of_a_game_can_be_asked(tmp_path: Path, kind: str) -> None:
    game = begun(tmp_path, kind, 2)
    forms = what_if.examples(game.session)
    assert any(form.startswith("add ") for form in forms)
    assert not any(form.startswith("set ") for form in forms), "an option is no word for a moderator"
    for form in forms:
        if not form.startswith("remove"):  # nothing was sent that could be taken back
            assert what_if.what_if(game.session, [form]).refused == ()


def test_a_ring_that_a_change_undoes_is_told_by_its_texts(tmp_path: Path) -> None:
    game = begun(tmp_path, "custom_mafia", 1)
    cards = game.table.game.roles(game.table.state)
    one, two = (slot for slot, card in cards.items() if card == "Town Roleblocker")
    submit("moderator", "no elimination", "plain", game.session)
    close("day", "plain", game.session)
    submit(str(one), f"roleblock {two}", "plain", game.session)
    submit(str(two), f"roleblock {one}", "plain", game.session)
    # CM-R2: nothing hangs on this ring, so nobody is asked.
    shown = what_if.preview(game.session)
    assert shown.question == "" and any("No question" in line for line in shown.decided)
    undone = what_if.what_if(game.session, [f"remove {two}"])
    assert undone.question == ""
    assert undone.texts


def test_a_night_that_may_not_end_early_is_shown_as_it_ends(tmp_path: Path) -> None:
    """EM-R27 by option: nothing closes before its time, and is looked at all the same."""
    day = voting_day(tmp_path, "empowered", em_r27="never")
    day.wait(73)
    close_day(look(ClosingRequest(None, "enough", stored=True), day.session), "No Elimination", day.session)
    ahead = what_if.preview(day.session)
    assert not ahead.stays_open and ahead.report is not None
    assert ahead.window == "Night 1"
    day.wait(24)
    closed = close("night", "plain", day.session)
    assert [one[:2] for one in told(ahead.texts)] == [one[:2] for one in told(closed.receipt.texts)]


BOARD_KEYS = {"window", "open", "texts", "refused"}
NIGHT_KEYS = {"title", "night", "moderator", "cautions", "refused", "public", "private", "depends"}


@pytest.mark.parametrize("kind", [game.spec.id for game in GAMES])
def test_the_json_of_a_preview_has_the_keys_of_every_game(tmp_path: Path, kind: str) -> None:
    game = begun(tmp_path, kind, 2)
    found = json.loads(as_object(what_if.preview(game.session).to_dict()))
    assert found.keys() >= BOARD_KEYS | NIGHT_KEYS - {"night", "moderator"}
    if kind in ("knight_errant", "custom_mafia"):
        submit("moderator", "no elimination", "plain", game.session)
        close("day", "plain", game.session)
        found = json.loads(as_object(what_if.preview(game.session).to_dict()))
        assert found.keys() >= BOARD_KEYS | NIGHT_KEYS
        assert found["night"] == found["moderator"]["night"] == 1
