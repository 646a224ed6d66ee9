"""Small matrix products on one thread: two threads that wait for each other on a busy machine take far longer."""

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
    """Hold NumPy to one thread inside the block, where that can be done."""
    controller = _controller()
    limit: AbstractContextManager[object] = nullcontext() if controller is None else controller.limit(limits=1)
    return limit
