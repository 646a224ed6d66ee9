import re

from metier.json_values import JsonObject, JsonValue
from metier.plans import PlanReason
from metier.tools import argument_problems, translate_problem

# One violation of every keyword that schemas of tools and steps use.
CASES: dict[str, tuple[JsonObject, JsonValue]] = {
    "required": ({"type": "object", "required": ["a"]}, {}),
    "type": ({"type": "string"}, 1),
    "types": ({"type": ["string", "null"]}, 1),
    "enum": ({"enum": ["a", "b"]}, "c"),
    "pattern": ({"type": "string", "pattern": "^x"}, "c"),
    "format": ({"type": "string", "format": "date"}, "c"),
    "anyOf": ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 1),
    "minLength": ({"type": "string", "minLength": 3}, "c"),
    "maxLength": ({"type": "string", "maxLength": 1}, "cc"),
    "minimum": ({"type": "integer", "minimum": 3}, 1),
    "maximum": ({"type": "integer", "maximum": 3}, 9),
    "exclusiveMinimum": ({"type": "integer", "exclusiveMinimum": 3}, 3),
    "minItems": ({"type": "array", "minItems": 1}, []),
    "maxItems": ({"type": "array", "maxItems": 1}, [1, 2]),
    "uniqueItems": ({"type": "array", "uniqueItems": True}, [1, 1]),
    "const": ({"const": 4}, 5),
    "multipleOf": ({"type": "integer", "multipleOf": 2}, 5),
    "additionalProperties": ({"type": "object", "properties": {}, "additionalProperties": False}, {"x": 1}),
}


def test_every_violation_of_a_schema_has_a_chinese_sentence() -> None:
    english: dict[str, str] = {}
    for name, (schema, value) in CASES.items():
        (problem,) = argument_problems({"type": "object", "properties": {"v": schema}}, {"v": value})
        told = translate_problem(str(problem))
        words = re.sub(r"'[^']*'|\"[^\"]*\"|\$\.v|null|true|false|date|\b[axc]{1,2}\b", "", told)
        if "不符合要求" in told or re.search("[A-Za-z]{2,}", words):
            english[name] = told
    assert english == {}


def test_several_violations_are_told_one_by_one() -> None:
    cases = {
        "a: must be a text, not 3; b missing": "a：应为文本，不能是 3；缺少 b",
        "unknown: 'x'; known: 'y', 'z'; b missing": "不认识：'x'；可用：'y', 'z'；缺少 b",
        "a: 'x; y' does not match '^z'; $.n: 9 is greater than the maximum of 3": (
            "a：'x; y' 不符合格式 '^z'；$.n：9 大于最大值 3"
        ),
    }
    assert {text: translate_problem(text) for text in cases} == cases


def test_a_reason_of_a_plan_tells_it_in_the_language_of_the_reader() -> None:
    reason = PlanReason.of("unexpected_result", detail="rows: must be a list, not 3")
    assert reason.text("zh") == "结果与预期不符：rows：应为列表，不能是 3"
    assert reason.text("en").endswith("rows: must be a list, not 3")
