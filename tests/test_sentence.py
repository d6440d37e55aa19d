"""Names and ways stay values in a sentence, whatever it is put into."""

from __future__ import annotations

import pickle

from knightfall.cli.ways import CLAUSES, COMMANDS, in_commands
from knightfall.sentence import PHRASES, Sentence, SlotId, Way, joined, parts_of, restored, sentence, stored
from knightfall.web.ways import ELSEWHERE, PLACES, Link, in_page_words, link


def test_a_sentence_reads_as_text_and_keeps_its_names_and_ways() -> None:
    said = sentence("{who} is out. To take it back: {undo}.", who=SlotId("Town"), undo=Way("undo", entry=3))
    assert said == "Town is out. To take it back: undo entry 3."
    assert said.ways == (Way("undo", entry=3),)
    assert said.spelled(lambda way: f"<{way.to}>", lambda slot: f"[{slot}]") == (
        "[Town] is out. To take it back: <undo>."
    )


def test_a_word_that_equals_a_name_is_no_name() -> None:
    said = sentence("{who} ({side})", who=SlotId("Town"), side="Town")
    assert said.spelled(name=lambda _: "Zed") == "Zed (Town)"


def test_sentences_within_sentences_and_lists_keep_their_parts() -> None:
    inner = sentence("kill {target}", target=SlotId("Ada"))
    outer = joined("; ", [inner, SlotId("Boro"), 3])
    assert outer == "kill Ada; Boro; 3"
    assert sentence("On file: {what}", what=outer).parts == (
        "On file: ",
        "kill ",
        SlotId("Ada"),
        "; ",
        SlotId("Boro"),
        "; ",
        "3",
    )


def test_a_sentence_survives_a_pickle() -> None:
    said = sentence("{who}", who=SlotId("Ada"))
    again = pickle.loads(pickle.dumps(said))
    assert isinstance(again, Sentence)
    assert isinstance(again.parts[0], SlotId)


def test_every_way_has_a_command_and_a_page() -> None:
    ways = PHRASES.keys() - {"field"}
    assert ways == COMMANDS.keys() | CLAUSES.keys() == PLACES.keys() | ELSEWHERE.keys()
    assert not COMMANDS.keys() & CLAUSES.keys()
    assert not PLACES.keys() & ELSEWHERE.keys()


def test_each_face_says_a_way_in_its_own_words() -> None:
    said = sentence(
        "It is closed. To change it: {undo}; give a {why}.",
        undo=Way("undo", entry=3),
        why=Way("field", name="why", value="REASON"),
    )
    typed = 'It is closed. To change it: knightfall undo 3 --why "…"; give a --why REASON.'
    assert in_commands(said) == typed
    assert in_page_words(said) == "It is closed. To change it: “Undo entry 3”; give a “Reason”."
    assert link(Way("undo", entry=3), "/games/kettle") == Link("Undo entry 3", "/games/kettle/log/3/undo")


def test_a_sentence_comes_back_from_a_database_with_its_parts() -> None:
    said = sentence(
        "{who}: {close} [1]", who=SlotId("Ada"), close=Way("close", kind="night", title="Night 1")
    )
    assert restored(stored(said)) == said
    assert parts_of(restored(stored(said))) == said.parts
    assert restored(stored("[1] {Ada}")) == stored("[1] {Ada}") == "[1] {Ada}"
