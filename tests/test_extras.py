"""What an extra is for, and how it is installed by the program that installed Knightfall."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

import pytest

from knightfall.extras import EXTRAS, extras_here, install_command, installer, missing_extra

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_table_is_the_extras_of_the_project() -> None:
    # `dev` is for who works on Knightfall; `web` and `balance` are empty, and stay for who types them.
    assert {*EXTRAS} == {*PROJECT["optional-dependencies"]} - {"dev", "manual", "web", "balance"}
    assert PROJECT["optional-dependencies"]["web"] == PROJECT["optional-dependencies"]["balance"] == []


def test_whatever_the_page_offers_runs_after_a_plain_install() -> None:
    """Review and Balance stand on Start: what plays their games comes with every install."""
    assert any(line.startswith("numpy>=") for line in PROJECT["dependencies"])


def test_every_other_version_is_bounded_below_and_stands_once() -> None:
    wanted = PROJECT["dependencies"]
    names = [re.match(r"[\w.-]+", line)[0] for line in wanted]  # type: ignore[index]
    assert [line for line in wanted if ">=" not in line] == []
    assert names == sorted(set(names))


@pytest.mark.parametrize("name", EXTRAS)
def test_each_is_missed_in_one_sentence_with_its_command(name: str) -> None:
    told = str(missing_extra(name))
    assert told.endswith(f'which is not installed: pip install "knightfall[{name}]".')
    assert EXTRAS[name].package in told
    assert ". " not in told and "\n" not in told


def test_what_can_be_done_without_it_is_said_behind_the_command() -> None:
    assert str(missing_extra("pictures", "write an SVG")).endswith('[pictures]", or write an SVG.')


@pytest.mark.parametrize(
    ("receipt", "expected"),
    [
        ("uv-receipt.toml", 'uv tool install "knightfall[notify,pictures]"'),
        ("pipx_metadata.json", "pipx inject knightfall matplotlib"),
        ("pyvenv.cfg", 'pip install "knightfall[pictures]"'),
    ],
)
def test_the_command_is_of_the_program_that_installed_it(receipt: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / receipt).touch()
    assert install_command("pictures", installer(tmp_path), ("notify",)) == expected


def test_an_extra_that_cannot_be_imported_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyperclip", None)
    assert "clipboard" not in extras_here()
    assert {*extras_here()} <= {*EXTRAS}


def test_no_other_file_says_how_to_install_an_extra() -> None:
    files = (ROOT / "src").rglob("*.py")
    said = [file.name for file in files if 'install "knightfall[' in file.read_text(encoding="utf-8")]
    assert said == ["extras.py"]


def test_the_name_of_each_is_what_the_project_installs() -> None:
    # pipx is told the name of the package, which is that of the module in each of them.
    wanted = {name: PROJECT["optional-dependencies"][name] for name in EXTRAS}
    assert {name: [line.split(">=")[0] for line in lines] for name, lines in wanted.items()} == {
        name: [extra.module] for name, extra in EXTRAS.items()
    }
