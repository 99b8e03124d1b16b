"""Who asks: bearer tokens and what they allow."""

from __future__ import annotations

from infra.people.players import Grant, Scope
from service.door.asking import Asking
from service.problems import Problem


def who_asks(asking: Asking, scope: Scope, *, optional: bool) -> Grant | None:
    """Whose token came with the request, and what it allows; None where none came and none is needed. Raises Problem.

    Where none is needed, the scope is not asked for.
    """
    said: str | None = asking.environ.get("HTTP_AUTHORIZATION")
    if said is None:
        if optional:
            return None
        raise _unknown("this needs a token: send it as `Authorization: Bearer fp_…`", 'Bearer realm="forgepost"')
    kind, _, token = said.partition(" ")
    if kind.lower() != "bearer":
        raise _unknown("send a token as `Authorization: Bearer fp_…`; there is no other way to sign in here", 'Bearer realm="forgepost"')
    grant = asking.porter.grant(token.strip())
    if grant is None:
        raise _unknown("this token is unknown, expired or revoked", 'Bearer realm="forgepost", error="invalid_token"')
    if not optional:
        may(scope, grant.scopes)
    return grant


def may(scope: str, scopes: frozenset[str]) -> None:
    """Go on if the scope is among these. Raises Problem."""
    if scope not in scopes:
        raise lacking(scope, scopes)


def lacking(scope: str, scopes: frozenset[str]) -> Problem:
    """That a token does not reach so far."""
    return Problem(
        "scope-missing",
        f"this token allows {', '.join(sorted(scopes))}, and this needs {scope}",
        headers={"WWW-Authenticate": f'Bearer realm="forgepost", error="insufficient_scope", scope="{scope}"'},
        scope=scope,
    )


def _unknown(words: str, challenge: str) -> Problem:
    return Problem("not-authenticated", words, headers={"WWW-Authenticate": challenge})
