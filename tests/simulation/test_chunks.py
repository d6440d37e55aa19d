"""Chunks come to the same total whoever plays them, and a run that was cut off goes on."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar

import pytest

from knightfall.errors import InputError, StateDamaged
from knightfall.simulation.counts import Counts, counts_from
from knightfall.simulation.dask_runner import AHEAD, MOST, on_cluster
from knightfall.simulation.run import CHUNK, Question, Run, Terms, run
from knightfall.simulation.workers import in_order

NINE = Question("custom_mafia", {}, 9)
COURT = Question("kings_court", {}, 11)


def last(question: Question, terms: Terms) -> Run:
    *_, found = run(question, terms)
    return found


def dies_once(number: int, marker: str) -> int:
    """The process that is asked for 2 first ends at once."""
    if number == 2 and not Path(marker).exists():
        Path(marker).touch()
        os._exit(1)
    return number * number


def test_two_workers_come_to_the_same_total_as_one() -> None:
    one, two = (last(NINE, Terms(3 * CHUNK + 7, workers=workers)).counts for workers in (1, 2))
    assert one == two
    assert one.games == 3 * CHUNK + 7


def test_another_seed_gives_other_games() -> None:
    assert last(NINE, Terms(1000, seed=1)).counts != last(NINE, Terms(1000, seed=2)).counts
    assert last(NINE, Terms(1000, seed=1)).counts == last(NINE, Terms(1000, seed=1)).counts


@pytest.mark.long
def test_a_worker_that_dies_loses_nothing(tmp_path: Path) -> None:
    marker = str(tmp_path / "died")
    answers = list(in_order(dies_once, [(number, marker) for number in range(8)], 2))
    assert Path(marker).exists()
    assert answers == [number * number for number in range(8)]


@pytest.mark.long
def test_a_worker_that_dies_before_the_next_task_is_given_loses_nothing(tmp_path: Path) -> None:
    marker = tmp_path / "died"

    def tasks() -> Iterator[tuple[int, str]]:
        for number in range(8):
            if number == 4:
                while not marker.exists():
                    time.sleep(0.01)
                time.sleep(0.5)  # until the pool has seen it
            yield number, str(marker)

    assert list(in_order(dies_once, tasks(), 2)) == [number * number for number in range(8)]


def test_a_run_goes_on_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "nine.jsonl"
    whole = last(NINE, Terms(3 * CHUNK, workers=1)).counts
    last(NINE, Terms(2 * CHUNK, workers=1, resume=file))
    # Cut off in the middle of a line, as by a fall of the power.
    file.write_text(file.read_text(encoding="utf-8")[:-20], encoding="utf-8")
    assert last(NINE, Terms(3 * CHUNK, workers=1, resume=file)).counts == whole
    kept = [len(file.read_text(encoding="utf-8").splitlines()) for _ in range(2)]
    assert kept == [4, 4]
    # Everything is there: nothing is played any more.
    assert last(NINE, Terms(3 * CHUNK, workers=1, resume=file)).counts == whole


def test_a_file_of_another_question_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "nine.jsonl"
    last(NINE, Terms(10, resume=file))
    with pytest.raises(StateDamaged, match="another question"):
        last(NINE, Terms(10, seed=2, resume=file))


def test_a_run_stops_when_the_interval_is_narrow_enough() -> None:
    wide = last(NINE, Terms(10 * CHUNK, within=0.007, workers=1))
    assert wide.enough
    assert CHUNK < wide.counts.games < 10 * CHUNK
    assert last(NINE, Terms(10 * CHUNK, within=0.007, workers=2)) == wide


@pytest.mark.parametrize("game", ["kings_court", "knight_fight", "knights_duty"])
def test_the_other_games_are_played_by_their_own_rules(game: str) -> None:
    players = {"kings_court": 11, "knight_fight": 2, "knights_duty": 2}[game]
    counts = last(Question(game, {}, players), Terms(2)).counts
    assert counts.games == counts.won.total() == 2


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (Question("kings_court", {}, 11, "suspicion"), "only the policy random"),
        (Question("kings_court", {}, 2), "is for"),
        (Question("knight_errant", {}, 9), "18 players"),
        (Question("empowered", {}, 3), "5 to 60"),
        (Question("custom_mafia", {}, 9, "clever"), "no policy"),
    ],
)
def test_what_cannot_be_played_is_refused(question: Question, told: str) -> None:
    with pytest.raises(InputError, match=told):
        last(question, Terms(10))


def test_counts_come_back_from_json_as_they_were() -> None:
    counts = last(Question("empowered", {}, 9), Terms(200)).counts
    assert counts_from(counts.to_dict()) == counts
    twice = Counts()
    twice.add(counts)
    twice.add(counts)
    assert twice.games == 400
    assert twice.won.total() == 400


class Answered:
    """What a cluster hands out for a task."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def result(self) -> Any:
        return self.value


class Cluster:
    """A Dask client that answers at once; `asked` are the chunks of each task, by their arguments."""

    asked: ClassVar[list[list[tuple[Any, ...]]]] = []

    def __init__(self, address: str, timeout: int) -> None:
        if address != "tcp://127.0.0.1:8786":
            raise OSError(f"nobody there for {timeout} s")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def nthreads(self) -> dict[str, int]:
        return {"tcp://127.0.0.1:40000": 1}

    def submit(self, function: Callable[..., Any], *task: Any, pure: bool, retries: int) -> Answered:
        assert not pure
        assert retries > 0
        self.asked.append(task[1])
        return Answered(function(*task))


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Cluster]]:
    """Dask as its runner knows it, whether it is installed or not."""
    module = ModuleType("distributed")
    module.Client = Cluster  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "distributed", module)
    yield Cluster
    Cluster.asked.clear()


@pytest.mark.long
def test_a_cluster_comes_to_the_same_total(cluster: type[Cluster]) -> None:
    terms = Terms(2 * CHUNK + 5, scheduler="tcp://127.0.0.1:8786")
    assert last(NINE, terms).counts == last(NINE, Terms(2 * CHUNK + 5, workers=1)).counts
    assert [chunk[2:] for task in cluster.asked for chunk in task] == [(0, CHUNK), (1, CHUNK), (2, 5)]


def test_what_is_quickly_done_is_asked_of_a_cluster_for_many_at_a_time(cluster: type[Cluster]) -> None:
    tasks = [(number,) for number in range(5_000)]
    answers = list(on_cluster(abs, tasks, "tcp://127.0.0.1:8786"))
    assert answers == list(range(5_000))
    sizes = [len(task) for task in cluster.asked]
    assert sizes[:AHEAD] == [1] * AHEAD
    assert max(sizes) == MOST
    assert [task for batch in cluster.asked for task in batch] == tasks


@pytest.mark.usefixtures("cluster")
def test_a_scheduler_that_does_not_answer_is_told() -> None:
    with pytest.raises(InputError, match="No Dask scheduler answers"):
        last(NINE, Terms(10, scheduler="tcp://127.0.0.1:1"))
