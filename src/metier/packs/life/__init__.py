"""Life pack: bazi, zodiac, tarot, career and goals, computed first and explained sentence by sentence."""
