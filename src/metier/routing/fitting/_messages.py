"""Fits the heads to one installation: its skills and a file of labelled messages."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from metier.errors import InvalidInput, PathNotFound
from metier.routing._router import Router
from metier.routing._trigger_evals import load_queries
from metier.routing.fitting._heads import NO_OFFSET, LabelledScore, fit_heads
from metier.routing.ranking import Heads, load_shipped_heads, to_probability
from metier.skills import Catalog

MIN_MESSAGES: Final = 30
_FOLDS: Final = 5
_BINS: Final = 10
# Ridge towards the heads that the fit starts from. With 36 messages 10 made the calibration error worse and 30 better.
_TRUSTS: Final = (10.0, 30.0, 100.0, 300.0)
_LEAST_CHANCE: Final = 1e-4


@dataclass(frozen=True, slots=True)
class LabelledMessage:
    """Message and the skill it means; None if out of scope."""

    message: str
    skill: str | None


class FitConfusion(NamedTuple):
    """Messages of one skill for which another is first."""

    skill: str
    other: str
    messages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FitReport:
    """Result of a fit: number of messages, accuracy of the first skill, calibration error and log loss of both heads.

    Those before are of the heads the fit starts from, those after of five-fold cross-validation. `skipped` are messages
    that could not be used, `confusions` those for which another skill is first, the most frequent pair first.
    """

    messages: int
    right: float
    error_before: float
    error_after: float
    loss_before: float
    loss_after: float
    skipped: tuple[str, ...] = ()
    confusions: tuple[FitConfusion, ...] = ()

    @property
    def is_better(self) -> bool:
        """Whether messages that were not fitted are told better by the fit, in calibration error and in log loss.

        The error alone is noise of several points with fifty messages, and the loss alone hides one that grew.
        """
        return self.error_after < self.error_before and self.loss_after < self.loss_before

    def to_json(self) -> dict[str, object]:
        """Report as the CLI prints it."""
        return {
            "messages": self.messages,
            "right": round(self.right, 4),
            "error_before": round(self.error_before, 4),
            "error_after": round(self.error_after, 4),
            "loss_before": round(self.loss_before, 4),
            "loss_after": round(self.loss_after, 4),
            "is_better": self.is_better,
            "skipped": list(self.skipped),
            "confusions": [
                {"skill": one.skill, "goes_to": one.other, "messages": list(one.messages)} for one in self.confusions
            ],
        }


def read_labelled(file: Path) -> tuple[LabelledMessage, ...]:
    """Read labelled messages from JSON lines: `{"message": …, "skill": … or null}`."""
    if not file.is_file():
        raise PathNotFound(f"no file {str(file)!r}", hint='one JSON object a line: {"message": "…", "skill": "id"}')
    try:
        text = file.read_text("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{str(file)!r} is not UTF-8 text", hint="save it as UTF-8") from error
    # Not splitlines, which also splits at line separators inside a message.
    lines = enumerate(text.split("\n"), 1)
    return tuple(_parse_line(line, f"{file.name}, line {number}") for number, line in lines if line.strip())


def _parse_line(line: str, where: str) -> LabelledMessage:
    hint = 'a line is {"message": "…", "skill": "id"}; the skill is null when none is meant'
    try:
        row = json.loads(line)
    except ValueError as error:
        raise InvalidInput(f"{where} is not JSON: {error}", hint=hint) from error
    message, skill = (row.get("message"), row.get("skill")) if isinstance(row, dict) else (None, None)
    if not isinstance(message, str) or not (skill is None or isinstance(skill, str)):
        raise InvalidInput(f"{where} has no message, or a skill that is no name", hint=hint)
    return LabelledMessage(message, skill or None)


def fit_messages(
    router: Router, catalog: Catalog, messages: Sequence[LabelledMessage], *, start: Mapping[str, Heads] | None = None
) -> tuple[Mapping[str, Heads], FitReport]:
    """Fit heads to labelled messages, starting from the shipped ones or `start`; only modes in use are returned.

    The router's own heads are not the start: fitted to the same messages twice, they would move twice as far.
    """
    start = start or load_shipped_heads()
    by_mode: dict[str, list[LabelledScore]] = {}
    skipped: list[str] = []
    confused: dict[tuple[str, str], list[str]] = {}
    for one in messages:
        weighed = router.score_message(one.message, catalog=catalog)
        if weighed is None or (one.skill is not None and one.skill not in catalog):
            skipped.append(one.message)
            continue
        if one.skill is not None and weighed.first != one.skill:
            confused.setdefault((one.skill, weighed.first), []).append(one.message)
        among = one.skill in weighed.order[:3]
        shift = start[weighed.mode].get_shift(weighed.index, weighed.languages)
        offset = NO_OFFSET.shift(weighed.offset) + shift
        judged = LabelledScore(weighed.signals, one.skill is not None, weighed.first == one.skill, among, offset)
        by_mode.setdefault(weighed.mode, []).append(judged)
    used = sum(map(len, by_mode.values()))
    if used < MIN_MESSAGES:
        raise InvalidInput(
            f"{used} messages can be used, {MIN_MESSAGES} are needed",
            hint="label more messages, some of them with skill null; every skill must be installed",
        )
    trust, report = _choose_trust(start, by_mode, skipped)
    heads = {mode: fit_heads(judged, prior=start[mode], trust=trust) for mode, judged in by_mode.items()}
    pairs = sorted(confused.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    return heads, replace(report, confusions=tuple(FitConfusion(*pair, tuple(said)) for pair, said in pairs))


def read_evals(catalog: Catalog) -> tuple[LabelledMessage, ...]:
    """Labelled messages of the skills' own evals: queries that should trigger a skill. Others say what it is not."""
    return tuple(
        LabelledMessage(one.query, skill.id) for skill in catalog for one in load_queries(skill) if one.should_trigger
    )


def _choose_trust(
    start: Mapping[str, Heads], by_mode: Mapping[str, list[LabelledScore]], skipped: Sequence[str]
) -> tuple[float, FitReport]:
    """How much the fit is to stay near the heads it starts from: as little as messages left out allow.

    The last and most cautious one if none is better than no fit.
    """
    for trust in _TRUSTS[:-1]:
        if (report := _build_report(start, by_mode, skipped, trust)).is_better:
            return trust, report
    return _TRUSTS[-1], _build_report(start, by_mode, skipped, _TRUSTS[-1])


def _build_report(
    start: Mapping[str, Heads], by_mode: Mapping[str, list[LabelledScore]], skipped: Sequence[str], trust: float
) -> FitReport:
    before, after, right, meant = [], [], [], []
    for mode, judged in by_mode.items():
        for fold in range(_FOLDS):
            held = judged[fold::_FOLDS]
            others = [one for at, one in enumerate(judged) if at % _FOLDS != fold]
            refitted = fit_heads(others, prior=start[mode], trust=trust) if others else start[mode]
            before += [_predict_right(start[mode], one) for one in held]
            after += [_predict_right(refitted, one) for one in held]
            right += [one.right for one in held]
            meant += [one.meant for one in held]
    share = sum(right) / max(sum(meant), 1)
    return FitReport(
        len(right),
        share,
        _compute_calibration_error(before, right),
        _compute_calibration_error(after, right),
        _compute_log_loss(before, right),
        _compute_log_loss(after, right),
        tuple(skipped),
    )


def _predict_right(heads: Heads, one: LabelledScore) -> float:
    return to_probability((heads(one.signals) + one.offset).right)


def _compute_calibration_error(sure: Sequence[float], right: Sequence[bool]) -> float:
    """Expected calibration error over ten equal bins."""
    chances, truth = np.array(sure), np.array(right, dtype=np.float64)
    bins = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    gaps = [abs(chances[bins == at].mean() - truth[bins == at].mean()) * (bins == at).mean() for at in np.unique(bins)]
    return float(np.sum(gaps))


def _compute_log_loss(sure: Sequence[float], right: Sequence[bool]) -> float:
    chances = np.clip(np.where(right, sure, 1 - np.array(sure)), _LEAST_CHANCE, 1)
    return float(-np.log(chances).mean())
