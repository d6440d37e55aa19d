"""What is the HTML inside an element? What the parser's own serializer writes, at a third of its cost.

Bodies of posts are most of a page, so this is asked of most of a page.
"""

from __future__ import annotations

from typing import Any


def inner_html(element: Any, tag: type[Any], plain: type[Any]) -> str:
    """The contents of an element; `tag` and `plain` are the parser's classes of elements and of plain text.

    Comments and other special strings are written by the parser itself.
    """
    written: list[str] = []
    waiting: list[Any] = element.contents[::-1]
    while waiting:
        node = waiting.pop()
        if type(node) is plain:
            written.append(_escaped(node))
        elif type(node) is str:
            written.append(node)
        elif isinstance(node, tag):
            _open(node, written, waiting)
        else:
            written.append(node.output_ready("minimal"))
    return "".join(written)


def _open(node: Any, written: list[str], waiting: list[Any]) -> None:
    """The start of an element; its contents and its end are left waiting."""
    name = f"{node.prefix}:{node.name}" if node.prefix else node.name
    attributes = "".join([_attribute(key, value) for key, value in sorted(node.attrs.items())])
    if node.is_empty_element:
        written.append(f"<{name}{attributes}/>")
        return
    written.append(f"<{name}{attributes}>")
    waiting.append(f"</{name}>")
    waiting += node.contents[::-1]


def _attribute(key: str, value: str | None) -> str:
    if value is None:
        return f" {key}"
    text = _escaped(value)
    if '"' not in text:
        return f' {key}="{text}"'
    return f" {key}='{text}'" if "'" not in text else f' {key}="{text.replace(chr(34), "&quot;")}"'


def _escaped(text: str) -> str:
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text or ">" in text:
        text = text.replace("<", "&lt;").replace(">", "&gt;")
    return text
