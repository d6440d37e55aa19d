"""Does a line of a sign-up thread say in, out, sub or spec, clearly, perhaps, or not at all?

Clear is a command (`/in`) or a clause that says nothing else (“in!”, “count me in, please”). A doubt in the
same clause, a question mark or a condition behind it makes either unclear. Prose that only holds the words
says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType

import regex


class Word(Enum):
    """What somebody says of himself; `CONFIRM` keeps what he said before."""

    IN = "in"
    OUT = "out"
    SUB = "sub"
    SPEC = "spec"
    CONFIRM = "confirm"


class Unclear(Enum):
    """It says something that a moderator has to read."""

    UNCLEAR = "unclear"


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORDS: Mapping[str, Word] = MappingProxyType(
    {
        **dict.fromkeys(("in", "pre-in", "prein", "join", "joining", "joined", "sign", "signing"), Word.IN),
        **dict.fromkeys(("signup", "sign-up"), Word.IN),
        **dict.fromkeys(("out", "unsign", "withdraw", "withdrawing", "drop", "dropping"), Word.OUT),
        **dict.fromkeys(("sub", "substitute", "backup", "back-up", "replacement", "reserve"), Word.SUB),
        **dict.fromkeys(("spec", "spectate", "spectating", "spectator"), Word.SPEC),
        **dict.fromkeys(("confirm", "confirmed", "confirming"), Word.CONFIRM),
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
"""The same where they are the whole line."""
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
_SPOKEN = _set(
    "you your who everyone everybody anyone anybody someone somebody people players he she they them "
    "type write post posted posting said says saying say pm must has have had"
)
_NAMES = "|".join(sorted(map(regex.escape, _WORDS), key=len, reverse=True))
_COMMAND = regex.compile(rf"(?<![\w/.:-])(?:[/!]|##)\s?((?:{_NAMES})(?:\s?/\s?(?:{_NAMES}))*)(?![\w/'-])")
_CLAUSE = regex.compile(r"[.,;:!…–—~|\n]+|(?<!\w)[(\[{]+|[)\]}]+(?!\w)|\s-+\s|-{2,}|\s(?=[/!]\w)")
_TOKEN = regex.compile(r"[\w'-]*\w|\?")
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

Reading = Word | Unclear


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
        tokens = (*_TOKEN.findall(_CLAUSE.split(f"{before} ")[-1]), *_TOKEN.findall(_first(after)))
        beside = {_WORDS[token] for token in tokens if token in _WORDS}
        sure = (
            len(words | beside) == 1
            and not any(token == "?" or token in _DOUBTS for token in tokens)
            and not _conditional(after)
        )
        # Whether the command is spoken about: “everybody who posts /in”.
        yield words.pop() if sure and not any(token in _SPOKEN for token in tokens) else Unclear.UNCLEAR


def _first(after: str) -> str:
    return _CLAUSE.split(after)[0]


def _conditional(after: str) -> bool:
    """Whether the clause behind takes it back: “/in, if there is room”."""
    rest = _CLAUSE.split(after, maxsplit=1)
    tokens = _TOKEN.findall(_first(rest[1].lstrip())) if len(rest) > 1 and not rest[0].strip() else []
    return bool(tokens) and (tokens[0] in _CONDITIONS or tokens == ["?"])


def _plain(text: str) -> Iterator[Reading]:
    """Words without a sign: the whole line, or clauses of it, say nothing else."""
    whole = _said(_TOKEN.findall(_CLAUSE.sub(" ", text)), _COURTESIES)
    if whole is not None:
        yield whole
        return
    clauses = [clause for clause in _CLAUSE.split(text) if clause and clause.strip()]
    for place, clause in enumerate(clauses if len(text) <= SHORT else clauses[:1]):
        said = _said(_TOKEN.findall(clause), _PRONOUNS)
        later = _TOKEN.findall(clauses[place + 1]) if place + 1 < len(clauses) else []
        if said is not None:
            yield Unclear.UNCLEAR if later and later[0] in _CONDITIONS else said


def _said(tokens: list[str], idle: frozenset[str]) -> Reading | None:
    """What words say that are idle, doubtful or of a sign-up and nothing else; up to a doubt behind the word
    it may be anything (“in if there is room”)."""
    words: list[Word] = []
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
