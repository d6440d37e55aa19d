"""Texts of what the services of a count answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby
from shlex import quote
from textwrap import fill
from typing import TYPE_CHECKING, TypeVar

from knightfall.cli.ways import command, in_commands
from knightfall.forums import html_style_of
from knightfall.markup.dialects import dialect, measure
from knightfall.markup.html import plain_text
from knightfall.models import UNKNOWN_ZONE, ChangeKind, Post
from knightfall.names import slips, squash
from knightfall.sentence import Sentence, Way, joined, sentence
from knightfall.services.evidence import difference
from knightfall.votes.post_marks import unmarked_numbers
from knightfall.votes.questions import Question, grouped
from knightfall.writeups.facts import changes_facts, local_time
from knightfall.writeups.split import unit
from knightfall.writeups.tables import WIDTH, plain_columns, short, table
from knightfall.writeups.vote_words import (
    REASONS,
    change_line,
    clock_sentence,
    could_be,
    hammer_condition,
    house_rule,
    post_lines,
    second_count_lines,
    vote_excerpt,
    wagon_lines,
)

if TYPE_CHECKING:
    from knightfall.models import PageSeen, PostChange, Thread
    from knightfall.services.count.activity import ActivityReport, PlayerActivity
    from knightfall.services.count.explain import Explanation
    from knightfall.services.count.roster import NicknameSuggestions, SlotList
    from knightfall.services.count.votecount import VotecountAnswer
    from knightfall.services.threads import ThreadRead
    from knightfall.votes.nicknames import Proposal
    from knightfall.votes.tally import Doubt, Tally
    from knightfall.votes.votecount import Votecount

T = TypeVar("T")

SHOWN = 12
"""So many lines of one kind are shown; the rest is counted."""
EXCERPT = 50
"""So much of a near miss is shown."""
PART = 3
"""A word of so many letters that stands in a name is a part of it."""
# The words of a vote that are no part of a name.
_VERB = re.compile(r"\b(?:un)?vot(?:e|es|ing)\b", re.IGNORECASE)
GONE = 200
"""So much of a post that vanished is shown."""
USES = 5
"""So many uses of a nickname are shown; the rest is counted."""
EDITS = 3
"""So many of the newest edits are shown."""
NAME = 12
"""So much of a name stands in the table of who posts."""
VALUE_WIDTH = 64
SLOT_WIDTHS = (2, 18, 14, 14, 16, 6)


def before_count(answer: VotecountAnswer) -> Iterator[str]:
    """What is told before the post: what was read, what changed there, what was assumed, what moved."""
    done, thread = answer.counted, answer.counted.thread
    read = f"Read posts {thread.posts[0].number}–{thread.posts[-1].number}"
    if thread.complete:
        yield f"{read}, {thread.pages} page{'s' * (thread.pages > 1)}, complete."
    else:
        yield f"{read}. No post is missing up to {thread.whole_to}, which is enough for this count."
    yield from age_lines(answer.old, answer.now)
    yield from change_lines(answer.news, thread.platform)
    yield from shift_lines(answer.news, thread, unmarked_numbers(done.setup) if done.setup else None)
    yield from done.count.assumed
    yield from _house_lines(answer)
    yield from second_count_lines(done.count.second, done.count.terms.no_elimination)
    moves = [
        f"{change['voter']} {change['before'] or '–'} → {change['now'] or '–'} (#{change['post']['number']})"
        for change in changes_facts(done.count)
    ]
    if moves:
        yield f"Changes since the last posted count: {', '.join(moves)}."


def _house_lines(answer: VotecountAnswer) -> Iterator[Sentence]:
    """What else players write that nobody knows, and what was answered for an earlier game on the site."""
    told = " ".join(answer.counted.count.assumed)
    for one in answer.counted.count.house:
        if one.open and one.unheard and one.asked not in told:
            answers = joined(", or ", (Way("say_house", word=word) for word in one.answers))
            yield sentence("{asked} Answer once: {answers}", asked=one.asked, answers=answers)
    if answer.earlier_house:
        yield sentence(
            "For an earlier game on this site you said: {said}. The same here: {again}",
            said="; ".join(map(house_rule, answer.earlier_house)),
            again=joined(", ", (Way("say_house", word=word) for word in answer.earlier_house)),
        )


def age_lines(pages: Sequence[PageSeen], now: datetime) -> Iterator[str]:
    """How long ago pages were read that are not fresh, those of about one age together."""
    ages = [(page.number, _age(now - page.at)) for page in pages]
    said: list[str] = []
    for age, same in groupby(ages, key=lambda one: one[1]):
        numbers = [number for number, _ in same]
        span = f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else f"{numbers[0]}"
        said.append(
            f"page{'s' * (len(numbers) > 1)} {span} {'were' if len(numbers) > 1 else 'was'} read {age} ago"
        )
    if said:
        told = ", ".join(said)
        yield f"{told[0].upper()}{told[1:]}. To read them again, add --again."


def _age(passed: timedelta) -> str:
    """“12 minutes”, “3 hours”, “2 days”: whole ones."""
    for name, length in (("day", timedelta(days=1)), ("hour", timedelta(hours=1))):
        if passed >= length:
            return f"{passed // length} {name}{'s' * (passed >= 2 * length)}"
    return f"{passed // timedelta(minutes=1)} minutes"


def part_headings(parts: Sequence[str], writer: str) -> tuple[str, ...]:
    """What is told before each part of a post in that dialect; nothing where there is only one."""
    if len(parts) == 1:
        return ("",)
    speech = dialect(writer)
    return tuple(
        f"— part {number} of {len(parts)}, {measure(part, speech)} {unit(speech)} —"
        for number, part in enumerate(parts, 1)
    )


def after_count(answer: VotecountAnswer) -> Iterator[str]:
    """What is told after the post: what the hammer rests on, what looks like a vote and was not counted."""
    if condition := hammer_condition(answer.counted.count.tally.hammer):
        yield f"\n{condition}"
    missed = answer.uncounted
    if missed:
        rows = [
            (f"#{m.post}", short(m.voter, 20), REASONS[m.why], vote_excerpt(m.text, 30))
            for m in missed[:SHOWN]
        ]
        yield f"\nNot counted ({len(missed)}):\n{plain_columns(rows)}"
        if len(missed) > SHOWN:
            yield f"… and {len(missed) - SHOWN} more. List them all with --json."
    if answer.repeated:
        yield f"\nQuoted votes that were counted in the original post: {len(answer.repeated)}."


def decisions_text(answer: VotecountAnswer, *, in_game: bool) -> Sentence:
    """All that waits for the moderator: decisions without their posts, who lives, votes, and the board's
    clock. Without a game there is no place yet for a decision: how it is made."""
    count = answer.counted.count
    votes = (questions_text(count),) if answer.questions else ()
    place = (new_game_for(answer.counted.thread),) if votes and not in_game else ()
    clock = (clock_sentence(answer.clock, count.zone),) if answer.clock is not None else ()
    return joined("\n", (*answer.lost, *answer.to_say, *votes, *place, *clock))


def new_game_for(thread: Thread) -> str:
    """The command that makes a folder for the decisions on a thread."""
    title = " ".join(thread.title.split()).lstrip("-") or "My game"
    named = f" --thread {quote(f'game={thread.url}')}" if thread.url else ""
    return (
        f"Decisions are kept in a game's folder. To make one:  knightfall new votes {quote(title)}{named}\n"
        "Then go on in that folder; pages that you saved are read there with knightfall read --from-html."
    )


def questions_text(count: Votecount) -> str:
    """The votes of a count that need a decision, what stands until then, and what to type for the first."""
    doubts, questions = count.questions, grouped(count.questions)
    beside = {id(question): _meanwhile(question.doubts[0], count.tally) for question in questions}
    need = "1 vote needs" if len(doubts) == 1 else f"{len(doubts)} votes need"
    lines = [f"{need} your decision."]
    if not any(beside.values()):
        whose = "the voter's" if len(doubts) == 1 else "each voter's"
        lines = [f"{lines[0]} Until then, {whose} earlier vote stands."]
    for question in questions[:SHOWN]:
        doubt = question.doubts[0]
        stands = "" if len(question.doubts) > 1 else beside[id(question)]
        lines.append(f"  {_asked(question, doubt)}{f' {stands}' if stands else ''}")
    if len(questions) > SHOWN:
        lines.append(f"  … and {len(questions) - SHOWN} more. List them all with --json.")
    lines += _how_to_decide(questions[0])
    return "\n".join(lines)


def _asked(question: Question, doubt: Doubt) -> str:
    """What is asked: of one vote by its line, of several by the name that they share."""
    if len(question.doubts) > 1:
        posts = [f"#{one.post}" for one in question.doubts]
        voters = list(dict.fromkeys(one.voter for one in question.doubts))
        by = voters[0] if len(voters) == 1 else f"{len(voters)} players"
        return f"“{vote_excerpt(question.name, 40)}” in {', '.join(posts)} by {by} {could_be(question)}."
    said = f"“{vote_excerpt(doubt.text, 40)}”"
    if doubt.why:
        return f"#{doubt.post} {doubt.voter} {doubt.why}: decide. It reads {said}."
    return f"#{doubt.post} {doubt.voter}: {said} {could_be(question)}."


def _how_to_decide(question: Question) -> list[str]:
    """What to type for a question. A name is offered where the moderator's own count has it, or one alone is
    near, or was called so in an earlier game: what can be pasted must be no guess among several, nor somebody
    of whom the post has no letter."""
    first, names = question.doubts[0], question.candidates
    if question.unvote:
        lines = [f'Decide:  knightfall fix {first.post} --unvote --why "…"   (or --ignore, or --to NAME)']
        return (
            lines
            if first.why
            else [*lines, f'or in game.toml:  [[fix]]  post = {first.post}, unvote = true, why = "…"']
        )
    near = [name for name in names if any(_is_written(name, doubt.text) for doubt in question.doubts)]
    known = question.count is not None or (len(question.earlier) == 1 and names[0] in question.earlier)
    sure = known or len(names) == len(near) == 1
    name = names[0] if names and sure else "NAME"
    fix = f'knightfall fix {first.post} --to {quote(name)} --why "…"   (or --ignore)'
    if question.alias is not None and (len(question.doubts) > 1 or known):
        # One answer for all of them, and for those to come.
        settles = "Decide them all" if len(question.doubts) > 1 else "Decide"
        lines = [f'{settles}:  knightfall alias {quote(name)} {quote(question.alias)} --why "…"']
        lines.append(f'or in game.toml:  [[player]] {name}: aliases = ["{question.alias}"]')
        return [*lines, f"or one post alone:  {fix}"]
    lines = [f"Decide:  {fix}"]
    if not first.why:  # a decision in the journal goes before the file's
        lines.append(f'or in game.toml:  [[fix]]  post = {first.post}, to = "{name}", why = "…"')
    return lines


def _meanwhile(doubt: Doubt, tally: Tally) -> str:
    """What of the voter counts until an unclear vote is decided; nothing where it is an earlier vote."""
    votes = [vote for wagon in tally.wagons for vote in wagon.votes if doubt.voter in vote.voter.names]
    if not votes:
        return f"{doubt.voter} has no vote until then."
    latest = max(vote.post for vote in votes)
    if latest < doubt.post:
        return ""
    here = latest == doubt.post
    if here and doubt.count is not None:
        target = next(vote.target for vote in votes if vote.post == latest)
        return f"It counts for {target.name} until then." if target else ""
    return f"Another vote in {'this post' if here else f'#{latest}, which is later,'} counts."


def _is_written(name: str, said: str) -> bool:
    """Whether a word of what was said is the name, a part of it, or a slip in writing it."""
    bare = squash(name)
    parts = {bare, *(part for part in map(squash, name.split()) if len(part) >= PART)}
    words = [word for word in map(squash, _VERB.sub(" ", said).split()) if word]
    heads = [*words, "".join(words)]
    return any(
        bare.startswith(word)
        or (len(word) >= PART and word in bare)
        or any(slips(word, part) * 3 <= len(part) for part in parts)
        for word in heads
    )


def explanation_text(found: Explanation) -> str:
    """Why a wagon or a post counts so, and which version of an edited post was read."""
    from knightfall.services.count.explain import WagonExplanation

    if isinstance(found, WagonExplanation):
        lines = [*wagon_lines(found.wagon, found.count)]
    else:
        lines = [*post_lines(found.number, found.count)]
        if len(lines) == 1 and found.said:
            lines.append(f"No vote was found in this post: “{vote_excerpt(found.said, GONE)}”.")
    versions = (
        f"#{one.post} has {one.seen} known versions. This uses version {one.read.number}, first seen "
        f"{one.read.first_seen:%Y-%m-%d %H:%M:%S} UTC. To see them: knightfall evidence {one.post}"
        for one in found.versions
    )
    return "\n".join((*lines, *versions))


def change_lines(changes: Sequence[PostChange], platform: str) -> Iterator[str]:
    """What changed in a thread, each with the lines that differ."""
    for change in changes[:SHOWN]:
        yield change_line(change)
        if change.became is ChangeKind.VANISHED:
            text = " ".join(plain_text(change.post.body, html_style_of(platform)).split())
            yield f"  it said: {text if len(text) <= GONE else f'{text[:GONE]}…'}"
        elif change.before is not None:
            yield from (f"  {line}" for line in difference(change.before, change.post, platform))
    if len(changes) > SHOWN:
        yield f"… and {len(changes) - SHOWN} more changes. To see each: knightfall evidence POST"


def shift_lines(
    changes: Sequence[PostChange], thread: Thread, unmarked: tuple[int, ...] | None
) -> Iterator[str]:
    """That the forum counts its posts anew behind one that vanished, so that numbers without marks
    (`unmarked`; None: nobody knows which) mean other posts now; nothing where numbers stay."""
    gone = {one.post.number: one.post.id for one in changes if one.became is ChangeKind.VANISHED}
    moved = (post.number for post in thread.posts if gone.get(post.number, post.id) != post.id)
    first = min(moved, default=None)
    if first is None:
        return
    said = f"Posts from #{first} on have other numbers now than before."
    if unmarked is not None and all(number < first for number in unmarked):
        yield f"{said} What you decided stays with its posts."
    else:
        yield (
            f"{said} What you decided by number (fix, replace, modkill, phase open --post) means the post "
            "that has it now: see knightfall log, undo it and say it again."
        )


def thread_table(thread: Thread) -> str:
    """Pages, posts, first and last post of a thread, in at most 80 columns."""
    rows: list[tuple[str, object]] = [
        ("Title", thread.title),
        ("Forum", thread.platform),
        ("Pages", thread.pages),
        ("Posts", len(thread.posts)),
    ]
    ends = (("First post", thread.posts[0]), ("Last post", thread.posts[-1])) if thread.posts else ()
    for name, post in ends:
        when, about = "no time given", ""
        if post.time:
            when = _when(post.time, post)
            about = "about " if post.approximate and post.zone != UNKNOWN_ZONE else ""
        rows.append((name, f"#{post.number} {post.author}, {about}{when}"))
    rows.append(("Complete", "yes" if thread.complete else "no"))
    return table(rows, tablefmt="plain", maxcolwidths=[None, VALUE_WIDTH])


def _when(moment: datetime, post: Post) -> str:
    """An instant that a post tells, in UTC where the zone of its board is known."""
    return f"{moment:%Y-%m-%d %H:%M} {'in an unknown time zone' if post.zone == UNKNOWN_ZONE else 'UTC'}"


def news_lines(found: ThreadRead) -> Iterator[str]:
    """What changed since the last read, and which posts the forum says were edited last."""
    yield from change_lines(found.news, found.thread.platform)
    yield from shift_lines(found.news, found.thread, found.unmarked)
    edits = [(post.edited, post.number, post) for post in found.thread.posts if post.edited]
    edits.sort(key=lambda edit: edit[:2], reverse=True)
    if edits:
        newest = "; ".join(
            f"#{number} {post.author}, {_when(at, post)}" for at, number, post in edits[:EDITS]
        )
        more = f" and {len(edits) - EDITS} older" if len(edits) > EDITS else ""
        yield f"Newest edits: {newest}{more}."


def slots_table(found: SlotList) -> str:
    """A row a slot, in at most 80 columns."""
    rows = [
        (
            number,
            slot.player,
            ", ".join(slot.earlier),
            ", ".join(slot.aliases),
            f"{slot.left.how.value} #{slot.left.post}" if slot.left else "alive",
            "" if slot.last_post is None else f"#{slot.last_post}",
        )
        for number, slot in enumerate(found.slots, start=1)
    ]
    alive = sum(slot.left is None for slot in found.slots)
    heads = ("#", "player", "before", "aliases", "state", "last")
    shown = table(rows, heads)
    if len(shown.splitlines()[1]) > WIDTH:
        shown = table(rows, heads, maxcolwidths=list(SLOT_WIDTHS))
    head = f"As of post {found.at}: {alive} of {len(rows)} alive."
    return "\n".join([head, *(line.rstrip() for line in shown.splitlines())])


def suggestions_text(found: NicknameSuggestions) -> str:
    """A paragraph a nickname: its use, its evidence with links, and the command that accepts it."""
    paragraphs = ["\n".join(_suggestion_lines(proposal, found)) for proposal in found.proposals]
    return "\n\n".join(paragraphs) or "No nicknames were found that are safe to add."


def _suggestion_lines(proposal: Proposal, found: NicknameSuggestions) -> Iterator[str]:
    from knightfall.votes.nicknames import ClaimBasis

    name, times, people = proposal.slot.name, len(proposal.uses), proposal.people
    used = f"used {times} time{'s' * (times > 1)} by {people} {'people' if people > 1 else 'person'}"
    yield f"{name}: “{proposal.alias}”, {used}; {proposal.strength.value}."
    reasons = list(ClaimBasis)
    telling = sorted(proposal.uses, key=lambda use: reasons.index(use.because))
    for use in telling[:USES]:
        said = {
            ClaimBasis.HEADING: f"lists the votes on {name} under “{use.text}”",
            ClaimBasis.VOTER: f"lists {name}'s vote under “{use.text}”",
            ClaimBasis.SHOWN: f"votes “{use.text}”; the votecount in #{use.count} counts it for {name}",
            ClaimBasis.DECIDED: f"votes “{use.text}”; you decided that it is for {name}",
            ClaimBasis.FITS: f"votes “{use.text}”, which fits only {name}",
            ClaimBasis.OPEN: f"votes “{use.text}”, which matches no known name",
        }[use.because]
        yield f"  #{use.post} {use.author} {said}."
        yield from (f"    {url}" for url in found.links(use))
    if times > USES:
        yield f"  … and {times - USES} more. List them all with --json."
    if any(squash(post.author) == squash(proposal.alias) for post in found.posts.values()):
        yield "  An account with this name posts here. If it held the slot, add it to replaces instead."
    yield f"To add it: {command(found.accept(proposal))}"


def unknown_silence(found: ActivityReport) -> Iterator[str]:
    """Whose silence cannot be told: they are never in the list of prods."""
    from knightfall.engine.prods import State

    unknown = [row.name for row in found.rows if row.standing.state is State.UNKNOWN]
    if unknown:
        yield f"Last post at an unknown time, so it is unclear if a prod is due: {', '.join(unknown)}."


def activity_text(found: ActivityReport) -> str:
    """A heading, the rule and a table of at most 80 columns: who is due first, then who is silent longest.

    Where the days do not fit, the earlier ones stand in one column, then none at all.
    """
    from knightfall.services.count.activity import rule_sentence

    when = local_time(found.now, found.zone) if found.now else "at an unknown time"
    heading = f"Activity up to post {found.at.number}, {when} ({found.zone.key})."
    for folded in range(len(found.days) + 2):
        shown = _activity_table(found, folded)
        if max(map(len, shown.splitlines()), default=0) <= WIDTH:
            break
    return "\n".join([heading, fill(in_commands(rule_sentence(found.rule)), WIDTH), "", shown])


def _activity_table(found: ActivityReport, folded: int) -> str:
    """The table with so many of the earlier days in one column; one more than there are: no day at all."""
    from knightfall.services.count.activity import by_silence

    def columns(days: Sequence[T], together: Sequence[T]) -> tuple[T, ...]:
        return () if folded > len(days) else (*together, *days[folded:])

    days, span = found.days, found.days[:folded]
    earlier = [f"D{span[0]}–{span[-1]}" if len(span) > 1 else f"D{span[0]}"] if span else []
    heads = ("player", *columns([f"D{day}" for day in days], earlier), "all", "last post", "silent", "state")
    rows = []
    for row in by_silence(found.rows):
        name = row.name if len(row.name) <= NAME else f"{row.name[: NAME - 1]}…"
        last = "none"
        if row.last is not None:
            about = "~" if row.last.time and row.last.approximate else ""
            last = f"#{row.last.number} {_local(row.last.time, found)}{about}"
        silent = row.standing.silent
        hours = "unknown" if silent is None else f"{silent // timedelta(hours=1)}h{'~' * row.approximate}"
        posts = columns(row.posts, [sum(row.posts[:folded])] if folded else [])
        rows.append((name, *posts, row.total, last, hours, _state(row, found)))
    align = ("left", *["right"] * (len(heads) - 4), "left", "right", "left")
    return table([heads, *rows], tablefmt="plain", colalign=align)


def _state(row: PlayerActivity, found: ActivityReport) -> str:
    from knightfall.engine.prods import State

    at = row.standing
    match at.state:
        case State.DUE:
            return f"due since {_local(at.since, found)}{'~' * row.approximate}"
        case State.PRODDED:
            count = f"{at.prods} of {found.rule.most}" if found.rule.most else str(at.prods)
            return f"prods used up ({count})" if at.since else f"prodded {count}"
        case State.ABSENT:
            return f"absent until {at.until:%d %b}"
        case State.UNKNOWN:
            return "unknown: no time"
        case State.NO_RULE:
            return ""
    return "fine"


def _local(moment: datetime | None, found: ActivityReport) -> str:
    return f"{moment.astimezone(found.zone):%d %b %H:%M}" if moment else "unknown"


def open_votes_text(questions: Sequence[Doubt]) -> str:
    """The votes of a picture that wait for the moderator."""
    posts = ", ".join(f"#{doubt.post}" for doubt in questions)
    several = len(questions) != 1
    many = f"{len(questions)} votes need" if several else "1 vote needs"
    return (
        f"{many} your decision ({posts}). Until then, the picture is without {'them' if several else 'it'}.\n"
        "To list them:  knightfall near"
    )
