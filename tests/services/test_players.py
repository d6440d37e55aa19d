"""`replace`, `modkill`, `kill`, `revive`, `prod`, `vla`, `mod-note`; and how a begun game's day is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from begun import begin
from fetch.loopback import client, serving
from fetch.threads import Forum
from knightfall.cli import app
from knightfall.cli.format_day import closed_line, closing_lines, phase_remarks
from knightfall.cli.format_play import show_receipt
from knightfall.engine.entries import Away, Closed, Prodded, Published, Removed, Replaced, Revived, Undone
from knightfall.engine.prods import State
from knightfall.errors import DecisionNeeded, InputError, SecretGuard, TimeError
from knightfall.models import PostMark
from knightfall.sentence import SlotId
from knightfall.services.count.activity import activity
from knightfall.services.count.roster import roster
from knightfall.services.count.votecount import counted
from knightfall.services.day.close import close, flip, look
from knightfall.services.day.phases import open_phase
from knightfall.services.game.due import due
from knightfall.services.game.players import (
    SlotChange,
    kill,
    modkill,
    note_absence,
    prod,
    replace_player,
    revive,
    write_note,
)
from knightfall.services.game.status import status
from knightfall.services.journal import alias
from knightfall.services.now import now_of
from knightfall.services.requests import (
    ClosingRequest,
    CountRequest,
    FlipRequest,
    NewGameRequest,
    PhaseRequest,
    PostOptions,
)
from knightfall.services.session import Session, entered, journal_of
from knightfall.services.threads import kept_thread
from knightfall.services.window.turns import close as commit
from knightfall.services.window.turns import submit
from knightfall.storage.ledger import Ledger
from knightfall.storage.store import Store
from knightfall.votes.votecount import Votecount
from services.end_of_day import AHEAD, PLAYERS, Evening, Game, board, game, vote

Verb = Callable[..., SlotChange]
Words = tuple[str | None, ...]
AS_IS = PostOptions()
SAID = (("Ada", vote("Fen")), ("Boro", vote("Fen")), ("Kestrel", vote("Ada")), ("Cinder", "hm"))
"""Posts 2 to 5; nobody has the three votes yet."""


@contextmanager
def playing(folder: Path, *said: tuple[str, str], rules: str = "", more: str = "") -> Iterator[Game]:
    """A thread of the five that was read, its day still running."""
    evening = Evening(Forum(board(*(said or SAID))))
    with game(folder, evening, ends=AHEAD, rules=rules, more=more) as played:
        count(played)
        yield played


def count(played: Game, at: str | None = None) -> Votecount:
    return counted(CountRequest(at=at, stored=at is not None), played.session).count


def told(played: Game, at: str | None = None) -> tuple[object, ...]:
    """What a count says: who votes for whom, who does not vote, how many live, how many votes are needed."""
    tally = count(played, at).tally
    wagons = {
        wagon.target.name if wagon.target else None: [vote.voter.name for vote in wagon.votes]
        for wagon in tally.wagons
    }
    return wagons, [slot.name for slot in tally.not_voting], tally.alive, tally.needed


def mark(played: Game, number: int) -> PostMark:
    """The mark of a post as the thread was read."""
    thread = kept_thread(now_of(played.session).setup, played.session)
    assert thread is not None
    return next(PostMark.of(post) for post in thread.posts if post.number == number)


def entries(played: Game) -> list[object]:
    return [record.entry for record in journal_of(played.session)]


def test_a_replacement_takes_the_slot_with_its_votes_and_earlier_counts_keep_the_old_name(
    tmp_path: Path,
) -> None:
    with playing(tmp_path) as played:
        before = {at: told(played, at) for at in ("2", "3", "4", "5")}
        change = replace_player("Ada", "Rook", None, "he is ill", AS_IS, played.session)
        assert entries(played) == [Replaced(SlotId("Ada"), "Rook", "6", "he is ill", mark(played, 5))]
        assert {at: told(played, at) for at in before} == before
        forum_says(played, ("Rook", vote("Kestrel")))
        wagons, _, alive, _ = told(played)
        assert count(played).notes == ("Rook replaces Ada as of #6.",)
        assert (wagons, alive) == ({"Rook": ["Kestrel"], "Fen": ["Boro"], "Kestrel": ["Rook"]}, 5)
        assert {at: told(played, at) for at in before} == before
    assert change.post is not None
    assert change.post.text == (
        "Rook replaces Ada as of this post. Rook takes over Ada's vote, and votes for Ada now count for Rook."
    )
    assert (change.name, change.from_post, change.post.file) == ("Ada", 6, "public/001-replacement.txt")
    assert change.receipt is None
    assert (tmp_path / "public" / "001-replacement.txt").exists()


def forum_says(played: Game, *said: tuple[str, str]) -> None:
    """More posts in the thread, which are read."""
    forum = FORUMS[played.server.root]
    forum.posts.extend([(forum.posts[-1][0] + 1 + n, *post) for n, post in enumerate(said)])
    count(played)


FORUMS: dict[str, Forum] = {}


@pytest.fixture(autouse=True)
def _known_forums(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Which forum stands behind an address, so that a test can post into it."""
    import services.end_of_day as evening_module

    @contextmanager
    def noted_serving(answer: Evening) -> Iterator[object]:
        with serving(answer) as server:
            FORUMS[server.root] = answer.forum
            yield server

    monkeypatch.setattr(evening_module, "serving", noted_serving)
    yield
    FORUMS.clear()


def test_who_left_may_come_back_with_votes_aliases_and_earlier_counts_as_they_were(tmp_path: Path) -> None:
    with playing(tmp_path) as played:
        alias("Ada", "Lovelace", "so they call her", played.session)
        before = {at: told(played, at) for at in ("2", "3", "4", "5")}
        replace_player("Ada", "Rook", None, "ill", AS_IS, played.session)
        forum_says(played, ("Rook", vote("Kestrel")), ("Boro", vote("Lovelace")))
        assert told(played)[0] == {"Rook": ["Kestrel", "Boro"], "Kestrel": ["Rook"]}
        change = replace_player("Rook", "ada", None, "well again", AS_IS, played.session)
        assert change.post is not None
        assert "Ada replaces Rook as of this post." in change.post.text
        assert entries(played)[-1] == Replaced(SlotId("Ada"), "Ada", "8", "well again", mark(played, 7))
        forum_says(played, ("Ada", vote("Boro")), ("Boro", vote("Fen")), ("Boro", vote("Rook")))
        wagons, _, alive, _ = told(played)
        assert (wagons, alive) == ({"Ada": ["Kestrel", "Boro"], "Boro": ["Ada"]}, 5)
        assert told(played, "7")[0] == {"Rook": ["Kestrel", "Boro"], "Kestrel": ["Rook"]}
        assert {at: told(played, at) for at in before} == before
        slot = roster(CountRequest(stored=True), played.session).slots[0]
        assert (slot.player, slot.earlier) == ("Ada", ("Rook",))
        with pytest.raises(InputError, match="Ada already holds this slot"):
            replace_player("Lovelace", "Ada", None, "", AS_IS, played.session)
        replace_player("Ada", "Rook", None, "", AS_IS, played.session)
        forum_says(played, ("Fen", "hm"))
        assert told(played)[0] == {"Rook": ["Kestrel", "Boro"], "Boro": ["Rook"]}


@pytest.mark.parametrize("verb", [modkill, kill], ids=["modkill", "kill"])
def test_who_is_taken_out_neither_votes_nor_is_voted_for_and_the_threshold_falls_there(
    tmp_path: Path, verb: Verb
) -> None:
    with playing(tmp_path, *SAID, ("Fen", "hi"), ("Ada", "hm")) as played:
        before = {str(at): told(played, str(at)) for at in range(2, 8)}
        changes = [verb("Kestrel", "#6", "quoted a PM", AS_IS, played.session)]
        assert {at: told(played, at) for at in "2345"} == {at: before[at] for at in "2345"}
        assert told(played, "6") == ({"Fen": ["Ada", "Boro"]}, ["Cinder", "Fen"], 4, 3)
        changes.append(verb("Cinder", "7", "and another", AS_IS, played.session))
        assert told(played, "7") == ({"Fen": ["Ada", "Boro"]}, ["Fen"], 3, 2)
        hammer = count(played).tally.hammer
        assert hammer is not None
        assert (hammer.post, hammer.voter) == (7, None)
    posts = [change.post.text for change in changes if change.post]
    assert len(posts) == 2
    assert "With 4 alive, it now takes 3 votes to eliminate." in posts[0]
    assert not any("PM" in text for text in posts)


def test_who_is_revived_votes_again_from_that_post_on_and_not_before(tmp_path: Path) -> None:
    with playing(tmp_path) as played:
        kill("Fen", "6", "", AS_IS, played.session)
        forum_says(played, ("Fen", vote("Ada")), ("Boro", "hm"))
        dead = told(played, "6")
        assert dead[2] == 4
        why = "the shot was a mistake"
        revive("Fen", "8", why, AS_IS, played.session)
        assert entries(played)[1:] == [Revived(SlotId("Fen"), "8", why, mark(played, 7))]
        assert told(played, "6") == dead
        forum_says(played, ("Fen", vote("Ada")), ("Cinder", vote("Fen")))
        assert told(played)[0] == {"Ada": ["Kestrel", "Fen"], "Fen": ["Cinder"]}
        assert told(played)[2:] == (5, 3)
        assert count(played, "7").notes == ("Fen has died as of #6.",)
        assert count(played).notes == ("Fen has died as of #6.", "Fen is alive again as of #8.")


def test_what_is_undone_never_happened(tmp_path: Path) -> None:
    with playing(tmp_path) as played:
        before = told(played)
        modkill("Kestrel", "3", "quoted a PM", AS_IS, played.session)
        assert told(played) != before
        ledger = played.session.ledger
        assert ledger is not None
        ledger().append(Undone(1, "the wrong one"), played.session.clock.now(), "Wren")
        assert told(played) == before


def test_what_cannot_be_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with playing(tmp_path) as played:
        mistakes: tuple[tuple[Verb, Words, str], ...] = (
            (
                replace_player,
                ("Ada", "Boro", None, ""),
                "“Boro” is a name of Boro. One account can hold only one slot",
            ),
            (replace_player, ("Ada", "Wren", None, ""), "“Wren” moderates this game"),
            (replace_player, ("Ada", "ada", None, ""), "Ada already holds this slot"),
            (replace_player, ("Zed", "Rook", None, ""), "No player is called “Zed”"),
            (replace_player, ("Ada", "Rook", "page 3", ""), "page 3 is not a post number"),
            (modkill, ("Ada", None, " "), "Give a reason for the modkill"),
            (revive, ("Ada", None, ""), "Ada is alive"),
        )
        for verb, words, says in mistakes:
            with pytest.raises(InputError, match=says):
                verb(*words, AS_IS, played.session)
        assert entries(played) == []
        kill("Ada", None, "", AS_IS, played.session)
        too_late: tuple[tuple[Verb, Words], ...] = (
            (kill, ("Ada", None, "")),
            (replace_player, ("Ada", "Rook", None, "")),
        )
        for verb, words in too_late:
            with pytest.raises(InputError, match="Ada is no longer alive"):
                verb(*words, AS_IS, played.session)
        assert entries(played) == [Removed(SlotId("Ada"), "kill", "6", "", mark(played, 5))]


def test_a_name_that_looks_like_markup_stays_a_name(tmp_path: Path) -> None:
    with playing(tmp_path) as played:
        phpbb = PostOptions("phpbb")
        change = replace_player("Ada", "{{ 7*7 }}[b]x", None, "", phpbb, played.session)
        assert change.post is not None
        assert change.post.text.startswith("[b]{{ 7*7 }}[\u200bb]x[/b] replaces [b]Ada[/b]")


def test_a_prod_counts_from_now_on_and_its_draft_lies_in_private(tmp_path: Path) -> None:
    with playing(tmp_path, rules='prod_after = "48h"\nmax_prods = 2') as played:
        drafted = prod((), True, AS_IS, played.session)
        assert (drafted.names, drafted.entries, drafted.post) == (PLAYERS, (), None)
        drafts = sorted(file.name for file in (tmp_path / "private").iterdir())
        assert drafts == [f"prod-1-{name}.txt" for name in PLAYERS]
        assert entries(played) == []
        prods = prod(("Cinder",), False, AS_IS, played.session)
        assert entries(played) == [Prodded(SlotId("Cinder"))]
        assert prods.post is not None
        assert prods.post.text == "1 player was prodded."
        states = {row.name: row.standing for row in activity(CountRequest(), played.session).rows}
        assert (states["Cinder"].state, states["Cinder"].prods) == (State.PRODDED, 1)
        assert states["Ada"].state is State.DUE
        assert count(played).due == ("Ada", "Boro", "Fen", "Kestrel")
        kill("Ada", None, "", AS_IS, played.session)
        with pytest.raises(InputError, match="nobody to prod"):
            prod(("Ada",), False, AS_IS, played.session)


def test_who_is_dead_by_the_journal_is_due_no_prod_before_a_post_tells_it(tmp_path: Path) -> None:
    with playing(tmp_path, rules='prod_after = "48h"') as played:
        session = played.session
        assert count(played).due == PLAYERS
        entered(Closed("day-1", "eliminate Boro"), session)
        left = ("Ada", "Cinder", "Fen", "Kestrel")
        assert count(played).due == status(session).silent == left
        assert tuple(row.name for row in activity(CountRequest(stored=True), session).rows) == left
        assert prod((), False, AS_IS, session).names == left
        assert count(played).due == status(session).silent == ()
        assert not [one for one in due(session) if one.way.to == "prod"]


def test_an_absence_pauses_the_clock_and_is_told_to_everybody(tmp_path: Path) -> None:
    with playing(tmp_path, rules='prod_after = "48h"') as played:
        with pytest.raises(TimeError, match="so it needs a time zone"):
            note_absence("Ada", "2026-11-18..2026-11-30", AS_IS, played.session)
        file = tmp_path / "game.toml"
        file.write_text(file.read_text().replace("[game]\n", '[game]\ntimezone = "Europe/London"\n'))
        absence = note_absence("ada", "2026-11-18..2026-11-30", AS_IS, played.session)
        assert entries(played) == [Away(SlotId("Ada"), "2026-11-18", "2026-11-30")]
        [row] = [row for row in activity(CountRequest(), played.session).rows if row.name == "Ada"]
        assert row.standing.state is State.ABSENT
        assert absence.post.text == "Ada is away (V/LA) from 18 Nov 2026 to 30 Nov 2026."


def test_a_note_is_posted_kept_and_read_for_secrets_first(tmp_path: Path) -> None:
    with playing(tmp_path) as played:
        write_note("Votes in spoilers do not count.\nThat was always so.", AS_IS, played.session)
        [entry] = entries(played)
        assert isinstance(entry, Published)
        assert (entry.kind, entry.number, entry.upto) == ("mod-note", 1, "5")
        with pytest.raises(SecretGuard, match="Town Medic"):
            write_note("The Town Medic should post more.", AS_IS, played.session)
        with pytest.raises(InputError, match="The note is empty"):
            write_note(" \n", AS_IS, played.session)
        assert len(entries(played)) == 1
        assert sorted(file.name for file in (tmp_path / "public").iterdir()) == ["mod-note-1.txt"]


def test_a_thread_that_was_never_read_needs_the_post(tmp_path: Path) -> None:
    with game(tmp_path, Evening(Forum(board(*SAID)))) as played:
        with pytest.raises(InputError, match="The thread has not been read yet"):
            kill("Ada", None, "", AS_IS, played.session)
        kill("Ada", "4", "", AS_IS, played.session)
        assert told(played)[2:] == (4, 3)
        assert told(played, "3")[2:] == (5, 3)


def test_the_verbs_are_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        'schema = 1\n[game]\ntimezone = "Europe/London"\n[[player]]\nname = "Ada"\n[[player]]\nname = "Elm"\n'
    )
    (tmp_path / "game.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for words in (
        ("replace", "Ada", "Rook", "--at", "4"),
        ("modkill", "Elm", "--why", "quoted a PM", "--as", "phpbb"),
        ("revive", "Elm", "--at", "9"),
        ("kill", "Elm", "--at", "12"),
        ("vla", "Rook", "2026-11-28"),
        ("mod-note", "All", "is", "well."),
        ("prod", "--help"),
    ):
        done = CliRunner().invoke(app, list(words))
        assert done.exit_code == 0, (words, done.output)
        assert done.stdout.strip()
    assert isinstance(CliRunner().invoke(app, ["prod", "Rook"]).exception, InputError)
    log = CliRunner().invoke(app, ["log"]).stdout
    assert "Rook replaces Ada from post 4" in log
    assert "Rook (was Ada) away from 2026-11-28 to 2026-11-28" in " ".join(log.split())


EIGHTEEN = tuple(f"Player{letter}" for letter in "ABCDEFGHIJKLMNOPQR")


@contextmanager
def errant(folder: Path) -> Iterator[Game]:
    """A Knight-Errant that was dealt, and its thread on the forum; everybody who votes hits PlayerA."""
    voters = ((name, vote("PlayerA")) for name in EIGHTEEN[1:11])
    evening = Evening(Forum(board(*voters)))
    with serving(evening) as server:
        FORUMS[server.root] = evening.forum
        database = folder / "game.db"
        session = Session(
            evening.clock,
            client(evening.clock, delay=0),
            lambda _: Store.open(database),
            lambda: Ledger.open(database),
            "Wren",
            game=folder,
        )
        begin(NewGameRequest("knight-errant", EIGHTEEN, folder, bytes(range(32)), bytes(32)), session)
        file = folder / "game.toml"
        file.write_text(
            file.read_text().replace("[game]\n", '[game]\nmoderators = ["Wren"]\nsite = "plain"\n')
            + f'[[thread]]\nrole = "game"\nurl = "{server.root}viewtopic.php?t=5"\n'
        )
        played = Game(folder, session, server)
        yield played


def closing(played: Game, typed: str = "PlayerA") -> None:
    found = look(ClosingRequest(), played.followed)
    played.out.append(found.text)
    played.err.extend(closing_lines(found))
    closed = close(found, typed, played.session)
    played.err.append(closed_line(closed))
    if closed.receipt is not None:
        show_receipt(closed.receipt, played.out.append, played.err.append)


def flipped(played: Game) -> str:
    return flip(FlipRequest(), played.session).text


def role_of(played: Game, name: str) -> str:
    return str(now_of(played.session).running.state.cards[name].name)


def test_a_day_of_a_game_is_closed_once_by_its_votes_and_the_game_writes_the_flip(tmp_path: Path) -> None:
    with errant(tmp_path) as played:
        role = role_of(played, "PlayerA")
        with pytest.raises(DecisionNeeded, match="Day 1 is decided by the votes"):
            commit(None, "plain", played.session)
        with pytest.raises(DecisionNeeded, match="no role is shown"):
            flipped(played)
        with pytest.raises(DecisionNeeded, match="Nothing was closed"):
            closing(played, "PlayerB")
        assert role not in "\n".join((*played.out, *played.err))
        public = {file.name for file in (tmp_path / "public").iterdir()}
        assert not any("elimination" in name for name in public)
        closing(played)
        [entry] = [entry for entry in entries(played) if isinstance(entry, Closed)]
        assert (entry.window, "\n".join(entry.lines)) == ("day-1", "eliminate PlayerA")
        [kept] = (tmp_path / "public").glob("*-elimination.txt")
        assert role in kept.read_text(encoding="utf-8")
        assert played.out[-1] == flipped(played) == kept.read_text(encoding="utf-8").rstrip("\n")
        table = now_of(played.session).running
        assert [window.title for window in table.windows] == ["Night 1"]
        assert "PlayerA" in table.state.left
        with pytest.raises(DecisionNeeded, match="Day 1 was already closed"):
            closing(played)


def test_who_died_at_night_is_dead_in_the_count_of_the_next_day_by_itself(tmp_path: Path) -> None:
    with errant(tmp_path) as played:
        before = told(played)
        closing(played)
        victim = death_at_night(played)
        forum_says(
            played, ("Wren", "<b>Day 2 begins.</b>"), ("PlayerC", vote(victim)), (victim, vote("PlayerC"))
        )
        after = count(played)
        assert {slot.name for slot in after.tally.not_voting} == set(EIGHTEEN) - {"PlayerA", victim}
        assert (after.day.number, after.tally.alive, after.tally.wagons) == (2, 16, ())
        assert told(played, "11") == before


def death_at_night(played: Game) -> str:
    """The mafia kills a Vanilla Townie and the night is closed."""
    table = now_of(played.session).running
    cards = table.state.living
    killer = next(slot for slot, role in cards.items() if "Mafia" in role.name or "Goon" in role.name)
    victim = next(slot for slot, role in cards.items() if role.name == "Vanilla Townie")
    says = played.out.append, played.err.append
    show_receipt(submit(killer, f"kill {victim}", "plain", played.session), *says)
    show_receipt(commit("night", "plain", played.session).receipt, *says)
    return str(victim)


def test_a_day_whose_deadline_passed_is_closed_by_its_votes_not_by_the_clock(tmp_path: Path) -> None:
    with errant(tmp_path) as played:
        open_phase(PhaseRequest("day", 1, ends="2026-11-21 12:01"), PostOptions(), played.session)
        played.session.clock.sleep(3600)
        closing(played)
        assert [window.title for window in now_of(played.session).running.windows] == ["Night 1"]
        assert "UNDECIDED" not in played.told
        second = PhaseRequest("day", 2, ends="2026-11-28 12:00")
        change = open_phase(second, PostOptions(), played.session)
        assert change.elsewhere == ("Night 1",)
        assert "this is still open in the game: Night 1." in next(phase_remarks(change))


def test_modkill_and_replacement_reach_the_begun_game_and_the_post_is_last_post(tmp_path: Path) -> None:
    with errant(tmp_path) as played:
        count(played)
        replace_player("PlayerC", "Rook", None, "", AS_IS, played.session)
        gone = modkill("Rook", None, "quoted a PM", AS_IS, played.session)
        assert [type(entry) for entry in entries(played)[1:]] == [Replaced, Removed]
        table = now_of(played.session).running
        assert list(table.state.left) == ["PlayerC"]
        assert "I have removed " in last_post(gone)
        assert "quoted" not in last_post(gone)
        assert gone.post is None  # the game's own post tells it
        died = last_post(kill("PlayerD", None, "", AS_IS, played.session))
        assert "[b]PlayerD[/b] was killed." in died or "PlayerD was killed." in died
        revive("PlayerD", None, "", AS_IS, played.session)
        back = revive("PlayerC", None, "", AS_IS, played.session)
        assert now_of(played.session).running.state.left == {}
        assert "Rook is alive again" in last_post(back)


def last_post(change: SlotChange) -> str:
    """The last post that told of a change in a begun game."""
    assert change.receipt is not None
    return change.post.text if change.post else change.receipt.public[-1]
