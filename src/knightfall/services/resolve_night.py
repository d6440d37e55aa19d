"""Resolve or preview a night of a game's folder or of a file, and check flavour for its dawn.

In a folder the position is that of the game itself, before the night was closed; what was sent stands in it.
So the answer to “what if nothing changed” is what was, or will be, closed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from knightfall.config.files import parse_toml
from knightfall.engine.game import (
    Announced,
    Event,
    Message,
    Noted,
    Refusal,
    Told,
    announced,
    noted,
    told,
)
from knightfall.engine.journal import (
    Aliased,
    Drawn,
    Replaced,
    Submitted,
    Taken,
    options_of,
    standing,
    start_of,
)
from knightfall.errors import DecisionNeeded, InputError, SecretGuard, SetupError
from knightfall.games import game_ids, loaded
from knightfall.mafia.decide import NOON, Position, Refused, chance, send_all
from knightfall.mafia.events import CautionNote, Dawn, NightSheet, RingQuestion
from knightfall.mafia.explain import deed, word
from knightfall.mafia.explain_night import Dependence, sensitivity
from knightfall.mafia.game import MafiaGame, NightFile
from knightfall.mafia.night import Action
from knightfall.mafia.night_file import night_of as parse_tables
from knightfall.mafia.state import Phase, State
from knightfall.names import line_shown
from knightfall.sentence import SlotId
from knightfall.services.game_state import (
    RunningGame,
    before,
    holders,
    noted_now,
    refusal_lines,
    renamed,
    setup_of,
    since_closing,
    table_of,
    told_to,
)
from knightfall.services.guard import TOLD_BY_A_DEATH, card_of
from knightfall.services.session import Session, journal_of, read_text
from knightfall.writeups.events import moderator_sheet, private_message, public_post
from knightfall.writeups.leak_check import Secret, card_secrets, inflected, leaks
from knightfall.writeups.render import render, template_names


def read_night(path: Path) -> NightFile:
    """Read a night file. Raises SetupError with file, key, what was found and what was expected."""
    return parse_night(path.name, read_text(path))


def parse_night(name: str, text: str) -> NightFile:
    """Parse the text of a night file; `name` is what complaints call the file."""
    try:
        table = parse_toml(text)
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{name}: not TOML: {error}.") from error
    return night_of(name, table)


def night_of(name: str, table: Mapping[str, Any]) -> NightFile:
    """The night of the tables that a night file has; `name` is what complaints call them."""
    key = "game" if "game" in table and "kind" not in table else "kind"
    kind = table.get(key)
    game = loaded(kind) if isinstance(kind, str) and kind in game_ids() else None
    if not isinstance(game, MafiaGame):
        known = (one for one in game_ids() if isinstance(loaded(one), MafiaGame))
        expected = " or ".join(f'"{one}"' for one in known)
        raise SetupError(f"{name}: {key}: found {kind!r}, expected {expected}.")
    return parse_tables(name, table, game)


SHEET, RECEIPT, KNOT = "moderator_night", "receipt", "knot"


def has_nights(session: Session) -> bool:
    """Whether the game of the folder is a mafia game, whose nights are explained step by step."""
    started = start_of(journal_of(session))
    return started is None or isinstance(loaded(started.game), MafiaGame)


def night_here(number: int | None, session: Session) -> NightFile:
    """The night of that number; None: the open one, else the last. Raises InputError where there is none."""
    table = table_of(session)
    if not isinstance(table.game, MafiaGame):
        raise InputError(
            f"{table.game.spec.name} has no nights. To see what closing would do: knightfall resolve"
        )
    title = setup_of(session).title or table.game.spec.name
    closed = _closed(table)
    open_ = table.state.number if table.state.phase is Phase.NIGHT else None
    wanted = number or open_ or max(closed, default=None)
    if wanted is not None and wanted == open_:
        return replace(_pending(table, title), held=holders(table.journal))
    if wanted not in closed:
        none = "There has been no night yet." if number is None else f"There is no night {number}."
        known = [*(f"{night} (closed)" for night in closed), *([f"{open_} (open)"] if open_ else [])]
        nights = (
            f"Nights of this game: {', '.join(known)}."
            if known
            else "The game is over."
            if not table.windows
            else f"Close {table.windows[0].title} first: knightfall commit {table.windows[0].kind}."
        )
        raise InputError(f"{none} {nights}")
    return replace(_past(table, closed[wanted], title), held=holders(table.journal))


def _game_of(table: RunningGame) -> MafiaGame[Any]:
    assert isinstance(table.game, MafiaGame)  # `night_here` refuses any other
    return table.game


def _closed(table: RunningGame) -> dict[int, Taken]:
    """What closed each night that is over."""
    found = {}
    for taken in table.replay.taken:
        for sheet in noted(taken.events):
            if isinstance(sheet.facts, NightSheet):
                found[sheet.facts.night] = taken
    return found


def _pending(table: RunningGame, title: str) -> NightFile:
    """What the closing will lead to. Raises DecisionNeeded where the game cannot close the night."""
    night = _night(table, table.state, title)
    kind = table.windows[0].kind
    # Before its deadline, too: this is only to see what would be, and tells nothing of a closing too early.
    ready = replace(table.state, since=None)
    at = max(filter(None, (table.journal[-1].at, table.windows[0].closes)))
    step = night.game.close(ready, kind, at, chance(night))
    if step.refused:
        raise DecisionNeeded("\n".join(("The night cannot be closed yet.", *refusal_lines(step.refused))))
    return replace(night, ending=step.events)


def _past(table: RunningGame, taken: Taken, title: str) -> NightFile:
    then = before(table, taken.number)
    state: State[Any] = then.state
    entry = table.journal[taken.number - 1].entry
    if isinstance(entry, Submitted) and entry.slot is not None:  # the last player was ready: EM-R27
        said = _game_of(table).without_ending(entry.text)
        message = Message(entry.slot, said, table.journal[taken.number - 1].at, _aliases(table))
        state = then.game.submit(state, message, chance(_night(then, state, title))).state
    if state.phase is not Phase.NIGHT:
        raise InputError(
            f"Entry {taken.number} opened and closed that night at once, so nobody could send anything."
        )
    return replace(
        _night(then, state, title),
        ending=tuple(
            event for event in taken.events if not (isinstance(event, Told) and event.kind == RECEIPT)
        ),
    )


def _night(table: RunningGame, state: State[Any], title: str) -> NightFile:
    """The position of a game's folder as a night: what stands is written as each would have to send it."""
    game = _game_of(table)
    started = start_of(table.journal)
    assert started is not None  # or there were no table
    refused: list[tuple[SlotId, str, Refusal]] = []
    senders: set[SlotId] = set()
    recent = {record.number: record.entry for record in since_closing(table)}
    for taken in table.replay.taken:
        entry = recent.get(taken.number)
        if isinstance(entry, Submitted) and entry.slot is not None:
            refused += ((entry.slot, line, why) for line, why in taken.refused)
            senders.add(entry.slot)
    night = NightFile(
        game,
        title,
        state.number,
        {slot: card.name for slot, card in state.living.items()},
        options_of(started, game.spec),
        {},
        state.shots,
        state.code,
        game.file_marks_of(state),
        position=state,
        names={name: slot for name, slot in _aliases(table).items() if slot in state.living},
        refused=tuple(refused),
        senders=frozenset(senders),
        seed=table.seed,
        drawn=tuple((entry.label, entry.value) for entry in recent.values() if isinstance(entry, Drawn)),
    )
    lines: dict[SlotId, tuple[str, ...]] = {}
    for action in game.standing_orders(state):
        lines[action.actor] = (*lines.get(action.actor, ()), game.words.notation(action))
    return replace(night, lines=lines)


def _aliases(table: RunningGame) -> dict[str, SlotId]:
    """The other names that the journal knows for the slots."""
    aliases: dict[str, SlotId] = {}
    for record in standing(table.journal):
        match record.entry:
            case Replaced(slot=slot, name=name) | Aliased(slot=slot, alias=name):
                aliases[name] = slot
    return aliases


@dataclass(frozen=True, slots=True)
class PrivateText:
    """A PM and whom it goes to."""

    to: tuple[SlotId, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ResolvedNight:
    """A night with its posts: the moderator's `sheet`, the `causes` of death that the dawn tells, `cautions`
    beside those of the sheet; `depends` are the options on which this night hangs."""

    title: str
    number: int
    sheet: NightSheet
    causes: Mapping[SlotId, str]
    cautions: tuple[CautionNote, ...]
    refused: tuple[Refused, ...]
    public: tuple[str, ...]
    private: tuple[PrivateText, ...]
    depends: tuple[Dependence, ...]

    @property
    def decided(self) -> tuple[str, ...]:
        """A line for each tie that was drawn, and each loop of actions that needed no decision."""
        return tuple(render("mafia/lots", self.sheet).splitlines())

    def to_dict(self) -> dict[str, object]:
        """{title, night, moderator: the sheet's facts, cautions, refused: [{slot, line, code, text}], public:
        [posts], private: [{to: [slots], text}], depends: [{option, value, ruling, changes: [texts]}]}."""
        return {
            "title": self.title,
            "night": self.number,
            "moderator": asdict(self.sheet)
            | {
                "deaths": [
                    asdict(death)
                    | ({"cause": self.causes[death.name]} if self.causes.get(death.name) else {})
                    for death in self.sheet.deaths
                ]
            },
            "cautions": [asdict(caution) for caution in self.cautions],
            "refused": [
                {"slot": slot, "line": line, "code": why.code, "text": why.text}
                for slot, line, why in self.refused
            ],
            "public": list(self.public),
            "private": [{"to": list(pm.to), "text": pm.text} for pm in self.private],
            "depends": [one.to_dict() for one in self.depends],
        }


def resolve(night: NightFile, dialect: str = "plain", flavour: str = "") -> ResolvedNight:
    """Close the night by the game's own rules: sheet, posts and PMs. `flavour` stands before the dawn.

    Raises DecisionNeeded with the question, where actions change each other in a ring.
    """
    sent = send_all(night)
    held = night.held
    events = _closing_events(night)
    sheets = tuple(noted_now(event, held) for event in (*sent.cautions, *noted(events)))
    posts = tuple(renamed(event, held) for event in announced(events))
    if ring := next((sheet.facts for sheet in sheets if isinstance(sheet.facts, RingQuestion)), None):
        raise DecisionNeeded(
            f"{moderator_sheet(night.kind, Noted(ring))}\n"
            'In a game\'s folder: knightfall submit moderator "rule 1"\n'
            f'In a night file: [rulings] "{ring.key}" = "{ring.choices[0].choice}"'
        )
    sheet = next(sheet.facts for sheet in sheets if isinstance(sheet.facts, NightSheet))
    # What the dawn says of the cause of a death, where the game tells one.
    dawns = (event.facts for event in announced(events) if isinstance(event.facts, Dawn))
    causes = {
        called_now(death.name, night): death.cause for dawn in dawns for death in dawn.deaths if death.cause
    }
    # A game may have no template of its own for an event yet: then there is nothing to print.
    known = template_names()
    return ResolvedNight(
        night.title,
        night.number,
        sheet,
        causes,
        tuple(one.facts for one in sheets if isinstance(one.facts, CautionNote)),
        tuple((called_now(slot, night), line, why) for slot, line, why in sent.refused),
        tuple(
            public_post(night.kind, event, dialect, flavour)
            for event in posts
            if f"{night.kind}/{event.kind}" in known
        ),
        tuple(
            PrivateText(
                tuple(called_now(slot, night) for slot in event.slots),
                private_message(night.kind, told_to(event, event.slots[0], held), dialect),
            )
            for event in told(events)
            if f"{night.kind}/{event.kind}" in known
        ),
        tuple(_called_now(one, night) for one in sensitivity(night)),
    )


def called_now(text: str, night: NightFile) -> SlotId:
    """A name, or a text with names in it, in which each slot is called by who holds it now."""
    return SlotId(line_shown(text, night.held))


def _called_now(one: Dependence, night: NightFile) -> Dependence:
    changes = (change._replace(text=called_now(change.text, night)) for change in one.changes)
    return replace(one, changes=tuple(changes))


def _closing_events(night: NightFile) -> tuple[Event, ...]:
    """What closing the night leads to: as the game of its folder says, else by the lines of the file."""
    if night.ending:
        return night.ending
    return night.game.close(send_all(night).state, "night", NOON, chance(night)).events


@dataclass(frozen=True, slots=True)
class NightPreview:
    """What will come of a night as it stands. `question` is what closing it would ask ("": nothing), and
    `resolved` is None then; `pm_sizes` are the lengths of the PMs, shortest first; `is_open` where it is a
    night of a folder."""

    kind: str
    title: str
    number: int
    question: str
    resolved: ResolvedNight | None
    pm_sizes: tuple[int, ...]
    is_open: bool


def preview(night: NightFile) -> NightPreview:
    """Close the night as it stands, without writing anything."""
    kind, in_folder = night.kind, night.position is not None
    if question := ruling_asked(night):
        return NightPreview(kind, night.title, night.number, question, None, (), in_folder)
    sizes = sorted(len(private_message(kind, pm)) for pm in told(_closing_events(night)) for _ in pm.slots)
    return NightPreview(kind, night.title, night.number, "", resolve(night), tuple(sizes), in_folder)


def ruling_asked(night: NightFile) -> str:
    """The question that closing the night puts to the moderator; "" where there is none."""
    asked = (event for event in noted(night.ending) if isinstance(event.facts, RingQuestion))
    return next((moderator_sheet(night.kind, event) for event in asked), "")


@dataclass(frozen=True, slots=True)
class _Morning:
    """A night decided: who lives, with which cards; what was done; the dawn and the PMs."""

    state: Position
    actions: tuple[Action, ...]
    dawn: Announced
    pms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlavourCheck:
    """A moderator's own text for the dawn, and a sentence for each secret that it gives away."""

    text: str
    leaks: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """{text, leaks: [sentences]}."""
        return {"text": self.text, "leaks": list(self.leaks)}


def check_flavour(night: NightFile, text: str, reason: str | None = None) -> FlavourCheck:
    """Check whether a text for the dawn gives away what only some may know.

    The finished post and the text as written are read for roles of the living, abilities that living players
    used this night, at whom, and words of the night's PMs. What the dawn itself tells is no secret: the cards
    of the dead, and that somebody was killed. A night that ends the game has no secrets left. Raises
    SecretGuard where something is given away, unless `reason` says why that is meant.
    """
    found = tuple(_given_away(night, text))
    if found and not (reason and reason.strip()):
        how = 'Change the text, or give a reason to let it pass: --allow-leak "REASON"'
        raise SecretGuard(
            "\n".join(("The text would give away a secret, so nothing was printed.", *found, how))
        )
    return FlavourCheck(text, found)


def _given_away(night: NightFile, text: str) -> Iterator[str]:
    """In sentences: first of the finished post, then what only the text as written shows."""
    morning = _morning(night)
    if morning is None:
        return
    post, secrets = public_post(night.kind, morning.dawn, flavour=text), tuple(_secrets(night, morning))
    seen: set[str] = set()
    for where, read in (("The post", post), ("The flavour", text)):
        for leak in leaks(read, secrets, morning.pms):
            if leak.secret.what not in seen:
                yield f"{where}, {leak}."
                seen.add(leak.secret.what)


def _morning(night: NightFile) -> _Morning | None:
    """None where the game is over: then everything is told."""
    sent, game = send_all(night), night.game
    step = game.close(sent.state, "night", NOON, chance(night))
    if game.outcome(step.state) is not None:
        return None
    dawn = next(event for event in announced(step.events) if event.kind == "dawn")
    pms = tuple(private_message(night.kind, event) for event in told(step.events))
    return _Morning(step.state, sent.state.actions, dawn, pms)


def _secrets(night: NightFile, morning: _Morning) -> Iterable[Secret]:
    """Without roles that a death has shown, unless their holder is named beside one."""
    living, left = morning.state.living, morning.state.left
    shown = [morning.state.cards[slot].name for slot in left]
    cards = (
        card_of(role.name, called_now(slot, night), (slot, called_now(slot, night)))
        for slot, role in living.items()
    )
    roles = card_secrets(cards, shown)
    public = TOLD_BY_A_DEATH if left else frozenset[str]()
    deeds = (_of_deed(night, action, living, public) for action in morning.actions if action.actor in living)
    return chain(roles, chain.from_iterable(deeds))


def _of_deed(
    night: NightFile, action: Action, living: Iterable[SlotId], public: frozenset[str]
) -> Iterator[Secret]:
    """The words for an ability in the forms that a sentence uses, and the names of living targets."""
    words = night.game.words
    bare = words.notation(action._replace(targets=(), options=()))
    for said in dict.fromkeys((bare, word(words, action.ability), action.ability.replace("_", " "))):
        if said not in public:
            yield from (Secret(form, deed(words, action)) for form in inflected(said))
    for target in action.targets:
        if target in living:
            names = dict.fromkeys((str(target), str(called_now(target, night))))
            yield from (Secret(name, deed(words, action)) for name in names)
