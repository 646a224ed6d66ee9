import pytest

from metier.routing.text import compute_title_share
from metier.textsearch import extract_terms


@pytest.mark.parametrize(
    ("title", "message", "share"),
    [
        pytest.param("drug dosage", "What is the dosage of this drug?", 1.0, id="all words"),
        pytest.param("drug dosage", "What is the price of this drug?", 0.5, id="half of them"),
        pytest.param("surgical nursing", "what does the museum cost", 0.0, id="none"),
        pytest.param("合同审查", "帮我看看天气", 0.0, id="none in Chinese"),
        pytest.param("合同审查", "合同审查一下", 1.0, id="all in Chinese"),
        pytest.param("drug dosage", "这个药吃多少", None, id="another script cannot be compared"),
        pytest.param("合同审查", "look through this contract", None, id="nor the other way"),
        pytest.param("video cutter 视频", "剪一下视频", 1.0, id="only words in the script of the message count"),
        pytest.param("video cutter", "用 ffmpeg 剪一下", 0.0, id="a Latin word makes two scripts"),
        pytest.param("", "anything", None, id="no title"),
    ],
)
def test_the_share_of_a_title_is_that_of_its_words_in_a_script_of_the_message(
    title: str, message: str, share: float | None
) -> None:
    assert compute_title_share(title, message, extract_terms(message).words) == pytest.approx(share)
