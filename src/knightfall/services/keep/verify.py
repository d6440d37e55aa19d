"""Check that a game is what was written: its journal, its deal, and every text that went out, made again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from enum import Enum
from hashlib import sha256
from itertools import chain, tee
from pathlib import Path

from knightfall.audience import SECRET, View
from knightfall.config.calendar import day_of
from knightfall.engine.entries import Closed, Entry, Published, Replaced
from knightfall.engine.game import Refusal
from knightfall.engine.heads import line_of
from knightfall.engine.journal import Journal, Record, before_entry, entry_of, standing, start_of
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.markup.dialects import Dialect, all_dialects, dialect, dialect_names, measure
from knightfall.markup.nodes import Nodes
from knightfall.markup.tags import plain_text
from knightfall.sentence import first_line
from knightfall.services.count.request import count_nodes, themes
from knightfall.services.count.votecount import Counted, counted, with_footnotes
from knightfall.services.deal import NOTHING_POSTED, DealProof, parse_proof
from knightfall.services.deal import verify as wrong_in
from knightfall.services.fair_deal import changed_commitments, posted_of
from knightfall.services.game.end_marks import CHECKED, note_done
from knightfall.services.game.players import MOD_NOTE
from knightfall.services.keep.posted_heads import compare_heads
from knightfall.services.now import evidence_then, now_of, session_then
from knightfall.services.pms import RECEIPT
from knightfall.services.posts.facts import post_nodes
from knightfall.services.posts.framing import archive_file
from knightfall.services.posts.owed import OwedText, missing_texts, owed_texts, texts_of_entry
from knightfall.services.posts.write import KINDS, content_of
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.services.requests import CountRequest, PostFormat
from knightfall.services.running import COMMITMENT_FILE, begun
from knightfall.services.session import DEAL_FILE, Session, game_database, journal_of, read_text
from knightfall.services.threads import dialect_of, kept_thread
from knightfall.services.window.turns import dialect_here
from knightfall.storage.audit import Audit, audit
from knightfall.storage.database import Database
from knightfall.storage.drafts import PUBLIC
from knightfall.version import VERSION
from knightfall.votes.post_marks import present_number
from knightfall.votes.votecount import Votecount, seen_by
from knightfall.writeups.facts import votecount_facts
from knightfall.writeups.log_line import under, with_line
from knightfall.writeups.render import written
from knightfall.writeups.split import MOST

GAP = "\n\n"
FEW = 9
"""Up to so many parts a mark has one digit on each side."""
UNCUT = 10**9
"""No post is so long."""

_MARK = re.compile(r"\\?\((\d{1,2})/(\d{1,2})\\?\)")
"""“(2/3)”, as some dialects write it with backslashes."""


def cut_alike(nodes: Nodes, speech: str, posted: str) -> Iterator[str]:
    """A post in a dialect, cut where a posted text may have been cut."""
    for limit in limits(posted, dialect(speech)):
        with suppress(InputError):  # a limit of another dialect
            yield GAP.join(written(nodes, speech, limit))


def limits(posted: str, speech: Dialect) -> tuple[int, ...]:
    """The limits, in the dialect's unit, under which such a text may have been cut so: in the parts that it
    names, and not at all, for (1/2) may be a wagon."""
    parts = parts_of(posted)
    if len(parts) < 2:
        return (UNCUT,)
    # While the text was cut, each mark had room for as many digits as there might be parts.
    room = FEW if len(parts) <= FEW else MOST
    longest = max(
        measure(part, speech) + len(f"{room}/{room}") - len(f"{number}/{len(parts)}")
        for number, part in enumerate(parts, start=1)
    )
    return (longest, UNCUT)


def parts_of(posted: str) -> tuple[str, ...]:
    """The parts of a text that says (1/2) in the first line of each; all of it where it does not."""
    blocks = posted.split(GAP)
    marks = [
        [(int(number), int(total)) for number, total in _MARK.findall(block.partition("\n")[0])]
        for block in blocks
    ]
    for first, total in marks[0]:
        if first != 1 or not 1 < total <= MOST:
            continue
        starts = list[int]()
        for place in range(len(blocks)):
            if (len(starts) + 1, total) in marks[place]:
                starts.append(place)
        if len(starts) == total:
            ends = (*starts[1:], len(blocks))
            return tuple(GAP.join(blocks[start:end]) for start, end in zip(starts, ends, strict=True))
    return (posted,)


def possible_posts(done: Counted, posted: str, folder: Path) -> Iterator[str]:
    """The posts of a count that a text may be, cut where that one is cut: as each view sees it, in the game's
    own look, our themes and the templates of its folder, in every dialect, the likeliest first."""
    line, own = line_of(posted), dialect_of(None, done.setup, done.site, done.thread.platform)
    speeches = dict.fromkeys((own, *(one.name for one in all_dialects())))
    looks = [
        *(PostFormat(theme=theme) for theme in (None, *themes())),
        *(PostFormat(template=file) for file in sorted(folder.glob("*.j2"))),
    ]
    for count in _seen(done):
        for look in looks:
            with suppress(InputError):  # a template that is none of a count
                nodes = under(count_nodes(count, look, done.setup), line)
                yield from chain.from_iterable(cut_alike(nodes, speech, posted) for speech in speeches)


def _seen(done: Counted) -> Iterator[Votecount]:
    """With and without what may stand under it, and as the final count; for the players first."""
    noted = with_footnotes(done).count
    counts = [done.count] if noted == done.count else [done.count, noted]
    counts += [replace(one, final=True, number=None, changes=(), due=()) for one in counts]
    for view in View:
        yield from (seen for one in counts if (seen := seen_by(view, one)) != one or view is View.MOD)


_PART = re.compile(r"\s*\(\d+/\d+\)\s*")
_CHANGING = re.compile(
    r"\d+|\b(?:mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\b", re.IGNORECASE
)
"""Numbers and dates: two lines that are the same but for these are one line at two moments."""
_NUMBER = re.compile(r"\d{1,9}")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")
"""Before a number: counts were once called 1.01, and are 1.1 now."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a post: who is named in it, in order, and the numbers beside that."""

    names: tuple[str, ...]
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class _ExpectedRow:
    """Who must be named on a line, in order; which sizes and numbers can be beside them (none: any)."""

    names: tuple[str, ...]
    sizes: frozenset[int] = frozenset()
    own: frozenset[int] = frozenset()

    def is_told_by(self, row: _Row) -> bool:
        """Whether a line names just these, and where it holds numbers, the size among them and no other."""
        if row.names != self.names:
            return False
        if not self.sizes or not row.numbers:
            return True
        return bool(row.numbers & self.sizes) and row.numbers <= self.own


def same_votes(posted: str, count: Votecount, ours: Iterable[str], *, other_words: bool = False) -> bool:
    """Whether each wagon, and who does not vote, is a line of the text, and no line speaks against the count;
    `ours` are its posts in every look of ours. `other_words`: lines that name nobody may be of another
    Knightfall."""
    lines, known = posted.splitlines(), frozenset(line for text in ours for line in text.splitlines())
    names = _names_in(count)
    said, spoken = tuple(_rows(lines, names)), {row.names for row in _rows(known, names)}

    # Each wagon stands in it, and who does not vote.
    if not all(any(expected.is_told_by(row) for row in said) for expected in _expected_rows(count)):
        return False
    # No line names several who stand together on no line of ours.
    if any(row.names not in spoken for row in said if len(row.names) > 1):
        return False
    # No line is one of ours but for a number or a date; the mark of a part is none.
    known = frozenset(_ZEROS.sub("", line) for line in known)
    if other_words:
        lines = [line for line in lines if names.search(plain_text(line))]
    shapes = {_CHANGING.sub("#", line) for line in known}
    return not any(
        line not in known and not _PART.fullmatch(plain_text(line)) and _CHANGING.sub("#", line) in shapes
        for line in (_ZEROS.sub("", line) for line in lines)
    )


def _expected_rows(count: Votecount) -> Iterator[_ExpectedRow]:
    """What the text must tell: each wagon, with a size that players or the moderator see and no number that
    is not its own, and who does not vote."""
    seen = [votecount_facts(seen_by(view, count), history=False)["wagons"] for view in View]
    for wagon in seen[0]:
        same = [one for wagons in seen for one in wagons if one["name"] == wagon["name"]]
        names = (wagon["name"], *(voter["name"] for voter in wagon["voters"]))
        yield _ExpectedRow(names, frozenset(one["count"] for one in same), frozenset(_numbers(same)))
    if count.not_voting:
        yield _ExpectedRow(tuple(slot.name for slot in count.not_voting))


def _numbers(facts: object) -> Iterator[int]:
    """Every number that facts hold, however deep, and those in their words: “E-2”."""
    if isinstance(facts, Mapping):
        facts = list(facts.values())
    if isinstance(facts, list):
        for fact in facts:
            yield from _numbers(fact)
    else:
        yield from map(int, _NUMBER.findall(str(facts)))


def _rows(lines: Iterable[str], names: re.Pattern[str]) -> Iterator[_Row]:
    for line in lines:
        for text in plain_text(line).split("\n"):
            numbers = _NUMBER.findall(names.sub("", text))
            yield _Row(tuple(names.findall(text)), frozenset(map(int, numbers)))


def _names_in(count: Votecount) -> re.Pattern[str]:
    """Whoever may be named: who plays, who posted, and nobody. The longest name first."""
    tally = count.tally
    slots = [vote.voter for wagon in tally.wagons for vote in wagon.votes]
    slots += [wagon.target for wagon in tally.wagons if wagon.target] + list(tally.not_voting)
    known = {slot.name for slot in slots} | {post.author for post in count.posts.values()}
    return _any_of({*known, count.terms.no_elimination})


def _any_of(named: Iterable[str]) -> re.Pattern[str]:
    """Any of these words, the longest first."""
    words = sorted((plain_text(one) for one in named), key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in words if word))


def names_agree(posted: str, again: str, names: re.Pattern[str]) -> bool:
    """Whether two texts in other words name the same players and cards, line by line; one may name more."""
    ours, theirs = (
        Counter(row.names for row in _rows(text.splitlines(), names) if row.names) for text in (again, posted)
    )
    return ours <= theirs or theirs <= ours


def _named_in_game(journal: Journal, folder: Path) -> re.Pattern[str] | None:
    """Whoever and whatever the texts of a game name, where another Knightfall began it; else None."""
    started = start_of(journal)
    if started is None or started.version == VERSION:
        return None
    holders = (record.entry.name for record in journal if isinstance(record.entry, Replaced))
    return _any_of({*started.slots, *holders, *filter(None, proof_of(folder).cards.values())})


VOTECOUNT = "votecount-"
"""What counts are called in the journal, before the number of the day."""
RECORD = "archive-"
"""The record of a game for programs, before its format."""


class OwnWords(InputError):
    """A text that cannot be made again, which is no fault: its words were the moderator's."""


class PostVerdict(Enum):
    """What became of a text that went out, when it was made again."""

    SAME = "same"
    OTHER_LOOK = "other look"
    """It tells the same votes in a look that cannot be made here."""
    OTHER_WORDS = "other words"
    """Another Knightfall began the game: it names the same players and cards in words that are not ours."""
    DIFFERENT = "different"
    NOT_MADE = "not made"


@dataclass(frozen=True, slots=True, repr=False)
class PostCheck(JsonAnswer):
    """A text that went out, against the one that the same entries and posts give now.

    `same`: byte for byte; else `difference` has the lines that differ (- posted, + today) from the nearest,
    `looks_otherwise` where all its votes are told, `other_words` where another Knightfall wrote it and it
    names the same players and cards, and `why` where it cannot be made again. `hash_holds`: the text in the
    journal is the one of its hash.
    """

    entry: int
    kind: str
    number: int
    same: bool = False
    difference: tuple[str, ...] = field(default=(), metadata=SECRET)
    why: str = ""
    looks_otherwise: bool = False
    other_words: bool = False
    hash_holds: bool = True
    own_words: bool = False
    """Whether it cannot be made again since the moderator wrote it, or what it was made of was theirs."""

    @property
    def verdict(self) -> PostVerdict:
        """The sum of it."""
        if self.why:
            return PostVerdict.NOT_MADE
        if self.looks_otherwise and self.hash_holds:
            return PostVerdict.OTHER_LOOK
        if self.other_words and self.hash_holds:
            return PostVerdict.OTHER_WORDS
        return PostVerdict.SAME if self.same and self.hash_holds else PostVerdict.DIFFERENT


@dataclass(frozen=True, slots=True, repr=False)
class Unfounded(JsonAnswer):
    """An entry that rests on something that was taken back, and what the game says of that."""

    number: int
    entry: Entry
    refusals: tuple[Refusal, ...]


@dataclass(frozen=True, slots=True, repr=False)
class ReplayCheck(JsonAnswer):
    """A begun game played again from its journal."""

    game: str
    entries: int
    events: int
    unfounded: tuple[Unfounded, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Verification(JsonAnswer):
    """What a look at all that a game has written found.

    `audit` is what was looked at in storage; None where something beside it is damaged. `damaged` and `deal`
    are sentences on what is not as it was written and on a deal that does not agree. `replay` is None where
    no game was begun; `posts` are the texts that went out, in order, `texts` sentences on files of the folder
    that the journal does not bear out; `missing` are texts that entries owe and that are not there, which can
    be written again: until then they are a fault like the others, since who empties the folder leaves the
    same. `heads`, of which so many were `compared`, are sentences on posts that tell of another journal or
    other evidence; `notes` tell what could not be compared and is no fault. Where something is damaged,
    nothing else is told. The sentences name files, entries and private threads; how many entries there are
    tells how many messages were sent.
    """

    audit: Audit | None = field(metadata=SECRET)
    damaged: tuple[str, ...] = field(default=(), metadata=SECRET)
    deal: tuple[str, ...] = field(default=(), metadata=SECRET)
    replay: ReplayCheck | None = field(default=None, metadata=SECRET)
    posts: tuple[PostCheck, ...] = ()
    texts: tuple[str, ...] = field(default=(), metadata=SECRET)
    missing: tuple[OwedText, ...] = field(default=(), metadata=SECRET)
    heads: tuple[str, ...] = field(default=(), metadata=SECRET)
    notes: tuple[str, ...] = field(default=(), metadata=SECRET)
    compared: int = 0

    @property
    def different(self) -> tuple[PostCheck, ...]:
        """The posts that come out otherwise."""
        return tuple(post for post in self.posts if post.verdict is PostVerdict.DIFFERENT)

    @property
    def unmade(self) -> tuple[PostCheck, ...]:
        """The posts that cannot be made again although they are none of the moderator's own words."""
        return tuple(post for post in self.posts if post.why and not post.own_words)

    @property
    def exit_status(self) -> int:
        """7 for damage, 1 for what differs, is missing or cannot be made again, else 0."""
        if self.damaged:
            return StateDamaged.exit_status
        unfounded = self.replay.unfounded if self.replay else ()
        wrong = (self.deal, self.texts, self.missing, self.heads, unfounded, self.different, self.unmade)
        return int(any(map(bool, wrong)))


def verify_game(session: Session, against: Sequence[Path] = ()) -> Verification:
    """Read all that the game has written, and note where a game that is over is whole. The heads in the
    files `against`, such as a saved page of the thread, are compared, too. Raises InputError where its folder
    has no game, SetupError for a file that cannot be read."""
    found = _verified(session, {str(file): read_text(file) for file in against})
    if found.exit_status == 0:
        note_done(CHECKED, session)
    return found


OLD = (
    "The game began before all in a folder had to have a seal. A seal or a note on the last entry that was "
    "taken away looks here like one that never was"
)


REWORDED = (
    "Another version of Knightfall began this game and wrote these texts in other words, so only the players "
    "and cards that they name were compared, and they agree: {texts}"
)


@dataclass(frozen=True, slots=True)
class _Changed:
    """A file whose text is not the one that its entry gives; `reworded`: it names the same in other words."""

    file: str
    entry: int
    reworded: bool


def _verified(session: Session, against: Mapping[str, str]) -> Verification:
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
        if begun(journal):
            deal = tuple(_deal_faults(session.folder, journal, found.promised))
            replay = _replay(session)
        named = _named_in_game(journal, session.folder)
        changed = tuple(_changed_texts(journal, session, named))
        texts = (
            *_text_faults(journal, session.folder),
            *(
                f"{one.file} says something else than entry {one.entry}"
                for one in changed
                if not one.reworded
            ),
            *_changed_finals(journal, session, named),
        )
        missing = missing_texts(session)
        heads = compare_heads(journal, session, against)
        posts = tuple(_posts(journal, session, named))
        reworded = [f"{one.kind} {one.number}" for one in posts if one.verdict is PostVerdict.OTHER_WORDS]
        reworded += [one.file for one in changed if one.reworded]
        notes = (
            *heads.notes,
            *((OLD,) if begun(journal) and not found.promised else ()),
            *((REWORDED.format(texts=", ".join(reworded)),) if reworded else ()),
        )
        return Verification(
            found, (), deal, replay, posts, texts, missing, heads.faults, notes, heads.compared
        )
    except StateDamaged as damage:
        return Verification(None, (damage.message,))


_OF_AN_ENTRY = re.compile(r"([0-9]{3,})-.+\.txt")
"""A text that an entry led to begins with its number."""


def _text_faults(journal: Journal, folder: Path) -> Iterator[str]:
    """The texts in a game's folder against its journal: those of entries that are not there, and those in
    public/ that went out and say something else by now.

    A draft that was not noted as posted is the moderator's to change, and so is one that was written anew
    since, which has another head; posts of deadlines are such drafts, too. Nothing follows from them: what
    was posted is read from the forum.
    """
    last = journal[-1].number if journal else 0
    restore = "entries are missing. Put your last backup or export in its place"
    for half in ("public", "private"):
        for file in sorted((folder / half).glob("*.txt")):
            numbered = _OF_AN_ENTRY.fullmatch(file.name)
            if numbered and int(numbered[1]) > last:
                of = f"{half}/{file.name} is of entry {int(numbered[1])}"
                yield f"{of}, the journal ends with {last}: {restore}"
    if (folder / DEAL_FILE).exists() and journal and not begun(journal):
        yield f"{DEAL_FILE} is there, but the journal has no beginning of a game: {restore}"
    went_out = {
        (_kind_of(one.entry.kind), line_of(one.entry.text)): (one.number, one.entry.text)
        for one in journal
        if isinstance(one.entry, Published)
    }
    for file in sorted((folder / "public").glob("*.txt")):
        text = file.read_text(encoding="utf-8", errors="replace").rstrip()
        number, posted_text = went_out.get((_kind_of(file.stem), line_of(text)), (0, ""))
        if line_of(text) and number and not posted_text.rstrip().endswith(text):
            yield f"public/{file.name} is not the text of entry {number}, which went out"
    for record in standing(journal):
        # Other kinds are drafts, which may be written anew after one of them went out.
        if isinstance(entry := record.entry, Published) and entry.kind == MOD_NOTE:
            posted = folder / "public" / f"{entry.kind}-{entry.number}.txt"
            with suppress(OSError):
                text = posted.read_text(encoding="utf-8", errors="replace")
                if text.rstrip("\n") != entry.text.rstrip("\n"):
                    yield f"public/{posted.name} is not the text of entry {record.number}, which went out"


def _kind_of(name: str) -> str:
    """Which kind of the library a post is, by its name in the journal or that of its file; as it is where it
    is none."""
    return next((kind for kind in KINDS if name == kind or name.startswith(f"{kind}-")), name)


def _changed_texts(journal: Journal, session: Session, named: re.Pattern[str] | None) -> Iterator[_Changed]:
    """The texts of entries in both halves, which are posted and sent, that no look of ours has as they are
    there; receipts aside, which tell what stood when they were sent. `named`: see `_named_in_game`."""
    table = now_of(session).table
    speeches = (here := dialect_here(None, session), *(one for one in dialect_names() if one != here))
    standing_now = {record.number for record in standing(journal)}
    for number in sorted({one.entry for one in owed_texts(journal, table)} & standing_now):
        record = entry_of(journal, number)
        there = {
            (half, file.name): file.read_text(encoding="utf-8", errors="replace")
            for half in (PUBLIC, PRIVATE_FOLDER)
            for file in (session.folder / half).glob(f"{number:03}-*.txt")
            if half == PUBLIC or f"-{RECEIPT}-" not in file.name
        }
        reworded = set[tuple[str, str]]()
        for speech in speeches:
            if not there:
                break
            for half, name, text in texts_of_entry(record, journal, table, session, speech):
                found = there.get((half, name), "")
                again = with_line(text, line_of(found), speech) if half == PUBLIC else text
                if found.rstrip() == again.rstrip():
                    there.pop((half, name), None)
                elif found and named is not None and names_agree(found, again, named):
                    reworded.add((half, name))
        for half, name in sorted(there):
            yield _Changed(f"{half}/{name}", number, (half, name) in reworded)


def _changed_finals(journal: Journal, session: Session, named: re.Pattern[str] | None) -> Iterator[str]:
    """The final counts of days in public/ that tell other votes than the day was closed with; of one whose
    posts cannot be counted any more nothing is said. `named`: see `_named_in_game`."""
    for record in standing(journal):
        day = day_of(record.entry.window) if isinstance(record.entry, Closed) else None
        file = session.folder / PUBLIC / f"votecount-{day}.F.txt"
        if day is None or not file.is_file():
            continue
        assert isinstance(record.entry, Closed)
        text, mark = file.read_text(encoding="utf-8", errors="replace").rstrip("\n"), record.entry.mark
        upto = str(mark.number) if mark is not None else ""
        digest = sha256(text.encode()).hexdigest()
        told = replace(record, entry=Published(f"{VOTECOUNT}{day}", 0, digest, text, upto, mark))
        if compare(told, journal, session, named).verdict is PostVerdict.DIFFERENT:
            yield f"public/{file.name} tells other votes than those with which day {day} was closed"


def _deal_faults(folder: Path, journal: Journal, promised: bool) -> Iterator[str]:
    """The deal against its commitment, and against the start of the game. Raises StateDamaged where it
    cannot be read. `promised`: the game is one of today, of which the commitment cannot be missing."""
    proof = proof_of(folder)
    try:
        lines = (folder / COMMITMENT_FILE).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        committed = None  # it is compared with what the deal itself says
        if promised:
            yield f"{COMMITMENT_FILE} is missing, which held the commitment that the opening post quotes"
    else:
        committed = lines[1].strip() if len(lines) > 1 else ""
    yield from wrong_in(proof, committed, posted_of(journal) if proof.fair else NOTHING_POSTED)
    if proof.fair:
        yield from changed_commitments(folder, journal)
    started = start_of(journal)
    assert started is not None  # only then there is a deal to compare
    if (proof.terms.game, proof.terms.slots) != (started.game, started.slots):
        yield f"{DEAL_FILE} belongs to another game than the journal"
    if dict(proof.terms.options) != dict(started.options):
        yield f"{DEAL_FILE} has other options than the journal"


def proof_of(folder: Path) -> DealProof:
    """The deal of a folder. Raises StateDamaged where it is not as it was written."""
    try:
        return parse_proof(DEAL_FILE, (folder / DEAL_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError, KnightfallError) as error:
        raise StateDamaged(
            f"{folder / DEAL_FILE} was changed or damaged ({error}). It holds the random seed of "
            "the game. Restore it from a backup."
        ) from None


def _replay(session: Session) -> ReplayCheck:
    table = now_of(session).running
    entries = {record.number: record.entry for record in table.journal}
    unfounded = tuple(
        Unfounded(taken.number, entries[taken.number], tuple(why for _, why in taken.refused))
        for taken in table.replay.questions
    )
    return ReplayCheck(table.game.spec.name, len(table.journal), len(table.replay.events), unfounded)


def _posts(journal: Journal, session: Session, named: re.Pattern[str] | None) -> Iterator[PostCheck]:
    """Every text that went out, made again."""
    records = [record for record in standing(journal) if isinstance(record.entry, Published)]
    for place, record in enumerate(records, start=1):
        yield compare(record, journal, session, named)
        if session.progress:
            session.progress(place, len(records))


def compare(
    record: Record, journal: Journal, session: Session, named: re.Pattern[str] | None = None
) -> PostCheck:
    """A published text against the one that the same entries and posts give now. `named`: whom and what the
    texts of a game that another Knightfall began have to name alike. Raises StateDamaged."""
    entry = record.entry
    assert isinstance(entry, Published)
    holds = sha256(entry.text.encode()).hexdigest() == entry.sha256
    check = PostCheck(record.number, entry.kind, entry.number, hash_holds=holds)
    then = session_then(session, before_entry(journal, record.number), record.at)
    try:
        if not entry.kind.startswith(VOTECOUNT):
            again, tried = tee(_texts_again(entry, evidence_then(then, record.at)))
            found = _against(entry, check, again)
            if entry.kind == "signup" and holds and not found.same:
                # The game file has the players of today; who had signed up by then stands nowhere.
                raise OwnWords("the list of players in the game file has changed since it was posted.")
            if named is not None and not found.same:
                agree = any(names_agree(entry.text, text, named) for text in tried)
                return replace(found, other_words=agree)
            return found

        # A count by its bytes, else by its votes; the least difference is shown.
        others, looks_otherwise = list[PostCheck](), False
        for done in _counts_again(entry, record, then):
            possible, tried = tee(possible_posts(done, entry.text, session.folder))
            found = _against(entry, check, possible)
            if found.same:
                return found
            looks_otherwise |= same_votes(entry.text, done.count, tried, other_words=named is not None)
            others.append(found)
        nearest = min(others, key=lambda one: len(one.difference))
        return replace(nearest, looks_otherwise=looks_otherwise)
    except StateDamaged:
        raise
    except KnightfallError as error:
        return replace(check, why=first_line(error), own_words=isinstance(error, OwnWords))


def _counts_again(entry: Published, record: Record, then: Session) -> Iterator[Counted]:
    """The counts that the text may be of. Raises InputError where there is nothing to count, or no day."""
    request = CountRequest(day=int(entry.kind.removeprefix(VOTECOUNT)), stored=True)
    yield counted(request, evidence_then(then, record.at, int(entry.upto or 0)))
    thread = kept_thread(now_of(then).setup, then) if entry.upto else None
    last = present_number(int(entry.upto), entry.mark, thread.posts) if thread else entry.upto
    yield counted(replace(request, at=str(last)), then)


def _texts_again(entry: Published, then: Session) -> Iterator[str]:
    """A post of the library, as its kind gives it at that moment, in every form in which it may have gone
    out."""
    if entry.kind == MOD_NOTE:
        raise OwnWords("you wrote the words yourself. They are in the journal, whose hashes hold.")
    name, context = entry.kind, now_of(then)
    if name.startswith(RECORD):
        yield archive_file(context, name.removeprefix(RECORD)).rstrip("\n")
        return
    nodes = post_nodes(content_of(_kind_of(name), context), zone=context.zone, line=line_of(entry.text))
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
