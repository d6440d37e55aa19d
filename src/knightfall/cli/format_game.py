"""What the verbs of people, posts, the journal and lookups print."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from tabulate import tabulate

from knightfall.cli.ways import command, in_commands
from knightfall.config.setup import VOTES
from knightfall.engine.entries import Removed, Replaced
from knightfall.engine.fair import verdict
from knightfall.engine.heads import without_line
from knightfall.sentence import Way
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.services.session import DEAL_FILE, GAME_FILE
from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.facts import local_time
from knightfall.writeups.journal import entry_line

if TYPE_CHECKING:
    from knightfall.engine.journal import Record
    from knightfall.services.deal import DealCheck, DealProof
    from knightfall.services.game.new import BegunGame, NewGame
    from knightfall.services.game.players import Absence, Prods, SlotChange
    from knightfall.services.game.rooms import RoomsLedger, RoomsMarked
    from knightfall.services.game.signups import PlayersTyped, SignupsRead, SignupsWritten
    from knightfall.services.journal import JournalExport, JournalImport, LeftOut
    from knightfall.services.keep.archive import Archive
    from knightfall.services.keep.doctor import Diagnosis
    from knightfall.services.keep.take_over import TakenOver
    from knightfall.services.keep.verify import PostCheck, Verification
    from knightfall.services.pms import Marked, PmBatch, PmLedger, PmProgress, PmToSend
    from knightfall.services.posts.write import PostDraft
    from knightfall.votes.signups import Signup


EXCERPT = 60
"""So much of an unclear post is shown."""


# ── slots ────────────────────────────────────────────────────────────────────────────────────────


def slot_change_line(change: SlotChange) -> str:
    """What became of a slot, since which post, and how that is taken back."""
    match change.record.entry:
        case Replaced(name=new):
            said = f"{new} replaces {change.name}"
        case Removed(how="modkill"):
            said = f"{change.name} is out of the game"
        case Removed():
            said = f"{change.name} is dead"
        case _:
            said = f"{change.name} is alive again"
    number, since, counts = change.record.number, "", ""
    if change.from_post is not None:  # the game has a thread, in which votes may be counted
        since = f" from post {change.from_post} on"
        counts = " Counts as of earlier posts don't change."
    return f'{said}{since} (entry {number}).{counts} Undo it with: knightfall undo {number} --why "…"'


def owed_lines(change: SlotChange) -> Iterator[str]:
    """Which PMs a replacement has to get, and how each is sent."""
    if change.owed and isinstance(change.record.entry, Replaced):
        new = change.record.entry.name
        owed = ", ".join(batch.words for batch in change.owed)
        yield f"{new} needs these PMs, which are now addressed to them: {owed}."
        for kind in (batch.kind for batch in change.owed):
            copying = f'knightfall pm {kind.partition("-")[0]}s --copy "{new}" --batch {kind}'
            yield f'  {copying}, or knightfall pm show "{new}" --batch {kind}'


def absence_line(absence: Absence) -> str:
    """Who is away when."""
    return (
        f"{absence.name} is away from {absence.first:%a %d %b %Y} to {absence.last:%a %d %b %Y} (entry "
        f"{absence.record.number}). No prods are due on these days."
    )


def prod_drafts_line(prods: Prods) -> str:
    """For whom reminders lie in the folder."""
    return f"Drafts saved in {PRIVATE_FOLDER}/, as of post {prods.at}: {', '.join(prods.names)}."


def prods_line(prods: Prods) -> str:
    """Who was prodded, by which entries."""
    if not prods.entries:
        return "Nobody has been prodded yet. Run this without --draft to record the prods."
    numbers = ", ".join(str(record.number) for record, _ in prods.entries)
    return f"Prodded: {', '.join(prods.names)} (entry {numbers})."


# ── sign-ups ─────────────────────────────────────────────────────────────────────────────────────


def signups_line(found: SignupsRead) -> str:
    """“31 posts read. 13 in, 2 backups, 4 spectators, 1 out (Pike, #17); 0 unclear.”"""
    lists = found.lists
    out = ", ".join(f"{one.name}, #{one.post}" for one in lists.out)
    counts = (
        f"{len(lists.players)} in",
        f"{len(lists.backups)} backup{'s' * (len(lists.backups) != 1)}",
        f"{len(lists.spectators)} spectator{'s' * (len(lists.spectators) != 1)}",
        f"{len(lists.out)} out{f' ({out})' if out else ''}",
    )
    return f"{len(found.posts)} posts read. {', '.join(counts)}; {len(lists.unclear)} unclear."


def signups_text(found: SignupsRead) -> str:
    """The lists with the posts that they rest on, then what is unclear, with links."""
    lines = list[str]()
    for title, people in found.groups:
        if people:
            lines.append(f"{title} ({len(people)})")
            lines += (f"{place:3}. {one.name} {_posts_of(one, found)}" for place, one in enumerate(people, 1))
    if found.lists.unclear:
        lines.append(f"Unclear, not counted ({len(found.lists.unclear)})")
    for said in found.lists.unclear:
        edited = " (edited)" * (said.post in found.edited)
        lines.append(f"  #{said.post} {said.author}: “{_excerpt(said.text)}”{edited}")
        if url := found.posts[said.post].url:
            lines.append(f"      {url}")
    lines.append(f"How every post was read ({len(found.read)})")
    for one in found.read:
        reading = _READINGS.get(one.reading, one.reading)
        reading += " (decided by you)" * (one.post in found.decided)
        text = f": “{_excerpt(one.text)}”" if one.text else ""
        lines.append(f"  #{one.post} {one.author}, {reading}{text}")
    return "\n".join(lines)


_READINGS = {
    "nothing": "not about signing up",
    "moderator": "moderator",
    "unclear": "UNCLEAR",
}
"""How a post was read, in words; what is not here is the word that was read."""


def _excerpt(text: str) -> str:
    return text if len(text) <= EXCERPT else f"{text[: EXCERPT - 1]}…"


def _posts_of(one: Signup, found: SignupsRead) -> str:
    """“#4 (edited; again #9; confirmed #12)”."""
    notes = ["edited"] * (one.post in found.edited) + ["decided by you"] * (one.post in found.decided)
    notes += [f"again {', '.join(f'#{post}' for post in one.again)}"] if one.again else []
    notes += [f"confirmed #{one.confirmed}"] if one.confirmed is not None else []
    return f"#{one.post}" + (f" ({'; '.join(notes)})" if notes else "")


def players_typed_lines(typed: PlayersTyped) -> Iterator[str]:
    """Who is listed now, and what changed."""
    yield f"{len(typed.players)} listed: {', '.join(typed.players)}."
    if typed.removed:
        yield f"Removed: {', '.join(typed.removed)}."


def signups_written_lines(written: SignupsWritten) -> Iterator[str]:
    """What changed in the game's folder, or how its player list differs."""
    if written.dealt:
        yield f"The roles have been dealt, so {written.file} was not changed."
        yield f"Signed up but not in it: {', '.join(written.added) or 'nobody'}."
        yield f"In it but not signed up: {', '.join(written.by_hand) or 'nobody'}."
    else:
        plural = "s" * (written.players != 1)
        yield f"{written.file} now lists {written.players} player{plural}."
        if written.added:
            yield f"Added: {', '.join(written.added)}."
        if written.removed:
            yield f"Removed: {', '.join(written.removed)}."
        if written.by_hand:
            yield f"Not signed up, but kept because you added them: {', '.join(written.by_hand)}."
    yield f"The player list to post is in {written.post}."


def signup_decision_line(record: Record) -> str:
    """What a post of the sign-up thread means by now."""
    undo = f'knightfall undo {record.number} --why "…"'
    return f"{record.number}: {entry_line(record.entry, record.at)}. Undo it with: {undo}"


# ── PMs ──────────────────────────────────────────────────────────────────────────────────────────


def pm_ledger_lines(found: PmLedger) -> Iterator[str]:
    """A batch as a table, under a line that sums it up."""
    batch, stands = found.batch, [row.progress for row in found.rows]
    counts = [
        f"{sum(one.reached(state) for one in stands)} {state}" for state in ("copied", "sent", "confirmed")
    ]
    named = f" ({batch.kind})" if batch.kind.partition("-")[2] else ""  # as --batch takes it
    yield f"{batch.title}{named}: {len(stands)} PM{'s' * (len(stands) != 1)}; {', '.join(counts)}."
    yield f"Subject: {batch.subject}"
    rows = [
        (f"{row.name} ({row.kind})" if row.kind else row.name, *_progress_cells(row.progress, found.at))
        for row in (*found.rows, *found.earlier)
    ]
    if rows:
        yield tabulate(rows, ("to", "state", "since"), disable_numparse=True)


def _progress_cells(progress: PmProgress, now: datetime) -> tuple[str, str]:
    """How far a PM has come, in words, and since when."""
    if not progress.state:
        state = f"changed since it was {progress.other}" if progress.other else "–"
    else:
        words = {"copied": "copied, not marked as sent", "sent": "sent, not confirmed"}
        state = words.get(progress.state, progress.state)
    if progress.since is None:
        return state, ""
    since = f"{progress.since:%d %b %H:%M UTC}"
    age = int((now - progress.since).total_seconds() // 3600)
    return state, since if progress.state == "confirmed" else f"{since} ({age} h)"


def pm_ledger_remarks(found: PmLedger) -> Iterator[str]:
    """What the moderator should look at beside the ledger, and what to type next."""
    yield from length_warning(found.batch)
    copied = sorted(row.name for row in found.rows if row.progress.state == "copied")
    if copied:
        yield f"Copied but not marked as sent: {', '.join(copied)}. Mark: knightfall pm mark sent NAME…"
    if not all(row.progress.state for row in found.rows):
        yield f"Next: knightfall pm {found.batch.kind.partition('-')[0]}s --copy-next"
    for other, count in found.elsewhere:
        see = f"knightfall pm {other.kind.partition('-')[0]}s --batch {other.kind}"
        yield f"{other.title}: {count} not copied yet. See {see}"


def rooms_text(found: RoomsLedger) -> str:
    """Every room as a table, and what to type next."""
    if not found.rows:
        return "This game has no private topics."
    rows = [
        (
            row.title,
            row.room,
            *(", ".join(who) or "–" for who in (row.should, row.inside, row.add, row.remove)),
        )
        for row in found.rows
    ]
    lines = [
        tabulate(rows, ("room", "name", "should be in", "noted", "add", "remove"), disable_numparse=True)
    ]
    due = next((row for row in found.rows if row.due), None)
    if due is not None:
        lines.append(f"When it is done: {command(Way('rooms', room=due.room))}")
    return "\n".join(lines)


def rooms_marked_lines(marked: RoomsMarked) -> Iterator[str]:
    """A line for everybody who was let in or taken out."""
    yield from (f"{one.said}." for one in marked.moves)


def length_warning(batch: PmBatch) -> Iterator[str]:
    """A warning where role PMs are so unlike in length that their sizes tell roles."""
    lengths, most = [len(pm.plain) for pm in batch.pms if pm.event.kind == "role_pm"], 2.0
    if lengths and max(lengths) > most * min(lengths):
        yield (
            f"These role PMs are {min(lengths)} to {max(lengths)} characters long. Their sizes can "
            "give roles away. Add text to the short ones."
        )


def marked_line(marked: Marked) -> str:
    """Of which PMs the state was noted."""
    return f"{marked.state.capitalize()}: {', '.join(f'{name} ({words})' for name, words in marked.pms)}."


def pms_text(pms: tuple[PmToSend, ...]) -> str:
    """PMs in full, each under its recipient and subject."""
    return "\n\n".join(
        f"{one.batch.title} ({one.pm.kind}) → {one.pm.holder}\nSubject: {one.batch.subject}\n\n{one.text}"
        for one in pms
    )


AROUND = 1
"""So many lines that stay are shown on each side of a change."""
SHOWN = 12
"""So many lines of a text that comes out otherwise are shown."""


def kept_line(draft: PostDraft) -> str:
    """Where the parts of a post are kept."""
    return f"Saved in {', '.join(f'{PUBLIC}/{file.name}' for file in draft.files)}."


def comparison_line(draft: PostDraft) -> str:
    """One sentence: against which post, and how many lines are new and gone."""
    if draft.last is None:
        return "No post of this kind is marked as posted yet (use --posted)."
    marks = [line[0] for line in _changed_lines(draft) if line]
    gone, new = marks.count("-"), marks.count("+")
    which = f"number {draft.last.number}, posted {local_time(draft.last.at, draft.zone)}"
    if not gone and not new:
        return f"No changes since the last one ({which})."
    return f"Compared with the last one ({which}): {_lines(new)} added, {_lines(gone)} removed."


def difference_text(draft: PostDraft) -> str:
    """The lines that go (-) and come (+) against the last one, those beside them as they stay."""
    return "\n".join(_changed_lines(draft)) or "No changes."


def _lines(number: int) -> str:
    return f"{number} line{'' if number == 1 else 's'}"


def _changed_lines(draft: PostDraft) -> Iterator[str]:
    before = without_line(draft.last.text).splitlines() if draft.last else []
    after = without_line(draft.text).splitlines()
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for number, group in enumerate(matcher.get_grouped_opcodes(AROUND)):
        if number:
            yield "…"
        for tag, old, old_end, new, new_end in group:
            if tag == "equal":
                yield from (f"  {line}" for line in before[old:old_end])
                continue
            yield from (f"- {line}" for line in before[old:old_end])
            yield from (f"+ {line}" for line in after[new:new_end])


def archive_lines(archive: Archive) -> Iterator[str]:
    """Where an archive was written, and whom it is for."""
    yield f"Saved: {archive.first} and {archive.files - 1} other files. Open it in a browser."
    if archive.secret:
        yield "It contains secrets, so keep it to yourself. For your players: knightfall archive --public"
    elif archive.untold:
        yield "It contains only what players may know now. Roles and nights are added when the game is over."
    else:
        yield "It contains only what players may know, and nothing from private threads or PMs."


def left_out_line(entry: LeftOut) -> str:
    """Which entry a public export lacks, and why."""
    return f"Entry {entry.number} is left out: {entry.why}"


def export_line(export: JournalExport) -> str:
    """What was written, and who may read it."""
    if export.public:
        return (
            f"Wrote {export.written} of {export.entries} entries to {export.file}. The others are secret. "
            "This file can't be imported; for a backup, leave out --public."
        )
    return (
        f"Wrote {export.written} entries to {export.file}, including secrets, so keep it to yourself. The "
        "game's seed is not in it; that is in private/deal.json."
    )


def import_line(done: JournalImport) -> str:
    """What came in, and what is still needed."""
    torn = f" Line {done.torn} was cut off and left out." if done.torn else ""
    if done.ahead:
        return f"Nothing new: this folder is {done.ahead} entries ahead of {done.file}.{torn}"
    if not done.fresh:
        return f"Nothing new: all {done.known} entries are here already.{torn}"
    first, last = done.known + 1, done.known + done.fresh
    entries = f"{done.fresh} entries, {first} to {last}" if done.fresh > 1 else f"entry {last}"
    seed = " The game's seed is not in it, so copy private/deal.json and game.toml here as well."
    return f"Imported {entries}. All hashes are valid.{torn}{seed if done.begun else ''}"


def taken_over_lines(done: TakenOver) -> Iterator[str]:
    """What came in by a hand-over, and what did not."""
    when = f"handed over by {done.by}, {datetime.fromisoformat(done.at):%Y-%m-%d %H:%M} UTC"
    if not done.fresh and not done.forks:
        ahead = f" This folder is {done.ahead} entries ahead." if done.ahead else ""
        yield f"{done.title}: nothing new, {when}.{ahead}"
    else:
        yield f"{done.title}: {done.fresh} entries, {when}; there are {done.entry} now. All hashes are valid."
    if done.texts:
        yield f"Written again: {done.texts} posts in public/."
    for one in done.forks:
        said = f"{one.record.number} {one.record.author}: {one.said}"
        if one.merged:
            yield f"Added behind yours: {said}"
        else:
            against = (
                f", which bears on entry {', '.join(map(str, one.against))} of yours" if one.against else ""
            )
            yield f"Not added: {said}{against}."
    yield from done.notes


def verified_lines(found: Verification) -> Iterator[str]:
    """What was looked at: storage, the game played again, and the texts that went out."""
    from knightfall.services.keep.verify import PostVerdict

    audit = found.audit
    if audit is None:
        return
    older = f" For {audit.unsealed} of them, read by an older Knightfall, only the texts were compared."
    yield (
        f"Journal: {audit.entries} entries. Evidence: {audit.pages} pages, {audit.posts} versions of posts."
        f"{older if audit.unsealed else ''}"
    )
    if found.damaged:
        return
    yield "All hashes are valid."
    if found.replay is not None:
        replay = found.replay
        yield f"Replay: {replay.game}, {replay.entries} entries produce {replay.events} events."
    if found.compared:
        heads = f"{found.compared} head{'s' * (found.compared != 1)}"
        yield f"Heads of the log: {heads} in posts and texts, {len(found.heads) or 'none'} of another log."
    yield from (f"{note}." for note in found.notes)
    if not found.posts:
        yield "No text is marked as posted yet."
        return
    same = sum(post.same for post in found.posts)
    texts = f"{len(found.posts)} text{'s' * (len(found.posts) != 1)}"
    yield f"Posted: {texts}, {same} of them the same byte for byte."
    for post in found.posts:
        if post.verdict is PostVerdict.NOT_MADE:
            yield f"{_post_name(post)} cannot be written again here: {in_commands(post.why)}"
        elif post.verdict is PostVerdict.OTHER_LOOK:
            yield (
                f"{_post_name(post)} has a layout that can't be written here, so only its votes were "
                "compared: it contains every wagon of the count, voter by voter. Check the rest yourself. "
                "To compare it byte for byte, put the template it was written with into the game's folder."
            )


def fault_lines(found: Verification) -> Iterator[str]:
    """What is damaged and how it is repaired, or what does not agree."""
    if found.damaged:
        yield from found.damaged
        # The deal lies beside the database, and its sentence says how it is repaired.
        if not any(DEAL_FILE in sentence for sentence in found.damaged):
            yield (
                "To repair it, move game.db away, import your last export (knightfall import FILE), and read "
                "the thread again (knightfall read --again)."
            )
    yield from (f"The deal: {wrong}." for wrong in found.deal)
    yield from (f"{wrong}." for wrong in (*found.heads, *found.texts))
    if found.missing:
        texts = ", ".join(f"{one.kind} of entry {one.entry}" for one in found.missing)
        yield f"Texts that are missing: {texts}. To write them again: {command(Way('write_texts'))}"
    for one in found.replay.unfounded if found.replay else ():
        yield (
            f"Entry {one.number} ({entry_line(one.entry)}) depends on something that was undone: "
            f"{'; '.join(why.text for why in one.refusals)}"
        )
    for post in found.different:
        lines = [f"{_post_name(post)} differs:", *post.difference[:SHOWN]]
        if not post.difference and not post.same:
            lines.append("only in spaces or line endings")
        if len(post.difference) > SHOWN:
            lines.append(f"… and {len(post.difference) - SHOWN} more lines")
        yield "\n".join(lines)


def _post_name(post: PostCheck) -> str:
    return f"Entry {post.entry}, {post.kind} {post.number}"


def new_game_text(made: NewGame, threads: Collection[str] = ()) -> str:
    """What was made, and what comes next. `threads` are the roles of the threads that were named."""
    if made.begun is not None:
        return f"Created {made.folder}: {begun_game_text(made.begun)}"
    done = f"Created {made.folder} ({GAME_FILE}, public/, private/). Only you can open it."
    if made.kind == VOTES and "game" in threads:
        return f"{done}\nNext, in that folder: knightfall vc."
    if made.kind == VOTES:
        return (
            f"{done}\nNext, in that folder: knightfall vc URL. Or add the thread to {GAME_FILE} and run "
            "knightfall vc."
        )
    signups = "" if "signup" in threads else " URL"
    return (
        f"{done}\nIt has no players yet. Next, in that folder: knightfall signup read{signups} --write, then "
        "knightfall deal."
    )


def begun_game_text(begun: BegunGame) -> str:
    """The game, how many texts it began with, and its commitment."""
    public = sum(text.is_public for text in begun.texts)
    private = len(begun.texts) - public
    return (
        f"{begun.name}, {len(begun.slots)} players; {public} post{'s' * (public != 1)} in public/, "
        f"{private} PM{'s' * (private != 1)} and sheets in private/.\n"
        f"Commitment of the deal (safe to post): sha256:{begun.commitment}"
    )


def assumed_setup_lines(assumed: str, *, begun: bool) -> Iterator[str]:
    """A loud word where a game that is made for setups of one's own was given none."""
    if assumed:
        yield f"NO SETUP WAS CHOSEN, so this game uses the default: “{assumed}”."
        if begun:
            yield "If you want another one, start again in a new folder with --setup FILE."
        else:
            yield "To choose one: knightfall deal --setup FILE."


def deal_check_text(check: DealCheck) -> str:
    """Whether the cards are those of the commitment; of a deal that nobody could choose, what is shown."""
    proof = check.proof
    if check.findings:
        lines = [f"{verdict(check.findings)}.", *(f"- {one.text}" for one in check.findings)]
        terms = proof.terms if proof else None
        if terms is not None:
            at = f" in {terms.thread}" if terms.thread else ""
            lines.append(f"The proof is of “{terms.title}”{at}, with {', '.join(terms.slots)}.")
        return "\n".join((*lines, *_by_hand(proof)))
    assert proof is not None  # else there are findings
    if check.wrong:
        return "\n".join(["This is not the deal that was committed to:", *(f"- {w}." for w in check.wrong)])
    compare = "" if check.compared else "\nCompare it with the one in the opening post."
    lines = []
    if any(proof.cards.values()):
        lines.append(f"All {len(proof.cards)} cards match the seed.")
    elif not proof.draws:
        lines.append("Nothing was dealt. The seed, the options and the players match.")
    if proof.draws:
        lines.append(
            f"All {len(proof.draws)} draws match the seed."
            if len(proof.draws) > 1
            else "The one draw matches the seed."
        )
    return "\n".join((*lines, *_by_hand(proof))) + f" Commitment:\n{proof.commitment}{compare}"


def _by_hand(proof: DealProof | None) -> Iterator[str]:
    for label, value in proof.by_hand if proof else ():
        yield f"Entered by hand, so the seed can't confirm it: {label} = {value}."


_LISTED = 12  # more values of an option than this are counted, not listed
_VALUE_WIDTH = 68


def format_examination(found: Diagnosis) -> str:
    """What was found on a page or in a game's folder, as a table."""
    lines = [(name, in_commands(said)) for name, said in found.lines]
    return tabulate(lines, tablefmt="plain", maxcolwidths=[None, _VALUE_WIDTH], disable_numparse=True)
