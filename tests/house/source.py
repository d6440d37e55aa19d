"""The source as the rules of the house read it, parsed once for all of them."""

from __future__ import annotations

import ast
import gc
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import knightfall

SOURCE = Path(knightfall.__file__).parent


@cache
def trees() -> Mapping[Path, ast.Module]:
    """Every module by its file. Garbage is not looked for meanwhile: all that is made stays."""
    gc.disable()
    try:
        return {file: ast.parse(file.read_text(encoding="utf-8")) for file in sorted(SOURCE.rglob("*.py"))}
    finally:
        gc.enable()


@cache
def nodes(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All parts of a module; the rules go through them many times."""
    return tuple(ast.walk(tree))
