"""The verb that shows the manual: its topics, a page, a section, or the help of a verb."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knightfall.cli.terminal import echo
from knightfall.cli.verbs import GAME_VERBS, VERBS

if TYPE_CHECKING:
    from knightfall.services.manual import Section

MOST = 8
"""So many sections are listed."""
_OWN_LINK = re.compile(r"\]\(([\w-]+)\.md(#[\w-]+)?\)")


def help_(
    ctx: typer.Context,
    topic: Annotated[
        list[str] | None,
        typer.Argument(metavar="TOPIC", help="A page, a section, a command, or any words."),
    ] = None,
) -> None:
    """Show the manual, a page of it, or help on a command. Example: knightfall help forums

    Without a topic, lists the pages. Other words are searched for. In a pipe, pages are plain Markdown.
    """
    from knightfall.errors import InputError
    from knightfall.services import manual

    words = topic or []
    if not words:
        listed = manual.topics()
        width = max(len(one.name) for one in listed)
        echo("\n".join(f"{one.name:<{width}}  {one.sentence}" for one in listed))
        echo("\nA page: knightfall help PAGE. A command: knightfall help COMMAND. Other words are searched.")
        return
    if (shown := _help_of_verb(ctx, words)) is not None:
        echo(shown)
        _list("In the manual:", manual.sections_naming(" ".join(words)))
        return
    found = manual.topic_meant(" ".join(words))
    if isinstance(found, tuple):
        near = f" Did you mean {' or '.join(found)}?" if found else ""
        raise InputError(
            f"The manual says nothing about “{' '.join(words)}”.{near} Its pages: knightfall help"
        )
    if isinstance(found, manual.Page):
        _show(found.text)
        return
    _show(f"# {found.title}\n\n{found.markdown}" if found.level > 1 else found.markdown)
    asked_for = " ".join(words).removesuffix(".md").casefold()
    if asked_for not in (found.name, manual.plain(found.heading).casefold()):
        others = (one.section for one in manual.search(asked_for) if one.section != found)
        _list("Also:", others)


def _help_of_verb(ctx: typer.Context, words: list[str]) -> str | None:
    """The help of the verb that the words name, such as “phase close”; None where they name none."""
    command: Any = ctx.parent.command if ctx.parent else None
    context: Any = ctx.parent
    for word in words:
        command = command.get_command(context, word) if hasattr(command, "get_command") else None
        if command is None:
            return None
        context = typer.Context(command, info_name=word, parent=context)
    return str(command.get_help(context))


def _list(head: str, sections: Iterable[Section]) -> None:
    """Print how each section is asked for, and what it is called. A page that is called as a verb is asked
    for by the name of its file."""
    rows = [
        (f"{one.name}.md" if one.name in {**VERBS, **GAME_VERBS} else one.name, one.label)
        for one in islice(sections, MOST)
    ]
    if not rows:
        return
    width = max(len(name) for name, _ in rows)
    echo(f"\n{head}")
    echo("\n".join(f"  knightfall help {name:<{width}}  {label}" for name, label in rows))


def _show(markdown: str) -> None:
    """Print Markdown as it reads best: laid out in a terminal, as it is in a pipe."""
    if not sys.stdout.isatty():
        echo(markdown.rstrip("\n"))
        return
    from rich.console import Console
    from rich.markdown import Markdown

    # A link to another page is shown as what to ask for.
    Console().print(Markdown(_OWN_LINK.sub(r"](\1\2)", markdown), hyperlinks=False))
