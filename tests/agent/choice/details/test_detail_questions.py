"""What the product offers by itself is never taken as a question about the results on screen."""

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from metier.agent.choice.details import _detail_questions, _show_answer
from metier.agent.choice.details._detail_questions import answer_detail_question
from metier.language import BilingualText
from metier.questions import Answer, Question, collect_results, parse_question, read_judgement
from metier.skills import Catalog
from tests.context.support import skill

if TYPE_CHECKING:
    from metier.agent.turn import TurnState
    from metier.json_values import JsonObject

OFFERED = "筛查全部设备，最差的排前面"
OWN = "哪台设备最需要维修"
BEARING = skill("bearing", sop=({"id": "a", "call": "x"},))
FLEET = skill("fleet", examples=(OWN,))


async def _ask(
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    *,
    found: bool,
    is_change: bool = False,
    seen: list[str] | None = None,
) -> tuple[bool | None, list[str]]:
    """Whether the message was answered, and what was said; `seen` is what was loaded and asked of it."""
    said: list[str] = []
    looked = [] if seen is None else seen
    purpose = "approve" if is_change else "ask"
    shown: JsonObject = {"table": "t", "columns": [{"key": "a"}], "rows": [["x"]], "total": 1}

    async def _load(*_: object) -> object:
        looked.append("load")
        return collect_results([("撤销参数", [("pause.opened", {"purpose": purpose}), ("table", shown)])], "zh")

    async def _none(*_: object) -> None:
        return None

    async def _no_facts() -> tuple[()]:
        return ()

    def _answer(question: Question, *_: object, **__: object) -> Answer:
        looked.append(question.kind)
        return Answer("screen", found=found)

    monkeypatch.setattr(_detail_questions, "load_results", _load)
    monkeypatch.setattr(_detail_questions, "names_other_value", _none)
    monkeypatch.setattr(_detail_questions, "_answer_beside", _none)
    monkeypatch.setattr(_show_answer, "remind_of_pause", lambda _, **_more: "")
    monkeypatch.setattr(_detail_questions, "answer_question", _answer)
    state = SimpleNamespace(
        skill=SimpleNamespace(active=BEARING),
        calls=SimpleNamespace(pending_pause=None),
        journal=SimpleNamespace(load_facts=_no_facts),
        has_open_work=False,
        uses_builtin_model=lambda _stage: True,
        queue_reply=said.append,
        queue_display_events=lambda *_: None,
        resources=SimpleNamespace(packs=(SimpleNamespace(examples=(BilingualText(OFFERED, "Screen the fleet"),)),)),
        request=SimpleNamespace(
            message=message, catalog=Catalog.from_skills((BEARING, FLEET)), earlier_messages=(), language="zh"
        ),
    )
    return await answer_detail_question(cast("TurnState", state)), said


@pytest.mark.parametrize(
    ("message", "found", "answered"),
    [
        (OFFERED, True, None),
        (OFFERED, False, None),
        (OWN, False, None),
        (OWN, True, True),
        ("哪台设备的峭度最高", False, True),
    ],
)
async def test_an_example_is_a_request_unless_the_screen_answers_it(
    message: str, found: bool, answered: bool | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert parse_question(message) is not None  # so the reader of questions would take it
    told, said = await _ask(message, monkeypatch, found=found)
    assert (told, said) == (answered, ["screen"] if answered else [])


@pytest.mark.parametrize("message", ["现在有哪些参数在用", "目前有多少个参数生效", "Which parameters are in force?"])
async def test_what_holds_now_is_not_read_from_the_receipt_of_a_change(
    message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert parse_question(message) is not None
    assert await _ask(message, monkeypatch, found=True, is_change=True) == (None, [])
    assert await _ask(message, monkeypatch, found=True) == (True, ["screen"])
    assert await _ask("改了多少个参数", monkeypatch, found=True, is_change=True) == (True, ["screen"])


@pytest.mark.parametrize(
    ("message", "told"), [("严重吗", "内圈损伤"), ("会影响生产吗", "内圈损伤"), ("依据是什么", "外推")]
)
async def test_a_term_looked_up_after_the_work_is_not_what_severity_is_asked_of(
    message: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def turn(name: str, text: str, **found: str) -> SimpleNamespace:
        data: tuple[tuple[str, JsonObject], ...] = (
            ("tool.called", {}),
            ("tool.result", found),
            ("text.done", {"text": text}),
        )
        return SimpleNamespace(id=name, events=[SimpleNamespace(kind=kind, data=one) for kind, one in data])

    turns = [
        turn("2", "**剩余寿命** 由增长外推而来。", retrieved="knowledge"),
        turn("1", "**内圈损伤**，状态：有故障。"),
    ]

    async def _list(*_: object, **__: object) -> list[SimpleNamespace]:
        return turns

    async def _events(_store: object, one: SimpleNamespace) -> object:
        return one.events

    monkeypatch.setattr(_detail_questions, "turn_events", _events)
    state = SimpleNamespace(
        skill=SimpleNamespace(active=BEARING),
        turn="3",
        conversation="c",
        resources=SimpleNamespace(store=SimpleNamespace(turns=SimpleNamespace(list=_list))),
        request=SimpleNamespace(message=message, language="zh", catalog=Catalog.from_skills(())),
    )
    answer = await _detail_questions._judge_result(cast("TurnState", state), read_judgement(message))
    assert answer is not None
    assert told in answer.text


@pytest.mark.parametrize(("message", "kind"), [("x呢", "row"), ("4号鼓风机呢", "summary")])
async def test_a_follow_up_that_may_be_the_name_of_a_row_loads_the_results_once(
    message: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []
    assert await _ask(message, monkeypatch, found=True, seen=seen) == (True, ["screen"])
    assert seen == ["load", kind]
