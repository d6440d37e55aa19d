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

VERBS: Mapping[str, str] = {
    "vc": "count.vc",
    "near": "count.near",
    "explain": "count.explain",
    "plot": "count.plot",
    "activity": "count.activity",
    "fix": "game.fix",
    "alias": "game.alias",
    "roster": "count.roster",
    "undo": "game.undo",
    "log": "game.log",
    "rule": "game.rule",
    "verify": "game.verify",
    "export": "game.export",
    "import": "game.import_",
    "phase": "day.phase",
    "ics": "day.ics",
    "archive": "game.archive",
    "replace": "people.replace",
    "modkill": "people.modkill",
    "kill": "people.kill",
    "revive": "people.revive",
    "prod": "people.prod",
    "vla": "people.vla",
    "mod-note": "people.mod_note",
    "watch": "day.watch",
    "flip": "day.flip",
    "read": "count.read",
    "evidence": "count.evidence",
    "post": "game.post",
    "resolve": "night.resolve",
    "whatif": "night.whatif",
    "why": "night.why",
    "rulings": "lookups.rulings",
    "setups": "lookups.setups",
    "deal": "game.deal",
    "verify-deal": "game.verify_deal",
    "games": "lookups.games",
    "new": "game.new",
    "submit": "night.submit",
    "submissions": "night.submissions",
    "missing": "night.missing",
    "commit": "night.commit",
    "draw": "night.draw",
    "pm": "people.pm",
    "signup": "people.signup",
    "conform": "lookups.conform",
    "forums": "lookups.forums",
    "doctor": "lookups.doctor",
    "completion": "verbs.completion",
}
"""Each verb or group of verbs → its module beside this one and its name there."""

GAME_VERBS: Mapping[str, tuple[str, str]] = {
    "roles": (
        "custom_mafia",
        "List the roles for Custom Mafia, or say what one does. Example: knightfall roles 2-shot weak doctor",
    ),
    "odds": (
        "knights_duty",
        "Count the chance of a hit in Knight's Duty. Example: knightfall odds SWORD --shield --hill",
    ),
    "replay": (
        "knight_fight",
        "Play a record of Knight Fight again by the rules. Example: knightfall replay bout.txt --turn 12",
    ),
    "moves": (
        "knight_fight",
        "List the legal moves of a position of Knight Fight. Example: knightfall moves bout.txt",
    ),
}
"""Verbs that one game alone answers → the game, and the first line of the help."""

GROUPS: Mapping[str, Sequence[str]] = {
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


def command_line(verbs: Sequence[str] = (), help_only: bool = False) -> typer.Typer:
    """The command line with these verbs; with every verb where none is named.

    `help_only`: enough to list the verbs, without loading the games that some of them belong to.
    """
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
    for verb in verbs or (*VERBS, *GAME_VERBS):
        if verb in GAME_VERBS:
            from knightfall.cli.lookups import verb_of

            app.command(verb)(verb_of(verb, *GAME_VERBS[verb], help_only))
            continue
        module, _, name = VERBS[verb].partition(".")
        found = getattr(import_module(f"knightfall.cli.{module}"), name)
        if isinstance(found, typer.Typer):
            app.add_typer(found, name=verb)
        else:
            app.command(verb)(found)
    return app


def line_for(words: Sequence[str]) -> typer.Typer:
    """The command line for these words: with their verb; with all where it is none of ours."""
    verb = next((word for word in words if not word.startswith("-")), None)
    known = verb is not None and (verb in VERBS or verb in GAME_VERBS)
    return command_line([verb]) if verb and known else command_line(help_only=True)


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
