"""Which views a router opens with, and which of them a catalog is read by."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from metier.errors import InvalidInput, MissingExtra
from metier.routing import HEADS_FILE, open_router
from metier.routing import _open as opening
from metier.routing.fitting import write_heads
from metier.routing.ranking import load_shipped_heads
from metier.routing.vectors import CheckedEmbedder
from metier.routing.vectors._embedders import ensure_checked
from metier.settings import Settings
from metier.skills import Catalog
from metier.textsearch import has_cjk
from tests.routing.letters import Letters, text_of
from tests.routing.support import catalog, skill

ENGLISH = catalog(
    skill("weather", title="Weather", description="forecasts", examples=("will it rain", "is it sunny")),
    skill("music", title="Music", description="plays songs", examples=("play jazz", "next song")),
)
CHINESE = catalog(
    skill("weather", title="天气", description="预报天气", examples=("明天会下雨吗", "今天热不热")),
    skill("music", title="音乐", description="播放歌曲", examples=("放一首歌", "下一首")),
)
Install = Callable[..., None]


class Latin(Letters):
    """Letters that says it cannot read Chinese."""

    def accepts(self, text: str) -> bool:
        return not has_cjk(text)


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Puts embedders that count letters in the place of those that ship; the others are not installed."""

    def put(*names: str) -> None:
        def load(name: str) -> CheckedEmbedder | None:
            if name == "none":
                return None
            if name not in names:
                raise MissingExtra(f"{name} is not installed", hint="install it")
            return ensure_checked(Latin(name) if name == "minilm" else Letters(name))

        monkeypatch.setattr(opening, "load_embedder", load)

    return put


def settings(tmp_path: Path, **fields: str) -> Settings:
    return Settings(storage_dir=tmp_path, **fields)  # type: ignore[arg-type]


def used(made: Settings, skills: Catalog, message: str = "will it rain") -> tuple[list[str], str]:
    weighed = open_router(made).score_message(message, catalog=skills)
    assert weighed is not None
    return list(weighed.ranking.by_view), weighed.mode


@pytest.mark.parametrize(
    ("booster", "skills", "views"),
    [
        pytest.param("auto", ENGLISH, ["use-multilingual", "minilm"], id="auto, English"),
        pytest.param("auto", CHINESE, ["use-multilingual"], id="auto, Chinese"),
        pytest.param("minilm", ENGLISH, ["use-multilingual", "minilm"], id="minilm, English"),
        pytest.param("minilm", CHINESE, ["use-multilingual"], id="minilm, Chinese"),
        pytest.param("off", ENGLISH, ["use-multilingual"], id="off, English"),
        pytest.param("off", CHINESE, ["use-multilingual"], id="off, Chinese"),
    ],
)
def test_the_booster_reads_english_catalogs_unless_it_is_off(
    booster: str, skills: Catalog, views: list[str], install: Install, tmp_path: Path
) -> None:
    install("use-multilingual", "minilm")
    found, mode = used(settings(tmp_path, english_booster=booster), skills)
    assert found == views
    assert mode == ("use+mini" if len(views) > 1 else "use")


def test_the_booster_is_on_by_itself(tmp_path: Path) -> None:
    assert settings(tmp_path).english_booster == "auto"


def test_a_chinese_message_to_an_english_catalog_is_read_by_the_first_view_alone(
    install: Install, tmp_path: Path
) -> None:
    install("use-multilingual", "minilm")
    assert used(settings(tmp_path), ENGLISH, "明天 rain 吗") == (["use-multilingual"], "use")


@pytest.mark.parametrize(
    ("booster", "told"), [("auto", False), ("minilm", True), ("off", False)], ids=["auto", "minilm", "off"]
)
def test_a_booster_that_is_not_installed_is_missed_only_by_name(
    booster: str, told: bool, install: Install, tmp_path: Path
) -> None:
    install("use-multilingual")
    decision = open_router(settings(tmp_path, english_booster=booster)).route("will it rain", catalog=ENGLISH)
    assert ("no vectors from minilm: minilm is not installed" in decision.notes) is told
    assert decision.vectors


@pytest.mark.parametrize("booster", ["auto", "minilm"])
def test_who_wants_no_vectors_gets_no_booster_either(booster: str, install: Install, tmp_path: Path) -> None:
    install("use-multilingual", "minilm")
    assert open_router(settings(tmp_path, embedder="none", english_booster=booster)).views == ()


def test_the_booster_by_itself_is_one_view(install: Install, tmp_path: Path) -> None:
    install("minilm")
    assert [view.name for view in open_router(settings(tmp_path, embedder="minilm")).views] == ["minilm"]


@pytest.mark.parametrize(
    ("lines", "fits"),
    [
        pytest.param([], True, id="no texts"),
        pytest.param(["rain"] * 10, True, id="English"),
        pytest.param(["雨"] * 1 + ["rain"] * 9, True, id="a tenth Chinese"),
        pytest.param(["雨"] * 3 + ["rain"] * 7, False, id="three tenths Chinese"),
        pytest.param(["雨"] * 10, False, id="Chinese"),
    ],
)
def test_an_english_view_fits_where_most_of_the_texts_are_english(
    lines: Sequence[str], fits: bool, install: Install, tmp_path: Path
) -> None:
    install("use-multilingual", "minilm")
    first, booster = open_router(settings(tmp_path)).views
    texts = [text_of("skill", *lines)]
    assert booster.fits(texts) is fits
    assert first.fits(texts)


def test_what_a_skill_says_of_itself_counts_as_well(install: Install, tmp_path: Path) -> None:
    install("use-multilingual", "minilm")
    booster = open_router(settings(tmp_path)).views[1]
    assert not booster.fits([text_of("skill", "rain", "sun", about="预报天气")])


def test_heads_that_were_fitted_here_are_used(tmp_path: Path) -> None:
    lex = load_shipped_heads()["lex"]
    bolder = replace(lex, right=np.round(lex.right + 0.5, 5))
    write_heads(tmp_path / HEADS_FILE, {"lex": bolder}, {"messages": "mine"})
    router = open_router(settings(tmp_path, embedder="none"))
    np.testing.assert_allclose(router.heads["lex"].right, bolder.right)
    assert router.heads["use"] is load_shipped_heads()["use"]


def test_a_damaged_calibration_is_told_when_the_router_opens(tmp_path: Path) -> None:
    (tmp_path / HEADS_FILE).write_text("{}", "utf-8")
    with pytest.raises(InvalidInput, match=HEADS_FILE):
        open_router(settings(tmp_path, embedder="none"))
