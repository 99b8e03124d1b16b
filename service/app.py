"""The web application: API and pages on one Flask app, with the headers and limits that all of it shares."""

from __future__ import annotations

from contextlib import suppress
from time import perf_counter

from flask import Flask, Response, current_app, g, request

from domain.ports import LogUnavailable
from infra.wiring import Site
from service import errors
from service.api import api, outside
from service.contract.description import Description, described
from service.contract.operations import LARGEST_BODY, OPERATIONS, VIEWS
from service.door.asking import asking
from service.door.headers import safe
from service.door.limits import said
from service.door.porter import Porter
from service.door.record import record
from service.door.visitors import hold_back_visitors
from service.light import Light, Ready
from service.once import once
from service.pages import pages
from service.pages.guard import Guard
from service.pages.session import form_proof, whoever_is_here
from service.roads import ShortRoad, by_flask


def create_app(site: Site) -> Flask:
    """The application that serves a site."""
    return serving(routed(), site)


def serving(app: Flask, site: Site) -> Flask:
    """The application as the one of this site."""
    app.extensions["forgepost"] = site
    app.extensions["forgepost-porter"] = Porter(site.players, site.player_keys, site.clock)
    app.extensions["forgepost-guard"] = Guard(site.players, site.clock)
    with suppress(LogUnavailable):  # a process starts also while its Redis does; then the first signature sees to it
        site.signing.publish()
    app.extensions["forgepost-openapi"] = once(lambda: described(app).encode())
    app.extensions["forgepost-document"] = once(lambda: Description(app).document())
    return app


def routed() -> Flask:
    """The application without a site: its routes and what is done about errors."""
    app = Light("service")
    app.config["MAX_CONTENT_LENGTH"] = LARGEST_BODY + 1  # what comes in chunks is cut there without a word, so that one byte too many shows it
    app.url_map.merge_slashes = False
    for blueprint in (api, outside, pages):
        app.register_blueprint(blueprint)
    for endpoint, view in VIEWS.items():
        app.view_functions[endpoint] = by_flask(OPERATIONS[endpoint], view)
    app.wsgi_app = ShortRoad(app)  # type: ignore[method-assign]  # Flask's documented place for what stands before it
    errors.register(app)
    app.context_processor(lambda: {"whoever_is_here": whoever_is_here, "form_proof": form_proof})
    app.before_request(_began)
    app.before_request(hold_back_visitors)
    app.before_request(_as_a_whole)
    app.after_request(_finished)
    return app


def _began() -> None:
    g.began = perf_counter()


def _as_a_whole() -> Response | None:
    """`OPTIONS *` asks about the server, and about nothing on it (RFC 9110, 9.3.7)."""
    if request.method != "OPTIONS" or request.environ["PATH_INFO"] != "*":
        return None
    methods = set().union(*(rule.methods or () for rule in current_app.url_map.iter_rules()))
    return Ready(None, 204, {"Allow": ", ".join(sorted(methods))})


def _finished(response: Response) -> Response:
    """What every response carries, unless it says otherwise."""
    what = asking()
    safe(response, request, https=what.site.settings.secure)
    response.headers.extend(said(what.environ))
    record(what, response.status_code, perf_counter() - g.began)
    return response
