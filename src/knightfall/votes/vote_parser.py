"""The vote parser: from the body of a post to its ballots.

The file goes from the whole to its parts:

1. Posts: `PostReader` and `read_body` skip what can hold no vote, as most posts, without parsing it.
   A `BodyReader` remembers what bodies held, so that a running process reads each of them once.
2. Near misses: `read_both` also reads what only looks like a vote, for the moderator's eye.
3. Lines: `read_lines` reads each line of a body (`knightfall.votes.lines`) in every form that the game
accepts: vote tags, bold and headings, plain commands, the moderator's own patterns.

Who is meant by a name is not known here: a ballot holds the text as typed (`knightfall.names` matches it).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import NamedTuple, TypeAlias

import regex

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.markup.nodes import (
    Cut,
    Nodes,
    Tag,
)
from knightfall.models import Post
from knightfall.names import Names
from knightfall.reading.clauses import clauses
from knightfall.reading.statements import shape
from knightfall.votes.ballots import FORM_OF, PROSE, Action, Ballot, Form, Forms, Mark, PostBallots, Region
from knightfall.votes.body_memory import BodyMemory, digest
from knightfall.votes.lines import LONGEST, TAG_MARK, Line, lines_of

Match: TypeAlias = "regex.Match[str]"

EVERY_FORM = Forms(frozenset(Form) - {Form.HOUSE})


# ---- Posts: what is not read at all


@dataclass(frozen=True, slots=True)
class PostReader:
    """How the posts of a thread are read for votes, in the forms of the game; the posts of the numbers
    `any_form` in every form. On those of the numbers `decided` the moderator has ruled: they are among the
    ballots whatever they hold. `moderators` are in lower case."""

    html_style: HtmlStyle
    forms: Forms
    moderators: Set[str] = frozenset()
    decided: Set[int] = frozenset()
    any_form: Set[int] = frozenset()

    @property
    def body_readers(self) -> tuple[BodyReader, BodyReader]:
        """For most posts, and for those that are read in every form."""
        return body_reader(self.html_style, self.forms), body_reader(self.html_style, EVERY_FORM)

    def ballots_by_post(self, posts: Iterable[Post]) -> Iterator[PostBallots]:
        """The posts that hold ballots, in their order. A moderator's own posts and deleted ones are not read
        at all."""
        reader, of_any_form = self.body_readers
        for post in posts:
            if not post.hidden and post.author.casefold() not in self.moderators:
                forced = post.number in self.any_form
                ballots = of_any_form.ballots_or_spoken(post.body) if forced else reader.ballots(post.body)
                if ballots or post.number in self.decided:
                    yield post_ballots(post, ballots)


def post_ballots(post: Post, ballots: tuple[Ballot, ...]) -> PostBallots:
    """The ballots of a post, with what the count needs to know of it."""
    return PostBallots(post.number, post.author, ballots, post.time, post.edit_note is not None, post.url)


# A blockquote's opening or closing tag; group 1 is "/" for the latter.
_QUOTE = re.compile(r"<(/?)blockquote\b[^<>]*>", re.IGNORECASE)
# Openings of bold, headings and vote tags in lower case, as the platforms write them.
_MARKS = ("bold", "bbvote", "<b>", "<strong", "bbc_", "highlight", 'class="vote', "<h", "<b ", "<font")


LONGEST_POST = 500_000
"""Letters of a body: no forum takes as many."""
MOST_BALLOTS = 100
"""Ballots that one post may hold: one of a player who votes holds a few."""
TOO_LONG = Ballot(Action.VOTE, "", Form.OWN_LINE, "it takes too long to read: decide it", unclear=True)
"""Stands for all ballots of a post that is too long or too deep, holds too many, or on which a moderator's
own pattern takes too long. No player can stop a count so: the moderator is asked about that one post."""


class _TooLongError(Exception):
    """The post takes too long to read."""


Found: TypeAlias = tuple[tuple[Ballot, ...], tuple[Ballot, ...], tuple[str, ...]]
"""The live ballots of a body, what looks like one and is none, and its names behind a mere “V:”."""
NOTHING: Found = ((), (), ())
"""What most bodies hold; remembered once for all of them."""


class BodyReader:
    """Reads bodies of one style for votes in some forms, and remembers what it found in them: it depends on
    nothing else. A body that took too long is not remembered, since the next time it may not."""

    def __init__(self, html_style: HtmlStyle, forms: Forms) -> None:
        self.html_style = html_style
        self.forms = forms
        self._ballots: BodyMemory[tuple[Ballot, ...]] = BodyMemory()
        self._found: BodyMemory[Found] = BodyMemory()

    @property
    def size(self) -> int:
        """How many answers it remembers, of either kind."""
        return len(self._ballots) + len(self._found)

    def known_ballots(self, body: str) -> tuple[Ballot, ...] | None:
        """What `ballots` remembers of a body; None: nothing."""
        return self._ballots.get(digest(body))

    def known_found(self, body: str) -> Found | None:
        """What `found` remembers of a body; None: nothing."""
        return self._found.get(digest(body))

    def remember(self, body: str, ballots: tuple[Ballot, ...] | None, found: Found | None) -> None:
        """Take what `ballots` and `found` would answer (None: that is not known)."""
        if ballots is not None:
            self._ballots.keep(body, ballots)
        if found is not None:
            self._found.keep(body, found)

    def ballots(self, body: str) -> tuple[Ballot, ...]:
        """The live ballots of a body, `TOO_LONG` where they cannot be read."""
        known = self._ballots.get(digest(body))
        if known is not None:
            return known
        try:
            ballots = _read_body(body, self.html_style, self.forms)
            if not ballots and Form.SPOKEN in self.forms.accepted:
                ballots = tuple(replace(one, prose=False) for one in _spoken_votes(body, self))
        except _TooLongError:
            return (TOO_LONG,)
        self.remember(body, ballots, None)
        return ballots

    def ballots_or_spoken(self, body: str) -> tuple[Ballot, ...]:
        """The live ballots of a body that counts as it was written; where it has none, what says in a
        sentence how its writer votes."""
        ballots = self.ballots(body)
        return ballots or tuple(one for one in self.found(body)[1] if one.prose and one.region is Region.LIVE)

    def found(self, body: str) -> Found:
        """The live ballots of a body and all that looks like one."""
        known = self._found.get(digest(body))
        if known is not None:
            return known
        timely = True
        try:
            ballots, misses = _read_both(body, self)
            if not ballots:
                known_lines = {miss.line for miss in misses}
                spoken = _spoken_votes(body, self)
                misses = (*misses, *(one for one in spoken if one.line not in known_lines))
        except _TooLongError:
            ballots, misses, timely = self.ballots(body), (), False
        short = () if ballots or misses else short_votes(body)
        found = (ballots, misses, short) if ballots or misses or short else NOTHING
        if timely and TOO_LONG not in ballots:
            self.remember(body, None, found)
        return found


@lru_cache(maxsize=4)
def body_reader(html_style: HtmlStyle, forms: Forms) -> BodyReader:
    """The reader of this process for a style and forms."""
    return BodyReader(html_style, forms)


def read_body(body: str, html_style: HtmlStyle, forms: Forms) -> tuple[Ballot, ...]:
    """The live ballots of a body, `TOO_LONG` where they cannot be read. A body that can hold none is not
    parsed."""
    return BodyReader(html_style, forms).ballots(body)


def _parsed(html: str, html_style: HtmlStyle) -> Nodes:
    """The nodes of a body or of a part of it. Raises _TooLongError."""
    if len(html) > LONGEST_POST:
        raise _TooLongError
    nodes = parse_html(html, html_style)
    if nodes and isinstance(nodes[-1], Cut):
        raise _TooLongError
    return nodes


def _read_body(body: str, html_style: HtmlStyle, forms: Forms) -> tuple[Ballot, ...]:
    body = _unpainted(body)
    lower = body.lower()
    if not _may_hold(lower, forms):
        return ()

    # Most bodies that hold the word hold it in a quote or in plain prose. They are found out in lower case,
    # so that only the others have to be looked at as they were written.
    quotes = "<blockquote" in body and "blockquote" in html_style.quotes
    if quotes:
        lower = _unquoted(lower)
        if not _may_hold(lower, forms):
            return ()
    if forms.marked_only and not _marked(lower) and "b]" not in lower:
        return ()
    live = _unquoted(body) if quotes else body
    lines = lines_of(_parsed(_trimmed(live, forms), html_style), asides=_reads_code(forms))
    return _few(read_lines(_live(lines, forms), forms))


def _reads_code(forms: Forms) -> bool:
    """Whether what stands in a code box may be a vote."""
    return Form.CODE in forms.accepted or any(frame.mark is Mark.CODE for frame in forms.frames)


def _live(lines: Iterable[Line], forms: Forms) -> tuple[Line, ...]:
    """The author's own live lines, those of code boxes among them where votes are written so."""
    regions = (Region.LIVE, Region.CODE) if _reads_code(forms) else (Region.LIVE,)
    return tuple(line for line in lines if line.region in regions)


def _unquoted(body: str) -> str:
    """The body with a line end for each of its blockquotes; as it is where they are not balanced."""
    kept: list[str] = []
    depth = place = 0
    for tag in _QUOTE.finditer(body):
        if not tag.group(1):
            if depth == 0:
                kept.append(body[place : tag.start()])
            depth += 1
        elif depth:
            depth -= 1
            place = tag.end() if depth == 0 else place
    if depth:
        return body
    kept.append(body[place:])
    return "<br>".join(kept)


def _few(ballots: tuple[Ballot, ...]) -> tuple[Ballot, ...]:
    """The ballots of a post. Raises _TooLongError where there are too many."""
    if len(ballots) > MOST_BALLOTS:
        raise _TooLongError
    return ballots


# Between two single letters that have a colour each: “<span …>V</span><span …>O</span>”. Only the marks in
# the middle go, so that all letters come to stand in the first piece.
_PAINT = re.compile(
    r"(?<=>[^<>])</(?P<mark>div|span|font)>(?P<blank>\s*)<(?P=mark)\b[^<>]*color[^<>]*>(?=[^<>]</(?P=mark)>)",
    re.IGNORECASE,
)
# The first letter of a painted verb.
_PAINTED_V = re.compile(r">\s*v</(?:div|span|font)>", re.IGNORECASE)


def _unpainted(body: str) -> str:
    """The body where a word that is painted letter by letter is one word again."""
    if "color" in body and _PAINTED_V.search(body):
        return _PAINT.sub(r"\g<blank>", body)
    return body


def _may_hold(lower: str, forms: Forms) -> bool:
    """False where no form that is accepted can be in the text, which is in lower case; cheap, since every
    post is asked."""
    if "vot" in lower or forms.anything:
        return True
    return any(letters in lower for letters in forms.letters)


# Bold that the platform left as text: “[b]Vote: Ada[/b]”, or one end of it.
_RAW_BOLD = re.compile(r"\[/?b\]", re.IGNORECASE)


def _marked(lower: str) -> bool:
    """True where bold, a heading or a vote tag opens before the last verb; the text is in lower case."""
    before = lower[: max(lower.rfind("vot"), lower.rfind("v:"))]
    return any(mark in before for mark in _MARKS)


_LINE_END = re.compile(r"<br\s*/?>", re.IGNORECASE)


def _trimmed(body: str, forms: Forms) -> str:
    """The body less its lines of plain prose: no markup, not that of a quote left raw either, no command, and
    not the line after a command (which may hold its name). Only what is left has to be parsed."""
    kept: list[str] = []
    after_command = False
    raw = "[/" in body
    for line in _LINE_END.split(body):
        command = _may_hold(line.lower(), forms)
        if command or after_command or "<" in line or (raw and "quote" in line.lower()):
            kept.append(line)
        after_command = command
    return "<br>".join(kept)


# ---- Near misses: what looks like a vote and is none

# Signs, in lower case, of words that are not the author's live ones.
_APART = (
    "quote",
    "spoil",
    "display:none",
    "display: none",
    "<s>",
    "<strike",
    "<del",
    "<code",
    "<pre",
    "<details",
    "line-through",
    "signature",
)
# The verb within 200 letters of an opening of bold, a heading or a vote tag, with no other tag but line ends
# between: “<b>Vote: Ada”, “font-weight: bold">vote Ada”. Not “<b>no</b> I vote Ada”.
_MARKED_VOTE = re.compile(
    r"(?:<(?:b|strong|h\d)\b[^<>]*>|bold[^<>]{0,200}>|vote[^<>]{0,200}>)(?:[^<]|<br[^<>]*>){0,200}?vot"
)
# The last tag (group 1), or nothing, before a verb that begins its line: “<br>##un|vote”. Not “I |vote”.
_BEFORE_VERB = re.compile(r"(<[^<>]*>|^|\n|\])[\s/!#]*(?:un-?)?$")
# A tag after which the words are marked, or stand within a sentence: then the verb begins no plain line.
_INLINE_MARK = re.compile(r"<(?:b|strong|h\d|i|em|u|a|font)\b|bold|vote|sig")


def read_both(
    body: str, html_style: HtmlStyle, forms: Forms
) -> tuple[tuple[Ballot, ...], tuple[Ballot, ...]]:
    """The live ballots, and what looks like a vote and is none: for the moderator's eye only. One parse."""
    return BodyReader(html_style, forms).found(body)[:2]


def _read_both(body: str, reader: BodyReader) -> tuple[tuple[Ballot, ...], tuple[Ballot, ...]]:
    html_style, forms = reader.html_style, reader.forms
    body = _unpainted(body)
    lower = body.lower()
    if not _may_hold(lower, forms):
        return (), ()
    if not _worth_a_look(lower, forms):
        return reader.ballots(body), ()
    lines = lines_of(_parsed(_trimmed(body, forms), html_style), asides=True)
    live = _live(lines, forms)
    apart = tuple(line for line in lines if line not in live)
    counted = read_lines(live, forms)
    if len(counted) > MOST_BALLOTS:
        return (TOO_LONG,), ()

    # In forms that the house does not accept, less what counts in one that it does.
    known = {(ballot.line, ballot.text) for ballot in counted}
    others = tuple(
        ballot
        for ballot in read_lines(live, _others(forms))
        if (ballot.text or ballot.action is Action.UNVOTE) and (ballot.line, ballot.text) not in known
    )
    return counted, (*read_lines(apart, forms), *others)[:MOST_BALLOTS]


# What says in a sentence how its writer votes: “I'm voting for Ada”, “I am going to vote Ada”, “I'll vote
# Ada”, “my vote goes to Ada”, “moving my vote to Ada”, “I unvote”. Not “if I vote Ada”, “should I vote Ada”.
_SAYS = r"""(?<![\w'’])
    (?:(?:i(?:['’]|&\#0?39;|&\#x27;|&rsquo;)?m|i\s+am)\s+(?:{ways}\s+)*+(?P<un>un-?)?vot(?:e|ing)
      |i(?:['’]|&\#0?39;|&\#x27;|&rsquo;)?ll\s+(?:{ways}\s+)*+(?P<un>un-?)?vote
      |i\s+(?:will\s+)?(?:{ways}\s+)*+(?P<un>un-?)?vote
      |my\s+vote\s+(?:is|goes|stays)
      |(?:changing|switching|moving|putting|placing)\s+my\s+vote
    )(?![\w'’])""".replace(
    "{ways}", "(?:now|just|still|also|then|so|hereby|officially|definitely|gonna|going\\s+to|about\\s+to)"
)
LONGEST_SENTENCES = 5_000
"""So many letters of a line are read for what its writer says of their vote."""
_NO_LINE_END = re.compile(r"<(?!br)[^<>]*>")
_SPOKEN_SIGN = regex.compile(_SAYS, regex.VERBOSE | regex.IGNORECASE)
_SPOKEN = regex.compile(
    _SAYS
    + r"""(?<!\b(?:if|when|should|would|will|can|could|do|did|before|after|unless|once|until|why|because)
            \s+i\s+(?:un-?)?vote)
        (?:\s+(?:for|on|to|onto|with))*+\s*+[:=]?\s*+(?P<name>[^\s.,!?;:][^.!?;]{0,80})?""",
    regex.VERBOSE | regex.IGNORECASE,
)


def _spoken_votes(body: str, reader: BodyReader) -> tuple[Ballot, ...]:
    """What says in a live sentence how its writer votes. It is never counted, so `prose` marks all of it."""
    if "vot" not in body.lower() or not _SPOKEN_SIGN.search(_NO_LINE_END.sub("", body)):
        return ()
    lines = lines_of(_parsed(_trimmed(_unpainted(body), reader.forms), reader.html_style))
    said: list[Ballot] = []
    for line in lines:
        text = line.text[:LONGEST_SENTENCES]
        shown = _excerpt(line) if _SPOKEN.search(text) else ""
        for found in islice(_SPOKEN.finditer(text), MOST_BALLOTS):
            undone, name = bool(found["un"]), (found["name"] or "").strip()
            if name or undone:
                action = Action.UNVOTE if undone else Action.VOTE
                said.append(Ballot(action, name, Form.OWN_LINE, shown, prose=True))
    return tuple(said[:MOST_BALLOTS])


# “V: Rook”, bold or at the beginning of a line, which is a vote in bold alone, where that counts.
_SHORT_VOTE = re.compile(
    r"(?:^|\n|<br\s*/?>|<(?:b|strong)\b[^<>]*>|\bbold\b[^<>]{0,200}>)[^\S\n]*(v\s*[:=]\s*[^\s<][^<\n]{0,40})",
    re.IGNORECASE,
)
# What stands in every body with such a vote but at its beginning, and is found much faster.
_SHORT_SIGN = re.compile(r"[\n>][^\S\n]*[vV]\s*[:=]")
_SHORT_BEGINNING = re.compile(r"[^\S\n]*[vV]\s*[:=]")


def short_votes(body: str) -> tuple[str, ...]:
    """Each “V: name” outside of quotes, as it is shown."""
    if not _SHORT_SIGN.search(body) and not _SHORT_BEGINNING.match(body):
        return ()
    said: list[str] = []
    depth = place = 0
    for short in _SHORT_VOTE.finditer(body):
        before = body[place : short.start()].lower()
        depth += before.count("<blockquote") - before.count("</blockquote")
        place = short.start()
        if depth <= 0:
            said.append(unescape(short[1]).strip())
    return tuple(said)


def _worth_a_look(lower: str, forms: Forms) -> bool:
    """Whether a body may hold a vote in a form that does not count, or one that is not live."""
    if not forms.accepted >= {Form.BOLD, Form.TAG} and _marked(lower):
        return True
    if any(sign in lower for sign in _APART) and _MARKED_VOTE.search(lower):
        return True
    if "[v" in lower or "[unv" in lower:
        return True

    # A line that begins with the verb and is not bold.
    place = lower.find("vot")
    while place >= 0:
        before = _BEFORE_VERB.search(lower[max(0, place - 200) : place])
        if before and not _INLINE_MARK.search(before.group(1)):
            return True
        place = lower.find("vot", place + 3)
    return False


@lru_cache(maxsize=32)
def _others(forms: Forms) -> Forms:
    """The forms that a game does not accept, but a bot's: its “for” stands in too many sentences."""
    return Forms(frozenset(Form) - forms.accepted - {Form.HOUSE, Form.BANG, Form.CODE, Form.SPOKEN})


# ---- Lines: the forms of a vote

# The verb, alone or undone: “vote”, “unvote”, “un-vote”, “voto”, “desvoto”; and its common slips before a
# colon: “vtoe:”, “vot:”. Not “devote”, “voted”, “votes”, “vote's”, nor what is talk of votes: “vote count”,
# “vote-wise”, “vote history”.
_VERB = regex.compile(
    r"""(?<![\w'’])
        (?P<un>un[\s-]?|des)?
        (?P<verb>(?:re[\s-]?)?vote|voto|(?:vtoe|voet|ovte|vot|votee|vvote)(?=\s*:))
        (?![\w'’])
        (?!\s*+-?\s*+(?:counts?|totals?|history|analysis|tall(?:y|ies)|wise|records?|here))""",
    regex.VERBOSE | regex.IGNORECASE,
)
# Words right before the verb that make it talk and no action, at the end of what stands before: “I will
# |vote”, “to |vote”, “my |vote”, “didn't |vote”. A colon after the verb overrules them: “my vote: Ada”.
_NEGATED = regex.compile(
    r"(?:\b(?:not|never|cannot|can't|won't|don't|didn't|doesn't|wouldn't|shouldn't|dont|wont|to|would|could"
    r"|should|might|may|will|can|you|they|we|who|he|she|the|a|my|your|his|her|their|this|that|of|if|vig|for"
    r"|last|next|first|1st|2nd|3rd|any|no|please)|n['’]t)\s*$",
    regex.IGNORECASE,
)
# Words right before the verb that no colon overrules: “not |vote: Ada”, “vig |vote: Ada”.
_DENIED = regex.compile(r"(?:\bnot|n['’]t|never|vig\s?-?)\s*$", regex.IGNORECASE)
# Words before a bold verb without a colon that make it a thought or talk of a vote: “if nobody has a better
# idea I would **vote Ada**”, “why would anybody **vote Ada**”, “your **vote on Ada**”.
_THOUGHT = regex.compile(
    r"(?:\b(?:would|might|could|should|if|why)\b(?:(?!\b(?:so|hence|anyway)\b)[^.!?;:]){0,60}"
    r"|\b(?:my|your|his|her|their|our|the|a|vig)(?:\s|-))$",
    regex.IGNORECASE,
)
# Where an action can begin, at the end of what stands before: the start, a sign, or one of a few words:
# “ok. |vote”, “and |vote”, “I |vote”, “hereby |vote”. Not “people |vote”.
_AFTER_PUNCTUATION = regex.compile(
    r"(?:^|[^\w\s'’\"]|\b(?:and|then|&|also|i|so|hereby|now|officially)\s|^\s*hammer\s)\s*$", regex.IGNORECASE
)
# An unvote earlier in the sentence: “Unvote Ada |vote Boro”.
_AFTER_UNVOTE = regex.compile(r"\bun-?vote\b[^.!?]*$", regex.IGNORECASE)
_COLON = regex.compile(r"\s*[:;=]")
# What parts the verb from the name: “: ”, “ => ”, “ - ”.
_SEPARATOR = regex.compile(r"^[\s:;=~>*.,|–—-]*")
# Words that lead to the name: “vote for Ada”, “voto para Ada”.
_LEADING = regex.compile(r"^(?:for|para|a)\s+", regex.IGNORECASE)

# A vote cut to its first letter, with nothing else in bold but the name: “V: Ada”.
_SHORT = regex.compile(r"^\s*v\s?:\s*(?P<name>\S[^:]{0,40})$", regex.IGNORECASE)

# A tag that the platform left as text: “[vote]Ada[/vote]”, “[v=Ada][/v]”, “[unvote]Ada[/unvote]”.
_RAW_TAG = regex.compile(
    r"\[(?P<un>un?(?=v))?(?:vote|v)(?:=(?P<attr>[^\]]{0,200}))?\](?P<text>.{0,200}?)\[/(?:un?)?(?:vote|v)\]",
    regex.IGNORECASE,
)
# “##vote Ada”, “##unvote”, “# Vote: Ada”. Not “issue#vote”, nor “##voted”.
_HASHES = regex.compile(r"(?<!\w)#{1,5}\s*(?P<un>un-?|des)?vot[eo]\b\s*:?", regex.IGNORECASE)
# A bot's commands: “!vote Ada”, “!vote for Ada”, “!for Ada”, “@bot for Ada”, “!no-lynch”.
_BANG = regex.compile(
    r"(?:^|\s)(?:!(?P<un>un)?vote\b(?:\s+for\b)?|!for\b|@\w+\s+for\b|!no-?lynch\b)", regex.IGNORECASE
)
# A line that begins with the verb: “vote: Ada”, “/vote Ada”, “unvote”. Not “votes are in”.
_OWN_LINE = regex.compile(r"^\s*/?(?P<un>un-?)?vote(?![\w'’])\s*(?P<colon>[:;]?)", regex.IGNORECASE)
_COMMANDS = ((Form.HASHES, _HASHES), (Form.BANG, _BANG), (Form.OWN_LINE, _OWN_LINE))

LOOK_BACK = 40
"""Letters before a verb, blanks left out, that say whether it is an action."""
SENTENCE = 200
"""Letters before a verb among which an unvote makes it an action."""
HOUSE_TIMEOUT = 0.1
"""Seconds that a moderator's pattern may take on one line."""


def read_lines(lines: tuple[Line, ...], forms: Forms) -> tuple[Ballot, ...]:
    """The ballots of lines, in their order; each line is read in its own region."""
    ballots: list[Ballot] = []
    for number, line in enumerate(lines):
        if not line.tags and not _may_hold(line.text.lower(), forms):
            continue
        following = lines[number + 1] if number + 1 < len(lines) else None

        # Every reading of the line by where it begins: the form that is asked first wins a place.
        found: dict[int, Ballot] = {}
        readings = (
            *_tag_ballots(line, forms),
            *_bold_ballots(line, following, forms),
            *_raw_bold_ballots(line, forms),
        )
        for place, ballot in (*readings, *_plain_ballots(line, forms)):
            found.setdefault(place, ballot)
        if not found:
            found = dict(_framed_ballots(line, forms))
        if not found:
            continue
        shown, raw_quotes = _excerpt(line), _RawQuotes.of(line, following)
        for place in sorted(found):
            unclear = found[place].unclear or raw_quotes.ends_behind(place)
            one = found[place]
            region = Region.LIVE if line.region is Region.CODE and _reads_code(forms) else line.region
            made = Ballot(one.action, one.text, one.form, shown, region, unclear, one.prose)
            ballots.append(made)
    return tuple(ballots)


def _excerpt(line: Line) -> str:
    """The beginning of a line, the words of its tags put back."""
    pieces = line.text.split(TAG_MARK, LONGEST) if line.tags else [line.text]
    shown = pieces[0]
    for piece, tag in zip(pieces[1:], line.tags, strict=False):
        if len(shown) > 2 * LONGEST:
            break
        shown += f"{tag.tag.name}: {tag.text}{piece}"
    return shown.strip()[:LONGEST]


# The beginning or, with group 1, the end of a quote that the platform left as text. It takes no letter, so
# that one inside another is found as well.
_RAW_QUOTE = re.compile(r"(?=\[(/?)quote\b[^\]]{0,200}\])", re.IGNORECASE)


class _RawQuotes(NamedTuple):
    """Where quotes begin and end on a line that the platform could not read."""

    places: tuple[int, ...]
    ends: tuple[bool, ...]
    next_line_ends: bool
    """The next line begins with such an end."""

    @classmethod
    def of(cls, line: Line, following: Line | None) -> _RawQuotes:
        """Those of a line and at the beginning of the one behind it."""
        if "[" not in line.text and (following is None or "[" not in following.text):
            return _NO_RAW_QUOTES
        marks = tuple(_RAW_QUOTE.finditer(line.text))
        behind = following.text.lstrip() if following is not None and "[" in following.text else ""
        next_mark = _RAW_QUOTE.match(behind) if behind.startswith("[") else None
        ends = bool(next_mark and next_mark.group(1))
        return cls(tuple(m.start() for m in marks), tuple(bool(m.group(1)) for m in marks), ends)

    def ends_behind(self, place: int) -> bool:
        """Whether such a quote ends behind a place: on its line, or where the next one begins. Then somebody
        else may have said what stands there."""
        nearest = bisect_left(self.places, place)
        return self.ends[nearest] if nearest < len(self.places) else self.next_line_ends


_NO_RAW_QUOTES = _RawQuotes((), (), False)


def _tag_ballots(line: Line, forms: Forms) -> Iterator[tuple[int, Ballot]]:
    """The vote tags of a line. One that says “unvote” takes the vote back; an empty one does so where that is
    the platform's habit, and is unclear elsewhere."""
    if not line.tags or Form.TAG not in forms.accepted:
        return
    places = [place for place, letter in enumerate(line.text) if letter == TAG_MARK]
    for place, tag in zip(places, line.tags, strict=False):
        text, undone = tag.text, False
        # Many write the verb within the tag as well: “[vote]Vote: Ada[/vote]”; of several the last decides:
        # “[vote]Unvote, Vote: Ada[/vote]”.
        while (verb := _last_verb(text)) is not None:
            text, undone = _SEPARATOR.sub("", text[verb.end() :]), bool(verb.group("un"))
        undone = undone or tag.tag is Tag.UNVOTE
        empty = not undone and not text.strip()
        unclear = empty and Form.EMPTY_TAG not in forms.accepted
        yield place, _ballot(undone or empty, text.strip(), Form.TAG, unclear)


def _last_verb(text: str) -> Match | None:
    """The last verb of a text that begins with one; None where it begins with a name."""
    if not _VERB.match(text):
        return None
    return [verb for verb in _VERB.finditer(text) if _begins_action(text, verb)][-1]


_MARKED_OTHERWISE = {mark: form for mark, form in FORM_OF.items() if mark not in (Mark.LINE, Mark.BOLD)}


def _bold_ballots(line: Line, following: Line | None, forms: Forms) -> Iterator[tuple[int, Ballot]]:
    """Of each stretch in bold or red and each heading: every verb that stands where an action can begin, with
    the name behind it, up to the next verb."""
    stretches = [(span, Form.BOLD) for span in line.bold] if forms.bold else []
    for mark, form in _MARKED_OTHERWISE.items():
        if form in forms.accepted:
            stretches += [(span, form) for span in line.spans(mark)]
    for (start, stop), marked in stretches:
        text, heading = line.text[start:stop], marked is Form.HEADING
        # “V: Ada” alone in bold.
        short = None if heading else _SHORT.match(text)
        if short is not None and Form.BOLD_COLON in forms.accepted:
            yield start, _ballot(False, _typed(short.group("name")), Form.BOLD_COLON)
            continue

        changed = _change(text) if marked is not Form.CODE else None
        if changed is not None and (forms.accepted & {marked, Form.BOLD}):
            yield start, changed
            continue
        verbs = [verb for verb in _VERB.finditer(text) if _begins_action(text, verb)]
        for verb, end in _up_to_next(verbs, len(text)):
            tail = text[verb.end() : end]
            colon, undone = bool(_COLON.match(tail)), bool(verb.group("un"))
            if marked is Form.BOLD and not colon and Form.BOLD not in forms.accepted and not undone:
                continue

            # “Vote:” in bold with the name after the bold, or on the next bold line.
            name = _typed(tail)
            if not name and not undone and end == len(text):
                name = _typed(line.text[stop : stop + LONGEST])
                if not name and following and following.region is line.region and following.bold:
                    first, last = following.bold[0]
                    name = _typed(following.text[first:last]) if not following.text[:first].strip() else ""
                if not name:
                    continue

            form = Form.BOLD_COLON if marked is Form.BOLD and colon else marked
            thought = marked is Form.BOLD and not colon and not undone
            before = line.text[max(0, start + verb.start() - SENTENCE) : start + verb.start()]
            ballot = _ballot(undone, name, form, unclear=thought and bool(_THOUGHT.search(before)))
            middle = form is Form.BOLD and verb is verbs[0] and bool(text[: verb.start()].strip())
            prose = middle and len(text.split()) > PROSE
            yield start + verb.start(), replace(ballot, prose=True) if prose else ballot


# “Change Vote @ Ada”, “Switching my vote from Boro to Ada”, “My vote goes to Ada”: a change, with the name
# behind.
_CHANGED = shape(
    r"^(?:<you>|<adverb>|<article>|<be>|<they>|<future>|w){0,4}(?:<changes>|<takes>|<take>)(?:<you>|<article>|w){0,2}<vote>"
)
_GOES_TO = shape(r"^(?:<article>|w)<vote>(?=(?:<be>|<adverb>|<future>|<changes>|w){1,3})")
_MINE = re.compile(r"\W*(?:my|mine|mon|ma|meine|mein|mi|mój|moj|meu|minha)\b", re.IGNORECASE)
_ONTO = re.compile(
    r"(?:.*(?<!\w)(?:to|onto|on|upon|with|for|auf|bei|avec|con|com|an|für|a|para|por|en|à|sur|pour|vers|na|em)\s|.*(?:→|->|>|@)|[^:@/\-]*[:@/\-]+)\s*"
    r"(?P<name>\S.*)",
    re.IGNORECASE,
)
# “I retract my vote.”, “Vote withdrawn”, “Remove vote: Ada”, “taking my vote back”.
_TAKEN_BACK = shape(
    r"^(?:<you>|<adverb>|<article>|<be>|<they>|<future>|w|,){0,4}(?:<takes_back>(?:<you>|<article>|w){0,2}<vote>|"
    r"<take>(?:<you>|<article>|w){0,2}(?:<vote><takes_back>|<puts_out>)|<take>(?:<you>|<article>|w){0,2}<vote>(?:<adverb>|w)?(?:<back>|<puts_out>)|<take>(?:<puts_out>|<vote><back>))"
    r"|^(?:<you>|<article>|w){0,2}<vote>(?:<be>|<was>|<adverb>)*(?:<takes_back>|<removed>)"
)
_PLAIN_VOTE = re.compile(r"\W*(?:un-?)?vote\s*[:=;]", re.IGNORECASE)
_NOBODY = Names(())
LONGEST_CHANGE = 80
"""Letters of a marked text that may say in words that a vote changes."""


def _change(text: str) -> Ballot | None:
    """The ballot of a marked text that says in words that a vote is moved or taken back; None for another."""
    if len(text) > LONGEST_CHANGE or not _OF_VOTES.search(text) or _PLAIN_VOTE.match(text):
        return None
    said = next(iter(clauses(text, _NOBODY, rules=True)), None)
    if said is None or said.asked:
        return None
    if _TAKEN_BACK.match(said.tags):
        return Ballot(Action.UNVOTE, "", Form.BOLD, "")
    moved = _CHANGED.match(said.tags) or (_GOES_TO.match(said.tags) if _MINE.match(said.text) else None)
    onto = _ONTO.fullmatch(said.text, said.tokens[moved.end() - 1].end) if moved else None
    name = _typed(onto["name"]) if onto else ""
    return Ballot(Action.VOTE, name, Form.BOLD, "") if name else None


_OF_VOTES = re.compile(r"vot|stimm|g[łl]os|voix", re.IGNORECASE)


def _framed_ballots(line: Line, forms: Forms) -> Iterator[tuple[int, Ballot]]:
    """What stands in the frames of a house."""
    for frame in forms.frames:
        if frame.mark is Mark.ANYWHERE:
            found = islice(frame.pattern.finditer(line.text), MOST_BALLOTS)
            yield from ((one.start(), _ballot(False, _typed(one["name"]), Form.HOUSE)) for one in found)
            continue
        for start, stop in line.spans(frame.mark):
            fits = frame.pattern.fullmatch(line.text, start, stop)
            if fits is not None:
                name = "" if frame.undoes else _typed(fits["name"])
                if frame.undoes or name:
                    yield start, replace(_ballot(frame.undoes, name, Form.HOUSE), prose=frame.bare)
                    return


def _raw_bold_ballots(line: Line, forms: Forms) -> Iterator[tuple[int, Ballot]]:
    """A vote in bold that the platform left as text, whole or with one of its two ends: some moderators take
    it, some do not."""
    if "[" not in line.text or Form.BOLD_COLON not in forms.accepted:
        return
    marks = list(islice(_RAW_BOLD.finditer(line.text), MOST_BALLOTS))
    for place, mark in enumerate(marks):
        closes = "/" in mark.group()
        if closes and place and "/" not in marks[place - 1].group():
            continue  # what it closes was read
        start = (marks[place - 1].end() if place else 0) if closes else mark.end()
        following = (other.start() for other in marks[place + 1 :])
        stop = mark.start() if closes else next(following, len(line.text))
        text = line.text[start:stop]
        verbs = [verb for verb in _VERB.finditer(text) if _begins_action(text, verb)]
        for verb, end in _up_to_next(verbs, len(text)):
            name, undone = _typed(text[verb.end() : end]), bool(verb.group("un"))
            if name or undone:
                yield start + verb.start(), _ballot(undone, name, Form.BOLD_COLON, unclear=True)


def _begins_action(text: str, verb: Match) -> bool:
    """At the start, after punctuation or an unvote; elsewhere only with a colon. Never after “do not”."""
    # The last word before the verb and one of the blanks behind it.
    end = verb.start()
    while end and text[end - 1].isspace():
        end -= 1
    near, sentence, end = max(0, end - LOOK_BACK), max(0, end - SENTENCE), min(end + 1, verb.start())

    colon = bool(_COLON.match(text, verb.end()))
    if (_NEGATED.search(text, near, end) and not colon) or _DENIED.search(text, near, end):
        return False
    if colon or _AFTER_PUNCTUATION.search(text, near, end):
        return True
    return bool(_AFTER_UNVOTE.search(text, sentence, end))


def _plain_ballots(line: Line, forms: Forms) -> Iterator[tuple[int, Ballot]]:
    """Forms that need no bold: raw tags, ##vote, !vote, a line of its own, the house's own patterns."""
    if forms.marked_only:
        return
    if Form.RAW_TAG in forms.accepted:
        for match in _RAW_TAG.finditer(line.text):
            text = (match.group("text") or match.group("attr") or "").strip()
            undone = bool(match.group("un")) or text.lower() == "unvote"
            unclear = not undone and not text and Form.EMPTY_TAG not in forms.accepted
            yield match.start(), _ballot(undone or not text, text, Form.RAW_TAG, unclear)

    # Each command up to the next one on its line. Its place is the verb's own, so that a bold reading of that
    # verb has the same place.
    for form, pattern in _COMMANDS:
        if form in forms.accepted:
            for match, end in _up_to_next(list(pattern.finditer(line.text)), len(line.text)):
                verb = _VERB.search(line.text, match.start(), match.end() + LOOK_BACK)
                place = verb.start() if verb and verb.start() < match.end() else match.start()
                no_lynch = "lynch" in match.group(0).lower()
                text = "no lynch" if no_lynch else _typed(line.text[match.end() : end])
                yield place, _ballot(bool(match.group("un")), text, form)

    # A moderator's own pattern: group `unvote` marks an unvote, group `name` (or the first) the name.
    for pattern in (*forms.house, *forms.word_patterns):
        try:
            own = pattern.search(line.text, timeout=HOUSE_TIMEOUT)
        except TimeoutError:
            raise _TooLongError from None
        of_word = pattern in forms.word_patterns and forms.words_in_bold
        if own is not None and (not of_word or any(start <= own.start() < stop for start, stop in line.bold)):
            groups = own.groupdict()
            first = own.group(1) if own.re.groups and "name" not in groups else ""
            name = (groups.get("name") or first or "").strip()
            yield own.start(), _ballot(bool(groups.get("unvote")), name, Form.HOUSE)


def _up_to_next(matches: list[Match], length: int) -> Iterator[tuple[Match, int]]:
    """Each match with the place where the next one begins, or the text ends."""
    return zip(matches, [*(match.start() for match in matches[1:]), length], strict=False)


def _typed(tail: str) -> str:
    """The name as typed: separators before it and the words that lead to it are not part of it."""
    text = _SEPARATOR.sub("", tail.partition(TAG_MARK)[0])
    return _LEADING.sub("", text).strip()


_MARKED = frozenset({Form.TAG, Form.BOLD, Form.BOLD_COLON})
# A tag that was to be closed and is not, so that it stands as text: “Ada[\\vote]”, “Ada[/quote]”, “Ada[b/]”.
_WRONG_CLOSER = re.compile(r"\[\s*(?:[\\/]\s*\w+|\w+\s*[\\/])\s*\]")


def _ballot(undone: bool, text: str, form: Form, unclear: bool = False) -> Ballot:
    """The ballot, without its line."""
    name = text[:LONGEST]
    action = Action.UNVOTE if undone else Action.VOTE
    if action is Action.VOTE and form in _MARKED and _WRONG_CLOSER.search(name):
        unclear = True
    return Ballot(action, name, form, "", unclear=unclear)
