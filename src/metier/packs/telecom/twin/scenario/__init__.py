"""Scenarios: what they are, their file format, how they are read and checked."""

from metier.packs.telecom.twin.scenario._checks import ScenarioIssue
from metier.packs.telecom.twin.scenario._files import (
    SHIPPED_FOLDER,
    SUFFIXES,
    lint_scenario,
    load_scenario,
    read_shipped_titles,
)
from metier.packs.telecom.twin.scenario._scenario import (
    LAT_M,
    LON_M,
    PROBLEMS,
    Antenna,
    Area,
    Carrier,
    Cell,
    Parameter,
    ParameterChange,
    Problem,
    Propagation,
    Scenario,
    Site,
    Traffic,
    apply_changes,
)

__all__ = [
    "LAT_M",
    "LON_M",
    "PROBLEMS",
    "SHIPPED_FOLDER",
    "SUFFIXES",
    "Antenna",
    "Area",
    "Carrier",
    "Cell",
    "Parameter",
    "ParameterChange",
    "Problem",
    "Propagation",
    "Scenario",
    "ScenarioIssue",
    "Site",
    "Traffic",
    "apply_changes",
    "lint_scenario",
    "load_scenario",
    "read_shipped_titles",
]
