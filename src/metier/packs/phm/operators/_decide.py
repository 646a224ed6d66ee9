"""Decision operators on spectra, series and feature tables."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from metier.flow import Operator, Value
from metier.json_values import JsonObject, JsonValue
from metier.packs.phm.operators._build import (
    SERIES,
    SIGNALS,
    SPECTRA,
    Params,
    as_number,
    as_text,
    as_texts,
    as_whole,
    axis_of,
    choice,
    make_decision,
    number,
    one_channel,
    optional,
    params_of,
    port,
    positive,
    say,
    whole,
)
from metier.packs.phm.signals import _comparisons as comparisons
from metier.packs.phm.signals import _decisions as decisions
from metier.packs.phm.signals._checks import FloatArray

_DECISION = port("decision", ("decision",), ("none",))
_VECTOR = (*SERIES, *SPECTRA, *SIGNALS, "envelope", "average")
_LABELS: Mapping[str, JsonValue] = {
    "type": "array",
    "items": {"type": "string", "minLength": 1, "maxLength": 80},
    "minItems": 1,
    "maxItems": 500,
    "description": "label of each reference, in their order",
}


def list_decisions() -> Iterator[Operator]:
    """Operators that end in a verdict."""
    yield from _similarity()
    yield from _limits()
    yield from _lines()
    yield from _tables()


def _similarity() -> Iterator[Operator]:
    metric = choice("how they are compared", comparisons.METRICS, "cosine")
    references = port("references", _VECTOR, many=True)
    yield Operator(
        "score_similarity",
        "decision",
        say(
            "被测数据与各参考的相似度，最相似者为结论",
            "Similarity of a test to each reference; the verdict is the most similar one",
        ),
        params_of(metric=metric, labels=_LABELS),
        (port("test", _VECTOR), references),
        _DECISION,
        _decide_similarity,
    )
    yield Operator(
        "similarity_classifier",
        "decision",
        say(
            "最近参考分类；不够相似则为未知",
            "Label of the most similar reference, or unknown if none is similar enough",
        ),
        params_of(
            metric=metric,
            labels=_LABELS,
            min_similarity=number("below this: unknown", 0.8, low=-1, high=1),
            margin=number("lead over another label", 0.02, low=0, high=2),
        ),
        (port("test", _VECTOR), references),
        _DECISION,
        _decide_class,
    )
    yield Operator(
        "classify_by_top_k",
        "decision",
        say("由相似度取前 k 个投票", "Vote among the k best scores of a similarity decision"),
        params_of(k=whole("how many vote", 1, low=1, high=100)),
        (port("scores", ("decision",)),),
        _DECISION,
        _decide_top,
    )
    yield Operator(
        "ks_test",
        "decision",
        say("两样本 KS 检验：分布是否相同", "Two-sample Kolmogorov-Smirnov test: same distribution or not"),
        params_of(alpha=number("level of significance", 0.01, low=1e-9, high=0.5)),
        (port("first", (*_VECTOR,)), port("second", (*_VECTOR,))),
        _DECISION,
        _decide_distribution,
    )


def _compare(values: Sequence[Value], params: Params) -> tuple[FloatArray, list[str]]:
    test, *references = values
    labels = as_texts(params["labels"])
    if len(labels) != len(references):
        raise ValueError(f"there are {len(references)} references but {len(labels)} labels")
    flat = np.ravel(test.array)
    scores = [
        float(comparisons.compute_similarity(flat, np.ravel(one.array), metric=as_text(params, "metric")))
        for one in references
    ]
    return np.array(scores), labels


def _decide_similarity(values: Sequence[Value], params: Params) -> Value:
    scores, labels = _compare(values, params)
    best = int(scores.argmax())
    return make_decision(scores, ("reference",), labels[best], float(scores[best]), {"labels": labels})


def _decide_class(values: Sequence[Value], params: Params) -> Value:
    scores, labels = _compare(values, params)
    best = int(scores.argmax())
    others = [float(score) for score, label in zip(scores, labels, strict=True) if label != labels[best]]
    lead = float(scores[best]) - max(others) if others else float("inf")
    sure = scores[best] >= as_number(params, "min_similarity") and lead >= as_number(params, "margin")
    facts: dict[str, JsonValue] = {"labels": labels, "nearest": labels[best], "lead": lead if others else None}
    return make_decision(scores, ("reference",), labels[best] if sure else "unknown", float(scores[best]), facts)


def _decide_top(values: Sequence[Value], params: Params) -> Value:
    source = values[0]
    labels = as_texts(source.notes.get("labels", []))
    scores = np.ravel(source.array)
    if len(labels) != scores.size:
        raise ValueError("the decision has no labelled scores; use score_similarity first")
    top = np.argsort(-scores, kind="stable")[: as_whole(params, "k")]
    votes: dict[str, float] = {}
    for place in top:
        votes[labels[place]] = votes.get(labels[place], 0.0) + 1.0
    winner = max(votes, key=lambda label: votes[label])
    return make_decision(scores, ("reference",), winner, votes[winner] / len(top), {"votes": votes, "labels": labels})


def _decide_distribution(values: Sequence[Value], params: Params) -> Value:
    result = decisions.compare_distributions(values[0].array, values[1].array)
    verdict = "different" if result.p_value < as_number(params, "alpha") else "same"
    return make_decision(result.statistic, (), verdict, result.statistic, {"p_value": result.p_value})


def _limits() -> Iterator[Operator]:
    rule: JsonObject = {
        "type": "array",
        "prefixItems": [
            {"type": "string"},
            {"type": "string", "enum": ["<", "<=", ">", ">=", "==", "!="]},
            {"type": "number"},
        ],
        "minItems": 3,
        "maxItems": 3,
    }
    yield Operator(
        "threshold",
        "decision",
        say("与门限比较", "Compares figures with a limit"),
        params_of(threshold=number("the limit"), direction=choice("what raises an alarm", ("above", "below"), "above")),
        (port("figures", SERIES),),
        _DECISION,
        _decide_threshold,
    )
    yield Operator(
        "rule_based_decision",
        "decision",
        say(
            "按规则判定：如 kurtosis > 4 且 crest_factor > 5",
            "Rules on named features, such as kurtosis > 4 and crest_factor > 5",
        ),
        params_of(
            rules={
                "type": "array",
                "items": rule,
                "minItems": 1,
                "maxItems": 50,
                "description": "[[name, comparison, limit], ...]",
            },
            logical_op=choice("all or any", ("AND", "OR"), "AND"),
        ),
        (port("features", ("features",), many=True),),
        _DECISION,
        _decide_rules,
    )


def _decide_threshold(values: Sequence[Value], params: Params) -> Value:
    array = values[0].array
    if not np.isfinite(array).all():
        raise ValueError("the figures hold values that are NaN or infinite")
    limit = as_number(params, "threshold")
    over = array > limit if as_text(params, "direction") == "above" else array < limit
    worst = float(array.max() if as_text(params, "direction") == "above" else array.min())
    facts: dict[str, JsonValue] = {
        "threshold": limit,
        "exceeded": int(np.count_nonzero(over)),
        "of": int(array.size),
        "unit": values[0].unit,
    }
    return make_decision(over.astype(np.float64), values[0].dims, "alarm" if over.any() else "ok", worst, facts)


def _name_features(values: Sequence[Value]) -> dict[str, float]:
    named: dict[str, float] = {}
    for value in values:
        names = as_texts(value.notes.get("names", []))
        flat = np.ravel(value.array)
        if len(names) != flat.size:
            raise ValueError(
                f"rules need one record of named features, not {flat.size} values with {len(names)} names (select)"
            )
        named.update(zip(names, map(float, flat), strict=True))
    return named


def _decide_rules(values: Sequence[Value], params: Params) -> Value:
    listed = params["rules"]
    rows = [one for one in listed if isinstance(one, Sequence)] if isinstance(listed, Sequence) else []
    rules = [(str(one[0]), str(one[1]), float(str(one[2]))) for one in rows]
    named = _name_features(values)
    holds, each = decisions.check_rules(named, rules, logical_op=as_text(params, "logical_op"))
    asked = {name: named[name] for name, _, _ in rules}
    share = sum(each) / len(each)
    return make_decision(
        np.array(each, dtype=np.float64), ("rule",), "yes" if holds else "no", share, {"values": asked}
    )


def _lines() -> Iterator[Operator]:
    lines = port("spectrum", (*SPECTRA, "cepstrum", "correlation", "envelope", "kurtosis_curve", *SIGNALS))
    yield Operator(
        "find_peaks",
        "decision",
        say("最突出的峰及其位置", "Most prominent peaks and where they lie"),
        params_of(
            max_peaks=whole("how many", 10, low=1, high=200),
            prominence=optional(positive("least prominence; left out: five robust deviations")),
        ),
        (lines,),
        _DECISION,
        _decide_peaks,
    )
    yield Operator(
        "harmonic_analysis",
        "decision",
        say(
            "某基频的各次谐波：位置、幅值、信噪比、总谐波畸变",
            "Harmonics of a fundamental: place, amplitude, signal to noise, total distortion",
        ),
        params_of(
            fundamental_hz=positive("fundamental, Hz or order"),
            count=whole("harmonics", 5, low=1, high=50),
            tolerance=number("relative half width of the search", 0.01, low=0, high=0.2),
            min_snr=positive("line over local median that counts as present", 5.0),
        ),
        (port("spectrum", ("spectrum", "order_spectrum", "envelope_spectrum"), ("frequency", "order")),),
        _DECISION,
        _decide_harmonics,
    )


def _decide_peaks(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    prominence = params.get("prominence")
    found = decisions.list_peaks(
        one_channel(source),
        step=axis.step,
        start=axis.start,
        prominence=float(prominence) if isinstance(prominence, int | float) else None,
        max_peaks=as_whole(params, "max_peaks"),
    )
    facts: dict[str, JsonValue] = {"peaks": [list(one) for one in found], "unit": axis.unit}
    heights = np.array([height for _, height in found])
    return make_decision(heights, ("peak",), f"{len(found)} peaks", found[0][1] if found else None, facts)


def _decide_harmonics(values: Sequence[Value], params: Params) -> Value:
    source, axis = values[0], axis_of(values[0])
    if axis.start:
        raise ValueError("harmonics are looked for in a spectrum that begins at zero")
    found = decisions.list_harmonics(
        one_channel(source),
        as_number(params, "fundamental_hz"),
        step=axis.step,
        count=as_whole(params, "count"),
        tolerance=as_number(params, "tolerance"),
    )
    if not found:
        raise ValueError("no harmonic lies within the spectrum")
    limit = as_number(params, "min_snr")
    present = [one.number for one in found if one.snr >= limit]
    first = found[0].amplitude
    over = float(np.sqrt(sum(one.amplitude * one.amplitude for one in found[1:])))
    facts: dict[str, JsonValue] = {
        "harmonics": [
            {
                "number": one.number,
                "expected": one.expected,
                "found": one.found,
                "amplitude": one.amplitude,
                "snr": one.snr,
            }
            for one in found
        ],
        "present": present,
        "distortion": over / first if first > 0 else None,
    }
    scores = np.array([one.snr for one in found])
    mean = float(np.exp(np.log(np.maximum(scores, 1e-12)).mean()))
    return make_decision(scores, ("harmonic",), "present" if 1 in present else "absent", mean, facts)


def _tables() -> Iterator[Operator]:
    yield Operator(
        "anomaly_scorer",
        "decision",
        say("与健康基线的距离（马氏或欧氏）", "Distance of records from a healthy baseline (Mahalanobis or Euclidean)"),
        params_of(
            metric=choice("distance", ("mahalanobis", "euclidean"), "mahalanobis"),
            quantile=number("share of the baseline within the limit", 0.99, low=0.5, high=1),
            margin=positive("factor on the limit", 1.5),
        ),
        (port("records", ("features",)), port("baseline", ("features",))),
        _DECISION,
        _decide_anomaly,
    )
    yield Operator(
        "outlier_detection",
        "decision",
        say("孤立森林离群检测", "Outliers of a feature table by an isolation forest"),
        params_of(contamination=number("share of outliers expected", 0.1, low=0.001, high=0.5)),
        (port("records", ("features",)),),
        _DECISION,
        _decide_outliers,
    )
    yield Operator(
        "change_point_detection",
        "decision",
        say("序列变点检测（PELT）", "Change points of a series (PELT)"),
        params_of(
            model=choice("cost", ("l2", "l1", "rbf"), "l2"),
            penalty=positive("cost of a change in ln N noise variances", 3.0),
            min_size=whole("least length of a regime", 5, low=2, high=10_000),
        ),
        (port("series", (*SERIES, "envelope")),),
        _DECISION,
        _decide_changes,
    )


def _decide_anomaly(values: Sequence[Value], params: Params) -> Value:
    records, baseline = values
    quantile = as_number(params, "quantile")
    scored = decisions.compute_anomaly_scores(
        records.array, baseline.array, metric=as_text(params, "metric"), quantile=quantile
    )
    limit = scored.limit * as_number(params, "margin")
    over = np.flatnonzero(scored.scores > limit)
    facts: dict[str, JsonValue] = {"limit": limit, "anomalous": over[:200].tolist(), "of": int(scored.scores.size)}
    worst = float(scored.scores.max())
    return make_decision(scored.scores, ("record",), "anomaly" if over.size else "normal", worst, facts)


def _decide_outliers(values: Sequence[Value], params: Params) -> Value:
    is_outlier, scores = decisions.find_outliers(values[0].array, contamination=as_number(params, "contamination"))
    listed = np.flatnonzero(is_outlier)
    facts: dict[str, JsonValue] = {"outliers": listed[:200].tolist(), "of": int(scores.size)}
    return make_decision(scores, ("record",), f"{listed.size} outliers", float(scores.max()), facts)


def _decide_changes(values: Sequence[Value], params: Params) -> Value:
    source = values[0]
    places = decisions.find_change_points(
        one_channel(source),
        model=as_text(params, "model"),
        penalty=as_number(params, "penalty"),
        min_size=as_whole(params, "min_size"),
    )
    facts: dict[str, JsonValue] = {"change_points": list(places)}
    if source.axis is not None:
        facts["at"] = [source.axis.start + place * source.axis.step for place in places]
    return make_decision(
        np.array(places, dtype=np.float64), ("change",), "change" if places else "steady", float(len(places)), facts
    )
