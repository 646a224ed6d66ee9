"""Numeric functions of the PHM pack: arrays in, arrays or small records out; nothing here knows operators or files."""
