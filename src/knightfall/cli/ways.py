"""Ways as the command line goes them: a command each, or a flag of the command that was typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from knightfall.sentence import Sentence, Way, filled

COMMANDS: Mapping[str, str] = {
    "add_alias": "alias {slot|NAME} {alias} --why {why|…}[ --game {game}]",
    "archive": "archive --public",
    "close": "commit[ {kind}]",
    "close_day": "phase close[ --day {day}]",
    "close_day_despite": "phase close --despite {why|WHY}",
    "close_day_early": "phase close --early {why|WHY}",
    "commit_deal": "fair commit",
    "count_saved": "vc --from-html FILE",
    "count_votes": "vc[ --stored{stored!i}]",
    "deal": "deal",
    "decide_signup": "signup decide {post} {words!w} --why {why|…}",
    "decide_vote": "fix {post|POST} --to NAME --why {why|…}",
    "decide_votes": "fix …",
    "draft_post": "post {kind}",
    "draw_board": "plot board --for {slot|NAME}",
    "enter_round": "fair round fetch|VALUE",
    "extend": "phase extend {kind}[ {number}][ --by {by}][ --ends {ends}]",
    "flip": "flip[ --day {day}]",
    "hand_over": "hand-over[ --since {since}]",
    "import_journal": "import FILE",
    "list_nicknames": "nicknames",
    "list_players": "roster",
    "list_pms": "pm {kind!w}s",
    "list_forums": "forums",
    "list_roles": "roles[ {name!w}]",
    "lock": "phase lock",
    "log": "log",
    "new_game": "new GAME --out FOLDER",
    "open_phase": "phase open {kind} {number}[ --at {at}][ --ends {ends}][ --post {post}]",
    "post": "post {kind} --posted",
    "read": "read[ {url}]",
    "read_saved": "read --from-html FILE...",
    "read_signups": "signup read --write",
    "type_players": "signup players NAME…",
    "remind": "missing --draft",
    "replace": "replace {slot|OLD} NEW",
    "resolve": "resolve",
    "rooms": "rooms[ done {room}]",
    "rule": 'rule "QUESTION" "ANSWER" --why {why|…}',
    "say_alive": 'vc URL --day {day} --opened POST --alive "NAME, NAME, …"',
    "say_dead": "vc URL --day {day} --alive -{slot}",
    "say_lives": "vc URL --day {day} --alive +{slot}",
    "say_house": "vc URL --house {word}",
    "say_elimination": 'submit moderator "eliminate …"',
    "see_open": "missing",
    "see_post": "evidence {post}",
    "see_signups": "signup read",
    "send_pms": "pm {kind!w}s --copy-next",
    "set_deadline": "phase open {title!w} --ends {ends|…}",
    "show_pm": "pm show {slot}",
    "submit": "submit {slot|NAME} {text|TEXT}",
    "undo": "undo[ {entry}] --why {why|…}",
    "verify": "verify",
    "write_note": "mod-note {text|TEXT}",
    "decide": 'submit moderator "…"',
    "mark_sent": "pm mark sent NAME… --batch {batch}",
    "name_thread": "file --thread {role}=URL",
    "prod": "prod[ {slot}]",
    "rehearse": "rehearse",
    "take_pms": "submit --from-pms {file|FILE}",
    "send_batch": "pm {kind!w}s --copy-next --batch {batch}",
    "write_texts": "verify --write",
}
"""Each way as the command that goes it, without the word `knightfall`."""

CLAUSES: Mapping[str, str] = {
    "change_players": "knightfall replace OLD NEW --at POST, modkill, kill, revive",
    "confirm_close": "type {name}, or pipe it in: echo {name} | knightfall phase close[ --stored{stored!i}]",
    "cookies": "--cookies FILE --user-agent TEXT",
    "file_line": "put {line!w} under {table!w} into game.toml",
    "in_game": "add --game FOLDER, or run it in the folder of the game",
    "own_network": "add --allow-private-host",
    "use_lines": "--from-jsonl FILE",
    "use_saved": "--from-html FILE...",
}
"""Ways that are no command alone, as the terminal says them."""

FLAGS: Mapping[str, str] = {
    "at_entry": "--at",
    "begins": "--at",
    "from_post": "--at",
    "sent": "--at",
    "why_early": "--why",
}
"""Fields of questions as flags, where a flag is not called as its field."""

# What a shell takes as one word, and what needs no more than quotes around it.
_WORD = re.compile(r"[\w@%+=:,./|-]+", re.ASCII)
_PLAIN = re.compile(r"[\w\s@%+=:,./|…()“”’;?#*<>~{}&'\[\]-]+")


def command(way: Way) -> str:
    """The command of a way; a field as its flag, with what to put there."""
    if way.to == "field":
        flag, value = flag_of(str(way.values["name"])), way.values.get("value")
        return f"{flag} {quoted(value)}" if value else flag
    if way.to in CLAUSES:
        return filled(CLAUSES[way.to], way.values, quoted)
    return f"knightfall {filled(COMMANDS[way.to], way.values, quoted)}"


def flag_of(field: str) -> str:
    """The flag of a question's field."""
    return FLAGS.get(field, f"--{field.replace('_', '-')}")


def quoted(value: object) -> str:
    """A value as one word of a shell: names and words of players may hold anything."""
    text = str(value)
    if _WORD.fullmatch(text):
        return text
    return f'"{text}"' if _PLAIN.fullmatch(text) else shlex.quote(text)


def in_commands(text: object) -> str:
    """A text as the terminal prints it: its ways as commands."""
    return text.spelled(command) if isinstance(text, Sentence) else str(text)


def as_object(values: Mapping[str, object]) -> str:
    """An answer as the one JSON object that the terminal prints for programs: its ways as commands."""
    from knightfall.engine.json_text import as_object as plain_object

    return plain_object({key: _spelled(value) for key, value in values.items()})


def _spelled(value: object) -> object:
    match value:
        case Sentence():
            return in_commands(value)
        case Mapping():
            return {key: _spelled(one) for key, one in value.items()}
        case list() | tuple():
            return [_spelled(one) for one in value]
    return value
