"""A deal that nobody can choose, from the commitment to the proof: what is posted, refused and checked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import knightfall as kf
from fair_deals import BEACONS, DUE, NAMES, ROUND, SIGNATURE, VALUE
from knightfall.cli import app
from knightfall.engine.entries import Closed, Committed, Rounded, Worded, encode
from knightfall.engine.fair import Shown, canonical, digest, judge, posted, seed_of
from knightfall.errors import InputError, SetupError
from knightfall.forums.exchange import Request, Response
from knightfall.models import Post, PostId, PostVersion, Thread
from knightfall.services.deal import check_deal, parse_proof, published_proof
from knightfall.services.fair_deal import check_game, fair_proof, promise_of, verdict_of
from knightfall.services.game.commitment import SOON, Commitment, RoundEntered, commit_deal, enter_round
from knightfall.services.game.new import deal_game
from knightfall.services.game.undo import look_at_undo
from knightfall.services.keep.check_page import check_page
from knightfall.services.machine import session_of
from knightfall.services.now import Standing, now_of
from knightfall.services.requests import CommitRequest, DealRequest
from knightfall.services.session import DEAL_FILE, Session, entered, journal_of

NOON = DUE - timedelta(minutes=20)
SECRET = bytes(range(32))
LATER = timedelta(hours=1)
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
    return commit_deal(CommitRequest(SECRET, **{"round": ROUND, **said}), at(folder, moment))  # type: ignore[arg-type]


def dealt(folder: Path, moment: datetime = NOON + LATER) -> None:
    deal_game(DealRequest(b"", b""), at(folder, moment))


def begun(place: Path, game: str = "custom_mafia") -> Path:
    """A game that was dealt so."""
    folder = folder_of(place, game)
    committed(folder)
    enter_round(SIGNATURE, at(folder, NOON + LATER))
    dealt(folder)
    return folder


def run(folder: Path, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--game", str(folder)])


# ── the acts ─────────────────────────────────────────────────────────────────────────────────────


def test_the_post_of_the_commitment_says_all_that_is_fixed(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    made = committed(folder)
    (post,) = posted(made.post).commitments
    assert post.commitment == hashlib.sha256(SECRET).hexdigest() == made.commitment
    terms = json.loads(post.terms)
    assert terms["slots"] == list(NAMES[:7])
    assert terms["chance"] == {"beacon": "quicknet", "round": ROUND}
    assert terms["title"] == "Custom Mafia"
    assert post.chance == f"round {ROUND} of quicknet, at {made.due}"
    assert SECRET.hex() not in made.post
    assert [*terms["options"]["setup"]] == ["sha256"]  # the setup may be a secret
    assert "Town Cop" not in made.post
    (file,) = (folder / "public").glob("*-commitment.txt")
    assert posted(file.read_text(encoding="utf-8")).commitments == (post,)


def test_a_round_that_nobody_chose_comes_in_a_quarter_of_an_hour(tmp_path: Path) -> None:
    made = committed(folder_of(tmp_path), round=0)
    assert BEACONS["quicknet"].at(made.round) - NOON - SOON < timedelta(seconds=3)


def test_the_deal_follows_from_secret_round_and_list(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    proof = fair_proof(folder)
    assert proof is not None
    lines = ("knightfall deal 3", SECRET.hex(), VALUE, proof.fair["terms"])
    assert proof.seed.hex() == hashlib.sha256("\n".join(lines).encode()).hexdigest()
    assert now_of(at(folder)).running.seed == proof.seed
    assert proof.fair["signature"] == SIGNATURE


@pytest.mark.few(2)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_with_cards_proves_its_deal(tmp_path: Path, game: str) -> None:
    folder = begun(tmp_path, game)
    table, proof = now_of(at(folder)).running, fair_proof(folder)
    assert proof is not None
    roles = {str(slot): str(role) for slot, role in table.game.roles(table.state).items()}
    assert {str(slot): role for slot, role in proof.cards.items()} == roles
    assert proof.tree is not None
    assert run(folder, "verify").exit_code == 0, run(folder, "verify").output
    told = published_proof(proof, table)
    assert told is not None
    assert told.draws
    assert {slot: card[0] for slot, card in told.fair["cards"].items()} == roles
    assert SECRET.hex() not in json.dumps(told.fair) or game != "kings_court"


def test_by_commands(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    said = run(folder, "fair", "commit", "--as", "plain")
    assert said.exit_code == 0, said.exception
    (post,) = posted(said.stdout).commitments
    again = run(folder, "fair", "commit", "--as", "plain")
    assert posted(again.stdout).commitments == (post,)  # nothing was doubled
    assert "fair round" in run(folder, "status").output
    assert "comes at" in str(run(folder, "fair", "round", "fetch").exception)
    assert "Nothing was dealt here" in str(run(folder, "fair", "open").exception)
    assert "nobody can deal before" in str(run(folder, "fair", "deal").exception)
    assert "the deal committed to" in run(folder, "log").stdout
    done = begun(tmp_path / "other")
    opened = run(done, "fair", "open").stdout
    assert posted(opened).roots
    line = run(done, "fair", "open", "ada").stdout
    assert posted(line).lines[0].slot == "Ada"
    assert run(folder_of(tmp_path / "third"), "fair", "deal").exception
    page = tmp_path / "check.html"
    where = "https://quay.example.org/check.html"
    assert run(done, "fair", "page", str(page), "--url", where).exit_code == 0
    assert page.read_text(encoding="utf-8") == check_page()
    assert where in run(done, "post", "opening", "--as", "phpbb").stdout
    assert run(done, "fair", "page", str(page), "--url", "check.html").exception


def test_a_game_with_its_players_in_hand_is_committed_to_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "quay"
    words = ("new", "custom-mafia", *NAMES[:7], "--out", str(folder), "--setup", "Classic Newbie", "--fair")
    said = CliRunner().invoke(app, words)
    assert said.exit_code == 0, said.exception
    (post,) = posted(said.stdout).commitments
    assert json.loads(post.terms)["slots"] == list(NAMES[:7])
    assert not (folder / DEAL_FILE).exists()
    game = kf.Game.create("custom_mafia", NAMES[:7], tmp_path / "python", fair=True)
    assert json.loads(posted(game.commit_deal().post).commitments[0].terms)["slots"] == list(NAMES[:7])


def test_from_python(tmp_path: Path) -> None:
    game = kf.Game.open(folder_of(tmp_path))
    made = game.commit_deal(secret=SECRET)
    assert made.commitment == hashlib.sha256(SECRET).hexdigest()
    with pytest.raises(InputError, match="Enter it then"):
        game.enter_round(VALUE)
    with pytest.raises(InputError, match="nobody can deal before"):
        game.deal()
    with pytest.raises(InputError, match="No thread of this game was read"):
        game.check_deal()


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
    enter_round(SIGNATURE, at(folder, NOON + LATER))
    file = folder / "game.toml"
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")  # type: ignore[operator]
    with pytest.raises((InputError, SetupError), match=what):
        dealt(folder)


def test_a_second_commitment_tells_of_the_first_and_starts_anew(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    first = committed(folder, round=ROUND + 5)
    second = commit_deal(CommitRequest(bytes(32), ROUND), at(folder, NOON + timedelta(minutes=1)))
    assert f"This is commitment 2 of this game; the first was {first.commitment}." in second.post
    assert posted(second.post).commitments[0].replaces == (first.commitment,)
    promise = promise_of(journal_of(at(folder)))
    assert promise is not None
    assert promise.which == 2
    enter_round(SIGNATURE, at(folder, NOON + LATER))
    dealt(folder)
    proof = fair_proof(folder)
    assert proof is not None
    assert proof.fair["replaces"] == [first.commitment]
    assert run(folder, "verify").exit_code == 0
    hidden = json.loads((folder / DEAL_FILE).read_text(encoding="utf-8")) | {"replaces": []}
    (folder / DEAL_FILE).write_text(json.dumps(hidden), encoding="utf-8")
    assert run(folder, "verify").exit_code == 1


def test_the_same_commitment_again_is_the_one_that_stands(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    made = committed(folder)
    assert commit_deal(CommitRequest(bytes(32)), at(folder)) == made
    assert len(journal_of(at(folder))) == 1


def test_a_commitment_is_never_taken_back(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    committed(folder)
    (record,) = [one for one in journal_of(at(folder)) if isinstance(one.entry, Committed)]
    with pytest.raises(InputError, match="is not taken back"):
        look_at_undo(record.number, at(folder))


def test_what_is_no_round_is_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)

    def entering(said: str) -> RoundEntered:
        return enter_round(said, at(folder, NOON + LATER))

    with pytest.raises(InputError, match="Nothing was committed"):
        entering(VALUE)
    committed(folder)
    for wrong in ("heads", SIGNATURE[:-2], VALUE[:-1]):
        with pytest.raises(InputError, match="64"):
            entering(wrong)
    with pytest.raises(InputError, match=f"not the signature of round {ROUND}"):
        entering("ab" * 48)
    assert entering(VALUE.upper()).verified is None
    found = entering(json.dumps(answer(ROUND)))
    assert (found.value, found.verified) == (VALUE, True)
    promise = promise_of(journal_of(at(folder)))
    assert promise is not None
    assert promise.signature == SIGNATURE
    before = len(journal_of(at(folder)))
    entering(SIGNATURE)
    assert len(journal_of(at(folder))) == before
    with pytest.raises(InputError, match="take it back first"):
        entering(digest("another"))
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
        found = enter_round("fetch", at(folder, NOON + LATER, mirrors))
        assert all(url.startswith("https://") and url.endswith(f"/public/{number}") for url in mirrors.asked)
        assert found.verified
        return found.value

    with pytest.raises(InputError, match="Fewer than 2 mirrors"):
        fetched(answer(number))
    short: dict[str, object] = {"round": number}
    unsigned = answer(number, "cd" * 48)
    for wrong in (answer(number + 1), answer(number, randomness="00" * 32), short, unsigned):
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
        ("terms", proof["terms"].replace("Custom Mafia", "Another")),
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
    assert "the post of entry 1 has another commitment" in found.output


def test_who_takes_the_game_over_deals_by_what_was_committed_to(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    made = committed(folder)
    handed, there = tmp_path / "handed.txt", tmp_path / "there"
    assert run(folder, "hand-over", "--out", str(handed)).exit_code == 0
    taken = CliRunner().invoke(app, ["take-over", str(handed), "--into", str(there), "--stored"])
    assert taken.exit_code == 0, f"{taken.output} {taken.exception}"
    enter_round(SIGNATURE, at(there, NOON + LATER))
    dealt(there)
    proof = fair_proof(there)
    assert proof is not None
    assert (proof.commitment, proof.fair["secret"]) == (made.commitment, SECRET.hex())


def test_the_proof_is_checked_by_the_rules_too(tmp_path: Path) -> None:
    """A plan that was committed to, and is not that of the setup."""
    folder = begun(tmp_path)
    proof, table = fair_proof(folder), now_of(at(folder)).running
    assert proof is not None
    told = published_proof(proof, table)
    assert told is not None
    file = tmp_path / "proof.txt"

    def wrong(**changed: object) -> str:
        file.write_text(canonical({**told.fair, **changed}), encoding="utf-8")
        return " ".join(check_deal(file).wrong)

    assert wrong() == ""
    opened = dict(told.fair["opened"])
    opened["deal"] = opened["deal"].replace("Mafia Goon", "Town Cop", 1)
    assert "by the rules the cards come out of other draws" in wrong(opened=opened)
    own = {"path": [], "digest": told.fair["commitment"], "secret": told.fair["secret"]}
    assert "parts" in wrong(parts=[own, own])
    assert "another secret" in wrong(secret=digest("x"))


def test_posts_without_a_proof_show_what_they_can(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    file = tmp_path / "posts.txt"
    file.write_text(run(folder, "post", "opening", "--as", "phpbb").stdout, encoding="utf-8")
    found = CliRunner().invoke(app, ["fair", "verify", str(file)])
    assert found.exit_code == 1
    assert found.output.startswith("Not shown.\n")
    assert "the proof comes with the last post" in found.output
    file.write_text("Hello.", encoding="utf-8")
    with pytest.raises(SetupError):
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


@pytest.mark.few(2)
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
        shown = judge(replace(posted(opening), lines=(line,)), BEACONS)
        assert [one.shown for one in shown if one.key == "flips"] == [Shown.NOT_SHOWN]  # no commitment
    assert posted(public(folder)).lines == ()
    assert run(folder, "verify").exit_code == 0


def test_a_game_to_its_end_is_fair_by_what_was_posted(tmp_path: Path) -> None:
    folder = begun(tmp_path)
    run(folder, "post", "opening")
    proof = fair_proof(folder)
    assert proof is not None
    goons = [slot for slot, role in proof.cards.items() if role == "Mafia Goon"]
    run(folder, "modkill", goons[0], "--why", "a slip")
    flip = posted(public(folder))
    assert {line.slot for line in flip.lines} == {goons[0]}
    assert [one.shown for one in judge(flip, BEACONS) if one.key == "flips"] == [Shown.SHOWN]
    assert SECRET.hex() not in public(folder)
    run(folder, "modkill", goons[1], "--why", "a slip")
    done = run(folder, "post", "endgame")
    assert done.exit_code == 0, done.exception
    assert run(folder, "verify").exit_code == 0

    text = public(folder)
    assert {line.slot for line in posted(text).lines} == set(goons)
    file = tmp_path / "posts.txt"
    file.write_text(text, encoding="utf-8")
    said = ("fair", "verify", str(file), "--written", NOON.isoformat())
    right = CliRunner().invoke(app, said)
    assert right.exit_code == 0, right.output
    assert right.output.startswith("Fair.\n- shown: ")
    assert "not shown: The commitment was posted before" in CliRunner().invoke(app, said[:3]).output
    late = CliRunner().invoke(app, (*said[:4], (NOON + LATER).isoformat()))
    assert (late.exit_code, late.output.partition("\n")[0]) == (1, "Not as promised.")
    file.write_text(text.replace(f"| {proof.cards[goons[0]]} |", "| Town Cop |", 1), encoding="utf-8")
    assert CliRunner().invoke(app, said).exit_code == 1

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
    assert [one.shown for one in judge(whole, BEACONS) if one.key == "flips"] == [Shown.SHOWN]


def test_a_seed_of_ones_own_is_refused_where_a_commitment_stands(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    committed(folder)
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


# ── journals of earlier versions ─────────────────────────────────────────────────────────────────


def old_commitment(folder: Path, **chance: object) -> Committed:
    """A commitment as earlier versions made one: by words, or with a round at each deadline."""
    file = folder / "private" / "commitment-1.json"
    kept = {"secret": SECRET.hex(), "setup": "", "options": {"setup": "Classic Newbie"}, "seated": []}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(kept), encoding="utf-8")
    terms = {"game": "custom_mafia", "options": {}, "rules": digest(""), "slots": list(NAMES[:7])}
    return Committed(digest(SECRET), canonical({**terms, "chance": chance}))


def test_a_round_of_an_earlier_version_keeps_its_digest() -> None:
    assert encode(Rounded(7, VALUE))["fields"] == {"round": 7, "value": VALUE, "source": ""}
    assert encode(Rounded(7, VALUE, "pasted", SIGNATURE))["fields"]["signature"] == SIGNATURE


def test_a_commitment_of_an_earlier_version_is_made_anew(tmp_path: Path) -> None:
    folder = folder_of(tmp_path)
    entered(old_commitment(folder, words=True), at(folder), "")
    entered(Worded(NAMES[0], "a red boat"), at(folder), "")  # type: ignore[arg-type]
    assert "gives the word" in run(folder, "log").stdout
    assert run(folder, "status").exit_code == 0
    with pytest.raises(InputError, match="by an earlier version"):
        dealt(folder)
    made = committed(folder)
    assert made.which == 2
    enter_round(SIGNATURE, at(folder, NOON + LATER))
    dealt(folder)
    assert run(folder, "verify").exit_code == 0, run(folder, "verify").output


def test_a_game_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    """It was dealt by words, and mixes a round into what is drawn after it."""
    folder = begun(tmp_path)
    plain = now_of(at(folder)).running
    table = json.loads((folder / DEAL_FILE).read_text(encoding="utf-8"))
    terms, words = json.loads(table["terms"]), [["Ada", "heron"]]
    for key in ("deal", "title", "thread"):
        del terms[key]
    terms["chance"] = {"beacon": "quicknet", "round": ROUND, "words": True, "phases": True}
    line = canonical(terms)
    seed = seed_of(SECRET, VALUE, line, words)
    old = {**table, "schema": 2, "words": words, "terms": line, "seed": seed.hex()}
    old["opened"] = {"setup": table["opened"]["setup"]}
    del old["signature"]
    (folder / DEAL_FILE).write_text(json.dumps(old), encoding="utf-8")
    entered(Rounded(ROUND + 9, digest("a round of a phase")), at(folder, NOON + 2 * LATER), "")
    again = now_of(at(folder)).running
    assert again.seed == seed
    assert again.seed_now != again.seed
    assert again.windows == plain.windows
    assert run(folder, "log").exit_code == run(folder, "status").exit_code == 0
    proof = fair_proof(folder)
    assert proof is not None
    told = published_proof(proof, again)
    assert told is not None
    file = tmp_path / "proof.txt"
    file.write_text(canonical(told.fair), encoding="utf-8")
    found = check_deal(file)
    assert (found.wrong, found.holds) == ((), False)
    assert all("a proof of the form 2" in one.text for one in found.findings)


# ── the thread is the clock ──────────────────────────────────────────────────────────────────────


@dataclass
class ReadThread:
    """A store that holds one thread, as it was read last, and what stood in it `before`."""

    posts: tuple[Post, ...]
    before: tuple[PostVersion, ...] = ()

    def thread(self, url: str) -> Thread | None:
        return Thread("phpbb", "Quay", self.posts, url=url) if self.posts else None

    def versions(self, url: str) -> tuple[PostVersion, ...]:
        now = (PostVersion(one.number, one, NOON + 2 * LATER, None, "") for one in self.posts)
        return (*self.before, *now) if url else ()

    def close(self) -> None:
        """Nothing is open."""


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A game that is over; its commitment, and all its other posts."""
    folder = folder_of(tmp_path_factory.mktemp("ended"))
    made = committed(folder)
    enter_round(SIGNATURE, at(folder, NOON + LATER))
    dealt(folder)
    rest = run(folder, "post", "opening", "--as", "plain").stdout
    proof = fair_proof(folder)
    assert proof is not None
    for slot in (slot for slot, role in proof.cards.items() if role == "Mafia Goon"):
        run(folder, "modkill", slot, "--why", "a slip")
    rest += run(folder, "post", "endgame", "--as", "plain").stdout
    assert posted(rest).proofs
    # Only now the game has a thread: no forum is asked by the verbs before.
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[thread]]\nrole = "game"\nurl = "https://quay.example.org/viewtopic.php?t=7"\n')
    return folder, made.post, rest


def shown_by(folder: Path, *posts: Post, before: tuple[PostVersion, ...] = ()) -> dict[str, str]:
    """What the thread shows, by sentence; its whole verdict at ""."""
    kept = ReadThread(posts, before)
    session = replace(at(folder), store=lambda _: kept)  # type: ignore[arg-type,return-value]
    found = verdict_of(check_game(session).findings)
    return {"": found.verdict, **{one.key: one.shown.value for one in found.findings}}


def post(number: int, text: str, at_: datetime | None, **more: object) -> Post:
    body = text.replace("&", "&amp;").replace("<", "&lt;").replace("\n", "<br>\n")
    return Post(PostId(str(number)), number, str(more.pop("author", "Wren")), body, time=at_, **more)  # type: ignore[arg-type]


def test_the_thread_shows_when_the_commitment_was_posted(ended: tuple[Path, str, str]) -> None:
    folder, commitment, rest = ended
    end = post(3, rest, NOON + LATER)
    talk = post(2, "Value: of patience\nCards: on the table", NOON, author="Ada")
    fair = shown_by(folder, post(1, commitment, NOON), talk, end)
    assert set(fair.values()) == {"Fair", "shown"}
    late = shown_by(folder, post(1, commitment, NOON + LATER), end)
    assert (late[""], late["before"]) == ("Not as promised", "contradicted")
    changed = shown_by(folder, post(1, commitment, NOON, edited=NOON + LATER), end)
    assert (changed[""], changed["before"]) == ("Not shown", "not shown")
    early = post(1, commitment, NOON, edited=NOON + timedelta(minutes=1))
    assert shown_by(folder, early, end)[""] == "Fair"
    for unknown in (post(1, commitment, None), post(1, commitment, NOON, approximate=True)):
        assert shown_by(folder, unknown, end)["before"] == "not shown"
    forged = shown_by(folder, post(1, commitment, NOON, author="Ada"), end)
    assert (forged["before"], forged["secret"]) == ("not shown", "not shown")
    with pytest.raises(InputError, match="No thread of this game was read"):
        shown_by(folder)


def test_the_thread_shows_a_deal_that_was_given_up(ended: tuple[Path, str, str]) -> None:
    folder, commitment, rest = ended
    other = commitment.replace(digest(SECRET), digest("before"))
    found = shown_by(folder, post(1, other, NOON), post(2, commitment, NOON), post(3, rest, NOON + LATER))
    assert (found[""], found["only"]) == ("Not as promised", "contradicted")


def stood(post_: Post, since: datetime) -> PostVersion:
    """What a post said from a read on, and says no more."""
    return PostVersion(post_.number, post_, since, NOON + 2 * LATER, "")


def test_a_read_before_the_round_shows_what_a_post_said_that_was_changed_later(
    ended: tuple[Path, str, str],
) -> None:
    folder, commitment, rest = ended
    first, end = post(1, commitment, NOON), post(3, rest, NOON + LATER)
    now = post(1, commitment, NOON, edited=NOON + LATER)
    soon = NOON + timedelta(minutes=2)
    assert shown_by(folder, now, end, before=(stood(first, soon),))[""] == "Fair"
    # Read after the round alone it shows nothing, and neither does a text that another one wrote.
    for nothing in (stood(first, NOON + LATER), stood(post(1, commitment, NOON, author="Ada"), soon)):
        assert shown_by(folder, now, end, before=(nothing,))["before"] == "not shown"
    # What stood in the post is a commitment that was given up, however soon the board forgets an edit.
    other = stood(post(1, commitment.replace(digest(SECRET), digest("before")), NOON), soon)
    for today in (now, first):
        found = shown_by(folder, today, end, before=(other,))
        assert (found[""], found["only"]) == ("Not as promised", "contradicted")


def test_a_commitment_whose_post_is_gone_is_one_that_was_given_up(ended: tuple[Path, str, str]) -> None:
    folder, commitment, rest = ended
    gone = stood(post(1, commitment.replace(digest(SECRET), digest("before")), NOON), NOON)
    found = shown_by(folder, post(2, commitment, NOON), post(3, rest, NOON + LATER), before=(gone,))
    assert (found[""], found["only"]) == ("Not as promised", "contradicted")


# ── what an opening holds, and what an ending leaves secret ──────────────────────────────────────


@pytest.mark.parametrize("game", GAMES)
def test_the_opening_post_holds_the_commitment_that_the_endgame_speaks_of(tmp_path: Path, game: str) -> None:
    folder = folder_of(tmp_path, game)
    deal_game(DealRequest(SECRET, SECRET), at(folder))
    proof = parse_proof("deal", (folder / DEAL_FILE).read_text(encoding="utf-8"))
    assert proof.commitment in run(folder, "post", "opening").stdout
