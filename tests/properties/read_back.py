"""Random small games whose threads hold what Knightfall wrote: its posts in a dialect, pasted by the
moderator and served by the board, with the players' votes in between."""

from __future__ import annotations

import atexit
import random
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path

from begun import MemoryLedger, begin
from fetch.loopback import StillClock
from knightfall.engine.rng import SeededRng
from knightfall.errors import KnightfallError
from knightfall.forums import html_style_of
from knightfall.markup.board_look import read_as_board
from knightfall.markup.dialects import DIALECTS
from knightfall.markup.dialects.ips import AS_READ
from knightfall.models import Post, PostId, Thread
from knightfall.services.count.votecount import answer_of, counted, post_of
from knightfall.services.day import close as day_close
from knightfall.services.day.phases import open_phase
from knightfall.services.game import players
from knightfall.services.now import now_of
from knightfall.services.posts.write import mark_posted, write_post
from knightfall.services.requests import (
    ClosingRequest,
    CountRequest,
    NewGameRequest,
    PhaseRequest,
    PostFormat,
    PostOptions,
    PostRequest,
)
from knightfall.services.running import begun
from knightfall.services.window.turns import close, submit
from knightfall.votes.config import Ask, CountConfig
from knightfall.votes.count import Habits, votecount
from knightfall.votes.votecount import Votecount
from salt_harbour import NAMES
from services.voting_day import URL, VotingDay

MODERATOR = "Wren"
NEWCOMERS = ("Slate", "Tansy", "Umber", "Vale_3")
THEMES = ("area", "compact", "table", "ticks", "tilde", "history")
SPEECHES = tuple(one.name for one in DIALECTS)
VOTES = "votes"
ROLES = ({"role": "Mafia Goon", "count": 2}, {"role": "Town Cop"}, {"role": "Vanilla Townie", "fill": True})
PLAYING = 3
"""So many posts of players are there before the thread is counted."""
AS_IS = PostOptions("plain")
RULES: Mapping[str, tuple[str, ...]] = {
    "death": ("majority", "plurality", "both"),
    "at_deadline": ("nobody", "most", "ask"),
    "tie": ("no_elimination", "random", "first_to_reach", "longest_held", "ask"),
    "no_elimination": ("votable", "one_fewer", "no"),
}
HABITS = Habits(html_style_of("jsonl"))


@dataclass
class Told(VotingDay):
    """A game and its thread; `said` are (author, body as the board serves it)."""

    speech: str = "plain"
    said: list[tuple[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    checks: list[int] = field(default_factory=list)
    """The posts as of which the count is to be the same without the game file."""

    @property
    def thread(self) -> Thread:
        made = (Post(PostId(str(9000 + n)), n, who, body) for n, (who, body) in enumerate(self.said, 1))
        return Thread("jsonl", "A game", tuple(made), url=URL)

    @property
    def last(self) -> int:
        return len(self.said)

    def paste(self, text: str) -> int:
        """The moderator pastes a text; its post."""
        self.said.append((MODERATOR, served(text, self.speech)))
        return self.last

    def post_now(self, kind: str) -> int:
        draft = write_post(PostRequest(kind, dialect=self.speech, stored=True), self.session)
        mark_posted(draft, self.session)
        return self.paste(draft.text)

    def announce(self, kind: str, change: Callable[..., object], *names: str, why: str) -> None:
        """What becomes of somebody as of the post that tells it, in a post of its own or in a note."""
        self.paste("…")
        change(*names, str(self.last), why, AS_IS, self.session)
        self.said.pop()
        self.post_now(kind if len(self.said) % 3 else "note")

    def count_now(self, theme: str) -> int:
        request = CountRequest(stored=True, dialect=self.speech, format=PostFormat(theme=theme))
        answer = answer_of(counted(request, self.session), request, self.session)
        return self.paste(post_of(answer, request, self.session).text)

    def filed(self, at: int) -> Votecount:
        """The count as of a post by the game file."""
        return votecount(self.thread, HABITS, now_of(self.session).setup, Ask(at_post=at), self.clock.now())

    def read(self, at: int) -> Votecount:
        """The count as of a post by the thread alone."""
        return votecount(self.thread, HABITS, CountConfig(), Ask(at_post=at), self.clock.now())


def served(text: str, speech: str) -> str:
    """The body of a post in a dialect as its board serves it."""
    nodes = read_as_board(text, speech)
    if nodes is None:
        return escape(text, quote=False).replace("\n", "<br>\n")
    return AS_READ.write(nodes)


def told_game(kind: str, seed: int, speech: str, place: Path) -> Told:
    """A game that was played to its end, or for three days."""
    chance = random.Random(f"{kind} {seed}")
    game = _begun(kind, place, chance, speech)
    _play(game, kind, chance)
    return game


def _begun(kind: str, place: Path, chance: random.Random, speech: str) -> Told:
    begun = _dealt(kind, chance.randrange(3))
    shutil.copytree(begun.folder, place)
    file = place / "game.toml"
    rules = {key: chance.choice(values) for key, values in RULES.items() if chance.random() < 0.5}
    forms = chance.choice((None, ["tag", "bold"], ["bold_colon"], ["hashes"], ["bang", "bold"]))
    lines = [f'{key} = "{value}"' for key, value in rules.items()]
    lines += [f"forms = {forms}".replace("'", '"')] if forms else []
    head, _, tail = file.read_text(encoding="utf-8").partition("[rules]\n")
    before, thread, behind = tail.partition("\n[[")
    kept = [line for line in before.splitlines() if line.partition(" =")[0] not in {*rules, "forms"}]
    file.write_text(head + "[rules]\n" + "\n".join((*lines, *kept)) + thread + behind, "utf-8")
    return Told(place, StillClock(), MemoryLedger(begun.ledger.journal), speech=speech)


SIZES = {"empowered": 9, "knight_errant": 18, "custom_mafia": 11, VOTES: 9}


@cache
def _dealt(kind: str, number: int) -> Told:
    place = Path(tempfile.mkdtemp(prefix="told-game-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    found = Told(place, StillClock(), MemoryLedger(), speech="plain", said=[])
    names = NAMES[: SIZES[kind]]
    options: dict[str, object] = {}
    if kind == "custom_mafia":
        options = {"setup": {"schema": 1, "name": "Quay", "slots": list(ROLES)}}
    if kind == VOTES:
        listed = "".join(f'\n[[player]]\nname = "{name}"\n' for name in names)
        (place / "game.toml").write_text(
            f'schema = 1\n[game]\ntitle = "A game"\nsite = "plain"\nmoderators = ["{MODERATOR}"]\n\n'
            f'[rules]\n\n[[thread]]\nrole = "game"\nurl = "{URL}"\n{listed}',
            "utf-8",
        )
        return found
    begin(
        NewGameRequest(
            kind,
            names,
            place,
            b"a seed for the day %d" % number,
            b"salt" * 8,
            "A game",
            options=options,
            site="plain",
            moderators=(MODERATOR,),
            threads=(("game", URL),),
        ),
        found.session,
    )
    if kind == "empowered":
        for slot in found.table.windows[0].slots:
            submit(slot, "role Ninja", "plain", found.session)
        close("choosing", "plain", found.session)
    return found


def _play(game: Told, kind: str, chance: random.Random) -> None:
    """The posts before the game, then days and nights until it is over."""
    for before in ("setup", "rules", "opening") if chance.random() < 0.7 else ("opening", "rules"):
        with suppress(KnightfallError):
            game.post_now(before)
    newcomers = list(NEWCOMERS)
    opened = 1
    for day in range(1, 4):
        if chance.random() < 0.5 and not (kind == VOTES and day > 1):
            opened = game.last + 1
            _open(game, day, opened)
            game.post_now("day-start")
        else:
            _open(game, day, opened)
        _day(game, kind, chance, newcomers)
        if not _closed(game, chance):
            return
        game.post_now("end-of-day")
        if kind == VOTES or not game.table.windows:
            return
        while game.table.windows and game.table.windows[0].kind != "day":
            if not _night(game, chance, day):
                return
            opened = game.post_now("dawn")
        if not game.table.windows:
            return


def _open(game: Told, day: int, post: int) -> None:
    open_phase(PhaseRequest("day", day, ends="72h", post=str(post)), AS_IS, game.session)


def _day(game: Told, kind: str, chance: random.Random, newcomers: list[str]) -> None:
    """Votes, words, counts, and what becomes of people."""
    forms, living = _forms(game), _living(game)
    standing: dict[str, str] = {}
    dead: list[str] = []
    for _ in range(chance.randrange(6, 18)):
        voter = chance.choice(living)
        draw = chance.random()
        if draw < 0.62:
            target = "No Elimination" if chance.random() < 0.08 else chance.choice(living)
            said = chance.choice(forms).format(target if chance.random() < 0.8 else target.lower())
            game.said.append((voter, f"I think so.<br>{said}" if chance.random() < 0.3 else said))
            standing[voter] = target
        elif draw < 0.78:
            game.said.append((voter, "Hm, let us see."))
        elif draw < 0.85:
            game.count_now(chance.choice(THEMES))
        elif draw < 0.88 and newcomers:
            game.announce("replacement", players.replace_player, voter, newcomers.pop(), why="")
            living = _living(game)
        elif draw < 0.90 and len(living) > 5:
            game.announce("removal", players.modkill, voter, why="left")
            if not _runs(game):
                return
            living = _living(game)
        elif draw < 0.94 and kind == VOTES and len(living) > 5:
            game.announce("removal", players.kill, voter, why="shot")
            living = _living(game)
            # A vote that went with a death is not known to have gone when somebody lives again.
            dead += [voter] if voter not in {*standing, *standing.values()} else []
        elif draw < 0.97 and dead:
            game.announce("revival", players.revive, dead.pop(), why="so")
            living = _living(game)
        else:
            continue
        if chance.random() < 0.25 and sum(who != MODERATOR for who, _ in game.said) >= PLAYING:
            game.checks.append(game.last)
        most = max(Counter(standing.values()).values(), default=0)
        if 2 * most >= len(living) and game.filed(game.last).tally.hammer is not None:
            game.checks.append(game.last)
            return


def _runs(game: Told) -> bool:
    return not begun(game.ledger.journal) or (
        bool(game.table.windows) and game.table.windows[0].kind == "day"
    )


def _living(game: Told) -> list[str]:
    """Who lives now, by the names of who holds the slots."""
    context = now_of(game.session)
    return [str(context.holder(slot)) for slot in context.living]


def _forms(game: Told) -> tuple[str, ...]:
    """How votes are written here, as bodies of posts."""
    accepted = {form.value for form in now_of(game.session).setup.rule.forms.accepted}
    known = {
        "tag": '<span class="bbvote">VOTE: {}</span>',
        "bold_colon": "<strong>Vote: {}</strong>",
        "bold": "<strong>vote {}</strong>",
        "hashes": "##vote {}",
        "bang": "!vote {}",
    }
    return tuple(written for form, written in known.items() if form in accepted)


def _closed(game: Told, chance: random.Random) -> bool:
    """Close the day as its votes have it; False where nobody can tell."""
    try:
        found = day_close.look(ClosingRequest(None, "it was late", stored=True, why="so"), game.session)
        day_close.close(found, chance.choice(list(found.choices)), game.session)
    except KnightfallError:
        return False
    return True


def _night(game: Told, chance: random.Random, day: int) -> bool:
    """Everybody sends something or nothing, then the night is closed; False where it cannot be."""
    table = game.table
    window = table.windows[0]
    draw = SeededRng(str(chance.random()).encode()).at("night", day)
    for slot in window.slots:
        line = table.game.random_line(game.table.state, slot, draw, silent=True)
        if line:
            with suppress(KnightfallError):
                submit(slot, line, "plain", game.session)
    for _ in range(4):
        try:
            close(window.kind, "plain", game.session, why_early="late")
        except KnightfallError:
            line = table.game.random_line(game.table.state, None, draw, silent=False)
            if not line:
                return False
            with suppress(KnightfallError):
                submit("moderator", line, "plain", game.session)
            continue
        return True
    return False
