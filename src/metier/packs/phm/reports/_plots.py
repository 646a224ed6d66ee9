"""Plots an analyst reads: the envelope spectrum in Hz and orders with fault cursors, and the steps as a graph.

Chinese labels are drawn with the font that comes with the package, so no letter is a box.
"""

import io
import math
from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from metier.errors import MissingExtra
from metier.exports import FONT_FILE
from metier.flow import render_png
from metier.language import Language, choose
from metier.packs.phm.diagnosis import (
    BranchName,
    Diagnosis,
    FaultCursor,
    find_highest_hz,
    list_alarm_levels,
    list_cursors,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_TITLES: Final[Mapping[Language, Mapping[BranchName, str]]] = MappingProxyType(
    {
        "en": {"prewhitened": "pre-whitened", "full_band": "full band", "kurtogram_band": "kurtogram band"},
        "zh": {"prewhitened": "预白化", "full_band": "全频带", "kurtogram_band": "峭度图选带"},
    }
)
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_CURSOR: Final = "#B91C1C"
_ALARM: Final = "#D97706"
_SHAFT: Final = "#15803D"
_OTHERS: Final = ("#7C3AED", "#92400E", "#DB2777")


def draw_envelope(found: Diagnosis, unit: str, language: Language) -> bytes | None:
    """PNG of the envelope spectrum that decided: cursors at shaft and fault frequencies, alarm levels."""
    shown, spectrum = found.shown, found.envelope
    if found.rpm is None or found.bearing is None or shown is None or spectrum is None:
        return None
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.text import Text
    except ImportError as error:
        raise MissingExtra("plots need matplotlib", hint="pip install 'metier[phm]'") from error

    shaft, highest = found.rpm / 60, find_highest_hz(found)
    last = int(highest / spectrum.step_hz)
    figure = Figure(figsize=(9, 4.2), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    hz = np.arange(last) * spectrum.step_hz
    axes.plot(hz[3:], spectrum.amplitude[3:last], linewidth=0.7, color="#0369A1")
    _draw_cursors(axes, list_cursors(found), language)
    half = 0.25 * shown.expected_hz
    for number, one in enumerate(list_alarm_levels(found)):
        label = choose(language, zh="报警线", en="alarm level") if number == 0 else None
        axes.plot([one.at_hz - half, one.at_hz + half], [one.amplitude] * 2, color=_ALARM, linewidth=1.4, label=label)
    axes.set_xlim(0, highest)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(choose(language, zh="频率，Hz", en="frequency, Hz"))
    axes.set_ylabel(_label_amplitude(unit, shown.branch, language) + _scale_ticks(axes))
    branch = _TITLES[language][shown.branch]
    title = choose(
        language, zh=f"包络谱，{branch}，节点 {shown.node}", en=f"Envelope spectrum, {branch}, node {shown.node}"
    )
    axes.set_title(title, fontsize=10)
    scale = (lambda values: np.asarray(values) / shaft, lambda values: np.asarray(values) * shaft)
    axes.secondary_xaxis("top", functions=scale).set_xlabel(choose(language, zh="转频阶次", en="order of shaft"))
    figure.legend(loc="outside lower center", ncols=3, fontsize=7)
    families = ["DejaVu Sans", _load_font()]  # the second has the letters that the first lacks
    for text in figure.findobj(Text):
        text.set_fontfamily(families)  # not by a setting of the library: reports are drawn in several threads
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def _scale_ticks(axes: "Axes") -> str:
    """Write very small and large ticks without their power of ten, which is returned for the label."""
    top = axes.get_ylim()[1]
    power = math.floor(math.log10(top)) if top > 0 else 0
    if -3 <= power <= 3:
        return ""
    axes.yaxis.set_major_formatter(lambda value, _: f"{value / 10.0**power:g}")
    return " ×10" + str(power).translate(_RAISED)


def name_envelope(language: Language) -> str:
    """Title of the picture of the envelope spectrum."""
    return choose(language, zh="包络谱", en="Envelope spectrum")


@cache
def _load_font() -> str:
    """Make the font that comes with the package known to matplotlib; returns its name there."""
    from matplotlib import font_manager

    font_manager.fontManager.addfont(FONT_FILE)
    return font_manager.FontProperties(fname=FONT_FILE).get_name()


def _draw_cursors(axes: "Axes", cursors: Sequence[FaultCursor], language: Language) -> None:
    """Upright lines at harmonics (the first named at the top, the others numbered) and, dotted, at side bands."""
    others = iter(_OTHERS)
    for row, cursor in enumerate(cursors):
        is_main = row == 0
        colour = _CURSOR if is_main else _SHAFT if cursor.fault is None else next(others)
        style, width = ("-", 0.9) if is_main else ("--", 0.7)
        for number, at in enumerate(cursor.harmonics_hz, 1):
            label = _name_cursor(cursor, language) if number == 1 else None
            axes.axvline(at, color=colour, linewidth=width, linestyle=style, alpha=0.6, label=label)
            axes.annotate(
                cursor.title if number == 1 else f"{number}",
                (at, 0.98 - 0.05 * row),
                xycoords=axes.get_xaxis_transform(),
                fontsize=6,
                color=colour,
                va="top",
            )
        for at in cursor.sides_hz:
            axes.axvline(at, color=colour, linewidth=0.6, linestyle=":", alpha=0.6 if is_main else 0.35)


def _name_cursor(cursor: FaultCursor, language: Language) -> str:
    word = choose(
        language, zh="实测" if cursor.is_found else "理论", en="found at" if cursor.is_found else "expected at"
    )
    if cursor.fault is None:
        word = choose(language, zh="转频", en="shaft at")
    sides = choose(language, zh="，点线为边带", en=", side bands dotted") if cursor.sides_hz else ""
    return f"{cursor.title} {word} {cursor.harmonics_hz[0]:.2f} Hz{sides}"


def _label_amplitude(unit: str, branch: BranchName, language: Language) -> str:
    if branch == "prewhitened":
        return choose(language, zh="平方包络（白化后，无单位）", en="squared envelope (whitened, no unit)")
    unit = "" if unit in ("", "?") else f"({unit})²"
    return choose(language, zh="平方包络", en="squared envelope") + (f", {unit}" if unit else "")


def draw_steps(found: Diagnosis) -> bytes | None:
    """PNG of the graph of a diagnosis; None if it was not kept, has nothing to show, or Graphviz is not installed."""
    if len(found.cards) < 2:
        return None
    try:
        return render_png(found.cards)
    except MissingExtra:
        return None
