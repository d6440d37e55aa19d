"""The secret guard: what a game hides right now, and whether a text that goes out to everybody tells it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from knightfall.config.decided import decided
from knightfall.config.game_file import read_setup
from knightfall.config.setup import Setup
from knightfall.engine.entries import Closed, Published, Ruled, Started, Submitted
from knightfall.engine.game import Game, noted, told
from knightfall.engine.journal import Journal, standing, start_of
from knightfall.errors import SecretGuard
from knightfall.forums import candidates
from knightfall.forums.base import without_session
from knightfall.games import role_aliases
from knightfall.mafia.events import NightSheet
from knightfall.mafia.explain import word
from knightfall.mafia.game import MafiaGame
from knightfall.markup.tags import TAG, without_marks
from knightfall.sentence import Sentence, SlotId, Way, joined, parts_of, sentence
from knightfall.services.now import now_of
from knightfall.services.running import RunningGame, rooms_by_rules
from knightfall.services.running import names_of as game_names
from knightfall.services.session import (
    COMMITTED_FILES,
    DEAL_FILE,
    GAME_FILE,
    Session,
    Store,
    entered_once,
)
from knightfall.storage.drafts import PUBLIC
from knightfall.writeups.leak_check import (
    Card,
    Secret,
    SecretRoom,
    card_secrets,
    inflected,
    leaks,
    room_leaks,
)
from knightfall.writeups.render import Written, render

PRIVATE = "private"
ROLE_PM = "role_pm"
"""How every game calls the PM of a role."""
PASSED = "May this go out to everybody?"
"""How the journal begins what was let pass for a reason: no ruling of the game."""
HOW = sentence(
    "Change the text, or give a reason to let it pass: {reason}",
    reason=Way("field", name="allow_leak", value="REASON"),
)
NOWHERE = sentence(
    "The reason is kept in the journal of a game, so it needs one: {in_game}.", in_game=Way("in_game")
)

TOLD_BY_A_DEATH = frozenset({"kill", "murder", "shoot"})
"""That somebody was killed is no secret once somebody is dead."""
STILL_SECRET = "what the rules of the game keep secret even after its end"
SHORTEST_ALIAS = 3
"""Shorter words for a role (rb, jk) are initials as often."""

_WORD = re.compile(r"\w+")


def released(text: str, session: Session, allow: str = "") -> str:
    """The text, which everybody may read.

    Raises SecretGuard where it gives something away, with the line and what it tells. With a written reason
    it passes, and the reason stands in the journal as a ruling; what opens the deal or an account passes with
    no reason at all. A session of a thread alone has no game to betray.
    """
    if session.game is None:
        return text
    allowed(passed(text, hidden_in(session), allow), session, allow)
    return text


def passed(text: str, hidden: GameSecrets, allow: str = "") -> tuple[str, ...]:
    """What the text gives away for a written reason, in sentences. Raises SecretGuard as `released` does."""
    refused = "The text would give away a secret, so nothing was printed."

    # Keys of the deal and of a login: never.
    never = list[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        for key in hidden.keys:
            if key.words.casefold() in line.casefold():
                never.append(f"line {number} contains {key.what}.")
        never += (f"line {number} contains a link with your login key." for _ in tokens_in(line))
    if never:
        raise SecretGuard("\n".join((refused, *never, "Remove it. This cannot be allowed with a reason.")))

    found = tuple(dict.fromkeys(_given_away(text, hidden)))
    if found and not allow.strip():
        raise SecretGuard(joined("\n", (refused, *found, HOW)))
    return found


def _given_away(text: str, hidden: GameSecrets) -> Iterator[str]:
    """In sentences: links first, then words, as written and without the markup."""
    for number, line in enumerate(text.splitlines(), start=1):
        for said, _ in private_threads_named(line, hidden.threads):
            yield f"line {number}: “{said}” links to a private thread."
    bare = without_marks(text)  # a mark may stand within a word that tells
    titles = [Secret(one.title, "the name of a private thread") for one in hidden.threads if one.title]
    for read in dict.fromkeys((text,) if isinstance(text, Written) else (text, bare)):
        cards = card_secrets(hidden.cards, hidden.shown, read if hidden.whole else "")
        secrets = (*cards, *hidden.secrets, *titles)
        yield from (f"{leak}." for leak in leaks(read, secrets, rules=without_marks(hidden.setup)))
        yield from (f"{leak}." for leak in room_leaks(read, hidden.rooms))
    # “Rook (was Lumen)” is one name: what stands beside it is no row of words for that.
    names = tuple(map(without_marks, hidden.names))
    was = re.compile(rf"\s+\(was (?:{'|'.join(map(re.escape, names))})\)") if names else None

    def plain(one: str) -> str:
        return was.sub("", without_marks(one)) if was else without_marks(one)

    pms, public = map(plain, hidden.pms), map(plain, hidden.public)
    yield from (f"{leak}." for leak in leaks(plain(text), (), pms, public, names))


def allowed(found: Sequence[str], session: Session, why: str) -> None:
    """Write down once why it goes out all the same; nothing where nothing was found."""
    if not found:
        return
    entered_once(Ruled(f"{PASSED} {' '.join(found)}", "yes", why.strip()), session, NOWHERE)


@dataclass(frozen=True, slots=True)
class GameSecrets:
    """What a game hides: `cards` of the living, deeds as `secrets`, `pms` that went to some, private
    `threads`, who is in which of the `rooms`, and `keys` for nobody. `shown` are roles that everybody has
    seen, `public` texts that are out already, `names` those of all players, `setup` the rules as “this setup”
    tells them, posted or not. `whole`: these are the cards of all who live, so that a list of their roles
    tells nobody's own."""

    cards: tuple[Card, ...] = ()
    whole: bool = True
    shown: tuple[str, ...] = ()
    secrets: tuple[Secret, ...] = ()
    pms: tuple[str, ...] = ()
    public: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    setup: str = ""
    threads: tuple[PrivateThread, ...] = ()
    rooms: tuple[SecretRoom, ...] = ()
    keys: tuple[Secret, ...] = ()


def hidden_in(session: Session) -> GameSecrets:
    """What the game of a session hides. Raises what reading file and journal raises."""
    now = now_of(session)
    if now.begun:
        return hidden_at(now.running, session)
    setup = _setup(session.file, now.journal)
    return replace(_of_file(setup, session.folder, now.journal), threads=private_threads_of(setup, session))


def hidden_at(table: RunningGame, session: Session) -> GameSecrets:
    """What a begun game hides where it stands. Raises what reading its game file raises."""
    setup = _setup(table.folder / GAME_FILE, table.journal)
    return replace(of_table(table, setup), threads=private_threads_of(setup, session))


def _setup(file: Path, journal: Journal) -> Setup:
    """The game file as the journal has it; an empty one where the folder has none."""
    return decided(read_setup(file), journal) if file.exists() else Setup(str(file))


def _of_file(setup: Setup, home: Path, journal: Journal) -> GameSecrets:
    """Of a thread whose game is run by hand: roles as written, everybody lives who has not left."""
    slots = setup.roster.slots if setup.roster else ()
    gone = {name for _, name in setup.fallen}
    left = gone | {name for slot in slots if slot.left or gone & set(slot.names) for name in slot.names}
    living = [slot for slot in slots if not left & set(slot.names)]
    players = tuple(name for slot in slots for name in names_of(slot.name, setup))
    return GameSecrets(
        cards=tuple(
            card_of(role, name, names_of(name, setup), players)
            for name, role in setup.roles.items()
            if name not in left
        ),
        whole=all(set(slot.names) & set(setup.roles) for slot in living),
        shown=tuple(role for name, role in setup.roles.items() if name in left),
        pms=tuple(private_texts(home)),
        public=tuple(public_texts(home, journal)),
        names=players,
        rooms=tuple(
            _rooms_of_file(setup, {slot.name: _as_read(names_of(slot.name, setup)) for slot in living})
        ),
    )


_OF_ALL = ("the seed", "the secret")
"""What all chance of a game hangs on; the secrets of its parts are published one by one."""


def of_table(table: RunningGame, setup: Setup) -> GameSecrets:
    """Of a begun game; what is over has no secrets left but those that its rules keep for ever."""
    forbidden = tuple(Secret(words, STILL_SECRET) for words in table.game.forbidden_words(table.state))
    if table.game.outcome(table.state) is not None:
        # A seed of all chance that is not published tells what stays secret.
        whole = table.game.published(table.state) == ((),)
        keys = () if whole else tuple(key for key in _keys(table.folder) if key.what.startswith(_OF_ALL))
        return GameSecrets(secrets=forbidden, keys=keys)
    began = start_of(table.journal)
    assert began is not None  # or there were no table
    rules = setup_text(table.game, began)
    held = game_names(table)[1]
    slots: dict[str, tuple[str, ...]] = {
        slot: tuple(dict.fromkeys((*names_of(slot, setup), *(one for one in held if held[one] == slot))))
        for slot in began.slots
    }
    players = tuple(chain.from_iterable(slots.values()))
    roles, shown = table.game.hidden_roles(table.state), table.game.shown_roles(table.state)
    dealt_to = Counter(
        slot for event in told(table.replay.events) if event.kind == ROLE_PM for slot in event.slots
    )
    cards = []
    for slot, role in roles.items():
        card = card_of(role, slot, slots[slot], players)
        others = tuple(name for name in players if name not in slots[slot]) if dealt_to[slot] > 1 else ()
        cards.append(replace(card, others=others))
    return GameSecrets(
        cards=tuple(cards),
        shown=shown,
        secrets=(*_deeds(table, slots, bool(shown)), *forbidden),
        pms=tuple(_pms(table, bool(roles))),
        public=(*public_texts(table.folder, table.journal), rules, *_stock_refusals(table, players)),
        names=players,
        setup=rules,
        rooms=tuple(_rooms(table, setup, slots)),
        keys=tuple(_keys(table.folder)),
    )


def _rooms(table: RunningGame, setup: Setup, slots: Mapping[str, tuple[str, ...]]) -> Iterator[SecretRoom]:
    """The private topics that the rules give to some players, and those that the game file names."""
    living = frozenset(table.game.playing(table.state))
    by_rules = rooms_by_rules(table)
    slots = {slot: _as_read(names) for slot, names in slots.items()}
    for kind, room in by_rules.items():
        inside = frozenset(room.now.slots)
        yield SecretRoom(
            kind,
            tuple(slots[slot] for slot in room.now.slots),
            tuple(slots[slot] for slot in room.began if slot not in inside),
            tuple(names for slot, names in slots.items() if slot in living - inside),
        )
    names_now = {slot: names for slot, names in slots.items() if slot in living}
    yield from (room for room in _rooms_of_file(setup, names_now) if room.word not in by_rules)


def _as_read(names: Iterable[str]) -> tuple[str, ...]:
    """Names as they are written, and as they stand in a text whose marks were taken out."""
    return tuple(dict.fromkeys(form for name in names for form in (name, without_marks(name)) if form))


def _rooms_of_file(setup: Setup, living: Mapping[str, tuple[str, ...]]) -> Iterator[SecretRoom]:
    """The private threads that the game file has a word for, with the living who are in them."""
    for thread in setup.threads:
        members = {name.casefold() for name in thread.members}
        inside = {slot for slot, names in living.items() if members & {name.casefold() for name in names}}
        if thread.room:
            yield SecretRoom(
                thread.room.strip().casefold(),
                tuple(living[slot] for slot in living if slot in inside),
                outside=tuple(names for slot, names in living.items() if slot not in inside),
            )


def _stock_refusals(table: RunningGame, players: Iterable[str]) -> Iterator[str]:
    """Why lines were refused, in sentences that name nobody: a game says them to anybody who sends that line,
    in the words in which its posts state the same rule."""
    names = {part.casefold() for name in players for part in _WORD.findall(name)}
    for text in dict.fromkeys(why.text for taken in table.replay.taken for _, why in taken.refused):
        if isinstance(text, Sentence):
            stock = not any(isinstance(part, SlotId) for part in text.parts)
        else:  # it may quote what was sent
            stock = names.isdisjoint(_WORD.findall(text.casefold()))
        if stock:
            yield text


def setup_text(game: Game[Any], began: Started) -> str:
    """“This setup” of a begun game, without markup; "" in a game that has no such post."""
    facts = game.setup_post(tuple(map(SlotId, began.slots)), began.options)
    return "" if facts is None else render(f"{game.spec.id}/{facts.kind}", facts)


def card_of(role: str, slot: str, names: tuple[str, ...], players: Iterable[str] = ()) -> Card:
    """A living player's card, with the other words for its role as far as no player is called so."""
    taken = {name.casefold() for name in players}
    others = (word for word in role_aliases(role) if len(word) >= SHORTEST_ALIAS)
    return Card(role, slot, names, tuple(word for word in others if word.casefold() not in taken))


def names_of(slot: str, setup: Setup) -> tuple[str, ...]:
    """All that a slot is or was called."""
    known = setup.roster.slot_of(slot) if setup.roster else None
    taught = tuple(alias for name, alias in setup.aliases if name == slot)
    return tuple(dict.fromkeys((slot, *(known.names + known.aliases if known else ()), *taught)))


def _deeds(table: RunningGame, slots: Mapping[str, tuple[str, ...]], died: bool) -> Iterator[Secret]:
    """What the living did at night or are about to: a word for it beside the name of who, or to whom."""
    if not isinstance(table.game, MafiaGame):
        return

    # Actor, verb and targets: of the night that is coming, and of every night that is over.
    done = [
        (one.actor, word(table.game.words, one.ability), tuple(one.targets)) for one in table.state.actions
    ]
    for sheet in noted(table.replay.events):
        for row in sheet.facts.trace if isinstance(sheet.facts, NightSheet) else ():
            parts = parts_of(row.action)
            named = tuple(part for part in parts if isinstance(part, SlotId))
            said = " ".join(
                part for part in parts if isinstance(part, str) and not isinstance(part, SlotId)
            ).split()
            words = (word for word in said if word.islower() and word not in ("and", "on"))
            done.append((row.actor, " ".join(words), named))

    living, public = table.state.living, TOLD_BY_A_DEATH if died else frozenset[str]()
    for actor, verb, targets in dict.fromkeys(done):
        if actor in living and verb not in public:
            involved = (actor, *(target for target in targets if target in living))
            near = tuple(name for slot in involved for name in slots.get(slot, (slot,)))
            what = f"what {actor}, who is alive, does at night ({verb})"
            yield from (Secret(form, what, near) for form in inflected(verb))


def _pms(table: RunningGame, roles: bool) -> Iterator[str]:
    """Private texts. In a game without roles a closing shows what was sent, and PMs have the same boards as
    posts: there only what was sent since counts."""
    records = standing(table.journal)
    closed = [place for place, record in enumerate(records) if isinstance(record.entry, Closed)]
    for record in records if roles or not closed else records[closed[-1] :]:
        if isinstance(record.entry, Submitted) and record.entry.slot:
            yield record.entry.text
    yield from private_texts(table.folder, of_entries=roles)


_CARD_LINE = re.compile(r"Card check: .*")


def private_texts(home: Path, of_entries: bool = True) -> Iterator[str]:
    """What went to some; without `of_entries` only what no entry of the journal led to. The line that opens a
    card is no secret once the card is shown; before that its name and card are, by themselves."""
    for file in sorted((home / PRIVATE).glob("*.txt")):
        if of_entries or not file.name.partition("-")[0].isdecimal():
            yield _CARD_LINE.sub("", _read(file))


def public_texts(home: Path, journal: Journal) -> Iterator[str]:
    """What everybody may have read: texts that were ready to post, and those that were posted."""
    yield from (_read(file) for file in sorted((home / PUBLIC).glob("*.txt")))
    yield from (record.entry.text for record in journal if isinstance(record.entry, Published))


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _keys(home: Path) -> Iterator[Secret]:
    """Seed, salt and secrets of the deal: whoever has them knows every card."""
    for file in (home / DEAL_FILE, *sorted(home.glob(COMMITTED_FILES))):
        try:
            deal = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if not isinstance(deal, dict):
            continue
        parts = deal.get("parts", ())
        held = [(name, deal.get(name)) for name in ("seed", "salt", "secret")]
        held += [("part's secret", part.get("secret")) for part in parts if isinstance(part, dict)]
        for name, found in held:
            if isinstance(found, str) and found:
                yield Secret(found, f"the {name} of the deal")


# Private threads, and links that lead into them.

_ADDRESS = re.compile(r"(?:https?://|\bwww\.)[^\s\[\]<>\"'`()|]+", re.IGNORECASE)
_TOPIC_TAGS = ("thread", "topic")
"""Tags of boards that link to a thread by its number."""
_TOKEN = re.compile(
    r"[?&;](?:sid|phpsessid|s|csrf\w*|form_token|creation_time|securitytoken|_xfToken|auth|api_key|token)"
    r"=([\w-]{16,})",
    re.IGNORECASE,
)
_Place: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PrivateThread:
    """A thread that only some may read. `places`: platform, forum and topic as its address tells them;
    `title` as it was last seen, "" where it was not."""

    url: str
    places: frozenset[_Place]
    title: str = ""


def private_threads_unread(setup: Setup) -> tuple[PrivateThread, ...]:
    """The private threads of a game file, of which nothing was read: nothing is opened."""
    return tuple(
        PrivateThread(thread.url, _places(without_session(thread.url)))
        for thread in setup.threads
        if thread.secret
    )


def private_threads_of(setup: Setup, session: Session) -> tuple[PrivateThread, ...]:
    """The private threads of a game file; none where it names none, and then nothing is opened."""
    threads = private_threads_unread(setup)
    if not threads:
        return ()
    store = session.store(threads[0].url)
    try:
        return tuple(replace(one, title=_title(one.url, store)) for one in threads)
    finally:
        store.close()


def private_threads_named(
    line: str, threads: tuple[PrivateThread, ...]
) -> Iterator[tuple[str, PrivateThread]]:
    """(address, thread) for every link of a line into a private thread, however it is written."""
    if not threads:
        return
    for said in _ADDRESS.findall(line):
        url = without_session(said.rstrip(".,;:!?"))
        places, bare = _places(url), _bare(url)
        for one in threads:
            # The same address with more behind it is a page, a post, a reader's option.
            known = _bare(one.url)
            below = bare.startswith(known) and not bare[len(known) : len(known) + 1].isalnum()
            if places & one.places or below:
                yield said, one
    topics = (tag[3] for tag in TAG.finditer(line) if tag[2].lower() in _TOPIC_TAGS)
    for topic in (value.removeprefix("=").partition(";")[0].strip("\"' ") for value in topics):
        yield from ((topic, one) for one in threads if any(topic == place[2] for place in one.places))
    for one in threads:
        known = _bare(one.url)
        if known in line and not _ADDRESS.search(line):
            yield known, one


def tokens_in(line: str) -> Iterator[str]:
    """Sessions and keys of a login in the links of a line."""
    yield from (found[0] for found in _TOKEN.finditer(line))


def _places(url: str) -> frozenset[_Place]:
    try:
        found = candidates(url)
    except ValueError:
        return frozenset()
    return frozenset((forum.name, _bare(ref.root), ref.id) for forum, ref in found)


def _bare(url: str) -> str:
    """Without what makes no difference: scheme, www, a slash at the end, capitals."""
    parts = urlsplit(url if "://" in url else f"https://{url}")
    host = parts.netloc.casefold().removeprefix("www.")
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{parts.path.rstrip('/')}{query}".casefold()


def _title(url: str, store: Store) -> str:
    """What a private thread is called, where it was read: under its address, or as its forum writes that."""
    addresses = dict.fromkeys((url, *(forum.start(ref).url for forum, ref in candidates(url))))
    return next((title for one in addresses if (title := store.title(one))), "")
