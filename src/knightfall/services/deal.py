"""The deal of a game by a secret seed, its commitment, and the check of what is published at the end.

Of most games the seed is published, and with it every draw. Where a part must stay secret for ever, each part
has a seed of its own, sealed by a digest: the commitment binds all seals, and only some are opened.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from knightfall.config.beacons import known_beacons
from knightfall.config.files import parse_toml
from knightfall.config.setup import Setup
from knightfall.engine.fair import (
    FAIR,
    PLAN,
    SCHEMA,
    CardTree,
    Finding,
    Posted,
    Shown,
    Witness,
    canonical,
    dealt_by,
    judge,
    option_digest,
    part_secret,
    posted,
    seed_of,
    seeds_of,
    verdict,
)
from knightfall.engine.fair import commitment as fair_commitment
from knightfall.engine.fair import digest as digest_of
from knightfall.engine.replay import replay
from knightfall.engine.rng import DrawKind, Drawn, SeededRng, commitment
from knightfall.errors import InputError, SetupError
from knightfall.games.custom_mafia.open_setups import open_setup
from knightfall.games.custom_mafia.setup_post import read_setup
from knightfall.mafia.events import Proof
from knightfall.sentence import SlotId, Way, sentence
from knightfall.services.games import game_named, same_game
from knightfall.services.running import COMMITMENT_FILE, RunningGame
from knightfall.services.session import DEAL_FILE, read_text
from knightfall.storage.drafts import write_draft

_CUSTOM: Final = "custom_mafia"
_TEXT_FILES: Final = (".txt", ".md", ".bbcode")
"""Ends of the names of files that hold a setup as it stands in a post."""
SETUP_OPTION: Final = "setup"
NOTHING_POSTED: Final = Posted()
MIN_BYTES: Final = 16
"""Of seed and salt: 128 bits cannot be found by trying."""
SETUP_FILE = "private/setup.json"
"""A setup of the moderator's own, while the folder waits for its players."""
_KEYS = ("schema", "game", "options", "slots", "seed", "salt", "commitment", "cards")
"""Of the published file."""


@dataclass(frozen=True, slots=True)
class DealTerms:
    """What the deal is made from besides chance: all of it is committed to but options that stay private.
    `adopted`: nothing is dealt, since the game was begun elsewhere; only its draws since come from the
    seed. `chance`, `rules`, `title` and `thread`, of a deal that nobody can choose: where the chance comes
    from, the digest of the rules, and of which game in which thread it is; `sealed`: digests of what nobody
    is told before the end, such as the plan of the deal."""

    game: str
    options: Mapping[str, object]
    slots: tuple[SlotId, ...]
    adopted: bool = False
    chance: Mapping[str, object] = field(default_factory=dict)
    rules: str = ""
    sealed: Mapping[str, str] = field(default_factory=dict)
    title: str = ""
    thread: str = ""

    @property
    def public_options(self) -> dict[str, object]:
        """Without what only its owners may know."""
        private = {option.name for option in game_named(self.game).spec.options if option.private}
        return {name: value for name, value in self.options.items() if name not in private}

    @property
    def text(self) -> str:
        """One line of JSON with sorted keys and no blanks: what goes into the digest, as UTF-8."""
        said: dict[str, object] = {
            "game": self.game,
            "options": self.public_options,
            "slots": list(self.slots),
        }
        if self.adopted:
            said["adopted"] = True
        if self.chance:
            digests = {name: {"sha256": found} for name, found in self.sealed.items()}
            said[PLAN] = digests.pop(PLAN)
            said["options"] = self.public_options | digests
            said |= {"chance": dict(self.chance), "rules": self.rules}
            said |= {"title": self.title, "thread": self.thread}
        return canonical(said)


@dataclass(frozen=True, slots=True)
class Seal:
    """A digest that binds the seed of one part of a game; seed and salt where it was opened."""

    path: tuple[str, ...]
    digest: str
    seed: bytes = field(default=b"", repr=False)
    salt: bytes = field(default=b"", repr=False)

    @property
    def holds(self) -> bool:
        """Whether the seed is the one that was sealed."""
        return hashlib.sha256(self.salt + b"\nseed:" + self.seed.hex().encode()).hexdigest() == self.digest


def seal_of(seed: bytes, path: tuple[str, ...]) -> Seal:
    """The opened seal of a part, from the seed of all chance."""
    own, salt = SeededRng(seed).apart(*path).seed, SeededRng(seed).apart("salt", *path).seed
    digest = hashlib.sha256(salt + b"\nseed:" + own.hex().encode()).hexdigest()
    return Seal(path, digest, own, salt)


MANY = 99
"""More options than this are a number, and what was drawn of them stands by its place."""


@dataclass(frozen=True, slots=True)
class PublishedDraw:
    """One draw by the seed: where, of what, and what came. `options` None: `pile` many, and `drawn` are
    places among them; else `drawn` are options."""

    path: tuple[str, ...]
    label: str
    repeat: int
    way: DrawKind
    options: tuple[str, ...] | None
    pile: int
    drawn: tuple[str, ...]

    def again(self, seed: bytes) -> tuple[str, ...]:
        """What a seed draws here."""
        source = SeededRng(seed, self.path)
        pile: Sequence[object] = self.options if self.options is not None else range(self.pile)
        if self.way is DrawKind.CHOICE:
            return (str(source.choice(self.label, pile, self.repeat)),)
        take = source.choices if self.way is DrawKind.CHOICES else source.sample
        return tuple(map(str, take(self.label, pile, len(self.drawn), self.repeat)))


@dataclass(frozen=True, slots=True)
class DealProof:
    """All that is published at the end; with `seals` it holds no seed, and no cards but in its draws.
    `by_hand` are labels and values that the moderator drew. `fair`: the table of a deal that nobody could
    choose, as `engine.fair` checks it; such a deal has no salt and no seals."""

    terms: DealTerms
    seed: bytes
    salt: bytes
    commitment: str
    cards: Mapping[SlotId, str]
    seals: tuple[Seal, ...] = ()
    draws: tuple[PublishedDraw, ...] = ()
    by_hand: tuple[tuple[str, str], ...] = ()
    fair: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def parts(self) -> Mapping[tuple[str, ...], bytes]:
        """The seeds of parts that do not follow from `seed`, by their paths."""
        return seeds_of(self.fair) if "parts" in self.fair else {}

    @property
    def tree(self) -> CardTree | None:
        """The cards of a deal that nobody could choose, each of which opens by itself; None of another deal,
        or where nothing was dealt."""
        if not self.fair.get("secret") or not any(self.cards.values()):
            return None
        return CardTree.of(
            bytes.fromhex(self.fair["secret"]), {str(s): role for s, role in self.cards.items()}
        )


def plan_of(terms: DealTerms) -> str:
    """Out of which draws the cards come, as a line of JSON."""
    return canonical(game_named(terms.game).deal_plan(terms.slots, terms.options))


def _sealed_values(terms: DealTerms) -> dict[str, str]:
    """What the terms of a deal that nobody can choose tell by a digest alone, as JSON: the plan of the deal,
    and the setup, which may be a secret."""
    said = terms.options.get(SETUP_OPTION)
    return {PLAN: plan_of(terms), **({SETUP_OPTION: canonical(said)} if said else {})}


def sealed_terms(terms: DealTerms, secret: bytes) -> DealTerms:
    """The terms of a deal that nobody can choose with what stays secret until the end as digests."""
    # Where the secret itself is never told, its parts have nothing to hide of the plan.
    own = b"" if game_named(terms.game).seals(terms.options) else secret
    sealed = {name: option_digest(own, name, said) for name, said in _sealed_values(terms).items()}
    return replace(terms, sealed=sealed)


def rules_digest(game: str) -> str:
    """The digest of a game's rulings, {number: sentence}."""
    return digest_of(canonical(dict(game_named(game).spec.rulings)))


def deal_fairly(
    terms: DealTerms, secret: bytes, value: str, signature: str, replaces: Sequence[str] = ()
) -> DealProof:
    """Deal by a secret that was committed to and a round's value, with its signature ("": not known). Raises
    InputError where the game cannot be dealt so."""
    paths = game_named(terms.game).seals(terms.options)
    fair: dict[str, Any] = {
        "schema": SCHEMA,
        "commitment": fair_commitment(secret, paths),
        "secret": secret.hex(),
        "value": value,
        "signature": signature,
        "terms": terms.text,
        "replaces": list(replaces),
        "opened": _sealed_values(terms),
    }
    if paths:
        own = {path: part_secret(secret, path) for path in paths}
        fair["parts"] = [
            {"path": list(path), "digest": digest_of(found), "secret": found.hex()}
            for path, found in own.items()
        ]
    proof = DealProof(terms, seed_of(secret, value, terms.text), b"", fair["commitment"], {}, fair=fair)
    return replace(proof, cards=cards_of(terms, proof.seed, proof.parts))


def commit(terms: DealTerms, seed: bytes, salt: bytes) -> DealProof:
    """Deal by the seed and commit to it. Raises InputError for a short seed or salt, or no such game."""
    for name, value in (("seed", seed), ("salt", salt)):
        if len(value) < MIN_BYTES:
            raise InputError(f"The {name} has {len(value)} bytes, but it needs at least {MIN_BYTES}.")
    return DealProof(terms, seed, salt, digest(terms, seed, salt), cards_of(terms, seed))


def digest(terms: DealTerms, seed: bytes, salt: bytes) -> str:
    """SHA-256 in hex over the salt's bytes, a line `seed:` with the seed in hex, and the line of the terms.

    Where parts have seeds of their own, a line `seals:` with their digests stands instead of the seed. The
    salt ends where the line begins: a byte that moves from one to the other gives another number.
    """
    if paths := game_named(terms.game).seals(terms.options):
        return sealed_digest(terms, tuple(seal_of(seed, path) for path in paths), salt)
    return commitment(f"\nseed:{seed.hex()}\n{terms.text}".encode(), salt)


def sealed_digest(terms: DealTerms, seals: Sequence[Seal], salt: bytes) -> str:
    """The commitment to several seeds, from their seals alone."""
    lines = ",".join(f"{'/'.join(seal.path)}={seal.digest}" for seal in seals)
    return commitment(f"\nseals:{lines}\n{terms.text}".encode(), salt)


def cards_of(
    terms: DealTerms, seed: bytes, parts: Mapping[tuple[str, ...], bytes] = MappingProxyType({})
) -> dict[SlotId, str]:
    """The card of every slot; none where nothing is dealt. `parts` have seeds of their own. Raises InputError
    where the game cannot be dealt so."""
    if terms.adopted:
        return {}
    game = game_named(terms.game)
    state = game.setup(terms.slots, terms.options, SeededRng(seed, parts=parts)).state
    roles = game.roles(state)
    return {slot: roles.get(slot, "") for slot in terms.slots}


def verify(proof: DealProof, published: str | None = None, posts: Posted = NOTHING_POSTED) -> tuple[str, ...]:
    """What is wrong with a deal, in sentences; () where it is as committed.

    `published` is the commitment of the opening post, where the reader has it; `posts` are those of a deal
    that nobody could choose.
    """
    if proof.fair:
        other = published is not None and published.strip().lower() != proof.commitment
        wrong = [f"the deal has the commitment {proof.commitment}, the post {published}"] if other else []
        told = _published_fair(proof, ((), *proof.parts), (), ()) if proof.seed else proof
        found = _judged(proof, replace(posts, proofs=(proof_json(told, None),)), None)
        return (*wrong, *(one.text for one in found if one.shown is Shown.CONTRADICTED))
    wrong = list[str]()

    # The commitment: that of the post, and that of salt, seed and terms.
    if published is not None and published.strip().lower() != proof.commitment.lower():
        wrong.append(f"the file's commitment is {proof.commitment}, the published one {published}")
    if proof.seals:
        if (again := sealed_digest(proof.terms, proof.seals, proof.salt)) != proof.commitment.lower():
            wrong.append(f"salt, seals and terms give the commitment {again}, not {proof.commitment}")
        named = [(seal, "/".join(seal.path)) for seal in proof.seals if seal.seed]
        wrong += (f"the seed of {part} does not match its seal" for seal, part in named if not seal.holds)
        return (*wrong, *_wrong_draws(proof))
    if len(proof.salt) < MIN_BYTES:
        wrong.append(f"the salt has {len(proof.salt)} bytes; fewer than {MIN_BYTES} can be guessed")
    elif (again := digest(proof.terms, proof.seed, proof.salt)) != proof.commitment.lower():
        wrong.append(f"salt, seed and terms give the commitment {again}, not {proof.commitment}")

    # The cards: dealt again by the seed.
    try:
        dealt = cards_of(proof.terms, proof.seed)
    except InputError as error:
        return (*wrong, f"the deal cannot be repeated: {error}".rstrip("."))
    wrong += (f"{slot} has no card in the file" for slot in dealt if slot not in proof.cards)
    wrong += (
        f"{slot} has a card in the file but is not a player" for slot in proof.cards if slot not in dealt
    )
    wrong += (
        f"the seed deals {slot} the card {role}, the file says {proof.cards[slot]}"
        for slot, role in dealt.items()
        if slot in proof.cards and proof.cards[slot] != role
    )
    return (*wrong, *_wrong_draws(proof))


def _judged(proof: DealProof, posts: Posted, witness: Witness | None) -> tuple[Finding, ...]:
    """What is shown of a deal that nobody could choose: by its numbers, and by the rules of its game."""
    found, broken = judge(posts, known_beacons(), witness), tuple(_against_rules(proof))
    if not broken:
        return found
    key = "cards" if any(one.key == "cards" for one in found) else "draws"
    return tuple(
        replace(one, shown=Shown.CONTRADICTED, why=broken) if one.key == key else one for one in found
    )


def _against_rules(proof: DealProof) -> Iterator[str]:
    """What is not as the rules of the game have it, of a deal that nobody could choose."""
    table, terms = proof.fair, proof.terms
    if table.get("schema") != SCHEMA:
        return
    try:
        game, plan = game_named(terms.game), plan_of(terms)
        if [tuple(part["path"]) for part in table.get("parts", ())] != list(game.seals(terms.options)):
            yield "its parts are not those of the game"
        elif table["opened"].get(PLAN) != plan:
            yield "by the rules the cards come out of other draws"
        elif any(proof.cards.values()) and "secret" in table:
            seed = seed_of(bytes.fromhex(table["secret"]), table["value"], table["terms"])
            dealt = cards_of(terms, seed, proof.parts)
            others = [slot for slot in terms.slots if dealt[slot] != proof.cards.get(slot)]
            yield from (f"by the rules {slot} was dealt {dealt[slot]}" for slot in others)
    except (InputError, KeyError, TypeError, ValueError) as error:
        yield f"the deal cannot be repeated: {error}".rstrip(".")


def _wrong_draws(proof: DealProof) -> Iterator[str]:
    """Each draw that does not come from a seed of the file."""
    seeds = {seal.path: seal.seed for seal in proof.seals if seal.seed} if proof.seals else {(): proof.seed}
    for draw in proof.draws:
        where = f"{draw.label} at {'/'.join(draw.path) or 'the start'}"
        seed = next((seed for path, seed in seeds.items() if draw.path[: len(path)] == path), None)
        if seed is None:
            yield f"{where}: its seed is not in the file"
        elif (again := draw.again(seed)) != draw.drawn:
            yield f"{where}: the seed draws {', '.join(again)}, the file says {', '.join(draw.drawn)}"


def published_proof(proof: DealProof, table: RunningGame) -> DealProof | None:
    """What a finished game publishes: seed or opened seals, every draw by them, and what was drawn by hand;
    None where all its chance hangs on one seed that would tell what stays secret."""
    opened = table.game.published(table.state)
    if not opened:
        return None

    # Every draw of the game, made again; of those that stay secret nothing.
    sources: list[SeededRng] = []

    def source() -> SeededRng:
        sources.append(table.source())
        return sources[-1]

    led = replay(table.journal, table.game, source)
    # Where something was undone, the next run is without the undo.
    draws = tuple(
        _published(drawn)
        for drawn in sources[0].log
        if any(drawn.key.path[: len(path)] == path for path in opened)
    )
    hand = tuple(
        (label, ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
        for taken in led.taken
        for label, value in taken.by_hand
        if table.game.drawn_by_hand(table.state, ((label, value),))
    )
    proof = replace(proof, terms=replace(proof.terms, options=proof.terms.public_options))
    if proof.fair:
        return _published_fair(proof, opened, draws, hand)
    if opened == ((),):
        return replace(proof, draws=draws, by_hand=hand)
    sealed = (seal_of(proof.seed, path) for path in table.game.seals(proof.terms.options))
    seals = tuple(seal if seal.path in opened else Seal(seal.path, seal.digest) for seal in sealed)
    return replace(proof, seed=b"", cards={}, seals=seals, draws=draws, by_hand=hand)


def _published_fair(
    proof: DealProof,
    opened: tuple[tuple[str, ...], ...],
    draws: tuple[PublishedDraw, ...],
    hand: tuple[tuple[str, str], ...],
) -> DealProof:
    """The table that is published of a deal that nobody could choose. Cards are told where the draws that
    they come out of are."""
    table, tree = dict(proof.fair), proof.tree
    cards: dict[str, Any] = {}
    if tree is not None and PLAN in table.get("opened", {}):
        plan = json.loads(table["opened"][PLAN])
        if (path := tuple(plan["path"]) if "parts" in table else ()) in opened:
            dealt = dealt_by(plan, seeds_of(table)[path], [*tree.cards])
            cards = {s: [role, tree.salts[s], dealt[s].drawn or ""] for s, role in tree.cards.items()}
    if "parts" in table:
        del table["secret"]
        table["parts"] = [
            part if tuple(part["path"]) in opened else {"path": part["path"], "digest": part["digest"]}
            for part in table["parts"]
        ]
    table |= {"cards": cards, "draws": _told(draws)}
    if hand:
        table["by_hand"] = [list(one) for one in hand]
    told = {SlotId(slot): role for slot, (role, *_) in cards.items()}
    return replace(proof, seed=b"", cards=told, draws=draws, by_hand=hand, fair=table)


def _told(draws: Sequence[PublishedDraw]) -> list[list[Any]]:
    """Draws as the file tells them."""
    return [
        [
            list(d.path),
            d.label,
            d.repeat,
            str(d.way),
            d.pile if d.options is None else list(d.options),
            list(d.drawn),
        ]
        for d in draws
    ]


def _published(drawn: Drawn) -> PublishedDraw:
    """A line of the log of chance as it is published."""
    (path, label, repeat), pile = drawn.key, drawn.options
    several = drawn.way is not DrawKind.CHOICE and isinstance(drawn.value, tuple)
    values = drawn.value if several and isinstance(drawn.value, tuple) else (drawn.value,)
    if len(pile) > MANY:
        places = tuple(str(pile.index(value)) for value in values)
        return PublishedDraw(path, label, repeat, drawn.way, None, len(pile), places)
    options = tuple(map(str, pile))
    come = tuple(map(str, values))
    return PublishedDraw(path, label, repeat, drawn.way, options, len(pile), come)


def endgame_facts(proof: DealProof) -> Proof:
    """What the endgame post shows of it."""
    if proof.fair:
        parts, file = "parts" in proof.fair, proof_json(proof, None).strip()
        return Proof(proof.commitment, "", "", file, parts, len(proof.draws), hand_words(proof), fair=True)
    opened = tuple(seal for seal in proof.seals if seal.seed)
    seed = "; ".join(f"{' '.join(seal.path)}: {seal.seed.hex()}" for seal in opened) or proof.seed.hex()
    file = proof_json(proof, None).strip()
    draws, adopted = len(proof.draws), proof.terms.adopted
    hand = hand_words(proof)
    return Proof(proof.commitment, seed, proof.salt.hex(), file, bool(opened), draws, hand, adopted)


def hand_words(proof: DealProof) -> tuple[str, ...]:
    """What was drawn by hand, a line each."""
    return tuple(f"{label} = {value}" for label, value in proof.by_hand)


def proof_json(proof: DealProof, indent: int | None = 2) -> str:
    """The file: {schema, game, options, slots, seed, salt, commitment, cards}, bytes in hex; with seals
    {seals: [{path, digest, seed?, salt?}]} instead of seed and cards. After the end also {draws: [[path,
    label, repeat, way, options or how many, what was drawn]], by_hand: [[label,
    value]]}.

    Without an indent it is one line. A deal that nobody could choose is the table of `engine.fair`, and while
    it is secret also {seed, options}: all options, and the seed that everything is drawn from.
    """
    if proof.fair:
        own = {"seed": proof.seed.hex(), "options": dict(proof.terms.options), "cards": dict(proof.cards)}
        fair = dict(proof.fair) | (own if proof.seed else {})
        text = canonical(fair) if indent is None else json.dumps(fair, ensure_ascii=False, indent=indent)
        return text + "\n"
    said: dict[str, Any] = {
        "schema": 1,
        "game": proof.terms.game,
        "options": dict(proof.terms.options),
        "slots": list(proof.terms.slots),
    }
    if proof.terms.adopted:
        said["adopted"] = True
    if proof.seals:
        said["seals"] = [
            {"path": list(seal.path), "digest": seal.digest}
            | ({"seed": seal.seed.hex(), "salt": seal.salt.hex()} if seal.seed else {})
            for seal in proof.seals
        ]
    else:
        said["seed"] = proof.seed.hex()
    said |= {"salt": proof.salt.hex(), "commitment": proof.commitment}
    if not proof.seals:
        said["cards"] = dict(proof.cards)
    if proof.draws or proof.by_hand:
        said["draws"] = _told(proof.draws)
        said["by_hand"] = [list(one) for one in proof.by_hand]
    return json.dumps(said, ensure_ascii=False, indent=indent) + "\n"


def setup_said(value: str | Mapping[str, Any]) -> object:
    """The table of a TOML file, or of a file with a setup as it stands in a post; else the name as it was
    written. A table is itself.

    Raises SetupError where a file is no TOML, or cannot be read; InputError with every doubt about a post.
    """
    if not isinstance(value, str):
        return value
    if not value.endswith(".toml"):
        if Path(value).suffix in _TEXT_FILES:
            return dict(read_setup(read_text(Path(value))).table(Path(value).stem))
        if Path(value).suffix or "/" in value:
            raise InputError(
                sentence(
                    "{setup} {value}: expected a setup's code, or a file: .toml, or .txt for what stands "
                    "in a post.",
                    setup=Way("field", name="setup"),
                    value=value,
                )
            )
        return value
    try:
        return parse_toml(read_text(Path(value)))
    except tomllib.TOMLDecodeError as error:
        raise SetupError(f"{value}: this is not valid TOML: {error}.") from None


def setup_for(game: str, value: str | Mapping[str, Any]) -> object:
    """The same for a game; an open setup that is named, such as “Matrix6”, is its table. So a game keeps what
    it was dealt by, whatever becomes of the list."""
    said = setup_said(value)
    named = open_setup(said) if isinstance(said, str) and same_game(game, _CUSTOM) else None
    return dict(named.table) if named else said


def deal(
    game: str, players: tuple[SlotId, ...], setup: str | None, seed: bytes, salt: bytes, out: Path
) -> DealProof:
    """Deal to the players in their order, without a game file. Of the proof only the commitment is no secret.

    Writes `private/deal.json` (readable by its owner alone) and `public/commitment.txt`. Raises InputError
    where a deal is there already or the game cannot be dealt.
    """
    kind = game_named(game).spec.id
    options = {"setup": setup_for(kind, setup)} if setup else {}
    proof = commit(DealTerms(kind, options, players), seed, salt)
    dealt_into(out, proof)
    return proof


def file_options(setup: Setup, folder: Path) -> dict[str, object]:
    """The options of a game file, with the setup that waits in `private/` where it is a table, not a code.

    Raises SetupError where that cannot be read.
    """
    options, waiting = dict(setup.options), folder / SETUP_FILE
    if waiting.exists():
        try:
            options["setup"] = json.loads(read_text(waiting))
        except ValueError as fault:
            raise SetupError(
                sentence(
                    "{file}: this is not valid JSON: {fault}. Or name the setup: {setup}",
                    file=waiting,
                    fault=fault,
                    setup=Way("field", name="setup", value="FILE"),
                )
            ) from None
    return options


def number_complaint(setup: Setup, names: tuple[str, ...], folder: Path) -> str:
    """What keeps a game file's game from being dealt to these players; "" where nothing does.

    A number that never fits is told by the game's own numbers; else a deal is tried, by a seed that counts
    for nothing, since a setup may want fewer or more.
    """
    game = game_named(setup.kind)
    fits, name = game.spec.players, game.spec.name
    if len(names) not in fits:
        number = f"{fits[0]}" if len(fits) == 1 else f"{fits[0]} to {fits[-1]}"
        apart = fits[0] - len(names) if len(names) < fits[0] else len(names) - fits[-1]
        way = f"{apart} more needed" if len(names) < fits[0] else f"{apart} too many"
        if fits[0] < len(names) < fits[-1]:
            number, way = ", ".join(map(str, fits)), "another number needed"
        return f"{name} is a game for {number} players: {len(names)} so far, {way}."
    try:
        cards_of(DealTerms(game.spec.id, file_options(setup, folder), tuple(map(SlotId, names))), b"a trial")
    except InputError as fault:
        return sentence(
            "{number} players so far, and this setup cannot be dealt to them: {fault}",
            number=len(names),
            fault=fault,
        )
    return ""


def dealt_into(out: Path, proof: DealProof) -> None:
    """Keeps the proof in a folder. Raises InputError where a deal is there already."""
    if (out / DEAL_FILE).exists() or (out / COMMITMENT_FILE).exists():
        raise InputError(
            f"{out}: there is already a deal here. A second deal would let you choose between "
            "them. Use another folder."
        )
    _write(out, DEAL_FILE, proof_json(proof))
    tell_commitment(out, proof)


def tell_commitment(out: Path, proof: DealProof) -> None:
    """Writes what the opening post can quote; the same again is no harm."""
    _write(out, COMMITMENT_FILE, commitment_note(proof))


def _write(out: Path, file: str, text: str) -> None:
    """Write a file of a half of the folder: whole or not at all, and never readable by others."""
    half, _, name = file.partition("/")
    write_draft(out, half, name, text)


def commitment_note(proof: DealProof) -> str:
    """What the opening post can quote."""
    dealt = any(proof.cards.values())
    drawn = "The cards of this game were dealt" if dealt else "The random draws of this game come"
    if proof.terms.adopted:
        drawn = "The roles of this game were told by another moderator. The draws from now on come"
    if proof.fair:
        return (
            "This deal comes from a commitment that was posted before its chance was known:\n"
            f"{proof.commitment}\n"
            "(Each card opens by itself during the game, and everything is published at the end.)\n"
        )
    return (
        f"{drawn} from a secret seed. Commitment:\n"
        f"{proof.commitment}\n"
        "(This is the SHA-256 of the salt, the seed, and the game, options and players in order. "
        "Everything is\n"
        f"published at the end. Then Knightfall can show that the {'cards' if dealt else 'draws'} "
        "were fixed when this was posted.)\n"
    )


@dataclass(frozen=True, slots=True)
class DealCheck:
    """A published deal; what is wrong with it, in sentences; whether a commitment was given to compare. Of a
    deal that nobody could choose `findings` say what is shown, and there may be no proof yet."""

    proof: DealProof | None
    wrong: tuple[str, ...]
    compared: bool
    findings: tuple[Finding, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong, and where it claims that nobody could choose it, all of that is shown."""
        return not self.wrong and (not self.findings or verdict(self.findings) == FAIR)


def check_deal(file: Path, published: str | None = None, witness: Witness | None = None) -> DealCheck:
    """Deal again by a TOML or JSON file, or by the posts of a game; `published` is the commitment of the
    opening post.

    Raises SetupError where the file holds nothing of a deal, InputError where its game cannot be dealt.
    """
    text = read_text(file)
    if (posts := posted(text)).commitments or posts.lines or posts.roots or _is_fair(posts.proof):
        return check_posts(posts, witness)
    proof = parse_proof(file.name, text)
    if proof.fair:
        return check_posts(replace(posts, proofs=(proof_json(proof, None),)), witness)
    return DealCheck(proof, verify(proof, published), bool(published))


def check_posts(posts: Posted, witness: Witness | None) -> DealCheck:
    """What posts show of a deal that nobody could choose."""
    proof = parse_proof("The proof", posts.proofs[-1]) if posts.proofs else None
    found = _judged(proof, posts, witness) if proof else judge(posts, known_beacons(), witness)
    wrong = tuple(one.text for one in found if one.shown is Shown.CONTRADICTED)
    return DealCheck(proof, wrong, bool(posts.commitments), found)


def _is_fair(proof: Mapping[str, Any] | None) -> bool:
    return proof is not None and "terms" in proof


def parse_proof(name: str, text: str) -> DealProof:
    """Parse a proof from TOML or JSON; `name` is what complaints call the file. Raises SetupError."""
    if (posts := posted(text)).proofs and not text.lstrip().startswith("{\n"):
        text = posts.proofs[-1]  # among the posts of the game
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else parse_toml(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SetupError(f"{name}: neither JSON nor TOML: {error}.") from error
    table: Mapping[str, Any] = found if isinstance(found, dict) else {}
    if table.get("schema") in (2, SCHEMA):
        return _parse_fair(name, table)
    if "seals" in table:
        table = {"seed": "", "cards": {}} | dict(table)
    for key in _KEYS[1:]:
        if key not in table:
            raise SetupError(f"{name}: {key}: missing. A deal has {', '.join(_KEYS)}.")
    for key, kind in {"game": str, "options": dict, "slots": list, "commitment": str, "cards": dict}.items():
        if not isinstance(table[key], kind):
            raise SetupError(f"{name}: {key}: found {table[key]!r}, expected a {kind.__name__}.")
    slots = tuple(SlotId(str(slot)) for slot in table["slots"])
    return DealProof(
        DealTerms(table["game"], table["options"], slots, table.get("adopted") is True),
        parse_hex(f"{name}: seed", table["seed"]),
        parse_hex(f"{name}: salt", table["salt"]),
        table["commitment"],
        {SlotId(slot): str(role) for slot, role in table["cards"].items()},
        *_play_of(name, table),
    )


def _parse_fair(name: str, table: Mapping[str, Any]) -> DealProof:
    """A deal that nobody could choose. Raises SetupError."""
    try:
        terms = json.loads(table["terms"])
        slots = tuple(SlotId(str(slot)) for slot in terms["slots"])
        sealed = {
            name: str(said["sha256"])
            for name, said in {**terms["options"], PLAN: terms.get(PLAN)}.items()
            if isinstance(said, dict) and [*said] == ["sha256"]
        }
        opened = {name: json.loads(text) for name, text in table.get("opened", {}).items()}
        told = {name: said for name, said in opened.items() if name != PLAN}
        options = dict(table.get("options", terms["options"] | told))
        made = DealTerms(
            terms["game"],
            options,
            slots,
            chance=dict(terms["chance"]),
            rules=str(terms["rules"]),
            sealed=sealed,
            title=str(terms.get("title", "")),
            thread=str(terms.get("thread", "")),
        )
        seed = parse_hex(f"{name}: seed", table.get("seed", ""))
        cards = {
            SlotId(str(slot)): str(card if isinstance(card, str) else card[0])
            for slot, card in table["cards"].items()
        }
        fair = {key: value for key, value in table.items() if key not in ("seed", "options")}
        _, draws, hand = _play_of(name, table)
        return DealProof(made, seed, b"", str(table["commitment"]), cards, (), draws, hand, fair)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise SetupError(f"{name}: this deal is not in the form that Knightfall writes: {error}.") from error


def _play_of(
    name: str, table: Mapping[str, Any]
) -> tuple[tuple[Seal, ...], tuple[PublishedDraw, ...], tuple[tuple[str, str], ...]]:
    """Seals, draws and what was drawn by hand, of a file that has them. Raises SetupError."""
    try:
        seals = tuple(
            Seal(
                tuple(map(str, one["path"])),
                str(one["digest"]),
                *(parse_hex(f"{name}: seals", one.get(part, "")) for part in ("seed", "salt")),
            )
            for one in table.get("seals", ())
        )
        draws = tuple(
            PublishedDraw(
                tuple(map(str, path)),
                str(label),
                int(repeat),
                DrawKind(way),
                None if isinstance(pile, int) else tuple(map(str, pile)),
                pile if isinstance(pile, int) else len(pile),
                tuple(map(str, drawn)),
            )
            for path, label, repeat, way, pile, drawn, *_ in table.get("draws", ())
        )
        hand = tuple((str(label), str(value)) for label, value in table.get("by_hand", ()))
    except (TypeError, ValueError, KeyError) as error:
        raise SetupError(
            f"{name}: seals or draws are not in the form that Knightfall writes: {error}."
        ) from error
    return seals, draws, hand


def parse_hex(where: str, found: object) -> bytes:
    """Parse bytes written in hex. Raises SetupError naming `where`."""
    try:
        return bytes.fromhex(str(found))
    except ValueError:
        raise SetupError(f"{where}: found {found!r}, expected bytes in hex: 00ff…") from None
