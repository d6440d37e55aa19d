"""The sandbox of templates: they read plain data and write text, nothing else, and not for ever.

Jinja's immutable sandbox with an allowance for each rendering (see `allowance`). The tree of a template is
changed before it is compiled: loops, macros, blocks and inclusions pay for their bodies, and text that is put
together with `~` goes through our own `join`, which knows when it grows too long. The methods of texts, lists
and mappings that a template may call are listed here.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any, cast

from jinja2 import BaseLoader, StrictUndefined, Template, TemplateRuntimeError, TemplateSyntaxError, nodes
from jinja2.runtime import Context, Macro
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from knightfall.writeups.allowance import LENGTH, SHARE, allowance, bounded, fits, limited, spend, weighed
from knightfall.writeups.filters import FILTERS, printable

INCLUSION = 200
"""Steps that another template takes whatever stands in it."""

_METHODS: tuple[tuple[type | tuple[type, ...], frozenset[str]], ...] = (
    (str, frozenset(("endswith", "lower", "lstrip", "rstrip", "split", "startswith", "strip", "upper"))),
    (Mapping, frozenset(("get", "items", "keys", "values"))),
    ((list, tuple), frozenset(("count", "index"))),
    ((int, float), frozenset()),
)


class Sandbox(ImmutableSandboxedEnvironment):
    """Templates by `loader`; nothing undefined, no None and no whole list is ever printed."""

    intercepted_binops = frozenset({"+", "*", "**", "%"})

    def __init__(self, loader: BaseLoader) -> None:
        super().__init__(
            loader=loader,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=printable,
        )
        self.filters = dict(FILTERS)
        del self.globals["lipsum"]
        del self.tests["in"]

    def write(self, template: Template, data: dict[str, object]) -> str:
        """What the template writes. Raises Jinja's TemplateError, or Python's of a wrong operation."""
        with allowance():
            return "".join(limited(cast(Generator[str, None, None], template.generate(data))))

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        fits(len(source))
        tree = super()._parse(source, name, filename)
        _Priced(name, filename).visit(tree)
        tree.set_environment(self)
        return tree

    def is_safe_attribute(self, obj: Any, attr: str, value: Any) -> bool:
        """As Jinja's, and of plain values only what is listed."""
        listed = next((names for kind, names in _METHODS if isinstance(obj, kind)), None)
        return super().is_safe_attribute(obj, attr, value) and (listed is None or attr in listed)

    def wrap_str_format(self, value: Any) -> None:
        """No `"…".format(…)`: see the filter."""

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - as Jinja's
        spend(1)
        if not isinstance(__obj, Macro):  # methods of lists compare, dict() hashes
            weighed((getattr(__obj, "__self__", None), args, kwargs))
        return bounded(super().call(__context, __obj, *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        if operator == "%" and isinstance(left, str):
            raise TemplateRuntimeError("% does not fill in text here: use the filter format")
        if operator != "+" and _size(left) * _size(right) > LENGTH:
            raise TemplateRuntimeError(f"the result of {operator} would be too large")
        return bounded(super().call_binop(context, operator, left, right))


class _Priced(NodeTransformer):
    """Put the price of a part of the tree before it; `name` and `filename` are for complaints."""

    def __init__(self, name: str | None, filename: str | None) -> None:
        self.name = name
        self.filename = filename

    def get_visitor(self, node: nodes.Node) -> Any:
        """What to do with a node; None: only with what is inside."""
        match node:
            case nodes.For():
                return self._loop
            case nodes.Concat():
                return self._text
            case nodes.List() | nodes.Dict() | nodes.Tuple(ctx="load"):
                return self._built
            case nodes.Getitem():
                return self._looked_up
            case nodes.Compare():
                return self._compared
            case nodes.Test():
                return self._tested
            case nodes.Macro() | nodes.CallBlock() | nodes.Block():
                return self._body
            case nodes.Include() | nodes.Import() | nodes.FromImport():
                return self._inclusion
        return None

    def _loop(self, loop: nodes.For) -> nodes.Node:
        if loop.recursive:
            complaint = "a loop cannot be recursive here"
            raise TemplateSyntaxError(complaint, loop.lineno, self.name, self.filename)
        price = 1 + _price(loop.body)
        self.generic_visit(loop)
        loop.iter = _filter(loop.iter, "counted", price)
        return loop

    def _text(self, concat: nodes.Concat) -> nodes.Node:
        self.generic_visit(concat)
        return _filter(nodes.List(concat.nodes, lineno=concat.lineno), "join")

    def _built(self, value: nodes.Expr) -> nodes.Node:
        self.generic_visit(value)
        return _filter(value, "built")

    def _looked_up(self, item: nodes.Getitem) -> nodes.Node:
        self.generic_visit(item)
        if not isinstance(item.arg, nodes.Const | nodes.Slice):
            item.arg = _filter(item.arg, "paid")
        return item

    def _compared(self, compare: nodes.Compare) -> nodes.Node:
        self.generic_visit(compare)
        compare.expr = _filter(compare.expr, "paid")
        for operand in compare.ops:
            operand.expr = _filter(operand.expr, "paid")
        return compare

    def _tested(self, test: nodes.Test) -> nodes.Node:
        self.generic_visit(test)
        if test.args:  # “is eq x”
            test.node = _filter(test.node, "paid")
            test.args = [_filter(arg, "paid") for arg in test.args]
        return test

    def _body(self, node: nodes.Macro | nodes.CallBlock | nodes.Block) -> nodes.Node:
        price = _price(node.body)
        self.generic_visit(node)
        node.body = [_payment(price, node.lineno), *node.body]
        return node

    def _inclusion(self, node: nodes.Node) -> list[nodes.Node]:
        return [_payment(INCLUSION, node.lineno), node]


def _payment(price: int, line: int) -> nodes.Node:
    return nodes.Output([_filter(nodes.Const("", lineno=line), "spent", price)], lineno=line)


def _filter(value: nodes.Node, name: str, *args: int) -> nodes.Filter:
    given = [nodes.Const(arg) for arg in args]
    return nodes.Filter(value, name, given, [], None, None, lineno=value.lineno)


def _price(body: Iterable[nodes.Node]) -> int:
    """How many steps a body takes once: its nodes, and its own text."""
    return sum(1 + sum(_weight(inner) for inner in part.find_all(nodes.Node)) for part in body)


def _weight(node: nodes.Node) -> int:
    text = getattr(node, "data", None) or getattr(node, "value", None)
    return 1 + (len(text) // SHARE if isinstance(text, str) else 0)


def _size(value: object) -> float:
    if isinstance(value, int | float):
        return max(1, abs(value))
    return max(1, len(value)) if isinstance(value, str | list | tuple) else 1
