"""What a service says, for who has a page and no command line.

Services tell the way out as a command: “Its last post: knightfall post endgame”. On the page the command
becomes the name of the page on which the same is done, with a link to it, and a flag the name of its field.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

# Words that end a command, or show that “knightfall” begins none.
_BREAKS = (
    "and|or|then|to|it|there|with|for|where|if|will|again|shows|writes|runs|says|told|web|compares|lists|prints|"
    "counts"
)


@dataclass(frozen=True, slots=True)
class PageWords:
    """A text without a command, and the pages that it names, as address within the game and label."""

    text: str
    ways: tuple[tuple[str, str], ...]


# A command → the page on which the same is done (within the game, where it does not begin with “/”), and its
# label; \1 is what the first group holds.
_PAGES: tuple[tuple[str, str, str], ...] = (
    (r"undo (\d+)", r"log/\1/undo", r"Undo entry \1"),
    (r"post endgame", "posts/endgame", "The endgame post"),
    (r"post ([a-z][a-z-]*)", r"posts/\1", r"The \1 post"),
    (r"post|flavour", "posts", "Posts"),
    (r"signup", "signups", "Sign-ups"),
    (r"phase close|flip|commit day", "close", "Close the day"),
    (r"phase|ics", "phases", "Deadlines"),
    (r"read --from-html", "/", "Start"),
    (r"fix|near|vc|read|explain", "votes", "Votecount"),
    (r"alias", "players", "Nickname of a player"),
    (r"undo|log|rule", "log", "Log"),
    (r"pm|owed", "pms", "PMs"),
    (r"commit|submit|missing|resolve|why|whatif|submissions", "night", "What is open"),
    (r"draw", "draws", "Draws by hand"),
    (r"replace|modkill|kill|revive|prod|vla|roster|activity|mod-note", "players", "Players"),
    (r"deal", "deal", "Deal"),
    (r"verify|archive", "end", "End"),
    (r"new$", "deal", "Deal"),
    (r"new", "/host", "Host a game"),
)
# A flag → the label of its field; where pages differ, by the page.
_FIELDS: Mapping[str, str] = {
    "--why": "Reason",
    "--ends": "Deadline",
    "--next-ends": "Deadline of what opens then",
    "--by": "So much longer",
    "--at": "As of post",
    "--post": "Last post that counts",
    "--past": "The deadline has passed already",
    "--far": "It is more than 60 days ahead, and that is right",
    "--shorten": "It is earlier than before, and that is right",
    "--early": "Why it ends before its deadline",
    "--despite": "What is wrong with it",
    "--allow-leak": "If it is meant so: why?",
    "--opened": "Post that opened it",
    "--alive": "Who was alive then",
    "--day": "Day",
    "--players": "Players",
    "--setup": "Setup",
    "--theme": "Layout",
    "--dialect": "Written for",
    "--dates": "Dates",
    "--name-column": "Head of the column with the player",
    "--text-column": "Heads of the columns with the action",
    "--flavour": "Your own words before it",
    "--games": "Games",
    "--to": "For",
    "--no-elimination": "No elimination",
    "--ignore": "Ignore",
    "--count": "Count as written",
    "--unvote": "It is an unvote",
    "--from-form": "A saved table (CSV)",
    "--from-pms": "A saved table (CSV)",
    "--threads": "Private threads",
    "--from-html": "pages that you saved in your browser",
}
_OF_PAGE: Mapping[str, Mapping[str, str]] = {
    "phases": {"--at": "Begins", "--post": "Last post that counts"},
    "night": {"--at": "Sent"},
    "board": {"--at": "Sent"},
    "players": {"--at": "From this post on"},
}
_SAID_THERE = ("--early", "--despite")
_TICKS = frozenset({"--past", "--far", "--shorten"})

_QUOTED = r"\"[^\"]*\"|“[^”]*”|'[^']*'"
_COMMAND = re.compile(
    rf"`?\bknightfall (?P<words>(?!(?:{_BREAKS})\b)[a-z][a-z-]*"
    rf"(?: (?:(?:{_QUOTED})|(?!(?:{_BREAKS})\b)[^\s,;.:()`]"
    rf"(?:[^\s`;()]*[^\s,;.:()`])?(?:\.\.\.)?))*(?: or phase [a-z]+)?)`?"
)
_FLAG = re.compile(
    rf"(?P<verb>\b(?:Say|Give|Use|Add|Fill in|say|give|use|add|fill in) |\b[Ll]eave out )?"
    rf"(?P<flag>--[a-z][a-z-]*)(?P<value> (?:[A-Z]{{2,}}(?:\.\.\.)?|N|{_QUOTED})(?![a-z]))?"
)
_SENTENCE = re.compile(r"(?<=[.!?…]) +(?=[A-Z“(\d])|(\n)")
_HOLDS_COMMAND = re.compile(r"\bknightfall [a-z]|(?<![\w-])--[a-z]")
_PLACEHOLDER = re.compile(r"[A-Z]+(?:\.\.\.)?|…")
_LEADS = frozenset({"If", "To", "For", "Or", "Then", "Without", "Run"})
NOT_HERE = "This cannot be done on the page."
_TWICE = re.compile(r"(“[^”]+”)(?:,?(?: then| or| and)? \1)+")


def page_words(text: str, here: str = "") -> PageWords:
    """The text as the page `here` (such as “players”) says it. What names a command that has no page is left
    out."""
    if not _HOLDS_COMMAND.search(text):
        return PageWords(text, ())
    text = text.replace("run the command again", "try again").replace("run this again", "try again")
    text = re.sub(r"[Rr]un this again", "Try again", text)
    # “the commands (knightfall replace OLD NEW, modkill)”: what they are is one page.
    text = re.sub(r"the commands \((knightfall [a-z]+)[^)]*\)", r"\1", text)
    ways: dict[str, str] = {}
    said = []
    pieces = [one for one in _SENTENCE.split(text) if one]
    for piece in pieces:
        found = _sentence(piece, here, ways)
        if found is not None:
            said.append(found)
    if not "".join(said).strip():
        said = [_bare(pieces[0]).lstrip(".") or NOT_HERE]
    return PageWords(re.sub(r" ?\n ?", "\n", " ".join(said)).rstrip("\n"), tuple(ways.items()))


def _sentence(text: str, here: str, ways: dict[str, str]) -> str | None:
    """A sentence without commands; None where what it names has no page."""
    whole = text
    # What stands in brackets alone is a hint beside the sentence: “(knightfall read)”.
    for aside in re.finditer(r"\s*\((?:knightfall [^()]*|--[a-z][^()]*)\)", text):
        for command in _COMMAND.finditer(aside[0]):
            _page_of(command["words"], ways)
    text = re.sub(r"\s*\((?:knightfall [^()]*|--[a-z][^()]*)\)", "", text)
    missing = False

    def page(command: re.Match[str]) -> str:
        nonlocal missing
        label = _page_of(command["words"], ways)
        missing = missing or not label
        # What has to be said there stands beside the page: “Close the day” with “Why it ends before …”.
        fields = [_FIELDS[flag] for flag in _SAID_THERE if flag in command["words"]]
        return f"“{label}”" + "".join(f" with “{one}”" for one in fields)

    def field(flag: re.Match[str]) -> str:
        nonlocal missing
        label = _OF_PAGE.get(here, {}).get(flag["flag"]) or _FIELDS.get(flag["flag"], "")
        missing = missing or not label
        value = (flag["value"] or "").strip(" \"“”'")
        shown = f"“{label}”" + (f" {value}" if value and not _PLACEHOLDER.fullmatch(value) else "")
        verb = (flag["verb"] or "").strip()
        if verb.casefold() == "leave out":
            return f"{verb[0]}eave {shown} empty"
        if verb:
            start = "tick" if flag["flag"] in _TICKS else "fill in"
            return f"{start.capitalize() if verb[0].isupper() else start} {shown}"
        return shown

    text = _COMMAND.sub(page, text)
    text = _FLAG.sub(field, text)
    text = re.sub(r"\b([Rr])un “", lambda found: f"{'Use' if found[1] == 'R' else 'use'} “", text)
    if missing:
        # “Restore it from a backup, or import your export: …” says enough without its end.
        text = _bare(whole)
        return text if len(text.split()) > 3 and text.split()[0] not in _LEADS else None
    return _TWICE.sub(r"\1", text)


def _page_of(words: str, ways: dict[str, str]) -> str:
    """The label of the page on which a command's work is done, noted among the ways; "" where there is
    none."""
    for pattern, to, label in _PAGES:
        match = re.match(rf"(?:{pattern})(?![\w-])", words)
        if match is not None:
            ways.setdefault(match.expand(to), match.expand(label))
            return match.expand(label)
    return ""


def _bare(text: str) -> str:
    """A sentence without its commands, where nothing else is left to say."""
    text = re.sub(r"^--[a-z][a-z-]* ", "", text)
    return re.sub(r"(?:^|[,:;])[^,:;]*(?:\bknightfall [a-z]|(?<![\w-])--[a-z]).*$", ".", text)
