"""Speakers are read in every form in which speech recognition and people write them."""

import pytest

from metier.packs.office._pieces import TextPiece
from metier.packs.office.analysis.meetings import Utterance, read_transcript


def read(*lines: str) -> tuple[Utterance, ...]:
    return read_transcript([TextPiece(f"p{number}", line) for number, line in enumerate(lines, 1)])


@pytest.mark.parametrize(
    ("line", "speaker", "time", "text"),
    [
        ("发言人2 00:12:03 那就往后推", "发言人2", "00:12:03", "那就往后推"),
        ("发言人2 00:12:03：那就往后推", "发言人2", "00:12:03", "那就往后推"),
        ("说话人B：那就往后推", "说话人B", "", "那就往后推"),
        ("SPEAKER 2: Six tonight.", "SPEAKER 2", "", "Six tonight."),
        ("SPEAKER 2 00:00:21 well", "SPEAKER 2", "00:00:21", "well"),
        ("Carla 00:00:14: sixty percent", "Carla", "00:00:14", "sixty percent"),
        ("[00:15] Imran: tiles", "Imran", "00:15", "tiles"),
        ("Stage manager: we clocked it", "Stage manager", "", "we clocked it"),
        ("馆长 陶：开吧", "馆长 陶", "", "开吧"),
        ("老周：三点12:30都行", "老周", "", "三点12:30都行"),
    ],
)
def test_who_speaks_is_read_with_the_time_and_the_words(line: str, speaker: str, time: str, text: str) -> None:
    for one in (read(line, line)[0], read("Anna: yes", "Anna: no", line, line)[-1]):
        assert (one.speaker, one.time, one.text) == (speaker, time, text)


@pytest.mark.parametrize(("long", "short"), [("财务方姐", "方姐"), ("小号 白", "白")])
def test_a_role_before_a_name_is_the_same_person(long: str, short: str) -> None:
    assert {one.speaker for one in read(f"{long}：我先说", f"{short}：还有", "老宋：好", f"{short}：完了")} == {
        short,
        "老宋",
    }


def test_a_time_before_words_without_a_name_is_no_part_of_them() -> None:
    assert [(one.speaker, one.time, one.text) for one in read("[09:37] which one", "[09:38] the second")] == [
        ("", "09:37", "which one"),
        ("", "09:38", "the second"),
    ]


@pytest.mark.parametrize("line", ["Quick question: who drives", "会议 14:00 开始"])
def test_what_only_looks_like_a_speaker_speaks_only_if_it_returns(line: str) -> None:
    said = read("Anna: hello", line, "Anna: me")
    assert {one.speaker for one in said} == {"Anna"}
