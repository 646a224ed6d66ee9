"""Radio twin: computes, diagnoses and tunes scenarios of a mobile network."""

from metier.packs.telecom.twin._cause_words import EVIDENCE_COLUMNS, REMARKS, CauseKind
from metier.packs.telecom.twin._causes import RootCause, find_root_causes
from metier.packs.telecom.twin._checks import ScenarioIssue
from metier.packs.telecom.twin._files import ScenarioSummary, lint_scenario, list_scenarios, load_scenario
from metier.packs.telecom.twin._indicators import INDICATORS, Indicator, Level, Phase, find_indicators
from metier.packs.telecom.twin._memory import write_atomically
from metier.packs.telecom.twin._optimise import Gain, Optimisation, optimise
from metier.packs.telecom.twin._scenario import PROBLEMS, Cell, Parameter, ParameterChange, Problem, Scenario, Site
from metier.packs.telecom.twin._search import ProgressCallback
from metier.packs.telecom.twin._state import Heatmap, NetworkState, TwinTable, compute
from metier.packs.telecom.twin._thresholds import Threshold, load_thresholds
from metier.packs.telecom.twin._twin import TuningResult, Twin

__all__ = [
    "EVIDENCE_COLUMNS",
    "INDICATORS",
    "PROBLEMS",
    "REMARKS",
    "CauseKind",
    "Cell",
    "Gain",
    "Heatmap",
    "Indicator",
    "Level",
    "NetworkState",
    "Optimisation",
    "Parameter",
    "ParameterChange",
    "Phase",
    "Problem",
    "ProgressCallback",
    "RootCause",
    "Scenario",
    "ScenarioIssue",
    "ScenarioSummary",
    "Site",
    "Threshold",
    "TuningResult",
    "Twin",
    "TwinTable",
    "compute",
    "find_indicators",
    "find_root_causes",
    "lint_scenario",
    "list_scenarios",
    "load_scenario",
    "load_thresholds",
    "optimise",
    "write_atomically",
]
