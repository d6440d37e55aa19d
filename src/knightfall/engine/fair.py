"""A deal that nobody can choose: what is committed to, the seed it is dealt by, cards that open one by one.

A secret is committed to while the players, the options and the rules are fixed and a chance to come is named:
a round of a public beacon, a word of each player, or both. The seed is a digest of all of it. Each card is a
leaf of a tree of digests, whose root stands in the opening post. So who holds the posts can check each card
during the game, and everything at the end: `lies` says what does not fit. Nothing here knows a game's rules.

All digests are SHA-256 in small hex letters; JSON is one line with sorted keys and no blanks, as UTF-8.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import reduce
from itertools import pairwise
from typing import Any, Final

from knightfall.engine.entries import Committed, Rounded, Started
from knightfall.engine.journal import Journal, standing
from knightfall.engine.rng import SeededRng, mixed_seed
from knightfall.errors import InputError

SCHEMA: Final = 2
SECRET_BYTES: Final = 32
MOST_LETTERS: Final = 80
"""Of a player's word."""
AHEAD: Final = timedelta(minutes=10)
"""So long before the round the commitment has to stand: nobody knows the round by then."""
PHASES: Final = ", and a round at each deadline"
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


def seed_of(secret: bytes, value: str, words: Sequence[Sequence[str]], terms: str) -> bytes:
    """What everything is drawn from: the secret, the round's value in hex ("" without one), the words as
    [slot, word] in the order of the slots, and the line of the terms."""
    lines = ("knightfall deal 2", secret.hex(), value, canonical([list(one) for one in words]), terms)
    return hashlib.sha256("\n".join(lines).encode()).digest()


def one_word(said: str) -> str:
    """A player's word as it counts: the blanks at its ends cut. Raises InputError where it is none."""
    word = said.strip()
    if not word or len(word) > MOST_LETTERS or not word.isprintable():
        raise InputError(f"A player's word is one line of 1 to {MOST_LETTERS} letters; found {said!r}.")
    return word


@dataclass(frozen=True, slots=True)
class Beacon:
    """A public source of chance: round 1 comes at `genesis`, and one more after each `period` (seconds)."""

    name: str
    genesis: int
    period: int

    def at(self, number: int) -> datetime:
        """When a round comes, from 1."""
        return datetime.fromtimestamp(self.genesis + (number - 1) * self.period, UTC)

    def first_after(self, moment: datetime) -> int:
        """The first round that comes at that instant or later."""
        return max(1, 1 - int((self.genesis - moment.timestamp()) // self.period))


def chance_line(terms: Mapping[str, Any], beacons: Mapping[str, Beacon]) -> str:
    """From where the chance will come, as the post of the commitment says it."""
    chance = terms["chance"]
    if "beacon" not in chance:
        return "words"
    name, number = chance["beacon"], chance["round"]
    when = f", at {beacons[name].at(number):%Y-%m-%dT%H:%M:%SZ}" if name in beacons else ""
    words = ", and words" if chance.get("words") else ""
    return f"round {number} of {name}{when}{words}" + (PHASES if chance.get("phases") else "")


def rounds_of(journal: Journal) -> tuple[tuple[int, str], ...]:
    """Each round that came since the deal, with its value in hex."""
    found: list[tuple[int, str]] | None = None
    for record in standing(journal):
        match record.entry:
            case Started():
                found = []
            case Rounded(round=number, value=value) if found is not None:
                found.append((number, value))
    return tuple(found or ())


def promises_rounds(journal: Journal) -> bool:
    """Whether the game was committed to so that what is drawn at the end of a phase waits for a round."""
    terms: dict[str, Any] = {}
    for record in standing(journal):
        match record.entry:
            case Committed(terms=line):
                terms = _parsed(line)
            case Started():
                break
    return bool(terms.get("chance", {}).get("phases"))


def option_digest(secret: bytes, name: str, value: str) -> str:
    """What the terms say of an option that stays secret until the end, with a salt of the secret; `value` is
    its JSON."""
    salt = hmac.digest(secret, canonical(["option", name]).encode(), "sha256")[:_SALT_BYTES].hex()
    return digest(canonical([name, value, salt]))


# ── the tree of the cards ────────────────────────────────────────────────────────────────────────


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
    """All that posts say of a deal, in the order in which it stands in them."""

    commitments: tuple[CommitmentPost, ...] = ()
    values: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    roots: tuple[str, ...] = ()
    lines: tuple[CardLine, ...] = ()
    proofs: tuple[str, ...] = ()
    rounds: tuple[tuple[int, str], ...] = ()
    """Of phases: the number of each round and its value."""

    @property
    def slots(self) -> tuple[str, ...] | None:
        """The players of the last commitment, in order; None where none can be read."""
        terms = _parsed(self.commitments[-1].terms) if self.commitments else {}
        slots = terms.get("slots")
        return tuple(map(str, slots)) if isinstance(slots, list) else None


_CARD_LINE = re.compile(r"Card check: (.+) \| (.+) \| ([0-9a-f]+) \|(.*)")
_ROUND_LINE = re.compile(r"Round ([0-9]{1,15}): ([0-9a-f]{64})")
_TAGS = re.compile(r"\[/?[a-z]+(?:=[^\]]*)?\]|`+")


def posted(text: str) -> Posted:
    """What pasted posts say of the deal: every line that begins with one of our words, or is a proof; what
    stands around them does not count."""
    commitments: list[dict[str, Any]] = []
    found: dict[str, list[str]] = {"Value": [], "Words": [], "Cards": []}
    lines: list[CardLine] = []
    proofs: list[str] = []
    rounds: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        bare = _TAGS.sub("", line).strip()
        word, sign, said = bare.partition(": ")
        if bare == "Fair deal 2":
            commitments.append({})
        elif match := _CARD_LINE.fullmatch(bare):
            lines.append(CardLine(match[1], match[2], match[3], match[4].strip()))
        elif match := _ROUND_LINE.fullmatch(bare):
            rounds.append((int(match[1]), match[2]))
        elif sign and word in found:
            found[word].append(said.strip())
        elif sign and commitments and word in ("Commitment", "Chance", "Replaces", "Terms"):
            whole = line[line.find("{") : line.rfind("}") + 1] if word == "Terms" else said.strip()
            commitments[-1][word.lower()] = tuple(whole.split()) if word == "Replaces" else whole
        elif (start := line.find('{"')) >= 0 and '"schema":' in line:
            proofs.append(line[start : line.rfind("}") + 1])
    made = tuple(CommitmentPost(**one) for one in commitments)
    values, words, roots = map(tuple, found.values())
    return Posted(made, values, words, roots, tuple(lines), tuple(proofs), tuple(rounds))


def round_line(number: int, value: str) -> str:
    """What the post of a phase's round says, as `posted` reads it."""
    return f"Round {number}: {value}"


def post_lines(post: CommitmentPost) -> str:
    """The lines of a commitment, as `posted` reads them."""
    replaces = [f"Replaces: {' '.join(post.replaces)}"] if post.replaces else []
    lines = ("Fair deal 2", f"Commitment: {post.commitment}", *replaces, f"Chance: {post.chance}")
    return "\n".join((*lines, f"Terms: {post.terms}"))


# ── what does not fit ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Lie:
    """Something that does not fit: a word for its kind, and a sentence that names it."""

    code: str
    text: str


def lies(
    proof: Mapping[str, Any] | None, posts: Posted, beacons: Mapping[str, Beacon] | None = None
) -> tuple[Lie, ...]:
    """What is not as it was committed to; () where all fits.

    `proof`: the table of the proof, {schema: 2, commitment, secret or parts: [{path, digest, secret?}],
    value, words, terms, cards, draws, rounds?, …}; None while the game goes on, when commitments and opened
    cards alone are checked. Where posts are left out, nothing is compared with them.
    """
    found = [*_commitment_lies(posts, beacons or {})]
    if proof is None:
        return (*found, *_line_lies(posts, None))
    if proof.get("schema") != SCHEMA:
        return (
            *found,
            Lie("schema", f"This is not a proof of the schema {SCHEMA}."),
        )
    try:
        return (*found, *_proof_lies(proof, posts))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return (*found, Lie("unreadable", "The proof is not in the form in which Knightfall writes one."))


def _commitment_lies(posts: Posted, beacons: Mapping[str, Beacon]) -> Iterator[Lie]:
    """Commitments that were replaced in silence, and times that are not those of the round."""
    before: list[str] = []
    for post in posts.commitments:
        if post.commitment in before:
            continue
        if any(one not in post.replaces for one in before):
            yield Lie(
                "commitment_replaced",
                f"The commitment {before[-1]} was replaced by {post.commitment}, and the later post does "
                "not say so.",
            )
        before.append(post.commitment)
        terms = _parsed(post.terms)
        if isinstance(terms.get("chance"), dict) and post.chance:
            should, said = chance_line(terms, beacons), post.chance
            if terms["chance"].get("beacon") not in beacons:
                said = re.sub(r", at [^,]*Z", "", said)  # when its rounds come is not known here
            if said != should:
                yield Lie(
                    "chance_line", f"The post says “Chance: {post.chance}”, but its terms say “{should}”."
                )
    if len(set(posts.roots)) > 1:
        yield Lie("root_changed", "The posts name two different roots of the cards: one was changed.")


def _proof_lies(proof: Mapping[str, Any], posts: Posted) -> Iterator[Lie]:
    terms = _parsed(proof["terms"])
    slots, chance = [str(slot) for slot in terms["slots"]], terms["chance"]
    yield from _secret_lies(proof, posts)
    for name, said in terms["options"].items():
        if isinstance(said, dict) and [*said] == ["sha256"] and "secret" in proof:
            told = proof.get("opened", {}).get(name, "")
            if option_digest(bytes.fromhex(proof["secret"]), name, told) != said["sha256"]:
                yield Lie(
                    "option_changed", f"The “{name}” of the proof is not the one that was committed to."
                )
    yield from _terms_lies(proof["terms"], terms, posts)
    yield from _chance_lies(proof, chance, slots, posts)
    yield from _card_lies(proof, slots, posts)
    yield from _round_lies(proof, chance, posts)
    yield from _draw_lies(proof)


def _secret_lies(proof: Mapping[str, Any], posts: Posted) -> Iterator[Lie]:
    said = proof["commitment"]
    if posts.commitments and posts.commitments[-1].commitment != said:
        told = posts.commitments[-1].commitment
        yield Lie("commitment_changed", f"The post has the commitment {told}, the proof {said}.")
    before = [one.commitment for one in posts.commitments if one.commitment != said]
    if any(one not in proof.get("replaces", ()) for one in before):
        yield Lie("commitment_hidden", "The proof does not tell of the earlier commitments of this game.")
    if "parts" not in proof:
        secret = bytes.fromhex(proof["secret"])
        if len(secret) != SECRET_BYTES:
            yield Lie("secret_short", f"The secret has {len(secret)} bytes, expected {SECRET_BYTES}.")
        if digest(secret) != said:
            yield Lie("secret_swapped", "The commitment is not that of the secret: another was committed to.")
        return
    parts = proof["parts"]
    if digest(canonical([part["digest"] for part in parts])) != said:
        yield Lie("parts_changed", "The commitment is not that of the digests of the parts.")
    paths = [list(part["path"]) for part in parts]
    if any(i != j and two[: len(one)] == one for i, one in enumerate(paths) for j, two in enumerate(paths)):
        yield Lie("parts_overlap", "Two parts are for the same draws, so that one could be chosen.")
    for part in parts:
        if "secret" in part and digest(bytes.fromhex(part["secret"])) != part["digest"]:
            where = "/".join(part["path"])
            yield Lie("secret_swapped", f"The secret of {where} is not the one that was committed to.")


def _terms_lies(text: str, terms: Mapping[str, Any], posts: Posted) -> Iterator[Lie]:
    if not posts.commitments or posts.commitments[-1].terms == text:
        return
    told = _parsed(posts.commitments[-1].terms)
    slots, before = terms["slots"], told.get("slots", [])
    if slots != before and sorted(slots) == sorted(before):
        yield Lie(
            "order_changed", f"The players stand in another order than in the post: {', '.join(slots)}."
        )
    elif slots != before:
        yield Lie("players_changed", f"The proof is of other players than the post: {', '.join(slots)}.")
    chance, promised = terms["chance"], told.get("chance", {})
    if chance != promised and chance.get("beacon") == promised.get("beacon") and "round" in chance:
        yield Lie("round_changed", f"The proof is of round {chance['round']}, the post names another one.")
    elif chance != promised:
        yield Lie("chance_changed", "The proof takes its chance from somewhere else than the post says.")
    for key, code in (("game", "game_changed"), ("options", "options_changed"), ("rules", "rules_changed")):
        if terms.get(key) != told.get(key):
            yield Lie(code, f"The proof has another value of “{key}” than the post.")
    if all(terms.get(key) == told.get(key) for key in {*terms, *told}):
        yield Lie("terms_changed", "The line of the terms is written in another way than in the post.")
    elif any(
        terms.get(key) != told.get(key)
        for key in {*terms, *told} - {"slots", "chance", "game", "options", "rules"}
    ):
        yield Lie("terms_changed", "The terms of the proof have another line than those of the post.")


def _chance_lies(
    proof: Mapping[str, Any], chance: Mapping[str, Any], slots: Sequence[str], posts: Posted
) -> Iterator[Lie]:
    value, words = proof["value"], [[str(slot), str(word)] for slot, word in proof["words"]]
    if "beacon" in chance and not value:
        yield Lie("value_missing", "A round of a beacon was promised, and the proof has no value of it.")
    if "beacon" not in chance and value:
        yield Lie("value_unasked", "The proof has the value of a round, which nobody promised.")
    if value and not re.fullmatch(r"(?:[0-9a-f]{2})+", value):
        yield Lie("value_unreadable", "The value of the round is not written in hex.")
    if any(one != value for one in posts.values):
        yield Lie("value_changed", f"The opening post says the value {posts.values[-1]}, the proof {value}.")
    if words and not chance.get("words"):
        yield Lie("word_unasked", "The proof has words of players, which nobody promised.")
    givers = [slot for slot, _ in words]
    if strangers := [slot for slot in givers if slot not in slots]:
        yield Lie("word_stranger", f"A word of {strangers[0]}, who is no player, is in the proof.")
    elif givers != [slot for slot in slots if slot in givers]:
        yield Lie("words_order", "The words do not stand in the order of the players, one of each.")
    if any(word != word.strip() or not 1 <= len(word) <= MOST_LETTERS for _, word in words):
        yield Lie("word_unfit", f"A word in the proof is not one line of 1 to {MOST_LETTERS} letters.")
    for text in posts.words:
        told = dict(json.loads(text))
        given = dict(words)
        for slot in dict.fromkeys((*told, *given)):
            if slot not in given:
                yield Lie("word_dropped", f"The opening post has a word of {slot}, the proof has none.")
            elif slot not in told:
                yield Lie("word_added", f"The proof has a word of {slot}, the opening post has none.")
            elif told[slot] != given[slot]:
                yield Lie(
                    "word_changed",
                    f"The opening post has “{told[slot]}” as the word of {slot}, the proof “{given[slot]}”.",
                )


def _card_lies(proof: Mapping[str, Any], slots: Sequence[str], posts: Posted) -> Iterator[Lie]:
    cards = {str(slot): str(role) for slot, role in proof["cards"].items()}
    if not cards and ("parts" in proof or not posts.roots):
        yield from _line_lies(posts, None)
        return
    if missing := [slot for slot in slots if slot not in cards]:
        yield Lie("card_missing", f"The proof has no card of {missing[0]}.")
    if added := [slot for slot in cards if slot not in slots]:
        yield Lie("card_added", f"The proof has a card of {added[0]}, who is no player.")
    if missing or added:
        return
    tree = CardTree.of(bytes.fromhex(proof["secret"]), {slot: cards[slot] for slot in slots})
    if posts.roots and posts.roots[-1] != tree.root:
        yield Lie(
            "root_changed",
            "The cards of the proof are not those of the opening post, or the root there was changed: the "
            f"cards give {tree.root}, the post says {posts.roots[-1]}.",
        )
    yield from _line_lies(posts, tree)


def _line_lies(posts: Posted, tree: CardTree | None) -> Iterator[Lie]:
    """Of each card that was opened; with the tree of the proof, what of its line was changed."""
    known = posts.slots
    if posts.lines and not posts.roots:
        yield Lie(
            "root_missing",
            "The line “Cards: …” of the opening post is missing: without it no card can be checked.",
        )
        return
    for line in posts.lines:
        leads = root_by(leaf(line.slot, line.role, line.salt), line.path) == posts.roots[-1]
        stranger = tree is not None and line.slot not in tree.cards
        if stranger or (known is not None and line.slot not in known):
            yield Lie("line_stranger", f"A card of {line.slot} was opened, who is no player of this game.")
        elif leads and known is not None and _sides(line.path) != _sides_of(known, line.slot):
            yield Lie("slot_moved", f"The card of {line.slot} stands at the place of another player.")
        elif leads and tree is not None and tree.cards[line.slot] != line.role:
            told = tree.cards[line.slot]
            yield Lie(
                "card_changed",
                f"{line.slot} was dealt {line.role} by the opening post; the proof says {told}.",
            )
        elif not leads and tree is None:
            yield Lie(
                "card_line",
                f"{line.slot} was not dealt {line.role}, or the salt or path of that line was changed: it "
                "does not lead to the root in the opening post.",
            )
        elif not leads and tree is not None:
            yield from _changed_line(line, tree)


def _changed_line(line: CardLine, tree: CardTree) -> Iterator[Lie]:
    other = next((slot for slot, salt in tree.salts.items() if salt == line.salt), None)
    if other is not None and other != line.slot:
        yield Lie("line_other_slot", f"The line under the flip of {line.slot} is that of {other}.")
    elif line.role != tree.cards[line.slot]:
        yield Lie(
            "flip_changed", f"{line.slot} flipped as {line.role}, but was dealt {tree.cards[line.slot]}."
        )
    elif other is None:
        yield Lie("salt_changed", f"The salt in the line of {line.slot} is not that of the secret.")
    elif line.path != path_of(tree.leaves, [*tree.cards].index(line.slot)):
        yield Lie("path_changed", f"The path in the line of {line.slot} is not that of the cards.")


def _sides_of(slots: Sequence[str], slot: str) -> str:
    return _sides(path_of([digest(one) for one in slots], list(slots).index(slot)))


def seeds_of(proof: Mapping[str, Any]) -> dict[tuple[str, ...], bytes]:
    """The seed of each part whose secret the proof tells; without parts one for all, at the path ()."""
    rest = (proof["value"], proof["words"], proof["terms"])
    if "parts" not in proof:
        return {(): seed_of(bytes.fromhex(proof["secret"]), *rest)}
    return {
        tuple(part["path"]): seed_of(bytes.fromhex(part["secret"]), *rest)
        for part in proof["parts"]
        if "secret" in part
    }


def _round_lies(proof: Mapping[str, Any], chance: Mapping[str, Any], posts: Posted) -> Iterator[Lie]:
    """Of the rounds at the end of phases: {rounds: [[number, value]]} in the order in which they came."""
    rounds = [(int(number), str(value)) for number, value in proof.get("rounds", ())]
    if rounds and not chance.get("phases"):
        yield Lie("rounds_unasked", "The proof has rounds of phases, which nobody promised.")
    numbers = [chance.get("round", 0), *(number for number, _ in rounds)]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        yield Lie("rounds_order", "The rounds of the phases do not come one after the other.")
    if any(not _HEX_32.fullmatch(value) for _, value in rounds):
        yield Lie("round_unreadable", "The value of a round of a phase is not 64 hex digits.")
    told = dict(rounds)
    for number, value in posts.rounds:
        if number not in told:
            yield Lie("round_hidden", f"A post has round {number} of a phase, the proof has none.")
        elif told[number] != value:
            yield Lie(
                "round_told", f"A post says the value {value} of round {number}, the proof {told[number]}."
            )


def _draw_lies(proof: Mapping[str, Any]) -> Iterator[Lie]:
    """Each draw made again by its key, [path, label, repeat, way, options or how many, what was drawn, how
    many rounds of phases had come (0 where it is not said)]; none may be told twice, nor be left out before a
    later one of its label, unless that label was drawn by hand."""
    seeds, seen, come = seeds_of(proof), set[tuple[object, ...]](), 0
    rounds = [str(value) for _, value in proof.get("rounds", ())]
    hand = {label for label, _ in proof.get("by_hand", ())}
    for path, label, repeat, way, pile, drawn, *since in proof["draws"]:
        where = f"{label} at {'/'.join(path) or 'the start'}"
        key = (*path, label)
        if (*key, repeat) in seen:
            yield Lie("draw_twice", f"{where}: this draw is told twice.")
        if repeat and label not in hand and (*key, repeat - 1) not in seen:
            yield Lie("draw_thrown_away", f"{where}: draw {repeat + 1} is told, but not the one before it.")
        seen.add((*key, repeat))
        before, come = come, since[0] if since else 0
        if not before <= come <= len(rounds):
            yield Lie("draw_round", f"{where}: this draw is told of another round than it waited for.")
        seed = next((one for part, one in seeds.items() if tuple(path[: len(part)]) == part), None)
        if seed is None:
            yield Lie("draw_unproved", f"{where}: the secret of this draw is not in the proof.")
            continue
        again = drawn_again(
            reduce(mixed_seed, rounds[:come], seed), path, label, repeat, way, pile, len(drawn)
        )
        if again != list(drawn):
            yield Lie(
                "draw_changed",
                f"{where}: the seed draws {', '.join(again)}, the proof says {', '.join(drawn)}.",
            )


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


def _parsed(text: object) -> dict[str, Any]:
    """A line of JSON as a table; {} where it is none."""
    try:
        found = json.loads(text) if isinstance(text, str) else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
