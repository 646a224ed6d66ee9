"""A small trade for the tests: a pack of skills in Chinese and English that together use every part of the page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from metier.language import Language
from metier.tools import ALWAYS, FunctionTool, Tool, function_tool

KINDS = ("grouped_bar", "line", "stacked_bar", "scatter", "heatmap", "table")
TITLES: Mapping[Language, tuple[str, ...]] = {
    "zh": ("每天的销量", "一周走势", "销量构成", "时段与销量", "品类热力图", "销量明细"),
    "en": ("Sales by day", "The week", "Sales, stacked", "Hours and sales", "Kinds as a heatmap", "All figures"),
}
DAYS: Mapping[Language, tuple[str, ...]] = {
    "zh": ("周一", "周二", "周三", "周四", "周五"),
    "en": ("Mon", "Tue", "Wed", "Thu", "Fri"),
}
TEAS: Mapping[Language, tuple[str, str]] = {"zh": ("绿茶", "红茶"), "en": ("Green tea", "Black tea")}
ROWS = 23
SOLD = tuple(number * 37 % 101 for number in range(1, ROWS + 1))


@dataclass(frozen=True, slots=True)
class Trade:
    """What is said in one language: messages that find a skill, and the words that come back."""

    language: Language
    check: str
    check_title: str
    check_ask: str
    check_yes: str
    check_done: str
    milestone: str
    notice: str
    notice_title: str
    notice_text: str
    gallery: str
    gallery_title: str
    shop: str
    chat: str
    free: str
    free_title: str


ZH = Trade(
    language="zh",
    check="帮我做一次门店巡检",
    check_title="门店巡检",
    check_ask="数据已经查完，要写成报告吗？",
    check_yes="写报告",
    check_done="巡检报告已写好",
    milestone="数据不为空",
    notice="给顾客发一份缺货通知",
    notice_title="缺货通知",
    notice_text="您订的茶叶缺货，预计周五到。",
    gallery="打开销售图库",
    gallery_title="销售图库",
    shop="滨江店",
    chat="聊聊春天的茶",
    free="帮我查货架上的库存",
    free_title="货架查询",
)
EN = Trade(
    language="en",
    check="Please do a shop inspection",
    check_title="Shop inspection",
    check_ask="The figures are in. Shall I write the report?",
    check_yes="Write it",
    check_done="The inspection report is written",
    milestone="figures are there",
    notice="Send an out of stock notice to the customer",
    notice_title="Stock notice",
    notice_text="The tea you ordered is out of stock until Friday.",
    gallery="Open the sales gallery",
    gallery_title="Sales gallery",
    shop="Riverside",
    chat="Let us talk about spring tea",
    free="Look up what is on the shelf",
    free_title="Shelf lookup",
)
TRADES: Mapping[Language, Trade] = {"zh": ZH, "en": EN}


def write_pack(folder: Path) -> Path:
    """The pack's folder: its description, three examples, and the skills in both languages."""
    skills = folder / "skills"
    skills.mkdir(parents=True)
    pairs = ((ZH.check, EN.check), (ZH.gallery, EN.gallery), (ZH.notice, EN.notice))
    examples = "\n".join(f'[[examples]]\nzh = "{chinese}"\nen = "{english}"\n' for chinese, english in pairs)
    (folder / "pack.toml").write_text(_PACK + examples, "utf-8")
    for trade in TRADES.values():
        for name, front in _skills(trade).items():
            head = json.dumps({"name": name, **front}, ensure_ascii=False, indent=2)
            (skills / f"{name}.md").write_text(f"---\n{head}\n---\n{front['description']}\n", "utf-8")
    return folder


_PACK = """id = "shop"
version = "1.0.0"
title = { zh = "门店", en = "Shop" }
description = { zh = "巡检、通知和销售图。", en = "Inspections, notices and sales charts." }
skills = "skills"

"""


def _skills(trade: Trade) -> dict[str, dict[str, Any]]:
    chinese = trade.language == "zh"
    ending = trade.language
    ask = {
        "id": "agree",
        "title": "确认" if chinese else "Agree",
        "ask": trade.check_ask,
        "choices": [
            {"text": trade.check_yes, "value": True},
            {"text": "先不写" if chinese else "Not now", "value": False},
        ],
    }
    look = {name: f"$.inputs.{name}" for name in ("shop", "goals", "period", "top")}
    return {
        f"check-{ending}": {
            "title": trade.check_title,
            "description": "巡检门店，查数据并写报告"
            if chinese
            else "Inspect a shop, look at its figures, write a report",
            "triggers": ["门店巡检", "巡检"] if chinese else ["shop inspection", "inspection"],
            "examples": [trade.check],
            "allowed_tools": ["shop_figures", "write_report"],
            "sop": [
                {"id": "look", "title": "查数据" if chinese else "Figures", "call": "shop_figures", "with": look},
                ask,
                {
                    "id": "write",
                    "title": "写报告" if chinese else "Report",
                    "when": "$.agree",
                    "call": "write_report",
                    "with": {"shop": "$.look.shop"},
                },
            ],
            "milestones": [
                {"name": trade.milestone, "after": "look", "check": {"kind": "expr", "expr": "$.look.total"}}
            ],
            "metadata": {"report": f"{trade.check_done}。" if chinese else f"{trade.check_done}."},
        },
        f"notice-{ending}": {
            "title": trade.notice_title,
            "description": "缺货时给顾客发通知" if chinese else "Tell a customer that something is out of stock",
            "triggers": ["缺货通知", "发通知"] if chinese else ["stock notice", "out of stock"],
            "examples": [trade.notice],
            "allowed_tools": ["send_notice"],
            "sop": [
                {
                    "id": "send",
                    "title": "发送" if chinese else "Send",
                    "call": "send_notice",
                    "with": {"text": trade.notice_text, "copies": 1},
                    "on_fail": "continue",
                }
            ],
            "metadata": {"report": "{$.send.text}"},
        },
        f"gallery-{ending}": {
            "title": trade.gallery_title,
            "description": "用图表看销售" if chinese else "Look at sales in charts",
            "triggers": ["销售图库", "图库"] if chinese else ["sales gallery", "gallery"],
            "examples": [trade.gallery],
            "allowed_tools": ["sales_gallery"],
            "sop": [
                {
                    "id": "draw",
                    "title": "画图" if chinese else "Draw",
                    "call": "sales_gallery",
                    "with": {"language": ending},
                }
            ],
            "metadata": {"report": "共六张图。" if chinese else "Six charts."},
        },
        f"shelf-{ending}": {
            "title": trade.free_title,
            "description": "查询货架上有什么" if chinese else "Look up what stands on a shelf",
            "triggers": ["货架", "库存"] if chinese else ["on the shelf", "shelf lookup"],
            "examples": [trade.free],
            "allowed_tools": ["shelf_items"],
            "forbidden_tools": ["write_report"],
        },
    }


def tools() -> tuple[Tool, ...]:
    """The tools of the pack."""
    figures = _with_form(function_tool(shop_figures))
    plain = [function_tool(made) for made in (write_report, sales_gallery, shelf_items)]
    return (figures, *plain, function_tool(send_notice, approval=ALWAYS))


def shop_figures(
    shop: str,
    goals: Annotated[list[str], Field(min_length=1, max_length=3)],
    period: Annotated[list[date], Field(min_length=2, max_length=2)],
    top: Annotated[int, Field(ge=1, le=50)] = 10,
) -> dict[str, Any]:
    """Look at the figures of a shop."""
    rows = [[f"{shop} {number:02}", sold, number % 5 / 4] for number, sold in enumerate(SOLD, 1)]
    columns = [
        {"key": "item", "title": "Item"},
        {"key": "sold", "title": "Sold", "type": "number", "unit": "kg"},
        {"key": "share", "title": "Share", "type": "number"},
    ]
    return {"shop": shop, "total": len(rows), "top": top, "table": {"title": shop, "columns": columns, "rows": rows}}


def write_report(shop: str) -> dict[str, Any]:
    """Write the report of a shop."""
    return {"shop": shop, "written": True}


def send_notice(text: str, copies: int = 1) -> dict[str, Any]:
    """Send a notice to the customer."""
    return {"text": text, "copies": copies}


def shelf_items() -> dict[str, Any]:
    """What stands on the shelf."""
    return {"items": ["绿茶", "green tea"]}


def sales_gallery(language: Language) -> dict[str, Any]:
    """The sales of a week as charts of every kind."""
    rows = [
        {"day": day, "hour": at, "kind": kind, "sold": 12 + at * factor % 17}
        for at, day in enumerate(DAYS[language], 1)
        for kind, factor in zip(TEAS[language], (3, 5), strict=True)
    ]
    heads = {"zh": ("日期", "时段", "品类", "销量"), "en": ("Day", "Hour", "Kind", "Sold")}[language]
    columns = [{"key": key, "title": head} for key, head in zip(rows[0], heads, strict=True)]
    shared = {"columns": columns, "rows": rows, "y": ["sold"], "group": "kind"}
    return {
        "charts": [
            {"kind": kind, "title": TITLES[language][at], "x": "hour" if kind == "scatter" else "day", **shared}
            for at, kind in enumerate(KINDS)
        ]
    }


def _with_form(made: FunctionTool) -> FunctionTool:
    schema: dict[str, Any] = json.loads(json.dumps(made.spec.parameters, default=dict))
    titles = {
        "shop": {"zh": "门店", "en": "Shop"},
        "goals": {"zh": "目标", "en": "Goals"},
        "period": {"zh": "日期范围", "en": "Period"},
        "top": {"zh": "最多几项", "en": "Items at most"},
    }
    schema["required"] = [*titles]
    for name, title in titles.items():
        schema["properties"][name] = {**schema["properties"][name], "x-ui": {"title": title}}
    return replace(made, spec=replace(made.spec, parameters=schema))
