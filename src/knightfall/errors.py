"""What can go wrong, and with which exit status does the command line end?

KnightfallError                 1  a check found failures
├── InputError                  2  what the moderator gave us cannot be used
│   ├── SaidAlready                the same words are an entry that stands
│   ├── FieldError                 an answer to one question of a form
│   ├── SetupError                 a game.toml: file, key, what was found, what was expected
│   ├── TimeError                  a time without a zone, or in a DST gap or fold
│   ├── UnknownServer              the host name leads nowhere
│   └── BrokenPlugin               what another installed package adds cannot be used
├── DecisionNeeded              3  the moderator has to say how to go on
│   └── Overtaken                  somebody else wrote in the journal since it was read
├── EvidenceError               4  what was read must not be counted
│   ├── IncompleteRead             a gap, a repeat, a short or broken page
│   │   └── AnotherView            a board that shows its reader other posts than all, or newest first
│   ├── PastTheEnd                 the page asked for lies behind the last one
│   ├── LayoutChanged              a known forum whose markup is not the one we know
│   └── NotAForum                  no platform recognises the page, or it shows no thread
├── SecretGuard                 5  a text for everybody would give a secret away
├── SiteRefused                 6  the site does not give us the page
│   ├── LoginRequired              a login form instead of posts
│   ├── AccessDenied               logged in or not, we may not read this
│   ├── TopicMissing               the topic does not exist (any more)
│   ├── RateLimited                429, still after waiting
│   └── ServerFault                5xx, time-outs, cut connections, still after retries
└── StateDamaged                7  the database or the journal is not as it was written

A message says what happened, where, and what to do next: the last as a `Way`, which each face spells as it
does that itself.
"""

from __future__ import annotations


class KnightfallError(Exception):
    """Root of everything we raise on purpose. `secret`: its message says what is not for everybody."""

    exit_status = 1
    secret = False

    @property
    def message(self) -> str:
        """What is wrong: a `Sentence` where it holds names or ways, which `str` of the error loses."""
        return self.args[0] if self.args and isinstance(self.args[0], str) else str(self)


class InputError(KnightfallError):
    """What the moderator gave us cannot be used."""

    exit_status = 2


class SaidAlready(InputError):
    """The same words were kept before, and stand: there is nothing to write."""


class FieldError(InputError):
    """What was answered to one question of a form cannot be used: `field` is what its field is called,
    "" where it is not known."""

    def __init__(self, message: str, field: str = "") -> None:
        super().__init__(message)
        self.field = field


class SetupError(InputError):
    """A game file is wrong: the message names file, key, what was found and what was expected."""

    secret = True


class TimeError(InputError):
    """A time that names no instant, or two."""


class UnknownServer(InputError):
    """The host name of a URL leads nowhere."""


class BrokenPlugin(InputError):
    """What another installed package adds cannot be used: the message names the package and what to do."""


class DecisionNeeded(KnightfallError):
    """The moderator has to decide before we can go on."""

    exit_status = 3


class Overtaken(DecisionNeeded):
    """Somebody else wrote in the journal since it was read: nothing was written."""


class EvidenceError(KnightfallError):
    """What was read is not fit to be counted."""

    exit_status = 4


class IncompleteRead(EvidenceError):
    """Posts are missing: a gap, a repeat, a short or broken page."""


class AnotherView(IncompleteRead):
    """The board shows its reader other posts than all, or the newest first."""


class PastTheEnd(EvidenceError):
    """The page asked for lies behind the last one."""


class LayoutChanged(EvidenceError):
    """The platform is known, its markup is not what we know."""


class NotAForum(EvidenceError):
    """No platform recognises the page, or it is one of a forum that shows no thread."""


class SecretGuard(KnightfallError):
    """A text for everybody gives away what only some may know: nothing was printed."""

    exit_status = 5
    secret = True


class SiteRefused(KnightfallError):
    """The site does not give us the page."""

    exit_status = 6


class LoginRequired(SiteRefused):
    """The page is a login form."""


class AccessDenied(SiteRefused):
    """The site says that we may not read this."""


class TopicMissing(SiteRefused):
    """The topic does not exist (any more)."""


class RateLimited(SiteRefused):
    """Too many requests, still after waiting as asked."""


class ServerFault(SiteRefused):
    """The server failed, still after retries."""


class StateDamaged(KnightfallError):
    """The database or the journal is not as it was written."""

    exit_status = 7
