"""Options that several verbs share, named once, so that they read alike everywhere."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

Source: TypeAlias = Annotated[
    list[str] | None, typer.Argument(metavar="URL | FILE...", help="The thread, as for vc.")
]
Game: TypeAlias = Annotated[Path | None, typer.Option(help="A game folder or its game.toml.")]
GameHere: TypeAlias = Annotated[
    Path | None, typer.Option(help="A game folder or its game.toml; else the folder you are in.")
]
Dialect: TypeAlias = Annotated[
    str | None, typer.Option("--as", metavar="DIALECT", help="Dialect of the post; else your site's.")
]
CopyIt: TypeAlias = Annotated[bool, typer.Option("--copy", help="Put the post on the clipboard, too.")]
Cookies: TypeAlias = Annotated[
    Path | None, typer.Option(help="A login: cookies of your browser in Netscape format, mode 0600.")
]
At: TypeAlias = Annotated[str | None, typer.Option(metavar="POST|TIME", help="As of this post or moment.")]
Day: TypeAlias = Annotated[int | None, typer.Option(min=1, help="Which day; the latest where not given.")]
Then: TypeAlias = Annotated[
    str | None, typer.Option("--at", metavar="ENTRY|TIME", help="As of this entry of the log, or this time.")
]
FromHtml: TypeAlias = Annotated[bool, typer.Option("--from-html", help="From pages saved in a browser.")]
FromJsonl: TypeAlias = Annotated[bool, typer.Option("--from-jsonl", help="From posts as JSON Lines.")]
Stored: TypeAlias = Annotated[bool, typer.Option("--stored", help="From what was read before.")]
AsJson: TypeAlias = Annotated[
    bool, typer.Option("--json", help="The same for programs: one JSON object, schema 1.")
]
AllowLeak: TypeAlias = Annotated[
    str, typer.Option("--allow-leak", metavar="WHY", help="Let out what the secret guard stops, and why.")
]
PrivateHost: TypeAlias = Annotated[
    bool, typer.Option("--allow-private-host", help="Read a forum of your own network, too.")
]
