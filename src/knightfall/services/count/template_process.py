"""A moderator's own template, filled in by a process of its own: it cannot outlast its limits.

Jinja's sandbox keeps a template from everything but its facts, and does not keep it from lasting for ever.
So what came from elsewhere is rendered where time and memory are the system's business: that process gets the
template and its facts on its standard input, answers with text alone, and is ended when it takes too long.
Templates of ours need none of this.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys

from knightfall.errors import InputError
from knightfall.markup.bbcode import parse_bbcode
from knightfall.markup.dialects.tree import as_typed
from knightfall.markup.nodes import Nodes
from knightfall.writeups.render import Data, own_text, plain

try:
    import resource
except ImportError:  # Windows has no such limits: there the clock alone ends the process
    resource = None  # type: ignore[assignment]

SECONDS = 5
"""Of the processor; twice as many of the clock."""
MEMORY = 1_000_000_000
"""Bytes of address space, of which Python itself needs a fifth."""

_RUN = "from knightfall.services.count.template_process import main; main()"


def own_nodes(source: str, facts: Data, name: str = "your template") -> Nodes:
    """The post of a moderator's own template as nodes; `name` is what an error calls it.

    Raises InputError for a fault in the template, with name and line, and where it takes more than its
    limits.
    """
    given = pickle.dumps((source, plain(facts), name))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-c", _RUN],
            input=given,
            capture_output=True,
            timeout=2 * SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _stopped(name) from None
    if done.returncode == 1 and b"MemoryError" not in done.stderr:
        raise RuntimeError(done.stderr.decode(errors="replace"))
    if done.returncode:  # a signal of the system
        raise _stopped(name)
    answer = json.loads(done.stdout)
    if "fault" in answer:
        raise InputError(answer["fault"])
    return as_typed(parse_bbcode(answer["text"]))


def _stopped(name: str) -> InputError:
    return InputError(
        f"Template {name}: it was stopped, because it takes more than {SECONDS} seconds or "
        f"{MEMORY // 1_000_000:,} MB. Make it simpler."
    )


def main() -> None:
    """Fill in the template that standard input brings, and write the answer to standard output."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":  # elsewhere the limit is not kept, or is below what Python takes
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    source, data, name = pickle.load(sys.stdin.buffer)  # from the process that started this one
    try:
        answer = {"text": own_text(source, data, name)}
    except InputError as fault:
        answer = {"fault": str(fault)}
    sys.stdout.write(json.dumps(answer))
