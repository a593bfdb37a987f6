"""The exact optimum, and certificates of how far any answer is from it."""
