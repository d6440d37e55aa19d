"""Who died by the words of a moderator's post: by sentences, by short forms of names, by what is revealed.

`dead_by` tells of a whole post, by whole names alone. The others tell of a line, and how sure they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from knightfall.models import Slot
from knightfall.names import NAME_AT_START, Matched, Names, fold

OUT = r"(?:lynched|eliminated|executed|hanged|hung|voted\sout)"
DEATH = re.compile(
    rf"\b(?:{OUT}|killed|murdered|shot|stabbed|died|dies|dead|mod-?killed|night-?killed|endgamed)\b",
    re.IGNORECASE,
)
SENTENCES = re.compile(r"(?<=[.!])\s+")
CLAUSES = re.compile(r"(?<=[.!?;])\s+")
"""Parts a text at semicolons and questions, too."""

# ---- A whole post

_SLAIN = (
    rf"(?:{OUT}|mod-?killed|night-?killed|killed|murdered|shot|stabbed|dead|slain|slaughtered|eaten|devoured|strangled"
    r"|poisoned|drowned|assassinated|butchered|stung|removed(?=\sfrom\s(?:the|this)\sgame\b)|no\slonger\sin\s(?:the|this)\sgame|found(?!\s(?:out|the|a|an|that|it)\b)|erschlagen|ermordet|getötet"
    r"|gestorben|gehängt|aufgehängt|tot|muert[oa]|asesinad[oa]|linchad[oa])"
)
# What may stand between a name and how they died: “the Vanilla Town”, “, Town Doctor,”, “ (Town)”.
_APPOSED = r"(?:\s+(?:the|a|an|our|your)\s[^.,;:!?]{1,50}?|,\s[^.;:!?]{1,60}?,|\s*\([^()]{1,60}\)){0,2}"
_SUFFERS = re.compile(
    rf"{_APPOSED},?\s+(?:has|have|had|was|were|is|are|got|lies|lay|liegt|lag|wird|wurde|ist|fue|ha|está)\s"
    rf"(?P<between>(?:\w+\s){{0,3}}?){_SLAIN}\b",
    re.IGNORECASE,
)
ROLE = (
    r"(?:town|townie|townsperson|vanilla|villager|mafia|mafioso|goon|scum|wolf|werewolf|doctor|cop|detective|vigilante"
    r"|roleblocker|tracker|watcher|jailkeeper|mason|serial\skiller|survivor|jester|neutral|third[\s-]party|cult(?:ist)?"
    r"|bodyguard|godfather|bürger|wölfe?|werwolf|aldean[oa]|lobo)"
)
# “Ada, Vanilla Townie”, “Ada (Town Cop)”, “Ada - Mafia Goon”.
_IS_ROLE = re.compile(rf"\s?[,:(–—-]\s?[^,.;:!?]{{0,40}}?\b{ROLE}\b", re.IGNORECASE)
# “Ada, Citizen, was thrown from the tower Night 2”: whatever happened, and when.
_DATED = re.compile(r",\s[^.;:!?]{2,80}?\b(?:night|day|n|d)\s?\d{1,2}\b", re.IGNORECASE)
# “Ada was a Vanilla Townie”, “Ada, who was the Doctor”.
_WAS = re.compile(
    r",?\s(?:who\s)?(?:was|war|era)\s(?:indeed\s|also\s|really\s|in\sfact\s)?(?:an?|the|our|your|one\sof|ein|eine|der|die|un|una)\s"
    r"(?!(?:last|first|only|hammer|little|bit|good|great|\w+\sto\b))(?P<what>[^.;!?]{2,60})",
    re.IGNORECASE,
)
# “He was the Almoner”, behind the name of one player.
_THEY_WERE = re.compile(
    r"^\W*(?:he|she|they|it|er|sie)\s(?:was|were|war)\s(?:indeed\s)?(?:an?|the|our|one\sof|ein|eine|der|die)\s(?P<what>[^.;!?]{2,60})",
    re.IGNORECASE,
)
# “…, he died at night”, “… and she was killed”, in the sentence that names one player.
_THEY_DIED = re.compile(
    r"\b(?:he|she|they|er|sie)\s(?:has\s|have\s|was\s|were\s|wurde\s|ist\s)?(?:been\s|also\s|sadly\s)?"
    r"(?:died|killed|murdered|shot|stabbed|slain|modkilled|gestorben|ermordet|getötet)\b",
    re.IGNORECASE,
)
# “I have removed Ada from the game.”
_REMOVED = re.compile(r"\bremoved\s(?P<who>[^.;:!?]{1,60}?)\sfrom\s(?:the|this)\sgame\b", re.IGNORECASE)
_ROLE_SAID = re.compile(rf"\b{ROLE}\b", re.IGNORECASE)
MOST_WORDS = 5
"""Words of a name at most."""


def dead_by(lines: Sequence[str], names: Names, turns: bool) -> frozenset[str]:
    """The slots of whom these lines of a post tell that they died, by whole names. `turns`: the post ends or
    opens a day, so that whoever is said to have been something is shown dead, whatever that is."""
    return frozenset(slot for line in lines for slot in _dead_in(line, names, turns))


def _dead_in(line: str, names: Names, turns: bool) -> Iterator[str]:
    named: dict[str, None] = {}
    for sentence in CLAUSES.split(line):
        theirs = _THEY_WERE.match(sentence)
        if theirs and len(named) == 1 and (turns or _ROLE_SAID.search(theirs["what"])):
            yield from named
        here = list(named_in(sentence, names))
        if removed := _REMOVED.search(sentence):
            who = names.whole(without_earlier(removed["who"].strip(" *")))
            if who is not None and not _NOT_SUFFERED.search(sentence[: removed.start()]):
                yield who.name
        died = _THEY_DIED.search(sentence, here[0][0]) if len(here) == 1 else None
        if died and not _NOT_SUFFERED.search(died[0]):
            yield here[0][1].name
        for end, slot in here:
            named[slot.name] = None
            suffers = _SUFFERS.match(sentence, end)
            if suffers and not _NOT_SUFFERED.search(sentence[end : suffers.end()]):
                yield slot.name
            elif was := _WAS.match(sentence, end):
                if turns or _ROLE_SAID.search(was["what"]):
                    yield slot.name
            else:
                signs = bool(_IS_ROLE.match(sentence, end)) + bool(_DATED.match(sentence, end))
                if signs + turns > 1:
                    yield slot.name


def without_earlier(name: str) -> str:
    """A name without who had the seat before: “Ada (was Boro)”."""
    return _EARLIER.sub("", name)


_EARLIER = re.compile(r"\s?\((?:was|formerly|ex)\s[^()]{1,60}\)$", re.IGNORECASE)
_WORD = re.compile(r"[^\s,.;:!?()\[\]]+(?:\.(?=\w)[^\s,.;:!?()\[\]]+)*")


def named_in(sentence: str, names: Names) -> Iterator[tuple[int, Slot]]:
    """Who is named in a sentence by a whole name, in order, each with where it ends; the longest first."""
    parts = [(found.start(), found.end()) for found in _WORD.finditer(sentence)]
    place = 0
    while place < len(parts):
        if not names.may_begin(sentence[slice(*parts[place])]):
            place += 1
            continue
        for size in range(min(MOST_WORDS, len(parts) - place), 0, -1):
            start, end = parts[place][0], parts[place + size - 1][1]
            written = sentence[start:end]
            slot = names.whole(written)
            if slot is not None and fold(written) not in _NO_SUBJECT:
                yield end, slot
                place += size - 1
                break
        place += 1


# ---- A line

# The head of a wagon, “Boro (4): ”, “Boro - 4 (”: whoever is named behind it has voted.
_ROW = re.compile(r"[(\[–-]\s*\d{1,2}\s*(?:/\s*\d{1,2}\s*)?[)\](:]")


def tells_death_of(name: str, line: str, alone: bool) -> bool:
    """Whether a line tells that this player died: the name near its beginning, the death behind it; `alone`:
    and the line is no list."""
    written, said = fold(name), fold(line)
    place = said.find(written) if len(written) > 1 else -1
    if not 0 <= place < 30:
        return False
    before, after = said[:place], said[place + len(written) :]
    if before[-1:].isalnum() or after[:1].isalnum() or _ROW.search(before):
        return False
    if alone and ("," in before or len(after) > 160 or after[:8].strip(" -–—:([")[:1].isdigit()):
        return False
    death = DEATH.search(after[:90])
    return death is not None and not _NOBODY.search(after[: death.start()])


def surely_tells_death_of(name: str, line: str) -> bool:
    """Whether a line tells of this player alone that they died: not that they killed somebody, nor that they
    may die."""
    if not tells_death_of(name, line, alone=True):
        return False
    said = fold(_SHOTS.sub("", line))
    behind = CLAUSES.split(said[said.find(fold(name)) + len(fold(name)) :], maxsplit=1)[0]
    death = DEATH.search(behind)
    if death is None:
        return False
    between = behind[: death.start()]
    suffered = _SUFFERED.search(between) or death[0].startswith(("die", "dead"))
    return bool(suffered) and not _NOT_SUFFERED.search(between)


# “Ada and Boro were tied, so nobody is eliminated.”
_NOBODY = re.compile(r"\b(?:nobody|no[\s-]?one)\b", re.IGNORECASE)
_SUBJECT_ENDS = re.compile(
    r"[,(:–—]|\s-\s|\b(?:the|is|are|was|were|has|have|had|got|both|also|sadly)\b", re.IGNORECASE
)
_AND = re.compile(r"\s(?:and|&)\s|\s?&\s?", re.IGNORECASE)
# Between a name and its death: “has been”, “, Townie,”; not “is about to be”, “was not”.
_SUFFERED = re.compile(r"[,(–—]|\s-\s|\b(?:is|are|was|were|has|have|had|got|turned\sup)\b", re.IGNORECASE)
_NOT_SUFFERED = re.compile(
    r"\b(?:not|never|to|may|might|will|would|can|could|should|if|almost|nearly|nobody|no[\s-]?one)\b|n['’]t\b|\?",
    re.IGNORECASE,
)
# A role, “2-shot Vigilante”, not a death.
_SHOTS = re.compile(r"\b(?:\d|one|two|three|multi)[-\s]?shot\b", re.IGNORECASE)
_NO_SUBJECT = frozenset(
    ("town", "mafia", "scum", "somebody", "someone", "nobody", "player", "players", "one", "two", "three")
)


def deaths_by_nickname(line: str, names: Names) -> tuple[Slot, ...]:
    """Who died by the sentences of a line that begin with short forms of their names: “Ada and kest have been
    shot.”; nobody by those that begin with other words."""
    dead: list[Slot] = []
    for sentence in SENTENCES.split(_SHOTS.sub("", line)):
        death = DEATH.search(sentence)
        if death is None:
            continue
        subject = _SUBJECT_ENDS.split(sentence[: death.start()], maxsplit=1)[0]
        between = sentence[len(subject) : death.start()]
        active = not _SUFFERED.search(between) and not death[0].lower().startswith(("die", "dead"))
        if active or _NOT_SUFFERED.search(between):
            continue
        written = _AND.split(subject.strip(" *•·.-–—|>["))
        meant = [names.surely(one) for one in written if len(fold(one)) > 2 and fold(one) not in _NO_SUBJECT]
        known = [one.slot for one in meant if isinstance(one, Matched) and one.rule != NAME_AT_START]
        dead += known if len(known) == len(written) else ()
    return tuple(dead)


# “Ada, Vanilla Townie”, “Boro - Town Cop”; not the wagon “Ada - 2 (Boro, Elm)”.
_FLIP = re.compile(r"^(?P<who>[^,:(\[]{2,40}?)(?:\s*[,:(\[]|\s+[-–—]\s|$)(?!\s*[(\[]?\s*\d)")


def flipped(line: str, names: Names) -> Slot | None:
    """Whom a line that is no wagon begins with, by a name that is sure; None where that is nobody."""
    found = _FLIP.match(line.strip(" *•·.-–—|>["))
    meant = names.surely(found["who"]) if found and len(fold(found["who"])) > 2 else None
    return meant.slot if isinstance(meant, Matched) and meant.rule != NAME_AT_START else None
