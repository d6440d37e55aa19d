"""Rulings, setups, odds, games, platforms and records, looked up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path

from knightfall.config.game_file import read_setup
from knightfall.engine.game import Chosen, Spec
from knightfall.errors import InputError, SetupError
from knightfall.forums import outside_forums
from knightfall.forums.platforms import Platform, all_platforms
from knightfall.games import OUTSIDE, PLACES, game_ids, loaded
from knightfall.games.empowered.assignment import PLAYERS, numbers
from knightfall.games.empowered.roles import TOWN_ROLES
from knightfall.games.knight_errant import CODES, parse_code
from knightfall.games.knight_errant.table import SetupCode
from knightfall.games.knight_fight.board import SIDES
from knightfall.games.knight_fight.bout import Bout
from knightfall.games.knight_fight.facts import closed_colour, threats
from knightfall.games.knight_fight.moves import placements
from knightfall.games.knight_fight.notation import write_move
from knightfall.games.knight_fight.record import positions, read
from knightfall.games.knights_duty import (
    PRINTED_BOARDS,
    WEAPONS,
    Board,
    Card,
    Defence,
    Pile,
    Token,
    chance,
    disarms,
    make_pile,
    parse_board,
    parse_options,
    printed_board,
)
from knightfall.services.game_choice import chosen_values, games_on_board, same_game


@dataclass(frozen=True, slots=True)
class Replay:
    """The positions of a record up to a turn, the one before its first turn included."""

    positions: tuple[Bout, ...]


@dataclass(frozen=True, slots=True)
class SideMoves:
    """What a side may do: its moves as written, a colour it may not place on ("" for none), and for each way
    to win at once "six points" or "four in a row"."""

    side: str
    moves: tuple[str, ...]
    closed_colour: str
    threats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """The moves of a position: of who is to move, in Bidding of both; of nobody where it has ended."""

    position: Bout
    sides: tuple[SideMoves, ...]


def replay(path: Path, turn: int | None = None) -> Replay:
    """Play a record again, up to turn number `turn` where one is given.

    Raises InputError for a file that cannot be read and a turn that does not follow or is not there.
    """
    try:
        record = read(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: the file cannot be read ({error.strerror}).") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start}).") from error
    found = tuple(bout for bout in positions(record) if turn is None or len(bout.record) <= turn)
    if turn is not None and len(found[-1].record) < turn:
        raise InputError(f"{path}: turn {turn} is asked for; the record has {len(found[-1].record)}.")
    return Replay(found)


def legal_moves(path: Path, turn: int | None = None) -> LegalMoves:
    """The legal moves of the last position, or of the one after a turn. Raises as `replay` does."""
    bout = replay(path, turn).positions[-1]
    if bout.ended:
        return LegalMoves(bout, ())
    win = "six points" if bout.has("T") else "four in a row"
    sides = SIDES if bout.has("B") else (bout.to_move,)
    return LegalMoves(
        bout,
        tuple(
            SideMoves(
                side.name,
                tuple(sorted(map(write_move, placements(bout, side)))),
                closed_colour(bout, side) or "",
                tuple(win for threat in threats(bout) if threat["side"] == side.name),
            )
            for side in sides
        ),
    )


@dataclass(frozen=True, slots=True)
class OptionChoice:
    """An option that a ruling leaves to the moderator, and the value that holds."""

    name: str
    question: str
    values: tuple[str, ...]
    default: str
    chosen: str


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling by its number, with its options."""

    ruling: str
    text: str
    options: tuple[OptionChoice, ...]


@dataclass(frozen=True, slots=True)
class GameRulings:
    """The rulings of a game in the order of their numbers."""

    game: str
    name: str
    rulings: tuple[Ruling, ...]

    def to_dict(self) -> dict[str, object]:
        """{game, name, rulings: [{ruling, text, options: [{name, question, values, default, chosen}]}]}."""
        return asdict(self)


def rulings(game: str, folder: Path | None = None) -> GameRulings:
    """The rulings of a game with its options, as chosen in the folder's game.toml.

    Raises InputError for a game that is not on board or an unknown option, SetupError where the folder is
    another game's.
    """
    kind = next((name for name in game_ids() if same_game(game, name)), None)
    if kind is None:
        raise InputError(f"No rulings of “{game}”; there are those of {', '.join(game_ids())}.")
    spec = loaded(kind).spec
    given: Mapping[str, object] = {}
    if folder is not None:
        setup = read_setup(folder)
        if not same_game(setup.kind, kind):
            raise SetupError(f"{setup.source}: game.kind: found {setup.kind!r}, expected {kind!r}.")
        given = setup.options
    chosen = chosen_values(spec.name, spec.options, given)
    # A ruling without a line of its own has its option's question.
    texts = {option.ruling: option.question for option in spec.options} | dict(spec.rulings)

    def number(ruling: str) -> tuple[str, int]:
        """EM-R2 before EM-R10, KF-P01 after KF-45."""
        family = ruling.rstrip("0123456789")
        return family, int(ruling.removeprefix(family) or 0)

    def choices(ruling: str) -> tuple[OptionChoice, ...]:
        own = [option for option in spec.options if option.ruling == ruling]
        return tuple(OptionChoice(o.name, o.question, o.values, o.default, chosen[o.name]) for o in own)

    found = (Ruling(ruling, texts[ruling], choices(ruling)) for ruling in sorted(texts, key=number))
    return GameRulings(kind, spec.name, tuple(found))


@dataclass(frozen=True, slots=True)
class AttackOdds:
    """One attack in Knight's Duty: its pile, and the chances of a hit and of being disarmed."""

    weapon: Token
    inspired: bool
    guard: Token | None
    pile: Pile
    hit: Fraction
    disarmed: Fraction


@dataclass(frozen=True, slots=True)
class OddsTable:
    """The chances of attacks; one row where a weapon was named."""

    rows: tuple[AttackOdds, ...]

    def to_dict(self) -> dict[str, object]:
        """{odds: [{weapon, inspired, guard, pile, hit: "3/5", disarmed: "0"}]}."""
        rows = [
            {
                "weapon": one.weapon,
                "inspired": one.inspired,
                "guard": one.guard,
                "pile": one.pile.counts(),
                "hit": str(one.hit),
                "disarmed": str(one.disarmed),
            }
            for one in self.rows
        ]
        return {"odds": rows}


def odds(
    weapon: str | None,
    shield: bool = False,
    parry: bool = False,
    hill: bool = False,
    edition: str = "current",
) -> OddsTable:
    """The chances of one attack; without a weapon those of all, against every defence or the one asked for.

    Raises InputError for another weapon or edition, and for shield and parry at once.
    """
    if shield and parry:
        raise InputError("A knight shields or parries, never both in one round: give one of them.")
    rules = parse_options({"edition": edition})
    guard = Token.SHIELD if shield else Token.PARRY if parry else None
    if weapon is None:
        guards = (guard,) if guard else (None, Token.SHIELD, Token.PARRY)
        ways = product(WEAPONS, (True,) if hill else (False, True), guards)
        return OddsTable(
            tuple(_attack_odds(one, inspired, against, rules) for one, inspired, against in ways)
        )
    named = next((one for one in WEAPONS if weapon.strip().casefold() == one), None)
    if named is None:
        raise InputError(f"No weapon “{weapon}”; there are {', '.join(WEAPONS)}.")
    return OddsTable((_attack_odds(named, hill, guard, rules),))


def _attack_odds(weapon: Token, inspired: bool, guard: Token | None, rules: Chosen) -> AttackOdds:
    """KD-16 to KD-20: the pile of such an attack, and what its cards do."""
    pile = make_pile(weapon, inspired, Defence(guard), rules)
    lost = sum((chance(pile, card) for card in Card if disarms(weapon, card, guard, rules)), Fraction(0))
    return AttackOdds(weapon, inspired, guard, pile, chance(pile), lost)


@dataclass(frozen=True, slots=True)
class CodeSetups:
    """Setup codes of Knight-Errant."""

    codes: tuple[SetupCode, ...]

    def to_dict(self) -> dict[str, object]:
        """{setups: [{code, cells, power_roles, sk_abilities: {ability: uses}, probability: "1/32"}]}."""
        setups = [
            {
                "code": setup.code,
                "cells": list(setup.cells),
                "power_roles": list(setup.powers),
                "sk_abilities": {str(ability): uses for ability, uses in setup.shots.items()},
                "probability": str(setup.probability),
            }
            for setup in self.codes
        ]
        return {"setups": setups}


@dataclass(frozen=True, slots=True)
class PlayerNumbers:
    """The composition of Empowered Mafia for a number of players; `warning` is "" where all is well."""

    players: int
    mafia: int
    empowerers: int
    others: int
    copies: int
    list_length: int
    warning: str


@dataclass(frozen=True, slots=True)
class NumberSetups:
    """The numbers of Empowered Mafia."""

    numbers: tuple[PlayerNumbers, ...]

    def to_dict(self) -> dict[str, object]:
        """{numbers: [{players, mafia, empowerers, others, copies, list_length, warning}]}."""
        return {"numbers": [asdict(one) for one in self.numbers]}


@dataclass(frozen=True, slots=True)
class NamedBoard:
    """A board of Knight's Duty and the name or file it was asked for by."""

    name: str
    board: Board


@dataclass(frozen=True, slots=True)
class BoardSetups:
    """Boards of Knight's Duty."""

    boards: tuple[NamedBoard, ...]

    def to_dict(self) -> dict[str, object]:
        """{boards: [{name, grid, spaces, starts: [{space, clan}], hill}]}."""
        boards = [
            {
                "name": one.name,
                "grid": str(one.board.grid),
                "spaces": list(one.board.spaces),
                "starts": [{"space": space, "clan": one.board.clan(space)} for space in one.board.starts],
                "hill": min(one.board.hills),
            }
            for one in self.boards
        ]
        return {"boards": boards}


def setups(
    game: str, code: str | None = None, players: int | None = None
) -> CodeSetups | NumberSetups | BoardSetups:
    """The setups of a game: all of them, or the one of a code, a number of players, a board or its file.

    Raises InputError for another game or code, too few players, or a file that is no board (then with
    line and column).
    """
    match next((name for name in PLACES if same_game(game, name)), ""):
        case "knight_errant":
            return CodeSetups((parse_code(code),) if code else tuple(CODES.values()))
        case "empowered":
            counts = map(numbers, PLAYERS if players is None else (players,))
            return NumberSetups(
                tuple(
                    PlayerNumbers(
                        count.players,
                        count.mafia,
                        count.empowerers,
                        count.others,
                        count.copies,
                        count.copies * len(TOWN_ROLES),
                        "a third is mafia" if count.crowded else "",
                    )
                    for count in counts
                )
            )
        case "knights_duty" if code and code not in PRINTED_BOARDS:
            return BoardSetups((NamedBoard(code, _load_board(code)),))
        case "knights_duty":
            names = (code,) if code else tuple(PRINTED_BOARDS)
            return BoardSetups(tuple(NamedBoard(name, printed_board(name)) for name in names))
    raise InputError(f"No setups of “{game}”; there are those of knight_errant, empowered, knights_duty.")


def _load_board(file: str) -> Board:
    try:
        return parse_board(Path(file).read_text(encoding="utf-8"))
    except InputError as fault:
        raise InputError(f"{file}: {fault}") from None
    except (OSError, UnicodeDecodeError):
        known = ", ".join(PRINTED_BOARDS)
        raise InputError(f"No board “{file}”, and no text file of that name; there are {known}.") from None


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game on board: for how many players, with how many options and rulings."""

    id: str
    name: str
    players: tuple[int, ...]
    options: int
    rulings: int


@dataclass(frozen=True, slots=True)
class GameList:
    """The games on board."""

    games: tuple[GameSummary, ...]
    faults: tuple[str, ...] = ()
    """A sentence for each game of another package that cannot be loaded."""

    def to_dict(self) -> dict[str, object]:
        """{games: [{id, name, players: numbers, options: how many, rulings: how many}]}."""
        return {"games": [asdict(game) for game in self.games]}


def games() -> GameList:
    """Every game on board."""
    specs: list[Spec] = [game.spec for game in games_on_board().values()]
    return GameList(
        tuple(
            GameSummary(spec.id, spec.name, tuple(spec.players), len(spec.options), len(spec.rulings))
            for spec in specs
        ),
        OUTSIDE.faults(),
    )


@dataclass(frozen=True, slots=True)
class ForumPlatforms:
    """The forum software that can be read."""

    platforms: tuple[Platform, ...]
    faults: tuple[str, ...] = ()
    """A sentence for each forum of another package that cannot be loaded."""

    def to_dict(self) -> dict[str, object]:
        """{platforms: [{platform, software, read_as, edits, deleted, times, checked_on}]}."""
        platforms = [
            {
                "platform": one.name,
                "software": one.software,
                "read_as": one.read_as,
                "edits": "yes" if one.edits else "no",
                "deleted": one.deleted.value,
                "times": one.times.value,
                "checked_on": one.checked.value,
            }
            for one in self.platforms
        ]
        return {"platforms": platforms}


def forum_platforms() -> ForumPlatforms:
    """Every platform that can be read, and how well."""
    return ForumPlatforms(tuple(all_platforms()), outside_forums().faults())
