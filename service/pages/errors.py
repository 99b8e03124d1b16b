"""When something cannot be done: what happened, and what to do about it, on a page for people."""

from __future__ import annotations

from flask import Response

from service.pages.frame import sentence, sheet
from service.problems import Problem

# What a person at a browser can do; the words of the API are for programs.
ADVICE = {
    "not-found": "Check the address, or begin at the start page. If you came from a mail, its newest sibling has a link that works.",
    "no-such-match": "Open the newest mail of the match: its link is good as long as it is your turn.",
    "method-not-allowed": "Go back and use the links and buttons of the page.",
    "too-large": "Go back and send less: names have 40 characters and actions a line.",
    "too-many-requests": "Wait a little, then try again.",
    "log-unavailable": "Nothing is lost. Try again in a moment; your link stays good.",
    "busy": "Nothing was done. Go back and try again.",
    "match-damaged": "The match is closed for safety until somebody has looked at it. Tell whoever runs this site.",
    "bad-request": "Go back and try again; if a link in a mail led here, open the mail on the web page of your provider.",
    "internal-error": "It is not your fault, and nothing you did before is lost. Try again in a moment.",
}


def page(problem: Problem) -> Response:
    """The problem as a page, with its status and headers. Needs nothing that could be out of order too, such as the log."""
    advice = ADVICE.get(problem.name, "Go back and try again, or begin at the start page.")
    made = sheet("error.html", problem.status, problem=problem, lead=sentence(problem.detail), advice=advice)
    made.headers.extend(problem.headers)
    return made
