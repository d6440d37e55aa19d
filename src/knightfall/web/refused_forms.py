"""A form that was refused comes back as it was sent, with the reason beside its field."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlsplit

from lxml import html
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from knightfall.errors import FieldError, KnightfallError
from knightfall.sentence import ways_of
from knightfall.web.pages import Page, link_of_error, status_of
from knightfall.web.ways import beside_a_form

if TYPE_CHECKING:
    from starlette.types import Message

Fields: TypeAlias = Sequence[tuple[str, str]]
OF_THE_RUN = frozenset({"form_token", "came", "known", "pasted", "cookies"})
"""Fields that are not given back: those that the page fills in anew, pasted pages, and logins."""
REFUSED = "refused"
_QUOTED = re.compile(r"“([^”]+)”")
_TELLING = 3
"""Letters of what was typed by which a sentence tells the field that it is about."""
_SELDOM_SENT = frozenset({"checkbox", "radio", "submit", "button", "file"})
_AS_TYPED = frozenset({*_SELDOM_SENT, "hidden"})


async def form_again(
    request: Request, back: str, action: str, given: Fields, page: Page, error: KnightfallError
) -> HTMLResponse | None:
    """The page at `back` with the form that goes to `action` filled in as it was `given`, and with the error;
    None where there is no such page, or it does not have the form any more."""
    path, _, query = back.partition("?")
    found = await _page_of(request, path, query)
    if found is None:
        return None
    return shown_again(found, action, given, page, error)


def shown_again(
    shown: str, action: str, given: Fields, page: Page, error: KnightfallError, field: str = ""
) -> HTMLResponse | None:
    """A page with the form that goes to `action` filled in as it was `given`, and with the error beside the
    field that it names or quotes, else beside `field`; None where the page has no such form."""
    status, heading = status_of(error)
    message = beside_a_form(error.message)
    named = {str(way.values["name"]) for way in ways_of(message) if way.to == "field"}
    if isinstance(error, FieldError):
        named = {error.field}
    # In a tab of its own: what was typed stays.
    told = Markup('<strong>{}.</strong> {} <a href="{}" target="_blank" rel="noopener">Help</a>').format(
        heading, page.linked(message), link_of_error(error).to
    )
    again = filled_again(shown, action, given, str(told), named, field)
    return None if again is None else HTMLResponse(again, status)


def filled_again(
    page: str, action: str, given: Fields, told: str, named: Collection[str], otherwise: str = ""
) -> str | None:
    """The page with the form of that address filled in as it was `given`, and with what was `told`, as HTML,
    beside the field that it is about: one of those `named`, else the one that has the words which it quotes,
    else that called `otherwise`, else above the form. None where the page has no such form."""
    tree = html.document_fromstring(page)
    forms = [one for one in tree.iter("form") if action in _goes_to(one)]
    if not forms:
        return None
    # Where several forms go to the same address, what was sent tells which one it was.
    form = max(forms, key=lambda one: _agreeing(one, given))
    values: dict[str, list[str]] = {}
    for name, value in given:
        values.setdefault(name, []).append(value)
    inputs = [one for one in form.iter("input", "textarea", "select") if one.get("name") not in OF_THE_RUN]
    for one in inputs:
        _fill(one, values)
    said = html.fragment_fromstring(f'<p id="{REFUSED}" class="why-{REFUSED}" role="alert">{told}</p>')
    field = _field_meant(inputs, values, said.text_content(), named)
    if field is None and otherwise:
        field = next((one for one in inputs if one.get("name") == otherwise), None)
    if field is None:
        said.set("tabindex", "-1")  # what the browser goes to, so that it is in sight
        said.set("autofocus", "autofocus")
        form.insert(0, said)
    else:
        field.set("aria-invalid", "true")
        field.set("aria-describedby", f"{REFUSED} {field.get('aria-describedby') or ''}".strip())
        field.set("autofocus", "autofocus")
        field.getparent().addnext(said)
    # What the sentence asks for is in sight, folded away or not.
    asked_for = [one for one in inputs if one.get("name") in named]
    for one in (field if field is not None else form, *asked_for):
        for around in one.iterancestors("details"):
            around.set("open", "open")
    return str(html.tostring(tree, encoding="unicode", doctype="<!doctype html>"))


def _goes_to(form: Any) -> set[str]:
    """The addresses that a form can be sent to: its own, and those of its buttons."""
    buttons = (one.get("formaction") for one in form.iter("button"))
    return {urlsplit(one or "").path for one in (form.get("action"), *buttons) if one}


def _agreeing(one: Any, given: Fields) -> tuple[int, int]:
    """How well what was sent fits a form: first by the names, of which none may be missing that a browser
    always sends, and none be strange; then by the values of its hidden fields."""
    fields = [field for field in one.iter("input", "textarea", "select", "button") if field.get("name")]
    known = {field.get("name") for field in fields} - OF_THE_RUN
    always = {field.get("name") for field in fields if _is_always_sent(field)} - OF_THE_RUN
    sent = {name for name, _ in given} - OF_THE_RUN
    hidden = {field.get("name"): field.get("value") for field in fields if _is_hidden(field)}
    same = sum(hidden[name] == value for name, value in given if name in hidden)
    return -len(always - sent) - len(sent - known), same


def _is_always_sent(field: Any) -> bool:
    """Whether a browser sends the field whatever is filled in."""
    return field.tag != "button" and (field.get("type") or "").lower() not in _SELDOM_SENT


def _is_hidden(field: Any) -> bool:
    return (field.get("type") or "").lower() == "hidden"


def _fill(one: Any, values: dict[str, list[str]]) -> None:
    """Put what was sent into a field; a box that was not sent was not ticked."""
    kind, said = (one.get("type") or "text").lower(), values.get(one.get("name") or "", [])
    if one.tag == "select":
        for option in one.iter("option"):
            value = option.get("value")
            _set(option, "selected", (value if value is not None else option.text_content().strip()) in said)
    elif one.tag == "textarea":
        if said:
            one.text = said[0]
    elif kind in ("checkbox", "radio"):
        _set(one, "checked", (one.get("value") or "on") in said)
    elif kind not in _AS_TYPED and said:
        one.set("value", said.pop(0) if len(said) > 1 else said[0])


def _set(one: Any, attribute: str, wanted: bool) -> None:
    if wanted:
        one.set(attribute, attribute)
    else:
        one.attrib.pop(attribute, None)


def _field_meant(
    inputs: Sequence[Any], values: dict[str, list[str]], told: str, named: Collection[str]
) -> Any:
    """The field that a sentence is about: one that it names, one whose words it says; None where it is about
    none, or nobody can tell about which."""
    typed = [one for one in inputs if (one.get("type") or "").lower() not in _AS_TYPED]
    meant = [one for one in typed if one.get("name") in named]
    if len(meant) == 1:
        return meant[0]
    for words in _QUOTED.findall(told):
        holding = [one for one in typed if any(words in said for said in _said_in(one, values))]
        if len(holding) == 1:
            return holding[0]
    holding = [
        one for one in typed if any(len(said) >= _TELLING and said in told for said in _said_in(one, values))
    ]
    if len(holding) == 1:
        return holding[0]
    return meant[0] if meant else None


def _said_in(field: Any, values: dict[str, list[str]]) -> list[str]:
    """What was sent in a field."""
    return values.get(field.get("name") or "", [])


async def _page_of(request: Request, path: str, query: str) -> str | None:
    """A page of ours, as the browser that sent this request would get it; None where it is no page."""
    scope = {
        name: request.scope[name]
        for name in ("type", "asgi", "http_version", "scheme", "client", "server", "app", "root_path")
        if name in request.scope
    }
    of_the_body = (b"content-type", b"content-length", b"transfer-encoding", b"origin")
    headers = [(name, value) for name, value in request.scope["headers"] if name.lower() not in of_the_body]
    scope |= {"method": "GET", "path": path, "raw_path": path.encode(), "query_string": query.encode()}
    scope |= {"headers": headers, "state": {}}
    status, parts = 0, list[bytes]()

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)
        parts.append(message.get("body", b""))

    await request.app(scope, receive, send)
    return b"".join(parts).decode() if status == 200 else None
