"""Whether a game is still what was written and posted: journal, evidence, deal, every text byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import unified_diff
from enum import Enum
from hashlib import sha256
from itertools import tee
from pathlib import Path

from knightfall.engine.game import Refusal
from knightfall.engine.journal import Entry, Journal, Published, Record, Started, standing
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.markup.dialects import all_dialects
from knightfall.services.count_request import CountRequest
from knightfall.services.deal import DealProof, parse_proof
from knightfall.services.deal import verify as wrong_in
from knightfall.services.game_posts import archive_file
from knightfall.services.game_state import COMMITMENT_FILE, DEAL_FILE, evidence_then, session_then, table_of
from knightfall.services.players import MOD_NOTE
from knightfall.services.post_facts import post_context, post_nodes
from knightfall.services.posted_texts import GAP, cut_alike, possible_posts, same_votes
from knightfall.services.posts import KINDS, content_of
from knightfall.services.session import Session, game_database, journal_of
from knightfall.services.votecount import Counted, counted
from knightfall.storage.audit import Audit, audit
from knightfall.storage.database import Database

VOTECOUNT = "votecount-"
"""What counts are called in the journal, before the number of the day."""
RECORD = "archive-"
"""The record of a game for programs, before its format."""


class PostVerdict(Enum):
    """What became of a text that went out, when it was made again."""

    SAME = "same"
    OTHER_LOOK = "other look"
    """It tells the same votes in a look that cannot be made here."""
    DIFFERENT = "different"
    NOT_MADE = "not made"


@dataclass(frozen=True, slots=True)
class PostCheck:
    """A text that went out, against the one that the same entries and posts give now.

    `same`: byte for byte; else `difference` has the lines that differ (- posted, + today) from the nearest,
    `looks_otherwise` where all its votes are told, and `why` where it cannot be made again. `hash_holds`: the
    text in the journal is the one of its hash.
    """

    entry: int
    kind: str
    number: int
    same: bool = False
    difference: tuple[str, ...] = ()
    why: str = ""
    looks_otherwise: bool = False
    hash_holds: bool = True

    @property
    def verdict(self) -> PostVerdict:
        """The sum of it."""
        if self.why:
            return PostVerdict.NOT_MADE
        if self.looks_otherwise and self.hash_holds:
            return PostVerdict.OTHER_LOOK
        return PostVerdict.SAME if self.same and self.hash_holds else PostVerdict.DIFFERENT


@dataclass(frozen=True, slots=True)
class Unfounded:
    """An entry that rests on something that was taken back, and what the game says of that."""

    number: int
    entry: Entry
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True)
class ReplayCheck:
    """A begun game played again from its journal."""

    game: str
    entries: int
    events: int
    unfounded: tuple[Unfounded, ...]


@dataclass(frozen=True, slots=True)
class Verification:
    """What a look at all that a game has written found.

    `audit` is what was looked at in storage; None where something beside it is damaged. `damaged` and `deal`
    are sentences on what is not as it was written and on a deal that does not agree. `replay` is None where
    no game was begun; `posts` are the texts that went out, in order. Where something is damaged, nothing else
    is told.
    """

    audit: Audit | None
    damaged: tuple[str, ...] = ()
    deal: tuple[str, ...] = ()
    replay: ReplayCheck | None = None
    posts: tuple[PostCheck, ...] = ()

    @property
    def different(self) -> tuple[PostCheck, ...]:
        """The posts that come out otherwise."""
        return tuple(post for post in self.posts if post.verdict is PostVerdict.DIFFERENT)

    @property
    def exit_status(self) -> int:
        """7 for damage, 1 for what differs, else 0."""
        if self.damaged:
            return StateDamaged.exit_status
        return int(bool(self.deal or (self.replay and self.replay.unfounded) or self.different))


def verify_game(session: Session) -> Verification:
    """Read all that the game has written. Raises InputError where its folder has no game."""
    try:
        database = Database.open(game_database(session.place))
        try:
            found = audit(database)
        finally:
            database.close()
        if found.faults:
            return Verification(found, found.faults)

        # What follows from a journal and evidence that are as they were written.
        journal = journal_of(session)
        deal, replay = tuple[str, ...](), None
        if any(isinstance(record.entry, Started) for record in standing(journal)):
            deal = tuple(_deal_faults(session.folder, journal))
            replay = _replay(session)
        return Verification(found, (), deal, replay, tuple(_posts(journal, session)))
    except StateDamaged as damage:
        return Verification(None, (str(damage),))


def _deal_faults(folder: Path, journal: Journal) -> Iterator[str]:
    """The deal against its commitment, and against the start of the game. Raises StateDamaged where it
    cannot be read."""
    proof = proof_of(folder)
    try:
        lines = (folder / COMMITMENT_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        committed = None  # it is compared with what the deal itself says
    else:
        committed = lines[1].strip() if len(lines) > 1 else ""
    yield from wrong_in(proof, committed)
    started = next(r.entry for r in standing(journal) if isinstance(r.entry, Started))
    if (proof.terms.game, proof.terms.slots) != (started.game, started.slots):
        yield f"{DEAL_FILE} is of another game than the one that the journal starts"
    if dict(proof.terms.options) != dict(started.options):
        yield f"{DEAL_FILE} has other options than the start of the game in the journal"


def proof_of(folder: Path) -> DealProof:
    """The deal of a folder. Raises StateDamaged where it is not as it was written."""
    try:
        return parse_proof(DEAL_FILE, (folder / DEAL_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, KnightfallError) as error:
        raise StateDamaged(
            f"{folder / DEAL_FILE} is not as it was written ({error}): the game's chance is in it. Restore "
            "it from a backup."
        ) from None


def _replay(session: Session) -> ReplayCheck:
    table = table_of(session)
    entries = {record.number: record.entry for record in table.journal}
    unfounded = tuple(
        Unfounded(taken.number, entries[taken.number], tuple(why for _, why in taken.refused))
        for taken in table.replay.questions
    )
    return ReplayCheck(table.game.spec.name, len(table.journal), len(table.replay.events), unfounded)


def _posts(journal: Journal, session: Session) -> Iterator[PostCheck]:
    """Every text that went out, made again."""
    records = [record for record in standing(journal) if isinstance(record.entry, Published)]
    for place, record in enumerate(records, start=1):
        yield compare(record, journal, session)
        if session.progress:
            session.progress(place, len(records))


def compare(record: Record, journal: Journal, session: Session) -> PostCheck:
    """A published text against the one that the same entries and posts give now. Raises StateDamaged."""
    entry = record.entry
    assert isinstance(entry, Published)
    holds = sha256(entry.text.encode()).hexdigest() == entry.sha256
    check = PostCheck(record.number, entry.kind, entry.number, hash_holds=holds)
    then = session_then(session, journal[: record.number - 1], record.at)
    try:
        if not entry.kind.startswith(VOTECOUNT):
            return _against(entry, check, _texts_again(entry, evidence_then(then, record.at)))

        # A count by its bytes, else by its votes; the least difference is shown.
        others, looks_otherwise = list[PostCheck](), False
        for done in _counts_again(entry, record, then):
            possible, tried = tee(possible_posts(done, entry.text, session.folder))
            found = _against(entry, check, possible)
            if found.same:
                return found
            looks_otherwise |= same_votes(entry.text, done.count, tried)
            others.append(found)
        nearest = min(others, key=lambda one: len(one.difference))
        return replace(nearest, looks_otherwise=looks_otherwise)
    except StateDamaged:
        raise
    except KnightfallError as error:
        return replace(check, why=str(error).splitlines()[0])


def _counts_again(entry: Published, record: Record, then: Session) -> Iterator[Counted]:
    """The counts that the text may be of. Raises InputError where there is nothing to count, or no day."""
    request = CountRequest(day=int(entry.kind.removeprefix(VOTECOUNT)), stored=True)
    yield counted(request, evidence_then(then, record.at, int(entry.upto or 0)))
    yield counted(replace(request, at=entry.upto), then)


def _texts_again(entry: Published, then: Session) -> Iterator[str]:
    """A post of the library, as its kind gives it at that moment, in every form in which it may have gone
    out."""
    if entry.kind == MOD_NOTE:
        raise InputError("the words are your own. They stand in the journal, whose hashes hold.")
    name, context = entry.kind, post_context(then, stored=True)
    if name.startswith(RECORD):
        yield archive_file(context, name.removeprefix(RECORD)).rstrip("\n")
        return
    kind = next((kind for kind in KINDS if name == kind or name.startswith(f"{kind}-")), name)
    nodes = post_nodes(content_of(kind, context))
    for one in all_dialects():
        yield from cut_alike(nodes, one.name, entry.text)


def _against(entry: Published, check: PostCheck, again: Iterable[str]) -> PostCheck:
    """The nearest of the texts is shown where none is the same. Words of one's own may stand before it."""
    posted, nearest, common = entry.text, "", -1
    lines = set(posted.splitlines())
    for text in again:
        if posted == text or posted.endswith(f"{GAP}{text}"):
            return replace(check, same=True)
        if (shared := len(lines & set(text.splitlines()))) > common:
            nearest, common = text, shared
    changed = unified_diff(posted.splitlines(), nearest.splitlines(), "posted", "now", n=0, lineterm="")
    # Without the heads of the format.
    differing = tuple(line for line in list(changed)[2:] if not line.startswith("@@"))
    return replace(check, difference=differing)
