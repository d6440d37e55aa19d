"""The lines by which a card of a deal that nobody could choose opens, under PMs and flips."""

from __future__ import annotations

from collections.abc import Sequence

from knightfall.engine.fair import CardTree
from knightfall.engine.game import Facts
from knightfall.mafia.events import Card, Dawn, Elimination, Removal
from knightfall.markup.nodes import Break, Nodes
from knightfall.sentence import SlotId
from knightfall.writeups.render import render_nodes

CARD_CHECK = "any/card-check"


def opened_cards(facts: Facts) -> tuple[tuple[SlotId, str], ...]:
    """Whose cards an announcement shows, with the card that it tells of each; names as they were dealt."""
    cards: tuple[Card, ...] = ()
    match facts:
        case Dawn(deaths=deaths):
            cards = deaths
        case Elimination(name=name, role=role, others=others, along=along):
            first = (Card(name, role),) if name is not None and role else ()
            cards = (*first, *others, *along)
        case Removal(name=name, role=role, along=along):
            cards = (Card(name, role), *along)
    return tuple((card.name, card.role) for card in cards if card.role)


def check_lines(tree: CardTree, facts: Facts) -> tuple[str, ...]:
    """The lines of the cards that an announcement shows; of one that is not the card that was dealt, since
    the game gave its holder another one, there is none."""
    return tuple(tree.line(slot) for slot, role in opened_cards(facts) if tree.cards.get(slot) == role)


def check_facts(lines: Sequence[str], own: bool = False) -> dict[str, object]:
    """What their template is told; `own`: the card is the reader's own."""
    return {"lines": list(lines), "own": own}


def check_nodes(lines: Sequence[str], own: bool = False) -> Nodes:
    """The lines as they stand behind a text; nothing where there are none."""
    return (Break(), Break(), *render_nodes(CARD_CHECK, check_facts(lines, own))) if lines else ()
