"""Plots an analyst reads: the envelope spectrum in Hz and orders with fault cursors, and the steps as a graph.

Chinese labels are drawn with the font that comes with the package, so no letter is a box.
"""

import io
import math
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import numpy as np

from metier.errors import MissingExtra
from metier.exports import FONT_FILE
from metier.flow import render_png
from metier.language import Language, choose
from metier.packs.phm.bearings import Fault
from metier.packs.phm.diagnosis import BranchName, Diagnosis, FaultEvidence

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHORT: Final[Mapping[Fault, str]] = MappingProxyType(
    {"outer": "BPFO", "inner": "BPFI", "ball": "2xBSF", "cage": "FTF"}
)
_TITLES: Final[Mapping[Language, Mapping[BranchName, str]]] = MappingProxyType(
    {
        "en": {"prewhitened": "pre-whitened", "full_band": "full band", "kurtogram_band": "kurtogram band"},
        "zh": {"prewhitened": "预白化", "full_band": "全频带", "kurtogram_band": "峭度图选带"},
    }
)
_HIGHEST_ORDER: Final = 18.0
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_CURSOR: Final = "#B91C1C"
_ALARM: Final = "#D97706"


def draw_envelope(found: Diagnosis, unit: str, language: Language) -> bytes | None:
    """PNG of the envelope spectrum that decided: cursors and alarm levels of the fault, the other faults in grey."""
    shown, spectrum = found.shown, found.envelope
    if found.rpm is None or found.bearing is None or shown is None or spectrum is None:
        return None
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.text import Text
    except ImportError as error:
        raise MissingExtra("plots need matplotlib", hint="pip install 'metier[phm]'") from error

    shaft = found.rpm / 60
    highest = min(_HIGHEST_ORDER * shaft, (len(spectrum.amplitude) - 1) * spectrum.step_hz)
    last = int(highest / spectrum.step_hz)
    figure = Figure(figsize=(9, 3.8), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    hz = np.arange(last) * spectrum.step_hz
    axes.plot(hz[3:], spectrum.amplitude[3:last], linewidth=0.7, color="#0369A1")
    for fault, order in found.bearing.orders.items():
        if fault != shown.fault:
            axes.axvline(order * shaft, color="#64748B", linewidth=0.7, linestyle="--", alpha=0.7)
            place = (order * shaft, 0.97)
            axes.annotate(
                _SHORT[fault], place, xycoords=axes.get_xaxis_transform(), fontsize=7, color="#475569", va="top"
            )
    _draw_fault(axes, found, shown, highest, language)
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
    axes.legend(loc="upper right", fontsize=8)
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


def _draw_fault(axes: "Axes", found: Diagnosis, shown: FaultEvidence, highest: float, language: Language) -> None:
    """Cursors at the harmonics and side bands of one fault, and the level at which each harmonic is an alarm."""
    spectrum, lines = found.envelope, found.branches[shown.branch].scores[shown.fault].lines
    if spectrum is None or found.bearing is None or found.rpm is None:
        return
    shaft = found.rpm / 60
    spacing = {"inner": shaft, "ball": found.bearing.ftf * shaft}.get(shown.fault)
    is_found = found.verdict == shown.fault
    word = choose(language, zh="实测" if is_found else "理论", en="found at" if is_found else "expected near")
    for number, line in enumerate(lines, 1):
        at = number * shown.found_hz if is_found else line.expected_hz
        if at > highest:
            break
        label = f"{_SHORT[shown.fault]} {word} {at:.2f} Hz" if number == 1 else None
        axes.axvline(at, color=_CURSOR, linewidth=0.9, alpha=0.6, label=label)
        for side in (-1, 1) if spacing else ():
            axes.axvline(at + side * (spacing or 0.0), color=_CURSOR, linewidth=0.7, linestyle=":", alpha=0.6)
        peak = float(spectrum.amplitude[round(line.found_hz / spectrum.step_hz)])
        level, half = peak * float(np.exp(shown.alarm - line.excess)), 0.25 * shown.expected_hz
        label = choose(language, zh="报警线", en="alarm level") if number == 1 else None
        axes.plot([at - half, at + half], [level, level], color=_ALARM, linewidth=1.4, label=label)


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
