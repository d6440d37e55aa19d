"""Texts of what the services of posts answer, of archives and of a journal that is looked after."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.facts import local_time

if TYPE_CHECKING:  # who prints one answer need not load what answers the others
    from knightfall.services.archive import Archive
    from knightfall.services.posts import PostDraft
    from knightfall.services.transfer import JournalExport, JournalImport, LeftOut

AROUND = 1
"""So many lines that stay are shown on each side of a change."""


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
