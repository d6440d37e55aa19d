"""What does an XML answer hold? Parsed whole or not at all; entities of its own are refused."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element, ParseError, fromstring

from knightfall.errors import IncompleteRead, LayoutChanged

__all__ = ["Element", "is_xml", "parse_xml"]

BEGINS_XML = re.compile(r"\ufeff?\s*(?:<\?xml\b|<(?:thread|errors?|message)[\s>])")
DECLARES = re.compile(r"<!(?:DOCTYPE|ENTITY)\b", re.IGNORECASE)


def is_xml(text: str) -> bool:
    """True for what begins as XML; XHTML is for the HTML parser."""
    return BEGINS_XML.match(text) is not None and not re.search(r"<html[\s>]", text[:2000], re.IGNORECASE)


def parse_xml(text: str, name: str = "The answer") -> Element:
    """The root element. Raises IncompleteRead, and LayoutChanged for XML that declares entities."""
    if DECLARES.search(text):
        raise LayoutChanged(
            f"{name} declares a document type or entities, as no forum's answer does: not read."
        )
    declared = re.sub(r"^\ufeff?\s*<\?xml[^>]*\?>", "", text)
    try:
        return fromstring(declared.strip())
    except ParseError as error:
        raise IncompleteRead(
            f"{name} ended early or is broken (XML: {error}). No count was made. "
            "Fetch or save it again, then run the same command."
        ) from None
