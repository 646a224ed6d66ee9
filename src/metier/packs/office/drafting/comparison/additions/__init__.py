"""What a plan writes and nobody asked for: names cut in the wrong place, talk and orders taken for texts."""
