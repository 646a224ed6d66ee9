"""Thread limit for small matrix products: on a busy machine two threads that wait for each other are far slower."""

from contextlib import AbstractContextManager, nullcontext
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController


@cache
def _controller() -> "ThreadpoolController | None":
    if find_spec("threadpoolctl") is None:
        return None
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_thread() -> AbstractContextManager[object]:
    """Limit NumPy to one thread inside the block; does nothing without threadpoolctl."""
    controller = _controller()
    limit: AbstractContextManager[object] = nullcontext() if controller is None else controller.limit(limits=1)
    return limit
