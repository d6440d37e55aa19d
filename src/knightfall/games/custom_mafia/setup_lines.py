"""The grammar of a line of a setup: which cards it says, and what of it is in doubt.

A line is a number and a role (“2 Goons”, “3x VT”, “Goons x2”, “Goon (2)”, “two Masons”), one of several (“Cop
or Doctor”, “2 of {Cop, Doctor, Vigilante} without repeats”), a number that is drawn (“1d3 Goons”), a matrix
(“one row or column of: {Cop, Goon / Doctor, VT}”), or who all the others are (“rest VT”, “everyone else:
Vanilla Townie”). Bullets, numbers of a list, bold and plurals do not matter; commas, “and” and “+” part
several cards. What is not surely understood is a doubt with what may be meant: nothing is guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from knightfall.errors import InputError
from knightfall.games.custom_mafia.abilities import is_vanilla
from knightfall.games.custom_mafia.catalog import GOON, JACK, TOWNIE, VANILLA
from knightfall.games.custom_mafia.lookups import RoleDetails, role_details
from knightfall.games.custom_mafia.options import PLAYERS
from knightfall.games.custom_mafia.roles import (
    PHRASES,
    PLAIN,
    SHOT_NUMBERS,
    SHOT_WORDS,
    RoleFault,
    Side,
    UnknownRoleWord,
    is_limit,
    near_words,
    own_name,
    parse_role,
    split,
    words_of,
)
from knightfall.games.custom_mafia.setup_markup import GONE, HEADING, bare
from knightfall.games.custom_mafia.setup_phrases import (
    as_limit,
    as_trade,
    in_one_card,
    in_plain_numbers,
    spelt,
)
from knightfall.mafia.roles import TEAMS, Alignment, Role
from knightfall.votes.numbers import NUMBER_WORDS

MOST = 4
"""So many roles are offered for a word that is none."""
LONGEST_LINE, LONGEST_CARD = 600, 200
"""Letters of a line, and of one card: what is longer is no card, and is not read."""
MOST_FACES = 12
"""So many faces a die has at most."""
MOST_JOINED = 12
"""So many cards of a line may have “and” between them."""
MOST_UNREAD = 3
"""So many words in brackets behind a role may limit it; more are a sentence on what it does."""
REST = "rest:"
"""How we write that all the others are of a role."""


@dataclass(frozen=True, slots=True)
class SetupRow:
    """One card, or several of a kind, as typed from letter `start` to `end` of the text, on line `line`.

    `roles`: of several each card is drawn, with `pick` none twice. `count` None: as many as players remain;
    `drawn`: so many or fewer, each number with its weight, and the others are as all the others. `grid`: the
    rows of a matrix, of which one is dealt, or by `ways` a column. A row without roles is a heading, was left
    out, or has a `doubt`: a sentence. `choices` are lines to put in its place, and `remark` tells what was
    taken for granted or left out; `says`: what a card of the moderator's own says;
    `own`: the line by which what was not understood is such a card.
    """

    line: int
    start: int
    end: int
    typed: str
    roles: tuple[Role, ...] = ()
    count: int | None = 1
    pick: bool = False
    doubt: str = ""
    choices: tuple[str, ...] = ()
    remark: str = ""
    drawn: tuple[tuple[int, int], ...] = ()
    grid: tuple[tuple[Role, ...], ...] = ()
    ways: str = ""
    says: str = ""
    own: str = ""

    @property
    def offered(self) -> tuple[str, ...]:
        """Lines to put in its place, that of a card of the moderator's own last."""
        return (*self.choices, self.own) if self.own else self.choices

    @property
    def number(self) -> str:
        """How many, in words."""
        if self.drawn:
            return f"{self.drawn[0][0]} to {self.drawn[-1][0]}, drawn"
        return "all the others" if self.count is None else str(self.count)

    @property
    def name(self) -> str:
        """The role in full; of several how they are drawn."""
        if self.grid:
            rows = " / ".join(", ".join(role.name for role in row) for row in self.grid)
            return f"{self.ways} of: {rows}"
        names = [role.name for role in self.roles]
        if len(names) < 2:
            return "".join(names)
        if self.count == 1:
            return f"one of {', '.join(names)}"
        how = "each once at most" if self.pick else "the same one may come again"
        return f"drawn from {', '.join(names)}, {how}"

    @property
    def sentence(self) -> str:
        """What the role can do, as players read it; of several nothing."""
        return self.says or (role_sentence(self.roles[0]) if len(self.roles) == 1 and not self.grid else "")

    @property
    def slots(self) -> dict[str, Any]:
        """The row as a table of a setup file."""
        names = [role.name for role in self.roles]
        if self.pick:
            return {"pick": self.count, "from": names}
        number: dict[str, Any] = {"fill": True} if self.count is None else {"count": self.count}
        named: dict[str, Any] = {"role": names[0]} if len(names) == 1 else {"one_of": names}
        return named | ({} if self.count == 1 else number)


def role_sentence(role: Role) -> str:
    """What a role can do, as players read it."""
    found = role_details(role.name)
    assert isinstance(found, RoleDetails)  # a modifier alone is no role
    # The kill that all of the mafia share is told of a Goon alone.
    powers = found.powers[:1] if len(found.powers) == 1 or role.name == f"Mafia {GOON.name}" else found.powers
    told = [" ".join([power.does, *power.limits.values()]) for power in powers if power.name != "Mafia Kill"]
    return " ".join(told)


# ── the grammar of a line ────────────────────────────────────────────────────────────────────────

BULLET = re.compile(
    rf"[\s{GONE}{HEADING}]*(?:(?:[-–—•·‣◦▪■●○▸▹►◆◇>→☐✓✔☑✅]|\+(?!\d)|\*{{1,4}}(?=[\s{GONE}])|\*(?!\*)|:+(?=\s)|\d{{1,2}}[.)](?=[\s{GONE}])"
    rf"|(?i:[ivx]{{1,5}}|[a-h])[.)](?=[\s{GONE}]))[\s{GONE}]*)*"
)
"""What stands before the entries of a list: signs, and “1.”, “1)”, “iv.” or “a)”."""
_PARTS = re.compile(r"(?:\{[^{}]*\}|\([^()]*\)|[^,;{(])+|[{(]")
"""The cards of a line, with commas between them that stand in no brackets."""
_WORDS: Mapping[str, int] = {
    **{word: number for number, word in enumerate(NUMBER_WORDS, start=1)},
    "a": 1,
    "an": 1,
    "single": 1,
    "a pair": 2,
    "a couple": 2,
    "a dozen": 12,
    "a single": 1,
    "a trio": 3,
    "a brace": 2,
    "half a dozen": 6,
    "both": 2,
    "pair": 2,
    "trio": 3,
    "brace": 2,
    "dozen": 12,
}
_NUMBER = rf"(?:\d{{1,3}}|{'|'.join(sorted(_WORDS, key=len, reverse=True))})"
# “2”, “2x”, “2 x”, “x2”, “(2)”, “two”; “2-Shot Doctor” and “one shot Doctor” are one card.
_COUNT_FIRST = re.compile(
    rf"(?:[(\[]?\s*(?:[x×]\s*)?(?P<count>{_NUMBER})\s*[x×*]?\s*[)\]]?)(?:\s*[:=]|\s)\s*(?:of\s+)?"
    rf"(?P<role>(?![-‐‑–\s]*(?:{'|'.join(SHOT_WORDS)})\b)\S.*)",
    re.IGNORECASE,
)
# “Goons x2”, “Goon ×2”, “Goons (2)”, “Goon: 2”, “Goons – 2”.
_COUNT_LAST = re.compile(
    rf"(?P<role>\S.*?)\s*(?:[x×*]\s*(?P<times>\d{{1,3}})|(?P<more>\d{{1,3}})\s*[x×]|(?:\s[x×]\s*|×)(?P<spelt>{_NUMBER})"
    rf"|[(\[]\s*[x×]?\s*(?P<within>{_NUMBER})\s*[x×]?\s*[)\]]|\s*[:=–—-]\s*(?P<behind>{_NUMBER})|,\s*(?P<cell>{_NUMBER}))",
    re.IGNORECASE,
)
_OTHERS = (
    r"(?:(?:all\s+)?(?:the\s+)?(?:rest|remaining|remainder|others)|(?:every(?:one|body)|all)\s+(?:else|others?)"
    r"|all\s+remaining|fill(?:ed|er)?(?:\s+with)?)(?:\s+(?:of\s+the\s+)?(?:players?|slots?|people|roles?|cards?))?"
)
# “rest VT”, “everyone else: Vanilla Townie”, “the rest are Vanilla Townies”.
_REST_FIRST = re.compile(
    rf"{_OTHERS}\s*(?:[:=,–—-]+|\b(?:is|are|get|gets|as|of|will\s+be|with)\b)?\s*(?:an?\s+)?(?P<role>\S.*)?",
    re.IGNORECASE,
)
# “VT (rest)”, “Vanilla Townies for everyone else”.
_REST_LAST = re.compile(
    rf"(?P<role>\S.*?)\s*(?:[:=,–—(\[x×-][:=,–—(\[x×\s-]*(?:\bfor\s+)?|\bfor\s+){_OTHERS}\s*[)\]]?",
    re.IGNORECASE,
)
# “2 of {Cop, Doctor, Tracker} without repeats”, “one of Cop, Doctor”, “two of the following three: …”.
_DRAWN = re.compile(
    rf"(?P<count>{_NUMBER})\s+(?:(?:random(?:ly)?|drawn)\s+)?(?:of|from)\b"
    rf"(?P<listed>\s+(?:the\s+|these\s+)?(?:following|these)(?:\s+{_NUMBER})?(?:\s+(?:roles|cards))?)?"
    r"\s*[:{(\[]?\s*(?P<roles>[^{}()\[\]]+?)\s*[})\]]?"
    r"\s*(?P<how>,?\s*(?:with\s+no|with|without|no)\s+(?:repeats?|duplicates?|duplication|doubles))?",
    re.IGNORECASE,
)
# “one row or column of: {Cop, Goon / Doctor, VT}”: how a matrix is written in one line.
_MATRIX = re.compile(
    r"one\s+(?P<ways>row\s+or\s+column|row|column)\s+of\s*:?\s*\{(?P<rows>[^{}]+)\}", re.IGNORECASE
)
# “zero Cops”, “no Doctor”.
_NONE = re.compile(r"(?:zero|no)\s+(?P<role>\S.*)", re.IGNORECASE)
# “1d3 Goons”: as many as dice show.
_DICE = re.compile(r"(?P<dice>[1-4])?d(?P<faces>\d{1,2})\s*[x×]?\s+(?:of\s+)?(?P<role>\S.*)", re.IGNORECASE)
# “0-1 Doctor”, “1–3 Goons”, “1 to 3 Goons”: which number is meant, nobody says.
_RANGE = re.compile(
    r"(?P<least>\d{1,2})\s*(?:-|‐|‑|–|—|\bto\b|\bor\b)\s*(?P<most>\d{1,2})\s*[x×]?\s+(?!shots?\b)(?P<role>\S.*)",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and|plus|vs?\.?|versus)\s+|\s*[&+]\s*|\s+/\s+(?=\d)", re.IGNORECASE)
"""Between cards that are all in the game."""
_VERSUS = re.compile(r"(\s+(?:vs?\.?|versus|against)\s+)", re.IGNORECASE)
_OR = re.compile(r"\s*/\s*|\s+or\s+", re.IGNORECASE)
_LIST = re.compile(r"\s*(?:,|;|/|\||\+|&)\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+", re.IGNORECASE)
SIDE_WORDS: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "town",
            "townsfolk",
            "village",
            "the town",
            "town roles",
            "town side",
            "good",
            "townies",
            "innocents",
            "protown",
            "uninformed majority",
            "town aligned",
            "town team",
            "good team",
            "the good guys",
            "good guys",
        ),
        "Town",
    ),
    **dict.fromkeys(
        (
            "mafia",
            "scum",
            "the mafia",
            "mafiosi",
            "scumteam",
            "scum team",
            "mafia team",
            "mafia roles",
            "mafia side",
            "evil",
            "informed minority",
            "mafia aligned",
            "evil team",
            "the bad guys",
            "bad guys",
            "anti town",
        ),
        "Mafia",
    ),
    **dict.fromkeys(
        ("werewolves", "the werewolves", "wolves", "wolf team", "werewolf team", "wolf pack", "pack"),
        "Werewolf",
    ),
    **{f"{word} {letter}": f"Mafia {letter.upper()}" for word in ("mafia", "scum") for letter in "abc"},
    **dict.fromkeys(
        (
            "third party",
            "third parties",
            "3rd party",
            "neutral",
            "neutrals",
            "independent",
            "independents",
            "other",
            "others",
            "solo",
            "self aligned",
        ),
        "",
    ),
}
"""Words over a part of a setup, and the side that the cards of it have; "" is neither."""
_ALONE = re.compile(r"\b(?:third[ -]party|3rd[ -]party|neutral|independent|solo)\b\s*", re.IGNORECASE)
"""What a role that is a side of its own may be called besides."""
_ALIKE: Mapping[str, str] = {
    "scum": "mafia",
    "maf": "mafia",
    "mob": "mafia",
    "mafiosa": "mafioso",
    **dict.fromkeys(("villager", "villagers", "civilian", "civilians", "citizen", "citizens"), "townie"),
}
_X_SHOT = re.compile(r"\bx[\s-]*shots?\b", re.IGNORECASE)
_CHECKED = re.compile(r"\b(?:sane|alignment)[\s-]+(?=cops?\b)", re.IGNORECASE)
"""What a Cop may be called besides, who learns the truth of a side."""
_BEHIND = re.compile(r"(?P<role>\S.*?)(?:\s+[–—=-]+\s+|:\s+|\s*[(\[]|\s+(?=w/|with\s))(?P<said>\S.*?)[)\]]?")
"""A role, and what is said of it."""
_WORDS_OF_SIDE = (
    r"(?P<side>town|mafia|scum|maf|mob|good|evil|werewol(?:f|ves)|wol(?:f|ves)|village)"
    r"(?:[\s-]+(?:aligned|sided|player|member))?"
)
_NO_POWER = (
    r"(?:(?:has|with)\s+)?(?:no|without(?:\s+any)?)\s+(?:special\s+|night\s+)?(?:power|abilit|action)\w*|vanilla"
    r"|powerless"
)
_POWERLESS = re.compile(
    rf"(?P<name>\S.*?)(?:\s+[–—=/-]+\s+|,\s+|\s*[(\[])(?:{_WORDS_OF_SIDE})?(?:(?(side)(?:\s*[,;–—-]\s*|\s+))(?P<plain>{_NO_POWER}))?"
    r"\s*[)\]]?",
    re.IGNORECASE,
)
"""A name of the host's with the side alone behind it, or with the words that it has no power."""
_OF_NAMES = frozenset(("of", "the", "a", "an", "and", "de", "la", "le", "du", "van", "der", "von", "old"))
"""Words of a name that are no role's, though some role's name has them."""
SHORT_WORD = 5
"""Of so few letters one changed letter makes another word."""
MOST_OF_A_NAME = 6
"""So many words has a name of the host's at most."""
_NAME_FIRST = re.compile(
    r"[“\"„«](?P<name>[^“”\"„«»]+)[”\"“»]\s*(?:[–—-]+\s|[:=(\[])\s*(?P<said>\S.*?)[)\]]?"
)
"""A name in quotation marks with a role behind it."""
_QUOTED_NAME = re.compile(r"(?P<role>\S.*?)\s*[“\"„](?P<name>[^“”\"„]+)[”\"“]")
"""A role with a name behind it."""
_A_NAME = re.compile(r"(?:(?i:the|an?|old)\s+)?[“\"'*]*[^\W\d_a-z][^\d:;,/]*")
"""A name begins with a capital, and has neither numbers nor parts."""
NOT_IN_PLAY = re.compile(
    r"\b(?:not|no|never|without|removed?|removing|except|possibl[ey]|possibilities|maybe|may|might|could|can|potential(?:ly)?|"
    r"random(?:ly|ized)?|chance|out|closed|example|like|such as|instead|replaced?|replacing|"
    r"banned|excluded?|either|"
    r"optional|unused|old|previous|earlier|was|were|n't|won't|isn't|aren't|\d+\s*%)\b|%",
    re.IGNORECASE,
)
"""Words by which it is not sure that cards are in the game."""
_STARTS = re.compile(r"(?:day|night)[\s-]*start|starts?\s+(?:by|at|with)\s+(?:day|night)", re.IGNORECASE)
"""What may stand behind the cards of a line, and is none."""
_KNOWN = frozenset(
    (*(word for phrase in PHRASES for word in phrase if not word.isdigit()), *SHOT_NUMBERS, *SHOT_WORDS)
)
"""Every single word of a role."""
_SPELT = frozenset((*_KNOWN, *(f"{word}s" for word in _KNOWN)))
NONE = "There are none of them."
CALLED = "Called"
"""How it is told that a role has a name of the host's."""


def read_cards(line: int, start: int, body: str, side: str = "") -> tuple[SetupRow, ...]:
    """The cards of one line whose words begin at letter `start` of a text: one, or several with commas, “and”
    or “+” between them. `side` is what a heading says of it."""
    versus = _VERSUS.split(body) if not side else []
    if len(versus) == 3:
        # “2 Goons + 1 Roleblocker vs 7 Townies”: what stands beside Goons is theirs.
        places = (start, start + len(versus[0]) + len(versus[1]))
        halves = [
            read_cards(line, at, half, _side_of_half(half))
            for at, half in zip(places, versus[::2], strict=True)
        ]
        return (*halves[0], *halves[1])
    whole = card_row(line, start, start + len(body), body, side)
    if (
        (whole.roles and (not whole.remark or whole.remark.startswith(CALLED)))
        or _several(_without_joint(whole.typed))
        or _MATRIX.fullmatch(whole.typed)
    ):
        return (whole,)
    if whole.roles and (said := _BEHIND.fullmatch(whole.typed)) and _is_said_of_it(line, said["said"]):
        return (whole,)
    # Commas part cards; where the whole is none, “and” does too, if each part is a card.
    found: list[SetupRow] = []
    parts = [(match.start(), match[0]) for match in _PARTS.finditer(body)]
    for at, part in parts:
        if not part.strip(f" .,;\t{GONE}"):
            continue
        row = card_row(line, start + at, start + at + len(part), part, side)
        if found and _STARTS.fullmatch(row.typed):
            row = replace(row, doubt="", choices=(), own="", remark="Left out: no cards.")
        several = _and_cards(line, start + at, part, side) if row.doubt else ()
        found += several or (row,)
    return tuple(found) if len(found) > 1 else (whole,)


def _is_said_of_it(line: int, said: str) -> bool:
    """Whether what stands behind a role is what it does, with commas in it: no part of it is a card, nor
    short enough to be one that is not known."""
    parts = [part.strip() for part in _PARTS.findall(said) if part.strip()]
    return (
        len(parts) > 1
        and all(len(part.split()) > 1 and not re.match(r"\d|[x×]\d", part) for part in parts)
        and not any(card_row(line, 0, 0, part).roles for part in parts)
        and any(len(part.split()) > MOST_UNREAD for part in parts)
    )


def _without_joint(said: str) -> str:
    """A card without the word that joins it to the one before, and without its stop."""
    return re.sub(r"^(?:and|plus|&|vs?\.?|versus)\s+", "", said.rstrip(".,;!").strip(), flags=re.IGNORECASE)


def _side_of_half(said: str) -> str:
    """The side of what stands before or behind “vs”: mafia where a card of it is theirs by its own words, and
    none is town's."""
    rows = read_cards(0, 0, said, "")
    mafia = any(role.alignment in TEAMS for row in rows for role in row.roles)
    town = re.search(r"\btown|\bvt", said, re.IGNORECASE)
    return "Mafia" if mafia and not town else ""


def _and_cards(line: int, start: int, body: str, side: str) -> tuple[SetupRow, ...]:
    """The cards that “and” or “+” joins; none where one of them is in doubt."""
    cuts = [0, *(cut for match in _AND.finditer(body) for cut in match.span()), len(body)]
    pieces = [(cuts[n], body[cuts[n] : cuts[n + 1]]) for n in range(0, len(cuts), 2)]
    if not 2 <= len(pieces) <= MOST_JOINED:
        return ()
    rows = [
        card_row(line, start + at, start + at + len(piece), piece, side)
        for at, piece in pieces
        if piece.strip()
    ]
    return tuple(rows) if rows and all(row.roles and not row.doubt for row in rows) else ()


def card_row(line: int, start: int, end: int, body: str, side: str = "") -> SetupRow:
    """One card. Its place is that of its words, without the blanks around them."""
    blanks = f" \t\xa0{GONE}{HEADING}"
    start += len(body) - len(body.lstrip(blanks))
    end -= len(body) - len(body.rstrip(blanks))
    typed = bare(body)
    said = _without_joint(typed)
    row = SetupRow(line, start, max(start, end), typed)
    if not said:
        return row
    if len(said) > LONGEST_CARD and not _MATRIX.fullmatch(said):
        return replace(row, doubt="This is too long for a role.")
    if (first := _NAME_FIRST.fullmatch(said)) is not None:
        called = _role_of_name(row, first["name"], first["said"], side)
        return called or replace(row, doubt=f"“{first['said']}” behind the name was not understood.")
    said = in_plain_numbers(in_one_card(said))
    found = _read(row, said, side)
    if not found.doubt:
        return found
    if (none := _NONE.fullmatch(said)) is not None and not _read(row, none["role"], side).doubt:
        return replace(row, remark=NONE)
    if (alike := _spelt_alike(row, said, side)) is not None:
        return alike
    # A role with what limits it, or with what it does, behind it; or behind a name of the host's.
    role, comma, limit = said.rpartition(",")
    if comma and (limited := as_limit(limit)) and is_limit(limited):
        limited_role = _limited(row, role, limited, side)
        if not limited_role.doubt:
            return limited_role
    if (behind := _BEHIND.fullmatch(said)) is not None:
        short = _read(row, behind["role"], side)
        in_brackets = said.endswith((")", "]"))
        if not short.doubt:
            return _with_rest(short, behind["role"], behind["said"], in_brackets, side)
        if (called := _called(row, behind["role"], behind["said"], side)) is not None:
            return called
    if (quoted := _QUOTED_NAME.fullmatch(said)) is not None and quoted["name"].casefold() not in map(
        " ".join, PHRASES
    ):
        bearer, _ = _role(quoted["role"], side)
        if bearer is not None and is_vanilla(bearer):
            return _called(row, quoted["name"], quoted["role"], side) or found
    return _powerless(row, said, side) or found


def _limited(row: SetupRow, role: str, limit: str, side: str) -> SetupRow:
    """A role with what limits it, which goes before it and behind its number."""
    counted = _COUNT_FIRST.fullmatch(role)
    number, bare_role = (role[: counted.start("role")], counted["role"]) if counted else ("", role)
    return _read(row, f"{number}{limit} {bare_role}", side)


def _spelt_alike(row: SetupRow, said: str, side: str) -> SetupRow | None:
    """A card whose words sound as those of a role and are written otherwise; None where they do not."""
    words = split(said)
    mended = {
        word: known
        for word in words
        if _singular(word)[0].casefold() not in _KNOWN and (known := spelt(word, _SPELT))
    }
    if not mended:
        return None
    found = _read(row, " ".join(mended.get(word, word) for word in words), side)
    if found.doubt or found.remark or len(found.roles) != 1:
        return None
    told = ", ".join(f"“{word}” was read as {known}" for word, known in mended.items())
    return replace(found, remark=f"{told}.")


def _is_name(said: str) -> bool:
    """Whether words may be a name that a host gives, and have nothing of a role."""
    words = split(said.strip("“”\"'*"))
    if not words or len(words) > MOST_OF_A_NAME or not _A_NAME.fullmatch(said):
        return False
    own = [word for word in words if word.casefold() not in _OF_NAMES]
    if not own or NOT_IN_PLAY.search(" ".join(own)):
        return False
    return not any(_singular(word)[0].casefold() in _KNOWN or _is_almost_a_word(word) for word in own)


def _is_almost_a_word(word: str) -> bool:
    """Whether a word may be one of a role's name with a slip in it."""
    from rapidfuzz.distance import OSA  # most roles are written as they are: they need not wait for it

    folded = word.casefold()
    known = (one for one in _KNOWN if len(one) != len(word) or len(word) > SHORT_WORD)
    return len(word) > 3 and any(OSA.distance(folded, one, score_cutoff=1) <= 1 for one in known)


def has_card_beside(said: str) -> bool:
    """Whether words have a card beside a name, or beside what is said of it."""
    behind = _BEHIND.fullmatch(said)
    return behind is not None and any(card_row(0, 0, 0, behind[part]).roles for part in ("role", "said"))


def _called(row: SetupRow, name: str, said: str, side: str) -> SetupRow | None:
    """A role beside a name that its host gives to it; None where the name may say more than a name does."""
    return _role_of_name(row, name, said, side) if _is_name(name) else None


def _role_of_name(row: SetupRow, name: str, said: str, side: str) -> SetupRow | None:
    """The role that a name has; None where it is not one sure card."""
    found = _read(row, said, side)
    if found.doubt or found.remark or len(found.roles) != 1 or found.count != 1 or own_name(found.roles[0]):
        return None
    return _named(found, name)


def _named(found: SetupRow, name: str) -> SetupRow:
    name = name.strip("“”\"'*")
    return replace(
        found, remark=f"{CALLED} “{name}”: the name was not read, the role is {found.roles[0].name}."
    )


def _powerless(row: SetupRow, said: str, side: str) -> SetupRow | None:
    """A name of the host's of which no more is said than a side, or that it has no power: who has only a
    vote. None where that is not said."""
    match = _POWERLESS.fullmatch(said)
    name: str = match["name"] if match else said
    told: str | None = match["side"] if match else None
    plain: str | None = match["plain"] if match else None
    alignment = SIDE_WORDS.get(told.casefold(), "") if told else ""
    if told and not alignment:
        return None
    first, _, rest = name.partition(" ")
    if first.casefold() in (VANILLA, *PLAIN) and rest and not told:
        name, plain = rest, plain or first
    elif (own := SIDE_WORDS.get(first.casefold())) and rest and plain:
        name, alignment = rest, alignment or own
    if not (told or plain) or not _is_name(name):
        return None
    alignment = alignment or side or "Town"
    return _named(_read(row, TOWNIE.name if alignment == "Town" else f"{alignment} {GOON.name}", ""), name)


def _with_rest(short: SetupRow, role: str, rest: str, in_brackets: bool, side: str) -> SetupRow:
    """A role that was read, and what stands behind it: its modifiers (“Cop (even nights)”), a sentence on
    what it does, which changes nothing, or a few words in brackets that may change the role: a doubt."""
    empty = replace(short, roles=(), count=1, remark="")
    counted = _COUNT_FIRST.fullmatch(role)
    if JACK in words_of(_singular(counted["role"] if counted else role)[0]):
        # What is listed behind a Jack-of-all-Trades are its trades, and not its usual ones.
        trades = (as_trade(one) for one in _LIST.split(rest))
        return _read(empty, f"{role} {' '.join(trades)}", side)
    limit, _ = _singular(as_limit(rest) or rest)
    whole = _limited(empty, role, limit, side)
    if not whole.doubt and len(short.roles) == 1:
        return whole
    if (
        (many := re.match(r"(\d{1,2})\b", rest))
        and len(rest.split()) <= MOST_UNREAD
        and len(short.roles) == 1
    ):
        told = f"“{rest}” stands behind the role. Is that how many there are?"
        name = short.roles[0].name
        return replace(short, roles=(), doubt=told, choices=(f"{many[1]} {name}", f"1 {name}"))
    if len(short.roles) == 1 and not short.remark and (_is_name(rest) or _tells_of_a_vanilla(short, rest)):
        return _named(short, rest)
    if in_brackets and len(rest.split()) <= MOST_UNREAD:
        head = f"{REST} " if short.count is None else f"{short.count} " if short.count > 1 else ""
        plain = tuple(f"{head}{one.name}" for one in short.roles) if len(short.roles) == 1 else ()
        told = f"“{rest}” is no modifier of a role, so it was not read. Take it out, or write another role."
        return replace(short, roles=(), doubt=told, choices=plain)
    if len(short.roles) == 1 and own_name(short.roles[0]):
        return replace(short, says=rest)
    return replace(short, remark=" ".join(filter(None, (short.remark, f"Not read: “{rest}”."))))


def _tells_of_a_vanilla(short: SetupRow, rest: str) -> bool:
    """Whether words in brackets behind a card without a power only say who that is."""
    words = [word for word in split(rest) if word.casefold() not in _OF_NAMES]
    return (
        is_vanilla(short.roles[0])
        and 0 < len(words) <= MOST_UNREAD
        and all(word.isalpha() and _singular(word)[0].casefold() not in _KNOWN for word in words)
        and not NOT_IN_PLAY.search(rest)
    )


def _read(row: SetupRow, said: str, side: str) -> SetupRow:
    """What a card says: who all the others are, several to draw from, a number and a role."""
    for rest in (_REST_FIRST, _REST_LAST):
        if (match := rest.fullmatch(said)) is not None:
            if not match["role"]:
                offered = (f"{REST} {TOWNIE.name}",)
                return replace(row, doubt="What are all the others?", choices=offered)
            return _one(replace(row, count=None), match["role"], side)
    if (drawn := _several(said)) is not None:
        return _drawn(row, drawn, side)
    if (matrix := _MATRIX.fullmatch(said)) is not None:
        return matrix_row(row, [_grid_cells(one) for one in matrix["rows"].split("/")], matrix["ways"], side)
    if (dice := _DICE.fullmatch(said)) is not None:
        return _diced(row, dice, side)
    if (numbers := _RANGE.fullmatch(said)) is not None:
        return _ranged(row, numbers, side)
    for pattern in (_COUNT_FIRST, _COUNT_LAST):
        if (match := pattern.fullmatch(said)) is None:
            continue
        count = _number_in(
            next(value for name, value in match.groupdict().items() if name != "role" and value)
        )
        if count == 0 and not _one(row, match["role"], side).doubt:
            return replace(row, remark=NONE)
        if not 1 <= count <= PLAYERS[-1]:
            return replace(row, doubt=f"{count} is no number of players: write one from 1 to {PLAYERS[-1]}.")
        # Where the words do not make a role without the number, it may belong to them.
        found = _one(replace(row, count=count), match["role"], side)
        if not found.doubt or pattern is _COUNT_FIRST or found.choices or not _one(row, said, side).doubt:
            return found
    return _one(row, said, side, numbered=False)


def _grid_cells(said: str) -> list[str]:
    return [cell.strip() for cell in said.split(",")]


def matrix_row(row: SetupRow, cells: list[list[str]], ways: str, side: str = "") -> SetupRow:
    """A matrix, from its cells; `ways` is “row or column”, “row” or “column”: which of them is dealt."""
    grid: list[tuple[Role, ...]] = []
    for said in cells:
        found = [_read(replace(row, roles=(), count=1), cell, side) for cell in said]
        for cell, one in zip(said, found, strict=True):
            if one.doubt or len(one.roles) != 1 or one.count != 1:
                why = one.doubt or "A place of a matrix has one role, and one card of it."
                return replace(row, doubt=f"“{cell}” in the matrix: {why}")
        grid.append(tuple(one.roles[0] for one in found))
    if len({len(one) for one in grid}) != 1:
        return replace(row, doubt="The rows of the matrix are not of the same length.")
    ways = " ".join(ways.casefold().split())
    if ways == "column":
        ways, grid = "row", list(zip(*grid, strict=True))
    elif ways != "row" and len(grid) != len(grid[0]):
        told = "The matrix has not as many rows as columns, so a row is not as many cards as a column."
        return replace(row, doubt=told)
    roles = tuple({role.name: role for one in grid for role in one}.values())
    return replace(row, roles=roles, count=len(grid[0]), grid=tuple(grid), ways=f"one {ways}")


def _diced(row: SetupRow, match: re.Match[str], side: str) -> SetupRow:
    """As many as dice show: each number with its weight."""
    dice, faces = int(match["dice"] or 1), int(match["faces"])
    if not 2 <= faces <= MOST_FACES:
        return replace(row, doubt=f"A die here has 2 to {MOST_FACES} faces.")
    weights = {0: 1}
    for _ in range(dice):
        thrown: dict[int, int] = {}
        for before, weight in weights.items():
            for face in range(1, faces + 1):
                thrown[before + face] = thrown.get(before + face, 0) + weight
        weights = thrown
    found = _one(replace(row, count=max(weights)), match["role"], side)
    if found.doubt or len(found.roles) != 1:
        told = found.doubt or "A number that is drawn is of one role."
        head = f"{match['dice'] or 1}d{faces}"
        bases = [one.split(" ", 1)[1] for one in found.choices if one[:1].isdecimal() and " " in one]
        return replace(row, roles=(), doubt=told, choices=tuple(f"{head} {base}" for base in bases))
    return replace(found, drawn=tuple(sorted(weights.items())))


def _ranged(row: SetupRow, match: re.Match[str], side: str) -> SetupRow:
    """A number from this to that: which, is asked; a die may decide."""
    least, most = int(match["least"]), int(match["most"])
    found = _one(row, match["role"], side)
    if found.doubt or len(found.roles) != 1 or not least < most <= MOST_FACES:
        return replace(row, doubt=found.doubt or f"How many are {least} to {most}? Write one number.")
    name = found.roles[0].name
    ways = [f"{number} {name}" for number in range(max(1, least), most + 1)][:MOST]
    if (least, most) == (0, 1):
        ways.append(f"1 of {{{name}, {TOWNIE.name}}}")
    if least == 1:
        ways.insert(0, f"1d{most} {name}")
    return replace(
        row,
        doubt=f"How many are {least} to {most}: one of these numbers, or is it drawn?",
        choices=tuple(ways),
    )


def _number_in(said: str) -> int:
    known = _WORDS.get(said.casefold())
    return int(said) if known is None else known


def _several(said: str) -> re.Match[str] | None:
    """So many of several roles, none of which has a number of its own: “2 of Cop, Doctor”."""
    match = _DRAWN.fullmatch(said)
    pieces = _LIST.split(match["roles"]) if match else []
    return match if len(pieces) > 1 and not any(map(_COUNT_FIRST.fullmatch, pieces)) else None


def _drawn(row: SetupRow, match: re.Match[str], side: str) -> SetupRow:
    """So many of several roles."""
    count, how = _number_in(match["count"]), (match["how"] or "").casefold()
    written = [one for one in _LIST.split(match["roles"]) if one]
    found = [_one(row, one, side) for one in written]
    if wrong := next((one for one in found if one.doubt), None):
        return replace(row, doubt=wrong.doubt)
    roles = tuple(role for one in found for role in one.roles)
    listed = f"{count} of {{{', '.join(role.name for role in roles)}}}"
    if count > 1 and not how.strip(" ,") and not match["listed"]:
        ways = (f"{listed} without repeats", f"{listed} with repeats")
        return replace(row, doubt="May the same role be drawn twice?", choices=ways)
    pick = count > 1 and (not how.lstrip(" ,").startswith("with ") or "no" in how.split())
    if pick and count > len(roles):
        return replace(row, doubt=f"{count} different ones cannot be drawn from {len(roles)}.")
    return replace(row, roles=roles, count=count, pick=pick)


def _one(row: SetupRow, said: str, side: str, numbered: bool = True) -> SetupRow:
    """A role, or one of several; `numbered`: how many there are was said."""
    several = _OR.split(said)
    single, plural = _singular(said)
    role, fault = _role(single, side)
    if role is None and len(several) > 1 and all(several):
        return _chosen_from(row, several, side)
    if role is None:
        return _doubted(row, single, side, fault)
    if plural and not numbered:
        offered = (f"2 {role.name}", f"3 {role.name}", f"{REST} {role.name}")
        return replace(
            row, roles=(role,), remark="How many? No number stands there, so it is one.", choices=offered
        )
    return replace(row, roles=(role,))


def _chosen_from(row: SetupRow, several: list[str], side: str) -> SetupRow:
    """One of several roles, drawn by chance: “Cop or Doctor”, “1 Cop or 1 Doctor”."""
    counted = [_COUNT_FIRST.fullmatch(one) for one in several]
    numbers = {_number_in(match["count"]) for match in counted if match}
    if numbers - {row.count or 1}:
        told = (
            "Each line has one number, before its roles. “2 of {Cop, Doctor}” draws two of these; one of "
            "them is “Cop or Doctor”. For roles that are all in the game write a line each."
        )
        return replace(row, doubt=told)
    words = [match["role"] if match else one for one, match in zip(several, counted, strict=True)]
    found = [_one(replace(row, count=1), one, side) for one in words]
    wrong = next((place for place, one in enumerate(found) if one.doubt), None)
    if wrong is None:
        return replace(row, roles=tuple(role for one in found for role in one.roles))
    head = f"{REST} " if row.count is None else f"{row.count} " if row.count > 1 else ""
    offered = tuple(
        f"{head}{' or '.join([*words[:wrong], one, *words[wrong + 1 :]])}" for one in found[wrong].choices
    )
    return replace(row, doubt=found[wrong].doubt, choices=offered)


def _singular(said: str) -> tuple[str, bool]:
    """The words of a role without plurals, and whether there was one."""
    words, plural = [], False
    said = _CHECKED.sub("", said)
    for word in split(_ALONE.sub("", re.sub(r"[()\[\]{}]", " ", said)).strip() or said):
        folded = word.casefold().replace("’", "'").removesuffix("'s") if len(word) > 3 else word.casefold()
        folded = _ALIKE.get(folded, folded)
        if folded in _KNOWN or folded.isdecimal():
            words.append(word if folded == word.casefold() else folded)
            continue
        shorter = next((one for one in _shorter(folded) if one in _KNOWN), None)
        plural = plural or shorter is not None
        words.append(shorter or word)
    return " ".join(words), plural


def _shorter(word: str) -> Iterator[str]:
    """What a plural may be one of."""
    for ending, single in (("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("men", "man"), ("i", "o")):
        if word.endswith(ending):
            yield word.removesuffix(ending) + single


def _role(said: str, side: str) -> tuple[Role | None, InputError | None]:
    """The card, of the side that a heading says where the words say none; or why it is none."""
    try:
        sided = any(isinstance(word, Side) for word in words_of(said))
        plain = parse_role(said)
    except InputError as fault:
        return None, fault
    # A Serial Killer is on no side but its own, whatever it stands below.
    if not side or sided or plain.alignment not in (Alignment.TOWN, *TEAMS):
        return plain, None
    try:
        return parse_role(f"{side} {said}"), None
    except InputError as fault:
        return None, fault


def _doubted(row: SetupRow, said: str, side: str, fault: InputError | None) -> SetupRow:
    """A card that is none, with what may be meant."""
    head = f"{REST} " if row.count is None else f"{row.count} " if row.count > 1 else ""
    if isinstance(fault, UnknownRoleWord):
        near = near_words(fault.written[fault.at :], MOST)
        words = [" ".join((*fault.written[: fault.at], one, *fault.written[fault.at + 1 :])) for one in near]
        offered = _roles_of(words, side) or _roles_of(near, side)
        why = f"There is no role “{fault.written[fault.at]}”"
        nearest = f"; the nearest is {near[0]}." if near else ". Choose one from the list of roles."
        choices = tuple(f"{head}{one}" for one in offered)
        own = _own_card(fault.written, side, head, fault.at)
        return replace(row, doubt=f"{why}{nearest}", choices=choices, own=own)
    if _X_SHOT.search(said):
        numbered = [_X_SHOT.sub(f"{number}-Shot", said) for number in (1, 2, 3)]
        return replace(
            row,
            doubt="How many shots has it?",
            choices=tuple(f"{head}{one}" for one in _roles_of(numbered, side)),
        )
    vanilla = [f"{said} {GOON.name}", f"Vanilla {said}"] if said.casefold() in SIDE_WORDS else []
    offered = _roles_of([said, *vanilla], "")
    if side:  # what is said of it goes before the heading
        sided = [one if one.startswith(("Mafia ", "Town ")) else f"Town {one}" for one in offered]
        offered = [one for one in sided if _roles_of([one], "")]
    why = fault.why if isinstance(fault, RoleFault) else str(fault)
    choices = tuple(f"{head}{one}" for one in offered)
    own = _own_card(split(said), side, head)
    return replace(row, doubt=why[:1].upper() + why[1:], choices=choices, own=own)


def _own_card(written: Sequence[str], side: str, head: str, at: int = 0) -> str:
    """The line by which a role is a card of the moderator's own: from the word that is not known on, or all
    but the side; "" where the words make no name."""
    first = 1 if written and written[0].casefold() in SIDE_WORDS else 0
    cards = [
        " ".join((*written[:start], f"“{name.title() if name.islower() else name}”"))
        for start in (max(at, first), first)
        if (name := " ".join(written[start:]).strip("“”\"'"))
    ]
    return next((f"{head}{role}" for role in _roles_of(cards, side)), "")


def _roles_of(words: Iterable[str], side: str) -> list[str]:
    """The names in full of those that are roles, each once."""
    found = (_role(one, side)[0] for one in words)
    return list(dict.fromkeys(role.name for role in found if role is not None))
