"""How is the game of a folder dealt to the players of its game file: seed, proof, beginning, first texts?"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from knightfall.app.diary.journal import entered, journal_of
from knightfall.app.founding.deal import PRIVATE, dealt_into, parse_proof, tell_commitment
from knightfall.app.founding.deal_proof import DealProof, Terms, commit
from knightfall.app.founding.first_posts import first_table, looked_at, started
from knightfall.app.founding.folder import FILE, write_file
from knightfall.app.founding.game_names import game_named, same_game
from knightfall.app.founding.own_setup import own_setup
from knightfall.app.founding.setup_table import setup_said
from knightfall.app.guarding.outgoing import allowed
from knightfall.app.guarding.rooms import rooms_of
from knightfall.app.play.table import table_of
from knightfall.app.play.texts import kept, texts_of
from knightfall.app.ports import Ports
from knightfall.app.text_file import read_text
from knightfall.core.entries import Started
from knightfall.core.game import SlotId
from knightfall.core.journal import standing
from knightfall.errors import InputError, SetupError
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect
from knightfall.setups.game_file import parse_setup
from knightfall.setups.houses import VOTES
from knightfall.setups.new_file import player_tables, with_option
from knightfall.setups.setup import Setup

PLAIN = "plain"
NOWHERE = "A game is kept in a folder."


@dataclass(frozen=True, slots=True)
class Asked:
    """What to deal: `game` where it is named ("": as the file says), `players` and `setup` beside the file;
    seed and salt come from outside."""

    folder: Path
    seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    game: str = ""
    players: tuple[str, ...] = ()
    setup: str = ""
    dialect: str = ""
    allow: str = ""
    """Why the first posts may tell what looks like a secret."""


def deal_here(asked: Asked, ports: Ports) -> str:
    """Deals to the players of the folder's game file; returns what the moderator should know.

    Raises InputError where the game has begun or cannot be played so, SetupError where the file names no
    game or no players, SecretGuard where a first post gives something away: then nothing is dealt.
    """
    journal = journal_of(ports)
    began = next((r for r in standing(journal) if isinstance(r.entry, Started)), None)
    if began is not None:
        raise InputError(
            f"The game of {asked.folder} was dealt already: entry {began.number} of knightfall log. Its PMs: "
            "knightfall pm roles."
        )
    text = read_text(asked.folder / FILE)
    setup = parse_setup(text, str(asked.folder / FILE))
    longer = _completed(text, setup, asked)
    setup = parse_setup(longer, setup.source)
    proof, speech = _proof(terms_of(setup, asked), asked), asked.dialect or spoken(setup.site)
    first = first_table(proof, asked.folder, journal, ports)
    found = looked_at(first, setup, rooms_of(setup, ports), speech, asked.allow)
    if longer != text:
        write_file(asked.folder, longer)
    told = begun(proof, asked.folder, speech, ports)
    allowed(found, ports, asked.allow)
    return told


def spoken(site: str | None) -> str:
    """The site of a game file as a dialect of posts, where it is one; else plain text."""
    try:
        return dialect(site or PLAIN).name
    except InputError:
        return PLAIN


def begun(proof: DealProof, folder: Path, speech: str, ports: Ports) -> str:
    """The deal in the folder, the beginning in the journal, the first posts and PMs; in words."""
    terms = proof.terms
    if (folder / PRIVATE).exists():
        tell_commitment(folder, proof)
    else:
        dealt_into(folder, proof)
    entered(started(proof), ports, NOWHERE)
    table = table_of(folder, ports)
    texts = tuple(texts_of(terms.game, table.last_events, speech))
    kept(folder, table.journal[-1].number, texts)
    public = sum(text.whose == "public" for text in texts)
    return (
        f"{table.game.spec.name}, {len(terms.slots)} players; {public} post(s) in public/, "
        f"{len(texts) - public} PM(s) and sheets in private/.\n"
        f"Commitment of the deal (safe to post): sha256:{proof.commitment}"
    )


def _proof(terms: Terms, asked: Asked) -> DealProof:
    """A new deal; the one that is there, where something ended between it and the beginning of the game."""
    file = asked.folder / PRIVATE
    if not file.exists():
        return commit(terms, asked.seed, asked.salt)
    proof = parse_proof(str(file), read_text(file))
    if proof.terms != terms:
        raise InputError(
            f"{file}: a deal is there already, of another game or for other players; a second one would be a "
            "choice. Take another folder: knightfall new GAME --out FOLDER."
        )
    return proof


def _completed(text: str, setup: Setup, asked: Asked) -> str:
    """The file with the players and the setup that were named beside it."""
    if asked.players and setup.roster is not None:
        raise InputError(
            f"{setup.source} lists players already: leave --players out, or take them out there."
        )
    tables = "".join("\n" + "\n".join(lines) + "\n" for lines in player_tables(asked.players))
    longer = text.rstrip("\n") + "\n" + tables if tables else text
    if not asked.setup or isinstance(setup_said(asked.setup), dict):
        return longer
    if setup.options.get("setup", asked.setup) != asked.setup:
        raise InputError(
            f'{setup.source}: game.options.setup: found "{setup.options["setup"]}", and --setup '
            f"{asked.setup}: expected one of them alone."
        )
    return longer if "setup" in setup.options else with_option(longer, "setup", asked.setup)


def terms_of(setup: Setup, asked: Asked) -> Terms:
    """What is dealt by a game file. Raises as `deal_here` does."""
    kind = _kind(setup, asked.game)
    if setup.roster is None:
        raise SetupError(
            f"{setup.source}: player: found none, expected a [[player]] table each. From the sign-ups: "
            "knightfall signup read URL --write; from a file: --players FILE."
        )
    own = own_setup(asked.folder, asked.setup)
    slots = tuple(SlotId(slot.holders[0].name) for slot in setup.roster.slots)
    return Terms(kind, {**setup.options, **own}, slots)


def _kind(setup: Setup, game: str) -> str:
    if setup.kind == VOTES:
        named = game_named(game).spec.id if game else "knight_errant"
        raise SetupError(
            f'{setup.source}: game.kind: found "{VOTES}", expected a game that is dealt, such as '
            f'kind = "{named}". There are {", ".join(game_ids())}.'
        )
    found = _known(setup)
    if game and not same_game(game, found):
        raise InputError(f'{setup.source}: game.kind: found "{found}", and you said {game}: which is it?')
    return found


def _known(setup: Setup) -> str:
    try:
        return game_named(setup.kind).spec.id
    except InputError as fault:
        raise SetupError(f"{setup.source}: game.kind: {fault}") from None
