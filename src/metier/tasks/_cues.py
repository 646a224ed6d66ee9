"""Words and forms of a message that point to a kind of task: inputs of the task-type model beside its meaning."""

import re
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.textsearch import has_cjk

_MAX_CJK_CHARS: Final = 60
_MAX_CHARS: Final = 120
# What a message does not want says nothing about what it wants: 不要做PPT, without slides.
_DENIED: Final = re.compile(
    r"(?:不要|不用|不必|不需要|无需|别)[^，。；！？,;!?\n]*|\b(?:without|don't|do not|never)\s+\w+(?:\s+\w+)?",
    re.IGNORECASE,
)
_CUES: Final = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"https?://|www\.|\b[\w-]+\.(?:com|org|net|test|cn|io)\b",
        r"\.(?:csv|tsv|xlsx?|json|parquet|log)\b",
        r"\.(?:pptx?|docx?|pdf|md)\b",
        r"\.(?:py|js|ts|c|cpp|h|java|go|rs|sh|sql|rb|toml|yaml|patch|diff)\b",
        r"\b[a-z]+_[a-z_]+\b|\w+\(\)|--[a-z]|\b\w+Error\b|traceback|out of range|\bexception\b"
        r"|null pointer|stack ?trace",
        r"ppt|幻灯|演示文稿|课件|片子|slides?\b|\bdeck\b|presentation|keynote",
        r"\bword\b|docx|\bpdf\b|文档|手册|合同|简历|海报|报告书?|纪要|邀请函|函\b|通知|文案|信\b|模板|启事|告示|倡议|方案|立项书?|材料|稿|文章|说明书?|菜单|证书|预案|document|letter|memo|poster|flyer"
        r"|manual|handout|brochure|agreement|contract|resume|\bcv\b|certificate|template|report|notice|leaflet|booklet|invitation"
        r"|proposal|newsletter|advert|speech|essay|article|guide\b",
        r"写[一个封份篇段首条几成]|拟[一个份条定]?|起草|撰写|编[一个写]|做[一个张份成套]|出[一个张份套]|生成|制作|设计|draft|write|compose|create|prepare|design"
        r"|put together|make (?:me |a |an )",
        r"表格|[这张份两俩三]表|[每一两几该各]列|列[名数]|[每一两几空整]行|行数|sheet|column|rows?\b|table|spreadsheet|csv|excel|数据|dataset|workbook",
        r"统计|汇总|平均|求和|总和|计算|算[一出下]|排序|排名|去重|合并|转成|转换|筛|透视|异常值|离群|画.{0,6}图|折线|柱状|直方"
        r"|average|median|\bmean\b|sum\b|total|sort|group|pivot|merge|join|dedup|duplicate|plot|chart|histogram|outlier"
        r"|correlat|filter|count|calculate|compute|convert",
        r"网[页站址]|官网|链接|页面|首页|后台|网店|浏览|抓取|爬|截.?图|点[击开]|打开|登录|填|购物车|下单"
        r"|website|web ?page|\bsite\b"
        r"|(?<!one )(?<!two )(?<!three )\bpage\b|homepage|url|browse|screenshot|click|log ?in|sign me|checkout|basket"
        r"|cart\b|form\b|portal|scrape|scroll|subscribe",
        r"代码|函数|脚本|编译|报错|调试|重构|单测|测试|接口|模块|仓库|提交记录|补丁|变量|调用|源码|越界|死锁|崩溃|内存泄漏|行号|程序"
        r"|bug|code|function|pull request|merge request|\bpr\b|linter?\b|imports?\b|java(?:script)?\b"
        r"|\bc\+\+|golang|typescript|source\b|compiler?|build fails|crash|script|compile|debug"
        r"|refactor|unit ?test|tests?\b|pytest|repo|module|class\b|loop|patch|commit|branch|api\b|cli\b|docker|\bci\b"
        r"|sql|regex|python|rust\b|git\b|implement",
        r"研究|调研|调查|趋势|现状|市场|行业|竞争|竞品|来源|出处|依据|证据|文献|论文|权威|观点|案例|对比|为什么|怎么看"
        r"|research|evidence"
        r"|sources?\b|cite|citing|references|studies|study|literature|experts?\b|market|industry|overview|compare"
        r"|pros and cons|dig|look into|find out|investigate|published",
        r"^(?:what|who|why|how|is|are|which|has|do|does)\b|[吗呢]?[?？]$|为什么|怎么|哪些|有没有|是不是",
    )
)


def remove_denied(message: str) -> str:
    """The message without what it refuses; as it is if nothing else is left."""
    kept = _DENIED.sub(" ", message).strip(" ，。,.;；")
    return kept or message


def names_things(message: str) -> bool:
    """Whether a message names a file, an address or code: then it is about something outside of itself."""
    return any(cue.search(message) for cue in _CUES[:5])


def compute_cues(message: str) -> NDArray[np.float64]:
    """One number for each cue that is in the message, its length, and a constant."""
    most = _MAX_CJK_CHARS if has_cjk(message) else _MAX_CHARS
    found = [float(bool(cue.search(message))) for cue in _CUES]
    return np.array([*found, min(len(message), most) / most, 1.0])
