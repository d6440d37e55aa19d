"""The verbs of the command line, in groups that a moderator thinks in.

One line a verb; its module is loaded when the verb is asked for.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from knightfall.cli.terminal import echo, globally
from knightfall.parameters import Parameter
from knightfall.services.questions import QUESTIONS

VERBS: Mapping[str, tuple[str, str]] = {
    "help": ("help.help_", "Show the manual, a page of it, or help on a command."),
    "web": ("web.web", "Run your games on a page in the browser."),
    "vc": ("count.vc", "Count the votes in a thread and print the votecount."),
    "explain": ("count.explain", "Explain why votes count or don't, for a player or a post."),
    "plot": ("count.plot", "Draw a chart of wagons, posts or votes, or a game's board."),
    "activity": ("count.activity", "Show who is posting and who has gone quiet."),
    "fix": ("game.fix", "Decide how a post counts."),
    "alias": ("game.alias", "Add a nickname for a player."),
    "roster": ("count.roster", "List the players, or suggest nicknames to add."),
    "nicknames": ("count.nicknames", "List the nicknames that your answers taught, or forget one."),
    "undo": ("game.undo", "Undo a decision; an undo can be undone too."),
    "rule": ("game.rule", "Record a ruling."),
    "file": ("game.file", "Name a thread of the game in game.toml."),
    "put-away": ("game.put_away", "Put a game away, bring it back, or delete it."),
    "verify": ("game.verify", "Check the game for tampering or damage."),
    "hand-over": ("hand_over.hand_over", "Write the game as text for your co-moderators' topic."),
    "take-over": ("hand_over.take_over", "Go on with a game that another moderator handed over."),
    "adopt": ("adopt.adopt", "Take in a running game that was not begun here."),
    "passport": ("hand_over.passport", "Write the game as JSON for other programs."),
    "export": ("game.export", "Export the journal as JSON Lines."),
    "import": ("game.import_", "Import a backup, or merge in a newer journal."),
    "phase": ("day.phase", "Open, extend, pause, lock or close a phase."),
    "ics": ("day.ics", "Write phases and deadlines to public/calendar.ics."),
    "archive": ("game.archive", "Save the whole game as web pages."),
    "replace": ("people.replace", "Replace a player."),
    "modkill": ("people.modkill", "Modkill a player (remove them from the game)."),
    "kill": ("people.kill", "Record a player's death during the day."),
    "revive": ("people.revive", "Bring a player back to life."),
    "prod": ("people.prod", "Prod players who have gone quiet."),
    "vla": ("people.vla", "Record an absence."),
    "mod-note": ("people.mod_note", "Write a note to all players and keep it."),
    "watch": ("day.watch", "Watch the game's threads and tell you what needs attention."),
    "flip": ("day.flip", "Print the post that shows who was eliminated and their role."),
    "read": ("count.read", "Read a thread, store it and show a summary."),
    "post": ("game.post", "Write a post for the thread and save it in public/."),
    "resolve": ("night.resolve", "Resolve a night: causes for you, the dawn post and the PMs."),
    "whatif": ("night.whatif", "Resolve a night again with something changed."),
    "why": ("night.why", "Explain why a player lived or died, and what they were told."),
    "setups": ("lookups.setups", "List the setups of a game."),
    "deal": ("game.deal", "Deal the roles from a secret seed."),
    "fair": ("fair.fair", "Deal so that nobody can choose the deal, and check such a deal."),
    "new": ("game.new", "Start a game."),
    "rehearse": ("rehearse.rehearse", "Host a sample game whose players are played."),
    "submit": ("night.submit", "Record a player's message, or all new ones."),
    "status": ("night.status", "Show where the game stands and what to do next."),
    "missing": ("night.missing", "Show what is open and who hasn't sent anything."),
    "commit": ("night.commit", "Close the current phase and write its posts."),
    "draw": ("night.draw", "Enter a card draw or die roll of your own."),
    "pm": ("people.pm", "Send PMs one at a time, in random order, and track them."),
    "rooms": ("people.rooms", "List who should be in each private topic, or note who is."),
    "signup": ("people.signup", "Read a sign-up thread and decide what unclear posts mean."),
    "balance": ("balance.balance", "Play a setup many times and show how often each side wins."),
    "review": (
        "review.review",
        "Review a setup: its faults, and what each role is worth.",
    ),
    "recount": ("balance.recount", "Count every thread of an archive, a line of JSON each."),
    "conform": ("lookups.conform", "Run conformance cases and report failures."),
    "doctor": ("lookups.doctor", "Find problems with a page or with a game."),
    "completion": ("verbs.completion", "Print the script that gives your shell tab completion."),
    **{name: ("", question.help) for name, question in QUESTIONS.items()},
}
"""Each verb or group of verbs → its module beside this one with its name there, and the first sentence of
its help: a list of verbs is printed without loading any of them.
Questions have no function of their own. A test compares these with the help."""

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
    "To begin": ("web", "status", "new", "signup", "deal", "adopt", "help"),
    "Count": ("read", "vc", "explain", "near", "fix", "roster", "activity"),
    "Day": ("phase", "watch", "flip"),
    "Night and rounds": ("submit", "missing", "resolve", "why", "commit"),
    "People": ("replace", "modkill", "kill", "prod", "vla", "pm", "rooms"),
    "Posts and journal": ("post", "rule", "undo", "log", "verify", "archive", "hand-over"),
}
"""Heading of the help → the verbs that a moderator meets, in the order of an evening."""

SELDOM = "More, each with --help"
"""The heading of all other verbs: what is done seldom, looked up, or asked by developers."""


def seldom_verbs() -> tuple[str, ...]:
    """The verbs under no heading of `GROUPS`, in alphabetical order."""
    met = {verb for verbs in GROUPS.values() for verb in verbs}
    return tuple(sorted({*VERBS, *GAME_VERBS} - met))


MEANT: Mapping[str, str] = {
    **dict.fromkeys(("vote", "votes", "count", "tally", "votecount"), "vc"),
    **dict.fromkeys(("due", "next", "todo"), "status"),
    **dict.fromkeys(("players", "playerlist"), "roster"),
    "open": "phase open",
    **dict.fromkeys(("deadline", "extend"), "phase extend"),
    **dict.fromkeys(("pause", "stop"), "phase stop"),
    "lock": "phase lock",
    "close": "phase close",
    **dict.fromkeys(("eliminate", "lynch"), "flip"),
    **dict.fromkeys(("action", "actions", "order", "orders"), "submit"),
    **dict.fromkeys(("sub", "substitute"), "replace"),
    **dict.fromkeys(("host", "start", "begin"), "new"),
    "thread": "file",
    **dict.fromkeys(("journal", "history"), "log"),
    **dict.fromkeys(("shelf", "delete"), "put-away"),
    "serve": "web",
    "commit-deal": "fair commit",
    **dict.fromkeys(("round", "beacon"), "fair round"),
    "verify-deal": "fair verify",
    "check-page": "fair page",
    **dict.fromkeys(("manual", "docs"), "help"),
}
"""Word of a moderator that is no verb → the verb they look for."""


class AsTyped:
    """A command whose texts and numbers are read as they were typed, and whose options that were not given
    stay empty; its help calls values as moderators do.

    typer would have pydantic read them, which takes longer to load than a verb and speaks of Python. It still
    checks the rest: paths, choices.
    """

    def get_params(self, ctx: Any) -> list[Any]:
        """Its parameters and `--help`, each of which asks `_as_typed` first."""
        parameters: list[Any] = super().get_params(ctx)  # type: ignore[misc]
        for parameter in parameters:
            known = hasattr(parameter, "type_descriptor")
            if known and not isinstance(parameter.process_value, partial):
                parameter.process_value = partial(_as_typed, parameter, parameter.process_value)
                _show_plainly(parameter)
        return parameters


def _as_typed(parameter: Any, checked: Callable[[Any, Any], Any], context: Any, value: Any) -> Any:
    """The value of a parameter as typer makes it of what was typed; `checked` asks typer itself."""
    several = parameter.multiple or parameter.nargs == -1
    info = parameter.type_descriptor
    plain = info.parameter_info.parser is None
    if value is None and not parameter.required:
        taken: Any = () if several else None
    elif plain and info.annotation in (int, float) and isinstance(value, str):
        taken = _number_of(parameter).read(value)
    elif plain and not parameter.required and info.annotation is str and isinstance(value, str):
        taken = value
    elif (
        plain
        and not parameter.required
        and info.annotation == list[str]
        and several
        and not isinstance(value, str)
    ):
        taken = list(value)
    else:
        return checked(context, value)
    return parameter.callback(context, parameter, taken) if parameter.callback else taken


def _number_of(parameter: Any) -> Parameter:
    """A number of the command line as it is declared for every face: one bound has one voice."""
    about = parameter.type_descriptor
    flag = max(parameter.opts, key=len).removeprefix("--")
    limits = about.parameter_info
    return Parameter(parameter.name, "", about.annotation, least=limits.min, most=limits.max, flag=flag)


VALUE_WORDS: Mapping[type, str] = {int: "N", float: "N", Path: "FILE", str: "TEXT"}
"""What the help calls a value of a type where its parameter does not say."""


def _show_plainly(parameter: Any) -> None:
    """Let the help of a parameter say its value in a word, bounds in words, and no default twice."""
    parameter.help = parameter.help or ""
    is_argument = parameter.param_type_name == "argument"
    if is_argument:
        parameter.metavar = parameter.metavar or parameter.name.upper().replace("_", " ")
        parameter.display_type = lambda ctx: ""  # noqa: ARG005  # typer's signature
    elif not parameter.is_flag:
        kind = parameter.type_descriptor.annotation
        parameter.metavar = parameter.metavar or VALUE_WORDS.get(kind)
    if "(default: " in parameter.help:
        parameter.show_default = False
    limits = parameter.type_descriptor.parameter_info
    parameter._get_number_range_help_str = partial(bounds_in_words, limits.min, limits.max)


def bounds_in_words(least: float | None, most: float | None) -> str | None:
    """What a number may be, in words; None where it may be any, or any that counts something."""
    if most is not None:
        return f"{least or 0:g} to {most:g}"
    return f"{least:g} or more" if least else None


class Verb(AsTyped, TyperCommand):
    """A verb of its own, without others below it."""


class ListedVerb(TyperCommand):
    """A verb that is not loaded yet: its name, and the first sentence of its help."""


class GroupedVerbs(AsTyped, TyperGroup):
    """The command line. Its help lists the verbs under the headings of `GROUPS`, none of them loaded; a verb
    is loaded when it is asked for."""

    def __init__(self, **told: Any) -> None:
        super().__init__(**told)
        for verb, (_, sentence) in {**VERBS, **GAME_VERBS}.items():
            self.commands[verb] = ListedVerb(verb, help=sentence)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The verb of that name; None where there is none."""
        if isinstance(self.commands.get(cmd_name), ListedVerb):
            self.commands[cmd_name] = _loaded(cmd_name)
        elif cmd_name not in self.commands and (found := _of_another_package(cmd_name)) is not None:
            self.commands[cmd_name] = found
        return super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The verb that was typed. Where it is none, the error offers the one that moderators mean by that
        word, or one that is spelled nearly so."""
        typed = args[0] if args else ""
        meant = MEANT.get(typed.lower())
        if meant is not None and self.get_command(ctx, typed) is None:
            ctx.fail(f"No such command '{typed}'. Did you mean '{meant}'?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002  # typer's signature
        """Write a section a group, in the same columns, and the names of all other verbs."""
        widest = max(len(verb) for verbs in GROUPS.values() for verb in verbs)
        for heading, verbs in GROUPS.items():
            rows = [
                (f"{verb:<{widest}}", self.commands[verb].get_short_help_str(formatter.width - 6 - widest))
                for verb in verbs
            ]
            with formatter.section(heading):
                formatter.write_dl(rows)
        with formatter.section(SELDOM):
            formatter.write_text(", ".join(seldom_verbs()))


def _of_another_package(verb: str) -> Any:
    """The command of a question that a game of another package answers; None where none does."""
    from knightfall.cli.questions import verb_of_lookup
    from knightfall.services.games import outside_lookup

    game = outside_lookup(verb)
    return None if game is None else _command(verb, verb_of_lookup(verb, game))


def _loaded(verb: str) -> Any:
    """The command of a verb, its module imported."""
    if verb in GAME_VERBS:
        from knightfall.cli.questions import verb_of_lookup

        found: Any = verb_of_lookup(verb, GAME_VERBS[verb][0])
    elif verb in QUESTIONS:
        from knightfall.cli.questions import verb_of_question

        found = verb_of_question(verb)
    else:
        module, _, name = VERBS[verb][0].partition(".")
        found = getattr(import_module(f"knightfall.cli.{module}"), name)
    return _command(verb, found)


def _command(verb: str, found: Any) -> Any:
    """A verb, or a group of verbs, as a command."""
    app = typer.Typer(rich_markup_mode=None)
    if isinstance(found, typer.Typer):
        for one in found.registered_commands:
            one.cls = Verb
        app.add_typer(found, name=verb)
    else:
        app.command(verb, cls=Verb)(found)
    return get_group(app).commands[verb]


def command_line() -> typer.Typer:
    """The command line with every verb."""
    app = typer.Typer(
        name="knightfall",
        cls=GroupedVerbs,
        help="An assistant for people who moderate mafia and other forum games.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(globally)
    return app


VARIABLE = "_KNIGHTFALL_COMPLETE"
SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="Your shell.")],
) -> None:
    """Print the script that gives your shell tab completion. Example: knightfall completion bash

    For this session: eval "$(knightfall completion bash)". To keep it, write it where your shell looks for
    it: knightfall completion fish > ~/.config/fish/completions/knightfall.fish
    """
    from typer._completion_shared import get_completion_script

    from knightfall.errors import InputError

    if shell not in SHELLS:
        raise InputError(f"“{shell}” is not supported; expected one of {', '.join(SHELLS)}.")
    echo(get_completion_script(prog_name="knightfall", complete_var=VARIABLE, shell=shell))


def complete_when_asked() -> None:
    """Makes ready to answer a shell that completes; nothing at all at any other start."""
    if VARIABLE in os.environ:
        from typer._completion_classes import completion_init

        completion_init()
