"""Private eyes: the one gate through which what is not for everybody comes onto a page, or stays away.

Templates are rendered by an environment that knows whether they are on. While they are, a field or property
that its value says is not for everybody reads as `HIDDEN`, wherever a template asks for it; so does a
`Secret`. No page and no template looks at the switch.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, SupportsIndex

from jinja2 import Environment
from markupsafe import Markup

from knightfall.audience import Secret, is_secret

WORDS = "hidden by private eyes"
ON = (
    "Private eyes are on, on every page: roles, orders, who gets a PM and how many there are, the log and "
    "private texts are left out, until you switch them off."
)
OFF = "Private eyes are off, on every page: secrets are shown, until you switch them on."


class Hidden(Markup):
    """What stands for a secret: it says that it is hidden, and nothing of what it hides.

    It is true, holds nothing, and whatever a template asks of it is hidden as well.
    """

    def __bool__(self) -> bool:
        return True

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __getitem__(self, _: SupportsIndex | slice) -> Hidden:
        return self

    def __call__(self, *_: object, **__: object) -> Hidden:
        return self


HIDDEN: Any = Hidden(f'<span class="hidden-secret">{WORDS}</span>')
"""In place of any secret value, of whatever type."""


class Eyes(Environment):
    """The environment of the templates. `private`: what is not for everybody is hidden."""

    private = False

    def getattr(self, obj: Any, attribute: str) -> Any:
        return HIDDEN if self._hides(obj, attribute) else self.seen(super().getattr(obj, attribute))

    def getitem(self, obj: Any, argument: Any) -> Any:
        return HIDDEN if self._hides(obj, argument) else self.seen(super().getitem(obj, argument))

    def _hides(self, obj: Any, name: Any) -> bool:
        if isinstance(obj, Hidden):
            return True
        return self.private and isinstance(name, str) and is_secret(obj, name)

    def seen(self, value: Any) -> Any:
        """A value as these eyes see it."""
        if not isinstance(value, Secret):
            return value
        if not self.private:
            return value.value
        return HIDDEN if value.instead is None else value.instead


def is_hidden(value: object) -> bool:
    """Whether a value stands for one that is hidden."""
    return isinstance(value, Hidden)


def is_shown(value: object) -> bool:
    """Whether there is something, and it is not hidden."""
    return bool(value) and not isinstance(value, Hidden)
