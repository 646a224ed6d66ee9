"""What a request asks for and its plan does not have: names, counts, copies, demands, words that no rule read."""
