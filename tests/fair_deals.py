"""Games dealt so that nobody could choose, with the posts and the proof of each; and every lie about one."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from knightfall.engine.fair import (
    Beacon,
    CardTree,
    CommitmentPost,
    Lie,
    canonical,
    card_salt,
    chance_line,
    commitment,
    digest,
    leaf,
    lies,
    option_digest,
    part_secret,
    path_of,
    post_lines,
    posted,
    root,
    seed_of,
)
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId
from knightfall.services.games import game_named

QUICKNET = Beacon("quicknet", 1692803367, 3)
BEACONS = {"quicknet": QUICKNET}
NAMES = ("Ada", "Boro", "Cato", "Dunya", "Edda", "Falk", "Gisla", "Hanno", "Ivo", "Jory", "Kaja", "Lumen",
         "Mirek", "Noor", "Orla", "Pavo", "Quill", "Runa")  # fmt: skip
ROUND = "round 30000000 of quicknet"
VILLAGE = {
    "schema": 1,
    "name": "Nine of “the” quay",
    "slots": [
        {"count": 2, "role": "Mafia Goon"},
        {"count": 2, "one_of": ["Town Cop", "Town Doctor", "Town Tracker"]},
        {"count": 5, "role": "Vanilla Townie"},
    ],
}


@dataclass
class FairDeal:
    """What was posted of a game, line by line, and its proof."""

    secret: bytes
    commitments: list[CommitmentPost]
    tree: CardTree | None
    proof: dict[str, Any]
    roots: list[str]
    lines: list[str]
    value: str
    words: str
    rounds: list[str] = field(default_factory=list)
    before: list[str] = field(default_factory=list)

    @property
    def posts(self) -> str:
        """All posts of the game, without its proof."""
        said = [post_lines(post) for post in self.commitments]
        said += [f"Value: {self.value}", f"Words: {self.words}", *(f"Cards: {one}" for one in self.roots)]
        return "\n".join((*said, *self.lines, *self.rounds))

    @property
    def text(self) -> str:
        """All posts of the game and its proof, as a reader pastes them."""
        return f"{self.posts}\n[code]{canonical(self.proof)}[/code]\n"

    @property
    def found(self) -> tuple[Lie, ...]:
        """What is told of it."""
        read = posted(self.text)
        return lies(json.loads(read.proofs[-1]), read, BEACONS)


def as_told(drawn: Any) -> list[Any]:
    """A line of the log of chance as the proof tells it."""
    (path, label, repeat), pile = drawn.key, [str(one) for one in drawn.options]
    since = [drawn.rounds] if drawn.rounds else []
    values = drawn.value if isinstance(drawn.value, tuple) and drawn.way != "choice" else (drawn.value,)
    if len(pile) > 99:
        return [list(path), label, repeat, str(drawn.way), len(pile),
                [str(list(drawn.options).index(one)) for one in values], *since]  # fmt: skip
    return [list(path), label, repeat, str(drawn.way), pile, [str(one) for one in values], *since]


def fair_deal(
    game: str, number: int, chance: random.Random, options: Mapping[str, Any] | None = None
) -> FairDeal:
    """A game of so many players, dealt by a secret, a round of the beacon and words."""
    slots, secret = NAMES[:number], chance.randbytes(32)
    kind, chosen = game_named(game), dict(options or {})
    named = chance.choice(({"beacon": "quicknet", "round": 30_000_000}, {"words": True},
                           {"beacon": "quicknet", "round": 30_000_000, "words": True},
                           {"beacon": "quicknet", "round": 30_000_000, "words": True, "phases": True},
                           ))  # fmt: skip
    terms = {"game": game, "options": chosen, "slots": list(slots), "chance": named}
    terms["rules"] = digest(canonical(dict(kind.spec.rulings)))
    if "setup" in chosen:
        sealed = {"setup": {"sha256": option_digest(secret, "setup", canonical(chosen["setup"]))}}
        terms["options"] = chosen | sealed
    line = canonical(terms)
    value = chance.randbytes(32).hex() if "beacon" in named else ""
    words = [[one, chance.choice(("heron", "röd båt", "7 “of” clubs", "🜁"))] for one in slots[::2]]
    words = words if "words" in named else []
    parts = kind.seals(chosen)
    secrets = {path: part_secret(secret, path) for path in parts}
    seeds = {path: seed_of(own, value, words, line) for path, own in secrets.items()}
    source = SeededRng(seed_of(secret, value, words, line), parts=seeds)
    state = kind.setup(tuple(map(SlotId, slots)), chosen, source).state
    roles = {str(slot): str(role) for slot, role in kind.roles(state).items()}
    # Later, each phase draws once its round has come.
    rounds = [[30_000_000 + 28_800 * n, chance.randbytes(32).hex()] for n in (1, 2) if "phases" in named]
    later = source
    for night, (_, told_value) in enumerate(rounds, start=1):
        later = later.mixed(str(told_value))
        below = later.apart(*parts[0]) if parts else later
        below.at("night", night).choice("kill.carrier", slots)
    cards = {slot: roles[slot] for slot in slots}
    said = commitment(secret, parts)
    told = (parts[0], parts[-1]) if parts else ()
    proof: dict[str, Any] = {"schema": 2, "commitment": said, "value": value, "words": words, "terms": line}
    if parts:
        proof["parts"] = [
            {"path": list(path), "digest": digest(secrets[path])}
            | ({"secret": secrets[path].hex()} if path in told else {})
            for path in parts
        ]
    else:
        proof["secret"] = secret.hex()
    proof["cards"] = {} if parts else cards
    if "setup" in chosen:
        proof["opened"] = {"setup": canonical(chosen["setup"])}
    proof["draws"] = [
        as_told(one) for one in source.log if not told or any(one.key.path[: len(p)] == p for p in told)
    ]
    if rounds:
        proof["rounds"] = rounds
    tree = CardTree.of(secret, cards)
    post = CommitmentPost(said, chance_line(terms, BEACONS), line)
    shown = [tree.line(slot) for slot in chance.sample(slots, 3)]
    return FairDeal(secret, [post], tree, proof, [tree.root], shown, value, canonical(words),
                    [f"Round {number}: {one}" for number, one in rounds])  # fmt: skip


def any_deal(chance: random.Random) -> FairDeal:
    """A game of any kind that deals cards."""
    kind = chance.choice(("knight_errant", "empowered", "custom_mafia", "kings_court"))
    if kind == "knight_errant":
        return fair_deal(kind, 18, chance)
    if kind == "empowered":
        return fair_deal(kind, chance.choice((7, 9)), chance)
    if kind == "kings_court":
        return fair_deal(kind, 11, chance, {"seeds": "each_attempt"})
    return fair_deal(kind, 9, chance, {"setup": VILLAGE})


# ── the lies ─────────────────────────────────────────────────────────────────────────────────────


def worded(chance: random.Random) -> FairDeal:
    """A custom game with a round and words, of which Ada, Boro and Cato have been opened."""
    while True:
        made = fair_deal("custom_mafia", 9, chance, {"setup": VILLAGE})
        if made.value and made.words != "[]" and made.rounds:
            break
    assert made.tree is not None
    made.lines = [made.tree.line(slot) for slot in NAMES[:3]]
    return made


def _terms(made: FairDeal, change: Callable[[dict[str, Any]], object]) -> None:
    terms = json.loads(made.proof["terms"])
    change(terms)
    made.proof["terms"] = canonical(terms)


def _line(made: FairDeal, slot: str = "", role: str = "", salt: str = "", path: str = "") -> None:
    """The first line of a card with something of it changed."""
    said = posted(made.lines[0]).lines[0]
    made.lines[0] = (
        f"Card check: {slot or said.slot} | {role or said.role} | {salt or said.salt} | {path or said.path}"
    )


def _other(made: FairDeal) -> str:
    """A card that Ada was not dealt."""
    return next(role for role in ("Mafia Goon", "Vanilla Townie") if role != made.proof["cards"]["Ada"])


def _swap_cards(made: FairDeal) -> None:
    made.proof["cards"]["Ada"] = _other(made)


def _no_lines(made: FairDeal) -> None:
    made.proof["cards"]["Ivo"] = "Jester"


def _recommit(made: FairDeal) -> None:
    first = made.commitments[0]
    made.commitments.insert(0, CommitmentPost(digest("another"), first.chance, first.terms))


def _recommit_told(made: FairDeal) -> None:
    """The post tells of it, the proof does not."""
    _recommit(made)
    last = made.commitments[1]
    made.commitments[1] = CommitmentPost(last.commitment, last.chance, last.terms, (digest("another"),))


def _two_of_ada(made: FairDeal) -> None:
    """A tree in which Ada stands at the place of Boro, too."""
    cards = [(slot if slot != "Boro" else "Ada", role) for slot, role in made.proof["cards"].items()]
    leaves = [leaf(slot, role, card_salt(made.secret, slot)) for slot, role in cards]
    made.roots = [root(leaves)]
    salt = card_salt(made.secret, "Ada")
    made.lines = [f"Card check: Ada | {cards[1][1]} | {salt} | {path_of(leaves, 1)}"]


def _cards_drawn(what: int, change: Callable[[Any], Any]) -> Callable[[FairDeal], object]:
    """The draw of the cards with something of it changed."""

    def act(made: FairDeal) -> None:
        told = next(one for one in made.proof["draws"] if one[1] == "cm.cards")
        told[what] = change(told[what])

    return act


def _thrown_away(made: FairDeal) -> None:
    """A draw that did not please was made again, and only the second is told."""
    path, label, _, way, pile, drawn = made.proof["draws"][0]
    source = SeededRng(
        seed_of(made.secret, made.value, made.proof["words"], made.proof["terms"]), tuple(path)
    )
    take = source.choices if way == "choices" else source.sample
    again = take(label, pile, len(drawn), 1) if way != "choice" else (source.choice(label, pile, 1),)
    made.proof["draws"][0] = [path, label, 1, way, pile, list(map(str, again))]


def _later_draw(since: int) -> Callable[[FairDeal], object]:
    """The last draw of all, told as one that waited for that many rounds."""

    def act(made: FairDeal) -> None:
        if since == 1:  # another one has waited for two
            made.proof["draws"].append([*made.proof["draws"][-1][:2], 1, *made.proof["draws"][-1][3:]])
        made.proof["draws"][-1][6:] = [since] if since else []

    return act


def _set(key: str, value: Any) -> Callable[[FairDeal], object]:
    def act(made: FairDeal) -> None:
        made.proof[key] = value(made.proof[key]) if callable(value) else value

    return act


def _words(change: Callable[[list[Any]], Any]) -> Callable[[FairDeal], object]:
    def act(made: FairDeal) -> None:
        words = copy.deepcopy(made.proof["words"])
        made.proof["words"] = change(words) or words

    return act


def _promise(**changed: Any) -> Callable[[FairDeal], object]:
    """The chance of the terms, in post and proof alike."""

    def act(made: FairDeal) -> None:
        terms = json.loads(made.proof["terms"])
        terms["chance"] = {k: v for k, v in {**terms["chance"], **changed}.items() if v}
        made.proof["terms"] = canonical(terms)
        made.commitments[0] = CommitmentPost(
            made.commitments[0].commitment, chance_line(terms, BEACONS), made.proof["terms"]
        )

    return act


def _chance_line(said: str) -> Callable[[FairDeal], object]:
    def act(made: FairDeal) -> None:
        first = made.commitments[0]
        made.commitments[0] = CommitmentPost(first.commitment, said, first.terms)

    return act


LIES: Mapping[str, tuple[str, Callable[[FairDeal], object]]] = {
    # name: (the code that tells it, what the liar does)
    "changed card": ("card_changed", _swap_cards),
    "changed card that nobody has opened": ("root_changed", _no_lines),
    "moved slot": ("slot_moved", _two_of_ada),
    "changed order": ("order_changed", lambda made: _terms(made, lambda t: t["slots"].reverse())),
    "another player": ("players_changed", lambda made: _terms(made, lambda t: t["slots"].append("Zeno"))),
    "other options": ("options_changed", lambda made: _terms(made, lambda t: t["options"].clear())),
    "other setup told": ("option_changed", _set("opened", {"setup": '"A1-RD"'})),
    "setup not told": ("option_changed", _set("opened", {})),
    "other game": ("game_changed", lambda made: _terms(made, lambda t: t.update(game="empowered"))),
    "other rules": ("rules_changed", lambda made: _terms(made, lambda t: t.update(rules=digest("")))),
    "other round": ("round_changed", lambda made: _terms(made, lambda t: t["chance"].update(round=7))),
    "other chance": ("chance_changed", lambda made: _terms(made, lambda t: t["chance"].pop("beacon"))),
    "one more line of terms": ("terms_changed", lambda made: _terms(made, lambda t: t.update(adopted=True))),
    "terms in other letters": ("terms_changed", _set("terms", lambda t: t.replace(":", ": ", 1))),
    "time of another round": ("chance_line", _chance_line(f"{ROUND}, at 2030-01-01T00:00:00Z, and words")),
    "line of another round": ("chance_line", _chance_line("round 30000001 of quicknet, and words")),
    "other value": ("value_changed", _set("value", digest("another value"))),
    "no value": ("value_missing", _set("value", "")),
    "value in no hex": ("value_unreadable", _set("value", "zz")),
    "value that nobody promised": ("value_unasked", _promise(beacon=None, round=None)),
    "other word": ("word_changed", _words(lambda words: words[0].__setitem__(1, "otter"))),
    "word left out": ("word_dropped", _words(lambda words: words[1:])),
    "word of who gave none": ("word_added", _words(lambda words: [words[0], ["Boro", "otter"], *words[1:]])),
    "words in another order": ("words_order", _words(lambda words: words[::-1])),
    "word of a stranger": ("word_stranger", _words(lambda words: [*words, ["Zeno", "otter"]])),
    "word of two lines": ("word_unfit", _words(lambda words: words[0].__setitem__(1, "x" * 81))),
    "words that nobody promised": ("word_unasked", _promise(words=None)),
    "secret swapped": ("secret_swapped", _set("secret", digest("another secret"))),
    "short secret": ("secret_short", _set("secret", "00ff")),
    "commitment not of this secret": ("commitment_changed", _set("commitment", digest("x"))),
    "commitment replaced": ("commitment_replaced", _recommit),
    "commitment replaced, told in the post alone": ("commitment_hidden", _recommit_told),
    "root changed": ("root_changed", lambda made: made.roots.__setitem__(0, digest("root"))),
    "two roots": ("root_changed", lambda made: made.roots.append(digest("root"))),
    "no root": ("root_missing", lambda made: made.roots.clear()),
    "salt changed": ("salt_changed", lambda made: _line(made, salt="00" * 16)),
    "path changed": ("path_changed", lambda made: _line(made, path=f">{digest('')}")),
    "card line of another slot": ("line_other_slot", lambda made: _line(made, slot="Dunya")),
    "card line of a stranger": ("line_stranger", lambda made: _line(made, slot="Zeno")),
    "flip not as dealt": ("flip_changed", lambda made: _line(made, role=_other(made))),
    "card left out": ("card_missing", lambda made: made.proof["cards"].pop("Ada")),
    "card too many": ("card_added", lambda made: made.proof["cards"].update(Zeno="Goon")),
    "draw told otherwise": ("draw_changed", _cards_drawn(5, lambda drawn: drawn[::-1])),
    "draw of other options": ("draw_changed", _cards_drawn(4, lambda pile: pile[::-1])),
    "draw thrown away": ("draw_thrown_away", _thrown_away),
    "draw told twice": ("draw_twice", lambda made: made.proof["draws"].append(made.proof["draws"][0])),
    "rounds that nobody promised": ("rounds_unasked", _promise(phases=None)),
    "rounds in another order": ("rounds_order", _set("rounds", lambda rounds: rounds[::-1])),
    "round in no hex": ("round_unreadable", lambda made: made.proof["rounds"][1].__setitem__(1, "zz")),
    "round left out": ("round_hidden", _set("rounds", lambda rounds: rounds[:1])),
    "other value of a round": ("round_told", _set("rounds", lambda told: [[told[0][0], "00" * 32], told[1]])),
    "draw of a phase made before its round": ("draw_changed", _later_draw(0)),
    "draw of a later round than there is": ("draw_round", _later_draw(3)),
    "draw of an earlier round than the one before": ("draw_round", _later_draw(1)),
    "another schema": ("schema", _set("schema", 3)),
    "no proof": ("unreadable", lambda made: made.proof.pop("draws")),
}  # fmt: skip
