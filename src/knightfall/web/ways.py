"""Ways as the page goes them: a label and an address each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from knightfall.sentence import Sentence, Way, filled
from knightfall.storage.drafts import kind_words
from knightfall.web.words import POSTS
from knightfall.writeups.vote_words import HOUSE

PLACES: Mapping[str, tuple[str, str]] = {
    "add_alias": ("Nickname of a player", "players[/slot?who={slot}]"),
    "archive": ("Write the archive", "end"),
    "change_players": ("Players", "players"),
    "cookies": ("Log in to the forum", "/logins"),
    "close": ("Close {title}", "night#close"),
    "close_day": ("Close the day", "close"),
    "close_day_despite": ("Close the day although the counts differ", "close"),
    "close_day_early": ("Close the day early", "close"),
    "commit_deal": ("Let nobody choose the deal", "deal"),
    "confirm_close": ("Close the day", "close"),
    "count_saved": ("Count saved pages", "/"),
    "count_votes": ("Count the votes", "votes"),
    "deal": ("Deal the roles", "deal"),
    "decide_signup": ("What do these mean?", "signups"),
    "decide_vote": ("Decide a vote", "votes#questions"),
    "decide_votes": ("Decide the open votes", "votes#questions"),
    "draft_post": ("The {kind} post", "posts/{kind}"),
    "draw_board": ("Board", "board"),
    "enter_round": ("Let nobody choose the deal", "deal"),
    "extend": ("Change the deadline", "phases"),
    "file_line": ("The game file", "file"),
    "flip": ("The post of the elimination", "posts/end-of-day"),
    "hand_over": ("Hand it over", "hand-over[?since={since}]"),
    "in_game": ("Your games", "/"),
    "list_nicknames": ("Nicknames", "nicknames"),
    "list_players": ("Players", "players"),
    "list_forums": ("Forums that can be read", "/ask/forums"),
    "list_roles": ("{name|All roles}", "/roles[?name={name}]"),
    "list_pms": ("The {kind} PMs", "pms/{kind}"),
    "lock": ("You locked the thread", "phases#lock-head"),
    "log": ("Log", "log"),
    "name_thread": ("Name the {role} thread", "thread/{role}"),
    "new_game": ("Host a game", "/host"),
    "open_phase": ("Open {kind} {number}", "phases"),
    "own_network": ("Forums on your own network", "/own-network"),
    "post": ("Post the {kind} post", "posts/{kind}"),
    "read": ("Read the thread", "votes"),
    "read_saved": ("Pages that you saved in your browser", "votes"),
    "read_signups": ("Read the sign-ups", "signups"),
    "remind": ("See who has not sent anything", "night"),
    "replace": ("Replace a player", "players[/slot?who={slot}]"),
    "resolve": ("If it closed now", "night"),
    "rooms": ("{what|Rooms!w}", "rooms"),
    "rule": ("Record a ruling", "log"),
    "say_alive": ("When a day began, and who was alive", ""),
    "say_dead": ("{slot} does not", ""),
    "say_lives": ("{slot} lives", ""),
    "say_house": ("No: {word}", ""),
    "say_elimination": ("Say who is eliminated", "night"),
    "see_open": ("What is open", "night"),
    "see_signups": ("Read the sign-ups", "signups"),
    "send_pms": ("Send the {kind} PMs", "pms/{kind}"),
    "set_deadline": ("Set the deadline of {title}", "phases"),
    "show_pm": ("The PMs of {slot}", "players/slot?who={slot}"),
    "submit": ("A message as it was sent", "night"),
    "undo": ("Undo[ entry {entry}]", "log[/{entry}/undo]"),
    "use_saved": ("Pages that you saved in your browser", "votes"),
    "verify": ("Check that nothing was changed", "end"),
    "write_note": ("A note to everybody", "players"),
    "decide": ("Decide {title}", "night"),
    "mark_sent": ("Mark the PMs as sent", "pms/{kind}?batch={batch}"),
    "prod": ("Prod {slot|who is silent}", "players[/slot?who={slot}]"),
    "rehearse": ("Your games", "/"),
    "type_players": ("Type who plays", "players#who"),
    "take_pms": ("Messages", "messages"),
    "send_batch": ("Send the PMs of {batch}", "pms/{kind}?batch={batch}"),
    "write_texts": ("Write the missing texts", "posts#missing"),
}
"""Each way as its label and its page: within the game, where it does not begin with “/”; "" is the page that
says it."""

ELSEWHERE: Mapping[str, str] = {
    "import_journal": "",
    "see_post": "",
    "use_lines": "",
}
"""Ways that no page goes, and what the page calls them; "": as everybody does."""

FIELDS: Mapping[str, str] = {
    "alive": "Who was alive then",
    "allow_leak": "If it is meant so: why?",
    "at": "As of post",
    "begins": "Begins",
    "by": "Deadline",
    "dates": "Dates",
    "early": "Why it ends before its deadline",
    "day": "Day",
    "ends": "Deadline",
    "far": "It is more than 60 days ahead, and that is right",
    "flavour": "Your own words before it",
    "from_form": "A saved table or page",
    "from_page": "A saved table or page",
    "from_pms": "A saved table or page",
    "from_post": "From this post on",
    "games": "Games",
    "house": "The rules of the house",
    "ignore": "Ignore",
    "for_slot": "It was meant for the slot",
    "late": "It counts",
    "leave_out": "Leave it out",
    "name_column": "Head of the column with the player",
    "next_ends": "Deadline of what comes next",
    "no_elimination": "No elimination",
    "opened": "Post that opened it",
    "past": "The deadline has passed already",
    "players": "Players",
    "post": "Last post that counts",
    "sent": "Sent",
    "setup": "Setup",
    "shorten": "It is earlier than before, and that is right",
    "strict": "Hold the names against a list",
    "text_column": "Heads of the columns with the action",
    "theme": "Layout",
    "threads": "Private threads",
    "to": "For",
    "count": "Count as written",
    "unvote": "It is an unvote",
    "why": "Reason",
    "why_early": "Why earlier?",
}
"""Fields of questions by the label that they have on the page; one without is no field of it."""


IN_A_FIELD: Mapping[str, str] = {"close_day_early": "early"}
"""Ways that are gone by filling in a field of the form that was refused."""


def beside_a_form(message: str) -> str:
    """A sentence as it stands beside the form that was refused: ways that a field of the form goes are called
    by that field."""
    if not isinstance(message, Sentence):
        return message
    return Sentence(
        Way("field", name=IN_A_FIELD[part.to]) if isinstance(part, Way) and part.to in IN_A_FIELD else part
        for part in message.parts
    )


@dataclass(frozen=True, slots=True)
class Link:
    """A way as a button or a link: its label and address."""

    label: str
    to: str


def link(way: Way, root: str) -> Link | None:
    """A way in the game at `root` (“/games/NAME”; "" is outside of any); None where no page goes it."""
    if way.to not in PLACES:
        return None
    label, place = PLACES[way.to]
    to = filled(place, way.values, _escaped)
    if not to or not (root or to.startswith("/")):
        return None
    return Link(filled(label, way.values, _in_words), to if to.startswith("/") else f"{root}/{to}")


def links_of(ways: Iterable[Way], root: str) -> tuple[Link, ...]:
    """Where the page goes these ways, each once, in their order."""
    found = (link(way, root) for way in ways)
    return tuple(dict.fromkeys(one for one in found if one is not None))


def in_page_words(text: object) -> str:
    """A text as the page says it: a way by the label of its page, a field by its label there."""
    return text.spelled(label) if isinstance(text, Sentence) else str(text)


def label(way: Way) -> str:
    """What the page calls a way, within a sentence."""
    if way.to == "field":
        known = FIELDS.get(str(way.values["name"]))
        return f"“{known}”{way.value_said}" if known else str(way)
    if way.to in PLACES:
        return f"“{filled(PLACES[way.to][0], way.values, _in_words)}”"
    return ELSEWHERE.get(way.to) or str(way)


def _in_words(value: object) -> str:
    """“end of day” for the kind of post `end-of-day`, a rule of the house in a sentence for `plurality`."""
    said = str(value)
    return HOUSE.get(said) or (kind_words(said) if said in POSTS else said.replace("-", " "))


def _escaped(value: object) -> str:
    return quote(str(value), safe="")
