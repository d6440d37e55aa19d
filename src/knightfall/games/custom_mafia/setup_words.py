"""The words that stand around the cards of a setup: headings, keys, sentences, numbers of something else."""

from __future__ import annotations

import re
from collections.abc import Mapping

from knightfall.games.custom_mafia.roles import OFTEN, PHRASES, PLAIN
from knightfall.games.custom_mafia.setup_lines import (
    BULLET,
    NOT_IN_PLAY,
    SIDE_WORDS,
    SetupRow,
    read_cards,
)
from knightfall.games.custom_mafia.setup_markup import GONE, HEADING, bare
from knightfall.votes.numbers import NUMBER_WORDS

_NUMBERS = "|".join(NUMBER_WORDS)
COMMENT = re.compile(r"\s*(?:#(?!#)|//)")
SETUP_HEADS = re.compile(
    r"(?:the |base |open |game |this )?(?:set[ -]?up|role ?list|roles?|composition|cards|deck|"
    r"role distribution|"
    r"setup list|roles in (?:play|the game|this game))(?: list)?(?: is| are)?",
    re.IGNORECASE,
)
"""What stands above the cards."""
_SETUP_WORDS = re.compile(
    r"\b(?:set-?up|roles|role ?list|composition|cards|features|contains|consists of)\b", re.I
)
_NO_SETUP_WORDS = re.compile(
    r"\b(?:pm|pms|pm'?s|descriptions?|explan\w+|abilit\w+|samples?|rules?|do|does|work|players?|notes?|claims?)\b",
    re.I,
)
OF_PLAYERS = re.compile(rf"\b(?:\d{{1,2}}|{_NUMBERS})[ -]?(?:players?|p)\b", re.I)
OTHER_HEADS = re.compile(
    r".*\b(?:rules?|mechanics?|pms?|pm'?s|players?|player ?list|sign[ -]?ups?|replacements?|"
    r"deadlines?|schedule|"
    r"timeline|dates?|history|discussion|notes?|credits?|links?|voting|votes?|vote ?counts?|"
    r"win(?:ning)? conditions?|"
    r"wincons?|faq|hosts?|moderators?|mods?|co-?mods?|pre-?ins?|backups?|descriptions?|explanations?|explained|"
    r"abilities|flavou?r|story|intro(?:duction)?|about|alive|dead|graveyard|completed games|questions?|"
    r"night actions?|resolution|activity|phases?|prods?|conduct|summary|examples?|what they do|"
    r"what the roles do|roster|queue|changes|changelog|how to|balance|general|info(?:rmation)?|details|"
    r"order of operations|time|theme|archive|results?|stats|statistics|spectators?|subs|reserves?)\b.*",
    re.IGNORECASE,
)
"""What stands above anything else."""
META = re.compile(
    r"(?:co-?|main |game |head )?(?:hosts?|mods?|moderators?|size|difficulty|type|genre|date|"
    r"starts?|start date|"
    r"start time|begins|deadline|days?|nights?|day length|night length|phases?|phase length|"
    r"day start|majority|"
    r"voting|time ?zone|theme|signups?|sign-ups?|designer|designed by|author|created by|"
    r"reviewer|reviewed by|link|"
    r"thread|topic|queue|status|ends?|forum|players?|slots?|seats?|population|player count|capacity|spots?|"
    r"number of players|total|game|title|name|format|thanks(?: to)?|prod|prods|replacements?|"
    r"ita|alive|dead|hammer|"
    r"/?in|/?out|start|kickoff|rand|win|wins?)",
    re.IGNORECASE,
)
"""The key of a line that says something of the game."""
COUNT_OF_PLAYERS = re.compile(
    r"(?P<no>\b(?:least|most|up to|than|min(?:imum)?|max(?:imum)?|about|around|first|last|"
    r"other|every|per)\s+)?"
    r"\b(?P<number>\d{1,2})\s*(?:-|\s)?\s*(?:players?\b|p\b|player\b)(?!\s*(?:each|at|may|can|"
    r"to|per|a |left|dead|are|is|die))"
    r"|^\W*(?:players?|total|number of players|size|game size|setup size|player count|slots?|"
    r"seats?|population|capacity)"
    r"(?:\s*\(|\s*[:=–-]\s*)(?:\d{1,2}\s*/\s*)?(?P<total>\d{1,2})\)?\W*$",
    re.IGNORECASE,
)
UNITS = re.compile(
    r"(?:x\s*)?\d{1,3}(?:st|nd|rd|th)?[\s-]*(?:hours?|hrs?|h|days?|nights?|minutes?|mins?|weeks?|posts?|players?|p|"
    r"votes?|prods?|pm|am|%|points?|replacements?|characters?|words?|gmt|utc|warnings?|/)(?!\w).*",
    re.IGNORECASE,
)
"""A number of something else than cards."""
_ORNAMENT = re.compile(r"[-=_*~#.<>|+:•·—–\s]*")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_COMMON = re.compile(
    r"(?:the|you|your|yours|i|my|we|our|us|is|are|was|were|be|been|will|would|must|may|can|could|should|"
    r"shall|do|does|did|this|that|these|those|to|for|please|not|if|by|in|at|it|its|they|them|their|he|she|"
    r"his|her|who|whom|which|when|while|then|than|there|here|after|before|during|until|as|from|but|so|"
    r"because|also|only|each|every|any|all|no|none|welcome|hosted|hosting|game|games|day|days|night|"
    r"nights|phase|vote|votes|voting|lynch|lynched|elimination|eliminated|kill|kills|killed|die|dies|dead|"
    r"alive|win|wins|post|posts|thread|start|starts|started|end|ends|hour|hours|deadline|moderator|mod|"
    r"host|read|enjoy|thanks|thank|everyone|everybody|someone|anyone|have|has|had|get|gets|got|make|makes|"
    r"play|plays|playing|played|about|with|without|into|out|up|on|off|over|more|less|most|many|much|very|"
    r"just|even|still|between|under|against)"
)
"""Words of a sentence."""
_SIDED = ("town", "mafia", "scum", "werewolf")
"""What a card may begin with."""
MOST_OF_A_CARD = 6
"""So many words has a card at most that begins with its side."""
_LEADS = re.compile(
    r"\b(?:with|of|are|is|be|have|has|had|features?|featuring|contains?|containing|includes?|including|comprises?|"
    r"against|using|uses?|following|add|adding|like this|get|need|want|dealt|:)\s*:?\s+",
    re.IGNORECASE,
)
"""What cards stand behind in a sentence."""
_TAILS = re.compile(
    r"(?<=[\w)])\s*(?:[,;–—-]\s*)?\b(?:to (?:create|make|fill|give|complete|get|form)|for a "
    r"total|in total|total|making|which|"
    r"that (?:makes|is)|altogether|so that|where|who|in (?:this|the) game|in play|this time|"
    r"as usual)\b.*$|\s*[.!?:]+\s*$",
    re.IGNORECASE,
)
_BEGINS_WITH_NUMBER = re.compile(rf"\W*(?:\d|{_NUMBERS}|an?\b|rest|every)", re.IGNORECASE)
POSSIBLE = re.compile(
    r"\b(?:not in|removed|excluded|banned|unused|possible (?:\w+ )?roles|potential (?:\w+ "
    r")?roles|may (?:be|appear|exist)|"
    r"might (?:be|exist)|could (?:be|exist)|no such)\b",
    re.IGNORECASE,
)
"""A heading of roles that may be in the game, or are not."""
SURE_KEY = re.compile(
    r"\b(?:always|fixed|in play|in every game|guaranteed|base|town|mafia|scum|setup|set-up|"
    r"roles?|prs?|vanilla|"
    r"composition|list|cards|added|plus|also|neutrals?|third|here|following|game)\b",
    re.IGNORECASE,
)
"""What may stand before cards and a colon."""
VARIANT = re.compile(
    r"(?:(?:set-?up|variant|variation|option|version|possibility|row|case|roll)\s*)?#?\s*(?:[A-H]|\d{1,2}|[IVX]{1,4})",
    re.IGNORECASE,
)
VARIANTS_SAID = re.compile(
    r"\b(?:variants?|variations?|possible set-?ups?|possibilit\w+|one of (?:the|these|them|following)|rolled|"
    r"equally likely|is (?:rolled|drawn|chosen|picked)|one is|random\w*)\b",
    re.IGNORECASE,
)
EXAMPLE = re.compile(
    r"\W*(?:for (?:example|instance)|e\.g\.?|example|if|suppose|say|imagine)\b", re.IGNORECASE
)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"(\d])")
_OF_MANY_WORDS = re.compile(
    r"town|mafia|odd|even|night|shot|weak|lazy|loyal|body|guard|man|god|role|strong|driver|bus|keeper|"
    r"father|jail|proof|bullet|killer|serial|non|bomb|consecutive|vanilla|lover|blocker|"
    r"simple|complex|activated|roaming|novice"
)
"""Words of roles that stand in sentences of other things, too."""
_ROLE_WORDS = frozenset(
    word
    for phrase in PHRASES
    for word in phrase
    if len(word) > 2
    and not _OF_MANY_WORDS.fullmatch(word)
    and word not in (*PLAIN, *NUMBER_WORDS, *" ".join(OFTEN).split())
)
SPEAKS_OF_CARDS = re.compile(
    rf"\b(?:\d{{1,2}}x?|{_NUMBERS})\s+(?:[\w-]+\s+){{0,2}}"
    rf"(?:{'|'.join(sorted(_ROLE_WORDS))}|town|mafia|scum)s?\b",
    re.IGNORECASE,
)
BOTH_WAYS = re.compile(
    r"\brows?\b[^.\n]{0,30}\bor\b[^.\n]{0,20}\bcolumns?\b|\bcolumns?\b[^.\n]{0,30}\bor\b[^.\n]{0,20}\brows?\b",
    re.IGNORECASE,
)
AND_WAYS = re.compile(
    r"\brows?\b[^.\n]{0,12}\band\b[^.\n]{0,12}\b(?:one |a )?columns?\b[^.\n]{0,30}", re.IGNORECASE
)
ROW_WAY = re.compile(r"\b(?:one|a|random(?:ly)?|single)\b[^.\n]{0,40}\brows?\b", re.IGNORECASE)
COLUMN_WAY = re.compile(r"\b(?:one|a|random(?:ly)?|single)\b[^.\n]{0,40}\bcolumns?\b", re.IGNORECASE)
AS_KNOWN = re.compile(r"(?:set-?up\s*:\s*)?(?P<name>\S.*?),?\s+as it is known", re.IGNORECASE)
NAMED = re.compile(
    r"(?:.*\b(?:set-?up|this is|this will be|it'?s|we (?:will |are |'ll )?play(?:ing)?|"
    r"running|hosting|playing|"
    r"welcome to|game type|format|open)\b\s*(?:(?:is|of|a|an|the|game|set-?up)\b|[:=–\s-])*)?(?P<name>\S.*?)",
    re.IGNORECASE,
)
AROUND_NAME = re.compile(
    r"^(?:an?|the|open|semi-open|newbie|game of|game|mini|micro)\s+|"
    r"\s*(?:\(?\d+\s*(?:players?|p)\)?|set-?up|mafia|"
    r"game|\(open\)|\(semi-open\))$",
    re.IGNORECASE,
)
SAYS_NAME = re.compile(r".*\b(?:set-?up\b\s*(?:is\b|:|=)|this is\b|playing\b)", re.IGNORECASE)

TITLE = re.compile(
    r"(?:.*\b(?:open|mini|micro|large|newbie|round|game|season|normal|theme|edition|sign-?ups?)\b.*\d.*|(?!town\b|\d).+\s+mafia)\W*",
    re.IGNORECASE,
)


_OF_SO_MANY = re.compile(
    r"\s*\(\s*\d{1,2}\s*(?:players?|p)?\s*\)$|\s*[,–—-]\s*\d{1,2}\s*-?\s*(?:players?|p)$", re.IGNORECASE
)
"""For how many a heading says a setup is: “Setup (13)”, “Setup - 13 players”."""
GREETING = re.compile(
    r"(?:dear|hi|hello|hey|greetings|good (?:morning|evening|day)|welcome)(?:\s+[\w’'-]+){0,3}\s*[,!.]*"
    r"|(?:yours|best|cheers|regards|kind regards|best regards|thanks|thank you|love)(?:\s+\w+)?"
    r"\s*[,!.]*(?:\s*[–—-]*\s*\w+)?",
    re.IGNORECASE,
)
"""How a letter begins and ends."""
TABLE_HEAD = re.compile(
    r"(?:roles?|cards?)\s*[,;]\s*(?:count|number|amount|quantity|how many)|"
    r"(?:count|number|amount|quantity)\s*[,;]\s*(?:roles?|cards?)",
    re.IGNORECASE,
)
"""The first line of a table whose cells are parted by commas."""
OF_SOME = re.compile(rf"\b(?:\d{{1,2}}|{_NUMBERS}|some|any|each)\s+(?:of|from|out of)\b", re.IGNORECASE)
"""Words by which not all that follows is in the game."""


def has_role_words(said: str) -> bool:
    """Whether a word may be of a role, as it is or in the plural."""
    words = [word.casefold() for word in _WORD.findall(said) if word.casefold() != "all"]
    return any(word in _ROLE_WORDS or word.removesuffix("s") in _ROLE_WORDS for word in words)


_SLOT = re.compile(
    rf"^(?P<before>[\s{GONE}]*)(?:(?i:slot|seat|player|role|card)\s*|#)?(?P<first>\d{{1,2}})(?:\s*[-–—]\s*(?P<last>\d{{1,2}}))?\s*[:=–—-](?=[\s{GONE}]+\S)"
)
LEAST_SLOTS = 4
"""So many lines with the numbers 1, 2, 3 and so on are a numbered list: fewer may count their cards."""


def without_slot_numbers(plain: str) -> str:
    """A post whose lists by slot say how many each line is for: “1-3: Goon”, “4: Cop”, “5-13: VT” are three,
    one and nine. Such a list goes on from 1 without a gap, and has a range or four lines. Every letter stays
    in its place."""
    lines = plain.split("\n")
    block: list[tuple[int, re.Match[str]]] = []
    for number, line in enumerate([*lines, ""]):
        match = _SLOT.match(line)
        after = int(block[-1][1]["last"] or block[-1][1]["first"]) + 1 if block else 1
        if match and int(match["first"]) == after and int(match["last"] or after) >= after:
            block.append((number, match))
            continue
        ranges = len(block) > 1 and any(one["last"] for _, one in block)
        if ranges or len(block) >= LEAST_SLOTS:
            for place, one in block:
                many = int(one["last"] or one["first"]) - int(one["first"]) + 1
                said = f"{one['before']}{f'{many}x' if many > 1 else ''}"
                lines[place] = f"{said.ljust(one.end(), GONE)}{lines[place][one.end() :]}"
        block = []
    return "\n".join(lines)


_MAFIA_OF = re.compile(
    rf"(?P<before>[\s{GONE}{HEADING}•*·\[(=~–—-]*(?:\d{{1,2}}\s*[x×]?\s+)?)"
    r"(?P<said>(?P<first>[^\W\d_]+)\s+(?:mafia|scum)(?:\s+(?:team|family|group|faction))?"
    r"|(?:mafia|scum)\s+(?:(?:team|family|group|faction|gang)\s+#?(?P<team>\w+)|#?(?P<number>[1-3]|[ABC]|one|two|three|I{1,3})))"
    r"(?=\s*[:(\[\])–—=~-](?!shot)|\s*$|\s+(?!-?shot)[^\W\d_])",
    re.IGNORECASE,
)
"""A mafia among several, by its name or number: “Red Mafia”, “Second Mafia Goon”, “Scum Team 2”."""
_ORDINALS = ("first", "second", "third")
MAFIAS = "ABC"


def with_lettered_mafias(plain: str) -> tuple[str, Mapping[str, str]]:
    """A post whose mafias have names or numbers, with Mafia A, B and C in their place in the order in which
    they come; and which is which. Every letter of the rest stays in its place."""
    lines = plain.split("\n")
    title = next((number for number, line in enumerate(lines) if bare(line)), -1)
    found: list[tuple[int, re.Match[str], str]] = []
    for number, line in enumerate(lines):
        match = _MAFIA_OF.match(line)
        name = (match["first"] or match["team"] or match["number"]).casefold() if match else ""
        if not match or (match["first"] and not _names_a_mafia(name)):
            continue
        if number != title or bare(line[match.end() :]):
            found.append((number, match, name))
    names = list(dict.fromkeys(name for _, _, name in found))
    if not 2 <= len(names) <= len(MAFIAS):
        return plain, {}
    called: dict[str, str] = {}
    for number, match, name in found:
        said = match["said"]
        side = f"{'Mafia' if len(said) >= len('Mafia A') else 'Scum'} {MAFIAS[names.index(name)]}"
        if said.casefold() != f"mafia {side[-1]}".casefold():
            called.setdefault(said, f"Mafia {side[-1]}")
        line, short = lines[number], side.ljust(len(said), GONE)
        lines[number] = f"{line[: match.start('said')]}{short}{line[match.end() :]}"
    return "\n".join(lines), called


def _names_a_mafia(word: str) -> bool:
    """Whether a word before “Mafia” tells one from another."""
    if word in _ORDINALS:
        return True
    known = word in SIDE_WORDS or word in PLAIN or word in NUMBER_WORDS or word in _ROLE_WORDS
    return not known and _COMMON.fullmatch(word) is None


def is_setup_head(head: str, surely: bool) -> bool:
    """Whether words stand above the cards; with a colon, or as a heading, a longer sentence may."""
    short = _OF_SO_MANY.sub("", head.strip(" -–—>"))
    if SETUP_HEADS.fullmatch(short):
        return True
    return surely and _SETUP_WORDS.search(head) is not None and _NO_SETUP_WORDS.search(head) is None


def introduces(head: str, number: int, is_entry: bool, following: str) -> bool:
    """Whether “3 Mafia” or “Mafia (3)” stands above a list of them."""
    if head.endswith((")", "]")) or re.search(r"\s[–—-]\s*\d{1,2}$", head):
        return bool(number)
    bulleted = BULLET.match(following)
    return bool(number) and not is_entry and bulleted is not None and bool(bare(following[: bulleted.end()]))


def side_heading(head: str) -> tuple[str | None, int]:
    """The side that a heading names, "" for neither, None for no heading; and how many it says they are."""
    said = head.strip(" -–—*=~[]").casefold()
    match = re.fullmatch(
        r"(?:(?P<first>\d{1,2})\s*[x×]?\s+)?(?P<side>\D+?)(?:\s*[(\[–—:-]\s*(?P<last>\d{1,2})\s*(?:players?|roles?|cards?)?\s*[)\]]?)?",
        said,
    )
    if match is None:
        return None, 0
    return SIDE_WORDS.get(match["side"].strip(" -–—")), int(match["first"] or match["last"] or 0)


def is_no_card(said: str) -> bool:
    """Whether words are no card: “Goons:” may be one."""
    return all(row.doubt for row in read_cards(0, 0, said))


def comment(said: str) -> str:
    return f"// {said[:60]}"


def is_prose(said: str) -> bool:
    """Whether words are a sentence, and not a card that is not known."""
    words = [word.casefold() for word in _WORD.findall(said)]
    if not words:
        return _ORNAMENT.fullmatch(said) is not None
    common = sum(_COMMON.fullmatch(word) is not None for word in words)
    if words[0] in _SIDED and len(words) <= MOST_OF_A_CARD and not said.rstrip().endswith((".", "!", "?")):
        # “Town Back-Up of All Trades” is a card that is not known; “Mafia wins at parity” is a sentence.
        # Nor is “Town Day Glazier” a sentence.
        by_day = words[1:2] in (["day"], ["night"]) and common == 1
        return len(words) > 1 and _COMMON.fullmatch(words[1]) is not None and not by_day
    counted = re.match(r"[(\[]?\d{1,3}\s*[x×)\]]?\s+\D", said)
    if counted and len(words) <= 5 and common < 2:
        return False
    if len(words) >= 4 and said.rstrip()[-1:] in ".!?…":
        return True
    if common >= 1 and len(words) >= 4:
        return True
    return (common >= 2 and len(words) >= 3) or (common >= 1 and len(words) >= 14)


def is_several_sentences(said: str) -> bool:
    return is_prose(said) and len(SENTENCE_END.split(said)) > 1


def sentence_cards(line: int, sentence: str, side: str) -> tuple[SetupRow, ...]:
    """The cards that end a sentence, behind a word such as “are”; with a number at least one of them."""
    short = _TAILS.sub("", sentence)
    cuts = [0, *(match.end() for match in _LEADS.finditer(short))]
    if NOT_IN_PLAY.search(short):
        return ()
    subject = re.match(r"\W*(?:the\s+)?(\w+)\s+(?:has|have|gets?|is|are)\b", short, re.IGNORECASE)
    side = SIDE_WORDS.get(subject[1].casefold(), side) if subject else side
    for cut in cuts:
        tail = _TAILS.sub("", short[cut:]).strip()
        if not tail or (cut == 0 and len(cuts) == 1 and not SPEAKS_OF_CARDS.match(tail)):
            continue
        rows = read_cards(line, 0, re.sub(r"^(?:an?|the)\s+", "1 ", tail), side)
        clear = all(row.roles and not row.doubt and not row.remark for row in rows)
        if clear and any(_BEGINS_WITH_NUMBER.match(row.typed) for row in rows):
            # Cards before the word that were not read must not be lost.
            return () if SPEAKS_OF_CARDS.search(short[:cut]) else rows
    return ()
