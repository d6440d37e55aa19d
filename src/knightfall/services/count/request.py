"""Which count is asked for: of which thread, day and moment, in which format; and the thread, read."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from knightfall.config.files import read_file_text
from knightfall.errors import InputError, SetupError
from knightfall.forums.exchange import Site
from knightfall.markup.nodes import Nodes
from knightfall.models import Thread
from knightfall.sentence import Way, sentence
from knightfall.services.requests import CountRequest, PostFormat
from knightfall.services.session import Session, parse_at
from knightfall.services.threads import NONE_NAMED, Given, Kept, Link, Source, gather, source_of
from knightfall.votes.config import Ask
from knightfall.votes.votecount import Votecount
from knightfall.writeups.facts import votecount_facts
from knightfall.writeups.log_line import under
from knightfall.writeups.render import render_nodes, template_names, written

if TYPE_CHECKING:
    from knightfall.config.setup import Setup

HISTORY = "history"
"""The theme that tells of votes that are gone."""
AREA = "area"
"""The theme that the others extend: its template is `any/votecount` itself."""

_TEMPLATE = "any/votecount"


def check_format(format: PostFormat) -> None:
    """Raise InputError for what cannot be: an unknown theme, a template that cannot be read, or both."""
    if format.theme and format.template:
        raise InputError(
            sentence(
                "Use {theme} or {template}, not both. A template takes the place of a theme.",
                theme=Way("field", name="theme"),
                template=Way("field", name="template"),
            )
        )
    template_of(format.theme or AREA)
    if format.template:
        _text_of(format.template)


def themes() -> tuple[str, ...]:
    """All themes of ours by name, the usual one first."""
    found = (name.removeprefix(_TEMPLATE) for name in template_names() if name.startswith(_TEMPLATE))
    return (AREA, *(name.removeprefix("-") for name in found if name))


def template_of(theme: str) -> str:
    """The template of a theme. Raises InputError that names the nearest one."""
    if theme not in themes():
        near = get_close_matches(theme.lower(), themes(), n=1, cutoff=0.0)[0]
        raise InputError(f"There is no theme {theme!r}. Nearest: {near}. Known: {', '.join(themes())}.")
    return _TEMPLATE if theme == AREA else f"{_TEMPLATE}-{theme}"


def post_parts(
    count: Votecount,
    dialect: str,
    format: PostFormat,
    setup: Setup | None,
    site: Site | None,
    line: str = "",
) -> tuple[str, ...]:
    """The post of a count, in as many parts as the site needs; `site` None where it is not for the site,
    `line` the head of the log under it.

    Raises InputError for a theme, a template or a limit that cannot be.
    """
    limit = format.limit or (site.max_length if site else None)
    return written(under(count_nodes(count, format, setup), line), dialect, limit)


def count_nodes(count: Votecount, format: PostFormat, setup: Setup | None) -> Nodes:
    """The post of a count as nodes. Raises InputError for a theme or a template that cannot be."""
    file = format.template or (_template_in(setup) if setup and not format.theme else None)
    if file is not None:
        from knightfall.services.count.template_process import own_nodes  # 5 ms that few counts need

        return own_nodes(_text_of(file), votecount_facts(count), str(file))
    theme = format.theme or (setup.theme if setup else None) or AREA
    return render_nodes(template_of(theme), votecount_facts(count, history=theme == HISTORY))


def _template_in(setup: Setup) -> Path | None:
    """The game's own template, which lies in its folder. Raises SetupError where it lies elsewhere."""
    if setup.template is None:
        return None
    if setup.theme is not None:
        raise SetupError(
            f"{setup.source}: game: found both a theme and a template, expected only one of them."
        )
    folder = Path(setup.source).parent
    file = folder / setup.template
    if not file.resolve().is_relative_to(folder.resolve()):
        raise SetupError(
            f"{setup.source}: game.template: found {setup.template!r}, expected a file beside it."
        )
    return file


def _text_of(file: Path) -> str:
    try:
        return read_file_text(file)
    except OSError as fault:
        raise InputError(f"Template {file}: cannot be read ({fault.strerror}).") from None
    except UnicodeDecodeError:
        raise InputError(f"Template {file}: is not UTF-8 text. Save it as UTF-8 and try again.") from None


def thread_asked(request: CountRequest, session: Session) -> tuple[Setup | None, Source, Thread]:
    """The game file with what was decided since (None: there is none), and the thread that is meant, read."""
    setup = None
    if session.game is not None:
        from knightfall.services.now import now_of  # a thread alone need not wait for the games

        setup = now_of(session).setup
    source = source_asked(request, setup, session.thread)
    return setup, source, gather(source, session)


def source_asked(request: CountRequest, setup: Setup | None, given: Thread | None = None) -> Source:
    """Where the posts come from: what was named, else the game's thread: as it was `given`, or by the game
    file. Raises InputError where neither names any."""
    if not request.words and given is not None:
        return Given(given)
    if not request.words and setup is not None and setup.url is None:
        raise InputError(NONE_NAMED)
    words = request.words or ((setup.url,) if setup and setup.url else ())
    source = source_of(words, request.html, request.jsonl, request.again)
    return Kept(source.url) if request.stored and isinstance(source, Link) else source


def ask_of(request: CountRequest, setup: Setup | None, session: Session) -> Ask:
    """Of which day, and as of when. Raises TimeError as `parse_at` does."""
    ask = parse_at(request.at, setup.zone if setup else None, session.clock.now())
    return replace(ask, day=request.day)
