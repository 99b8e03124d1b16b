"""What passes between the server and us: the shapes of ASGI and of WSGI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

Scope: TypeAlias = dict[str, Any]
Message: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
Environ: TypeAlias = dict[str, Any]
Application: TypeAlias = Callable[..., Any]  # WSGI: environ and start_response to the pieces of the body
