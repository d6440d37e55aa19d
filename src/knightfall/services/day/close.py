"""Closing a day as the moderator confirms it, the flip, and the count that waits for a deadline."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from knightfall.audience import SECRET, View
from knightfall.config.calendar import (
    closed_day,
    closed_days,
    day_of,
    end_of_day,
    tie_of,
    window_of,
)
from knightfall.config.setup import Setup
from knightfall.engine.commands import NO_ELIMINATION, Order
from knightfall.engine.entries import Closed, Entry, Opened, Ruled
from knightfall.engine.game import Announced, Event
from knightfall.engine.journal import Journal, Record, course_of, instant, window_name
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.rng import SeededRng
from knightfall.errors import DecisionNeeded, InputError
from knightfall.mafia.events import Elimination
from knightfall.mafia.roles import Alignment
from knightfall.mafia.state import State
from knightfall.markup.dialects import dialect
from knightfall.models import UNKNOWN_ZONE, PostMark, Slot
from knightfall.names import bears
from knightfall.sentence import Sentence, SlotId, Way, first_line, joined, sentence
from knightfall.services.day.end import (
    FAULTS,
    FinalCount,
    NarrowEnd,
    choices_of,
    count_of,
    early_question,
    ending,
    evidence_of,
    final_count,
    final_text,
    is_chosen,
    is_drawn,
    keep_final,
    kept_count,
    last_of_evidence,
    leading_wagons,
    living_names,
    narrow_end,
    questions_decide,
    url_of,
    without_questions,
)
from knightfall.services.guard import allowed, released
from knightfall.services.heads import lined, log_line
from knightfall.services.now import now_of
from knightfall.services.publish import looked_at, texts_of
from knightfall.services.requests import ClosingRequest, CountRequest, FlipRequest
from knightfall.services.running import RunningGame, begun, holders, is_voted_on
from knightfall.services.session import CountedOnce, ForumDown, Session, entered, entered_once, journal_of
from knightfall.services.threads import Given, Kept, Link, gather, speech_of
from knightfall.services.window.receipts import Receipt, receipt_of, void_for_the_last
from knightfall.services.window.turns import opening_ahead
from knightfall.votes.config import DaySetup
from knightfall.votes.questions import grouped
from knightfall.votes.rule import Tie
from knightfall.votes.tally import LATE_REASONS, UNDECIDED, Doubt, TownClass, Uncounted
from knightfall.votes.votecount import Votecount, clock_doubt, seen_by
from knightfall.writeups.facts import doubt_json, full_time
from knightfall.writeups.render import render
from knightfall.writeups.vote_words import candidate_names, clock_sentence, second_count_lines, vote_excerpt

EXCERPT = 40
"""Letters of a vote that are quoted."""
LETTERS = 3
"""So many first letters of a name can stand for it."""
NOWHERE = sentence(
    "Closing a day is recorded in the game's journal, so it needs a game: {in_game}.", in_game=Way("in_game")
)


class CountsDiffer(DecisionNeeded):
    """By the moderator's own votecount others lead than by the posts: the day stays open until a vote is
    corrected, or a `despite` says why that votecount is wrong."""


@dataclass(frozen=True, slots=True, repr=False)
class DayEnd(JsonAnswer):
    """How a day can end: `choices` are the words that confirm, each with who is eliminated then.

    `tied`: who is tied where the game draws; “” among them is no elimination. `lot` is what chance decided
    where the rule of the file leaves a tie to it: who was tied, in the order of seats, and who was drawn.
    `line`: the one by which the game ends the day whatever the votes say, such as a pardon.
    """

    choices: Mapping[str, tuple[str, ...]]
    tied: tuple[str, ...] = ()
    lot: tuple[tuple[str, ...], str] | None = None
    line: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class DayClosing(JsonAnswer):
    """How a day would be closed: all that the moderator looks at before they confirm who is eliminated.

    `text` is the post with the final count; `end` is how it can end; `deciding` says whether the open
    questions can change that; `evidence` is the digest of the posts that the count rests on; `again` is the
    closing of this day that was taken back, in whose place it would stand.
    """

    request: ClosingRequest
    final: FinalCount
    text: str
    narrow: NarrowEnd | None = field(metadata=SECRET)
    deciding: bool
    end: DayEnd
    evidence: str
    again: Record | None = None

    def to_dict(self) -> dict[str, Any]:
        """{day, text: the final votecount, choices: what can be confirmed, tied, deciding: whether an open
        question decides it, questions: as a count has them}."""
        return {
            "day": self.day,
            "text": self.text,
            "choices": list(self.choices),
            "tied": list(self.end.tied),
            "deciding": self.deciding,
            "questions": [doubt_json(one) for one in self.questions],
        }

    @property
    def choices(self) -> Mapping[str, tuple[str, ...]]:
        """The words that confirm, each with who is eliminated then."""
        return self.end.choices

    @property
    def is_chosen(self) -> bool:
        """Whether the rules leave it to the moderator who is eliminated: they say why."""
        return len(self.choices) > 1 and is_chosen(self.final.count)

    @property
    def reason(self) -> str:
        """The reason of the moderator's choice; why the day ends early is one, too."""
        return self.request.why.strip() or self.request.early.strip()

    def because(self, why: str) -> DayClosing:
        """The same with the reason of the moderator's choice; as it is where none is given."""
        return replace(self, request=replace(self.request, why=why.strip())) if why.strip() else self

    @property
    def count(self) -> Votecount:
        """The final count."""
        return self.final.count

    @property
    def late(self) -> tuple[Uncounted, ...]:
        """The votes that came too late to count: one of them may be what would have decided."""
        return tuple(one for one in self.final.count.not_counted if one.why in LATE_REASONS)

    @property
    def seen(self) -> Votecount:
        """The final count as everybody may see it."""
        return seen_by(View.PUBLIC, self.final.count)

    @property
    def day(self) -> int:
        """The number of the day."""
        return self.final.count.day.number

    @property
    def questions(self) -> tuple[Doubt, ...]:
        """The votes that wait for a decision."""
        return self.final.count.questions

    def choice_meant(self, typed: str) -> str | None:
        """The choice that was typed: whole in any case, else by a word of it or its first letters, three at
        least, where that fits no other player; None where it is none, or could be somebody else."""
        said = " ".join(typed.casefold().split())
        known = {name.casefold(): name for name in (*living_names(self.final.count), *self.choices)}
        if said not in known:
            parts = [
                name
                for folded, name in known.items()
                if said in folded.split() or (len(said) >= LETTERS and folded.startswith(said))
            ]
            return parts[0] if len(parts) == 1 and parts[0] in self.choices else None
        return known[said] if known[said] in self.choices else None

    def entries(self, names: tuple[str, ...]) -> tuple[Entry, ...]:
        """What would be written in the journal where these are eliminated, the closing itself last."""
        closing = closing_of(self.final, self.end, names, self.again)
        rulings: list[Entry] = []
        despite, second = self.request.despite.strip(), self.count.second
        if despite and second is not None and not second.agrees:
            rulings.append(Ruled(f"Is the votecount in #{second.post} right?", "no", despite))
        why = self.request.early.strip()
        told = self.request.tell and bool(why)
        if not why and self.count.agreed:
            why, told = "all the living vote for the same", True
        if why and self.count.outcome is None:
            rulings.append(Ruled(early_question(self.day), "yes", why, told=told))
        if self.is_chosen and self.request.why.strip():
            chosen = ", ".join(names) or self.count.terms.no_elimination
            rulings.append(Ruled(choice_question(self.day), chosen, self.request.why.strip()))
        if self.end.lot is not None:
            among, drawn = self.end.lot
            names_tied = f"{', '.join(among[:-1])} or {among[-1]}"
            question = f"Who falls in the tie of day {self.day}: {names_tied}?"
            how = "drawn by the game's seed, as the rules say"
            rulings.append(Ruled(question, drawn, how, told=True))
        return (*rulings, closing)


def choice_question(day: int) -> str:
    """What the ruling is about that tells why the moderator chose who is eliminated."""
    return f"Who is eliminated on day {day}, which the rules leave to the moderator?"


@dataclass(frozen=True, slots=True, repr=False)
class ClosedDay(JsonAnswer):
    """A day that was closed: the record that did it, who is eliminated, the file with the final count, and
    what a begun game answers (None: none was begun, or it knows no days); `opened` gave what comes next its
    deadline (None: nobody said one)."""

    record: Record
    eliminated: tuple[str, ...]
    file: Path
    receipt: Receipt | None
    opened: Record | None = None


def look(request: ClosingRequest, session: Session) -> DayClosing:
    """Count a day for the last time, and say how it would be closed; nothing is closed.

    Raises DecisionNeeded where the day runs on or is closed already, CountsDiffer where the moderator's own
    votecount says that others lead, EvidenceError where the thread does not
    hold still, SecretGuard where the post of the count gives something away; a reason to let that pass is
    written down.
    """
    setup = now_of(session).setup
    if setup.url is None and session.thread is None and begun(journal_of(session)):
        raise InputError(
            sentence(
                "The game file names no thread, so I cannot count votes. Decide the day yourself: {say}, "
                "then {close}",
                say=Way("say_elimination"),
                close=Way("close", kind="day", title="the day"),
            )
        )
    if request.day is not None:
        _refuse_closed(request.day, session)
    asked = request.day if request.day is not None else _taken_back(session)
    if request.stored or session.thread is not None:
        final = kept_count(setup, asked, session)
    else:

        def first_look(count: Votecount) -> None:
            _refuse_running(request, count, session)
            session.report(CountedOnce(count.tally.at, " or ".join(choices_of(count))))

        final = final_count(setup, asked, session, request.pause, first=first_look)
    count, day = final.count, final.count.day.number
    _refuse_running(request, count, session)
    table = _game_with_day(day, session)
    _refuse_two_counts(request, count)
    # Questions that change nothing are not told to players: with the closing the count is final.
    deciding = questions_decide(final)
    told = final if deciding else replace(final, count=without_questions(count))
    return DayClosing(
        request=request,
        final=final,
        text=released(final_text(told, line=log_line(session)), session, request.allow),
        narrow=narrow_end(final, session),
        deciding=deciding,
        end=end_of(count, table, session),
        evidence=evidence_of(count),
        again=reopened_day(day, session),
    )


def reopened_day(day: int, session: Session) -> Record | None:
    """The closing of a day that was taken back while something later was closed; None where there is none."""
    reopened = course_of(journal_of(session)).reopened
    named = (one for one in reopened if isinstance(one.entry, Closed) and one.entry.window == window_of(day))
    return next(named, None)


def _refuse_running(request: ClosingRequest, count: Votecount, session: Session) -> None:
    """Stop where the day of a count cannot be closed yet, or is closed. Raises DecisionNeeded."""
    day = count.day.number
    _refuse_closed(day, session, asked=request.day is not None)
    if count.lost:
        raise DecisionNeeded(joined("\n", (f"Day {day} stays open:", *count.lost)))
    if count.outcome is None and not request.early.strip() and count.agreed is None:
        until = "the game file has no deadline for it ([[day]] ends = …)"
        if (deadline := count.day.deadline) is not None:
            until = f"the deadline is {full_time(deadline, count.zone or ZoneInfo('UTC'))}"
        unended = "no hammer" if count.least is None else "the most votes at the deadline decide"
        raise DecisionNeeded(
            sentence(
                "Day {day} is still running: {unended}, and {until}. To end it early: {close}",
                day=day,
                unended=unended,
                until=until,
                close=Way("close_day_early"),
            )
        )
    doubt = clock_doubt(count, session.clock.now())
    if doubt is not None:
        raise DecisionNeeded(
            sentence("Day {day} stays open. {doubt}", day=day, doubt=clock_sentence(doubt, count.zone))
        )


def _refuse_two_counts(request: ClosingRequest, count: Votecount) -> None:
    """Stop where others lead by the moderator's own votecount and what was voted since than by this count."""
    second, nobody = count.second, count.terms.no_elimination
    if second is None or second.agrees or request.despite.strip():
        return
    there, here = (
        " and ".join(name or nobody for name in names) or "nobody"
        for names in (second.leading, second.leading_here)
    )
    raise CountsDiffer(
        joined(
            "\n",
            (
                f"Day {count.day.number} stays open: two counts differ. By the posts {here} leads; by the "
                f"votecount in #{second.post} and the votes since then {there}.",
                *second_count_lines(second, nobody),
                sentence(
                    "Correct the vote that was misread: {fix}. Where the votecount is wrong: {close}",
                    fix=Way("decide_vote"),
                    close=Way("close_day_despite"),
                ),
            ),
        )
    )


def end_of(count: Votecount, table: RunningGame | None, session: Session) -> DayEnd:
    """How the day of a final count can end, as the begun game says (None: none was begun).

    Raises DecisionNeeded where the game does not take the tie that it should draw.
    """
    choices = choices_of(count)
    decided = DayEnd(choices if table is None else _of_the_living(choices, table, count.terms.no_elimination))
    line = table.game.instead_of_elimination(table.state) if table is not None else ""
    if line and any(decided.choices.values()):
        return DayEnd({line: ()}, line=line)
    if table is None or count.tally.hammer is not None:
        return decided
    rule = table.game.day_rule(now_of(session).setup.options)
    leading = leading_wagons(count)
    if rule is None or not rule.draws or rule.tie != count.rule.tie.value or len(leading) < 2:
        return _drawn_by_the_seed(count, table) or decided

    # EM-R26: the game draws by its seed, as it will when the day is closed; nobody is asked whom.
    tied = tuple(wagon.target.name if wagon.target else "" for wagon in leading)
    orders = tie_of(_slot(wagon.target) for wagon in leading)
    trial = Closed(window_of(count.day.number), evidence=evidence_of(count), orders=orders)
    after = table.after(trial, session.clock.now(), session.author)
    event = _elimination(after.last_events)
    if event is None:
        raise DecisionNeeded(_not_closed(after))
    slot = event.name
    if slot is None:
        return DayEnd({count.terms.no_elimination: ()}, tied)
    name = holders(table.journal).get(slot, slot)
    return DayEnd({name: (name,)}, tied)


def _of_the_living(
    choices: Mapping[str, tuple[str, ...]], table: RunningGame, nobody: str
) -> Mapping[str, tuple[str, ...]]:
    """The choices without whom the game has seen dead since, by a shot or the moderator's hand."""
    dead = {one.slot for one in table.game.dead(table.state)}
    gone = {holders(table.journal).get(slot, slot) for slot in dead}
    living = (tuple(name for name in names if name not in gone) for names in choices.values())
    return {", ".join(names) or nobody: names for names in living}


def _not_closed(after: RunningGame) -> Sentence:
    """Why the game did not take the closing."""
    return joined("\n", ("Nothing was closed.", *(why.text for _, why in after.last_refused)))


def _slot(holder: Slot | None) -> SlotId | None:
    """The slot that somebody holds, by the name of its first holder."""
    return SlotId(holder.holders[0].name) if holder else None


def closing_of(final: FinalCount, end: DayEnd, names: tuple[str, ...], again: Record | None = None) -> Closed:
    """The entry that closes the day of a count where these are eliminated, or the game draws a tie; `again`
    is the closing in whose place it stands."""
    count, roster = final.count, final.setup.roster

    def slot(name: str) -> SlotId:
        return _slot(roster.slot_of(name) if roster else None) or SlotId(name)

    if end.tied:
        orders = tie_of(slot(name) if name else None for name in end.tied)
    else:
        orders = (Order(end.line),) if end.line else end_of_day(map(slot, names))
    last = last_of_evidence(count)
    mark = PostMark.of(last) if last else None
    ended, number = (instant(again), again.number) if again else (ended_at(count), 0)
    window = window_of(count.day.number)
    return Closed(window, evidence=evidence_of(count), ended=ended, mark=mark, again=number, orders=orders)


def ended_at(count: Votecount) -> datetime | None:
    """When its votes ended the day: at the hammer or at the deadline; None where the moderator ends it."""
    if count.tally.hammer is not None:
        post = count.posts.get(count.tally.hammer.post)
        return post.time if post is not None and post.zone != UNKNOWN_ZONE else None
    return count.day.deadline if count.outcome is not None else None


def _drawn_by_the_seed(count: Votecount, table: RunningGame) -> DayEnd | None:
    """Whom a tie takes that the rule of the file leaves to chance, by the seed of the game, so that it can be
    checked at the end; None where there is no such tie, or no seed."""
    leading, nobody = leading_wagons(count), count.terms.no_elimination
    if not is_drawn(count) or ending(count) != UNDECIDED or not table.seed:
        return None
    # By the slots in the order of their seats, whoever holds them, no elimination last.
    held = holders(table.journal)
    names = {slot: held.get(slot, slot) for slot in table.game.playing(table.state)}
    wanted = {wagon.target.name if wagon.target else nobody for wagon in leading}
    tied: list[SlotId] = [slot for slot, name in names.items() if name in wanted]
    if count.rule.tie is Tie.ANTI_TOWN:
        ranks = {slot: _town_class(table, slot).value for slot in tied}
        pool = [slot for slot in tied if ranks[slot] == min(ranks.values())]
    else:
        pool = [*tied, *([SlotId(NO_ELIMINATION)] if nobody in wanted else [])]
    source = SeededRng(table.seed_now).at("day", count.day.number)
    slot = source.choice("vote.tie", tuple(pool)) if len(pool) > 1 else pool[0]
    among = (*(names[one] for one in tied), *([nobody] if nobody in wanted else []))
    if slot == NO_ELIMINATION:
        return DayEnd({nobody: ()}, lot=(among, nobody))
    return DayEnd({names[slot]: (names[slot],)}, lot=(among, names[slot]))


def _town_class(table: RunningGame, slot: SlotId) -> TownClass:
    """In which order a tie against the town takes the slot."""
    card = table.state.cards[slot] if isinstance(table.state, State) else None
    if card is None or card.alignment is not Alignment.TOWN:
        return TownClass.ANTI_TOWN
    return TownClass.POWER if card.abilities or card.passives or card.traits else TownClass.VANILLA


def _elimination(events: Iterable[Event]) -> Elimination | None:
    """The game's word on who was eliminated; None where it said nothing."""
    found = (event.facts for event in events if isinstance(event.facts, Elimination))
    return next(found, None)


def question_lines(doubts: tuple[Doubt, ...]) -> Iterator[str]:
    """Each open question with the decision that it waits for."""
    for question in grouped(doubts):
        doubt, others = question.doubts[0], question.doubts[1:]
        fits = candidate_names(question) or "nobody"
        also = f" (also in {', '.join(f'#{one.post}' for one in others)})" if others else ""
        said, link = vote_excerpt(doubt.text, EXCERPT), f" {doubt.url}" if doubt.url else ""
        if doubt.why:
            yield f"  #{doubt.post} {doubt.voter} {doubt.why}. It reads “{said}”.{link}"
        else:
            yield f"  #{doubt.post} {doubt.voter} wrote “{said}”, which could mean {fits}{also}.{link}"
        if others and question.alias is not None:
            yield sentence("    {alias}   (decides them all)", alias=Way("add_alias", alias=question.alias))
        yield sentence(
            "    {fix}   (or {ignore}, {unvote} …)",
            fix=Way("decide_vote", post=doubt.post),
            ignore=Way("field", name="ignore"),
            unvote=Way("field", name="unvote"),
        )


def close(
    found: DayClosing, confirmed: str | None, session: Session, next_ends: datetime | None = None
) -> ClosedDay:
    """Close the day as the moderator confirmed it: one of `found.choices`, or None where nobody could. What
    opens then in a begun game ends at `next_ends` (None: as the game says).

    Raises DecisionNeeded where questions that matter are open, something else was confirmed, the thread
    changed meanwhile, or a begun game would not take that end; Overtaken where the journal did, SecretGuard
    where a post gives something away. Then nothing is closed.
    """
    day, choices = found.day, found.choices
    if found.deciding:
        number = len(found.questions)
        votes = "1 vote" if number == 1 else f"{number} votes"
        head = f"Day {day} stays open: {votes} may change how it ends. Decide them, then close the day again."
        raise DecisionNeeded(joined("\n", (head, *question_lines(found.questions))))

    # The moderator's own word, whole: who is eliminated cannot be taken back before everybody.
    if confirmed is None or not confirmed.strip():
        raise DecisionNeeded(
            sentence(
                "Nothing was typed, so day {day} stays open. To close it: {confirm}",
                day=day,
                confirm=Way("confirm_close", name=next(iter(choices)), stored=found.request.stored),
            )
        )
    choice = found.choice_meant(confirmed)
    if choice is None:
        expected = " | ".join(choices)
        raise DecisionNeeded(f"You typed “{confirmed.strip()}”, expected {expected}. Nothing was closed.")
    names = choices[choice]
    if found.is_chosen and not found.reason:
        raise DecisionNeeded(
            sentence(
                "The rules leave day {day} to you, so say why you choose {choice}: {why}. It is kept in the "
                "log. Nothing was closed.",
                day=day,
                choice=choice,
                why=Way("field", name="why"),
            )
        )

    # A last look at the end of the thread: what came while the question stood open counts, too.
    final, setup = found.final, found.final.setup
    if not isinstance(final.source, Kept | Given):
        thread = gather(Link(final.thread.url or ""), session)
        fresh = final.count if thread == final.thread else count_of(setup, thread, day, session.clock.now())
        if evidence_of(fresh) != found.evidence:
            raise DecisionNeeded(
                sentence(
                    "The thread changed before you answered, so nothing was closed. The last post is now "
                    "#{last}. Look again: {close}",
                    last=fresh.tally.at,
                    close=Way("close_day"),
                )
            )
    with session.turn:
        _refuse_closed(day, session)

        # Would a begun game take that end, and do its posts keep the secrets?
        *rulings, closing = found.entries(names)
        speech = speech_of(None, setup, session)
        table = _game_with_day(day, session)
        leaks: tuple[str, ...] = ()
        opening: Opened | None = None
        if table is not None:
            after = table.after(closing, session.clock.now(), session.author)
            if _is_open(day, after):
                raise DecisionNeeded(_not_closed(after))
            leaks = looked_at(after, speech, session, found.request.allow)
            opening = opening_ahead(after, next_ends)

        # The count is read for secrets once more: a role may have been written down since it was shown.
        text = released(found.text, session, found.request.allow)
        file = keep_final(final, text, session.folder)
        for ruling in rulings:
            entered_once(ruling, session, NOWHERE)

        def ends_alike(journal: Journal) -> bool:
            """Whether what somebody else wrote meanwhile leaves the day open, with the same end."""
            if closed_day(journal, day) is not None:
                return False
            now = count_of(now_of(session).setup, final.thread, day, session.clock.now())
            if evidence_of(now) != found.evidence:
                return False
            return end_of(now, _game_with_day(day, session), session) == found.end

        void = () if table is None else void_for_the_last(after, speech, session, found.request.allow)
        opened = None if opening is None else entered(opening, session, NOWHERE, again=ends_alike)
        record = entered(closing, session, NOWHERE, again=ends_alike)
        receipt = None if table is None else receipt_of(now_of(session).running, speech, session, void=void)
        allowed(leaks, session, found.request.allow)
        return ClosedDay(record, names, file.relative_to(session.folder), receipt, opened)


def _refuse_closed(day: int, session: Session, asked: bool = True) -> None:
    """Raises DecisionNeeded where the day was closed before; where nobody asked for that one, the day that is
    open in the game has no post yet."""
    journal = journal_of(session)
    closed = closed_day(journal, day)
    if closed is not None:
        windows = () if asked or not begun(journal) else now_of(session).running.windows
        open_ = next((one.title for one in windows if (day_of(window_name(one)) or 0) > day), None)
        if open_ is not None:
            raise DecisionNeeded(
                sentence(
                    "{window} is open, and no post of it was read yet; day {day} is closed. First: {read}",
                    window=open_,
                    day=day,
                    read=Way("read"),
                )
            )
        raise DecisionNeeded(
            sentence(
                "Day {day} was already closed by {author} (entry {entry}). To close it again, first: {undo}. "
                "Otherwise go on with the post that shows the role: {flip}",
                day=day,
                author=closed.author,
                entry=closed.number,
                undo=Way("undo", entry=closed.number),
                flip=Way("flip", day=day),
            )
        )


def _game_with_day(day: int, session: Session) -> RunningGame | None:
    """The begun game whose votes end that day; None where none was begun, or it knows no days.

    Raises DecisionNeeded where another phase is open in it.
    """
    if not begun(journal_of(session)):
        return None
    table = now_of(session).running
    # A mafia game at night, or over, has its days all the same.
    if not isinstance(table.state, State) and not any(map(is_voted_on, table.windows)):
        return None
    if not _is_open(day, table):
        if not table.windows:
            raise DecisionNeeded(
                sentence(
                    "Day {day} cannot be closed: the game is over. Its last post: {post}",
                    day=day,
                    post=Way("draft_post", kind="endgame"),
                )
            )
        now = ", ".join(window.title for window in table.windows)
        voted = next((day_of(window_name(one)) for one in table.windows if is_voted_on(one)), None)
        closes = Way("close", title=now) if voted is None else Way("close_day", day=voted)
        raise DecisionNeeded(
            sentence(
                "Day {day} cannot be closed: the game is in {now}. To see what is open: {see}. Close that "
                "first: {close}",
                day=day,
                now=now,
                see=Way("see_open"),
                close=closes,
            )
        )
    return table


def _taken_back(session: Session) -> int | None:
    """The day that the game is in again since its closing was taken back, whatever the thread is at; None
    where there is none."""
    journal = journal_of(session)
    if not begun(journal):
        return None
    open_days = {window_name(one): one for one in now_of(session).running.windows if is_voted_on(one)}
    closed = (one.entry.window for one in journal if isinstance(one.entry, Closed))
    return next((day_of(window) for window in closed if window in open_days), None)


def _is_open(day: int, table: RunningGame) -> bool:
    """Whether that day is going on in the game."""
    return any(
        is_voted_on(one) and one.title.casefold().replace(" ", "-") == window_of(day) for one in table.windows
    )


@dataclass(frozen=True, slots=True, repr=False)
class Flip(JsonAnswer):
    """The post that tells who was eliminated, and as what; `without_role` are those of whom `source`, the
    game file, tells no role."""

    text: str
    day: int
    eliminated: tuple[str, ...]
    without_role: tuple[str, ...]
    source: str


def flip(request: FlipRequest, session: Session) -> Flip:
    """The post of the elimination that closed a day.

    Raises DecisionNeeded where the day was not closed, or the name is not who fell, SecretGuard where the
    post gives something else away: then nothing is shown.
    """
    if request.dialect:
        dialect(request.dialect)  # an unknown one is told first
    setup, journal = now_of(session).setup, journal_of(session)
    found = dict(closed_days(journal))
    day = max(found, default=None) if request.day is None else request.day
    record = found.get(day) if day is not None else None
    if day is None or record is None or not isinstance(record.entry, Closed):
        which = "No day is" if day is None else f"Day {day} is not"
        raise DecisionNeeded(
            sentence(
                "{which} closed, so no role is shown. Count, check and confirm first: {close}",
                which=which,
                close=Way("close_day"),
            )
        )

    # Who fell, of a begun game in its own post of the elimination, which knows whom a tie took.
    table = now_of(session).table
    event = None if table is None else _elimination(_events_of(record, table))
    fallen = record.entry.eliminated
    if table is not None and event is not None and not fallen and event.name is not None:
        fallen = (holders(table.journal).get(event.name, event.name),)

    # A slip of the hand must not show another's role.
    slots = {name: setup.roster.slot_of(name) if setup.roster else None for name in fallen}
    wanted = request.name
    if wanted is not None and not any(
        bears(slot, wanted) if slot else wanted.strip().casefold() == name.casefold()
        for name, slot in slots.items()
    ):
        said = ", ".join(fallen) or setup.terms.no_elimination
        raise DecisionNeeded(
            sentence(
                "Day {day} was closed with {said}, not with “{wanted}”. No role is shown. To close the day "
                "differently: {undo}, then {close}",
                day=day,
                said=said,
                wanted=wanted,
                undo=Way("undo", entry=record.number),
                close=Way("close_day"),
            )
        )

    # A begun game has the cards.
    speech = speech_of(request.dialect, setup, session)
    if table is not None and event is not None:
        [played] = texts_of(table, (Announced(event),), speech)
        text = released(played.text, session, request.allow)
        return Flip(lined(text, speech, session), day, fallen, (), setup.source)
    # Else the game file tells the role of the slot, whoever held it when it was written.
    roles = {
        name: next(
            (setup.roles[one] for one in (slot.names if slot else (name,)) if one in setup.roles), None
        )
        for name, slot in slots.items()
    }
    facts: dict[str, object] = {
        "day": day,
        "fallen": [{"name": name, "role": role} for name, role in roles.items()],
        "eliminate_word": setup.terms.eliminate,
        "nobody": setup.terms.no_elimination,
    }
    text = released(render("any/flip", facts, speech), session, request.allow)
    without = tuple(name for name, role in roles.items() if role is None)
    return Flip(text, day, fallen, without, setup.source)


def _events_of(record: Record, table: RunningGame) -> Iterator[Event]:
    """What an entry led to in the game."""
    for taken in table.replay.taken:
        if taken.number == record.number:
            yield from taken.events


STEP = 1.0
"""Seconds between two looks at the clock."""
Countdown = Callable[[float], None]
"""Is told the seconds that are left, about once a second."""


@dataclass(frozen=True, slots=True)
class AwaitedDay:
    """A day to wait for: its number, the first instant that is too late for a vote, and now."""

    setup: Setup
    day: int
    closes: datetime
    at: datetime


@dataclass(frozen=True, slots=True)
class WrittenCount:
    """The final count of a day that was waited for, and the file with its post in the game's folder."""

    final: FinalCount
    text: str
    file: Path


def awaited_day(request: CountRequest, session: Session) -> AwaitedDay:
    """The day whose deadline a count waits for: as asked, else the first that is not over, else the last.

    Raises InputError where there is no game file, no thread or no deadline to wait for.
    """
    if request.dialect:
        dialect(request.dialect)  # an unknown one is told now, not in the night
    if request.words or request.html or request.jsonl or request.stored or request.at:
        raise InputError(
            sentence(
                "{wait} only works for a game's own thread at the deadline of one of its days.",
                wait=Way("field", name="wait"),
            )
        )
    if session.game is None:
        raise InputError(
            sentence(
                "{wait} needs the deadline of a game: {in_game}.",
                wait=Way("field", name="wait"),
                in_game=Way("in_game"),
            )
        )
    setup, now = now_of(session).setup, session.clock.now()
    url_of(setup)
    ends = [(one.deadline, one) for one in setup.days if one.deadline and request.day in (None, one.number)]
    if not ends:
        which = f"day {request.day}" if request.day else "any day"
        raise InputError(
            f"{setup.source} has no deadline for {which}, so there is nothing to wait for. Add "
            f"one:  [[day]]  number = {request.day or 1}, ends = 2026-11-25T20:00:00"
        )

    def in_time(end: tuple[datetime, DaySetup]) -> tuple[datetime, int]:
        return end[0], end[1].number

    ahead = [end for end in ends if setup.rule.closes(end[0]) > now]
    deadline, day = min(ahead, key=in_time) if ahead else max(ends, key=in_time)
    return AwaitedDay(setup, day.number, setup.rule.closes(deadline), now)


def wait(awaited: AwaitedDay, session: Session, countdown: Countdown | None = None) -> None:
    """Sleep until no vote of the day can be in time any more.

    The forum is looked at once before, so that what cannot work is told while somebody is there to mend it.
    """
    if session.clock.now() < awaited.closes:
        try:
            gather(Link(url_of(awaited.setup)), session)
        except FAULTS as fault:
            session.report(ForumDown(first_line(fault), None))
    while (left := (awaited.closes - session.clock.now()).total_seconds()) > 0:
        if countdown:
            countdown(left)
        session.clock.sleep(min(left, STEP))


def count_at_deadline(awaited: AwaitedDay, request: CountRequest, session: Session) -> WrittenCount:
    """Count the day once its thread holds still, and write the final votecount into the game's folder.

    Raises EvidenceError where the thread does not hold still, SecretGuard where the post gives something
    away, and the last fault where the forum is down for a day.
    """
    final = final_count(awaited.setup, awaited.day, session, patient=True)
    text = released(final_text(final, request.dialect, log_line(session)), session, request.allow)
    file = keep_final(final, text, session.folder)
    return WrittenCount(final, text, file.relative_to(session.folder))
