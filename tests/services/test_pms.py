"""`knightfall pm …`: one PM at a time in an order that tells nothing, and a ledger that loses none."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar

import pytest
from typer.testing import CliRunner, Result

from begun import new_game
from facts_seen import seen
from knightfall.cli import app, clipboard, people
from knightfall.cli.format_game import length_warning
from knightfall.cli.terminal import real_session
from knightfall.engine.entries import Closed, Delivered, Replaced, Submitted
from knightfall.engine.game import Facts, Told
from knightfall.engine.journal import append
from knightfall.engine.playout import play
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.games import GAMES
from knightfall.games.kings_court.events import HintSent
from knightfall.sentence import SlotId
from knightfall.services.pms import (
    RESULT,
    ROLE,
    Pm,
    PmBatch,
    batches,
    delivered,
    known_batches,
    next_pm,
    progress_of,
    shuffled,
)
from knightfall.services.running import RunningGame
from knightfall.services.session import Session, journal_of

NAMES = tuple(f"Tern {number}" for number in range(1, 19))
SEED = b"a seed for tests"
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def run(*words: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, list(words), input=text)


@pytest.fixture
def copied(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What got onto the clipboard."""
    texts: list[str] = []
    monkeypatch.setattr(clipboard, "copy", lambda *copied: texts.append(copied[0]))
    return texts


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game of Knight-Errant in whose folder we stand."""
    folder = new_game(tmp_path / "g", "knight-errant", *NAMES, "--title", "Gull Rock")
    monkeypatch.chdir(folder)
    return folder


def recipient(result: Result) -> str:
    return result.stdout.partition("→ ")[2].partition(". Copied")[0]


def recipients(printed: str) -> list[str]:
    return [line.partition("→ ")[2].partition(". Copied")[0] for line in printed.splitlines() if "→" in line]


def ledger(*words: str) -> dict[str, str]:
    """Recipient → state, as the ledger prints it."""
    lines = run("pm", *words).stdout.splitlines()
    width = len(lines[3].split("  ")[0])
    return {line[:width].strip(): line[width:].strip() for line in lines[4:]}


def test_every_role_pm_goes_once_to_its_own_player_in_no_list_order(
    harbour: Path, copied: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    first = run("pm", "roles", "--copy-next", "--as", "phpbb")
    assert first.stdout.startswith("PM 1/18 (random order) → Tern ")
    assert first.stdout.endswith("Subject: Gull Rock – your role\n")
    assert f'knightfall pm mark sent "{recipient(first)}"' in first.stderr
    session = real_session(harbour, allow_private=False)
    [batch] = _role_batches(harbour)
    capsys.readouterr()
    for _ in NAMES[2:]:
        _copy_next(batch, session)
    rest = recipients(capsys.readouterr().out)
    names = [recipient(first), *rest, recipient(run("pm", "roles", "--copy-next"))]
    assert sorted(names) == sorted(NAMES)
    assert names != list(NAMES)
    assert [text.partition(",")[0] for text in copied] == names
    assert "your role is [b]" in copied[0]
    assert "All PMs that are due have been copied (role PMs)" in run("pm", "roles", "--copy-next").stderr
    assert len(copied) == 18
    cards = json.loads((harbour / "private" / "deal.json").read_text())["cards"]
    for text, name in zip(copied, names, strict=True):
        assert cards[name] in text


@pytest.mark.usefixtures("harbour", "copied")
def test_nothing_but_recipient_and_subject_is_printed() -> None:
    said = run("pm", "roles", "--copy-next")
    assert said.stdout.count("\n") == 2
    assert "card" not in said.output
    assert "your role is" in run("pm", "show", recipient(said)).stdout


@pytest.mark.usefixtures("harbour", "copied")
def test_what_was_copied_is_marked_sent_and_confirmed_and_the_rest_waits() -> None:
    one, two = recipient(run("pm", "roles", "--copy-next")), recipient(run("pm", "roles", "--copy-next"))
    assert f"Copied but not marked as sent: {', '.join(sorted((one, two)))}" in run("pm", "roles").stderr
    assert run("pm", "mark", "sent", one.lower()).stdout == f"Sent: {one} (role PMs).\n"
    assert run("pm", "mark", "confirmed", two).exit_code == 0
    states = ledger("roles")
    assert states[one].startswith("sent, not confirmed")
    assert states[one].endswith("(0 h)")
    assert states[two].startswith("confirmed")
    assert Counter(states.values())["–"] == 16
    assert "18 PMs; 2 copied, 2 sent, 1 confirmed." in run("pm", "roles").stdout
    run("pm", "mark", "confirmed", one, two)
    log = run("log").stdout
    assert log.count(f"role PM for {two}: sent") == 1
    assert log.count(": confirmed") == 2


@pytest.mark.usefixtures("harbour")
def test_a_clipboard_that_fails_notes_nothing_and_says_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise InputError("There is no clipboard here.")

    monkeypatch.setattr(clipboard, "copy", broken)
    failed = str(run("pm", "roles", "--copy-next").exception)
    assert failed.startswith("There is no clipboard here.\nOr open it with knightfall pm show")
    assert "Delivered" not in run("log").stdout
    name = failed.split('"')[1]
    assert run("pm", "mark", "sent", name).stdout == f"Sent: {name} (role PMs).\n"
    assert ledger("roles")[name].startswith("sent")


@pytest.mark.usefixtures("harbour", "copied")
def test_a_name_that_fits_two_or_nobody_marks_nobody() -> None:
    run("pm", "roles", "--copy", "Tern 3")
    assert "could be Tern 1 or" in str(run("pm", "mark", "sent", "Tern 3", "Tern").exception)
    assert "No player is called" in str(run("pm", "mark", "sent", "Tern 3", "Zed").exception)
    assert "PMs go to players, not to the moderator" in str(run("pm", "mark", "sent", "moderator").exception)
    assert "expected sent or confirmed" in str(run("pm", "mark", "read", "Tern 3").exception)
    assert ledger("roles")["Tern 3"].startswith("copied, not marked as sent")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("pm", "results"), "There are no results in Knight-Errant"),
        (("pm", "roles", "--batch", "role-7"), "no batch “role-7”. Batches: role-1 (role PMs)."),
        (("pm", "show", "Tern 1", "--batch", "result-1"), "Batches: role-1 (role PMs)"),
        (("pm", "prods", "--from-jsonl", "none.jsonl"), "none.jsonl"),
    ],
)
@pytest.mark.usefixtures("harbour")
def test_what_cannot_be_sent_says_why(words: tuple[str, ...], says: str) -> None:
    error = run(*words).exception
    assert isinstance(error, InputError)
    assert says in str(error)


@pytest.mark.usefixtures("harbour")
def test_a_replacement_is_owed_the_role_pm_of_the_slot_with_their_own_name(copied: list[str]) -> None:
    run("pm", "roles", "--copy", "Tern 3")
    run("pm", "mark", "confirmed", "Tern 3")
    said = run("replace", "Tern 3", "Puffin", "--why", "away")
    assert "Puffin needs these PMs, which are now addressed to them: role PMs." in said.stderr
    states = ledger("roles")
    assert "Tern 3" not in states
    assert states["Puffin"] == "–"
    assert recipient(run("pm", "roles", "--copy", "puffin")) == "Puffin"
    assert copied[1].startswith("Puffin, your role is ")
    assert "Tern 3" not in copied[1]
    assert copied[0].partition(", ")[2] == copied[1].partition(", ")[2]
    log = run("log").stdout
    assert "role PM for Tern 3: confirmed" in log
    assert "role PM for Puffin (was Tern 3): copied" in log
    assert "Tern 3" not in run("pm", "show", "Puffin").stdout


@pytest.mark.usefixtures("harbour")
def test_a_replaced_partner_is_named_by_both_names_to_who_comes_later() -> None:
    one, two, *_ = (name for name in NAMES if "private thread of the mafia" in run("pm", "show", name).stdout)
    before = run("pm", "show", one).stdout
    assert two in before
    run("replace", two, "Puffin")
    assert run("pm", "show", one).stdout == before  # it was sent so
    run("replace", one, "Skua")
    assert f"Puffin (was {two})" in run("pm", "show", "Skua").stdout


@pytest.mark.usefixtures("harbour")
def test_who_comes_back_to_a_slot_is_owed_its_pms_anew(copied: list[str]) -> None:
    run("pm", "roles", "--copy", "Tern 3")
    assert "Puffin replaces Tern 3" in run("replace", "Tern 3", "Puffin").stderr
    assert "Tern 3 replaces Puffin" in run("replace", "Puffin", "tern 3").stderr
    assert ledger("roles")["Tern 3"] == "–"
    assert recipient(run("pm", "roles", "--copy", "puffin")) == "Tern 3"
    assert copied[0] == copied[1]
    assert "Skua replaces Tern 3" in run("replace", "Tern 3", "Skua").stderr


def test_results_of_a_slot_that_changed_hands_go_to_who_holds_it_by_name() -> None:
    table = _table("knight_errant", 12)
    found = batches(table, RESULT, "T")
    slot = found[-1].pms[0].slot
    changed = append(table.journal, Replaced(slot, "Puffin"), NOON, "Wren")
    later = table.at(changed)
    own = [
        pm
        for family in (ROLE, RESULT)
        for b in batches(later, family, "T")
        for pm in b.pms
        if pm.slot == slot
    ]
    assert len(own) > 1
    for pm in own:
        assert pm.holder == "Puffin"
        assert pm.plain.startswith("Puffin, ")
        assert slot not in pm.plain.splitlines()[0]


def test_the_moderator_is_asked_on_a_terminal_whether_it_was_sent(
    harbour: Path, copied: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = real_session(harbour, allow_private=False)
    [batch] = _role_batches(harbour)
    answers = iter((True, False))
    monkeypatch.setattr(people, "was_sent", lambda: next(answers))
    capsys.readouterr()
    for _ in range(2):
        _copy_next(batch, session)
    first, second = recipients(capsys.readouterr().out)
    states = ledger("roles")
    assert states[first].startswith("sent")
    assert states[second].startswith("copied")
    assert len(copied) == 2


def test_a_crash_after_the_copy_leaves_the_pm_in_the_ledger(
    harbour: Path, copied: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed() -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(people, "was_sent", killed)
    [batch] = _role_batches(harbour)
    session = real_session(harbour, allow_private=False)
    with pytest.raises(KeyboardInterrupt):
        _copy_next(batch, session)
    monkeypatch.setattr(people, "was_sent", lambda: False)
    first = copied[0].partition(",")[0]
    assert ledger("roles")[first].startswith("copied, not marked as sent")
    assert recipient(run("pm", "roles", "--copy-next")) != first
    assert recipient(run("pm", "roles", "--copy", first)) == first


def test_a_pm_that_is_copied_as_sent_needs_one_entry_and_no_answer(
    harbour: Path, copied: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "was_sent", lambda: pytest.fail("it asked"))
    before = len(journal_of(real_session(harbour, allow_private=False)))
    said = run("pm", "roles", "--copy-next", "--sent")
    name = recipient(said)
    assert "Marked as sent." in said.stderr
    assert ledger("roles")[name].startswith("sent")
    [noted] = journal_of(real_session(harbour, allow_private=False))[before:]
    assert isinstance(noted.entry, Delivered)
    assert (noted.entry.slot, noted.entry.state) == (name, "sent")
    assert len(copied) == 1
    assert recipient(run("pm", "roles", "--copy-next", "--sent")) != name


@pytest.mark.parametrize("options", [("--sent",), ("--copy-all", "--sent")])
def test_sent_is_said_of_one_pm_that_is_copied(
    options: tuple[str, ...], harbour: Path, copied: list[str]
) -> None:
    before = len(journal_of(real_session(harbour, allow_private=False)))
    assert "--sent goes with --copy-next or --copy NAME." in str(run("pm", "roles", *options).exception)
    assert copied == []
    assert len(journal_of(real_session(harbour, allow_private=False))) == before


def _copy_next(batch: PmBatch, session: Session) -> None:
    sending = next_pm(batch, None, None, "", session)
    assert sending is not None
    people.copy_pm(sending, session)


def _role_batches(folder: Path) -> tuple[PmBatch, ...]:
    return known_batches(ROLE, real_session(folder, allow_private=False))


def test_the_same_text_goes_to_a_second_player_only_with_a_reason(harbour: Path, copied: list[str]) -> None:
    session = real_session(harbour, allow_private=False)
    batch = _same(("Tern 1",), ("Tern 2",))

    def send(whose: str, of: PmBatch, why: str = "") -> None:
        sending = next_pm(of, whose, "plain", why, session)
        assert sending is not None
        people.copy_pm(sending, session)

    send("Tern 1", batch)
    with pytest.raises(DecisionNeeded, match="exact text was copied for Tern 1 already"):
        send("Tern 2", batch)
    assert len(copied) == 1
    send("Tern 2", batch, "both drew the same card")
    assert "both drew the same card" in run("log").stdout
    send("Tern 4", _same(("Tern 3", "Tern 4")))
    send("Tern 3", _same(("Tern 3", "Tern 4")))
    assert len(copied) == 4


def _same(*rooms: tuple[str, ...]) -> PmBatch:
    """PMs whose text names nobody, for a room each."""
    facts = HintSent(SlotId("you"), SlotId("Duke"), 1)
    letters = [
        Pm(
            "role-1",
            SlotId(slot),
            slot,
            "kings_court",
            Told(tuple(map(SlotId, room)), facts),
            f"same {len(rooms)}",
        )
        for room in rooms
        for slot in room
    ]
    return PmBatch("role-1", "Gull Rock – your role", tuple(letters))


def _table(game_id: str, windows: int) -> RunningGame:
    game = next(game for game in GAMES if game.spec.id == game_id)
    slots = [SlotId(name) for name in NAMES[: game.spec.players[min(2, len(game.spec.players) - 1)]]]
    played = play(game, slots, {}, SeededRng(b"players' choices"), SeededRng(SEED), windows)
    again = replay(played.journal, game, lambda: SeededRng(SEED))
    return RunningGame(game, Path(), SEED, played.journal, again)


@pytest.mark.few(2)
@pytest.mark.parametrize("game", [game.spec.id for game in GAMES])
def test_in_every_game_each_private_text_belongs_to_one_pm_and_no_text_to_two(game: str) -> None:
    table = _table(game, 6)
    events = (event for event in table.replay.events if isinstance(event, Told))
    told = [event for event in events if event.kind != "receipt" and not event.facts.answers]
    found = [one for family in (ROLE, RESULT) for batch in batches(table, family, "T") for one in batch.pms]
    assert Counter((one.slot, one.event.kind) for one in found) == Counter(
        (slot, event.kind) for event in told for slot in event.slots
    )
    slots_of: dict[str, set[SlotId]] = {}
    for one in found:
        slots_of.setdefault(one.sha256, set()).add(one.slot)
    assert [slots for slots in slots_of.values() if len(slots) > 1] == []


def test_results_are_those_of_each_night_and_bear_its_number() -> None:
    found = batches(_table("knight_errant", 12), RESULT, "Gull Rock")
    nights = [batch for batch in found if "night" in batch.subject]
    assert nights
    for batch in nights:
        number = batch.kind.removeprefix("result-")
        assert batch.subject == f"Gull Rock – your results, night {number}"
        assert {
            str(seen(one.event.facts)["night"]) for one in batch.pms if "night" in seen(one.event.facts)
        } == {number}


def test_one_more_pm_moves_no_other_and_another_seed_orders_otherwise() -> None:
    letters = _same(*((name,) for name in NAMES)).pms
    order = shuffled(letters, SEED)
    assert [one for one in order if one != letters[0]] == list(shuffled(letters[1:], SEED))
    assert order != shuffled(letters, b"another seed for this")
    assert order != letters


class _AnyRolePm(Facts):
    """A role PM whose text is given."""

    kind: ClassVar[str] = "role_pm"


def test_role_pms_of_very_unlike_lengths_are_told_as_a_side_channel() -> None:
    def batch(*lengths: int) -> PmBatch:
        letters = (
            Pm(
                "role-1",
                SlotId(f"T{n}"),
                f"T{n}",
                "x",
                Told((SlotId(f"T{n}"),), _AnyRolePm()),
                "x" * length,
            )
            for n, length in enumerate(lengths)
        )
        return PmBatch("role-1", "", tuple(letters))

    assert list(length_warning(batch(100, 200))) == []
    [warning] = length_warning(batch(100, 150, 201))
    assert "100 to 201 characters" in warning
    assert "100 to 201 characters long" in warning


def test_a_text_that_changed_since_it_was_sent_is_told_as_such() -> None:
    slot = SlotId("Tern 1")
    journal = append((), Delivered("role-1", slot, "sent", "old"), NOON, "Wren")
    assert progress_of("role-1", slot, "new", delivered(journal)).other == "sent"
    copied = append((), Delivered("role-1", slot, "copied", "old"), NOON, "Wren")
    assert progress_of("role-1", slot, "new", delivered(copied)).other == "copied"
    assert not progress_of("role-1", slot, "old", delivered(journal)).other
    assert progress_of("role-1", slot, "old", delivered(journal)).reached("copied")


@pytest.fixture
def kettle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game in which Alder learned something in night 1; nothing was sent yet, and there is no clipboard."""

    def broken(*_: object) -> None:
        raise InputError("There is no clipboard here.")

    monkeypatch.setattr(clipboard, "copy", broken)
    setup = Path(__file__).parents[2] / "fixtures" / "demo" / "kettle" / "setup.toml"
    names = ("Alder", "Bryony", "Clover", "Dill", "Elder", "Fennel")
    made = run(
        "new", "custom-mafia", "--title", "Kettle Lane", "--setup", str(setup), "--out", str(tmp_path / "g")
    )
    assert made.exit_code == 0, made.output
    monkeypatch.chdir(tmp_path / "g")
    Path("names.txt").write_text("\n".join(names))
    dealt = run("deal", "--players", "names.txt", "--seed", "0080" * 8, "--salt", "c0ffee00" * 4)
    assert dealt.exit_code == 0, dealt.output
    session = real_session(tmp_path / "g", allow_private=False)
    assert session.ledger is not None
    kept = session.ledger()
    for entry in (Closed("day", "no elimination"), Submitted(SlotId("Alder"), "cop Dill"), Closed("night")):
        kept.append(entry, session.clock.now(), "Wren")
    kept.close()
    return tmp_path / "g"


@pytest.mark.usefixtures("kettle")
def test_the_pm_that_is_marked_is_the_newest_one_that_was_shown() -> None:
    assert (
        run("pm", "mark", "confirmed", "Alder", "--batch", "role-1").stdout
        == "Confirmed: Alder (role PMs).\n"
    )
    assert run("pm", "show", "Alder").stdout.startswith("Results of night 1 (result-1) → Alder")
    assert run("pm", "mark", "confirmed", "Alder").stdout == "Confirmed: Alder (results of night 1).\n"
    assert "1 PM; 1 copied, 1 sent, 1 confirmed." in run("pm", "results").stdout
    assert (
        run("pm", "mark", "confirmed", "Alder", "Dill").stdout
        == "Confirmed: Alder (results of night 1), Dill (role PMs).\n"
    )


@pytest.mark.usefixtures("kettle")
def test_without_a_clipboard_the_way_by_hand_names_the_batch_and_marks_it() -> None:
    run("replace", "Alder", "Zed")
    failed = str(run("pm", "roles", "--copy", "Zed").exception)
    assert 'knightfall pm show "Zed" --batch role-1. Once you have sent it' in failed
    assert failed.endswith('knightfall pm mark sent "Zed" --batch role-1')
    assert run("pm", "mark", "sent", "Zed", "--batch", "role-1").stdout == "Sent: Zed (role PMs).\n"
    assert run("pm", "mark", "sent", "Zed").stdout == "Sent: Zed (results of night 1).\n"


def test_a_pm_that_was_copied_after_newer_ones_is_the_one_that_is_marked(
    kettle: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kettle.exists()
    monkeypatch.setattr(clipboard, "copy", lambda *_: None)
    run("pm", "roles", "--copy", "Alder")
    assert run("pm", "mark", "sent", "Alder").stdout == "Sent: Alder (role PMs).\n"
    assert run("pm", "mark", "sent", "Alder").stdout == "Sent: Alder (results of night 1).\n"


@pytest.fixture
def quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game that is only counted: of three players one posted lately."""
    (tmp_path / "game.toml").write_text(
        'schema = 1\n[game]\ntitle = "Gull Rock"\nmoderators = ["Wren"]\n[rules]\nprod_after = "48h"\n'
        'prod_grace = "1d"\nmax_prods = 2\n'
        + "".join(f'[[player]]\nname = "{name}"\n' for name in ("Ada", "Boro", "Cinder")),
        encoding="utf-8",
    )
    now = datetime.now(UTC)
    said = [("Wren", 90), ("Ada", 80), ("Boro", 70), ("Cinder", 1)]
    lines = [
        {
            "number": n,
            "id": str(n),
            "user": who,
            "content": "hello",
            "time": (now - timedelta(hours=ago)).isoformat(),
        }
        for n, (who, ago) in enumerate(said, start=1)
    ]
    (tmp_path / "p.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_prods_are_drafts_for_who_is_due_until_they_are_sent(quiet: Path, copied: list[str]) -> None:
    source = ("p.jsonl", "--from-jsonl")
    assert ledger("prods", *source) == {"Ada": "–", "Boro": "–"}
    assert "prod 1 of 2" in (quiet / "private" / "prod-1-Ada.txt").read_text()
    one = recipient(run("pm", "prods", *source, "--copy-next"))
    assert copied[0].startswith(f"{one}, this is a prod from the moderator of Gull Rock")
    assert ledger("prods", *source)[one].startswith("copied")
    assert run("pm", "mark", "sent", one).stdout == f"Sent: {one} (reminder 1).\n"
    [other] = {"Ada", "Boro"} - {one}
    states = ledger("prods", *source)
    assert states[other] == "–"
    assert states[f"{one} (prod-1)"].startswith("sent, not confirmed")
    assert recipient(run("pm", "prods", *source, "--copy-next")) == other
    assert "have been copied" in run("pm", "prods", *source, "--copy-next").stderr
    assert f"{one} prodded" in run("log").stdout


def test_a_prod_that_was_sent_by_hand_is_marked_by_its_draft(
    quiet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise InputError("There is no clipboard here.")

    monkeypatch.setattr(clipboard, "copy", broken)
    source = ("p.jsonl", "--from-jsonl")
    failed = str(run("pm", "prods", *source, "--copy", "Ada").exception)
    assert "Or open it in private/prod-1-Ada.txt. Once you have sent it: " in failed
    assert (quiet / "private" / "prod-1-Ada.txt").exists()
    assert run("pm", "mark", "sent", "Ada", "--batch", "prod-1").stdout == "Sent: Ada (reminder 1).\n"
    assert "Ada prodded" in run("log").stdout
    assert ledger("prods", *source)["Ada (prod-1)"].startswith("sent")
    assert run("pm", "mark", "confirmed", "Ada").stdout == "Confirmed: Ada (reminder 1).\n"
