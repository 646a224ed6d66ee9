"""What a click waits for."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest

from metier.tools.browser._session import PageSession


@pytest.mark.parametrize(("href", "wait_ms"), [("http://demo.test/news", 18_000), ("", 5_000)])
async def test_a_click_on_a_link_waits_as_long_as_a_page_may_take(href: str, wait_ms: int) -> None:
    element = Mock(get_attribute=AsyncMock(return_value=None), click=AsyncMock())
    handle = Mock(as_element=Mock(return_value=element))
    session: Any = SimpleNamespace(
        guard=Mock(is_leaving=False),
        url="http://demo.test/",
        open_s=18,
        _translate_errors=lambda _: nullcontext(),
        _find_frame=lambda *_: Mock(evaluate_handle=AsyncMock(return_value=handle)),
        _settle=AsyncMock(),
    )
    target: Any = SimpleNamespace(frame=0, place=1, text="News", href=href)
    await PageSession.click(session, target, None)
    element.click.assert_awaited_once_with(timeout=wait_ms)
