"""What was said of a birth before is in the next form, for the same person alone."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from metier.packs.life.conversation._birth_tools import collect_birth
from metier.tools import ToolContext

SAID = "我1990年5月3日早上8点生于北京，看看八字"


def _known(tmp_path: Path, message: str, earlier: Sequence[str]) -> dict[str, object]:
    found = collect_birth(ToolContext(tmp_path, "c"), message, earlier=tuple(earlier))
    known = (found.data or {}).get("known")
    assert isinstance(known, dict)
    return dict(known)


@pytest.mark.parametrize("message", ["看看星座", "排个星盘", "my natal chart"])
def test_the_next_form_has_what_was_said_before(tmp_path: Path, message: str) -> None:
    known = _known(tmp_path, message, ["你好", SAID, "那星座呢"])
    assert (known["birth_info.date"], known["birth_info.place"]) == ("1990-05-03", "北京")


def test_the_newest_of_two_dates_counts_and_one_in_the_message_before_all(tmp_path: Path) -> None:
    assert _known(tmp_path, "看看星座", [SAID, "我是1991年6月1日生的"])["birth_info.date"] == "1991-06-01"
    assert _known(tmp_path, "我生于1992年7月2日，看星座", [SAID])["birth_info.date"] == "1992-07-02"


def test_the_date_of_another_person_is_not_taken(tmp_path: Path) -> None:
    assert "birth_info.date" not in _known(tmp_path, "看看我的星座", ["我妈1962年7月1日生于上海，看她的八字"])
    assert "birth_info.date" not in _known(tmp_path, "看看我妈的八字", [SAID])
