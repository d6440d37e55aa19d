"""Logins by phpBB's own rules: a session is of the browser that began it; a remembered key is good once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from itertools import count

from fetch.loopback import Reply
from fetch.threads import login

HEAD = "phpbb3_4kq"


@dataclass
class Sessions:
    """A board's sessions and keys. `door` answers each path: by `answer` to who is logged in, else by a login
    page, with a guest's session. `sessions`: each with its User-Agent; `keys` are those that are good."""

    answer: Callable[[str], Reply]
    sessions: dict[str, str] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)
    _numbers: count[int] = field(default_factory=count)

    def log_in(self, agent: str, remember: bool = False) -> dict[str, str]:
        """The cookies of somebody who logs in with that browser."""
        number = next(self._numbers)
        self.sessions[f"session{number}"] = agent
        key = f"key{number}" if remember else ""
        self.keys |= {key} - {""}
        return {f"{HEAD}_u": "42", f"{HEAD}_k": key, f"{HEAD}_sid": f"session{number}"}

    def serves(self, agent: str, cookies: Mapping[str, str]) -> bool:
        """Whether that browser is logged in without its key."""
        return self.sessions.get(cookies[f"{HEAD}_sid"]) == agent

    def door(self, path: str, headers: Mapping[str, str]) -> Reply:
        """The page, with the cookies that the board gives."""
        agent = headers.get("User-Agent", "")
        brought = {name: one.value for name, one in SimpleCookie(headers.get("Cookie", "")).items()}
        brought = {f"{HEAD}_u": "", f"{HEAD}_k": "", f"{HEAD}_sid": "", **brought}
        if self.serves(agent, brought):
            return self.answer(path)
        key = brought[f"{HEAD}_k"]
        if key and key in self.keys:
            self.keys.remove(key)
            page, given = self.answer(path), self.log_in(agent, remember=True)
        else:
            page = Reply(login())
            given = {f"{HEAD}_u": "1", f"{HEAD}_k": "", f"{HEAD}_sid": f"guest{next(self._numbers)}"}
        cookies = tuple(f"{name}={value}; path=/; HttpOnly" for name, value in given.items())
        return Reply(page.body, page.status, page.headers, cookies=cookies)


def netscape(host: str, cookies: Mapping[str, str], remark: str = "") -> str:
    """The file of these cookies."""
    lines = (f"#HttpOnly_{host}\tFALSE\t/\tFALSE\t0\t{name}\t{value}\n" for name, value in cookies.items())
    return f"# Netscape HTTP Cookie File\n{remark}{''.join(lines)}"
