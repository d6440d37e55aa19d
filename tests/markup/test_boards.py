"""What each board makes of a text by itself, and what we write so that it makes nothing of a name."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.board_look import read_as_board
from knightfall.markup.boards import BOARDS, HARD, UNSEEN, Board, Made, apart, board_of
from knightfall.markup.dialects import DIALECTS, Dialect, dialect
from knightfall.markup.dialects.tree import children
from knightfall.markup.nodes import Bold, Code, Given, Name, Nodes, Spoiler, Text, Title
from knightfall.models import Thread
from knightfall.sentence import Title as Called
from knightfall.writeups.archive.html import body_html
from knightfall.writeups.render import render
from markup.dialect_samples import thorough

boards = pytest.mark.parametrize(
    "board", [one for one in DIALECTS if one.name != "plain"], ids=lambda one: one.name
)


def made_of(board: str, text: str) -> list[tuple[str, str]]:
    """What a board makes of a text: the piece, and what it becomes."""
    return [
        (text[one.start : one.end], one.picture or one.made.value) for one in board_of(board).readings(text)
    ]


@pytest.mark.parametrize(
    ("board", "text", "made"),
    [
        ("phpbb", "Vic :D", [(":D", "😃")]),
        ("phpbb", "Vic:D", []),  # only behind a blank, a dot or a bracket
        ("phpbb", "Vic :Dx", []),
        ("phpbb", "Mr 8) Cool", []),
        ("phpbb", "www.Kit.com", [("www.Kit.com", "link")]),
        ("phpbb", "Kit.com", []),
        ("phpbb", "ask sam@home", [("sam@home", "link")]),
        ("mybb", "Vic:D", [(":D", "😃")]),  # anywhere
        ("mybb", "Sam:p", []),
        ("mybb", "Vote:Pete", [(":P", "😛")]),
        ("mybb", "x.www.kit.com", []),
        ("mybb", "sam@kit.com", []),
        ("smf", "(to post 8)", [("8)", "😎")]),
        ("smf", "(to post 18)", []),
        ("smf", "Sam:P", []),
        ("smf", "see Kit.com", [("Kit.com", "link")]),
        ("smf", "at 20.30 or v1.2", []),
        ("xenforo", "o_O", [("o_O", "😵‍💫")]),
        ("xenforo", "@Elm", [("@Elm", "call")]),
        ("phpbb", "@Elm", []),
        ("discourse", "Kit.com, www.kit.example", [("Kit.com", "link"), ("www.kit.example", "link")]),
        ("discourse", "a :cool: b :nobody_knows: c", [(":cool:", "😎"), (":nobody_knows:", "smiley")]),
        ("nodebb", "**(to post 8)**", []),
        ("nodebb", "post 8)", [("8)", "😎")]),
        ("reddit", ":) at https://kit.example/a.", [("https://kit.example/a", "link")]),
        ("reddit", "u/Elm", [("u/Elm", "call")]),
        ("vbulletin", "Vic:D", [(":D", "😃")]),
        ("bgg", ":meeple:", [(":meeple:", "🧍")]),
        ("plain", ":) www.kit.com", []),
        ("of_another_package", ":) www.kit.com", [("www.kit.com", "link")]),
    ],
)
def test_what_a_board_makes_of_a_text(board: str, text: str, made: list[tuple[str, str]]) -> None:
    assert made_of(board, text) == made


def test_every_dialect_of_ours_has_a_row() -> None:
    assert set(BOARDS) == {one.name for one in DIALECTS}


ODD_NAMES = (
    *(
        "Mr 8) Cool",
        "Vic :D",
        "www.Kit.com",
        "Kit.com",
        "https://kit.example",
        "kit@home.org",
        "Ann :cool: Bo",
    ),
    *("Sam:p", "x;)y", ">:D", "O:-)", "www.a.b.com", "a.co.uk", "D:", "???", "^-^"),
)


def texts_as_read(written: str, speech: Dialect) -> list[str]:
    """The runs of text of a post as its board reads it."""

    def runs(nodes: Nodes) -> list[str]:
        found, run = list[str](), ""
        for node in nodes:
            if isinstance(node, Text):
                run += node.text
            else:
                found += [run, *runs(children(node))]
                run = ""
        return [*found, run]

    return runs(read_as_board(written, speech.name) or ())


def unwanted(written: str, speech: Dialect) -> list[tuple[str, str]]:
    """What the board would make of a post, but calls, which others test."""
    return [
        one
        for text in texts_as_read(written, speech)
        for one in made_of(speech.name, text)
        if one[1] != Made.CALL.value
    ]


@pytest.mark.few(48)
@boards
@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_stays_a_name_on_every_board(board: Dialect, name: str) -> None:
    nodes = (Text("Alive: "), Name(name), Text(" ("), Name(name), Text("), "), Bold((Name(name),)))
    written = board.write(nodes)
    assert unwanted(written, board) == []
    seen = "".join(texts_as_read(written, board)).replace(UNSEEN, "")
    assert seen.count(name) == 3


@boards
def test_no_text_of_ours_is_a_smiley(board: Dialect) -> None:
    nodes = (Text("Votecount 1 (to post 8), Vote:Sam, D: and :s"), Bold((Text("(8)"),)))
    assert unwanted(board.write(nodes), board) == []


def test_the_head_of_a_votecount_is_no_face_on_smf() -> None:
    assert dialect("smf").write((Bold((Text("Votecount 1.1 (to post 8)"),)),)) == (
        "[b]Votecount 1.1 (to post [nobbc]8[/nobbc])[/b]"
    )


def test_what_is_kept_apart_begins_anew_for_a_board() -> None:
    # “>” in the raw tag: behind it “:D” would stand at the beginning of a text.
    written = dialect("smf").write((Text(">:D"),))
    assert written == "[nobbc]>[/nobbc][nobbc]:[/nobbc]D"


def test_an_unseen_sign_is_a_letter_for_who_looks_for_addresses_by_their_end() -> None:
    assert dialect("nodebb").write((Name("Kit.com"),)) == f"Kit.{UNSEEN}com"
    assert dialect("phpbb").write((Name("www.Kit.com"),)) == f"www{UNSEEN}.Kit.com"


@boards
def test_who_writes_a_post_of_their_own_may_mean_a_smiley_and_an_address(board: Dialect) -> None:
    said = "Have fun :D – www.kit.com"
    assert UNSEEN not in board.write((Given(said),))
    assert "https://kit.example/rules" in board.write((Text("See https://kit.example/rules"),))


def test_nobody_means_the_face_of_a_number() -> None:
    assert dialect("smf").write((Given("(to post 8)"),)) == "(to post [nobbc]8[/nobbc])"


@boards
def test_no_board_makes_a_smiley_or_a_link_of_the_title_of_a_game(board: Dialect) -> None:
    facts = {"title": Called("Errant :) www.kit.com 8)"), "moderators": [], "rooms": False}
    assert unwanted(render("any/endgame", facts, board.name), board) == []
    called = Title("Errant :) 8)")
    assert unwanted(board.write((called, Text(" is over"), Bold((called,)))), board) == []


def test_a_title_is_kept_as_it_is_where_its_board_lets_us() -> None:
    spoiler = (Spoiler((Text("x"),), "Vic :D"),)
    assert f"Vic :{UNSEEN}D" in dialect("mafiascum").write(spoiler)


_LETTERS = st.text(alphabet="8BxDOo:;=)(<3>^-_pP.w/@ Ka0'\\[?*", max_size=14)


@thorough
@given(before=_LETTERS, name=_LETTERS.filter(str.strip), after=_LETTERS)
def test_no_name_is_ever_anything_else(before: str, name: str, after: str) -> None:
    first, last = len(before), len(before) + len(name)
    for board in BOARDS.values():
        pieces = apart((Given(before), Name(name), Text(after)), board)
        assert "".join(pieces) == before + name + after
        at = 0
        for piece in pieces:
            for one in board.readings(piece):
                within_name = at + one.start < last and first < at + one.end
                assert not within_name or one.made is Made.CALL, (board.title, pieces)
            at += len(piece)


# ── code boxes ───────────────────────────────────────────────────────────────────────────────────

_CODE = st.text(alphabet="ab .*\n", max_size=40)


def _seen(board: Board, text: str) -> list[str]:
    lines = [line.rstrip() for line in board.code_seen(text).replace(HARD, " ").split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


@thorough
@given(code=_CODE)
def test_no_board_takes_a_blank_away_from_the_code_that_we_write(code: str) -> None:
    for one in DIALECTS:
        row = board_of(one.name)
        whole = [line.rstrip() for line in code.split("\n")]
        while whole and not whole[0]:
            whole.pop(0)
        while whole and not whole[-1]:
            whole.pop()
        assert _seen(row, row.code_kept(code)) == whole, one.name


def test_no_line_of_code_on_mybb_begins_with_a_single_blank() -> None:
    written = dialect("mybb").write((Code("   A B\n 1 x o\n10 x o\n  2"),))
    assert not re.search(r"(?m)^ (?! )", written.replace("[code]", ""))
    assert board_of("mybb").code_seen(" 1 x\n 2 x") == "1 x\n2 x"  # what it would make of them
    assert board_of("smf").code_seen(" 1 x\n 2 x") == "1 x\n 2 x"


def test_a_line_to_be_copied_keeps_its_usual_blanks() -> None:
    example = "1: MOVE NE\n2: SWORD @ NAME, NAME"
    assert dialect("mybb").write((Code(example),)) == f"[code]{example}[/code]"


# ── what is no post ──────────────────────────────────────────────────────────────────────────────


def test_the_words_of_a_thread_and_of_an_archive_stay_as_they_are() -> None:
    said = "VOTE: www.Kit.com, mail@kit.example :D 8)"
    thread = Thread.from_posts([("Ada", said)])
    assert said in thread.posts[0].body
    assert said in body_html((Name("Vic :D"), *parse_bbcode(said)))
    assert dialect("plain").write((Name("Vic :D"), Text(" 8) www.kit.com"))) == "Vic :D 8) www.kit.com"
