"""A game as text for a post: compressed, in parts that say what they are part of, and back from whatever text
holds them. Pure: nothing is read or written here."""

from __future__ import annotations

import base64
import json
import lzma
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import unescape
from textwrap import wrap
from typing import Any

from knightfall.errors import InputError

WIDTH = 76
"""Letters of a line."""
LEAST = 2_000
"""No part is shorter, whatever is asked for."""
MOST = 256 * 2**20
"""Bytes that a game may have when it is unpacked."""
_PART = re.compile(
    r"KNIGHTFALL (?P<part>\d{1,4})/(?P<parts>\d{1,4}) ENTRY (?P<entry>\d{1,9}) SINCE (?P<since>\d{1,9}) "
    r"(?P<digest>[0-9a-f]{32})\s(?P<body>[A-Za-z0-9+/=\s]*?)\s?END KNIGHTFALL (?P=part)/(?P=parts)"
)
_TAG = re.compile(r"<[^<>]{0,2000}>")


@dataclass(frozen=True, slots=True)
class CapsuleHead:
    """What a part of a capsule says of the whole: the last entry in it, behind which entry it begins (0: it
    has all), and a digest of it."""

    entry: int
    since: int
    digest: str


@dataclass(frozen=True, slots=True, repr=False)
class Capsule:
    """A capsule that was found whole in a text, not unpacked yet."""

    head: CapsuleHead
    packed: bytes


@dataclass(frozen=True, slots=True)
class FoundCapsules:
    """What a text holds: whole capsules, and of others which parts are missing."""

    whole: tuple[Capsule, ...]
    missing: Mapping[CapsuleHead, tuple[int, ...]]


def packed(value: Mapping[str, Any]) -> bytes:
    """JSON values as bytes that only `unpacked` reads."""
    said = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return lzma.compress(said.encode("utf-8", "surrogatepass"), preset=9 | lzma.PRESET_EXTREME)


def unpacked(data: bytes) -> dict[str, Any]:
    """Back from `packed`. Raises InputError for anything else, and for what unpacks to too much."""
    try:
        reader = lzma.LZMADecompressor(memlimit=MOST)
        said = reader.decompress(data, MOST + 1)
        if len(said) > MOST or not reader.eof:
            raise InputError("The hand-over unpacks to more than any game is. Nothing was taken over.")
        found = json.loads(said.decode("utf-8", "surrogatepass"))
    except (lzma.LZMAError, ValueError, RecursionError, EOFError):
        raise InputError("The hand-over cannot be unpacked. Copy it again, whole.") from None
    if not isinstance(found, dict):
        raise InputError("The hand-over cannot be unpacked. Copy it again, whole.")
    return found


def parts_of(data: bytes, entry: int, since: int, limit: int) -> tuple[str, ...]:
    """The parts in which packed bytes are posted, none longer than so many letters, its code box included."""
    letters = base64.b64encode(data).decode("ascii")
    digest = sha256(data).hexdigest()[:32]
    room = max(limit, LEAST) - 250  # its first and last line, the box, the ends of its lines
    size = max(room * WIDTH // (WIDTH + 1), WIDTH)
    pieces = [letters[start : start + size] for start in range(0, len(letters), size)]
    return tuple(
        f"[code]\nKNIGHTFALL {number}/{len(pieces)} ENTRY {entry} SINCE {since} {digest}\n"
        + "\n".join(wrap(piece, WIDTH))
        + f"\nEND KNIGHTFALL {number}/{len(pieces)}\n[/code]"
        for number, piece in enumerate(pieces, start=1)
    )


def capsules_in(texts: Sequence[str]) -> FoundCapsules:
    """The capsules in texts: what was pasted, files of the parts, or the saved pages of the topic, in any
    order and among whatever else stands there."""
    found: dict[CapsuleHead, dict[int, str]] = {}
    counts: dict[CapsuleHead, int] = {}
    for text in texts:
        plain = unescape(_TAG.sub(" ", text)) if "<" in text else text
        for match in _PART.finditer(plain):
            head = CapsuleHead(int(match["entry"]), int(match["since"]), match["digest"])
            counts[head] = int(match["parts"])
            found.setdefault(head, {})[int(match["part"])] = re.sub(r"\s", "", match["body"])
    whole, missing = list[Capsule](), dict[CapsuleHead, tuple[int, ...]]()
    for head, bodies in found.items():
        lacks = tuple(number for number in range(1, counts[head] + 1) if number not in bodies)
        if lacks:
            missing[head] = lacks
            continue
        try:
            data = base64.b64decode("".join(bodies[number] for number in sorted(bodies)), validate=True)
        except ValueError:
            data = b""
        if sha256(data).hexdigest()[:32] == head.digest:
            whole.append(Capsule(head, data))
        else:
            missing[head] = ()
    return FoundCapsules(tuple(whole), missing)
