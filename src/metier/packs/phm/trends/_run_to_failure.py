"""Remaining life learnt from machines that ran to failure: tables of unit, cycle, settings and sensors."""

import gzip
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from metier.errors import InvalidInput

if TYPE_CHECKING:
    from sklearn.ensemble import HistGradientBoostingRegressor

Array = NDArray[np.float64]
_T = TypeVar("_T")

_WINDOW: Final = 30
_SHORT: Final = 5
_CAP: Final = 125.0  # a machine shows no wear before its last cycles: earlier labels are set to this
_FOLDS: Final = 4
_COVERAGE: Final = 0.8
_NEIGHBOURS: Final = 400
_FIRST_SENSOR: Final = 5


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Rows of unit, cycle, three settings and sensors, ordered by unit and cycle."""

    rows: Array

    def split(self) -> Iterator[Array]:
        """Rows of each unit."""
        for unit in np.unique(self.rows[:, 0]):
            yield self.rows[self.rows[:, 0] == unit]


@dataclass(frozen=True, slots=True, eq=False)
class LifePrediction:
    """Remaining cycles of each unit after its last row, with the interval of the promised coverage."""

    cycles: Array
    low: Array
    high: Array
    coverage: float = _COVERAGE


@dataclass(frozen=True, slots=True, eq=False)
class LifeModel:
    """Model of remaining life with the errors it made on units it had not seen."""

    sensors: tuple[int, ...]
    regressor: "HistGradientBoostingRegressor"
    unseen_predictions: Array
    unseen_errors: Array

    def predict(self, units: Units) -> LifePrediction:
        """Predict the remaining cycles of every unit; the interval holds the errors of like predictions."""
        features = np.array([_build_features(rows, self.sensors)[-1] for rows in units.split()])
        cycles = np.clip(_run_in_one_thread(lambda: self.regressor.predict(features)), 0, _CAP)
        bounds = np.array([self._measure_interval(one) for one in cycles])
        return LifePrediction(cycles, np.maximum(cycles + bounds[:, 0], 0), cycles + bounds[:, 1])

    def _measure_interval(self, cycles: float) -> tuple[float, float]:
        nearest = np.argsort(np.abs(self.unseen_predictions - cycles))[:_NEIGHBOURS]
        low, high = np.quantile(self.unseen_errors[nearest], [(1 - _COVERAGE) / 2, (1 + _COVERAGE) / 2])
        return float(low), float(high)


def read_units(path: Path) -> Units:
    """Read a table of numbers separated by blanks, plain or gzip."""
    try:
        packed = path.read_bytes()
        text = (gzip.decompress(packed) if path.suffix == ".gz" else packed).decode()
        return Units(np.atleast_2d(np.loadtxt(text.splitlines())))
    except (OSError, ValueError, EOFError) as error:
        raise InvalidInput(
            f"{path.name} is no table of units: {error}", hint="unit, cycle, settings, sensors"
        ) from error


def fit_life_model(units: Units) -> LifeModel:
    """Fit on machines that ran to failure; the errors come from folds that hold whole units out."""
    rows = list(units.split())
    sensors = _choose_sensors(units.rows)
    features = [_build_features(one, sensors) for one in rows]
    labels = [np.minimum(np.arange(len(one))[::-1], _CAP) for one in rows]
    predicted, errors = [], []
    for fold in range(_FOLDS):
        inside = [at for at in range(len(rows)) if at % _FOLDS != fold]
        outside = [at for at in range(len(rows)) if at % _FOLDS == fold]
        model = _fit([features[at] for at in inside], [labels[at] for at in inside], iterations=80)
        for at in outside:
            # The true life is not capped when it is compared with.
            guess = np.clip(_run_in_one_thread(lambda at=at, model=model: model.predict(features[at])), 0, _CAP)  # type: ignore[misc]  # mypy reads no type of a lambda with defaults
            predicted.append(guess[::5])
            errors.append((np.arange(len(guess))[::-1] - guess)[::5])
    return LifeModel(sensors, _fit(features, labels), np.concatenate(predicted), np.concatenate(errors))


def _fit(features: list[Array], labels: list[Array], iterations: int = 120) -> "HistGradientBoostingRegressor":
    from sklearn.ensemble import HistGradientBoostingRegressor

    model = HistGradientBoostingRegressor(max_iter=iterations, learning_rate=0.06, random_state=0, early_stopping=False)
    _run_in_one_thread(lambda: model.fit(np.vstack(features), np.concatenate(labels)))
    return model


def _choose_sensors(rows: Array) -> tuple[int, ...]:
    """Columns that change: a constant sensor says nothing."""
    return tuple(at for at in range(_FIRST_SENSOR, rows.shape[1]) if len(np.unique(rows[:, at])) > 5)


def _build_features(rows: Array, sensors: tuple[int, ...]) -> Array:
    """Mean and slope over the last 30 cycles, mean over the last 5, and the age, for every cycle."""
    values = rows[:, list(sensors)]
    count = len(values)
    ends = np.arange(1, count + 1)
    widths = np.minimum(_WINDOW, ends)
    sums = np.vstack([np.zeros(values.shape[1]), np.cumsum(values, axis=0)])
    moments = np.vstack([np.zeros(values.shape[1]), np.cumsum(values * np.arange(count)[:, None], axis=0)])
    starts = ends - widths
    mean = (sums[ends] - sums[starts]) / widths[:, None]
    middle = (starts + ends - 1) / 2
    slope = (moments[ends] - moments[starts]) / widths[:, None] - mean * middle[:, None]
    slope *= (12 / np.maximum(widths**2 - 1, 1) * (widths > _SHORT))[:, None]
    short = np.minimum(_SHORT, ends)
    recent = (sums[ends] - sums[ends - short]) / short[:, None]
    return np.hstack([mean, slope, recent, ends[:, None].astype(np.float64)])


def _run_in_one_thread(work: Callable[[], _T]) -> _T:
    """Threads that wait for a busy core cost twenty times the work itself."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        return work()
