"""The stub of an adapter, its lines in the registries, and the folder for its pages.

Usage: scripts/new-forum NAME URL. NAME is the platform's id (letters, digits, underscores), URL a thread on a
forum that runs it. Nothing that exists is overwritten.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path
from string import Template
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[2]
FORUMS = ROOT / "src" / "knightfall" / "forums"
FIXTURES = ROOT / "fixtures" / "forums"
Told = dict[str, str]
Change = Callable[[str, Told], str]
NAME = re.compile(r"[a-z][a-z0-9_]{1,30}")

STUB = Template('''"""$name. (To be written: nothing is recognised yet.)"""

from __future__ import annotations

import re

from knightfall.forums.base import (
    Draft,
    HtmlForum,
    Paging,
    Request,
    Response,
    Site,
    ThreadRef,
    is_absolute,
    number_in,
    refuse_beyond,
)
from knightfall.forums.html import Tag, attribute, every, inner, maybe, text_of, words
from knightfall.markup.html_style import HtmlStyle

MARKS = re.compile(r"(?!)")
"""What only pages of this software have, error pages too; matches nothing yet."""
THREAD = re.compile(r"(?!)(?P<root>https?://[^/?#]+/)(?P<id>\\d+)")
"""The shape of a thread's address; matches nothing yet."""
BOXES, AUTHOR, TEXT, TIME = ".post", ".author", ".text", "time[datetime]"
PER_PAGE = 20


class $kind(HtmlForum):
    """Its base tells what each hook is given and has to give, and has more of them."""

    name = "$name"
    html_style = HtmlStyle()
    software = "$name"
    tried = f"{BOXES} was looked for"

    def recognises(self, page: Response) -> bool:
        """By markup, never by host."""
        return bool(MARKS.search(page.text))

    def locate(self, url: str) -> ThreadRef | None:
        """The thread that an address of this software's shape points at."""
        found = THREAD.match(url) if is_absolute(url) else None
        page = number_in(url, "page") or 1
        return ThreadRef(self.name, found["root"], found["id"], page) if found else None

    def start(self, ref: ThreadRef, since: int = 1) -> Request:
        """The page with the `since`-th post."""
        return _page_of(ref, (since - 1) // PER_PAGE + 1)

    def rows(self, tree: Tag) -> list[Tag]:
        return every(tree, BOXES)

    def draft(self, row: Tag) -> Draft:
        text, time = maybe(row, TEXT), maybe(row, TIME)
        return Draft(
            id=attribute(row, "id") or "",
            author=text_of(maybe(row, AUTHOR)),
            body=inner(text) if text else None,
            machine=attribute(time, "datetime"),
            written=words(time),
        )

    def paging(self, page: Response, tree: Tag, site: Site, drafts: list[Draft]) -> Paging:
        here, pages = number_in(page.url, "page") or 1, 1
        refuse_beyond(page, here, pages)
        return Paging(here, pages, (here - 1) * PER_PAGE)

    def next_page(self, thread: ThreadRef, paging: Paging) -> Request | None:
        return _page_of(thread, paging.page + 1)

    def permalink(self, thread: ThreadRef, post: str, number: int) -> str | None:
        return f"{thread.root}{thread.id}#{post}"


def _page_of(ref: ThreadRef, number: int) -> Request:
    return Request(f"{ref.root}{ref.id}?page={number}")


$constant = $kind()
''')

PAGES = Template("""# Pages of $name

Written for the tests in this software's own markup, with invented texts and names. Beside each page
`NAME.html` (or `.json`, `.xml`) stands `NAME.expected.json`; what is in it says
`tests/forums/test_contract.py`.

* `game-p1`, `game-p2`: a game of two pages: quotes (nested too) and spoilers that hold votes, an edited post,
  a deleted one where guests see it, a signature with a vote, names such as `[b]ob` and `日本太郎`
* `game.tally.json`: what its votes add up to, worked out by hand
* `login`, `denied`, `missing-topic`, `past-the-end`, `no-authors`: pages that give no posts, and what is said
""")


def main(words: list[str]) -> int:
    if len(words) != 2:
        return refuse("usage: scripts/new-forum NAME URL")
    name, url = words
    host = urlsplit(url).hostname
    stub, pages = FORUMS / f"{name}.py", FIXTURES / name
    if not NAME.fullmatch(name):
        return refuse(f"“{name}” is no id of a platform: lower-case letters, digits, underscores.")
    if urlsplit(url).scheme not in ("http", "https") or not host:
        return refuse(f"“{url}” is no address of a thread: it begins with https:// or http://.")
    if stub.exists() or pages.exists():
        return refuse(f"{(stub if stub.exists() else pages).relative_to(ROOT)} is there already.")
    told = {"name": name, "kind": name.title().replace("_", ""), "constant": name.upper()}
    stub.write_text(STUB.substitute(told), encoding="utf-8")
    pages.mkdir(parents=True)
    (pages / "README.md").write_text(PAGES.substitute(told), encoding="utf-8")
    change(FORUMS / "__init__.py", registered, told)
    change(FORUMS / "platforms.py", listed, told)
    change(ROOT / "pyproject.toml", entered, told)
    change(FORUMS / "sites.toml", sited, told | {"host": host})
    print(next_steps(name, url))
    return 0


def refuse(sentence: str) -> int:
    print(f"new-forum: {sentence}", file=sys.stderr)
    return 2


def change(file: Path, how: Change, told: Told) -> None:
    file.write_text(how(file.read_text(encoding="utf-8"), told), encoding="utf-8")


def registered(text: str, told: Told) -> str:
    """The platform asked last."""
    return before_end(text, "PLACES: Mapping", f'    "{told["name"]}": "{told["name"]}",\n')


def listed(text: str, told: Told) -> str:
    """A row for `knightfall forums`; tests want landmarks in it, and that it is true."""
    return before_end(
        text, "PLATFORMS: tuple", f'    Platform("{told["name"]}", "{told["name"]}", "HTML"),\n'
    )


def entered(text: str, told: Told) -> str:
    """The platform's line at the end of its entry points, which are the same as PLACES."""
    end = text.index("\n\n", text.index('[project.entry-points."knightfall.forums"]')) + 1
    name = told["name"]
    return f'{text[:end]}{name} = "knightfall.forums.{name}:{told["constant"]}"\n{text[end:]}'


def sited(text: str, told: Told) -> str:
    """The forum at hand, where it is not known."""
    head = f'["{told["host"]}"]'
    return text if head in text else f'{text.rstrip()}\n\n{head}\nplatform = "{told["name"]}"\n'


def before_end(text: str, table: str, line: str) -> str:
    """The line put in before the end of a tuple or mapping that is written over several lines."""
    end = re.compile(r"\n[)}]\n").search(text, text.index(table))
    if end is None:
        raise ValueError(f"{table} has no end.")
    return text[: end.start() + 1] + line + text[end.start() + 1 :]


def next_steps(name: str, url: str) -> str:
    return f"""\
Written: src/knightfall/forums/{name}.py, fixtures/forums/{name}/, a line in PLACES and in pyproject.toml,
a row in PLATFORMS, a table in sites.toml. Now:
  1. save a page of {url} and look at it:  knightfall doctor FILE
  2. fill the stub: marks, addresses, style of bodies, hooks (HtmlForum in base.py tells of each; see mybb.py)
  3. write the pages that fixtures/forums/{name}/README.md asks for
  4. scripts/test tests/forums -k {name}"""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
