"""What the DNS says about a mail domain, asked with a time limit: records as they stand there, or that nobody answered."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

from dns.exception import DNSException
from dns.resolver import NXDOMAIN, NoAnswer, Resolver
from dns.reversename import from_address

PATIENCE: Final = 3.0  # seconds for one question, with all its tries


class NobodyAnswers(Exception):
    """No name server gave an answer, not even that there is no such record; the message says why."""


class Names:
    """A name server: this machine's own, or the one at `address`, as in `127.0.0.1` or `127.0.0.1:5353`. All methods raise NobodyAnswers."""

    def __init__(self, address: str = "", patience: float = PATIENCE) -> None:
        try:
            self._resolver = Resolver(configure=not address)
        except DNSException as error:
            raise NobodyAnswers(str(error)) from error
        if address:
            place = urlsplit(f"//{address}")
            self._resolver.nameservers = [place.hostname or ""]
            self._resolver.port = place.port or 53
        self._resolver.lifetime = patience

    def mail_hosts(self, domain: str) -> list[str]:
        """The servers that take a domain's mail, the preferred first; `.` is a domain's word that it takes none."""
        found = sorted(str(record).split(" ", 1) for record in self._asked(domain, "MX"))
        return [host if host == "." else host.rstrip(".").lower() for _, host in sorted(found, key=lambda pair: int(pair[0]))]

    def addresses(self, host: str) -> list[str]:
        return [str(record) for kind in ("A", "AAAA") for record in self._asked(host, kind)]

    def texts(self, name: str) -> list[str]:
        """The TXT records, each in one piece."""
        return [b"".join(record.strings).decode(errors="replace") for record in self._asked(name, "TXT")]

    def name_of(self, address: str) -> str:
        """The name that an address has in reverse; "" for none."""
        found = self._asked(from_address(address).to_text(), "PTR")
        return str(found[0]).rstrip(".").lower() if found else ""

    def _asked(self, name: str, kind: str) -> list[Any]:
        try:
            return list(self._resolver.resolve(f"{name.rstrip('.')}.", kind, search=False))
        except (NXDOMAIN, NoAnswer):
            return []
        except (DNSException, OSError) as error:
            raise NobodyAnswers(f"{kind} of {name}: {error}") from error
