"""What stands of a deal that nobody can choose: commitment, players' words and round, and what posts say."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from knightfall.config.beacons import beacon_named, known_beacons
from knightfall.engine.entries import Committed, Rounded, Started, Worded
from knightfall.engine.fair import (
    CardTree,
    CommitmentPost,
    Posted,
    canonical,
    chance_line,
    post_lines,
    posted,
)
from knightfall.engine.journal import Journal, standing
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.deal import DealProof, DealTerms, deal_fairly, parse_proof, sealed_terms
from knightfall.services.session import DEAL_FILE
from knightfall.storage.drafts import write_draft


@dataclass(frozen=True, slots=True)
class Promise:
    """The last commitment of a game and what came since: its entry, the parsed terms, words by slot in the
    order of the players, and the value of the round ("" while nobody knows it)."""

    number: int
    entry: Committed
    terms: Mapping[str, Any]
    words: tuple[tuple[SlotId, str], ...]
    value: str

    @property
    def which(self) -> int:
        """The how many-th commitment of the game it is, from 1."""
        return len(self.entry.replaces) + 1

    @property
    def round(self) -> int:
        """The round that was promised; 0 where words alone decide."""
        return int(self.terms["chance"].get("round", 0))

    @property
    def by_words(self) -> bool:
        """Whether players' words count."""
        return bool(self.terms["chance"].get("words"))

    def due(self) -> datetime | None:
        """When the round comes; None without one. Raises InputError for a beacon that is not known."""
        return beacon_named(self.terms["chance"]["beacon"]).beacon.at(self.round) if self.round else None

    @property
    def post(self) -> CommitmentPost:
        """The lines of its post."""
        return _post_of(self.entry)


def promise_of(journal: Journal) -> Promise | None:
    """The commitment that stands; None where there is none. Words and rounds from before it do not count."""
    found: Promise | None = None
    words: dict[SlotId, str] = {}
    for record in standing(journal):
        match record.entry:
            case Committed() as entry:
                words.clear()
                found = Promise(record.number, entry, json.loads(entry.terms), (), "")
            case Worded(slot=slot, word=word) if found:
                words[slot] = word
            case Rounded(value=value) if found:
                found = replace(found, value=value)
            case Started():
                break  # what comes later is of the phases
    if found is None:
        return None
    slots = map(SlotId, found.terms["slots"])
    return replace(found, words=tuple((slot, words[slot]) for slot in slots if slot in words))


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
    kept = kept_secret(folder, promise)
    secret, options = kept.secret, kept.options
    terms = sealed_terms(replace(terms, chance=promise.terms["chance"]), secret)
    again = Way("commit_deal")
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
    due = promise.due()
    if due is not None and now < due:
        raise InputError(
            sentence(
                "Round {round} comes at {due:%Y-%m-%d %H:%M:%S} UTC: nobody can deal before. Then: {enter}",
                round=promise.round,
                due=due,
                enter=Way("enter_round"),
            )
        )
    if due is not None and not promise.value:
        raise InputError(
            sentence(
                "The value of round {round} was not entered yet: {enter}",
                round=promise.round,
                enter=Way("enter_round"),
            )
        )
    if due is None and not promise.words:
        raise InputError(
            sentence(
                "No player's word was entered yet, and nothing else decides: {word}", word=Way("give_word")
            )
        )
    return deal_fairly(terms, secret, promise.value, promise.words, promise.entry.replaces)


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
    lines = [f"Value: {proof.fair['value']}".rstrip(), f"Words: {canonical(proof.fair['words'])}"]
    return "\n".join(lines + ([f"Cards: {proof.tree.root}"] if proof.tree else []))


def commitment_text(folder: Path, number: int) -> str:
    """The post of the commitment of that entry as it was kept; "" where it is gone."""
    return _kept_text(folder, number, "commitment")


def round_text(folder: Path, journal: Journal) -> str:
    """The post of the last round of a phase as it was kept; "" where there is none."""
    numbers = [one.number for one in standing(journal) if isinstance(one.entry, Rounded)]
    return _kept_text(folder, numbers[-1], "round") if numbers else ""


def _kept_text(folder: Path, number: int, kind: str) -> str:
    files = sorted((folder / "public").glob(f"{number:03}-*-{kind}.txt"))
    return files[0].read_text(encoding="utf-8", errors="replace").rstrip("\n") if files else ""


def _post_of(entry: Committed) -> CommitmentPost:
    """What the post of a commitment has to say."""
    beacons = {name: known.beacon for name, known in known_beacons().items()}
    line = chance_line(json.loads(entry.terms), beacons)
    return CommitmentPost(entry.commitment, line, entry.terms, entry.replaces)


def _commitments(journal: Journal) -> Iterator[tuple[int, CommitmentPost]]:
    """Every commitment with its entry, as its post has to say it."""
    for record in standing(journal):
        if isinstance(record.entry, Committed):
            yield record.number, _post_of(record.entry)


def changed_commitments(folder: Path, journal: Journal) -> Iterator[str]:
    """Kept posts of commitments that say something else than their entries, in sentences."""
    for number, post in _commitments(journal):
        text = commitment_text(folder, number)
        if text and posted(text).commitments != (post,):
            yield f"the post of the commitment of entry {number} says something else than the entry"


def posted_of(journal: Journal) -> Posted:
    """What the journal says that was posted: every commitment, the round and the words."""
    promise = promise_of(journal)
    words = canonical([[str(slot), word] for slot, word in promise.words]) if promise else "[]"
    values = (promise.value,) if promise else ()
    posts = tuple(post for _, post in _commitments(journal))
    return Posted(posts, values, (words,))


def commitment_lines(promise: Promise) -> str:
    """The machine lines of the post of a commitment."""
    return post_lines(promise.post)
