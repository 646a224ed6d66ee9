"""Golden values are worked out by hand from TR 38.901; the working stands beside each."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metier.packs.telecom.twin.radio import Floats
from metier.packs.telecom.twin.radio._ground import build_ground, ground_loss_db
from metier.packs.telecom.twin.radio._propagation import (
    breakpoint_m,
    building_loss_db,
    los_probability,
    path_loss_los,
    path_loss_nlos,
)
from metier.packs.telecom.twin.scenario import Propagation
from tests.packs.telecom.twin.support import small


def one(value: float) -> Floats:
    return np.array([value], np.float32)


def test_the_breakpoint_of_a_macro_site_at_2_ghz_is_320_m() -> None:
    # 4 · (25 − 1) · (1.5 − 1) · 2e9 / 3e8
    assert float(breakpoint_m(2.0, one(25), one(1.5))[0]) == pytest.approx(320)


@pytest.mark.parametrize(
    ("model", "ghz", "flat_m", "site_m", "loss_db"),
    [
        # d3D = √(200² + 23.5²) = 201.376; 28 + 22·2.30401 + 20·0.30103
        pytest.param("uma", 2.0, 200, 25, 84.709, id="UMa before the breakpoint"),
        # d3D = 1000.276; 28 + 40·3.00012 + 6.0206 − 9·log10(320² + 23.5²) = 154.0254 − 45.1137
        pytest.param("uma", 2.0, 1000, 25, 108.912, id="UMa beyond the breakpoint"),
        # d3D = √(100² + 8.5²) = 100.361; 32.4 + 21·2.00156 + 20·0.54407
        pytest.param("umi", 3.5, 100, 10, 85.314, id="UMi before the breakpoint"),
        # d'BP = 4·9·0.5·3.5e9/3e8 = 210; 32.4 + 40·2.69903 + 10.8814 − 9.5·log10(210² + 8.5²)
        pytest.param("umi", 3.5, 500, 10, 107.114, id="UMi beyond the breakpoint"),
    ],
)
def test_path_loss_in_sight_is_that_of_the_table(
    model: Propagation, ghz: float, flat_m: float, site_m: float, loss_db: float
) -> None:
    found = path_loss_los(model, ghz, one(flat_m), one(site_m), one(1.5))
    assert float(found[0]) == pytest.approx(loss_db, abs=2e-3)


@pytest.mark.parametrize(
    ("model", "ghz", "flat_m", "site_m", "user_m", "loss_db"),
    [
        # 13.54 + 39.08·3.00012 + 6.0206 − 0
        pytest.param("uma", 2.0, 1000, 25, 1.5, 136.805, id="UMa on the street"),
        # d3D = √(1000² + 15²) = 1000.1125; 13.54 + 39.08·3.0000489 + 6.0206 − 0.6·8.5
        pytest.param("uma", 2.0, 1000, 25, 10, 131.703, id="UMa on the third floor"),
        # 35.3·2.00156 + 22.4 + 21.3·0.54407
        pytest.param("umi", 3.5, 100, 10, 1.5, 104.644, id="UMi on the street"),
    ],
)
def test_path_loss_out_of_sight_is_that_of_the_table(
    model: Propagation, ghz: float, flat_m: float, site_m: float, user_m: float, loss_db: float
) -> None:
    found = path_loss_nlos(model, ghz, one(flat_m), one(site_m), one(user_m))
    assert float(found[0]) == pytest.approx(loss_db, abs=2e-3)


@pytest.mark.parametrize(
    ("model", "flat_m", "user_m", "chance"),
    [
        pytest.param("uma", 18, 1.5, 1.0, id="near"),
        # 0.18 + e^(−100/63)·0.82 = 0.18 + 0.204477·0.82
        pytest.param("uma", 100, 1.5, 0.34767, id="UMa"),
        # C' = 1 at 23 m: 0.34767 · (1 + 1.25·e^(−100/150)) = 0.34767 · 1.641771
        pytest.param("uma", 100, 23, 0.57080, id="UMa on a high floor"),
        # 0.18 + e^(−100/36)·0.82
        pytest.param("umi", 100, 1.5, 0.23098, id="UMi"),
    ],
)
def test_the_chance_of_sight_is_that_of_the_table(
    model: Propagation, flat_m: float, user_m: float, chance: float
) -> None:
    assert float(los_probability(model, one(flat_m), one(user_m))[0]) == pytest.approx(chance, abs=2e-5)


@pytest.mark.parametrize(
    ("kind", "ghz", "inside_m", "loss_db"),
    [
        pytest.param("none", 2.0, 10.0, 0.0, id="outdoors"),
        # glass 2.4, concrete 13: 5 − 10·log10(0.3·10^−0.24 + 0.7·10^−1.3)
        pytest.param("low_loss", 2.0, 0.0, 11.825, id="old windows"),
        # coated glass 24.05, concrete 19: 5 − 10·log10(0.7·10^−2.405 + 0.3·10^−1.9)
        pytest.param("high_loss", 3.5, 0.0, 26.850, id="coated windows"),
        pytest.param("high_loss", 3.5, 6.0, 29.850, id="six metres inside"),
    ],
)
def test_a_wall_takes_what_the_table_says(kind: str, ghz: float, inside_m: float, loss_db: float) -> None:
    assert building_loss_db(kind, ghz, inside_m) == pytest.approx(loss_db, abs=2e-3)


def test_people_indoors_stand_a_third_of_25_m_behind_the_wall() -> None:
    ground = build_ground(small())
    lost = ground_loss_db(small(), ground, 1.85)
    # glass 2.37, concrete 12.4: 5 − 10·log10(0.3·10^−0.237 + 0.7·10^−1.24) = 11.693, and 0.5 dB/m · 25/3 m = 4.167
    assert np.unique(lost).tolist() == pytest.approx([0.0, 15.860], abs=2e-3)


@settings(deadline=None)
@given(
    model=st.sampled_from(("uma", "umi")),
    ghz=st.floats(0.5, 6),
    near=st.floats(10, 4900),
    step=st.floats(1, 100),
    user_m=st.floats(1.5, 13),
)
def test_path_loss_never_falls_with_distance(
    model: Propagation, ghz: float, near: float, step: float, user_m: float
) -> None:
    flat = np.array([near, near + step], np.float32)
    site, user = np.full(2, 25, np.float32), np.full(2, user_m, np.float32)
    seen = path_loss_los(model, ghz, flat, site, user)
    hidden = path_loss_nlos(model, ghz, flat, site, user)
    # The standard's two branches meet at the breakpoint to within its own rounding.
    assert seen[1] >= seen[0] - 0.02
    assert hidden[1] >= hidden[0] - 0.02
    assert (hidden >= seen).all()


@settings(deadline=None)
@given(model=st.sampled_from(("uma", "umi")), flat_m=st.floats(0, 5000), user_m=st.floats(1.5, 22.5))
def test_a_chance_is_a_chance(model: Propagation, flat_m: float, user_m: float) -> None:
    assert 0 <= float(los_probability(model, one(flat_m), one(user_m))[0]) <= 1
