"""The posts that frame a game: sign-ups, rules and the first post, endgame and the record."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import count, dropwhile
from types import MappingProxyType

from knightfall.config.calendar import phases
from knightfall.engine.commands import lines_of
from knightfall.engine.entries import Ruled, Started, Submitted, options_of
from knightfall.engine.game import Facts, announced
from knightfall.engine.journal import course_of, standing
from knightfall.engine.json_text import as_object
from knightfall.engine.prods import ProdRule
from knightfall.engine.safe_text import cell
from knightfall.errors import InputError, KnightfallError
from knightfall.mafia.endgame_history import completed
from knightfall.mafia.events import Elimination, Ending, MafiaSetup, NightSheet, Proof
from knightfall.sentence import Given, SlotId, Title, Way, joined, sentence
from knightfall.services.deal import endgame_facts, file_options, parse_proof, published_proof
from knightfall.services.fair_deal import fair_proof, opening_lines
from knightfall.services.guard import PASSED
from knightfall.services.now import Now
from knightfall.services.posts.facts import (
    PostContent,
    Section,
    end_of,
    ending_of,
    groups,
    stations,
    until_facts,
)
from knightfall.services.running import RunningGame, before, counted_by, holders, with_holders
from knightfall.services.session import DEAL_FILE
from knightfall.votes.rule import Death, NeededAtDeadline, how_to_vote, needed_table, rule_sentences

MOST = 13
"""So many living players the table of needed votes begins with where the game file lists none."""
WIDEST = 4
"""A choice among more values than this is a setup, not a rule of the house: it may be a secret."""
LINK_NAMES: Mapping[str, str] = MappingProxyType({"signup": "Sign-ups", "game": "Game", "vote": "Votes"})
"""Threads that everybody may read, as a link calls them."""
ENDINGS = frozenset({"ending", "match_end", "deathmatch"})
"""Posts with which a game ends; what is announced behind one belongs to the end, too."""


def sign_ups(context: Now) -> PostContent:
    """The first post of a sign-up thread, whole, as it reads now."""
    if context.table is not None:
        raise InputError(
            sentence(
                "The game has begun, so sign-ups are closed. Its first post: {post}",
                post=Way("draft_post", kind="opening"),
            )
        )
    spec = context.game.spec if context.game else None
    facts = {
        **_head(context),
        "game": spec.name if spec else None,
        "setup": tells_setup(context),
        "fewest": spec.players[0] if spec else None,
        "most": spec.players[-1] if spec else None,
        "zone": context.setup.zone.key if context.setup.zone else None,
        "places": _links(context, "game"),
        "players": [context.shown(slot) for slot in context.slots],
        "live": _is_live(context),
        "prods": list(_prod_sentences(context.setup.prods)),
    }
    return PostContent((Section("any/signup", facts),))


def rules(context: Now) -> PostContent:
    """How votes count, from the rule object itself; what the house chose of the game's own rules; conduct."""
    setup, sections = context.setup, list[Section]()

    # How votes count; without a table of needed votes where most votes decide at the deadline.
    if context.votes_by_day:
        rule, terms = setup.rule, setup.terms
        most_votes = rule.death is Death.PLURALITY and rule.needed_at_end is NeededAtDeadline.MAJORITY
        rows = () if most_votes else needed_table(rule, len(context.slots) or MOST)
        marked = terms.closeness_mark(1) if setup.rule.death is not Death.PLURALITY else ""
        closeness = [f"In my votecounts, {marked} means: one vote short."] if marked else []
        voting = {
            "sentences": [*rule_sentences(setup.rule, terms.no_elimination), *closeness],
            "rows": [{"alive": a, "needed": n, "nobody": "–" if z is None else z} for a, n, z in rows],
            "eliminate_word": setup.terms.eliminate,
            "nobody": setup.terms.no_elimination,
        }
        sections.append(Section("any/rules", voting))

    # What the house plays otherwise than the game does by itself, unless “this setup” tells it in sentences.
    # No pattern, and no long choice: that may be the setup.
    setup_told, house = tells_setup(context), list[dict[str, str]]()
    for option in context.game.spec.options if context.game and not setup_told else ():
        said = str(setup.options.get(option.name, option.default)).lower()
        if not option.pattern and len(option.values) <= WIDEST and said != option.default:
            house.append({"question": option.question, "value": said.replace("_", " ")})
    prods = list(_prod_sentences(setup.prods))
    sections.append(
        Section(
            "any/conduct",
            {"setup": setup_told, "house": house, "prods": prods, "mafia": context.votes_by_day},
        )
    )
    return PostContent(tuple(sections))


def this_setup(context: Now) -> PostContent:
    """“This setup”: the game's own rules under the options that were chosen, for everybody to read."""
    facts = _setup_facts(context)
    if facts is None or context.game is None:
        name = context.game.spec.name if context.game else "A votes-only game"
        raise InputError(
            sentence(
                "{game} has no setup post. For how votes count: {rules}",
                game=name,
                rules=Way("draft_post", kind="rules"),
            )
        )
    return PostContent((Section(f"{context.game.spec.id}/{facts.kind}", facts),))


def tells_setup(context: Now) -> bool:
    """Whether there is a post of the setup to point to; not where the options cannot be read yet."""
    try:
        return _setup_facts(context) is not None
    except InputError:
        return False


def _is_live(context: Now) -> bool:
    """Whether the game is played in one sitting; not where the options cannot be read yet."""
    try:
        options = file_options(context.setup, context.session.folder)
        return context.game is not None and context.game.is_live(options)
    except InputError:
        return False


def _setup_facts(context: Now) -> Facts | None:
    """What the game tells of its setup: as it began, else as its file says."""
    if context.game is None:
        return None
    began = next((entry for _, entry in context.entries(Started)), None)
    options = (
        options_of(began, context.game.spec) if began else file_options(context.setup, context.session.folder)
    )
    facts = context.game.setup_post(tuple(map(SlotId, context.slots)), options)

    if not isinstance(facts, MafiaSetup) or context.game.day_rule(options) is None:
        return facts
    # Votes are counted by the rule of the game file, which may be another than the game's own.
    return replace(facts, voting=rule_sentences(context.setup.rule, context.setup.terms.no_elimination))


def opening(context: Now) -> PostContent:
    """The first post of the game's thread: it is edited in every phase, so it is written whole."""
    head = Section(
        "any/opening",
        {
            **_head(context),
            "setup": tells_setup(context),
            "places": _links(context, "signup", "vote"),
            "commitment": _commitment(context) if context.table else None,
            "published": _published(context) if context.table else "",
            "fair": _fair_lines(context) if context.table else "",
            "page": context.setup.check_page,
        },
    )
    players = Section("any/players", {"groups": groups(context), "stations": stations(context)})
    began = context.last("opening")
    if began is None or context.game is None or context.table is None:
        return PostContent((head, players))
    facts = context.game.opening_now(context.table.state, counted_by(context.table, began).facts)
    own = Section(f"{context.game.spec.id}/opening", facts)
    if len(context.public) == 1:
        own = replace(own, facts=context.renamed(facts))
        return PostContent((head, own, *_first_deadline(context)))
    return PostContent((head, players, Section("any/began", {}), own))


def _first_deadline(context: Now) -> tuple[Section, ...]:
    """Until when the day or night lasts with which a mafia game begins, where somebody has said, and how
    votes are written. Other games tell it in their own words."""
    if context.table is None or not context.votes_by_day or context.phase not in ("day", "night"):
        return ()
    facts = {
        "title": context.table.windows[0].title,
        "until": until_facts(end_of(context, context.window), context.zone),
        "voting": how_to_vote(context.setup.rule, context.setup.terms.no_elimination),
    }
    return (Section("any/phase-ends", facts),)


def _head(context: Now) -> dict[str, object]:
    return {"title": Title(context.title), "moderators": list(context.setup.moderators)}


def _links(context: Now, *roles: str) -> list[dict[str, str]]:
    """Links to the public threads of these roles; the address of a private one never comes here."""
    return [
        {"name": LINK_NAMES[thread.role], "url": thread.url}
        for thread in context.setup.threads
        if not thread.secret and thread.role in roles
    ]


def _prod_sentences(rule: ProdRule) -> Iterator[str]:
    """How silence is dealt with."""
    if rule.after is None:
        return
    hours = rule.after.total_seconds() / 3600
    skipped = "; weekends do not count" if rule.skip_weekends else ""
    yield f"Players who are silent for {hours:g} hours are prodded{skipped}."
    if rule.grace is not None:
        yield (
            f"Players who stay silent for another {rule.grace.total_seconds() / 3600:g} hours are "
            "prodded again."
        )
    if rule.most is not None:
        times = "time" if rule.most == 1 else "times"
        yield f"Players who stay silent after being prodded {rule.most} {times} are replaced or removed."


def _published(context: Now) -> str:
    """How much of the chance of a game is published at its end: all, part or none."""
    assert context.table is not None
    parts = context.table.game.published(context.table.state)
    return "all" if parts == ((),) else "part" if parts else "none"


def _fair_lines(context: Now) -> str:
    """What opens every card, and what the deal was drawn from; "" of a deal that was not committed to so."""
    proof = fair_proof(context.session.folder)
    return opening_lines(proof) if proof is not None else ""


def _commitment(context: Now) -> str | None:
    """The number that binds the deal; None where the game was not dealt here."""
    try:
        said = json.loads((context.session.folder / DEAL_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found = said.get("commitment") if isinstance(said, dict) else None
    return found if isinstance(found, str) else None


def endgame(context: Now) -> PostContent:
    """Everything, now that nothing is a secret any more. Private threads are not opened here: ask first.

    Raises InputError while the game goes on.
    """
    if context.table is None or context.game is None:
        raise InputError(
            sentence(
                "No game has begun here, so there is no endgame to post. This post is for games that "
                "Knightfall runs. For who played and who died: {archive}",
                archive=Way("draft_post", kind="archive"),
            )
        )
    if not context.is_over:
        open_ = ", ".join(window.title for window in context.table.windows)
        raise InputError(
            sentence(
                "The game is not over ({open_}), so there is no endgame post yet. To see what is open: {see}",
                open_=open_,
                see=Way("see_open"),
            )
        )

    # The ending and all that was announced after it; a mafia game's with every night.
    proof = proof_of(context)
    told = tuple(dropwhile(lambda event: event.kind not in ENDINGS, context.public))
    whole = tuple(map(context.game.retold, announced(completed(context.table.replay.events))))
    last = [
        Section(f"{context.game.spec.id}/{event.kind}", _named_as_then(event.facts, context, context.table))
        for event in whole[len(whole) - len(told) :]
    ]

    moderators, page = list(context.setup.moderators), context.setup.check_page
    facts = {"title": Title(context.title), "moderators": moderators, "rooms": context.votes_by_day}
    return PostContent(
        (
            Section("any/endgame", facts),
            *last,
            *_season(context),
            *_every_vote(context),
            *rulings_of(context),
            *read_late_of(context),
            Section("any/thanks", facts),
            # The file that readers check is the very last line of the post: the proof says so.
            *(() if proof is None else (Section("any/proof", {"proof": proof, "page": page}),)),
        )
    )


def _season(context: Now) -> tuple[Section, ...]:
    """What the match gives to the book of the season, as everybody may know it."""
    assert context.table is not None
    book = context.table.game.season_book(context.table.state, balances=False)
    return () if book is None else (Section("any/season", context.renamed(book)),)


def _named_as_then(facts: Facts, context: Now, table: RunningGame) -> Facts:
    """What is told at the end, with everybody as they are called now; each night with who held the slots
    then."""
    if not isinstance(facts, Ending):
        return context.renamed(facts)
    held = {
        event.facts.night: holders(tuple(one for one in context.standing if one.number <= taken.number))
        for taken in table.replay.taken
        for event in taken.events
        if isinstance(event.facts, NightSheet)
    }
    now = context.renamed(replace(facts, nights=()))
    assert isinstance(now, Ending)
    return replace(now, nights=tuple(with_holders(one, held.get(one.night, {})) for one in facts.nights))


def proof_of(context: Now) -> Proof | None:
    """What lets everybody deal again, and check each draw of a game that is played on a board; None where the
    folder has no deal."""
    file = context.session.folder / DEAL_FILE
    try:
        proof = parse_proof(str(file), file.read_text(encoding="utf-8"))
        if context.table is None or (context.votes_by_day and not proof.fair):
            return endgame_facts(proof)
        published = published_proof(proof, context.table)
        return endgame_facts(published) if published else Proof(proof.commitment, "", "", "")
    except (OSError, KnightfallError):
        return None


REASON_OF_AN_ACT = re.compile(
    r"Does day [0-9]+ end before its time\?|.+ was closed before its time|Was .+ closed before its time\?"
    r"|Has .+ another deadline\?|Who falls in the tie of day [0-9]+: .+\?"
    r"|Who is eliminated on day [0-9]+, which .+\?"
)
"""The question of a ruling that tells why the next entry was made: an early closing, a moved deadline, a tie
that was drawn, the moderator's choice. There may be several, one after the other."""


def rulings_of(context: Now) -> tuple[Section, ...]:
    """What the moderator decided, but for what they let pass the guard; with the reasons that are told."""
    # The reason of an act is written down just before it: who takes the act back takes the reason back, too.
    stands, rows = {record.number for record in context.standing}, list[dict[str, str]]()
    rulings = dict(context.entries(Ruled))
    reasons = {number for number, entry in rulings.items() if REASON_OF_AN_ACT.fullmatch(entry.question)}
    for number, entry in rulings.items():
        act = next(later for later in count(number + 1) if later not in reasons)
        if not entry.question.startswith(PASSED) and (act in stands or number not in reasons):
            rows.append(
                {
                    "question": Given(entry.question),
                    "answer": Given(entry.answer),
                    "why": Given(entry.public_why),
                }
            )
    return (Section("any/decided", {"rulings": rows}),) if rows else ()


def read_late_of(context: Now) -> tuple[Section, ...]:
    """The orders of a mafia game's nights that were read after the night had been closed, and counted. Who
    may send what in a phase of another game may stay a secret."""
    table = context.table
    if table is None or not context.votes_by_day:
        return ()
    late, rows = course_of(table.journal).late, list[dict[str, object]]()
    refused = Counter(taken.number for taken in table.replay.taken for _ in taken.refused)
    for record in standing(table.journal):
        entry = record.entry
        if record.number not in late or not isinstance(entry, Submitted) or entry.slot is None:
            continue
        if refused[record.number] == len(lines_of(entry.text)):
            continue
        windows = before(table, record.number).windows
        title = next((one.title for one in windows if one.kind == "night" and entry.slot in one.slots), None)
        row: dict[str, object] = {"name": context.shown(entry.slot), "night": title}
        if title is not None and row not in rows:
            rows.append(row)
    return (Section("any/read-late", {"late": rows}),) if rows else ()


def _every_vote(context: Now) -> tuple[Section, ...]:
    """For whom everybody voted at the end of each day that can still be counted; nothing where none can."""
    if not context.votes_by_day or context.thread is None:
        return ()
    numbers = [one.facts.day for one in context.public if isinstance(one.facts, Elimination)]
    days: dict[int, dict[str, str]] = {}
    for place, day in enumerate(numbers, start=1):
        ending, _ = ending_of(context, day)
        if context.session.progress:
            context.session.progress(place, len(numbers))
        if ending is not None:
            days[day] = {
                vote.voter.name: SlotId(wagon.target.name)
                if wagon.target
                else context.setup.terms.no_elimination
                for wagon in ending.count.tally.wagons
                for vote in wagon.votes
            }
    if not days:
        return ()
    # A vote is kept under the name that the voter had on that day: the slot may have another holder since.
    rows = []
    for slot in context.slots:
        known = context.setup.roster.slot_of(slot) if context.setup.roster else None
        names = known.names if known else (context.holder(slot),)
        found = [next((votes[name] for name in names if name in votes), "") for votes in days.values()]
        rows.append({"name": context.shown(slot), "votes": found})
    return (Section("any/every-vote", {"days": list(days), "rows": rows}),)


@dataclass(frozen=True, slots=True)
class RecordedPlayer:
    """A line of the record: the slot with its holder, the role, how it ended, and whether it won ("" where
    nobody says)."""

    name: str
    role: str
    end: str
    result: str


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as an archive of many games keeps it; "" where something is not known."""

    title: str
    game: str
    setup: str
    moderators: tuple[str, ...]
    thread: str
    began: str
    ended: str
    winner: str
    players: tuple[RecordedPlayer, ...]

    def to_json(self) -> str:
        """{title, game, setup, moderators, thread, began, ended, winner, players: [{name, role, end,
        result}]}."""
        return as_object(asdict(self))

    def to_csv(self) -> str:
        """A line a player, for a spreadsheet: no cell of it is taken for a formula."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        heads = ("title", "game", "setup", "began", "ended", "winner", "player", "role", "end", "result")
        writer.writerow(heads)
        game = (self.title, self.game, self.setup, self.began, self.ended, self.winner)
        for one in self.players:
            writer.writerow([cell(text) for text in (*game, one.name, one.role, one.end, one.result)])
        return out.getvalue()


def archive_post(context: Now) -> PostContent:
    """The record as a post."""
    return PostContent((Section("any/archive", asdict(record_of(context))),))


def archive_file(context: Now, form: str) -> str:
    """The record as `csv` or `json`. Raises InputError for another form."""
    if form not in ("csv", "json"):
        raise InputError(
            sentence(
                "{format} {said}: expected csv or json. Without {format}, the record is a post.",
                format=Way("field", name="format"),
                said=form,
            )
        )
    record = record_of(context)
    return record.to_json() if form == "json" else record.to_csv()


def record_of(context: Now) -> GameRecord:
    """The record. Raises InputError while a begun game goes on: its roles are secret."""
    if context.table is not None and not context.is_over:
        raise InputError(
            sentence(
                "The game is not over, so its roles cannot be published yet. What comes first: {post}",
                post=Way("draft_post", kind="endgame"),
            )
        )
    if context.table is None and context.game is not None:
        raise InputError("The game has not begun, so there is nothing to record yet.")

    began, ended = _played(context)
    table = context.table
    roles = table.game.roles(table.state) if table else {}
    outcome = table.game.outcome(table.state) if table else None
    left = {str(one.slot): one for one in reversed(context.dead)}
    players = []
    for slot in context.slots:
        if outcome is None:
            result = ""
        else:
            drawn = slot in (outcome.drawn or context.slots) if outcome.winner is None else False
            result = "won" if slot in outcome.slots else "drawn" if drawn else "lost"
        role = roles.get(SlotId(slot), left[slot].role if slot in left else "")
        players.append(RecordedPlayer(context.shown(slot), role, _end(context, slot), result))
    return GameRecord(
        context.title,
        context.game.spec.name if context.game else "",
        table.game.setup_code(table.state) if table else "",
        context.setup.moderators,
        context.setup.url or "",
        began,
        ended,
        winner_named(context),
        tuple(players),
    )


def _played(context: Now) -> tuple[str, str]:
    """The first and the last day of a game, by the moderator's clocks; "" where nobody knows, or it goes on.

    They are those of its journal. A game that was written down when it was over, as deadlines and the last
    posts of its days tell, has the days of these; so has one that is counted and not played here.
    """
    known, posts = phases(context.setup.days, context.standing), context.posts
    times = {number: post.time for number, post in posts.items() if post.time is not None}
    starts = [moment for one in known for moment in (one.begins, times.get(one.start or 0)) if moment]
    ends = [moment for one in known if (moment := times.get(one.end or 0) or one.deadline)]
    written = [record.at for record in context.standing]
    afterwards = bool(ends) and max(ends) < min(written, default=context.session.clock.now())
    if afterwards:
        first, last = min((*starts, *ends)), max(ends)
    elif written:
        first, last = written[0], written[-1]
    else:
        return "", ""
    over = context.is_over or (context.table is None and afterwards)
    began, ended = (f"{moment.astimezone(context.zone):%Y-%m-%d}" for moment in (first, last))
    return began, ended if over else ""


def winner_named(context: Now) -> str:
    """Who won: a player as they are shown now, or a side with whoever wins beside it; “draw” or “nobody”, and
    "" while the game goes on."""
    outcome = context.table.game.outcome(context.table.state) if context.table else None
    if outcome is None:
        return ""
    if outcome.winner is None or outcome.winner in outcome.slots:
        if outcome.winner is None:
            return "draw" if outcome.drawn else "nobody"
        return context.shown(outcome.winner)
    side = outcome.winner.replace("_", " ")
    side = side if side.isupper() else side.title()
    # Who wins beside the side, such as a Jester, is named with the role.
    event = context.last_facts(Ending)
    along = event.along if event is not None else ()
    alone = len(outcome.slots) - len(along) == 1
    others = {str(one.name) for one in along}
    first = next((slot for slot in outcome.slots if str(slot) not in others), None)
    named: str = side
    if alone and first is not None:
        named = sentence("{who} ({side})", who=context.shown(first), side=side)
    beside = (sentence("{who} ({role})", who=context.shown(one.name), role=one.role) for one in along)
    return joined(", and ", (named, *beside))


def _end(context: Now, slot: str) -> str:
    """How and when the slot left; “alive” where it did not, "" where the game knows no deaths."""
    for one in context.dead:
        if one.slot == slot:
            return f"{one.how}, {one.when}"
    if context.table is not None:
        return context.table.game.alive_word
    return "alive" if context.votes_by_day else ""
