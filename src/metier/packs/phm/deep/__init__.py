"""Deep runs of the PHM pack: goals, moves, reflection and report by rules."""

from metier.packs.phm.deep._rules import PhmRules, build_rules

__all__ = ["PhmRules", "build_rules"]
