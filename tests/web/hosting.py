"""A game hosted on the page, from its first question to its preview."""

from __future__ import annotations

from web.hands import Fields, Hand


def up_to_preview(
    hand: Hand, kind: str, about: Fields, setup: Fields | None = None, players: Fields | None = None
) -> None:
    """Answer the three questions without a thread to read; the preview is shown."""
    hand.go(f"/host/{kind}")
    hand.press("There is no thread yet")
    hand.press("Go on", about)
    if kind != "votes":
        hand.press("Go on", setup)
    hand.press("Show what would be made", players)
