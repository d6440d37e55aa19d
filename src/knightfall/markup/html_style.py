"""How a platform's HTML writes a quote, a spoiler, a vote: data for `markup.html`.

Each field is a tuple of simple matchers: `tag`, `.class`, `tag.class`; the parser looks no further than one
element. What all platforms share (b, strong, bold styles, s, del, strike, code, pre, li, hN) is known to the
parser itself.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HtmlStyle:
    """The containers that decide what in a body is its author's own word.

    The defaults know the stock markup of all platforms; an adapter narrows them where they would clash.
    """

    quotes: tuple[str, ...] = (
        "blockquote",
        "aside.quote",
        ".quote",
        ".bbCodeQuote",
        ".bbcode_quote",
        ".bbcode_container",
        ".quotecontent",
        ".quoteheader",
    )
    quote_citations: tuple[str, ...] = ("cite", ".quotetitle")
    spoilers: tuple[str, ...] = (
        ".spoiler",
        ".spoiled",
        "details",
        ".bbCodeSpoiler",
        ".bbCodeSpoilerContainer",
        ".bbCodeInlineSpoiler",
        ".ipsSpoiler",
    )
    codes: tuple[str, ...] = ("code", "pre", ".codebox")
    asides: tuple[str, ...] = (".signature", ".notice", ".lastedit", ".editDate")
    votes: tuple[str, ...] = ("span.bbvote", "span.vote")
    bolds: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ("a.mention", "a.plugin-mentions-a", "a.username")
    ignored: tuple[str, ...] = ("script", "style", "button", "input")


PLAIN = HtmlStyle()
