"""Ways as the command line does them: a command or a flag each."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping

from knightfall.sentence import Sentence, Way, filled

COMMANDS: Mapping[str, str] = {
    "add_alias": "alias {slot|NAME} {alias} --why {why|…}",
    "add_thread": "",
    "archive": "archive --public",
    "change_players": "replace OLD NEW",
    "check_deal": "verify-deal FILE",
    "close": "commit[ {kind}]",
    "close_day": "phase close[ --day {day}][ --stored{stored!i}]",
    "close_day_despite": "phase close --despite {why|WHY}",
    "close_day_early": "phase close --early {why|WHY}",
    "count_saved": "vc --from-html FILE",
    "count_votes": "vc[ --stored{stored!i}]",
    "deal": "deal",
    "decide_signup": "signup decide {post} in|out|sub|spec|ignore --why {why|…}",
    "decide_vote": "fix {post|POST} --to NAME --why {why|…}",
    "decide_votes": "fix …",
    "draft_post": "post {kind}",
    "draw_board": "plot board --for {slot|NAME}",
    "extend": "phase extend {kind}[ {number}][ --by {by}][ --ends {ends}]",
    "flip": "flip[ --day {day}]",
    "list_players": "roster",
    "list_roles": "roles",
    "lock": "phase lock",
    "log": "log",
    "new_game": "new GAME --out FOLDER",
    "open_phase": "phase open {kind} {number}[ --at {at}][ --ends {ends}][ --post {post}]",
    "post": "post {kind} --posted",
    "read": "read[ {url}]",
    "read_signups": "signup read --write",
    "remind": "missing --draft",
    "replace": "replace OLD NEW",
    "resolve": "resolve",
    "rule": "rule QUESTION ANSWER --why {why|…}",
    "say_elimination": 'submit moderator "eliminate …"',
    "see_open": "missing",
    "see_post": "evidence {post}",
    "see_signups": "signup read",
    "send_pms": "pm {kind}s --copy-next",
    "set_deadline": "phase open {title!w} --ends {ends|…}",
    "show_pm": "pm show {slot}",
    "submit": "submit {slot|NAME} {text|TEXT}",
    "undo": "undo[ {entry}] --why {why|…}",
    "verify": "verify",
    "write_note": "mod-note {text|TEXT}",
}
"""Each way as the command that goes it, without the word `knightfall`."""
