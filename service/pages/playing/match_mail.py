"""How much mail about one match, for whoever is signed in."""

from __future__ import annotations

from typing import Any

from flask import Response, request

from service.here import site
from service.pages.account.settings import CADENCES, number
from service.pages.frame import go, pages, sentence, sheet
from service.pages.options import Unfit
from service.pages.playing.match import public_sight
from service.pages.session import must_be_ours, yourself
from service.problems import NO_MAIL, Problem


@pages.route("/matches/<match>/mail", methods=["GET", "POST"], strict_slashes=False)
def match_mail(match: str) -> Response:
    """The choice, and making it."""
    player = yourself()
    if request.method == "POST":
        must_be_ours()
    sight, preferring = public_sight(match), site().preferring
    if player.id not in sight.match.concerned:
        raise Problem("not-seated", NO_MAIL)
    wrong: dict[str, str] = {}
    if request.method == "POST" and (wish := _wish(wrong)) is not None:
        preferring.choose(player.id, wish, match, afresh=True)
        return go("pages.match_mail", match=match, done="")
    return sheet(
        "match_mail.html",
        422 if wrong else 200,
        match=sight.match,
        chosen=request.form.get("cadence", preferring.chosen(player.id, match).get("cadence", "")),
        mail=preferring.preferences(player.id, match),
        said=request.form,
        wrong=wrong,
        cadences={"": f"As for all my matches: {CADENCES[preferring.preferences(player.id).cadence].lower()}", **CADENCES},
        done="done" in request.args,
    )


def _wish(wrong: dict[str, str]) -> dict[str, Any] | None:
    """What is chosen for this match alone; None where something is wrong with it."""
    cadence = request.form.get("cadence", "")
    if not cadence:
        return {}
    if cadence not in CADENCES:
        wrong["cadence"] = "Choose one of these."
    wish: dict[str, Any] = {"cadence": cadence}
    for name, of, least, most, usual in (("hours", "every", 1, 168, 6), ("hour", "daily", 0, 23, 8)):
        try:
            value = number(request.form.get(name, ""), least, most, usual)
        except Unfit as why:
            wrong[name] = sentence(str(why))
        else:
            wish |= {name: value} if cadence == of else {}
    return None if wrong else wish
