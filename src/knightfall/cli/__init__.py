"""The command line: `knightfall VERB …`. The only place where arguments, clocks, files and screens meet.

Each command lives in a module of its name and imports what it needs when it runs, so that help starts in a
blink. Errors of ours are caught here, once: one message on stderr and the exit status of the error's class.
"""

from __future__ import annotations

import gc
import sys

import typer

from knightfall.cli import (
    activity,
    archive,
    calendar,
    completion,
    conform,
    deal,
    decisions,
    diary,
    doctor,
    draw,
    evidence,
    explain,
    flip,
    forums,
    games,
    inbox,
    near,
    new,
    odds,
    people,
    phase,
    plot,
    pm,
    post,
    read,
    records,
    resolve,
    roles,
    roster,
    rulings,
    setups,
    signup,
    turns,
    vc,
    watch,
    whatif,
    why,
)
from knightfall.cli.loudness import globally, in_front
from knightfall.cli.screen import say
from knightfall.cli.start import compiled_templates, only
from knightfall.errors import KnightfallError
from knightfall.writeups.shelf import SHELF

app = typer.Typer(
    name="knightfall",
    help="The assistant of people who moderate text-post games on forums.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.callback()(globally)
app.command("vc")(vc.vc)
app.command("near")(near.near)
app.command("explain")(explain.explain)
app.command("plot")(plot.plot)
app.command("activity")(activity.activity)
app.command("fix")(decisions.fix)
app.command("alias")(decisions.alias)
app.command("roster")(roster.roster)
app.command("undo")(decisions.undo)
app.command("log")(decisions.log)
app.command("rule")(diary.rule)
app.command("verify")(diary.verify)
app.command("export")(diary.export)
app.command("import")(diary.import_)
app.add_typer(phase.phase, name="phase")
app.command("ics")(calendar.ics)
app.command("archive")(archive.archive)
app.command("replace")(people.replace)
app.command("modkill")(people.modkill)
app.command("kill")(people.kill)
app.command("revive")(people.revive)
app.command("prod")(people.prod)
app.command("vla")(people.vla)
app.command("mod-note")(people.mod_note)
app.command("watch")(watch.watch)
app.command("flip")(flip.flip)
app.command("read")(read.read)
app.command("evidence")(evidence.evidence)
app.command("post")(post.post)
app.command("resolve")(resolve.resolve)
app.command("whatif")(whatif.whatif)
app.command("why")(why.why)
app.command("rulings")(rulings.rulings)
app.command("setups")(setups.setups)
app.command("roles")(roles.roles)
app.command("deal")(deal.deal)
app.command("verify-deal")(deal.verify_deal)
app.command("odds")(odds.odds)
app.command("replay")(records.replay)
app.command("moves")(records.moves)
app.command("games")(games.games)
app.command("new")(new.new)
app.command("submit")(inbox.submit)
app.command("submissions")(turns.submissions)
app.command("missing")(inbox.missing)
app.command("commit")(turns.commit)
app.command("draw")(draw.draw)
app.add_typer(pm.pm, name="pm")
app.add_typer(signup.signup, name="signup")
app.command("conform")(conform.conform)
app.command("forums")(forums.forums)
app.command("doctor")(doctor.doctor)
app.command("completion")(completion.completion)


def main() -> None:
    """Runs the command line; `-q`, `-v` and `--debug` hold wherever they stand on it."""
    gc.set_threshold(100_000, 20, 20)  # a count makes many small values and next to no cycles
    sys.argv[1:] = in_front(sys.argv[1:])
    debug = "--debug" in sys.argv
    completion.when_asked()
    SHELF.keep_in(compiled_templates)
    try:
        only(app, sys.argv[1:])()
    except KnightfallError as error:
        _end(str(error), error.exit_status, debug)
    except OSError as error:
        _end(f"{error}. {DISK}", 2, debug)
    except Exception as fault:  # noqa: BLE001  # whatever it is, a tired moderator gets a sentence, not a traceback
        _end(f"{BUG} {type(fault).__name__}: {fault}", 1, debug)


DISK = "What was confirmed before is kept. Make room, or give yourself the right, and run it again."
BUG = "This is a fault of ours; nothing was lost. Run it again with --debug and send us what it prints."


def _end(message: str, status: int, debug: bool) -> None:
    """Says what went wrong and ends. Called while the error is being handled."""
    if debug:
        raise
    say(f"knightfall: {message}", err=True)
    raise SystemExit(status) from None
