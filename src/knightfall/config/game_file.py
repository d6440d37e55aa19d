"""A game.toml read into a setup, with complaints that name file, key and what was expected.

The models below are the file's tables, key by key; `read_setup` and `parse_setup` make values of them.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from knightfall.config.files import parse_toml, read_file_text
from knightfall.config.instants import aware
from knightfall.config.setup import VOTES, AbsenceTable, FiledSpan, Setup, ThreadSetup, absences_of
from knightfall.engine.game import DayRule
from knightfall.engine.prods import ProdRule
from knightfall.errors import InputError, SetupError
from knightfall.games import game_ids, loaded
from knightfall.markup.dialects.shapes import TAGS
from knightfall.models import Departure, DepartureKind, Holder, Roster, Slot
from knightfall.votes.ballots import parse_forms
from knightfall.votes.config import DaySetup
from knightfall.votes.rule import (
    DEFAULT_FORMS,
    AtDeadline,
    Boundary,
    Death,
    DoubleVoter,
    Edited,
    NeededAtDeadline,
    NoElim,
    Rule,
    Tie,
)
from knightfall.votes.tally import Fix
from knightfall.votes.votecount import Terms

_NAME_LISTS = frozenset({"moderators", "aliases", "members"})
_TABLES = frozenset({"thread", "player", "day", "fix"})
_NEAR = 0.6
"""So much of a key must be right for it to be suggested: “tei” is near “tie”, not “self_vote”."""
COUNTED = ("vote", "game")
"""Roles of the thread in which votes are counted, the one that goes first before the other."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _tag(name: str) -> str:
    """A tag that some boards have."""
    if name not in TAGS:
        raise ValueError(f"one of {', '.join(TAGS)}")
    return name


class _Game(_Table):
    kind: str = Field(VOTES, description="What is played; votes alone are counted without a game.")
    title: str | None = Field(None, description="What posts and PMs call the game.")
    site: str | None = Field(None, description="The dialect in which posts are written.")
    tags: tuple[Annotated[str, AfterValidator(_tag)], ...] | None = Field(
        None, description="All tags that your board has; else what is usual there."
    )
    timezone: str | None = Field(None, description="The zone of the times in this file and in posts.")
    moderators: tuple[str, ...] = Field(
        (), description="Whose posts are no votes; else who opened the thread."
    )
    theme: str | None = Field(None, description="The layout of votecounts.")
    template: str | None = Field(None, description="A template of your own for votecounts, beside this file.")
    check_page: str = Field("", description="Where players find the page that checks a fair deal.")
    log_line: bool = Field(True, description="Whether posts end with the line by which verify finds cuts.")
    options: dict[str, Any] = Field(
        {}, description="What the game lets you choose; settled when it is dealt."
    )


class _Terms(_Table):
    eliminate: str = "eliminate"
    closeness: str = "E"
    closeness_from: int = Field(3, ge=0)
    no_elimination: str = "No Elimination"


def _address(url: str) -> str:
    """Not “http://[::1”, which cannot be taken apart."""
    try:
        _ = urlsplit(url).port
    except ValueError:
        raise ValueError("an address such as https://forum.example/viewtopic.php?t=90010") from None
    return url


def _zone(name: str) -> str:
    """The zone of the times that a thread shows."""
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("an IANA name such as “America/New_York”") from None
    return name


class _Thread(_Table):
    role: Literal["game", "vote", "signup", "private", "dead"] = Field(
        "game", description="What is in it; votes are counted in vote, else in game."
    )
    url: Annotated[str, AfterValidator(_address)] = Field(description="Its address.")
    zone: Annotated[str, AfterValidator(_zone)] | None = Field(
        None, description="The zone of the times that you see there, if no page tells it."
    )
    members: tuple[str, ...] = Field((), description="Who writes in a private thread, as the game began.")
    room: str | None = Field(None, description="Which room a private thread is; else its members tell.")


class _FewerAtDeadline(_Table):
    at_deadline: NeededAtDeadline


class _Rules(_Table):
    death: Death = Death.MAJORITY
    majority_from_day: int = Field(1, ge=1)
    needed: Literal["half_plus_one", "of_votes_cast"] | Annotated[int, Field(ge=1)] | _FewerAtDeadline = (
        "half_plus_one"
    )
    at_deadline: AtDeadline = AtDeadline.ASK
    minimum_votes: int = Field(1, ge=1)
    eliminations: int = Field(1, ge=1, le=9)
    no_elimination: NoElim = NoElim.VOTABLE
    tie: Tie = Tie.NO_ELIMINATION
    boundary: Boundary = Boundary.BEFORE
    forms: tuple[str, ...] | None = None
    unvote_first: bool = False
    self_vote: bool = True
    votes_per_player: int = Field(1, ge=1, le=99)
    double_voter: DoubleVoter = DoubleVoter.WEIGHT
    max_changes: int | None = Field(None, ge=0)
    edited: Edited = Edited.FLAG
    locked_at: tuple[int, ...] = ()
    show_weights: Literal["open", "hidden"] = "hidden"
    prod_after: FiledSpan | None = None
    prod_grace: FiledSpan | None = None
    max_prods: int | None = Field(None, ge=1)
    weekends: Literal["count", "skip"] = "count"


RULE_TABLES: Mapping[str, type[BaseModel]] = {"rules": _Rules, "terms": _Terms}
"""The tables of which a moderator sets every key: `rule_questions` has a question for each."""


class _Replaced(_Table):
    name: str
    from_post: int = Field(ge=0)


class _Left(_Table):
    how: Literal["eliminated", "killed", "modkilled"]
    post: int = Field(ge=0)


class _Player(_Table):
    name: str = Field(min_length=1, description="The name on the forum.")
    replaces: tuple[_Replaced, ...] = Field(
        (),
        description="Who held the slot before, newest first, and the newcomer's first post: "
        '[{ name = "Lumen", from_post = 412 }]',
    )
    aliases: tuple[str, ...] = Field((), description="What others call them; exact names need none.")
    weight: int = Field(1, ge=0, le=9, description="How much their vote weighs: 0 voteless, 2 double voter.")
    needed_delta: int = Field(
        0, ge=-9, le=9, description="Votes more or fewer to eliminate them: 1 loved, -1 hated."
    )
    bonus: int = Field(0, ge=0, le=9, description="Votes against them beside those of players.")
    left: _Left | None = Field(
        None, description='How and with which post they left: { how = "killed", post = 640 }'
    )
    v_la: tuple[AbsenceTable, ...] = Field(
        (),
        description="Announced absences, both days included: [{ from = 2026-11-28, to = 2026-12-01 }]",
    )
    role: str | None = Field(None, description="Their role, where no game deals it.")


def _instant(value: object) -> object:
    """TOML gives datetimes; a bare date or a text is not one."""
    if not isinstance(value, datetime):
        raise ValueError("a date with a time is expected, such as 2026-11-25T20:00:00")
    return value


class _Day(_Table):
    number: int = Field(ge=1, description="Which day it is.")
    start_post: int | None = Field(
        None, ge=0, description="The first post that counts; else the one that opens it."
    )
    ends: Annotated[datetime, BeforeValidator(_instant)] | None = Field(
        None, description="The deadline, in the zone above or with its own offset."
    )
    end_post: int | None = Field(None, ge=0, description="The last post of the day, where you know it.")
    resets: tuple[Annotated[int, Field(ge=0)], ...] = Field(
        (), description="Posts with which all votes start anew."
    )


class _Fix(_Table):
    post: int = Field(ge=0, description="The number of the post.")
    to: str | None = Field(None, description="Whom its vote is for.")
    ignore: bool = Field(False, description="It is no vote.")
    unvote: bool = Field(False, description="It takes the vote back.")
    count: bool = Field(False, description="It counts as it is written.")
    why: str = Field(description="Your reason.")


class _File(_Table):
    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)

    schema_: Literal[1] = Field(alias="schema")
    game: _Game = _Game()
    terms: _Terms = _Terms()
    thread: tuple[_Thread, ...] = ()
    rules: _Rules = _Rules()
    player: tuple[_Player, ...] = ()
    day: tuple[_Day, ...] = ()
    fix: tuple[_Fix, ...] = ()


FILE_TABLES: Mapping[str, type[BaseModel]] = {
    "[game]": _Game,
    "[[thread]]": _Thread,
    "[terms]": _Terms,
    "[rules]": _Rules,
    "[[player]]": _Player,
    "[[day]]": _Day,
    "[[fix]]": _Fix,
}
"""Each table as a file begins it, one bracket or two."""


def read_setup(path: Path) -> Setup:
    """Read a game.toml (or the one in a game folder). Raises SetupError or TimeError."""
    file = path / "game.toml" if path.is_dir() else path
    try:
        text = read_file_text(file)
    except OSError as fault:
        raise SetupError(
            f"{file}: cannot be read ({fault.strerror}). Give the game folder or its game.toml."
        ) from None
    except UnicodeDecodeError:
        raise SetupError(f"{file}: is not UTF-8 text. Save it as UTF-8 and try again.") from None
    return parse_setup(text, str(file))


@lru_cache(maxsize=64)  # a file is read again for each question, and seldom written
def parse_setup(text: str, source: str = "game.toml") -> Setup:
    """A game file's text as values. Raises SetupError or TimeError naming `source`."""
    try:
        data = parse_toml(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as fault:
        raise SetupError(f"{source}: not valid TOML: {fault}. Text needs quotes, times do not.") from None
    if data.get("schema") != 1:
        raise SetupError(f"{source}: schema: found {data.get('schema', 'nothing')!r}, expected 1.")
    try:
        return _setup(_File.model_validate(data), source)
    except ValidationError as fault:
        complaints: list[str] = []
        for error in fault.errors():
            key = ".".join(str(part + 1) if isinstance(part, int) else part for part in error["loc"])
            found, last = error["input"], error["loc"][-1]
            if error["type"] == "extra_forbidden":
                complaints.append(f"{source}: {key}: unknown key{_nearest(error['loc'])}")
                continue
            if error["type"] == "missing":
                complaints.append(f"{source}: {key}: missing.")
                continue
            if error["type"] == "tuple_type":
                names = "a list of names" if last in _NAME_LISTS else "a list"
                tables = f"a table each, under [[{last}]]"
                shown = json.dumps(found, ensure_ascii=False, default=str)
                expected = tables if last in _TABLES else f"{names}: [{shown}]"
            else:
                said = str(error.get("ctx", {}).get("expected") or error["msg"])
                expected = said.removeprefix("Value error, ").removeprefix("Input should be ")
            complaints.append(f"{source}: {key}: found {found!r}, expected {expected}.")

        raise SetupError("\n".join(complaints)) from None


def _setup(file: _File, source: str) -> Setup:
    try:
        zone = ZoneInfo(file.game.timezone) if file.game.timezone is not None else None
    except (ZoneInfoNotFoundError, ValueError):
        raise SetupError(
            f"{source}: game.timezone: found {file.game.timezone!r}, expected an IANA name such as "
            "“America/New_York”."
        ) from None
    prods = ProdRule(
        file.rules.prod_after, file.rules.prod_grace, file.rules.max_prods, file.rules.weekends == "skip"
    )

    # The thread in which votes are counted: one for votes alone, else that of the game.
    found: dict[str, str] = {}
    for place, thread in enumerate(file.thread, start=1):
        if thread.role in found and thread.role in COUNTED:
            raise SetupError(
                f"{source}: thread {place}: role: found a second “{thread.role}”, expected one, "
                "because the posts of one thread are counted. If the game moved, keep only the "
                "thread it is played in now."
            )
        found[thread.role] = thread.url
        if thread.room is not None and thread.role != "private":
            raise SetupError(
                f"{source}: thread {place}: room: found one for “{thread.role}”, expected a private thread."
            )
    counted = next((found[role] for role in COUNTED if role in found), None)

    return Setup(
        source=source,
        kind=file.game.kind,
        options=file.game.options,
        title=file.game.title,
        site=file.game.site,
        tags=file.game.tags,
        zone=zone,
        moderators=file.game.moderators,
        theme=file.game.theme,
        template=file.game.template,
        log_line=file.game.log_line,
        check_page=file.game.check_page,
        terms=Terms(**file.terms.model_dump()),
        url=counted,
        threads=tuple(
            ThreadSetup(one.role, one.url, one.members, one.zone or "", one.room or "") for one in file.thread
        ),
        rule=_rule(file.rules, _day_rule(file.game), source),
        forms_given=file.rules.forms is not None,
        roster=_roster(file.player, source) if file.player else None,
        days=tuple(_days(file.day, zone, source)),
        fixes=tuple(_fixes(file.fix, source)),
        roles={player.name: player.role for player in file.player if player.role},
        prods=prods,
        v_la=tuple((one.name, absences_of(one.name, one.v_la, source)) for one in file.player if one.v_la),
    )


def _day_rule(game: _Game) -> DayRule | None:
    """How the days of the game of this file are decided; None where votes are counted and nothing else."""
    written = game.kind.strip().casefold().replace("-", "_").replace(" ", "_")
    if written == VOTES or written not in game_ids():
        return None
    return loaded(written).day_rule(game.options)


def _rule(rules: _Rules, own: DayRule | None, source: str) -> Rule:
    """The rule of the file; what it leaves open is as the game has it (`own`)."""
    given = rules.model_fields_set
    death = Death(own.death) if own and "death" not in given else rules.death
    tie = Tie(own.tie) if own and "tie" not in given else rules.tie
    if isinstance(rules.needed, _FewerAtDeadline):
        needed_at_end = rules.needed.at_deadline
    elif rules.needed == "of_votes_cast":
        needed_at_end = NeededAtDeadline.OF_VOTES_CAST
    else:
        needed_at_end = NeededAtDeadline.MAJORITY
    # Where fewer votes are enough at the deadline, whoever has fewer still does not fall, unless it is said.
    at_deadline = rules.at_deadline
    if needed_at_end is not NeededAtDeadline.MAJORITY and "at_deadline" not in given:
        at_deadline = AtDeadline.NOBODY
    try:
        forms = DEFAULT_FORMS if rules.forms is None else parse_forms(rules.forms)
    except InputError as fault:
        raise SetupError(f"{source}: rules.forms: {fault}") from None
    return Rule(
        death=death,
        majority_from_day=rules.majority_from_day,
        needed_at_end=needed_at_end,
        at_deadline=at_deadline,
        minimum_votes=rules.minimum_votes,
        eliminations=rules.eliminations,
        no_elimination=rules.no_elimination,
        tie=tie,
        boundary=rules.boundary,
        unvote_first=rules.unvote_first,
        self_vote=rules.self_vote,
        votes_per_player=rules.votes_per_player,
        double_voter=rules.double_voter,
        max_changes=rules.max_changes,
        locked_at=frozenset(rules.locked_at),
        edited=rules.edited,
        show_weights=rules.show_weights == "open",
        fixed_needed=rules.needed if isinstance(rules.needed, int) else None,
        forms=forms,
        unanimous=own is not None and own.unanimous and death is Death.PLURALITY,
    )


def _roster(players: tuple[_Player, ...], source: str) -> Roster:
    slots: list[Slot] = []
    for player in players:
        # Each entry names who left and the first post of who came after them, who may have left before.
        names = [player.name, *(replaced.name for replaced in player.replaces)]
        if any(one.casefold() == other.casefold() for one, other in pairwise(names)):
            raise SetupError(
                f"{source}: player “{player.name}”: replaces: found {' ← '.join(names)}, expected another "
                "account each time, the newest first."
            )
        posts = [*(replaced.from_post for replaced in player.replaces), 0]
        if posts != sorted(posts, reverse=True):
            raise SetupError(
                f"{source}: player “{player.name}”: replaces: found from_post {posts[:-1]}, "
                "expected the newest first."
            )
        holders = tuple(map(Holder, reversed(names), reversed(posts)))
        left = Departure(DepartureKind(player.left.how), player.left.post) if player.left else None
        slots.append(Slot(holders, player.aliases, player.weight, player.needed_delta, player.bonus, left))
    try:
        return Roster(tuple(slots))
    except InputError as fault:
        raise SetupError(f"{source}: player: {fault}") from None


def _days(days: tuple[_Day, ...], zone: ZoneInfo | None, source: str) -> Iterator[DaySetup]:
    seen: set[int] = set()
    for day in days:
        if day.number in seen:
            raise SetupError(f"{source}: day: number {day.number} appears twice, expected each day once.")
        seen.add(day.number)
        deadline = None if day.ends is None else aware(day.ends, zone, f"{source}: day {day.number}: ends")
        resets = tuple(sorted(day.resets))
        yield DaySetup(day.number, day.start_post, deadline, day.end_post, resets=resets)


def _fixes(fixes: tuple[_Fix, ...], source: str) -> Iterator[Fix]:
    for place, fix in enumerate(fixes, start=1):
        chosen = [fix.to is not None, fix.ignore, fix.unvote, fix.count].count(True)
        if chosen != 1:
            raise SetupError(
                f"{source}: fix {place} (post {fix.post}): found {chosen} decisions, expected exactly one of "
                "to, ignore, unvote, count."
            )
        yield Fix(fix.post, fix.to, fix.ignore, fix.unvote, fix.count, fix.why)


def _nearest(location: tuple[int | str, ...]) -> str:
    """“; did you mean …?” from the keys of the table that the unknown one stands in."""
    from rapidfuzz.distance import OSA  # waited for only by who made a mistake

    model: Any = _File
    for part in location[:-1]:
        if isinstance(part, str) and part in model.model_fields:
            model = _model_of(model.model_fields[part].annotation) or model
    keys = [info.alias or name for name, info in model.model_fields.items()]
    written = str(location[-1]).casefold().replace("-", "_")
    near = max(keys, key=lambda key: OSA.normalized_similarity(written, key))
    if OSA.normalized_similarity(written, near) >= _NEAR:
        return f"; did you mean {near}?"
    return f"; expected one of {', '.join(keys)}."


def _model_of(annotation: Any) -> type[BaseModel] | None:
    """The table behind an annotation such as `tuple[_Player, ...]` or `_Left | None`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    parts = getattr(annotation, "__args__", ())
    return next((model for part in parts if (model := _model_of(part))), None)
