import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metier.errors import InvalidInput, PathNotFound
from metier.routing import Router
from metier.routing.fitting import MIN_MESSAGES, FitReport, LabelledMessage, fit_messages, read_labelled
from metier.routing.ranking import Floats, Heads, load_shipped_heads
from tests.routing.support import DESK, ConceptView

MEANT = [LabelledMessage(example, skill.id) for skill in DESK for example in skill.examples]
FOREIGN = [
    "今天天气怎么样",
    "what is the capital of France",
    "讲个笑话",
    "play some music",
    "订一张去上海的机票",
    "how tall is Everest",
    "量子纠缠是什么",
    "turn off the light",
]
MESSAGES = [*MEANT, *(LabelledMessage(message, None) for message in FOREIGN)]


def shifted(by: float) -> dict[str, Heads]:
    """The shipped heads, made too sure or not sure enough."""

    def move(heads: Heads) -> Heads:
        right = heads.right.copy()
        right[-1] += by
        return replace(heads, right=right)

    return {mode: move(heads) for mode, heads in load_shipped_heads().items()}


# Fitting


@pytest.mark.parametrize(
    ("by", "views"),
    [
        pytest.param(-3.0, (), id="words"),
        pytest.param(-4.0, (), id="words, far too unsure"),
        pytest.param(-8.0, (ConceptView(),), id="vectors"),
    ],
)
def test_a_fit_mends_heads_that_are_not_sure_enough(by: float, views: tuple[ConceptView, ...]) -> None:
    heads, report = fit_messages(Router(views=views, heads=shifted(by)), DESK, MESSAGES, start=shifted(by))
    assert report.error_after < report.error_before - 0.05
    assert report.messages == len(MESSAGES)
    assert report.right == pytest.approx(1, abs=0.1)
    assert list(heads) == ["use" if views else "lex"]


def test_a_fit_mends_heads_that_are_too_sure() -> None:
    wrong = [LabelledMessage(one.message, "bazi" if one.skill != "bazi" else "pptx") for one in MEANT]
    _, report = fit_messages(Router(heads=shifted(4.0)), DESK, wrong, start=shifted(4.0))
    assert report.right == 0
    assert report.error_after < report.error_before - 0.05


def test_the_fitted_heads_decide_as_the_messages_say() -> None:
    shy = Router(heads=shifted(-4.0))
    heads, _ = fit_messages(shy, DESK, MESSAGES, start=shy.heads)
    fitted = Router(heads={**load_shipped_heads(), **heads})
    said = [f"{one.message} 2" for one in MEANT]  # an example itself is taken whatever the heads say
    before, after = ([router.route(message, catalog=DESK).verdict for message in said] for router in (shy, fitted))
    assert after.count("auto") > before.count("auto") + 10


@pytest.mark.parametrize(
    ("errors", "losses", "is_better"),
    [
        pytest.param((0.15, 0.10), (0.30, 0.25), True, id="both fall"),
        pytest.param((0.15, 0.18), (0.30, 0.25), False, id="the error grows"),
        pytest.param((0.15, 0.10), (0.30, 0.35), False, id="the loss grows"),
        pytest.param((0.15, 0.15), (0.30, 0.30), False, id="nothing changes"),
    ],
)
def test_a_fit_is_better_only_if_messages_left_out_say_so(
    errors: tuple[float, float], losses: tuple[float, float], *, is_better: bool
) -> None:
    assert FitReport(40, 0.9, *errors, *losses).is_better is is_better


def test_figures_before_are_of_the_heads_that_the_fit_starts_from_and_not_of_an_earlier_fit() -> None:
    once, first = fit_messages(Router(), DESK, MESSAGES)
    _, second = fit_messages(Router(heads={**load_shipped_heads(), **once}), DESK, MESSAGES)
    assert (second.error_before, second.loss_before) == (first.error_before, first.loss_before)


def test_a_second_fit_starts_where_the_first_one_did() -> None:
    once, _ = fit_messages(Router(), DESK, MESSAGES)
    twice, _ = fit_messages(Router(heads={**load_shipped_heads(), **once}), DESK, MESSAGES)
    assert not np.array_equal(once["lex"].right, load_shipped_heads()["lex"].right)
    np.testing.assert_array_equal(twice["lex"].right, once["lex"].right)


def test_the_router_that_was_asked_is_left_as_it_is() -> None:
    router = Router(heads=shifted(-2.0))
    before = router.heads["lex"].right.copy()
    fit_messages(router, DESK, MESSAGES)
    assert np.array_equal(router.heads["lex"].right, before)


def test_modes_are_fitted_apart() -> None:
    class Deaf(ConceptView):
        def embed(self, message: str) -> Floats | None:
            return None if message.isascii() else super().embed(message)

    heads, report = fit_messages(Router(views=(Deaf(),)), DESK, MESSAGES)
    assert sorted(heads) == ["lex", "use"]
    assert report.messages == len(MESSAGES)


@pytest.mark.parametrize("count", [0, 1, MIN_MESSAGES - 1])
def test_too_few_messages_are_not_fitted(count: int) -> None:
    with pytest.raises(InvalidInput) as caught:
        fit_messages(Router(), DESK, MESSAGES[:count])
    assert caught.value.message == f"{count} messages can be used, {MIN_MESSAGES} are needed"
    assert caught.value.hint


def test_just_enough_messages_are_fitted() -> None:
    _, report = fit_messages(Router(), DESK, MESSAGES[:MIN_MESSAGES])
    assert report.messages == MIN_MESSAGES


def test_what_cannot_be_learned_from_is_left_out_and_named() -> None:
    odd = [LabelledMessage("帮我写首诗", "poems"), LabelledMessage("！？", "pptx"), LabelledMessage("", None)]
    _, report = fit_messages(Router(), DESK, [*odd, *MESSAGES])
    assert report.skipped == ("帮我写首诗", "！？", "")
    assert report.messages == len(MESSAGES)


def test_messages_that_are_left_out_do_not_count() -> None:
    with pytest.raises(InvalidInput, match="0 messages can be used"):
        fit_messages(Router(), DESK, [LabelledMessage("帮我写首诗", "poems")] * 50)


def test_a_report_is_json() -> None:
    _, report = fit_messages(Router(), DESK, [*MESSAGES, LabelledMessage("帮我写首诗", "poems")])
    told = json.loads(json.dumps(report.to_json()))
    assert told["messages"] == len(MESSAGES)
    assert told["skipped"] == ["帮我写首诗"]
    figures = {"error_before", "error_after", "loss_before", "loss_after", "is_better"}
    assert set(told) == {"messages", "right", *figures, "skipped", "confusions"}


# Reading


def test_messages_are_read_line_by_line(tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    lines = [
        '{"message": "写周报", "skill": "weekly-report"}',
        "",
        '{"message": "hello", "skill": null}',
        '{"message": "no skill said"}',
        '{"message": "empty", "skill": ""}',
        '{"message": "one\u2028two", "skill": "pptx", "note": "more is fine"}',
    ]
    file.write_text("\r\n".join(lines), "utf-8")
    assert read_labelled(file) == (
        LabelledMessage("写周报", "weekly-report"),
        LabelledMessage("hello", None),
        LabelledMessage("no skill said", None),
        LabelledMessage("empty", None),
        LabelledMessage("one\u2028two", "pptx"),
    )


def test_a_mark_of_the_byte_order_is_no_part_of_the_first_line(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text('{"message": "写周报"}', "utf-8-sig")
    assert read_labelled(tmp_path / "m.jsonl") == (LabelledMessage("写周报", None),)


def test_an_empty_file_has_no_messages(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_text("\n", "utf-8")
    assert read_labelled(tmp_path / "m.jsonl") == ()


@pytest.mark.parametrize(
    ("line", "says"),
    [
        pytest.param("写周报", "is not JSON", id="bare text"),
        pytest.param('{"message": "cut', "is not JSON", id="cut short"),
        pytest.param('["写周报", "weekly-report"]', "has no message", id="a list"),
        pytest.param("null", "has no message", id="null"),
        pytest.param('{"skill": "pptx"}', "has no message", id="no message"),
        pytest.param('{"message": 7, "skill": "pptx"}', "has no message", id="a number as message"),
        pytest.param('{"message": "x", "skill": 7}', "a skill that is no name", id="a number as skill"),
        pytest.param('{"message": "x", "skill": ["pptx"]}', "a skill that is no name", id="a list as skill"),
    ],
)
def test_a_bad_line_is_named(line: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "messages.jsonl"
    file.write_text(f'{{"message": "ok"}}\n\n{line}\n', "utf-8")
    with pytest.raises(InvalidInput, match=r"messages\.jsonl, line 3") as caught:
        read_labelled(file)
    assert says in caught.value.message
    assert "null when none is meant" in caught.value.hint


def test_a_file_that_is_not_there_is_told_with_what_it_should_hold(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound) as caught:
        read_labelled(tmp_path / "none.jsonl")
    assert '"message"' in caught.value.hint


def test_a_file_in_another_encoding_is_told(tmp_path: Path) -> None:
    (tmp_path / "m.jsonl").write_bytes('{"message": "写周报"}'.encode("gbk"))
    with pytest.raises(InvalidInput, match="not UTF-8") as caught:
        read_labelled(tmp_path / "m.jsonl")
    assert caught.value.hint == "save it as UTF-8"
