"""A process that is kept going: started, started again when it dies, stopped."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from subprocess import DEVNULL, STDOUT, Popen, TimeoutExpired
from time import monotonic

from service.running.tether import tied

FIRST_PAUSE = 0.1  # seconds before it is started again; twice as long each time it dies young,
LONGEST_PAUSE = 5.0  # at most this long
GROWN_UP = 10.0  # seconds after which a death is no longer the same trouble as the one before
LOG_KEPT = 1 << 20  # bytes of log; what is longer is put aside at the next start

Say = Callable[[str], None]


class Child:
    """One process of the household. Its output goes to a log file; `dies_by`: the signal that it gets when we die without stopping it."""

    def __init__(self, name: str, command: Sequence[str], environ: Mapping[str, str], log: Path, *, dies_by: signal.Signals = signal.SIGKILL) -> None:
        self.name, self.log = name, log
        self._command, self._environ, self._dies_by = tuple(command), environ, dies_by
        self._process: Popen[bytes] | None = None
        self._born, self._due, self._pause = 0.0, 0.0, FIRST_PAUSE

    @property
    def pid(self) -> int | None:
        """The process, while it runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self, keep: Sequence[int] = ()) -> None:
        """Start it; `keep`: open files that it inherits, now and whenever it is started again."""
        self._keep = tuple(keep)
        self.log.parent.mkdir(parents=True, exist_ok=True)
        if self.log.exists() and self.log.stat().st_size > LOG_KEPT:
            self.log.replace(self.log.with_suffix(".old.log"))
        with self.log.open("ab") as paper:
            self._process = Popen(
                tied(self._command, self._dies_by),
                stdin=DEVNULL,
                stdout=paper,
                stderr=STDOUT,
                env=dict(self._environ),
                pass_fds=self._keep,
                start_new_session=True,  # Ctrl-C in the terminal reaches the supervisor alone, which stops all in order
            )
        self._born, self._due = monotonic(), 0.0

    def tend(self, say: Say) -> None:
        """Notice that it died, and start it again when its pause is over."""
        if self._process is None or (status := self._process.poll()) is None:
            return
        now = monotonic()
        if self._due == 0.0:
            before = 0.0 if now - self._born > GROWN_UP else self._pause
            self._pause = min(before * 2, LONGEST_PAUSE) or FIRST_PAUSE
            self._due = now + self._pause
            if before < LONGEST_PAUSE:  # what keeps dying is not spoken of for ever
                again = "is started again in" if self._pause < LONGEST_PAUSE else "keeps ending and is started again every"
                say(
                    f"{self.name} (process {self._process.pid}) {_ended(status)}; it {again} {self._pause:g} s; its log is {self.log}{self._reason()}"
                )
        elif now >= self._due:
            self.start(self._keep)

    def ask_to_stop(self) -> None:
        """SIGTERM, once."""
        if self.pid is not None and self._process is not None:
            self._process.terminate()

    def await_end(self, patience: float, say: Say) -> None:
        """Return when it has ended; after so many seconds it is killed."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.0, patience))
        except TimeoutExpired:
            say(f"{self.name} (process {self._process.pid}) did not stop by itself and is killed")
            self._process.kill()
            self._process.wait()

    def _reason(self) -> str:
        """The last line of the log, where the process said something before it died."""
        last = self.last_words(1).strip()
        return f" and ends with: {last[:200]}" if last else ""

    def last_words(self, lines: int = 8) -> str:
        """The end of its log, for whoever must find out why it died."""
        try:
            return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])
        except OSError:
            return ""


def _ended(status: int) -> str:
    return f"was ended by {signal.Signals(-status).name}" if status < 0 else f"ended with status {status}"
