"""The support vector machine in plain Python."""
