"""Questions that every face answers, each declared here once: its words, its parameters, who may see it.

The command line makes a verb of a question, the page a form and /api/v1 an address; Python asks it by
`Game.ask`.

A question needs a function of a service that returns an answer with `to_dict()` and `report()`, and a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from knightfall.errors import InputError
from knightfall.parameters import Parameter
from knightfall.sentence import Sentence, Way, sentence

if TYPE_CHECKING:
    from knightfall.writeups.report import Report


class Reported(Protocol):
    """An answer that says itself."""

    def to_dict(self) -> Mapping[str, Any]:
        """The published JSON values, without their schema number."""
        ...

    def report(self) -> Report:
        """Its paragraphs, tables and lists."""
        ...


ENTRY = Parameter("at", "As of this entry of the log, or this time.", metavar="ENTRY|TIME")


class About(Enum):
    """What a question is asked of, and with that what its function takes before its parameters."""

    THREAD = "thread"
    """The votes of a thread: which count is asked for (a CountRequest), and the session."""
    GAME = "game"
    """A game's folder: the session."""
    MOMENT = "moment"
    """A game as of an entry of its journal or a time: the session as of then."""
    NOTHING = "nothing"
    """What is so in every game."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the moderator.

    `help` is its first sentence, `more` the paragraphs below. `asks` is “module:function” within services,
    loaded when the question is asked. `example` is what may be asked, as for a Lookup.
    """

    help: str
    asks: str
    about: About
    more: str | Sentence = ""
    parameters: tuple[Parameter, ...] = ()
    example: Mapping[str, object] = field(default_factory=dict)
    secret: bool = False
    """Whether the whole answer is for the moderator alone."""

    def answer(self, *before: object, given: Mapping[str, object] | None = None) -> Reported:
        """The answer: `before` is what `about` says, `given` are the parameters by their names.

        Raises InputError for a parameter that is not known, is missing or cannot be read, and what the
        service raises.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        if unknown := next((name for name in given or {} if name not in known), None):
            raise InputError(f"{unknown}: this question has no such parameter.")
        values = {name: parameter.value_in(given or {}) for name, parameter in known.items()}
        asked = {name: value for name, value in values.items() if value is not None}
        found: Reported = self._function(*before, **asked)
        return found

    @property
    def _function(self) -> Callable[..., Reported]:
        module, _, name = self.asks.partition(":")
        function: Callable[..., Reported] = getattr(import_module(f"knightfall.services.{module}"), name)
        return function


QUESTIONS: Mapping[str, Question] = {
    "near": Question(
        "List posts that look like votes but were not counted.",
        "count.explain:near_misses",
        About.THREAD,
        sentence("Each comes with the reason and a link. To decide on one: {fix}", fix=Way("decide_vote")),
    ),
    "evidence": Question(
        "Show every version of a post that has been read.",
        "evidence:history_of",
        About.GAME,
        "Includes times, hashes and the differences between versions.",
        (
            Parameter("post", "The post's number on the forum.", positional=True, required=True),
            Parameter("url", "The thread's address (default: the game's).", positional=True),
        ),
        {"post": "67"},
        secret=True,
    ),
    "submissions": Question(
        "List the messages received in the current phase.",
        "window.turns:submissions",
        About.MOMENT,
        "They are secret. Messages from before a phase was last closed are not listed.",
        secret=True,
    ),
    "log": Question(
        "List every entry in the game's journal.",
        "journal:log",
        About.MOMENT,
        "The oldest comes first. Entries that were undone are marked.",
        secret=True,
    ),
    "games": Question(
        "List the games you can run.",
        "game.lookups:games",
        About.NOTHING,
        "Shows the number of players and of options for each.",
    ),
    "rulings": Question(
        "List a game's rulings and the options you can set.",
        "game.lookups:rulings",
        About.NOTHING,
        "Every ruling has a number. Its options are listed below it, each with its current value and the "
        "other values you can choose.",
        (
            Parameter("game", "Such as knight-errant or empowered.", positional=True, required=True),
            Parameter("folder", "Show what this game uses (folder or game.toml).", Path, flag="game"),
        ),
        {"game": "knight-errant", "folder": "salt-harbour"},
    ),
    "forums": Question(
        "List the forum software that Knightfall can read.",
        "game.lookups:forum_platforms",
        About.NOTHING,
        "Also shows what their pages say about edits, deleted posts and times.",
    ),
}
"""Each question by the name of its verb."""
