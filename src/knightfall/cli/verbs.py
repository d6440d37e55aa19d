"""The verbs of the command line, in groups that a moderator thinks in.

One line a verb; its module is loaded when the verb is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperGroup

from knightfall.cli.loudness import globally

VERBS: Mapping[str, str] = {
    "vc": "count.vc",
    "near": "near.near",
    "explain": "explain.explain",
    "plot": "plot.plot",
    "activity": "activity.activity",
    "fix": "journal.fix",
    "alias": "journal.alias",
    "roster": "roster.roster",
    "undo": "journal.undo",
    "log": "journal.log",
    "rule": "journal.rule",
    "verify": "journal.verify",
    "export": "journal.export",
    "import": "journal.import_",
    "phase": "day.phase",
    "ics": "day.ics",
    "archive": "archive.archive",
    "replace": "people.replace",
    "modkill": "people.modkill",
    "kill": "people.kill",
    "revive": "people.revive",
    "prod": "people.prod",
    "vla": "people.vla",
    "mod-note": "people.mod_note",
    "watch": "day.watch",
    "flip": "day.flip",
    "read": "read.read",
    "evidence": "evidence.evidence",
    "post": "post.post",
    "resolve": "night.resolve",
    "whatif": "night.whatif",
    "why": "night.why",
    "rulings": "lookups.rulings",
    "setups": "lookups.setups",
    "roles": "lookups.roles",
    "deal": "new.deal",
    "verify-deal": "new.verify_deal",
    "odds": "lookups.odds",
    "replay": "lookups.replay",
    "moves": "lookups.moves",
    "games": "lookups.games",
    "new": "new.new",
    "submit": "game.submit",
    "submissions": "game.submissions",
    "missing": "game.missing",
    "commit": "game.commit",
    "draw": "game.draw",
    "pm": "people.pm",
    "signup": "people.signup",
    "conform": "lookups.conform",
    "forums": "lookups.forums",
    "doctor": "lookups.doctor",
    "completion": "completion.completion",
}
"""Each verb or group of verbs → its module beside this one and its name there."""

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


def command_line(verbs: Iterable[str] = VERBS) -> typer.Typer:
    """The command line with these verbs."""
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
    for verb in verbs:
        _add(verb, app)
    return app


def asked(words: Sequence[str]) -> Iterable[str]:
    """The verb that the words of a command line ask for; all where that is none of ours."""
    verb = next((word for word in words if not word.startswith("-")), None)
    return VERBS if verb is None or verb not in VERBS else [verb]


def _add(verb: str, app: typer.Typer) -> None:
    module, _, name = VERBS[verb].partition(".")
    found = getattr(import_module(f"knightfall.cli.{module}"), name)
    if isinstance(found, typer.Typer):
        app.add_typer(found, name=verb)
    else:
        app.command(verb)(found)
