"""How do nodes become the HTML of an archive? Few tags, no attributes but `class` and `href`, all escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape

from knightfall.markup.dialects.ips import Html
from knightfall.markup.nodes import Nodes

FORMS: Mapping[str, str] = {
    "bold": "<strong>{body}</strong>",
    "italic": "<em>{body}</em>",
    "underline": "<u>{body}</u>",
    "strike": "<s>{body}</s>",
    "link": '<a href="{url}">{body}</a>',
    "quote": "<blockquote>{body}</blockquote>",
    "spoiler": "<details><summary>Spoiler</summary>{body}</details>",
    "spoiler_titled": "<details><summary>Spoiler: {title}</summary>{body}</details>",
    "area": '<div class="box">{body}</div>',
    "area_titled": '<div class="box"><p class="box-title">{title}</p>{body}</div>',
    "aside": '<div class="aside">{body}</div>',
    "list": "<ul>{body}</ul>",
    "ordered": "<ol>{body}</ol>",
    "table": '<div class="wide" tabindex="0"><table><tbody>{body}</tbody></table></div>',
    "code": '<pre class="wide" tabindex="0">{body}</pre>',
}
_HTML = Html("archive", FORMS)
_WITHIN_A_WORD = re.compile(r"</?(?:strong|em|u|s|a|code)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")


def body_html(nodes: Nodes) -> str:
    """The nodes as HTML; they are `inert` already."""
    return _HTML.write(nodes)


def body_words(html: str) -> str:
    """What HTML of ours says, on one line: in it, < and > are nothing but tags."""
    return " ".join(unescape(_TAG.sub(" ", _WITHIN_A_WORD.sub("", html))).split())
