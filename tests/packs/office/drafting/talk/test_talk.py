"""Talk beside a request is left out and told; what could change the result is asked about."""

from pathlib import Path

import pytest

from metier.errors import Unavailable
from metier.language import language_of
from metier.packs.office.drafting import draft_plan
from metier.packs.office.drafting.talk import _model, is_talk, load_weights, may_be_talk, score_talk, strike_talk


@pytest.mark.parametrize(
    "clause",
    [
        *("隔壁科室催了我一上午", "我眼睛都快花了", "这回总算赶上了", "大家都等着呢"),
        *("my manager is breathing down my neck", "honestly it has been quite a week", "thank you so much for this"),
    ],
)
def test_words_about_people_are_talk(clause: str) -> None:
    assert is_talk(clause)


@pytest.mark.parametrize(
    "clause",
    [
        *(
            "表头用红色",
            "老人也要看得懂",
            "语气要像长辈说话",
            "小赵怀孕了不排夜班",
            "第三列放电话",
            "留三行",
            "还是按上次的模板",
        ),
        *("我们领导不喜欢红色", "主题是春游", "名字叫大家都满意"),
        *("my boss can't stand borders", "nobody's name in capitals", "it should read well on a phone"),
        *("two more lines", "no legend", "the second has City"),
    ],
)
def test_a_number_a_look_a_name_or_a_refusal_is_never_talk(clause: str) -> None:
    assert not may_be_talk(clause)
    assert not is_talk(clause)


def test_content_behind_a_colon_is_kept_however_it_sounds() -> None:
    request = "总结三点：大家都很累；老板很高兴；我们赶上了。"
    assert strike_talk(request).text == request


def test_a_clause_that_names_a_text_of_the_document_is_kept() -> None:
    request = "隔壁科室催了我一上午，把金额那列加粗"
    assert strike_talk(request).left_out == ("隔壁科室催了我一上午",)
    assert strike_talk(request, ["隔壁科室"]).left_out == ()


def test_nothing_is_left_out_that_the_rest_points_back_to() -> None:
    request = "小王昨天哭着跟我说了半天，把他那行删掉"
    assert strike_talk(request, ["备注"]).left_out == ()


@pytest.mark.parametrize(
    ("request_text", "part", "words"),
    [
        (
            "插入一个三列的表格，列名为单位、联系人、电话，隔壁科室催了我一上午",
            "隔壁科室催了我一上午",
            "当作背景说明",
        ),
        (
            "Honestly it has been quite a week. Insert a table with columns Name, Phone and Room.",
            "Honestly it has been quite a week",
            "Left out as background",
        ),
    ],
)
def test_what_is_left_out_is_told_and_recorded(request_text: str, part: str, words: str) -> None:
    language = language_of(request_text)
    draft = draft_plan(request_text, host="wps", language=language)
    assert draft.plan is not None, draft.question
    assert draft.plan["meta"] == {"left_out": [part]}
    assert any(words in one and part in one for one in draft.tell_assumptions(language))


def test_a_demand_beside_an_order_is_asked_about() -> None:
    draft = draft_plan("插入一个表格，列名为单位、联系人、电话，百分比直接标在扇区上", host="wps", language="zh")
    assert draft.plan is None


def test_other_weights_than_the_learned_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("talk.tsv", "talk.json"):
        (tmp_path / name).write_bytes((_model._FOLDER / name).read_bytes())
    (tmp_path / "talk.tsv").write_bytes((tmp_path / "talk.tsv").read_bytes() + b"x\t1\n")
    monkeypatch.setattr(_model, "_FOLDER", tmp_path)
    load_weights.cache_clear()
    try:
        with pytest.raises(Unavailable):
            score_talk("谢谢")
    finally:
        load_weights.cache_clear()
