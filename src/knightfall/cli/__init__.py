"""The command line: `knightfall VERB …`. The only place where arguments, clocks, files and screens meet.

Each command lives in a module of its own (`verbs` lists them) and imports what it needs when it runs, so that
help starts in a blink. Errors of ours are caught here, once: one message on stderr and the exit status of the
error's class.
"""

from __future__ import annotations

import atexit
import codecs
import gc
import io
import os
import sys

from knightfall.cli.terminal import compiled_templates, in_front, is_quiet, say
from knightfall.cli.verbs import command_line, complete_when_asked
from knightfall.cli.ways import in_commands
from knightfall.errors import KnightfallError
from knightfall.writeups.compiled import keep_compiled_in

app = command_line()


def main() -> None:
    """Runs the command line; `-q`, `-v` and `--debug` hold wherever they stand on it."""
    collect_seldom()
    show_any_letter()
    atexit.register(gc.freeze)  # what is left at the end dies with the program, and is not searched for any
    words = in_front(_typed(sys.argv[1:]))
    debug = "--debug" in words
    complete_when_asked()
    keep_compiled_in(compiled_templates)
    try:
        app(args=words)
    except KnightfallError as error:
        _end(error.message, error.exit_status, debug, _more(error, words))
    except OSError as error:
        _end(f"{error}. {DISK}", 2, debug)
    except Exception as fault:  # noqa: BLE001  # whatever it is, a tired moderator gets a sentence, not a traceback
        _end(f"{BUG} {type(fault).__name__}: {fault}", 1, debug)


def show_any_letter() -> None:
    """Write what an old code page has no letter for as JSON does: “\\u0416”."""
    codecs.register_error(ESCAPED, _escaped)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=ESCAPED)


ESCAPED = "knightfall.escaped"


def _escaped(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    units = fault.object[fault.start : fault.end].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[i : i + 2].hex()}" for i in range(0, len(units), 2)), fault.end


def collect_seldom() -> None:
    """Looks for cycles seldom: a count makes many small values and next to none of them."""
    gc.set_threshold(100_000, 20, 20)


def _typed(words: list[str]) -> list[str]:
    """The words as a shell hands them over; that of Windows leaves “*.html” to the program."""
    if os.name != "nt":
        return words
    from glob import glob

    return [found for word in words for found in (glob(word, recursive=True) or [word])]  # noqa: PTH207  # words, not paths


DISK = "Everything confirmed so far is saved. Free some space or fix the permissions, then try again."
BUG = "This is a bug in Knightfall; nothing was lost. Run it again with --debug and send us the output."


def _more(error: KnightfallError, words: list[str]) -> str:
    """Where the manual says what to do about an error; "" where nothing but the error is wanted."""
    if "--json" in words or "-q" in words or is_quiet():
        return ""
    from knightfall.services.manual import section_of_error

    plain = [word for word in words if not word.startswith("-")]
    verbs = [" ".join(plain[:2]), *plain[:1]]
    return f"More: knightfall help {section_of_error(error, verbs).name}"


def _end(message: str, status: int, debug: bool, more: str = "") -> None:
    """Says what went wrong and ends. Called while the error is being handled."""
    if debug:
        raise
    say(f"knightfall: {in_commands(message)}", err=True)
    if more:
        say(more, err=True)
    raise SystemExit(status) from None
