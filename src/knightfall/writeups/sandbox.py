"""The sandbox of templates: they read plain data and write text, nothing else.

It is Jinja's own. What a template costs is not looked at here: a moderator's own is filled in by a process
with limits, see `services.count.template_process`.
"""

from __future__ import annotations

from jinja2 import BaseLoader, StrictUndefined, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from knightfall.writeups.filters import FILTERS, printable


class Sandbox(ImmutableSandboxedEnvironment):
    """Templates by `loader`; nothing undefined, no None and no whole list is ever printed."""

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=printable,
        )
        self.filters = dict(FILTERS)
        del self.globals["lipsum"]  # it draws words by chance

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        tree = super()._parse(source, name, filename)
        _Concatenations().visit(tree)
        tree.set_environment(self)
        return tree


class _Concatenations(NodeTransformer):
    """`a ~ b` becomes `[a, b]|join`: Jinja does not ask `finalize` for what it puts together itself."""

    def visit_Concat(self, concat: nodes.Concat) -> nodes.Node:  # noqa: N802 - as Jinja names it
        self.generic_visit(concat)
        joined = nodes.List(concat.nodes, lineno=concat.lineno)
        return nodes.Filter(joined, "join", [], [], None, None, lineno=concat.lineno)
