"""What a game.toml says, and how it is complained about."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from knightfall.config.game_file import parse_setup, read_setup
from knightfall.engine.prods import Absence, ProdRule
from knightfall.errors import InputError, SetupError, TimeError
from knightfall.models import DepartureKind
from knightfall.votes.ballots import Form
from knightfall.votes.rule import Boundary, NoElim

HEAD = 'schema = 1\n[game]\ntimezone = "America/New_York"\n'

FULL = (
    HEAD
    + """
title = "Salt Harbour"
moderators = ["Wren"]
[terms]
no_elimination = "Nobody Swings"
[[thread]]
url = "https://forum.example/viewtopic.php?t=90010"
[rules]
boundary = "minute"
no_elimination = "one_fewer"
forms = ["tag", "bold", "regex:^I choose (?P<name>.+)$"]
[[player]]
name = "Rook"
replaces = [{ name = "Lumen", from_post = 412 }, { name = "Pike", from_post = 100 }]
aliases = ["rk"]
left = { how = "killed", post = 640 }
v_la = [{ from = 2026-11-28, to = 2026-12-01 }]
[[player]]
name = "Ada"
weight = 2
[[day]]
number = 1
start_post = 3
ends = 2026-11-25T20:00:00
[[fix]]
post = 70
to = "Ada"
why = "clear enough"
"""
)
THREAD = '[[thread]]\nrole = "{}"\nurl = "https://forum.example/viewtopic.php?t={}"\n'


def test_a_whole_file_becomes_values() -> None:
    setup = parse_setup(FULL)
    assert setup.roster is not None
    rook = setup.roster.slots[0]
    assert (rook.name, rook.names, rook.holder_at(99), rook.holder_at(412)) == (
        "Rook",
        ("Rook", "Lumen", "Pike"),
        "Pike",
        "Rook",
    )
    assert rook.left is not None
    assert rook.left.how is DepartureKind.KILLED
    assert setup.rule.boundary is Boundary.MINUTE
    assert setup.rule.no_elimination is NoElim.ONE_FEWER
    assert setup.rule.forms.accepted == {Form.TAG, Form.BOLD, Form.BOLD_COLON}
    assert setup.days[0].deadline == datetime(2026, 11, 26, 1, 0, tzinfo=UTC)
    assert setup.fixes[0].to == "Ada"
    assert "nobodyswings" in setup.terms.nobody_words


@pytest.mark.parametrize(
    ("text", "error", "parts"),
    [
        (HEAD + "[rules]\nboundry = 'x'", SetupError, ["rules.boundry", "unknown key", "boundary"]),
        (HEAD + "[rules]\nboundary = 'befor'", SetupError, ["rules.boundary", "'befor'", "'before'"]),
        (HEAD + "[rules]\nforms = ['tgs']", SetupError, ["rules.forms", "tgs", "raw_tag"]),
        (HEAD + "[rules]\nforms = ['regex:(']", SetupError, ["rules.forms", "regular expression"]),
        (HEAD + "[[day]]\nnumber = 1\nends = 2026-11-25", SetupError, ["day.1.ends", "date with a time"]),
        (HEAD + "[[day]]\nnumber = 1\n[[day]]\nnumber = 1", SetupError, ["number 1 appears twice"]),
        (
            HEAD + "[[day]]\nnumber = 1\nends = 2026-03-08T02:30:00",
            TimeError,
            ["02:30 on 08 Mar 2026", "does not exist", "America/New_York"],
        ),
        (
            HEAD + "[[day]]\nnumber = 1\nends = 2026-11-01T01:30:00",
            TimeError,
            ["happens twice", "2026-11-01T01:30:00-04:00", "2026-11-01T01:30:00-05:00"],
        ),
        (
            "schema = 1\n[[day]]\nnumber = 1\nends = 2026-11-25T20:00:00",
            TimeError,
            ["day 1: ends", "has no zone", "timezone"],
        ),
        ("schema = 1\n[game]\ntimezone = 'Mars/Port'", SetupError, ["game.timezone", "Mars/Port", "IANA"]),
        (HEAD + "[[player]]\nname = 'Ada'\n[[player]]\nname = 'ada'", SetupError, ["ada", "twice"]),
        (
            HEAD + "[[player]]\nname = 'Ada'\nreplaces = [{ name = 'Boro', from_post = 9 }, "
            "{ name = 'boro', from_post = 4 }]",
            SetupError,
            ["another account", "Ada ← Boro ← boro"],
        ),
        (
            HEAD + "[[player]]\nname = 'Ada'\nreplaces = [{ name = 'B', from_post = 4 }, "
            "{ name = 'C', from_post = 9 }]",
            SetupError,
            ["newest first"],
        ),
        (
            "schema = 1\n[game]\nmoderators = 'Wren'",
            SetupError,
            ["game.moderators: found 'Wren', expected a list of names: [\"Wren\"]."],
        ),
        (HEAD + "[rules]\nlocked_at = 7", SetupError, ["rules.locked_at: found 7, expected a list: [7]."]),
        (
            "schema = 1\nplayer = 'Ada'",
            SetupError,
            ["player: found 'Ada', expected a table each, under [[player]]."],
        ),
        ("schema = 1\n[game]\ntitle = 7", SetupError, ["game.title: found 7, expected a valid string."]),
        (HEAD + "[rules]\ntei = 'x'", SetupError, ["rules.tei: unknown key; did you mean tie?"]),
        (HEAD + "[rules]\nTie = 'x'", SetupError, ["rules.Tie: unknown key; did you mean tie?"]),
        (HEAD + "[rules]\nxyzzy = 1", SetupError, ["unknown key; expected one of death, "]),
        (HEAD + "[[fix]]\npost = 7\nwhy = 'x'", SetupError, ["fix 1", "0 decisions", "exactly one"]),
        (
            HEAD + THREAD.format("game", 1) + THREAD.format("game", 2),
            SetupError,
            ["thread 2", "a second “game”"],
        ),
        (
            HEAD + THREAD.format("vote", 1) + THREAD.format("vote", 2),
            SetupError,
            ["thread 2", "a second “vote”"],
        ),
        ("schema = 1\nx = [", SetupError, ["not valid TOML"]),
        ("schema = 2", SetupError, ["schema", "found 2", "expected 1"]),
        ("", SetupError, ["schema", "nothing"]),
    ],
)
def test_a_complaint_names_file_key_finding_and_expectation(
    text: str, error: type[InputError], parts: list[str]
) -> None:
    with pytest.raises(error) as caught:
        parse_setup(text, "game.toml")
    message = str(caught.value)
    assert message.startswith("game.toml")
    assert [part for part in parts if part not in message] == []
    assert caught.value.exit_status == 2


def test_a_folder_is_read_by_its_game_toml_and_a_missing_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_text(FULL, encoding="utf-8")
    assert read_setup(tmp_path).title == "Salt Harbour"
    with pytest.raises(SetupError, match="cannot be read"):
        read_setup(tmp_path / "other.toml")


def test_an_offset_in_the_time_needs_no_zone() -> None:
    setup = parse_setup("schema = 1\n[[day]]\nnumber = 1\nends = 2026-11-01T01:30:00-05:00")
    assert setup.days[0].deadline == datetime(2026, 11, 1, 6, 30, tzinfo=UTC)


def test_prods_and_absences_become_typed_values() -> None:
    rules = '[rules]\nprod_after = "2d"\nprod_grace = "90m"\nmax_prods = 3\nweekends = "skip"\n'
    setup = parse_setup(FULL.replace("[rules]\n", rules))
    assert setup.prods == ProdRule(timedelta(days=2), timedelta(minutes=90), 3, skip_weekends=True)
    assert setup.v_la == (("Rook", (Absence(date(2026, 11, 28), date(2026, 12, 1)),)),)
    assert parse_setup("schema = 1").prods == ProdRule()


@pytest.mark.parametrize(
    "found", ['"48"', '"48 h"', '"0h"', '"1.5d"', '"-2d"', '"1d12h"', '"99999d"', '"２d"', "48"]
)
def test_a_span_is_read_strictly(found: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_setup(HEAD + f"[rules]\nprod_after = {found}", "game.toml")
    message = str(caught.value)
    assert message.startswith("game.toml: rules.prod_after: found ")
    assert "expected days, hours or minutes such as “2d”, “48h” or “90m”." in message


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("from = 2026-12-01, to = 2026-11-28", "found from 2026-12-01 to 2026-11-28, expected the first day"),
        ("from = 2026-12-01T10:00:00, to = 2026-12-02", "expected a date such as 2026-11-28"),
        ("from = 20261201, to = 2026-12-02", "found 20261201, expected a date"),
        ("from = 2026-12-01", "player.1.v_la.1.to: missing"),
        ("from = 2026-12-01, til = 2026-12-02", "unknown key"),
    ],
)
def test_a_bad_absence_is_told(entry: str, says: str) -> None:
    with pytest.raises(SetupError) as caught:
        parse_setup(HEAD + f'[[player]]\nname = "Moth"\nv_la = [{{ {entry} }}]', "game.toml")
    assert says in str(caught.value)
    assert str(caught.value).startswith("game.toml: player")


def test_votes_are_counted_in_the_thread_for_votes_where_there_is_one() -> None:
    game, vote, room = THREAD.format("game", 1), THREAD.format("vote", 2), THREAD.format("private", 3)
    assert parse_setup(HEAD + room).url is None
    assert parse_setup(HEAD + game + room).url == "https://forum.example/viewtopic.php?t=1"
    both = parse_setup(HEAD + game + vote + room)
    assert both.url == "https://forum.example/viewtopic.php?t=2"
    assert both.votes_apart


def test_a_byte_order_mark_at_the_head_is_no_part_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "game.toml").write_bytes(b"\xef\xbb\xbfschema = 1\r\n[game]\r\ntitle = 'Gull Rock'\r\n")
    assert read_setup(tmp_path).title == "Gull Rock"
    assert parse_setup("\ufeffschema = 1\n").kind == "votes"


def test_resets_and_several_eliminations_become_values() -> None:
    setup = parse_setup(HEAD + "[rules]\neliminations = 2\n[[day]]\nnumber = 1\nresets = [52, 20]\n")
    assert (setup.rule.eliminations, setup.days[0].resets) == (2, (20, 52))
    assert setup.days[0].counted_from(1).resets == (20, 52)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[rules]\neliminations = 0\n", "rules.eliminations: found 0"),
        ("[[day]]\nnumber = 1\nresets = 20\n", "day.1.resets: found 20, expected a list"),
        ("[[day]]\nnumber = 1\nreset = [20]\n", "did you mean resets?"),
    ],
)
def test_a_wrong_reset_or_number_of_eliminations_is_told(text: str, said: str) -> None:
    with pytest.raises(SetupError) as refused:
        parse_setup(HEAD + text)
    assert said in str(refused.value)


def test_who_comes_back_stands_twice_among_those_who_were_replaced() -> None:
    replaces = '[{ name = "Lumen", from_post = 40 }, { name = "Rook", from_post = 20 }]'
    setup = parse_setup(f'{HEAD}[[player]]\nname = "Rook"\nreplaces = {replaces}\n')
    assert setup.roster is not None
    slot = setup.roster.slots[0]
    assert [slot.holder_at(post) for post in (5, 25, 45)] == ["Rook", "Lumen", "Rook"]
    assert [slot.replaced_at("Rook", post) for post in (5, 25, 45)] == [False, True, False]
