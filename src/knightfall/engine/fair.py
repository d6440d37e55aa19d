"""A deal that nobody can choose: what is committed to, the seed it is dealt by, cards that open one by one.

A secret is committed to while the players, the setup and the rules are fixed and a round of a public beacon
is named that is yet to come. The seed is a digest of all of it. Each card is a leaf of a tree of digests,
whose root stands in the opening post, and comes out of a draw by the plan that was committed to. `judge` says
of each sentence that such a deal claims whether it is shown. Nothing here knows a game's rules.

All digests are SHA-256 in small hex letters; JSON is one line with sorted keys and no blanks, as UTF-8.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from knightfall.engine.rng import SeededRng
from knightfall.errors import StateDamaged

SCHEMA: Final = 3
SECRET_BYTES: Final = 32
AHEAD: Final = timedelta(minutes=10)
"""So long before the round the commitment has to stand: nobody knows the round by then."""
PLAN: Final = "deal"
"""What the plan is called in the terms and among what a proof opens."""
_SALT_BYTES: Final = 16
_HEX_32 = re.compile(r"[0-9a-f]{64}")


def digest(text: str | bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


def canonical(value: object) -> str:
    """JSON as it is hashed: one line, sorted keys, no blanks, letters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


# ── commitment and seed ──────────────────────────────────────────────────────────────────────────


def part_secret(secret: bytes, path: Sequence[str]) -> bytes:
    """The secret of a part that can be told without the others."""
    return hmac.digest(secret, canonical(["part", *path]).encode(), "sha256")


def commitment(secret: bytes, parts: Sequence[Sequence[str]] = ()) -> str:
    """What is posted before the chance is known; with parts it binds the digest of each one's secret."""
    if not parts:
        return digest(secret)
    return digest(canonical([digest(part_secret(secret, path)) for path in parts]))


def seed_of(secret: bytes, value: str, terms: str, words: object = None) -> bytes:
    """What everything is drawn from: the secret, the round's value in hex and the line of the terms, which
    holds the list of players. `words`: those of players, of a deal of the form 2."""
    said = ("knightfall deal 3",) if words is None else ("knightfall deal 2",)
    lines = (*said, secret.hex(), value, *(() if words is None else (canonical(words),)), terms)
    return hashlib.sha256("\n".join(lines).encode()).digest()


def seeds_of(proof: Mapping[str, Any]) -> dict[tuple[str, ...], bytes]:
    """The seed of each part whose secret the proof tells; without parts one for all, at the path ()."""
    rest = (proof["value"], proof["terms"], proof.get("words"))
    if "parts" not in proof:
        return {(): seed_of(bytes.fromhex(proof["secret"]), *rest)}
    return {
        tuple(part["path"]): seed_of(bytes.fromhex(part["secret"]), *rest)
        for part in proof["parts"]
        if "secret" in part
    }


@dataclass(frozen=True, slots=True)
class Beacon:
    """A public source of chance: round 1 comes at `genesis`, and one more after each `period` (seconds).

    `mirrors` are addresses at which a round can be read, with {round} in them; `key` is the public key that
    signs each round, in hex ("": not known).
    """

    name: str
    genesis: int
    period: int
    mirrors: tuple[str, ...] = ()
    key: str = ""

    def at(self, number: int) -> datetime:
        """When a round comes, from 1."""
        return datetime.fromtimestamp(self.genesis + (number - 1) * self.period, UTC)

    def first_after(self, moment: datetime) -> int:
        """The first round that comes at that instant or later."""
        return max(1, 1 - int((self.genesis - moment.timestamp()) // self.period))

    def links(self, number: int) -> tuple[str, ...]:
        """Where a round is read, of two mirrors."""
        return tuple(one.replace("{round}", str(number)) for one in self.mirrors[:2])


def stamp(moment: datetime) -> str:
    """An instant as posts and findings tell it."""
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def chance_line(chance: Mapping[str, Any], beacon: Beacon) -> str:
    """From where the chance will come, as the post of the commitment says it."""
    return f"round {chance['round']} of {chance['beacon']}, at {stamp(beacon.at(chance['round']))}"


def option_digest(secret: bytes, name: str, value: str) -> str:
    """What the terms say of something that stays secret until the end, with a salt of the secret (none where
    that is b""); `value` is its JSON."""
    salt = hmac.digest(secret, canonical(["option", name]).encode(), "sha256")[:_SALT_BYTES].hex()
    return digest(canonical([name, value, salt if secret else ""]))


# ── the plan of a deal, and its cards ────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card as the draws give it: its role, and out of which draw it comes, such as “cm.cards 3”; "" for one
    that no draw had to decide, since all who are left hold the same; None for one that comes out of none."""

    role: str
    drawn: str | None


def dealt_by(plan: Mapping[str, Any], seed: bytes, slots: Sequence[str]) -> dict[str, DealtCard]:
    """The cards that a seed deals by a plan, in the order in which they are dealt.

    The plan is {path, order: [[label, count]], deck}: each draw of the order takes so many of the slots that
    are left, the rest follows as it stands, and they get the cards of the deck one by one. A part of the deck
    is a role, a list of parts, a draw of roles {draw, way, count, of: [role]}, or a draw of one of several
    parts {draw, of: [[weight, part]]}.
    """
    source, left, order = SeededRng(seed, tuple(plan["path"])), list(slots), list[tuple[str, str]]()
    for label, count in plan["order"]:
        took = source.sample(label, left, count)
        order += [(slot, f"{label} {place}") for place, slot in enumerate(took, start=1)]
        left = [slot for slot in left if slot not in took]
    deck = [*_deck(plan["deck"], source)]
    rest = deck[len(order) : len(slots)]
    alike = len({role for role, _ in rest}) == 1
    cards = {slot: DealtCard(role, drawn) for (slot, drawn), (role, _) in zip(order, deck, strict=False)}
    for slot, (role, drawn) in zip(left, rest, strict=False):
        cards[slot] = DealtCard(role, drawn or ("" if alike and order else None))
    return cards


def _deck(part: Any, source: SeededRng) -> Iterator[tuple[str, str]]:
    """The cards of a part of the deck, each with the draw it comes out of ("": none)."""
    if isinstance(part, str):
        yield part, ""
    elif isinstance(part, list):
        for one in part:
            yield from _deck(one, source)
    elif "way" in part:
        take = source.sample if part["way"] == "sample" else source.choices
        for place, role in enumerate(take(part["draw"], part["of"], part["count"]), start=1):
            yield str(role), f"{part['draw']} {place}"
    else:
        at = source.choice(part["draw"], range(sum(weight for weight, _ in part["of"])))
        for weight, one in part["of"]:
            if 0 <= at < weight:
                yield from _deck(one, source)
            at -= weight


def card_salt(secret: bytes, slot: str) -> str:
    """What keeps a card from being guessed by its digest, in hex."""
    return hmac.digest(secret, canonical(["card", slot]).encode(), "sha256")[:_SALT_BYTES].hex()


def leaf(slot: str, role: str, salt: str) -> str:
    """The digest of one card."""
    return digest(canonical([slot, role, salt]))


def _levels(leaves: Sequence[str]) -> Iterator[list[str]]:
    """The tree from below; one without a neighbour is carried up as it is."""
    level = list(leaves)
    yield level
    while len(level) > 1:
        pairs = (level[i : i + 2] for i in range(0, len(level), 2))
        level = [digest(bytes.fromhex("".join(pair))) if len(pair) == 2 else pair[0] for pair in pairs]
        yield level


def root(leaves: Sequence[str]) -> str:
    """The digest over all cards; "" without any."""
    return [*_levels(leaves)][-1][0] if leaves else ""


def path_of(leaves: Sequence[str], place: int) -> str:
    """How the card at a place, from 0, leads to the root: `<hex` for a neighbour on the left, `>hex` on the
    right, from below."""
    steps = []
    for level in _levels(leaves):
        neighbour = place ^ 1
        if neighbour < len(level):
            steps.append(("<" if neighbour < place else ">") + level[neighbour])
        place //= 2
    return " ".join(steps)


def root_by(card: str, path: str) -> str:
    """Where a leaf leads by a path; "" where that is none."""
    for step in path.split():
        side, neighbour = step[:1], step[1:]
        if side not in ("<", ">") or not _HEX_32.fullmatch(neighbour):
            return ""
        card = digest(bytes.fromhex(neighbour + card if side == "<" else card + neighbour))
    return card


def _sides(path: str) -> str:
    return "".join(step[:1] for step in path.split())


@dataclass(frozen=True, slots=True)
class CardTree:
    """The cards that were dealt, by slot in their order, under the salts of a secret."""

    cards: Mapping[str, str]
    salts: Mapping[str, str]

    @classmethod
    def of(cls, secret: bytes, cards: Mapping[str, str]) -> CardTree:
        """The tree of a deal."""
        return cls(dict(cards), {slot: card_salt(secret, slot) for slot in cards})

    @property
    def leaves(self) -> list[str]:
        """The digests of the cards, in the order of the slots."""
        return [leaf(slot, role, self.salts[slot]) for slot, role in self.cards.items()]

    @property
    def root(self) -> str:
        """What the opening post says of them all."""
        return root(self.leaves)

    def line(self, slot: str) -> str:
        """What opens one card, to be said in its PM and under its flip."""
        path = path_of(self.leaves, [*self.cards].index(slot))
        return f"Card check: {slot} | {self.cards[slot]} | {self.salts[slot]} | {path}".rstrip()


# ── what stands in posts ─────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card that was opened, as a PM or a post says it."""

    slot: str
    role: str
    salt: str
    path: str


@dataclass(frozen=True, slots=True)
class CommitmentPost:
    """The lines of one commitment. `replaces` are the commitments of the game before it."""

    commitment: str = ""
    chance: str = ""
    terms: str = ""
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Posted:
    """All that posts say of a deal, in the order in which it stands in them; `draws` are their numbers."""

    commitments: tuple[CommitmentPost, ...] = ()
    values: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    draws: tuple[str, ...] = ()
    lines: tuple[CardLine, ...] = ()
    proofs: tuple[str, ...] = ()

    @property
    def proof(self) -> dict[str, Any] | None:
        """The last proof; None while there is none."""
        return parsed(self.proofs[-1]) if self.proofs else None


_CARD_LINE = re.compile(r"Card check: (.+) \| (.+) \| ([0-9a-f]+) \|(.*)")
_TAGS = re.compile(r"\[/?[a-z]+(?:=[^\]]*)?\]|`+")


def posted(text: str) -> Posted:
    """What pasted posts say of the deal: every line that begins with one of our words, or is a proof; what
    stands around them does not count."""
    commitments: list[dict[str, Any]] = []
    found: dict[str, list[str]] = {"Value": [], "Signature": [], "Cards": [], "Draws": []}
    lines: list[CardLine] = []
    proofs: list[str] = []
    for raw in re.split(r"\r\n|\n|\r", text):
        line = raw.strip()
        bare = _TAGS.sub("", line).strip()
        word, sign, said = bare.partition(": ")
        if bare == f"Fair deal {SCHEMA}":
            commitments.append({})
        elif match := _CARD_LINE.fullmatch(bare):
            lines.append(CardLine(match[1], match[2], match[3], match[4].strip()))
        elif sign and word in found:
            found[word].append(said.strip())
        elif sign and commitments and word in ("Commitment", "Chance", "Replaces", "Terms"):
            whole = line[line.find("{") : line.rfind("}") + 1] if word == "Terms" else said.strip()
            commitments[-1][word.lower()] = tuple(whole.split()) if word == "Replaces" else whole
        elif (start := line.find('{"')) >= 0 and '"schema":' in line:
            proofs.append(line[start : line.rfind("}") + 1])
    made = tuple(CommitmentPost(**one) for one in commitments)
    values, signatures, roots, draws = map(tuple, found.values())
    return Posted(made, values, signatures, roots, draws, tuple(lines), tuple(proofs))


def post_lines(post: CommitmentPost) -> str:
    """The lines of a commitment, as `posted` reads them."""
    replaces = [f"Replaces: {' '.join(post.replaces)}"] if post.replaces else []
    lines = (f"Fair deal {SCHEMA}", f"Commitment: {post.commitment}", *replaces, f"Chance: {post.chance}")
    return "\n".join((*lines, f"Terms: {post.terms}"))


# ── what is shown of it ──────────────────────────────────────────────────────────────────────────


class Shown(StrEnum):
    """What is known of a sentence that a deal claims."""

    SHOWN = "shown"
    CONTRADICTED = "contradicted"
    NOT_SHOWN = "not shown"


CLAIMS: Final[Mapping[str, str]] = {
    "before": "The commitment was posted before its round came",
    "only": "No other commitment of these sign-ups was given up once its round had come",
    "value": "The value is that of the round",
    "secret": "The secret, the players, the setup and the rules are those that were committed to",
    "draws": "Every draw that is told comes from the secret and the value",
    "cards": "Every card comes out of a draw",
    "opening": "The cards are those of the root in the opening post",
    "flips": "Each card that was opened is the one that was dealt",
}
"""What a fair deal claims; the page and the script for strangers have the same."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence of a verdict: its key among the claims, what is known of it, and why."""

    key: str
    shown: Shown
    why: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The sentence as it is told."""
        return f"{self.shown}: {CLAIMS[self.key]}{': ' if self.why else ''}{'; '.join(self.why)}."


FAIR: Final = "Fair"


def verdict(findings: Sequence[Finding]) -> str:
    """“Fair” where every sentence is shown, “Not as promised” where one is contradicted, else “Not shown”."""
    states = {one.shown for one in findings}
    if Shown.CONTRADICTED in states:
        return "Not as promised"
    return FAIR if states == {Shown.SHOWN} else "Not shown"


@dataclass(frozen=True, slots=True)
class Witness:
    """What is known beside the posts' own words: when the post of the last commitment was written, and was
    changed last, by its forum; what a mirror tells as the value of the round ("": nobody asked one);
    `signed` says whether a beacon's signature of a round holds (None: it cannot be checked here); `seen` is
    when that very commitment was first read in the post."""

    written: datetime | None = None
    changed: datetime | None = None
    mirror: str = ""
    signed: Callable[[Beacon, int, str], bool | None] | None = field(default=None, repr=False)
    seen: datetime | None = None


NO_POST: Final = "no post of a commitment is here"
BROKEN: Final = "the proof is not in the form in which Knightfall writes one"
NO_PROOF: Final = "the proof comes with the last post of the game"


def judge(
    posts: Posted, beacons: Mapping[str, Beacon], witness: Witness | None = None
) -> tuple[Finding, ...]:
    """What is shown of a deal by the posts that are at hand, a finding a claim.

    The proof among them is {schema, commitment, secret or parts: [{path, digest, secret?}], value, signature,
    terms, opened, cards: {slot: [role, salt, out of which draw]}, draws, by_hand, replaces}.
    """
    found = _Judge(posts, beacons, witness or Witness())
    try:
        found.look()
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, StateDamaged):
        found.wrong["secret"] = [BROKEN]
        for key in ("draws", "cards", "opening", "flips"):
            found.missing[key].append(BROKEN)
    return found.findings


class _Judge:
    """A deal that is looked at: for each claim what is wrong, and what is missing."""

    def __init__(self, posts: Posted, beacons: Mapping[str, Beacon], witness: Witness) -> None:
        self.posts, self.beacons, self.witness, self.proof = posts, beacons, witness, posts.proof
        self.wrong: dict[str, list[str]] = {key: [] for key in CLAIMS}
        self.missing: dict[str, list[str]] = {key: [] for key in CLAIMS}
        self.left_out = set[str]() if posts.lines else {"flips"}
        self.last = posts.commitments[-1] if posts.commitments else None
        self.promised = parsed(self.last.terms) if self.last else {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The claims with what was found."""
        return tuple(
            Finding(key, Shown.CONTRADICTED, tuple(self.wrong[key]))
            if self.wrong[key]
            else Finding(key, Shown.NOT_SHOWN if self.missing[key] else Shown.SHOWN, tuple(self.missing[key]))
            for key in CLAIMS
            if key not in self.left_out
        )

    def look(self) -> None:
        """Look at everything."""
        proof = self.proof
        if proof is not None and proof.get("schema") != SCHEMA:
            for missing in self.missing.values():
                missing.append(f"this is a proof of the form {proof.get('schema')}, not {SCHEMA}")
            return
        self.look_at_posts()
        self.look_at_value()
        if proof is None:
            for key in ("secret", "draws", "cards", "opening"):
                self.missing[key].append(NO_PROOF)
            self.look_at_lines({})
            return
        terms = parsed(proof["terms"])
        self.look_at_secret(proof, terms)
        self.look_at_draws(proof)
        self.look_at_cards(proof, terms)

    def due(self, terms: Mapping[str, Any]) -> datetime | None:
        """When the round of some terms comes; None where that is not known."""
        chance = terms.get("chance")
        beacon = self.beacons.get(chance.get("beacon", "")) if isinstance(chance, dict) else None
        return beacon.at(chance["round"]) if beacon and isinstance(chance, dict) else None

    def look_at_posts(self) -> None:
        """Whether the commitment came before its round, and no other was given up once it could be known."""
        if self.last is None:
            self.missing["before"].append(NO_POST)
            self.missing["only"].append(NO_POST)
            return
        wrong, missing = self.wrong["before"], self.missing["before"]
        due, written, seen = self.due(self.promised), self.witness.written, self.witness.seen
        changed = self.witness.changed
        if due is None:
            missing.append("when its round comes is not known here")
        else:
            chance = self.promised["chance"]
            if self.last.chance != (line := chance_line(chance, self.beacons[chance["beacon"]])):
                wrong.append(f"the post says “{self.last.chance}”, and its terms say “{line}”")
            if written is None:
                missing.append(f"the round comes at {stamp(due)}, and when the post was written is not known")
            elif written >= due:
                wrong.append(f"the post was written at {stamp(written)}, the round came at {stamp(due)}")
            elif changed is not None and changed >= due and not (seen is not None and seen < due):
                missing.append(f"the post was changed at {stamp(changed)}, the round came at {stamp(due)}")
        self.look_at_earlier(self.last, written)

    def look_at_earlier(self, last: CommitmentPost, written: datetime | None) -> None:
        """Whether an earlier commitment was given up in silence, or once its deal could be known."""
        wrong, missing = self.wrong["only"], self.missing["only"]
        posts = {one.commitment: one for one in self.posts.commitments}
        told = self.proof.get("replaces", []) if self.proof else last.replaces
        for one in dict.fromkeys((*posts, *last.replaces, *told)):
            if one == last.commitment:
                continue
            due = self.due(parsed(posts[one].terms)) if one in posts else None
            if one not in last.replaces or one not in told:
                wrong.append(f"that {one} was given up is not told")
            if due is None:
                missing.append(f"the post of {one} is not here, which was given up")
            elif written is None:
                missing.append(f"{one} was given up, and whether before {stamp(due)} is not known")
            elif written >= due:
                wrong.append(f"{one} was given up after its round had come at {stamp(due)}")

    def look_at_value(self) -> None:
        """Whether the value is that of the round."""
        wrong, missing, proof = self.wrong["value"], self.missing["value"], self.proof or {}
        chance = (self.promised or parsed(proof.get("terms"))).get("chance") or {}
        value = proof.get("value", self.posts.values[-1] if self.posts.values else "")
        signed = proof.get("signature", self.posts.signatures[-1] if self.posts.signatures else "")
        if not value:
            missing.append("it is not here")
            return
        wrong += [f"the opening post says {one}" for one in self.posts.values if one != value]
        if not _HEX_32.fullmatch(value):
            wrong.append("it is not 64 hex digits")
        if signed and digest(bytes.fromhex(signed)) != value:
            wrong.append("it is not the digest of its signature")
        if self.witness.mirror not in ("", value):
            wrong.append(f"a mirror tells {self.witness.mirror}")
        beacon = self.beacons.get(chance.get("beacon", ""))
        ask = self.witness.signed if signed else None
        holds = ask(beacon, chance["round"], signed) if ask and beacon else None
        if holds is False:
            wrong.append(f"its signature is not that of round {chance['round']}")
        elif not holds and not self.witness.mirror:
            links = " and ".join(beacon.links(chance["round"])) if beacon else "a mirror"
            missing.append(f"it was not verified, compare it with {links}")

    def look_at_secret(self, proof: Mapping[str, Any], terms: Mapping[str, Any]) -> None:
        """Whether it is what was committed to."""
        wrong, said, last = self.wrong["secret"], proof["commitment"], self.last
        if last is None:
            self.missing["secret"].append(NO_POST)
        elif last.commitment != said:
            wrong.append(f"the post has the commitment {last.commitment}, the proof {said}")
        if last is not None and last.terms != proof["terms"]:
            keys = sorted({*terms, *self.promised})
            other = [key for key in keys if canonical(terms.get(key)) != canonical(self.promised.get(key))]
            wrong.append(f"the post has other terms ({', '.join(other) or 'as they are written'})")
        parts = proof.get("parts") or [{"path": [], "secret": proof["secret"], "digest": said}]
        paths = [list(part["path"]) for part in parts]
        if any(
            i != j and two[: len(one)] == one for i, one in enumerate(paths) for j, two in enumerate(paths)
        ):
            wrong.append("two parts are for the same draws")
        if "parts" in proof and digest(canonical([part["digest"] for part in parts])) != said:
            wrong.append("the commitment is not that of the digests of the parts")
        for part in parts:
            secret = bytes.fromhex(part.get("secret", ""))
            if "secret" in part and (digest(secret) != part["digest"] or len(secret) != SECRET_BYTES):
                wrong.append(f"another secret was committed to{' for ' if part['path'] else ''}"
                             f"{'/'.join(part['path'])}")  # fmt: skip
        own = bytes.fromhex(proof.get("secret", ""))
        for name, sealed in {**terms["options"], PLAN: terms[PLAN]}.items():
            told = proof["opened"].get(name, "")
            is_sealed = isinstance(sealed, dict) and [*sealed] == ["sha256"]
            if is_sealed and option_digest(own, name, told) != sealed["sha256"]:
                wrong.append(f"the “{name}” that is told is not the one that was committed to")

    def look_at_draws(self, proof: Mapping[str, Any]) -> None:
        """Whether each draw, [path, label, repeat, way, options or how many, what was drawn], comes again;
        none may be told twice, nor be left out before a later one of its label but for draws by hand."""
        wrong, seeds, seen = self.wrong["draws"], seeds_of(proof), set[str]()
        hand = {label for label, _ in proof.get("by_hand", ())}
        if not self.posts.draws:
            self.missing["draws"].append("the line “Draws: …” of the last post is not here")
        elif self.posts.draws[-1] != str(len(proof["draws"])):
            wrong.append(f"the last post says {self.posts.draws[-1]}, and {len(proof['draws'])} are told")
        for path, label, repeat, way, pile, drawn in proof["draws"]:
            where = f"{label} at {'/'.join(path) or 'the start'}"
            key, before = (canonical([*path, label, number]) for number in (repeat, repeat - 1))
            if key in seen or (repeat and label not in hand and before not in seen):
                wrong.append(f"{where} is told twice, or was drawn anew")
            seen.add(key)
            seed = next((one for part, one in seeds.items() if tuple(path[: len(part)]) == part), None)
            if seed is None:
                wrong.append(f"the secret of {where} is not told")
            elif drawn_again(seed, path, label, repeat, way, pile, len(drawn)) != list(drawn):
                wrong.append(f"{where} was drawn otherwise")

    def look_at_cards(self, proof: Mapping[str, Any], terms: Mapping[str, Any]) -> None:
        """Whether each card comes out of its draw, and all of them are those of the opening post."""
        wrong, missing, cards = self.wrong["cards"], self.missing["cards"], proof["cards"]
        plan, slots = json.loads(proof["opened"][PLAN]), terms["slots"]
        if not cards:
            if plan["deck"]:
                missing.append("the rules keep them secret")
                self.missing["opening"].append("the rules keep them secret")
            else:
                self.left_out |= {"cards", "opening"}
            self.look_at_lines({})
            return
        seed = seeds_of(proof).get(tuple(plan["path"] if "parts" in proof else ()))
        dealt = dealt_by(plan, seed, slots) if seed else {}
        hand = {label for label, _ in proof.get("by_hand", ())}
        for slot in dict.fromkeys((*slots, *cards)):
            card, told = dealt.get(slot), cards.get(slot)
            if card is None or told is None or card.role != told[0]:
                says = told[0] if told else "nothing"
                wrong.append(f"{slot} was dealt {card.role if card else 'nothing'}, the proof says {says}")
            elif card.drawn is None or card.drawn.rpartition(" ")[0] in hand:
                missing.append(f"the card of {slot} is not shown to be drawn")
            elif card.drawn != told[2]:
                wrong.append(f"the card of {slot} is {card.drawn}, the proof says {told[2]}")
        told = {slot: cards[slot] for slot in slots if slot in cards}
        tree = root([leaf(slot, role, salt) for slot, (role, salt, _) in told.items()])
        if not self.posts.roots:
            self.missing["opening"].append("the line “Cards: …” of the opening post is not here")
        self.wrong["opening"] += [f"the post says {one}, the cards give {tree}" for one in
                                  dict.fromkeys(self.posts.roots) if one != tree]  # fmt: skip
        self.look_at_lines({slot: role for slot, (role, *_) in told.items()})

    def look_at_lines(self, told: Mapping[str, str]) -> None:
        """Whether each card that was opened leads to the root, from its own place. `told`: the proof's."""
        wrong, roots = self.wrong["flips"], self.posts.roots
        known = self.promised.get("slots") or [*told]
        if not roots:
            self.missing["flips"].append("the line “Cards: …” of the opening post is not here")
            return
        if not known:
            self.missing["flips"].append(NO_POST)
        for line in self.posts.lines:
            leads = root_by(leaf(line.slot, line.role, line.salt), line.path) == roots[-1]
            place = _place(known, line.slot) if known else _sides(line.path)
            if not leads or place != _sides(line.path) or told.get(line.slot, line.role) != line.role:
                wrong.append(f"{line.slot} was not dealt {line.role}")


def _place(slots: Sequence[str], slot: str) -> str | None:
    """On which sides a slot's path has its neighbours; None for who is no player."""
    if slot not in slots:
        return None
    return _sides(path_of([digest(one) for one in slots], list(slots).index(slot)))


def drawn_again(
    seed: bytes, path: Sequence[str], label: str, repeat: int, way: str, pile: Any, count: int
) -> list[str]:
    """What a seed draws there: of options, or, where `pile` is a number, of places among so many. Raises
    ValueError for another way than choice, choices and sample."""
    source, options = SeededRng(seed, tuple(path)), range(pile) if isinstance(pile, int) else pile
    if not options or way not in ("choice", "choices", "sample"):
        raise ValueError(f"{label}: {way} of {len(options)} options")
    if way == "choice":
        return [str(source.choice(label, options, repeat))]
    take = source.choices if way == "choices" else source.sample
    return [str(one) for one in take(label, options, count, repeat)]


def parsed(text: object) -> dict[str, Any]:
    """A line of JSON as a table; {} where it is none."""
    try:
        found = json.loads(text) if isinstance(text, str) else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
