"""Whether a message asks for a second kind of task: what the whole message and its parts say, weighed together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from metier.patterns import compile_later

Floats = NDArray[np.float64]
MAX_PARTS: Final = 6
_MIN_PART_CHARS: Final = 4
_MAX_MESSAGE_CHARS: Final = 120
_BREAK: Final = compile_later(
    r"[，,；;。！!？?\n]|(?<=\w)\.\s|\s[-–:&+]\s|：|然后|接着|最后|回头|以后|之后|顺便|顺手|并(?=[一-鿿])"
    r"|[完好](?=[再做写出直就替帮])|后(?=[再做写出生成整导汇编画])|放[进到入]"
    r"|\b(?:and then|then|and|also|plus|after that|once)\b",
    re.IGNORECASE,
)
_JOINT: Final = compile_later(
    r"然后|再[^次说]|最后|接着|回头|之后|顺便|顺手|直接|做成|整理成|写成|汇成|生成|输出|并"
    r"|\b(?:and|then|into|as a|as|also|plus|too|once)\b",
    re.IGNORECASE,
)
# Kinds of task that people ask for together; the order is that of the weights.
PAIRS: Final = (
    frozenset({"research", "creation"}),
    frozenset({"data_processing", "creation"}),
    frozenset({"web_task", "data_processing"}),
    frozenset({"code_development", "creation"}),
    frozenset({"data_processing", "code_development"}),
    frozenset({"web_task", "creation"}),
    frozenset({"research", "data_processing"}),
    frozenset({"research", "web_task"}),
    frozenset({"research", "code_development"}),
    frozenset({"web_task", "code_development"}),
)
# Words of doing for each kind of task: two kinds in two clauses are two requests, whatever the topic is.
_ACTIONS: Final = MappingProxyType(
    {
        name: compile_later(pattern, re.IGNORECASE)
        for name, pattern in (
            (
                "research",
                r"查[一查清找了下资]|(?:调研|调查)(?!结论|结果|提纲|问卷|报告|计划)|研究一?下|了解|摸[一清底]"
                r"|看看.{0,8}怎么|收集|搜集|找[一找齐些几]|梳理|对比|比较|情况|查[完一查清]|打听|核实|口碑|靠谱|正规"
                r"|哪[家个款种].{0,8}[好准快稳靠正划最]|主流|业界|业内|公布的"
                r"|\bresearch\b(?! (?:notes|plan|proposal|report|findings|results|questionnaire))"
                r"|\b(?:look(?:ing)? (?:into|up)|find|gather|compare|collect|investigate|survey|dig|study|read up)\b"
                r"|\b(?:best practices?|recommended|best[- ]rated|reputation|legit|experts?|reviewers|literature)\b"
                r"|\b(?:published|official figures|(?:figure|work) out which)\b"
                r"|\b(?:see|check) (?:what|which|if|whether)\b",
            ),
            (
                "creation",
                r"ppt|幻灯|演示文稿|片子|word|docx|pdf|海报|手册|文档|文章|宣传|报告|汇报|简报|通知|通报|信\b"
                r"|册子|编[成制]|奖状|证书|请柬|一封|总结|说明|纪要|推文|指南|综述|邮件|文案|文字|[诗稿]|方案|声明|评论|好评|投诉|拟|起草"
                r"|写(?!.{0,6}(?:代码|脚本|函数|程序|爬虫|接口|SQL|测试))"
                r"|\b(?:slides?|deck|poster|handout|leaflet|booklet|brochure|flyer|certificates?|letter|memo|report|manual)\b"
                r"|\b(?:guide|brief(?:ing)?|speech|article|notes|tutorial|presentation|paper|newsletter|piece)\b"
                r"|\b(?:draft|compose|complaint|email|review|advert|announcement|proposal|wording)\b"
                r"|\bwrit(?:e|ing)\b(?! (?:\w+ ){0,3}(?:script|function|code|program|tests?|query|scraper|parser)\b)",
            ),
            (
                "data_processing",
                r"统计|汇总|平均|均价|中位|求和|[算数]一?[算数下出]|算好|排[个序名]|换算|清洗|合并|占比|趋势"
                r"|折线|柱状|画.{0,4}图|分析.{0,6}[表据]|[按每]\w{0,3}[月类部班省]|分布|走势|曲线|图表|饼图|百分|几成|同比"
                r"|\b(?:average|sums?|totals?|count|chart|plot|median|means?)\b"
                r"|\b(?:crunch|work out|compute|calculate|sort|rank|clean|merge|split|per \w+)\b"
                r"|\b(?:percent(?:age)?|distribution|histogram|figures|csv|workbook|spreadsheet|graph|trend)\b",
            ),
            (
                "web_task",
                r"https?://|\w\.test\b|打开|抓取?|爬|网[页站址]|官网|页面|豆瓣|[页站]上|下载|截图|登录"
                r"|\b(?:this|that|the|their|our|its|status|event|web|landing|home|price|menu|product)"
                r"[ -]?(?:web ?)?(?:page|site)\b"
                r"|\b(?:open|scrape|go to|on (?:the|their|our) website|from (?:the|their|our) website)\b"
                r"|\b(?:screenshot|browse|listings?|download)\b"
                r"|登[录陆我公]|登.{0,6}(?:邮箱|账号|后台)|下单|购物车|预约|报名|挂号|提交|发[到布]|填[上了好]|扒"
                r"|京东|淘宝|天猫|微博|公众号|官网|(?:网站|平台|论坛)"
                r"|\b(?:contact form|portal|submit|reserve|book|sign me up|register|basket|cart|log ?in|online)\b"
                r"|\bpost (?:it|this)\b"
                r"|\b(?:on|through|from|in|off) (?:\w+ ){1,3}(?:site|website|page|account|portal)\b",
            ),
            (
                "code_development",
                r"代码|脚本|函数|源码|仓库|python|pandas|sql|程序|重构|bug|测试|接口|模块"
                r"|爬虫|部署|小程序|客户端|写个?.{0,4}(?:例子|示例)|[做搭写]个.{0,8}(?:网页|主页|页面|网站)|实现"
                r"|\b(?:code|script|function|repo(?:sitory)?|source|tests?|refactor|module|program|fix|app|implement)\b"
                # A client or a demo that is written is code; one that is visited or briefed is not.
                r"|\bminimal (?:example|demo|client)\b|[搭写做]个?.{0,4}demo"
                r"|\b(?:write|build|make|code|create) (?:me |us )?an? (?:\w+ ){0,2}(?:client|demo)\b"
                r"(?= (?:for|that|which|in|with|around|using|of|against|and)\b|[,.;!?]|$)"
                r"|\b(?:deploy|patch|migrate|library|(?:build|make|set up) (?:\w+ ){0,3}(?:page|site|website))\b",
            ),
        )
    }
)
SECOND_COUNT: Final = 14 + len(PAIRS)


@dataclass(frozen=True, slots=True, eq=False)
class TypeScores:
    """What the model says of a text.

    `shares` of all types and of none add up to 1; `alone` judges each type by itself.
    """

    shares: Floats
    alone: Floats


def split_parts(message: str) -> list[str]:
    """Clauses of a message that are long enough to ask for something; empty for a message of one clause."""
    parts = [part.strip() for part in _BREAK.split(message)]
    long = [part for part in parts if len(part) >= _MIN_PART_CHARS][:MAX_PARTS]
    return long if len(long) > 1 else []


def list_seconds(first: str, types: Sequence[str]) -> list[str]:
    """Types that can come beside this one."""
    return [name for name in types if frozenset({first, name}) in PAIRS]


def compute_second_features(
    message: str, readings: Sequence[TypeScores], pair: tuple[str, str], types: Sequence[str]
) -> Floats:
    """Inputs for the question whether the second type of `pair` is asked for beside the first.

    The first of `readings` is that of the whole message, the others are those of its parts.
    """
    first, second = types.index(pair[0]), types.index(pair[1])
    whole, *parts = readings
    shares = [one.shares for one in parts]
    best = max((float(one[second]) for one in shares), default=0.0)
    apart = max((float(min(one[first], other[second])) for one, other in permutations(shares, 2)), default=0.0)
    return np.array(
        [
            _compute_odds(whole.alone[second]),
            _compute_odds(whole.alone[first]),
            _compute_odds(whole.shares[second]),
            best,
            apart,
            float(len(parts) > 1),
            float(_JOINT.search(message) is not None),
            min(len(message), _MAX_MESSAGE_CHARS) / _MAX_MESSAGE_CHARS,
            _compute_odds(apart),
            _compute_odds(best),
            *_compare_actions(message, pair),
            *(float(set(pair) == one) for one in PAIRS),
            1.0,
        ]
    )


def _compare_actions(message: str, pair: tuple[str, str]) -> tuple[float, float, float]:
    """Whether the message has words of doing of both types, in two clauses, and of the second without the first."""
    first, second = (_ACTIONS[name] for name in pair)
    clauses = _BREAK.split(message)
    has_first, has_second = first.search(message) is not None, second.search(message) is not None
    apart = any(first.search(one) and second.search(other) for one, other in permutations(clauses[: MAX_PARTS + 2], 2))
    return float(has_first and has_second), float(apart), float(has_second)


def _compute_odds(share: float) -> float:
    return float(np.log((share + 0.01) / (1.01 - share)))
