"""What every page has in common: the blueprint, the headers it is sent with, and the words its templates may use."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.sansio.blueprints import BlueprintSetupState
from jinja2 import StrictUndefined

from domain import times
from domain.match.telling import capital
from service.here import site

pages = Blueprint("pages", __name__)

POLICY = "default-src 'none'; img-src 'self' data:; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
SCRIPTED = f"{POLICY}; script-src 'self'; connect-src 'self'"  # for the few pages that a script makes handier; they do without one, too
FOUND = ("pages.start", "pages.games", "pages.guide", "pages.verify", "pages.docs", "pages.shapes")  # what search engines may show
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex, nofollow",
}


def sheet(template: str, status: int = 200, **said: Any) -> Response:
    """A page made of a template."""
    return dressed(make_response(render_template(template, **said), status))


def go(endpoint: str, **values: Any) -> Response:
    """On to a page that may be looked at again and again, after something was done."""
    return make_response(redirect(url_for(endpoint, **values), 303))


def dressed(response: Response) -> Response:
    """The response with the headers of every page; one that has its own keeps it."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


@pages.record_once
def _speak_up(state: BlueprintSetupState) -> None:
    """A template that names what there is not is a fault, not a blank."""
    state.app.jinja_env.undefined = StrictUndefined
    state.app.jinja_env.trim_blocks = state.app.jinja_env.lstrip_blocks = True


@pages.after_request
def _dress(response: Response) -> Response:
    dressed(response)
    if request.endpoint in FOUND:
        del response.headers["X-Robots-Tag"]
    return response


@pages.app_context_processor
def _words() -> dict[str, Any]:
    return {
        "moment": times.moment,
        "day": times.day,
        "clock": times.clock,
        "machine": times.machine,
        "span": times.span,
        "capital": capital,
        "dev": site().settings.dev,
        "now": site().clock(),
    }


def sentence(words: str, said: str = "") -> str:
    """Words as a sentence of their own; where they begin with what somebody `said`, that stays as it was said."""
    begun = words if said and words.startswith(said) else f"{words[:1].upper()}{words[1:]}"
    return f"{begun.rstrip('.')}."
