"""A deal that nobody can choose, from the commitment to the proof: what is posted, refused and checked."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import knightfall as kf
from fair_deals import BEACONS, NAMES
from knightfall.cli import app
from knightfall.engine.entries import Closed, Committed, Extended, Opened, Rounded
from knightfall.engine.fair import Posted, digest, lies, posted
from knightfall.errors import InputError, SetupError
from knightfall.forums.exchange import Request, Response
from knightfall.services.deal import check_deal, parse_proof, published_proof
from knightfall.services.fair_deal import fair_proof, promise_of
from knightfall.services.game.commitment import SOON, Commitment, commit_deal, enter_round, give_word
from knightfall.services.game.new import deal_game
from knightfall.services.game.undo import look_at_undo
from knightfall.services.keep.check_page import check_page
from knightfall.services.machine import session_of
from knightfall.services.requests import CommitRequest, DealRequest
from knightfall.services.running import Standing, table_of
from knightfall.services.session import DEAL_FILE, Session, entered, journal_of
from knightfall.services.window import turns

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECRET = bytes(range(32))
SIGNATURE = "ab" * 48
VALUE = hashlib.sha256(bytes.fromhex(SIGNATURE)).hexdigest()
LATER = timedelta(hours=1)
CHECKER, NODE = Path(__file__).parents[2] / "scripts" / "check-fair.js", shutil.which("node") or ""
GAMES = {"knight_errant": 18, "empowered": 7, "custom_mafia": 7, "kings_court": 11}


@dataclass
class Mirrors:
    """Answers by host; the others do not answer."""

    says: Mapping[str, object] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def get(self, request: Request) -> Response:
        self.asked.append(request.url)
        host = request.url.split("/")[2]
        said = self.says.get(host)
        return Response(request.url, 200 if said else 404, json.dumps(said))

    follow = get


def folder_of(place: Path, game: str = "custom_mafia", names: tuple[str, ...] = ()) -> Path:
    """A game that waits for its deal."""
    folder = place / game
    options = ["--option", "setup=Classic Newbie"] if game == "custom_mafia" else []
    made = CliRunner().invoke(
        app, ["new", game, "--out", str(folder), "--tz", "UTC", "--moderator", "Wren", *options]
    )
    assert made.exit_code == 0, made.output
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        for name in names or NAMES[: GAMES[game]]:
            file.write(f'\n[[player]]\nname = "{name}"\n')
    return folder


def at(folder: Path, moment: datetime = NOON, mirrors: Mirrors | None = None) -> Session:
    return replace(session_of(folder), clock=Standing(moment), beacon=mirrors)


def committed(folder: Path, moment: datetime = NOON, **said: object) -> Commitment:
    return commit_deal(CommitRequest(SECRET, **said), at(folder, moment))  # type: ignore[arg-type]


def dealt(folder: Path, moment: datetime = NOON + LATER) -> None:
    deal_game(DealRequest(b"", b""), at(folder, moment))


def begun(place: Path, game: str = "custom_mafia", **said: object) -> Path:
    """A game that was dealt so."""
    folder = folder_of(place, game)
    committed(folder, **said)  # type: ignore[arg-type]
    if not said.get("without_beacon"):
        enter_round(VALUE, at(folder, NOON + LATER))
    dealt(folder)
    return folder


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--game", str(folder)])


# ── the acts ─────────────────────────────────────────────────────────────────────────────────────


def test_the_post_of_the_commitment_says_all_that_is_fixed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    made = committed(folder, words=True)
    (post,) = posted(made.post).commitments
    assert post.commitment == hashlib.sha256(SECRET).hexdigest() == made.commitment
    terms = json.loads(post.terms)
    assert terms["slots"] == list(NAMES[:7])
    assert terms["chance"] == {"beacon": "quicknet", "round": made.round, "words": True}
    assert BEACONS["quicknet"].at(made.round) - NOON - SOON < timedelta(seconds=3)
    assert post.chance == f"round {made.round} of quicknet, at {made.due}, and words"
    assert lies(None, posted(made.post), BEACONS) == ()
    assert SECRET.hex() not in made.post
    assert [*terms["options"]["setup"]] == ["sha256"]  # the setup may be a secret
    assert "Town Cop" not in made.post
    (file,) = (folder / "public").glob("*-commitment.txt")
    assert posted(file.read_text(encoding="utf-8")).commitments == (post,)


def test_the_deal_follows_from_secret_round_and_words(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    committed(folder, words=True)
    give_word("ada", " a red boat ", at(folder))
    give_word("Boro", "otter", at(folder))
    give_word("Ada", "a blue boat", at(folder))
    enter_round(VALUE, at(folder, NOON + LATER))
    dealt(folder)
    proof = fair_proof(folder)
    assert proof is not None
    assert proof.fair["words"] == [["Ada", "a blue boat"], ["Boro", "otter"]]
    lines = (
        "knightfall deal 2",
        SECRET.hex(),
        VALUE,
        '[["Ada","a blue boat"],["Boro","otter"]]',
        proof.fair["terms"],
    )
    assert proof.seed.hex() == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert table_of(at(folder)).seed == proof.seed


@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_cards_proves_its_deal(tmp_path: Path, game: str) -> None:
    folder = begun(tmp_path, game)
    table, proof = table_of(at(folder)), fair_proof(folder)
    assert proof is not None
    roles = {str(slot): str(role) for slot, role in table.game.roles(table.state).items()}
    assert {str(slot): role for slot, role in proof.cards.items()} == roles
    assert proof.tree is not None
    assert run(folder, "verify").exit_code == 0, run(folder, "verify").output
    told = published_proof(proof, table)
    assert told is not None
    assert told.draws
    assert SECRET.hex() not in json.dumps(told.fair) or game != "kings_court"


def test_words_alone_decide_where_there_is_no_network(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    made = committed(folder, without_beacon=True)
    assert (made.round, made.due) == (0, "")
    assert "the last to speak could steer" in made.post
    with pytest.raises(InputError, match="No player's word"):
        dealt(folder)
    with pytest.raises(InputError, match="No round was promised"):
        enter_round(VALUE, at(folder))
    give_word("Cato", "heron", at(folder))
    dealt(folder, NOON)
    proof = fair_proof(folder)
    assert proof is not None
    assert (proof.fair["value"], proof.fair["words"]) == ("", [["Cato", "heron"]])


def test_by_commands(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    said = run(folder, "commit-deal", "--no-beacon", "--as", "plain")
    assert said.exit_code == 0, said.exception
    assert posted(said.stdout).commitments[0].chance == "words"
    assert run(folder, "word", "ada", "a red boat").stdout == "Ada: “a red boat”\n"
    assert isinstance(run(folder, "round", "fetch").exception, InputError)
    assert run(folder, "deal").exit_code == 0
    proof = fair_proof(folder)
    assert proof is not None
    assert proof.commitment == posted(said.stdout).commitments[0].commitment
    told = run(folder, "log").stdout
    assert "the deal committed to" in told
    assert "Ada gives the word “a red boat”" in told


def test_from_python(tmp_path: Path) -> None:
    game = kf.Game.open(folder_of(tmp_path))
    made = game.commit_deal(without_beacon=True, secret=SECRET)
    assert made.commitment == hashlib.sha256(SECRET).hexdigest()
    assert game.give_word("Boro", "otter").word == "otter"
    with pytest.raises(InputError, match="No round was promised"):
        game.enter_round(VALUE)
    game.deal()
    proof = fair_proof(tmp_path / "custom_mafia")
    assert proof is not None
    assert proof.fair["words"] == [["Boro", "otter"]]


# ── what is refused ──────────────────────────────────────────────────────────────────────────────


def test_nobody_deals_before_the_round(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    committed(folder)
    with pytest.raises(InputError, match="nobody can deal before"):
        dealt(folder, NOON + timedelta(minutes=14))
    with pytest.raises(InputError, match="Enter it then"):
        enter_round(VALUE, at(folder))
    with pytest.raises(InputError, match="was not entered yet"):
        dealt(folder)
    assert not (folder / DEAL_FILE).exists()


def test_a_round_has_to_be_ten_minutes_ahead(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    soon = BEACONS["quicknet"].first_after(NOON + timedelta(minutes=10))
    with pytest.raises(InputError, match="less than ten minutes ahead"):
        committed(folder, round=soon - 1)
    assert committed(folder, round=soon).round == soon


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda text: text.replace('"Ada"', '"Zeno"'), "players"),
        (
            lambda text: text.replace('"Ada"', '"X"').replace('"Boro"', '"Ada"').replace('"X"', '"Boro"'),
            "players",
        ),
        (lambda text: text.replace("[game.options]", "[game.options]\nmultitasking = true", 1), "options"),
    ],
)
def test_another_list_or_another_option_is_refused(tmp_path: Path, change: object, what: str) -> None:
    folder = folder_of(tmp_path)
    committed(folder)
    enter_round(VALUE, at(folder, NOON + LATER))
    file = folder / "game.toml"
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")  # type: ignore[operator]
    with pytest.raises((InputError, SetupError), match=what):
        dealt(folder)


def test_a_second_commitment_tells_of_the_first_and_starts_anew(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    first = committed(folder, words=True)
    give_word("Ada", "heron", at(folder))
    second = commit_deal(CommitRequest(bytes(32), words=True), at(folder))
    assert f"This is commitment 2 of this game; the first was {first.commitment}." in second.post
    assert posted(second.post).commitments[0].replaces == (first.commitment,)
    promise = promise_of(journal_of(at(folder)))
    assert promise is not None
    assert (promise.which, promise.words) == (2, ())
    enter_round(VALUE, at(folder, NOON + LATER))
    dealt(folder)
    proof = fair_proof(folder)
    assert proof is not None
    assert proof.fair["replaces"] == [first.commitment]
    assert lies(None, posted(first.post + "\n" + second.post), BEACONS) == ()
    assert run(folder, "verify").exit_code == 0
    hidden = json.loads((folder / DEAL_FILE).read_text(encoding="utf-8")) | {"replaces": []}
    (folder / DEAL_FILE).write_text(json.dumps(hidden), encoding="utf-8")
    assert run(folder, "verify").exit_code == 1


def test_a_commitment_is_never_taken_back(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    committed(folder)
    (record,) = [one for one in journal_of(at(folder)) if isinstance(one.entry, Committed)]
    with pytest.raises(InputError, match="is not taken back"):
        look_at_undo(record.number, at(folder))


def test_words_and_rounds_of_others_are_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    for act in (lambda: give_word("Ada", "heron", at(folder)), lambda: enter_round(VALUE, at(folder))):
        with pytest.raises(InputError, match="Nothing was committed"):
            act()
    committed(folder)
    with pytest.raises(InputError, match="Words do not count"):
        give_word("Ada", "heron", at(folder))
    committed(folder, words=True)
    for slot, word in (("Zeno", "heron"), ("Ada", ""), ("Ada", "two\nlines")):
        with pytest.raises(InputError):
            give_word(slot, word, at(folder))
    with pytest.raises(InputError, match="no word counts any more"):
        give_word("Ada", "heron", at(folder, NOON + LATER))
    with pytest.raises(InputError, match="64 hex digits"):
        enter_round("heads", at(folder, NOON + LATER))
    enter_round(VALUE, at(folder, NOON + LATER))
    enter_round(VALUE.upper(), at(folder, NOON + LATER))
    with pytest.raises(InputError, match="take it back first"):
        enter_round(digest("another"), at(folder, NOON + LATER))
    dealt(folder)
    for late in (lambda: committed(folder), lambda: enter_round(VALUE, at(folder))):
        with pytest.raises(InputError, match="dealt already"):
            late()


# ── the mirrors ──────────────────────────────────────────────────────────────────────────────────


def answer(number: int, signature: str = SIGNATURE, **other: object) -> dict[str, object]:
    value = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
    return {"round": number, "randomness": value, "signature": signature, **other}


def test_two_mirrors_have_to_agree(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    number = committed(folder).round
    hosts = ("api.drand.sh", "drand.cloudflare.com", "api2.drand.sh")

    def fetched(*said: dict[str, object] | None) -> str:
        mirrors = Mirrors(dict(zip(hosts, said, strict=False)))
        found = enter_round("fetch", at(folder, NOON + LATER, mirrors)).value
        assert all(url.startswith("https://") and url.endswith(f"/public/{number}") for url in mirrors.asked)
        return found

    with pytest.raises(InputError, match="different values"):
        fetched(answer(number), answer(number, "cd" * 48))
    with pytest.raises(InputError, match="Fewer than 2 mirrors"):
        fetched(answer(number))
    short: dict[str, object] = {"round": number}
    for wrong in (answer(number + 1), answer(number, randomness="00" * 32), short):
        with pytest.raises(InputError, match="Fewer than 2 mirrors"):
            fetched(answer(number), wrong)
    assert fetched(answer(number), None, answer(number)) == VALUE


# ── what is kept and checked ─────────────────────────────────────────────────────────────────────


def test_a_changed_deal_is_found(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    file = folder / DEAL_FILE
    honest = file.read_text(encoding="utf-8")
    proof = json.loads(honest)
    for key, value in (
        ("value", digest("x")),
        ("secret", digest("y")),
        ("words", [["Ada", "x"]]),
    ):
        file.write_text(json.dumps({**proof, key: value}), encoding="utf-8")
        found = run(folder, "verify")
        assert found.exit_code != 0, key
    cards = dict(proof["cards"])
    cards["Ada"], cards["Boro"] = "Mafia Goon", "Mafia Goon"
    file.write_text(json.dumps({**proof, "cards": cards}), encoding="utf-8")
    assert run(folder, "verify").exit_code != 0
    file.write_text(honest, encoding="utf-8")
    assert run(folder, "verify").exit_code == 0


def test_a_changed_post_of_a_commitment_is_found(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    (file,) = (folder / "public").glob("*-commitment.txt")
    file.write_text(
        file.read_text(encoding="utf-8").replace('"Ada","Boro"', '"Boro","Ada"'), encoding="utf-8"
    )
    found = run(folder, "verify")
    assert found.exit_code == 1
    assert "the post of the commitment of entry 1" in found.output


def test_who_takes_the_game_over_deals_by_what_was_committed_to(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    made = committed(folder)
    handed, there = tmp_path / "handed.txt", tmp_path / "there"
    assert run(folder, "hand-over", "--out", str(handed)).exit_code == 0
    taken = CliRunner().invoke(app, ["take-over", str(handed), "--into", str(there), "--stored"])
    assert taken.exit_code == 0, f"{taken.output} {taken.exception}"
    enter_round(VALUE, at(there, NOON + LATER))
    dealt(there)
    proof = fair_proof(there)
    assert proof is not None
    assert (proof.commitment, proof.fair["secret"]) == (made.commitment, SECRET.hex())


def test_the_proof_is_checked_by_the_rules_too(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    proof, table = fair_proof(folder), table_of(at(folder))
    assert proof is not None
    told = published_proof(proof, table)
    assert told is not None
    table_ = dict(told.fair)
    file = tmp_path / "proof.txt"

    def wrong(**changed: object) -> tuple[str, ...]:
        file.write_text(json.dumps({**table_, **changed}), encoding="utf-8")
        return check_deal(file, table_["commitment"]).wrong

    assert wrong() == ()
    cards = dict(table_["cards"])
    goon = next(slot for slot, role in cards.items() if role == "Mafia Goon")
    other = next(slot for slot, role in cards.items() if role != "Mafia Goon")
    cards[goon], cards[other] = cards[other], cards[goon]
    assert any("by the rules" in one for one in wrong(cards=cards))
    assert any("is not told" in one for one in wrong(draws=[]))
    own = {"path": [], "digest": table_["commitment"], "secret": table_["secret"]}
    assert any("parts" in one for one in wrong(parts=[own, own], cards={}))
    assert any("commitment" in one for one in wrong(commitment=digest("x")))


def test_posts_without_a_proof_are_told_as_such(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    file = tmp_path / "posts.txt"
    file.write_text(run(folder, "post", "opening", "--as", "phpbb").stdout, encoding="utf-8")
    with pytest.raises(SetupError, match="these posts hold no proof yet"):
        check_deal(file)


def test_a_deal_without_a_commitment_is_as_before(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    deal_game(DealRequest(SECRET, SECRET), at(folder))
    assert json.loads((folder / DEAL_FILE).read_text(encoding="utf-8"))["schema"] == 1
    assert fair_proof(folder) is None
    assert parse_proof("deal", (folder / DEAL_FILE).read_text(encoding="utf-8")).salt == SECRET


# ── what stands in PMs and posts ─────────────────────────────────────────────────────────────────


def public(folder: Path) -> str:
    """All that everybody may read, in the order of its files."""
    files = sorted((folder / "public").glob("*.txt"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.parametrize("game", GAMES)
def test_every_role_pm_opens_its_card_and_no_other(tmp_path: Path, game: str) -> None:
    folder = begun(tmp_path, game)
    opening = run(folder, "post", "opening").output
    assert len(posted(opening).roots) == 1
    for slot in NAMES[: GAMES[game]]:
        (line,) = posted(run(folder, "pm", "show", slot).output).lines
        assert line.slot == slot
        (file,) = (folder / "private").glob(
            f"003-*-{slot}.txt" if game != "kings_court" else f"003-*-role_pm-{slot}.txt"
        )
        assert posted(file.read_text(encoding="utf-8")).lines == (line,)
        assert lies(None, Posted(roots=posted(opening).roots, lines=(line,))) == ()
    assert posted(public(folder)).lines == ()
    assert run(folder, "verify").exit_code == 0


def test_a_game_to_its_end_is_checked_by_what_was_posted(tmp_path: Path) -> None:
    folder = begun(tmp_path, words=True)
    run(folder, "post", "opening")
    proof = fair_proof(folder)
    assert proof is not None
    goons = [slot for slot, role in proof.cards.items() if role == "Mafia Goon"]
    run(folder, "modkill", goons[0], "--why", "a slip")
    flip = posted(public(folder))
    assert {line.slot for line in flip.lines} == {goons[0]}
    assert lies(None, flip, BEACONS) == ()
    assert SECRET.hex() not in public(folder)
    run(folder, "modkill", goons[1], "--why", "a slip")
    done = run(folder, "post", "endgame")
    assert done.exit_code == 0, done.exception
    assert run(folder, "verify").exit_code == 0

    text = public(folder)
    read = posted(text)
    assert {line.slot for line in read.lines} == set(goons)
    assert lies(json.loads(read.proofs[-1]), read, BEACONS) == ()
    file = tmp_path / "posts.txt"
    file.write_text(text, encoding="utf-8")
    assert check_deal(file).wrong == ()
    right = CliRunner().invoke(app, ["verify-deal", str(file)])
    assert right.exit_code == 0, right.exception
    assert "All 7 cards match the seed." in right.output
    assert f"Compare the value of round {json.loads(proof.fair['terms'])['chance']['round']}" in right.output
    if NODE:
        ran = subprocess.run([NODE, CHECKER, file], capture_output=True, text=True, check=True)
        assert ran.stdout == "fair\n"
    file.write_text(text.replace(f"| {proof.cards[goons[0]]} |", "| Town Cop |", 1), encoding="utf-8")
    assert CliRunner().invoke(app, ["verify-deal", str(file)]).exit_code == 1

    written = run(folder, "archive", "--public")
    assert written.exit_code == 0, written.exception
    assert (folder / "public" / "archive" / "check.html").read_text(encoding="utf-8") == check_page()


def test_a_card_is_opened_by_the_vote_and_at_dawn(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    proof = fair_proof(folder)
    assert proof is not None
    by_role: dict[str, list[str]] = {}
    for slot, role in proof.cards.items():
        by_role.setdefault(role, []).append(slot)
    fell, died, *_ = by_role["Vanilla Townie"]
    entered(Closed("day-1", f"eliminate {fell}"), at(folder, NOON + 2 * LATER), "")
    for words in (("flip",), ("post", "end-of-day", "--as", "plain")):
        assert [line.slot for line in posted(run(folder, *words).stdout).lines] == [fell]
    run(folder, "submit", by_role["Mafia Goon"][0], f"kill {died}")
    run(folder, "commit", "night", "--yes")
    dawn = posted(run(folder, "post", "dawn", "--as", "plain").stdout)
    assert [line.slot for line in dawn.lines] == [died]
    whole = posted(public(folder) + run(folder, "post", "opening", "--as", "plain").stdout)
    assert {line.slot for line in whole.lines} == {fell, died}
    assert lies(None, whole, BEACONS) == ()


def test_a_seed_of_ones_own_is_refused_where_a_commitment_stands(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    committed(folder, without_beacon=True)
    give_word("Ada", "heron", at(folder))
    refused = run(folder, "deal", "--seed", "00" * 32)
    assert "leave out --seed and --salt" in str(refused.exception)
    assert not (folder / DEAL_FILE).exists()


def test_a_game_that_was_dealt_the_old_way_shows_no_line(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    deal_game(DealRequest(SECRET, SECRET), at(folder))
    run(folder, "modkill", "Ada", "--why", "a slip")
    said = public(folder) + run(folder, "post", "opening").output + run(folder, "pm", "show", "Boro").output
    assert "Card check" not in said
    assert "Cards:" not in said
    run(folder, "archive", "--public")
    assert not (folder / "public" / "archive" / "check.html").exists()


# ── a round at each deadline ─────────────────────────────────────────────────────────────────────

COMPELLED = {
    "schema": 1,
    "name": "A compulsive cop",
    "slots": [
        {"count": 1, "role": "Mafia Goon"},
        {"count": 1, "role": "Town Compulsive Cop"},
        {"count": 5, "role": "Vanilla Townie"},
    ],
}
MORE = hashlib.sha256(b"a round of a phase").hexdigest()


def in_night_1(place: Path) -> tuple[Path, str]:
    """A game with a round at each deadline, whose first night ends at eight in the evening; its goon."""
    folder = folder_of(place)
    file = folder / "game.toml"
    file.write_text(
        file.read_text(encoding="utf-8").replace('setup = "Classic Newbie"\n', ""), encoding="utf-8"
    )
    committed(folder, setup=COMPELLED, each_phase=True)
    enter_round(VALUE, at(folder, NOON + LATER))
    dealt(folder)
    proof = fair_proof(folder)
    assert proof is not None
    by_role: dict[str, list[str]] = {}
    for slot, role in proof.cards.items():
        by_role.setdefault(role, []).append(slot)
    entered(Closed("day-1", f"eliminate {by_role['Vanilla Townie'][0]}"), at(folder, NOON + 2 * LATER), "")
    entered(Opened("night-1", until=NOON + 8 * LATER), at(folder, NOON + 2 * LATER), "")
    turns.submit(by_role["Mafia Goon"][0], "no kill", None, at(folder, NOON + 3 * LATER))
    return folder, by_role["Mafia Goon"][0]


def close_night(folder: Path, moment: datetime) -> None:
    turns.close("night", None, at(folder, moment), why_early="everybody was asked")


def test_what_is_drawn_at_a_deadline_waits_for_its_round(tmp_path: Path) -> None:
    folder, goon = in_night_1(tmp_path)
    after = NOON + 8 * LATER + timedelta(minutes=1)
    with pytest.raises(InputError, match="comes at 2026-03-01 20:00"):
        enter_round(MORE, at(folder, NOON + 7 * LATER))
    with pytest.raises(InputError, match="Something is drawn here"):
        close_night(folder, after)
    made = enter_round(MORE, at(folder, after))
    assert made.round == BEACONS["quicknet"].first_after(NOON + 8 * LATER)
    assert posted(made.post).rounds == ((made.round, MORE),)
    assert enter_round(MORE, at(folder, after)) == made
    with pytest.raises(InputError, match="was entered as"):
        enter_round(VALUE, at(folder, after))
    close_night(folder, after)

    run(folder, "post", "opening")
    run(folder, "modkill", goon, "--why", "a slip")
    done = run(folder, "post", "endgame")
    assert done.exit_code == 0, done.exception
    text = public(folder)
    read = posted(text)
    proof = json.loads(read.proofs[-1])
    assert proof["rounds"] == [[made.round, MORE]]
    assert [one[6:] for one in proof["draws"] if one[1].startswith("cm.compulsive")] == [[1]]
    assert lies(proof, read, BEACONS) == ()
    run(folder, "verify", "--write")  # the day was closed without its text
    assert run(folder, "verify").exit_code == 0
    file = tmp_path / "posts.txt"
    file.write_text(text, encoding="utf-8")
    assert check_deal(file).wrong == ()
    file.write_text(text.replace(MORE, VALUE), encoding="utf-8")
    assert any("draws" in one for one in check_deal(file).wrong)


def test_another_round_draws_otherwise_and_none_is_foreseen(tmp_path: Path) -> None:
    """Forty rounds spread over the six whom the cop may check."""
    folder, _ = in_night_1(tmp_path)
    table, drawn = table_of(at(folder)), set()
    for number in range(40):
        came = Rounded(7, hashlib.sha256(b"%d" % number).hexdigest())
        after = NOON + 9 * LATER
        then = table.after(came, after, "x")
        log = then.source().mixed(came.value)
        drawn.add(str(log.at("night", 1).choice("x", range(5))))
        assert not then.waits_for_round
    assert drawn == set("01234")
    assert table.waits_for_round


def test_another_deadline_names_another_round(tmp_path: Path) -> None:
    folder, _ = in_night_1(tmp_path)
    after = NOON + 8 * LATER + timedelta(minutes=1)
    first = enter_round(MORE, at(folder, after))
    entered(Extended("night-1", NOON + 9 * LATER), at(folder, after), "")
    later = NOON + 9 * LATER + timedelta(minutes=1)
    with pytest.raises(InputError, match="Something is drawn here"):
        close_night(folder, later)
    assert enter_round(MORE, at(folder, later)).round > first.round
    close_night(folder, later)


def test_a_deadline_that_is_set_to_now_waits_for_ten_minutes(tmp_path: Path) -> None:
    folder, _ = in_night_1(tmp_path)
    moment = NOON + 4 * LATER
    entered(Extended("night-1", moment), at(folder, moment), "")
    with pytest.raises(InputError, match="comes at 2026-03-01 16:10"):
        enter_round(MORE, at(folder, moment + timedelta(minutes=9)))
    enter_round(MORE, at(folder, moment + timedelta(minutes=11)))


def test_without_a_beacon_no_phase_can_wait_for_a_round(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no round comes at the end of a phase"):
        committed(folder_of(tmp_path), without_beacon=True, each_phase=True)
