"""Verbs made from what is declared: the questions of the services, and the lookups of a game."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knightfall.cli.options import parameter_of, with_parameters
from knightfall.cli.terminal import (
    AsJson,
    Place,
    at_in_full,
    echo,
    moment_in_full,
    progress_bar,
    real_session,
    say,
    session_of_game,
)
from knightfall.cli.ways import as_object, in_commands
from knightfall.parameters import parameters_of, request_of
from knightfall.services.questions import ENTRY, QUESTIONS, About, Question
from knightfall.services.requests import OF_THE_COUNT, CountRequest, of_the_thread

if TYPE_CHECKING:
    from knightfall.engine.lookup import Answer, Lookup
    from knightfall.parameters import Parameter
    from knightfall.services.questions import Reported

PLACE = parameters_of(Place)
SHARED: Mapping[About, tuple[Parameter, ...]] = {
    About.THREAD: (*of_the_thread(), *PLACE),
    About.GAME: PLACE[:1],
    About.MOMENT: (*PLACE[:1], ENTRY),
    About.NOTHING: (),
}
"""What every question about the same is asked with at a terminal, besides its own parameters."""
AS_JSON = inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson)


def verb_of_question(name: str) -> Callable[..., None]:
    """The function of the verb that asks a question, with its parameters as options."""
    question = QUESTIONS[name]
    ask = ASK[question.about]

    def verb(**given: Any) -> None:
        as_json = given.pop("as_json")
        found = ask(question, given)
        if as_json:
            echo(as_object(found.to_dict()))
            return
        report = found.report()
        echo(report.text())
        for remark in report.remarks:
            say(remark, err=True)

    verb.__doc__ = (
        f"{question.help} Example: knightfall {name}{_example(question)}\n\n{in_commands(question.more)}"
    )
    declared = (*question.parameters, *_shared(question))
    return with_parameters(verb, [*map(parameter_of, declared), AS_JSON])


def _shared(question: Question) -> tuple[Parameter, ...]:
    """What it is asked with besides its own parameters: whoever names an address says how to get there."""
    names_address = any(one.name == "url" for one in question.parameters)
    return PLACE if names_address and question.about is About.GAME else SHARED[question.about]


def _ask_of_thread(question: Question, given: dict[str, Any]) -> Reported:
    place = request_of(Place, given)
    session = place.session(given["words"])
    request = at_in_full(request_of(CountRequest, given, OF_THE_COUNT), session)
    with progress_bar(session) as reading:
        return question.answer(request, reading, given=_own(question, given))


def _ask_of_game(question: Question, given: dict[str, Any]) -> Reported:
    known = {one.name: given.get(one.name, one.default) for one in PLACE}
    session = request_of(Place, known).session(given.get("url"))
    return question.answer(session, given=_own(question, given))


def _ask_of_moment(question: Question, given: dict[str, Any]) -> Reported:
    from knightfall.services.now import as_of

    now = session_of_game(given["game"])
    return question.answer(as_of(moment_in_full(given["at"], now), now), given=_own(question, given))


def _ask_of_nothing(question: Question, given: dict[str, Any]) -> Reported:
    return question.answer(given=_own(question, given))


def _own(question: Question, given: Mapping[str, object]) -> dict[str, object]:
    """What is given of a question's own parameters."""
    return {one.name: given[one.name] for one in question.parameters}


ASK: Mapping[About, Callable[[Question, dict[str, Any]], Reported]] = {
    About.THREAD: _ask_of_thread,
    About.GAME: _ask_of_game,
    About.MOMENT: _ask_of_moment,
    About.NOTHING: _ask_of_nothing,
}


def verb_of_lookup(name: str, game: str) -> Callable[..., None]:
    """The function of a verb that one game alone answers, with the parameters that the game declares."""
    from knightfall.games import lookups_of

    lookup = lookups_of(game)[name]

    def verb(**given: object) -> None:
        from knightfall.services.game import lookups
        from knightfall.services.games import ask

        as_json, out = given.pop("as_json"), given.pop("out", None)
        if lookup.live is not None:
            # The folder or the file of a game that is being played stands for its record.
            for one, value in given.items():
                place = Path(str(value))
                if isinstance(value, str) and (place.is_dir() or place.name == "game.toml"):
                    given[one] = lookups.live_text(game, name, real_session(place, allow_private=False))
        found = ask(game, name, given)
        if isinstance(out, Path):
            _save_picture(found, out)
        echo(as_object(found.to_dict()) if as_json else found.text())

    about, rest = lookup.help.partition("\n\n")[::2]
    verb.__doc__ = f"{about} Example: knightfall {name}{_example(lookup)}\n\n{rest}"
    parameters = [*map(parameter_of, lookup.parameters)]
    if lookup.draws:
        kind = Annotated[
            Path | None, typer.Option(metavar="FILE.svg|FILE.png", help="Also save a picture of the board.")
        ]
        out_to = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
        parameters.append(out_to)
    return with_parameters(verb, [*parameters, AS_JSON])


def _example(lookup: Lookup | Question) -> str:
    """The words of an example behind its verb."""
    words = []
    for parameter in lookup.parameters:
        said, flag = lookup.example.get(parameter.name), parameter.option
        if said is not None:
            words.append(str(said) if parameter.positional else flag if said is True else f"{flag} {said}")
    return "".join(f" {word}" for word in words)


def _save_picture(answer: Answer, out: Path) -> None:
    """Draw an answer as SVG or PNG, by the ending of the file."""
    from knightfall.errors import InputError
    from knightfall.services.boards import ENDINGS, write_scene

    if out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: the file name must end in {' or '.join(ENDINGS)}.")
    write_scene(answer.scene(), out)  # type: ignore[attr-defined]  # who declares that it draws has it
