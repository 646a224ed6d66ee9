"""Orders in words become exactly their steps, or a question: in everyday words, with reasons and wishes beside them."""

import json
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from metier.language import Language, language_of
from metier.packs.office.analysis import Reading
from metier.packs.office.drafting import draft_plan
from metier.packs.office.orders import read_orders
from tests.packs.office.orders.written import list_steps, read_file

if TYPE_CHECKING:
    from metier.packs.office.plan import HostApp

WORDINGS = Path(__file__).parent / "wordings.jsonl"
EVERYDAY = Path(__file__).parent / "everyday.jsonl"


def test_every_wording_gives_its_steps_or_a_question(readings: dict[str, Reading]) -> None:
    cases = [json.loads(line) for line in WORDINGS.read_text("utf-8").splitlines()]
    wrong = [
        (case["message"], made, case["steps"])
        for case in cases
        if (made := list_steps(case["message"], readings[case["file"]])) != case["steps"]
    ]
    assert wrong == []


def test_everyday_wordings_give_their_steps_or_a_question(everyday: dict[str, Path]) -> None:
    """Two wishes in one sentence, reasons beside them, names for places, both scripts, no names of operations."""
    known = {name: read_file(path) for name, path in everyday.items()}
    cases = [json.loads(line) for line in EVERYDAY.read_text("utf-8").splitlines()]
    wrong = [
        (case["message"], made, case["steps"])
        for case in cases
        if (made := list_steps(case["message"], known[case["file"]])) != case["steps"]
    ]
    assert wrong == []


def test_an_order_with_words_beside_it_is_asked_about_with_these_words(readings: dict[str, Reading]) -> None:
    asked = {
        ("sales", "按销售额排序，除了华东"): "除了华东",
        ("notice", "把第一段加粗，但不要动称呼"): "不要动",
        ("orders", "delete the Rate column unless it is used"): "unless",
    }
    for (name, message), part in asked.items():
        reading = readings[name]
        language = language_of(message)
        host: HostApp = "et" if reading.kind == "xlsx" else "wps"
        draft = draft_plan(message, host=host, language=language, reading=reading)
        assert draft.plan is None, message
        assert part in draft.question, draft.question


def test_what_would_be_in_the_way_of_another_order_is_asked_about(samples: dict[str, Path]) -> None:
    reading = read_file(samples["sales"])
    for message in ("按数量降序排，再删掉最后一行", "加一列总额，再加一列平均值", "把没用的行都删了"):
        assert list_steps(message, reading) == [], message


def test_a_question_whether_something_is_right_orders_nothing(readings: dict[str, Reading]) -> None:
    for message in (
        "表格的合计对不对",
        "合计正确吗？",
        "公式有没有问题",
        "Are the totals right?",
        "does the total add up",
    ):
        for name in ("orders", "sales"):
            assert not read_orders(message, readings[name], language=language_of(message)).is_order, message
    assert list_steps("合计不对，把D6改成5", readings["orders"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_offered_after_a_write_can_be_done_with_a_file_of_its_kind(
    readings: dict[str, Reading], language: Language
) -> None:
    head = (resources.files("metier.packs.office") / "skills/document_edit.md").read_text("utf-8").split("---")[1]
    offered = yaml.safe_load(head)["metadata"]["next_messages"][language]
    samples = {"docx": "notice", "xlsx": "orders", "pptx": "deck"}
    hosts: dict[str, HostApp] = {"docx": "wps", "xlsx": "et", "pptx": "wpp"}
    for one in offered:
        kind = one["files"]
        draft = draft_plan(one["text"], host=hosts[kind], language=language, reading=readings[samples[kind]])
        assert draft.plan is not None, (one, draft.question)
    assert {one["files"] for one in offered} == set(samples)


def test_reasons_after_a_comma_are_left_out_and_wishes_are_not(readings: dict[str, Reading]) -> None:
    plain = list_steps("delete the Beta row", readings["orders"])
    assert plain
    for why in ("the company paid that one directly", "we never use it", "they don't need it any more"):
        assert list_steps(f"delete the Beta row, {why}.", readings["orders"]) == plain, why
    for wish in ("the rest underlined", "the total has to be bold", "never the Acme ones"):
        assert list_steps(f"delete the Beta row, {wish}.", readings["orders"]) != plain, wish
