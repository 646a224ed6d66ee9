"""What a message wants from a web page, by rules: its address, the action and the values for a form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from metier.language import Language, choose
from metier.patterns import compile_later

WebAction = Literal["read", "extract", "fill", "click", "screenshot"]
_URL: Final = compile_later(
    r"(?:[a-z][a-z0-9+.-]{1,20}:)?//[^\s，。；、）)》」”\"'<>]+|\b(?:file|data|javascript|view-source):[^\s，。；]+",
    re.I,
)
_HOST: Final = compile_later(
    r"(?<![\w@.-])(?:(?:[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?\.)+(?:[a-z]{2,18})|(?:\d{1,3}\.){3}\d{1,3}|localhost)"
    r"(?::\d{1,5})?(?:/[^\s，。；、）)》」”\"'<>]*)?",
    re.I,
)
_FILES: Final = compile_later(r"\.(?:csv|xlsx?|docx?|pptx?|pdf|txt|md|json|png|jpe?g|html?|py|zip)$", re.I)
# `name=value`, or `name: value` where a message has no equals sign.
_EQUALS: Final = compile_later(
    r"([^\s=＝:：，。；;,、]{1,40})\s*[=＝]\s*(\"[^\"]*\"|「[^」]*」|“[^”]*”|[^，。；;,\n=＝]+?)"
    r"(?=\s+[^\s=＝:：，。；;,、]{1,40}\s*[=＝]|[，。；;,\n]|$)"
)
_COLONS: Final = compile_later(r"(?:^|[，。；;,、\n]\s*)([^\s:：，。；;,、]{1,40})\s*[:：]\s*([^，。；;,\n:：]+)")
_VERB: Final = compile_later(r"^(?:填写|填入|输入|填|with|and)\s*(?=.)", re.I)
_SHOT: Final = compile_later(r"截图|截屏|截个图|拍下来|screen ?shot|picture of the page", re.I)
_CLICK: Final = compile_later(
    r"(?:点击|点开|点一下|\bclick(?: on)?(?: the)?)\s*(?:链接|按钮|link|button)?\s*"
    r"[「“\"']?([^「」“”\"'，。；,;\n]{1,60}?)[」”\"']?"
    r"(?:链接|按钮|\s+link|\s+button)?\s*(?=[，。；,;\n]|\band\b|$)",
    re.I,
)
_FILL: Final = compile_later(
    r"填写|填入|填表|填一下|下单|提交|订购|fill\b|submit|place an order|order form|\border\b", re.I
)
_EXTRACT: Final = compile_later(
    r"表格|列表|清单|价目表|价格表|导出|另存|存成|保存为|抓取|csv|\btable|\blist\b|export|scrape|extract", re.I
)
_LIST: Final = compile_later(r"列表|公告|\blist\b|\bnews\b", re.I)
_SHOP: Final = compile_later(r"示例|茶具|演示|样例|demo|sample|tea", re.I)
_PAGES: Final = (
    ("order", compile_later(r"下单|订单|订购|\border\b", re.I)),
    ("news", compile_later(r"公告|新闻|news", re.I)),
    ("products", compile_later(r"商品|产品|价目|价格|茶具.{0,4}表|product|price", re.I)),
    ("reviews", compile_later(r"评价|评论|review", re.I)),
    ("login", compile_later(r"登录|login|log in", re.I)),
)
_QUOTES: Final = '"「」“”'


@dataclass(frozen=True, slots=True)
class WebRequest:
    """What a message asks for. `url` is empty if it names no page; `values` are those for a form."""

    url: str
    action: WebAction
    which: str
    values: Mapping[str, str]


def read_request(message: str, language: Language, known: str = "", shop: str = "demo.test") -> WebRequest:
    """Read the address, the action and the values of a message; a page of the conversation is `known`."""
    url = find_url(message)
    rest = message.replace(url, " ") if url else message
    pairs = _read_pairs(_strip_urls(message))
    action = _find_action(rest, has_values=bool(pairs))
    if not url:
        place = _CLICK.sub(" ", rest) if action == "click" else rest
        url = _find_shop_page(place, language, shop, action) or known
    elif _is_shop_door(url, shop) and action != "click":
        url = _find_shop_page(f"{rest} demo", language, shop, action)
    elif "//" not in url and not re.match(r"[a-z-]+:", url):
        url = f"{'http' if _is_plain(url, shop) else 'https'}://{url}"
    which = _find_which(rest, action)
    return WebRequest(url, action, which, pairs if action == "fill" else {})


def find_url(message: str) -> str:
    """The first address in a message; names of files are none."""
    found = _URL.search(message)
    if found is not None:
        return found[0].rstrip(".,!?;:。")
    hosts = (one[0].rstrip(".,!?;:。") for one in _HOST.finditer(message))
    return next((one for one in hosts if "/" in one or not _FILES.search(one)), "")


def _read_pairs(text: str) -> dict[str, str]:
    found = _EQUALS.findall(text) or _COLONS.findall(text)
    return {_VERB.sub("", name.strip(_QUOTES)): value.strip().strip(_QUOTES) for name, value in found}


def _strip_urls(message: str) -> str:
    return _HOST.sub(" ", _URL.sub(" ", message))


def _find_which(text: str, action: WebAction) -> str:
    """What of the page is meant: the text to click, or a list instead of a table."""
    clicked = _CLICK.search(text) if action == "click" else None
    if clicked is not None:
        return clicked[1].strip()
    is_list = action == "extract" and _LIST.search(text) and not re.search(r"表格|价目|table", text)
    return "list" if is_list else ""


def _find_action(text: str, *, has_values: bool) -> WebAction:
    if _SHOT.search(text):
        return "screenshot"
    if not has_values and _CLICK.search(text):
        return "click"
    if has_values or _FILL.search(text):
        return "fill"
    return "extract" if _EXTRACT.search(text) else "read"


def _find_shop_page(text: str, language: Language, shop: str, action: WebAction) -> str:
    """Page of the sample shop, if the message means the sample shop."""
    if not _SHOP.search(text):
        return ""
    folder = choose(language, en="en", zh="zh")
    default = {"extract": "products", "fill": "order"}.get(action, "")
    page = "order" if action == "fill" else next((name for name, words in _PAGES if words.search(text)), default)
    return f"http://{shop}/{folder}/{page}"


def _is_shop_door(url: str, shop: str) -> bool:
    """Whether an address is that of the sample shop without a page, where only languages are chosen."""
    return url.removeprefix("http://").rstrip("/").lower() == shop


def _is_plain(url: str, shop: str) -> bool:
    host = url.partition("/")[0].partition(":")[0]
    return host in (shop, "localhost") or host.replace(".", "").isdigit()
