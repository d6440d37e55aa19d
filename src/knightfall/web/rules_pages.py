"""The rules that a moderator sets for a game: as they are, and changed, without its file."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from knightfall.config.rule_questions import BY_FIELD, grouped
from knightfall.services.game.rules import change_rules, rule_of_days, rules_of
from knightfall.web.pages import TheGame, plural

router = APIRouter(prefix="/games/{name}")


@router.get("/rules")
def rules_page(game: TheGame) -> HTMLResponse:
    """Every rule that the game leaves open, with what holds."""
    days = rule_of_days(game.setup.kind, game.setup.options)
    fixed = [
        one
        for one in BY_FIELD.values()
        if days is not None and one.table == "rules" and one.key in days.fixed
    ]
    return game.show("rules", rules=grouped(rules_of(game.session)), fixed=fixed, votes=days is not None)


async def said_rules(request: Request) -> dict[str, list[str]]:
    """What the form says of each rule."""
    form = await request.form()
    return {name: [str(one) for one in form.getlist(name)] for name in BY_FIELD}


@router.post("/rules")
def change_rules_now(game: TheGame, said: Annotated[dict[str, list[str]], Depends(said_rules)]) -> Response:
    """Write what was changed into the game file."""
    with game.changing():
        changed = change_rules(said, game.session)
    if not changed:
        return game.done(f"{game.root}/rules", "Nothing was changed: all of it holds already.")
    told = (
        f"{one.question} {one.after[:1].upper()}{one.after[1:]} (before: {one.before})." for one in changed
    )
    return game.done(
        f"{game.root}/rules",
        f"{plural(len(changed), 'rule')} changed.",
        *told,
        "If the rules were posted already, tell your players.",
    )
