"""What posts held, as text that a store keeps, so that another process need not read them for votes again.

What a body holds depends on the body, its style and the forms alone (see `BodyReader`). Posts are kept in
blocks of `BLOCK` numbers, each under a digest of its bodies: an edit or a deletion costs the block that it is
in, and the last block, which still grows, is read. Nothing here touches a disk: the table is that of
`storage.recounts`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from typing import Any

from knightfall.models import Post
from knightfall.votes.ballots import Action, Ballot, Form, Forms, Region
from knightfall.votes.body_memory import MOST_POSTS
from knightfall.votes.vote_parser import NOTHING, BodyReader, Found

BLOCK = 250
"""Numbers of posts that are kept together."""
_ACTIONS = {action.value: action for action in Action}
_FORMS = {form.value: form for form in Form}
_REGIONS = {region.value: region for region in Region}


@dataclass(frozen=True, slots=True)
class Block:
    """The bodies of the posts with `BLOCK` numbers, in order; `number` counts the blocks of a thread."""

    number: int
    bodies: tuple[str, ...]

    @property
    def digest(self) -> str:
        """SHA-256 of the bodies and where they are parted."""
        sizes = ",".join(map(str, map(len, self.bodies)))
        return sha256(f"{sizes}\0{''.join(self.bodies)}".encode("utf-8", "surrogatepass")).hexdigest()


def blocks_of(posts: Sequence[Post]) -> tuple[Block, ...]:
    """The whole blocks of a thread: the last one may still grow. None where the posts are more than a reader
    remembers: then it would forget the first while it takes the last."""
    if len(posts) > MOST_POSTS:
        return ()
    grouped = groupby(posts, key=lambda post: post.number // BLOCK)
    return tuple(Block(number, tuple(post.body for post in some)) for number, some in grouped)[:-1]


def reader_key(reader: BodyReader, version: str) -> str:
    """SHA-256 of what makes a reader another one: the style, the forms, and the version of the code."""
    forms: Forms = reader.forms
    accepted = sorted(form.value for form in forms.accepted)
    house = [(pattern.pattern, pattern.flags) for pattern in forms.house]
    said = json.dumps([version, repr(reader.html_style), accepted, house, forms.words, forms.words_in_bold])
    return sha256(said.encode()).hexdigest()


def format_block(block: Block, reader: BodyReader) -> str:
    """What a reader knows of a block, as JSON: [unread, ballots, unread, found].

    `unread` are the places in the block of the bodies that were not read (a moderator's own, say); `ballots`
    and `found` list [place, what it held] for those that held something. The live ballots of what was found
    are null where they are the ballots of that place: nearly always.
    """
    known = [(reader.known_ballots(body), reader.known_found(body)) for body in block.bodies]
    ballots = [[place, _listed(held)] for place, (held, _) in enumerate(known) if held]
    found = [
        [place, None if held[0] == live else _listed(held[0]), _listed(held[1]), list(held[2])]
        for place, (live, held) in enumerate(known)
        if held is not None and held is not NOTHING
    ]
    no_ballots = [place for place, (held, _) in enumerate(known) if held is None]
    not_found = [place for place, (_, held) in enumerate(known) if held is None]
    return json.dumps([no_ballots, ballots, not_found, found], separators=(",", ":"))


def parse_block(text: str, block: Block, reader: BodyReader) -> None:
    """Have a reader remember what `format_block` wrote of the block. Raises ValueError for what it did not
    write; nothing of it is remembered then."""
    try:
        no_ballots, ballots, not_found, found = json.loads(text)
        held = {place: _ballots(rows) for place, rows in ballots}
        more: dict[int, Found] = {
            place: (
                held.get(place, ()) if live is None else _ballots(live),
                _ballots(misses),
                tuple(map(str, short)),
            )
            for place, live, misses, short in found
        }
        unread, unfound = frozenset(no_ballots), frozenset(not_found)
    except (LookupError, TypeError, RecursionError) as fault:
        raise ValueError(f"not a block of ballots: {fault}") from None
    for place, body in enumerate(block.bodies):
        ballots = None if place in unread else held.get(place, ())
        reader.remember(body, ballots, None if place in unfound else more.get(place, NOTHING))


def _listed(ballots: Iterable[Ballot]) -> list[list[Any]]:
    return [
        [one.action.value, one.text, one.form.value, one.line, one.region.value, one.unclear, one.prose]
        for one in ballots
    ]


def _ballots(rows: Iterable[Sequence[Any]]) -> tuple[Ballot, ...]:
    return tuple(_each(rows))


def _each(rows: Iterable[Sequence[Any]]) -> Iterator[Ballot]:
    for action, text, form, line, region, unclear, prose in rows:
        yield Ballot(
            _ACTIONS[action], str(text), _FORMS[form], str(line), _REGIONS[region], bool(unclear), bool(prose)
        )
