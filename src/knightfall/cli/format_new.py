"""Texts of what the services answer that make a game, deal it and check a deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightfall.config.new_file import VOTES
from knightfall.services.session import GAME_FILE
from knightfall.storage.drafts import PUBLIC

if TYPE_CHECKING:
    from knightfall.services.deal import DealCheck
    from knightfall.services.new_game import BegunGame, NewGame


def new_game_text(made: NewGame) -> str:
    """What was made, and what comes next."""
    if made.begun is not None:
        return f"Made {made.folder}: {begun_game_text(made.begun)}"
    done = f"Made {made.folder} ({GAME_FILE}, public/, private/); only you can look into it."
    if made.kind == VOTES:
        return (
            f"{done}\nNext, in it: knightfall vc URL, or put the thread into {GAME_FILE} and say "
            "knightfall vc."
        )
    return f"{done}\nNobody plays yet. Next, in it: knightfall signup read URL --write, then knightfall deal."


def begun_game_text(begun: BegunGame) -> str:
    """The game, how many texts it began with, and its commitment."""
    public = sum(text.whose == PUBLIC for text in begun.texts)
    return (
        f"{begun.name}, {len(begun.slots)} players; {public} post(s) in public/, "
        f"{len(begun.texts) - public} PM(s) and sheets in private/.\n"
        f"Commitment of the deal (safe to post): sha256:{begun.commitment}"
    )


def deal_check_text(check: DealCheck) -> str:
    """Whether the cards are those of the commitment."""
    if check.wrong:
        return "\n".join(["This is not the deal that was committed to:", *(f"- {w}." for w in check.wrong)])
    compare = "" if check.compared else "\nCompare it with the one in the opening post."
    proof = check.proof
    return f"{len(proof.cards)} cards, as the seed deals them. Commitment:\n{proof.commitment}{compare}"
