"""How is activity told: as a table for the moderator, as plain values, as a public list of prods?"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from textwrap import fill
from typing import Any

from tabulate import tabulate

from knightfall.app.count.activity import Activity, Row, activity, due_names
from knightfall.app.count.vc import Wanted
from knightfall.app.guarding.outgoing import released
from knightfall.app.plain_values import as_object
from knightfall.app.ports import Ports, Progress, Say
from knightfall.core.silence import ProdRule, State
from knightfall.errors import InputError
from knightfall.markup.dialects import dialect
from knightfall.writeups.facts import local_time
from knightfall.writeups.render import render

WIDTH = 80
NAME = 12
_HOUR = timedelta(hours=1)
NO_RULE = "No rule says when a prod is due: set prod_after in [rules] of game.toml, for example “48h”."


def run(wanted: Wanted, ports: Ports, out: Say, err: Say, progress: Progress | None = None) -> None:
    """Prints the activity, or the post of prods where a dialect is named. Raises what counting raises."""
    writer = dialect(wanted.dialect).name if wanted.dialect else None
    found = activity(wanted, ports, progress)
    for sentence in (*found.told, *_left_out(found)):
        err(sentence)
    if wanted.as_json:
        out(as_object(activity_values(found)))
    else:
        post = released(as_post(found, writer), wanted.game, ports, wanted.allow) if writer else ""
        out(post or as_text(found))


def as_text(found: Activity) -> str:
    """A heading, the rule and a table of at most 80 columns: who is due first, then who is silent longest.
    Where the days do not fit, the earlier ones stand in one column."""
    tables = (_table(found, folded) for folded in range(len(found.days) + 2))
    narrow = next((table for table in tables if _width(table) <= WIDTH), _table(found, len(found.days) + 1))
    return "\n".join([_heading(found), fill(rule_sentence(found.rule), WIDTH), "", narrow])


def activity_values(found: Activity) -> dict[str, Any]:
    """The same with every day, in the same order; hours that count, times in UTC, days in the game's zone."""
    return {
        "title": found.title,
        "at": {"post": found.at.number, "time": _iso(found.now)},
        "timezone": found.zone.key,
        "rule": _rule_json(found.rule),
        "assumed": list(found.told),
        "slots": [_row_json(row, found) for row in _sorted(found)],
    }


def as_post(found: Activity, writer: str) -> str:
    """The public post: how many are due a prod and who, in list order; nothing tells why or since when.

    Raises InputError where no rule says when a prod is due.
    """
    if found.rule.after is None:
        raise InputError(f"There is no list of prods. {NO_RULE}")
    return render("any/prods", {"names": due_names(found)}, writer)


def rule_sentence(rule: ProdRule) -> str:
    """The rule in words."""
    said = [f"A prod is due after {_hours(rule.after)} of silence" if rule.after else NO_RULE.rstrip(".")]
    said += [f"again {_hours(rule.grace)} after a prod"] if rule.after and rule.grace else []
    said += [f"at most {rule.most} for each player"] if rule.after and rule.most else []
    said += ["Saturdays and Sundays do not count"] if rule.skip_weekends else []
    return f"{'; '.join(said)}."


def _left_out(found: Activity) -> Iterator[str]:
    """Whose silence cannot be told: he is never in the list of prods."""
    unknown = [row.name for row in found.rows if row.standing.state is State.UNKNOWN]
    if unknown:
        yield f"No time of the last post, so nothing is said about a prod: {', '.join(unknown)}."


def _heading(found: Activity) -> str:
    when = local_time(found.now, found.zone) if found.now else "at an unknown time"
    return f"Activity to post {found.at.number}, {when} ({found.zone.key})."


def _sorted(found: Activity) -> list[Row]:
    """Who is due first, then who is silent longest; who is not known last."""

    def place(row: Row) -> tuple[bool, float]:
        silent = row.standing.silent
        return row.standing.state is not State.DUE, 1.0 if silent is None else -silent / _HOUR

    return sorted(found.rows, key=place)


def _width(table: str) -> int:
    return max(map(len, table.splitlines()), default=0)


def _table(found: Activity, folded: int) -> str:
    """The table with so many of the earlier days in one column; one more than there are: no day at all."""
    heads = ("player", *_day_heads(found.days, folded), "all", "last post", "silent", "state")
    rows = [
        (
            _short(row.name),
            *_day_cells(row.posts, folded),
            row.total,
            _last(row, found),
            _silent(row),
            _state(row, found),
        )
        for row in _sorted(found)
    ]
    align = _alignment(len(heads))
    return tabulate([heads, *rows], tablefmt="plain", disable_numparse=True, colalign=align)


def _alignment(columns: int) -> tuple[str, ...]:
    """Numbers to the right, words to the left."""
    return ("left", *["right"] * (columns - 4), "left", "right", "left")


def _day_heads(days: tuple[int, ...], folded: int) -> Iterator[str]:
    if folded > len(days):
        return
    if folded:
        yield f"D{days[0]}–{days[folded - 1]}" if folded > 1 else f"D{days[0]}"
    yield from (f"D{day}" for day in days[folded:])


def _day_cells(posts: tuple[int, ...], folded: int) -> Iterator[int]:
    if folded > len(posts):
        return
    if folded:
        yield sum(posts[:folded])
    yield from posts[folded:]


def _short(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"


def _last(row: Row, found: Activity) -> str:
    if row.last is None:
        return "none"
    about = "~" if row.last.time and row.last.approximate else ""
    return f"#{row.last.number} {_local(row.last.time, found)}{about}"


def _silent(row: Row) -> str:
    silent = row.standing.silent
    return "unknown" if silent is None else f"{silent // _HOUR}h{'~' * row.approximate}"


def _state(row: Row, found: Activity) -> str:
    at = row.standing
    about = "~" * row.approximate
    match at.state:
        case State.DUE:
            return f"due since {_local(at.since, found)}{about}"
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


def _local(moment: datetime | None, found: Activity) -> str:
    return f"{moment.astimezone(found.zone):%d %b %H:%M}" if moment else "unknown"


def _hours(span: timedelta | None) -> str:
    return "no limit" if span is None else f"{span / _HOUR:g} hours"


def _rule_json(rule: ProdRule) -> dict[str, Any] | None:
    if rule.after is None:
        return None
    return {
        "after_hours": rule.after / _HOUR,
        "grace_hours": rule.grace / _HOUR if rule.grace else None,
        "most": rule.most,
        "weekends": "skip" if rule.skip_weekends else "count",
    }


def _row_json(row: Row, found: Activity) -> dict[str, Any]:
    at = row.standing
    return {
        "slot": row.name,
        "posts": [{"day": day, "posts": posts} for day, posts in zip(found.days, row.posts, strict=True)],
        "total": row.total,
        "last": _last_json(row),
        "silent_hours": None if at.silent is None else round(at.silent / _HOUR, 3),
        "approximate": row.approximate,
        "state": at.state.value,
        "since": _iso(at.since),
        "until": at.until.isoformat() if at.until else None,
        "prods": at.prods,
    }


def _last_json(row: Row) -> dict[str, Any] | None:
    last = row.last
    return None if last is None else {"post": last.number, "time": _iso(last.time), "url": last.url}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
