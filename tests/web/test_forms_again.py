"""A form that is refused comes back as it was sent, with the reason beside its field."""

from __future__ import annotations

from pathlib import Path

from knightfall.web.refused_forms import filled_again
from web.hands import form_hand
from web.served import served

PAGE = """<!doctype html><html><body>
<form action="/a"><input type="hidden" name="id" value="1"><p><input name="who" value=""></p></form>
<details><summary>More</summary><form action="/a"><input type="hidden" name="id" value="2">
<p><input name="who" value=""></p><p><textarea name="text"></textarea></p>
<p><select name="site"><option value="">none</option><option value="x">X</option></select></p>
<p><input type="checkbox" name="box" value="1" checked></p>
<p><input type="hidden" name="form_token" value="fresh"></p></form></details></body></html>"""
SENT = [("id", "2"), ("who", "Ada & <Boro>"), ("text", "1\n2 Goons"), ("site", "x"), ("form_token", "old")]


def test_the_form_that_was_sent_is_filled_and_opened() -> None:
    again = filled_again(PAGE, "/a", SENT, "There is no “2 Goons”.", ())
    assert again is not None
    first, second = again.split("<details")
    assert 'name="who" value=""' in first
    assert second.startswith(' open="open">')
    assert 'value="Ada &amp; &lt;Boro&gt;"' in second
    assert "1\n2 Goons</textarea>" in second
    assert '<option value="x" selected' in second
    assert "checked" not in second
    assert 'value="fresh"' in second


def test_the_reason_stands_at_the_field_that_it_names_or_quotes_or_above_the_form() -> None:
    quoted = filled_again(PAGE, "/a", SENT, "There is no “2 Goons”.", ()) or ""
    assert "</textarea></p>\n<p id=" in quoted
    assert quoted.count('aria-invalid="true"') == 1
    named = filled_again(PAGE, "/a", SENT, "This is needed.", {"who"}) or ""
    assert named.index('aria-invalid="true"') < named.index("This is needed.") < named.index("<textarea")
    neither = filled_again(PAGE, "/a", SENT, "It is too late.", ()) or ""
    assert "aria-invalid" not in neither
    assert neither.index('role="alert"') < neither.index('value="2"')
    assert filled_again(PAGE, "/b", SENT, "It is too late.", ()) is None


def test_a_wrong_word_at_hosting_loses_nothing(tmp_path: Path) -> None:
    hand = form_hand(served(tmp_path))
    hand.go("/host/custom_mafia/about")
    hand.press("Go on", {"Title of the game": "Kettle & Lane", "Your username": "Wren"})
    roles = "2 Mafia Gon\nTown Cop\n4 Vanilla Townie"
    hand.press("Go on", {"Its roles": roles})
    assert hand.status == 400
    assert "the nearest is Goon" in hand.refusal
    assert hand.value("Its roles") == roles
    # Mended there, it goes on, and what was said before is still there.
    hand.press("Go on", {"Its roles": "2 Mafia Goon\nTown Cop\n4 Vanilla Townie"})
    hand.press("Show what would be made")
    assert hand.status == 200
    assert "Kettle & Lane" in hand.text
