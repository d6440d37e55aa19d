"""A moderator's own words before the dawn of a night, and the secrets of that night that they give away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from knightfall.engine.game import Event, announced, told
from knightfall.errors import SecretGuard
from knightfall.mafia.explain import deed, word
from knightfall.mafia.game import MafiaGame
from knightfall.mafia.night import Action
from knightfall.mafia.state import State
from knightfall.sentence import SlotId, joined
from knightfall.services.guard import HOW, TOLD_BY_A_DEATH, card_of
from knightfall.writeups.events import private_message, public_post
from knightfall.writeups.leak_check import Secret, card_secrets, inflected, leaks


@dataclass(frozen=True, slots=True)
class ClosedNight:
    """A night as it stood `before` it was closed and as it stands `after`, the events of the closing, and who
    holds a slot by now, of those that changed hands."""

    game: MafiaGame[Any]
    before: State[Any]
    after: State[Any]
    events: tuple[Event, ...]
    held: Mapping[SlotId, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FlavourCheck:
    """A moderator's own text for the dawn, and a sentence for each secret that it gives away."""

    text: str
    leaks: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """{text, leaks: [sentences]}."""
        return {"text": self.text, "leaks": list(self.leaks)}


def check_words(night: ClosedNight, text: str, reason: str | None = None) -> FlavourCheck:
    """Check whether a text for the dawn gives away what only some may know.

    The finished post and the text as written are read for roles of the living, abilities that living players
    used this night, at whom, and words of the night's PMs. What the dawn itself tells is no secret: the cards
    of the dead, and that somebody was killed. A night that ends the game has no secrets left. Raises
    SecretGuard where something is given away, unless `reason` says why that is meant.
    """
    found = tuple(_given_away(night, text))
    if found and not (reason and reason.strip()):
        refused = "The text would give away a secret, so nothing was printed."
        raise SecretGuard(joined("\n", (refused, *found, HOW)))
    return FlavourCheck(text, found)


def _given_away(night: ClosedNight, text: str) -> Iterator[str]:
    """In sentences: first of the finished post, then what only the text as written shows."""
    if night.game.outcome(night.after) is not None:
        return
    kind = night.game.spec.id
    dawn = next(event for event in announced(night.events) if event.kind == "dawn")
    pms = tuple(private_message(kind, event) for event in told(night.events))
    post, secrets = public_post(kind, dawn, flavour=text), tuple(_secrets(night))
    seen: set[str] = set()
    for where, read in (("The post", post), ("The flavour", text)):
        for leak in leaks(read, secrets, pms):
            if leak.secret.what not in seen:
                yield f"{where}, {leak}."
                seen.add(leak.secret.what)


def _secrets(night: ClosedNight) -> Iterable[Secret]:
    """Without roles that a death has shown, unless their holder is named beside one."""
    living, left = night.after.living, night.after.left
    shown = [night.after.cards[slot].name for slot in left]
    called = {slot: night.held.get(slot, slot) for slot in living}
    cards = (card_of(role.name, called[slot], (slot, called[slot])) for slot, role in living.items())
    roles = card_secrets(cards, shown)
    public = TOLD_BY_A_DEATH if left else frozenset[str]()
    actions = night.game.standing_orders(night.before)
    deeds = (_of_deed(night, action, called, public) for action in actions if action.actor in living)
    return chain(roles, chain.from_iterable(deeds))


def _of_deed(
    night: ClosedNight, action: Action, called: Mapping[SlotId, str], public: frozenset[str]
) -> Iterator[Secret]:
    """The words for an ability in the forms that a sentence uses, and the names of living targets."""
    words = night.game.words
    bare = words.notation(action._replace(targets=(), options=()))
    for said in dict.fromkeys((bare, word(words, action.ability), action.ability.replace("_", " "))):
        if said not in public:
            yield from (Secret(form, deed(words, action)) for form in inflected(said))
    for target in action.targets:
        if target in called:
            names = dict.fromkeys((str(target), called[target]))
            yield from (Secret(name, deed(words, action)) for name in names)
