"""`resolve --preview`, `why` and `whatif` in a game's folder: the open night as it stands, or a past one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from begun import begin
from fetch.loopback import StillClock
from knightfall.cli import app
from knightfall.cli.format_night import NOTHING, format_changes, format_explanation, format_preview
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.decide import decide
from knightfall.mafia.roles import Alignment, Role
from knightfall.mafia.state import Departure, Phase
from knightfall.sentence import SlotId
from knightfall.services import what_if
from knightfall.services.now import now_of
from knightfall.services.publish import texts_of
from knightfall.services.requests import NewGameRequest
from knightfall.services.running import RunningGame
from knightfall.services.session import Session
from knightfall.services.window.turns import close, submit
from services.first_night import Quay, quay, session_of_test

LANE = {
    "slots": [
        {"role": "Mafia Goon"},
        {"role": "Town Roleblocker", "count": 2},
        {"role": "Town Bus Driver"},
        {"role": "Town Tracker"},
        {"role": "Vanilla Townie", "fill": True},
    ]
}
PLAYERS = ("Ada", "Boro", "Cinder", "Elm", "Fen", "Gale", "Iris")


def preview(session: Session, number: int | None = None) -> str:
    return format_preview(what_if.preview(session, number=number))


def why(name: str, session: Session, number: int | None = None) -> str:
    return format_explanation(what_if.why(session, name, number=number))


def whatif(session: Session, edits: list[str]) -> str:
    return format_changes(what_if.what_if(session, edits))


def texts(session: Session, number: int | None = None) -> list[tuple[str, str, str]]:
    """Every text of the closing, by its reader and kind."""
    found = what_if.preview(session, number=number).texts
    return [(text.whose, text.kind, text.text) for text in found]


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Quay]:
    """The first night: the mafia kills the last townsman, the doctor heals him."""
    with quay(tmp_path) as found:
        found.say(found.holder("Mafia Goon"), f"kill {victim(found.table)}")
        found.say(found.holder("Town Doctor"), f"heal {victim(found.table)}")
        yield found


def victim(table: RunningGame) -> SlotId:
    living: Mapping[SlotId, Role] = table.state.living
    return [slot for slot, card in living.items() if card.alignment is Alignment.TOWN][-1]


def run(here: Quay | Lane, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--game", str(here.folder)])


def test_a_preview_says_what_the_closing_will_do_and_writes_nothing(here: Quay) -> None:
    before = here.table.journal
    doctor, goon, saved = here.holder("Town Doctor"), here.holder("Mafia Goon"), victim(here.table)
    shown = preview(here.session)
    assert f"{saved} lives: {goon}: kill {saved} – healed ({doctor}: heal {saved})" in shown
    assert "Deaths: nobody." in shown
    assert "PMs to send: none." in shown
    assert "No action stands for:" in shown
    assert "Nothing was written" in shown
    assert here.table.journal == before


def test_the_preview_is_what_is_closed_and_a_past_night_is_told_as_it_was(here: Quay) -> None:
    here.say("moderator", f"modkill {here.holder('Town Doctor')}")
    living = tuple(here.table.state.living)
    asked, ahead = [why(slot, here.session) for slot in living], texts(here.session)
    here.close("night")
    after = here.table
    assert [(one.whose, one.kind, one.text) for one in texts_of(after, after.last_events, "plain")] == ahead
    assert texts(here.session, 1) == ahead
    assert [why(slot, here.session, 1) for slot in living] == asked
    assert f"Deaths: {victim_of(after)}." in preview(here.session, 1)


def victim_of(table: RunningGame) -> str:
    gone: Mapping[SlotId, Departure] = table.state.left
    [dead] = [slot for slot, left in gone.items() if left.how == "killed"]
    return dead


def test_what_if_tells_what_an_edit_changes_and_nothing_else(here: Quay) -> None:
    night, saved = here.session, victim(here.table)
    assert whatif(night, [f"remove {here.holder('Town Doctor')}:heal"]).startswith(f"{saved} dies")
    assert whatif(night, [f"add {here.holder('Mafia Goon')}: kill {saved}"]) == NOTHING
    assert whatif(night, ["set ke_r36 = allowed"]) == NOTHING


def test_refused_lines_of_the_night_are_told_with_why(here: Quay) -> None:
    here.say(here.holder("Town Doctor"), "jail Ada")
    shown = why(here.holder("Town Doctor"), here.session)
    assert "not taken: “jail Ada”: NOT_YOUR_ABILITY" in shown


def test_the_verbs_find_the_night_of_the_folder(here: Quay) -> None:
    doctor, saved = here.holder("Town Doctor"), victim(here.table)
    assert "Deaths: nobody." in run(here, "resolve", "--preview").stdout
    full = json.loads(run(here, "resolve", "--json").stdout)
    assert full["night"] == 1
    assert full["moderator"]["survived"][0]["name"] == saved
    assert f"{saved} lived" in run(here, "why", saved).stdout
    assert f"{saved} dies" in run(here, "whatif", f"remove {doctor}:heal").stdout
    assert "Say what to change" in str(run(here, "whatif", "night.toml").exception)
    both = run(here, "why", saved, "fixtures/demo/night.toml")
    assert "not both" in str(both.exception)
    none = run(here, "why", saved, "--night", "4")
    assert "There is no night 4. Nights of this game: 1 (open)." in str(none.exception)


@dataclass
class Lane:
    """A game of seven or more in a folder, without a forum."""

    folder: Path
    session: Session

    @property
    def table(self) -> RunningGame:
        return now_of(self.session).running

    def holders(self, role: str) -> list[SlotId]:
        return [slot for slot, card in self.table.state.living.items() if card.name == role]

    def say(self, who: str, text: str) -> None:
        submit(who, text, "plain", self.session)

    def close(self, window: str) -> None:
        close(window, "plain", self.session)


def lane(folder: Path, game: str, options: Mapping[str, object]) -> Lane:
    session = session_of_test(folder, StillClock())
    begin(
        NewGameRequest(game, PLAYERS, folder, b"a seed for the lane", b"salt" * 8, "Lane", options=options),
        session,
    )
    return Lane(folder, session)


@pytest.fixture
def custom(tmp_path: Path) -> Lane:
    """A custom game at its first night."""
    found = lane(tmp_path / "lane", "custom_mafia", {"setup": LANE})
    found.say("moderator", "no elimination")
    found.close("day")
    return found


def test_a_custom_game_is_asked_the_same_questions(custom: Lane) -> None:
    [goon], [driver], [tracker] = map(custom.holders, ("Mafia Goon", "Town Bus Driver", "Town Tracker"))
    one, two = custom.holders("Vanilla Townie")[:2]
    custom.say(goon, f"kill {one}")
    custom.say(driver, f"drive {one} and {two}")
    custom.say(tracker, f"track {goon}")
    night = custom.session
    assert f"Deaths: {two}." in preview(night)
    assert "PMs to send: 1, all in the same form" in preview(night)
    assert f"{two} died" in why(two, night)
    assert f"was told “{two}”" in why(tracker, night)
    assert f"{one} dies" in whatif(night, [f"remove {driver}"])
    assert all(why(slot, night) for slot in custom.table.state.living)
    ahead = texts(night)
    custom.close("night")
    assert texts(night, 1) == ahead
    assert "lived" in why(one, night, 1)


def test_a_ring_of_actions_is_shown_as_the_question_it_will_be(custom: Lane) -> None:
    one, two = custom.holders("Town Roleblocker")
    [tracker] = custom.holders("Town Tracker")
    custom.say(tracker, f"track {one}")  # to whom it makes a difference
    custom.say(one, f"roleblock {two}")
    found = what_if.what_if(custom.session, [f"add {two}: roleblock {one}"])
    assert "in a ring" in found.question
    asked = run(custom, "whatif", f"add {two}: roleblock {one}")
    assert isinstance(asked.exception, DecisionNeeded)
    custom.say(two, f"roleblock {one}")
    assert "Ruling needed: closing the night will ask you this." in preview(custom.session)
    with pytest.raises(DecisionNeeded, match=r"CM-R2"):
        why(one, custom.session)


def test_a_night_that_ends_with_the_last_ready_is_told_with_all_that_was_sent(tmp_path: Path) -> None:
    game = lane(tmp_path / "lane", "empowered", {})
    for slot in game.table.windows[0].slots:
        game.say(slot, "role Strongman")
    game.close("choosing")
    game.say("moderator", "no elimination")
    game.close("day")
    *others, last = game.table.state.living
    sent = next(line for line in game.table.game.legal(game.table.state, last) if line != "ready")
    for slot in others:
        game.say(slot, "ready")
    game.say(last, f"{sent}\nready")
    assert game.table.state.phase is Phase.DAY
    night = what_if.trial_of(game.session, number=1).night
    assert night is not None
    assert [note.action.actor for note in decide(night).night.trace] == [last]
    assert night.game.words.notation(decide(night).night.trace[0].action) == sent
    assert last in preview(game.session, 1)


def test_a_game_without_a_night_yet_says_so_and_one_without_nights_shows_what_is_open(tmp_path: Path) -> None:
    game = lane(tmp_path / "a", "custom_mafia", {"setup": LANE})
    with pytest.raises(InputError, match=r"There is no night 1\. Close Day 1 first"):
        preview(game.session, 1)
    begun = CliRunner().invoke(app, ["new", "knights-duty", "Ada", "Boro", "--out", str(tmp_path / "b")])
    assert begun.exit_code == 0, begun.output
    result = CliRunner().invoke(app, ["resolve", "--game", str(tmp_path / "b")])
    assert result.exit_code == 0 and "as it stands: for the moderator only" in result.stdout


def test_a_ring_that_makes_no_difference_is_shown_and_closed_without_a_question(custom: Lane) -> None:
    one, two = custom.holders("Town Roleblocker")
    custom.say(one, f"roleblock {two}")
    custom.say(two, f"roleblock {one}")
    shown = preview(custom.session)
    assert "Ruling needed" not in shown
    assert "No question: " in shown
    assert "so none of it happens (CM-R2)" in why(one, custom.session)
    custom.close("night")
    assert custom.table.state.phase is Phase.DAY
