"""The manual on the page: its topics, each of its pages, and a search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import PurePosixPath
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, HTTPException
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from knightfall.errors import InputError
from knightfall.services import manual
from knightfall.web.board_pages import PICTURE_POLICY
from knightfall.web.pages import Page, ThePage

router = APIRouter(prefix="/help")
KINDS = {".png": "image/png", ".jpg": "image/jpeg", ".webp": "image/webp", ".svg": "image/svg+xml"}
"""Pictures that are shown, by how their names end."""
MOST = 20
"""So many sections that a search finds are shown."""


LOOK_UPS = (
    ("/roles", "Roles", "that a setup can name, and what each does"),
    ("/review", "Review a setup", "faults, what each role is worth, a post to copy"),
    ("/balance", "How often would each side win?", "by many games of a setup"),
)
"""What answers questions beside the manual: address, label, and what it tells."""


@router.get("")
def topics(page: ThePage, q: str = "", game: str = "") -> HTMLResponse:
    """The pages of the manual, or the sections that have the words which were searched for; what else
    answers questions, of a `game` too."""
    return _search(page, q, game=game)


@router.get(f"/{manual.IMAGES}/{{name}}")
def picture(name: str) -> Response:
    """A picture of the manual."""
    if not _is_picture(f"{manual.IMAGES}/{name}"):
        raise HTTPException(404)
    return Response(
        (manual.MANUAL / manual.IMAGES / name).read_bytes(),
        media_type=KINDS[PurePosixPath(name).suffix],
        headers={"Content-Security-Policy": PICTURE_POLICY},
    )


@router.get("/{name}")
def page_of_manual(page: ThePage, name: str) -> Response:
    """A page of the manual; a name that none has is searched for."""
    try:
        found = manual.page(name)
    except InputError:
        return _search(page, name.removesuffix(".md").replace("-", " "), 404)
    if found.name == manual.INDEX:
        return page.go("/help")
    return page.show("help_page", manual_page=found, html=html_of(found.name))


def _search(page: Page, q: str, status: int = 200, game: str = "") -> HTMLResponse:
    words = q.strip()
    found = manual.search(words)[:MOST] if words else ()
    own = f"/games/{quote(game)}/ask" if game in page.web.games.names() else "/ask"
    look_ups = ((own, "Look up", "rulings, setups and forums, and questions about a game"), *LOOK_UPS)
    return page.show("help", status, q=words, found=found, topics=manual.topics(), look_ups=look_ups)


def _is_picture(path: str) -> bool:
    """Whether a path beside the pages is a picture of the package; nothing else is served or linked."""
    folder, _, name = path.partition("/")
    if folder != manual.IMAGES or "/" in name or "\\" in name or PurePosixPath(name).suffix not in KINDS:
        return False
    return (manual.MANUAL / folder / name).is_file()


class ManualHtml(RendererHTML):
    """Writes a page of the manual as HTML.

    Its links to other pages lead to /help/…, its heads have anchors, what may be wide can be scrolled by
    keyboard, and a picture that the package does not have is what it says instead.
    """

    def heading_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        """A head with its anchor."""
        tokens[at].attrSet("id", manual.anchor_of(tokens[at + 1].content))
        return self.renderToken(tokens, at, options, env)

    def link_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        """A link; one to another page leads to where that is shown."""
        to = urlsplit(str(tokens[at].attrGet("href") or ""))
        if not to.scheme and to.path.endswith(".md"):
            mark = f"#{to.fragment}" if to.fragment else ""
            tokens[at].attrSet("href", f"/help/{to.path.removesuffix('.md')}{mark}")
        return self.renderToken(tokens, at, options, env)

    def image(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        """A picture of the package, else its words."""
        path = str(tokens[at].attrGet("src") or "")
        if not _is_picture(path):
            return str(escape(tokens[at].content))
        tokens[at].attrSet("src", f"/help/{path}")
        return super().image(tokens, at, options, env)

    def table_open(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        """A table within what scrolls."""
        return f'<div class="wide" tabindex="0">{self.renderToken(tokens, at, options, env)}'

    def table_close(self, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType) -> str:
        """The end of both."""
        return f"{self.renderToken(tokens, at, options, env)}</div>"

    def fence(self, tokens: Sequence[Token], at: int, _options: OptionsDict, _env: EnvType) -> str:
        """A block of code."""
        return f'<pre class="wide" tabindex="0"><code>{escape(tokens[at].content)}</code></pre>'


@cache
def html_of(name: str) -> Markup:
    """A page of the manual as HTML."""
    reader = MarkdownIt("commonmark", {"html": False}, renderer_cls=ManualHtml).enable("table")
    return Markup(reader.render(manual.page(name).text))  # HTML in it is off: it is text
