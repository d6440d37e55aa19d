"""Messages in somebody's own words: what is refused is offered as what it may mean, and no order is lost."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest

from begun import begin
from knightfall.engine.likely_lines import Ear
from knightfall.engine.lines import descend, parts_of_line, tree_of, written
from knightfall.errors import InputError, SaidAlready
from knightfall.names import near_names
from knightfall.sentence import SlotId, joined
from knightfall.services.game.new import deal_game
from knightfall.services.game.players import replace_player
from knightfall.services.machine import session_of
from knightfall.services.requests import DealRequest, NewGameRequest, PostOptions
from knightfall.services.window import turns
from knightfall.services.window.message_table import MessageRow, message_table
from web.hands import FormHand, form_hand
from web.served import served

WHO = tuple(map(SlotId, ("Sable", "Tamsin", "Odo", "Rook", "Ann/Bob", "Red Fox")))
EVERYDAY = {"cop": ("investigate", "check"), "heal": ("protect", "save"), "kill": ("shoot",)}


def ear(*verbs: str, lines: Sequence[str] = (), who: Sequence[SlotId] = WHO) -> Ear:
    """Hears lines of a verb and a name, and these."""
    own = [joined(" ", (verb, name)) for verb in verbs for name in who]
    tree = tree_of([parts_of_line(line) for line in (*own, *lines)])
    return Ear(lambda texts: descend(tree, texts), lambda said: near_names(said, who, {}), EVERYDAY)


def heard(by: Ear, said: str) -> list[str]:
    """What it offers, the lines of a message one below the other."""
    return ["\n".join(written(line) for line in lines) for lines in by.likely(said)]


@pytest.mark.parametrize(
    ("verbs", "said", "meant"),
    [
        ("cop", "I'd like to investigate Sable tonight please", ["cop Sable"]),
        ("heal", "I'll protect Tamsin", ["heal Tamsin"]),
        ("heal", "I’ll protect tam!!", ["heal Tamsin"]),
        ("kill", "We kill Tamsin", ["kill Tamsin"]),
        ("cop", "cop Sabel", ["cop Sable"]),
        ("cop", "check my friend, the Red Fox", ["cop Red Fox"]),
        ("cop", "Please check Ann/Bob.", ["cop Ann/Bob"]),
        ("cop", "Sable please", ["cop Sable"]),
        ("kill,strong kill,track", "track Rook, strong kill Odo", ["track Rook\nstrong kill Odo"]),
        ("empower", "empower Rook and Odo", ["empower Rook", "empower Odo"]),
        ("cop", "can I check Sable or Odo?", ["cop Sable", "cop Odo"]),
        ("kill", "let Rook kill Odo", ["kill Odo"]),
        ("cop", "As the cop I check Sable", ["cop Sable"]),
        ("kill", "my choice: kill Odo, thank you very much", ["kill Odo"]),
        ("heal", "I will not protect Tamsin", []),
        ("heal", "I won’t protect Tamsin", []),
        ("heal", "I wouldn't save Tamsin", []),
        ("cop", "not Sable, investigate Odo instead", []),
        ("heal", "nobody protect Tamsin", []),
        ("kill", "protect Odo", []),
        ("roleblock", "roleblok Odo", ["roleblock Odo"]),
        ("cop", "I think Sable is scum", []),
        ("heal", "Protecting Tamsin pls", ["heal Tamsin"]),
        ("heal", "I'm saving Odo", ["heal Odo"]),
        ("jail", "put Odo in jail", ["jail Odo"]),
        ("jail", "I want to put Red Fox into the jail, please", ["jail Red Fox"]),
        ("jail", "Odo said that Rook was in jail", []),
        ("kill", "I don't want Odo to be in jail", []),
        ("cop", "I think Sable is the cop", []),
        ("jail", "don't put Odo in jail", []),
        ("kill", "kill", []),
        ("kill", "Good night everybody", []),
        ("kill", "", []),
    ],
)
def test_what_was_likely_meant(verbs: str, said: str, meant: list[str]) -> None:
    assert heard(ear(*verbs.split(",")), said) == meant


@pytest.mark.parametrize(
    ("lines", "said", "meant"),
    [
        (("role Ninja", "role Serial Bomber"), "Ninja", ["role Ninja"]),
        (("role Ninja", "role Serial Bomber"), "I want to be Ninja!", ["role Ninja"]),
        (("role Ninja", "role Serial Bomber"), "serial bomber pls", ["role Serial Bomber"]),
        (("role Ninja", "role Serial Bomber"), "I don't want to be Ninja", []),
        (("SIDE: X", "SIDE: O"), "I play O", ["SIDE: O"]),
        (("WEAPON SHIELD", "WEAPON BOW"), "shield please", ["WEAPON SHIELD"]),
        (("PASS", "MOVE E", "MOVE E / PASS"), "move E then pass", ["MOVE E / PASS"]),
        (("PASS", "MOVE E", "MOVE W"), "I move north, then pass", []),
        (("PASS", "BOW"), "I shoot Odo with my bow", []),
    ],
)
def test_a_choice_needs_nothing_but_its_own_word(lines: Sequence[str], said: str, meant: list[str]) -> None:
    assert heard(ear(lines=lines), said) == meant


def test_two_names_that_are_as_near_are_both_offered_and_many_are_not() -> None:
    two = tuple(map(SlotId, ("Karina", "Karine")))
    assert set(heard(ear("kill", who=two), "kill Karin")) == {"kill Karina", "kill Karine"}
    many = tuple(SlotId(f"Karin{letter}") for letter in "abcd")
    assert heard(ear("kill", who=many), "kill Karin") == []


def test_nothing_stalls_the_search() -> None:
    asked: list[str] = []

    def near(said: str) -> tuple[tuple[SlotId, ...], bool]:
        asked.append(said)
        return near_names(said, WHO, {})

    many = tuple(SlotId(f"Name{number}") for number in range(400))
    long = ear("kill", "heal", who=many)
    assert heard(long, "kill Name1 " * 5_000) == []
    heard(long, "kill Name1 heal Name2 " * 6)
    by = ear("kill")
    by.near = near
    heard(by, "kill Odo " * 12)
    assert len(asked) < 100


NAMES = ("Sable", "Tamsin", "Odo", "Fen", "Gale", "Hollis", "Iris")
ROLES = ("Mafia Goon", "Mafia Roleblocker", "Town Cop")


@pytest.fixture
def night(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A game at its first night; who holds each role."""
    folder = tmp_path / "lane"
    begin(NewGameRequest("custom_mafia", (), folder, b"", b"", "Salt Lane", site="phpbb"), session_of(folder))
    (tmp_path / "setup.toml").write_text(
        'schema = 1\nname = "Seven"\n'
        + "".join(f'[[slots]]\nrole = "{role}"\n' for role in ROLES)
        + '[[slots]]\nrole = "Vanilla Townie"\nfill = true\n',
        encoding="utf-8",
    )
    deal = DealRequest(b"s" * 32, b"t" * 32, players=NAMES, setup=str(tmp_path / "setup.toml"))
    deal_game(deal, session_of(folder))
    turns.submit("moderator", "no elimination", None, session_of(folder))
    turns.close("day", None, session_of(folder))
    cards = json.loads((folder / "private" / "deal.json").read_text(encoding="utf-8"))["cards"]
    return folder, {card: name for name, card in cards.items()}


def row_of(folder: Path, name: str) -> MessageRow:
    [window] = message_table(session_of(folder)).windows
    return next(row for row in window.rows if row.name == name)


def test_an_order_that_another_line_of_its_message_took_the_place_of_is_told(
    night: tuple[Path, dict[str, str]],
) -> None:
    folder, holds = night
    blocker = holds["Mafia Roleblocker"]
    others = [name for name in NAMES if name not in (blocker, holds["Mafia Goon"])]
    turns.submit(blocker, f"kill {others[0]}\nroleblock {others[1]}", None, session_of(folder))
    row = row_of(folder, blocker)
    assert len(row.standing) + len(row.lost) == 2
    assert row.settled is (not row.lost)
    assert [one.line for one in row.lost] == [f"kill {others[0]}"]


def test_orders_that_stand_are_settled(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    goon, cop = holds["Mafia Goon"], holds["Town Cop"]
    target = next(name for name in NAMES if name not in (goon, cop, holds["Mafia Roleblocker"]))
    turns.submit(goon, f"kill {target[:3]}", None, session_of(folder))
    turns.submit(cop, "no action", None, session_of(folder))
    for name in (goon, cop):
        row = row_of(folder, name)
        assert row.settled, row
        assert row.lost == ()


def test_a_refused_line_is_set_right_by_one_click(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    cop = holds["Town Cop"]
    target = next(name for name in NAMES if name != cop)
    turns.submit(cop, f"I'd like to investigate {target} tonight please", None, session_of(folder))
    hand: FormHand = form_hand(served(folder.parent))
    hand.go("/games/lane/night")
    assert "✗ refused" in hand.text
    assert hand.choices(f"Set for {cop}")[0] == f"cop {target}"
    hand.press(f"Set for {cop}")
    assert row_of(folder, cop).standing == (f"cop {target}",)
    assert row_of(folder, cop).settled


# ── A row is settled only where all that was sent is. ───────────────────────────────────────────────────


def say(folder: Path, who: str, text: str) -> None:
    turns.submit(who, text, None, session_of(folder))


def others_than(*holders: str) -> list[str]:
    return [name for name in NAMES if name not in holders]


def test_talk_in_which_an_order_can_be_heard_is_no_talk(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    blocker = holds["Mafia Roleblocker"]
    one, two, *_ = others_than(blocker, holds["Mafia Goon"])
    say(folder, blocker, f"kill {one}\nand I'd also like to block {two}\nGood luck everybody")
    row = row_of(folder, blocker)
    assert [line for line, _ in row.refused] == [f"and I'd also like to block {two}"]
    assert not row.settled
    [meant] = row.meant.values()
    assert meant == (f"roleblock {two}",)
    say(folder, blocker, meant[0])
    row = row_of(folder, blocker)
    assert row.standing == (f"roleblock {two}",)
    # In this game they do one of both, and the kill is not dropped without a word.
    assert [(one.line, one.why) for one in row.lost] == [
        (f"kill {one}", "Their later message took its place.")
    ]
    # The same words once more are a command that was repeated, unless they are to settle the rest.
    with pytest.raises(SaidAlready):
        say(folder, blocker, row.as_it_stands)
    assert not row_of(folder, blocker).settled
    hand = form_hand(served(folder.parent))
    hand.go("/games/lane/night")
    hand.press(f"Set for {blocker}", {f"Set for {blocker}": f"Leave it at: roleblock {two}"})
    assert row_of(folder, blocker).settled
    with pytest.raises(SaidAlready):
        turns.submit(blocker, row.as_it_stands, None, session_of(folder), keep=True)


def test_a_refused_line_of_an_earlier_message_waits_until_it_is_settled(
    night: tuple[Path, dict[str, str]],
) -> None:
    folder, holds = night
    blocker = holds["Mafia Roleblocker"]
    one, two, *_ = others_than(blocker, holds["Mafia Goon"])
    say(folder, blocker, f"roleblok {two}")
    say(folder, blocker, f"kill {one}")
    row = row_of(folder, blocker)
    assert [line for line, _ in row.refused] == [f"roleblok {two}"]
    assert not row.settled
    say(folder, blocker, row.as_it_stands)
    row = row_of(folder, blocker)
    assert row.settled
    assert row.standing == (f"mafia kill {one}",)


def test_of_who_can_do_one_thing_a_later_order_settles_the_earlier_message(
    night: tuple[Path, dict[str, str]],
) -> None:
    folder, holds = night
    cop = holds["Town Cop"]
    say(folder, cop, "cop the loud one")
    assert row_of(folder, cop).refused
    say(folder, cop, f"cop {others_than(cop)[0]}")
    assert row_of(folder, cop).settled


def test_orders_of_which_one_can_be_done_are_offered_one_by_one(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    blocker = holds["Mafia Roleblocker"]
    one, two, *_ = others_than(blocker, holds["Mafia Goon"])
    say(folder, blocker, f"I'd like to kill {one}, then roleblock {two}")
    row = row_of(folder, blocker)
    [meant] = row.meant.values()
    assert meant == (f"mafia kill {one}", f"roleblock {two}")
    say(folder, blocker, f"kill {one}")
    row = row_of(folder, blocker)
    assert row.settled, row.refused
    assert row.standing == (f"mafia kill {one}",)


def test_two_orders_of_one_kind_and_one_that_stood_are_not_all_settled(
    night: tuple[Path, dict[str, str]],
) -> None:
    folder, holds = night
    blocker = holds["Mafia Roleblocker"]
    one, two, three, *_ = others_than(blocker, holds["Mafia Goon"])
    say(folder, blocker, f"kill {one}")
    say(folder, blocker, f"roleblock {two}\nroleblock {three}")
    row = row_of(folder, blocker)
    assert [lost.line for lost in row.lost] == [f"roleblock {two}", f"kill {one}"]
    assert not row.settled


def test_who_is_awaited_no_more_has_a_row_while_something_of_theirs_is_not_settled(
    night: tuple[Path, dict[str, str]],
) -> None:
    folder, holds = night
    goon, blocker = holds["Mafia Goon"], holds["Mafia Roleblocker"]
    one, two, *_ = others_than(blocker, goon)
    say(folder, goon, f"kill {one}")
    say(folder, blocker, f"kill {two}")
    row = row_of(folder, goon)
    assert not row.awaited
    assert not row.settled
    [window] = message_table(session_of(folder)).windows
    assert goon not in window.window.absent
    hand = form_hand(served(folder.parent))
    hand.go("/games/lane/night")
    assert f"Does not stand: “kill {one}”. A message of {blocker} took its place." in hand.text
    hand.press(f"Set for {goon}", {f"Set for {goon}": "They do nothing"})
    [window] = message_table(session_of(folder)).windows
    assert goon not in [row.name for row in window.rows]
    assert row_of(folder, blocker).standing == (f"mafia kill {two}",)


def test_an_order_of_who_was_replaced_asks_whether_their_successor_wants_it(
    night: tuple[Path, dict[str, str]],
) -> None:
    folder, holds = night
    cop = holds["Town Cop"]
    target = others_than(cop)[0]
    say(folder, cop, f"cop {target}")
    replace_player(cop, "Pike", None, "away", PostOptions(), session_of(folder))
    row = row_of(folder, f"Pike (was {cop})")
    assert row.former == cop
    assert not row.settled
    hand = form_hand(served(folder.parent))
    hand.go("/games/lane/night")
    assert f"{cop} sent this, who holds the slot no more." in hand.text
    hand.press("Set", {"Set for": f"Leave it at: cop {target}"}, within=f"{cop} sent this")
    row = row_of(folder, f"Pike (was {cop})")
    assert row.settled
    assert row.standing == (f"cop {target}",)


def test_an_order_on_who_died_in_the_night_is_told(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    cop = holds["Town Cop"]
    target = next(name for name in others_than(cop, holds["Mafia Goon"], holds["Mafia Roleblocker"]))
    say(folder, cop, f"cop {target}")
    say(folder, "moderator", f"modkill {target}")
    row = row_of(folder, cop)
    assert [str(lost.why) for lost in row.lost] == [f"{target} is out of the game by now."]
    assert not row.settled


def test_who_died_in_the_night_has_no_row(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    cop = holds["Town Cop"]
    say(folder, cop, "cop somebody loud")
    say(folder, "moderator", f"modkill {cop}")
    [window] = message_table(session_of(folder)).windows
    assert cop not in [row.name for row in window.rows]


def test_a_message_of_before_the_game_settles_nothing(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    cop = holds["Town Cop"]
    hour_ago = session_of(folder).clock.now() - timedelta(hours=1)
    with pytest.raises(InputError, match="before the game began"):
        turns.submit(cop, f"cop {others_than(cop)[0]}", None, session_of(folder), at=hour_ago)
    row = row_of(folder, cop)
    assert not row.settled
    assert row.message == ""


def test_nothing_from_all_the_others_leaves_what_was_sent(night: tuple[Path, dict[str, str]]) -> None:
    folder, holds = night
    blocker, cop = holds["Mafia Roleblocker"], holds["Town Cop"]
    one, two, *_ = others_than(blocker, cop, holds["Mafia Goon"])
    say(folder, blocker, f"kill {one}\nroleblok {two}")
    hand = form_hand(served(folder.parent))
    hand.go("/games/lane/night")
    hand.press("All the others do nothing")
    assert row_of(folder, blocker).standing == (f"mafia kill {one}",)
    assert not row_of(folder, blocker).settled
    assert row_of(folder, cop).settled
