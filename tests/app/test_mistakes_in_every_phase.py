"""Mistakes of a moderator in every phase of a game, each by the commands that are typed."""

from __future__ import annotations

from fetch.loopback import StillClock
from pathlib import Path

from app.test_late_mistakes import clock, day_closed, errant, posted, role_of, run, said, status  # noqa: F401


def test_who_comes_back_at_the_same_post_holds_the_slot(errant: StillClock) -> None:  # noqa: F811
    run("phase", "open", "day", "1", "--ends", "48h")
    for old, new in (("Rook", "Tansy"), ("Tansy", "Rook"), ("Rook", "Vole"), ("Vole", "Tansy")):
        assert run("replace", old, new).exit_code == 0
    posted(errant, ("Tansy", "<strong>vote: Ada</strong>"), ("Rook", "<strong>vote: Boro</strong>"))
    count = run("vc", "--stored", "--as", "plain")
    assert "Ada (1): Tansy (3)" in count.stdout, said(count)
    assert "#4  Rook  the voter was replaced" in said(count)
    assert "Tansy replaces Rook as of #3." in count.stdout
    assert "Vole" not in count.stdout


def test_a_night_calls_who_was_replaced_by_their_new_name(errant: StillClock) -> None:  # noqa: F811
    """In the preview, in its reasons, and in the sheet that is kept; flavour gives neither name away."""
    run("phase", "open", "day", "1", "--ends", "48h")
    day_closed(1)
    killer, other = role_of("Mafia Goon"), role_of("Mason")
    assert run("replace", killer, "Tansy").exit_code == 0
    assert run("replace", other, "Vole").exit_code == 0
    run("submit", "Tansy", f"kill {other}")
    for shown in (run("resolve", "--preview"), run("resolve"), run("whatif", "remove Tansy:kill")):
        assert shown.exit_code == 0, said(shown)
        assert "Vole" in shown.stdout
        assert killer not in shown.stdout.replace(f"(was {killer})", "")
        assert other not in shown.stdout.replace(f"(was {other})", "")
    assert "Tansy's kill of Vole landed" in (told := run("why", "Vole").stdout), told
    words = Path("words.txt")
    words.write_text("A goon such as Tansy is awake.", encoding="utf-8")
    assert status(run("resolve", "--flavour", str(words))) == 5
    assert run("commit", "night", "--yes").exit_code == 0
    sheet = next(Path("private").glob("*moderator_night*")).read_text(encoding="utf-8")
    assert "Tansy" in sheet
    assert killer not in sheet
