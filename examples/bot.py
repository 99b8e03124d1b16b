"""Play a match to its end: `python bot.py http://127.0.0.1:8000 fp_…`, with your token. Needs nothing but Python 3.11 or later.

Without more it starts a match of Fourfold against house bots; `--game penny-ante` of another game, `--join 07-3f9k2m8qtx` takes a
seat in a match that waits for players, or goes on with one in which it sits. It plays at random: make `choose` better.
"""

import argparse
import json
import random
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

PATIENCE = 1.0  # seconds between two looks while others are to act


class Refused(Exception):
    """The server says no, and why: `problem["type"]` is for programs, `problem["detail"]` for people."""

    def __init__(self, problem):
        super().__init__(problem["detail"])
        self.problem = problem


def ask(path, body=None):
    """What the API answers. A POST has a key of its own, so that it is done once even if it has to be sent again."""
    headers = {"Authorization": f"Bearer {args.token}", "Content-Type": "application/json", "Idempotency-Key": str(uuid4())}
    request = Request(f"{args.site}/api/v1{path}", None if body is None else json.dumps(body).encode(), headers)
    attempts = 6
    while True:
        attempts -= 1
        wait = PATIENCE
        try:
            with urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code not in (429, 503) or not attempts:
                raise Refused(json.load(error)) from None
            wait = float(error.headers.get("Retry-After", PATIENCE))
        except OSError:  # the answer was lost on its way
            if not attempts:
                raise
        time.sleep(wait)


def sit_down():
    """The match to play."""
    if args.join:
        try:
            match = ask(f"/matches/{args.join}")
        except Refused as refused:  # a private match is shown to its players only, and its open seats are for whoever knows its id
            if refused.problem["status"] != 404:
                raise
            match = None
        return match if match and mine(match) else ask(f"/matches/{args.join}/join", {})["match"]
    game = ask(f"/games/{args.game}")
    bots = [{"bot": "random"}] * (game["sizes"][0] - 1)
    return ask("/matches", {"game": args.game, "options": json.loads(args.options), "seats": [{"player": "me"}, *bots]})


def mine(match):
    """The seats that are ours."""
    return [seat["seat"] for seat in match["seats"] if seat["player"] == me and not seat["vacated"]]


def choose(match, legal):
    """The action to play, as a line of text. `match["view"]` is the position."""
    return random.choice(legal)["text"]


parser = argparse.ArgumentParser()
parser.add_argument("site")
parser.add_argument("token")
parser.add_argument("--game", default="fourfold")
parser.add_argument("--options", default="{}", help="of the game, as JSON: '{\"goals_to_win\": 1}'")
parser.add_argument("--join", help="the id of a match")
args = parser.parse_args()

me = ask("/me")["id"]
match = sit_down()
print(f"match {match['id']}: {args.site}/api/v1/matches/{match['id']}")
while match["status"] in ("waiting", "live"):
    seat = next((asked["seat"] for asked in match["to_act"] if asked["seat"] in mine(match)), None)
    if seat is None:
        time.sleep(PATIENCE)
        match = ask(f"/matches/{match['id']}")
        continue
    try:
        legal = ask(f"/matches/{match['id']}/legal-actions?seat={seat}")
        text = choose(match, legal["actions"])
        match = ask(f"/matches/{match['id']}/submissions", {"seat": seat, "ply": legal["ply"], "text": text})["match"]
        print(f"{seat}: {text}")
    except Refused as refused:  # others were faster, or time ran out: look again
        if refused.problem["status"] != 409:
            raise
        match = ask(f"/matches/{match['id']}")
print(match["status"], json.dumps(match["outcome"]))
