"""Markup of a post taken out of a setup, each letter of the words left in its place.

What is taken out becomes `GONE`, a sign of its own, so that a place in the words is a place in the post.
Where a list's entry or a box begins there is a line break; `HEADING` stands before the words of a heading,
`STRUCK` before words that are struck out.
"""

from __future__ import annotations

import re

GONE, HEADING, STRUCK = "\x00", "\x01", "\x02"
_SIGNS = str.maketrans({GONE: " ", HEADING: " ", STRUCK: " "})

_TAGS = (
    "b|i|u|s|strike|size|colou?r|font|center|centre|left|right|justify|align|list|ul|ol|url|img|quote|code|pre|"
    "spoiler|area|table|t[rdh]|thead|tbody|h\\d?|heading|indent|wiki|post|user|mention|hr|hide|collapse|box|"
    "fieldset|role|su[bp]|highlight|bg(?:colou?r)?|background|anchor|goto|dice|tab|tabs|details|summary|email"
)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|li|tr|h\d)>|\[/(?:list|ul|ol|li|\*)(?::\w+)?\]", re.IGNORECASE)
_ENTRY = re.compile(r"\[\*(?::\w+)?\]|\[li\]|<li\b[^<>]*>", re.IGNORECASE)
"""What begins an entry of a list; phpBB puts an id behind it."""
_BOX = re.compile(
    r"\[(?:spoiler|area|details|hide|collapse|box|fieldset|tab|quote)\s*=\s*[\"“']?(?P<title>[^\[\]\n\"”]*)[\"”']?\]",
    re.IGNORECASE,
)
"""A box with a title."""
_SUMMARY = re.compile(
    r"<summary>(?P<title>[^<\n]*)</summary>|<h\d[^<>]*>(?P<head>[^<\n]*)</h\d>", re.IGNORECASE
)
_WIKI_HEAD = re.compile(r"^[ \t]*={2,6}(?P<title>[^=\n]+)={2,6}[ \t]*$", re.MULTILINE)
_MARKDOWN_HEAD = re.compile(
    r"^[ \t]*(?:#{2,6}[ \t]*|#[ \t]+(?=[A-Z]))(?P<title>[^#\n]+?)[ \t#]*$", re.MULTILINE
)
_BBCODE_HEAD = re.compile(
    r"^[ \t]*\[(?P<tag>h\d?|heading)(?:=[^\]\n]*)?\](?P<title>[^\[\n]+)\[/(?P=tag)\][ \t]*$",
    re.IGNORECASE | re.MULTILINE,
)
_STRIKE = re.compile(
    r"~~(?=[^~\n]+~~)|\[(?:s|strike)\](?=[^\[\n]*\[/(?:s|strike)\])|<(?:s|del|strike)>(?=[^<\n]*</)",
    re.IGNORECASE,
)
_HIDDEN = (
    re.compile(r"~~"),
    re.compile(r"^[ \t]*(?:`{3,}|~{3,})[\w+-]*[ \t]*$", re.MULTILINE),
    re.compile(r"<!--.*?-->", re.DOTALL),
    re.compile(r"\[img(?:=[^\]\n]*)?\][^\[\n]*\[/img\]|!\[[^\]\n]*\]\([^)\n]*\)", re.IGNORECASE),
    re.compile(rf"\[/?(?:{_TAGS})(?:\s*=[^\[\]\n]*|\s[^\[\]\n=]*=[^\[\]\n]*)?(?::\w+)?\]", re.IGNORECASE),
    re.compile(r"\[[a-z]+=[^\[\]\n]*\]", re.IGNORECASE),
    re.compile(r"</?[a-z][^<>\n]*>", re.IGNORECASE),
    re.compile(r"https?://[^\s\])]+"),
    re.compile(r"(?<![\w:]):[a-z][a-z0-9_+-]{2,}:(?![\w:])"),
    re.compile("[\u26aa\u26ab\ufe0f\U0001f300-\U0001faff]"),
)
"""What has no words: fences of code, comments, pictures, tags, addresses, smilies."""
RED = re.compile(
    r"\[colou?r=[\"']?(?:dark)?red\b|\[colou?r=[\"']?#(?:f00|[c-f][0-9a-f]0000)\b|:red_(?:circle|square):|[\U0001F534\U0001F7E5]",
    re.IGNORECASE,
)
"""What moderators mark the mafia with, in a post as it is written."""
_INNER = (
    re.compile(r"\{\{[^{}|\n]*\|(?:[^{}|\n]*\|)*(?P<inner>[^{}|\n]*)\}\}"),
    re.compile(r"\[\[(?:[^\[\]|\n]*\|)?(?P<inner>[^\[\]|\n]*)\]\]"),
    re.compile(r"(?<!!)\[(?P<inner>[^\[\]\n]+)\]\([^()\n]*\)"),
    re.compile(r"\*\*(?=\S)(?P<inner>[^*\n]+?)(?<=\S)\*\*"),
    re.compile(r"__(?=\S)(?P<inner>[^\n]+?)(?<=\S)__"),
    re.compile(r"(?<![\w*])\*(?=[^\s*])(?P<inner>[^*\n]+?)(?<=[^\s*])\*(?![\w*])"),
    re.compile(r"'{2,5}(?P<inner>[^'\n]+)'{2,5}"),
    re.compile(r"`(?P<inner>[^`\n]+)`"),
)
"""What has words within: templates, links, bold, italics, code."""
_ENTITIES = {
    "&nbsp;": " ",
    "&amp;": "&",
    "&bull;": "*",
    "&ndash;": "–",
    "&mdash;": "—",
    "&times;": "×",
    "&#8226;": "*",
}


def without_markup(text: str) -> str:
    """The words of a post, each letter in its place."""
    text = text.translate(_SIGNS)
    for entity, sign in _ENTITIES.items():
        text = text.replace(entity, sign.ljust(len(entity), GONE))
    for pattern in (_BOX, _SUMMARY, _WIKI_HEAD, _MARKDOWN_HEAD, _BBCODE_HEAD):
        text = pattern.sub(_heading, text)
    text = _BREAK.sub(lambda match: "\n".ljust(len(match[0]), GONE), text)
    text = _ENTRY.sub(lambda match: "\n*".ljust(len(match[0]), GONE), text)
    text = _STRIKE.sub(lambda match: STRUCK.ljust(len(match[0]), GONE), text)
    for pattern in _HIDDEN:
        text = pattern.sub(lambda match: GONE * len(match[0]), text)
    for pattern in _INNER:
        text = pattern.sub(_inner, text)
    return text


def _heading(match: re.Match[str]) -> str:
    """A title on a line of its own, with the sign of a heading before it."""
    name = next(key for key, value in match.groupdict().items() if key != "tag" and value is not None)
    before, title = match.start(name) - match.start(), match[name]
    behind = match.end() - match.end(name)
    begins = match.pos == match.start() or match.string[match.start() - 1] == "\n"
    start = f"{HEADING}" if begins or before < 2 else f"\n{HEADING}"
    return f"{start.ljust(before, GONE)}{title}{'' if not behind else _line_end(match, behind)}"


def _line_end(match: re.Match[str], length: int) -> str:
    ends = match.end() == len(match.string) or match.string[match.end()] == "\n"
    return GONE * length if ends else "\n".ljust(length, GONE)


def _inner(match: re.Match[str]) -> str:
    before, behind = match.start("inner") - match.start(), match.end() - match.end("inner")
    return f"{GONE * before}{match['inner']}{GONE * behind}"


_NO_SIGNS = dict.fromkeys(map(ord, (GONE, HEADING, STRUCK)))


def bare(said: str) -> str:
    """Words without signs of markup, one blank between them."""
    return " ".join(said.translate(_NO_SIGNS).split())
