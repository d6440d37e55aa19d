"""The acts of a deal that nobody can choose: to commit, and to enter the round."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

from knightfall.config.beacons import beacon_named
from knightfall.config.setup import Setup
from knightfall.engine.entries import Committed, Rounded, Started
from knightfall.engine.fair import AHEAD, SECRET_BYTES, post_lines
from knightfall.engine.fair import commitment as commitment_to
from knightfall.engine.journal import Journal, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.forums.sites import site_of
from knightfall.sentence import Way, sentence
from knightfall.services.beacon import BeaconRound, parse_value, read_round
from knightfall.services.deal import DealTerms, cards_of, sealed_terms
from knightfall.services.fair_deal import (
    KeptSecret,
    Promise,
    keep_secret,
    kept_secret,
    post_of,
    promise_of,
)
from knightfall.services.game.new import fair_terms
from knightfall.services.games import game_named
from knightfall.services.guard import released
from knightfall.services.publish import Reader, Text, kept
from knightfall.services.requests import CommitRequest
from knightfall.services.session import Session, entered, in_turn, journal_of
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
    the round that decides, and when that comes, in UTC."""

    which: int
    commitment: str
    post: str
    round: int
    due: str


@dataclass(frozen=True, slots=True)
class RoundEntered(JsonAnswer):
    """A round that stands: its number, its value in hex, whether it came from mirrors or was pasted, and
    whether its signature was checked (None: it could not be)."""

    round: int
    value: str
    source: str
    verified: bool | None = None


@in_turn
def commit_deal(request: CommitRequest, session: Session) -> Commitment:
    """Commit to a secret, while the players, the options and the rules stand and the round is yet to come.
    What is committed to already stands, as long as there is time to post it.

    Raises InputError where the game was dealt already, cannot be dealt so, or the round is less than ten
    minutes ahead.
    """
    journal = journal_of(session)
    _refuse_dealt(journal)
    if len(request.secret) != SECRET_BYTES:
        raise InputError(f"The secret has {len(request.secret)} bytes, expected {SECRET_BYTES}.")
    now, beacon = session.clock.now(), beacon_named(request.beacon)
    number = request.round or beacon.first_after(now + SOON)
    if beacon.at(number) < now + AHEAD:
        raise InputError(
            f"Round {number} comes at {beacon.at(number):%Y-%m-%d %H:%M:%S} UTC, which is less than ten "
            f"minutes ahead. Name a later one, such as {beacon.first_after(now + SOON)}."
        )

    # The terms, and whether they can be dealt at all.
    terms, setup = fair_terms(request, {"beacon": request.beacon, "round": number}, session)
    cards_of(terms, b"a trial")
    promise = promise_of(journal)
    if promise is None or not _stands(promise, terms, request, session):
        terms = sealed_terms(terms, request.secret)
        earlier = tuple(one.entry.commitment for one in standing(journal) if isinstance(one.entry, Committed))
        named = terms.options.get("setup", "") if request.setup else ""
        said = commitment_to(request.secret, game_named(terms.game).seals(terms.options))
        kept_now = KeptSecret(request.secret, named, dict(terms.options), request.seated)
        keep_secret(session.folder, len(earlier) + 1, kept_now)
        entered(Committed(said, terms.text, earlier), session, _NOWHERE)
        promise = promise_of(journal_of(session))
        assert promise is not None

    # Its post.
    dialect = dialect_of(request.dialect, setup, site_of(setup.url or ""), PLAIN)
    text = render("any/commitment", _facts(promise, setup), dialect)
    released(text, session)
    kept(session.folder, promise.number, (Text(PUBLIC, "commitment", text, Reader.EVERYBODY),))
    due = f"{promise.due:%Y-%m-%dT%H:%M:%SZ}"
    return Commitment(promise.which, promise.entry.commitment, text, promise.round, due)


def _stands(promise: Promise, terms: DealTerms, request: CommitRequest, session: Session) -> bool:
    """Whether it is this that is committed to already, and there is still time to post it."""
    if promise.is_old or request.round not in (0, promise.round):
        return False
    same = replace(terms, chance=promise.terms["chance"])
    made = sealed_terms(same, kept_secret(session.folder, promise).secret)
    return made.text == promise.entry.terms and session.clock.now() < promise.due - AHEAD


def _facts(promise: Promise, setup: Setup) -> dict[str, object]:
    return {
        "title": setup.title or game_named(setup.kind).spec.name,
        "round": promise.round,
        "beacon": promise.beacon.name,
        "due": f"{promise.due:%Y-%m-%d at %H:%M:%S}",
        "which": promise.which,
        "first": promise.entry.replaces[0] if promise.entry.replaces else "",
        "page": setup.check_page,
        "lines": post_lines(post_of(promise.entry)),
    }


def enter_round(value: str, session: Session) -> RoundEntered:
    """Enter the value of the round that is waited for: pasted, best with its signature, or “fetch” to read it
    at two mirrors.

    Raises InputError before the round, where no round was promised, for what is no value or no signature of
    the round, and where mirrors do not agree.
    """
    promise = _promised(session)
    if session.clock.now() < promise.due:
        raise InputError(
            f"Round {promise.round} comes at {promise.due:%Y-%m-%d %H:%M:%S} UTC. Enter it then."
        )
    if value.strip().lower() != FETCH:
        return _entered(parse_value(value, promise.beacon, promise.round), "pasted", session)
    told = read_round(promise.beacon, promise.round, session.beacon or session.fetch)
    return _entered(told, "mirrors", session)


@in_turn
def _entered(found: BeaconRound, source: str, session: Session) -> RoundEntered:
    """Write down a round, unless it stands already. Raises InputError where another value stands."""
    promise = _promised(session)
    if promise.value not in ("", found.value):
        raise InputError(
            sentence(
                "Round {round} was entered as {value} before. If that was a slip, take it back first: {undo}",
                round=promise.round,
                value=promise.value,
                undo=Way("undo", why="…"),
            )
        )
    if not promise.value or (found.signature and not promise.signature):
        entered(Rounded(promise.round, found.value, source, found.signature), session, _NOWHERE)
    return RoundEntered(promise.round, found.value, source, found.verified)


def _refuse_dealt(journal: Journal) -> None:
    began = next((one for one in standing(journal) if isinstance(one.entry, Started)), None)
    if began is not None:
        raise InputError(
            sentence(
                "The game was dealt already (entry {entry} of the log), so it is too late for that.",
                entry=began.number,
            )
        )


def _promised(session: Session) -> Promise:
    """The commitment that stands. Raises InputError without one, and once the game was dealt."""
    journal = journal_of(session)
    _refuse_dealt(journal)
    promise = promise_of(journal)
    if promise is None or promise.is_old:
        raise InputError(sentence("Nothing was committed to yet. First: {commit}", commit=Way("commit_deal")))
    return promise
