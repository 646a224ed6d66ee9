"""What the router learns from is never what the comparison asks with."""

import csv
import json
from pathlib import Path

import pytest

from benchmarks.routing._data import draw, is_for_learning, load_sets
from tests.benchmarks.routing.test_data import write_set
from training import OUT_OF_SCOPE, Corpus, load_corpora

SHARED = "wake me at seven"
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday")


def write_all(data: Path) -> Path:
    """All four sets, small; some sentences are in several of them, and some are in two parts of one."""
    write_set(data)
    clinc = data / "clinc150" / "data_full.json"
    parts = json.loads(clinc.read_text("utf-8"))
    parts["train"] += [parts["test"][0], ["what is seven times eight", "play_music"]]
    parts["oos_train"] = [["who are you", "oos"], ["报销单怎么填", "oos"]]
    clinc.write_text(json.dumps(parts), "utf-8")
    write_massive(data / "massive")
    write_hwu(data / "hwu64")
    write_metatool(data / "metatool")
    return data


def write_massive(folder: Path) -> None:
    said = [("alarm_set", "wake me on {}", "{}叫醒我"), ("play_music", "play jazz on {}", "{}放爵士乐")]
    rows = [
        {
            "split": "dev" if day == "friday" else "train",
            "intent": intent,
            "en": en.format(day),
            "zh_cn": zh.format(day),
        }
        for intent, en, zh in said
        for day in DAYS
    ]
    rows += [
        {"split": "train", "intent": "alarm_set", "en": SHARED, "zh_cn": "friday叫醒我"},
        {"split": "dev", "intent": "alarm_set", "en": "an alarm please", "zh_cn": "定个闹钟"},
    ]
    folder.mkdir()
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    (folder / "massive_en_zh_train_dev.jsonl").write_text("\n".join(lines), "utf-8")


def write_hwu(folder: Path) -> None:
    folder.mkdir()
    parts = {"train": ["ring at noon", "an alarm please", "ring at six"], "test": [SHARED, "ring at ten"]}
    for part, said in parts.items():
        (folder / f"{part}.seq.in").write_text("\n".join(said), "utf-8")
        (folder / f"{part}.label").write_text("\n".join(["alarm_set"] * len(said)), "utf-8")


def write_metatool(folder: Path) -> None:
    folder.mkdir()
    with (folder / "all_clean_data.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["Query", "Tool"])
        rows.writerows([f"{what} number {at}", tool] for tool, what in _TOOLS for at in range(20))
    (folder / "plugin_des.json").write_text(json.dumps({"PaperSearch": "finds papers"}), "utf-8")


_TOOLS = (("PaperSearch", "find paper"), ("TaxiCall", "call taxi"))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return write_all(tmp_path / "data")


def corpora(data: Path) -> dict[str, Corpus]:
    return {corpus.name: corpus for corpus in load_corpora(data)}


def test_no_message_that_a_draw_may_ask_with_is_learned_from(data: Path) -> None:
    learned = {message for corpus in load_corpora(data) for said in corpus.messages.values() for message in said}
    for labelled in load_sets(data):
        asked = draw(labelled, 0, messages=10_000)
        assert asked.asked
        assert not learned & {message for message, _ in asked.asked}
        assert not learned & {message for message, _ in labelled.test}
        assert not learned & set(labelled.outside)


def test_most_of_the_training_parts_is_learned_from(data: Path) -> None:
    found = corpora(data)
    assert {name: sum(map(len, corpus.messages.values())) for name, corpus in found.items()} == {
        "clinc150": 24 + 2 + 1,
        "massive zh": 8,
        "massive en": 8,
        "hwu64": 2,
        "metatool": sum(is_for_learning(f"{what} number {at}") for _, what in _TOOLS for at in range(20)),
    }


def test_a_set_without_parts_is_learned_from_by_one_half_and_asked_by_the_other(data: Path) -> None:
    (metatool,) = load_sets(data, ["metatool"])
    learned = {message for said in corpora(data)["metatool"].messages.values() for message in said}
    fresh = {message for message, _ in metatool.train}
    assert learned
    assert fresh
    assert not learned & fresh
    assert len(learned | fresh) == 40
    assert all(map(is_for_learning, learned))


def test_messages_for_no_skill_are_kept_apart(data: Path) -> None:
    assert set(corpora(data)["clinc150"].messages[OUT_OF_SCOPE]) == {
        "who are you",
        "who wrote this book",
        "book a table for two",
    }
    assert OUT_OF_SCOPE not in corpora(data)["hwu64"].messages


def test_sets_of_one_source_are_one_family(data: Path) -> None:
    assert {name: (corpus.family, corpus.chinese) for name, corpus in corpora(data).items()} == {
        "clinc150": ("clinc", False),
        "massive zh": ("massive", True),
        "massive en": ("massive", False),
        "hwu64": ("massive", False),
        "metatool": ("metatool", False),
    }


@pytest.mark.parametrize(
    ("name", "intent", "about"),
    [
        pytest.param("clinc150", "play_music", ("play music",), id="its name"),
        pytest.param("metatool", "PaperSearch", ("paper search", "finds papers"), id="its name and description"),
        pytest.param("metatool", "TaxiCall", ("taxi call",), id="a description is missing"),
    ],
)
def test_a_skill_says_of_itself_what_the_set_says(name: str, intent: str, about: tuple[str, ...], data: Path) -> None:
    assert corpora(data)[name].about[intent] == about


def test_a_chinese_skill_speaks_chinese_of_itself(data: Path) -> None:
    (said,) = corpora(data)["massive zh"].about["alarm_set"]
    assert said
    assert not said.isascii()


def test_a_set_made_of_other_sets_messages_is_not_learned_from_twice(data: Path) -> None:
    assert [corpus.name for corpus in load_corpora(data) if corpus.family == "massive" and corpus.name != "hwu64"] == [
        "massive zh",
        "massive en",
    ]
