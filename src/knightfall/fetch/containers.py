"""What a saved file holds: a page, or several in an MHTML, HAR, ZIP or gzip file.

Pure over bytes: nothing is written, and no name inside a file is used as a path.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.errors import MessageError
from email.message import Message

from knightfall.errors import IncompleteRead, InputError
from knightfall.forums.addresses import is_absolute

MOST_BYTES = 200_000_000
"""What all that is in a file may come to, unpacked."""
MOST_PAGES = 2_000
"""Pages in one file."""
MOST_MEMBERS = 20_000
"""Members of a ZIP: a page that was saved with all its pictures has hundreds."""
DEEPEST = 3
"""Files in each other: a page in an MHTML in a ZIP in a gzip file."""
GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"
OTHERS = {
    b"%PDF-": "a PDF",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"bplist00": "a web archive of Safari",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\xd0\xcf\x11\xe0": "an Office document",
}
"""The first bytes of what holds no page that can be read, and what it is called."""
PAGES = ("text/html", "application/xhtml+xml", "application/json", "application/xml", "text/xml")
ENDINGS = (".html", ".htm", ".xhtml", ".php", ".json", ".xml", ".mhtml", ".mht", ".har", ".gz", ".zip")
# The headers that an MHTML file begins with, whichever comes first.
MHTML = re.compile(
    rb"\A\s*(?:[\w-]{1,60}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,20}?"
    rb"(?:MIME-Version|Content-Type:\s*multipart/related)",
    re.IGNORECASE,
)
HAR = re.compile(rb'\A\s*(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{')
OFFICE = ("word/document.xml", "xl/workbook.xml", "mimetype")


@dataclass(frozen=True, slots=True)
class Contained:
    """One page of a file: how messages call it, its bytes and the type that was told with them ("": none),
    the address that the file says it came from (None: it does not), when it was loaded where it says, and
    the status of the answer."""

    name: str
    body: bytes
    content_type: str = ""
    address: str | None = None
    at: datetime | None = None
    status: int = 200


def contents(name: str, body: bytes) -> Iterator[Contained]:
    """The pages of a file; one that is no container is a page itself.

    Raises InputError for what holds no page, or more than any thread has, and IncompleteRead for a container
    that ended early.
    """
    return _Unpacked(name).within(name, body, DEEPEST)


@dataclass(slots=True)
class _Unpacked:
    """How much of one file was unpacked so far."""

    file: str
    size: int = 0
    pages: int = 0

    def within(self, name: str, body: bytes, deep: int) -> Iterator[Contained]:
        packed = body.startswith((GZIP, ZIP, EMPTY_ZIP))
        if packed and deep == 0:
            raise InputError(
                f"{name} holds files in files, more than {DEEPEST} deep. Unpack it, and give the pages."
            )
        if body.startswith(GZIP):
            yield from self.within(name.removesuffix(".gz"), self._gunzipped(name, body), deep - 1)
        elif packed:
            yield from self._of_zip(name, body, deep)
        elif MHTML.match(body):
            yield from map(self._counted, self._of_mhtml(name, body))
        elif HAR.match(body):
            yield from map(self._counted, self._of_har(name, body))
        else:
            if kind := next((kind for magic, kind in OTHERS.items() if body.startswith(magic)), None):
                raise InputError(
                    f"{name} is {kind}, which holds no page that can be read. Save the page in your browser "
                    "as “web page, complete” or “single file (MHTML)”."
                )
            yield self._counted(Contained(name, body))

    def _counted(self, page: Contained) -> Contained:
        self.pages += 1
        if self.pages > MOST_PAGES:
            raise InputError(
                f"{self.file} holds more than {MOST_PAGES:,} pages. Give those of one thread only."
            )
        return page

    def _room(self, name: str, size: int) -> None:
        self.size += size
        if self.size > MOST_BYTES:
            raise InputError(
                f"{name} unpacks to more than {MOST_BYTES // 1_000_000} MB, so it was not read. Unpack it, "
                "and give the pages of the thread only."
            )

    def _gunzipped(self, name: str, body: bytes) -> bytes:
        unpacker = zlib.decompressobj(31)
        try:
            plain = unpacker.decompress(body, MOST_BYTES - self.size + 1)
        except zlib.error as error:
            raise IncompleteRead(f"{name} is damaged ({error}). Copy or save it again.") from None
        self._room(name, len(plain))
        if not unpacker.eof:
            raise IncompleteRead(f"{name} ended early. Copy or save it again.")
        return plain

    def _of_zip(self, name: str, body: bytes, deep: int) -> Iterator[Contained]:
        """The pages among its members, in the order of their names; pictures, scripts and styles are passed
        over unread."""
        try:
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                members = archive.infolist()
                if len(members) > MOST_MEMBERS:
                    raise InputError(f"{name} holds more than {MOST_MEMBERS:,} files. Give the pages only.")
                if any(member.filename in OFFICE for member in members):
                    raise InputError(
                        f"{name} is a document, not an archive of pages. Save the page itself in your "
                        "browser."
                    )
                wanted = [one for one in members if _may_be_page(one)]
                if not wanted:
                    raise InputError(f"{name} holds no saved pages (.html).")
                for member in sorted(wanted, key=lambda one: _natural(one.filename)):
                    inside = f"{member.filename.rpartition('/')[2]} in {name}"
                    if member.flag_bits & 1:
                        raise InputError(
                            f"{inside} is locked with a password. Unpack it, and give the pages."
                        )
                    with archive.open(member) as file:
                        plain = file.read(MOST_BYTES - self.size + 1)
                    self._room(name, len(plain))
                    yield from self.within(inside, plain, deep - 1)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            NotImplementedError,
            RuntimeError,
            OSError,
        ) as error:
            raise IncompleteRead(f"{name} is damaged ({error}). Copy or pack it again.") from None

    def _of_mhtml(self, name: str, body: bytes) -> Iterator[Contained]:
        """The page that was saved, and its frames, each with its address."""
        try:
            message = message_from_bytes(body, policy=policy.compat32)
            parts = [part for part in message.walk() if part.get_content_type() in PAGES]
        except (MessageError, ValueError, RecursionError) as error:
            raise IncompleteRead(f"{name} is a broken MHTML file ({error}). Save the page again.") from None
        if not parts:
            raise InputError(
                f"{name} is an MHTML file (or a mail) without a page in it. Save the page again in your "
                "browser."
            )
        if message.is_multipart() and not _is_closed(body, message.get_boundary()):
            raise IncompleteRead(f"{name} ended early. Save the page again.")
        snapshot = str(message.get("Snapshot-Content-Location", "")).strip()
        # The page itself goes first; frames are as a rule advertisements.
        parts.sort(key=lambda part: bool(snapshot) and _location(part) != snapshot)
        for place, part in enumerate(parts):
            plain = part.get_payload(decode=True)
            if isinstance(plain, bytes) and plain.strip():
                address = _location(part) or (snapshot if place == 0 else "")
                self._room(name, len(plain))
                yield Contained(name, plain, str(part.get("Content-Type", "")), _address(address))

    def _of_har(self, name: str, body: bytes) -> Iterator[Contained]:
        """The answers in it that are pages, in the order in which they were asked for."""
        try:
            entries = json.loads(body)["log"]["entries"]
            asked = [entry for entry in entries if _is_page(entry)]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise IncompleteRead(f"{name} ended early or is a broken HAR file. Export it again.") from None
        kept = [entry for entry in asked if isinstance(entry["response"]["content"].get("text"), str)]
        if not kept:
            told = "only the addresses of pages" if asked else "no page"
            raise InputError(
                f"{name} is a HAR file that holds {told}. Load the thread's pages with the network panel "
                "open, and export it “with content”; or save the pages."
            )
        for entry in kept:
            content = entry["response"]["content"]
            text = content["text"]
            if content.get("encoding") == "base64":
                try:
                    plain, told = b64decode(text), str(content.get("mimeType", ""))
                except ValueError:
                    raise IncompleteRead(f"{name} is a broken HAR file. Export it again.") from None
            else:
                plain, told = text.encode("utf-8", "replace"), "text/html; charset=utf-8"
            self._room(name, len(plain))
            address = str(entry["request"].get("url", ""))
            status = entry["response"].get("status")
            yield Contained(
                f"{address or 'a page'} in {name}",
                plain,
                told,
                _address(address),
                _when(entry),
                status if isinstance(status, int) and status >= 400 else 200,
            )


def _natural(name: str) -> list[tuple[int, str]]:
    """A key by which “page 10” comes after “page 9”."""
    return [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d{1,9})", name)]


def _may_be_page(member: zipfile.ZipInfo) -> bool:
    """A file that may be a page, and not what a browser saved beside one."""
    path = member.filename.replace("\\", "/")
    folders, _, file = path.rpartition("/")
    beside = re.search(r"(?:^|/)[^/]*(?:_files|-Dateien|_fichiers|__MACOSX)(?:/|$)", folders)
    return (
        not member.is_dir()
        and beside is None
        and not file.startswith(".")
        and file.lower().endswith(ENDINGS)
        and member.compress_size > 0
    )


def _is_closed(body: bytes, boundary: str | None) -> bool:
    return boundary is None or f"--{boundary}--".encode("ascii", "replace") in body[-4096:]


def _location(part: Message) -> str:
    return str(part.get("Content-Location", "")).strip()


def _address(told: str) -> str | None:
    return told if is_absolute(told) else None


def _is_page(entry: dict[str, dict[str, dict[str, object]]]) -> bool:
    """An answer that a browser showed or a script read as one; not a redirect."""
    told = str(entry["response"]["content"].get("mimeType", "")).partition(";")[0].strip().lower()
    return told in PAGES and str(entry["response"].get("status")) not in ("301", "302", "303", "307", "308")


def _when(entry: dict[str, object]) -> datetime | None:
    try:
        found = datetime.fromisoformat(str(entry.get("startedDateTime", "")))
    except ValueError:
        return None
    return found.astimezone(UTC) if found.tzinfo else None
