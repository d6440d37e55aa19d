"""Which spellings of a vote does a house accept, by its platform's custom and by a game's own words?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

import regex

from knightfall.errors import InputError
from knightfall.votes.ballots import Form, Forms

BOLD_OR_TAG = ("tag", "raw_tag", "bold")

CUSTOMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "phpbb": ("tag", "bold"),
        "jsonl": ("tag", "bold"),  # posts without a page are read as phpBB's
        "xenforo": BOLD_OR_TAG,
        "vbulletin": ("bold", "hashes"),
        "smf": BOLD_OR_TAG,
        "mybb": BOLD_OR_TAG,
        "invision": ("bold", "hashes"),
        "discourse": BOLD_OR_TAG,
        "nodebb": ("bang",),
        "flarum": BOLD_OR_TAG,
        "plain": ("own_line",),
    }
)
"""Platform id, less its version → the forms that count there unless a game says otherwise."""


def custom_of(platform: str) -> Forms:
    """The forms that count on a platform by default, whatever its version (`xenforo1`, `xenforo2`)."""
    return parse_forms(CUSTOMS.get(platform.rstrip("0123456789"), BOLD_OR_TAG))


def parse_forms(words: Iterable[str]) -> Forms:
    """The forms of a list such as `["tag", "bold", "regex:^I vote (?P<name>.+)$"]`; `bold` includes
    `bold_colon`. Raises InputError on an unknown word or a pattern that is none."""
    accepted: set[Form] = set()
    house: list[regex.Pattern[str]] = []
    for word in words:
        if word.startswith("regex:"):
            house.append(_house_pattern(word.removeprefix("regex:")))
        else:
            accepted.add(_form(word))
    if Form.BOLD in accepted:
        accepted.add(Form.BOLD_COLON)
    return Forms(frozenset(accepted), tuple(house))


def _form(word: str) -> Form:
    try:
        return Form(word)
    except ValueError:
        known = ", ".join(form.value for form in Form if form is not Form.HOUSE)
        raise InputError(f"“{word}” is no form of a vote; expected one of {known}, or “regex:…”.") from None


def _house_pattern(source: str) -> regex.Pattern[str]:
    try:
        return regex.compile(source, regex.IGNORECASE)
    except regex.error as fault:
        raise InputError(f"The vote pattern “{source}” is no regular expression: {fault}.") from None
