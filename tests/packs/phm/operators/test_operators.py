"""Every operator can be reached in a DAG, carries axis and unit, and refuses what does not fit."""

import pickle
import re
import warnings
from collections.abc import Mapping
from typing import get_args

import numpy as np
import pytest

from metier.flow import Axis, DagTracker, OperatorRefused, OperatorRegistry, Value, ValueStore
from metier.json_values import JsonObject, JsonValue
from metier.language import Language
from metier.packs.phm.operators import list_operators, measure_throughput
from tests.packs.phm.operators.recipes import FAULT_HZ, FS, SHAFT_HZ, build_roots, list_recipes

# By category, as the registry of the source system lists them.
SEED_OPERATORS = (
    "patch stft mel_spectrogram wavelet_transform wigner_ville_distribution spectrogram vqt",
    "time_delay_embedding vmd emd",
    "fft normalize detrend cepstrum filter hilbert_envelope resample denoise_wavelet psd integrate differentiate",
    "power_to_db savgol_filter pca",
    "mean std var skew kurtosis max min rms abs_mean shape_factor crest_factor clearance_factor entropy band_power",
    "peak_to_peak zero_crossing_rate spectral_centroid spectral_skewness spectral_kurtosis hjorth_parameters",
    "spectral_flatness approximate_entropy permutation_entropy",
    "subtract cross_correlation distance concatenate element_wise_product coherence arithmetic phase_difference",
    "convolution dtw_distance transfer_function",
)
SEED_DECISIONS = (
    "score_similarity classify_by_top_k threshold rule_based_decision similarity_classifier anomaly_scorer find_peaks",
    "harmonic_analysis change_point_detection outlier_detection ks_test",
)


@pytest.fixture(scope="module")
def registry() -> OperatorRegistry:
    return OperatorRegistry(list_operators())


@pytest.fixture(scope="module")
def roots() -> dict[str, Value]:
    return build_roots()


def _reach(name: str, tracker: DagTracker, roots: Mapping[str, Value]) -> str:
    """Node id of an operator by its recipe, with all it needs."""
    if name in roots:
        return tracker.root(roots[name], name)
    recipe = list_recipes()[name]
    inputs = [_reach(one, tracker, roots) for one in recipe.inputs]
    return tracker.add_execution(name.partition(":")[0], recipe.params, inputs)


def _value(name: str, registry: OperatorRegistry, roots: Mapping[str, Value]) -> Value:
    tracker = DagTracker(registry)
    return tracker.value(_reach(name, tracker, roots))


def _has_chinese(text: str) -> bool:
    return any("一" <= char <= "鿿" for char in text)


def test_all_operators_of_the_source_system_and_its_drafts_are_there(registry: OperatorRegistry) -> None:
    operators, decisions = (" ".join(lines).split() for lines in (SEED_OPERATORS, SEED_DECISIONS))
    assert (len(operators), len(decisions)) == (58, 11)
    assert set(operators + decisions) - set(registry.names) == set()


def test_every_operator_says_in_both_languages_what_it_does_and_explains_its_parameters() -> None:
    poor = []
    for operator in list_operators():
        properties = operator.parameters["properties"]
        assert isinstance(properties, Mapping)
        text = operator.description
        unexplained = [
            name for name, one in properties.items() if isinstance(one, Mapping) and not one.get("description")
        ]
        if not _has_chinese(text.zh) or _has_chinese(text.en) or unexplained or len(text.en) < 7:
            poor.append((operator.op_name, unexplained))
    assert poor == []


def test_a_dag_reaches_every_operator(registry: OperatorRegistry, roots: dict[str, Value]) -> None:
    assert {name.partition(":")[0] for name in list_recipes()} == set(registry.names)
    failures = {}
    store = ValueStore()
    for name in list_recipes():
        tracker = DagTracker(registry, store=store)
        node = tracker.node(_reach(name, tracker, roots))
        if node.state != "done":
            failures[name] = node.error
        elif node.notes.get("score") is not None:
            told = [tracker.describe_result(node, language) for language in get_args(Language)]
            if any(not re.search(r"[:：].*[^\W\d].*\d", one) for one in told):
                failures[name] = f"a score without its name: {told}"
    assert failures == {}


def test_figures_in_a_list_are_told_by_name(registry: OperatorRegistry, roots: dict[str, Value]) -> None:
    unnamed = []
    for name in ("time_features", "hjorth_parameters", "concatenate"):
        tracker = DagTracker(registry)
        node = tracker.node(_reach(name, tracker, roots))
        for language, letters in (("en", "[A-Za-z]"), ("zh", "[一-鿿]")):
            told = tracker.describe_figures(node, language)  # type: ignore[arg-type]
            unnamed += [one for one in told if not re.match(rf"{letters}.* \S*\d", one)]
            unnamed += [name] if len(told) != node.shape[-1] else []
    assert unnamed == []


def test_values_carry_their_axis_and_unit(registry: OperatorRegistry, roots: dict[str, Value]) -> None:
    expected: dict[str, tuple[str, str, float]] = {
        "fft": ("frequency", "g", FS / 8192),
        "psd": ("frequency", "g2/Hz", FS / 1024),
        "fft:order": ("order", "g", 256 / 7200),
        "resample": ("time", "g", 1 / 2048),
        "integrate": ("time", "m/s", 1 / FS),
        "differentiate": ("time", "g/s", 1 / FS),
        "envelope_spectrum": ("frequency", "g2", FS / 8192),
        "cepstrum": ("quefrency", "", 1 / FS),
        "stft": ("frequency", "g", FS / 256),
        "wavelet_packet": ("time", "g", 8 / FS),
        "order_tracking": ("angle", "g", 1 / 256),
        "cross_correlation": ("lag", "", 1 / FS),
        "vqt": ("octave", "g", 1 / 12),
        "wigner_ville_distribution": ("frequency", "g2", FS / 2048),
        "var": ("none", "g2", 0),
        "velocity_rms": ("none", "mm/s", 0),
        "kurtosis": ("none", "", 0),
        "spectral_centroid": ("none", "Hz", 0),
    }
    found: dict[str, object] = {}
    for name in expected:
        value = _value(name, registry, roots)
        found[name] = (value.domain, value.unit, value.axis.step if value.axis else 0)
    wanted = {name: (domain, unit, pytest.approx(step, rel=0.01)) for name, (domain, unit, step) in expected.items()}
    assert found == wanted


def test_verdicts_and_figures_are_those_of_the_record(registry: OperatorRegistry, roots: dict[str, Value]) -> None:
    def notes(name: str) -> JsonObject:
        return _value(name, registry, roots).notes

    peaks, harmonics = notes("find_peaks")["peaks"], notes("harmonic_analysis")
    assert isinstance(peaks, list)
    assert peaks[0][0] == pytest.approx(FAULT_HZ, abs=1)
    assert (harmonics["verdict"], harmonics["present"]) == ("present", [1, 2, 3, 4, 5])
    assert float(_value("harmonic_score", registry, roots).array) > 10
    assert float(_value("line_amplitude", registry, roots).array) == pytest.approx(1.0, rel=0.15)
    assert notes("score_similarity")["verdict"] == "outer"
    assert notes("similarity_classifier")["verdict"] == "outer"
    assert (notes("threshold")["verdict"], notes("rule_based_decision")["verdict"]) == ("alarm", "yes")
    assert (notes("anomaly_scorer")["verdict"], notes("signal_quality")["verdict"]) == ("anomaly", "good")
    assert notes("ks_test")["verdict"] == "different"
    assert notes("control_chart")["first_alarm"] == pytest.approx(41, abs=3)
    assert [notes(name)["verdict"] for name in ("harmonic_test", "bearing_test")] == ["fault", "outer"]
    assert notes("speed_refinement")["shaft_hz"] == pytest.approx(SHAFT_HZ, rel=0.015)
    assert notes("unexplained_lines")["hz"] == pytest.approx(FAULT_HZ, rel=0.01)
    band = notes("kurtogram")["band_hz"]
    assert isinstance(band, list)
    assert 300 < band[0] < band[1] < 1500  # the impacts ring at 652 Hz, damped within a few periods
    velocity = float(_value("velocity_rms", registry, roots).array)
    assert notes("iso_20816")["zones"] == ["D"]
    assert velocity == pytest.approx(9806.65 / np.sqrt(2) / (2 * np.pi * SHAFT_HZ), rel=0.1)
    assert float(np.median(_value("speed_from_tacho", registry, roots).array)) == pytest.approx(SHAFT_HZ, rel=0.01)


def test_an_operator_on_a_value_of_the_wrong_kind_is_refused_with_the_reason(
    registry: OperatorRegistry, roots: dict[str, Value]
) -> None:
    tracker = DagTracker(registry)
    raw, spectrum, tacho = (_reach(name, tracker, roots) for name in ("x", "fft", "tacho"))
    refused: list[tuple[str, dict[str, JsonValue], list[str]]] = [
        ("spectral_kurtosis", {}, [raw]),
        ("spectral_centroid", {}, [raw]),
        ("spectral_flatness", {}, [raw]),
        ("band_power", {"bands": [[1, 2]]}, [raw]),
        ("kurtosis", {}, [spectrum]),
        ("rms", {}, [_reach("stft", tracker, roots)]),
        ("fft", {}, [spectrum]),
        ("envelope_spectrum", {}, [tacho]),  # a tacho is not a vibration
        ("rms", {}, [tacho]),
        ("phase_difference", {}, [spectrum, spectrum]),  # magnitudes have no phase
        ("order_tracking", {}, [raw, raw]),
        ("fm4", {}, [raw]),
        ("filter", {"filter_type": "notch", "cutoff": 5}, [raw]),
        ("filter", {"filter_type": "low"}, [raw]),
        ("patch", {"patch_size": 0, "stride": 1}, [raw]),
        ("psd", {"fs": 12_000}, [raw]),  # the rate is carried by the signal, never given or defaulted
        ("iso_20816", {}, [raw]),  # no machine class, no zone
    ]
    accepted = []
    for name, params, inputs in refused:
        try:
            tracker.add_execution(name, params, inputs)
            accepted.append(name)
        except OperatorRefused as error:
            if not error.message or not error.hint:
                accepted.append(f"{name}: no reason")
    assert accepted == []


def test_known_faults_of_the_source_system_are_not_there(registry: OperatorRegistry, roots: dict[str, Value]) -> None:
    shape, impulsiveness = _value("spectral_kurtosis", registry, roots), _value("kurtosis", registry, roots)
    assert float(shape.array) != pytest.approx(float(impulsiveness.array), rel=0.05)
    assert not any("fs" in operator.defaults() for operator in list_operators())
    assert np.abs(_value("phase_difference", registry, roots).array).max() > 1
    cube = Value(np.random.default_rng(0).normal(size=(4, 5, 6)), ("a", "b", "feature"), None, "", "features")
    tracker = DagTracker(registry)
    scores = tracker.value(tracker.add_execution("pca", {"n_components": 2}, [tracker.root(cube, "cube")]))
    assert scores.shape == (20, 2)
    assert _value("transfer_function", registry, roots).array.dtype.kind == "c"
    assert np.array_equal(_value("patch", registry, roots).array[0], roots["x"].array[:1024])
    stft = tracker.root(_value("stft", registry, roots), "stft")
    centroid = tracker.value(tracker.add_execution("spectral_centroid", {}, [stft]))
    assert (centroid.dims, centroid.shape) == (("frame",), (125,))


def test_units_and_axes_must_agree_where_values_are_combined(
    registry: OperatorRegistry, roots: dict[str, Value]
) -> None:
    tracker = DagTracker(registry)
    first = tracker.root(roots["x"], "x")
    slow = tracker.root(Value(roots["x"].array, ("time",), Axis("time", 0.5, 0.0, "s"), "g", "vibration"), "slow")
    unknown = tracker.root(Value(roots["x"].array, ("time",), roots["x"].axis, "?", "vibration"), "unknown")
    other = tracker.add_execution("scale", {"factor": 9.80665, "unit": "m/s2"}, [first])
    said = [
        str(tracker.node(tracker.add_execution(name, params, inputs)).error)
        for name, params, inputs in (
            ("subtract", {}, [first, other]),
            ("subtract", {}, [first, slow]),
            ("coherence", {}, [first, slow]),
            ("iso_20816", {"machine_class": "II"}, [unknown]),
        )
    ]
    words = ["units do not agree", "axes do not agree", "axes do not agree", "known unit"]
    assert [word for word, sentence in zip(words, said, strict=True) if word not in sentence] == []


def _spoil(value: Value, how: str) -> Value:
    array = np.array(value.array)
    if how == "nan":
        array[..., :2] = np.nan
    elif how == "constant":
        array[...] = 1.5
    else:
        array = array[..., : {"empty": 0, "short": 3}[how]]
    return Value(array, value.dims, value.axis, value.unit, value.kind, value.notes)


class _Attempt:
    """Computes recipes on spoiled roots and notes everything that is neither a finite value nor a sentence."""

    def __init__(self, registry: OperatorRegistry, roots: Mapping[str, Value]) -> None:
        self.registry = registry
        self.done: dict[str, Value | None] = dict(roots)
        self.wrong: list[str] = []

    def compute(self, name: str) -> Value | None:
        if name not in self.done:
            recipe = list_recipes()[name]
            values = [self.compute(one) for one in recipe.inputs]
            inputs = [one for one in values if one is not None]
            self.done[name] = self._run(name, inputs) if len(inputs) == len(values) else None
        return self.done[name]

    def _run(self, name: str, inputs: list[Value]) -> Value | None:
        operator = self.registry.get(name.partition(":")[0])
        try:
            value = operator.compute(inputs, {**operator.defaults(), **list_recipes()[name].params})
        except ValueError as error:
            if len(str(error)) < 15 or not _has_chinese(self.registry.translate_reason(str(error), "zh")):
                self.wrong.append(f"{name}: {error}")
            return None
        except Exception as error:  # noqa: BLE001
            self.wrong.append(f"{name}: {type(error).__name__}: {error}")
            return None
        if not np.isfinite(value.array).all():
            self.wrong.append(f"{name}: not finite")
        return value


def test_bad_data_ends_in_a_sentence_and_never_in_a_library_error(
    registry: OperatorRegistry, roots: dict[str, Value]
) -> None:
    wrong = []
    for how in ("nan", "constant", "empty", "short"):
        attempt = _Attempt(registry, {name: _spoil(value, how) for name, value in roots.items()})
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for name in list_recipes():
                attempt.compute(name)
        wrong += [f"{how}: {one}" for one in attempt.wrong]
    assert wrong == []


def test_the_benchmark_compares_the_same_figures(registry: OperatorRegistry) -> None:
    measured = measure_throughput(records=20, samples=2048, repeats=1)
    assert (measured.records, measured.samples) == (20, 2048)
    assert measured.ratio > 0


def test_operators_can_be_sent_to_another_process_and_keep_channels_and_single_precision(
    registry: OperatorRegistry, roots: dict[str, Value]
) -> None:
    unsendable = [one.op_name for one in list_operators() if pickle.loads(pickle.dumps(one.compute)) is None]
    x = roots["x"]
    both = np.stack([x.array, x.array[::-1]]).astype(np.float32)
    stereo = {**roots, "x": Value(both, ("channel", "time"), x.axis, x.unit, x.kind)}
    kept = "fft psd filter envelope_spectrum hilbert_envelope cepstrum stft time_features rms kurtosis"
    changed = {
        name: (value.dims, str(value.array.dtype))
        for name in kept.split()
        if (value := _value(name, registry, stereo)).dims[:1] != ("channel",) or value.array.dtype.itemsize != 4
    }
    assert unsendable == []
    assert changed == {}
