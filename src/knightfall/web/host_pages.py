"""A new game, hosted in three questions: its thread, its setup, its players.

Each question is a page, and each form carries what was said on the others: nothing is kept here, so nothing
is lost on the way, forwards or back. What is refused comes back as it was sent, with the reason at its field.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import FormData
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret
from knightfall.config.instants import no_zone
from knightfall.config.player_list import parse_players
from knightfall.config.rule_questions import BY_FIELD, RuleAnswer, answers_in, grouped, parse_rules
from knightfall.config.setup import VOTES
from knightfall.engine.game import Option
from knightfall.errors import FieldError, InputError, KnightfallError
from knightfall.markup.dialects import dialect_names
from knightfall.services.game.beginning import Beginning, read_beginning
from knightfall.services.game.commitment import commit_deal
from knightfall.services.game.file import thread_address
from knightfall.services.game.lookups import games
from knightfall.services.game.new import begin, check_options, folder_of, kind_of, preview_game
from knightfall.services.game.rules import new_rules, rule_of_days
from knightfall.services.game.setups import (
    mended_setup,
    pasted_setup,
    picked_line,
    role_picker,
    setup_reading,
)
from knightfall.services.games import chosen_values, game_named
from knightfall.services.posts.write import preview
from knightfall.services.requests import CommitRequest, NewGameRequest
from knightfall.services.session import Session
from knightfall.storage.drafts import own_folder
from knightfall.web.jobs import Job
from knightfall.web.pages import GamePage, Page, ThePage, fields_of, kind_name
from knightfall.web.private_eyes import WORDS
from knightfall.web.refused_forms import OF_THE_RUN, Fields, shown_again

router = APIRouter(prefix="/host")
ROLES = (
    ("signup", "Sign-up thread"),
    ("game", "Game thread"),
    ("vote", "Thread for votes alone"),
    ("private", "Private thread"),
    ("dead", "Thread of the dead"),
)
LISTED = 60
"""An option with more values than this is typed."""
_OF_STEP: Mapping[str, tuple[str, ...]] = {
    "about": ("title", "moderators", "site", "timezone", "thread-"),
    "setup": ("option-",),
    "players": ("players", "seat-", "rules.", "terms."),
}
"""Which fields each page asks itself: by their names, or how these begin."""
_PRESSED = ("address", "picked-", "pick", "mend", "typed-", "later", "name", "fair")
"""Fields that hold for one press of a button, and are not carried on."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What was said so far of a game of a kind: the fields of its forms."""

    kind: str
    fields: Fields = ()

    def __getitem__(self, name: str) -> str:
        return next((value.strip() for one, value in self.fields if one == name), "")

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a field that can be there several times."""
        return tuple(value for one, value in self.fields if one == name)

    def beside(self, step: str) -> tuple[tuple[str, str], ...]:
        """What a page carries on: all that other pages asked."""
        own = (*_OF_STEP.get(step, ()), *_PRESSED)
        return tuple(one for one in self.fields if not _begins(one[0], own))

    def saying(self, said: Mapping[str, str]) -> Draft:
        """The draft with other values of these fields."""
        kept = (one for one in self.fields if one[0] not in said)
        return replace(self, fields=(*kept, *said.items()))

    @property
    def is_votes(self) -> bool:
        """Whether votes are counted and nothing else is played."""
        return self.kind == VOTES

    @property
    def asked(self) -> tuple[Option, ...]:
        """The options of the game that its moderator is asked for."""
        if self.is_votes:
            return ()
        spec = game_named(self.kind).spec
        return tuple(one for one in spec.options if one.name in {*spec.asked, "setup"})

    @property
    def own_setup(self) -> bool:
        """Whether the game has a setup that its moderator makes."""
        return any(_is_own_setup(one) for one in self.asked)

    @property
    def seats(self) -> tuple[str, ...]:
        """What each player is by their place, where that decides."""
        return () if self.is_votes else game_named(self.kind).spec.seats


def _begins(name: str, starts: Iterable[str]) -> bool:
    return any(name == one or (one[-1] in "-." and name.startswith(one)) for one in starts)


def _is_own_setup(option: Option) -> bool:
    return option.name == "setup" and bool(option.pattern)


async def draft_of(kind: str, request: Request) -> Draft:
    """What the form says. Raises InputError for a game that there is not."""
    form = await request.form() if request.method == "POST" else FormData()
    fields = tuple(one for one in fields_of(form) if one[0] not in OF_THE_RUN)
    # Boxes that hold together are one value of an option.
    known = kind_of(kind)
    draft = Draft(known, fields)
    for option in draft.asked:
        name = f"option-{option.name}"
        if option.together and len(draft.all(name)) > 1:
            draft = draft.saying({name: "+".join(draft.all(name))})
    return draft


TheDraft = Annotated[Draft, Depends(draft_of)]


@router.get("")
def host(page: ThePage, names: str = "") -> HTMLResponse:
    """Which game? `names`: where the players lie that were pasted on the start page."""
    kept = page.web.kept.get(names)
    return page.show("host", games=games().games, players=kept if isinstance(kept, str) else "")


# ── the pages ────────────────────────────────────────────────────────────────────────────────────


def _shown(page: Page, step: str, draft: Draft, **facts: Any) -> HTMLResponse:
    """The page of a step, with what was said on it."""
    return page.show(
        f"host_{step}",
        draft=draft,
        kind=draft.kind,
        name=kind_name(draft.kind),
        carried=draft.beside(step),
        root=f"/host/{draft.kind}",
        questions=2 if draft.is_votes or not draft.asked else 3,
        **facts,
    )


def _thread(page: Page, draft: Draft) -> HTMLResponse:
    return _shown(page, "thread", draft)


def _about(page: Page, draft: Draft, read: Beginning | None = None) -> HTMLResponse:
    site = draft["site"]
    dialects = dialect_names()
    return _shown(
        page,
        "about",
        draft,
        read=read,
        how=_how_known(read) if read else {},
        sites=(*dialects, site) if site and site not in dialects else dialects,
        zones=sorted(available_timezones()),
        roles=ROLES,
    )


def _how_known(read: Beginning) -> dict[str, str]:
    """Of each field how its value is known."""
    known = {
        "title": read.title,
        "moderators": read.moderators,
        "site": read.site,
        "timezone": read.timezone,
        f"thread-{read.role.value}": read.role,
    }
    return {name: found.how for name, found in known.items() if found.how}


def _setup(page: Page, draft: Draft) -> HTMLResponse:
    text = draft["option-setup"] if draft.own_setup else ""
    reading = setup_reading(text) if text else None
    chosen = {name: draft[f"picked-{name}"] for name in ("number", "side", "limit")}
    return _shown(
        page,
        "setup",
        draft,
        options=[one for one in draft.asked if not _is_own_setup(one)],
        text=text,
        reading=Secret(reading),
        is_file=bool(text) and reading is None,
        picker=role_picker() if draft.own_setup else None,
        chosen=chosen,
        listed=LISTED,
    )


def _players(page: Page, draft: Draft) -> HTMLResponse:
    fits = "" if draft.is_votes else _numbers(draft)
    return _shown(
        page,
        "players",
        draft,
        fits=fits,
        known=_names_in(draft["players"]),
        rules=grouped(_answers(draft)),
        reading=Secret(_reading(draft)),
        signs_up=bool(draft["thread-signup"]),
    )


def _numbers(draft: Draft) -> str:
    """How many can play."""
    reading, fits = _reading(draft), game_named(draft.kind).spec.players
    if reading is not None:
        return f"{max(reading.least, fits[0])} or more" if reading.is_filled else str(reading.least)
    return f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"


def _reading(draft: Draft) -> Any:
    """How a setup of one's own was read; None where there is none, or it is a file."""
    text = draft["option-setup"]
    return setup_reading(text) if draft.own_setup and text else None


def _names_in(text: str) -> tuple[str, ...]:
    try:
        return tuple(map(str, parse_players(text, "the list of players"))) if text else ()
    except InputError:
        return ()


def _answers(draft: Draft) -> tuple[RuleAnswer, ...]:
    """The rules as they were said so far; what cannot be read stays as it was typed."""
    found = list[RuleAnswer]()
    for one in new_rules(draft.kind):
        typed = [value for value in draft.all(one.question.field) if value.strip()]
        try:
            value = one.question.parsed(typed)
        except InputError:
            value = typed[0]
        found.append(one if value is None else replace(one, value=value, given=True))
    return tuple(found)


@router.get("/{kind}")
def ask_thread(page: ThePage, draft: TheDraft) -> HTMLResponse:
    """The first question: where is the game, or its sign-up?"""
    return _thread(page, draft)


@router.post("/{kind}")
def ask_thread_again(page: ThePage, draft: TheDraft) -> HTMLResponse:
    """The same with what was said since."""
    return _thread(page, draft)


@router.post("/{kind}/read")
def read_thread(page: ThePage, draft: TheDraft) -> Response:
    """Read the first page of a thread, and go on with what it tells."""
    try:
        address = thread_address(draft["address"])
    except InputError as error:
        return _refused(page, _thread(page, draft), "read", draft, error, "address")

    def work(session: Session, _: Job) -> str:
        read = read_beginning(address, session)
        return f"/host/{draft.kind}/about?read={page.web.keep((read, _filled(draft, read)))}"

    # Where it is stopped, what was said is there.
    stopped = Beginning(address, fault="Reading it was stopped.")
    back = f"/host/{draft.kind}/about?read={page.web.keep((stopped, _filled(draft, stopped)))}"
    return page.follow("Reading the thread", back, page.web.games.thread_session(), work)


def _filled(draft: Draft, read: Beginning) -> Draft:
    """The draft with what a thread tells where nothing was said."""
    found = {
        "title": read.title.value,
        "moderators": read.moderators.value,
        "site": read.site.value,
        "timezone": read.timezone.value,
        "players": read.players.value,
    }
    new = {name: value for name, value in found.items() if value and not draft[name]}
    return draft.saying({**new, f"thread-{read.role.value}": read.url})


@router.get("/{kind}/about")
def ask_about(page: ThePage, draft: TheDraft, read: str = "") -> HTMLResponse:
    """What the thread tells of the game, to be put right; empty where there is no thread yet."""
    kept = page.web.kept.get(read)
    if isinstance(kept, tuple) and isinstance(kept[0], Beginning) and kept[1].kind == draft.kind:
        return _about(page, kept[1], kept[0])
    return _about(page, draft)


@router.post("/{kind}/about")
def ask_about_again(page: ThePage, draft: TheDraft) -> HTMLResponse:
    """The same with what was said since."""
    return _about(page, draft)


@router.get("/{kind}/setup")
def ask_setup_first(page: ThePage, draft: TheDraft) -> HTMLResponse:
    """The second question, with nothing said before it."""
    return _setup(page, draft)


@router.post("/{kind}/setup")
def ask_setup(page: ThePage, draft: TheDraft) -> Response:
    """The second question: the setup, read back as it is understood; a role that is picked goes into it."""
    try:
        _check_about(page, draft)
    except InputError as error:
        return _refused(page, _about(page, draft), "setup", draft, error)
    if draft["pick"]:
        number, side, limit = (draft[f"picked-{one}"] for one in ("number", "side", "limit"))
        line = picked_line(number, side, limit, draft["pick"])
        draft = draft.saying({"option-setup": f"{draft['option-setup']}\n{line}".strip()})
    if chosen := draft["mend"]:
        typed = draft[f"typed-{chosen.partition(':')[0]}"]
        draft = draft.saying({"option-setup": mended_setup(draft["option-setup"], chosen, typed)})
    return _setup(page, draft) if draft.asked else _players(page, draft)


@router.get("/{kind}/players")
def ask_players_first(page: ThePage, draft: TheDraft) -> HTMLResponse:
    """The third question, with nothing said before it."""
    return _players(page, draft)


@router.post("/{kind}/players")
def ask_players(page: ThePage, draft: TheDraft) -> Response:
    """The third question: who plays; and the rules that the moderator sets."""
    try:
        _check_about(page, draft)
    except InputError as error:
        return _refused(page, _about(page, draft), "setup", draft, error)
    try:
        _options(draft)
    except KnightfallError as error:
        return _refused(page, _setup(page, draft), "players", draft, error, "option-setup")
    return _players(page, draft)


# ── what was said, and what is made of it ────────────────────────────────────────────────────────


def _refused(
    page: Page, shown: HTMLResponse, action: str, draft: Draft, error: KnightfallError, field: str = ""
) -> Response:
    """The page of a step with the form that was sent as it was sent, and why it was refused."""
    if error.secret and page.web.private_eyes:
        error = InputError(f"What is wrong is {WORDS}. Switch them off to see it.")
    to = f"/host/{draft.kind}/{action}"
    return shown_again(bytes(shown.body).decode(), to, draft.fields, page, error, field) or page.failed(error)


def _check_about(page: Page, draft: Draft) -> None:
    """Raises FieldError for what the page about the game cannot take."""
    if not draft["title"]:
        raise FieldError("Give the game a title.", "title")
    if folder_of(draft["title"]).name in page.web.games.names():
        raise FieldError("You have a game of that name already. Choose another title.", "title")
    for role, _ in ROLES:
        for address in draft[f"thread-{role}"].split():
            try:
                thread_address(address)
            except InputError as error:
                raise FieldError(error.message, f"thread-{role}") from None
    try:
        ZoneInfo(draft["timezone"] or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise FieldError(no_zone(draft["timezone"]), "timezone") from None


def _options(draft: Draft) -> dict[str, object]:
    """The options that were chosen, without what is usual. Raises InputError for what cannot be."""
    options: dict[str, object] = {}
    for option in draft.asked:
        value = draft[f"option-{option.name}"]
        if not value:
            continue
        if _is_own_setup(option) and value not in option.values:
            options[option.name] = pasted_setup(value, draft["title"])
        elif not option.takes(value):
            expected = option.form or ", ".join(words for _, words in option.said)
            told = f"{option.question}: found “{value}”, expected {expected}."
            raise FieldError(told, f"option-{option.name}")
        else:
            options[option.name] = value
    if draft.is_votes:
        return options
    spec = game_named(draft.kind).spec
    chosen = chosen_values(spec.name, spec.options, options)
    # Only what differs from the default is written down; a setup is always named.
    made: dict[str, object] = {
        one.name: own if isinstance(own := options[one.name], Mapping) else chosen[one.name]
        for one in spec.options
        if one.name in options and (one.name == "setup" or chosen[one.name] != one.default)
    }
    check_options(draft.kind, made, "")
    return made


def _request_of(page: Page, draft: Draft) -> NewGameRequest:
    """The request that the whole of the forms makes. Raises InputError for what cannot be."""
    said = {name: draft.all(name) for name in BY_FIELD}
    threads = tuple((role, one) for role, _ in ROLES for one in draft[f"thread-{role}"].split())
    moderators = tuple(one.strip() for one in draft["moderators"].split(",") if one.strip())
    return NewGameRequest(
        draft.kind,
        () if draft["later"] else _player_names(draft),
        page.web.games.home / folder_of(draft["title"]),
        page.web.random(32),
        page.web.random(32),
        draft["title"],
        draft["timezone"] or "UTC",
        _options(draft),
        "",
        draft["site"],
        moderators,
        threads,
        rules=parse_rules(said, rule_of_days(draft.kind)),
    )


def _player_names(draft: Draft) -> tuple[str, ...]:
    """Who plays; where what they are goes by their place, in that order."""
    seats = draft.seats
    if not seats:
        return (
            tuple(map(str, parse_players(draft["players"], "the list of players")))
            if draft["players"]
            else ()
        )
    said = [draft[f"seat-{place}"] for place in range(len(seats))]
    if not any(said):
        return ()
    for seat, name in zip(seats, said, strict=True):
        if not name:
            raise FieldError(f"Who is the {seat}? Name all, or leave all empty.", f"seat-{seats.index(seat)}")
    return tuple(map(str, parse_players("\n".join(said), "the list of players")))


@router.post("/{kind}/preview")
def show_preview(page: ThePage, draft: TheDraft) -> Response:
    """Show what would be made: what was understood, and the first posts. Nothing is written."""
    try:
        _check_about(page, draft)
    except InputError as error:
        return _refused(page, _about(page, draft), "setup", draft, error)
    try:
        made = _request_of(page, draft)
        return _preview(page, draft, made)
    except KnightfallError as error:
        field = "seat-0" if draft.seats else "players"
        return _refused(page, _players(page, draft), "preview", draft, error, field)


def _preview(page: Page, draft: Draft, made: NewGameRequest) -> HTMLResponse:
    found = preview_game(made, page.web.games.make(made.folder))
    speech = made.site or "plain"
    rules = answers_in(made.rules, rule_of_days(made.game, made.options))
    said = [one for one in draft.asked if not _is_own_setup(one) and draft[f"option-{one.name}"]]
    return _shown(
        page,
        "preview",
        draft,
        found=found,
        posts=[preview(text, speech) for text in found.posts],
        asked=made,
        made=page.web.keep(made),
        chosen=[(one.question, _option_words(one, draft[f"option-{one.name}"])) for one in said],
        rules=[one for one in rules if one.given],
        usual=[one for one in rules if not one.given],
        reading=Secret(_reading(draft)),
        seated=tuple(zip(draft.seats, made.players, strict=False)),
        labels=dict(ROLES),
    )


def _option_words(option: Option, value: str) -> str:
    """A value of an option in words."""
    if option.together:
        letters = value.split("+")
        return ", ".join(name for letter, name in option.together if letter in letters) or value
    return dict(option.said).get(value, value)


@router.post("/{kind}/create")
def create(page: ThePage, draft: TheDraft) -> Response:
    """Make the folder of the game that was shown."""
    made = page.web.kept.get(draft["name"])
    if not isinstance(made, NewGameRequest):
        # Knightfall was started again meanwhile: what would be made is shown once more.
        return show_preview(page, draft)
    try:
        own_folder(made.folder.parent)
        made = replace(made, fair=bool(draft["fair"]))
        new = begin(made, page.web.games.make(made.folder))
    except KnightfallError as error:
        return _refused(page, _players(page, draft), "preview", draft, error, "players")
    page.web.kept.pop(draft["name"], None)
    game = GamePage(new.folder.name, page.request, page.web)
    if made.fair:
        committed = commit_deal(CommitRequest(page.web.random(32)), game.session)
        due = f"The round comes at {committed.due}."
        return page.done(f"{game.root}/deal", "Post this commitment now.", due)
    if new.begun is None:
        more = "Nobody plays yet. Read the sign-ups, then deal."
        return page.done(
            game.root, f"Created {new.folder.name}. Only you can open it.", "" if draft.is_votes else more
        )
    return page.done(
        game.root,
        f"Created {new.folder.name}, for {len(new.begun.slots)} players.",
        f"Commitment of the deal (safe to post): sha256:{new.begun.commitment}",
    )
