"""A setup as moderators post it: what surrounds its lines, and the table that is dealt.

Of a post the lines with cards are read (`setup_lines`), from lists, boxes, headings by side and tables
(`setup_tables`), and an open setup that is named. What stands around them, rules, players, dates, is left
out, and every line that was is told. The numbers that a post says of itself, such as “13 players” or “Mafia
(3)”, are compared with its cards. Whatever is not sure is a doubt with what may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from knightfall.games.custom_mafia.open_setups import open_setup, open_setups
from knightfall.games.custom_mafia.options import PLAYERS
from knightfall.games.custom_mafia.setup_checks import (
    MOST_ROWS,
    checked,
    close_heading,
    open_heading,
)
from knightfall.games.custom_mafia.setup_lines import (
    BULLET,
    LONGEST_CARD,
    LONGEST_LINE,
    NOT_IN_PLAY,
    SIDE_WORDS,
    SetupRow,
    has_card_beside,
    read_cards,
)
from knightfall.games.custom_mafia.setup_markup import HEADING, RED, STRUCK, bare, without_markup
from knightfall.games.custom_mafia.setup_reading import MOST_LEFT_OUT, PostState, SetupReading
from knightfall.games.custom_mafia.setup_table_cards import read_table
from knightfall.games.custom_mafia.setup_tables import tables_in
from knightfall.games.custom_mafia.setup_words import (
    AROUND_NAME,
    AS_KNOWN,
    COMMENT,
    COUNT_OF_PLAYERS,
    EXAMPLE,
    GREETING,
    META,
    NAMED,
    OF_PLAYERS,
    OF_SOME,
    OTHER_HEADS,
    POSSIBLE,
    SAYS_NAME,
    SENTENCE_END,
    SETUP_HEADS,
    SPEAKS_OF_CARDS,
    SURE_KEY,
    TABLE_HEAD,
    TITLE,
    UNITS,
    VARIANT,
    comment,
    has_role_words,
    introduces,
    is_no_card,
    is_prose,
    is_setup_head,
    is_several_sentences,
    sentence_cards,
    side_heading,
    with_lettered_mafias,
    without_slot_numbers,
)
from knightfall.mafia.roles import TEAMS

LONGEST_POST = 100_000
"""Letters of a post."""
LONGEST_NOTE = 6
"""So many words a line has at most that says for how many the game is."""


def read_setup(text: str) -> SetupReading:
    """Read a setup as it stands in a post."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > LONGEST_POST:
        told = "This is longer than any post with a setup: paste the part of it that has the setup."
        return SetupReading(text, (SetupRow(1, 0, len(text), f"{text[:LONGEST_CARD]}…", doubt=told),))
    plain, mafias = with_lettered_mafias(without_slot_numbers(without_markup(text)))
    post = PostState(text, plain)
    tables = list(tables_in(text, post.plain))
    place = 0
    for table in tables:
        said = read_table(post, table)
        if said is None:
            continue
        _read_lines(post, place, table.start)
        for row in said:
            post.take(row)
        place = table.end
    _read_lines(post, place, len(text))
    for named, side in mafias.items():
        at = text.find(named)
        post.rows.append(SetupRow(post.line_of(at), at, at + len(named), named, remark=f"Read as {side}."))
    return checked(post)


# ── lines ────────────────────────────────────────────────────────────────────────────────────────


def _read_lines(post: PostState, begins: int, ends: int) -> None:
    """The lines of a part of the post."""
    start = begins
    lines = post.plain[begins:ends].split("\n")
    for number, written in enumerate(lines):
        if len(post.rows) > MOST_ROWS * 3:
            return
        following = next((one for one in lines[number + 1 : number + 4] if bare(one)), "")
        _read_line(post, start, written, following)
        start += len(written) + 1


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a post. `body` are its words behind a bullet, as they stand from letter `start` to `end`,
    `said` the same without markup: `head`, and what stands `after` a colon. `marked`: it is a heading by its
    markup."""

    number: int
    start: int
    end: int
    body: str
    said: str
    head: str
    colon: bool
    after: str
    marked: bool
    is_entry: bool

    @property
    def behind(self) -> tuple[int, str]:
        """Where what stands after the colon begins, and how it is written."""
        at = self.body.index(":") + 1
        return self.start + at, self.body[at:]


def _read_line(post: PostState, start: int, written: str, following: str) -> None:
    """One line: a heading, cards, or what is left out."""
    whole = bare(written)
    number, end = post.line_of(start), start + len(written)
    if not whole:
        post.after_blank = post.after_blank or not written.strip()
        return
    if COMMENT.match(written):
        return
    is_matrix = whole.casefold().startswith(("one row", "one column"))
    if len(written) > LONGEST_LINE and not is_matrix and not is_several_sentences(whole):
        typed = f"{whole[:LONGEST_CARD]}…"
        post.take(SetupRow(number, start, end, typed, doubt="This line is too long for roles."))
        return
    if STRUCK in written and not post.out:
        told = "Words are struck out here. What is in the game?"
        post.take(SetupRow(number, start, end, whole, doubt=told, choices=(comment(whole),)))
        return
    bulleted = BULLET.match(written)
    cut = bulleted.end() if bulleted else 0
    said = bare(written[cut:])
    head, colon, after = (one.strip() for one in said.partition(":"))
    is_entry = bool(bare(written[:cut]))
    line = _Line(
        number, start + cut, end, written[cut:], said, head, bool(colon), after, HEADING in written, is_entry
    )
    _note_players(post, line)
    if _is_heading(post, line, following) or _is_key(post, line):
        return
    if _names_setup(post, line.start, end, said, surely=False):
        return
    if post.out:
        _outside(post, line)
        post.after_blank = False
    elif line.colon and not after and is_no_card(head):
        post.leave(line.start, end, said, "A heading, no card.")
        post.side = ""
        close_heading(post)
    else:
        _take_cards(post, number, line.start, line.body, end)


def _is_heading(post: PostState, line: _Line, following: str) -> bool:
    """Whether a line is a heading: of the setup, of something else, or of a side; then it is taken."""
    own, number = side_heading(line.head)
    if line.after:
        return own is not None and not post.out and _side_before_cards(post, line, own, number)
    if line.colon and POSSIBLE.search(line.head):
        post.turn(out=line.head, unsure=True)
        close_heading(post)
        post.leave(line.start, line.end, line.said)
        return True
    surely = line.colon or line.marked
    if is_setup_head(line.head, surely):
        post.turn()
        close_heading(post)
        post.leave(line.start, line.end, line.said, "A heading, no card.")
        return True
    if own is not None and (
        surely
        or line.head.casefold() in SIDE_WORDS
        or introduces(line.head, number, line.is_entry, following)
    ):
        if post.out and not surely:
            post.leave(line.start, line.end, line.said)
            return True
        post.turn(side=own)
        close_heading(post)
        if number:
            open_heading(post, number)
        what = f"A heading: what follows is {own}." if own else "A heading, no card."
        post.leave(line.start, line.end, line.said, what)
        return True
    return _is_other_heading(post, line)


def _side_before_cards(post: PostState, line: _Line, own: str, number: int) -> bool:
    """“Mafia: 2 Goons”: the side of what stands behind it."""
    at, behind = line.behind
    rows = read_cards(line.number, at, behind, own)
    if not any(row.roles for row in rows) and is_prose(line.after):
        post.leave(line.start, line.end, line.said)
        return True
    post.first = len(post.rows) if post.first < 0 else post.first
    if number:
        open_heading(post, number)
    for row in rows:
        post.take(row)
    close_heading(post)
    return True


def _is_other_heading(post: PostState, line: _Line) -> bool:
    """Whether a line stands above something else than cards."""
    head = line.head
    about = OTHER_HEADS.fullmatch(head) and not OF_PLAYERS.search(head) and not head.endswith((".", "!", "?"))
    short = len(head.split()) <= 3 and not line.is_entry
    if about and (line.colon or line.marked or short) and is_no_card(head):
        post.out, post.unsure = head, False
        close_heading(post)
        post.leave(line.start, line.end, line.said)
        return True
    if line.marked and is_no_card(head):
        post.side = ""
        close_heading(post)
        if not _names_setup(post, line.start, line.end, line.said, surely=False):
            post.leave(line.start, line.end, line.said)
        return True
    return False


def _is_key(post: PostState, line: _Line) -> bool:
    """Whether a line says something of the game behind a colon: its setup, its players, its dates."""
    if line.colon and line.after and SETUP_HEADS.fullmatch(line.head):
        # “Setup: 2 Goons, 7 VT”, or a setup by its name.
        if not _names_setup(post, line.start, line.end, line.said, surely=True):
            at, behind = line.behind
            _take_cards(post, line.number, at, behind, line.end)
        return True
    if not line.colon or not META.fullmatch(line.head):
        return False
    post.leave(line.start, line.end, line.said)
    of_people = line.head.casefold().startswith(("player", "slot", "seat", "sign"))
    if of_people and not re.fullmatch(r"[\d/ ]*", line.after):
        post.out = line.head
    return True


def _outside(post: PostState, line: _Line) -> None:
    """A line below a heading of something else: only a number of cards after a blank line ends that part."""
    counted = re.match(r"[(\[]?\d{1,2}\s*[x×)\]]?\s+\D|.*[x×]\s*\d{1,2}\s*$", line.said)
    if (counted and not UNITS.match(line.said)) or post.unsure:
        rows = read_cards(line.number, line.start, line.body, "")
        if all(row.roles and not row.remark for row in rows):
            if post.after_blank and not post.unsure:
                post.out, post.side = "", ""
                for row in rows:
                    post.take(row)
                return
            told = f"Below “{post.out[:60]}”. Is this a card of the setup?"
            choices = (f"Setup: {line.said}", comment(line.said))
            post.take(SetupRow(line.number, line.start, line.end, line.said, doubt=told, choices=choices))
            return
    post.leave(line.start, line.end, line.said)


def _take_cards(post: PostState, line: int, start: int, body: str, end: int) -> None:
    """Cards of a line, or of a sentence; else what it says is left out, or asked about."""
    said = bare(body)
    if said.startswith("//"):
        post.leave(start, end, said)
        return
    rows = read_cards(line, start, body, post.side)
    if not any(row.doubt for row in rows):
        sides = {role.alignment in TEAMS for row in rows for role in row.roles}
        if len(rows) > 1 and len(sides) > 1:
            post.variants.append(range(len(post.rows), len(post.rows) + len(rows)))
        for row in rows:
            post.take(_with_its_other_side(row, post.line_at(row.start)) if not post.side else row)
        return
    if _is_no_line_of_cards(said, rows):
        post.leave(start, end, said)
        return
    if (UNITS.fullmatch(said) and not SPEAKS_OF_CARDS.search(said)) or OF_PLAYERS.fullmatch(
        said.strip(" .!")
    ):
        post.leave(start, end, said)
        return
    if _behind_key(post, line, start, body, end):
        return
    if _is_title(post, said, rows):
        post.leave(start, end, said)
        return
    sentence = is_prose(said)
    if sentence and (found := _from_sentences(post, line, start, end, said)):
        for row in found:
            post.take(row)
        return
    if sentence and not any(row.roles for row in rows):
        if (SPEAKS_OF_CARDS.search(said) or has_card_beside(said)) and not EXAMPLE.match(said):
            told = "This sentence speaks of cards. Write them as a line of their own, or leave it out."
            row = SetupRow(line, start, end, said[:MOST_LEFT_OUT], doubt=told, choices=(comment(said),))
            post.take(row)
            return
        post.leave(start, end, said)
        return
    for row in rows:
        post.take(row)


def _is_no_line_of_cards(said: str, rows: Sequence[SetupRow]) -> bool:
    """Whether a line is the head of a table, greets, or says for how many the game is, and names no card."""
    if TABLE_HEAD.fullmatch(said):
        return True
    if any(row.roles for row in rows) or has_role_words(said):
        return False
    short = len(said.split()) <= LONGEST_NOTE
    return GREETING.fullmatch(said) is not None or (short and OF_PLAYERS.search(said) is not None)


def _behind_key(post: PostState, line: int, start: int, body: str, end: int) -> bool:
    """Whether cards stand behind a colon: “Always: 2 Goons, 1 Cop”, “A: 2 Goons, 7 VT”. They are taken, or
    asked about where what stands before it does not say that they are in the game."""
    said = bare(body)
    key, colon, after = said.partition(":")
    if not colon or not after.strip() or any(row.roles for row in read_cards(line, 0, key)):
        return False
    at = body.index(":") + 1
    behind = read_cards(line, start + at, body[at:], post.side)
    if not all(row.roles and not row.doubt and not row.remark for row in behind):
        return False
    is_variant = VARIANT.fullmatch(key.strip()) is not None and len(behind) > 1
    is_sure = SURE_KEY.search(key) or OF_PLAYERS.fullmatch(key.strip())
    if not is_variant and (not is_sure or NOT_IN_PLAY.search(key) or OF_SOME.search(key)):
        told = f"“{key}” stands before cards. Are they in the game?"
        post.take(SetupRow(line, start, end, said, doubt=told, choices=(after.strip(), comment(said))))
        return True
    if is_variant:
        post.variants.append(range(len(post.rows), len(post.rows) + len(behind)))
    for row in behind:
        post.take(row)
    return True


def _is_title(post: PostState, said: str, rows: Sequence[SetupRow]) -> bool:
    """Whether words are the name of the game: the first of the post, and no card that is known."""
    first = not any(row.roles or row.doubt for row in post.rows)
    return first and TITLE.fullmatch(said) is not None and not any(row.roles for row in rows)


_OFTEN_MAFIA = ("Town Roleblocker", "Town Rolecop", "Town Redirector")
_SIDED = re.compile(r"\btown|\bmafia|\bscum", re.IGNORECASE)


def _with_its_other_side(row: SetupRow, written: str) -> SetupRow:
    """A role that the mafia often has and no word says whose it is: the other side is offered. Where it is
    `written` in red, as moderators mark the mafia, it is asked."""
    name = row.roles[0].name if len(row.roles) == 1 else ""
    if name.startswith("Town ") and not _SIDED.search(row.typed) and RED.search(written):
        head = f"{row.count} " if (row.count or 0) > 1 else ""
        told = "This is marked red, and no side is written. Is it of the mafia?"
        choices = (f"{head}{name.replace('Town', 'Mafia', 1)}", f"{head}{name}")
        return replace(row, roles=(), doubt=told, choices=choices, remark="")
    if len(row.roles) != 1 or row.roles[0].name not in _OFTEN_MAFIA or row.remark or _SIDED.search(row.typed):
        return row
    other = (
        f"{f'{row.count} ' if (row.count or 0) > 1 else ''}{row.roles[0].name.replace('Town', 'Mafia', 1)}"
    )
    return replace(row, remark="No side is written, so it is taken for town.", choices=(other,))


def _from_sentences(post: PostState, line: int, start: int, end: int, said: str) -> tuple[SetupRow, ...]:
    """The cards of sentences such as “In this game there are 2 Goons and 7 Townies.”; none where one of the
    sentences speaks of cards and is not understood."""
    found: list[SetupRow] = []
    for sentence in SENTENCE_END.split(said):
        if EXAMPLE.match(sentence):
            continue
        rows = sentence_cards(line, sentence, post.side)
        if not rows and SPEAKS_OF_CARDS.search(sentence):
            return ()
        told = f"Read in a sentence: “{said[:120]}”."
        found += (replace(row, start=start, end=end, remark=told) for row in rows)
    return tuple(found)


def _note_players(post: PostState, line: _Line) -> None:
    """How many players a line says there are."""
    for match in COUNT_OF_PLAYERS.finditer(line.said):
        number = int(match["number"] or match["total"])
        if not match["no"] and number in PLAYERS and number > 4:
            post.numbers.append((number, SetupRow(line.number, line.start, line.end, line.said)))


def _names_setup(post: PostState, start: int, end: int, said: str, *, surely: bool) -> bool:
    """Whether a line names an open setup."""
    if (fixed := AS_KNOWN.fullmatch(said)) is not None and (found := open_setup(fixed["name"])) is not None:
        post.known.append((len(post.rows), found, True))
        post.leave(start, end, said, f"The open setup {found.name}.")
        return True
    match = NAMED.fullmatch(said.rstrip(" .!"))
    name = match["name"] if match else ""
    for _ in range(4):
        if found := open_setup(name):
            break
        name = AROUND_NAME.sub("", name).strip(" .,!:-–—")
    if found := open_setup(name):
        post.known.append((len(post.rows), found, False))
        post.leave(start, end, said, f"The open setup {found.name}.")
        return True
    if surely or (SAYS_NAME.match(said) and len(name.split()) <= 2):
        line = post.line_of(start)
        if surely and any(row.roles for row in read_cards(line, 0, said.partition(":")[2])):
            return False
        if not surely and (not re.search(r"\d|\+", name) or is_prose(name)):
            return False
        if surely and (is_prose(name) or "," in name):
            return False
        near = get_close_matches(name, [one.name for one in open_setups()], n=3, cutoff=0.6)
        told = f"There is no open setup “{name}” here. Write its roles, a line each."
        choices = tuple(f"Setup: {one}, as it is known" for one in near)
        post.take(SetupRow(line, start, end, said, doubt=told, choices=(*choices, comment(said))))
        return True
    return False
