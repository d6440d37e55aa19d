"""Verbs of a thread and its votes: vc, near, explain, roster, activity, plot, read and evidence."""

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
    echo,
    game_here,
    game_needed,
)

if TYPE_CHECKING:
    from knightfall.services.count_request import CountRequest
    from knightfall.services.session import Session
    from knightfall.services.votecount import VotecountAnswer

SUGGEST, BOARD = "suggest", "board"
"""Words that are no thread and no day: nicknames to accept; the picture of a board."""


def vc(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="URL | FILE...",
            help="The thread, or files with --from-…; with --game the thread that game.toml names.",
        ),
    ] = None,
    game: Game = None,
    day: Day = None,
    at: Annotated[
        str | None, typer.Option(metavar="POST|TIME", help="Count as of this post or moment.")
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post, e.g. mafiascum.")
    ] = None,
    as_json: AsJson = False,
    from_html: Annotated[bool, typer.Option("--from-html", help="Count pages saved in a browser.")] = False,
    from_jsonl: Annotated[
        bool, typer.Option("--from-jsonl", help="Count posts as JSON Lines, .gz or not.")
    ] = False,
    view: Annotated[
        str, typer.Option(metavar="public|mod", help="What players may see, or with hidden weights.")
    ] = "public",
    footnotes: Annotated[
        bool, typer.Option("--footnotes", help="Your decisions on posts, with reasons, under the count.")
    ] = False,
    theme: Annotated[
        str | None, typer.Option(metavar="NAME", help="area, compact, table, ticks or history.")
    ] = None,
    template: Annotated[Path | None, typer.Option(help="A template of your own, in Jinja.")] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="So long may a post be; a longer one is split.")
    ] = None,
    copying: Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")] = False,
    posted: Annotated[
        bool, typer.Option("--posted", help="Note in the game that this count was posted; numbers rise.")
    ] = False,
    waiting: Annotated[
        bool, typer.Option("--wait", help="Wait for the day's deadline, then make the final count.")
    ] = False,
    stored: Annotated[
        bool, typer.Option("--stored", help="Count what was read before, without asking the forum.")
    ] = False,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
) -> None:
    """Count the votes of a thread and print the votecount post. Example: knightfall vc --at 84 --as mafiascum

    The post goes to standard output, ready to paste; what was assumed, asked and not counted goes to standard
    error. Exit status 3: a vote needs your decision; the count is printed all the same.
    """
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.errors import InputError
    from knightfall.services.count_request import CountRequest, PostFormat
    from knightfall.services.votecount import count_votes
    from knightfall.votes.votecount import View

    if view not in [one.value for one in View]:
        raise InputError(f"--view {view}: expected public or mod.")
    words = tuple(what or ())
    game = _game_of(words, game)
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
    )
    if waiting:
        from knightfall.cli.day import count_at_deadline
        from knightfall.services.votecount import answer_of

        done = count_at_deadline(request, session)
        show(answer_of(done, request, session), request, session, as_json, copying, posted)
        return
    with progress_bar(session) as reading:
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
    from knightfall.cli.format_count import after_count, before_count, part_headings, questions_text
    from knightfall.engine.json_text import as_object
    from knightfall.errors import DecisionNeeded
    from knightfall.services.votecount import note_as_counted, note_as_posted, post_of

    for line in before_count(answer):
        _aside(line)
    if as_json:
        echo(as_object(answer.to_dict()))
    else:
        post = post_of(answer, request, session)
        count = len(post.parts)
        headings = part_headings(post.parts, post.dialect)
        for number, (heading, part) in enumerate(zip(headings, post.parts, strict=True), 1):
            if heading:
                _aside(heading)
            echo(part if number == count else f"{part}\n")
        if copying:
            from knightfall.cli.terminal import Clipboard

            # One part after the other on the clipboard, as long as the moderator asks for the next.
            clipboard = Clipboard()
            for number, part in enumerate(post.parts, 1):
                clipboard.copy(part, post.rich)
                _aside("Copied." if count == 1 else f"Copied: part {number} of {count}.")
                if number < count and not clipboard.pasted():
                    break
        if posted:
            noted = note_as_posted(post, answer, session)
            heading = answer.counted.count.heading
            _aside(f"{heading} is noted as posted; the next one will be number {noted.number + 1}.")
    note_as_counted(answer, session)
    for line in after_count(answer):
        _aside(line)
    if answer.questions:
        raise DecisionNeeded(questions_text(answer.questions))


def near(
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
    """List what looks like a vote and was not counted. Example: knightfall near

    Each with its reason and link. Decide on one with: knightfall fix POST --to NAME --why "…"
    """
    from knightfall.cli.format_count import near_text
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services.count_request import CountRequest
    from knightfall.services.explain_count import near_misses

    game = _game_of(source, game)
    session = real_session(game, allow_private_host)
    at = at_in_full(at, session)
    request = CountRequest(tuple(source or ()), from_html, from_jsonl, day, at, stored=stored)
    with progress_bar(session) as reading:
        found = near_misses(request, reading)
    echo(as_object(found.to_dict()) if as_json else near_text(found))


def explain(
    what: Annotated[str, typer.Argument(metavar="NAME|POST", help="A player with votes, or a post number.")],
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
    """Say why votes count or do not, for a player or for a post. Example: knightfall explain Kestrel --day 1

    For a player each vote with post, voter, text and how the name was matched; for a post all that was read
    in it, counted or not. For the moderator's eyes: weights are shown.

    In the folder of a game that is played there (knightfall new): every line that was told of a name or a
    number, with the entry and the rulings behind it; --at is then an entry of the log. There, too, --day says
    that the votes of a day are meant.
    """
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.errors import InputError, KnightfallError
    from knightfall.services.turns import history, is_played

    game = _game_of(source, game)
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
    from knightfall.services.count_request import CountRequest
    from knightfall.services.explain_count import explain as explained

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
        typer.Argument(metavar="[suggest] URL | FILE...", help="The thread, as for vc; before it: suggest."),
    ] = None,
    game: Game = None,
    at: At = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_private_host: PrivateHost = False,
) -> None:
    """List who plays, or nicknames to accept as aliases. Example: knightfall roster suggest

    Of each slot: who holds it, who held it before, aliases, how and where it left, last post.

    With the word suggest: nicknames that the votes and your own votecounts teach, each with its evidence and
    the command that makes it an alias. Nothing is applied by itself. What was assumed goes to standard error.
    """
    from knightfall.cli.format_count import slots_table, suggestions_text
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services import roster as people
    from knightfall.services.count_request import CountRequest

    words = tuple(source or ())
    learning = words[:1] == (SUGGEST,)
    words = words[learning:]
    game = _game_of(words, game)
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
        _aside(sentence)


def activity(
    source: Source = None,
    game: Game = None,
    at: Annotated[
        str | None, typer.Option(metavar="POST|TIME", help="As of this post or moment; else now.")
    ] = None,
    dialect: Annotated[
        str | None, typer.Option("--as", metavar="DIALECT", help="The public post of prods in this dialect.")
    ] = None,
    as_json: AsJson = False,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    allow_leak: AllowLeak = "",
    allow_private_host: PrivateHost = False,
) -> None:
    """Show who posts and who is silent. Example: knightfall activity --at 84

    The living players: posts a day, last post, hours of silence that count, and who is due a prod by
    prod_after, prod_grace, max_prods, weekends and v_la of game.toml. With --as the public list of prods:
    names only. A time that the forum tells only roughly is marked with ~."""
    from knightfall.cli.format_count import activity_text, unknown_silence
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services.activity import activity as measured
    from knightfall.services.activity import prods_post
    from knightfall.services.count_request import CountRequest

    game = _game_of(source, game)
    words = tuple(source or ())
    session = real_session(game, allow_private_host)
    at = at_in_full(at, session)
    request = CountRequest(words, from_html, from_jsonl, at=at, dialect=dialect, stored=stored)
    with progress_bar(session) as reading:
        found = measured(request, reading)
        for sentence in (*found.assumed, *unknown_silence(found)):
            _aside(sentence)
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
            help="Sizes of wagons, posts, who voted whom; or the board of a game played in this folder.",
        ),
    ],
    source: Source = None,
    game: Game = None,
    day: Annotated[int | None, typer.Option(min=1, help="Which day; activity: that day in hours.")] = None,
    at: At = None,
    from_html: FromHtml = False,
    from_jsonl: FromJsonl = False,
    stored: Stored = False,
    time: Annotated[bool, typer.Option("--time", help="Wagons along the time, not the posts.")] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="Where to; else the game's public/.")
    ] = None,
    text: Annotated[bool, typer.Option("--text", help="Print it as text, ready for a post.")] = False,
    viewer: Annotated[
        str | None, typer.Option("--for", metavar="NAME", help="board: as this player sees it, for a PM.")
    ] = None,
    allow_private_host: PrivateHost = False,
) -> None:
    """Draw the wagons, posts or votes of a day, or a board. Example: knightfall plot wagons --day 2 --text

    How the wagons grew, who posted how much, or who voted for whom when. Writes an SVG or PNG that players
    may see and prints its path; --text prints the same as text (put it between code tags: its columns want
    letters of one width). Where a game hides its board, --for NAME draws what that player may see, into the
    game's private/.
    """
    from knightfall.cli.terminal import at_in_full, progress_bar, real_session

    game = _game_of(source, game)
    if kind == BOARD:
        from knightfall.services.boards import board_text, plot_board

        session = real_session(game_needed(game), allow_private_host)
        echo(board_text(session, viewer) if text else "\n".join(map(str, plot_board(out, session, viewer))))
        return
    from knightfall.cli.format_count import open_votes_text
    from knightfall.errors import DecisionNeeded
    from knightfall.services.count_request import CountRequest
    from knightfall.services.plots import PlotRequest, plot_file, plot_text

    session = real_session(game, allow_private_host)
    at = at_in_full(at, session)
    count = CountRequest(tuple(source or ()), from_html, from_jsonl, day, at, stored=stored)
    request = PlotRequest(kind, count, time)
    with progress_bar(session) as reading:
        made = plot_text(request, reading) if text else plot_file(request, out, reading)
        echo(made.text if made.path is None else made.path)
    if made.questions:
        raise DecisionNeeded(open_votes_text(made.questions))


def read(
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL | FILE...", help="The thread, or files with --from-…; else the game's."),
    ] = None,
    from_html: Annotated[bool, typer.Option("--from-html", help="Read pages saved in a browser.")] = False,
    from_jsonl: Annotated[
        bool, typer.Option("--from-jsonl", help="Read posts as JSON Lines, .gz or not.")
    ] = False,
    as_json: AsJson = False,
    allow_private_host: PrivateHost = False,
    cookies: Annotated[
        Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="Read every page again, to find edits and deletions.")
    ] = False,
    game: Annotated[
        Path | None,
        typer.Option(
            help="Keep the pages with this game: its folder, game.toml or game.db; else the one you are in."
        ),
    ] = None,
) -> None:
    """Read a thread into the evidence and say what is there. Example: knightfall read --again

    What has changed since the last read is told, too. A thread that was read before is read on from its last
    known page. Pages saved in a browser are kept in the folder of a game, too; then every verb counts them
    with --stored.
    """
    from knightfall.cli.format_count import news_lines, thread_table
    from knightfall.cli.terminal import progress_bar, real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services.reading import incomplete, source_here
    from knightfall.services.reading import read as read_thread

    session = real_session(game_here(game), allow_private_host, cookies)
    source = source_here(what or (), from_html, from_jsonl, again, session)
    with progress_bar(session) as reading:
        found = read_thread(source, reading)
    echo(as_object(found.to_dict()) if as_json else thread_table(found.thread))
    for line in news_lines(found):
        echo(line, err=as_json)
    if not found.thread.complete:
        _aside(incomplete(found.thread))
        raise typer.Exit(4)


def evidence(
    post: Annotated[str, typer.Argument(help="The number of the post, as the forum counts.")],
    url: Annotated[str | None, typer.Argument(help="The address of the thread; else the game's.")] = None,
    game: Annotated[Path | None, typer.Option(help="A game: its folder, game.toml or game.db.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show every version of a post that was read. Example: knightfall evidence 67

    With times, hashes and what differs.
    """
    from knightfall.cli.format_count import history_lines
    from knightfall.cli.terminal import real_session
    from knightfall.engine.json_text import as_object
    from knightfall.services.reading import history_of

    game = _game_of(url, game)
    found = history_of(post, url, real_session(game, allow_private=False))
    echo(as_object(found.to_dict()) if as_json else "\n".join(history_lines(found)))


def _game_of(named: object, game: Path | None) -> Path | None:
    """The game that is named, else the folder's; a thread that is named is counted by itself, and says so
    where it stands beside a game."""
    if not named or game is not None:
        return game_here(game)
    if game_here(None) is not None:
        _aside("Read without the game of this folder, by what the thread tells. With it: --game .")
    return None


def _aside(sentence: str) -> None:
    echo(sentence, err=True)
