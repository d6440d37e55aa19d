"""What a post says of itself, held against its cards: numbers of players, headings, names, lines said
twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from knightfall.games.custom_mafia.catalog import TOWNIE
from knightfall.games.custom_mafia.open_setups import OpenSetup
from knightfall.games.custom_mafia.roles import parse_role
from knightfall.games.custom_mafia.setup_lines import CALLED, SetupRow, matrix_row
from knightfall.games.custom_mafia.setup_markup import bare
from knightfall.games.custom_mafia.setup_reading import MOST_LEFT_OUT, CountedHeading, PostState, SetupReading
from knightfall.games.custom_mafia.setup_words import VARIANTS_SAID, comment

MOST_ROWS = 200
"""So many cards of a setup are read."""


def open_heading(post: PostState, number: int) -> None:
    post.headings.append(CountedHeading(len(post.rows), number))


def close_heading(post: PostState) -> None:
    if post.headings and post.headings[-1].open:
        _check_heading(post, post.headings[-1])
        post.headings[-1] = replace(post.headings[-1], open=False)


def _check_heading(post: PostState, heading: CountedHeading) -> None:
    """A heading that says another number than its cards is a doubt."""
    if heading.cards in (0, heading.number) or heading.place >= len(post.rows):
        return
    row = post.rows[heading.place]
    if not row.roles and not row.doubt and row.remark.startswith("A heading"):
        said = re.sub(
            r"\s*[(\[–—:-]?\s*\d{1,2}\s*(?:players?|roles?|cards?)?\s*[)\]]?\s*:?\s*$|^\d{1,2}\s*[x×]?\s+",
            "",
            row.typed,
        )
        told = f"The heading says {heading.number}, and what follows are {heading.cards} cards."
        post.rows[heading.place] = replace(row, doubt=told, remark="", choices=(f"{said}:",))


def checked(post: PostState) -> SetupReading:
    """The reading, with what does not agree as doubts."""
    close_heading(post)
    rows = post.rows
    # What stands before the setup and is unknown is no card of it.
    if post.first > 0:
        for place in range(post.first):
            row = rows[place]
            if row.doubt and not row.choices and not any(one.roles for one in rows[:place]):
                rows[place] = replace(row, doubt="", remark="Left out: no cards.")
    if len(post.variants) > 1:
        rows = post.rows = _one_of_variants(post)
    cards = [row for row in rows if row.roles]
    named = _known_setup(post, cards)
    townie = parse_role(TOWNIE.name)
    filled = any(row.count is None for row in cards)
    counted = any(townie in row.roles for row in cards)
    _ask_about_seconds(post)
    _ask_about_unnumbered(post)
    if named is None and cards and not any(row.doubt for row in rows):
        if counted and not filled:
            _compare_players(post, sum(row.count or 0 for row in cards))
            _ask_about_dice(post)
        else:
            _compare_players(post, sum(row.count or 0 for row in cards), least=True)
    rest = townie if cards and not counted and not filled else None
    told = _joined(rows)
    if sum(bool(row.roles or row.doubt) for row in told) > MOST_ROWS:
        told = _cut(told)
    return SetupReading(post.text, tuple(told), rest if named is None else None, named)


def _one_of_variants(post: PostState) -> list[SetupRow]:
    """The rows, with the deals of which one is rolled as one row of a matrix; a doubt where that is not
    said."""
    taken = {place for one in post.variants for place in one}
    parts = [[post.rows[place] for place in one] for one in post.variants]
    first, last = parts[0][0], parts[-1][-1]
    deals = ["; ".join(row.typed for row in part) for part in parts]
    begins = post.text.rfind("\n", 0, first.start) + 1
    empty = SetupRow(first.line, begins, last.end, "\n".join(deals)[:MOST_LEFT_OUT])
    if any(len(row.roles) != 1 or row.count is None or row.drawn for part in parts for row in part):
        told = (
            "Several setups, of which one is dealt? Write every card of each: they cannot have "
            "“or” or “rest”."
        )
        one = replace(empty, doubt=told)
    else:
        cells = [[row.roles[0].name for row in part for _ in range(row.count or 0)] for part in parts]
        one = matrix_row(empty, cells, "row")
        if not one.doubt and not VARIANTS_SAID.search(bare(post.plain)):
            listed = " / ".join(", ".join(cell) for cell in cells)
            told = "Several lines are each a whole setup. Is one of them dealt, or are all in one game?"
            choices = (f"one row of: {{{listed}}}", ", ".join(row.typed for part in parts for row in part))
            one = replace(empty, doubt=told, choices=choices)
    kept = [
        row
        for place, row in enumerate(post.rows)
        if place not in taken and not begins <= row.start <= last.end
    ]
    place = next((at for at, row in enumerate(kept) if row.start > begins), len(kept))
    return [*kept[:place], one, *kept[place:]]


def _known_setup(post: PostState, cards: Sequence[SetupRow]) -> OpenSetup | None:
    """The open setup that the post names, where that is all it says; else which holds is asked."""
    if not post.known:
        return None
    place, found, fixed = post.known[0]
    others = [row for row in post.rows if row.doubt or row.roles]
    if fixed:
        place, found, _ = next(one for one in post.known if one[2])
        for at, row in enumerate(post.rows):
            if row.doubt or row.roles:
                told = f"Left out: the setup is {found.name}, as it is known."
                post.rows[at] = replace(row, doubt="", roles=(), choices=(), remark=told)
        return found
    if len({one.name for _, one, _ in post.known}) > 1:
        row = post.rows[place]
        choices = tuple(
            f"Setup: {one}, as it is known" for one in dict.fromkeys(one.name for _, one, _ in post.known)
        )
        post.rows[place] = replace(
            row, doubt="Two open setups are named. Which is it?", remark="", choices=choices
        )
        return None
    if not others:
        return found
    if cards and not any(row.doubt for row in post.rows) and _same_cards(found, cards):
        return None
    row = post.rows[place]
    told = (
        f"{found.name} is a known setup, and the post has lines of its own that say something "
        f"else. Which holds?"
    )
    choices = (f"Setup: {found.name}, as it is known", comment(row.typed))
    post.rows[place] = replace(row, doubt=told, remark="", choices=choices)
    return None


def _same_cards(found: OpenSetup, cards: Sequence[SetupRow]) -> bool:
    """Whether cards are those of an open setup, the lines of it at least."""
    setup = found.setup
    own: Counter[str] = Counter()
    for row in cards:
        if len(row.roles) == 1 and row.count is not None:
            own[row.roles[0].name] += row.count
    theirs: Counter[str] = Counter()
    for line in setup.lines:
        if len(line.roles) == 1:
            theirs[line.roles[0].name] += line.count or 0
    drawn = {tuple(role.name for role in row.roles) for row in cards if len(row.roles) > 1 and not row.grid}
    pools = {tuple(role.name for role in line.roles) for line in setup.lines if len(line.roles) > 1}
    grids = [row.grid for row in cards if row.grid]
    rest = {row.roles[0].name for row in cards if row.count is None} or {TOWNIE.name}
    short = {name for name in theirs if own[name] < theirs[name]}
    return (
        not own - theirs
        and short <= rest
        and drawn == pools
        and grids == ([setup.rows] if setup.rows else [])
    )


def _ask_about_seconds(post: PostState) -> None:
    """A role that was counted, and is named again with what it does, may be no further card."""
    seen: set[str] = set()
    for place, row in enumerate(post.rows):
        if not row.roles or row.doubt or len(row.roles) != 1:
            continue
        name = row.roles[0].name
        if name in seen and row.remark.startswith("Not read:") and row.count == 1:
            told = f"{name} is named again, with what it does. Is that one more?"
            post.rows[place] = replace(
                row, roles=(), doubt=told, remark="", choices=(comment(row.typed), f"1 {name}")
            )
        seen.add(name)


def _ask_about_unnumbered(post: PostState) -> None:
    """A role without a number that has one elsewhere, as “Vanilla” above “VT x6”, may be a heading."""
    several = {row.roles[0].name for row in post.rows if len(row.roles) == 1 and (row.count or 0) > 1}
    for place, row in enumerate(post.rows):
        bare_word = (
            len(row.roles) == 1 and row.count == 1 and not re.search(r"\d|\bone\b|\ban?\b", row.typed, re.I)
        )
        if bare_word and not row.doubt and not row.remark.startswith(CALLED) and row.roles[0].name in several:
            name = row.roles[0].name
            told = f"{name} has a number in another line, and none here. Is this one more, or a heading?"
            choices = (comment(row.typed), f"1 {name}")
            post.rows[place] = replace(row, roles=(), doubt=told, remark="", choices=choices)


def _ask_about_dice(post: PostState) -> None:
    for place, row in enumerate(post.rows):
        if row.drawn:
            told = (
                "How many there are is drawn, so somebody has to take the other places: who are "
                "all the others?"
            )
            post.rows[place] = replace(
                row, roles=(), doubt=told, choices=(f"{row.typed}, rest: {TOWNIE.name}",)
            )


def _compare_players(post: PostState, cards: int, least: bool = False) -> None:
    """A post that says for how many its setup is, and has another number of cards, is asked about."""
    said = {number for number, _ in post.numbers}
    if len(said) != 1:
        return
    number, line = post.numbers[0]
    if number == cards or (least and cards <= number):
        return
    told = (
        f"The post says {number} players, and these are {cards} cards. Correct one of them, or leave the "
        "number out."
    )
    place = next(
        (at for at, row in enumerate(post.rows) if (row.start, row.end) == (line.start, line.end)), -1
    )
    if place >= 0 and not post.rows[place].roles:
        post.rows[place] = replace(line, doubt=told, remark="", choices=(comment(line.typed),))
    else:  # the line has cards, too
        post.rows.append(SetupRow(line.line, line.end, line.end, f"{number} players", doubt=told))


def _joined(rows: Iterable[SetupRow]) -> list[SetupRow]:
    """Rows, those that were left out one after the other as one."""
    told: list[SetupRow] = []
    for row in rows:
        before = told[-1] if told else None
        if before and _is_left_out(before) and _is_left_out(row) and row.start >= before.end:
            lines = before.typed.count("\n") + 2
            typed = f"{before.typed}\n{row.typed}"
            told[-1] = replace(
                before, end=row.end, typed=typed, remark=f"Left out: no cards in {lines} lines."
            )
        else:
            told.append(row)
    return [
        replace(row, typed=f"{row.typed[:MOST_LEFT_OUT]}…")
        if _is_left_out(row) and len(row.typed) > MOST_LEFT_OUT
        else row
        for row in told
    ]


def _is_left_out(row: SetupRow) -> bool:
    return not row.roles and not row.doubt and row.remark.startswith("Left out: no cards")


def _cut(rows: list[SetupRow]) -> list[SetupRow]:
    """The first cards of what is no setup at all, and a doubt that says so."""
    kept: list[SetupRow] = []
    cards = 0
    for row in rows:
        if (row.roles or row.doubt) and (cards := cards + 1) > MOST_ROWS:
            told = f"No setup has so many lines: only the first {MOST_ROWS} cards were read."
            kept.append(SetupRow(row.line, row.start, row.end, row.typed, doubt=told))
            break
        kept.append(row)
    return kept
