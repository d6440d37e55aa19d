"""Players and renamed accounts as the thread itself tells them.

`listed_players` reads the list of an opening post (numbered, bulleted, a table, a name a line under a
heading, names in a row), `renamed_accounts` infers who posts under another name than listed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum

from knightfall.markup.nodes import Nodes
from knightfall.models import Holder, Roster, Slot
from knightfall.names import Names, fold, slips, squash
from knightfall.reading.clauses import clauses
from knightfall.reading.lexicon import ENGLISH, LETTERS, parted, says_role, tag_of
from knightfall.reading.statements import shape
from knightfall.votes.ballots import PostBallots, Region
from knightfall.votes.lines import Line, lines_of, without_raw_tags

FEWEST = 3
"""A list of fewer names is no player list."""

# ---- The player list


@dataclass(frozen=True, slots=True)
class Listed:
    """One entry of a player list: who holds the slot, whom they replaced (newest first), whether they live,
    and the day in or after which they died, where the list tells it; `written` is the name as it stands
    there, where the account of another begins it; `marked`: a number or a bullet stands before it."""

    name: str
    replaced: tuple[str, ...] = ()
    dead: bool = False
    day: int | None = None
    written: str = ""
    marked: bool = True

    @property
    def folded(self) -> frozenset[str]:
        """All names of the entry, folded."""
        return frozenset(fold(name) for name in (self.name, *self.replaced))

    def dead_on(self, day: int, latest: bool) -> bool:
        """Whether they are dead when that day begins. A list without days tells only about the latest one."""
        if self.day is not None:
            return self.day < day
        return self.dead and latest


def listed_players(opening: Nodes, authors: Set[str]) -> tuple[Listed, ...]:
    """The player list of an opening post, or nothing. `authors` are the thread's posters: lists in which at
    least half of the names are theirs are the players' (the living and the dead may stand apart). Few may
    have posted yet: a list of as many as the post says are playing is theirs where half of those have."""
    known = _accounts(authors)

    lines = [one for one in lines_of(opening, asides=True, rows=True) if one.region is not Region.SIGNATURE]
    sizes = frozenset(_players_said(lines))
    runs = [*_lists(lines, known)]
    if any(len(run) >= FEWEST for run in runs):
        runs = [run for run in runs if not _is_stray(run)]
    slots = _slots(runs, known, sizes, len(authors))
    return slots or _slots(_rows(lines, known), known, sizes, len(authors))


def _is_stray(run: Sequence[Listed]) -> bool:
    """Whether a run is a line by itself that begins with a name: a sentence."""
    return len(run) == 1 and not (run[0].marked or run[0].dead or run[0].replaced)


# “12 players”, and the heading “Players (12)”.
_SIZE_SAID = re.compile(
    r"\b(?P<before>\d{1,2}) players\b|\b(?:players?|living|alive)\b[^\d\n]{0,12}\((?P<behind>\d{1,2})\)",
    re.IGNORECASE,
)


def _players_said(lines: Iterable[Line]) -> Iterator[int]:
    """How many play, by all that the lines say of it."""
    for line in lines:
        yield from (int(found["before"] or found["behind"]) for found in _SIZE_SAID.finditer(line.text))


def _slots(
    runs: Iterable[Sequence[Listed]], known: Mapping[str, str], sizes: Set[int], authors: int
) -> tuple[Listed, ...]:
    """The entries of those lists in which at least half of the names are posters', or which have one of these
    sizes and at least half of the `authors`, one a slot; nothing where they are fewer than `FEWEST`."""
    slots: list[Listed] = []
    places: dict[str, int] = {}
    for run in runs:
        entries = _as_written(_with_leavers(run, known))
        known_ones = [
            entry
            for entry in entries
            if entry.marked or not entry.folded.isdisjoint(known) or entry.day is not None
        ]
        others = [entry for entry in entries if entry not in known_ones]
        names = len(others) < len(known_ones) and all(_may_be_name(entry.name) for entry in others)
        if 2 * len(known_ones) > len(entries) and not names:
            entries = tuple(known_ones)  # lines between the names of a list without marks
        posted = sum(not entry.folded.isdisjoint(known) for entry in entries)
        counted = len(entries) in sizes and all(_is_short(entry.name) for entry in entries)
        if 2 * posted < len(entries) and not (counted and posted and 2 * posted >= authors):
            continue
        # What later lists say of a slot (that it is dead, whom it replaced) is added to it.
        for entry in entries:
            place = min((places[name] for name in entry.folded if name in places), default=len(slots))
            places.update({name: place for name in entry.folded if name not in places})
            if place == len(slots):
                slots.append(entry)
                continue
            # The newest holder is who is told to have replaced others; else who was listed first.
            slot = slots[place]
            newest = entry if fold(slot.name) in {fold(name) for name in entry.replaced} else slot
            older = dict.fromkeys((*slot.replaced, *entry.replaced, slot.name, entry.name))
            replaced = tuple(name for name in older if fold(name) != fold(newest.name))
            slots[place] = Listed(newest.name, replaced, slot.dead or entry.dead, slot.day or entry.day)
    return tuple(slots) if len(slots) >= FEWEST else ()


def _may_be_name(text: str) -> bool:
    """Whether a line among names may be one more: two words at most, no role and no sentence."""
    words = text.split()
    return len(words) <= 2 and not text[:1].islower() and not any(map(says_role, words))


def _is_short(name: str) -> bool:
    """Whether a text is as short as names are."""
    return len(name) <= _LONGEST_NAME and len(name.split()) <= _MOST_WORDS


def _accounts(authors: Iterable[str]) -> dict[str, str]:
    """The accounts by their names, folded; and by these without blanks and signs, where that is one alone."""
    squashed: dict[str, list[str]] = {}
    for author in authors:
        squashed.setdefault(squash(author), []).append(author)
    alone = {key: found[0] for key, found in squashed.items() if len(found) == 1}
    return {**alone, **{fold(author): author for author in authors}}


def _as_written(run: Sequence[Listed]) -> tuple[Listed, ...]:
    """The entries of a list; of two for one account the one with more words is somebody else, who may not
    have posted: “Fern” and “Fern Marie”."""
    bare = {fold(entry.name) for entry in run if not entry.written}
    return tuple(
        replace(entry, name=entry.written) if entry.written and fold(entry.name) in bare else entry
        for entry in run
    )


def _with_leavers(run: Sequence[Listed], known: Mapping[str, str]) -> tuple[Listed, ...]:
    """The entries of a list; one that ends with the account of nobody else in it tells whom somebody
    replaced: “Zed Boro”, where Boro posts."""
    listed = {name for entry in run for name in entry.folded}
    found: list[Listed] = []
    for entry in run:
        words = (entry.written or entry.name).split()[: 2 * _MOST_WORDS]
        for place in range(1, len(words)):
            name = " ".join(words[:place])
            leaver = known.get(fold(" ".join(words[place:])))
            if leaver is None or fold(leaver) in listed:
                continue
            if fold(entry.name) not in known or squash(entry.name) == squash(name):
                newcomer = known.get(squash(name), name)
                entry = replace(entry, name=newcomer, replaced=(leaver, *entry.replaced), written="")
                break
        found.append(entry)
    return tuple(found)


# “You are nine neighbours: Ada, Boro and Cinder.”
_ROW = re.compile(r"(?:^|:\s?)(?P<names>[^.!?:]+)")
FEWEST_IN_A_ROW = 5


def _rows(lines: Sequence[Line], known: Mapping[str, str]) -> Iterator[tuple[Listed, ...]]:
    """Names in a row behind a colon or on a line, most of which are those of posters."""
    for line in lines:
        for found in _ROW.finditer(line.text[:LONGEST_ROW]):
            names = [name for name in _BETWEEN.split(found["names"].strip()) if name]
            posters = [known.get(fold(name)) or known.get(squash(name)) for name in names]
            short = len(names) >= FEWEST_IN_A_ROW and max(map(len, names)) <= _LONGEST_NAME
            if short and 2 * sum(map(bool, posters)) >= len(names):
                yield tuple(Listed(poster or name) for poster, name in zip(posters, names, strict=True))


LONGEST_ROW = 2_000
"""Letters of a line in which a row of names is looked for."""


# “Players: Ada, Boro, Cinder.” with whatever follows.
_IN_A_ROW = re.compile(
    r"^\W*(?:\w+ )?(?:players?|living|alive|player\s?list|roster)\b[^:,.]{0,20}: ?(?P<names>[^.!?\n]+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,\s*(?:and\b|und\b)?|;|\band\b|\bund\b|\by\b|&)\s*", re.IGNORECASE)
_LONGEST_NAME = 40
_MOST_WORDS = 4


def claimed_players(opening: Nodes) -> tuple[tuple[str, ...], ...]:
    """Every list of an opening post that may be one of players, whoever has posted: marked entries, names
    under a heading, names with commas between them behind one. Nothing of it is sure."""
    lines = lines_of(opening, asides=True, rows=True)
    found = [tuple(entry.name for entry in run if not entry.dead) for run in _lists(lines, {})]
    for line in lines:
        for sentence in re.split(r"(?<=[.!?]) ", line.text):
            if (row := _IN_A_ROW.match(sentence)) is not None:
                found.append(tuple(name for name in _BETWEEN.split(row["names"].strip()) if name))
    names = (tuple(dict.fromkeys(run)) for run in found)
    return tuple(run for run in names if len(run) >= FEWEST and max(map(len, run)) <= _LONGEST_NAME)


# What marks an entry: “1. Ada”, “#2) Boro”, “3: Fen”; and “• Ada”, “- Boro”, “[*]Elm” where the board leaves
# its tags as text. Not “*Elm*”: it is stressed.
_NUMBERED = re.compile(r"^\s*#?(\d{1,2})\s*[.):\]–-]\s*")
_BULLET = re.compile(r"^\s*(?!(\*{1,3})[^\s*](?:[^*]*[^\s*])?\1\s*$)(?:[•*·‣▪◦–—+-]|\[\*\])\s*(?=\S)")
# A heading of players, “Players (9)”, “Still alive”, and one of the dead, “Graveyard”.
_HEADING = re.compile(
    r"\b(?:players?|living|alive|player\s?list|roster|signed[\s-]up|participants|cast)\b", re.IGNORECASE
)
_DEAD_HEADING = re.compile(
    r"\b(?:dead|deceased|killed|lynched|eliminated|graveyard|fallen|ghosts?)\b", re.IGNORECASE
)
_ALIVE = re.compile(r"\b(?:alive|living)\b", re.IGNORECASE)
# What an entry says of a death, “Ada, Vanilla Townie, lynched Day 2”, and when it was: “D2”, “night 1”.
_DEAD = re.compile(
    r"\b(?:dead|died|killed|lynched|eliminated|executed|mod-?killed|murdered|shot|endgamed)\b", re.IGNORECASE
)
# Words around a list that are no name in it: “= prod”, “[x] 2 prods”, “Day 2”, “End of Night 1”, “Votecount”,
# “Spoiler: roles”.
_NO_NAME = re.compile(
    r"[=\[<]|\w+\s+(?:a\s+)?prods?\b|(?:(?:end|start)\s+of\s+)?(?:day|night|game|votecounts?|vc"
    r"|vc\s?\d|survived|final|etc|spoilers?|events?|rules?|links?|notes?|roles?|setup|deadlines?|timeline|schedule)\b",
    re.IGNORECASE,
)
ROLE = (
    r"(?:town|townie|vanilla|villager|mafia|goon|scum|wolf|werewolf|doctor|cop|detective|vigilante"
    r"|serial\skiller)"
)
# What an entry tells where a name may stand: “Ada the Townie was lynched Day 1”, “Ada was a Vanilla Townie”.
_NO_HOLDER = re.compile(rf"(?:a|an|the|our)\s|{_DEAD.pattern}|{_NO_NAME.pattern}|.*\b{ROLE}\b", re.IGNORECASE)


class _Mark(Enum):
    """What stands before an entry."""

    NUMBER = 1
    BULLET = 2
    NONE = 3


def _lists(lines: Sequence[Line], known: Mapping[str, str]) -> Iterator[tuple[Listed, ...]]:
    """Runs of entries marked alike, each with the heading above it: a list of the dead lists dead."""
    run: list[Listed] = []
    heading, style = "", None
    for line in lines:
        if line.region is Region.STRUCK:  # told again by the line that it stands in
            continue
        line, dead = _without_smileys(line)
        said = f"{line.text} {line.struck}".strip()
        if _NUMBERED.match(said):
            mark = _Mark.NUMBER
        elif line.item or _BULLET.match(said):
            mark = _Mark.BULLET
        else:
            mark = _Mark.NONE

        # A name alone on its line is an entry under a heading of players only.
        headed = style in (None, _Mark.NONE) and bool(_HEADING.search(heading))
        plain = headed and len(said) <= 60 and not said.endswith((":", ".", "!", "?"))
        entry = _entry(line, known, marked=mark is not _Mark.NONE or plain)

        if run and mark is _Mark.BULLET and style is _Mark.NUMBER and entry and fold(entry.name) in known:
            # “3. Boro”, and below it “ - Ada”: who has the seat now.
            held = (*run[-1].replaced, run[-1].name)
            run[-1] = replace(run[-1], name=entry.name, replaced=held, dead=run[-1].dead or entry.dead)
            continue
        if run and entry is None and (told := _goes_on(said)) is not None:
            run[-1] = replace(run[-1], dead=True, day=told or run[-1].day)
            continue
        if run and (entry is None or mark is not style):
            yield tuple(run)
            run = []
        if entry is None:
            heading, style = said or heading, None
            continue
        if dead:
            entry = replace(entry, dead=True)
        if _is_of_dead(heading):
            entry = replace(entry, dead=True, day=_died_on(said) or entry.day)
        run.append(replace(entry, marked=mark is not _Mark.NONE))
        style = mark
    if run:
        yield tuple(run)


_SMILEYS = re.compile(r"^\s*(?::(?P<word>[a-z]\w{1,19}):\s*)+", re.IGNORECASE)


def _without_smileys(line: Line) -> tuple[Line, bool]:
    """A line without the smileys before it and without tags that the board left as text, and whether one of
    these is of the dead: “:dead: 3. Ada”."""
    text = without_raw_tags([line.text])[0]  # “[b]ob” is a name
    found = _SMILEYS.match(text)
    word = tag_of(parted(found["word"]), 0, ENGLISH) if found else None
    bare = line._replace(text=text[found.end() :] if found else text)
    return bare, word is not None and word[0] == LETTERS["dead"]


# “lynched Day 2”, “, was killed Night 1.” on the line below the name.
_GOES_ON = shape(r"^[,(:-]?(?:<be>|<was>|<adverb>)*(?:<dead>|<out>)(?:[A~tw,]{0,2}(?:<day>|<night>)#)?")


def _goes_on(said: str) -> int | None:
    """The day (0: none) of a death that a line tells of the entry above it; None where it tells none."""
    for clause in clauses(said[:LONGEST], _NO_NAMES)[:1]:
        if _GOES_ON.match(clause.tags) and len(clause.tags) < 12:
            died = _died_on(said)
            if died is not None or not said[:1].isalnum():
                return died or 0
    return None


def _died_on(said: str) -> int | None:
    """The day or night that an entry names: “D2”, “Night One”; of several that behind the death, “replaced
    Boro Day 1, lynched Day 3”."""
    days: list[int] = []
    died = False
    for clause in clauses(said[:LONGEST], _NO_NAMES):
        for found in _DAY_OR_DEATH.finditer(clause.tags):
            if found["n"] is None:
                died = True
                continue
            days.append(clause.tokens[found.start("n")].value)
            if died:
                return days[-1]
    return days[0] if days else None


_DAY_OR_DEATH = shape(r"(?:<day>|<night>)(?P<n>#)|<dead>|<out>")


def _tells_death(said: str) -> bool:
    """Whether an entry tells a death: not “1-Shot Vigilante”."""
    tags = "".join(clause.tags for clause in clauses(said[:LONGEST], _NO_NAMES))
    return LETTERS["dead"] in tags or LETTERS["out"] in tags


def _is_of_dead(heading: str) -> bool:
    """Whether a heading is one of the dead: not “9 players are alive. Whoever has the most votes is
    eliminated.”"""
    dead, alive = _DEAD_HEADING.search(heading), _ALIVE.search(heading)
    return dead is not None and not (alive and alive.start() < dead.start())


def _entry(line: Line, known: Mapping[str, str], marked: bool) -> Listed | None:
    """What a line of a player list tells; None where it is none. It is one if it is marked as an entry or
    begins with a poster."""
    # A struck name is dead; beside a name that stands it is whom that one replaced.
    stands, struck = (_BULLET.sub("", _NUMBERED.sub("", said)).strip() for said in (line.text, line.struck))
    if stands.startswith(("(", "[killed", "–", "-")):
        stands = ""
    if struck and _begins_with_role(stands):
        stands = ""  # “<s>Ada</s> Vanilla Townie”: what the dead one was
    if stands.count("|") > 1:
        return None  # links to what happened: “Day 1 | Day 2 | Ada -> Boro”
    name = _name(stands or struck, known)
    replaced = _replacement(stands)
    came_for = replaced is not None and fold(_name(replaced[1], known)) in known
    if fold(name) not in known:
        if len(name.split()) > _MOST_WORDS + 1 or fold(name).rstrip(".!") in _NOBODY:
            return None
        dated = _died_on(name) is not None
        around = dated or _HEADING.search(name) or _DEAD_HEADING.search(name) or _NO_NAME.match(name)
        if (dated or _NO_NAME.match(name)) if came_for else not marked or not name or around:
            return None

    said = line.text if stands else f"{line.text} {line.struck}".strip()
    day = _died_on(said)
    # In words of a story, “Ada, Town Cop, cooked Night 2”: a role and a day.
    shown = day is not None and replaced is None and says_role(said.partition(name)[2])
    dead = not stands or shown or _tells_death(said)

    # Who held the slot before: “A replaced B”, or B struck out before A.
    if replaced is not None:
        held = (_earlier_name(part) for part in _CHAINED.split(replaced[1]))
        found = [_name(part, known) for part in held if fold(part) in known or _may_have_held(part)]
    else:
        parts = reversed(struck.split(", ")) if stands and struck else ()
        found = [_name(_earlier_name(part), known) for part in parts]
    named = (one for one in found if fold(one) in known or _may_have_held(one))
    older = tuple(one for one in named if one and fold(one) != fold(name))
    written = "" if replaced else _without_note((stands or struck).removeprefix("@"))
    written = written if fold(name) in known and squash(written) != squash(name) else ""
    return Listed(name, older, dead, day if dead else None, written)


def _begins_with_role(said: str) -> bool:
    """Whether a text begins with a role: “2-shot Tracker”."""
    first = next(iter(clauses(said, _NO_NAMES)), None)
    return first is not None and first.tags.lstrip("#-").startswith(LETTERS["role"])


def _may_have_held(said: str) -> bool:
    """Whether a text that is no account's may be the name of who had a seat before."""
    return not (_NO_HOLDER.match(said) or _died_on(said) is not None or _tells_death(said))


def _earlier_name(struck: str) -> str:
    """The name of who held a seat before, of a struck text such as “rep. Boro D1” or “Boro pre-game”."""
    return _UNTIL.sub("", _IS_FOR.sub("", struck))


_IS_FOR = re.compile(
    r"^\W*(?:rep\.|repl\.|replac(?:es|ed|ing)|replacement (?:for|of)|formerly)\s+", re.IGNORECASE
)
_UNTIL = re.compile(r"\s+(?:\(?(?:d|day|n|night)\s?#?\d{1,2}\)?|pre-?game)$", re.IGNORECASE)

LONGEST = 300
"""Letters of an entry that are looked at."""
# In what follows every run of blanks is one already, so that no entry can be read in many ways.
# “Ada replaces Boro”, “Ada (formerly Boro)”, “Ada, replaced Boro”, “Ada subs for Boro”: new, then old.
_REPLACED = re.compile(
    r"^(?P<new>.+?) ?(?P<sign>[,(\[–-]{0,3}) ?\b"
    r"(?P<how>replac(?:es|ed|ing)|rep\.|replacement (?:for|of)|formerly|was|prev\.?|subs? for)\b"
    r" ?:? ?(?P<old>.+?) ?[)\]]{0,3}$",
    re.IGNORECASE,
)
# “Boro, replaced by Ada”, “Boro (repl. by Ada)”, “Boro -> Ada”, “Boro ➔ Ada”: old, then new.
_REPLACED_BY = re.compile(
    r"^(?P<old>.+?) ?[,(\[–-]{0,3} ?"
    r"(?:\brepl(?:aced|\.)? by\b|[➙→➔➜]|[-=]{1,9}>) ?:? ?(?P<new>.+?) ?[)\]]{0,3}$",
    re.IGNORECASE,
)
# Between several who held the slot before: “Boro, Cinder”, “Boro who replaced Cinder”.
_CHAINED = re.compile(r"\s*(?:,|\breplac(?:ed|ing)\b|\bwho\b)\s*", re.IGNORECASE)
# What follows a name in an entry: “Ada - Vanilla Townie”, “Ada, Mafia”, “Ada (prodded)”, “Ada the town cop”.
# Not “Ada-Lou”.
_NOTE = re.compile(
    r"\s+[-–—|:]\s.*$|\s*[,;:]\s.*$|(?<=\S)\s+[(\[{].*$|\s+[-–—]+>.*$"
    rf"|(?<=\S)\s+the\s+(?:\w+\s+){{0,3}}?{ROLE}\b.*$",
    re.IGNORECASE,
)
_SIGNS = ",;:*⋆★†()[]-–—"


def _replacement(said: str) -> tuple[str, str] | None:
    """(who came, who left) of “A replaced B”, “B replaced by A” or “A -> B” read as B after A."""
    line = " ".join(said[:LONGEST].split())
    if found := _REPLACED_BY.match(line):
        return found["new"], found["old"]
    found = _REPLACED.match(line)
    if found is None or (found["how"].lower() == "was" and not _may_have_held(found["old"])):
        return None  # “Ada was cooked Night 1”
    if found["sign"].endswith(("(", "[")):
        return found["new"], re.split(r"[)\]]", found["old"])[0]
    first, *others = found["new"].split(", ")
    if others and not _may_have_held(first):  # one of many events in a row
        return others[-1], found["old"].partition(",")[0]
    return found["new"], found["old"]


def _name(said: str, known: Mapping[str, str]) -> str:
    """The name that an entry tells: who came where it tells of a replacement, else the longest poster's name
    that it begins with, else what stands before a note."""
    bare = said.removeprefix("@").strip()
    replaced = _replacement(bare)
    if replaced is not None and fold(bare) not in known:
        bare = replaced[0].strip()
    words = bare.split()[:6]
    for size in range(len(words), 0, -1):
        start = fold(" ".join(words[:size]))
        author = known.get(start) or known.get(start.rstrip(_SIGNS)) or known.get(squash(start))
        if author:
            return author
    name = _without_note(bare)
    for part in reversed(name.split("/")):
        if fold(part.strip()) in known:
            return known[fold(part.strip())]
    begun = {
        author for key, author in known.items() if len(fold(name)) >= SHORTEST and key.startswith(fold(name))
    }
    return begun.pop() if len(begun) == 1 else name


SHORTEST = 4
"""Letters of the beginning of an account that stands for it in a list."""


def _before_sign(said: str) -> str:
    """What stands before a note that a sign parts from the name."""
    return _NOTE.sub("", " ".join(said[:LONGEST].split())).strip(" \t,;:*⋆★†")


def _without_note(said: str) -> str:
    """What stands before a note in an entry: a sign, or a word of the game behind the name. Nothing of a
    sentence that begins with no name: “marks a prod”."""
    bare = _before_sign(said)
    first = next(iter(clauses(bare, _NO_NAMES)), None)
    note = said[len(bare) :]
    if first is None or says_role(note) or _tells_death(note):
        return bare  # all that is told stands behind the sign
    behind = (
        place
        for place, one in enumerate(first.tokens)
        if place and one.letter in _BEHIND_A_NAME and first.text[one.start - 1].isspace()
    )
    place = next(behind, None)
    if place is None:
        return bare
    told = first.tokens[place]
    if not any(LETTERS[tag] in first.tags[place:] for tag in _TOLD_BEHIND):
        return bare if told.text[:1].isupper() else ""  # “Ada The Third”
    return first.text[: told.start].strip(" \t,;:*⋆★†-–—(") or bare


_NO_NAMES = Names(())
_NOBODY = frozenset(("nobody", "none", "none yet", "no one", "empty", "tbd"))
_BEHIND_A_NAME = frozenset(
    LETTERS[tag]
    for tag in ("article", "role", "be", "was", "dead", "out", "replaces", "replaced_by", "flips")
)
_TOLD_BEHIND = ("role", "dead", "out", "replaces", "replaced_by", "flips")


# ---- Accounts that were renamed


@dataclass(frozen=True, slots=True)
class Renamed:
    """`author` is taken for the holder of `slot` who is listed as `listed`."""

    slot: Slot
    author: str
    listed: str

    def applied(self, roster: Roster) -> Roster:
        """The roster with the account as one more holder, for as long as who is listed: that name stays."""
        known = roster.slot_of(self.listed)
        if known is None:
            return roster
        place = max(n for n, holder in enumerate(known.holders) if holder.name == self.listed)
        account = Holder(self.author, known.holders[place].from_post)
        held = (*known.holders[:place], account, *known.holders[place:])
        return Roster(tuple(replace(s, holders=held) if s is known else s for s in roster.slots))


def renamed_accounts(
    roster: Roster, authors: Set[str], ballots: Iterable[PostBallots], moderators: frozenset[str]
) -> tuple[Renamed, ...]:
    """Every inference that can be made without a second candidate on either side."""
    posting = frozenset(author.casefold() for author in authors)
    barred = frozenset(name.casefold() for name in moderators)
    votes = Counter(post.author for post in ballots)
    strangers = [a for a in votes if roster.slot_of(a) is None and a.casefold() not in barred]
    unused = [
        (slot, holder.name)
        for slot in roster.slots
        for holder in slot.holders
        if holder.name.casefold() not in posting
    ]

    # Each stranger whose name is near one that nobody uses; both without a second candidate.
    near = [(slot, name, author) for slot, name in unused for author in strangers if _alike(name, author)]
    found = [
        Renamed(slot, author, name)
        for slot, name, author in near
        if sum(other is slot or stranger == author for other, _, stranger in near) == 1
    ]

    # Of the rest, one who is listed and never posts and one who votes more than once are the same: a slot
    # none of whose holders posts, else a holder of a slot with others.
    known = {one.author for one in found}
    regular = [author for author in strangers if votes[author] > 1 and author not in known]
    left = [(slot, name) for slot, name in unused if all(one.listed != name for one in found)]
    silent = [(slot, name) for slot, name in left if _silent(slot, posting) and name == slot.name]
    listed = silent or left
    if len(listed) == len(regular) == 1:
        found.append(Renamed(listed[0][0], regular[0], listed[0][1]))
    return tuple(found)


def _silent(slot: Slot, posting: frozenset[str]) -> bool:
    return not any(name.casefold() in posting for name in slot.names)


def _alike(name: str, author: str) -> bool:
    """At most a slip of the pen apart, or one the other with a number or a letter more."""
    one, other = squash(name), squash(author)
    allowed = 1 if min(len(one), len(other)) < 5 else 2
    return slips(one, other) <= allowed
