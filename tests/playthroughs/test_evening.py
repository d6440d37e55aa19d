"""An evening of a mid-sized game in twelve commands at most: a day with a vote that nobody can read, two
counts and a hammer, a night with a room of the mafia and two PMs, the dawn and the results."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from playthroughs.moderator import Moderator, Said, moderating
from playthroughs.test_knight_errant_week import (
    GAME,
    KEY,
    MAFIA_ROOM,
    NAMES,
    a_folder_is_made,
    cards_are_dealt,
    cast_of,
    new_york,
    players_sign_up,
)


@dataclass
class Evening:
    """Counts what the moderator types."""

    mod: Moderator
    typed: list[str] = field(default_factory=list)

    def types(self, line: str, *words: str, answers: str | None = None, status: int = 0) -> Said:
        self.typed.append(" ".join((line, *words)))
        return self.mod.types(line, *words, answers=answers, status=status)

    def pastes(self) -> int:
        return self.mod.posts(GAME, self.mod.pasted[-1])


@pytest.mark.journey
def test_a_day_and_a_night_of_eighteen_take_twelve_commands(tmp_path: Path) -> None:
    with moderating(tmp_path, new_york(9)) as mod:
        a_folder_is_made(mod)
        players_sign_up(mod)
        cards_are_dealt(mod)
        cast, board, evening = cast_of(mod), mod.board, Evening(mod)
        room = board.open(MAFIA_ROOM, "The cellar", "Wren", "Send your kill here.", KEY)
        members = ", ".join(f'"{name}"' for name in cast.mafia)
        thread = f'[[thread]]\nrole = "private"\nurl = "{room}"\nmembers = [{members}]\n'
        mod.writes("game.toml", f"{mod.file('game.toml')}\n{thread}")
        ticket = board.ticket(mod.desk / "cookies.txt", KEY)
        goon, victim = cast.goons[0], cast.plain[0]

        # The day: its beginning, a count with a question, a count without.
        evening.types("phase open day 1 --ends", "2026-11-18 20:00")
        evening.types("post day-start --copy --posted")
        evening.pastes()
        for name in cast.plain[1:8]:
            board.post(GAME, name, f"[vote]{goon}[/vote]")
        odd = board.post(GAME, cast.watcher, "[vote]the quiet one[/vote]")
        evening.types("vc --copy --posted", status=3)
        evening.pastes()
        evening.types(f"fix {odd} --to {victim} --why", "asked by PM")
        evening.types("vc --copy --posted")
        evening.pastes()
        for name in (cast.killer, cast.gunsmith, next(n for n in NAMES if n in cast.plain[8:])):
            board.post(GAME, name, f"[vote]{goon}[/vote]")

        # It is closed, with the flip and the deadline of the night in one post.
        evening.types("commit --next-ends", "2026-11-20 20:00", "--copy", "--posted", answers=f"{goon}\n")
        ended = mod.pasted[-1]
        assert f"[b]{goon}[/b] is eliminated. Role: [b]Mafia Goon[/b]." in ended
        assert "Fri 20 Nov 2026, 20:00 EST" in ended
        evening.pastes()

        # The night: a room that is read, two PMs, and a closing that tells who is silent.
        board.post(MAFIA_ROOM, cast.goons[1], f"kill {victim}")
        evening.types("submit --threads --cookies", str(ticket))
        evening.types(f"submit {cast.gunsmith} gunsmith {cast.killer}")
        evening.types(f"submit {cast.killer} kill {cast.watcher}")
        mod.turns_to(new_york(20, 20, 5))
        night = evening.types("commit --next-ends", "2026-11-25 20:00", "--copy", "--posted", answers="yes\n")
        assert "Nothing is on file from" in night.err
        dawn = mod.pasted[-1]
        for name in (victim, cast.watcher):
            assert f"[b]{name}[/b] was found dead" in dawn
        assert "15 players are alive. It takes 8 votes to eliminate." in dawn
        assert "Wed 25 Nov 2026, 20:00 EST" in dawn
        evening.pastes()
        sent = evening.types("pm results --copy-all", answers="y\n" * 5)
        assert f"→ {cast.gunsmith}. Copied." in sent.out
        assert "That was the last PM (results of night 1)." in sent.err

        # All of it is noted; nothing is left but to count the next day.
        assert len(evening.typed) <= 12, evening.typed
        standing = mod.types("status").out
        assert "Alive (15)" in standing
        assert "PMs not sent: role PMs (15)." in standing  # the dead are owed none
        assert mod.given_away() == []
        assert "All hashes are valid." in mod.types("verify").out
