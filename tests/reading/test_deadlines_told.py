"""Until when a day goes, as a moderator says it: an instant, or from when to when it may be.

Each was said on Tuesday 1 December 2026 at 09:00 UTC; “..” parts the earliest instant from the latest one,
and nothing behind it means that no word tells the latest. The line below “and then” was said a day later.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from knightfall.reading.deadlines import NEVER, Until, moved_by, untils

SAID_AT = datetime(2026, 12, 1, 9, tzinfo=UTC)

SURE = {
    "Day 1 ends Friday 20:00 EST.": "12-05T01:00",
    "Deadline: December 4, 20:00 UTC.": "12-04T20:00",
    "Day 1 ends: Fri 04 Dec 2026, 20:00 UTC. Votes must be posted by 19:59:59 UTC.": "12-04T20:00",
    "Day 1 will end in 48 hours.": "12-03T09:00",
    "You have 72 hours from this post to vote.": "12-04T09:00",
    "The deadline is Saturday the 5th at 9pm GMT.": "12-05T21:00",
    "Voting closes on 2026-12-04 at 21:30 UTC+1.": "12-04T20:30",
    "EOD is tomorrow at noon Pacific.": "12-02T20:00",
    "Today ends at 6 PM London time.": "12-01T18:00",
    "With 9 alive it takes 5. Deadline is 12/05/2026 at 11:00 p.m. CET (ask me).": "12-05T22:00",
    "So the deadline will be Friday 04.12 21:00 CET": "12-04T20:00",
    "Tag 1 endet am Freitag, 4.12., um 20:00 Uhr MEZ.": "12-04T19:00",
    "Die Frist läuft bis Sonntag 18 Uhr (MEZ).": "12-06T17:00",
    "El día 1 termina el viernes 4 de diciembre a las 20:00 UTC.": "12-04T20:00",
    "Plazo: 48 horas desde este mensaje.": "12-03T09:00",
    "Fin du jour 1 : vendredi 4 décembre à 20h00, heure de Paris.": "12-04T19:00",
    "Vous avez jusqu'à dimanche 21h (CET) pour voter.": "12-06T20:00",
    "Dzień 1 kończy się w piątek 4 grudnia o 20:00 CET.": "12-04T19:00",
    "Głosujemy do soboty, godz. 21:00 UTC.": "12-05T21:00",
    "O dia 1 termina na sexta-feira, 4 de dezembro, às 20h (UTC).": "12-04T20:00",
    "Prazo: domingo às 18:00, horário de Lisboa.": "12-06T18:00",
    "Deadline: Friday 12:00 PM (noon), Irish time": "12-04T12:00",
    "You've got until Wed. Dec. 2nd, 11:59 PM PST to cast your votes.": "12-03T07:59",
    "D1 deadline — Sunday, December 6th @ 10:00 p.m. Eastern": "12-07T03:00",
    "The sun sets in 3 days.": "12-04T09:00",
    "Abgabeschluss für Tag 1: Samstag, den 05.12.2026, 22 Uhr deutscher Zeit": "12-05T21:00",
    "Tenéis hasta el sábado a las 22:00 (hora peninsular) para votar.": "12-05T21:00",
    "Le vote se termine dans 36 heures.": "12-02T21:00",
    "A votação encerra em 48 horas.": "12-03T09:00",
    "Votes are due Friday, 4 December 2026, 18:00 (UTC-3).": "12-04T21:00",
    "Remember: day one finishes Thursday 3rd Dec 2100 GMT.": "12-03T21:00",
    "Deadline\nFriday, 4 December, 20:00 UTC": "12-04T20:00",
}
UNSURE = {
    "Deadline: Friday 20:00.": "12-04T06:00..12-05T08:00",
    "Deadline: 12/03 at 8 pm ET.": "12-04T01:00..2027-03-13T01:00",
    "Day 1 ends on Friday.": "12-03T10:00..12-05T12:00",
    "Day 1 ends Friday at midnight EST.": "12-04T05:00..12-05T05:00",
    "Day 1 ends around 8pm GMT on Friday.": "12-04T20:00..12-04T21:00",
    "Deadline: 20:00 UTC.": "12-01T20:00..",
    "Koniec dnia 1: niedziela, 6 grudnia, 18:00.": "12-06T04:00..12-07T06:00",
    "Day 1 is over on 5 December, 8 in the evening.": "12-04T10:00..12-06T12:00",
    "Deadline is Friday at 8:30 EST.": "12-04T13:30..12-05T01:30",
    "Day 1 ends on Friday, 5 December, at 20:00 UTC.": "12-04T20:00..12-05T20:00",
}
NOTHING = (
    "If there is no majority by the deadline, nobody is lynched.",
    "Night 1 ends Thursday 20:00 UTC.",
    "Days last 72 hours, nights 24 hours.",
    "Deadlines may be extended by 24 hours at my discretion.",
    "The deadline for night actions is Friday 20:00 UTC.",
    "Please confirm by Thursday 20:00 UTC; sign-ups close on Wednesday.",
    "Does Day 1 end on Friday at 20:00 UTC?",
    "Deadline was 28 November, 20:00 UTC.",
    "Bram is away until Friday 20:00 UTC.",
)
MOVED = {
    "Deadline extended by 24h.": "12-05T20:00",
    "The deadline has been moved to Saturday, 21:00 UTC.": "12-05T21:00",
    "Day 1 is extended by two days because of the replacement.": "12-06T20:00",
    "Die Frist wird um 24 Stunden verlängert.": "12-05T20:00",
    "El plazo se ha ampliado 24 horas.": "12-05T20:00",
    "Deadline has been pushed back a day.": "12-05T20:00",
    "I am giving you all 12 more hours.": "12-05T08:00",
    "The deadline is paused until we have a replacement.": "never",
    "The deadline has been extended, more on that later.": "12-04T20:00..",
}
"""What a second post says where the first one said: 4 December, 20:00 UTC."""


def told(wording: str, at: datetime = SAID_AT) -> tuple[Until, ...]:
    return tuple(one for one in untils(wording.split("\n"), at, None) if not one.night)


def shown(earliest: datetime | None, latest: datetime | None) -> str:
    def one(moment: datetime | None) -> str:
        return "" if moment is None else f"{moment:%Y-%m-%dT%H:%M}".removeprefix("2026-")

    if earliest == NEVER:
        return "never"
    return one(earliest) if earliest == latest else f"{one(earliest)}..{one(latest)}"


@pytest.mark.parametrize("wording", [*SURE, *UNSURE])
def test_what_a_moderator_says_of_the_end_of_a_day_is_an_instant_or_from_when_to_when_it_may_be(
    wording: str,
) -> None:
    found = told(wording)
    assert [shown(one.earliest, one.latest) for one in found] == [(SURE | UNSURE)[wording]]


@pytest.mark.parametrize("wording", NOTHING)
def test_what_sets_no_end_to_the_day_is_none(wording: str) -> None:
    assert told(wording) == ()


@pytest.mark.parametrize("wording", MOVED)
def test_a_later_post_moves_what_an_earlier_one_said(wording: str) -> None:
    before = datetime(2026, 12, 4, 20, tzinfo=UTC)
    (one,) = told(wording, SAID_AT + timedelta(days=1))
    assert shown(*moved_by(one, (before, before))) == MOVED[wording]
