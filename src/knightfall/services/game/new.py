"""A new game: its folder and game file, the deal to its players, and the beginning with its first posts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from knightfall.config.game_file import parse_setup
from knightfall.config.new_file import FileStart, example, new_file, player_tables, with_keys
from knightfall.config.setup import VOTES, Setup
from knightfall.engine.entries import EDITION, Started
from knightfall.engine.game import Game, Option
from knightfall.engine.journal import append, standing
from knightfall.engine.json_text import JsonAnswer
from knightfall.engine.replay import replay
from knightfall.engine.rng import SeededRng
from knightfall.errors import BrokenPlugin, InputError, SetupError
from knightfall.forums.sites import site_of
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect as dialect_named
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.deal import (
    SETUP_FILE,
    DealProof,
    DealTerms,
    commit,
    dealt_into,
    file_options,
    parse_proof,
    rules_digest,
    setup_for,
    tell_commitment,
)
from knightfall.services.fair_deal import kept_secret, promise_of, promised_deal
from knightfall.services.games import chosen_values, game_named, same_game
from knightfall.services.guard import allowed, of_table, passed, private_threads_of, private_threads_unread
from knightfall.services.now import now_of
from knightfall.services.publish import (
    PRIVATE_FOLDER,
    Text,
    kept,
    lined_texts,
    public_text,
    public_texts,
    texts_of,
)
from knightfall.services.requests import CommitRequest, DealRequest, NewGameRequest, PostOptions
from knightfall.services.running import RunningGame
from knightfall.services.session import DEAL_FILE, GAME_FILE, Session, entered, in_turn, journal_of, read_text
from knightfall.services.threads import PLAIN, dialect_of
from knightfall.storage.drafts import PUBLIC, own_folder, write_draft
from knightfall.version import VERSION
from knightfall.votes.rule import AtDeadline

_OWNER_ALONE = 0o700


@dataclass(frozen=True, slots=True, repr=False)
class BegunGame(JsonAnswer):
    """A game that was dealt and began: what it is called, its first texts, the commitment of its deal.

    `assumed` is the setup that it has since none was named, else "".
    """

    name: str
    slots: tuple[SlotId, ...]
    texts: tuple[Text, ...]
    commitment: str
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class NewGame:
    """A folder that was made for a game of this id, or for "votes"; `begun` None while nobody plays.

    `assumed` is the setup that the game will have unless one is named, else "".
    """

    folder: Path
    kind: str
    begun: BegunGame | None = None
    assumed: str = ""


# ── making the folder ────────────────────────────────────────────────────────────────────────────


def begin(asked: NewGameRequest, session: Session) -> NewGame:
    """Make the folder of a game, and begin the game where players are named.

    Raises InputError where the folder holds a game already, or the game cannot be played with these names and
    options; SetupError where a value cannot stand in a game.toml, SecretGuard where a first post gives
    something away. Then nothing was made.
    """
    request = _with_table(asked)
    kind, game, text = _drafted(request)
    if request.players and game is not None:
        # Deal, and read the first posts for secrets, before there is a folder.
        opening = _first_opening(request, kind, game, text, session)
    if not request.players or game is None or request.fair:
        make_folder(request.folder, text)
        # A game file has no place for a setup that is a table, not a code: it waits in private/.
        own = request.options.get("setup")
        if isinstance(own, Mapping):
            waiting = json.dumps(own, ensure_ascii=False, indent=1) + "\n"
            half, _, name = SETUP_FILE.partition("/")
            write_draft(request.folder, half, name, waiting)
        return NewGame(request.folder, kind, assumed=assumed_setup(kind, request.options))

    make_folder(request.folder, text)
    return NewGame(request.folder, kind, _begin_play(opening, session))


@dataclass(frozen=True, slots=True)
class NewGamePreview:
    """What `begin` would make: the folder, the text of its game file, and the first posts (none while nobody
    plays). `assumed` is as in `NewGame`."""

    folder: Path
    kind: str
    file: str
    posts: tuple[str, ...]
    assumed: str = ""


def preview_game(asked: NewGameRequest, session: Session) -> NewGamePreview:
    """Show what `begin` would make; nothing is written. Raises as `begin` does."""
    request = _with_table(asked)
    kind, game, text = _drafted(request)
    if (request.folder / GAME_FILE).exists():
        raise InputError(f"{request.folder} contains a game already ({GAME_FILE}). Use another folder.")
    setup = parse_setup(text)
    assumed = assumed_setup(kind, request.options)
    if not request.players or game is None or request.fair:
        return NewGamePreview(request.folder, kind, text, (), assumed)
    opening = _first_opening(request, kind, game, text, session)
    table = _begun_on_trial(opening, session, fresh=True)
    posts = tuple(one.text for one in public_texts(table, opening.dialect))
    return NewGamePreview(request.folder, setup.kind, text, posts, assumed)


def _with_table(asked: NewGameRequest) -> NewGameRequest:
    """The request with the table of an open setup in the place of its name."""
    named = asked.options.get("setup")
    if not isinstance(named, str) or (table := setup_for(kind_of(asked.game), named)) == named:
        return asked
    return replace(asked, options={**asked.options, "setup": table})


def _drafted(request: NewGameRequest) -> tuple[str, Game[Any] | None, str]:
    """The id of the game or "votes", the game (None: votes are counted alone), and the text of its game file.
    Raises as `begin` does."""
    for name in (request.site, request.dialect):
        if name:
            dialect_named(name)
    kind = kind_of(request.game)
    check_options(kind, request.options, "")
    if request.at_deadline not in (said := [one.value for one in AtDeadline]):
        raise InputError(f"“{request.at_deadline}” is not a way to end a day. Use {', '.join(said)}.")
    game = None if kind == VOTES else game_named(kind)
    text = new_file(
        FileStart(
            kind,
            request.title or (game.spec.name if game else kind),
            request.timezone,
            request.site,
            request.moderators,
            request.options,
            request.threads,
            request.players,
            _rules_of(request),
        ),
        game,
    )
    return kind, game, text


def _rules_of(request: NewGameRequest) -> Mapping[str, Mapping[str, object]]:
    """The rules of the file as they are asked for, by table."""
    own = {} if request.at_deadline == AtDeadline.ASK.value else {"at_deadline": request.at_deadline}
    return {**request.rules, "rules": {**own, **request.rules.get("rules", {})}}


def _first_opening(
    request: NewGameRequest, kind: str, game: Game[Any], text: str, session: Session
) -> _Opening:
    """The beginning of a game that has no folder yet."""
    chosen = {**game.spec.begun_with, **request.options}
    terms = DealTerms(kind, chosen, tuple(map(SlotId, request.players)))
    setup = parse_setup(text)
    proof = commit(terms, request.seed, request.salt)
    return _opening(proof, setup, _post_options(request, setup), session, fresh=True)


def begin_from(file: Path, request: NewGameRequest, session: Session) -> NewGame:
    """Make the folder of a game by a game file that is copied as it stands; deal if it lists players.

    Of the request only game, folder, seed, salt, dialect, `allow` and `fair` count. Raises as `begin` does.
    """
    text = read_text(file)
    setup = parse_setup(text, str(file))
    if request.game and not same_game(request.game, setup.kind):
        raise SetupError(
            f'{file}: game.kind: found "{setup.kind}", expected "{request.game}", which you named.'
        )
    kind = kind_of(setup.kind, f"{file}: game.kind: ")
    check_options(kind, setup.options, f"{file}: game.options: ")
    if setup.roster is None or kind == VOTES:
        make_folder(request.folder, text)
        return NewGame(request.folder, kind, assumed=assumed_setup(kind, setup.options))

    # Would it be dealt? Only then is there a folder.
    deal = DealRequest(request.seed, request.salt, dialect=request.dialect, allow=request.allow)
    proof = commit(_terms(setup, deal, request.folder), request.seed, request.salt)
    _opening(proof, setup, _post_options(deal, setup), session, fresh=True)
    make_folder(request.folder, text)
    if request.fair:
        return NewGame(request.folder, kind, assumed=assumed_setup(kind, setup.options))
    return NewGame(request.folder, kind, deal_game(deal, session))


def kind_of(game: str, where: str = "") -> str:
    """The id of a game, or "votes". Raises InputError, which begins with `where`, for what is neither."""
    if same_game(game, VOTES):
        return VOTES
    known = f"{', '.join(game_ids())}, and {VOTES} for a votes-only game"
    if not game:
        raise InputError(
            sentence(
                "{where}Which game? Choose one of {known}: {start}",
                where=where,
                known=known,
                start=Way("new_game"),
            )
        )
    try:
        return game_named(game).spec.id
    except BrokenPlugin:
        raise
    except InputError:
        raise InputError(f"{where}There is no game called “{game}”. Games: {known}.") from None


def check_options(kind: str, options: Mapping[str, object], where: str) -> None:
    """Raises InputError where the game has no such option, or the option no such value."""
    if kind == VOTES and options:
        raise InputError(f"{where}a votes-only game has no options; found {', '.join(options)}.")
    try:
        if kind != VOTES:
            game = game_named(kind)
            chosen_values(game.spec.name, game.spec.options, options)
            if isinstance(options.get("setup"), Mapping):  # its roles are known before its players are
                game.setup_post((), options)
    except InputError as fault:
        raise InputError(sentence("{where}{fault}", where=where, fault=fault)) from None


def make_folder(folder: Path, text: str) -> None:
    """Make the folder with its game file, readable by its owner alone.

    A folder that was there with something in it keeps the rights that it has. Raises InputError where a game
    is there already or nothing can be written, SetupError for a file that is wrong; then nothing was made.
    """
    file = folder / GAME_FILE
    if file.exists():
        raise InputError(f"{folder} contains a game already ({GAME_FILE}). Use another folder.")
    parse_setup(text, str(file))
    try:
        fresh = not folder.exists() or not any(folder.iterdir())
        own_folder(folder)
        halves = [folder / half for half in (PUBLIC, PRIVATE_FOLDER)]
        for half in halves:
            own_folder(half)
        # A stick or a share may know no rights and refuse to set them: doctor tells who can open the folder.
        with suppress(PermissionError, NotImplementedError):
            for place in (folder, *halves) if fresh else halves:
                place.chmod(_OWNER_ALONE)
    except OSError as error:
        raise InputError(f"{folder} cannot be created: {error.strerror}.") from None
    write_draft(folder, ".", GAME_FILE, text)


def example_of(game: str) -> str:
    """A commented game.toml. Raises InputError for a game that is not known."""
    kind = kind_of(game)
    return example(None if kind == VOTES else game_named(kind))


def setup_option(kind: str) -> Option | None:
    """The option by which a game's setup is named; None where it has one only."""
    if kind == VOTES:
        return None
    return next((one for one in game_named(kind).spec.options if one.name == "setup"), None)


def assumed_setup(kind: str, options: Mapping[str, object]) -> str:
    """The setup of a game that is made for a moderator's own, where none is named; else ""."""
    option = setup_option(kind)
    return option.default if option and option.pattern and "setup" not in options else ""


def folder_of(title: str, kind: str = "") -> Path:
    """Where a game of that title is kept unless it is said otherwise: “Salt Harbour” in salt-harbour; without
    a title it is called after what is played."""
    named = re.sub(r"[^\w]+", "-", title.casefold()).strip("-")
    return Path(named or re.sub(r"[\W_]+", "-", kind.casefold()).strip("-") or "game")


def folder_for(file: Path) -> Path:
    """Where the game of a game file is kept, by its title. Raises SetupError."""
    setup = parse_setup(read_text(file), str(file))
    return folder_of(setup.title or "", setup.kind)


# ── the deal ─────────────────────────────────────────────────────────────────────────────────────


@in_turn
def deal_game(request: DealRequest, session: Session) -> BegunGame:
    """Deal to the players of the folder's game file, and begin the game.

    Raises InputError where the game has begun or cannot be played so, SetupError where the file names no game
    or no players, SecretGuard where a first post gives something away: then nothing is dealt.
    """
    folder = session.folder
    began = next((r for r in standing(journal_of(session)) if isinstance(r.entry, Started)), None)
    if began is not None:
        raise InputError(
            sentence(
                "The game in {folder} was dealt already (entry {entry} of the log). For its PMs: {pms}",
                folder=folder,
                entry=began.number,
                pms=Way("list_pms", kind="role"),
            )
        )

    # What was committed to stands: the setup that was named then, too.
    promise = promise_of(journal_of(session))
    if promise is not None:
        kept_ = kept_secret(folder, promise)
        request = replace(request, setup=request.setup or kept_.setup, seated=request.seated or kept_.seated)

    # The game file, with the players and the setup that were named beside it.
    file = folder / GAME_FILE
    text = read_text(file)
    longer = _completed(text, parse_setup(text, str(file)), request)
    setup = parse_setup(longer, str(file))

    # A new deal; the one that is there, where something ended between it and the beginning of the game.
    terms, dealt = _terms(setup, request, folder), folder / DEAL_FILE
    if promise is not None:
        terms = replace(terms, rules=rules_digest(terms.game))
        proof = promised_deal(promise, terms, folder, session.clock.now())
        if dealt.exists():
            refuse_another(proof, dealt)
    elif dealt.exists():
        proof = parse_proof(str(dealt), read_text(dealt))
        if proof.terms != terms:
            raise InputError(
                sentence(
                    "{file}: there is already a deal here, of another game or for other players. A second "
                    "deal would let you choose between them. Use another folder: {start}",
                    file=dealt,
                    start=Way("new_game"),
                )
            )
    else:
        proof = commit(terms, request.seed, request.salt)

    opening = _opening(proof, setup, _post_options(request, setup), session, fresh=False)
    if longer != text:
        write_draft(folder, ".", GAME_FILE, longer)
    return _begin_play(opening, session)


def refuse_another(proof: DealProof, file: Path) -> None:
    """Raises InputError where the deal that lies there is not the one that was committed to."""
    there = parse_proof(str(file), read_text(file))
    if (there.seed, there.terms) != (proof.seed, proof.terms):
        raise InputError(
            sentence(
                "{file}: there is already a deal here, and not the one that was committed to. Use another "
                "folder: {start}",
                file=file,
                start=Way("new_game"),
            )
        )


def fair_terms(
    asked: CommitRequest, chance: Mapping[str, object], session: Session
) -> tuple[DealTerms, Setup]:
    """What a deal by that chance would be made from now, and the game file. Raises as `deal_game` does."""
    text = read_text(session.folder / GAME_FILE)
    request = DealRequest(b"", b"", setup=asked.setup, seated=asked.seated)
    filed = parse_setup(_completed(text, parse_setup(text), request), str(session.folder / GAME_FILE))
    terms = _terms(filed, request, session.folder)
    threads = {one.role: one.url for one in filed.threads if not one.secret}
    thread = threads.get("game") or threads.get("signup") or filed.url or ""
    rules = rules_digest(terms.game)
    return replace(terms, chance=dict(chance), rules=rules, title=filed.title or "", thread=thread), filed


def _completed(text: str, setup: Setup, request: DealRequest) -> str:
    """The game file with the players and the setup of the request."""
    if request.players and setup.roster is not None:
        raise InputError(
            sentence(
                "{source} lists players already. Leave out {players}, or remove them from the file.",
                source=setup.source,
                players=Way("field", name="players"),
            )
        )
    tables = "".join("\n" + "\n".join(lines) + "\n" for lines in player_tables(request.players))
    longer = text.rstrip("\n") + "\n" + tables if tables else text
    code = request.setup
    if not code or not isinstance(code, str) or isinstance(setup_for(setup.kind, code), dict):
        return longer
    if setup.options.get("setup", code) != code:
        raise InputError(
            sentence(
                '{source}: game.options.setup: found "{found}", and {field} {code}. Use only one of them.',
                source=setup.source,
                found=setup.options["setup"],
                field=Way("field", name="setup"),
                code=code,
            )
        )
    return longer if "setup" in setup.options else with_keys(longer, "game.options", {"setup": code})


def _terms(setup: Setup, request: DealRequest, folder: Path) -> DealTerms:
    """What is dealt by a game file. Raises as `deal_game` does."""
    if setup.kind == VOTES:
        named = game_named(request.game).spec.id if request.game else next(iter(game_ids()))
        raise SetupError(
            f'{setup.source}: game.kind: found "{VOTES}", expected a game that is dealt, such as '
            f'kind = "{named}". There are {", ".join(game_ids())}.'
        )
    try:
        kind = game_named(setup.kind).spec.id
    except InputError as fault:
        raise SetupError(sentence("{source}: game.kind: {fault}", source=setup.source, fault=fault)) from None
    if request.game and not same_game(request.game, kind):
        raise InputError(
            f'{setup.source}: game.kind: found "{kind}", and you said {request.game}: which is it?'
        )
    if setup.roster is None:
        raise SetupError(
            sentence(
                "{source}: no players found. Add a [[player]] table for each. From the sign-ups: {read}. "
                "From a file: {players}",
                source=setup.source,
                read=Way("read_signups"),
                players=Way("field", name="players", value="FILE"),
            )
        )

    # The setup of the request, else a table that waits in private/, else the code of the file.
    if request.setup:
        options = {**setup.options, "setup": setup_for(kind, request.setup)}
    else:
        options = file_options(setup, folder)
    options = {**game_named(kind).spec.begun_with, **options}
    slots = tuple(SlotId(slot.holders[0].name) for slot in setup.roster.slots)
    if request.seated:
        if sorted(request.seated) != sorted(slots):
            raise InputError(f"Name each player once: {', '.join(slots)}. Found {', '.join(request.seated)}.")
        slots = tuple(map(SlotId, request.seated))
    return DealTerms(kind, options, slots)


def _post_options(request: DealRequest | NewGameRequest, setup: Setup) -> PostOptions:
    """How the first posts are written: as said, else for the site of the game file."""
    return PostOptions(dialect_of(request.dialect, setup, site_of(setup.url or ""), PLAIN), request.allow)


# ── the beginning ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Opening:
    """A game that is about to begin; `given_away` is what its first posts tell for a written reason."""

    proof: DealProof
    entry: Started
    options: PostOptions
    given_away: tuple[str, ...]

    @property
    def dialect(self) -> str:
        """Of the first posts."""
        return self.options.dialect or PLAIN


def _opening(
    proof: DealProof, setup: Setup, options: PostOptions, session: Session, *, fresh: bool
) -> _Opening:
    """Begin the game of a deal on trial, and read its first posts for secrets; nothing is written.

    `fresh`: there is no folder yet. Raises InputError where it cannot be played so, SecretGuard where a post
    gives something away without a reason.
    """
    terms = proof.terms
    moderators = {name.casefold() for name in setup.moderators}
    playing = [slot for slot in terms.slots if slot.casefold() in moderators]
    if playing:
        raise InputError(
            f"{playing[0]} is a moderator of this game and cannot play in it: the votes of moderators never "
            "count. Take them out of the players, or out of the moderators."
        )
    sealed = fresh or _all_sealed(session)
    entry = Started(
        terms.game,
        terms.slots,
        dict(terms.options),
        DEAL_FILE,
        "ask",
        EDITION,
        sealed=sealed,
        version=VERSION,
    )
    opening = _Opening(proof, entry, options, ())
    table = _begun_on_trial(opening, session, fresh=fresh)
    threads = private_threads_unread(setup) if fresh else private_threads_of(setup, session)
    text = public_text(table, opening.dialect)
    found = passed(text, replace(of_table(table, setup), threads=threads), options.allow)
    return replace(opening, given_away=found)


def _all_sealed(session: Session) -> bool:
    """Whether all evidence that the folder holds already has its seals."""
    with closing(session.store("")) as store:
        return store.is_sealed()


def _begun_on_trial(opening: _Opening, session: Session, *, fresh: bool) -> RunningGame:
    """The game as it begins; nothing is written."""
    seed, game = opening.proof.seed, game_named(opening.entry.game)
    journal = append(() if fresh else journal_of(session), opening.entry, session.clock.now(), session.author)
    parts = opening.proof.parts

    def source() -> SeededRng:
        return SeededRng(seed, parts=parts)

    return RunningGame(game, session.folder, seed, journal, replay(journal, game, source), parts)


def _begin_play(opening: _Opening, session: Session) -> BegunGame:
    """Keep the deal in the folder, write the beginning into the journal, and the first posts and PMs."""
    proof, folder = opening.proof, session.folder
    if (folder / DEAL_FILE).exists():
        tell_commitment(folder, proof)
    else:
        dealt_into(folder, proof)
    nowhere = sentence(
        "This needs a folder for the game: {out}", out=Way("field", name="out", value="FOLDER")
    )
    entered(opening.entry, session, nowhere)
    table = now_of(session).running
    texts = tuple(texts_of(table, table.last_events, opening.dialect))
    texts = lined_texts(texts, opening.dialect, session)
    kept(folder, table.journal[-1].number, texts)
    allowed(opening.given_away, session, opening.options.allow)
    assumed = assumed_setup(proof.terms.game, proof.terms.options)
    return BegunGame(table.game.spec.name, proof.terms.slots, texts, proof.commitment, assumed)
