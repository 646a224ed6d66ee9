"""What a message wants from a web page, read without a model."""

from pathlib import Path

from metier.pack import PackContext
from metier.packs.workspace.web import SHOP, WebRequest, build_tools, read_request
from metier.settings import Settings
from metier.tools import ToolContext


def test_the_address_the_action_and_the_values_are_read() -> None:
    order = {"商品": "铁壶", "数量": "2", "姓名": "李雷"}
    cases = {
        "把示例商店的价目表存成 csv": WebRequest("http://demo.test/zh/products", "extract", "", {}),
        "把示例商店的公告列表导出": WebRequest("http://demo.test/zh/news", "extract", "list", {}),
        "在示例商店下单：商品=铁壶，数量=2，姓名=李雷": WebRequest("http://demo.test/zh/order", "fill", "", order),
        "填写示例商店的表单，姓名：王芳，数量：3": WebRequest(
            "http://demo.test/zh/order", "fill", "", {"姓名": "王芳", "数量": "3"}
        ),
        "在 https://shop.example.org/order 填写姓名=王芳 数量=3": WebRequest(
            "https://shop.example.org/order", "fill", "", {"姓名": "王芳", "数量": "3"}
        ),
        "给 www.example.com 截图": WebRequest("https://www.example.com", "screenshot", "", {}),
        "打开 demo.test": WebRequest("http://demo.test/zh/", "read", "", {}),
        "把 http://demo.test/ 的商品列表存成 csv": WebRequest("http://demo.test/zh/products", "extract", "list", {}),
        "打开示例商店，点击「公告」": WebRequest("http://demo.test/zh/", "click", "公告", {}),
        "打开 127.0.0.1:8000": WebRequest("http://127.0.0.1:8000", "read", "", {}),
        "打开 example.com/a.html": WebRequest("https://example.com/a.html", "read", "", {}),
        "打开 file:///etc/passwd": WebRequest("file:///etc/passwd", "read", "", {}),
        "抓取 https://example.com/list?a=1&b=2 上的表格。": WebRequest(
            "https://example.com/list?a=1&b=2", "extract", "", {}
        ),
        "把 data.csv 里的表格导出": WebRequest("", "extract", "", {}),
        "帮我打开网页看看": WebRequest("", "read", "", {}),
    }
    assert {message: read_request(message, "zh") for message in cases} == cases
    assert read_request("再给它截个图", "zh", "http://demo.test/zh/").url == "http://demo.test/zh/"
    english = read_request("Order in the sample shop: Product=Iron kettle, Quantity=2, Name=Li Lei", "en")
    assert english == WebRequest(
        f"http://{SHOP}/en/order", "fill", "", {"Product": "Iron kettle", "Quantity": "2", "Name": "Li Lei"}
    )


async def test_a_form_without_values_asks_for_them_with_an_example(tmp_path: Path) -> None:
    finder, browser = build_tools(PackContext(Settings(), tmp_path))
    assert (finder.spec.name, browser.spec.name) == ("find_page", "browser_use")
    found = await finder.run({"description": "填写示例商店的订单"}, ToolContext(tmp_path))
    assert found.data is not None
    assert "名称=内容" in str(found.data["question"])
    assert found.data["reads"] is True
