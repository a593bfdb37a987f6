"""The mathematics of the lecture notes as functions: hyperplanes, losses, convexity, duality."""
