"""Plots an analyst reads: the envelope spectrum in Hz and orders with fault cursors, and the steps as a graph.

Labels are in English: without a CJK font other letters would be boxes.
"""

import io
from typing import Final

from metier.flow import draw_graph
from metier.packs.phm.bearings import Fault
from metier.packs.phm.diagnosis import Diagnosis, compute_spectra
from metier.packs.phm.loaders import Record

_SHORT: Final = ("BPFO", "BPFI", "2xBSF", "FTF")


def draw_envelope(record: Record, found: Diagnosis) -> bytes | None:
    """PNG of the envelope spectrum of the branch that decided, with harmonics and side bands of the best fault."""
    if found.rpm is None or found.bearing is None or not found.evidence or not record.fs:
        return None
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    best = found.evidence[0]
    shaft = found.rpm / 60
    branch = found.decided_by or "prewhitened"
    spectrum = compute_spectra(record.samples, record.fs).envelopes[branch]
    highest = min(12 * shaft, record.fs / 2)
    last = int(highest / spectrum.step_hz)
    hz = np.arange(last) * spectrum.step_hz
    figure = Figure(figsize=(9, 3.6), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    axes.plot(hz[3:], spectrum.amplitude[3:last], linewidth=0.7, color="#0369A1")
    colour = "#B91C1C"
    for number in range(1, 4):
        at = number * best.found_hz
        if at > highest:
            break
        label = f"{_name(best.fault)} {best.found_hz:.2f} Hz" if number == 1 else None
        axes.axvline(at, color=colour, linewidth=0.9, alpha=0.8, label=label)
        spacing = {"inner": shaft, "ball": found.bearing.ftf * shaft}.get(best.fault)
        for side in (-1, 1) if spacing else ():
            axes.axvline(at + side * (spacing or 0.0), color=colour, linewidth=0.7, linestyle=":", alpha=0.7)
    axes.set_xlim(0, highest)
    axes.set_xlabel("frequency, Hz")
    axes.set_ylabel("squared envelope")
    scale = (lambda values: np.asarray(values) / shaft, lambda values: np.asarray(values) * shaft)
    axes.secondary_xaxis("top", functions=scale).set_xlabel("order of shaft")
    axes.legend(loc="upper right", frameon=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def draw_steps(found: Diagnosis) -> bytes | None:
    """PNG of the steps as a graph; None if there is nothing to draw or Graphviz is not installed."""
    if len(found.nodes) < 2:
        return None
    try:
        import pygraphviz
    except ImportError:
        return None
    graph = pygraphviz.AGraph(directed=True, rankdir="LR", dpi="110", nodesep="0.22", ranksep="0.42")
    graph.node_attr.update(
        shape="box", style="rounded,filled", fillcolor="#F1F5F9", color="#475569", fontname="DejaVu Sans"
    )
    graph.node_attr["fontsize"] = "11"
    graph.edge_attr.update(color="#94A3B8", arrowsize="0.6")
    for node in found.nodes:
        graph.add_node(node.id, label=f"{node.id}  {node.op_name.replace('_', ' ')}")
        for before in node.inputs:
            graph.add_edge(before, node.id)
    drawn = draw_graph(graph, "png")
    return drawn if len(drawn) > 1000 else None


def _name(fault: Fault) -> str:
    return dict(zip(("outer", "inner", "ball", "cage"), _SHORT, strict=True))[fault]
