"""`knightfall vc` from end to end: saved pages, posts in lines, a real server; each kind of bad input."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from fetch.loopback import Reply, serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.errors import KnightfallError
from knightfall.fetch.clock import SystemClock
from knightfall.markup.html_style import PLAIN
from knightfall.votes.ballots import PLATFORM_FORMS, Form, platform_forms
from knightfall.votes.vote_parser import read_body

FIXTURES = Path(__file__).parents[2] / "fixtures"
DEMO = [str(FIXTURES / "demo" / f"thread-p{number}.html") for number in (1, 2, 3)]
HEAD = 'schema = 1\n[game]\ntimezone = "America/New_York"\nmoderators = ["Wren"]\n'
PLAYERS = "".join(f'[[player]]\nname = "{name}"\n' for name in ("Ada", "Boro", "Cinder", "Anton", "Anders"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("KNIGHTFALL_HOME", str(tmp_path))
    monkeypatch.setenv("KNIGHTFALL_DELAY", "0")
    yield tmp_path


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["vc", *words])


def status(result: Result) -> int:
    """The exit status that `knightfall` ends with: our errors carry their own."""
    error = result.exception
    return error.exit_status if isinstance(error, KnightfallError) else result.exit_code


def posts(folder: Path, *said: tuple[str, str], opening: str = "Welcome.") -> str:
    """A file of posts: the moderator opens, then (author, body) each."""
    path = folder / "posts.jsonl.gz"
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for number, (author, body) in enumerate([("Wren", opening), *said], start=1):
            entry = {"number": number, "id": str(100 + number), "user": author, "content": body}
            file.write(json.dumps({**entry, "user_id": author, "time": "Fri Nov 20, 2026 8:00 pm"}) + "\n")
    return str(path)


def game(folder: Path, text: str) -> str:
    path = folder / "game.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def vote(name: str) -> str:
    return f"<b>Vote: {name}</b>"


def counted(*words: str) -> dict[str, Any]:
    result = run(*words, "--json")
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def wagons(count: dict[str, Any]) -> dict[str | None, list[str]]:
    return {wagon["target"]: [v["slot"] for v in wagon["voters"]] for wagon in count["wagons"]}


def test_the_demo_pages_count_as_worked_out_by_hand() -> None:
    count = counted("--from-html", *DEMO)
    assert wagons(count) == {
        "Kestrel": ["Cinder", "Lumen", "Iris", "Ada", "Hollis"],
        "Fen": ["Dusk_77", "Juniper", "Elm"],
        "Cinder": ["Kestrel", "Boro"],
        "Ada": ["Fen"],
        "Dusk_77": ["Rook"],
        None: ["Moth"],
    }
    assert (count["alive"], count["needed"], count["outcome"], count["complete"]) == (13, 7, None, True)


def test_the_votecount_post_is_as_the_golden_one() -> None:
    for dialect in ("mafiascum", "plain"):
        golden = (FIXTURES / "golden" / "votecount" / f"demo-{dialect}.txt").read_text(encoding="utf-8")
        assert run("--from-html", *DEMO, "--as", dialect).stdout == golden


def test_json_has_the_keys_of_schema_1(tmp_path: Path) -> None:
    count = counted(posts(tmp_path, ("Ada", vote("Boro")), ("Boro", vote("Zed")), ("Cinder", "hm")))
    assert list(count) == [
        "schema",
        "title",
        "day",
        "at",
        "complete",
        "assumed",
        "alive",
        "needed",
        "wagons",
        "not_voting",
        "hammer",
        "outcome",
        "questions",
        "not_counted",
        "known",
    ]
    assert count["wagons"][0]["voters"][0] == {
        "slot": "Ada",
        "post": 2,
        "url": None,
        "time": "2026-11-20T20:00:00Z",
        "text": "Vote: Boro",
        "rule": "exact",
    }
    assert [question["voter"] for question in count["questions"]] == ["Boro"]


def test_an_unknown_name_is_a_question_with_the_nearest_names_and_exit_3(tmp_path: Path) -> None:
    file = posts(tmp_path, ("Ada", vote("Boro")), ("Ada", vote("Wolfram")), ("Boro", "hm"))
    result = run(file)
    assert status(result) == 3
    assert "Boro (1): " in result.stdout
    assert "#3 Ada: “Vote: Wolfram” " in str(result.exception)
    assert "[[fix]]  post = 3" in str(result.exception)


def test_a_thread_that_is_named_in_a_games_folder_says_that_the_game_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = posts(tmp_path, ("Ada", vote("Boro")), ("Boro", "hm"))
    assert "--game ." not in run(file).stderr
    game(tmp_path, HEAD + PLAYERS)
    monkeypatch.chdir(tmp_path)
    assert (
        "Using only the thread, not the game in this folder. To use the game, add --game ."
        in run(file).stderr
    )
    assert "--game ." not in run(file, "--game", ".").stderr


def test_nobody_is_offered_for_a_name_only_because_somebody_has_to_be(tmp_path: Path) -> None:
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in ("Ada", "Boro", "Elm", "Rook"))
    for said, offered in (("Xeno", "--to NAME"), ("Rook[b/]", "--to Rook")):
        file = posts(tmp_path, ("Ada", vote(said)), ("Rook", "hm"))
        told = str(run(file, "--game", game(tmp_path, HEAD + players)).exception)
        assert offered in told, told
        assert "near Ada" not in told


def test_a_short_vote_that_is_none_here_is_listed_and_explained(tmp_path: Path) -> None:
    file = posts(tmp_path, ("Ada", "V: Boro"), ("Boro", "I vote later."))
    assert "#2 Ada not in a form that counts V: Boro" in " ".join(run(file).stderr.split())
    assert "“I vote later.”" in CliRunner().invoke(app, ["explain", "3", "--from-jsonl", file]).stdout


def test_an_ambiguous_nickname_is_never_guessed(tmp_path: Path) -> None:
    file = posts(tmp_path, ("Ada", vote("An")))
    result = run(file, "--game", game(tmp_path, HEAD + PLAYERS))
    assert status(result) == 3
    assert "could be Anton or Anders" in str(result.exception)


def test_a_fix_in_the_game_file_decides_a_question(tmp_path: Path) -> None:
    text = HEAD + PLAYERS + '[[fix]]\npost = 2\nto = "Anders"\nwhy = "asked him"\n'
    count = counted(posts(tmp_path, ("Ada", vote("An"))), "--game", game(tmp_path, text))
    assert wagons(count) == {"Anders": ["Ada"]}
    assert count["questions"] == []


def test_a_fix_may_see_a_vote_where_none_was_read(tmp_path: Path) -> None:
    text = HEAD + PLAYERS + '[[fix]]\npost = 2\nto = "Boro"\nwhy = "he drew a picture"\n'
    count = counted(posts(tmp_path, ("Ada", "him!")), "--game", game(tmp_path, text))
    assert wagons(count) == {"Boro": ["Ada"]}


def test_a_fix_counts_a_vote_that_was_not_bold(tmp_path: Path) -> None:
    file = posts(tmp_path, ("Ada", "vote: Boro"))
    plain = counted(file, "--game", game(tmp_path, HEAD + PLAYERS))
    assert [missed["reason"] for missed in plain["not_counted"]] == ["not_bold"]
    forced = HEAD + PLAYERS + '[[fix]]\npost = 2\ncount = true\nwhy = "clear enough"\n'
    assert wagons(counted(file, "--game", game(tmp_path, forced))) == {"Boro": ["Ada"]}


def test_a_dead_target_is_told_and_the_voter_counts_as_not_voting(tmp_path: Path) -> None:
    dead = '[[player]]\nname = "Pike"\nleft = { how = "killed", post = 1 }\n'
    file = posts(tmp_path, ("Ada", vote("Pike")))
    count = counted(file, "--game", game(tmp_path, HEAD + PLAYERS + dead))
    assert [(missed["post"], missed["reason"]) for missed in count["not_counted"]] == [(2, "dead_target")]
    assert "Ada" in count["not_voting"]


def test_a_replacement_votes_for_his_slot(tmp_path: Path) -> None:
    text = HEAD + PLAYERS + '[[player]]\nname = "Rook"\nreplaces = [{ name = "Pike", from_post = 3 }]\n'
    file = posts(tmp_path, ("Pike", vote("Ada")), ("Rook", vote("Boro")), ("Ada", vote("Pike")))
    assert wagons(counted(file, "--game", game(tmp_path, text))) == {"Boro": ["Rook"], "Rook": ["Ada"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD + '[[player]]\nname = "Ada"\n[[player]]\nname = "ada"\n', "“ada” is in the player list twice"),
        (HEAD + "[[day]]\nnumber = 1\nends = 2026-03-08T02:30:00\n", "does not exist in America/New_York"),
        ("schema = 1\n[[day]]\nnumber = 1\nends = 2026-11-25T20:00:00\n", "has no zone"),
        (HEAD + "[rules]\nboundry = 1\n", "rules.boundry: unknown key; did you mean boundary?"),
        (HEAD + "[rules\n", "not valid TOML"),
    ],
)
def test_a_bad_game_file_says_what_and_where_with_exit_2(tmp_path: Path, text: str, says: str) -> None:
    result = run(posts(tmp_path, ("Ada", vote("Boro"))), "--game", game(tmp_path, text))
    assert status(result) == 2
    assert "game.toml" in str(result.exception)
    assert says in str(result.exception)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--as", "mafiscum"), "mafiascum"),
        (("--at", "99"), "goes from 1 to 2"),
        (("--at", "teatime"), "“teatime” is no day; expected a date"),
        (("--at", "2026-11-25T20:00:00"), "has no zone"),
        (("--at", "2020-01-01T00:00:00Z"), "This thread has no post from before"),
        (("--day", "4"), "No post of the moderator opens day 4"),
    ],
)
def test_a_bad_argument_says_what_was_expected(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    result = run(posts(tmp_path, ("Ada", vote("Boro"))), *words)
    assert status(result) == 2
    assert says in str(result.exception)


def test_a_thread_of_the_moderator_alone_has_nobody_to_count(tmp_path: Path) -> None:
    result = run(posts(tmp_path))
    assert status(result) == 2
    assert "Only the moderator posts here" in str(result.exception)


def test_a_day_is_counted_from_the_post_that_opens_it(tmp_path: Path) -> None:
    file = posts(
        tmp_path,
        ("Ada", vote("Boro")),
        ("Boro", "hm"),
        ("Wren", "<b>Day 2 has begun.</b>"),
        ("Boro", vote("Ada")),
        opening="Day 1",
    )
    assert wagons(counted(file)) == {"Ada": ["Boro"]}
    first = counted(file, "--day", "1")
    assert wagons(first) == {"Boro": ["Ada"]}
    assert first["outcome"] == {"eliminated": None, "how": "undecided"}


TWO_DAYS = (
    ("Ada", vote("Boro")),
    ("Boro", "hm"),
    ("Wren", "<b>Day 2 has begun.</b>"),
    ("Boro", "<blockquote>" + vote("Ada") + "</blockquote>" + vote("Ada")),
)


def test_a_count_as_of_an_earlier_post_is_of_the_day_it_stands_in(tmp_path: Path) -> None:
    file = posts(tmp_path, *TWO_DAYS, opening="Day 1")
    count = counted(file, "--at", "3")
    assert (count["day"], wagons(count)) == (1, {"Boro": ["Ada"]})
    assert counted(file, "--at", "5")["day"] == 2


def test_the_days_of_a_game_file_are_chosen_by_the_post_too(tmp_path: Path) -> None:
    days = "[[day]]\nnumber = 1\nstart_post = 1\n[[day]]\nnumber = 2\nstart_post = 4\n"
    words = (posts(tmp_path, *TWO_DAYS), "--game", game(tmp_path, HEAD + PLAYERS + days))
    assert [counted(*words, "--at", at)["day"] for at in ("3", "4")] == [1, 2]
    assert counted(*words)["day"] == 2
    assert wagons(counted(*words, "--day", "1")) == {"Boro": ["Ada"]}


def test_near_misses_of_a_later_day_are_not_told_with_an_earlier_one(tmp_path: Path) -> None:
    quoted = ("Boro", f"<blockquote>{vote('Cinder')}</blockquote>{vote('Ada')}")
    file = posts(tmp_path, *TWO_DAYS[:-1], quoted, opening="Day 1")
    assert counted(file, "--day", "1")["not_counted"] == []
    assert [missed["post"] for missed in counted(file)["not_counted"]] == [5]


def test_json_folds_quotes_of_votes_that_were_read_where_they_stand(tmp_path: Path) -> None:
    count = counted(posts(tmp_path, *TWO_DAYS, opening="Day 1"))
    assert (count["not_counted"], count["repeated"]) == ([], 1)


def test_a_live_thread_and_its_stored_copy_count_the_same() -> None:
    board = [(100, "Wren", "Welcome"), (102, "Ada", vote("Boro")), (104, "Boro", "hm"), (106, "Cinder", "no")]
    with serving(Forum(board)) as server:
        url = f"{server.root}/viewtopic.php?t=5"
        live = counted(url, "--allow-private-host")
    assert wagons(live) == {"Boro": ["Ada"]}
    assert counted(url, "--stored", "--allow-private-host") == live


def test_a_thread_for_votes_is_counted_and_the_talk_in_the_game_thread_is_not(tmp_path: Path) -> None:
    talk, votes = Forum([(100, "Wren", "Talk here."), (102, "Ada", vote("Cinder"))]), Forum([])
    votes.posts = [(200, "Wren", "Vote here."), (202, "Ada", vote("Boro")), (204, "Boro", vote("Ada"))]
    threads = '[[thread]]\nurl = "{0}/talk/viewtopic.php?t=5"\n[[thread]]\nrole = "vote"\nurl = "{0}/{1}"\n'
    with serving(lambda path: (talk if path.startswith("/talk/") else votes)(path)) as server:
        file = HEAD + threads.format(server.root, "viewtopic.php?t=5") + PLAYERS
        count = counted("--game", game(tmp_path, file), "--allow-private-host")
    assert wagons(count) == {"Boro": ["Ada"], "Ada": ["Boro"]}


def test_silence_is_not_told_from_a_thread_for_votes(tmp_path: Path) -> None:
    threads = '[[thread]]\nrole = "vote"\nurl = "https://forum.example/viewtopic.php?t=5"\n'
    where = game(tmp_path, HEAD + '[rules]\nprod_after = "1h"\n' + threads + PLAYERS)
    said = posts(tmp_path, ("Ada", vote("Boro")))
    assert wagons(counted(said, "--game", where)) == {"Boro": ["Ada"]}
    result = CliRunner().invoke(app, ["activity", said, "--game", where])
    assert status(result) == 2
    assert "a thread of their own" in str(result.exception)


def test_a_thread_that_was_never_read_has_no_stored_copy() -> None:
    result = run("https://forum.example/viewtopic.php?t=5", "--stored")
    assert status(result) == 2
    assert "has never been read" in str(result.exception)


@pytest.mark.parametrize(("answer", "code"), [(404, 6), (500, 6)])
def test_a_server_that_refuses_gives_no_count(
    answer: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []
    monkeypatch.setattr(SystemClock, "sleep", lambda _clock, seconds: waited.append(seconds))
    with serving(lambda _path: Reply(b"<html><body>no</body></html>", answer)) as server:
        result = run(f"{server.root}/viewtopic.php?t=5", "--allow-private-host")
    assert status(result) == code
    assert result.stdout == ""
    assert bool(waited) == (answer == 500)


def test_an_incomplete_thread_is_not_counted() -> None:
    result = run("--from-html", DEMO[1])
    assert status(result) == 4
    assert result.stdout == ""
    assert "Count withheld" in str(result.exception)


def test_hidden_weights_are_seen_by_the_moderator_alone(tmp_path: Path) -> None:
    text = HEAD + PLAYERS.replace('name = "Ada"\n', 'name = "Ada"\nweight = 2\n')
    words = (
        posts(tmp_path, ("Ada", vote("Boro")), ("Cinder", vote("Anton"))),
        "--game",
        game(tmp_path, text),
    )
    public, mod = counted(*words), counted(*words, "--view", "mod")
    assert [(wagon["target"], wagon["count"]) for wagon in public["wagons"]] == [("Boro", 1), ("Anton", 1)]
    assert [(wagon["target"], wagon["count"]) for wagon in mod["wagons"]] == [("Boro", 2), ("Anton", 1)]
    assert "Boro (1): " in run(*words).stdout
    assert "Boro (2): " in run(*words, "--view", "mod").stdout


def test_open_weights_are_seen_by_all(tmp_path: Path) -> None:
    rules = '[rules]\nshow_weights = "open"\n'
    text = HEAD + rules + PLAYERS.replace('name = "Ada"\n', 'name = "Ada"\nweight = 2\n')
    found = counted(posts(tmp_path, ("Ada", vote("Boro"))), "--game", game(tmp_path, text))
    assert found["wagons"][0]["count"] == 2


def test_the_rules_post_says_the_rule_in_words_with_its_table(tmp_path: Path) -> None:
    text = HEAD + '[rules]\nno_elimination = "one_fewer"\nboundary = "minute"\n' + PLAYERS
    result = CliRunner().invoke(app, ["post", "rules", "--game", game(tmp_path, text), "--as", "plain"])
    golden = (FIXTURES / "golden" / "rules" / "five-players.txt").read_text(encoding="utf-8")
    assert result.stdout == golden


def test_a_count_as_of_a_post_before_the_gap_is_made() -> None:
    result = run("--from-html", *DEMO[:2], "--at", "50")
    assert status(result) in (0, 3)
    assert "(to post 50)" in result.stdout
    whole = run("--from-html", *DEMO, "--at", "50")
    assert whole.stdout == result.stdout


@pytest.mark.parametrize("words", [(), ("--at", "55"), ("--at", "2099-01-01T00:00:00Z")])
def test_no_count_reaches_over_a_gap(words: tuple[str, ...]) -> None:
    result = run("--from-html", *DEMO[:2], *words)
    assert status(result) in (2, 4)
    assert result.stdout == ""


def test_a_vote_in_a_form_that_the_house_does_not_accept_is_listed(tmp_path: Path) -> None:
    text = HEAD + '[rules]\nforms = ["hashes"]\n' + PLAYERS
    file = posts(tmp_path, ("Ada", vote("Boro")), ("Cinder", "##vote Boro"), ("Boro", "vote: Ada"))
    count = counted(file, "--game", game(tmp_path, text))
    assert wagons(count) == {"Boro": ["Cinder"]}
    assert [(m["post"], m["reason"]) for m in count["not_counted"]] == [(2, "no_form"), (4, "not_bold")]


def test_the_forms_that_count_are_told_where_no_file_names_them(tmp_path: Path) -> None:
    told = counted(posts(tmp_path, ("Ada", vote("Boro"))))["assumed"]
    assert [
        sentence
        for sentence in told
        if sentence.startswith("To vote, use the site's vote tag, if it has one, “Vote")
    ]


def test_plain_words_beside_a_vote_that_counts_are_no_near_miss(tmp_path: Path) -> None:
    said = "Vote: Fen because of this:<br><b>Vote: Fen</b><br>Vote: Ada in spirit"
    lines = posts(tmp_path, ("Ada", "hm"), ("Fen", "hm"), ("Boro", said))
    missed = counted("--from-jsonl", lines)["not_counted"]
    assert [entry["text"] for entry in missed] == ["Vote: Ada in spirit"]


def asked(folder: Path, *said: tuple[str, str]) -> str:
    """What the moderator is asked about a day of these votes."""
    players = "".join(f'[[player]]\nname = "{name}"\n' for name in ("Ada", "Boro", "Kestrel", "Kestis"))
    return str(run(posts(folder, *said), "--game", game(folder, HEAD + players)).exception)


def test_an_earlier_vote_is_said_to_stand_only_where_there_is_one(tmp_path: Path) -> None:
    unclear = ("Ada", vote("Kest"))
    assert "Until then, the voter's earlier vote stands." in asked(tmp_path, ("Ada", vote("Boro")), unclear)
    assert "Ada has no vote until then." in asked(tmp_path, unclear)
    assert "Another vote in #3, which is later, counts." in asked(tmp_path, unclear, ("Ada", vote("Boro")))
    both = ("Ada", f"{vote('Kest')}<br>{vote('Boro')}")
    assert "Another vote in this post counts." in asked(tmp_path, both)


def test_a_name_is_offered_only_where_the_post_holds_something_of_it(tmp_path: Path) -> None:
    assert "could be Kestrel or Kestis" in asked(tmp_path, ("Ada", vote("Kest")))
    assert "--to NAME" in asked(tmp_path, ("Ada", vote("Kest")))
    assert "--to Kestrel" in asked(tmp_path, ("Ada", "[b]Vote: Kestrel[/b]"))
    assert "--to NAME" in asked(tmp_path, ("Ada", vote("Nobody here")))


def test_one_name_in_several_posts_is_one_question_that_teaches_an_alias(tmp_path: Path) -> None:
    three = [(who, vote("Lampman")) for who in ("Ada", "Boro", "Ada")]
    said = asked(tmp_path, *three)
    assert "3 votes need your decision." in said
    assert "“Lampman” in #2, #3, #4 by 2 players matches no player, and nobody is near." in said
    assert 'Decide them all:  knightfall alias NAME Lampman --why "…"' in said
    questions = counted(posts(tmp_path, *three))["questions"]
    assert [(one["name"], one["same"]) for one in questions] == [("Lampman", [2, 3, 4])] * 3


def test_a_reset_of_the_votes_is_told_and_counted(tmp_path: Path) -> None:
    days = "[[day]]\nnumber = 1\nstart_post = 1\nresets = [3]\n"
    words = (
        posts(tmp_path, ("Ada", vote("Boro")), ("Wren", "again"), ("Cinder", vote("Ada"))),
        "--game",
        game(tmp_path, HEAD + PLAYERS + days),
    )
    assert wagons(counted(*words)) == {"Ada": ["Cinder"]}
    assert wagons(counted(*words, "--at", "2")) == {"Boro": ["Ada"]}
    assert "All votes were reset with #3." in run(*words).stdout


def test_on_a_day_of_two_eliminations_the_first_is_told_and_the_day_goes_on(tmp_path: Path) -> None:
    said = [(who, vote("Anton")) for who in ("Ada", "Boro", "Cinder")] + [("Ada", vote("Boro"))]
    rules = "[rules]\neliminations = 2\n"
    words = (posts(tmp_path, *said), "--game", game(tmp_path, HEAD + rules + PLAYERS))
    count = counted(*words)
    assert (count["alive"], count["hammer"], wagons(count)) == (4, None, {"Boro": ["Ada"]})
    assert "Anton was eliminated with #4. The day goes on." in run(*words).stdout


def test_a_question_names_the_votecount_that_shows_the_vote(tmp_path: Path) -> None:
    shown = ("Wren", "Kestrel (1): Ada<br>Boro (1): Kestis")  # it does not list everybody
    said = asked(tmp_path, ("Ada", vote("lampman")), ("Boro", "hm"), shown)
    assert "matches" not in said
    assert said.splitlines()[1].startswith("  #2 Ada: “Vote: lampman” could be Kestrel (#4 counts it so).")
    assert "Decide:  knightfall alias Kestrel lampman" in said
    assert 'or in game.toml:  [[player]] Kestrel: aliases = ["lampman"]' in said


def test_who_has_no_game_is_told_where_a_decision_is_kept(tmp_path: Path) -> None:
    said = (("Ada", vote("Boro")), ("Boro", vote("somebody loud")), ("Cinder", "hm"))
    alone = str(run(posts(tmp_path, *said)).exception)
    assert "To make one:  knightfall new votes " in alone
    assert "To make one" not in asked(tmp_path, *said)


ROLLS = (
    "Living players:<br>1. Ada<br>2. Boro<br>3. Cinder<br>4. Dusk<br>5. Elm",
    "Game on. Players: Ada, Boro, Cinder, Dusk and Elm. Mod: Wren",
    "Players<br>Ada<br>Boro<br>Cinder<br>Dusk<br>Elm",
)
BEGINS = ("Wren", "Day 1 begins. With 5 alive it takes 3 votes to eliminate.")
EARLY = (BEGINS, ("ada", vote("Dusk")), ("Boro", vote("Elmm")))


@pytest.mark.parametrize("opening", ROLLS)
def test_early_on_the_first_day_the_list_of_the_opening_post_holds_whoever_has_posted(
    tmp_path: Path, opening: str
) -> None:
    count = counted(posts(tmp_path, *EARLY, opening=opening))
    assert (count["alive"], count["needed"]) == (5, 3)
    assert wagons(count) == {"Dusk": ["ada"], "Elm": ["Boro"]}
    assert set(count["not_voting"]) == {"Cinder", "Dusk", "Elm"}


def test_who_came_later_is_no_player_of_an_earlier_count(tmp_path: Path) -> None:
    later = [("Cinder", vote("ada")), ("Wren", "Elm has been replaced by Rook."), ("Rook", vote("Boro"))]
    file = posts(tmp_path, *EARLY, *later, opening=ROLLS[1])
    assert "Rook" not in json.dumps(counted(file, "--at", "5"))
    assert wagons(counted(file))["Boro"] == ["Rook"]


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        (ROLLS[0].replace("5. Elm", "5. Elm<br>6. Fen"), EARLY),  # six are listed, five are alive
        (ROLLS[0], (*EARLY, ("Moth", "hello"))),  # somebody plays who is not on the list
        ("1. No cheating<br>2. No PMs<br>3. Have fun<br>4. Vote in bold<br>5. Stay calm", EARLY),
        (ROLLS[0], ()),
    ],
)
def test_a_list_that_does_not_fit_is_no_list_of_players(
    tmp_path: Path, opening: str, said: tuple[tuple[str, str], ...]
) -> None:
    count = counted(posts(tmp_path, *(said or (("Ada", vote("Boro")), ("Boro", "hm"))), opening=opening))
    assert count["needed"] is None


def test_a_bold_vote_counts_on_every_platform_unless_the_file_says_otherwise() -> None:
    for platform in PLATFORM_FORMS:
        assert {Form.BOLD, Form.BOLD_COLON} <= platform_forms(platform).accepted, platform
    forms = platform_forms("nodebb")
    assert read_body("<strong>Vote: Ada</strong>", PLAIN, forms)[0].text == "Ada"
    assert read_body("!vote Ada", PLAIN, forms)[0].text == "Ada"
    assert read_body("Vote: Ada", PLAIN, forms) == ()


def test_the_final_count_shows_the_wagon_of_whom_the_file_says_it_eliminated(tmp_path: Path) -> None:
    said = [(name, vote("Anton")) for name in ("Ada", "Boro", "Cinder")] + [("Wren", "Anton is gone.")]
    file = HEAD + PLAYERS.replace('"Anton"\n', '"Anton"\nleft = { how = "eliminated", post = 5 }\n')
    days = "[[day]]\nnumber = 1\nstart_post = 1\nend_post = 5\n"
    count = counted(posts(tmp_path, *said), "--game", game(tmp_path, file + days))
    assert wagons(count) == {"Anton": ["Ada", "Boro", "Cinder"]}
    killed = game(tmp_path, (file + days).replace('"eliminated"', '"killed"'))
    assert wagons(counted(posts(tmp_path, *said), "--game", killed)) == {}


def test_a_player_whom_a_votecount_forgets_is_asked_about(tmp_path: Path) -> None:
    names = ("Ada", "Boro", "Cinder", "Dusk", "Elm")
    opening = "Players:<br>" + "<br>".join(names)
    forgets = "Votecount 1<br>Boro (1): Ada<br>Not voting: Boro, Cinder, Dusk"
    said = (("Ada", vote("Boro")), ("Wren", forgets), ("Cinder", vote("Elm")), ("Elm", vote("Cinder")))
    file = posts(tmp_path, *said, ("Dusk", vote("Elm")), opening=opening)
    found = run("--from-jsonl", file)
    assert status(found) == 3
    assert "Post #3 does not list Elm, and no post tells of their death." in str(found.exception)
    count = counted("--from-jsonl", file)
    assert (wagons(count)["Elm"], count["needed"], count["hammer"]) == (["Cinder", "Dusk"], None, None)
    assert count["known"]["living"] == {
        "how": "open",
        "readings": [{"value": 5, "post": 3, "names": ["Elm"]}, {"value": 4, "post": 3, "names": []}],
        "why": ["Post #3 does not list Elm, and no post tells of their death."],
    }
