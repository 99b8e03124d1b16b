"""What a site is told from outside: every variable, what it means, and in words what is wrong with a value."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from secrets import token_hex
from typing import Annotated, Any, get_args, get_type_hints
from urllib.parse import urlsplit

from infra import setting_texts as texts
from infra.networks import EVERYWHERE, Network
from infra.redis_clients.address import address

LONGEST_URL = 26  # with "/m/" and a token of 45 characters a link stays within 74, which no mail program splits


class SettingsError(ValueError):
    """The site cannot start; every line of the message says what is wrong with one variable, and what to do."""


@dataclass(frozen=True)
class Variable:
    """Where a setting comes from: the environment variable's name, what it is for, and what of it must not be shown."""

    name: str
    about: str
    secret: bool = False


@dataclass(frozen=True, kw_only=True, repr=False)
class Settings:
    """All settings of a site. What each one is for stands beside it; `configured` lists them as a person may see them."""

    url: Annotated[
        str,
        Variable("FORGEPOST_URL", "Where players reach this site, as in https://turns.example.org; begins every link in every mail."),
    ]
    secrets: Annotated[
        tuple[tuple[str, bytes], ...],
        Variable(
            "FORGEPOST_SECRETS",
            "Key ids and master secrets, as in a:<64 hex digits>,b:<64 hex digits>. Links and the signatures of heads come from "
            "them: the first makes new ones, all of them still open old ones. To rotate, put a new one in front; take an old one out when no "
            "mail that it signed matters any more.",
            secret=True,
        ),
    ]
    seed_secret: Annotated[
        bytes,
        Variable(
            "FORGEPOST_SEED_SECRET",
            "The secret (64 hex digits) behind the dice of every match. It stays the same as long as a match runs: the seed that a match is "
            "committed to is derived from it anew for every draw and stored nowhere.",
            secret=True,
        ),
    ]
    events_redis_url: Annotated[
        str,
        Variable(
            "EVENTS_REDIS_URL",
            "The Redis that holds the matches, as in redis://127.0.0.1:6379/0; where Sentinel knows the master, as in "
            "redis+sentinel://10.0.0.5:26379,10.0.0.6:26379,10.0.0.7:26379/forgepost/0; or a cluster, as in "
            "redis+cluster://10.0.0.5:6379,10.0.0.6:6379,10.0.0.7:6379.",
        ),
    ]
    rq_redis_url: Annotated[str, Variable("RQ_REDIS_URL", "The Redis that carries the workers' jobs; usually the same, never a cluster.")]
    smtp_url: Annotated[
        str,
        Variable(
            "SMTP_URL", "The server that takes our mail: smtp://host:25, smtp+starttls://user:password@host:587 or smtps://user:password@host:465."
        ),
    ]
    mail_domain: Annotated[str, Variable("MAIL_DOMAIN", "The domain of our own addresses; usually the host of FORGEPOST_URL.")]
    dkim: Annotated[
        str,
        Variable(
            "DKIM_KEYS",
            "Selectors and private key files (PEM, Ed25519 or RSA) by which our mails are signed, as in ed:/etc/forgepost/ed.pem,rsa:/etc/forgepost/"
            "rsa.pem; left out where the mail server signs them itself.",
        ),
    ]
    mail_in_url: Annotated[
        str,
        Variable("MAIL_IN_URL", "Where `forgepost mail-in` takes replies from our mail server, as in lmtp://127.0.0.1:8024."),
    ]
    imap_url: Annotated[
        str,
        Variable(
            "IMAP_URL",
            "The mailbox in which `forgepost mail-in` looks for replies: imaps://user:password@host/INBOX or imap+starttls://…; "
            "usually none. What was read is moved to its folder Forgepost.",
        ),
    ]
    authserv_id: Annotated[
        str,
        Variable("AUTHSERV_ID", "What our mail server calls itself in Authentication-Results; a reply of which it says dmarc=fail plays nothing."),
    ]
    data: Annotated[Path, Variable("FORGEPOST_DATA", "The directory for what lies on disk; usually ./var.")]
    dev: Annotated[bool, Variable("FORGEPOST_DEV", "1 on a development machine: shows the mailbox pages, makes missing secrets by itself.")]
    partitions: Annotated[
        int,
        Variable("FORGEPOST_PARTITIONS", "How many hash slots new matches are spread over, 1 to 100; usually 16."),
    ]
    allow_loss_window: Annotated[
        bool,
        Variable("ALLOW_LOSS_WINDOW", "1 to accept a Redis that may lose the last second of moves in a crash (appendfsync everysec)."),
    ]
    replicas: Annotated[
        int,
        Variable(
            "REPLICAS",
            "How many replicas of the Redis that holds the matches must have a move as well before it counts as done; usually 0. From 1 on, that "
            "Redis must not take writes without them (min-replicas-to-write), and what they do not have within half a second is answered with 202.",
        ),
    ]
    redis_durability_attested: Annotated[
        bool,
        Variable("REDIS_DURABILITY_ATTESTED", "1 to vouch for a Redis that does not let us read its configuration: it keeps what it acknowledged."),
    ]

    witness: Annotated[
        Path,
        Variable(
            "WITNESS_DIR",
            "Where signed heads are written down outside Redis, so that moves that a crash or fail-over lost are missed; usually the "
            "directory witness under FORGEPOST_DATA, better a disk that is not Redis's. Several machines share one, or each has its own.",
        ),
    ]

    archive: Annotated[
        str,
        Variable(
            "ARCHIVE_URL",
            "Where matches that are over can be moved to: a directory as in file:///srv/forgepost/archive, or s3://bucket/prefix with the "
            "AWS_… variables that such a store wants; usually none.",
        ),
    ]

    archive_after: Annotated[
        int,
        Variable("ARCHIVE_AFTER_DAYS", "After how many days a match that is over is moved to ARCHIVE_URL by itself; usually 0: never."),
    ]

    webhooks_private: Annotated[
        str,
        Variable(
            "WEBHOOKS_PRIVATE",
            "Networks of our own that webhooks may lead to, and then also without TLS, as in 10.0.0.0/8,fd00::/8; yes for all addresses, "
            "usually no: public addresses by https only. On a development machine usually yes.",
        ),
    ]

    rate_limits: Annotated[
        str,
        Variable(
            "RATE_LIMITS",
            "How many requests of a kind are allowed in how many seconds, for one token or one address, as in read=600/60,create=60/3600; off: any "
            "number. What is not named is as usual; on a development machine that is a thousand times as much.",
        ),
    ]

    trusted_proxies: Annotated[
        tuple[Network, ...],
        Variable(
            "TRUSTED_PROXIES",
            "The proxies whose X-Forwarded-For is believed, as addresses or networks (10.0.0.5,10.1.0.0/16); usually those on this machine.",
        ),
    ]

    metrics_token: Annotated[
        str,
        Variable(
            "METRICS_TOKEN",
            "What whoever asks for /metrics must send as `Authorization: Bearer …`; usually none, and then only this very machine may ask.",
            secret=True,
        ),
    ]

    @classmethod
    def from_env(cls, environ: Mapping[str, str]) -> Settings:
        """The settings in an environment. Raises SettingsError, one line for every variable that is missing or wrong."""
        said = {name: value.strip() for name, value in environ.items() if value.strip()}
        wrong: list[str] = []

        def asked(read: Callable[[str, str], Any], name: str, usual: str | None = None, otherwise: str = "") -> Any:
            value = said.get(name, usual)
            try:
                if value is not None:
                    return read(name, value)
                wrong.append(f"{name} is not set: {otherwise}")
            except texts.Unfit as error:
                wrong.append(str(error))
            return None

        dev = asked(texts.yes, "FORGEPOST_DEV", "0")
        data = Path(said.get("FORGEPOST_DATA", "var")).absolute()
        if dev and not wrong:
            said = {**_made_secrets(data), **said}
        url = asked(texts.base, "FORGEPOST_URL", None, "give it the address at which players reach this site, as in https://turns.example.org")
        events = asked(texts.redis, "EVENTS_REDIS_URL", None, "give it the Redis that holds the matches, as in redis://127.0.0.1:6379/0")
        values = {
            "url": url,
            "secrets": asked(texts.secrets, "FORGEPOST_SECRETS", None, texts.MAKE_ONE),
            "seed_secret": asked(texts.seed_secret, "FORGEPOST_SEED_SECRET", None, texts.MAKE_SEED),
            "events_redis_url": events,
            "rq_redis_url": asked(texts.redis, "RQ_REDIS_URL", events or "redis://unused"),
            "smtp_url": asked(texts.smtp, "SMTP_URL", None, "give it the server that takes our mail, as in smtp://127.0.0.1:25"),
            "mail_domain": asked(
                texts.domain, "MAIL_DOMAIN", texts.usual_domain(url, dev=dev), "FORGEPOST_URL has no domain name that could begin our addresses"
            ),
            "dkim": asked(texts.dkim, "DKIM_KEYS", ""),
            "mail_in_url": asked(texts.mail_in, "MAIL_IN_URL", ""),
            "imap_url": asked(texts.imap, "IMAP_URL", ""),
            "authserv_id": said.get("AUTHSERV_ID", "").lower(),
            "data": data,
            "dev": dev,
            "partitions": asked(texts.partitions, "FORGEPOST_PARTITIONS", "16"),
            "allow_loss_window": asked(texts.yes, "ALLOW_LOSS_WINDOW", "0"),
            "replicas": asked(texts.replicas, "REPLICAS", "0"),
            "redis_durability_attested": asked(texts.yes, "REDIS_DURABILITY_ATTESTED", "0"),
            "archive": asked(texts.archive, "ARCHIVE_URL", ""),
            "archive_after": asked(texts.days, "ARCHIVE_AFTER_DAYS", "0"),
            "rate_limits": asked(texts.limits, "RATE_LIMITS", ""),
            "trusted_proxies": asked(texts.proxies, "TRUSTED_PROXIES", "127.0.0.0/8,::1"),
            "witness": Path(said.get("WITNESS_DIR", data / "witness")).absolute(),
            "metrics_token": asked(texts.word, "METRICS_TOKEN", ""),
            "webhooks_private": asked(texts.networks, "WEBHOOKS_PRIVATE", "yes" if dev else "no"),
        }
        if url and not dev and urlsplit(url).scheme == "http" and urlsplit(url).hostname not in texts.LOOPBACK:
            wrong.append(f"FORGEPOST_URL is {url}: whoever reads along could play with the links; make it https:// (or set FORGEPOST_DEV=1)")
        if values["rq_redis_url"] and address(values["rq_redis_url"]).kind == "cluster":
            wrong.append("RQ_REDIS_URL is a cluster, which cannot carry jobs: give it a Redis of its own, as in redis://127.0.0.1:6391/0")
        if values["archive_after"] and not values["archive"] and not wrong:
            wrong.append("ARCHIVE_AFTER_DAYS is set, and ARCHIVE_URL is not: say where to move matches to")
        if wrong:
            raise SettingsError("\n".join(wrong))
        return cls(**values)

    @classmethod
    def development(
        cls, data: Path, *, host: str = "127.0.0.1", port: int = 8000, redis_port: int = 6390, smtp_port: int = 2525, mail_in_port: int = 8024
    ) -> Settings:
        """A whole site on this machine; its secrets lie in `data`/secrets and are made on first use."""
        return cls.from_env(
            {
                "FORGEPOST_DEV": "1",
                "FORGEPOST_DATA": str(data),
                "ARCHIVE_URL": str(data.absolute() / "archive"),
                "FORGEPOST_URL": f"http://{f'[{host}]' if ':' in host else host}:{port}",
                "EVENTS_REDIS_URL": f"redis://127.0.0.1:{redis_port}/0",
                "SMTP_URL": f"smtp://127.0.0.1:{smtp_port}",
                "MAIL_IN_URL": f"smtp://127.0.0.1:{mail_in_port}",
            }
        )

    def environ(self) -> dict[str, str]:
        """The environment that `from_env` reads these very settings from, secrets included: for the processes that we start."""
        return {variable.name: _written(getattr(self, name)) for name, variable in variables().items()}

    def configured(self) -> list[tuple[Variable, str]]:
        """Every variable with its value as it may be shown: secrets and passwords are masked."""
        return [(variable, _shown(variable, getattr(self, name))) for name, variable in variables().items()]

    @property
    def secure(self) -> bool:
        """Whether it is reached by https alone."""
        return self.url.startswith("https:")

    def doubts(self) -> list[str]:
        """What works, but not as well as it should; a sentence for each."""
        said = []
        if len(self.url) > LONGEST_URL:
            said.append(f"FORGEPOST_URL has {len(self.url)} characters: some mail programs break links that are so long; {LONGEST_URL} would fit")
        if self.allow_loss_window:
            said.append("ALLOW_LOSS_WINDOW is on: a crash of Redis may lose the moves of the last second")
        if (self.mail_in_url or self.imap_url) and not self.authserv_id and not self.dev:
            said.append("AUTHSERV_ID is not set: whoever gets hold of a player's reply address can forge that player's mails")
        if self.redis_durability_attested:
            said.append("REDIS_DURABILITY_ATTESTED is on: nobody but you has checked that Redis keeps what it acknowledges")
        if self.webhooks_private == EVERYWHERE and not self.dev:
            said.append("WEBHOOKS_PRIVATE is yes: whoever has an account can have this machine post to whatever it reaches")
        return said

    def __repr__(self) -> str:
        shown = (f"{variable.name}={value}" for variable, value in self.configured())
        return f"Settings({', '.join(shown)})"


def variables() -> dict[str, Variable]:
    """The environment variable behind each field of Settings."""
    hints = get_type_hints(Settings, include_extras=True)
    return {field.name: get_args(hints[field.name])[1] for field in fields(Settings)}


def _written(value: object) -> str:
    match value:
        case None:
            return ""
        case Path():
            return str(value)
        case bool():
            return "1" if value else "0"
        case bytes():
            return value.hex()
        case tuple():
            return ",".join(f"{one[0]}:{one[1].hex()}" if isinstance(one, tuple) else str(one) for one in value)
        case _:
            return str(value)


def _shown(variable: Variable, value: object) -> str:
    if variable.secret and value:
        return ", ".join(f"{kid}:…" for kid, _ in value) if isinstance(value, tuple) else "…"
    said = _written(value)
    if "://" not in said:
        return said
    url = urlsplit(said)  # a password stands before the host, and Redis takes it in the query too
    user, _, place = url.netloc.rpartition("@")
    name, colon, _ = user.partition(":")
    return url._replace(netloc=f"{name}{colon and ':…'}@{place}" if user else place, query=url.query and "…").geturl()


def _made_secrets(data: Path) -> dict[str, str]:
    """The secrets of a development site, made on first use; two processes that start at once read the same ones."""
    file = data / "secrets"
    try:
        return _kept_secrets(file)
    except OSError as error:
        raise SettingsError(f"FORGEPOST_DATA is {data}, where the secrets of a development site cannot be kept: {error.strerror}") from error


def _kept_secrets(file: Path) -> dict[str, str]:
    data = file.parent
    if not file.exists():
        data.mkdir(parents=True, exist_ok=True)
        draft = data / f"secrets.{os.getpid()}.{token_hex(4)}"
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as paper:
            paper.write(f"FORGEPOST_SECRETS=a:{token_hex(texts.SECRET_BYTES)}\nFORGEPOST_SEED_SECRET={token_hex(texts.SECRET_BYTES)}\n")
        try:
            os.link(draft, file)  # fails where another process was first, and never shows half a file
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return dict(line.split("=", 1) for line in file.read_text().splitlines() if "=" in line)
