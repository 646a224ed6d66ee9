"""What stands before every request: authentication, limits, errors, JSON, shared context."""

from metier.server.http._auth import Keys, check_binding, is_loopback
from metier.server.http._client_threads import ThreadMessage
from metier.server.http._context import AppContext, Ctx, User
from metier.server.http._errors import install_handlers
from metier.server.http._json import JsonAnswer, RequestBody, make_router, responds, responds_stream, responds_text
from metier.server.http._limits import BodyLimit, RateLimiter, StreamSlots
from metier.server.http._origin import Guard

__all__ = [
    "AppContext",
    "BodyLimit",
    "Ctx",
    "Guard",
    "JsonAnswer",
    "Keys",
    "RateLimiter",
    "RequestBody",
    "StreamSlots",
    "ThreadMessage",
    "User",
    "check_binding",
    "install_handlers",
    "is_loopback",
    "make_router",
    "responds",
    "responds_stream",
    "responds_text",
]
