"""Operators that look for bearing faults: pre-whitening, kurtogram, harmonic tests, speed, unexplained lines."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from metier.errors import InvalidInput
from metier.flow import Operator, Value
from metier.json_values import JsonObject, JsonValue
from metier.packs.phm.bearings import RollingBearing, read_bearing
from metier.packs.phm.operators._build import (
    SIGNALS,
    TIME_SIGNAL,
    Params,
    as_number,
    as_text,
    as_whole,
    axis_of,
    make_decision,
    make_like,
    number,
    one_channel,
    optional,
    params_of,
    port,
    positive,
    say,
    whole,
)
from metier.packs.phm.signals._batches import compute_band_passed
from metier.packs.phm.signals._checks import LONG_RECORD, check_signal, check_spectrum, check_varies
from metier.packs.phm.signals._envelope import SpectralBand, Spectrum, find_kurtogram_band
from metier.packs.phm.signals._harmonics import (
    MAINS_HZ,
    MASKED_ORDERS,
    HarmonicScore,
    Mask,
    is_shaft_multiple,
    mask_multiples,
    score_harmonics,
    score_side_bands,
)
from metier.packs.phm.signals._speed import estimate_speed, find_speed_doubt, is_synchronous
from metier.packs.phm.signals._whitening import prewhiten_cepstrum

_DECISION = port("decision", ("decision",), ("none",))
_ENVELOPE = port("spectrum", ("envelope_spectrum",), ("frequency",))
_SIGNAL_OUT = port("signal", SIGNALS, ("time",))
_SHAFT = positive("shaft speed, revolutions per second")
_BEARING: JsonObject = {"type": "string", "minLength": 1, "maxLength": 80}
_MIN_KURTOGRAM_SAMPLES = 256
# Healthy records reach 1.02 on the full band (see the thresholds of the diagnosis).
_MIN_SCORE = 1.1


def list_faults() -> Iterator[Operator]:
    """Operators of bearing diagnosis."""
    yield from _preparations()
    yield from _tests()
    yield from _searches()


def _preparations() -> Iterator[Operator]:
    yield Operator(
        "cepstrum_prewhitening",
        "transform",
        say(
            "倒谱预白化：所有谱线同幅，突出弱冲击",
            "Cepstrum pre-whitening: one amplitude for all lines",
        ),
        params_of(),
        (TIME_SIGNAL,),
        _SIGNAL_OUT,
        _compute_whitened,
    )
    yield Operator(
        "kurtogram",
        "decision",
        say("谱峭图：谱峭度最高的频带", "Kurtogram: the band of highest spectral kurtosis"),
        params_of(),
        (TIME_SIGNAL,),
        _DECISION,
        _decide_band,
    )
    yield Operator(
        "kurtogram_filter",
        "transform",
        say("按谱峭图选带并带通滤波", "Cuts the signal to the band of highest spectral kurtosis"),
        params_of(),
        (TIME_SIGNAL,),
        _SIGNAL_OUT,
        _compute_banded,
    )


def _compute_whitened(values: Sequence[Value], _: Params) -> Value:
    array = check_varies(check_signal(values[0].array, min_length=16))
    white = np.empty(array.shape, dtype=np.float32 if array.shape[-1] > LONG_RECORD else array.dtype)
    for row, out in zip(array.reshape(-1, array.shape[-1]), white.reshape(-1, array.shape[-1]), strict=True):
        for start in range(0, row.size, LONG_RECORD):
            stop = start + LONG_RECORD
            out[start:stop] = prewhiten_cepstrum(row[start:stop].astype(np.float64))
    return make_like(values[0], white, unit="")


def _find_band(source: Value) -> SpectralBand:
    record = check_varies(check_signal(one_channel(source), min_length=_MIN_KURTOGRAM_SAMPLES))
    return find_kurtogram_band(record[:LONG_RECORD].astype(np.float64), axis_of(source).rate)


def _decide_band(values: Sequence[Value], _: Params) -> Value:
    found = _find_band(values[0])
    facts: dict[str, JsonValue] = {"band_hz": [found.low_hz, found.high_hz], "kurtosis": found.kurtosis}
    verdict = f"{found.low_hz:.0f}-{found.high_hz:.0f} Hz"
    return make_decision(np.array([found.low_hz, found.high_hz]), ("edge",), verdict, found.kurtosis, facts)


def _compute_banded(values: Sequence[Value], _: Params) -> Value:
    source = values[0]
    found = _find_band(source)
    array = compute_band_passed(source.array, fs=axis_of(source).rate, band=(found.low_hz, found.high_hz))
    result = make_like(source, array)
    notes = {**result.notes, "band_hz": [found.low_hz, found.high_hz], "kurtosis": found.kurtosis}
    return Value(result.array, result.dims, result.axis, result.unit, result.kind, notes)


def _tests() -> Iterator[Operator]:
    searching: Mapping[str, JsonObject] = {
        "count": whole("harmonics", 3, low=1, high=10),
        "tolerance": number("relative half width of the search (slip)", 0.01, low=0, high=0.1),
        "min_score": number("score below which nothing is found", _MIN_SCORE, low=0, high=20),
    }
    frequencies: JsonObject = {
        "type": "object",
        "additionalProperties": {"type": "number", "exclusiveMinimum": 0},
        "minProperties": 1,
        "maxProperties": 20,
        "description": "frequency of each fault by its name, Hz",
    }
    yield Operator(
        "harmonic_test",
        "decision",
        say(
            "谐波检验：各故障频率的谐波超出噪声多少，可带边带",
            "Harmonic test: how far the harmonics of each frequency, and their side bands, stand above noise",
        ),
        params_of(
            frequencies_hz=frequencies,
            shaft_hz=optional(positive("shaft speed whose multiples are left out, Hz")),
            side_band_hz=optional(positive("distance of side bands, Hz")),
            **searching,
        ),
        (_ENVELOPE,),
        _DECISION,
        _decide_harmonics,
    )
    yield Operator(
        "bearing_test",
        "decision",
        say(
            "轴承检验：由型号与转速求四种故障频率并检验",
            "Bearing test: the four faults of a bearing at a speed, with side bands of shaft or cage",
        ),
        params_of(
            bearing={**_BEARING, "description": "name, or balls,ball_d,pitch_d,contact_deg"},
            shaft_hz=_SHAFT,
            **searching,
        ),
        (_ENVELOPE,),
        _DECISION,
        _decide_bearing,
        version="2",
    )


def _read_spectrum(source: Value) -> Spectrum:
    axis = axis_of(source)
    if axis.start:
        raise ValueError("harmonics are looked for in a spectrum that begins at zero")
    return Spectrum(check_spectrum(one_channel(source), min_length=64).astype(np.float64), axis.step)


def _mask(spectrum: Spectrum, masked_hz: Sequence[float]) -> Mask:
    """Bins free of the multiples of these frequencies, the first of which is the shaft's."""
    if not masked_hz:
        return np.ones(spectrum.amplitude.size, dtype=np.bool_)
    return mask_multiples(spectrum, masked_hz, highest_hz=MASKED_ORDERS * masked_hz[0])


def _decide_harmonics(values: Sequence[Value], params: Params) -> Value:
    listed, shaft, side = params["frequencies_hz"], params.get("shaft_hz"), params.get("side_band_hz")
    named = {name: float(str(hz)) for name, hz in listed.items()} if isinstance(listed, Mapping) else {}
    spacing = float(side) if isinstance(side, int | float) else None
    masked = (float(shaft),) if isinstance(shaft, int | float) else ()
    return _judge(values[0], named, dict.fromkeys(named, spacing), masked, params)


def _read_bearing(text: str) -> RollingBearing:
    try:
        return read_bearing(text)
    except InvalidInput as error:
        raise ValueError(f"{error.message} ({error.hint})") from error


def _decide_bearing(values: Sequence[Value], params: Params) -> Value:
    """Shaft and mains lines are left out, and faults so near a multiple of the shaft that slip hides the difference."""
    shaft_hz = as_number(params, "shaft_hz")
    bearing = _read_bearing(as_text(params, "bearing"))
    named: dict[str, float] = {
        fault: order * shaft_hz for fault, order in bearing.orders.items() if not is_shaft_multiple(order)
    }
    spacings: dict[str, float | None] = {"inner": shaft_hz, "ball": bearing.ftf * shaft_hz, "outer": None, "cage": None}
    return _judge(values[0], named, spacings, (shaft_hz, *MAINS_HZ), params)


def _judge(
    source: Value,
    named: Mapping[str, float],
    spacings: Mapping[str, float | None],
    masked_hz: Sequence[float],
    params: Params,
) -> Value:
    spectrum = _read_spectrum(source)
    keep = _mask(spectrum, masked_hz)
    tolerance, count = as_number(params, "tolerance"), as_whole(params, "count")
    tried = {name: score_harmonics(spectrum, hz, keep, tolerance=tolerance, count=count) for name, hz in named.items()}
    scores = {name: score for name, score in tried.items() if score is not None}
    if not scores:
        raise ValueError("none of the frequencies can be tested: the spectrum does not resolve them")
    ranking = sorted(scores, key=lambda name: -scores[name].score)
    best = scores[ranking[0]].score
    facts: dict[str, JsonValue] = {
        "scores": {name: round(scores[name].score, 4) for name in ranking},
        "lead": best - scores[ranking[1]].score if len(ranking) > 1 else None,
        "not_testable": [name for name, score in tried.items() if score is None],
        "evidence": [_describe(name, scores[name], spectrum, spacings.get(name), keep) for name in ranking],
    }
    verdict = ranking[0] if best >= as_number(params, "min_score") else "none"
    return make_decision(np.array([scores[name].score for name in ranking]), ("frequency",), verdict, best, facts)


def _describe(name: str, score: HarmonicScore, spectrum: Spectrum, spacing: float | None, keep: Mask) -> JsonObject:
    sides = score_side_bands(spectrum, score.lines, spacing, keep) if spacing else ()
    return {
        "name": name,
        "expected_hz": score.lines[0].expected_hz,
        "score": score.score,
        "found_hz": score.fundamental_hz,
        "lines": [
            {"expected_hz": one.expected_hz, "found_hz": one.found_hz, "excess": one.excess} for one in score.lines
        ],
        "side_bands": len(sides),
    }


def _searches() -> Iterator[Operator]:
    yield Operator(
        "speed_refinement",
        "decision",
        say(
            "转速校正：由轴频梳状谱线搜索真实转速",
            "Searches the true speed by the comb of shaft lines",
        ),
        params_of(shaft_hz=_SHAFT, span=number("relative range of the search", 0.06, low=0.001, high=0.2)),
        (port("spectra", ("spectrum", "envelope_spectrum"), ("frequency",), many=True),),
        _DECISION,
        _decide_speed,
        version="4",
    )
    yield Operator(
        "unexplained_lines",
        "decision",
        say(
            "无法由轴、电源或该轴承解释的强谱线族",
            "Strongest lines that neither shaft, mains nor bearing explain",
        ),
        params_of(
            shaft_hz=_SHAFT,
            bearing=optional({**_BEARING, "description": "name or geometry"}),
            min_score=number("score below which nothing is found", 2.4, low=0, high=20),
        ),
        (_ENVELOPE,),
        _DECISION,
        _decide_unexplained,
        version="3",
    )


def _decide_speed(values: Sequence[Value], params: Params) -> Value:
    from metier.packs.phm.diagnosis._thresholds import read_thresholds

    given = as_number(params, "shaft_hz")
    spectra = [_read_spectrum(one) for one in values]
    found = estimate_speed(spectra, given, span=as_number(params, "span"))
    change = found.shaft_hz / given - 1
    facts: dict[str, JsonValue] = {
        "shaft_hz": found.shaft_hz,
        "rpm": 60 * found.shaft_hz,
        "change": change,
        "resolution_hz": found.resolution_hz,
        "strength": found.strength,
        "gain": found.gain,
        "least": read_thresholds().speed_strength,
        "doubt": find_speed_doubt(spectra, found.shaft_hz),
        "synchronous": is_synchronous(spectra, found.shaft_hz),
    }
    verdict = "as given" if abs(change) < 0.004 or found.gain <= 0 else "differs"
    return make_decision(found.shaft_hz, (), verdict, found.strength, facts)


def _decide_unexplained(values: Sequence[Value], params: Params) -> Value:
    from metier.packs.phm.diagnosis._branches import score_branch
    from metier.packs.phm.diagnosis._unexplained import find_unexplained_lines

    name = params.get("bearing")
    bearing = _read_bearing(name) if isinstance(name, str) else None
    spectrum, shaft_hz = _read_spectrum(values[0]), as_number(params, "shaft_hz")
    branch = None if bearing is None else score_branch("full_band", spectrum, shaft_hz, bearing)
    least, facts = as_number(params, "min_score"), dict[str, JsonValue]()
    lines = find_unexplained_lines(spectrum, shaft_hz, bearing, branch)
    plain = next((one for one in lines if not one.is_beat), None)
    beat = next((one for one in lines if one.is_beat), None)
    if beat is not None and beat.score >= least:
        facts = {"beat_hz": beat.hz, "beat_order": beat.order, "beat_score": beat.score}
    if plain is None or plain.score < least:
        return make_decision(np.array([]), ("line",), "none", plain.score if plain else None, facts)
    facts |= {"hz": plain.hz, "order": plain.order}
    return make_decision(np.array([plain.hz]), ("line",), "unexplained line", plain.score, facts)
