"""Whether a game is still what was written and posted: journal, evidence, deal, every text byte for byte."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import unified_diff
from hashlib import sha256
from html import unescape
from itertools import chain, islice
from pathlib import Path

from knightfall.engine.journal import Journal, Published, Record, Started, standing
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.markup.dialects import Dialect, all_dialects, dialect, measure
from knightfall.markup.nodes import Nodes
from knightfall.services.count_request import CountRequest, PostFormat, count_nodes, themes
from knightfall.services.deal import DealProof, parse_proof
from knightfall.services.deal import verify as wrong_in
from knightfall.services.game_posts import archive_file
from knightfall.services.game_state import COMMITMENT_FILE, DEAL_FILE, evidence_then, session_then, table_of
from knightfall.services.players import KIND as NOTE
from knightfall.services.post_facts import post_context, post_nodes
from knightfall.services.posts import KINDS, content_of
from knightfall.services.reading import dialect_of
from knightfall.services.session import Session, game_database, game_folder, journal_of
from knightfall.services.votecount import Counted, counted, with_footnotes
from knightfall.storage.audit import Audit, audit
from knightfall.storage.database import Database
from knightfall.votes.votecount import View, Votecount, seen_by
from knightfall.writeups.facts import votecount_facts
from knightfall.writeups.journal import entry_line
from knightfall.writeups.render import written
from knightfall.writeups.split import MOST

OTHER_LOOK = (
    "looks otherwise than any post that can be made here, and only so much was compared: every wagon of the "
    "count stands in it, voter by voter. Read the rest by eye, or put the template that it was written by "
    "into the game's folder: then it is compared byte for byte."
)


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at (`lines`), what is `damaged` in storage, and what does not agree (`differences`)."""

    lines: tuple[str, ...]
    damaged: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()

    @property
    def exit_status(self) -> int:
        """7 for damage, 1 for what differs, else 0."""
        return StateDamaged.exit_status if self.damaged else int(bool(self.differences))


def verified(session: Session) -> Verified:
    """Reads all that the game has written. Raises InputError where its folder has no game."""
    try:
        found = _audited(session.place)
        if found.faults:
            return Verified((_looked_at(found),), found.faults)
        return _followed(found, session)
    except StateDamaged as damage:
        return Verified((), (str(damage),))


def _audited(game: Path) -> Audit:
    database = Database.open(game_database(game))
    try:
        return audit(database)
    finally:
        database.close()


def _looked_at(found: Audit) -> str:
    older = (
        f" {found.unsealed} of them by an older Knightfall: only their texts were compared."
        if found.unsealed
        else ""
    )
    return (
        f"Journal: {found.entries} entries. Evidence: {found.pages} pages, {found.posts} versions of posts."
        f"{older}"
    )


def _followed(found: Audit, session: Session) -> Verified:
    """What follows from a journal and evidence that are as they were written."""
    journal, lines = journal_of(session), [_looked_at(found), "Every hash holds."]
    differences: list[str] = []
    if any(isinstance(record.entry, Started) for record in standing(journal)):
        differences += _deal(session.folder, journal)
        led, questions = _replayed(session)
        lines.append(led)
        differences += questions
    told, changed = _posted(journal, session)
    return Verified((*lines, *told), (), (*differences, *changed))


def _deal(folder: Path, journal: Journal) -> Iterator[str]:
    """The deal against its commitment, and against the start of the game. Raises StateDamaged where it
    cannot be read."""
    proof = proof_of(folder)
    for wrong in wrong_in(proof, _committed(folder)):
        yield f"The deal: {wrong}."
    started = next(r.entry for r in standing(journal) if isinstance(r.entry, Started))
    if (proof.terms.game, proof.terms.slots) != (started.game, started.slots):
        yield f"The deal: {DEAL_FILE} is of another game than the one that the journal starts."
    if dict(proof.terms.options) != dict(started.options):
        yield f"The deal: {DEAL_FILE} has other options than the start of the game in the journal."


def proof_of(folder: Path) -> DealProof:
    """The deal of a folder. Raises StateDamaged where it is not as it was written."""
    try:
        return parse_proof(DEAL_FILE, (folder / DEAL_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, KnightfallError) as error:
        raise StateDamaged(
            f"{folder / DEAL_FILE} is not as it was written ({error}): the game's chance is in it. Restore "
            "it from a backup."
        ) from None


def _committed(folder: Path) -> str | None:
    """The commitment that was made public; None where its file is gone."""
    try:
        lines = (folder / COMMITMENT_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return lines[1].strip() if len(lines) > 1 else ""


def _replayed(session: Session) -> tuple[str, tuple[str, ...]]:
    table = table_of(session)
    events = len(table.replay.events)
    entries = {record.number: record.entry for record in table.journal}
    questions = tuple(
        f"Entry {taken.number} ({entry_line(entries[taken.number])}) rests on something that was taken back: "
        f"{'; '.join(why.text for _, why in taken.refused)}"
        for taken in table.replay.questions
    )
    return f"Replay: {table.game.spec.name}, {len(table.journal)} entries lead to {events} events.", questions


def _posted(journal: Journal, session: Session) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What is told of the texts that went out, and which of them differ."""
    records = [record for record in standing(journal) if isinstance(record.entry, Published)]
    if not records:
        return ("Nothing was noted as posted yet.",), ()

    same, skipped, differ = 0, list[str](), list[str]()
    for place, record in enumerate(records, start=1):
        found = compared(record, journal, session)
        same += found.same
        if found.why:
            skipped.append(f"{_name(record.number, record.entry)} cannot be made again here: {found.why}")
        elif found.looks and _hash_holds(record.entry):
            skipped.append(f"{_name(record.number, record.entry)} {OTHER_LOOK}")
        elif not found.same or not _hash_holds(record.entry):
            differ.append("\n".join((f"{_name(record.number, record.entry)} differs:", *found.difference)))
        if session.progress:
            session.progress(place, len(records))
    told = f"Posted: {len(records)} texts, {same} of them come out the same byte for byte."
    return (told, *skipped), tuple(differ)


def _hash_holds(entry: object) -> bool:
    return isinstance(entry, Published) and sha256(entry.text.encode()).hexdigest() == entry.sha256


def _name(number: int, entry: object) -> str:
    assert isinstance(entry, Published)
    return f"Entry {number}, {entry.kind} {entry.number}"


GAP = "\n\n"
FEW = 9
"""Up to so many parts a mark has one digit on each side."""
UNCUT = 10**9
"""No post is so long."""

_MARK = re.compile(r"\\?\((\d{1,2})/(\d{1,2})\\?\)")


def limits(posted: str, speech: Dialect) -> tuple[int, ...]:
    """The limits, in the dialect's unit, under which such a text may have been cut so: in the parts that it
    names, and not at all, for (1/2) may be a wagon."""
    parts = parts_of(posted)
    if len(parts) < 2:
        return (UNCUT,)
    room = FEW if len(parts) <= FEW else MOST
    longest = max(
        measure(part, speech) + len(f"{room}/{room}") - len(f"{number}/{len(parts)}")
        for number, part in enumerate(parts, start=1)
    )
    return (longest, UNCUT)


def parts_of(posted: str) -> tuple[str, ...]:
    """The parts of a text that says (1/2) in the first line of each; all of it where it does not."""
    blocks = posted.split(GAP)
    for total in _totals(blocks[0]):
        starts = tuple(_starts(blocks, total))
        if len(starts) == total:
            ends = (*starts[1:], len(blocks))
            return tuple(GAP.join(blocks[start:end]) for start, end in zip(starts, ends, strict=True))
    return (posted,)


def _totals(block: str) -> Iterator[int]:
    """Of how many parts the first line may say that it is the first."""
    yield from (total for number, total in _marks(block) if number == 1 and 1 < total <= MOST)


def _starts(blocks: list[str], total: int) -> Iterator[int]:
    """Which blocks begin a part."""
    number = 1
    for place, block in enumerate(blocks):
        if (number, total) in _marks(block):
            yield place
            number += 1


def _marks(block: str) -> list[tuple[int, int]]:
    """“(2/3)” in the first line of a block."""
    return [(int(number), int(total)) for number, total in _MARK.findall(block.partition("\n")[0])]


KIND = "votecount-"
"""What counts are called in the journal, before the number of the day."""


def counts_of(entry: Published, at: datetime, then: Session) -> Iterator[Counted]:
    """The counts that the text may be of. Raises InputError where there is nothing to count, or no day."""
    wanted = CountRequest(day=int(entry.kind.removeprefix(KIND)), stored=True)
    yield counted(wanted, evidence_then(then, at, int(entry.upto or 0)))
    yield counted(replace(wanted, at=entry.upto), then)


def forms_of(done: Counted, posted: str, game: Path) -> Iterator[str]:
    """The posts of a count that a text may be, cut where that one is cut."""
    own = dialect_of(None, done.setup, done.site, done.thread.platform)
    speeches = dict.fromkeys((own, *(one.name for one in all_dialects())))
    for count in _seen(done):
        for look in _looks(game):
            with suppress(InputError):  # a template that is none of a count
                nodes = count_nodes(count, look, done.setup)
                yield from chain.from_iterable(_cut(nodes, speech, posted) for speech in speeches)


def _cut(nodes: Nodes, speech: str, posted: str) -> Iterator[str]:
    for limit in limits(posted, dialect(speech)):
        with suppress(InputError):  # a limit of another dialect
            yield GAP.join(written(nodes, speech, limit))


def _seen(done: Counted) -> Iterator[Votecount]:
    """With and without what may stand under it, and as the final count; for the players first."""
    noted = with_footnotes(done).count
    counts = [done.count] if noted == done.count else [done.count, noted]
    counts += [replace(one, final=True, number=None, changes=(), due=()) for one in counts]
    for view in View:
        yield from (seen for one in counts if (seen := seen_by(view, one)) != one or view is View.MOD)


def _looks(game: Path) -> Iterator[PostFormat]:
    """The game's own look, our themes, and templates of the moderator's."""
    yield from (PostFormat(theme=theme) for theme in (None, *themes()))
    yield from (PostFormat(template=file) for file in sorted(game_folder(game).glob("*.j2")))


_LINE_ENDS = re.compile(r"<(?:br|/p|/tr|/li|/div)\b[^<>\n]{0,300}>", re.IGNORECASE)
_LINK = re.compile(r"\[((?:\\.|[^\[\]\\\n])*)\]\([^()\n]*\)")
_TAG = re.compile(r"\[/?(?:\*|[a-z]+(?:=[^\[\]\n]{0,300})?)\]|</?[a-z][^<>\n]{0,300}>", re.IGNORECASE)
_UNSEEN = re.compile(r"[\u200b\u200e*~`\\]")
_PART = re.compile(r"\s*\(\d+/\d+\)\s*")
_CHANGING = re.compile(
    r"\d+|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a post: who is named in it, in order, and the numbers beside that."""

    names: tuple[str, ...]
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """Who must be named on a line, in order; which sizes and numbers can be beside them (none: any)."""

    names: tuple[str, ...]
    sizes: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()


def same_votes(posted: str, count: Votecount, ours: Iterable[str]) -> bool:
    """Whether each wagon, and who does not vote, is a line of the text, and no line speaks against the count;
    `ours` are its posts in every look of ours."""
    known = frozenset(line for text in ours for line in text.splitlines())
    names = _names_in(count)
    said, told = tuple(_rows(posted.splitlines(), names)), tuple(_rows(known, names))
    spoken = {row.names for row in told}
    return (
        all(_stands(wanted, said) for wanted in _wanted(count))
        and all(row.names in spoken for row in said if len(row.names) > 1)
        and not any(_altered(posted.splitlines(), known))
    )


def _wanted(count: Votecount) -> Iterator[_Wanted]:
    """What the text must tell: each wagon, with a size that players or the moderator see and no number that
    is not its own, and who does not vote."""
    seen = [votecount_facts(seen_by(view, count), history=False)["wagons"] for view in View]
    for wagon in seen[0]:
        same = [one for wagons in seen for one in wagons if one["name"] == wagon["name"]]
        names = (wagon["name"], *(voter["name"] for voter in wagon["voters"]))
        yield _Wanted(names, frozenset(one["count"] for one in same), frozenset(_numbers(same)))
    if count.tally.not_voting:
        yield _Wanted(tuple(slot.name for slot in count.tally.not_voting))


def _numbers(facts: object) -> Iterator[int]:
    """Every number that facts hold, however deep, and those in their words: “E-2”."""
    if isinstance(facts, Mapping):
        facts = list(facts.values())
    if isinstance(facts, list):
        for fact in facts:
            yield from _numbers(fact)
    else:
        yield from map(int, re.findall(r"\d{1,9}", str(facts)))


def _stands(wanted: _Wanted, said: Iterable[Row]) -> bool:
    """Whether a line names just these, and where it holds numbers, the size among them and no foreign one."""
    return any(row.names == wanted.names and _fits(row.numbers, wanted) for row in said)


def _fits(numbers: frozenset[int], wanted: _Wanted) -> bool:
    if not wanted.sizes or not numbers:
        return True
    return bool(numbers & wanted.sizes) and numbers <= wanted.own


def _rows(lines: Iterable[str], names: re.Pattern[str]) -> Iterator[Row]:
    for line in lines:
        for text in _plain(line).split("\n"):
            found = tuple(names.findall(text))
            yield Row(found, frozenset(map(int, re.findall(r"\d{1,9}", names.sub("", text)))))


def _names_in(count: Votecount) -> re.Pattern[str]:
    """Whoever may be named: who plays, who posted, and nobody."""
    tally = count.tally
    slots = [vote.voter for wagon in tally.wagons for vote in wagon.votes]
    slots += [wagon.target for wagon in tally.wagons if wagon.target] + list(tally.not_voting)
    known = {slot.name for slot in slots} | {post.author for post in count.posts.values()}
    words = sorted((_plain(one) for one in {*known, count.terms.no_elimination}), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words if word))


def _plain(text: str) -> str:
    """Without marks of any dialect; lines of HTML are lines."""
    return unescape(_UNSEEN.sub("", _TAG.sub("", _LINK.sub(r"\1", _LINE_ENDS.sub("\n", text)))))


def _altered(posted: list[str], known: frozenset[str]) -> Iterator[bool]:
    """Of each line, whether it is one of ours but for a number or a date; the mark of a part is none."""
    shapes = {_CHANGING.sub("#", line) for line in known}
    for line in posted:
        ours = line in known or _PART.fullmatch(_plain(line))
        yield not ours and _CHANGING.sub("#", line) in shapes


RECORD = "archive-"
"""The record of a game for programs, before its format."""
SHOWN = 12
"""So many lines of a difference are shown."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What became of a text: `same`, or how it differs in lines (- posted, + today), or `why` it cannot be
    made again; and whose record it is. `looks`: it differs in nothing but its look."""

    record: Record
    same: bool
    difference: tuple[str, ...] = ()
    why: str = ""
    looks: bool = False


def compared(record: Record, journal: Journal, session: Session) -> Compared:
    """A published text against the one that the same entries and posts give now. Raises StateDamaged."""
    entry = record.entry
    assert isinstance(entry, Published)
    then = session_then(session, journal[: record.number - 1], record.at)
    try:
        if entry.kind.startswith(KIND):
            return _votecount(record, entry, session.place, then)
        return _against(record, entry.text, _posts(entry, evidence_then(then, record.at)))
    except StateDamaged:
        raise
    except KnightfallError as error:
        return Compared(record, same=False, why=str(error).splitlines()[0])


def _votecount(record: Record, entry: Published, game: Path, then: Session) -> Compared:
    """By its bytes, else by its votes; the least difference is shown."""
    others, looks = list[Compared](), False
    for done in counts_of(entry, record.at, then):
        tried = list[str]()
        found = _against(record, entry.text, _kept(forms_of(done, entry.text, game), tried))
        if found.same:
            return found
        looks |= same_votes(entry.text, done.count, tried)
        others.append(found)
    return replace(min(others, key=lambda one: len(one.difference)), looks=looks)


def _kept(texts: Iterable[str], tried: list[str]) -> Iterator[str]:
    for text in texts:
        tried.append(text)
        yield text


def _against(record: Record, posted: str, again: Iterable[str]) -> Compared:
    """The nearest of the texts is shown where none is the same."""
    nearest, common = "", -1
    lines = set(posted.splitlines())
    for text in again:
        if posted == text or posted.endswith(f"{GAP}{text}"):
            return Compared(record, same=True)
        if (shared := len(lines & set(text.splitlines()))) > common:
            nearest, common = text, shared
    return Compared(record, same=False, difference=tuple(_difference(posted, nearest)))


def _difference(posted: str, now: str) -> Iterator[str]:
    """Short: without the heads of the format, and not for ever."""
    changed = list(unified_diff(posted.splitlines(), now.splitlines(), "posted", "now", n=0, lineterm=""))[2:]
    lines = [line for line in changed if not line.startswith("@@")]
    yield from islice(lines, SHOWN)
    if not lines:
        yield "only in blanks or ends of lines"
    if len(lines) > SHOWN:
        yield f"… and {len(lines) - SHOWN} more lines"


def _posts(entry: Published, then: Session) -> Iterator[str]:
    """A post of the library, as its kind gives it at that moment, in every form in which it may have gone
    out."""
    if entry.kind == NOTE:
        raise InputError("the words are your own. They stand in the journal, whose hashes hold.")
    name, context = entry.kind, post_context(then, stored=True)
    if name.startswith(RECORD):
        yield archive_file(context, name.removeprefix(RECORD)).rstrip("\n")
        return
    kind = next((kind for kind in KINDS if name == kind or name.startswith(f"{kind}-")), name)
    nodes = post_nodes(content_of(kind, context))
    for one in all_dialects():
        yield from _cut(nodes, one.name, entry.text)
