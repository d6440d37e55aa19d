"""What is installed only for who asks for it: what each extra is for, and how to install it here."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from knightfall.errors import InputError
from knightfall.sentence import sentence


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of pyproject.toml: what needs it, its package in words, and as indexes and imports call it."""

    purpose: str
    package: str
    module: str


EXTRAS: Mapping[str, Extra] = {
    "clipboard": Extra("Copying", "pyperclip", "pyperclip"),
    "cluster": Extra("A scheduler", "Dask", "distributed"),
    "fair": Extra("Verifying a signature", "py-ecc", "py_ecc"),
    "notify": Extra("A message to you", "Apprise", "apprise"),
    "parquet": Extra("A Parquet file", "pyarrow", "pyarrow"),
    "pictures": Extra("This picture", "matplotlib", "matplotlib"),
}
"""The name between the brackets → what it is."""
_RECEIPTS = (("uv", "uv-receipt.toml"), ("pipx", "pipx_metadata.json"))
"""The programs that make an environment for one tool, and the file that each leaves in it."""


def missing_extra(name: str, otherwise: str = "") -> InputError:
    """The error of work that needs an extra which is not installed, in one sentence with the command.

    `otherwise` is what can be done without it: “write an SVG”.
    """
    extra = EXTRAS[name]
    command = command_here(name)
    said = "{purpose} needs {package}, which is not installed: {command}"
    said += ", or {otherwise}." if otherwise else "."
    return InputError(
        sentence(said, purpose=extra.purpose, package=extra.package, command=command, otherwise=otherwise)
    )


def command_here(name: str) -> str:
    """What to type to add an extra to this install."""
    return install_command(name, installer(Path(sys.prefix)), extras_here())


def install_command(name: str, installed_by: str, present: Sequence[str] = ()) -> str:
    """What to type to add an extra to an install by `pip`, `uv` or `pipx`.

    uv makes the environment anew, and keeps of the extras `present` those that are named again.
    """
    match installed_by:
        case "uv":
            return f'uv tool install "knightfall[{",".join(sorted({*present, name}))}]"'
        case "pipx":
            return f"pipx inject knightfall {EXTRAS[name].module}"
        case _:
            return f'pip install "knightfall[{name}]"'


def installer(prefix: Path) -> str:
    """Which program made the environment in the folder `prefix`: `uv`, `pipx`, or else `pip`."""
    return next((name for name, file in _RECEIPTS if (prefix / file).is_file()), "pip")


def extras_here() -> tuple[str, ...]:
    """The extras that can be imported."""
    return tuple(name for name, extra in EXTRAS.items() if find_spec(extra.module) is not None)
