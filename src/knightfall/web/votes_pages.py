"""The votecount of a game with what waits for a decision, and the close of a day."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any

from fastapi import APIRouter, Form, HTTPException, UploadFile
from starlette.responses import HTMLResponse, Response

from knightfall.audience import Secret
from knightfall.errors import EvidenceError, InputError, KnightfallError
from knightfall.sentence import Way, sentence
from knightfall.services.count.apart import Apart, posts_apart, words_of_decided
from knightfall.services.count.explain import seen_fix
from knightfall.services.count.looked import note_looked, since_looked, words_of
from knightfall.services.count.nickname_book import alias, fix
from knightfall.services.count.votecount import (
    VotecountAnswer,
    count_votes,
    note_as_counted,
    note_as_posted,
    post_of,
)
from knightfall.services.day import close as close_day
from knightfall.services.day.phases import check_ends, left_out, next_phase
from knightfall.services.game.players import replace_player
from knightfall.services.journal import Decision
from knightfall.services.pasted import pages_of
from knightfall.services.requests import ClosingRequest, CountRequest, PostOptions
from knightfall.services.session import Session, journal_of
from knightfall.services.threads import NO_THREAD, incomplete, kept_thread, read, read_saved, source_here
from knightfall.web.jobs import Job
from knightfall.web.live import LiveResponse
from knightfall.web.pages import GamePage, TheGame, asked_with, plural
from knightfall.web.start import THE_COUNT, count_facts
from knightfall.web.thread_watch import watch_end
from knightfall.web.uploads import kept_files, new_folder
from knightfall.writeups.vote_words import (
    REASONS,
    fix_effect_line,
    matched_by,
    read_lines,
    second_count_lines,
)

router = APIRouter(prefix="/games/{name}")
DECIDED = "decided on the page"
A_PAGE = 40
"""So many posts are listed on one page."""
THE_CLOSING = asked_with(ClosingRequest, "early", "pause", "stored", "despite", "tell")


@router.get("/votes")
def votes(game: TheGame, asked: Annotated[CountRequest, THE_COUNT]) -> Response:
    """The count of what was read, with every vote and all that waits."""
    version, watches = _version(game)(), game.web.watches
    thread = kept_thread(game.setup, game.session) if game.setup.url else None
    if thread is None or not thread.posts:
        return game.show("votes_empty", url=game.setup.url, trouble="", kept=None)
    request = replace(asked, stored=True)

    def counted(session: Session) -> tuple[VotecountAnswer, dict[str, Any]]:
        answer = count_votes(request, session)
        return answer, count_facts(answer, request, session)

    try:
        answer, shown = game.asked(request, counted)
    except EvidenceError as error:
        if "hx-request" not in game.request.headers:
            # What is missing can be read from here.
            kept = pages_of(thread, game.session)
            return game.show("votes_empty", 422, url=game.setup.url, trouble=error.message, kept=kept)
        # A read is under way: the page stays as it is until more is there.
        return Response(status_code=204)
    facts = dict(shown)
    # Hidden weights are a secret: everybody may see what players may see.
    facts["count"] = Secret(answer.counted.count, answer.seen)
    since = since_looked(thread, game.session)
    apart = posts_apart(answer)
    return game.show(
        "votes",
        **facts,
        own_words=words_of_decided(answer),
        strangers={one.number for one in apart if one.kind is Apart.STRANGER},
        late={one.number for one in apart if one.kind is Apart.LATE},
        apart={kind: sum(one.kind is kind for one in apart) for kind in Apart},
        last=thread.posts[-1].number,
        since=since,
        changed={one.post for one in since.changes} | {one.number for one in thread.posts if one.edited},
        address=f"{game.root}/votes",
        why=DECIDED,
        version=version,
        kept=pages_of(thread, game.session),
        watched=watches.running(game.name),
        watch_ended=watch_end(watches.last(game.name)),
        hammered=game.status.hammer,
    )


def read_given(game: GamePage, pages: list[UploadFile], url: str, to: str) -> Response:
    """Keep pages of a thread of the game, and go on to where they are shown."""
    with new_folder() as place:
        paths = kept_files(pages, place)
        if not paths:
            raise InputError("Choose the pages of the thread that you saved in your browser.")
        with game.changing():
            thread = read_saved(paths, url, game.session).thread
    said = f"{plural(len(paths), 'page')} read, up to post {thread.posts[-1].number}."
    return game.done(to, said, "" if thread.complete else incomplete(thread))


@router.post("/votes/read")
def read_thread(game: TheGame, again: Annotated[str, Form()] = "") -> Response:
    """Read what is new in the thread; every page where that is wanted."""

    def work(session: Session, _: Job) -> str:
        found = read(source_here((), False, False, bool(again), session), session)
        last = found.thread.posts[-1].number if found.thread.posts else 0
        answer = game.done(f"{game.root}/votes", f"Read up to post {last}.")
        return answer.headers["location"]

    return game.follow("Reading the thread", f"{game.root}/votes", game.session, work)


@router.post("/votes/pages")
def read_pages(game: TheGame, pages: list[UploadFile]) -> Response:
    """Read pages of the thread that were saved in a browser, where no program may ask the forum."""
    url = game.setup.url
    if url is None:
        raise InputError(NO_THREAD)
    return read_given(game, pages, url, f"{game.root}/votes")


@router.post("/votes/count")
def read_and_count(game: TheGame) -> Response:
    """Read what is new, count it, and note how far it was counted, as the command does."""

    def work(session: Session, _: Job) -> str:
        answer = count_votes(CountRequest(), session)
        note_as_counted(answer, session)
        at = answer.counted.count.tally.at
        here = game.back_to(f"{game.root}/votes")
        return game.done(here, f"Read and counted up to post {at}.").headers["location"]

    return game.follow("Reading the thread", f"{game.root}/votes", game.session, work)


@router.get("/votes/posts")
def other_posts(game: TheGame, kind: Apart = Apart.LATE, page: int = 1) -> Response:
    """The posts of the day of which no vote was counted, each with its decision."""
    request = CountRequest(stored=True)
    answer = game.asked(("apart", request), lambda session: count_votes(request, session))
    thread = answer.counted.thread
    apart = posts_apart(answer)
    own = [one for one in apart if one.kind is kind]
    pages = max(1, -(-len(own) // A_PAGE))
    page = min(max(page, 1), pages)
    shown = own[(page - 1) * A_PAGE : page * A_PAGE]
    by_number = {one.number: one for one in thread.posts}
    return game.show(
        "votes_posts",
        kind=kind,
        kinds={one: sum(post.kind is one for post in apart) for one in Apart},
        posts=[(one, words_of(by_number[one.number], thread)) for one in shown],
        at=page,
        pages=pages,
        reasons=REASONS,
        day=answer.counted.count.day.number,
        end=answer.counted.count.day.end,
    )


@router.get("/votes/decide")
def decide_page(game: TheGame, post: str) -> HTMLResponse:
    """How a post counts, whatever was made of it so far."""
    thread = kept_thread(game.setup, game.session) if game.setup.url else None
    if thread is None:
        raise HTTPException(404)
    number = post.strip().lstrip("#").strip()
    found = next((one for one in thread.posts if str(one.number) == number), None)
    if found is None:
        first, last = thread.posts[0].number, thread.posts[-1].number
        raise InputError(f"“{post}” is no post that was read. The thread goes from {first} to {last}.")
    roster = game.setup.roster
    request = CountRequest(stored=True)
    try:
        count = game.asked(("apart", request), lambda session: count_votes(request, session)).counted.count
        made_of_it = [*read_lines(found.number, count)]
    except KnightfallError:  # decided it can be all the same
        made_of_it = []
    moderates = found.author.casefold() in (name.casefold() for name in game.setup.moderators)
    return game.show(
        "decide",
        post=number,
        author=found.author,
        url=found.url if (found.url or "").startswith(("http://", "https://")) else None,
        said=words_of(found, thread),
        made_of_it=made_of_it,
        why=DECIDED,
        stranger=not moderates and roster is not None and roster.slot_of(found.author) is None,
    )


@router.post("/votes/fix")
def decide_vote(
    game: TheGame,
    post: Annotated[str, Form()],
    as_: Annotated[str, Form(alias="as")] = "",
    to: Annotated[str, Form()] = "",
    nickname: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
) -> Response:
    """Say how a post counts: for a player, not at all, as written; or what a nickname means."""
    reason = why.strip() or DECIDED
    here = game.back_to(f"{game.root}/votes")
    # A button of one click names the player, too: “to:Ada”.
    if as_.startswith("to:"):
        as_, to = "to", as_.removeprefix("to:")
    with game.changing():
        if as_ == "learn":
            record = alias(to, nickname, reason, game.session)
            return game.done(here, f"“{nickname.strip()}” means {to} from now on.", entry=record.number)
        decision = {
            "to": Decision(to=to),
            "ignore": Decision(ignore=True),
            "count": Decision(count=True),
            "unvote": Decision(unvote=True),
            "nobody": Decision(no_elimination=True),
        }.get(as_)
        if decision is None:
            raise InputError("Choose how the post counts.")
        record = fix(post, decision, reason, game.session)
    seen = seen_fix(record, game.session)
    effect = ""
    if seen and seen.closing:
        effect = "Its day is closed and stays as it ended."
    elif seen:
        effect = fix_effect_line(seen.effect, seen.count)
    return game.done(here, f"Post {post} is decided.", effect, entry=record.number)


@router.post("/votes/plays")
def they_play(
    game: TheGame,
    post: Annotated[str, Form()],
    slot: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
) -> Response:
    """Say whose slot the author of a post holds: who took it over is on no list until somebody says so."""
    if not slot.strip():
        raise InputError(sentence("Choose whose slot they hold: {slot}", slot=Way("field", name="slot")))
    thread = kept_thread(game.setup, game.session) if game.setup.url else None
    number = post.strip().lstrip("#")
    found = next((one for one in thread.posts if str(one.number) == number), None) if thread else None
    if found is None:
        raise HTTPException(404)
    with game.changing():
        reason = why.strip() or DECIDED
        made = replace_player(slot, found.author, number, reason, PostOptions(), game.session)
    head = f"{found.author} holds the slot of {slot} from post {number} on."
    return game.done(game.back_to(f"{game.root}/votes"), head, entry=made.record.number)


@router.post("/votes/seen")
def seen(game: TheGame, mark: Annotated[str, Form()] = "") -> Response:
    """Note that what came since the last look was seen."""
    note_looked(mark, game.session)
    return game.done(game.back_to(f"{game.root}/votes"), "Noted as seen.")


@router.post("/votes/posted")
def posted_count(game: TheGame, asked: Annotated[CountRequest, THE_COUNT]) -> Response:
    """Note that the votecount went out."""
    request = replace(asked, stored=True)
    with game.changing():
        answer = count_votes(request, game.session)
        post = post_of(answer, request, game.session)
        noted = note_as_posted(post, answer, game.session)
        note_as_counted(answer, game.session)
    if thread := kept_thread(game.setup, game.session):
        note_looked(since_looked(thread, game.session).mark, game.session)
    heading = answer.counted.count.heading
    return game.moved_on(
        game.back_to(f"{game.root}/votes"),
        f"{heading} is marked as posted. The next one will be number {noted.number + 1}.",
        entry=_last_entry(game),
    )


def _last_entry(game: GamePage) -> int:
    """The entry that was written last."""
    journal = journal_of(game.session)
    return journal[-1].number if journal else 0


# ── watching the thread ──────────────────────────────────────────────────────────────────────────


@router.get("/votes/live")
async def live(game: TheGame) -> Response:
    """The version of what the votecount shows, each time it has changed, until the page is closed."""
    return LiveResponse(game.web.live.events(game.name, _version(game)))


def _version(game: GamePage) -> Callable[[], str]:
    """Asks for what changes whenever the page of the votecount would show something else."""
    written, name, watches = game.session.written, game.name, game.web.watches

    def version() -> str:
        job = watches.last(name)
        said = f"{job.id} {len(job.said)} {job.ended.is_set():d}" if job is not None else ""
        return " ".join((*(f"{at}+{size}" for at, size in written() or ()), said)).strip()

    return version


@router.post("/votes/watch")
def watch_thread(game: TheGame, stop: Annotated[str, Form()] = "") -> Response:
    """Follow the thread until it is stopped; what is found is told on the page."""
    here, watches = f"{game.root}/votes", game.web.watches
    if stop:
        watches.stop(game.name)
        return game.done(here, "The thread is not watched any more.")
    if watches.running(game.name):
        return game.done(here, "The thread is being watched already.")
    job = watches.start(game.name, here, game.session)
    if isinstance(job.error, KnightfallError):
        return game.failed(job.error)
    return game.done(
        here,
        "The thread is being watched. This page shows each vote as soon as it is read.",
        "It ends when you close the day or stop it. If Knightfall is started again, it goes on.",
    )


# ── the close of a day ───────────────────────────────────────────────────────────────────────────


@router.get("/close")
def close_page(game: TheGame) -> HTMLResponse:
    """How a day is closed: by the votes of a thread, or by the moderator's word."""
    window = next((one for one in game.table.windows if one.kind == "day"), None) if game.table else None
    by_votes = game.setup.url is not None
    thread = kept_thread(game.setup, game.session) if game.setup.url else None
    since = since_looked(thread, game.session) if thread is not None else None
    return game.show("close", window=window, by_votes=by_votes, since=since, pause=60)


@router.post("/close/look")
def close_look(game: TheGame, request: Annotated[ClosingRequest, THE_CLOSING]) -> Response:
    """Read the thread until two reads agree, and show how the day ends. Nothing is closed."""

    def work(session: Session, job: Job) -> str:
        try:
            found = close_day.look(request, session)
        except close_day.CountsDiffer as differ:
            return f"{game.root}/close/differ/{game.web.keep((request, differ.message))}"
        return f"{game.root}/close/{game.web.keep((found, tuple(job.lasting)))}"

    return game.follow("Reading the thread twice", f"{game.root}/close", game.session, work)


def _looked(game: GamePage, name: str) -> tuple[close_day.DayClosing, tuple[str, ...]]:
    kept = game.web.kept.get(name)
    if not isinstance(kept, tuple) or not isinstance(kept[0], close_day.DayClosing):
        raise HTTPException(404)
    return kept[0], kept[1]


@router.get("/close/differ/{name_of_look}")
def counts_differ(game: TheGame, name_of_look: str) -> HTMLResponse:
    """Two counts of the day that differ, and what can be done about it."""
    kept = game.web.kept.get(name_of_look)
    if not isinstance(kept, tuple) or not isinstance(kept[0], ClosingRequest):
        raise HTTPException(404)
    return game.show("close_differ", request=kept[0], said=kept[1])


@router.get("/close/{look}")
def close_confirm(game: TheGame, look: str) -> HTMLResponse:
    """The final count, what to check by eye, the name to type, and until when what comes next lasts."""
    found, said = _looked(game, look)
    thread = kept_thread(game.setup, game.session) if game.setup.url else None
    return game.show(
        "close_confirm",
        found=found,
        said=said,
        look=look,
        since=since_looked(thread, game.session) if thread is not None else None,
        count=Secret(found.count, found.seen),
        matched_by=matched_by,
        reasons=REASONS,
        second=[*second_count_lines(found.count.second, found.count.terms.no_elimination)],
    )


@router.post("/close/{look}")
def close_now(
    game: TheGame,
    look: str,
    typed: Annotated[str, Form()] = "",
    next_ends: Annotated[str, Form()] = "",
    why: Annotated[str, Form()] = "",
) -> Response:
    """Close the day with the name that was typed, and why it was chosen where the rules leave that open; what
    opens then gets the deadline that was said."""
    found, _ = _looked(game, look)
    found, back = found.because(why), f"{game.root}/close/{look}"
    ends = check_ends(next_ends, game.session) if next_ends.strip() else None

    def work(session: Session, _: Job) -> str:
        closed = close_day.close(found, typed, session, ends)
        following = ""
        if closed.opened is not None:
            opened = next_phase(closed.opened, PostOptions(), session).change
            following = (
                f"{opened.title} is open until {game.local(opened.deadline)}." if opened.deadline else ""
            )
        elif ends is not None:
            following = left_out(session)
        watched = game.web.watches.running(game.name) is not None
        if watched:
            game.web.watches.stop(game.name)
        who = ", ".join(closed.eliminated) or "Nobody"
        game.web.kept.pop(look, None)
        to = f"{game.root}/posts/end-of-day" if game.begun else game.root
        verb = "are" if len(closed.eliminated) > 1 else "is"
        answer = game.moved_on(
            to,
            f"Day {found.day} is closed: {who} {verb} eliminated.",
            "This is the post with the flip. Copy notes it as posted; paste it into the thread.",
            following,
            "The thread is not watched any more." if watched else "",
            entry=closed.record.number,
            texts=((game.text_link(str(closed.file)), "Final votecount"),),
        )
        return answer.headers["location"]

    return game.follow("Looking at the thread once more", back, game.session, work)
