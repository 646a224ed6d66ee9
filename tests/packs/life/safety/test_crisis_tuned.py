"""The tuned encoder tells danger from what only sounds like it; without it the head decides alone."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec

import numpy as np
import pytest
from numpy.typing import NDArray

from metier.errors import EmbedderBroken
from metier.packs.life.safety import CrisisCheck, LifeGuard, crisis_head, crisis_tuned, decide_level, is_framed
from metier.packs.life.safety._crisis_scores import blend
from metier.routing import load_text_embedder
from metier.settings import Settings

Floats = NDArray[np.float32]
_NEEDS_RUNTIME = pytest.mark.skipif(find_spec("onnxruntime") is None, reason="the graph runs on ONNX Runtime")
TEXT = "今天晚上吃什么"


class _Same:
    """An embedder that has one vector for every text, as its tuned encoder has."""

    name = str(crisis_head.read_head_notes()["embedder"])

    def embed(self, texts: Sequence[str]) -> Floats:
        return np.full((len(texts), 512), 0.04, dtype=np.float32)

    def open_tuned(self, weights: Mapping[str, Floats]) -> "_Same | None":
        return self


class _NotRunning(_Same):
    def open_tuned(self, weights: Mapping[str, Floats]) -> None:
        return None


class _Failing(_Same):
    def open_tuned(self, weights: Mapping[str, Floats]) -> _Same:
        return _Broken()


class _Broken(_Same):
    def embed(self, texts: Sequence[str]) -> Floats:
        raise EmbedderBroken("embedder 'tuned' failed", hint="mend it")


@_NEEDS_RUNTIME
def test_danger_is_told_from_what_has_its_words() -> None:
    check = CrisisCheck(lambda: load_text_embedder(Settings()))
    assert check.tuned is not None
    dangers = [
        "猫托付给邻居了，钥匙在门垫下面，明早不用再叫我起床了",
        "I tested the rope on the beam and it holds my weight, tonight then",
    ]
    others = [
        "猫托付给邻居了，钥匙在门垫下面，我们周日旅游回来",
        "I tested the rope on the beam and it holds the swing for the kids",
    ]
    assert min(check.tuned.score(dangers)) > max(check.tuned.score(others))
    assert [one for one in dangers if check.check(one).level == "none"] == []


def test_a_rule_is_a_doubt_where_the_learned_parts_do_not_speak_against_it() -> None:
    assert decide_level(blend(0.2, -2.0), "found") == "ask"
    assert decide_level(blend(-0.6, -3.0), "found") == "none"
    assert decide_level(blend(-0.2, -2.0), "") == "none"
    assert decide_level(blend(0.9, 3.0), "") == "stop"


@pytest.mark.parametrize("kind", [_NotRunning, _Failing])
def test_an_encoder_that_cannot_run_or_fails_leaves_the_head_alone(kind: type[_Same]) -> None:
    head = crisis_head.load_head(with_vectors=True)
    words, vector = crisis_head.compute_word_features(TEXT), crisis_head.normalize_vector(_Same().embed([TEXT])[0])
    alone = head.score(words, vector)
    assert CrisisCheck(kind).check(TEXT).score == pytest.approx(alone)
    assert CrisisCheck(_Same).check(TEXT).score != pytest.approx(alone)


def test_damaged_tuned_weights_leave_the_head_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class New(_Same):
        """Not loaded before."""

    monkeypatch.setattr(crisis_tuned, "read_notes", lambda _file: {"sha256": "0"})
    assert CrisisCheck(New).tuned is None


@_NEEDS_RUNTIME
def test_the_encoder_is_loaded_once_for_all_checks() -> None:
    first, second = (CrisisCheck(lambda: load_text_embedder(Settings())).tuned for _ in range(2))
    assert first is second
    assert first is not None


def test_the_guard_says_whether_the_encoder_is_there() -> None:
    said = [LifeGuard(crisis=CrisisCheck(kind)).describe() for kind in (_Same, _NotRunning)]
    assert said[0] == "crisis wording by rules, words, sentence vectors and a tuned encoder"
    assert said[1].startswith("crisis wording by rules, words and sentence vectors, without the tuned encoder")


@_NEEDS_RUNTIME
@pytest.mark.parametrize("danger", ["I saved up my pills and tonight I will take them all", "I wrote my suicide note"])
def test_plain_sentences_beside_a_danger_do_not_hide_it(danger: str) -> None:
    before = "Thanks for the table yesterday, the totals were right. Please send the summary to Anna. "
    check = CrisisCheck(lambda: load_text_embedder(Settings()))
    said = f"{before}{danger}. The meeting moved to Thursday at ten, and the room is booked."
    assert check.check(said).level != "none"


def test_who_mourns_and_is_in_danger_is_asked_about() -> None:
    assert is_framed("老婆走了，剩下的钱打给我爸了")
    check = CrisisCheck(lambda: load_text_embedder(Settings()))
    assert check.check("老婆走了，我一个人在实验室，毒品柜开着，我不打算回去了").level != "none"


@_NEEDS_RUNTIME
def test_last_days_at_work_games_and_old_stories_are_not_stopped() -> None:
    said = [
        "明天是我在食堂上班的最后一天，二十年了，跟大家说再见舍不得",
        "I closed the bakery for good on Saturday, hung up the apron and slept till noon",
        "第三关死了二十几次，手柄都要摔了",
        "My neighbour drowned in the canal when I was a girl, I am putting it in my memoir",
    ]
    check = CrisisCheck(lambda: load_text_embedder(Settings()))
    assert [one for one in said if check.check(one).level == "stop"] == []
