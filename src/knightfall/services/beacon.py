"""The value of a beacon's round, as two of its mirrors tell it."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING

from knightfall.config.beacons import MIRRORS, KnownBeacon
from knightfall.errors import InputError, KnightfallError
from knightfall.forums.exchange import Request
from knightfall.sentence import Way, sentence

if TYPE_CHECKING:
    from knightfall.fetch.clock import Fetch

_VALUE = re.compile(r"[0-9a-f]{64}")


def parse_value(said: str) -> str:
    """The value of a round as it was pasted: 64 hex digits. Raises InputError."""
    value = said.strip().lower()
    if not _VALUE.fullmatch(value):
        raise InputError(f"The value of a round is 64 hex digits (“randomness” at a mirror); found “{said}”.")
    return value


def parse_round(text: str, number: int) -> str:
    """The value in a mirror's answer, {round, randomness, signature}: it is the SHA-256 of the signature.

    Raises InputError where the answer is of another round, or does not fit itself.
    """
    try:
        found = json.loads(text)
        told, value, signature = found["round"], str(found["randomness"]), bytes.fromhex(found["signature"])
    except (ValueError, KeyError, TypeError):
        raise InputError("The answer is not a round of a beacon.") from None
    if told != number:
        raise InputError(f"The answer is of round {told}, not of round {number}.")
    if not _VALUE.fullmatch(value) or hashlib.sha256(signature).hexdigest() != value:
        raise InputError("The value in the answer is not the SHA-256 of its signature.")
    return value


def read_round(known: KnownBeacon, number: int, fetch: Fetch) -> str:
    """The value of a round on which two mirrors agree.

    Raises InputError where mirrors contradict each other, or fewer than two answer.
    """
    said: dict[str, str] = {}
    faults: list[str] = []
    for mirror in known.mirrors:
        url = mirror.replace("{round}", str(number))
        try:
            answer = fetch.get(Request(url))
            if answer.status != 200:
                raise InputError(f"It answers {answer.status}.")
            said[url] = parse_round(answer.text, number)
        except KnightfallError as fault:
            faults.append(f"{url}: {fault}")
        if len(set(said.values())) > 1:
            raise InputError(
                f"Two mirrors tell different values of round {number}: {'; '.join(said)}. Nothing was "
                "entered. Ask whoever runs them before you deal."
            )
        if len(said) == MIRRORS:
            return next(iter(said.values()))
    raise InputError(
        sentence(
            "Fewer than {needed} mirrors told round {number} ({faults}). Try again, or open a mirror in your "
            "browser and enter its “randomness”: {enter}",
            needed=MIRRORS,
            number=number,
            faults="; ".join(faults),
            enter=Way("enter_round"),
        )
    )
