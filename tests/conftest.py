"""How are properties searched? By the same examples on every run, so that a red run is somebody's change.

HYPOTHESIS_PROFILE=search looks at new ones each time: what it finds becomes an example of its own.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))
