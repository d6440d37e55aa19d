"""How much of a page's posts comes through Ctrl-A and Ctrl-C of a real browser?

Every HTML page of the folders that is read as it is served is copied, and the copy is read as a pasted page.
Prints a line for each page that lost something, then how many pages of each platform lost nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from forums.copies import FIXTURES, SHARED, Copy, copies_of_chromium, copies_of_firefox, losses, readable
from web.browser import HOW, browser_path, browsing
from web.firefox import HOW_FIREFOX, firefox_path, firefoxing


def main() -> None:
    """Folders may be given; without any it is the fixtures, and the real pages where they are there."""
    words = argparse.ArgumentParser(description=__doc__, allow_abbrev=False)
    words.add_argument("folders", nargs="*", type=Path)
    words.add_argument("--chromium", action="store_true", help="copy in Chromium instead of Firefox")
    given = words.parse_args()
    folders = given.folders or [folder for folder in (FIXTURES, SHARED) if folder.exists()]
    if not (browser_path() if given.chromium else firefox_path()):
        sys.exit(HOW if given.chromium else HOW_FIREFOX)
    if given.chromium:
        with browsing() as browser:
            measure(folders, copies_of_chromium(browser))
    else:
        with firefoxing() as browser:
            measure(folders, copies_of_firefox(browser))


def measure(folders: list[Path], copy: Copy) -> None:
    """Copy the pages and print what came through."""
    pages: Counter[str] = Counter()
    whole: Counter[str] = Counter()
    for folder in folders:
        for page in readable(folder):
            lost = losses(page, copy(page.url, page.text))
            pages[page.platform] += 1
            whole[page.platform] += not lost
            if lost:
                print(f"{page.name}: {'; '.join(lost)}", flush=True)
    print()
    for platform, count in sorted(pages.items()):
        print(f"{platform:<16}{whole[platform]:>4} of {count:>3}")
    print(f"{'together':<16}{whole.total():>4} of {pages.total():>3}")


if __name__ == "__main__":
    main()
