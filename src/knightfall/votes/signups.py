"""Sign-ups: what a post says about playing, and the lists that follow.

`readings` reads a line: commands (“/in”) anywhere in it, plain words (“I'm in”) only where nothing else is
said. `signup_lines` reads the posts of a thread; `signups` makes the lists of players, backups, spectators.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

import regex

from knightfall.markup.html import parse_html
from knightfall.markup.html_style import HtmlStyle
from knightfall.models import Post
from knightfall.votes.ballots import Region
from knightfall.votes.lines import Line, lines_of


class Intent(Enum):
    """What somebody says of themselves; `CONFIRM` keeps what they said before."""

    IN = "in"
    OUT = "out"
    SUB = "sub"
    SPEC = "spec"
    CONFIRM = "confirm"


class Unclear(Enum):
    """The line says something that a moderator has to read."""

    UNCLEAR = "unclear"


class NoWord(Enum):
    """The post says nothing of playing that is understood here, or the moderator decided to ignore it."""

    NOTHING = "nothing"
    IGNORED = "ignored"


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORDS: Mapping[str, Intent] = MappingProxyType(
    {
        **dict.fromkeys(("in", "pre-in", "prein", "join", "joining", "joined", "sign", "signing"), Intent.IN),
        **dict.fromkeys(("signup", "sign-up"), Intent.IN),
        **dict.fromkeys(("out", "unsign", "withdraw", "withdrawing", "drop", "dropping"), Intent.OUT),
        **dict.fromkeys(("sub", "substitute", "backup", "back-up", "replacement", "reserve"), Intent.SUB),
        **dict.fromkeys(("spec", "spectate", "spectating", "spectator"), Intent.SPEC),
        **dict.fromkeys(("confirm", "confirmed", "confirming"), Intent.CONFIRM),
    }
)
_PRONOUNS = _set(
    "i i'm im am i'll ill will be me myself can count put up a an please pls plz thanks thx ty "
    "yes yeah yep yup ya ok okay sure sorry hi hey hello again too also definitely totally "
    "absolutely so very happily gladly still down to from about instead rather switch switching "
    "change changing move moving have need step stepping"
)
"""Words that say nothing beside a sign-up, in a clause of their own."""
_COURTESIES = _PRONOUNS | _set(
    "for this that it the one game now here then time first and let's lets go my back once more"
)
"""Words that say nothing beside a sign-up which is the whole line."""
_DOUBTS = _set(
    "maybe perhaps possibly probably likely might may if unless until when whether depends depending "
    "assuming provided pending tentative tentatively considering think thinking guess could should "
    "would not never can't cant cannot won't wont don't dont unsure undecided or but hopefully "
    "potentially almost no longer"
)
_CONDITIONS = _set(
    "if unless but maybe perhaps probably possibly depending depends assuming provided pending "
    "tentatively tentative until though or"
)
"""With these the next clause goes back to the one before."""
_REPORTED = _set(
    "you your who everyone everybody anyone anybody someone somebody people players he she they them "
    "type write post posted posting said says saying say pm must has have had"
)
"""With these a command is spoken about, not given: “everybody who posts /in”."""
_NAMES = "|".join(sorted(map(regex.escape, _WORDS), key=len, reverse=True))
# A sign and a word, or several between slashes: “/in”, “!sign”, “##join”, “/in/out”. Not “and/in”, “/inside”.
_COMMAND = regex.compile(rf"(?<![\w/.:-])(?:[/!]|##)\s?((?:{_NAMES})(?:\s?/\s?(?:{_NAMES}))*)(?![\w/'-])")
# Between clauses: signs of the sentence, brackets at the edge of a word, dashes that stand apart, a command.
_CLAUSE = regex.compile(r"[.,;:!…–—~|\n]+|(?<!\w)[(\[{]+|[)\]}]+(?!\w)|\s-+\s|-{2,}|\s(?=[/!]\w)")
_TOKEN = regex.compile(r"[\w'-]*\w|\?")
# Phrases that say nothing beside a sign-up and are left out: “I'd like to”, “gonna”, “as a”, “hi all”.
_WISH = regex.compile(
    r"\b(?:i'd|i would|id|would) (?:like|love)(?: to)?\b|\b(?:want to|wanna|gonna|going to)\b"
    r"|\b(?:as an?|add me|h(?:i|ey|ello),? (?:all|everyone|everybody))\b"
)
_MENTION = regex.compile(r"(?<!\S)@\S+[\s,:]*")
SIGNS = "/!#"
"""A command begins with one of these."""
LONG = 400
"""Letters of a line that are looked at: a longer one is prose."""
SHORT = 100
"""In a longer line only the first clause can be a sign-up without a sign."""

Reading = Intent | Unclear | NoWord


def readings(line: str) -> tuple[Reading, ...]:
    """What a line says, each clear word once; one `UNCLEAR` where it says two things or doubts."""
    if len(line) > LONG:
        return ()
    text = _WISH.sub(" ", _MENTION.sub("", line.casefold().replace("’", "'")))
    found = tuple(dict.fromkeys(_commands(text))) or tuple(dict.fromkeys(_plain(text)))
    return found if len(found) < 2 else (Unclear.UNCLEAR,)


def _commands(text: str) -> Iterator[Reading]:
    """Commands may stand in any line; their own clause must not doubt them."""
    for match in _COMMAND.finditer(text):
        words = {_WORDS[word.strip()] for word in match.group(1).split("/")}
        before, after = text[: match.start()], text[match.end() :]
        rest = _CLAUSE.split(after, maxsplit=1)
        tokens = (*_TOKEN.findall(_CLAUSE.split(f"{before} ")[-1]), *_TOKEN.findall(rest[0]))
        beside = {_WORDS[token] for token in tokens if token in _WORDS}

        # The clause behind may take it back: “/in, if there is room”.
        takes_back = False
        if len(rest) > 1 and not rest[0].strip():
            later = _TOKEN.findall(_CLAUSE.split(rest[1].lstrip())[0])
            takes_back = bool(later) and (later[0] in _CONDITIONS or later == ["?"])

        doubted = any(token == "?" or token in _DOUBTS or token in _REPORTED for token in tokens)
        sure = len(words | beside) == 1 and not doubted and not takes_back
        yield words.pop() if sure else Unclear.UNCLEAR


def _plain(text: str) -> Iterator[Reading]:
    """Words without a sign: the whole line, or clauses of it, say nothing else."""
    whole = _meaning(_TOKEN.findall(_CLAUSE.sub(" ", text)), _COURTESIES)
    if whole is not None:
        yield whole
        return
    clauses = [clause for clause in _CLAUSE.split(text) if clause and clause.strip()]
    for place, clause in enumerate(clauses if len(text) <= SHORT else clauses[:1]):
        reading = _meaning(_TOKEN.findall(clause), _PRONOUNS)
        later = _TOKEN.findall(clauses[place + 1]) if place + 1 < len(clauses) else []
        if reading is not None:
            yield Unclear.UNCLEAR if later and later[0] in _CONDITIONS else reading


def _meaning(tokens: list[str], idle: frozenset[str]) -> Reading | None:
    """What words say that are idle, doubtful or of a sign-up and nothing else; up to a doubt behind the word
    it may be anything (“in if there is room”)."""
    words: list[Intent] = []
    doubts = 0
    for token in tokens:
        if token in _WORDS:
            words.append(_WORDS[token])
        elif token in _DOUBTS or token == "?":
            doubts += 1
            if words:
                break
        elif token not in idle:
            return None
    if not words:
        return None
    return words[0] if len(set(words)) == 1 and not doubts else Unclear.UNCLEAR


IGNORE = "ignore"
DECISIONS = (Intent.IN.value, Intent.OUT.value, Intent.SUB.value, Intent.SPEC.value, IGNORE)
"""What a moderator may make of a post."""


@dataclass(frozen=True, slots=True)
class SignupLine:
    """One thing that somebody said in a post: a clear word or an unclear one, with its line; or a post in
    which there is none, with all of its text."""

    post: int
    author: str
    reading: Reading
    text: str = ""


@dataclass(frozen=True, slots=True)
class Signup:
    """Where somebody stands, since which post; `again` are later posts that say the same, `confirmed` the
    last one that confirms it."""

    name: str
    word: Intent
    post: int
    again: tuple[int, ...] = ()
    confirmed: int | None = None


@dataclass(frozen=True, slots=True)
class Signups:
    """The lists, each in the order of signing; `unclear` waits for the moderator.

    Whatever somebody posts who never says a clear word is unclear: it may be a sign-up in words that are not
    known here.
    """

    players: tuple[Signup, ...] = ()
    backups: tuple[Signup, ...] = ()
    spectators: tuple[Signup, ...] = ()
    out: tuple[Signup, ...] = ()
    unclear: tuple[SignupLine, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Who plays."""
        return tuple(one.name for one in self.players)


@dataclass(slots=True)
class _Person:
    """Somebody on the way through the thread; `place` counts what was said."""

    name: str
    word: Intent | None = None
    post: int = 0
    place: int = 0
    again: list[int] = field(default_factory=list)
    confirmed: int | None = None
    open: list[SignupLine] = field(default_factory=list)
    wordless: list[SignupLine] = field(default_factory=list)

    def add(self, said: SignupLine, place: int) -> None:
        """Take in what they said as the `place`-th thing in the thread."""
        match said.reading:
            case Intent.CONFIRM if self.word in (None, Intent.OUT):
                self.open.append(SignupLine(said.post, said.author, Unclear.UNCLEAR, said.text))
            case Intent.CONFIRM:
                self.confirmed, self.open = said.post, []
            case Intent() as word:
                self.open = []
                if word is self.word:
                    self.again.append(said.post)
                else:
                    self.word, self.post, self.place = word, said.post, place
                    self.again, self.confirmed = [], None
            case NoWord.NOTHING:
                self.wordless.append(said)
            case NoWord.IGNORED:  # the moderator has read what they wrote so far
                self.wordless = []
            case _:
                self.open.append(said)

    @property
    def unclear(self) -> list[SignupLine]:
        """What a moderator has to read of theirs."""
        return [*self.open, *(self.wordless if self.word is None else ())]

    def signed(self, word: Intent) -> Signup:
        again = tuple(dict.fromkeys(post for post in self.again if post != self.post))
        return Signup(self.name, word, self.post, again, self.confirmed)


def signup_lines(
    posts: Iterable[Post],
    html_style: HtmlStyle,
    moderators: Set[str] = frozenset(),
    decided: Mapping[int, str] | None = None,
) -> tuple[SignupLine, ...]:
    """All that was said, in order. `moderators` are accounts in lower case; of a post in `decided` only what
    the moderator made of it (one of `DECISIONS`) counts. Deleted posts say nothing."""
    found: list[SignupLine] = []
    for post in posts:
        if post.hidden:
            continue
        decision = (decided or {}).get(post.number)
        if decision is not None:
            reading = NoWord.IGNORED if decision == IGNORE else Intent(decision)
            found.append(SignupLine(post.number, post.author, reading))
        elif post.author.casefold() not in moderators:
            words = list[SignupLine]()
            for line in live_lines(post, html_style):
                # Bold words are asked first: who signs in bold may chat around it. In a long line bold may be
                # mere stress, so only a command counts there.
                spans = (line.text[start:end] for start, end in line.bold)
                bold = tuple(
                    reading
                    for text in spans
                    if len(line.text) <= SHORT or text.lstrip()[:1] in SIGNS
                    for reading in readings(text)
                )
                words.extend(
                    SignupLine(post.number, post.author, reading, line.text.strip())
                    for reading in dict.fromkeys(bold or readings(line.text))
                )
            text = live_text(post, html_style)
            if text and not words:
                words = [SignupLine(post.number, post.author, NoWord.NOTHING, text)]
            found.extend(words)
    return tuple(found)


def live_lines(post: Post, html_style: HtmlStyle) -> tuple[Line, ...]:
    """The lines of a post that its author says: no quotes, spoilers, struck words or signatures."""
    lines = lines_of(parse_html(post.body, html_style))
    return tuple(line for line in lines if line.region is Region.LIVE)


def live_text(post: Post, html_style: HtmlStyle) -> str:
    """All that its author says in a post, in one line."""
    said = (line.text.strip() for line in live_lines(post, html_style))
    return " / ".join(text for text in said if text)


def signups(said: Iterable[SignupLine]) -> Signups:
    """The lists that follow from what was said."""
    people: dict[str, _Person] = {}
    for place, one in enumerate(said):
        person = people.setdefault(one.author.casefold(), _Person(one.author))
        person.add(one, place)
    listed = sorted(people.values(), key=lambda person: person.place)
    unclear = sorted((one for person in listed for one in person.unclear), key=lambda one: one.post)

    def those(word: Intent) -> tuple[Signup, ...]:
        return tuple(person.signed(word) for person in listed if person.word is word)

    return Signups(
        those(Intent.IN),
        those(Intent.SUB),
        those(Intent.SPEC),
        those(Intent.OUT),
        tuple(unclear),
    )
