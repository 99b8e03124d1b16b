"""The rest: the catalogue of games, how the site is, and what a problem looks like."""

from __future__ import annotations

from service.problems import SORTS, TYPES
from service.schemas.fields import Free, Inside, Many, Text, Time, Whole, Yes
from service.schemas.matches import ToAct
from service.schemas.strict import Told

JSON_SCHEMA = {"type": "object", "description": "A JSON Schema (draft 2020-12).", "additionalProperties": True}


class GameRow(Told):
    """A game in short."""

    id = Text("The game's id.", "fourfold", required=True)
    title = Text("What people call it.", "Fourfold", required=True)
    edition = Whole("It rises when the rules change such that an old match would replay differently.", 1, least=1, required=True)
    seats = Many(Text("A seat.", "south"), "The names of all seats there can be, in order; a match uses the first of them.", required=True)
    sizes = Many(Whole("A number of seats.", 4, least=1), "How many seats a match may have.", required=True)
    several_seats = Yes("Whether one player may hold several seats of a match.", required=True)
    bots = Many(Text("A house bot.", "random"), "The house bots that play it.", required=True)
    options = Free("What the `options` of a match may be, with their defaults.", JSON_SCHEMA, required=True)
    actions = Free("What an action may be.", JSON_SCHEMA, required=True)
    view = Free("What the `view` of a match is, once it is live: a position.", JSON_SCHEMA, required=True)


class Game(GameRow):
    """A game with all that belongs to it."""

    components = Free(
        "What lies in the box, cards for instance; empty for most games.", {"type": "object", "additionalProperties": True}, required=True
    )
    guide = Text("How it is played, in Markdown.", required=True)


class GameList(Told):
    """All games."""

    games = Many(Inside(GameRow()), "The games, by id.", required=True)


class Health(Told):
    """How the site is."""

    status = Text("`ok`.", "ok", choices=("ok",), required=True)


class Readiness(Health):
    """The site is ready."""

    read_only_matches = Whole(
        "How many matches can only be read, because their log contradicts itself, until whoever runs the site has looked.", 0, required=True
    )


class Jwk(Told):
    """A public key (RFC 7517, RFC 8037)."""

    kty = Text("Key type.", choices=("OKP",), required=True)
    crv = Text("Curve.", choices=("Ed25519",), required=True)
    x = Text("The key, in base64url.", required=True)
    kid = Text("Its name: the RFC 7638 thumbprint.", required=True)
    use = Text("What it is for.", choices=("sig",), required=True)
    alg = Text("How it signs.", choices=("Ed25519",), required=True)


class Jwks(Told):
    """The keys that sign heads: the one that signs now first, then those that signed before."""

    keys = Many(Inside(Jwk()), "The keys.", least=1, required=True)


class FieldError(Told):
    """What is wrong with one field."""

    detail = Text("In words, with the field's name.", "`seat` is missing", required=True)
    pointer = Text("Where it is in the body: a JSON Pointer as a fragment.", "#/seat")
    parameter = Text("Which query parameter it is.", "limit")
    header = Text("Which header it is.", "Idempotency-Key")


class ProblemDetails(Told):
    """Why a request was not done (RFC 9457). `type` is stable and what a program should look at; the words are for people and may change."""

    type = Text(
        "The kind of problem; also an address on this site that explains it.",
        f"{TYPES}stale-ply",
        choices=tuple(f"{TYPES}{name}" for name in SORTS),
        required=True,
    )
    title = Text("The kind of problem in a few words.", "The match has moved on", required=True)
    status = Whole("The HTTP status.", 409, least=400, most=599, required=True)
    detail = Text("What is wrong this time, and what would be right.", required=True)
    action = Whole("The index of the first action that cannot be done, counted from 0.", 0)
    ruling = Text("The ruling of the game's rules that stands against it.", "FO-2")
    ply = Whole("The match's ply now.", 10)
    to_act = Many(Inside(ToAct()), "The seats that the match waits for now.")
    due = Time("The deadline: the next one, or the one that has passed.")
    since = Many(Text("A line of text.", "S1>c2"), "What has been played since the ply that the submission was made for.")
    errors = Many(Inside(FieldError()), "Every field that is wrong.")
    scope = Text("The scope that is missing.", "matches:play")
    incident = Text("A number under which the site's log has more about it.")
    violated_policies = Many(
        Text("A kind of requests.", "write"), "The limits that were reached.", data_key="violated-policies", attribute="violated-policies"
    )
    reasons = Many(Text("A sentence."), "What has to be put right.")


GAME, GAME_LIST, HEALTH, READINESS, JWKS, PROBLEM = Game(), GameList(), Health(), Readiness(), Jwks(), ProblemDetails()
