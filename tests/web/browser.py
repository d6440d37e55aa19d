"""A real browser for tests: Debian's Chromium or the machine's own; none is downloaded."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW = "no browser was found; on Debian: apt-get install chromium (or set KNIGHTFALL_BROWSER to its path)"

PATIENCE = 90.0
"""Seconds within which a browser does what it is asked, on a machine that has much else to do."""


def browser_path() -> str:
    """Where a browser is; "" where there is none."""
    wanted = os.environ.get("KNIGHTFALL_BROWSER", "")
    return wanted or next((found for name in NAMES if (found := shutil.which(name))), "")


@contextmanager
def browsing() -> Iterator[Any]:
    """A browser without a window. Skips the test, and says how to get one, where there is none."""
    path = browser_path()
    if not path:
        pytest.skip(HOW)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
        )
        try:
            yield browser
        finally:
            browser.close()
