"""Which elements of a page can a selector mean at all? A page is walked through once, not once a question."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from knightfall.forums.selectors import CLASS, ID, NAME, Key


@dataclass(frozen=True, slots=True)
class Lookup:
    """The elements of a page in order, and where those with a name, a class or an id are.

    Nothing may come into the page after this was made; what is taken out has to be told.
    """

    kind: type[Any]
    order: list[Any]
    places: dict[int, int]
    """Element (by identity) → its place in the order."""
    keyed: dict[str, dict[str, list[int]]]
    gone: set[int]

    @classmethod
    def of(cls, page: Any, kind: type[Any]) -> Lookup:
        """All of a page's elements of that kind, the page itself first."""
        order: list[Any] = []
        names, styles, ids = (defaultdict[str, list[int]](list) for _ in range(3))
        waiting = [page]
        while waiting:
            node = waiting.pop()
            if isinstance(node, kind):
                place = len(order)
                order.append(node)
                names[node.name].append(place)
                if attrs := node.attrs:
                    classes = attrs.get("class")
                    if classes:
                        for style in dict.fromkeys(classes.split() if isinstance(classes, str) else classes):
                            styles[style].append(place)
                    identity = attrs.get("id")
                    if identity is not None:
                        ids[identity].append(place)

                waiting += node.contents[::-1]
        places = {id(element): place for place, element in enumerate(order)}
        return cls(kind, order, places, {NAME: names, CLASS: styles, ID: ids}, set())

    def inside(self, element: Any, keys: Iterable[Key] | None) -> Sequence[Any]:
        """The elements inside one that have one of the keys, in page order; all of them where keys are None.

        Raises KeyError for an element that was not in the page.
        """
        begin, end = self.places[id(element)] + 1, self._end(element)
        if keys is None:
            found: Iterable[int] = range(begin, end)
        else:
            found = sorted({place for key in keys for place in self._between(key, begin, end)})
        return [self.order[place] for place in found if place not in self.gone]

    def take_out(self, element: Any) -> None:
        """Neither the element nor what is inside it is found any longer; it has still to be in the page."""
        self.gone.update(range(self.places[id(element)], self._end(element)))

    def _between(self, key: Key, begin: int, end: int) -> Sequence[int]:
        places = self.keyed[key[0]].get(key[1], ())
        return places[bisect_left(places, begin) : bisect_left(places, end)]

    def _end(self, element: Any) -> int:
        """The place of the first element behind one and all that is inside it."""
        while element is not None:
            behind = element.next_sibling
            while behind is not None:
                if isinstance(behind, self.kind):
                    return self.places[id(behind)]
                behind = behind.next_sibling
            element = element.parent
        return len(self.order)
