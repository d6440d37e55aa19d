"""How the bodies of posts are written on each platform: who counts a kept thread needs no more of a forum."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from knightfall.markup.html_style import HtmlStyle
from knightfall.models import REACTIONS

_VBULLETIN = {
    "quotes": (".bbcode_quote", ".bbcode_container", ".quote_container"),
    "quote_citations": ("cite", ".bbcode_postedby", ".bbcode_description"),
    "spoilers": (".spoiler", ".bbcode_spoiler", "details"),
    "codes": ("code", "pre", ".bbcode_code"),
}
"""vBulletin since version 4."""
_HIGHLIGHTS = {"bolds": ("span.highlight",)}
"""vBulletin's tag of a highlight, which houses use as they use bold."""
STYLES: Mapping[str, HtmlStyle] = MappingProxyType(
    {
        "discourse": HtmlStyle(
            quotes=("aside.quote", "blockquote", "aside.onebox", ".onebox"),
            spoilers=(".spoiler", ".spoiled", ".spoiler-blurred", "details"),
            asides=(".poll", ".signature"),
            votes=(),
            mentions=("a.mention", "span.mention", "a.mention-group"),
        ),
        "nodebb": HtmlStyle(
            quotes=("blockquote",),
            quote_citations=("cite",),
            asides=(".signature", ".post-signature"),
            votes=(),
            mentions=("a.plugin-mentions-a", "a.plugin-mentions-user", "a.mention"),
        ),
        "flarum": HtmlStyle(
            quotes=("blockquote",),
            spoilers=("details", ".spoiler"),
            votes=(),
            mentions=("a.UserMention", "a.PostMention", "span.UserMention", "span.PostMention"),
        ),
        "reddit": HtmlStyle(
            quotes=("blockquote",),
            spoilers=(".md-spoiler-text", ".spoiler"),
            votes=(),
            mentions=("a.mention",),
        ),
        "bgg": HtmlStyle(
            quotes=("blockquote", ".quote"),
            quote_citations=("cite", ".quotetitle"),
            spoilers=(".spoiler", ".spoilerbox", "details"),
            votes=(),
            mentions=("a.mention",),
        ),
        "discord": HtmlStyle(
            quotes=("blockquote", ".chatlog__markdown-quote", "div.quote"),
            quote_citations=("cite",),
            spoilers=(".chatlog__markdown-spoiler", ".spoiler", ".spoiler-text", ".ipsSpoiler"),
            codes=("code", "pre", ".chatlog__markdown-pre", ".pre"),
            asides=(".chatlog__attachment", f".{REACTIONS}"),
            votes=(),
            mentions=(".chatlog__markdown-mention", ".mention"),
        ),
        "smf": HtmlStyle(
            quotes=("blockquote", ".bbc_standard_quote", ".bbc_alternate_quote"),
            quote_citations=(
                "cite",
                ".quoteheader",
                ".topslice_quote",
                ".quotefooter",
                ".botslice_quote",
                ".codeheader",
            ),
            spoilers=(".spoiler", "details", ".sp-wrap", ".sp-body", ".spoiler_content", ".bbc_spoiler"),
            codes=("code", "pre", ".bbc_code"),
            asides=(".signature", ".modified"),
            votes=("span.bbvote", "span.vote", "span.bbc_vote"),
        ),
        "mybb": HtmlStyle(
            quotes=("blockquote", ".mycode_quote"),
            bolds=(".mycode_b",),
            quote_citations=("cite",),
            spoilers=(".spoiler", "details", ".spoiler_body", ".spoiler_content", ".mycode_spoiler"),
            codes=("code", "pre", ".codeblock", ".mycode_code"),
            asides=(".signature", ".post_edit", ".edited_post"),
        ),
        "invision4": HtmlStyle(
            quotes=("blockquote", ".ipsQuote"),
            quote_citations=(".ipsQuote_citation", "cite"),
            spoilers=(".ipsSpoiler", "details"),
            codes=("code", "pre", ".ipsCode"),
            asides=(".ipsEdited",),
            mentions=("a.ipsMention",),
        ),
        "invision3": HtmlStyle(
            quotes=("blockquote", ".ipsBlockquote", "div.quote", ".bbc_quote"),
            quote_citations=("p.citation", "cite"),
            spoilers=(".bbc_spoiler", ".bbc_spoiler_content", ".ipsSpoiler", "details", ".spoiler"),
            codes=("code", "pre", ".bbc_code"),
            asides=("p.edit", ".signature"),
        ),
        "phpbb2": HtmlStyle(
            quotes=("td.quote", "blockquote"),
            quote_citations=("span.genmed",),
            spoilers=(".spoiler",),
            codes=("code", "pre", "td.code"),
            asides=(),
            votes=(),
        ),
        "phpbb": HtmlStyle(
            quotes=("blockquote", "div.quotecontent"),
            quote_citations=("cite", "div.quotetitle", "div.codetitle"),
            codes=("code", "pre", ".codebox", "div.codecontent"),
            votes=("span.bbvote",),
        ),
        "xenforo2": HtmlStyle(
            quotes=(".bbCodeBlock--quote", "blockquote", ".bbCodeBlock--unfurl"),
            quote_citations=("cite", ".bbCodeBlock-title", ".bbCodeBlock-expandLink"),
            spoilers=(".bbCodeSpoiler", ".bbCodeInlineSpoiler", ".bbCodeBlock--spoiler", "details"),
            codes=("code", "pre", ".bbCodeBlock--code", ".bbCodeCode", ".bbCodeInline"),
            asides=(".message-signature", ".message-lastEdit"),
        ),
        "xenforo1": HtmlStyle(
            quotes=(".bbCodeQuote", ".quoteContainer", "blockquote"),
            quote_citations=("cite", ".attribution", ".quoteExpand"),
            spoilers=(".bbCodeSpoilerContainer", ".bbCodeSpoilerText", ".bbCodeSpoiler"),
            codes=("code", "pre", ".bbCodeCode", ".bbCodePHP", ".bbCodeHtml"),
            asides=(".signature", ".editDate"),
        ),
        "somethingawful": HtmlStyle(
            quotes=("div.bbc-block", "blockquote"),
            quote_citations=("h4", "h5"),
            spoilers=("span.bbc-spoiler",),
            asides=("p.editedby", "p.signature"),
            mentions=(),
        ),
        "vbulletin5": HtmlStyle(
            **_VBULLETIN, **_HIGHLIGHTS, asides=(".signature", ".b-post__edit", ".post-signature")
        ),
        "vbulletin4": HtmlStyle(**_VBULLETIN, **_HIGHLIGHTS, asides=(".signature", ".lastedited")),
        "vbulletin3": HtmlStyle(
            quotes=("table", ".quote", ".bbcode_quote"),
            quote_citations=("cite", "div.smallfont"),
            spoilers=("div.alt2", ".spoiler", "details"),
            codes=("code", "pre"),
            asides=(".signature",),
            **_HIGHLIGHTS,
        ),
        "mtgsalvation": HtmlStyle(
            quotes=("blockquote", ".source-quote"),
            quote_citations=("cite", ".quote-source"),
            spoilers=(".spoiler",),
            asides=(".p-comment-sig",),
            mentions=("a.user-tag",),
        ),
        "proboards": HtmlStyle(
            quotes=("blockquote", "div.quote"),
            quote_citations=("cite", ".quote_header", ".quote_avatar_container"),
            spoilers=(".spoiler", ".spoiler_content"),
            asides=("td.signature", ".signature", ".edited_by"),
            mentions=("a.user-link", "a.o-user-link"),
        ),
        "vanilla": HtmlStyle(
            quotes=("blockquote", ".Quote", ".UserQuote", ".blockquote", ".embedQuote", ".js-quoteEmbed"),
            quote_citations=("cite", ".QuoteAuthor"),
            spoilers=(".Spoiler", ".UserSpoiler", ".spoiler", "details"),
            asides=(".Signature", ".UserSignature"),
            mentions=("a.atMention", "a.mention"),
        ),
        "text": HtmlStyle(quotes=("blockquote",), spoilers=(), asides=(), votes=(), mentions=()),
    }
)
"""The id of a platform → its style, which its adapter names as its own."""
