"""Reports as the research and the data skills leave them."""

from metier.json_values import JsonObject

RESEARCH: JsonObject = {
    "question": "研究新能源汽车市场趋势",
    "notice": "示例资料，数字均为虚构。要用自己的资料，请附上文件。",
    "language": "zh",
    "sub_questions": [
        {"question": "市场规模有多大？", "found": [2, 1]},
        {"question": "没有资料的问题？", "found": []},
    ],
    "findings": [
        {"text": "销量继续增长，全年约 1,286 万辆。[2]", "ids": [2]},
        {"text": "渗透率接近一半。", "ids": [1, 3]},
    ],
    "disagreements": [
        {
            "measure": "出口量",
            "period": "2025",
            "statements": [{"text": "120 万辆", "id": 1}, {"text": "200 万辆", "id": 3}],
        }
    ],
    "missing": ["没有找到二手车的数据"],
    "evidence": [
        {"id": 1, "text": "渗透率为 47.9%，出口 120 万辆", "place": {"source": "a.md", "line": 3}},
        {
            "id": 2,
            "text": "全年销量约 1,286 万辆",
            "place": {"source": "b.pdf", "title": "年报", "label": "b.pdf 第 4 页"},
        },
        {
            "id": 3,
            "text": "出口 200 万辆",
            "place": {"source": "c", "url": "https://c.test/x", "time": "2026-11-17T01:02:03"},
        },
        {"id": 4, "text": "没有用到", "place": {"source": "d"}},
    ],
}
ANALYSIS: JsonObject = {
    "file": "sales.csv",
    "tables": [
        {
            "title": "按地区",
            "columns": [{"key": "region", "title": "地区"}, {"key": "sold", "title": "销量", "unit": "件"}],
            "rows": [{"region": "东", "sold": 12.5}, {"region": "西", "sold": 7}],
        },
        {"title": "缺失", "columns": ["列", "缺失数"], "rows": [["价格", 3]]},
    ],
    "charts": [
        {
            "kind": "grouped_bar",
            "title": "各地区销量",
            "columns": [{"key": "region", "title": "地区"}, {"key": "sold", "title": "销量"}],
            "rows": [{"region": "东", "sold": 12.5}, {"region": "西", "sold": 7}],
            "x": "region",
            "y": ["sold"],
        }
    ],
    "findings": [{"text": "东区最多", "table": 0}],
}
