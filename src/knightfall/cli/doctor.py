"""`knightfall doctor`: why can a page not be read?"""

from pathlib import Path
from typing import Annotated

import typer


def doctor(
    what: Annotated[str, typer.Argument(metavar="URL|FILE", help="The address of a page, or a saved page.")],
    from_html: Annotated[bool, typer.Option("--from-html", help="It is a page saved in a browser.")] = False,
    allow_private_host: Annotated[
        bool, typer.Option("--allow-private-host", help="Ask a forum of your own network, too.")
    ] = False,
) -> None:
    """Say what a page is, what was found on it, what is missing, and what to send us.

    Exit status 0 where the page can be read, else that of the reason.
    """
    from knightfall.app.doctor import examine, fetched, saved
    from knightfall.cli.ports import real_ports

    ports = real_ports(None, allow_private_host)
    is_file = from_html or ("://" not in what and Path(what).exists())
    page = saved(Path(what)) if is_file else fetched(what, ports.fetch)
    report = examine(page, ports.clock.now())
    typer.echo(report.text())
    raise typer.Exit(report.exit_status)
