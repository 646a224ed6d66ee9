"""Journeys: conversations as data that must hold, and a crawler that follows everything the product offers.

async with JourneyHost.open(settings, packs) as host:
    results = await run_journeys(host, read_journeys(folder))
    report = await crawl(host, list_examples(packs[-1]))
"""

from metier.testing.journeys._checks import check_step
from metier.testing.journeys._crawl import (
    MAX_DEPTH,
    MAX_STEPS,
    CrawlFinding,
    CrawlReport,
    Example,
    crawl,
    list_examples,
)
from metier.testing.journeys._dead_ends import DeadEnd, find_dead_ends
from metier.testing.journeys._host import JourneyHost
from metier.testing.journeys._journey import Action, Expectation, Journey, JourneyStep, read_journeys
from metier.testing.journeys._offers import Offer, find_offers
from metier.testing.journeys._run import JourneyResult, StepFailure, run_journey, run_journeys
from metier.testing.journeys._visit import StepRecord, Visit

__all__ = [
    "MAX_DEPTH",
    "MAX_STEPS",
    "Action",
    "CrawlFinding",
    "CrawlReport",
    "DeadEnd",
    "Example",
    "Expectation",
    "Journey",
    "JourneyHost",
    "JourneyResult",
    "JourneyStep",
    "Offer",
    "StepFailure",
    "StepRecord",
    "Visit",
    "check_step",
    "crawl",
    "find_dead_ends",
    "find_offers",
    "list_examples",
    "read_journeys",
    "run_journey",
    "run_journeys",
]
