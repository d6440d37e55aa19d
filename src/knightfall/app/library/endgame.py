"""What is told when a game is over: who won, every role, every night, every vote, the rulings, the proof?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import dropwhile

from knightfall.app.founding.deal import PRIVATE, parse_proof
from knightfall.app.founding.deal_proof import endgame_facts
from knightfall.app.library.finals import Ending, ending_of
from knightfall.app.library.people import holder, shown, slots
from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import Made, Section
from knightfall.app.ports import game_folder
from knightfall.core.entries import Ruled
from knightfall.core.game import Announced, announced
from knightfall.errors import InputError, KnightfallError
from knightfall.mafia.chronicle import Proof, completed

ENDINGS = frozenset({"ending", "match_end", "deathmatch"})
"""Posts with which a game ends; what is announced behind one belongs to the end, too."""
PASSED = "May this go out to everybody?"
"""How the journal begins what the secret guard let pass for a reason: no ruling of the game."""


def endgame(scene: Scene) -> Made:
    """Everything, now that nothing is a secret any more. Private threads are not opened here: ask first."""
    told, proof = _ending(scene), proof_of(scene)
    spec = scene.game.spec.id if scene.game else ""
    last = [Section(f"{spec}/{event.kind}", scene.told(event)) for event in _with_nights(scene, told, proof)]
    inside = any("nights" in event.facts for event in told)
    moderators = list(scene.setup.moderators)
    facts = {"title": scene.title, "moderators": moderators, "rooms": scene.votes_by_day}
    return Made(
        (
            Section("any/endgame", facts),
            *last,
            *_votes(scene),
            *rulings_of(scene),
            *(() if inside or proof is None else (Section("any/proof", {"proof": proof}),)),
            Section("any/thanks", facts),
        )
    )


def over(scene: Scene) -> bool:
    """Whether a begun game has come to its end."""
    return scene.table is not None and scene.table.game.outcome(scene.table.state) is not None


def _ending(scene: Scene) -> tuple[Announced, ...]:
    """The ending and all that was announced after it. Raises InputError while the game goes on."""
    if scene.table is None:
        raise InputError(
            "No game was begun here, so its end is not known either: this post is for games that knightfall "
            "plays (knightfall new). Who played, and who died as what, is in knightfall post archive."
        )
    if not over(scene):
        open_ = ", ".join(window.title for window in scene.table.windows)
        raise InputError(f"The game goes on ({open_}); its end cannot be told yet: knightfall missing.")
    return tuple(dropwhile(lambda event: event.kind not in ENDINGS, scene.public))


def _with_nights(scene: Scene, told: tuple[Announced, ...], proof: Proof | None) -> tuple[Announced, ...]:
    """A mafia game's ending with every night and the proof; other endings as they were."""
    whole = announced(completed(scene.table.replay.events, proof)) if scene.table else ()
    return whole[len(whole) - len(told) :]


def proof_of(scene: Scene) -> Proof | None:
    """What lets everybody deal again; None where the folder has no deal."""
    file = game_folder(scene.folder) / PRIVATE
    try:
        return endgame_facts(parse_proof(str(file), file.read_text(encoding="utf-8")))
    except (OSError, KnightfallError):
        return None


def rulings_of(scene: Scene) -> tuple[Section, ...]:
    """What the moderator decided, but for what he let pass the guard."""
    rows = [
        {"question": entry.question, "answer": entry.answer, "why": entry.why}
        for _, entry in scene.entries(Ruled)
        if not entry.question.startswith(PASSED)
    ]
    return (Section("any/decided", {"rulings": rows}),) if rows else ()


def _votes(scene: Scene) -> tuple[Section, ...]:
    """For whom everybody voted at the end of each day, as far as the thread was read."""
    days = list(_days(scene)) if scene.votes_by_day and scene.kept() else []
    if not days:
        return ()
    rows = [
        {"name": shown(scene, slot), "votes": [votes.get(holder(scene, slot), "") for _, votes in days]}
        for slot in slots(scene)
    ]
    return (Section("any/every-vote", {"days": [day for day, _ in days], "rows": rows}),)


def _days(scene: Scene) -> Iterator[tuple[int, Mapping[str, str]]]:
    """Each day that can still be counted: voter → whom."""
    days = [int(str(event.facts["day"])) for event in scene.public if event.kind == "elimination"]
    for place, day in enumerate(days, start=1):
        ending, _ = ending_of(scene, day)
        if scene.progress:
            scene.progress(place, len(days))
        if ending is not None:
            yield day, _votes_at(ending, scene.setup.terms.no_elimination)


def _votes_at(ending: Ending, nobody: str) -> Mapping[str, str]:
    return {
        vote.voter.name: wagon.target.name if wagon.target else nobody
        for wagon in ending.count.tally.wagons
        for vote in wagon.votes
    }
