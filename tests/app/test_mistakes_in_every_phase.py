"""Mistakes of a moderator in every phase of a game, each by the commands that are typed."""

from __future__ import annotations

from fetch.loopback import StillClock
from app.test_late_mistakes import clock, errant, posted, run, said  # noqa: F401


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
