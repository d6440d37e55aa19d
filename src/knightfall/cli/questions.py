"""Verbs made from what is declared: the questions of the services, and the lookups of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from knightfall.cli.terminal import (
    AsJson,
    At,
    Day,
    FromHtml,
    FromJsonl,
    Game,
    GameHere,
    PrivateHost,
    Source,
    Stored,
    Then,
    at_in_full,
    echo,
    game_needed,
    game_of,
    progress_bar,
    real_session,
    say,
)
from knightfall.cli.ways import as_object, in_commands
from knightfall.services.questions import QUESTIONS, About, Question

if TYPE_CHECKING:
    from knightfall.engine.lookup import Answer, Lookup
    from knightfall.engine.lookup import Parameter as Declared
    from knightfall.services.questions import Reported

SHARED: Mapping[About, Mapping[str, tuple[Any, object]]] = {
    About.THREAD: {
        "source": (Source, None),
        "game": (Game, None),
        "day": (Day, None),
        "at": (At, None),
        "as_json": (AsJson, False),
        "from_html": (FromHtml, False),
        "from_jsonl": (FromJsonl, False),
        "stored": (Stored, False),
        "allow_private_host": (PrivateHost, False),
    },
    About.GAME: {"game": (Game, None), "as_json": (AsJson, False)},
    About.MOMENT: {"game": (GameHere, None), "at": (Then, None), "as_json": (AsJson, False)},
    About.NOTHING: {"as_json": (AsJson, False)},
}
"""What every question about the same is asked with at a terminal: its annotation, its default."""


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
    shared = SHARED[question.about]
    parameters = [*map(parameter_of, question.parameters)]
    parameters += [
        Parameter(one, Parameter.KEYWORD_ONLY, default=default, annotation=kind)
        for one, (kind, default) in shared.items()
    ]
    return _with(verb, parameters)


def _ask_of_thread(question: Question, given: dict[str, Any]) -> Reported:
    from knightfall.services.count.request import CountRequest

    source, stored = tuple(given.pop("source") or ()), given.pop("stored")
    session = real_session(game_of(source, given.pop("game")), given.pop("allow_private_host"))
    at, day = at_in_full(given.pop("at"), session), given.pop("day")
    request = CountRequest(source, given.pop("from_html"), given.pop("from_jsonl"), day, at, stored=stored)
    with progress_bar(session) as reading:
        return question.answer(request, reading, given=given)


def _ask_of_game(question: Question, given: dict[str, Any]) -> Reported:
    session = real_session(game_of(given.get("url"), given.pop("game")), allow_private=False)
    return question.answer(session, given=given)


def _ask_of_moment(question: Question, given: dict[str, Any]) -> Reported:
    from knightfall.services.running import as_of

    now = real_session(game_needed(given.pop("game")), allow_private=False)
    return question.answer(as_of(at_in_full(given.pop("at"), now), now), given=given)


def _ask_of_nothing(question: Question, given: dict[str, Any]) -> Reported:
    return question.answer(given=given)


ASK: Mapping[About, Callable[[Question, dict[str, Any]], Reported]] = {
    About.THREAD: _ask_of_thread,
    About.GAME: _ask_of_game,
    About.MOMENT: _ask_of_moment,
    About.NOTHING: _ask_of_nothing,
}


def _with(verb: Callable[..., None], parameters: list[Parameter]) -> Callable[..., None]:
    """The function with a signature that typer reads."""
    verb.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    verb.__annotations__ = {one.name: one.annotation for one in parameters}
    return verb


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
        parameters.append(Parameter("out", Parameter.KEYWORD_ONLY, default=None, annotation=kind))
    parameters.append(Parameter("as_json", Parameter.KEYWORD_ONLY, default=False, annotation=AsJson))
    return _with(verb, parameters)


def _example(lookup: Lookup | Question) -> str:
    """The words of an example behind its verb."""
    words = []
    for parameter in lookup.parameters:
        said, flag = lookup.example.get(parameter.name), f"--{parameter.flag or parameter.name}"
        if said is not None:
            words.append(str(said) if parameter.positional else flag if said is True else f"{flag} {said}")
    return "".join(f" {word}" for word in words)


def parameter_of(wanted: Declared) -> Parameter:
    """A declared parameter as typer has it."""
    from knightfall.engine.lookup import TextFile

    kind: Any = str if wanted.type is TextFile else wanted.type
    kind = list[kind] if wanted.several else kind
    metavar = wanted.metavar or None
    about: Any
    if wanted.positional:
        about = typer.Argument(metavar=metavar, help=wanted.help)
    elif wanted.flag or kind is bool:  # a flag alone, without its opposite
        about = typer.Option(f"--{wanted.flag or wanted.name}", help=wanted.help)
    else:
        about = typer.Option(metavar=metavar, help=wanted.help, min=wanted.least)
    optional = kind if wanted.required or wanted.default is not None else kind | None
    default = Parameter.empty if wanted.required else wanted.default
    return Parameter(
        wanted.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[optional, about]
    )


def _save_picture(answer: Answer, out: Path) -> None:
    """Draw an answer as SVG or PNG, by the ending of the file."""
    from knightfall.errors import InputError
    from knightfall.services.boards import ENDINGS, write_scene

    if out.suffix.lower() not in ENDINGS:
        raise InputError(f"--out {out}: the file name must end in {' or '.join(ENDINGS)}.")
    write_scene(answer.scene(), out)  # type: ignore[attr-defined]  # who declares that it draws has it
