"""Operators whose golden values are those of a DAG node: what theory says of a sine, of noise, of impacts."""

import numpy as np
import pytest

from metier.flow import Axis, DagTracker, OperatorRegistry, Value
from metier.json_values import JsonObject
from metier.packs.phm.operators import list_operators

FS = 8000.0
TIME = np.arange(16_000) / FS
SINE = np.sin(2 * np.pi * 500 * TIME)


@pytest.fixture(scope="module")
def registry() -> OperatorRegistry:
    return OperatorRegistry(list_operators())


def make_signal(array: np.ndarray, kind: str = "vibration", unit: str = "g") -> Value:
    return Value(np.asarray(array, np.float64), ("time",), Axis("time", 1 / FS, 0.0, "s"), unit, kind, {})


def run(registry: OperatorRegistry, op_name: str, params: JsonObject, *values: Value) -> Value:
    tracker = DagTracker(registry)
    inputs = [tracker.root(one, f"input{at}") for at, one in enumerate(values)]
    return tracker.value(tracker.add_execution(op_name, params, inputs))


def test_a_prewhitened_signal_has_one_amplitude_at_every_line(registry: OperatorRegistry) -> None:
    noisy = SINE + 0.1 * np.random.default_rng(1).standard_normal(len(TIME))
    white = run(registry, "cepstrum_prewhitening", {}, make_signal(noisy))
    size = np.abs(np.fft.rfft(white.array))[1:-1]
    assert size == pytest.approx(np.full(len(size), size[0]), rel=0.05)


def test_spectral_kurtosis_is_minus_one_for_a_sine_and_zero_for_noise(registry: OperatorRegistry) -> None:
    noise = 0.01 * np.random.default_rng(2).standard_normal(len(TIME))
    curve = run(registry, "spectral_kurtosis_curve", {"window": 256}, make_signal(SINE + noise))
    assert curve.axis is not None
    at = round(500 / curve.axis.step)
    assert curve.array[at] == pytest.approx(-1, abs=0.05)
    assert np.median(curve.array[60:110]) == pytest.approx(0, abs=0.2)


def test_the_kurtogram_filter_keeps_the_band_that_impacts_ring_in(registry: OperatorRegistry) -> None:
    after = np.arange(400) / FS
    train = np.zeros(len(TIME))
    train[::500] = 1.0
    ringing = np.convolve(train, np.exp(-300 * after) * np.sin(2 * np.pi * 2500 * after))[: len(TIME)]
    kept = run(registry, "kurtogram_filter", {}, make_signal(ringing + SINE))
    power = np.abs(np.fft.rfft(kept.array)) ** 2
    hz = np.fft.rfftfreq(len(TIME), 1 / FS)
    assert hz[power.argmax()] == pytest.approx(2500, abs=600)
    assert power[np.abs(hz - 500) < 20].sum() < 0.01 * power.sum()


def test_a_gap_of_a_record_is_bridged_by_a_straight_line(registry: OperatorRegistry) -> None:
    ramp = np.linspace(0.0, 1.0, len(TIME)) + SINE * 0
    broken = ramp.copy()
    broken[100:104] = np.nan
    assert run(registry, "clean_record", {}, make_signal(broken)).array == pytest.approx(ramp, abs=1e-9)


def test_a_signal_is_referred_to_its_torque(registry: OperatorRegistry) -> None:
    torque = make_signal(np.full(len(TIME), -20.0), "torque", "N m")
    referred = run(registry, "torque_normalize", {"reference": 10}, make_signal(SINE), torque)
    assert referred.array == pytest.approx(0.5 * SINE)


def test_the_energy_of_an_order_is_half_its_squared_amplitude(registry: OperatorRegistry) -> None:
    orders = np.zeros(100)
    orders[[10, 20]] = (3.0, 4.0)
    spectrum = Value(orders, ("order",), Axis("order", 0.1, 0.0, "order"), "g", "order_spectrum", {})
    found = run(registry, "order_band_energy", {"bands": [[0.5, 1.5], [1.5, 2.5]]}, spectrum)
    assert found.array == pytest.approx([4.5, 8.0])


@pytest.mark.parametrize(("index", "expected"), [(0, 1.0), (-1, 3.0)])
def test_one_entry_is_selected(registry: OperatorRegistry, index: int, expected: float) -> None:
    rows = np.array([[1.0] * 32, [2.0] * 32, [3.0] * 32])
    table = Value(rows, ("channel", "time"), Axis("time", 1 / FS, 0.0, "s"), "g", "vibration", {})
    assert run(registry, "select", {"index": index}, table).array == pytest.approx(np.full(32, expected))


def test_nb4_is_that_of_the_envelope_and_rises_with_a_damaged_tooth(registry: OperatorRegistry) -> None:
    teeth, angle = 20, np.arange(1024) / 1024
    records = {
        damaged: Value(
            (1 + 0.1 * np.cos(2 * np.pi * angle) + damaged * 0.8 * np.exp(-0.5 * ((angle - 0.5) / 0.02) ** 2))
            * np.cos(2 * np.pi * teeth * angle),
            ("angle",),
            Axis("angle", 1 / 1024, 0.0, "rev"),
            "g",
            "average",
            {},
        )
        for damaged in (False, True)
    }
    sound = run(registry, "nb4", {"teeth": teeth}, records[False], records[False], records[False])
    worn = run(registry, "nb4", {"teeth": teeth}, records[False], records[False], records[True])
    assert float(sound.array) == pytest.approx(1.5, abs=0.05)  # kurtosis of the cosine that the envelope is
    assert float(worn.array) > 3 * float(sound.array)


@pytest.mark.parametrize(("scores", "winner"), [([0.9, 0.8, 0.7, 0.95], "outer"), ([0.9, 0.8, 0.7, 0.1], "inner")])
def test_votes_are_counted_by_label_and_not_by_the_place_of_a_reference(
    registry: OperatorRegistry, scores: list[float], winner: str
) -> None:
    notes: JsonObject = {"labels": ["outer", "inner", "inner", "outer"]}
    labelled = Value(np.array(scores), ("reference",), None, "", "decision", notes)
    assert run(registry, "classify_by_top_k", {"k": 3}, labelled).notes["verdict"] == winner


@pytest.mark.parametrize(
    ("unit", "derived"), [("mm/s", "mm/s2"), ("m/s", "m/s2"), ("mm", "mm/s"), ("?", "?"), ("A", "A/s")]
)
def test_a_derivative_has_the_unit_that_severity_knows(registry: OperatorRegistry, unit: str, derived: str) -> None:
    assert run(registry, "differentiate", {}, make_signal(SINE, "velocity", unit)).unit == derived


def test_the_severity_of_a_differentiated_velocity_is_that_of_the_velocity(registry: OperatorRegistry) -> None:
    velocity = make_signal(SINE, "velocity", "mm/s")
    acceleration = run(registry, "differentiate", {}, velocity)
    assert acceleration.kind == "vibration"
    told = [float(run(registry, "velocity_rms", {}, one).array) for one in (velocity, acceleration)]
    assert told[1] == pytest.approx(told[0], rel=0.03)  # central differences
