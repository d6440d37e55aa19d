"""A game of Knight-Errant as its moderator has it, from the sign-ups to the post that proves the deal: at the
command line, against a forum into which eighteen players post."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from playthroughs.moderator import Moderator, Said, moderating

NEW_YORK = ZoneInfo("America/New_York")
SEED, SALT = "5a" * 32, "c3" * 32
SIGNUPS, GAME, MAFIA_ROOM = 90001, 90010, 90020
KEY = "lantern-under-the-pier"
_NAMES = (
    "Ada Boro Cinder Dusk_77 Elm Fen Gale Hollis Iris Juniper Kestrel Lumen Moth Nettle Onyx Pike Quill Sable"
)
NAMES = _NAMES.split()


def new_york(day: int, hour: int = 20, minute: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=NEW_YORK).astimezone(UTC)


@dataclass
class Cast:
    """Who holds what, as the deal has it: two goons, two mafiosi with powers, the killer, the gunsmith, and
    the vanilla ones in the order of the list."""

    goons: list[str]
    bulletproof: str
    watcher: str
    killer: str
    gunsmith: str
    plain: list[str]

    @property
    def mafia(self) -> list[str]:
        return [*self.goons, self.bulletproof, self.watcher]


def cast_of(mod: Moderator) -> Cast:
    [bulletproof], [watcher] = mod.holders("Mafia Bulletproof"), mod.holders("Mafia Even-Night Watcher")
    [killer], [gunsmith] = mod.holders("Serial Killer"), mod.holders("Town Gunsmith")
    return Cast(
        mod.holders("Mafia Goon"), bulletproof, watcher, killer, gunsmith, mod.holders("Vanilla Townie")
    )


@pytest.mark.long
def test_a_week_from_sign_ups_to_the_proof_of_the_deal(tmp_path: Path) -> None:
    with moderating(tmp_path, new_york(9)) as mod:
        a_folder_is_made(mod)
        players_sign_up(mod)
        cards_are_dealt(mod)
        role_pms_are_sent(mod)
        day_one_opens(mod)
        votes_are_read(mod)
        somebody_is_replaced(mod)
        day_one_ends_by_a_hammer(mod)
        night_one_is_decided(mod)
        day_two_ends_by_a_vote_too_late(mod)
        night_two_is_decided(mod)
        day_three_and_its_night(mod)
        the_last_day(mod)
        everything_is_told_and_proved(mod)


def a_folder_is_made(mod: Moderator) -> None:
    signups = mod.board.open(
        SIGNUPS, "Salt Harbour – sign-ups", "Wren", "Sign up here: /in, /out, /sub, /spec."
    )
    game = mod.board.open(GAME, "Salt Harbour", "Wren", "The ferry leaves in a week.")
    made = mod.runs(
        *("new", "knight_errant", "Salt Harbour", "--site", "mafiascum", "--tz", "America/New_York"),
        *("--moderator", "Wren", "--thread", f"signup={signups}", "--thread", f"game={game}"),
    )
    assert "Created salt-harbour" in made.out
    mod.folder = mod.desk / "salt-harbour"
    assert mod.folder.stat().st_mode & 0o077 == 0
    file = mod.file("game.toml")
    assert file.count("[rules]\n") == 1
    mod.writes("game.toml", file.replace("[rules]\n", '[rules]\nprod_after = "48h"\n'))


def players_sign_up(mod: Moderator) -> None:
    """Somebody wavers, one leaves, one edits, one signs twice."""
    mod.types("post signup --copy")
    for name in NAMES[:10]:
        mod.board.post(SIGNUPS, name, "/in")
    mod.board.post(SIGNUPS, "Ada", "[quote=Boro]/in[/quote] Me too! /in")
    mod.board.post(SIGNUPS, "Vetch", "/in")
    changed = mod.board.post(SIGNUPS, NAMES[10], "/spec")
    for name in NAMES[11:17]:
        mod.board.post(SIGNUPS, name, "in!")
    unclear = mod.board.post(SIGNUPS, NAMES[17], "maybe in?")
    mod.board.post(SIGNUPS, "Rook", "/sub")
    mod.board.post(SIGNUPS, "Tansy", "/spec")
    mod.board.post(SIGNUPS, "Vetch", "Sorry, a wedding. /out")
    mod.board.edit(SIGNUPS, changed, "/in")
    asked = mod.types("signup read --write", status=3)
    assert f"#{unclear}" in asked.err
    assert "[[player]]" not in mod.file("game.toml")
    mod.types(f"signup decide {unclear} in --why", "asked by PM")
    read = mod.types("signup read --write")
    assert "18 in, 1 backup" in read.err
    assert "1 spectator" in read.err
    assert "game.toml now lists 18 players." in read.err
    assert mod.file("game.toml").count("[[player]]") == 18
    mod.posts(SIGNUPS, mod.file("public/signups.txt"))


def cards_are_dealt(mod: Moderator) -> None:
    dealt = mod.types(f"deal --setup A1-RD --seed {SEED} --salt {SALT}")
    assert "Commitment of the deal (safe to post): sha256:" in dealt.out
    assert sorted(mod.cards()) == sorted(NAMES)
    again = mod.types("deal", status=2)
    assert "was dealt already" in again.err


def role_pms_are_sent(mod: Moderator) -> None:
    """Two one by one, the others in a hurry; each to its own player."""
    order = []
    for number in (1, 2):
        copied = mod.types("pm roles --copy-next")
        assert copied.out.startswith(f"PM {number}/18 (random order) → ")
        order.append(copied.out.partition("→ ")[2].partition(". Copied")[0])
        assert mod.cards()[order[-1]] in mod.pasted[-1]
        assert mod.cards()[order[-1]] not in copied.out + copied.err
        mod.types("pm mark sent", order[-1])
    mod.types("pm mark confirmed", *(name for name in NAMES if name not in order))
    ledger = mod.types("pm roles")
    assert "18 PMs; 18 copied, 18 sent, 16 confirmed." in ledger.out
    mod.types("pm mark confirmed", *order)


def day_one_opens(mod: Moderator) -> None:
    for kind in ("rules", "opening"):
        mod.types(f"post {kind} --copy --posted")
        mod.posts(GAME, mod.pasted[-1])
    assert "[row][cell]18[/cell][cell]10[/cell][/row]" in mod.file("public/rules.txt")
    past = mod.types("phase open day 1 --ends", "2026-11-01 20:00", status=2)
    assert "If you meant Sun 15 Nov" in past.err
    mod.turns_to(new_york(11))
    opened = mod.types("phase open day 1 --ends", "2026-11-18 20:00")
    assert "Deadline Wed 18 Nov 2026, 20:00 EST (UTC-5) = Thu 19 Nov 01:00 UTC, in 7 d." in opened.err
    assert "[countdown]2026-11-18 20:00:00 -5.00[/countdown]" in opened.out
    mod.types("post day-start --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []
    slip = mod.folder / "public" / "slip.txt"
    mod.writes("public/slip.txt", f"{cast_of(mod).killer} is the Serial Killer.")
    assert [leak.partition(":")[0] for leak in mod.given_away()] == ["slip.txt"]
    slip.unlink()


def votes_are_read(mod: Moderator) -> None:
    """Tags, bold words, a nickname, an unvote, an edit, a quote; two counts are posted."""
    board, cast = mod.board, cast_of(mod)
    first, second, third, fourth = cast.plain[:4]
    board.post(GAME, first, f"[vote]{second}[/vote] for luck")
    board.post(GAME, second, f"[b]Vote: {cast.goons[0]}[/b]")
    plain = board.post(GAME, third, f"vote {cast.goons[0]}")
    board.post(GAME, cast.bulletproof, f"[quote={second}][b]Vote: {cast.goons[0]}[/b][/quote] No.")
    edited = board.post(GAME, fourth, f"[vote]{first}[/vote]")
    odd = board.post(GAME, cast.watcher, "[vote]the quiet one[/vote]")
    asked = mod.types("vc", status=3)
    assert f"#{odd}" in asked.err
    near = mod.types("near")
    assert f"#{plain} {third}" in near.out
    assert "Quoted votes that were counted in the original post: 1" in near.out
    mod.types(f"fix {plain} --count --why", "bold is not needed where it is clear")
    mod.types(f"alias {first}", "the quiet one", "--why", "he never posts")
    counted = mod.types("vc --copy --posted")
    assert "Votecount 1.1" in counted.out
    assert f"[b]{cast.goons[0]} (2)[/b]" in counted.out
    assert f"[b]{first} (2)[/b]" in counted.out
    mod.posts(GAME, mod.pasted[-1])
    board.edit(GAME, edited, f"[vote]{cast.goons[0]}[/vote]")
    board.post(GAME, first, "[unvote][/unvote] I was joking.")
    told = mod.types("vc")
    assert f"Post {edited} ({fourth}) changed after it was counted" in told.err
    assert f"-VOTE: {first}" in told.err
    assert f"Edited posts with votes, counted as they read now: #{edited}." in told.err
    versions = mod.types(f"evidence {edited}").out
    assert f"VOTE: {cast.goons[0]}" in versions
    assert f"VOTE: {first}" in versions
    mod.types(f"fix {edited} --to {first} --why", "votes are not edited")
    recounted = mod.types("vc --copy --posted")
    assert "Votecount 1.2" in recounted.out
    assert f"[b]{cast.goons[0]} (2)[/b]" in recounted.out
    mod.posts(GAME, mod.pasted[-1])
    explained = mod.types(f"explain {cast.goons[0]} --day 1 --stored")
    assert f"#{plain}" in explained.out


def somebody_is_replaced(mod: Moderator) -> None:
    """The gunsmith has no time any more: the vote stays with the slot, the card, too; nobody learns why."""
    cast = cast_of(mod)
    mod.board.post(GAME, cast.gunsmith, f"[vote]{cast.goons[0]}[/vote]")
    mod.types("vc")
    before = wagons(mod.types(f"vc --at {len(mod.board.topics[GAME].posts)}"))
    assert len(before) > 1
    here = mod.board.post(GAME, "Wren", f"Rook replaces {cast.gunsmith}.")
    told = mod.types(f"replace {cast.gunsmith} Rook --at {here} --why", "a new job")
    assert "[b]Rook[/b] replaces" in told.out
    assert "job" not in told.out
    assert "– " in mod.types("pm roles").out  # Rook is owed his card
    mod.types("pm roles --copy Rook")
    assert "Gunsmith" in mod.pasted[-1]
    mod.types("pm mark confirmed Rook")
    after = mod.types("vc --copy --posted").out
    assert "Rook replaces" in after
    assert f"[b]{cast.goons[0]} (3)[/b]" in after
    assert wagons(mod.types(f"vc --at {here - 1}")) == before
    mod.posts(GAME, mod.pasted[-1])
    mod.types(f"vla {cast.plain[5]} 2026-11-12..2026-11-13")
    mod.types("mod-note Spoilers do not count.")
    mod.types("ics")
    assert "BEGIN:VCALENDAR" in mod.file("public/calendar.ics")
    longer = mod.types("phase extend day 1 --by 24h")
    assert "2026-11-19 20:00:00 -5.00" in longer.out
    assert mod.given_away() == []


def wagons(count: Said) -> list[str]:
    """The lines of the wagons, and who does not vote."""
    return [line for line in count.out.splitlines() if ")[/b]: " in line or "Not voting" in line]


def day_one_ends_by_a_hammer(mod: Moderator) -> None:
    board, cast, out = mod.board, cast_of(mod), mod.folder / "public"
    goon = cast.goons[0]
    for name in (*cast.plain[3:8], cast.killer):
        board.post(GAME, name, f"[vote]{goon}[/vote]")
    mod.types("read --again")
    running = mod.types("phase close", status=3)
    assert "Day 1 is still running" in running.err
    assert "E-1" in mod.types("vc").out
    mod.types("flip", status=3)
    hammer = board.post(GAME, "Sable" if "Sable" not in cast.mafia else cast.plain[8], f"[vote]{goon}[/vote]")
    late = board.post(GAME, cast.plain[4], "[unvote][/unvote] wait!")
    mod.types(f"phase lock --post {late}")
    slip = mod.types("phase close", answers=f"{cast.plain[0]}\n", status=3)
    assert "Nothing was closed" in slip.err
    closed = mod.types("phase close", answers=f"{goon}\n")
    assert "Stable: two reads" in closed.err
    assert f"Hammer: #{hammer}" in closed.err
    assert f"#{late} {cast.plain[4]}" in closed.err
    assert (out / "votecount-1.F.txt").exists()
    assert "Mafia Goon" in mod.types("flip").out
    ended = mod.types("post end-of-day --copy --posted")
    assert "Role: [b]Mafia Goon[/b]" in ended.out
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []


def night_one_is_decided(mod: Moderator) -> None:
    """The mafia writes in its room, the gunsmith a PM, the killer is typed in; a second order counts."""
    board, cast = mod.board, cast_of(mod)
    goon, killer = cast.goons[1], cast.killer
    opened = mod.types("phase open night 1 --ends", "2026-11-20 20:00")
    assert "Fri 20 Nov 2026, 20:00 EST" in opened.err
    room = board.open(MAFIA_ROOM, "The cellar", "Wren", "Send your kill here.", KEY)
    members = ", ".join(f'"{name}"' for name in cast.mafia)
    thread = f'[[thread]]\nrole = "private"\nurl = "{room}"\nmembers = [{members}]\n'
    mod.writes("game.toml", f"{mod.file('game.toml')}\n{thread}")
    board.post(MAFIA_ROOM, cast.watcher, "Whom do we take?")
    board.post(MAFIA_ROOM, goon, f"kill {cast.plain[0]}")
    second = board.post(MAFIA_ROOM, goon, f"[b]kill {cast.plain[1]}[/b]")
    waiting = mod.types("missing --draft")
    assert killer in waiting.out
    assert "Rook" in waiting.out
    closed = mod.types("submit --threads", status=6)
    assert "login" in closed.err.casefold()
    ticket = board.ticket(mod.desk / "cookies.txt", KEY)
    taken = mod.types("submit --threads --cookies", str(ticket))
    assert f"kill {cast.plain[1]}" in taken.out + taken.err
    mod.writes("../pm.txt", f"gunsmith {killer}\n")
    receipt = mod.types("submit Rook --from", str(mod.desk / "pm.txt"))
    assert "Got it for Night 1" in receipt.err
    refused = mod.types(f"submit {killer} heal {goon}", status=3)
    assert f"Refused: “heal {goon}”: " in refused.err
    mod.types(f"submit {killer} kill {goon}")
    assert f"kill {goon}" in mod.types("submissions").out
    preview = mod.types("resolve --preview")
    assert f"Deaths: {', '.join(sorted((cast.plain[1], goon), key=NAMES.index))}." in preview.out
    assert "Nothing was written" in preview.out
    assert "died" in mod.types(f"why {goon}").out
    assert f"Night 1, Rook (was {cast.gunsmith}) (Town Gunsmith)" in mod.types("why Rook").out
    assert f"{goon} lives" in mod.types("whatif", f"remove {killer}:kill").out
    board.edit(MAFIA_ROOM, second, f"[b]kill {cast.plain[2]}[/b]")
    changed = mod.types("submit --threads --again --cookies", str(ticket))
    assert "1 edited since, 1 already recorded" in changed.err
    dawn = mod.types("commit --yes --as mafiascum")
    assert f"{goon}[/b] was found dead" in dawn.out
    assert mod.given_away() == []
    sent = mod.types("pm results --copy-next")
    assert "→ Rook" in sent.out
    assert killer in mod.pasted[-1]
    mod.types("pm mark sent Rook")
    mod.writes("../dawn.txt", f"{cast.gunsmith}, the gunsmith, slept badly.")
    leak = mod.types("post dawn --copy --flavour", str(mod.desk / "dawn.txt"), status=5)
    assert "nothing was printed" in leak.err
    mod.writes("../dawn.txt", f"See {room} for the rest.")
    mod.types("post dawn --copy --flavour", str(mod.desk / "dawn.txt"), status=5)
    mod.writes("../dawn.txt", "Gulls over the pier.")
    mod.types("post dawn --copy --posted --flavour", str(mod.desk / "dawn.txt"))
    assert "Gulls over the pier." in mod.pasted[-1]
    mod.posts(GAME, mod.pasted[-1])


def day_two_ends_by_a_vote_too_late(mod: Moderator) -> None:
    board, cast = mod.board, cast_of(mod)
    dead = cast.plain[1]
    mod.types("phase open day 2 --ends", "2026-11-25 20:00")
    started = mod.types("post day-start --copy --posted")
    assert "15 alive" in started.out
    assert "It takes 8 votes to eliminate." in started.out
    mod.posts(GAME, mod.pasted[-1])
    ghost = board.post(GAME, cast.plain[2], f"[vote]{dead}[/vote]")
    for name in (*cast.plain[3:8], "Rook", cast.watcher):
        board.post(GAME, name, f"[vote]{cast.bulletproof}[/vote]")
    counted = mod.types("vc --copy --posted")
    assert f"[b]{cast.bulletproof} (7)[/b]" in counted.out
    assert f"#{ghost}  {cast.plain[2]}  the target is dead" in counted.err
    mod.posts(GAME, mod.pasted[-1])
    mod.turns_to(new_york(24))
    silent = mod.types("prod --draft")
    assert "private/" in silent.err
    late = board.post(GAME, cast.plain[2], f"[vote]{cast.bulletproof}[/vote]", at=new_york(25))
    board.post(GAME, "Wren", "Locked.")
    closed = mod.types("phase close", answers="No Elimination\none vote short\n")
    assert f"#{late} {cast.plain[2]}" in closed.err
    ended = mod.types("post end-of-day --copy --posted")
    assert f"]{late}[/post]" in ended.out
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []


def night_two_is_decided(mod: Moderator) -> None:
    cast = cast_of(mod)
    mod.types("phase open night 2 --ends", "2026-11-27 20:00")
    mod.types(f"submit {cast.bulletproof} kill {cast.plain[2]}")
    mod.types(f"submit {cast.watcher} watch {cast.plain[2]}")
    mod.types(f"submit {cast.killer} strong kill {cast.watcher}")
    mod.turns_to(new_york(27, 19))
    assert "1 h left" in mod.types("missing").out
    mod.types("commit --yes")
    dawn = mod.types("post dawn --copy --posted")
    assert "13 players are alive" in dawn.out
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []


def day_three_and_its_night(mod: Moderator) -> None:
    cast = cast_of(mod)
    vote_out(mod, 3, cast.bulletproof, new_york(4, month=12))
    mod.types("phase open night 3 --ends", "2026-12-06 20:00")
    mod.types(f"submit {cast.killer} kill Rook")
    found = f"[b]Rook (was {cast.gunsmith})[/b] was found dead"
    assert found in mod.types("commit --yes --as mafiascum").out
    assert found in mod.types("post dawn --copy --posted").out
    mod.posts(GAME, mod.pasted[-1])
    assert mod.given_away() == []


def the_last_day(mod: Moderator) -> None:
    early = mod.types("post endgame", status=2)
    assert "The game is not over" in early.err
    vote_out(mod, 4, cast_of(mod).killer, new_york(11, month=12))
    assert "over" in mod.types("missing").out


def vote_out(mod: Moderator, day: int, name: str, ends: datetime) -> None:
    """Everybody else votes for one until that is enough, and the day is closed."""
    when = f"{ends.astimezone(NEW_YORK):%Y-%m-%d %H:%M}"
    mod.types(f"phase open day {day} --ends", when)
    mod.types("post day-start --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    count = json.loads(mod.types("vc --json").out)
    for voter in [voter for voter in count["not_voting"] if voter != name][: count["needed"]]:
        mod.board.post(GAME, voter, f"[vote]{name}[/vote]")
    assert "HAMMER" in mod.types("vc").out
    mod.types("phase close", answers=f"{name}\n")
    mod.types("post end-of-day --copy --posted")
    mod.posts(GAME, mod.pasted[-1])


def everything_is_told_and_proved(mod: Moderator) -> None:
    ended = mod.types("post endgame --copy --posted")
    mod.posts(GAME, mod.pasted[-1])
    assert f"Rook (was {cast_of(mod).gunsmith})" in ended.out
    for name, card in mod.cards().items():
        assert name in ended.out
        assert card in ended.out
    assert SEED in ended.out
    assert SALT in ended.out
    mod.proves_the_deal(GAME)
    checked = mod.runs("verify")
    assert "All hashes are valid." in checked.out
    mod.types("export ../all.jsonl")
    assert len(mod.file("../all.jsonl").splitlines()) > 50
    mod.types("export --public ../public.jsonl")
    public = mod.file("../public.jsonl")
    assert "The cellar" not in public
    assert f"t={MAFIA_ROOM}" not in public
    assert mod.given_away() == []
    mod.types("post archive --posted")
    mod.types("archive --public --out ../pages")
    pages = "".join(file.read_text(encoding="utf-8") for file in (mod.desk / "pages").rglob("*.html"))
    assert "Whom do we take?" not in pages
    assert f"t={MAFIA_ROOM}" not in pages
