"""The verbs of the command line, in groups that a moderator thinks in.

One line a verb; its module is loaded when the verb is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from knightfall.cli.terminal import echo, globally

VERBS: Mapping[str, tuple[str, str]] = {
    "vc": ("count.vc", "Count the votes of a thread and print the votecount post."),
    "near": ("count.near", "List what looks like a vote and was not counted."),
    "explain": ("count.explain", "Say why votes count or do not, for a player or for a post."),
    "plot": ("count.plot", "Draw the wagons, posts or votes of a day, or a board."),
    "activity": ("count.activity", "Show who posts and who is silent."),
    "fix": ("game.fix", "Decide how one post counts."),
    "alias": ("game.alias", "Teach another name of a player."),
    "roster": ("count.roster", "List who plays, or nicknames to accept as aliases."),
    "undo": ("game.undo", "Take a decision back; an undo can be undone as well."),
    "log": ("game.log", "List all that was decided and put into the game."),
    "rule": ("game.rule", "Keep a ruling."),
    "verify": ("game.verify", "Check that the game is what was written."),
    "export": ("game.export", "Write the journal as JSON Lines."),
    "import": ("game.import_", "Bring in a journal, or what it has more than this one."),
    "phase": ("day.phase", "Open, extend, lock and end a day."),
    "ics": ("day.ics", "Write the phases and deadlines to public/calendar.ics."),
    "archive": ("game.archive", "Write the game as pages to keep."),
    "replace": ("people.replace", "Give a slot to somebody else."),
    "modkill": ("people.modkill", "Take a player out of the game."),
    "kill": ("people.kill", "Note that a player died during a day."),
    "revive": ("people.revive", "Bring a player back to life."),
    "prod": ("people.prod", "Remind players to post."),
    "vla": ("people.vla", "Note an announced absence."),
    "mod-note": ("people.mod_note", "Write a note for everybody and keep it."),
    "watch": ("day.watch", "Follow the game's threads and tell at once what needs you."),
    "flip": ("day.flip", "Print the post that tells who was eliminated and the role."),
    "read": ("count.read", "Read a thread into the evidence and say what is there."),
    "evidence": ("count.evidence", "Show every version of a post that was read."),
    "post": ("game.post", "Write a post for the thread and keep it in public/."),
    "resolve": ("night.resolve", "Decide a night: causes for you, the dawn post, the PMs."),
    "whatif": ("night.whatif", "Decide a night again with something done otherwise."),
    "why": ("night.why", "Say why a player lived or died, and what they were told."),
    "rulings": ("lookups.rulings", "List the rulings of a game, with what they leave to you."),
    "setups": ("lookups.setups", "List the setups of a game."),
    "deal": ("game.deal", "Deal by a secret seed."),
    "verify-deal": ("game.verify_deal", "Deal again from the published seed."),
    "games": ("lookups.games", "List the games on board."),
    "new": ("game.new", "Begin a game."),
    "submit": ("night.submit", "Take in a message, or all that wait somewhere."),
    "submissions": (
        "night.submissions",
        "List the messages since something was last closed.",
    ),
    "status": ("night.status", "Say how the game stands, and what comes next."),
    "missing": ("night.missing", "Say what is open and whose message is awaited."),
    "commit": ("night.commit", "Close what is open and write its posts."),
    "draw": ("night.draw", "Type in a card or die of your own."),
    "pm": ("people.pm", "Send PMs one at a time, in random order, and keep a ledger."),
    "signup": ("people.signup", "Read a sign-up thread; decide what is unclear in it."),
    "conform": ("lookups.conform", "Run conformance cases and say which fail."),
    "forums": ("lookups.forums", "List the forum software that can be read."),
    "doctor": ("lookups.doctor", "Say what is wrong with a page, or with a game."),
    "completion": ("verbs.completion", "Print what makes your shell complete verbs and options."),
}
"""Each verb or group of verbs → its module beside this one with its name there, and the first sentence of
its help: a list of verbs is printed without loading any of them. A test compares these with the help."""

GAME_VERBS: Mapping[str, tuple[str, str]] = {
    "roles": (
        "custom_mafia",
        "List the roles for Custom Mafia, or say what one does.",
    ),
    "odds": (
        "knights_duty",
        "Count the chance of a hit in Knight's Duty.",
    ),
    "replay": (
        "knight_fight",
        "Play a record of Knight Fight again by the rules.",
    ),
    "moves": (
        "knight_fight",
        "List the legal moves of a position of Knight Fight.",
    ),
}
"""Verbs that one game alone answers → the game, and the first sentence of the help."""

GROUPS: Mapping[str, Sequence[str]] = {
    "Now": ("status",),
    "Count": ("vc", "near", "explain", "fix", "alias", "roster", "activity", "plot", "read", "evidence"),
    "Day": ("phase", "flip", "watch", "ics"),
    "Night and rounds": ("submit", "submissions", "missing", "draw", "resolve", "why", "whatif", "commit"),
    "People": ("signup", "replace", "modkill", "kill", "revive", "prod", "vla", "pm"),
    "Posts": ("post", "mod-note", "archive"),
    "Game and journal": ("new", "deal", "verify-deal", "log", "undo", "rule", "verify", "export", "import"),
    "Look up": ("games", "rulings", "setups", "roles", "odds", "replay", "moves", "forums", "doctor"),
    "More": ("conform", "completion"),
}
"""Heading of the help → its verbs, each in one group, in the order of the help."""


class GroupedVerbs(TyperGroup):
    """The command line whose help lists the verbs under the headings of `GROUPS`."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # typer's signature
        """Write a section a group; every list of verbs has the same columns."""
        widest = max(map(len, self.commands))
        for heading, verbs in GROUPS.items():
            known = [verb for verb in verbs if verb in self.commands]
            rows = [
                (f"{verb:<{widest}}", self.commands[verb].get_short_help_str(formatter.width - 6 - widest))
                for verb in known
            ]
            if rows:
                with formatter.section(heading):
                    formatter.write_dl(rows)


def command_line(verbs: Sequence[str] = ()) -> typer.Typer:
    """The command line with these verbs; with every verb where none is named."""
    app = _no_verbs()
    for verb in verbs or (*VERBS, *GAME_VERBS):
        if verb in GAME_VERBS:
            from knightfall.cli.lookups import verb_of

            app.command(verb)(verb_of(verb, GAME_VERBS[verb][0]))
            continue
        module, _, name = VERBS[verb][0].partition(".")
        found = getattr(import_module(f"knightfall.cli.{module}"), name)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=verb)
        else:
            app.command(verb)(found)
    return app


def list_of_verbs() -> typer.Typer:
    """The command line as its help lists it: every verb by its first sentence, none of them loaded."""
    app = _no_verbs()
    for verb, (_, sentence) in {**VERBS, **GAME_VERBS}.items():
        app.command(verb, help=sentence)(_nothing)
    return app


def _no_verbs() -> typer.Typer:
    app = typer.Typer(
        name="knightfall",
        cls=GroupedVerbs,
        help="The assistant of people who moderate text-post games on forums.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(globally)
    return app


def _nothing() -> None:
    """What a verb does in a list."""


def line_for(words: Sequence[str]) -> typer.Typer:
    """The command line for these words: with their verb; with the list of all where it is none of ours."""
    verb = next((word for word in words if not word.startswith("-")), "")
    completes = VARIABLE in os.environ
    if verb in VERBS or verb in GAME_VERBS:
        return command_line([verb])
    return command_line() if completes else list_of_verbs()


VARIABLE = "_KNIGHTFALL_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
) -> None:
    """Print what makes your shell complete verbs and options. Example: knightfall completion bash

    For this session: eval "$(knightfall completion bash)"; for good, write it where your shell looks:
    knightfall completion fish > ~/.config/fish/completions/knightfall.fish
    """
    from typer._completion_shared import get_completion_script

    from knightfall.errors import InputError

    if shell not in SHELLS:
        raise InputError(f"“{shell}” is no shell that we know; expected one of {', '.join(SHELLS)}.")
    echo(get_completion_script(prog_name="knightfall", complete_var=VARIABLE, shell=shell))


def complete_when_asked() -> None:
    """Makes ready to answer a shell that completes; nothing at all at any other start."""
    if VARIABLE in os.environ:
        from typer._completion_classes import completion_init

        completion_init()
