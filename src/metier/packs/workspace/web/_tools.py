"""The pack's tools for web tasks: find the page that is meant, and `browser_use` with the sample shop."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from pydantic import Field

from metier.language import BilingualText, Language, Sentences, choose
from metier.pack import PackContext
from metier.packs.workspace.web._request import read_request
from metier.tools import FunctionTool, ToolContext, ToolResult, add_title, function_tool, show_as
from metier.tools.browser import FolderSite, browser_config_from, build_browser_tool
from metier.workspaces import WorkspaceQuota

if TYPE_CHECKING:
    from metier.json_values import JsonValue

SHOP: Final = "demo.test"
_SITE: Final = Path(__file__).parent / "site"
# Words for more than one page, which a model follows by itself.
_GOES_ON: Final = re.compile(
    r"然后|接着|再点|逐页|翻页|下一页|每一页|找到|直到|\bthen\b|next page|each page|until|find out", re.I
)
_TEXTS: Final = Sentences(
    {
        "order": ("Order form of the sample shop", "示例商店的订单"),
        "example": (
            "Order in the sample shop: Product=Iron kettle, Quantity=2, Name=Li Lei, Address=1 Lake Road",
            "在示例商店下单：商品=铁壶，数量=2，姓名=李雷，地址=湖滨路1号",
        ),
        "no_values": (
            "Which values shall be filled in? Write them as name=value, for example: {example}",
            "要填写哪些内容？请写成「名称=内容」，例如：{example}",
        ),
    }
)

Words = Annotated[
    str,
    Field(max_length=20_000, description="用户的话 · the user's words", json_schema_extra=show_as("要求", "Request")),
]
Known = Annotated[
    str,
    Field(
        max_length=2048,
        description="对话中已打开的网页 · page of the conversation",
        json_schema_extra=show_as("已知网页", "Known page", hidden=True),
    ),
]
ToolLanguage = Annotated[
    Language,
    Field(description="语言 · language of the texts", json_schema_extra=show_as("语言", "Language", hidden=True)),
]


def build_tools(context: PackContext) -> tuple[FunctionTool, ...]:
    """Create the tools; a browser starts with the first page."""
    settings = context.settings
    config = browser_config_from(settings, {SHOP: FolderSite(_SITE)})
    quota = WorkspaceQuota(settings.workspace_max_bytes, settings.workspace_max_files)
    finder = function_tool(find_page, idempotent=True, effects=frozenset({"reads"}))
    return (add_title(finder, BilingualText("找到网页", "Find the page")), build_browser_tool(config, quota))


def find_page(
    context: ToolContext, description: Words, *, known: Known = "", language: ToolLanguage = "zh"
) -> ToolResult:
    """看出要打开哪个网页、做什么、填写哪些内容。Find the page, the action and the values that are meant."""
    del context
    found = read_request(description, language, known, SHOP)
    lacks_values = found.action == "fill" and not found.values
    example = _TEXTS.render("example", language)
    answer: dict[str, JsonValue] = {
        "url": found.url,
        "unclear": not found.url,
        "action": found.action,
        "which": found.which,
        "values": dict(found.values),
        "fills": found.action == "fill" and not lacks_values,
        "reads": found.action == "read" or lacks_values,
        "goes_on": _GOES_ON.search(description) is not None,
        "shop_products": f"http://{SHOP}/{choose(language, en='en', zh='zh')}/products",
        "shop_news": f"http://{SHOP}/{choose(language, en='en', zh='zh')}/news",
    }
    if lacks_values:
        answer["question"] = _TEXTS.render("no_values", language, example=example)
    return ToolResult(answer)
