import json
from pathlib import Path

import pytest

from benchmarks.routing._data import LabelledSet, draw, load_sets, name_to_words
from metier.errors import NotFound, PathNotFound

WEATHER = ["will it rain {}", "is it sunny {}", "how warm is it {}", "do I need an umbrella {}"]
MUSIC = ["play some jazz {}", "put on a song {}", "turn the music up {}", "skip this track {}"]
DAYS = ["today", "tomorrow", "on monday", "tonight", "this weekend"]


def write_set(data: Path) -> Path:
    """Two intents, twelve messages each to learn from and four to ask with, and some that mean neither."""

    def said(forms: list[str], days: list[str], intent: str) -> list[list[str]]:
        return [[form.format(day), intent] for form in forms for day in days]

    train = said(WEATHER, DAYS[:3], "weather_forecast") + said(MUSIC, DAYS[:3], "play_music")
    val = said(WEATHER, DAYS[3:4], "weather_forecast") + said(MUSIC, DAYS[3:4], "play_music")
    test = said(WEATHER, DAYS[4:], "weather_forecast") + said(MUSIC, DAYS[4:], "play_music")
    parts = {
        "train": train,
        "val": val,
        "test": test,
        "oos_val": [["who wrote this book", "oos"], ["book a table for two", "oos"]],
        "oos_test": [["what is seven times eight", "oos"], ["报销单怎么填", "oos"]],
    }
    folder = data / "clinc150"
    folder.mkdir(parents=True)
    (folder / "data_full.json").write_text(json.dumps(parts), "utf-8")
    return data


@pytest.fixture
def labelled(tmp_path: Path) -> LabelledSet:
    (found,) = load_sets(write_set(tmp_path))
    return found


def test_the_same_seed_and_number_give_the_same_draw(labelled: LabelledSet) -> None:
    first, again = (draw(labelled, 0, messages=5) for _ in range(2))
    assert first == again
    assert draw(labelled, 1, messages=5) != first
    assert draw(labelled, 0, messages=5, seed=1) != first


def test_a_message_that_is_an_example_is_never_asked() -> None:
    pool = [(f"message {number}", "intent") for number in range(12)]
    drawn = draw(LabelledSet("pool", pool, pool), 0, messages=50)
    examples = drawn.skills[0].examples
    assert len(examples) == 10
    assert {message for message, _ in drawn.asked} == {message for message, _ in pool} - set(examples)


def test_messages_outside_come_in_the_proportion_of_the_set(labelled: LabelledSet) -> None:
    drawn = draw(labelled, 0, messages=4)
    assert len(drawn.asked) == len(drawn.tuning) == 4
    assert len(drawn.outside) == len(drawn.tuning_outside) == 1


def test_a_router_is_told_no_more_than_it_should_be() -> None:
    pool = [(f"请说第{number}句", "intent") for number in range(12)]
    drawn = draw(LabelledSet("pool", pool, pool, descriptions={"intent": "says sentences"}), 0, messages=2)
    told = {given: drawn.limit_skills(given)[0] for given in ("names", "descriptions", "5", "10")}
    assert {given: len(skill.examples) for given, skill in told.items()} == {
        "names": 0,
        "descriptions": 0,
        "5": 5,
        "10": 10,
    }
    assert [given for given, skill in told.items() if skill.description] == ["descriptions"]
    assert told["5"].examples == told["10"].examples[:5]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("play_music", "play music"),
        ("PlayMusic", "play music"),
        ("AI2sql", "ai2sql"),
        ("iot-hue_light", "iot hue light"),
    ],
)
def test_a_name_is_read_as_a_person_would_write_it(name: str, text: str) -> None:
    assert name_to_words(name) == text


def test_descriptions_are_told_where_the_set_has_them(tmp_path: Path) -> None:
    folder = tmp_path / "metatool"
    folder.mkdir()
    (folder / "all_clean_data.csv").write_text("Query,Tool\nwill it rain,Weather\n", "utf-8")
    (folder / "plugin_des.json").write_text(json.dumps({"Weather": "forecasts"}), "utf-8")
    (found,) = load_sets(tmp_path)
    assert "descriptions" in found.givens
    assert draw(found, 0, messages=1).skills[0].description == "forecasts"


def test_a_set_without_descriptions_is_not_asked_with_them(labelled: LabelledSet) -> None:
    assert labelled.givens == ("names", "5", "10")


def test_both_languages_of_a_parallel_set_are_read(tmp_path: Path) -> None:
    row = {"split": "train", "intent": "alarm_set", "en": "wake me at nine", "zh_cn": "九点叫醒我"}
    (tmp_path / "massive").mkdir()
    lines = [json.dumps(row), json.dumps({**row, "split": "dev"})]
    (tmp_path / "massive" / "massive_en_zh_train_dev.jsonl").write_text("\n".join(lines), "utf-8")
    chinese, english, _ = load_sets(tmp_path)
    assert chinese.train == [("九点叫醒我", "alarm_set")]
    assert english.test == [("wake me at nine", "alarm_set")]
    assert (chinese.chinese, english.chinese) == (True, False)


def test_the_chinese_half_is_told_in_chinese(tmp_path: Path) -> None:
    row = {"split": "train", "intent": "alarm_set", "en": "wake me at nine", "zh_cn": "九点叫醒我"}
    (tmp_path / "massive").mkdir()
    (tmp_path / "massive" / "massive_en_zh_train_dev.jsonl").write_text(json.dumps(row), "utf-8")
    chinese, english, _ = load_sets(tmp_path)
    assert "descriptions" in chinese.givens
    assert "descriptions" not in english.givens
    assert len(chinese.descriptions) == 60
    assert not any(told.isascii() for told in chinese.descriptions.values())


def test_a_folder_without_sets_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound) as caught:
        load_sets(tmp_path)
    assert "clinc150" in caught.value.hint


def test_a_set_that_is_named_but_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(PathNotFound, match="hwu64"):
        load_sets(write_set(tmp_path), ["clinc150", "hwu64"])


def test_an_unknown_set_is_answered_with_the_list(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as caught:
        load_sets(tmp_path, ["banking"])
    assert "massive zh" in caught.value.hint


def test_chinese_messages_may_ask_for_skills_whose_examples_are_english(tmp_path: Path) -> None:
    rows = [
        {"split": split, "intent": "alarm_set", "en": f"wake me at {hour}", "zh_cn": f"{hour}点叫我起床"}
        for split, hours in (("train", range(1, 12)), ("dev", range(13, 15)))
        for hour in hours
    ]
    (tmp_path / "massive").mkdir()
    lines = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "massive" / "massive_en_zh_train_dev.jsonl").write_text(lines, "utf-8")
    (across,) = load_sets(tmp_path, ["massive zh to en"])
    assert [message for message, _ in across.test] == ["13点叫我起床", "14点叫我起床"]
    assert all(message.startswith("wake me") for message, _ in across.train)
    assert across.chinese
    assert across.only_asked
