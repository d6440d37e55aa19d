"""The acts of a deal that nobody can choose: to commit, to note players' words, to enter a round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from knightfall.config.beacons import beacon_named
from knightfall.config.game_file import parse_setup
from knightfall.engine.entries import Committed, Rounded, Started, Worded
from knightfall.engine.fair import AHEAD, SECRET_BYTES, one_word, round_line, rounds_of
from knightfall.engine.fair import commitment as commitment_to
from knightfall.engine.journal import Journal, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.forums.sites import site_of
from knightfall.names import slot_named
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.beacon import parse_value, read_round
from knightfall.services.deal import cards_of, sealed_terms
from knightfall.services.fair_deal import (
    KeptSecret,
    Promise,
    commitment_lines,
    keep_secret,
    promise_of,
    round_text,
)
from knightfall.services.game.new import fair_terms
from knightfall.services.games import game_named
from knightfall.services.guard import released
from knightfall.services.heads import lined
from knightfall.services.phase_round import AwaitedRound, phase_round
from knightfall.services.publish import Reader, Text, kept
from knightfall.services.requests import CommitRequest
from knightfall.services.running import begun, table_of
from knightfall.services.session import Session, entered, in_turn, journal_of, read_text
from knightfall.services.threads import PLAIN, dialect_of
from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.render import render

SOON: Final = timedelta(minutes=15)
"""A round that nobody chose is so far ahead: there is time to post the commitment."""
FETCH: Final = "fetch"
_NOWHERE = sentence("A deal is committed to in a game: {in_game}.", in_game=Way("in_game"))


@dataclass(frozen=True, slots=True)
class Commitment(JsonAnswer):
    """A commitment that was made: its number among those of the game, its post, which is to be posted now,
    the round that decides (0: words alone), and when that comes, in UTC ("" without one)."""

    which: int
    commitment: str
    post: str
    round: int
    due: str


@dataclass(frozen=True, slots=True)
class RoundEntered(JsonAnswer):
    """A round that stands: its number, its value in hex, whether it came from mirrors or was pasted; of a
    phase also its post, which is to be posted before the phase is closed ("" for the round of the deal)."""

    round: int
    value: str
    source: str
    post: str = ""


@in_turn
def commit_deal(request: CommitRequest, session: Session) -> Commitment:
    """Commit to a secret, while the players, the options and the rules stand and the chance is yet to come.

    Raises InputError where the game was dealt already, cannot be dealt so, or the round is less than ten
    minutes ahead.
    """
    journal = journal_of(session)
    _refuse_dealt(journal)
    if len(request.secret) != SECRET_BYTES:
        raise InputError(f"The secret has {len(request.secret)} bytes, expected {SECRET_BYTES}.")
    now = session.clock.now()

    # Where the chance comes from.
    chance: dict[str, object] = {}
    if not request.without_beacon:
        beacon = beacon_named(request.beacon).beacon
        number = request.round or beacon.first_after(now + SOON)
        if beacon.at(number) < now + AHEAD:
            raise InputError(
                f"Round {number} comes at {beacon.at(number):%Y-%m-%d %H:%M:%S} UTC, which is less than ten "
                f"minutes ahead. Name a later one, such as {beacon.first_after(now + SOON)}."
            )
        chance |= {"beacon": request.beacon, "round": number}
    elif request.round:
        raise InputError("A round needs its beacon. Leave out one of the two.")
    if request.words or request.without_beacon:
        chance["words"] = True
    if request.each_phase:
        if request.without_beacon:
            raise InputError(
                "Without a beacon no round comes at the end of a phase. Leave out one of the two."
            )
        chance["phases"] = True

    # The terms, and whether they can be dealt at all.
    terms, setup = fair_terms(request, chance, session)
    cards_of(terms, b"a trial")
    terms = sealed_terms(terms, request.secret)
    before = tuple(one.entry.commitment for one in standing(journal) if isinstance(one.entry, Committed))
    named = terms.options.get("setup", "") if request.setup else ""
    said = commitment_to(request.secret, game_named(terms.game).seals(terms.options))
    kept_now = KeptSecret(request.secret, named, dict(terms.options), request.seated)
    keep_secret(session.folder, len(before) + 1, kept_now)
    entered(Committed(said, terms.text, before), session, _NOWHERE)

    # Its post.
    journal = journal_of(session)
    promise = promise_of(journal)
    assert promise is not None
    dialect = dialect_of(request.dialect, setup, site_of(setup.url or ""), PLAIN)
    text = render("any/commitment", _facts(promise, setup.title or game_named(terms.game).spec.name), dialect)
    released(text, session)
    kept(session.folder, promise.number, (Text(PUBLIC, "commitment", text, Reader.EVERYBODY),))
    due = promise.due()
    return Commitment(promise.which, said, text, promise.round, f"{due:%Y-%m-%dT%H:%M:%SZ}" if due else "")


def _facts(promise: Promise, title: str) -> dict[str, object]:
    due = promise.due()
    return {
        "title": title,
        "round": promise.round,
        "beacon": promise.terms["chance"].get("beacon", ""),
        "due": f"{due:%Y-%m-%d at %H:%M:%S}" if due else "",
        "words": promise.by_words,
        "which": promise.which,
        "first": promise.entry.replaces[0] if promise.entry.replaces else "",
        "lines": commitment_lines(promise),
    }


@in_turn
def give_word(slot: str, word: str, session: Session) -> Worded:
    """Note a player's word, as they posted it; a later one of the same player takes its place.

    Raises InputError where no words count, it is no word, nobody is called so, or it is too late.
    """
    journal = journal_of(session)
    promise = _promised(journal)
    if not promise.by_words:
        raise InputError("Words do not count in this deal: the post of the commitment names a round alone.")
    due = promise.due()
    if due is not None and session.clock.now() >= due:
        raise InputError(f"Round {promise.round} has come, so no word counts any more.")
    setup = parse_setup(read_text(session.file), str(session.file))
    named = SlotId(slot_named(slot, setup.roster))
    if named not in promise.terms["slots"]:
        raise InputError(f"{named} is not among the players that were committed to.")
    entry = Worded(named, one_word(word))
    entered(entry, session, _NOWHERE)
    return entry


def enter_round(value: str, session: Session) -> RoundEntered:
    """Enter the value of the round that is waited for, of the deal or, once the game was dealt, of the phase
    that ends next: pasted, or “fetch” to read it at two mirrors.

    Raises InputError before the round, where no round was promised, for what is no value, and where mirrors
    do not agree.
    """
    awaited = _awaited(session)
    if session.clock.now() < awaited.due:
        raise InputError(
            f"Round {awaited.number} comes at {awaited.due:%Y-%m-%d %H:%M:%S} UTC. Enter it then."
        )
    if value.strip().lower() != FETCH:
        return _entered(Rounded(awaited.number, parse_value(value), "pasted"), session)
    told = read_round(awaited.known, awaited.number, session.beacon or session.fetch)
    return _entered(Rounded(awaited.number, told, "mirrors"), session)


def _awaited(session: Session) -> AwaitedRound:
    """Raises InputError where no round is waited for."""
    journal = journal_of(session)
    if begun(journal):
        return phase_round(table_of(session))
    promise = _promised(journal)
    due = promise.due()
    if due is None:
        raise InputError("No round was promised: the players' words alone decide this deal.")
    return AwaitedRound("", beacon_named(promise.terms["chance"]["beacon"]), promise.round, due)


@in_turn
def _entered(found: Rounded, session: Session) -> RoundEntered:
    """Write down a round, unless it stands already. Raises InputError where another value stands, or another
    round is waited for by now."""
    awaited, journal = _awaited(session), journal_of(session)
    if awaited.number != found.round:
        raise InputError("Another round is waited for in the meantime.")
    promise = promise_of(journal)
    before = dict(rounds_of(journal)) if awaited.title else {found.round: promise.value if promise else ""}
    if (stands := before.get(found.round, "")) not in ("", found.value):
        raise InputError(
            sentence(
                "Round {round} was entered as {value} before. If that was a slip, take it back first: {undo}",
                round=found.round,
                value=stands,
                undo=Way("undo", why="…"),
            )
        )
    said = RoundEntered(found.round, found.value, found.source)
    if not stands:
        number = entered(found, session, _NOWHERE).number
        return replace(said, post=_round_post(awaited, found, number, session)) if awaited.title else said
    return replace(said, post=round_text(session.folder, journal)) if awaited.title else said


def _round_post(awaited: AwaitedRound, found: Rounded, number: int, session: Session) -> str:
    """The post of a phase's round, kept with its entry."""
    setup = parse_setup(read_text(session.file), str(session.file))
    dialect = dialect_of("", setup, site_of(setup.url or ""), PLAIN)
    facts = {
        "title": awaited.title,
        "round": found.round,
        "beacon": awaited.known.beacon.name,
        "due": f"{awaited.due:%Y-%m-%d at %H:%M:%S}",
        "line": round_line(found.round, found.value),
    }
    text = lined(render("any/round", facts, dialect), dialect, session)
    released(text, session)
    kept(session.folder, number, (Text(PUBLIC, "round", text, Reader.EVERYBODY),))
    return text


def _refuse_dealt(journal: Journal) -> None:
    began = next((one for one in standing(journal) if isinstance(one.entry, Started)), None)
    if began is not None:
        raise InputError(
            sentence(
                "The game was dealt already (entry {entry} of the log), so it is too late for that.",
                entry=began.number,
            )
        )


def _promised(journal: Journal) -> Promise:
    """The commitment that stands. Raises InputError without one, and once the game was dealt."""
    _refuse_dealt(journal)
    promise = promise_of(journal)
    if promise is None:
        raise InputError(sentence("Nothing was committed to yet. First: {commit}", commit=Way("commit_deal")))
    return promise
