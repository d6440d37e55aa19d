"""Which role a moderator's lines show of somebody: “Ada, Town Cop, was hanged”, “Boro was a Mafia Goon”."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from knightfall.names import Names
from knightfall.votes.deaths_told import DEATH, ROLE, named_in

# Words of a role beside those that name it: “Town 1-Shot Even-Night Backup Cop”.
_MODIFIER = (
    r"(?:\d+|one|two|three|x|[ab]|shot|odd|even|night|day|non|consecutive|backup|deputy|macho|weak|lazy|novice|compulsive"
    r"|loyal|disloyal|strong[\s-]?willed|strongman|bulletproof|vengeful|innocent|child|ascetic|encryptor|neighbou?r(?:i[sz]er)?"
    r"|jack|of|all|trades|joat|role|rolecop|seer|miller|gunsmith|hider|voyeur|follower|visitor|commuter|rolestopper|driver|bus"
    r"|traitor|lover|friendly|universal|fruit|vendor|motion|detector|pinger|enabler|cowardly|paranoid|insane|naive|sane|aligned"
    r"|alien|killer|party|third|citizen|wolf|member|healer|protector|oracle|knight|priest|queen|king|student|nurse)"
)
_WORD = rf"(?:{_MODIFIER}|{ROLE})"
_PHRASE = re.compile(rf"\b{_WORD}(?:[\s/-]+{_WORD})*\b", re.IGNORECASE)
_NAMES_ROLE = re.compile(rf"\b{ROLE}\b", re.IGNORECASE)
# Between a name and their role: “, ”, “ (”, “ - ”, “ was a ”, “ the ”, “ has been lynched. They were a ”.
_BETWEEN = re.compile(
    r"(?:[\s,:;.!=>(\[*–—|-]|\b(?:is|was|were|has|have|had|been|and|who|he|she|they|it|a|an|the|our|your|role|flip(?:s|ped)?|as|indeed"
    r"|sadly|lynched|eliminated|executed|killed|murdered|shot|stabbed|dead|died|hammered|modkilled|endgamed|found|day|night|[dn]?\d{1,2}"
    r"|on|in|at|during|today|one|of|you|are|there|their|role|card|spoiler|hidden|show|rest|peace|rip)\b)*",
    re.IGNORECASE,
)
_BARE = frozenset({"town", "mafia", "scum", "townie", "wolf", "lobo", "neutral", "of", "the"})


def role_told(slot: str, lines: Iterable[str], names: Names) -> str:
    """The role that lines of one post show of a slot, in the words of the first that does: of one that tells
    more than the side, where there is such a line; "" where none does."""
    found = list(_roles(slot, lines, names))
    return next((role for role in found if not is_vanilla(role)), found[0] if found else "")


def is_vanilla(role: str) -> bool:
    """Whether a role is told as a side alone."""
    return role.lower() in _BARE


def _roles(slot: str, lines: Iterable[str], names: Names) -> Iterator[str]:
    """Every role that stands behind the name of a slot, or on the lines below it as far as nobody else is
    named: “They were a Town Cop.”, “You are a Vanilla Townie.” of a card that is shown."""
    below = 0
    for line in lines:
        named = list(named_in(line, names))
        for end, who in named:
            if who.name == slot:
                yield from _role_behind(line, end)
        if not named and 0 < below <= MOST_BELOW:
            yield from _role_behind(line, 0)
        if named:
            below = named[-1][1].name == slot
        elif below and line.strip():
            below += 1


MOST_BELOW = 8
"""So many lines below a name tell of who bears it."""


def _role_behind(line: str, end: int) -> Iterator[str]:
    between = _BETWEEN.match(line, end)
    place = between.end() if between else end
    found = _PHRASE.match(line, place)
    if found is None or not _NAMES_ROLE.search(found[0]):
        return
    role = found[0].strip(" -/")
    # A side alone behind a sentence is no card: “Ada was killed, and the town weeps.”
    if not (is_vanilla(role) and DEATH.search(line, end, place)):
        yield role
