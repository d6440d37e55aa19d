"""A game as text for a post: compressed, in parts that say what they are part of, and back from whatever text
holds them. Pure: nothing is read or written here."""

from __future__ import annotations

import base64
import json
import lzma
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
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
MOST = 64 * 2**20
"""Bytes that a game may have when it is unpacked."""
_DICTIONARY = 80 * 2**20
"""Bytes that unpacking itself may use: what is packed here needs 65 MiB."""
_SKELETON = 2_000_000
"""Signs outside texts, and texts, that the JSON of a game may have: it is nearly all text."""
_TEXT = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_LINE = re.compile(
    r"KNIGHTFALL (?P<part>[0-9]{1,4})/(?P<parts>[0-9]{1,4}) ENTRY (?P<entry>[0-9]{1,9}) "
    r"SINCE (?P<since>[0-9]{1,9}) (?P<digest>[0-9a-f]{32})\s"
    r"|END KNIGHTFALL (?P<end>[0-9]{1,4}/[0-9]{1,4})"
)
"""The first line of a part, or its last."""
_BODY = re.compile(r"[A-Za-z0-9+/=\s]*")
_TAG = re.compile(r"<[^<>]{0,2000}>")
SEALED = b"KFS1"
"""Begins what an older Knightfall sealed with a passphrase."""
_TWISTED = "The hand-over cannot be unpacked. Copy it again, whole."
_TOO_MUCH = "The hand-over unpacks to more than any game is. Nothing was taken over."


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
    """What a text holds: whole capsules, and of the newest that is not whole which parts are missing (none:
    one was changed)."""

    whole: tuple[Capsule, ...]
    torn: CapsuleHead | None = None
    missing: tuple[int, ...] = ()


def packed(value: Mapping[str, Any]) -> bytes:
    """JSON values as bytes that only `unpacked` reads. Raises InputError for more than that reads."""
    said = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    data = said.encode("utf-8", "surrogatepass")
    if len(data) > MOST:
        raise InputError(
            f"The game is larger than {MOST // 2**20} MiB, pasted pages and all: no text can hand it over. "
            "Give your co-moderators a copy of its folder."
        )
    return lzma.compress(data, preset=9 | lzma.PRESET_EXTREME)


def unpacked(data: bytes) -> dict[str, Any]:
    """Back from `packed`. Raises InputError for anything else, and for what unpacks to too much."""
    if data.startswith(SEALED):
        raise InputError(
            "This hand-over was sealed with a passphrase by Knightfall 0.2, which newer ones do not open. "
            "Ask for one without a passphrase, or take it over with Knightfall 0.2 and hand it over again."
        )
    try:
        reader = lzma.LZMADecompressor(memlimit=_DICTIONARY)
        said = reader.decompress(data, MOST + 1)
        if len(said) > MOST or not reader.eof or not _is_slender(said):
            raise InputError(_TOO_MUCH)
        found = json.loads(said.decode("utf-8", "surrogatepass"))
    except (lzma.LZMAError, ValueError, RecursionError, EOFError):
        raise InputError(_TWISTED) from None
    if not isinstance(found, dict):
        raise InputError(_TWISTED)
    return found


def _is_slender(said: bytes) -> bool:
    """Whether JSON is so much text, and so little else, that its values need little more memory than it."""
    texts = kept = 0
    for texts, match in enumerate(_TEXT.finditer(said), start=1):
        kept += match.end() - match.start()
        if texts > _SKELETON:
            return False
    return len(said) - kept <= _SKELETON


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
        first: re.Match[str] | None = None
        for line in _LINE.finditer(plain):
            if not line["end"]:
                first = line
                continue
            if first is not None and line["end"] == f"{first['part']}/{first['parts']}":
                body = plain[first.end() : line.start()]
                if _BODY.fullmatch(body):
                    head = CapsuleHead(int(first["entry"]), int(first["since"]), first["digest"])
                    counts[head] = int(first["parts"])
                    found.setdefault(head, {})[int(first["part"])] = "".join(body.split())
            first = None
    whole, torn = list[Capsule](), list[CapsuleHead]()
    for head, bodies in found.items():
        data = b""
        if len(bodies) == counts[head] and max(bodies) == counts[head] and 0 not in bodies:
            with suppress(ValueError):
                data = base64.b64decode("".join(bodies[number] for number in sorted(bodies)), validate=True)
        if sha256(data).hexdigest()[:32] == head.digest:
            whole.append(Capsule(head, data))
        else:
            torn.append(head)
    last = max(torn, key=lambda one: one.entry, default=None)
    lacks = (one for one in range(1, counts[last] + 1) if one not in found[last]) if last else ()
    return FoundCapsules(tuple(whole), last, tuple(lacks))
