"""Verbs of a thread and its votes: vc, near, explain, roster, activity, plot, read and evidence."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from knightfall.cli.terminal import (
    AllowLeak,
    AsJson,
    At,
    Day,
    FromHtml,
    FromJsonl,
    Game,
    PrivateHost,
    Source,
    Stored,
    aside,
    echo,
    game_here,
    game_needed,
    game_of,
)
from knightfall.sentence import joined

if TYPE_CHECKING:
    from knightfall.services.count.request import CountRequest
    from knightfall.services.count.votecount import VotecountAnswer
    from knightfall.services.session import Session

SUGGEST, BOARD = "suggest", "board"
"""Words that are no thread and no day: nicknames to accept; the picture of a board."""


def vc(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL | FILE...",
            help="The thread's address, or files with --from-…. With --game: the game's thread.",
        ),
    ] = None,
    game: Game = None,
    day: Day = None,
    at: Annotated[
        str | None, typer.Option(metavar="POST|TIME", help="Count as of this post or time.")
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, such as mafiascum.")
    ] = None,
    as_json: AsJson = False,
    from_html: Annotated[
        bool, typer.Option("--from-html", help="Count pages saved in your browser.")
    ] = False,
    from_jsonl: Annotated[
        bool, typer.Option("--from-jsonl", help="Count posts from a JSON Lines file, also .gz.")
    ] = False,
    view: Annotated[
        str, typer.Option(metavar="public|mod", help="mod also shows hidden vote weights.")
    ] = "public",
    footnotes: Annotated[
        bool, typer.Option("--footnotes", help="List your decisions on posts, with reasons, below the count.")
    ] = False,
    theme: Annotated[
        str | None, typer.Option(metavar="NAME", help="Layout: area, compact, table, ticks or history.")
    ] = None,
    template: Annotated[Path | None, typer.Option(help="Use your own Jinja template.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Maximum length of a post; longer ones are split.")
    ] = None,
    copying: Annotated[bool, typer.Option("--copy", help="Also copy the post to the clipboard.")] = False,
    posted: Annotated[
        bool,
        typer.Option(
            "--posted", help="Record that you posted this count; the next one gets the next number."
        ),
    ] = False,
    waiting: Annotated[
        bool, typer.Option("--wait", help="Wait for the day's deadline, then make the final count.")
    ] = False,
    stored: Annotated[
        bool, typer.Option("--stored", help="Count the pages already read, without contacting the forum.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Read every page again first, to find edits and deletions.")
    ] = False,
    opened: Annotated[
        str | None,
        typer.Option(metavar="POST", help="No game file: the post that opened --day. Kept for this thread."),
    ] = None,
    alive: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="No game file: who was alive then, with commas. Kept as well."),
    ] = None,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="Browser cookies for logging in: Netscape format, file mode 0600.")
    ] = None,
) -> None:
    """Count the votes in a thread and print the votecount. Example: knightfall vc --at 84 --as mafiascum

    The post goes to standard output, ready to paste. Assumptions, questions and uncounted votes go to
    standard error. Exit status 3: a vote needs your decision; the count is printed anyway.
    """
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.errors import InputError
    from knightfall.services.count.request import CountRequest, PostFormat
    from knightfall.services.count.votecount import count_votes
    from knightfall.votes.votecount import View

    if view not in [one.value for one in View]:
        raise InputError(f"--view {view}: expected public or mod.")
    words = tuple(what or ())
    game = game_of(words, game)
    session = real_session(game, allow_private_host, cookies)
    request = CountRequest(
        words,
        from_html,
        from_jsonl,
        day,
        at_in_full(at, session),
        dialect,
        stored=stored,
        view=View(view),
        footnotes=footnotes,
        format=PostFormat(theme, template, limit),
        allow=allow_leak,
        opened=opened,
        alive=alive,
        again=again,
    )
    if again and stored:
        raise InputError("Use --again or --stored, not both: one reads the forum, the other does not.")
    if waiting:
        from knightfall.cli.day import count_at_deadline
        from knightfall.services.count.votecount import answer_of

        done = count_at_deadline(request, session)
        show(answer_of(done, request, session), request, session, as_json, copying, posted)
        return
    # The post bears its number: nobody else gets that while it is counted, unless the network is awaited.
    here = posted and not copying and (stored or from_html or from_jsonl)
    with progress_bar(session) as reading, reading.turn if here else nullcontext():
        show(count_votes(request, reading), request, reading, as_json, copying, posted)


def show(
    answer: "VotecountAnswer",
    request: "CountRequest",
    session: "Session",
    as_json: bool = False,
    copying: bool = False,
    posted: bool = False,
) -> None:
    """Print a count with what stands beside it, and do with its post what is asked for.

    Raises what `post_of` raises, and at last DecisionNeeded where a vote waits for the moderator.
    """
    from knightfall.cli.format_count import after_count, before_count, decisions_text, part_headings
    from knightfall.cli.ways import as_object
    from knightfall.errors import DecisionNeeded
    from knightfall.services.count.votecount import note_as_counted, note_as_posted, post_of

    for line in before_count(answer):
        aside(line)
    if as_json:
        echo(as_object(answer.to_dict()))
    else:
        post = post_of(answer, request, session)
        count = len(post.parts)
        headings = part_headings(post.parts, post.dialect)
        for number, (heading, part) in enumerate(zip(headings, post.parts, strict=True), 1):
            if heading:
                aside(heading)
            echo(part if number == count else f"{part}\n")
        if copying:
            from knightfall.cli.clipboard import Clipboard

            # One part after the other on the clipboard, as long as the moderator asks for the next.
            clipboard = Clipboard()
            for number, part in enumerate(post.parts, 1):
                clipboard.copy(part, post.rich)
                aside("Copied." if count == 1 else f"Copied: part {number} of {count}.")
                if number < count and not clipboard.pasted():
                    break
        if posted:
            noted = note_as_posted(post, answer, session)
            heading = answer.counted.count.heading
            aside(f"{heading} is marked as posted. The next one will be number {noted.number + 1}.")
    note_as_counted(answer, session)
    for line in after_count(answer):
        aside(line)
    if answer.questions or answer.lost or answer.who_lives or answer.clock is not None:
        raise DecisionNeeded(decisions_text(answer, in_game=session.game is not None))


def explain(
    what: Annotated[
        str, typer.Argument(metavar="NAME|POST", help="A player who has votes, or a post number.")
    ],
    source: Source = None,
    game: Game = None,
    day: Day = None,
    at: At = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """Explain why votes count or don't, for a player or a post. Example: knightfall explain Kestrel --day 1

    For a player, this lists every vote on them with its post, voter and text, and how the name was matched.
    For a post, it lists everything that was read in it, counted or not. Hidden vote weights are shown, so
    keep the output to yourself.

    In the folder of a game that you run here (knightfall new), this lists every line that players were sent
    about a name or number, with the journal entry and the rulings behind it; --at is then a journal entry. To
    ask about the votes of a day instead, add --day.
    """
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.cli.ways import as_object
    from knightfall.errors import InputError, KnightfallError
    from knightfall.services.window.turns import history, is_played

    game = game_of(source, game)
    session = real_session(game, allow_private_host)
    at = at_in_full(at, session)
    untold: Exception | None = None
    if game is not None and not source and day is None and is_played(session):
        from knightfall.cli.format_play import history_text

        try:
            told = history(what, at, session)
        except InputError as fault:
            # A number that the game never told may be that of a post with votes.
            if not what.lstrip("#").isdigit() or at is not None:
                raise
            untold, stored = fault, True
        else:
            echo(as_object(told.to_dict()) if as_json else history_text(told))
            return
    from knightfall.cli.format_count import explanation_text
    from knightfall.services.count.explain import explain as explained
    from knightfall.services.count.request import CountRequest

    request = CountRequest(tuple(source or ()), from_html, from_jsonl, day, at, stored=stored)
    with progress_bar(session) as reading:
        try:
            found = explained(what, request, reading)
        except KnightfallError:
            if untold is not None:
                raise untold from None
            raise
    echo(as_object(found.to_dict()) if as_json else explanation_text(found))


def roster(
    source: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[suggest] URL | FILE...", help="The thread, as for vc. Put the word suggest before it."
        ),
    ] = None,
    game: Game = None,
    at: At = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """List the players, or suggest nicknames to add. Example: knightfall roster suggest

    For each slot: the current player, earlier players, nicknames, how and where they left the game, and the
    last post.

    With the word suggest: nicknames found in votes and in your own votecounts, each with its evidence and the
    command that adds it. Nothing is added automatically. Assumptions go to standard error.
    """
    from knightfall.cli.format_count import slots_table, suggestions_text
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.cli.ways import as_object
    from knightfall.services.count import roster as people
    from knightfall.services.count.request import CountRequest

    words = tuple(source or ())
    learning = words[:1] == (SUGGEST,)
    words = words[learning:]
    game = game_of(words, game)
    session = real_session(game, allow_private_host)
    at = at_in_full(at, session)
    request = CountRequest(words, from_html, from_jsonl, at=at, stored=stored)
    found: people.SlotList | people.NicknameSuggestions
    with progress_bar(session) as reading:
        if learning:
            found = people.suggest(request, reading)
            text = suggestions_text(found)
        else:
            found = people.roster(request, reading)
            text = slots_table(found)
    echo(as_object(found.to_dict()) if as_json else text)
    for sentence in found.assumed:
        aside(sentence)


def activity(
    source: Source = None,
    game: Game = None,
    at: Annotated[
        str | None, typer.Option(metavar="POST|TIME", help="As of this post or time (default: now).")
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option("--as", metavar="DIALECT", help="Print the public list of prods in this dialect."),
    ] = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
) -> None:
    """Show who is posting and who has gone quiet. Example: knightfall activity --at 84

    For each living player: posts per day, last post, hours of silence that count, and whether they are due a
    prod under prod_after, prod_grace, max_prods, weekends and v_la in game.toml. --as prints the public list
    of prods, with names only. A ~ marks times that the forum gives only roughly.
    """
    from knightfall.cli.format_count import activity_text, unknown_silence
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.cli.ways import as_object
    from knightfall.services.count.activity import activity as measured
    from knightfall.services.count.activity import prods_post
    from knightfall.services.count.request import CountRequest

    game = game_of(source, game)
    words = tuple(source or ())
    session = real_session(game, allow_private_host)
    at = at_in_full(at, session)
    request = CountRequest(words, from_html, from_jsonl, at=at, dialect=dialect, stored=stored)
    with progress_bar(session) as reading:
        found = measured(request, reading)
        for sentence in (*found.assumed, *unknown_silence(found)):
            aside(sentence)
        if as_json:
            echo(as_object(found.to_dict()))
        elif dialect:
            echo(prods_post(found, dialect, session, allow_leak))
        else:
            echo(activity_text(found))


def plot(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="wagons|activity|votes|board",
            help="Wagon sizes, posts per player, who voted for whom, or the board of the game here.",
        ),
    ],
    source: Source = None,
    game: Game = None,
    day: Annotated[int | None, typer.Option(min=1, help="Which day; activity shows it by the hour.")] = None,
    at: At = None,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    time: Annotated[bool, typer.Option("--time", help="Draw wagons by time, not by post.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="Output file (default: in public/).")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print it as text you can post.")] = False,
    viewer: Annotated[
        str | None,
        typer.Option("--for", metavar="NAME", help="With board: as this player sees it, for a PM."),
    ] = None,
    allow_private_host: PrivateHost = False,
) -> None:
    """Draw a chart of wagons, posts or votes, or a game's board.

    Example: knightfall plot wagons --day 2 --text

    Writes an SVG or PNG that players may see, and prints its path. --text prints a text version instead; post
    it in code tags, because its columns need a fixed-width font. If the game hides its board, --for NAME
    draws what that player may see and saves it in private/.
    """
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session

    game = game_of(source, game)
    if kind == BOARD:
        from knightfall.services.boards import board_text, plot_board

        session = real_session(game_needed(game), allow_private_host)
        echo(board_text(session, viewer) if text else "\n".join(map(str, plot_board(out, session, viewer))))
        return
    from knightfall.cli.format_count import open_votes_text
    from knightfall.errors import DecisionNeeded
    from knightfall.services.count.plots import PlotRequest, plot_file, plot_text
    from knightfall.services.count.request import CountRequest

    session = real_session(game, allow_private_host)
    at = at_in_full(at, session)
    count = CountRequest(tuple(source or ()), from_html, from_jsonl, day, at, stored=stored)
    request = PlotRequest(kind, count, time)
    with progress_bar(session) as reading:
        made = plot_text(request, reading) if text else plot_file(request, out, reading)
        echo(made.text if made.path is None else made.path)
    if made.questions or made.lost:
        votes = (open_votes_text(made.questions),) if made.questions else ()
        raise DecisionNeeded(joined("\n", (*made.lost, *votes)))


def read(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL | FILE...", help="The thread, or files with --from-… (default: the game's)."
        ),
    ] = None,
    from_html: Annotated[bool, typer.Option("--from-html", help="Read pages saved in your browser.")] = False,
    from_jsonl: Annotated[
        bool, typer.Option("--from-jsonl", help="Read posts from a JSON Lines file, also .gz.")
    ] = False,
    as_json: AsJson = False,
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="Browser cookies for logging in: Netscape format, file mode 0600.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Read every page again, to find edits and deletions.")
    ] = False,
    game: Annotated[
        Path | None,
        typer.Option(
            help="Store the pages with this game: folder, game.toml or game.db (default: this folder)."
        ),
    ] = None,
) -> None:
    """Read a thread, store it and show a summary. Example: knightfall read --again

    Also lists what has changed since the last read. If the thread was read before, reading continues from the
    last known page. Pages saved in your browser are stored with the game, and every command can then count
    them with --stored.
    """
    from knightfall.cli.format_count import news_lines, thread_table
    from knightfall.cli.terminal import progress_bar, real_session
    from knightfall.cli.ways import as_object
    from knightfall.services.threads import incomplete, source_here
    from knightfall.services.threads import read as read_thread

    session = real_session(game_here(game), allow_private_host, cookies)
    source = source_here(what or (), from_html, from_jsonl, again, session)
    with progress_bar(session) as reading:
        found = read_thread(source, reading)
    echo(as_object(found.to_dict()) if as_json else thread_table(found.thread))
    for line in news_lines(found):
        echo(line, err=as_json)
    if from_jsonl:
        aside("Nothing of it is kept: vc --from-jsonl counts the file; --stored needs pages (--from-html).")
    if not found.thread.complete:
        aside(incomplete(found.thread))
        raise typer.Exit(4)
