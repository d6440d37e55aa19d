"""What stands of a deal that nobody can choose: its commitment and its round, and what posts show of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from knightfall.config.beacons import beacon_named
from knightfall.engine.entries import Committed, Rounded, Started
from knightfall.engine.fair import (
    PLAN,
    Beacon,
    CardTree,
    CommitmentPost,
    Finding,
    Posted,
    Witness,
    canonical,
    chance_line,
    posted,
    verdict,
)
from knightfall.engine.journal import Journal, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.markup.tags import html_lines
from knightfall.names import slot_named
from knightfall.sentence import Way, sentence
from knightfall.services.beacon import is_signed
from knightfall.services.deal import (
    DealCheck,
    DealProof,
    DealTerms,
    check_posts,
    deal_fairly,
    parse_proof,
    sealed_terms,
)
from knightfall.services.now import now_of
from knightfall.services.session import DEAL_FILE, Session
from knightfall.storage.drafts import PUBLIC, write_draft


@dataclass(frozen=True, slots=True)
class Promise:
    """The last commitment of a game and what came since: its entry, the parsed terms, and the value of the
    round with its signature ("" while nobody knows them)."""

    number: int
    entry: Committed
    terms: Mapping[str, Any]
    value: str = ""
    signature: str = ""

    @property
    def which(self) -> int:
        """The how many-th commitment of the game it is, from 1."""
        return len(self.entry.replaces) + 1

    @property
    def round(self) -> int:
        """The round that was promised; 0 in a commitment of an earlier version by words alone."""
        return int(self.terms["chance"].get("round", 0))

    @property
    def is_old(self) -> bool:
        """Whether an earlier version made it, whose deals are not made any more."""
        return PLAN not in self.terms

    @property
    def beacon(self) -> Beacon:
        """Whose round it is. Raises InputError for a beacon that is not known."""
        return beacon_named(self.terms["chance"]["beacon"])

    @property
    def due(self) -> datetime:
        """When the round comes. Raises InputError for a beacon that is not known."""
        return self.beacon.at(self.round)


def promise_of(journal: Journal) -> Promise | None:
    """The commitment that stands; None where there is none. A round from before it does not count."""
    found: Promise | None = None
    for record in standing(journal):
        match record.entry:
            case Committed() as entry:
                found = Promise(record.number, entry, json.loads(entry.terms))
            case Rounded(value=value, signature=signature) if found:
                found = replace(found, value=value, signature=signature)
            case Started():
                break
    return found


def committed_file(which: int) -> str:
    """Where the secret of that commitment is kept in the folder."""
    return f"private/commitment-{which}.json"


@dataclass(frozen=True, slots=True)
class KeptSecret:
    """What the moderator alone keeps of a commitment: the secret, the setup that was named beside the file
    ("" for none), all options, and the players by seat where seats differ."""

    secret: bytes = field(repr=False)
    setup: Any
    options: Mapping[str, Any]
    seated: tuple[str, ...] = ()


def keep_secret(folder: Path, which: int, kept: KeptSecret) -> None:
    """Keep the secret of a commitment, before anybody is told of it."""
    half, _, name = committed_file(which).partition("/")
    said = {"secret": kept.secret.hex(), "setup": kept.setup, "options": dict(kept.options)}
    write_draft(folder, half, name, canonical(said | {"seated": list(kept.seated)}) + "\n")


def kept_secret(folder: Path, promise: Promise) -> KeptSecret:
    """What is kept of a commitment. Raises StateDamaged where it cannot be read."""
    file = folder / committed_file(promise.which)
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        seated = tuple(map(str, said["seated"]))
        return KeptSecret(bytes.fromhex(said["secret"]), said["setup"], dict(said["options"]), seated)
    except (OSError, ValueError, KeyError, TypeError):
        raise StateDamaged(
            f"{file} cannot be read. It holds the secret that the game committed to: restore it from a "
            "backup, or commit again, which the post says."
        ) from None


def promised_deal(promise: Promise, terms: DealTerms, folder: Path, now: datetime) -> DealProof:
    """The deal that was committed to.

    Raises InputError where the players, the options, the game or its rules are others by now, the round is
    not over, or what was promised is not there yet.
    """
    again = Way("commit_deal")
    if promise.is_old:
        raise InputError(
            sentence(
                "The commitment of entry {entry} was made by an earlier version, in a way that leaves the "
                "moderator a choice. Commit again, which the post says: {again}",
                entry=promise.number,
                again=again,
            )
        )
    kept, said = kept_secret(folder, promise), promise.terms
    secret, options = kept.secret, kept.options
    terms = replace(terms, chance=said["chance"], title=said["title"], thread=said["thread"])
    terms = sealed_terms(terms, secret)
    for what, here, there in (
        ("game", terms.game, promise.terms["game"]),
        ("players", list(terms.slots), promise.terms["slots"]),
        ("options", dict(terms.options), dict(options)),
        ("rules", terms.rules, promise.terms["rules"]),
    ):
        if canonical(here) != canonical(there):
            raise InputError(
                sentence(
                    "The {what} are not those that were committed to (entry {entry}), so nothing was dealt. "
                    "Put them back, or commit again, which the post then says: {again}",
                    what=what,
                    entry=promise.number,
                    again=again,
                )
            )
    if now < promise.due:
        raise InputError(
            sentence(
                "Round {round} comes at {due:%Y-%m-%d %H:%M:%S} UTC: nobody can deal before. Then: {enter}",
                round=promise.round,
                due=promise.due,
                enter=Way("enter_round"),
            )
        )
    if not promise.value:
        raise InputError(
            sentence(
                "The value of round {round} was not entered yet: {enter}",
                round=promise.round,
                enter=Way("enter_round"),
            )
        )
    return deal_fairly(terms, secret, promise.value, promise.signature, promise.entry.replaces)


def fair_proof(folder: Path) -> DealProof | None:
    """The deal of a folder, where it is one that nobody could choose."""
    file = folder / DEAL_FILE
    try:
        proof = parse_proof(str(file), file.read_text(encoding="utf-8"))
    except (OSError, ValueError, KnightfallError):
        return None
    return proof if proof.fair else None


def cards_of_fair_deal(folder: Path) -> CardTree | None:
    """The cards of such a deal, each opens by itself; None of another deal, or where none is dealt."""
    proof = fair_proof(folder)
    return proof.tree if proof is not None else None


def opening_lines(proof: DealProof) -> str:
    """What the opening post says of a deal that nobody could choose, a line each."""
    said = (("Value", proof.fair["value"]), ("Signature", proof.fair.get("signature", "")))
    told = (*said, ("Cards", proof.tree.root if proof.tree else ""))
    return "\n".join(f"{name}: {one}" for name, one in told if one)


def commitment_text(folder: Path, number: int) -> str:
    """The post of the commitment of that entry as it was kept; "" where it is gone."""
    files = sorted((folder / PUBLIC).glob(f"{number:03}-*-commitment.txt"))
    return files[0].read_text(encoding="utf-8", errors="replace").rstrip("\n") if files else ""


def post_of(entry: Committed) -> CommitmentPost:
    """What the post of a commitment has to say."""
    chance = json.loads(entry.terms)["chance"]
    line = chance_line(chance, beacon_named(chance["beacon"])) if "round" in chance else ""
    return CommitmentPost(entry.commitment, line, entry.terms, entry.replaces)


def changed_commitments(folder: Path, journal: Journal) -> Iterator[str]:
    """Kept posts of commitments that say something else than their entries, in sentences."""
    for record in standing(journal):
        if isinstance(record.entry, Committed) and PLAN in json.loads(record.entry.terms):
            text = commitment_text(folder, record.number)
            if text and posted(text).commitments != (post_of(record.entry),):
                yield f"the post of entry {record.number} has another commitment than the entry"


def posted_of(journal: Journal) -> Posted:
    """What the journal says that was posted: every commitment, and the round."""
    posts = [post_of(one.entry) for one in standing(journal) if isinstance(one.entry, Committed)]
    promise = promise_of(journal)
    return Posted(tuple(posts), (promise.value,) if promise and promise.value else ())


def opened(name: str, session: Session) -> str:
    """The line that opens the card of a player, as it was dealt; without a name those of the opening post.

    Raises InputError where no deal was committed to so, or nobody is called that.
    """
    proof = fair_proof(session.folder)
    if proof is None or proof.tree is None:
        raise InputError(
            sentence("Nothing was dealt here by a commitment. First: {commit}", commit=Way("commit_deal"))
        )
    if not name:
        return opening_lines(proof)
    return proof.tree.line(slot_named(name, now_of(session).setup.roster))


# ── what the thread shows ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DealVerdict(JsonAnswer):
    """“Fair”, “Not shown” or “Not as promised”, and what is known of each sentence."""

    verdict: str
    findings: tuple[Finding, ...]


def verdict_of(findings: tuple[Finding, ...]) -> DealVerdict:
    """The sum of what was found."""
    return DealVerdict(verdict(findings), findings)


def check_game(session: Session) -> DealCheck:
    """What the posts of the game's own threads show of its deal, as they were read last, and which other
    commitments stood in them before: the thread is the clock. Raises InputError where none was read."""
    setup = now_of(session).setup
    addresses = [one.url for one in setup.threads if not one.secret] + [setup.url or ""]
    said: list[str] = []
    given_up: list[CommitmentPost] = []
    witness = Witness(signed=is_signed)
    for url in dict.fromkeys(filter(None, addresses)):
        with closing(session.store(url)) as store:
            thread = store.thread(url)
            versions = sorted(store.versions(url), key=lambda one: (one.number, one.first_seen))
        posts = thread.posts if thread else ()
        # Who opened the thread moderates it, where the file names nobody.
        moderators = {name.casefold() for name in setup.moderators or [one.author for one in posts[:1]]}
        read = [
            (one.post.id, one.first_seen, posted(html_lines(one.post.body)).commitments)
            for one in versions
            if one.post.author.casefold() in moderators
        ]
        given_up += [commitment for *_, commitments in read for commitment in commitments]
        for post in posts:
            if post.author.casefold() not in moderators:
                continue
            text = html_lines(post.body)
            if commitments := posted(text).commitments:
                written = None if post.approximate else post.time
                seen = min(
                    (at for id_, at, those in read if (id_, those) == (post.id, commitments)), default=None
                )
                witness = replace(witness, written=written, changed=post.edited, seen=seen)
            said.append(text)
    if not said:
        raise InputError(
            sentence("No thread of this game was read yet. First: {read}", read=Way("read", url="URL"))
        )
    now = posted("\n".join(said))
    return check_posts(replace(now, commitments=(*given_up, *now.commitments)), witness)
