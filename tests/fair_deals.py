"""Games dealt so that nobody could choose, with the posts and the proof of each; and every lie about one."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from knightfall.config.beacons import beacon_named
from knightfall.engine.fair import (
    PLAN,
    CardTree,
    CommitmentPost,
    Finding,
    Shown,
    Witness,
    canonical,
    chance_line,
    commitment,
    dealt_by,
    digest,
    judge,
    option_digest,
    part_secret,
    post_lines,
    posted,
    root,
    seed_of,
    verdict,
)
from knightfall.engine.fair import leaf as leaf_of
from knightfall.engine.rng import SeededRng
from knightfall.sentence import SlotId
from knightfall.services.games import game_named

QUICKNET = beacon_named("quicknet")
BEACONS = {"quicknet": QUICKNET}
ROUND = 1000
SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
"""Of round 1000 of quicknet, as the beacon published it."""
VALUE = digest(bytes.fromhex(SIGNATURE))
OTHER_VALUE = digest("another value")
DUE = QUICKNET.at(ROUND)
WRITTEN = DUE - timedelta(minutes=20)
NAMES = ("Ada", "Boro", "Cato", "Dunya", "Edda", "Falk", "Gisla", "Hanno", "Ivo", "Jory", "Kaja", "Lumen",
         "Mirek", "Noor", "Orla", "Pavo", "Quill", "Runa")  # fmt: skip
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
    """What was posted of a game, line by line, its proof, and what a reader knows beside them."""

    secret: bytes
    commitments: list[CommitmentPost]
    tree: CardTree
    proof: dict[str, Any]
    values: list[str]
    signatures: list[str]
    roots: list[str]
    draws: list[str]
    lines: list[str]
    written: datetime | None = WRITTEN
    changed: datetime | None = None
    mirror: str = ""
    before_proof: str = ""
    has_proof: bool = True

    @property
    def posts(self) -> str:
        """All posts of the game, without its proof."""
        said = [post_lines(post) for post in self.commitments]
        named = (("Value", self.values), ("Signature", self.signatures), ("Cards", self.roots))
        said += [f"{name}: {one}" for name, found in named for one in found]
        return "\n".join((*said, *self.lines))

    @property
    def text(self) -> str:
        """All posts of the game and its proof, as a reader pastes them."""
        if not self.has_proof:
            return f"{self.posts}\n"
        draws = "".join(f"Draws: {one}\n" for one in self.draws)
        return f"{self.posts}\n{self.before_proof}[code]{draws}{canonical(self.proof)}[/code]\n"

    def findings(self, signed: Callable[..., bool | None] | None = None) -> tuple[Finding, ...]:
        """What is told of it; `signed` as a `Witness` has it."""
        return judge(posted(self.text), BEACONS, Witness(self.written, self.changed, self.mirror, signed))


def as_told(drawn: Any) -> list[Any]:
    """A line of the log of chance as the proof tells it."""
    (path, label, repeat), pile = drawn.key, [str(one) for one in drawn.options]
    values = drawn.value if isinstance(drawn.value, tuple) and drawn.way != "choice" else (drawn.value,)
    if len(pile) > 99:
        return [list(path), label, repeat, str(drawn.way), len(pile),
                [str(list(drawn.options).index(one)) for one in values]]  # fmt: skip
    return [list(path), label, repeat, str(drawn.way), pile, [str(one) for one in values]]


def fair_deal(
    game: str, number: int, chance: random.Random, options: Mapping[str, Any] | None = None
) -> FairDeal:
    """A game of so many players, dealt by a secret and a round of the beacon."""
    slots, secret = NAMES[:number], chance.randbytes(32)
    kind, chosen = game_named(game), dict(options or {})
    parts = kind.seals(chosen)
    opened = {PLAN: canonical(kind.deal_plan(tuple(map(SlotId, slots)), chosen))}
    if "setup" in chosen:
        opened["setup"] = canonical(chosen["setup"])
    sealed = {name: {"sha256": option_digest(b"" if parts else secret, name, said)}
              for name, said in opened.items()}  # fmt: skip
    terms: dict[str, Any] = {"game": game, "slots": list(slots), PLAN: sealed.pop(PLAN)}
    terms["options"] = chosen | sealed
    terms["chance"] = {"beacon": "quicknet", "round": ROUND}
    terms["rules"] = digest(canonical(dict(kind.spec.rulings)))
    terms |= {"title": "The “old” quay", "thread": "https://quay.example.org/t/7"}
    line = canonical(terms)
    secrets = {path: part_secret(secret, path) for path in parts}
    seeds = {path: seed_of(own, VALUE, line) for path, own in secrets.items()}
    seed = seed_of(secret, VALUE, line)
    source = SeededRng(seed, parts=seeds)
    state = kind.setup(tuple(map(SlotId, slots)), chosen, source).state
    roles = {str(slot): str(role) for slot, role in kind.roles(state).items()}
    for night in (1, 2):
        below = source.apart(*parts[0]) if parts else source
        below.at("night", night).choice("kill.carrier", slots)
    cards = {slot: roles[slot] for slot in slots}
    tree, told = CardTree.of(secret, cards), (parts[0], parts[-1]) if parts else ()
    plan = json.loads(opened[PLAN])
    dealt = dealt_by(plan, seeds[tuple(plan["path"])] if parts else seed, slots)
    said = commitment(secret, parts)
    proof: dict[str, Any] = {"schema": 3, "commitment": said, "value": VALUE, "signature": SIGNATURE}
    proof |= {"terms": line, "opened": opened, "replaces": []}
    if parts:
        proof["parts"] = [
            {"path": list(path), "digest": digest(secrets[path])}
            | ({"secret": secrets[path].hex()} if path in told else {})
            for path in parts
        ]
    else:
        proof["secret"] = secret.hex()
    proof["cards"] = {slot: [role, tree.salts[slot], dealt[slot].drawn] for slot, role in cards.items()}
    proof["draws"] = [
        as_told(one) for one in source.log if not told or any(one.key.path[: len(p)] == p for p in told)
    ]
    post = CommitmentPost(said, chance_line(terms["chance"], QUICKNET), line)
    shown = [tree.line(slot) for slot in chance.sample(slots, 3)]
    draws = [str(len(proof["draws"]))]
    return FairDeal(secret, [post], tree, proof, [VALUE], [SIGNATURE], [tree.root], draws, shown)


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


def village(chance: random.Random) -> FairDeal:
    """A custom game, of which Ada, Boro and Cato have been opened, and in which Ada is no goon but Boro may
    be."""
    made = fair_deal("custom_mafia", 9, chance, {"setup": VILLAGE})
    while made.tree.cards["Ada"] == "Mafia Goon" or made.tree.cards["Ada"] == made.tree.cards["Boro"]:
        made = fair_deal("custom_mafia", 9, chance, {"setup": VILLAGE})
    made.lines = [made.tree.line(slot) for slot in NAMES[:3]]
    return made


# ── the lies ─────────────────────────────────────────────────────────────────────────────────────


def _terms(made: FairDeal, change: Callable[[dict[str, Any]], object], *, both: bool = False) -> None:
    """The terms of the proof, or of the post and the proof."""
    terms = json.loads(made.proof["terms"])
    change(terms)
    made.proof["terms"] = canonical(terms)
    if both:
        line = chance_line(terms["chance"], QUICKNET)
        made.commitments[-1] = replace(made.commitments[-1], chance=line, terms=made.proof["terms"])


def _line(made: FairDeal, **changed: str) -> None:
    """The first line of a card with something of it changed."""
    said = posted(made.lines[0]).lines[0]
    said = replace(said, **changed)
    made.lines[0] = f"Card check: {said.slot} | {said.role} | {said.salt} | {said.path}"


def _redealt(made: FairDeal, cards: Mapping[str, str], *, everywhere: bool = True) -> None:
    """Other cards, with root, lines and proof made anew to fit."""
    made.tree = CardTree.of(made.secret, cards)
    made.proof["cards"] = {
        slot: [role, made.tree.salts[slot], made.proof["cards"][slot][2]] for slot, role in cards.items()
    }
    if everywhere:
        made.roots = [made.tree.root]
        made.lines = [made.tree.line(slot) for slot in NAMES[:3]]


def _swapped(made: FairDeal, *, everywhere: bool) -> None:
    cards = dict(made.tree.cards)
    cards["Ada"], cards["Boro"] = cards["Boro"], cards["Ada"]
    _redealt(made, cards, everywhere=everywhere)


def _by_hand(made: FairDeal) -> None:
    """Every card was picked by hand, and no draw is told."""
    roles = sorted(made.tree.cards.values())
    made.proof["draws"], made.draws = [], ["0"]
    _redealt(made, dict(zip(made.tree.cards, roles, strict=True)))


def _dealt_again(made: FairDeal, secret: bytes, value: str) -> None:
    """Another secret or value, with every draw and card made anew to fit."""
    terms = made.proof["terms"]
    seed, plan, slots = seed_of(secret, value, terms), json.loads(made.proof["opened"][PLAN]), NAMES[:9]
    dealt = dealt_by(plan, seed, slots)
    source = SeededRng(seed)
    game_named("custom_mafia").setup(tuple(map(SlotId, slots)), {"setup": VILLAGE}, source)
    made.proof["draws"] = [as_told(one) for one in source.log]
    made.draws = [str(len(source.log))]
    made.secret = secret
    made.proof |= {"secret": secret.hex(), "value": value, "commitment": commitment(secret)}
    made.proof["cards"] = {slot: ["", "", dealt[slot].drawn] for slot in slots}
    _redealt(made, {slot: dealt[slot].role for slot in slots})


def _invented_value(made: FairDeal) -> None:
    """The moderator tries values until the deal pleases."""
    for number in range(10_000):
        value = digest(str(number))
        _dealt_again(made, made.secret, value)
        if made.tree.cards["Ada"] == "Mafia Goon":
            break
    made.values, made.signatures, made.proof["signature"] = [value], [], ""


def _ground_secret(made: FairDeal, *, post: bool) -> None:
    """The moderator tries secrets once the round is known; with the post written anew, too."""
    while made.tree.cards["Ada"] != "Mafia Goon":
        _dealt_again(made, digest(made.secret).encode()[:32], VALUE)
    own, opened = made.secret, made.proof["opened"]

    def sealed(terms: dict[str, Any]) -> None:
        terms[PLAN] = {"sha256": option_digest(own, PLAN, opened[PLAN])}
        terms["options"]["setup"] = {"sha256": option_digest(own, "setup", opened["setup"])}

    if post:
        _terms(made, sealed, both=True)
        made.commitments[-1] = replace(made.commitments[-1], commitment=made.proof["commitment"])


def _plan(made: FairDeal, change: Callable[[dict[str, Any]], object], *, committed: bool) -> None:
    """Another plan of the deal, which was committed to or not."""
    plan = json.loads(made.proof["opened"][PLAN])
    change(plan)
    made.proof["opened"][PLAN] = canonical(plan)
    if committed:
        sealed = {"sha256": option_digest(made.secret, PLAN, canonical(plan))}
        _terms(made, lambda terms: terms.update({PLAN: sealed}), both=True)
    dealt = dealt_by(plan, seed_of(made.secret, VALUE, made.proof["terms"]), NAMES[:9])
    made.proof["cards"] = {slot: ["", "", dealt[slot].drawn or ""] for slot in NAMES[:9]}
    _redealt(made, {slot: dealt[slot].role for slot in NAMES[:9]})


def _early_round(made: FairDeal) -> None:
    """The commitment names a round of long ago."""
    _terms(made, lambda terms: terms["chance"].update(round=1), both=True)


def _recommit(made: FairDeal, *, due: int, posted_: bool = True, told: bool = True) -> None:
    """An earlier commitment of these sign-ups, whose round was to come so many rounds before this one's."""
    last = made.commitments[-1]
    terms = json.loads(last.terms)
    terms["chance"]["round"] = ROUND - due
    before = replace(last, commitment=digest("before"), terms=canonical(terms))
    before = replace(before, chance=chance_line(terms["chance"], QUICKNET))
    made.commitments = [
        *([before] if posted_ else []),
        replace(last, replaces=(before.commitment,) if told else ()),
    ]
    made.proof["replaces"] = [before.commitment] if told else []


def _draw(made: FairDeal, label: str) -> list[Any]:
    found: list[Any] = next(one for one in made.proof["draws"] if one[1] == label)
    return found


def _thrown_away(made: FairDeal) -> None:
    """A draw that did not please was made again, and only the second is told."""
    told = _draw(made, "kill.carrier")
    source = SeededRng(seed_of(made.secret, VALUE, made.proof["terms"]), tuple(told[0]))
    told[2], told[5] = 1, [source.choice(told[1], told[4], 1)]


def _moved(made: FairDeal) -> None:
    """A tree in which Ada stands at the place of Boro, too."""
    cards = dict(made.tree.cards)
    salt = made.tree.salts["Ada"]
    leaves = [leaf_of("Ada" if slot == "Boro" else slot, role, salt) for slot, role in cards.items()]
    made.roots = [root(leaves)]


def _drawn_by_hand(made: FairDeal) -> None:
    made.proof["by_hand"] = [["cm.cards", "Ada"]]


def _set(key: str, value: Any) -> Callable[[FairDeal], object]:
    def act(made: FairDeal) -> None:
        made.proof[key] = value(made.proof[key]) if callable(value) else value

    return act


def _say(**said: Any) -> Callable[[FairDeal], object]:
    def act(made: FairDeal) -> None:
        for name, value in said.items():
            setattr(made, name, value)

    return act


def _another_round(made: FairDeal) -> None:
    """The value of the round is true, but of another round than the one that was named."""
    _terms(made, lambda terms: terms["chance"].update(round=ROUND + 1), both=True)
    _dealt_again(made, made.secret, VALUE)


def _no_posts(made: FairDeal) -> None:
    made.commitments, made.values, made.signatures, made.roots, made.lines = [], [], [], [], []


def _doubled_key(made: FairDeal) -> None:
    """The post's terms name other players first, under the same key."""
    last = made.commitments[-1]
    made.commitments[-1] = replace(last, terms=last.terms.replace("{", '{"slots":["Zeno"],', 1))


def _all(*acts: Callable[[FairDeal], object]) -> Callable[[FairDeal], object]:
    def act(made: FairDeal) -> None:
        for one in acts:
            one(made)

    return act


def _post(**changed: str) -> Callable[[FairDeal], object]:
    """The post of the commitment with something of it changed."""

    def act(made: FairDeal) -> None:
        made.commitments[-1] = replace(made.commitments[-1], **changed)  # type: ignore[arg-type]

    return act


def _unknown_beacon(made: FairDeal) -> None:
    _post(terms=made.commitments[-1].terms.replace("quicknet", "slownet"))(made)


def _drawn_twice(made: FairDeal) -> None:
    made.proof["draws"].append(made.proof["draws"][0])
    made.draws = [str(len(made.proof["draws"]))]


NOBODYS = digest(b"\xab" * 48)
TWICE = canonical({"path": ["deal"], "order": [["cm.cards", 2], ["cm.cards", 7]], "deck": ["Mafia Goon"] * 9})
_NO, _OPEN = Shown.CONTRADICTED, Shown.NOT_SHOWN
LIES: Mapping[str, tuple[str, Shown, Callable[[FairDeal], object]]] = {
    # name: (the sentence that tells it, how, what the liar does)
    # Those of the attack of 28 November, in the form of today.
    "two cards swapped everywhere": ("cards", _NO, lambda made: _swapped(made, everywhere=True)),
    "two cards swapped in the proof": ("opening", _NO, lambda made: _swapped(made, everywhere=False)),
    "every card picked by hand, no draw told": ("cards", _NO, _by_hand),
    "nine goons, root and lines made anew": (
        "cards",
        _NO,
        lambda made: _redealt(made, dict.fromkeys(NAMES[:9], "Mafia Goon")),
    ),
    "the proof alone": ("before", _OPEN, _no_posts),
    "the proof without the post of the commitment": ("secret", _OPEN, _say(commitments=[])),
    "a round of long ago": ("before", _NO, _early_round),
    "a draw of the night left out": ("draws", _NO, lambda made: made.proof["draws"].pop()),
    "a draw left out, and its number not told": (
        "draws",
        _OPEN,
        _all(lambda made: made.proof["draws"].pop(), _say(draws=[])),
    ),
    "an invented value": ("value", _OPEN, _invented_value),
    "an invented value with the true signature": (
        "value",
        _NO,
        _all(lambda made: _dealt_again(made, made.secret, OTHER_VALUE), _say(values=[OTHER_VALUE])),
    ),
    "the value of another round": ("value", _NO, _another_round),
    "a signature of nobody": (
        "value",
        _NO,
        _all(_set("signature", "ab" * 48), _set("value", NOBODYS), _say(values=[NOBODYS])),
    ),
    "a secret ground after the round": ("secret", _NO, lambda made: _ground_secret(made, post=False)),
    "a secret ground after the round, and the post written anew": (
        "before",
        _NO,
        _all(lambda made: _ground_secret(made, post=True), _say(written=DUE + timedelta(minutes=5))),
    ),
    "the post changed after the round": ("before", _OPEN, _say(changed=DUE + timedelta(minutes=5))),
    "posted at the very instant of the round": ("before", _NO, _say(written=DUE)),
    "nobody looked when it was posted": ("before", _OPEN, _say(written=None)),
    "a first deal given up once it was known": ("only", _NO, lambda made: _recommit(made, due=900)),
    "a first deal given up in silence": ("only", _NO, lambda made: _recommit(made, due=0, told=False)),
    "a first deal whose post is gone": ("only", _OPEN, lambda made: _recommit(made, due=0, posted_=False)),
    "a first deal that the proof does not tell": (
        "only",
        _NO,
        _all(lambda made: _recommit(made, due=0), _set("replaces", [])),
    ),
    "other terms than those of the post": (
        "secret",
        _NO,
        lambda made: _terms(made, lambda t: t.update(title="Another game")),
    ),
    "the deal of another thread": (
        "secret",
        _NO,
        lambda made: _terms(made, lambda t: t.update(thread="https://else.example.org")),
    ),
    "a proof of the earlier form": ("secret", _OPEN, _all(_set("schema", 2), _set("words", []))),
    "doubled keys in the post": ("secret", _NO, _doubled_key),
    # Our own.
    "players in another order": ("secret", _NO, lambda made: _terms(made, lambda t: t["slots"].reverse())),
    "one player more": ("secret", _NO, lambda made: _terms(made, lambda t: t["slots"].append("Zeno"))),
    "other options": ("secret", _NO, lambda made: _terms(made, lambda t: t["options"].clear())),
    "other rules": ("secret", _NO, lambda made: _terms(made, lambda t: t.update(rules=digest("")))),
    "another round in the proof": (
        "secret",
        _NO,
        lambda made: _terms(made, lambda t: t["chance"].update(round=7)),
    ),
    "another setup told": ("secret", _NO, lambda made: made.proof["opened"].update(setup='"A1-RD"')),
    "no setup told": ("secret", _NO, lambda made: made.proof["opened"].pop("setup")),
    "another plan told": (
        "secret",
        _NO,
        lambda made: _plan(made, lambda plan: plan["deck"].reverse(), committed=False),
    ),
    "a plan without draws": (
        "cards",
        _OPEN,
        lambda made: _plan(made, lambda plan: plan.update(order=[]), committed=True),
    ),
    "a plan that takes one draw twice": ("secret", _NO, lambda made: made.proof["opened"].update(deal=TWICE)),
    "a card drawn by hand": ("cards", _OPEN, _drawn_by_hand),
    "a card that says another draw": (
        "cards",
        _NO,
        lambda made: made.proof["cards"]["Ada"].__setitem__(2, "cm.cards 77"),
    ),
    "a card left out": ("cards", _NO, lambda made: made.proof["cards"].pop("Ada")),
    "a card too many": (
        "cards",
        _NO,
        lambda made: made.proof["cards"].update(Zeno=["Mafia Goon", "00" * 16, ""]),
    ),
    "no cards at all": ("cards", _OPEN, _set("cards", {})),
    "a salt in the proof changed": (
        "opening",
        _NO,
        lambda made: made.proof["cards"]["Ada"].__setitem__(1, "00" * 16),
    ),
    "the root of the opening post changed": (
        "opening",
        _NO,
        lambda made: made.roots.__setitem__(0, digest("root")),
    ),
    "two roots": ("opening", _NO, lambda made: made.roots.append(digest("root"))),
    "no root": ("opening", _OPEN, _say(roots=[])),
    "a card at the place of another": ("flips", _NO, _moved),
    "a flip that was not dealt": ("flips", _NO, lambda made: _line(made, role="Mafia Goon")),
    "the flip of another player": ("flips", _NO, lambda made: _line(made, slot="Dunya")),
    "the flip of a stranger": ("flips", _NO, lambda made: _line(made, slot="Zeno")),
    "a flip with another salt": ("flips", _NO, lambda made: _line(made, salt="00" * 16)),
    "a flip with another path": ("flips", _NO, lambda made: _line(made, path=f">{digest('')}")),
    "a draw told otherwise": ("draws", _NO, lambda made: _draw(made, "cm.cards")[5].reverse()),
    "a draw of other options": ("draws", _NO, lambda made: _draw(made, "cm.cards")[4].reverse()),
    "a draw thrown away": ("draws", _NO, _thrown_away),
    "a draw told twice": ("draws", _NO, _drawn_twice),
    "a short secret": ("secret", _NO, _set("secret", "00ff")),
    "another commitment in the proof": ("secret", _NO, _set("commitment", digest("x"))),
    "another value in the opening post": ("value", _NO, _say(values=[OTHER_VALUE])),
    "no value": ("value", _OPEN, _all(_set("value", ""), _say(values=[]))),
    "a value in no hex": ("value", _NO, _set("value", "zz" * 32)),
    "a mirror tells another value": ("value", _NO, _say(mirror=OTHER_VALUE)),
    "the time of another round in the post": (
        "before",
        _NO,
        _post(chance="round 1000 of quicknet, at 2030-01-01T00:00:00Z"),
    ),
    "a beacon that nobody knows": ("before", _OPEN, _unknown_beacon),
    "another form of proof": ("secret", _OPEN, _set("schema", 4)),
    "a proof without its draws": ("secret", _NO, lambda made: made.proof.pop("draws")),
    "no proof": ("secret", _OPEN, _say(has_proof=False)),
}


HARMLESS: Mapping[str, Callable[[FairDeal], object]] = {
    "a false proof before the true one": _say(before_proof='{"schema":3,"secret":"00"}\n'),
    "a deal given up before its round": lambda made: _recommit(made, due=10),
    "no flip yet": _say(lines=[]),
}
"""What changes nothing of what is shown."""


def told(findings: tuple[Finding, ...]) -> str:
    """The whole of a verdict, as each of the checkers prints it."""
    return "\n".join((f"{verdict(findings)}.", *(f"- {one.text}" for one in findings)))


def utc(year: int, *rest: int) -> datetime:
    """An instant in UTC."""
    return datetime(year, *rest, tzinfo=UTC)  # type: ignore[misc,arg-type]
