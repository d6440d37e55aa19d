"""How does a game begin: a folder with its game.toml, and if players are named the deal, first posts and PMs?

Without players the folder waits for the sign-ups; `founding.dealing` deals then.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from knightfall.app.founding.choices import chosen_values
from knightfall.app.founding.deal_proof import DealProof, Terms, commit
from knightfall.app.founding.dealing import PLAIN, Asked, begun, deal_here, spoken, terms_of
from knightfall.app.founding.first_posts import first_table, looked_at
from knightfall.app.founding.folder import FILE, made
from knightfall.app.founding.game_names import game_named, same_game
from knightfall.app.founding.own_setup import keep_setup
from knightfall.app.founding.setup_table import setup_said
from knightfall.app.guarding.outgoing import allowed
from knightfall.app.guarding.rooms import rooms_unread
from knightfall.app.ports import Ports
from knightfall.app.text_file import read_text
from knightfall.core.game import SlotId
from knightfall.errors import BrokenPlugin, InputError, SetupError
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect
from knightfall.setups.example import example
from knightfall.setups.game_file import parse_setup
from knightfall.setups.houses import VOTES
from knightfall.setups.new_file import Said, new_file
from knightfall.setups.setup import Setup

ROLES = ("game", "vote", "signup", "private", "dead")
"""Of threads, as in [[thread]]."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a new game is made of; seed and salt come from outside. `game` may be "votes"; without players
    nothing is dealt yet; `threads` are pairs of role and address."""

    game: str
    players: tuple[str, ...]
    folder: Path
    seed: bytes = field(repr=False)
    salt: bytes = field(repr=False)
    title: str = ""
    timezone: str = "UTC"
    options: Mapping[str, object] = field(default_factory=dict)
    dialect: str = ""
    site: str = ""
    moderators: tuple[str, ...] = ()
    threads: tuple[tuple[str, str], ...] = ()
    allow: str = ""
    """Why the first posts may tell what looks like a secret."""


def begin(asked: Beginning, ports: Ports) -> str:
    """Makes the folder and begins the game; returns what the moderator should know. Raises InputError where
    the folder holds a game already, or the game cannot be played with these names and options; SetupError
    where a value cannot stand in a game.toml, SecretGuard where a first post gives something away. Then
    nothing was made."""
    _checked(asked)
    kind = kind_of(asked.game)
    text = new_file(_said(asked, kind))
    if not asked.players or kind == VOTES:
        made(asked.folder, text)
        keep_setup(asked.folder, asked.options)
        return _waiting(asked.folder, kind)
    proof, speech = _proof(asked, kind), asked.dialect or asked.site or PLAIN
    found = _looked_at(proof, parse_setup(text), asked, speech, ports)
    made(asked.folder, text)
    told = begun(proof, asked.folder, speech, ports)
    allowed(found, ports, asked.allow)
    return f"Made {asked.folder}: {told}"


def begin_from(file: Path, asked: Beginning, ports: Ports) -> str:
    """The same by a game file that is there: copied as it stands, and dealt if it lists players of a game.
    Raises as `begin` does."""
    text = read_text(file)
    setup = parse_setup(text, str(file))
    if asked.game and not same_game(asked.game, setup.kind):
        raise SetupError(
            f'{file}: game.kind: found "{setup.kind}", expected "{asked.game}", which you named.'
        )
    kind = kind_of(setup.kind, f"{file}: game.kind: ")
    _checked_options(kind, setup.options, f"{file}: game.options: ")
    if setup.roster is None or kind == VOTES:
        made(asked.folder, text)
        return _waiting(asked.folder, kind)
    wanted = Asked(asked.folder, asked.seed, asked.salt, dialect=asked.dialect, allow=asked.allow)
    proof = commit(terms_of(setup, wanted), asked.seed, asked.salt)
    _looked_at(proof, setup, asked, asked.dialect or spoken(setup.site), ports)
    made(asked.folder, text)
    return f"Made {asked.folder}: {deal_here(wanted, ports)}"


def _looked_at(
    proof: DealProof, setup: Setup, asked: Beginning, speech: str, ports: Ports
) -> tuple[str, ...]:
    """The first posts, read for secrets before there is a folder."""
    first = first_table(proof, asked.folder, (), ports)
    return looked_at(first, setup, rooms_unread(setup), speech, asked.allow)


def example_of(game: str) -> str:
    """A commented game.toml. Raises InputError for no game on board."""
    kind = kind_of(game)
    return example(None if kind == VOTES else game_named(kind).spec)


def folder_of(title: str) -> Path:
    """Where a game of that title is kept unless it is said otherwise: “Salt Harbour” in salt-harbour."""
    return Path(re.sub(r"[^\w]+", "-", title.casefold()).strip("-") or "game")


def folder_for(file: Path) -> Path:
    """The same for the title of a game file. Raises SetupError."""
    return folder_of(parse_setup(read_text(file), str(file)).title or "")


def said_options(said: Sequence[str]) -> dict[str, object]:
    """`name=value` each. Raises InputError for what is not."""
    pairs = [option.partition("=") for option in said]
    wrong = next(
        (option for option, (name, sign, _) in zip(said, pairs, strict=True) if not (name and sign)), None
    )
    if wrong is not None:
        raise InputError(f"--option {wrong}: expected NAME=VALUE, such as setup=A1-RD.")
    return {name.strip(): _value(name.strip(), value.strip()) for name, _, value in pairs}


def said_threads(said: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """`role=address` each, or an address alone: the game's main thread. Raises InputError."""
    return tuple(_thread(one) for one in said)


def _thread(said: str) -> tuple[str, str]:
    if said.startswith(("http://", "https://")):
        return "game", said
    role, _, url = said.partition("=")
    if role not in ROLES or not url.startswith(("http://", "https://")):
        raise InputError(
            f"--thread {said}: expected ROLE=URL with one of {', '.join(ROLES)}, such as "
            "game=https://forum.example/viewtopic.php?t=90010."
        )
    return role, url


def _value(name: str, said: str) -> object:
    return setup_said(said) if name == "setup" else said


def kind_of(game: str, where: str = "") -> str:
    """The id of a game, or "votes"."""
    if same_game(game, VOTES):
        return VOTES
    if not game:
        raise InputError(f"{where}Which game? There are {_known()}: knightfall new GAME.")
    try:
        return game_named(game).spec.id
    except BrokenPlugin:
        raise
    except InputError:
        raise InputError(f"{where}No game “{game}” here; there are {_known()}.") from None


def _known() -> str:
    return f"{', '.join(game_ids())}, and {VOTES} for a count alone"


def _checked(asked: Beginning) -> None:
    for name in (asked.site, asked.dialect):
        if name:
            dialect(name)
    _checked_options(kind_of(asked.game), asked.options, "")


def _checked_options(kind: str, options: Mapping[str, object], where: str) -> None:
    """Options that the game has, with values that they have."""
    if kind == VOTES and options:
        raise InputError(f"{where}a count alone has no options; found {', '.join(options)}.")
    try:
        if kind != VOTES:
            spec = game_named(kind).spec
            chosen_values(spec.name, spec.options, options)
    except InputError as fault:
        raise InputError(f"{where}{fault}") from None


def _said(asked: Beginning, kind: str) -> Said:
    return Said(
        kind,
        asked.title or kind,
        asked.timezone,
        asked.site,
        asked.moderators,
        asked.options,
        asked.threads,
        asked.players,
    )


def _proof(asked: Beginning, kind: str) -> DealProof:
    return commit(Terms(kind, asked.options, tuple(map(SlotId, asked.players))), asked.seed, asked.salt)


def _waiting(folder: Path, kind: str) -> str:
    """What was made, and what comes next."""
    kept = f"Made {folder} ({FILE}, public/, private/); only you can look into it."
    if kind == VOTES:
        return f"{kept}\nNext, in it: knightfall vc URL, or put the thread into {FILE} and say knightfall vc."
    return f"{kept}\nNobody plays yet. Next, in it: knightfall signup read URL --write, then knightfall deal."
