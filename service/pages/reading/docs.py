"""The API explained: a first move in five minutes, every operation, every shape and every problem, made of the very openapi.yaml that is served."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from flask import Response, current_app, render_template
from markupsafe import Markup

from service.contract.reference import Reference, inline, rendered
from service.here import site
from service.pages.frame import pages, sheet
from service.problems import SORTS

QUICKSTART: Final = Path(__file__).parents[2] / "quickstart.md"
HERE: Final = "http://127.0.0.1:8000"  # what the quickstart calls the site


@pages.get("/docs", strict_slashes=False)
def docs() -> Response:
    """The quickstart, the rules and the operations."""
    return _kept("operations", "The API", lambda reference: {"quickstart": _quickstart(), "about": reference.about, "chapters": reference.chapters()})


@pages.get("/docs/shapes", strict_slashes=False)
def shapes() -> Response:
    """What stands in bodies, and what can go wrong."""
    return _kept("shapes", "Shapes of the API", lambda reference: {"shapes": reference.shapes(), "problems": _problems()})


def _problems() -> list[tuple[str, int, str, Markup]]:
    """Every type of problem: its name, status, title and advice."""
    return [(name, sort.status, sort.title, inline(sort.advice)) for name, sort in sorted(SORTS.items())]


def _kept(name: str, title: str, said: Callable[[Reference], dict[str, Any]]) -> Response:
    """A page that is the same as long as the process lives, but for the frame around it."""
    bodies: dict[str, Markup] = current_app.extensions.setdefault("forgepost-docs", {})
    if name not in bodies:
        reference = Reference(current_app.extensions["forgepost-document"](), site().settings.url)
        bodies[name] = Markup(render_template(f"docs/{name}.html", **said(reference)))  # noqa: S704 - the template has escaped it
    return sheet("docs/page.html", title=title, body=bodies[name])


def _quickstart() -> Markup:
    """From a token to the first move, at this site."""
    return rendered(QUICKSTART.read_text("utf-8").replace(HERE, site().settings.url))
