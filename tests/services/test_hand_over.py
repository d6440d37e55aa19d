"""A game handed over as text and taken over in an empty folder, or in one that went on meanwhile."""

from __future__ import annotations

import random
import shutil
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from html import escape
from pathlib import Path

import pytest

from fetch.boards import Prosilver
from knightfall.engine.entries import Published, Undone
from knightfall.engine.heads import without_line
from knightfall.errors import InputError, KnightfallError, StateDamaged
from knightfall.services.game.due import due
from knightfall.services.game.undo import undo
from knightfall.services.hand_marks import handed_over, note_handed_over
from knightfall.services.journal import alias, log, rule
from knightfall.services.keep.capsule import LEAST, capsules_in, packed, parts_of, unpacked
from knightfall.services.keep.hand_over import HandOverRequest, hand_over
from knightfall.services.keep.take_over import TakenOver, take_over
from knightfall.services.keep.verify import verify_game
from knightfall.services.pasted import keep_pasted
from knightfall.services.session import Session, entered, journal_of
from knightfall.services.threads import Kept, gather, versions_of
from knightfall.services.window import turns
from long_runs import spread
from playthroughs.moderator import Moderator, moderating
from services.test_pasted import BEGAN, copy_of, written
from services.test_pasted import ROOT as FORUM
from web import play
from web.test_private_thread import night_of


def session_at(mod: Moderator, folder: Path, author: str = "Wren") -> Session:
    from knightfall.services.machine import session_of

    return replace(session_of(folder), clock=mod.clock, author=author)


def a_game(mod: Moderator) -> Session:
    """Two nights of a game, with orders, a ruling and a nickname."""
    night_of(mod)
    session = session_at(mod, mod.folder)
    [goon, *_], plain = mod.holders("Mafia Goon"), mod.holders("Vanilla Townie")
    mod.turns_to(mod.clock.now() + timedelta(hours=1))
    turns.submit(goon, f"kill {plain[0]}", None, session_at(mod, mod.folder))
    rule("May one talk at night?", "No.", "it is in the rules", session_at(mod, mod.folder))
    alias(plain[1], "Peppermint", "they said so", session_at(mod, mod.folder))
    turns.close("night", None, session_at(mod, mod.folder))
    return session


def taken(mod: Moderator, texts: list[str], name: str) -> TakenOver:
    return take_over(texts, mod.desk / name, lambda folder: session_at(mod, folder, "Hollis"))


def public(folder: Path) -> dict[str, str]:
    """The posts of a folder, by name, without the line that tells when they were written."""
    files = (folder / "public").glob("*.txt")
    texts = {file.name: file.read_text(encoding="utf-8") for file in files}
    return {name: without_line(text) for name, text in texts.items()}


def test_a_game_is_the_same_in_an_empty_folder(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session = a_game(mod)
        done = hand_over(HandOverRequest(), session)
        assert len(done.parts) == 1
        assert len(done.parts[0]) < 16_000
        before, posts = journal_of(session), public(mod.folder)
        deal = mod.file("private/deal.json")
        shutil.rmtree(mod.folder)
        found = taken(mod, list(done.posts), "heir")
        assert (found.by, found.fresh, found.entry) == ("Wren", len(before), len(before))
        heir = session_at(mod, mod.desk / "heir")
        assert journal_of(heir) == before
        assert (mod.desk / "heir" / "private" / "deal.json").read_text(encoding="utf-8") == deal
        there = public(mod.desk / "heir")
        for name, text in there.items():
            assert posts[name] == text
        assert len(there) >= 3
        # And it goes on.
        turns.submit("moderator", "no elimination", None, heir)
        turns.close("day", None, session_at(mod, mod.desk / "heir"))
        assert len(journal_of(heir)) > len(before)


@pytest.mark.few(1)
@pytest.mark.parametrize("limit", [LEAST, 4_000, 60_000])
def test_parts_are_found_in_any_order_and_wherever_they_stand(tmp_path: Path, limit: int) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        done = hand_over(HandOverRequest(limit=limit), a_game(mod))
        assert all(len(part) <= limit for part in done.parts)
        mixed = list(done.posts)
        random.Random(7).shuffle(mixed)
        page = "".join(
            f"<div class='post'><p>{escape(text)}</p></div>".replace("\n", "<br />\n") for text in mixed
        )
        assert taken(mod, [f"<html><body>{page}</body></html>"], "page").entry == done.entry
        assert taken(mod, ["Thanks!", *mixed, "See you."], "texts").entry == done.entry
        if len(done.parts) > 1:
            with pytest.raises(InputError, match=r"part 2 is missing"):
                taken(mod, [done.posts[0], *done.posts[2:]], "cut")


def test_what_was_changed_cut_or_is_none_is_refused_in_words(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        done = hand_over(HandOverRequest(), a_game(mod))
        text = done.posts[0]
        middle = len(text) // 2
        swapped = f"{text[:middle]}{'A' if text[middle] != 'A' else 'B'}{text[middle + 1 :]}"
        for wrong, said in (
            (swapped, "a part that was not changed is missing"),
            (text[: middle * 3 // 2], "There is no hand-over in this text"),
            ("Good evening.", "There is no hand-over in this text"),
        ):
            with pytest.raises(InputError, match=said):
                taken(mod, [wrong], "wrong")
            assert not (mod.desk / "wrong").exists()
        for value, fault in (
            ({"schema": 99}, InputError),
            ({"schema": 1, "journal": []}, StateDamaged),
            (evil("../../evil.txt"), StateDamaged),
            (evil("private/../../x"), StateDamaged),
            (evil("/etc/passwd"), StateDamaged),
            (evil("public/rules.txt"), StateDamaged),
        ):
            [part] = parts_of(packed(value), 1, 0, 60_000)
            with pytest.raises(fault):
                taken(mod, [part], "wrong")
            assert not (mod.desk / "wrong").exists()
        with pytest.raises(InputError, match="holds other files"):
            (mod.desk / "full").mkdir()
            (mod.desk / "full" / "thesis.txt").write_text("mine", encoding="utf-8")
            taken(mod, [text], "full")


def evil(name: str) -> dict[str, object]:
    told = {"title": "x", "by": "x", "at": "2026-11-26T00:00:00+00:00", "since": 0, "base": ""}
    return {"schema": 1, "journal": [], "files": {name: "x"}, "marks": {}, "pages": [], "seen": {}, **told}


@pytest.mark.long
def test_what_unpacks_to_more_than_any_game_is_refused() -> None:
    import lzma

    with pytest.raises(InputError, match="more than any game is"):
        unpacked(lzma.compress(b" " * (300 * 2**20), preset=0))
    assert capsules_in(["KNIGHTFALL 1/1 ENTRY 1 SINCE 0 " + "0" * 32 + " " + "A" * 10_000_000]).whole == ()


def test_only_what_is_new_follows_on_the_earlier_hand_over(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session = a_game(mod)
        first = hand_over(HandOverRequest(), session)
        rule("And by day?", "Yes.", "why not", session_at(mod, mod.folder))
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        later = session_at(mod, mod.folder)
        second = hand_over(HandOverRequest(since=first.entry), later)
        assert len(second.parts[0]) < len(first.parts[0])
        with pytest.raises(InputError, match="begins behind entry"):
            taken(mod, list(second.posts), "alone")
        assert taken(mod, [*second.posts, *first.posts], "both").entry == len(journal_of(later))
        # Or one after the other.
        taken(mod, list(first.posts), "twice")
        found = taken(mod, list(second.posts), "twice")
        assert (found.fresh, found.entry) == (1, len(journal_of(later)))
        assert journal_of(session_at(mod, mod.desk / "twice")) == journal_of(later)
        again = taken(mod, list(second.posts), "twice")
        assert (again.fresh, again.ahead) == (0, 0)


def test_pages_that_no_forum_shows_again_come_along(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session, board = a_game(mod), Prosilver(written(8))
        board.root = FORUM
        for number in (1, 2):
            keep_pasted(copy_of(board, number), session)
        board.posts[2] = replace(board.posts[2], text="[unvote]", edited=BEGAN + timedelta(hours=1))
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        url = keep_pasted(copy_of(board, 1), session).pages.url
        done = hand_over(HandOverRequest(), session)
        taken(mod, list(done.posts), "heir")
        heir = session_at(mod, mod.desk / "heir")
        assert gather(Kept(url), heir) == gather(Kept(url), session)
        ours, theirs = (versions_of(url, 3, session=one) for one in (session, heir))
        assert [one.post.body for one in theirs] == [one.post.body for one in ours]
        assert [one.first_seen for one in theirs] == [one.first_seen for one in ours]


def acts(chance: random.Random, tag: str, mod: Moderator, session: Session) -> None:
    """Something that a moderator does, as far as the game allows it now."""
    [goon, *_], plain = mod.holders("Mafia Goon"), mod.holders("Vanilla Townie")
    kind = chance.randrange(6)
    with suppress(KnightfallError):
        if kind == 0:
            rule(f"Question {tag}?", "Yes.", "so", session)
        elif kind == 1:
            alias(chance.choice(plain), f"N{tag}", "so", session)
        elif kind == 2:
            turns.submit(
                "moderator", chance.choice(("no elimination", f"eliminate {plain[-1]}")), None, session
            )
        elif kind == 3:
            turns.submit(goon, f"kill {chance.choice(plain)}", None, session)
        elif kind == 4:
            undo(len(journal_of(session)), "a slip", session)
        else:
            turns.close(chance.choice(("day", "night")), None, session)


@pytest.mark.long
@pytest.mark.wider
def test_two_who_go_on_lose_nothing_and_see_what_bears_on_what(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        done = hand_over(HandOverRequest(), a_game(mod))
        merged = conflicts = 0
        for seed in spread(8, range(50)):
            chance = random.Random(seed)
            for name in ("left", "right"):
                shutil.rmtree(mod.desk / name, ignore_errors=True)
                taken(mod, list(done.posts), name)
            for number in range(8):
                name = chance.choice(("left", "right"))
                mod.turns_to(mod.clock.now() + timedelta(minutes=1))
                acts(chance, f"{seed}x{number}", mod, session_at(mod, mod.desk / name, name))
            left, right = (journal_of(session_at(mod, mod.desk / name)) for name in ("left", "right"))
            theirs = hand_over(HandOverRequest(), session_at(mod, mod.desk / "right", "right"))
            found = take_over(
                list(theirs.posts), mod.desk / "left", lambda folder: session_at(mod, folder, "left")
            )
            now = journal_of(session_at(mod, mod.desk / "left"))
            assert now[: len(left)] == left, "what was written here stays as it is"
            kept = [(one.entry, one.at, one.author) for one in now]
            told = {one.record.number: one for one in found.forks}
            for record in right[done.entry :]:
                one = told.get(record.number)
                if one is None or one.merged:
                    entry = one.record.entry if one is not None else record.entry
                    assert (entry, record.at, record.author) in kept, (seed, record)
                    assert entry == record.entry or isinstance(entry, Undone), (seed, record)
            conflicts += sum(not one.merged for one in found.forks)
            merged += found.fresh
            checked = verify_game(session_at(mod, mod.desk / "left"))
            assert (checked.damaged, checked.missing) == ((), ())
        assert merged
        assert conflicts


def test_entries_that_bear_on_each_other_are_named_and_not_merged(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        done = hand_over(HandOverRequest(), a_game(mod))
        for name in ("left", "right"):
            taken(mod, list(done.posts), name)
            mod.turns_to(mod.clock.now() + timedelta(minutes=1))
            turns.submit("moderator", "no elimination", None, session_at(mod, mod.desk / name, name))
            turns.close("day", None, session_at(mod, mod.desk / name, name))
        theirs = hand_over(HandOverRequest(), session_at(mod, mod.desk / "right", "right"))
        before = journal_of(session_at(mod, mod.desk / "left"))
        found = take_over(
            list(theirs.posts), mod.desk / "left", lambda folder: session_at(mod, folder, "left")
        )
        assert found.forks
        assert not any(one.merged for one in found.forks)
        assert journal_of(session_at(mod, mod.desk / "left")) == before


def test_of_two_posts_of_one_kind_that_both_put_out_each_keeps_their_own(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        done = hand_over(HandOverRequest(), a_game(mod))
        for name, also in (("left", "rules"), ("right", "signup")):
            taken(mod, list(done.posts), name)
            for kind in ("results", also):
                mod.turns_to(mod.clock.now() + timedelta(minutes=1))
                post = Published(kind, 1, "", f"{kind} by {name}")
                entered(post, session_at(mod, mod.desk / name, name), "")
        theirs = hand_over(HandOverRequest(), session_at(mod, mod.desk / "right", "right"))
        found = take_over(
            list(theirs.posts), mod.desk / "left", lambda folder: session_at(mod, folder, "left")
        )
        assert [(one.merged, one.against) for one in found.forks] == [(False, (done.entry + 1,)), (True, ())]


def test_a_game_file_that_one_of_them_changed_is_the_same_for_both_and_two_changes_are_named(
    tmp_path: Path,
) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        first = hand_over(HandOverRequest(), a_game(mod))
        note_handed_over(first.entry, first.digest, session_at(mod, mod.folder))
        taken(mod, list(first.posts), "heir")
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        file, heirs = mod.folder / "game.toml", mod.desk / "heir" / "game.toml"
        file.write_text(f"# one\n{file.read_text()}")
        second = hand_over(HandOverRequest(), session_at(mod, mod.folder))
        found = taken(mod, list(second.posts), "heir")
        assert found.notes == ("game.toml was changed by Wren and is as they have it.",)
        assert heirs.read_text() == file.read_text()
        # The earlier text again changes nothing, and says so.
        [note] = taken(mod, list(first.posts), "heir").notes
        assert note == "game.toml is older in this hand-over than here. Yours stays."
        assert heirs.read_text() == file.read_text()
        heirs.write_text(f"# mine\n{heirs.read_text()}")
        file.write_text(f"# two\n{file.read_text()}")
        mod.turns_to(mod.clock.now() + timedelta(hours=1))
        [note] = taken(
            mod, list(hand_over(HandOverRequest(), session_at(mod, mod.folder)).posts), "heir"
        ).notes
        assert "Yours stays; theirs is private/theirs-game.toml" in note
        assert heirs.read_text().startswith("# mine")
        assert (heirs.parent / "private" / "theirs-game.toml").read_text() == file.read_text()


def test_the_log_tells_who_took_over_and_the_journal_is_the_same(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        done = hand_over(HandOverRequest(), a_game(mod))
        taken(mod, list(done.posts), "heir")
        heir = session_at(mod, mod.desk / "heir", "Hollis")
        assert log(heir).to_dict()["entries"] == log(session_at(mod, mod.folder)).to_dict()["entries"]
        [mark] = log(heir).taken_over
        assert mark.said == f"Hollis took the game over from Wren, as of entry {done.entry}"
        assert mark.said in str(log(heir).report())
        # Whoever has it next knows of both.
        again = hand_over(HandOverRequest(), heir)
        take_over(list(again.posts), mod.desk / "third", lambda folder: session_at(mod, folder, "Iris"))
        assert [one.author for one in log(session_at(mod, mod.desk / "third")).taken_over] == [
            "Hollis",
            "Iris",
        ]


def test_it_is_known_up_to_which_entry_the_game_was_handed_over(tmp_path: Path) -> None:
    with moderating(tmp_path, play.BEGINS) as mod:
        session = a_game(mod)
        assert handed_over(session) == 0
        done = hand_over(HandOverRequest(), session)
        note_handed_over(done.entry, done.digest, session)
        assert handed_over(session) == done.entry
        rule("And by day?", "Yes.", "why not", session_at(mod, mod.folder))
        assert handed_over(session_at(mod, mod.folder)) == done.entry
        # After a closing it is older than the game.
        assert "hand_over" not in {one.way.to for one in due(session_at(mod, mod.folder))}
        turns.submit("moderator", "no elimination", None, session_at(mod, mod.folder))
        turns.close("day", None, session_at(mod, mod.folder))
        [told] = [one for one in due(session_at(mod, mod.folder)) if one.way.to == "hand_over"]
        assert (told.what, told.way.values) == ("Hand the game over again", {"since": done.entry})
