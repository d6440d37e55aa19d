"""Nights of mafia games, decided from roles and what each player sent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knightfall.api.door import door
from knightfall.api.games import RefusedLine, texts_by
from knightfall.engine.what_if import Change, Step
from knightfall.mafia import explain_night
from knightfall.mafia.decide import decide, told
from knightfall.mafia.night_file import DecidedNight, NightFile
from knightfall.services import night_file
from knightfall.services.games import game_named
from knightfall.services.night_file import night_of

_HERE = "resolve()"
"""What complaints call the night."""


@dataclass(frozen=True, slots=True, repr=False)
class Night:
    """A night that was decided. All of it is for the moderator, but for what `posts` gives."""

    night: NightFile
    verdict: DecidedNight
    report: Mapping[str, Any]

    def __repr__(self) -> str:
        dead = (
            f"{', '.join(self.deaths)} die" if len(self.deaths) > 1 else f"{(*self.deaths, 'nobody')[0]} dies"
        )
        return f"<Night {self.night.number} of {self.night.kind}: {dead}>"

    @property
    def deaths(self) -> tuple[str, ...]:
        """The names of those who die."""
        return tuple(death.slot for death in self.verdict.night.deaths)

    @property
    def results(self) -> Mapping[str, tuple[str, ...]]:
        """Each of the living at dusk → what they are told of their checks, in order: "Town", "Ada, Boro",
        "No Result"; () for who asked nothing, or gets no message."""
        answers: dict[str, tuple[str, ...]] = {str(slot): () for slot in self.night.roles}
        for result in self.verdict.night.results:
            if result.answer is not None:
                answers[result.action.actor] += (told(result.answer),)
        return answers

    @property
    def refused(self) -> tuple[RefusedLine, ...]:
        """The lines that were not taken."""
        return tuple(RefusedLine(line, why.code, why.text, slot) for slot, line, why in self.verdict.refused)

    @property
    def posts(self) -> tuple[str, ...]:
        """What everybody reads at dawn, in plain text."""
        return tuple(self.report["public"])

    @property
    def pms(self) -> Mapping[str, str]:
        """Recipient → what they are told by PM, in plain text; who gets none is not there."""
        return texts_by((to, message["text"]) for message in self.report["private"] for to in message["to"])

    @door
    def why(self, name: str) -> tuple[Step, ...]:
        """Why a player lived or died, why their actions worked or failed, what they were told and why: each
        step with its depth in the chain and the ruling it rests on. Raises InputError for a name that is
        nobody's."""
        return explain_night.why(name, self.night).steps

    @door
    def whatif(self, *edits: str) -> tuple[Change, ...]:
        """What would be different, the gravest first; () where nothing would be.

        An edit is "remove Ada:heal" ("remove Ada": all of it), "add Ada: track Boro" or "set OPTION = VALUE".
        Raises InputError where one is not understood, names nobody alive, or removes what is not there.
        """
        return explain_night.whatif(self.night, edits).changes

    def to_dict(self) -> dict[str, Any]:
        """The night as plain values: title, night, moderator, cautions, refused, public, private."""
        return dict(self.report)


@door
def resolve(
    game: str,
    night: int,
    roles: Mapping[str, str],
    actions: Mapping[str, str | Sequence[str]],
    *,
    title: str | None = None,
    options: Mapping[str, object] | None = None,
    shots: Mapping[str, Mapping[str, int]] | None = None,
    dead: Sequence[str] | None = None,
    setup: str | None = None,
    adaptability_lost: Sequence[str] | None = None,
    lovers: Sequence[Sequence[str]] | None = None,
    rulings: Mapping[str, str] | None = None,
) -> Night:
    """Decide a night of "knight_errant", "empowered" or "custom_mafia".

    `night` is its number from 1, `roles` name → card of the living, `actions` name → what they sent, a text
    or several, in the order of arrival. `options` are rulings of yours, name → value; `shots` name →
    {ability: uses left} (cards that are not named have what is printed on them); `dead` names of `roles` that
    do not live any more. Of one game alone are `setup` (the code of a Knight-Errant, such as "D4-UL": the
    roles are checked against it), `adaptability_lost` (the Ninjas without it, in Empowered Mafia), `lovers`
    (groups that die together) and `rulings` (what goes first in a ring of actions, both in a custom game).

    Raises SetupError that names the key that is wrong, InputError for a game that has no nights here,
    DecisionNeeded where actions change each other in a ring and only the moderator can say what goes first.
    """
    said = {
        "kind": game_named(game).spec.id,
        "night": night,
        "roles": roles,
        "actions": actions,
        "title": title,
        "options": options,
        "shots": shots,
        "dead": dead,
        "setup": setup,
        "adaptability_lost": adaptability_lost,
        "lovers": lovers,
        "rulings": rulings,
    }
    file = night_of(_HERE, {key: _plain(value) for key, value in said.items() if value is not None})
    return Night(file, decide(file), night_file.resolve(file).to_dict())


def _plain(value: object) -> object:
    """Mappings as dicts and sequences as lists, as a TOML file gives them."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return value
