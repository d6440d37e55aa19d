"""How are properties searched, and what do tests not wait for?

Properties by the same few examples on every run: a red run is somebody's change. The long job
(scripts/test-long) has more of them, and the seeds and games that are marked `long`.
HYPOTHESIS_PROFILE=search looks at new ones each time: what it finds becomes an example of its own. A test
that says how many examples it needs says why.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Generator, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from typer import testing
from typer.main import get_command

from knightfall.storage import database
from long_runs import SHORT, made_for_all, spent, spread_of

settings.register_profile("steady", max_examples=10, derandomize=True, deadline=None)
settings.register_profile("long", max_examples=50, derandomize=True, deadline=None)
settings.register_profile("search", max_examples=300, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

DISK = ("journal_mode", "synchronous")


WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw0")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Every second worker begins at the other end: in a first run each file of tests is compiled by one of
    them, and read by the others."""
    report = yield
    if int(WORKER[2:]) % 2 and isinstance(collector, pytest.Session | pytest.Directory):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them have the cases in the same order; of a test that is marked `few` some cases are for every
    run, from the first on evenly, and the others for the long job."""
    items.sort(key=lambda item: item.path.parts)
    for _, group in groupby(items, key=lambda item: item.nodeid.partition("[")[0]):
        cases = [item for item in group if item.get_closest_marker("long") is None]
        if (few := cases[0].get_closest_marker("few") if cases else None) is not None:
            kept = spread_of(few.args[0], cases)
            for item in cases:
                if item not in kept:
                    item.add_marker(pytest.mark.long)


def pytest_collection_finish() -> None:
    """Modules, tests and their parameters stay until the end: no search for garbage goes through them."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


# ── What does each case take? A case that takes long is one of the long job. ───────────────────────────────

TOOK = "seconds of the processor"
BEGAN = pytest.StashKey[float]()
LONG_WITHOUT_A_MARK = dict[str, float]()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[BEGAN] = spent()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
    """What is shared by cases is not what the first of them takes."""
    if fixturedef.scope == "function":
        return (yield)
    with made_for_all():
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    if call.when == "call":
        item.user_properties.append((TOOK, spent() - item.stash[BEGAN]))
    return (yield)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    took = next((value for name, value in report.user_properties if name == TOOK), 0.0)
    assert isinstance(took, float)
    if report.when == "call" and took > SHORT and not {"long", "journey"} & set(report.keywords):
        LONG_WITHOUT_A_MARK[report.nodeid] = took


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if LONG_WITHOUT_A_MARK:
        told = f"over {SHORT:g} seconds of the processor without the mark “long” (see CONTRIBUTING.md)"
        terminalreporter.section(told)
        for case, took in sorted(LONG_WITHOUT_A_MARK.items(), key=lambda one: -one[1]):
            terminalreporter.line(f"{took:6.1f}  {case}")


@pytest.fixture(scope="session", autouse=True)
def nobody_waits_for_the_disk() -> Iterator[None]:
    """No test cuts the power, and what the system has been given outlives a killed program. Nor is a log made
    beside the database each time that it is opened. Programs that tests start do as they always do;
    tests/storage/test_sync.py sees that they do."""
    calm = ("synchronous=OFF", *(one for one in database.PRAGMAS if one.partition("=")[0] not in DISK))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "PRAGMAS", calm)
        patch.setattr(os, "fsync", lambda _handle: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def nobody_has_sites_of_their_own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What whoever runs the tests set for themselves changes no test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KNIGHTFALL_CONFIG", str(tmp_path_factory.getbasetemp() / "no-config"))
        yield


@pytest.fixture(scope="session", autouse=True)
def nobody_waits_for_a_server_of_this_machine() -> Iterator[None]:
    """The pause between two requests is for forums of others; tests of it say how long it is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KNIGHTFALL_DELAY", "0")
        yield


@pytest.fixture(scope="session", autouse=True)
def nobodys_own_folder_is_written(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What tests keep beside their games goes into a folder of theirs."""
    home = tmp_path_factory.getbasetemp() / "home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KNIGHTFALL_HOME", str(home))
        yield home


@pytest.fixture(autouse=True)
def no_test_learns_nicknames_from_another(nobodys_own_folder_is_written: Path) -> None:
    """Each begins with an empty book."""
    (nobodys_own_folder_is_written / "nicknames.json").unlink(missing_ok=True)


@pytest.fixture(scope="session", autouse=True)
def verbs_are_put_together_once() -> Iterator[None]:
    """It takes longer than most of them, and there is nothing in them that changes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(testing, "_get_command", cache(get_command))
        yield
