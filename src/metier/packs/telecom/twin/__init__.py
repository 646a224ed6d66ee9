"""Radio twin: computes, diagnoses and tunes scenarios of a mobile network."""

from metier.packs.telecom.twin._cause_words import COLUMNS, REMARKS, Kind
from metier.packs.telecom.twin._causes import Finding, root_causes
from metier.packs.telecom.twin._checks import ScenarioIssue
from metier.packs.telecom.twin._files import Summary, lint_scenario, load_scenario, scenarios
from metier.packs.telecom.twin._indicators import INDICATORS, Indicator, Level, Phase, find_indicators
from metier.packs.telecom.twin._memory import write_whole
from metier.packs.telecom.twin._optimise import Gain, Optimisation, optimise
from metier.packs.telecom.twin._scenario import PROBLEMS, Cell, Change, Parameter, Problem, Scenario, Site
from metier.packs.telecom.twin._search import Progress
from metier.packs.telecom.twin._state import Heatmap, State, Table, compute
from metier.packs.telecom.twin._thresholds import Threshold, thresholds
from metier.packs.telecom.twin._twin import Tuned, Twin

__all__ = [
    "COLUMNS",
    "INDICATORS",
    "PROBLEMS",
    "REMARKS",
    "Cell",
    "Change",
    "Finding",
    "Gain",
    "Heatmap",
    "Indicator",
    "Kind",
    "Level",
    "Optimisation",
    "Parameter",
    "Phase",
    "Problem",
    "Progress",
    "Scenario",
    "ScenarioIssue",
    "Site",
    "State",
    "Summary",
    "Table",
    "Threshold",
    "Tuned",
    "Twin",
    "compute",
    "find_indicators",
    "lint_scenario",
    "load_scenario",
    "optimise",
    "root_causes",
    "scenarios",
    "thresholds",
    "write_whole",
]
