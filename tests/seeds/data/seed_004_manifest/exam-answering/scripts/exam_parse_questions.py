import re
from typing import Any


def exam_parse_questions(**kwargs: Any) -> dict[str, Any]:
    found = re.findall(r"(?m)^(\d+)[.、]\s*(.+)$", kwargs["doc_text"])
    if not found:
        raise ValueError("试卷里没有题目")
    return {"count": len(found), "questions": [text for _, text in found][: kwargs.get("limit", 50)]}
