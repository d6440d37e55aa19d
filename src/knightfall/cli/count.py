"""Verbs of a thread and its votes: vc, near, explain, roster, activity, plot, read and evidence."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from knightfall.cli.options import Without, verb
from knightfall.cli.terminal import (
    AsJson,
    CopyIt,
    Game,
    Place,
    aside,
    at_in_full,
    echo,
    game_here,
    progress_bar,
    real_session,
)
from knightfall.sentence import joined
from knightfall.services.requests import (
    ANSWERS,
    OF_THE_COUNT,
    OF_THE_POST,
    CountRequest,
    NicknameRequest,
    PlotRequest,
)

if TYPE_CHECKING:
    from knightfall.services.count.votecount import VotecountAnswer
    from knightfall.services.session import Session
    from knightfall.services.threads import Source

FromClipboard: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--from-clipboard",
        help="Use a page that you copied in your browser (Ctrl-A, Ctrl-C); run it once for each page.",
    ),
]
SUGGEST, BOARD = "suggest", "board"
"""Words that are no thread and no day: nicknames to accept; the picture of a board."""


@verb
def vc(
    request: CountRequest,
    place: Place,
    as_json: AsJson = False,
    copying: CopyIt = False,
    pasting: FromClipboard = False,
    posted: Annotated[
        bool,
        typer.Option(
            "--posted", help="Record that you posted this count; the next one gets the next number."
        ),
    ] = False,
    waiting: Annotated[
        bool, typer.Option("--wait", help="Wait for the day's deadline, then make the final count.")
    ] = False,
) -> None:
    """Count the votes in a thread and print the votecount. Example: knightfall vc --at 84 --as mafiascum

    The post goes to standard output, ready to paste. Assumptions, questions and uncounted votes go to
    standard error. Exit status 3: a vote needs your decision; the count is printed anyway.
    """
    from knightfall.errors import InputError
    from knightfall.services.count.votecount import count_votes

    if request.again and request.stored:
        raise InputError("Use --again or --stored, not both: one reads the forum, the other does not.")
    session = place.session(request.words)
    if pasting:
        url = paste(request, session)
        request = replace(request, words=() if session.game else (url,), stored=True)
    request = at_in_full(request, session)
    if waiting:
        from knightfall.cli.day import count_at_deadline
        from knightfall.services.count.votecount import answer_of

        done = count_at_deadline(request, session)
        show(answer_of(done, request, session), request, session, as_json, copying, posted)
        return
    # The post bears its number: nobody else gets that while it is counted, unless the network is awaited.
    here = posted and not copying and (request.stored or request.html or request.jsonl)
    with progress_bar(session) as reading, reading.turn if here else nullcontext():
        show(count_votes(request, reading), request, reading, as_json, copying, posted)


def paste(request: CountRequest, session: "Session") -> str:
    """Keep the page of the clipboard: of a thread of the game here, else of any. Returns its address.

    Raises InputError where another source is named as well, and as `keep_pasted` does.
    """
    from knightfall.cli.clipboard import copied_page
    from knightfall.errors import InputError
    from knightfall.services.pasted import keep_pasted, page_line
    from knightfall.services.threads import NO_THREAD

    if request.words or request.html or request.jsonl or request.again:
        raise InputError("--from-clipboard names what to read: leave out addresses, files and --again.")
    expected: tuple[str, ...] = ()
    if session.game is not None:
        from knightfall.services.now import now_of

        expected = tuple(thread.url for thread in now_of(session).setup.threads)
        if not expected:
            raise InputError(NO_THREAD)
    found = keep_pasted(copied_page(), session, expected)
    aside(page_line(found))
    return found.pages.url


def show(
    answer: "VotecountAnswer",
    request: CountRequest,
    session: "Session",
    as_json: bool = False,
    copying: bool = False,
    posted: bool = False,
) -> None:
    """Print a count with what stands beside it, and do with its post what is asked for.

    Raises what `post_of` raises, and at last DecisionNeeded where a vote waits for the moderator.
    """
    from knightfall.cli.clipboard import copy_parts, print_parts
    from knightfall.cli.format_count import after_count, before_count, decisions_text
    from knightfall.cli.ways import as_object
    from knightfall.errors import DecisionNeeded, InputError
    from knightfall.services.count.votecount import note_as_counted, note_as_posted, post_of

    for line in before_count(answer):
        aside(line)
    if as_json:
        echo(as_object(answer.to_dict()))
    else:
        post = post_of(answer, request, session)
        print_parts(post.parts, post.dialect)
        if copying:
            copy_parts(post.parts, post.rich)
        if posted:
            noted = note_as_posted(post, answer, session)
            heading = answer.counted.count.heading
            aside(f"{heading} is marked as posted. The next one will be number {noted.number + 1}.")
    try:
        note_as_counted(answer, session)
    except InputError as error:  # the count is what was asked for, and looking needs no writing
        aside(f"How far it was counted is not noted here: {error}")
    for line in after_count(answer):
        aside(line)
    if answer.questions or answer.lost or answer.to_say or answer.clock is not None:
        raise DecisionNeeded(decisions_text(answer, in_game=session.game is not None))


@verb
def explain(
    what: Annotated[
        str, typer.Argument(metavar="NAME|POST", help="A player who has votes, or a post number.")
    ],
    request: Annotated[CountRequest, Without(*OF_THE_COUNT)],
    place: Place,
    as_json: AsJson = False,
) -> None:
    """Explain why votes count or don't, for a player or a post. Example: knightfall explain Kestrel --day 1

    For a player, this lists every vote on them with its post, voter and text, and how the name was matched.
    For a post, it lists everything that was read in it, counted or not. Hidden vote weights are shown, so
    keep the output to yourself.

    In the folder of a game that you run here (knightfall new), this lists every line that players were sent
    about a name or number, with the journal entry and the rulings behind it; --at is then a journal entry. To
    ask about the votes of a day instead, add --day.
    """
    from knightfall.cli.ways import as_object
    from knightfall.errors import InputError, KnightfallError
    from knightfall.services.window.turns import history, is_played

    session = place.session(request.words)
    request = at_in_full(request, session)
    untold: Exception | None = None
    if session.game is not None and not request.words and request.day is None and is_played(session):
        from knightfall.cli.format_play import history_text

        try:
            told = history(what, request.at, session)
        except InputError as fault:
            # A number that the game never told may be that of a post with votes.
            if not what.lstrip("#").isdigit() or request.at is not None:
                raise
            untold, request = fault, replace(request, stored=True)
        else:
            echo(as_object(told.to_dict()) if as_json else history_text(told))
            return
    from knightfall.cli.format_count import explanation_text
    from knightfall.services.count.explain import explain as explained

    with progress_bar(session) as reading:
        try:
            found = explained(what, request, reading)
        except KnightfallError:
            if untold is not None:
                raise untold from None
            raise
    echo(as_object(found.to_dict()) if as_json else explanation_text(found))


@verb
def roster(
    request: Annotated[CountRequest, Without("day", *OF_THE_COUNT)], place: Place, as_json: AsJson = False
) -> None:
    """List the players, or suggest nicknames to add. Example: knightfall roster suggest

    For each slot: the current player, earlier players, nicknames, how and where they left the game, and the
    last post.

    With the word suggest: nicknames found in votes and in your own votecounts, each with its evidence and the
    command that adds it. Nothing is added automatically. Assumptions go to standard error.
    """
    from knightfall.cli.format_count import slots_table, suggestions_text
    from knightfall.cli.ways import as_object
    from knightfall.services.count import roster as people

    learning = request.words[:1] == (SUGGEST,)
    request = replace(request, words=request.words[learning:])
    session = place.session(request.words)
    request = at_in_full(request, session)
    found: people.SlotList | people.NicknameSuggestions
    with progress_bar(session) as reading:
        if learning:
            found = people.suggest(request, reading)
            text = suggestions_text(found)
        else:
            found = people.roster(request, reading)
            text = slots_table(found)
    echo(as_object(found.to_dict()) if as_json else text)
    for line in found.assumed:
        aside(line)


@verb
def nicknames(request: NicknameRequest, game: Game = None, as_json: AsJson = False) -> None:
    """List the nicknames that your answers taught, or forget one. Example: knightfall nicknames --forget Kes

    When you decide an unclear vote with fix or alias, the nickname is noted in a book in your own folder,
    with the player, the site, the game and the date. In a later game on the same site a question about that
    nickname offers the player first, and says where they were called so. Nothing counts until you decide.
    """
    from knightfall.cli.ways import as_object
    from knightfall.services.count.nickname_book import nickname_book

    found = nickname_book(request, real_session(game_here(game), allow_private=False))
    echo(as_object(found.to_dict()) if as_json else found.report().text())


@verb
def activity(
    request: Annotated[
        CountRequest,
        Without("day", "view", "footnotes", "theme", "template", "limit", *ANSWERS, "again"),
    ],
    place: Place,
    as_json: AsJson = False,
) -> None:
    """Show who is posting and who has gone quiet. Example: knightfall activity --at 84

    For each living player: posts per day, last post, hours of silence that count, and whether they are due a
    prod under prod_after, prod_grace, max_prods, weekends and v_la in game.toml. --as prints the public list
    of prods, with names only. A ~ marks times that the forum gives only roughly.
    """
    from knightfall.cli.format_count import activity_text, unknown_silence
    from knightfall.cli.ways import as_object
    from knightfall.services.count.activity import activity as measured
    from knightfall.services.count.activity import prods_post

    session = place.session(request.words)
    request = at_in_full(request, session)
    with progress_bar(session) as reading:
        found = measured(request, reading)
        for line in (*found.assumed, *unknown_silence(found)):
            aside(line)
        if as_json:
            echo(as_object(found.to_dict()))
        elif request.dialect:
            echo(prods_post(found, request.dialect, session, request.allow))
        else:
            echo(activity_text(found))


@verb
def plot(
    request: Annotated[PlotRequest, Without(*OF_THE_COUNT)],
    place: Place,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="Output file (default: in public/).")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print it as text you can post.")] = False,
    viewer: Annotated[
        str | None,
        typer.Option("--for", metavar="NAME", help="With board: as this player sees it, for a PM."),
    ] = None,
) -> None:
    """Draw a chart of wagons, posts or votes, or a game's board.

    Example: knightfall plot wagons --day 2 --text

    Writes an SVG or PNG that players may see, and prints its path. --text prints a text version instead; post
    it in code tags, because its columns need a fixed-width font. If the game hides its board, --for NAME
    draws what that player may see and saves it in private/.
    """
    if request.kind == BOARD:
        from knightfall.services.boards import board_text, plot_board

        session = place.of_game()
        echo(board_text(session, viewer) if text else "\n".join(map(str, plot_board(out, session, viewer))))
        return
    from knightfall.cli.format_count import open_votes_text
    from knightfall.errors import DecisionNeeded
    from knightfall.services.count.plots import plot_file, plot_text

    session = place.session(request.count.words)
    request = replace(request, count=at_in_full(request.count, session))
    with progress_bar(session) as reading:
        made = plot_text(request, reading) if text else plot_file(request, out, reading)
        echo(made.text if made.path is None else made.path)
    if made.questions or made.lost:
        votes = (open_votes_text(made.questions),) if made.questions else ()
        raise DecisionNeeded(joined("\n", (*made.lost, *votes)))


@verb
def read(
    request: Annotated[CountRequest, Without("day", "at", "stored", *ANSWERS, *OF_THE_POST)],
    place: Place,
    as_json: AsJson = False,
    pasting: FromClipboard = False,
) -> None:
    """Read a thread, store it and show a summary. Example: knightfall read --again

    Also lists what has changed since the last read. If the thread was read before, reading continues from the
    last known page. Pages saved in your browser are stored with the game, and every command can then count
    them with --stored.
    """
    from knightfall.cli.format_count import news_lines, thread_table
    from knightfall.cli.ways import as_object
    from knightfall.services.threads import Kept, incomplete, source_here
    from knightfall.services.threads import read as read_thread

    # A thread that is named is stored with the game of this folder.
    session = place.of(game_here(place.game))
    if pasting:
        source: Source = Kept(paste(request, session))
    else:
        source = source_here(request.words, request.html, request.jsonl, request.again, session)
    with progress_bar(session) as reading:
        found = read_thread(source, reading)
    echo(as_object(found.to_dict()) if as_json else thread_table(found.thread))
    for line in news_lines(found):
        echo(line, err=as_json)
    if request.jsonl:
        aside("Nothing of it is kept: vc --from-jsonl counts the file; --stored needs pages (--from-html).")
    if not found.thread.complete:
        aside(incomplete(found.thread))
        raise typer.Exit(4)
