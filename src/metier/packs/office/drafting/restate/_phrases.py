"""Phrases that say in more words what the rules know in fewer, read from `phrases.toml`."""

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Final

from metier.packs.office._counts import COUNT
from metier.packs.office._request_text import RequestText

__all__ = ["MIXED", "restate_phrases"]

_WORDS: Final = (
    ("ROWS", r"(?:空白?)?(?P<rows><<COUNT>>)\s*(?:个|条)?(?:空白?|数据|内容)?行(?:(?:空白?|数据|内容)行)?"),
    ("HEADER_EN", r"(?:the |its |a )?(?:header|heading|title)(?: row| line)?s?"),
    ("HEADER", r"(?:表头|标题行|首行|列名)(?:那?一?行)?"),
    ("BUDGET_EN", r"(?:the )?(?:budget(?:ed)?|plan(?:ned)?|target)"),
    ("ACTUAL_EN", r"(?:the )?(?:actual(?:s|ly spent)?|spent|spend|used)"),
    ("BUDGET", r"[^\s,，。;；:：()（）=＝]{0,3}(?:预算|计划|批复|核定|定额|目标)[^\s,，。;；:：()（）减\-－]{0,2}"),
    ("ACTUAL", r"[^\s,，。;；:：()（）=＝]{0,3}(?:实际|执行|支出|花费|已用|完成|发生)[^\s,，。;；:：()（）]{0,2}"),
    ("Q", r"[“\"「][^”\"」\n]+[”\"」]"),
    ("COUNT", COUNT),
)


def _read(kind: str) -> Iterator[tuple[re.Pattern[str], str, re.Pattern[str]]]:
    table = tomllib.loads((files("metier.packs.office.drafting.restate") / "phrases.toml").read_text("utf-8"))
    for one in table[kind]:
        form = str(one["form"])
        for name, words in _WORDS:
            form = form.replace(f"<<{name}>>", words)
        about = re.compile(str(one.get("about", "")), re.IGNORECASE)
        yield re.compile(form, re.IGNORECASE), str(one["new"]), about


_PHRASES: Final = tuple(_read("phrase"))
MIXED: Final = tuple((form, new) for form, new, _ in _read("mixed"))
_BOLD: Final = re.compile(
    r"(?<=[,，。;；])\s*(?:都|要|请|统一|一律|全部?|也|并)*(?:加粗|粗体|加黑)(?:显示|一下|的)?(?=[,，。;；]|$)|"
    r"(?<=[,.;])\s*(?:all |and |please )*(?:in )?bold(?: please)?(?=[,.;]|$)",
    re.IGNORECASE,
)
_NAMES_HEADER: Final = re.compile(r"表头|列名|标题行|首行|\bheaders?\b|\bheading row\b", re.IGNORECASE)
_TOTAL: Final = "合计"  # the word that a quotation has anyway


def restate_phrases(request: str) -> str:
    """The request in the plainer phrases; quotations stay as they are."""
    said = request
    for form, new, about in _PHRASES:
        said = form.sub(new, said) if about.search(said) else said
    if _NAMES_HEADER.search(RequestText(said).mask):
        said = _BOLD.sub(_name_header, said)
    quotes = [[one.text for one in RequestText(text).quotes if one.text != _TOTAL] for text in (request, said)]
    return said if quotes[0] == quotes[1] else request


def _name_header(found: "re.Match[str]") -> str:
    return "表头加粗" if re.search(r"[\u4e00-\u9fff]", found[0]) else " the header bold"
