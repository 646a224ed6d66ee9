"""What stands before every request: authentication, limits, errors, JSON, shared context."""

from metier.server.http._auth import check_binding, is_loopback
from metier.server.http._client_threads import ThreadMessage
from metier.server.http._context import (
    AppContext,
    Approver,
    Caller,
    Ctx,
    Operator,
    User,
    find_required_role,
    narrow_catalog,
)
from metier.server.http._errors import build_error_response, install_handlers
from metier.server.http._json import (
    JsonAnswer,
    RequestBody,
    StrictRoute,
    make_router,
    responds,
    responds_stream,
    responds_text,
)
from metier.server.http._limits import BodyLimit, RateLimiter
from metier.server.http._origin import Guard

__all__ = [
    "AppContext",
    "Approver",
    "BodyLimit",
    "Caller",
    "Ctx",
    "Guard",
    "JsonAnswer",
    "Operator",
    "RateLimiter",
    "RequestBody",
    "StrictRoute",
    "ThreadMessage",
    "User",
    "build_error_response",
    "check_binding",
    "find_required_role",
    "install_handlers",
    "is_loopback",
    "make_router",
    "narrow_catalog",
    "responds",
    "responds_stream",
    "responds_text",
]
