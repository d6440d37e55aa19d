"""The value of a beacon's round, as two of its mirrors tell it."""

from __future__ import annotations

import hashlib
import json
import re
from typing import TYPE_CHECKING, NamedTuple

from knightfall.config.beacons import MIRRORS
from knightfall.engine.fair import Beacon
from knightfall.engine.signatures import signature_holds
from knightfall.errors import InputError, KnightfallError
from knightfall.forums.exchange import Request
from knightfall.sentence import Way, sentence

if TYPE_CHECKING:
    from knightfall.fetch.clock import Fetch

_VALUE = re.compile(r"[0-9a-f]{64}")
_SIGNATURE = re.compile(r"[0-9a-f]{96}")


class BeaconRound(NamedTuple):
    """The value of a round, in hex, with its signature ("": not known); `verified`: None where that could not
    be checked here."""

    value: str
    signature: str = ""
    verified: bool | None = None


def is_signed(beacon: Beacon, number: int, signature: str) -> bool | None:
    """Whether that is the beacon's signature of the round; None where it cannot be checked here."""
    return signature_holds(beacon.key, number, signature)


def parse_value(said: str, beacon: Beacon, number: int) -> BeaconRound:
    """A round as it was pasted: a mirror's answer, its signature (96 hex digits), or its value alone (64).
    Raises InputError for anything else, and for a signature that is not that of the round."""
    text = said.strip()
    if text.startswith("{"):
        return parse_round(text, beacon, number)
    if _SIGNATURE.fullmatch(text.lower()):
        return _signed(text.lower(), beacon, number)
    if not _VALUE.fullmatch(text.lower()):
        raise InputError(
            "Paste what a mirror answers, its “signature” (96 hex digits) or its “randomness” (64); "
            f"found “{said}”."
        )
    return BeaconRound(text.lower())


def _signed(signature: str, beacon: Beacon, number: int) -> BeaconRound:
    holds = is_signed(beacon, number, signature)
    if holds is False:
        raise InputError(f"That is not the signature of round {number} of {beacon.name}.")
    return BeaconRound(hashlib.sha256(bytes.fromhex(signature)).hexdigest(), signature, holds)


def parse_round(text: str, beacon: Beacon, number: int) -> BeaconRound:
    """A mirror's answer, {round, randomness, signature}: the value is the SHA-256 of the signature.

    Raises InputError where the answer is of another round, or does not fit itself.
    """
    try:
        found = json.loads(text)
        told, value, signature = found["round"], str(found["randomness"]), str(found["signature"]).lower()
    except (ValueError, KeyError, TypeError):
        raise InputError("The answer is not a round of a beacon.") from None
    if told != number:
        raise InputError(f"The answer is of round {told}, not of round {number}.")
    if not _SIGNATURE.fullmatch(signature) or (made := _signed(signature, beacon, number)).value != value:
        raise InputError("The value in the answer is not the SHA-256 of its signature.")
    return made


def read_round(beacon: Beacon, number: int, fetch: Fetch) -> BeaconRound:
    """The round on which two mirrors agree.

    Raises InputError where mirrors contradict each other, or fewer than two answer.
    """
    said: dict[str, BeaconRound] = {}
    faults: list[str] = []
    for mirror in beacon.mirrors:
        url = mirror.replace("{round}", str(number))
        try:
            answer = fetch.get(Request(url))
            if answer.status != 200:
                raise InputError(f"It answers {answer.status}.")
            said[url] = parse_round(answer.text, beacon, number)
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
            "browser and enter what it answers: {enter}",
            needed=MIRRORS,
            number=number,
            faults="; ".join(faults),
            enter=Way("enter_round"),
        )
    )
