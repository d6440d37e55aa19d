"""What the software of each board makes of a text by itself: smilies, links, and the blanks of a code box.

A row holds for the board as it is installed: its own set of smilies and its own settings. Who writes for a
board asks `apart`, which says where something unseen has to stand so that a text stays what it is; who shows
a post as it will look asks `Board.readings`. Both look at the same row.

Sources: the smilies that phpBB 3.3, MyBB 1.8 and SMF 2.1 install, and what their parsers let stand before
and behind one; the same of Discourse and of NodeBB's emoji plugin; linkify-it 5, by which Discourse and
NodeBB find addresses; the style sheets of phpBB, MyBB and SMF for the height of a code box. XenForo 2,
vBulletin 4, ProBoards 5, BoardGameGeek and Discord have the sets that they usually show; no source was read
for them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property, lru_cache
from itertools import pairwise

from knightfall.markup.nodes import Name, Text, Title

UNSEEN = "\u200b"
"""What keeps two letters from being read as one sign, where a board shows nothing of it."""
HARD = "\u00a0"
"""A blank that no board takes away."""


class Made(Enum):
    """What a board makes of a piece of text."""

    SMILEY = "smiley"
    LINK = "link"
    CALL = "call"
    """A user is called, or their page linked. That no text of ours does so is `dialects.tree.hush`'s work."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The piece of a text from `start` to `end` of which a board makes something else.

    `picture` stands for the smiley, "" where only that board knows it. `cut` is the place in the text where
    something unseen keeps the board from it. `plain`: it looks like an address to everybody.
    """

    start: int
    end: int
    made: Made
    cut: int
    picture: str = ""
    plain: bool = False


class Blanks(Enum):
    """What becomes of the blanks in a code box."""

    KEPT = "kept"
    """They stay as they are."""
    SINGLES_GO = "singles go"
    """A line that begins with one blank loses it, as a browser does it; two and more stay, but a line that is
    too long is broken at a single one. The first line loses all with which it begins (MyBB)."""
    FIRST_GOES = "first goes"
    """The first line loses a single one; all others stay (SMF)."""


class HostCut(Enum):
    """Where an unseen sign in “www.kit.com” keeps it from being an address."""

    BEFORE_FIRST_DOT = "before the first dot"
    AFTER_LAST_DOT = "after the last dot"
    """For linkify-it, to which the unseen sign is a letter like others."""


_TLDS = "com|net|org|io|onion|co|tv|ru|cn|us|uk|me|de|fr|fi|gov"
_COMMON_TLDS = f"{_TLDS}|edu|biz|info|pro|web|app|dev|eu|nl|it|es|se|no|pl|ca|au|nz|jp|gg|be|at|ch"


@dataclass(frozen=True, slots=True)
class Links:
    """Which addresses become links: with a scheme, with `www.`, those that end in one of `tlds`, and of mail;
    `mail_anywhere`: also “sam@home”.

    `before` is what must stand before one, as a pattern of nothing. SMF takes “//kit.com” for one, too, so
    there `slashes` are parted.
    """

    www: bool = True
    tlds: str = ""
    mail: bool = True
    mail_anywhere: bool = False
    before: str = r"\b"
    host_cut: HostCut = HostCut.BEFORE_FIRST_DOT
    slashes: bool = False


@dataclass(frozen=True, eq=False)
class Board:
    """A board's software.

    `smilies` are its pictures by their codes; what must stand before and behind a code is told by patterns of
    nothing. `named`: “:word:” may be one, of which nobody knows the list.
    `calls` is the sign before a name that calls a user, "" where there is none. `code_lines`: how many lines
    of a code box are seen before it scrolls. `keeps_runs`: it keeps several blanks beside each other.
    """

    title: str
    smilies: Mapping[str, str] = field(default_factory=dict)
    before_smiley: str = ""
    behind_smiley: str = ""
    named: bool = False
    links: Links | None = field(default_factory=Links)
    calls: str = ""
    blanks: Blanks = Blanks.KEPT
    code_lines: int | None = None
    keeps_runs: bool = False

    def readings(self, text: str) -> Iterator[Reading]:
        """What this board makes of a text in which there is no markup, in order. An unseen sign parts it."""
        at = 0
        for piece in text.split(UNSEEN):
            for found in self._readings(piece):
                yield Reading(
                    at + found.start, at + found.end, found.made, at + found.cut, found.picture, found.plain
                )
            at += len(piece) + 1

    def _readings(self, text: str) -> Iterator[Reading]:
        # An address is read before what may stand in it.
        found: list[Reading] = []
        for ways in (self._links, self._calls, self._smilies):
            found += [
                one
                for one in ways(text)
                if not any(other.start < one.end and one.start < other.end for other in found)
            ]
        yield from sorted(found, key=lambda one: one.start)

    def _calls(self, text: str) -> Iterator[Reading]:
        if self.calls:
            for found in re.finditer(rf"(?<![\w/@.]){self.calls}[^\W_](?:[\w.-]*[^\W_])?", text):
                yield Reading(found.start(), found.end(), Made.CALL, found.start() + len(self.calls))

    def _smilies(self, text: str) -> Iterator[Reading]:
        if self._smiley is None:
            return
        for found in self._smiley.finditer(text):
            picture = self.smilies.get(found[0], "")
            yield Reading(found.start(), found.end(), Made.SMILEY, found.start() + 1, picture)

    def _links(self, text: str) -> Iterator[Reading]:
        """The addresses in a text: those with a scheme, with www., by their end, and of mail."""
        links = self.links
        if links is None or not _ADDRESS_LIKE.search(text):
            return
        for found in self._link.finditer(text):
            start, (first, last) = found.start(), (found[0].find("."), found[0].rfind("."))
            if found["scheme"]:
                cut = len(found["scheme"]) + (2 if links.slashes else 0)
            elif found["mail"]:
                cut = found[0].index("@") + 1
            else:
                host = re.match(r"[^/?#]*", found[0])
                last = host[0].rfind(".") if host else last
                cut = first if links.host_cut is HostCut.BEFORE_FIRST_DOT else last + 1
            yield Reading(start, found.end(), Made.LINK, start + cut, plain=bool(found["scheme"]))

    @cached_property
    def _smiley(self) -> re.Pattern[str] | None:
        codes = [re.escape(code) for code in sorted(self.smilies, key=len, reverse=True)]
        if self.named:
            codes.append(r":[a-z0-9_+-]{2,30}:")
        if not codes:
            return None
        return re.compile(f"{self.before_smiley}(?:{'|'.join(codes)}){self.behind_smiley}")

    @cached_property
    def _link(self) -> re.Pattern[str]:
        links = self.links or Links()
        ways = [r"(?P<scheme>https?|ftp)://[^\s<>\[\]\"]*[^\s<>\[\]\".,;:!?'()]"]
        place = r"[\w.-]*[^\W_]" if links.mail_anywhere else r"(?:[\w-]+\.)+[a-z]{2,24}"
        mail = rf"(?P<mail>[a-z0-9][\w.+-]*@{place})\b"
        ways.append(mail if links.mail else "(?P<mail>(?!))")
        if links.www:
            ways.append(r"www\.[^\s<>\[\]\".]+(?:\.[^\s<>\[\]\".]+)*[^\s<>\[\]\".,;:!?'()]")
        if links.tlds:
            ways.append(rf"(?:[^\W_][\w-]{{0,62}}\.)+(?:{links.tlds})\b(?![\w.@-]|\.\w)(?:/[^\s<>\[\]\"]*)?")
        return re.compile(f"{links.before}(?:{'|'.join(ways)})", re.IGNORECASE)

    def code_seen(self, text: str) -> str:
        """The text of a code box as readers of the board see it."""
        if self.blanks is Blanks.KEPT:
            return text.removeprefix("\n").rstrip("\n")
        if self.blanks is Blanks.FIRST_GOES:
            return re.sub(r"\A (?! )", "", text.removeprefix("\n").rstrip("\n"))
        return _SINGLE.sub("", re.sub(r"\A[\n ]+", "", text).rstrip())

    def code_kept(self, text: str) -> str:
        """The text of a code box as it must be written so that readers see every blank of it."""
        if self.blanks is Blanks.SINGLES_GO:
            # In a line of columns every blank is hard, so that it is not broken either; others stay as they
            # are, so that what is copied from them is typed as usual.
            return _COLUMNS.sub(lambda found: found[0].replace(" ", HARD), text)
        if self.blanks is Blanks.FIRST_GOES:
            return re.sub(r"\A(\n?) (?! )", rf"\1{HARD}", text)
        return text


_ADDRESS_LIKE = re.compile(r"://|\w\.\w|@")
_COLUMNS = re.compile(r"(?m)^(?: |.*  ).*$")
_SINGLE = re.compile(r"(?m)^ (?! )")


# ── the rows ─────────────────────────────────────────────────────────────────────────────────────


def _codes(pictures: Mapping[str, str]) -> Mapping[str, str]:
    """Pictures with their codes, parted by blanks, as codes with their picture."""
    return {code: picture for picture, codes in pictures.items() for code in codes.split()}


_PHPBB = Board(
    title="phpBB",
    smilies=_codes(
        {
            "😃": ":D :-D :grin:",
            "🙂": ":) :-) :smile:",
            "😉": ";) ;-) :wink:",
            "🙁": ":( :-( :sad:",
            "😮": ":o :-o :eek:",
            "😲": ":shock:",
            "😕": ":? :-? :???:",
            "😎": "8-) :cool:",
            "😆": ":lol:",
            "😡": ":x :-x :mad:",
            "😛": ":P :-P :razz:",
            "😳": ":oops:",
            "😢": ":cry:",
            "👿": ":evil:",
            "😈": ":twisted:",
            "🙄": ":roll:",
            "❗": ":!:",
            "❓": ":?:",
            "💡": ":idea:",
            "➡️": ":arrow:",
            "😐": ":| :-|",
            "😁": ":mrgreen:",
            "🤓": ":geek: :ugeek:",
        }
    ),
    before_smiley=r"(?<![^\n .\]])",
    behind_smiley=r"(?!\w)",
    links=Links(mail_anywhere=True),
    code_lines=12,
)

NO_BOARD = Board(title="plain text", links=None)
"""What makes nothing of a text: a terminal, a mail, a page of ours."""

BOARDS: Mapping[str, Board] = {
    "phpbb": _PHPBB,
    "mafiascum": replace(_PHPBB, title="MafiaScum"),
    "mybb": Board(
        title="MyBB",
        smilies=_codes(
            {
                "🙂": ":)",
                "😉": ";)",
                "😎": ":cool:",
                "😃": ":D",
                "😛": ":P",
                "🙄": ":rolleyes:",
                "☺️": ":shy:",
                "🙁": ":(",
                "📧": ":at:",
                "😇": ":angel:",
                "😠": ":@",
                "😳": ":blush:",
                "😕": ":s",
                "😏": ":dodgy:",
                "❗": ":exclamation:",
                "❤️": ":heart:",
                "🤔": ":huh:",
                "💡": ":idea:",
                "😴": ":sleepy:",
                "🫤": ":-/",
                "😢": ":cry:",
                "🤢": ":sick:",
                "➡️": ":arrow:",
                "😊": ":my:",
            }
        ),
        links=Links(mail=False, before=r"(?<![^\s()\[>])"),
        blanks=Blanks.SINGLES_GO,
        code_lines=11,
    ),
    "smf": Board(
        title="SMF",
        smilies=_codes(
            {
                "🙂": ":)",
                "😉": ";)",
                "😃": ":D",
                "😁": ";D",
                "😠": ">:(",
                "🙁": ":(",
                "😲": ":o",
                "😎": "8)",
                "🤔": "???",
                "🙄": "::)",
                "😛": ":P",
                "😳": ":-[",
                "🤐": ":-X",
                "🫤": ":-\\",
                "😘": ":-*",
                "😢": ":'(",
                "😈": ">:D",
                "😊": "^-^",
                "🕺": "O0",
                "😆": ":))",
                "👮": "C:-)",
                "😇": "O:-)",
            }
        ),
        before_smiley=r"(?:(?<=[>:?.\s\xa0\[\]()*\\;])|(?<![\s\S]))",
        behind_smiley=r"(?![^\W_])",
        links=Links(tlds=_COMMON_TLDS, before=r"(?<![\w/@.-])", slashes=True),
        calls="@",
        blanks=Blanks.FIRST_GOES,
        code_lines=16,
        keeps_runs=True,
    ),
    "xenforo": Board(
        title="XenForo",
        smilies=_codes(
            {
                "🙂": ":) :-) (:",
                "😉": ";) ;-)",
                "🙁": ":( :-(",
                "😡": ":mad: >:(",
                "😕": ":confused:",
                "😎": ":cool: 8-)",
                "😛": ":p :P :-p :-P",
                "😃": ":D :-D",
                "😮": ":eek:",
                "😳": ":oops:",
                "🙄": ":rolleyes:",
                "😵‍💫": "o_O O_o o_o",
                "👽": ":alien:",
                "😊": ":giggle:",
                "😘": ":coffee:",
                "😴": ":sleep:",
                "😢": ":cry:",
                "👍": ":thumbsup:",
                "👎": ":thumbsdown:",
                "😆": ":ROFLMAO: :LOL:",
            }
        ),
        links=Links(before=r"(?<![\w@/.-])"),
        calls="@",
    ),
    "vbulletin": Board(
        title="vBulletin",
        smilies=_codes(
            {
                "🙂": ":)",
                "😉": ";)",
                "🙁": ":(",
                "😃": ":D",
                "😛": ":p",
                "😳": ":o",
                "😮": ":eek:",
                "😎": ":cool:",
                "😕": ":confused:",
                "😡": ":mad:",
                "🙄": ":rolleyes:",
            }
        ),
    ),
    "ips": Board(title="Invision Community"),
    "discourse": Board(
        title="Discourse",
        smilies=_codes(
            {
                "🙂": ":) :-) ^_^ ^__^ :slight_smile:",
                "🙁": ":( :-( :frowning:",
                "😉": ";) ;-) :wink:",
                "😢": ":'( :'-( :-'( :cry:",
                "😛": ":p :P :-P",
                "😮": ":O :-O",
                "😃": ":D :-D :smiley:",
                "😑": ":| :-|",
                "😕": ":/ :confused:",
                "😎": "8-) :sunglasses: :cool:",
                "😜": ";P ;-P",
                "😊": ":$ :-$ :blush:",
                "👍": ":+1: :thumbsup:",
                "❤️": ":heart:",
                "😄": ":smile:",
                "😆": ":laughing:",
            }
        ),
        before_smiley=r"(?<![\w])",
        behind_smiley=r"(?!\w)",
        named=True,
        links=Links(tlds=_TLDS, before=r"(?<![\w./:@-])", host_cut=HostCut.AFTER_LAST_DOT),
        calls="@",
        code_lines=24,
    ),
    "nodebb": Board(
        title="NodeBB",
        smilies=_codes(
            {
                "🙂": ":) :-) (: :slightly_smiling_face:",
                "😃": "=) =-) :smiley:",
                "😄": ":D :-D C: c: :smile:",
                "😆": ":> :-> :laughing:",
                "😉": ";) ;-) :wink:",
                "😎": "8) :sunglasses:",
                "😐": ":| :-|",
                "😕": ":\\ :-\\ :/ :-/ :confused:",
                "😘": ":* :-*",
                "😛": ":p :-p :P :-P :b :-b",
                "😜": ";p ;-p ;b ;-b ;P ;-P",
                "😞": "): :( :-(",
                "😠": ">:( >:-(",
                "😢": ":'( :cry:",
                "😮": ":o :-o :O :-O",
                "😧": "D:",
                "❤️": "<3 :heart:",
                "💔": "</3",
                "🐵": ":o)",
                "👍": ":+1: :thumbsup:",
            }
        ),
        before_smiley=r"(?<!\S)",
        behind_smiley=r"(?!\S)",
        named=True,
        links=Links(tlds=_COMMON_TLDS, before=r"(?<![\w./:@-])", host_cut=HostCut.AFTER_LAST_DOT),
        calls="@",
    ),
    "proboards": Board(
        title="ProBoards",
        smilies=_codes(
            {
                "🙂": ":)",
                "😉": ";)",
                "😃": ":D",
                "😁": ";D",
                "😠": ">:(",
                "🙁": ":(",
                "😲": ":o",
                "😎": "8-)",
                "🤔": "???",
                "🙄": "::)",
                "😛": ":P",
                "😳": ":-[",
                "🤐": ":-X",
                "🫤": ":-/",
                "😘": ":-*",
                "😢": ":'(",
            }
        ),
        calls="@",
    ),
    "reddit": Board(title="Reddit", links=Links(mail=False), calls="u/"),
    "bgg": Board(
        title="BoardGameGeek",
        smilies=_codes(
            {
                "🙂": ":)",
                "🙁": ":(",
                "😃": ":D",
                "😉": ";)",
                "😛": ":p",
                "😮": ":o",
                "😕": ":what:",
                "😎": ":cool:",
                "😆": ":laugh:",
                "😢": ":cry:",
                "😳": ":blush:",
                "👿": ":devil:",
                "😖": ":gulp:",
                "🙄": ":shake:",
                "🤢": ":yuk:",
                "🏴‍☠️": ":arrrh:",
                "🧟": ":zombie:",
                "🤖": ":robot:",
                "🧍": ":meeple:",
            }
        ),
        links=Links(mail=False),
    ),
    "discord": Board(
        title="Discord",
        smilies=_codes(
            {
                "🙂": ":) :-) :slight_smile:",
                "🙁": ":( :-( :slight_frown:",
                "😉": ";) ;-) :wink:",
                "😄": ":D :-D :smile:",
                "😛": ":P :-P",
                "😮": ":O :-O",
                "😐": ":| :-|",
                "😕": ":/ :-/",
                "😢": ":'( :cry:",
                "❤️": "<3 :heart:",
                "👍": ":+1: :thumbsup:",
            }
        ),
        before_smiley=r"(?<!\S)",
        behind_smiley=r"(?!\S)",
        named=True,
        links=Links(www=False, mail=False),
        calls="@",
    ),
    "plain": NO_BOARD,
}
"""By the name of the dialect in which its posts are written."""

OTHER = Board(title="that board")
"""A board of which nothing is known, such as one whose dialect another package adds."""


def board_of(dialect: str) -> Board:
    """The board whose posts are written in a dialect, whatever tags it is said to have."""
    return BOARDS.get(dialect.partition(":")[0], OTHER)


# ── what keeps a text as it is ───────────────────────────────────────────────────────────────────

# What many boards were given beside their own set of smilies: “xD”, “<3”, “:name:”. The letters before and
# behind the place where an unseen sign keeps a name from being read as one.
_ANY_SMILEY = re.compile(
    r"""
    (?<=[:;=]) (?= [-~^o']? [)(\[\]{}DPpOoXx03|/\\?*@$!<>] )   # :) ;-p =D
    | (?<![^\W_][8Bx]) (?<=\b[8Bx]) (?= -? [)D] )              # 8) B-) xD, not within a word
    | (?<=<) (?=3) | (?<=\^) (?=_?\^) | (?<=\b[oO]) (?=[_.][oO]\b)
    | (?<=:) (?= \w+ : )                                      # :cool:
    """,
    re.VERBOSE,
)
# A board that leaves it alone is read in apps and through bots that make a link of it.
_ANY_WWW = re.compile(r"(?<=\bwww)(?=\.\w)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def _apart(texts: tuple[Text, ...], board: Board) -> tuple[str, ...]:
    text = "".join(one.text for one in texts)
    # Where each text begins and ends, to know whose letters a reading takes.
    spans, at = list[tuple[int, int, Text]](), 0
    cuts = {0, len(text)}
    for one in texts:
        spans.append((at, at + len(one.text), one))
        if isinstance(one, Name | Title):
            # A name stays one on boards with other smilies, and under any name that an address may have.
            cuts.update(at + found.start() for found in _ANY_SMILEY.finditer(one.text))
            if board.links is not None and not board.links.www:
                cuts.update(at + found.start() for found in _ANY_WWW.finditer(one.text))
        at += len(one.text)

    def unwanted(reading: Reading, shift: int) -> bool:
        """Whether a reading is nothing that whoever wrote these letters can have meant."""
        start, end = reading.start + shift, reading.end + shift
        kinds = {type(one) for first, last, one in spans if first < end and start < last}
        if reading.made is Made.CALL:
            return False
        if kinds & {Name, Title}:
            return True
        if reading.made is Made.SMILEY:
            # Who writes a post of their own may mean a smiley, but hardly “8)”.
            return Text in kinds or text[start].isalnum()
        return Text in kinds and not reading.plain

    # A cut begins the text anew, so what stands behind it is read once more.
    found = True
    while found:
        found = False
        for start, end in pairwise(sorted(cuts)):
            for reading in board.readings(text[start:end]):
                if unwanted(reading, start):
                    cuts.add(start + reading.cut)
                    found = True
                    break
    return tuple(text[start:end] for start, end in pairwise(sorted(cuts)))


def apart(texts: Sequence[Text], board: Board) -> tuple[str, ...]:
    """Texts beside each other in pieces, between which something unseen keeps the board from making a smiley
    or a link of what is none.

    A name or a title is never one. In a text of ours no smiley is meant, and no address without its scheme;
    in words of somebody else (`Given`) all is left to them but what nobody means, such as the “8)” of “(to
    post 8)”.
    """
    if board is NO_BOARD:
        return ("".join(one.text for one in texts),)
    return _apart(tuple(texts), board)
