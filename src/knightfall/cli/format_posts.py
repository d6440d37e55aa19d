"""Texts of what the services of posts answer, of archives and of a journal that is looked after."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.facts import local_time
from knightfall.writeups.journal import entry_line

if TYPE_CHECKING:  # who prints one answer need not load what answers the others
    from knightfall.services.archive import Archive
    from knightfall.services.posts import PostDraft
    from knightfall.services.transfer import JournalExport, JournalImport, LeftOut
    from knightfall.services.verify import PostCheck, Verification

AROUND = 1
"""So many lines that stay are shown on each side of a change."""
SHOWN = 12
"""So many lines of a text that comes out otherwise are shown."""


def kept_line(draft: PostDraft) -> str:
    """Where the parts of a post are kept."""
    return f"Kept in {', '.join(f'{PUBLIC}/{file.name}' for file in draft.files)}."


def comparison_line(draft: PostDraft) -> str:
    """One sentence: against which post, and how many lines are new and gone."""
    if draft.last is None:
        return "Nothing of this kind was noted as posted yet (--posted notes it)."
    marks = [line[0] for line in _changed_lines(draft) if line]
    gone, new = marks.count("-"), marks.count("+")
    which = f"number {draft.last.number}, noted {local_time(draft.last.at, draft.zone)}"
    if not gone and not new:
        return f"Nothing changes against the last one ({which})."
    return f"Against the last one ({which}): {_lines(new)} new, {_lines(gone)} gone."


def difference_text(draft: PostDraft) -> str:
    """The lines that go (-) and come (+) against the last one, those beside them as they stay."""
    return "\n".join(_changed_lines(draft)) or "Nothing changes."


def _lines(number: int) -> str:
    return f"{number} line{'' if number == 1 else 's'}"


def _changed_lines(draft: PostDraft) -> Iterator[str]:
    before, after = draft.last.text.splitlines() if draft.last else [], draft.text.splitlines()
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
    yield f"Written: {archive.first} and {archive.files - 1} files beside it. Open it in a browser."
    if archive.secret:
        yield "It holds secrets: keep it to yourself. For everybody: knightfall archive --public"
    elif archive.untold:
        yield "It holds what everybody may know now; roles and nights come in when the game is over."
    else:
        yield "It holds what everybody may know, and nothing of private threads or PMs."


def left_out_line(entry: LeftOut) -> str:
    """Which entry a public export lacks, and why."""
    return f"Entry {entry.number} is left out: {entry.why}"


def export_line(export: JournalExport) -> str:
    """What was written, and who may read it."""
    if export.public:
        return (
            f"{export.written} of {export.entries} entries are in {export.file}; the others are secret. It "
            "is to be read, not to be imported: for a backup, leave --public out."
        )
    return (
        f"{export.written} entries are in {export.file}, secrets included: keep it to yourself. Its chance "
        "is not: that is in private/deal.json."
    )


def import_line(done: JournalImport) -> str:
    """What came in, and what is still needed."""
    torn = f" Line {done.torn} was cut off and left out." if done.torn else ""
    if done.ahead:
        return f"Nothing new: this folder is {done.ahead} entries ahead of {done.file}.{torn}"
    if not done.fresh:
        return f"Nothing new: all {done.known} entries are here already.{torn}"
    last = done.known + done.fresh
    seed = " The game's chance is not in it: copy private/deal.json and game.toml here, too."
    return (
        f"{done.fresh} entries imported, {done.known + 1} to {last}; the chain holds.{torn}"
        f"{seed if done.begun else ''}"
    )


def verified_lines(found: Verification) -> Iterator[str]:
    """What was looked at: storage, the game played again, and the texts that went out."""
    from knightfall.services.verify import PostVerdict

    audit = found.audit
    if audit is None:
        return
    older = f" {audit.unsealed} of them by an older Knightfall: only their texts were compared."
    yield (
        f"Journal: {audit.entries} entries. Evidence: {audit.pages} pages, {audit.posts} versions of posts."
        f"{older if audit.unsealed else ''}"
    )
    if found.damaged:
        return
    yield "Every hash holds."
    if found.replay is not None:
        replay = found.replay
        yield f"Replay: {replay.game}, {replay.entries} entries lead to {replay.events} events."
    if not found.posts:
        yield "Nothing was noted as posted yet."
        return
    same = sum(post.same for post in found.posts)
    yield f"Posted: {len(found.posts)} texts, {same} of them come out the same byte for byte."
    for post in found.posts:
        if post.verdict is PostVerdict.NOT_MADE:
            yield f"{_post_name(post)} cannot be made again here: {post.why}"
        elif post.verdict is PostVerdict.OTHER_LOOK:
            yield (
                f"{_post_name(post)} looks otherwise than any post that can be made here, and only so much "
                "was compared: every wagon of the count stands in it, voter by voter. Read the rest by eye, "
                "or put the template that it was written by into the game's folder: then it is compared byte "
                "for byte."
            )


def fault_lines(found: Verification) -> Iterator[str]:
    """What is damaged and how it is repaired, or what does not agree."""
    if found.damaged:
        yield from found.damaged
        yield (
            "To repair: move game.db away, bring the journal back from your last export (knightfall import "
            "FILE), and read the thread again (knightfall read --again)."
        )
    yield from (f"The deal: {wrong}." for wrong in found.deal)
    for one in found.replay.unfounded if found.replay else ():
        yield (
            f"Entry {one.number} ({entry_line(one.entry)}) rests on something that was taken back: "
            f"{'; '.join(why.text for why in one.refusals)}"
        )
    for post in found.different:
        lines = [f"{_post_name(post)} differs:", *post.difference[:SHOWN]]
        if not post.difference and not post.same:
            lines.append("only in blanks or ends of lines")
        if len(post.difference) > SHOWN:
            lines.append(f"… and {len(post.difference) - SHOWN} more lines")
        yield "\n".join(lines)


def _post_name(post: PostCheck) -> str:
    return f"Entry {post.entry}, {post.kind} {post.number}"
