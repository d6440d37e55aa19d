"""Who is meant by a name as somebody typed it?

A written name is matched, ambiguous, unknown, gone (dead, a moderator) or the wording of no elimination, each
with the rule that decided. The tiers below are asked in order of trust and the first that fits anybody
decides; a tier that fits two of the living asks the moderator. Nothing is ever guessed silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

import regex

from knightfall.core.roster import Slot
from knightfall.votes.letters import slips, squash
from knightfall.votes.meanings import Absent, Ambiguous, Gone, Matched, Meaning, NoElimination, Unknown
from knightfall.votes.tiers import LAST_TIERS, NO_ELIMINATION, TIERS, Entry, inside, limit

NO_ELIMINATION_WORDS = frozenset(
    (
        "nl",
        "nolynch",
        "nolynching",
        "nole",
        "noelim",
        "noelimination",
        "noeliminate",
        "noexe",
        "noexec",
        "noexecution",
        "noexecute",
        "nokill",
        "nohang",
        "nohanging",
        "noexile",
        "noban",
        "sleep",
        "gotosleep",
        "pass",
        "skip",
        "skipday",
        "nolinch",
        "nolinchar",
        "nolinchamiento",
        "noeliminations",
    )
)
"""What players write for no elimination, squashed; the house's own words are added by the rule object."""

_NOTE = regex.compile(
    r"""\s*(?:[(\[{<].*|\s[-–—=]+\s*.*|[-–—]{2,}.*|\s[-–—/]?\s*\b[le]\s?-\s?\d.*|['’]s\s+(?:slot|replacement|wagon|seat).*
        |\s+(?:slot|replacement)\b.*|(?<=\w\w)[.!?,;:]+(?:\s.*)?)$""",
    regex.VERBOSE | regex.IGNORECASE,
)
_LEAD = regex.compile(
    r"^(?:@|\bfor\b|\bto\s+(?:lynch|eliminate|execute|kill)\b|\blynch\b|\bplayer\b|\buser\b)\s*:?\s*",
    regex.IGNORECASE,
)
_EDGES = " \t\"'“”‘’`*_~.,;:!?()[]{}<>|/\\-–—="


class Names:
    """The names that can be meant at one moment of a game, and a memory of what was asked."""

    def __init__(
        self,
        alive: Iterable[Slot],
        gone: Iterable[Slot] = (),
        moderators: Iterable[str] = (),
        no_elimination: frozenset[str] = NO_ELIMINATION_WORDS,
    ) -> None:
        self._entries = (
            *_entries(alive, None),
            *_entries(gone, Gone.DEAD),
            *(Entry(name, None, Gone.NOT_A_PLAYER) for name in moderators),
        )
        self._no_elimination = no_elimination
        self._known: dict[tuple[str, str | None], Meaning] = {}

    def meant(self, text: str, voter: Slot | None = None) -> Meaning:
        """Who is meant by `text`. The fuzzy tiers leave out the voter himself."""
        key = (text, voter.name if voter else None)
        if key not in self._known:
            self._known[key] = self._decide(text, voter)
        return self._known[key]

    def _decide(self, text: str, voter: Slot | None) -> Meaning:
        variants = tuple(_variants(text))
        for rule, fits, fuzzy, firm in TIERS:
            if rule == NO_ELIMINATION:
                if any(self._says_nobody(variant) for variant in variants):
                    return NoElimination()
                continue
            pool = [e for e in self._entries if not (fuzzy and e.slot == voter and voter is not None)]
            for variant in variants:
                found = _verdict(rule, [e for e in pool if fits(variant, e)], firm)
                if found is not None:
                    return found
        return self._by_distance(variants, voter)

    def _says_nobody(self, variant: str) -> bool:
        bare = squash(variant)
        return bare in self._no_elimination or bare.removeprefix("to") in self._no_elimination

    def _by_distance(self, variants: tuple[str, ...], voter: Slot | None) -> Meaning:
        """The nearest of the living, if near enough for its length and clearly nearer than the next."""
        pool = [e for e in self._entries if e.gone is None and e.slot != voter]
        for variant in variants:
            bare = squash(variant)
            ranked = _ranked(bare, pool)
            if ranked and ranked[0][0] <= limit(len(bare)):
                near = tuple(slot for distance, slot in ranked if distance == ranked[0][0])
                if len(near) > 1:
                    return Ambiguous(near, "edit_distance")
                return Matched(near[0], "edit_distance", round(1 - ranked[0][0] / max(len(bare), 1), 2))
        for rule, fits in LAST_TIERS:
            for variant in variants:
                found = _verdict(rule, [e for e in pool if fits(variant, e)], False)
                if found is not None:
                    return found
        return self._himself(variants, voter) or Unknown(
            tuple(slot for _, slot in _ranked(squash(variants[0]), pool)[:3]) if variants else ()
        )

    def _himself(self, variants: tuple[str, ...], voter: Slot | None) -> Meaning | None:
        """A part of the voter's own name that fits nobody else: he votes for himself."""
        own = [e for e in self._entries if e.gone is None and e.slot == voter]
        fits = [e for e in own if any(inside(variant, e) for variant in variants)]
        return _verdict("inside", fits, False)


@lru_cache(maxsize=256)
def names_of(
    alive: tuple[Slot, ...],
    gone: tuple[Slot, ...] = (),
    moderators: frozenset[str] = frozenset(),
    no_elimination: frozenset[str] = NO_ELIMINATION_WORDS,
) -> Names:
    """The names of one moment, made once: counts as of many posts share what was matched."""
    return Names(alive, gone, sorted(moderators), no_elimination)


def _entries(slots: Iterable[Slot], gone: Gone | None) -> Iterator[Entry]:
    for slot in slots:
        yield from (Entry(name, slot, gone) for name in slot.names)
        yield from (Entry(alias, slot, gone, alias=True) for alias in slot.aliases)


def _verdict(rule: str, hits: list[Entry], firm: bool) -> Meaning | None:
    """What a tier's hits amount to. A firm tier that fits only the dead must not slide to somebody else."""
    entries = (hit for hit in hits if hit.gone is None)
    found: dict[str, Slot] = {}
    for entry in entries:
        if entry.slot is not None:
            found.setdefault(entry.slot.name, entry.slot)
    living = tuple(found.values())

    if len(living) == 1:
        return Matched(living[0], rule)
    if living:
        return Ambiguous(living, rule)
    gone = [hit for hit in hits if hit.gone is not None]
    if gone and firm:
        return Absent(gone[0].slot.name if gone[0].slot else gone[0].name, gone[0].gone or Gone.DEAD)
    return None


def _variants(text: str) -> Iterator[str]:
    """What was typed, then the same without what leads to it and trails it; each once."""
    seen: set[str] = set()
    lead = _LEAD.sub("", text.strip())
    for made in (text.strip(), lead, _NOTE.sub("", text.strip()), _NOTE.sub("", lead), lead.strip(_EDGES)):
        if made and made not in seen:
            seen.add(made)
            yield made


def _ranked(bare: str, pool: list[Entry]) -> list[tuple[int, Slot]]:
    """Distance of each slot's nearest name, word or equally long beginning; nearest first."""
    best: dict[str, tuple[int, Slot]] = {}
    for entry in pool:
        if entry.slot is None:
            continue
        forms = [entry.bare, *(part for part in entry.parts if len(part) > 3)]
        if len(bare) > 3:
            forms.append(entry.bare[: len(bare)])
        distance = min(slips(bare, form) for form in forms)

        if entry.slot.name not in best or distance < best[entry.slot.name][0]:
            best[entry.slot.name] = (distance, entry.slot)
    return sorted(best.values(), key=lambda pair: pair[0])
