"""A running game that was not begun here, as a table to correct: who holds which seat and since when, how the
dead left, which role each has, and where each of that was read.

The table is read from the thread, with the list of roles where there is one; whoever takes the game over
corrects lines of it, here or in a spreadsheet (`table_text`, `parse_table`). Nothing is written.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from knightfall.audience import SECRET
from knightfall.config.instants import no_zone
from knightfall.config.setup import VOTES
from knightfall.engine.json_text import JsonAnswer
from knightfall.errors import InputError
from knightfall.forums.sites import site_of
from knightfall.models import DepartureKind, Holder, Slot, Thread
from knightfall.names import Names, fold
from knightfall.parameters import asked
from knightfall.reading.lexicon import says_role
from knightfall.sentence import Sentence
from knightfall.services.game.beginning import game_title
from knightfall.services.game.role_cards import CUSTOM, card_meant
from knightfall.services.session import Session, parse_at, read_text
from knightfall.services.threads import Source, gather, habits_of, source_of
from knightfall.storage.drafts import write_draft
from knightfall.votes.config import CountConfig
from knightfall.votes.deadlines import Stated
from knightfall.votes.game_told import DayOfGame, GameTold, LeftTold, SeatTold, game_told
from knightfall.votes.role_list import RoleLine, RoleList, read_role_list
from knightfall.votes.rule import Rule

ALIVE = "alive"


@dataclass(frozen=True, slots=True)
class AdoptRequest:
    """Which running game is to be taken in, and what is known of it beside its thread.

    `roles` is a text that tells who has which role, in any wording; `table` a corrected table, which takes
    the place of all that was read. `game` "": Custom Mafia where every role is told, else votes alone.
    `phase` is where it stands, with the post that opened it.
    """

    words: tuple[str, ...] = asked(
        "The thread's address, or saved files.", (), metavar="URL | FILE...", positional=True
    )
    html: bool = asked("Use pages saved in your browser.", False, flag="from-html")
    jsonl: bool = asked("Use posts from a JSON Lines file, also .gz.", False, flag="from-jsonl")
    at: str | None = asked("As of this post or time (default: the last post).", None, metavar="POST|TIME")
    roles: str = field(default="", repr=False)
    table: str = field(default="", repr=False)
    game: str = asked("Such as custom-mafia, or votes (default: by the roles).", "", metavar="GAME")
    phase: str = asked(
        "Where the game stands, where that was read wrongly: “day 3 #812” or “night 2”.", "", metavar="PHASE"
    )
    moderators: tuple[str, ...] = asked(
        "Your username; repeat for co-moderators.", (), flag="moderator", metavar="NAME"
    )
    title: str = asked("The game's title (default: as the thread is called).", "")
    timezone: str = asked("Time zone, such as America/New_York.", "UTC", flag="tz", metavar="ZONE")
    site: str = asked("Your site's dialect, such as phpbb.", "", metavar="DIALECT")
    options: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, repr=False)
class AdoptedSeat(JsonAnswer):
    """A line of the table: who held the seat, oldest first; how it left (None: it lives); its role as it was
    written and the game's card for that ("" where it has none or nothing was told), with where it was read.
    `doubts` are what is not sure, a sentence each."""

    holders: tuple[Holder, ...]
    left: LeftTold | None = None
    role: str = field(default="", metadata=SECRET)
    card: str = field(default="", metadata=SECRET)
    source: str = ""
    doubts: tuple[str | Sentence, ...] = field(default=(), metadata=SECRET)

    @property
    def name(self) -> str:
        """Who holds it now."""
        return self.holders[-1].name

    @property
    def slot(self) -> str:
        """What the seat is called: its first holder."""
        return self.holders[0].name

    @property
    def earlier(self) -> str:
        """Who held it before, and from which post on the next one did: “Boro > #120 Elm > #300”."""
        if len(self.holders) == 1:
            return ""
        said = [self.holders[0].name]
        said += [f"#{before.from_post} {before.name}" for before in self.holders[1:-1]]
        return " > ".join((*said, f"#{self.holders[-1].from_post}"))

    @property
    def fate(self) -> str:
        """“alive”, or how they left and when, with the post that tells it: “killed, night 1, #212”."""
        if self.left is None:
            return ALIVE
        phase = f"{'night' if self.left.night else 'day'} {self.left.day}"
        post = "" if self.left.post is None else f", #{self.left.post}"
        return f"{self.left.how.value}, {phase}{post}"

    def to_dict(self) -> dict[str, object]:
        """{name, slot, earlier, alive, fate, role, card, source, doubts}."""
        return {
            "name": self.name,
            "slot": self.slot,
            "earlier": self.earlier,
            "alive": self.left is None,
            "fate": self.fate,
            "role": self.role,
            "card": self.card,
            "source": self.source,
            "doubts": [str(one) for one in self.doubts],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Adoption(JsonAnswer):
    """A running game as it was read: what it is called, its thread ("" where it was read from files), who
    moderates it, the game's id or "votes", where it stands (`day-3`), its days, its seats.

    `said` are what was taken from which post, `doubts` what concerns the whole, `unread` lines of the role
    list that name nobody, with their numbers; `last` is the last post that was read.
    """

    title: str
    url: str
    site: str
    moderators: tuple[str, ...]
    kind: str
    window: str
    seats: tuple[AdoptedSeat, ...]
    days: tuple[DayOfGame, ...]
    last: int
    rule: Rule = field(repr=False, default_factory=Rule)
    said: tuple[str | Sentence, ...] = ()
    doubts: tuple[str | Sentence, ...] = ()
    until: datetime | None = None
    """The deadline of what is open, where a post tells one that is ahead."""
    unread: tuple[tuple[int, str], ...] = field(default=(), metadata=SECRET)
    thread: Thread | None = field(default=None, repr=False, compare=False)
    source: Source | None = field(default=None, repr=False, compare=False)
    """Where the thread came from; None where its posts were given."""

    @property
    def phase(self) -> str:
        """“Day 3”."""
        return self.window.replace("-", " ").capitalize()

    @property
    def open_questions(self) -> int:
        """How many lines and wholes are in doubt."""
        return len(self.doubts) + sum(bool(one.doubts) for one in self.seats) + len(self.unread)

    def to_dict(self) -> dict[str, object]:
        """{title, url, moderators, game, window, last, days: [{number, start, ended, eliminated}], seats,
        said, doubts, unread: [{line, text}]}."""
        return {
            "title": self.title,
            "url": self.url,
            "moderators": list(self.moderators),
            "game": self.kind,
            "window": self.window,
            "last": self.last,
            "days": [
                {
                    "number": day.number,
                    "start": day.start,
                    "ended": day.ended,
                    "eliminated": list(day.eliminated),
                }
                for day in self.days
            ],
            "seats": [one.to_dict() for one in self.seats],
            "said": [str(one) for one in self.said],
            "doubts": [str(one) for one in self.doubts],
            "unread": [{"line": number, "text": text} for number, text in self.unread],
        }


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────────────


def read_adoption(request: AdoptRequest, session: Session) -> Adoption:
    """Read a running game from its thread, and its roles from a list. Raises InputError for a thread that
    cannot be counted, a table with a line that cannot be read, or no such game; what reading raises."""
    source = source_of(request.words, request.html, request.jsonl)
    return adoption_of(gather(source, session), request, session, source)


def adoption_of(
    thread: Thread,
    request: AdoptRequest,
    session: Session,
    source: Source | None = None,
    corrected: Sequence[AdoptedSeat] = (),
) -> Adoption:
    """The same of a thread that was read from `source`; `corrected` are the seats as they are by now."""
    habits = habits_of(thread)
    ask = parse_at(request.at, None, session.clock.now())
    now = session.clock.now()
    told = game_told(thread, habits, CountConfig(zone=zone_named(request.timezone)), ask, now)
    last = ask.at_post or thread.posts[-1].number
    if corrected or request.table:
        seats, listed = tuple(corrected) or parse_table(request.table), RoleList()
    else:
        seats, listed = _with_list(told, request.roles)
    kind = request.game or (VOTES if any(not one.role for one in seats) or not seats else "custom_mafia")
    moderators = tuple(dict.fromkeys((*request.moderators, *told.moderators)))
    site = site_of(thread.url or "")
    window, days = _standing(told, seats, request.phase)
    ends = told.deadline
    until = ends.earliest if ends is not None and ends.sure else None
    return Adoption(
        request.title or game_title(thread.title) or "Taken in",
        thread.url or "",
        request.site or site.dialect or "",
        moderators,
        kind,
        window,
        tuple(_with_cards(seats, kind)),
        days,
        last,
        told.rule,
        (*told.said, *_deadline_said(ends)),
        () if corrected or request.table else (*told.doubts, *_whether_it_is_over(ends, now)),
        until if until is not None and until > now else None,
        listed.unread,
        thread,
        source,
    )


def _deadline_said(ends: Stated | None) -> Iterator[str]:
    if ends is not None:
        yield f"Post #{ends.post} on the deadline: “{ends.words}”"


def _whether_it_is_over(ends: Stated | None, now: datetime) -> Iterator[str]:
    """The doubt where the deadline that was told may have passed."""
    if ends is not None and ends.earliest <= now:
        over = "is over" if ends.latest is not None and ends.latest <= now else "may be over"
        yield f"Post #{ends.post} says “{ends.words}”, and that {over}: what was sent since may not count."


def zone_named(name: str) -> ZoneInfo:
    """The time zone of that name. Raises InputError where there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        raise InputError(no_zone(name)) from None


def _standing(told: GameTold, seats: Sequence[AdoptedSeat], phase: str) -> tuple[str, tuple[DayOfGame, ...]]:
    """Where the game stands, and its days with whom each eliminated by the table. Raises InputError."""
    fell: dict[int, list[str]] = {}
    for seat in seats:
        if seat.left is not None and seat.left.how is DepartureKind.ELIMINATED:
            fell.setdefault(seat.left.day, []).append(seat.slot)
    days = tuple(
        DayOfGame(day.number, day.start, day.ended, tuple(fell.get(day.number, ()))) for day in told.days
    )
    if not phase:
        return f"{'night' if told.night else 'day'}-{told.number}", days
    found = _PHASE.fullmatch(phase.strip())
    if found is None:
        raise InputError(f"“{phase}” is no phase. Write it as “day 3 #812” or “night 2”.")
    kind, number = found["kind"].lower(), int(found["number"])
    kept = [day for day in days if day.number <= number]
    if not kept or kept[-1].number < number:
        if found["post"] is None:
            raise InputError(f"Name the post that opened day {number}, such as “{kind} {number} #812”.")
        kept.append(DayOfGame(number, int(found["post"]), None, tuple(fell.get(number, ()))))
    elif found["post"] is not None:
        kept[-1] = replace(kept[-1], start=int(found["post"]))
    return f"{kind}-{number}", tuple(kept)


_PHASE = re.compile(r"(?P<kind>day|night)\s*(?P<number>\d{1,3})(?:\s*,?\s*#(?P<post>\d+))?", re.IGNORECASE)


def _with_list(told: GameTold, text: str) -> tuple[tuple[AdoptedSeat, ...], RoleList]:
    """The seats as the thread tells them, with the roles of a list. Where the two do not agree the list is
    taken, and that is told."""
    names = Names([Slot(seat.holders) for seat in told.seats])
    listed = read_role_list(text, names) if text.strip() else RoleList()
    lines: dict[str, list[RoleLine]] = {}
    for line in listed.lines:
        for slot in line.slots:
            lines.setdefault(slot, []).append(line)
    others = [line for line in listed.lines if not line.slots]
    return tuple(
        _seat(one, lines.get(one.name) or ([] if one.role else others), bool(text.strip()))
        for one in told.seats
    ), listed


def _seat(told: SeatTold, lines: Sequence[RoleLine], listed: bool) -> AdoptedSeat:
    doubts = list(told.doubts)
    role, source = told.role, f"post #{told.role_post}" if told.role_post is not None else ""
    written = [one for one in lines if _role_of(one)]
    if not told.heard and told.left is None and not lines:
        doubts.append(f"Nobody called {told.name} has posted.")
    if written:
        # A seat that stands in the list twice has the role that its first line tells.
        first = written[0]
        role, source = _role_of(first), f"line {first.line} of the role list"
        if told.role and not _is_one_card(told.role, role):
            doubts.append(f"Post #{told.role_post} shows “{told.role}”, and the role list has “{role}”.")
        if not all(_is_one_card(_role_of(one), role) for one in written[1:]):
            twice = ", ".join(f"“{_role_of(one)}” (line {one.line})" for one in written)
            doubts.append(f"The role list has {told.name} more than once: {twice}.")
    elif listed:
        doubts.append(f"The role list does not name {told.name}.")
    for line in lines:
        if line.fate and (_is_alive(line.fate) is (told.left is not None)):
            now = "lives" if told.left is None else "is dead"
            doubts.append(f"The role list says “{line.fate}”, and by the thread {told.name} {now}.")
    return AdoptedSeat(told.holders, told.left, role, "", source, tuple(doubts))


def _is_one_card(told: str, listed: str) -> bool:
    """Whether two roles as they are written are one: in the same words, or by the card that they mean."""
    if fold(told) in fold(listed):
        return True
    card = card_meant(CUSTOM, told)[0]
    return bool(card) and card == card_meant(CUSTOM, listed)[0]


def _role_of(line: RoleLine) -> str:
    """The role as a line writes it, behind the side that its heading names."""
    if not line.role:
        return line.heading if says_role(line.heading) else ""
    named = says_role(line.heading) and fold(line.heading.split(" ")[0]) not in fold(line.role)
    side = line.heading if named else ""
    return f"{side}: {line.role}" if side else line.role


def _is_alive(fate: str) -> bool:
    return bool(re.match(r"(?:survived|alive|living|lives)\b", fate.strip(), re.IGNORECASE))


def _with_cards(seats: Iterable[AdoptedSeat], kind: str) -> Iterator[AdoptedSeat]:
    """Each seat with the card of the game that its role means."""
    for seat in seats:
        if kind == VOTES or not seat.role:
            yield (
                seat
                if kind == VOTES
                else replace(seat, doubts=(*seat.doubts, f"No role is known for {seat.name}."))
            )
            continue
        card, remark = card_meant(kind, seat.role)
        doubts = (*seat.doubts, remark) if remark else seat.doubts
        yield replace(seat, card=card, doubts=doubts)


# ── The table as text ─────────────────────────────────────────────────────────────────────────────────────

COLUMNS = ("player", "earlier", "fate", "role", "read in", "not sure")


def table_text(adoption: Adoption) -> str:
    """The table for a spreadsheet: comma-separated, a head and a line a seat."""
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n")
    write.writerow(COLUMNS)
    for seat in adoption.seats:
        doubts = " ".join(str(one) for one in seat.doubts)
        write.writerow([seat.name, seat.earlier, seat.fate, seat.card or seat.role, seat.source, doubts])
    return out.getvalue()


def parse_table(text: str) -> tuple[AdoptedSeat, ...]:
    """The seats of a corrected table, whose lines are all that play or played. Raises InputError with the
    line, what was found and what was expected."""
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff"))))
    head = [cell.strip().casefold() for cell in rows[0]] if rows else []
    if "player" not in head:
        raise InputError(f"The table has no column “player”. Its first line is: {', '.join(COLUMNS)}.")
    seats: list[AdoptedSeat] = []
    for number, row in enumerate(rows[1:], start=2):
        said = {what: row[place].strip() for place, what in enumerate(head) if place < len(row)}
        if any(said.values()):
            seats.append(seat_said(said, f"line {number} of the table"))
    return checked(seats)


def seat_said(said: Mapping[str, str], where: str) -> AdoptedSeat:
    """A seat as somebody typed it. Raises InputError with `where` it stands."""
    name = said.get("player", "")
    if not name:
        raise InputError(f"{where}: no player is named.")
    holders = _holders(name, said.get("earlier", ""), where)
    left = _left(said.get("fate", "") or ALIVE, where)
    return AdoptedSeat(holders, left, said.get("role", ""), "", said.get("read in", "") or where)


def checked(seats: Sequence[AdoptedSeat]) -> tuple[AdoptedSeat, ...]:
    """The same. Raises InputError where a name has two seats."""
    seen: dict[str, str] = {}
    for seat in seats:
        for holder in {fold(one.name) for one in seat.holders}:
            if holder in seen:
                raise InputError(f"“{holder}” has two seats: that of {seen[holder]} and that of {seat.name}.")
            seen[holder] = seat.name
    return tuple(seats)


_EARLIER = re.compile(r"(?:#(?P<post>\d+)\s*)?(?P<name>[^#>]*?)\s*")
_FATE = re.compile(
    r"(?P<how>eliminated|lynched|executed|hanged|voted out|killed|night-?killed|died|dead|murdered|shot"
    r"|mod-?killed)"
    r"\s*,?\s*(?:(?:on|in|at)\s)?(?P<phase>day|night|d|n)\s*#?(?P<number>\d{1,3})(?:\s*,?\s*#(?P<post>\d+))?\.?",
    re.IGNORECASE,
)


def _holders(name: str, earlier: str, where: str) -> tuple[Holder, ...]:
    """Who held a seat: “Boro > #120 Elm > #300” before who has it now."""
    if not earlier:
        return (Holder(name),)
    posts: list[int] = []
    names: list[str] = []
    for part in earlier.split(">"):
        found = _EARLIER.fullmatch(part.strip())
        if found is None:
            raise InputError(f"{where}: earlier: found “{earlier}”, expected such as “Boro > #120”.")
        posts.append(int(found["post"] or 0))
        names.append(found["name"])
    if names[-1]:
        names.append("")
        posts.append(0)
    names[-1] = name
    if not all(names):
        raise InputError(f"{where}: earlier: found “{earlier}”, expected such as “Boro > #120”.")
    return tuple(Holder(one, post) for one, post in zip(names, posts, strict=True))


def _left(fate: str, where: str) -> LeftTold | None:
    if _is_alive(fate):
        return None
    found = _FATE.fullmatch(fate.strip())
    if found is None:
        raise InputError(
            f"{where}: fate: found “{fate}”, expected alive, or such as “eliminated, day 2” or “killed, "
            "night 1, #212”."
        )
    said = found["how"].casefold().replace("-", "")
    night = found["phase"].casefold().startswith("n")
    how = DepartureKind.KILLED
    if said == "modkilled":
        how = DepartureKind.MODKILLED
    elif said in ("eliminated", "lynched", "executed", "hanged", "voted out"):
        how = DepartureKind.ELIMINATED
    if how is DepartureKind.ELIMINATED and night:
        raise InputError(f"{where}: fate: found “{fate}”: by night nobody is eliminated.")
    return LeftTold(how, int(found["number"]), night, int(found["post"]) if found["post"] else None)


def write_table(adoption: Adoption, file: Path) -> None:
    """Write the table into a file that its owner alone may read. Raises InputError where that cannot be."""
    write_draft(file.parent, ".", file.name, table_text(adoption))


def read_list(file: Path | None) -> str:
    """The text of a role list or a table. Raises InputError where it cannot be read."""
    return "" if file is None else read_text(file)
