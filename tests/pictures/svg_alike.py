"""Are two SVGs the same picture? Numbers may differ by half a point, as versions of matplotlib do."""

import re
from itertools import zip_longest
from xml.etree import ElementTree

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_NEAR = 0.5
_NAMED = re.compile(r"#?\b[mhp][0-9a-f]{10}\b")
"""Names of markers, hatches and clips, made of hashes."""


def difference(found: bytes, expected: bytes) -> str:
    """The first place where they differ, in words; empty where they are alike."""
    pairs = zip_longest(_parts(found), _parts(expected), fillvalue="nothing")
    return next((f"{a!r} instead of {b!r}" for a, b in pairs if not _alike(a, b)), "")


def _parts(page: bytes) -> list[str]:
    root = ElementTree.fromstring(page)
    values = ([node.tag, *node.attrib.values(), node.text or ""] for node in root.iter())
    return [_NAMED.sub("name", " ".join(value.split())) for part in values for value in part]


def _alike(found: str, expected: str) -> bool:
    numbers = zip_longest(_NUMBER.findall(found), _NUMBER.findall(expected), fillvalue="inf")
    return _NUMBER.sub("", found) == _NUMBER.sub("", expected) and all(
        abs(float(a) - float(b)) <= _NEAR for a, b in numbers
    )
