"""One carrier during tuning: a change of one cell recomputes one layer, not the whole network."""

from dataclasses import dataclass, replace

import numpy as np

from metier.packs.telecom.twin.radio import (
    IDLE_ACTIVITY,
    Band,
    Bearing,
    Doubles,
    Floats,
    Ground,
    Integers,
    Radio,
    noise_mw,
    pick_rows,
    rerank,
    sum_over_cells,
    to_db,
    to_milliwatts,
)
from metier.packs.telecom.twin.scenario import Cell
from metier.packs.telecom.twin.tuning._goals import CarrierView, Goal, TuningFrame


def thin_radio(radio: Radio, keep: Integers) -> Radio:
    """The radio field restricted to some of its points."""
    ground = radio.ground
    return replace(
        radio,
        ground=Ground(
            ground.x_m[keep],
            ground.y_m[keep],
            ground.longitude[keep],
            ground.latitude[keep],
            ground.clutter[keep],
            ground.user_m[keep],
            ground.users[keep],
        ),
        bearings={
            id: Bearing(bearing.east[keep], bearing.north[keep], bearing.up[keep])
            for id, bearing in radio.bearings.items()
        },
        flat_m={id: flat[keep] for id, flat in radio.flat_m.items()},
        losses={pair: loss[keep] for pair, loss in radio.losses.items()},
    )


@dataclass(frozen=True, slots=True, eq=False)
class _StrongestSignals:
    """The two strongest signals of every point, cached because a trial needs them a thousand times."""

    best_dbm: Floats
    second_dbm: Floats
    best_mw: Floats
    second_mw: Floats

    @classmethod
    def from_band(cls, band: Band) -> "_StrongestSignals":
        dbm, mw = band.rsrp, band.milliwatts
        return cls(
            pick_rows(dbm, band.best), pick_rows(dbm, band.second), pick_rows(mw, band.best), pick_rows(mw, band.second)
        )


@dataclass(slots=True, eq=False)
class Trial:
    """The layers of a carrier with fixed loads; `score` tries a cell, `keep` keeps it."""

    radio: Radio
    band: Band
    frame: TuningFrame
    goal: Goal
    activity: Floats
    offsets: Floats
    total: Floats
    strongest: "_StrongestSignals"

    @classmethod
    def start(
        cls, radio: Radio, band: Band, frame: TuningFrame, goal: Goal, load: Doubles, *, cells: list[Cell]
    ) -> "Trial":
        """Start from the current network; `cells` are those of the band."""
        activity = (IDLE_ACTIVITY + (1 - IDLE_ACTIVITY) * load).astype(np.float32)
        offsets = np.array([cell.offset_db for cell in cells], np.float32)
        total = sum_over_cells(activity, band.milliwatts)
        return cls(radio, band, frame, goal, activity, offsets, total, _StrongestSignals.from_band(band))

    def score_current(self) -> float:
        """Score of the current layers."""
        tops, best = self.strongest, self.band.best
        return self.goal(self.frame, CarrierView(tops.best_dbm, self._sinr(tops.best_mw, self.total, best), best))

    def score(self, row: int, cell: Cell) -> float:
        """Score with this cell in its row, without keeping it."""
        band, tops = self.band, self.strongest
        layer = self.radio.compute_layer(cell)
        power = to_milliwatts(layer)
        mine = band.best == row
        other = np.where(mine, band.second, band.best)
        rival = np.where(mine, tops.second_dbm, tops.best_dbm)
        wins = layer + np.float32(cell.offset_db) > rival + self.offsets[other]
        if band.rows.size == 1:
            wins = np.ones_like(wins)
        best = np.where(wins, row, other)
        level = np.where(wins, layer, rival)
        own = np.where(wins, power, np.where(mine, tops.second_mw, tops.best_mw))
        total = self.total + self.activity[row] * (power - band.milliwatts[row])
        return self.goal(self.frame, CarrierView(level, self._sinr(own, total, best), best))

    def keep(self, row: int, cell: Cell) -> None:
        """Keep the cell in its row."""
        layer = self.radio.compute_layer(cell)
        rsrp, power = self.band.rsrp.copy(), self.band.milliwatts.copy()
        rsrp[row], power[row] = layer, to_milliwatts(layer)
        self.offsets[row] = cell.offset_db
        best, second = rerank(rsrp, self.offsets, self.band.best, self.band.second, row)
        self.band = replace(self.band, rsrp=rsrp, milliwatts=power, best=best, second=second)
        self.total, self.strongest = sum_over_cells(self.activity, power), _StrongestSignals.from_band(self.band)

    def _sinr(self, own: Floats, total: Floats, best: Integers) -> Floats:
        others = np.maximum(total - self.activity[best] * own, 0)
        return to_db(own / (others + np.float32(noise_mw(self.band.carrier))))
