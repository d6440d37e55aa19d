"""What a site marks as a vote or as bold in its own way."""

import pytest

from knightfall.forums import html_style_of
from knightfall.votes.ballots import parse_forms, platform_forms
from knightfall.votes.vote_parser import read_body


@pytest.mark.parametrize(
    ("platform", "body", "names"),
    [
        ("vbulletin3", '<span class="highlight">Vote: Fen</span>', ["Fen"]),
        ("vbulletin4", '<span class="highlight">Vote: Fen</span>', ["Fen"]),
        ("vbulletin5", '<span class="highlight">Vote: Fen</span>', ["Fen"]),
        ("vbulletin4", '<span class="bright">Vote: Fen</span>', []),
        ("phpbb", '<span class="highlight">Vote: Fen</span>', []),
        ("smf", '<span class="bbc_vote">Fen</span>', ["Fen"]),
        ("smf", '<span class="bbc_size">Fen</span>', []),
    ],
)
def test_the_votes_of_a_site_in_its_own_markup(platform: str, body: str, names: list[str]) -> None:
    for forms in (platform_forms(platform), parse_forms(("tag", "bold"))):
        ballots = read_body(body, html_style_of(platform), forms)
        assert [ballot.text for ballot in ballots] == names


def test_a_vote_whose_letters_have_a_colour_each_is_read() -> None:
    def coloured(text: str) -> str:
        return "".join(f'<span style="color:#{n:06x}">{letter}</span>' for n, letter in enumerate(text))

    bold, plain = f"<b>{coloured('Vote: Fen')}</b>", coloured("Vote: Fen")
    for forms in (platform_forms("phpbb"), parse_forms(("bold",))):
        assert [ballot.text for ballot in read_body(bold, html_style_of("phpbb"), forms)] == ["Fen"]
        assert not read_body(plain, html_style_of("phpbb"), forms)
        assert not read_body(f"<b>{coloured('Very good')}</b>", html_style_of("phpbb"), forms)
