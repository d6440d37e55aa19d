"""What runs where the project is kept: tests on every system and Python, and releases without a secret."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from house.manual import ROOT

yaml = pytest.importorskip("yaml", reason="PyYAML comes with the extra `notify`")
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def workflow(name: str) -> dict[Any, Any]:
    text = (ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8")
    read = yaml.safe_load(text)
    assert isinstance(read, dict)
    return read


def granted(read: dict[Any, Any]) -> Iterator[tuple[str, str, str]]:
    """What each job may do: its name, the permission and “read” or “write”."""
    for name, job in read["jobs"].items():
        for permission, level in job.get("permissions", read["permissions"]).items():
            yield name, permission, level


def test_there_are_two() -> None:
    assert [file.name for file in FILES] == ["ci.yml", "release.yml"]


def test_every_python_of_the_classifiers_is_tested() -> None:
    named = [found[1] for line in PROJECT["classifiers"] if (found := re.search(r":: (3\.\d+)$", line))]
    tested = workflow("ci")["jobs"]["test"]["strategy"]["matrix"]["python"]
    assert PROJECT["requires-python"] == f">={named[0]}"
    # The next one may be tested before it is promised.
    assert tested[: len(named)] == named
    assert len(tested) <= len(named) + 1


def test_the_three_systems_are_tested() -> None:
    systems = workflow("ci")["jobs"]["test"]["strategy"]["matrix"]["os"]
    assert [name.partition("-")[0] for name in systems] == ["ubuntu", "macos", "windows"]


def test_the_tests_may_only_read() -> None:
    assert {(permission, level) for _, permission, level in granted(workflow("ci"))} == {("contents", "read")}


def test_only_the_job_that_publishes_may_write_and_only_its_identity() -> None:
    release = workflow("release")
    assert release["permissions"] == {}
    assert [one for one in granted(release) if one[2] != "read"] == [("publish", "id-token", "write")]
    job = release["jobs"]["publish"]
    assert job["environment"] == "release"
    assert {"ci", "build"} <= {*job["needs"]}
    assert job["steps"][-1]["with"]["attestations"] is True


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_action_has_a_major_version_and_no_secret_is_kept(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert [name for name in used if not re.fullmatch(r"\./\S+|[\w-]+/[\w-]+@(release/)?v\d+", name)] == []
    assert "secrets." not in text
    assert not re.search(r"run:[^\n]*\$\{\{", text)  # what others choose is never a part of a command
    assert len(re.findall("actions/checkout@", text)) == text.count("persist-credentials: false")
