"""Does a moderator's own text for the dawn give away what only some may know?

The finished post and the text as he wrote it are read for roles of the living, abilities that living players
used this night, at whom, and words of the night's PMs. What the dawn itself tells is no secret: the cards of
the dead, and that somebody was killed. A night that ends the game has no secrets left.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from knightfall.app.guarding.hidden_table import TOLD_BY_A_DEATH
from knightfall.app.guarding.role_words import card_of
from knightfall.app.nights.night_file import NightFile
from knightfall.app.nights.night_words import deed, word
from knightfall.app.nights.verdict import NOON, Position, chance, game_of, send_all, words_of
from knightfall.core.game import Announced, Event, SlotId, announced, told
from knightfall.errors import SecretGuard
from knightfall.mafia.night import Action
from knightfall.writeups.events import private_message, public_post
from knightfall.writeups.guard import Secret, card_secrets, inflected, leaks


@dataclass(frozen=True, slots=True)
class _Morning:
    """A night decided: who lives, with which cards; what was done; the dawn and the PMs."""

    state: Position
    actions: tuple[Action, ...]
    dawn: Announced
    pms: tuple[str, ...]


def approved(night: NightFile, text: str, reason: str | None, err: Callable[[str], None]) -> str:
    """The text, to stand before the dawn. Raises SecretGuard where it gives something away, unless `reason`
    says why that is meant: then `err` is told what it was."""
    found = tuple(_given_away(night, text))
    if found and not (reason and reason.strip()):
        raise SecretGuard(
            "\n".join(("The text tells what nobody may know; nothing was printed.", *found, _HOW))
        )
    if found:
        err("\n".join((f"Printed all the same, because “{reason}”:", *found)))
    return text


_HOW = 'Write it otherwise, or say why it is meant: --allow-leak "REASON".'


def _given_away(night: NightFile, text: str) -> Iterator[str]:
    """In sentences: first of the finished post, then what only the text as written shows."""
    morning = _morning(night)
    if morning is None:
        return
    post, secrets = public_post(night.kind, morning.dawn, flavour=text), tuple(_secrets(night, morning))
    seen: set[str] = set()
    for where, read in (("The post", post), ("The flavour", text)):
        for leak in leaks(read, secrets, morning.pms):
            if leak.secret.what not in seen:
                yield f"{where}, {leak}."
                seen.add(leak.secret.what)


def _morning(night: NightFile) -> _Morning | None:
    """None where the game is over: then everything is told."""
    sent, game = send_all(night), game_of(night)
    step = game.close(sent.state, "night", NOON, chance(night))
    if game.outcome(step.state) is not None:
        return None
    dawn = next(event for event in announced(step.events) if event.kind == "dawn")
    return _Morning(step.state, sent.state.actions, dawn, _pms(night.kind, step.events))


def _pms(game: str, events: Sequence[Event]) -> tuple[str, ...]:
    return tuple(private_message(game, event) for event in told(events))


def _secrets(night: NightFile, morning: _Morning) -> Iterable[Secret]:
    """Without roles that a death has shown, unless their holder is named beside one."""
    living, left = morning.state.living, morning.state.left
    shown = [morning.state.cards[slot].name for slot in left]
    roles = card_secrets((card_of(role.name, slot, (slot,)) for slot, role in living.items()), shown)
    public = TOLD_BY_A_DEATH if left else frozenset[str]()
    deeds = (_of_deed(night, action, living, public) for action in morning.actions if action.actor in living)
    return chain(roles, chain.from_iterable(deeds))


def _of_deed(
    night: NightFile, action: Action, living: Iterable[SlotId], public: frozenset[str]
) -> Iterator[Secret]:
    """The words for an ability in the forms that a sentence uses, and the names of living targets."""
    bare = words_of(night).notation(action._replace(targets=(), options=()))
    for said in dict.fromkeys((bare, word(action.ability), action.ability.replace("_", " "))):
        if said not in public:
            yield from (Secret(form, deed(action)) for form in inflected(said))
    yield from (Secret(target, deed(action)) for target in action.targets if target in living)
