"""PMs are offered where they were just made, by what they are: prods, receipts, and who holds which role."""

from __future__ import annotations

import json

from knightfall.engine.entries import Closed
from knightfall.services.game.players import replace_player
from knightfall.services.machine import session_of
from knightfall.services.session import entered
from services.test_people_posts import AS_IS
from web import test_due_pages
from web.test_due_pages import HERE, Harbour

harbour = test_due_pages.harbour


def test_the_pm_of_a_prod_is_one_press_from_where_it_was_made(harbour: Harbour) -> None:
    hand = harbour.hand
    harbour.reads()
    hand.go(f"{HERE}/players/slot?who=Boro")
    hand.press("Prod Boro")
    assert "Prodded: Boro." in hand.text
    assert "Send each their PM:Prod for Boro" in hand.text
    assert "private/" not in hand.text
    hand.press("Prod for Boro")
    assert hand.tree.xpath("//h1")[0].text_content() == "Prod for Boro"
    assert "Boro" in hand.value("The text")
    assert hand.tree.xpath("//button[@data-copies='part-1']")


def test_private_eyes_are_not_told_who_was_prodded(harbour: Harbour) -> None:
    hand = harbour.hand
    harbour.reads()
    hand.press("Private eyes: off")
    hand.go(f"{HERE}/players/slot?who=Boro")
    hand.press("Prod Boro")
    notice = hand.tree.xpath("//div[@class='notice']")[0].text_content()
    assert "The prods are written." in notice
    assert "Boro" not in notice


def test_the_receipt_of_a_message_is_offered_where_it_was_taken_in(harbour: Harbour) -> None:
    session = session_of(harbour.folder)
    deal = json.loads((harbour.folder / "private/deal.json").read_text("utf-8"))["cards"]
    goon = next(name for name, card in deal.items() if card.startswith("Mafia"))
    entered(Closed("day-1", "no elimination", ended=harbour.clock.now()), session)
    harbour.clock.sleep(600)
    hand = harbour.hand
    hand.go(f"{HERE}/night")
    hand.press("Record it", {"From": goon, "The whole post or PM": "kill Nobody-at-all"})
    assert "refused" in hand.text
    hand.press(f"Receipt for {goon}")
    assert "Nobody-at-all" in hand.value("The text")


def test_who_took_over_a_slot_has_its_role_on_the_players_page(harbour: Harbour) -> None:
    harbour.reads()
    deal = json.loads((harbour.folder / "private/deal.json").read_text("utf-8"))["cards"]
    replace_player("Cinder", "Lark", None, "", AS_IS, session_of(harbour.folder, allow_private=True))
    hand = harbour.hand
    hand.go(f"{HERE}/players")
    [row] = [row for row in hand.tree.xpath("//tbody/tr") if row.text_content().strip().startswith("Lark")]
    assert deal["Cinder"] in row.text_content()
