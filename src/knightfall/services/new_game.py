"""A new game: its folder and game file, the players it is dealt to, its first posts."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import unescape
from io import StringIO
from itertools import combinations
from pathlib import Path
from typing import TypeAlias, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from knightfall.config.game_file import parse_setup
from knightfall.config.new_file import VOTES, FileStart, example, new_file, player_tables, with_option
from knightfall.config.setup import Setup
from knightfall.engine.game import Option, SlotId
from knightfall.engine.journal import Journal, Started, append, replay, standing
from knightfall.engine.rng import SeededRng
from knightfall.errors import BrokenPlugin, InputError, SetupError
from knightfall.games import game_ids
from knightfall.markup.dialects import dialect, dialect_names
from knightfall.names import strokes
from knightfall.services.deal import (
    DealProof,
    Terms,
    commit,
    dealt_into,
    parse_proof,
    setup_said,
    tell_commitment,
)
from knightfall.services.game_state import (
    DEAL_FILE,
    RunningGame,
    chosen_values,
    game_named,
    same_game,
    table_of,
)
from knightfall.services.guard import Room, allowed, of_table, passed, rooms_of, rooms_unread
from knightfall.services.publish import PRIVATE_FOLDER, kept, public_text, texts_of
from knightfall.services.session import Session, entered, journal_of, read_text
from knightfall.storage.drafts import PUBLIC, write_draft


def started(proof: DealProof) -> Started:
    """The entry with which the game of a deal begins."""
    return Started(proof.terms.game, proof.terms.slots, dict(proof.terms.options), DEAL_FILE)


def first_table(proof: DealProof, folder: Path, journal: Journal, session: Session) -> RunningGame:
    """The game as it begins behind that journal; nothing is written. Raises InputError where it cannot be
    played so."""
    game = game_named(proof.terms.game)
    after = append(journal, started(proof), session.clock.now(), session.author)
    return RunningGame(game, folder, proof.seed, after, replay(after, game, lambda: SeededRng(proof.seed)))


def looked_at(
    table: RunningGame, setup: Setup, rooms: tuple[Room, ...], speech: str, allow: str
) -> tuple[str, ...]:
    """What the first posts give away for a written reason, in sentences. Raises SecretGuard without one."""
    hidden = replace(of_table(table, setup), rooms=rooms)
    return passed(public_text(table, speech), hidden, allow)


FILE = "game.toml"
ALONE = 0o700


def made(folder: Path, text: str) -> Setup:
    """Makes the folder with its game file, readable by its owner alone; returns what the file says. Raises
    InputError where a game is there already or nothing can be written, SetupError for a file that is wrong;
    then nothing was made."""
    file = folder / FILE
    if file.exists():
        raise InputError(f"{folder} holds a game already ({FILE}): take another folder.")
    setup = parse_setup(text, str(file))
    try:
        _private(folder)
        for half in (PUBLIC, PRIVATE_FOLDER):
            (folder / half).mkdir(mode=ALONE, exist_ok=True)
            (folder / half).chmod(ALONE)
    except OSError as error:
        raise InputError(f"{folder} cannot be made: {error.strerror}.") from None
    write_file(folder, text)
    return setup


def write_file(folder: Path, text: str) -> None:
    """The game file, whole or not at all; its owner alone may read it, for it may tell roles."""
    write_draft(folder, ".", FILE, text)


def _private(folder: Path) -> None:
    """A folder that was there with something in it keeps the rights that it has."""
    fresh = not folder.exists() or not any(folder.iterdir())
    folder.mkdir(mode=ALONE, parents=True, exist_ok=True)
    if fresh:
        folder.chmod(ALONE)


HALF, NAME = "private", "setup.json"


def keep_setup(folder: Path, options: Mapping[str, object]) -> None:
    """Keeps a setup that is a table, not a code: a game file has no place for it."""
    setup = options.get("setup")
    if isinstance(setup, Mapping):
        write_draft(folder, HALF, NAME, json.dumps(setup, ensure_ascii=False, indent=1) + "\n")


def own_setup(folder: Path, asked: str) -> dict[str, object]:
    """The option of the setup that is asked for, else of the one that waits; nothing where there is neither.

    Raises SetupError for a file that is no setup.
    """
    if asked:
        return {"setup": setup_said(asked)}
    waiting = folder / HALF / NAME
    return {"setup": _table(waiting)} if waiting.exists() else {}


def _table(file: Path) -> object:
    try:
        return json.loads(read_text(file))
    except ValueError as fault:
        raise SetupError(f"{file}: this is no JSON: {fault}. Or name the setup: --setup FILE.") from None


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


def deal_here(asked: Asked, session: Session) -> str:
    """Deals to the players of the folder's game file; returns what the moderator should know.

    Raises InputError where the game has begun or cannot be played so, SetupError where the file names no
    game or no players, SecretGuard where a first post gives something away: then nothing is dealt.
    """
    journal = journal_of(session)
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
    proof, speech = _new_or_kept_deal(terms_of(setup, asked), asked), asked.dialect or spoken(setup.site)
    first = first_table(proof, asked.folder, journal, session)
    found = looked_at(first, setup, rooms_of(setup, session), speech, asked.allow)
    if longer != text:
        write_file(asked.folder, longer)
    told = begun(proof, asked.folder, speech, session)
    allowed(found, session, asked.allow)
    return told


def spoken(site: str | None) -> str:
    """The site of a game file as a dialect of posts, where it is one; else plain text."""
    try:
        return dialect(site or PLAIN).name
    except InputError:
        return PLAIN


def begun(proof: DealProof, folder: Path, speech: str, session: Session) -> str:
    """The deal in the folder, the beginning in the journal, the first posts and PMs; in words."""
    terms = proof.terms
    if (folder / DEAL_FILE).exists():
        tell_commitment(folder, proof)
    else:
        dealt_into(folder, proof)
    entered(started(proof), session, NOWHERE)
    table = table_of(session)
    texts = tuple(texts_of(terms.game, table.last_events, speech))
    kept(folder, table.journal[-1].number, texts)
    public = sum(text.whose == "public" for text in texts)
    return (
        f"{table.game.spec.name}, {len(terms.slots)} players; {public} post(s) in public/, "
        f"{len(texts) - public} PM(s) and sheets in private/.\n"
        f"Commitment of the deal (safe to post): sha256:{proof.commitment}"
    )


def _new_or_kept_deal(terms: Terms, asked: Asked) -> DealProof:
    """A new deal; the one that is there, where something ended between it and the beginning of the game."""
    file = asked.folder / DEAL_FILE
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
    found = _kind_on_board(setup)
    if game and not same_game(game, found):
        raise InputError(f'{setup.source}: game.kind: found "{found}", and you said {game}: which is it?')
    return found


def _kind_on_board(setup: Setup) -> str:
    try:
        return game_named(setup.kind).spec.id
    except InputError as fault:
        raise SetupError(f"{setup.source}: game.kind: {fault}") from None


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


def begin(asked: Beginning, session: Session) -> str:
    """Makes the folder and begins the game; returns what the moderator should know. Raises InputError where
    the folder holds a game already, or the game cannot be played with these names and options; SetupError
    where a value cannot stand in a game.toml, SecretGuard where a first post gives something away. Then
    nothing was made."""
    _checked(asked)
    kind = kind_of(asked.game)
    text = new_file(_said(asked, kind), None if kind == VOTES else game_named(kind))
    if not asked.players or kind == VOTES:
        made(asked.folder, text)
        keep_setup(asked.folder, asked.options)
        return _waiting(asked.folder, kind)
    proof, speech = _proof(asked, kind), asked.dialect or asked.site or PLAIN
    found = _looked_at(proof, parse_setup(text), asked, speech, session)
    made(asked.folder, text)
    told = begun(proof, asked.folder, speech, session)
    allowed(found, session, asked.allow)
    return f"Made {asked.folder}: {told}"


def begin_from(file: Path, asked: Beginning, session: Session) -> str:
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
    _looked_at(proof, setup, asked, asked.dialect or spoken(setup.site), session)
    made(asked.folder, text)
    return f"Made {asked.folder}: {deal_here(wanted, session)}"


def _looked_at(
    proof: DealProof, setup: Setup, asked: Beginning, speech: str, session: Session
) -> tuple[str, ...]:
    """The first posts, read for secrets before there is a folder."""
    first = first_table(proof, asked.folder, (), session)
    return looked_at(first, setup, rooms_unread(setup), speech, asked.allow)


def example_of(game: str) -> str:
    """A commented game.toml. Raises InputError for no game on board."""
    kind = kind_of(game)
    return example(None if kind == VOTES else game_named(kind))


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


def _said(asked: Beginning, kind: str) -> FileStart:
    return FileStart(
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
    done = f"Made {folder} ({FILE}, public/, private/); only you can look into it."
    if kind == VOTES:
        return f"{done}\nNext, in it: knightfall vc URL, or put the thread into {FILE} and say knightfall vc."
    return f"{done}\nNobody plays yet. Next, in it: knightfall signup read URL --write, then knightfall deal."


T = TypeVar("T")
Ask: TypeAlias = Callable[[str, str], str]
"""A question and what is offered → what was answered."""
Tell: TypeAlias = Callable[[str], None]


def answered(asked: Beginning, kind: str, named: bool, ask: Ask, tell: Tell) -> Beginning:
    """The beginning with the moderator's answers; `kind` is the game's id, `named` whether its folder was
    said already."""
    title = ask("Title of the game", asked.title or "Untitled game")
    site = _until(ask, tell, f"How your site is written: {_dialects()}", asked.site or "plain", _site)
    zone = _until(ask, tell, "Time zone of your deadlines, such as Europe/Lisbon", asked.timezone, _zone)
    moderators = _names(ask("Your account on the site, and your co-moderators'", ""))
    threads = _until(ask, tell, "Threads as ROLE=URL, with roles game, signup …", "", _threads)
    players = _names(ask("Players, with commas; nobody yet: they sign up", ""))
    told = replace(asked, title=title, site=site, timezone=zone, moderators=moderators)
    options = {} if kind == VOTES else _options(kind, ask, tell)
    folder = asked.folder if named else folder_of(title)
    return replace(told, threads=threads, players=players, options=options, folder=folder)


def _options(kind: str, ask: Ask, tell: Tell) -> dict[str, object]:
    """What is worth asking; only what differs from the default is written down."""
    spec = game_named(kind).spec
    asked = [option for option in spec.options if option.name in spec.asked]
    said = {
        one.name: _until(ask, tell, _question(one), one.default, _choice(spec.name, one)) for one in asked
    }
    return {one.name: said[one.name] for one in asked if said[one.name] != one.default}


def _question(option: Option) -> str:
    few = len(option.values) <= 4 and not option.pattern
    return f"{option.question} ({', '.join(option.values)})" if few else option.question


def _choice(game: str, option: Option) -> Callable[[str], str]:
    return lambda said: chosen_values(game, (option,), {option.name: said})[option.name]


def _until(ask: Ask, tell: Tell, question: str, offered: str, taken: Callable[[str], T]) -> T:
    """Asks until the answer can stand."""
    while True:
        try:
            return taken(ask(question, offered).strip())
        except InputError as fault:
            tell(str(fault))


def _dialects() -> str:
    return ", ".join(dialect_names())


def _site(said: str) -> str:
    return dialect(said).name


def _zone(said: str) -> str:
    try:
        return ZoneInfo(said).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise InputError(f"“{said}” is no time zone; expected an IANA name such as Europe/Lisbon.") from None


def _threads(said: str) -> tuple[tuple[str, str], ...]:
    return said_threads(_names(said.replace(" ", ",")))


def _names(said: str) -> tuple[str, ...]:
    return tuple(name for one in said.split(",") if (name := one.strip()))


HEADINGS = frozenset({"name", "names", "player", "players", "user", "username", "account"})
"""What the first column of a table is called."""
COLUMNS = ",;\t"
TABLES = (".csv", ".tsv")
NOTHING = "Nothing was made."

_GUARDED = re.compile(r"^['’](?=[=+\-@＝＋－＠])")
"""What keeps a spreadsheet from computing a name, see `core.spreadsheet`."""
_HTML_LINE = re.compile(r"<br>|</?(?:p|li|ol|ul)>")
_HEADING = re.compile(r"\s*(?:\[b\]|\*\*|<strong>)?Players \\?\((\d+)\\?\)(?:\[/b\]|\*\*|</strong>)?\s*")
_LINK = r"(?:\[(?:url|post)[^\]\n]*\]|<a [^>\n]*>|\[(?=\\?#))?"
_SIGNED = re.compile(
    rf"\s*(?:\[\*\]|\[li\]|\d+\.\s)?\s*(?P<name>\S.*)\s+"
    rf"(?:(?P<mark>\\?)\({_LINK}\\?#\d+.*\)(?:\[/li\])?|#\d+(?: \(.*\))?)\s*"
)
_LIST = re.compile(r"\s*(?:\[(?:list|ol)[^\]]*\])?\s*")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_UNPAIRED = f"Is a quotation mark unpaired? {NOTHING}"
_UNSEEN = str.maketrans("", "", "\u200b\u200e")


@dataclass(frozen=True, slots=True)
class _Line:
    """Who is named, and on which line, from 1."""

    number: int
    name: str


def names_of(text: str, source: str) -> tuple[SlotId, ...]:
    """The names of a list in its order; `source` is what complaints call it, and by its ending tells a table.

    Raises InputError where nobody is named or somebody twice, where a list of sign-ups ends early, and for a
    table without a heading that no ending tells.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    signed = _signed(lines, source)
    found = tuple(_columns(lines, source) or _each(lines) if signed is None else signed)
    if not found:
        raise InputError(f"{source} names nobody: expected one name a line.")
    _refuse_doubles(found, source)
    return tuple(SlotId(one.name) for one in found)


def _each(lines: list[str]) -> list[_Line]:
    """One a line."""
    stripped = enumerate((line.strip() for line in lines), start=1)
    return [_Line(number, line) for number, line in stripped if line and not line.startswith("#")]


def _refuse_doubles(found: tuple[_Line, ...], source: str) -> None:
    """Case, accents, alphabets and strokes make no two players."""
    pairs = combinations(((one, strokes(one.name)) for one in found), 2)
    told = [
        f"{source}: lines {one.number} and {two.number} name the same player, or look so: “{one.name}”, "
        f"“{two.name}”."
        for (one, seen), (two, other) in pairs
        if seen == other
    ]
    if told:
        raise InputError(
            "\n".join(
                (*told, "Take one of them out; if they are two, name all on the command line.", NOTHING)
            )
        )


# ── the list of the sign-ups ─────────────────────────────────────────────────────────────────────


def _signed(lines: list[str], source: str) -> list[_Line] | None:
    """Who plays by the post of `signup`, in any dialect, or by what it prints; None where it is neither."""
    pieces = [_Line(number, piece) for number, line in enumerate(lines, start=1) for piece in _pieces(line)]
    for place, piece in enumerate(pieces):
        if heading := _HEADING.fullmatch(piece.name):
            signed = list(_below(pieces[place + 1 :]))
            wanted = int(heading[1])
            if len(signed) != wanted:
                raise InputError(
                    f"{source}: line {piece.number} says {wanted} players, and {len(signed)} stand below it: "
                    "is the list whole?"
                )
            return signed
    return None


def _pieces(line: str) -> list[str]:
    """HTML for an editor of rich text has all lines in one."""
    if not line.startswith("<"):
        return [line]
    return [unescape(piece) for piece in _HTML_LINE.split(line.replace("<li>", "<br>[*]"))]


def _below(pieces: list[_Line]) -> Iterator[_Line]:
    """The entries up to the first line that is none, but for blank ones and the tag of the list."""
    for piece in pieces:
        entry = _SIGNED.fullmatch(piece.name)
        if entry:
            yield _Line(piece.number, _written(entry))
        elif not _LIST.fullmatch(piece.name):
            return


def _written(entry: re.Match[str]) -> str:
    """The name as its player writes it, without what keeps a site from reading it as a mark."""
    name = _ESCAPED.sub(r"\1", entry["name"]) if entry["mark"] else entry["name"]
    return name.translate(_UNSEEN).strip()


# ── a table ──────────────────────────────────────────────────────────────────────────────────────


def _columns(lines: list[str], source: str) -> list[_Line]:
    """The first column of a table; nothing where it is none."""
    solid = [line for line in lines if line.strip() and not line.startswith("#")]
    comma = max(COLUMNS, key=solid[0].count) if solid else ","
    headed = bool(solid) and solid[0].split(comma)[0].strip('" ').casefold() in HEADINGS and comma in solid[0]
    if headed or source.lower().endswith(TABLES):
        return _first_cells(lines, comma, source)
    if len(solid) > 1 and all(comma in line for line in solid):
        raise InputError(
            f"{source}: every line has a “{comma}”: a table begins with a heading such as name{comma}…, or "
            f"its file ends in .csv. {NOTHING}"
        )
    return []


def _first_cells(lines: list[str], comma: str, source: str) -> list[_Line]:
    """The names, below the heading where there is one."""
    solid = [one for one in _cells(lines, comma, source) if one.name and not one.name.startswith("#")]
    broken = next((one.number for one in solid if "\n" in one.name), None)
    if broken is not None:
        raise InputError(f"{source}: line {broken}: a name goes on in the next line. {_UNPAIRED}")
    return solid[1:] if solid and solid[0].name.casefold() in HEADINGS else solid


def _cells(lines: list[str], comma: str, source: str) -> Iterator[_Line]:
    """The first cell of each row, and on which line it begins."""
    reader, before = csv.reader(StringIO("\n".join(lines)), delimiter=comma, strict=True), 0
    try:
        for row in reader:
            yield _Line(before + 1, _GUARDED.sub("", row[0].strip()) if row else "")
            before = reader.line_num
    except csv.Error as error:
        raise InputError(f"{source}: line {before + 1}: {error}. {_UNPAIRED}") from None
