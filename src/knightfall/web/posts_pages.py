"""Every post of the moderator: what it says now, what went out, and what changed since."""

from __future__ import annotations

from dataclasses import dataclass, field
from difflib import unified_diff
from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret, secret_where
from knightfall.config.setup import VOTES
from knightfall.engine.heads import without_line
from knightfall.errors import SecretGuard
from knightfall.markup.dialects import dialect_names
from knightfall.services.posts.owed import missing_texts, write_missing
from knightfall.services.posts.write import (
    KINDS,
    PostDraft,
    draft_post,
    mark_posted,
    preview,
    write_post,
)
from knightfall.services.publish import PRIVATE_FOLDER
from knightfall.services.requests import PostRequest
from knightfall.services.running import votes_by_day
from knightfall.services.session import Session
from knightfall.storage.drafts import PUBLIC, TextFile, text_files, title_of, write_draft
from knightfall.web import words
from knightfall.web.pages import GamePage, TheGame, file_of, plural
from knightfall.web.paging import Paged, paged

router = APIRouter(prefix="/games/{name}")


OF_DAYS = frozenset({"day-start", "votecount", "end-of-day", "dawn"})
"""The posts of games whose players vote by day in a thread."""


@dataclass(frozen=True, slots=True)
class PostRow:
    """A kind of post: its name, which of it went out last, and whether that holds no more."""

    kind: str
    label: str
    posted: tuple[str, ...]
    void: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextList:
    """The texts of a half of the folder. Those for one reader tell by their number alone who sent or was told
    something."""

    half: str
    files: Paged[TextFile] = field(metadata=secret_where(lambda one: one.half != PUBLIC))


@router.get("/posts")
def posts_page(game: TheGame, public: str = "", private: str = "") -> HTMLResponse:
    """All kinds of posts in the order of a game, and the texts of its folder."""
    found = game.status
    by_votes = game.setup.kind == VOTES or votes_by_day(game.setup.kind)
    rows = [
        PostRow(
            kind,
            words.post(kind),
            tuple(words.which(one) for one in found.posted if _is_of(one, kind)),
            tuple(words.which(one) for one in found.void if _is_of(one, kind)),
        )
        for kind in KINDS
        if by_votes or kind not in OF_DAYS
    ]
    lists = [
        TextList(half, paged(text_files(game.session.folder, half), number))
        for half, number in (("public", public), ("private", private))
    ]
    missing = Secret(missing_texts(game.session))
    return game.show("posts", rows=rows, found=found, lists=lists, missing=missing)


@router.post("/posts/missing")
def write_again(game: TheGame) -> Response:
    """Write the texts again that entries led to and that are not in the folder."""
    with game.changing():
        written = write_missing(game.session)
    texts = [(game.text_link(f"{file.parent.name}/{file.name}"), title_of(file)) for file in written]
    said = Secret(f"Written: {plural(len(written), 'text')}.", "The missing texts are written.")
    return game.moved_on(game.back_to(f"{game.root}/posts"), said, secret_texts=texts)


def _is_of(posted: str, kind: str) -> bool:
    """Whether “votecount-1 3” is of a kind."""
    name = posted.rpartition(" ")[0]
    return name == kind or (name.startswith(f"{kind}-") and name[len(kind) + 1 :].isdigit())


def _request(game: GamePage, kind: str, dialect: str, allow: str) -> PostRequest:
    """The request of a post; the moderator's own words lie in private/ until it is posted."""
    flavour = file_of(game.session.folder, PRIVATE_FOLDER, _flavour_file(kind))
    if flavour is not None and not flavour.read_text(encoding="utf-8").strip():
        flavour = None
    return PostRequest(kind, dialect or None, flavour, allow=allow, stored=True)


def _flavour_file(kind: str) -> str:
    return f"flavour-{kind if kind in KINDS else 'post'}.txt"


def drafted(game: GamePage, kind: str) -> PostDraft:
    """A post as it reads now. Raises what `draft_post` raises."""
    return draft_post(_request(game, kind, "", ""), game.session)


@router.get("/posts/{kind}")
def post_page(game: TheGame, kind: str, dialect: str = "") -> HTMLResponse:
    """A post as it reads now; nothing is kept."""
    request = _request(game, kind, dialect, "")
    leak, draft = None, None
    try:
        draft = draft_post(request, game.session)
    except SecretGuard as error:
        leak = Secret(error.message)
    flavour = request.flavour.read_text(encoding="utf-8").rstrip("\n") if request.flavour else ""
    return game.show(
        "post",
        kind=kind,
        label=words.post(kind),
        draft=draft,
        leak=leak,
        flavour=Secret(flavour),
        looks=[preview(part, draft.dialect, game.setup.roster) for part in draft.parts] if draft else [],
        changed=_changed(draft) if draft else [],
        dialects=dialect_names(),
        dialect=dialect,
    )


def _changed(draft: PostDraft) -> list[str]:
    """The lines that go (-) and come (+) against the last one that was posted."""
    before, after = without_line(draft.last.text if draft.last else draft.text), without_line(draft.text)
    lines = list(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1))[2:]
    return [line for line in lines if not line.startswith("@@")]


@router.post("/posts/{kind}/flavour")
def own_words(game: TheGame, kind: str, flavour: Annotated[str, Form()] = "") -> Response:
    """Keep the moderator's own words before a post."""
    text = flavour.replace("\r\n", "\n")
    write_draft(game.session.folder, PRIVATE_FOLDER, _flavour_file(kind), text)
    return game.done(f"{game.root}/posts/{kind}", "Your own words stand before the post now.")


@router.post("/posts/{kind}/posted")
def posted(
    game: TheGame, kind: str, dialect: Annotated[str, Form()] = "", allow: Annotated[str, Form()] = ""
) -> Response:
    """Keep a post in public/ and note that it went out."""
    with game.changing():
        session: Session = game.session
        draft = write_post(_request(game, kind, dialect, allow), session)
        noted = mark_posted(draft, session)
        number = session.seen.number or 0
    return game.done(
        game.back_to(game.onward),
        f"“{words.posted(f'{draft.name} {noted.number}')}” is marked as posted.",
        entry=number,
    )
