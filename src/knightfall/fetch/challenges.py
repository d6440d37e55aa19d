"""Is this a page that wants to know whether a human asks? Then we stop: it is never evaded."""

from __future__ import annotations

import re
from collections.abc import Mapping

from knightfall.errors import AccessDenied

CHALLENGED = (
    "The site asks for a human check. I will not try to get around it. Open the thread in your browser, save "
    "its pages, and use those: --from-html FILE..."
)
REFUSING = frozenset({401, 403, 405, 429, 503})
MARKS = re.compile(
    r"/cdn-cgi/challenge-platform/(?!scripts/jsd/)|cf-chl-|captcha-delivery\.com|_Incapsula_|check\.ddos-guard\.net"
)
"""Words of such pages. A page that is served (200) may hold them too, so there they say nothing; a forum's
refusal may hold a captcha for its login form and Cloudflare's silent script (jsd), so these never do."""

ALWAYS = re.compile(r"""<script[^>]{0,200}\bid=["']?anubis_challenge|<script>sucuri_cloudproxy_js""")
"""Scripts of checks that are served with status 200; no post can hold a script."""


def refuse_challenge(url: str, status: int, headers: Mapping[str, str], text: str) -> None:
    """Raises AccessDenied for a challenge, which names the way around that is allowed: saved pages."""
    refused = status in REFUSING and MARKS.search(text)
    if refused or "cf-mitigated" in headers or ALWAYS.search(text):
        raise AccessDenied(f"{url}: {CHALLENGED}")
