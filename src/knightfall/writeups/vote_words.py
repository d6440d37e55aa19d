"""Votes in words: how a name was matched, why one does not count, what a wagon, a post or a change holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC
from zoneinfo import ZoneInfo

from knightfall.engine.spans import time_of_day
from knightfall.markup.dialects.moments import zone_name
from knightfall.models import ChangeKind, PostChange, Slot
from knightfall.sentence import Sentence, Way, sentence
from knightfall.votes.ballots import parse_forms
from knightfall.votes.config import DEADLINE, NOBODY, NOT
from knightfall.votes.house import HERE
from knightfall.votes.questions import Question
from knightfall.votes.second_count import SecondCount
from knightfall.votes.tally import Hammer, UncountedReason, Vote, Wagon
from knightfall.votes.votecount import ClockDoubt, FixEffect, Votecount
from knightfall.writeups.facts import full_time
from knightfall.writeups.tables import short, table

REASONS = {
    UncountedReason.QUOTED: "quoted",
    UncountedReason.SPOILERED: "in a spoiler",
    UncountedReason.CODE: "in a code block",
    UncountedReason.STRUCK: "struck out",
    UncountedReason.SIGNATURE: "in a signature",
    UncountedReason.NOT_BOLD: "not bold",
    UncountedReason.NO_FORM: "not in a form that counts",
    UncountedReason.DEAD_VOTER: "the voter is dead",
    UncountedReason.REPLACED: "the voter was replaced",
    UncountedReason.NOT_YET: "the voter did not play yet",
    UncountedReason.DEAD_TARGET: "the target is dead",
    UncountedReason.NOT_A_PLAYER: "not a player",
    UncountedReason.TARGET_NO_PLAYER: "the target does not play",
    UncountedReason.UNKNOWN_NAME: "no such player",
    UncountedReason.AFTER_HAMMER: "after the hammer",
    UncountedReason.DAY_OVER: "the day was over",
    UncountedReason.LATE: "after the deadline",
    UncountedReason.MODERATOR_POST: "moderator's post",
    UncountedReason.TALLY_POST: "in a pasted votecount",
    UncountedReason.EDITED: "edited post",
    UncountedReason.VOID: "void by the rules",
    UncountedReason.ELSEWHERE: "votes are made in another thread",
}

RULES = {
    "exact": "the name as listed",
    "alias": "an alias you set",
    "look_alike": "look-alike letters",
    "prefix": "the beginning or one word of it",
    "initials": "its first letters",
    "name_at_start": "starts with the name",
    "inside": "part of the name",
    "word_starts": "starts of its words",
    "edit_distance": "a few letters wrong",
    "repeats": "repeated letters",
    "abbreviated": "some letters of the name",
    "shuffled": "letters shuffled",
    "affix": "the name with a word added",
    "name_contained": "the name and other words",
    "first_words": "its first word",
    "shared_word": "a word only it has",
    "backwards": "the name backwards",
    "no_elimination": "means no elimination",
    "moderator": "your decision",
    "shown": "as your votecount has it",
}
"""The rules of `votes.tiers`, in words that fit a table."""

_DID = {ChangeKind.CHANGED: "changed", ChangeKind.VANISHED: "vanished", ChangeKind.RETURNED: "reappeared"}


def could_be(question: Question) -> str:
    """Whom an unclear vote could be for, and what tells so: “could be Ada (as in Tin Valley) or Boro”."""
    if question.unvote:
        return "may be an unvote"
    if not question.candidates:
        return "matches no player, and nobody is near" if question.name else "matches no player"
    said = f"could be {candidate_names(question)}"
    return said + (f" (#{question.count} counts it so)" if question.count else "")


def candidate_names(question: Question) -> str:
    """The candidates of a question, each with the earlier game in which they were called so."""
    earlier = question.earlier
    return " or ".join(
        f"{name} ({earlier[name].said})" if name in earlier else name for name in question.candidates
    )


def vote_excerpt(text: str, width: int) -> str:
    """A line of a post, cut to the part that looks like its vote."""
    if len(text) <= width:
        return text
    start = max(0, min(text.lower().rfind("vot") - 2, len(text) - width + 1))
    return short(f"…{text[start:]}" if start else text, width)


def matched_by(vote: Vote) -> str:
    """How the name was matched, in words."""
    return RULES.get(vote.rule, vote.rule)


def wagon_lines(wagon: Wagon, count: Votecount) -> Iterator[str]:
    """Each vote of a wagon with post, time, rule and words, in a table of 80 columns; then the links."""
    target = wagon.target.name if wagon.target else count.terms.no_elimination
    of = "" if wagon.needed is None else f" of {wagon.needed}"
    yield f"{target}: {wagon.count}{of} as of post {count.tally.at}"
    rows = [
        (
            f"#{vote.post}",
            short(vote.voter.name, 14),
            f"{vote.time:%d %b %H:%M}" if vote.time else "unknown",
            matched_by(vote),
            vote_excerpt(vote.text, 18),
        )
        for vote in wagon.votes
    ]
    heads = ("post", "voter", "time", "name matched by", "written")
    yield table(rows, heads)
    yield from (f"#{vote.post}: {vote.url}" for vote in wagon.votes if vote.url)
    hammer = count.tally.hammer
    if hammer is not None and hammer.target == wagon.target and (condition := hammer_condition(hammer)):
        yield condition


def hammer_condition(hammer: Hammer | None) -> str:
    """ "The hammer (#415) stands only if #412 is not a move. Decide #412 first." "" where nothing is open."""
    if hammer is None or not hammer.unless:
        return ""
    *most, last = (f"#{number}" for number in hammer.unless)
    open_ones = f"{', '.join(most)} and {last}" if most else last
    moves = "are not moves" if most else "is not a move"
    return f"The hammer (#{hammer.post}) stands only if {open_ones} {moves}. Decide {open_ones} first."


def post_lines(number: int, count: Votecount) -> Iterator[str]:
    """All that was read in a post: what counts, what does not and why, what is a question."""
    post = count.posts[number]
    when = post.time.isoformat().replace("+00:00", "Z") if post.time else "at an unknown time"
    about = " (approximate)" if post.approximate and post.time else ""
    edited = f" Edited: {post.edit_note}." if post.edit_note else ""
    yield f"#{post.number} by {post.author}, {when}{about}. {post.url or ''}{edited}".rstrip()
    yield from read_lines(number, count)


def read_lines(number: int, count: Votecount) -> Iterator[str]:
    """What is made of a post: what the moderator decided, what counts, what does not and why, and what only
    they can read; nothing where no vote was found in it."""
    if fixes := [fix for fix in count.fixes if fix.post == number]:
        from knightfall.writeups.journal import footnote  # most posts need not wait for it

        yield from (f"You decided: {footnote(fix)}." for fix in fixes)
    for vote in (vote for wagon in count.tally.wagons for vote in wagon.votes if vote.post == number):
        target = vote.target.name if vote.target else count.terms.no_elimination
        weight = f", with weight {vote.weight}" if vote.weight != 1 else ""
        yield f"Counts for {target}{weight}: “{vote.text}”, matched by {matched_by(vote)}."
    for missed in count.not_counted:
        if missed.post == number:
            yield f"Not counted ({REASONS[missed.why]}): “{missed.text}”."
    for doubt in count.questions:
        if doubt.post == number and doubt.why:
            yield f"Your decision is needed: #{number} {doubt.why}. It reads “{doubt.text}”."
        elif doubt.post == number:
            near = candidate_names(Question((doubt,))) or "nobody on the list"
            yield f"Your decision is needed: “{doubt.text}” could mean {near}."


def fix_effect_line(effect: FixEffect, count: Votecount) -> str:
    """What a decision on a post does in the count that follows, and why it does nothing where it does not."""
    fix, post, nobody = effect.fix, effect.post, count.terms.no_elimination
    day, until = f"day {count.day.number}", f"as of post {count.tally.at}"
    if post is None:
        return f"Post {fix.post} was not read, so this changes nothing in the count {until}."
    if effect.before:
        return (
            f"Post {fix.post} was made before {day}, which begins with post {count.day.start}: the count "
            "of that day does not change."
        )
    if effect.behind:
        return (
            f"Post {fix.post} is behind the last post that counts on {day} ({count.tally.at}): its count "
            "does not change."
        )
    if post.hidden:
        return "It does not count: the forum has deleted or hidden the post."
    if effect.missed and not effect.votes:
        return f"It does not count: {_author_reason(effect.missed[-1].why, post.author)}."

    # What stands, what it cast and is gone, what it took back.
    late = _late_words(effect, count)
    for vote in effect.votes:
        target = vote.target.name if vote.target else nobody
        return f"In the count {until}, {_whose(vote.voter, post.author)} votes for {target}{late}."
    for move in effect.gone:
        target = move.vote.target.name if move.vote.target else nobody
        if move.vote.post == fix.post:
            return (
                f"It counts as {_whose(move.vote.voter, post.author)}'s vote for {target} until post "
                f"{move.post}, where that vote ends{late}."
            )
        if not fix.ignore:
            return f"It takes back {_whose(move.vote.voter, post.author)}'s vote for {target}{late}."
    if fix.unvote:
        return f"It takes nothing back: {post.author} had no vote then."
    if fix.ignore:
        return f"No vote in it counts {until}."
    return f"No vote was found in it, so nothing of it counts {until}."


def _author_reason(why: UncountedReason, author: str) -> str:
    """Why a decision on a post of that author does not count."""
    match why:
        case UncountedReason.DEAD_VOTER:
            return f"{author} was dead by that post, and the dead have no vote"
        case UncountedReason.MODERATOR_POST:
            return f"{author} moderates and has no vote"
        case UncountedReason.NOT_A_PLAYER:
            return f"{author} is not a player"
        case UncountedReason.DEAD_TARGET:
            return "whom it names was dead by that post"
        case UncountedReason.TARGET_NO_PLAYER:
            return "whom it names does not play"
    return REASONS[why]


def _whose(voter: Slot, author: str) -> str:
    """A voter, and who wrote the post where the slot has another holder."""
    return voter.name if voter.name.casefold() == author.casefold() else f"{voter.name} (written by {author})"


def _late_words(effect: FixEffect, count: Votecount) -> str:
    """That a post counts by the decision although it was made too late; "" where it was in time."""
    hammer, deadline, post = count.tally.hammer, count.day.deadline, effect.post
    if hammer is not None and hammer.post < effect.fix.post:
        return f", although the hammer was post {hammer.post}"
    if post is not None and not count.rule.in_time(post.time, deadline):
        return ", although it was posted after the deadline"
    return ""


def change_line(change: PostChange, zone: ZoneInfo | None = None) -> str:
    """ "Post 67 (Boro) changed after it was counted (2026-11-21 12:00:00 UTC)."; by the clocks of `zone`,
    None: of UTC."""
    did = _DID[change.became]
    if change.before is not None and change.post.hidden and not change.before.hidden:
        did = "was hidden or deleted by the forum"
    counted = ""
    if change.counted:
        at = change.counted.astimezone(zone or UTC)
        counted = f" after it was counted ({at:%Y-%m-%d %H:%M:%S} {zone_name(at)})"
    return f"Post {change.post.number} ({change.post.author}) {did}{counted}."


def second_count_lines(second: SecondCount | None, nobody: str) -> Iterator[str]:
    """What a second count by the moderator's own votecount says beside ours; nothing where there is none."""
    if second is None:
        return
    if not second.differences:
        yield f"Checked against the moderator's votecount in #{second.post}: it is the same."
        return
    count = len(second.differences)
    yield f"The moderator's votecount in #{second.post} differs in {count} vote{'s' * (count > 1)}:"
    for one in second.differences[:SHOWN_DIFFERENCES]:
        here, there = ("nobody" if to is None else to or nobody for to in (one.here, one.posted))
        by = f" (#{one.post})" if one.post else ""
        yield f"  {one.voter}: {there} there, {here} here{by}."


SHOWN_DIFFERENCES = 6
"""So many differences are listed."""


def clock_sentence(doubt: ClockDoubt, zone: ZoneInfo | None) -> Sentence:
    """Of which post nobody knows whether it was in time, and what to write; `zone` is the game's."""
    what = "has a vote" if doubt.vote else "is the last one that counts"
    until = full_time(doubt.moment, zone or ZoneInfo("UTC"))
    at = doubt.post.time
    when = f"{at:%d %b} {time_of_day(at)}" if at else "a time"
    return sentence(
        "Post {post} {what} and shows {when} without a time zone, within a day of {until}: it may be in time "
        "or too late. It was read as UTC. Say which zone the forum shows to you: {file}.",
        post=doubt.post.number,
        what=what,
        when=when,
        until=until,
        file=Way("file_line", table="its [[thread]]", line='zone = "America/New_York"'),
    )


HOUSE: Mapping[str, str] = {
    "majority": "A majority eliminates at once",
    "plurality": "Most votes at the deadline, no hammer",
    "both": "A majority at once, most votes at the deadline",
}
"""What eliminates in a house."""

FORMS: Mapping[str, str] = {
    "own_line": "Votes on a line of their own",
    "bold": "Votes in bold",
    "red": "Votes in red",
    "hashes": "Votes such as ##vote Ada",
    "bang": "Votes such as !vote Ada",
    "raw_tag": "Votes such as [vote]Ada[/vote]",
}
"""Forms of a vote that a moderator may say."""


def house_rule(word: str) -> str:
    """An answer about the rules of a house (`house.check_answers`)."""
    said = word.removeprefix(NOT)
    if said in _NAMED:
        return _NAMED[said][said != word]
    verb, called = said.removeprefix("word:"), said.removeprefix(NOBODY)
    if verb != said:
        told = f"Votes such as “{verb}: Ada”"
    elif called != said:
        told = f"“{called}” is nobody"
    elif said in FORMS or said in HOUSE or not (frames := parse_forms([said]).frames):
        told = HOUSE.get(said) or FORMS.get(said) or said
    else:
        undoes, shown = frames[0].undoes, frames[0].told
        told = f"{shown} takes a vote back" if undoes else f"Votes such as {shown}"
    return f"{told}: no" if said != word else told


_NAMED: Mapping[str, tuple[str, str]] = {
    HERE: ("Votes are made in this thread", "Votes are not made in this thread"),
    DEADLINE: ("Votes behind the stated deadline are late", "Votes behind the stated deadline count"),
}
"""Answers that need words of their own, and their opposites."""
