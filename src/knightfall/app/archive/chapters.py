"""Which pages of our own texts has an archive: people, announcements, rulings, the deal, sheets?"""

from __future__ import annotations

from collections.abc import Iterator

from knightfall.app.library.archive import archive_post
from knightfall.app.library.endgame import over, proof_of, rulings_of
from knightfall.app.library.people import groups
from knightfall.app.library.scene import Scene
from knightfall.app.library.sections import post_nodes
from knightfall.app.library.stations import stations
from knightfall.core.entries import Replaced
from knightfall.core.game import Event, noted
from knightfall.markup.nodes import Break, Nodes, Text
from knightfall.writeups.archive.book import Chapter, Part
from knightfall.writeups.journal import footnote
from knightfall.writeups.render import render_nodes

LATER = "The rest is published when the game is over."


def chapters_of(scene: Scene, told: bool, secret: bool) -> Iterator[Chapter]:
    """Those that have something to say. `told`: what the game hid may be told; `secret`: the moderator alone
    reads it, so what is for his eyes only may be in it."""
    yield Chapter("people", "People", tuple(_people(scene, told, secret)))
    if scene.public:
        yield Chapter("announced", "Announced", tuple(_events(scene, scene.public)))
    if decided := tuple(_decided(scene, told)):
        yield Chapter("rulings", "Rulings", decided)
    if deal := tuple(_deal(scene, told)):
        yield Chapter("deal", "The deal", deal)
    sheets = noted(scene.table.replay.events) if scene.table and secret else ()
    if sheets:
        intro = "What only the moderator knows, entry by entry."
        yield Chapter("sheets", "Moderator's sheets", tuple(_events(scene, sheets)), intro)


def _people(scene: Scene, told: bool, secret: bool) -> Iterator[Part]:
    if told and (scene.game is None or over(scene)):
        yield Part("The record", post_nodes(archive_post(scene)))
    known = {"groups": groups(scene), "stations": stations(scene)}
    yield Part("Who played", render_nodes("any/players", known))
    if secret and scene.setup.roles:
        yield Part(
            "Roles in the game file", _lines([f"{slot}: {role}" for slot, role in scene.setup.roles.items()])
        )
    came = [f"{entry.name} for {entry.slot}" for _, entry in scene.entries(Replaced)]
    if came:
        yield Part("Replacements", _lines(came))


def _events(scene: Scene, events: tuple[Event, ...]) -> Iterator[Part]:
    """Each as the game's own template says it."""
    for event in events:
        if scene.has(event.kind) and scene.game is not None:
            nodes = render_nodes(f"{scene.game.spec.id}/{event.kind}", event.facts)
            yield Part(event.kind.replace("_", " ").capitalize(), nodes)


def _decided(scene: Scene, told: bool) -> Iterator[Part]:
    """What votes were decided on, which everybody may read; answers to questions of the rules may tell of a
    night, so they wait."""
    if told:
        yield from (Part("", render_nodes(one.template, one.facts)) for one in rulings_of(scene))
    votes = [footnote(fix) for fix in sorted(scene.setup.fixes, key=lambda fix: fix.post)]
    if votes:
        yield Part("Decisions on votes", _lines(votes))


def _deal(scene: Scene, told: bool) -> Iterator[Part]:
    proof = proof_of(scene)
    if proof is None:
        return
    if told:
        yield Part("", render_nodes("any/proof", {"proof": proof}))
    else:
        yield Part("", (Text(f"Commitment: {proof.commitment}"), Break(), Text(LATER)))


def _lines(lines: list[str]) -> Nodes:
    return tuple(node for line in lines for node in (Text(line), Break()))
