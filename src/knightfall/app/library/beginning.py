"""What stands in the posts from before the first day: sign-ups, rules, and the first post of the thread?"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from knightfall.app.founding.deal import PRIVATE
from knightfall.app.library.people import groups, shown, slots
from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import Made, Section
from knightfall.app.library.stations import stations
from knightfall.app.ports import game_folder
from knightfall.core.game import Option
from knightfall.core.silence import ProdRule
from knightfall.errors import InputError
from knightfall.setups.setup import ThreadSetup
from knightfall.votes.election import AtDeadline, Death
from knightfall.votes.wording import needed_table, rule_sentences

MOST = 13
"""So many living players the table begins with where the game file lists none."""
PLACES = {"signup": "Sign-ups", "game": "Game", "vote": "Votes"}
"""Threads that everybody may read, as a link calls them."""
WIDEST = 4
"""A choice among more values than this is a setup, not a rule of the house: it may be a secret."""


def sign_ups(scene: Scene) -> Made:
    """The first post of a sign-up thread, whole, as it reads now."""
    if scene.table is not None:
        raise InputError("The game has begun, so nobody signs up any more: knightfall post opening.")
    facts = {
        **_head(scene),
        "game": scene.game.spec.name if scene.game else None,
        "fewest": scene.game.spec.players[0] if scene.game else None,
        "most": scene.game.spec.players[-1] if scene.game else None,
        "zone": scene.setup.zone.key if scene.setup.zone else None,
        "places": _places(scene, "game"),
        "players": [shown(scene, slot) for slot in slots(scene)],
        "prods": list(_prods(scene.setup.prods)),
    }
    return Made((Section("any/signup", facts),))


def rules(scene: Scene) -> Made:
    """How votes count, from the rule object itself; what the house chose of the game's own rules; conduct."""
    sections = (_voting(scene),) if scene.votes_by_day else ()
    house, prods = list(_house(scene)), list(_prods(scene.setup.prods))
    facts = {"house": house, "prods": prods, "mafia": scene.votes_by_day}
    return Made((*sections, Section("any/conduct", facts)))


def opening(scene: Scene) -> Made:
    """The first post of the game's thread: it is edited in every phase, so it is written whole."""
    facts = {**_head(scene), "places": _places(scene, "signup", "vote"), "commitment": _commitment(scene)}
    began = scene.last("opening")
    table = Section("any/players", {"groups": groups(scene), "stations": stations(scene)})
    own = Section(f"{scene.game.spec.id}/opening", began.facts) if began and scene.game else None
    if own is None:
        return Made((Section("any/opening", facts), table))
    if len(scene.public) == 1:
        return Made((Section("any/opening", facts), own))
    return Made((Section("any/opening", facts), table, Section("any/began", {}), own))


def _head(scene: Scene) -> dict[str, object]:
    return {"title": scene.title, "moderators": list(scene.setup.moderators)}


def _places(scene: Scene, *roles: str) -> list[dict[str, str]]:
    """Links to the public threads of these roles; the address of a private one never comes here."""
    threads = (one for one in scene.setup.threads if not one.secret and one.role in roles)
    return [_place(one) for one in threads]


def _place(thread: ThreadSetup) -> dict[str, str]:
    return {"name": PLACES[thread.role], "url": thread.url}


def _voting(scene: Scene) -> Section:
    setup = scene.setup
    most = len(slots(scene)) or MOST
    most_votes = setup.rule.death is Death.PLURALITY and setup.rule.at_deadline is AtDeadline.NOBODY
    rows = () if most_votes else needed_table(setup.rule, most)
    facts = {
        "sentences": list(rule_sentences(setup.rule, setup.terms.no_elimination)),
        "rows": [{"alive": a, "needed": n, "nobody": "–" if z is None else z} for a, n, z in rows],
        "eliminate_word": setup.terms.eliminate,
        "nobody": setup.terms.no_elimination,
    }
    return Section("any/rules", facts)


def _house(scene: Scene) -> Iterator[Mapping[str, str]]:
    """What the house plays otherwise than the game does by itself."""
    for option in scene.game.spec.options if scene.game else ():
        said = str(scene.setup.options.get(option.name, option.default)).lower()
        if _is_rule(option) and said != option.default:
            yield {"question": option.question, "value": said.replace("_", " ")}


def _is_rule(option: Option) -> bool:
    return not option.pattern and len(option.values) <= WIDEST


def _prods(rule: ProdRule) -> Iterator[str]:
    """How silence is dealt with, in sentences."""
    if rule.after is None:
        return
    hours = rule.after.total_seconds() / 3600
    skipped = "; weekends do not count" if rule.skip_weekends else ""
    yield f"Whoever is silent for {hours:g} hours is asked to post{skipped}."
    if rule.grace is not None:
        yield f"Whoever stays silent for {rule.grace.total_seconds() / 3600:g} hours more is asked again."
    if rule.most is not None:
        times = "time" if rule.most == 1 else "times"
        yield f"Whoever was asked {rule.most} {times} and stays silent is replaced or removed."


def _commitment(scene: Scene) -> str | None:
    """The number that binds the deal; None where the game was not dealt here."""
    if scene.table is None:
        return None
    try:
        said = json.loads((game_folder(scene.folder) / PRIVATE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found = said.get("commitment") if isinstance(said, dict) else None
    return found if isinstance(found, str) else None
